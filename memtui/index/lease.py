"""A process that keeps an index current says so on a socket beside it, so that others need not look at the whole home.

A command that connects to the lease is told which files, if any, changed since they were last indexed, and
looks at those few. The holder knows them from the kernel, which queues an event before the call that changed a
file returns: while that queue is empty, nothing was written, renamed or removed, and no clock, heartbeat or
thread's progress is relied upon. A killed holder refuses the connection; one that is stopped or busy is not
waited for longer than PATIENCE. In every doubt (an overflow, a directory moved, a failed look, a home that is
polled, away, or on a file system that other machines may change) there is no answer and the command looks for
itself. What the kernel does not report (writes through a memory map, or through a hard link outside the home)
the next full look finds.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
import time
from contextlib import suppress

from memtui.core.errors import MemtuiError
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.fs.places import detect_filesystem
from memtui.index import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memtui.fs.places import Place

PATIENCE = 0.02
"""Seconds that a command waits for the holder: half of what looking at a large home takes."""

MOST = 64
"""Files that changed and are named in an answer; of more, the command looks at everything."""

FOLDERS = 20_000
"""Directories of a home that are watched at most: all programs of a person share what the kernel allows."""

SOON = 1.0
"""Seconds after the first look at a home from which on a lease is held: the first screen needs the processor more."""

_SIGN = "memtui lease 1"
_LARGEST = 1 << 17
_LOCAL = frozenset(
    {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "tmpfs", "xfs", "zfs"}
)
"""File systems on which nothing changes without this kernel."""

_CHANGED = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200
"""Modified, attributes, closed after writing, moved from and to, created, deleted."""
_OWN = 0x400 | 0x800
"""The directory itself deleted, moved."""
_WATCH = _CHANGED | _OWN | 0x1000000 | 0x2000000 | 0x4000000
"""Only directories, no links followed, nothing of files that have no name any more."""
_CREATED, _IGNORED, _OVERFLOW, _FOLDER, _UNMOUNTED = 0x100, 0x8000, 0x4000, 0x40000000, 0x2000


class Current(NamedTuple):
    """What the holder of a lease says of an index."""

    file: str
    """The name of the file that it keeps current."""
    home: tuple[int, int]
    """The device and number of the directory that it watches."""
    pid: int
    paths: tuple[str, ...]
    """What changed since it was last taken in, relative to the home."""


def find_lease_path(place: Place) -> str:
    """Where the lease of an index stands."""
    return os.fspath(place.directory / f"{place.stem}.lease")


# -- asking ---------------------------------------------------------------------------------------------------------


class Request:
    """Asks the holder of a lease, if there is one: at once; the answer may be fetched later."""

    def __init__(self, place: Place) -> None:
        self._socket: Any = None
        path = find_lease_path(place)
        try:
            if not stat.S_ISSOCK(os.lstat(path).st_mode):
                return
            # The module `socket` takes five times as long to import as the question takes.
            import _socket

            self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            self._socket.settimeout(PATIENCE)
            with _ShortName(path) as short:
                self._socket.connect(short)
            peer = self._socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
            if int.from_bytes(peer[4:8], _order()) != os.getuid():
                self.close()
        except (OSError, ImportError, AttributeError, ValueError):
            self.close()

    @property
    def asked(self) -> bool:
        """Whether there is somebody who may answer."""
        return self._socket is not None

    def answer(self, patience: float = PATIENCE) -> Current | None:
        """What the holder says, waited for no longer than `patience` from now; None: nothing that can be used."""
        until = time.monotonic() + patience
        data = b""
        try:
            while self._socket is not None and len(data) < _LARGEST:
                self._socket.settimeout(max(until - time.monotonic(), 0.0005))
                more = self._socket.recv(1 << 16)
                if not more:
                    return read_answer(data)
                data += more
        except OSError:
            return None
        finally:
            self.close()
        return None

    def close(self) -> None:
        """Ask no more."""
        held, self._socket = self._socket, None
        if held is not None:
            held.close()


def write_answer(current: Current) -> bytes:
    """An answer as it goes over the socket."""
    fields = (_SIGN, current.file, *map(str, current.home), str(current.pid), *current.paths, "end")
    return "\0".join(fields).encode("utf-8", "surrogateescape")


def read_answer(data: bytes) -> Current | None:
    """The same as the asker reads it; None: it is no answer, or not all of one."""
    fields = data.decode("utf-8", "surrogateescape").split("\0")
    if len(fields) < 6 or fields[0] != _SIGN or fields[-1] != "end" or len(fields) > MOST + 6:
        return None
    try:
        device, number, pid = map(int, fields[2:5])
    except ValueError:
        return None
    return Current(fields[1], (device, number), pid, tuple(fields[5:-1]))


class _ShortName:
    """A name short enough for a socket, whatever directories it stands in."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor = -1

    def __enter__(self) -> str:
        directory, name = os.path.split(self._path)
        self._descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return f"/proc/self/fd/{self._descriptor}/{name}"

    def __exit__(self, *_error: object) -> None:
        os.close(self._descriptor)


def _order() -> Any:
    return sys.byteorder


# -- holding --------------------------------------------------------------------------------------------------------


class Lease:
    """One home's lease, as its holder keeps it: told before and after every look, asked from another thread.

    `idle(path, folder)`: nothing there is ours to know; `enter(path)`: whether a directory is looked into;
    `sound()`: whether the home is really watched; `again()`: everything should be looked at again soon.
    """

    def __init__(
        self,
        place: Place,
        root: Path,
        *,
        idle: Callable[[str, bool], bool],
        enter: Callable[[str], bool],
        sound: Callable[[], bool],
        again: Callable[[], object],
    ) -> None:
        self.place = place
        self._root = os.path.realpath(root)
        self._idle, self._enter, self._sound, self._again = idle, enter, sound, again
        self._lock = threading.Lock()
        self._changes: ChangeQueue | None = None
        self._debt: dict[str, int] = {}
        """Paths that changed and were not taken in since, each with the turn of its last event."""
        self._turn = 0
        self._lost = True
        """Something may have changed that is not in the debt."""
        self._whole = False
        """Everything was compared since the event queue was last opened, and nothing failed since."""
        self._before: dict[str, int] = {}
        self._index = ""
        """The name of the index file that everything was last looked at for."""

    def begin(self, whole: bool) -> None:
        """A look begins, at everything if `whole`. Never raises."""
        with self._lock:
            try:
                if whole and (self._lost or self._changes is None):
                    self._open()
                self._collect()
            except Exception:  # whatever a name in the home does to a layout, the look itself must go on
                self._drop()
            self._before = dict(self._debt)

    def end(self, paths: set[str] | None, done: bool) -> None:
        """The look is over: at these paths, or at everything. `done`: all of it is in the index now."""
        with self._lock:
            if not done:
                self._whole = False
                return
            for path, turn in self._before.items():
                if (paths is None or path in paths) and self._debt.get(path) == turn:
                    del self._debt[path]
            if paths is None:
                self._whole, self._index = not self._lost, self._name()

    def answer(self) -> bytes:
        """The answer to whoever connects; empty: nothing that could be relied on."""
        with self._lock:
            if self._changes is None or not self._sound():
                return b""
            self._collect()
            if self._whole and len(self._debt) <= MOST and self._index and self._name() == self._index:
                return write_answer(Current(self._index, self._changes.home, os.getpid(), tuple(self._debt)))
        self._again()
        return b""

    def close(self) -> None:
        """Hold it no more."""
        with self._lock:
            self._drop()

    def _open(self) -> None:
        self._drop()
        # Another thread's import must not be waited for under the lock by whoever only asks.
        try:
            if self._sound() and detect_filesystem(self._root) in _LOCAL:
                self._changes = ChangeQueue(self._root, self._enter)
                self._lost = False
        except (OSError, ImportError, AttributeError):
            self._changes = None

    def _drop(self) -> None:
        held, self._changes = self._changes, None
        self._lost, self._whole = True, False
        self._debt.clear()
        if held is not None:
            held.close()

    def _name(self) -> str:
        try:
            return schema.find_current_index(self.place).name
        except MemtuiError:
            return ""

    def _collect(self) -> None:
        if self._changes is None or self._lost:
            return
        heard = self._changes.drain()
        if heard is None:
            self._lost, self._whole = True, False
            return
        self._turn += 1
        for path, folder in heard.items():
            if not self._idle(path, folder):
                self._debt[path] = self._turn


class ChangeQueue:
    """The kernel's queue of what changes in a home. Raises OSError, ImportError, AttributeError where there is none."""

    def __init__(self, root: str, enter: Callable[[str], bool]) -> None:
        import ctypes
        from struct import Struct

        library = ctypes.CDLL(None, use_errno=True)
        self._errno = ctypes.get_errno
        self._add = library.inotify_add_watch
        self._add.argtypes = ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32
        self._root, self._enter = root, enter
        self._folders: dict[int, str] = {}
        self._event = Struct("iIII").unpack_from
        self._descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise OSError(self._errno(), "no more queues of changes")
        try:
            self._watch("")
            status = os.stat(root)
        except BaseException:
            self.close()
            raise
        self.home = status.st_dev, status.st_ino

    def drain(self) -> dict[str, bool] | None:
        """What changed since the last call, each with whether it is a directory; None: some may be missing."""
        heard: dict[str, bool] = {}
        try:
            while data := self._read():
                at = 0
                while at < len(data):
                    watch, mask, _cookie, length = self._event(data, at)
                    name = os.fsdecode(data[at + 16 : at + 16 + length].rstrip(b"\0"))
                    at += 16 + length
                    folder = self._folders.get(watch)
                    if folder is None or mask & (_OWN | _IGNORED | _OVERFLOW | _UNMOUNTED):
                        return None
                    path = f"{folder}/{name}" if folder else name
                    if mask & _FOLDER:
                        if mask & _CHANGED != _CREATED:
                            return None
                        # Whatever was put into it before it is watched, whoever is told of it finds there.
                        self._watch(path)
                    if name:
                        heard[path] = bool(mask & _FOLDER)
        except OSError:
            return None
        return heard

    def close(self) -> None:
        """Let go of the queue."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, 1 << 16)
        except BlockingIOError:
            return b""

    def _watch(self, path: str) -> None:
        """Watch a directory and all below that memories may stand in."""
        if path and not self._enter(path):
            return
        full = os.path.join(self._root, path) if path else self._root
        watch = self._add(self._descriptor, os.fsencode(full), _WATCH)
        if watch < 0:
            number = self._errno()
            if path and number in {errno.ENOENT, errno.ENOTDIR}:
                # It is gone again.
                return
            raise OSError(number, "cannot be watched")
        self._folders[watch] = path
        if len(self._folders) > FOLDERS:
            raise OSError(errno.ENOSPC, "too many directories")
        with os.scandir(full) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        for name in names:
            self._watch(f"{path}/{name}" if path else name)


class LeaseServer:
    """Where leases are asked for: one thread for all homes of a process."""

    def __init__(self, leases: list[Lease]) -> None:
        import selectors
        import socket

        self._selector = selectors.DefaultSelector()
        self._leases = leases
        self._bound: dict[int, tuple[int, int]] = {}
        self._sockets: dict[int, socket.socket] = {}
        self._end, self._wake = socket.socketpair()
        self._selector.register(self._end, selectors.EVENT_READ, -1)
        self._thread = threading.Thread(target=self._serve, name="memtui-lease", daemon=True)
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def show(self, number: int) -> None:
        """Put this lease's socket beside its index, unless it is there, or another's is. Never raises."""
        with suppress(OSError, ValueError), self._lock:
            path = find_lease_path(self._leases[number].place)
            try:
                status = os.lstat(path)
            except FileNotFoundError:
                pass
            else:
                if self._bound.get(number) == (status.st_dev, status.st_ino) or _is_held(path):
                    return
            self._bind(number, path)

    def stop(self) -> None:
        """End; the sockets that are ours are taken away."""
        with self._lock, suppress(OSError):
            self._wake.send(b"x")
        if self._thread.is_alive():
            self._thread.join(1.0)
        with self._lock:
            for number, identity in self._bound.items():
                path = find_lease_path(self._leases[number].place)
                with suppress(OSError):
                    status = os.lstat(path)
                    if (status.st_dev, status.st_ino) == identity:
                        os.unlink(path)
            for held in (*self._sockets.values(), self._end, self._wake):
                held.close()
            self._bound.clear()
            self._sockets.clear()
            self._selector.close()

    def _bind(self, number: int, path: str) -> None:
        import selectors
        import socket

        before = self._sockets.pop(number, None)
        if before is not None:
            self._selector.unregister(before)
            before.close()
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        temporary = f"{path}-{os.urandom(4).hex()}"
        try:
            with _ShortName(temporary) as short:
                made.bind(short)
            made.listen(16)
            made.setblocking(False)
            os.chmod(temporary, 0o600)
            status = os.lstat(temporary)
            os.replace(temporary, path)
        except OSError:
            made.close()
            with suppress(OSError):
                os.unlink(temporary)
            raise
        self._sockets[number], self._bound[number] = made, (status.st_dev, status.st_ino)
        self._selector.register(made, selectors.EVENT_READ, number)

    def _serve(self) -> None:
        while True:
            for key, _events in self._selector.select():
                if key.data < 0:
                    return
                # Whatever goes wrong, whoever asked reads that there is no answer, and the next is answered.
                with suppress(Exception):
                    asker, _address = key.fileobj.accept()  # type: ignore[union-attr]
                    with asker:
                        asker.settimeout(PATIENCE)
                        asker.sendall(self._leases[key.data].answer())


def _is_held(path: str) -> bool:
    """Whether somebody answers at this socket: of one that was killed only the name is left."""
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asker, _ShortName(path) as short:
        asker.settimeout(PATIENCE)
        try:
            asker.connect(short)
        except TimeoutError:
            return True
        except OSError:
            return False
    return True
