"""What the head of a session's file tells, read without following links: where it began, and whose it is."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path

from memtui.pattern import pattern
from memtui.sessions import ids

_HEAD = 64 * 1024
_CWD = pattern(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.){1,4000}")')
_SUB = pattern(rb'"source"\s*:\s*\{\s*"sub_?agent"', re.IGNORECASE)


def subordinate(path: str) -> bool:
    """Whether it is a sub-agent's transcript, by its place or by what its head says."""
    name = os.path.basename(path)
    return (
        name.startswith("agent-") or "subagents" in Path(path).parts or _SUB.search(_head(path)) is not None
    )


def started(path: str) -> str:
    """The directory that a transcript is about, as its head tells it; empty: it does not."""
    match = _CWD.search(_head(path))
    with suppress(ValueError):
        told = json.loads(match[1]) if match else ""
        return told if isinstance(told, str) and "\0" not in told else ""
    return ""


def inside(path: str, root: str) -> bool:
    """Whether a path is the directory or below it, as it is spelt or with its links resolved."""
    if not path or not root:
        return False
    pairs = ((path, root), (os.path.realpath(path), os.path.realpath(root)))
    return any(one == other or one.startswith(os.path.join(other, "")) for one, other in pairs)


def keyed(path: str, key: str) -> str:
    """The id under a key of a small JSON file; empty: there is none."""
    with suppress(ValueError, RecursionError):
        said = json.loads(_head(path))
        return ids.fit(said.get(key)) if isinstance(said, dict) else ""
    return ""


def _head(path: str) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with suppress(OSError, ValueError):
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            return file.read(_HEAD)
    return b""
