"""`memtui hook EVENT` as a process. It fails open: an agent never waits for it, nor stops.

Options that nobody knows, input that nobody can read and faults of our own end with exit status 0 and no word: to
Claude Code any other status is an error, and 2 a refusal.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SILENCE = 3.0
"""Seconds without a word on stdin after which what came is all."""


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
    stdin = sys.stdin.fileno()
    while _comes(stdin) and (part := os.read(stdin, 1 << 20)):
        size += len(part)
        if size <= LARGEST:
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace") if size <= LARGEST else ""


def _comes(stdin: int) -> bool:
    """Whether there is more, or the end of it. Who says nothing for so long has forgotten to close it."""
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([stdin], [], [], SILENCE)[0])


def _quiet() -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except (OSError, ValueError):
        return
