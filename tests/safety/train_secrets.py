"""Makes `memtui/safety/secret_guess.bin`: `python -m tests.safety.train_secrets HOMES [--hands FILE...] [--without NAME]`.

Texts with a secret and honest ones, of several hands, stand in `secret_hands.jsonl` beside this file ({"hand", "text",
"secrets", "kind"}); HOMES are folders of real notes (or a file of {"text"} a line), in which nothing that the rules
leave alone is taken for a secret: none of their text is kept. `--without` leaves a hand out and measures on it.
Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import compress

from memtui.safety.redact import redact
from memtui.safety.secret_guess import (
    BITS,
    FILE,
    SCALE,
    describe_candidate,
    iterate_candidates,
    may_be_secret,
)
from tests.safety.benign import benign

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HANDS = Path(__file__).with_name("secret_hands.jsonl")
SECTION, LARGEST = 1600, 1 << 19
MOST = 24_000
"""Sections of real notes that are learned from."""
STRENGTH, WEIGHT = 3.0, 4.0
EXCHANGED = 2


def read_hands(files: Iterable[Path]) -> list[dict[str, Any]]:
    """All texts of hands."""
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def read_notes(folders: Iterable[Path]) -> Iterator[str]:
    """Sections of real notes."""
    for folder in folders:
        if folder.is_file():
            yield from (json.loads(line)["text"] for line in folder.open(encoding="utf-8"))
            continue
        for file in sorted(folder.rglob("*.[mj][ds]*")):
            if file.suffix not in {".md", ".json", ".jsonl"} or file.stat().st_size > LARGEST:
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
            yield from (text[at : at + SECTION] for at in range(0, len(text), SECTION))


def list_examples(text: str, secrets: list[str], *, real: bool = False) -> Iterator[tuple[list[int], bool]]:
    """The features of each candidate, and whether it is a secret."""
    masked = [text[one.start : one.end] for one in redact(text).secrets] if real else []
    for start, value in iterate_candidates(text):
        places = describe_candidate(text, start, value)
        if places and may_be_secret(value) and not any(value in one for one in masked):
            yield places, any(value in one or one in value for one in secrets)


def exchange_secrets(docs: Sequence[dict[str, Any]], times: int = EXCHANGED) -> Iterator[tuple[str, list[str]]]:
    """Each text again with the secrets of others in the place of its own: how it is said goes with any of them."""
    source = random.Random(2)
    values = [value for one in docs for value in one["secrets"] if list(iterate_candidates(f"is {value} now"))]
    for one in docs:
        for _ in range(times if one["secrets"] else 0):
            text, theirs = one["text"], list[str]()
            for value in one["secrets"]:
                theirs.append(source.choice(values))
                text = text.replace(value, theirs[-1])
            yield text, theirs


def train(examples: list[tuple[list[int], bool]]) -> tuple[Any, float]:
    """The weights, one for each place, and the sum before them."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    rows = [number for number, (places, _) in enumerate(examples) for _ in places]
    columns = [place for places, _ in examples for place in places]
    matrix = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(examples), 1 << BITS))
    model = LogisticRegression(C=STRENGTH, max_iter=400, class_weight={True: WEIGHT, False: 1.0})
    model.fit(matrix, [label for _, label in examples])
    return model.coef_[0], float(model.intercept_[0])


def write(weights: Any, bias: float, file: Path = FILE) -> None:
    """Keep a weight in a byte."""
    steps = bytes(min(255, max(0, round(weight / SCALE) + 128)) for weight in weights)
    head = round(bias / SCALE).to_bytes(2, "little", signed=True)
    file.write_bytes(compress(head + steps, 9))


def measure(docs: list[dict[str, Any]], weights: Any, bias: float, sure: float) -> tuple[int, int, int, int]:
    """Texts with a secret that is found, of how many; honest ones in which one is seen, of how many."""
    found = wrong = 0
    hard = [one for one in docs if one["secrets"]]
    for one in docs:
        seen = [
            label
            for places, label in list_examples(one["text"], one["secrets"])
            if bias + sum(weights[place] for place in places) >= sure
        ]
        found += bool(one["secrets"]) and any(seen)
        wrong += not one["secrets"] and bool(seen)
    return found, len(hard), wrong, len(docs) - len(hard)


def main() -> int:
    reading = argparse.ArgumentParser(prog="python -m tests.safety.train_secrets", description=__doc__)
    reading.add_argument("homes", type=Path, nargs="+")
    reading.add_argument("--hands", type=Path, nargs="*", default=[HANDS])
    reading.add_argument("--without", default="")
    asked = reading.parse_args()
    docs = read_hands(asked.hands)
    mine = [one for one in docs if one["hand"] != asked.without]
    examples = [pair for one in mine for pair in list_examples(one["text"], one["secrets"])]
    examples += [pair for text, secrets in exchange_secrets(mine) for pair in list_examples(text, secrets)]
    # Few lines, each as often as many talk alike.
    examples += [pair for line in benign(4) * 3 for pair in list_examples(line, [])]
    notes = list(read_notes(asked.homes))
    random.Random(1).shuffle(notes)
    for text in notes[:MOST]:
        examples += list_examples(text, [], real=True)
    weights, bias = train(examples)
    if asked.without:
        theirs = [one for one in docs if one["hand"] == asked.without]
        for sure in (-1.0, -0.5, 0.0, 0.5, 1.0):
            found, hard, wrong, honest = measure(theirs, weights, bias, sure)
            real = sum(
                any(
                    bias + sum(weights[place] for place in places) >= sure
                    for places, _ in list_examples(text, [], real=True)
                )
                for text in notes[MOST : MOST + 3000]
            )
            print(f"{sure:5} found {found} of {hard}, honest {wrong} of {honest}, real sections {real} of 3000")
        return 0
    write(weights, bias)
    print(
        f"{len(examples):,} candidates, {sum(label for _, label in examples):,} secrets; {FILE.stat().st_size:,} bytes"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
