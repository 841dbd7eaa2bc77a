"""A short year, learned from: what was planted is found, and little else. `python -m tests.evolution` has all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evolution import replay, year
from tests.evolution.scores import Score, clusters, pairs, spearman


@pytest.mark.parametrize("layout", ["memtui", "code-memory"])
def test_a_year_is_learned_from(layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", year.NOW)
    found = replay.measured(tmp_path / "home", layout, 11, 240)
    assert found["same"]
    for name in ("signals", "problems", "contradictions", "duplicates"):
        assert found[name]["precision"] >= 0.9, (name, found["misses"])
        assert found[name]["recall"] >= 0.75, (name, found["misses"])
    assert found["lessons"]["found"] == found["lessons"]["wanted"]
    assert found["lessons"]["spearman"] >= 0.75


def test_the_measures_can_fail() -> None:
    one, two = frozenset(("a", "b")), frozenset(("c", "d"))
    assert pairs([one, two], [one]) == Score(2, 1, 1, 1)
    assert clusters([("error", ["1", "2", "3"])], {("error", 0): ["7", "8"]}) == Score(1, 0, 0, 1)
    assert clusters([("error", ["1", "2"]), ("error", ["2"])], {("error", 0): ["1", "2"]}) == Score(
        2, 2, 1, 1
    )
    assert spearman([1, 2, 3], [3, 2, 1]) == -1.0
    assert spearman([1, 2, 3], [1, 2, 3]) == 1.0
