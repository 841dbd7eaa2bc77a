"""Daily notes: spec 001's dated lines and summary blocks, spec 002's notes by the hour, spec 004's first dailies.

Reading: a line's own time comes first, else the date that the file is named for with the time of the heading
above, local. A malformed line is still an entry.

Writing is spec 001's form: `- 2026-02-24T10:12:33Z [pref] text #tag (source=run-id)`, one memory a line, UTC,
in a file without a header. An edit treats such a line as any list item.
"""

from __future__ import annotations

import re

from memtui.core import clock
from memtui.core.edits import Piece
from memtui.core.model import Entry, Layer, Level, Parsed, Role
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats import Added, AppendRecord, Source, kinds, units
from memtui.formats.dates import assign_dates, find_day, find_path_day, find_time_of_day
from memtui.formats.markdown import MarkdownReading
from memtui.formats.markdown_lines import (
    Lines,
    clean_source_label,
    clean_tags,
    escape_item_text,
    format_item_expiry,
    normalize_kind,
)
from memtui.formats.markdown_write import change, mark, remove
from memtui.formats.session_head import fold_session
from memtui.formats.task_lists import settle_boxes

if TYPE_CHECKING:
    from memtui.core.edits import Draft

__all__ = ["add", "change", "mark", "record", "remove"]

_SUMMARY = ("daily summary", "每日总结", "每日摘要")
_MADE = ("自动生成的每日", "auto-generated daily")
_TAGS = frozenset({"标签", "tags", "tag"})
_HOUR = compile_pattern(
    r"(?:\[|\*\*)?(\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm]\b)?)(?:\s(?:UTC|GMT|[A-Z]{2,4}T)\b)?(?:\]|\*\*)?"
    r"(?=[\s:：-]|$)[\s:：-]*"
)
_PROJECT = compile_pattern(r"(?:项目|[Pp]roject)\s*[:：]\s*(\S.*?)\s*$")
_BEFORE_SUMMARY = compile_pattern(r"-\s*(\S.*?)\s*[\[【](?:总结|summary)[\]】]\s*$", re.IGNORECASE)
_SESSION = compile_pattern(r"(?:^|/)sessions/([^/]+)\.md$")
_RECORD = compile_pattern(r"\s*-\s+\d{4}-\d\d-\d\dT\d")
_LABEL = compile_pattern(r"(?:[-*]\s+)?(\*\*)?([^*:：]{1,40})[:：]?(?:\*\*)?[:：]?\s*")
_SAYS = compile_pattern(r"\*{0,2}([^*:：\n]{1,40})[:：]\s")
_POINTS_AT = compile_pattern(
    r"\*\*(?:会话记录\*\*\s*[:：]\s*(?:\[[^\]\n]*\]\([^()\n]*\)|`[^`\n]+`|\S+\.md)|知识提取\*\*\s*[:：][^\n]*)"
)
"""Lines of spec 002's notes by the hour that say where a session stands, and how much was taken out of it."""
_FIELD = compile_pattern(r"(date|generated_at|source_runs)\s*[:：]\s*(.*)")


def parse(source: Source) -> Parsed:
    """A journal file's entries, each with its time where one is known."""
    reading = MarkdownReading(source)
    if "auto_daily_summary" in source.text:
        reading.lines = _normalize_labelled_sections(reading.lines)
    reading.read()
    day = find_path_day(source.path)
    if not day and reading.title:
        day = find_day(reading.title)
    entries = reading.entries
    if entries and entries[0].start <= 8 and entries[0].text.lower().startswith(_MADE):
        del entries[0]
    _apply_dates(entries, day, reading.bare)
    if any(entry.heading for entry in entries):
        _apply_hour_headings(entries, source.role.kind)
        entries = _merge_summary_fields(entries, reading, source.role.kind)
    if not fold_session(entries, reading.lines, source.path):
        units.group(entries, reading.lines, reading.bare, reading.stamps)
        reading.set_label_aside(entries)
    units.settle(entries, reading.lines)
    for entry in entries:
        if entry.text[:2] == "**" and _POINTS_AT.fullmatch(entry.text):
            entry.level = Level.CONTEXT
    settle_boxes(entries)
    reading.set_asides_apart(entries)
    assign_dates(entries, source.path)
    return Parsed(source.text, entries, reading.problems, reading.title)


def _normalize_labelled_sections(lines: list[str]) -> list[str]:
    """Models write a summary's sections as `**Decisions**`, `TODO:` or a bullet with a list below it, too.

    Such lines are read as headings, every line staying in its place.
    """
    found = list(lines)
    inside = ""
    for index, line in enumerate(lines):
        if line.startswith("#"):
            level = line[: len(line) - len(line.lstrip("#"))]
            if line.strip("# \r").lower().startswith(_SUMMARY):
                inside = level
            elif len(level) <= len(inside):
                inside = ""
        elif inside and line.strip() and line[0] not in " \t" and not _RECORD.match(line):
            match = _LABEL.fullmatch(line.rstrip())
            below = next((after for after in lines[index + 1 : index + 3] if after.strip()), "")
            if match is None or below.lstrip()[:1] not in {"-", "*"}:
                continue
            marked = match[1] or line.rstrip()[-1] in {":", "："}
            if below[0] in {" ", "\t"} if line[:2] in {"- ", "* "} else marked:
                found[index] = f"{inside}# {match[2]}"
    return found


def _apply_dates(entries: list[Entry], day: str, bare: set[int]) -> None:
    moments: dict[tuple[str, ...], tuple[str, float | None]] = {}
    for entry in entries:
        if entry.created is not None:
            continue
        heading = (*entry.heading, entry.text) if id(entry) in bare else entry.heading
        found = moments.get(heading)
        if found is None:
            found = moments[heading] = _find_heading_hour(heading, day)
        entry.created = found[1]
        first = entry.text[:1]
        if (first.isdigit() or first in {"[", "*"}) and id(entry) not in bare:
            match = _HOUR.match(entry.text)
            own = clock.parse(f"{found[0]}T{find_time_of_day(match[1])}") if match and found[0] else None
            if match and own is not None and match.end() < len(entry.text):
                entry.created = own
                entry.text = entry.text[match.end() :]


def _find_heading_hour(heading: tuple[str, ...], day: str) -> tuple[str, float | None]:
    """The day and the moment that the headings give, the innermost that names one deciding."""
    hour = ""
    for part in reversed(heading):
        hour = hour or (find_time_of_day(part) if ":" in part else "")
        written = find_day(part) if "20" in part or "19" in part else ""
        if written:
            day = written
            break
    if not day:
        return "", None
    return day, clock.parse(f"{day}T{hour}" if hour else day)


def _apply_hour_headings(entries: list[Entry], kind: str) -> None:
    """Give the entries below a heading by the hour its project, session and tags."""
    sessions: dict[tuple[str, ...], str] = {}
    tags: dict[tuple[str, ...], tuple[str, ...]] = {}
    projects: dict[tuple[str, ...], tuple[str, bool]] = {}
    for entry in entries:
        heading = entry.heading
        if entry.links and not entry.session:
            match = next(filter(None, map(_SESSION.search, entry.links)), None)
            if match:
                entry.session = sessions[heading] = match[1]
        if heading and heading[-1].lower() in _TAGS:
            words = entry.text.replace("，", ",").replace("、", ",").replace("#", ",").split(",")
            entry.tags = tuple(dict.fromkeys((*(word.strip(" \n`") for word in words if word.strip()), *entry.tags)))
            tags[heading[:-1]] = (*tags.get(heading[:-1], ()), *entry.tags)
    for entry in entries:
        heading = entry.heading
        if not heading:
            continue
        if heading not in projects:
            projects[heading] = _find_heading_project(heading)
        project, summary = projects[heading]
        if project:
            entry.extra = {"project": project, **entry.extra}
        if summary and entry.kind == kind:
            entry.kind = "summary"
        if sessions and not entry.session:
            entry.session = sessions.get(heading, "")
        for length in range(1, len(heading) if tags else 0):
            entry.tags = tuple(dict.fromkeys((*entry.tags, *tags.get(heading[:length], ()))))


def _find_heading_project(heading: tuple[str, ...]) -> tuple[str, bool]:
    for part in reversed(heading):
        match = _BEFORE_SUMMARY.search(part[:300]) if "[" in part or "【" in part else None
        if match:
            return match[1], True
        match = _PROJECT.search(part[:300]) if ":" in part or "：" in part else None
        if match:
            return match[1], False
    return "", False


def _merge_summary_fields(entries: list[Entry], reading: MarkdownReading, kind: str) -> list[Entry]:
    """A daily summary's fields become one entry at its head; what stands below keeps its own kind or is a summary."""
    found: list[Entry] = []
    head: Entry | None = None
    named_by: dict[tuple[str, ...], str] = {}
    for entry in entries:
        names = (*entry.heading, entry.text) if id(entry) in reading.bare else entry.heading
        if names not in named_by:
            named_by[names] = next((part for part in names if part.lower().startswith(_SUMMARY)), "")
        name = named_by[names]
        if name and _RECORD.match(reading.lines[entry.start - 1]):
            # Whatever is appended after a summary stands below it, and is no part of it.
            entry.heading = entry.heading[: entry.heading.index(name)]
            name = ""
        if not name:
            head = None
            found.append(entry)
            continue
        if entry.kind == kind:
            says = _SAYS.match(entry.text)
            named = kinds.match_exact_kind(says[1]) if says else ""
            # What was done is what a summary is about.
            entry.kind = named if named not in {"", "event"} else "summary"
        match = _FIELD.fullmatch(entry.text) if len(entry.heading) == names.index(name) + 1 else None
        if head is None or (match and match[1] == "date"):
            head = _build_summary_head(entry, names, name, reading.lines)
            found.append(head)
        if id(entry) in reading.bare:
            continue
        if match is None:
            found.append(entry)
            continue
        head.end = max(head.end, entry.end)
        head.extra = {**head.extra, match[1]: match[2]}
        if match[1] == "generated_at":
            head.created = clock.parse(match[2]) or head.created
        elif match[1] == "source_runs":
            head.source = match[2]
        else:
            head.title = head.text = f"{name} · {match[2]}"
    return found


def _build_summary_head(entry: Entry, names: tuple[str, ...], name: str, lines: list[str]) -> Entry:
    above = tuple(names[: names.index(name)])
    start = entry.start
    for line in range(entry.start, max(0, entry.start - 8), -1):
        if name in lines[line - 1] and lines[line - 1].lstrip().startswith("#"):
            start = line
            break
    return Entry(name, start, max(start, entry.start - 1), "summary", heading=above, title=name, created=entry.created)


_ROLE = Role(Layer.JOURNAL, "note", "journal")


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """One line; the text's own line ends become blanks."""
    moment = clock.format_utc(now)
    text = " ".join(" ".join(escape_item_text(draft.text)).split())
    parts = [
        f"- {moment} [{normalize_kind(draft.kind)}] {text}",
        *(f"#{tag}" for tag in clean_tags(draft.tags)),
    ]
    if draft.expires is not None:
        parts.append(f"(expires: {format_item_expiry(draft.expires)})")
    if source := clean_source_label(draft.source):
        parts.append(f"(source={source})")
    return AppendRecord(" ".join(parts))


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """The line at the file's end; a last line without a line end gets one first."""
    return append_at_end(data, record(draft, now, path), path)


def append_at_end(data: bytes, new: AppendRecord, path: str) -> Added:
    """A record as pieces at the end of a file."""
    lines = Lines(data, path)
    at = len(data)
    text = (new.header if not lines.text else "") + new.text
    written = lines.encoded(f"{text}\n" if lines.ended else f"\n{text}")
    return Added((Piece(at, at, written),), new.key)
