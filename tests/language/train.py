"""Makes memtui/language/weights.bin from the labelled talks and lines: `python -m tests.language.train`.

Needs the extra `train` (scikit-learn). `--check` prints what five rounds, each without a fifth of the talks, get right.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from memtui.language import classify
from memtui.language.classify import ACTS, FILE, HEADS, OUTCOMES, TROUBLE, describe, describe_line
from memtui.language.memories import Memories
from memtui.language.outcome import Facts, describe_outcome
from memtui.language.sentences import Sentence, split, split_talk
from memtui.language.work import list_commits
from tests.language.__main__ import TROUBLE as TYPES
from tests.language.__main__ import terms
from tests.language.talks import HERE, conversation, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.language.talks import Line, Talk

_ENDS = {"success": "success", "partial": "partly", "failure": "failed", "unknown": "unknown"}
_LEAST = 2
"""Sentences in which a feature occurs, to be one."""


class Example(NamedTuple):
    features: list[str]
    act: str
    trouble: frozenset[str]
    group: str
    weight: float = 1.0
    trouble_known: bool = True


def of_talk(talk: Talk, judged: Mapping[str, classify.Model] | None = None) -> list[Example]:
    """Every sentence of a talk, with the label of its line; of several in a line those that say what it is kept for."""
    sentences = split_talk(conversation(talk).said)
    found: list[Example] = []
    by_text = _lines(talk)
    answers: dict[int, list[str]] = {}
    described = describe(sentences)
    if judged:
        acts = [judged[talk.id].judge(features) for features in described]
        answers = classify.describe_answers(sentences, acts)
    for number, (sentence, features) in enumerate(zip(sentences, described, strict=True)):
        line = _line_of(sentence, by_text, talk)
        if line is None:
            continue
        labels = {label for label in line.labels if not label.startswith("trouble:")}
        trouble = frozenset(
            TYPES.get(name, name)
            for label in line.labels
            if label.startswith("trouble:") and (name := label.partition(":")[2])
        )
        act = next((label for label in labels if label in ACTS and label != "-"), "-")
        if act != "-" and len(sentence.text) < 0.7 * len(line.text):
            own, full = terms(sentence.text), terms(line.full)
            rest = terms(line.text.replace(sentence.text, ""))
            if len(rest & full) > 2 * len(own & full):
                act, trouble = "-", frozenset()
        weight = 4.0 if talk.id.startswith("unit") else 1.0
        found.append(
            Example([*features, *answers.get(number, ())], act, trouble & set(TROUBLE), talk.id, weight)
        )
    return found


def of_tools(talk: Talk) -> list[Example]:
    """What tools printed in a talk, where its trouble is labelled, or it is none."""
    found: list[Example] = []
    for line in talk.lines:
        if line.speaker == "T" and "err" not in line.labels:
            trouble = frozenset(
                TYPES.get(name[8:], name[8:]) for name in line.labels if name.startswith("trouble:")
            )
            found += [
                Example(describe_line(sentence), "", trouble & set(TROUBLE), talk.id)
                for sentence in split(line.text, "tool")
            ]
    return found


def _lines(talk: Talk) -> list[Line]:
    return [line for line in talk.lines if line.speaker != "T"]


def _line_of(sentence: Sentence, lines: Sequence[Line], talk: Talk) -> Line | None:
    near = [line for line in lines if line.number >= sentence.line and sentence.text[:40] in line.text]
    return near[0] if near else None


def of_lines() -> list[Example]:
    """Lines of summaries and of talks that are labelled by themselves, with the trouble that they tell of."""
    found: list[Example] = []

    def add(text: str, role: str, trouble: Iterable[str], group: str) -> None:
        role = {"person": "user", "agent": "assistant"}.get(role, role)
        told = frozenset(trouble)
        found.extend(Example(describe_line(one), "", told, group) for one in split(text, role))

    for name in ("lines", "worlds", "chinese", "recurring"):
        for row in map(json.loads, (HERE.parent / "lines" / f"{name}.jsonl").read_text("utf-8").splitlines()):
            if name == "lines":
                add(row["text"], row["role"], row["want"], row["text"])
            elif name == "worlds":
                add(row["text"], "", row["any"][:1], row["text"])
            else:
                types = [row["type"]] if name == "chinese" else row["types"][:1]
                for text in row["lines"]:
                    add(text, "", filter(None, types), row["lines"][0])
    return found


def examples(talks: Iterable[Talk], judged: Mapping[str, classify.Model] | None = None) -> list[Example]:
    return [one for talk in talks for one in (*of_talk(talk, judged), *of_tools(talk))]


class Fitted(NamedTuple):
    names: list[str]
    weights: Any
    """heads × features"""
    bias: Any


def of_ends(talks: Iterable[Talk]) -> list[tuple[list[str], str]]:
    """What is known of each talk's end, and how it went; needs weights for its sentences already."""
    found = []
    for talk in talks:
        if talk.outcome in _ENDS:
            told = conversation(talk)
            read = Memories(told.said, split_talk(told.said))
            facts = Facts(bool(read.done), bool(list_commits(told)), bool(read.open))
            found.append((describe_outcome(told, read, facts), _ENDS[talk.outcome]))
    return found


def _fit_ends(ends: Sequence[tuple[list[str], str]], weights: Any, bias: Any, places: dict[str, int]) -> None:
    first = len(ACTS) + len(TROUBLE)
    wanted = np.array([OUTCOMES.index(word) for _features, word in ends])
    model = LogisticRegression(C=0.1, max_iter=400, class_weight="balanced").fit(
        _matrix([one for one, _word in ends], places), wanted
    )
    for at, row, one in zip(model.classes_, model.coef_, model.intercept_, strict=True):
        weights[first + at], bias[first + at] = row, one


def fit(
    told: Sequence[Example],
    c: float = 0.15,
    most: int = 12_000,
    ends: Sequence[tuple[list[str], str]] = (),
) -> Fitted:
    """Weights of the features that tell most."""
    counts = Counter(feature for one in told for feature in set(one.features))
    counts.update(feature for features, _word in ends for feature in features)
    names = sorted(name for name, count in counts.items() if count >= _LEAST)
    matrix = _matrix([one.features for one in told], {name: at for at, name in enumerate(names)})
    own = np.array([one.weight for one in told])
    acting = np.array([bool(one.act) for one in told])
    acts = np.array([ACTS.index(one.act or "-") for one in told])
    weights = np.zeros((len(HEADS), len(names)))
    bias = np.full(len(HEADS), -12.0)
    first = LogisticRegression(C=c, max_iter=400).fit(matrix[acting], acts[acting], sample_weight=own[acting])
    weights[first.classes_] = first.coef_
    bias[first.classes_] = first.intercept_
    known = np.array([one.trouble_known for one in told])
    for at, name in enumerate(TROUBLE, len(ACTS)):
        wanted = np.array([name in one.trouble for one in told])
        if wanted.sum() > 3:
            one = LogisticRegression(C=c, max_iter=300).fit(
                matrix[known], wanted[known], sample_weight=own[known]
            )
            weights[at], bias[at] = one.coef_[0], one.intercept_[0]
    often = np.asarray(matrix.sum(axis=0))[0]
    if ends:
        _fit_ends(ends, weights, bias, {name: at for at, name in enumerate(names)})
    worth = np.abs(weights).max(axis=0) * np.sqrt(often)
    for at, name in enumerate(names):
        if name.startswith("o:"):
            worth[at] = np.inf
    kept = np.sort(np.argsort(-worth)[:most])
    return Fitted([names[at] for at in kept], weights[:, kept], bias)


def _matrix(rows: Sequence[list[str]], places: dict[str, int]) -> Any:
    indices: list[int] = []
    ends = [0]
    for features in rows:
        indices += sorted({places[one] for one in features if one in places})
        ends.append(len(indices))
    return csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(rows), len(places)))


def pack(fitted: Fitted) -> bytes:
    """As `classify.Model` reads it."""
    scales = np.maximum(np.abs(fitted.weights).max(axis=1), 1e-6) / 127
    whole = np.clip(np.round(fitted.weights / scales[:, None]), -127, 127).astype(int) + 128
    head = json.dumps(
        {
            "scales": [round(float(one), 7) for one in scales],
            "bias": [round(float(one), 4) for one in fitted.bias],
            "features": "\n".join(fitted.names),
        },
        ensure_ascii=False,
    ).encode()
    body = b"".join(bytes(column) for column in whole.T.tolist())
    return zlib.compress(len(head).to_bytes(4, "little") + head + body, 9)


def check(talks: Sequence[Talk], more: Sequence[Example], c: float) -> None:
    """Of each head the recall at a precision, out of rounds without a fifth of the talks."""
    judged: list[tuple[Example, Any]] = []
    for turn in range(5):
        held = [
            talk
            for at, talk in enumerate(talks)
            if at % 5 == turn and not talk.id.startswith(("seen", "unit"))
        ]
        told = examples(talk for talk in talks if talk not in held) + list(more)
        model = classify.Model(pack(fit(told, c)))
        judged += [(one, model.judge(one.features)) for one in examples(held)]
    learned = ("rule", "preference", "lesson", "fact")
    for names in (*((name,) for name in HEADS), learned, ("offer", "question")):
        rows = sorted(
            (
                (sum(probable[name] for name in names), one.act in names or bool(one.trouble & set(names)))
                for one, probable in judged
            ),
            reverse=True,
        )
        wanted = sum(right for _p, right in rows)
        shown = []
        for least in (0.9, 0.8, 0.7, 0.6):
            best, hits = (0, 1.0), 0
            for number, (p, right) in enumerate(rows, 1):
                hits += right
                if hits >= least * number:
                    best = (hits, p)
            shown.append(f"{best[0] / max(1, wanted):.2f} (p>{best[1]:.2f})")
        print(
            f"{'+'.join(names)[:18]:18} wanted {wanted:4} recall at precision .9 .8 .7 .6: {'  '.join(shown)}"
        )


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.language.train")
    asked.add_argument("paths", nargs="*", default=[HERE])
    asked.add_argument("--check", action="store_true", help="five rounds, each without a fifth")
    asked.add_argument("--without", action="store_true", help="leave every fifth talk out, to measure on it")
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--c", type=float, default=0.15)
    options = asked.parse_args()
    talks = read(options.paths)
    lines = of_lines()
    if options.check:
        check(talks, lines, options.c)
        return
    held = [
        talk
        for at, talk in enumerate(talks)
        if options.without and at % 5 == 0 and not talk.id.startswith(("seen", "unit"))
    ]
    talks = [talk for talk in talks if talk not in held]
    # What the agent's words do, and how a talk ended, is learned from weights that do not know the talk.
    judged: dict[str, classify.Model] = {}
    apart = [
        [talk for at, talk in enumerate(talks) if at % options.rounds == turn]
        for turn in range(options.rounds)
    ]
    for part in apart:
        weights = classify.Model(
            pack(fit(examples(talk for talk in talks if talk not in part) + lines, options.c))
        )
        judged |= {talk.id: weights for talk in part}
    told = examples(talks, judged) + lines
    ends: list[tuple[list[str], str]] = []
    for part in apart:
        names = {talk.id for talk in part}
        FILE.write_bytes(pack(fit([one for one in told if one.group not in names], options.c)))
        classify.model.cache_clear()
        ends += of_ends(talk for talk in part if not talk.id.startswith(("seen", "unit")))
    packed = pack(fit(told, options.c, ends=ends))
    FILE.write_bytes(packed)
    print(f"{len(talks)} talks, {len(told)} sentences, {len(packed)} bytes")


if __name__ == "__main__":
    main()
