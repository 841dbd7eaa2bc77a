"""Texts in which no order was found, by their hashes: hooks give the same few files again and again.

Kept in the cache, so that losing it costs time only. A hash is of the text and of the rules that it was held against:
other rules look again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache

from memtui import safety
from memtui.digest import sha256
from memtui.disk.places import cache as place
from memtui.disk.places import private
from memtui.errors import RefusedError

_NAME = "innocent"
_MOST = 64 * 1024
"""Bytes of the file; when it is full it begins anew."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def known(text: str) -> bool:
    """Whether this text was looked through before, and nothing was found."""
    try:
        with open(place() / _NAME, "rb") as file:
            return _key(text) in file.read(_MOST + 1).split(b"\n")
    except OSError:
        return False


def remember(text: str) -> None:
    """It was looked through, and nothing was found. Never raises: it is looked through again."""
    with suppress(OSError, RefusedError):
        private(place())
        handle = os.open(place() / _NAME, _FLAGS, 0o600)
        try:
            if os.fstat(handle).st_size > _MOST:
                os.ftruncate(handle, 0)
            os.write(handle, _key(text) + b"\n")
        finally:
            os.close(handle)


def _key(text: str) -> bytes:
    said = text.encode("utf-8", "surrogatepass")
    return sha256(_rules() + b"\0" + said).encode()


@cache
def _rules() -> bytes:
    """Changes with the rules: the sizes and times of the files that hold them."""
    told: list[tuple[str, int, int]] = []
    for folder in safety.__path__:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".so", ".pyd")):
                    status = entry.stat()
                    told.append((entry.name, status.st_size, status.st_mtime_ns))
    return repr(sorted(told)).encode()
