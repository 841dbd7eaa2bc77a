"""Spec 002's `evolution/signal_report_latest.md`: how signals, lessons and gates stand, in the home's own language.

The same state gives the same bytes, but for the line that says when it was made; `parse.report` reads it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.edits import Edit, Piece
from memtui.evolution import audit
from memtui.evolution.events import SIGNALS
from memtui.locale import _
from memtui.pattern import pattern
from memtui.text import mostly_chinese

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.edits import Receipt
    from memtui.evolution.effect import Effect
    from memtui.evolution.overview import Overview
    from memtui.evolution.patterns import Pattern
    from memtui.model import Home
    from memtui.vault import Vault

PATH = "evolution/signal_report_latest.md"
LINES = 5
"""Lines of a problem that are quoted, the newest."""
LESSONS = 10
"""Weak and strong experiences that are listed."""


_JOINTS = pattern(r"[-_./\\+\s]+")


class _Words(NamedTuple):
    """What the report says in one language. `parse.report` knows both."""

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
    (
        ("switch", "生成开关"),
        ("cooldown", "冷却期"),
        ("patterns", "未处理的循环模式"),
        ("success", "最近会话成功率"),
    ),
    "{who}: {reason}",
)


def text(overview: Overview) -> str:
    """The whole report as Markdown."""
    words = _CHINESE if chinese(overview) else _ENGLISH
    made = clock.local(overview.now).strftime("%Y-%m-%d %H:%M")
    lines = [f"# {words.title}", "", f"> {words.made}: {made}", ">"]
    told = words.sessions.format(
        window=len(overview.window), count=len(overview.sessions), unheard=overview.unheard
    )
    lines += [f"> {told}", "", f"## {words.types}", "", *_types(overview, words)]
    lines += ["", f"## {words.problems}", *_problems(overview, words)]
    lines += ["", f"## {words.streaks}", "", _streak(overview, words)]
    lines += ["", f"## {words.lessons}", *_lessons(overview, words)]
    lines += ["", f"## {words.gates}", "", *_gates(overview, words)]
    return "\n".join(lines) + "\n"


def write(vault: Vault, home: Home, *, who: str, group: str = "") -> Receipt | None:
    """Write the report of a home that keeps a log; None where it keeps none, says so already, or nothing was heard yet.

    Raises what `Vault.apply` does.
    """
    from memtui.evolution.overview import overview

    if not audit.keeps(home):
        return None
    found = overview(vault, home)
    old = vault.bytes_of(str(home.path), PATH)
    if old is None and not found.sessions:
        return None
    new = text(found)
    if old is not None and _timeless(old.decode("utf-8", "replace")) == _timeless(new):
        return None
    piece = Piece(0, len(old or b""), new.encode("utf-8", "replace"))
    what = _("wrote the report on signals, {path}").format(path=PATH)
    edit = Edit(str(home.path), PATH, old, (piece,))
    return vault.apply([edit], verb="report", who=who, what=what, group=group, confirmed=True)


def chinese(overview: Overview) -> bool:
    """Whether the home's sessions are told in Chinese; where none tells anything, code-memory's are."""
    said = [sign.text for heard in overview.sessions[-100:] for sign in heard.signals]
    if not said:
        return overview.home.layout == "code-memory"
    return mostly_chinese(said)


def _types(overview: Overview, words: _Words) -> Iterator[str]:
    known = {one.type: one for one in overview.patterns}
    yield "| " + " | ".join(words.columns) + " |"
    yield "|" + " --- |" * len(words.columns)
    for name in SIGNALS:
        one = known.get(name)
        if one is None:
            yield f"| {name} | 0/{len(overview.window)} | - | - | - | - |"
            continue
        sessions = _named(heard.session for heard in one.sessions) or "-"
        count = f"{one.count}/{one.window}"
        yield f"| {name} | {count} | {_loud(one.priority)} | {one.status} | {_day(one.last)} | {sessions} |"


def _problems(overview: Overview, words: _Words) -> Iterator[str]:
    if not overview.problems:
        yield from ("", words.none)
    for one in overview.problems:
        where = f" · {_plain(one.project)}" if one.project else ""
        yield from ("", f"### {one.type}: {_plain(one.about)}{where}", "")
        sessions = _named(heard.session for heard in one.sessions[-overview.config.window :])
        values = (
            f"{one.count}/{one.window} (Σ {one.times})", _loud(one.priority), one.status, _day(one.last), sessions,
        )  # fmt: skip
        for name, value in zip(words.columns[1:], values, strict=True):
            yield f"- {name}: {value}"
        if one.who:
            yield "- " + words.by.format(who=_plain(one.who), reason=_plain(one.reason) or one.status)
        yield ""
        yield from _quoted(one)


def _quoted(problem: Pattern) -> list[str]:
    """The newest lines of a problem; one that tells of it in two ways is quoted once."""
    found: dict[str, None] = {}
    for heard, sign in reversed(problem.lines):
        place = _plain(sign.path or heard.path).replace("`", "") + (f":{sign.line}" if sign.line else "")
        found[f"  - `{place}` {_plain(sign.text)}"] = None
        if len(found) == LINES:
            break
    return list(found)


def _streak(overview: Overview, words: _Words) -> str:
    streak = overview.streak
    if not streak.flagged:
        return words.unbroken
    told = _named(streak.sessions[-overview.config.window :])
    return words.streak.format(count=streak.length, priority=_loud(streak.priority), sessions=told)


def _lessons(overview: Overview, words: _Words) -> Iterator[str]:
    for title, found in ((words.strong, overview.strong), (words.weak, overview.weak)):
        yield from ("", f"### {title}", "")
        yield from (_lesson(overview, one, words) for one in found[:LESSONS])
        if not found:
            yield words.none


def _lesson(overview: Overview, effect: Effect, words: _Words) -> str:
    memory = overview.experiences.get(effect.experience)
    named = memory.text if memory is not None else effect.experience
    told = words.used.format(value=f"{overview.value(effect):.2f}", good=effect.good, bad=effect.bad)
    return f"- {_plain(named)} ({told})"


def _gates(overview: Overview, words: _Words) -> Iterator[str]:
    titles = dict(words.titles)
    for gate in overview.gates:
        mark = "x" if gate.open else " "
        yield f"- [{mark}] {_plain(titles.get(gate.name, gate.title))}: {_plain(gate.value)} ({_plain(gate.wanted)})"


def _named(sessions: Iterable[str]) -> str:
    return ", ".join(map(_plain, dict.fromkeys(sessions)))


def _loud(priority: str) -> str:
    return priority if priority == "normal" else priority.upper()


def _day(time: float | None) -> str:
    return "-" if time is None else clock.day(time)


def _plain(said: str) -> str:
    """Others' words on one line, with nothing in them that a report or an agent would obey."""
    from memtui.safety.injection import examine

    told = " ".join(said.split())
    # A name, or a path, says with dashes what it has no blanks for.
    if any(examine(one).action == "quarantine" for one in {told, " ".join(_JOINTS.split(told))}):
        return "…"
    return told.replace("|", "/").replace("<", "‹").replace("[[", "[")[:200]


def _timeless(report: str) -> str:
    """Without the line that says when it was made."""
    made = (f"> {_ENGLISH.made}:", f"> {_CHINESE.made}:")
    return "\n".join(line for line in report.split("\n") if not line.startswith(made))
