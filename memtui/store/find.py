"""The vault's methods for finding: by words, by meaning, in conversations; and references to memories by their place.

`Refs` holds a hundred thousand memories in two arrays. `Finder` and `Conversations` are parts of `Vault`; of
conversations (level two of spec 003's search) nothing is read until somebody asks.
"""

from __future__ import annotations

import os
from functools import partial

from memtui.core.model import Filter
from memtui.core.startup import TYPE_CHECKING, Any, Protocol, cast
from memtui.layouts import load_facts
from memtui.search import search
from memtui.search.reorder import put_base_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Hit, Home, HomeOrigin, Memory, Results, Route
    from memtui.search.candidate import Elsewhere
    from memtui.store.lookup import Lookups, NamedHomes
    from memtui.store.reading import Listed
    from memtui.store.routes import Routed


_COLONS = frozenset(":：")
"""Without one there is no filter in a query."""


if TYPE_CHECKING:

    class Searched(Listed, NamedHomes, Routed, Protocol):
        """What finding needs of the homes that are open."""

        config: Config
        beyond: Elsewhere | None

        def known(self, name: str) -> list[str]:
            """The kinds, tags or directories that there are."""

        def of(self, hit: Hit) -> Memory | None:
            """The memory that a hit shows."""

        def catch_up(self, homes: frozenset[str], *, begin: bool) -> None:
            """Make the few vectors that were missed since the last time."""


class Finder:
    """What of a vault finds."""

    def read_rules(self) -> None:
        """Have the rules read that lead to documents: the first words then do not wait for them."""
        find_routes(cast("Searched", self), "?", Filter())

    def find(
        self,
        query: str,
        limit: int = 10,
        *,
        filter: Filter | None = None,
        mode: str = "",
        fusion: str = "",
        min_score: float | None = None,
        grouped: bool = False,
        typing: bool = False,
        cancelled: Callable[[], bool] | None = None,
        refine: Callable[[Results], None] | None = None,
    ) -> Results:
        """Search all homes; the hits come best first, with what answered and any warning.

        Any text is a valid query; an id, a key or `path:line` by itself brings first what it names, if that no longer
        holds, too. `mode`: auto (hybrid where there are vectors, else fts, else scan), hybrid, fts, vector or scan;
        `fusion`: zscore, rrf or weighted; both empty: the config's. `min_score`, `grouped`: see `search.search`.
        `typing` takes the last word as a beginning. With `refine` the first answer comes within a frame: by words, the
        newest first where a word stands in a great many memories; the full one is handed to `refine`, from a thread of
        its own, unless `cancelled` says that nobody waits for it any more. Spec 001 §5.1, 002 levels two and three.
        """
        vault = cast("Searched", self)
        config = vault.config.search
        mode = mode or config.mode
        wanted, words, wrong, chips = self._split(query, filter or Filter())
        if chips and not words:
            return self._list_newest(wanted, limit, wrong)
        named = self._find_named(words, wanted)
        if mode not in {"fts", "scan"} and refine is None:
            vault.catch_up(wanted.homes, begin=mode != "auto")
        told = partial(self._complete_results, words if chips else "", wrong, find_routes(vault, words, wanted))
        base, other = list_base_homes(vault.homes)

        def whole(found: Results) -> Results:
            if base and other:
                put_base_first(found, base, other)
            if named is None:
                return told(found)
            most = len(found) + 1 if grouped else limit
            return told(load_lookups().put_memory_first(named, found, most, vault.of))

        return whole(
            search(
                vault.targets(wanted),
                words,
                filter=wanted,
                limit=limit,
                grouped=grouped,
                mode=mode,
                config=config._replace(fusion=fusion or config.fusion),
                embed=self._embed if mode not in {"fts", "scan"} else None,
                min_score=config.min_score if min_score is None else min_score,
                typing=typing,
                cancelled=cancelled,
                refine=None if refine is None else lambda better: refine(whole(better)),
                beyond=vault.beyond,
            )
        )

    def _split(self, query: str, wanted: Filter) -> tuple[Filter, str, str, tuple[str, ...]]:
        """The filter with what the query itself filters by, its words, what is wrong with them, and the filters."""
        if _COLONS.isdisjoint(query):
            return wanted, query.strip(), "", ()
        vault = cast("Searched", self)
        homes = (*vault.homes, *self._list_elsewhere())
        return load_lookups().parse_inline_filters(query, wanted, homes, vault.known)

    def _list_newest(self, wanted: Filter, limit: int, wrong: str) -> Results:
        """What a query of filters alone finds."""
        found = load_lookups().list_newest(cast("Searched", self), wanted, limit)
        found.warning = "; ".join(part for part in (wrong, found.warning) if part)
        found.origins = self._map_origins()
        return found

    def _map_origins(self) -> dict[str, HomeOrigin]:
        homes = (*self._list_elsewhere(), *cast("Searched", self).homes)
        return {str(home.path): home.origin for home in homes if home.origin is not None}

    def _list_elsewhere(self) -> Sequence[Home]:
        beyond = cast("Searched", self).beyond
        return () if beyond is None else beyond.list_homes()

    def _find_named(self, words: str, wanted: Filter) -> Memory | None:
        """The memory that a query names, if it passes."""
        # A name has a digit; most queries are words.
        if not any(map(str.isdigit, words)):
            return None
        return load_lookups().find_named(cast("Searched", self), words, wanted)

    def _complete_results(self, words: str, wrong: str, routes: tuple[Route, ...], found: Results) -> Results:
        found.origins = self._map_origins()
        found.typed, found.routes = words, routes
        found.warning = "; ".join(filter(None, (wrong, found.warning)))
        return found

    def _embed(self, text: str) -> tuple[Any, str]:
        """A query's vector, and by which model. Raises UnavailableError: why there is none."""
        # A model is a hundred megabytes: it is there for those who search by meaning.
        from memtui.vectors.models import load

        settings = cast("Searched", self).config.vector
        embedder = load(settings)
        key = embedder.name, text
        vector = _vectors.get(key)
        if vector is None:
            vector = embedder.query(text)
            if len(_vectors) >= _KEPT:
                _vectors.clear()
            _vectors[key] = vector
        return vector, embedder.title


def list_base_homes(homes: Iterable[Home]) -> tuple[frozenset[str], frozenset[str]]:
    """The project's own knowledge bases, and what agents remember of all projects: the first are read before (L1)."""
    facts = [(home, load_facts(home)) for home in homes]
    return (
        frozenset(str(home.path) for home, about in facts if home.current and about.knowledge_folders),
        frozenset(str(home.path) for home, about in facts if about.of_all_projects),
    )


def load_lookups() -> type[Lookups]:
    """What names and filters find."""
    # Most queries are words.
    from memtui.store.lookup import Lookups

    return Lookups


def find_routes(vault: Searched, query: str, wanted: Filter) -> tuple[Route, ...]:
    """The documents that rules lead to; most homes have none, and pay for none."""
    files = (
        os.path.join(home.path, name)
        for home in vault.homes
        if home.origin is None
        for name, _bases in load_facts(home).rule_files
    )
    if not vault.config.routing.triggers and not any(map(os.path.lexists, files)):
        return ()
    # The app shows its first frame before anybody asks.
    from memtui.store.routes import match_routes

    return match_routes(vault, query, vault.config, wanted)


_KEPT = 256
_vectors: dict[tuple[str, str], Any] = {}
"""The queries' vectors last asked for: the same words are searched again at every change of a file."""
