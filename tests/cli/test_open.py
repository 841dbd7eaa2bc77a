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

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a pty of POSIX")

PATIENCE = 60.0
ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"


class Terminal:
    """A program in a pty of 120 by 36, drawn on a screen that can be read."""

    def __init__(self, *argv: str) -> None:
        import fcntl
        import pty
        import termios

        self.screen = pyte.Screen(120, 36)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
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

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def leave(self) -> int:
        """The exit status, when it has left by itself."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.read(0.2):
            pass
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
