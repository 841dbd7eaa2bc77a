"""Finding memories: one function, `search`, and the backends that can answer.

The index answers (`fts`); where there is none, or it does not hold a file yet, the files do (`scan`), with the
same words and the same ranking. Where memories have vectors, meaning counts as well (`hybrid`), or alone
(`vector`). What really answered stands in `Results.backend`.

Floor: above vectors, below language. Doors: `search`, `inline` (filters typed in a query), `suggest`,
`transcript_search`, `times`, `vector_jobs`. Nothing of the package is imported at once: two threads that enter
the package and a module of it at the same time would wait for each other, and one would get half a module.
"""

from __future__ import annotations

from memtui.core.config import SearchConfig
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.model import Filter, Results
from memtui.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from memtui.search.candidate import Elsewhere
    from memtui.search.texts import SearchTarget

__all__ = ["MODES", "search"]

MODES: tuple[str, ...] = ("auto", "hybrid", "fts", "vector", "scan")
"""auto takes the first of the others that can answer; vector only if it is asked for."""

MOST = 100_000
"""Hits that may be asked for at once."""


def search(
    targets: Sequence[SearchTarget],
    query: str,
    *,
    filter: Filter | None = None,
    limit: int = 10,
    grouped: bool = False,
    mode: str = "auto",
    config: SearchConfig | None = None,
    embed: Callable[[str], tuple[Any, str]] | None = None,
    min_score: float = 0.0,
    typing: bool = False,
    cancelled: Callable[[], bool] | None = None,
    refine: Callable[[Results], None] | None = None,
    beyond: Elsewhere | None = None,
) -> Results:
    """The best `limit` hits of all homes. Any text is a valid query; only an unknown `mode` raises UsageError.

    `grouped`: `limit` counts documents, and each of them comes with its best lines: see
    `core.model.group_hits`.
    `mode`: see MODES. `embed` gives a query's vector and the model's name, or raises UnavailableError; None: there is
    no model. `typing`: the last word may not be finished.
    `refine`: where the full answer would take longer than a frame, this one is by words alone, and of a great many
    matches ranks the newest first (`bounded`); `refine` is called, from a thread of its own, with the full one,
    unless `cancelled` says that nobody waits for it. Without `refine` the answer is the full one. Cancelled searches
    answer with whatever they had.
    `beyond`: homes that are not on this machine, which somebody else is asked for meanwhile.
    Scores are 0 to 1 and compare between homes, not between modes: fts and scan, the share of the best that this
    query could have; vector, the cosine; hybrid, see `search.vector.fuse`. `min_score` leaves out what is below it.
    """
    if mode not in MODES:
        raise UsageError(_("there is no search mode {mode}: {modes} are").format(mode=mode, modes=", ".join(MODES)))
    from memtui.search import inquiry

    return inquiry.run_inquiry(
        targets,
        query,
        (filter or Filter())._replace(parts=True),
        limit=min(limit, MOST),
        grouped=grouped,
        mode=mode,
        config=config or SearchConfig(),
        embed=embed,
        min_score=min_score,
        typing=typing,
        cancelled=cancelled,
        refine=refine,
        beyond=beyond,
    )
