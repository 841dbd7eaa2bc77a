"""Everything that is shown of learning from use, in one answer: patterns, effects, gates, and what changed in a week.

Worked out once for a home as it stands; a minute later only what depends on the clock is another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memtui import clock
from memtui.evolution import audit, ledger, past, settling
from memtui.evolution.patterns import Pattern, Streak, patterns, problems, streak
from memtui.evolution.shifts import Shift, shifts, skills
from memtui.parse.veil import veiled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.config import EvolutionConfig
    from memtui.evolution.effect import Effect
    from memtui.evolution.events import Heard, Outcome, Settled
    from memtui.evolution.gates import Gate
    from memtui.evolution.log import Log
    from memtui.model import Home, Memory
    from memtui.vault import Vault

WEEK = 7 * 86400.0


class Overview(NamedTuple):
    """One home, at one moment."""

    home: Home
    now: float
    config: EvolutionConfig
    patterns: tuple[Pattern, ...]
    """One for each type that was ever heard, the most urgent first."""
    problems: tuple[Pattern, ...]
    """What came back, by what it is about."""
    streak: Streak
    effects: tuple[Effect, ...]
    """Of every experience in the log, best first."""
    gates: tuple[Gate, ...]
    sessions: tuple[Heard, ...]
    """Oldest first."""
    outcomes: Mapping[str, Outcome]
    """By session."""
    changes: tuple[Shift, ...]
    """What is another since a week ago, the worst first."""
    experiences: Mapping[str, Memory]
    """What each experience of the effects says, as far as it stands in an open home."""
    unheard: int = 0
    """Sessions that stand in no log yet: `backfill` hears them."""

    @property
    def window(self) -> tuple[Heard, ...]:
        """The last sessions, that types are counted over; oldest first."""
        return self.sessions[-self.config.window :]

    @property
    def weak(self) -> tuple[Effect, ...]:
        """Experiences below the lower threshold, the weakest first; those that nobody knows anything of are none."""
        low = [one for one in self.effects if one.known and self.value(one) < self.config.weak]
        return tuple(reversed(low))

    @property
    def strong(self) -> tuple[Effect, ...]:
        """Experiences above the upper threshold, best first."""
        return tuple(one for one in self.effects if self.value(one) > self.config.strong)

    def value(self, effect: Effect) -> float:
        """An effect's value at this moment."""
        return effect.value(self.now, self.config.half_life_days)

    def pattern(self, key: str) -> Pattern | None:
        """A pattern or problem by its key."""
        return next((one for one in (*self.patterns, *self.problems) if one.key == key), None)


_held: WeakKeyDictionary[Vault, dict[str, tuple[object, Overview]]] = WeakKeyDictionary()


def overview(vault: Vault, home: Home, now: float | None = None) -> Overview:
    """All of it, cached; `now` for another moment than this one, with what was known then."""
    moment = clock.now() if now is None else now
    log = ledger.of(vault, home)
    config = vault.config.evolution
    key = (vault.generation, int(moment // 60), config, log)
    held = _held.setdefault(vault, {})
    answer = held.get(str(home.path))
    if answer is None or answer[0] != key:
        answer = (key, _worked_out(vault, home, log, config, moment))
        held[str(home.path)] = answer
    return answer[1]


def _worked_out(vault: Vault, home: Home, log: Log, config: EvolutionConfig, now: float) -> Overview:
    from memtui.evolution import gates
    from memtui.evolution.skills.installed import installed

    every = past.sessions(vault, home)
    outcomes = past.outcomes(vault, home)
    settled = settling.of(vault, home)
    before = now - WEEK
    present = _seen(every, settled, config)
    earlier = _seen(ledger.until(every, before), ledger.until(settled, before), config)
    mine = _mine(vault, home, log, now)
    effects = tuple(one for one, _memory in mine)
    weaker = [one for one, _memory in _mine(vault, home, log, before)]
    experiences = {one.experience: memory for one, memory in mine if memory is not None}
    return Overview(
        home,
        now,
        config,
        *present,
        streak(every, outcomes),
        effects,
        gates.of(vault, home, now, present),
        tuple(every),
        outcomes,
        shifts(earlier, present, (weaker, before), (effects, now), experiences, config)
        + skills(installed(vault, home), before),
        experiences,
        sum(not one.line for one in every),
    )


Seen = tuple[tuple[Pattern, ...], tuple[Pattern, ...]]


def _seen(heard: Sequence[Heard], settled: Sequence[Settled], config: EvolutionConfig) -> Seen:
    return tuple(patterns(heard, settled, config)), tuple(problems(heard, settled, config))


def _mine(vault: Vault, home: Home, log: Log, moment: float) -> list[tuple[Effect, Memory | None]]:
    """Experiences that stand in this home, and those of its own log that stand nowhere, as they were at a moment."""
    own = {one.experience for part in (log.refs, log.verdicts) for one in part}
    kept = audit.where(home).path == home.path
    found: dict[str, tuple[Effect, Memory | None]] = {}
    for one, memory in ledger.at(vault, moment):
        if memory is None and kept and one.experience in own:
            # What names nobody's memory is whatever somebody wrote there, and is shown.
            shown = one._replace(experience=veiled(one.experience))
            found.setdefault(shown.experience, (shown, None))
        elif memory is not None and memory.home == str(home.path):
            found.setdefault(one.experience, (one, memory))
    return list(found.values())
