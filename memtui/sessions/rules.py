"""The rules of the project that a file belongs to (spec 002), and the switches for what a session is given.

Rules of a project and of its groups (rules-injector and schema-injector) are asked for by hooks before a file
is read: no index and no vault, only the few files themselves. What a session is given can be switched off
everywhere, for a project, or for one session.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, Protocol, sha256
from memtui.fs.places import make_private_directory, state
from memtui.layouts import RULE_LAYOUTS, load_layout
from memtui.layouts.discovery import open_home_at
from memtui.layouts.home_config import read_home_config
from memtui.sessions.packing import fold_project_name, pack_items
from memtui.store.passage import OWN, Passage, build_passage, compile_config_patterns, split_rules
from memtui.store.project import detect_session_surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.sessions.packing import ContextItem


class Opened(Protocol):
    """Whatever has homes: a vault."""

    @property
    def homes(self) -> tuple[Home, ...]:
        """Those that are open."""


_PROJECTS = "areas/projects"
_SCHEMA = f"{_PROJECTS}/shared-db/schema-index.md"


def find_rule_homes(session: Session, config: Config) -> list[Home]:
    """The homes that keep rules by project, found without looking for any others."""
    found: dict[Path, Home] = {}
    where = detect_session_surroundings(session, config)
    for name in RULE_LAYOUTS:
        for home in load_layout(name).find(where):
            found.setdefault(home.path, home)
    for named in config.homes.paths:
        path = Path(named).expanduser()
        if os.path.isdir(path / _PROJECTS):
            home = open_home_at(path)
            found.setdefault(home.path, home)
    without = {name.replace("_", "-") for name in config.homes.exclude}
    without |= {os.path.expanduser(name) for name in config.homes.exclude if "/" in name}
    return [home for home in found.values() if not {home.layout, str(home.path)} & without]


def load_rules_for(
    among: Opened | Iterable[Home], file: str, session: Session, config: Config
) -> tuple[ContextItem, ...]:
    """The rules of the project that the file belongs to, then those of its groups; none where it belongs to none.

    Those that a person approved come first, each by itself."""
    rules, rest = split_rules(list_offered_rules(among, file, session, config), compile_config_patterns(config))
    return pack_items([*rules, *rest], config)


def load_schema_for(among: Opened | Iterable[Home], session: Session, config: Config) -> tuple[ContextItem, ...]:
    """The index of the shared database's tables, where a home has one."""
    reason = _("which tables the shared database has")
    now, hidden = clock.now(), compile_config_patterns(config)
    found = [
        build_passage(home, _SCHEMA, reason, now=now, hidden=hidden, kind="schema") for home in _list_keeping(among)
    ]
    return pack_items([one for one in found if one is not None], config)


def list_offered_rules(among: Opened | Iterable[Home], file: str, session: Session, config: Config) -> list[Passage]:
    """The same as passages, before anything is cut; `file` empty: of the session's own project."""
    now, hidden = clock.now(), compile_config_patterns(config)
    found: list[Passage] = []
    for home in _list_keeping(among):
        own = read_home_config(home.path)
        known = _list_projects(home)
        name = _name_project(file, session, own, known)
        if not name:
            continue
        told = _("the rules of {project}, which {file} belongs to") if file else _("the rules of {project}")
        reason = told.format(project=name, file=os.path.basename(file))
        places = [(known[fold_project_name(name)], reason)] if fold_project_name(name) in known else []
        places += [
            (known[fold_project_name(group)], _("the rules of the group {group}").format(group=group))
            for group in _list_groups(name, own, config)
            if fold_project_name(group) in known and fold_project_name(group) != fold_project_name(name)
        ]
        for folder, why in places:
            one = build_passage(home, f"{_PROJECTS}/{folder}/rules.md", why, now=now, hidden=hidden, kind="rule")
            if one is not None and any(line[:1] not in {"", "#", ">"} for _number, line in one.lines):
                # A home within a project may have come with it: what stands there is whoever's.
                found.append(one if home.project else one._replace(trust=OWN))
    return found


def name_file_project(among: Opened | Iterable[Home], file: str, session: Session) -> str:
    """The project that a file belongs to, as its home's areas call it; empty: none that anything is known of."""
    for home in _list_keeping(among):
        name = _name_project(file, session, read_home_config(home.path), _list_projects(home))
        if name:
            return name
    return ""


def _list_keeping(among: Opened | Iterable[Home]) -> Iterator[Home]:
    every: Any = getattr(among, "homes", among)
    return (home for home in every if home.layout.replace("-", "_") in RULE_LAYOUTS)


def _list_projects(home: Home) -> dict[str, str]:
    """The directories of projects, by their folded names."""
    try:
        with os.scandir(home.path / _PROJECTS) as entries:
            return {fold_project_name(one.name): one.name for one in entries if one.is_dir(follow_symlinks=False)}
    except OSError:
        return {}


def _name_project(file: str, session: Session, own: Mapping[str, Any], known: Mapping[str, str]) -> str:
    """By the home's own mapping, by a directory that is called like a project, by the session's own project."""
    path = os.path.normpath(os.path.join(session.cwd or "/", file)) if file else session.cwd
    name = _map_directory(path, own.get("project_name_map")) if path else ""
    if not name:
        folders = Path(path).parts[1:-1] if file else Path(path).parts[1:]
        name = next(
            (known[fold_project_name(part)] for part in reversed(folders) if fold_project_name(part) in known), ""
        )
    inside = not file or (session.cwd and Path(path).is_relative_to(session.cwd))
    if not name and inside:
        name = next((one for one in (session.name, session.project) if one and fold_project_name(one) in known), "")
    return "" if fold_project_name(name) in list_config_names(own, "ignored_projects") else name


def is_listed_project(own: Mapping[str, Any], key: str, file: str, session: Session) -> bool:
    """Whether a home's config.json names the project of a file in this list: ignored_projects, frontend_projects.

    By its own mapping of names, by a directory around the file, or by the session's own project.
    """
    listed = list_config_names(own, key)
    if not listed:
        return False
    path = os.path.normpath(os.path.join(session.cwd or "/", file)) if file else session.cwd
    mapped = _map_directory(path, own.get("project_name_map")) if path else ""
    if mapped:
        return fold_project_name(mapped) in listed
    inside = not file or (session.cwd and Path(path).is_relative_to(session.cwd))
    names = [session.name, session.project] if inside else Path(path).parts[1:-1]
    return any(one and fold_project_name(one) in listed for one in names)


def list_config_names(own: Mapping[str, Any], key: str) -> frozenset[str]:
    """The names in a list of config.json, folded."""
    named = own.get(key)
    return frozenset(
        fold_project_name(one) for one in (named if isinstance(named, list) else ()) if isinstance(one, str)
    )


def _map_directory(path: str, mapping: Any) -> str:
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


def _list_groups(name: str, own: Mapping[str, Any], config: Config) -> list[str]:
    """The groups that share rules with a project: the home's own, then those of our settings."""
    found: list[str] = []
    told = own.get("project_groups")
    if isinstance(told, dict):
        for group, members in told.items():
            listed = members.get("projects") if isinstance(members, dict) else members
            if isinstance(listed, list) and fold_project_name(name) in {
                fold_project_name(m) for m in listed if isinstance(m, str)
            }:
                found.append(group)
    for line in config.project.groups:
        group, _colon, rest = line.partition(":")
        if fold_project_name(name) in {fold_project_name(member) for member in rest.split("|") if member.strip()}:
            found.append(group.strip())
    return list(dict.fromkeys(found))


VARIABLE = "MEMTUI_OFF"
_NO = frozenset({"", "0", "false", "no", "off"})


class Levels(NamedTuple):
    """What is on, each level by itself; a session is given something where all of them are."""

    session: bool
    project: bool
    everywhere: bool


def read_switches(session: Session, config: Config) -> Levels:
    """How the switches stand for this session."""
    return Levels(
        not (session.id and _locate_switch(session).exists()),
        not any(_names_session(entry, session) for entry in config.context.off),
        config.context.enabled,
    )


def explain_switch(session: Session, config: Config) -> str:
    """Why this session is given nothing, in a sentence for a person; empty: it is given what is remembered."""
    if os.environ.get(VARIABLE, "").strip().lower() not in _NO:
        return _("{variable} switches it off.").format(variable=VARIABLE)
    if session.sidechain:
        return _("A sub-agent is told by the agent that started it.")
    if not config.context.enabled:
        return _("It is switched off everywhere: memtui context --on --everywhere switches it on.")
    named = next((entry for entry in config.context.off if _names_session(entry, session)), "")
    if named:
        told = _("It is switched off for {project}: memtui context --on --project switches it on.")
        return told.format(project=named)
    if session.id and _locate_switch(session).exists():
        return _("It is switched off for this session.")
    return ""


def switch_session(session: Session, on: bool) -> None:
    """Switch one session on or off. Raises UsageError where nobody knows which, OSError, RefusedError."""
    if not session.id:
        raise UsageError(_("Say which session: --session ID."))
    place = _locate_switch(session)
    if on:
        with suppress(FileNotFoundError):
            place.unlink()
        return
    make_private_directory(place.parent)
    with suppress(FileExistsError):
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def switch_project(session: Session, on: bool, config: Config) -> tuple[str, ...]:
    """Switch a project on or off in the settings; what stands there now. Raises what `config_edit.set` raises."""
    kept = tuple(entry for entry in config.context.off if not _names_session(entry, session))
    name = session.project or session.cwd
    if not on and not name:
        raise UsageError(_("Nobody knows which project this is."))
    now = kept if on else config.context.off if kept != config.context.off else (*kept, name)
    if now != config.context.off:
        _change_setting("context.off", now)
    return now


def switch_everywhere(on: bool) -> None:
    """Switch all sessions on or off in the settings. Raises what `config_edit.set` raises."""
    _change_setting("context.enabled", on)


def _names_session(entry: str, session: Session) -> bool:
    """Whether an entry of `context.off` means this session's project: its key, its name, or a directory around it."""
    if entry.startswith(("/", "~")) or os.sep in entry:
        place = Path(entry).expanduser()
        return bool(session.cwd) and Path(session.cwd).is_relative_to(place)
    return bool(entry.strip()) and fold_project_name(entry) in {
        fold_project_name(session.project),
        fold_project_name(session.name),
    } - {""}


def _locate_switch(session: Session) -> Path:
    name = sha256(session.id.encode("utf-8", "surrogatepass"))[:32]
    return state() / "switched-off" / name


def _change_setting(key: str, value: object) -> None:
    # Hooks only look how the switches stand.
    from memtui.core import config_edit

    config_edit.set(key, value)
