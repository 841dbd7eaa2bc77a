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
    count_programs,
    infer_path_status,
    infer_role,
    infer_work_kind,
    is_among_programs,
    is_copied,
    list_directory_names,
    place,
)
from memtui.layouts.tracks import find_named_workspaces

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

_TELLING = ("SOUL.md", "IDENTITY.md", "HEARTBEAT.md", "BOOTSTRAP.md", "TOOLS.md", "USER.md", "AGENTS.md")
_OWN_FILES = (*_TELLING, "MEMORY.md")
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
_ABOUT = frozenset({"README", "CHANGELOG", "LICENSE", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT"})
"""Files that tell strangers of a repository."""
_FOR_STRANGERS = compile_pattern(
    r"readme[-_][\w-]+|(?!.*(?:plan|log|status|计划))"
    r"(?:(?:disaster[-_])?recovery|restore|restoring|migration|first[-_]run)(?:[-_](?:guide|command|test|result|steps|"
    r"instructions|manual|howto|notes))*",
    2,
)
"""What such files are called besides, and how a workspace is brought back or moved to another machine."""
_OWN_WORD = compile_pattern(r"(?!README|CHANGELOG|LICEN[CS]E|CONTRIBUTING|INSTALL|SKILL)[A-Z]{3,16}\.md")
"""What a workspace calls its own files: SOUL.md, beside it TEAM.md, MISSION.md; other names are of what was made."""
_POLICY = compile_pattern(r"supported versions|report(?:ing)? a vulnerability|漏洞报告", 2)
_FILLED_IN = compile_pattern(r"^(?!#)[^\n]{40}|^(?!#)[^\n]*[\u3040-\u9fff\uac00-\ud7a3]{12}", 8)
_PATH = compile_pattern(r"(?<![\w/.:-])(?:~?/|\./)?(?:[\w.-]{1,60}/){0,8}[\w-][\w.-]{0,80}\.md\b")
_EACH = compile_pattern(
    r"(?<![\w/.:-])((?:~?/|\./)?(?:[\w.-]{1,60}/){1,8})"
    r"(?:\[([^\]\n/`]{1,40})\]|<([^>\n/`]{1,40})>|\{{1,2}([^}\n/`]{1,40})\}{1,2}|(\*{1,2}))"
    r"(?:/((?:[\w.-]{1,60}/){0,3}[\w-][\w.-]{0,80}\.md\b)?|(\.md)\b)([^\n]*)"
)
"""A path that holds for every one of many, `clients/<name>/NOTES.md`, with what is said of it in the same line."""
_EVERY_DAY = compile_pattern(r"date|yyyy|time|day|week|month|日期|日付|时间|時間|data|fecha|дата", 2)
"""A name that changes with time is one of outputs, not of a thing that is kept up."""
_THINGS = frozenset({
    "people", "persons", "clients", "customers", "contacts", "companies", "partners", "members", "users", "friends",
    "leads", "accounts", "channels", "groups", "projects", "topics", "entities", "客户", "联系人", "人物", "项目",
    "clientes", "pessoas", "personas", "contatos", "contactos", "projetos", "proyectos", "клиенты", "люди", "проекты",
})  # fmt: skip
"""Directories in which a document of any name is about one person or thing."""
_WRITTEN = frozenset({
    "skills", "specs", "articles", "posts", "drafts", "content", "output", "outputs", "plans", "templates", "blog",
})  # fmt: skip
"""Directories of what is written for others, each its own document."""
_ANY = ".md"
_BARE = compile_pattern(r"(?<![\w/.-])[\w-][\w.-]{0,80}\.md\b")
_CALLED = compile_pattern(
    r"(?:\bname|what to call (?:them|me)|姓名|名字|称呼|稱呼|\bимя)\W{0,6}[:：][*_ ]{0,4}([^\n(（/,，]{2,40})",
    2,
)
"""How an agent's own file and its person's say what they are called."""
_BEGINNING = 4000
"""Characters of a document in which it speaks of them, if they are what it is about."""
_ORIGIN = compile_pattern(
    r"source of truth|唯一\w{0,4}来源|单一\w{0,4}来源|唯一\w{0,4}來源|единый источник|fuente única|einzige quelle",
    2,
)
_URGED = compile_pattern(
    rf"{_ORIGIN.pattern}|\b(?:read|always|must|before|first|keep|kept|update|maintain|log|record|track|write|save)\b|"
    r"必须|必須|务必|先读|阅读|读取|記録|记录|更新|维护|保存|\b(?:leia|leer|lee|sempre|siempre|читай|всегда|обновляй)\b",
    2,
)
"""A line that sends an agent to a document to go by it or to keep it up, not only for the details."""
_OVER = ("-COMPLETE.md", "_COMPLETE.md", "-COMPLETED.md", "_COMPLETED.md")
"""How reports are called of what is done with."""
_TITLE, _READ = 400, 1 << 17
_FOLLOWED = 64
"""Documents that are looked into for others that they name."""
_DREAMT = ("memory/dreaming/", "DREAMS.md", "dreams.md")
_MADE = frozenset({"docs", "reports", "research", "scripts"})
"""Directories of what an agent made for its person, and of how it makes it: to be found, no memories."""
_OF_MANY = _MADE | {"projects"}
"""Directories whose documents have nothing to do with each other."""
_LEARNT = frozenset({".learnings", "self-improving", ".self-improving", "proactivity", ".proactivity"})
"""Directories in which skills have the agent keep what it learnt, hidden ones too."""
_KEPT = frozenset({"memory", "memories", *_LEARNT})
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
_PLACES = frozenset({
    "memory", "skills", "notes", "knowledge", "life", "areas", "sessions", "daily", "docs", "journal", "people",
    "research", "ideas", "archive", "reports", "tasks", "diary", "memories", "learnings", "workflows", "playbooks",
    "brainstorms", "sprints", "goals", "meetings", "rules", "queue", "shared", *_LEARNT,
})  # fmt: skip


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
        found = [name for name in _TELLING if (path / name).is_file()]
        if not any(name in _TELLING[:4] for name in found):
            found = _list_personas(path) or found
        own = [name for name in found if name in _TELLING[:4]]
        if not found and (seat := _find_config_directory(path)):
            return _("{one} beside {other}").format(one="memory/", other=seat)
        if not own and _has_dailies(path) and any((path / name).is_dir() for name in _HUBS):
            return _("memory/ beside what OpenClaw keeps of its skills")
        if own and (len(found) > 1 or (path / "memory").is_dir() or (path / "MEMORY.md").is_file()):
            return ", ".join([*own, *(name for name in found if name not in own)][:2])
        if found and _has_dailies(path, _DAYS):
            return _("{one} beside {other}").format(one="memory/", other=found[0])
        if _has_dailies(path, 2 * _DAYS):
            # Its own files are kept out of what is shared.
            return _("days of notes in memory/")
        if found and (path / "MEMORY.md").is_file() and _has_dailies(path):
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
            if not rest or not _is_workspace_name(first):
                return None
            home, agent = home / first, first
            first, _, rest = (path := rest).partition("/")
        if rest and first in _list_nested(home):
            role = self.role(home / first, rest) if rest in _OWN_FILES or rest.startswith("memory/") else None
            if role and role.status is Status.ACTIVE:
                copied = is_copied(home, first, _OWN_FILES, time.monotonic_ns() >> 33)
                role = role._replace(status=Status.BACKUP if copied else infer_path_status(path))
            return role and role._replace(project=role.project or first * (first != "workspace"))
        role = None if _RUNS.search(path) else self._find_role(home, first, rest, path)
        if role is not None and agent and not role.project:
            # Each agent reads its own workspace alone: what two of them are told stands in both on purpose.
            role = role._replace(project=agent)
        if not role or role.status is not Status.ACTIVE:
            return role
        if rest and first not in _KEPT and is_among_programs(home, path) and not _is_mentioned(home, path):
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
        if rest and "/" not in rest and first.lower() not in _PLACES and f"{first}/" == _find_config_directory(home):
            return _TOP.get(_strip_agent_name(rest).lower(), role if role and rest.endswith(MARKDOWN) else None)
        if not rest:
            name = _strip_agent_name(first).lower()
            if name in _TOP:
                return _TOP[name]
            if role is None or name in _OWN or (infer_work_kind(name, alone=True) and name.endswith(MARKDOWN)):
                return role
            if first.endswith(_OVER):
                return role._replace(status=Status.ARCHIVED)
            if first.endswith(".md") and _FOR_STRANGERS.fullmatch(first.removesuffix(".md")):
                return role._replace(status=Status.CODE)
            kind = infer_work_kind(first)
            if kind and "- [ ]" in read_head(home / first, _READ):
                return role._replace(kind=kind)
            told = first.endswith(".md") and (path in _find_named_documents(home) or _is_own(home, first))
            return role if told else role._replace(status=Status.CODE)
        if role is None:
            return None
        if first == _AGENTS and (own := _find_agent_role(home, path)):
            return own
        if first.lower() not in _PLACES or first.lower() in _MADE:
            if path.endswith(".md") and _is_mentioned(home, path):
                return role
            return role._replace(status=Status.CODE) if first.lower() in _MADE else None
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
            if not _is_workspace_name(first) or not rest:
                return not _is_workspace_name(first)
            home /= first
            first, _, rest = (path := rest).partition("/")
        if path.rpartition("/")[2].startswith(".") and path not in _LEARNT:
            return True
        if first in _list_nested(home):
            return rest not in {"", "memory"} and not rest.startswith("memory/")
        if first == _AGENTS and _is_above_agent(home, path):
            return False
        return (
            first.lower() not in _PLACES
            and not _leads_to_document(home, path)
            and f"{path}/" != _find_config_directory(home)
        )

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """USER.md, MEMORY.md, and memory/ by the local day; in all of the workspaces' home the first of them."""
        inside = f"{found[0]}/" if (found := _list_workspaces(home.path)) else _find_config_directory(home.path)
        if layer is Layer.PROFILE:
            return place(home, f"{inside}USER.md", draft, layer, chinese=False)
        if layer in {Layer.CORE, Layer.KNOWLEDGE}:
            return place(home, f"{inside}MEMORY.md", draft, Layer.CORE, chinese=False)
        if layer is Layer.JOURNAL:
            path = f"{inside if found else ''}memory/{clock.format_day(now)}.md"
            return place(home, path, draft, layer, "journal", append_only=True)
        raise build_layer_refusal(home, layer, "the agent keeps them outside of its workspace")


def _is_workspace_name(name: str) -> bool:
    return name == "workspace" or name.startswith("workspace-")


def _list_workspaces(root: Path) -> list[str]:
    """The workspaces that stand in OpenClaw's own directory, or in a copy of it."""
    try:
        found = sorted(filter(_is_workspace_name, os.listdir(root)))
    except OSError:
        return []
    if root.name == ".openclaw" or not found:
        return found
    # A copy of it goes by any name: then several of them say what they are, and the place itself is none.
    told = [name for name in found if any((root / name / own).is_file() for own in _TELLING[:2])]
    alone = any((root / own).is_file() for own in _TELLING[:2])
    return found if len(told) > 1 and not alone else []


@lru_cache(maxsize=64)
def _is_shared_root(home: Path) -> bool:
    """Whether it is OpenClaw's own directory, opened as one home of all its workspaces."""
    return bool(_list_workspaces(home))


@lru_cache(maxsize=64)
def _list_nested(home: Path) -> frozenset[str]:
    """Directories that are other agents' workspaces; and `workspace/`, where MEMORY.md is kept one level too deep."""
    names = [name for name in list_directory_names(home) if name[0] != "." and name.lower() not in _PLACES]
    deep = "workspace" * ((home / "workspace/MEMORY.md").is_file() > (home / "MEMORY.md").is_file())
    names = [name for name in names if os.path.isdir(home / name)]
    own = {name: sum((home / name / one).is_file() for one in _OWN_FILES) for name in names}
    return frozenset(name for name, count in own.items() if count > _NESTED or name == deep)


_NESTED = 4  # Of its files so few make no workspace within one.


def _has_dailies(path: Path, least: int = 1) -> bool:
    """Whether memory/ has so many dailies."""
    names = list_directory_names(path / "memory")
    return sum(bool(find_day(name)) and name.endswith(".md") for name in names) >= least


@lru_cache(maxsize=64)
def _list_agents(home: Path) -> frozenset[str]:
    """The agents within a workspace: directories in which one of them says who it is."""
    try:
        names = os.listdir(home / _AGENTS)
    except OSError:
        return frozenset()
    return frozenset(name for name in names if any((home / _AGENTS / name / own).is_file() for own in _TELLING[:2]))


def _find_agent_role(home: Path, path: str) -> Role | None:
    """What such an agent remembers, and what one without a directory is told; who one is that has one is no memory."""
    name, _, rest = path.partition("/")[2].partition("/")
    if not rest and name.endswith(".md") and name[:-3] not in _ABOUT:
        # With frontmatter it is an order for a tool that runs such agents.
        return (
            _SKILL
            if read_head(home / path, _READ).startswith("---")
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


@lru_cache(maxsize=64)
def _find_config_directory(home: Path) -> str:
    """The directory, `config/`, in which a workspace keeps its own files beside memory/ where none of them stands at
    its top; else empty."""
    if _list_personas(home) or not _has_dailies(home):
        return ""
    for name in list_directory_names(home):
        inner = home / name
        if name[0] == "." or name.lower() in _PLACES or not inner.is_dir():
            continue
        own = [one for one in _OWN_FILES if (inner / one).is_file()]
        if len(own) > 2 and own[0] in _TELLING[:2] and not (inner / "memory").is_dir():
            return f"{name}/"
    return ""


@lru_cache(maxsize=64)
def _list_own_files(home: Path) -> tuple[str, ...]:
    """The workspace's own files, as paths in it."""
    return tuple(f"{_find_config_directory(home)}{name}" for name in _OWN_FILES)


def _strip_agent_name(name: str) -> str:
    """A file's name without that of the agent whose it is, where several share a workspace: SOUL.news.md."""
    parts = name.split(".")
    return f"{parts[0]}.{parts[-1]}" if len(parts) == 3 else name


def _list_personas(path: Path) -> list[str]:
    """The files of a workspace that several agents share, each with files of its own beside memory/."""
    if not (path / "memory").is_dir():
        return []
    with suppress(OSError):
        names = {_strip_agent_name(name) for name in os.listdir(path)}
        return [name for name in _TELLING if name in names]
    return []


def _is_record_name(path: str) -> bool:
    """Whether records are named as what a person would keep: facts, items of an area, or memory/lessons.json."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0].lower()
    if stem in {"facts", "items"} or "areas" in folders:
        return True
    return folders == ["memory"] and f"{stem}.md" in _OWN - {"state.md", "context.md", "working.md"}


def _is_own(home: Path, name: str) -> bool:
    """Whether a file at the top is called as a workspace's own ones are and filled in, or speaks of agent or person."""
    text = read_head(home / name, _READ) if _OWN_WORD.fullmatch(name) else ""
    if _FILLED_IN.search(text) and not (name == "SECURITY.md" and _POLICY.search(text)):
        return True
    return _is_about_agent(home, name)


def _is_mentioned(home: Path, path: str) -> bool:
    """Whether the workspace's own files tell of a document, by its path or as one of many."""
    return _is_agent_sent_to(home, path) or _is_one_of_each(home, path)


def _is_agent_sent_to(home: Path, path: str) -> bool:
    """Whether the agent is sent to a document, or to one beside it in a directory of notes about one thing."""
    named = _find_named_documents(home)
    folder = path.rpartition("/")[0]
    if path.partition("/")[0].lower() in _MADE or _introduces_program(home, path):
        # What an agent made is named wherever its outcome is told.
        return path in named and path in _find_urged_documents(home, _stamp_files(home, _list_own_files(home)))
    if path in named or folder.lower() in _OF_MANY:
        return path in named
    return any(name.rpartition("/")[0] == folder for name in named) and not count_programs(home / folder)


def _introduces_program(home: Path, path: str) -> bool:
    folder, _slash, name = path.rpartition("/")
    return _strip_agent_name(name).lower() == "readme.md" and "package.json" in list_directory_names(home / folder)


def _leads_to_document(home: Path, path: str) -> bool:
    """Whether a document that the agent is sent to stands in a directory or below."""
    if any(name.startswith(f"{path}/") for name in _find_named_documents(home)):
        return True
    for base, end in _list_document_sets(home):
        if base.startswith(f"{path}/"):
            return True
        if path.startswith(base) and end != _ANY:
            below = path[len(base) :].partition("/")[2]
            if not below or end.startswith(f"{below}/"):
                return True
    return False


def _is_one_of_each(home: Path, path: str) -> bool:
    """Whether the workspace's own files say that there is such a document for every client, project or person."""
    for base, end in _list_document_sets(home):
        if path.startswith(base):
            one, _, below = path[len(base) :].partition("/")
            if below == end or (end == _ANY and not below and one.rpartition(".")[0] not in _ABOUT):
                return True
    return False


def _list_document_sets(home: Path) -> frozenset[tuple[str, str]]:
    """Directories in which one stands for each of many, and the document that is in it."""
    return _parse_document_sets(home, _stamp_files(home, _list_own_files(home)))


@lru_cache(maxsize=64)
def _parse_document_sets(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for name, _changed in stamps:
        for match in _EACH.finditer(read_head(home / name, _READ)):
            base = _resolve_inside(home, match[1])
            folders = base.lower().rstrip("/").split("/")
            what = match[2] or match[3] or match[4] or ""
            if base[:1] in {"", "."} or not (_MADE | _WRITTEN).isdisjoint(folders) or _EVERY_DAY.search(what):
                continue
            things = folders[-1] in _THINGS
            if match[7]:
                ends = [_ANY] if things and what else []
            else:
                ends = [match[6]] if match[6] else _BARE.findall(match[8])
            for end in ends:
                stem = end.rpartition("/")[2].rpartition(".")[0]
                if end not in _OWN_FILES and stem not in _ABOUT and (things or stem.isupper()):
                    found.add((base, end))
    return frozenset(found)


def _is_capital_name(path: str) -> bool:
    """Whether a document at the top has a name in capitals, as the tool's own have."""
    stem = path.rpartition(".")[0]
    return stem.isascii() and stem.isupper() and "/" not in path and stem not in _ABOUT


def _is_about_agent(home: Path, name: str) -> bool:
    """Whether a document is about how the agent works, though none of the workspace's own files names it."""
    if not _is_capital_name(name) and name != "CHANGELOG.md":
        return False
    text = read_head(home / name, _READ)
    if _ORIGIN.search(text, 0, _TITLE) is not None or sum(own in text for own in _OWN_FILES) > 1:
        return True
    who = _parse_person_names(
        home, _stamp_files(home, tuple(f"{_find_config_directory(home)}{name}" for name in ("IDENTITY.md", "USER.md")))
    )
    title = text.lstrip()[:_TITLE].partition("\n")[0]
    return any(one in title for one in who) or sum(text.count(one, 0, _BEGINNING) for one in who) > 1


@lru_cache(maxsize=64)
def _parse_person_names(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """What the agent and its person are called."""
    matches = (match for name, _changed in stamps for match in _CALLED.finditer(read_head(home / name, _READ)))
    words = (word for match in matches for word in match[1].split())
    stripped = (word.strip("*_`\"'()（）,，.。") for word in words)
    # A short word is a part of others.
    return frozenset(word for word in stripped if len(word) > 3 - 2 * (not word.isascii()) and not word.islower())


def _find_named_documents(home: Path) -> frozenset[str]:
    """The documents of a workspace that its own files name, and that those of them name which are like its own."""
    return _parse_named_documents(home, _stamp_files(home, _list_own_files(home)))


def _stamp_files(home: Path, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """These of the workspace's files, as they are now, to a few milliseconds: as exact as times of files are."""
    return _stamp_files_at(os.fspath(home), names, time.monotonic_ns() >> 22)


@lru_cache(maxsize=8)
def _stamp_files_at(base: str, names: tuple[str, ...], _moment: int) -> tuple[tuple[str, int], ...]:
    stamps = []
    for name in names:
        with suppress(OSError):
            stamps.append((name, os.stat(f"{base}/{name}").st_mtime_ns))
    return tuple(stamps)


@lru_cache(maxsize=64)
def _parse_named_documents(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    found: dict[str, None] = {}
    left = [name for name, _ in stamps]
    while left and len(found) < _FOLLOWED:
        for match in _PATH.findall(read_head(home / left.pop(), _READ)):
            path = _resolve_inside(home, match)
            about = "/" not in path and path.rpartition(".")[0] in _ABOUT
            if path not in {"", *found, *_OWN_FILES} and not about and (home / path).is_file():
                found[path] = None
                if _is_capital_name(path):
                    left.append(path)
    return frozenset(found)


@lru_cache(maxsize=64)
def _find_urged_documents(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """The documents that the workspace's own files tell the agent to go by or to keep up."""
    return frozenset(
        _resolve_inside(home, path)
        for name, _changed in stamps
        for line in read_head(home / name, _READ).splitlines()
        if ".md" in line and _URGED.search(line)
        for path in _PATH.findall(line)
    )


def _resolve_inside(home: Path, path: str) -> str:
    """A path as it is written in a note, relative to the workspace; empty where it leads elsewhere."""
    if path[:1] not in {"/", "~"}:
        return path.removeprefix("./")
    parts = path.split("/")
    for index, name in enumerate(parts[:-1]):
        if name in {home.name, "clawd"} or _is_workspace_name(name):
            return "/".join(parts[index + 1 :])
    return ""


LAYOUT = OpenClaw()
