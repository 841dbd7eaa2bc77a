"""What a person really typed, out of what clients wrap around and put before it."""

from __future__ import annotations

import re

from memtui.pattern import pattern

_INJECTED = pattern(
    r"<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|environment_context|user_instructions|"
    r"INSTRUCTIONS|permissions instructions|turn_context|turn_aborted|user-memory-input|task-notification|"
    r"local-command-caveat|collaboration_mode|skills_instructions|apps_instructions|skill|subagent_notification|"
    r"user_shell_command|user_action|new-diagnostics|post-tool-use-hook|session-start-hook|"
    r"user-prompt-submit-hook)\b[^<>]*>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
_OUTPUT = ("<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>")
_NOT_TYPED = (
    "Caveat: The messages below",
    "[Request interrupted",
    "# AGENTS.md instructions",
    "This session is being",
)
_REQUEST = "## My request for Codex:"


def typed(text: str) -> str:
    """The words of a prompt without what was injected; empty where nobody typed anything."""
    text = text.strip()
    if text.startswith("#") and _REQUEST in text:
        text = text.partition(_REQUEST)[2].strip()
    if "<" in text:
        if text.startswith(_OUTPUT):
            return ""
        if "<command-" in text or _inside(text, "bash-input") is not None:
            return ""
        text = _INJECTED.sub("", text).strip()
    return "" if text.startswith(_NOT_TYPED) else text


def command(text: str) -> str:
    """A slash command or a shell escape as it was typed: '/review src', '! ls'; empty for anything else."""
    if "<" not in text:
        return ""
    name = _inside(text, "command-name")
    if name:
        name = name if name.startswith("/") else f"/{name}"
        return f"{name} {_inside(text, 'command-args') or ''}".strip()
    shell = _inside(text, "bash-input")
    return f"! {shell}" if shell else ""


def _inside(text: str, tag: str) -> str | None:
    """What stands in the first such tag; None where there is none."""
    _, opened, rest = text.partition(f"<{tag}>")
    inside, closed, _ = rest.partition(f"</{tag}>")
    return inside.strip() if opened and closed else None
