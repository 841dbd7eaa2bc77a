"""A memory that may be an answer, and the homes' share in finding them: what ranking works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memtui.search.words import searchable

if TYPE_CHECKING:
    from memtui.model import Home, Layer, Status


LONGEST = 1 << 18
"""Characters of one memory that are weighed; there may be hundreds of them at once."""


@dataclass(slots=True)
class Candidate:
    """One memory with its text, before it is known whether it is shown."""

    home: Home
    path: str
    line: int
    last: int
    layer: Layer
    kind: str
    status: Status
    time: float | None
    heading: str
    """The headings above it, joined by U+001F, outermost first."""
    raw: str = ""
    """What is shown: the lines as they stand, or a record's readable text."""
    body: str = ""
    """What is matched, folded."""
    prose: bool = False
    """It stands among lines that speak of one thing, so that a neighbour's match is worth something."""
    order: int = 0
    """Grows with recency, inside one home."""
    found: bool = True
    """False: not a match of the index's, only a neighbour of one."""
    cut: bool = False
    """Too long to be weighed whole: it may match behind what was looked at."""
    spoken: bool = True
    """Its own text holds a word of the query; False: only the headings above it do."""
    score: float = 0.0

    def fill(self, raw: str, searched: str | None) -> None:
        """Give it its text; `searched` where something else than `raw` is matched."""
        self.raw = raw
        self.body = searchable(raw if searched is None else searched)

    def trim(self) -> None:
        """Keep only as much of a very long text as is weighed."""
        if len(self.body) > LONGEST or len(self.raw) > LONGEST:
            self.body, self.raw, self.cut = self.body[:LONGEST], self.raw[:LONGEST], True


@dataclass(slots=True)
class Pool:
    """What one home gives to a search: candidates, and what makes scores of several homes compare."""

    size: int
    """Memories in the home that could have matched."""
    candidates: list[Candidate] = field(default_factory=list)
    frequencies: list[int] | None = None
    """How many memories hold each term of the query, in order; None: the candidates are all that match."""
    total: int = 0
    hidden: dict[Status, int] = field(default_factory=dict)
    more: bool = False
    """Only a part was looked at: `total` is a lower bound."""
    bounded: bool = False
    """The newest were ranked first; a full ranking is to be had."""
    backend: str = "fts"
    warning: str = ""
    changed: list[str] = field(default_factory=list)
    """Files that are no longer as the index knows them."""
