"""What a document or a section says of itself, and the sections that are one record each.

`set_aside`, `count_stamps`, `is_stamp`, `is_bookkeeping` and `is_colophon` find what says when something was written,
by whom, how it is filed, and what a form's signs mean: no memories. `find_fields` and `find_records` find records:
sections whose items bear the same labels, whose own sections have the same names as those of their neighbours, or that
have a number.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core.model import Level
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.dates import NUMBERED
from memtui.formats.kinds import LABEL_END, is_attribute, read_attribute
from memtui.formats.marks import PROSE, look

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memtui.core.model import Entry

FEW = 8
"""Fields that a record has at most, and items that belong to the sentence which leads to them."""
_LEGEND = compile_pattern(
    r"(?:状态|狀態|符号|标记|图例|结果状态)(?:符号)?(?:说明|說明)|执行状态|进度(?:概览|总览)|"
    r"(?:status )?legend|status key|metadata|元数据|元信息|(?:id )?(?:generation|format)|格式|"
    r"(?:entry|record|memory(?: file)?) (?:format|template)|(?:条目|记录|文件)(?:格式|模板)|"
    r"知识库状态|读取指引|快速(?:导航|链接)|"
    r"how to (?:add|use|read|update|maintain) (?:this |the |a )?(?:memory|memories|file|index)",
    2,
)
"""Headings of what a form says of itself: what its signs mean, how many of its boxes are ticked, how it is read."""
_SOURCES = compile_pattern(
    r"\W*(?:sources?(?: (?:used|consulted|cited|links?))?|references?|citations?|further reading|quellen|fuentes|"
    r"fontes|источники|出典|参考(?:资料|文献|链接|来源)?|參考(?:資料|文獻|連結)?|资料来源|資料來源|来源|來源|출처|"
    r"참고 ?자료)\W*",
    2,
)
_WRITTEN = compile_pattern(
    r"[\s>*_-]*[^:：\n]{0,12}?(?:date|time|datum|fecha|дата|날짜|日付|日時|日期|时间|時間|logged|created|updated|generated|"
    r"recorded|erfasst|erstellt|aktualisiert)[^:：\n]{0,8}[:：][\s*_]*"
    r"(?=(?:[^\d\n]*\d){6})(?:[\d年月日时分点:./,+~–—\sTZ()（）-]|[AP]M\b|[A-Z]{3,4}\b)+[\s*_]*",
    2,
)
_FORM_LINE = compile_pattern(
    r"[\s>*_-]*(?:version|status|priority|severity|importance|author|type|category|area|scope|domain|tags?|id|版本|状态|狀態|优先级|"
    r"重要性|重要程度|严重程度|作者|类型|分类|领域|范围|标签|编号|(?:记录|创建|集成|编写|报告|维护|审核)[者人])[\s*_]*[:：][^\n]{1,24}",
    2,
)
_FIELD_LINE = compile_pattern(r"[\s>*_+-]*[^\s:：*_][^:：\n]{0,23}[*_]*[:：][^\n]{1,60}")
_NUMBERED_RECORD = compile_pattern(r"\W{0,4}\[[A-Z]{2,6}-\d[\w-]{2,24}\]")
_LABELLED = compile_pattern(
    r"\s*[-*+]\s+(?:\*\*([^*\[\]:：\n]{1,24})(?:[:：]\*\*|\*\*\s*[:：])|([a-z][a-z0-9_/-]{0,24}):(?:\s|$))"
)
_PLAIN = compile_pattern(r"\s*[-*+]\s+([^\W\d_][^\s:：`*]{0,11}(?: [^\s:：`*]{1,11})?)(?::(?:\s|$)|：)")
"""A field as people write it, which any item may be: of a record only below the moment that heads it."""
_CLOSING = compile_pattern(r"([_*])[^_*\n]{1,80}\1\s*")
_MOMENT = compile_pattern(r"\W*20\d\d[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ T,，]+\d{1,2}[:：]\d\d(?:[:：]\d\d)?\W*")
_RUN = compile_pattern(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
_FOOT = 8


def is_form_heading(heading: tuple[str, ...]) -> bool:
    """Whether one of the headings above stands over what a form says of itself."""
    return any(map(_is_legend, heading))


_RECORD_FORMS_NUMBERS = " 0123456789.、"


@lru_cache(maxsize=1 << 13)
def _is_legend(part: str) -> bool:
    return _LEGEND.fullmatch(part.strip(_RECORD_FORMS_NUMBERS)) is not None


@lru_cache(maxsize=1 << 11)
def is_source_heading(heading: str) -> bool:
    """Whether what stands below a heading is where something was read."""
    return _SOURCES.fullmatch(heading.strip(_RECORD_FORMS_NUMBERS)) is not None


def count_stamps(lines: Sequence[str], heading: str = "") -> int:
    """How many of the first lines of a paragraph only say when it was written, and by what name a form knows it; a
    `heading` that is a record's number has the day in it."""
    found, dated = 0, is_record_number(heading)
    for line in lines:
        when = ":" in line[:LABEL_END] or "：" in line[:LABEL_END]
        # Six digits without a 1 or a 2 are no time, and most lines have none.
        written = when and ("2" in line or "1" in line) and _WRITTEN.fullmatch(line) is not None
        if not written and not (when and _FORM_LINE.fullmatch(line)):
            break
        found, dated = found + 1, dated or written
    return found if dated else 0


def is_record_number(heading: str) -> bool:
    """Whether a heading begins with the number of a record, which has a day in it."""
    return "20" in heading and NUMBERED.match(heading) is not None


_SIGN_LEGEND = compile_pattern(
    r"\W*(?:任务|任務)?(?:状态|狀態)(?:符号)?(?:说明|图例|定义|含义|說明|圖例|定義|含義)\W*|"
    r"\W*(?:task )?(?:status|state) (?:symbols?|legend|icons|key|definitions?|meanings?|values)\W*",
    2,
)
_SIGN_LINE = compile_pattern(
    r"[*_\s]*(?:图例|圖例|(?:状态|符号|标记|狀態|符號|標記)(?:说明|說明|标记|取值)|legend|statuses|categories|areas|priorities"
    r"|分类|分類|类别|類別)[*_\s]*[:：][*_\s]*[^|｜\n]{1,24}(?:[|｜][^|｜\n]{1,24}){2,}",
    2,
)
"""A line of a form that says what may stand in a field: 'Legend: ✅ done | ⏳ open | 🔴 blocked'."""
_WRITTEN_BY = compile_pattern(
    r"(?:>\s*)?(?:extracted|generated|made) by [\w-]+; [^\n]{0,40}by hand\W*"
    r"|(?:>\s*)?由\s*[\w-]+\s*(?:自动)?(?:提取|生成)[^\n]{0,40}",
    2,
)


_ABOUT_ITSELF = compile_pattern(
    # The head of a session that was saved, where a page was read, a heartbeat at which nothing was done.
    r"[*_\s]*session (?:key|id)\W+\S+|(?:source|来源)\s*[:：]\s*<?https?://\S+"
    r"|(?![^\n]*\b(?:but|however|fixed|completed|finished|shipped|sent|found)\b)"
    r"(?:[\[(]?\d{1,2}:\d\d[\])]?\s*)?(?:[a-z]{2,4}\s)?[^\n]{0,20}?\b(?:heartbeat|check-in)\b[^\n]{0,200}?"
    r"\b(?:unchanged|no change|nothing new|no new|no movement|(?:still|state|remains?) idle|idle pending|all clear"
    r"|nothing to report|heartbeat_ok)\b[^\n]*"
    r"|(?:[\[(]?\d{1,2}:\d\d[\])]?\s*)?[^\n]{0,12}?(?:心跳|巡检)[^\n]{0,20}?(?:无变化|无新|一切正常|正常，无|无异常|heartbeat_ok)[^\n]*",
    2,
)
_NOTHING_NOTED = compile_pattern(
    r"(?:no|none|nothing)\b[^\n:：,;]{0,24}?\b(?:recorded|captured|noted|logged|documented|to report)"
    r"(?: (?:yet|so far|today|this (?:hour|day|week|session)))?\W*"
    r"|(?:暂无|暫無|没有|沒有|无|無)(?:新的?|任何)?(?:活动|记录|紀錄|记载|内容)(?:记录)?\W*",
    2,
)
_NOTHING_FIRST, _NOTHING_LONGEST = frozenset("nN暂暫没沒无無"), 48
"""What a program writes where there was nothing to write: 'No activity recorded.'"""
_ABOUT_WORDS = (
    "Heartbeat", "heartbeat", "Check-in", "check-in", "ession Key", "ession key", "ession ID", "ession Id",
    "ession id", "ource:", "来源", "心跳", "巡检", "kb_version:", "Workspace template for ",
)  # fmt: skip
_ABOUT_WITHIN = 48
_BROKEN = 3
"""Where every third letter was lost on the way through another encoding nobody reads what was said."""
_MADE_BY_TOOLS = ("kb_version:", "Workspace template for ")


def set_aside(entries: Sequence[Entry], lines: Sequence[str], stamps: Collection[int]) -> None:
    """What a section says of itself at its head is no memory, if anything else stands in it; nor is what a form's signs
    mean, who made a document, and the count that a tool keeps of its own pages."""
    # Only where one of its words stands is the pattern asked, entry by entry.
    begins = "\n".join([entry.text[:_ABOUT_WITHIN] for entry in entries])
    told = [word for word in _ABOUT_WORDS if word in begins]
    legend = False
    above: tuple[str, ...] = ()
    for entry in entries:
        if entry.heading is not above:
            above = entry.heading
            legend = above != () and _SIGN_LEGEND.fullmatch(above[-1]) is not None
        text = entry.text
        if (
            legend
            or (len(text) < FEW and not any(map(str.isalnum, text)))
            or (told and _is_about_itself(text, told))
            or (("|" in text or "｜" in text) and _SIGN_LINE.fullmatch(text.strip()) is not None)
            or ("\ufffd" in text and text.count("\ufffd") * _BROKEN > len(text))
            or (text[:1] in _NOTHING_FIRST and len(text) < _NOTHING_LONGEST and _NOTHING_NOTED.fullmatch(text))
        ):
            entry.level = Level.CONTEXT
    if len(entries) > 1 and _WRITTEN_BY.fullmatch(entries[0].text.strip()):
        entries[0].level = Level.CONTEXT
    for index, entry in enumerate(entries if stamps else entries[:1]):
        if index and id(entry) not in stamps:
            continue
        level = len(entry.heading)
        last = index
        if index == 0 and level == 1:
            last = _find_head_end(entries, lines)
        if last < 0 or (id(entry) not in stamps and last == index):
            continue
        below = entries[last + 1] if last + 1 < len(entries) else None
        foot = index and entry.start > len(lines) - _FOOT and entries[index - 1].heading == entry.heading
        if foot or (below is not None and below.heading[:level] == entry.heading):
            for one in entries[index : last + 1]:
                one.level = Level.CONTEXT


def _is_about_itself(text: str, told: Sequence[str]) -> bool:
    some = any(map(text[:_ABOUT_WITHIN].__contains__, told))
    return text.startswith(_MADE_BY_TOOLS) or (some and _ABOUT_ITSELF.fullmatch(text.strip()) is not None)


def _find_head_end(entries: Sequence[Entry], lines: Sequence[str]) -> int:
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
    numbered = _find_numbered(entries, lines)
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
        return numbered
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
            or all(times[heading[:-1], name] >= _RECORD_FORMS_OFTEN for name in names)
        )
    }
    if not found:
        return numbered
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
    return numbered | {
        id(entry): below
        for heading, below in members.items()
        # A change log's sections have the same names, too, but each of their items is a thing of its own.
        if len(below) <= _MOST
        and sum(told[heading]) * 2 >= len(told[heading])
        and sum(len(entry.text) for entry in below) <= _RECORD
        for entry in below
        if not any("[ ]" in lines[one.start - 1] for one in below if one.start <= len(lines))
    }


def _find_numbered(entries: Sequence[Entry], lines: Sequence[str]) -> dict[int, list[Entry]]:
    """By identity, the entries of sections that have a record's number and no sections of their own."""
    sections: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        if entry.heading and is_record_number(entry.heading[-1]):
            sections.setdefault(entry.heading, []).append(entry)
    return {
        id(entry): below
        for below in sections.values()
        if 1 < len(below) <= _MOST
        and sum(len(entry.text) for entry in below) <= _RECORD
        and not any("[ ]" in lines[one.start - 1] for one in below if one.start <= len(lines))
        for entry in below
    }


_RECORD_FORMS_OFTEN = 3
_MOST = 16
_RECORD = 2400


def find_fields(entries: Sequence[Entry], lines: Sequence[str]) -> dict[int, list[Entry]]:
    """By identity, the entries of records, and all of the same one: sections whose items bear the same
    labels in the same order ('**Principle**: …', '**Applies to**: …') are records, and the items their fields."""
    sections: dict[tuple[str, ...], list[Entry]] = {}
    labels: dict[tuple[str, ...], tuple[str, ...]] = {}
    torn: tuple[str, ...] = ()
    for entry in entries:
        if entry.heading is torn or entry.level is Level.PART:
            continue
        known = labels.get(entry.heading)
        if known == _NO_LABELS:
            torn = entry.heading
            continue
        line = lines[entry.start - 1] if entry.start <= len(lines) else ""
        if entry.level is Level.CONTEXT:
            # What says how far it is may have been set aside.
            if name := read_attribute(line):
                labels[entry.heading] = (*(known or ()), name)
            continue
        if line[:1] in {"_", "*"} and line[1:2] != " " and _CLOSING.fullmatch(line) is not None:
            # How a document closes is no part of what stands last in it.
            continue
        name = _read_label(line, entry.heading)
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
        if heading not in sections or not 2 <= len(names) <= _MOST:
            continue
        same = (
            _ask_alike(names)
            or times[names] >= (2 if len(names) > 2 and names[0][-1:] != ":" else _RECORD_FORMS_OFTEN)
            or (
                len(names) > 2
                and names[0][-1:] == ":"
                and (_RUN.search(heading[-1]) is not None or _is_record_heading(heading[-1]))
            )
        )
        # Of contacts and the like each has its own choice of fields; they are short then.
        if same or (
            sum(single[name] > 2 for name in names) >= 2
            and sum(len(entry.text) for entry in sections[heading]) <= _RECORD_FORMS_FIELD * len(names)
        ):
            found.update((id(entry), sections[heading]) for entry in sections[heading])
    return found


def _read_label(line: str, heading: tuple[str, ...]) -> str:
    """The name of the field that an item is; empty: it is none."""
    match = _LABELLED.match(line) if "**" in line or ":" in line[:LABEL_END] else None
    if match is not None:
        return match[1] or f"{match[2]}:"
    if name := read_attribute(line):
        return name
    match = _PLAIN.match(line) if heading and _is_record_heading(heading[-1]) else None
    return "" if match is None else f"{match[1]}:"


def _ask_alike(names: tuple[str, ...]) -> bool:
    """Whether the fields of a section are attributes of one thing: how it stands, when, where, why, what came of it."""
    told = sum(map(is_attribute, names))
    return told > 1 and told * 2 >= len(names)


@lru_cache(maxsize=1 << 11)
def _is_record_heading(heading: str) -> bool:
    """Whether a heading is a day and an hour, and nothing else."""
    return heading[:1].isdigit() and _MOMENT.fullmatch(heading) is not None


_RECORD_FORMS_FIELD = 80
_NO_LABELS = ("",)


def is_run_record(heading: tuple[str, ...], line: str) -> bool:
    """Whether a record is what a program noted of one of its runs: nobody's memory."""
    return line[2:4] != "**" and _RUN.search(heading[-1]) is not None


EDGE = 20
"""Lines at the head and at the foot of a document that may describe the document itself."""
_STAMPED = 4
"""Lines that such a note at the end of a section has at most."""
RULED = compile_pattern(r"\b(?:never|must|always|don't|do not)\b|禁止|不要|不得|必须|务必|切勿", 2)
_STAMP = compile_pattern(
    r"[\s>*_(（\[✅+-]*(?:(?P<always>sha-?(?:1|256|512)|md5|checksum|"
    r"last[ -](?:updated?|verified|checked|reviewed|synced|modified)|next update|logged|"
    r"最[后後]更新(?:[时時][间間])?|最[后後]修改|更新[时時][间間]|[记記][录錄](?:[时時][间間]|[人者])|下次更新|"
    r"文[档檔](?:[状狀][态態]|版本)|"
    r"(?:父?页面|(?:parent )?page|session|message|run|block|thread|会话|消息)\s?id)|"
    r"updated|created|generated(?: at| by)?|priority|area|cập nhật|aktualisiert|actualizado|atualizado|"
    r"最近更新|更新日期|"
    r"(?:[创創]建|建立|生成)(?:[时時][间間]|日期)|[总總]?字[数數]|版本|version|[状狀][态態]|status|模[块組]|目[录錄])\s*[*_]*\s*[:：][^\n]{0,80}",
    2,
)
"""A line that says when something was written, or by what name a program knows it, `always`; or, where a document
speaks of itself, what state it is in."""
_STAMP_MARKS = " \t>*_(（[✅+-"
_STAMP_FIRST = frozenset("aA目lnucgvsmrbtpLNUCGVSMRBTP最更记記下文父页会消创創建生总總字版状狀模")
"""What such a line begins with, behind its marks."""


def is_stamp(text: str, edge: bool) -> bool:
    """Whether a short note only says when something was written, or, at the `edge` of a document, in what state."""
    when = ":" in text[:LABEL_END] or "：" in text[:LABEL_END]
    match = _STAMP.match(text) if when and text.lstrip(_STAMP_MARKS)[:1] in _STAMP_FIRST else None
    return match is not None and (match["always"] is not None or edge) and _is_stamps_only(text, edge)


def _is_stamps_only(text: str, edge: bool) -> bool:
    """Whether all lines of a short note are stamps."""
    lines = text.split("\n", _STAMPED)
    found = [_STAMP.fullmatch(line) for line in lines]
    if len(lines) > _STAMPED or None in found:
        return False
    return edge or (found[0] is not None and found[0]["always"] is not None)


_BOOKKEEPING = compile_pattern(
    r"[\s>*_✅⚡+-]*(?:(?:git )?commits?(?: hash| id)?|提交)[\s*_]*[:：][\s*_`]*[0-9a-f]{6,40}\b"
    r"(?:[^\w\n(（]*(?:[0-9a-f]{6,40}\b|[(（][^()（）\n]{1,40}[)）]))*\W*"
    r"|[\s>*_✅⚡+-]*(?:duration|elapsed(?: time)?|time (?:spent|taken)|完成[时時][间間]|[耗用][时時])[\s*_]*[:：]"
    r"[\s*_`~≈约約]*"
    r"(?:\d[\d.:]*\s?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?|天|小[时時]|分[钟鐘]?|秒)?[\s*_`]*){1,3}"
    r"|[\s>*_+-]*(?:tags?|hashtags|标签|標籤)[\s*_]*[:：][\s*_]*(?:(?:#[\w/-]++|`[\w/-]++`)[\s,，、*_]*+)++",
    2,
)
"""What is noted of a piece of work besides what came of it: its commit, how long it took, its tags."""
_BOOK_MARKS = " \t>*_✅⚡+-"
_BOOK_FIRST = frozenset("cCdDeEgGhHtT提完耗用标標")


def is_bookkeeping(entry: Entry) -> bool:
    """Whether all lines of an entry say no more than how a piece of work is filed."""
    text = entry.text
    if text.lstrip(_BOOK_MARKS)[:1] not in _BOOK_FIRST or entry.kind == "todo":
        return False
    when = ":" in text[:LABEL_END] or "：" in text[:LABEL_END]
    return when and all(map(_BOOKKEEPING.fullmatch, text.split("\n", _STAMPED)))


def is_colophon(last: Entry, lines: Sequence[str]) -> bool:
    """Whether a document closes with a word in italics about itself, or of farewell, apart from what stands above."""
    if last.level is not Level.MEMORY or last.start < len(lines) - EDGE or last.end > len(lines) or last.kind == "todo":
        return False
    said = lines[last.start - 1 : last.end]
    apart = not lines[last.start - 2].strip() or not lines[last.start - 2].strip("-*_ ")
    return apart and all(map(_ITALIC.fullmatch, said)) and _OF_ITSELF.search(last.text) is not None


_OF_ITSELF = compile_pattern(
    r"\b(?:this (?:file|document|page|note|log|report|memory)|updated?|generated|maintained|compiled|written|"
    r"recorded|end of|version|signed|reviewed)\b"
    r"|本(?:文|页|報告|报告)|文档|文件|更新|生成|维护|編寫|编写|整理|记录于|版本|20\d\d",
    2,
)
# In brackets stands what a form asks for.
_ITALIC = compile_pattern(r"(?:>\s*)?([*_])(?![*_\s(（])[^*_\n]{1,160}\1\s*")
