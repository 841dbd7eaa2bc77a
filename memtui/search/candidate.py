"""What ranking works on: a home to search, a memory that may be an answer, and what one home gives to a search."""

from __future__ import annotations

from memtui.core.model import Status
from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol
from memtui.search.terms import fold_searchable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from memtui.core.model import Filter, Home, Layer, Role
    from memtui.search.query import Query


LONGEST = 1 << 18
"""Characters of one memory that are weighed; there may be hundreds of them at once."""


class SearchCandidate:
    """One memory with its text, before it is known whether it is shown."""

    __slots__ = (
        "above", "body", "cosine", "crc", "cut", "dated", "found", "heading", "home", "kind", "last", "layer",
        "length", "level", "line", "meaning", "meaning_rank", "memory", "named", "neighbours", "order", "others",
        "own", "path", "prose", "raised", "raw", "reach", "recalled", "score", "status", "time", "turn", "word_rank",
        "words",
    )  # fmt: skip

    level: int
    """Whether it is a memory by itself (`model.Level`)."""
    memory: int
    """Which memory of its file it is, or, where somebody looked, belongs to."""
    dated: bool
    """Its time is its own, not that of its file, which says nothing of the single line."""
    recalled: str
    """Why it is here whatever it holds: 'of last week'."""
    reach: int
    """The last line of what belongs to it; its own last one where nothing does."""
    named: str
    """Which of the query's names it holds: 'names shop'."""
    raised: float
    """What its newness added."""
    others: int
    """How many more lines of that memory match than are shown; only its best line says so."""
    heading: str
    """The headings above it, joined by U+001F, outermost first."""
    prose: bool
    """It stands among lines on one subject, so that a neighbour's match counts for it."""
    order: int
    """Grows with recency, inside one home."""
    raw: str
    """What is shown: the lines as they stand, or a record's readable text."""
    body: str
    """What is matched, folded."""
    found: bool
    """False: not a match of the index's, only a neighbour of one."""
    cut: bool
    """Too long to be weighed whole: it may match behind what was looked at."""
    length: int
    """Of the body: words, and two tokens for each CJK character."""
    own: Sequence[float]
    """How often the body holds each term of the query, once it was ranked."""
    above: Sequence[float]
    """What the headings add to that; empty where they hold none."""
    turn: int
    """Which of several records on the same lines it is, from 0."""
    words: float
    """The score by words, before its neighbours added to it."""
    crc: int
    """Of its bytes, as the index has it."""
    cosine: float | None
    """How near its vector is to the query's; None: nobody knows."""
    meaning: float | None
    """As much of that as counts."""
    neighbours: float
    """What the lines before and after it added to that."""

    def __init__(
        self,
        home: Home,
        path: str,
        line: int,
        last: int,
        layer: Layer,
        kind: str,
        status: Status,
        time: float | None,
        heading: str,
        prose: bool = False,
        order: int = 0,
    ) -> None:
        self.home = home
        self.path = path
        self.line = line
        self.last = last
        self.layer = layer
        self.kind = kind
        self.status = status
        self.time = time
        self.dated = time is not None
        self.heading = heading
        self.prose = prose
        self.order = order
        self.raw = ""
        self.body = ""
        self.found = True
        self.cut = False
        self.length = 0
        self.own = ()
        self.above = ()
        self.turn = 0
        self.score = 0.0
        self.words = 0.0
        self.level = 0
        self.memory = order
        self.reach = last
        self.others = 0
        self.crc = 0
        self.cosine = None
        self.meaning = None
        self.word_rank: int | None = None
        self.meaning_rank: int | None = None
        self.neighbours = 0.0
        self.recalled = ""
        self.named = ""
        self.raised = 0.0

    def fill(self, raw: str, searched: str | None) -> None:
        """Give it its text; `searched` where something else than `raw` is matched."""
        self.raw = raw
        self.body = fold_searchable(raw if searched is None else searched)
        self.length = _estimate_length(self.body)

    def trim(self) -> None:
        """Keep only as much of a very long text as is weighed."""
        if len(self.body) > LONGEST or len(self.raw) > LONGEST:
            self.body, self.raw, self.cut = self.body[:LONGEST], self.raw[:LONGEST], True
            self.length = _estimate_length(self.body)


class Spread(NamedTuple):
    """How near all of a home is to a query, where somebody else compared it."""

    mean: float
    """Of all memories' cosines."""
    deviation: float


class Pool:
    """What one home gives to a search: candidates, and what makes scores of several homes compare."""

    def __init__(self, size: int, candidates: list[SearchCandidate] | None = None, backend: str = "fts") -> None:
        self.size = size
        """Memories in the home that could have matched."""
        self.candidates = candidates or []
        self.frequencies: list[int] | None = None
        """How many memories hold each term of the query, in order; None: the candidates are all that match."""
        self.total = 0
        self.hidden: dict[Status, int] = {}
        self.more = False
        """Only a part was looked at: `total` is a lower bound."""
        self.bounded = False
        """The newest were ranked first; a full ranking is to be had."""
        self.backend = backend
        self.warning = ""
        self.spread: Spread | None = None
        """Where the home's meaning was asked with its words."""
        self.meant = 0
        """Memories that were compared then."""
        self.changed: list[str] = []
        """Files that are no longer as the index knows them."""


class Elsewhere(Protocol):
    """Homes that are not on this machine."""

    def list_homes(self) -> Sequence[Home]:
        """Those homes."""

    def ask(
        self, query: Query, wanted: Filter, depth: int, embed: Callable[[], Any] | None, *, words: bool
    ) -> Callable[[], list[Pool]]:
        """Begin to ask, by `words` and by meaning in one; what is called later waits for a moment at most.

        `embed` gives the query's vector, None: there is none; it is called where a server can use it. Never raises.
        """

    def bring(self, home: str, path: str) -> bool:
        """Have one file here. Raises UnavailableError, RefusedError, LockedError."""

    def close(self) -> None:
        """Let go of what is open."""


def leave_put_away(pools: Iterable[Pool], find_role: Callable[[str], Role | None]) -> None:
    """Leave out what somebody archived itself, so that no search brings it back that did not ask for it; what a file
    holds that is an archive is only old."""
    for pool in pools:
        kept = [
            one
            for one in pool.candidates
            if one.status is not Status.ARCHIVED
            or ((role := find_role(one.path)) is not None and role.status is Status.ARCHIVED)
        ]
        away = len(pool.candidates) - len(kept)
        if away:
            pool.candidates = kept
            pool.total -= away
            pool.hidden[Status.ARCHIVED] = pool.hidden.get(Status.ARCHIVED, 0) + away


def _estimate_length(body: str) -> int:
    # Three bytes for one CJK character.
    spaces = body.count(" ") + 1
    return spaces if body.isascii() else spaces + len(body.encode("utf-8", "replace")) - len(body)
