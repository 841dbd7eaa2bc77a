"""What a session would be given now: each thing with its reason and cost, what was left out, and the switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.containers import Container
from textual.content import Content

from memtui.core.config import load
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.evolution.effects import load_values
from memtui.sessions import rules
from memtui.sessions.identify import find_current_session
from memtui.sessions.packing import ContextItem
from memtui.sessions.start import load_session_start
from memtui.tui import draw
from memtui.tui.actions import ACTIONS, make_bindings
from memtui.tui.choices import Choice, show_keys
from memtui.tui.detail import Detail
from memtui.tui.prose import draw_prose, wrap_pieces
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from memtui.language.conversation import Session
    from memtui.sessions.packing import SessionContext
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece

SOURCES = {
    "startup": "a new session",
    "resume": "a session that is resumed",
    "compact": "a session after its compaction",
}


_MORE = {"select.toggle", "copy.text", "app.help"}


class ContextRequest(NamedTuple):
    """What the window shows."""

    session: Session
    found: SessionContext
    on: rules.Levels
    """How the switches stand for the session that goes on here."""


def load_session_context(context: PaneContext, source: str) -> ContextRequest:
    """What such a session would be given now. Reads files: on a reader's thread only."""
    session = find_current_session(context.config)._replace(source=source)
    on = rules.read_switches(session, context.config)
    if source == "startup":
        # A new one has no summary yet, whatever goes on here now.
        session = session._replace(id="", transcript="")
    return ContextRequest(session, load_session_start(context.vault, session, context.config, values=load_values), on)


class GivenSheet(Sheet[None]):
    """Things on the left, exactly what an agent gets on the right. Space switches."""

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [*make_bindings(action for action in ACTIONS if action.id in _MORE)]
    KEYS: ClassVar[dict[str, str]] = {
        "item.open": "open",
        "select.toggle": "switch",
        "copy.text": "copy all",
        "app.help": "keys",
        "app.back": "close",
    }

    def __init__(self, found: ContextRequest) -> None:
        super().__init__()
        self._asked = found

    def compose(self) -> ComposeResult:
        """List and detail."""
        with Container(classes="sheet wide transcript"):
            rows = Rows(lambda _item, _brush: [], self.main.context.look, id="turns")
            rows.border_title = Content(_("Session context"))
            yield rows
            yield Detail(self.main.context.look, id="turn")

    @property
    def rows(self) -> Rows:
        """The list."""
        return self.query_one("#turns", Rows)

    def on_mount(self) -> None:
        self._show()
        self.rows.focus()

    def _show(self) -> None:
        session, found, _on = self._asked
        rows = self.rows
        rows.border_title = Content(
            draw.clip_to_line(
                _("Session context preview: {what} · {project}").format(
                    what=_(SOURCES[session.source]), project=session.name
                )
            )
        )
        size = _("{characters:,} characters, about {tokens:,} tokens").format(
            characters=found.characters, tokens=found.tokens
        )
        most = self.main.context.config.context
        rows.border_subtitle = Content(
            f"{size} · {_('at most {c:,} and {t:,}').format(c=most.characters, t=most.tokens)}"
        )
        rows.empty = ((found.off or _("Nothing: there is nothing here that it should know."), "dim"),)
        shown: list[Fixed] = []
        if found.text:
            shown.append(Fixed("all", ((f" ▸ {_('Everything, exact text')}", "bold"),), value=found))
        shown += [_make_row(("given", n), item) for n, item in enumerate(found.items)]
        if found.left:
            shown.append(Fixed("left", ((f" {_('Left out')}", "head"),), rest=False))
            shown += [_make_row(("left", n), item) for n, item in enumerate(found.left)]
        rows.show(shown)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What it is, and why."""
        event.stop()
        detail, item = self.query_one("#turn", Detail), event.item
        value = item.value if isinstance(item, Fixed) else None
        if value is None:
            detail.clear()
        elif isinstance(value, ContextItem):
            detail.show(lambda cells: _draw_item(value, cells), key=item.key, title=value.path or "memtui")
        else:
            detail.show(lambda cells: draw_prose(value.text, cells), key=item.key, title=_("exact text"))

    def open_item(self) -> None:
        """Enter: the file that it stands in, at its line; of what stands in none, the keys go to its text.

        Where the list has no text beside it, enter shows that first.
        """
        item = self.rows.current
        value = item.value if isinstance(item, Fixed) else None
        hidden = self.has_class("-tiny") and not self.has_class("-open")
        if not hidden and isinstance(value, ContextItem) and value.path:
            self.main.windows.open_file(value.home, value.path, value.line or 1)
        else:
            self.add_class("-open")
            self.call_after_refresh(self.query_one("#turn", Detail).focus)

    def act(self, id: str) -> None:
        """Back goes from the text to the list first."""
        detail = self.query_one("#turn", Detail)
        if id == "app.back" and detail.has_focus:
            self.remove_class("-open")
            self.call_after_refresh(self.rows.focus)
        elif id == "copy.text":
            self.main.desk.copy(self._asked.found.text, _("the session context"))
        elif id == "select.toggle":
            self._choose()
        elif id == "app.help":
            show_keys(self.main, self)
        else:
            super().act(id)

    # -- switching ----------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        session, _found, on = self._asked
        rows = [Fixed("shown", ((" " + _("Preview for"), "head"),), rest=False)]
        for name, title in SOURCES.items():
            shown = " ▸ " if name == session.source else "   "
            rows.append(Fixed(name, ((shown, "accent"), (_(title), "")), value=name))
        rows += [
            Fixed("gap", (), rest=False),
            Fixed("switches", ((" " + _("Session context on or off"), "head"),), rest=False),
        ]
        for name, title in (
            ("session", _("the session that goes on here")),
            ("project", session.name or _("this project")),
            ("everywhere", _("every session")),
        ):
            stands: bool = getattr(on, name)
            sign = ("● " + _("on"), "ok") if stands else ("○ " + _("off"), "warn")
            left = (("   ", ""), (draw.pad(sign[0], 8), sign[1]), (draw.clip_to_line(title), ""))
            rows.append(Fixed(name + "?", left, value=(name, not stands)))
        hint = _("enter shows it, or switches it")
        at = next(n for n, row in enumerate(rows) if row.key == session.source)
        choice = Choice(_("Session context: switches"), rows, self.main.context.look, hint=hint, at=at)
        self.app.push_screen(choice, self._apply_choice)

    def _apply_choice(self, choice: str | tuple[str, bool] | None) -> None:
        if choice is None:
            return
        source = choice if isinstance(choice, str) else self._asked.session.source
        context = self.main.context

        def job(_cancelled: Callable[[], bool]) -> ContextRequest | str:
            try:
                if isinstance(choice, tuple):
                    _switch(context, *choice)
                return load_session_context(context, source)
            except (MemtuiError, OSError) as error:
                return str(error)

        def show(found: ContextRequest | str) -> None:
            if isinstance(found, str):
                self.main.say(found)
            elif self.stands:
                self._asked = found
                self._show()

        self.main.reader.ask("given", job, show)


def _switch(context: PaneContext, what: str, on: bool) -> None:
    """Switch it, and have the app know: its config was read when it started."""
    session = find_current_session(context.config)
    if what == "session":
        rules.switch_session(session, on)
    elif what == "project":
        rules.switch_project(session, on, context.config)
    else:
        rules.switch_everywhere(on)
    context.config = context.config._replace(context=load()[0].context)


NAMED = 20
"""Cells of a file's path."""


def _make_row(key: object, item: ContextItem) -> Fixed:
    """core   MEMORY.md   reason …   1,204"""
    layer = _(item.layer.value) if item.layer else ""
    # Files differ in their names: those are seen, and what there is no room for of the reason stands over the text.
    return Fixed(
        key,
        ((" ", ""), (draw.pad(layer, 10) + " ", "dim"), (draw.clip_to_line(item.reason), "")),
        ((f"  {draw.clip_start(draw.clip_to_line(item.path), NAMED)} ", "faint"), (f"{item.tokens:>5,} ", "dim")),
        item,
    )


def _draw_item(item: ContextItem, cells: int) -> list[list[Piece]]:
    lines = wrap_pieces([("▸ ", "accent"), (draw.clip_to_line(item.reason), "dim")], cells, hang=2)
    cost = _n("{count} character", "{count} characters", item.characters)
    told = _("about {tokens:,} tokens").format(tokens=item.tokens)
    lines += wrap_pieces([(f"{cost}, {told} · {item.trust}", "faint")], cells)
    return [*lines, [], *draw_prose(item.text, cells)]
