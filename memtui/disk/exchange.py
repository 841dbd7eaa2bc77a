"""Two names change places in one step, or a name is taken that nobody has.

Linux has renameat2, macOS renameatx_np. Where neither works (old kernels, some network file systems) hard links do
nearly the same, and where there are none either, the caller is told so (reliability §2.1).
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = True
"""Whether the system's own calls are used where it has them; tests force the other way."""

LINKS = hasattr(os, "link")
"""Whether hard links are used where a file system has them; tests force the other way."""

_SYSCALLS = {"x86_64": 316, "i386": 353, "i686": 353, "aarch64": 276, "riscv64": 276, "loongarch64": 276}
_SYSCALLS |= {"armv7l": 382, "armv6l": 382, "ppc64le": 357, "ppc64": 357, "s390x": 347}
_MISSING = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_LINKLESS = {errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV}


def again(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """The call's answer; made once more as often as a signal comes in between."""
    while True:
        try:
            return call(*args, **kwargs)
        except InterruptedError:
            continue


def swap(directory: int | None, temp: str, name: str) -> str:
    """`temp` and `name` change places: how ('exchange', 'links'), or '' where this cannot be done at all.

    Raises OSError as rename does; then both stand as they stood.
    """
    if _flagged(directory, temp, name, swapping=True):
        return "exchange"
    return "links" if _by_links(directory, temp, name) else ""


def claim(directory: int | None, temp: str, name: str) -> None:
    """`temp` gets the name `name`, which nobody has. Raises FileExistsError where somebody has it."""
    if _flagged(directory, temp, name, swapping=False):
        return
    if sys.platform == "win32":
        os.rename(temp, name)
        return
    if LINKS:
        try:
            again(os.link, temp, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
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
    os.close(again(os.open, name, flags, 0o600, dir_fd=directory))
    try:
        again(os.replace, temp, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        os.unlink(name, dir_fd=directory)
        raise


def aside(temp: str) -> str:
    """The second temporary name that hard links need."""
    return f"{temp.removesuffix('.tmp')}-old.tmp"


def _by_links(directory: int | None, temp: str, name: str) -> bool:
    if not LINKS:
        return False
    second = aside(temp)
    try:
        if directory is None:
            os.link(name, second)
        else:
            again(os.link, name, second, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except OSError as error:
        if error.errno in _LINKLESS:
            return False
        raise
    try:
        again(os.replace, temp, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        again(os.unlink, second, dir_fd=directory)
        raise
    try:
        again(os.replace, second, temp, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        again(os.replace, second, name, src_dir_fd=directory, dst_dir_fd=directory)
        raise
    return True


def _flagged(directory: int | None, temp: str, name: str, *, swapping: bool) -> bool:
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
