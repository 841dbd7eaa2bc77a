"""Which directories are memory homes, and what each file in them is: one file a layout, one line in `LAYOUTS` and its
signs in `_SIGNS`; a tool whose notes are only read is an entry of `other_tools.TOOLS`.

A layout answers: where its homes are for this user and directory (`find`), whether a directory is one
(`recognise`), what a file in it is (`role`), and where a new memory goes (`target`). All but the last use names
and a few existence checks and read no memories.

Floor: above formats, below index; the only package that names a tool. Doors: `LAYOUTS`, `load_layout`,
`discovery.discover_homes`, `discovery.open_home_at`, `home_config`, `trace_sources`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from memtui.core import clock
from memtui.core.errors import RefusedError
from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol, cast, runtime_checkable
from memtui.fs.places import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.core.edits import Draft, Target
    from memtui.core.model import Home, Layer, Role
    from memtui.fs.places import Place


class Surroundings(NamedTuple):
    """Where memtui was started: everything discovery may look at, so that tests can set it all."""

    cwd: Path
    user: Path
    """The user's home directory."""
    env: Mapping[str, str] = MappingProxyType({})
    projects: tuple[Path, ...] = ()
    """The project's own directories: its root first, then other worktrees of the same repository."""
    keys: tuple[str, ...] = ()
    """Names that homes know this project by, as its person configured them."""

    def variable(self, name: str, default: Path) -> Path:
        """A directory named by an environment variable ('~' expanded), else its default."""
        value = self.env.get(name, "").strip()
        if not value:
            return default
        if value == "~" or value.startswith("~/"):
            return self.user / value[2:]
        return Path(value)


LOADER = "rules/memory-loader.md"
"""Rules that lead to documents, as code-memory and whoever copied it call the file."""
AREA_BASES = ("", "areas/", "areas/projects/", "areas/projects/shared-db/")
"""Where the paths in such a file may begin: its own table leaves out areas/, and schema/ stands with the shared
database."""


class Skeleton(NamedTuple):
    """What a new home of a layout begins with."""

    folders: tuple[str, ...]
    kinds: tuple[str, ...]
    """The sections of its MEMORY.md, by what goes into them."""
    title: tuple[str, str] = ("", "")
    """Of its MEMORY.md, in Chinese and in English; where it has no kinds there is no such file."""
    more: tuple[str, ...] = ()
    """Further files, by name: a scratchpad, an index of words, a profile that is there from the first day."""
    chinese: bool = False
    """Its tool writes it in Chinese, whatever its person speaks."""


class Program(NamedTuple):
    """A program of a tool's own, as its rules name it."""

    name: str
    command: str
    """Ours, which answers the same."""
    documents: tuple[str, ...]
    """What it writes, the one that says most first."""


class ToolBadge(NamedTuple):
    """How a tool's memories are told from those of others at a glance: by letters, and by colour besides."""

    letters: str
    """Two cells."""
    name: str
    """As people call the tool."""
    hue: str = "plain"
    """orange, green, red, blue, violet, teal, pink, yellow or plain: a theme knows what that is."""


class LayoutFacts(NamedTuple):
    """What else is so of a layout's homes, as plain data. What a layout does not say is as it stands here."""

    badge: ToolBadge | None = None
    """Its tool, on each row of what it remembers; None: the beginning of the layout's name."""
    title: str = ""
    """How people read the layout's name, where that is no word of theirs."""
    own: bool = False
    """memtui's own arrangement: INDEX.md, the scratchpad and decisions are written there, notes in either form."""
    skeleton: Skeleton | None = None
    """What memtui makes a new home of; None: only its own tool makes one."""
    user_skeleton: Skeleton | None = None
    """The same of the person's own home, where that is another one than a project's."""
    takes_copies: bool = True
    """Whether memories of other homes are copied to it; not where each is several writes, for an index or a database
    beside them."""
    readable: tuple[str, ...] = ()
    """How the files end that agents may read, where they may read no others."""
    index_place: str = ""
    """Where its own tool puts an index, and how the file's name begins ('index/memory'): memtui's goes there, too."""
    config: frozenset[str] = frozenset()
    """What memtui obeys of the home's own config.json: 'memory' (spec 001), 'distill' and 'load' (spec 004)."""
    off_switch: str = ""
    """The file beside the home that switches it off for as long as it is there."""
    summary_form: str = ""
    """The form of the summaries of sessions, by its name in `sessions.forms.FORMS`; empty: memtui writes none there."""
    summaries_given: bool = True
    """Whether the last summaries are given at a session's start; else they are searched, in spec 003's two levels."""
    retires: frozenset[str] = frozenset()
    """What memtui moves to the trash: 'surplus' summaries of sessions (spec 000), 'outdated' files (spec 002). Other
    tools look after their own."""
    daily_records: bool = False
    """Facts are kept as records in daily/*.jsonl (spec 004)."""
    task_databases: tuple[str, ...] = ()
    """The databases in which the task at hand is a row; none: it stands in scratchpad.md."""
    made_files: tuple[str, ...] = ()
    """Files that its tool makes anew out of that database every night: of its core memory, and of the person."""
    made_mark: str = ""
    """What such a file of the person's says; one that does not is the person's own."""
    profile_folders: tuple[str, ...] = ("user", "user/memory", "profile")
    """Where every Markdown file may be the person's own (L0)."""
    start_folders: tuple[str, ...] = ("", "memory/", "memories/", "identity/", ".claude/")
    """Where core memory and the person's files of known names may stand, which are read at a session's start."""
    summary_folders: tuple[str, ...] = (
        "sessions",
        "user/sessions",
        "memories/rollout_summaries",
        "rollout_summaries",
    )
    """Where summaries of sessions may stand, a file each."""
    preferences_in_core: bool = False
    """There is no L0: preferences stand in MEMORY.md."""
    own_agents_file: bool = False
    """AGENTS.md is the character of its own agent, not what a person wants of every agent."""
    workflow_words: tuple[str, ...] = ()
    """Words at a prompt's beginning by which its tool goes through its stages: a summary says so (spec 000)."""
    session_mark: str = ""
    """How its agent keeps the id of a session that no CLI has one for: told at the start, it stays in the talk."""
    knowledge_folders: tuple[str, ...] = ()
    """Where the guidelines and the index of a knowledge base may stand; then core memory stands only at the top."""
    projects_folder: str = ""
    """Where core memory is kept by project, in directories named by the project's folded path."""
    of_all_projects: bool = False
    """One home for all projects: its core memory comes after the project's own, and a session that names no project is
    none of this one."""
    on_demand: frozenset[str] = frozenset()
    """Core memory that its agent looks up when it needs it, instead of reading it at every start."""
    rule_files: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Files of words that lead to documents; of a loader with the directories in which its paths may begin."""
    programs: tuple[Program, ...] = ()
    """Its own programs that such a file names, and what answers in their place."""
    written_as: str = ""
    """How its own rules write the path of the home: '.claude/memory/'."""
    in_agent_directory: bool = False
    """It stands in its agent's own directory, beside the agent's rules and skills."""
    learner: str = ""
    """The agent whose user keeps here what it learns, whatever the project."""
    log_dialect: str = ""
    """How evolution/audit.jsonl is written: 'specified', or 'scripts' (code-memory's own, in Chinese, with ids made of
    the bullet as it stands); empty: there is no such log."""
    told_to_others: bool = True
    """Whether other agents are told what it knows of a project; not of what an agent remembers for itself."""
    own_project: str = ""
    """Whether the home is the project's directory itself: 'always', or 'marked' where it has what projects have."""
    personal: bool = False
    """What it holds is a person's own: in a checkout it belongs into .gitignore (spec 001 §2.1)."""
    label_names_project: bool = False
    """Its label is a name of the project."""
    keyed_place: str = ""
    """Where the home of a project is that is known by its key alone, below the person's directory."""


class Layout(Protocol):
    """How one kind of home is arranged. Stateless; a module-level object `LAYOUT` in each layout's file.

    A layout inherits it: what it does not say is as it stands here.
    """

    name: str
    facts: LayoutFacts

    def find(self, around: Surroundings) -> Iterable[Home]:
        """Homes of this layout for this directory and this user; only ones that exist. None: a person names one."""
        return ()

    def recognise(self, path: Path) -> str:
        """Why this directory is a home of this layout, in a few words for a person; empty: it is not."""

    def role(self, home: Path, path: str) -> Role | None:
        """What the file at `path` (relative, '/'-separated) is; None: not a memory."""

    def prune(self, home: Path, path: str) -> bool:
        """Whether a directory (relative) holds nothing of ours, so that it is neither walked nor watched."""

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """Where a new memory of this layer goes: the file, its format, the section by the draft's kind.

        The answer's layer is the file's: PROFILE is written by a person only. Raises RefusedError with the reason
        where the home takes no such memory.
        """

    def append_only(self, path: str) -> bool:
        """Whether the file is only ever appended to, by whoever is no person."""
        return False

    def read_only(self, path: str) -> str:
        """Why the file is not to be written, for a person (a source string); empty: it may be."""
        return ""


@runtime_checkable
class Naming(Protocol):
    """A layout whose homes are best called by something that their path does not say."""

    def label(self, path: Path) -> str:
        """A short name for the home at this path; empty where it has none."""


@runtime_checkable
class Recording(Protocol):
    """A layout in whose homes memtui writes the summaries of sessions (L2, spec 000)."""

    def session(self, home: Home, id: str, now: float) -> Target:
        """The one file of the session with this id, which fits a file's name; the format is `facts.summary_form`."""


@runtime_checkable
class Founding(Protocol):
    """A layout that says where its tool would make a home that is not there yet."""

    def found_home(self, around: Surroundings, layer: Layer | None = None) -> Home | None:
        """This project's home, or for L0 the person's; None: by what stands around its tool is not at work here.

        Without a layer somebody asks for one: then there is one, whatever stands around.
        """


@runtime_checkable
class Holding(Protocol):
    """A layout whose homes are the user's, or stand in a project's directory, one or several."""

    def list_of_user(self, around: Surroundings) -> Iterable[Home]:
        """The user's own."""

    def list_inside(self, folder: Path) -> Iterable[Home]:
        """Those that this directory holds."""


@runtime_checkable
class Attaching(Protocol):
    """A layout whose homes hold files that are no memories, but that one tells of: attachments (spec 003)."""

    def attached(self, home: Path, path: str) -> bool:
        """Whether the file at `path` may be one by its place and name: only then it can go to the trash."""


@runtime_checkable
class Rooted(Protocol):
    """A layout whose homes tell where their project is by what its tool keeps beside."""

    def roots(self, home: Home, user: str) -> tuple[Path | None, ...]:
        """The project's directory as the one item, None where it has none; empty: as with any other home.

        `user` is the path of the user's own directory, which is no project.
        """


LAYOUTS: tuple[str, ...] = (
    "memtui",
    "helloagents",
    "xinghebot",
    "code_memory",
    "openakita",
    "skillix",
    "claude",
    "claude_md",
    "codex",
    "openclaw",
    "plain",
)
"""In the order in which a directory is tried: the most telling first, any directory of Markdown last."""
_SIGNS: dict[str, tuple[str, ...]] = {
    "memtui": (".memtui/", "user", "scratchpad.md"),
    "helloagents": (
        ".helloagents/", "helloagents/", "helloagents_backup_*/", ".helloagents", "helloagents",
        "helloagents_backup_*", "user",
        *(f"{name} !MEMORY.md !daily !src !.git" for name in (
            "INDEX.md", "context.md", "project.md", "guidelines.md", "modules", "wiki", "history",
        )),
    ),
    "xinghebot": (
        "memory/ .multi_agent/", "memory/ .xinghebot/",
        "MEMORY.md daily !areas !evolution !user !sessions.jsonl !facts.jsonl",
    ),
    "code_memory": ("areas", "evolution", ".search-index.db", "memory/ .claude/"),
    "openakita": ("data", "workspaces", "openakita.db", "memory.db", "memories.json"),
    "skillix": ("memory-data/", "MEMORY.md daily"),
    "claude": (
        "projects", "projects/", "*.jsonl", "agent-memory/", "agent-memory-local/", "memory/",
        "MEMORY.md !daily !sessions !areas !memory !evolution !user !modules !.git !.claude",
    ),
    "claude_md": (".claude/", ".claude", "CLAUDE.md", "CLAUDE.local.md"),
    "codex": (
        "memory_summary.md", "raw_memories.md", "rollout_summaries", "rollout-*", "sessions/", "archived_sessions/",
        "config.toml", "auth.json", "history.jsonl", "version.json", ".codex/", "memories",
    ),
    "openclaw": (
        "SOUL.md", "IDENTITY.md", "HEARTBEAT.md", "BOOTSTRAP.md", "TOOLS.md", "USER.md", "AGENTS.md", "memory",
        ".openclaw/", "workspace*",
    ),
}  # fmt: skip
"""What a directory holds that a layout recognises, so that only those are loaded that might: any of these. All words
of one must hold: a name in the directory, one of its path (`daily/`), one that is not there (`!daily`)."""
RULE_LAYOUTS = ("code_memory", "memtui")
"""Those that keep rules by project below areas/, in the order in which they are asked. A hook that waits for nothing
else loads no others."""
OTHERS = (
    "claude_mem", "engram", "basic_memory", "gemini", "cursor", "copilot", "opencode", "windsurf", "cline", "kiro",
    "letta", "obsidian", "agents_md",
)  # fmt: skip
"""Layouts that memtui only reads, each an entry of `other_tools`: looked for after the others and beside them, and
only where one of these signs stands, so that nobody else loads them."""
NAMED_OTHERS = tuple(name for name in OTHERS if name != "basic_memory")
"""Those that a directory's name and its files' names tell: asked whether something is a part of one."""
OTHER_USER_SIGNS = (
    ".claude-mem", ".engram", "basic-memory", ".basic-memory", ".gemini", ".cursor/rules", ".cursor/memories",
    ".copilot", ".config/opencode", ".local/share/opencode", ".codeium/windsurf", "Documents/Cline", ".kiro", ".letta",
    ".config/obsidian", "Library/Application Support/obsidian",
)  # fmt: skip
OTHER_PROJECT_SIGNS = (
    "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules", ".clinerules", ".cursor/rules", ".cursor/memories",
    ".cursor/memory-bank", ".github/copilot-instructions.md", ".github/instructions", ".windsurf",
    "memory-bank", "memory_bank", ".memory-bank", "docs/memory-bank", "cline_docs", "memory/activeContext.md", ".kiro",
    ".obsidian", ".engram/manifest.json", ".gemini/GEMINI.md", ".letta", "system/persona.md",
)  # fmt: skip
OTHER_PROJECT_NAMES = frozenset(sign.partition("/")[0] for sign in OTHER_PROJECT_SIGNS)
OTHER_VARIABLES = (
    "CLAUDE_MEM_DATA_DIR", "ENGRAM_DATA_DIR", "BASIC_MEMORY_HOME", "BASIC_MEMORY_CONFIG_DIR", "GEMINI_CLI_HOME",
    "COPILOT_HOME", "KIRO_HOME", "LETTA_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
)  # fmt: skip
"""What moves a home of theirs elsewhere."""
HOME_VARIABLES = (
    "CLAUDE_CONFIG_DIR", "CODEX_HOME", "HELLOAGENTS_ROOT", "OPENAKITA_ROOT", "OPENCLAW_STATE_DIR", *OTHER_VARIABLES,
)  # fmt: skip
"""What moves any tool's home elsewhere, but for memtui's own."""


def load_layout(name: str) -> Layout:
    """The layout of that name ('code-memory' and 'code_memory' are one). Raises KeyError for an unknown name."""
    if name.startswith("file:"):
        return cast("Layout", import_module("memtui.layouts.plain").Single(name.removeprefix("file:")))
    module = name.replace("-", "_")
    if module in OTHERS:
        return cast("Layout", import_module("memtui.layouts.other_tools").BY_NAME[module])
    if module == "skills":
        return cast("Layout", import_module("memtui.layouts.plain").SKILLS)
    if module not in LAYOUTS:
        raise KeyError(name)
    return cast("Layout", import_module(f"memtui.layouts.{module}").LAYOUT)


def can_take(home: Home, layer: Layer, draft: Draft) -> bool:
    """Whether the home's layout has a place for it."""
    try:
        load_layout(home.layout).target(home, layer, draft, clock.now())
    except RefusedError:
        return False
    return True


def load_all_layouts() -> list[Layout]:
    """All of them, in order."""
    return [load_layout(name) for name in LAYOUTS]


def iterate_specific_layouts(folder: Path) -> Iterator[Layout]:
    """Those that may recognise a directory, without the last, which takes any; each is loaded when its turn comes."""
    parts = [part.lower() for part in folder.parts]
    try:
        names = [name.lower() for name in os.listdir(folder)]
    except OSError:
        # What cannot be listed may be looked into all the same.
        return map(load_layout, LAYOUTS[:-1])
    known = {*names, *(f"{part}/" for part in parts)}

    def holds(word: str) -> bool:
        if word[0] == "!":
            return not (word[1:].lower() in known and os.path.exists(folder / word[1:]))
        start, star, end = word.lower().partition("*")
        return any(name.startswith(start) and name.endswith(end) for name in known) if star else start in known

    return (load_layout(name) for name in LAYOUTS[:-1] if any(all(map(holds, sign.split())) for sign in _SIGNS[name]))


def load_facts(home: Home) -> LayoutFacts:
    """What is so of the home by its layout."""
    return load_layout(home.layout).facts


def load_badge(layout: str) -> ToolBadge:
    """The badge of a layout's tool; what no layout knows is called as it calls itself."""
    try:
        badge = load_layout(layout).facts.badge
    except (KeyError, ImportError):
        badge = None
    return badge or ToolBadge(layout[:2].title().ljust(2, "·"), layout)


def name_layout(layout: str) -> str:
    """A layout's name for people."""
    try:
        return load_layout(layout).facts.title or layout
    except (KeyError, ImportError):
        return layout


def place_index(path: Path, layout: str, where: str = "auto") -> Place:
    """The place of the index of the home at this path; its directory exists when this returns.

    Raises as `fs.places.place` does.
    """
    own = load_layout(layout).facts.index_place
    if own and where == "auto" and path.name == "memory":
        # It is derived, and may have been deleted with the directory that it is in (spec 001 §2.2).
        with suppress(OSError):
            os.mkdir(path / own.rpartition("/")[0], 0o700)
    return place(path, layout, where, own=own)
