"""`memtui` itself, in a real terminal: it opens, shows rows, and leaves the terminal as it was."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from memtui.fs.places import find_cache_directory
from tests.cli.conftest import Caller

if sys.platform != "win32":
    from tests.terminal.screen import PATIENCE, Terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a pty of POSIX")

ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"


@pytest.fixture
def start() -> Iterator[Callable[..., Terminal]]:
    """Opens the app on a terminal of 120 by 36, or of other `lines`."""
    with ExitStack() as opened:
        yield lambda *argv, lines=36: opened.enter_context(Terminal(argv, (120, lines)))


def until(terminal: Terminal, *words: str) -> None:
    """Wait until every word is on the screen."""
    terminal.wait(lambda text: all(word in text.replace(" ", "") for word in words))


def read_until(terminal: Terminal, words: bytes) -> bytes:
    """What was written before these bytes, as soon as they are."""
    end = time.monotonic() + PATIENCE
    while words not in terminal.written and time.monotonic() < end:
        terminal.pump(0.2)
    assert words in terminal.written, terminal.written
    return terminal.written.partition(words)[0]


def test_it_opens_on_a_home_and_leaves(start: Callable[..., Terminal], home: Path) -> None:
    terminal = start(str(home))
    until(terminal, "Chengdu", "Facts")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert terminal.written.count(ALTERNATE) == terminal.written.count(NORMAL) == 1
    assert b"owned" not in terminal.written.replace(b"^[]0;owned^G", b"")


@pytest.mark.parametrize(
    ("language", "words"), [((), ("Facts", "Timeline", "HowMeilikes")), (("zh",), ("事实", "时间线", "林梅"))]
)
def test_it_opens_on_the_demo_and_takes_it_away(
    start: Callable[..., Terminal],
    alone: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: tuple[str, ...],
    words: tuple[str, ...],
) -> None:
    temporary = alone / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    terminal = start("--demo", *language)
    until(terminal, *words)
    assert list(temporary.iterdir())
    terminal.type(b"q")
    assert terminal.end() == 0
    assert not list(temporary.glob("memtui-demo-*"))


def test_the_demo_obeys_the_persons_own_config(start: Callable[..., Terminal], alone: Path) -> None:
    config = alone / ".config" / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[ui]\nstart = "facts"\n\n[keymap]\n"app.quit" = "f9"\n\n[homes]\npaths = ["/nowhere"]\n')
    terminal = start("--demo")
    until(terminal, "Facts·All")
    terminal.type(b"\x1b[20~")
    assert terminal.end() == 0


# -- the last picture -------------------------------------------------------------------------------------------------

OPENING = b", opening"
MOUSE = b"\x1b[?1003h"
"""What the app writes first when it has the terminal."""


def open_once(start: Callable[..., Terminal], home: Path, **size: int) -> Terminal:
    """An app that was opened, and left by its key."""
    terminal = start(str(home), **size)
    until(terminal, "Chengdu", "live")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert terminal.echoes
    return terminal


def test_a_start_shows_the_last_picture_until_the_app_is_there(start: Callable[..., Terminal], home: Path) -> None:
    assert OPENING not in open_once(start, home).written
    [picture] = (find_cache_directory() / "pictures").iterdir()
    assert picture.stat().st_mode & 0o077 == 0
    terminal = start(str(home))
    shown = read_until(terminal, OPENING)
    assert MOUSE not in shown
    assert b"Chengdu" in shown
    assert b"as it was at 12:00" in shown
    # What is typed meanwhile waits for the app, and is not seen.
    hidden = not terminal.echoes
    assert hidden
    terminal.type(b"2")
    until(terminal, "Facts·All", "live")
    assert "opening" not in terminal.text
    terminal.type(b"q")
    assert terminal.end() == 0
    assert terminal.echoes
    # It was drawn where the app draws: nothing cleared the screen in between.
    assert terminal.written.count(ALTERNATE) == terminal.written.count(NORMAL) == 1


@pytest.mark.parametrize("news", ["a memory", "another size", "another day", "nonsense", "open to all"])
def test_no_picture_is_shown_that_may_not_hold(
    start: Callable[..., Terminal], home: Path, call: Caller, news: str
) -> None:
    open_once(start, home)
    [picture] = (find_cache_directory() / "pictures").iterdir()
    if news == "a memory":
        assert call("append", "The cat is called Mo.", "--home", str(home)).status == 0
        # The index learns of it where anybody looks.
        assert call("search", "cat", "--home", str(home)).status == 0
    elif news == "another day":
        head, _newline, drawn = picture.read_bytes().partition(b"\n")
        moment = head.split(b", ")[1]
        picture.write_bytes(head.replace(moment, b"%f" % (float(moment) - 86_400)) + b"\n" + drawn)
    elif news == "nonsense":
        picture.write_bytes(b"\x1b]0;owned\x07" * 40)
    elif news == "open to all":
        picture.chmod(0o644)
    assert OPENING not in open_once(start, home, lines=30 if news == "another size" else 36).written


def test_where_the_app_does_not_come_the_picture_goes(start: Callable[..., Terminal], home: Path) -> None:
    open_once(start, home)
    home.rename(home.with_name("gone"))
    terminal = start(str(home))
    assert terminal.end() == 2
    _picture, _left, said = terminal.written.partition(NORMAL)
    assert b"There is nothing at" in said
    assert terminal.echoes


def test_a_signal_before_the_app_is_there_gives_the_terminal_back(start: Callable[..., Terminal], home: Path) -> None:
    open_once(start, home)
    terminal = start(str(home))
    read_until(terminal, OPENING)
    assert terminal.end(signal.SIGTERM) in {-signal.SIGTERM, 128 + signal.SIGTERM}
    assert terminal.written.count(NORMAL) == 1
    assert terminal.echoes
