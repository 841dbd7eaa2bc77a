"""Finding memories: one door, and behind it the backends that can answer.

The index answers (`fts`); where there is none, or where it does not hold a file yet, the files do (`scan`), with the
same words and the same ranking. What really answered stands in `Results.backend`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.errors import UsageError
from memtui.locale import _
from memtui.model import Filter
from memtui.results import Results
from memtui.search.inquiry import Inquiry
from memtui.search.query import parse
from memtui.search.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["BACKENDS", "Target", "search"]

BACKENDS: tuple[str, ...] = ("fts", "scan")
"""In the order in which they are tried."""


def search(
    targets: Sequence[Target],
    query: str,
    *,
    filter: Filter | None = None,
    limit: int = 10,
    mode: str = "auto",
    min_score: float = 0.0,
    typing: bool = False,
    cancelled: Callable[[], bool] | None = None,
    refine: Callable[[Results], None] | None = None,
) -> Results:
    """The best `limit` hits of all homes. Any text is a valid query; only an unknown `mode` raises UsageError.

    `mode`: auto (the index, else the files), fts, scan. `typing`: the last word may not be finished.
    `refine`: where ranking every match would take longer than a frame, the answer ranks the newest first (`bounded`),
    and `refine` is called, from a thread of its own, with the answer that ranks them all, unless `cancelled` says
    that nobody waits for it. Without `refine` every match is ranked at once. Cancelled searches answer with whatever
    they had. Scores are 0 to 1, the share of the best that this query could have, and compare between homes.
    """
    if mode not in {"auto", *BACKENDS}:
        raise UsageError(_("there is no search mode {mode}: auto, fts and scan are").format(mode=mode))
    understood = parse(query, typing)
    if not understood.text or limit <= 0:
        return Results()
    asked = Inquiry(
        targets,
        understood,
        filter or Filter(),
        limit=limit,
        mode=mode,
        min_score=min_score,
        cancelled=cancelled,
    )
    results = asked.results(quick=refine is not None)
    if results.bounded and refine is not None:
        asked.refined(refine)
    return results
