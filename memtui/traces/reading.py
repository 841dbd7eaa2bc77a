"""The words behind the index's places, read from the transcripts there and then, and masked."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.disk.files import Reader
from memtui.errors import MemtuiError
from memtui.parse.stream import Stream
from memtui.traces.found import ROLES, Trace
from memtui.traces.shelving import checked
from memtui.traces.tellers import KEEPERS, LARGEST_DOCUMENT, Table, document, words
from memtui.traces.wording import cleaned, without_pictures, worded

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from memtui.model import Home
    from memtui.traces.sources import Source
    from memtui.turns import Turn


class Row(NamedTuple):
    """A turn's place, as the index has it."""

    id: int
    path: str
    session: str
    line: int
    start: int
    size: int
    part: int
    role: int
    tool: str
    time: int | None
    crc: int
    secret: int


COLUMNS = (
    "turn.id, file.path, session.name, turn.line, turn.start, turn.size, turn.part, turn.role,"
    " coalesce(name.text, ''), turn.time, turn.crc, turn.secret"
)
JOINED = "JOIN file ON file.id = turn.file JOIN session ON session.id = turn.session"
NAMED = "LEFT JOIN name ON name.id = turn.tool"
SHOWN = "file.rank <= session.rank"
"""A session isn't repeated from a source further down."""


class Texts:
    """The texts of one home's turns. Use it in a `with`; what was read is remembered until then."""

    def __init__(self, sources: list[Source]) -> None:
        self._sources = {source.path: source for source in sources}
        self._readers: dict[str, Reader] = {}
        self._turns: dict[tuple[str, int], list[Turn]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for reader in self._readers.values():
            reader.close()

    def text(self, row: Row) -> str | None:
        """The turn's words, masked; None where they no longer stand there."""
        source = self._sources.get(row.path)
        if source is None:
            return None
        place = (row.path, row.start)
        if place not in self._turns:
            self._turns[place] = []
            with suppress(MemtuiError, OSError):
                self._turns[place] = self._read(source, row)
        turns = self._turns[place]
        if row.part >= len(turns):
            return None
        text = cleaned(words(turns[row.part]))
        if checked(text) != row.crc:
            return None
        # Where masking found nothing in the very same words, it need not look again.
        return worded(text)[0] if row.secret else without_pictures(text)

    def _read(self, source: Source, row: Row) -> list[Turn]:
        reader = self._readers.get(source.root)
        if reader is None:
            reader = self._readers[source.root] = Reader(source.root)
        reader.status(source.inside)
        if source.kind == "document":
            return document(reader.read(source.inside, LARGEST_DOCUMENT)[0], source.path)[1]
        keeper = KEEPERS["message" if source.kind == "table" else source.kind](whole=True)
        record: dict[str, Any] | None
        if source.kind == "table":
            record = Table(source).at(row.start)
        else:
            with reader.open(source.inside) as opened:
                status = os.fstat(opened.fileno())
                if row.start + row.size > status.st_size:
                    return []
                # Its line may have been ended since.
                record = next(Stream(opened, row.size + 1, offset=row.start).records(), (0, None))[1]
        if record is not None:
            keeper.take(record, row.line)
        return keeper.turns


def trace(
    home: Home, row: Row, text: str, marks: tuple[tuple[int, int], ...] = (), score: float = 0.0
) -> Trace:
    """A row of the index with its words."""
    time = None if row.time is None else row.time / 1000
    role = ROLES[row.role]
    return Trace(
        str(home.path), row.path, row.line, row.session, time, role, row.tool, text, marks, round(score, 4)
    )
