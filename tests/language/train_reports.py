"""Makes memtui/language/reports.bin from labelled recorded talks: `python -m tests.language.train_reports FOLDER…`.

Needs the extra `train` (scikit-learn), and talks that were really held and that weights.bin has not learned from: what
it says of these decides how much it counts. They are labelled as the others are (`talks.py`) and are not kept here.
`--check` makes weights that do not know a repository for each of them, and tells what is found there.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import numpy as np
from sklearn.linear_model import LogisticRegression

from memtui.language import reports
from memtui.language.classify import judge_talk
from memtui.language.reports import FILE, KINDS, LEARNED, describe_places, read_weights
from memtui.language.sentences import split_talk
from tests.language.__main__ import Score, told
from tests.language.talks import conversation, parse
from tests.language.train import find_line, label_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.language.sentences import Sentence
    from tests.language.talks import Line, Talk

C = 0.008
_TAKEN_BACK = 0.3
"""What a sentence weighs that says what no longer holds in the end."""
_DETAIL = 0.3
"""The same of a detail, which is true, and which nobody misses: it takes the room of what is missed."""


class Told(NamedTuple):
    """A talk: a row, a kind and a weight for each sentence."""

    source: str
    talk: Talk
    rows: list[list[int]]
    kinds: list[int]
    weights: list[float]


def read_told(folders: Iterable[Path]) -> Iterator[Told]:
    """The talks of some folders, each with the repository that it comes from (`# source: NAME`)."""
    for path in sorted(file for folder in folders for file in folder.glob("*.txt")):
        for part in re.split(r"(?m)^(?=# source:)", path.read_text("utf-8")):
            named = re.match(r"# source:\s*(\S+)", part)
            yield from (_describe(named[1] if named else path.stem, talk) for talk in parse(part))


def _describe(source: str, talk: Talk) -> Told:
    recorded = conversation(talk)
    sentences = split_talk(recorded.said)
    rows = describe_places(sentences, judge_talk(sentences, recorded.steps), recorded.steps)
    lines = [line for line in talk.lines if line.speaker != "T"]
    known = [_find_kind(one, find_line(one, lines)) for one in sentences]
    return Told(source, talk, rows, [kind for kind, _weight in known], [weight for _kind, weight in known])


def _find_kind(sentence: Sentence, line: Line | None) -> tuple[int, float]:
    """What a sentence is kept as, and what it weighs."""
    if line is None or "detail" in line.labels:
        return 0, 0.0 if line is None else _DETAIL
    act = label_sentence(sentence, line)[0]
    name = "learned" if act in LEARNED else act
    return (KINDS.index(name), 1.0 if line.holds else _TAKEN_BACK) if name in KINDS else (0, 1.0)


def fit(talks: Sequence[Told]) -> bytes:
    """Weights as `reports.read_weights` reads them."""
    weighs = np.array([one for talk in talks for one in talk.weights])
    known = weighs > 0
    rows = np.array([row for talk in talks for row in talk.rows], np.float64)[known]
    kinds = np.array([kind for talk in talks for kind in talk.kinds])[known]
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1e9
    model = LogisticRegression(C=C, max_iter=400).fit((rows - middle) / spread, kinds, sample_weight=weighs[known])
    weights = model.coef_ / spread
    bias = model.intercept_ - weights @ middle
    packed = {
        "rows": [[float(f"{one:.4g}") for one in row] for row in weights],
        "bias": [round(float(one), 4) for one in bias],
    }
    return zlib.compress(json.dumps(packed).encode(), 9)


def check(talks: Sequence[Told], *, show: bool) -> None:
    """Prints what is found in each repository's talks by weights that do not know them."""
    score = Score()
    for source in sorted({one.source for one in talks}):
        weights = read_weights(fit([one for one in talks if one.source != source]))
        with patch.object(reports, "load_weights", lambda weights=weights: weights):
            for one in talks:
                if one.source == source:
                    score.add(one.talk)
    print("\n".join([*(score.shown if show else ()), *told("recorded", score)]))


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.language.train_reports")
    asked.add_argument("folders", type=Path, nargs="+")
    asked.add_argument("--check", action="store_true", help="measure, and write nothing")
    asked.add_argument("--show", action="store_true", help="with --check: what was missed and what was wrong")
    options = asked.parse_args()
    talks = list(read_told(options.folders))
    if options.check:
        check(talks, show=options.show)
        return
    packed = fit(talks)
    FILE.write_bytes(packed)
    print(f"{len(talks)} talks, {len(packed)} bytes")


if __name__ == "__main__":
    main()
