"""PreCompact, PostCompact, Stop, SessionEnd and Codex's notify: events whose work the detached worker does.

A session that ends waits 1.5 s for its hooks, so what is left behind is one small file each. `has_committed`
reads only the end of the transcript.
"""

from __future__ import annotations

import json
import os
import stat

from memtui.agents.hooks.hook_process import is_sidechain, read_text_field
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.sessions import jobs
from memtui.sessions import jobs as jobs_module

if TYPE_CHECKING:
    from memtui.agents.hooks import Call
    from memtui.language.conversation import Session

TAIL = 512 * 1024
"""Bytes of a transcript's end that are looked at."""

_COMMIT = compile_pattern(r"\bgit\b[^|;&\n]*?\bcommit\b")
_CALLS = frozenset({"tool_use", "function_call", "custom_tool_call", "local_shell_call"})
_MOST = 2000


def has_committed(transcript: str) -> bool:
    """Whether a `git commit` was run since the person last said something. Nothing is raised."""
    for line in reversed(_read_last_lines(transcript)[-_MOST:]):
        if b"commit" not in line and b"user" not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(record, dict):
            continue
        if any(_COMMIT.search(command) for command in _list_commands(record)):
            return True
        if _is_prompt(record):
            return False
    return False


def _read_last_lines(transcript: str) -> list[bytes]:
    try:
        descriptor = os.open(transcript, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
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


def _list_parts(record: dict[str, object]) -> list[dict[str, object]]:
    """What a record of Claude Code's or Codex's consists of."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        return [payload]
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _list_commands(record: dict[str, object]) -> list[str]:
    """The commands that a record runs, as text."""
    found: list[str] = []
    for part in _list_parts(record):
        if part.get("type") in _CALLS:
            given = next((part[key] for key in ("input", "arguments", "action") if key in part), "")
            command = given.get("command", given.get("cmd", "")) if isinstance(given, dict) else given
            found.append(" ".join(map(str, command)) if isinstance(command, list) else str(command))
    return found


def _is_prompt(record: dict[str, object]) -> bool:
    """Whether the person said it, rather than a tool."""
    payload = record.get("payload")
    if isinstance(payload, dict):
        return payload.get("type") == "user_message"
    if record.get("type") != "user" or record.get("isMeta") or record.get("isSidechain"):
        return False
    return not any(part.get("type") == "tool_result" for part in _list_parts(record))


SUMMARY = 60_000
"""Characters of a compaction's summary that are kept."""


def queue_job(kind: str, session: Session, **more: Any) -> None:
    """Leave work for the worker, and wake it. Raises OSError, RefusedError where it cannot even be left."""
    jobs.put(kind, session, **more)
    jobs_module.start()


def queue_before_compaction(call: Call) -> None:
    """PreCompact: what matters is read out of the transcript; what was given once may be given again afterwards."""
    session = call.session()
    if _is_helper(call, session):
        return

    jobs.clear(session.id, "rules", "schema")
    if call.config.capture.enabled:
        queue_job("flush", session, trigger=read_text_field(call.payload, "trigger", 20))


def queue_after_compaction(call: Call) -> None:
    """PostCompact: the summary that the agent made of it all."""
    summary = read_text_field(call.payload, "compact_summary", SUMMARY)
    session = call.session()
    if summary.strip() and call.config.capture.enabled and not _is_helper(call, session):
        queue_job("flush", session, trigger=read_text_field(call.payload, "trigger", 20), text=summary)


def queue_turn_end(call: Call) -> None:
    """Stop: the session is written down anew, if anything was said since; a commit is a trigger of its own."""
    session = call.session()
    if not call.config.capture.enabled or _is_helper(call, session):
        return

    now = f"stop-{_state(session.transcript)}"
    if jobs.is_flag_up(session.id, now):
        return
    queue_job("capture", session, trigger="commit" if has_committed(session.transcript) else "stop")
    jobs.clear(session.id, "stop")
    jobs.raise_flag(session.id, now)


def queue_notification(call: Call) -> None:
    """Codex's notify: the end of a turn is all that it tells."""
    if read_text_field(call.payload, "type", 100) in {"agent-turn-complete", "agent_turn_complete", ""}:
        queue_turn_end(call)


def queue_session_end(call: Call) -> None:
    """SessionEnd: sync, distil, log, clean, in spec 004's order, by the worker."""
    session = call.session()
    if not _is_helper(call, session):
        queue_job("end", session, reason=read_text_field(call.payload, "reason", 60))
        jobs.forget(session)


def _is_helper(call: Call, session: Session) -> bool:
    return session.sidechain or is_sidechain(call.payload)


def _state(transcript: str) -> str:
    """What a transcript looks like from outside; it grows with every turn."""
    try:
        status = os.stat(transcript)
    except (OSError, ValueError):
        return os.urandom(8).hex()
    return f"{status.st_size}:{status.st_mtime_ns}"
