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
    from collections.abc import Mapping, Sequence

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


def reports_at_length(sentences: Sequence[Sentence]) -> bool:
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
    weights: Weights | None = None,
) -> list[dict[str, float]]:
    """How likely each sentence is kept as each of `KINDS`; empty where nobody reports at length."""
    if not sentences or not reports_at_length(sentences):
        return []
    weights = weights or load_weights()
    return [
        dict(zip(KINDS, weights.judge(row, sum_kinds(one)), strict=True))
        for row, one in zip(describe_places(sentences, judged, steps), judged, strict=True)
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
    sentences: Sequence[Sentence], judged: Sequence[Mapping[str, float]], steps: Sequence[Step]
) -> list[list[int]]:
    """A row of whole numbers for each sentence. Linear in the talk's length."""
    chances = [[round(_STEP * math.log(max(_LEAST, one[name]))) for name in ACTS] for one in judged]
    none = [round(_STEP * math.log(_LEAST))] * len(_NEAR)
    turns: dict[int, list[int]] = {}
    for number, sentence in enumerate(sentences):
        turns.setdefault(sentence.turn, []).append(number)
    order = sorted(turns)
    lines = [sentences[turns[turn][0]].line for turn in order]
    worked = _count_steps(lines, steps)
    shapes = find_shapes(sentences)
    person = [sentences[turns[turn][0]].role == "user" for turn in order]
    signs = [set(find_cues(sentence)) | find_tells(sentence) for sentence in sentences]
    contents = [list_content_words(sentence.text) for sentence in sentences]
    found: list[list[int]] = []
    section = (0,) * len(_SECTIONS)
    for at, turn in enumerate(order):
        numbers = turns[turn]
        means = [sum(chances[one][act] for one in numbers) // len(numbers) for act in _NEAR]
        before = turns[order[at - 1]][-3:] if at else []
        after = turns[order[at + 1]][0] if at + 1 < len(order) else -1
        whole = [
            person[at],
            at + 1 == len(order),
            at + 1 < len(order) and person[at + 1],
            at > 0 and person[at - 1],
            not any(person[at + 1 :]),
            not any(person[:at]),
            min(at, 20),
            min(len(order) - 1 - at, 20),
            min(len(numbers), 60),
            *worked[at],
            *worked[at + 1],
            *means,
            *([max(chances[one][act] for one in before) for act in _NEAR] if before else none),
            *([chances[after][act] for act in _NEAR] if after >= 0 else none),
            bool(before) and sentences[before[-1]].asks,
            after >= 0 and sentences[after].asks,
            *_ask_reply(sentences[after] if after >= 0 else None),
            sum(sentences[one].item for one in numbers) * 4 // len(numbers),
        ]
        known = frozenset[str]().union(*(contents[one] for one in before))
        head, lists = "", 0
        for place, number in enumerate(numbers):
            sentence, shape = sentences[number], shapes[number]
            if sentence.head and sentence.head != head:
                head, section = sentence.head, find_section(sentence.head)
            elif not place:
                section = (0,) * len(_SECTIONS)
            lists += sentence.item and not (place and sentences[number - 1].item)
            own = contents[number]
            size = sum(0.5 if word[0] >= "\u3400" else 1.0 for word in own)
            found.append(
                [
                    int(one)
                    for one in (
                        *chances[number],
                        *([chances[number - 1][act] for act in _NEAR] if place else none),
                        *([chances[number + 1][act] for act in _NEAR] if number < numbers[-1] else none),
                        *([chances[shape.holder][act] for act in _NEAR] if shape.holder >= 0 else none),
                        *([chances[shape.intro][act] for act in _NEAR] if shape.intro >= 0 else none),
                        *whole,
                        min(place, 60),
                        min(numbers[-1] - number, 60),
                        sentence.item,
                        sentence.depth,
                        sentence.bold,
                        sentence.box == "x",
                        sentence.asks,
                        bool(sentence.head),
                        min(shape.part, 4),
                        min(lists, 9),
                        *section,
                        min(round(2 * size), 60),
                        min(len(own & known), 9),
                        min(sentence.text.count("`") // 2, 6),
                        sentence.text.endswith((":", "：")),
                        _NAME.match(sentence.text) is not None,
                        _LABEL.match(sentence.text) is not None,
                        _NUMBER.search(sentence.text) is not None,
                        _ARROW.search(sentence.text) is not None,
                        *(name in signs[number] for name in _SIGNS),
                    )
                ]
            )
    return found


def find_section(head: str) -> tuple[int, ...]:
    """What the heading over a sentence announces."""
    named = {name for language in list_languages(head) for name, sign in language.sections if sign.search(head)}
    return tuple(int(name in named) for name in _SECTIONS)


def find_tells(sentence: Sentence) -> set[str]:
    """The signs of a report in a sentence, and whether it says so of anything by itself."""
    text = sentence.bare[:240]
    found = {name for language in list_languages(text) for name, sign in language.tells if sign.search(text)}
    if any(language.cause.search(text) for language in list_languages(text)):
        found.add("because")
    return found


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
