"""Tools whose homes differ only by where their files stand: each is one entry of `TOOLS`, and memtui only reads them.

An entry says where its home is for the user and in a project, by what files a directory is one, and what each file
is. Patterns are relative to the home: `*` is any name, `**` any directories; the first that matches decides. Loaded
only where one of `layouts.OTHER_USER_SIGNS` or `layouts.OTHER_PROJECT_SIGNS` stands (see `discovery`). Formats as
their documentation and source have them in autumn 2026.
"""

from __future__ import annotations

import json
import os
from fnmatch import translate
from functools import lru_cache
from pathlib import Path

from memtui.core.locale import _n
from memtui.core.model import Home, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.formats import HEAD
from memtui.fs.files import read_head
from memtui.layouts import Layout, LayoutFacts, ToolBadge
from memtui.layouts.claude_md import AGENTS_LAYOUT as AGENTS_MD
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import build_layer_refusal, infer_path_status, is_shipped_rule

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

READ_ONLY = "memtui only reads it: change it with its own tool, or import it (memtui import)"
"""Why nothing is written there, for a person."""

_OWN = Role(Layer.PROFILE, "rule", "notes")
_TOLD = Role(Layer.PROFILE, "rule", "markdown")
_RULE = Role(Layer.KNOWLEDGE, "rule", "notes")
_NOTE = Role(Layer.KNOWLEDGE, "note", "notes")
_FACT = Role(Layer.KNOWLEDGE, "fact", "notes")
_CORE = Role(Layer.CORE, "note", "notes")
_ROWS = Role(Layer.KNOWLEDGE, "note", "store-rows", 0)


class UserPlace(NamedTuple):
    """A directory of the user's that may be a home."""

    path: str
    """Below the user's directory."""
    variable: str = ""
    """The environment variable that moves it."""
    below: str = ""
    """What is added to the variable's value."""


class Arrangement(NamedTuple):
    """One arrangement of a tool's home."""

    signs: tuple[str, ...]
    """Patterns of which one matches a file where a directory is such a home."""
    files: tuple[tuple[str, Role], ...]
    named: frozenset[str] = frozenset()
    """How the directory is called; empty: as it likes."""


class ToolEntry(NamedTuple):
    """A tool, and where it remembers."""

    name: str
    title: str
    badge: tuple[str, str]
    """Its letters and their hue, see `ToolBadge`."""
    forms: tuple[Arrangement, ...]
    user: tuple[UserPlace, ...] = ()
    project: tuple[str, ...] = ()
    """Directories of a project that may be homes."""
    facts: LayoutFacts = LayoutFacts(start_folders=(), profile_folders=(), summary_folders=(), takes_copies=False)


_SHARED = ToolEntry("", "", ("", ""), ()).facts
_BANK = ("projectbrief.md", "projectBrief.md", "productContext.md", "activeContext.md", "systemPatterns.md",
         "techContext.md")  # fmt: skip
_BANK_FILES = (
    ("[pP]roject[bB]rief.md", _FACT), ("productContext.md", _FACT), ("techContext.md", _FACT),
    ("systemPatterns.md", _RULE), ("activeContext.md", _CORE), ("progress.md", _CORE),
    ("decisionLog.md", _NOTE._replace(kind="decision")), ("**/*.md", _NOTE),
)  # fmt: skip
_MEMFS = (("skills/**/*.md", _NOTE._replace(kind="skill", status=Status.SKILL)), ("system/**/*.md", _CORE))

TOOLS = (
    ToolEntry(
        "claude-mem", "claude-mem", ("cm", "orange"),
        (Arrangement(("claude-mem.db",), (("claude-mem.db", _ROWS),)),),
        (UserPlace(".claude-mem", "CLAUDE_MEM_DATA_DIR"),),
        facts=_SHARED._replace(of_all_projects=True, told_to_others=False),
    ),
    ToolEntry(
        "engram", "engram", ("En", "teal"),
        (
            Arrangement(
                ("engram.db", "chunks/*.jsonl.gz"),
                (("engram.db", _ROWS), ("chunks/*.jsonl.gz", _ROWS._replace(parser="packed-rows"))),
            ),
        ),
        (UserPlace(".engram", "ENGRAM_DATA_DIR"),), (".engram",),
        facts=_SHARED._replace(of_all_projects=True, told_to_others=False),
    ),
    ToolEntry("basic-memory", "basic-memory", ("BM", "green"), (Arrangement(("**/*.md",), (("**/*.md", _NOTE),)),),
         (UserPlace("basic-memory", "BASIC_MEMORY_HOME"),)),
    ToolEntry(
        "gemini", "Gemini CLI", ("Ge", "blue"),
        (
            Arrangement(
                ("GEMINI.md", "tmp/*/memory/*.md", "tmp/*/chats/session-*"),
                (
                    ("GEMINI.md", Role(Layer.PROFILE, "note", "markdown")),
                    ("MEMORY.md", Role(Layer.CORE, "note", "markdown")),
                    ("tmp/*/memory/*.md", Role(Layer.CORE, "note", "markdown")),
                    ("tmp/*/chats/session-*.jsonl", Role(Layer.SESSION, "session", "gemini-transcript", HEAD)),
                    ("tmp/*/chats/session-*.json", Role(Layer.SESSION, "session", "gemini-transcript")),
                ),
                frozenset({".gemini"}),
            ),
        ),
        (UserPlace(".gemini", "GEMINI_CLI_HOME", ".gemini"),), (".gemini",),
        facts=_SHARED._replace(of_all_projects=True),
    ),
    ToolEntry(
        "cursor", "Cursor", ("Cu", "violet"),
        (
            Arrangement(
                ("rules/**/*.mdc", "rules/**/*.md", "memories/**/*.md"),
                (
                    ("rules/memtui.mdc", _RULE._replace(status=Status.GENERATED)),
                    ("rules/**/*.mdc", _RULE), ("rules/**/*.md", _RULE), ("memories/**/*.md", _NOTE),
                ),
                frozenset({".cursor"}),
            ),
        ),
        (UserPlace(".cursor"),), (".cursor",),
    ),
    ToolEntry(
        "copilot", "GitHub Copilot", ("GC", "plain"),
        (
            Arrangement(
                ("copilot-instructions.md", "instructions/**/*.instructions.md", "session-state/*/events.jsonl"),
                (
                    ("copilot-instructions.md", _OWN), ("instructions/**/*.instructions.md", _RULE),
                    ("session-state/*/events.jsonl", Role(Layer.SESSION, "session", "copilot-transcript", HEAD)),
                ),
                frozenset({".copilot"}),
            ),
            Arrangement(
                ("copilot-instructions.md", "instructions/**/*.instructions.md"),
                (("copilot-instructions.md", _RULE), ("instructions/**/*.instructions.md", _RULE)),
                frozenset({".github"}),
            ),
        ),
        (UserPlace(".copilot", "COPILOT_HOME"),), (".github",),
    ),
    ToolEntry(
        "opencode", "OpenCode", ("Op", "pink"),
        (
            Arrangement(
                ("AGENTS.md", "opencode.db", "storage/session/*/*.json"),
                (
                    ("AGENTS.md", _TOLD), ("opencode.db", _ROWS),
                    ("storage/session/*/*.json", Role(Layer.SESSION, "session", "opencode-session")),
                ),
            ),
        ),
        (UserPlace(".config/opencode", "XDG_CONFIG_HOME", "opencode"),
         UserPlace(".local/share/opencode", "XDG_DATA_HOME", "opencode")),
        facts=_SHARED._replace(of_all_projects=True),
    ),
    ToolEntry(
        "windsurf", "Windsurf", ("Ws", "teal"),
        (
            Arrangement(("rules/**/*.md",), (("rules/**/*.md", _RULE),), frozenset({".windsurf"})),
            Arrangement(("*.md", "*.pb"), (("global_rules.md", _OWN), ("*.md", _NOTE)), frozenset({"memories"})),
        ),
        (UserPlace(".codeium/windsurf/memories"),), (".windsurf",),
    ),
    ToolEntry(
        "cline", "Cline", ("Ci", "yellow"),
        (
            Arrangement(_BANK, _BANK_FILES),
            Arrangement(
                ("**/*.md", "**/*.txt"), (("**/*.md", _RULE), ("**/*.txt", _RULE)),
                frozenset({".clinerules", "Rules"}),
            ),
        ),
        (UserPlace("Documents/Cline/Rules"),),
        ("memory-bank", "memory_bank", ".memory-bank", "docs/memory-bank", "cline_docs", ".cursor/memory-bank",
         "memory", ".clinerules"),
    ),
    ToolEntry(
        "kiro", "Kiro", ("Ki", "violet"),
        (
            Arrangement(
                ("steering/**/*.md", "specs/*/*.md"),
                (
                    ("steering/**/*.md", _RULE), ("specs/*/tasks.md", _NOTE._replace(kind="todo")),
                    # What is to be so is remembered; how it is drawn up tells of the program.
                    ("specs/*/design.md", _NOTE._replace(status=Status.CODE)), ("specs/*/*.md", _NOTE),
                ),
                frozenset({".kiro"}),
            ),
        ),
        (UserPlace(".kiro", "KIRO_HOME"),), (".kiro",),
    ),
    ToolEntry(
        "letta", "Letta", ("Le", "red"),
        (
            Arrangement(("system/persona.md", "system/human.md"), (*_MEMFS, ("**/*.md", _NOTE)), frozenset({"memory"})),
            Arrangement(
                ("agents/*/memory/**/*.md", "lc-local-backend/memfs/*/memory/**/*.md"),
                tuple(
                    (f"{base}/*/memory/{path}", role)
                    for base in ("agents", "lc-local-backend/memfs")
                    for path, role in (*_MEMFS, ("**/*.md", _NOTE))
                ),
                frozenset({".letta"}),
            ),
            # An agent's memory is a repository of its own, which people keep under any name.
            Arrangement(
                ("system/persona.md", "system/human.md"),
                (*_MEMFS, ("agents/*/system/**/*.md", _CORE), ("**/*.md", _NOTE)),
            ),
        ),
        (UserPlace(".letta", "LETTA_HOME"),), ("",),
        facts=_SHARED._replace(of_all_projects=True, told_to_others=False),
    ),
    ToolEntry("obsidian", "Obsidian", ("Ob", "violet"), (Arrangement(("**/*.md",), (("**/*.md", _NOTE),)),)),
)  # fmt: skip

_MOST = 2000
"""Names that are looked at to say what a directory holds."""
_NEVER = frozenset({"node_modules", "venv", "__pycache__"})
_ABOUT = frozenset({"readme.md", "changelog.md", "license.md", "contributing.md"})
"""What tells of a directory, not of what is remembered."""


@lru_cache(maxsize=512)
def _split(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.split("/"))


@lru_cache(maxsize=512)
def _compile_part(part: str) -> re.Pattern[str]:
    return compile_pattern(translate(part))


def _matches_pattern(parts: tuple[str, ...], pattern: tuple[str, ...], *, beginning: bool = False) -> bool:
    """Whether a path matches; with `beginning`, whether one below it might."""
    if not pattern:
        return not parts
    if not parts:
        return beginning
    if pattern[0] == "**":
        return _matches_pattern(parts, pattern[1:], beginning=beginning) or _matches_pattern(
            parts[1:], pattern, beginning=beginning
        )
    if "*" in pattern[0] or "[" in pattern[0]:
        if _compile_part(pattern[0]).match(parts[0]) is None:
            return False
    elif pattern[0] != parts[0]:
        return False
    return _matches_pattern(parts[1:], pattern[1:], beginning=beginning)


_DATABASES = {"storage": "opencode.db", "chunks": "engram.db"}
"""Where the files of a directory are in a database beside it, too: that one is read."""


class OtherTool(Layout):
    """The layout of one tool of the table."""

    def __init__(self, tool: ToolEntry) -> None:
        self.tool = tool
        self.name = tool.name
        letters, hue = tool.badge
        self.facts = tool.facts._replace(badge=ToolBadge(letters, tool.title, hue))

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The user's own homes, then those of the project's directories, from here up to its root."""
        yield from self.list_of_user(around)
        for folder in iterate_project_directories(around):
            yield from self.list_inside(folder)

    def list_of_user(self, around: Surroundings) -> Iterator[Home]:
        """Where the tool keeps what it knows of its user."""
        user = around.user.resolve()
        for place in self._iterate_places(around):
            reason = self.recognise(place) if os.path.isdir(place) else ""
            if reason:
                path = place.resolve()
                label = f"~/{path.relative_to(user).as_posix()}" if path.is_relative_to(user) else path.name
                yield Home(path, self.name, reason, label, writable=False)

    def list_inside(self, folder: Path) -> Iterator[Home]:
        """The homes that a project's directory holds; none that a link leads out of it to."""
        for inner in self.tool.project:
            path = os.path.join(folder, inner)
            reason = self.recognise(Path(path)) if os.path.isdir(path) and not os.path.islink(path) else ""
            if reason:
                real, label = Path(path).resolve(), f"{folder.name}/{inner}".rstrip("/")
                yield Home(real, self.name, reason, label, str(folder), True, writable=False)

    def _iterate_places(self, around: Surroundings) -> Iterator[Path]:
        for place in self.tool.user:
            path = (
                around.variable(place.variable, around.user / place.path)
                if place.variable
                else around.user / place.path
            )
            if place.variable and place.below and around.env.get(place.variable, "").strip():
                path /= place.below
            yield path
        more = _MORE_PLACES.get(self.name)
        if more is not None:
            yield from more(around)

    def recognise(self, path: Path) -> str:
        """The tool, and the first of the files that its home is known by."""
        known_by = _KNOWN_BY.get(self.name)
        if known_by is not None and not known_by(path):
            return ""
        for form in self._list_arrangements(path):
            if form.named and path.name not in form.named:
                continue
            names = list(_walk(path, form.signs))
            found = [name for name in names if self.role(path, name) is not None]
            said = found[:1]
            if len(found) > 1:
                more = _n("{name} and {count} more", "{name} and {count} more", len(found) - 1)
                said = [more.format(name=found[0])]
            unread = sum(name.endswith(".pb") for name in names)
            if unread:
                said.append(
                    _n(
                        "{count} memory in a form of its own that memtui cannot read",
                        "{count} memories in a form of its own that memtui cannot read",
                        unread,
                    )
                )
            if said:
                return f"{self.tool.title}: {', '.join(said)}"
        return ""

    def _list_arrangements(self, home: Path) -> list[Arrangement]:
        """The arrangements that a directory may have by its name."""
        named = [form for form in self.tool.forms if home.name in form.named]
        return named or [form for form in self.tool.forms if not form.named] or list(self.tool.forms)

    def role(self, home: Path, path: str) -> Role | None:
        """As the first pattern has it that matches; what tells of a directory, or was shipped, is no memory."""
        parts = tuple(path.split("/"))
        if any(part[:1] == "." or part in _NEVER for part in parts):
            return None
        patterns = (known for form in self._list_arrangements(home) for known in form.files)
        role = next((role for pattern, role in patterns if _matches_pattern(parts, _split(pattern))), None)
        database = _DATABASES.get(parts[0])
        if role is None or (database and os.path.isfile(home / database)):
            return None
        if role.status is not Status.ACTIVE or role.layer is Layer.SESSION:
            return role
        if parts[-1].lower() in _ABOUT:
            return role._replace(status=Status.TEMPLATE)
        status = infer_path_status(path)
        if status is Status.ACTIVE and role.kind == "rule" and is_shipped_rule(home, path):
            status = Status.TEMPLATE
        return role._replace(status=status)

    def prune(self, home: Path, path: str) -> bool:
        """Whatever no pattern leads into, and hidden directories."""
        parts = tuple(path.split("/"))
        if parts[-1].startswith(".") or parts[-1] in _NEVER:
            return True
        return not any(
            _matches_pattern(parts, _split(pattern), beginning=True)
            for form in self._list_arrangements(home)
            for pattern, _role in form.files
        )

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """Nothing is written there."""
        raise build_layer_refusal(home, layer, READ_ONLY)

    def read_only(self, path: str) -> str:
        """Everything."""
        return READ_ONLY


def _walk(path: Path, patterns: tuple[str, ...]) -> Iterator[str]:
    """The files below a directory that match one of these, as far as the first so many names."""
    wanted = [_split(pattern) for pattern in patterns]
    left = _MOST
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        folder = waiting.pop(0)
        try:
            with os.scandir(os.path.join(path, *folder)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            left -= 1
            if left < 0:
                return
            parts = (*folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                leads = any(_matches_pattern(parts, pattern, beginning=True) for pattern in wanted)
                if leads and entry.name[0] != "." and entry.name not in _NEVER:
                    waiting.append(parts)
            elif any(_matches_pattern(parts, pattern) for pattern in wanted) and entry.is_file(follow_symlinks=False):
                yield "/".join(parts)


_CONFIG = 1 << 20


def _read_json(file: Path) -> dict[str, object]:
    try:
        with open(file, "rb") as opened:
            found = json.loads(opened.read(_CONFIG))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _list_basic_memory(around: Surroundings) -> Iterator[Path]:
    """The projects of its config: a path each, or an object with one."""
    folder = around.variable("BASIC_MEMORY_CONFIG_DIR", around.user / ".basic-memory")
    projects = _read_json(folder / "config.json").get("projects")
    for told in projects.values() if isinstance(projects, dict) else ():
        path = told.get("path") if isinstance(told, dict) else told
        if isinstance(path, str) and path:
            yield Path(path.replace("~", str(around.user), 1) if path.startswith("~") else path)


_AGENTS_FOLDER = compile_pattern(
    r"(?:[\d._ -]{0,6})(?:(?:ai|agents?|llm|claude|claude[ _-]?code|codex|cursor|gemini|chatgpt|copilot)"
    r"(?:[ _-]?(?:memory|memories|notes|knowledge|context|brain))?|(?:agent|ai)?[ _-]?memor(?:y|ies)|智能体|记忆)",
    2,
)
"""How a vault's folder is called that holds agents' notes."""
_VAULT_DEPTH = 2


def _list_vaults(around: Surroundings) -> Iterator[Path]:
    """The agents' folders of the vaults that the program knows, and of the one around the current directory."""
    configs = (
        around.variable("XDG_CONFIG_HOME", around.user / ".config") / "obsidian/obsidian.json",
        around.user / "Library/Application Support/obsidian/obsidian.json",
    )
    roots: list[Path] = []
    for config in configs:
        vaults = _read_json(config).get("vaults")
        for vault in vaults.values() if isinstance(vaults, dict) else ():
            path = vault.get("path") if isinstance(vault, dict) else None
            roots += [Path(path)] if isinstance(path, str) and path else []
    roots += iterate_project_directories(around)
    for root in dict.fromkeys(roots):
        if (root / ".obsidian").is_dir():
            yield from _list_agents_folders(root, _VAULT_DEPTH)


def _list_agents_folders(folder: Path, depth: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as found:
            names = sorted(
                entry.name for entry in found if entry.name[0] != "." and entry.is_dir(follow_symlinks=False)
            )
    except OSError:
        return
    for name in names[:_MOST]:
        if _AGENTS_FOLDER.fullmatch(name):
            yield folder / name
        elif depth > 1:
            yield from _list_agents_folders(folder / name, depth - 1)


_LOOKED_INTO = 4


def _is_basic_memory(path: Path) -> bool:
    """A directory of that name, or one most of whose first notes have permalinks, which the pages of a website, that
    have a `layout`, do too."""
    if path.name == "basic-memory":
        return True
    names = [name for name, _number in zip(_walk(path, ("*.md", "*/*.md")), range(_LOOKED_INTO), strict=False)]
    heads = [read_head(path / name, 2000).split("\n---", 1)[0] for name in names]
    return 2 * sum("\npermalink:" in head and "\nlayout:" not in head for head in heads) > len(heads)


def _is_agents_folder(path: Path) -> bool:
    return bool(_AGENTS_FOLDER.fullmatch(path.name)) and any(
        (above / ".obsidian").is_dir() for above in path.parents[:_VAULT_DEPTH]
    )


def _is_memory_of_letta(path: Path) -> bool:
    """A directory where Letta has them, or one of its repositories: blocks have a description each."""
    if path.name in {"memory", ".letta"} or os.path.isdir(path / ".letta"):
        return True
    heads = (read_head(path / "system" / name, 2000) for name in ("persona.md", "human.md"))
    return any(head.startswith("---") and "\ndescription:" in head.split("\n---", 1)[0] for head in heads)


_MORE_PLACES = {"basic-memory": _list_basic_memory, "obsidian": _list_vaults}
_KNOWN_BY: dict[str, Callable[[Path], bool]] = {
    "basic-memory": _is_basic_memory,
    "obsidian": _is_agents_folder,
    "opencode": lambda path: (
        path.name == "opencode" or any(os.path.exists(path / name) for name in ("opencode.db", "storage/session"))
    ),
    "windsurf": lambda path: path.name == ".windsurf" or path.parent.name == "windsurf",
    "cline": lambda path: path.name != "Rules" or path.parent.name == "Cline",
    "letta": _is_memory_of_letta,
}
"""What a directory must be besides, where names and files would not tell."""

BY_NAME: dict[str, Layout] = {
    "agents_md": AGENTS_MD,
    **{tool.name.replace("-", "_"): OtherTool(tool) for tool in TOOLS},
}
