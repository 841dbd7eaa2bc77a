"""Claude Code's auto memory and transcripts: one home a directory under `<config>/projects/`.

Each project is a home of its own, because its memories and sessions belong together. Memory directories
elsewhere are found too: a committed `.claude/memory/`, `memory/` beside the code, and what
`autoMemoryDirectory` names. CLAUDE.md, rules and the memory of sub-agents are the layout `claude_md`. Opened at
the configuration directory itself, all of it is one home.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import lru_cache
from pathlib import Path

from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.core.model import WHOLE, Home, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats import HEAD
from memtui.fs.files import read
from memtui.layouts import LOADER, Layout, LayoutFacts, ToolBadge, claude_md, load_layout
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import TRANSCRIPT, build_layer_refusal, infer_path_status, list_directory_names, place
from memtui.layouts.tracks import (
    derive_project_name,
    derive_slug_name,
    find_claude_configs,
    fold,
    holds_markdown,
    is_path_slug,
    is_session,
    iterate_memory_directories,
    iterate_projects,
    read_project,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

_CORE = Role(Layer.CORE, "note", "markdown")
_TOPIC = Role(Layer.KNOWLEDGE, "topic", "markdown")
_JOURNAL = Role(Layer.JOURNAL, "note", "journal")
_FACTS = Role(Layer.KNOWLEDGE, "fact", "facts")
_JSON = Role(Layer.KNOWLEDGE, "note", "json")
_SESSION = Role(Layer.SESSION, "session", "claude-transcript", HEAD)

_DATED = compile_pattern(r"\d{4}-?\d\d-?\d\d")
_FOREIGN = frozenset({
    "SOUL.md", "AGENTS.md", "IDENTITY.md", "HEARTBEAT.md", "USER.md", "NOTES.md", "memory_summary.md", "context.md",
    "raw_memories.md", "daily", "sessions", "areas", "memory", "evolution", "user", "modules", "pyproject.toml",
    "package.json", "Cargo.toml", "go.mod", ".git", ".claude",
})  # fmt: skip
_REMEMBERING = frozenset({
    "memory", "memories", "knowledge", "notes", "journal", "daily", "people", "areas", "facts", "lessons", "learnings",
})  # fmt: skip
"""Directories of a configuration in which somebody keeps what is to be remembered."""
_NO_TOPICS = frozenset({"MEMORY.md", "README.md", "CHANGELOG.md"})
_MACHINERY = frozenset({
    "todos", "shell-snapshots", "statsig", "plugins", "file-history", "debug", "session-env", "ide", "cache",
    "backups", "tasks", "telemetry", "paste-cache", "image-cache", "downloads", "local", "commands", "agents",
    "skills", "hooks", "scripts", "output-styles", "plans", "teams", "logs", "usage-data", "jobs", "uploads",
    "sessions", "subagents", "tool-results", "worktrees", "node_modules",
})  # fmt: skip


class Claude(Layout):
    """Auto memory and transcripts."""

    name = "claude"
    facts = LayoutFacts(
        badge=ToolBadge("Cl", "Claude", "orange"),
        takes_copies=False,
        projects_folder="projects",
        rule_files=((LOADER, claude_md.LOADER_BASES),),
        told_to_others=False,
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The current project's, the others', and memory directories that stand elsewhere."""
        folders = list(iterate_project_directories(around))
        roots = list(dict.fromkeys([*folders, *around.projects]))
        configs = [config for config in find_claude_configs(around) if config.is_dir()]
        for config in configs:
            chosen = around.env.get("CLAUDE_CODE_PROJECT_DIR_NAME", "").strip()
            for found in iterate_projects(config):
                path = found.path.resolve()
                # A name cannot be turned back into a path, but one of ours may be what it was made from.
                made_from = next((str(root) for root in roots if fold(str(root)) == fold(path.name)), "")
                about = found.cwd or made_from
                name = derive_project_name(about) if about else derive_slug_name(path)
                current = found.path.name == chosen or found.belongs(roots, around.user)
                about = about or path.name
                yield Home(path, self.name, found.reason, name, about, current, os.access(path, os.W_OK))
            for path, where in iterate_memory_directories(config, folders, around.user):
                if holds_markdown(path):
                    yield self._build_home_elsewhere(path, "named by autoMemoryDirectory", where)
        own = {config.resolve() for config in configs}
        for folder in folders:
            if (folder / ".claude").resolve() not in own and holds_markdown(folder / ".claude" / "memory"):
                yield self._build_home_elsewhere(folder / ".claude" / "memory", "memory kept with the project", folder)
            if _has_topics(folder / "memory"):
                beside = "MEMORY.md and its topic files beside the code"
                yield self._build_home_elsewhere(folder / "memory", beside, folder)

    def _build_home_elsewhere(self, path: Path, reason: str, folder: Path | None) -> Home:
        path = path.resolve()
        label = path.parent.name if folder is None else folder.name
        project = "" if folder is None else str(folder)
        return Home(path, self.name, reason, label, project, folder is not None, os.access(path, os.W_OK))

    def recognise(self, path: Path) -> str:
        """A configuration directory, a project's, or a directory of topic files."""
        if _is_configuration(path):
            return _("Claude Code's own directory, with its projects")
        found = read_project(path)
        if found is not None:
            named = path.parent.name == "projects" and is_path_slug(path.name)
            if named or (found.transcripts and any(map(is_session, list_directory_names(path)))):
                return found.reason
        if path.parent.name in {"agent-memory", "agent-memory-local"} and holds_markdown(path):
            return _("what the sub-agent {name} remembers").format(name=path.name)
        kept = path.parent.name == ".claude" or is_path_slug(path.parent.name)
        if path.name == "memory" and kept and holds_markdown(path):
            whose = path.parent.parent if path.parent.name == ".claude" else path.parent
            return _("{what} of {whose}").format(what=_("auto memory"), whose=whose.name)
        return _("MEMORY.md and its topic files") if _has_topics(path) else ""

    def label(self, path: Path) -> str:
        """The project's own name, as its transcripts tell it."""
        if _is_configuration(path):
            return path.name
        folder = path.parent if path.name == "memory" else path
        found = read_project(folder)
        if found is not None and found.cwd:
            return derive_project_name(found.cwd)
        return derive_slug_name(folder) if is_path_slug(folder.name) else ""

    def roots(self, home: Home, user: str) -> tuple[Path | None, ...]:
        """As its transcripts tell it; of memory that is kept with the project, the directory around `.claude`."""
        if not home.project:
            told = read_project(home.path.parent if home.path.name == "memory" else home.path)
            if told is not None and told.cwd:
                return (Path(told.cwd),)
        if home.path.name == "memory" and home.path.parent.name == ".claude":
            above = home.path.parent.parent
            return (above if str(above) != user else None,)
        return ()

    def role(self, home: Path, path: str) -> Role | None:
        """MEMORY.md is core, other Markdown a topic, a session's file its head; sub-agents' files are no sessions."""
        first, _, rest = path.partition("/")
        if rest or first == "CLAUDE.md":
            if first == "projects":
                slug, _, path = rest.partition("/")
                found = self._find_project_role(path) if path else None
                return found._replace(project=slug) if found else None
            if first in {"rules", "CLAUDE.md", "agent-memory"} and _is_configuration(home):
                return claude_md.LAYOUT.role(home, path)
            if first == "memory" and _is_configuration(home):
                return load_layout("code_memory").role(home / "memory", rest)
            if rest and _is_configuration(home):
                # A repository of it has documents and examples beside what it remembers.
                found = self._find_project_role(path)
                standing = infer_path_status(path)
                if standing is Status.ACTIVE and first.lower() not in _REMEMBERING:
                    standing = Status.CODE
                return found and found._replace(status=standing)
        return self._find_project_role(path)

    def _find_project_role(self, path: str) -> Role | None:
        name = path.rpartition("/")[2]
        if name.startswith("."):
            return None
        if name.endswith(".md"):
            if name == "MEMORY.md":
                return _CORE
            if name == "SKILL.md":
                return _TOPIC._replace(kind="skill", status=Status.SKILL)
            if name == "README.md":
                # It tells what such a directory is for.
                return _TOPIC._replace(kind="note", status=Status.TEMPLATE)
            return _JOURNAL if _DATED.match(name) else _TOPIC
        if name.endswith(".jsonl"):
            return _SESSION if "/" not in path and not name.startswith("agent-") else None
        if name.endswith(".json"):
            if name == "facts.json":
                return _FACTS
            return _JSON if path.startswith("memory/") else None
        return None

    def prune(self, home: Path, path: str) -> bool:
        """What Claude Code keeps for itself: sessions' own directories, caches, plugins."""
        parts = path.split("/")
        last = parts[-1]
        if last.startswith(".") or is_session(last):
            return True
        if parts[0] == "projects":
            return len(parts) == 3 and last != "memory"
        return len(parts) == 1 and last in _MACHINERY

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """A topic file of its own and its line in MEMORY.md; a MEMORY.md that is no index takes list items itself."""
        if layer not in {Layer.CORE, Layer.KNOWLEDGE}:
            raise build_layer_refusal(
                home, layer, "Claude remembers by topic; what a person tells it stands in CLAUDE.md"
            )
        if _is_configuration(home.path):
            raise build_layer_refusal(home, layer, "a memory belongs to one project: open that project's own directory")
        inside = "" if home.path.name == "memory" or (home.path / "MEMORY.md").is_file() else "memory/"
        if layer is Layer.CORE and not is_index(home.path, f"{inside}MEMORY.md"):
            return place(home, f"{inside}MEMORY.md", draft, layer)
        return place(home, allocate_topic_path(home.path, inside, draft), draft, Layer.KNOWLEDGE, "topic")

    def read_only(self, path: str) -> str:
        """Transcripts."""
        return TRANSCRIPT if path.endswith(".jsonl") else ""


@lru_cache(maxsize=256)
def _is_configuration(path: Path) -> bool:
    """Whether it is a configuration directory: it has `projects/` with directories named as Claude names them."""
    return any(map(is_path_slug, list_directory_names(path / "projects")))


def _has_topics(path: Path) -> bool:
    """MEMORY.md with topic files beside it, and nothing that is another layout's or a project's."""
    names = set(list_directory_names(path))
    if "MEMORY.md" not in names or names & _FOREIGN:
        return False
    return any(name.endswith(".md") and name not in _NO_TOPICS and not _DATED.search(name) for name in names)


_LINE = compile_pattern(rb"^\s*[-*+]\s+\[[^\]\n]+\]\([^)\n]+\.md\)", re.MULTILINE)
_ODD = compile_pattern(r"[^\w]+")
_LONGEST = 48
_TAKEN = frozenset({"memory", "readme", "index", "changelog", "claude", "con", "prn", "aux", "nul"})


def is_index(home: Path, path: str) -> bool:
    """Whether MEMORY.md lists topic files, or is not there yet."""
    try:
        data = read(home, path, WHOLE)[0]
    except FileNotFoundError:
        return True
    except (MemtuiError, OSError):
        return False
    return not data.strip() or _LINE.search(data) is not None


def allocate_topic_path(home: Path, folder: str, draft: Draft) -> str:
    """The path of a new topic's file: named for its title, and never a name that is there in any case or form."""
    taken = {unicodedata.normalize("NFC", name).casefold() for name in list_directory_names(home / folder)}
    name = slugify_title(draft.title or draft.text)
    for number in range(1, len(taken) + 2):
        tried = f"{name}.md" if number == 1 else f"{name}-{number}.md"
        if tried.casefold() not in taken:
            return f"{folder}{tried}"
    raise AssertionError("more names than files")


def slugify_title(title: str) -> str:
    """A title as a file's name: its words, lower case, joined by '-'; letters of any script stay."""
    words = _ODD.sub(" ", unicodedata.normalize("NFC", title.strip().split("\n")[0]).lower()).replace("_", " ").split()
    found = ""
    for word in words:
        if found and len(found) + len(word) >= _LONGEST:
            break
        found = f"{found}-{word}" if found else word
    found = found[:_LONGEST].strip("-")
    while len(found.encode("utf-8", "replace")) > 120:
        found = found[:-1]
    return f"{found}-notes" if found in _TAKEN else found or "memory-topic"


LAYOUT = Claude()
