"""The types of installing, how this memtui is called, and which hooks are installed.

- How it is called from elsewhere: by its absolute path, for agents have a PATH of their own.
- FilePiece (what of one file is ours), Wiring (a way to serve an agent), PlannedFile, InstallPlan,
  Installation.
- Hooks: only events that memtui does something with. Codex gets one shell line, Claude Code a program and its
  arguments, without a shell.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import MemtuiError, RefusedError, name_install_command
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.fs.commit import read_current

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_NAMES = {"memtui", "memtui.exe"}


def find_program() -> tuple[str, ...]:
    """The words that start this memtui: the command it was started by, else the one beside Python, else `-m`.

    A link is not followed: pipx and uv keep it in place when memtui is brought up to date.
    """
    beside = os.path.dirname(sys.executable)
    for path in (sys.argv[0], *(os.path.join(beside, name) for name in sorted(_NAMES))):
        whole = os.path.abspath(path)
        if os.path.basename(whole).lower() in _NAMES and is_runnable(whole):
            return (whole,)
    return (sys.executable, "-m", "memtui")


def is_runnable(path: str) -> bool:
    """Whether there is a program at an absolute path; a bare name is for the agent to find."""
    if not os.path.isabs(path):
        return True
    return os.path.isfile(path) and os.access(path, os.X_OK)


def list_warnings(program: Sequence[str]) -> tuple[str, ...]:
    """What a person should know of that program before an agent depends on it."""
    found = []
    short_lived = [tempfile.gettempdir(), os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")]
    if any(program[0].startswith(place.rstrip(os.sep) + os.sep) for place in short_lived):
        found.append(
            _("{program} is in a place that is cleaned up: install memtui for good first.").format(program=program[0])
        )
    if find_spec("mcp") is None:
        told = _("The MCP server needs an extra, the hooks work without: {command}")
        found.append(told.format(command=name_install_command("mcp")))
    return tuple(found)


class Options(NamedTuple):
    """What was asked for; an empty `how` or `scope`: the default, and for removing every one."""

    how: str = ""
    scope: str = ""
    blank: bool = False
    """As if none of the files were there: what a person puts in by hand."""


class AgentPlaces(NamedTuple):
    """Where the agents keep their settings, for this user and this project."""

    user: Path
    claude: Path
    codex: Path
    openclaw: Path
    data: Path
    project: Path
    cursor: Path


def find_agent_places() -> AgentPlaces:
    """The places, from the environment and the working directory."""
    env = os.environ
    user = Path(env.get("HOME") or os.path.expanduser("~"))
    here = Path.cwd()
    root = next((path for path in (here, *here.parents) if (path / ".git").exists()), here)
    return AgentPlaces(
        user,
        _choose_directory(env, "CLAUDE_CONFIG_DIR", user, ".claude"),
        _choose_directory(env, "CODEX_HOME", user, ".codex"),
        user / ".openclaw",
        _choose_directory(env, "XDG_DATA_HOME", user, ".local", "share") / "memtui",
        root,
        user / ".cursor",
    )


def _choose_directory(env: Mapping[str, str], name: str, user: Path, *default: str) -> Path:
    value = env.get(name, "").strip()
    if value == "~" or value.startswith("~/"):
        return user / value[2:]
    return Path(value) if os.path.isabs(value) else user.joinpath(*default)


class FilePiece(NamedTuple):
    """What of one file is ours: how it gets there, how it goes, by pure functions of the file's bytes."""

    path: Path
    put: Callable[[bytes | None], bytes]
    """The file with our part in it; the same bytes where it is there already. Raises RefusedError."""
    take: Callable[[bytes], bytes | None]
    """The file without it, None: no file; the same bytes where there is none of ours."""
    program: Callable[[bytes], tuple[str, ...]]
    """What our part calls memtui by; empty: there is none of ours, or it calls nothing."""
    inside: Path | None = None
    """Where a link must not lead out of: a project that somebody else wrote may hold any link."""
    give_back: Callable[[bytes | None, bytes | None], bytes | None] = lambda now, _before: now
    """The file as `take` leaves it, brought nearer to what it was before anything of ours; None: no file."""


class Wiring(NamedTuple):
    """One way to serve one agent."""

    agent: str
    how: str
    scope: str
    place: Path
    """The directory that it is about, for a person."""
    pieces: tuple[FilePiece, ...]
    commands: tuple[str, ...] = ()
    """What is left to type."""
    undoing: tuple[str, ...] = ()
    """What is left to type when it goes."""
    warnings: tuple[str, ...] = ()
    idle: str = ""
    """Why its agent does not call it, or not all of it, though all is in place; for a person."""
    remedy: str = ""
    """What they do about that."""
    served: bool = False
    """Whether the agent has taken it up already: where no file changes, nothing is left to type."""

    @property
    def key(self) -> tuple[str, ...]:
        """What its record is known by."""
        return self.agent, self.how, str(self.place)


class PlannedFile(NamedTuple):
    """One file of a plan."""

    path: str
    """The file itself: absolute, links followed."""
    named: str
    """As its agent names it."""
    old: bytes | None
    new: bytes | None
    """None: the file goes."""
    without: bytes | None = None
    """What it would be without anything of ours."""


class InstallPlan(NamedTuple):
    """What would be done. `files` are those that would change; nothing else is written."""

    agent: str
    how: str
    scope: str
    place: str
    files: tuple[PlannedFile, ...]
    commands: tuple[str, ...]
    warnings: tuple[str, ...]
    removes: bool = False
    records: tuple[str, ...] = ()
    """Ids of what was installed and is to be forgotten."""


class Installation(NamedTuple):
    """What stands of one way to serve an agent, for Health and doctor."""

    agent: str
    how: str
    scope: str
    place: str
    state: str
    """complete; partly; broken (what it calls is not there); missing; absent (the agent itself is not here)."""
    why: str = ""
    command: str = ""
    remedy: str = ""
    """What a person does about it, where installing again is not it."""


def read(path: Path, inside: Path | None = None) -> tuple[str, bytes | None]:
    """Where a file really is, and what it holds; None: there is none.

    Raises RefusedError where a link leads out of `inside`, or the file is none or too large; UnavailableError.
    """
    real = os.path.realpath(path)
    if inside is not None and not Path(real).is_relative_to(os.path.realpath(inside)):
        raise RefusedError(
            _("{path} is a link that leads out of the project, to {real}: nothing was written.").format(
                path=path, real=real
            )
        )
    root, rest = split(real)
    return real, read_current(root, rest)


def read_readable(path: Path) -> bytes:
    """What a file holds; nothing where it cannot be read."""
    try:
        return read(path)[1] or b""
    except MemtuiError:
        return b""


def split(path: str) -> tuple[str, str]:
    """The nearest directory that is there, and the way on from it."""
    root, rest = os.path.split(path)
    while not os.path.isdir(root) and os.path.dirname(root) != root:
        root, last = os.path.split(root)
        rest = f"{last}/{rest}"
    return root, rest


_CHANGES = "Edit|Write|MultiEdit|NotebookEdit"
_NAME = compile_pattern(r"memtui(?:\.exe)?", re.IGNORECASE)


class Hook(NamedTuple):
    """One event, how long it may take in seconds, and the tools it is for."""

    event: str
    timeout: int
    matcher: str = ""


CLAUDE_CODE = (
    Hook("SessionStart", 10),
    Hook("UserPromptSubmit", 5),
    Hook("PreToolUse", 5, f"Read|{_CHANGES}"),
    Hook("PostToolUse", 5, _CHANGES),
    Hook("SubagentStart", 5),
    Hook("PreCompact", 30),
    Hook("PostCompact", 5),
    Hook("Stop", 10),
    # Without one it is cut off after 1.5 s, which a cold disk may take.
    Hook("SessionEnd", 5),
)
CODEX = (
    Hook("SessionStart", 10),
    Hook("UserPromptSubmit", 5),
    # Every change of a file is an apply_patch there, or one in a shell's command (Bash); the other names are what some
    # versions call it.
    Hook("PreToolUse", 5, "Read|apply_patch|Edit|Write|Bash"),
    Hook("PostToolUse", 5, "apply_patch|Edit|Write|Bash"),
    Hook("SubagentStart", 5),
    Hook("PreCompact", 30),
    Hook("PostCompact", 5),
    Hook("Stop", 10),
    # Versions that do not know it pass it over; those that do give it no more.
    Hook("SessionEnd", 3),
)


def build_hook_groups(agent: str, program: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Event -> the one entry that we put into its list."""
    hooks = CODEX if agent == "codex" else CLAUDE_CODE
    return {hook.event: _group(agent, hook, program) for hook in hooks}


def _group(agent: str, hook: Hook, program: Sequence[str]) -> dict[str, Any]:
    argv = [*program, "hook", hook.event, "--agent", agent]
    handler: dict[str, Any] = {"type": "command", "command": argv[0], "args": argv[1:]}
    if agent == "codex":
        handler = {"type": "command", "command": join_command_line(argv)}
    handler["timeout"] = hook.timeout
    return ({"matcher": hook.matcher} if hook.matcher else {}) | {"hooks": [handler]}


def join_command_line(argv: Sequence[str]) -> str:
    """The words as one line for the shell of this system."""
    if os.name == "nt":
        return subprocess.list2cmdline(argv)
    return shlex.join(argv)


def extract_program(handler: Any) -> tuple[str, ...]:
    """The program that a handler calls memtui's hooks with; empty: it is not ours."""
    if not isinstance(handler, dict) or handler.get("type") != "command":
        return ()
    return strip_verb(_split_command(handler), "hook")


def read_entry_program(server: Any) -> tuple[str, ...]:
    """The same for an entry of MCP servers."""
    if not isinstance(server, dict):
        return ()
    return strip_verb(_split_command(server), "mcp")


def read_hook_entry_program(handler: Any) -> tuple[str, ...]:
    """The same for a hook of Cursor's, which has no type."""
    return strip_verb(_split_command(handler), "hook") if isinstance(handler, dict) else ()


def strip_verb(argv: Sequence[str], verb: str) -> tuple[str, ...]:
    """What stands before the verb where that is memtui, however it is called; empty: something else."""
    if len(argv) > 1 and argv[1] == verb and _NAME.fullmatch(re.split(r"[\\/]", argv[0])[-1]):
        return (argv[0],)
    if len(argv) > 3 and argv[3] == verb and list(argv[1:3]) == ["-m", "memtui"]:
        return tuple(argv[:3])
    return ()


def _split_command(entry: Mapping[str, Any]) -> list[str]:
    command, args = entry.get("command"), entry.get("args")
    if not isinstance(command, str):
        return []
    if isinstance(args, list):
        return [command, *map(str, args)]
    try:
        # A path of Windows has no escapes, and its quotes stay.
        words = shlex.split(command, posix="\\" not in command)
    except ValueError:
        return []
    return [word.strip("\"'") for word in words]
