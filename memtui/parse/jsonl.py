"""JSON Lines: one record a line, whatever happened to the file. Torn, welded and NUL-ridden lines are survived.

A writer that died leaves a torn line and the next one appends to it; two writers weld two records into one line;
a power loss leaves a run of NUL bytes. Every record that is whole is read (reliability T19, T21, T22).
"""

from __future__ import annotations

import re

from memtui.model import Entry, Parsed, Problem
from memtui.parse.fields import short
from memtui.parse.json_reader import BrokenJsonError, Decoder, shown
from memtui.parse.record import entry, session_of
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.parse.source import Source

LONGEST_LINE = 1024 * 1024
MOST_PROBLEMS = 100
"""Reported one by one; a file with more faults than that gets one last line that counts them."""

_NULS = pattern("\0+")
_RECORD = pattern(r'\{\s*"')
_MARKS = frozenset({"id", "type", "ts", "timestamp", "content", "session_id", "event_type"})


class Faults(list[Problem]):
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


def records(source: Source, faults: Faults) -> Iterator[tuple[int, Any]]:
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
                number, f"“{shown(decoder.twice[0])}” stands twice in one record: the last one is shown"
            )
            decoder.twice.clear()
        yield number, value
        if end < len(text) and not text[end:].isspace():
            for found in _welded(decoder, text[end:], number, faults):
                yield number, found
    if source.cut:
        faults.add(0, f"only the first {len(source.data):,} of {source.size:,} bytes were read")


def _welded(decoder: Decoder, tail: str, number: int, faults: Faults) -> list[Any]:
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


def _salvaged(decoder: Decoder, text: str, number: int, fault: BrokenJsonError, faults: Faults) -> list[Any]:
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


def _parts(decoder: Decoder, text: str, number: int, faults: Faults) -> list[Any]:
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
    faults = Faults(source.path)
    entries: list[Entry] = []
    session = session_of(source.path)
    for number, value in records(source, faults):
        if isinstance(value, dict):
            found = entry(value, number, number, source.role.kind)
        else:
            text = short(value)
            found = Entry(text, number, number, source.role.kind, search=text) if text else None
        if found is not None:
            found.session = found.session or session
            entries.append(found)
    return Parsed(source.text, entries, faults.close())
