"""The vault's door to searching: by words, by meaning, or by both, and what there is to say of it."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from memtui.errors import UnavailableError
from memtui.model import Filter
from memtui.named import first, names
from memtui.named import wanted as passes

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.config import VectorConfig
    from memtui.embedding import Embedder
    from memtui.results import Results
    from memtui.vault import Vault


class Finding:
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
        from memtui.search import search

        vault = cast("Vault", self)
        config = vault.config.search
        mode = mode or config.mode
        wanted = filter or Filter()
        named = vault.memory(query.strip()) if names(query.strip()) else None
        place = partial(first, named, limit=limit) if named and passes(named, wanted) else None
        found = search(
            [shelf.target() for _, shelf in vault._chosen(wanted)],
            query,
            filter=wanted,
            limit=limit,
            mode=mode,
            config=config._replace(fusion=fusion or config.fusion),
            embed=self._embed if mode not in {"fts", "scan"} else None,
            min_score=config.min_score if min_score is None else min_score,
            typing=typing,
            cancelled=cancelled,
            refine=(lambda better: refine(place(better))) if refine and place else refine,
        )
        return place(found) if place else found

    def _embed(self, text: str) -> tuple[Any, str]:
        """A query's vector, and by which model. Raises UnavailableError: why there is none."""
        embedder = embedder_of(cast("Vault", self).config.vector)
        return embedder.query(text), embedder.title


_lock = threading.Lock()
_loaded: dict[VectorConfig, Embedder] = {}


def embedder_of(settings: VectorConfig) -> Embedder:
    """The embedder that the settings ask for, one a process. Raises UnavailableError: why there is none."""
    with _lock:
        found = _loaded.get(settings)
        if found is None:
            # A model is a hundred megabytes: it is there for those who search by meaning.
            from memtui.embedding import load, why_not

            why = why_not(settings)
            if why:
                raise UnavailableError(why)
            found = _loaded[settings] = load(settings)
        return found


__all__ = ["Finding", "embedder_of"]
