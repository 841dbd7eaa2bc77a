"""Which hooks fired, when, how often, and what went wrong: what Health and doctor show.

One line appended a firing, below the state directory; a file that has grown is summed up in place. Twenty hooks at
once do not wait for each other: they share the lock, and only whoever sums up has it alone.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import clock
from memtui.disk.places import private, state

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 64 * 1024
"""Bytes after which the record is summed up."""
MOST = 200
"""Different hooks that are kept; there are a few dozen."""
REASON = 200
"""Characters of a reason."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Fired(NamedTuple):
    """How one event of one agent went so far."""

    event: str
    agent: str
    """Empty: nobody said."""
    last: float
    """When it fired last, in seconds since the epoch."""
    times: int
    failures: int
    failed: float = 0.0
    """When it last went wrong; 0: never."""
    failure: str = ""
    """Why, made fit for a screen."""
    seconds: float = 0.0
    """What it took last, without the start of the process."""


def noted(agent: str, event: str, seconds: float, error: str = "") -> None:
    """Note that a hook fired. Raises OSError, RefusedError where nothing can be written."""
    private(_file().parent)
    now = clock.now()
    line = _line(
        Fired(
            event, agent, now, 1, int(bool(error)), now if error else 0.0, _reason(error), round(seconds, 4)
        )
    )
    descriptor = os.open(_file(), _FLAGS, 0o600)
    try:
        if _held(descriptor, alone=False):
            os.write(descriptor, line)
        if os.fstat(descriptor).st_size > LARGEST and _held(descriptor, alone=True):
            _sum_up(descriptor)
    finally:
        os.close(descriptor)


def fired() -> list[Fired]:
    """Every hook that ever fired, the latest first. Lines that nobody can read are passed over."""
    with suppress(OSError), _file().open("rb") as file:
        return _sums(file.read(4 * LARGEST))
    return []


def _file() -> Path:
    return state() / "hooks" / "fired.jsonl"


def _sums(data: bytes) -> list[Fired]:
    sums: dict[tuple[str, str], Fired] = {}
    for line in data.splitlines():
        new = _read(line)
        if new is None:
            continue
        old = sums.get((new.agent, new.event), new._replace(times=0, failures=0))
        newest, broken = max(old, new, key=lambda one: one.last), max(old, new, key=lambda one: one.failed)
        sums[new.agent, new.event] = newest._replace(
            times=old.times + new.times,
            failures=old.failures + new.failures,
            failed=broken.failed,
            failure=broken.failure,
        )
    return sorted(sums.values(), key=lambda one: -one.last)[:MOST]


def _sum_up(descriptor: int) -> None:
    """Leave one line for each hook. Whoever came before has done it already."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    data = b"".join(iter(lambda: os.read(descriptor, 1 << 20), b""))
    if len(data) > LARGEST:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, b"".join(map(_line, reversed(_sums(data)))))


def _held(descriptor: int, *, alone: bool) -> bool:
    """Hold the record, with others or alone; whether that was possible. Closing it lets go."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
        except OSError:
            return not alone
    return True


def _line(one: Fired) -> bytes:
    plain = {name: value for name, value in one._asdict().items() if value}
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _read(line: bytes) -> Fired | None:
    try:
        said: dict[str, Any] = json.loads(line)
        return Fired(
            _safe(str(said["event"])),
            _safe(str(said.get("agent", ""))),
            float(said["last"]),
            int(said["times"]),
            int(said.get("failures", 0)),
            float(said.get("failed", 0.0)),
            _safe(str(said.get("failure", ""))),
            float(said.get("seconds", 0.0)),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _reason(error: str) -> str:
    """What went wrong, without a secret that may stand in it."""
    if not error:
        return ""
    from memtui.safety.redact import redact

    return _safe(redact(error[: 4 * REASON]).text)


def _safe(text: str) -> str:
    if not text:
        return ""
    if text.isascii() and text.isalnum():
        return text[:REASON]
    from memtui.safety.safe_text import safe_text

    return safe_text(text[:REASON], keep_newlines=False)
