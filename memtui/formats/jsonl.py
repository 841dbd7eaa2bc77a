"""JSON Lines, one record a line, whatever happened to the file; and spec 002's logs, which are written in it.

`Stream` reads from any place of an open file. `iterate_records` yields every whole record and counts the rest
as faults: a writer that died leaves a torn line to which the next one appends, two writers weld two records
into one line, a power loss leaves a run of NUL bytes (reliability T19, T21, T22). `parse` takes any record.

`parse_events`: references, outcomes and capabilities of evolution, `{"timestamp", "event_type": "ref" | …}` as
the specification has them and `{"ts", "type": "ExperienceReferenced" | …}` as scripts write them. Unknown
events show as they are.
"""

from __future__ import annotations

import re

from memtui.core.model import Entry, Layer, Parsed, Problem
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats.json_spans import BrokenJsonError, Decoder, shorten_member_name
from memtui.formats.records import (
    build_record_entry,
    build_search_text,
    collect_unknown_fields,
    derive_path_session,
    find_first_text,
    fit_line,
    parse_moment,
    parse_number,
    shorten_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from memtui.formats import Source

STREAM_LONGEST_LINE = 16 * 1024 * 1024
"""Lines beyond that (pictures, whole files) are counted as skipped: one line must not fill the memory."""


class Stream:
    """One reading of an open file. `start` and `end` are the bytes of the record that came last."""

    def __init__(
        self,
        file: BinaryIO,
        limit: int | None = None,
        *,
        offset: int = 0,
        line: int = 1,
        growing: bool = False,
    ) -> None:
        """`line` is the number of the one at `offset`. `growing`: a last line that is torn is still being written."""
        self._file = file
        self._limit = limit
        self._growing = growing
        self.start = self.end = offset
        self.line = line
        """The number of the line at `end`."""
        self.skipped = 0
        """Lines that were truncated, malformed or no objects."""
        self.truncated = False

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Line numbers and objects."""
        decoder = Decoder(strict=False)
        done = 0
        self._file.seek(self.end)
        while raw := self._file.readline(STREAM_LONGEST_LINE):
            size = len(raw)
            last = raw[-1:]
            whole = size < STREAM_LONGEST_LINE or last == b"\n"
            while last != b"\n" and size >= STREAM_LONGEST_LINE and (more := self._file.readline(1 << 20)):
                size += len(more)
                last = more[-1:]
            done += size
            if self._limit is not None and done > self._limit:
                self.truncated = True
                return
            record = self._record(decoder, raw) if whole else None
            if record is None and self._growing and last != b"\n":
                return
            number = self.line
            self.start, self.end = self.end, self.end + size
            self.line += last == b"\n"
            if record:
                yield number, record
            elif record is None:
                self.skipped += 1

    def _record(self, decoder: Decoder, raw: bytes) -> dict[str, Any] | None:
        """The object on a line; an empty one for a line with nothing on it, None for one that is broken."""
        text = raw.decode("utf-8", "replace").strip(" \t\r\n\0\ufeff")
        if not text:
            return None if b"\0" in raw else {}
        try:
            record, _ = decoder.decode(text, 0)
        except BrokenJsonError:
            record = None
        decoder.twice.clear()
        return record if isinstance(record, dict) else None


LONGEST_LINE = 1024 * 1024
MOST_PROBLEMS = 100
"""Reported one by one; a file with more faults than that gets one last line that counts them."""

_NULS = compile_pattern("\0+")
_RECORD = compile_pattern(r'\{\s*"')
_MARKS = frozenset({"id", "type", "ts", "timestamp", "content", "session_id", "event_type"})


class RecordFaults(list[Problem]):
    """The problems of one file, bounded: a file of garbage is reported as such, not line by line."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.more = 0

    def add(self, line: int, reason: str) -> None:
        """Note a fault on a line, or only count it after the first hundred."""
        if len(self) < MOST_PROBLEMS:
            self.append(Problem(self.path, line, reason))
        else:
            self.more += 1

    def close(self) -> list[Problem]:
        """All of them, with the count of those that were not listed."""
        if self.more:
            self.append(Problem(self.path, 0, f"{self.more:,} more lines could not be read"))
            self.more = 0
        return self


def iterate_records(source: Source, faults: RecordFaults) -> Iterator[tuple[int, Any]]:
    """Every record that can be read, with its line; what cannot goes to `faults`."""
    decoder = Decoder(strict=False)
    lines = source.lines
    last = len(lines) if source.cut and not source.data.endswith(b"\n") else 0
    for number, text in enumerate(lines, 1):
        if number == last:
            break
        if not text or text.isspace():
            continue
        if len(text) > LONGEST_LINE:
            faults.add(number, f"a line of {len(text):,} characters: too long to read")
            continue
        try:
            value, end = decoder.decode(text, len(text) - len(text.lstrip()) if text[0].isspace() else 0)
        except BrokenJsonError as fault:
            for found in _salvaged(decoder, text, number, fault, faults):
                yield number, found
            continue
        if decoder.twice:
            faults.add(
                number,
                f"“{shorten_member_name(decoder.twice[0])}” stands twice in one record: the last one is shown",
            )
            decoder.twice.clear()
        yield number, value
        if end < len(text) and not text[end:].isspace():
            for found in _welded(decoder, text[end:], number, faults):
                yield number, found
    if source.cut:
        faults.add(0, source.describe_cut())


def _welded(decoder: Decoder, tail: str, number: int, faults: RecordFaults) -> list[Any]:
    """What follows a whole record on its line: another record, NUL bytes, or rubbish."""
    found: list[Any] = []
    nuls = tail.count("\0")
    if nuls:
        faults.add(number, f"{nuls:,} NUL bytes in the line")
    for part in _NULS.split(tail):
        text = part.strip(" \t\r,")
        at = 0
        while at < len(text):
            try:
                value, end = decoder.decode(text, at)
            except BrokenJsonError as fault:
                found += _salvaged(decoder, text[at:], number, fault, faults)
                break
            found.append(value)
            while end < len(text) and text[end] in " \t\r":
                end += 1
            at = end
    if found and not nuls:
        faults.add(number, "several records on one line")
    decoder.twice.clear()
    return found


def _salvaged(decoder: Decoder, text: str, number: int, fault: BrokenJsonError, faults: RecordFaults) -> list[Any]:
    """A broken line: what was appended to a torn record, and what stands between NUL bytes, is still whole."""
    decoder.twice.clear()
    if "\0" in text:
        faults.add(number, f"{text.count(chr(0)):,} NUL bytes in the line")
        found: list[Any] = []
        for part in _NULS.split(text):
            if part.strip():
                found += _parts(decoder, part.strip(), number, faults)
        return found
    faults.add(number, fault.reason)
    return _after_torn(decoder, text)


def _parts(decoder: Decoder, text: str, number: int, faults: RecordFaults) -> list[Any]:
    try:
        value, end = decoder.decode(text, 0)
    except BrokenJsonError as fault:
        faults.add(number, fault.reason)
        return _after_torn(decoder, text)
    return [value, *(_welded(decoder, text[end:], number, faults) if text[end:].strip() else [])]


def _after_torn(decoder: Decoder, text: str) -> list[Any]:
    """The record that was appended to a torn one: it reaches the end of the line and looks like a record."""
    head = re.match(r'\{\s*"(\w+)"\s*:', text)
    for tried, match in enumerate(_RECORD.finditer(text, 1)):
        if tried == 64:
            break
        try:
            value, end = decoder.decode(text, match.start())
        except BrokenJsonError:
            continue
        finally:
            decoder.twice.clear()
        if text[end:].strip() or not isinstance(value, dict):
            continue
        same = head is not None and next(iter(value), None) == head.group(1)
        if same or len(_MARKS & value.keys()) >= 2:
            return [value]
    return []


def parse(source: Source) -> Parsed:
    """Any JSONL: an entry a record, its best text field as the text, every other key in `extra`."""
    faults = RecordFaults(source.path)
    entries: list[Entry] = []
    session = derive_path_session(source.path)
    for number, value in iterate_records(source, faults):
        if isinstance(value, dict):
            found = build_record_entry(value, number, number, source.role.kind)
        else:
            text = shorten_value(value)
            found = Entry(text, number, number, source.role.kind, search=text) if text else None
        if found is not None:
            found.session = found.session or session
            entries.append(found)
    return Parsed(source.text, entries, faults.close())


_TIMES = ("ts", "timestamp", "at", "created_at")
_TAKEN = frozenset({"ts", "timestamp", "session_id"})
_SHOWN = frozenset({*_TIMES, "type", "event_type", "event", "session_id", "experience_id"})


def parse_events(source: Source) -> Parsed:
    """An entry an event, in one readable line, with all of its fields in `extra`."""
    faults = RecordFaults(source.path)
    entries: list[Entry] = []
    for number_, record in iterate_records(source, faults):
        if isinstance(record, dict) and record:
            entries.append(parse_event_record(record, number_))
        else:
            faults.add(number_, "not an event: no object with something in it")
    return Parsed(source.text, entries, faults.close())


def parse_event_record(record: dict[str, Any], number_: int) -> Entry:
    """One event. `key` is the capability's own id, else empty; experiences are entities, as many events name one."""
    name = find_first_text(record, "event_type", "event") or find_first_text(record, "type")
    kind, text = _told(name, record)
    session = fit_line(record.get("session_id", ""))
    experience = fit_line(record.get("experience_id", ""))
    context = find_first_text(record, "context", "trigger", "description", "error", "reason")
    return Entry(
        text=text,
        start=number_,
        end=number_,
        kind=kind,
        layer=Layer.EVOLUTION,
        created=next((found for key in _TIMES if (found := parse_moment(record.get(key))) is not None), None),
        confidence=parse_number(record.get("confidence")),
        entities=(experience,) if experience else (),
        session=session,
        source=find_first_text(record, "source_file", "output_path"),
        key=fit_line(record.get("id", "")),
        search=build_search_text(text, experience, session, context),
        extra=collect_unknown_fields(record, _TAKEN),
    )


def _told(name: str, record: dict[str, Any]) -> tuple[str, str]:
    """The kind of an event and its one line."""
    low = name.lower()
    session = fit_line(record.get("session_id", ""))
    experience = fit_line(record.get("experience_id", ""))
    where = f" in {session}" if session else ""
    if low in {"ref", "experiencereferenced"}:
        context = find_first_text(record, "context")
        return "event", f"ref {experience or '?'}{where}" + (f": {fit_line(context)}" if context else "")
    if low in {"outcome", "sessionoutcome"}:
        return "outcome", _outcome(record, session)
    if low == "experienceregistered":
        source = find_first_text(record, "source_file")
        return "event", f"registered {experience or '?'}" + (f" from {source}" if source else "")
    if low.startswith("capability") or low == "generation" or "capability_name" in record:
        return "capability", _capability(name, record)
    if low == "signals" and isinstance(record.get("signals"), list):
        return "event", f"signals{where}: {_signals(record['signals'])}"
    what = experience if low == "verdict" else fit_line(record.get("pattern", "")) if low == "pattern" else ""
    said = find_first_text(record, "verdict") if low == "verdict" else find_first_text(record, "status")
    if what and said:
        return "event", f"{low} {what}: {said}{_why(record)}"
    if name and (words := find_first_text(record, "text")):
        # What was approved says more than how it was filed.
        return _kind(low), f"{fit_line(name)}: {fit_line(words, 2000)}"
    shown = "; ".join(f"{fit_line(key)}: {fit_line(value)}" for key, value in record.items() if key not in _SHOWN)
    text = " ".join(part for part in (fit_line(name), experience) if part) + where
    return _kind(low), (f"{text}: {shown}" if shown and text else text or shown)[:2000] or "event"


def _kind(name: str) -> str:
    for kind in ("decision", "outcome", "signal"):
        if kind in name:
            return kind
    return "event"


def _outcome(record: dict[str, Any], session: str) -> str:
    parts = [find_first_text(record, "outcome", "status", "outcome_status") or "unknown"]
    score = parse_number(record.get("score"))
    if score is not None:
        parts.append(f"score {score:g}")
    for key, word in (("corrections", "correction"), ("user_corrections", "correction")):
        count = parse_number(record.get(key))
        if count:
            parts.append(f"{count:g} {word}{'' if count == 1 else 's'}")
    if record.get("has_errors") not in (None, 0, False, "", "0"):
        parts.append("with errors")
    return f"outcome of {session or 'a session'}: {', '.join(parts)}"


def _signals(listed: list[Any]) -> str:
    """What was heard in a session: each type with what it is about."""
    heard = (one for one in listed if isinstance(one, dict) and find_first_text(one, "type"))
    told = dict.fromkeys(
        f"{fit_line(one['type'])} ({about})" if (about := find_first_text(one, "about")) else fit_line(one["type"])
        for one in heard
    )
    return ", ".join(told)[:2000] or "none"


def _why(record: dict[str, Any]) -> str:
    who, reason = find_first_text(record, "who"), find_first_text(record, "reason")
    return (f", says {fit_line(who)}" if who else "") + (f": {fit_line(reason)}" if reason else "")


def _capability(name: str, record: dict[str, Any]) -> str:
    what = find_first_text(record, "capability_name", "name") or fit_line(record.get("id", "")) or "?"
    failed = "fail" in name.lower() or find_first_text(record, "status").lower() == "failed"
    gone = "remov" in name.lower()
    kind = find_first_text(record, "type") if find_first_text(record, "event_type") else ""
    trigger = find_first_text(record, "trigger", "description")
    pattern = record.get("pattern_id")
    text = f"capability {what} {'failed' if failed else 'removed' if gone else 'generated'}"
    if gone:
        return text
    if kind:
        text += f" as {fit_line(kind)}"
    if trigger:
        text += f" for {fit_line(trigger)}"
    elif pattern not in (None, ""):
        text += f" from pattern {fit_line(pattern)}"
    return text
