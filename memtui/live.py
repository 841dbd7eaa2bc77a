"""Keeping open homes current in the background: what the watcher hears is taken in, and the subscribers are told."""

from __future__ import annotations

import os
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from memtui.disk.walk import DEPTH, never
from memtui.filler import Filler
from memtui.index.lease import SOON, Lease, LeaseServer
from memtui.index.plan import role_of
from memtui.index.sync import AGREE
from memtui.index.watch import Watch
from memtui.layouts import layout
from memtui.shelf import ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.config import Config
    from memtui.model import Home
    from memtui.shelf import Shelf

Mode = Literal["auto", "polling", "off"]

NEWS = 0.25
"""Seconds between announcements while an index fills: rows appear as they come, without a repaint for each."""

AGAIN = 1.0
"""Seconds until another try where the index could not be written: another memtui is at it, most likely."""


class Live:
    """The watchers of several homes. `start` returns at once; `stop` waits for what is being written."""

    def __init__(self, shelves: Sequence[Shelf], announce: Callable[[], None], config: Config) -> None:
        self._shelves = list(shelves)
        self._announce = announce
        self._told = 0.0
        self._filler = Filler([shelf.meaning for shelf in self._shelves], announce)
        self._watches = [
            Watch(
                shelf.home.path,
                partial(layout(shelf.home.layout).prune, shelf.home.path),
                partial(self._take_in, number),
                wanted=partial(role_of, layout(shelf.home.layout), shelf.home.path),
                begin=partial(self._begin, shelf),
                mode=cast("Mode", config.index.watch),
                rescan=config.index.rescan_seconds,
            )
            for number, shelf in enumerate(self._shelves)
        ]

        self._leases = [
            Lease(
                shelf.place,
                shelf.home.path,
                idle=watch.idle,
                enter=partial(_entered, partial(layout(shelf.home.layout).prune, shelf.home.path)),
                sound=partial(_watching, watch),
                again=partial(watch.poke, SOON),
            )
            for shelf, watch in zip(self._shelves, self._watches, strict=True)
        ]
        self._server: LeaseServer | None = None
        self._serving = threading.Lock()
        self._looked: set[int] = set()

    def start(self) -> None:
        """Begin to watch; the first look at every home follows at once."""
        for shelf, watch in zip(self._shelves, self._watches, strict=True):
            shelf.apart = True
            shelf.watch = watch
            watch.start()

    def stop(self) -> None:
        """End watching."""
        self._filler.stop()
        for shelf in self._shelves:
            shelf.leave()
        for watch in self._watches:
            watch.stop()
        if self._server is not None:
            self._server.stop()
        for lease in self._leases:
            lease.close()

    def poke(self) -> None:
        """Look at everything soon."""
        for watch in self._watches:
            watch.poke()

    def _begin(self, shelf: Shelf) -> None:
        """The first rows of a home that was never indexed."""
        if shelf.begin():
            self._announce()

    def _take_in(self, number: int, paths: set[str] | None) -> None:
        shelf, watch = self._shelves[number], self._watches[number]
        between = watch.pass_on if paths is None else None
        held = number in self._looked
        if held:
            self._leases[number].begin(paths is None)
        changes = shelf.sync(None if paths is None else sorted(paths), self._progress, between)
        done = (
            changes is not None
            and not (changes.suspect or changes.away or changes.many)
            and not shelf.building
        )
        if held:
            self._leases[number].end(paths, done)
            if paths is None and done:
                self._show(number)
        elif paths is None and done and watch.state == "watching":
            # The first look is what the first rows wait for.
            self._looked.add(number)
            watch.poke(SOON)
        if changes is None:
            watch.poke(ROOM if shelf.unwritable else AGAIN)
        elif changes.suspect:
            watch.poke(AGREE + 0.1)
        self._announce()
        if not shelf.building:
            self._filler.wake()

    def _show(self, number: int) -> None:
        """Let other processes ask whether this home's index is current."""
        with self._serving:
            if self._server is None and hasattr(os, "getuid") and not self._shelves[number].place.warning:
                self._server = LeaseServer(self._leases)
                self._server.start()
        if self._server is not None and not self._shelves[number].place.warning:
            self._server.show(number)

    def _progress(self, home: Home, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told > NEWS:
            self._told = now
            self._announce()


def _entered(prune: Callable[[str], bool], path: str) -> bool:
    """Whether a look at the home goes into this directory."""
    return not never(path.rpartition("/")[2]) and not prune(path) and path.count("/") < DEPTH


def _watching(watch: Watch) -> bool:
    return watch.state == "watching"
