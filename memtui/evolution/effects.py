"""What experiences did (spec 002), from the log alone: p = (s + 1) / (s + f + 2), halved every half-life.

`compute_effects`, pure: a session counts once for each experience that was used in it, by the log's last word
on how it went; what a person says of an experience counts as one more.

`load_values`: what lessons are worth now, for a session's start. A hook waits for it, so it is computed once
for each state of the logs and kept in the cache; without the cache it takes longer and gives the same.

What evolution finds, as plain values: what is kept of it is read back without what works it out.

`Pattern` and `Streak`: what came back. `Gate`: a condition for a new skill. `SummaryReading`: one session's summary.
`Shift`: what changed in a week. `Overview`: all of a home.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.core.startup import sha256
from memtui.evolution.audit import PATH, merge_logs, parse_log
from memtui.fs.files import HomeReader
from memtui.fs.places import find_cache_directory, replace_private_file
from memtui.layouts import load_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from memtui.core.config import EvolutionConfig
    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import ExperienceRef, Log, Outcome, SessionSignals, Verdict
    from memtui.language.conversation import Signal


TREND = 8
"""So many of the last known sessions make the trend."""
DAY = 86400.0


class Effect(NamedTuple):
    """One experience: how often it was used, how the sessions went that used it, what people say of it."""

    experience: str
    """The id that it was last referred to by."""
    refs: int = 0
    """In how many sessions it was used."""
    good: int = 0
    bad: int = 0
    """Sessions that used it and went well, or failed; of the others nobody knows."""
    helpful: int = 0
    wrong: int = 0
    """People who say so."""
    stale: bool = False
    """Somebody says that it no longer holds."""
    first: float | None = None
    last: float | None = None
    """When it was first and last used."""
    sessions: tuple[str, ...] = ()
    """Those that used it, oldest first."""
    trend: tuple[float, ...] = ()
    """p after each of the last sessions and verdicts that tell, oldest first."""
    digest: str = ""
    """Of what it said without markup then, where the log has that."""

    @property
    def known(self) -> int:
        """How many sessions and people say how it did."""
        return self.good + self.bad + self.helpful + self.wrong

    @property
    def p(self) -> float:
        """0 to 1: the smoothed share of successes (Laplace)."""
        return smooth_ratio(self.good + self.helpful, self.bad + self.wrong)

    def decay(self, now: float, half_life_days: float) -> float:
        """0 to 1: what its age, since it was last used, leaves of it."""
        if self.last is None:
            return 1.0
        return float(0.5 ** (max(0.0, now - self.last) / DAY / max(half_life_days, 1e-6)))

    def value(self, now: float, half_life_days: float) -> float:
        """0 to 1: spec 002's decay_value."""
        return self.p * self.decay(now, half_life_days)


def smooth_ratio(good: int, bad: int) -> float:
    """(s + 1) / (s + f + 2): one half while nothing is known."""
    return (good + 1) / (good + bad + 2)


def compute_effects(
    log: Log, now: float, config: EvolutionConfig, known: Mapping[str, Memory] | None = None
) -> list[Effect]:
    """The effect of every experience in the log, best first. By `known`, spellings of one memory are one experience."""
    # Who cannot tell how a session went does not take back what somebody could tell.
    went = {outcome.session: outcome for outcome in log.outcomes if outcome.status != "unknown"}
    used: dict[str, list[ExperienceRef]] = {}
    said: dict[str, dict[str, Verdict]] = {}
    for ref in log.refs:
        used.setdefault(_derive_key(ref, known), []).append(ref)
    for verdict in log.verdicts:
        if not verdict.who.startswith(("agent", "hook")):
            # What somebody says later takes the place of what they said before.
            said.setdefault(_derive_key(verdict, known), {})[verdict.who] = verdict
    found = [_compute_effect(used.get(key, ()), said.get(key, {}).values(), went) for key in {**used, **said}]
    return sorted(found, key=lambda one: (-one.value(now, config.half_life_days), one.experience))


def _compute_effect(refs: Iterable[ExperienceRef], verdicts: Iterable[Verdict], went: Mapping[str, Outcome]) -> Effect:
    refs, verdicts = list(refs), list(verdicts)
    sessions: dict[str, float] = {}
    for ref in refs:
        at = ref.time if ref.time is not None else float("inf")
        sessions[ref.session] = min(at, sessions.get(ref.session, at))
    ordered = sorted(sessions, key=lambda session: (sessions[session], session))
    told = {"success": True, "failed": False, "helpful": True, "wrong": False}
    steps = [
        (sessions[name], name, told[went[name].status])
        for name in ordered
        if name in went and went[name].status in told
    ]
    good = sum(step[2] for step in steps)
    opinions = [(_order_time(one.time), one.who, told[one.verdict]) for one in verdicts if one.verdict in told]
    helpful = sum(opinion[2] for opinion in opinions)
    times = [ref.time for ref in refs if ref.time is not None]
    times = times or [one.time for one in verdicts if not refs and one.time is not None]
    _time, named, plain = max(
        (_order_time(one.time, first=True), one.experience, one.digest) for one in (refs or verdicts)
    )
    return Effect(
        named,
        len(sessions),
        good,
        len(steps) - good,
        helpful,
        len(opinions) - helpful,
        any(one.verdict == "stale" for one in verdicts),
        min(times, default=None),
        max(times, default=None),
        tuple(ordered),
        _compute_trend(sorted([*steps, *opinions])),
        plain,
    )


def _compute_trend(steps: Iterable[tuple[float, str, bool]]) -> tuple[float, ...]:
    good = bad = 0
    found: list[float] = []
    for _time, _name, well in steps:
        good, bad = good + well, bad + (not well)
        found.append(smooth_ratio(good, bad))
    return tuple(found[-TREND:])


def _order_time(time: float | None, first: bool = False) -> float:
    return time if time is not None else float("-inf" if first else "inf")


def _derive_key(said: ExperienceRef | Verdict, known: Mapping[str, Memory] | None) -> str:
    """One for all spellings of an experience: a rule is the same under another heading."""

    memory = find_experience(known, said.experience, said.digest) if known else None
    if memory is not None:
        return f"memory:{memory.id}"
    parts = said.experience.split(":")
    return f"rule:{parts[1]}:{parts[-1]}" if parts[0] == "rule" and len(parts) > 3 else said.experience


LARGEST = 16 * 1024 * 1024
"""Bytes of one log, and of what is kept of it, beyond which no hook reads it."""


def load_values(homes: Iterable[Home], config: EvolutionConfig, now: float) -> dict[str, float]:
    """Digests of experiences that are known to help or not, and what each is worth. Never raises."""
    return {
        digits: effect.value(now, config.half_life_days)
        for digits, effect in _load_effects_of(homes, config, now).items()
    }


def _load_effects_of(homes: Iterable[Home], config: EvolutionConfig, now: float) -> dict[str, Effect]:
    logs: list[tuple[str, int, int]] = []
    keeping = sorted({home.path for home in homes if load_facts(home).log_dialect})
    for path in keeping:
        with suppress(OSError, ValueError):
            status = os.stat(path / PATH)
            if 0 < status.st_size <= LARGEST:
                logs.append((str(path), status.st_size, status.st_mtime_ns))
    if not logs:
        return {}
    file = (
        find_cache_directory() / "effects" / sha256("\0".join(log[0] for log in logs).encode("utf-8", "replace"))[:24]
    )
    kept = _load_kept(file, logs)
    if kept is None:
        kept = _compute_all(logs, config, now)
        _keep(file, logs, kept)
    return kept


def _compute_all(logs: list[tuple[str, int, int]], config: EvolutionConfig, now: float) -> dict[str, Effect]:
    read = []
    for home, _size, _time in logs:
        with suppress(MemtuiError, OSError), HomeReader(home) as reader:
            lines = reader.read(PATH, LARGEST)[0].split(b"\n")
            # Signals are most of a log, and tell nothing of experiences.
            read.append(parse_log(b"\n".join(line for line in lines if b"xperience_id" in line or b"utcome" in line)))
    found: dict[str, Effect] = {}
    for effect in compute_effects(merge_logs(read), now, config):
        kind, _colon, rest = effect.experience.partition(":")
        if effect.known and kind in {"avoidance", "rule"}:
            # The best comes first; of two with the same words the one counts that was used last.
            digits = rest.rpartition(":")[2]
            other = found.get(digits)
            if other is None or (other.last or 0.0) < (effect.last or 0.0):
                found[digits] = effect
    return found


def _load_kept(file: Path, logs: list[tuple[str, int, int]]) -> dict[str, Effect] | None:
    """What was worked out from just these logs; None: nothing was."""
    try:
        with file.open("rb") as held:
            plain: dict[str, Any] = json.loads(held.read(LARGEST))
        if plain["of"] != [list(log) for log in logs]:
            return None
        return {str(digits): _read(*row) for digits, row in plain["effects"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def _read(good: int, bad: int, helpful: int, wrong: int, last: float | None) -> Effect:
    counts = [max(0, int(count)) for count in (good, bad, helpful, wrong)]
    return Effect("", 0, counts[0], counts[1], counts[2], counts[3], last=None if last is None else float(last))


def _keep(file: Path, logs: list[tuple[str, int, int]], found: dict[str, Effect]) -> None:
    rows = {key: [one.good, one.bad, one.helpful, one.wrong, one.last] for key, one in found.items()}
    # Losing it costs a hook some milliseconds, no memory.
    with suppress(OSError, MemtuiError):
        replace_private_file(file, json.dumps({"of": logs, "effects": rows}).encode(), sync=False)


def find_experience(among: Mapping[str, Memory], id: str, digest: str = "") -> Memory | None:
    """The memory that an id of the log means; a rule stays the same under another heading, not in another project.

    `digest`: of what it said without markup, if the log has that: it finds what was marked up otherwise since.
    """
    exact = among.get(id)
    if exact is not None or ":" not in id:
        return exact
    kind, _colon, rest = id.partition(":")
    same = among.get(rest.rpartition(":")[2]) if kind in {"avoidance", "rule"} else None
    same = among.get(digest) if same is None and digest and kind in {"avoidance", "rule"} else same
    if same is None or kind != "rule" or same.layer is Layer.CORE:
        return same
    return same if rest.partition(":")[0] == derive_rule_project(same.path) else None


def derive_rule_project(path: str) -> str:
    """The project that a file of rules is about."""
    return path.split("/")[-2] if "/" in path else ""


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


class SummaryReading(NamedTuple):
    """What one session's summary says."""

    session: str
    time: float | None
    project: str
    path: str
    signals: tuple[Signal, ...]
    outcome: str
    """As it is written: 'failed: the tests do not pass'; empty: it does not say."""
    transcript: str
    """Where it says that the transcript is; empty: nowhere."""


Kind = Literal["new", "returned", "escalated", "weak", "calmed", "settled", "strong", "skill"]


KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they matter."""


class Shift(NamedTuple):
    """One thing that changed."""

    kind: Kind
    key: str
    """A pattern's key, or an experience's id; of a skill that of the pattern that it was made from."""
    name: str
    """What it is called, for a person."""
    before: str
    """'normal', 'high', 'active', '0.62'; empty: it was not there."""
    after: str

    @property
    def good(self) -> bool:
        """Whether that is good news."""
        return self.kind in {"calmed", "settled", "strong", "skill"}

    @property
    def said(self) -> str:
        """The sentence for it."""
        told = {
            "new": _("{name} has come up: {after}"),
            "returned": _("{name} was resolved, and is back"),
            "escalated": _("{name} went from {before} to {after}"),
            "calmed": _("{name} eased: {before}, now {after}"),
            "settled": _("{name} is {after}"),
            "weak": _("{name} has a low success rate by now: {after}"),
            "strong": _("{name} has a high success rate by now: {after}"),
            "skill": _("the skill {name} was made"),
        }[self.kind]
        return told.format(name=self.name, before=_(self.before) or "-", after=_(self.after) or "-")


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
    sessions: tuple[SessionSignals, ...]
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
    def window(self) -> tuple[SessionSignals, ...]:
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


FLAGGED, HIGH, CRITICAL = 2, 3, 5
"""So many failed sessions in a row are shown, are high, are critical."""


class Pattern(NamedTuple):
    """One type of signal, or one problem, as it stands."""

    key: str
    """What it is settled by: 'environment_issue', 'environment_issue:docker daemon'."""
    type: str
    """One of spec 002's eight."""
    about: str
    """Empty: all signals of the type."""
    count: int  # type: ignore[assignment]  # nobody asks a pattern for a tuple's count()
    """Sessions of the window that have it."""
    window: int
    """Sessions in the window: fewer than are set only where there are no more."""
    priority: str
    """normal, high, critical; normal wherever it is not active."""
    status: str
    """active, addressed, suppressed as spec 002 has them; quiet: not heard in its window, or for a month."""
    who: str = ""
    """Who said so; empty: nobody, it follows from the sessions."""
    reason: str = ""
    first: float | None = None
    last: float | None = None
    times: int = 0
    """Sessions in all that have it."""
    history: tuple[int, ...] = ()
    """The count in each window back in time, oldest first; windows do not overlap."""
    sessions: tuple[SessionSignals, ...] = ()
    """Oldest first: of a type those of the window that have it, of a problem all that ever had it."""
    returned: bool = False
    """It was addressed, and has come back often enough to be active again."""
    project: str = ""
    """Whose sessions it is counted over; empty: all of the home."""
    means: frozenset[str] = frozenset()
    """Every way in which its signals name what they are about."""
    types: frozenset[str] = frozenset()
    """All types that its signals have: some tell only that it failed, some why."""

    @property
    def lines(self) -> tuple[tuple[SessionSignals, Signal], ...]:
        """What was heard, session by session: a line that is told as two types stands here once."""
        every = ((heard, sign) for heard in self.sessions for sign in heard.signals if self.has(sign))
        once = {(heard.session, sign.path, sign.line, sign.text): (heard, sign) for heard, sign in every}
        return tuple(once.values())

    def has(self, sign: Signal) -> bool:
        """Whether a signal is one of this pattern."""
        return sign.type in self.types and (not self.about or sign.about in self.means)


class Streak(NamedTuple):
    """The last sessions that failed one after the other."""

    length: int = 0
    sessions: tuple[str, ...] = ()
    """Oldest first."""

    @property
    def flagged(self) -> bool:
        """Whether it is worth a word."""
        return self.length >= FLAGGED

    @property
    def priority(self) -> str:
        """normal, high from three, critical from five."""
        return "critical" if self.length >= CRITICAL else "high" if self.length >= HIGH else "normal"
