"""A program on a pseudo-terminal: keys in, a screen out, every byte kept, and the terminal itself looked after."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self

import pyte

PATIENCE = 60.0
"""Seconds until what should have come is missed: many times what a busy machine takes."""

ENTER, ESC, TAB, DOWN, UP, PALETTE = b"\r", b"\x1b", b"\t", b"\x1b[B", b"\x1b[A", b"\x10"
FOCUS = b"\x1b[I"

# pyte knows neither and would show the rest of them as text.
UNKNOWN = re.compile(rb"\x1b\[[<>]\d*u|\x1b\[\?\d+\$p|\x1b\][^\x07]*\x07")


_CONTROLLED = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""A process becomes the leader of its terminal, then the program."""


class Terminal:
    """Runs `memtui` (or any command) on a terminal of its own."""

    def __init__(
        self,
        arguments: Sequence[str],
        size: tuple[int, int] = (120, 36),
        *,
        env: dict[str, str] | None = None,
        program: Sequence[str] = ("-m", "memtui"),
    ) -> None:
        """`size`: columns, lines; `program`: what Python runs."""
        self._written = bytearray()
        self._unseen = bytearray()
        self.master, self._slave = os.openpty()
        # A program that reads nothing must not hold whoever types.
        os.set_blocking(self.master, False)
        self._screen: Any = pyte.Screen(*size)
        self._stream: Any = pyte.ByteStream(self._screen)
        self._size(size)
        self.before = termios.tcgetattr(self._slave)
        world = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        for name in ("COLUMNS", "LINES", "VISUAL", "EDITOR", "TERM_PROGRAM"):
            world.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _CONTROLLED, *program, *arguments],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env={**world, **(env or {})},
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self._slave)

    def let_go(self) -> None:
        """Keep no end of the terminal open that only the program should have."""
        os.close(self._slave)

    # -- seeing -------------------------------------------------------------------------------------------------

    @property
    def written(self) -> bytes:
        """Every byte of its output."""
        return bytes(self._written)

    @property
    def lines(self) -> list[str]:
        """The screen as text."""
        # Not pyte's own: it trusts that nothing is ever written over one half of a wide character.
        self._look()
        screen = self._screen
        return ["".join(screen.buffer[y][x].data for x in range(screen.columns)) for y in range(screen.lines)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def modes(self) -> set[int]:
        """Private modes that are on now, by what was written; wrapping and the cursor are on when all is well."""
        state = {7: True, 25: True}
        for match in re.finditer(rb"\x1b\[\?(\d+)([hl])", self.written):
            state[int(match.group(1))] = match.group(2) == b"h"
        return {mode for mode, on in state.items() if on}

    def sane(self) -> bool:
        """Whether a shell would find its terminal as it left it."""
        keyboard = len(re.findall(rb"\x1b\[>\d+u", self.written))
        back = len(re.findall(rb"\x1b\[<u", self.written))
        return self.modes == {7, 25} and keyboard <= back and termios.tcgetattr(self._slave) == self.before

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, a line at a time, as it did at first."""
        both: int = termios.ECHO | termios.ICANON
        return bool(termios.tcgetattr(self._slave)[3] & both == both)

    def wipe(self) -> None:
        """Forget what is on the screen: somebody else wrote over it."""
        self._look()
        self._screen.reset()

    def pump(self, timeout: float) -> bool:
        """Read what comes within `timeout` seconds; whether anything came."""
        ready, _, _ = select.select([self.master], [], [], timeout)
        try:
            data = os.read(self.master, 1 << 16) if ready else b""
        except OSError:
            data = b""
        if not data:
            return False
        self._written += data
        if b"\x1b[?2026$p" in data:
            with suppress(BlockingIOError):
                os.write(self.master, b"\x1b[?2026;2$y")
        self._unseen += data
        return True

    def _look(self) -> None:
        # Only when somebody looks: pyte takes longer to draw than the program.
        data, self._unseen = bytes(self._unseen), bytearray()
        self._stream.feed(UNKNOWN.sub(b"", data))

    def wait(self, met: Callable[[str], bool] | str, timeout: float = PATIENCE) -> None:
        """Until the screen holds these words, or is as `met` wants it."""
        end = time.monotonic() + timeout
        while not (met in self.text if isinstance(met, str) else met(self.text)):
            if time.monotonic() > end:
                raise AssertionError(f"{met!r} never came; the screen:\n{self.text}")
            if self.process.poll() is not None and not self.pump(0.1):
                raise AssertionError(f"it ended with {self.process.returncode} before {met!r} came:\n{self.text}")
            self.pump(0.2)

    def quiet(self, still: float = 0.05, most: float = 4.0) -> None:
        """Until nothing has come for `still` seconds."""
        end = time.monotonic() + most
        while time.monotonic() < end and self.pump(still):
            pass

    # -- doing --------------------------------------------------------------------------------------------------

    def type(self, keys: bytes) -> None:
        """Send bytes, as a keyboard or a paste does."""
        end = time.monotonic() + PATIENCE
        while keys:
            try:
                keys = keys[os.write(self.master, keys[:1024]) :]
            except BlockingIOError:
                if time.monotonic() > end:
                    raise AssertionError("it reads nothing") from None
                self.pump(0.01)
            self.pump(0)

    def press(self, *keys: bytes) -> None:
        """One key after the other, each seen through. Behind an escape the terminal tells that it has the focus, as it
        had: read in one piece with the next key, however late, a bare escape would be alt.
        """
        for key in keys:
            self.type(key + FOCUS if key.endswith(ESC) else key)
            self.quiet()

    def resize(self, columns: int, lines: int) -> None:
        """As a window that is dragged."""
        self._look()
        self._screen.resize(max(lines, 1), max(columns, 1))
        self.drag(columns, lines)

        self.quiet(0.15)

    def drag(self, columns: int, lines: int) -> None:
        """The same, for whoever neither looks at the screen nor waits."""
        self._size((columns, lines))
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGWINCH)

    def _size(self, size: tuple[int, int]) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def end(self, signalled: int = 0, timeout: float = PATIENCE) -> int:
        """Wait for the end (after a signal, if one is named); the exit status."""
        if signalled:
            os.kill(self.process.pid, signalled)
        end = time.monotonic() + timeout
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"it does not end; the screen:\n{self.text}")
            self.pump(0.05)
        while self.pump(0.05):
            pass
        return self.process.returncode

    def left_behind(self) -> list[str]:
        """Processes of its session that still run."""
        found = []
        for name in os.listdir("/proc") if sys.platform == "linux" else ():
            if name.isdecimal():
                try:
                    with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                        stat = file.read()
                except OSError:
                    continue
                fields = stat.rpartition(")")[2].split()
                if int(fields[3]) == self.process.pid and fields[0] != "Z":
                    found.append(stat)
        return found
