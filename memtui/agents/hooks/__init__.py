"""What agents' hooks do, one function an event (specs 000, 002, 003, 004).

`run` never raises, and an event that nobody wrote a function for does nothing: an agent goes on working
whatever happens here. To add an event, write its function, one line in `EVENTS` and one in `install.wiring`, without
which no agent fires it; what answers with context or stops the agent is named in `hook_process` as well. `run_hook` is
`memtui hook` itself.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

from memtui.agents.hooks.hook_process import (
    call_chained,
    encode_answer,
    guess_agent,
    is_plain_command,
    log_hook,
    mute_stdout,
    parse_call,
    read,
    read_cursor_payload,
    read_stdin,
)
from memtui.core.config import load
from memtui.core.locale import choose_language
from memtui.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from memtui.agents.hooks.hook_process import HookAnswer
    from memtui.core.config import Config
    from memtui.language.conversation import Session

EVENTS: tuple[tuple[str, str], ...] = (
    ("SessionStart", "memtui.agents.hooks.context_events:answer_session_start"),
    ("UserPromptSubmit", "memtui.agents.hooks.context_events:answer_prompt"),
    ("PreToolUse", "memtui.agents.hooks.rule_events:answer_pre_tool"),
    ("PostToolUse", "memtui.agents.hooks.file_events:answer_post_tool"),
    ("SubagentStart", "memtui.agents.hooks.subagent_events:answer_subagent_start"),
    ("PreCompact", "memtui.agents.hooks.session_events:queue_before_compaction"),
    ("PostCompact", "memtui.agents.hooks.session_events:queue_after_compaction"),
    ("Stop", "memtui.agents.hooks.session_events:queue_turn_end"),
    ("notify", "memtui.agents.hooks.session_events:queue_notification"),
    ("SessionEnd", "memtui.agents.hooks.session_events:queue_session_end"),
)
"""An event, as Claude Code and Codex call it (notify: Codex's own) -> module:function, loaded when it fires."""


class Call(NamedTuple):
    """One hook that fired."""

    payload: dict[str, Any]
    """What came on stdin, unchecked: read it with `hook_process`'s functions."""
    config: Config
    agent: str
    """claude-code, codex, …"""

    def session(self) -> Session:
        """Who fired it. Costs a few reads; ask once."""
        from memtui.sessions.identify import read_hook_session

        return read_hook_session(self.payload, self.config, agent=self.agent)


def run_hook(argv: Sequence[str]) -> int:
    """Do what `memtui hook` does with these arguments, and answer 0."""
    try:
        # What stdout says is for an agent.
        choose_language("en")
        told = parse_call(argv)
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # what warns there is no news to an agent
        answer = _answer(*told)
        if answer:
            sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
            sys.stdout.buffer.flush()
    except BaseException:
        # Whatever it was: whoever called has work to do. What stdout still holds is not told to anybody.
        mute_stdout()
    call_chained(argv)
    return 0


def _answer(event: str, agent: str, last: str) -> str:
    name = match_event(event)
    if not name or is_silenced():
        return ""

    told = last if name == "notify" and last else read_stdin()
    if agent == "codex" and is_plain_command(told):
        return ""
    return run(name, told, load()[0], agent=agent)


def run(event: str, stdin: str, config: Config, *, agent: str = "") -> str:
    """Do what an event asks for, and answer what goes to stdout: nothing, or one JSON object. Never raises."""
    name = match_event(event)
    if not name or is_silenced():
        return ""
    began = perf_counter()
    who, error = agent, ""
    try:
        payload = read(stdin)
        if payload is None:
            return ""
        who = agent or guess_agent(payload, name)
        if who == "cursor":
            payload = read_cursor_payload(payload)
        answer = _load_function(name)(Call(payload, config, who))
        if answer is None:
            return ""

        error = answer.problem
        return encode_answer(answer, name, who)
    except Exception as problem:
        # Fail open: the agent goes on, and Health shows what happened.
        error = f"{type(problem).__name__}: {problem}"
        return ""
    finally:
        _note(who, name, perf_counter() - began, error)


def match_event(event: str) -> str:
    """An event as `EVENTS` spells it, however it is written ('session-start'); empty: nobody knows it."""
    plain = event.replace("-", "").replace("_", "").casefold()
    return next((name for name, _place in EVENTS if name.casefold() == plain), "")


def is_silenced() -> bool:
    """Whether hooks are switched off here: by a person, or because a model that we asked runs hooks itself."""
    return any(os.environ.get(name, "").strip() not in {"", "0"} for name in ("MEMTUI_INSIDE", "MEMTUI_OFF"))


def _load_function(name: str) -> Callable[[Call], HookAnswer | None]:
    from importlib import import_module

    module, _sep, function = dict(EVENTS)[name].partition(":")
    found: Callable[[Call], HookAnswer | None] = getattr(import_module(module), function)
    return found


def _note(agent: str, event: str, seconds: float, error: str) -> None:
    try:
        log_hook(agent, event, seconds, error)
    except Exception:
        # A record of what fired is worth less than the agent's work.
        return
