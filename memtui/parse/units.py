"""Which entries of a Markdown file are memories, which are parts of one, and which only lead to others.

A parser takes a file apart as finely as search wants it; a person wants one row for one thing remembered. A topic file
is one memory; what a label introduces belongs to it; a heading, a label without anything below it, a line that only
links to another file are no memories. Lines stay where they are: a memory reaches over its parts (`Entry.reach`).
"""

from __future__ import annotations

from functools import lru_cache

from memtui.model import PERISHABLE, Layer, Level
from memtui.parse.signs import bullet
from memtui.parse.todos import STANDING, state_of_heading, state_of_label
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.model import Entry

ITEM, NUMBERED, ROW, FENCE, PROSE = range(5)
"""What a block of text looks like."""

_ASIDE = pattern(
    r"(?:\*\*|__)?(?:[✅❌⚠💡\ufe0f]+\s*)?"
    r"(?:why|how to apply|how|reason|rationale|when to apply|when|example|note|source|evidence|context|"
    r"原因|为什么|如何应用|怎么用|应用方式|适用|场景|例子|示例|备注|来源|证据|后果|影响|结果|正确做法|做法|解法|预防|解决|教训)"
    r"(?:\*\*|__)?\s*[:：]",
)
"""What goes on about what was said before it, in the words of Claude's topic files and of those who write like it."""
_GOES_ON = pattern(
    r"[-*] \*\*(?:why|how to apply|reason|rationale|root cause|fix|solution|result|outcome|impact|evidence|cron id|"
    r"原因|根因|影响|结果|后果|解决(?:方案|方法)?|修复|证据|教训)\s*(?:[:：]\*\*|\*\*\s*[:：])",
    2,
)
"""How an item begins that goes on about the one above it."""
_FILE = r"(?:\[[^\]\n]+\]\([^()\n]+\.md[^()\n]*\)|`[^`\n]+\.md`)"
_LINKS = pattern(
    r"\s*(?:[-*+]\s+)?(?:\*\*)?"
    r"(?:\[[^\]\n]+\]\([^()\n]+\.md[^()\n]*\)|`[^`\n]+\.md`(?:\*\*)?[\s.。]*$)"
)
_POINTER = pattern(
    rf"\s*(?:[-*+]\s+)?(?:\*\*)?[^:：`|\n]{{1,40}}(?:[:：]\*\*|\*\*[:：]|[:：]|[参详]?见|\bsee)\s*"
    rf"{_FILE}(?:[、,，\s]+{_FILE})*[。.\s]*"
)
"""A line that says no more than where something stands: 'Details: `guide.md`'."""
_PROGRESS = pattern(r"完成[:：]\s*\d+\s+失败[:：]\s*\d+")
"""How far a plan was at some moment, as HelloAGENTS notes it by itself."""
_CELL = pattern(rf"\|\s*{_FILE}\s*\|")
_PUT_AWAY = pattern(r"\s*[-*+]\s+\[[^\]\n]+\]\((?:\.\./|\./)*(?:history|archive)/[^()\n]*\)")
"""An item that names a change which is put away elsewhere."""
_CONTENTS = pattern(r"\s*(?:[-*+]|\d+[.)])\s+\[[^\]\n]+\]\(#[^()\n]*\)\s*")
"""A line of a table of contents."""
_FOOTER = pattern(
    r"\*(?:auto-?saved|appended|saved|generated|last updated|updated|created|自动(?:保存|生成)|更新于|生成于)[^*\n]*\*",
    2,
)
MODULE = pattern(r"\*\*(?:模块|module)\s*[:：]\s*\*\*[^\n]{0,80}", 2)
"""The line of a form that says which module the rest of it is about."""
_FORM_FIELDS = pattern(r"@(?:feature|created|status|mode|type|id)\s*:")
_LEGEND = pattern(
    r"(?:状态|狀態|符号|标记|图例|结果状态)(?:符号)?(?:说明|說明)|执行状态|进度(?:概览|总览)|"
    r"(?:status )?legend|status key|metadata|元数据|元信息|(?:id )?(?:generation|format)|格式|"
    r"(?:entry|record|memory(?: file)?) (?:format|template)|(?:条目|记录|文件)(?:格式|模板)|"
    r"知识库状态|读取指引|快速(?:导航|链接)|"
    r"how to (?:add|use|read|update|maintain) (?:this |the |a )?(?:memory|memories|file|index)",
    2,
)
"""Headings of what a form says of itself: what its signs mean, how many of its boxes are ticked, how it is read."""
_ITSELF = pattern(
    r"[\s>*_]*(?:(?:this|the) (?:file|document|index|directory|folder|page) "
    r"(?:provides|contains|describes|explains|records?|lists|holds|collects|tracks|documents|"
    r"is (?:an? |the )?(?:index|overview|entry|summary|list|record|log))\b|"
    r"(?:project[- ](?:specific|level) )?(?:instructions|guidance|context|memory)(?: file)? (?:for|that) claude\b|"
    r"project[- ]specific instructions\b|"
    r"(?:本|该|此)(?:文件|文档|目录|页面|索引|知识库|章节)(?:是|为|包含|记录|收录|汇总|描述|定义|用于|提供|列出|维护)|"
    r"通过(?:此|本)文件|格式基于|all notable changes)",
    2,
)
"""How the first lines of a document begin that say what the document is."""
_RULED = pattern(r"\b(?:never|must|always|don't|do not)\b|禁止|不要|不得|必须|务必|切勿", 2)
_TITLE = pattern(r"(?:\*\*|__)[^*_\n]{1,60}(?:\*\*|__)")
_COPULA = pattern(r"\b(?:is|are|was|were|has|have|had|must|should|never|always|use|uses|check|run|runs)\b", 2)
_SENTENCE = pattern(r"[.!?] |[。！？；]")
_LABELLED = pattern(r"\s*[-*+]\s+\*\*([^*\[\]:：\n]{1,24})(?:[:：]\*\*|\*\*\s*[:：])")
_FEW = 8
"""Items that may belong to the sentence which leads to them; a longer list stands for itself."""
_FORM = pattern(
    r"^\s*(?:(?:轻量迭代)?(?:变更提案|任务清单|任务列表|方案包?|提案|需求|实施方案)(?:[(（][^()（）]*[)）])?|"
    r"change proposal|proposal|requirements|tasks?|plan|why)\s*(?:[:：-]\s*|$)",
    2,
)
_UNTICKED = pattern(r"\s*[-*+]\s+\[ \]")
_FOOT = 4
"""Lines that such a note at the end of a section has at most."""
_LABEL_END = 28
"""Characters within which such a label ends."""
_EDGE = 20
"""Lines at the head and at the foot of a document in which it speaks of itself."""
_STAMP = pattern(
    r"[\s>*_(（\[✅+-]*(?:(?P<always>sha-?(?:1|256|512)|md5|checksum|"
    r"last[ -](?:updated?|verified|checked|reviewed|synced|modified)|next update|logged|"
    r"最后更新(?:时间)?|最后修改|更新时间|记录时间|记录人|记录者|下次更新|文档(?:状态|版本)|"
    r"(?:父?页面|(?:parent )?page|session|message|run|block|thread|会话|消息)\s?id)|"
    r"updated|created|generated(?: at| by)?|priority|area|最近更新|更新日期|"
    r"创建时间|创建日期|生成时间|总字数|字数|版本|version|状态|status|模块|目录)\s*[*_]*\s*[:：][^\n]{0,80}",
    2,
)
"""A line that says when something was written, or by what name a program knows it, `always`; or, where a document
speaks of itself, what state it is in."""
_STAMP_MARKS = " \t>*_(（[✅+-"
_STAMP_FIRST = frozenset("aA目lnucgvsmrbtpLNUCGVSMRBTP最更记下文父页会消创生总字版状模")
"""What such a line begins with, behind its marks."""


def group(entries: Sequence[Entry], lines: Sequence[str], bare: set[int]) -> None:
    """Set the level and the reach of a file's entries, which stand in the order of their lines.

    `bare` are those that are headings with nothing below them, by identity.
    """
    count = len(lines)
    fields = _fields(entries, lines)
    form, told = False, ""
    owner: Entry | None = None
    label = above = before = lead = owner
    shape = PROSE
    for index, entry in enumerate(entries):
        if entry.level is not Level.MEMORY:
            continue
        line = lines[entry.start - 1] if entry.start <= count else ""
        last_shape, shape = shape, look(line)
        inside = before is not None and entry.heading == before.heading and id(entry) not in bare
        if not inside:
            owner = label = above = lead = None
            form = _in_form(entry.heading)
        elif lead is not None and shape not in {ITEM, NUMBERED, FENCE}:
            lead = None
        edge = entry.start < _EDGE or entry.start > count - _EDGE
        if form or (not inside and id(entry) in bare) or _leads_away(entry, line, shape, edge):
            entry.level = Level.CONTEXT
            owner = label = above = lead = None
        elif id(entry) in fields:
            _own(fields[id(entry)], entry)
        elif lead is not None:
            _own(lead, entry)
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
        elif (
            shape == PROSE and not label and says(entry.text, line) and (few := _below(entries, index, lines))
        ):
            owner, lead, above = entry, entry if few <= _FEW else None, None
        elif shape == PROSE and (introduces(entry.text) or _titles(entries, index, line, lines)):
            if owner is not None and _ASIDE.match(entry.text.lower()):
                _own(lead := owner, entry)
            else:
                above = owner if last_shape == PROSE or label is None else above
                entry.level, label, owner = Level.CONTEXT, entry, None
                told = state_of_label(entry.text)
        elif owner is not None and inside and _goes_on(line, shape, last_shape, labelled=label is not None):
            _own(owner, entry)
        else:
            owner = entry
            if label is not None and (shape not in {ITEM, ROW} or label.level is not Level.CONTEXT):
                label = None
            if label is not None and told:
                _settle(entry, told, line)
        before = entry


def _goes_on(line: str, shape: int, last_shape: int, *, labelled: bool) -> bool:
    """Whether an entry goes on about the one above it: a paragraph after it, or an item that says why."""
    if shape == PROSE:
        return last_shape in {PROSE, FENCE}
    if labelled or line[2:4] != "**" or shape != ITEM or last_shape != ITEM:
        return False
    return _GOES_ON.match(line) is not None


@lru_cache(maxsize=1 << 12)
def _in_form(heading: tuple[str, ...]) -> bool:
    """Whether one of the headings above stands over what a form says of itself."""
    return any(_LEGEND.fullmatch(part.strip(_NUMBERS)) for part in heading)


def _leads_away(entry: Entry, line: str, shape: int, edge: bool) -> bool:
    """Whether an entry only says where to read on, or what a document is: one of its first or last lines, `edge`."""
    text = entry.text
    single = entry.end == entry.start
    if single:
        if ".md" in line and entry.kind != "file" and _points(line, shape):
            return True
        if ("](#" in line and _CONTENTS.fullmatch(line)) or ("/" in line and _PUT_AWAY.match(line)):
            return True
        if shape == ROW and "失败" in line and _PROGRESS.search(line):
            return True
        if line[:1] == "*" and (_FOOTER.fullmatch(line.strip()) or MODULE.fullmatch(line.strip())):
            return True
    if text.lstrip(_STAMP_MARKS)[:1] in _STAMP_FIRST and (
        ":" in text[:_LABEL_END] or "：" in text[:_LABEL_END]
    ):
        match = _STAMP.match(text)
        if (
            match is not None
            and (match["always"] is not None or (edge and single))
            and _stamps(text, edge and single)
        ):
            return True
    if (
        shape == PROSE
        and len(entry.heading) < 2
        and entry.start < _EDGE
        and _ITSELF.match(text)
        and not _RULED.search(text)
    ):
        return True
    return text[:1] == "@" and (" " not in text or _FORM_FIELDS.match(text) is not None)


def _stamps(text: str, edge: bool) -> bool:
    """Whether all lines of a short note are stamps."""
    lines = text.split("\n", _FOOT)
    found = [_STAMP.fullmatch(line) for line in lines]
    if len(lines) > _FOOT or None in found:
        return False
    return edge or (found[0] is not None and found[0]["always"] is not None)


def _points(line: str, shape: int) -> bool:
    """Whether a line, or a table's row, only says where to read on."""
    if shape == ROW:
        return _CELL.search(line) is not None
    return _LINKS.match(line) is not None or _POINTER.fullmatch(line) is not None


def _titles(entries: Sequence[Entry], index: int, line: str, lines: Sequence[str]) -> bool:
    """Whether a line in bold is the title of the list below it."""
    entry = entries[index]
    if line[:2] not in {"**", "__"} or entry.end > entry.start or not _TITLE.fullmatch(line.strip()):
        return False
    return _below(entries, index, lines) > 0


def _below(entries: Sequence[Entry], index: int, lines: Sequence[str]) -> int:
    """How many items follow right below an entry, in its section."""
    above = entries[index]
    found = 0
    for entry in entries[index + 1 : index + _FEW + 2]:
        if entry.start - above.last > _GAP or entry.heading != above.heading or entry.start > len(lines):
            break
        if look(lines[entry.start - 1]) not in {ITEM, NUMBERED}:
            break
        above, found = entry, found + 1
    return found


def _fields(entries: Sequence[Entry], lines: Sequence[str]) -> dict[int, Entry]:
    """By identity, the entries that go on with a record, and which one begins it: sections whose items bear the same
    labels in the same order ('**Principle**: …', '**Applies to**: …') are records, and the items their fields."""
    sections: dict[tuple[str, ...], list[Entry]] = {}
    labels: dict[tuple[str, ...], tuple[str, ...]] = {}
    for entry in entries:
        known = labels.get(entry.heading)
        if known == _NO_LABELS or entry.level is not Level.MEMORY or len(entry.heading) < 2:
            continue
        line = lines[entry.start - 1] if entry.start <= len(lines) else ""
        match = _LABELLED.match(line) if "**" in line else None
        if match is None or (known is not None and match[1] in known):
            labels[entry.heading] = _NO_LABELS
            continue
        labels[entry.heading] = (*(known or ()), match[1])
        sections.setdefault(entry.heading, []).append(entry)
    times: dict[tuple[str, ...], int] = {}
    single: dict[str, int] = {}
    for names in labels.values():
        times[names] = times.get(names, 0) + 1
        for name in names:
            single[name] = single.get(name, 0) + 1
    found: dict[int, Entry] = {}
    for heading, names in labels.items():
        if not 2 <= len(names) <= _FEW:
            continue
        same = times[names] >= (2 if len(names) > 2 else 3)
        # Of contacts and the like each has its own choice of fields; they are short then.
        if same or (
            sum(single[name] > 2 for name in names) >= 2
            and sum(len(entry.text) for entry in sections[heading]) <= _FIELD * len(names)
        ):
            found.update((id(entry), sections[heading][0]) for entry in sections[heading][1:])
    return found


_FIELD = 80
"""Characters that a field of a record has, on the average of its record."""
_NO_LABELS = ("",)
_NUMBERS = " 0123456789.、"
_ENDS = frozenset(":：*_` \n")
"""What a text ends in that may only lead to what follows."""
_GAP = 2


def _lead(label: Entry, above: Entry | None) -> Entry:
    """The memory that begins with a label, or goes on with it: what says how belongs to what says what."""
    if above is None or above.heading != label.heading:
        label.level = Level.MEMORY
        return label
    _own(above, label)
    return above


def settle(entries: Sequence[Entry], lines: Sequence[str]) -> None:
    """What stands under a heading that says how far it is, is as far; a box, and a word of its own, say more."""
    above: tuple[str, ...] = ()
    state = ""
    for entry in entries:
        if entry.heading is not above:
            # Those of one section share it.
            above = entry.heading
            state = state_of_heading(above)
        if not state or "done" in entry.extra or (state == "ticked" and entry.kind != "todo"):
            continue
        if state != "open" or (entry.level is not Level.CONTEXT and "code" not in entry.extra):
            _settle(entry, state, lines[min(entry.start, len(lines)) - 1])


def _settle(entry: Entry, state: str, line: str) -> None:
    if "done" in entry.extra:
        return
    if state == "open":
        entry.kind = "todo"
    elif entry.kind not in STANDING and not _UNTICKED.match(line):
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
    bare = text.rstrip().rstrip("*_` ") if text[-1:] in _ENDS else ""
    return bare[-1:] in {":", "："} and "\n" not in bare


def says(text: str, line: str = "") -> bool:
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
    if bare.isascii():
        return _SENTENCE.search(bare) is not None or (
            len(bare) > _SHORT_ENGLISH
            and ("`" in bare or bare.count(" ") >= _WORDS or _COPULA.search(bare) is not None)
        )
    return "，" in bare or "是" in bare or _SENTENCE.search(bare) is not None


_SHORT = 14
_AT_AN_HOUR = pattern(r"\*\*\d{1,2}:\d\d\b[^*\n]{0,12}\*\*\s*[-–—:：]\s*\S")
_WORDS = 6
_SHORT_ENGLISH = 40
"""Characters below which a text before a list is a label only."""


def fold_session(entries: Sequence[Entry], lines: Sequence[str], path: str) -> bool:
    """Make one memory of a session's talk as OpenClaw's hook puts it beside the notes; False: the file is none."""
    if not entries or not lines or lines[0][:10] != "# Session:":
        return False
    match = next(filter(None, map(_SESSION_ID.search, lines[1:8])), None)
    if match is None:
        return False
    head = entries[0]
    name = path.rpartition("/")[2].rpartition(".")[0].lstrip("0123456789-_")
    told = [found for found in map(_TALK.match, lines) if found is not None]
    # What the person asked says what it was about; an agent begins with a greeting.
    said = next((one[2] for one in told if one[1][:1] in "uU"), told[0][2] if told else "")
    if not said and not name and len(entries) <= _FIELDS:
        # A session that was closed before anything was said in it.
        for entry in entries:
            entry.level = Level.CONTEXT
        return True
    head.kind, head.layer, head.session, head.key = "session", Layer.SESSION, match[1], match[1]
    head.title = name.replace("-", " ") or said[:80]
    head.text = said or head.title or head.text
    for entry in entries[1:]:
        entry.kind = "message" if entry.kind == "todo" else entry.kind
        entry.extra = {name: value for name, value in entry.extra.items() if name != "done"}
    unite(entries, head)
    return True


_FIELDS = 3
"""Session Key, Session ID, Source."""
_SESSION_ID = pattern(r"\*\*Session ID\*\*\s*[:：]\s*(\S{1,80})")
_TALK = pattern(
    r"(user|assistant)\s*[:：]\s*(?:\[[^\]\n]{0,12}\d{4}-\d\d-\d\d[^\]\n]{0,20}\]\s*)?"
    r"(?!System:|Conversation info|A new session)(\S[^\n]{0,200})",
    2,
)


def _own(owner: Entry, part: Entry) -> None:
    part.level = Level.PART
    if part.status in PERISHABLE and owner.status not in PERISHABLE:
        # What is put away or replaced is so with all that belongs to it.
        part.status, part.superseded_by = owner.status, part.superseded_by or owner.superseded_by
    owner.reach = max(owner.reach, part.last)
