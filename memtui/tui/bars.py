"""The one-line bars: header, tabs, status line, footer. Each is pieces on a line; a piece may be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui import draw
from memtui.tui.messages import Chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events

    from memtui.tui.draw import Piece
    from memtui.tui.look import Look

Spot = tuple[str, str, str]
"""Text, style, and the action that a click means (empty: none)."""


class Bar(Widget):
    """One line. What does not fit is left out from the right end of the left side, never from the right side."""

    ALLOW_SELECT = False

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(id=id)
        self._look = look
        self._left: tuple[Spot, ...] = ()
        self._right: tuple[Spot, ...] = ()
        self._spots: list[tuple[int, int, str]] = []
        self._whole = True

    def set(self, left: Sequence[Spot], right: Sequence[Spot] = (), *, whole: bool = True) -> None:
        """What the line says. Not `whole`: pieces that do not fit entirely are left out rather than cut."""
        if (tuple(left), tuple(right)) != (self._left, self._right):
            self._left, self._right, self._whole = tuple(left), tuple(right), whole
            self.refresh()

    @property
    def text(self) -> str:
        """What it says, for tests and the window title."""
        return "".join(text for text, _style, _action in (*self._left, *self._right))

    def render_line(self, y: int) -> Strip:
        """The line."""
        cells, look, base = self.size.width, self._look(), self.rich_style
        if y:
            return Strip.blank(cells, base)
        right = self._fitting(self._right, cells)
        room = cells - draw.width((text, style) for text, style, _action in right)
        left: list[Spot] = []
        used = 0
        for text, style, action in self._left:
            length = cell_len(text)
            if used + length > room:
                if self._whole and room - used > 3:
                    left.append((draw.cut(text, room - used), style, action))
                    used = used + cell_len(left[-1][0])
                elif not self._whole and left and action and left[-1][2] == action:
                    used -= cell_len(left.pop()[0])
                break
            left.append((text, style, action))
            used += length
        gap: Spot = (" " * (room - used), "", "")
        pieces: list[Piece] = []
        self._spots.clear()
        x = 0
        for text, style, action in (*left, gap, *right):
            length = cell_len(text)
            if action:
                self._spots.append((x, x + length, action))
            x += length
            pieces.append((text, style))
        return draw.strip(pieces, cells, look, base)

    @staticmethod
    def _fitting(spots: Sequence[Spot], cells: int) -> list[Spot]:
        """The last pieces that fit in a good half of the line."""
        out: list[Spot] = []
        used = 0
        for spot in reversed(spots):
            used += cell_len(spot[0])
            if used > max(cells * 2 // 3, cells - 24):
                break
            out.insert(0, spot)
        return out

    def on_click(self, event: events.Click) -> None:
        """A click on a name that stands for an action is that action."""
        for start, end, action in self._spots:
            if start <= event.x < end:
                event.stop()
                self.post_message(Chosen(action))
                return
