"""What was learnt, as rows hold it: each knows its home and has a key of its own, so that the cursor holds on to it.

How they look is `learning_rows`' business, what stands beside them `learning_told`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.evolution.effect import Effect
    from memtui.evolution.events import Heard, Outcome, Signal
    from memtui.evolution.gates import Gate
    from memtui.evolution.overview import Overview
    from memtui.evolution.patterns import Pattern, Streak
    from memtui.evolution.shifts import Shift
    from memtui.evolution.skills.installed import Capability
    from memtui.model import Home, Memory


class Learnt(NamedTuple):
    """One home, and what it has learnt."""

    home: Home
    overview: Overview
    capabilities: tuple[Capability, ...]


class All(NamedTuple):
    """All homes in view."""

    homes: tuple[Learnt, ...] = ()
    effects: tuple[tuple[Effect, Memory | None], ...] = ()
    """Every experience and the memory that it is, best first: those of one home are used in others' sessions."""
    known: bool = True
    """Whether it is worked out for every home in view; else it is still to come."""
    at: float | None = None
    """When the oldest of it was worked out; None: now."""

    def outcome(self, session: str) -> tuple[Learnt, Outcome] | None:
        """How a session went, and whose it is."""
        from memtui.evolution.past import called

        name = called(session)
        for learnt in self.homes:
            if (found := learnt.overview.outcomes.get(name)) is not None:
                return learnt, found
        return None


class Problem(NamedTuple):
    """A pattern of signals: one of the eight types, or one problem that comes back."""

    key: str
    learnt: Learnt
    pattern: Pattern
    whose: str = ""
    """The home's label, where several have some."""


class Lesson(NamedTuple):
    """An experience whose effect is tracked."""

    key: str
    effect: Effect
    memory: Memory | None
    """What it says; None: that is nowhere to be found."""


class Run(NamedTuple):
    """Sessions that failed one after the other."""

    key: str
    learnt: Learnt
    streak: Streak


class Checked(NamedTuple):
    """A gate on the way to a skill."""

    key: str
    learnt: Learnt
    gate: Gate


class Skill(NamedTuple):
    """A skill that was made."""

    key: str
    learnt: Learnt
    capability: Capability


class Paper(NamedTuple):
    """A home's report, as it was written or as it would be."""

    key: str
    home: Home
    text: str
    written: bool


class Change(NamedTuple):
    """What is another since a week ago."""

    key: str
    learnt: Learnt
    shift: Shift


class Sitting(NamedTuple):
    """A session among those that a number counts."""

    key: str
    learnt: Learnt
    session: str
    heard: Heard | None
    outcome: Outcome | None
    lines: tuple[Signal, ...]


class Line(NamedTuple):
    """One of the lines that a number counts."""

    key: str
    learnt: Learnt
    heard: Heard
    signal: Signal
