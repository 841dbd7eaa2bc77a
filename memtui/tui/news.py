"""What appeared in the homes while somebody looked, and what went: real changes only, never an index being made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.model import Home
    from memtui.vault import HomeStatus


class News:
    """Compares how homes stand with how they stood. Where a home could not be compared, nothing is said of it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, int]] = {}
        """By the home's path: its index file, and how many memories were in it."""

    def since(self, found: Iterable[HomeStatus]) -> list[tuple[Home, int]]:
        """The homes that have more memories than when this was last asked, or fewer, and by how many."""
        known, self._known = self._known, {}
        changed: list[tuple[Home, int]] = []
        for status in found:
            if status.building or status.away or not status.index_path:
                # Whatever is counted next has been there before, most likely.
                continue
            path = str(status.home.path)
            index, before = known.get(path, ("", 0))
            self._known[path] = status.index_path, status.memories
            if index == status.index_path and before != status.memories:
                changed.append((status.home, status.memories - before))
        return changed
