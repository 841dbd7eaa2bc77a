"""A session's transcript as the conversation that it was: what was said and done on its main thread, and no more."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from memtui.parse.stream import LONGEST_LINE, Stream
from memtui.parse.transcript import LIMIT
from memtui.sessions.hearing import ClaudeHearing, hearing
from memtui.sessions.session import Conversation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.sessions.hearing import Ear
    from memtui.sessions.session import Session

_LOOKS = 50
"""Records after which it is no longer asked whose transcript it is."""
_PEEK = LONGEST_LINE + 1024 * 1024
"""Bytes in which there must be one."""
_SIBLINGS = 200
"""Transcripts beside it that are looked into for more of the session, the newest."""
_HEAD = 64 * 1024


def read(session: Session, *, limit: int = LIMIT) -> Conversation | None:
    """The conversation; None: there is no transcript, or it cannot be read.

    Never raises for what is in it: broken lines and unknown records are counted, what is beyond `limit` bytes is said.
    """
    file = _opened(session.transcript)
    if file is None:
        return None
    with file:
        size = os.fstat(file.fileno()).st_size
        heard, stream = _ear(file), Stream(file, limit)
        if heard is None:
            # Nothing in it is a record of anybody's: it is not read to its end.
            heard, stream = ClaudeHearing(), Stream(file, min(limit, _PEEK))
        for at, record in stream.records():
            heard.take(record, at)
        lines = stream.line - _ended(file, size)
    skipped, truncated, left = stream.skipped, stream.truncated, limit - stream.end
    if isinstance(heard, ClaudeHearing):
        for more in _spans(session):
            with more:
                other = Stream(more, left)
                for _at, record in other.records():
                    if record.get("sessionId") == session.id:
                        # Lines are the transcript's own: what stands elsewhere has none here.
                        heard.take(record, 0)
            left -= other.end
            truncated = truncated or other.truncated
    said, steps = heard.heard(session.id)
    times = [
        time for time in (*(turn.time for turn in said), *(step.time for step in steps)) if time is not None
    ]
    return Conversation(
        session,
        tuple(said),
        tuple(steps),
        min(times, default=None),
        max(times, default=None),
        skipped,
        heard.unknown,
        truncated,
        size,
        lines,
    )


def _ended(file: BinaryIO, size: int) -> bool:
    """Whether the last line is whole, so that the next one has begun."""
    file.seek(max(0, size - 1))
    return file.read(1) in {b"", b"\n"}


def _opened(path: str) -> BinaryIO | None:
    """The file, if it is one and no link."""
    if not path or "\0" in path:
        return None
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb", buffering=1 << 18)


def _ear(file: BinaryIO) -> Ear | None:
    """Who understands the file, by its first records; None: nobody."""
    for number, (_at, record) in enumerate(Stream(file, _PEEK).records()):
        found = hearing(record)
        if found is not None:
            return found
        if number > _LOOKS:
            break
    return None


def _spans(session: Session) -> Iterator[BinaryIO]:
    """Other transcripts beside it that hold records of this session, oldest first: it was resumed into them."""
    folder, own = os.path.split(session.transcript)
    marks = [f'"sessionId":{gap}"{session.id}"'.encode() for gap in ("", " ")]
    found: list[tuple[float, str]] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(".jsonl") and name != own and not name.startswith(("agent-", ".")):
                found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    for _time, path in sorted(found)[-_SIBLINGS:]:
        file = _opened(path)
        if file is not None:
            head = file.read(_HEAD)
            if any(mark in head for mark in marks):
                yield file
            else:
                file.close()
