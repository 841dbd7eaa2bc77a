"""What the homes in view have learned from use, read at once on a reader's thread, and the rows that are made of it.

Each row knows its home and has a key of its own, so that the cursor stays on it. How rows look is
`evolution_rows`; the first functions draw the signals (spec 002) that only a report tells of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _
from memtui.store.session_ids import name_session
from memtui.tui import draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import Outcome, SessionSignals
    from memtui.evolution.effects import Effect, Gate, Overview, Pattern, Shift, Streak
    from memtui.evolution.skill_records import Capability
    from memtui.language.conversation import Signal
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.row_list import Brush

WINDOW = 8
"""Sessions that a signal is counted over (spec 002)."""

_GRAVITY = {"critical": (0, "CRITICAL", "bad"), "high": (1, "HIGH", "warn"), "normal": (2, "normal", "dim")}
_OTHER = (3, "", "dim")

ENDINGS = (
    ("the user says it does not work", "用户说仍有问题"),
    ("tests do not pass", "测试未通过"),
    ("the build does not pass", "构建未通过"),
    ("the user confirmed it", "用户已确认"),
    ("tests pass", "测试通过"),
    ("the build passes", "构建通过"),
    ("committed", "已提交"),
    ("the changes were thrown away", "改动已撤销"),
    ("not all of it is done", "还有未完成的事"),
    ("given up", "已放弃"),
    ("the agent reports it done", "代理报告已完成"),
    ("not finished", "尚未完成"),
)
"""Why sessions end as they do, as it is stored in the language of each (`Language.phrases`)."""


def translate_ending(reason: str) -> str:
    """The reason of an outcome in the person's language; what it quotes stays as it is."""
    for said, chinese in ENDINGS:
        for stored in (said, chinese):
            if reason.startswith(stored):
                return _(said) + reason[len(stored) :]
    return reason


def is_counted_signal(item: Memory) -> bool:
    """Whether it is a signal whose report says what and how often."""
    return item.kind == "signal" and "signal" in item.extra


def has_happened(item: Memory) -> bool:
    """Whether the report counts any: one that says 0 tells of nothing."""
    return is_counted_signal(item) and (_count(item) > 0 or "count" not in item.extra)


def rank_gravity(item: Memory | None) -> tuple[bool, int, int]:
    """What signals are sorted by: open ones first, the gravest and most frequent of them on top."""
    if item is None:
        return True, len(_GRAVITY), 0
    settled = item.extra.get("status") in {"addressed", "suppressed"}
    return settled, _rank_recurring(item)[0], -_count(item)


def draw_signal_row(item: Memory, brush: Brush) -> list[list[Piece]]:
    """CRITICAL  environment_issue   ▰▰▰▰▰▱▱▱  5 of last 8"""
    _rank, word, style = _rank_recurring(item)
    status = str(item.extra.get("status") or "")
    settled = status in {"addressed", "suppressed"}
    left: list[Piece] = [(" " + draw.pad(_(word), 9), "dim" if settled else style)]
    count = _count(item)
    right: list[Piece] = []
    if settled or brush.width < 48:
        # That it is active says nothing: all are that are not settled.
        told = _(status) if settled else draw.clip_to_line(status) if status != "active" else ""
        right.append((f" {count}× {told} " if told else f" {count}× ", "dim"))
    else:
        bar = "▰" * min(count, WINDOW) + "▱" * (WINDOW - min(count, WINDOW))
        often = (
            _("{count} of last {window}").format(count=count, window=WINDOW)
            if count <= WINDOW and brush.width >= 66
            else _("{count} of {window}").format(count=count, window=WINDOW)
            if count <= WINDOW
            else f"{count}×"
        )
        right += [(f" {bar}", style), (f"  {often} ", "dim")]
    named = str(item.extra["signal"])
    # The types of spec 002 have words; what else a report counts is called as it says.
    name = draw.clip_to_line(_(named) if named.isidentifier() else named)
    return [draw.fit_row(left, [(name, "dim" if settled else "")], right, brush.width)]


def _rank_recurring(item: Memory) -> tuple[int, str, str]:
    return _GRAVITY.get(str(item.extra.get("priority") or "").lower(), _OTHER)


def _count(item: Memory) -> int:
    count = item.extra.get("count")
    return count if isinstance(count, int) and not isinstance(count, bool) else 0


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

    def outcome(self, session: str) -> tuple[Learnt, Outcome] | None:
        """How a session went, and whose it is."""
        name = name_session(session)
        for learnt in self.homes:
            if (found := learnt.overview.outcomes.get(name)) is not None:
                return learnt, found
        return None


class ProblemRow(NamedTuple):
    """A pattern of signals: one of the eight types, or one problem that comes back."""

    key: str
    learnt: Learnt
    pattern: Pattern
    whose: str = ""
    """The home's label, where several have some."""

    @property
    def home(self) -> str:
        """Whose it is, as a list's badges know it."""
        return str(self.learnt.home.path)


class LessonRow(NamedTuple):
    """An experience whose effect is tracked."""

    key: str
    effect: Effect
    memory: Memory | None
    """What it says; None: that is nowhere to be found."""

    @property
    def home(self) -> str:
        """Whose it is, as a list's badges know it."""
        return self.memory.home if self.memory is not None else ""


class FailureRun(NamedTuple):
    """Sessions that failed one after the other."""

    key: str
    learnt: Learnt
    streak: Streak


class GateRow(NamedTuple):
    """A gate on the way to a skill."""

    key: str
    learnt: Learnt
    gate: Gate


class SkillRow(NamedTuple):
    """A skill that was made."""

    key: str
    capability: Capability


class Paper(NamedTuple):
    """A home's report, as it was written or as it would be."""

    key: str
    home: Home
    text: str
    written: bool


class ShiftRow(NamedTuple):
    """What is another since a week ago."""

    key: str
    learnt: Learnt
    shift: Shift


class Sitting(NamedTuple):
    """A session among those that a number counts."""

    key: str
    learnt: Learnt
    session: str
    heard: SessionSignals | None
    outcome: Outcome | None
    lines: tuple[Signal, ...]


class Line(NamedTuple):
    """One of the lines that a number counts."""

    key: str
    learnt: Learnt
    heard: SessionSignals
    signal: Signal


REPORT = "evolution/signal_report_latest.md"


def read(context: PaneContext, cancelled: Callable[[], bool] = lambda: False, *, glance: bool = False) -> All:
    """What every home in view has learnt, the current project's first, as far as it is worked out.

    `glance`: without the sessions behind the numbers. On a reader's thread.
    """
    from memtui.evolution.skill_records import list_installed_skills

    vault, analyst = context.vault, context.analyst
    found: list[Learnt] = []
    known = True
    for home in vault.homes:
        if cancelled():
            break
        if context.homes and str(home.path) not in context.homes:
            continue
        learned = analyst.load_overview(home, glance=glance)
        if learned is None:
            # Of what a colleague shares nothing is worked out here: nobody waits for that.
            known = known and home.origin is not None
            continue
        found.append(Learnt(home, learned.overview, tuple(list_installed_skills(vault, home))))
    effects = [
        (effect, memory)
        for effect, memory in analyst.load_effects()
        if memory is None or not context.homes or memory.home in context.homes
    ]
    return All(tuple(found), tuple(effects), known)


def list_lessons(found: All) -> list[LessonRow]:
    """Every experience with its effect, the best first."""
    return [LessonRow(f"effect:{effect.experience}", effect, memory) for effect, memory in found.effects]


def list_problems(found: All) -> list[ProblemRow]:
    """The types of signals that were heard and the problems that came back, gravest first; what is settled last."""
    rows = [(learnt, one) for learnt in found.homes for one in (*learnt.overview.patterns, *learnt.overview.problems)]
    several = len({learnt.home.path for learnt, _one in rows}) > 1
    made = [
        ProblemRow(f"pattern:{learnt.home.path}:{one.key}", learnt, one, learnt.home.label if several else "")
        for learnt, one in rows
    ]
    return sorted(made, key=_rank_gravity)


def is_pending_problem(row: ProblemRow) -> bool:
    """Whether it is still to be seen to."""
    return row.pattern.status == "active"


def list_failure_runs(found: All) -> list[FailureRun]:
    """Failures in a row, where there are any now."""
    return [
        FailureRun(f"streak:{learnt.home.path}", learnt, learnt.overview.streak)
        for learnt in found.homes
        if learnt.overview.streak.flagged
    ]


def list_changes(found: All) -> list[ShiftRow]:
    """What is another since a week ago, the worst first."""
    rows = [(learnt, shift) for learnt in found.homes for shift in learnt.overview.changes]
    return [ShiftRow(f"change:{learnt.home.path}:{one.kind}:{one.key}", learnt, one) for learnt, one in rows]


def find_changed(found: All, change: ShiftRow) -> ProblemRow | LessonRow | None:
    """What changed."""
    pattern = change.learnt.overview.pattern(change.shift.key)
    if pattern is not None:
        return ProblemRow(f"pattern:{change.learnt.home.path}:{pattern.key}", change.learnt, pattern)
    return next((row for row in list_lessons(found) if row.effect.experience == change.shift.key), None)


def list_gates(learnt: Learnt) -> list[GateRow]:
    """The four gates of a home that has sessions to learn from."""
    if not learnt.overview.sessions:
        return []
    return [GateRow(f"gate:{learnt.home.path}:{gate.name}", learnt, gate) for gate in learnt.overview.gates]


def list_learners(found: All) -> list[Learnt]:
    """The homes that a skill may come of: with a pattern or a skill; else the first with sessions."""
    homes = [learnt for learnt in found.homes if learnt.overview.sessions]
    return [learnt for learnt in homes if learnt.overview.patterns or learnt.capabilities] or homes[:1]


def list_counted(row: GateRow) -> list[ProblemRow | Sitting]:
    """The patterns or sessions that a gate's value counts."""
    learnt, overview = row.learnt, row.learnt.overview
    heard = {one.session: one for one in overview.sessions}
    return [
        ProblemRow(f"pattern:{learnt.home.path}:{pattern.key}", learnt, pattern)
        if (pattern := overview.pattern(key)) is not None
        else build_sitting(learnt, key, heard.get(key))
        for key in row.gate.counts
    ]


def list_learnt_skills(learnt: Learnt) -> list[SkillRow]:
    """What was made in a home."""
    return [SkillRow(f"skill:{learnt.home.path}:{one.name}", one) for one in learnt.capabilities]


def list_sittings(problem: ProblemRow, heard: Iterable[SessionSignals]) -> list[Sitting]:
    """The sessions with what a pattern counts in each, newest first."""
    found = [
        build_sitting(problem.learnt, one.session, one, lines)
        for one in heard
        if (lines := _drop_doubles(signal for signal in one.signals if problem.pattern.has(signal)))
    ]
    return sorted(found, key=lambda row: -_read_time(row))


def _drop_doubles(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """A line that tells of a problem in two ways is one line."""
    found: dict[tuple[str, int, str], Signal] = {}
    for one in signals:
        found.setdefault((one.path, one.line, one.text), one)
    return tuple(found.values())


def build_sitting(
    learnt: Learnt, session: str, heard: SessionSignals | None, lines: tuple[Signal, ...] = ()
) -> Sitting:
    """A session, with how it went."""
    outcome = learnt.overview.outcomes.get(session)
    return Sitting(f"session:{learnt.home.path}:{session}", learnt, session, heard, outcome, lines)


def list_run_sittings(run: FailureRun) -> list[Sitting]:
    """The sessions that failed in a row, newest first, with all that was heard in them."""
    heard = {one.session: one for one in run.learnt.overview.sessions}
    return [
        build_sitting(run.learnt, session, one := heard.get(session), one.signals if one else ())
        for session in reversed(run.streak.sessions)
    ]


def list_using_sittings(found: All, effect: Effect) -> list[Sitting]:
    """The sessions that used an experience, newest first."""
    heard = {(id(learnt), one.session): one for learnt in found.homes for one in learnt.overview.sessions}
    rows = []
    for session in reversed(effect.sessions):
        known = found.outcome(session)
        learnt = known[0] if known is not None else next(iter(found.homes), None)
        if learnt is not None:
            name = name_session(session)
            rows.append(build_sitting(learnt, name, heard.get((id(learnt), name))))
    return rows


def list_sitting_lines(sitting: Sitting) -> list[Line]:
    """The lines of a session that are counted."""
    if sitting.heard is None:
        return []
    return [
        Line(f"{sitting.key}:{number}", sitting.learnt, sitting.heard, signal)
        for number, signal in enumerate(sitting.lines)
    ]


def list_reports(context: PaneContext, found: All) -> list[Paper]:
    """The reports: as each home holds it, else as it would be written now."""
    from memtui.evolution import overview

    rows = []
    for learnt in found.homes:
        home, key = learnt.home, f"report:{learnt.home.path}"
        if text := context.vault.text(str(home.path), REPORT):
            rows.append(Paper(key, home, text, True))
        elif learnt.overview.patterns:
            rows.append(Paper(key, home, overview.render_report(learnt.overview), False))
    return rows


def is_reported_elsewhere(found: All, memory: Memory) -> bool:
    """Whether a signal that a report tells of was heard by ourselves, too: then that counts."""
    name = memory.extra.get("signal")
    return any(
        str(learnt.home.path) == memory.home and any(one.type == name for one in learnt.overview.patterns)
        for learnt in found.homes
    )


RANK = {"active": 0, "addressed": 1, "suppressed": 2, "quiet": 3}
GRAVITY = {"critical": 0, "high": 1, "normal": 2}


def rank_row(row: ProblemRow | FailureRun | Memory) -> tuple[bool, int]:
    """What rows of several sorts are put together by: what is settled last, then the gravest first."""
    match row:
        case ProblemRow():
            return row.pattern.status != "active", GRAVITY.get(row.pattern.priority, 3)
        case FailureRun():
            return False, GRAVITY.get(row.streak.priority, 3)
    return rank_gravity(row)[:2]


def _rank_gravity(row: ProblemRow) -> tuple[int, int, int, float, str]:
    one = row.pattern
    return RANK.get(one.status, 4), GRAVITY.get(one.priority, 3), -one.count, -(one.last or 0.0), one.key


def _read_time(row: Sitting) -> float:
    return (row.heard.time if row.heard is not None else None) or 0.0
