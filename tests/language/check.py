"""How much is found in talks that nothing was learned from: `python -m tests.language.check [--show] [--stages]`.

The labelled talks in folds, file by file: for each fold weights that do not know it, then the measure of
`tests.language` over its talks. `units` and `seen` only train. `--stages` tells at which stage items are lost, and what
the false ones were.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from memtui.language import classify, memories, signals, summary
from memtui.language.classify import Model
from memtui.language.memories import Memories
from memtui.language.reports import LEARNED
from tests.language.__main__ import KINDS, Score, terms, told
from tests.language.train import (
    Read,
    Trainer,
    doubt_unlabelled,
    find_line,
    read_lines,
    read_recorded,
    read_talks,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.language.__main__ import Item
    from tests.language.talks import Talk

FOLDS = 3
"""What is left when one is kept out is learned from in two folds."""
STAGES = ("split", "act", "chance", "dropped", "shortened", "words", "found")
"""Where an item is lost: no sentence is left of it; the classifier takes it for something else; it is not sure enough,
or a rule overrules it; it is taken back or merged; it is left out of the summary; its text does not say it."""


class Traced(Memories):
    """Keeps what each sentence was taken for."""

    last: Traced

    def act(self, number: int) -> str:
        said = super().act(number)
        self.__dict__.setdefault("acts", {})[number] = said
        Traced.last = self
        return said


class Stages(Score):
    """Counts besides where items are lost, and what the false ones were."""

    def __init__(self) -> None:
        super().__init__()
        self.stages: Counter[tuple[str, str]] = Counter()
        self.sources: Counter[tuple[str, str]] = Counter()

    def find_stage(self, talk: Talk, item: Item, texts: Sequence[tuple[str, str]]) -> str:
        stage = _find_stage(talk, item, texts)
        self.stages[item.kind, stage] += 1
        return f" ({stage})"

    def find_source(self, talk: Talk, kind: str, text: str) -> str:
        read = Traced.last
        own = terms(text)
        kept = _list_kept(read, kind)
        line_of = next((line for said, line in kept if said.startswith(text.rstrip("…")[:40])), None)
        if line_of is None:
            source = "steps"
        else:
            lines = [line for line in talk.lines if line.number >= line_of and line.speaker in "UA"]
            best = max(lines[:12], key=lambda line: len(terms(line.text) & own), default=None)
            source = f"{best.speaker} {'+'.join(best.labels)}{'' if best.holds else '!'}" if best else "?"
        self.sources[kind, source] += 1
        return f" ({source})"


def _list_kept(read: Memories, kind: str) -> list[tuple[str, int]]:
    """What is kept of a kind at the end of a talk, with its line."""
    if kind == "learned":
        return [(lesson.learned.text, lesson.learned.line) for lesson in read.learned]
    kept = {"decision": read.decisions, "open": read.open, "done": read.done}[kind]
    return [(item.text, item.line) for item in kept]


def _find_stage(talk: Talk, one: Item, texts: Sequence[tuple[str, str]]) -> str:
    """Where an item was lost."""
    read = Traced.last
    lines = [line for line in talk.lines if line.speaker != "T"]
    own = [at for at, said in enumerate(read.sentences) if find_line(said, lines) is one.line]
    acts = getattr(read, "acts", {})
    if not own:
        return "split"
    if not any(acts.get(at) == one.kind for at in own):
        sure = [max(read.judged[at], key=lambda name: read.judged[at][name] * (name in classify.ACTS)) for at in own]
        names = LEARNED if one.kind == "learned" else (one.kind,)
        chance = max(sum(read.judged[at][name] for name in names) for at in own)
        return "chance" if any(name in names for name in sure) or chance > 0.25 else "act"
    near = [said for said, line in _list_kept(read, one.kind) if line == read.sentences[own[0]].line]
    if not near:
        return "dropped"
    shown = {text.rstrip("…")[:40] for kind, text in texts if kind == one.kind}
    return "words" if any(text[:40].startswith(tuple(shown)) for text in near) else "shortened"


def run(trainer: Trainer, fold: int) -> Iterator[tuple[Read, Model]]:
    weights = Model(trainer.make(fold))
    for one in trainer.talks:
        if one.judged and one.fold == fold:
            yield one, weights


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.language.check")
    asked.add_argument("--show", action="store_true", help="what was missed and what was wrong")
    asked.add_argument("--stages", action="store_true", help="where items are lost")
    asked.add_argument("--recorded", type=Path, help="a folder of labelled recorded talks: those are measured")
    options = asked.parse_args()
    begun = time.perf_counter()
    talks = read_talks(folds=FOLDS)
    if options.recorded:
        talks = [*(one._replace(fold=-1) for one in talks), *read_recorded(options.recorded, FOLDS)]
    trainer = Trainer(doubt_unlabelled(talks), read_lines())
    scores = {"en": Stages(), "zh": Stages()}
    for fold in range(FOLDS):
        for one, weights in run(trainer, fold):
            with (
                patch.object(classify, "load_model", lambda weights=weights: weights),
                patch.object(memories, "load_model", lambda weights=weights: weights),
                patch.object(signals, "load_model", lambda weights=weights: weights),
                patch.object(summary, "Memories", Traced),
            ):
                scores["zh" if one.talk.chinese else "en"].add(one.talk)
    for name, score in scores.items():
        if options.show:
            print("\n".join(score.shown))
        print("\n".join(told(name, score)))
        if options.stages:
            for kind in KINDS:
                parts = " ".join(f"{stage} {score.stages[kind, stage]}" for stage in STAGES)
                print(f"{name} {kind:9} {parts}")
            for (kind, source), count in score.sources.most_common(24):
                print(f"{name} false {kind} was {source}: {count}")
    print(f"{time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
