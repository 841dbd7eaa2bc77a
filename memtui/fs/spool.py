"""Records that could not be written yet, one file each, until the next writer delivers them (reliability §2.5).

A hook that finds a home locked or a disk full must neither wait nor lose what it was told: it leaves a file
here, made once and never changed. What comes in is redacted already.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack

from memtui.core.errors import UnavailableError
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGEST = 64 * 1024
"""Bytes of one record: what an append takes (reliability §2.4), with its frame."""
MOST = 10_000
"""Records that may wait: a home that is never writable must not fill the disk."""

SPOOL, OUTBOX = "spool", "outbox"
"""What waits for homes of this machine, and what waits for a service elsewhere (spec 001 §9)."""
_SUFFIX = ".json"


def find_spool_directory(folder: str = SPOOL) -> Path:
    """Where they wait; not made here."""
    return state() / folder


def list_spooled_records(folder: str = SPOOL) -> list[Path]:
    """The records that wait, in the order in which they came."""
    place = find_spool_directory(folder)
    try:
        names = sorted(
            name for name in os.listdir(place) if name.endswith(_SUFFIX) and not name.startswith(".")
        )
    except OSError:
        return []
    return [place / name for name in names]


def list_unreadable_records(folder: str = SPOOL) -> list[Path]:
    """What was found here and could not be read, or never be delivered: kept, for a person to look at."""
    return sorted(find_spool_directory(folder).glob("*.unreadable"))


def put(record: dict[str, Any], folder: str = SPOOL) -> Path:
    """Keep one record. Raises UnavailableError where even that cannot be done, or too many wait already."""
    data = json.dumps(record, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace") + b"\n"
    if len(data) > LARGEST * (2 if folder == SPOOL else 8):
        raise UnavailableError(f"a record to be kept for later has {len(data):,} bytes: too many")
    place = find_spool_directory(folder)
    if len(list_spooled_records(folder)) >= MOST:
        raise UnavailableError(f"{MOST:,} records wait in {place} already: `memtui doctor` says why")
    name = f"{time.time_ns():020d}-{os.urandom(4).hex()}{_SUFFIX}"
    part = place / f".{name}.part"
    try:
        make_private_directory(place)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # Only a whole record ever stands under a name that is read.
        os.replace(part, place / name)
    except OSError as error:
        reason = error.strerror or "unknown error"
        raise UnavailableError(f"nothing can be kept for later in {place}: {reason}") from error
    return place / name


def drain(
    deliver: Callable[[dict[str, Any]], bool | None], folder: str = SPOOL, *, patience: float = 0.0
) -> int:
    """Hand every record to `deliver`, in order, and answer how many went. Another process that drains is left to it,
    after so many seconds of `patience`.

    `deliver` answers whether the record is done with; one that is not waits on. One that cannot be read, or that can
    never be delivered (None), is put beside the others, never thrown away.
    """
    if not list_spooled_records(folder):
        return 0
    locks = state() / "locks"
    done = 0
    with ExitStack() as held:
        try:
            make_private_directory(locks)
            held.enter_context(hold_lock(locks / f"{folder}.lock", timeout=patience))
        except (UnavailableError, OSError):
            return 0
        for path in list_spooled_records(folder):
            record = _read(path)
            try:
                went = None if record is None else deliver(record)
                if went is None:
                    os.replace(path, path.with_suffix(".unreadable"))
                elif went:
                    path.unlink(missing_ok=True)
                    done += 1
            except OSError as error:
                reason = error.strerror or "unknown error"
                raise UnavailableError(f"{path} cannot be taken away: {reason}") from error
    return done


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
