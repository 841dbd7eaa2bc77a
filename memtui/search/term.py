"""One thing to look for: how the index is asked for it, and how often and where it stands in a text."""

from __future__ import annotations

from itertools import chain
from operator import methodcaller

from memtui.record import TYPE_CHECKING
from memtui.search.words import GAP, REST, WORD, stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


_ENDS = frozenset(["", *(chr(code) for code in range(128) if not chr(code).isalnum() or chr(code).isupper())])
"""What no word goes on with, or the end of a text: most words are seen to end without a pattern."""

OTHER = 0.999
"""What standing there in the other script is worth."""

MEANT = 0.7
"""What another word that means much the same is worth."""


class Piece:
    """A part of a term: a CJK run that stands as it is, or a word."""

    __slots__ = ("beginning", "cjk", "lead", "stem", "text")

    def __init__(self, text: str, cjk: bool = False, stem: str = "", beginning: bool = False) -> None:
        """`stem`: what a word's must be; empty: the word itself must be the same. `beginning`: it may go on."""
        self.text = text
        """Folded."""
        self.cjk = cjk
        self.stem = stem
        self.beginning = beginning
        # Porter only ever changes a stem's last letter, y to i; all else it cuts off.
        lead = stem or text
        if stem.endswith("i") and len(lead) > 1:
            lead = lead[:-1]
        self.lead = text if cjk else lead
        """What every word that fits begins with."""

    def within(self, text: str, known: dict[str, bool]) -> bool:
        """Whether what it begins with stands in a long text; `known`: which characters do, as far as anybody asked."""
        if self.cjk:
            # One character is found, or missed, in a tenth of the time of two.
            for character in self.lead:
                held = known.get(character)
                if held is None:
                    held = known[character] = character in text
                if not held:
                    return False
        return self.lead in text

    def end(self, text: str, start: int) -> int:
        """Where this piece ends if it stands at `start` in the folded text; -1: it doesn't."""
        if not text.startswith(self.lead, start):
            return -1
        if self.cjk:
            return start + len(self.text)
        if start and text[start - 1] >= "0" and WORD.match(text[start - 1]):
            return -1
        found = REST.match(text, start)
        end = found.end() if found else start
        word = text[start:end]
        if word == self.text or (self.stem and stem(word) == self.stem):
            return end
        if self.beginning and word.startswith(self.text):
            return start + len(self.text)
        return -1


class Term:
    """Pieces that stand together. `weight` scales what a match is worth; `fts` is empty for terms that only score."""

    __slots__ = ("exact", "faint", "fts", "label", "others", "pieces", "weight", "worth")

    def __init__(
        self, pieces: tuple[Piece, ...], fts: str, label: str, weight: float = 1.0, exact: bool = False
    ) -> None:
        self.pieces = pieces
        self.fts = fts
        self.label = label
        """As a person typed it."""
        self.weight = weight
        self.exact = exact
        """Asked for in quotes: every hit must hold it."""
        self.faint = False
        """One character of a longer run: the index is asked for it where that is cheap, and it is not marked."""
        self.others: tuple[Term, ...] = ()
        """The same in the other script, or in other words: found as well."""
        self.worth = OTHER
        """What it is worth where it stands instead of another."""

    def also(self, other: Term) -> None:
        """Take another way to write it for the same term."""
        self.others = (*self.others, other)
        if self.fts:
            self.fts = f"{self.fts} OR {other.fts}"

    @property
    def leads(self) -> list[str]:
        """What a text that holds it holds, in whichever way it is written."""
        return [self.pieces[0].lead, *(other.pieces[0].lead for other in self.others)]

    def count(self, text: str) -> float:
        """How often it stands in the folded text; a word that is only begun counts half."""
        # Most ways to say it stand nowhere in a text.
        ways = [way for way in (self, *self.others) if way.pieces[0].lead in text]
        return sum([(way.worth if way is not self else 1) * way._counter()(text) for way in ways])

    def counter(self) -> Callable[[str], float]:
        """`count`, for many texts: made for what this term is."""
        own = self._counter()
        others = [(other.worth, other.counter()) for other in self.others]
        # A little less, so that among equals what stands there as it was typed comes first.
        if len(others) == 1:
            worth, other = others[0]
            return lambda text: own(text) + worth * other(text)
        if others:
            return lambda text: own(text) + sum([worth * count(text) for worth, count in others])
        return own

    def counts(self, texts: Sequence[str], every: str, known: dict[str, bool]) -> Sequence[float]:
        """`count`, of each of these texts. `every`: all of them in one, to see at once what none holds; `known`: of
        which characters that was asked before."""
        ways = [way for way in (self, *self.others) if way.pieces[0].within(every, known)]
        if not ways:
            return [0] * len(texts)
        own = list(map(self._counter(), texts)) if ways[0] is self else [0] * len(texts)
        found: list[float] = list(own)
        for way in ways:
            if way is not self:
                for number, count in enumerate(map(way.counter(), texts)):
                    if count:
                        found[number] += way.worth * count
        return found

    def _counter(self) -> Callable[[str], float]:
        first = self.pieces[0]
        if len(self.pieces) > 1 or first.beginning:
            return self._spanned
        return methodcaller("count", first.text) if first.cjk else _counter(first)

    def _spanned(self, text: str) -> float:
        first = self.pieces[0]
        if first.lead not in text:
            return 0
        return sum(0.5 if first.beginning and WORD.match(text, end) else 1.0 for _, end in self._spans(text))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it stands in the folded text, from left to right, without overlaps."""
        # Most other ways to say it stand nowhere in a text, and that is quickly seen.
        others = [other for other in self.others if other.pieces[0].lead in text]
        if others:
            every = (self._spans(text), *(other.spans(text) for other in others))
            return iter(sorted(chain.from_iterable(every)))
        return self._spans(text)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        first = self.pieces[0]
        lead = first.lead
        start = text.find(lead)
        if first.cjk and len(self.pieces) == 1:
            while start >= 0:
                yield start, start + len(lead)
                start = text.find(lead, start + len(lead))
        while start >= 0:
            end = self._whole(text, start)
            if end > start:
                yield start, end
            elif not first.cjk:
                # No word begins in the middle of a word, however long it is.
                end = REST.match(text, start).end()  # type: ignore[union-attr]
            start = text.find(lead, max(end, start + 1))

    def _whole(self, text: str, start: int) -> int:
        before: Piece | None = None
        end = start
        for piece in self.pieces:
            if before is not None:
                gap = GAP.match(text, end)
                after = gap.end() if gap else end
                # Two words, or two runs, are two only where something stands between them.
                if after == end and before.cjk == piece.cjk:
                    return -1
                end = after
            end = piece.end(text, end)
            if end < 0:
                return -1
            before = piece
        return end


def _counter(piece: Piece) -> Callable[[str], float]:
    lead, whole, root = piece.lead, piece.text, piece.stem
    length, wide = len(lead), len(whole)

    def count(text: str) -> float:
        """How often the word stands in a folded text."""
        number = 0
        start = text.find(lead)
        while start >= 0:
            # This is where searches spend their time: most words follow a space, and are as they were typed.
            end = start + length
            if text[end : end + 1] not in _ENDS:
                end = start + wide
                if text[end : end + 1] not in _ENDS or not text.startswith(whole, start):
                    end = REST.match(text, start).end()  # type: ignore[union-attr]
            if not start or text[start - 1] < "0" or not WORD.match(text[start - 1]):
                word = text[start:end]
                number += word == whole or (root != "" and stem(word) == root)
            start = text.find(lead, end)
        return number

    return count
