"""What the homes in view have learnt from use, read at once on a reader's thread, and the rows that are made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.tui.learnt import (
    All,
    Change,
    Checked,
    Learnt,
    Lesson,
    Line,
    Paper,
    Problem,
    Run,
    Sitting,
    Skill,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.evolution.effect import Effect
    from memtui.evolution.events import Heard, Signal
    from memtui.model import Memory
    from memtui.tui.context import Context

REPORT = "evolution/signal_report_latest.md"


def read(context: Context, cancelled: Callable[[], bool] = lambda: False, *, glance: bool = False) -> All:
    """What every home in view has learnt, the current project's first, as far as it is worked out.

    `glance`: without the sessions behind the numbers. On a reader's thread.
    """
    from memtui.evolution.skills.installed import installed

    vault, analyst = context.vault, context.analyst
    found: list[Learnt] = []
    times: list[float] = []
    known = True
    for home in vault.homes:
        if cancelled():
            break
        if context.homes and str(home.path) not in context.homes:
            continue
        learned = analyst.load_overview(home, glance=glance)
        if learned is None:
            known = False
            continue
        if learned.at is not None:
            times.append(learned.at)
        found.append(Learnt(home, learned.overview, tuple(installed(vault, home))))
    effects = [
        (effect, memory)
        for effect, memory in analyst.load_effects()
        if memory is None or not context.homes or memory.home in context.homes
    ]
    return All(tuple(found), tuple(effects), known, min(times, default=None))


def lessons(found: All) -> list[Lesson]:
    """Every experience with its effect, the best first."""
    return [Lesson(f"effect:{effect.experience}", effect, memory) for effect, memory in found.effects]


def signals(found: All) -> list[Problem]:
    """The types of signals that were heard and the problems that came back, gravest first; what is settled last."""
    rows = [
        (learnt, one)
        for learnt in found.homes
        for one in (*learnt.overview.patterns, *learnt.overview.problems)
    ]
    several = len({learnt.home.path for learnt, _one in rows}) > 1
    made = [
        Problem(f"pattern:{learnt.home.path}:{one.key}", learnt, one, learnt.home.label if several else "")
        for learnt, one in rows
    ]
    return sorted(made, key=_gravity)


def pending(row: Problem) -> bool:
    """Whether it is still to be seen to."""
    return row.pattern.status == "active"


def runs(found: All) -> list[Run]:
    """Failures in a row, where there are any now."""
    return [
        Run(f"streak:{learnt.home.path}", learnt, learnt.overview.streak)
        for learnt in found.homes
        if learnt.overview.streak.flagged
    ]


def changes(found: All) -> list[Change]:
    """What is another since a week ago, the worst first."""
    rows = [(learnt, shift) for learnt in found.homes for shift in learnt.overview.changes]
    return [Change(f"change:{learnt.home.path}:{one.kind}:{one.key}", learnt, one) for learnt, one in rows]


def about(found: All, change: Change) -> Problem | Lesson | None:
    """What changed."""
    pattern = change.learnt.overview.pattern(change.shift.key)
    if pattern is not None:
        return Problem(f"pattern:{change.learnt.home.path}:{pattern.key}", change.learnt, pattern)
    return next((row for row in lessons(found) if row.effect.experience == change.shift.key), None)


def checked(learnt: Learnt) -> list[Checked]:
    """The four gates of a home that has sessions to learn from."""
    if not learnt.overview.sessions:
        return []
    return [Checked(f"gate:{learnt.home.path}:{gate.name}", learnt, gate) for gate in learnt.overview.gates]


def learners(found: All) -> list[Learnt]:
    """The homes that a skill may come of: with a pattern or a skill; else the first with sessions."""
    homes = [learnt for learnt in found.homes if learnt.overview.sessions]
    return [learnt for learnt in homes if learnt.overview.patterns or learnt.capabilities] or homes[:1]


def counted(row: Checked) -> list[Problem | Sitting]:
    """The patterns or sessions that a gate's value counts."""
    learnt, overview = row.learnt, row.learnt.overview
    heard = {one.session: one for one in overview.sessions}
    return [
        Problem(f"pattern:{learnt.home.path}:{pattern.key}", learnt, pattern)
        if (pattern := overview.pattern(key)) is not None
        else sitting(learnt, key, heard.get(key))
        for key in row.gate.counts
    ]


def skills(learnt: Learnt) -> list[Skill]:
    """What was made in a home."""
    return [Skill(f"skill:{learnt.home.path}:{one.name}", learnt, one) for one in learnt.capabilities]


def sittings(problem: Problem, heard: Iterable[Heard]) -> list[Sitting]:
    """The sessions with what a pattern counts in each, newest first."""
    found = [
        sitting(problem.learnt, one.session, one, lines)
        for one in heard
        if (lines := _once(signal for signal in one.signals if problem.pattern.has(signal)))
    ]
    return sorted(found, key=lambda row: -_when(row))


def _once(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """A line that tells of a problem in two ways is one line."""
    found: dict[tuple[str, int, str], Signal] = {}
    for one in signals:
        found.setdefault((one.path, one.line, one.text), one)
    return tuple(found.values())


def sitting(learnt: Learnt, session: str, heard: Heard | None, lines: tuple[Signal, ...] = ()) -> Sitting:
    """A session, with how it went."""
    outcome = learnt.overview.outcomes.get(session)
    return Sitting(f"session:{learnt.home.path}:{session}", learnt, session, heard, outcome, lines)


def of_run(run: Run) -> list[Sitting]:
    """The sessions that failed in a row, newest first, with all that was heard in them."""
    heard = {one.session: one for one in run.learnt.overview.sessions}
    return [
        sitting(run.learnt, session, one := heard.get(session), one.signals if one else ())
        for session in reversed(run.streak.sessions)
    ]


def used_in(found: All, effect: Effect) -> list[Sitting]:
    """The sessions that used an experience, newest first."""
    from memtui.evolution.past import called

    heard = {(id(learnt), one.session): one for learnt in found.homes for one in learnt.overview.sessions}
    rows = []
    for session in reversed(effect.sessions):
        known = found.outcome(session)
        learnt = known[0] if known is not None else next(iter(found.homes), None)
        if learnt is not None:
            name = called(session)
            rows.append(sitting(learnt, name, heard.get((id(learnt), name))))
    return rows


def lines(sitting: Sitting) -> list[Line]:
    """The lines of a session that are counted."""
    if sitting.heard is None:
        return []
    return [
        Line(f"{sitting.key}:{number}", sitting.learnt, sitting.heard, signal)
        for number, signal in enumerate(sitting.lines)
    ]


def papers(context: Context, found: All) -> list[Paper]:
    """The reports: as each home holds it, else as it would be written now."""
    from memtui.evolution import report

    rows = []
    for learnt in found.homes:
        home, key = learnt.home, f"report:{learnt.home.path}"
        if text := context.vault.text(str(home.path), REPORT):
            rows.append(Paper(key, home, text, True))
        elif learnt.overview.patterns:
            rows.append(Paper(key, home, report.text(learnt.overview), False))
    return rows


def reported(found: All, memory: Memory) -> bool:
    """Whether a signal that a report tells of was heard by ourselves, too: then that counts."""
    name = memory.extra.get("signal")
    return any(
        str(learnt.home.path) == memory.home and any(one.type == name for one in learnt.overview.patterns)
        for learnt in found.homes
    )


RANK = {"active": 0, "addressed": 1, "suppressed": 2, "quiet": 3}
GRAVITY = {"critical": 0, "high": 1, "normal": 2}


def _gravity(row: Problem) -> tuple[int, int, int, float, str]:
    one = row.pattern
    return RANK.get(one.status, 4), GRAVITY.get(one.priority, 3), -one.count, -(one.last or 0.0), one.key


def _when(row: Sitting) -> float:
    return (row.heard.time if row.heard is not None else None) or 0.0
