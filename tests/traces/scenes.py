"""True-to-life transcripts of the four tools, written where they would write them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from memtui.index.filters import Trace, Traces
from memtui.store.vault import Vault

SESSION = "0aa1c7de-1111-4222-8333-0123456789ab"
TIME = "2026-02-20T09:{minute:02}:{second:02}.000Z"


def stamp(number: int) -> str:
    """The time of the nth record."""
    return TIME.format(minute=number // 60 % 60, second=number % 60)


def claude(*said: Any, start: int = 0) -> str:
    """Lines of a session: text of the user, blocks of the assistant (a list), results (a dict: id, content)."""
    lines = []
    for number, what in enumerate(said, start):
        record: dict[str, Any] = {
            "uuid": f"u{number}",
            "sessionId": SESSION,
            "cwd": "/home/lin/shop",
            "timestamp": stamp(number),
        }
        if isinstance(what, str):
            record |= {"type": "user", "message": {"role": "user", "content": what}}
        elif isinstance(what, list):
            record |= {"type": "assistant", "message": {"role": "assistant", "content": what}}
        else:
            block = {"type": "tool_result", "tool_use_id": what["id"], "content": what["content"]}
            record |= {"type": "user", "message": {"role": "user", "content": [block]}}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)


def bash(number: str, command: str) -> list[dict[str, Any]]:
    """A call of the shell."""
    return [{"type": "tool_use", "id": number, "name": "Bash", "input": {"command": command, "timeout": 120000}}]


def project(tmp_path: Path, text: str, session: str = SESSION) -> Path:
    """A project of Claude Code's with one session."""
    home = tmp_path / "projects" / "-home-lin-shop"
    home.mkdir(parents=True, exist_ok=True)
    (home / f"{session}.jsonl").write_text(text, encoding="utf-8")
    return home


def ask(home: Path, keyword: str, **options: Any) -> Traces:
    """What a vault of one home answers, of all time unless said otherwise."""
    with Vault.open([home], wait=False) as vault:
        return vault.traces(keyword, **{"days_back": None, **options})


def told(traces: Traces) -> list[tuple[int, str, str]]:
    """Line, role and words of each."""
    return [(trace.line, trace.role, trace.snippet) for trace in traces]


def unfold(home: Path, trace: Trace, limit: int = 10) -> list[Trace]:
    """The conversation from there on."""
    with Vault.open([home], wait=False) as vault:
        return vault.unfolded(trace.path, trace.line, limit)


def age(path: Path, when: float) -> None:
    """Give a file a time."""
    os.utime(path, (when, when))
