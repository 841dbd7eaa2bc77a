"""JSON values and records of no particular dialect as entries; any JSON file.

First single values as the types of `Entry`: hostile or odd values become empty, never errors. Then
`build_record_entry`: the likeliest text field is the text, the usual names give the rest. Then `parse`: of an
array an entry an item, of an object an entry a key, of a list of objects under a key an entry an item.
"""

from __future__ import annotations

import json
import math
import os
from functools import lru_cache

from memtui.core import clock
from memtui.core.model import ASIDE, Entry, Parsed, Status
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats.dates import extend_to_day_end, find_path_day, normalize_leading_date
from memtui.formats.json_spans import BrokenJsonError, Decoder, JsonItem, JsonReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.formats import Source

LONGEST = 64 * 1024
"""Most characters of one value that are shown; the file itself keeps the rest."""

_YEAR_10000 = 253402300800


def format_json_value(value: Any) -> str:
    """Any JSON value as a person reads it: text as it is, lists joined by commas, objects as compact JSON."""
    if isinstance(value, str):
        return value if value.isascii() else _whole(value)
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, (str, int, float)) for item in value):
        return ", ".join(format_json_value(item) for item in value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    try:
        return _whole(json.dumps(value, ensure_ascii=False, default=str))
    except (ValueError, RecursionError, TypeError):
        return "(nested too deep to show)"


def _whole(text: str) -> str:
    """Lone surrogates, which no file and no database can hold, become question marks."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def shorten_value(value: Any, most: int = LONGEST) -> str:
    """The value as text of bounded length; a cut says how much was left out."""
    text = (value if type(value) is str and value.isascii() else format_json_value(value)).strip()
    if "\0" in text:
        # JSON can spell a NUL, at which databases and terminals end a text.
        text = text.replace("\0", "\ufffd")
    if len(text) <= most:
        return text
    return f"{text[:most]}… (+{len(text) - most:,} characters)"


def fit_line(value: Any, most: int = 200) -> str:
    """The value on one line, shortened with an ellipsis: for titles and one-line summaries."""
    if type(value) is str and len(value) <= most and value.isascii() and value.isprintable():
        return value.strip()
    text = " ".join(format_json_value(value)[: most * 4].split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def parse_number(value: Any) -> float | None:
    """A finite number, or one written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def parse_moment(value: Any) -> float | None:
    """A time as seconds since the epoch: ISO 8601 (naive is local), or seconds or milliseconds as a number."""
    if value is None:
        return None
    if isinstance(value, str):
        if len(value) == 10:
            found = _day(value, os.environ.get("MEMTUI_TZ", ""))
        else:
            found = clock.parse(value) if value else None
        if found is None and ("/" in value or "年" in value):
            found = clock.parse(normalize_leading_date(value))
        if found is not None or not value.strip().replace(".", "", 1).isdigit():
            return found
    seconds = parse_number(value)
    if seconds is None or seconds <= 0:
        return None
    if seconds > 1e11:
        seconds /= 1000
    return seconds if seconds < _YEAR_10000 else None


def parse_end_moment(value: Any) -> float | None:
    """When something ends, as `parse_moment` reads it; a day without a time holds until its last second."""
    return extend_to_day_end(value, parse_moment(value))


@lru_cache(maxsize=4096)
def _day(text: str, _zone: str) -> float | None:
    """Dates repeat by the thousand and local midnights are dear; the zone is part of the key."""
    return clock.parse(text)


def parse_word_list(value: Any) -> tuple[str, ...]:
    """Tags or entities: a list, a JSON list written as text, or words separated by commas."""
    if not value:
        return ()
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, (list, tuple)):
        value = [value]
    found = dict.fromkeys([fit_line(item, 120) for item in value[:256]])
    found.pop("", None)
    return tuple(found)


def _listed(text: str) -> Any:
    text = text.strip()
    if text.startswith("["):
        decoded = decode_nested_json(text)
        if isinstance(decoded, list):
            return decoded
    return text.replace("，", ",").replace("、", ",").split(",")


def decode_nested_json(text: Any) -> Any:
    """JSON kept as text in another record (a database column, a tool's arguments); None where it is none."""
    if not isinstance(text, str) or not text or len(text) > 4 * 1024 * 1024:
        return None
    try:
        return Decoder(strict=False).decode(text.strip(), 0)[0]
    except BrokenJsonError:
        return None


def find_first_text(record: Mapping[str, Any], *names: str) -> str:
    """The first of these keys whose value is text with something in it."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value and not value.isspace():
            return shorten_value(value)
    return ""


def build_search_text(text: str, *more: str | Iterable[str]) -> str:
    """What to index of a record: its text, then whatever else a person may look for, each on a line."""
    return "\n".join([text, *[item if isinstance(item, str) else " ".join(item) for item in more if item]])


def collect_unknown_fields(record: Mapping[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """The keys that no field of an entry took, as they stand."""
    return {key: value for key, value in record.items() if key not in taken}


TEXTS = ("content", "fact", "text", "summary", "message", "description", "value", "body", "note", "rule")
TITLES = ("title", "topic", "name", "goal", "subject")
CREATED = (
    "timestamp",
    "ts",
    "created_at",
    "createdAt",
    "created",
    "time",
    "date",
    "started_at",
    "last_generation_at",
)
UPDATED = ("updated_at", "updatedAt", "updated", "modified")

_TAKEN = frozenset({"tags", "entities", "confidence", "importance", "importance_score", "expires_at", "evidence"})

_STATUSES = {status.value: status for status in Status if status not in ASIDE} | {
    "pending": Status.CANDIDATE,
    "outdated": Status.SUPERSEDED,
}


_RECORD_READ = (
    ("created", "timestamp"), ("created", "created_at"), ("updated", "updated_at"), ("expires", "expires_at"),
    ("confidence", "confidence"), ("importance", "importance"), ("importance", "importance_score"),
)  # fmt: skip


def normalize_field_names(record: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """The record with the names that we know as we spell them: 'Fact' and 'ID' mean what 'fact' and 'id' do."""
    known = {name.lower(): name for name in names}
    found = {known.get(key.lower(), key): value for key, value in record.items() if key not in names}
    return {**found, **{key: value for key, value in record.items() if key in names}}


def collect_unread_fields(made: Entry, record: Mapping[str, Any]) -> dict[str, Any]:
    """What stands under a name that we know and could not be understood: it is shown as it stands."""
    return {
        name: record[name]
        for field, name in _RECORD_READ
        if getattr(made, field) is None and record.get(name) not in (None, "")
    }


def parse_status_value(value: Any) -> Status | None:
    """The status a record names, in any case; None where it names none that we know."""
    return _STATUSES.get(value.strip().lower()) if isinstance(value, str) else None


def derive_record_status(record: Mapping[str, Any]) -> Status:
    """The status of a record: what it says, else what its other keys say of it."""
    named = parse_status_value(record.get("status"))
    if record.get("deleted_at") and named not in {Status.SUPERSEDED, Status.ARCHIVED}:
        return Status.DELETED
    return named or (Status.SUPERSEDED if find_successor(record) else Status.ACTIVE)


def find_successor(record: Mapping[str, Any]) -> str:
    """What replaced it: `supersededBy` or `superseded_by`, a list's first."""
    value = record.get("supersededBy") or record.get("superseded_by")
    if isinstance(value, list):
        value = value[0] if value else ""
    return fit_line(value, 200) if value else ""


def derive_path_session(path: str) -> str:
    """The session that a file of records belongs to, by its place; empty: its place names none.

    HelloAGENTS keeps sessions/<workspace>/<session>/…, OpenAkita conversation_history/<session>.jsonl.
    """
    *folders, name = path.split("/")
    if folders[-1:] == ["conversation_history"]:
        return name.rpartition(".")[0]
    below = folders[folders.index("sessions") + 1 :] if "sessions" in folders else []
    return below[1] if len(below) > 1 else ""


def extract_message_text(value: Any) -> str:
    """The words of a message: a text, or the text blocks of a list or of an object with `content`."""
    if isinstance(value, dict):
        value = value.get("content", value.get("text"))
    if isinstance(value, list):
        blocks = (
            extract_message_text(block) if isinstance(block, dict) else format_json_value(block) for block in value[:64]
        )
        value = "\n".join(block for block in blocks if block)
    return shorten_value(value) if isinstance(value, str) else ""


def build_record_entry(record: Mapping[str, Any], start: int, end: int, kind: str) -> Entry | None:
    """An entry made of any object; None for one with nothing in it."""
    if not record:
        return None
    text, taken = _text(record)
    title = find_first_text(record, *TITLES)
    created = next((name for name in CREATED if parse_moment(record.get(name)) is not None), "")
    updated = next((name for name in UPDATED if parse_moment(record.get(name)) is not None), "")
    tags, entities = parse_word_list(record.get("tags")), parse_word_list(record.get("entities"))
    role = record.get("role")
    if isinstance(role, str) and role and taken:
        text = f"{fit_line(role, 20)}: {text}"
    made = Entry(
        text=text,
        start=start,
        end=end,
        kind=kind,
        status=derive_record_status(record),
        title=fit_line(title) if title != text else "",
        created=parse_moment(record.get(created)),
        updated=parse_moment(record.get(updated)),
        expires=parse_end_moment(record.get("expires_at")),
        confidence=parse_number(record.get("confidence")),
        importance=parse_number(record.get("importance_score", record.get("importance"))),
        tags=tags,
        entities=entities,
        session=find_first_text(record, "session_id", "sessionId", "session"),
        evidence=find_first_text(record, "evidence"),
        key=fit_line(record.get("id", "")),
        superseded_by=find_successor(record),
        search=build_search_text(text, title if title != text else "", tags, entities),
        extra=collect_unknown_fields(record, _TAKEN | {taken, created, updated, "id", "session_id", "sessionId"}),
    )
    made.extra = {**made.extra, **collect_unread_fields(made, record)}
    return made


def _text(record: Mapping[str, Any]) -> tuple[str, str]:
    """The text of a record and the key it came from; with no likely key, all of them on one line."""
    for name in TEXTS:
        text = extract_message_text(record.get(name))
        if text:
            return text, name
    title = find_first_text(record, *TITLES)
    if title:
        return title, ""
    return shorten_value(
        "; ".join(f"{fit_line(key)}: {fit_line(value)}" for key, value in list(record.items())[:64])
    ), ""


_READ = 2000
_SENTENCE = compile_pattern(r"[^\W\d_]{2,}[,;:]?[ \t]+[^\W\d_]{2,}|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]{4}")
"""Two words after each other, or as much in a script without blanks."""
_CREATED = ("timestamp", "ts", "created_at", "createdAt", "created", "date")


def parse(source: Source) -> Parsed:
    """Entries with exact lines; what is broken becomes Problems, and what stands around it still shows."""
    reader = JsonReader(source.text, source.path)
    kind = source.role.kind
    entries: list[Entry | None] = []
    char = reader.peek()
    if char == "[":
        entries += [_item(item, kind, ()) for item in reader.items()]
    elif char == "{":
        for key in reader.members():
            if reader.peek() == "[":
                entries += _list(key, list(reader.items()), kind)
            else:
                item = reader.value()
                if item is not None:
                    entries.append(_member(key, item, kind))
    elif char:
        item = reader.value()
        if item is not None:
            entries.append(_item(item, kind, ()))
    reader.end()
    if source.cut:
        reader.fault(source.describe_cut(), 0)
    made = [found for found in entries if found is not None]
    report = char == "{" and _reports(made)
    if char == "{":
        made = _dated(made)
    session = derive_path_session(source.path)
    day = parse_moment(find_path_day(source.path))
    for found in made:
        found.session = found.session or session
        if found.created is None and found.updated is None:
            found.created = day
        if found.status is Status.ACTIVE and (report or not _speaks(found)):
            found.status = Status.STATE
    return Parsed(source.text, made, reader.problems)


def _reports(entries: list[Entry]) -> bool:
    """Whether a document is what a program says of one run: its moments and its counts."""
    keys = {entry.key for entry in entries}
    if len(keys & _RUN) > 1:
        return True
    counted = sum(isinstance(entry.extra.get(entry.key), int | float) for entry in entries)
    return counted >= _COUNTS and counted * 2 >= len(entries) and not keys.isdisjoint((*_CREATED, *UPDATED, *_RUN))


_RUN = frozenset({
    "exit_code", "exitCode", "exitcode", "duration", "duration_ms", "durationMs", "elapsed", "started_at", "startedAt",
    "finished_at", "finishedAt", "start_time", "end_time", "run_id", "runId", "last_run", "lastRun",
})  # fmt: skip
_COUNTS = 3


def _speaks(entry: Entry) -> bool:
    """Whether it says anything to a person: numbers, marks, names and moments are what a program keeps for itself."""
    said = entry.text.partition(": ")[2] if entry.key and entry.text.startswith(f"{entry.key}: ") else entry.text
    return _SENTENCE.search(said[:_READ]) is not None


def _dated(entries: list[Entry]) -> list[Entry]:
    """A document's own times date what stands beside them, and are no entries themselves."""
    times = {entry.key: entry for entry in entries if entry.created is not None and entry.extra.keys() == {entry.key}}
    created = next((times[name].created for name in _CREATED if name in times), None)
    updated = next((times[name].created for name in UPDATED if name in times), None)
    named = [entry for entry in entries if entry.key in times and entry.key in {*_CREATED, *UPDATED}]
    others = [entry for entry in entries if entry not in named]
    if not others:
        return entries
    for other in others:
        if other.created is None and other.updated is None:
            other.created, other.updated = created, updated
    return others


def _list(key: str, items: list[JsonItem], kind: str) -> list[Entry | None]:
    """The list under a key: objects are entries of their own, words and numbers one entry together."""
    if any(isinstance(item.value, dict) for item in items):
        return [_item(item, kind, (fit_line(key),)) for item in items]
    if not items:
        return []
    whole = JsonItem([item.value for item in items], items[0].start, items[-1].end)
    return [_member(key, whole, kind)]


def _item(item: JsonItem, kind: str, heading: tuple[str, ...]) -> Entry | None:
    if isinstance(item.value, dict):
        found = build_record_entry(item.value, item.start, item.end, kind)
        if found is not None:
            found.heading = heading
        return found
    text = shorten_value(item.value)
    return Entry(text, item.start, item.end, kind, heading=heading, search=text) if text else None


def _member(key: str, item: JsonItem, kind: str) -> Entry | None:
    """`key: value` as one entry; keys with nothing in them are left out."""
    if isinstance(item.value, dict):
        found = build_record_entry(item.value, item.start, item.end, kind)
        if found is not None:
            found.title = found.title or fit_line(key)
            found.key = found.key or fit_line(key)
            found.search = build_search_text(found.search or "", fit_line(key))
        return found
    if item.value is None or item.value in ("", []):
        return None
    text = f"{fit_line(key)}: {shorten_value(item.value)}"
    return Entry(
        text,
        item.start,
        item.end,
        kind,
        key=fit_line(key),
        created=parse_moment(item.value) if isinstance(item.value, str) else None,
        search=text,
        extra={key: item.value},
    )
