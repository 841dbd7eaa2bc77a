"""Candidates by meaning: the memories whose vectors stand nearest to the query's, whatever words they use.

The vectors themselves are `memtui.vectors`' business; here they are asked, and what they name gets its text.
"""

from __future__ import annotations

from functools import cache

from memtui.errors import UnavailableError
from memtui.index.schema import LAYER_CODE
from memtui.locale import _
from memtui.model import Layer
from memtui.record import TYPE_CHECKING, Any
from memtui.search.fuse import FAR, FEW, chance, fuse, ranked, spread, weigh

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.config import SearchConfig
    from memtui.results import Results
    from memtui.search.candidate import Candidate, Pool
    from memtui.search.fts import Lookup
    from memtui.search.fuse import Held
    from memtui.search.query import Query
    from memtui.search.target import Target
    from memtui.vectors import Scores

DEPTH = 200
"""Nearest memories whose texts are read."""

SHARE = 0.15
"""Of the vectors of the lines before and after, in a line's own."""

_WIDER = 4
"""How many times deeper is looked where a filter leaves too few."""


@cache
def _codes(named: tuple[str, ...]) -> frozenset[int]:
    return frozenset(LAYER_CODE[layer] for layer in Layer if layer.value in named)


class Sense:
    """What one query means. Made once for a search: its vector is asked for when the first home has any."""

    def __init__(
        self, mode: str, embed: Callable[[str], tuple[Any, str]] | None, config: SearchConfig
    ) -> None:
        self.mode = mode
        self.held: list[Held] = []
        """How near the query is to all of a home, one for each home that could say."""
        self._fusion = config.fusion
        self._model = ""
        self._why = ""
        self._covered = [0, 0]
        self._reasons: dict[str, None] = {}
        self._embed = embed
        self._vector: Any = None
        self._asked = ""
        self._layers = _codes(config.neighbours)

    @property
    def least(self) -> float:
        """The score below which what holds none of the words is no answer."""
        told = sum(count for _scores, count in self.held) >= FEW
        return FAR if told and self.mode != "vector" and self._fusion == "zscore" else 0.0

    def begin(self) -> None:
        """Forget what the homes said: the search starts anew."""
        self.held.clear()
        self._reasons.clear()
        self._covered = [0, 0]

    def served(self, targets: Sequence[Target]) -> bool:
        """Whether any home has vectors."""
        if self._why:
            return False
        return any(target.vectors is not None and target.vectors() is not None for target in targets)

    def add(self, target: Target, query: Query, lookup: Lookup, pool: Pool) -> None:
        """Put the nearest memories that pass the filter among the candidates, and how near each of all is."""
        self._covered[1] += pool.size
        scores = self._scores(target, query)
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

    def blend(self, candidates: list[Candidate]) -> None:
        """Put what the candidates mean into their scores."""
        if self.mode == "vector":
            weigh(candidates, spread(self.held)[1], self._asked)
            ranked(candidates)
            for candidate in candidates:
                candidate.score = max(0.0, candidate.meaning or 0.0)
        else:
            fuse(candidates, self.held, self._fusion, self._asked)

    def tell(self, results: Results, warnings: dict[str, None]) -> None:
        """Say in the results what was asked by meaning, and what was not."""
        if self.held:
            results.backend = "vector" if self.mode == "vector" else "hybrid"
            results.fusion = "" if self.mode == "vector" else self._fusion
            results.model = self._model
            if results.fusion == "zscore":
                results.distant = bool(results) and results[0].score < chance(self.held)
            results.covered = self._covered[0], max(self._covered)
            if self._covered[0] < self._covered[1]:
                done, total = (f"{number:,}" for number in self._covered)
                told = _("{done} of {total} memories are searched by meaning so far, all of them by words")
                warnings[told.format(done=done, total=total)] = None
        elif self._covered[1] and (self._why or self.mode in {"hybrid", "vector"}):
            why = (
                self._why
                or "; ".join(self._reasons)
                or _("there are no vectors yet: `memtui index` makes them")
            )
            warnings[_("searched by words alone: {why}").format(why=why)] = None

    def _scores(self, target: Target, query: Query) -> Scores | None:
        vectors = None if self._why or target.vectors is None else target.vectors()
        if vectors is None or not vectors.count:
            if (
                not self._why
                and self.mode != "auto"
                and target.unmeant is not None
                and (why := target.unmeant())
            ):
                self._reasons[why] = None
            return None
        if self._vector is None:
            try:
                if self._embed is None:
                    raise UnavailableError(_("no model makes vectors here"))
                self._asked = query.meant
                self._vector, self._model = self._embed(self._asked)
            except UnavailableError as error:
                self._why = str(error)
                return None
        if len(self._vector) != vectors.dimensions:
            self._why = _(
                "the model gives vectors of another length now; new memories will have all made anew"
            )
            return None
        self._covered[0] += vectors.count
        scores = vectors.scores(self._vector, share=SHARE, layers=self._layers)
        self.held.append((scores, vectors.count))
        return scores
