"""The rules of the project that a file belongs to (spec 002), and the switches for what a session is given.

The rules of the project that a file belongs to, and of its groups (spec 002, rules-injector and schema-injector).

Asked by hooks before a file is read: no index and no vault, only the few files themselves.

Whether a session is given anything: switched off everywhere, for a project, or for one session only.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.startup import sha256
from memtui.fs.places import private, state
from memtui.layouts import layout
from memtui.layouts.home_config import own_config
from memtui.sessions.packing import folded
from memtui.store.passage import Passage, passage, patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.sessions.packing import Item


class Opened(Protocol):
    """Whatever has homes: a vault."""

    @property
    def homes(self) -> tuple[Home, ...]:
        """Those that are open."""


LAYOUTS = ("code_memory", "memtui")
"""Those that keep rules by project below areas/."""

_PROJECTS = "areas/projects"
_SCHEMA = f"{_PROJECTS}/shared-db/schema-index.md"


def homes(session: Session, config: Config) -> list[Home]:
    """The homes that keep rules by project, found without looking for any others."""
    from memtui.layouts.discovery import at
    from memtui.store.destination import around

    found: dict[Path, Home] = {}
    where = around(session, config)
    for name in LAYOUTS:
        for home in layout(name).find(where):
            found.setdefault(home.path, home)
    for named in config.homes.paths:
        path = Path(named).expanduser()
        if os.path.isdir(path / _PROJECTS):
            home = at(path)
            found.setdefault(home.path, home)
    without = {name.replace("_", "-") for name in config.homes.exclude}
    without |= {os.path.expanduser(name) for name in config.homes.exclude if "/" in name}
    return [home for home in found.values() if not {home.layout, str(home.path)} & without]


def rules_for(
    among: Opened | Iterable[Home], file: str, session: Session, config: Config
) -> tuple[Item, ...]:
    """The rules of the project that the file belongs to, then those of its groups; none where it belongs to none.

    Those that a person approved come first, each by itself."""
    from memtui.sessions.packing import items
    from memtui.store.passage import split_rules

    rules, rest = split_rules(offered(among, file, session, config), patterns(config))
    return items([*rules, *rest], config)


def schema_for(among: Opened | Iterable[Home], session: Session, config: Config) -> tuple[Item, ...]:
    """The index of the shared database's tables, where a home has one."""
    from memtui.sessions.packing import items

    reason = _("which tables the shared database has")
    now, hidden = clock.now(), patterns(config)
    found = [
        passage(home, _SCHEMA, reason, now=now, hidden=hidden, kind="schema") for home in _keeping(among)
    ]
    return items([one for one in found if one is not None], config)


def offered(among: Opened | Iterable[Home], file: str, session: Session, config: Config) -> list[Passage]:
    """The same as passages, before anything is cut; `file` empty: of the session's own project."""
    now, hidden = clock.now(), patterns(config)
    found: list[Passage] = []
    for home in _keeping(among):
        own = own_config(home.path)
        known = _listed(home)
        name = _project(file, session, own, known)
        if not name:
            continue
        told = _("the rules of {project}, which {file} belongs to") if file else _("the rules of {project}")
        reason = told.format(project=name, file=os.path.basename(file))
        places = [(known[folded(name)], reason)] if folded(name) in known else []
        places += [
            (known[folded(group)], _("the rules of the group {group}").format(group=group))
            for group in _groups(name, own, config)
            if folded(group) in known and folded(group) != folded(name)
        ]
        for folder, why in places:
            one = passage(home, f"{_PROJECTS}/{folder}/rules.md", why, now=now, hidden=hidden, kind="rule")
            if one is not None and any(line[:1] not in {"", "#", ">"} for _number, line in one.lines):
                found.append(one)
    return found


def named(among: Opened | Iterable[Home], file: str, session: Session) -> str:
    """The project that a file belongs to, as its home's areas call it; empty: none that anything is known of."""
    for home in _keeping(among):
        name = _project(file, session, own_config(home.path), _listed(home))
        if name:
            return name
    return ""


def _keeping(among: Opened | Iterable[Home]) -> Iterator[Home]:
    every: Any = getattr(among, "homes", among)
    return (home for home in every if home.layout.replace("-", "_") in LAYOUTS)


def _listed(home: Home) -> dict[str, str]:
    """The directories of projects, by their folded names."""
    try:
        with os.scandir(home.path / _PROJECTS) as entries:
            return {folded(one.name): one.name for one in entries if one.is_dir(follow_symlinks=False)}
    except OSError:
        return {}


def _project(file: str, session: Session, own: Mapping[str, Any], known: Mapping[str, str]) -> str:
    """By the home's own mapping, by a directory that is called like a project, by the session's own project."""
    path = os.path.normpath(os.path.join(session.cwd or "/", file)) if file else session.cwd
    name = _mapped(path, own.get("project_name_map")) if path else ""
    if not name:
        folders = Path(path).parts[1:-1] if file else Path(path).parts[1:]
        name = next((known[folded(part)] for part in reversed(folders) if folded(part) in known), "")
    inside = not file or (session.cwd and Path(path).is_relative_to(session.cwd))
    if not name and inside:
        name = next((one for one in (session.name, session.project) if one and folded(one) in known), "")
    ignored = own.get("ignored_projects")
    left = {folded(one) for one in ignored if isinstance(one, str)} if isinstance(ignored, list) else set()
    return "" if folded(name) in left else name


def _mapped(path: str, mapping: Any) -> str:
    """config.json's project_name_map: a directory's name or path -> the project's; the longest that fits."""
    if not isinstance(mapping, dict):
        return ""
    best = ("", "")
    parts = [part.casefold() for part in Path(path).parts]
    for key, value in mapping.items():
        given = value if isinstance(value, list) else [key]
        name = key if isinstance(value, list) else value
        for one in given:
            if not isinstance(one, str) or not isinstance(name, str) or not one.strip("/"):
                continue
            wanted = [part.casefold() for part in Path(one).expanduser().parts]
            anywhere = not one.startswith(("/", "~"))
            starts = range(len(parts) - len(wanted) + 1) if anywhere else range(1)
            if len(one) > len(best[0]) and any(parts[at : at + len(wanted)] == wanted for at in starts):
                best = (one, name)
    return best[1]


def _groups(name: str, own: Mapping[str, Any], config: Config) -> list[str]:
    """The groups that share rules with a project: the home's own, then those of our settings."""
    found: list[str] = []
    told = own.get("project_groups")
    if isinstance(told, dict):
        for group, members in told.items():
            listed = members.get("projects") if isinstance(members, dict) else members
            if isinstance(listed, list) and folded(name) in {folded(m) for m in listed if isinstance(m, str)}:
                found.append(group)
    for line in config.project.groups:
        group, _colon, rest = line.partition(":")
        if folded(name) in {folded(member) for member in rest.split("|") if member.strip()}:
            found.append(group.strip())
    return list(dict.fromkeys(found))


VARIABLE = "MEMTUI_OFF"
_NO = frozenset({"", "0", "false", "no", "off"})


class Levels(NamedTuple):
    """What is on, each level by itself; a session is given something where all of them are."""

    session: bool
    project: bool
    everywhere: bool


def levels(session: Session, config: Config) -> Levels:
    """How the switches stand for this session."""
    return Levels(
        not (session.id and _file(session).exists()),
        not any(_names(entry, session) for entry in config.context.off),
        config.context.enabled,
    )


def off(session: Session, config: Config) -> str:
    """Why this session is given nothing, in a sentence for a person; empty: it is given what is remembered."""
    if os.environ.get(VARIABLE, "").strip().lower() not in _NO:
        return _("{variable} switches it off.").format(variable=VARIABLE)
    if session.sidechain:
        return _("A sub-agent is told by the agent that started it.")
    if not config.context.enabled:
        return _("It is switched off everywhere: memtui context --on --everywhere switches it on.")
    named = next((entry for entry in config.context.off if _names(entry, session)), "")
    if named:
        told = _("It is switched off for {project}: memtui context --on --project switches it on.")
        return told.format(project=named)
    if session.id and _file(session).exists():
        return _("It is switched off for this session.")
    return ""


def switched(session: Session, on: bool) -> None:
    """Switch one session on or off. Raises UsageError where nobody knows which, OSError, RefusedError."""
    if not session.id:
        raise UsageError(_("Say which session: --session ID."))
    place = _file(session)
    if on:
        with suppress(FileNotFoundError):
            place.unlink()
        return
    private(place.parent)
    with suppress(FileExistsError):
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def project_switched(session: Session, on: bool, config: Config) -> tuple[str, ...]:
    """Switch a project on or off in the settings; what stands there now. Raises what `config_keys.set` raises."""
    from memtui.core import config_keys

    kept = tuple(entry for entry in config.context.off if not _names(entry, session))
    name = session.project or session.cwd
    if not on and not name:
        raise UsageError(_("Nobody knows which project this is."))
    now = kept if on else config.context.off if kept != config.context.off else (*kept, name)
    if now != config.context.off:
        config_keys.set("context.off", now)
    return now


def everywhere_switched(on: bool) -> None:
    """Switch all sessions on or off in the settings. Raises what `config_keys.set` raises."""
    from memtui.core import config_keys

    config_keys.set("context.enabled", on)


def _names(entry: str, session: Session) -> bool:
    """Whether an entry of `context.off` means this session's project: its key, its name, or a directory around it."""
    if entry.startswith(("/", "~")) or os.sep in entry:
        place = Path(entry).expanduser()
        return bool(session.cwd) and Path(session.cwd).is_relative_to(place)
    return bool(entry.strip()) and folded(entry) in {folded(session.project), folded(session.name)} - {""}


def _file(session: Session) -> Path:
    name = sha256(session.id.encode("utf-8", "surrogatepass"))[:32]
    return state() / "switched-off" / name
