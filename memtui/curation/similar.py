"""How much alike two remembered texts are, in Chinese and English.

Spec 004: the same text, or more than 70 % of the same entities. Spec 002: Jaccard and containment of trigrams. On top,
the edit distance of the words in order. Texts that differ in a number or in a 'not' are never the same, however alike:
those are `differs`, which is what a contradiction looks like.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Literal, NamedTuple

from memtui.curation.lexicon import NOT, concepts
from memtui.pattern import pattern
from memtui.search.words import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

NEAR = 0.5
"""Trigram Jaccard from which two texts are shown as alike."""
SAME = 0.8
"""From which they say the same."""
INSIDE = 0.85
"""Share of the shorter one's trigrams that stand in the longer: it is part of it."""
WORDS = 0.4
"""Share of the shorter one's words that stand in the other, below which two texts are not alike."""
ENTITIES = 0.7
"""Spec 004: more than this share of a fact's entities in a line."""

_SHORT = 6
"""Characters below which only the same text is alike; a Latin word counts as two."""

_WITHIN = "+#./%-_"
"""What may stand within a word; most texts have none of it, and are cut up in a third of the time."""
_PLAIN = pattern(r"\w+")
_MARK = pattern(r"[^\w+#./%-]+|_+|(?<!\w)[./-]+|[./-]+(?!\w)")
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_GAP = pattern(rf" (?=[{_WIDE}])|(?<=[{_WIDE}]) ")
_WORD = pattern(rf"[^\W\u2e80-\U000323af]+|(?=([{_WIDE}]{{2}}))[{_WIDE}]")
_LINKED = pattern(r"\[\[[^\]]*\]\]|\]\([^)]*\)|https?://[^\s)>`]+")
_PLACED = pattern(r"(?:[a-z]:)?[\w.~@-]*(?:[\\/]+[\w.@-]+){2,}")
_TERM = pattern(r"[^\W_\u2e80-\U000323af]+|[\u2e80-\U000323af]+")
_NUMBER = pattern(r"\d+(?:[.:]\d+)*%?")
_NOT = pattern(
    r"不|没|无需|无法|禁止|禁用|切勿|勿|别(?!名|的|人)|拒绝|避免"
    r"|\b(?:not|no|never|none|without|cannot|don t|doesn t|isn t|won t|can t|shouldn t|mustn t|avoid|forbid\w*"
    r"|disable\w*|disallow\w*|stop(?:ped)?)\b"
)
# What holds a 不 or a 别 without denying anything.
_NO_NOT = pattern(r"不仅|不但|不过|不同|不管|不论|不断|不少|区别|分别|类别|级别|特别|差不多|识别|性别")


class Likeness(NamedTuple):
    """Which kind of likeness, and how much."""

    kind: Literal["exact", "same", "inside", "around", "entities", "near", "differs"]
    """inside: the first is part of the second; around: the other way round; near: alike, and no more than that."""
    score: float
    """0 to 1."""

    @property
    def covers(self) -> bool:
        """Whether the second text says all that the first says."""
        return self.kind in {"exact", "same", "inside", "entities"}


class Shape:
    """A text as it is compared."""

    __slots__ = ("_denials", "_numbers", "_words", "grams", "text", "weight")

    def __init__(self, text: str) -> None:
        """Of a normal text."""
        self.text = text
        self.grams = grams(text)
        self.weight = weight(text)
        # Most texts are like none, and are never asked for these.
        self._words: frozenset[str] | None = None
        self._numbers: tuple[str, ...] | None = None
        self._denials: int | None = None

    @property
    def words(self) -> frozenset[str]:
        """Latin words, and Chinese characters by twos."""
        if self._words is None:
            self._words = frozenset(match[1] or match[0] for match in _WORD.finditer(self.text))
        return self._words

    @property
    def numbers(self) -> tuple[str, ...]:
        """All that are in it, in order of their digits."""
        if self._numbers is None:
            self._numbers = tuple(sorted(_NUMBER.findall(self.text)))
        return self._numbers

    @property
    def denials(self) -> int:
        """How often it says 'not'."""
        if self._denials is None:
            self._denials = denials(self.text)
        return self._denials


def grams(text: str) -> frozenset[str]:
    """The trigrams of a normal text; what is shorter is one by itself."""
    return frozenset([text[at : at + 3] for at in range(len(text) - 2)] or (text,))


def weight(text: str) -> float:
    """How much a normal text can tell, in Chinese characters."""
    if text.isascii() and len(text) < len(_LATIN):
        return _LATIN[len(text)]
    return sum(1 if char >= "\u2e80" else 0.4 for char in text)


_LATIN = tuple(accumulate(chain((0.0,), repeat(0.4, 2000))))
"""What so many Latin characters weigh, added up one by one like all others."""


def shaped(text: str) -> Shape:
    """The text's shape."""
    return shape(normal(text))


@lru_cache(maxsize=1 << 12)
def shape(text: str) -> Shape:
    """The shape of a normal text, remembered: what is compared with one is compared with others. Each takes 8 KB."""
    return Shape(text)


def normal(text: str) -> str:
    """Folded, without punctuation and marks; one space between words, none beside Chinese characters."""
    plain = fold(text).rstrip("./-")
    if any(map(plain.__contains__, _WITHIN)):
        plain = " ".join(_MARK.sub(" ", plain).split())
    else:
        plain = " ".join(_PLAIN.findall(plain))
    return plain if plain.isascii() else _GAP.sub("", plain)


@lru_cache(maxsize=1 << 14)
def terms(text: str) -> frozenset[str]:
    """What a text speaks of: its Latin words as concepts, Chinese characters two by two, a path as one."""
    plain = _LINKED.sub(" ", fold(text))
    found = {match.replace("\\", "/") for match in _PLACED.findall(plain)}
    for piece in _TERM.findall(_PLACED.sub(" ", plain)):
        if piece[0] >= "\u2e80":
            found.update(piece[at : at + 2] for at in range(len(piece) - 1))
        else:
            found.update(concepts(piece))
    return frozenset(found - {NOT, ""})


def denials(text: str) -> int:
    """How often a normal text says 'not'."""
    return len(_NOT.findall(_NO_NOT.sub("", text)))


def likeness(one: str, two: str, entities: Sequence[str] = (), others: Sequence[str] = ()) -> Likeness | None:
    """How the first text is like the second; None: it is not. `entities` are the first one's, `others` the second's."""
    return compared(shaped(one), shaped(two)) or by_entities(names(entities), names(others), normal(two))


def compared(one: Shape, two: Shape) -> Likeness | None:
    """The likeness of two shapes by their text alone."""
    if one.text == two.text:
        return Likeness("exact", 1.0)
    if min(one.weight, two.weight) < _SHORT:
        return None
    shared = len(one.grams & two.grams)
    fewer = min(len(one.grams), len(two.grams))
    if shared * 2 < fewer:
        return None
    jaccard = shared / (len(one.grams) + len(two.grams) - shared)
    contained = shared / fewer
    score = max(jaccard, _ordered(one.text, two.text))
    part = contained >= INSIDE
    # One long name in both makes no likeness of two short texts: they must share words, too.
    words = len(one.words & two.words) / (min(len(one.words), len(two.words)) or 1)
    if (not part and score < NEAR) or words < WORDS:
        return None
    if one.numbers != two.numbers or one.denials != two.denials:
        return _apart(one, two, part, max(score, contained * 0.9))
    if score >= SAME:
        return Likeness("same", score)
    if part:
        return Likeness("inside" if len(one.text) <= len(two.text) else "around", max(score, contained * 0.9))
    return Likeness("near", score)


def _apart(one: Shape, two: Shape, part: bool, score: float) -> Likeness | None:
    """Of two texts with other numbers or another 'not': the longer one may still only say more."""
    short, long = (one, two) if len(one.text) <= len(two.text) else (two, one)
    at = long.text.find(short.text)
    if at >= 0 and not denials(long.text[max(0, at - 8) : at]):
        rest = f"{long.text[:at]} {long.text[at + len(short.text) :]}"
        # A number cut in half ('80' in '8080') is another number.
        if sorted((*_NUMBER.findall(rest), *short.numbers)) == list(long.numbers):
            return Likeness("inside" if short is one else "around", score)
    if part and len(long.text) > 1.5 * len(short.text):
        return Likeness("near", score)
    return Likeness("differs", score)


def _ordered(one: str, two: str) -> float:
    from rapidfuzz import fuzz

    return max(fuzz.ratio(one, two), fuzz.token_sort_ratio(one, two) if " " in one else 0.0) / 100 - 0.08


@lru_cache(maxsize=1 << 13)
def _name(entity: str) -> str:
    return normal(entity)


def names(entities: Sequence[str]) -> frozenset[str]:
    """Entities as they are compared."""
    return frozenset(map(_name, entities)) - {""}


def by_entities(wanted: frozenset[str], known: frozenset[str], line: str) -> Likeness | None:
    """Spec 004: a line with the same combination of entities; one entity is no combination."""
    if len(wanted) < 2:
        return None
    share = sum(entity in known or _stands(entity, line) for entity in wanted) / len(wanted)
    return Likeness("entities", share) if share > ENTITIES else None


def _stands(entity: str, line: str) -> bool:
    at = line.find(entity)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(entity) : at + len(entity) + 1]
        # A Latin word must stand by itself; a Chinese one has nothing around it to tell.
        if not (_letter(entity[0]) and _letter(before)) and not (_letter(entity[-1]) and _letter(after)):
            return True
        at = line.find(entity, at + 1)
    return False


def _letter(char: str) -> bool:
    return char.isalnum() and char < "\u2e80"
