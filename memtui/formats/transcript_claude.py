"""Claude Code's transcripts: `<session>.jsonl`, one record a line, of kinds that come and go with its versions.

`parse` names a session from the head of its file and is on the path of bulk builds; `turns` streams the whole
of it.
"""

from __future__ import annotations

from memtui.core.model import Entry, Layer, Parsed
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.core.text import UUID
from memtui.formats import mask_text_secrets
from memtui.formats.json_spans import BrokenJsonError, Decoder
from memtui.formats.jsonl import RecordFaults, Stream
from memtui.formats.records import (
    build_search_text,
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
    extract_command,
    extract_typed_text,
    find_last_time,
    join_text_blocks,
    parse_truncated_record,
)

if TYPE_CHECKING:
    from memtui.core.model import Transcript
    from memtui.formats import Source

_UUID = compile_pattern(UUID)
_PROMPTS = 12
"""So many of a session's first prompts can be searched for."""
_KEPT = 4000


class _Head:
    """What the head of a transcript says about its session."""

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}
        self.prompts: list[str] = []
        self.command = ""
        self.at = 0
        self.sessions: list[str] = []
        self.facts: dict[str, str] = {}
        self.created: float | None = None
        self.records = 0

    def take(self, record: dict[str, Any], at: int) -> None:
        """Learn from one record."""
        self.records += 1
        kind = record.get("type")
        for key, name in (("custom-title", "customTitle"), ("ai-title", "aiTitle"), ("summary", "summary")):
            if kind == key:
                title = find_first_text(record, name, "title", "summary")
                if title:
                    self.titles[key] = title
                return
        session = record.get("sessionId")
        if isinstance(session, str) and session and session not in self.sessions[-64:]:
            self.sessions.append(session)
        for key in ("cwd", "gitBranch", "version"):
            if key not in self.facts and isinstance(record.get(key), str) and record[key]:
                self.facts[key] = fit_line(record[key], 1000)
        if self.created is None:
            self.created = parse_moment(record.get("timestamp"))
        if kind == "user" and not (record.get("isMeta") or record.get("isSidechain") or record.get("isCompactSummary")):
            self._prompt(record.get("message"), at)

    def _prompt(self, message: Any, at: int) -> None:
        content = message.get("content") if isinstance(message, dict) else message
        if isinstance(content, list):
            texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
            said = [extract_typed_text(text) for text in texts if isinstance(text, str)]
            text = "\n".join(filter(None, said))
        elif isinstance(content, str):
            text = extract_typed_text(content)
            self.command = self.command or extract_command(content)
        else:
            return
        if text:
            self.at = self.at or at
            if len(self.prompts) < _PROMPTS:
                self.prompts.append(shorten_value(text, _KEPT))

    def wants(self, text: str) -> bool:
        """Whether a line is worth decoding: cheap, as most of a transcript is what tools returned."""
        if not self.facts or self.created is None or len(text) < 400:
            return True
        if '"tool_use_id"' in text:
            return False
        return '"user"' in text[:4000] or 'title"' in text[:400] or '"summary"' in text[:400]


def parse(source: Source) -> Parsed:
    """One head entry for the session, from the bytes that were read; problems only where the whole file was."""
    head = _Head()
    faults = RecordFaults(source.path)
    decoder = Decoder(strict=False)
    lines = source.lines
    if source.cut and lines and not source.data.endswith(b"\n"):
        lines = lines[:-1]
    for at, text in enumerate(lines, 1):
        if not text or not head.wants(text):
            continue
        try:
            record, _ = decoder.decode(text.strip(" \t\r\0"), 0)
        except BrokenJsonError as fault:
            if not source.cut and not text.isspace():
                faults.add(at, fault.reason)
            continue
        if isinstance(record, dict):
            head.take(record, at)
        elif not source.cut:
            faults.add(at, "not a record: no object")
    if source.cut and not head.records:
        # The first record alone is longer than what was read: a picture, a pasted log.
        record = parse_truncated_record(source.lines[0])
        head.take({**record, "message": {"content": record.get("text", record.get("content"))}}, 1)
    decoder.twice.clear()
    entry = _entry(head, source)
    return Parsed(source.text, [entry] if entry else [], faults.close(), title=entry.title if entry else "")


def _entry(head: _Head, source: Source) -> Entry | None:
    if not head.records:
        return None
    stem = source.path.rsplit("/", 1)[-1].removesuffix(".jsonl")
    session = stem if _UUID.fullmatch(stem) or not head.sessions else head.sessions[0]
    prompt = head.prompts[0] if head.prompts else head.command
    titles = [head.titles[key] for key in ("custom-title", "ai-title", "summary") if key in head.titles]
    extra: dict[str, Any] = dict(head.facts)
    others = [other for other in head.sessions if other != session]
    if others:
        extra["sessions"] = others
    at = head.at or 1
    return Entry(
        text=prompt or (titles[0] if titles else f"session {session}"),
        start=at,
        end=at,
        kind="session",
        layer=Layer.SESSION,
        # Veiled before it is cut: half a secret looks like none.
        title=fit_line(mask_text_secrets(titles[0] if titles else prompt or f"session {session}"), 120),
        created=head.created,
        updated=find_last_time(source),
        session=session,
        key=session,
        search=build_search_text("\n".join(titles), head.prompts, head.command, head.facts.get("gitBranch", "")),
        extra=extra,
    )


class Talk(Keeper):
    """The turns of a session as its records come."""

    def __init__(self, whole: bool = False) -> None:
        super().__init__(whole)
        self._seen: set[int] = set()

    def take(self, record: dict[str, Any], at: int) -> None:
        """The turns of one record, sub-agents' marked."""
        uuid = record.get("uuid")
        if isinstance(uuid, str):
            # A resumed session begins with copies of the records of the one before it.
            if hash(uuid) in self._seen:
                return
            self._seen.add(hash(uuid))
        kind = format_json_value(record.get("type", ""))
        where = _Where(parse_moment(record.get("timestamp")), at, bool(record.get("isSidechain")))
        if kind in {"user", "assistant"}:
            self._message(record, where)
        elif kind == "summary" and find_first_text(record, "summary"):
            self.add("summary", format_json_value(record["summary"]), where.time, at)
        elif kind == "system" and find_first_text(record, "content"):
            role = "summary" if "compact" in format_json_value(record.get("subtype")) else "system"
            failed = record.get("level") == "error"
            text = format_json_value(record["content"])
            text = extract_command(text) or _unwrapped(text)
            self.add(role, text, where.time, at, failed=failed, sidechain=where.side)
        else:
            self.unknown += 1

    def _message(self, record: dict[str, Any], where: _Where) -> None:
        """A user's or assistant's record: a turn a block."""
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        role = "user" if record["type"] == "user" else "assistant"
        if role == "user" and record.get("isMeta"):
            role = "system"
        if record.get("isCompactSummary"):
            role = "summary"
        if isinstance(content, str):
            content = [content]
        if not isinstance(content, list):
            self.unknown += 1
            return
        for item in content:
            block = {"type": "text", "text": item} if isinstance(item, str) else item
            if isinstance(block, dict):
                self._block(block, role, where)
            else:
                self.unknown += 1

    def _block(self, block: dict[str, Any], role: str, where: _Where) -> None:
        """Text, thought, a tool's call or its result."""
        kind = format_json_value(block.get("type", ""))
        time, at, side = where
        if kind == "text":
            text = format_json_value(block.get("text", ""))
            if role == "user":
                said = extract_typed_text(text) or extract_command(text)
                role = "user" if said else "system"
                text = said or _unwrapped(text)
            self.add(role, text, time, at, sidechain=side)
        elif kind == "thinking":
            thought = format_json_value(block.get("thinking", ""))
            if thought.strip():
                self.add("assistant", THINKING + thought, time, at, sidechain=side)
        elif kind == "redacted_thinking":
            self.add("assistant", THINKING + "(kept secret by the model)", time, at, sidechain=side)
        elif kind.endswith("tool_use"):
            given = block.get("input")
            self.call(format_json_value(block.get("id", "")), block.get("name", ""), given, time, at, sidechain=side)
        elif kind.endswith("tool_result"):
            called = format_json_value(block.get("tool_use_id", ""))
            text = join_text_blocks(block.get("content", ""))
            self.returned(called, text, time, at, failed=bool(block.get("is_error")), sidechain=side)
        elif kind in {"image", "document"}:
            self.add(role, f"[{kind}]", time, at, sidechain=side)
        else:
            self.unknown += 1


class _Where(NamedTuple):
    """When and where a record stands, and whether a sub-agent's."""

    time: float | None
    line: int
    side: bool


def read_turns(path: str, *, limit_bytes: int = LIMIT) -> Transcript:
    """Every turn of the file. Raises OSError where it cannot be read."""
    talk = Talk()
    with open(path, "rb") as file:
        stream = Stream(file, limit_bytes)
        for at, record in stream.records():
            talk.take(record, at)
    return talk.transcript(stream)


_TAGS = compile_pattern(r"</?[a-z][a-z_-]*>")


def _unwrapped(text: str) -> str:
    """Injected text without the tags around it."""
    return _TAGS.sub("", text) if text.startswith("<") else text
