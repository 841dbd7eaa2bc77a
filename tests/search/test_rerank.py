from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from memtui.core.errors import UnavailableError
from memtui.search.rerank import rerank


@pytest.fixture
def script(tmp_path: Path) -> Script:
    return Script(tmp_path)


class Script:
    """Makes the command that runs a few lines of Python."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __call__(self, lines: str) -> str:
        path = self._place / "a reranker.py"
        path.write_text("import json, sys\n" + lines, encoding="utf-8")
        return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_scores_in_the_order_of_the_texts(script: Script) -> None:
    command = script(
        "asked = json.load(sys.stdin)\nprint(json.dumps([text.count(asked['query']) for text in asked['texts']]))"
    )
    assert rerank(command, "数据", ["数据 and 数据", "x\ud800\0", "数据"]) == [2.0, 0.0, 1.0]
    assert rerank(command, "", []) == []


def test_much_text_both_ways(script: Script) -> None:
    command = script("print(json.dumps([0.5] * len(json.load(sys.stdin)['texts'])))")
    assert rerank(command, "x", ["text " * 2000] * 300) == [0.5] * 300


def test_a_command_that_does_not_listen(script: Script) -> None:
    assert rerank(script("print([1, 2])"), "x", ["text " * 200_000, "b"]) == [1.0, 2.0]


def test_no_shell(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError):
        rerank(f"echo [1] > {tmp_path / 'made'}; touch {tmp_path / 'too'}", "x", ["a"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("sys.exit(3)", "status 3$"),
        ("sys.stderr.write('one\\nno \\x1b[31m model\\n'); sys.exit(1)", "status 1: no .* model"),
        ("print('[1, 2]'); sys.exit(1)", "status 1"),
        ("", "no JSON"),
        ("print('[1, 2')", "no JSON"),
        ("sys.stdout.buffer.write(b'\\xff')", "no JSON"),
        ("print('{}')", "list of numbers"),
        ("print('[1, \"2\"]')", "list of numbers"),
        ("print('[1, true]')", "list of numbers"),
        ("print('[1, NaN]')", "list of numbers"),
        ("print('[1, 1' + '0' * 400 + ']')", "list of numbers"),
        ("print('[1]')", "1 numbers for 2 texts"),
        ("print('[1, 2, 3]')", "3 numbers for 2 texts"),
    ],
)
def test_what_is_no_answer(script: Script, lines: str, sentence: str) -> None:
    with pytest.raises(UnavailableError, match=sentence) as told:
        rerank(script(lines), "x", ["a", "b"])
    assert "\x1b" not in str(told.value)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("'open", "understood"),
        ("/no/such/command", "cannot be started"),
        (os.path.dirname(__file__), "cannot be started"),
        ("a\0b", "cannot be started"),
    ],
)
def test_what_is_no_command(command: str, sentence: str) -> None:
    with pytest.raises(UnavailableError, match=sentence):
        rerank(command, "x", ["a"])


@pytest.mark.parametrize("where", ["stdout", "stderr"])
def test_what_does_not_end_is_not_held(script: Script, where: str) -> None:
    begun = time.monotonic()
    command = script(f"for _ in range(4000):\n    sys.{where}.write('9' * 65536)\nprint([1])")
    with pytest.raises(UnavailableError, match="far more" if where == "stdout" else "1 numbers"):
        rerank(command, "x", ["a", "b"])
    assert time.monotonic() - begun < 60


@pytest.mark.skipif(os.name != "posix", reason="sessions")
def test_a_child_that_left_and_holds_the_pipes_is_not_waited_for(script: Script) -> None:
    command = script("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n")
    begun = time.monotonic()
    with pytest.raises(UnavailableError, match="longer than 1 seconds"):
        rerank(command, "x", ["text " * 200_000, "b"], timeout=1.0)
    assert time.monotonic() - begun < 40


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_who_takes_too_long_is_ended_with_all_its_children(script: Script, tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    child = f"import time\nwhile True:\n    open({str(alive)!r}, 'a').write('x')\n    time.sleep(0.02)"
    command = script(f"import subprocess, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)")
    begun = time.monotonic()
    with pytest.raises(UnavailableError, match="longer than 1 seconds"):
        rerank(command, "x", ["a"], timeout=1.0)
    assert time.monotonic() - begun < 40
    time.sleep(0.1)
    size = alive.stat().st_size if alive.exists() else 0
    time.sleep(0.2)
    assert (alive.stat().st_size if alive.exists() else 0) == size
