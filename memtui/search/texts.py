"""What a hit shows of a memory, and the candidates' texts, read from the home's files.

`build_snippet` and `explain_match`: the line as it stands in the file, where the matches are in it, and why it
was found. `MemoryTexts`: lines of text files are cut out by the index's byte offsets, records of other files
are parsed. A file that is no longer as the index knew it is reported as changed instead, and the caller scans
it.
"""

from __future__ import annotations

import codecs
import os
import threading
from collections import OrderedDict
from contextlib import suppress
from zlib import crc32

from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.core.model import PROSE, WHOLE, Role
from memtui.core.startup import TYPE_CHECKING
from memtui.formats import Source, mask_text_secrets, parse, read_wide_lines
from memtui.fs.files import HomeReader, compute_etag
from memtui.layouts import load_layout
from memtui.safety.sanitize import needs_secret_scan
from memtui.search.terms import find_camel_parts, fold, fold_searchable, fold_with_offsets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

    from memtui.core.errors import StaleIndexError
    from memtui.core.model import Entry, Home, Parsed
    from memtui.index.queries import Index
    from memtui.search.candidate import SearchCandidate
    from memtui.search.query import Query
    from memtui.search.terms import Term
    from memtui.vectors.reader import Vectors

LONGEST = 240
"""Characters of a snippet (spec 001 §4.2)."""

_LEAD = 48
_NAMED = 6
_SCANNED = 20_000
_LINES = 5_000
_CONTROLS = dict.fromkeys([*range(9), *range(10, 32), *range(127, 160)], "\ufffd")

Marks = tuple[tuple[int, int], ...]


def build_snippet(query: Query, candidate: SearchCandidate) -> tuple[str, Marks]:
    """The line of the memory that matches best, at most 240 characters of it, and the matches' offsets in it."""
    text = candidate.raw
    if candidate.prose and candidate.own and len(candidate.body) == len(text) <= _SCANNED and "\n" not in text:
        # One line, and ranking has folded it and knows what it holds.
        held = [term for term, number in zip(query.terms, candidate.own, strict=True) if number]
        held = [term for term in held if term.fts and not term.faint] or held
        marks = _merge_spans([span for term in held for span in term.spans(candidate.body)])
        text = text.rstrip()
        return crop_line(text, marks)
    return build_text_snippet(query, candidate.raw)


def build_text_snippet(query: Query, raw: str) -> tuple[str, Marks]:
    """The line of any text that matches best, as `build_snippet` has it."""
    terms = [term for term in query.terms if term.fts and not term.faint] or query.terms
    text, marks = _choose_line(raw, terms, query.literal)
    if not marks:
        # Only single characters of a longer word are left to show.
        text, marks = _choose_line(raw, query.terms, query.literal)
    return crop_line(text, marks)


def crop_line(text: str, marks: list[tuple[int, int]]) -> tuple[str, Marks]:
    """At most 240 characters of a line around its matches, and where they stand in that."""
    text, inside = _cut(text, marks)
    # One for one, so that the marks stay true: a gap of NULs or an escape is no text for an agent to read.
    return text if text.isprintable() else text.translate(_CONTROLS), inside


def explain_match(query: Query, candidate: SearchCandidate) -> str:
    """For a person: which words matched in a ranked candidate, and where: '偏好, pytest · heading 偏好'."""
    named: list[str] = []
    above: list[str] = []
    headings = [(name, fold_searchable(name)) for name in candidate.heading.split("\x1f")] if candidate.above else []
    for term, number in zip(query.terms, candidate.own, strict=True):
        if not term.fts or (term.faint and named):
            continue
        if number and not any(term.label in known for known in named):
            named.append(term.label)
        above += [name for name, folded in headings if term.count(folded)]
    if query.literal:
        named.append(query.text)
    words = ", ".join(named[:_NAMED]) + ("…" if len(named) > _NAMED else "")
    if not above:
        return words
    places = [_("heading {name}").format(name=name.strip(" *")) for name in list(dict.fromkeys(above))[:2]]
    return " · ".join(part for part in (words, *places) if part)


def _choose_line(raw: str, terms: list[Term], literal: str) -> tuple[str, list[tuple[int, int]]]:
    lines = raw.split("\n", _LINES)[:_LINES] if "\n" in raw else [raw]
    best: list[tuple[int, int]] = []
    chosen = ""
    most = 0.0
    for line in lines:
        text = line[:_SCANNED].rstrip()
        if not chosen:
            chosen = text
        found, worth = _find_marks(text, terms, literal)
        if worth > most:
            chosen, best, most = text, found, worth
    return chosen, best


def _find_marks(text: str, terms: list[Term], literal: str) -> tuple[list[tuple[int, int]], float]:
    """Where the terms stand, merged; and how many different ones do, by weight."""
    folded, places = fold_with_offsets(text)
    found: list[tuple[int, int]] = []
    worth = 0.0
    for term in terms:
        spans = list(term.spans(folded))
        found += spans
        worth += (term.weight * len(term.pieces) + len(spans) / 100) if spans else 0.0
    if literal:
        at = folded.find(literal)
        if at >= 0:
            found.append((at, at + len(literal)))
            worth += 1
    if places is not None:
        found = [(places[start], places[end - 1] + 1) for start, end in found]
    for start, end in find_camel_parts(text) if not text.islower() else ():
        part = fold(text[start:end])
        if any(list(term.spans(part)) for term in terms if len(term.pieces) == 1):
            found.append((start, end))
            worth += 1
    return _merge_spans(found), worth


def _merge_spans(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _cut(text: str, marks: list[tuple[int, int]]) -> tuple[str, Marks]:
    """At most 240 characters around the place where most of the matches are, with '…' where something is left out."""
    if len(text) <= LONGEST:
        return text, tuple(marks)
    room = LONGEST - 2
    start = 0
    most = -1
    for first, (begin, _end) in enumerate(marks):
        held = sum(min(end, begin + room) - at for at, end in marks[first:] if at < begin + room)
        if held > most:
            most, start = held, begin
    start = max(0, min(start - _LEAD, len(text) - LONGEST + 1)) if start > _LEAD else 0
    before = "…" if start else ""
    end = start + LONGEST - len(before)
    after = ""
    if end < len(text):
        end, after = end - 1, "…"
    shift = len(before) - start
    inside = [(max(a, start) + shift, min(b, end) + shift) for a, b in marks if b > start and a < end]
    return before + text[start:end] + after, tuple(inside)


if TYPE_CHECKING:
    Turn = Callable[[SearchCandidate], int]
    Place = tuple[SearchCandidate, int | None, int | None, tuple[int, int], bytes | None]
    """A candidate, and where the index says that it stands: the bytes from and how many (None: its file must be
    parsed), the file's time of change (ns) and size, and the etag of its bytes, where no secret stands in them."""

KEPT_BYTES = 8 << 20
KEPT_PARSED = 64
KEPT_LETTERS = 16 << 20


class _File:
    """A file as it was last read, and the memories that were cut out of it."""

    __slots__ = ("cut", "data", "stamp", "veiled", "weight")

    def __init__(self, stamp: tuple[int, int], data: bytes = b"") -> None:
        self.stamp = stamp
        """Its time of change (ns) and its size."""
        self.data = data
        """As much of it as was read, from its beginning."""
        self.veiled: list[str] | None = None
        """Its lines with their secrets masked; empty: there are none, so its bytes are what is shown."""
        self.weight = len(data)
        """Bytes that all of this takes, about."""
        self.cut: dict[tuple[int | None, int | None], tuple[str, str, int, bool]] = {}
        """The memories by their bytes: what is shown, what is matched, the length of that, and whether it is prose."""


class MemoryTexts:
    """Reads one home's memories, remembering the files last read. For any thread; close it in the end."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._reader: HomeReader | None = None
        self._lock = threading.Lock()
        self._files: OrderedDict[str, _File] = OrderedDict()
        self._held = 0
        self._parsed: OrderedDict[str, tuple[tuple[int, int], Parsed]] = OrderedDict()
        self._letters = 0
        self._roles: dict[str, Role | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of directories and texts; reading again is allowed."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
            self._files.clear()
            self._parsed.clear()
            self._held = self._letters = 0

    def fill(self, places: Iterable[Place], turn: Turn) -> list[str]:
        """Give the candidates their texts. Answers the paths of files that changed or cannot be read any more.

        `turn` tells which of several records on the same lines a candidate is.
        """
        changed: dict[str, None] = {}
        seen: set[str] = set()
        with self._lock:
            root = f"{self._open_reader().root}/"
            for place in places:
                if place[0].path in changed:
                    continue
                try:
                    filled = self._fill_from_known(place, seen, root) or self._fill(place, turn)
                except (MemtuiError, OSError):
                    filled = False
                if not filled:
                    changed[place[0].path] = None
        return list(changed)

    def titled(self, candidate: SearchCandidate, turn: Turn) -> bool:
        """Add the title, which only the parsed file has, to the candidate's headings; False: it has none."""
        with self._lock:
            try:
                entries, _text = self._find_entries(candidate)
                number = turn(candidate) if len(entries) > 1 else 0
            except (MemtuiError, OSError):
                return False
        if number >= len(entries) or not entries[number].title:
            return False
        candidate.heading = f"{candidate.heading}\x1f{entries[number].title}"
        return True

    def checksum(self, path: str, stamp: tuple[int, int], places: list[tuple[int, int]]) -> int | None:
        """The CRC of the bytes at the first of these places, (start, size); None where any other of them holds the
        same, or the file is not as stamped (time of change in ns, size) any more."""
        with self._lock:
            try:
                file = self._read_bytes(path, max(start + size for start, size in places))
            except (MemtuiError, OSError):
                return None
        own, *others = (file.data[start : start + size] for start, size in places)
        return None if file.stamp != stamp or own in others else crc32(own)

    def role(self, path: str) -> Role | None:
        """What the file is in its home."""
        if path not in self._roles:
            if len(self._roles) > 50_000:
                self._roles.clear()
            self._roles[path] = load_layout(self.home.layout).role(self.home.path, path)
        return self._roles[path]

    def _fill_from_known(self, place: Place, seen: set[str], root: str) -> bool:
        """Give a text that was cut out before, if its file is still the same: looked at once, then it is `seen`."""
        candidate, start, size, stamp, _bare = place
        path = candidate.path
        file = self._files.get(path)
        if file is None or file.stamp != stamp:
            return False
        text = file.cut.get((start, size))
        if text is None:
            return False
        if path not in seen:
            # Nothing is read by this name, so it need not be walked to part by part.
            status = os.lstat(root + path)
            if stamp != (status.st_mtime_ns, status.st_size):
                return False
            seen.add(path)
        candidate.raw, candidate.body, candidate.length, candidate.prose = text
        return True

    def _fill(self, place: Place, turn: Turn) -> bool:
        candidate, start, size, stamp, bare = place
        path = candidate.path
        if start is not None and size is not None and path.endswith(PROSE):
            # All of a file that is known to hold no secret: that is told by the sum of its bytes.
            role = self.role(path) if bare is not None else None
            file = self._read_bytes(path, start + size if role is None else min(stamp[1], role.limit))
            if file.stamp != stamp:
                return False
            candidate.prose = True
            if file.veiled is None:
                # To look for secrets takes longer than all the rest.
                known = bare is not None and bytes.fromhex(compute_etag(file.data)) == bare
                file.veiled = [] if known else _mask_lines(file.data)
            if file.veiled:
                text = "\n".join(file.veiled[candidate.line - 1 : candidate.last])
            else:
                text = file.data[start : start + size].decode("utf-8", "surrogateescape")
            candidate.fill(text, None)
            candidate.trim()
            self._keep(place)
            return True
        role = self.role(path)
        if role is None or self._stamp(path, role) != stamp:
            return False
        found = self._record(path, start, size) if path.endswith(".jsonl") else None
        alone = found is not None
        if found is None:
            entries, text = self._find_entries(candidate)
            alone = len(entries) == 1
            number = 0 if alone else turn(candidate)
            if number >= len(entries):
                return False
            candidate.turn = number
            found = entries[number], text
        entry, text = found
        candidate.prose = entry.search is None
        if entry.search is None:
            candidate.fill("\n".join(text.split("\n")[entry.start - 1 : entry.end]), None)
        else:
            candidate.fill(entry.text, entry.search)
        candidate.trim()
        if alone and role.limit:
            self._keep(place)
        return True

    def _keep(self, place: Place) -> None:
        """Remember the text of a candidate that alone stands in its bytes."""
        candidate, start, size, stamp, _bare = place
        if start is None or candidate.cut:
            return
        file = self._files.get(candidate.path)
        if file is None or file.stamp != stamp:
            file = self._hold(candidate.path, _File(stamp))
        file.cut[start, size] = candidate.raw, candidate.body, candidate.length, candidate.prose
        weight = 2 * (len(candidate.raw) + len(candidate.body))
        file.weight += weight
        self._weigh(weight)

    def _record(self, path: str, start: int | None, size: int | None) -> tuple[Entry, str] | None:
        """One line of a JSONL file, parsed by itself: such a file may be long, and each line stands alone."""
        role = self.role(path)
        if role is None or start is None or size is None or role.limit < WHOLE:
            return None
        file = self._read_bytes(path, start + size)
        data = file.data[start : start + size]
        if b"\n" in data:
            return None
        parsed = parse(Source(path, role, data, modified=file.stamp[0] / 1e9, size=len(data), masked=True))
        return (parsed.entries[0], parsed.text) if len(parsed.entries) == 1 else None

    def _find_entries(self, candidate: SearchCandidate) -> tuple[list[Entry], str]:
        """The entries on a candidate's lines, and the text of its file."""
        parsed = self._parse_whole(candidate.path)
        if parsed is None:
            return [], ""
        lines = candidate.line, candidate.last
        return [entry for entry in parsed.entries if (entry.start, entry.end) == lines], parsed.text

    def _parse_whole(self, path: str) -> Parsed | None:
        role = self.role(path)
        if role is None:
            return None
        stamp = self._stamp(path, role)
        held = self._parsed.get(path)
        if held is not None:
            if held[0] == stamp:
                self._parsed.move_to_end(path)
                return held[1]
            self._letters -= len(self._parsed.pop(path)[1].text)
        parsed = read_parsed(self._open_reader(), path, role)
        self._parsed[path] = (stamp, parsed)
        self._letters += len(parsed.text)
        while len(self._parsed) > KEPT_PARSED or (self._letters > KEPT_LETTERS and len(self._parsed) > 1):
            self._letters -= len(self._parsed.popitem(last=False)[1][1].text)
        return parsed

    def _stamp(self, path: str, role: Role) -> tuple[int, int]:
        """The file's time of change (ns) and size, as the index keeps them: a database's log counts with it."""
        reader = self._open_reader()
        status = reader.status(path)
        if not role.limit:
            with suppress(MemtuiError, OSError):
                log = reader.status(f"{path}-wal")
                return max(status.st_mtime_ns, log.st_mtime_ns), status.st_size + log.st_size
        return status.st_mtime_ns, status.st_size

    def _read_bytes(self, path: str, end: int) -> _File:
        """A file as it is now, at least its first `end` bytes."""
        reader = self._open_reader()
        held = self._files.get(path)
        if held is not None and (len(held.data) >= end or len(held.data) == held.stamp[1]):
            status = os.stat(f"{reader.root}/{path}", follow_symlinks=False)
            if held.stamp == (status.st_mtime_ns, status.st_size):
                return held
        # Most files are small: the next candidate is often from the same one.
        data, status = reader.read(path, max(end, 1 << 16))
        return self._hold(path, _File((status.st_mtime_ns, status.st_size), data))

    def _hold(self, path: str, file: _File) -> _File:
        before = self._files.pop(path, None)
        self._files[path] = file
        self._weigh(file.weight - (before.weight if before is not None else 0))
        return file

    def _weigh(self, more: int) -> None:
        self._held += more
        while self._held > KEPT_BYTES and len(self._files) > 1:
            self._held -= self._files.popitem(last=False)[1].weight

    def _open_reader(self) -> HomeReader:
        if self._reader is None:
            self._reader = HomeReader(self.home.path, keep=256)
        return self._reader


def _mask_lines(data: bytes) -> list[str]:
    """The lines as they are shown; none: they stand in the file just so."""
    wide: list[int] = []
    if b"\0" in data:
        lines, wide = read_wide_lines(data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape").split("\n"))
        text = "\n".join(lines)
    elif not needs_secret_scan(data):
        return []
    else:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    masked = mask_text_secrets(text, None if wide else data)
    return [] if masked == text and not wide else masked.split("\n")


def read_parsed(reader: HomeReader, path: str, role: Role, data: bytes | None = None) -> Parsed:
    """One file, read and parsed as its role says. Raises what `HomeReader.read` raises."""
    if not role.limit:
        status = reader.status(path)
        file = f"{reader.root}/{path}"
        return parse(Source(path, role, b"", file, status.st_mtime, status.st_size, masked=True))
    if data is None:
        data, status = reader.read(path, role.limit)
        return parse(Source(path, role, data, f"{reader.root}/{path}", status.st_mtime, status.st_size, masked=True))
    return parse(Source(path, role, data, f"{reader.root}/{path}", 0.0, len(data), masked=True))


class SearchTarget:
    """A home as a search needs it."""

    def __init__(
        self,
        home: Home,
        index: Index | None = None,
        texts: MemoryTexts | None = None,
        pending: tuple[str, ...] = (),
        warning: str = "",
        damaged: Callable[[Index, StaleIndexError], None] | None = None,
        vectors: Callable[[], Vectors | None] | None = None,
        unmeant: Callable[[], str] | None = None,
    ) -> None:
        self.home = home
        self.index = index
        """Open, and of the calling thread; None: the files are scanned."""
        self.texts = texts
        """Kept by whoever searches more than once, so that files read for one query serve the next."""
        self.pending = pending
        """Files that the index does not hold yet, or not as they are now: they are scanned beside it."""
        self.warning = warning
        """What a person should know of the index: 'indexing 412 of 1,284 files'."""
        self.damaged = damaged
        """Told when the index turns out to be unusable."""
        self.vectors = vectors
        """Opens the vectors that belong to the index; None: it has none."""
        self.unmeant = unmeant
        """Says why there are none; empty: they only have to be made."""

    def over(self, index: Index | None) -> SearchTarget:
        """The same home over another connection to its index."""
        about = self.vectors, self.unmeant
        return SearchTarget(self.home, index, self.texts, self.pending, self.warning, self.damaged, *about)
