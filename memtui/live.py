"""Keeping open homes current in the background: what the watcher hears is taken in, and the subscribers are told."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from memtui.filler import Filler
from memtui.index.plan import role_of
from memtui.index.sync import AGREE
from memtui.index.watch import Watch
from memtui.layouts import layout

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
                mode=cast("Mode", config.index.watch),
                rescan=config.index.rescan_seconds,
            )
            for number, shelf in enumerate(self._shelves)
        ]

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

    def poke(self) -> None:
        """Look at everything soon."""
        for watch in self._watches:
            watch.poke()

    def _take_in(self, number: int, paths: set[str] | None) -> None:
        shelf, watch = self._shelves[number], self._watches[number]
        changes = shelf.sync(None if paths is None else sorted(paths), self._progress)
        if changes is None:
            watch.poke(AGAIN)
        elif changes.suspect:
            watch.poke(AGREE + 0.1)
        self._announce()
        self._filler.wake()

    def _progress(self, home: Home, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told > NEWS:
            self._told = now
            self._announce()
