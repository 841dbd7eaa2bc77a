"""How a candidate looks: its row, the difference that a decision would write, and what is said about it.

- `draw_diff`: a difference as lines: what goes, what comes, and a little around it, by sign and word besides
  the colour.
- `compute_upshot`: what approving comes to: the difference, the memories side by side, and the promise.
- `draw_candidate_row`, `draw_candidate_detail`: the row in the queue, and what stands beside it.
"""

from __future__ import annotations

import os
import re
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rich.cells import cell_len

from memtui.consolidation import EVOLVED
from memtui.core import clock
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.core.startup import compile_pattern
from memtui.review import queue
from memtui.store.candidates import ADDING, IMPORTER, describe_part
from memtui.tui import draw, paint
from memtui.tui.prose import SYMBOLS, draw_prose, draw_rule, wrap_pieces
from memtui.tui.row_list import Fixed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.analysis.analyst import Analyst
    from memtui.core.model import Memory
    from memtui.store.candidates import Candidate, CandidateSource, Refused
    from memtui.store.vault import Vault
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.row_list import Brush

CONTEXT = 3
"""Unchanged lines that are shown around a change."""

MOST = 400
"""Lines of a difference that are shown."""

LONG = 2000
"""Characters of a line that are shown."""

_STYLES = {"+": "ok", "-": "bad", "\\": "faint"}


def diff_contents(before: bytes | None, after: bytes | None, path: str) -> str:
    """The difference of two contents, as `diff -u` writes it; nothing for equal ones."""
    old, new = _split_text(before), _split_text(after)
    lines = unified_diff(
        old, new, "/dev/null" if before is None else path, "/dev/null" if after is None else path,
        lineterm="", n=CONTEXT,
    )  # fmt: skip
    return "\n".join(lines)


def _split_text(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").split("\n") if data else []


def draw_diff(diff: str, cells: int) -> list[list[Piece]]:
    """A unified difference as lines of at most `cells`; long ones are wrapped under their sign."""
    lines: list[list[Piece]] = []
    shown = 0
    for raw in _drop_file_names(diff):
        shown += 1
        if shown > MOST:
            lines.append([(_("… the difference goes on"), "dim")])
            break
        if raw.startswith("@@"):
            if lines:
                lines.append([("  ⋮", "faint")])
            continue
        sign, text = raw[:1] or " ", raw[1:]
        style = _STYLES.get(sign, "dim")
        body = draw.sanitize_cells(text[:LONG], keep_newlines=False)
        lines += wrap_pieces([(f" {sign} ", style), (body, style)], cells, hang=3)
    return lines


def tally(diff: str) -> tuple[int, int]:
    """How many lines come, and how many go."""
    body = _drop_file_names(diff)
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def _drop_file_names(diff: str) -> list[str]:
    """The lines without the names of the files, which may come again before another file's."""
    lines = diff.removesuffix("\n").split("\n")
    heads = {
        at + more
        for at, line in enumerate(lines[:-1])
        if line.startswith("--- ") and lines[at + 1].startswith("+++ ") and _begins_with_names(lines, at)
        for more in (0, 1)
    }
    return [line for at, line in enumerate(lines) if at not in heads]


def _begins_with_names(lines: list[str], at: int) -> bool:
    """Whether what looks like the names of files is followed by a place: no line of a text is."""
    return at + 2 < len(lines) and lines[at + 2].startswith("@@ ")


def summarize_diff(diff: str) -> str:
    """'adds 1 line', 'adds 2 lines, takes 1 away'."""
    added, gone = tally(diff)
    comes = _n("adds {count} line", "adds {count} lines", added)
    goes = _n("takes {count} line away", "takes {count} lines away", gone)
    return (
        _("{one}, {other}").format(one=comes, other=goes)
        if added and gone
        else goes
        if gone
        else comes
        if added
        else _("changes nothing")
    )


BESIDE = 88
"""Cells from which two lines stand side by side; below, one under the other."""

LONGEST = 1200
"""Characters of each that are shown."""

COMPARED = frozenset({"contradiction", "duplicate"})
ABOUT = frozenset({"weak", "stale", *COMPARED})
"""Origins of candidates whose memories are shown as they stand."""

_STAMP = compile_pattern(r"\A\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)\s+(?:\[\w{1,24}\]\s+)?")
_TOKEN = compile_pattern(r"[A-Za-z0-9_./-]+|\s+|.", re.DOTALL)


class Upshot(NamedTuple):
    """Worked out behind the screen's back."""

    diff: str
    """Exactly what would be written; of what cannot be, why not."""
    about: tuple[Memory, ...] = ()
    """What is decided about: of a contradiction the newer first, of a duplicate the one to keep."""


def compute_upshot(vault: Vault, candidate: Candidate, instead: Mapping[str, str]) -> Upshot:
    """What approving writes, with what a person wants `instead`. On a reader's thread."""
    try:
        diff = queue.diff(vault, candidate, evolved=EVOLVED, **instead)
    except MemtuiError as error:
        diff = "\\ " + draw.sanitize_cells(str(error), keep_newlines=False)
    if candidate.origin not in ABOUT:
        return Upshot(diff)
    found = [vault.memory(named) for named in candidate.memories[:2]]
    return Upshot(diff, tuple(memory for memory in found if memory is not None))


def describe_promise(candidate: Candidate) -> str:
    """What happens on approval, in a sentence, where that is not simply that its text is written."""
    many = len(candidate.memories)
    match candidate.origin:
        case "weak" | "stale":
            return _n(
                "archived (stays in the file, no longer loaded into sessions)",
                "{count} are archived (they stay in their files, no longer loaded into sessions)",
                many,
            )
        case "contradiction":
            return _("the newer one stays, the older is marked as replaced by it")
        case "duplicate":
            if not candidate.members:
                return _("one stays, the other is marked as replaced by it")
            keep, other = (source.path for source in candidate.sources[:2])
            return _("the {count} lines in {keep} stay, those in {other} are marked as replaced by them").format(
                count=len(candidate.members), keep=draw.clip_to_line(keep), other=draw.clip_to_line(other)
            )
        case "capability":
            return _("the skill is installed where the agent looks for skills; u removes it again")
        case "attachment":
            return _("the file goes to the trash, from where it can be restored")
    return ""


def draw_side_by_side(about: Sequence[Memory], cells: int) -> list[list[Piece]]:
    """The older on the left and the newer on the right, what differs marked; one under the other where it is narrow."""
    if not about:
        return []
    if len(about) == 1:
        return [
            [],
            draw_rule(_("current text"), cells),
            *_draw_column(about[0], "", _draw_plain_text(about[0]), cells),
            [],
        ]
    new, old = about[:2]
    left, right = _mark_changes(_clean_text(old), _clean_text(new))
    names = (_("older"), _("newer")) if _has_both_dates(old, new) else (_("this one goes"), _("this one stays"))
    if cells < BESIDE:
        return [
            [], draw_rule(names[0], cells), *_draw_column(old, "", left, cells),
            [], draw_rule(names[1], cells), *_draw_column(new, "", right, cells), [],
        ]  # fmt: skip
    half = (cells - 3) // 2
    columns = _draw_column(old, names[0], left, half), _draw_column(new, names[1], right, half)
    lines: list[list[Piece]] = [[]]
    for number in range(max(map(len, columns))):
        sides = [column[number] if number < len(column) else [] for column in columns]
        lines.append([*draw.fit_row((), sides[0], (), half), (" │ ", "faint"), *sides[1]])
    return [*lines, []]


def _draw_column(memory: Memory, name: str, text: Sequence[Piece], cells: int) -> list[list[Piece]]:
    """When, where and what."""
    moment = memory.updated if memory.updated is not None else memory.created
    when = (
        f"{clock.format_day(moment)} ({clock.format_age(moment) or _('now')})" if moment is not None else _("no date")
    )
    place = draw.clip_to_line(f"{memory.path}:{memory.start}")
    head: list[Piece] = [(f"{name}  ", "head")] if name else []
    return [
        *wrap_pieces([*head, (f"{SYMBOLS[memory.status]} ", "dim"), (when, "dim")], cells),
        *wrap_pieces([(draw.clip_start(place, cells), "faint")], cells),
        *wrap_pieces(list(text), cells),
    ]


def _has_both_dates(old: Memory, new: Memory) -> bool:
    times = [one.updated if one.updated is not None else one.created for one in (old, new)]
    return times[0] is not None and times[1] is not None and times[0] < times[1]


def _clean_text(memory: Memory) -> str:
    return " ".join(draw.sanitize_cells(memory.text[:LONGEST]).split())


def _draw_plain_text(memory: Memory) -> list[Piece]:
    return [(_clean_text(memory), "")]


def _mark_changes(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts, with the words that only one of them has made visible."""
    one, other = _TOKEN.findall(old), _TOKEN.findall(new)
    left: list[Piece] = []
    right: list[Piece] = []
    for same, first, last, begin, end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        style = "" if same == "equal" else "mark"
        left.append(("".join(one[first:last]), style))
        right.append(("".join(other[begin:end]), style))
    return [piece for piece in left if piece[0]], [piece for piece in right if piece[0]]


NEARS = 5
SOURCES = 6
"""Places that are named."""


class CandidateRow:
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


STALE = 60.0
"""Seconds after which it is said how old the queue is, while another one is worked out."""


def count_queue(context: PaneContext, shown: int) -> str:
    """How many candidates are shown and wait, as of when, and how many more are left for later or for good."""
    waiting = context.waiting
    if waiting.unsure:
        return "…"
    told = [f"{shown:,}" if shown == waiting.number else f"{shown:,} / {waiting.number:,}"]
    if context.analyst.busy and waiting.at is not None and clock.now() - waiting.at > STALE:
        told.append(_("as of {age} ago").format(age=clock.format_age(waiting.at)))
    if shown and waiting.refused and not context.hidden:
        told.append(_("{count:,} more not proposed (.)").format(count=waiting.refused))
    return " · ".join(told)


def describe_progress(analyst: Analyst) -> str:
    """That memories are compared, and how far that has come."""
    _kind, done, total = analyst.doing
    if done >= total or total < 2:
        return _("comparing what is remembered …")
    return _("comparing what is remembered … step {step:,} of {all:,}").format(step=done + 1, all=total)


def is_undoable(candidate: Candidate) -> bool:
    """Whether approving it can be taken back: what a mask hides is kept nowhere."""
    return candidate.origin != "secret"


def format_warning(text: str) -> str:
    """What a person reads of it."""
    kind, _colon, said = text.partition(":")
    return draw.clip_to_line(said.strip() or kind)


def is_safe(candidate: Candidate) -> bool:
    """Whether it only adds a memory and carries no warning: it may be approved with others, all at once."""
    return candidate.origin in ADDING and not candidate.warnings and is_undoable(candidate)


def draw_candidate_row(item: Candidate, brush: Brush, *, rejected: bool = False) -> list[list[Piece]]:
    """○ pref  中文交流，技术术语保持英文   ███▉  seen 4×  12d  journal"""
    mark, style = ("✗", "dim") if rejected else sign(item)
    cells = paint.LONG if brush.width >= paint.ROOM else paint.SHORT
    left: list[Piece] = [(f" {mark} ", style), (paint.format_kind(item.kind, cells) + " ", f"kind.{item.kind}")]
    right: list[Piece] = []
    if brush.width >= 44:
        right.append((" " + draw.draw_bar(item.score, paint.STRENGTH), "dim"))
    if brush.width >= 90:
        seen = _("seen {count}×").format(count=item.seen) if item.seen > 1 else ""
        seen = _n("{count} line", "{count} lines", len(item.members)) if item.members else seen
        right.append((draw.pad(seen, 9, right=True), "dim"))
    if brush.width >= 36:
        longest = cell_len(_("{count}mo").format(count=24))
        right.append((" " + draw.pad(clock.format_age(item.time), longest, right=True), "faint"))
    if brush.width >= 54:
        # Of a secret kind and origin are one word: it is said once.
        origin = "" if item.origin == item.kind else _(paint.ORIGIN_WORDS.get(item.origin, item.origin))
        origin = _("import") if item.who == IMPORTER else origin
        right.append((" " + draw.pad(origin, 10), "dim"))
    right.append((" ", ""))
    said = paint.strip_line(draw.clip_to_line(item.said))
    if item.origin == "secret":
        # It is a line as it stands in its file: a journal's begins with what a person does not look for.
        said = _STAMP.sub("", said) or said
    body = paint.mark_words(said, brush, "struck" if rejected else "")
    return [draw.fit_row(left, body, right, brush.width)]


def draw_refused_row(item: Refused, brush: Brush) -> list[list[Piece]]:
    """· text …   why it was not proposed"""
    room = max(12, brush.width // 2)
    reason = draw.cut(draw.clip_to_line(item.reason), room)
    return [
        draw.fit_row(
            [(" · ", "faint")],
            paint.mark_words(draw.clip_to_line(item.text), brush, "dim"),
            [(f"  {reason} ", "warn")],
            brush.width,
        )
    ]


def describe_destination(candidate: Candidate, context: PaneContext) -> str:
    """Where it would be written: 'What will be written · MEMORY.md § 用户偏好'."""
    target = candidate.target
    if target is None:
        return _("What will change")
    whose = ""
    if len(context.labels) > 1 and (home := context.home(target.home)) is not None:
        whose = context.name(home) + " "
    section = f" § {target.section}" if target.section else ""
    return draw.clip_to_line(_("What will be written") + f" · {whose}{target.path}{section}")


def explain_candidate(candidate: Candidate) -> str:
    """In one line why it is here."""
    # Of a secret the reason says it all.
    # Where the two stand is shown beside each other; how many lines, and what is gone, stands in the reason.
    told = [part for part in candidate.parts if part[0] not in {"keep", "other", "lines", "gone", "says so"}]
    told = [] if candidate.origin == "secret" else told
    parts = [" ".join(filter(None, describe_part(*part))) for part in told]
    return draw.clip_to_line(" · ".join(filter(None, [candidate.reason, *parts])))


def draw_candidate_detail(candidate: Candidate, upshot: Upshot | None, cells: int) -> list[list[Piece]]:
    """Why it is here, what would be written, and everything it is judged by. None: that is being worked out."""
    lines: list[list[Piece]] = []
    if reasons := explain_candidate(candidate):
        lines += wrap_pieces([(_("why") + "  ", "accent"), (reasons, "dim")], cells, hang=5)
    for text in candidate.warnings:
        lines += wrap_pieces([("⚠ ", "warn"), (format_warning(text), "warn")], cells, hang=2)
    # Who wants it is a part of what is proposed: a long difference must not hide it.
    lines += _draw_origin(candidate, cells) if candidate.who else []
    lines += draw_side_by_side(upshot.about, cells) if upshot is not None else []
    if promise := describe_promise(candidate):
        lines += wrap_pieces([(_("If approved") + _(": "), "accent"), (promise, "")], cells, hang=4)
    lines.append([])
    diff = upshot.diff if upshot is not None else ""
    if upshot is None:
        lines.append([(" " + _("reading …"), "dim")])
    elif diff:
        lines += draw_diff(diff, cells)
        back = (_("journalled, undo with u"), "dim") if is_undoable(candidate) else (_("cannot be undone"), "warn")
        lines += [[], [(f" {summarize_diff(diff)} · ", "dim"), back]]
    else:
        lines += draw_prose(candidate.text, cells)
    lines += [[], *_draw_origin(candidate, cells)] if not candidate.who else []
    if candidate.near:
        lines += [[], draw_rule(_("much like it is kept already"), cells)]
        for near in candidate.near[:NEARS]:
            like = draw.draw_bar(near.likeness, paint.STRENGTH)
            where = draw.clip_to_line(f"{near.path}:{near.line}")
            said = [(f"{like} ", "warn"), (f"{where}  ", "dim"), (draw.clip_to_line(near.text), "")]
            lines += wrap_pieces(said, cells, hang=4)
        lines.append([(_("= compares them"), "faint")])
    return lines


def is_inside_home(source: CandidateSource) -> bool:
    """Whether it names a file of its home, and no transcript elsewhere."""
    return bool(source.path) and not os.path.isabs(source.path)


def _is_place(source: CandidateSource) -> bool:
    """Whether what stands for its session is a file of another home, as of what was imported."""
    return "/" in source.session and not source.path


def find_origin(candidate: Candidate) -> tuple[str, int] | None:
    """The session that it was last said in, and the line of its transcript (0: nobody knows)."""
    found = next((source for source in candidate.sources if source.session and not _is_place(source)), None)
    return None if found is None else (found.session, 0 if is_inside_home(found) else found.line)


def _draw_origin(candidate: Candidate, cells: int) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    if candidate.who:
        who = draw.clip_to_line(candidate.who.removeprefix("agent:"))
        told = (
            _("proposed by {who}: an agent says so, no person has") if candidate.who != who else _("proposed by {who}")
        )
        lines += wrap_pieces([(told.format(who=who), "dim")], cells)
    if candidate.draft is not None and candidate.draft.evidence:
        said = draw.clip_to_line(candidate.draft.evidence)
        lines += wrap_pieces([(_("because") + " ", "dim"), (said, "")], cells, hang=8)
    for source in candidate.sources[:SOURCES]:
        lines += wrap_pieces([(_("from") + " ", "dim"), *_place(source)], cells, hang=5)
    if (more := len(candidate.sources) - SOURCES) > 0:
        lines.append([(_n("… and {count} more place", "… and {count} more places", more), "faint")])
    if find_origin(candidate) is not None:
        lines.append([(_("O opens the session"), "faint")])
    return lines


def _place(source: CandidateSource) -> list[Piece]:
    """MEMORY.md:7  session 1d6e01ef  3d; of a transcript, whose name is the session's, only the line."""
    age = f"  {clock.format_age(source.time)}" if source.time is not None else ""
    if _is_place(source):
        return [(draw.clip_to_line(source.session), ""), (age, "faint")]
    session = _("session {id}").format(id=draw.clip_to_line(source.session)) if source.session else ""
    if is_inside_home(source):
        place = f"{source.path}:{source.line}" if source.line else source.path
    else:
        place = _("line {n:,} of its transcript").format(n=source.line) if source.line else ""
    parts = [(draw.clip_to_line(place), ""), (session, "dim")]
    shown = [(text, style) for text, style in (parts if is_inside_home(source) else parts[::-1]) if text]
    return [*shown[:1], *(("  " + text, style) for text, style in shown[1:]), (age, "faint")]


def draw_refused_detail(item: Refused, cells: int) -> list[list[Piece]]:
    """A fact that was not proposed, and why."""
    where = draw.clip_to_line(f"{item.path}:{item.line}")
    return [
        *draw_prose(item.text, cells),
        [],
        *wrap_pieces([(_("not proposed") + _(": "), "warn"), (draw.clip_to_line(item.reason), "")], cells, hang=2),
        *wrap_pieces([(_("from") + " ", "dim"), (where, "")], cells, hang=5),
    ]


def group(title: str, rows: list[CandidateRow]) -> list[Any]:
    """A head and its rows; nothing where there are none."""
    if not rows:
        return []
    head = Fixed(f"head:{title}", ((f" {title}", "head"),), ((f" {len(rows):,} ", "dim"),), rest=False)
    return [Fixed(f"blank:{title}", (), rest=False), head, *rows]
