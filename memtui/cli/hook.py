"""`memtui hook EVENT` as the command line and its help know it; `memtui.agents.hooks.process` is what agents run."""

from __future__ import annotations

from memtui.cli.grammar import Argument, Command, Option


def run(event: str, told: tuple[str, ...], *, agent: str) -> int:
    """The same for the command line's own reader."""
    from memtui.agents.hooks.process import hook

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
