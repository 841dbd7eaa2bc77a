"""One query put to several homes: which backend answers for each, and the hits of all of them merged and ranked."""

from __future__ import annotations

import re
import threading
import time
from contextlib import ExitStack
from functools import cache, partial

import apsw

from memtui.core.errors import MemtuiError, StaleIndexError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Hit, Layer, Parts, Results, Status
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.index.queries import Index
from memtui.index.schema import translate_decode_errors
from memtui.search.candidate import leave_put_away
from memtui.search.fts import DEPTH, Lookup, find_owner_id, share_depth, turn
from memtui.search.names import Namely, load_home_names
from memtui.search.query import parse
from memtui.search.rank import rank
from memtui.search.reorder import (
    boost_recent,
    diversify_hits,
    limit_per_document,
    limit_per_memory,
    promote_current,
    rerank_by_command,
)
from memtui.search.texts import MemoryTexts, build_snippet, explain_match
from memtui.search.times import LONGEST_QUERY, Timely
from memtui.search.vector import Sense
from memtui.search.worth import is_blank_field, is_question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.config import SearchConfig
    from memtui.search.candidate import Elsewhere, Pool, SearchCandidate
    from memtui.search.names import Names
    from memtui.search.query import Query
    from memtui.search.suggest import Advice
    from memtui.search.texts import SearchTarget

_RETRIED = 50
"""Candidates without a match in their text whose files are parsed for a title."""


@cache
def _parse_layers(named: tuple[str, ...]) -> frozenset[Layer]:
    return frozenset(layer for layer in Layer if layer.value in named)


_FILTERS = {
    "kinds": "kind:",
    "layers": "layer:",
    "tags": "tag:",
    "path": "path:",
    "since": "since:",
    "until": "until:",
    "expiring": "expiring:",
    "session": "session",
    "without": "-kind:, -path: …",
}
"""What may leave nothing, by the fields of a filter, as people write it; statuses are counted as hidden."""

PAUSE = 0.15
"""Seconds without another letter after which it is asked what a query means."""


class Inquiry:
    """A query on its way. `results` may be asked for again, to rank in full what was bounded."""

    def __init__(
        self,
        targets: Sequence[SearchTarget],
        query: Query,
        wanted: Filter,
        *,
        limit: int,
        mode: str,
        config: SearchConfig,
        sense: Sense | None,
        min_score: float,
        cancelled: Callable[[], bool] | None,
        grouped: bool = False,
        beyond: Elsewhere | None = None,
    ) -> None:
        self._targets = targets
        self._query = query
        self._done: dict[int, list[Pool]] = {}
        self._wanted = wanted
        self._asks_archive = False
        """Whether files that are an archive are searched, too, though nobody named a status: why something was decided
        stands in plans that are done."""
        self._narrow = wanted.statuses == Filter().statuses
        if self._narrow and is_question(query.text):
            self._look_in_archive()
        self._limit = limit
        self._grouped = grouped
        self._mode = mode
        self._config = config
        self._sense = sense
        self._layers = _parse_layers(config.neighbours)
        # What others share is searched beside one's own: together it is worth the work of one home.
        self._mirrors = frozenset(number for number, target in enumerate(targets) if target.home.origin is not None)
        self._min_score = min_score
        self._cancelled = cancelled
        self._beyond = beyond
        self._timely = Timely(query.text)
        self._namely: Namely | None = None
        self._names: dict[int, Names] = {}
        self._warnings: dict[str, None] = {}
        self._missing = False
        """Whether something of the query stands in none of the hits."""
        self._remarks: dict[str, None] = {}
        """What was done to the query for it to find anything."""

    def results(self, *, quick: bool) -> Results:
        """The hits. `quick`: where ranking all matches would take longer than a frame, the newest first."""
        texts = [target.texts or MemoryTexts(target.home) for target in self._targets]
        try:
            results = self._answer_soundly(self._query, texts, quick)
            if self._query.required and not results and not results.bounded:
                results = self._answer_unquoted(texts, quick, results)
            if self._narrow and not results and results.hidden.get(Status.ARCHIVED) and not self._asks_archive:
                self._look_in_archive()
                results = self._answer_soundly(self._query, texts, quick) or results
            if not results.bounded and self._query.parts and not any(hit.parts.words for hit in results):
                # Nothing holds the identifier as it stands; its words are better than nothing.
                self._done.clear()
                results = self._answer_soundly(self._query.loosened(), texts, quick)
            if not results.bounded and self._mode not in {"scan", "vector"}:
                results = self._answer_corrected(texts, quick, results)
            # By words first: a model takes longer than a frame.
            results.bounded = results.bounded or (quick and (self._has_meaning() or self._beyond is not None))
            if not results.bounded and not any(hit.parts.words for hit in results):
                results.suggestion = _load_advice().suggest(self._query, self._targets, self._wanted)
            if not results and not results.bounded and not results.suggestion:
                results.blocked = self._find_blocking_filter(texts)
            if not results and not results.warning:
                results.warning = _load_advice().name_unread(self._targets)
            return results
        except apsw.InterruptError:
            nothing = Results()
            nothing.more = True
            return nothing
        finally:
            for target, reading in zip(self._targets, texts, strict=True):
                if target.texts is None:
                    reading.close()

    def _look_in_archive(self) -> None:
        """From now on, search what files hold that are an archive as well."""
        self._asks_archive = True
        self._wanted = self._wanted._replace(statuses=self._wanted.statuses | {Status.ARCHIVED})
        self._done.clear()

    def refined(self, refine: Callable[[Results], None]) -> threading.Thread:
        """Rank every match in a thread of its own, with connections of its own, and hand over the answer."""
        thread = threading.Thread(target=self._refine_results, args=(refine,), name="memtui-refine", daemon=True)
        thread.start()
        return thread

    def _refine_results(self, refine: Callable[[Results], None]) -> None:
        if self._cancelled is not None and (self._has_meaning() or self._beyond is not None):
            # Not for every letter: rows would jump between two rankings, and a model takes the processor from keys.
            time.sleep(PAUSE)
            if self._cancelled():
                return
        shared = self._targets
        opened: list[Index] = []
        try:
            targets: list[SearchTarget] = []
            for number, target in enumerate(shared):
                index = target.index
                if index is not None and number not in self._done:
                    index = Index(index.place, index.path)
                    opened.append(index)
                targets.append(target.over(index))
            self._targets = targets
            results = self.results(quick=False)
        except (MemtuiError, apsw.Error):
            # The first page stands; the next change or query asks again.
            return
        finally:
            for index in opened:
                index.close()
        if self._cancelled is None or not self._cancelled():
            refine(results)

    def _answer_soundly(self, query: Query, texts: Sequence[MemoryTexts], quick: bool) -> Results:
        """The answer; of the files alone, where an index breaks only after it named its matches."""
        try:
            return self._answer(query, texts, quick)
        except StaleIndexError:
            self._targets = [target.over(None) for target in self._targets]
            self._done.clear()
            return self._answer(query, texts, quick)

    def _find_blocking_filter(self, texts: Sequence[MemoryTexts]) -> str:
        """Which filter left nothing: the first without which something matches; else all of them together."""
        usual = Filter(parts=True)
        narrow = [field for field in _FILTERS if getattr(self._wanted, field) != getattr(usual, field)]
        ways: list[tuple[str, ...]] = [(field,) for field in narrow]
        if len(narrow) > 1:
            ways.append(tuple(narrow))
        for fields in ways:
            wider = self._wanted._replace(**{field: getattr(usual, field) for field in fields})
            other = Inquiry(
                self._targets,
                self._query,
                wider,
                limit=1,
                mode="scan" if self._mode == "scan" else "fts",
                config=self._config,
                sense=None,
                min_score=0.0,
                cancelled=self._cancelled,
            )
            count = other._answer(self._query, texts, False).total
            if count:
                named = ", ".join(_FILTERS[field] for field in fields)
                told = _n("{count} matches without {filter}", "{count} match without {filter}", count)
                return told.format(count=f"{count:,}", filter=named)
        return ""

    def _answer_unquoted(self, texts: Sequence[MemoryTexts], quick: bool, nothing: Results) -> Results:
        """The answer where nothing holds what is quoted: by its words, and with a word of it."""
        quoted = self._query.required[0].label.strip()
        self._query = self._query.unquoted()
        self._done.clear()
        self._remarks[_('nothing holds "{quoted}" to the letter: searched for its words').format(quoted=quoted)] = None
        results = self._answer_soundly(self._query, texts, quick)
        for status, number in nothing.hidden.items():
            results.hidden[status] = max(number, results.hidden.get(status, 0))
        return results

    def _answer_corrected(self, texts: Sequence[MemoryTexts], quick: bool, results: Results) -> Results:
        """The answer with what is mistyped among other words put right, and with a word of it."""
        query = self._query
        if query.required or query.literal or not any(hit.parts.words for hit in results):
            return results
        if not self._missing:
            return results
        text = query.text
        # The last word may not be finished.
        done = text.rpartition(" ")[0] if query.typing else text
        for slip, word in _load_advice().find_misspellings(done, self._targets).items() if done else ():
            text = re.sub(rf"(?<!\w){slip}(?!\w)", word, text, flags=re.IGNORECASE)
            told = _('"{slip}" stands nowhere: searched for "{word}"').format(slip=slip, word=word)
            self._remarks[told] = None
        if text == query.text:
            return results
        self._query = parse(text, query.typing)
        self._done.clear()
        return self._answer_soundly(self._query, texts, quick)

    def _answer(self, query: Query, texts: Sequence[MemoryTexts], quick: bool) -> Results:
        self._warnings = {target.warning: None for target in self._targets if target.warning}
        self._warnings.update(self._remarks)
        if self._sense is not None:
            self._sense.begin(self._targets)
        pools: list[Pool] = []
        answer = None if quick or query.literal else self._ask_beyond(query)
        with ExitStack() as still:
            lookups = self._look(query, texts, quick, still)
            for number, (target, reading) in enumerate(zip(self._targets, texts, strict=True)):
                held = self._done.get(number)
                if held is None:
                    held = self._collect_pools(query, target, reading, quick, lookups.get(number))
                    if self._asks_archive:
                        leave_put_away(held, reading.role)
                    if not any(pool.bounded for pool in held) and (not quick or self._sense is None):
                        self._done[number] = held
                pools += held
        pools += [] if answer is None else answer()
        if self._sense is not None and not quick and self._namely is None:
            pasted = len(query.text) > LONGEST_QUERY
            self._namely = Namely(query.text, [] if pasted else [self._load_known_names(one) for one in self._targets])
        found = self._rank_candidates(query, pools, texts)
        self._missing = not all(
            any(one.own and one.own[number] for one in found)
            for number, term in enumerate(query.terms)
            if term.fts and not term.faint
        )
        found = limit_per_memory(promote_current(found, query), self._limit, self._find_owner)
        found = diversify_hits(found, self._config.diversity, self._limit)
        if not quick:
            found, why_not = rerank_by_command(found, self._config.reranker, query.meant)
            if why_not:
                self._warnings[why_not] = None
        documents = 0
        shown = found[: self._limit]
        if self._grouped:
            shown, documents = limit_per_document(found, self._limit)
        results = Results([self._build_hit(query, candidate) for candidate in shown])
        results.documents = documents
        results.backend = "+".join(sorted({pool.backend for pool in pools})) or "scan"
        if self._sense is not None and not quick and not query.literal:
            self._sense.tell(results, self._warnings)
        for pool in pools:
            if pool.warning:
                self._warnings[pool.warning] = None
            results.more = results.more or pool.more
            results.bounded = results.bounded or pool.bounded
            for status, number in pool.hidden.items():
                results.hidden[status] = results.hidden.get(status, 0) + number
        results.total = len(found)
        if any(pool.frequencies is not None for pool in pools):
            results.total = max(len(found), sum(pool.total for pool in pools))
        results.warning = _("; ").join(self._warnings)
        return results

    def _ask_beyond(self, query: Query) -> Callable[[], list[Pool]] | None:
        """Begin to ask for homes that are not on this machine, by words and by meaning in one."""
        sense, beyond = self._sense, self._beyond
        if beyond is None:
            return None
        embed = None if sense is None else partial(sense.embed, query.meant)
        answer = beyond.ask(query, self._wanted, max(DEPTH, self._limit), embed, words=self._mode != "vector")

        def collect() -> list[Pool]:
            pools = answer()
            if sense is not None:
                for pool in pools:
                    sense.add_asked(pool)
            return pools

        return collect

    def _load_known_names(self, target: SearchTarget) -> Names:
        """The names that a home knows."""
        key = id(target.home)
        held = self._names.get(key)
        if held is None:
            held = self._names[key] = load_home_names(target)
        return held

    def _look(self, query: Query, texts: Sequence[MemoryTexts], quick: bool, still: ExitStack) -> dict[int, Lookup]:
        """Where others share something, the look into each home's index, each as deep as it is worth beside all others;
        until the end of `still` no index moves on."""
        if not self._mirrors or self._mode == "scan" or query.literal:
            return {}
        depth, part = max(DEPTH, self._limit), 1 / (1 + len(self._mirrors))
        lookups: dict[int, Lookup] = {}
        for number, (target, reading) in enumerate(zip(self._targets, texts, strict=True)):
            if target.index is not None:
                share = part if number in self._mirrors else 1.0
                lookups[number] = Lookup(target.home, target.index, reading, query, self._wanted, depth, part=share)
                still.enter_context(target.index.still())
        try:
            with translate_decode_errors(), ExitStack() as heard:
                for lookup in lookups.values() if self._cancelled is not None else ():
                    heard.enter_context(lookup.hear_cancelled(self._cancelled))
                share_depth(list(lookups.values()), quick=quick)
        except StaleIndexError:
            # Whose index it is comes out when that home is searched.
            return {}
        return lookups

    def _collect_pools(
        self, query: Query, target: SearchTarget, texts: MemoryTexts, quick: bool, lookup: Lookup | None
    ) -> list[Pool]:
        """What one home gives: its index and the files that it does not hold, or all of its files."""

        def scanned(paths: Iterable[str] | None = None, besides: frozenset[str] = frozenset()) -> Pool:
            from memtui.search.scan import Scan

            return Scan(target.home, query, self._wanted, cancelled=self._cancelled).pool(paths, besides)

        if self._mode == "scan" or query.literal:
            return [scanned()]
        if target.index is None:
            if self._mode == "fts":
                told = _("there is no index yet; searched the files themselves")
                self._warnings[_("searched the files themselves") if target.warning else told] = None
            return [scanned()]
        index = target.index
        try:
            with translate_decode_errors(), index.still():
                if lookup is None:
                    depth = max(DEPTH, self._limit)
                    lookup = Lookup(target.home, index, texts, query, self._wanted, depth)
                if self._sense is not None and not quick:
                    self._sense.start(target, query)
                pool = lookup.pool(quick=quick, cancelled=self._cancelled)
                if self._sense is not None and not quick:
                    self._sense.add(target, lookup, pool)
                if self._sense is not None and not quick and len(query.text) <= LONGEST_QUERY:
                    # The index is being read: another look at how it stands takes as long as a rare word.
                    self._load_known_names(target)
                if not quick and not query.literal:
                    self._timely.add(lookup, pool)
                besides = None if index.meta("complete") else frozenset(file.path for file in index.files())
        except StaleIndexError as error:
            self._warnings[str(error)] = None
            if target.damaged is not None:
                target.damaged(index, error)
            return [scanned()]
        if besides is not None and quick:
            # What is indexed so far comes first; the files that are still to come take longer.
            pool.bounded = pool.more = True
            return [pool]
        outside = dict.fromkeys([*target.pending, *pool.changed])
        if besides is None and not outside:
            return [pool]
        pool.candidates = [candidate for candidate in pool.candidates if candidate.path not in outside]
        return [pool, scanned(outside) if besides is None else scanned(None, besides - outside.keys())]

    def _rank_candidates(
        self, query: Query, pools: Sequence[Pool], texts: Sequence[MemoryTexts]
    ) -> list[SearchCandidate]:
        if query.literal:
            every = [candidate for pool in pools for candidate in pool.candidates]
            return sorted(every, key=lambda candidate: (candidate.time or 0.0, candidate.order), reverse=True)
        found = self._rank(query, pools)
        # The index also holds titles, which stand in no row of it.
        homes = {id(target.home): (target, one) for target, one in zip(self._targets, texts, strict=True)}
        retried = 0
        titled = False
        for pool in pools:
            lost = [one for one in pool.candidates if one.found and one.score <= 0] if pool.backend == "fts" else []
            for candidate in lost[: _RETRIED - retried]:
                target, reading = homes[id(candidate.home)]
                if target.index is not None:
                    retried += 1
                    try:
                        titled |= reading.titled(candidate, partial(turn, target.index))
                    except StaleIndexError as error:
                        if target.damaged is not None:
                            target.damaged(target.index, error)
                        raise
        if titled:
            found = self._rank(query, pools)
        if self._sense is not None and self._sense.held:
            # By meaning everything is a little like everything, and a name without anything behind it like no answer.
            least = self._sense.least
            found = [
                one
                for one in found
                if one.words or one.recalled or (one.score >= least and not is_blank_field(one.raw))
            ]
        return [candidate for candidate in found if candidate.score >= self._min_score]

    def _rank(self, query: Query, pools: Sequence[Pool]) -> list[SearchCandidate]:
        sense = self._sense
        for pool in pools:
            self._timely.mark(pool.candidates)
            if self._namely is not None:
                self._namely.mark(pool.candidates)
        blend = None if sense is None or not sense.held else sense.blend
        return rank(
            query,
            pools,
            self._layers,
            blend,
            partial(boost_recent, config=self._config),
            typed=self._mode != "vector",
        )

    def _find_owner(self, candidate: SearchCandidate) -> int:
        """The memory that a part belongs to; of what was read from files it is known."""
        target = next((one for one in self._targets if one.home is candidate.home), None)
        return (
            candidate.memory
            if target is None or target.index is None or not candidate.crc
            else find_owner_id(target.index, candidate)
        )

    def _has_meaning(self) -> bool:
        return self._sense is not None and self._sense.served(self._targets)

    def _build_hit(self, query: Query, candidate: SearchCandidate) -> Hit:
        text, marks = build_snippet(query, candidate)
        old = self._asks_archive and candidate.status is Status.ARCHIVED
        why = explain_match(query, candidate) or (_("by meaning") if candidate.meaning_rank else candidate.recalled)
        return Hit(
            str(candidate.home.path),
            candidate.path,
            candidate.line,
            candidate.last,
            min(candidate.score, 1.0),
            text,
            candidate.layer,
            candidate.kind,
            " · ".join(filter(None, (why, _(candidate.status.value) if old else ""))),
            candidate.status,
            tuple(candidate.heading.split("\x1f")) if candidate.heading else (),
            candidate.time,
            marks=marks,
            parts=Parts(
                candidate.words,
                candidate.neighbours,
                candidate.meaning,
                candidate.word_rank,
                candidate.meaning_rank,
                candidate.raised,
                ", ".join(filter(None, (candidate.recalled, candidate.named))),
            ),
            turn=candidate.turn,
            others=candidate.others,
        )


def _load_advice() -> type[Advice]:
    # Most searches find something.
    from memtui.search.suggest import Advice

    return Advice


def run_inquiry(
    targets: Sequence[SearchTarget],
    query: str,
    wanted: Filter,
    *,
    limit: int,
    grouped: bool,
    mode: str,
    config: SearchConfig,
    embed: Callable[[str], tuple[Any, str]] | None,
    min_score: float,
    typing: bool,
    cancelled: Callable[[], bool] | None,
    refine: Callable[[Results], None] | None,
    beyond: Elsewhere | None = None,
) -> Results:
    """The best hits of all homes: see `search.search`."""
    understood = parse(query, typing)
    if not understood.text or limit <= 0:
        return Results()
    asked = Inquiry(
        targets,
        understood,
        wanted,
        limit=limit,
        mode=mode,
        config=config,
        sense=Sense(mode, embed, config) if mode not in {"fts", "scan"} else None,
        min_score=min_score,
        cancelled=cancelled,
        grouped=grouped,
        beyond=beyond,
    )
    results = asked.results(quick=refine is not None)
    if results.bounded and refine is not None:
        asked.refined(refine)
    return results
