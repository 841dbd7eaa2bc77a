"""Transcripts as Claude Code, Codex, XingheBot and OpenClaw write them, made a record at a time."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Claude:
    """A session of Claude Code: every record hangs on the one before it unless somebody rewinds."""

    def __init__(self, session: str = "", cwd: str = "/home/u/shop") -> None:
        self.session = session or str(uuid.uuid4())
        self.cwd = cwd
        self.records: list[dict[str, Any]] = []
        self.above: str | None = None
        self._clock = BEGAN

    def put(self, kind: str, message: Any, **more: Any) -> str:
        """One record; its uuid."""
        self._clock += timedelta(seconds=7)
        own = str(uuid.uuid4())
        record = {
            "parentUuid": self.above, "isSidechain": False, "userType": "external", "cwd": self.cwd,
            "sessionId": self.session, "version": "2.1.240", "gitBranch": "main", "type": kind,
            "message": message, "uuid": own, "timestamp": self._clock.isoformat().replace("+00:00", "Z"),
        }  # fmt: skip
        self.records.append(record | more)
        if not more.get("isSidechain"):
            self.above = own
        return own

    def user(self, text: str, **more: Any) -> str:
        return self.put("user", {"role": "user", "content": text}, **more)

    def says(self, text: str, **more: Any) -> str:
        return self.put("assistant", _model([{"type": "text", "text": text}]), **more)

    def thinks(self, text: str) -> str:
        return self.put("assistant", _model([{"type": "thinking", "thinking": text, "signature": "x"}]))

    def calls(self, tool: str, given: dict[str, Any], message: str = "") -> str:
        """A tool's call; its id."""
        called = f"toolu_{uuid.uuid4().hex[:24]}"
        block = {"type": "tool_use", "id": called, "name": tool, "input": given}
        self.put("assistant", _model([block], message))
        return called

    def returns(self, called: str, text: Any, failed: bool = False, **more: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": called, "content": text, "is_error": failed}
        return self.put("user", {"role": "user", "content": [block]}, toolUseResult="", **more)

    def does(self, tool: str, given: dict[str, Any], text: str = "ok", failed: bool = False) -> None:
        self.returns(self.calls(tool, given), text, failed)

    def other(self, kind: str, **more: Any) -> None:
        self.records.append({"type": kind, "sessionId": self.session, **more})

    def text(self) -> str:
        return lines(self.records)

    def save(self, user: Path, slug: str = "") -> Path:
        folder = user / ".claude" / "projects" / (slug or "".join(c if c.isalnum() else "-" for c in self.cwd))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.session}.jsonl"
        path.write_text(self.text(), encoding="utf-8")
        return path


class Codex:
    """A rollout of Codex's."""

    def __init__(self, id: str = "019c32d0-ad7a-70b2-b378-c2b94a4ce4a3", cwd: str = "/home/u/shop") -> None:
        self.id, self.cwd = id, cwd
        self.name = f"rollout-2026-02-06T19-57-42-{id}"
        self.records: list[dict[str, Any]] = []
        self._clock = datetime(2026, 2, 6, 19, 57, 42, tzinfo=UTC)
        self.put("session_meta", {"id": id, "cwd": cwd, "originator": "codex_cli_rs", "source": "cli"})
        self.item("user", f"# AGENTS.md instructions for {cwd}\n\n<INSTRUCTIONS>\nbe terse\n</INSTRUCTIONS>")
        self.item("user", f"<environment_context>\n  <cwd>{cwd}</cwd>\n</environment_context>")

    def put(self, kind: str, payload: dict[str, Any]) -> None:
        self._clock += timedelta(seconds=5)
        self.records.append({"timestamp": self._clock.isoformat(), "type": kind, "payload": payload})

    def item(self, role: str, text: str) -> None:
        kind = "input_text" if role == "user" else "output_text"
        content = [{"type": kind, "text": text}]
        self.put("response_item", {"type": "message", "role": role, "content": content})

    def event(self, kind: str, **more: Any) -> None:
        self.put("event_msg", {"type": kind, **more})

    def user(self, text: str) -> None:
        self.item("user", text)
        self.event("user_message", message=text, images=[])

    def says(self, text: str) -> None:
        self.event("agent_message", message=text)
        self.item("assistant", text)

    def does(self, tool: str, given: Any, text: str, custom: bool = False) -> None:
        called = f"call_{uuid.uuid4().hex[:20]}"
        kind, key = ("custom_tool_call", "input") if custom else ("function_call", "arguments")
        said = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        self.put("response_item", {"type": kind, "name": tool, "call_id": called, key: said})
        self.put("response_item", {"type": f"{kind}_output", "call_id": called, "output": text})

    def save(self, user: Path, day: str = "2026/02/06") -> Path:
        folder = user / ".codex" / "sessions" / day
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.jsonl"
        path.write_text(lines(self.records), encoding="utf-8")
        return path


def lines(records: list[dict[str, Any]]) -> str:
    """Records as a JSONL file has them."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _model(blocks: list[dict[str, Any]], message: str = "") -> dict[str, Any]:
    return {
        "id": message or f"msg_{uuid.uuid4().hex[:20]}",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": blocks,
    }
