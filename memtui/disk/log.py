"""The file that holds what went wrong, for whoever mends it. It never holds a memory's text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.disk.places import state

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 256 * 1024
"""Bytes after which the log starts anew; the one before is kept beside it."""


def record(error: BaseException) -> Path | None:
    """Append where the error came from, without its message: that may quote a memory. None: not writable."""
    import sys
    import traceback
    from datetime import UTC, datetime

    from memtui import __version__

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
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.exists() and place.stat().st_size > LIMIT:
            place.replace(place.with_name("errors.1.log"))
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return None
    return place
