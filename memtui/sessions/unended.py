"""Sessions that began and did not say that they ended: a terminal that was closed loses nothing (spec 001 §4.3)."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui.digest import sha256
from memtui.disk.places import private, state
from memtui.errors import MemtuiError
from memtui.sessions.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LONGEST = 16 * 1024
_FORGOTTEN = 60 * 86400.0


def began(session: Session) -> None:
    """Note that a session began or goes on. Raises OSError, RefusedError."""
    file = _file(session)
    private(file.parent)
    part = file.with_suffix(f".{os.urandom(4).hex()}")
    part.write_text(json.dumps(session._asdict(), ensure_ascii=False), "utf-8", "replace")
    os.replace(part, file)


def forget(session: Session) -> None:
    """It said that it ended."""
    with suppress(OSError):
        _file(session).unlink()


def ids() -> frozenset[str]:
    """The ids of the sessions that are going on, as far as they told."""
    return frozenset(str(said.get("id")) for said in map(_read, _files()) if said)


def over(now: Session, idle: float) -> Iterator[Session]:
    """Other sessions that nobody has said a word in for so many seconds, whose transcript is there."""
    for file in _files():
        said = _read(file)
        try:
            session = Session(**{key: said[key] for key in Session._fields if key in said})
            quiet = time.time() - os.stat(session.transcript).st_mtime
        except (OSError, ValueError, TypeError, KeyError, MemtuiError):
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > _FORGOTTEN:
                    file.unlink()
            continue
        if session.id != now.id and quiet > idle:
            yield session


def _files() -> list[Path]:
    try:
        return [_directory() / name for name in sorted(os.listdir(_directory()))]
    except OSError:
        return []


def _read(file: Path) -> dict[str, Any]:
    try:
        # Whoever put a FIFO there would have everybody wait for its writer.
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as opened:
            said = json.loads(opened.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _directory() -> Path:
    return state() / "unended"


def _file(session: Session) -> Path:
    name = f"{session.agent}\0{session.id}"
    return _directory() / f"{sha256(name.encode('utf-8', 'replace'))[:24]}.json"
