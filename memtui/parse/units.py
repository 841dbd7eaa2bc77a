"""Which entries of a Markdown file are memories, which are parts of one, and which only lead to others.

A parser takes a file apart as finely as search wants it; a person wants one row for one thing remembered. A topic file
is one memory; what a label introduces belongs to it; a heading, a label without anything below it, a line that only
links to another file are no memories. Lines stay where they are: a memory reaches over its parts (`Entry.reach`).
"""

from __future__ import annotations

from memtui.model import PERISHABLE, Level
from memtui.parse.signs import bullet
from memtui.parse.todos import state_of_heading
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.model import Entry

ITEM, NUMBERED, ROW, FENCE, PROSE = range(5)
"""What a block of text looks like."""

_ASIDE = pattern(
    r"(?:\*\*|__)?(?:why|how to apply|how|reason|rationale|when to apply|when|example|note|source|evidence|context|"
    r"原因|为什么|如何应用|怎么用|应用方式|适用|场景|例子|示例|备注|来源|证据|后果|影响|结果|做法|解法|解决|教训)"
    r"(?:\*\*|__)?\s*[:：]",
)
"""What goes on about what was said before it, in the words of Claude's topic files and of those who write like it."""
_LINKS = pattern(r"\s*(?:[-*+]\s+)?(?:\*\*)?(?:\[[^\]\n]+\]\([^()\n]+\.md[^()\n]*\)|`[^`\n]+\.md`)(?:\*\*)?")
_FORM = pattern(
    r"^\s*(?:(?:轻量迭代)?(?:变更提案|任务清单|任务列表|方案包?|提案|需求|实施方案)(?:[(（][^()（）]*[)）])?|"
    r"change proposal|proposal|requirements|tasks?|plan|why)\s*(?:[:：-]\s*|$)",
    2,
)
_UNTICKED = pattern(r"\s*[-*+]\s+\[ \]")
_EDGE = 20
"""Lines at the head and at the foot of a document in which it speaks of itself."""
_STAMP = pattern(
    r"[\s>*_(（-]*(?:last[ -]updated?|updated|created|generated(?: at| by)?|"
    r"最后更新(?:时间)?|最近更新|更新时间|更新日期|"
    r"创建时间|创建日期|生成时间|记录时间|记录人|总字数|字数|版本|version|状态|status|模块)\s*[*_]*\s*[:：][^\n]{0,80}",
    2,
)


def group(entries: Sequence[Entry], lines: Sequence[str], bare: set[int]) -> None:
    """Set the level and the reach of a file's entries, which stand in the order of their lines.

    `bare` are those that are headings with nothing below them, by identity.
    """
    count = len(lines)
    owner: Entry | None = None
    label: Entry | None = None
    above: Entry | None = None
    before: Entry | None = None
    shape = PROSE
    for entry in entries:
        if entry.level is not Level.MEMORY:
            continue
        line = lines[entry.start - 1] if entry.start <= count else ""
        last_shape, shape = shape, look(line)
        inside = before is not None and entry.heading == before.heading and id(entry) not in bare
        if not inside:
            owner = label = above = None
        edge = entry.start < _EDGE or entry.start > count - _EDGE
        if (not inside and id(entry) in bare) or (
            entry.end == entry.start
            and ((".md" in line and _LINKS.match(line)) or (edge and _STAMP.fullmatch(line.strip())))
        ):
            entry.level = Level.CONTEXT
            owner = label = above = None
        elif shape == FENCE and inside and (owner or label):
            # What is shown belongs to what says so.
            if label is not None and owner is None:
                owner = _lead(label, above)
            if owner is not None:
                _own(owner, entry)
        elif label is not None and shape == NUMBERED and label.level is Level.CONTEXT:
            # Steps make sense together only.
            owner = label = _lead(label, above)
            _own(owner, entry)
        elif owner is not None and owner is label and shape == NUMBERED and last_shape in {NUMBERED, FENCE}:
            _own(owner, entry)
        elif shape == PROSE and introduces(entry.text):
            if owner is not None and _ASIDE.match(entry.text.lower()):
                _own(owner, entry)
            else:
                above = owner if last_shape == PROSE or label is None else above
                entry.level, label, owner = Level.CONTEXT, entry, None
        elif shape == PROSE and inside and owner is not None and last_shape in {PROSE, FENCE}:
            _own(owner, entry)
        else:
            owner = entry
            label = (
                label if shape in {ITEM, ROW} and label is not None and label.level is Level.CONTEXT else None
            )
        before = entry


def _lead(label: Entry, above: Entry | None) -> Entry:
    """The memory that begins with a label, or goes on with it: what says how belongs to what says what."""
    if above is None or above.heading != label.heading:
        label.level = Level.MEMORY
        return label
    _own(above, label)
    return above


def settle(entries: Sequence[Entry], lines: Sequence[str]) -> None:
    """What stands under a heading that says how far it is, is as far; a box, and a word of its own, say more."""
    told: dict[tuple[str, ...], str] = {(): ""}
    for entry in entries:
        heading = entry.heading
        if heading not in told:
            told[heading] = state_of_heading(heading)
        state = told[heading]
        if not state or "done" in entry.extra:
            continue
        if state == "open":
            if entry.level is not Level.CONTEXT and "code" not in entry.extra:
                entry.kind = "todo"
        elif not _UNTICKED.match(lines[min(entry.start, len(lines)) - 1]):
            entry.extra = {**entry.extra, "done": True}


def strip_form(title: str, path: str) -> str:
    """A document's title without the word for what kind of document it is: '变更提案: x' is about x; one that says no
    more than that has the name of its folder, without the moment in it."""
    return _FORM.sub("", title) or path.rpartition("/")[0].rpartition("/")[2].lstrip("0123456789_- ")


def unite(entries: Sequence[Entry], first: Entry) -> None:
    """Make one memory of a whole file, its head being `first`."""
    for entry in entries:
        if entry is not first:
            _own(first, entry)


def look(line: str) -> int:
    """What a block looks like, by its first line."""
    if line[:2] in {"- ", "* "}:
        return ITEM
    text = line.strip()
    if not text:
        return PROSE
    if text[0] == "|":
        return ROW
    if text[:3] in {"```", "~~~"}:
        return FENCE
    if bullet(text):
        return NUMBERED if text[0].isdigit() else ITEM
    return PROSE


def introduces(text: str) -> bool:
    """Whether a text only leads to what follows: it ends in a colon, and says nothing before its last line."""
    bare = text.rstrip().rstrip("*_` ")
    return bare[-1:] in {":", "："} and "\n" not in bare


def _own(owner: Entry, part: Entry) -> None:
    part.level = Level.PART
    if part.status in PERISHABLE and owner.status not in PERISHABLE:
        # What is put away or replaced is so with all that belongs to it.
        part.status, part.superseded_by = owner.status, part.superseded_by or owner.superseded_by
    owner.reach = max(owner.reach, part.last)
