"""What was installed: a record each, with the bytes that were there before, below the state directory.

`install/<id>/record.json` names the files, `install/<id>/before/` holds what they were; both are for this user only.
What was kept stays after the record is gone: nobody takes a person's copy away.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import __version__
from memtui.disk.journal import new_id
from memtui.disk.places import private, state
from memtui.errors import UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.agents.install.wiring import Plan


class Wrote(NamedTuple):
    """One file that was written."""

    path: str
    after: str
    """The digest of what was written."""
    before: str
    """The file, below `before/`, that holds what is to be restored; empty: there was none."""
    made: tuple[str, ...] = ()
    """Directories that were made for it, outermost first."""


class Record(NamedTuple):
    """One installation."""

    id: str
    agent: str
    how: str
    scope: str
    place: str
    stamp: str
    """Sorts by when it was written."""
    files: tuple[Wrote, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """The way and the place that it is of: a wiring has the same."""
        return self.agent, self.how, self.place

    def before(self, wrote: Wrote) -> bytes | None:
        """What a file is to be again; None: no file. Raises OSError where that is lost."""
        return (_place(self.id) / "before" / wrote.before).read_bytes() if wrote.before else None


def all_records() -> list[Record]:
    """Every record that can be read, newest first."""
    try:
        names = os.listdir(state() / "install")
    except OSError:
        return []
    found = [_read(name) for name in names]
    return sorted((record for record in found if record is not None), key=lambda one: one.stamp, reverse=True)


def record(plan: Plan) -> str:
    """Write down what is about to be done, what was there kept, and answer the record's id.

    Raises UnavailableError: then nothing may be written either.
    """
    own = id_of(plan)
    old = _read(own)
    known = {wrote.path: wrote for wrote in old.files} if old else {}
    files = []
    try:
        for file, copy in zip(plan.files, copies(own, plan), strict=True):
            was = known.pop(file.path, None)
            before = copy
            if was is not None and digest_of(file.old) == was.after:
                # What it was before anything of ours, not what we wrote last time.
                before = was.before
            elif file.old != file.without:
                before = "" if file.without is None else _kept(own, f"{copy}.without", file.without)
            made = was.made if was is not None else _missing(file.path)
            files.append(Wrote(file.path, digest_of(file.new), before, made))
        files += known.values()
        written = Record(own, plan.agent, plan.how, plan.scope, plan.place, new_id(), tuple(files))
        _put(own, written)
    except OSError as error:
        raise _unkept(error) from error
    return own


def copies(id: str, plan: Plan) -> list[str]:
    """Keep what the plan's files hold, and answer by which names; empty: there was no file. Raises UnavailableError."""
    stamp = new_id()
    try:
        private(_place(id))
        private(_place(id) / "before")
        return [
            "" if file.old is None else _kept(id, f"{stamp}-{index}-{os.path.basename(file.path)}", file.old)
            for index, file in enumerate(plan.files)
        ]
    except OSError as error:
        raise _unkept(error) from error


def _unkept(error: OSError) -> UnavailableError:
    return UnavailableError(
        _("What was there cannot be kept in {place} ({reason}), so nothing was written.").format(
            place=state() / "install", reason=error.strerror or str(error)
        )
    )


def id_of(plan: Plan) -> str:
    """What the record of an installation is called: the same for the same way at the same place."""
    key = f"{plan.agent}\0{plan.how}\0{plan.place}".encode("utf-8", "replace")
    return f"{plan.agent}-{plan.how or 'all'}-{hashlib.sha256(key).hexdigest()[:12]}"


def digest_of(data: bytes | None) -> str:
    """What a file's bytes are known by; empty: no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def raw(id: str) -> bytes | None:
    """A record as it stands on disk, to be put back with `restore`."""
    with suppress(OSError):
        return (_place(id) / "record.json").read_bytes()
    return None


def restore(id: str, data: bytes | None) -> None:
    """The record is what it was, or is forgotten (None). What was kept stays."""
    with suppress(OSError):
        if data is None:
            (_place(id) / "record.json").unlink(missing_ok=True)
        else:
            (_place(id) / "record.json").write_bytes(data)


def kept_in(id: str) -> str:
    """Where what was there is kept."""
    return str(_place(id) / "before")


def _place(id: str) -> Path:
    return state() / "install" / id


def _kept(id: str, name: str, data: bytes) -> str:
    path = _place(id) / "before" / name[-200:]
    _write(path, data)
    return path.name


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _put(id: str, written: Record) -> None:
    plain: dict[str, Any] = written._asdict() | {
        "version": __version__,
        "files": [file._asdict() for file in written.files],
    }
    fresh = _place(id) / "record.json.new"
    _write(fresh, json.dumps(plain, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass"))
    os.replace(fresh, _place(id) / "record.json")


def _missing(path: str) -> tuple[str, ...]:
    found = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        found.append(folder)
        folder = os.path.dirname(folder)
    return tuple(reversed(found))


def _read(id: str) -> Record | None:
    try:
        plain = json.loads((_place(id) / "record.json").read_bytes().decode("utf-8", "surrogatepass"))
        files = tuple(
            Wrote(one["path"], one["after"], os.path.basename(one["before"]), tuple(one["made"]))
            for one in plain["files"]
        )
        agent, how, scope, place = (str(plain[name]) for name in ("agent", "how", "scope", "place"))
        return Record(id, agent, how, scope, place, str(plain["stamp"]), files)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
