"""The words of the house as types: layers, statuses, homes, memories, sessions' turns.

Nothing here touches the disk. Times are seconds since the epoch (UTC); None means that nobody wrote one down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Layer(StrEnum):
    """Which kind of remembering a memory belongs to (specs 000 to 004, made one)."""

    PROFILE = "profile"
    """L0: the user's own files; no system writes them (spec 000)."""
    CORE = "core"
    """MEMORY.md and its kin: read at every session start."""
    KNOWLEDGE = "knowledge"
    """L1: facts, rules, summaries, module documents, topic files."""
    SESSION = "session"
    """L2: what happened in one session."""
    JOURNAL = "journal"
    """Daily notes and daily facts, append-only."""
    EVOLUTION = "evolution"
    """Audit events, signal reports, capabilities (spec 002)."""


class Status(StrEnum):
    """Whether a memory still holds. Only active ones are shown unless somebody asks."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    DELETED = "deleted"
    EXPIRED = "expired"
    CANDIDATE = "candidate"


PERISHABLE = (Status.ACTIVE, Status.CANDIDATE)
"""Statuses that the clock turns into expired; whatever was superseded, archived or deleted stays that."""


Order = Literal["recent", "time", "path", "confidence"]
"""How a list is sorted: as last seen to change, by the memories' own times, by place, by confidence."""


class Span(NamedTuple):
    """Where a memory stands: lines are 1-based and inclusive; etag names the bytes that were read."""

    path: str
    start: int
    end: int
    etag: str


@dataclass(slots=True)
class Entry:
    """What a parser yields: one remembered thing, not yet placed in a home.

    Made by the hundred thousand, so it is a plain slotted class with defaults: parsers set what they know.
    """

    text: str
    """What a person reads: no bullet, no timestamp, no kind marker; newlines allowed."""
    start: int
    end: int
    kind: str = "note"
    """Lower case: fact, pref, decision, rule, todo, lesson, note, summary, session, event, …"""
    layer: Layer | None = None
    """None: the layer of the file's role."""
    status: Status = Status.ACTIVE
    heading: tuple[str, ...] = ()
    """The headings above it, outermost first, without '#'."""
    title: str = ""
    """A short name where the text is long (a session's topic, a document's title); else empty."""
    created: float | None = None
    updated: float | None = None
    expires: float | None = None
    confidence: float | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    session: str = ""
    evidence: str = ""
    source: str = ""
    key: str = ""
    """The home's own id for it (fact-001, a row id); unique in its file at best."""
    superseded_by: str = ""
    links: tuple[str, ...] = ()
    """Targets of Markdown and wiki links, as written."""
    search: str | None = None
    """What to index instead of the raw lines (records of JSON and databases); None: the lines themselves."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys that no field above takes, as they stand on disk."""


@dataclass(slots=True)
class Memory(Entry):
    """An entry in its place: what the vault hands out."""

    id: str = ""
    """Stable while home, path and text stay: the cursor holds on to it."""
    home: str = ""
    """The home's path, as `Home.path` prints it."""
    path: str = ""
    """Relative to the home, '/'-separated."""
    etag: str = ""

    @property
    def span(self) -> Span:
        """Where it stands, with the etag that an edit must expect."""
        return Span(self.path, self.start, self.end, self.etag)


class Problem(NamedTuple):
    """Something that could not be read: shown with its reason, never swallowed."""

    path: str
    line: int
    """1-based; 0: the whole file."""
    reason: str


@dataclass(slots=True)
class Parsed:
    """One file, read: its text as lines are counted in it, the entries, and what was wrong."""

    text: str
    entries: list[Entry]
    problems: list[Problem] = field(default_factory=list)
    title: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """A directory in which some tool keeps memory."""

    path: Path
    """Resolved and absolute; every other path of the home is relative to it."""
    layout: str
    reason: str
    """Why it was taken for that layout, for a person: 'facts.json under areas/'."""
    label: str
    """Short name for the header: 'shop', '~/.claude/memory'."""
    project: str = ""
    """The project's key or directory this home belongs to; empty: the user's own."""
    current: bool = False
    """It belongs to the directory memtui was started in."""
    writable: bool = True


class Turn(NamedTuple):
    """One step of a session's transcript: what was said, or a tool called."""

    role: str
    """user, assistant, tool, system, summary."""
    text: str
    time: float | None
    line: int
    """1-based line in the transcript."""
    tool: str = ""
    """The tool's name, for calls and results."""
    failed: bool = False
    sidechain: bool = False
    """Said by or to a sub-agent."""


@dataclass(slots=True)
class Transcript:
    """A session's turns, with what could not be understood counted rather than hidden."""

    turns: list[Turn]
    skipped: int = 0
    """Lines that were truncated, malformed or no objects."""
    unknown: int = 0
    """Well-formed records of kinds we do not show."""
    truncated: bool = False
    """The file was longer than what was read."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What to leave in: empty sets mean all. Shared by lists, counts and searches."""

    layers: frozenset[Layer] = frozenset()
    kinds: frozenset[str] = frozenset()
    homes: frozenset[str] = frozenset()
    """Paths of homes, as `Home.path` prints them."""
    statuses: frozenset[Status] = frozenset({Status.ACTIVE, Status.CANDIDATE})
    """Empty: every status. Expired is worked out from `expires` and the clock, whatever the file says."""
    since: float | None = None
    until: float | None = None
    """Exclusive. Entries without a time count as changed when their file was."""
    path: str = ""
    """A path or the beginning of one, relative to the home; '*' and '?' make it a glob."""


@dataclass(slots=True)
class Hit:
    """One answer to a search: a place, why it is there, and the line as it stands in the file."""

    home: str
    path: str
    start_line: int
    end_line: int
    score: float
    """0 to 1: the share of the best score that this query could have."""
    snippet: str
    layer: Layer
    kind: str
    why: str
    """For a person: which words matched, where: '偏好, pytest · heading 偏好'."""
    status: Status = Status.ACTIVE
    heading: tuple[str, ...] = ()
    time: float | None = None
    id: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the matches stand in `snippet`, as character offsets [start, end)."""


class Results(list[Hit]):
    """The hits, best first, and how they were found: a list, so that `for hit in vault.find(…)` is all it takes."""

    backend: str = "fts"
    """What really answered: fts, scan (or both: fts+scan)."""
    warning: str = ""
    """Empty, or why this answer may be incomplete: 'indexing 412 of 1,284 files'."""
    total: int = 0
    """How many entries match, filters applied; a lower bound where `more` is set."""
    more: bool = False
    bounded: bool = False
    """The newest were ranked first; the ranking of all matches is on its way (see `refine`)."""
    hidden: dict[Status, int]
    """Matches that the status filter left out."""

    def __init__(self, hits: list[Hit] | None = None) -> None:
        super().__init__(hits or [])
        self.hidden = {}
