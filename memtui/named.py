"""What a query names by its id, its key or its place: it comes before what merely holds the words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.model import Layer
from memtui.results import Hit

if TYPE_CHECKING:
    from memtui.model import Filter, Memory
    from memtui.results import Results

_NAME = re.compile(r"(?=\D*\d)(?=.*[^\W\d])[^\s\"“”]{3,200}")
_LONGEST = 400


def names(query: str) -> bool:
    """Whether a query may be an id, a key or `path:line`: one word with digits and letters."""
    return _NAME.fullmatch(query) is not None


def wanted(memory: Memory, filter: Filter) -> bool:
    """Whether a memory asked for by name passes; its status is not asked for."""
    return (
        (not filter.homes or memory.home in filter.homes)
        and (not filter.kinds or memory.kind in filter.kinds)
        and (not filter.layers or memory.layer in filter.layers)
    )


def first(memory: Memory, found: Results, limit: int) -> Results:
    """The hits with this memory before the others."""
    others = [
        hit
        for hit in found
        if (hit.home, hit.path, hit.start_line) != (memory.home, memory.path, memory.start)
    ]
    found.total += 1 - (len(found) - len(others))
    line = memory.title or memory.text.partition("\n")[0]
    moment = memory.created if memory.updated is None else memory.updated
    named = Hit(
        memory.home, memory.path, memory.start, memory.end, 1.0, line[:_LONGEST], memory.layer or Layer.KNOWLEDGE,
        memory.kind, memory.key or memory.path, memory.status, memory.heading, moment, memory.id,
    )  # fmt: skip
    found[:] = [named, *others][:limit]
    return found
