"""What each sentence of a conversation does: a linear classifier over words, parts of words and the sentence's place.

`describe` computes the features of a conversation's sentences; `weights.bin` holds their weights, trained on
labelled conversations by `python -m tests.language.train`. Two tables share the features: ACTS, of which a
sentence has one, and SIGNALS, of which it may have several. Weights are 8-bit integers, and all weights of a
feature are packed in one big integer, so that a sentence costs one addition a feature.

The second look at a talk: what each sentence does, from what the first look made of it and of what stands around it.

A sentence decides because an offer stands before it and a report behind it. `describe_around` puts the first look's
chances of a sentence and of its neighbours in a row of whole numbers; a forest of small trees, made with the weights
(tests/language/train.py), reads that row.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.core.text import HAN
from memtui.language.conversation import SIGNALS
from memtui.language.sentences import find_shapes, list_languages, simplify, split_talk
from memtui.language.trouble_kinds import ANSWERS, CODES, KINDS, ROUGH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.language.conversation import Conversation, Step
    from memtui.language.sentences import ListPlace, Sentence


ACTS = (
    "-", "decision", "rule", "preference", "lesson", "fact", "open", "done", "undone", "retract", "offer", "question",
    "hypothetical", "sarcasm", "thanks", "pasted",
)  # fmt: skip
OUTCOMES = ("success", "partly", "failed", "unknown")
HEADS = (*ACTS, *SIGNALS, *OUTCOMES)

FILE = Path(__file__).with_name("weights.bin")
_LANE = 32
"""Bits of a sum."""
_WORD = compile_pattern(r"[a-z]+(?:['’][a-z]+)?|\d+(?:[.:]\d+)*|[\u3400-\u9fff]+|[^\w\s]|_+|\w+")
_WIDE = compile_pattern(f"[{HAN}]")
_MOST = 240
"""Characters of a sentence that are looked at: its beginning and its end."""
_ANCHORS = frozenset({"w", "c", "b"})
"""Features that stand as they are in the text."""
_STOP = frozenset(
    "a an the of to in on at for with and or but is are was were be it its this that these those i we you my our your he she they"
    " not do does did so as if then just me us them will would can could should have has had now also there here".split()
)


def describe(
    sentences: Sequence[Sentence],
    steps: Sequence[Step] = (),
    signs: Sequence[Sequence[str]] | None = None,
) -> list[list[str]]:
    """The features of each sentence of a talk, in which tools took steps. Linear in its length."""
    turns: dict[int, list[int]] = {}
    for number, sentence in enumerate(sentences):
        turns.setdefault(sentence.turn, []).append(number)
    order = sorted(turns)
    place = {turn: at for at, turn in enumerate(order)}
    found: list[list[str]] = []
    worked = _list_worked([sentences[turns[turn][0]].line for turn in order], steps)
    signs = [find_cues(sentence) for sentence in sentences] if signs is None else signs
    for number, (sentence, shape) in enumerate(zip(sentences, find_shapes(sentences), strict=True)):
        own = turns[sentence.turn]
        at = place[sentence.turn]
        before = [sentences[one] for one in turns[order[at - 1]]] if at else []
        after = sentences[turns[order[at + 1]][0]] if at + 1 < len(order) else None
        features = _lexical(sentence, signs[number])
        role = sentence.role[:1] or "n"
        position = number - own[0]
        features += [
            f"@role:{role}",
            f"@at:{role}{min(position, 3)}",
            f"@left:{role}{min(own[-1] - number, 2)}",
            f"@begun:{role}{min(at, 3)}",
            f"@togo:{role}{min(len(order) - 1 - at, 4)}",
            f"@worked:{role}{worked[at]}{min(position, 1)}",
            f"@works:{role}{worked[at + 1]}{min(own[-1] - number, 1)}",
            f"@long:{role}{min(len(own), 64).bit_length()}",
            f"@place:{role}{min(len(own), 64).bit_length()}{min(position, 2)}{min(own[-1] - number, 2)}",
            *_describe_shape(sentence, shape, signs, len(order) - 1 - at),
        ]
        if before and before[-1].role != sentence.role:
            features += _answering(sentence, before, position)
            last = turns[order[at - 1]][-2:]
            told = {name for one in last for name in signs[one]} & _TOLD
            features += [f"q@{role}{name}{min(position, 1)}" for name in sorted(told)]
            if "which" in told or "offers" in told or before[-1].asks:
                features += [f"qk:{name}{min(position, 1)}" for name in signs[number]]
        if position:
            previous = sentences[number - 1]
            features.append(f"@prev:{role}{'?' if previous.asks else ''}")
            features += [f"p:{word}" for word in list_words(previous.bare[:60])[:4]]
            features += [f"p@{name}" for name in signs[number - 1]]
        if after is not None and after.role != sentence.role:
            features += [f"n:{role}{word}" for word in list_words(after.bare[:60])[:4]]
            features += [f"n@{role}{name}" for name in signs[turns[order[at + 1]][0]]]
        else:
            features.append(f"@end:{role}")
        found.append(features)
    return found


def _describe_shape(sentence: Sentence, shape: ListPlace, signs: Sequence[Sequence[str]], togo: int) -> Iterator[str]:
    """The features of the layout: a report's list is told from an explanation's by what leads up to it."""
    role = sentence.role[:1] or "n"
    wide = "z" if _WIDE.search(sentence.text) is not None else "e"
    kind = f"i{sentence.depth}" if sentence.item else "p"
    yield f"@in:{role}{wide}"
    yield f"@shape:{role}{kind}{sentence.bold:d}{min(shape.part, 1)}"
    yield f"@last:{role}{kind}{min(togo, 2)}"
    if sentence.text.endswith((":", "：")):
        yield f"@colon:{role}{kind}"
    for name in signs[shape.first]:
        yield f"o@{role}{name}"
    if shape.intro >= 0:
        yield f"@led:{role}{sentence.depth}"
        for name in signs[shape.intro]:
            yield f"l@{role}{name}{min(shape.part, 1)}"
    if shape.holder >= 0:
        for name in signs[shape.holder]:
            yield f"u@{role}{name}"


def _list_worked(lines: Sequence[int], steps: Sequence[Step]) -> list[str]:
    """What tools did before each turn, and behind the last: w wrote, r ran, f failed; - nothing, empty in no talk."""
    if not steps:
        return [""] * (len(lines) + 1)
    found = [set[str]() for _ in range(len(lines) + 1)]
    for step in steps:
        found[bisect_left(lines, step.line)].add("f" if step.failed else "w" if step.writes else "r")
    return ["".join(sorted(one)) or "-" for one in found]


def describe_line(sentence: Sentence) -> list[str]:
    """The features of a sentence that stands alone: of a summary's line, or a document's."""
    role = sentence.role[:1] or "n"
    return [*_lexical(sentence, find_cues(sentence)), f"@role:{role}", f"@alone:{role}"]


_TOLD = frozenset({"offers", "which", "did", "now", "failed", "later", "left", "unable", "yes"})
"""Cues of what was said before that matter to an answer."""


def find_cues(sentence: Sentence) -> list[str]:
    """The names of the signs in a sentence, of every language that it may be in."""
    text = sentence.bare[:_MOST]
    return [name for language in list_languages(text) for name, sign in language.cues if sign.search(text) is not None]


def find_kinds(text: str) -> list[str]:
    """The kinds of trouble that a text names, and whether it names an error."""
    found = [f"{kind.name}/{min(kind.types)}" for kind in (*KINDS, *ROUGH) if kind.pattern.search(text) is not None]
    if CODES.search(text) is not None:
        found.append("code")
    if ANSWERS.search(text) is not None:
        found.append("answer")
    return found


def _lexical(sentence: Sentence, signs: Sequence[str]) -> list[str]:
    """The features of the words themselves."""
    text = sentence.bare if len(sentence.bare) <= _MOST else f"{sentence.bare[:160]} {sentence.bare[-80:]}"
    role = sentence.role[:1] or "n"
    words = list_words(text)
    signs = list(dict.fromkeys(signs))
    features = [f"k{role}:{name}" for name in signs] + [f"k:{name}" for name in signs]
    features += [f"kk{role}:{one}+{two}" for at, one in enumerate(signs) for two in signs[at + 1 :]]
    if not signs:
        features.append(f"k{role}:none")
    features += [f"w:{word}" for word in words]
    features += [f"{role}:{word}" for word in words]
    features += [f"b:{one} {two}" for one, two in pairwise(words)]
    features += [f"t:{one} {two} {three}" for one, two, three in zip(words, words[1:], words[2:], strict=False)]
    for count in (1, 2, 3):
        if len(words) >= count:
            features.append(f"^{role}:{' '.join(words[:count])}")
    if words:
        features.append(f"$:{words[-1]}")
    for word in words:
        if len(word) > 4 and word[0] < "\u3400" and word.isalpha():
            features += [f"s:{word[-3:]}", f"s:{word[:4]}"]
    for run in _WIDE_RUN.findall(text):
        features += [f"c:{run[at : at + size]}" for size in (2, 3, 4) for at in range(len(run) - size + 1)]
    if (wide := _WIDE_RUN.match(text)) is not None:
        features += [f"^c{role}:{wide[0][:size]}" for size in (1, 2, 3, 4) if len(wide[0]) >= size]
    if (last := _WIDE_LAST.search(text)) is not None:
        features += [f"$c:{last[0][-size:]}" for size in (1, 2, 3) if len(last[0]) >= size]
    features += [f"x:{name}" for name in find_kinds(sentence.text[:_MOST])]
    size = len(words) + text.count("\u3000") + sum(len(run) // 2 for run in _WIDE_RUN.findall(text))
    features.append(f"@size:{role}{min(size.bit_length(), 6)}")
    if sentence.asks:
        features.append(f"@asks:{role}")
    if sentence.item:
        features.append(f"@item:{role}")
    if sentence.box:
        features.append(f"@box:{sentence.box}")
    if "▯" in text:
        features.append(f"@quoted:{role}")
    if "`" in text or re.search(r"\w[_./]\w|\w\(\)", text):
        features.append(f"@code:{role}")
    if sentence.head:
        features += [f"h:{word}" for word in list_words(simplify(sentence.head[:60]))[:6]]
        features.append(f"@head:{role}")
    return list(dict.fromkeys(features))


_WIDE_RUN = compile_pattern(f"[{HAN}]+")
_WIDE_LAST = compile_pattern(f"[{HAN}]+(?=[^{HAN}A-Za-z0-9]*$)")


def list_words(text: str) -> list[str]:
    """The words of a text: numbers all alike, Chinese by characters."""
    found: list[str] = []
    for word in _WORD.findall(text.lower().replace("’", "'")):
        if word[0].isdigit():
            found.append("0")
        elif word[0] >= "\u3400" and _WIDE.match(word):
            found += word
        else:
            found.append(word[:24])
    return found


def _answering(sentence: Sentence, before: Sequence[Sentence], position: int) -> list[str]:
    """What it says to the turn before it."""
    role = sentence.role[:1] or "n"
    asked = before[-1].asks
    told = " ".join(one.bare for one in before[-6:])[-600:]
    own, theirs = list_content_words(sentence.bare), list_content_words(told)
    share = 4 * len(own & theirs) // len(own) if own else 5
    early = min(position, 1)
    features = [
        f"@after:{role}{'?' if asked else '.'}{early}",
        f"@shares:{role}{share}{early}",
        f"@answer:{role}{'?' if asked else '.'}{share}{min(len(own), 4)}{early}",
    ]
    if not early:
        last = list_words(before[-1].bare[:80])
        features += [f"q:{word}" for word in last[:12]]
        features += [f"q2:{one} {two}" for one, two in pairwise(last[:6])]
        if any(one.item for one in before):
            features.append("@options:list")
        features += _replying(sentence, before)
    return features


def _replying(sentence: Sentence, before: Sequence[Sentence]) -> list[str]:
    """Whether it agrees, refuses, or names one of several things that were offered or asked for."""
    role = sentence.role[:1] or "n"
    text, found = sentence.bare[:_MOST], list[str]()
    for language in list_languages(text):
        for name, pattern in (
            ("yes", language.yes), ("no", language.no), ("both", language.both), ("label", language.label),
        ):  # fmt: skip
            said = pattern.match(text)
            if said is not None:
                rest = min(len(text) - said.end(), 40) // 20
                found += [
                    f"@{name}:{role}",
                    f"@{name}:{role}{rest}",
                    f"@{name}:{role}{'?' if before[-1].asks else '.'}",
                ]
    own = list_content_words(text)
    for one in before[-3:]:
        parts = [
            list_content_words(part) for part in list_languages(one.bare)[0].either.split(one.bare[:_MOST]) if part
        ]
        if len(parts) > 1:
            named = sum(bool(own & part - frozenset().union(*(x for x in parts if x is not part))) for part in parts)
            found.append(f"@picks:{role}{min(named, 2)}")
            found.append(f"@picks:{role}{min(named, 2)}{'?' if before[-1].asks else '.'}{min(len(own), 5)}")
    return list(dict.fromkeys(found))


def list_content_words(text: str) -> frozenset[str]:
    """The words of a text that tell something; Chinese by pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(text.lower()):
        if word[0] >= "\u3400" and _WIDE.match(word):
            found.update(map("".join, pairwise(word)) if len(word) > 1 else word)
        elif word[0].isalnum() and word not in _STOP:
            found.add(word[:5])
    return frozenset(found)


class Model:
    """Weights by feature."""

    def __init__(self, packed: bytes) -> None:
        raw = zlib.decompress(packed)
        size = int.from_bytes(raw[:4], "little")
        head = json.loads(raw[4 : 4 + size])
        self._scales: list[float] = head["scales"]
        self._bias: list[float] = head["bias"]
        self.subject: dict[str, float] = head.get("subject", {})
        """How much speaks for what a sentence is about, see `subject`."""
        if len(self._bias) != len(HEADS):
            # A type of signal more or less: each weight would be read as another head's.
            raise ValueError("weights.bin has other heads than HEADS: make it anew by python -m tests.language.train")
        width, at = len(HEADS), 4 + size
        self._rows: dict[str, int] = {}
        names = head["features"].split("\n") if head["features"] else []
        body = raw[at : at + width * len(names)]
        wide = bytearray(4 * len(body))
        # Lanes hold what is above -128, so that no sum is negative.
        wide[::4] = body
        lanes = 4 * width
        for number, name in enumerate(names):
            self._rows[name] = int.from_bytes(wide[lanes * number : lanes * (number + 1)], "little")
        at += len(body)
        self.forest = Forest(raw[at:], head.get("base", ()))

    def score(self, features: Iterable[str]) -> list[float]:
        """The score of each head."""
        rows = self._rows
        known = [rows[one] for one in features if one in rows]
        total = sum(known)
        mask, low = (1 << _LANE) - 1, 128 * len(known)
        return [
            self._bias[head] + self._scales[head] * (((total >> (_LANE * head)) & mask) - low)
            for head in range(len(HEADS))
        ]

    def find_strongest(self, features: Iterable[str], head: str) -> str:
        """The word, or the piece of one, that speaks most for a head; empty: none does."""
        at = HEADS.index(head)
        best, most = "", 128
        for feature in features:
            kind, _, word = feature.partition(":")
            if kind in _ANCHORS and feature in self._rows and word != "0":
                weight = (self._rows[feature] >> (_LANE * at)) & 255
                if weight > most:
                    best, most = word, weight
        return best

    def judge(self, features: Iterable[str]) -> dict[str, float]:
        """How likely each act is, of all of them, and each trouble, by itself."""
        scores = self.score(features)
        acts = scores[: len(ACTS)]
        top = max(acts)
        powers = [math.exp(one - top) for one in acts]
        whole = sum(powers)
        found = {name: power / whole for name, power in zip(ACTS, powers, strict=True)}
        for name, one in zip(SIGNALS, scores[len(ACTS) : len(ACTS) + len(SIGNALS)], strict=True):
            found[name] = 1 / (1 + math.exp(-max(-30.0, min(30.0, one))))
        return found


@cache
def load_model() -> Model:
    """The weights, read once."""
    return Model(FILE.read_bytes())


def judge_talk(
    sentences: Sequence[Sentence],
    steps: Sequence[Step] = (),
    weights: Model | None = None,
    signs: Sequence[Sequence[str]] | None = None,
) -> list[dict[str, float]]:
    """How likely each act and trouble is, sentence by sentence; `signs`: their cues, where they are known."""
    weights = weights or load_model()
    signs = [find_cues(sentence) for sentence in sentences] if signs is None else signs
    judged = [weights.judge(features) for features in describe(sentences, steps, signs)]
    if not weights.forest:
        return judged
    rows = look_around(sentences, judged, signs)
    for row, one in zip(rows, judged, strict=True):
        one.update(zip(ACTS, weights.forest.judge(row, [one[name] for name in ACTS]), strict=True))
    return judged


class HeardTalk(NamedTuple):
    """A talk's sentences, their cues, and how likely each act and trouble is: found once for all who read them."""

    sentences: Sequence[Sentence]
    signs: list[list[str]]
    judged: list[dict[str, float]]


def hear(sentences: Sequence[Sentence], steps: Sequence[Step] = (), weights: Model | None = None) -> HeardTalk:
    """These sentences as a talk, in which tools took steps."""
    signs = [find_cues(sentence) for sentence in sentences]
    return HeardTalk(sentences, signs, judge_talk(sentences, steps, weights, signs))


def hear_talk(talk: Conversation) -> HeardTalk:
    """A recorded session."""
    return hear(split_talk(talk.said), talk.steps)


def look_around(
    sentences: Sequence[Sentence],
    judged: Sequence[Mapping[str, float]],
    signs: Sequence[Sequence[str]] | None = None,
) -> list[list[int]]:
    """What the second look at a talk goes by."""
    signs = [find_cues(sentence) for sentence in sentences] if signs is None else signs
    return describe_around(sentences, judged, ACTS, signs, [list_content_words(one.text) for one in sentences])


def judge_outcome(features: Iterable[str]) -> str:
    """How a session went: the likeliest of OUTCOMES."""
    scores = load_model().score(features)[-len(OUTCOMES) :]
    return OUTCOMES[max(range(len(scores)), key=scores.__getitem__)]


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


_LED = tuple(ACTS.index(name) for name in ("-", "decision", "lesson", "fact", "open", "done", "undone", "offer"))
"""The acts of which a list's beginning, its other items and what holds an item tell something."""


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
    begun: int
    """How many turns came before."""
    togo: int
    """How many follow."""


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
            SentencePlace(place, len(numbers) - 1 - place, before, after, then, at, len(order) - 1 - at)
            for place in range(len(numbers))
        ]
    return found


def _describe_lists(
    sentences: Sequence[Sentence], chances: Sequence[Sequence[int]], none: Sequence[int]
) -> list[list[int]]:
    """For each sentence what its turn, its list and what holds it begin with, and what the other items are."""
    shapes = find_shapes(sentences)
    lists: dict[tuple[int, int, int], list[int]] = {}
    for number, (sentence, shape) in enumerate(zip(sentences, shapes, strict=True)):
        if sentence.item and not shape.part:
            lists.setdefault((sentence.turn, shape.intro, sentence.depth), []).append(number)

    def pick(number: int) -> list[int]:
        return [(chances[number] if number >= 0 else none)[at] for at in _LED]

    def average(numbers: Sequence[int]) -> list[int]:
        return [sum(chances[one][at] for one in numbers) // len(numbers) for at in _LED]

    means = {key: average(numbers) for key, numbers in lists.items()}
    return [
        [
            *pick(shape.first),
            *pick(shape.intro),
            *pick(shape.holder),
            *(means.get((sentence.turn, shape.intro, sentence.depth)) or pick(-1)),
            sentence.depth,
            sentence.bold,
            min(shape.part, 3),
            sentence.text.endswith((":", "：")),
        ]
        for sentence, shape in zip(sentences, shapes, strict=True)
    ]


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

    around = _describe_lists(sentences, chances, none)
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
            min(near.own, 40),
            min(near.left, 40),
            min(near.begun, 12),
            min(near.togo, 12),
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
            *around[number],
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
