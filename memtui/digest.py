"""Digests without OpenSSL where little is to be digested: loading it takes a hook longer than all that it digests.

The standard library does the same where it needs one (`random`); whoever digests much gets OpenSSL, which is faster.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module

from memtui.record import Any

_LEFT = [256 * 1024]
"""Bytes that are still digested the small way."""
_SMALL = {"md5": "_md5", "sha1": "_sha1", "sha256": "_sha2" if sys.version_info >= (3, 12) else "_sha256"}


def sha256(data: bytes) -> str:
    """The SHA-256 of the data, in hexadecimal."""
    _LEFT[0] -= len(data)
    return _digest("sha256", _LEFT[0] > 0, data)


def sha1(data: bytes) -> str:
    """The SHA-1 of a few bytes, in hexadecimal: a name for them, no protection."""
    return _digest("sha1", True, data)


def md5(data: bytes) -> str:
    """The MD5 of a few bytes, in hexadecimal: what others call things by."""
    return _digest("md5", True, data)


def _digest(name: str, small: bool, data: bytes) -> str:
    found: str = _function(name, small)(data, usedforsecurity=False).hexdigest()
    return found


@cache
def _function(name: str, small: bool) -> Any:
    if small:
        try:
            return getattr(import_module(_SMALL[name]), name)
        except ImportError:
            # Not every interpreter is built with it.
            pass
    return getattr(import_module("hashlib"), name)
