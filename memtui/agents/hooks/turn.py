"""The last turn of a transcript, by its end alone: a hook has no time to read all of it."""

from __future__ import annotations

import json
import os
import stat

from memtui.pattern import pattern

TAIL = 512 * 1024
"""Bytes of a transcript's end that are looked at."""

_COMMIT = pattern(r"\bgit\b[^|;&\n]*?\bcommit\b")
_CALLS = frozenset({"tool_use", "function_call", "custom_tool_call", "local_shell_call"})
_MOST = 2000


def committed(transcript: str) -> bool:
    """Whether a `git commit` was run since the person last said something. Nothing is raised."""
    for line in reversed(_lines(transcript)[-_MOST:]):
        if b"commit" not in line and b"user" not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict):
            continue
        if any(_COMMIT.search(command) for command in _commands(record)):
            return True
        if _prompt(record):
            return False
    return False


def _lines(transcript: str) -> list[bytes]:
    try:
        descriptor = os.open(
            transcript, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
    except (OSError, ValueError):
        return []
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return []
        os.lseek(descriptor, max(0, status.st_size - TAIL), os.SEEK_SET)
        return os.read(descriptor, TAIL).splitlines()
    except OSError:
        return []
    finally:
        os.close(descriptor)


def _parts(record: dict[str, object]) -> list[dict[str, object]]:
    """What a record of Claude Code's or Codex's consists of."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        return [payload]
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _commands(record: dict[str, object]) -> list[str]:
    """The commands that a record runs, as text."""
    found: list[str] = []
    for part in _parts(record):
        if part.get("type") in _CALLS:
            given = next((part[key] for key in ("input", "arguments", "action") if key in part), "")
            command = given.get("command", given.get("cmd", "")) if isinstance(given, dict) else given
            found.append(" ".join(map(str, command)) if isinstance(command, list) else str(command))
    return found


def _prompt(record: dict[str, object]) -> bool:
    """Whether the person said it, rather than a tool."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        return payload.get("type") == "user_message"
    if record.get("type") != "user" or record.get("isMeta") or record.get("isSidechain"):
        return False
    return not any(part.get("type") == "tool_result" for part in _parts(record))
