"""What evolution finds, as plain values: what is kept of it is read back without what works it out.

`Pattern` and `Streak`: what came back. `Gate`: a condition for a new skill. `SummaryReading`: one session's summary.
`Shift`: what changed in a week. `Overview`: all of a home.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from memtui.core.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.core.config import EvolutionConfig
    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import Outcome, SessionSignals
    from memtui.evolution.effects import Effect
    from memtui.language.conversation import Signal


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
