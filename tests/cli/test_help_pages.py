"""`memtui help`: pages for people, for pipes and for programs."""

from __future__ import annotations

import json

import pytest
from rich.cells import cell_len

from memtui.cli import render
from memtui.cli.run import run
from memtui.manual import TOPICS, Topic, load_page


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    render.forget()


def test_without_a_page_it_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help"]) == 0
    out, err = capsys.readouterr()
    assert [line.partition("\t")[0] for line in out.splitlines()] == [topic.name for topic in TOPICS]
    assert "memtui help PAGE" in err
    assert run(["help", "--json"]) == 0
    assert [topic["topic"] for topic in json.loads(capsys.readouterr().out)["topics"]] == [
        topic.name for topic in TOPICS
    ]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_in_a_pipe_a_page_is_markdown(topic: Topic, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", topic.name]) == 0
    assert capsys.readouterr().out == load_page(topic)
    assert run(["help", topic.name, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"topic": topic.name, "about": topic.about, "text": load_page(topic)}
    render.forget()


def test_on_a_terminal_it_is_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    assert run(["help", "keys"]) == 0
    out = capsys.readouterr().out
    assert "|" not in out
    assert "j ↓  " in out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(["help", "keys"]) == 0
    assert "\x1b[1mKeys\x1b[0m" in capsys.readouterr().out


def test_a_command_that_has_no_page_shows_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "append"]) == 0
    assert "Usage: memtui append" in capsys.readouterr().out


def test_an_unknown_page_is_wrong_use_and_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "settngs"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Did you mean `memtui help settings`?" in err
    assert run(["help", "zzz", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["exit_status"] == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_choices_are_broken_between_words_and_a_full_width_colon_has_no_second_space(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["evolution", "--lang", language, "--help"]) == 0
    told = capsys.readouterr().out
    usage = told.partition("\n\n")[0]
    for word in ("suppress|", "skills|", "backfill|"):
        assert word in usage
    assert all(cell_len(line) <= 80 for line in told.splitlines())
    assert usage.startswith("用法：memtui" if language == "zh" else "Usage: memtui")
