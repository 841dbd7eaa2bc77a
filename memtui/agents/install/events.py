"""Which hooks are installed, and how they are written: Claude Code's and Codex's own forms.

Only events that memtui does something with. Codex gets one shell line, Claude Code a program and its arguments: no
shell is started, nothing is quoted.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHANGES = "Edit|Write|MultiEdit|NotebookEdit"
_NAME = re.compile(r"memtui(?:\.exe)?", re.IGNORECASE)


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
    # Every change of a file is an apply_patch there; the other names are what some versions call it.
    Hook("PreToolUse", 5, "Read|apply_patch|Edit|Write"),
    Hook("PostToolUse", 5, "apply_patch|Edit|Write"),
    Hook("SubagentStart", 5),
    Hook("PreCompact", 30),
    Hook("PostCompact", 5),
    Hook("Stop", 10),
)


def groups(agent: str, program: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Event -> the one entry that we put into its list."""
    hooks = CODEX if agent == "codex" else CLAUDE_CODE
    return {hook.event: _group(agent, hook, program) for hook in hooks}


def _group(agent: str, hook: Hook, program: Sequence[str]) -> dict[str, Any]:
    argv = [*program, "hook", hook.event, "--agent", agent]
    handler: dict[str, Any] = {"type": "command", "command": argv[0], "args": argv[1:]}
    if agent == "codex":
        handler = {"type": "command", "command": line(argv)}
    handler["timeout"] = hook.timeout
    return ({"matcher": hook.matcher} if hook.matcher else {}) | {"hooks": [handler]}


def line(argv: Sequence[str]) -> str:
    """The words as one line for the shell of this system."""
    if os.name == "nt":
        import subprocess

        return subprocess.list2cmdline(argv)
    return shlex.join(argv)


def program_of(handler: Any) -> tuple[str, ...]:
    """The program that a handler calls memtui's hooks with; empty: it is not ours."""
    if not isinstance(handler, dict) or handler.get("type") != "command":
        return ()
    return called(_argv(handler), "hook")


def server_program(server: Any) -> tuple[str, ...]:
    """The same for an entry of MCP servers."""
    if not isinstance(server, dict):
        return ()
    return called(_argv(server), "mcp")


def called(argv: Sequence[str], verb: str) -> tuple[str, ...]:
    """What stands before the verb where that is memtui, however it is called; empty: something else."""
    if len(argv) > 1 and argv[1] == verb and _NAME.fullmatch(re.split(r"[\\/]", argv[0])[-1]):
        return (argv[0],)
    if len(argv) > 3 and argv[3] == verb and list(argv[1:3]) == ["-m", "memtui"]:
        return tuple(argv[:3])
    return ()


def _argv(entry: Mapping[str, Any]) -> list[str]:
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
