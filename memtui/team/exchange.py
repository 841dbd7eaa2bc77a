"""Push and pull together: once, or for as long as somebody watches.

A watch sends what is saved as soon as the system tells of it, and takes in what others send as soon as the server
does; both are hints. Every `BEAT` seconds it looks at both sides whatever it was told. A server that is away is no
error: the mirror stays, status says since when, and the next answer makes it right.

Threads: one a membership (`watch`), which alone uses its connection, the watcher's of each shared home, which only
rings a bell, and in the app's own process one that judges ahead, which sends nothing and ends with it.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import threading
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.config import load
from memtui.core.errors import LockedError, MemtuiError, RefusedError, UnavailableError
from memtui.fs.locks import hold_lock
from memtui.index.watch import UnwatchableError, listen
from memtui.layouts import load_layout
from memtui.layouts.discovery import detect_surroundings, discover_homes
from memtui.team.chunks import send_chunks, send_meaning
from memtui.team.membership import (
    connect_member,
    fill_address,
    find_exchange_lock,
    load_cursor,
    load_driver,
    load_memberships,
    save_cursor,
    stamp_memberships,
    translate_server_errors,
)
from memtui.team.offers import take_offers
from memtui.team.pull import Pulled, pull
from memtui.team.push import Pushed, Pusher
from memtui.team.tables import SEARCH_SINCE, can_search_meaning, require_version

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from memtui.core.config import Config
    from memtui.team.membership import Membership
    from memtui.team.sharing import Progress

BEAT = 30.0
"""Seconds after which a watch looks at both sides though nothing was told."""
_AGAIN = (0.5, 1.0, 2.0, 3.0)
"""Seconds until a server that is away is asked again, each time: all is right ten seconds after it is back."""
_QUIET, _PATIENCE = 5.0, 5.0
"""Seconds after which a connection may have died without a word, and those that it has to say that it did not."""
_SOON = 0.005
"""Seconds that a burst of saves is collected for."""
_LATER = 20.0
"""Seconds until what nobody shares yet is judged ahead: whoever opened the app has the machine first."""
_LONG = 1.0
"""Seconds after which it is looked who joined, left or shares something else."""
_SHARE, _RAREST = 400, 600.0
"""A look at every file that is shared comes after so many times what it cost, at the latest after so many seconds,
where the system tells of what is saved: a large home costs no more at rest than a small one."""


class Exchanged(NamedTuple):
    """What one exchange with one team did."""

    team: str
    pushed: Pushed = Pushed()
    pulled: Pulled = Pulled()
    offered: int = 0
    """Changes that colleagues ask for, new in Review."""
    error: str = ""
    """Why it did not come about, for a person; empty: it did."""
    refused: bool = False
    """The server was there, and said no."""


class Exchange:
    """One membership's exchanges over one connection, which is made again when it is lost."""

    def __init__(self, member: Membership, config: Config, progress: Progress | None = None) -> None:
        self.member, self._index, self._config = member, config.index.place, config
        self._most = config.team.copy_mb << 20
        self._pusher = Pusher(member, config, progress)
        self._link: Any = None
        self._version = 0
        self._meaning = False
        """The server searches by meaning."""
        self._told = threading.Event()
        """The server said that something is new."""
        self._rope: socket.socket | None = None
        """Rings the bell of a watch."""
        self._answered = 0.0
        """When the server last was known to answer."""

    def ring(self) -> None:
        """Wake a watch, which then looks whether to stop."""
        with suppress(OSError, AttributeError):
            # A pipe that is full rings already.
            self._rope.send(b".")  # type: ignore[union-attr]

    def close(self) -> None:
        """Let go of the connection; what was worked out is kept."""
        self._pusher.close()
        link, self._link = self._link, None
        if link is not None:
            with suppress(Exception):
                link.close()

    def open(self) -> Any:
        """The connection, with what it says heard of. Raises UnavailableError, RefusedError."""
        if self._link is not None and not self._link.closed:
            if time.monotonic() - self._answered > _QUIET:
                self._knock()
        else:
            link = connect_member(self.member)
            # What others send while something else is asked is heard, too; what this side sent is no news.
            link.add_notify_handler(lambda note: self._hear(note.pid, link.info.backend_pid))
            try:
                self._version = require_version(link)
                with translate_server_errors():
                    link.execute("LISTEN memtui")
                    mine = [self.member.team, self.member.who, self.member.machine]
                    row = "WHERE team = %s AND owner = %s AND machine = %s"
                    link.execute(f"UPDATE memtui.machine SET seen = now() {row}", mine)
                    if self._version >= SEARCH_SINCE:
                        # Whoever shares a larger home sends its words.
                        copies = f"UPDATE memtui.machine SET copies = nullif(%s, 0) {row}"
                        link.execute(copies, [self._most, *mine])
                    self._meaning = can_search_meaning(link, self._version)
            except BaseException:
                link.close()
                raise
            self._link = link
        self._answered = time.monotonic()
        return self._link

    def _knock(self) -> None:
        """See whether anybody is there. Raises UnavailableError: a question would wait for as long as nobody is."""
        server, until = self._link.pgconn, time.monotonic() + _PATIENCE
        with translate_server_errors(fill_address(self.member.dsn)), selectors.DefaultSelector() as answered:
            answered.register(self._link, selectors.EVENT_READ)
            server.send_query(b"")
            server.flush()
            while server.is_busy():
                if not answered.select(max(0.0, until - time.monotonic())):
                    raise load_driver().OperationalError("timeout expired")
                server.consume_input()
            while server.get_result() is not None:
                pass
        self._take_notes()

    def run(self, *, push: bool = True, fetch: bool = True, saved: Collection[str] | None = None) -> Exchanged:
        """Both directions, once. A server that is away, or says no, stands in the answer. Raises LockedError.

        `saved`: as `Pusher.push` takes it.
        """
        with hold_lock(find_exchange_lock(self.member), 30.0):
            try:
                link = self.open()
                # What others sent comes first: it is what somebody waits for.
                most = self._most if self._version >= SEARCH_SINCE else 0
                pulled = Pulled()
                if fetch:
                    start = self._config.context.team
                    pulled = pull(link, self.member, self._index, most, meaning=self._meaning, start=start)
                offered = take_offers(link, self.member, self._version) if fetch else 0
                pushed = self._pusher.push(link, saved) if push else Pushed()
                if self._version >= SEARCH_SINCE and (pushed.sent or (push and saved is None)):
                    with translate_server_errors():
                        send_chunks(link, self.member)
                        if self._meaning:
                            send_meaning(link, self.member, self._config)
                if pushed.sent and not fetch:
                    # What was saved may be what a colleague asked for: they hear of it with the text.
                    offered = take_offers(link, self.member, self._version)
            except (UnavailableError, RefusedError) as error:
                self.close()
                cursor = load_cursor(self.member)
                with suppress(MemtuiError):
                    save_cursor(self.member, cursor._replace(error=str(error), tried=time.time()))
                return Exchanged(self.member.team, error=str(error), refused=isinstance(error, RefusedError))
            except BaseException:
                self.close()
                raise
        return Exchanged(self.member.team, pushed, pulled, offered)

    def watch(self, stop: threading.Event, told: Callable[[Exchanged], None]) -> None:
        """Exchange until `stop` is set. What came of each exchange that did something is `told`."""
        heard: SimpleQueue[str] = SimpleQueue()
        tries, last, looked, pause = 0, 0.0, 0.0, BEAT
        push = fetch = True
        with ExitStack() as listening:
            bell, rope = map(listening.enter_context, socket.socketpair())
            bell.setblocking(False)
            rope.setblocking(False)
            self._rope = rope

            told_of = self._listen(listening, heard)
            saved: set[str] | None = None
            while not stop.is_set():
                if push and saved is not None:
                    while not heard.empty():
                        saved.add(heard.get())
                if fetch:
                    self._told.clear()
                spent = time.thread_time()
                try:
                    done = self.run(push=push, fetch=fetch, saved=saved)
                except LockedError:
                    continue
                if done.error:
                    told(done)
                    # A server that says no says so again, and is there: nobody waits for it.
                    stop.wait(BEAT if done.refused else _AGAIN[min(tries, len(_AGAIN) - 1)])
                    tries += 1
                    push = fetch = True
                    saved = None
                    continue
                tries = 0
                if fetch:
                    last = time.monotonic()
                elif done.pushed.sent:
                    # A change that a colleague asked for is written before it is noted that it was approved.
                    last = min(last, time.monotonic() - BEAT + _LONG)
                if push and saved is None:
                    looked, spent = time.monotonic(), time.thread_time() - spent
                    pause = max(BEAT, min(spent * _SHARE, _RAREST)) if told_of else BEAT
                if any((*done.pushed[:2], *done.pulled[:2], done.offered)):
                    told(done)
                push = fetch = False
                saved = set()
                while not (push or fetch or stop.is_set()):
                    # What was heard while something else was asked is not waited for once more.
                    seconds = 0.0 if self._told.is_set() else last + BEAT - time.monotonic()
                    push = self._wait(bell, max(0.0, seconds))
                    fetch = self._told.is_set()
                    fetch = fetch or time.monotonic() - last >= BEAT
                    if self._link is None or time.monotonic() - looked >= pause:
                        push = fetch = True
                        saved = None
        self.close()

    def _listen(self, listening: ExitStack, heard: SimpleQueue[str]) -> bool:
        """Hear of what is saved in the homes that are shared; whether all of it is told of."""

        def hear(path: str | None, folder: bool = True) -> None:
            heard.put("" if folder or path is None else path)
            self.ring()

        whole = True
        for share in self.member.shares:
            try:
                prune = partial(load_layout(share.layout).prune, Path(share.home))
                listening.callback(listen(share.home, prune, hear).close)
            except UnwatchableError:
                whole = False
        return whole

    def _take_notes(self) -> None:
        server = self._link.pgconn
        while (note := server.notifies()) is not None:
            self._hear(note.be_pid, server.backend_pid)

    def _hear(self, sender: int, own: int) -> None:
        if sender != own:
            self._told.set()

    def _wait(self, bell: socket.socket, seconds: float) -> bool:
        """Wait until either side is heard of, and whether it was this one. Without a connection: it was lost."""
        driver = load_driver()
        try:
            with selectors.DefaultSelector() as both:
                both.register(bell, selectors.EVENT_READ)
                both.register(self._link, selectors.EVENT_READ)
                ready = [key.fileobj for key, _events in both.select(seconds)]
            if self._link in ready:
                self._link.pgconn.consume_input()
                self._take_notes()
        except (driver.Error, OSError, ValueError):
            self.close()
            return False
        if bell not in ready:
            return False
        # The rest of a burst comes along.
        time.sleep(_SOON)
        with suppress(BlockingIOError):
            while bell.recv(4096):
                pass
        return True


def run_all(config: Config, team: str = "") -> list[Exchanged]:
    """One exchange with each team that this machine is in, or with one."""
    found = []
    for member in load_memberships():
        if team in {"", member.team}:
            exchange = Exchange(member, config)
            try:
                found.append(exchange.run())
            finally:
                exchange.close()
    return found


def watch_all(config: Config, stop: threading.Event, told: Callable[[Exchanged], None], team: str = "") -> None:
    """Exchange with each team in a thread of its own until `stop` is set, as what this machine shares changes."""
    running: dict[str, tuple[Membership, threading.Event, threading.Thread, Exchange]] = {}
    chosen: dict[str, Membership] = {}
    seen, looked = -1, 0.0
    while not stop.is_set():
        # Who joins, leaves, shares or unshares meanwhile, in another terminal, is followed: each is a file renamed.
        stamp = stamp_memberships()
        if stamp != seen or time.monotonic() - looked > BEAT:
            seen, looked = stamp, time.monotonic()
            chosen = {member.team: member for member in load_memberships() if team in {"", member.team}}
        for name, (member, end, thread, exchange) in list(running.items()):
            if chosen.get(name) != member:
                end.set()
                exchange.ring()
                thread.join()
                del running[name]
        for name, member in chosen.items():
            if name not in running:
                end, exchange = threading.Event(), Exchange(member, config)
                work = threading.Thread(target=exchange.watch, args=(end, told), name=f"memtui-{name}")
                running[name] = member, end, work, exchange
                work.start()
        if not any(thread.is_alive() for _member, _end, thread, _exchange in running.values()):
            break
        stop.wait(_LONG)
    for _member, end, _thread, exchange in running.values():
        end.set()
        exchange.ring()
    for _member, _end, thread, _exchange in running.values():
        thread.join()


def judge_ahead(config: Config, stop: threading.Event) -> None:
    """Judge what could be shared before anybody asks for it, when little else goes on: on a thread of its own."""
    if stop.wait(_LATER):
        return
    with suppress(AttributeError, OSError):
        # On Linux a thread has a priority of its own.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 15)
    found = discover_homes(detect_surroundings(), map(Path, config.homes.paths), config.homes.exclude)
    homes = [home for home in found if home.origin is None and not home.layout.startswith("file:")]
    for member in load_memberships():
        Pusher(member, config).judge_ahead(homes, stop)


def main() -> int:
    """What the app runs beside itself: exchange until stdin is closed, whoever had it open."""
    stop, config = threading.Event(), load()[0]
    work = threading.Thread(target=watch_all, args=(config, stop, lambda _done: None))
    work.start()
    threading.Thread(target=judge_ahead, args=(config, stop), name="memtui-ahead", daemon=True).start()
    with suppress(OSError, ValueError):
        sys.stdin.read()
    stop.set()
    work.join()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
