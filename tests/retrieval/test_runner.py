"""The runner itself: it measures what it says, and words are worth more than the baselines."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.retrieval import __main__ as runner
from tests.retrieval import backends
from tests.retrieval.backends import ripgrep, unicode61, words
from tests.retrieval.questions import Place, Question, questions
from tests.retrieval.scores import Answer, Report, Scores
from tests.retrieval.table import KEPT, kept, plain, table

ASKED = questions(runner.OWN)


def question(*expected: Place, stale: tuple[Place, ...] = ()) -> Question:
    return Question("x", "?", "exact", "en", "a", expected, stale)


def test_scores_are_shares_of_the_wanted_lines() -> None:
    wanted = question(Place("a.md", 3, 3), Place("b.md", 1, 1), stale=(Place("c.md", 9, 9),))
    found = [Place("c.md", 8, 9), Place("a.md", 1, 4), Place("a.md", 3, 3), Place("b.md", 2, 5)]
    answer = Answer(wanted, found, 0.002)
    assert (answer.recall(1), answer.recall(5), answer.reciprocal, answer.misled) == (0.0, 0.5, 0.5, True)
    nothing = Answer(question(Place("a.md", 1, 1)), [], 0.004)
    assert (nothing.recall(10), nothing.reciprocal, nothing.misled) == (0.0, 0.0, False)
    assert Report.of("fts", [nothing]).misled is None
    report = Report.of("fts", [answer, nothing])
    assert report.overall == Scores(2, 0.0, 25.0, 25.0, 25.0)
    assert (report.lines, report.misled, report.p95) == (2.75, 100.0, 4.0)


@pytest.mark.parametrize("installed", [True, False])
def test_the_baselines_find_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    if not installed:
        monkeypatch.setattr("shutil.which", lambda _: None)
    (tmp_path / "notes.md").write_text("- 测试一律用 pytest\n- deploys run from main\n- main\n", encoding="utf-8")
    grep, rows = ripgrep(tmp_path, ["notes.md"]), unicode61(tmp_path, ["notes.md"])
    assert words("which branch: main? 测试用") == ["branch", "main", "测试", "试用"]
    assert grep("where do Deploys run from, main?") == [Place("notes.md", 2, 2), Place("notes.md", 3, 3)]
    assert rows("deploys main")[0] == Place("notes.md", 2, 2)
    assert grep("一律") == [Place("notes.md", 1, 1)]
    assert rows("测试") == [Place("notes.md", 1, 1)]
    # A run of characters is one word to this tokenizer: its beginning is found, its middle is not.
    assert rows("一律") == []
    assert grep("?!") == rows("?!") == []


def test_words_are_worth_more_than_the_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", runner.NOW)
    measured = runner.measure(runner.OWN, ASKED[::3], ["ripgrep", "unicode61", "fts"], tmp_path)
    found = {name: Report.of(name, answers).overall for name, answers in measured.items()}
    assert found["fts"].mrr > found["ripgrep"].mrr
    assert found["fts"].r5 > found["unicode61"].r5 + 10
    assert Report.of("fts", measured["fts"]).lines < 3


def test_a_dozen_questions_by_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    few = ASKED[:: len(ASKED) // 12]
    monkeypatch.setattr(runner, "questions", lambda _: few)
    monkeypatch.setattr(sys, "argv", ["retrieval", "--backend", "fts", "--backend", "scan", "--misses", "2"])
    for kind in ("CACHE", "STATE", "CONFIG", "DATA"):
        # What the runner sets is set back afterwards.
        monkeypatch.setenv(f"XDG_{kind}_HOME", "")
    monkeypatch.setenv("MEMTUI_NOW", "")
    assert runner.main() == 0
    shown = capsys.readouterr().out
    assert ["all", str(len(few))] in [line.split()[:2] for line in shown.splitlines()]
    monkeypatch.setattr(sys, "argv", [*sys.argv[:5], "--json"])
    assert runner.main() == 0
    fts, scan = json.loads(capsys.readouterr().out)
    assert fts["overall"]["questions"] == scan["overall"]["questions"] == len(few)
    assert fts["overall"]["r10"] > 30


def test_where_there_is_no_model_meaning_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_VECTOR_BACKEND", "off")
    measured = runner.measure(runner.OWN, ASKED[:1], ["fts", "vector", "hybrid"], tmp_path)
    assert list(measured) == ["fts"]
    assert "hybrid and vector: not measured: " in capsys.readouterr().err


def test_the_kept_result_is_of_the_set_as_it_stands() -> None:
    reports = kept()
    assert {report.backend for report in reports} == {*backends.MODES, *backends.BASELINES}
    assert all(report.overall.questions == len(ASKED) for report in reports)
    assert [plain(report) for report in reports] == json.loads(KEPT.read_text("utf-8"))
    shown = table(reports)
    assert all(row.count("|") == len(reports) + 2 for row in shown.splitlines())
    assert f"two subjects at once ({reports[0].groups['multi'].questions})" in shown
