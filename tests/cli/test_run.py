"""From arguments to an exit status: nothing ends in a traceback; `memtui help`; and how wide a text is in cells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui import __version__
from memtui.cli import COMMANDS, render, status_commands
from memtui.cli.render import count_line_cells, fit, pad
from memtui.cli.run import run
from memtui.core.errors import RefusedError, UnavailableError
from memtui.manual import TOPICS, Topic, load_page
from tests.cli.conftest import Caller


def explode(error: BaseException) -> object:
    def run(**_: object) -> int:
        raise error

    return status_commands.COMMAND._replace(run=run)


def test_version(call: Caller) -> None:
    assert call("--version").out == f"memtui {__version__}\n"


def test_help_names_every_command_and_loads_none(call: Caller) -> None:
    done = call("--help")
    assert done.status == 0
    assert all(name in done.out and about.split(",")[0][:30] in done.out for name, _, about in COMMANDS)
    assert call("search", "--help").out.startswith("Usage: memtui search ")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["search"], "QUERY"),
        (["search", "x", "--mode", "magic"], "magic"),
        (["search", "x", "--limit", "none"], "none"),
        (["homes", "extra"], "extra"),
        (["--wrong"], "--wrong"),
        (["facts", "show"], "Show which one?"),
        (["facts", "list", "fact-001"], "one word too many"),
        (["facts", "--since", "soon"], "not a time"),
        (["facts", "--since", "1d", "--until", "2d"], "later than"),
        (["serach"], "memtui search"),
        (["config", "set", "only-a-key"], "config set KEY VALUE"),
        (["status", "--home", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--json"], "--json"),
    ],
)
def test_wrong_use_is_2_and_says_why(call: Caller, argv: list[str], words: str) -> None:
    done = call(*argv)
    assert done.status == 2
    assert words.lower() in done.err.lower()
    assert "Traceback" not in done.err


def test_the_app_wants_a_terminal(call: Caller, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    done = call()
    assert done.status == 3
    assert "terminal" in done.err
    assert "memtui status" in done.err
    monkeypatch.setenv("TERM", "dumb")
    assert "TERM=dumb" in call(str(home)).err
    assert call("--demo", "en", str(home)).status == 2


@pytest.mark.parametrize("language", ["fr", "ZH", "en-GB", ""])
def test_the_demo_is_told_in_two_languages(call: Caller, language: str) -> None:
    done = call("--demo", language)
    assert done.status == 2
    assert f"'{language}'" in done.err
    assert "en and zh" in done.err
    assert [call("--demo", *words).status for words in ((), ("en",), ("zh",))] == [3, 3, 3], "no terminal here"


@pytest.mark.parametrize(
    ("error", "status"), [(RefusedError("not that"), 3), (UnavailableError("the disk is gone"), 4)]
)
def test_errors_are_sentences(call: Caller, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int) -> None:
    monkeypatch.setattr(status_commands, "COMMAND", explode(error))
    done = call("homes")
    assert (done.status, done.out, done.err) == (status, "", f"{error}\n")
    done = call("homes", "--json")
    assert done.status == status
    assert done.json == {"error": str(error), "exit_status": status}


def test_the_unexpected_is_one_sentence_and_a_log_without_the_text(
    call: Caller, monkeypatch: pytest.MonkeyPatch, alone: Path
) -> None:
    monkeypatch.setattr(status_commands, "COMMAND", explode(ZeroDivisionError("sk-secret-from-a-memory")))
    done = call("homes")
    assert done.status == 4
    assert done.err.count("\n") == 1
    assert "ZeroDivisionError" in done.err
    log = alone / ".state" / "memtui" / "errors.log"
    assert str(log) in done.err
    text = log.read_text(encoding="utf-8")
    assert "in run" in text
    assert "sk-secret" not in text + done.err
    if os.name == "posix":
        assert log.stat().st_mode & 0o777 == 0o600


def test_the_log_is_optional_and_does_not_grow_for_ever(
    call: Caller, monkeypatch: pytest.MonkeyPatch, alone: Path
) -> None:
    monkeypatch.setattr(status_commands, "COMMAND", explode(ZeroDivisionError()))
    monkeypatch.setattr("memtui.fs.places.LIMIT", 1000)
    for _ in range(8):
        assert call("homes").status == 4
    kept = sorted(path.name for path in (alone / ".state" / "memtui").iterdir())
    assert kept == ["errors.1.log", "errors.log"]
    assert (alone / ".state" / "memtui" / "errors.log").stat().st_size < 4000
    (alone / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(alone / "file"))
    done = call("homes")
    assert done.status == 4
    assert "MEMTUI_DEBUG=1" in done.err


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch, call: Caller) -> None:
    monkeypatch.setattr(status_commands, "COMMAND", explode(ZeroDivisionError()))
    monkeypatch.setenv("MEMTUI_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        call("homes")


def test_ctrl_c_is_quiet(monkeypatch: pytest.MonkeyPatch, call: Caller) -> None:
    monkeypatch.setattr(status_commands, "COMMAND", explode(KeyboardInterrupt()))
    assert call("homes") == (130, "", "")


def test_options_before_the_command_are_its_own(call: Caller, home: Path) -> None:
    before, behind = (call("--home", str(home), "homes", "--json"), call("homes", "--home", str(home), "--json"))
    assert before.json == behind.json
    assert before.json[0]["path"] == str(home)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("argv", [("homes",), ("facts", "--json"), ("--help",), ("serach",)])
def test_a_reader_that_leaves_is_no_error(home: Path, argv: tuple[str, ...]) -> None:
    """Both streams lead into a pipe that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "memtui", *argv], stdout=writer, stderr=subprocess.PIPE, check=False, timeout=60
    )
    os.close(writer)
    assert done.returncode in {0, 2}
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


def test_output_survives_an_ascii_console(home: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for argv in (["search", "支付"], ["facts"], ["search", "支付", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "memtui", *argv, "--home", str(home)],
            env=env,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout
        if "--json" in argv:
            assert "支付" in json.loads(done.stdout.decode("utf-8"))["results"][0]["snippet"]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0), ("abc", 3), ("支付", 4), ("ｆｕｌｌ", 8), ("é", 1), ("e\u0301", 1), ("🙂", 2), ("한글", 4),
        ("ｶﾅ", 2), ("a支", 3),
    ],
)  # fmt: skip
def test_width(text: str, cells: int) -> None:
    assert count_line_cells(text) == cells


def test_fit_cuts_between_characters_and_says_so() -> None:
    assert fit("支付回调", 8) == "支付回调"
    assert fit("支付回调", 7) == "支付回…"
    assert fit("支付回调", 6) == "支付…"
    assert fit("支付回调", 1) == "…"
    assert fit("支付", 0) == ""


def test_pad() -> None:
    assert pad("支", 4) == "支  "
    assert pad("支", 4, right=True) == "  支"
    assert pad("支付", 3) == "支付"


@settings(max_examples=200)
@given(st.text("ab支付e\u0301🙂 ", max_size=30), st.integers(0, 40))
def test_fit_never_exceeds(text: str, cells: int) -> None:
    cut = fit(text, cells)
    assert count_line_cells(cut) <= max(cells, 0)
    assert cut == text or cells <= 0 or cut.endswith("…")
    assert (cut == text) == (count_line_cells(text) <= cells) or text == ""
    assert count_line_cells(pad(cut, cells)) == max(cells, count_line_cells(cut))


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


def test_on_a_terminal_it_is_drawn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
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
