"""The turns of a session's transcript, whichever tool wrote it, and what its dialects share.

Conventions of `Turn`: a tool's call has role assistant and the tool's name, its result role tool and the same
name; thinking has role assistant and begins with `THINKING`; compactions and summaries have role summary; what
the client put in (command output, reminders) has role system. `Keeper` is the base of the dialects' readers.

`Messages` reads messages as model APIs have them, XingheBot's history.jsonl and OpenAkita's turns and traces:
`{role, content, tool_calls, tool_call_id | tool_results, ts | timestamp}`; an iteration of a react trace has no
role, and `text_content` for what was said. `extract_typed_text` separates what a person typed from what clients
wrap around it.
"""

from __future__ import annotations

import os
import re
from importlib import import_module

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.core.model import Transcript, Turn
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats import mask_text_secrets
from memtui.formats.records import decode_nested_json, fit_line, format_json_value, parse_moment

if TYPE_CHECKING:
    from memtui.formats import Source
    from memtui.formats.jsonl import Stream

LIMIT = 256 * 1024 * 1024
"""Bytes of one transcript that are read when somebody opens it."""

SAID = 20_000
"""Most characters of what was said that one turn keeps."""
RETURNED = 8_000
"""Most characters of a tool's result that one turn keeps."""
BUDGET = 48 * 1024 * 1024
"""Characters that a whole transcript may keep; after that every turn keeps a line's worth."""

THINKING = "[thinking] "

_BEGUN = compile_pattern(r'"(\w+)"\s*:\s*(?:("(?:[^"\\]|\\.){0,4000})|(true))')
_BEGINNING = 16_000
"""Characters of a record too long to be read that are looked through for what it is about."""

_TRANSCRIPT_TIMES = compile_pattern(r'"timestamp"\s*:\s*"([^"\\]{10,40})"')
_END = 64 * 1024
"""Bytes at a transcript's end in which its last time stands."""

_READERS = {
    "claude-transcript": "memtui.formats.transcript_claude",
    "codex-transcript": "memtui.formats.transcript_codex",
    "gemini-transcript": "memtui.formats.transcript_logs",
    "copilot-transcript": "memtui.formats.transcript_logs",
}


def read_turns(path: str, parser_name: str, *, limit_bytes: int = LIMIT) -> Transcript:
    """The turns of the transcript at this absolute path, read leniently and in a stream.

    Broken lines and records of unknown kinds are counted, never raised. Raises KeyError for a parser that reads no
    transcripts, UnavailableError where the file cannot be read.
    """
    module = import_module(_READERS[parser_name])
    try:
        found: Transcript = module.read_turns(path, limit_bytes=limit_bytes)
    except OSError as error:
        raise UnavailableError(
            _("the transcript cannot be read: {reason}").format(reason=error.strerror or error)
        ) from None
    return found


def parse_truncated_record(text: str) -> dict[str, Any]:
    """What the beginning of a record says that was cut off: its texts by name, the first of each, and what is true."""
    found: dict[str, Any] = {}
    for name, value, true in _BEGUN.findall(text[:_BEGINNING]):
        said = True if true else decode_nested_json(f'{value}"')
        if said is not None:
            found.setdefault(name, said)
    return found


def find_last_time(source: Source) -> float | None:
    """When a session was last written to, by its own last records; copies and checkouts move a file's time."""
    found = _TRANSCRIPT_TIMES.findall(source.text[-_END:] if not source.cut else _end(source.file))
    return next(filter(None, (parse_moment(text) for text in reversed(found))), None) or source.modified or None


def _end(file: str) -> str:
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as opened:
        opened.seek(max(0, os.fstat(descriptor).st_size - _END))
        return opened.read(_END).decode("utf-8", "replace")


class Keeper:
    """The turns as they are kept: to be shown, long ones cut and veiled; `whole`, as they stand, to be indexed."""

    def __init__(self, whole: bool = False) -> None:
        self.turns: list[Turn] = []
        self.tools: dict[str, str] = {}
        """The names of tools by the ids of their calls."""
        self.unknown = 0
        self._whole = whole
        self._left = BUDGET

    def add(self, role: str, text: str, time: float | None, at: int, **more: Any) -> None:
        """Keep a turn; one without words is not worth a row (a tool's call or result is)."""
        text = text.strip()
        if not text and not more.get("tool"):
            return
        if not self._whole:
            most = RETURNED if role == "tool" else SAID
            # What stands across the cut must not be halved before it is known for a secret.
            text = cut(mask_text_secrets(text[: 2 * most]) + text[2 * most :], most if self._left > 0 else 200)
            self._left -= len(text)
        self.turns.append(Turn(role, text, time, at, **more))

    def call(self, called_by: str, name: Any, given: Any, time: float | None, at: int, **more: Any) -> None:
        """Keep a tool's call, and its name for the result."""
        tool = fit_line(name, 120) or "tool"
        if called_by:
            self.tools[called_by] = tool
        told = format_tool_input(given) if self._whole else summarize_tool_input(given)
        self.add("assistant", told, time, at, tool=tool, **more)

    def returned(self, called_by: str, text: str, time: float | None, at: int, *, named: str = "", **more: Any) -> None:
        """Keep a tool's result under the name of its call, else under the name in the result."""
        self.add("tool", text, time, at, tool=self.tools.get(called_by) or named or "tool", **more)

    def transcript(self, stream: Stream) -> Transcript:
        """All of it, with the counts."""
        return Transcript(self.turns, stream.skipped, self.unknown, stream.truncated)


def cut(text: str, most: int) -> str:
    """At most so many characters, and how many more there were."""
    if len(text) <= most:
        return format_json_value(text)
    return f"{format_json_value(text[:most])}\n… (+{len(text) - most:,} characters)"


_TELLING = (
    "command", "cmd", "pattern", "query", "file_path", "path", "notebook_path", "url", "prompt", "description",
    "content", "input", "text", "plan", "skill", "name",
)  # fmt: skip


def summarize_tool_input(value: Any) -> str:
    """A tool's input on one line: the most informative argument, then the number of the others."""
    if not isinstance(value, dict):
        return fit_line(value, 400)
    for key in _TELLING:
        told = value.get(key)
        if told:
            text = " ".join(map(format_json_value, told)) if isinstance(told, list) else format_json_value(told)
            pattern = value.get("path") if key in {"pattern", "query"} else None
            return fit_line(f"{text} in {format_json_value(pattern)}" if pattern else text, 400)
    return fit_line(", ".join(f"{fit_line(key)}={fit_line(told, 80)}" for key, told in list(value.items())[:8]), 400)


def format_tool_input(value: Any) -> str:
    """All of a tool's input, a parameter a line."""
    if not isinstance(value, dict):
        return format_json_value(value)
    return "\n".join(f"{fit_line(key)}: {format_json_value(told)}" for key, told in value.items())


def join_text_blocks(value: Any) -> str:
    """The words of a message's or a result's content: text, or a list of text and pictures."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(_block_text, value)))
    return _block_text(value)


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return format_json_value(block)
    text = block.get("text")
    if isinstance(text, str):
        return text
    kind = format_json_value(block.get("type", ""))
    if "image" in kind:
        return "[image]"
    if "content" in block:
        return join_text_blocks(block["content"])
    if "tool_name" in block:
        return format_json_value(block["tool_name"])
    return f"[{kind}]" if kind else format_json_value(block)


_TIMES = ("timestamp", "ts", "created_at", "time")
_THOUGHTS = ("reasoning_content", "thinking_content", "thinking")
_RESULTS = ("content", "result_content", "result_preview", "result", "output")
_ROLES = frozenset({"user", "assistant", "system", "summary"})


class Messages(Keeper):
    """The turns of messages as they come."""

    def take(self, record: dict[str, Any], at: int) -> None:
        """What was thought, said and called in one message, and what came back."""
        time = next((found for key in _TIMES if (found := parse_moment(record.get(key))) is not None), None)
        role = format_json_value(record.get("role", "")).lower() or "assistant"
        content = record.get("content", record.get("text_content"))
        if role in {"tool", "function"}:
            self._add_result({**record, "content": content}, time, at)
            return
        for key in _THOUGHTS:
            thought = format_json_value(record.get(key))
            if thought.strip():
                self.add("assistant", THINKING + thought, time, at)
        role = role if role in _ROLES else "assistant"
        said: list[Any] = []
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._call(block, time, at)
            elif isinstance(block, dict) and block.get("type") == "tool_result":
                self._add_result(block, time, at)
            elif block is not None:
                said.append(block)
        self.add(role, join_text_blocks(said), time, at)
        for call in _list_objects(record.get("tool_calls")):
            self._call(call, time, at)
        for result in _list_objects(record.get("tool_results")):
            self._add_result(result, time, at)

    def _call(self, call: dict[str, Any], time: float | None, at: int) -> None:
        inner = call.get("function")
        inner = inner if isinstance(inner, dict) else call
        given = inner.get("arguments", inner.get("input", inner.get("params", inner.get("input_preview"))))
        decoded = decode_nested_json(given)
        name = inner.get("name", inner.get("tool_name", ""))
        self.call(format_json_value(call.get("id", "")), name, given if decoded is None else decoded, time, at)

    def _add_result(self, result: dict[str, Any], time: float | None, at: int) -> None:
        called = format_json_value(result.get("tool_call_id", result.get("tool_use_id", "")))
        name = fit_line(result.get("name", result.get("tool_name", "")), 120)
        text = next((join_text_blocks(result[key]) for key in _RESULTS if result.get(key) is not None), "")
        failed = bool(result.get("is_error")) or result.get("success") is False
        self.returned(called, text, time, at, named=name, failed=failed)


def _list_objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, which a database keeps as JSON in text; text that is no list is a result by itself."""
    found = decode_nested_json(value) if isinstance(value, str) else value
    if isinstance(found, dict):
        found = [found]
    if isinstance(found, list):
        return [item if isinstance(item, dict) else {"content": item} for item in found[:1000]]
    return [{"content": value}] if isinstance(value, str) and value.strip() else []


_INJECTED = compile_pattern(
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


def extract_typed_text(text: str) -> str:
    """The words of a prompt without what was injected; empty where nobody typed anything."""
    text = text.strip()
    if text.startswith("#") and _REQUEST in text:
        text = text.partition(_REQUEST)[2].strip()
    if "<" in text:
        if text.startswith(_OUTPUT):
            return ""
        if "<command-" in text or _extract_tag_text(text, "bash-input") is not None:
            return ""
        # Cursor puts what was typed between these, behind what it attached.
        text = _extract_tag_text(text, "user_query") or _INJECTED.sub("", text).strip()
    return "" if text.startswith(_NOT_TYPED) else text


def extract_command(text: str) -> str:
    """A slash command or a shell escape as it was typed: '/review src', '! ls'; empty for anything else."""
    if "<" not in text:
        return ""
    name = _extract_tag_text(text, "command-name")
    if name:
        name = name if name.startswith("/") else f"/{name}"
        return f"{name} {_extract_tag_text(text, 'command-args') or ''}".strip()
    shell = _extract_tag_text(text, "bash-input")
    return f"! {shell}" if shell else ""


def _extract_tag_text(text: str, tag: str) -> str | None:
    """What stands in the first such tag; None where there is none."""
    _, opened, rest = text.partition(f"<{tag}>")
    inside, closed, _ = rest.partition(f"</{tag}>")
    return inside.strip() if opened and closed else None
