"""Session files and index tables (specs 000 to 002): a session's head entry and items, and rows that lead to documents.

`parse_session`: one head entry, then what was done, decided, left open and touched. It reads spec 000's summary
and what its hooks really wrote, v3's STATE.md, spec 001's capture file, spec 002's two modes and their degraded
remains. All entries carry the session's id.

`parse`: INDEX.md, archive/_index.md and sessions/_index.md, tables from keywords to documents (spec 000).
Columns vary by version and are told by their names; what is in no table is read as Markdown.

Signal reports (spec 002 `evolution/signal_report_latest.md`): each signal an entry with its numbers, prose as notes.

A model or a script writes them as tables, as bullets or as a heading with fields below; columns and labels come
in Chinese and English and vary by version, so they are told by their names. What is not understood stays a
note.
"""

from __future__ import annotations

import re

from memtui.core import clock
from memtui.core.model import JSON, MARKDOWN, Entry, Layer, Level, Parsed
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats import kinds, session_head, units
from memtui.formats.dates import assign_dates
from memtui.formats.frontmatter import split_words
from memtui.formats.markdown import MarkdownReading
from memtui.formats.marks import STAMP

if TYPE_CHECKING:
    from memtui.formats import Source
    from memtui.formats.session_head import Head


_LABELLED = compile_pattern(r"(?:\d{1,3}[.、)]|[-*+])\s*\*\*([^*\n]{1,40}?)\s*(?:[:：]\s*\*\*|\*\*\s*[:：]?)\s*(.*)")
_SAID = compile_pattern(r"(?:\?\s+)?(user|assistant|tool|system|developer)\s*[:：]\s*(.*)", re.DOTALL)
_SPOKEN = compile_pattern(
    r"[\[*【]{0,2}(user|human|assistant|claude|ai|tool|system|用户|助手)[\]*】]{0,2}\s*[:：][\]*】]{0,2}\s*",
    re.IGNORECASE,
)
_SPEAKERS = {"human": "user", "用户": "user", "claude": "assistant", "ai": "assistant", "助手": "assistant"}
_UNAVAILABLE = compile_pattern(r"\*{0,2}\[?(摘要不可用[^\]*]*|summary unavailable[^\]*]*)\]?\*{0,2}", re.IGNORECASE)
_COUNTED = {"decision": "decisions", "todo": "todos", "file": "files", "event": "done", "message": "messages"}
_TOPICS = ("主题", "主线目标", "topic", "goal", "摘要", "summary")
_GENERIC = frozenset({
    "会话摘要", "会话记录", "会话总结", "session", "session summary", "session capture", "session record", "恢复快照",
    "session state",
})  # fmt: skip
_NOTHING = frozenset({"无", "暂无", "(无)", "（无）", "none", "None", "N/A", "n/a"})
_LONGEST = 120


def parse_session(source: Source) -> Parsed:
    """A session's head first, then its items; a file with nothing in it has none."""
    reading = MarkdownReading(source, "note", empty_headings=False)
    if not source.text.strip(" \t\r\n\0\ufeff"):
        return Parsed(source.text, [], reading.problems)
    head = session_head.read(reading.lines, source.path)
    if "**" in source.text:
        reading.lines = _normalize_section_labels(reading.lines, head.end)
    reading.read(head.end)
    first = Entry("", 1, max(head.end, 1), "session", Layer.SESSION, created=head.created, updated=head.updated)
    first.session = first.key = head.session
    first.tags = head.tags
    talk = [first, *reading.entries]
    if session_head.fold_session(talk, reading.lines, source.path):
        return Parsed(source.text, talk, reading.problems, first.title)
    entries = [entry for entry in reading.entries if _complete_item(entry, head, first)]
    if "degraded" in first.extra or head.name.startswith("会话记录"):
        _convert_dialogue(entries)
        first.extra = {"degraded": "raw dialogue", **first.extra}
    first.extra = {**head.extra, **first.extra, **_count_kinds(entries)}
    if source.role.project:
        first.extra = {"project": source.role.project, **first.extra}
    first.title = _choose_session_title(head, entries)
    first.text = first.title or head.name or head.session or source.path
    return Parsed(source.text, [first, *entries], reading.problems, first.title or head.name)


def _normalize_section_labels(lines: list[str], start: int) -> list[str]:
    """`2. **关键知识点**:` with its list below is a section by another name: read as one, lines staying in place."""
    found = lines
    for index in range(start, len(lines)):
        line = lines[index]
        if "**" not in line or line[:1] in {" ", "\t"}:
            continue
        match = _LABELLED.fullmatch(line.strip())
        if match and not match[2] and kinds.match_exact_kind(match[1]):
            if found is lines:
                found = list(lines)
            found[index] = f"## {match[1]}"
    return found


def _convert_dialogue(entries: list[Entry]) -> None:
    """Where no summary was made the dialogue itself stands there: what somebody said is a message."""
    for entry in entries:
        match = _SPOKEN.match(entry.text)
        if match and entry.kind == "note":
            entry.kind = "message"
            entry.extra = {"role": _SPEAKERS.get(match[1].lower(), match[1].lower()), **entry.extra}


def _complete_item(entry: Entry, head: Head, first: Entry) -> bool:
    """Gives an entry what it shares with its session; False: it says something of the session, and is no item."""
    if entry.text in _NOTHING:
        return False
    if entry.text.startswith("**") or "摘要不可用" in entry.text:
        if _UNAVAILABLE.fullmatch(entry.text):
            first.extra = {**first.extra, "degraded": entry.text.strip("*[] ")}
            return False
        match = _LABELLED.fullmatch(f"- {entry.text}".partition("\n")[0])
        if match and match[2] and kinds.match_exact_kind(match[1]):
            entry.kind = kinds.match_exact_kind(match[1])
            entry.heading = (match[1],)
            entry.text = match[2] + entry.text[len(entry.text.partition("\n")[0]) :]
            if entry.text in _NOTHING:
                return False
    section = entry.heading[-1].lower() if entry.heading else ""
    if section.startswith("compaction summary"):
        if entry.text.startswith("at:"):
            return False
        entry.kind = "summary"
    elif section.startswith("messages"):
        match = _SAID.match(entry.text)
        entry.kind = "message"
        if match:
            entry.extra = {"role": match[1], **entry.extra}
            entry.text = entry.text.removeprefix("? ")
    elif section in {"阻塞项", "blockers", "blocked"}:
        entry.kind = "todo"
    if not entry.session or entry.session == entry.source:
        entry.session = head.session
    if entry.created is None:
        entry.created = head.created
    return True


def _count_kinds(entries: list[Entry]) -> dict[str, Any]:
    counts: dict[str, Any] = {}
    for entry in entries:
        name = _COUNTED.get(entry.kind)
        if name:
            many = entry.text.replace("，", ",").replace("、", ",").count(",") + 1 if entry.kind == "file" else 1
            counts[name] = counts.get(name, 0) + many
    return counts


def _derive_item_title(entry: Entry) -> str:
    """An item as a title: its first line, unless that only announces what follows; without who said it."""
    first = entry.text.partition("\n")[0]
    text = entry.text if first.rstrip("*_ ")[-1:] in {":", "："} else first
    return _SPOKEN.sub("", text, count=1) if entry.kind == "message" else text


def _choose_session_title(head: Head, entries: list[Entry]) -> str:
    """The topic, else what was done, else the first thing said: on one line."""
    text = head.topic
    if not text and head.name.lower() not in _GENERIC and head.session not in (head.name or head.session):
        text = head.name
    if not text:
        text = next((e.text for e in entries if e.heading and e.heading[-1].lower() in _TOPICS), "")
    for kind in ("event", "summary", "message", "note", "decision", ""):
        text = text or next((_derive_item_title(entry) for entry in entries if kind in {"", entry.kind}), "")
    line = " ".join(text[: _LONGEST * 4].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


_KEYWORDS = frozenset({"关键词", "关键字", "标签", "keywords", "keyword", "tags", "tag"})
_PLACES = frozenset({"读取文件", "文件", "路径", "位置", "链接", "方案包", "path", "file", "files", "link", "document"})
_BETWEEN = str.maketrans("／｜；;", ",,,,")
"""What divides words as commas do; a '/' stands within some: CI/CD."""
_TIMES = frozenset({"时间", "时间戳", "日期", "更新时间", "time", "date", "timestamp", "updated"})


def parse(source: Source) -> Parsed:
    """Rows as entries of kind index: keywords as tags, paths as links, the first cell as title."""
    reading = MarkdownReading(source, "note", empty_headings=False)
    reading.read()
    entries = [entry for entry in reading.entries if not _is_empty_placeholder(entry)]
    for entry in entries:
        if "code" in entry.extra:
            continue
        line = reading.lines[entry.start - 1].strip()
        # Pipes around a row are the writer's choice.
        if (entry.start == entry.end and "|" in line and (line[0] == "|" or entry.extra)) or entry.links:
            entry.kind = "index"
            # It leads to a document, and says what that one says itself.
            entry.level = Level.CONTEXT
            _apply_columns(entry)
    units.group(entries, reading.lines, reading.bare)
    assign_dates(entries, source.path)
    return Parsed(source.text, entries, reading.problems, reading.title)


def _apply_columns(entry: Entry) -> None:
    for name, cell in entry.extra.items():
        if not isinstance(cell, str):
            continue
        column = name.strip("* `").lower()
        if not entry.title and "](" not in cell and column not in _TIMES:
            entry.title = cell.strip("`* ")
        if column in _KEYWORDS:
            words = (word.strip("` ") for word in split_words(cell.translate(_BETWEEN)))
            entry.tags = tuple(dict.fromkeys((*entry.tags, *words)))
        elif column in _PLACES and "](" not in cell:
            places = (place.strip("` ") for place in cell.replace("，", ",").replace("、", ",").split(","))
            entry.links = tuple(dict.fromkeys((*entry.links, *(place for place in places if _is_path(place)))))
        elif column in _TIMES and entry.created is None:
            entry.created = clock.parse(cell) if not cell.isdigit() else _parse_digit_time(cell)


def _parse_digit_time(cell: str) -> float | None:
    """HelloAGENTS' 202602101430."""
    if len(cell) != 12:
        return None
    return clock.parse(f"{cell[:4]}-{cell[4:6]}-{cell[6:8]}T{cell[8:10]}:{cell[10:12]}")


def _is_path(place: str) -> bool:
    return "/" in place or place.endswith((*MARKDOWN, *JSON))


def _is_empty_placeholder(entry: Entry) -> bool:
    """'当前暂无会话摘要' is no session, '(none yet)' no archive."""
    text = entry.text.strip("*_()（）。.-· >").lower()
    return len(text) <= 24 and ("暂无" in text or text in {"none", "none yet", "no sessions yet", "empty", "无"})


_FIELDS = {
    label: name
    for name, labels in (
        (
            "signal",
            "信号,信号类型,类型,模式,循环模式,信号组合,signal,signals,signal type,type,pattern,name,名称",
        ),
        (
            "count",
            "次数,出现次数,发生次数,频次,频率,数量,计数,count,occurrences,occurrence count,times,total,frequency",
        ),
        ("priority", "优先级,级别,严重程度,严重性,等级,priority,severity,level"),
        ("status", "状态,status,state"),
        ("last_seen", "最后出现,最近出现,最近会话,最近,最后一次,最后时间,last seen,last_seen,latest,last"),
        ("sessions", "会话,涉及会话,相关会话,sessions,session ids"),
        ("first_seen", "首次出现,首次,第一次,first seen,first_seen,first"),
    )
    for label in labels.split(",")
}
_WORD = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+|error|correction"
_NAMES = rf"(?:{_WORD})(?:\s*[+&,，、/]\s*(?:{_WORD}))*"
_NAME = compile_pattern(rf"(?<![\w/.]){_NAMES}(?![\w/.])", re.IGNORECASE)
_BEFORE = compile_pattern(r"[^\w]*(?:(?:critical|high|normal|medium|low|严重|高|中|低)[^\w]+)?", re.IGNORECASE)
_COUNTS = tuple(
    compile_pattern(form, re.IGNORECASE)
    for form in (
        r"(?:count|次数|频次|occurrences?)[`*]*\s*[=:：]\s*(\d{1,9})",
        r"(?<![\d.-])(\d{1,9})\s*(?:次|×|x\b|times\b|occurrences?\b)",
        r"(?<![\d.-])(\d{1,9}) (?:out )?of (?:the )?(?:last )?\d",
        r"[×✕]\s*(\d{1,9})",
        r"(?<![\d.-])(\d{1,9})\s*(?:sessions?\b|个会话)",
    )
)
_BARE_COUNT = compile_pattern(r"[\s`*\])]*[:：(（]\s*(\d{1,9})(?![\d-])")
_PRIORITY = compile_pattern(
    r"(?<![\w-])(critical|high|normal|medium|low)(?![\w-])|(严重|紧急|高优先|普通)", re.IGNORECASE
)
_STATUS = compile_pattern(
    r"(?<![\w-])(active|addressed|suppressed|resolved)(?![\w-])|(活跃|已处理|已抑制|已解决)", re.IGNORECASE
)
_LAST = compile_pattern(r"(?:last[ _]seen|最后出现|最近(?:出现)?|latest)\W{0,4}(?=\d)", re.IGNORECASE)
_FIELD_LINE = compile_pattern(r"[*_`]*([\w ]{1,24}?)[*_`]*\s*[:：]\s*[*_`]*\s*(\S.{0,200}?)[*_`]*")
_CHINESE = {
    "严重": "critical", "紧急": "critical", "高": "high", "高优先": "high", "中": "normal", "普通": "normal",
    "低": "low", "medium": "normal", "活跃": "active", "已处理": "addressed", "已抑制": "suppressed",
    "已解决": "addressed", "resolved": "addressed",
}  # fmt: skip
_MADE = compile_pattern(r"(?:生成|generated|更新|updated|日期|date)[^\d\n]{0,20}(?=\d{4}-)", re.IGNORECASE)
_NO_VALUE = frozenset({"-", "—", "n/a", "N/A", "无"})
_LONGEST_FIELD = 500


def parse_report(source: Source) -> Parsed:
    """Signals of kind `signal`, with signal, count, priority, status, last_seen in `extra`; all else is a note."""
    reading = MarkdownReading(source, "note", empty_headings=False)
    reading.read()
    made = _find_report_time(reading)
    entries: list[Entry] = []
    open_: Entry | None = None
    for entry in reading.entries:
        # A gate that is shut is ticked off by nobody.
        if entry.kind in {"summary", "todo", "skill"}:
            entry.kind = "note"
        named = _parse_signal_field(entry)
        if named:
            if open_ is None or open_.heading != entry.heading:
                at = _find_heading_line(reading.lines, entry)
                open_ = Entry("", at, entry.end, "signal", heading=entry.heading)
                named = {**_parse_named_signal(entry.heading[-1]), **named}
                entries.append(open_)
            _add(open_, named, entry.end)
            continue
        found = _parse_signal_row(entry) if _is_row(reading.lines, entry) else _parse_signal_line(entry.text)
        if found:
            entry.kind = "signal"
            rest = {key: value for key, value in entry.extra.items() if _FIELDS.get(_strip_label(key)) not in found}
            entry.extra = rest
            _add(entry, found, entry.end)
        entries.append(entry)
    if made is None:
        # What is reported day by day stands below its days.
        assign_dates([entry for entry in entries if entry.kind == "note"], source.path)
    for entry in entries:
        if entry.created is None and entry.updated is None:
            entry.created = made
    return Parsed(source.text, entries, reading.problems, reading.title)


def _find_report_time(reading: MarkdownReading) -> float | None:
    """When the report says it was made, in its first lines."""
    for line in reading.lines[:20]:
        match = _MADE.search(line[:_LONGEST_FIELD])
        stamp = STAMP.match(line, match.end()) if match else None
        if stamp:
            return clock.parse(stamp[0].strip())
    return None


def _strip_label(label: str) -> str:
    return label.strip(" *_`").lower()


def _is_row(lines: list[str], entry: Entry) -> bool:
    return entry.start == entry.end and "|" in lines[entry.start - 1] and bool(entry.extra)


def _parse_signal_row(entry: Entry) -> dict[str, Any]:
    """A table's row, where its header names a signal and something about it."""
    found: dict[str, Any] = {}
    for header, cell in entry.extra.items():
        name = _FIELDS.get(_strip_label(header), "")
        if name and name not in found and isinstance(cell, str):
            value = _parse_signal_value(name, cell.strip(" *_`"))
            if value is not None:
                found[name] = value
    return found if "signal" in found and len(found) > 1 else {}


def _parse_signal_field(entry: Entry) -> dict[str, Any]:
    """'- 次数: 5' below '### environment_issue': a field of the signal that the heading names."""
    if not entry.heading or "\n" in entry.text or not _NAME.search(entry.heading[-1][:_LONGEST_FIELD]):
        return {}
    match = _FIELD_LINE.fullmatch(entry.text[:_LONGEST_FIELD])
    name = _FIELDS.get(_strip_label(match[1]), "") if match else ""
    value = _parse_signal_value(name, match[2].strip()) if match and name and name != "signal" else None
    return {} if value is None else {name: value}


def _find_heading_line(lines: list[str], entry: Entry) -> int:
    for line in range(entry.start - 1, max(0, entry.start - 8), -1):
        if lines[line - 1].lstrip().startswith("#"):
            return line
    return entry.start


def _parse_signal_line(text: str) -> dict[str, Any]:
    """A line that begins with a signal's name and says how often, how urgent or how it stands."""
    text = text.partition("\n")[0][:_LONGEST_FIELD]
    before = _BEFORE.match(text)
    match = _NAME.match(text, before.end() if before else 0)
    if match is None:
        return {}
    found = _parse_named_signal(text)
    return found if len(found) > 1 else {}


def _parse_named_signal(text: str) -> dict[str, Any]:
    """The first signal that a line names, and what else the line says of it."""
    match = _NAME.search(text[:_LONGEST_FIELD])
    if match is None:
        return {}
    found: dict[str, Any] = {"signal": match[0]}
    rest = f"{text[: match.start()]} {text[match.end() : _LONGEST_FIELD]}"
    bare = _BARE_COUNT.match(text, match.end())
    count = next(filter(None, (form.search(rest) for form in _COUNTS)), None) or bare
    digits = count[1] if count else ""
    if digits:
        found["count"] = int(digits)
    for name, form in (("priority", _PRIORITY), ("status", _STATUS)):
        said = form.search(rest)
        if said:
            found[name] = _parse_signal_value(name, said[0])
    last = _LAST.search(rest)
    stamp = STAMP.match(rest, last.end()) if last else None
    if stamp:
        found["last_seen"] = stamp[0].strip()
    return found


def _parse_signal_value(name: str, cell: str) -> Any:
    """A cell as its field holds it; None where it says nothing."""
    if not cell or cell in _NO_VALUE:
        return None
    if name == "count":
        match = re.match(r"\D{0,3}(\d{1,9})(?!\d)", cell)
        return int(match[1]) if match else None
    if name in {"priority", "status"}:
        word = cell.strip(" *_`[]()（）").lower()
        word = re.sub(r"^[^\w]+", "", word)
        return _CHINESE.get(word, word) or None
    return cell


def _add(entry: Entry, found: dict[str, Any], end: int) -> None:
    """The fields, the line a person reads, and the times."""
    entry.extra = {**found, **entry.extra, **found}
    entry.end = max(entry.end, end)
    told = entry.extra
    count = told.get("count")
    parts = [
        f"{count:,}×" if isinstance(count, int) else "",
        str(told.get("priority", "")),
        str(told.get("status", "")),
        f"last seen {told['last_seen']}" if "last_seen" in told else "",
    ]
    said = ", ".join(part for part in parts if part)
    signal = str(told.get("signal", ""))
    if entry.start != end or not entry.text or " · " in entry.text:
        known = {"signal", "count", "priority", "status", "last_seen", "first_seen", "sessions"}
        more = " · ".join(
            str(value)
            for key, value in told.items()
            if key not in known and isinstance(value, str) and value not in _NO_VALUE
        )
        entry.text = f"{signal}: {said}" + (f" · {more}" if more else "")
    for field, name in (("created", "first_seen"), ("updated", "last_seen")):
        moment = clock.parse(str(told[name])) if name in told else None
        if moment is not None:
            setattr(entry, field, moment)
