"""What forms are in notes: heads that say when something was written, records whose fields bear the same names.

People's agents fill in forms: a report's head with its date and state, a lesson with summary, details and action, a
contact with name and address. The head is no memory; a record is one, whatever number of lines and sections it takes.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.model import Level
from memtui.parse.signs import PROSE, look
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memtui.model import Entry

FEW = 8
"""Fields that a record has at most, and items that belong to the sentence which leads to them."""
LABEL_END = 28
"""Characters within which a label ends."""
_LEGEND = pattern(
    r"(?:状态|狀態|符号|标记|图例|结果状态)(?:符号)?(?:说明|說明)|执行状态|进度(?:概览|总览)|"
    r"(?:status )?legend|status key|metadata|元数据|元信息|(?:id )?(?:generation|format)|格式|"
    r"(?:entry|record|memory(?: file)?) (?:format|template)|(?:条目|记录|文件)(?:格式|模板)|"
    r"知识库状态|读取指引|快速(?:导航|链接)|"
    r"how to (?:add|use|read|update|maintain) (?:this |the |a )?(?:memory|memories|file|index)",
    2,
)
"""Headings of what a form says of itself: what its signs mean, how many of its boxes are ticked, how it is read."""
_SOURCES = pattern(
    r"\W*(?:sources?(?: (?:used|consulted|cited|links?))?|references?|citations?|further reading|quellen|fuentes|"
    r"fontes|источники|出典|参考(?:资料|文献|链接|来源)?|參考(?:資料|文獻|連結)?|资料来源|資料來源|来源|來源|출처|"
    r"참고 ?자료)\W*",
    2,
)
"""Headings of lists of addresses."""
_WRITTEN = pattern(
    r"[\s>*_-]*[^:：\n]{0,12}?(?:date|time|datum|fecha|дата|날짜|日付|日時|日期|时间|時間|logged|created|updated|generated|"
    r"recorded|erfasst|erstellt|aktualisiert)[^:：\n]{0,8}[:：][\s*_]*"
    r"(?=(?:[^\d\n]*\d){6})(?:[\d年月日时分点:./,+~–—\sTZ()（）-]|[AP]M\b|[A-Z]{3,4}\b)+[\s*_]*",
    2,
)
"""A line that says no more than on which day something was written."""
_FORM_LINE = pattern(
    r"[\s>*_-]*(?:version|status|priority|severity|importance|author|type|category|area|tags?|id|版本|状态|狀態|优先级|"
    r"重要性|重要程度|严重程度|作者|类型|分类|标签|编号|(?:记录|创建|集成|编写|报告|维护|审核)[者人])[\s*_]*[:：][^\n]{1,24}",
    2,
)
"""Another field of the same form."""
_FIELD_LINE = pattern(r"[\s>*_+-]*[^\s:：*_][^:：\n]{0,23}[*_]*[:：][^\n]{1,60}")
_NUMBERED_RECORD = pattern(r"\W{0,4}\[[A-Z]{2,6}-\d[\w-]{2,24}\]")
"""How the heading of a record begins that has a number of its own: '[LRN-20260310-001] …'."""
_LABELLED = pattern(
    r"\s*[-*+]\s+(?:\*\*([^*\[\]:：\n]{1,24})(?:[:：]\*\*|\*\*\s*[:：])|([a-z][a-z0-9_/-]{0,24}):(?:\s|$))"
)
"""An item that is a field: in bold, or as programs write it."""
_PLAIN = pattern(r"\s*[-*+]\s+([^\W\d_][^\s:：`*]{0,11}(?: [^\s:：`*]{1,11})?)(?::(?:\s|$)|：)")
"""A field as people write it, which any item may be: of a record only below the moment that heads it."""
_CLOSING = pattern(r"([_*])[^_*\n]{1,80}\1\s*")
"""A line in italics, as a document closes with one."""
_MOMENT = pattern(r"\W*20\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ T,，]+\d{1,2}[:：]\d\d(?:[:：]\d\d)?\W*")
_RUN = pattern(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
"""How a program heads what it notes of a run."""


_FOOT = 8
"""Lines at the end of a document in which it says when it was written."""


def in_form(heading: tuple[str, ...]) -> bool:
    """Whether one of the headings above stands over what a form says of itself."""
    return any(map(_explains, heading))


@lru_cache(maxsize=1 << 13)
def _explains(part: str) -> bool:
    return _LEGEND.fullmatch(part.strip(_NUMBERS)) is not None


@lru_cache(maxsize=1 << 11)
def lists_sources(heading: str) -> bool:
    """Whether what stands below a heading is where something was read."""
    return _SOURCES.fullmatch(heading.strip(_NUMBERS)) is not None


def count_stamps(lines: Sequence[str]) -> int:
    """How many of the first lines of a paragraph only say when it was written, and by what name a form knows it."""
    found, dated = 0, False
    for line in lines:
        when = ":" in line[:LABEL_END] or "：" in line[:LABEL_END]
        # Six digits without a 1 or a 2 are no time, and most lines have none.
        written = when and ("2" in line or "1" in line) and _WRITTEN.fullmatch(line) is not None
        if not written and not (when and _FORM_LINE.fullmatch(line)):
            break
        found, dated = found + 1, dated or written
    return found if dated else 0


def set_aside(entries: Sequence[Entry], lines: Sequence[str], stamps: Collection[int]) -> None:
    """What a section says of itself at its head is no memory, if anything else stands in it."""
    for index, entry in enumerate(entries if stamps else entries[:1]):
        if index and id(entry) not in stamps:
            continue
        level = len(entry.heading)
        last = index
        if index == 0 and level == 1:
            last = _head_of_document(entries, lines)
        if last < 0 or (id(entry) not in stamps and last == index):
            continue
        below = entries[last + 1] if last + 1 < len(entries) else None
        foot = index and entry.start > len(lines) - _FOOT and entries[index - 1].heading == entry.heading
        if foot or (below is not None and below.heading[:level] == entry.heading):
            for one in entries[index : last + 1]:
                one.level = Level.CONTEXT


def _head_of_document(entries: Sequence[Entry], lines: Sequence[str]) -> int:
    """The last of the entries right below a document's title if they are short fields, one of them a date."""
    last, dated = -1, False
    for index, entry in enumerate(entries[:FEW]):
        if entry.heading != entries[0].heading or entry.end > len(lines) or entry.end - entry.start >= FEW:
            break
        told = lines[entry.start - 1 : entry.end]
        if not all(_FIELD_LINE.fullmatch(line.rstrip()) for line in told):
            break
        dated = dated or any(_WRITTEN.fullmatch(line) for line in told)
        last = index
    return last if dated else -1


def find_records(entries: Sequence[Entry], lines: Sequence[str]) -> dict[int, list[Entry]]:
    """By identity, the entries of sections that are records, and all of the same one: sections whose own sections
    bear the same names as those of their neighbours ('Summary', 'Details', 'Action'), or that have a number."""
    sections: dict[tuple[str, ...], dict[str, None]] = {}
    above: tuple[str, ...] = ()
    for entry in entries:
        if entry.heading is above:
            continue
        before, above = above, entry.heading
        for depth in range(len(above) - 1, 0, -1):
            if above[: depth + 1] == before[: depth + 1]:
                break
            sections.setdefault(above[:depth], {})[above[depth]] = None
    if not sections:
        return {}
    times: dict[tuple[tuple[str, ...], str], int] = {}
    for heading, names in sections.items():
        for name in names:
            times[heading[:-1], name] = times.get((heading[:-1], name), 0) + 1
    found = {
        heading
        for heading, names in sections.items()
        if 2 <= len(names) <= FEW
        and (
            _NUMBERED_RECORD.match(heading[-1]) is not None
            or all(times[heading[:-1], name] >= _OFTEN for name in names)
        )
    }
    if not found:
        return {}
    members: dict[tuple[str, ...], list[Entry]] = {}
    told: dict[tuple[str, ...], list[bool]] = {}
    before = ()
    for entry in entries:
        for depth in range(1, len(entry.heading) + 1):
            if entry.heading[:depth] in found:
                members.setdefault(entry.heading[:depth], []).append(entry)
                if entry.heading != before and entry.start <= len(lines):
                    told.setdefault(entry.heading[:depth], []).append(look(lines[entry.start - 1]) == PROSE)
                break
        before = entry.heading
    return {
        id(entry): below
        for heading, below in members.items()
        # A change log's sections have the same names, too, but each of their items is a thing of its own.
        if len(below) <= _MOST
        and sum(told[heading]) * 2 >= len(told[heading])
        and sum(len(entry.text) for entry in below) <= _RECORD
        for entry in below
        if not any("[ ]" in lines[one.start - 1] for one in below if one.start <= len(lines))
    }


_OFTEN = 3
"""Sections of the same names from which they are a form's."""
_MOST = 16
_RECORD = 2400
"""Entries and characters that such a record has at most."""


def find_fields(entries: Sequence[Entry], lines: Sequence[str]) -> dict[int, list[Entry]]:
    """By identity, the entries of records, and all of the same one: sections whose items bear the same
    labels in the same order ('**Principle**: …', '**Applies to**: …') are records, and the items their fields."""
    sections: dict[tuple[str, ...], list[Entry]] = {}
    labels: dict[tuple[str, ...], tuple[str, ...]] = {}
    torn: tuple[str, ...] = ()
    for entry in entries:
        if entry.heading is torn or entry.level is not Level.MEMORY:
            continue
        known = labels.get(entry.heading)
        if known == _NO_LABELS:
            torn = entry.heading
            continue
        line = lines[entry.start - 1] if entry.start <= len(lines) else ""
        if line[:1] in {"_", "*"} and line[1:2] != " " and _CLOSING.fullmatch(line) is not None:
            # How a document closes is no part of what stands last in it.
            continue
        match = _LABELLED.match(line) if "**" in line or ":" in line[:LABEL_END] else None
        name = "" if match is None else match[1] or f"{match[2]}:"
        if not name and entry.heading and _heads_record(entry.heading[-1]):
            match = _PLAIN.match(line)
            name = "" if match is None else f"{match[1]}:"
        if not name or (known is not None and name in known):
            labels[entry.heading] = _NO_LABELS
            torn = entry.heading
            continue
        labels[entry.heading] = (*(known or ()), name)
        sections.setdefault(entry.heading, []).append(entry)
    times: dict[tuple[str, ...], int] = {}
    single: dict[str, int] = {}
    for names in labels.values():
        times[names] = times.get(names, 0) + 1
        for name in names:
            single[name] = single.get(name, 0) + 1
    found: dict[int, list[Entry]] = {}
    for heading, names in labels.items():
        if not 2 <= len(names) <= FEW:
            continue
        same = times[names] >= (2 if len(names) > 2 and names[0][-1:] != ":" else _OFTEN) or (
            len(names) > 2
            and names[0][-1:] == ":"
            and (_RUN.search(heading[-1]) is not None or _heads_record(heading[-1]))
        )
        # Of contacts and the like each has its own choice of fields; they are short then.
        if same or (
            sum(single[name] > 2 for name in names) >= 2
            and sum(len(entry.text) for entry in sections[heading]) <= _FIELD * len(names)
        ):
            found.update((id(entry), sections[heading]) for entry in sections[heading])
    return found


@lru_cache(maxsize=1 << 11)
def _heads_record(heading: str) -> bool:
    """Whether a heading is a day and an hour, and nothing else."""
    return heading[:1].isdigit() and _MOMENT.fullmatch(heading) is not None


_FIELD = 80
"""Characters that a field of a record has, on the average of its record."""
_NO_LABELS = ("",)
_NUMBERS = " 0123456789.、"


def tells_of_run(heading: tuple[str, ...], line: str) -> bool:
    """Whether a record is what a program noted of one of its runs: nobody's memory."""
    return line[2:4] != "**" and _RUN.search(heading[-1]) is not None
