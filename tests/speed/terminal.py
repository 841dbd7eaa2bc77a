"""A program on a pseudo-terminal, watched with a clock: when bytes come, and which."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS, LINES = 120, 40


class Terminal:
    """Start it, wait for a word, send keys, read its memory, and let it go."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.began = time.perf_counter()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            for name in ("COLUMNS", "LINES", "NO_COLOR", "PYTHONDONTWRITEBYTECODE"):
                os.environ.pop(name, None)
            # An installed program is compiled once; a checkout that may not keep its bytecode would be each time.
            os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(
                tempfile.gettempdir(), "memtui-speed", "bytecode"
            )
            os.execv(argv[0], list(argv))
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.seen = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.kill(self.pid, signal.SIGKILL)
        finally:
            os.waitpid(self.pid, 0)
            os.close(self.file)

    def _read(self, timeout: float) -> bytes:
        ready, _, _ = select.select([self.file], [], [], timeout)
        try:
            return os.read(self.file, 1 << 16) if ready else b""
        except OSError:
            return b""

    def wait_for(self, words: str, timeout: float = 30) -> float:
        """Seconds from the start until these words had been written."""
        wanted = words.encode()
        while wanted not in self.seen:
            if time.perf_counter() - self.began > timeout:
                raise TimeoutError(f"{words!r} never came: {self.seen[-2000:]!r}")
            self.seen += self._read(1)
        return time.perf_counter() - self.began

    def quiet(self, still: float = 0.12, most: float = 5) -> None:
        """Read until nothing has come for `still` seconds."""
        end = time.perf_counter() + most
        while time.perf_counter() < end and self._read(still):
            pass

    def press(self, key: bytes) -> float:
        """Seconds from a key to the first byte it causes; what comes before and follows is read away."""
        while self._read(0):
            pass
        began = time.perf_counter()
        os.write(self.file, key)
        if not self._read(3):
            raise TimeoutError(f"{key!r} caused nothing")
        took = time.perf_counter() - began
        self.quiet()
        return took

    def see(self, words: str, timeout: float = 5) -> float:
        """Seconds until these words come; the timeout where they never do."""
        wanted, new, began = words.encode(), b"", time.perf_counter()
        while wanted not in new and time.perf_counter() - began < timeout:
            new += self._read(timeout)
        return time.perf_counter() - began

    def resident(self) -> float:
        """Megabytes of memory it holds now."""
        if sys.platform != "linux":
            return 0.0
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
