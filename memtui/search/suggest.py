"""The fuzzy finder over titles, and 'Did you mean' for a query that found nothing.

`Titles`: titles, paths and first lines that hold what was typed. Those that hold the words as they stand come
first; letters in the right order, however far apart, come after them and only where the former are few. What
one key leaves is what the next key searches.

`suggest`: the query with its words as they stand in the homes. The index knows stems only, so the nearest stems
are looked up and the word itself is read from a file. A suggestion finds something within the same filter.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from itertools import accumulate, islice

from memtui.core import clock
from memtui.core.errors import StaleIndexError
from memtui.core.locale import _n
from memtui.core.model import Filter
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.core.text import CJK_RUN, normalize_width
from memtui.index.filters import build_filter_condition
from memtui.index.schema import translate_decode_errors
from memtui.search import vocabulary
from memtui.search.candidate import Pool
from memtui.search.fts import Lookup
from memtui.search.query import Query, parse
from memtui.search.terms import WORD, fold, stem_word
from memtui.search.texts import MemoryTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.index.queries import Index
    from memtui.search.texts import SearchTarget

ENOUGH = 1000
"""Titles that are ranked for one key; the first ones given count as the most recent."""

_LONGEST = 400
_SCATTERED = 500
_BLOCK = 10_000


class Titles:
    """Some titles to be searched again and again. Give the most recent first; not for two threads at once."""

    def __init__(self, titles: Sequence[str]) -> None:
        # One lower-cased text is searched many times faster than a hundred thousand of them.
        plain = "\n".join(title[:_LONGEST].replace("\n", " ") for title in titles)
        self._text = normalize_width(plain).lower()
        self._titles = self._text.split("\n") if titles else []
        self._starts = list(accumulate((len(title) + 1 for title in self._titles), initial=0))
        self._left: list[tuple[str, list[int]]] = []

    def __len__(self) -> int:
        return len(self._titles)

    def find(self, query: str, limit: int = 100) -> list[int]:
        """The places in `titles` of those that fit, best first. Several words must all fit, in any order."""
        words = sorted(dict.fromkeys(normalize_width(query[:_LONGEST]).lower().split()), key=len, reverse=True)
        if not words:
            return list(range(min(limit, len(self._titles))))
        held = self._find_holding(words)
        # A shorter title, and a match at its beginning or at a word's, is more likely the one that is meant.
        found = sorted(held, key=lambda place: (self._rank_title(place, words), place))
        if len(found) < limit and sum(map(len, words)) > 1:
            known = set(found)
            letters = "".join(normalize_width(query[:_LONGEST]).lower().split())
            scattered = [place for place in self._find_scattered(letters, len(known)) if place not in known]
            found += sorted(scattered[:_SCATTERED], key=lambda place: (self._spread(place, letters), place))
        return found[:limit]

    def marks(self, query: str, title: str) -> tuple[tuple[int, int], ...]:
        """Where the query stands in a title, as offsets [start, end): its words, or its letters one by one."""
        low = title.lower()
        words = query.lower().split()
        if len(low) != len(title) or not words:
            return ()
        if all(word in low for word in words):
            return tuple(sorted({(low.find(word), low.find(word) + len(word)) for word in words}))
        found: list[tuple[int, int]] = []
        at = -1
        for letter in "".join(words):
            at = low.find(letter, at + 1)
            if at < 0:
                return ()
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + 1)
            else:
                found.append((at, at + 1))
        return tuple(found)

    def _find_holding(self, words: list[str]) -> list[int]:
        """The first titles that hold every word as it stands."""
        if len(words) == 1:
            return self._find_first(words[0])
        one, two, *others = words
        # One pass over the titles costs less than finding the line of each of a common word's places.
        fits = (
            place
            for place, title in enumerate(self._titles)
            if one in title and two in title and all(word in title for word in others)
        )
        return list(islice(fits, ENOUGH))

    def _find_first(self, word: str) -> list[int]:
        text, starts = self._text, self._starts
        found: list[int] = []
        at = text.find(word)
        while at >= 0 and len(found) < ENOUGH:
            place = bisect_right(starts, at) - 1
            found.append(place)
            at = text.find(word, starts[place + 1])
        return found

    def _find_scattered(self, letters: str, known: int) -> list[int]:
        """The first titles that hold these letters in this order: enough of them, or all."""
        from rapidfuzz.distance import LCSseq
        from rapidfuzz.process import extract

        while self._left and not letters.startswith(self._left[-1][0]):
            self._left.pop()
        among = self._left[-1][1] if self._left else range(len(self._titles))
        titles = self._titles
        found: list[int] = []
        for start in range(0, len(among), _BLOCK):
            places = among[start : start + _BLOCK]
            fits = extract(
                letters,
                [titles[place] for place in places] if self._left else titles[start : start + _BLOCK],
                scorer=LCSseq.similarity,
                processor=None,
                limit=None,
                score_cutoff=len(letters),
            )
            found += sorted(places[number] for _title, _score, number in fits)
            if len(found) >= _SCATTERED + known:
                return found
        # Only where all of them are known can the next letter be looked for among these alone.
        self._left.append((letters, found))
        return found

    def _rank_title(self, place: int, words: list[str]) -> tuple[int, int]:
        title = self._titles[place]
        late = 0
        for word in words:
            at = title.find(word)
            late += 0 if at == 0 else 1 if not title[at - 1].isalnum() else 2
        return late, len(title)

    def _spread(self, place: int, letters: str) -> int:
        title = self._titles[place]
        first = at = title.find(letters[0])
        for letter in letters[1:]:
            at = title.find(letter, at + 1)
        return at - first


LEAST = 4
"""Letters of a word that can be a slip of another."""

LONG = 6
"""Letters of a word that is put right among others: shorter ones are near too many, and of so few all are right."""

LONGEST = 200
"""Characters of a query that is put right."""

_FAR = ((5, 1), (10, 2))
_FARTHEST = 3
_STEMS = 6
"""Nearest stems whose words are looked up."""

_READ = 3
"""Memories that a word is looked for in."""

_STOPS = ",.;:!?()[]，。；：！？（）"

_CLEAR = 3
"""How many times as common as any other a pair must be to be the correction."""


class _Near(NamedTuple):
    distance: int
    rarity: int
    word: str


def suggest(query: Query | str, targets: Sequence[SearchTarget], wanted: Filter | None = None) -> str:
    """The query with the words that stand nowhere put right; empty: there is nothing better to ask."""
    text = (query if isinstance(query, str) else query.text).strip()
    homes = [_Words(target, wanted or Filter()) for target in targets if target.index is not None]
    if not text or len(text) > LONGEST or not homes:
        return ""
    try:
        with translate_decode_errors():
            better = _correct_text(text, homes)
            return better if better != text and any(home.holds(better) for home in homes) else ""
    except StaleIndexError:
        return ""
    finally:
        for home in homes:
            home.close()


def find_misspellings(text: str, targets: Sequence[SearchTarget]) -> dict[str, str]:
    """Of a query of several words those that stand nowhere and are all but one that does: slip -> word.

    Stricter than `suggest`: the other words find something, and somebody may mean what nobody wrote down.
    """
    # Of an identifier the index looks for the whole.
    tokens = [word.strip(_STOPS).lower() for word in text.split()]
    words = [
        word
        for word in tokens
        if len(word) >= LONG and word.isascii() and word.isalpha() and word not in vocabulary.ENGLISH
    ]
    if not words or len(text) > LONGEST:
        return {}
    found: dict[str, str] = {}
    homes = [_Words(target, Filter()) for target in targets if target.index is not None]
    if len(homes) < len(targets):
        # Nobody knows the words of what is scanned.
        return {}
    try:
        with translate_decode_errors():
            for word in dict.fromkeys(words):
                near = _find_nearest_word(word, homes, 1 + (len(word) > 2 * LEAST))
                # 'planes' is no slip of 'plants': a letter is left out, doubled or out of place.
                moved = len(near) != len(word) or sorted(near) == sorted(word)
                if near and near[0] == word[0] and (moved or len(word) > LONG):
                    found[word] = near
    except StaleIndexError:
        return {}
    finally:
        for home in homes:
            home.close()
    return found


def _correct_text(text: str, homes: Sequence[_Words]) -> str:
    folded = fold(text)
    if len(folded) != len(text):
        return text
    spans = [*WORD.finditer(folded), *CJK_RUN.finditer(folded)]
    done = 0
    out: list[str] = []
    for match in sorted(spans, key=lambda match: match.start()):
        word = match.group()
        own = _run(word, homes) if CJK_RUN.match(word) else _find_nearest_word(word, homes)
        out += [text[done : match.start()], own or text[match.start() : match.end()]]
        done = match.end()
    return "".join([*out, text[done:]])


def _find_nearest_word(word: str, homes: Sequence[_Words], most: int = 3) -> str:
    """The nearest word there is; empty: this one is there, or none is near. `most`: letters that may be wrong."""
    root = stem_word(word) or word
    if len(word) < LEAST or not word.isalpha() or any(home.frequency(root) for home in homes):
        return ""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    far = min(most, next((distance for length, distance in _FAR if len(word) <= length), _FARTHEST))
    stems: dict[str, int] = {}
    for home in homes:
        # Hardly anybody mistypes a first letter, other than by typing the second one first.
        for first in dict.fromkeys(word[:2]):
            for one, number in home.beginning(first):
                stems[one] = stems.get(one, 0) + number
    near: dict[str, float] = {}
    for typed in {word, root}:
        # A stem is nearest to as much of the word as it is long.
        for length in range(max(3, len(typed) - 6), len(typed) + 1):
            alike = [one for one in stems if abs(len(one) - length) <= 1]
            for one, distance, _ in process.extract(
                typed[:length], alike, scorer=OSA.distance, score_cutoff=far, limit=_STEMS
            ):
                near[one] = min(near.get(one, far), distance)
    found: list[_Near] = []
    for one in sorted(near, key=lambda one: (near[one], -stems[one]))[:_STEMS]:
        for home in homes:
            for surface in home.surfaces(one):
                distance = OSA.distance(word, surface, score_cutoff=far)
                if distance <= far:
                    found.append(_Near(distance, -stems[one], surface))
    return min(found).word if found else ""


def _run(run: str, homes: Sequence[_Words]) -> str:
    """The run with one character put right: the one that both its neighbours are known beside."""
    if not 2 <= len(run) <= 3 or any(home.frequency(run[at : at + 2]) for home in homes for at in range(len(run) - 1)):
        return ""
    pairs: dict[str, int] = {}
    for home in homes:
        for pair, number in home.beginning(run[0]):
            if len(pair) == 2:
                pairs[pair] = pairs.get(pair, 0) + number
    if len(run) == 3:
        pairs = {
            pair: number for pair, number in pairs.items() if any(home.frequency(pair[1] + run[2]) for home in homes)
        }
    ranked = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    if not ranked or (len(ranked) > 1 and pairs[ranked[0]] < _CLEAR * pairs[ranked[1]]):
        return ""
    return ranked[0] + run[2:]


_BEGUN = 32
_beginnings: dict[tuple[str, int, str], list[tuple[str, int]]] = {}
"""The words that begin with a character, by index, generation and character."""


class _Words:
    """The words of one home, as its index has them."""

    def __init__(self, target: SearchTarget, wanted: Filter) -> None:
        assert target.index is not None
        self._index: Index = target.index
        self._home = target.home
        self._wanted = wanted
        self._own = target.texts is None
        self._texts = target.texts or MemoryTexts(target.home)
        self._condition, self._values = build_filter_condition(wanted, now=clock.now())

    def close(self) -> None:
        """Let go of what was opened here."""
        if self._own:
            self._texts.close()

    def frequency(self, token: str) -> int:
        """How many memories hold a stem or a pair of characters."""
        return int(self._index.db.execute("SELECT doc FROM ftsv WHERE term = ?", (token,)).get or 0)

    def beginning(self, first: str) -> list[tuple[str, int]]:
        """The stems, or pairs, that begin with a character, and how many memories hold each."""
        key = (str(self._index.path), self._index.generation(), first)
        held = _beginnings.get(key)
        if held is None:
            sql = "SELECT term, doc FROM ftsv WHERE term >= ? AND term < ?"
            rows: list[Any] = self._index.db.execute(sql, (first, first + "\U0010ffff")).fetchall()
            # Who types on asks for the same again; other threads may be looking.
            if len(_beginnings) >= _BEGUN:
                _beginnings.clear()
            held = _beginnings[key] = rows
        return held

    def holds(self, text: str) -> bool:
        """Whether anything that passes the filter matches a query."""
        query = parse(text)
        # As a search does: what holds an identifier comes first, what holds its words is better than nothing.
        return any(self._find_ids(asked.match, 1) for asked in (query, query.loosened()))

    def surfaces(self, root: str) -> list[str]:
        """The words of that stem, as they stand in the newest memories that hold it."""
        match = f'"{root}"'
        lookup = Lookup(self._home, self._index, self._texts, Query(root), self._wanted)
        pool = Pool(0)
        lookup.take_beside(pool, self._find_ids(match, _READ))
        found: dict[str, None] = {}
        for candidate in pool.candidates:
            for one in WORD.findall(f"{candidate.body}\n{fold(candidate.heading)}"):
                if one.startswith(root[:-1]) and stem_word(one) == root:
                    found[one] = None
        return list(found)

    def _find_ids(self, match: str, limit: int) -> list[int]:
        if not match:
            return []
        sql = (
            "SELECT entry.id FROM fts CROSS JOIN entry ON entry.id = fts.rowid"
            f" WHERE fts MATCH ? AND {self._condition} ORDER BY fts.rowid DESC LIMIT {limit}"
        )
        return [row[0] for row in self._index.db.execute(sql, (match, *self._values))]


_MISSING = compile_pattern("^no permission|^only the first|^the home holds more|^more than|(?:could not|cannot) be ")
"""Other problems of a whole file are oddities: what stands in it is found."""


def name_unread(targets: Sequence[SearchTarget]) -> str:
    """The first file, or part of a home, that its index could not take in, and how many others; empty: none."""
    reasons: list[str] = []
    for target in targets:
        with suppress(StaleIndexError):
            problems = target.index.problems() if target.index is not None else []
            reasons += [f"{path}: {reason}" for path, line, reason in problems if _MISSING.search(reason) and not line]
    told = _n("{reason}", "{reason}, and {more} more that could not be read", len(reasons))
    return told.format(reason=reasons[0], more=len(reasons) - 1) if reasons else ""


class Advice:
    """What is said to whoever found nothing, under one name."""

    suggest = staticmethod(suggest)
    name_unread = staticmethod(name_unread)
    find_misspellings = staticmethod(find_misspellings)
