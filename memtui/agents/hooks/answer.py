"""What goes to an agent's stdout: for each agent and event exactly the fields that its schema allows.

Codex refuses what it does not know (`additionalProperties: false`), and takes no permission decision from a hook:
there a refused call is `decision: block`.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

LONGEST = 10_000
"""Characters of context, as JavaScript counts them; Claude Code moves longer ones into a file."""

_CONTEXT = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"})
_BLOCKING = frozenset({"UserPromptSubmit", "PreToolUse", "PostToolUse"})


class Answer(NamedTuple):
    """What an event wants said."""

    context: str = ""
    """What the agent gets to know, framed as data already."""
    decision: str = ""
    """allow or deny (a tool's call), block (what was done); empty: none of it."""
    reason: str = ""
    """For the agent: why, and what to do."""
    problem: str = ""
    """What else went wrong, for Health."""


def said(answer: Answer, event: str, agent: str) -> str:
    """One JSON object, or nothing where there is nothing to say, or no way to say it."""
    plain: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    if answer.decision in {"deny", "block"} and event in _BLOCKING:
        if event == "PreToolUse" and agent != "codex":
            specific["permissionDecision"] = "deny"
            specific["permissionDecisionReason"] = cut(answer.reason)
        else:
            plain = {"decision": "block", "reason": cut(answer.reason)}
    elif answer.decision == "allow" and event == "PreToolUse" and agent != "codex":
        specific["permissionDecision"] = "allow"
    if answer.context and event in _CONTEXT:
        specific["additionalContext"] = cut(answer.context)
    if specific:
        plain["hookSpecificOutput"] = {"hookEventName": event, **specific}
    if not plain:
        return ""
    return json.dumps(plain, ensure_ascii=False)


def cut(text: str, longest: int = LONGEST) -> str:
    """As much of a text as fits, by whole lines where that leaves something."""
    # A half of a surrogate pair is JSON to Python and an error to everybody else.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if units(text) <= longest:
        return text
    kept = text.encode("utf-16-le")[: 2 * (longest - 2)].decode("utf-16-le", "ignore")
    whole = kept.rpartition("\n")[0]
    return f"{whole if len(whole) * 2 > len(kept) else kept}\n…"


def units(text: str) -> int:
    """Characters as JavaScript counts them."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
