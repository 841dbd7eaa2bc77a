"""A whole file, read-only, at its line; with find. Long files are shown in parts, and it says which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content
from textual.widgets import Input, TextArea
from textual.widgets.text_area import Selection

from memtui.actions import ACTIONS
from memtui.locale import _
from memtui.safety.safe_text import clip, safe_text
from memtui.tui.keymap import bindings
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

PART = 4000
"""Lines at a time: the text window needs time for every line it is given."""

WIDE = 4000
"""Cells of a line that are shown."""

_MORE = {"search.open", "filter.open", "view.prev", "view.next"}


class Viewer(Sheet[None]):
    """`j k g G`, pages, `/` find, `n N`; `[ ]` the part before and after."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(action for action in ACTIONS if action.id in _MORE)]

    def __init__(self, title: str, text: str, line: int = 1) -> None:
        """`line` is 1-based."""
        super().__init__()
        lines = text.split("\n")
        if len(lines) > 1 and not lines[-1]:
            lines.pop()
        self._heading, self._lines = title, lines
        self._line = max(1, min(line, len(lines)))
        self._first = 0
        self._sought = ""

    def compose(self) -> ComposeResult:
        """The text, and a box for what is sought."""
        area = TextArea(
            "", read_only=True, show_line_numbers=True, soft_wrap=True, id="text", classes="sheet wide"
        )
        area.cursor_blink = False
        yield area
        box = Input(placeholder=_("find in this file"), id="find", compact=True)
        box.display = False
        yield box

    def on_mount(self) -> None:
        """At its line."""
        self._show_part((self._line - 1) // PART * PART if len(self._lines) > PART else 0, self._line - 1)

    def _show_part(self, first: int, line: int) -> None:
        """Lines from `first`, the cursor at `line` (both 0-based)."""
        self._first = max(0, min(first, len(self._lines) - 1))
        part = self._lines[self._first : self._first + PART]
        area = self.query_one("#text", TextArea)
        area.line_number_start = self._first + 1
        area.load_text("\n".join(clip(text, WIDE) for text in part))
        self._go(line)
        area.border_title = Content(safe_text(self._heading, keep_newlines=False))
        last = self._first + len(part)
        if last - self._first < len(self._lines):
            told = _("lines {first:,}–{last:,} of {all:,} · [ ] others").format(
                first=self._first + 1, last=last, all=len(self._lines)
            )
        else:
            told = _("{all:,} lines").format(all=len(self._lines))
        area.border_subtitle = Content(f"{told} · {_('/ find · esc close')}")

    def _go(self, line: int, column: int = 0, length: int = 0) -> None:
        area = self.query_one("#text", TextArea)
        place = max(0, line - self._first)
        area.selection = Selection((place, column), (place, column + length))
        area.scroll_cursor_visible(center=True, animate=False)

    def action_do(self, id: str) -> None:
        """Motions on the text; the find box."""
        area = self.query_one("#text", TextArea)
        height = max(1, area.size.height - 1)
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
            here = area.cursor_location[0] + self._first
            self._move(here + steps[id])
        elif id in {"search.open", "filter.open"}:
            box = self.query_one("#find", Input)
            box.display = True
            box.focus()
        elif id in {"view.prev", "view.next"}:
            self._turn(1 if id == "view.next" else -1)
        elif id == "app.back" and self.query_one("#find", Input).display:
            self._close_box()
        else:
            super().action_do(id)

    def _move(self, line: int) -> None:
        line = max(0, min(line, len(self._lines) - 1))
        if not self._first <= line < self._first + PART:
            self._show_part(line // PART * PART, line)
        else:
            area = self.query_one("#text", TextArea)
            area.move_cursor((line - self._first, 0))

    def _turn(self, by: int) -> None:
        first = self._first + by * PART
        if 0 <= first < len(self._lines):
            self._show_part(first, first)

    def _close_box(self) -> None:
        self.query_one("#find", Input).display = False
        self.query_one("#text", TextArea).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the box: the first match from here on."""
        event.stop()
        self._sought = event.value.lower()
        self._close_box()
        self.find(1, here=True)

    def find(self, by: int, *, here: bool = False) -> None:
        """The next or previous line that holds what is sought, around the ends."""
        if not self._sought:
            return
        area = self.query_one("#text", TextArea)
        start = area.cursor_location[0] + self._first
        count = len(self._lines)
        for step in range(0 if here else 1, count + 1):
            line = (start + by * step) % count
            column = clip(self._lines[line], WIDE).lower().find(self._sought)
            if column >= 0:
                self._move(line)
                self._go(line, column, len(self._sought))
                return
        area.border_subtitle = Content(
            _("'{text}' is not in this file").format(text=safe_text(self._sought[:40]))
        )

    def open_item(self) -> None:
        """Nothing opens in a file."""

    def on_key(self, event: Any) -> None:
        """Text areas take the arrow keys themselves; enter must not reach the screen below."""
        if event.key == "enter" and not self.query_one("#find", Input).has_focus:
            event.stop()
