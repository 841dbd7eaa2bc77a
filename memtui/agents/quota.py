"""How much one session may write in a day: an agent that goes round in circles fills no home (reliability §4).

One byte a note in a file a session, below the state directory; yesterday's are thrown away.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui import clock
from memtui.disk.places import private, state
from memtui.errors import MemtuiError
from memtui.locale import _

if TYPE_CHECKING:
    from pathlib import Path

MOST = {"note": 1000, "proposal": 100, "event": 500}
"""What a session writes -> how often in a day, at most."""


def spent(session: str, what: str) -> str:
    """Count one more of it; why it is one too many, for whoever asked, or empty. Where none can be counted: empty."""
    today = clock.day(clock.now())
    folder = state() / "quota"
    name = f"{what}\0{session}".encode("utf-8", "surrogatepass")
    file = folder / today / hashlib.sha256(name).hexdigest()[:24]
    try:
        if not (folder / today).is_dir():
            private(folder / today)
            _forget(folder, today)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, b".")
            count = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
    except (OSError, MemtuiError):
        return ""
    if count <= MOST[what]:
        return ""
    return _("This session has written {count} today: that is enough.").format(count=MOST[what])


def _forget(folder: Path, today: str) -> None:
    with suppress(OSError):
        for day in os.listdir(folder):
            if day < today:
                for name in os.listdir(folder / day):
                    os.unlink(folder / day / name)
                os.rmdir(folder / day)
