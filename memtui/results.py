"""What a search answers: hits, why each is there, and what was looked at and left out."""

from __future__ import annotations

from memtui import clock
from memtui.locale import _
from memtui.model import ASIDE, Layer, Status
from memtui.record import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

BACKENDS = {
    "fts": "sqlite_fts",
    "scan": "scan",
    "fts+scan": "sqlite_fts+scan",
    "hybrid": "sqlite_hybrid",
    "vector": "sqlite_vector",
}
"""What answered, in spec 001's words."""


ASIDE_ROLES = {Status.ARCHIVED: "archive"} | {status: status.value for status in Status if status in ASIDE}
"""What a file is, by the status of what stands in it, as `role:` asks for it."""


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

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by from one answer to the next."""
        return self.home, self.path


class Hit(NamedTuple):
    """One answer to a search: a place, why it is there, and the line as it stands in the file."""

    home: str
    path: str
    start_line: int
    end_line: int
    score: float
    """0 to 1. By words: the share of the best score that this query could have. By meaning alone: the cosine. Both
    together: see `search.fuse`."""
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


def aside(hidden: Mapping[Status, int]) -> str:
    """Of what the statuses hid, what stands in files that hold no memories of today, with how to see it:
    '12 in archive (role:archive)'; empty: nothing of it does."""
    told = [
        _("{count} in {role} (role:{role} shows them)").format(count=f"{hidden[status]:,}", role=role)
        for status, role in ASIDE_ROLES.items()
        if hidden.get(status)
    ]
    return ", ".join(told)


def answer(results: Results, root: str, warning: str) -> dict[str, Any]:
    """Spec 001 §5.1's document, and what grew beside it."""
    return {
        "results": [
            {
                "path": hit.path,
                "start_line": hit.start_line,
                "end_line": hit.end_line,
                "score": round(hit.score, 4),
                "snippet": hit.snippet,
                "home": hit.home,
                "layer": hit.layer.value,
                "kind": hit.kind,
                "status": hit.status.value,
                "heading": list(hit.heading),
                "time": None if hit.time is None else clock.local(hit.time).isoformat(timespec="seconds"),
                "why": hit.why,
                "id": hit.id,
                "parts": _parts(hit),
                "others": hit.others,
            }
            for hit in results
        ],
        "disabled": False,
        "backend": BACKENDS.get(results.backend, results.backend),
        "root": root,
        "warning": warning or None,
        "total": results.total,
        "more": results.more,
        "hidden": {status.value: number for status, number in results.hidden.items() if number},
        "fusion": results.fusion or None,
        "model": results.model or None,
        "covered": list(results.covered) if results.model else None,
        "distant": results.distant,
        "blocked": results.blocked or None,
        "suggestion": results.suggestion or None,
        "routes": [route._asdict() for route in results.routes],
        "query": results.typed or None,
    }


def _parts(hit: Hit) -> dict[str, Any]:
    """What the score is made of, figures as short as they are worth."""
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in hit.parts._asdict().items()
    }
