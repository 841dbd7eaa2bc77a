"""What a query names by its id, its key or its place: it comes before what merely holds the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.index.filters import passes
from memtui.model import Layer
from memtui.newest import hit
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.model import Filter, Memory
    from memtui.results import Hit, Results

_NAME = pattern(r"(?=\D*\d)(?=.*[^\W\d])[^\s\"“”]{3,200}")


def names(query: str) -> bool:
    """Whether a query may be an id, a key or `path:line`: one word with digits and letters."""
    return _NAME.fullmatch(query) is not None


def wanted(memory: Memory, filter: Filter) -> bool:
    """Whether a memory asked for by name passes; its status and its time are not asked for."""
    anyhow = filter._replace(statuses=frozenset(), since=None, until=None, expiring=None)
    return (not filter.homes or memory.home in filter.homes) and passes(
        anyhow,
        layer=memory.layer or Layer.KNOWLEDGE,
        kind=memory.kind,
        path=memory.path,
        status=memory.status,
        tags=memory.tags,
    )


def first(memory: Memory, found: Results, limit: int, of: Callable[[Hit], Memory | None]) -> Results:
    """The hits with this memory before the others. `of` tells what a hit shows."""

    def same(other: Hit) -> bool:
        if (other.home, other.path, other.start_line) != (memory.home, memory.path, memory.start):
            return False
        shown = of(other)
        return shown is None or shown.id == memory.id

    others = [other for other in found if not same(other)]
    found.total += 1 - (len(found) - len(others))
    found[:] = [hit(memory, 1.0, memory.key or memory.path), *others][:limit]
    return found
