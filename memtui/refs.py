"""References to memories by their place in the indexes: a list of a hundred thousand that costs two arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from memtui.record import NamedTuple, overload


class Ref(NamedTuple):
    """A memory by its place in the indexes; good until the next generation of its home."""

    home: int
    """The number of its home in the vault."""
    row: int


class Refs(Sequence[Ref]):
    """Many references, in order."""

    __slots__ = ("_homes", "_rows")

    def __init__(self, homes: array[int], rows: array[int]) -> None:
        self._homes = homes
        self._rows = rows

    @classmethod
    def of_home(cls, home: int, rows: Iterable[int]) -> Refs:
        """The references of one home's rows."""
        held = array("q", rows)
        return cls(array("H", [home]) * len(held), held)

    @classmethod
    def joined(cls, parts: Iterable[Refs]) -> Refs:
        """One list after the other."""
        homes, rows = array("H"), array("q")
        for part in parts:
            homes.extend(part._homes)
            rows.extend(part._rows)
        return cls(homes, rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Ref: ...
    @overload
    def __getitem__(self, at: slice) -> Refs: ...
    def __getitem__(self, at: int | slice) -> Ref | Refs:
        if isinstance(at, slice):
            return Refs(self._homes[at], self._rows[at])
        return Ref(self._homes[at], self._rows[at])

    def position(self, ref: Ref) -> int:
        """Where a reference stands in the list, or -1."""
        start = 0
        while True:
            try:
                found = self._rows.index(ref.row, start)
            except ValueError:
                return -1
            if self._homes[found] == ref.home:
                return found
            start = found + 1
