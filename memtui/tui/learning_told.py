"""What stands beside a row of what was learnt: where its number comes from, session by session and line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.locale import _, _n
from memtui.tui import draw, learning
from memtui.tui.activity import sparkline
from memtui.tui.fields import number, rule
from memtui.tui.learning_rows import GRAVE, WENT, moment, named, standing, tally, trend, valued, went
from memtui.tui.learnt import Change, Checked, Lesson, Line, Paper, Problem, Run, Sitting, Skill
from memtui.tui.prose import prose, wrapped
from memtui.tui.tabled import parts, table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.config import EvolutionConfig
    from memtui.evolution.events import Signal
    from memtui.tui.draw import Piece
    from memtui.tui.learnt import All

MOST = 60
"""Sessions that are told beside a row: enter lists all of them."""

HISTORY = 26
"""Windows back in time that are drawn."""


def title(item: Any) -> str:
    """What the frame says."""
    match item:
        case Problem():
            return f"{_('signal')} · {named(item.pattern)}"
        case Lesson():
            return f"{_('effect')} · {item.effect.experience}"
        case Run():
            return _("failure streak")
        case Checked():
            return f"{_('gate')} · {_(item.gate.title)}"
        case Skill():
            return f"{_('skill')} · {item.capability.name}"
        case Sitting():
            return f"{_('session')} · {item.session}"
        case Line():
            return f"{item.signal.path}:{item.signal.line}" if item.signal.line else item.signal.path
        case Paper():
            return f"{_('report')} · {item.home.label}"
        case Change():
            return _("since last week")
    return ""


def told(item: Any, found: All, config: EvolutionConfig, cells: int) -> list[list[Piece]]:
    """All that is to say of a row."""
    match item:
        case Problem():
            return problem(item, cells)
        case Lesson():
            return [*prose(item.effect.experience, cells), *effect(item, found, config, cells)]
        case Run():
            return run(item, cells)
        case Checked():
            return gate(item, cells)
        case Skill():
            return skill(item, cells)
        case Sitting():
            return sitting(item, cells)
        case Line():
            return line(item, cells)
        case Paper():
            return paper(item, cells)
        case Change():
            whole = learning.about(found, item)
            below = told(whole, found, config, cells) if whole is not None else []
            return [*wrapped([(draw.one_line(item.shift.said), "bold")], cells), [], *below]
    return []


def run(item: Run, cells: int) -> list[list[Piece]]:
    """How many, how grave that is, and each of them."""
    word, style = GRAVE.get(item.streak.priority, ("", "dim"))
    length = item.streak.length
    many = _n("{count} session failed", "{count} sessions failed in a row", length)
    lines = wrapped([(_(word) + "  ", style), (many, "bold")], cells)
    return [*lines, *_sittings(learning.of_run(item), cells), *_keys(_("enter lists them"), cells)]


def problem(item: Problem, cells: int) -> list[list[Piece]]:
    """How grave, how often, since when, how it stands and who said so; then its sessions and lines."""
    pattern = item.pattern
    word, style = GRAVE.get(pattern.priority, ("", "dim"))
    lines = wrapped([(_(word) + "  ", style), (named(pattern), "bold")], cells)
    if pattern.about:
        lines += wrapped([(pattern.type, "dim")], cells)
    often = _("{count} of the last {window} sessions").format(count=pattern.count, window=pattern.window)
    whole = _n("{count} session in all", "{count} sessions in all", pattern.times)
    whose = _("in {project}").format(project=draw.one_line(pattern.project)) if pattern.project else ""
    lines += wrapped([(" · ".join(filter(None, (often, whole, whose))), "")], cells)
    if len(pattern.history) > 1:
        room = max(4, min(HISTORY, cells - 24))
        shown = pattern.history[-room:]
        label = _("by {window} sessions").format(window=pattern.window)
        lines.append([(sparkline(shown, pattern.window), style), (f"  {label}", "dim")])
    since = [(_("first"), pattern.first), (_("last"), pattern.last)]
    times = [f"{name} {clock.day(at)} ({clock.ago(at)})" for name, at in since if at is not None]
    lines += wrapped([(" · ".join(times), "dim")], cells) if times else []
    if pattern.who or pattern.reason or standing(pattern):
        lines += wrapped([("● ", "accent"), (_settled(item), "")], cells, hang=2)
    lines += _sittings(learning.sittings(item, pattern.sessions), cells)
    settled = pattern.status in {"addressed", "suppressed"}
    keys = _("r heeds it again") if settled else _("r resolved · I ignore · p drafts a skill")
    return [*lines, *_keys(_("enter lists all its lines") + " · " + keys, cells)]


def _settled(item: Problem) -> str:
    """addressed by person: the proxy is set in the image"""
    pattern = item.pattern
    word = standing(pattern) or _("active")
    by = _("by {who}").format(who=draw.one_line(pattern.who)) if pattern.who else ""
    said = " ".join(filter(None, (word, by)))
    return f"{said}: {draw.one_line(pattern.reason)}" if pattern.reason else said


def effect(item: Lesson, found: All, config: EvolutionConfig, cells: int) -> list[list[Piece]]:
    """The value and what it is made of, what people said, then the sessions that used it and how they went."""
    one = item.effect
    value, word, style = valued(one, config)
    decay = one.decay(clock.now(), config.half_life_days)
    lines: list[list[Piece]] = [[], rule(_("effect"), cells)]
    room = min(20, max(4, cells - 20))
    # What it is made of are counts of sessions and days, and may be checked.
    lines.append([(draw.bar(value, room) + " ", style), (f"{number(value)}  {word}", style)])
    made = _("p {p} × decay {decay}").format(p=number(one.p), decay=number(decay))
    lines += wrapped([(made, "dim")], cells)
    sessions = _("{good} sessions went well, {bad} failed").format(good=one.good, bad=one.bad)
    lines += wrapped([(f"{tally(one)}  ", ""), (sessions, "dim")], cells)
    if one.helpful or one.wrong or one.stale:
        said = _("people: {helpful} helpful, {wrong} wrong").format(helpful=one.helpful, wrong=one.wrong)
        lines += wrapped(
            [(said + (" · " + _("stale") if one.stale else ""), "warn" if one.wrong else "")], cells
        )
    if one.trend:
        lines += wrapped([(trend(one.trend), style), ("  " + _("p, as it went"), "dim")], cells)
    if one.last is not None:
        used = _n("used in {count} session", "used in {count} sessions", one.refs)
        lines += wrapped(
            [(f"{used}, {_('last')} {clock.day(one.last)} ({clock.ago(one.last)})", "dim")], cells
        )
    # Before the sessions: of a lesson that is used every day they fill the whole pane.
    lines += _keys(_("+ helpful · - wrong · ~ stale") + " · " + _("enter lists its sessions"), cells)
    return lines + _sittings(learning.used_in(found, one), cells)


def _sittings(rows: Iterable[Sitting], cells: int) -> list[list[Piece]]:
    """Sessions, each with the lines of it that count."""
    rows = list(rows)
    if not rows:
        return []
    lines: list[list[Piece]] = [[], rule(_("sessions and lines"), cells)]
    for row in rows[:MOST]:
        lines += _head(row, cells)
        for signal in row.lines:
            lines += _said(signal, cells)
    if (more := len(rows) - MOST) > 0:
        lines.append([(_n("… and {count} more session", "… and {count} more sessions", more), "faint")])
    return lines


def _head(row: Sitting, cells: int) -> list[list[Piece]]:
    sign, style = WENT[row.outcome.status if row.outcome is not None else "unknown"]
    time = row.heard.time if row.heard is not None else row.outcome.time if row.outcome is not None else None
    project = draw.one_line(row.heard.project) if row.heard is not None else ""
    pieces: list[Piece] = [
        (f"{sign} ", style),
        (moment(time) + "  ", "head"),
        (project + "  ", "kind.session"),
    ]
    return wrapped([*pieces, (went(row), "dim")], cells, hang=2)


def _said(signal: Signal, cells: int) -> list[list[Piece]]:
    place = f":{signal.line:,} " if signal.line else ""
    why = f"  ({draw.one_line(signal.why)})" if signal.why else ""
    return wrapped(
        [("    ", ""), (place, "faint"), (draw.one_line(signal.text), ""), (why, "dim")], cells, hang=6
    )


def _keys(text: str, cells: int) -> list[list[Piece]]:
    return [[], *wrapped([(text, "faint")], cells)]


def gate(item: Checked, cells: int) -> list[list[Piece]]:
    """What it lets through, how it stands, and why."""
    one = item.gate
    sign, style = ("☑ " + _("open"), "ok") if one.open else ("☐ " + _("shut"), "warn")
    lines = wrapped([(sign + "  ", style), (draw.one_line(_(one.title)), "bold")], cells)
    for label, text in ((_("now"), one.value), (_("wanted"), one.wanted), (_("why"), one.why)):
        if text:
            lines += wrapped([(draw.pad(label, 8), "dim"), (draw.one_line(str(text)), "")], cells, hang=8)
    stand = learning.checked(item.learnt)
    lines += [[], rule(_("on the way to a skill"), cells)]
    for other in stand:
        sign, style = ("☑", "ok") if other.gate.open else ("☐", "warn")
        told_ = f"{draw.one_line(_(other.gate.title))}  {draw.one_line(str(other.gate.value))}"
        lines += wrapped([(f"{sign} ", style), (told_, "")], cells, hang=2)
    return [*lines, *_keys(_("enter lists what it counts"), cells)] if one.counts else lines


def skill(item: Skill, cells: int) -> list[list[Piece]]:
    """What is known of a skill that was made."""
    one = item.capability
    stands = _("as it was made") if one.changed is False else _("changed since it was made")
    rows = (
        (_("skill"), one.name),
        (_("made"), clock.day(one.made) if one.made is not None else ""),
        (_("against"), one.pattern),
        (_("file"), one.path),
        (_("stands"), (stands if one.changed is not None else "") if one.there else _("gone")),
    )
    lines: list[list[Piece]] = []
    for label, text in rows:
        if text:
            lines += wrapped([(draw.pad(label, 9), "dim"), (draw.one_line(text), "")], cells, hang=9)
    return lines


def sitting(item: Sitting, cells: int) -> list[list[Piece]]:
    """A session: how it went, and every line that counts."""
    lines = _head(item, cells)
    for signal in item.lines:
        lines += [[], *line_of(signal, cells)]
    return [*lines, *_keys(_("enter opens it · O its page"), cells)]


def line(item: Line, cells: int) -> list[list[Piece]]:
    """One line, what told it, and the session that it was heard in."""
    time = moment(item.heard.time)
    where = [("✎ ", "dim"), (time + "  ", "head"), (draw.one_line(item.heard.project), "kind.session")]
    lines = [*line_of(item.signal, cells), [], *wrapped(where, cells, hang=2)]
    return [*lines, *_keys(_("enter opens it at the line · O its session"), cells)]


def line_of(signal: Signal, cells: int) -> list[list[Piece]]:
    """What was said, where, and what told."""
    lines = prose(signal.text, cells)
    about = f"{signal.type} · {draw.one_line(signal.about)}" if signal.about else signal.type
    lines += wrapped([(about, "kind.signal")], cells)
    if signal.why:
        lines += wrapped([("▸ ", "accent"), (draw.one_line(signal.why), "dim")], cells, hang=2)
    if signal.path:
        place = f"{signal.path}:{signal.line}" if signal.line else signal.path
        lines += wrapped([(draw.tail(draw.one_line(place), 3 * cells), "faint")], cells)
    return lines


def paper(item: Paper, cells: int) -> list[list[Piece]]:
    """A report, readable in place."""
    note = _("not written yet: this is how it would read now")
    lines = [] if item.written else [*wrapped([(note, "warn")], cells), []]
    for part, rows in parts(item.text):
        lines += table(rows, cells) if rows else prose(part, cells)
    return lines
