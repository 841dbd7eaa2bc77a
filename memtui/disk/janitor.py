"""What a process that died in the middle of a write left in a directory goes; what may be somebody's text is kept.

The journal's recovery knows the temporary names of its own intents and handles them. This is for the others: a
journal that was deleted, a home that came from another machine.
"""

from __future__ import annotations

import os
import time
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.commit import TEMPORARY
from memtui.disk.drafts import keep
from memtui.disk.folder import owned, spot
from memtui.errors import MemtuiError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

AGE = 2.0
"""Seconds since the file was last renamed or written: a live writer between two calls is younger."""


class Swept(NamedTuple):
    """One leftover, and what became of it."""

    path: str
    kept: str
    """Where its text is kept now; empty: it was known, or empty, and is gone."""


def sweep(root: str | Path, directories: Iterable[str] = ("",), known: Collection[bytes] = ()) -> list[Swept]:
    """Take away the temporary files of dead writers in directories of a home ('' is the home itself).

    `known` is text that stands elsewhere and need not be kept. What cannot be looked at now is left alone.
    """
    found: list[Swept] = []
    for directory in directories:
        try:
            names = os.listdir(os.path.join(root, directory))
        except OSError:
            continue
        for name in filter(TEMPORARY.fullmatch, sorted(names)):
            path = f"{directory}/{name}" if directory else name
            try:
                kept = _swept(root, path, name, known)
            except MemtuiError:
                continue
            if kept is not None:
                found.append(Swept(path, kept))
    return found


def _swept(root: str | Path, path: str, name: str, known: Collection[bytes]) -> str | None:
    with spot(root, path) as at:
        left = at.held(name)
        if left is None:
            return None
        with closing(left):
            # Its writer holds it for as long as it lives; whoever copied a home here copied no writer.
            if time.time() - left.status.st_ctime < AGE or not owned(left.descriptor):
                return None
            kept = keep(name.strip("."), left.data) if left.data and left.data not in known else ""
            if left.data and left.data not in known and not kept:
                return None
            at.unlink(name)
            return kept
