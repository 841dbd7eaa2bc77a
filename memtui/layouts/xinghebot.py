"""XingheBot (spec 001): `~/.xinghebot/workspace/<project_key>/memory`, or a project's own `.multi_agent/memory`.

MEMORY.md, daily/YYYY-MM-DD.md, sessions/<date>-<run_id>.md; index/ is derived. A `config.json` may move any of
it.

§6.1's links: none inside of the home is followed, for reading or writing. A link that is the home itself is: whoever
keeps their directories elsewhere put it there, and what lies behind it is what they named.

§8's root_dir and workspace_dir are followed wherever they lead to a home that is there. Made on first use is one only
in the project or below ~/.xinghebot, unless the person's own config names it: a repository may be anybody's. Where
none may be made, notes go to memtui's own home.

Its scan reads every .md of the home (§2.2: `<memory_root>/**/*.md`), and so does the index (§5.1 names three of them).

§4's scan follows by itself where there is no index or it breaks while it is asked, file by file where some are not in
it yet. It is seldom seen: a damaged index is built anew beside the old one, and one that cannot be written where it
belongs is kept in the cache or in memory.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from memtui.core.locale import _
from memtui.core.model import Home, Layer
from memtui.core.startup import TYPE_CHECKING, NamedTuple
from memtui.layouts import Layout, LayoutFacts, Skeleton, ToolBadge
from memtui.layouts.git import derive_directory_key, derive_origin_key, iterate_project_directories
from memtui.layouts.home_config import read_config_file
from memtui.layouts.roles import (
    build_layer_refusal,
    build_session_target,
    infer_role,
    is_append_only,
    list_directory_names,
    place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.core.model import Role
    from memtui.layouts import Surroundings

_PARTS = ("MEMORY.md", "daily", "sessions", "index")
_SECTIONS = {"rule": "pref", "lesson": "fact"}
_OTHERS = (".memtui", ".claude", ".codex", ".openclaw", ".helloagents", ".openakita", ".cursor")
"""Where other tools keep what they know of this person: where one is, a new repository need not be XingheBot's."""
CLUSTER_FOLDERS = (".cluster", ".multi_agent", ".xinghebot")
"""What its cluster keeps the files of many machines in (spec 004)."""


class XingheBot(Layout):
    """One home a project, named by the project's key."""

    name = "xinghebot"
    facts = LayoutFacts(
        badge=ToolBadge("XB", "XingheBot", "violet"),
        skeleton=Skeleton(("daily", "sessions", "index"), ("pref", "fact", "decision", "todo"), ("MEMORY", "MEMORY")),
        readable=(".md",),
        index_place="index/memory",
        config=frozenset({"memory"}),
        summary_form="capture",
        preferences_in_core=True,
        personal=True,
        label_names_project=True,
        keyed_place=".xinghebot/workspace/{key}/memory",
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The homes of all projects; this one's are current, whether by config, git origin or the directory's name.

        Where a config names the place (§2.1, §8), that one comes first, and no workspace beside it is the project's.
        """
        folders = list(iterate_project_directories(around))
        read = [(at, _read_memory_section(at / "config.json")) for at in (*folders, around.user / ".xinghebot")]
        ruling = next((str(at / "config.json") for at, config in read[:-1] if config is not None), "")
        configs = [(at, config or {}) for at, config in read]
        named = _name_place(around)
        there = named.moved and _has_any_part(named.path)
        if there:
            yield self._build_home(named.path, named.reason, named.label, named.project, True, ruling)
        workspaces = [around.user / ".xinghebot" / "workspace"]
        workspaces += [_place(around, at, c["workspace_dir"]) for at, c in configs if "workspace_dir" in c]
        keys = set(around.keys) | {config["project_key"] for _, config in configs if "project_key" in config}
        keys |= {key for folder in folders for key in (derive_origin_key(folder), derive_directory_key(folder)) if key}
        keys = set() if there or named.due else keys
        for workspace in dict.fromkeys(workspaces):
            for key in list_directory_names(workspace):
                path = workspace / key / "memory"
                if _has_any_part(path) and not (there and path.resolve() == named.path):
                    reason = (
                        _("the workspace of this project")
                        if key in keys
                        else _("the workspace of {name}").format(name=key)
                    )
                    yield self._build_home(path, reason, key, key, key in keys, ruling)
        for folder in folders:
            path = folder / ".multi_agent" / "memory"
            if _has_any_part(path) and not (there and path.resolve() == named.path):
                reason = _("the project's .multi_agent/memory")
                yield self._build_home(path, reason, folder.name, str(folder), there or not named.due, ruling)

    def found_home(self, around: Surroundings, layer: Layer | None = None) -> Home | None:
        """The project's workspace, or where its config.json moves it (spec 001 §2.1), made on first use.

        XingheBot is at work here where a config.json has its section, where its runs stand in the project, or where it
        is the one tool that keeps memories for this person. Spec 001 §2.1 makes a workspace for every project that the
        bot works in, and the bot leaves runs where it works; a repository that another agent of this person works in
        is none of it, though `~/.xinghebot` be there. Nor is any where the bot has kept nothing yet: it is installed,
        and neither a workspace nor its own config says that it is to remember.
        """
        named = _name_place(around)
        if layer is Layer.PROFILE or not named.allowed or (layer is not None and not named.at_work):
            return None
        return Home(named.path, self.name, named.reason, named.key, named.key, True, True, named.ruling)

    def _build_home(self, path: Path, reason: str, label: str, project: str, current: bool, ruling: str) -> Home:
        path = path.resolve()
        writable = os.access(path, os.W_OK)
        return Home(path, self.name, reason, label, project, current, writable, ruling if current else "")

    def recognise(self, path: Path) -> str:
        """Its place under .xinghebot or .multi_agent, or MEMORY.md with daily/ and sessions/ and nothing of others."""
        found = [name for name in _PARTS if (path / name).exists()]
        if path.name == "memory" and ".multi_agent" in path.parts[-2:] and found:
            return _("the memory of .multi_agent")
        if path.name == "memory" and ".xinghebot" in path.parts and found:
            return _("the workspace of {name}").format(name=path.parent.name)
        if any((path / name).exists() for name in ("areas", "evolution", "user", "sessions.jsonl", "facts.jsonl")):
            return ""
        whole = {"MEMORY.md", "daily"} <= set(found) and len(found) > 2
        if whole and not any(name.endswith(".jsonl") for name in list_directory_names(path / "daily")):
            return ", ".join(found[:3])
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """By name and place, Markdown alone (spec 001 §6.1, §12.4): neither index/ nor a history.jsonl is a memory."""
        return infer_role(path) if path.lower().endswith(".md") and not path.startswith("index/") else None

    def prune(self, home: Path, path: str) -> bool:
        """The derived index and hidden directories."""
        return path == "index" or path.rsplit("/", 1)[-1].startswith(".")

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """MEMORY.md for what lasts; daily/ by the UTC day, as the bot itself names it."""
        if layer in {Layer.CORE, Layer.KNOWLEDGE}:
            # Its MEMORY.md has four sections (spec 001 §3.1): no others are begun.
            section = draft._replace(kind=_SECTIONS.get(draft.kind, draft.kind))
            return place(home, "MEMORY.md", section, Layer.CORE, chinese=False)
        if layer is Layer.JOURNAL:
            day = datetime.fromtimestamp(now, UTC).date().isoformat()
            return place(home, f"daily/{day}.md", draft, layer, "journal", append_only=True)
        if layer is Layer.PROFILE:
            raise build_layer_refusal(home, layer, "preferences stand in its MEMORY.md, a core memory")
        raise build_layer_refusal(home, layer, "the bot captures sessions itself")

    def session(self, home: Home, id: str, now: float) -> Target:
        """sessions/<date>-<id>.md: the file of another day where there is one already (spec 001 §3.3)."""
        day = datetime.fromtimestamp(now, UTC).date().isoformat()
        there = [name for name in list_directory_names(home.path / "sessions") if name[11:] == f"{id}.md"]
        return build_session_target(
            home, f"sessions/{there[0] if there else f'{day}-{id}.md'}", self.facts.summary_form
        )

    def append_only(self, path: str) -> bool:
        """The daily files."""
        return is_append_only(path)


def _read_memory_section(path: Path) -> dict[str, str] | None:
    """The texts under `memory` in a config.json; None where there is none or it is no such file."""
    section = read_config_file(path).get("memory")
    if not isinstance(section, dict):
        return None
    return {name: value for name, value in section.items() if isinstance(value, str) and value and "\0" not in value}


class _Named(NamedTuple):
    """Where the bot keeps this project's memory (§2.1), whether or not it is there yet."""

    path: Path
    key: str
    reason: str
    ruling: str
    """The project's config.json, where it has the bot's section."""
    label: str
    project: str
    moved: bool
    """A config says where: by root_dir, workspace_dir or project_key."""
    at_work: bool
    """The bot works here, as far as can be told."""
    allowed: bool
    """It may be made: what a repository says must not have files made anywhere, only a person's own config may."""

    @property
    def due(self) -> bool:
        """Whether a config says where, and it is made there with the first write."""
        return self.moved and self.at_work and self.allowed and not _has_any_part(self.path)


def _name_place(around: Surroundings) -> _Named:
    """By root_dir, else by workspace and key, each from the project's config before the person's own."""
    folders = [*iterate_project_directories(around)]
    found = next(((at, c) for at in folders if (c := _read_memory_section(at / "config.json")) is not None), None)
    bot = around.user / ".xinghebot"
    at, own = found or (bot, {})
    told = _read_memory_section(bot / "config.json")
    mine = {**(told or {}), **own}
    runs = any((folder / ".multi_agent" / "runs").is_dir() for folder in folders)
    remembers = told is not None or (bot / "workspace").is_dir()
    alone = remembers and not any((around.user / d).is_dir() for d in _OTHERS)
    root = mine.get("root_dir", "")
    here = next(iter(folders), around.cwd)
    key = mine.get("project_key") or derive_origin_key(here) or derive_directory_key(here)
    workspace = _place(around, at, mine.get("workspace_dir", "~/.xinghebot/workspace"))
    path = (_place(around, at, root) if root else workspace / key / "memory").resolve()
    bounds = (here.resolve(), at.resolve(), bot.resolve())
    return _Named(
        path,
        key,
        _("memory.root_dir in config.json") if root else _("the workspace of this project"),
        "" if found is None else str(at / "config.json"),
        path.parent.name if root else key,
        str(around.cwd) if root else key,
        moved=not {"root_dir", "workspace_dir", "project_key"}.isdisjoint(mine),
        at_work=found is not None or runs or alone,
        allowed=not own or any(path != bound and path.is_relative_to(bound) for bound in bounds),
    )


def _place(around: Surroundings, base: Path, value: str) -> Path:
    if value == "~" or value.startswith("~/"):
        return around.user / value[2:]
    return base / value


def _has_any_part(path: Path) -> bool:
    return any((path / part).exists() for part in _PARTS)


LAYOUT = XingheBot()
