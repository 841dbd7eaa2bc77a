"""What others share, written into this machine's mirror: a copy below the cache directory that nobody else writes.

`LISTEN` is a hint; the truth is `rev > what was seen last`. The cursor stands beside the mirror, so that deleting
the directory loses nothing. A row is hostile until shown otherwise: names are checked, paths stay inside, links are
never followed, and a file appears whole or not at all.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import MemtuiError, OutsideError, RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.fs.files import CHAINED, DEPTH, split_home_path
from memtui.fs.folder import open_spot, translate_os_error
from memtui.fs.places import make_private_directory
from memtui.index.schema import remove_index
from memtui.layouts import load_layout, place_index
from memtui.layouts.discovery import split_mirror_name
from memtui.sessions.start import AREAS, CORE_NAMES
from memtui.team.membership import (
    Cursor,
    Unmirrored,
    load_cursor,
    load_driver,
    load_unmirrored,
    save_cursor,
    save_unmirrored,
    translate_server_errors,
    write_private,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.team.membership import Membership

_SYNCED = 64
"""Files of one pull that are synced one by one; more are synced together."""
_OFTEN = 2.0
"""Seconds between two notes of the cursor in one long pull."""
_PIECE = 200
"""Rows that are under way at once."""
_START = 256 << 10
"""Bytes of a home that is not copied which are brought for the start of sessions."""
_TEMPORARY = ".memtui-pull"


class Pulled(NamedTuple):
    """What one pull did."""

    written: int = 0
    removed: int = 0
    refused: int = 0
    """Rows whose names or paths are none that we write."""
    rev: int = 0


def pull(
    link: Any, member: Membership, index: str = "auto", most: int = 0, *, meaning: bool = False, start: bool = False
) -> Pulled:
    """Bring the mirror up to what the server shows; `index`: where indexes are kept.

    `most`: a home of more bytes is not copied, where the server can search it; 0: all are. `meaning`: the server
    searches by meaning, too. `start`: of what is not copied, what a session is given at its start is.

    Raises UnavailableError; RefusedError where we are no member.
    """
    cursor = load_cursor(member)
    born, rev = _ask_rev(link, member)
    known = load_unmirrored(member)
    held = {one.folder for one in known}
    # The words of a home come without a new rev.
    apart = _list_unmirrored(link, member, most, held, meaning=meaning) if most else []
    apart = [one._replace(started=start) for one in apart]
    same = (cursor.born, cursor.rev, cursor.error) == (born, rev, "") and [
        (one.folder, one.started) for one in known
    ] == [(one.folder, one.started) for one in apart]
    if same and abs(time.time() - cursor.at) < _OFTEN:
        if apart != known:
            # Vectors come without a new rev, too.
            save_unmirrored(member, apart)
        return Pulled(rev=rev)
    make_private_directory(member.mirror)
    # A server that was restored, or made anew, counts from somewhere else.
    # What is copied from now on was passed over until now.
    back = held - {one.folder for one in apart}
    whole = cursor.born != born or cursor.rev > rev or not cursor.rev or bool(back)
    if whole:
        cursor = Cursor(born)
    mirror = Mirror(member)
    mirror.unmirrored = [one.folder for one in apart]
    try:
        for folder in {one.folder for one in apart} - held:
            mirror.remove_home(folder)
        with translate_server_errors():
            mirror.take(link, cursor, rev, whole=whole)
            for one in apart if start else ():
                mirror.bring_start(link, one.folder)
        if held or apart:
            save_unmirrored(member, apart)
    except OSError as error:
        raise translate_os_error(error, str(member.mirror)) from error
    finally:
        mirror.close()
        forget_indexes(member.mirror, index, mirror.gone)
    return Pulled(mirror.written, mirror.removed, mirror.refused, rev)


def _ask_rev(link: Any, member: Membership) -> tuple[str, int]:
    """Which team of that name the server has, and how far it is. Raises RefusedError where we are no member."""
    with translate_server_errors():
        found = link.execute(
            "SELECT born::text, rev, audience FROM memtui.team WHERE id = %s", [member.team]
        ).fetchone()
        if found is None or found[2] != member.audience:
            raise RefusedError(
                _("You are no member of the team “{team}” any more: `memtui team leave` removes its mirror.").format(
                    team=member.team
                )
            )
        return found[0], found[1]


_BACK = 0.8
"""A home that is not copied is again below so much of the bound: else it would come and go with every save."""


def _list_unmirrored(link: Any, member: Membership, most: int, held: set[str], *, meaning: bool) -> list[Unmirrored]:
    """The homes of others that are larger than `most`, and of which the server holds the words."""
    with translate_server_errors():
        rows = link.execute(
            f"""SELECT owner || '@' || machine || '/' || home, id, files, size, chunks, {"meant" if meaning else "-1"}
            FROM memtui.home
            WHERE team = %s AND size > %s AND cut * 10 >= files * 9 AND owner <> ''
            AND NOT (owner = %s AND machine = %s) ORDER BY 1""",
            [member.team, round(most * _BACK), member.who, member.machine],
        ).fetchall()
    found = [Unmirrored(*row) for row in rows]
    return [
        one for one in found if (one.size > most or one.folder in held) and split_mirror_name(one.folder) is not None
    ]


class Mirror:
    """Writes into one mirror, keeping its directories open."""

    def __init__(self, member: Membership) -> None:
        self.member = member
        self.root = os.path.realpath(member.mirror)
        self.written = self.removed = self.refused = 0
        self.gone: set[str] = set()
        """Homes of which nothing is left."""
        self.unmirrored: list[str] = []
        """Homes of which only those files are kept up that are here."""
        self._held: dict[str, int] = {}
        self._unsynced: list[int] = []
        self._temporary = os.path.join(self.root, _TEMPORARY)
        make_private_directory(member.mirror / _TEMPORARY)
        for name in os.listdir(self._temporary):
            # Whoever was killed in the middle of a file left it here.
            os.unlink(os.path.join(self._temporary, name))

    def close(self) -> None:
        """Let go of the directories."""
        self._release()
        for descriptor in self._unsynced:
            os.close(descriptor)
        self._unsynced.clear()

    def _release(self) -> None:
        for descriptor in self._held.values():
            os.close(descriptor)
        self._held.clear()

    def remove_home(self, folder: str) -> None:
        """Take away the copies of a home that is not copied any more."""
        for name in [one for one in self._list() if one.startswith(f"{folder}/")]:
            self._remove(name)

    def bring(self, owner: str, machine: str, home: str, path: str, body: bytes) -> bool:
        """Write one file as a pull would; whether it is one that we write."""
        name = self._name(owner, machine, home, path)
        if name:
            self._write(name, body)
            self._sync()
        return bool(name) and not self.refused

    def bring_start(self, link: Any, folder: str) -> None:
        """Write what a session may be given of a home that is not copied: its core, and of projects the newest."""
        person, _slash, home = folder.partition("/")
        owner, _at, machine = person.partition("@")
        rows = link.execute(
            """SELECT path, octet_length(body) FROM memtui.file WHERE team = %s AND owner = %s AND machine = %s
            AND home = %s AND NOT gone AND (path = ANY (%s) OR starts_with(path, %s))
            ORDER BY path = ANY (%s) DESC, rev DESC, path LIMIT 500""",
            [self.member.team, owner, machine, home, list(CORE_NAMES), f"{AREAS}/", list(CORE_NAMES)],
        ).fetchall()
        room, wanted = _START, []
        for path, size in rows:
            room -= size
            if room >= 0 and not os.path.lexists(os.path.join(self.root, folder, *path.split("/"))):
                wanted.append(path)
        for path, body in (
            link.execute(
                """SELECT path, body FROM memtui.file WHERE team = %s AND owner = %s AND machine = %s AND home = %s
            AND path = ANY (%s) AND NOT gone""",
                [self.member.team, owner, machine, home, wanted],
                binary=True,
            )
            if wanted
            else ()
        ):
            name = self._name(owner, machine, home, path)
            if name:
                self._write(name, bytes(body))
        self._sync()

    def take(self, link: Any, cursor: Cursor, rev: int, *, whole: bool) -> None:
        """Take in all rows above the cursor; `whole`: what the server does not have goes."""
        member, seen, noted = self.member, set(), time.monotonic()
        last = cursor.rev
        pending = 0
        folders = tuple(f"{folder}/" for folder in self.unmirrored)
        here = [name for name in self._list() if name.startswith(folders)] if folders else []
        size = _PIECE if load_driver().capabilities.has_stream_chunked() else 1
        with link.cursor() as cursors:
            # One statement sees one moment of the server, however long it is read.
            rows = cursors.stream(
                """SELECT owner, machine, home, path, body, rev, gone FROM memtui.file
                WHERE team = %s AND rev > %s AND rev <= %s AND NOT (owner = %s AND machine = %s)
                AND (owner || '@' || machine || '/' || home <> ALL (%s)
                    OR owner || '@' || machine || '/' || home || '/' || path = ANY (%s)) ORDER BY rev""",
                [member.team, cursor.rev, rev, member.who, member.machine, self.unmirrored, here],
                binary=True,
                size=size,
            )
            for owner, machine, home, path, body, now, gone in rows:
                # All rows of one rev are of one commit: only between two of them is there a place to go on from.
                if now != last and pending and time.monotonic() - noted > _OFTEN:
                    self._sync()
                    save_cursor(member, cursor._replace(rev=last, at=cursor.at))
                    noted = time.monotonic()
                last, pending = now, pending + 1
                name = self._name(owner, machine, home, path)
                if not name:
                    self.refused += 1
                elif gone or body is None:
                    self._remove(name)
                else:
                    seen.add(name)
                    self._write(name, bytes(body))
        if whole:
            for name in list(self._list()):
                if name not in seen:
                    self._remove(name)
        self._sync()
        moment = time.time()
        save_cursor(member, Cursor(cursor.born, rev, moment, "", moment))

    def _name(self, owner: str, machine: str, home: str, path: str) -> str:
        """Where a row is written, relative to the mirror; empty: it is none that we write."""
        folder = f"{owner}@{machine}/{home}"
        origin = split_mirror_name(folder)
        if origin is None:
            return ""
        try:
            parts = split_home_path(path)
            role = load_layout(origin.layout).role(self.member.mirror / folder, path)
        except (OutsideError, KeyError):
            return ""
        if role is None or len(parts) > DEPTH or any(part.startswith(".memtui-") for part in parts):
            return ""
        if role.layer is Layer.PROFILE and self.member.audience == "team":
            return ""
        return f"{folder}/{path}"

    def _write(self, name: str, body: bytes) -> None:
        above, _slash, last = name.rpartition("/")
        try:
            directory = self._directory(above, make=True)
        except (NotADirectoryError, OutsideError, FileExistsError, MemtuiError):
            self.refused += 1
            return
        with suppress(OSError):
            if self._read(directory, above, last, len(body)) == body:
                return
        self.written += 1
        temporary = os.path.join(self._temporary, f"{os.getpid()}-{self.written}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(descriptor, "wb", buffering=0) as file:
                file.write(body)
                if self.written <= _SYNCED:
                    self._unsynced.append(os.dup(file.fileno()))
            if CHAINED:
                os.replace(temporary, last, dst_dir_fd=directory)
            else:
                os.replace(temporary, os.path.join(self.root, *name.split("/")))
        except (IsADirectoryError, NotADirectoryError):
            # A file took the place of a directory of files, whose rows come later.
            self.refused += 1
            os.unlink(temporary)

    def _read(self, directory: int, above: str, last: str, size: int) -> bytes:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        if CHAINED:
            descriptor = os.open(last, flags, dir_fd=directory)
        else:
            descriptor = os.open(os.path.join(self.root, *above.split("/"), last), flags)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size != size:
                return b"\0"
            return os.read(descriptor, size + 1)
        finally:
            os.close(descriptor)

    def _remove(self, name: str) -> None:
        above, _slash, last = name.rpartition("/")
        try:
            directory = self._directory(above, make=False)
            if CHAINED:
                os.unlink(last, dir_fd=directory)
            else:
                os.unlink(os.path.join(self.root, *name.split("/")))
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError, MemtuiError):
            return
        self.removed += 1
        # Directories that are empty now go, too, the person's last of all.
        while above:
            held = self._held.pop(above, None)
            if held is not None:
                os.close(held)
            try:
                os.rmdir(os.path.join(self.root, *above.split("/")))
            except OSError:
                return
            if above.count("/") == 1:
                self.gone.add(above)
            above = above.rpartition("/")[0]

    def _directory(self, path: str, *, make: bool) -> int:
        """The descriptor of a directory of the mirror, reached without following a link."""
        held = self._held.get(path)
        if held is not None:
            return held
        if len(self._held) > 64:
            self._release()
        with open_spot(self.root, f"{path}/x", make=make) as spot:
            if spot.fd is None:
                return -1
            self._held[path] = os.dup(spot.fd)
        return self._held[path]

    def _list(self) -> Iterator[str]:
        for folder, inner, names in os.walk(self.root):
            above = os.path.relpath(folder, self.root).replace(os.sep, "/")
            if above == ".":
                inner[:] = [name for name in inner if "@" in name]
                continue
            yield from (f"{above}/{name}" for name in names)

    def _sync(self) -> None:
        """What was written lasts before the cursor says that it was; it is seen before, for somebody waits for it.

        What a loss of power tears in between is taken in, and compared, once more.
        """
        for descriptor in self._unsynced:
            os.fsync(descriptor)
            os.close(descriptor)
        self._unsynced.clear()
        if self.written > _SYNCED and hasattr(os, "sync"):
            os.sync()


_GONE = "gone.json"
"""Beside the copies: homes of which an index is left, for somebody had it open."""


def forget_indexes(mirror: Path, index: str, gone: Iterable[str] = ()) -> None:
    """Take away what was derived of homes that nobody shares any more: an index holds its words. One that somebody
    has open goes later, unless it is shared again.
    """
    waiting = set(gone)
    with suppress(OSError, ValueError, TypeError):
        waiting.update(map(str, json.loads((mirror / _GONE).read_bytes())))
    left = []
    for name in sorted(waiting):
        origin, home = split_mirror_name(name), Path(os.path.realpath(mirror), *name.split("/"))
        if origin is not None and not home.exists():
            with suppress(OSError, MemtuiError):
                if not remove_index(place_index(home, origin.layout, index)):
                    left.append(name)
    if left:
        write_private(mirror / _GONE, json.dumps(left).encode())
    elif waiting:
        (mirror / _GONE).unlink(missing_ok=True)


def remove_mirror(path: Path, index: str = "auto") -> None:
    """Take a team's mirror away, with what was derived of it, and nothing else. Raises UnavailableError."""
    try:
        if path.is_symlink():
            path.unlink()
        elif path.is_dir():
            homes = [home for home in path.glob("*@*/*") if home.is_dir()]
            names = [f"{home.parent.name}/{home.name}" for home in homes]
            for home in homes:
                shutil.rmtree(home)
            forget_indexes(path, index, names)
            shutil.rmtree(path)
    except OSError as error:
        raise UnavailableError(
            _("{path} cannot be removed: {reason}").format(path=path, reason=error.strerror)
        ) from error
