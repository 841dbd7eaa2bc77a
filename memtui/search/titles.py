"""The fuzzy finder: titles, paths and first lines that hold what was typed, letter by letter, as fast as one types.

Titles that hold the words as they stand come first; letters in the right order, however far apart, come after them
and only where the former are few. What a key leaves over is what the next key is looked for in.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, islice

from memtui.record import TYPE_CHECKING
from memtui.text import normal

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        self._text = normal(plain).lower()
        self._titles = self._text.split("\n") if titles else []
        self._starts = list(accumulate((len(title) + 1 for title in self._titles), initial=0))
        self._left: list[tuple[str, list[int]]] = []

    def __len__(self) -> int:
        return len(self._titles)

    def find(self, query: str, limit: int = 100) -> list[int]:
        """The places in `titles` of those that fit, best first. Several words must all fit, in any order."""
        words = sorted(dict.fromkeys(normal(query[:_LONGEST]).lower().split()), key=len, reverse=True)
        if not words:
            return list(range(min(limit, len(self._titles))))
        held = self._holding(words)
        # A shorter title, and a match at its beginning or at a word's, is more likely the one that is meant.
        found = sorted(held, key=lambda place: (self._worth(place, words), place))
        if len(found) < limit and sum(map(len, words)) > 1:
            known = set(found)
            letters = "".join(normal(query[:_LONGEST]).lower().split())
            scattered = [place for place in self._scattered(letters, len(known)) if place not in known]
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

    def _holding(self, words: list[str]) -> list[int]:
        """The first titles that hold every word as it stands."""
        if len(words) == 1:
            return self._first(words[0])
        one, two, *others = words
        # One pass over the titles costs less than finding the line of each of a common word's places.
        fits = (
            place
            for place, title in enumerate(self._titles)
            if one in title and two in title and all(word in title for word in others)
        )
        return list(islice(fits, ENOUGH))

    def _first(self, word: str) -> list[int]:
        text, starts = self._text, self._starts
        found: list[int] = []
        at = text.find(word)
        while at >= 0 and len(found) < ENOUGH:
            place = bisect_right(starts, at) - 1
            found.append(place)
            at = text.find(word, starts[place + 1])
        return found

    def _scattered(self, letters: str, known: int) -> list[int]:
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

    def _worth(self, place: int, words: list[str]) -> tuple[int, int]:
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
