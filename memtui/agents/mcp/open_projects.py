"""The homes that are open, and who gets which of them.

- `OpenProjects`: one vault a project, shared by all calls about it. What there is is looked at again every few
  seconds; an outdated vault is closed when its last call is done.
- `Visitor`: the person by their token, the client by the name that it gives itself. Both stand in `who` and `source`.
- `find_visitor_homes`: those of the project that is named, as far as the token allows. Where there are several projects
  and none is named, the call is refused, with their names: nobody's notes end up among another's.
- A project that is not known here is made where the server was started with a pattern for it (`--new-project`).

Tokens of `memtui mcp --http`, one a person or a machine (spec 001 §9): who calls, and what they may.

A token is shown once, when it is made; what is kept is its SHA-256 (256 random bits need no salt), below the state
directory, for this user only. Revoking takes effect with the next request of a server that runs: it looks at the file
each time. A read-only token calls no tool that writes; one for some projects sees no home of any other, nor of none.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import threading
import time
from collections import OrderedDict
from contextlib import contextmanager
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

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
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, read_private_file, replace_private_file, state
from memtui.language.conversation import Session
from memtui.store.vault import Vault
from memtui.team import attach_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from memtui.agents.caller import Caller, CallPlace
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
            own = "-".join(filter(None, (self.token.name, self.client or "client", clock.format_day(clock.now()))))
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
        "", "", str(place.cwd), work.derive_project_key(place.cwd, config), work.name_project(place.cwd, config)
    )


class VisitorHomes(NamedTuple):
    """What a visitor gets."""

    homes: list[Home]
    key: str
    """The project's; empty: of none in particular."""
    unmade: Home | None = None
    """The project's home, where the first write makes it."""


def find_visitor_homes(
    token: AccessToken, place: CallPlace, session: Session, config: Config, named: Sequence[str], new: Sequence[str]
) -> VisitorHomes:
    """The homes for a call, the project's first. Raises UsageError for a project that nobody knows, or where none is
    named and there are several; RefusedError for one that the token is not for.
    """
    every = find_call_homes(place._replace(key=""), session, config, named, every=True)
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
        told = _("Which project is it about? There are {projects}: say so with `project`, its key or git origin.")
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
            known = [home.project for home in self._find_homes(own, "")[1] if os.path.isabs(home.project)]
            check_within(named, [own.cwd, *known])
        return place_call(project, cwd, started=self.started, roots=roots)

    @contextmanager
    def caller(self, place: CallPlace, agent: str = "", visitor: Visitor | None = None) -> Iterator[Caller]:
        """Who calls from this place; `visitor`: over the wire. Raises UsageError for a project that no home knows."""
        entry, session = self._enter(place, agent, visitor)
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
            self._leave(entry)

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

    def _find_homes(self, place: CallPlace, agent: str) -> tuple[Session, list[Home]]:
        session = identify_caller(place, self.config, agent)
        return session, find_call_homes(place, session, self.config, self.named)

    def _look(self, place: CallPlace, agent: str, visitor: Visitor | None) -> tuple[Session, list[Home], Home | None]:
        if visitor is None:
            return (*self._find_homes(place, agent), None)
        own = identify_visitor_place(place, self.config)
        found = find_visitor_homes(visitor.token, place, own, self.config, self.named, self.new)
        if found.key:
            own = own._replace(project=found.key, name=found.key, cwd="")
        return own, found.homes, found.unmade

    def _enter(self, place: CallPlace, agent: str, visitor: Visitor | None) -> tuple[_Open, Session]:
        whose = agent if visitor is None else visitor.token.projects
        key = (str(place.cwd), place.key, place.told, whose)

        def dressed(session: Session) -> Session:
            return session if visitor is None else visitor.make_session(session.project, session.name, session.cwd)

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
                    self._end(entry)
                entry = self._open[key] = _Open(Vault(homes, self.config))
                entry.vault.settle()
                if visitor is None and not self.named:
                    attach_servers(entry.vault)
            self._open.move_to_end(key)
            entry.session, entry.unmade, entry.looked = session, unmade, time.monotonic()
            entry.users += 1
            while len(self._open) > MOST:
                self._end(self._open.popitem(last=False)[1])
            return entry, dressed(session)

    def _leave(self, entry: _Open) -> None:
        with self._lock:
            entry.users -= 1
            if entry.over and not entry.users:
                entry.vault.close()

    def _end(self, entry: _Open) -> None:
        entry.over = True
        if not entry.users:
            entry.vault.close()


LARGEST = 4 * 1024 * 1024
"""Bytes of the file: some ten thousand tokens."""
_NAME = compile_pattern(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class AccessToken(NamedTuple):
    """Whose a token is, and what it is good for."""

    name: str
    """The person's or the machine's, as it stands in what they write; empty: the server's own token, of nobody."""
    digest: str = ""
    read_only: bool = False
    projects: tuple[str, ...] = ()
    """Patterns of the keys or names of projects, like `github.com_acme_*`; none: every project, and what is of none."""
    made: float = 0.0
    revoked: float = 0.0
    """Seconds since the epoch; 0: it is good."""

    def allows(self, names: Iterable[str]) -> bool:
        """Whether it is for a project that is called by one of these names."""
        if not self.projects:
            return True
        return any(fnmatchcase(name.casefold(), one.casefold()) for name in names for one in self.projects)


def locate_tokens() -> Path:
    """The file; not made here."""
    return state() / "mcp" / "tokens.json"


def list_tokens() -> list[AccessToken]:
    """All tokens, revoked ones too, in the order in which they were made. Raises UnavailableError, RefusedError."""
    place = locate_tokens()
    try:
        said = json.loads(read_private_file(place, LARGEST))
        return [_read_entry(one) for one in said["tokens"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
    except (ValueError, TypeError, KeyError, RecursionError):
        reason = _("it holds no list of tokens")
    raise UnavailableError(_("{path} cannot be read: {reason}.").format(path=place, reason=reason))


def _read_entry(said: dict[str, Any]) -> AccessToken:
    """One token of the file; what a newer version adds is passed over."""
    known = {name: said[name] for name in AccessToken._fields if name in said}
    return AccessToken(**{**known, "projects": tuple(said["projects"])})


def make_token(name: str, *, read_only: bool = False, projects: Iterable[str] = ()) -> str:
    """Make a token, and answer it, once. Raises UsageError for a name that is none or has one; UnavailableError."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            _("{name!r} is no name for a token: letters, digits, dots, dashes and @, like ann@laptop.").format(
                name=name[:80]
            )
        )
    wanted = tuple(dict.fromkeys(one.strip() for one in projects if one.strip()))
    made = f"mt_{secrets.token_urlsafe(32)}"
    digest = sha256(made.encode()).hexdigest()

    def add(found: list[AccessToken]) -> list[AccessToken]:
        if any(one.name.casefold() == name.casefold() and not one.revoked for one in found):
            told = _("{name} has a token: `memtui mcp tokens revoke {name}` first, or choose another name.")
            raise UsageError(told.format(name=name))
        return [*found, AccessToken(name, digest, read_only, wanted, clock.now())]

    _change(add)
    return made


def revoke_token(name: str) -> None:
    """Have the token of that name open nothing any more. Raises UsageError where there is none, UnavailableError."""

    def mark(found: list[AccessToken]) -> list[AccessToken]:
        mine = [one for one in found if one.name.casefold() == name.casefold() and not one.revoked]
        if not mine:
            raise UsageError(_("There is no token of {name} that opens anything.").format(name=name[:80]))
        now = clock.now()
        return [one._replace(revoked=now) if one in mine else one for one in found]

    _change(mark)


def _change(change: Callable[[list[AccessToken]], list[AccessToken]]) -> None:
    place = locate_tokens()
    try:
        make_private_directory(place.parent)
        with hold_lock(place.with_suffix(".lock")):
            told = {"tokens": [one._asdict() for one in change(list_tokens())]}
            replace_private_file(place, json.dumps(told, indent=1).encode() + b"\n")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UnavailableError(_("{path} cannot be written: {reason}.").format(path=place, reason=reason)) from None


class TokenBook:
    """The tokens as a running server knows them: read again when their file changed."""

    def __init__(self, shared: str = "") -> None:
        """`shared`: a token of nobody in particular, that of `--token-file`; empty: there is none."""
        self._shared = AccessToken("", sha256(shared.encode()).hexdigest()) if shared else None
        self._stamp: tuple[int, ...] = ()
        self._good: list[AccessToken] = []

    def find(self, shown: str) -> AccessToken | None:
        """Whose this is; None: nobody's, or it is revoked. Every token is compared, each in constant time."""
        digest = sha256(shown.encode("latin-1", "replace")).hexdigest()
        found = None
        for one in ([self._shared] if self._shared else []) + self._read():
            if hmac.compare_digest(digest, one.digest):
                found = one
        return found

    def _read(self) -> list[AccessToken]:
        try:
            status = os.stat(locate_tokens())
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            self._stamp, self._good = (), []
            return []
        if stamp != self._stamp:
            try:
                self._good = [one for one in list_tokens() if not one.revoked]
            except (UnavailableError, RefusedError):
                # What nobody can read opens nothing.
                self._good = []
            self._stamp = stamp
        return self._good
