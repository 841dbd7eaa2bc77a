"""A session, turn by turn: what was said and what was called, with find, and the whole turn beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Container
from textual.content import Content
from textual.widgets import Input

from memtui import clock
from memtui.actions import ACTIONS
from memtui.locale import _
from memtui.model import Turn
from memtui.tui import draw, paint
from memtui.tui.detail import Detail
from memtui.tui.keymap import bindings
from memtui.tui.prose import prose
from memtui.tui.rows import Rows
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from memtui.model import Transcript
    from memtui.tui.draw import Piece
    from memtui.tui.look import Look

_MORE = {"search.open", "filter.open"}


class TranscriptSheet(Sheet[None]):
    """Turns on the left, the turn under the cursor on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(action for action in ACTIONS if action.id in _MORE)]

    def __init__(
        self, title: str, transcript: Transcript, look: Callable[[], Look], words: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self._heading, self._transcript, self._look, self._words = title, transcript, look, words

    def compose(self) -> ComposeResult:
        """List, detail, and a box for what is sought."""
        with Container(classes="sheet wide transcript"):
            yield Rows(paint.turn, self._look, id="turns")
            yield Detail(self._look, id="turn")
        box = Input(placeholder=_("find in this session"), id="find", compact=True)
        box.display = False
        yield box

    def on_mount(self) -> None:
        """All turns, and what could not be understood."""
        rows = self.query_one("#turns", Rows)
        rows.words = self._words
        rows.border_title = Content(draw.one_line(self._heading))
        found = self._transcript
        told = [_("{count:,} turns").format(count=len(found.turns))]
        if found.skipped:
            told.append(_("{count:,} broken lines").format(count=found.skipped))
        if found.truncated:
            told.append(_("cut: the file is longer than what was read"))
        rows.border_subtitle = Content(" · ".join([*told, _("/ find · esc close")]))
        rows.empty = ((_("Nobody said anything in this session."), "dim"),)
        rows.show(found.turns)
        rows.focus()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The whole turn beside the list."""
        event.stop()
        item = event.item
        if not isinstance(item, Turn):
            return
        who = item.tool or item.role
        time = clock.local(item.time).strftime("%Y-%m-%d %H:%M:%S") if item.time is not None else ""
        failed = _("failed") if item.failed else ""
        title = " · ".join(part for part in (who, time, failed, _("line {n:,}").format(n=item.line)) if part)

        def lines(cells: int) -> list[list[Piece]]:
            return prose(item.text, cells, self._words)

        detail = self.query_one("#turn", Detail)
        detail.words = self._words
        detail.show(lines, key=item.line, title=title)

    def action_do(self, id: str) -> None:
        """The find box, besides the motions."""
        box = self.query_one("#find", Input)
        if id in {"search.open", "filter.open"}:
            box.display = True
            box.focus()
        elif id == "app.back" and box.display:
            self._close_box()
        else:
            super().action_do(id)

    def _close_box(self) -> None:
        self.query_one("#find", Input).display = False
        self.query_one("#turns", Rows).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the box: the first turn from here on that holds it."""
        event.stop()
        self._words = (event.value.lower(),) if event.value else ()
        self._close_box()
        rows = self.query_one("#turns", Rows)
        rows.words = self._words
        rows.forget_strips()
        self.find(1, here=True)

    def find(self, by: int, *, here: bool = False) -> None:
        """The next or previous turn that holds what is sought, around the ends."""
        turns, rows = self._transcript.turns, self.query_one("#turns", Rows)
        if not self._words or not turns:
            return
        for step in range(0 if here else 1, len(turns) + 1):
            at = (rows.cursor + by * step) % len(turns)
            if self._words[0] in turns[at].text.lower():
                rows.go(at)
                self.on_rows_moved(Rows.Moved(rows, turns[at]))
                return
        rows.border_subtitle = Content(
            draw.one_line(_("'{text}' is not in this session").format(text=self._words[0]))
        )

    def open_item(self) -> None:
        """Enter reads the turn: the keys go to its text."""
        self.query_one("#turn", Detail).focus()
