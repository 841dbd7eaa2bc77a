"""A Filter as SQL, the one place in which lists, counts and searches get their WHERE; and the rows of the answers.

First the answers: Trace and Traces (conversations), IndexRow, IndexedFile, IndexProgress, Outline, IndexMoment.
Then the conditions by kind, status and path, and the same filter applied to a memory that stands in no index.
"""

from __future__ import annotations

import fnmatch

from memtui.core import clock
from memtui.core.model import PERISHABLE, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.core.text import tag
from memtui.index.schema import LAYER_CODE, SESSION, SMALL, STATUS_CODE, TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.core.model import Filter, Layer, Problem

ROLES = ("user", "assistant", "thinking", "tool_call", "tool_result", "summary", "system")
"""Who or what a trace is of; the index keeps a role as its place in here."""

BACKEND = "traces_fts"


class Trace(NamedTuple):
    """One step of a conversation: what was said, a tool's call with its parameters, or what it gave back."""

    home: str
    path: str
    """Relative to the home; begins with '../' where the tool keeps its conversations beside it, absolute elsewhere."""
    line: int
    """1-based line of the transcript; of OpenAkita's database, the row's id."""
    session: str
    time: float | None
    role: str
    """One of `ROLES`."""
    tool: str
    """The tool's name, for calls and results."""
    snippet: str
    """The line that matches best, at most 240 characters; all of it from `unfold`. Secrets are masked."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the matches stand in `snippet`, as character offsets [start, end)."""
    score: float = 0.0
    """0 to 1: its BM25 as a share of the best that was found; to compare the traces of one answer."""


class Traces(list[Trace]):
    """The traces, best first, and how they were found."""

    backend: str = BACKEND
    warning: str = ""
    """Empty, or why this answer may be incomplete: 'taken in 312 of 950 MB of conversations'."""
    total: int = 0
    """How many steps match; a lower bound where `more` is set."""
    more: bool = False


def encode_trace(trace: Trace) -> dict[str, Any]:
    """A trace as JSON has it."""
    return {
        "path": trace.path,
        "line": trace.line,
        "session": trace.session,
        "time": None if trace.time is None else clock.convert_to_local(trace.time).isoformat(timespec="seconds"),
        "role": trace.role,
        "tool": trace.tool,
        "snippet": trace.snippet,
        "score": trace.score,
        "home": trace.home,
    }


class IndexRow(NamedTuple):
    """One entry's place and marks. Times in seconds."""

    id: int
    path: str
    line: int
    last: int
    start: int | None
    """Byte offset of its first line in the file; None: lines do not stand in the file as such, parse it."""
    size: int | None
    """Bytes of its lines, without the last line break."""
    layer: Layer
    kind: str
    status: Status
    """The status now: expired once its time is over."""
    time: float
    """Its own time, else its file's."""
    dated: bool
    """Whether `time` is its own."""
    expires: float | None
    confidence: float | None
    heading: tuple[str, ...]
    key: str
    successor: str
    crc: int
    """Of its bytes in the file: distinguishes twins and recognises it after it moved."""
    etag: str
    """Names the file's bytes when it was read."""
    file: int
    level: int
    """What of `model.Level` it is, as a number."""
    reach: int
    """The last line of it with its parts."""
    bare: bool
    """Whether no secret stands in the bytes that `etag` names."""


class IndexedFile(NamedTuple):
    """One file that the index knows. `mtime` in seconds."""

    id: int
    path: str
    mtime: float
    size: int
    etag: str
    title: str
    entries: int


class IndexProgress(NamedTuple):
    """How far the index is: files held, files to come (0: unknown), and whether it holds all."""

    done: int
    total: int
    complete: bool


class Outline(NamedTuple):
    """What one file holds, without its text."""

    path: str
    size: int
    """Bytes of the file."""
    last: int
    """The last line that an entry stands on."""
    sections: dict[str, int]
    """Entries under each innermost heading, else of each kind, in the order of the file."""


class IndexMoment(NamedTuple):
    """How an index stands, all of it at one moment."""

    path: str
    """The index file."""
    bytes: int
    progress: IndexProgress
    memories: int
    problems: tuple[Problem, ...]


_NAMED = "(SELECT id FROM name WHERE text = ?)"
_FARTHEST = 2**63 - 1
"""Nanoseconds that SQLite can hold: until the year 2262."""


def build_filter_condition(wanted: Filter, *, now: float | None = None) -> tuple[str, list[object]]:
    """A condition on the table `entry` (by that name) and its parameters; '1' where everything is wanted.

    Homes are not looked at: an index holds one. `now` is seconds, the clock's by default.
    """
    moment = int(clock.now() if now is None else now)
    terms: list[str] = []
    values: list[object] = []
    if wanted.layers:
        codes = [LAYER_CODE[layer] for layer in sorted(wanted.layers)]
        # One by one, each small layer is read by an index of its own.
        each = " OR ".join(f"entry.layer={code}" for code in codes)
        terms.append(f"({each})" if wanted.layers <= set(SMALL) else _build_membership("entry.layer", codes))
    if not wanted.parts:
        # Behind the layer, which stands further forward in a row: of most rows no more is read.
        terms.append("entry.level = 0")
    if wanted.statuses:
        term, more = build_status_condition(wanted.statuses, moment)
        terms.append(term)
        values += more
    if wanted.kinds:
        term, names = build_kind_condition(wanted.kinds)
        terms.append(f"entry.{term}")
        values += names
    for limit, sign in ((wanted.since, ">="), (wanted.until, "<")):
        if limit is not None:
            # Without a time of its own an entry counts as changed when its file was.
            terms.append(
                f"(entry.ts {sign} ? OR entry.ts IS NULL AND entry.file IN (SELECT id FROM file WHERE mtime {sign} ?))"
            )
            values += [limit, max(-_FARTHEST, min(int(limit * 1e9), _FARTHEST))]
    if wanted.path:
        term, more = build_path_condition(wanted.path)
        terms.append(f"entry.file IN (SELECT id FROM file WHERE {term})")
        values += more
    if wanted.tags:
        held = " OR ".join(["instr(text, ?)"] * len(wanted.tags))
        terms.append(f"entry.tags IN (SELECT id FROM name WHERE text >= ? AND text < ? AND ({held}))")
        values += [TAGS, chr(ord(TAGS) + 1), *(f"{TAGS}{_clean_typed_text(one)}{TAGS}" for one in sorted(wanted.tags))]
    if wanted.session:
        terms.append(f"entry.session = {_NAMED} AND entry.file IN (SELECT file FROM born WHERE session = {_NAMED})")
        values += [f"{SESSION}{_clean_typed_text(wanted.session)}"] * 2
    if wanted.expiring is not None:
        terms.append("entry.expires < ?")
        values.append(wanted.expiring)
    for other in wanted.without:
        term, more = build_filter_condition(other._replace(parts=True), now=now)
        terms.append(f"NOT coalesce({term}, 0)")
        values += more
    return " AND ".join(terms) or "1", values


def build_kind_condition(wanted: frozenset[str]) -> tuple[str, list[str]]:
    """A condition on the column `kind`, of entries and of what is counted."""
    marks = ",".join("?" * len(wanted))
    return f"kind IN (SELECT id FROM name WHERE text IN ({marks}))", sorted(map(_clean_typed_text, wanted))


def build_status_condition(statuses: frozenset[Status], now: float) -> tuple[str, list[object]]:
    """A condition for these statuses, as they stand at `now` (seconds)."""
    fresh = [STATUS_CODE[one] for one in PERISHABLE if one in statuses]
    rest = [STATUS_CODE[one] for one in sorted(statuses) if one not in PERISHABLE]
    terms: list[str] = []
    values: list[object] = []
    if fresh:
        terms.append(f"({_build_membership('entry.status', fresh)} AND (entry.expires IS NULL OR entry.expires > ?))")
        values.append(now)
    if rest:
        terms.append(_build_membership("entry.status", rest))
    if Status.EXPIRED in statuses:
        codes = [STATUS_CODE[one] for one in PERISHABLE]
        terms.append(f"({_build_membership('entry.status', codes)} AND entry.expires <= ?)")
        values.append(now)
    return (terms[0] if len(terms) == 1 else f"({' OR '.join(terms)})"), values


def build_path_condition(path: str) -> tuple[str, list[object]]:
    """A condition on the table `file`: a path, the beginning of one, or a glob with '*' and '?'."""
    path = _clean_typed_text(path)
    if "*" in path or "?" in path:
        return "file.path GLOB ?", [path.replace("[", "[[]")]
    return "file.path >= ? AND file.path < ?", [path, path + "\U0010ffff"]


def matches_filter(
    wanted: Filter,
    *,
    layer: Layer,
    kind: str,
    path: str,
    status: Status,
    moment: float | None,
    tags: Iterable[str],
    session: str,
    expires: float | None,
) -> bool:
    """Whether a memory that stands in no index passes; `path` is relative to its home, which is not looked at. What it
    has none of is said so: a value that somebody forgets would pass, or be left out, unnoticed.
    """
    time = moment or 0.0
    return (
        (not wanted.layers or layer in wanted.layers)
        and (not wanted.statuses or status in wanted.statuses)
        and (not wanted.kinds or kind in wanted.kinds)
        and (wanted.since is None or time >= wanted.since)
        and (wanted.until is None or time < wanted.until)
        and matches_path_filter(path, wanted.path)
        and (not wanted.tags or not wanted.tags.isdisjoint(map(tag, tags)))
        and (not wanted.session or wanted.session == session)
        and (wanted.expiring is None or (expires is not None and expires < wanted.expiring))
        and not any(
            matches_filter(
                other,
                layer=layer,
                kind=kind,
                path=path,
                status=status,
                moment=moment,
                tags=tags,
                session=session,
                expires=expires,
            )
            for other in wanted.without
        )
    )


def matches_path_filter(path: str, wanted: str) -> bool:
    """`build_path_condition`, for one path."""
    if not wanted:
        return True
    if "*" in wanted or "?" in wanted:
        return fnmatch.fnmatchcase(path, wanted.replace("[", "[[]"))
    return path.startswith(wanted)


def compute_row_status(code: int, expires: float | None, now: float) -> Status:
    """The status of a row as it stands at `now`."""
    held = _BY_CODE[code] if 0 <= code < len(_BY_CODE) else Status.ACTIVE
    if expires is not None and expires <= now and held in PERISHABLE:
        return Status.EXPIRED
    return held


_BY_CODE = tuple(STATUS_CODE)


def _clean_typed_text(typed: str) -> str:
    """As SQLite takes it: a terminal hands over bytes that are no text as halves of characters."""
    return typed.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _build_membership(column: str, codes: list[int]) -> str:
    if len(codes) == 1:
        return f"{column}={codes[0]}"
    return f"{column} IN ({','.join(map(str, codes))})"
