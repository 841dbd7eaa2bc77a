"""Lists over the screen to choose from: one of them, or what is typed below; homes; and every key there is.

In `HomesSheet` homes are ticked: space ticks, enter shows exactly those, escape leaves all as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.containers import Vertical
from textual.content import Content

from memtui.core.locale import _, _n
from memtui.layouts import name_layout
from memtui.tui import draw
from memtui.tui.actions import ACTIONS, GROUPS, find_action, find_keys, format_key
from memtui.tui.draw import count_cells
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.sheets import Box, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.widgets import Input

    from memtui.core.model import Home
    from memtui.manual import Topic
    from memtui.tui.actions import Action, Where
    from memtui.tui.draw import Look
    from memtui.tui.screen import MainScreen


class Choice(Sheet[Any]):
    """A list to choose from: answers with the row's value. `preview` is told where the cursor is."""

    def __init__(
        self,
        title: str,
        rows: Sequence[Fixed],
        look: Callable[[], Look],
        *,
        hint: str = "",
        at: int = 0,
        preview: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__()
        self._title, self._items, self._look, self._hint, self._at = title, rows, look, hint, at
        self._preview = preview

    def compose(self) -> ComposeResult:
        """One list in a frame."""
        rows = Rows(lambda _item, _brush: [], self._look, id="choices", classes="sheet")
        rows.border_title = Content(self._title)
        rows.border_subtitle = Content(self._hint)
        yield rows

    def on_mount(self) -> None:
        """As tall as its rows need, within the screen."""
        rows = self.query_one(Rows)
        rows.styles.height = min(len(self._items) + 2, max(6, self.app.size.height - 4))
        rows.show(self._items, at=self._at)

    def on_key(self, event: Any) -> None:
        """A digit chooses the row that begins with it."""
        if event.key.isdigit() and event.key != "0" and int(event.key) <= len(self._items):
            item = self._items[int(event.key) - 1]
            if item.value is not None and item.left[0][0].strip() == event.key:
                event.stop()
                self.dismiss(item.value)

    def open_item(self) -> None:
        item = next((rows.current for rows in self.query(Rows)), None)
        if isinstance(item, Fixed) and item.value is not None:
            self.dismiss(item.value)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Tell the preview; what a row has no room for stands in the frame."""
        event.stop()
        rows, item = event.rows, event.item
        cut = isinstance(item, Fixed) and count_cells([*item.left, *item.right]) > rows.scrollable_content_region.width
        rows.border_subtitle = Content(item.left[-1][0].strip() if cut else self._hint)
        if self._preview is not None and isinstance(event.item, Fixed) and event.item.value is not None:
            self._preview(event.item.value)


class TypedChoice(Choice):
    """A list that typing narrows: letters go to a line below it, arrows and enter to the list."""

    AUTO_FOCUS = "#typed"
    KEYS: ClassVar[dict[str, str]] = {"item.open": "choose", "app.back": "cancel"}

    def compose(self) -> ComposeResult:
        """The list, and the line."""
        with Vertical(classes="sheet picker"):
            rows = Rows(lambda _item, _brush: [], self._look, id="choices")
            rows.border_title = Content(self._title)
            rows.border_subtitle = Content(self._hint)
            rows.leads = True
            yield rows
            yield Box(placeholder=_("type to narrow"), id="typed", compact=True)

    def act(self, id: str) -> None:
        """Motions move the list while one types."""
        room, _dot, verb = id.partition(".")
        if room == "list":
            self.query_one(Rows).move(cast("Where", verb))
        elif id == "app.back" and self.query_one(Box).value:
            self.query_one(Box).value = ""
        else:
            super().act(id)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Rows that hold every word."""
        event.stop()
        words = event.value.lower().split()
        told = {row.key: "".join(text for text, _style in row.left).lower() for row in self._items}
        found = [row for row in self._items if all(word in told[row.key] for word in words)]
        rows = self.query_one(Rows)
        rows.empty = ((_("nothing here matches"), "dim"),)
        rows.show(found, at=self._at if not words else 0)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter chooses."""
        event.stop()
        self.open_item()


class HomesSheet(Sheet[frozenset[str]]):
    """Answers with the paths of the homes to show. With none ticked, enter means the one under the cursor."""

    KEYS: ClassVar[dict[str, str]] = {"item.open": "show these", "app.back": "cancel"}

    def __init__(self, homes: Sequence[Home], shown: frozenset[str]) -> None:
        super().__init__()
        self._homes = homes
        self._all = frozenset(str(home.path) for home in homes)
        self._ticked = shown or self._all

    def compose(self) -> ComposeResult:
        """One list in a frame."""
        rows = Rows(lambda _item, _brush: [], self.main.context.look, id="choices", classes="sheet")
        rows.border_title = Content(_("Homes"))
        yield rows

    def on_mount(self) -> None:
        """As tall as its rows need, within the screen."""
        rows = self.query_one(Rows)
        rows.styles.height = min(len(self._homes) + 3, max(6, self.app.size.height - 4))
        self._show()

    def open_item(self) -> None:
        self.dismiss(self._ticked or self._list_under_cursor())

    def on_key(self, event: Any) -> None:
        """Space ticks, or takes the tick away."""
        if event.key == "space":
            event.stop()
            here = self._list_under_cursor()
            if here == self._all and len(here) > 1:
                self._ticked = frozenset() if self._ticked == self._all else self._all
            else:
                self._ticked ^= here
            self._show()

    def _list_under_cursor(self) -> frozenset[str]:
        """What the row under the cursor stands for."""
        item = self.query_one(Rows).current
        return frozenset({item.value}) if isinstance(item, Fixed) and item.value else self._all

    def _show(self) -> None:
        def box(ticked: bool) -> tuple[str, str]:
            return (" ☑ " if ticked else " ☐ ", "accent")

        rows = [Fixed("all", (box(self._ticked == self._all), (_("All homes"), "bold")))]
        for home in self._homes:
            path = str(home.path)
            left = (box(path in self._ticked), (draw.pad(draw.clip_to_line(home.label), 26) + " ", ""),
                    (draw.pad(draw.clip_to_line(name_layout(home.layout)), 12) + " ", "dim"),
                    (draw.clip_to_line(home.reason), "faint"))  # fmt: skip
            rows.append(Fixed(path, left, value=path))
        self.query_one(Rows).show(rows)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The frame says what enter does here."""
        event.stop()
        many = len(self._ticked or self._list_under_cursor())
        if self._ticked or many > 1:
            enter = _n("enter shows {count} home", "enter shows {count} homes", many)
        else:
            enter = _("enter shows only this one")
        event.rows.border_subtitle = Content(f"{_('space toggles')} · {enter} · {_('esc cancel')}")


def show_keys(
    screen: MainScreen,
    page: Sheet[Any] | None = None,
    *,
    topics: Sequence[Topic] = (),
    open_topic: Callable[[Topic], None] = lambda _topic: None,
) -> None:
    """Every key by group and the pages of the manual, or the keys of a window over the screen; enter does it."""
    rows: list[Fixed] = []

    def add(action: Action, title: str, help: str, group: str = "") -> None:
        keys = " ".join(map(format_key, find_keys(action, screen.keymap)))
        left = ((f"   {draw.pad(keys, 12)} ", "accent"), (draw.pad(_(title), 16), ""), (_(help), "dim"))
        rows.append(Fixed(group + action.id, left, value=action.id))

    def can_do(action: Action) -> bool:
        return action.footer and action.is_here(screen.view) and not action.why_not(screen.desk)

    if page is None:
        # What can be done here comes first; how to move is what everybody tries anyhow.
        rows.append(Fixed("group:here", ((f" {_('Here')}", "head"),), rest=False))
        for action in filter(can_do, ACTIONS):
            add(action, action.title, action.help, "here:")
    else:
        for name, title in page.KEYS.items():
            # Where a window gives a key another meaning, its title says all there is.
            action = find_action(name)
            add(action, title, action.help if title == action.title else "")
    for group in (*GROUPS[1:], GROUPS[0]) if page is None else GROUPS[:1]:
        if rows:
            rows.append(Fixed(f"blank:{group}", (), rest=False))
        rows.append(Fixed(f"group:{group}", ((f" {_(group)}", "head"),), rest=False))
        for action in ACTIONS:
            if action.group == group and (page is None or action.motion):
                add(action, action.title, action.help)
    if page is None:
        rows.append(Fixed("blank:manual", (), rest=False))
        rows.append(Fixed("group:manual", ((f" {_('Manual')}", "head"),), rest=False))
        for topic in topics:
            left = ((f"   {draw.pad(topic.name, 12)} ", "accent"), (_(topic.about), ""))
            rows.append(Fixed(f"manual:{topic.name}", left, value=topic))

    def done(chosen: Any) -> None:
        if chosen in topics:
            open_topic(chosen)
        elif chosen:
            (screen.do if page is None else page.action_do)(chosen)

    hint = _("enter does it · G manual · esc close") if page is None else _("enter does it · esc close")
    screen.app.push_screen(Choice(_("Keys"), rows, screen.context.look, hint=hint), done)
