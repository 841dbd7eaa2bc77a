"""A parsed file as rows: where each entry stands in the bytes, its marks, and its words for FTS5.

This is the hot path of a cold build (a hundred thousand entries a second and a half), hence the plain loops.
"""

from __future__ import annotations

import zlib
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from memtui.index.schema import LAYER_CODE, SEPARATOR, SESSION, STATUS_CODE, TAGS
from memtui.pattern import pattern
from memtui.text import segment, tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.model import Parsed
    from memtui.parse.source import Source

_SURROGATE = pattern("[\ud800-\udfff]")
_LONGEST_KEY = 512
_MOST_TAGS = 64
_FAR = 1 << 53
_TIME = 7
"""Where in a Chunk the time stands."""

Chunk = tuple[
    int, int, int | None, int | None, int, int, int, int | None, int | None, float | None, int | None, int,
    str | None, str | None, int, int, int | None, int | None,
]  # fmt: skip
"""An entry's columns of the table `entry` from `line` on, in order: plain, to go through a pipe unpickled."""


Words = tuple[bytes | None, bytes]
"""An entry's own words, None: those of its lines in the file's text; and those of what stands above it."""


def spread(
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
        found = found or _words(text).split(b"\n")
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
        SQLite takes them: text would be encoded and decoded three times on its way). See `spread`."""
        if not parsed.entries:
            return [], []
        raw, placed = _bytes(source, parsed.text)
        starts = _starts(raw)
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
                body = _words(entry.search)
                # Words that do not stand in its own lines (a table's header) change without them.
                crc = zlib.crc32(body, crc)
            heading, above = headings.get(entry.heading) or self._heading(entry.heading)
            if entry.title:
                above = b"%b %b" % (above, _words(entry.title))
            kind = kinds.get(entry.kind) or self._kind(entry.kind)
            moment = entry.created if entry.updated is None else entry.updated
            born = entry.session or entry.source
            rows.append((
                line, last, begin if placed else None, end - begin if placed else None,
                LAYER_CODE[entry.layer or own], kind, STATUS_CODE[entry.status],
                None if moment is None else _whole(moment),
                None if entry.expires is None else _whole(entry.expires),
                None if entry.confidence is None else _finite(entry.confidence),
                # As SQLite keeps numbers, the signed form is a byte shorter.
                heading, crc if crc < 0x80000000 else crc - 0x100000000,
                clean(entry.key)[:_LONGEST_KEY] if entry.key else None,
                clean(entry.superseded_by)[:_LONGEST_KEY] if entry.superseded_by else None,
                entry.level + 0, min(entry.reach, count) - last if entry.reach > last else 0,
                sets[entry.tags] if entry.tags in sets else self._tagged(entry.tags),
                (sessions.get(born) or self._session(born)) if born else None,
            ))  # fmt: skip
            texts.append((body, above))
        return rows, texts

    def _kind(self, kind: str) -> int:
        found = self._kinds[kind] = self.number(clean(kind) or "note")
        return found

    def _session(self, born: str) -> int:
        found = self._sessions[born] = self.number(f"{SESSION}{clean(born)[:_LONGEST_KEY]}")
        return found

    def _tagged(self, tags: tuple[str, ...]) -> int | None:
        known = sorted(
            {tag(clean(one)).replace(TAGS, " ")[:_LONGEST_KEY] for one in tags[:_MOST_TAGS]} - {""}
        )
        found = self._tags[tags] = self.number(f"{TAGS}{TAGS.join(known)}{TAGS}") if known else None
        return found

    def _heading(self, path: tuple[str, ...]) -> tuple[int | None, bytes]:
        parts = [clean(part).replace(SEPARATOR, " ") for part in path]
        found = self._headings[path] = (self.number(SEPARATOR.join(parts)), _words(" ".join(parts)))
        return found


def _bytes(source: Source, text: str) -> tuple[bytes, bool]:
    """The bytes that lines are counted in, and whether they stand in the file just so."""
    if source.role.limit and source.encoding in {"utf-8", "bytes"}:
        return source.data, True
    # A database has no lines of its own: its rows stand in the text view.
    return text.encode("utf-8", "surrogatepass"), not source.role.limit


def turns(chunks: Sequence[Chunk], places: range) -> range:
    """The order in which entries of a file get their ids, which lists follow backwards: the last line is the newest.

    Where less than half is dated a file reads from its head. (Entries of one line are told apart by their order: that
    stays.)
    """
    dated = sum(chunks[place][_TIME] is not None for place in places)
    lines = [chunks[place][0] for place in places]
    return places if 2 * dated > len(lines) or len(set(lines)) < len(lines) else places[::-1]


def _words(text: str) -> bytes:
    return segment(clean(text)).encode()


def clean(text: str) -> str:
    """The text as SQLite can take it: bytes that are no UTF-8 (lone surrogates) become U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _starts(raw: bytes) -> list[int]:
    """Where each line begins, and behind them where a line after the last would."""
    lines = raw.split(b"\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    if raw.startswith(b"\xef\xbb\xbf"):
        starts[0] = 3
    return starts


def _whole(seconds: float) -> int | None:
    return int(seconds) if -_FAR < seconds < _FAR else None


def _finite(number: float) -> float | None:
    return float(number) if -_FAR < number < _FAR else None
