"""Names and paths as agents give them: what could name anything but itself is refused before anybody looks (T33).

Files are contained by whoever opens them; this is the gate in front, the same on every system.
"""

from __future__ import annotations

import os
import re

from memtui.disk.files import inside
from memtui.errors import OutsideError, RefusedError
from memtui.locale import _

LONGEST = 128
"""Characters of a session's id or a project's key."""

_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)
_ENCODED = re.compile(r"%(?:2e|2f|5c|00)", re.IGNORECASE)
_UNFIT = re.compile(r"[\x00-\x1f\x7f\x80-\x9f]")


def identifier(value: str, what: str) -> str:
    """An id that can be part of a file's name. Raises RefusedError; `what` names it for a person."""
    if _ID.fullmatch(value) and value.strip(".") and value[-1] != "." and not _DEVICE.fullmatch(value):
        return value
    raise RefusedError(
        _("{what} is to be letters, digits, dots, dashes and underscores, at most {most} of them.").format(
            what=what, most=LONGEST
        )
    )


def relative(path: str) -> str:
    """A path inside a home, '/'-separated. Raises OutsideError for one that could lead out of it, however disguised."""
    if path.startswith("~") or _ENCODED.search(path):
        raise OutsideError(_("{path!r} does not name a place inside the home").format(path=path[:200]))
    for part in inside(path):
        if part[-1] in ". " or part[0] == " " or _DEVICE.fullmatch(part):
            raise OutsideError(_("{path!r} does not name a place inside the home").format(path=path[:200]))
    return path


def directory(value: str) -> str:
    """An absolute path of a directory that is there, links followed. Raises RefusedError."""
    parts = value.replace("\\", "/").split("/") if os.name == "nt" else value.split("/")
    if (
        not os.path.isabs(value)
        or ".." in parts
        or _UNFIT.search(value)
        or _ENCODED.search(value)
        or not os.path.isdir(value)
    ):
        raise RefusedError(
            _("{path!r} is no absolute path of a directory that is there.").format(path=value[:200])
        )
    return os.path.realpath(value)
