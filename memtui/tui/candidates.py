"""How a candidate looks: its row in the queue, and what is said about it beside the bytes it would write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from memtui import clock
from memtui.locale import _, _n
from memtui.tui import diffs, draw, paint
from memtui.tui.fields import rule
from memtui.tui.items import Fixed
from memtui.tui.prose import prose, wrapped

if TYPE_CHECKING:
    from memtui.curation.candidates import Candidate, Refused, Source
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush
    from memtui.tui.upshot import Upshot

ORIGINS = {
    "distilled": "journal",
    "proposed": "agent",
    "contradiction": "conflict",
    "duplicate": "twice",
    "quarantine": "put aside",
    "secret": "secret",
    "capability": "skill",
    "stale": "outdated",
    "weak": "weak",
    "attachment": "expired",
}
"""The word for where a candidate comes from (source strings)."""

NEARS = 5
SOURCES = 6
"""Places that are named."""


class Row:
    """A candidate or a refused fact as the list holds it: with a key of its own."""

    __slots__ = ("id", "of", "rejected")

    def __init__(self, of: Candidate | Refused, rejected: bool = False) -> None:
        self.of, self.rejected = of, rejected
        self.id = getattr(of, "id", "") or f"{of.home}:{of.path}:{of.line}:{of.text[:80]}"  # type: ignore[union-attr]

    @property
    def candidate(self) -> Candidate | None:
        """What can be decided; None for what was not proposed."""
        return cast("Candidate", self.of) if hasattr(self.of, "origin") else None


def sign(candidate: Candidate) -> tuple[str, str]:
    """○ nothing speaks against it, ◐ something much like it is kept already, ⚠ it should be looked at."""
    odd = candidate.origin in {"secret", "quarantine", "contradiction"}
    if odd or any(not warning.startswith("near-duplicate") for warning in candidate.warnings):
        return "⚠", "warn"
    return ("◐", "warn") if candidate.warnings or candidate.near else ("○", "ok")


def undoable(candidate: Candidate) -> bool:
    """Whether approving it can be taken back: what a mask hides is kept nowhere."""
    return candidate.origin != "secret"


def warning(text: str) -> str:
    """What a person reads of it."""
    kind, _colon, said = text.partition(":")
    return draw.one_line(said.strip() or kind)


def row(item: Candidate, brush: Brush, *, rejected: bool = False) -> list[list[Piece]]:
    """○ pref  中文交流，技术术语保持英文   ███▉  seen 4×  12d  journal"""
    mark, style = ("✗", "dim") if rejected else sign(item)
    cells = paint.LONG if brush.width >= paint.ROOM else paint.SHORT
    left: list[Piece] = [
        (f" {mark} ", style),
        (paint.kind_word(item.kind, cells) + " ", f"kind.{item.kind}"),
    ]
    right: list[Piece] = []
    if brush.width >= 44:
        right.append((" " + draw.bar(item.score, paint.STRENGTH), "dim"))
    if brush.width >= 90:
        seen = _("seen {count}×").format(count=item.seen) if item.seen > 1 else ""
        right.append((draw.pad(seen, 9, right=True), "dim"))
    if brush.width >= 36:
        right.append((f" {clock.ago(item.time):>4}", "faint"))
    if brush.width >= 54:
        right.append((" " + draw.pad(_(ORIGINS.get(item.origin, item.origin)), 9), "dim"))
    right.append((" ", ""))
    body = paint.worded(paint.plain(draw.one_line(item.said)), brush, "struck" if rejected else "")
    return [draw.row(left, body, right, brush.width)]


def refused(item: Refused, brush: Brush) -> list[list[Piece]]:
    """· text …   why it was not proposed"""
    room = max(12, brush.width // 2)
    reason = draw.cut(draw.one_line(item.reason), room)
    return [
        draw.row(
            [(" · ", "faint")],
            paint.worded(draw.one_line(item.text), brush, "dim"),
            [(f"  {reason} ", "warn")],
            brush.width,
        )
    ]


def heading(candidate: Candidate, context: Context) -> str:
    """Where it would be written: 'What will be written · MEMORY.md § 用户偏好'."""
    target = candidate.target
    if target is None:
        return _("What will change")
    whose = ""
    if len(context.labels) > 1 and (home := context.home(target.home)) is not None:
        whose = context.name(home) + " "
    section = f" § {target.section}" if target.section else ""
    return draw.one_line(_("What will be written") + f" · {whose}{target.path}{section}")


def why(candidate: Candidate) -> str:
    """In one line why it is here."""
    parts = [f"{name} {value}".strip() for name, value in candidate.parts]
    return draw.one_line(" · ".join(filter(None, [candidate.reason, *parts])))


def told(candidate: Candidate, upshot: Upshot | None, cells: int) -> list[list[Piece]]:
    """Why it is here, what would be written, and everything it is judged by. None: that is being worked out."""
    from memtui.tui.upshot import beside, promised

    lines: list[list[Piece]] = []
    if reasons := why(candidate):
        lines += wrapped([(_("why") + "  ", "accent"), (reasons, "dim")], cells, hang=5)
    for text in candidate.warnings:
        lines += wrapped([("⚠ ", "warn"), (warning(text), "warn")], cells, hang=2)
    # Who wants it is a part of what is proposed: a long difference must not hide it.
    lines += _origin(candidate, cells) if candidate.who else []
    lines += beside(upshot.about, cells) if upshot is not None else []
    if promise := promised(candidate):
        lines += wrapped([(_("approved") + "  ", "accent"), (promise, "")], cells, hang=10)
    lines.append([])
    diff = upshot.diff if upshot is not None else ""
    if upshot is None:
        lines.append([(" " + _("reading …"), "dim")])
    elif diff:
        lines += diffs.drawn(diff, cells)
        back = (
            (_("journalled, undo with u"), "dim") if undoable(candidate) else (_("cannot be undone"), "warn")
        )
        lines += [[], [(f" {diffs.in_words(diff)} · ", "dim"), back]]
    else:
        lines += prose(candidate.text, cells)
    lines += [[], *_origin(candidate, cells)] if not candidate.who else []
    if candidate.near:
        lines += [[], rule(_("much like it is kept already"), cells)]
        for near in candidate.near[:NEARS]:
            like = draw.bar(near.likeness, paint.STRENGTH)
            where = draw.one_line(f"{near.path}:{near.line}")
            said = [(f"{like} ", "warn"), (f"{where}  ", "dim"), (draw.one_line(near.text), "")]
            lines += wrapped(said, cells, hang=4)
        lines.append([(_("= compares them"), "faint")])
    return lines


def inside(source: Source) -> bool:
    """Whether it names a file of its home, and no transcript elsewhere."""
    return bool(source.path) and not os.path.isabs(source.path)


def origin(candidate: Candidate) -> tuple[str, int] | None:
    """The session that it was last said in, and the line of its transcript (0: nobody knows)."""
    found = next((source for source in candidate.sources if source.session), None)
    return None if found is None else (found.session, 0 if inside(found) else found.line)


def _origin(candidate: Candidate, cells: int) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    if candidate.who:
        who = draw.one_line(candidate.who.removeprefix("agent:"))
        told = (
            _("proposed by {who}: an agent says so, no person has")
            if candidate.who != who
            else _("proposed by {who}")
        )
        lines += wrapped([(told.format(who=who), "dim")], cells)
    if candidate.draft is not None and candidate.draft.evidence:
        said = draw.one_line(candidate.draft.evidence)
        lines += wrapped([(_("because") + " ", "dim"), (said, "")], cells, hang=8)
    for source in candidate.sources[:SOURCES]:
        lines += wrapped([(_("from") + " ", "dim"), *_place(source)], cells, hang=5)
    if (more := len(candidate.sources) - SOURCES) > 0:
        lines.append([(_n("… and {count} more place", "… and {count} more places", more), "faint")])
    if origin(candidate) is not None:
        lines.append([(_("O opens the session"), "faint")])
    return lines


def _place(source: Source) -> list[Piece]:
    """MEMORY.md:7  session 1d6e01ef  3d; of a transcript, whose name is the session's, only the line."""
    age = f"  {clock.ago(source.time)}" if source.time is not None else ""
    session = _("session {id}").format(id=draw.one_line(source.session)) if source.session else ""
    if inside(source):
        place = f"{source.path}:{source.line}" if source.line else source.path
    else:
        place = _("line {n:,} of its transcript").format(n=source.line) if source.line else ""
    parts = [(draw.one_line(place), ""), (session, "dim")]
    shown = [(text, style) for text, style in (parts if inside(source) else parts[::-1]) if text]
    return [*shown[:1], *(("  " + text, style) for text, style in shown[1:]), (age, "faint")]


def told_refused(item: Refused, cells: int) -> list[list[Piece]]:
    """A fact that was not proposed, and why."""
    where = draw.one_line(f"{item.path}:{item.line}")
    return [
        *prose(item.text, cells),
        [],
        *wrapped([(_("not proposed:") + " ", "warn"), (draw.one_line(item.reason), "")], cells, hang=2),
        *wrapped([(_("from") + " ", "dim"), (where, "")], cells, hang=5),
    ]


def group(title: str, rows: list[Row]) -> list[Any]:
    """A head and its rows; nothing where there are none."""
    if not rows:
        return []
    head = Fixed(f"head:{title}", ((f" {title}", "head"),), ((f" {len(rows):,} ", "dim"),), rest=False)
    return [Fixed(f"blank:{title}", (), rest=False), head, *rows]
