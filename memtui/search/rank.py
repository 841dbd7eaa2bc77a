"""Ranking: BM25 over the candidates' own texts, shares of their neighbours' scores, the worth of a line as an answer.

First the worth of a line: a question rarely answers one, 'That's great!' never does, and what somebody did is
told by himself. Models put questions next to questions and exclamations next to everything; measured on
conversations kept as memories, this is the greatest single gain by meaning, while matching words outweigh it.

Then `rank`: k1 = 0.9, b = 0.4, headings twice, neighbours 0.2, measured to be best for short memories; recency
breaks ties. A score is the share, 0 to 1, of the best score that the query could have: the idf-weighted sum of
tf / (tf + k1·(1 − b + b·length / average)), divided by the sum of the weights.
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import lru_cache
from itertools import repeat
from math import log

from memtui.core.model import Layer, Level
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.kinds import TOPICS
from memtui.search.terms import fold, fold_searchable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.search.candidate import Pool, SearchCandidate
    from memtui.search.query import Query
    from memtui.search.terms import Term

ASKING = 1.2
"""Standard deviations of meaning that a line of nothing but questions loses to somebody who asks."""

THIN = 0.6
"""Standard deviations of meaning that an empty line would lose; one of `FULL` bytes loses nothing."""

SPOKEN = 0.8
"""Standard deviations of meaning that 'Ann: …' gains where the query names Ann."""

TOLD = 1.15
"""By how much its score by words grows where words are all there is."""

BOOKKEPT, BOOKS = 0.6, 2.0
"""What a score by words is worth of what tools write down about themselves (that something was referred to, began or
ended, where it stands), and the standard deviations of meaning that it loses."""

LABEL, CHANGE = 0.6, 0.6
"""What a score by words is worth to whoever asks in a sentence, of a line that only introduces others, and of an entry
in a log of changes: it names what the question names, but says what was done, not how it is. Who asks when is answered
by such a log."""

RECORDED = 0.6
"""What it is worth of a conversation that was recorded word by word: what came of it was written down elsewhere."""

CURATED = 1.1
"""What it is worth of core memory and of topics: somebody chose it out of all else."""

ANSWERING = 1.15
"""What it is worth of a line that gives what is asked for: a reason, a number, what is allowed."""

UNTOLD = 1.0
"""Standard deviations of meaning that such a line would lose if it were worth nothing by words."""

FULL = 60
"""Bytes, so that a Chinese character counts as three letters."""

ANSWER, WHEN = 0.7, 0.2
"""What a question lends of its score to the line that answers it; less where the query asks when: times stand in the
lines that tell, not in answers to questions."""

GAP = 2
"""Lines that two neighbours may be apart: one blank line between them."""

_INQUIRY = compile_pattern(r"？|\?(?!\w)")
_ENDS = compile_pattern("""[?？][\\s*_`"'”’」』)）]*\\Z""")
_TAIL = 16
_WHEN = compile_pattern(
    r"\bwhen\b|\b(?:what|which)\s+(?:day|date|time|month|year|week)\b|\bhow\s+long\s+ago\b"
    "|什么时候|什麼時候|何时|何時|几号|幾號|几月|幾月|几点|幾點|哪天|哪一天|哪年|哪一年|哪个月|哪個月|多久",
    re.IGNORECASE,
)
_ANSWERS = (
    (
        compile_pattern(
            r"\bwhy\b|\breason|为什么|為什麼|为何|為何|怎么会|\bwarum\b|почему|なぜ|por qu[eé]|pourquoi|왜", 2
        ),
        compile_pattern(
            r"\bbecause|\bcauses?d?\b|\breason|\bdue to\b|原因|因为|因為|由于|由於|根因|导致|導致|\bweil\b|ursache"
            r"|потому|причин|理由|porque|이유|때문",
            2,
        ),
    ),
    (
        compile_pattern(
            r"\bhow (?:many|much|old|long|often|big|large|far)\b|多少|几个|幾個|几次|幾次|多大|多久|多长"
            r"|\bwie (?:viel|alt|oft)|сколько|いくら|何個|cuánt|\bquant|몇",
            2,
        ),
        compile_pattern(r"\d"),
    ),
    (
        compile_pattern(
            r"\ballowed\b|\b(?:may|can|must|should) (?:i|you|we|it)\b|能不能|可不可以|允许|允許|该不该|\bdarf\b|можно",
            2,
        ),
        compile_pattern(
            r"\bnever\b|\balways\b|\bmust\b|\bonly\b|\bdo(?: not|n't)\b|禁止|必须|必須|不要|不能|绝不|絕不|\bnie\b"
            r"|\bimmer\b|нельзя",
            2,
        ),
    ),
)
"""Questions, and what stands in a line that answers one of them."""
_SENTENCE = compile_pattern(r"[^.!?。！？\n]*[.!?。！？\n]+|[^.!?。！？\n]+$")
_ENGLISH = compile_pattern(
    r"\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|would|should|will|has"
    r"|have|had)\b",
    re.IGNORECASE,
)
_CHINESE = compile_pattern(
    "什么|什麼|谁|誰|哪|怎么|怎麼|怎样|怎樣|如何|为何|為何|多少|几|幾|吗|嗎|呢|是否|何时|何時|是不是|有没有|有沒有"
)
# As it stands above a conversation: 'Session: 2026-03-01 10:00:00 UTC', '对话 2026-03-01 10:00'.
_RECORD = compile_pattern(
    r"(?:session|conversation|chat|transcript|sitzung|сессия|sesión|sessão|会话|會話|对话|對話|聊天|セッション)"
    r"[^\x1f]{0,16}?\d{4}-\d\d-\d\d[T ]\d\d:\d\d",
    re.IGNORECASE,
)
_BOOKS = frozenset({"index", "session_start", "session_end", "session_metrics", "audit", "outcome"})
_MARKED = ("?", "？")
# Behind a bullet, a time and a kind; bold or not.
_SPEAKER = compile_pattern(
    r"\s*(?:[-*+]\s+)?(?:\d{4}-\d\d-\d\d[T ]\S+\s+)?(?:\[[^\]\n]{1,24}\]\s*)*"
    r"(?:\*\*)?([^\W\d_][\w .'’-]{0,24}?)(?:\*\*)?\s?(?:：|:(?:\*\*)?\s)"
)


def is_question(query: str) -> bool:
    """Whether a query is a question."""
    text = query.strip()
    if text.endswith(_MARKED) or (" " in text and _ENGLISH.match(text) is not None):
        return True
    return not text.isascii() and _CHINESE.search(text) is not None


def measure_question_share(text: str) -> float:
    """The share of a memory's text that stands in questions, 0 to 1."""
    if "?" not in text and "？" not in text:
        return 0.0
    sentences = _SENTENCE.findall(_strip_markup(text))
    total = sum(map(len, sentences))
    return sum(len(one) for one in sentences if one.rstrip().endswith(_MARKED)) / total if total else 0.0


def has_question(text: str) -> bool:
    """Whether somebody asks something in a memory's text: an address may have a question mark, too."""
    return ("?" in text or "？" in text) and _INQUIRY.search(text) is not None


def is_time_question(query: str) -> bool:
    """Whether a query asks for a time."""
    return _WHEN.search(query) is not None


def share_question_scores(candidates: Iterable[SearchCandidate], when: bool) -> dict[int, float]:
    """What each candidate, by its `id`, gets of the question before it in its section, whose score by itself counts.

    Who asks uses the words of whoever looks for the answer later; who answers does not repeat them.
    """
    lines: dict[tuple[int, str, str], dict[int, SearchCandidate]] = {}
    asked: list[SearchCandidate] = []
    for one in candidates:
        if one.prose and one.kind != "todo":
            lines.setdefault((id(one.home), one.path, one.heading), {})[one.line] = one
            if (
                one.score > 0
                and has_question(one.raw)
                and _ENDS.search(one.raw, max(0, len(one.raw) - _TAIL))
            ):
                asked.append(one)
    lent: dict[int, float] = {}
    for one in asked:
        below = lines[id(one.home), one.path, one.heading]
        answer = next(
            (below[line] for line in range(one.last + 1, one.last + 1 + GAP) if line in below), None
        )
        if answer is not None:
            lent[id(answer)] = (WHEN if when else ANSWER) * one.score
    return lent


def is_bookkeeping(candidate: SearchCandidate) -> bool:
    """Whether a tool wrote it down about itself."""
    return candidate.kind in _BOOKS or (candidate.kind == "event" and candidate.layer is Layer.EVOLUTION)


def weigh_answer(candidate: SearchCandidate, when: bool) -> float:
    """What a score by words is worth to whoever asks in a sentence; `when`: for a time."""
    if candidate.level == Level.CONTEXT:
        return LABEL
    if is_conversation_heading(candidate.heading):
        return RECORDED
    if not when and (
        candidate.kind in TOPICS or (candidate.layer is Layer.CORE and candidate.kind != "index")
    ):
        return CURATED
    changed = candidate.kind == "event" and candidate.layer is Layer.KNOWLEDGE
    return CHANGE if changed and not when else 1.0


@lru_cache(maxsize=1 << 10)
def is_conversation_heading(heading: str) -> bool:
    """Whether what stands below these headings is a conversation, word by word."""
    return _RECORD.match(heading) is not None


def matches_speaker(text: str, query: str) -> bool:
    """Whether a memory begins with the name of who says it, and the folded query names him."""
    match = _SPEAKER.match(text) if ":" in text or "：" in text else None
    if match is None:
        return False
    name = fold(match[1])
    if not name.isascii():
        return name in query
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", query) is not None


def measure_thinness(text: str) -> float:
    """How little a memory says, 0 to 1."""
    return 0.0 if len(text) > 3 * FULL else _thin(text)


@lru_cache(maxsize=1 << 13)
def _thin(text: str) -> float:
    return max(0.0, 1 - len(_strip_markup(text).encode("utf-8", "replace")) / FULL)


def _strip_markup(text: str) -> str:
    # Most queries are words, and are answered by words alone.
    from memtui.search.vector_jobs import build_vector_text

    return build_vector_text("", text, None, "")


K1 = 0.9
B = 0.4
HEADING = 2.0
BELOW = 0.5
"""What a memory's score is worth where only the headings above it hold the words, so that a whole section does not
come before the line that says it."""

QUESTION = 0.5
"""What a line of nothing but questions loses of its score to somebody who asks: it rarely is the answer."""

NEIGHBOUR = 0.2

HEAD = 0.3
"""What a part gets of the score of the memory that it belongs to: what a topic's title and description say of each
line below is what that line leaves out."""

RECALLED = 0.15
"""What a memory gets for being of the time that the query names."""

NAMED = 0.02
"""What it gets for holding a name that the query and the homes know."""

MANY = 24
"""Texts from which on it is worth to ask of all at once whether any holds a term."""


def rank(
    query: Query,
    pools: Sequence[Pool],
    layers: frozenset[Layer] = frozenset(Layer),
    blend: Callable[[list[SearchCandidate]], None] | None = None,
    raise_: Callable[[list[SearchCandidate]], None] | None = None,
    *,
    typed: bool = True,
) -> list[SearchCandidate]:
    """Score the candidates of all homes by the same statistics; best first.

    Those that hold no term are left out, unless `blend` is there to put what they mean into the scores. `layers`: in
    which neighbours count. `raise_` may add to the scores that come out. `typed`: what holds the query as it was typed
    comes before all others.
    """
    candidates = [candidate for pool in pools for candidate in pool.candidates]
    if not candidates:
        return []
    counted = _count(query, candidates)
    weights = _weights(query.terms, pools, counted)
    best = sum(weights) or 1.0
    average = sum(candidate.length for candidate in candidates) / len(candidates)
    for candidate, row in zip(candidates, counted, strict=True):
        candidate.score = _score(candidate, row, weights, average, best)
    demanded = [index for index, term in enumerate(query.terms) if term.exact]
    if demanded:
        kept = [all(row[index] for index in demanded) for row in counted]
        pairs = zip(candidates, kept, strict=True)
        candidates = [candidate for candidate, holds in pairs if holds or candidate.cut]
    if query.excluded:
        candidates = [c for c in candidates if not any(term.count(c.body) for term in query.excluded)]
    if blend is None:
        candidates = [one for one in candidates if one.score > 0 or one.cut or one.recalled]
    question = is_question(query.text)
    if question or query.spoken:
        when = is_time_question(query.text)
        answers = [answer for asked, answer in _ANSWERS if asked.search(query.text)] if question else []
        for candidate in candidates:
            candidate.score *= weigh_answer(candidate, when)
            for answer in answers:
                if answer.search(candidate.raw, 0, FULL * 10):
                    candidate.score *= ANSWERING
            if question:
                candidate.score *= 1 - QUESTION * measure_question_share(candidate.raw)
    if blend is None:
        named = fold(query.text)
        for candidate in candidates:
            if matches_speaker(candidate.raw, named):
                candidate.score *= TOLD
    _add(query, candidates, layers, alone=blend is None)
    if blend is not None:
        blend(candidates)
    if raise_ is not None:
        raise_(candidates)
    _sort(query.runs if typed else (), candidates)
    return candidates


def _score(
    candidate: SearchCandidate, row: Sequence[float], weights: Sequence[float], average: float, best: float
) -> float:
    """A candidate's score by words, as a share of the `best` there could be; `average` is the length of all."""
    damping = K1 * (1 - B + B * candidate.length / average)
    score = 0.0
    for number, weight in zip(row, weights, strict=True):
        if number:
            score += weight * number / (number + damping)
    score /= best
    if not any(candidate.own):
        # A label says nothing of what stands in the headings above it.
        score *= 0.0 if candidate.level == Level.CONTEXT else BELOW
    return score * BOOKKEPT if is_bookkeeping(candidate) else score


def _add(query: Query, candidates: list[SearchCandidate], layers: frozenset[Layer], *, alone: bool) -> None:
    """Add to the scores by words what lines around, times and names give. `alone`: nothing else will be added."""
    for candidate in candidates:
        candidate.words, candidate.neighbours = candidate.score, 0.0
    # Where meaning speaks, too, questions lend of both.
    lent = share_question_scores(candidates, is_time_question(query.text)) if alone else {}
    _smooth([candidate for candidate in candidates if candidate.prose and candidate.layer in layers])
    _share(candidates)
    for candidate in candidates:
        if lent:
            candidate.neighbours += lent.get(id(candidate), 0.0)
        more = candidate.neighbours
        if candidate.recalled:
            more += RECALLED
        candidate.score += more
        if candidate.named:
            candidate.score += NAMED


# The same few headings stand above a great many memories.
_heading = lru_cache(maxsize=1 << 12)(fold_searchable)


def _count(query: Query, candidates: list[SearchCandidate]) -> list[Sequence[float]]:
    columns = _columns(query, [candidate.body for candidate in candidates])
    names = list(dict.fromkeys(candidate.heading for candidate in candidates))
    stand = zip(*_columns(query, list(map(_heading, names))), strict=True)
    headings = {
        name: tuple(HEADING * n for n in row) if any(row) else ()
        for name, row in zip(names, stand, strict=False)
    }
    counted: list[Sequence[float]] = []
    for candidate, own in zip(
        candidates, zip(*columns, strict=True) if columns else repeat(()), strict=False
    ):
        above = headings.get(candidate.heading, ())
        candidate.own, candidate.above = own, above
        counted.append([count + more for count, more in zip(own, above, strict=True)] if above else own)
    return counted


def _columns(query: Query, texts: list[str]) -> list[Sequence[float]]:
    """How often each text holds each term, a term at a time: one call for all texts costs a third of one for each."""
    if len(texts) < MANY:
        return [list(map(term.counter(), texts)) for term in query.terms]
    every, known = "\n".join(texts), dict[str, bool]()
    return [term.counts(texts, every, known) for term in query.terms]


def _weights(terms: list[Term], pools: Sequence[Pool], counted: list[Sequence[float]]) -> list[float]:
    size = sum(pool.size for pool in pools)
    sums = [0.0] * len(terms)
    done = 0
    for pool in pools:
        rows = counted[done : done + len(pool.candidates)]
        done += len(rows)
        for index, term in enumerate(terms):
            if pool.frequencies is not None and term.fts:
                sums[index] += pool.frequencies[index]
                continue
            held = sum([1 for row in rows if row[index]])
            # What nobody counted: its share among the candidates is at least its share in the home.
            sums[index] += held if pool.frequencies is None else held / max(len(rows), 1) * pool.size
    return [
        term.weight * log(1 + (max(size - number, 0) + 0.5) / (number + 0.5))
        for term, number in zip(terms, sums, strict=True)
    ]


def _smooth(prose: list[SearchCandidate]) -> None:
    if len({candidate.path for candidate in prose}) == len(prose):
        return
    prose.sort(key=_place)
    scores = [candidate.score for candidate in prose]
    for index in range(len(prose) - 1):
        one, two = prose[index], prose[index + 1]
        if (
            one.path == two.path
            and one.heading == two.heading
            and 0 <= two.line - one.last <= GAP
            and one.home is two.home
        ):
            one.neighbours += NEIGHBOUR * scores[index + 1]
            two.neighbours += NEIGHBOUR * scores[index]


def _share(candidates: list[SearchCandidate]) -> None:
    """Give parts of the score of the memory that they belong to, where it is among the candidates."""
    heads: dict[tuple[int, str], list[SearchCandidate]] = {}
    for one in candidates:
        if one.reach > one.last and one.words:
            heads.setdefault((id(one.home), one.path), []).append(one)
    if not heads:
        return
    for same in heads.values():
        same.sort(key=_place)
    for one in candidates:
        if one.level != Level.PART or (same := heads.get((id(one.home), one.path), [])) == []:
            continue
        at = bisect(same, _place(one), key=_place) - 1
        if at >= 0 and same[at].reach >= one.line:
            one.neighbours += HEAD * same[at].words


def _place(candidate: SearchCandidate) -> tuple[str, int]:
    return candidate.path, candidate.line


def _sort(runs: tuple[str, ...], found: list[SearchCandidate]) -> None:
    def key(candidate: SearchCandidate) -> tuple[int, float, float, int, str, int]:
        """What was typed as it stands, then the score, then the newer; by place, so that ties never jump."""
        # What was typed stands before what merely stands below it in a heading, or holds its parts; in the script in
        # which it was typed before the other.
        as_typed = 0
        for at, run in enumerate(runs):
            if run in candidate.body:
                as_typed = len(runs) - at
                break
        score = round(candidate.score, 9)
        return as_typed, score, candidate.time or 0.0, candidate.order, candidate.path, candidate.line

    found.sort(key=key, reverse=True)
    least = 0.0
    for candidate in reversed(found):
        if candidate.score < least:
            candidate.score = least
        else:
            least = candidate.score
