"""The homes that a server has open, one vault a project, shared by all calls about it.

Homes come and go while a server runs: what there is is looked at again every few seconds, and a vault that is out of
date is closed when its last call is done.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.agents.caller import caller, homes_of, identified
from memtui.agents.where import Place, placed, within
from memtui.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.agents.caller import Caller
    from memtui.config import Config
    from memtui.model import Home
    from memtui.sessions.session import Session

MOST = 8
"""Projects that stay open."""
SOON = 2.0
"""Seconds for which it is taken that no home has come or gone, and the session is the same."""


class _Open:
    """One project's homes, open."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.users = 0
        self.over = False
        self.looked = 0.0
        self.session: Session | None = None
        self._lock = threading.Lock()
        self._begun = 0

    def fresh(self) -> None:
        """Have the index know what was on the disk when this was called: callers at the same time share one look."""
        before = self._begun
        with self._lock:
            if self._begun > before:
                return
            self._begun += 1
            self.vault.refresh()


class Projects:
    """All that are open. Any method may be called from any thread."""

    def __init__(
        self, config: Config, named: Sequence[str] = (), started: str = "", *, only_known: bool = False
    ) -> None:
        """`named`: the homes to serve, else those of each project; `started`: the project where nobody says.

        `only_known`: no directories but this project's and those that homes belong to, for clients out of sight.
        """
        self.config, self.named, self.started = config, tuple(named), started
        self.only_known = only_known
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[str, str, str], _Open] = OrderedDict()

    def place(self, project: str = "", cwd: str = "", roots: Iterable[str] = ()) -> Place:
        """Where a call belongs. Raises RefusedError for a directory that this server does not serve."""
        named = cwd or (project if os.path.isabs(project) else "")
        if self.only_known and named:
            own = placed(started=self.started)
            known = [home.project for home in self._homes(own, "")[1] if os.path.isabs(home.project)]
            within(named, [own.cwd, *known])
        return placed(project, cwd, started=self.started, roots=roots)

    @contextmanager
    def caller(self, place: Place, agent: str = "") -> Iterator[Caller]:
        """Who calls from this place. Raises UsageError for a project that no home knows."""
        entry, session = self._entered(place, agent)
        try:
            found = caller(entry.vault, session, place, entry.fresh, self.named)
            yield found
            if found.home not in entry.vault.homes and found.home.path.is_dir():
                # The call made it: the next one finds it.
                entry.looked = 0.0
        finally:
            self._left(entry)

    def close(self) -> None:
        """Close what nobody is using; calls that are still going on keep theirs."""
        with self._lock:
            entries = list(self._open.values())
            self._open.clear()
            for entry in entries:
                entry.over = True
        for entry in entries:
            if not entry.users:
                entry.vault.close()

    def _homes(self, place: Place, agent: str) -> tuple[Session, list[Home]]:
        session = identified(place, self.config, agent)
        return session, homes_of(place, session, self.config, self.named)

    def _entered(self, place: Place, agent: str) -> tuple[_Open, Session]:
        key = (str(place.cwd), place.key, agent)
        with self._lock:
            entry = self._open.get(key)
            if entry is not None and entry.session and time.monotonic() - entry.looked < SOON:
                self._open.move_to_end(key)
                entry.users += 1
                return entry, entry.session
        session, homes = self._homes(place, agent)
        with self._lock:
            entry = self._open.get(key)
            if entry is None or list(entry.vault.homes) != homes:
                if entry is not None:
                    self._over(entry)
                entry = self._open[key] = _Open(Vault(homes, self.config))
                entry.vault.settle()
            self._open.move_to_end(key)
            entry.session, entry.looked = session, time.monotonic()
            entry.users += 1
            while len(self._open) > MOST:
                self._over(self._open.popitem(last=False)[1])
            return entry, session

    def _left(self, entry: _Open) -> None:
        with self._lock:
            entry.users -= 1
            if entry.over and not entry.users:
                entry.vault.close()

    def _over(self, entry: _Open) -> None:
        entry.over = True
        if not entry.users:
            entry.vault.close()
