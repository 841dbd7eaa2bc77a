"""The directories in which memtui keeps what it can make again: indexes, locks, state, and the log of errors.

They are in the user's cache and state directories, not in the home; a layout may name a place of its own for its index
(spec 001 §3). Directories are made 0700. What cannot be kept there is kept in a temporary directory, with a
warning. The log (`record`) names where an error came from and never holds a memory's text.
"""

from __future__ import annotations

import atexit
import errno
import os
import stat
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from memtui.core import __version__
from memtui.core.errors import RefusedError, UnavailableError, describe_os_error
from memtui.core.locale import _
from memtui.core.startup import NamedTuple, make_folders, sha256

APPLICATION_ID = 0x4D54_5549
"""'MTUI' in the header of every SQLite file that memtui makes: files without it are never removed."""

_REMOTE = (
    "nfs", "cifs", "smb", "9p", "afs", "ceph", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "davfs", "ncpfs",
)  # fmt: skip


_LEAST = 256 << 10
"""Bytes free on a disk without which no index is begun there."""


class Place(NamedTuple):
    """Where the index of one home is, or will be."""

    directory: Path
    stem: str
    """How its files' names begin: 'index', or as the layout has it."""
    lock: Path
    """The lock file of whoever writes."""
    warning: str = ""
    """For a person: why the index does not last, where it cannot."""
    link: str = ""
    """The file by whose name other programs look for the index: a link to the current one. Empty: nobody does."""

    @property
    def pointer(self) -> Path:
        """The small file that says which index file is the current one."""
        return self.directory / f"{self.stem}.current"


def find_cache_directory() -> Path:
    """The cache directory: `$XDG_CACHE_HOME/memtui` and its like elsewhere."""
    return _find_user_place("cache")


def is_mirror(home: str) -> bool:
    """Whether a directory is a copy of what somebody else shares: nothing but a pull writes there."""
    return home.startswith(_find_mirrors(str(find_cache_directory())))


@cache
def _find_mirrors(directory: str) -> str:
    # Every search asks.
    return os.path.join(os.path.realpath(directory), "team", "")


def state() -> Path:
    """The state directory: `$XDG_STATE_HOME/memtui` and its like elsewhere."""
    return _find_user_place("state")


def place(home: Path, layout: str, where: str = "auto", *, own: str = "") -> Place:
    """The place of a home's index; its directory exists when this returns.

    `home` is resolved and absolute. `where`: auto, the layout's own place or the cache; cache; or a directory, in
    which every home gets one of its own. `own`: the layout's place as a path in the home whose last part is the stem;
    empty: it has none. Raises RefusedError or OSError only where not even a temporary place can
    be made.
    """
    # One directory may be two layouts' home: what Claude Code is told, and all that it keeps.
    digest = sha256(os.fsencode(home) + b"\0" + os.fsencode(layout))[:16]
    lock = _find_locks_directory() / f"{digest}.lock"
    folder, _slash, stem = own.rpartition("/")
    if where == "auto" and own and _is_usable(home / folder) and not _is_foreign(home / folder, stem):
        return Place(home / folder, stem, lock, link=os.path.join(home, folder, f"{stem}.sqlite"))
    base = find_cache_directory() if where in {"auto", "cache"} else Path(where).expanduser()
    directory = base / digest
    reason = _make(directory)
    if not reason and is_network_directory(directory):
        reason = f"{base} is on a network file system"
    if not reason and not _has_room(directory):
        reason = f"there is no room left on the disk of {base}"
    if not reason:
        return Place(directory, "index", lock)
    directory = _make_temporary_directory() / digest
    make_private_directory(directory)
    return Place(directory, "index", lock, f"the index is kept only until memtui ends: {reason}")


def is_network_directory(directory: Path) -> bool:
    """Whether a directory is on a network file system, where SQLite's write-ahead log must not be used."""
    return detect_filesystem(directory).startswith(_REMOTE)


def detect_filesystem(directory: str | Path) -> str:
    """The kind of file system that a directory is on, as Linux names it; empty where that cannot be told."""
    try:
        mounts = Path("/proc/self/mounts").read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    real = os.path.realpath(directory)
    best, kind = "", ""
    for line in mounts:
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        where = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if len(where) >= len(best) and (where in {"/", real} or real.startswith(where + "/")):
            best, kind = where, fields[2]
    return kind


def make_private_directory(directory: Path) -> None:
    """Make a directory for this user only. Raises OSError; RefusedError if it is a link or somebody else's."""
    make_folders(directory)
    status = os.lstat(directory)
    if not stat.S_ISDIR(status.st_mode):
        raise RefusedError(_("{path} is not a directory: move it out of the way").format(path=directory))
    if hasattr(os, "getuid") and status.st_uid not in {os.getuid(), 0}:
        raise RefusedError(_("{path} belongs to somebody else").format(path=directory))


def read_private_file(place: Path, most: int = 4096) -> bytes:
    """A small file that only this user can read, like a token. Raises RefusedError for any other, OSError."""
    descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as opened:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedError(_("{path} is no regular file.").format(path=place))
        if os.name != "nt" and status.st_mode & 0o077:
            raise RefusedError(
                _("Others can read {path}: chmod 600 it, or remove it for a new token.").format(path=place)
            )
        return opened.read(most)


def read_small_file(place: Path, most: int = 4096) -> bytes:
    """What is no secret, whoever can read it. Raises OSError, also for what is no regular file."""
    descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file")
        return opened.read(most)


def make_once(place: Path, data: bytes) -> bytes:
    """What stands in a small file that is made where there is none: of two that make it at once one does.

    Raises OSError; UnavailableError where whoever made it wrote nothing.
    """
    with suppress(FileExistsError), place.open("xb") as file:
        try:
            file.write(data)
            file.flush()
        except OSError:
            # An empty one would stand in everybody's way.
            place.unlink(missing_ok=True)
            raise
    for _again in range(20):
        found = read_small_file(place)
        if found:
            return found
        time.sleep(0.05)
    raise UnavailableError(_("{path} is empty: remove it.").format(path=place))


def replace_private_file(place: Path, data: bytes, *, sync: bool = True) -> None:
    """Put a file that only this user can read in its place, whole or not at all. Raises OSError, RefusedError.

    Without `sync` it may be gone after a power cut: for what can be made again.
    """
    make_private_directory(place.parent)
    part = place.with_name(f".{place.name}.{os.urandom(6).hex()}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, place)
    except OSError:
        with suppress(OSError):
            os.unlink(part)
        raise


def _find_user_place(kind: str) -> Path:
    # An XDG variable that is set is obeyed on every system: tests and containers set it, people on macOS do.
    named = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    if named and os.path.isabs(named):
        return Path(named) / "memtui"
    if sys.platform in {"win32", "darwin"}:
        from platformdirs import PlatformDirs

        dirs = PlatformDirs("memtui", appauthor=False)
        return Path(dirs.user_cache_dir if kind == "cache" else dirs.user_state_dir)
    return Path(os.path.expanduser("~/.cache" if kind == "cache" else "~/.local/state"), "memtui")


def _find_locks_directory() -> Path:
    directory = state() / "locks"
    if _make(directory):
        directory = _make_temporary_directory() / "locks"
        make_private_directory(directory)
    return directory


def _make(directory: Path) -> str:
    """Make it, and say in a few words why not; empty: it is there and can be written."""
    try:
        make_private_directory(directory)
    except RefusedError as error:
        return str(error)
    except OSError as error:
        return f"{directory} cannot be made ({describe_os_error(error)})"
    return "" if os.access(directory, os.W_OK | os.X_OK) else f"{directory} cannot be written"


def _has_room(directory: Path) -> bool:
    """Whether there is an index, or room for one to begin with."""
    if not hasattr(os, "statvfs") or os.path.lexists(directory / "index.current"):
        return True
    try:
        disk = os.statvfs(directory)
    except OSError:
        return True
    return not disk.f_blocks or disk.f_bavail * disk.f_frsize >= _LEAST


def _is_usable(directory: Path) -> bool:
    try:
        if not stat.S_ISDIR(os.lstat(directory).st_mode) or is_network_directory(directory):
            return False
    except OSError:
        return False
    return os.access(directory, os.W_OK | os.X_OK)


def _is_foreign(directory: Path, stem: str) -> bool:
    """Whether some other program keeps a database under the name that ours would have."""
    try:
        names = [name for name in os.listdir(directory) if name.startswith(stem) and name.endswith(".sqlite")]
        files = (directory / name for name in names if not os.path.islink(directory / name))
        return any(not is_own_database(file) for file in files)
    except OSError:
        return True


def is_own_database(file: Path) -> bool:
    """Whether a file is a SQLite database that memtui made, by its header alone (T18)."""
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        header = os.read(descriptor, 72)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return header.startswith(b"SQLite format 3\0") and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


_made: list[Path] = []

_GIVEN = "MEMTUI_TEMPORARY"
"""The environment's name for the temporary directory of the process that began this one."""


def _make_temporary_directory() -> Path:
    """One temporary directory for a process and those that it begins, removed when it ends."""
    if not _made:
        given = os.environ.get(_GIVEN, "")
        with suppress(OSError, RefusedError):
            if given and os.path.isdir(given):
                make_private_directory(Path(given))
                _made.append(Path(given))
    if not _made:
        import tempfile

        _made.append(Path(tempfile.mkdtemp(prefix="memtui-")))
        # Whoever builds or analyzes for it must find what it reads.
        os.environ[_GIVEN] = os.fspath(_made[0])
        # A forked child must not take it away from its parent.
        owner = os.getpid()
        atexit.register(_discard, _made[0], owner)
    if sys.platform != "win32":
        os.chmod(_made[0], 0o700)
    return _made[0]


def _discard(directory: Path, owner: int) -> None:
    if os.getpid() == owner:
        import shutil

        shutil.rmtree(directory, ignore_errors=True)


LIMIT = 256 * 1024
"""Bytes after which the log starts anew; the one before is kept beside it."""


def record(error: BaseException) -> Path | None:
    """Append where the error came from, without its message: that may quote a memory. None: not writable."""
    import traceback

    place = state() / "errors.log"
    kinds = [type(error).__name__]
    cause = error.__cause__ or error.__context__
    while cause is not None and len(kinds) < 5:
        kinds.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    text = "".join(
        [
            f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} memtui {__version__} Python {sys.version.split()[0]} ",
            f"{sys.platform}: {' from '.join(kinds)}\n",
            *traceback.format_tb(error.__traceback__, limit=-60),
            "\n",
        ]
    )
    try:
        make_folders(place.parent)
        if place.exists() and place.stat().st_size > LIMIT:
            place.replace(place.with_name("errors.1.log"))
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return None
    return place
