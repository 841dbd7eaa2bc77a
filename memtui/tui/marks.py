"""What a person has selected in a list, by key: kept while the list is filtered, sorted and read anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from memtui.tui.rows import Rows


def selectable(item: Any) -> bool:
    """Memories and candidates are selected; heads, numbers and what was learnt of them are not."""
    return getattr(item, "id", None) is not None


class Marks:
    """The selection of one list. A range that is being drawn follows the cursor until it is ended."""

    def __init__(self) -> None:
        self.items: dict[Hashable, Any] = {}
        self.anchor: int | None = None
        """Where the range began that is being drawn."""
        self._before: dict[Hashable, Any] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self.items

    def __bool__(self) -> bool:
        return bool(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def toggle(self, key: Hashable, item: Any) -> None:
        """Select it, or not any more."""
        if key in self.items:
            del self.items[key]
        else:
            self.items[key] = item

    def begin(self, index: int) -> None:
        """Draw a range from here on; where one is drawn, end it."""
        if self.anchor is None:
            self.anchor, self._before = index, dict(self.items)
        else:
            self.anchor = None

    def draw(self, rows: Rows, to: int) -> None:
        """What lies between where the range began and `to` is selected, besides what was before."""
        first, last = sorted((min(self.anchor or 0, len(rows.items) - 1), to))
        known = ((rows.key(index), rows.item(index)) for index in range(first, last + 1))
        drawn = {key: item for key, item in known if key is not None and selectable(item)}
        self.items = {**self._before, **drawn}
        rows.forget_strips()

    def clear(self) -> None:
        """Nothing is selected."""
        self.items.clear()
        self.anchor = None

    def keep(self, keys: Iterable[Hashable]) -> None:
        """Only these are still there to be selected."""
        there = set(keys)
        self.items = {key: item for key, item in self.items.items() if key in there}
