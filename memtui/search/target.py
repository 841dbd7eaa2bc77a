"""One home to search, with its index if it has one."""

from __future__ import annotations

from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.errors import StaleIndexError
    from memtui.index.index import Index
    from memtui.model import Home
    from memtui.search.texts import Texts
    from memtui.vectors import Vectors


class Target:
    """A home as a search needs it."""

    def __init__(
        self,
        home: Home,
        index: Index | None = None,
        texts: Texts | None = None,
        pending: tuple[str, ...] = (),
        warning: str = "",
        damaged: Callable[[Index, StaleIndexError], None] | None = None,
        vectors: Callable[[], Vectors | None] | None = None,
        unmeant: Callable[[], str] | None = None,
    ) -> None:
        self.home = home
        self.index = index
        """Open, and of the calling thread; None: the files are scanned."""
        self.texts = texts
        """Kept by whoever searches more than once, so that files read for one query serve the next."""
        self.pending = pending
        """Files that the index does not hold yet, or not as they are now: they are scanned beside it."""
        self.warning = warning
        """What a person should know of the index: 'indexing 412 of 1,284 files'."""
        self.damaged = damaged
        """Told when the index turns out to be unusable."""
        self.vectors = vectors
        """Opens the vectors that belong to the index; None: it has none."""
        self.unmeant = unmeant
        """Says why there are none; empty: they only have to be made."""

    def over(self, index: Index | None) -> Target:
        """The same home over another connection to its index."""
        about = self.vectors, self.unmeant
        return Target(self.home, index, self.texts, self.pending, self.warning, self.damaged, *about)
