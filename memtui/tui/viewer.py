"""A whole file, read-only, at its line; with find. Long files are shown in parts, and it says which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from memtui.locale import _, _n
from memtui.safety.safe_text import clip, safe_text
from memtui.tui.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

PART = 4000
"""Lines at a time: the text window needs time for every line it is given."""

WIDE = 4000
"""Cells of a line that are shown."""


class Viewer(Page):
    """`j k g G`, pages, `/` find, `n N`; `[ ]` the part before and after."""

    def __init__(self, home: str, path: str, text: str, line: int = 1) -> None:
        """`line` is 1-based."""
        super().__init__(home, path)
        self._text, self._lines = text, _lines(text)
        self._line = max(1, min(line, len(self._lines)))
        self._first = 0

    def content(self) -> Iterable[Widget]:
        """The text."""
        area = TextArea(
            "", read_only=True, show_line_numbers=True, soft_wrap=True, id="text", classes="sheet wide"
        )
        area.cursor_blink = False
        yield area

    @property
    def area(self) -> TextArea:
        """The text window."""
        return self.query_one("#text", TextArea)

    def first(self) -> Widget:
        """The text."""
        return self.area

    def on_mount(self) -> None:
        """At its line."""
        self.area.border_title = Content(safe_text(self.path, keep_newlines=False))
        self._show_part((self._line - 1) // PART * PART if len(self._lines) > PART else 0, self._line - 1)

    @property
    def _cursor(self) -> int:
        """The line that the cursor is on, counted from 0."""
        return self.area.cursor_location[0] + self._first

    def here(self) -> tuple[int, str]:
        """The line under the cursor."""
        return self._cursor + 1, self._lines[self._cursor]

    # -- following ----------------------------------------------------------------------------------------------

    def read(self) -> str:
        """The file."""
        return self.main.context.vault.text(self.home, self.path)

    def follow(self, found: str | None) -> None:
        """The file as it is now, at the line that was read; whoever was at its end stays there."""
        if not found:
            self.area.border_subtitle = Content(_("gone from the disk, or empty: this is what it was"))
            return
        if found == self._text:
            self._tell()
            return
        before, lines, at = self._lines, _lines(found), self._cursor
        if at and at == len(before) - 1:
            place = len(lines) - 1
        elif lines[: at + 1] != before[: at + 1] and lines[at - len(before) :] == before[at:]:
            place = at + len(lines) - len(before)
        else:
            place = min(at, len(lines) - 1)
        top = self.area.scroll_offset.y
        self._text, self._lines = found, lines
        self._show_part(place // PART * PART, place)
        self.area.scroll_to(y=max(0, top + place - at), animate=False)
        self.area.scroll_cursor_visible()

    def _show_part(self, first: int, line: int) -> None:
        """Lines from `first`, the cursor at `line` (both 0-based)."""
        self._first = max(0, min(first, len(self._lines) - 1))
        part = self._lines[self._first : self._first + PART]
        self.area.line_number_start = self._first + 1
        self.area.load_text("\n".join(clip(text, WIDE) for text in part))
        self._go(line)
        self._tell()

    def _tell(self) -> None:
        last = min(self._first + PART, len(self._lines))
        if last - self._first < len(self._lines):
            told = _("lines {first:,}–{last:,} of {all:,} · [ ] others").format(
                first=self._first + 1, last=last, all=len(self._lines)
            )
        else:
            told = _n("{count} line", "{count} lines", len(self._lines))
        self.area.border_subtitle = Content(told)

    def _go(self, line: int, column: int = 0, length: int = 0) -> None:
        area = self.area
        place = max(0, line - self._first)
        area.selection = Selection((place, column), (place, column + length))
        area.scroll_cursor_visible(center=True, animate=False)

    def act(self, id: str) -> None:
        """Motions on the text."""
        height = max(1, self.area.size.height - 1)
        steps = {
            "list.down": 1,
            "list.up": -1,
            "list.half_down": height // 2,
            "list.half_up": -(height // 2),
            "list.page_down": height,
            "list.page_up": -height,
            "detail.down": height // 2,
            "detail.up": -(height // 2),
            "list.top": -len(self._lines),
            "list.bottom": len(self._lines),
        }
        if id in steps:
            self._move(self._cursor + steps[id])
        elif id in {"view.prev", "view.next"}:
            self._turn(1 if id == "view.next" else -1)
        else:
            super().act(id)

    def _move(self, line: int) -> None:
        line = max(0, min(line, len(self._lines) - 1))
        if not self._first <= line < self._first + PART:
            self._show_part(line // PART * PART, line)
        else:
            self.area.move_cursor((line - self._first, 0))

    def _turn(self, by: int) -> None:
        first = self._first + by * PART
        if 0 <= first < len(self._lines):
            self._show_part(first, first)

    def seek(self) -> None:
        """The first match from here on."""
        self.find(1, here=True)

    def find(self, by: int, *, here: bool = False) -> None:
        """The next or previous line that holds what is sought, around the ends."""
        if not self.sought:
            return
        start, count = self._cursor, len(self._lines)
        for step in range(0 if here else 1, count + 1):
            line = (start + by * step) % count
            column = clip(self._lines[line], WIDE).lower().find(self.sought)
            if column >= 0:
                self._move(line)
                self._go(line, column, len(self.sought))
                return
        self.area.border_subtitle = Content(
            _("'{text}' is not in this file").format(text=safe_text(self.sought[:40]))
        )

    def on_key(self, event: Any) -> None:
        """Text areas take the arrow keys themselves; enter must not reach the screen below."""
        if event.key == "enter" and self.area.has_focus:
            event.stop()


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines
