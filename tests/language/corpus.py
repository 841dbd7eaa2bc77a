"""Lines as they stand in summaries and talks with the signals that they give, and troubles in several wordings.

The rules were written on one half; the other was only counted. `python -m tests.language.corpus` prints both.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from memtui.language.conversation import SIGNALS
from memtui.language.signals import find_signals

HERE = Path(__file__).parent / "lines"
HALVES = ("seen", "unseen")


class Line(NamedTuple):
    """One line, who says it, and the types that it must give, and may."""

    lang: str
    role: str
    text: str
    want: frozenset[str]
    maybe: frozenset[str]


class Score(NamedTuple):
    """How many were found rightly, found wrongly, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def half(text: str) -> str:
    """Which half a line belongs to."""
    return HALVES[hashlib.sha256(text.encode()).digest()[0] % 2]


def lines(which: str, lang: str = "") -> list[Line]:
    """The lines of one half, in one language."""
    rows = map(json.loads, (HERE / "lines.jsonl").read_text("utf-8").splitlines())
    return [
        Line(row["lang"], row["role"], row["text"], frozenset(row["want"]), frozenset(row["maybe"]))
        for row in rows
        if half(row["text"]) == which and lang in {"", row["lang"]}
    ]


def groups(which: str) -> list[list[str]]:
    """Each a trouble in several wordings."""
    rows = map(json.loads, (HERE / "groups.jsonl").read_text("utf-8").splitlines())
    return [row["lines"] for row in rows if half(row["lines"][0]) == which]


def scores(which: str, lang: str) -> dict[str, Score]:
    """By type, and over all under ''."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for line in lines(which, lang):
        got = {signal.type for signal in find_signals(line.text, line.role)}
        right.update(got & line.want)
        wrong.update(got - line.want - line.maybe)
        missed.update(line.want - got)
    by_type = {name: Score(right[name], wrong[name], missed[name]) for name in SIGNALS}
    return {"": Score(right.total(), wrong.total(), missed.total()), **by_type}


def named_alike(which: str) -> tuple[int, int]:
    """How many groups have one name in all their wordings, which no other group has; and how many there are."""
    names = [
        frozenset[tuple[str, str]].intersection(
            *(
                frozenset(
                    (one.type, one.about) for one in find_signals(text) if one.about and one.type != "recurring_issue"
                )
                for text in group
            )
        )
        for group in groups(which)
    ]
    often = Counter(name for found in names for name in found)
    return sum(any(often[name] == 1 for name in found) for found in names), len(names)


if __name__ == "__main__":
    for which in HALVES:
        for lang in ("en", "zh"):
            for name, score in scores(which, lang).items():
                told = f"{which:7} {lang} {name or 'all':18} precision {score.precision:.2f} recall {score.recall:.2f}"
                print(f"{told} ({score.right} right, {score.wrong} wrong, {score.missed} missed)")
        print(which, "groups named alike: {} of {}".format(*named_alike(which)))
