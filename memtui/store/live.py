"""Open homes kept current in the background.

`Filler` makes missing vectors, by one process at a time that no key waits for. `Live` indexes what the watchers
hear, announces the new generation to the subscribers, and serves the leases of the indexes.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from memtui.core.errors import describe_os_error
from memtui.fs.files import DEPTH, is_never_entered
from memtui.fs.locks import LEAVE, end_process
from memtui.index.lease import SOON, Lease, LeaseServer
from memtui.index.plan import resolve_file_role
from memtui.index.sync import AGREE
from memtui.index.watch import Mode, Watch
from memtui.layouts import load_layout
from memtui.store.home import ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.store.home import OpenHome
    from memtui.store.meaning import Meaning

QUIET = 2.0
"""Seconds without a change before vectors are made: a burst of writes is one piece of work, and an app that opens
shows its first frame before."""

AT_MOST = 10.0
"""Seconds that changes which never end can put it off."""

TURN = 60.0
"""Seconds for one home while another waits."""

FILLER_AGAIN = 60.0
"""Seconds until another try where it could not go on."""

SHOWN = 15.0
"""Seconds between announcements of how far it is."""


class Filler:
    """Makes what vectors are missing in several homes. `wake` it when an index is current; `stop` it in the end."""

    def __init__(self, meanings: Sequence[Meaning], announce: Callable[[], None]) -> None:
        self._meanings = meanings
        self._announce = announce
        self._woken = threading.Event()
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._child: subprocess.Popen[str] | None = None
        self._held: dict[int, tuple[int, float]] = {}
        """For each home, the generation that was tried last, and the moment from which it is worth another try."""

    def wake(self) -> None:
        """An index changed; returns at once."""
        settings = self._meanings[0].settings if self._meanings else None
        if settings is None or not settings.background or settings.backend == "off":
            return
        self._woken.set()
        with self._lock:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._run, name="memtui-vectors", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End it, and the process that it started."""
        with self._lock:
            self._stopped.set()
            self._woken.set()
            child, thread = self._child, self._thread
        if child is not None:
            end_process(child)
        if thread is not None and thread is not threading.current_thread():
            thread.join(LEAVE)

    def _run(self) -> None:
        retry = False
        while True:
            self._woken.wait(FILLER_AGAIN if retry else None)
            self._wait_for_quiet()
            if self._stopped.is_set() or self._meanings[0].why:
                return
            # The current project's home stands first.
            waiting = [number for number in range(len(self._meanings)) if self._wants_vectors(number)]
            retry = False
            for number in waiting:
                if self._stopped.is_set():
                    return
                why = self._fill(number, TURN if len(waiting) > 1 else None)
                retry = retry or bool(why)

    def _wait_for_quiet(self) -> None:
        """Wait until nothing changed for a while."""
        until = time.monotonic() + AT_MOST
        while True:
            self._woken.clear()
            if self._stopped.wait(QUIET) or not self._woken.is_set() or time.monotonic() > until:
                return

    def _wants_vectors(self, number: int) -> bool:
        meaning = self._meanings[number]
        generation, again = self._held.get(number, (-1, 0.0))
        return meaning.ready and (generation != meaning.generation or time.monotonic() >= again)

    def _fill(self, number: int, budget: float | None) -> str:
        """One home's turn. Why it could not go on, or nothing."""
        meaning = self._meanings[number]
        generation = meaning.generation
        shown: float | None = None
        said: dict[str, Any] = {}
        try:
            for said in self._iterate_lines(meaning, budget):
                if said["done"] < said["total"] and "made" not in said:
                    meaning.making = said["done"], said["total"]
                    if shown is None or time.monotonic() - shown > SHOWN:
                        shown = time.monotonic()
                        self._tell(meaning)
        except OSError as error:
            said = {"why": describe_os_error(error)}
        before, meaning.trouble = meaning.trouble, str(said.get("why", ""))
        meaning.making = None
        if self._stopped.is_set():
            return ""
        if said.get("made") or shown is not None or before != meaning.trouble:
            self._tell(meaning)
        why = meaning.trouble if "made" in said else meaning.trouble or "it ended too soon"
        if why or said["done"] == said["total"]:
            self._held[number] = generation, time.monotonic() + FILLER_AGAIN if why else math.inf
        else:
            # Its turn is over, and the next one follows.
            self._woken.set()
        return why

    def _iterate_lines(self, meaning: Meaning, budget: float | None) -> Iterator[dict[str, Any]]:
        """What the process says, line by line."""
        command = [sys.executable, "-m", "memtui.search.vector_jobs", "--attached"]
        command += [str(meaning.home.path), meaning.home.layout, meaning.where]
        with self._lock:
            if self._stopped.is_set():
                return
            child = self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            with suppress(OSError):
                wish = {"settings": meaning.settings._asdict(), "budget": budget}
                child.stdin.write(json.dumps(wish) + "\n")
                child.stdin.flush()
            for line in child.stdout:
                with suppress(ValueError):
                    yield json.loads(line)
        finally:
            with self._lock:
                self._child = None
            end_process(child)
            child.stdout.close()

    def _tell(self, meaning: Meaning) -> None:
        meaning.turns += 1
        self._announce()


NEWS = 0.5
"""Seconds between announcements while an index fills: rows appear as they come, without a repaint for each."""

AGAIN = 1.0
"""Seconds until another try where the index could not be written: another memtui is at it, most likely."""


class Live:
    """The watchers of several homes. `start` returns at once; `stop` waits for what is being written."""

    def __init__(self, shelves: Sequence[OpenHome], announce: Callable[[], None], config: Config) -> None:
        self._shelves = list(shelves)
        self._announce = announce
        self._told = 0.0
        self._filler = Filler([shelf.meaning for shelf in self._shelves], announce)
        self._watches = [
            Watch(
                shelf.home.path,
                partial(load_layout(shelf.home.layout).prune, shelf.home.path),
                partial(self._take_in, number),
                wanted=partial(resolve_file_role, load_layout(shelf.home.layout), shelf.home.path),
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
                enter=partial(_is_entered, partial(load_layout(shelf.home.layout).prune, shelf.home.path)),
                sound=partial(_is_watching, watch),
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

    def _begin(self, shelf: OpenHome) -> None:
        """The first rows of a home that was never indexed."""
        if shelf.begin():
            self._announce()

    def _take_in(self, number: int, paths: set[str] | None) -> None:
        shelf, watch = self._shelves[number], self._watches[number]
        between = watch.pass_on if paths is None else None
        held = number in self._looked
        if held:
            self._leases[number].begin(paths is None)
        changes = shelf.sync(None if paths is None else sorted(paths), self._note_progress, between)
        done = changes is not None and not (changes.suspect or changes.away or changes.many) and not shelf.building
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

    def _note_progress(self, home: Home, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told > NEWS:
            self._told = now
            self._announce()


def _is_entered(prune: Callable[[str], bool], path: str) -> bool:
    """Whether a look at the home goes into this directory."""
    return not is_never_entered(path.rpartition("/")[2]) and not prune(path) and path.count("/") < DEPTH


def _is_watching(watch: Watch) -> bool:
    return watch.state == "watching"
