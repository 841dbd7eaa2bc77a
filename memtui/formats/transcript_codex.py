"""Codex's rollouts: `rollout-<time>-<uuid>.jsonl`, lines of {timestamp, type, payload}; older ones without a payload.

What was said stands twice, as event_msg and as response_item, and the latter with injected context: the events
are shown, the items only where a file has no events of that kind.
"""

from __future__ import annotations

from memtui.core.model import Entry, Layer, Parsed, Status, Transcript, Turn
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.formats import mask_text_secrets
from memtui.formats.json_spans import BrokenJsonError, Decoder
from memtui.formats.jsonl import RecordFaults, Stream
from memtui.formats.records import (
    build_search_text,
    decode_nested_json,
    find_first_text,
    fit_line,
    format_json_value,
    parse_moment,
    shorten_value,
)
from memtui.formats.transcripts import (
    LIMIT,
    THINKING,
    Keeper,
    extract_typed_text,
    find_last_time,
    join_text_blocks,
    parse_truncated_record,
)

if TYPE_CHECKING:
    from memtui.formats import Source

_NAME = compile_pattern(r"rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-([\w-]+)\.jsonl")
_FAILED = compile_pattern(r"(?:Process exited with code|[Ee]xit code:?) (?!0\b)-?\d+")
_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "local_shell_call"})
_PROMPTS = 12
_KEPT = 4000


def unpack_record(record: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The type and the payload of a record, of the old form without payloads too."""
    kind = format_json_value(record.get("type", ""))
    payload = record.get("payload")
    if isinstance(payload, dict):
        return kind, payload
    if kind in _ITEMS:
        return "response_item", record
    if not kind and "id" in record and "timestamp" in record:
        return "session_meta", record
    return kind, {}


def parse(source: Source) -> Parsed:
    """One head entry for the session, from the bytes that were read; problems only where the whole file was."""
    faults = RecordFaults(source.path)
    decoder = Decoder(strict=False)
    meta: dict[str, Any] = {}
    events: list[tuple[str, int]] = []
    items: list[tuple[str, int]] = []
    seen = 0
    lines = source.lines
    if source.cut and lines and not source.data.endswith(b"\n"):
        lines = lines[:-1]
    for at, text in enumerate(lines, 1):
        if seen and len(text) > 400 and not _may_hold_prompt(text):
            continue
        if not text or text.isspace():
            continue
        try:
            record, _ = decoder.decode(text.strip(" \t\r\0"), 0)
        except BrokenJsonError as fault:
            if not source.cut:
                faults.add(at, fault.reason)
            continue
        if not isinstance(record, dict):
            if not source.cut:
                faults.add(at, "not a record: no object")
            continue
        seen += 1
        _learn(record, at, meta, events, items)
    if source.cut and not seen:
        # The first record alone is longer than what was read: instructions stand in it.
        seen, record = 1, parse_truncated_record(source.lines[0])
        _learn({**record, "type": "session_meta", "payload": record}, 1, meta, events, items)
    entry = _build_rollout_entry(source, meta, events or items) if seen else None
    return Parsed(source.text, [entry] if entry else [], faults.close(), title=entry.title if entry else "")


def _may_hold_prompt(text: str) -> bool:
    return '"user_message"' in text[:400] or '"user"' in text[:400] or '"session_meta"' in text[:400]


def _learn(
    record: dict[str, Any],
    at: int,
    meta: dict[str, Any],
    events: list[tuple[str, int]],
    items: list[tuple[str, int]],
) -> None:
    kind, payload = unpack_record(record)
    if kind == "session_meta":
        # A forked session repeats its parent's head after its own.
        for key, value in payload.items():
            meta.setdefault(key, value)
    elif kind == "turn_context":
        for key in ("cwd", "model"):
            meta.setdefault(key, payload.get(key))
    elif kind == "event_msg" and payload.get("type") == "user_message":
        text = extract_typed_text(format_json_value(payload.get("message", "")))
        if text and len(events) < _PROMPTS:
            events.append((shorten_value(text, _KEPT), at))
    elif kind == "response_item" and payload.get("role") == "user" and len(items) < _PROMPTS:
        text = extract_typed_text(join_text_blocks(payload.get("content")))
        if text:
            items.append((shorten_value(text, _KEPT), at))
    if "timestamp" not in meta and parse_moment(record.get("timestamp")) is not None:
        meta["timestamp"] = record["timestamp"]


def _build_rollout_entry(source: Source, meta: dict[str, Any], prompts: list[tuple[str, int]]) -> Entry:
    named = _NAME.search(source.path)
    session = fit_line(meta.get("id", "")) or (named.group(5) if named else source.path.rsplit("/", 1)[-1])
    created = parse_moment(meta.get("timestamp"))
    if created is None and named:
        created = parse_moment(f"{named.group(1)} {named.group(2)}:{named.group(3)}:{named.group(4)}")
    extra: dict[str, Any] = {}
    for key, name in (
        ("cwd", "cwd"),
        ("cli_version", "version"),
        ("originator", "originator"),
        ("model", "model"),
    ):
        if meta.get(key):
            extra[name] = fit_line(meta[key], 1000)
    git = meta.get("git")
    if isinstance(git, dict) and git.get("branch"):
        extra["gitBranch"] = fit_line(git["branch"])
    text, at = prompts[0] if prompts else (f"session {session}", 1)
    return Entry(
        text=text,
        start=at,
        end=at,
        kind="session",
        layer=Layer.SESSION,
        status=Status.ARCHIVED if "archived_sessions" in source.path.split("/")[:-1] else Status.ACTIVE,
        # Veiled before it is cut: half a secret looks like none.
        title=fit_line(mask_text_secrets(text), 120),
        created=created,
        updated=find_last_time(source),
        session=session,
        source=fit_line(meta.get("source")) if isinstance(meta.get("source"), str) else "",
        key=session,
        search=build_search_text("\n".join(prompt for prompt, _ in prompts), format_json_value(extra.get("gitBranch"))),
        extra=extra,
    )


class Rollout(Keeper):
    """The turns of a rollout; items that an event repeats are marked as they come and left out at the end."""

    def __init__(self, whole: bool = False) -> None:
        super().__init__(whole)
        self.events: set[str] = set()
        """What events have said so far: user, assistant or thinking."""
        self.items: dict[int, str] = {}
        """Which of the turns are items that an event may repeat, and what they are."""

    def take(self, record: dict[str, Any], at: int) -> None:
        """The turn of one record, if it is one."""
        kind, payload = unpack_record(record)
        time = parse_moment(record.get("timestamp"))
        if kind == "event_msg":
            _add_event(self, payload, time, at)
        elif kind == "response_item":
            _add_response_item(self, payload, time, at)
        elif kind == "compacted":
            self.add("summary", find_first_text(payload, "message") or "(earlier turns were compacted)", time, at)
        else:
            self.unknown += kind not in {"session_meta", "turn_context"}

    def say(self, source: str, role: str, text: str, time: float | None, at: int) -> None:
        """What was said or thought, from an event or from an item (`source`)."""
        if role == "user":
            text = extract_typed_text(text)
        what = "thinking" if text.startswith(THINKING) else role
        if source == "event":
            self.events.add(what)
        elif what in self.events:
            return
        before = len(self.turns)
        self.add(role, text, time, at)
        if source == "item" and len(self.turns) > before:
            self.items[before] = what

    def once(self) -> list[Turn]:
        """The turns, each said once."""
        double = {index for index, what in self.items.items() if what in self.events}
        return [turn for index, turn in enumerate(self.turns) if index not in double]


def read_turns(path: str, *, limit_bytes: int = LIMIT) -> Transcript:
    """Every turn of the file. Raises OSError where it cannot be read."""
    rollout = Rollout()
    with open(path, "rb") as file:
        stream = Stream(file, limit_bytes)
        for at, record in stream.records():
            rollout.take(record, at)
    return Transcript(rollout.once(), stream.skipped, rollout.unknown, stream.truncated)


def _add_event(rollout: Rollout, payload: dict[str, Any], time: float | None, at: int) -> None:
    kind = format_json_value(payload.get("type", ""))
    if kind == "user_message":
        text = format_json_value(payload.get("message", ""))
        pictures = payload.get("images")
        if isinstance(pictures, list) and pictures:
            text = f"{text}\n[image]"
        rollout.say("event", "user", text, time, at)
    elif kind == "agent_message":
        rollout.say("event", "assistant", format_json_value(payload.get("message", "")), time, at)
    elif kind == "agent_reasoning":
        rollout.say("event", "assistant", THINKING + format_json_value(payload.get("text", "")), time, at)
    elif kind in {"error", "stream_error", "warning"}:
        rollout.add("system", format_json_value(payload.get("message", "")), time, at, failed=kind != "warning")
    elif kind == "turn_aborted":
        rollout.add("system", f"interrupted: {format_json_value(payload.get('reason', ''))}", time, at)
    else:
        rollout.unknown += 1


def _add_response_item(rollout: Rollout, payload: dict[str, Any], time: float | None, at: int) -> None:
    kind = format_json_value(payload.get("type", ""))
    if kind == "message":
        role = format_json_value(payload.get("role", ""))
        if role in {"user", "assistant"}:
            rollout.say("item", role, join_text_blocks(payload.get("content")), time, at)
    elif kind == "reasoning":
        thought = join_text_blocks(payload.get("summary") or payload.get("content") or "")
        if thought.strip():
            rollout.say("item", "assistant", THINKING + thought, time, at)
    elif kind.endswith("_output"):
        _add_output(rollout, payload, time, at)
    elif kind.endswith("_call"):
        arguments = payload.get("arguments", payload.get("input", payload.get("action")))
        decoded = decode_nested_json(arguments)
        name = format_json_value(payload.get("name", "")).strip() or kind.removesuffix("_call")
        called = format_json_value(payload.get("call_id", payload.get("id", "")))
        rollout.call(called, name, arguments if decoded is None else decoded, time, at)
    else:
        rollout.unknown += 1


def _add_output(rollout: Rollout, payload: dict[str, Any], time: float | None, at: int) -> None:
    """A tool's result: text, a list of blocks, or JSON in text with the exit status beside it."""
    value = payload.get("output", "")
    failed = payload.get("success") is False or format_json_value(payload.get("status", "")) in {
        "failed",
        "incomplete",
    }
    decoded = decode_nested_json(value) if isinstance(value, str) and value.lstrip().startswith("{") else value
    if isinstance(decoded, dict) and ("output" in decoded or "content" in decoded):
        metadata = decoded.get("metadata")
        code = metadata.get("exit_code", 0) if isinstance(metadata, dict) else 0
        failed = failed or decoded.get("success") is False or code not in (0, None)
        value = decoded.get("output", decoded.get("content", ""))
    text = join_text_blocks(value)
    failed = failed or bool(_FAILED.search(text[:400]))
    rollout.returned(format_json_value(payload.get("call_id", "")), text, time, at, failed=failed)
