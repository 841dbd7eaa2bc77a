"""One home to search, with its index if it has one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.errors import StaleIndexError
    from memtui.index.index import Index
    from memtui.model import Home
    from memtui.search.texts import Texts


@dataclass(slots=True)
class Target:
    """A home as a search needs it."""

    home: Home
    index: Index | None = None
    """Open, and of the calling thread; None: the files are scanned."""
    texts: Texts | None = None
    """Kept by whoever searches more than once, so that files read for one query serve the next."""
    pending: tuple[str, ...] = ()
    """Files that the index does not hold yet, or not as they are now: they are scanned beside it."""
    warning: str = ""
    """What a person should know of the index: 'indexing 412 of 1,284 files'."""

    damaged: Callable[[Index, StaleIndexError], None] | None = None
    """Told when the index turns out to be unusable."""

    def over(self, index: Index | None) -> Target:
        """The same home over another connection to its index."""
        return replace(self, index=index)
