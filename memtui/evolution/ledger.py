"""Which logs tell of a home, and what those around the open homes say together of experiences.

An experience of one home may be used in a session of another: effects are always worked out from all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar
from weakref import WeakKeyDictionary

from memtui import clock
from memtui.evolution import experience, log
from memtui.evolution.audit import where
from memtui.evolution.effect import effects
from memtui.evolution.log import Log

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.evolution.effect import Effect
    from memtui.evolution.events import Outcome
    from memtui.model import Home, Memory
    from memtui.vault import Vault
    from memtui.writing import Writing


class _Timed(Protocol):
    @property
    def time(self) -> float | None: ...


E = TypeVar("E", bound=_Timed)

_held: WeakKeyDictionary[Vault, tuple[object, list[tuple[Effect, Memory | None]]]] = WeakKeyDictionary()


def together(logs: Iterable[Log]) -> Log:
    """Several logs as one: of a session that several tell about, the newest word holds that says how it went."""
    logs = list(logs)
    if len(logs) == 1:
        return logs[0]
    went: dict[str, Outcome] = {}
    for one in logs:
        for session, outcome in {outcome.session: outcome for outcome in one.outcomes}.items():
            known = went.get(session)
            # Who cannot tell does not contradict who could.
            if known is None or _told(known) <= _told(outcome):
                went[session] = outcome
    verdicts = sorted((said for one in logs for said in one.verdicts), key=lambda said: said.time or 0.0)
    return Log(
        tuple(ref for one in logs for ref in one.refs),
        tuple(went.values()),
        tuple(verdicts),
        tuple(heard for one in logs for heard in one.heard),
        tuple(settled for one in logs for settled in one.settled),
        sum(one.skipped for one in logs),
    )


def _told(outcome: Outcome) -> tuple[bool, float]:
    return outcome.status != "unknown", outcome.time or 0.0


def of(vault: Writing, home: Home) -> Log:
    """The log that has the events of this home: its own, else memtui's own home's."""
    return log.read(vault, where(home))


def around(vault: Writing) -> list[Log]:
    """The logs that have the events of the open homes, each once."""
    return [log.read(vault, home) for home in dict.fromkeys(map(where, vault.homes))]


def at(vault: Vault, moment: float) -> list[tuple[Effect, Memory | None]]:
    """Every experience of the open homes as it stood at a moment, and the memory that it is; best first."""
    known = experience.known(vault)
    told = together(around(vault))
    told = told._replace(
        refs=tuple(until(told.refs, moment)),
        outcomes=tuple(until(told.outcomes, moment)),
        verdicts=tuple(until(told.verdicts, moment)),
    )
    found = effects(told, moment, vault.config.evolution, known)
    return [(one, experience.found(known, one.experience, one.digest)) for one in found]


def standing(vault: Vault) -> list[tuple[Effect, Memory | None]]:
    """The same as it stands now. Worked out again after a change, and every minute."""
    now = clock.now()
    stamp = (vault.generation, around(vault), vault.config.evolution, int(now // 60))
    held = _held.get(vault)
    if held is None or held[0] != stamp:
        _held[vault] = held = (stamp, at(vault, now))
    return held[1]


def until(events: Iterable[E], moment: float) -> list[E]:
    """Those of that time and before; what has no time is as old as anything."""
    return [one for one in events if one.time is None or one.time <= moment]
