"""The one-line bars: header, tabs, status line, footer. Each is pieces on a line; a piece may be clicked."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui import draw
from memtui.tui.messages import Chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual import events

    from memtui.tui.draw import Piece
    from memtui.tui.look import Look

Spot = tuple[str, str, str]
"""Text, style, and the action that a click means (empty: none)."""


def _width(spots: Iterable[Spot]) -> int:
    return sum(cell_len(text) for text, _style, _action in spots)


class Bar(Widget):
    """One line. What does not fit is left out from the right end of the left side, never from the right side."""

    ALLOW_SELECT = False

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(id=id)
        self._look = look
        self._said: tuple[object, ...] = ()
        self._left: Sequence[Spot] = ()
        self._right: Sequence[Spot] = ()
        self._groups: Sequence[Sequence[Spot]] = ()
        self._more: Callable[[int], Spot] | None = None
        self._spots: list[tuple[int, int, str]] = []

    def set(
        self,
        left: Sequence[Spot],
        right: Sequence[Spot] = (),
        *,
        groups: Sequence[Sequence[Spot]] = (),
        more: Callable[[int], Spot] | None = None,
    ) -> None:
        """What the line says. After `left` come `groups`, each of them whole or not at all; `more` says how many
        there is no room for.
        """
        said = (tuple(left), tuple(right), tuple(map(tuple, groups)), more is None)
        if said != self._said:
            self._said = said
            self._left, self._right, self._groups, self._more = left, right, groups, more
            self.refresh()

    @property
    def text(self) -> str:
        """What it would say if there were room, for tests and the window title."""
        spots = [*self._left, *(spot for group in self._groups for spot in group), *self._right]
        return "".join(text for text, _style, _action in spots)

    def render_line(self, y: int) -> Strip:
        """The line."""
        cells, look, base = self.size.width, self._look(), self.rich_style
        if y:
            return Strip.blank(cells, base)
        right = self._fitting(self._right, cells)
        room = cells - _width(right)
        left: list[Spot] = []
        used = 0
        for text, style, action in self._left:
            length = cell_len(text)
            if used + length > room:
                if room - used > 3:
                    left.append((draw.cut(text, room - used), style, action))
                    used = used + cell_len(left[-1][0])
                break
            left.append((text, style, action))
            used += length
        else:
            grouped = self._grouped(room - used)
            left += grouped
            used += _width(grouped)
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

    def _grouped(self, room: int) -> list[Spot]:
        """As many groups as there is room for, and how many are left out."""
        groups = self._groups
        for shown in range(len(groups), 0, -1):
            out = [*chain.from_iterable(groups[:shown]), *self._rest(len(groups) - shown)]
            if _width(out) <= room:
                return out
        if not groups or self._more is None:
            return []
        # Room for no whole group: a part of the first is still more than a number.
        rest = self._rest(len(groups) - 1)
        text, style, action = groups[0][0]
        part = draw.cut(text, room - _width(rest))
        if cell_len(part) > 3 or part == text:
            return [(part, style, action), *rest]
        rest = self._rest(len(groups))
        return rest if _width(rest) <= room else []

    def _rest(self, number: int) -> list[Spot]:
        return [self._more(number)] if number and self._more is not None else []

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
