"""What agents' hooks do, one function an event: specs 000, 002, 003 and 004 at the moments when they fire.

`run` is the one door. It never raises, and an event that nobody wrote a function for is a no-op: an agent goes on
working whatever happens here. To add one, write its function and one line in `EVENTS`.
"""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from memtui.agents.hooks.hook_process import Answer
    from memtui.core.config import Config
    from memtui.language.conversation import Session

EVENTS: tuple[tuple[str, str], ...] = (
    ("SessionStart", "memtui.agents.hooks.context_events:given"),
    ("UserPromptSubmit", "memtui.agents.hooks.context_events:asked"),
    ("PreToolUse", "memtui.agents.hooks.rule_events:before"),
    ("PostToolUse", "memtui.agents.hooks.file_events:after"),
    ("SubagentStart", "memtui.agents.hooks.rule_events:planning"),
    ("PreCompact", "memtui.agents.hooks.session_events:compacting"),
    ("PostCompact", "memtui.agents.hooks.session_events:compacted"),
    ("Stop", "memtui.agents.hooks.session_events:stopped"),
    ("notify", "memtui.agents.hooks.session_events:notified"),
    ("SessionEnd", "memtui.agents.hooks.session_events:ended"),
)
"""An event, as Claude Code and Codex call it (notify: Codex's own) -> module:function, loaded when it fires."""


class Call(NamedTuple):
    """One hook that fired."""

    event: str
    payload: dict[str, Any]
    """What came on stdin, unchecked: read it with `payload`'s functions."""
    config: Config
    agent: str
    """claude-code, codex, …"""

    def session(self) -> Session:
        """Who fired it. Costs a few reads; ask once."""
        from memtui.sessions.identify import told

        return told(self.payload, self.config, agent=self.agent)


def run(event: str, stdin: str, config: Config, *, agent: str = "") -> str:
    """Do what an event asks for, and answer what goes to stdout: nothing, or one JSON object. Never raises."""
    name = named(event)
    if not name or silent():
        return ""
    began = perf_counter()
    who, error = agent, ""
    try:
        from memtui.agents.hooks.hook_process import agent_of, read

        payload = read(stdin)
        if payload is None:
            return ""
        who = agent or agent_of(payload, name)
        answer = _function(name)(Call(name, payload, config, who))
        if answer is None:
            return ""
        from memtui.agents.hooks.hook_process import said

        error = answer.problem
        return said(answer, name, who)
    except Exception as problem:
        # Fail open: the agent goes on, and Health shows what happened.
        error = f"{type(problem).__name__}: {problem}"
        return ""
    finally:
        _noted(who, name, perf_counter() - began, error)


def named(event: str) -> str:
    """An event as `EVENTS` spells it, however it is written ('session-start'); empty: nobody knows it."""
    plain = event.replace("-", "").replace("_", "").casefold()
    return next((name for name, _place in EVENTS if name.casefold() == plain), "")


def silent() -> bool:
    """Whether hooks are switched off here: by a person, or because a model that we asked runs hooks itself."""
    return any(os.environ.get(name, "").strip() not in {"", "0"} for name in ("MEMTUI_INSIDE", "MEMTUI_OFF"))


def _function(name: str) -> Callable[[Call], Answer | None]:
    from importlib import import_module

    module, _sep, function = dict(EVENTS)[name].partition(":")
    found: Callable[[Call], Answer | None] = getattr(import_module(module), function)
    return found


def _noted(agent: str, event: str, seconds: float, error: str) -> None:
    try:
        from memtui.agents.hooks.hook_process import noted

        noted(agent, event, seconds, error)
    except Exception:
        # A record of what fired is worth less than the agent's work.
        return
