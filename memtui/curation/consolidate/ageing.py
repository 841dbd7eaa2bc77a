"""Decay and expiry of memories, as `curation.lifecycle` plans them, and attachments whose time is over (spec 003)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memtui.curation import census, lifecycle
from memtui.curation.candidates import ARCHIVING
from memtui.curation.consolidate.work import Told, brief
from memtui.errors import UnavailableError
from memtui.locale import _
from memtui.writes import KEEPER

if TYPE_CHECKING:
    from memtui.curation.consolidate.work import Work
    from memtui.curation.lifecycle import Plan, Step
    from memtui.vault import Vault

_held: WeakKeyDictionary[Vault, dict[str, tuple[object, Plan]]] = WeakKeyDictionary()
_SHOWN = 10
"""Of what waits anyway, so many are named."""
_COUNTED = {"remove": "archived", "demote": "demoted", "expire": "expired"}


def faded(work: Work) -> Told:
    """What has grown faint becomes transient, what has faded away is put away; evergreen and pinned are exempt."""
    return _carried(work, frozenset({"remove", "demote"}))


def expired(work: Work) -> Told:
    """What says until when it holds, and that is past, is archived by a mark."""
    return _carried(work, frozenset({"expire"}))


def _carried(work: Work, wanted: frozenset[str]) -> Told:
    whole = _planned(work)
    failed = False
    planned = whole._replace(steps=tuple(step for step in whole.steps if step.what in wanted))
    if work.dry_run:
        done = tuple(step for step in planned.steps if not step.obstacle)
        left = tuple((_name(step), step.obstacle) for step in planned.steps if step.obstacle)
    else:
        ran = lifecycle.run(work.vault, planned, who=KEEPER, group=work.group, progress=work.tell)
        done = ran.done
        left = tuple((_name(one.step), one.reason) for one in ran.left)
        failed = any(one.status == UnavailableError.exit_status or not work.home.writable for one in ran.left)
    if "remove" in wanted:
        # The first of the two says for both what nobody could look at.
        left += tuple((one.path, one.reason) for one in whole.unread)
    counts: dict[str, int] = {}
    for step in done:
        name = _COUNTED[step.what]
        counts[name] = counts.get(name, 0) + 1
    return Told(counts, tuple(f"{_name(step)}: {step.why}" for step in done), left, failed=failed)


def _planned(work: Work) -> Plan:
    """What is due, looked for once for both steps as long as nothing was written."""
    held = _held.setdefault(work.vault, {})
    stamp = (work.vault.generation, work.now)
    known = held.get(work.name)
    if known is None or known[0] != stamp:
        plan = lifecycle.plan(
            work.vault, frozenset({work.name}), work.now, census.load(work.vault, work.home)
        )
        held[work.name] = known = (stamp, plan)
    return known[1]


def _name(step: Step) -> str:
    memory = step.memory
    return f"{memory.path}:{memory.start} {brief(memory.text)}"


def waiting(work: Work) -> Told:
    """Attachments whose time is over, and what seldom helped or is out of date: counted, for they wait in Review."""
    from memtui.curation import decisions
    from memtui.curation.candidates import ORIGINS
    from memtui.curation.proposing import aged

    found = sorted(
        aged(work.vault, work.home, decisions.decided([work.home])),
        key=lambda candidate: ORIGINS.index(candidate.origin),
    )
    over = [one for one in found if one.origin == "attachment"]
    others = [one for one in found if one.origin in ARCHIVING]
    shown = (*over, *others[:_SHOWN])
    lines = [brief(one.text) + (f": {one.reason}" if one.reason else "") for one in shown]
    if len(others) > _SHOWN:
        lines.append(_("… and {count} more").format(count=len(others) - _SHOWN))
    if over or others:
        lines.append(_("They wait in Review (5)."))
    return Told({"waiting": len(over), "stale": len(others)}, tuple(lines))
