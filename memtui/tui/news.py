"""What is new in the homes: how far an index has come that is being made, and what appeared or went while somebody
looked, which is real changes only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.model import Home
    from memtui.vault import HomeStatus


class Filling(NamedTuple):
    """How far the indexes have come that are being built. Rows stand in them long before they are whole."""

    done: int
    """Files."""
    total: int

    def describe(self) -> str:
        """indexing 412 / 1,000"""
        if not self.total:
            return _("indexing …")
        return _("indexing {done:,} / {total:,}").format(done=self.done, total=self.total)


def measure_filling(found: Iterable[HomeStatus]) -> Filling | None:
    """All homes that are being indexed, together; None: every index is whole."""
    busy = [status for status in found if status.building]
    if not busy:
        return None
    return Filling(sum(status.indexed for status in busy), sum(status.total for status in busy))


def entitle_count(title: str, shown: int, total: int, filling: Filling | None) -> str:
    """Facts · 1,243 · indexing 412 / 1,000. A number that nobody knows yet is no 0."""
    number = f"{shown:,}" if shown == total else f"{shown:,} / {total:,}"
    if filling is None:
        return f"{title} · {number}"
    return f"{title} · {number if total else '…'} · {filling.describe()}"


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
