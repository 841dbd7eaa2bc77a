"""`memtui` itself, in a real terminal: it opens, shows rows, and leaves the terminal as it was."""

from __future__ import annotations

import os
import select
import signal
import struct
import sys
import time
from pathlib import Path

import pyte
import pytest

from memtui.fs.places import find_cache_directory
from tests.cli.conftest import Caller

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a pty of POSIX")

PATIENCE = 60.0
ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"


class Terminal:
    """A program in a pty of 120 by 36, drawn on a screen that can be read."""

    def __init__(self, *argv: str, lines: int = 36) -> None:
        import fcntl
        import pty
        import termios

        self.screen = pyte.Screen(120, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 120, 0, 0))
            for name in ("COLUMNS", "LINES"):
                # GNU readline, which pytest imports, sets them where `os.environ` does not see it.
                os.unsetenv(name)
            os.execv(sys.executable, [sys.executable, "-m", "memtui", *argv])

    def read(self, seconds: float) -> bool:
        """Draw what comes within `seconds`; False once the program has left."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            return False
        self.written += data
        # Questions to the terminal (DA, DECRQM, kitty) are no drawing, and pyte would print some of them.
        self._stream.feed(data.replace(b"\x1b[>1u", b"").replace(b"\x1b[<u", b""))
        return bool(data)

    def until(self, *words: str) -> str:
        """The screen as soon as every word is on it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = "\n".join(self.screen.display)
            if all(word in text.replace(" ", "") for word in words):
                return text
            if not self.read(0.2):
                break
        raise AssertionError(f"{words} not on the screen:\n" + "\n".join(self.screen.display))

    def until_written(self, words: bytes) -> bytes:
        """What was written before these bytes, as soon as they are."""
        end = time.monotonic() + PATIENCE
        while words not in self.written and time.monotonic() < end and self.read(0.2):
            pass
        assert words in self.written, self.written
        return self.written.partition(words)[0]

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def echoes_now(self) -> bool:
        """Whether the terminal shows what is typed, a line at a time, as it did at first."""
        import termios

        both: int = termios.ECHO | termios.ICANON
        return bool(termios.tcgetattr(self._fd)[3] & both == both)

    def leave(self) -> int:
        """The exit status, when it has left by itself."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.read(0.2):
            pass
        self.echoes = self.echoes_now()
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            os.kill(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
        os.close(self._fd)
        return os.waitstatus_to_exitcode(status)


def test_it_opens_on_a_home_and_leaves(home: Path) -> None:
    terminal = Terminal(str(home))
    terminal.until("Chengdu", "Facts")
    terminal.press("q")
    assert terminal.leave() == 0
    assert terminal.written.count(ALTERNATE) == terminal.written.count(NORMAL) == 1
    assert b"owned" not in terminal.written.replace(b"^[]0;owned^G", b"")


@pytest.mark.parametrize(("language", "word"), [((), "HowMeilikes"), (("zh",), "林梅")])
def test_it_opens_on_the_demo_and_takes_it_away(
    alone: Path, monkeypatch: pytest.MonkeyPatch, language: tuple[str, ...], word: str
) -> None:
    temporary = alone / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    terminal = Terminal("--demo", *language)
    terminal.until("Facts", "Timeline", word)
    assert list(temporary.iterdir())
    terminal.press("q")
    assert terminal.leave() == 0
    assert not list(temporary.glob("memtui-demo-*"))


def test_the_demo_obeys_the_persons_own_config(alone: Path) -> None:
    config = alone / ".config" / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        '[ui]\nstart = "facts"\n\n[keymap]\n"app.quit" = "f9"\n\n[homes]\npaths = ["/nowhere"]\n'
    )
    terminal = Terminal("--demo")
    terminal.until("Facts·All")
    terminal.press("\x1b[20~")
    assert terminal.leave() == 0


# -- the last picture -------------------------------------------------------------------------------------------------

OPENING = b", opening"
MOUSE = b"\x1b[?1003h"
"""What the app writes first when it has the terminal."""


def open_once(home: Path, **size: int) -> Terminal:
    """An app that was opened, and left by its key."""
    terminal = Terminal(str(home), **size)
    terminal.until("Chengdu", "live")
    terminal.press("q")
    assert terminal.leave() == 0
    assert terminal.echoes
    return terminal


def test_a_start_shows_the_last_picture_until_the_app_is_there(home: Path) -> None:
    assert OPENING not in open_once(home).written
    [picture] = (find_cache_directory() / "pictures").iterdir()
    assert picture.stat().st_mode & 0o077 == 0
    terminal = Terminal(str(home))
    shown = terminal.until_written(OPENING)
    assert MOUSE not in shown
    assert b"Chengdu" in shown
    assert b"as it was at 12:00" in shown
    # What is typed meanwhile waits for the app, and is not seen.
    assert not terminal.echoes_now()
    terminal.press("2")
    terminal.until("Facts·All", "live")
    assert b"opening" not in b"".join(line.encode() for line in terminal.screen.display)
    terminal.press("q")
    assert terminal.leave() == 0
    assert terminal.echoes
    # It was drawn where the app draws: nothing cleared the screen in between.
    assert terminal.written.count(ALTERNATE) == terminal.written.count(NORMAL) == 1


@pytest.mark.parametrize("news", ["a memory", "another size", "another day", "nonsense", "open to all"])
def test_no_picture_is_shown_that_may_not_hold(home: Path, call: Caller, news: str) -> None:
    open_once(home)
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
    assert OPENING not in open_once(home, lines=30 if news == "another size" else 36).written


def test_where_the_app_does_not_come_the_picture_goes(home: Path) -> None:
    open_once(home)
    home.rename(home.with_name("gone"))
    terminal = Terminal(str(home))
    assert terminal.leave() == 2
    _picture, _left, said = terminal.written.partition(NORMAL)
    assert b"There is nothing at" in said
    assert terminal.echoes


def test_a_signal_before_the_app_is_there_gives_the_terminal_back(home: Path) -> None:
    open_once(home)
    terminal = Terminal(str(home))
    terminal.until_written(OPENING)
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.leave() in {-signal.SIGTERM, 128 + signal.SIGTERM}
    assert terminal.written.count(NORMAL) == 1
    assert terminal.echoes
