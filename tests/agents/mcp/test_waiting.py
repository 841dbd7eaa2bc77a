"""Whoever asks and hangs up at once is answered all the same."""

from __future__ import annotations

import json
import subprocess
import time
from typing import TYPE_CHECKING, Any

from tests.agents.mcp.conftest import SERVER, environment

if TYPE_CHECKING:
    from pathlib import Path

HELLO: tuple[dict[str, Any], ...] = (
    {"jsonrpc": "2.0", "id": 0, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)  # fmt: skip


def _piped(cwd: Path, *messages: dict[str, Any]) -> dict[object, dict[str, Any]]:
    lines = "".join(json.dumps(message) + "\n" for message in (*HELLO, *messages))
    done = subprocess.run(
        SERVER, input=lines.encode(), capture_output=True, cwd=cwd, env=environment(), timeout=50, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({answer["id"] for answer in answers}) == len(answers)
    return {answer["id"]: answer for answer in answers}


def _call(number: int, name: str, **given: object) -> dict[str, Any]:
    params = {"name": name, "arguments": given}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_all_is_answered_and_written(home: Path, project: Path) -> None:
    notes = [_call(number, "memory_append", text=f"piped note {number} end") for number in range(1, 21)]
    answers = _piped(project, *notes, _call(21, "memory_search", query="gateway"))
    assert set(answers) == set(range(22))
    assert all(answers[number]["result"]["structuredContent"]["appended"] for number in range(1, 21))
    assert answers[21]["result"]["structuredContent"]["results"]
    text = "".join(day.read_text() for day in (home / "daily").glob("*.md"))
    assert all(f"piped note {number} end" in text for number in range(1, 21))


def test_what_was_called_off_or_is_no_message_is_not_waited_for(home: Path, project: Path) -> None:
    began = time.monotonic()
    off = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    nonsense = {"jsonrpc": "2.0", "id": 2, "method": 5}
    answers = _piped(
        project, _call(1, "memory_search", query="gateway"), off, nonsense, _call(3, "memory_context")
    )
    assert answers[3]["result"]["structuredContent"]["text"]
    assert time.monotonic() - began < 30
