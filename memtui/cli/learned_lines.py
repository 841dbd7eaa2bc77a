"""What was learned from use (signals, effects, gates), as JSON documents and as lines for people."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.documents import format_iso
from memtui.cli.opening import format_place
from memtui.core import clock
from memtui.core.locale import _, _n

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.evolution.audit import SessionSignals
    from memtui.evolution.effects import Effect, Gate, Overview, Pattern
    from memtui.language.conversation import Signal

BAR = 8
"""Cells of a bar."""
TREND = 16
"""Windows of a sparkline on a terminal, the newest."""

_SPARKS = "▁▂▃▄▅▆▇█"
_STYLES = {"critical": render.RED, "high": render.YELLOW, "normal": ""}


def dump_signals(overview: Overview) -> dict[str, Any]:
    """Patterns and problems as a document, each with its sessions and lines."""
    return {
        "home": str(overview.home.path),
        "window": overview.config.window,
        "heard": len(overview.sessions),
        "unheard": overview.unheard,
        "sessions": [_session(overview, one) for one in overview.window],
        "patterns": [_pattern(overview, one) for one in overview.patterns],
        "problems": [_pattern(overview, one) for one in overview.problems],
        "streak": {
            "length": overview.streak.length,
            "priority": overview.streak.priority,
            "sessions": list(overview.streak.sessions),
        },
        "changes": [{**one._asdict(), "said": one.said, "good": one.good} for one in overview.changes],
    }


def _session(overview: Overview, heard: SessionSignals) -> dict[str, Any]:
    went = overview.outcomes.get(heard.session)
    return {
        "session": heard.session,
        "time": format_iso(heard.time),
        "project": heard.project,
        "path": heard.path,
        "outcome": went.status if went is not None else "unknown",
        "signals": [sign.type for sign in heard.signals],
    }


def _pattern(overview: Overview, one: Pattern) -> dict[str, Any]:
    return {
        "key": one.key,
        "type": one.type,
        "about": one.about,
        "project": one.project,
        "count": one.count,
        "window": one.window,
        "priority": one.priority,
        "status": one.status,
        "who": one.who or None,
        "reason": one.reason or None,
        "returned": one.returned,
        "times": one.times,
        "first_seen": format_iso(one.first),
        "last_seen": format_iso(one.last),
        "history": list(one.history),
        "sessions": [
            {
                "session": heard.session,
                "time": format_iso(heard.time),
                "path": sign.path or heard.path,
                "line": sign.line or None,
                "text": sign.text,
                "about": sign.about or None,
                "why": sign.why or None,
            }
            for heard, sign in one.lines
        ],
    }


def dump_effects(overview: Overview) -> dict[str, Any]:
    """Every experience with its numbers, best first."""
    weak, strong = ({one.experience for one in part} for part in (overview.weak, overview.strong))
    return {
        "home": str(overview.home.path),
        "half_life_days": overview.config.half_life_days,
        "effects": [
            {
                "experience": one.experience,
                "memory": memory.id if memory is not None else None,
                "text": memory.text if memory is not None else None,
                "path": memory.path if memory is not None else None,
                "line": memory.start if memory is not None else None,
                "p": round(one.p, 4),
                "decay": round(one.decay(overview.now, overview.config.half_life_days), 4),
                "value": round(overview.value(one), 4),
                "refs": one.refs,
                "good": one.good,
                "bad": one.bad,
                "helpful": one.helpful,
                "wrong": one.wrong,
                "stale": one.stale,
                "first": format_iso(one.first),
                "last": format_iso(one.last),
                "trend": [round(step, 4) for step in one.trend],
                "sessions": list(one.sessions),
                "verdict": _grade(one.experience, weak, strong) or None,
            }
            for one in overview.effects
            for memory in (overview.experiences.get(one.experience),)
        ],
    }


def dump_gates(overview: Overview) -> dict[str, Any]:
    """The four gates as a document."""
    return {
        "home": str(overview.home.path),
        "open": all(gate.open for gate in overview.gates),
        "gates": [gate._asdict() for gate in overview.gates],
    }


def say_signals(overview: Overview) -> None:
    """Both tables, the streak and what changed, for people."""
    render.print_table(
        [
            render.Column(_("signal"), render.BOLD),
            render.Column(_("sessions")),
            render.Column(_("priority")),
            render.Column(_("status"), render.DIM),
            render.Column(_("last"), render.DIM, right=True),
            render.Column(_("trend"), render.CYAN),
        ],
        [_row(one) for one in overview.patterns],
    )
    if overview.problems:
        _say_problems(overview)
    streak = overview.streak
    if streak.flagged:
        told = _("The last {count} sessions failed one after the other.").format(count=streak.length)
        render.print_line()
        render.print_line(render.paint(f"{told} {_loud(streak.priority)}".rstrip(), _STYLES[streak.priority]))
    if overview.changes:
        render.print_line()
        render.print_line(render.paint(_("Since a week ago"), render.BOLD))
        for one in overview.changes:
            sign, style = ("+", render.GREEN) if one.good else ("!", render.YELLOW)
            render.print_line(f"{render.paint(sign, style)} {render.make_safe_line(one.said)}")


def _say_problems(overview: Overview) -> None:
    render.print_line()
    render.print_line(render.paint(_("Problems that came back"), render.BOLD))
    for one in overview.problems:
        render.print_line()
        style = _STYLES[one.priority] or (render.DIM if one.status != "active" else "")
        project = f" ({one.project})" if one.project else ""
        render.print_line(
            f"{render.paint(render.make_safe_line(one.about), render.BOLD)}"
            f"{render.make_safe_line(project)}  {_said(one, style)}"
        )
        render.print_line(render.paint(render.make_safe_line(f"  {one.key}"), render.DIM))
        for heard, sign in one.lines[-2:][::-1]:
            render.print_line(
                f"  {render.paint(render.make_safe_line(place(overview, heard, sign)), render.CYAN)}"
            )
            render.print_line(f"    {render.make_safe_line(sign.text)}")


def _said(one: Pattern, style: str) -> str:
    """A problem's numbers: what is loud is coloured, and says so in words, too."""
    parts = [f"{one.count}/{one.window}", _loud(one.priority), _status(one)]
    parts.append(_n("{count} session in all", "{count} sessions in all", one.times))
    if one.last is not None:
        parts.append(
            _("last {ago} ago").format(ago=clock.format_age(one.last))
            if render.count_columns()
            else clock.format_day(one.last)
        )
    return render.paint(render.make_safe_line(", ".join(filter(None, parts))), style)


def place(overview: Overview, heard: SessionSignals, sign: Signal) -> str:
    """Where a signal was heard, as an editor takes it."""
    path = sign.path or heard.path
    if os.path.isabs(path):
        return f"{path}:{sign.line}" if sign.line else path
    return format_place(str(overview.home.path), path, sign.line) if path else heard.session


def say_effects(overview: Overview, limit: int) -> None:
    """What experiences did, best first."""
    weak, strong = ({one.experience for one in part} for part in (overview.weak, overview.strong))
    rows = [_effect(overview, one, weak, strong) for one in overview.effects[:limit]]
    render.print_table(
        [
            render.Column(_("value"), right=True),
            render.Column("", render.CYAN),
            render.Column(_("p"), right=True),
            render.Column(_("ok"), render.GREEN, right=True),
            render.Column(_("failed"), render.RED, right=True),
            render.Column(_("last"), render.DIM, right=True),
            render.Column("", render.BOLD),
            render.Column(_("id"), render.DIM),
            render.Column(_("experience"), grows=True),
        ],
        rows,
    )
    if len(overview.effects) > limit:
        render.print_remark(_("the best {limit}; --limit shows more").format(limit=limit))


def say_gates(gates: Iterable[Gate]) -> None:
    """The checklist."""
    for gate in gates:
        mark, style = ("✓", render.GREEN) if gate.open else ("✗", render.RED)
        told = f"{gate.title}: {gate.value} ({gate.wanted})"
        render.print_line(f"{render.paint(mark, style)} {render.make_safe_line(told)}")
        if not gate.open and gate.why:
            render.print_line(f"  {render.paint(render.make_safe_line(gate.why), render.DIM)}")


def _row(one: Pattern) -> list[str]:
    when = (
        ""
        if one.last is None
        else clock.format_age(one.last)
        if render.count_columns()
        else clock.format_day(one.last)
    )
    bar = f"{one.count}/{one.window}"
    if render.count_columns() is not None:
        bar = f"{bar} {_bar(one.count / one.window if one.window else 0)}"
    return [one.type, bar, _loud(one.priority), _status(one), when, draw_spark(one.history[-TREND:])]


def _effect(overview: Overview, one: Effect, weak: set[str], strong: set[str]) -> list[str]:
    memory = overview.experiences.get(one.experience)
    value = overview.value(one)
    when = (
        ""
        if one.last is None
        else clock.format_age(one.last)
        if render.count_columns()
        else clock.format_day(one.last)
    )
    return [
        f"{value:.2f}",
        _bar(value),
        f"{one.p:.2f}",
        str(one.good + one.helpful),
        str(one.bad + one.wrong),
        when,
        _(_grade(one.experience, weak, strong)),
        memory.id if memory is not None else "",
        memory.text if memory is not None else one.experience,
    ]


def _grade(experience: str, weak: set[str], strong: set[str]) -> str:
    return "weak" if experience in weak else "strong" if experience in strong else ""


def _status(one: Pattern) -> str:
    said = _(one.status) + (f" ({_('returned')})" if one.returned else "")
    return f"{said}, {one.who}" if one.who and one.status in {"addressed", "suppressed"} else said


def _loud(priority: str) -> str:
    return "" if priority == "normal" else _(priority).upper()


def _bar(share: float) -> str:
    full = round(min(max(share, 0.0), 1.0) * BAR)
    return "█" * full + "░" * (BAR - full)


def draw_spark(counts: Sequence[int]) -> str:
    """Numbers as a line of little bars, zero the lowest."""
    top = max(counts, default=0)
    return "".join(
        _SPARKS[round(count / top * (len(_SPARKS) - 1))] if top else _SPARKS[0] for count in counts
    )
