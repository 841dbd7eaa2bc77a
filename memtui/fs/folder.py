"""Names in a directory that is held open: opened, created and removed there, and two names exchanged in one step.

`swap` uses renameat2 on Linux and renameatx_np on macOS. Where neither works (old kernels, some network file
systems) hard links do nearly the same, and where there are none either the caller is told (reliability §2.1).

What is done to a `Spot` stays in its directory, whatever is swapped above it. A link on the way or at the end
is followed only to a place inside the home, which is then walked to without following anything (reliability §2.7, T09,
T32).
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from contextlib import contextmanager, suppress
from functools import cache

from memtui.core.errors import (
    FullError,
    MemtuiError,
    OutsideError,
    ReadOnlyError,
    UnavailableError,
    VanishedError,
    describe_os_error,
)
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, make_folders
from memtui.fs import files
from memtui.fs.files import is_link, split_home_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")


AT_ONCE = True
"""Whether the system's own calls are used where it has them; tests force the other way."""

LINKS = hasattr(os, "link")
"""Whether hard links are used where a file system has them; tests force the other way."""

_SYSCALLS = {"x86_64": 316, "i386": 353, "i686": 353, "aarch64": 276, "riscv64": 276, "loongarch64": 276}
_SYSCALLS |= {"armv7l": 382, "armv6l": 382, "ppc64le": 357, "ppc64": 357, "s390x": 347}
_SHARING = {5, 32, 33}
"""Windows' own numbers: access denied, a sharing violation, a locked region."""
_HELD = 1.0
_MISSING = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_LINKLESS = {errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV}


def sync_data(descriptor: int) -> None:
    """Have a file's bytes on the disk, whatever becomes of its times."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def retry_interrupted(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """The call's answer; made once more as often as a signal comes in between.

    Where an open file can be neither renamed nor removed (Windows), a virus scanner or an indexer may hold one for a
    moment: that is waited for, up to `_HELD` seconds.
    """
    until = 0.0
    while True:
        try:
            return call(*args, **kwargs)
        except InterruptedError:
            continue
        except PermissionError as error:
            now = time.monotonic()
            until = until or now + _HELD
            if getattr(error, "winerror", None) not in _SHARING or now > until:
                raise
            time.sleep(0.02)


def swap(directory: int | None, temp: str, name: str) -> str:
    """`temp` and `name` change places: how ('exchange', 'links'), or '' where this cannot be done at all.

    Raises OSError as rename does; then both stand as they stood.
    """
    if _call_with_flag(directory, temp, name, swapping=True):
        return "exchange"
    return "links" if _exchange_by_links(directory, temp, name) else ""


def claim_name(directory: int | None, temp: str, name: str) -> None:
    """`temp` gets the name `name`, which nobody has. Raises FileExistsError where somebody has it."""
    if _call_with_flag(directory, temp, name, swapping=False):
        return
    if sys.platform == "win32":
        os.rename(temp, name)
        return
    if LINKS:
        try:
            retry_interrupted(os.link, temp, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _LINKLESS:
                raise
        else:
            # The name is taken: what cannot be tidied up now is no reason to say that it was not.
            for _try in range(2):
                with suppress(OSError):
                    os.unlink(temp, dir_fd=directory)
                    break
            return
    # An empty file of our own holds the name until the full one takes its place.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    os.close(retry_interrupted(os.open, name, flags, 0o600, dir_fd=directory))
    try:
        retry_interrupted(os.replace, temp, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        os.unlink(name, dir_fd=directory)
        raise


def derive_second_name(temp: str) -> str:
    """The second temporary name that hard links need."""
    return f"{temp.removesuffix('.tmp')}-old.tmp"


def _exchange_by_links(directory: int | None, temp: str, name: str) -> bool:
    if not LINKS:
        return False
    second = derive_second_name(temp)
    try:
        if directory is None:
            os.link(name, second)
        else:
            retry_interrupted(os.link, name, second, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except OSError as error:
        if error.errno in _LINKLESS:
            return False
        raise
    try:
        retry_interrupted(os.replace, temp, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        retry_interrupted(os.unlink, second, dir_fd=directory)
        raise
    try:
        retry_interrupted(os.replace, second, temp, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        retry_interrupted(os.replace, second, name, src_dir_fd=directory, dst_dir_fd=directory)
        raise
    return True


def _call_with_flag(directory: int | None, temp: str, name: str, *, swapping: bool) -> bool:
    """Whether the system's own call did it; False where it has none for this place."""
    call = _call() if AT_ONCE and directory is not None else None
    if call is None or directory is None:
        return False
    while True:
        number = call(directory, os.fsencode(temp), os.fsencode(name), swapping)
        if number == 0:
            return True
        if number in _MISSING:
            return False
        if number != errno.EINTR:
            raise OSError(number, os.strerror(number), name)


@cache
def _call() -> Callable[[int, bytes, bytes, bool], int] | None:
    """A function that renames within a directory and answers with the error's number, or None."""
    if sys.platform == "win32":
        return None
    try:
        import ctypes

        libc = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return None
    linux = sys.platform == "linux"
    named = getattr(libc, "renameat2" if linux else "renameatx_np", None)
    number = None if named is not None or not linux else _SYSCALLS.get(os.uname().machine)
    if named is None and number is None:
        return None
    function = named or libc.syscall
    before = () if named is not None or number is None else (ctypes.c_long(number),)
    exchanging, alone = (2, 1) if linux else (2, 4)
    ints, text = ctypes.c_int, ctypes.c_char_p

    def call(directory: int, temp: bytes, name: bytes, swapping: bool) -> int:
        flag = ctypes.c_uint(exchanging if swapping else alone)
        done = function(*before, ints(directory), text(temp), ints(directory), text(name), flag)
        return 0 if done == 0 else ctypes.get_errno()

    return call


_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_SAFE |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_TOP = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_DOWN = _TOP | getattr(os, "O_NOFOLLOW", 0)

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_GONE = {errno.ENOENT, errno.ENODEV, errno.ENXIO, getattr(errno, "ESTALE", errno.ENODEV)}


class Held:
    """A regular file held open, with the bytes it held when it was read. Close it."""

    def __init__(self, descriptor: int, data: bytes, status: os.stat_result) -> None:
        self.descriptor, self.data, self.status = descriptor, data, status

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def changed(self) -> bytes | None:
        """What the file holds now, if that is something else than was read; None: it is as it was."""
        now = read_descriptor(self.descriptor)
        return None if now == self.data else now


class Spot:
    """A name in a directory held open: `fd` is its descriptor, None where the platform has no such thing."""

    def __init__(self, directory: str, fd: int | None, name: str) -> None:
        self.directory, self.fd, self.name = directory, fd, name
        self.where = os.path.join(directory, name)
        """For a person, and for where there are no descriptors."""

    def at(self, name: str) -> str:
        """The name as the system's calls want it."""
        return name if self.fd is not None else os.path.join(self.directory, name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """A descriptor of a file of this directory, links refused. Raises OSError."""
        return retry_interrupted(os.open, self.at(name), flags | _SAFE, mode, dir_fd=self.fd)

    def status(self, name: str) -> os.stat_result:
        """The status of what has the name. Raises OSError."""
        return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)

    def held(self, name: str) -> Held | None:
        """The file of that name, open and read; None: nothing has it. Raises OutsideError, OSError."""
        try:
            descriptor = self.open(name, os.O_RDONLY)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EISDIR}:
                raise OutsideError(_("{path} is not a regular file").format(path=self.where)) from error
            raise
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OutsideError(_("{path} is not a regular file").format(path=self.where))
            return Held(descriptor, read_descriptor(descriptor), status)
        except BaseException:
            os.close(descriptor)
            raise

    def free(self, *files: Held) -> None:
        """Close files before their names change, where the platform renames no file that is open (Windows)."""
        if self.fd is None:
            for file in files:
                file.close()

    def unlink(self, name: str) -> None:
        """The name goes. Raises OSError."""
        retry_interrupted(os.unlink, self.at(name), dir_fd=self.fd)

    def sync(self) -> None:
        """What was renamed lasts. Raises OSError; silent where directories cannot be synced."""
        if self.fd is None:
            return
        try:
            retry_interrupted(os.fsync, self.fd)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.EBADF}:
                raise


@contextmanager
def open_spot(root: str | Path, path: str, *, make: bool = False) -> Iterator[Spot]:
    """The place that a path of a home names, its directory held open; `make` makes missing directories, 0700.

    Raises OutsideError where it leads out of the home, VanishedError where the directory is gone, and every OSError
    of what is done inside as its typed error.
    """
    descriptor: int | None = None
    try:
        top, parts = resolve_home_path(root, path)
        directory = os.path.join(top, *parts[:-1])
        if files.CHAINED:
            descriptor = _walk(top, parts[:-1], make, path)
            if is_link(parts[-1], descriptor):
                raise OutsideError(_("{path} changed its place while it was being opened").format(path=path))
        elif make:
            make_folders(directory)
        elif not os.path.isdir(directory):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), directory)
        yield Spot(directory, descriptor, parts[-1])
    except OSError as error:
        raise translate_os_error(error, path) from error
    finally:
        if descriptor is not None:
            os.close(descriptor)


def translate_os_error(error: OSError, path: str) -> MemtuiError:
    """The typed error that a failed call means for a path, in words for a person."""
    words = {"path": path, "why": describe_os_error(error)}
    if error.errno in _FULL:
        return FullError(_("no room to write {path}: {why}").format(**words))
    if error.errno in _FORBIDDEN:
        return ReadOnlyError(_("{path} cannot be written: {why}").format(**words))
    if error.errno in _GONE:
        return VanishedError(_("the directory of {path} is gone").format(**words))
    if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENOTDIR, errno.ENAMETOOLONG}:
        return OutsideError(_("{path} does not lead to a place in the home: {why}").format(**words))
    return UnavailableError(_("{path} cannot be reached: {why}").format(**words))


def read_descriptor(descriptor: int) -> bytes:
    """All that a file holds, from its beginning, wherever its descriptor stands. Raises OSError."""
    retry_interrupted(os.lseek, descriptor, 0, os.SEEK_SET)
    pieces = []
    size = os.fstat(descriptor).st_size + 1
    while piece := retry_interrupted(os.read, descriptor, size):
        pieces.append(piece)
        size = 1 << 20
    return b"".join(pieces)


def resolve_home_path(root: str | Path, path: str) -> tuple[str, list[str]]:
    """The directory to start from and the way down from it, free of links as of now. Raises as `open_spot` does."""
    parts = split_home_path(path)
    real_root = resolve_real_path(root)
    if not os.path.isdir(real_root):
        raise VanishedError(_("{root} is gone: is its disk there?").format(root=os.fspath(root)))
    straight = os.path.join(real_root, *parts)
    real = resolve_real_path(straight)
    if real == straight:
        return real_root, parts
    beginning = real_root.rstrip(os.sep) + os.sep
    if os.path.normcase(real).startswith(os.path.normcase(beginning)):
        return real_root, real[len(beginning) :].split(os.sep)
    ends = range(1, len(parts) + 1)
    link = next((end for end in ends if os.path.islink(os.path.join(real_root, *parts[:end]))), len(parts))
    path, real = "/".join(parts[:link]), resolve_real_path(os.path.join(real_root, *parts[:link]))
    raise OutsideError(_("{path} is a link to {real}, outside the home: edit it there").format(path=path, real=real))


def resolve_real_path(place: str | Path) -> str:
    """The place with every link followed. Raises OutsideError where one is taken away in that very moment."""
    try:
        return os.path.realpath(place)
    except OSError as error:
        raise OutsideError(_("{path} changed its place while it was being opened").format(path=place)) from error


def _walk(top: str, parts: list[str], make: bool, path: str) -> int:
    descriptor = retry_interrupted(os.open, top, _TOP)
    try:
        for part in parts:
            below = _open_below(descriptor, part, make, path)
            os.close(descriptor)
            descriptor = below
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _open_below(above: int, part: str, make: bool, path: str) -> int:
    try:
        return retry_interrupted(os.open, part, _DOWN, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        if is_link(part, above):
            raise OutsideError(_("{path} changed its place while it was being opened").format(path=path)) from error
        raise
    try:
        retry_interrupted(os.mkdir, part, 0o700, dir_fd=above)
        retry_interrupted(os.fsync, above)
    except FileExistsError:
        pass
    return retry_interrupted(os.open, part, _DOWN, dir_fd=above)


if sys.platform != "win32":
    import fcntl

    def owned(descriptor: int, *, sharing: bool = False, waiting: bool = False) -> bool:
        """Mark a file as being worked on for as long as its descriptor is open; False: somebody else works on it."""
        kind = (fcntl.LOCK_SH if sharing else fcntl.LOCK_EX) | (0 if waiting else fcntl.LOCK_NB)
        try:
            fcntl.flock(descriptor, kind)
        except OSError as error:
            return error.errno in {errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL}
        return True
else:

    def owned(descriptor: int, *, sharing: bool = False, waiting: bool = False) -> bool:
        """Open files cannot be removed here, which says as much."""
        return True
