"""A program on a pseudo-terminal, watched with a clock: when bytes come, and which; and what its processes cost."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS, LINES = 120, 40
ROW = re.compile(rb"[\xe4-\xe9][\x80-\xbf][\x80-\xbf]")
"""A Chinese character. Half of the corpus is Chinese and nothing of the app itself is: where one stands, a memory does,
whatever titles, footers and status lines say."""


class Terminal:
    """Start it, wait for a word, send keys, read what it costs, and let it go."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.began = time.perf_counter()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {}), "LC_ALL": "C.UTF-8"})
            for name in ("COLUMNS", "LINES", "NO_COLOR", "PYTHONDONTWRITEBYTECODE"):
                os.environ.pop(name, None)
            # An installed program is compiled once; a checkout that may not keep its bytecode would be each time.
            os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(tempfile.gettempdir(), "memtui-speed", "bytecode")
            os.execv(argv[0], list(argv))
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.seen = b""
        self.ended = False
        self.chunks: list[tuple[float, bytes]] = []
        """What came, with the seconds since the start."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # What it started must not cost the next measurement anything.
        for process in reversed(self.family()):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)

    def _read(self, timeout: float) -> bytes:
        ready, _, _ = select.select([self.file], [], [], max(timeout, 0))
        try:
            data = os.read(self.file, 1 << 16) if ready else b""
        except OSError:
            data = b""
        if data:
            self.chunks.append((time.perf_counter() - self.began, data))
        elif ready:
            self.ended = True
        return data

    # -- waiting ------------------------------------------------------------------------------------------------

    def wait_for(self, wanted: str | re.Pattern[bytes], timeout: float = 30) -> float:
        """Seconds from the start until these words had been written."""
        while not _holds(self.seen, wanted):
            if self.ended or time.perf_counter() - self.began > timeout:
                why = "it ended" if self.ended else f"not within {timeout:g} s"
                raise TimeoutError(f"{wanted!r} never came ({why}): {self.seen[-1000:]!r}")
            self.seen += self._read(1)
        return time.perf_counter() - self.began

    def quiet(self, still: float = 0.12, most: float = 5) -> bool:
        """Read until nothing has come for `still` seconds; whether that was so within `most`."""
        end = time.perf_counter() + most
        while time.perf_counter() < end:
            if not self._read(still):
                return True
        return False

    def pause(self, seconds: float) -> None:
        """Read what comes for so long."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0 and not self.ended:
            self._read(left)

    def press(self, key: bytes, *, still: float = 0.12) -> float:
        """Seconds from a key to the first byte it causes; what comes before and follows is read away."""
        while self._read(0):
            pass
        began = time.perf_counter()
        os.write(self.file, key)
        if not self._read(3):
            raise TimeoutError(f"{key!r} caused nothing")
        took = time.perf_counter() - began
        self.quiet(still)
        return took

    def show(self, key: bytes, wanted: str | re.Pattern[bytes], *, still: float = 0.12) -> float:
        """Seconds from a key until it has brought these words; what comes before and follows is read away."""
        while self._read(0):
            pass
        began = time.perf_counter()
        os.write(self.file, key)
        if not self._see(wanted, began + 5):
            raise TimeoutError(f"{key!r} did not bring {wanted!r}")
        took = time.perf_counter() - began
        self.quiet(still)
        return took

    def see(self, wanted: str, timeout: float = 5) -> float:
        """Seconds until these words come; the timeout where they never do."""
        began = time.perf_counter()
        return time.perf_counter() - began if self._see(wanted, began + timeout) else timeout

    def _see(self, wanted: str | re.Pattern[bytes], end: float) -> bool:
        new = b""
        while not _holds(new, wanted):
            left = end - time.perf_counter()
            if left <= 0 or self.ended:
                return False
            new += self._read(left)
        return True

    # -- what it costs ------------------------------------------------------------------------------------------

    def resident(self) -> float:
        """Megabytes of memory the process itself holds now."""
        if sys.platform != "linux":
            return 0.0
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def family(self) -> list[int]:
        """The process and all that it started and that still runs, whatever session it is in; the eldest first."""
        return family(self.pid)

    def shares(self) -> dict[int, float]:
        """Megabytes by process, memory that several share divided among them."""
        return {one: proportional(one) for one in self.family()}

    def spent(self) -> float:
        """Seconds of processor that the whole family used so far, those that ended included."""
        return sum(map(spent, self.family()))

    def rest(self, most: float, still: float = 2.0) -> bool:
        """Wait until the family uses next to no processor during `still` seconds; whether it came to it.

        Where a machine takes the memory of whoever sleeps, waking up alone costs some hundredths of a second.
        """
        end = time.perf_counter() + most
        while time.perf_counter() < end:
            before = self.spent()
            self.pause(still)
            if self.spent() - before < 0.08 * still:
                return True
        return False


def _holds(data: bytes, wanted: str | re.Pattern[bytes]) -> bool:
    return wanted.encode() in data if isinstance(wanted, str) else wanted.search(data) is not None


def family(process: int) -> list[int]:
    """A process and its descendants, the eldest first."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                children.setdefault(int(_status(int(name))[1]), []).append(int(name))
    found = [process]
    for one in found:
        found.extend(children.get(one, ()))
    return found


def _status(process: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()


def command(process: int) -> str:
    """The words that a process was started with; empty: it is gone."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""


def proportional(process: int) -> float:
    """Megabytes that a process holds, what it shares divided among those who do."""
    with suppress(OSError, StopIteration), open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) * 1024 / 1e6
    return 0.0


def spent(process: int) -> float:
    """Seconds of processor that a process and its children that ended used so far."""
    with suppress(OSError, IndexError, ValueError):
        fields, ticks = _status(process), os.sysconf("SC_CLK_TCK")
        fine = 0
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/schedstat", encoding="ascii") as file:
                fine += int(file.read().split()[0])
        # Threads that ended are counted in the process's ticks only; nanoseconds are finer where none did.
        own = max(fine / 1e9, (int(fields[11]) + int(fields[12])) / ticks)
        return own + (int(fields[13]) + int(fields[14])) / ticks
    return 0.0


Rows = frozenset[tuple[int, int, str]]


class Screen:
    """What a terminal shows after these bytes. Drawing takes longer than the program does: not while it is measured."""

    def __init__(self) -> None:
        import pyte

        self._screen: Any = pyte.Screen(COLUMNS, LINES)
        self._stream: Any = pyte.ByteStream(self._screen)

    def feed(self, data: bytes) -> None:
        """Show these bytes, too."""
        from tests.terminal.screen import UNKNOWN

        self._stream.feed(UNKNOWN.sub(b"", data))

    def rows(self) -> Rows:
        """Where which Chinese character stands: rows of memories, but for the box of Evolution and the last lines."""
        buffer = self._screen.buffer
        lines = ["".join(buffer[y][x].data or " " for x in range(COLUMNS)) for y in range(LINES)]
        titles = [y for y, line in enumerate(lines) if y > 2 and "Evolution" in line]
        below = titles[-1] if titles else LINES
        return frozenset(
            (y, x, char)
            for y in range(3, LINES - 2)
            for x in range(COLUMNS if y < below else COLUMNS // 2)
            if "\u4e00" <= (char := buffer[y][x].data or " ")[:1] <= "\u9fff"
        )


def settled(chunks: Sequence[tuple[float, bytes]]) -> tuple[float, Rows]:
    """The moment from which the rows of Home stood as they do after all that was written, and these."""
    screen = Screen()
    since, rows = 0.0, frozenset[tuple[int, int, str]]()
    for at, (moment, data) in enumerate(chunks):
        screen.feed(data)
        # A frame comes in several pieces.
        if at + 1 == len(chunks) or chunks[at + 1][0] - moment > 0.004:
            now = screen.rows()
            if now != rows:
                since, rows = moment, now
    return since, rows
