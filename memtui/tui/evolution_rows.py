"""How what was learned looks: rows with their bars, and what stands beside them, down to sessions and lines.

Gravity is said in a word, bars stand beside their numbers, and nothing is said by colour alone. The last
function summarizes a section before it is opened.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.tui import draw, evolution_model, paint
from memtui.tui.draw import draw_sparkline
from memtui.tui.evolution_model import (
    FailureRun,
    GateRow,
    LessonRow,
    Line,
    Paper,
    ProblemRow,
    ShiftRow,
    Sitting,
    SkillRow,
)
from memtui.tui.prose import draw_prose, draw_rule, draw_text_table, number, split_tables, wrap_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.config import EvolutionConfig
    from memtui.evolution.effects import Effect, Pattern
    from memtui.language.conversation import Signal
    from memtui.tui.draw import Piece
    from memtui.tui.evolution_model import All
    from memtui.tui.row_list import Brush

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
STANDS_BY = 20
"""Cells of that word and of who said so, where there is room for both."""
SPARKS = 8
FEWER = 5
"""Windows back in time that a row shows, and a narrow one."""


def draw_learnt_row(item: Any, brush: Brush, config: EvolutionConfig) -> list[list[Piece]]:
    """One line for anything that was learnt."""
    match item:
        case ProblemRow():
            return draw_problem_row(item, brush)
        case LessonRow():
            return draw_lesson_row(item, brush, config)
        case FailureRun():
            return run_learning_rows(item, brush)
        case GateRow():
            return draw_gate_row(item, brush)
        case SkillRow():
            return draw_skill_row(item, brush)
        case Sitting():
            return draw_sitting_row(item, brush)
        case Line():
            return draw_line_row(item, brush)
        case Paper():
            return draw_report_row(item, brush)
        case ShiftRow():
            return draw_change_row(item, brush)
    return paint.draw_memory_row(item, brush)


def name_pattern(pattern: Pattern) -> str:
    """What it is called: its type, or what it is about."""
    return draw.clip_to_line(pattern.about or _(pattern.type))


def describe_pattern_status(pattern: Pattern) -> str:
    """How it stands, in a word or two; empty where it is simply there."""
    if pattern.returned:
        return _("is back")
    return "" if pattern.status == "active" else _(pattern.status)


def draw_problem_row(item: ProblemRow, brush: Brush) -> list[list[Piece]]:
    """CRITICAL  environment_issue   ▂▃▅▇█  5 of last 8"""
    pattern = item.pattern
    word, style = GRAVE.get(pattern.priority, ("", "dim"))
    settled = pattern.status != "active"
    status = describe_pattern_status(pattern)
    # What is settled is no longer grave: its place tells how it stands.
    left: list[Piece] = [(" " + draw.pad("" if settled else _(word), 9), style)]
    body: list[Piece] = [(name_pattern(pattern), "dim" if settled else "")]
    right: list[Piece] = []
    if item.whose:
        right.append(("  " + draw.pad(draw.clip_to_line(item.whose), WHOSE), "dim"))
    if brush.width >= (66 if settled else 46) and pattern.history:
        sparks = SPARKS if brush.width >= 66 else FEWER
        line = draw_sparkline(pattern.history[-sparks:], pattern.window).rjust(sparks)
        right.append((f"  {line}", "dim" if settled else style))
    often = _("{count} of {window}").format(count=pattern.count, window=pattern.window)
    if brush.width >= 66:
        often = _("{count} of last {window}").format(count=pattern.count, window=pattern.window)
    counted: Piece = (f"  {often} ", "dim")
    right.append(counted)
    if status and pattern.who and brush.width >= 66:
        status = _("{status} by {who}").format(status=status, who=draw.cut(draw.clip_to_line(pattern.who), 16))
    if status:
        right.append(
            (
                f" {draw.pad(status, STANDS if brush.width < 66 else max(STANDS_BY, cell_len(status)))} ",
                "warn" if pattern.returned else "dim",
            )
        )
    if settled and draw.count_cells([*left, *body, *right]) > brush.width:
        # How often it was is over; what it is called is not.
        right.remove(counted)
    # A type of which half is cut off says nothing; the text beside the list has it.
    if pattern.about and draw.count_cells([*left, *body, *right]) + cell_len(_(pattern.type)) + 2 <= brush.width:
        body.append((f"  {_(pattern.type)}", "faint"))
    return [draw.fit_row(left, body, right, brush.width)]


def draw_trend(values: Sequence[float]) -> str:
    """p from session to session: the lowest bar is nothing, the highest one."""
    return draw_sparkline([min(8, max(1, round(value * 8))) for value in values], 8)


def rate_effect(effect: Effect, config: EvolutionConfig) -> tuple[float, str, str]:
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


def describe_lesson(item: LessonRow) -> str:
    """What an experience says, else its id."""
    return paint.make_headline(item.memory) if item.memory is not None else draw.clip_to_line(item.effect.experience)


def draw_lesson_row(item: LessonRow, brush: Brush, config: EvolutionConfig) -> list[list[Piece]]:
    """████▌      先跑单测再提交   ▃▅▆  strong 4 ✓ 2 ✗"""
    value, word, style = rate_effect(item.effect, config)
    left: list[Piece] = [(" " + draw.draw_bar(value, BAR) + "  ", style)]
    right: list[Piece] = []
    if brush.width >= 76:
        right.append(("  " + draw_trend(item.effect.trend).rjust(SPARKS), style))
    if brush.width >= 48 and word:
        right.append((f"  {word}", style))
    right.append((f"  {tally(item.effect)} ", "dim"))
    body = paint.mark_words(describe_lesson(item), brush, "" if item.memory is not None else "dim")
    return [draw.fit_row(left, body, right, brush.width)]


def run_learning_rows(item: FailureRun, brush: Brush) -> list[list[Piece]]:
    """CRITICAL  5 sessions failed in a row"""
    word, style = GRAVE.get(item.streak.priority, ("", "dim"))
    length = item.streak.length
    told = _n("{count} session failed", "{count} sessions failed in a row", length)
    signs = "✗" * min(length, SPARKS)
    return [draw.fit_row([(" " + draw.pad(_(word), 9), style)], [(told, "")], [(f"  {signs} ", style)], brush.width)]


def draw_gate_row(item: GateRow, brush: Brush) -> list[list[Piece]]:
    """☑ cool-down   6 h since the last   24 h wanted"""
    one = item.gate
    sign, style = ("☑", "ok") if one.open else ("☐", "warn")
    left: list[Piece] = [(f" {sign} ", style)]
    value = draw.clip_to_line(str(one.value))
    wanted = draw.clip_to_line(str(one.wanted))
    right: list[Piece] = [(f"  {value}", "" if one.open else "warn")]
    if wanted and brush.width >= 60:
        right.append(("  " + _("wanted: {what}").format(what=wanted), "dim"))
    return [draw.fit_row(left, [(draw.clip_to_line(_(one.title)), "")], [*right, (" ", "")], brush.width)]


def draw_skill_row(item: SkillRow, brush: Brush) -> list[list[Piece]]:
    """◆ auto-env-fix   environment_issue   2d"""
    one = item.capability
    sign, style = ("◆", "ok") if one.there else ("◇", "dim")
    right: list[Piece] = [(f"  {draw.clip_to_line(one.pattern)}", "dim")] if brush.width >= 56 else []
    if not one.there:
        right.append(("  " + _("gone"), "warn"))
    elif one.changed:
        right.append(("  " + _("changed since"), "warn"))
    right.append((f"  {clock.format_age(one.made)} ", "faint"))
    return [draw.fit_row([(f" {sign} ", style)], [(draw.clip_to_line(one.name), "")], right, brush.width)]


def format_session_time(time: float | None) -> str:
    """11-19 Thu 16:45; of another year 2025-11-19 16:45"""
    if time is None:
        return _("no date")
    local = clock.convert_to_local(time)
    return f"{paint.format_short_day(local)} {local.strftime('%H:%M')}"


def draw_sitting_row(item: Sitting, brush: Brush) -> list[list[Piece]]:
    """✗ 11-19 Thu 16:45  shop   failed · 2 corrections"""
    status = item.outcome.status if item.outcome is not None else "unknown"
    sign, style = WENT[status]
    time = item.heard.time if item.heard is not None else item.outcome.time if item.outcome else None
    when = format_session_time(time)
    left: list[Piece] = [(f" {sign} ", style), (draw.pad(when, max(15, cell_len(when))) + " ", "head")]
    project = draw.clip_to_line(item.heard.project) if item.heard is not None else ""
    words = describe_outcome(item)
    number = _n("{count} line", "{count} lines", len(item.lines)) if item.lines else ""
    body: list[Piece] = [(project or draw.cut(draw.clip_to_line(item.session), 18), "kind.session")]
    if words:
        body.append(("  " + words, "dim"))
    return [draw.fit_row(left, body, [(f"  {number} ", "faint")], brush.width)]


def describe_outcome(item: Sitting) -> str:
    """How the session went, and why: 'failed: tests do not pass · 2 corrections'."""
    if item.outcome is None:
        return ""
    # The sign says that it went well.
    words = _(item.outcome.status) if item.outcome.status in {"failed", "partly"} else ""
    if item.outcome.reason:
        why = draw.clip_to_line(evolution_model.translate_ending(item.outcome.reason))
        words = f"{words}{_(': ')}{why}" if words else why
    many = item.outcome.corrections
    corrected = _n("{count} correction", "{count} corrections", many) if many else ""
    return " · ".join(filter(None, (words, corrected)))


def draw_line_row(item: Line, brush: Brush) -> list[list[Piece]]:
    """12  Redis maxclients … a traceback"""
    signal = item.signal
    number = f"{signal.line:,}" if signal.line else "·"
    left: list[Piece] = [("   " + draw.pad(number, 5, right=True) + "  ", "faint")]
    right: list[Piece] = []
    if brush.width >= 60 and signal.why:
        right.append((f"  {draw.cut(draw.clip_to_line(_(signal.why)), 24)} ", "faint"))
    return [draw.fit_row(left, paint.mark_words(draw.clip_to_line(signal.text), brush, ""), right, brush.width)]


def draw_report_row(item: Paper, brush: Brush) -> list[list[Piece]]:
    """The report of a home, and whether it is on disk."""
    told = "" if item.written else _("as it would be written now")
    return [
        draw.fit_row(
            [(" ▤ ", "accent")], [(draw.clip_to_line(item.home.label), "")], [(f" {told} ", "dim")], brush.width
        )
    ]


CHANGED = {
    "new": "new",
    "returned": "is back",
    "escalated": "worse",
    "weak": "weak",
    "calmed": "better",
    "settled": "settled",
    "strong": "strong",
    "skill": "skill made",
}
"""Kind of a change -> its word (source strings)."""


def draw_change_row(item: ShiftRow, brush: Brush) -> list[list[Piece]]:
    """▲ graver      environment_issue   high → critical"""
    shift = item.shift
    sign, style = ("✓", "ok") if shift.good else ("▲", "warn")
    left: list[Piece] = [(f" {sign} ", style), (draw.pad(_(CHANGED[shift.kind]), 11), style)]
    steps = [_(step) for step in (shift.before, shift.after) if step] if shift.kind != "skill" else []
    right: list[Piece] = [(f"  {' → '.join(map(draw.clip_to_line, steps))} ", "dim")] if brush.width >= 46 else []
    # What it is about says more than its type, where there is not room for both.
    name = draw.clip_to_line(shift.name)
    if draw.count_cells([*left, (name, ""), *right]) > brush.width and shift.key.partition(":")[2]:
        name = name.partition(" · ")[2] or name
    return [draw.fit_row(left, [(name, "")], right, brush.width)]


MOST = 60
"""Sessions that are told beside a row: enter lists all of them."""

HISTORY = 26
"""Windows back in time that are drawn."""


def label_learnt_row(item: Any) -> str:
    """What the frame says."""
    match item:
        case ProblemRow():
            return f"{_('signal')} · {name_pattern(item.pattern)}"
        case LessonRow():
            return f"{_('effect')} · {item.effect.experience}"
        case FailureRun():
            return _("failure streak")
        case GateRow():
            return f"{_('gate')} · {_(item.gate.title)}"
        case SkillRow():
            return f"{_('skill')} · {item.capability.name}"
        case Sitting():
            return f"{_('session')} · {item.session}"
        case Line():
            return f"{item.signal.path}:{item.signal.line}" if item.signal.line else item.signal.path
        case Paper():
            return f"{_('report')} · {item.home.label}"
        case ShiftRow():
            return _("since last week")
    return ""


def draw_learnt_detail(item: Any, found: All, config: EvolutionConfig, cells: int) -> list[list[Piece]]:
    """All that is to say of a row."""
    match item:
        case ProblemRow():
            return draw_problem_detail(item, cells)
        case LessonRow():
            return [*draw_prose(item.effect.experience, cells), *draw_effect_detail(item, found, config, cells)]
        case FailureRun():
            return run(item, cells)
        case GateRow():
            return draw_gate_detail(item, cells)
        case SkillRow():
            return draw_skill_detail(item, cells)
        case Sitting():
            return draw_sitting_detail(item, cells)
        case Line():
            return draw_line_detail(item, cells)
        case Paper():
            return draw_report_detail(item, cells)
        case ShiftRow():
            whole = evolution_model.find_changed(found, item)
            below = draw_learnt_detail(whole, found, config, cells) if whole is not None else []
            return [*wrap_pieces([(draw.clip_to_line(item.shift.said), "bold")], cells), [], *below]
    return []


def run(item: FailureRun, cells: int) -> list[list[Piece]]:
    """How many, how grave that is, and each of them."""
    word, style = GRAVE.get(item.streak.priority, ("", "dim"))
    length = item.streak.length
    many = _n("{count} session failed", "{count} sessions failed in a row", length)
    lines = wrap_pieces([(_(word) + "  ", style), (many, "bold")], cells)
    return [
        *lines,
        *_draw_sittings(evolution_model.list_run_sittings(item), cells),
        *_draw_keys(_("enter lists them"), cells),
    ]


def draw_problem_detail(item: ProblemRow, cells: int) -> list[list[Piece]]:
    """How grave, how often, since when, how it stands and who said so; then its sessions and lines."""
    pattern = item.pattern
    word, style = GRAVE.get(pattern.priority, ("", "dim"))
    lines = wrap_pieces([(_(word) + "  ", style), (name_pattern(pattern), "bold")], cells)
    if pattern.about:
        lines += wrap_pieces([(_(pattern.type), "dim")], cells)
    often = _("{count} of the last {window} sessions").format(count=pattern.count, window=pattern.window)
    whole = _n("{count} session in all", "{count} sessions in all", pattern.times)
    whose = _("in {project}").format(project=draw.clip_to_line(pattern.project)) if pattern.project else ""
    lines += wrap_pieces([(" · ".join(filter(None, (often, whole, whose))), "")], cells)
    if len(pattern.history) > 1:
        room = max(4, min(HISTORY, cells - 24))
        shown = pattern.history[-room:]
        label = _("by {window} sessions").format(window=pattern.window)
        lines.append([(draw_sparkline(shown, pattern.window), style), (f"  {label}", "dim")])
    since = [(_("first"), pattern.first), (_("last"), pattern.last)]
    times = [f"{name} {clock.format_day(at)} ({clock.format_age(at)})" for name, at in since if at is not None]
    lines += wrap_pieces([(" · ".join(times), "dim")], cells) if times else []
    if pattern.who or pattern.reason or describe_pattern_status(pattern):
        lines += wrap_pieces([("● ", "accent"), (_describe_settled(item), "")], cells, hang=2)
    lines += _draw_sittings(evolution_model.list_sittings(item, pattern.sessions), cells)
    settled = pattern.status in {"addressed", "suppressed"}
    keys = _("r reopens it") if settled else _("r resolved · I ignore · p drafts a skill")
    return [*lines, *_draw_keys(_("enter lists all its lines") + " · " + keys, cells)]


def _describe_settled(item: ProblemRow) -> str:
    """addressed by person: the proxy is set in the image"""
    pattern = item.pattern
    word = describe_pattern_status(pattern) or _("active")
    by = _("by {who}").format(who=draw.clip_to_line(pattern.who)) if pattern.who else ""
    said = " ".join(filter(None, (word, by)))
    return f"{said}{_(': ')}{draw.clip_to_line(pattern.reason)}" if pattern.reason else said


def draw_effect_detail(item: LessonRow, found: All, config: EvolutionConfig, cells: int) -> list[list[Piece]]:
    """The value and what it is made of, what people said, then the sessions that used it and how they went."""
    one = item.effect
    value, word, style = rate_effect(one, config)
    decay = one.decay(clock.now(), config.half_life_days)
    lines: list[list[Piece]] = [[], draw_rule(_("effect"), cells)]
    room = min(20, max(4, cells - 20))
    # What it is made of are counts of sessions and days, and may be checked.
    lines.append([(draw.draw_bar(value, room) + " ", style), (f"{number(value)}  {word}", style)])
    made = _("success rate {p} × decay {decay}").format(p=number(one.p), decay=number(decay))
    lines += wrap_pieces([(made, "dim")], cells)
    sessions = _("{good} sessions succeeded, {bad} failed").format(good=one.good, bad=one.bad)
    lines += wrap_pieces([(f"{tally(one)}  ", ""), (sessions, "dim")], cells)
    if one.helpful or one.wrong or one.stale:
        said = _("you: {helpful} helpful, {wrong} wrong").format(helpful=one.helpful, wrong=one.wrong)
        lines += wrap_pieces([(said + (" · " + _("stale") if one.stale else ""), "warn" if one.wrong else "")], cells)
    if one.trend:
        lines += wrap_pieces([(draw_trend(one.trend), style), ("  " + _("success rate over time"), "dim")], cells)
    if one.last is not None:
        used = _n("used in {count} session", "used in {count} sessions", one.refs)
        lines += wrap_pieces(
            [(f"{used}, {_('last')} {clock.format_day(one.last)} ({clock.format_age(one.last)})", "dim")], cells
        )
    # Before the sessions: of a lesson that is used every day they fill the whole pane.
    lines += _draw_keys(_("+ helpful · - wrong · ~ stale") + " · " + _("enter lists its sessions"), cells)
    return lines + _draw_sittings(evolution_model.list_using_sittings(found, one), cells)


def _draw_sittings(rows: Iterable[Sitting], cells: int) -> list[list[Piece]]:
    """Sessions, each with the lines of it that count."""
    rows = list(rows)
    if not rows:
        return []
    lines: list[list[Piece]] = [[], draw_rule(_("sessions and lines"), cells)]
    for row in rows[:MOST]:
        lines += _draw_head(row, cells)
        for signal in row.lines:
            lines += _draw_said(signal, cells)
    if (more := len(rows) - MOST) > 0:
        lines.append([(_n("… and {count} more session", "… and {count} more sessions", more), "faint")])
    return lines


def _draw_head(row: Sitting, cells: int) -> list[list[Piece]]:
    sign, style = WENT[row.outcome.status if row.outcome is not None else "unknown"]
    time = row.heard.time if row.heard is not None else row.outcome.time if row.outcome is not None else None
    project = draw.clip_to_line(row.heard.project) if row.heard is not None else ""
    pieces: list[Piece] = [
        (f"{sign} ", style),
        (format_session_time(time) + "  ", "head"),
        (project + "  ", "kind.session"),
    ]
    return wrap_pieces([*pieces, (describe_outcome(row), "dim")], cells, hang=2)


def _draw_said(signal: Signal, cells: int) -> list[list[Piece]]:
    place = f":{signal.line:,} " if signal.line else ""
    why = f"  ({draw.clip_to_line(_(signal.why))})" if signal.why else ""
    return wrap_pieces(
        [("    ", ""), (place, "faint"), (draw.clip_to_line(signal.text), ""), (why, "dim")], cells, hang=6
    )


def _draw_keys(text: str, cells: int) -> list[list[Piece]]:
    return [[], *wrap_pieces([(text, "faint")], cells)]


def draw_gate_detail(item: GateRow, cells: int) -> list[list[Piece]]:
    """What it lets through, how it stands, and why."""
    one = item.gate
    sign, style = ("☑ " + _("open"), "ok") if one.open else ("☐ " + _("shut"), "warn")
    lines = wrap_pieces([(sign + "  ", style), (draw.clip_to_line(_(one.title)), "bold")], cells)
    for label, text in ((_("now"), one.value), (_("wanted"), one.wanted), (_("why"), one.why)):
        if text:
            lines += wrap_pieces([(draw.pad(label, 8), "dim"), (draw.clip_to_line(str(text)), "")], cells, hang=8)
    stand = evolution_model.list_gates(item.learnt)
    lines += [[], draw_rule(_("on the way to a skill"), cells)]
    for other in stand:
        sign, style = ("☑", "ok") if other.gate.open else ("☐", "warn")
        told_ = f"{draw.clip_to_line(_(other.gate.title))}  {draw.clip_to_line(str(other.gate.value))}"
        lines += wrap_pieces([(f"{sign} ", style), (told_, "")], cells, hang=2)
    return [*lines, *_draw_keys(_("enter lists what it counts"), cells)] if one.counts else lines


def draw_skill_detail(item: SkillRow, cells: int) -> list[list[Piece]]:
    """What is known of a skill that was made."""
    one = item.capability
    stands = _("as it was made") if one.changed is False else _("changed since it was made")
    rows = (
        (_("skill"), one.name),
        (_("made"), clock.format_day(one.made) if one.made is not None else ""),
        (_("against"), one.pattern),
        (_("file"), one.path),
        (_("stands"), (stands if one.changed is not None else "") if one.there else _("gone")),
    )
    lines: list[list[Piece]] = []
    for label, text in rows:
        if text:
            lines += wrap_pieces([(draw.pad(label, 9), "dim"), (draw.clip_to_line(text), "")], cells, hang=9)
    return lines


def draw_sitting_detail(item: Sitting, cells: int) -> list[list[Piece]]:
    """A session: how it went, and every line that counts."""
    lines = _draw_head(item, cells)
    for signal in item.lines:
        lines += [[], *draw_signal_line(signal, cells)]
    return [*lines, *_draw_keys(_("enter opens it · O its page"), cells)]


def draw_line_detail(item: Line, cells: int) -> list[list[Piece]]:
    """One line, what told it, and the session that it was heard in."""
    time = format_session_time(item.heard.time)
    where = [("✎ ", "dim"), (time + "  ", "head"), (draw.clip_to_line(item.heard.project), "kind.session")]
    lines = [*draw_signal_line(item.signal, cells), [], *wrap_pieces(where, cells, hang=2)]
    return [*lines, *_draw_keys(_("enter opens it at the line · O its session"), cells)]


def draw_signal_line(signal: Signal, cells: int) -> list[list[Piece]]:
    """What was said, where, and what told."""
    lines = draw_prose(signal.text, cells)
    about = " · ".join(filter(None, (_(signal.type), draw.clip_to_line(signal.about))))
    lines += wrap_pieces([(about, "kind.signal")], cells)
    if signal.why:
        lines += wrap_pieces([("▸ ", "accent"), (draw.clip_to_line(_(signal.why)), "dim")], cells, hang=2)
    if signal.path:
        place = f"{signal.path}:{signal.line}" if signal.line else signal.path
        lines += wrap_pieces([(draw.clip_start(draw.clip_to_line(place), 3 * cells), "faint")], cells)
    return lines


def draw_report_detail(item: Paper, cells: int) -> list[list[Piece]]:
    """A report, readable in place."""
    note = _("not written yet: this is how it would read now")
    lines = [] if item.written else [*wrap_pieces([(note, "warn")], cells), []]
    for part, rows in split_tables(item.text):
        lines += draw_text_table(rows, cells) if rows else draw_prose(part, cells)
    return lines


def summarize_section(part: str, found: All, config: EvolutionConfig) -> Piece:
    """What a section says of itself before it is opened: '1 crit', '✗✗✗', '2 weak', '☑☑☐☐'."""
    match part:
        case "signals":
            grave = Counter(
                row.pattern.priority
                for row in evolution_model.list_problems(found)
                if evolution_model.is_pending_problem(row)
            )
            for priority, word in (("critical", _("crit")), ("high", _("high"))):
                if grave[priority]:
                    return f" {grave[priority]} {word}", GRAVE[priority][1]
        case "streak":
            longest = max(evolution_model.list_failure_runs(found), key=lambda one: one.streak.length, default=None)
            if longest is not None:
                return " " + "✗" * min(longest.streak.length, FEWER), GRAVE[longest.streak.priority][1]
        case "effects":
            weak = sum(rate_effect(row.effect, config)[1] == _("weak") for row in evolution_model.list_lessons(found))
            if weak:
                return " " + _("{count} weak").format(count=weak), "warn"
        case "skills":
            for learnt in evolution_model.list_learners(found)[:1]:
                gates = [row.gate.open for row in evolution_model.list_gates(learnt)]
                return " " + "".join("☑" if one else "☐" for one in gates), "ok" if all(gates) else "warn"
    return "", ""
