"""The third look at a talk in which an agent reports at length: which of all that is told there is kept, as what.

In such a talk most sentences explain, and few of them are missed when they are gone. What tells them apart is less the
words than the place: the section that a sentence stands in, whether tools run behind it or the person answers, what
the turn holds besides. `describe_places` puts that, with the chances of the two looks before, in a row of numbers; a
linear model (reports.bin, made by `python -m tests.language.train_reports`) weighs it. What it says is mixed with what
the looks before said: it has learned from few talks, those have learned from many.
"""

from __future__ import annotations

import json
import math
import zlib
from bisect import bisect_right
from collections import Counter
from functools import cache
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.classify import ACTS, find_cues, list_content_words
from memtui.language.sentences import find_shapes, list_languages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.language.conversation import Step
    from memtui.language.sentences import Sentence

KINDS = ("", "decision", "learned", "open", "done")
"""What a sentence is kept as; empty: it is not."""
LEARNED = ("rule", "preference", "lesson", "fact")
FILE = Path(__file__).with_name("reports.bin")
AT_LENGTH = 2.2
"""So many sentences has an agent's turn on average, where it reports."""
_BEFORE = 0.4
"""How much the looks before count beside this one."""
_LEAST = 1e-4
_STEP = 12
_NEAR = tuple(ACTS.index(name) for name in ("-", "decision", "lesson", "fact", "open", "done", "offer", "question"))
_NONE = [round(_STEP * math.log(_LEAST))] * len(_NEAR)
_SECTIONS = ("cause", "changed", "next", "note", "checked", "choice", "asked")
_SIGNS = (
    "because", "lacks", "must", "may", "you", "doing", "passes", "is",
    "did", "now", "left", "later", "will", "offers", "which", "failed", "unable", "again", "lesson", "fact", "rule",
    "always", "prohibits", "orders", "prefers", "decides", "then", "yes", "thanks", "undo", "supposes", "package",
    "machine", "blames", "every",
)  # fmt: skip
_NAME = compile_pattern(r"^\W*[\w./\\-]+[./_]\w+|^`")
_LABEL = compile_pattern(r"^[^:：—]{2,60}(?:[:：]|\s[—–-]\s|——)\s*\S")
_NUMBER = compile_pattern(r"\d")
_ARROW = compile_pattern("→|->|=>")


def is_reported_at_length(sentences: Sequence[Sentence]) -> bool:
    """Whether an agent explains and reports in this talk, rather than chats."""
    told = Counter(sentence.turn for sentence in sentences if sentence.role == "assistant")
    return told.total() >= AT_LENGTH * max(1, len(told))


class Weights(NamedTuple):
    """Of each kind, what each number of a row counts."""

    rows: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def judge(self, row: Sequence[float], before: Sequence[float]) -> list[float]:
        """How likely a sentence is each of the kinds, which the looks before took to be so likely."""
        scores = [sum(map(mul, row, own), bias) for own, bias in zip(self.rows, self.bias, strict=True)]
        top = max(scores)
        whole = math.log(sum(math.exp(one - top) for one in scores)) + top
        mixed = [
            math.exp((1 - _BEFORE) * (one - whole) + _BEFORE * math.log(max(_LEAST, chance)))
            for one, chance in zip(scores, before, strict=True)
        ]
        return [one / sum(mixed) for one in mixed]


def judge_reports(
    sentences: Sequence[Sentence],
    judged: Sequence[Mapping[str, float]],
    steps: Sequence[Step] = (),
    signs: Sequence[Sequence[str]] | None = None,
) -> list[dict[str, float]]:
    """How likely each sentence is kept as each of `KINDS`; empty where nobody reports at length."""
    if not sentences or not is_reported_at_length(sentences):
        return []
    weights = load_weights()
    return [
        dict(zip(KINDS, weights.judge(row, sum_kinds(one)), strict=True))
        for row, one in zip(describe_places(sentences, judged, steps, signs), judged, strict=True)
    ]


def sum_kinds(judged: Mapping[str, float]) -> tuple[float, ...]:
    """How likely each of `KINDS` is by the looks before."""
    learned = sum(judged[name] for name in LEARNED)
    kinds = (judged["decision"], learned, judged["open"], judged["done"])
    return (max(1e-3, 1 - sum(kinds)), *kinds)


@cache
def load_weights() -> Weights:
    """The weights, read once."""
    return read_weights(FILE.read_bytes())


def read_weights(packed: bytes) -> Weights:
    """The weights as `tests.language.train_reports` packs them."""
    read = json.loads(zlib.decompress(packed))
    return Weights(tuple(map(tuple, read["rows"])), tuple(read["bias"]))


def describe_places(
    sentences: Sequence[Sentence],
    judged: Sequence[Mapping[str, float]],
    steps: Sequence[Step],
    signs: Sequence[Sequence[str]] | None = None,
) -> list[list[int]]:
    """A row of whole numbers for each sentence. Linear in the talk's length."""
    signs = [find_cues(sentence) for sentence in sentences] if signs is None else signs
    return list(_Places(sentences, judged, steps, signs).describe())


class _Places:
    """A talk, turn by turn."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        judged: Sequence[Mapping[str, float]],
        steps: Sequence[Step],
        signs: Sequence[Sequence[str]],
    ) -> None:
        self._sentences = sentences
        self._chances = [[round(_STEP * math.log(max(_LEAST, one[name]))) for name in ACTS] for one in judged]
        self._signs = [find_tells(one) | set(cues) for one, cues in zip(sentences, signs, strict=True)]
        self._contents = [list_content_words(sentence.text) for sentence in sentences]
        self._shapes = find_shapes(sentences)
        turns: dict[int, list[int]] = {}
        for number, sentence in enumerate(sentences):
            turns.setdefault(sentence.turn, []).append(number)
        self._turns = [turns[turn] for turn in sorted(turns)]
        self._person = [sentences[numbers[0]].role == "user" for numbers in self._turns]
        self._first, self._last = _find_ends(self._person)
        self._worked = _count_steps([sentences[numbers[0]].line for numbers in self._turns], steps)

    def describe(self) -> Iterator[list[int]]:
        """The rows, in order."""
        section = (0,) * len(_SECTIONS)
        for at, numbers in enumerate(self._turns):
            whole = self._describe_turn(at, numbers)
            before = self._turns[at - 1][-3:] if at else []
            known = frozenset[str]().union(*(self._contents[one] for one in before))
            head, lists = "", 0
            for place, number in enumerate(numbers):
                sentence = self._sentences[number]
                if sentence.head and sentence.head != head:
                    head, section = sentence.head, find_section(sentence.head)
                elif not place:
                    section = (0,) * len(_SECTIONS)
                lists += sentence.item and not (place and self._sentences[number - 1].item)
                row = (
                    *self._describe_near(number, numbers),
                    *whole,
                    min(place, 60),
                    min(numbers[-1] - number, 60),
                    *self._describe_layout(number),
                    min(lists, 9),
                    *section,
                    *self._describe_words(number, known),
                )
                yield [int(one) for one in row]

    def _pick(self, number: int) -> list[int]:
        """The chances of a sentence that matter to another; -1: there is none."""
        return [self._chances[number][act] for act in _NEAR] if number >= 0 else _NONE

    def _describe_turn(self, at: int, numbers: Sequence[int]) -> list[int]:
        sentences, person, last = self._sentences, self._person, len(self._turns) - 1
        before = self._turns[at - 1][-3:] if at else []
        after = self._turns[at + 1][0] if at < last else -1
        return [
            person[at],
            at == last,
            at < last and person[at + 1],
            at > 0 and person[at - 1],
            at >= self._last,
            at <= self._first,
            min(at, 20),
            min(last - at, 20),
            min(len(numbers), 60),
            *self._worked[at],
            *self._worked[at + 1],
            *(sum(self._chances[one][act] for one in numbers) // len(numbers) for act in _NEAR),
            *([max(self._chances[one][act] for one in before) for act in _NEAR] if before else _NONE),
            *self._pick(after),
            bool(before) and sentences[before[-1]].asks,
            after >= 0 and sentences[after].asks,
            *_ask_reply(sentences[after] if after >= 0 else None),
            sum(sentences[one].item for one in numbers) * 4 // len(numbers),
        ]

    def _describe_near(self, number: int, numbers: Sequence[int]) -> list[int]:
        shape = self._shapes[number]
        return [
            *self._chances[number],
            *self._pick(number - 1 if number > numbers[0] else -1),
            *self._pick(number + 1 if number < numbers[-1] else -1),
            *self._pick(shape.holder),
            *self._pick(shape.intro),
        ]

    def _describe_layout(self, number: int) -> list[int]:
        sentence = self._sentences[number]
        return [
            sentence.item,
            sentence.depth,
            sentence.bold,
            sentence.box == "x",
            sentence.asks,
            bool(sentence.head),
            min(self._shapes[number].part, 4),
        ]

    def _describe_words(self, number: int, known: frozenset[str]) -> list[int]:
        text, own = self._sentences[number].text, self._contents[number]
        size = sum(0.5 if word[0] >= "\u3400" else 1.0 for word in own)
        return [
            min(round(2 * size), 60),
            min(len(own & known), 9),
            min(text.count("`") // 2, 6),
            text.endswith((":", "：")),
            _NAME.match(text) is not None,
            _LABEL.match(text) is not None,
            _NUMBER.search(text) is not None,
            _ARROW.search(text) is not None,
            *(name in self._signs[number] for name in _SIGNS),
        ]


def find_section(head: str) -> tuple[int, ...]:
    """What the heading over a sentence announces."""
    named = {name for language in list_languages(head) for name, sign in language.sections if sign.search(head)}
    return tuple(int(name in named) for name in _SECTIONS)


def has_advice(head: str) -> bool:
    """Whether a heading announces what is for the person to do."""
    return any(name == "advice" and sign.search(head) for one in list_languages(head) for name, sign in one.sections)


def find_tells(sentence: Sentence) -> set[str]:
    """The signs of a report in a sentence, and whether it says so of anything by itself."""
    text = sentence.bare[:240]
    found = {name for language in list_languages(text) for name, sign in language.tells if sign.search(text)}
    if any(language.cause.search(text) for language in list_languages(text)):
        found.add("because")
    return found


def _find_ends(person: Sequence[bool]) -> tuple[int, int]:
    """The first and the last turn of a person; past the end, and before the beginning, where they say nothing."""
    own = [at for at, one in enumerate(person) if one]
    return (own[0], own[-1]) if own else (len(person), -1)


def _ask_reply(sentence: Sentence | None) -> list[bool]:
    """What the next turn begins with: that it fails, that it is good, a yes."""
    if sentence is None or sentence.role != "user":
        return [False] * 3
    languages = list_languages(sentence.text)
    return [
        any(one.fails.search(sentence.bare) for one in languages),
        any(one.pleased.search(sentence.bare) for one in languages),
        any(one.yes.match(sentence.bare) for one in languages),
    ]


def _count_steps(lines: Sequence[int], steps: Sequence[Step]) -> list[tuple[int, int, int]]:
    """How many files tools wrote before each turn and behind the last, how many ran, how many failed."""
    found = [[0, 0, 0] for _ in range(len(lines) + 1)]
    for step in steps:
        own = found[bisect_right(lines, step.line)]
        own[2 if step.failed else 0 if step.writes else 1] += 1
    return [(min(wrote, 9), min(ran, 9), min(failed, 9)) for wrote, ran, failed in found]
