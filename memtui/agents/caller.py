"""Who calls a tool, and what it may touch: the homes that are open for it, and the one that it writes to."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.agents import where
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.agents.where import Place
    from memtui.config import Config
    from memtui.edits import Draft
    from memtui.model import Home, Layer
    from memtui.sessions.session import Session
    from memtui.vault import Vault

PATIENCE = 10.0
"""Seconds that a tool waits for another writer: many agents may write at once, and nothing is lost."""


class Caller(NamedTuple):
    """Who calls, and where."""

    vault: Vault
    """Over the homes of the caller's project and user, or over those that the server was started with."""
    home: Home
    """Where notes go; memtui's own may not be there yet."""
    session: Session
    config: Config
    fresh: Callable[[], object]
    """Makes the indexes right with the disk: called before anything is looked for."""
    told: str = ""
    """Who said which project it is: see `where.Place`."""
    fixed: bool = False
    """The homes were named by whoever started this: nothing else is read or written."""

    @property
    def who(self) -> str:
        """As the undo journal names it."""
        return self.session.who

    @contextmanager
    def own(self) -> Iterator[tuple[Vault, Home]]:
        """The vault and the home that this session's summary goes to, made where it is missing.

        Raises RefusedError for a sub-agent, ReadOnlyError where it cannot be made.
        """
        from memtui.curation.destination import made
        from memtui.vault import Vault

        if self.session.sidechain:
            raise RefusedError(_("Sub-agents write no memories."))
        if self.home in self.vault.homes:
            yield self.vault, self.home
            return
        with Vault([made(self.home)], self.config) as mine:
            mine.current, mine.wait = False, PATIENCE
            yield mine, self.home

    @contextmanager
    def writing(self, layer: Layer, draft: Draft) -> Iterator[tuple[Vault, Home]]:
        """The vault and the home that such a memory goes to. Raises as `own`, and RefusedError where none takes it."""
        from memtui.curation.destination import takes
        from memtui.sessions.place import taking

        with self.own() as (vault, first):
            if not self.fixed:
                with taking(vault, first, layer, draft) as found:
                    yield found
                return
            fit = next((home for home in vault.homes if home.writable and takes(home, layer, draft)), None)
            if fit is None:
                raise RefusedError(_("No home that is open here takes such a memory."))
            yield vault, fit


def homes_of(place: Place, session: Session, config: Config, named: Sequence[str] = ()) -> list[Home]:
    """The homes for a call, the project's first. Raises UsageError for a name that is none."""
    from memtui.layouts.discovery import discover, homes_at
    from memtui.sessions.place import around

    if named:
        return list({home.path: home for path in named for home in homes_at(Path(path))}.values())
    homes = discover(around(session, config), map(Path, config.homes.paths), config.homes.exclude)
    if not place.key or place.key.casefold() in {session.project.casefold(), session.name.casefold()}:
        return homes
    return where.belonging(homes, place.key)


def identified(place: Place, config: Config, agent: str = "") -> Session:
    """Whose session it is, as far as anybody can tell (spec 000)."""
    from memtui.sessions import identity

    return identity.current(config, cwd=place.cwd, agent=agent)


def caller(
    vault: Vault, session: Session, place: Place, fresh: Callable[[], object], named: Sequence[str] = ()
) -> Caller:
    """A caller over homes that are open."""
    from memtui.layouts import Recording, layout
    from memtui.sessions.place import chosen

    vault.current, vault.wait = False, PATIENCE
    if place.key and place.told == "parameter":
        session = session._replace(project=place.key, name=place.key)
    if named:
        fit = (home for home in vault.homes if home.writable and isinstance(layout(home.layout), Recording))
        home = next(fit, vault.homes[0])
    else:
        home = chosen(vault.homes, session, vault.config)
    return Caller(vault, home, session, vault.config, fresh, place.told, bool(named))


@contextmanager
def opened(place: Place, config: Config, named: Sequence[str] = (), agent: str = "") -> Iterator[Caller]:
    """A caller for one call: `named` are homes that somebody chose; else those of its project and user."""
    from memtui.vault import Vault

    session = identified(place, config, agent)
    with Vault(homes_of(place, session, config, named), config) as vault:
        vault.settle()
        yield caller(vault, session, place, vault.freshen, named)
