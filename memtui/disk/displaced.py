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
        """Somebody else's text stands there, and ours nowhere."""
        message = _("{path} changed in the meantime; nothing was written").format(path=self.path)
        return ConflictError(
            message,
            home=self.root,
            path=self.path,
            base=self.base,
            theirs=_data(theirs),
            mine=self.new,
            kept=kept,
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
    if old is not None and (status.st_ino, status.st_dev) == (old.status.st_ino, old.status.st_dev):
        now = old.changed()
        return old if now is None else Held(os.dup(old.descriptor), now, status)
    try:
        return at.held(temp)
    except OutsideError:
        return None


def put_back(at: Spot, asked: Asked, moved: Held | None, temp: str) -> RefusedError:
    """What was taken from its name by mistake has it again; where somebody was faster, it is kept."""
    try:
        claim(at.fd, at.at(temp), at.at(at.name))
    except FileExistsError:
        return asked.conflict(at.held(at.name), _kept(at, moved, temp))
    return asked.conflict(moved)


def _swapped_back(at: Spot, asked: Asked, theirs: Held | None, temp: str) -> RefusedError:
    """Somebody saved in that very moment: the newest of theirs stands at the name afterwards, the others are kept."""
    newest, ours, kept = theirs, [asked.new], ""
    for _try in range(_TRIES):
        try:
            swap(at.fd, at.at(temp), at.at(at.name))
        except FileNotFoundError:
            # They removed it since: it stays away, and what they had saved before is kept.
            return asked.conflict(None, _kept(at, newest, temp))
        came = found(at, newest, temp)
        if came is not None and came.data in ours:
            gone(at, temp)
            break
        # It stood at the name after ours did: it is newer than what has just been put there.
        kept = _kept(at, newest, "")
        ours += [newest.data] if newest is not None and kept else []
        newest = came
    else:
        kept = _kept(at, newest, temp)
    if newest is None:
        return OutsideError(_("{path} is no longer a regular file").format(path=asked.path))
    return asked.conflict(newest, kept)


def _kept(at: Spot, held: Held | None, temp: str) -> str:
    """Where a version is kept from now on; its temporary name goes, unless nothing else can hold it."""
    if held is None:
        return ""
    where = keep(at.name, held.data)
    if not where:
        return os.path.join(at.directory, temp) if temp else ""
    if temp:
        gone(at, temp)
    return where


def _data(held: Held | None) -> bytes | None:
    return None if held is None else held.data
