"""Work that was thrown away again: what was changed before it is not what was done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.sessions.extract import commands

if TYPE_CHECKING:
    from memtui.language.conversation import Conversation

_THROWS = re.compile(
    r"\bgit\b(?: -\S+(?: \S+)?)? (?:checkout (?:HEAD )?(?:-f )?(?:-- )?\.|restore (?:--staged --worktree )?\.|reset --hard\b|clean -\w*f)"
)


def thrown_away(conversation: Conversation) -> int:
    """The line at which all uncommitted changes were thrown away; 0: they were not."""
    return max(
        (
            step.line
            for step in conversation.steps
            if step.command and not commands.failed(step) and _THROWS.search(step.command[:400]) is not None
        ),
        default=0,
    )
