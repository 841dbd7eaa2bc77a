"""Finding memories: one function, `search`, and the backends that can answer.

The index answers (`fts`); where there is none, or it does not hold a file yet, the files do (`scan`), with the
same words and the same ranking. Where memories have vectors, meaning counts as well (`hybrid`), or alone
(`vector`). What really answered stands in `Results.backend`.

Floor: above vectors, below language. Doors: `search`, `build_search_document` (the answer as JSON), `inline`
(filters typed in a query), `suggest`, `transcript_search`, `times`, `vector_jobs`. Nothing of the package is imported
at once: two threads that enter the package and a module of it at the same time would wait for each other, and one
would get half a module.
"""

from __future__ import annotations

from memtui.core import clock
from memtui.core.config import SearchConfig
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.model import ASIDE, Filter, Results, Status, dump_origin
from memtui.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from memtui.core.model import Hit
    from memtui.search.candidate import Elsewhere
    from memtui.search.texts import SearchTarget

MODES: tuple[str, ...] = ("auto", "hybrid", "fts", "vector", "scan")
"""auto takes the first of the others that can answer; vector only if it is asked for."""

BACKENDS = {
    "fts": "sqlite_fts",
    "scan": "scan",
    "fts+scan": "sqlite_fts+scan",
    "hybrid": "sqlite_hybrid",
    "vector": "sqlite_vector",
}
"""What answered, in spec 001's words."""

ASIDE_ROLES = {Status.ARCHIVED: "archive"} | {status: status.value for status in Status if status in ASIDE}
"""What a file is, by the status of what stands in it, as `role:` asks for it."""

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

    `grouped`: `limit` counts documents, and each of them comes with its best lines: see `group_hits`.
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


def describe_hidden(hidden: Mapping[Status, int]) -> str:
    """Of what the statuses hid, what stands in files that hold no memories of today, with how to see it:
    '12 in archive (role:archive)'; empty: nothing of it does."""
    told = [
        _("{count} in {role} (role:{role} shows them)").format(count=f"{hidden[status]:,}", role=role)
        for status, role in ASIDE_ROLES.items()
        if hidden.get(status)
    ]
    return ", ".join(told)


def build_search_document(results: Results, root: str, warning: str) -> dict[str, Any]:
    """Spec 001 §5.1's document, and what grew beside it."""
    return {
        "results": [
            {
                "path": hit.path,
                "start_line": hit.start_line,
                "end_line": hit.end_line,
                "score": round(hit.score, 4),
                "snippet": hit.snippet,
                "home": hit.home,
                "origin": dump_origin(results.origins.get(hit.home)),
                "layer": hit.layer.value,
                "kind": hit.kind,
                "status": hit.status.value,
                "heading": list(hit.heading),
                "time": None if hit.time is None else clock.convert_to_local(hit.time).isoformat(timespec="seconds"),
                "why": hit.why,
                "id": hit.id,
                "parts": _round_parts(hit),
                "others": hit.others,
            }
            for hit in results
        ],
        "disabled": False,
        "backend": BACKENDS.get(results.backend, results.backend),
        "root": root,
        "warning": warning or None,
        "total": results.total,
        "more": results.more,
        "hidden": {status.value: number for status, number in results.hidden.items() if number},
        "fusion": results.fusion or None,
        "model": results.model or None,
        "covered": list(results.covered) if results.model else None,
        "distant": results.distant,
        "blocked": results.blocked or None,
        "suggestion": results.suggestion or None,
        "routes": [route._asdict() for route in results.routes],
        "query": results.typed or None,
    }


def _round_parts(hit: Hit) -> dict[str, Any]:
    """What the score is made of, figures as short as they are worth."""
    return {name: round(value, 4) if isinstance(value, float) else value for name, value in hit.parts._asdict().items()}


def group_hits(hits: Iterable[Hit]) -> list[list[Hit]]:
    """The hits of each document together, best first; the documents in the order of their best."""
    groups: dict[tuple[object, ...], list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.document, []).append(hit)
    return list(groups.values())
