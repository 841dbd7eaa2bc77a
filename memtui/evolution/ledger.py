"""What all logs around the open homes say together: an experience of one home may be used in a session of another."""

from __future__ import annotations

from typing import TYPE_CHECKING
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
    from memtui.model import Memory
    from memtui.vault import Vault

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


def around(vault: Vault) -> list[Log]:
    """The logs that have the events of the open homes, each once."""
    return [log.read(vault, home) for home in dict.fromkeys(map(where, vault.homes))]


def standing(vault: Vault) -> list[tuple[Effect, Memory | None]]:
    """Every experience of the open homes and the memory that it is, best first. Worked out again after changes only."""
    known = experience.known(vault)
    logs = around(vault)
    config = vault.config.evolution
    now = clock.now()
    stamp = (vault.generation, logs, config, int(now // 60))
    held = _held.get(vault)
    if held is None or held[0] != stamp:
        found = effects(together(logs), now, config, known)
        placed = [(one, experience.found(known, one.experience)) for one in found]
        _held[vault] = held = (stamp, placed)
    return held[1]
