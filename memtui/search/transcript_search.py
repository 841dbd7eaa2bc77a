"""Steps of conversations found by their words: level two of spec 003's search.

`TurnTexts` reads the words behind the index's places from the transcripts there and then, masked.
`Conversations.search` ranks by FTS5's BM25, the newest of equals first, no session more than three times; where a word
stands in a great many turns, those taken in last are ranked, for a detail is mostly asked of late. `unfold`
gives one conversation from a step on, every step whole.

The vault's door to conversations, level two of spec 003's search: nothing of them is read until somebody asks.
"""

from __future__ import annotations

import heapq
import json
import os
import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.errors import MemtuiError, StaleIndexError
from memtui.core.locale import _
from memtui.formats.jsonl import Stream
from memtui.fs.files import HomeReader
from memtui.index.filters import ROLES, Trace, Traces
from memtui.index.schema import translate_sqlite_errors
from memtui.index.transcript_intake import BUDGET, TranscriptShelf, take_in
from memtui.index.transcript_tables import (
    KEEPERS,
    LARGEST_DOCUMENT,
    Table,
    build_turn_text,
    compute_text_checksum,
    connect,
    extract_masked_words,
    find_transcript_place,
    is_index_damaged,
    parse_trace_document,
    strip_base64,
    strip_escape_sequences,
)
from memtui.layouts.trace_sources import has_transcripts, list_transcript_sources
from memtui.search.query import parse
from memtui.search.terms import fold
from memtui.search.texts import build_text_snippet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from types import TracebackType
    from typing import Self

    import apsw

    from memtui.core.model import Home, Turn
    from memtui.fs.places import Place
    from memtui.layouts.trace_sources import TranscriptSource
    from memtui.search.query import Query


class TurnRow(NamedTuple):
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


class TurnTexts:
    """The texts of one home's turns. Use it in a `with`; what was read is remembered until then."""

    def __init__(self, sources: list[TranscriptSource]) -> None:
        self._sources = {source.path: source for source in sources}
        self._readers: dict[str, HomeReader] = {}
        self._turns: dict[tuple[str, int], list[Turn]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for reader in self._readers.values():
            reader.close()

    def text(self, row: TurnRow) -> str | None:
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
        text = strip_escape_sequences(build_turn_text(turns[row.part]))
        if compute_text_checksum(text) != row.crc:
            return None
        # Where masking found nothing in the very same words, it need not look again.
        return extract_masked_words(text)[0] if row.secret else strip_base64(text)

    def _read(self, source: TranscriptSource, row: TurnRow) -> list[Turn]:
        reader = self._readers.get(source.root)
        if reader is None:
            reader = self._readers[source.root] = HomeReader(source.root)
        reader.status(source.inside)
        if source.kind == "document":
            return parse_trace_document(reader.read(source.inside, LARGEST_DOCUMENT)[0], source.path)[1]
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


def trace(home: Home, row: TurnRow, text: str, marks: tuple[tuple[int, int], ...] = (), score: float = 0.0) -> Trace:
    """A row of the index with its words."""
    time = None if row.time is None else row.time / 1000
    role = ROLES[row.role]
    return Trace(str(home.path), row.path, row.line, row.session, time, role, row.tool, text, marks, round(score, 4))


RANKED = 3_000
"""Matches that are ranked at most."""
PER_SESSION = 3
_LOADED = 32
"""Rows that are looked up at once."""
_WINDOW = 4_000
"""Characters around the first match in which the line to be shown is looked for."""
_PULSE = 2_000

_Place = tuple[float, int, int, int, int]
"""BM25 and the time, both the less the better; the turn's id, the number of its home, its session there."""


class _Asked(NamedTuple):
    session: str
    role: Collection[str]
    since: float | None

    def condition(self) -> tuple[str, list[object]]:
        """The condition of SQL for these turns, with its values."""
        parts: list[str] = []
        values: list[object] = []
        if self.since is not None:
            parts.append("turn.time >= ?")
            values.append(int(self.since * 1000))
        if self.role:
            parts.append(f"turn.role IN ({', '.join(str(ROLES.index(name)) for name in set(self.role))})")
        if self.session:
            parts.append("turn.session IN (SELECT id FROM session WHERE substr(name, 1, ?) = ?)")
            values += [len(self.session), self.session]
        return " AND ".join(parts) or "1", values


class _Home:
    """One home's index, and the transcripts behind it."""

    def __init__(self, shelf: TranscriptShelf, listed: list[TranscriptSource], stack: ExitStack) -> None:
        self.home = shelf.home
        self._several = len({source.rank for source in listed}) > 1
        self.texts = stack.enter_context(TurnTexts(listed))
        self._rows: dict[int, TurnRow] = {}
        self.trouble = ""
        self._pointer = find_transcript_place(shelf.place).pointer
        self._db: apsw.Connection | None = None
        with suppress(StaleIndexError):
            self._db = connect(find_transcript_place(shelf.place))
            stack.callback(self._db.close)

    def ranked(self, number: int, query: Query, asked: _Asked, cancelled: Callable[[], bool] | None) -> list[_Place]:
        """Its matches, best first; one more than are ranked where there are more."""
        if self._db is None:
            return []
        condition, values = asked.condition()
        joined = f"{JOINED} AND {SHOWN}" if self._several else ""
        sql = (
            f"SELECT round(bm25(fts), 9), -coalesce(turn.time, 0), -fts.rowid, {number}, turn.session FROM fts"
            f" JOIN turn ON turn.id = fts.rowid {joined} WHERE fts MATCH ? AND {condition}"
            " ORDER BY fts.rowid DESC LIMIT ?"
        )
        terms = [term.fts for term in query.terms if term.fts and not (term.exact or term.faint)]
        try:
            with translate_sqlite_errors():
                self._db.set_progress_handler(cancelled, _PULSE)
                found = self._db.execute(sql, (query.match, *values, RANKED + 1)).fetchall()
                if len(found) > RANKED and len(terms) > 1:
                    # What holds all of the words is ranked however old it is.
                    every = query.expression([" AND ".join(f"({term})" for term in terms)])
                    found += self._db.execute(sql, (every, *values, RANKED // 4)).fetchall()
        except StaleIndexError as error:
            self.trouble = str(error)
            if is_index_damaged(error):
                self._pointer.unlink(missing_ok=True)
                self.trouble = _("the index of conversations is damaged: ask again, and it is rebuilt")
            return []
        places: list[_Place] = sorted(set(found))  # type: ignore[arg-type]
        return places

    def row(self, place: _Place, ahead: Sequence[_Place]) -> TurnRow | None:
        """Where the turn stands; those that may be asked for next are looked up with it."""
        wanted = -place[2]
        if wanted not in self._rows and self._db is not None:
            ids = json.dumps([-one[2] for one in ahead if one[3] == place[3]][:_LOADED])
            sql = f"SELECT {COLUMNS} FROM turn {JOINED} {NAMED} WHERE turn.id IN (SELECT value FROM json_each(?))"
            with translate_sqlite_errors():
                for found in self._db.execute(sql, (ids,)):
                    row = TurnRow(*found)
                    self._rows[row.id] = row
        return self._rows.get(wanted)


def _choose(answer: Traces, ranked: list[_Place], homes: Sequence[_Home], query: Query, limit: int, most: int) -> None:
    """Read the best until there are enough; what was said twice, or left its place, is passed over."""
    seen: set[tuple[int, int]] = set()
    sessions: dict[tuple[int, int], int] = {}
    for at, place in enumerate(ranked):
        if len(answer) >= limit:
            break
        home, number = homes[place[3]], sessions.get(place[3:], 0)
        if most and number >= most:
            continue
        row = home.row(place, ranked[at : at + 4 * _LOADED])
        if row is None or (row.time or 0, row.crc) in seen:
            answer.total -= 1
            continue
        text = home.texts.text(row)
        shown = None if text is None else _choose_shown_line(query, text)
        if shown is None:
            answer.total -= 1
            continue
        seen.add((row.time or 0, row.crc))
        sessions[place[3:]] = number + 1
        answer.append(trace(home.home, row, *shown, place[0] / ranked[0][0]))


def _choose_shown_line(query: Query, text: str) -> tuple[str, tuple[tuple[int, int], ...]] | None:
    """The line to be shown; None where the words only seemed to stand there."""
    folded = fold(text)
    if any(next(term.spans(folded), None) is None for term in query.required):
        return None
    if any(next(term.spans(folded), None) is not None for term in query.excluded):
        return None
    if len(text) > _WINDOW:
        spans = (next(term.spans(folded), None) for term in query.terms if term.fts and not term.faint)
        first = next((span[0] for span in spans if span is not None), 0)
        start = max(0, first - _WINDOW // 2)
        text = text[max(start, text.rfind("\n", start, first) + 1) :][:_WINDOW]
    return build_text_snippet(query, text)


class Conversations:
    """The conversations of the homes that are open."""

    def __init__(self, homes: Iterable[tuple[Home, Place]]) -> None:
        """`homes`: each with the place of its index."""
        self.shelves = [TranscriptShelf(home, place) for home, place in homes if has_transcripts(home.layout)]

    def search(
        self,
        keyword: str,
        *,
        session: str,
        role: Collection[str],
        days_back: float | None,
        limit: int,
        budget: float | None,
        progress: Callable[[Home, int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> Traces:
        """The steps that hold the words, best first: see `Vault.traces`.

        What could not be taken in is said in the warning. Raises apsw.InterruptError once `cancelled`.
        """
        since = max(0.0, clock.now() - days_back * 86_400) if days_back else None
        until = None if budget is None else time.monotonic() + budget
        query = parse(keyword)
        asked = _Asked(session, role, since)
        answer = Traces()
        warnings: list[str] = []
        with ExitStack() as stack:
            homes: list[_Home] = []
            found: list[list[_Place]] = []
            for number, shelf in enumerate(self.shelves):
                listed = list_transcript_sources(shelf.home)
                # Nothing in a file is newer than the file.
                wanted = [source for source in listed if since is None or source.modified / 1e9 >= since]
                left = None if until is None else max(0.0, until - time.monotonic())
                warnings.append(take_in(shelf, wanted, listed, left, progress, cancelled))
                homes.append(_Home(shelf, listed, stack))
                for each in (query, query.loosened()) if query.parts else (query,):
                    places = homes[-1].ranked(number, each, asked, cancelled) if each.match else []
                    if places:
                        break
                warnings.append(homes[-1].trouble)
                answer.more |= len(places) > RANKED
                found.append(places)
                answer.total += len(places)
            # Each home's own order holds within it: bm25 weighs a word by the home that it stands in.
            _choose(answer, list(heapq.merge(*found)), homes, query, limit, 0 if session else PER_SESSION)
        if not query.match:
            warnings.append(_("conversations are searched by words, and there is none in this"))
        answer.warning = "; ".join(dict.fromkeys(filter(None, warnings)))
        return answer

    def unfold(self, path: str, line: int, limit: int) -> list[Trace]:
        """The steps of one conversation from a trace's place on, whole; none where there is no such transcript."""
        sql = (
            f"SELECT {COLUMNS} FROM turn {JOINED} {NAMED} WHERE file.path = ? AND turn.line >= ? AND turn.session ="
            " coalesce((SELECT turn.session FROM turn JOIN file ON file.id = turn.file"
            " WHERE file.path = ? AND turn.line = ?), turn.session) ORDER BY turn.id LIMIT ?"
        )
        for shelf in self.shelves:
            every = list_transcript_sources(shelf.home)
            whole = os.path.abspath(path)
            listed = [one for one in every if one.path == path or os.path.join(one.root, one.inside) == whole]
            if not listed:
                continue
            take_in(shelf, listed, every, BUDGET, None, None)
            path = listed[0].path
            try:
                with translate_sqlite_errors():
                    db = connect(find_transcript_place(shelf.place))
                    try:
                        rows = [TurnRow(*row) for row in db.execute(sql, (path, line, path, line, limit))]
                    finally:
                        db.close()
            except StaleIndexError:
                continue
            with TurnTexts(listed) as texts:
                return [trace(shelf.home, row, text) for row in rows if (text := texts.text(row)) is not None]
        return []

    def list_untold(self) -> list[Home]:
        """Homes with conversations that were never taken in."""
        return [
            shelf.home
            for shelf in self.shelves
            if not os.path.exists(find_transcript_place(shelf.place).pointer) and list_transcript_sources(shelf.home)
        ]
