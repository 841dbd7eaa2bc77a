"""Transcripts heard as a conversation: the readers of `memtui.parse` that keep what was said, and steps for calls.

One class a dialect: Claude Code's records, Codex's rollouts, and messages as XingheBot and OpenClaw keep them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.parse.fields import line, moment, plain
from memtui.parse.prompt import typed
from memtui.parse.transcript import THINKING, Keeper
from memtui.parse.transcript_claude import Talk
from memtui.parse.transcript_codex import Rollout, unpacked
from memtui.parse.transcript_message import Messages
from memtui.sessions import steps, threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.session import Step
    from memtui.turns import Turn

_SAID = frozenset({"user", "assistant", "summary"})
_NOTHING_SAID = "(earlier turns were compacted)"
_REFUSED = "the user said:\n"
_SWITCHES = frozenset({
    "/clear", "/compact", "/exit", "/quit", "/model", "/help", "/status", "/cost", "/config", "/login", "/logout",
    "/resume", "/mcp", "/hooks", "/permissions", "/doctor", "/context", "/usage", "/theme", "/vim", "/rewind", "/fast",
    "/plugin", "/agents", "/ide", "/terminal-setup", "/output-style", "/statusline", "/bug", "/release-notes",
})  # fmt: skip
"""What steers the client, and says nothing to the agent."""


class Heard(NamedTuple):
    """What is left of a transcript for one session."""

    said: list[Turn]
    steps: list[Step]


class Hearing(Keeper):
    """What every dialect keeps: no thoughts, no sub-agents, nothing injected; a step for each call."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[Step] = []
        self._calls: dict[str, int] = {}

    def add(self, role: str, text: str, time: float | None, at: int, **more: Any) -> None:
        """What the person or the agent said."""
        if role not in _SAID or more.get("sidechain") or text.startswith(THINKING) or text == _NOTHING_SAID:
            return
        if role == "user" and (text.startswith("! ") or text.partition(" ")[0].strip() in _SWITCHES):
            return
        super().add(role, text, time, at)

    def call(self, called_by: str, name: Any, given: Any, time: float | None, at: int, **more: Any) -> None:
        """A step begins."""
        if more.get("sidechain"):
            return
        if called_by:
            self._calls[called_by] = len(self.steps)
        self.steps.append(steps.step(line(name, 120) or "tool", given, time, at))

    def returned(
        self, called_by: str, text: str, time: float | None, at: int, *, named: str = "", **more: Any
    ) -> None:
        """A step ends; a person who refused it may have said what to do instead."""
        last = len(self.steps) - 1
        # Where calls have no ids, what comes back belongs to the last one.
        at_step = self._calls.get(called_by, -1 if called_by else last)
        if at_step >= 0:
            self.steps[at_step] = steps.returned(self.steps[at_step], text, bool(more.get("failed")))
        if more.get("failed") and _REFUSED in text:
            self.add("user", text.partition(_REFUSED)[2], time, at, sidechain=bool(more.get("sidechain")))

    def heard(self, session: str) -> Heard:
        """What belongs to the session with this id."""
        return Heard(self.turns, self.steps)


class _Mark(NamedTuple):
    """A record of Claude Code's, and what it left in the lists."""

    node: threads.Node
    session: str
    turns: range
    steps: range


class ClaudeHearing(Hearing, Talk):
    """Claude Code's: its records are a tree, and may be several sessions'."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: list[_Mark] = []
        self._known: set[str] = set()

    def take(self, record: dict[str, Any], at: int) -> None:
        """One record of the main thread, the first time that it is seen."""
        kind, uuid = record.get("type"), record.get("uuid")
        # A summary by itself is a title, often another session's.
        if record.get("isSidechain") or kind == "summary" or (isinstance(uuid, str) and uuid in self._known):
            return
        turn, step = len(self.turns), len(self.steps)
        talk = kind in {"user", "assistant"} and not record.get("isMeta")
        if kind == "attachment":
            self._attached(record, at)
        elif record.get("isApiErrorMessage"):
            talk = False
        else:
            super().take(record, at)
        if isinstance(uuid, str):
            self._known.add(uuid)
        node = threads.node(record, talk)
        ranges = range(turn, len(self.turns)), range(step, len(self.steps))
        self._marks.append(_Mark(node, plain(record.get("sessionId")), *ranges))

    def _attached(self, record: dict[str, Any], at: int) -> None:
        """What the person typed while the agent was busy comes as an attachment."""
        attached = record.get("attachment")
        if isinstance(attached, dict) and attached.get("type") == "queued_command":
            if attached.get("commandMode", "prompt") == "prompt":
                self.add("user", typed(plain(attached.get("prompt"))), moment(record.get("timestamp")), at)
        else:
            self.unknown += 1

    def heard(self, session: str) -> Heard:
        """The main thread of this session; of all that is there where none of it bears its id."""
        named = any(mark.session == session for mark in self._marks)
        own = [not named or mark.session in {"", session} for mark in self._marks]
        nodes = [
            mark.node._replace(talk=mark.node.talk and mine)
            for mark, mine in zip(self._marks, own, strict=True)
        ]
        kept = [self._marks[at] for at in sorted(threads.main(nodes)) if own[at]]
        said = [self.turns[number] for mark in kept for number in mark.turns]
        return Heard(said, [self.steps[number] for mark in kept for number in mark.steps])


class CodexHearing(Hearing, Rollout):
    """Codex's: what was said stands twice, and what was rolled back stays in the file."""

    def __init__(self) -> None:
        super().__init__()
        self._rolled: list[tuple[int, int]] = []

    def take(self, record: dict[str, Any], at: int) -> None:
        """One record; or that so many turns of the person's, and what followed, are taken back."""
        kind, payload = unpacked(record)
        count = payload.get("num_turns")
        if kind == "event_msg" and payload.get("type") == "thread_rolled_back" and isinstance(count, int):
            self._rolled.append((at, count))
        else:
            super().take(record, at)

    def heard(self, session: str) -> Heard:
        """Each thing once, without what was rolled back."""
        said, done = self.once(), self.steps
        for at, count in self._rolled:
            prompts = [turn.line for turn in said if turn.role == "user" and turn.line < at]
            since = prompts[-count] if 0 < count <= len(prompts) else (0 if count > 0 else at)
            said = _without(said, since, at)
            done = [step for step in done if not since <= step.line < at]
        return Heard(said, done)


class MessageHearing(Hearing, Messages):
    """Messages: XingheBot's as they stand, OpenClaw's in an envelope."""

    def add(self, role: str, text: str, time: float | None, at: int, **more: Any) -> None:
        """What the person typed, without what was put before it."""
        super().add(role, typed(text) if role == "user" else text, time, at, **more)

    def take(self, record: dict[str, Any], at: int) -> None:
        """One message, out of its envelope."""
        kind, message = record.get("type"), record.get("message")
        if kind == "compaction":
            self.add("summary", plain(record.get("summary")), moment(record.get("timestamp")), at)
        elif isinstance(message, dict):
            super().take({"timestamp": record.get("timestamp"), **_opened(message)}, at)
        elif "role" in record or "content" in record:
            super().take(record, at)
        else:
            self.unknown += 1


def _opened(message: dict[str, Any]) -> dict[str, Any]:
    """OpenClaw's message as others write it."""
    content = message.get("content")
    if message.get("role") == "toolResult":
        names = {"tool_call_id": "toolCallId", "name": "toolName", "is_error": "isError"}
        return {"role": "tool", "content": content} | {
            name: message.get(theirs) for name, theirs in names.items()
        }
    if isinstance(content, list):
        content = [_block(block) for block in content if not _thought(block)]
    return {**message, "content": content}


def _thought(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "thinking"


def _block(block: Any) -> Any:
    if isinstance(block, dict) and block.get("type") == "toolCall":
        return {**block, "type": "tool_use", "input": block.get("arguments")}
    return block


def _without(said: Sequence[Turn], since: int, until: int) -> list[Turn]:
    return [turn for turn in said if not since <= turn.line < until]


Ear = ClaudeHearing | CodexHearing | MessageHearing


def hearing(record: dict[str, Any]) -> Ear | None:
    """Who understands a file with such a record in it; None: this record does not tell."""
    kind = record.get("type")
    if kind == "message" and isinstance(record.get("message"), dict):
        return MessageHearing()
    if kind is None and isinstance(record.get("role"), str):
        return MessageHearing()
    if unpacked(record)[0] in {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}:
        return CodexHearing()
    if kind in {"user", "assistant"} or "sessionId" in record or "uuid" in record:
        return ClaudeHearing()
    return None
