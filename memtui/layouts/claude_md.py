"""What Claude Code is told rather than remembers: CLAUDE.md, rules, and the memory of sub-agents.

One home for the user (`<config>/`) and one for each directory of the project that has any of it. It is apart
from the auto memory because these files belong to the directory they stand in, not to one derived from a
project's name.

What a project tells any agent: AGENTS.md, and at its root GEMINI.md and the rules that older tools keep in one file.

A project with CLAUDE.md has these in the home `claude_md`, whose reading this is: the same files, packages with an
AGENTS.md of their own, and the documents of the state of work that they name. memtui only reads it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from memtui.core.locale import _
from memtui.core.model import Home, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.dates import find_day
from memtui.fs.files import read_head
from memtui.layouts import AREA_BASES, LAYOUTS, LOADER, Layout, LayoutFacts, ToolBadge, load_layout
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import (
    BUILT,
    TOLD_FILES,
    build_layer_refusal,
    infer_path_status,
    infer_told_status,
    infer_work_kind,
    place,
)
from memtui.layouts.tracks import find_claude_configs, holds_markdown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings


_TOLD = Role(Layer.PROFILE, "rule", "markdown")
_RULE = Role(Layer.KNOWLEDGE, "rule", "markdown")
_CORE = Role(Layer.CORE, "note", "markdown")
_TOPIC = Role(Layer.KNOWLEDGE, "topic", "markdown")
_READ_TOO = Role(Layer.KNOWLEDGE, "rule", "markdown")
_DAY = Role(Layer.JOURNAL, "note", "journal")
_NOTE = Role(Layer.KNOWLEDGE, "note", "markdown")

_FILES = ("CLAUDE.md", "CLAUDE.local.md")
LOADER_BASES = ("", *(f"{own}memory/{base}" for own in ("", ".claude/") for base in AREA_BASES[:2]))
"""Where the paths in rules that lead to documents may begin, read from Claude Code's own directory or a project."""
_WORK_PATH = compile_pattern(r"(?<![\w/.:-])(?:\.{1,2}/){0,4}((?:[\w.-]{1,60}/){0,6}[\w-][\w.-]{0,60}\.md)\b")
_TELLING = ("rules", "agents", "commands", "memory")
"""Directories in `.claude` in which what a project is to do and what is known of it stands."""
_TELLERS = 64
"""Documents of each of them that are looked into."""
_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", "CLAUDE.local.md")
_WORK_FOLDER = compile_pattern(r"`(?:\./)?((?:[\w-]{1,60}/){1,3})`")
"""A directory of the project that its instructions name."""
_DOCUMENTS = frozenset({"docs", "doc", "documentation", "documents", "文档"})
"""Where a program is described: a log among its documents makes none of the others notes."""
_LOGGED = 24
"""Documents of a directory from which on it is no agent's few notes."""
_DESIGN = 12_000
"""Bytes from which a plan in which nothing is ticked, struck or waited for is a design that somebody reads once."""
_TICKED = compile_pattern(
    r"\[[ xX√✓-]\]|[✅☑✔⏳🔄🚧❌⬜]|~~|\b(?:status|done|in progress|todo)\b\s*[:*|]|状态|已完成|待办", 2
)
_PLANS = compile_pattern("план|计划|計畫|方案")
_AGENTS = frozenset({"agent-memory", "agent-memory-local"})
_FOLDERS = frozenset({"rules", *_AGENTS})
_DOCS = "docs"
_DIARIES = frozenset({"journal", "journals", "diary"})
_TOOLS = frozenset({
    "memory", "projects", "skills", "commands", "agents", "hooks", "plugins", "templates", "docs", "scripts", "cache",
    "output-styles", "worktrees", "tests",
})  # fmt: skip
"""What stands in `.claude` for other readers than this layout, or is nobody's notes."""
_INCLUDED = compile_pattern(r"(?<![\w/.-])@(?:\./)?((?:[\w.-]{1,60}/){0,6}[\w.-]{1,80}\.md)\b")
_HIDDEN = compile_pattern(r"(?<![\w/.-])(\.[a-z][\w-]{1,30}/(?:[\w.-]{1,60}/){0,4}[\w.-]{1,80}\.md)\b")
_SENT_TO = compile_pattern(
    r"[^\n]*(?:(?:先|必须|必須|务必|務必|首先)[^\n。，,]{0,12}(?:读|讀|看)|\b(?:always|first|must|before)\b[^\n]{0,80}\bread\b|"
    r"\bread\b[^\n]{0,80}\b(?:always|first|before)\b)[^\n]*",
    2,
)
_NAMED = compile_pattern(r"`(?:\./)?([A-Z][A-Z0-9_-]{1,60}\.md)`")
"""What instructions include, what they name in hidden directories, where no document of the project stands, and the
files by their capitals that they tell an agent to read before all else."""
_ORDERED = compile_pattern(
    r"^[\s>*+-]*(?:\d+[.)]\s+)?(?:read|读取?|阅读)\s+`?(?:\./)?((?:[\w-][\w.-]{0,60}/){0,4}[\w-][\w.-]{0,60}\.md)`?\s*$",
    2 | 8,
)
"""A line that does nothing but tell an agent to read a file."""
_MEMORY = "memory"
_SPEAKS_OF = compile_pattern(r"(?<![\w/.-])(?:\./)?memory/(?!bank)")
"""Instructions that say what is kept in the project's `memory/`."""


_KNOWN = frozenset({*_FILES, "AGENTS.md", "GEMINI.md", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE.md"})


class ClaudeMd(Layout):
    """Instructions and sub-agents' memory."""

    name = "claude_md"
    facts = LayoutFacts(
        badge=ToolBadge("Cl", "Claude", "orange"),
        title="CLAUDE.md",
        rule_files=((LOADER, LOADER_BASES), (f".claude/{LOADER}", LOADER_BASES)),
        own_project="marked",
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The user's, and the project's from here up to its root."""
        configs = [config.resolve() for config in find_claude_configs(around) if config.is_dir()]
        for config in configs:
            reason = _describe_contents(config)
            if reason:
                yield Home(config, self.name, reason, _label(config, around), writable=os.access(config, os.W_OK))
        for folder in iterate_project_directories(around):
            own = folder / ".claude"
            mine = "" if own.resolve() in configs else _describe_contents(own)
            told = [name for name in _FILES if (folder / name).is_file()]
            if (not mine and not told) or (not mine and told == ["CLAUDE.md"] and self._covered(folder)):
                continue
            reason = ", ".join(
                [*told, *([_("{names} under {place}").format(names=mine, place=".claude")] if mine else [])]
            )
            # A directory is one home: where another layout has taken it, only .claude is left to this one.
            taken = _is_claimed(folder, around)
            if taken and not mine:
                continue
            path = own if taken else folder
            yield Home(path.resolve(), self.name, reason, folder.name, str(folder), True, os.access(path, os.W_OK))

    def _covered(self, folder: Path) -> bool:
        """Whether the project around a directory reads its instructions with its own."""
        outer = folder.parent
        return _has_instructions(outer) and not self.prune(outer, folder.name)

    def recognise(self, path: Path) -> str:
        """A `.claude` directory, or a project with instructions; a directory of documents is none for a CLAUDE.md."""
        if path.name == ".claude":
            return _describe_contents(path)
        held = _describe_contents(path / ".claude")
        if not held and not any((path / name).is_file() for name in _FILES):
            return ""
        if not is_program(path):
            return ""
        return _("{names} under {place}").format(names=held, place=".claude") if held else "CLAUDE.md"

    def role(self, home: Path, path: str) -> Role | None:
        """CLAUDE.md is the person's own, rules are rules, a sub-agent's MEMORY.md is core and the rest topics."""
        parts = path.removeprefix(".claude/").split("/")
        name = parts[-1]
        if path in TOLD_FILES and home.name != ".claude":
            status = infer_told_status(home, path)
            return None if status is None else _TOLD._replace(status=status)
        if not name.endswith(".md") or name.startswith("."):
            return None
        if len(parts) == 1:
            if name in _FILES or (name == "AGENTS.md" and path == name):
                return _TOLD
            if name in _KNOWN:
                return None
            if path != name or home.name == ".claude":
                # A plugin keeps its settings in `<plugin>.local.md`.
                return None if name.endswith(".local.md") else _TOPIC
            kind = infer_work_kind(name, alone=True)
            if kind:
                return _NOTE._replace(kind=kind)
            if name in _find_named_files(home):
                return _READ_TOO
        if name in ("CLAUDE.md", "AGENTS.md") and not path.startswith(".claude/") and home.name != ".claude":
            # An agent reads it as soon as it works in that directory; the one file, where both are there.
            read = name in _list_instructions(home) and (
                name == "CLAUDE.md" or not _has_instructions((home / path).parent)
            )
            return _TOLD if read else None
        if parts[0] == "rules":
            # Words that lead to documents, as code-memory ships them, are none themselves.
            return _RULE._replace(status=Status.SKILL) if path.endswith(LOADER) else _RULE
        if parts[0] in _AGENTS and len(parts) > 2:
            return (_CORE if name == "MEMORY.md" else _TOPIC)._replace(project=parts[1])
        if parts[0] == "memory" and path.startswith(".claude/"):
            return _CORE if name == "MEMORY.md" else _TOPIC
        own = path.startswith(".claude/") and parts[0] not in _TOOLS
        if (parts[0] in _DIARIES or own) and len(parts) == 2 and find_day(name):
            return _DAY
        if parts[0] == _MEMORY and len(parts) > 1 and home.name != ".claude" and _keeps_memory(home):
            kept = _DAY if find_day(name) else _NOTE._replace(kind=infer_work_kind(name) or "note")
            return kept._replace(status=infer_path_status(path))
        if path not in _find_named_files(home):
            if path not in _work(home) or infer_path_status(path) is not Status.ACTIVE:
                return None
            kept = _NOTE._replace(kind=infer_work_kind(name) or "note")
            return kept._replace(status=Status.CODE) if _is_design(home / path) else kept
        # What is written from records beside it says nothing that its tool would not write again.
        rendered = os.path.isfile(f"{home / path}"[:-2] + "jsonl")
        return _READ_TOO._replace(status=Status.GENERATED) if rendered else _READ_TOO

    def prune(self, home: Path, path: str) -> bool:
        """Everything but rules, sub-agents' memory, diaries, and directories with instructions of their own."""
        if path == ".claude":
            return False
        if path[:1] != "." and home.name != ".claude" and (path in _DIARIES or _leads_to_instructions(home, path)):
            return False
        if self.sends_to(home, path) or (path.partition("/")[0] == _MEMORY and _keeps_memory(home)):
            return False
        parts = path.removeprefix(".claude/").split("/")
        if parts[0] in _FOLDERS | _DIARIES:
            return parts[-1].startswith(".")
        return len(parts) > 1 or not path.startswith(".claude/") or not _has_dated_notes(home / path)

    def sends_to(self, home: Path, path: str) -> bool:
        """Whether the project's instructions name this file, or one in this directory, as something to read or keep."""
        return any(
            name == path or name.startswith(f"{path}/") for names in (_find_named_files, _work) for name in names(home)
        )

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """CLAUDE.md, as a list item: it is the person's own, so no other layer goes there."""
        if layer is not Layer.PROFILE:
            raise build_layer_refusal(home, layer, "CLAUDE.md is what a person tells Claude, a profile")
        path = next((path for path in ("CLAUDE.md", ".claude/CLAUDE.md") if (home.path / path).is_file()), "CLAUDE.md")
        return place(home, path, draft, layer)


_OURS = (".claude/", ".helloagents/", ".agents/", ".github/", ".cursor/")
"""What is read by rules of its own, or by no rule."""
_OTHERS = (
    "memory-bank/", "memory_bank/", ".memory-bank/", "docs/memory-bank/", "cline_docs/", ".clinerules/",
    ".cursor/rules/", ".cursor/memory-bank/", ".github/copilot-instructions.md", ".github/instructions/",
    ".windsurf/rules/", ".kiro/",
)  # fmt: skip
"""What is a home of another layout's: shown there, though Claude is sent to it, too."""


def is_told(folder: Path) -> bool:
    """Whether a directory's instructions are Claude's, so that those for any agent are read with them."""
    return any((folder / name).is_file() for name in _FILES)


def is_program(folder: Path) -> bool:
    """Whether a directory is a program's, or holds no documents but those that every repository has."""
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return not any(name.endswith(".md") and name not in _KNOWN for name in names) or not BUILT.isdisjoint(names)


def _has_instructions(path: Path) -> bool:
    """Whether a directory has instructions of its own."""
    return os.path.isfile(os.path.join(path, "CLAUDE.md"))


def _list_instructions(home: Path) -> tuple[str, ...]:
    """What a directory of this project has its instructions in: AGENTS.md only where the project itself has one."""
    return ("CLAUDE.md", "AGENTS.md") if os.path.isfile(os.path.join(home, "AGENTS.md")) else ("CLAUDE.md",)


def _leads_to_instructions(home: Path, path: str) -> bool:
    """Whether a directory, or one right in it, has instructions of its own: a package among a project's `apps/`."""
    if path.rpartition("/")[2][:1] == ".":
        return False
    names = _list_instructions(home)
    folder = os.path.join(home, path)
    folders = [folder]
    try:
        with os.scandir(folder) as entries:
            folders += [
                entry.path
                for entry in islice(entries, _LOOKED_AT)
                if entry.name[0] != "." and entry.name not in _NOBODYS and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return False
    return any(os.path.isfile(os.path.join(one, name)) for one in folders for name in names)


_LOOKED_AT = 256
_NOBODYS = frozenset({"node_modules", "vendor", "dist", "build", "target", "venv"})


def _find_named_files(home: Path) -> frozenset[str]:
    """The files beside a project's instructions that those send an agent to."""
    stamps: list[tuple[str, int]] = []
    for name in ("CLAUDE.md", "AGENTS.md"):
        try:
            stamps.append((str(home / name), os.stat(home / name).st_mtime_ns))
        except OSError:
            continue
    return _parse_named_files(tuple(stamps))


@lru_cache(maxsize=256)
def _parse_named_files(stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    found: set[str] = set()
    for file, _changed in stamps:
        text = read_head(file, 1 << 17)
        found.update(match[1] for match in _INCLUDED.finditer(text) if not match[1].startswith(_OTHERS))
        found.update(match[1] for match in _HIDDEN.finditer(text) if not match[1].startswith((*_OURS, *_OTHERS)))
        for line in _SENT_TO.finditer(text):
            found.update(match[1] for match in _NAMED.finditer(line[0]))
        found.update(match[1] for match in _ORDERED.finditer(text) if not match[1].startswith((*_OURS, *_OTHERS)))
    return frozenset(found)


def _work(home: Path) -> frozenset[str]:
    """Documents of the state of work that the project's instructions and memories say are kept; docs/TODO.md and its
    like are, whoever names them."""
    own = home if home.name == ".claude" else home / ".claude"
    files = [home / "CLAUDE.md", home / "AGENTS.md", home / "CLAUDE.local.md", own / "CLAUDE.md"]
    files += [own / folder / name for folder in _TELLING for name in sorted(_list_markdown(own / folder))[:_TELLERS]]
    stamps: list[tuple[str, int]] = []
    for file in dict.fromkeys(files):
        try:
            stamps.append((str(file), os.stat(file).st_mtime_ns))
        except OSError:
            continue
    found = frozenset[str]().union(*(_work_named_in(*stamp) for stamp in stamps))
    for folder in frozenset[str]().union(
        *(_parse_named_folders(*stamp) for stamp in stamps if stamp[0].endswith(_INSTRUCTIONS))
    ):
        with suppress(OSError):
            found |= _list_session_logs(home / folder, folder, os.stat(home / folder).st_mtime_ns)
    with suppress(OSError):
        found |= _work_in(home / _DOCS, os.stat(home / _DOCS).st_mtime_ns)
    return found


@lru_cache(maxsize=64)
def _work_in(folder: Path, _changed: int) -> frozenset[str]:
    kinds = ((name, infer_work_kind(name, alone=True)) for name in _list_markdown(folder))
    # A product's own roadmap stands there, too.
    return frozenset(f"{folder.name}/{name}" for name, kind in kinds if kind not in {"", "note"})


@lru_cache(maxsize=1024)
def _work_named_in(file: str, _changed: int) -> frozenset[str]:
    paths = (match[1] for match in _WORK_PATH.finditer(read_head(file, 1 << 17)))
    return frozenset(
        path
        for path in paths
        if path[0] != "." and not path.startswith(_OTHERS) and infer_work_kind(path.rpartition("/")[2])
    )


@lru_cache(maxsize=256)
def _parse_named_folders(file: str, _changed: int) -> frozenset[str]:
    found = (match[1] for match in _WORK_FOLDER.finditer(read_head(file, 1 << 17)))
    return frozenset(
        one.rstrip("/") for one in found if not one.startswith(_OTHERS) and one.partition("/")[0] not in _DOCUMENTS
    )


@lru_cache(maxsize=256)
def _list_session_logs(folder: Path, path: str, _changed: int) -> frozenset[str]:
    """What stands in a directory in which an agent keeps the log of its sessions: that is its own."""
    names = _list_markdown(folder)
    logged = any(infer_work_kind(name, alone=True) == "note" for name in names) and len(names) <= _LOGGED
    return frozenset(f"{path}/{name}" for name in names if name not in _KNOWN) if logged else frozenset()


def _keeps_memory(home: Path) -> bool:
    """Whether the project's `memory/` is its agent's: its instructions speak of it, and documents alone stand there.
    With a MEMORY.md of its own it is a home by itself."""
    folder = os.path.join(home, _MEMORY)
    if not os.path.isdir(folder) or os.path.isfile(os.path.join(folder, "MEMORY.md")):
        return False
    stamps = []
    for path in (folder, *(os.path.join(home, name) for name in _INSTRUCTIONS)):
        with suppress(OSError):
            stamps.append((path, os.stat(path).st_mtime_ns))
    return _speaks_of_memory(tuple(stamps))


@lru_cache(maxsize=256)
def _speaks_of_memory(stamps: tuple[tuple[str, int], ...]) -> bool:
    (folder, _changed), *files = stamps
    with suppress(OSError):
        if any(name.endswith(_PROGRAMS) for name in os.listdir(folder)):
            return False
    return any(_SPEAKS_OF.search(read_head(file, 1 << 17)) for file, _stamp in files)


_PROGRAMS = (".py", ".ts", ".tsx", ".js", ".go", ".rs", ".java", ".kt", ".c", ".cpp", ".h", ".rb", ".cs", ".swift")


def _is_design(file: Path) -> bool:
    """Whether a plan says how something is to be made, and nothing of how far it is."""
    if "plan" not in file.stem.lower() and not _PLANS.search(file.stem):
        return False
    try:
        found = os.stat(file)
    except OSError:
        return False
    return found.st_size >= _DESIGN and _has_no_progress(str(file), found.st_mtime_ns)


@lru_cache(maxsize=1024)
def _has_no_progress(file: str, _changed: int) -> bool:
    return _TICKED.search(read_head(file, 1 << 17)) is None


def _describe_contents(path: Path) -> str:
    """What of ours a configuration directory holds, in words."""
    found = [name for name in _FILES if (path / name).is_file()]
    if holds_markdown(path / "rules"):
        found.append("rules")
    found += [name for name in sorted(_AGENTS) if holds_markdown(path / name)]
    found += [name for name in sorted(_DIARIES) if _has_dated_notes(path / name)]
    if not found and any(name not in _KNOWN for name in _list_markdown(path)):
        found.append("notes")
    return ", ".join(found)


def _list_markdown(folder: Path) -> list[str]:
    """The Markdown that stands right in a directory."""
    try:
        return [name for name in os.listdir(folder) if name.endswith(".md") and name[0] != "."]
    except OSError:
        return []


def _has_dated_notes(folder: Path) -> bool:
    """Whether a directory in `.claude` holds somebody's dated notes."""
    return folder.name not in _TOOLS and any(map(find_day, _list_markdown(folder)))


def _is_claimed(folder: Path, around: Surroundings) -> bool:
    """Whether a layout that is asked before this one makes a home of the project's directory itself."""
    earlier = map(load_layout, LAYOUTS[: LAYOUTS.index("claude_md")])
    return any(home.path == folder for kind in earlier if kind.recognise(folder) for home in kind.find(around))


def _label(path: Path, around: Surroundings) -> str:
    user = around.user.resolve()
    return f"~/{path.relative_to(user).as_posix()}" if path.is_relative_to(user) else path.name


LAYOUT = ClaudeMd()


_READ_ONLY = "it is what a person tells agents: change it in an editor"


class AgentsMd(Layout):
    """Instructions that belong to no one tool."""

    name = "agents_md"
    facts = LayoutFacts(badge=ToolBadge("Ag", "AGENTS.md"), title="AGENTS.md", takes_copies=False, own_project="marked")

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The project's, from here up to its root."""
        for folder in iterate_project_directories(around):
            yield from self.list_inside(folder)

    def list_of_user(self, around: Surroundings) -> Iterator[Home]:
        """None: it belongs to a project."""
        yield from ()

    def list_inside(self, folder: Path) -> Iterator[Home]:
        """The home that a directory is by itself, where no CLAUDE.md stands there and no home around it reads it."""
        told = _list_told(folder)
        if told and not is_told(folder) and not self._covered(folder):
            yield Home(folder.resolve(), self.name, ", ".join(told), folder.name, str(folder), True, writable=False)

    def _covered(self, folder: Path) -> bool:
        """Whether the project around a directory reads its instructions with its own."""
        outer = folder.parent
        return "AGENTS.md" in _list_told(outer) and not self.prune(outer, folder.name)

    def recognise(self, path: Path) -> str:
        """A program's directory with such files; a directory of documents is none for an AGENTS.md."""
        told = _list_told(path)
        return ", ".join(told) if told and not is_told(path) and is_program(path) else ""

    def role(self, home: Path, path: str) -> Role | None:
        """As in a project that has a CLAUDE.md beside them."""
        return LAYOUT.role(home, path)

    def prune(self, home: Path, path: str) -> bool:
        """As there."""
        return LAYOUT.prune(home, path)

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """Nothing is written there."""
        raise build_layer_refusal(home, layer, _READ_ONLY)

    def read_only(self, path: str) -> str:
        """Everything."""
        return _READ_ONLY


def _list_told(folder: Path) -> list[str]:
    """Those of the files that say anything."""
    files = ((name, os.path.join(folder, name)) for name in ("AGENTS.md", *TOLD_FILES))
    return [name for name, file in files if os.path.isfile(file) and os.path.getsize(file)]


AGENTS_LAYOUT = AgentsMd()
