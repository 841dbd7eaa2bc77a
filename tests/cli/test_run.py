"""From arguments to an exit status: nothing ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui import __version__
from memtui.cli import COMMANDS, status_commands
from memtui.core.errors import RefusedError, UnavailableError
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
    assert [call("--demo", *words).status for words in ((), ("en",), ("zh",))] == [3, 3, 3], (
        "no terminal here"
    )


@pytest.mark.parametrize(
    ("error", "status"), [(RefusedError("not that"), 3), (UnavailableError("the disk is gone"), 4)]
)
def test_errors_are_sentences(
    call: Caller, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
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
    before, behind = (
        call("--home", str(home), "homes", "--json"),
        call("homes", "--home", str(home), "--json"),
    )
    assert before.json == behind.json
    assert before.json[0]["path"] == str(home)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("argv", [("homes",), ("facts", "--json"), ("--help",), ("serach",)])
def test_a_reader_that_leaves_is_no_error(home: Path, argv: tuple[str, ...]) -> None:
    """Both streams lead into a pipe that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "memtui", *argv],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
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
