"""Pairs written later, by somebody who had not seen the rules: found among the same strangers, with little else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.curation.facts_of import NOW
from tests.curation.truth import Pair, measured, planted, proposed, strangers

FLOORS = {"contradiction": (0.85, 0.9), "duplicate": (0.7, 0.9)}
"""Recall and precision, a little below what is reached."""
FRESH = Path(__file__).parent / "truth/fresh.jsonl"


def _fresh() -> Iterator[Pair]:
    for line in FRESH.read_text("utf-8").splitlines():
        yield Pair(**json.loads(line))


@pytest.fixture(scope="module")
def proposals(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMTUI_NOW", NOW)
        return list(proposed(planted(tmp_path_factory.mktemp("fresh"), _fresh(), strangers())))


@pytest.mark.parametrize("origin", sorted(FLOORS))
def test_what_is_planted_is_found_and_little_else(proposals: list[tuple[str, str, str]], origin: str) -> None:
    measure, missed, wrong = measured(origin, _fresh(), proposals)
    recall, precision = FLOORS[origin]
    assert measure.recall >= recall, missed
    assert measure.precision >= precision, wrong
