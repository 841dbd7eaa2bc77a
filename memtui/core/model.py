"""The types that all packages share: layers, statuses, homes, memories, search results, transcripts.

In this order: Layer, Status, Level; Span, Entry, Memory; Problem and Parsed, the result of parsing a file; HomeOrigin,
Home and Filter; Parts, Route, Hit and Results, with a score explained in one line; Turn and Transcript; HomeStatus;
Role. Nothing here touches the disk. Times are seconds
since the epoch (UTC); None means that no time was recorded.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from itertools import chain
from operator import attrgetter

from memtui.core import clock
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Literal


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

TOPICS = ("user", "feedback", "project", "reference")
"""What kinds Claude Code gives its memories of topics: they hold until somebody changes them."""

PERISHABLE = (Status.ACTIVE, Status.CANDIDATE)
"""Statuses that the clock turns into expired; whatever was superseded, archived or deleted stays that."""


if TYPE_CHECKING:
    from typing import Literal

    Order = Literal["recent", "time", "dated", "path", "confidence"]
    """How a list is sorted: as last seen to change, by the memories' own times or else their files', by their own times
    with what has none behind, by place, by confidence."""
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
        self.start, self.end = start, end
        self.kind = kind
        """Lower case: fact, pref, decision, rule, todo, lesson, note, summary, session, event, …"""
        self.layer = layer
        """None: the layer of the file's role."""
        self.status = status
        self.heading = heading
        """The headings above it, outermost first, without '#'."""
        self.title = title
        """A short name where the text is long (a session's topic, a document's title); else empty."""
        self.created, self.updated = created, updated
        self.expires = expires
        self.confidence, self.importance = confidence, importance
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


class HomeOrigin(NamedTuple):
    """Whose a home is that others share with this machine: what stands in it is somebody else's word."""

    owner: str
    """The person; empty: it is the team's own."""
    machine: str
    team: str
    seen_at: float | None = None
    """When the copy last was right, in seconds; None: not known."""
    offline: bool = False
    """The team's server did not answer since."""
    own: bool = False
    """It is the same person's, on another machine."""

    @property
    def told(self) -> str:
        """For rows: 'ann@laptop'; the team's name where it is nobody's own."""
        return f"{self.owner}@{self.machine}" if self.owner else f"@{self.team}"


def dump_origin(origin: HomeOrigin | None) -> dict[str, Any] | None:
    """Whose a home is, for JSON; None: the person's own."""
    if origin is None:
        return None
    seen = origin.seen_at
    moment = None if seen is None else clock.convert_to_local(seen).isoformat(timespec="seconds")
    return {**origin._asdict(), "seen_at": moment}


class Home(NamedTuple):
    """A directory in which some tool keeps memory."""

    path: Path
    """Resolved and absolute; every other path of the home is relative to it."""
    layout: str
    reason: str
    """Why it has that layout, for a person: 'facts.json under areas/'."""
    label: str
    """Short name for the header: 'shop', '~/.claude/memory'."""
    project: str = ""
    """The project's key or directory this home belongs to; empty: the user's own."""
    current: bool = False
    """It belongs to the directory memtui was started in."""
    writable: bool = True
    config: str = ""
    """Its own tool's config file where that stands elsewhere, as in the project."""
    origin: HomeOrigin | None = None
    """Whose it is, where it is a copy of what somebody else shares; it is not writable then."""


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


class Parts(NamedTuple):
    """What a hit's score is made of: what `--explain` and the app's `why` show."""

    words: float = 0.0
    """0 to 1: the share of the best score by words that this query could have, without what neighbours give."""
    neighbours: float = 0.0
    """What the lines before and after it, in the same section, add to that."""
    meaning: float | None = None
    """Cosine of the query's vector and its own, with its neighbours' share; None: it has no vector, or none was
    asked for."""
    word_rank: int | None = None
    """Its place, from 1, in the list by words; None: it is not in it."""
    meaning_rank: int | None = None
    """Its place, from 1, in the list by meaning; None: it is not in it."""
    recency: float = 0.0
    """What the opt-in boost of new memories added."""
    recalled: str = ""
    """Why it was raised besides: 'names Caroline', 'of May 2023'; empty: it was not."""


class Route(NamedTuple):
    """A document that a rule leads to, before anything is searched (spec 002 level one, spec 000's INDEX.md)."""

    home: str
    path: str
    """Relative to the home; it exists."""
    trigger: str
    """The words of the query that led there, as the rule has them."""
    source: str
    """Where the rule stands: 'rules/memory-loader.md:7', 'INDEX.md:12', 'config'."""
    command: str = ""
    """The command that answers it, where the rule names its tool's own program; then the path may be empty."""

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by from one answer to the next."""
        return self.home, self.path


MARKDOWN = (".md", ".markdown", ".mdx")
PROSE = (*MARKDOWN, ".txt")
"""Endings of files in which a memory is whole lines, written and edited as they stand."""
JSON = (".json", ".jsonl")
DATABASES = (".db", ".sqlite", ".sqlite3")
RECORDS = (*JSON, *DATABASES)
"""Endings of files whose memories have nothing in common but their store."""


class Hit(NamedTuple):
    """One answer to a search: a place, why it is there, and the line as it stands in the file."""

    home: str
    path: str
    start_line: int
    end_line: int
    score: float
    """0 to 1. By words: the share of the best score that this query could have. By meaning alone: the cosine. Both
    together: see `search.vector.fuse`."""
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
    parts: Parts = Parts()
    turn: int = 0
    """Which of several memories on exactly these lines it is, from 0: a JSON file may be one line."""
    others: int = 0
    """How many more lines of the same memory were found than are among the hits; only its first hit says so."""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What it is known by from one answer to the next."""
        return self.home, self.path, self.start_line, self.turn

    @property
    def meant(self) -> bool:
        """Whether no word of the question stands there: it is near in meaning, and nothing else."""
        parts = self.parts
        return parts.meaning_rank is not None and parts.word_rank is None and not parts.words

    @property
    def document(self) -> tuple[object, ...]:
        """What people are shown its line within; what stands in a store of records stands by itself."""
        return self.key if self.path.endswith(RECORDS) else (self.home, self.path)


class Results(list[Hit]):
    """The hits, best first, and how they were found: a list, so that `for hit in vault.find(…)` is all it takes."""

    backend: str = "fts"
    """What really answered: fts, scan, vector or hybrid (or several: fts+scan)."""
    fusion: str = ""
    """How words and meaning were put together: zscore, rrf or weighted; empty: only one of them was asked."""
    model: str = ""
    """What the vectors were made by; empty: none were asked."""
    covered: tuple[int, int] = (0, 0)
    """How many memories have a vector, and of how many; equal: all have."""
    suggestion: str = ""
    """Nothing was found: the query with its words as they stand in the homes ("did you mean"); else empty."""
    routes: tuple[Route, ...] = ()
    """Documents that rules lead to, whatever the search found."""
    typed: str = ""
    """What was looked for once the filters written in the query were taken out, where there were any."""
    warning: str = ""
    """Empty, or why this answer may be incomplete: 'indexing 412 of 1,284 files'."""
    total: int = 0
    """How many entries match, filters applied; a lower bound where `more` is set."""
    documents: int = 0
    """Where `limit` counted documents, in how many of them hits were ranked."""
    more: bool = False
    bounded: bool = False
    """The newest were ranked first; the ranking of all matches is on its way (see `refine`)."""
    blocked: str = ""
    """Nothing was found: how many match without which filter; empty: none do, or there is no filter."""
    distant: bool = False
    """By meaning, nothing here is nearer to the query than chance would have it."""
    hidden: dict[Status, int]
    """Matches that the status filter left out."""

    def __init__(self, hits: list[Hit] | None = None) -> None:
        super().__init__(hits or [])
        self.hidden = {}
        self.origins: Mapping[str, HomeOrigin] = {}
        """Whose the homes are that others share, by path: what stands in them is their word."""


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


class Transcript(NamedTuple):
    """A session's turns, with what could not be understood counted rather than hidden."""

    turns: list[Turn]
    skipped: int = 0
    """Lines that were truncated, malformed or no objects."""
    unknown: int = 0
    """Well-formed records of kinds we do not show."""
    truncated: bool = False
    """The file was longer than what was read."""


class HomeProgress(NamedTuple):
    """How far the index of a home has come."""

    indexed: int
    total: int
    building: bool


class HomeStatus(NamedTuple):
    """How one home stands."""

    home: Home
    files: int
    """Files that the index holds."""
    memories: int
    """Those that hold: what lists show where nobody asks for more."""
    indexed: int
    total: int
    """Files that it should hold, as far as is known."""
    building: bool
    fresh_at: float | None
    """When index and disk were last seen to agree, in seconds; None: not yet."""
    backend: str
    """What searches are answered by: fts, scan or fts+scan."""
    watcher: str
    """watching, polling or off, with the reason where there is one."""
    problems: tuple[Problem, ...]
    index_path: str
    index_bytes: int
    warning: str = ""
    away: bool = False
    """The home itself was not there when it was last looked at."""
    vectors: int = 0
    """Memories that can be found by meaning, or hold nothing that has one."""
    vectors_total: int = 0
    model: str = ""
    """What makes their vectors; empty: not known yet, or nothing does."""
    vectors_why: str = ""
    """Why there are no vectors, or no more of them."""
    embedding: bool = False
    """Vectors are being made just now."""
    left_out: int = 0
    """Memories that no longer hold, and what stands in archives, templates and the like."""

    @property
    def unparsed(self) -> int:
        """Files with something in them that was not understood, however much."""
        return len({problem.path for problem in self.problems})


WHOLE = 10 * 1024 * 1024
"""Most bytes of one file that are read (reliability: a parser's size cap)."""


class Role(NamedTuple):
    """What a file is in its home: said by the layout from the path alone."""

    layer: Layer
    kind: str
    """Default kind of its entries; parsers may know better from headings or fields."""
    parser: str
    """A name in `PARSERS`."""
    limit: int = WHOLE
    """Bytes to read; 0: the parser opens the file itself (databases)."""
    project: str = ""
    """For L1 files that belong to one project, pattern or tool: its name."""
    status: Status = Status.ACTIVE
    """Of all that stands in it and holds, where the file itself is no live one: archived, a template, …"""
    shipped: bool = False
    """Its tool puts it there with text of its own, which no person wrote (see `formats.stock`)."""
