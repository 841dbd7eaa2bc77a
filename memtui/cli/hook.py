"""`memtui hook EVENT`: what agents run at their events. It fails open: an agent never waits for it, nor stops.

Options that nobody knows, input that nobody can read and faults of our own end with exit status 0 and no word: to
Claude Code any other status is an error, and 2 a refusal.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from memtui.cli.grammar import Argument, Command, Option

if TYPE_CHECKING:
    from collections.abc import Sequence


def hook(argv: Sequence[str]) -> int:
    """Do what `memtui hook` does with these arguments, and answer 0."""
    try:
        told = _told(argv)
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # what warns there is no news to an agent
        answer = _answer(*told)
        if answer:
            sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
            sys.stdout.buffer.flush()
    except BaseException:
        # Whatever it was: whoever called has work to do. What stdout still holds is not told to anybody.
        _quiet()
    _chained(argv)
    return 0


def _chained(argv: Sequence[str]) -> None:
    """Call the notifier that Codex had before ours, whatever became of ours."""
    if "--then" in argv[:-2]:
        from memtui.agents.install.chain import called

        called(argv[argv.index("--then") + 1], argv[-1])


def _told(argv: Sequence[str]) -> tuple[str, str, str]:
    """The event, the agent, and the last argument: Codex's notify says there what others say on stdin."""
    event, agent, rest = "", "", list(argv)
    last = ""
    while rest:
        word = rest.pop(0)
        if word == "--agent":
            agent = rest.pop(0) if rest else ""
        elif word.startswith("--agent="):
            agent = word.partition("=")[2]
        elif not event and not word.startswith("-"):
            event = word
        else:
            last = word
    return event, agent.strip().casefold(), last


def _answer(event: str, agent: str, last: str) -> str:
    from memtui.agents.hooks import named, run, silent

    name = named(event)
    if not name or silent():
        return ""
    told = last if name == "notify" and last else _stdin()
    from memtui.config import load

    return run(name, told, load()[0], agent=agent)


def _stdin() -> str:
    """What came on stdin, to its end: whoever writes there must not be cut off. Too much of it is nothing."""
    from memtui.agents.hooks.payload import LARGEST

    if sys.stdin is None or sys.stdin.isatty():
        return ""
    parts: list[bytes] = []
    size = 0
    while part := sys.stdin.buffer.read(1 << 20):
        size += len(part)
        if size <= LARGEST:
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace") if size <= LARGEST else ""


def _quiet() -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except (OSError, ValueError):
        return


def run(event: str, told: tuple[str, ...], *, agent: str) -> int:
    """The same for the command line's own reader."""
    return hook([event, *told, "--agent", agent])


COMMAND = Command(
    "hook",
    "What agents run at their events: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, SubagentStart, "
    "PreCompact, PostCompact, Stop, SessionEnd; others do nothing.\n\n"
    "The event's input is read from stdin, and what the agent is to know is written to stdout, as its hooks have it. "
    "`memtui install` sets them up. MEMTUI_OFF=1 switches them off.\n\n"
    "\b\nmemtui hook session-start --agent claude-code\n"
    'memtui hook notify \'{"type": "agent-turn-complete", "thread-id": "…"}\'',
    run,
    (Argument("event", required=True, metavar="EVENT"), Argument("told", many=True, metavar="JSON")),
    (
        Option(
            ("--agent",), "Who runs it: claude-code or codex; else by its input.", default="", metavar="NAME"
        ),
    ),
    epilog="Exit status: always 0.",
)
