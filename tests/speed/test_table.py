"""The benchmark itself: a row that cannot run is said and costs the others nothing, and goals are held as they say."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING

from tests.speed import __main__ as program
from tests.speed import table
from tests.speed.measure import Measure, NotHereError, Row, Scale
from tests.speed.table import Figure, load_figures, render_line, store_figures
from tests.speed.terminal import settled

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def figure(value: float | None, name: str = "a row", files: int = 1000, goal: float = 2.0) -> Figure:
    return Figure("family", name, goal, "×", files, value, "how it came", "2026-11-22")


def test_a_row_that_raises_says_why() -> None:
    def run(scale: Scale) -> Measure:
        raise ValueError(f"no home of\n{scale.files} files")

    found = program.measure_row("family", Row("a row", 2.0, "×", run), Scale(300))
    assert found.value is None
    assert found.missed
    assert found.broken
    assert "failed: ValueError: no home of 300 files (test_table.py:" in render_line(found)


def test_a_row_that_is_stuck_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_scale: Scale) -> Measure:
        while True:
            pass

    monkeypatch.setattr(program, "LONGEST", 1)
    found = program.measure_row("family", Row("a row", 2.0, "×", run), Scale(300))
    assert found.detail.startswith("TimeoutError: not done after 1 s")


def test_a_row_without_its_peer_is_left_out() -> None:
    def run(_scale: Scale) -> Measure:
        raise NotHereError("fzf is not installed")

    found = program.measure_row("family", Row("a row", 2.0, "×", run), Scale(300))
    assert not found.missed
    assert not found.broken
    assert render_line(found).endswith("left out: fzf is not installed")


def test_every_family_is_there_and_every_name_once() -> None:
    names = []
    for family in program.FAMILIES:
        rows = import_module(f"tests.speed.{family}").ROWS
        assert rows
        names += [row.name for row in rows]
    assert len(names) == len(set(names))


def test_a_quick_run_forgives_what_a_whole_one_does_not() -> None:
    assert [(one.missed, one.broken) for one in (figure(2.0), figure(4.0), figure(4.1))] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    # What is lost is lost on a busy machine, too.
    assert figure(1.0, goal=0.0).broken


def test_the_exit_status_counts_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = iter([1.0, 3.0, 5.0])
    rows = tuple(Row(name, 2.0, "×", lambda _scale: Measure(next(values), "")) for name in ("a", "b", "c"))
    monkeypatch.setattr(program, "HOMES", tmp_path)
    monkeypatch.setattr(program, "FAMILIES", ("app",))
    monkeypatch.setattr("tests.speed.app.ROWS", rows)
    kept = tmp_path / "figures.json"
    store_figures(kept, [figure(7.0, "no longer there")])
    monkeypatch.setattr("sys.argv", ["speed", "--files", "300", "--json", str(kept)])
    assert program.main() == 2
    assert [(one.name, one.value) for one in load_figures(kept)] == [("a", 1.0), ("b", 3.0), ("c", 5.0)]
    # A busy moment passes: the best of three counts.
    values = iter([1.0, 5.0, 6.0, 3.0, 9.0, 7.0, 5.0])
    monkeypatch.setattr("sys.argv", ["speed", "--quick"])
    assert program.main() == 1
    assert "3 figures" in capsys.readouterr().out


def test_what_could_not_run_once_is_tried_again() -> None:
    found = []

    def run(scale: Scale) -> Measure:
        found.append(scale.attempt)
        if scale.attempt < 2:
            raise TimeoutError
        return Measure(1.0, "")

    assert program.measure_again("family", Row("a row", 2.0, "×", run), Scale(300, quick=True)).value == 1.0
    assert found == [0, 1, 2]


def test_a_quick_run_has_goals_of_its_own_where_a_row_says_so() -> None:
    row = Row("a row", 2.0, "×", lambda _scale: Measure(2.5, ""), small=3.0)
    assert not program.measure_row("family", row, Scale(300, quick=True)).missed
    assert program.measure_row("family", row, Scale(1000)).missed


def test_figures_take_the_place_of_earlier_ones(tmp_path: Path) -> None:
    kept = tmp_path / "figures.json"
    store_figures(kept, [figure(1.0), figure(1.5, files=10_000), figure(9.0, "another", files=0)])
    store_figures(kept, [figure(3.0), figure(None, "a third")])
    assert [(one.name, one.files, one.value) for one in load_figures(kept)] == [
        ("a row", 1000, 3.0),
        ("a row", 10_000, 1.5),
        ("another", 0, 9.0),
        ("a third", 1000, None),
    ]
    lines = table.table(kept).splitlines()
    assert lines[0] == "| | goal | 1,000 files | 10,000 files |"
    assert lines[2:5] == [
        "| a row | ≤ 2 × | **3.00 ×** | 1.50 × |",
        "| another | ≤ 2 × | **9.00 ×** | |",
        "| a third | ≤ 2 × | **failed** | |",
    ]
    assert "2026-11-22" in lines[-1]


def test_figures_are_of_rows_that_there_are() -> None:
    """The manual shows nothing that is no longer measured."""
    there = {
        (family, row.name, row.unit)
        for family in program.FAMILIES
        for row in import_module(f"tests.speed.{family}").ROWS
    }
    assert {(one.family, one.name, one.unit) for one in load_figures()} <= there
    assert json.loads(table.FIGURES.read_text("utf-8"))["machine"]["cores"]


def test_rows_count_from_the_moment_on_which_they_stay() -> None:
    def shown(text: str) -> bytes:
        return f"\x1b[H\x1b[2J\x1b[6;3H{text}\x1b[30;1HEvolution\x1b[32;80H不算".encode()

    written = [(0.5, shown("indexing")), (1.0, shown("乙")), (2.0, shown("甲 乙")), (3.0, shown("甲 乙"))]
    since, rows = settled(written)
    assert since == 2.0
    assert {char for _, _, char in rows} == {"甲", "乙"}
