"""What a decision comes to: the difference it would write, the lines it is about side by side, and what it promises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.errors import MemtuiError
from memtui.locale import _, _n
from memtui.safety.safe_text import safe_text
from memtui.tui import draw
from memtui.tui.fields import SYMBOLS, rule
from memtui.tui.prose import wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.curation.candidates import Candidate
    from memtui.model import Memory
    from memtui.tui.draw import Piece
    from memtui.vault import Vault

BESIDE = 88
"""Cells from which two lines stand side by side; below, one under the other."""

LONGEST = 1200
"""Characters of each that are shown."""

COMPARED = frozenset({"contradiction", "duplicate"})
ABOUT = frozenset({"weak", "stale", *COMPARED})
"""Origins of candidates whose memories are shown as they stand."""

_TOKEN = re.compile(r"[A-Za-z0-9_./-]+|\s+|.", re.DOTALL)


class Upshot(NamedTuple):
    """Worked out behind the screen's back."""

    diff: str
    """Exactly what would be written; of what cannot be, why not."""
    about: tuple[Memory, ...] = ()
    """What is decided about: of a contradiction the newer first, of a duplicate the one to keep."""


def worked_out(vault: Vault, candidate: Candidate, instead: Mapping[str, str]) -> Upshot:
    """What approving writes, with what a person wants `instead`. On a reader's thread."""
    from memtui.curation import review

    try:
        diff = review.diff(vault, candidate, **instead)
    except MemtuiError as error:
        diff = "\\ " + safe_text(str(error), keep_newlines=False)
    if candidate.origin not in ABOUT:
        return Upshot(diff)
    found = [vault.memory(named) for named in candidate.memories[:2]]
    return Upshot(diff, tuple(memory for memory in found if memory is not None))


def promised(candidate: Candidate) -> str:
    """What happens on approval, in a sentence, where that is not simply that its text is written."""
    many = len(candidate.memories)
    match candidate.origin:
        case "weak" | "stale":
            return _n(
                "it is archived: kept in its file, and given to no session",
                "{count} are archived: kept in their files, and given to no session",
                many,
            )
        case "contradiction":
            return _("the newer one stays, the older is marked as replaced by it")
        case "duplicate":
            return _("one stays, the other is marked as replaced by it")
        case "capability":
            return _("the skill is installed where the agent looks for skills; u takes it away again")
        case "attachment":
            return _("the file goes to the trash, from where it can be brought back")
    return ""


def beside(about: Sequence[Memory], cells: int) -> list[list[Piece]]:
    """The older on the left and the newer on the right, what differs marked; one under the other where it is narrow."""
    if not about:
        return []
    if len(about) == 1:
        return [[], rule(_("as it stands"), cells), *_column(about[0], "", _plain(about[0]), cells), []]
    new, old = about[:2]
    left, right = _marked(_said(old), _said(new))
    names = (_("older"), _("newer")) if _dated(old, new) else (_("this one goes"), _("this one stays"))
    if cells < BESIDE:
        return [
            [], rule(names[0], cells), *_column(old, "", left, cells),
            [], rule(names[1], cells), *_column(new, "", right, cells), [],
        ]  # fmt: skip
    half = (cells - 3) // 2
    columns = _column(old, names[0], left, half), _column(new, names[1], right, half)
    lines: list[list[Piece]] = [[]]
    for number in range(max(map(len, columns))):
        sides = [column[number] if number < len(column) else [] for column in columns]
        lines.append([*draw.row((), sides[0], (), half), (" │ ", "faint"), *sides[1]])
    return [*lines, []]


def _column(memory: Memory, name: str, text: Sequence[Piece], cells: int) -> list[list[Piece]]:
    """When, where and what."""
    moment = memory.updated if memory.updated is not None else memory.created
    when = f"{clock.day(moment)} ({clock.ago(moment) or _('now')})" if moment is not None else _("no date")
    place = draw.one_line(f"{memory.path}:{memory.start}")
    head: list[Piece] = [(f"{name}  ", "head")] if name else []
    return [
        *wrapped([*head, (f"{SYMBOLS[memory.status]} ", "dim"), (when, "dim")], cells),
        *wrapped([(draw.tail(place, cells), "faint")], cells),
        *wrapped(list(text), cells),
    ]


def _dated(old: Memory, new: Memory) -> bool:
    times = [one.updated if one.updated is not None else one.created for one in (old, new)]
    return times[0] is not None and times[1] is not None and times[0] < times[1]


def _said(memory: Memory) -> str:
    return " ".join(safe_text(memory.text[:LONGEST]).split())


def _plain(memory: Memory) -> list[Piece]:
    return [(_said(memory), "")]


def _marked(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts, with the words that only one of them has made visible."""
    from difflib import SequenceMatcher

    one, other = _TOKEN.findall(old), _TOKEN.findall(new)
    left: list[Piece] = []
    right: list[Piece] = []
    for same, first, last, begin, end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        style = "" if same == "equal" else "mark"
        left.append(("".join(one[first:last]), style))
        right.append(("".join(other[begin:end]), style))
    return [piece for piece in left if piece[0]], [piece for piece in right if piece[0]]
