"""What came away from a name when something else took it: it must be what was expected, or it goes back.

A program that knows no lock may save in the moment between our look and our step. What it saved is found here, in
our hands: its newest stands at the name again, and whatever cannot stand anywhere is kept (reliability §2.1, T04).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.beside import gone
from memtui.disk.drafts import keep
from memtui.disk.exchange import claim, swap
from memtui.disk.folder import Held
from memtui.errors import ConflictError, OutsideError, RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.disk.folder import Spot

_TRIES = 16


class Asked(NamedTuple):
    """A change as it was asked for: what an exception about it carries."""

    root: str
    path: str
    base: bytes | None
    new: bytes | None

    def conflict(self, theirs: Held | None, kept: str = "") -> ConflictError:
        """Somebody else's text stands there, and ours nowhere; `kept`: where a text of theirs is that does not."""
        message = _("{path} changed in the meantime; nothing was written").format(path=self.path)
        if kept:
            message += _(", and what they had saved before is kept in {place}").format(place=kept)
        data = None if theirs is None else theirs.data
        return ConflictError(
            message, home=self.root, path=self.path, base=self.base, theirs=data, mine=self.new
        )


def verified(at: Spot, asked: Asked, old: Held, temp: str) -> Held:
    """What was displaced, which is the base; if it is not, or cannot be read, it goes back to its name."""
    try:
        displaced = found(at, old, temp)
    except OSError:
        swap(at.fd, at.at(temp), at.at(at.name))
        gone(at, temp)
        raise
    if displaced is not None and displaced.data == asked.base:
        return displaced
    raise _swapped_back(at, asked, displaced, temp)


def found(at: Spot, old: Held | None, temp: str) -> Held | None:
    """What has the temporary name now, read anew; None: no regular file."""
    status = at.status(temp)
    same = old is not None and (status.st_ino, status.st_dev) == (old.status.st_ino, old.status.st_dev)
    if old is not None and same and old.descriptor >= 0:
        now = old.changed()
        return old if now is None else Held(os.dup(old.descriptor), now, status)
    try:
        held = at.held(temp)
    except OutsideError:
        return None
    if held is not None:
        at.free(held)
    return held


def put_back(at: Spot, asked: Asked, moved: Held | None, temp: str) -> RefusedError:
    """What was taken from its name by mistake has it again; where somebody was faster, it is kept."""
    try:
        claim(at.fd, at.at(temp), at.at(at.name))
    except FileExistsError:
        kept = _kept(at, moved)
        if kept:
            gone(at, temp)
        return asked.conflict(at.held(at.name), kept or at.at(temp))
    return asked.conflict(moved)


def _swapped_back(at: Spot, asked: Asked, theirs: Held | None, temp: str) -> RefusedError:
    """Somebody saved in that very moment: the newest of theirs stands at the name afterwards, all are kept.

    Whoever read ours in that moment and saves again knows nothing of theirs: so that is kept even where it stands.
    """
    newest, safe = theirs, [asked.new]
    for _try in range(_TRIES):
        kept = _kept(at, newest)
        if kept and newest is not None:
            safe.append(newest.data)
        try:
            swap(at.fd, at.at(temp), at.at(at.name))
        except FileNotFoundError:
            # They removed it since, and it stays away.
            if kept:
                gone(at, temp)
            return asked.conflict(None, kept or at.at(temp))
        came = found(at, newest, temp)
        if came is not None and came.data in safe:
            gone(at, temp)
            break
        # It stood at the name after ours did: it is newer than what has just been put there.
        newest = came
    else:
        if _kept(at, newest):
            gone(at, temp)
    if newest is None:
        return OutsideError(_("{path} is no longer a regular file").format(path=asked.path))
    return asked.conflict(newest)


def _kept(at: Spot, held: Held | None) -> str:
    """Where a version is kept from now on; empty: nowhere, so that its temporary name must stay."""
    return keep(at.name, held.data) if held is not None else ""
