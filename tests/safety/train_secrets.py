"""Makes the two models of `memtui/safety/secret_guess.bin`: `python -m tests.safety.train_secrets HOMES [--hands FILE...] [--without NAME]`.

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
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from zlib import compress

from memtui.safety.redact import redact
from memtui.safety.secret_guess import (
    BITS,
    FILE,
    SCALE,
    describe_candidate,
    iterate_candidates,
    load_weights,
    may_be_secret,
)
from memtui.safety.secret_phrases import describe_phrase, iterate_phrases
from tests.safety.benign import benign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Example = tuple[list[int], bool]
HANDS = Path(__file__).with_name("secret_hands.jsonl")
SECTION, LARGEST = 1600, 1 << 19
MOST = 60_000
"""Sections of real notes that are learned from."""
STRENGTH, WEIGHT = 3.0, 4.0


class Listing(Protocol):
    """Lists the examples of a text."""

    def __call__(self, text: str, secrets: list[str], *, real: bool = False) -> Iterator[Example]: ...


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


def list_examples(text: str, secrets: list[str], *, real: bool = False) -> Iterator[Example]:
    """The features of each made-up word, and whether it is a secret."""
    masked = [text[one.start : one.end] for one in redact(text).secrets] if real else []
    for start, value in iterate_candidates(text):
        places = describe_candidate(text, start, value)
        if places and may_be_secret(value) and not any(value in one for one in masked):
            yield places, any(value in one or one in value for one in secrets)


def list_phrases(text: str, secrets: list[str], *, real: bool = False) -> Iterator[Example]:
    """The same of words and digits behind an announcement."""
    low = (text if text.isascii() else text.encode("ascii", "replace").decode("ascii")).lower()
    found = list(iterate_phrases(text, low))
    masked = redact(text).secrets if real and found else ()
    for one in found:
        if not any(other.start < one.end and one.start < other.end for other in masked):
            said = text[one.start : one.end].strip("#* ")
            yield describe_phrase(text, one), any(said == other.strip("#* ") for other in secrets)


def is_made_up(value: str) -> bool:
    """Whether it is a made-up word: letters with digits or marks in it."""
    return any(iterate_candidates(f"is {value} now"))


def is_spoken(value: str) -> bool:
    """Whether it is words or digits alone."""
    bare = value.translate({ord(one): None for one in " ._'’*-#"})
    return bare.isdecimal() or bare.isalpha()


def exchange_secrets(
    docs: Sequence[dict[str, Any]], is_like: Callable[[str], bool], times: int
) -> Iterator[tuple[str, list[str]]]:
    """Each text again with the secrets of others in the place of its own: how it is said goes with any of them."""
    source = random.Random(2)
    values = [value for one in docs for value in one["secrets"] if is_like(value)]
    for one in docs:
        for _ in range(times if any(map(is_like, one["secrets"])) else 0):
            text, theirs = one["text"], list[str]()
            for value in one["secrets"]:
                theirs.append(source.choice(values))
                text = text.replace(value, theirs[-1])
            yield text, theirs


def train(examples: Sequence[Example]) -> tuple[Any, float]:
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


def write(models: Iterable[tuple[Any, float]], file: Path = FILE) -> None:
    """Keep the models one behind the other, each weight in a byte."""
    raw = b""
    for weights, bias in models:
        raw += round(bias / SCALE).to_bytes(2, "little", signed=True)
        raw += bytes(min(255, max(0, round(weight / SCALE) + 128)) for weight in weights)
    file.write_bytes(compress(raw, 9))


def measure(
    docs: list[dict[str, Any]], listing: Listing, model: tuple[Any, float], sure: float
) -> tuple[int, int, int, int]:
    """Texts with a secret that is found, of how many; honest ones in which one is seen, of how many."""
    weights, bias = model
    found = wrong = 0
    hard = [one for one in docs if one["secrets"]]
    for one in docs:
        seen = [
            label
            for places, label in listing(one["text"], one["secrets"])
            if bias + sum(weights[place] for place in places) >= sure
        ]
        found += bool(one["secrets"]) and any(seen)
        wrong += not one["secrets"] and bool(seen)
    return found, len(hard), wrong, len(docs) - len(hard)


MODELS: tuple[tuple[Listing, Callable[[str], bool], int], ...] = (
    (list_examples, is_made_up, 2),
    (list_phrases, is_spoken, 3),
)
"""What lists the examples of each, which secrets are exchanged for each other, and how often."""


@contextmanager
def silence_models() -> Iterator[None]:
    """Rules alone hide secrets meanwhile: what a model took for one must not be left out of what the next one learns."""
    before = FILE.read_bytes()
    write([([0.0] * (1 << BITS), -1000.0)] * len(MODELS))
    load_weights.cache_clear()
    try:
        yield
    finally:
        FILE.write_bytes(before)
        load_weights.cache_clear()


def main() -> int:
    reading = argparse.ArgumentParser(prog="python -m tests.safety.train_secrets", description=__doc__)
    reading.add_argument("homes", type=Path, nargs="+")
    reading.add_argument("--hands", type=Path, nargs="*", default=[HANDS])
    reading.add_argument("--without", default="")
    asked = reading.parse_args()
    docs = read_hands(asked.hands)
    mine = [one for one in docs if one["hand"] != asked.without]
    notes = list(read_notes(asked.homes))
    random.Random(1).shuffle(notes)
    models = []
    for listing, is_like, times in MODELS:
        examples = [pair for one in mine for pair in listing(one["text"], one["secrets"])]
        examples += [
            pair for text, secrets in exchange_secrets(mine, is_like, times) for pair in listing(text, secrets)
        ]
        # Few lines, each as often as many talk alike.
        examples += [pair for line in benign(4) * 3 for pair in listing(line, [])]
        with silence_models():
            for text in notes[:MOST]:
                examples += listing(text, [], real=True)
        models.append(train(examples))
        print(f"{len(examples):,} candidates, {sum(label for _, label in examples):,} secrets")
        theirs = [one for one in docs if one["hand"] == asked.without]
        for sure in (0.0, 0.5, 1.0) if theirs else ():
            found, hard, wrong, honest = measure(theirs, listing, models[-1], sure)
            print(f"{sure:5} found {found} of {hard}, honest {wrong} of {honest}")
    if not asked.without:
        write(models)
        print(f"{FILE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
