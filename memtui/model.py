"""The words of the house as types: layers, statuses, homes, memories, and what a search answers.

Nothing here touches the disk. Times are seconds since the epoch (UTC); None means that nobody wrote one down.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from itertools import chain
from operator import attrgetter

from memtui.record import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# No dataclasses here: importing them and having them write these classes would take longer than a search does.


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
    BACKUP = "backup"
    """From here on: what a file is that holds no memories of its own, by its layout; what stands in it is found by
    search when it is asked for, and never proposed from."""
    TEMPLATE = "template"
    SKILL = "skill"
    STATE = "state"
    GENERATED = "generated"
    CODE = "code"


ASIDE = frozenset({
    Status.BACKUP, Status.TEMPLATE, Status.SKILL, Status.STATE, Status.GENERATED, Status.CODE,
})  # fmt: skip
"""Of what stands in files that hold no memories of their own."""

PERISHABLE = (Status.ACTIVE, Status.CANDIDATE)
"""Statuses that the clock turns into expired; whatever was superseded, archived or deleted stays that."""


if TYPE_CHECKING:
    from typing import Literal

    Order = Literal["recent", "time", "path", "confidence"]
    """How a list is sorted: as last seen to change, by the memories' own times, by place, by confidence."""
else:
    Order = str


class Level(IntEnum):
    """Whether an entry is a memory, a row of its own, or stands within one."""

    MEMORY = 0
    PART = 1
    """Belongs to the memory before it in its file that reaches this far."""
    CONTEXT = 2
    """Says nothing of its own: a label that only introduces, a heading, a table of contents. Found, never listed."""


class Span(NamedTuple):
    """Where a memory stands: lines are 1-based and inclusive; etag names the bytes that were read."""

    path: str
    start: int
    end: int
    etag: str


class Entry:
    """What a parser yields: one remembered thing, not yet placed in a home.

    Made by the hundred thousand, so it is a plain slotted class with defaults: parsers set what they know.
    """

    __slots__ = (
        "confidence", "created", "end", "entities", "evidence", "expires", "extra", "heading", "importance", "key",
        "kind", "layer", "level", "links", "reach", "search", "session", "source", "start", "status", "superseded_by",
        "tags", "text", "title", "updated",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        kind: str = "note",
        layer: Layer | None = None,
        status: Status = Status.ACTIVE,
        heading: tuple[str, ...] = (),
        title: str = "",
        created: float | None = None,
        updated: float | None = None,
        expires: float | None = None,
        confidence: float | None = None,
        importance: float | None = None,
        tags: tuple[str, ...] = (),
        entities: tuple[str, ...] = (),
        session: str = "",
        evidence: str = "",
        source: str = "",
        key: str = "",
        superseded_by: str = "",
        links: tuple[str, ...] = (),
        search: str | None = None,
        extra: Mapping[str, Any] | None = None,
        level: Level = Level.MEMORY,
        reach: int = 0,
    ) -> None:
        self.text = text
        """What a person reads: no bullet, no timestamp, no kind marker; newlines allowed."""
        self.start = start
        self.end = end
        self.kind = kind
        """Lower case: fact, pref, decision, rule, todo, lesson, note, summary, session, event, …"""
        self.layer = layer
        """None: the layer of the file's role."""
        self.status = status
        self.heading = heading
        """The headings above it, outermost first, without '#'."""
        self.title = title
        """A short name where the text is long (a session's topic, a document's title); else empty."""
        self.created = created
        self.updated = updated
        self.expires = expires
        self.confidence = confidence
        self.importance = importance
        self.tags = tags
        self.entities = entities
        self.session = session
        self.evidence = evidence
        self.source = source
        self.key = key
        """The home's own id for it (fact-001, a row id); unique in its file at best."""
        self.superseded_by = superseded_by
        self.links = links
        """Targets of Markdown and wiki links, as written."""
        self.search = search
        """What to index instead of the raw lines (records of JSON and databases); None: the lines themselves."""
        self.extra: Mapping[str, Any] = {} if extra is None else extra
        """Keys that no field above takes, as they stand on disk."""
        self.level = level
        self.reach = reach
        """The last line of what belongs to it, its parts; 0: it has none, and ends where its own lines do."""

    @property
    def last(self) -> int:
        """The last line of it with its parts."""
        return max(self.end, self.reach)

    def fields(self) -> dict[str, Any]:
        """All that is known of it, by name."""
        slots = chain.from_iterable(getattr(kind, "__slots__", ()) for kind in type(self).__mro__)
        return {name: getattr(self, name) for name in slots}

    __hash__ = None  # type: ignore[assignment]  # parsers and vaults go on changing it

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Entry)
        return self.fields() == other.fields()

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.fields().items())
        return f"{type(self).__name__}({told})"


values = attrgetter(*(name for name in Entry.__init__.__annotations__ if name != "return"))
"""An entry's fields in the order of its parameters: `Memory(*values(entry))` is a copy, made faster than by name."""


class Memory(Entry):
    """An entry in its place: what the vault hands out."""

    __slots__ = ("etag", "home", "id", "modified", "path")

    def __init__(
        self,
        *entry: Any,
        id: str = "",
        home: str = "",
        path: str = "",
        etag: str = "",
        modified: float | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*entry, **named)
        self.id = id
        """Stable while home, path and text stay: the cursor holds on to it."""
        self.home = home
        """The home's path, as `Home.path` prints it."""
        self.path = path
        """Relative to the home, '/'-separated."""
        self.etag = etag
        self.modified = modified
        """When its file last changed: lists go by it where the memory itself names no time."""

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


class Parsed(NamedTuple):
    """One file, read: its text as lines are counted in it, the entries, and what was wrong."""

    text: str
    entries: list[Entry]
    problems: list[Problem]
    title: str = ""


class Home(NamedTuple):
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


class Filter(NamedTuple):
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
    tags: frozenset[str] = frozenset()
    """One of these, as `text.tag` has them."""
    session: str = ""
    """Only what belongs to the session with this id, or comes from it."""
    without: tuple[Filter, ...] = ()
    """What passes one of these is left out, homes aside."""
    expiring: float | None = None
    """Only what expires before that moment (seconds)."""
    parts: bool = False
    """Also what stands within memories, as search finds it; else memories only, each once."""
