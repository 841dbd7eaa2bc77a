"""INDEX.md, archive/_index.md, sessions/_index.md: tables that lead from keywords to documents (spec 000).

Their columns vary by version, so they are told by their names; what is not in a table is read as Markdown.
"""

from __future__ import annotations

from memtui import clock
from memtui.model import Entry, Level, Parsed
from memtui.parse import units
from memtui.parse.dates import date_entries
from memtui.parse.frontmatter import words
from memtui.parse.markdown import Reading
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.parse.source import Source

_KEYWORDS = frozenset({"关键词", "关键字", "标签", "keywords", "keyword", "tags", "tag"})
_PLACES = frozenset(
    {"读取文件", "文件", "路径", "位置", "链接", "方案包", "path", "file", "files", "link", "document"}
)
_TIMES = frozenset({"时间", "时间戳", "日期", "更新时间", "time", "date", "timestamp", "updated"})


def parse(source: Source) -> Parsed:
    """Rows as entries of kind index: keywords as tags, paths as links, the first cell as title."""
    reading = Reading(source, "note", empty_headings=False)
    reading.read()
    entries = [entry for entry in reading.entries if not _empty(entry)]
    for entry in entries:
        if "code" in entry.extra:
            continue
        if (entry.start == entry.end and reading.lines[entry.start - 1].strip()[:1] == "|") or entry.links:
            entry.kind = "index"
            # It leads to a document, and says what that one says itself.
            entry.level = Level.CONTEXT
            _columns(entry)
    units.group(entries, reading.lines, reading.bare)
    date_entries(entries, source.path)
    return Parsed(source.text, entries, reading.problems, reading.title)


def _columns(entry: Entry) -> None:
    for name, cell in entry.extra.items():
        if not isinstance(cell, str):
            continue
        column = name.strip("* `").lower()
        if not entry.title and "](" not in cell and column not in _TIMES:
            entry.title = cell.strip("`* ")
        if column in _KEYWORDS:
            entry.tags = tuple(dict.fromkeys((*entry.tags, *(word.strip("` ") for word in words(cell)))))
        elif column in _PLACES and "](" not in cell:
            places = (place.strip("` ") for place in cell.replace("，", ",").replace("、", ",").split(","))
            entry.links = tuple(dict.fromkeys((*entry.links, *(place for place in places if _path(place)))))
        elif column in _TIMES and entry.created is None:
            entry.created = clock.parse(cell) if not cell.isdigit() else _digits(cell)


def _digits(cell: str) -> float | None:
    """HelloAGENTS' 202602101430."""
    if len(cell) != 12:
        return None
    return clock.parse(f"{cell[:4]}-{cell[4:6]}-{cell[6:8]}T{cell[8:10]}:{cell[10:12]}")


def _path(place: str) -> bool:
    return "/" in place or place.endswith((".md", ".json", ".jsonl"))


def _empty(entry: Entry) -> bool:
    """'当前暂无会话摘要' is no session, '(none yet)' no archive."""
    text = entry.text.strip("*_()（）。.-· >").lower()
    return len(text) <= 24 and (
        "暂无" in text or text in {"none", "none yet", "no sessions yet", "empty", "无"}
    )
