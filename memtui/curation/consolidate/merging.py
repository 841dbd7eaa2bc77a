"""Semantic deduplication (spec 003's 语义去重合并), as far as it may go by itself.

Two that say the same wait in Review. Only where a person set `distill.mode = "auto"`, and only what stands letter for
letter in stores of single facts, the second is marked as superseded by the first.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from memtui.curation import decisions, finding, judged
from memtui.curation.approving import superseded
from memtui.curation.census import ASKED, STORES, clashes, role, settings
from memtui.curation.consolidate import kept
from memtui.curation.consolidate.work import Told, brief, unable
from memtui.curation.obstacles import why_not
from memtui.curation.similar import normal
from memtui.curation.standing import together
from memtui.errors import MemtuiError
from memtui.index.lists import marks
from memtui.locale import _, _n
from memtui.model import Filter, Status
from memtui.writes import KEEPER

if TYPE_CHECKING:
    from memtui.curation.candidates import Candidate
    from memtui.curation.census import Clashes
    from memtui.curation.consolidate.work import Work
    from memtui.edits import Change
    from memtui.model import Memory


def merged(work: Work) -> Told:
    """Ask the model about near pairs, where a person wants that; count what is said twice, and merge what may be."""
    asked, left, failed = _asked(work)
    told = _merged(work)
    return told._replace(
        counts={**asked, **told.counts}, left=(*left, *told.left), failed=told.failed or failed
    )


def _asked(work: Work) -> tuple[dict[str, int], tuple[tuple[str, str], ...], bool]:
    """How many pairs the model was asked about; what it did not answer; whether that is to be noticed."""
    from memtui import llm

    if not work.config.consolidate.model or work.dry_run or llm.why_not(work.config.llm):
        return {}, (), False
    near = [(one.one, one.two) for one in clashes(work.vault, work.home).near]
    try:
        found = judged.ask_about(work.home, near, work.config)
    except MemtuiError as error:
        return {}, ((_("near pairs"), str(error)),), unable(error)
    return ({"asked": len(found)} if found else {}), (), False


def _merged(work: Work) -> Told:
    decided = decisions.decided([work.home])
    rejected = sorted(name for name, one in decided.items() if one.done == "rejected")
    mode = settings(work.vault, work.home).mode
    key = kept.digest(
        [
            work.name,
            work.home.layout,
            work.home.writable,
            mode,
            rejected,
            judged.stamp(work.home),
            _stands(work),
        ]
    )
    known = _known(work, key)
    if known is not None:
        return Told(known, _waiting() if known["waiting"] and mode != "auto" else ())
    count = clashes(work.vault, work.home)
    every = [one for one in finding.duplicates(work.vault, count) if one.id not in set(rejected)]
    pairs = [pair for one in every if (pair := _pair(work, count, one)) is not None]
    told = _told(work, count, every, pairs)
    if not work.dry_run and (mode != "auto" or not pairs):
        # Nothing was written: as long as nothing changes, and nothing expires, it is the same.
        ends = (one.expires for one in count.memories.values() if one.expires is not None)
        until = min((end for end in ends if end > work.now), default=None)
        kept.remember(work.home, {"key": key, "until": until, "counts": dict(told.counts)})
    return told


def _stands(work: Work) -> list[tuple[str, str]]:
    """The files that were looked at, each with the etag of its bytes."""
    stand: list[tuple[str, str]] = []
    wanted = Filter(layers=ASKED, statuses=frozenset(), parts=True, homes=frozenset({work.name}))
    for target in work.vault.targets(wanted):
        if target.index is None:
            # What no index follows is looked at anew each time.
            return [("", f"{work.now}")]
        stand += marks(target.index, wanted).items()
    return stand


def _known(work: Work, key: str) -> dict[str, int] | None:
    """What came of the same files the last time; None: it has to be worked out."""
    found = kept.recall(work.home)
    try:
        until, counts = found["until"], {name: int(found["counts"][name]) for name in ("exact", "waiting")}
        return counts if found["key"] == key and (until is None or work.now < float(until)) else None
    except (KeyError, TypeError, ValueError):
        return None


def _waiting() -> tuple[str, ...]:
    return (_("They wait in Review (5): nothing is merged by itself while distill.mode is review."),)


def _pair(work: Work, count: Clashes, candidate: Candidate) -> tuple[Memory, Memory] | None:
    """The one to keep and the other, where both stand in stores and say letter for letter the same."""
    keep, other = (count.memories.get(named) for named in candidate.memories[:2])
    if keep is None or other is None or normal(keep.text) != normal(other.text):
        return None
    for one in (keep, other):
        found = role(count.home, one.path)
        if found is None or found.parser not in STORES or one.status is not Status.ACTIVE:
            return None
    return None if why_not("supersede", other, work.vault) else (keep, other)


def _told(work: Work, count: Clashes, every: list[Candidate], pairs: list[tuple[Memory, Memory]]) -> Told:
    counts = {"exact": len(pairs), "waiting": len(every)}
    if not every:
        return Told(counts)
    if count.config.mode != "auto":
        return Told(counts, _waiting())
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
