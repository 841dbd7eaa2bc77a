"""Semantic deduplication (spec 003's 语义去重合并), as far as it may go by itself.

Two that say the same wait in Review. Only where a person set `distill.mode = "auto"`, and only what stands letter for
letter in stores of single facts, the second is marked as superseded by the first.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from memtui.curation import decisions, finding
from memtui.curation.approving import superseded
from memtui.curation.census import STORES, census, role
from memtui.curation.consolidate.work import Told, brief
from memtui.curation.obstacles import why_not
from memtui.curation.similar import normal
from memtui.curation.standing import together
from memtui.errors import MemtuiError
from memtui.locale import _, _n
from memtui.model import Status
from memtui.writes import KEEPER

if TYPE_CHECKING:
    from memtui.curation.candidates import Candidate
    from memtui.curation.census import Census
    from memtui.curation.consolidate.work import Work
    from memtui.edits import Change
    from memtui.model import Memory


def merged(work: Work) -> Told:
    """Count what is said twice, and merge what may be merged."""
    for count in census(work.vault, frozenset({work.name})):
        decided = decisions.decided([work.home])
        every = [
            one
            for one in finding.duplicates(work.vault, count)
            if one.id not in decided or decided[one.id].done != "rejected"
        ]
        pairs = [pair for one in every if (pair := _pair(work, count, one)) is not None]
        return _told(work, count, every, pairs)
    return Told()


def _pair(work: Work, count: Census, candidate: Candidate) -> tuple[Memory, Memory] | None:
    """The one to keep and the other, where both stand in stores and say letter for letter the same."""
    keep, other = (count.memories.get(named) for named in candidate.memories[:2])
    if keep is None or other is None or normal(keep.text) != normal(other.text):
        return None
    for one in (keep, other):
        found = role(count.home, one.path)
        if found is None or found.parser not in STORES or one.status is not Status.ACTIVE:
            return None
    return None if why_not("supersede", other, work.vault) else (keep, other)


def _told(work: Work, count: Census, every: list[Candidate], pairs: list[tuple[Memory, Memory]]) -> Told:
    counts = {"exact": len(pairs), "waiting": len(every)}
    if not every:
        return Told(counts)
    if count.config.mode != "auto":
        lines = (_("They wait in Review (5): nothing is merged by itself while distill.mode is review."),)
        return Told(counts, lines)
    lines_: list[str] = []
    left: list[tuple[str, str]] = []
    changes: list[tuple[Change, ...]] = []
    for keep, other in pairs:
        try:
            changes.append(superseded(work.vault, [other], keep))
        except MemtuiError as error:
            left.append((brief(other.text), str(error)))
            continue
        lines_.append(
            _("{path}:{line} is superseded by {other}:{at}: {text}").format(
                path=other.path, line=other.start, other=keep.path, at=keep.start, text=brief(other.text)
            )
        )
    if changes and not work.dry_run:
        what = _n("merged {count} that was said twice", "merged {count} that were said twice", len(changes))
        work.vault.apply(
            together(tuple(chain.from_iterable(changes))),
            verb="merge",
            who=KEEPER,
            what=what,
            group=work.group,
            confirmed=True,
        )
    rest = len(every) - len(lines_)
    return Told({"exact": len(pairs), "merged": len(lines_), "waiting": rest}, tuple(lines_), tuple(left))
