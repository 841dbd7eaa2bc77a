"""The events whose work is done by the detached worker: compaction, the end of a turn, the end of a session.

A session that ends waits a second and a half for its hooks: what is left behind is one small file each.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.agents.hooks.payload import sidechain, text

if TYPE_CHECKING:
    from memtui.agents.hooks import Call
    from memtui.sessions.session import Session

SUMMARY = 60_000
"""Characters of a compaction's summary that are kept."""


def queued(kind: str, session: Session, **more: Any) -> None:
    """Leave work for the worker, and wake it. Raises OSError, RefusedError where it cannot even be left."""
    from memtui.sessions import detached, jobs

    jobs.put(kind, session, **more)
    detached.start()


def compacting(call: Call) -> None:
    """PreCompact: what matters is read out of the transcript; what was given once may be given again afterwards."""
    session = call.session()
    if _helper(call, session):
        return
    from memtui.sessions import flags

    flags.clear(session.id, "rules", "schema")
    if call.config.capture.enabled:
        queued("flush", session, trigger=text(call.payload, "trigger", 20))


def compacted(call: Call) -> None:
    """PostCompact: the summary that the agent made of it all."""
    summary = text(call.payload, "compact_summary", SUMMARY)
    session = call.session()
    if summary.strip() and call.config.capture.enabled and not _helper(call, session):
        queued("flush", session, trigger=text(call.payload, "trigger", 20), text=summary)


def stopped(call: Call) -> None:
    """Stop: the session is written down anew, if anything was said since; a commit is a trigger of its own."""
    session = call.session()
    if not call.config.capture.enabled or _helper(call, session):
        return
    from memtui.agents.hooks.turn import committed
    from memtui.sessions import flags

    now = f"stop-{_state(session.transcript)}"
    if flags.up(session.id, now):
        return
    queued("capture", session, trigger="commit" if committed(session.transcript) else "stop")
    flags.clear(session.id, "stop")
    flags.first(session.id, now)


def notified(call: Call) -> None:
    """Codex's notify: the end of a turn is all that it tells."""
    if text(call.payload, "type", 100) in {"agent-turn-complete", "agent_turn_complete", ""}:
        stopped(call)


def ended(call: Call) -> None:
    """SessionEnd: sync, distil, log, clean, in spec 004's order, by the worker."""
    session = call.session()
    if not _helper(call, session):
        from memtui.sessions import unended

        queued("end", session, reason=text(call.payload, "reason", 60))
        unended.forget(session)


def _helper(call: Call, session: Session) -> bool:
    return session.sidechain or sidechain(call.payload)


def _state(transcript: str) -> str:
    """What a transcript looks like from outside; it grows with every turn."""
    try:
        status = os.stat(transcript)
    except (OSError, ValueError):
        return os.urandom(8).hex()
    return f"{status.st_size}:{status.st_mtime_ns}"
