"""The order after words and meaning: newness, near-duplicates, a person's own reranker.

Newness breaks ties everywhere (`rank`); as a boost it must be asked for, since decay as a rule measured worse.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log

from memtui.core import clock
from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.core.model import RECORDS, Layer, Level, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.core.text import segment_text
from memtui.search.vocabulary import ASKING
from memtui.search.worth import is_question, matches_change

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.config import SearchConfig
    from memtui.core.model import Hit
    from memtui.search.candidate import SearchCandidate
    from memtui.search.query import Query

EVERGREEN = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE})
"""Layers that do not grow old."""

SAME, LEAST = 0.5, 3
"""Share of common words, and how many, from which on two memories may have one subject, one being its current state."""

BRIEF, BRIEFLY = 6, 1.5
"""How many words that say something a short memory has at most, of which so many in common are enough."""

GLANCED = 400
"""Characters of a memory in which its date is looked for."""

WEIGHED = 2000
"""Characters of a memory whose words are compared."""

FIRST = 10
"""Hits among which the newer of two about one subject comes first."""

LATER = 3600.0
"""Seconds that make one of them the newer: files of one checkout are written within minutes."""

LINES, REPEATED = 3, 0.9
"""Lines of one memory that count in full, and what of its score each further one keeps beside those before it."""

INSIDE = 4
"""Lines of one document that people are shown at once."""

LOOKED_AT = 50
"""Hits that may change places with each other."""

_DATED = compile_pattern(r"\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?(?:[Tt ]\d\d:\d\d\S*)?")

_MONTH = compile_pattern(
    r"(?<![\d./-])(20\d\d)(?:\s?年\s?|[-/.])(1[0-2]|0?[1-9])(?:\s?月(?!\s?\d)|(?![-/.\d年月]))"
    r"|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (20\d\d)(?!\d)",
    re.IGNORECASE,
)
"""A month by which a line, or the heading above it, says when: too little for a date that is shown, enough to tell the
newer of two."""
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"

TOLD, NEAR = 0.5, 0.5
"""Of the words of the query that a memory holds, how many another one holds that says that something changed, and how
near to its score it comes: who tells a change rarely repeats all of what was said before."""

_VALUE = compile_pattern(r"\d+(?:[.:]\d+)*")
_ADDRESS = compile_pattern(r"https?://|\w\.(?:com|dev|io|net|org|internal|cn|cloud)\b|\b\d+\.\d+\.\d+\.\d+")
_PATH = compile_pattern(r"(?<!\w)[/~][\w.-]+/")
_PAST = compile_pattern(
    r"\b(?:before\b|previous|former|earlier\b|used to\b|back then\b|histor|old\b)"
    r"|原来|原先|原本|之前|以前|从前|曾经|先前|旧的|历史|上一[版次个代]|上个版本",
    re.IGNORECASE,
)
"""A query that asks how it was."""
_FIRST = compile_pattern(
    r"\b(?:original|initial|at first\b|at launch\b|(?:in|at) the (?:beginning|start)\b)"
    r"|最初|最早|最开始|一开始|起初|当初",
    re.IGNORECASE,
)
"""A query that asks how it was at first."""

_WEIGHTS = (-4.6, 0.69, -2.71, -3.43, -0.55, 4.65, -1.48, -0.93, -1.46, 7.12, 0.53, -1.09, -0.83)
"""Weights of the score that a newer memory restates what an older one stated: constant; the share of the query, by how
rare its words are, that both hold, that only the old one holds, and only the new one; of the words that say something,
the share that both hold of all, and of the shorter one's, and how many, up to `BRIEF`; values of the same kind in both,
and in one alone; how near the scores are; the same headings; the query's rarest word held by both; a question. Fitted
to statements that took each other's place, in five forms, and to answers of questions over real homes that must
stay."""

ASKED = 2
"""So many words name what of a subject is asked for; of one, all that is known is wanted, and none replaces another."""
SURE = -0.5
"""Score from which on it does: below it questions over real homes lose more right answers than they gain."""

HALF, DOUBT = 0.45, 0.75
"""The share of what is asked that only the older one holds, from which on it has to be surer by so much: it may be the
same of something else."""

LIKELY, COMMON = -3.0, 1.8
"""Score from which on it does where both restate what a third memory stated, and how many words each has in common with
that one."""

NEVER = -9.0
"""The score where it cannot be."""

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


def promote_current(found: list[SearchCandidate], query: Query) -> list[SearchCandidate]:
    """The same hits; among the first, a memory that restates what the query asks for comes before older statements.

    The current one is live, and newer than what it replaces; whether both have one subject is judged by `_WEIGHTS`. A
    query for how it was before gets the older one first, a query for how it was at first the oldest.
    """
    first = found[:FIRST]
    moments = list(map(_find_moment, first))
    times = [when for when in (*moments, *(one.time for one in first)) if when is not None]
    spread = max(times, default=0.0) - min(times, default=0.0)
    if spread <= LATER and all(one.status in LIVE for one in first):
        return found
    past = _FIRST.search(query.text) is not None
    if not past and _PAST.search(query.text):
        return found
    rare = _weigh_terms(found, query)
    asks = sum(weight > 0 for weight in rare) >= ASKED
    said: list[tuple[frozenset[str], frozenset[str]] | None] = [None] * len(first)

    def read(number: int) -> tuple[frozenset[str], frozenset[str]]:
        known = said[number]
        if known is None:
            text = _strip_values(first[number].body)
            known = said[number] = _keep_saying(_split_words(text)), _find_shapes(text)
        return known

    followed: dict[tuple[int, int], bool] = {}

    def weigh(late: int, early: int, bound: float = 1.5) -> float:
        """The score that one of them restates what the other stated; far below 0 where it cannot."""
        new, old = first[late], first[early]
        if not _may_replace(new, old, moments[late], moments[early]) or not (asks or old.status not in LIVE):
            return NEVER
        return _weigh_change(new, old, rare, read(late), read(early), is_question(query.text), bound)

    def follows(late: int, early: int) -> bool:
        """Whether one of them restates what the other stated, however well that one answers."""
        known = followed.get((late, early))
        if known is None:
            shared = _measure(read(late)[0] & read(early)[0])
            known = followed[late, early] = shared >= COMMON and weigh(late, early, 1.0) > 0
        return known

    order = list(range(len(first)))
    for number in order[1:]:
        place = order.index(number)
        for at in range(place):
            if past:
                before = follows(order[at], number)
            else:
                sure = weigh(number, order[at])
                before = sure > SURE or (
                    sure > LIKELY and any(follows(number, one) and follows(order[at], one) for one in order)
                )
            if before:
                order.insert(at, order.pop(place))
                break
    if order == list(range(len(first))):
        return found
    return [*_keep_scores(first, order), *found[FIRST:]]


def _weigh_terms(found: Sequence[SearchCandidate], query: Query) -> list[float]:
    """How rare each term of the query is among the hits; 0 where it says nothing."""
    rare: list[float] = []
    for number, term in enumerate(query.terms):
        held = sum([1 for one in found if one.own and one.own[number]])
        rare.append(0.0 if term.faint else log(1 + (len(found) - held + 0.5) / (held + 0.5)))
    return rare


def _keep_scores(first: Sequence[SearchCandidate], order: Sequence[int]) -> list[SearchCandidate]:
    """The hits in another order; scores stay in theirs, as places do."""
    scores = [one.score for one in first]
    moved = [first[number] for number in order]
    for one, score in zip(moved, scores, strict=True):
        one.score = score
    return moved


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
                and _may_share_subject(words[one.key], words[two.key])
            ):
                late, old = (one, two) if one.time > two.time else (two, one)
                newer.setdefault(old.key, late)
    places = [number for number, hit in enumerate(first) if hit in ours or hit in theirs]
    scores = [first[number].score for number in places]
    for number, score, hit in zip(places, scores, (*ours, *theirs), strict=True):
        later = newer.get(hit.key)
        told = "" if later is None else _("older than {path}:{line}").format(path=later.path, line=later.start_line)
        found[number] = hit._replace(score=score, why=" · ".join(filter(None, (hit.why, told))))


def _split_words(text: str) -> frozenset[str]:
    """The words of a memory without the marks around them: what is struck out begins and ends with some."""
    return frozenset(filter(None, (word.strip("~*_`-,.;:()[]#") for word in segment_text(text[:WEIGHED]).split())))


def _strip_values(text: str) -> str:
    """A memory's text without dates, in which two sayings of one thing differ."""
    return _DATED.sub(" ", text[:WEIGHED])


def _may_share_subject(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two memories, by their words, may have one subject."""
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


def _find_shapes(text: str) -> frozenset[str]:
    """What kinds of values a text gives: two about one subject give the same kind, or one of them words."""
    found = {"clock" if ":" in value else "decimal" if "." in value else "number" for value in _VALUE.findall(text)}
    if _ADDRESS.search(text):
        found.add("address")
    if _PATH.search(text):
        found.add("path")
    return frozenset(found)


def _may_replace(new: SearchCandidate, old: SearchCandidate, late: float | None, early: float | None) -> bool:
    """Whether one memory, if it has the same subject as another, states the current state. A line without a date of its
    own counts as the older one: who writes a change down dates it. `late` and `early`: when they were written down."""
    if new.status not in LIVE or new.score <= 0 or new.layer is Layer.EVOLUTION:
        # What was counted of a session says that something happened, not how it is.
        return False
    if old.recalled and not new.recalled:
        # The query names a time.
        return False
    if old.status not in LIVE:
        return True
    if early is None:
        return late is not None and matches_change(new)
    return late is not None and late > early + LATER


def _find_moment(one: SearchCandidate) -> float | None:
    """When a memory was written down, or the beginning of the month that it or its heading names; None: who knows."""
    if one.dated:
        return one.time
    for text in (one.raw[:GLANCED], one.heading.rpartition("\x1f")[2]):
        if found := _MONTH.search(text):
            year, month = (
                (found[1], int(found[2])) if found[1] else (found[4], _MONTHS.index(found[3].lower()) // 3 + 1)
            )
            moment = clock.parse(f"{year}-{month:02}-01")
            return moment if moment is not None and moment < clock.now() else None
    return None


def _compare_held(
    rare: Sequence[float], new: SearchCandidate, old: SearchCandidate
) -> tuple[float, float, float, bool]:
    """What of the query, by rarity, both hold, only the old one, only the new one; and whether both hold the rarest
    that the old one holds."""
    both = lost = won = most = shared_most = 0.0
    for worth, one, two in zip(rare, new.own, old.own, strict=False):
        if two:
            most = max(most, worth)
            if one:
                both += worth
                shared_most = max(shared_most, worth)
            else:
                lost += worth
        elif one:
            won += worth
    return both, lost, won, shared_most >= most


def _weigh_change(
    new: SearchCandidate,
    old: SearchCandidate,
    rare: Sequence[float],
    mine: tuple[frozenset[str], frozenset[str]],
    theirs: tuple[frozenset[str], frozenset[str]],
    question: bool,
    bound: float,
) -> float:
    """Above 0 where one memory restates what another stated of what the query asks for.

    `rare`: how rare each term of the query is; `mine` and `theirs`: the words that say something, and kinds of values;
    `bound`: how far a better score counts for the newer one.
    """
    whole = sum(rare) or 1.0
    both, lost, won, top = _compare_held(rare, new, old)
    (words, shapes), (others, old_shapes) = mine, theirs
    shared, length, other = _measure(words & others), _measure(words), _measure(others)
    held = [one > 0 for one, two in zip(new.own, old.own, strict=False) if two]
    if (
        matches_change(new)
        and new.score >= NEAR * old.score
        and sum(held) >= max(1, TOLD * len(held))
        and len(words & others) >= 2
    ):
        return 1.0
    if lost > both and shared >= SAME * (length + other - shared):
        # The same sentence of something else: 'the port of the bank' for 'the port of the shop'.
        return NEVER
    near = new.score / max(old.score, 1e-9)
    if old.meaning is not None or new.meaning is not None:
        # By meaning everything is near to everything: the words decide, or what both say.
        if old.words:
            near = min(near, new.words / old.words)
        elif shared < SAME * min(length, other) or shared < BRIEFLY:
            near = 0.0
    values = (
        1.0,
        both / whole,
        lost / whole,
        won / whole,
        shared / max(length + other - shared, 1.0),
        shared / max(min(length, other), 1.0),
        min(shared, BRIEF) / BRIEF,
        not shapes.isdisjoint(old_shapes),
        bool(shapes) is not bool(old_shapes),
        min(near, bound),
        new.heading == old.heading,
        top,
        question,
    )
    doubt = DOUBT if lost > HALF * whole else 0.0
    return sum([weight * value for weight, value in zip(_WEIGHTS, values, strict=True)]) - doubt


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


def limit_per_document(found: list[SearchCandidate], limit: int) -> tuple[list[SearchCandidate], int]:
    """The best lines of the first `limit` documents, best first, and how many documents there are.

    Of one no more than `INSIDE`, unless fewer than `limit` lines would be shown at all. The best of each says how many
    more of the same document are not among them.
    """
    documents: dict[tuple[int | str, ...], list[SearchCandidate]] = {}
    for number, one in enumerate(found):
        one.others = 0
        alone = one.path.endswith(RECORDS)
        documents.setdefault((number,) if alone else (id(one.home), one.path), []).append(one)
    first = list(documents.values())[:limit]
    # What only stands below a heading that matches is no answer beside one that is.
    shown = {id(one) for same in first for one in same[:INSIDE] if one is same[0] or any(one.own) or one.meaning_rank}
    theirs = {id(one) for same in first for one in same}
    for one in found:
        if len(shown) >= limit:
            break
        if id(one) in theirs:
            shown.add(id(one))
    for same in first:
        same[0].others = sum(id(one) not in shown for one in same[1:])
    return [one for one in found if id(one) in shown], len(documents)


def diversify_hits(found: list[SearchCandidate], diversity: float, limit: int) -> list[SearchCandidate]:
    """The same hits, what is like a better one further down: maximal marginal relevance (spec 001 §2.2).

    0 changes nothing; 1 looks at nothing but how new each is beside those above it.
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
            spoken[id(one)] = max(spoken[id(one)], _compute_overlap(words[id(taken)], words[id(one)]))
    return [*chosen, *waiting, *found[max(LOOKED_AT, limit) :]]


def rerank_by_command(found: list[SearchCandidate], command: str, query: str) -> tuple[list[SearchCandidate], str]:
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


def _compute_overlap(one: frozenset[str], two: frozenset[str]) -> float:
    shared = len(one & two)
    return shared / max(len(one) + len(two) - shared, 1)
