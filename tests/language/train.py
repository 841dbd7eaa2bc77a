"""Makes memtui/language/weights.bin from the labelled talks and lines: `python -m tests.language.train`.

Needs the extra `train` (scikit-learn). The weights that ship have learned as well from talks that were really held,
out of public repositories: those are labelled as the others are, and are not kept here (`--recorded FOLDER`). There an
agent reports in lists and explains at length, and much of what a person says is an order for the moment.

How much is found in talks that nothing was learned from is measured by `python -m tests.language.check`.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from memtui.language import classify
from memtui.language.classify import ACTS, FILE, HEADS, OUTCOMES, describe, describe_line
from memtui.language.conversation import SIGNALS
from memtui.language.memories import Memories
from memtui.language.outcome import Facts, describe_outcome
from memtui.language.sentences import Sentence, show_bare, split, split_talk
from memtui.language.subject import Subjects
from memtui.language.work import find_closing, list_commits
from tests.language.__main__ import TROUBLE as TYPES
from tests.language.__main__ import items, terms
from tests.language.fitting import (
    Fitted,
    Group,
    fit_best,
    fit_each,
    fit_forest,
    fit_one_of,
    make_matrix,
    pack,
)
from tests.language.talks import HERE, Talk, conversation, parse, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.language.talks import Line

FOLDS = 2
MOST = 24_000
"""Features that are kept."""
C = 0.3
C_TROUBLE = 0.15
C_ENDS = 0.06
_ENDS = {"success": "success", "partial": "partly", "failure": "failed", "unknown": "unknown"}
_SURE = 5.0
"""What weighs more is doubted least."""
_KEPT = ("decision", "rule", "preference", "lesson", "fact", "open", "done")
_BESIDES = 0.4
"""How much of a sentence is what it does besides."""
_RECORDED = 20.0
"""What a sentence of a recorded talk weighs: there are few, and they are what it is for."""
_LEAST = 3
"""Sentences in which a feature occurs, to be one."""
_UNIT = 4.0
"""What the sentence of a unit, a short talk that shows one thing, weighs."""
_CLOSE = {"en": ((58, 6.0), (39, 3.0)), "zh": ((66, 6.0), (47, 3.0))}
"""What a sentence weighs from which file on: there all is labelled that is worth keeping, whoever says it.

Earlier files have labels where it stands out, and least for what an agent says."""


class Example(NamedTuple):
    features: list[str]
    act: str
    """Empty: it is not known."""
    trouble: frozenset[str]
    weight: float = 1.0
    acts: bool = False
    """Nothing is known of its trouble."""
    sure: float = 1.0
    """How sure its act is: what was given no label may have missed one."""
    shares: Mapping[str, float] = {}
    """How much it is of each act, where it is several, or nobody labelled it; empty: its act alone."""

    def list_acts(self) -> list[tuple[str, float]]:
        """Its acts, each with its share."""
        return [*self.shares.items()] or [(self.act, 1.0)]


class End(NamedTuple):
    """How a talk ended, and what tells it."""

    features: list[str]
    word: str
    weight: float


class Read(NamedTuple):
    """A talk, described once."""

    talk: Talk
    fold: int
    judged: bool
    """Whether it is one to measure on."""
    sentences: tuple[Sentence, ...]
    described: list[list[str]]
    rows: dict[int, Example]
    """What is known of its sentences, by their numbers."""
    tools: list[Example]
    weight: float


def read_talks(folder: Path = HERE, folds: int = FOLDS) -> list[Read]:
    """All labelled talks. What one file holds is of one hand, and in one fold.

    In files called `acts-…` trouble is labelled where it is seen best, not wherever it is told: they
    teach nothing of it.
    """
    found: list[Read] = []
    counts: Counter[bool] = Counter()
    for path in sorted(folder.glob("*.txt")):
        acts = path.name.startswith("acts")
        judged = acts or path.name.startswith("train")
        weight = _weigh_file(path.stem)
        for at, talk in enumerate(read([path])):
            place = counts[True] if judged else at
            found.append(_describe_talk(talk, place % folds, judged, acts, weight))
        counts[judged] += 1
    return found


def _weigh_file(name: str) -> float:
    """What a sentence of a file weighs."""
    kind, lang, number = f"{name}--".split("-")[:3]
    if kind != "train":
        return _UNIT if kind.startswith("unit") else 1.0
    return next((weight for first, weight in _CLOSE[lang] if int(number) >= first), 1.0)


def doubt_unlabelled(talks: Sequence[Read]) -> list[Read]:
    """What has no label in the talks of earlier files is less sure, the more it looks like what later ones label."""
    closely = [row for one in talks if one.judged and one.weight > 1 for row in one.rows.values()]
    if not closely:
        return list(talks)
    teacher = classify.Model(pack(_fit(closely), {}))

    def weigh(row: Example) -> Example:
        if row.act != "-":
            return row
        chances = teacher.judge(row.features)
        return row._replace(sure=(1 - sum(chances[name] for name in _KEPT)) ** 2)

    return [
        one._replace(rows={at: weigh(row) for at, row in one.rows.items()})
        if one.judged and one.weight < _SURE
        else one
        for one in talks
    ]


def read_recorded(folder: Path, folds: int = FOLDS) -> list[Read]:
    """Labelled talks that were really held; what one repository holds (`# source: NAME`) is in one fold."""
    found: list[Read] = []
    for path in sorted(folder.glob("*.txt")):
        source = path.stem
        for part in re.split(r"(?m)^(?=# source:)", path.read_text("utf-8")):
            named = re.match(r"# source:\s*(\S+)", part)
            source = named[1] if named else source
            fold = zlib.crc32(source.encode()) % folds
            found += [_describe_talk(talk, fold, True, False, _RECORDED) for talk in parse(part)]
    return found


def _describe_talk(talk: Talk, fold: int, judged: bool, acts: bool, weight: float) -> Read:
    told = conversation(talk)
    sentences = split_talk(told.said)
    described = describe(sentences, told.steps)
    lines = [line for line in talk.lines if line.speaker != "T"]
    rows: dict[int, Example] = {}
    for number, sentence in enumerate(sentences):
        line = find_line(sentence, lines)
        if line is not None:
            act, trouble = label_sentence(sentence, line)
            shares = _share_acts(act, line)
            rows[number] = Example(described[number], act, trouble, weight, acts, shares=shares)
    tools = [] if acts else _of_tools(talk)
    return Read(talk, fold, judged, sentences, described, rows, tools, weight)


def find_line(sentence: Sentence, lines: Sequence[Line]) -> Line | None:
    """The labelled line that a sentence stands in."""
    own = sentence.line + max(0, sentence.row - 1)
    near = [line for line in lines if line.number == own and sentence.text[:40] in show_bare(line.text)]
    near = near or [
        line for line in lines if line.number >= sentence.line and sentence.text[:40] in show_bare(line.text)
    ]
    return near[0] if near else None


def label_sentence(sentence: Sentence, line: Line) -> tuple[str, frozenset[str]]:
    """The label of a sentence's line; of several sentences in a line those have it that say what it is kept for."""
    labels = [label for label in line.labels if not label.startswith("trouble:")]
    act = next((label for label in labels if label in ACTS and label != "-"), "-")
    trouble = _list_trouble(line)
    if act != "-" and len(sentence.text) < 0.7 * len(line.text):
        own, full = terms(sentence.text), terms(line.full)
        rest = terms(line.text.replace(sentence.text, ""))
        if len(rest & full) > 2 * len(own & full):
            return "-", frozenset()
    return act, trouble


def _share_acts(act: str, line: Line) -> dict[str, float]:
    """What a sentence does besides, where its line is labelled so: 'Postgres, since the pi has only 512 MB'."""
    also = [label for label in line.labels if label in _KEPT and label != act]
    if act not in _KEPT or not also:
        return {}
    return {act: 1 - _BESIDES, **dict.fromkeys(also, _BESIDES / len(also))}


def _list_trouble(line: Line) -> frozenset[str]:
    names = (label.partition(":")[2] for label in line.labels if label.startswith("trouble:"))
    return frozenset(TYPES.get(name, name) for name in names) & set(SIGNALS)


def _of_tools(talk: Talk) -> list[Example]:
    """What tools printed in a talk, where its trouble is labelled, or it is none."""
    return [
        Example(describe_line(sentence), "", _list_trouble(line))
        for line in talk.lines
        if line.speaker == "T" and "err" not in line.labels
        for sentence in split(line.text, "tool")
    ]


def read_lines() -> list[Example]:
    """Lines of summaries and of talks that are labelled by themselves, with the trouble that they tell of."""
    found: list[Example] = []

    def add(text: str, role: str, trouble: Iterable[str]) -> None:
        role = {"person": "user", "agent": "assistant"}.get(role, role)
        told = frozenset(trouble)
        found.extend(Example(describe_line(one), "", told) for one in split(text, role))

    for name in ("lines", "worlds", "chinese", "recurring"):
        for row in map(json.loads, (HERE.parent / "lines" / f"{name}.jsonl").read_text("utf-8").splitlines()):
            if name == "lines":
                add(row["text"], row["role"], row["want"])
            elif name == "worlds":
                add(row["text"], "", row["any"][:1])
            else:
                types = [row["type"]] if name == "chinese" else row["types"][:1]
                for text in row["lines"]:
                    add(text, "", filter(None, types))
    return found


class Trainer:
    """Makes weights that do not know some of the folds."""

    def __init__(self, talks: Sequence[Read], lines: Sequence[Example]) -> None:
        self.talks = talks
        self.lines = lines
        self._first: dict[frozenset[int], classify.Model] = {}

    def make(self, without: int | None = None) -> bytes:
        """The weights, learned from all folds, or all but one.

        What the agent's words do, and how a talk ended, is learned from weights that do not know the talk; the latter
        as it is told later, from the second look.
        """
        out = frozenset() if without is None else frozenset({without})
        talks = [one for one in self.talks if one.fold not in out]
        told = [*self.lines]
        groups: list[Group] = []
        rows: list[list[int]] = []
        acts: list[tuple[str, float]] = []
        for one in talks:
            weights = self.make_first(out | {one.fold})
            judged = [weights.judge(features) for features in one.described]
            around = classify.look_around(one.sentences, judged)
            told += [*one.rows.values(), *one.tools]
            for number, row in one.rows.items():
                for act, share in row.list_acts():
                    rows.append(around[number])
                    acts.append((act, row.weight * row.sure * share))
            if one.judged:
                groups += _describe_subjects(one, judged)
        forest, base = fit_forest(
            np.array(rows, np.float32),
            np.array([ACTS.index(act) for act, _weight in acts]),
            len(ACTS),
            np.array([weight for _act, weight in acts]),
        )
        ends = []
        for one in talks:
            if one.judged and one.talk.outcome in _ENDS:
                weights = self.make_first(out | {one.fold})
                weights.forest = classify.Forest(forest, base)
                ends.append(End(_describe_end(one, weights), _ENDS[one.talk.outcome], one.weight))
        return pack(_fit(told, ends), {"subject": fit_best(groups), "base": base}, forest)

    def make_first(self, out: frozenset[int]) -> classify.Model:
        """Weights for the first pass over a talk, where nothing is known of the sentences around."""
        if out not in self._first:
            told = [row for one in self.talks if one.fold not in out for row in one.rows.values()]
            self._first[out] = classify.Model(pack(_fit(told), {}))
        return self._first[out]


def _describe_subjects(one: Read, judged: Sequence[Mapping[str, float]]) -> list[Group]:
    """For each item that its sentence does not say by itself, what may be its subject, and whether it then does."""
    found: list[Group] = []
    subjects = Subjects(one.sentences, judged, {})
    lines = [line for line in one.talk.lines if line.speaker != "T"]
    places: dict[int, list[int]] = {}
    for number, sentence in enumerate(one.sentences):
        if (line := find_line(sentence, lines)) is not None:
            places.setdefault(line.number, []).append(number)
    for item in items(one.talk)[0]:
        own = places.get(item.line.number, [])
        said = frozenset[str]().union(*(terms(one.sentences[number].text) for number in own))
        if item.kind in {"decision", "open", "done"} and own and not item.fits(said):
            group = [
                (
                    dict(subjects.describe(own[0], other, subjects.list_later(own[0]))),
                    item.fits(said | terms(one.sentences[other].text)),
                )
                for other in subjects.list_candidates(own[0])
            ]
            if any(right for _features, right in group):
                found.append(group)
    return found


def _describe_end(one: Read, weights: classify.Model) -> list[str]:
    told = conversation(one.talk)
    found = Memories(
        told.said, classify.hear(one.sentences, told.steps, weights), find_closing(told), told.steps, weights
    )
    return describe_outcome(told, found, Facts(bool(found.done), bool(list_commits(told)), bool(found.open)))


def _fit(told: Sequence[Example], ends: Sequence[End] = ()) -> Fitted:
    """Weights of the features that tell most; trouble and outcomes only where ends are given."""
    counts = Counter(feature for one in told for feature in set(one.features))
    often_ends = Counter(feature for end in ends for feature in end.features)
    often_ends = Counter({name: count for name, count in often_ends.items() if count >= _LEAST})
    names = sorted({name for name, count in counts.items() if count >= _LEAST} | often_ends.keys())
    places = {name: at for at, name in enumerate(names)}
    matrix = make_matrix([one.features for one in told], places)
    own = np.array([one.weight for one in told])
    acting = np.array([bool(one.act) for one in told])
    acts = np.zeros((len(told), len(ACTS)), np.float32)
    for at, one in enumerate(told):
        for act, share in one.list_acts():
            acts[at, ACTS.index(act or "-")] = share
    sure = own * np.array([one.sure for one in told])
    weights = np.zeros((len(HEADS), len(names)), np.float32)
    bias = np.full(len(HEADS), -12.0)
    first, last = len(ACTS), len(ACTS) + len(SIGNALS)
    found = fit_one_of(matrix[acting], acts[acting], C, sure[acting])
    weights[:first], bias[:first] = found[0].T, found[1]
    if ends:
        truth = np.array([[name in one.trouble for name in SIGNALS] for one in told])
        known = np.array([not one.acts for one in told])
        found = fit_each(matrix[known], truth[known], C_TROUBLE, own[known])
        weights[first:last], bias[first:last] = found[0].T, found[1]
        wanted = np.array([OUTCOMES.index(end.word) for end in ends])
        weighed = np.array([end.weight for end in ends])
        rows = make_matrix([end.features for end in ends], places)
        truth = np.eye(len(OUTCOMES))[wanted]
        found = fit_one_of(rows, truth, C_ENDS, weighed)
        weights[last:], bias[last:] = found[0].T, found[1]
    often: Any = np.asarray(matrix.sum(axis=0))[0]
    worth = np.abs(weights).max(axis=0) * np.sqrt(often)
    worth[[places[name] for name in often_ends]] = np.inf
    kept = np.sort(np.argsort(-worth)[:MOST])
    return Fitted([names[at] for at in kept], weights[:, kept], bias)


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.language.train")
    asked.add_argument("--recorded", type=Path, nargs="*", default=[], help="folders of labelled recorded talks")
    options = asked.parse_args()
    recorded = [one for folder in options.recorded for one in read_recorded(folder)]
    trainer = Trainer(doubt_unlabelled([*read_talks(), *recorded]), read_lines())
    packed = trainer.make()
    FILE.write_bytes(packed)
    print(f"{len(trainer.talks)} talks, {len(packed)} bytes")


if __name__ == "__main__":
    main()
