"""What happens to the order once words and meaning have spoken: newness, near-duplicates, a person's own reranker.

Newness is a tie-break everywhere (`rank`); as a boost it is asked for, since decay as a rule measured worse.
"""

from __future__ import annotations

from memtui import clock
from memtui.errors import UnavailableError
from memtui.locale import _
from memtui.model import Layer
from memtui.record import TYPE_CHECKING
from memtui.text import segment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.config import SearchConfig
    from memtui.search.candidate import Candidate

EVERGREEN = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE})
"""Layers that do not grow old."""

ALIKE = 0.8
"""Share of common words from which on two memories say the same."""

LOOKED_AT = 50
"""Hits that may change places with each other."""

_DAY = 86400.0


def freshened(candidates: Sequence[Candidate], config: SearchConfig) -> None:
    """Raise new memories, if the config asks for it: by up to `recency` of their score, half after `recency_days`."""
    if not config.recency:
        return
    now = clock.now()
    for candidate in candidates:
        if candidate.layer in EVERGREEN or candidate.time is None:
            continue
        days = max(0.0, now - candidate.time) / _DAY
        candidate.raised = candidate.score * config.recency * 0.5 ** (days / config.recency_days)
        candidate.score += candidate.raised


def diverse(found: list[Candidate], diversity: float, limit: int) -> list[Candidate]:
    """The same hits, a near-duplicate of a better one further down: maximal marginal relevance.

    0 changes nothing; 1 puts every near-duplicate behind all that is no repetition.
    """
    if not diversity or len(found) < 2:
        return found
    waiting = found[: max(LOOKED_AT, limit)]
    words = {id(one): frozenset(segment(one.body).split()) for one in waiting}
    spoken: dict[int, float] = {id(one): 0.0 for one in waiting}
    best = max(waiting[0].score, 1e-9)
    chosen: list[Candidate] = []
    while waiting:
        worth = [(1 - diversity) * one.score / best - diversity * spoken[id(one)] for one in waiting]
        taken = waiting.pop(worth.index(max(worth)))
        chosen.append(taken)
        if len(chosen) >= limit:
            break
        for one in waiting:
            alike = _alike(words[id(taken)], words[id(one)])
            if alike >= ALIKE:
                spoken[id(one)] = max(spoken[id(one)], alike)
    return [*chosen, *waiting, *found[max(LOOKED_AT, limit) :]]


def reranked(found: list[Candidate], command: str, query: str) -> tuple[list[Candidate], str]:
    """The best hits in the order that a command of the person's own gives them; why not, where it could not."""
    head = found[:LOOKED_AT]
    if not command or len(head) < 2:
        return found, ""
    from memtui.search.rerank import rerank

    try:
        scores = rerank(command, query, [one.raw for one in head])
    except UnavailableError as error:
        return found, _("not reranked: {why}").format(why=error)
    order = sorted(range(len(head)), key=lambda number: -scores[number])
    # Its scores are its own affair; ours go with the order, and each hit says where it was.
    kept = [one.score for one in head]
    for place, number in enumerate(order):
        head[number].score = kept[place]
        if place != number:
            moved = _("reranked from no. {number}").format(number=number + 1)
            head[number].recalled = ", ".join(filter(None, (head[number].recalled, moved)))
    return [*(head[number] for number in order), *found[LOOKED_AT:]], ""


def _alike(one: frozenset[str], two: frozenset[str]) -> float:
    return len(one & two) / max(len(one | two), 1)
