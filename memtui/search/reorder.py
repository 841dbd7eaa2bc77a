"""The order after words and meaning: newness, near-duplicates, a person's own reranker.

Newness breaks ties everywhere (`rank`); as a boost it must be asked for, since decay as a rule measured worse.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core import clock
from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.core.model import Layer, Level, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.core.text import segment_text
from memtui.search.vocabulary import ASKING
from memtui.search.worth import matches_change

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.config import SearchConfig
    from memtui.core.model import Hit
    from memtui.search.candidate import SearchCandidate
    from memtui.search.terms import Term

EVERGREEN = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE})
"""Layers that do not grow old."""

ALIKE = 0.8
"""Share of common words from which on two memories say the same."""

SAME, LEAST = 0.5, 3
"""Share of common words, and how many, from which on two memories may tell of one thing, one of them how it is now."""

BRIEF, BRIEFLY = 6, 1.5
"""How many words that say something a short memory has at most, of which so many in common are enough."""

WEIGHED = 2000
"""Characters of a memory whose words are compared."""

FIRST = 10
"""Hits among which the newer of two that tell of one thing comes first."""

LATER = 3600.0
"""Seconds that make one of them the newer: files of one checkout are written within minutes."""

LINES, REPEATED = 3, 0.9
"""Lines of one memory that count in full, and what of its score each further one keeps beside those before it."""

LOOKED_AT = 50
"""Hits that may change places with each other."""

TOLD, NEAR = 0.5, 0.5
"""Of the words of the query that a memory holds, how many another one holds that says how it is now instead, and how
near to its score it comes: who tells a change rarely repeats all of what was said before."""

_DATED = compile_pattern(r"\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?(?:[Tt ]\d\d:\d\d\S*)?")

LINE, CLOSE, MOSTLY = 40, 0.7, 0.6
"""Words of a line that makes one statement; how near to the score of an older one it comes that it takes the place of,
and the share of the query's words that it holds."""

LIVE = frozenset({Status.ACTIVE, Status.CANDIDATE})

_DAY = 86400.0


def boost_recent(candidates: Sequence[SearchCandidate], config: SearchConfig) -> None:
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


def promote_current(found: list[SearchCandidate], terms: Sequence[Term] = ()) -> list[SearchCandidate]:
    """The same hits, of those among the first that tell of one thing the one that holds now before the others.

    What holds is live, and newer than what it replaces. It answers as much of the query as the other does, so that
    'the port of the shop' never gives way to a newer 'port of the bank'. They change places, and nothing else moves.
    What says that something changed comes before what was said of it earlier: see `_supersedes`.
    """
    first = found[:FIRST]
    times = [one.time for one in first if one.time is not None]
    if max(times, default=0.0) - min(times, default=0.0) <= LATER and all(
        one.status in LIVE for one in first
    ):
        return found
    words = [_split_words(_strip_values(one.body)) for one in first]
    alike: list[list[int]] = []
    for number in range(len(first)):
        group = next((one for one in alike if all(_told(words[number], words[two]) for two in one)), None)
        if group is None:
            alike.append([number])
        else:
            group.append(number)
    order = list(range(len(first)))
    for group in alike:
        kept = list(group)
        for place in range(1, len(kept)):
            at = place
            while at and _replaces(first[kept[at]], first[kept[at - 1]]):
                kept[at - 1], kept[at] = kept[at], kept[at - 1]
                at -= 1
        for place, number in zip(group, kept, strict=True):
            order[place] = number
    strong = [number for number, term in enumerate(terms) if not term.faint]
    for number in order[1:] if strong else ():
        one = first[number]
        if not one.dated or one.status not in LIVE:
            continue
        place = order.index(number)
        changed = matches_change(one)
        above = (
            at
            for at, old in enumerate(order[:place])
            if _restates(one, first[old], strong)
            or (changed and _supersedes(one, first[old], strong) and len(words[number] & words[old]) >= LEAST)
        )
        order.insert(next(above, place), order.pop(place))
    if order == list(range(len(first))):
        return found
    # Scores stay in their order, as places do.
    scores = [one.score for one in first]
    moved = [first[number] for number in order]
    for one, score in zip(moved, scores, strict=True):
        one.score = score
    return [*moved, *found[FIRST:]]


STRONG = 0.5
"""The share of the best other hit's score from which on a hit in the project's own base comes before it."""


def put_base_first(found: list[Hit], base: frozenset[str], other: frozenset[str]) -> None:
    """Spec 000: what the project's own base says comes before what an agent remembers of it, in the same places.

    `base` and `other` are paths of homes. Of two that tell of one thing the older says where it is told anew. The
    scores stay in their order, as places do.
    """
    first = found[:FIRST]
    best = max((hit.score for hit in first if hit.home in other), default=0.0)
    ours = [hit for hit in first if hit.home in base and hit.score >= STRONG * best]
    theirs = [hit for hit in first if hit.home in other]
    if not ours or not theirs:
        return
    words = {hit.key: _split_words(hit.snippet) for hit in (*ours, *theirs)}
    newer: dict[tuple[str, str, int, int], Hit] = {}
    for one in ours:
        for two in theirs:
            if (
                one.time
                and two.time
                and abs(one.time - two.time) > LATER
                and _told(words[one.key], words[two.key])
            ):
                late, old = (one, two) if one.time > two.time else (two, one)
                newer.setdefault(old.key, late)
    places = [number for number, hit in enumerate(first) if hit in ours or hit in theirs]
    scores = [first[number].score for number in places]
    for number, score, hit in zip(places, scores, (*ours, *theirs), strict=True):
        later = newer.get(hit.key)
        told = (
            ""
            if later is None
            else _("older than {path}:{line}").format(path=later.path, line=later.start_line)
        )
        found[number] = hit._replace(score=score, why=" · ".join(filter(None, (hit.why, told))))


def _split_words(text: str) -> frozenset[str]:
    """The words of a memory without the marks around them: what is struck out begins and ends with some."""
    return frozenset(
        filter(None, (word.strip("~*_`-,.;:()[]#") for word in segment_text(text[:WEIGHED]).split()))
    )


def _strip_values(text: str) -> str:
    """A memory's text without dates, in which two sayings of one thing differ."""
    return _DATED.sub(" ", text[:WEIGHED])


def _told(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two memories, by their words, may tell of one thing."""
    shared = len(one & two)
    if shared >= LEAST and shared / (len(one) + len(two) - shared) >= SAME:
        return True
    if shared < 2 or max(len(one), len(two)) > 4 * BRIEF:
        return False
    mine, theirs = _keep_saying(one), _keep_saying(two)
    return max(_measure(mine), _measure(theirs)) <= BRIEF and _measure(mine & theirs) >= BRIEFLY


@lru_cache(maxsize=256)
def _keep_saying(words: frozenset[str]) -> frozenset[str]:
    """Those of the words that say something: numbers and stop words do not. Each hit is compared with all others."""
    return frozenset(word for word in words if not word.isdecimal() and word not in ASKING)


def _measure(words: frozenset[str]) -> float:
    """How many words these are: a Chinese one is about two pairs of characters."""
    return sum([1.0 if word.isascii() else 0.5 for word in words])


def _replaces(one: SearchCandidate, two: SearchCandidate) -> bool:
    """Whether one memory, of two that tell of the same thing, is how it is now."""
    if any(held and not mine for mine, held in zip(one.own, two.own, strict=False)):
        return False
    if two.recalled and not one.recalled:
        # The query names a time.
        return False
    if (one.status in LIVE) is not (two.status in LIVE):
        return one.status in LIVE
    return one.time is not None and two.time is not None and one.time > two.time + LATER


def _supersedes(new: SearchCandidate, old: SearchCandidate, strong: Sequence[int]) -> bool:
    """Whether a memory that says that something changed tells what the query asks for anew. A line without a date of
    its own is taken for the older one: who writes a change down dates it."""
    if new.score < NEAR * old.score or new.status not in LIVE:
        return False
    if old.dated and not (new.time or 0.0) > (old.time or 0.0) + LATER:
        return False
    held = [number for number in strong if old.own[number]]
    both = sum([1 for number in held if new.own[number]])
    return both > 0 and both >= TOLD * len(held)


def _restates(new: SearchCandidate, old: SearchCandidate, strong: Sequence[int]) -> bool:
    """Whether a line answers anew what an older one answered: both are short, have dates of their own, and the new one
    holds all that the other holds of the query, and most of the query."""
    if not old.dated or max(new.length, old.length) > LINE or new.score < CLOSE * old.score:
        return False
    if old.recalled and not new.recalled:
        return False
    held = sum([1 for number in strong if new.own[number]])
    if held < 2 or held < MOSTLY * len(strong) or not (new.time or 0.0) > (old.time or 0.0) + LATER:
        return False
    return all(new.own[number] for number in strong if old.own[number])


def limit_per_memory(
    found: list[SearchCandidate], limit: int, owner: Callable[[SearchCandidate], int]
) -> list[SearchCandidate]:
    """The same hits, of one memory no more than its best lines unless the others are far better than what is left.

    One line of a long topic is not what another one is, so the best alone would not do. `owner` tells of a part which
    memory it belongs to. The best of each says how many more are not among the first `limit`.
    """
    looked_at = found[: max(LOOKED_AT, limit)]
    lines: dict[tuple[int, str, int], list[SearchCandidate]] = {}
    for one in looked_at:
        if one.level == Level.PART:
            one.memory = owner(one)
        same = lines.setdefault((id(one.home), one.path, one.memory), [])
        one.score *= REPEATED ** max(0, len(same) + 1 - LINES)
        same.append(one)
    if len(lines) == len(looked_at):
        return found
    looked_at.sort(key=lambda one: -one.score)
    shown = {id(one) for one in looked_at[:limit]}
    for same in lines.values():
        same[0].others = sum(id(one) not in shown for one in same[1:])
    rest = found[len(looked_at) :]
    for one in rest:
        one.score = min(one.score, looked_at[-1].score)
    return [*looked_at, *rest]


def diversify_hits(found: list[SearchCandidate], diversity: float, limit: int) -> list[SearchCandidate]:
    """The same hits, a near-duplicate of a better one further down: maximal marginal relevance.

    0 changes nothing; 1 puts every near-duplicate behind all that is no repetition.
    """
    if not diversity or len(found) < 2:
        return found
    waiting = found[: max(LOOKED_AT, limit)]
    words = {id(one): frozenset(segment_text(one.body).split()) for one in waiting}
    spoken: dict[int, float] = {id(one): 0.0 for one in waiting}
    best = max(waiting[0].score, 1e-9)
    chosen: list[SearchCandidate] = []
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


def rerank_by_command(
    found: list[SearchCandidate], command: str, query: str
) -> tuple[list[SearchCandidate], str]:
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
    shared = len(one & two)
    return shared / max(len(one) + len(two) - shared, 1)
