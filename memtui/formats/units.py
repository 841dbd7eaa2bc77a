"""Which entries of a Markdown file are memories, which are parts of one, and which only lead to others.

A parser takes a file apart as finely as search needs; a person wants one row for one thing remembered. A topic
file is one memory; what a label introduces belongs to it; a heading, a label without anything below it and a
line that only links to another file are no memories. Lines stay where they are: a memory reaches over its parts
(`Entry.reach`).
"""

from __future__ import annotations

from memtui.core.model import PERISHABLE, Level
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats import kinds, record_sections
from memtui.formats.marks import FENCE, ITEM, NUMBERED, PROSE, ROW, look
from memtui.formats.record_sections import EDGE, FEW
from memtui.formats.todos import (
    BEFORE_ASIDE,
    LISTED,
    STANDING,
    is_empty_statement,
    state_of_heading,
    state_of_label,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memtui.core.model import Entry

_ASIDE = compile_pattern(
    r"(?:\*\*|__)?(?:[✅❌⚠💡\ufe0f]+\s*)?"
    r"(?:why|how to apply|how|reason|rationale|when to apply|when|example|note|source|evidence|context|"
    r"原因|为什么|如何应用|怎么用|应用方式|适用|场景|例子|示例|备注|来源|证据|后果|影响|结果|正确做法|做法|解法|预防|解决|教训)"
    r"(?:\*\*|__)?\s*[:：]",
)
"""What goes on about what was said before it, in the words of Claude's topic files and of those who write like it."""
_GOES_ON = compile_pattern(
    r"[-*] \*\*(?:why|how to apply|reason|rationale|root cause|fix|solution|result|outcome|impact|evidence|cron id|"
    r"原因|根因|影响|结果|后果|解决(?:方案|方法)?|修复|证据|教训)\s*(?:[:：]\*\*|\*\*\s*[:：])",
    2,
)
"""How an item begins that goes on about the one above it."""
_FILE = r"(?:\[[^\]\n]+\]\([^()\n]+\.md[^()\n]*\)|`[^`\n]+\.md`)"
_LINKS = compile_pattern(
    r"\s*(?:[-*+]\s+)?(?:\*\*)?"
    r"(?:\[[^\]\n]+\]\([^()\n]+\.md[^()\n]*\)|`[^`\n]+\.md`(?:\*\*)?[\s.。]*$)"
)
_POINTER = compile_pattern(
    rf"(?!\s*[-*+]\s+[✅✓✔√☑])\s*(?:[-*+]\s+)?(?:\*\*)?[^:：`|\n]{{1,40}}(?:[:：]\*\*|\*\*[:：]|[:：]|[参详]?见|\bsee)\s*"
    rf"{_FILE}(?:[、,，\s]+{_FILE})*[。.\s]*"
)
"""A line that says no more than where something stands: 'Details: `guide.md`'."""
_PROGRESS = compile_pattern(r"完成[:：]\s*\d+\s+失败[:：]\s*\d+")
"""How far a plan was at some moment, as HelloAGENTS notes it by itself."""
_CELL = compile_pattern(rf"\|\s*{_FILE}\s*\|")
_PUT_AWAY = compile_pattern(r"\s*[-*+]\s+\[[^\]\n]+\]\((?:\.\./|\./)*(?:history|archive)/[^()\n]*\)")
"""An item that names a change which is put away elsewhere."""
_CONTENTS = compile_pattern(r"\s*(?:[-*+]|\d+[.)])\s+\[[^\]\n]+\]\(#[^()\n]*\)\s*")
"""A line of a table of contents."""
_FOOTER = compile_pattern(
    r"\*(?:auto-?saved|appended|saved|generated|last updated|updated|created|自动(?:保存|生成)|更新于|生成于)[^*\n]*\*",
    2,
)
MODULE = compile_pattern(r"\*\*(?:模块|module)\s*[:：]\s*\*\*[^\n]{0,80}", 2)
"""The line of a form that says which module the rest of it is about."""
_FORM_FIELDS = compile_pattern(r"@(?:feature|created|status|mode|type|id)\s*:")
_ITSELF = compile_pattern(
    r"[\s>*_]*(?:(?:this|the) (?:file|document|index|directory|folder|page) "
    r"(?:provides|contains|describes|explains|records?|lists|holds|collects|tracks|documents|"
    r"is (?:an? |the )?(?:index|overview|entry|summary|list|record|log))\b|"
    r"(?:project[- ](?:specific|level) )?(?:instructions|guidance|context|memory)(?: file)? (?:for|that) claude\b|"
    r"project[- ]specific instructions\b|"
    r"(?:本|该|此)(?:文件|文档|目录|页面|索引|知识库|章节)(?:是|为|包含|记录|收录|汇总|描述|定义|用于|提供|列出|维护)|"
    r"[^\n。:：]{0,16}(?:索引|文档|文件)(?:[（(][^()（）\n]{0,12}[)）])?[:：]仅?(?:记录|收录|汇总)|"
    r"通过(?:此|本)文件|格式基于|all notable changes)",
    2,
)
"""How the first lines of a document begin that say what the document is."""
_NAMES_ONLY = compile_pattern(
    r"(?:`[^`\s]*[/.][^`\s]*`|(?:~|\.{1,2})?/[A-Za-z0-9_.@~/-]+)"
    r"(?:[,，、\s]+(?:`[^`\s]*[/.][^`\s]*`|(?:~|\.{1,2})?/[A-Za-z0-9_.@~/-]+))*[.。]?"
)
_BECAUSE = compile_pattern(
    r"(?:\*\*|__)(?:why|how to apply|原因|为什么|如何应用|怎么用)\s*(?:[:：](?:\*\*|__)|(?:\*\*|__)[:：])", 2
)
"""How a paragraph begins that closes a rule, in the form of Claude's topic files."""
_TITLE = compile_pattern(r"(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__)")
_COPULA = compile_pattern(r"\b(?:is|are|was|were|has|have|had|must|should|never|always|use|uses|check|run|runs)\b", 2)
_SENTENCE = compile_pattern(r"[.!?] |[。！？；]")
_UNTICKED = compile_pattern(r"\s*[-*+]\s+\[ \]")


def group(entries: Sequence[Entry], lines: Sequence[str], bare: set[int], stamps: Collection[int] = ()) -> None:
    """Set the level and the reach of a file's entries, which stand in the order of their lines.

    `bare` are those that are headings with nothing below them, and `stamps` those that say when the section was
    written that they stand at the head of, by identity.
    """
    record_sections.set_aside(entries, lines, stamps)
    reading = _Grouping(entries, lines, bare)
    for index, entry in enumerate(entries):
        if entry.level is Level.MEMORY:
            reading.take(index, entry)
    if len(entries) > 1 and record_sections.is_colophon(entries[-1], lines):
        entries[-1].level = Level.CONTEXT


_RULE = 12
"""Entries from a section's first paragraph to the one that says why."""
_BOLD = frozenset({"**", "__"})
_PATHS = frozenset("`/~.")
_ENDS = frozenset(":：*_` \n")
"""What a text ends in that may only lead to what follows."""


class _Grouping:
    """One pass over a file's entries: what the section being read has said so far."""

    __slots__ = (
        "above", "bare", "before", "count", "entries", "first", "forbids", "form", "heads", "label", "lead", "lines",
        "owner", "shape",
    )  # fmt: skip

    def __init__(self, entries: Sequence[Entry], lines: Sequence[str], bare: set[int]) -> None:
        self.entries, self.lines, self.bare = entries, lines, bare
        self.count = len(lines)
        self.heads = {**record_sections.find_fields(entries, lines), **record_sections.find_records(entries, lines)}
        self.form = self.forbids = False
        self.first = -1
        """The paragraph that the section begins with."""
        self.owner: Entry | None = None
        self.label: Entry | None = None
        self.above: Entry | None = None
        """The memory above the label."""
        self.lead: Entry | None = None
        """The sentence that leads to the items being read."""
        self.before: Entry | None = None
        self.shape = PROSE

    def take(self, index: int, entry: Entry) -> None:
        """See `group`."""
        line = self.lines[entry.start - 1] if entry.start <= self.count else ""
        last_shape, self.shape = self.shape, (shape := look(line))
        bare = id(entry) in self.bare
        inside = self.before is not None and entry.heading == self.before.heading and not bare
        if not inside:
            self.owner = self.label = self.above = self.lead = None
            self.first = -1
            self.form = record_sections.is_form_heading(entry.heading)
            self.forbids = bool(entry.heading) and kinds.is_forbidding(entry.heading[-1])
        tail = lead = self.lead
        if lead is not None and shape not in {ITEM, NUMBERED, FENCE}:
            self.lead = lead = None
        edge = entry.start < EDGE or entry.start > self.count - EDGE
        if self.form or (bare and not inside) or _is_pointer(entry, line, shape, edge):
            entry.level = Level.CONTEXT
            self.owner = self.label = self.above = self.lead = None
        elif id(entry) in self.heads and _join_record(entry, self.heads[id(entry)], line):
            pass
        elif lead is not None:
            _make_part(lead, entry)
        elif (shape in {PROSE, ITEM} and record_sections.is_bookkeeping(entry)) or self._is_left_blank(index, entry):
            self._pass(entry)
        elif shape == ITEM and self.label is None and line[2:4] != "**" and entry.text[:1] not in _PATHS:
            # By far the commonest.
            self.owner = entry
        elif shape == PROSE:
            self._take_paragraph(index, entry, line, last_shape, tail)
        else:
            self._take_other(entry, line, last_shape, inside=inside)
        if self.forbids and not entry.title and shape in {ITEM, NUMBERED} and not kinds.FORBIDS.search(entry.text):
            # Without it, it would say the contrary.
            entry.title = f"{entry.heading[-1]}: {entry.text}"
        if not inside:
            self.first = index if shape == PROSE and entry.level is Level.MEMORY else -1
        self.before = entry

    def _take_paragraph(self, index: int, entry: Entry, line: str, last_shape: int, tail: Entry | None) -> None:
        owner, entries, lines, few = self.owner, self.entries, self.lines, 0
        if line[:2] == "**" and 0 <= self.first >= index - _RULE and _BECAUSE.match(line):
            # It closes the rule that the section begins with.
            self.owner = entries[self.first]
            unite(entries[self.first : index + 1], self.owner)
            self.label, self.lead = None, self.owner if is_introduction(entry.text) else None
        elif tail is not None and _is_closing_sentence(entry, line):
            _make_part(tail, entry)
            self.owner = tail
        elif _is_paths_only(entry):
            self._pass(entry)
        elif (
            (line[:2] in _BOLD or entry.text[-1:] in _ENDS)
            and (few := _count_items_below(entries, index, lines))
            and (
                ((not self.label or "\n" in entry.text) and has_own_statement(entry.text, line))
                or _introduces_list(entries, index, line, lines)
            )
        ):
            self.owner, self.lead, self.above = entry, entry if few <= FEW else None, None
        elif is_introduction(entry.text) and _introduces_fragments(entries, index, line, lines):
            self.owner = self.lead = entry
            self.label = self.above = None
            _call(entry, _join_clauses(entries[index : index + 1 + _count_items_below(entries, index, lines)]))
        elif is_introduction(entry.text) or (
            line[:2] in _BOLD and (few or self._is_above_table(index, entry)) and _is_list_title(entry, line)
        ):
            if owner is not None and _ASIDE.match(entry.text.lower()):
                self.lead = owner
                _make_part(owner, entry)
            else:
                self.above = owner if last_shape == PROSE or self.label is None else self.above
                entry.level, self.label, self.owner = Level.CONTEXT, entry, None
        elif owner is not None and last_shape in {PROSE, FENCE}:
            _make_part(owner, entry)
        else:
            self.owner, self.label = entry, None

    def _take_other(self, entry: Entry, line: str, last_shape: int, *, inside: bool) -> None:
        """An item, a table's row, a block of code."""
        owner, label, shape = self.owner, self.label, self.shape
        if shape == ITEM and entry.text[:1] in _PATHS and _is_paths_only(entry):
            self._pass(entry)
        elif shape == FENCE and inside and (owner or label):
            # What is shown belongs to what says so.
            if label is not None and owner is None:
                self.owner = owner = _lead(label, self.above)
                if entry.heading:
                    _call(owner, f"{entry.heading[-1]}: {owner.text.strip('*_:： ')}")
            if owner is not None:
                _make_part(owner, entry)
        elif (
            shape == NUMBERED
            and label is not None
            and label.level is Level.CONTEXT
            and state_of_label(label.text) != "open"
        ):
            # Steps make sense together only; tasks one by one.
            self.owner = self.label = owner = _lead(label, self.above)
            _make_part(owner, entry)
            _call(owner, f"{owner.text.strip('*_ ')} {entry.text}")
        elif (shape == NUMBERED and owner is not None and owner is label and last_shape in {NUMBERED, FENCE}) or (
            owner is not None and label is None and shape == last_shape == ITEM and _continues_item(line)
        ):
            _make_part(owner, entry)
        else:
            # What is said further up does not go on below what stands for itself.
            self.owner, self.above = entry, None
            if shape == FENCE and entry.heading and not entry.title and not _is_form(entry):
                # What it is for stands above it.
                entry.title = entry.heading[-1]
            elif shape == ITEM and label is not None and not entry.title and kinds.FORBIDS.search(label.text):
                # Without it, it would say the contrary.
                entry.title = f"{label.text.strip('*_ ')} {entry.text}"
            if label is not None and (shape not in {ITEM, ROW} or label.level is not Level.CONTEXT):
                self.label = None

    def _is_above_table(self, index: int, entry: Entry) -> bool:
        """Whether a table follows right below an entry."""
        below = self.entries[index + 1] if index + 1 < len(self.entries) else None
        near = below is not None and below.heading == entry.heading and below.start - entry.end <= _GAP + 2
        return near and below is not None and below.start <= self.count and look(self.lines[below.start - 1]) == ROW

    def _is_left_blank(self, index: int, entry: Entry) -> bool:
        """Whether an item is no more than a label: a field that nobody filled in, or the title of its neighbours."""
        if self.shape != ITEM or entry.text[-1:] not in _ENDS or entry.last > entry.start or entry.kind == "todo":
            return False
        if not is_introduction(entry.text) or has_own_statement(entry.text):
            return False
        below = self.entries[index + 1] if index + 1 < len(self.entries) else None
        return (
            below is None
            or below.heading != entry.heading
            or below.start > self.count
            or look(self.lines[below.start - 1]) in {ITEM, NUMBERED}
        )

    def _pass(self, entry: Entry) -> None:
        entry.level = Level.CONTEXT
        self.owner = self.label = self.above = None


def _is_form(entry: Entry) -> bool:
    """Whether a block of code is a form that people fill in, which says itself what it is about: '名称: 订单系统'."""
    return entry.extra.get("code") in {"yaml", "yml"} and _FILLED_IN.match(entry.text) is not None


_FILLED_IN = compile_pattern(r"(?:[A-Z]|[^\x00-\x7f])[^\n:：]{0,30}[:：]")
"""Keys of such a form; those of a program's configuration are in small letters."""


def _join_clauses(entries: Sequence[Entry]) -> str:
    """A line with the beginning of the list that it leads to, as one sentence."""
    items = (entry.text.partition("\n")[0].rstrip(" ;；,，.。") for entry in entries[1:])
    return f"{entries[0].text.strip('*_ ')} {'; '.join(items)}"[:_TITLE_LENGTH]


_TITLE_LENGTH = 200


def _call(entry: Entry, title: str) -> None:
    """Name a memory that is no more than a label by what it leads to."""
    if not entry.title and is_introduction(entry.text) and not has_own_statement(entry.text):
        entry.title = title


def _join_record(entry: Entry, members: list[Entry], line: str) -> bool:
    """Make an entry part of its record, whose first memory is the whole of it; False: that is this one."""
    if record_sections.is_run_record(entry.heading, line) or (
        entry is members[0] and record_sections.count_stamps([line], entry.heading[-1])
    ):
        entry.level = Level.CONTEXT
        return True
    first = next((one for one in members if one.level is Level.MEMORY), entry)
    if first is not entry:
        _make_part(first, entry)
    return first is not entry


def _is_closing_sentence(entry: Entry, line: str) -> bool:
    """Whether a paragraph behind a list goes on with the sentence that led to it: a short one without a label."""
    return len(entry.text) <= _CLOSING and line[:1] not in {"*", "_", ">", "|"} and not is_introduction(entry.text)


_CLOSING = 100
"""Characters of such a paragraph."""


def _continues_item(line: str) -> bool:
    """Whether an item says why, or how, what the one above it says."""
    return line[2:4] == "**" and _GOES_ON.match(line) is not None


def _is_pointer(entry: Entry, line: str, shape: int, edge: bool) -> bool:
    """Whether an entry only says where to read on, or what a document is: one of its first or last lines, `edge`."""
    text = entry.text
    single = entry.end == entry.start
    if single:
        if ".md" in line and entry.kind != "file" and _is_pointer_line(line, shape) and not _is_citation(entry):
            return True
        if "](" in line and (("](#" in line and _CONTENTS.fullmatch(line)) or _PUT_AWAY.match(line)):
            return True
        if shape == ROW and "失败" in line and _PROGRESS.search(line):
            return True
        if line[:1] == "*" and line[1:2] != " ":
            # Most of the others are items.
            whole = MODULE if line[1:2] == "*" else _FOOTER
            if whole.fullmatch(line.strip()):
                return True
    if "://" in text and entry.heading and shape == ITEM and _is_source_link(entry):
        return True
    if record_sections.is_stamp(text, edge):
        return True
    if (
        shape == PROSE
        and len(entry.heading) < 2
        and entry.start < EDGE
        and _ITSELF.match(text)
        and not record_sections.RULED.search(text)
    ):
        return True
    return text[:1] == "@" and (" " not in text or _FORM_FIELDS.match(text) is not None)


def _is_source_link(entry: Entry) -> bool:
    """Whether an item is no more than an address and its name, in a list of what was read."""
    return record_sections.is_source_heading(entry.heading[-1]) and _ADDRESS.fullmatch(entry.text) is not None


_ADDRESS = compile_pattern(r"(?:[^\n]{0,60}?[\s(（<:：\]])?https?://[^\s]+(?:\s*[(（][^()（）\n]{0,40}[)）])?")


def _is_pointer_line(line: str, shape: int) -> bool:
    """Whether a line, or a table's row, only says where to read on."""
    if shape == ROW:
        return _CELL.search(line) is not None
    return _LINKS.match(line) is not None or _POINTER.fullmatch(line) is not None


def _is_citation(entry: Entry) -> bool:
    """Whether the link in a table's row is where what the row says comes from: by the name of its column, or since it
    leads to a place within a document, as a table of decisions does."""
    said = [(name, cell) for name, cell in entry.extra.items() if type(cell) is str]
    return any(".md" in cell and (_ORIGIN.search(name) or (".md#" in cell and len(said) > 2)) for name, cell in said)


_ORIGIN = compile_pattern(r"来源|出处|依据|\b(?:source|origin|evidence|decided in|decision record)\b", 2)
_DEMANDS = compile_pattern(
    r"(?=(?:\W*[\w'-]+){4}).*(?:\b(?:NEVER|MUST|ALWAYS|NOT|CRITICAL|Never|Always|[Mm]ust|[Oo]nly|[Dd]on't|[Dd]o not)\b"
    r"|[.!][*_]*$)|(?:禁止|必须|严禁|不要|绝不|不得)[^\s*:：]{3,}|[。！][*_]*\s*$"
)
"""Orders in bold: 'CRITICAL: it runs on gunicorn, not on the server of development!'."""


def _is_list_title(entry: Entry, line: str) -> bool:
    """Whether a line in bold is the title of the list below it; what demands something says it by itself."""
    return entry.end == entry.start and bool(_TITLE.fullmatch(line.rstrip()) and not _DEMANDS.search(line))


def _introduces_list(entries: Sequence[Entry], index: int, line: str, lines: Sequence[str]) -> bool:
    """Whether a labelled line says something and the list right below it, without a blank, says it in detail."""
    entry = entries[index]
    if line[:2] != "**" or entry.end > entry.start or entries[index + 1].start != entry.end + 1:
        return False
    below = lines[entry.end].lstrip()
    match = _SAID.match(line)
    return match is not None and not is_introduction(entry.text) and "[" not in below[2:4] and below[2:4] != "**"


_SAID = compile_pattern(r"\*\*[^*\n]{1,60}(?:[:：]\*\*|\*\*\s*[:：])\s*\S")


def _count_items_below(entries: Sequence[Entry], index: int, lines: Sequence[str]) -> int:
    """How many items follow right below an entry, in its section."""
    above = entries[index]
    found = 0
    for entry in entries[index + 1 : index + FEW + 2]:
        if entry.start - above.last > _GAP or entry.heading != above.heading or entry.start > len(lines):
            break
        if look(lines[entry.start - 1]) not in {ITEM, NUMBERED}:
            break
        above, found = entry, found + 1
    return found


_SHORT = 14


def _introduces_fragments(entries: Sequence[Entry], index: int, line: str, lines: Sequence[str]) -> bool:
    """Whether a line leads to the clauses of its sentence or, no label in bold, to a list of a few words each."""
    above = entries[index]
    if above.kind == "todo" or index + 1 == len(entries) or state_of_label(above.text):
        return False
    gap = entries[index + 1].start - above.end
    many = _count_items_below(entries, index, lines) if gap <= _GAP else 0
    below = entries[index + 1 : index + 1 + many]
    if many > 2 and all(entry.text[-1:] in _CLAUSE_ENDS and entry.kind != "todo" for entry in below[:-1]):
        # One sentence, whatever its length.
        return True
    if line[:2] in _BOLD or len(above.text) < (_SHORT - 6 if gap == 1 else _SHORT_ENGLISH - 12):
        return False
    return (
        2 <= many <= FEW
        and all(len(entry.text) <= _FRAGMENT and entry.kind != "todo" for entry in below)
        and not any(
            "**" in entry.text or ": " in entry.text or "：" in entry.text or _SENTENCE.search(entry.text)
            for entry in below
        )
    )


_CLAUSE_ENDS = frozenset(";；")
"""What the items of a sentence end in that goes on over a list."""
_FRAGMENT = 64
"""Characters of such an item."""


def _is_paths_only(entry: Entry) -> bool:
    """Whether an entry is a path, or several, and says nothing about it."""
    text = entry.text
    return (
        text[:1] in _PATHS
        and "/" in text
        and entry.kind not in {"todo", "file"}
        and _NAMES_ONLY.fullmatch(text) is not None
    )


_GAP = 2


def _lead(label: Entry, above: Entry | None) -> Entry:
    """The memory that begins with a label, or goes on with it: what says how belongs to what says what."""
    if above is None or above.heading != label.heading:
        label.level = Level.MEMORY
        return label
    _make_part(above, label)
    return above


_SHORT_ENGLISH = 40
"""Characters below which a text before a list is a label only."""


def settle(entries: Sequence[Entry], lines: Sequence[str], *, tasks: bool = False) -> None:
    """What stands under a heading, or in a list below a label, that says how far it is, is as far; a box, and a word of
    its own, say more. In a list of `tasks` each box is one, also under '测试约束'."""
    above: tuple[str, ...] = ()
    state = told = ""
    ticked = {entry.heading for entry in entries if entry.kind in LISTED and entry.extra.get("done")}
    for entry in entries:
        if (
            (ticked or tasks)
            and entry.kind in LISTED
            and (tasks or entry.heading in ticked)
            and _UNTICKED.match(lines[entry.start - 1])
        ):
            entry.kind = "todo"
        if entry.heading is not above:
            # Those of one section share it.
            above, told = entry.heading, ""
            state = state_of_heading(above)
        titled = entry.level is Level.CONTEXT and _TITLE.fullmatch(lines[entry.start - 1].rstrip()) is not None
        if titled or (entry.text[-1:] in _ENDS and (is_introduction(entry.text) or BEFORE_ASIDE.match(entry.text))):
            told = state_of_label(entry.text)
        elif told:
            line = lines[min(entry.start, len(lines)) - 1]
            if look(line) == PROSE:
                told = ""
            elif "code" not in entry.extra:
                _settle(entry, told, line)
                if told == "open":
                    # Within a section that is done, too.
                    continue
        if not state and (entry.kind != "todo" or entry.level is not Level.PART):
            continue
        if entry.level is Level.PART and _ASIDE.match(entry.text[:_SHORT_ENGLISH].lower()):
            # Why something is to be done, and how, is not to be done.
            entry.kind = "note" if entry.kind == "todo" else entry.kind
            continue
        if not state or "done" in entry.extra or (state == "ticked" and entry.kind != "todo"):
            continue
        if state == "signed" and entry.kind in STANDING:
            continue
        if state not in {"open", "signed"} or (entry.level is not Level.CONTEXT and "code" not in entry.extra):
            _settle(entry, "open" if state == "signed" else state, lines[min(entry.start, len(lines)) - 1])


def _settle(entry: Entry, state: str, line: str) -> None:
    if "done" in entry.extra or "optional" in entry.extra:
        return
    if state == "open":
        if len(entry.text) > _NAUGHT or not is_empty_statement(entry.text):
            entry.kind = "todo"
    elif entry.kind not in STANDING and not _UNTICKED.match(line):
        entry.extra = {**entry.extra, "done": True}


_NAUGHT = 24
"""Characters in which a list may say that there is nothing in it."""


def unite(entries: Sequence[Entry], first: Entry) -> None:
    """Make one memory of a whole file, its head being `first`."""
    for entry in entries:
        if entry is not first:
            _make_part(first, entry)


def is_introduction(text: str) -> bool:
    """Whether a text only leads to what follows: it ends in a colon, and says nothing before its last line."""
    bare = text.rstrip().rstrip("*_` ") if text[-1:] in _ENDS else ""
    return bare[-1:] in {":", "："} and "\n" not in bare


def has_own_statement(text: str, line: str = "") -> bool:
    """Whether a text that leads to what follows says something itself: a sentence, more than a label, or what
    happened at an hour of the day, as its `line` begins."""
    if line[:2] == "**" and line[2:3].isdigit() and _AT_AN_HOUR.match(line):
        return True
    bare = text.rstrip().rstrip("*_` ") if text[-1:] in _ENDS else ""
    if bare[-1:] not in {":", "："} or len(bare) < _SHORT:
        return False
    if "\n" in bare:
        # Fields of a record, the last of which is a list: 'Who: …', 'What:'.
        return True
    if _IDEOGRAPH.search(bare) is None:
        return (
            _SENTENCE.search(bare) is not None
            or (
                len(bare) > _SHORT_ENGLISH
                and ("`" in bare or bare.count(" ") >= _WORDS or _COPULA.search(bare) is not None)
            )
            or (_FULL.match(bare) is not None)
        )
    return "，" in bare or "是" in bare or _SENTENCE.search(bare) is not None


_IDEOGRAPH = compile_pattern(r"[\u2e80-\U000323af]")
"""Writing without spaces: an arrow or a dash does not make it."""
_FULL = compile_pattern(
    r"(?:[A-Z][\w'-]*|I)(?: (?!what|which|that|who|how|where|when|why)[\w'-]+){1,4} "
    r"(?:was|were|has been|have been) [\w'-]+"
)
"""A short sentence that says what was done; 'What was done:' is a label."""
_AT_AN_HOUR = compile_pattern(r"\*\*\d{1,2}:\d\d\b[^*\n]{0,12}\*\*\s*[-–—:：]\s*\S")
_WORDS = 6


def _make_part(owner: Entry, part: Entry) -> None:
    part.level = Level.PART
    if part.status in PERISHABLE and owner.status not in PERISHABLE:
        # What is put away or replaced is so with all that belongs to it.
        part.status, part.superseded_by = owner.status, part.superseded_by or owner.superseded_by
    owner.reach = max(owner.reach, part.last)
