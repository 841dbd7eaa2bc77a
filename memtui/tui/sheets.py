"""Windows over the screen: a question, lines to look at, a line to type in. What is chosen from is in `choices`.

`Sheet` is their base, with the motions of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from rich.cells import cell_len
from textual import events
from textual.await_complete import AwaitComplete
from textual.containers import Vertical
from textual.content import Content
from textual.events import Mount
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from memtui.core.locale import _
from memtui.tui.actions import ACTIONS, find_action, find_keys, format_key, make_bindings
from memtui.tui.bars import Bar
from memtui.tui.detail import Detail
from memtui.tui.draw import clip_to_line
from memtui.tui.prose import draw_prose, wrap_pieces
from memtui.tui.row_list import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.message import Message

    from memtui.tui.actions import Where
    from memtui.tui.bars import Spot
    from memtui.tui.context import ActionClicked
    from memtui.tui.draw import Look, Piece
    from memtui.tui.screen import MainScreen


class Box(Input):
    """A letter changes this line and nothing else: Textual would lay the whole screen out anew for each."""

    virtual_size = Reactive(Size(0, 0))
    # Nothing on the screen moves by itself.
    cursor_blink = Reactive(False, init=False)
    takes_text = True
    """Letters are text here, and no keys."""
    meant = ""
    """What a person may have wanted to type; at its end, `→` takes it."""

    def take_meant(self) -> None:
        """Put what was meant in the place of what was typed."""
        self.value, self.meant = self.meant, ""
        self.cursor_position = len(self.value)

    def action_cursor_right(self, select: bool = False) -> None:
        """On; at the end of the line to what was meant."""
        if self.meant and self.cursor_at_end and not select and not self._suggestion:
            self.take_meant()
        else:
            super().action_cursor_right(select)

    async def _on_key(self, event: events.Key) -> None:
        if event.key.startswith("alt+") and event.is_printable:
            # Terminals send alt and a key as escape and the key. Here it is escape, with the next key right behind it:
            # that letter is no text, and whoever did mean alt wants no verb of the list.
            event.prevent_default()
            event.stop()
            self.app.post_message(events.Key("escape", "\x1b"))
            return
        # Textual takes such a key up to the app and back before it edits: letters typed right behind it would overtake
        # it, and be deleted by it.
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if not binding.priority and await self.app.run_action(binding.action, self):
                event.prevent_default()
                event.stop()
                return

    def _on_paste(self, event: events.Paste) -> None:
        # Textual keeps the first line only; it must not see the event after this.
        event.prevent_default()
        event.stop()
        self.replace(" ".join(event.text.split()), *self.selection)
        self._reveal_cursor()

    def on_resize(self) -> None:
        """Whatever is typed goes on where it is seen."""
        self._reveal_cursor()

    def _reveal_cursor(self) -> None:
        # Textual does so as the cursor moves, but not for the first text, nor in another width.
        at = cell_len(self.value[: self.cursor_position])
        self.scroll_to_region(Region(at, 0, 1, 1), force=True, animate=False)


Result = TypeVar("Result")


def leave_once(screen: Screen[Any], dismiss: Callable[[Any], AwaitComplete], result: object) -> AwaitComplete:
    """Dismiss a window that is on top, and not before all that it is made of is there to be taken away."""

    def later() -> None:
        screen.dismiss(result)

    if screen.is_active and screen.is_mounted:
        return dismiss(result)
    if screen.is_active:
        screen.call_later(later)
    return AwaitComplete()


class Sheet(ModalScreen[Result]):
    """A window with motions. `escape` and `q` close it with `None`."""

    ALLOW_SELECT = False
    AUTO_FOCUS = "*"
    BINDINGS: ClassVar[list[BindingType]] = [*make_bindings(action for action in ACTIONS if action.motion)]
    KEYS: ClassVar[dict[str, str]] = {"app.back": "close"}
    """What its footer shows: ids of actions, and what they do here (source strings)."""

    _main: MainScreen | None = None

    @property
    def main(self) -> MainScreen:
        """The screen below. A reader's thread, which knows no app, may ask for it, too."""
        if self._main is None:
            self._main = cast("MainScreen", cast("Any", self.app).main)
        return self._main

    @property
    def stands(self) -> bool:
        """Whether there is anything left to show an answer in: `is_mounted` is true for ever."""
        return self.is_attached and self._running and not self._pruning

    async def _on_message(self, message: Message) -> None:
        # Left in the breath in which it was opened, it has nothing to furnish: its parts are gone.
        if self.stands or not isinstance(message, Mount):
            await super()._on_message(message)

    def on_mount(self) -> None:
        """A footer of its own, over the screen's."""
        self.mount(Bar(self.main.context.look, id="keys"))
        self.call_later(self.update_keys)

    def does(self, id: str) -> bool:
        """Whether a key of its footer does anything here and now."""
        return True

    def update_keys(self) -> None:
        """The footer, as things stand."""
        groups: list[list[Spot]] = []
        right: list[Spot] = []
        for name, title in self.KEYS.items():
            if not self.does(name):
                continue
            key = find_keys(find_action(name), self.main.keymap)[0]
            spots: list[Spot] = [(format_key(key), "accent", name), (f" {_(title)}  ", "dim", name)]
            # The way out is never what there is no room for.
            if name.startswith("app."):
                right += spots
            else:
                groups.append(spots)
        for bar in self.query("#keys").results(Bar):
            bar.set([(" ", "", "")], right, groups=groups)

    def on_action_clicked(self, event: ActionClicked) -> None:
        """Somebody clicked a name in the footer."""
        event.stop()
        self.action_do(event.action)

    def action_do(self, id: str) -> None:
        """A key, unless it is one of the burst that opened or closed the window: its parts are not there then."""
        if self.is_mounted and self.stands:
            self.act(id)

    def act(self, id: str) -> None:
        """A motion, or what this window makes of opening, finding and closing."""
        room, _dot, verb = id.partition(".")
        focused = self.focused
        if room == "list" and isinstance(focused, (Rows, Detail)):
            focused.move(cast("Where", verb))
        elif id in {"app.back", "app.quit"}:
            self.close()
        elif id == "item.open":
            self.open_item()
        elif id.startswith("find."):
            self.find(1 if verb == "next" else -1)
        elif id.startswith("detail."):
            for detail in self.query(Detail):
                detail.move("half_down" if verb == "down" else "half_up")
        elif id == "app.suspend":
            self.main.do(id)
        elif id == "focus.next":
            self.focus_next()
        elif id == "focus.previous":
            self.focus_previous()

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Leave with an answer, once: the second enter of a burst comes when there is nothing left to leave."""
        return leave_once(self, super().dismiss, result)

    def close(self) -> None:
        """Leave without choosing."""
        self.dismiss(None)

    def open_item(self) -> None:
        """Enter."""

    def find(self, by: int) -> None:
        """n and N."""

    def on_rows_opened(self, event: Rows.Opened) -> None:
        """Clicked twice: as enter."""
        event.stop()
        self.open_item()


class Question(Sheet[bool]):
    """A yes or no, for what cannot be taken back at once."""

    def __init__(
        self, title: str, text: str, yes: str, look: Callable[[], Look], more: Callable[[], None] | None = None
    ) -> None:
        """`more` shows all that the answer would do, before it is given."""
        super().__init__()
        self._title, self._text, self._yes, self._look = title, text, yes, look
        self._more = more

    def compose(self) -> ComposeResult:
        """The question in a frame, the keys below it."""
        detail = Detail(self._look, id="question")
        detail.border_title = Content(self._title)
        with Vertical(classes="sheet question"):
            yield detail

    def on_mount(self) -> None:
        """Say it."""
        answers = _("y or ↵ {yes} · n or esc cancel").format(yes=self._yes)
        if self._more is not None:
            answers += " · " + _("= shows all that is written")

        def told(cells: int) -> list[list[Piece]]:
            return [*draw_prose(self._text, cells), [], [(answers, "accent")]]

        cells = max(20, min(self.app.size.width * 96 // 100, 112) - 4)
        self.query_one(Vertical).styles.height = min(len(told(cells)) + 2, max(6, self.app.size.height - 4))
        self.query_one(Detail).show(told, title=self._title)

    def open_item(self) -> None:
        self.dismiss(True)

    def close(self) -> None:
        self.dismiss(False)

    def on_key(self, event: Any) -> None:
        """y and n; = where there is more to see."""
        if event.key in {"y", "Y"}:
            event.stop()
            self.dismiss(True)
        elif event.key in {"n", "N"}:
            event.stop()
            self.dismiss(False)
        elif event.key == "equals_sign" and self._more is not None:
            event.stop()
            self._more()


class LookSheet(Sheet[None]):
    """Shows what `lines` makes for a width."""

    def __init__(self, title: str, lines: Callable[[int], Sequence[list[Piece]]]) -> None:
        super().__init__()
        self._title, self._made = title, lines

    def compose(self) -> ComposeResult:
        """One text in a frame."""
        detail = Detail(self.main.context.look, id="look")
        detail.add_class("sheet")
        yield detail

    def on_mount(self) -> None:
        detail = self.query_one("#look", Detail)
        cells = max(20, min(self.app.size.width * 96 // 100, 112) - 4)
        detail.styles.height = min(len(self._made(cells)) + 2, max(5, self.app.size.height - 4))
        detail.show(lambda width: list(self._made(width)), title=self._title)
        detail.border_title = Content(self._title)


TALL = 8
"""Lines of what it is about that are shown."""


class Prompt(Sheet[str]):
    """Answers with what was typed, which may be nothing; with None where somebody would rather not.

    `check` says at once what is wrong with what is typed, in a sentence; then enter does nothing."""

    AUTO_FOCUS = "#typed"
    KEYS: ClassVar[dict[str, str]] = {"item.open": "save", "app.back": "cancel"}

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        told: str = "",
        hint: str = "",
        placeholder: str = "",
        check: Callable[[str], str] = lambda _text: "",
    ) -> None:
        """`told` is text that what is typed has to do with: the old fact, the candidate."""
        super().__init__()
        self._title, self._text, self._told, self._hint = title, text, told, hint
        self._placeholder, self._check = placeholder, check

    def compose(self) -> ComposeResult:
        """What it is about, the line, and what it does."""
        with Vertical(classes="sheet prompt"):
            yield Detail(self.main.context.look, id="about")
            # What stands there is to be changed: the first letter must not take its place.
            yield Box(self._text, placeholder=self._placeholder, id="typed", select_on_focus=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(Vertical).border_title = Content(clip_to_line(self._title))
        self._tell("")
        box = self.query_one(Box)
        box.focus()
        box.cursor_position = len(self._text)

    @property
    def typed(self) -> str:
        """What somebody has changed the text to."""
        box = self.query_one(Box)
        return box.value if box.value != self._text else ""

    def _tell(self, wrong: str) -> None:
        about = self.query_one("#about", Detail)
        hint = wrong or self._hint

        def compose(cells: int) -> list[list[Piece]]:
            lines = draw_prose(self._told, cells)[:TALL] if self._told else []
            return [*lines, *(wrap_pieces([(hint, "warn" if wrong else "dim")], cells) if hint else [])]

        cells = max(20, min(self.app.size.width * 96 // 100, 112) - 4)
        lines = compose(cells)
        about.styles.height = len(lines)
        about.display = bool(lines)
        about.show(compose)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say at once what is wrong with what was typed; of what was offered enter tells."""
        event.stop()
        self._tell(self._check(event.value.strip()) if event.value != self._text else "")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter; what was typed behind it, before the window was gone, is not in it."""
        event.stop()
        self._answer(event.value.strip())

    def open_item(self) -> None:
        """Answer, unless something is wrong with it."""
        self._answer(self.query_one(Box).value.strip())

    def _answer(self, text: str) -> None:
        if wrong := self._check(text):
            self._tell(wrong)
        else:
            self.dismiss(text)


def refuse_empty(text: str) -> str:
    """Where nothing is not an answer."""
    return "" if text else _("Type something, or press esc to cancel.")


class RejectPrompt(Prompt):
    """Asks why something is rejected."""

    KEYS: ClassVar[dict[str, str]] = {"item.open": "reject", "app.back": "cancel"}
