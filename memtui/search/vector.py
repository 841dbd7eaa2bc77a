"""Words and meaning combined, and candidates by meaning: the memories whose vectors are nearest to the query's.

`fuse` scores 0 to 1 by ranks (`rrf`, spec 002), by fixed weights (`weighted`, spec 001), or by `zscore`, the
default, which measured best: how many standard deviations nearer to the query a memory is than a random one,
plus `WORDS` times its score by words. That score is a share of the best possible, so words count as far as they
explain the query: they decide for a name or an error code, meaning does for a paraphrase or another language.
The best match by words gains `LEAD`. The score shown is 0.5 for a memory no nearer than any, and tends to 1.

`Sense` is what one query means. It asks `memtui.vectors`, and reads the texts of what they name.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial
from math import log, sqrt
from threading import Lock, Thread

from memtui.core.errors import UnavailableError
from memtui.core.locale import _, format_share
from memtui.core.model import Layer
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.index.schema import LAYER_CODE
from memtui.search.terms import fold
from memtui.search.worth import (
    ASKING,
    BOOKS,
    SPOKEN,
    THIN,
    UNTOLD,
    is_bare_name,
    is_bookkeeping,
    is_question,
    is_reason_question,
    is_time_question,
    matches_speaker,
    measure_question_share,
    measure_thinness,
    read_bearing,
    share_question_scores,
    weigh_answer,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.config import SearchConfig
    from memtui.core.model import Results
    from memtui.search.candidate import Pool, SearchCandidate, Spread
    from memtui.search.fts import Lookup
    from memtui.search.query import Query
    from memtui.search.texts import SearchTarget
    from memtui.vectors.reader import Scores, Vectors

WORDS = 14.5
"""Standard deviations that a full match by words is worth; from 8 to 16 hardly anything changes."""

BEARING = 2.0
"""Standard deviations that a share of the best score is worth, of what a line gains as an answer by what it is."""

LEAD = 0.5
"""Standard deviations that the best match by words gains besides, others as much of it as they are worth beside the
best: of a long question, or a Chinese one, whose pairs of characters are mostly none of its words, even the best
holds little, and is still the best."""

MANY, CHANCE = 20, 0.5
"""What so many memories have by words is half chance, and taken off."""

HALFWAY = 4.0
"""The sum at which the score is half way from 0.5 to 1."""

FAR = 0.55
"""A score by deviations below which a memory that holds none of the words is no answer: nearer than two of three."""

FEW, TYPICAL = 20, 0.03
"""Memories among which nobody can say what is near: as far as they are fewer, models are taken to spread cosines so."""

LUCK = 0.95
"""How much of what chance may do tells an answer from none: at 1, more than a quarter of the right answers are doubted,
too."""

K = 60
CUT = 20
"""RRF as spec 002 has it; of each list only the best count, as the long tail of a weak list outvotes a strong one."""

Held = tuple["Scores | Spread", int]
"""How near a home's memories are, and how many they are."""


def fuse(
    candidates: Sequence[SearchCandidate], held: Sequence[Held], how: str, query: str, weight: float = 0.7
) -> None:
    """Give every candidate its score of both, 0 to 1, by `how`: zscore, rrf or weighted.

    `weight` is that of meaning where they are weighted (spec 001).
    """
    mean, deviation = compute_score_spread(held)
    weigh(candidates, deviation, query)
    assign_ranks(candidates)
    if how == "rrf":
        _fuse_by_ranks(candidates)
    elif how == "weighted":
        for candidate in candidates:
            candidate.score = (1 - weight) * candidate.score + weight * max(0.0, candidate.meaning or 0.0)
    else:
        _fuse_by_deviations(candidates, mean, deviation, is_time_question(query))


def compute_chance_score(held: Sequence[Held]) -> float:
    """The score that the nearest of so many memories has by chance: below it nothing is nearer than what somebody asks
    who asks of something else. It is learned from how a model's own cosines lie, so it is the same for all models."""
    count = sum(count for _scores, count in held)
    farthest = LUCK * sqrt(2 * log(count)) if count >= FEW else 0.0
    return 0.5 * (1 + farthest / (HALFWAY + farthest))


def weigh(candidates: Sequence[SearchCandidate], deviation: float, query: str) -> None:
    """Make meaning of every candidate's cosine: less of it, where it is worth little as an answer to the query."""
    asked, when, named = is_question(query), is_time_question(query), fold(query)
    why = is_reason_question(query)
    bearings = _measure_bearings(candidates, query) if asked else {}
    for candidate in candidates:
        if candidate.cosine is not None:
            less = THIN * measure_thinness(candidate.raw) + (
                ASKING * measure_question_share(candidate.raw) if asked else 0.0
            )
            less += BOOKS if is_bookkeeping(candidate) or is_bare_name(candidate) else 0.0
            less += UNTOLD * (1 - weigh_answer(candidate, when, why)) if asked else 0.0
            more = SPOKEN if matches_speaker(candidate.raw, named) else 0.0
            more += BEARING * bearings.get(id(candidate), 0.0)
            candidate.meaning = candidate.cosine + (more - less) * deviation


def _measure_bearings(candidates: Sequence[SearchCandidate], query: str) -> dict[int, float]:
    """By `id`, how much more than the others a candidate is worth as an answer, so that all together stay as near."""
    measure_bearing = read_bearing(query)
    found = {id(one): measure_bearing(one) for one in candidates}
    mean = sum(found.values()) / max(len(found), 1)
    return {key: worth - mean for key, worth in found.items()}


def assign_ranks(candidates: Sequence[SearchCandidate]) -> None:
    """Each candidate's place in the list by words, and in that by meaning."""
    by_words = sorted((one for one in candidates if one.score > 0), key=lambda one: -one.score)
    for number, candidate in enumerate(by_words, 1):
        candidate.word_rank = number
    by_meaning = [(one.meaning, one) for one in candidates if one.meaning is not None]
    by_meaning.sort(key=lambda pair: -pair[0])
    for number, (_meaning, candidate) in enumerate(by_meaning, 1):
        candidate.meaning_rank = number


def _fuse_by_deviations(
    candidates: Sequence[SearchCandidate], mean: float, deviation: float, when: bool = False
) -> None:
    scores = sorted((candidate.score for candidate in candidates), reverse=True)
    chance = CHANCE * scores[min(MANY, len(scores) - 1)] if scores else 0.0
    best = scores[0] - chance if scores else 0.0
    for candidate in candidates:
        # Without a vector it is taken for one like any other.
        near = 0.0 if candidate.meaning is None else (candidate.meaning - mean) / deviation
        held = max(0.0, candidate.score - chance)
        candidate.score = near + WORDS * held + (LEAD * held / best if best > 0 else 0.0)
    lent = share_question_scores(candidates, when)
    for candidate in candidates:
        both = candidate.score + lent.get(id(candidate), 0.0)
        candidate.score = 0.5 * (1 + both / (HALFWAY + abs(both)))


def _fuse_by_ranks(candidates: Sequence[SearchCandidate]) -> None:
    most = 2 / (K + 1)
    for candidate in candidates:
        ranks = (candidate.word_rank, candidate.meaning_rank)
        candidate.score = sum(1 / (K + rank) for rank in ranks if rank is not None and rank <= CUT) / most


def compute_score_spread(held: Sequence[Held]) -> tuple[float, float]:
    """Mean and standard deviation over the memories of all homes."""
    total = sum(count for _scores, count in held) or 1
    mean = sum(count * scores.mean for scores, count in held) / total
    squares = sum(count * (scores.deviation**2 + scores.mean**2) for scores, count in held) / total
    spread_ = max(squares - mean * mean, 0.0)
    return mean, sqrt((total * spread_ + FEW * TYPICAL**2) / (total + FEW))


DEPTH = 200
"""Nearest memories whose texts are read."""

SHARE = 0.15
"""Of the vectors of the lines before and after, in a line's own."""

ALONE = 2
"""Memories of which half of what they have in common is their own."""

_WIDER = 4
"""How many times deeper is looked where a filter leaves too few."""


@cache
def _list_layer_codes(named: tuple[str, ...]) -> frozenset[int]:
    return frozenset(LAYER_CODE[layer] for layer in Layer if layer.value in named)


class _Beside:
    """What is computed on a thread of its own: numpy and SQLite both release the interpreter lock."""

    def __init__(self, work: Callable[[], Scores | None]) -> None:
        self._work = work
        self._found: Scores | None = None
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, name="memtui-meaning", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._found = self._work()
        except BaseException as error:  # raised where it is waited for
            self._error = error

    def wait(self) -> Scores | None:
        """What it came to. Raises what went wrong."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._found


class Sense:
    """What one query means. Made once for a search: its vector is asked for when the first home has any."""

    def __init__(self, mode: str, embed: Callable[[str], tuple[Any, str]] | None, config: SearchConfig) -> None:
        self.mode = mode
        self.held: list[Held] = []
        """How near the query is to all of a home, one for each home that could say."""
        self._fusion = config.fusion
        self._weight = config.meaning_weight
        self._model = ""
        self._why = ""
        self._covered = [0, 0]
        self._reasons: dict[str, None] = {}
        self._embed = embed
        self._vector: Any = None
        self._asking = Lock()
        self._asked = ""
        self._layers = _list_layer_codes(config.neighbours)
        self._targets: Sequence[SearchTarget] = ()
        self._common: Any = None
        self._beside: _Beside | None = None
        self._vectors: Vectors | None = None
        """Whose nearness is being computed beside the search."""

    @property
    def least(self) -> float:
        """The score below which what holds none of the words is no answer."""
        told = sum(count for _scores, count in self.held) >= FEW
        return FAR if told and self.mode != "vector" and self._fusion == "zscore" else 0.0

    def begin(self, targets: Sequence[SearchTarget]) -> None:
        """Forget what the homes said: the search of all these starts anew."""
        self._targets, self._common = targets, None
        self.held.clear()
        self._reasons.clear()
        self._covered = [0, 0]

    def served(self, targets: Sequence[SearchTarget]) -> bool:
        """Whether any home has vectors."""
        if self._why:
            return False
        return any(target.vectors is not None and target.vectors() is not None for target in targets)

    def add(self, target: SearchTarget, lookup: Lookup, pool: Pool) -> None:
        """Put the nearest memories that pass the filter among the candidates, and how near each of all is."""
        self._covered[1] += pool.size
        scores = self._fetch_scores(target)
        if scores is None:
            return
        known = {candidate.order for candidate in pool.candidates}
        depth = DEPTH
        while True:
            nearest = scores.best(depth)
            passed = lookup.passing([(id_, crc) for id_, crc, _score in nearest])
            if len(passed) >= DEPTH or len(nearest) < depth:
                break
            depth *= _WIDER
        lookup.take_beside(pool, [id_ for id_ in passed[:DEPTH] if id_ not in known])
        near = scores.of((candidate.order, candidate.crc) for candidate in pool.candidates)
        for candidate, score in zip(pool.candidates, near, strict=True):
            candidate.cosine = score

    def add_asked(self, pool: Pool) -> None:
        """Take in how near a home is whose meaning somebody else was asked for."""
        if pool.spread is not None:
            self.held.append((pool.spread, pool.meant))
            self._covered[0] += pool.meant
            self._covered[1] += max(pool.size, pool.meant)

    def blend(self, candidates: list[SearchCandidate]) -> None:
        """Put what the candidates mean into their scores."""
        if self.mode == "vector":
            weigh(candidates, compute_score_spread(self.held)[1], self._asked)
            assign_ranks(candidates)
            for candidate in candidates:
                candidate.score = max(0.0, candidate.meaning or 0.0)
        else:
            fuse(candidates, self.held, self._fusion, self._asked, self._weight)

    def tell(self, results: Results, warnings: dict[str, None]) -> None:
        """Say in the results what was asked by meaning, and what was not."""
        if self.held:
            results.backend = "vector" if self.mode == "vector" else "hybrid"
            results.fusion = "" if self.mode == "vector" else self._fusion
            results.model = self._model
            if results.fusion == "zscore":
                results.distant = bool(results) and results[0].score < compute_chance_score(self.held)
            results.covered = self._covered[0], max(self._covered)
            if self._covered[0] < self._covered[1]:
                told = _("{share} of the memories are searched by meaning so far, all of them by words")
                warnings[told.format(share=format_share(*self._covered))] = None
        elif self._covered[1] and (self._why or self.mode in {"hybrid", "vector"}):
            why = self._why or "; ".join(self._reasons) or _("there are no vectors yet: `memtui index` makes them")
            warnings[_("searched by words alone: {why}").format(why=why)] = None

    def start(self, target: SearchTarget, query: Query) -> None:
        """Compute how near the query is to a home's memories while its words are searched: `add` waits for it."""
        self._drop()
        vectors = None if self._why or target.vectors is None else target.vectors()
        if vectors is not None and vectors.count:
            self._vectors = vectors
            self._beside = _Beside(partial(self._compute, vectors, query.meant))

    def _drop(self) -> None:
        # The search that it was begun for did not come to its end.
        beside, self._beside, self._vectors = self._beside, None, None
        if beside is not None:
            with suppress(Exception):
                beside.wait()

    def _fetch_scores(self, target: SearchTarget) -> Scores | None:
        beside, vectors, self._beside, self._vectors = self._beside, self._vectors, None, None
        if beside is None or vectors is None:
            if not self._why and self.mode != "auto" and target.unmeant is not None and (why := target.unmeant()):
                self._reasons[why] = None
            return None
        scores = beside.wait()
        if scores is not None:
            self._covered[0] += vectors.count
            self.held.append((scores, vectors.count))
        return scores

    def embed(self, asked: str) -> Any:
        """The query's vector; None: there is none. Asked once, whoever needs it first."""
        with self._asking:
            if self._vector is None and not self._why:
                try:
                    if self._embed is None:
                        raise UnavailableError(_("no model makes vectors here"))
                    self._asked = asked
                    self._vector, self._model = self._embed(asked)
                except UnavailableError as error:
                    self._why = str(error)
            return self._vector

    def _compute(self, vectors: Vectors, asked: str) -> Scores | None:
        if self.embed(asked) is None:
            return None
        if len(self._vector) != vectors.dimensions:
            self._why = _("the model gives vectors of another length now; new memories will have all made anew")
            return None
        return vectors.scores(self._vector, share=SHARE, common=self._find_common(vectors), layers=self._layers)

    def _find_common(self, vectors: Vectors) -> Any:
        """What the memories of all homes have in common, so that homes compare."""
        if self._common is None:
            every = [held for target in self._targets if target.vectors is not None and (held := target.vectors())]
            sums = [held.add_up() for held in every if held.dimensions == vectors.dimensions] or [vectors.add_up()]
            self._common = sum(total for total, _count in sums) / (sum(count for _total, count in sums) + ALONE)
        return self._common
