"""Text folded and stemmed for matching, and one term of a query: how the index is asked for it, where it matches.

The index tokenizes with SQLite's porter unicode61; here the same stems are looked up one word at a time and
remembered, so that a text read from disk is compared with a query without tokenizing all of it.
"""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache
from itertools import chain
from operator import methodcaller

import apsw

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.core.text import CJK_RUN, PART, TOKENIZER, normalize_width

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence

_LETTERS = "0-9a-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u0300-\u1fff\u2c00-\u2dff\ua4d0-\uabff"
WORD = compile_pattern(f"[{_LETTERS}]+")
"""A word in folded text; what is neither a word nor a CJK run separates them."""
ASCII_WORD = compile_pattern("[0-9a-z]+")
"""The same where all is ASCII: the whole alphabet takes a millisecond to compile."""
REST = compile_pattern(f"[{_LETTERS}]*")
GAP = compile_pattern(r"[\W_]*")
"""What may stand between two words of a phrase."""
_HUMP = compile_pattern(r"[A-Za-z][A-Z]")
_PLAIN = compile_pattern(r"[A-Za-z0-9]+")
# Whether there is more to do than to lower-case it: one character is looked for in half the time of a run of them.
_ODD = compile_pattern(
    "[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff\u2460-\u24ff\u3131-\u318e\ufb00-\ufb06"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\u212b]"
)
_ACCENTED = compile_pattern("[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]+")
_MARKS = compile_pattern("[\u0300-\u036f]+")

_tokenizers = threading.local()


def fold(text: str) -> str:
    """Lower case, no accents, full-width letters as ASCII: what the index takes for one becomes equal."""
    if text.isascii() or not _ODD.search(text):
        return text.lower()
    return _ACCENTED.sub(_bare, normalize_width(text).lower())


def fold_searchable(text: str) -> str:
    """The text folded, and behind it the parts of its camelCase words, which the index holds as well."""
    folded = fold(text)
    if folded == text or not _HUMP.search(text):
        return folded
    parts = [text[start:end] for start, end in find_camel_parts(text)]
    return f"{folded} \0 {' '.join(parts).lower()}" if parts else folded


def _bare(match: re.Match[str]) -> str:
    bare = _MARKS.sub("", unicodedata.normalize("NFD", match.group()))
    return unicodedata.normalize("NFC", bare)


def fold_with_offsets(text: str) -> tuple[str, list[int] | None]:
    """The folded text, and the offset in `text` of each of its characters (None: the same offsets)."""
    whole = fold(text)
    if len(whole) == len(text):
        return whole, None
    pieces: list[str] = []
    places: list[int] = []
    for offset, character in enumerate(text):
        piece = "" if "\u0300" <= character <= "\u036f" else fold(character)
        pieces.append(piece)
        places.extend([offset] * len(piece))
    places.append(len(text))
    return "".join(pieces), places


def find_camel_parts(text: str) -> list[tuple[int, int]]:
    """Where the parts of camelCase words stand: getUserName -> get, User, Name."""
    found: list[tuple[int, int]] = []
    for word in _PLAIN.finditer(text) if _HUMP.search(text) else ():
        if _HUMP.search(word.group()):
            parts = [part.span() for part in PART.finditer(word.group())]
            found += [(word.start() + start, word.start() + end) for start, end in parts if len(parts) > 1]
    return found


@lru_cache(maxsize=1 << 15)
def stem_word(word: str) -> str:
    """The index's token for one folded word (deploying -> deploi). Empty: it is not one word to the index."""
    found = stem_text(word)
    return found[0] if len(found) == 1 else ""


def stem_text(text: str) -> list[str]:
    """The index's tokens for a text without CJK runs, in order."""
    tokenizer: apsw.FTS5Tokenizer | None = getattr(_tokenizers, "tokenizer", None)
    if tokenizer is None:
        name, *options = TOKENIZER.split()
        # The tokenizer belongs to its connection, and a connection to its thread.
        _tokenizers.connection = apsw.Connection(":memory:")
        tokenizer = _tokenizers.tokenizer = _tokenizers.connection.fts5_tokenizer(name, options)
    reason = 0x0004  # FTS5_TOKENIZE_DOCUMENT
    found = tokenizer(text.encode("utf-8", "replace"), reason, None, include_offsets=False)
    return [str(token) for tokens in found for token in tokens]


def split_cjk_runs(text: str) -> list[tuple[str, bool]]:
    """Folded text as its words and CJK runs in order; True marks a CJK run."""
    if text.isascii():
        return [(word, False) for word in ASCII_WORD.findall(text)]
    found: list[tuple[str, bool]] = []
    done = 0
    for run in CJK_RUN.finditer(text):
        found += [(word, False) for word in WORD.findall(text, done, run.start())]
        found.append((run.group(), True))
        done = run.end()
    found += [(word, False) for word in WORD.findall(text, done)]
    return found


_ENDS = frozenset(["", *(chr(code) for code in range(128) if not chr(code).isalnum() or chr(code).isupper())])
"""What no word goes on with, or the end of a text: most words are seen to end without a pattern."""

OTHER = 0.999
"""What standing there in the other script is worth."""

MEANT = 0.7
"""What another word that means much the same is worth."""


class TermPiece:
    """A part of a term: a CJK run that stands as it is, or a word."""

    __slots__ = ("beginning", "cjk", "lead", "stem", "text")

    def __init__(self, text: str, cjk: bool = False, stem: str = "", beginning: bool = False) -> None:
        """`stem`: what a word's must be; empty: the word itself must be the same. `beginning`: it may go on."""
        self.text = text
        """Folded."""
        self.cjk = cjk
        self.stem = stem
        self.beginning = beginning
        # Porter changes a stem's last letter at most, all else it cuts off: y becomes i, 'staging' gets the e of
        # 'stage', and 'usability' the l of 'usable'.
        lead = stem or text
        if len(lead) > 1 and stem.endswith(("i", "e", "bl")):
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
        if word == self.text or (self.stem and stem_word(word) == self.stem):
            return end
        if self.beginning and word.startswith(self.text):
            return start + len(self.text)
        return -1


class Term:
    """Pieces that stand together. `weight` scales what a match is worth; `fts` is empty for terms that only score."""

    __slots__ = ("exact", "faint", "fts", "label", "others", "pieces", "weight", "worth")

    def __init__(
        self, pieces: tuple[TermPiece, ...], fts: str, label: str, weight: float = 1.0, exact: bool = False
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
        before: TermPiece | None = None
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


def _counter(piece: TermPiece) -> Callable[[str], float]:
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
                number += word == whole or (root != "" and stem_word(word) == root)
            start = text.find(lead, end)
        return number

    return count
