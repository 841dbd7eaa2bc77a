"""The journal of writes: what was changed, by whom, and the bytes that bring back what stood there (reliability §2.5).

First the types: `Record` is one write, `Done` its effect on one file or row, `Patch` the bytes that changed; a
record is one line of JSON. Then `Journal`: an intent is a file in `pending/` that exists only while its write
is under way, a finished write is one line in the file of its day. A write that was acknowledged has its line,
or its intent, from which the line is made again. Everything is 0600 below the state directory, and holds only
the lines that changed, after redaction.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import json
import os
import re
import threading
import time

from memtui.core.errors import FullError, MemtuiError, ReadOnlyError, UnavailableError, describe_os_error
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.fs.folder import owned, sync_data
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Value


_NAMED = r'"home": ?("(?:[^"\\]|\\.)*"), ?"path": ?("(?:[^"\\]|\\.)*")'
"""What a record says of a file that it changed."""


class Patch(NamedTuple):
    """Some bytes of a file became others. Whole lines where they are not very long."""

    start: int
    """Where, in the bytes before the write."""
    old: bytes
    new: bytes
    frame: bool = False
    above: str = ""
    """What the lines just above hash to, and those below: by them it is found again when the file moved on."""
    below: str = ""


class Done(NamedTuple):
    """What a write did to one file, or to one row of a database."""

    kind: str
    """edit, append, row."""
    home: str
    path: str
    before: str | None = None
    """The etag of the bytes before; None: there was no file. Of an append it is not known ('')."""
    after: str | None = None
    """The etag of the bytes after; None: the file went. Of an append it is not known ('')."""
    patches: tuple[Patch, ...] = ()
    mode: int = 0
    """Permission bits of a file that went."""
    made: tuple[str, ...] = ()
    """Directories that were made for it, outermost first."""
    table: str = ""
    key: str = ""
    old: dict[str, Value] | None = None
    new: dict[str, Value] | None = None
    temp: str = ""
    """The temporary name it was written under."""


class Record(NamedTuple):
    """One write, as the history shows it."""

    id: str
    time: float
    verb: str
    who: str
    what: str
    changes: tuple[Done, ...]
    group: str = ""
    undoes: str = ""
    """The write that this one takes back."""
    state: str = "done"
    """done; interrupted: nothing of it was written; partial: some of its files were."""
    warnings: tuple[str, ...] = ()
    undone: bool = False
    """Taken back since, and not done again. Worked out when the history is read."""

    @property
    def trashed(self) -> bool:
        """Whether it took something away that only its own line brings back: it is in the trash until it is undone."""
        if self.verb == "delete":
            return True
        own = str(state())
        return self.verb not in {"undo", "redo", "mask"} and any(
            done.kind == "edit" and done.after is None and done.home != own for done in self.changes
        )

    @property
    def told(self) -> tuple[Done, ...]:
        """What a person wants to see of it: not what memtui noted for itself beside it."""
        own = str(state())
        return tuple(done for done in self.changes if done.home != own) or self.changes

    @property
    def paths(self) -> tuple[str, ...]:
        """Absolute paths of the files it concerns."""
        return tuple(dict.fromkeys(os.path.join(done.home, *done.path.split("/")) for done in self.told))


def encode_journal_record(record: Record) -> bytes:
    """The record as one line of JSON, without its newline."""
    plain = {
        **record._asdict(),
        "changes": [
            {
                **{name: value for name, value in done._asdict().items() if value not in ("", 0, (), None)},
                "before": done.before,
                "after": done.after,
                "patches": [
                    {**patch._asdict(), "old": _encode_bytes(patch.old), "new": _encode_bytes(patch.new)}
                    for patch in done.patches
                ],
            }
            for done in record.changes
        ],
    }
    del plain["undone"]
    return json.dumps(plain, ensure_ascii=True, default=_encode_bytes, allow_nan=True).encode()


def _encode_bytes(data: bytes) -> str | dict[str, str]:
    """Bytes as JSON holds them: readable where they are text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _decode_bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value["base64"])


def record_of(line: bytes) -> Record | None:
    """The record that a line holds; None for a line that is none."""
    try:
        plain = json.loads(line)
        changes = tuple(_decode_done(done) for done in plain.pop("changes"))
        plain["warnings"] = tuple(plain["warnings"])
        return Record(changes=changes, **{name: plain[name] for name in plain if name in Record._fields})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _decode_done(plain: dict[str, Any]) -> Done:
    plain["patches"] = tuple(
        Patch(**{**patch, "old": _decode_bytes(patch["old"]), "new": _decode_bytes(patch["new"])})
        for patch in plain["patches"]
    )
    plain["made"] = tuple(plain.get("made", ()))
    for side in ("old", "new"):
        if plain.get(side) is not None:
            plain[side] = {
                name: _decode_bytes(value) if isinstance(value, dict) else value for name, value in plain[side].items()
            }
    return Done(**plain)


DAYS = 30
"""How long a line is kept."""
SIZE = 200 * 1024 * 1024
"""Bytes that the journal may take; the oldest days go first."""


_last = [0]
_counting = threading.Lock()


def generate_record_id() -> str:
    """An id that sorts by time, even when the clock stands still or steps back."""
    with _counting:
        _last[0] = max(time.time_ns() // 1_000_000, _last[0] + 1)
        return f"{_last[0]:012x}{os.urandom(4).hex()}"


class DamagedDay(NamedTuple):
    """A file of the journal that cannot be read whole."""

    file: Path
    lines: int
    """That are no records; 0: none of it can be read."""
    named: tuple[str, ...]
    """Absolute paths of files that these lines still name."""


class Journal:
    """The journal in the state directory."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or state() / "journal"
        self.pending = self.directory / "pending"

    def begin(self, record: Record, sync: bool = True) -> None:
        """Write the intent down. Raises UnavailableError: then nothing may be written either."""
        try:
            _ensure_directory(self.directory)
            _ensure_directory(self.pending)
            _put(self.pending / f"{record.id}.json", encode_journal_record(record), sync)
        except OSError as error:
            raise _make_error(error) from error

    def finish(self, record: Record) -> None:
        """Write down what was done, and let the intent go. An intent that cannot go yet is finished later."""
        with contextlib.suppress(OSError, MemtuiError):
            self._line(record)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.pending / f"{record.id}.json")

    def drop(self, id: str) -> None:
        """Nothing came of it."""
        with contextlib.suppress(OSError):
            os.unlink(self.pending / f"{id}.json")

    def intents(self) -> list[Record]:
        """What was begun and not finished: by a process at work, or by one that died."""
        try:
            names = sorted(name for name in os.listdir(self.pending) if name.endswith(".json"))
        except OSError:
            return []
        found = (_load_one(self.pending / name) for name in names)
        return [record for record in found if record is not None]

    def tidy(self) -> None:
        """Take away intents that a dying process did not come to write whole: nothing had been written then."""
        with contextlib.suppress(OSError):
            for name in os.listdir(self.pending):
                _tidy_last_line(self.pending / name)

    def records(self) -> Iterator[Record]:
        """What was done, newest first. Lines that cannot be read are passed over."""
        undoing: set[str] = set()
        seen: set[str] = set()
        for file in self._days():
            for record in reversed(_read_records(file)):
                # A process that died between its line and its intent's end is written down once more.
                if record.id in seen:
                    continue
                seen.add(record.id)
                undone = record.id in undoing
                if record.undoes and not undone:
                    undoing.add(record.undoes)
                yield record._replace(undone=undone)

    def list_damaged(self) -> list[DamagedDay]:
        """Files with lines that cannot be read: what they say can be neither seen nor undone."""
        found: list[DamagedDay] = []
        for file in self._days():
            try:
                lines = [line for line in file.read_bytes().split(b"\n") if line]
            except OSError:
                found.append(DamagedDay(file, 0, ()))
                continue
            if damaged := [line for line in lines if record_of(line) is None]:
                named = {path: None for line in damaged for path in _salvage_paths(line)}
                found.append(DamagedDay(file, len(damaged), tuple(named)))
        return found

    def _days(self) -> list[Path]:
        try:
            names = sorted(name for name in os.listdir(self.directory) if name.endswith(".jsonl"))
        except OSError:
            return []
        return [self.directory / name for name in reversed(names)]

    def _line(self, record: Record) -> None:
        day = self.directory / f"{time.strftime('%Y-%m-%d', time.gmtime(int(record.id[:12], 16) / 1000))}.jsonl"
        with hold_lock(self.directory / "journal.lock"):
            fresh = not day.exists()
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
            descriptor = os.open(day, flags, 0o600)
            try:
                size = os.fstat(descriptor).st_size
                data = encode_journal_record(record) + b"\n"
                if size:
                    os.lseek(descriptor, size - 1, os.SEEK_SET)
                    if os.read(descriptor, 1) != b"\n":
                        data = b"\n" + data
                _write_all(descriptor, data, size)
                sync_data(descriptor)
            finally:
                os.close(descriptor)
            if fresh:
                _keep_names(self.directory)
                self._prune()

    def _prune(self) -> None:
        """Old days go; what is in the trash stays, in a file of its own."""
        oldest = time.strftime("%Y-%m-%d", time.gmtime(time.time() - DAYS * 86400))
        room = SIZE
        for file in self._days():
            if file.name == "0000-trash.jsonl":
                continue
            room -= file.stat().st_size
            if file.stem >= oldest and room >= 0:
                continue
            kept = b"".join(encode_journal_record(record) + b"\n" for record in _read_records(file) if record.trashed)
            if kept:
                with open(self.directory / "0000-trash.jsonl", "ab", opener=_open_private) as trash:
                    trash.write(kept)
            file.unlink()


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _ensure_directory(directory: Path) -> None:
    if not directory.is_dir():
        make_private_directory(directory)


def _put(path: Path, data: bytes, sync: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        descriptor = os.open(path, flags, 0o600)
        owned(descriptor, waiting=True)
        if os.path.exists(path):
            break
        # Whoever tidies up found it empty, and was faster.
        os.close(descriptor)
    try:
        _write_all(descriptor, data, 0)
        if sync:
            sync_data(descriptor)
    except OSError:
        os.close(descriptor)
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    os.close(descriptor)


def _tidy_last_line(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        # Whoever tidied up before may have made way for an intent that is only now being written.
        if owned(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path)) and _load_one(path) is None:
            os.unlink(path)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes, size: int) -> None:
    """Every byte, or none: a full disk may take a part without saying so."""
    done = 0
    try:
        while done < len(data):
            done += os.write(descriptor, data[done:])
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _keep_names(directory: Path) -> None:
    """A new file's bytes are safe once it is synced; its name is once its directory is: a power cut takes either."""
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _make_error(error: OSError) -> UnavailableError:
    if error.errno in {errno.ENOSPC, getattr(errno, "EDQUOT", -1)}:
        return FullError("no room for the undo journal, so nothing was written: free some space and try again")
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return ReadOnlyError(f"the undo journal in {state()} cannot be written, so nothing else was either")
    reason = describe_os_error(error)
    return UnavailableError(f"the undo journal cannot be written ({reason}), so nothing else was either")


def _read_records(file: Path) -> list[Record]:
    try:
        data = file.read_bytes()
    except OSError:
        return []
    found = (record_of(line) for line in data.split(b"\n") if line)
    return [record for record in found if record is not None]


def _salvage_paths(line: bytes) -> list[str]:
    """The files that a broken line still names whole."""
    found = []
    for match in re.finditer(_NAMED, line.decode("utf-8", "replace")):
        with contextlib.suppress(ValueError):
            home, path = (json.loads(part) for part in match.groups())
            found.append(os.path.join(home, *path.split("/")))
    return found


def _load_one(file: Path) -> Record | None:
    try:
        return record_of(file.read_bytes())
    except OSError:
        return None
