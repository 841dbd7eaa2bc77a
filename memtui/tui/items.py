"""What a list holds besides memories, and what a painter knows when it draws one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from memtui.tui.draw import Piece


class Brush(NamedTuple):
    """What a painter knows besides the item."""

    width: int
    """Cells of a row."""
    above: Any = None
    """The item in the row above, where it is known: days are written once."""
    words: tuple[str, ...] = ()
    """What is searched for, lower case."""
    focused: bool = False


class Fixed(NamedTuple):
    """A row that is no memory: a header, a gauge, a section."""

    key: Hashable
    left: tuple[Piece, ...]
    right: tuple[Piece, ...] = ()
    value: Any = None
    """What opening it means."""
    rest: bool = True
    """Whether the cursor may rest on it."""


class Known(NamedTuple):
    """A row that is there already, among others that are read when they are seen: the list treats it as what it holds,
    which has a key (or an id) of its own.
    """

    value: Any

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and other.value is self.value


def resting(items: Sequence[Any], index: int, direction: int) -> int:
    """The row at `index`, or the nearest in `direction`, else the other way, where a cursor may rest."""
    for stride in (direction, -direction):
        at = index
        while 0 <= at < len(items):
            item = items[at]
            if not isinstance(item, Fixed) or item.rest:
                return at
            at += stride
    return index
