"""Work that a hook leaves for later: one file each below the state directory, the newest of a kind and session only.

A hook that ends a session has a second and a half and must lose nothing (spec 003's extraction queue: unique, tried
again a few times). What is given up stays, for Health to show and a person to start again.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import clock
from memtui.digest import sha256
from memtui.disk.places import private, state
from memtui.sessions.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LARGEST = 256 * 1024
"""Bytes of one job: a compaction's summary is the longest part."""
_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


class Job(NamedTuple):
    """Something to do about a session."""

    kind: str
    """capture, flush, end."""
    session: Session
    more: Mapping[str, Any]
    tries: int
    time: float
    """When it was put there."""
    path: Path
    error: str
    """Why the last try failed, for a person."""
    stamp: bytes
    """As it was read: a hook may have put a newer one in its place."""


def directory() -> Path:
    """Where jobs wait; not made here."""
    return state() / "jobs"


def put(kind: str, session: Session, **more: Any) -> None:
    """Leave work for the worker; an older job of its kind and session is replaced. Raises OSError, RefusedError."""
    _write(_place(kind, session), kind, session, more, 0, clock.now(), "")


def waiting(given_up: bool = False) -> list[Job]:
    """The jobs that wait, oldest first; `given_up`: those that failed too often. What cannot be read is passed over."""
    place = directory()
    ending = ".failed" if given_up else ".json"
    with suppress(OSError):
        names = [name for name in os.listdir(place) if name.endswith(ending) and name[0] != "."]
        found = [job for name in names if (job := _read(place / name)) is not None]
        return sorted(found, key=lambda job: (job.time, job.path.name))
    return []


def done(job: Job) -> None:
    """Take a job away, unless a hook has put a newer one there meanwhile."""
    with suppress(OSError):
        if _bytes(job.path) == job.stamp:
            job.path.unlink()


def failed(job: Job, error: str, tries: int) -> bytes:
    """Note that a try failed; after so many the job is put aside. Answers the job's new stamp."""
    if _bytes(job.path) != job.stamp:
        return b""
    with suppress(OSError):
        _write(job.path, job.kind, job.session, dict(job.more), job.tries + 1, job.time, error)
    stamp = _bytes(job.path)
    if job.tries + 1 >= tries:
        with suppress(OSError):
            os.replace(job.path, job.path.with_suffix(".failed"))
    return stamp


def again() -> int:
    """Put what was given up back into the queue, and answer how many."""
    jobs = waiting(given_up=True)
    for job in jobs:
        put(job.kind, job.session, **job.more)
        with suppress(OSError):
            job.path.unlink()
    return len(jobs)


def _place(kind: str, session: Session) -> Path:
    name = f"{session.agent}\0{session.id}\0{session.cwd}"
    return directory() / f"{kind}-{sha256(name.encode('utf-8', 'replace'))[:16]}.json"


def _write(
    path: Path, kind: str, session: Session, more: Mapping[str, Any], tries: int, time: float, error: str
) -> None:
    private(path.parent)
    plain = {
        "kind": kind,
        "session": session._asdict(),
        "more": more,
        "tries": tries,
        "time": time,
        "error": error,
        "made": os.urandom(6).hex(),
    }
    data = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
    part = path.parent / f".{path.name}.{os.urandom(6).hex()}.part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    os.replace(part, path)


def _bytes(path: Path) -> bytes:
    """What stands in a job's file; nothing of a pipe, a link or whatever else somebody put there."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError:
        return b""
    try:
        return os.read(descriptor, LARGEST + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _read(path: Path) -> Job | None:
    data = _bytes(path)
    try:
        said = json.loads(data)
        given = {name: value for name, value in said["session"].items() if name in Session._fields}
        session = Session(**given)
        return Job(
            str(said["kind"]),
            session,
            dict(said["more"]),
            int(said["tries"]),
            float(said["time"]),
            path,
            str(said["error"]),
            data,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
