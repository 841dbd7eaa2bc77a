"""Linux's inotify with nothing in between: one descriptor for a whole home, read by the thread that acts on it.

A save is heard in the time of one system call, where a library's queues and threads take several times as long as
indexing the file. Each directory is watched by itself, so that pruned ones cost nothing.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
from typing import TYPE_CHECKING

from memtui.disk.walk import DEPTH, never

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.index.ears import Hear

CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x8, 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF, UNMOUNT, OVERFLOW, IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
FOLDER = 0x40000000
_PLAIN = 0x01000000 | 0x02000000 | 0x04000000  # ONLYDIR, DONT_FOLLOW, EXCL_UNLINK

MASK = CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE
"""Opening, reading and closing without writing are not asked for: they are many, and a burst of them overflows."""

_EVENT = struct.Struct("iIII")
_BUFFER = 1 << 18
_READS = 16
"""Buffers read in one go: a writer that never stops must not keep what was heard from being passed on."""


class Inotify:
    """Listens from the moment it is made until it is closed; `hear` is called inside `wait`. Raises OSError.

    All for one thread, but `rouse`.
    """

    def __init__(self, root: str, prune: Callable[[str], bool], hear: Hear) -> None:
        self._root = root
        self._prune = prune
        self._hear = hear
        self._folders: dict[int, str] = {}
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._pipe = os.pipe()
        self._descriptor = self._libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        self._poll = select.poll()
        self._poll.register(self._pipe[0], select.POLLIN)
        try:
            self._asked(self._descriptor)
            self._poll.register(self._descriptor, select.POLLIN)
            self._watch(root)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop listening."""
        for descriptor in (*self._pipe, self._descriptor):
            if descriptor >= 0:
                os.close(descriptor)
        self._pipe, self._descriptor = (-1, -1), -1

    def rouse(self) -> None:
        """End a `wait` early. From any thread, as long as it is not closed."""
        os.write(self._pipe[1], b"!")

    def wait(self, seconds: float) -> None:
        """Wait until something was heard, or until roused, but no longer than that."""
        for descriptor, _ in self._poll.poll(max(seconds, 0.0) * 1000):
            if descriptor != self._descriptor:
                os.read(descriptor, 4096)
                continue
            for _ in range(_READS):
                try:
                    data = os.read(descriptor, _BUFFER)
                except BlockingIOError:
                    break
                self._take(data)

    def _take(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            number, mask, _, length = _EVENT.unpack_from(data, at)
            at += _EVENT.size
            name = data[at : at + length].rstrip(b"\0")
            at += length
            folder = self._folders.get(number)
            if mask & OVERFLOW:
                # Directories may have come with what was lost.
                self._add(self._root)
                self._hear(None)
            elif mask & IGNORED:
                self._folders.pop(number, None)
            elif folder is None:
                continue
            elif not name:
                if folder == self._root:
                    self._hear(folder)
            else:
                self._event(f"{folder}/{os.fsdecode(name)}", mask)

    def _event(self, path: str, mask: int) -> None:
        if mask & FOLDER:
            if mask & MOVED_FROM:
                self._forget(path)
            elif mask & (CREATE | MOVED_TO) and self._entered(path):
                self._add(path)
        elif mask & CREATE and not _linked(path):
            # It is told of once more when it is written, and closed.
            return
        self._hear(path, bool(mask & FOLDER))

    def _entered(self, path: str) -> bool:
        inner = path[len(self._root) + 1 :]
        return inner.count("/") < DEPTH and not never(os.path.basename(path)) and not self._prune(inner)

    def _add(self, path: str) -> None:
        try:
            self._watch(path)
        except OSError:
            self._hear(None)

    def _watch(self, top: str) -> None:
        """Watch a directory and those below it. One that vanishes meanwhile, or may not be read, is passed over."""
        ahead = [top]
        while ahead:
            path = ahead.pop()
            mask = MASK | _PLAIN | (DELETE_SELF | MOVE_SELF if path == self._root else 0)
            number = self._libc.inotify_add_watch(self._descriptor, os.fsencode(path), mask)
            try:
                self._asked(number)
                self._folders[number] = path
                # Watched first and listed then, so that none is made unseen in between.
                with os.scandir(path) as entries:
                    ahead += [
                        entry.path
                        for entry in entries
                        if entry.is_dir(follow_symlinks=False) and self._entered(entry.path)
                    ]
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                if path == self._root:
                    raise

    def _forget(self, path: str) -> None:
        for number, folder in list(self._folders.items()):
            if folder == path or folder.startswith(f"{path}/"):
                self._libc.inotify_rm_watch(self._descriptor, number)
                del self._folders[number]

    @staticmethod
    def _asked(answer: int) -> None:
        if answer < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


def _linked(path: str) -> bool:
    """Whether a file that has just come is another name of one that was there before: nobody will write to it."""
    try:
        return os.lstat(path).st_nlink > 1
    except OSError:
        return False
