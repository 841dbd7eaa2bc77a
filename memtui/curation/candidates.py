"""What waits for a person's decision: candidates, each with what it says, where it comes from and where it would go.

Some are worked out afresh whenever somebody looks (distilled, contradiction, duplicate, secret), some are kept until
decided (proposed, quarantine: see `stored`). None of them changes anything by being there.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from memtui.curation.similar import normal

if TYPE_CHECKING:
    from memtui.edits import Draft, Target
    from memtui.model import Layer

Origin = Literal[
    "quarantine", "secret", "proposed", "capability", "contradiction", "stale", "weak", "distilled", "duplicate",
    "attachment",
]  # fmt: skip

ORIGINS: tuple[Origin, ...] = get_args(Origin)
"""In the order in which they are worth a person's time."""
ARCHIVING: frozenset[Origin] = frozenset({"weak", "stale"})
"""Approved, the memories that they name are archived."""
SETTLING: frozenset[Origin] = frozenset({"contradiction", "duplicate", "secret", "attachment", *ARCHIVING})
"""They decide about what stands there already: approving writes no new text."""
ADDING: frozenset[Origin] = frozenset({"distilled", "proposed"})
"""Approved, they add a memory and touch nothing that is there: what 'all that are safe' takes."""

DUPLICATE, BUDGET, ORDER, SECRET = "near-duplicate", "budget", "instruction", "secret"
LOCKED, UNDATED, EITHER, FINAL = "read-only", "undated", "either-or", "final"
"""What a warning begins with, before its colon and the sentence for a person."""


_NAMED = re.compile(r"(?m)^name: *(\S.*)$")


class Source(NamedTuple):
    """Where a candidate comes from."""

    home: str
    path: str
    line: int
    session: str = ""
    time: float | None = None


class Near(NamedTuple):
    """Something that says much the same and is kept already."""

    path: str
    line: int
    text: str
    likeness: float
    """0 to 1."""
    id: str
    """The memory's."""


class Candidate(NamedTuple):
    """Something that a person may approve or reject."""

    id: str
    """Stable as long as home, origin and text stay."""
    origin: Origin
    home: str
    text: str
    kind: str
    layer: Layer
    target: Target | None
    """Where it would be written, section and all; None: nowhere (`warnings` says why), or no new text is written."""
    score: float
    parts: tuple[tuple[str, str], ...] = ()
    """Name and value of what the score is made of, and why it is here: ('confidence', '.95')."""
    sources: tuple[Source, ...] = ()
    """Newest first."""
    seen: int = 1
    """On how many days it was said."""
    near: tuple[Near, ...] = ()
    """Nearest first."""
    warnings: tuple[str, ...] = ()
    """For a person; `review.approve_all` leaves out what has one."""
    time: float | None = None
    """When it was last said, or proposed."""
    memories: tuple[str, ...] = ()
    """Ids of the memories concerned; of a contradiction the newer first, of a duplicate the one to keep."""
    who: str = ""
    """Who proposed it; empty: memtui itself."""
    reason: str = ""
    """Why it is here, in a sentence for a person; of a rejected one, why it was rejected."""
    draft: Draft | None = None
    """What would be written, before its format gives it its shape."""
    stored: str = ""
    """The path of its file below the state directory, where it is kept; else empty."""

    @property
    def said(self) -> str:
        """What a list shows of it: a skill's name, not the head of its file."""
        named = _NAMED.search(self.text) if self.origin == "capability" else None
        return named[1] if named else self.text


class Finding(NamedTuple):
    """One thing that wants looking after."""

    what: str
    """duplicate, contradiction, secret, quarantine, chain, budget, rule or trash."""
    home: str
    path: str
    line: int
    """0: the whole file, or no file."""
    text: str
    """What is wrong, in a sentence for a person."""
    remedy: str
    """The verb that mends it, for a person: 'approve it in Review (5)'."""
    serious: bool = False
    """Something is lost, leaks or misleads until it is mended."""
    candidate: str = ""
    """The id of the candidate in Review that settles it."""
    memory: str = ""
    """The id of the memory it is about."""


class Refused(NamedTuple):
    """A fact that was not proposed, and why."""

    text: str
    reason: str
    """A short sentence: 'confidence .80 < .85'."""
    home: str
    path: str
    line: int


class Queue(NamedTuple):
    """What waits, and what does not."""

    waiting: list[Candidate]
    """What waits for longest where it matters most: by `ORIGINS`, then by score."""
    refused: list[Refused]
    rejected: list[Candidate]
    """What a person rejected, or an approval that was taken away again; only where somebody asks."""


def identified(origin: str, home: str, text: str) -> str:
    """The id of a candidate: the same for the same text, however it is spaced or punctuated."""
    return hashlib.sha256(
        "\0".join((origin, home, normal(text) or text)).encode("utf-8", "surrogatepass")
    ).hexdigest()[:16]
