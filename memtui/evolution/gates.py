"""The four gates of spec 002 that stand before a new skill, each with its present value and what is wanted.

`gates` is a function of what is known and a clock; `of` gathers that for a home.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.locale import _, _n

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.config import EvolutionConfig
    from memtui.evolution.events import Outcome
    from memtui.evolution.patterns import Pattern
    from memtui.evolution.skills.records import State
    from memtui.model import Home
    from memtui.vault import Vault

Patterns = Sequence["Pattern"]

VARIABLE = "CAPABILITY_GENERATION"
PATTERNS, COUNT, SESSIONS = 2, 2, 5
"""So many patterns are wanted, each in so many sessions; so many sessions are looked at."""

_OFF = frozenset({"false", "0", "off", "no"})
"""What the variable says to switch it off, in any case."""
_HOUR = 3600.0
_SLACK = 1e-9


class Gate(NamedTuple):
    """One condition."""

    name: str
    """switch, cooldown, patterns or success."""
    title: str
    """For a person, as all that follows."""
    value: str
    wanted: str
    open: bool
    why: str = ""
    """What the value is made of, and what would open it."""
    counts: tuple[str, ...] = ()
    """The keys of the patterns, or the sessions (newest first), that the value counts."""


def gates(
    patterns: Sequence[Pattern],
    outcomes_newest_first: Sequence[Outcome],
    state: State,
    config: EvolutionConfig,
    now: float,
    env: Mapping[str, str],
) -> tuple[Gate, Gate, Gate, Gate]:
    """All four; a skill is made where each is open."""
    return (
        _switch(config, env),
        _cooldown(state, config, now),
        _patterns(patterns),
        _success(outcomes_newest_first[:SESSIONS], config),
    )


def of(
    vault: Vault, home: Home, now: float | None = None, known: tuple[Patterns, Patterns] | None = None
) -> tuple[Gate, ...]:
    """The gates of a home as it stands now. `known`: its patterns by type and its problems, worked out already."""
    from memtui.evolution import audit, past
    from memtui.evolution.events import Outcome
    from memtui.evolution.skills import records

    config = vault.config.evolution
    sessions = past.sessions(vault, home)
    went = past.outcomes(vault, home)
    times = {name: outcome.time for name, outcome in went.items()}
    times |= {one.session: one.time for one in sessions if one.time is not None}
    newest = sorted(times, key=lambda name: (times[name] or float("-inf"), name), reverse=True)[:SESSIONS]
    state, _events = records.read(vault, audit.where(home))
    return gates(
        unsettled(vault, home, known=known)[1],
        [went.get(name, Outcome(name, times[name], "unknown")) for name in newest],
        state,
        config,
        clock.now() if now is None else now,
        os.environ,
    )


def unsettled(
    vault: Vault,
    home: Home,
    without: frozenset[str] = frozenset(),
    known: tuple[Patterns, Patterns] | None = None,
) -> tuple[Patterns, Patterns]:
    """The problems of a home, and its patterns by type as far as no problem that is dealt with explains them.

    `without` are the keys of problems that count as dealt with as well, `known` is as of `of`.
    """
    from memtui.evolution import past, settling
    from memtui.evolution.patterns import patterns, problems

    heard, said, config = past.sessions(vault, home), settling.of(vault, home), vault.config.evolution
    types, found = known or (patterns(heard, said, config), problems(heard, said, config))
    done = [one for one in found if one.key in without or one.status in {"addressed", "suppressed"}]
    return found, [_left(one, done) for one in types]


def _left(pattern: Pattern, done: Patterns) -> Pattern:
    """A type's pattern without the sessions in which it was nothing but what is dealt with."""
    those = [one for one in done if pattern.type in one.types]
    if not those:
        return pattern
    left = tuple(
        heard
        for heard in pattern.sessions
        if any(pattern.has(sign) and not any(one.has(sign) for one in those) for sign in heard.signals)
    )
    return pattern._replace(count=min(pattern.count, len(left)), sessions=left)


def shut(found: Sequence[Gate]) -> str:
    """The gates that are not open, in a sentence for a person; empty: all are."""
    return "; ".join(
        _("{title}: {value}, wanted {wanted}").format(title=gate.title, value=gate.value, wanted=gate.wanted)
        for gate in found
        if not gate.open
    )


def _switch(config: EvolutionConfig, env: Mapping[str, str]) -> Gate:
    said = env.get(VARIABLE, "").strip()
    off = said.casefold() in _OFF
    why = _("{name} is {value}").format(name=VARIABLE, value=said) if off else ""
    if not config.generation:
        why = _("evolution.generation is off in the settings")
    opened = config.generation and not off
    return Gate("switch", _("skills may be made"), _("on") if opened else _("off"), _("on"), opened, why)


def _cooldown(state: State, config: EvolutionConfig, now: float) -> Gate:
    title = _("time since the last one")
    wanted = _("{hours:g} hours").format(hours=config.cooldown_hours)
    if state.last is None:
        return Gate("cooldown", title, _("none was made yet"), wanted, True)
    hours = (now - state.last) / _HOUR
    opened = hours >= config.cooldown_hours - _SLACK
    value = _("{hours:,.1f} hours").format(hours=hours)
    if hours >= 48:
        value = _n("{count} day", "{count} days", int(hours // 24))
    why = "" if opened else _("opens {when}").format(when=_moment(state.last + config.cooldown_hours * _HOUR))
    return Gate("cooldown", title, value, wanted, opened, why)


def _patterns(patterns: Sequence[Pattern]) -> Gate:
    found = [one for one in patterns if one.status == "active" and one.count >= COUNT]
    return Gate(
        "patterns",
        _("patterns that nobody has dealt with"),
        f"{len(found)}",
        _("at least {number}, each in {count} sessions or more").format(number=PATTERNS, count=COUNT),
        len(found) >= PATTERNS,
        ", ".join(f"{one.key} {one.count}×" for one in found),
        tuple(one.key for one in found),
    )


def _success(outcomes: Sequence[Outcome], config: EvolutionConfig) -> Gate:
    good = sum(one.status == "success" for one in outcomes)
    unknown = sum(one.status == "unknown" for one in outcomes)
    value = _("{good} of {count}").format(good=good, count=len(outcomes))
    if unknown:
        value += ", " + _n("{count} unknown", "{count} unknown", unknown)
    return Gate(
        "success",
        _("sessions that went well lately"),
        value,
        _("{share:.0%} of the last {count}").format(share=config.success, count=SESSIONS),
        bool(outcomes) and good >= config.success * len(outcomes) - _SLACK,
        _("a session counts only where it is known that it went well") if unknown else "",
        tuple(one.session for one in outcomes),
    )


def _moment(time: float) -> str:
    return clock.local(time).strftime("%Y-%m-%d %H:%M")
