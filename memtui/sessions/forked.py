"""Which session another one was forked from, as its transcript tells."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.sessions.session import Session

_HEAD = 256 * 1024
_ID = re.compile(
    rb'"(?:forkedFrom|forked_from|parentSessionId|parent_session_id|forked_from_id|sessionId|session_id)"\s*:\s*'
    rb'(?:\{\s*"sessionId"\s*:\s*)?"([A-Za-z0-9._-]{1,128})"'
)


def parent(session: Session) -> str:
    """The id of the session it was forked from; empty: nobody knows. What was copied names the other session."""
    if session.source != "fork" or not session.transcript:
        return ""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(session.transcript, flags)
    except (OSError, ValueError):
        return ""
    try:
        head = os.read(handle, _HEAD)
    except OSError:
        return ""
    finally:
        os.close(handle)
    found = (match[1].decode() for match in _ID.finditer(head))
    return next((one for one in found if one != session.id), "")
