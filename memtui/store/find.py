"""The vault's doors to finding: by words, by meaning, in conversations; and references to memories by their place.

References to memories by their place in the indexes: a list of a hundred thousand that costs two arrays.

The vault's door to searching: by words, by meaning, or by both, and what there is to say of it.

The vault's door to conversations, level two of spec 003's search: nothing of them is read until somebody asks.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from functools import partial

from memtui.core.model import Filter
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, cast, overload
from memtui.search import search

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from memtui.core.model import Home, Memory, Results, Route
    from memtui.index.filters import Trace, Traces
    from memtui.index.transcript_intake import TranscriptShelf
    from memtui.store.vault import Vault


class MemoryRef(NamedTuple):
    """A memory by its place in the indexes; good until the next generation of its home."""

    home: int
    """The number of its home in the vault."""
    row: int


class Refs(Sequence[MemoryRef]):
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
    def __getitem__(self, at: int) -> MemoryRef: ...
    @overload
    def __getitem__(self, at: slice) -> Refs: ...
    def __getitem__(self, at: int | slice) -> MemoryRef | Refs:
        if isinstance(at, slice):
            return Refs(self._homes[at], self._rows[at])
        return MemoryRef(self._homes[at], self._rows[at])

    def position(self, ref: MemoryRef) -> int:
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


_COLONS = frozenset(":：")
"""Without one there is no filter in a query."""


class Finder:
    """What of a vault finds."""

    def find(
        self,
        query: str,
        limit: int = 10,
        *,
        filter: Filter | None = None,
        mode: str = "",
        fusion: str = "",
        min_score: float | None = None,
        typing: bool = False,
        cancelled: Callable[[], bool] | None = None,
        refine: Callable[[Results], None] | None = None,
    ) -> Results:
        """Search all homes; the hits come best first, with what answered and any warning.

        Any text is a valid query; an id, a key or `path:line` by itself brings first what it names, if that no longer
        holds, too. `mode`: auto (hybrid where there are vectors, else fts, else scan), hybrid, fts, vector or scan;
        `fusion`: zscore, rrf or weighted; both empty: the config's. `min_score`: see `search.search`. `typing` takes
        the last word as a beginning. With `refine` the first answer comes within a frame: by words, the newest first
        where a word stands in a great many memories; the full one is handed to `refine`, from a thread of its own,
        unless `cancelled` says that nobody waits for it any more. Spec 001 §5.1, spec 002 levels two and three.
        """
        vault = cast("Vault", self)
        config = vault.config.search
        mode = mode or config.mode
        wanted, words, wrong = filter or Filter(), query.strip(), ""
        chips: tuple[str, ...] = ()
        if not _COLONS.isdisjoint(query):
            from memtui.search.inline import parse_inline_filters

            wanted, words, wrong, chips = parse_inline_filters(query, wanted, vault.homes, vault.known)
        if chips and not words:
            return self._newest(wanted, limit, wrong)
        named = self._named(words, wanted)
        if mode not in {"fts", "scan"} and refine is None:
            vault.catch_up(wanted.homes, begin=mode != "auto")
        told = partial(self._told, words if chips else "", wrong, find_routes(vault, words, wanted))

        def whole(found: Results) -> Results:
            if named is None:
                return told(found)
            from memtui.store.lookup import put_memory_first

            return told(put_memory_first(named, found, limit, vault.of))

        return whole(
            search(
                vault.targets(wanted),
                words,
                filter=wanted,
                limit=limit,
                mode=mode,
                config=config._replace(fusion=fusion or config.fusion),
                embed=self._embed if mode not in {"fts", "scan"} else None,
                min_score=config.min_score if min_score is None else min_score,
                typing=typing,
                cancelled=cancelled,
                refine=None if refine is None else lambda better: refine(whole(better)),
            )
        )

    def _newest(self, wanted: Filter, limit: int, wrong: str) -> Results:
        """What a query of filters alone finds."""
        from memtui.store.lookup import list_newest

        found = list_newest(cast("Vault", self), wanted, limit)
        found.warning = "; ".join(part for part in (wrong, found.warning) if part)
        return found

    def _named(self, words: str, wanted: Filter) -> Memory | None:
        """The memory that a query names, if it passes."""
        # A name has a digit; most queries are words.
        if not any(map(str.isdigit, words)):
            return None
        from memtui.store.lookup import is_memory_name
        from memtui.store.lookup import matches_named_filter as passes

        named = cast("Vault", self).memory(words) if is_memory_name(words) else None
        return named if named is not None and passes(named, wanted) else None

    @staticmethod
    def _told(words: str, wrong: str, routes: tuple[Route, ...], found: Results) -> Results:
        found.typed, found.routes = words, routes
        found.warning = "; ".join(filter(None, (wrong, found.warning)))
        return found

    def _embed(self, text: str) -> tuple[Any, str]:
        """A query's vector, and by which model. Raises UnavailableError: why there is none."""
        # A model is a hundred megabytes: it is there for those who search by meaning.
        from memtui.vectors.models import load

        settings = cast("Vault", self).config.vector
        embedder = load(settings)
        key = embedder.name, text
        vector = _vectors.get(key)
        if vector is None:
            vector = embedder.query(text)
            if len(_vectors) >= _KEPT:
                _vectors.clear()
            _vectors[key] = vector
        return vector, embedder.title


def find_routes(vault: Vault, query: str, wanted: Filter) -> tuple[Route, ...]:
    """The documents that rules lead to."""
    from memtui.store.routes import match_routes

    return match_routes(vault, query, vault.config, wanted)


_KEPT = 256
_vectors: dict[tuple[str, str], Any] = {}
"""The queries' vectors last asked for: the same words are searched again at every change of a file."""


class Conversations:
    """What of a vault finds in conversations."""

    def traces(
        self,
        keyword: str,
        *,
        session: str = "",
        role: Collection[str] = (),
        days_back: float | None = 7,
        limit: int = 10,
        budget: float | None = 30.0,
        progress: Callable[[Home, int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Traces:
        """The steps of conversations that hold the words, best first: turns, tools' calls and results, secrets masked.

        Conversations of the last `days_back` days (None or 0: all) are taken into an index of their own first, those
        that are not in it yet, for `budget` seconds at most (None: as long as it takes); `progress` gets the home,
        bytes done and bytes in all. `session`: only sessions whose id begins so, else no more than three of one.
        `role`: user, assistant, thinking, tool_call, tool_result, summary, system.
        """
        from memtui.search.transcript_search import search_traces

        return search_traces(
            self._kept(), keyword, session=session, role=role, days_back=days_back, limit=limit, budget=budget,
            progress=progress, cancelled=cancelled,
        )  # fmt: skip

    def unfolded(self, path: str, line: int, limit: int = 10) -> list[Trace]:
        """A conversation's steps, whole, from a trace's place on; none where no home has such a transcript."""
        from memtui.search.transcript_search import unfold

        return unfold(self._kept(), path, line, limit)

    def untold(self) -> list[Home]:
        """Homes with conversations that were never taken in: the first question takes longer, and reads them."""
        from memtui.index.transcript_tables import find_transcript_place
        from memtui.layouts.trace_sources import list_transcript_sources

        return [
            shelf.home
            for shelf in self._kept()
            if not os.path.exists(find_transcript_place(shelf.place).pointer)
            and list_transcript_sources(shelf.home)
        ]

    def _kept(self) -> list[TranscriptShelf]:
        from memtui.index.transcript_intake import TranscriptShelf
        from memtui.layouts.trace_sources import has_transcripts

        shelves = cast("Vault", self)._shelves
        return [
            TranscriptShelf(shelf.home, shelf.place)
            for shelf in shelves
            if has_transcripts(shelf.home.layout)
        ]
