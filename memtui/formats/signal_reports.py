"""Signal reports (spec 002 `evolution/signal_report_latest.md`): each signal an entry with its numbers, prose as notes.

A model or a script writes them as tables, as bullets or as a heading with fields below; columns and labels come
in Chinese and English and vary by version, so they are told by their names. What is not understood stays a
note.
"""

from __future__ import annotations

import re

from memtui.core import clock
from memtui.core.model import Entry, Parsed
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats.asides import STAMP
from memtui.formats.markdown import MarkdownReading

if TYPE_CHECKING:
    from memtui.formats.source import Source

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
_BEFORE = compile_pattern(
    r"[^\w]*(?:(?:critical|high|normal|medium|low|严重|高|中|低)[^\w]+)?", re.IGNORECASE
)
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
_LABELLED = compile_pattern(r"[*_`]*([\w ]{1,24}?)[*_`]*\s*[:：]\s*[*_`]*\s*(\S.{0,200}?)[*_`]*")
_CHINESE = {
    "严重": "critical", "紧急": "critical", "高": "high", "高优先": "high", "中": "normal", "普通": "normal",
    "低": "low", "medium": "normal", "活跃": "active", "已处理": "addressed", "已抑制": "suppressed",
    "已解决": "addressed", "resolved": "addressed",
}  # fmt: skip
_MADE = compile_pattern(r"(?:生成|generated|更新|updated|日期|date)[^\d\n]{0,20}(?=\d{4}-)", re.IGNORECASE)
_NOTHING = frozenset({"-", "—", "n/a", "N/A", "无"})
_LONGEST = 500


def parse(source: Source) -> Parsed:
    """Signals of kind `signal`, with signal, count, priority, status, last_seen in `extra`; all else is a note."""
    reading = MarkdownReading(source, "note", empty_headings=False)
    reading.read()
    made = _made(reading)
    entries: list[Entry] = []
    open_: Entry | None = None
    for entry in reading.entries:
        # A gate that is shut is ticked off by nobody.
        if entry.kind in {"summary", "todo", "skill"}:
            entry.kind = "note"
        named = _of_heading(entry)
        if named:
            if open_ is None or open_.heading != entry.heading:
                at = _heading_line(reading.lines, entry)
                open_ = Entry("", at, entry.end, "signal", heading=entry.heading)
                named = {**_said(entry.heading[-1]), **named}
                entries.append(open_)
            _add(open_, named, entry.end)
            continue
        found = _of_row(entry) if _is_row(reading.lines, entry) else _told(entry.text)
        if found:
            entry.kind = "signal"
            rest = {key: value for key, value in entry.extra.items() if _FIELDS.get(_bare(key)) not in found}
            entry.extra = rest
            _add(entry, found, entry.end)
        entries.append(entry)
    for entry in entries:
        if entry.created is None and entry.updated is None:
            entry.created = made
    return Parsed(source.text, entries, reading.problems, reading.title)


def _made(reading: MarkdownReading) -> float | None:
    """When the report says it was made, in its first lines."""
    for line in reading.lines[:20]:
        match = _MADE.search(line[:_LONGEST])
        stamp = STAMP.match(line, match.end()) if match else None
        if stamp:
            return clock.parse(stamp[0].strip())
    return None


def _bare(label: str) -> str:
    return label.strip(" *_`").lower()


def _is_row(lines: list[str], entry: Entry) -> bool:
    return entry.start == entry.end and "|" in lines[entry.start - 1] and bool(entry.extra)


def _of_row(entry: Entry) -> dict[str, Any]:
    """A table's row, where its header names a signal and something about it."""
    found: dict[str, Any] = {}
    for header, cell in entry.extra.items():
        name = _FIELDS.get(_bare(header), "")
        if name and name not in found and isinstance(cell, str):
            value = _value(name, cell.strip(" *_`"))
            if value is not None:
                found[name] = value
    return found if "signal" in found and len(found) > 1 else {}


def _of_heading(entry: Entry) -> dict[str, Any]:
    """'- 次数: 5' below '### environment_issue': a field of the signal that the heading names."""
    if not entry.heading or "\n" in entry.text or not _NAME.search(entry.heading[-1][:_LONGEST]):
        return {}
    match = _LABELLED.fullmatch(entry.text[:_LONGEST])
    name = _FIELDS.get(_bare(match[1]), "") if match else ""
    value = _value(name, match[2].strip()) if match and name and name != "signal" else None
    return {} if value is None else {name: value}


def _heading_line(lines: list[str], entry: Entry) -> int:
    for line in range(entry.start - 1, max(0, entry.start - 8), -1):
        if lines[line - 1].lstrip().startswith("#"):
            return line
    return entry.start


def _told(text: str) -> dict[str, Any]:
    """A line that begins with a signal's name and says how often, how urgent or how it stands."""
    text = text.partition("\n")[0][:_LONGEST]
    before = _BEFORE.match(text)
    match = _NAME.match(text, before.end() if before else 0)
    if match is None:
        return {}
    found = _said(text)
    return found if len(found) > 1 else {}


def _said(text: str) -> dict[str, Any]:
    """The first signal that a line names, and what else the line says of it."""
    match = _NAME.search(text[:_LONGEST])
    if match is None:
        return {}
    found: dict[str, Any] = {"signal": match[0]}
    rest = f"{text[: match.start()]} {text[match.end() : _LONGEST]}"
    bare = _BARE_COUNT.match(text, match.end())
    count = next(filter(None, (form.search(rest) for form in _COUNTS)), None) or bare
    digits = count[1] if count else ""
    if digits:
        found["count"] = int(digits)
    for name, form in (("priority", _PRIORITY), ("status", _STATUS)):
        said = form.search(rest)
        if said:
            found[name] = _value(name, said[0])
    last = _LAST.search(rest)
    stamp = STAMP.match(rest, last.end()) if last else None
    if stamp:
        found["last_seen"] = stamp[0].strip()
    return found


def _value(name: str, cell: str) -> Any:
    """A cell as its field holds it; None where it says nothing."""
    if not cell or cell in _NOTHING:
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
            if key not in known and isinstance(value, str) and value not in _NOTHING
        )
        entry.text = f"{signal}: {said}" + (f" · {more}" if more else "")
    for field, name in (("created", "first_seen"), ("updated", "last_seen")):
        moment = clock.parse(str(told[name])) if name in told else None
        if moment is not None:
            setattr(entry, field, moment)
