"""What sessions teach about trouble: heard and written down, reported, and made a skill of where the gates are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.curation.consolidate.work import Told, brief, unable
from memtui.errors import MemtuiError, RefusedError
from memtui.locale import _
from memtui.writes import KEEPER

if TYPE_CHECKING:
    from memtui.curation.consolidate.work import Work

_MADE = "skill"
"""In the memo: a skill was drafted in this week."""


def heard(work: Work) -> Told:
    """Hear the sessions that nobody has heard yet, of all homes, and then write the reports of what comes back.

    Several homes may share a log: what is reported of one is all that was heard of any.
    """
    from memtui.evolution import backfill, report
    from memtui.evolution.overview import overview

    vault = work.vault
    count, patterns = 0, 0
    lines: list[str] = []
    left: list[tuple[str, str]] = []
    failed = False
    for home in vault.homes:
        if work.dry_run:
            count += len(backfill.unheard(vault, home))
            continue
        try:
            count += backfill.backfill(vault, home, progress=work.tell, who=KEEPER, group=work.group)
        except MemtuiError as error:
            left.append((home.label, str(error)))
            failed |= unable(error)
    for home in vault.homes:
        found = overview(vault, home, work.now).patterns
        active = [one for one in found if one.status == "active" and one.priority != "normal"]
        patterns += len(active)
        told = f"{home.label}: " if len(vault.homes) > 1 else ""
        lines += (f"{told}{one.key}: {one.count} ({one.priority})" for one in active)
        try:
            if not work.dry_run:
                report.write(vault, home, who=KEEPER, group=work.group)
        except MemtuiError as error:
            left.append((home.label, str(error)))
            failed |= unable(error)
    return Told({"heard": count, "patterns": patterns}, tuple(lines), tuple(left), failed=failed)


def skilled(work: Work) -> Told:
    """Draft a skill of a pattern where all four gates are open; it waits in Review. One a week, one at a time."""
    from memtui.curation import decisions
    from memtui.curation.proposing import undecided
    from memtui.evolution import gates
    from memtui.evolution.overview import overview
    from memtui.evolution.skills import capability, proposed

    found = gates.of(work.vault, work.home, work.now)
    decided = decisions.decided([work.home])
    waits = proposed.waiting(work.home, work.vault.config)
    waiting = [brief(one.said) for one in waits if undecided(one, decided)]
    counts = {"open": sum(gate.open for gate in found), "waiting": len(waiting)}
    closed = [gate for gate in found if not gate.open]
    active = (one for one in overview(work.vault, work.home, work.now).patterns if one.status == "active")
    if not waiting and all(one.count < gates.COUNT for one in active):
        return Told()
    if closed:
        return Told(counts, tuple(f"{gate.title}: {gate.value} ({gate.wanted})" for gate in closed))
    if waiting or work.memo.get(_MADE):
        return Told(counts, tuple(waiting), memo={_MADE: 1})
    if work.dry_run:
        return Told(counts, (_("A skill would be drafted, and wait in Review."),))
    try:
        made = capability.propose(work.vault, work.home, who=KEEPER, group=work.group)
    except RefusedError as error:
        return Told(counts, left=(("", str(error)),))
    return Told({**counts, "proposed": 1}, (brief(made.said),), memo={_MADE: 1})
