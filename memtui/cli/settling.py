"""Saying how a pattern stands, and what an experience is worth: verbs of `memtui evolution`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.cli.evolution import Asked
    from memtui.evolution.events import PatternStatus, Verdicts
    from memtui.evolution.overview import Overview
    from memtui.evolution.patterns import Pattern
    from memtui.model import Home, Memory
    from memtui.vault import Vault

NEAR = 8
"""Patterns that are named where none was meant."""


def settle(status: PatternStatus, opened: Vault, home: Home, asked: Asked) -> int:
    """A pattern stands so from now on."""
    from memtui.cli import receipts
    from memtui.cli.evolution import looked
    from memtui.evolution import settling

    one = meant(looked(opened, home), asked.name)
    told = settling.remark(one, status, opened.config.evolution)
    receipt = settling.settle(opened, home, one.key, status, asked.reason)
    if asked.as_json:
        output.document(
            {"pattern": one.key, "status": status, "remark": told or None, "receipt": receipts.plain(receipt)}
        )
    else:
        receipts.say([receipt])
        if told:
            output.talk(told)
    return 0


def meant(found: Overview, name: str) -> Pattern:
    """The pattern that a person means: by its key, by what it is about, or by a beginning of either. Or UsageError."""
    every = (*found.patterns, *found.problems)
    exact = [one for one in every if name in {one.key, one.about}]
    near = exact or [one for one in every if one.key.startswith(name) or one.about.startswith(name)]
    near = near or [one for one in every if all(word in one.key for word in name.split())]
    if len(near) == 1 or (exact and len({one.key for one in exact}) == 1):
        return near[0]
    told = ", ".join(one.key for one in (near or every)[:NEAR])
    if not told:
        raise UsageError(_("No pattern is known here yet."))
    raise UsageError(
        (
            _("'{name}' may be several: {found}") if near else _("There is no pattern '{name}': {found}")
        ).format(name=name[:80], found=told)
    )


def judge(verdict: Verdicts, opened: Vault, home: Home, asked: Asked) -> int:
    """Somebody says what an experience is worth."""
    from memtui.cli import receipts
    from memtui.evolution import audit

    memory = _experience(opened, asked.name)
    receipt = audit.verdict(opened, memory, verdict, asked.reason)
    if asked.as_json:
        output.document({"memory": memory.id, "verdict": verdict, "receipt": receipts.plain(receipt)})
    else:
        receipts.say([receipt])
    return 0


def _experience(opened: Vault, name: str) -> Memory:
    from memtui.evolution import experience

    memory = opened.memory(name) or experience.found(experience.known(opened), name)
    if memory is None:
        raise UsageError(
            _("There is no memory '{id}': `memtui evolution effects` names some.").format(id=name[:80])
        )
    return memory
