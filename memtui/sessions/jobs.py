"""What hooks leave behind below the state directory, one small file each; and starting the worker.

- Flags: what is done once a session (spec 002's flags), made by whoever is first; cleared when the session's
  context is compacted, for what was given to it is forgotten then.
- `Job`: work for later, only the newest of a kind and session. A hook that ends a session has 1.5 s and must
  lose nothing (spec 003's extraction queue: unique, tried again a few times). What is given up stays, for
  Health to show and a person to start again.
- `start`: the worker, so that it outlives the hook that starts it and costs it next to nothing.
- Sessions that began and did not say that they ended: a closed terminal loses nothing (spec 001 §4.3).
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from contextlib import suppress

from memtui.core import clock
from memtui.core.errors import MemtuiError
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, sha256
from memtui.fs.places import make_private_directory, replace_private_file, state
from memtui.language.conversation import Session
from memtui.layouts.tracks import TRACKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def _locate_session_flags(session: str) -> Path:
    return state() / "flags" / sha256(session.encode("utf-8", "surrogatepass"))[:16]


def _name_file_flag(name: str) -> str:
    kind, _dash, rest = name.partition("-")
    return f"{kind}-{sha256(rest.encode('utf-8', 'surrogatepass'))[:16]}"


def raise_flag(session: str, name: str) -> bool:
    """Raise the flag `kind-what` of this session; False: it was up already. Raises OSError, RefusedError."""
    place = _locate_session_flags(session)
    make_private_directory(place)
    try:
        os.close(os.open(place / _name_file_flag(name), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def is_flag_up(session: str, name: str) -> bool:
    """Whether the flag is up."""
    return (_locate_session_flags(session) / _name_file_flag(name)).exists()


def clear(session: str, *kinds: str) -> None:
    """Take down the flags of these kinds ('rules', 'schema'); of all where none is named."""
    place = _locate_session_flags(session)
    with suppress(OSError):
        for name in os.listdir(place):
            if not kinds or name.partition("-")[0] in kinds:
                with suppress(OSError):
                    (place / name).unlink()


_LATER = 300.0
LARGEST = 256 * 1024
"""Bytes of one job: a compaction's summary is the longest part."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Job(NamedTuple):
    """Something to do about a session."""

    kind: str
    """capture, flush, end, start, model, publish."""
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


def locate_jobs() -> Path:
    """Where jobs wait; not made here."""
    return state() / "jobs"


def put(kind: str, session: Session, **more: Any) -> None:
    """Leave work for the worker; an older job of its kind and session is replaced. Raises OSError, RefusedError."""
    _write(_place(kind, session), kind, session, more, 0, clock.now(), "")


def put_failed(kind: str, session: Session, error: str, **more: Any) -> None:
    """Leave work that was tried just now, and is to be tried again later: see `is_due`."""
    _write(_place(kind, session), kind, session, more, 0, clock.now(), error)


def drop(kind: str, session: Session) -> None:
    """There is nothing of this kind left to do for a session."""
    place = _place(kind, session)
    for path in (place, place.with_suffix(".failed")):
        with suppress(OSError):
            path.unlink()


def is_due(job: Job) -> bool:
    """Whether it is time: a model that failed is asked again after five minutes, twenty, eighty."""
    return job.kind != "model" or not job.error or clock.now() >= job.time + _LATER * 4**job.tries


def list_jobs(given_up: bool = False) -> list[Job]:
    """The jobs that wait, oldest first; `given_up`: those that failed too often. What cannot be read is passed over."""
    place = locate_jobs()
    ending = ".failed" if given_up else ".json"
    with suppress(OSError):
        names = [name for name in os.listdir(place) if name.endswith(ending) and name[0] != "."]
        found = [job for name in names if (job := _read(place / name)) is not None]
        return sorted(found, key=lambda job: (job.time, job.path.name))
    return []


def finish_job(job: Job) -> None:
    """Take a job away, unless a hook has put a newer one there meanwhile."""
    with suppress(OSError):
        if _read_job_bytes(job.path) == job.stamp:
            job.path.unlink()


def fail_job(job: Job, error: str, tries: int) -> bytes:
    """Note that a try failed; after so many the job is put aside. Answers the job's new stamp."""
    if _read_job_bytes(job.path) != job.stamp:
        return b""
    with suppress(OSError):
        _write(job.path, job.kind, job.session, dict(job.more), job.tries + 1, job.time, error)
    stamp = _read_job_bytes(job.path)
    if job.tries + 1 >= tries:
        with suppress(OSError):
            os.replace(job.path, job.path.with_suffix(".failed"))
    return stamp


def requeue_jobs() -> int:
    """Put what was given up, or waits for its time, back into the queue, and answer how many."""
    given_up, waiting = list_jobs(given_up=True), [job for job in list_jobs() if not is_due(job)]
    for job in (*given_up, *waiting):
        put(job.kind, job.session, **job.more)
    for job in given_up:
        with suppress(OSError):
            job.path.unlink()
    return len(given_up) + len(waiting)


def _place(kind: str, session: Session) -> Path:
    name = f"{session.agent}\0{session.id}\0{session.cwd}"
    return locate_jobs() / f"{kind}-{sha256(name.encode('utf-8', 'replace'))[:16]}.json"


def _write(
    path: Path, kind: str, session: Session, more: Mapping[str, Any], tries: int, time: float, error: str
) -> None:
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
    replace_private_file(path, data, sync=False)


def _read_job_bytes(path: Path) -> bytes:
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
    data = _read_job_bytes(path)
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


def make_outbox_record(session: Session, name: str, body: dict[str, Any]) -> dict[str, Any]:
    """A record of the outbox: what is asked, by whom, when it was said, and the key that makes it once."""
    return {
        "name": name,
        "body": {
            **body,
            "project": session.project,
            "session": session.id,
            "agent": session.agent,
            "time": clock.now(),
            "key": os.urandom(16).hex(),
        },
    }


COMMAND = (sys.executable, "-m", "memtui.consolidation.worker")


def start() -> None:
    """Start a worker. Never raises: where it cannot be started its jobs wait for the next one."""
    if os.environ.get("MEMTUI_WORKER") == "off":
        return
    with suppress(OSError):
        try:
            # Half of what the library's own way costs, which a hook pays for every time.
            _spawn()
        except (AttributeError, NotImplementedError):
            _start_process()


def _spawn() -> None:
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    os.posix_spawn(COMMAND[0], COMMAND, os.environ, file_actions=nothing, setsid=True)


def _start_process() -> None:
    import subprocess

    flags = getattr(subprocess, "DETACHED_PROCESS", 0)
    null = subprocess.DEVNULL
    subprocess.Popen(COMMAND, stdin=null, stdout=null, stderr=null, start_new_session=not flags, creationflags=flags)


_LONGEST = 16 * 1024
_FORGOTTEN = 60 * 86400.0


def note_beginning(session: Session) -> None:
    """Note that a session began or goes on. Raises OSError, RefusedError."""
    data = json.dumps(session._asdict(), ensure_ascii=False).encode("utf-8", "replace")
    replace_private_file(_locate_beginning(session), data, sync=False)


def note_silent_session(session: Session) -> None:
    """The first that is seen of a session whose agent has no hooks: what a hook does at its beginning is done now."""
    if not any(track.silent and track.agent == session.agent for track in TRACKS):
        return
    # A tool's answer does not depend on it.
    with suppress(OSError, MemtuiError):
        if raise_flag(session.id, "begun"):
            put("start", session)
            start()


def forget(session: Session) -> None:
    """It said that it ended."""
    with suppress(OSError):
        _locate_beginning(session).unlink()


def list_running_ids() -> frozenset[str]:
    """The ids of the sessions that are going on, as far as they told."""
    return frozenset(str(said.get("id")) for said in map(_read_unended, _list_beginnings()) if said)


def list_idle_sessions(now: Session, idle: float) -> Iterator[Session]:
    """Other sessions that nobody has said a word in for so many seconds, whose transcript is there."""
    for file in _list_beginnings():
        said = _read_unended(file)
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


def _list_beginnings() -> list[Path]:
    try:
        return [_locate_beginnings() / name for name in sorted(os.listdir(_locate_beginnings()))]
    except OSError:
        return []


def _read_unended(file: Path) -> dict[str, Any]:
    try:
        # Whoever put a FIFO there would have everybody wait for its writer.
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as opened:
            said = json.loads(opened.read(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _locate_beginnings() -> Path:
    return state() / "unended"


def _locate_beginning(session: Session) -> Path:
    name = f"{session.agent}\0{session.id}"
    return _locate_beginnings() / f"{sha256(name.encode('utf-8', 'replace'))[:24]}.json"
