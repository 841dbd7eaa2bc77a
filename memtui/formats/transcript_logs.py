"""Sessions of Gemini CLI, GitHub Copilot CLI and OpenCode, by their own logs.

Gemini CLI's file is a log of updates rather than a list: a message is written again, under its id, whenever it
grows; `$set` changes what is known of the session (and may repeat messages), `$rewindTo` takes that message and all
after it back. Older files are one JSON object. Copilot CLI writes events. OpenCode writes a small JSON file a
session, or a row of its database, whose messages stand elsewhere.
"""

from __future__ import annotations

import io

from memtui.core.model import Entry, Layer, Parsed, Problem, Transcript
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.formats import mask_text_secrets
from memtui.formats.jsonl import Stream
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
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.formats import Source

_PROMPTS = 12
_KEPT = 4000


class _GeminiLog:
    """A Gemini session as its log has it so far: messages by id, in their order, with the line of each."""

    def __init__(self) -> None:
        self.meta: dict[str, Any] = {}
        self.messages: dict[str, tuple[int, dict[str, Any]]] = {}
        self.unknown = 0

    def take(self, record: dict[str, Any], at: int) -> None:
        """One record of the log."""
        target = record.get("$rewindTo")
        if isinstance(target, str):
            ids = list(self.messages)
            # A message that is not known any more was before all that is: nothing of this stands.
            for one in ids[ids.index(target) :] if target in ids else ids:
                del self.messages[one]
        elif isinstance(record.get("$set"), dict):
            self._set(record["$set"], at)
        elif isinstance(record.get("id"), str) and "type" in record:
            self._add(record, at)
        elif "sessionId" in record:
            self._set(record, at)
        else:
            self.unknown += 1

    def _set(self, values: dict[str, Any], at: int) -> None:
        messages = values.get("messages")
        self.meta.update({name: value for name, value in values.items() if name != "messages"})
        for message in messages if isinstance(messages, list) else ():
            # A compressed history takes the place of what the model is given, not of what was said.
            if isinstance(message, dict) and isinstance(message.get("id"), str):
                self._add(message, at)

    def _add(self, message: dict[str, Any], at: int) -> None:
        first = self.messages.get(message["id"], (at, message))[0]
        self.messages[message["id"]] = (first, message)


def _iterate_records(data: bytes, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a log; of an older file the one object."""
    if path.endswith(".jsonl"):
        yield from Stream(io.BytesIO(data)).records()
        return
    whole = decode_nested_json(data.decode("utf-8", "replace"))
    if isinstance(whole, dict):
        yield 1, {"$set": whole}


def parse_gemini(source: Source) -> Parsed:
    """The session as one entry: what its person asked first."""
    log = _GeminiLog()
    for at, record in _iterate_records(source.data, source.path):
        log.take(record, at)
    meta = log.meta
    if meta.get("kind") == "subagent" or (not meta and not log.messages):
        return Parsed(source.text, [], [] if meta else _report_unread(source))
    typed = [
        (text, at)
        for at, message in log.messages.values()
        if message.get("type") == "user"
        and (text := _extract_typed_content(message.get("displayContent") or message.get("content")))
    ]
    if not typed:
        return Parsed(source.text, [], [])
    directories = meta.get("directories")
    entry = _build_head(
        source,
        fit_line(meta.get("sessionId", "")),
        typed,
        parse_moment(meta.get("startTime")),
        fit_line(directories[0], 400) if isinstance(directories, list) and directories else "",
        find_first_text(meta, "summary"),
    )
    return Parsed(source.text, [entry], [], title=entry.title)


def parse_copilot(source: Source) -> Parsed:
    """The session as one entry: what its person asked first."""
    meta: dict[str, Any] = {}
    typed: list[tuple[str, int]] = []
    seen = False
    for at, record in Stream(io.BytesIO(source.data)).records():
        data, kind = record.get("data"), record.get("type")
        if not isinstance(data, dict):
            continue
        seen = True
        if kind == "session.start":
            meta = {**data, **(data["context"] if isinstance(data.get("context"), dict) else {}), **meta}
            meta.setdefault("startTime", record.get("timestamp"))
        elif kind == "user.message" and not record.get("agentId") and len(typed) < _PROMPTS:
            text = _extract_typed_content(data.get("content"))
            typed += [(text, at)] if text and not text.startswith("<skill-context") else []
    if not seen:
        return Parsed(source.text, [], _report_unread(source))
    if not typed:
        return Parsed(source.text, [], [])
    folder = source.path.split("/")[-2:-1]
    session = fit_line(meta.get("sessionId", "")) or next(iter(folder), "")
    entry = _build_head(source, session, typed, parse_moment(meta.get("startTime")), fit_line(meta.get("cwd", ""), 400))
    return Parsed(source.text, [entry], [], title=entry.title)


def parse_opencode(source: Source) -> Parsed:
    """The session as one entry, by its title; that of a sub-agent is a part of another."""
    record = decode_nested_json(source.text)
    if not isinstance(record, dict):
        return Parsed(source.text, [], _report_unread(source))
    title = find_first_text(record, "title")
    if not title or record.get("parentID"):
        return Parsed(source.text, [], [])
    times = record.get("time")
    times = times if isinstance(times, dict) else {}
    session = fit_line(record.get("id", "")) or source.path.rpartition("/")[2].removesuffix(".json")
    entry = Entry(
        text=title,
        start=1,
        end=max(1, len(source.lines)),
        kind="session",
        layer=Layer.SESSION,
        created=parse_moment(times.get("created")),
        updated=parse_moment(times.get("updated")),
        session=session,
        key=session,
        search=title,
        extra={"cwd": fit_line(record["directory"], 400)} if record.get("directory") else {},
    )
    return Parsed(source.text, [entry], [], title=fit_line(title, 120))


def _report_unread(source: Source) -> list[Problem]:
    return [Problem(source.path, 0, "no session: none of its records could be understood")] if source.data else []


def _extract_typed_content(content: Any) -> str:
    return extract_typed_text(join_text_blocks(content)) if content else ""


def _build_head(
    source: Source,
    session: str,
    typed: list[tuple[str, int]],
    created: float | None,
    cwd: str,
    summary: str = "",
) -> Entry:
    text, at = typed[0]
    said = [shorten_value(one, _KEPT) for one, _at in typed[:_PROMPTS]]
    return Entry(
        text=shorten_value(summary or text, _KEPT),
        start=at,
        end=at,
        kind="session",
        layer=Layer.SESSION,
        # Veiled before it is cut: half a secret looks like none.
        title=fit_line(mask_text_secrets(text), 120),
        created=created,
        updated=find_last_time(source),
        session=session,
        key=session,
        search=build_search_text("\n".join(said), summary),
        extra={"cwd": cwd} if cwd else {},
    )


def read_turns(path: str, *, limit_bytes: int = LIMIT) -> Transcript:
    """Every turn of a file of either log. Raises OSError where it cannot be read."""
    keeper = Keeper()
    with open(path, "rb") as file:
        if path.endswith("events.jsonl"):
            stream = Stream(file, limit_bytes)
            for at, record in stream.records():
                _take_event(keeper, record, at)
            return keeper.transcript(stream)
        if path.endswith(".json"):
            data = file.read(limit_bytes + 1)
            records: Iterable[tuple[int, dict[str, Any]]] = _iterate_records(data[:limit_bytes], path)
            stream = Stream(io.BytesIO())
            stream.truncated = len(data) > limit_bytes
        else:
            stream = Stream(file, limit_bytes)
            records = stream.records()
        log = _GeminiLog()
        for at, record in records:
            log.take(record, at)
    keeper.unknown = log.unknown
    for at, message in log.messages.values():
        _take_message(keeper, message, at)
    return keeper.transcript(stream)


def _take_message(keeper: Keeper, message: dict[str, Any], at: int) -> None:
    """A message of Gemini's: what was thought, said and called, and what came back."""
    time, kind = parse_moment(message.get("timestamp")), message.get("type")
    said = join_text_blocks(message.get("displayContent") or message.get("content") or "")
    if kind == "user":
        keeper.add("user", extract_typed_text(said), time, at)
        return
    if kind != "gemini":
        keeper.add("system", said, time, at, failed=kind == "error")
        return
    for thought in _list_objects(message.get("thoughts")):
        words = ": ".join(filter(None, (find_first_text(thought, "subject"), find_first_text(thought, "description"))))
        keeper.add("assistant", THINKING + words if words else "", time, at)
    keeper.add("assistant", said, time, at)
    for call in _list_objects(message.get("toolCalls")):
        called, when = format_json_value(call.get("id", "")), parse_moment(call.get("timestamp")) or time
        keeper.call(called, call.get("name", ""), call.get("args"), when, at)
        if call.get("result") is not None:
            responses = [_extract_response(part) for part in _list_objects(call["result"])]
            keeper.returned(called, "\n".join(filter(None, responses)), when, at, failed=call.get("status") == "error")


def _extract_response(part: dict[str, Any]) -> str:
    response = part.get("functionResponse")
    inner = response.get("response") if isinstance(response, dict) else None
    if isinstance(inner, dict):
        return find_first_text(inner, "output", "error", "result") or format_json_value(inner)
    return join_text_blocks(part)


def _take_event(keeper: Keeper, record: dict[str, Any], at: int) -> None:
    """An event of Copilot's; those of its sub-agents are none of the talk."""
    kind, data, time = record.get("type"), record.get("data"), parse_moment(record.get("timestamp"))
    if not isinstance(data, dict) or record.get("agentId"):
        keeper.unknown += not isinstance(data, dict)
    elif kind == "user.message":
        keeper.add("user", _extract_typed_content(data.get("content")), time, at)
    elif kind == "assistant.message":
        thought = find_first_text(data, "reasoningText")
        keeper.add("assistant", THINKING + thought if thought else "", time, at)
        keeper.add("assistant", join_text_blocks(data.get("content") or ""), time, at)
        for call in _list_objects(data.get("toolRequests")):
            keeper.call(
                format_json_value(call.get("toolCallId", "")),
                call.get("name", ""),
                call.get("arguments"),
                time,
                at,
            )
    elif kind == "tool.execution_complete":
        result = data.get("result")
        text = join_text_blocks(result.get("content", "")) if isinstance(result, dict) else ""
        error = data.get("error")
        text = text or (find_first_text(error, "message") if isinstance(error, dict) else "")
        keeper.returned(
            format_json_value(data.get("toolCallId", "")), text, time, at, failed=data.get("success") is False
        )
    elif kind == "session.compaction_complete":
        keeper.add("summary", find_first_text(data, "summaryContent", "summary"), time, at)
    elif kind in {"session.error", "session.warning"}:
        keeper.add("system", find_first_text(data, "message"), time, at, failed=kind == "session.error")
    else:
        keeper.unknown += kind not in {
            "session.start",
            "tool.execution_start",
            "assistant.turn_start",
            "assistant.turn_end",
        }


def _list_objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
