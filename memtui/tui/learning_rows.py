"""How what was learnt looks as rows: how grave in a word, bars beside their numbers, nothing by colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.locale import _, _n
from memtui.tui import draw, paint
from memtui.tui.activity import sparkline
from memtui.tui.learnt import Change, Checked, Lesson, Line, Paper, Problem, Run, Sitting, Skill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.config import EvolutionConfig
    from memtui.evolution.effect import Effect
    from memtui.evolution.patterns import Pattern
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush

GRAVE = {"critical": ("CRITICAL", "bad"), "high": ("HIGH", "warn"), "normal": ("normal", "dim")}
"""Priority -> its word (a source string) and style."""

WENT = {"success": ("✓", "ok"), "failed": ("✗", "bad"), "partly": ("◐", "warn"), "unknown": ("·", "faint")}
"""Outcome -> sign and style."""


BAR = 9
"""Cells of an effect's bar."""

WHOSE = 6
"""Cells for the name of a home, where there are several."""

STANDS = 10
"""Cells for how something stands."""

SPARKS = 8
FEWER = 5
"""Windows back in time that a row shows, and a narrow one."""


def row(item: Any, brush: Brush, config: EvolutionConfig) -> list[list[Piece]]:
    """One line for anything that was learnt."""
    match item:
        case Problem():
            return problem(item, brush)
        case Lesson():
            return lesson(item, brush, config)
        case Run():
            return run(item, brush)
        case Checked():
            return gate(item, brush)
        case Skill():
            return skill(item, brush)
        case Sitting():
            return sitting(item, brush)
        case Line():
            return line(item, brush)
        case Paper():
            return paper(item, brush)
        case Change():
            return change(item, brush)
    return paint.memory(item, brush)


def named(pattern: Pattern) -> str:
    """What it is called: its type, or what it is about."""
    return draw.one_line(pattern.about or pattern.type)


def standing(pattern: Pattern) -> str:
    """How it stands, in a word or two; empty where it is simply there."""
    if pattern.returned:
        return _("is back")
    return "" if pattern.status == "active" else _(pattern.status)


def problem(item: Problem, brush: Brush) -> list[list[Piece]]:
    """CRITICAL  environment_issue   ▂▃▅▇█  5 of last 8"""
    pattern = item.pattern
    word, style = GRAVE.get(pattern.priority, ("", "dim"))
    settled = pattern.status != "active"
    status = standing(pattern)
    # What is settled is no longer grave: its place tells how it stands.
    left: list[Piece] = [(" " + draw.pad("" if settled else _(word), 9), style)]
    body: list[Piece] = [(named(pattern), "dim" if settled else "")]
    right: list[Piece] = []
    if item.whose:
        right.append(("  " + draw.pad(draw.one_line(item.whose), WHOSE), "dim"))
    if brush.width >= (66 if settled else 46) and pattern.history:
        sparks = SPARKS if brush.width >= 66 else FEWER
        line = sparkline(pattern.history[-sparks:], pattern.window).rjust(sparks)
        right.append((f"  {line}", "dim" if settled else style))
    often = _("{count} of {window}").format(count=pattern.count, window=pattern.window)
    if brush.width >= 66:
        often = _("{count} of last {window}").format(count=pattern.count, window=pattern.window)
    right.append((f"  {often} ", "dim"))
    if status and pattern.who and brush.width >= 66:
        status = _("{status} by {who}").format(status=status, who=draw.cut(draw.one_line(pattern.who), 16))
    if status:
        right.append(
            (
                f" {draw.pad(status, STANDS) if brush.width < 66 else status} ",
                "warn" if pattern.returned else "dim",
            )
        )
    # A type of which half is cut off says nothing; the text beside the list has it.
    if pattern.about and draw.width([*left, *body, *right]) + len(pattern.type) + 2 <= brush.width:
        body.append((f"  {pattern.type}", "faint"))
    return [draw.row(left, body, right, brush.width)]


def trend(values: Sequence[float]) -> str:
    """p from session to session: the lowest bar is nothing, the highest one."""
    return sparkline([min(8, max(1, round(value * 8))) for value in values], 8)


def valued(effect: Effect, config: EvolutionConfig) -> tuple[float, str, str]:
    """What it is worth now, in a word where that says something, and in a style."""
    value = effect.value(clock.now(), config.half_life_days)
    if not effect.known:
        return value, "", "dim"
    if effect.stale:
        return value, _("stale"), "warn"
    if value < config.weak:
        return value, _("weak"), "bad"
    return (value, _("strong"), "ok") if value > config.strong else (value, "", "warn")


def tally(effect: Effect) -> str:
    """4 ✓ 2 ✗: sessions and people together."""
    return f"{effect.good + effect.helpful} ✓ {effect.bad + effect.wrong} ✗"


def spoken(item: Lesson) -> str:
    """What an experience says, else its id."""
    return paint.headline(item.memory) if item.memory is not None else draw.one_line(item.effect.experience)


def lesson(item: Lesson, brush: Brush, config: EvolutionConfig) -> list[list[Piece]]:
    """████▌      先跑单测再提交   ▃▅▆  strong 4 ✓ 2 ✗"""
    value, word, style = valued(item.effect, config)
    left: list[Piece] = [(" " + draw.bar(value, BAR) + "  ", style)]
    right: list[Piece] = []
    if brush.width >= 76:
        right.append(("  " + trend(item.effect.trend).rjust(SPARKS), style))
    if brush.width >= 48 and word:
        right.append((f"  {word}", style))
    right.append((f"  {tally(item.effect)} ", "dim"))
    body = paint.worded(spoken(item), brush, "" if item.memory is not None else "dim")
    return [draw.row(left, body, right, brush.width)]


def run(item: Run, brush: Brush) -> list[list[Piece]]:
    """CRITICAL  5 sessions failed in a row"""
    word, style = GRAVE.get(item.streak.priority, ("", "dim"))
    length = item.streak.length
    told = _n("{count} session failed", "{count} sessions failed in a row", length)
    signs = "✗" * min(length, SPARKS)
    return [
        draw.row([(" " + draw.pad(_(word), 9), style)], [(told, "")], [(f"  {signs} ", style)], brush.width)
    ]


def gate(item: Checked, brush: Brush) -> list[list[Piece]]:
    """☑ cool-down   6 h since the last   24 h wanted"""
    one = item.gate
    sign, style = ("☑", "ok") if one.open else ("☐", "warn")
    left: list[Piece] = [(f" {sign} ", style)]
    value = draw.one_line(str(one.value))
    wanted = draw.one_line(str(one.wanted))
    right: list[Piece] = [(f"  {value}", "" if one.open else "warn")]
    if wanted and brush.width >= 60:
        right.append(("  " + _("wanted: {what}").format(what=wanted), "dim"))
    return [draw.row(left, [(draw.one_line(_(one.title)), "")], [*right, (" ", "")], brush.width)]


def skill(item: Skill, brush: Brush) -> list[list[Piece]]:
    """◆ auto-env-fix   environment_issue   2d"""
    one = item.capability
    sign, style = ("◆", "ok") if one.there else ("◇", "dim")
    right: list[Piece] = [(f"  {draw.one_line(one.pattern)}", "dim")] if brush.width >= 56 else []
    if not one.there:
        right.append(("  " + _("gone"), "warn"))
    elif one.changed:
        right.append(("  " + _("changed since"), "warn"))
    right.append((f"  {clock.ago(one.made)} ", "faint"))
    return [draw.row([(f" {sign} ", style)], [(draw.one_line(one.name), "")], right, brush.width)]


def moment(time: float | None) -> str:
    """11-19 Thu 16:45"""
    if time is None:
        return _("no date")
    local = clock.local(time)
    return f"{local.strftime('%m-%d')} {paint.weekday(local.weekday())} {local.strftime('%H:%M')}"


def sitting(item: Sitting, brush: Brush) -> list[list[Piece]]:
    """✗ 11-19 Thu 16:45  shop   failed · 2 corrections"""
    status = item.outcome.status if item.outcome is not None else "unknown"
    sign, style = WENT[status]
    time = item.heard.time if item.heard is not None else item.outcome.time if item.outcome else None
    left: list[Piece] = [(f" {sign} ", style), (draw.pad(moment(time), 16), "head")]
    project = draw.one_line(item.heard.project) if item.heard is not None else ""
    words = went(item)
    number = _n("{count} line", "{count} lines", len(item.lines)) if item.lines else ""
    body: list[Piece] = [(project or draw.cut(draw.one_line(item.session), 18), "kind.session")]
    if words:
        body.append(("  " + words, "dim"))
    return [draw.row(left, body, [(f"  {number} ", "faint")], brush.width)]


def went(item: Sitting) -> str:
    """How the session went, and why: 'failed: tests do not pass · 2 corrections'."""
    if item.outcome is None:
        return ""
    # The sign says that it went well.
    words = _(item.outcome.status) if item.outcome.status in {"failed", "partly"} else ""
    if item.outcome.reason:
        words = f"{words}: {draw.one_line(item.outcome.reason)}".removeprefix(": ")
    many = item.outcome.corrections
    corrected = _n("{count} correction", "{count} corrections", many) if many else ""
    return " · ".join(filter(None, (words, corrected)))


def line(item: Line, brush: Brush) -> list[list[Piece]]:
    """12  Redis maxclients … a traceback"""
    signal = item.signal
    number = f"{signal.line:,}" if signal.line else "·"
    left: list[Piece] = [("   " + draw.pad(number, 5, right=True) + "  ", "faint")]
    right: list[Piece] = []
    if brush.width >= 60 and signal.why:
        right.append((f"  {draw.cut(draw.one_line(signal.why), 24)} ", "faint"))
    return [draw.row(left, paint.worded(draw.one_line(signal.text), brush, ""), right, brush.width)]


def paper(item: Paper, brush: Brush) -> list[list[Piece]]:
    """The report of a home, and whether it is on disk."""
    told = "" if item.written else _("as it would be written now")
    return [
        draw.row(
            [(" ▤ ", "accent")], [(draw.one_line(item.home.label), "")], [(f" {told} ", "dim")], brush.width
        )
    ]


CHANGED = {
    "new": "new",
    "returned": "is back",
    "escalated": "graver",
    "weak": "weak",
    "calmed": "calmer",
    "settled": "settled",
    "strong": "strong",
    "skill": "skill made",
}
"""Kind of a change -> its word (source strings)."""


def change(item: Change, brush: Brush) -> list[list[Piece]]:
    """▲ graver      environment_issue   high → critical"""
    shift = item.shift
    sign, style = ("✓", "ok") if shift.good else ("▲", "warn")
    left: list[Piece] = [(f" {sign} ", style), (draw.pad(_(CHANGED[shift.kind]), 11), style)]
    steps = [_(step) for step in (shift.before, shift.after) if step] if shift.kind != "skill" else []
    right: list[Piece] = [(f"  {' → '.join(map(draw.one_line, steps))} ", "dim")] if brush.width >= 46 else []
    # What it is about says more than its type, where there is not room for both.
    name = draw.one_line(shift.name)
    if draw.width([*left, (name, ""), *right]) > brush.width and shift.key.partition(":")[2]:
        name = name.partition(" · ")[2] or name
    return [draw.row(left, [(name, "")], right, brush.width)]
