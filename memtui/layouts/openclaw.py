"""OpenClaw workspaces: `~/.openclaw/workspace`, `workspace-<agent>`, the old `~/clawd`; opened at `~/.openclaw`, all.

At the top stand the person's and the agent's own files (SOUL.md, USER.md, …) and MEMORY.md; memory/ holds
dailies, whose date may stand anywhere in the name, and topics, which have none. Directories of agents within a
workspace are told by their own files. The index lies outside and is not read.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import lru_cache

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import MARKDOWN, Home, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.dates import find_day
from memtui.fs.files import read_head
from memtui.layouts import Layout, LayoutFacts, ToolBadge
from memtui.layouts.roles import (
    build_layer_refusal,
    infer_path_status,
    infer_role,
    infer_work_kind,
    is_among_programs,
    is_copied,
    list_directory_names,
    place,
)
from memtui.layouts.tracks import find_named_workspaces
from memtui.layouts.workspace_documents import (
    ABOUT,
    LEARNT,
    MADE,
    MADE_ONCE,
    OWN_FILES,
    PLACES,
    READ,
    TELLING,
    find_config_directory,
    find_named_documents,
    has_dailies,
    is_above_document,
    is_agent_urged_to,
    is_mentioned,
    is_own_document,
    is_workspace_name,
    list_personas,
    strip_agent_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

_PROFILE = Role(Layer.PROFILE, "note", "markdown", shipped=True)
_TOP = {
    **dict.fromkeys(("user.md", "identity.md", "tools.md"), _PROFILE),
    # Of a BOOTSTRAP.md the stock text is known by its words: whoever keeps one of his own means it.
    **dict.fromkeys(("soul.md", "agents.md", "heartbeat.md", "bootstrap.md"), _PROFILE._replace(kind="rule")),
}
_DAY = Role(Layer.JOURNAL, "note", "journal", shipped=True)
_TOPIC = Role(Layer.KNOWLEDGE, "note", "markdown")
_SKILL = Role(Layer.KNOWLEDGE, "skill", "markdown", status=Status.SKILL)
_OWN = frozenset({
    "memory.md", "lessons.md", "learnings.md", "decisions.md", "preferences.md", "todo.md", "todos.md", "tasks.md",
    "notes.md", "journal.md", "people.md", "contacts.md", "projects.md", "goals.md", "next.md", "improvements.md",
    "rules.md", "profile.md", "dreams.md", "working.md", "context.md", "state.md",
})  # fmt: skip
"""Files at the top that hold memories beside those that every workspace has. Any other is something that was made,
unless the workspace's own files send the agent to it."""
_FOR_STRANGERS = compile_pattern(
    r"readme[-_][\w-]+|(?!.*(?:plan|log|status|计划))"
    r"(?:(?:disaster[-_])?recovery|restore|restoring|migration|first[-_]run)(?:[-_](?:guide|command|test|result|steps|"
    r"instructions|manual|howto|notes))*",
    2,
)
"""What such files are called besides, and how a workspace is brought back or moved to another machine."""
_KEPT_UP = compile_pattern(
    r"(?:^|[-_. ])(?:state|status|current|active|situation|today|checkpoints?|journal|diary|north[-_ ]?star|goals|"
    r"objectives|priorities)(?:[-_. \d]|$)",
    2,
)
"""What files at the top are called that say how things stand, and are written on."""
_OVER = ("-COMPLETE.md", "_COMPLETE.md", "-COMPLETED.md", "_COMPLETED.md")
"""How reports are called of what is done with."""
_DREAMT = ("memory/dreaming/", "DREAMS.md", "dreams.md")
_KEPT = frozenset({"memory", "memories", *LEARNT})
"""Directories of memories, whatever else lies in them."""
_DAYS = 3
"""So many days' notes in memory/ are a workspace's, whichever one of its own files stands beside it."""
_RUNS = compile_pattern(
    r"(?:^|/)sessions/(?:sessions|[^/]+\.(?:trajectory|trajectory-path|checkpoint\.[^/]+)"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[^/]*)\.jsonl?$"
)
"""What it keeps of each run, down to every call of a model: hundreds of megabytes that nobody remembers anything by."""
_HUBS = (".clawhub", ".clawdhub", ".openclaw")
_AGENTS = "agents"
"""Where a workspace keeps those to whom its agent hands work on, each with a directory of its own."""


class OpenClaw(Layout):
    """An agent's workspace."""

    name = "openclaw"
    facts = LayoutFacts(
        badge=ToolBadge("OC", "OpenClaw", "red"),
        own_agents_file=True,
        told_to_others=False,
        own_project="always",
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """All the user's workspaces; the old place too, for it may hold what was never moved."""
        root = around.user / ".openclaw"
        here = around.cwd.resolve()
        places = [*(root / name for name in _list_workspaces(root)), around.user / "clawd"]
        for path in dict.fromkeys(places + find_named_workspaces(root, around.user)):
            reason = ""
            # One that may not be read keeps none of the others from being found.
            with suppress(OSError):
                reason = self.recognise(path)
                notes = (name for folder in (path, path / "memory") for name in list_directory_names(folder))
                if not reason and path.is_dir() and any(name.endswith(".md") for name in notes):
                    reason = _("notes in {place}").format(place=path.name)
            if reason:
                real = path.resolve()
                label = path.name.removeprefix("workspace-") if path.name != "workspace" else "openclaw"
                mine = here.is_relative_to(real)
                yield Home(real, self.name, reason, label, "", mine, os.access(real, os.W_OK))

    def recognise(self, path: Path) -> str:
        """Two of its files at the top, or one beside memory/; AGENTS.md and USER.md alone stand in other places too."""
        if path.name == "identity" and (path.parent / "data").is_dir():
            # OpenAkita's: a part of its workspace.
            return ""
        found = [name for name in TELLING if (path / name).is_file()]
        if not any(name in TELLING[:4] for name in found):
            found = list_personas(path) or found
        own = [name for name in found if name in TELLING[:4]]
        if not found and (seat := find_config_directory(path)):
            return _("{one} beside {other}").format(one="memory/", other=seat)
        if not own and has_dailies(path) and any((path / name).is_dir() for name in _HUBS):
            return _("memory/ beside what OpenClaw keeps of its skills")
        if own and (len(found) > 1 or (path / "memory").is_dir() or (path / "MEMORY.md").is_file()):
            return ", ".join([*own, *(name for name in found if name not in own)][:2])
        if found and has_dailies(path, _DAYS):
            return _("{one} beside {other}").format(one="memory/", other=found[0])
        if has_dailies(path, 2 * _DAYS):
            # Its own files are kept out of what is shared.
            return _("days of notes in memory/")
        if found and (path / "MEMORY.md").is_file() and has_dailies(path):
            return _("{one} beside {other}").format(one="MEMORY.md, memory/", other=found[0])
        in_place = path.parent.name == ".openclaw" and path.name.startswith("workspace")
        if in_place and (found or (path / "memory").is_dir() or (path / "MEMORY.md").is_file()):
            return _("a workspace in .openclaw")
        several = [name for name in _list_workspaces(path) if self.recognise(path / name)]
        return _("{what} of {whose}").format(what=", ".join(several), whose="OpenClaw") if several else ""

    def role(self, home: Path, path: str) -> Role | None:
        """Files at the top and in memory/; a workspace also holds whole projects, which are none of ours."""
        first, _, rest = path.partition("/")
        agent = ""
        if _is_shared_root(home):
            if not rest or not is_workspace_name(first):
                return None
            home, agent = home / first, first
            first, _, rest = (path := rest).partition("/")
        if rest and first in _list_nested(home):
            role = self.role(home / first, rest) if rest in OWN_FILES or rest.startswith("memory/") else None
            if role and role.status is Status.ACTIVE:
                copied = is_copied(home, first, OWN_FILES, time.monotonic_ns() >> 33)
                role = role._replace(status=Status.BACKUP if copied else infer_path_status(path))
            return role and role._replace(project=role.project or first * (first != "workspace"))
        role = None if _RUNS.search(path) else self._find_role(home, first, rest, path)
        if role is not None and agent and not role.project:
            # Each agent reads its own workspace alone: what two of them are told stands in both on purpose.
            role = role._replace(project=agent)
        if not role or role.status is not Status.ACTIVE:
            return role
        if rest and first not in _KEPT and is_among_programs(home, path) and not is_mentioned(home, path):
            return role._replace(status=Status.CODE)
        if role.parser == "markdown" and not role.shipped:
            role = role._replace(shipped=True)
        # What an agent learnt while it used a skill is no part of the skill.
        inner = path.partition("/memory/")[2] if first.lower() == "skills" else path
        standing = Status.GENERATED if path.startswith(_DREAMT) else infer_path_status(inner)
        records = first in _KEPT and role.parser in {"json", "jsonl", "daily-jsonl", "events"}
        if standing is Status.ACTIVE and records and not _is_record_name(path):
            # What its agent remembers it writes as Markdown; records are what scripts keep for themselves.
            standing = Status.STATE
        return role if standing is Status.ACTIVE else role._replace(status=standing)

    def _find_role(self, home: Path, first: str, rest: str, path: str) -> Role | None:
        role = infer_role(path)
        if rest and "/" not in rest and first.lower() not in PLACES and f"{first}/" == find_config_directory(home):
            return _TOP.get(strip_agent_name(rest).lower(), role if role and rest.endswith(MARKDOWN) else None)
        if not rest:
            name = strip_agent_name(first).lower()
            if name in _TOP:
                return _TOP[name]
            if role is None or name in _OWN or (infer_work_kind(name, alone=True) and name.endswith(MARKDOWN)):
                return role
            if first.endswith(_OVER):
                return role._replace(status=Status.ARCHIVED)
            if first.endswith(".md") and _FOR_STRANGERS.fullmatch(first.removesuffix(".md")):
                return role._replace(status=Status.CODE)
            kind = infer_work_kind(first)
            if kind and "- [ ]" in read_head(home / first, READ):
                return role._replace(kind=kind)
            if MADE_ONCE.search(first):
                told = is_agent_urged_to(home, path)
            else:
                named = _KEPT_UP.search(first) or path in find_named_documents(home) or is_own_document(home, first)
                told = first.endswith(".md") and bool(named)
            return role if told else role._replace(status=Status.CODE)
        if role is None:
            return None
        if first == _AGENTS and (own := _find_agent_role(home, path)):
            return own
        if first.lower() not in PLACES or first.lower() in MADE:
            if path.endswith(".md") and is_mentioned(home, path):
                made = MADE_ONCE.search(path.rpartition("/")[2]) is not None and path in find_named_documents(home)
                return role._replace(status=Status.CODE) if made and not is_agent_urged_to(home, path) else role
            return role._replace(status=Status.CODE) if first.lower() in MADE else None
        if first.lower() == "skills":
            learnt = "/memory/" in path and path.endswith(".md")
            return _TOPIC if learnt else _SKILL if path.endswith("/SKILL.md") else None
        name = path.rsplit("/", 1)[-1]
        if first == "memory" and role.parser in {"markdown", "journal"} and name.lower().endswith(MARKDOWN):
            if role.layer is Layer.CORE and role.kind == "note" and rest == name:
                return role
            return _DAY if find_day(name) or role.parser == "journal" else _TOPIC._replace(kind=role.kind)
        return role

    def prune(self, home: Path, path: str) -> bool:
        """Hidden directories, and at the top all but those for notes and those that the agent is sent to."""
        first, _, rest = path.partition("/")
        if _is_shared_root(home):
            if not is_workspace_name(first) or not rest:
                return not is_workspace_name(first)
            home /= first
            first, _, rest = (path := rest).partition("/")
        if path.rpartition("/")[2].startswith(".") and path not in LEARNT:
            return True
        if first in _list_nested(home):
            return rest not in {"", "memory"} and not rest.startswith("memory/")
        if first == _AGENTS and _is_above_agent(home, path):
            return False
        return (
            first.lower() not in PLACES
            and not is_above_document(home, path)
            and f"{path}/" != find_config_directory(home)
        )

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """USER.md, MEMORY.md, and memory/ by the local day; in all of the workspaces' home the first of them."""
        inside = f"{found[0]}/" if (found := _list_workspaces(home.path)) else find_config_directory(home.path)
        if layer is Layer.PROFILE:
            return place(home, f"{inside}USER.md", draft, layer, chinese=False)
        if layer in {Layer.CORE, Layer.KNOWLEDGE}:
            return place(home, f"{inside}MEMORY.md", draft, Layer.CORE, chinese=False)
        if layer is Layer.JOURNAL:
            path = f"{inside if found else ''}memory/{clock.format_day(now)}.md"
            return place(home, path, draft, layer, "journal", append_only=True)
        raise build_layer_refusal(home, layer, "the agent keeps them outside of its workspace")


def _list_workspaces(root: Path) -> list[str]:
    """The workspaces that stand in OpenClaw's own directory, or in a copy of it."""
    try:
        found = sorted(filter(is_workspace_name, os.listdir(root)))
    except OSError:
        return []
    if root.name == ".openclaw" or not found:
        return found
    # A copy of it goes by any name: then several of them say what they are, and the place itself is none.
    told = [name for name in found if any((root / name / own).is_file() for own in TELLING[:2])]
    alone = any((root / own).is_file() for own in TELLING[:2])
    return found if len(told) > 1 and not alone else []


@lru_cache(maxsize=64)
def _is_shared_root(home: Path) -> bool:
    """Whether it is OpenClaw's own directory, opened as one home of all its workspaces."""
    return bool(_list_workspaces(home))


@lru_cache(maxsize=64)
def _list_nested(home: Path) -> frozenset[str]:
    """Directories that are other agents' workspaces; and `workspace/`, where MEMORY.md is kept one level too deep."""
    names = [name for name in list_directory_names(home) if name[0] != "." and name.lower() not in PLACES]
    deep = "workspace" * ((home / "workspace/MEMORY.md").is_file() > (home / "MEMORY.md").is_file())
    names = [name for name in names if os.path.isdir(home / name)]
    own = {name: sum((home / name / one).is_file() for one in OWN_FILES) for name in names}
    return frozenset(name for name, count in own.items() if count > _NESTED or name == deep)


_NESTED = 4  # Of its files so few make no workspace within one.


@lru_cache(maxsize=64)
def _list_agents(home: Path) -> frozenset[str]:
    """The agents within a workspace: directories in which one of them says who it is."""
    try:
        names = os.listdir(home / _AGENTS)
    except OSError:
        return frozenset()
    return frozenset(name for name in names if any((home / _AGENTS / name / own).is_file() for own in TELLING[:2]))


def _find_agent_role(home: Path, path: str) -> Role | None:
    """What such an agent remembers, and what one without a directory is told; who one is that has one is no memory."""
    name, _, rest = path.partition("/")[2].partition("/")
    if not rest and name.endswith(".md") and name[:-3] not in ABOUT:
        # With frontmatter it is an order for a tool that runs such agents.
        return (
            _SKILL
            if read_head(home / path, READ).startswith("---")
            else _TOPIC._replace(kind="rule", project=name[:-3])
        )
    if name not in _list_agents(home) or not rest.lower().endswith(MARKDOWN):
        return None
    if rest.lower() in {"memory.md", "learnings.md", "session-state.md"}:
        return _TOPIC._replace(project=name)
    folder, _, own = rest.rpartition("/")
    if folder != "memory":
        return None
    return (_DAY if find_day(own) else _TOPIC)._replace(project=name)


def _is_above_agent(home: Path, path: str) -> bool:
    """Whether a directory has an agent's memories in it or below."""
    _, *inner = path.split("/")
    agents = _list_agents(home)
    return not inner or (inner[0] in agents and inner[1:] in ([], ["memory"]))


def _is_record_name(path: str) -> bool:
    """Whether records are named as what a person would keep: facts, items of an area, or memory/lessons.json."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0].lower()
    if stem in {"facts", "items"} or "areas" in folders:
        return True
    return folders == ["memory"] and f"{stem}.md" in _OWN - {"state.md", "context.md", "working.md"}


LAYOUT = OpenClaw()
