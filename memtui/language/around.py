"""The second look at a talk: what each sentence does, from what the first look made of it and of what stands around it.

A sentence decides because an offer stands before it and a report behind it. `describe_around` puts the first look's
chances of a sentence and of its neighbours in a row of whole numbers; a forest of small trees, made with the weights
(tests/language/train.py), reads that row.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from memtui.language.languages import list_languages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.language.sentences import Sentence

DEPTH = 3
_SPLITS, _LEAVES = 2**DEPTH - 1, 2**DEPTH
_TREE = 2 * _SPLITS + 2 * _LEAVES
"""Bytes of one tree: the places that it asks, the numbers up to which it goes left, what its leaves say."""
_SCALE = 1000
"""A leaf's whole number for one."""
_LEAST = 1e-4
_STEP = 12
"""How finely a chance is told: its logarithm, so many times."""
_SHARE = 0.7
"""How much the second look counts beside the first."""
_CUES = (
    "always", "rule", "prohibits", "orders", "prefers", "lesson", "fact", "later", "left", "will", "did", "now", "undo",
    "supposes", "offers", "which", "thanks", "yes", "picks", "then", "decides", "failed", "unable",
)  # fmt: skip


class SentencePlace(NamedTuple):
    """Which sentences stand around one."""

    own: int
    """Its place in its turn."""
    left: int
    """How many follow it there."""
    before: Sequence[int]
    """The last ones of the turn before."""
    after: Sequence[int]
    """The first ones of the next turn."""
    then: Sequence[int]
    """The first one of the turn after that."""


def list_near(sentences: Sequence[Sentence]) -> list[SentencePlace]:
    """What stands around each sentence of a talk."""
    turns: dict[int, list[int]] = {}
    for number, sentence in enumerate(sentences):
        turns.setdefault(sentence.turn, []).append(number)
    order = sorted(turns)
    found: list[SentencePlace] = []
    for at, turn in enumerate(order):
        numbers = turns[turn]
        before = turns[order[at - 1]][-3:] if at else []
        after = turns[order[at + 1]][:2] if at + 1 < len(order) else []
        then = turns[order[at + 2]][:1] if at + 2 < len(order) else []
        found += [
            SentencePlace(place, len(numbers) - 1 - place, before, after, then)
            for place in range(len(numbers))
        ]
    return found


def describe_around(
    sentences: Sequence[Sentence],
    judged: Sequence[Mapping[str, float]],
    acts: Sequence[str],
    signs: Sequence[Sequence[str]],
    contents: Sequence[frozenset[str]],
) -> list[list[int]]:
    """A row of whole numbers (0 to 255, 128 is none) for each sentence, from the chances of the first look."""
    chances = [[round(_STEP * math.log(max(_LEAST, one[name]))) for name in acts] for one in judged]
    none = [round(_STEP * math.log(_LEAST))] * len(acts)

    def most(numbers: Sequence[int]) -> list[int]:
        return [max(row) for row in zip(*(chances[one] for one in numbers), strict=True)] if numbers else none

    found: list[list[int]] = []
    for number, (sentence, near) in enumerate(zip(sentences, list_near(sentences), strict=True)):
        own = contents[number]
        before = frozenset[str]().union(*(contents[one] for one in near.before))
        after = frozenset[str]().union(*(contents[one] for one in near.after))
        row = [
            *chances[number],
            *(chances[number - 1] if near.own else none),
            *(chances[number + 1] if near.left else none),
            *most(near.before),
            *most(near.after),
            *most(near.after[:1]),
            *most(near.then),
            sentence.role == "user",
            sentence.asks,
            min(near.own, 4),
            min(near.left, 4),
            min(len(own), 30),
            min(round(2 * sum(0.5 if word[0] >= "\u3400" else 1.0 for word in own)), 60),
            min(len(own & before), 10),
            min(len(own & after), 10),
            bool(near.before) and sentences[near.before[-1]].asks,
            bool(near.after) and sentences[near.after[0]].asks,
            sentence.item,
            bool(sentence.head),
            any(word[0] >= "\u3400" for word in own),
            any(one.no.match(sentence.bare) is not None for one in list_languages(sentence.text)),
            any(one.label.match(sentence.bare) is not None for one in list_languages(sentence.text)),
            any(one.isdigit() for one in own),
        ]
        signed = set(signs[number])
        row += [name in signed for name in _CUES]
        found.append([int(one) + 128 for one in row])
    return found


class Forest:
    """Trees of one depth, one after the other for each act in turn."""

    def __init__(self, packed: bytes, base: Sequence[float]) -> None:
        self._base = base
        self._trees: list[tuple[bytes, bytes, list[int]]] = []
        for at in range(0, len(packed), _TREE):
            leaves = memoryview(packed[at + 2 * _SPLITS : at + _TREE]).cast("h").tolist()
            bounds = packed[at + _SPLITS : at + 2 * _SPLITS]
            self._trees.append((packed[at : at + _SPLITS], bounds, leaves))

    def __bool__(self) -> bool:
        return bool(self._trees)

    def judge(self, row: Sequence[int], first: Sequence[float]) -> list[float]:
        """How likely each act is, of all of them, where the first look said so likely."""
        heads = len(self._base)
        sums = [0] * heads
        for number, (places, bounds, leaves) in enumerate(self._trees):
            at = 1 if row[places[0]] <= bounds[0] else 2
            at = 2 * at + (1 if row[places[at]] <= bounds[at] else 2)
            at = 2 * at + (1 if row[places[at]] <= bounds[at] else 2)
            sums[number % heads] += leaves[at - _SPLITS]
        scores = [base + one / _SCALE for base, one in zip(self._base, sums, strict=True)]
        top = max(scores)
        whole = math.log(sum(math.exp(one - top) for one in scores)) + top
        mixed = [
            math.exp(_SHARE * (one - whole) + (1 - _SHARE) * math.log(max(1e-6, chance)))
            for one, chance in zip(scores, first, strict=True)
        ]
        return [one / sum(mixed) for one in mixed]
