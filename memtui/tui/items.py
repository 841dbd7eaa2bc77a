"""What a list holds besides memories, and what a painter knows when it draws one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

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
