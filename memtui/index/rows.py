"""Files as finished index rows: read within their home, parsed as their role says, words for FTS5, places in the bytes.

- `Chunker`: a parsed file as rows. This is the hot path of a cold build (a hundred thousand entries in 1.5 s),
  hence the plain loops.
- `take`: one file read, parsed and converted; nothing that it holds can raise.
- `iterate_batches`: many files as batches of finished rows with their ids, plain tuples that go through a pipe.
"""

from __future__ import annotations

import hashlib
import os
import time
import zlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter
from struct import Struct

from memtui.core.errors import MemtuiError
from memtui.core.model import ASIDE, WHOLE, Parsed, Problem
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.core.text import SURROGATE, segment_text, tag
from memtui.formats import Source, parse
from memtui.index.schema import COLUMNS, LAYER_CODE, SEPARATOR, SESSION, STATUS_CODE, TAGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.fs.files import FoundFile, HomeReader
    from memtui.index.plan import FileChange

_LONGEST_KEY = 512
_MOST_TAGS = 64
_FAR = 1 << 53
_TIME = COLUMNS.index("ts") - COLUMNS.index("line")
"""Where in a Chunk the time stands."""

Chunk = tuple[
    int, int, int | None, int | None, int, int, int, int | None, int | None, float | None, int | None, int,
    str | None, str | None, int, int, int | None, int | None,
]  # fmt: skip
"""An entry's columns of the table `entry` from `line` on, in order: plain, to go through a pipe unpickled."""


Words = tuple[bytes | None, bytes]
"""An entry's own words, None: those of its lines in the file's text; and those of what stands above it."""


def encode_row_words(
    rows: Sequence[Sequence[Any]], words: Iterable[Words], text: str, line: int = 0
) -> Iterator[bytes]:
    """The words of each row. `line` is the column that its first line stands in, with the last one behind it.

    The text is cut into words only here, by whoever writes: where another process reads, both have as much to do.
    """
    found: list[bytes] = []
    for row, (own, _) in zip(rows, words, strict=True):
        if own is not None:
            yield own
            continue
        found = found or _segment_words(text).split(b"\n")
        first, last = row[line], row[line + 1]
        yield found[first - 1] if first == last else b"\n".join(found[first - 1 : last])


class Chunker:
    """Turns parsed files into rows; `number` gives a kind or a joined heading path its number in `name`.

    What it was told is kept, so it must not outlive a transaction that failed.
    """

    def __init__(self, number: Callable[[str], int]) -> None:
        self.number = number
        self._kinds: dict[str, int] = {}
        self._headings: dict[tuple[str, ...], tuple[int | None, bytes]] = {(): (None, b"")}
        self._sessions: dict[str, int] = {}
        self._tags: dict[tuple[str, ...], int | None] = {(): None}

    def chunks(self, source: Source, parsed: Parsed) -> tuple[list[Chunk], list[Words]]:
        """The rows of a file, and beside each its own words, and those of its headings and title (in UTF-8, as
        SQLite takes them: text would be encoded and decoded three times on its way). See `encode_row_words`."""
        if not parsed.entries:
            return [], []
        raw, placed = _encode_lines(source, parsed.text)
        starts = _find_line_starts(raw)
        count = len(starts) - 1
        own = source.role.layer
        kinds, headings, sets = self._kinds, self._headings, self._tags
        sessions = self._sessions
        rows: list[Chunk] = []
        texts: list[Words] = []
        for entry in parsed.entries:
            line, last = entry.start, entry.end
            if not 0 < line <= last <= count:
                line = min(max(line, 1), count)
                last = min(max(last, line), count)
            begin = starts[line - 1]
            end = starts[last] - 1
            crc = zlib.crc32(raw[begin:end])
            body = None
            if entry.search is not None:
                body = _segment_words(entry.search)
                # Words that do not stand in its own lines (a table's header) change without them.
                crc = zlib.crc32(body, crc)
            heading, above = headings.get(entry.heading) or self._number_heading(entry.heading)
            if entry.title:
                above = b"%b %b" % (above, _segment_words(entry.title))
            kind = kinds.get(entry.kind) or self._number_kind(entry.kind)
            moment = entry.created if entry.updated is None else entry.updated
            born = entry.session or entry.source
            rows.append((
                line, last, begin if placed else None, end - begin if placed else None,
                LAYER_CODE[entry.layer or own], kind, STATUS_CODE[entry.status],
                None if moment is None else _clamp_seconds(moment),
                None if entry.expires is None else _clamp_seconds(entry.expires),
                None if entry.confidence is None else _clamp_number(entry.confidence),
                # As SQLite keeps numbers, the signed form is a byte shorter.
                heading, crc if crc < 0x80000000 else crc - 0x100000000,
                clean(entry.key)[:_LONGEST_KEY] if entry.key else None,
                clean(entry.superseded_by)[:_LONGEST_KEY] if entry.superseded_by else None,
                entry.level + 0, min(entry.reach, count) - last if entry.reach > last else 0,
                sets[entry.tags] if entry.tags in sets else self._number_tags(entry.tags),
                (sessions.get(born) or self._number_session(born)) if born else None,
            ))  # fmt: skip
            texts.append((body, above))
        return rows, texts

    def _number_kind(self, kind: str) -> int:
        found = self._kinds[kind] = self.number(clean(kind) or "note")
        return found

    def _number_session(self, born: str) -> int:
        found = self._sessions[born] = self.number(f"{SESSION}{clean(born)[:_LONGEST_KEY]}")
        return found

    def _number_tags(self, tags: tuple[str, ...]) -> int | None:
        known = sorted({tag(clean(one)).replace(TAGS, " ")[:_LONGEST_KEY] for one in tags[:_MOST_TAGS]} - {""})
        found = self._tags[tags] = self.number(f"{TAGS}{TAGS.join(known)}{TAGS}") if known else None
        return found

    def _number_heading(self, path: tuple[str, ...]) -> tuple[int | None, bytes]:
        parts = [clean(part).replace(SEPARATOR, " ") for part in path]
        found = self._headings[path] = (self.number(SEPARATOR.join(parts)), _segment_words(" ".join(parts)))
        return found


def _encode_lines(source: Source, text: str) -> tuple[bytes, bool]:
    """The bytes that lines are counted in, and whether they stand in the file just so."""
    if source.role.limit and source.encoding in {"utf-8", "bytes"}:
        return source.data, True
    # A database has no lines of its own: its rows stand in the text view.
    return text.encode("utf-8", "surrogatepass"), not source.role.limit


def order_entry_ids(chunks: Sequence[Chunk], places: range) -> range:
    """The order in which entries of a file get their ids, which lists follow backwards: the last line is the newest.

    Where less than half is dated a file reads from its head. (Entries of one line are told apart by their order: that
    stays.)
    """
    dated = sum(chunks[place][_TIME] is not None for place in places)
    lines = [chunks[place][0] for place in places]
    return places if 2 * dated > len(lines) or len(set(lines)) < len(lines) else places[::-1]


def _segment_words(text: str) -> bytes:
    return segment_text(clean(text)).encode()


def clean(text: str) -> str:
    """The text as SQLite can take it: bytes that are no UTF-8 (lone surrogates) become U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return SURROGATE.sub("\ufffd", text)
    return text


def _find_line_starts(raw: bytes) -> list[int]:
    """Where each line begins, and behind them where a line after the last would."""
    lines = raw.split(b"\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    if raw.startswith(b"\xef\xbb\xbf"):
        starts[0] = 3
    return starts


def _clamp_seconds(seconds: float) -> int | None:
    return int(seconds) if -_FAR < seconds < _FAR else None


def _clamp_number(number: float) -> float | None:
    return float(number) if -_FAR < number < _FAR else None


RACY = 20_000_000
"""Nanoseconds: a file that changed so shortly before it was read may change again without its times showing it."""

_AHEAD = 2_000_000_000


class TakenFile(NamedTuple):
    """What the index keeps of one file. `chunks` is None where the bytes are those that the index knows already."""

    mtime: int
    size: int
    ino: int
    ctime: int
    etag: bytes
    title: str
    chunks: list[Chunk] | None
    words: list[Words]
    problems: list[tuple[str, int, str]]
    text: str = ""
    """What the words are to be taken from that are not given."""
    bare: bool = False
    """Whether no secret stands in it."""


def take(reader: HomeReader, found: FoundFile, chunker: Chunker, known: bytes | None = None) -> TakenFile | None:
    """Read, parse and cut one file; None: it is gone. `known` is the etag under which the index has it."""
    role = found.role
    began = time.time_ns()
    stamp = (found.mtime_ns, found.size, found.ino, found.ctime_ns)
    data = b""
    if role.limit:
        try:
            data, status = reader.read(found.path, role.limit)
        except FileNotFoundError:
            return None
        except MemtuiError as error:
            return TakenFile(*stamp, b"", "", [], [], [(clean(found.path), 0, str(error))])
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)
    if -_AHEAD < began - max(stamp[0], stamp[3]) < RACY:
        # No file has a negative time of change, so the next scan will not take this one for unchanged.
        stamp = (*stamp[:3], -1)
    etag = hashlib.sha256(data).digest()[:16]
    whole = role.limit > 0 and stamp[1] <= len(data)
    if whole and etag == known:
        return TakenFile(*stamp, etag, "", None, [], [])
    file = os.path.join(reader.root, found.path.replace("/", os.sep))
    source = Source(found.path, role, data, file, stamp[0] / 1e9, stamp[1], masked=True)
    parsed = _parse_safely(source)
    if not role.limit:
        etag = hashlib.sha256(parsed.text.encode("utf-8", "surrogatepass")).digest()[:16]
        if etag == known:
            return TakenFile(*stamp, etag, "", None, [], [])
    try:
        chunks, texts = chunker.chunks(source, parsed)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        chunks, texts = [], []
        parsed.problems.append(Problem(found.path, 0, f"could not be indexed: {error}"))
    # What holds no memories may be cut short or broken as it likes.
    reported = parsed.problems if role.status not in ASIDE else ()
    problems = [(clean(path), line, clean(reason)) for path, line, reason in reported]
    if not whole and role.limit >= WHOLE and not any(reason == source.describe_cut() for _, _, reason in reported):
        problems.append((clean(found.path), 0, f"only the first {role.limit >> 20} MB were read"))
    return TakenFile(
        *stamp,
        etag,
        clean(parsed.title),
        chunks,
        texts,
        problems,
        parsed.text if chunks else "",
        source.bare,
    )


def _parse_safely(source: Source) -> Parsed:
    try:
        return parse(source)
    except Exception as error:  # one file must not keep ten thousand from being found
        text = ""
        # What could not be looked through for secrets is not kept.
        with suppress(Exception):
            text = source.text
        return Parsed(text, [], [Problem(source.path, 0, f"could not be read: {error}")])


COUNTED = itemgetter(*map(COLUMNS.index, ("layer", "kind", "status", "level")))
"""What `tally` counts by, of a row of `entry`."""

SIZE = 64 * 1024
"""Bytes of files after which a batch is sent: as much as a pipe holds, so that neither process waits for long."""

BLOCK = 256 * 1024, 4 << 20
"""Bytes of files that get their numbers together: of the first block, and at most; each is half as much again as the
one before. The newest block comes first, and what stands in it begins to be found before the rest is read."""

_SHARE = 8
"""Of what is left, the part that one block has at most: the last one read is the last one written, by one process alone
while the other has nothing to do."""

_FILES = 2000
"""Files of one block at most."""

Batch = tuple[
    int,
    list[tuple[int, str]],
    list[tuple[Any, ...]],
    list[tuple[Any, ...]],
    list[tuple[int, bytes | None, bytes]],
    list[tuple[int, str]],
    list[tuple[int, str, int, str]],
    list[tuple[int, int, int, int, int, bytes]],
    list[int],
    list[tuple[int, int, int, int, int]],
    list[str],
    bool,
]
"""Files done (less than none: there are not numbers enough); new names; files (columns of `file`, and last the etag
under which it was known, None: it was not); entries (columns of `entry`); words (id, text, headings, both in UTF-8);
texts of files (how many entries they have, and what their words are taken from where they are not given); problems;
times of files whose bytes are the same (mtime, size, ino, ctime, id, etag); ids of files that are gone; counts (layer,
kind, status, level, n); directories to be listed again; whether a block ends here: what follows has lower numbers."""


@dataclass(slots=True)
class Numbers:
    """The numbers that are free; whoever makes batches is the only one who gives out more."""

    names: dict[str, int]
    directories: dict[str, int]
    """All that will be needed."""
    name: int
    """The last one that was given out."""
    file: int
    """The last one that was given out."""
    entry: int
    """The highest one that is free: blocks count down, as the newest comes first, and within a block upwards."""
    floor: int
    """The lowest one that is not."""


class BlockShare(NamedTuple):
    """Which blocks a process reads where several read a home by turns. Each of them numbers names apart: the writer
    finds out which are the same. The other numbers go around among them, for they say what is newer.
    """

    place: int = 0
    of: int = 1
    receive: int = -1
    """The pipe that tells what is free once the block before has its numbers."""
    send: int = -1

    def begin(self, numbers: Numbers) -> None:
        """Give the names of this process numbers that no other gives."""
        numbers.name += 1 + self.place - self.of

    def take(self, numbers: Numbers) -> bool:
        """Wait until the block before has its numbers; False: whoever reads it ended."""
        if self.of > 1:
            data = os.read(self.receive, _BATON.size)
            if len(data) < _BATON.size:
                return False
            numbers.file, numbers.entry = _BATON.unpack(data)
        return True

    def pass_on(self, numbers: Numbers) -> None:
        """Tell whoever reads the next block what is free; there may be nobody any more."""
        if self.of > 1:
            with suppress(BrokenPipeError):
                os.write(self.send, _BATON.pack(numbers.file, numbers.entry))


_BATON = Struct("qq")
_ALL = BlockShare()


class _Pile:
    """A batch being filled."""

    def __init__(self, numbers: Numbers, step: int) -> None:
        self._numbers = numbers
        self._step = step
        self.first = self.file = 0
        """The numbers of the entry and of the new file that come next."""
        self.clear()

    def clear(self) -> None:
        """Begin the next batch with nothing in it."""
        self.size = self.done = 0
        self.names: list[tuple[int, str]] = []
        self.files: list[tuple[Any, ...]] = []
        self.entries: list[tuple[Any, ...]] = []
        self.words: list[tuple[int, bytes | None, bytes]] = []
        self.texts: list[tuple[int, str]] = []
        self.problems: list[tuple[int, str, int, str]] = []
        self.same: list[tuple[int, int, int, int, int, bytes]] = []
        self.gone: list[int] = []
        self.racy: list[str] = []

    def number(self, text: str) -> int:
        names = self._numbers.names
        found = names.get(text)
        if found is None:
            self._numbers.name += self._step
            found = names[text] = self._numbers.name
            self.names.append((found, text))
        return found

    def add(self, change: FileChange, taken: TakenFile | None) -> None:
        """Take in one changed file: its rows and words, or a note that its directory must be looked at again."""
        numbers = self._numbers
        path = change.found.path
        folder = path.rpartition("/")[0]
        self.done += 1
        if taken is None:
            self.racy.append(folder)
            if change.file:
                self.gone.append(change.file)
            return
        stamp = taken[:4]
        if taken.ctime != change.found.ctime_ns:
            self.racy.append(folder)
        if taken.chunks is None:
            self.same.append((*stamp, change.file, taken.etag))
            return
        file = change.file
        if not file:
            file = self.file
            self.file += 1
        held = (change.etag or b"") if change.file else None
        values = (*stamp, taken.etag, taken.title or None, len(taken.chunks))
        self.files.append((file, path, *values, numbers.directories[folder], taken.bare, held))
        order = order_entry_ids(taken.chunks, range(len(taken.chunks)))
        first = self.first
        self.first += len(order)
        self.entries += [(id_, file, *taken.chunks[place]) for id_, place in enumerate(order, first)]
        self.words += [(id_, *taken.words[place]) for id_, place in enumerate(order, first)]
        wanted = any(own is None for own, _ in taken.words)
        self.texts.append((len(order), taken.text if wanted else ""))
        self.problems += [(file, *problem) for problem in taken.problems]
        self.size += taken.size

    def batch(self, last: bool) -> Batch:
        """What was added so far, in the form that crosses the pipe; the next batch begins empty."""
        tally = [(*key, number) for key, number in Counter(map(COUNTED, self.entries)).items()]
        made = (
            self.done,
            self.names,
            self.files,
            self.entries,
            self.words,
            self.texts,
            self.problems,
            self.same,
            self.gone,
            tally,
            self.racy,
            last,
        )
        self.clear()
        return made


def iterate_batches(
    reader: HomeReader, changes: Sequence[FileChange], numbers: Numbers, share: BlockShare = _ALL
) -> Iterator[Batch]:
    """Read the files, the last ones first, so that numbers grow in their order. `numbers` goes on changing."""
    share.begin(numbers)
    pile = _Pile(numbers, share.of)
    chunker = Chunker(pile.number)
    for turn, block in enumerate(_iterate_blocks(changes)):
        if turn % share.of != share.place:
            continue
        taken = [take(reader, change.found, chunker, None if change.again else change.etag) for change in block]
        if turn and not share.take(numbers):
            return
        pile.file = numbers.file + 1
        numbers.file += sum(one is not None and one.chunks is not None and not change.file
                            for change, one in zip(block, taken, strict=True))  # fmt: skip
        numbers.entry -= sum(len(one.chunks or ()) for one in taken if one)
        pile.first = numbers.entry + 1
        share.pass_on(numbers)
        if numbers.entry < numbers.floor:
            pile.done = -1
            yield pile.batch(True)
            return
        for change, one in zip(block[:-1], taken, strict=False):
            pile.add(change, one)
            if pile.size > SIZE or pile.done >= 500:
                yield pile.batch(False)
        pile.add(block[-1], taken[-1])
        yield pile.batch(True)


def _iterate_blocks(changes: Sequence[FileChange]) -> Iterator[Sequence[FileChange]]:
    """The changes from the last to the first, in runs that keep their order."""
    sizes = [min(one.found.size, one.found.role.limit or one.found.size) for one in changes]
    left = sum(sizes)
    least, most = BLOCK
    size, end = least, len(changes)
    while end:
        enough = max(least, min(size, most, left // _SHARE))
        start, held = end, 0
        while start and held < enough and end - start < _FILES:
            start -= 1
            held += sizes[start]
        yield changes[start:end]
        end, left, size = start, left - held, size + size // 2
