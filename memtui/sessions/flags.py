"""What is done once a session: a file each, made by whoever is first, below the state directory (spec 002's flags).

Cleared when the session's context is compacted, for what was given to it is forgotten then.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.digest import sha256
from memtui.disk.places import private, state

if TYPE_CHECKING:
    from pathlib import Path


def _directory(session: str) -> Path:
    return state() / "flags" / sha256(session.encode("utf-8", "surrogatepass"))[:16]


def _file(name: str) -> str:
    kind, _dash, rest = name.partition("-")
    return f"{kind}-{sha256(rest.encode('utf-8', 'surrogatepass'))[:16]}"


def first(session: str, name: str) -> bool:
    """Raise the flag `kind-what` of this session; False: it was up already. Raises OSError, RefusedError."""
    place = _directory(session)
    private(place)
    try:
        os.close(os.open(place / _file(name), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def up(session: str, name: str) -> bool:
    """Whether the flag is up."""
    return (_directory(session) / _file(name)).exists()


def lower(session: str, name: str) -> None:
    """Take one flag down: what it stood for did not happen after all."""
    with suppress(OSError):
        (_directory(session) / _file(name)).unlink()


def clear(session: str, *kinds: str) -> None:
    """Take down the flags of these kinds ('rules', 'schema'); of all where none is named."""
    place = _directory(session)
    with suppress(OSError):
        for name in os.listdir(place):
            if not kinds or name.partition("-")[0] in kinds:
                with suppress(OSError):
                    (place / name).unlink()
