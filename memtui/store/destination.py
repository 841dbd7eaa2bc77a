"""Which home a new memory goes to where nobody says, and where a session's notes and its summary go.

A new memory goes to the current project's home, else to memtui's own, which is made when needed; a session's to
the project's, else to the agent's own, else to memtui's. Nothing is indexed here, because hooks wait for it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

from memtui.core import clock
from memtui.core.errors import ReadOnlyError, RefusedError
from memtui.core.locale import _
from memtui.core.model import Home, Layer
from memtui.core.startup import TYPE_CHECKING
from memtui.fs.places import make_private_directory
from memtui.layouts import Founding, Recording, load_all_layouts, load_facts, load_layout
from memtui.layouts.discovery import detect_surroundings, discover_homes, open_home_at
from memtui.layouts.roles import find_area

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from memtui.core.config import Config
    from memtui.core.edits import Draft
    from memtui.language.conversation import Session
    from memtui.layouts import Surroundings
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

    W = TypeVar("W", bound="Writing")


def find_own_home(env: Mapping[str, str] | None = None) -> Home:
    """memtui's own home, `$MEMTUI_HOME` or `~/.memtui`, whether or not it is there yet."""
    env = os.environ if env is None else env
    named = env.get("MEMTUI_HOME", "").strip()
    path = Path(named or "~/.memtui").expanduser()
    path = Path(os.path.realpath(path))
    reason = _("named by MEMTUI_HOME") if named else _("memtui's own home")
    return Home(path, "memtui", reason, path.name if named else "~/.memtui")


def choose_home(homes: Iterable[Home], layer: Layer, draft: Draft) -> Home:
    """The first home of the current project that takes such a memory; else memtui's own, which may not be there yet.

    For knowledge a home of the person's in which the draft's project has an area comes before one where it has none.
    """
    listed = list(homes)
    if layer is Layer.PROFILE:
        own = _find_profile_home(listed, draft)
        if own is not None:
            return own
    unmade = find_unmade_home(listed, layer)
    if unmade is not None:
        listed.append(unmade)
    mine = find_own_home()
    mine = next((home for home in listed if home.path == mine.path), mine)
    fit = [one for one in listed if one.path != mine.path and one.writable and can_take(one, layer, draft)]
    current = next((home for home in fit if home.current), None)
    if current is not None or layer is not Layer.KNOWLEDGE or find_area(mine, [draft.project]):
        return current or mine
    return next((home for home in fit if not home.project and find_area(home, [draft.project])), mine)


def find_unmade_home(homes: Iterable[Home], layer: Layer, around: Surroundings | None = None) -> Home | None:
    """The home that a tool at work here makes on its first use, where this project has none of it yet."""
    current = {home.layout for home in homes if home.current}
    for kind in load_all_layouts():
        if isinstance(kind, Founding) and kind.name not in current:
            found = kind.found_home(around or detect_surroundings(), layer)
            if found is not None:
                return found
    return None


def find_keyed_home(key: str) -> Home | None:
    """The home of a project that is known by nothing but its key (spec 001 §2.1); it may not be there yet."""
    for kind in load_all_layouts():
        if kind.facts.keyed_place:
            path = Path.home() / kind.facts.keyed_place.format(key=key)
            return Home(path.resolve(), kind.name, "the workspace of this project", key, key, True)
    return None


def _find_profile_home(homes: Iterable[Home], draft: Draft) -> Home | None:
    """Where L0 stands for a project of a tool that keeps it in the person's own directory (spec 000)."""
    given = list(homes)
    for current in (home for home in given if home.current):
        kind = load_layout(current.layout)
        own = kind.found_home(detect_surroundings(), Layer.PROFILE) if isinstance(kind, Founding) else None
        if own is not None:
            there = next((home for home in given if home.path == own.path), own)
            return there if can_take(there, Layer.PROFILE, draft) else None
    return None


def can_take(home: Home, layer: Layer, draft: Draft) -> bool:
    """Whether the home's layout has a place for it."""
    try:
        load_layout(home.layout).target(home, layer, draft, clock.now())
    except RefusedError:
        return False
    return True


def make_home(home: Home) -> Home:
    """The home with its directory, made for this user only where it is missing. Raises ReadOnlyError, RefusedError."""
    if not home.path.is_dir():
        try:
            make_private_directory(home.path)
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise ReadOnlyError(f"{home.path} cannot be made: {reason}") from error
    return home


def detect_session_surroundings(session: Session, config: Config) -> Surroundings:
    """What discovery looks at for a session: its own directory, not the one this process stands in."""
    known = [name for name in (config.project.key, *config.project.aliases, session.project) if name]
    cwd = Path(session.cwd) if session.cwd else None
    found = detect_surroundings(cwd if cwd is not None and cwd.is_dir() else None)
    return found._replace(keys=tuple(dict.fromkeys(known)))


@contextmanager
def open_session_vault(session: Session, config: Config) -> Iterator[tuple[Vault, Home]]:
    """The vault over the homes of a session, and the one its summary goes to, made where it is missing.

    Raises UsageError for a configured home that is not there, ReadOnlyError where none can be made.
    """
    from memtui.store.vault import Vault

    homes, home = _written(session, config)
    with Vault(homes, config) as vault:
        vault.current = False
        yield vault, home


@contextmanager
def open_session_writing(session: Session, config: Config) -> Iterator[tuple[Writing, Home]]:
    """The same where nothing is to be found, only written: what hooks wait for loads no index."""
    from memtui.store.writing import Writing

    homes, home = _written(session, config)
    with Writing(homes, config) as pen:
        yield pen, home


def find_session_homes(session: Session, config: Config) -> list[Home]:
    """The homes around a session."""
    return discover_homes(
        detect_session_surroundings(session, config), map(Path, config.homes.paths), config.homes.exclude
    )


def _written(session: Session, config: Config) -> tuple[list[Home], Home]:
    homes = find_session_homes(session, config)
    home = choose_summary_home(homes, session, config)
    if home not in homes:
        homes.append(make_home(home))
    return homes, home


def choose_summary_home(homes: Sequence[Home], session: Session, config: Config) -> Home:
    """Which home the summary goes to; memtui's own may not be there yet."""
    if config.agents.home:
        named = open_home_at(Path(config.agents.home))
        return next((home for home in homes if home.path == named.path), named)
    mine = find_own_home()
    fit = [home for home in homes if home.writable and _can_record(home)]
    current = [home for home in fit if home.current and home.path != mine.path]
    if not current:
        unmade = find_unmade_home(homes, Layer.SESSION, detect_session_surroundings(session, config))
        current = [unmade] if unmade is not None else []
    agents = [home for home in fit if session.agent and load_facts(home).learner == session.agent]
    own = next((home for home in homes if home.path == mine.path), None)
    # Spec 000: where no project's base is, the person's own directory keeps them.
    persons = [home for home in fit if not home.project and load_facts(home).user_skeleton is not None]
    return next(iter([*current, *agents, *([own] if own else persons)]), mine)


def _can_record(home: Home) -> bool:
    """Whether the home has a place for the summaries of sessions."""
    layout = load_layout(home.layout)
    try:
        return isinstance(layout, Recording) and bool(layout.session(home, "x", clock.now()))
    except RefusedError:
        return False


@contextmanager
def open_taking_home(
    vault: W, first: Home, layer: Layer, draft: Draft, *, now: float | None = None
) -> Iterator[tuple[W, Home]]:
    """The home that such a memory goes to: the session's if it takes it, another of the project, else memtui's own."""
    if first.writable and can_take(first, layer, draft):
        yield vault, first
        return
    home = choose_home(vault.homes, layer, draft)
    if home in vault.homes:
        yield vault, home
        return
    with vault.over(make_home(home)) as mine:
        yield mine, home
