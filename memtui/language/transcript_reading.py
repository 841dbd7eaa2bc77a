"""A session's transcript as a Conversation: what was said and done on its main thread, with tool calls as steps.

- `find_main_thread`: the records from the last word back to the first (spec 000). What was rewound hangs on
  other branches; a missing link is taken for the record before, so that a broken file loses nothing;
  compactions keep what they compacted.
- `step`: what a tool's call did, from its arguments: which files, which command, whether it writes.
- One class a dialect, on the readers of `memtui.formats`: Claude Code's records, Codex's rollouts, messages as
  XingheBot, OpenClaw and Cursor keep them.
- `read`: the conversation of a file.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.formats import mask_text_secrets
from memtui.formats.jsonl import STREAM_LONGEST_LINE, Stream
from memtui.formats.records import fit_line, format_json_value, parse_moment
from memtui.formats.session_head import find_own_words
from memtui.formats.transcript_claude import Talk
from memtui.formats.transcript_codex import Rollout, unpack_record
from memtui.formats.transcripts import (
    LIMIT,
    THINKING,
    Keeper,
    Messages,
    extract_typed_text,
    format_tool_input,
)
from memtui.language.conversation import Conversation, Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.core.model import Turn
    from memtui.language.conversation import Session


class ThreadNode(NamedTuple):
    """One record, as far as threads go."""

    id: str
    above: str | None
    """The id of the record that it answers; empty: of the one before it; None: it begins anew."""
    talk: bool
    """The person's or the agent's, of this session: a thread may end here."""
    message: str
    """One message of a model may be several records."""
    calls: tuple[str, ...]
    results: tuple[str, ...]


def make_node(record: Mapping[str, Any], talk: bool) -> ThreadNode:
    """A record of Claude Code's as a node."""
    above: str | None = _text(record.get("logicalParentUuid")) or _text(record.get("parentUuid"))
    if not above and "parentUuid" in record and record["parentUuid"] is None:
        compacted = record.get("isCompactSummary") or "compact" in _text(record.get("subtype"))
        above = "" if compacted else None
    message = record.get("message")
    message = message if isinstance(message, dict) else {}
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = tuple(_text(block.get("id")) for block in blocks if _kind(block).endswith("tool_use"))
    results = tuple(_text(block.get("tool_use_id")) for block in blocks if _kind(block).endswith("tool_result"))
    return ThreadNode(_text(record.get("uuid")), above, talk, _text(message.get("id")), calls, results)


def find_main_thread(nodes: list[ThreadNode]) -> set[int]:
    """The positions of those that are on the main thread."""
    where = {one.id: at for at, one in reversed(list(enumerate(nodes))) if one.id}
    at = next((at for at in range(len(nodes) - 1, -1, -1) if nodes[at].talk and nodes[at].id), -1)
    if at < 0:
        return set(range(len(nodes)))
    found = {number for number in range(len(nodes)) if not nodes[number].id}
    while at >= 0 and at not in found:
        found.add(at)
        above = nodes[at].above
        if above is None:
            break
        # Forwards no thread goes: a link that says so is broken like one to nowhere.
        linked = where.get(above, -1)
        at = linked if 0 <= linked < at else _before(nodes, at)
    return found | _beside(nodes, found)


def _before(nodes: list[ThreadNode], at: int) -> int:
    return next((number for number in range(at - 1, -1, -1) if nodes[number].id), -1)


def _beside(nodes: list[ThreadNode], found: set[int]) -> set[int]:
    """Calls made at once answer side by side: the rest of a message on the thread, and what its calls returned."""
    messages = {nodes[at].message for at in found} - {""}
    more = {at for at, one in enumerate(nodes) if one.message in messages}
    calls = {call for at in found | more for call in nodes[at].calls} - {""}
    return more | {at for at, one in enumerate(nodes) if one.results and calls.issuperset(one.results)}


def _kind(block: Mapping[str, Any]) -> str:
    return _text(block.get("type"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


GIVEN = 1200
"""Characters that are kept of what a tool was given."""
RETURNED = 1600
"""Characters that are kept of what came back: its beginning, and its end, where errors stand."""
_END = 600
_READ = 16_000
"""Characters that are looked at for secrets before a text is cut."""
_FILES = 64

_PATHS = (
    "file_path", "filePath", "notebook_path", "path", "file", "filename", "target_file", "absolute_path",
    "relative_path",
)  # fmt: skip
_SEVERAL = ("paths", "files", "file_paths")
_COMMANDS = ("command", "cmd", "script")
_WRITING = compile_pattern(r"(?:^|_)(?:edit|write|create|replace|patch|insert|update|append)(?:_|$)")
_LOOKING = compile_pattern(r"(?:^|_)(?:grep|glob|ls|list|find|search|tree)(?:_|$)")
_RUNNING = compile_pattern(r"(?:^|_)(?:bash|shell|exec|command|terminal|run|powershell|sh|cmd)(?:_|$)")
_HUMP = compile_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_PATCH = "*** Begin Patch"
_PATCHED = compile_pattern(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$", re.MULTILINE)
_SHELLS = frozenset({"bash", "sh", "zsh", "powershell", "pwsh", "cmd"})
_VIEWING = frozenset({"view", "undo_edit"})


def step(name: str, given: Any, time: float | None, at: int) -> Step:
    """One call, before anything came back."""
    said = given if isinstance(given, dict) else {}
    kind = _HUMP.sub("_", name.rpartition("__")[2] or name).lower().replace("-", "_")
    text = given if isinstance(given, str) else ""
    command = _command(said) if _RUNNING.search(kind) or not _WRITING.search(kind) else ""
    patch = next((part for part in (text, command, *_texts(said)) if _PATCH in part), "")
    if patch:
        files = _told(_PATCHED.findall(patch))
        return Step(name, at, time, files, "", _short(patch), writes=True)
    files = () if _LOOKING.search(kind) else _files(said)
    writes = bool(files) and bool(_WRITING.search(kind)) and said.get("command") not in _VIEWING
    shown = command if command and len(said) < 2 else format_tool_input(given)
    return Step(name, at, time, files, _cut(command, GIVEN), _short(shown), writes=writes)


def complete_step(call: Step, text: str, failed: bool) -> Step:
    """The call with what came back; one that failed changed nothing."""
    return call._replace(
        result=clip_middle(text),
        failed=call.failed or failed,
        writes=call.writes and not (call.failed or failed),
    )


def clip_middle(text: str) -> str:
    """The beginning and the end of a long text, its secrets masked before it is cut."""
    text = text.strip()
    if len(text) > _READ:
        text = f"{text[: _READ // 2]}\n…\n{text[-_READ // 2 :]}"
    text = format_json_value(mask_text_secrets(text))
    return text if len(text) <= RETURNED else f"{text[: RETURNED - _END]}\n…\n{text[-_END:]}"


def _short(text: str) -> str:
    return _cut(format_json_value(text).strip(), GIVEN)


def _cut(text: str, most: int) -> str:
    text = mask_text_secrets(text[:_READ])
    return text if len(text) <= most else f"{text[:most]}…"


def _command(said: Mapping[str, Any]) -> str:
    found = next((said[key] for key in _COMMANDS if said.get(key)), "")
    if isinstance(found, str):
        return found
    if not isinstance(found, list):
        return ""
    words = [word for word in found if isinstance(word, str)]
    if len(words) > 2 and words[0].rpartition("/")[2] in _SHELLS and words[1].startswith(("-", "/")):
        return words[-1]
    return shlex.join(words)


def _texts(said: Mapping[str, Any]) -> list[str]:
    found = [value for value in said.values() if isinstance(value, str)]
    lists = [value for value in said.values() if isinstance(value, list)]
    return found + [part for parts in lists for part in parts[:_FILES] if isinstance(part, str)]


def _files(said: Mapping[str, Any]) -> tuple[str, ...]:
    named = [said[key] for key in _PATHS if isinstance(said.get(key), str)][:1]
    for key in _SEVERAL:
        several = said.get(key)
        named += [one for one in several if isinstance(one, str)] if isinstance(several, list) else []
    return _told(named)


def _told(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for name in names[:_FILES] if (found := fit_line(name, 1000))))


_SAID = frozenset({"user", "assistant", "summary"})
_NOTHING_SAID = "(earlier turns were compacted)"
_REFUSED = "the user said:\n"
_SWITCHES = frozenset({
    "/clear", "/compact", "/exit", "/quit", "/model", "/help", "/status", "/cost", "/config", "/login", "/logout",
    "/resume", "/mcp", "/hooks", "/permissions", "/doctor", "/context", "/usage", "/theme", "/vim", "/rewind", "/fast",
    "/plugin", "/agents", "/ide", "/terminal-setup", "/output-style", "/statusline", "/bug", "/release-notes",
})  # fmt: skip
"""What steers the client, and says nothing to the agent."""


_PLAN_ORDER = compile_pattern(
    r"Implement the plan as specified, it is attached for your reference\..{0,60}?"
    r"Do NOT edit the plan file itself\.(?:\s*To-do's from the plan have already been created\..{0,200}?to-?dos\.)?",
    re.DOTALL,
)
"""What Cursor says in the person's name where a plan is to be built."""


class TranscriptPart(NamedTuple):
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
        super().add(role, _PLAN_ORDER.sub("", text) if role == "user" else text, time, at)

    def call(self, called_by: str, name: Any, given: Any, time: float | None, at: int, **more: Any) -> None:
        """A step begins."""
        if more.get("sidechain"):
            return
        if called_by:
            self._calls[called_by] = len(self.steps)
        self.steps.append(step(fit_line(name, 120) or "tool", given, time, at))

    def returned(self, called_by: str, text: str, time: float | None, at: int, *, named: str = "", **more: Any) -> None:
        """A step ends; a person who refused it may have said what to do instead."""
        last = len(self.steps) - 1
        # Where calls have no ids, what comes back belongs to the last one.
        at_step = self._calls.get(called_by, -1 if called_by else last)
        if at_step >= 0:
            self.steps[at_step] = complete_step(self.steps[at_step], text, bool(more.get("failed")))
        if more.get("failed") and _REFUSED in text:
            self.add("user", text.partition(_REFUSED)[2], time, at, sidechain=bool(more.get("sidechain")))

    def heard(self, session: str) -> TranscriptPart:
        """What belongs to the session with this id."""
        return TranscriptPart(self.turns, self.steps)


class _Mark(NamedTuple):
    """A record of Claude Code's, and what it left in the lists."""

    node: ThreadNode
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
        node = make_node(record, talk)
        ranges = range(turn, len(self.turns)), range(step, len(self.steps))
        self._marks.append(_Mark(node, format_json_value(record.get("sessionId")), *ranges))

    def _attached(self, record: dict[str, Any], at: int) -> None:
        """What the person typed while the agent was busy comes as an attachment."""
        attached = record.get("attachment")
        if isinstance(attached, dict) and attached.get("type") == "queued_command":
            if attached.get("commandMode", "prompt") == "prompt":
                self.add(
                    "user",
                    extract_typed_text(format_json_value(attached.get("prompt"))),
                    parse_moment(record.get("timestamp")),
                    at,
                )
        else:
            self.unknown += 1

    def heard(self, session: str) -> TranscriptPart:
        """The main thread of this session; of all that is there where none of it bears its id."""
        named = any(mark.session == session for mark in self._marks)
        own = [not named or mark.session in {"", session} for mark in self._marks]
        nodes = [mark.node._replace(talk=mark.node.talk and mine) for mark, mine in zip(self._marks, own, strict=True)]
        kept = [self._marks[at] for at in sorted(find_main_thread(nodes)) if own[at]]
        said = [self.turns[number] for mark in kept for number in mark.turns]
        return TranscriptPart(said, [self.steps[number] for mark in kept for number in mark.steps])


class CodexHearing(Hearing, Rollout):
    """Codex's: what was said stands twice, and what was rolled back stays in the file."""

    def __init__(self) -> None:
        super().__init__()
        self._rolled: list[tuple[int, int]] = []

    def take(self, record: dict[str, Any], at: int) -> None:
        """One record; or that so many turns of the person's, and what followed, are taken back."""
        kind, payload = unpack_record(record)
        count = payload.get("num_turns")
        if kind == "event_msg" and payload.get("type") == "thread_rolled_back" and isinstance(count, int):
            self._rolled.append((at, count))
        else:
            super().take(record, at)

    def heard(self, session: str) -> TranscriptPart:
        """Each thing once, without what was rolled back."""
        said, done = self.once(), self.steps
        for at, count in self._rolled:
            prompts = [turn.line for turn in said if turn.role == "user" and turn.line < at]
            since = prompts[-count] if 0 < count <= len(prompts) else (0 if count > 0 else at)
            said = _without(said, since, at)
            done = [step for step in done if not since <= step.line < at]
        return TranscriptPart(said, done)


class MessageHearing(Hearing, Messages):
    """Messages: XingheBot's as they stand, OpenClaw's and Cursor's in an envelope."""

    def add(self, role: str, text: str, time: float | None, at: int, **more: Any) -> None:
        """What the person typed, without what was put before it, and nothing of what the clock asked for."""
        own = find_own_words(extract_typed_text(text)) if role == "user" else text
        super().add(role, own, time, at, **more)

    def take(self, record: dict[str, Any], at: int) -> None:
        """One message, out of its envelope."""
        kind, message = record.get("type"), record.get("message")
        if kind == "compaction":
            self.add("summary", format_json_value(record.get("summary")), parse_moment(record.get("timestamp")), at)
        elif isinstance(message, dict):
            # Cursor's stands beside its role, without a time.
            told = {"timestamp": record.get("timestamp"), "role": record.get("role")}
            super().take({**told, **_opened_hearing(message)}, at)
        elif "role" in record or "content" in record:
            super().take(record, at)
        else:
            self.unknown += 1


def _opened_hearing(message: dict[str, Any]) -> dict[str, Any]:
    """OpenClaw's message as others write it."""
    content = message.get("content")
    if message.get("role") == "toolResult":
        names = {"tool_call_id": "toolCallId", "name": "toolName", "is_error": "isError"}
        return {"role": "tool", "content": content} | {name: message.get(theirs) for name, theirs in names.items()}
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


def choose_reader(record: dict[str, Any]) -> Ear | None:
    """Who understands a file with such a record in it; None: this record does not tell."""
    kind = record.get("type")
    if kind == "message" and isinstance(record.get("message"), dict):
        return MessageHearing()
    if kind is None and isinstance(record.get("role"), str):
        return MessageHearing()
    if unpack_record(record)[0] in {
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
    }:
        return CodexHearing()
    if kind in {"user", "assistant"} or "sessionId" in record or "uuid" in record:
        return ClaudeHearing()
    return None


_LOOKS = 50
"""Records after which it is no longer asked whose transcript it is."""
_PEEK = STREAM_LONGEST_LINE + 1024 * 1024
"""Bytes in which there must be one."""
_SIBLINGS = 200
"""Transcripts beside it that are looked into for more of the session, the newest."""
_HEAD = 64 * 1024


def read(session: Session, *, limit: int = LIMIT) -> Conversation | None:
    """The conversation; None: there is no transcript, or it cannot be read.

    Never raises for what is in it: broken lines and unknown records are counted, what is beyond `limit` bytes is said.
    """
    file = _opened(session.transcript)
    if file is None:
        return None
    with file:
        size = os.fstat(file.fileno()).st_size
        heard, stream = _ear(file), Stream(file, limit)
        if heard is None:
            # Nothing in it is a record of anybody's: it is not read to its end.
            heard, stream = ClaudeHearing(), Stream(file, min(limit, _PEEK))
        for at, record in stream.records():
            heard.take(record, at)
        lines = stream.line - _ended(file, size)
    skipped, truncated, left = stream.skipped, stream.truncated, limit - stream.end
    if isinstance(heard, ClaudeHearing):
        for more in _spans(session):
            with more:
                other = Stream(more, left)
                for _at, record in other.records():
                    if record.get("sessionId") == session.id:
                        # Lines are the transcript's own: what stands elsewhere has none here.
                        heard.take(record, 0)
            left -= other.end
            truncated = truncated or other.truncated
    said, steps = heard.heard(session.id)
    times = [time for time in (*(turn.time for turn in said), *(step.time for step in steps)) if time is not None]
    return Conversation(
        session,
        tuple(said),
        tuple(steps),
        min(times, default=None),
        max(times, default=None),
        skipped,
        heard.unknown,
        truncated,
        size,
        lines,
    )


def _ended(file: BinaryIO, size: int) -> bool:
    """Whether the last line is whole, so that the next one has begun."""
    file.seek(max(0, size - 1))
    return file.read(1) in {b"", b"\n"}


def _opened(path: str) -> BinaryIO | None:
    """The file, if it is one and no link."""
    if not path or "\0" in path:
        return None
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    flags |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb", buffering=1 << 18)


def _ear(file: BinaryIO) -> Ear | None:
    """Who understands the file, by its first records; None: nobody."""
    for number, (_at, record) in enumerate(Stream(file, _PEEK).records()):
        found = choose_reader(record)
        if found is not None:
            return found
        if number > _LOOKS:
            break
    return None


def _spans(session: Session) -> Iterator[BinaryIO]:
    """Other transcripts beside it that hold records of this session, oldest first: it was resumed into them."""
    folder, own = os.path.split(session.transcript)
    marks = [f'"sessionId":{gap}"{session.id}"'.encode() for gap in ("", " ")]
    found: list[tuple[float, str]] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(".jsonl") and name != own and not name.startswith(("agent-", ".")):
                found.append((entry.stat(follow_symlinks=False).st_mtime, entry.path))
    for _time, path in sorted(found)[-_SIBLINGS:]:
        file = _opened(path)
        if file is not None:
            head = file.read(_HEAD)
            if any(mark in head for mark in marks):
                yield file
            else:
                file.close()
