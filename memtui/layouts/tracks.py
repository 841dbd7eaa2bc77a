"""What agents leave of their sessions, and what they are called: by environment, files and the names they give.

An agent is not a layout: Claude Code's user may keep what it learns in homes of three layouts, and Cursor leaves no
files of its sessions. Read by every hook, so it stands apart from the layouts, of which a hook loads few.

Claude Code's `projects/`: one directory a project, named by its path with unusual characters turned to '-'.

The name cannot be turned back and differs between versions ('_' kept or not), so projects are matched by
listing and comparing folded names, and the true path is read from a transcript's `cwd`.
"""

from __future__ import annotations

import json
import os
import re
from itertools import islice
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from memtui.core.locale import _, _n
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.core.text import UUID

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from memtui.layouts import Surroundings


_ODD = compile_pattern(r"[^A-Za-z0-9]")
_SLUG = compile_pattern(r"-|[A-Za-z]--")
_PERSON = compile_pattern(r"(?:[a-z]-)?-(?:users|home|mnt-[a-z]-users)-[^-]+-(?=.)|-root-(?=.)", re.IGNORECASE)
_SHELVES = compile_pattern(
    r"(?:(?:documents|desktop|downloads|projects?|code|dev|src|repos?|git|github|workspaces?|work)-+)+(?=.)",
    re.IGNORECASE,
)
"""Of a project's path turned to a name: a person's own directory, and those in which people keep projects."""
_DEEP, _WIDE = 6, 400
"""Levels below a person's directory at which a project is looked for, and directories of a level."""
_NUMBERED = compile_pattern(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}")
_SESSION_NAME = compile_pattern(rf"{UUID}(\.jsonl)?", re.IGNORECASE)
CWD = compile_pattern(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.){1,4000}")')
_PEEK = 64 * 1024
_TRIES = 4
"""Transcripts that are looked into for a project's path: the first lines of one may be without."""

LIVE_STATES = (
    ".helloagents/STATE.md", ".helloagents/context.md", ".helloagents/INDEX.md", "helloagents/STATE.md",
    "helloagents/project.md", "AGENTS.md", "CLAUDE.md",
)  # fmt: skip
"""Where an agent may leave the id of its session in a project (spec 000), so marked:"""
LIVE_MARK = compile_pattern(rb"<!--\s*HELLOAGENTS_SESSION_ID:\s*([\w.-]{1,128})\s*-->")
TOOL_FOLDERS = (".claude", ".helloagents", ".memtui")
"""Of a project: no part of the program that is made there."""


class Project(NamedTuple):
    """One directory under `projects/` that holds memories or transcripts."""

    path: Path
    memory: bool
    transcripts: int
    cwd: str
    """The project's directory as a transcript names it; empty where none does."""

    @property
    def reason(self) -> str:
        """What is there, for a person."""
        what = _("auto memory") if self.memory else ""
        if self.transcripts:
            counted = _n("{count} transcript", "{count} transcripts", self.transcripts)
            what = _("{one} and {other}").format(one=what, other=counted) if what else counted
        return _("{what} of {whose}").format(what=what, whose=self.cwd) if self.cwd else what

    def belongs(self, roots: list[Path], user: Path) -> bool:
        """Whether it is about one of these directories, or a session was started somewhere inside one."""
        # A session that was started elsewhere may have left its directory in a file; the name says whose it is then.
        told = self.cwd and fold(self.cwd) == fold(self.path.name)
        for root in roots:
            if self.cwd:
                if Path(self.cwd) == root or (not told and fold(self.path.name) == fold(str(root))):
                    return True
                inside = root != user and (root / ".git").exists() and Path(self.cwd).is_relative_to(root)
                if inside:
                    return True
            else:
                name, wanted = fold(self.path.name), fold(str(root))
                if name == wanted or name.startswith(f"{wanted}--claude-worktrees-"):
                    return True
        return False


def derive_project_name(directory: str) -> str:
    """A project by the last part of its path, which may be another system's."""
    return _parse_path(directory).name


def derive_slug_name(path: Path) -> str:
    """What a project is called where only a directory's name, made from its path, tells of it: the directory itself,
    where it is still there, else what follows the folders that projects are kept in.
    """
    name = path.name
    user = path.parents[2] if len(path.parents) > 2 else path.parent
    own = fold(str(user)) + "-"
    if fold(name).startswith(own):
        found = _find_below(str(user), fold(name)[len(own) :], _DEEP)
        if found:
            return derive_project_name(found)
        return _strip_shelves(name[len(own) :]) or name.strip("-")
    return _strip_shelves(_PERSON.sub("", name, count=1)) or name.strip("-")


def _strip_shelves(name: str) -> str:
    return _SHELVES.sub("", name, count=1).strip("-")


def shorten_slug_path(path: str) -> str:
    """`shop/MEMORY.md` for `projects/-Users-ana-work-shop/memory/MEMORY.md`, any other path as it is. It looks at no
    disk."""
    parts = path.split("/")
    if len(parts) < 3 or parts[0] != "projects" or not is_path_slug(parts[1]):
        return path
    name = _strip_shelves(_PERSON.sub("", parts[1], count=1)) or parts[1].strip("-")
    return "/".join([name, *(parts[3:] if parts[2] == "memory" else parts[2:])])


_OWNED = compile_pattern(r"(?:.*/)?(?:agents|agent-memory)/([^/]+)/|(?:.*/)?workspace-([^/]+)/")


def name_owner(path: str) -> str:
    """Whose a file is in a home that several share: the agent in whose workspace or folder it stands, or the project.
    Empty: it is nobody's in particular."""
    if match := _OWNED.match(path):
        return match[1] or match[2]
    short = shorten_slug_path(path)
    return short.partition("/")[0] if short != path else ""


def _find_below(folder: str, folded: str, deep: int) -> str:
    """The directory below whose folded path is that; empty: there is none."""
    try:
        with os.scandir(folder) as entries:
            inside = [entry for entry in islice(entries, _WIDE) if folded.startswith(fold(entry.name))]
            inside = [entry for entry in inside if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return ""
    for entry in sorted(inside, key=lambda entry: -len(entry.name)):
        rest = folded[len(fold(entry.name)) :]
        if not rest:
            return entry.path
        if rest[0] == "-" and deep and (found := _find_below(entry.path, rest[1:], deep - 1)):
            return found
    return ""


def _parse_path(directory: str) -> PurePath:
    return PureWindowsPath(directory) if directory[1:2] == ":" else PurePosixPath(directory)


def fold(path: str) -> str:
    """A path or a directory's name as they are compared; what takes two units of UTF-16 becomes two dashes."""
    return _ODD.sub(lambda odd: "--" if odd[0] > "\uffff" else "-", path).casefold()


def is_path_slug(name: str) -> bool:
    """Whether a directory's name was made from an absolute path."""
    return _SLUG.match(name) is not None


def is_session(name: str) -> bool:
    """Whether a file or directory is named as sessions are."""
    return _SESSION_NAME.fullmatch(name) is not None


def iterate_projects(config: Path) -> Iterator[Project]:
    """Every project of a configuration directory that has something to show, by name."""
    try:
        names = sorted(os.listdir(config / "projects"))
    except OSError:
        return
    for name in names:
        found = read_project(config / "projects" / name)
        if found is not None:
            yield found


def read_project(path: Path) -> Project | None:
    """What one directory holds; None where that is nothing."""
    transcripts: list[str] = []
    memory = False
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(".jsonl") and not name.startswith((".", "agent-")):
                    transcripts.append(name)
                elif name == "memory":
                    memory = holds_markdown(path / name)
    except OSError:
        return None
    if not memory and not transcripts:
        return None
    return Project(path, memory, len(transcripts), _find_directory(path, transcripts))


def holds_markdown(path: Path) -> bool:
    """Whether a directory has a Markdown file, in itself or one below."""
    try:
        with os.scandir(path) as entries:
            folders: list[str] = []
            for entry in entries:
                if entry.name.endswith(".md"):
                    return True
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                    folders.append(entry.path)
        return any(name.endswith(".md") for folder in folders[:64] for name in os.listdir(folder))
    except OSError:
        return False


def _find_directory(path: Path, transcripts: list[str]) -> str:
    """The project's path out of a transcript: the one this directory is named after, else the first that is told."""
    wanted = fold(path.name)
    tried: set[bytes] = set()
    named = ""
    for name in sorted(transcripts)[:_TRIES]:
        try:
            with open(path / name, "rb") as file:
                head = file.read(_PEEK)
        except OSError:
            continue
        for match in CWD.finditer(head):
            if match.group(1) in tried:
                continue
            tried.add(match.group(1))
            found = _decode_path(match.group(1))
            # A session may have gone further inside before its first record was written.
            for above in (_parse_path(found), *_parse_path(found).parents):
                if fold(str(above)) == wanted:
                    return str(above)
            named = named or found
    return named


def _decode_path(text: bytes) -> str:
    try:
        found = json.loads(text)
    except (ValueError, UnicodeDecodeError):
        return ""
    good = isinstance(found, str) and found.isprintable() and (found.startswith("/") or found[1:2] == ":")
    return found if good else ""


def iterate_memory_directories(config: Path, folders: list[Path], user: Path) -> Iterator[tuple[Path, Path | None]]:
    """Directories that settings name as `autoMemoryDirectory`, and the project whose settings did, if one's."""
    places: list[tuple[Path, Path, Path | None]] = [(config / "settings.json", config, None)]
    for folder in folders:
        own = folder / ".claude"
        places += [(own / name, folder, folder) for name in ("settings.json", "settings.local.json")]
    for file, base, project in places:
        value = _read_memory_directory(file)
        if value:
            path = user / value[2:] if value.startswith("~/") else base / value
            if path.is_dir():
                yield path, project


def _read_memory_directory(file: Path) -> str:
    try:
        with open(file, "rb") as handle:
            settings = json.loads(handle.read(256 * 1024))
    except (OSError, ValueError, RecursionError):
        return ""
    value = settings.get("autoMemoryDirectory") if isinstance(settings, dict) else None
    return value.strip() if isinstance(value, str) and "\0" not in value else ""


def find_claude_configs(around: Surroundings) -> list[Path]:
    """Where Claude Code keeps its own files for this user: the directory that is set, else the usual ones."""
    if around.env.get("CLAUDE_CONFIG_DIR", "").strip():
        return [around.variable("CLAUDE_CONFIG_DIR", around.user / ".claude")]
    return [around.user / ".claude", around.user / ".config" / "claude"]


class Track(NamedTuple):
    """What one agent leaves of its sessions."""

    agent: str
    home: str
    """The user's directory of it; '.': the project's root."""
    variable: str
    """The environment variable that moves it."""
    files: tuple[str, ...]
    """Below it; '{project}' is a directory named by the project's path. The first of these that has any."""
    inside: tuple[str, ...]
    """Directories below it in which its transcripts lie."""
    part: int = -1
    """Which part of such a path is the id, its ending aside."""
    key: str = ""
    """The files are JSON, and the id stands under this key."""
    told: tuple[str, ...] = ()
    """Environment variables that hold the id."""
    signs: tuple[str, ...] = ()
    """Environment variables that nobody but this agent sets."""
    dated: bool = False
    """Its directories are days: the newest day comes first."""
    anywhere: bool = False
    """Its sessions are of no project: each may be about any."""
    silent: bool = False
    """It has no hooks: that a session is over shows by the next one's beginning."""
    transcript: str = ""
    """What reads its transcripts, by its name in `formats.PARSERS`."""
    endless: bool = False
    """It never says that a session is over."""
    by_command: bool = False
    """It has no tool to read files with: no hook sees them read."""
    resume: tuple[str, ...] = ()
    """Its own command that goes on with a session, in the project's directory; '{session}' stands for the id."""


TRACKS = (
    Track(
        "claude-code", "~/.claude", "CLAUDE_CONFIG_DIR", ("projects/{project}/*.jsonl",), ("projects",),
        told=("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"),
        signs=("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR"),
        transcript="claude-transcript", resume=("claude", "--resume", "{session}"),
    ),
    Track(
        "codex", "~/.codex", "CODEX_HOME", ("sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.jsonl"),
        ("sessions", "archived_sessions"), told=("CODEX_THREAD_ID", "CODEX_SESSION_ID"),
        signs=("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"), dated=True,
        endless=True, by_command=True,
        transcript="codex-transcript", resume=("codex", "resume", "{session}"),
    ),
    Track(
        "openclaw", "~/.openclaw", "OPENCLAW_STATE_DIR", ("agents/*/sessions/*.jsonl",), ("agents",),
        told=("OPENCLAW_SESSION_ID",), signs=("OPENCLAW_SESSION_ID", "OPENCLAW_SHELL"), anywhere=True,
    ),
    Track(
        # Nothing in its transcripts says what project they are about: its hooks name the one that is meant.
        "cursor", "~/.cursor", "", (), ("projects",), signs=("CURSOR_TRACE_ID", "CURSOR_AGENT"),
    ),
    Track(
        "xinghebot", ".", "",
        (
            ".multi_agent/runs/*/agents/primary/history.jsonl", ".multi_agent/runs/*/primary/history.jsonl",
            ".multi_agent/runs/*/history.jsonl",
        ),
        (".multi_agent/runs",), part=2, told=("XINGHEBOT_RUN_ID",), signs=("XINGHEBOT_RUN_ID",),
        silent=True,
    ),
    Track("helloagents", ".", "", (".helloagents/sessions/active.json",), (), key="session"),
)  # fmt: skip


def find_track(agent: str) -> Track | None:
    """What that agent leaves of its sessions; None: nothing that is known."""
    return next((track for track in TRACKS if track.agent == agent), None)


def recognize_payload(payload: Mapping[str, Any]) -> str:
    """Which agent wrote a hook's input, by the keys that it alone gives; empty: the keys do not say."""
    if "thread-id" in payload or payload.get("type") == "agent-turn-complete":
        return "codex"
    if "conversation_id" in payload and ("workspace_roots" in payload or "generation_id" in payload):
        return "cursor"
    # Codex's threads are numbered by time, and may have no transcript; Claude Code's sessions are neither.
    numbered = _NUMBERED.fullmatch(str(payload.get("session_id", ""))[:64])
    silent = "transcript_path" in payload and payload["transcript_path"] is None
    if "turn_id" in payload or "turn-id" in payload or numbered or silent:
        return "codex"
    return "claude-code" if any(key in payload for key in ("prompt_id", "permission_mode")) else ""


def recognize_hook(payload: Mapping[str, Any]) -> str:
    """Which agent's hooks are called in this form at all; empty: none's."""
    return "claude-code" if "hook_event_name" in payload and "session_id" in payload else ""


AGENT_TITLES = {
    "claude-code": "Claude Code", "codex": "Codex", "openclaw": "OpenClaw", "xinghebot": "XingheBot",
    "helloagents": "HelloAGENTS", "cursor": "Cursor", "gemini": "Gemini CLI", "copilot": "GitHub Copilot",
    "opencode": "OpenCode", "windsurf": "Windsurf", "cline": "Cline", "kiro": "Kiro", "letta": "Letta",
}  # fmt: skip
"""What agents are called, for a person."""
CLIENTS = (
    ("claude", "claude-code"), ("codex", "codex"), ("openclaw", "openclaw"), ("cursor", "cursor"), ("gemini", "gemini"),
    ("copilot", "copilot"), ("opencode", "opencode"), ("windsurf", "windsurf"), ("cline", "cline"), ("kiro", "kiro"),
    ("letta", "letta"),
)  # fmt: skip
"""Part of the name that an agent's MCP client gives itself, and the agent."""
READ_BY_ITSELF = {
    "claude-code": ("CLAUDE.md", "CLAUDE.local.md"),
    "codex": ("AGENTS.md", "AGENTS.override.md"),
    "cursor": ("AGENTS.md",),
    "gemini": ("GEMINI.md",),
    "copilot": ("AGENTS.md", "CLAUDE.md", "GEMINI.md"),
    "opencode": ("AGENTS.md",),
    "windsurf": ("AGENTS.md",),
    "cline": ("AGENTS.md",),
    "kiro": ("AGENTS.md",),
}
"""The instructions that an agent reads at every start, wherever they stand, so that nobody gives them twice. What it
keeps in a directory of its own (rules, steering, memories) is given to nobody: see `other_tools`."""


_WORKSPACE = compile_pattern(
    r"\bworkspace[\"']?\s*:\s*(?P<quote>[\"'])(?P<path>(?:~|/|[A-Za-z]:)[^\"'\n]{1,4096})(?P=quote)"
)
_CONFIG = 1024 * 1024


def find_named_workspaces(root: Path, user: Path) -> list[Path]:
    """The workspaces that OpenClaw's settings in `root` put elsewhere. They are JSON5, so that just these are read."""
    try:
        with open(root / "openclaw.json", "rb") as file:
            text = file.read(_CONFIG).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    named = (match["path"].replace("\\\\", "\\") for match in _WORKSPACE.finditer(text))
    found = (user / path[1:].lstrip("/\\") if path[0] == "~" else Path(path) for path in named)
    return [path for path in dict.fromkeys(found) if path.parent != root]
