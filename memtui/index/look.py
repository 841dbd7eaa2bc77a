"""Whether homes are still as their indexes know them: found out by a child process while its parent goes on.

Looking at ten thousand files takes as long as all the rest of a search. A command that may do its work twice does it
once beside the look, and again only where something changed.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from memtui.disk.walk import listed
from memtui.errors import MemtuiError
from memtui.index import pointer, schema
from memtui.record import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from memtui.disk.places import Place

BESIDE = sys.platform == "linux"
"""Whether a child may be forked: elsewhere that is not safe, or not to be had, and the look comes first."""

MANY = 64
"""Directories from which on two processes look at them."""


class Known(NamedTuple):
    """A home, and the place of the index that knows it."""

    home: Path
    prune: Callable[[str], bool]
    place: Place


class Look:
    """A look at several homes, on its way. Begin it before other threads are started."""

    def __init__(self, homes: Sequence[Known]) -> None:
        self._homes = homes
        self._child = 0
        if homes and BESIDE:
            with suppress(OSError):
                self._child = os.fork()
                if not self._child:
                    self._leave()

    def same(self) -> bool:
        """Whether every index is whole and nothing differs from it. Waits for the child."""
        child, self._child = self._child, 0
        if not child:
            return all(map(unchanged, self._homes))
        try:
            return os.waitpid(child, 0)[1] == 0
        except OSError:
            return False

    def close(self) -> None:
        """Nobody waits for it any more."""
        child, self._child = self._child, 0
        if child:
            import signal

            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)

    def _leave(self) -> None:
        """What the child does: it ends here, whatever happens, and runs nothing that its parent left to be run."""
        status = 1
        try:
            status = 0 if all(unchanged(known, beside=True) for known in self._homes) else 1
        finally:
            os._exit(status)


def unchanged(known: Known, *, beside: bool = False) -> bool:
    """Whether an index holds all of its home and no directory differs from it. Any damage means that it does not.

    `beside`: another child may look at half of them.
    """
    try:
        with schema.guarded():
            held = _load_signatures(known)
        if held is None:
            return False
        below: dict[str, set[str]] = {path: set() for path in held}
        for path in held:
            if path:
                above, _slash, name = path.rpartition("/")
                below[above].add(name)
        return (_compare_beside if beside and len(held) >= MANY else _compare)(known, held, below)
    except (MemtuiError, OSError, TypeError, ValueError, LookupError):
        return False


def _load_signatures(known: Known) -> dict[str, int | None] | None:
    """The directories that a whole index knows; None: it is not whole."""
    db = schema.connect(os.fspath(pointer.current(known.place)))
    try:
        held = dict(cast("list[tuple[str, object]]", db.execute("SELECT key, value FROM meta").fetchall()))
        if not held.get("complete") or held.get("suspect"):
            return None
        return dict(
            cast("list[tuple[str, int | None]]", db.execute("SELECT path, signature FROM dir").fetchall())
        )
    finally:
        db.close()


def _compare_beside(known: Known, held: dict[str, int | None], below: dict[str, set[str]]) -> bool:
    """The same by two processes: every other directory is looked at by a child, the rest here."""
    paths = list(held)
    child = os.fork()
    if not child:
        status = 1
        try:
            status = 0 if _compare(known, {path: held[path] for path in paths[1::2]}, below) else 1
        finally:
            os._exit(status)
    same = _compare(known, {path: held[path] for path in paths[::2]}, below)
    return os.waitpid(child, 0)[1] == 0 and same


def _compare(known: Known, held: dict[str, int | None], below: dict[str, set[str]]) -> bool:
    """Whether these directories are as they were, and the directories in each are those that are known."""
    for listing, inner in listed(known.home, held, known.prune):
        # One that cannot be listed, or not to its end, is for whoever looks closer.
        if listing.failed or listing.cut or held[listing.path] != listing.signature():
            return False
        if below[listing.path] != set(inner):
            return False
    return "" in below
