"""Experiences that do little (spec 002): proposed for the archive, never put away by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.curation.candidates import Candidate, identified
from memtui.curation.finding import source
from memtui.curation.obstacles import why_not
from memtui.locale import _, _n
from memtui.model import PERISHABLE, Layer
from memtui.parse.owned import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.curation.census import Census, Remembered
    from memtui.evolution.effect import Effect
    from memtui.model import Memory
    from memtui.vault import Vault


def candidates(vault: Vault, count: Census | Remembered) -> Iterator[Candidate]:
    """What was used, or judged, and is worth less than `evolution.weak` by now; and what somebody calls stale.

    A lesson that nobody ever used is not weak: nobody knows. Nor is one whose sessions never told how they went.
    """
    from memtui.evolution.ledger import standing

    config = vault.config.evolution
    home, now = str(count.home.path), clock.now()
    for effect, memory in standing(vault):
        if memory is None or memory.home != home or memory.status not in PERISHABLE:
            continue
        if KEY in memory.extra:
            # A copy that memtui keeps up to date: it goes when what it is made of goes.
            continue
        weak = effect.known > 0 and effect.value(now, config.half_life_days) < config.weak
        if (weak or effect.stale) and not why_not("archive", memory, vault):
            yield _candidate(effect, memory, now, config.half_life_days)


def _candidate(effect: Effect, memory: Memory, now: float, half_life: float) -> Candidate:
    value = effect.value(now, half_life)
    return Candidate(
        identified("weak", memory.home, memory.text),
        "weak",
        memory.home,
        memory.text,
        memory.kind,
        memory.layer or Layer.KNOWLEDGE,
        None,
        1 - value,
        (
            ("p", f"{effect.p:.2f}"),
            ("decay", f"{effect.decay(now, half_life):.2f}"),
            ("effect", f"{value:.2f}"),
            ("ok/failed", f"{effect.good}/{effect.bad}"),
            ("helpful/wrong", f"{effect.helpful}/{effect.wrong}"),
            ("last", "" if effect.last is None else clock.day(effect.last)),
        ),
        (source(memory),),
        seen=effect.refs,
        time=effect.last,
        memories=(memory.id,),
        reason=_reason(effect, value),
    )


def _reason(effect: Effect, value: float) -> str:
    """Why it is proposed, in a sentence."""
    if effect.stale:
        return _("somebody says that it no longer holds")
    told = _("effect {value}").format(value=shown(value))
    if effect.bad or effect.wrong:
        failed = _n(
            "{bad} of {count} session failed", "{bad} of {count} sessions failed", effect.good + effect.bad
        )
        parts = [failed.format(bad=effect.bad)] if effect.bad else []
        if effect.wrong:
            parts.append(_n("{count} person calls it wrong", "{count} people call it wrong", effect.wrong))
        return f"{told}: {', '.join(parts)}"
    day = clock.day(effect.last) if effect.last is not None else "?"
    return told + ": " + _("not used since {day}").format(day=day)


def shown(value: float) -> str:
    """A value as it is shown: .83, 1.00."""
    return f"{value:.2f}".removeprefix("0")
