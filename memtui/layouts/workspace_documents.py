"""What an OpenClaw workspace's own files are, and the documents that they send its agent to.

A workspace holds whole projects beside its memories. Which document is kept up as a memory, and which was made once,
its own files say: SOUL.md, AGENTS.md and the others name what is to be read, updated or gone by.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import lru_cache

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.dates import find_day
from memtui.fs.files import read_head
from memtui.layouts.roles import count_programs, list_directory_names

if TYPE_CHECKING:
    from pathlib import Path

TELLING = ("SOUL.md", "IDENTITY.md", "HEARTBEAT.md", "BOOTSTRAP.md", "TOOLS.md", "USER.md", "AGENTS.md")
OWN_FILES = (*TELLING, "MEMORY.md")
ABOUT = frozenset({"README", "CHANGELOG", "LICENSE", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT"})
"""Files that tell strangers of a repository."""
MADE_ONCE = compile_pattern(
    r"(?:^|[-_. ])(?:prd|specs?|manual|guides?|guidelines|quick[-_ ]?start|checklist|outline|verification|audit|"
    r"reports?|architecture|competitors?|documentation)(?:[-_. \d]|$)",
    2,
)
"""What documents are called that are made once, to tell of a product or how something is done: no memories, unless
the agent must go by them."""
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
_READ_FIRST = compile_pattern(r"\b(?:read|always|must|every session)\b|必读|必讀|必须|先读|每次", 2)
_ITEM = compile_pattern(r"\s*(?:[-*+]|\d{1,2}[.)])\s")
"""What a heading says of the documents that are listed below it."""
_TITLE, READ = 400, 1 << 17
_FOLLOWED = 64
"""Documents that are looked into for others that they name."""
MADE = frozenset({"docs", "reports", "research", "scripts"})
"""Directories of what an agent made for its person, and of how it makes it: to be found, no memories."""
_OF_MANY = MADE | {"projects"}
"""Directories whose documents have nothing to do with each other."""
LEARNT = frozenset({".learnings", "self-improving", ".self-improving", "proactivity", ".proactivity"})
"""Directories in which skills have the agent keep what it learnt, hidden ones too."""
PLACES = frozenset({
    "memory", "skills", "notes", "knowledge", "life", "areas", "sessions", "daily", "docs", "journal", "people",
    "research", "ideas", "archive", "reports", "tasks", "diary", "memories", "learnings", "workflows", "playbooks",
    "brainstorms", "sprints", "goals", "meetings", "rules", "queue", "shared", *LEARNT,
})  # fmt: skip


def is_workspace_name(name: str) -> bool:
    """Whether a directory in OpenClaw's own is called as a workspace."""
    return name == "workspace" or name.startswith("workspace-")


def has_dailies(path: Path, least: int = 1) -> bool:
    """Whether memory/ has so many dailies."""
    names = list_directory_names(path / "memory")
    return sum(bool(find_day(name)) and name.endswith(".md") for name in names) >= least


@lru_cache(maxsize=64)
def find_config_directory(home: Path) -> str:
    """The directory, `config/`, in which a workspace keeps its own files beside memory/ where none of them stands at
    its top; else empty."""
    if list_personas(home) or not has_dailies(home):
        return ""
    for name in list_directory_names(home):
        inner = home / name
        if name[0] == "." or name.lower() in PLACES or not inner.is_dir():
            continue
        own = [one for one in OWN_FILES if (inner / one).is_file()]
        if len(own) > 2 and own[0] in TELLING[:2] and not (inner / "memory").is_dir():
            return f"{name}/"
    return ""


@lru_cache(maxsize=64)
def _list_own_files(home: Path) -> tuple[str, ...]:
    """The workspace's own files, as paths in it."""
    return tuple(f"{find_config_directory(home)}{name}" for name in OWN_FILES)


def strip_agent_name(name: str) -> str:
    """A file's name without that of the agent whose it is, where several share a workspace: SOUL.news.md."""
    parts = name.split(".")
    return f"{parts[0]}.{parts[-1]}" if len(parts) == 3 else name


def list_personas(path: Path) -> list[str]:
    """The files of a workspace that several agents share, each with files of its own beside memory/."""
    if not (path / "memory").is_dir():
        return []
    with suppress(OSError):
        names = {strip_agent_name(name) for name in os.listdir(path)}
        return [name for name in TELLING if name in names]
    return []


def is_own_document(home: Path, name: str) -> bool:
    """Whether a file at the top is called as a workspace's own ones are and filled in, or speaks of agent or person."""
    text = read_head(home / name, READ) if _OWN_WORD.fullmatch(name) else ""
    if _FILLED_IN.search(text) and not (name == "SECURITY.md" and _POLICY.search(text)):
        return True
    return _is_about_agent(home, name)


def is_mentioned(home: Path, path: str) -> bool:
    """Whether the workspace's own files tell of a document, by its path or as one of many."""
    return _is_agent_sent_to(home, path) or _is_one_of_each(home, path)


def _is_agent_sent_to(home: Path, path: str) -> bool:
    """Whether the agent is sent to a document, or to one beside it in a directory of notes about one thing."""
    named = find_named_documents(home)
    folder = path.rpartition("/")[0]
    name = path.rpartition("/")[2]
    of_program = strip_agent_name(name).lower() == "readme.md" and "package.json" in list_directory_names(home / folder)
    if path.partition("/")[0].lower() in MADE or of_program:
        # What an agent made is named wherever its outcome is told.
        return path in named and is_agent_urged_to(home, path)
    if path in named or folder.lower() in _OF_MANY:
        return path in named
    return any(name.rpartition("/")[0] == folder for name in named) and not count_programs(home / folder)


def is_agent_urged_to(home: Path, path: str) -> bool:
    """Whether a line of the workspace's own files has the agent go by a document or keep it up."""
    return path in _find_urged_documents(home, _stamp_files(home, _list_own_files(home)))


def is_above_document(home: Path, path: str) -> bool:
    """Whether a document that the agent is sent to stands in a directory or below."""
    if any(name.startswith(f"{path}/") for name in find_named_documents(home)):
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
            if below == end or (end == _ANY and not below and one.rpartition(".")[0] not in ABOUT):
                return True
    return False


def _list_document_sets(home: Path) -> frozenset[tuple[str, str]]:
    """Directories in which one stands for each of many, and the document that is in it."""
    return _parse_document_sets(home, _stamp_files(home, _list_own_files(home)))


@lru_cache(maxsize=64)
def _parse_document_sets(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for name, _changed in stamps:
        for match in _EACH.finditer(read_head(home / name, READ)):
            base = _resolve_inside(home, match[1])
            folders = base.lower().rstrip("/").split("/")
            what = match[2] or match[3] or match[4] or ""
            if base[:1] in {"", "."} or not (MADE | _WRITTEN).isdisjoint(folders) or _EVERY_DAY.search(what):
                continue
            things = folders[-1] in _THINGS
            if match[7]:
                ends = [_ANY] if things and what else []
            else:
                ends = [match[6]] if match[6] else _BARE.findall(match[8])
            for end in ends:
                stem = end.rpartition("/")[2].rpartition(".")[0]
                if end not in OWN_FILES and stem not in ABOUT and (things or stem.isupper()):
                    found.add((base, end))
    return frozenset(found)


def _is_capital_name(path: str) -> bool:
    """Whether a document at the top has a name in capitals, as the tool's own have."""
    stem = path.rpartition(".")[0]
    return stem.isascii() and stem.isupper() and "/" not in path and stem not in ABOUT


def _is_about_agent(home: Path, name: str) -> bool:
    """Whether a document is about how the agent works, though none of the workspace's own files names it."""
    if not _is_capital_name(name) and name != "CHANGELOG.md":
        return False
    text = read_head(home / name, READ)
    if _ORIGIN.search(text, 0, _TITLE) is not None or sum(own in text for own in OWN_FILES) > 1:
        return True
    who = _parse_person_names(
        home, _stamp_files(home, tuple(f"{find_config_directory(home)}{name}" for name in ("IDENTITY.md", "USER.md")))
    )
    title = text.lstrip()[:_TITLE].partition("\n")[0]
    return any(one in title for one in who) or sum(text.count(one, 0, _BEGINNING) for one in who) > 1


@lru_cache(maxsize=64)
def _parse_person_names(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """What the agent and its person are called."""
    matches = (match for name, _changed in stamps for match in _CALLED.finditer(read_head(home / name, READ)))
    words = (word for match in matches for word in match[1].split())
    stripped = (word.strip("*_`\"'()（）,，.。") for word in words)
    # A short word is a part of others.
    return frozenset(word for word in stripped if len(word) > 3 - 2 * (not word.isascii()) and not word.islower())


def find_named_documents(home: Path) -> frozenset[str]:
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
        for match in _PATH.findall(read_head(home / left.pop(), READ)):
            path = _resolve_inside(home, match)
            about = "/" not in path and path.rpartition(".")[0] in ABOUT
            if path not in {"", *found, *OWN_FILES} and not about and (home / path).is_file():
                found[path] = None
                if _is_capital_name(path):
                    left.append(path)
    return frozenset(found)


@lru_cache(maxsize=64)
def _find_urged_documents(home: Path, stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    """The documents that the workspace's own files tell the agent to go by or to keep up."""
    found: set[str] = set()
    for name, _changed in stamps:
        below = False
        for line in read_head(home / name, READ).splitlines():
            if line.startswith("#"):
                below = _READ_FIRST.search(line) is not None
            if ".md" in line and (_URGED.search(line) or (below and _ITEM.match(line))):
                found.update(_resolve_inside(home, path) for path in _PATH.findall(line))
    return frozenset(found)


def _resolve_inside(home: Path, path: str) -> str:
    """A path as it is written in a note, relative to the workspace; empty where it leads elsewhere."""
    if path[:1] not in {"/", "~"}:
        return path.removeprefix("./")
    parts = path.split("/")
    for index, name in enumerate(parts[:-1]):
        if name in {home.name, "clawd"} or is_workspace_name(name):
            return "/".join(parts[index + 1 :])
    return ""
