"""The app's last picture: shown by the next start until the app has a first frame of its own. No home is read here.

Loading the app takes hundreds of milliseconds, reading a picture two. It is shown only where the first frame would be
the same: the arguments, the directory, the terminal and its size, the language, the settings and the indexes are what
they were, and it is the same day. Its first line says as of when it is: nobody is to take it for live. Keys typed
meanwhile wait, without an echo, until the app reads them.

`show_picture` (before anything heavy is imported), `hide_picture` (the app did not come), `take_terminal` (it came),
`store_picture` (it leaves). The pictures are in the user's cache, for this user only, and few.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

from memtui.core import __version__, clock
from memtui.core.errors import RefusedError
from memtui.core.startup import TYPE_CHECKING, sha256
from memtui.fs.places import find_cache_directory, read_private_file, replace_private_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Any

    from memtui.fs.places import Place

KEPT = 8
"""Pictures that are kept: of so many terminals and homes."""
LARGEST = 1 << 20
"""Bytes of a picture."""
LATELY = 1800.0
"""Seconds for which a start begins with the view that the last one left, and not with Home."""

_ENTER = b"\x1b[?1049h\x1b[?25l\x1b[?7l"
_LEAVE = b"\x1b[?7h\x1b[?25h\x1b[?1049l"
_SEEN = ("TERM", "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "TZ", "HOME", "COLUMNS", "LINES")
_FAMILIES = ("LC_", "XDG_", "MEMTUI_", "TEXTUAL")
"""What of the environment decides how a frame looks."""

_before: list[Any] = []
"""The terminal's attributes before a picture was shown on it; empty: none is."""


def show_picture() -> None:
    """Show the picture of an earlier run of this command, where it still holds."""
    if sys.platform == "win32" or _before or not _is_ours():
        return
    import termios

    with suppress(OSError, ValueError, TypeError, IndexError, RefusedError, termios.error):
        file = _locate()
        drawn = _read(file)
        if drawn is None:
            file.unlink()
            return
        attributes = termios.tcgetattr(0)
        _before[:] = attributes
        quiet: list[Any] = [*attributes[:6], list(attributes[6])]
        quiet[3] &= ~(termios.ECHO | termios.ICANON)
        # Whoever stops the process now would have no terminal to go on with.
        quiet[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(0, termios.TCSANOW, quiet)
        _end_well()
        os.write(2, _ENTER + drawn)


def hide_picture() -> None:
    """Give the terminal back as it was, unless the app has taken it."""
    if _before and (attributes := take_terminal()):
        import termios

        with suppress(OSError, termios.error):
            os.write(2, _LEAVE)
            termios.tcsetattr(0, termios.TCSANOW, attributes)


def take_terminal() -> list[Any]:
    """The terminal's attributes before a picture was shown, for whoever shows the next frame; empty: none is shown."""
    attributes = list(_before)
    _before.clear()
    return attributes


def store_picture(drawn: str, view: str, stamps: list[list[Any]]) -> None:
    """Keep a frame for the next start. `view`: empty where a start shows it at any time; `stamps`: of what it shows."""
    if sys.platform == "win32" or len(drawn) * 4 > LARGEST:
        return
    head = json.dumps([__version__, clock.now(), view, stamps]).encode()
    with suppress(OSError, ValueError, RefusedError):
        file = _locate()
        replace_private_file(file, head + b"\n" + drawn.encode("utf-8", "replace"))
        others = sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
        for old in others[KEPT:]:
            old.unlink()


def stamp_index(places: Iterable[Place], files: Iterable[str]) -> list[list[Any]]:
    """What indexes and files are compared by: each one's path, time of change and size."""
    found = list(files)
    for place in places:
        with suppress(OSError):
            for name in sorted(os.listdir(place.directory)):
                if name.startswith((place.stem, "analysis")) and name.endswith((".sqlite", ".current")):
                    path = os.path.join(place.directory, name)
                    # A log that is begun later is news, too.
                    found += (path, path + "-wal")
    return [_stamp(path) for path in found]


def _stamp(path: str) -> list[Any]:
    try:
        status = os.stat(path)
    except OSError:
        return [path, 0, 0]
    return [path, status.st_mtime_ns, status.st_size]


def _read(file: Path) -> bytes | None:
    """The picture, or nothing where it no longer holds.

    Raises OSError or RefusedError where there is none, ValueError or TypeError where a file is damaged.
    """
    head, _newline, drawn = read_private_file(file, LARGEST).partition(b"\n")
    version, at, view, stamps = json.loads(head)
    now = clock.now()
    young = 0 <= now - at <= (LATELY if view else now) and clock.format_day(now) == clock.format_day(at)
    holds = version == __version__ and young
    return drawn if holds and all(_stamp(one[0]) == one for one in stamps) else None


def _locate() -> Path:
    """Where the picture of this command, from here and on this terminal, is."""
    size = os.get_terminal_size(2)
    names = sorted(name for name in os.environ if name in _SEEN or name.startswith(_FAMILIES))
    told = [os.getcwd(), *size, *sys.argv[1:], *(f"{name}={os.environ[name]}" for name in names)]
    key = sha256("\0".join(map(str, told)).encode("utf-8", "surrogateescape"))[:24]
    return find_cache_directory() / "pictures" / key


def _is_ours() -> bool:
    """Whether a terminal is there, and this process may draw on it."""
    try:
        return (
            os.isatty(0)
            and os.isatty(1)
            and os.isatty(2)
            and os.tcgetpgrp(2) == os.getpgrp()
            and os.environ.get("TERM") not in {None, "", "dumb"}
        )
    except OSError:
        return False


def _end_well() -> None:
    """Have a signal that ends the process give the terminal back first; the app has handlers of its own."""
    import signal

    def end(number: int, _frame: object) -> None:
        hide_picture()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    for name in ("SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), end)
