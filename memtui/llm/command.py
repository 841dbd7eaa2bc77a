"""A command that answers what it is given on standard input: `claude -p`, `codex exec -`, `llm`, a script.

It runs without a shell, in an empty directory of memtui's own, in a process group of its own that is ended as a whole.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread
from typing import IO, TYPE_CHECKING

from memtui.disk.places import cache, private
from memtui.errors import RefusedError, UnavailableError
from memtui.llm import ASKED, INSIDE, MOST
from memtui.locale import _
from memtui.safety.service import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAVE = 0.3
"""Seconds between asking a process to end and ending it."""

_PIECE = 1 << 16
_COMPLAINTS = 1 << 13
_SESSION = frozenset(
    {
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_ENV_FILE",
        "CLAUDE_PROJECT_DIR",
    }
)
"""What tells an agent in which session it is: another one must not take itself for part of it, or refuse to start."""


def found(command: Sequence[str]) -> str:
    """The absolute path of the program; empty: there is none."""
    import shutil

    path = shutil.which(os.path.expanduser(command[0])) if command[0].strip() else None
    return os.path.abspath(path) if path else ""


def answer(command: Sequence[str], prompt: str, seconds: float) -> str:
    """What the command prints, UTF-8 read leniently. Raises UnavailableError."""
    until = time.monotonic() + seconds
    child = _started(command)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    said, complaints = bytearray(), bytearray()
    data = prompt.encode("utf-8", "replace")
    reading = Thread(target=_read, args=(child.stdout, said, MOST), daemon=True)
    threads = [
        reading,
        Thread(target=_read, args=(child.stderr, complaints, _COMPLAINTS), daemon=True),
        Thread(target=_give, args=(child.stdin, data), daemon=True),
    ]
    try:
        for thread in threads:
            thread.start()
        ended = _ended(child, reading, said, until)
    finally:
        if child.returncode is None or reading.is_alive():
            _end(child)
        for thread in threads:
            thread.join(LEAVE)
    if len(said) > MOST:
        raise UnavailableError(_("{name} answered far more than was asked for").format(name=_name(command)))
    if not ended:
        told = _("{name} did not answer within {seconds:g} seconds (llm.seconds)")
        raise UnavailableError(told.format(name=_name(command), seconds=seconds))
    if child.returncode:
        raise UnavailableError(_failure(command, child.returncode, bytes(complaints) or bytes(said)))
    return _plain(command, bytes(said).decode("utf-8", "replace"))


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    directory = cache() / "llm"
    own = {name: value for name, value in os.environ.items() if name not in _SESSION}
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        # Agents read the instructions of the directory they are in and of those above it: none but the user's.
        private(directory)
        return subprocess.Popen(
            [found(command), *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=directory,
            env={**own, INSIDE: "1", ASKED: "1", "PWD": str(directory)},
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
    except (OSError, ValueError, RefusedError) as error:
        told = _("{name} cannot be started ({why})")
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnavailableError(told.format(name=_name(command), why=clean(why))) from None


def _read(pipe: IO[bytes], into: bytearray, most: int) -> None:
    """All that comes, of which a little more than `most` is kept: the rest is let through, so that nobody waits."""
    with suppress(OSError, ValueError), pipe:
        while piece := pipe.read(_PIECE):
            into += piece[: max(0, most + 1 - len(into))]


def _give(pipe: IO[bytes], data: bytes) -> None:
    with suppress(OSError, ValueError), pipe:
        rest = memoryview(data)
        while rest:
            rest = rest[pipe.write(rest) :]


def _ended(child: subprocess.Popen[bytes], reading: Thread, said: bytearray, until: float) -> bool:
    """Whether it came to its end in time, with no more than fits."""
    while reading.is_alive() and child.poll() is None and len(said) <= MOST:
        left = until - time.monotonic()
        if left <= 0:
            return False
        reading.join(min(left, 0.05))
    if reading.is_alive() and len(said) <= MOST:
        # What it left running may still hold the pipe, and has nothing more to say.
        reading.join(min(LEAVE, max(0.0, until - time.monotonic())))
    if len(said) > MOST:
        return False
    with suppress(subprocess.TimeoutExpired):
        child.wait(max(0.01, until - time.monotonic()))
    return child.returncode is not None


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the whole group: first it is asked to, then it is not."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(child.pid)], capture_output=True, check=False)
        child.kill()
    else:
        # The number of a group is not given away while one of it lives.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGTERM)
            until = time.monotonic() + LEAVE
            while time.monotonic() < until:
                time.sleep(0.01)
                child.poll()
                os.killpg(child.pid, 0)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(LEAVE)


def _failure(command: Sequence[str], status: int, complaints: bytes) -> str:
    told = _("{name} ended with status {status}").format(name=_name(command), status=status)
    lines = complaints.decode("utf-8", "replace").strip().splitlines()
    return f"{told}: {clean(lines[0])}" if lines else told


def _name(command: Sequence[str]) -> str:
    return clean(os.path.basename(command[0]))


def _plain(command: Sequence[str], said: str) -> str:
    """What was said, out of the envelope that `--output-format json` puts it in. Raises UnavailableError."""
    if not said.lstrip().startswith("{") or '"result"' not in said:
        return said
    import json

    try:
        told = json.loads(said)
    except (ValueError, RecursionError):
        return said
    if not isinstance(told, dict) or "type" not in told or not isinstance(told.get("result"), str):
        return said
    if told.get("is_error") is True:
        why = _("{name} could not answer: {why}")
        raise UnavailableError(why.format(name=_name(command), why=clean(told["result"])))
    return str(told["result"])
