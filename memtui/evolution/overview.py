"""Everything that is shown of learning from use, in one answer; what changed in a week; and spec 002's report.

- `render_report`: `evolution/signal_report_latest.md` in the home's own language. The same state gives the same
  bytes but for the line that says when; `formats.session_files` reads it back.
- `compare_overviews`, pure: what differs between two looks at the same home.
- `load_overview`: patterns, effects, gates and shifts, computed once for a home as it stands; after a minute
  only what depends on the clock is computed again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.edits import Edit, Piece
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.core.text import is_mostly_chinese
from memtui.evolution import audit, sessions_read, skill_proposals
from memtui.evolution import experiences as experiences_module
from memtui.evolution.effects import KINDS, Kind, Overview, Pattern, Shift
from memtui.evolution.patterns import compute_patterns, compute_problems, compute_streak
from memtui.evolution.skill_records import list_installed_skills
from memtui.formats import mask_text_secrets
from memtui.language.conversation import SIGNALS
from memtui.layouts import load_facts
from memtui.safety.injection import examine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.core.config import EvolutionConfig
    from memtui.core.edits import Receipt
    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import Log, SessionSignals, Settled
    from memtui.evolution.effects import Effect
    from memtui.evolution.skill_records import Capability
    from memtui.store.vault import Vault

PATH = "evolution/signal_report_latest.md"
LINES = 5
"""Lines of a problem that are quoted, the newest."""
LESSONS = 10
"""Weak and strong experiences that are listed."""


_JOINTS = compile_pattern(r"[-_./\\+\s]+")


class _Words(NamedTuple):
    """What the report says in one language. `formats.session_files` reads both."""

    title: str
    made: str
    sessions: str
    types: str
    columns: tuple[str, str, str, str, str, str]
    problems: str
    none: str
    streaks: str
    streak: str
    unbroken: str
    lessons: str
    strong: str
    weak: str
    used: str
    gates: str
    titles: tuple[tuple[str, str], ...]
    """What the four gates are called, where it is not in the words of the app."""
    by: str


_ENGLISH = _Words(
    "Signal report",
    "Generated",
    "Window: the last {window} of {count} sessions, {unheard} not in the log yet",
    "Signals by type",
    ("Signal", "Count", "Priority", "Status", "Last seen", "Sessions"),
    "Recurring problems",
    "None.",
    "Failure streak",
    "The last {count} sessions failed one after the other ({priority}): {sessions}",
    "No streak of failures.",
    "Experiences",
    "Strong",
    "Weak",
    "{value} · {good} ok, {bad} failed",
    "Gates for new capabilities",
    (),
    "{who}: {reason}",
)
_CHINESE = _Words(
    "信号分析报告",
    "生成时间",
    "窗口: 共 {count} 个会话中最近的 {window} 个，{unheard} 个尚未记入日志",
    "按类型汇总",
    ("信号", "次数", "优先级", "状态", "最后出现", "会话"),
    "循环问题",
    "无。",
    "连续失败",
    "最近 {count} 个会话连续失败 ({priority}): {sessions}",
    "没有连续失败。",
    "经验有效性",
    "高效经验",
    "低效经验",
    "{value} · 成功 {good}，失败 {bad}",
    "能力生成门控",
    (("switch", "生成开关"), ("cooldown", "冷却期"), ("patterns", "未处理的循环模式"), ("success", "最近会话成功率")),
    "{who}: {reason}",
)


def render_report(overview: Overview) -> str:
    """The whole report as Markdown."""
    words = _CHINESE if is_told_in_chinese(overview) else _ENGLISH
    made = clock.format_minute(overview.now)
    lines = [f"# {words.title}", "", f"> {words.made}: {made}", ">"]
    told = words.sessions.format(window=len(overview.window), count=len(overview.sessions), unheard=overview.unheard)
    lines += [f"> {told}", "", f"## {words.types}", "", *_render_types(overview, words)]
    lines += ["", f"## {words.problems}", *_render_problems(overview, words)]
    lines += ["", f"## {words.streaks}", "", _render_streak(overview, words)]
    lines += ["", f"## {words.lessons}", *_render_lessons(overview, words)]
    lines += ["", f"## {words.gates}", "", *_render_gates(overview, words)]
    return "\n".join(lines) + "\n"


def write(vault: Vault, home: Home, *, who: str, group: str = "") -> Receipt | None:
    """Write the report of a home that keeps a log; None where it keeps none, says so already, or nothing was heard yet.

    Raises what `Vault.apply` does.
    """
    if not audit.has_log(home):
        return None
    found = load_overview(vault, home)
    old = vault.bytes_of(str(home.path), PATH)
    if old is None and not found.sessions:
        return None
    new = render_report(found)
    if old is not None and _drop_time(old.decode("utf-8", "replace")) == _drop_time(new):
        return None
    piece = Piece(0, len(old or b""), new.encode("utf-8", "replace"))
    what = _("wrote the report on signals, {path}").format(path=PATH)
    edit = Edit(str(home.path), PATH, old, (piece,))
    return vault.apply([edit], verb="report", who=who, what=what, group=group, confirmed=True)


def is_told_in_chinese(overview: Overview) -> bool:
    """Whether the home's sessions are told in Chinese; where none tells anything, as its log is."""
    said = [sign.text for heard in overview.sessions[-100:] for sign in heard.signals]
    if not said:
        return load_facts(overview.home).log_dialect == "scripts"
    return is_mostly_chinese(said)


def _render_types(overview: Overview, words: _Words) -> Iterator[str]:
    known = {one.type: one for one in overview.patterns}
    yield "| " + " | ".join(words.columns) + " |"
    yield "|" + " --- |" * len(words.columns)
    for name in SIGNALS:
        one = known.get(name)
        if one is None:
            yield f"| {name} | 0/{len(overview.window)} | - | - | - | - |"
            continue
        sessions = _join_sessions(heard.session for heard in one.sessions) or "-"
        count = f"{one.count}/{one.window}"
        yield f"| {name} | {count} | {_shout(one.priority)} | {one.status} | {_date(one.last)} | {sessions} |"


def _render_problems(overview: Overview, words: _Words) -> Iterator[str]:
    if not overview.problems:
        yield from ("", words.none)
    for one in overview.problems:
        where = f" · {_clean(one.project)}" if one.project else ""
        yield from ("", f"### {one.type}: {_clean(one.about)}{where}", "")
        sessions = _join_sessions(heard.session for heard in one.sessions[-overview.config.window :])
        values = (
            f"{one.count}/{one.window} (Σ {one.times})", _shout(one.priority), one.status, _date(one.last), sessions,
        )  # fmt: skip
        for name, value in zip(words.columns[1:], values, strict=True):
            yield f"- {name}: {value}"
        if one.who:
            yield "- " + words.by.format(who=_clean(one.who), reason=_clean(one.reason) or one.status)
        yield ""
        yield from _quote_lines(one)


def _quote_lines(problem: Pattern) -> list[str]:
    """The newest lines of a problem; one that tells of it in two ways is quoted once."""
    found: dict[str, None] = {}
    for heard, sign in reversed(problem.lines):
        place = _clean(sign.path or heard.path).replace("`", "") + (f":{sign.line}" if sign.line else "")
        found[f"  - `{place}` {_clean(sign.text)}"] = None
        if len(found) == LINES:
            break
    return list(found)


def _render_streak(overview: Overview, words: _Words) -> str:
    streak = overview.streak
    if not streak.flagged:
        return words.unbroken
    told = _join_sessions(streak.sessions[-overview.config.window :])
    return words.streak.format(count=streak.length, priority=_shout(streak.priority), sessions=told)


def _render_lessons(overview: Overview, words: _Words) -> Iterator[str]:
    for title, found in ((words.strong, overview.strong), (words.weak, overview.weak)):
        yield from ("", f"### {title}", "")
        yield from (_render_lesson(overview, one, words) for one in found[:LESSONS])
        if not found:
            yield words.none


def _render_lesson(overview: Overview, effect: Effect, words: _Words) -> str:
    memory = overview.experiences.get(effect.experience)
    named = memory.text if memory is not None else effect.experience
    told = words.used.format(value=f"{overview.value(effect):.2f}", good=effect.good, bad=effect.bad)
    return f"- {_clean(named)} ({told})"


def _render_gates(overview: Overview, words: _Words) -> Iterator[str]:
    titles = dict(words.titles)
    for gate in overview.gates:
        mark = "x" if gate.open else " "
        yield f"- [{mark}] {_clean(titles.get(gate.name, gate.title))}: {_clean(gate.value)} ({_clean(gate.wanted)})"


def _join_sessions(sessions: Iterable[str]) -> str:
    return ", ".join(map(_clean, dict.fromkeys(sessions)))


def _shout(priority: str) -> str:
    return priority if priority == "normal" else priority.upper()


def _date(time: float | None) -> str:
    return "-" if time is None else clock.format_day(time)


def _clean(said: str) -> str:
    """Others' words on one line, with nothing in them that a report or an agent would obey."""
    told = " ".join(said.split())
    # A name, or a path, says with dashes what it has no blanks for.
    if any(examine(one).action == "quarantine" for one in {told, " ".join(_JOINTS.split(told))}):
        return "…"
    return told.replace("|", "/").replace("<", "‹").replace("[[", "[")[:200]


def _drop_time(report: str) -> str:
    """Without the line that says when it was made."""
    made = (f"> {_ENGLISH.made}:", f"> {_CHINESE.made}:")
    return "\n".join(line for line in report.split("\n") if not line.startswith(made))


_URGENCY = {"normal": 0, "high": 1, "critical": 2}


def compare_overviews(
    before: tuple[Sequence[Pattern], Sequence[Pattern]],
    after: tuple[Sequence[Pattern], Sequence[Pattern]],
    then: tuple[Sequence[Effect], float],
    now: tuple[Sequence[Effect], float],
    experiences: Mapping[str, Memory],
    config: EvolutionConfig,
) -> tuple[Shift, ...]:
    """What changed between two looks: at patterns and problems, and at effects, each with its moment."""
    found = [shift for old, new in zip(before, after, strict=True) for shift in _compare_patterns(old, new)]
    found += _compare_effects(then, now, experiences, config)
    return tuple(sorted(found, key=lambda one: (KINDS.index(one.kind), one.name, one.key)))


def list_skill_shifts(found: Iterable[Capability], since: float) -> tuple[Shift, ...]:
    """The skills that were made since a moment."""
    made = sorted(one for one in found if one.made is not None and one.made > since)
    return tuple(Shift("skill", one.pattern, one.name, "", one.path) for one in made)


def _compare_patterns(before: Sequence[Pattern], after: Sequence[Pattern]) -> Iterator[Shift]:
    """A problem is the same by any of its names: more sessions may have given it another."""
    for new in after:
        old = next((one for one in before if _is_same_pattern(one, new)), None)
        was, now = old.priority if old is not None else "normal", new.priority
        name = f"{new.type} · {new.about}" if new.about else new.type
        if new.returned and (old is None or not old.returned):
            yield Shift("returned", new.key, name, "addressed", now)
        elif _URGENCY[now] > _URGENCY[was]:
            kind: Kind = "escalated" if was != "normal" else "new"
            yield Shift(kind, new.key, name, was, now)
        elif new.status in {"addressed", "suppressed"} and (old is None or old.status != new.status):
            yield Shift("settled", new.key, name, old.status if old is not None else "", new.status)
        elif _URGENCY[now] < _URGENCY[was]:
            yield Shift("calmed", new.key, name, was, new.status if new.status == "quiet" else now)


def _is_same_pattern(one: Pattern, other: Pattern) -> bool:
    return bool(one.types & other.types) and (one.about == other.about or bool(one.means & other.means))


def _compare_effects(
    before: tuple[Sequence[Effect], float],
    after: tuple[Sequence[Effect], float],
    experiences: Mapping[str, Memory],
    config: EvolutionConfig,
) -> Iterator[Shift]:
    then = {one.experience: one for one in before[0]}
    for one in after[0]:
        old = then.get(one.experience)
        value = one.value(after[1], config.half_life_days)
        was = old.value(before[1], config.half_life_days) if old is not None else None
        known = old is not None and bool(old.known)
        memory = experiences.get(one.experience)
        name = " ".join((memory.text if memory is not None else one.experience).split())[:120]
        told = f"{was:.2f}" if was is not None else ""
        if one.known and value < config.weak and not (known and was is not None and was < config.weak):
            yield Shift("weak", one.experience, name, told, f"{value:.2f}")
        elif value > config.strong and not (was is not None and was > config.strong):
            yield Shift("strong", one.experience, name, told, f"{value:.2f}")


WEEK = 7 * 86400.0


class _Overviews(dict[str, tuple[object, Overview]]):
    """By home: what it was worked out of, and the overview."""


def load_overview(vault: Vault, home: Home, now: float | None = None) -> Overview:
    """All of it, cached; `now` for another moment than this one, with what was known then."""
    moment = clock.now() if now is None else now
    log = audit.load_home_log(vault, home)
    config = vault.config.evolution
    key = (vault.generation, int(moment // 60), config, log)
    held = vault.kept.of(_Overviews)
    answer = held.get(str(home.path))
    if answer is None or answer[0] != key:
        answer = (key, _compute_overview_of(vault, home, log, config, moment))
        held[str(home.path)] = answer
    return answer[1]


def _compute_overview_of(vault: Vault, home: Home, log: Log, config: EvolutionConfig, now: float) -> Overview:
    every = sessions_read.load_heard_sessions(vault, home)
    outcomes = sessions_read.load_outcomes(vault, home)
    settled = audit.load_settled(vault, home)
    before = now - WEEK
    present = _see_patterns(every, settled, config)
    earlier = _see_patterns(
        experiences_module.select_until(every, before), experiences_module.select_until(settled, before), config
    )
    mine = _list_own_effects(vault, home, log, now)
    effects = tuple(one for one, _memory in mine)
    weaker = [one for one, _memory in _list_own_effects(vault, home, log, before)]
    experiences = {one.experience: memory for one, memory in mine if memory is not None}
    return Overview(
        home,
        now,
        config,
        *present,
        compute_streak(every, outcomes),
        effects,
        skill_proposals.load_gates(vault, home, now, present),
        tuple(every),
        outcomes,
        compare_overviews(earlier, present, (weaker, before), (effects, now), experiences, config)
        + list_skill_shifts(list_installed_skills(vault, home), before),
        experiences,
        sum(not one.line for one in every),
    )


Seen = tuple[tuple[Pattern, ...], tuple[Pattern, ...]]


def _see_patterns(heard: Sequence[SessionSignals], settled: Sequence[Settled], config: EvolutionConfig) -> Seen:
    return tuple(compute_patterns(heard, settled, config)), tuple(compute_problems(heard, settled, config))


def _list_own_effects(vault: Vault, home: Home, log: Log, moment: float) -> list[tuple[Effect, Memory | None]]:
    """Experiences that stand in this home, and those of its own log that stand nowhere, as they were at a moment."""
    own = {one.experience for part in (log.refs, log.verdicts) for one in part}
    kept = audit.find_log_home(home).path == home.path
    found: dict[str, tuple[Effect, Memory | None]] = {}
    for one, memory in experiences_module.load_effects_at(vault, moment):
        if memory is None and kept and one.experience in own:
            # What names nobody's memory is whatever somebody wrote there, and is shown.
            shown = one._replace(experience=mask_text_secrets(one.experience))
            found.setdefault(shown.experience, (shown, None))
        elif memory is not None and memory.home == str(home.path):
            found.setdefault(one.experience, (one, memory))
    return list(found.values())
