"""The homes that are open, and who gets which of them.

- `OpenProjects`: one vault a project, shared by all calls about it. What there is is looked at again every few
  seconds; an outdated vault is closed when its last call is done.
- `Visitor`: the person by their token, the client by the name that it gives itself. Both stand in `who` and `source`.
- `find_visitor_homes`: those of the project that is named, as far as the token allows. Where there are several projects
  and none is named, the call is refused, with their names: nobody's notes end up among another's.
- A project that is not known here is made where the server was started with a pattern for it (`--new-project`).
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from memtui.agents.caller import (
    check_within,
    find_call_homes,
    identify_caller,
    list_project_names,
    load_work,
    make_caller,
    place_call,
    sort_by_project,
)
from memtui.core import clock
from memtui.core.errors import RefusedError, UsageError
from memtui.core.locale import _
from memtui.language.conversation import Session
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.agents.caller import Caller, CallPlace
    from memtui.agents.mcp.tokens import AccessToken
    from memtui.core.config import Config
    from memtui.core.model import Home

TOKEN = "memtui.token"
"""Under which name a request's scope holds the token that let it in."""
SHOWN = 12
"""Projects that a refusal names."""


class Visitor(NamedTuple):
    """Who calls."""

    token: AccessToken
    client: str
    """claude-code, codex, …, or what the client calls itself, fit for a file's name; empty: it does not say."""
    session: str = ""
    """What tells its conversations apart: the protocol's id, or the agent's own; empty: nothing does."""

    @property
    def agent(self) -> str:
        """As `who` names it: 'claude-code@ann', which is no agent of this machine."""
        return "@".join(filter(None, (self.client or "client", self.token.name)))

    def make_session(self, project: str, name: str, cwd: str) -> Session:
        """The visitor's session: by its own id, else one a client and day."""
        if not self.session:
            own = "-".join(
                filter(None, (self.token.name, self.client or "client", clock.format_day(clock.now())))
            )
        else:
            own = self.session
        return Session(own.replace("@", "-")[:128], self.agent, cwd, project, name)


def fit_visitor_name(text: str) -> str:
    """What a client calls itself, or its session, as a part of a file's name."""
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in text)[:40].strip("-")


def identify_visitor_place(place: CallPlace, config: Config) -> Session:
    """The project that this server stands in, as a session of nobody's: what homes are looked for by."""
    work = load_work()
    return Session(
        "",
        "",
        str(place.cwd),
        work.derive_project_key(place.cwd, config),
        work.name_project(place.cwd, config),
    )


class VisitorHomes(NamedTuple):
    """What a visitor gets."""

    homes: list[Home]
    key: str
    """The project's; empty: of none in particular."""
    unmade: Home | None = None
    """The project's home, where the first write makes it."""


def find_visitor_homes(
    token: AccessToken,
    place: CallPlace,
    session: Session,
    config: Config,
    named: Sequence[str],
    new: Sequence[str],
) -> VisitorHomes:
    """The homes for a call, the project's first. Raises UsageError for a project that nobody knows, or where none is
    named and there are several; RefusedError for one that the token is not for.
    """
    every = find_call_homes(place._replace(key=""), session, config, named)
    homes = [home for home in every if token.allows(list_project_names(home))] if token.projects else every
    if named and not homes:
        raise RefusedError(_("This token is for none of the projects that are served here."))
    key = place.key
    if not key and place.told not in {"--project", "environment", "parameter"}:
        key = _choose_only_project(token, homes)
    if not key:
        return VisitorHomes(homes, "")
    among = [home for home in homes if home.project or not named]
    if named and not among:
        # Homes that belong to no project were named for whatever is asked.
        return VisitorHomes(homes, key)
    try:
        return VisitorHomes(sort_by_project(among, key), key)
    except UsageError:
        fit = any(fnmatchcase(key.casefold(), one.casefold()) for one in new)
        if fit and not named and token.allows([key]):
            unmade = load_work().find_keyed_home(key)
            if unmade is not None:
                return VisitorHomes([home._replace(current=False) for home in homes], key, unmade)
        if not token.allows([key]):
            told = _("This token is not for the project '{key}', but for {projects}.")
            raise RefusedError(told.format(key=key, projects=", ".join(token.projects[:SHOWN]))) from None
        raise


def _choose_only_project(token: AccessToken, homes: Sequence[Home]) -> str:
    """The one project that can be meant; empty: there are none. Raises UsageError where there are several."""
    known = sorted({_call_project(home) for home in homes if home.project})
    if not known and token.projects:
        known = [one for one in token.projects if not set(one) & set("*?[")]
    if len(known) > 1:
        told = _(
            "Which project is it about? There are {projects}: say so with `project`, its key or git origin."
        )
        shown = ", ".join(known[:SHOWN]) + (", …" if len(known) > SHOWN else "")
        raise UsageError(told.format(projects=shown))
    if not known and token.projects:
        raise UsageError(_("Which project is it about? Say so with `project`, its key or git origin."))
    return known[0] if known and token.projects else ""


def _call_project(home: Home) -> str:
    """What a home's project is called: its key, where it has one."""
    return home.label if "/" in home.project or "\\" in home.project else home.project


MOST = 8
"""Projects that stay open, of each kind of visitor."""
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
        self.unmade: Home | None = None
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


class OpenProjects:
    """All that are open. Any method may be called from any thread."""

    def __init__(
        self,
        config: Config,
        named: Sequence[str] = (),
        started: str = "",
        *,
        only_known: bool = False,
        new: Sequence[str] = (),
    ) -> None:
        """`named`: the homes to serve, else those of each project; `started`: the project where nobody says.

        `only_known`: no directories but this project's and those that homes belong to, for clients out of sight.
        `new`: patterns of projects that a visitor's first note makes.
        """
        self.config, self.named, self.started = config, tuple(named), started
        self.only_known, self.new = only_known, tuple(new)
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[object, ...], _Open] = OrderedDict()

    def place(self, project: str = "", cwd: str = "", roots: Iterable[str] = ()) -> CallPlace:
        """Where a call belongs. Raises RefusedError for a directory that this server does not serve."""
        named = cwd or (project if os.path.isabs(project) else "")
        if self.only_known and named:
            own = place_call(started=self.started)
            known = [home.project for home in self._homes(own, "")[1] if os.path.isabs(home.project)]
            check_within(named, [own.cwd, *known])
        return place_call(project, cwd, started=self.started, roots=roots)

    @contextmanager
    def caller(self, place: CallPlace, agent: str = "", visitor: Visitor | None = None) -> Iterator[Caller]:
        """Who calls from this place; `visitor`: over the wire. Raises UsageError for a project that no home knows."""
        entry, session = self._entered(place, agent, visitor)
        try:
            found = make_caller(entry.vault, session, place, entry.fresh, self.named)
            if entry.unmade is not None:
                found = found._replace(home=entry.unmade)
            if visitor is not None and visitor.token.projects:
                # Nothing falls back on a home that the token is not for.
                found = found._replace(fixed=True)
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

    def _homes(self, place: CallPlace, agent: str) -> tuple[Session, list[Home]]:
        session = identify_caller(place, self.config, agent)
        return session, find_call_homes(place, session, self.config, self.named)

    def _look(
        self, place: CallPlace, agent: str, visitor: Visitor | None
    ) -> tuple[Session, list[Home], Home | None]:
        if visitor is None:
            return (*self._homes(place, agent), None)
        own = identify_visitor_place(place, self.config)
        found = find_visitor_homes(visitor.token, place, own, self.config, self.named, self.new)
        if found.key:
            own = own._replace(project=found.key, name=found.key, cwd="")
        return own, found.homes, found.unmade

    def _entered(self, place: CallPlace, agent: str, visitor: Visitor | None) -> tuple[_Open, Session]:
        whose = agent if visitor is None else visitor.token.projects
        key = (str(place.cwd), place.key, place.told, whose)

        def dressed(session: Session) -> Session:
            return (
                session
                if visitor is None
                else visitor.make_session(session.project, session.name, session.cwd)
            )

        with self._lock:
            entry = self._open.get(key)
            if entry is not None and entry.session and time.monotonic() - entry.looked < SOON:
                self._open.move_to_end(key)
                entry.users += 1
                return entry, dressed(entry.session)
        session, homes, unmade = self._look(place, agent, visitor)
        with self._lock:
            entry = self._open.get(key)
            if entry is None or list(entry.vault.homes) != homes:
                if entry is not None:
                    self._over(entry)
                entry = self._open[key] = _Open(Vault(homes, self.config))
                entry.vault.settle()
            self._open.move_to_end(key)
            entry.session, entry.unmade, entry.looked = session, unmade, time.monotonic()
            entry.users += 1
            while len(self._open) > MOST:
                self._over(self._open.popitem(last=False)[1])
            return entry, dressed(session)

    def _left(self, entry: _Open) -> None:
        with self._lock:
            entry.users -= 1
            if entry.over and not entry.users:
                entry.vault.close()

    def _over(self, entry: _Open) -> None:
        entry.over = True
        if not entry.users:
            entry.vault.close()
