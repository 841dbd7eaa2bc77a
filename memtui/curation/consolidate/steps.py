"""The steps, in the order of the specification: spec 003's day, spec 002's week."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.consolidate import (
    ageing,
    auto_facts,
    graph,
    learning,
    merging,
    outdated_files,
    owned,
    queue,
    weekly,
)  # fmt: skip
from memtui.curation.consolidate.work import Told

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.curation.consolidate.work import Work


class Doing(NamedTuple):
    """One step."""

    name: str
    """A key of `report.TITLES`."""
    run: Callable[[Work], Told]
    once: bool = False
    """It is for all homes at once."""


def _indexed(work: Work) -> Told:
    """Bring every index up to date with the disk."""
    if not work.dry_run:
        work.vault.refresh(progress=lambda _home, done, total: work.tell(done, total))
    states = work.vault.status()
    left = tuple((state.home.label, state.warning) for state in states if state.warning and not state.away)
    counts = {
        "files": sum(state.files for state in states),
        "memories": sum(state.memories for state in states),
    }
    return Told(counts, left=left)


DAILY = (
    Doing("queue", queue.drained, once=True),
    Doing("extraction", queue.extracted),
    Doing("duplicates", merging.merged),
    Doing("decay", ageing.faded),
    Doing("expiry", ageing.expired),
    Doing("attachments", ageing.waiting),
    Doing("sections", owned.refreshed),
)
WEEKLY = (
    Doing("activity", weekly.activity),
    Doing("files", weekly.edited),
    Doing("topics", weekly.topics),
    Doing("graph", graph.checked),
    Doing("index", _indexed, once=True),
    Doing("facts", auto_facts.proposed),
    Doing("signals", learning.heard, once=True),
    Doing("capabilities", learning.skilled),
    Doing("retention", outdated_files.retired),
)
