"""A session, turn by turn: what was said and what was called, with find, and the whole turn beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Container
from textual.content import Content

from memtui import clock
from memtui.locale import _, _n
from memtui.tui import draw, paint
from memtui.tui.detail import Detail
from memtui.tui.page import Page
from memtui.tui.prose import prose
from memtui.tui.rows import Rows
from memtui.turns import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.widget import Widget

    from memtui.model import Memory
    from memtui.tui.draw import Piece
    from memtui.tui.look import Look
    from memtui.turns import Transcript


class TranscriptSheet(Page):
    """Turns on the left, the turn under the cursor on the right, or below where there is no room."""

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it
    KEYS: ClassVar[dict[str, str]] = {"item.open": "read", **Page.KEYS, "copy.text": "copy turn"}

    def __init__(
        self, memory: Memory, transcript: Transcript, look: Callable[[], Look], words: tuple[str, ...] = ()
    ) -> None:
        super().__init__(memory.home, memory.path)
        self._memory, self._transcript, self._look = memory, transcript, look
        self._words = words

    def content(self) -> Iterable[Widget]:
        """List and detail."""
        with Container(classes="sheet wide transcript"):
            yield Rows(paint.turn, self._look, id="turns")
            yield Detail(self._look, id="turn")

    @property
    def rows(self) -> Rows:
        """The list."""
        return self.query_one("#turns", Rows)

    @property
    def detail(self) -> Detail:
        """The turn under the cursor."""
        return self.query_one("#turn", Detail)

    def first(self) -> Widget:
        """The list."""
        return self.rows

    def here(self) -> tuple[int, str]:
        """The turn under the cursor."""
        item = self.rows.current
        return (item.line, item.text) if isinstance(item, Turn) else (1, "")

    def on_mount(self) -> None:
        """All turns, and what could not be understood."""
        self.rows.words = self._words
        self.rows.border_title = Content(draw.one_line(self._memory.title or self.path))
        self.rows.empty = ((_("Nobody said anything in this session."), "dim"),)
        self.rows.show(self._transcript.turns)
        self.rows.focus()
        self._tell()

    def _tell(self) -> None:
        found = self._transcript
        # A message of several parts is several of these, so they are no turns, and no lines either.
        told = [_n("{count} step", "{count} steps", len(found.turns))]
        if found.skipped:
            told.append(_n("{count} broken line", "{count} broken lines", found.skipped))
        if found.truncated:
            told.append(_("cut: the file is longer than what was read"))
        self.rows.border_subtitle = Content(" · ".join(told))

    # -- following ----------------------------------------------------------------------------------------------

    def read(self) -> tuple[Memory | None, Transcript | None] | None:
        """The session as it is now; without its turns where its file is what it was."""
        vault, before = self.main.context.vault, self._memory
        now = vault.at(before.home, before.path, before.start)
        if now is not None and (now.etag, now.modified) == (before.etag, before.modified):
            return now, None
        found = vault.turns(before)
        return None if found is None else (now, found)

    def follow(self, found: tuple[Memory | None, Transcript | None] | None) -> None:
        """The turns as they are now; whoever was at the last one stays at the last one."""
        if found is None:
            self.rows.border_subtitle = Content(_("gone from the disk: this is what it was"))
            return
        memory, transcript = found
        self._memory = memory or self._memory
        if transcript is not None:
            at = self.rows.cursor
            last = bool(at) and at == len(self._transcript.turns) - 1
            self._transcript = transcript
            self.rows.show(transcript.turns, at=len(transcript.turns) - 1 if last else at)
        self._tell()

    # -- what a person does -------------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The whole turn beside the list."""
        event.stop()
        item = event.item
        if not isinstance(item, Turn):
            return
        time = clock.local(item.time).strftime("%Y-%m-%d %H:%M:%S") if item.time is not None else ""
        failed = _("failed") if item.failed else ""
        line = _("line {n:,}").format(n=item.line)
        title = " · ".join(part for part in (paint.speaker(item), time, failed, line) if part)

        def lines(cells: int) -> list[list[Piece]]:
            return prose(item.text, cells, self._words)

        self.detail.words = self._words
        self.detail.show(lines, key=(item.line, item.role, item.text[:80]), title=title)

    def open_item(self) -> None:
        """Enter reads the turn: the keys go to its text."""
        self.add_class("-open")
        self.call_after_refresh(self.detail.focus)

    def action_do(self, id: str) -> None:
        """Back goes from a turn to the list first."""
        if id == "app.back" and self.detail.has_focus:
            self.remove_class("-open")
            self.call_after_refresh(self.rows.focus)
        else:
            super().action_do(id)

    def seek(self) -> None:
        """The first turn from here on that holds what is sought."""
        self._words = (self.sought,) if self.sought else ()
        self.rows.words = self._words
        self.rows.forget_strips()
        self.find(1, here=True)

    def find(self, by: int, *, here: bool = False) -> None:
        """The next or previous turn that holds what is sought, around the ends."""
        turns, rows = self._transcript.turns, self.rows
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
