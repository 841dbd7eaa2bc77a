"""One memory, what a write answered, and what was learned from use: as JSON documents and as text for people.

A conflict is shown by the differences of its three texts. The last part is about what was learned: signals, effects
and gates.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.opening import format_place, shorten_path
from memtui.core import clock
from memtui.core.errors import ConflictError
from memtui.core.locale import _, _n
from memtui.fs.places import state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.edits import Receipt
    from memtui.core.errors import MemtuiError
    from memtui.core.model import Memory, Transcript
    from memtui.evolution.audit import SessionSignals
    from memtui.evolution.effects import Effect, Gate, Overview, Pattern
    from memtui.language.conversation import Signal
    from memtui.store.lookup import Chain
    from memtui.store.vault import Vault


TURNS = 400
"""Most turns of a session that are printed for people; the rest is counted."""


def handle(memory: Memory) -> str:
    """The word that names a memory where it is linked: its home's own id, else ours."""
    return memory.key or memory.id


def dump_memory(memory: Memory) -> dict[str, Any]:
    """Every field, times in ISO 8601, unknown keys under `extra`."""
    return {
        "id": memory.id,
        "home": memory.home,
        "path": memory.path,
        "start_line": memory.start,
        "end_line": memory.last,
        "layer": None if memory.layer is None else memory.layer.value,
        "kind": memory.kind,
        "status": memory.status.value,
        "title": memory.title,
        "text": memory.text,
        "heading": list(memory.heading),
        "created": format_iso(memory.created),
        "updated": format_iso(memory.updated),
        "expires": format_iso(memory.expires),
        "confidence": memory.confidence,
        "importance": memory.importance,
        "tags": list(memory.tags),
        "entities": list(memory.entities),
        "session": memory.session,
        "evidence": memory.evidence,
        "source": memory.source,
        "key": memory.key,
        "superseded_by": memory.superseded_by,
        "links": list(memory.links),
        "etag": memory.etag,
        "extra": make_jsonable(memory.extra),
    }


def make_jsonable(value: Any, depth: int = 0) -> Any:
    """The value with whatever JSON has no word for as text; hostile depth is cut."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if depth > 16:
        return "…"
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): make_jsonable(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [make_jsonable(item, depth + 1) for item in value]
    return str(value)


def format_iso(seconds: float | None) -> str | None:
    """A time as ISO 8601 with its offset."""
    return None if seconds is None else clock.convert_to_local(seconds).isoformat(timespec="seconds")


def format_when(seconds: float | None) -> str:
    """An age, read at a glance, on a terminal; in a pipe the day, which sorts and does not grow old."""
    if seconds is None:
        return ""
    return clock.format_day(seconds) if render.count_columns() is None else clock.format_age(seconds)


def show(opened: Vault, which: str, as_json: bool) -> int:
    """Print one memory, what it replaced, what replaced it, and a session's turns; 1 where there is none."""
    memory = opened.memory(which)
    if memory is None:
        if as_json:
            render.print_document({"memory": None})
        render.print_remark(_("There is no memory '{id}': lists and `memtui search` name them.").format(id=which))
        return 1
    chain = opened.chain(memory)
    transcript = opened.turns(memory) if memory.kind == "session" else None
    if as_json:
        render.print_document(
            {
                "memory": dump_memory(memory),
                "before": [dump_memory(item) for item in chain.before],
                "after": [dump_memory(item) for item in chain.after],
                "dangling": chain.dangling,
                "cyclic": chain.cyclic,
                "turns": None if transcript is None else _dump_turns(transcript),
            }
        )
        return 0
    _page(memory, chain)
    if transcript is not None:
        _print_talk(transcript)
    return 0


def _page(memory: Memory, chain: Chain) -> None:
    place = format_place(memory.home, memory.path, memory.start)
    render.print_line(render.paint(render.make_safe_line(place), render.CYAN))
    fields: list[tuple[str, str]] = [
        (_("kind"), f"{memory.kind} ({_(memory.layer.value) if memory.layer else ''})"),
        (_("status"), _(memory.status.value)),
        (_("title"), memory.title),
        (_("under"), " › ".join(memory.heading)),
        (_("created"), format_iso(memory.created) or ""),
        (_("updated"), format_iso(memory.updated) or ""),
        (_("expires"), format_iso(memory.expires) or ""),
        (_("confidence"), "" if memory.confidence is None else f"{memory.confidence:g}"),
        (_("importance"), "" if memory.importance is None else f"{memory.importance:g}"),
        (_("tags"), ", ".join(memory.tags)),
        (_("entities"), ", ".join(memory.entities)),
        (_("session"), memory.session),
        (_("evidence"), memory.evidence),
        (_("source"), memory.source),
        (_("links"), ", ".join(memory.links)),
        (_("id"), "  ".join(filter(None, [memory.key, memory.id]))),
        *((str(key), _format_brief(value)) for key, value in memory.extra.items()),
    ]
    render.print_fields(fields)
    for sign, others in (("←", chain.before), ("→", chain.after)):
        for other in others:
            render.print_line(f"{sign} {render.make_safe_line(handle(other))}  {render.make_safe_line(other.text)}")
    if chain.dangling:
        render.print_line(
            "→ " + _("superseded by {key}, which is missing").format(key=render.make_safe_line(chain.dangling))
        )
    if chain.cyclic:
        render.print_line("↺ " + _("the chain of replacements is circular"))
    render.print_line()
    render.print_line(render.make_safe_text(memory.text))


def _format_brief(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(make_jsonable(value), ensure_ascii=False)


def _dump_turns(transcript: Transcript) -> dict[str, Any]:
    return {
        "turns": [
            {
                "role": turn.role,
                "text": turn.text,
                "time": format_iso(turn.time),
                "line": turn.line,
                "tool": turn.tool,
                "failed": turn.failed,
                "sidechain": turn.sidechain,
            }
            for turn in transcript.turns
        ],
        "skipped": transcript.skipped,
        "unknown": transcript.unknown,
        "truncated": transcript.truncated,
    }


def _print_talk(transcript: Transcript) -> None:
    for turn in transcript.turns[:TURNS]:
        who = f"{turn.role} {turn.tool}".strip() + (" ✗" if turn.failed else "")
        when = "" if turn.time is None else clock.convert_to_local(turn.time).strftime("%H:%M")
        render.print_line()
        render.print_line(render.paint(render.make_safe_line(f"{when} {who}  :{turn.line}".strip()), render.BOLD))
        render.print_line(render.make_safe_text(turn.text))
    hidden = len(transcript.turns) - TURNS
    if hidden > 0:
        render.print_remark(_n("{count} more turn; --json gives all", "{count} more turns; --json gives all", hidden))
    if transcript.skipped or transcript.unknown or transcript.truncated:
        skipped = _n("{count} line could not be read", "{count} lines could not be read", transcript.skipped)
        unknown = _n(
            "{count} record is of a kind not shown", "{count} records are of kinds not shown", transcript.unknown
        )
        cut = _("; the file is longer than what was read") if transcript.truncated else ""
        render.print_remark(_("{one}, {other}").format(one=skipped, other=unknown) + cut)


def dump_receipt(receipt: Receipt) -> dict[str, Any]:
    """Every field of a receipt."""
    return {
        "id": receipt.id,
        "time": format_iso(receipt.time),
        "verb": receipt.verb,
        "who": receipt.who,
        "what": receipt.what,
        "paths": _list_shown_paths(receipt),
        "group": receipt.group,
        "warnings": list(receipt.warnings),
    }


def say(receipts: Sequence[Receipt], *, line: int = 0, back: bool = True) -> None:
    """The places on stdout, as editors take them; what was done, what to know and how to undo it on stderr.

    `line` is the one that was written, of a single write to a single file.
    """
    seen: list[str] = []
    for receipt in receipts:
        for path in _list_shown_paths(receipt):
            place = f"{path}:{line}" if line else path
            if place not in seen:
                seen.append(place)
                render.print_line(render.paint(render.make_safe_line(place), render.CYAN))
    for receipt in receipts:
        render.print_remark(receipt.what)
    print_remarks(receipts)
    if back:
        print_undo(receipts)


def print_undo(receipts: Sequence[Receipt]) -> None:
    """The one line that takes them back, on stderr."""
    if receipts:
        last = receipts[-1]
        name = last.group if last.group and len(receipts) > 1 else last.id
        render.print_remark(_("undo: {command}").format(command=f"memtui undo {name}"))


def _list_shown_paths(receipt: Receipt) -> list[str]:
    """The files of homes; what memtui writes down for itself besides is nobody's errand."""
    own = os.path.join(state(), "")
    return [path for path in receipt.paths if not path.startswith(own)]


def print_remarks(receipts: Sequence[Receipt]) -> None:
    """What a person should know of the writes, on stderr: '1 secret was masked'."""
    for warning in dict.fromkeys(warning for receipt in receipts for warning in receipt.warnings):
        render.print_remark(_("note: {text}").format(text=warning))


def explain(error: MemtuiError) -> None:
    """What a person needs besides the error's sentence: the texts of a conflict."""
    if isinstance(error, ConflictError):
        print_conflict(error)


def print_conflict(error: ConflictError) -> None:
    """The three texts of a conflict, as two differences from what the change was made from, on stderr."""
    path = error.path
    for title, text in (
        (_("What changed there in the meantime:"), render.diff_files(error.base, error.theirs, path)),
        (_("What was to be written:"), render.diff_files(error.base, error.mine, path)),
    ):
        render.print_remark(title)
        for line in render.make_safe_diff(text):
            render.print_remark(f"  {line}")
    if error.kept and error.kept not in str(error):
        render.print_remark(_("Your version is kept in {place}.").format(place=shorten_path(error.kept)))


def dump_conflict(error: ConflictError) -> dict[str, Any]:
    """A conflict as a document: where, what is kept, and both differences."""
    return {
        "home": error.home,
        "path": error.path,
        "kept": error.kept or None,
        "theirs": render.diff_files(error.base, error.theirs, error.path),
        "mine": render.diff_files(error.base, error.mine, error.path),
    }


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
        "sessions": [_dump_session(overview, one) for one in overview.window],
        "patterns": [_dump_pattern(one) for one in overview.patterns],
        "problems": [_dump_pattern(one) for one in overview.problems],
        "streak": {
            "length": overview.streak.length,
            "priority": overview.streak.priority,
            "sessions": list(overview.streak.sessions),
        },
        "changes": [{**one._asdict(), "said": one.said, "good": one.good} for one in overview.changes],
    }


def _dump_session(overview: Overview, heard: SessionSignals) -> dict[str, Any]:
    went = overview.outcomes.get(heard.session)
    return {
        "session": heard.session,
        "time": format_iso(heard.time),
        "project": heard.project,
        "path": heard.path,
        "outcome": went.status if went is not None else "unknown",
        "signals": [sign.type for sign in heard.signals],
    }


def _dump_pattern(one: Pattern) -> dict[str, Any]:
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
        [_make_pattern_row(one) for one in overview.patterns],
    )
    if overview.problems:
        _say_problems(overview)
    streak = overview.streak
    if streak.flagged:
        told = _("The last {count} sessions failed one after the other.").format(count=streak.length)
        render.print_line()
        render.print_line(render.paint(f"{told} {_shout(streak.priority)}".rstrip(), _STYLES[streak.priority]))
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
            f"{render.make_safe_line(project)}  {_format_numbers(one, style)}"
        )
        render.print_line(render.paint(render.make_safe_line(f"  {one.key}"), render.DIM))
        for heard, sign in one.lines[-2:][::-1]:
            render.print_line(f"  {render.paint(render.make_safe_line(place(overview, heard, sign)), render.CYAN)}")
            render.print_line(f"    {render.make_safe_line(sign.text)}")


def _format_numbers(one: Pattern, style: str) -> str:
    """A problem's numbers: what is loud is coloured, and says so in words, too."""
    parts = [f"{one.count}/{one.window}", _shout(one.priority), _format_status(one)]
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
    rows = [_make_effect_row(overview, one, weak, strong) for one in overview.effects[:limit]]
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


def _make_pattern_row(one: Pattern) -> list[str]:
    bar = f"{one.count}/{one.window}"
    if render.count_columns() is not None:
        bar = f"{bar} {_draw_bar(one.count / one.window if one.window else 0)}"
    return [
        one.type,
        bar,
        _shout(one.priority),
        _format_status(one),
        format_when(one.last),
        draw_spark(one.history[-TREND:]),
    ]


def _make_effect_row(overview: Overview, one: Effect, weak: set[str], strong: set[str]) -> list[str]:
    memory = overview.experiences.get(one.experience)
    value = overview.value(one)
    return [
        f"{value:.2f}",
        _draw_bar(value),
        f"{one.p:.2f}",
        str(one.good + one.helpful),
        str(one.bad + one.wrong),
        format_when(one.last),
        _(_grade(one.experience, weak, strong)),
        memory.id if memory is not None else "",
        memory.text if memory is not None else one.experience,
    ]


def _grade(experience: str, weak: set[str], strong: set[str]) -> str:
    return "weak" if experience in weak else "strong" if experience in strong else ""


def _format_status(one: Pattern) -> str:
    said = _(one.status) + (f" ({_('returned')})" if one.returned else "")
    return f"{said}, {one.who}" if one.who and one.status in {"addressed", "suppressed"} else said


def _shout(priority: str) -> str:
    return "" if priority == "normal" else _(priority).upper()


def _draw_bar(share: float) -> str:
    full = round(min(max(share, 0.0), 1.0) * BAR)
    return "█" * full + "░" * (BAR - full)


def draw_spark(counts: Sequence[int]) -> str:
    """Numbers as a line of little bars, zero the lowest."""
    top = max(counts, default=0)
    return "".join(_SPARKS[round(count / top * (len(_SPARKS) - 1))] if top else _SPARKS[0] for count in counts)
