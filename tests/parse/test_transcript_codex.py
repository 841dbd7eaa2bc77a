"""Codex's rollouts: what was said is told once, and nothing that was injected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.core.model import Status
from memtui.formats.transcripts import THINKING, read_turns
from tests.parse.reading import read, utc

HOME = Path(__file__).parents[1] / "homes/codex"
FILE = HOME / "sessions/2026/02/20/rollout-2026-02-20T17-00-00-0195aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee.jsonl"
OLD = HOME / "archived_sessions/rollout-2025-07-01T08-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl"


def test_the_head_of_a_session() -> None:
    parsed = read("codex-transcript", FILE.read_bytes(), path=FILE.relative_to(HOME).as_posix())
    entry = parsed.entries[0]
    assert (entry.title, entry.text, entry.start) == ("给回调加幂等键", "给回调加幂等键", 6)
    assert entry.session == "0195aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee"
    assert (entry.created, entry.updated) == (utc(2026, 2, 20, 9), utc(2026, 2, 20, 9, 0, 12))
    assert dict(entry.extra) == {
        "cwd": "/home/lin/my_shop",
        "version": "0.80.0",
        "originator": "codex_cli_rs",
        "model": "gpt-5-codex",
        "gitBranch": "fix/回调",
    }
    assert entry.status is Status.ACTIVE
    assert [problem.line for problem in parsed.problems] == [20]


def test_an_old_rollout_without_payloads_that_was_archived() -> None:
    entry = read("codex-transcript", OLD.read_bytes(), path=OLD.relative_to(HOME).as_posix()).entries[0]
    assert entry.title == "an old rollout without payloads"
    assert entry.status is Status.ARCHIVED
    assert entry.created == utc(2025, 7, 1)
    assert entry.extra["gitBranch"] == "main"


def test_without_a_head_the_name_tells_time_and_id() -> None:
    entry = read("codex-transcript", '{"type": "turn_context"}', path=FILE.name).entries[0]
    assert entry.session == "0195aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee"
    assert entry.created is not None


def test_turns() -> None:
    found = read_turns(str(FILE), "codex-transcript")
    assert [(turn.role, turn.tool, turn.text, turn.failed) for turn in found.turns] == [
        ("user", "", "给回调加幂等键", False),
        ("assistant", "", THINKING + "**Looking** at the handler", False),
        ("assistant", "shell", "bash -lc pytest -q", False),
        ("tool", "shell", "1 failed", True),
        ("assistant", "apply_patch", "*** Begin Patch *** Update File: pay.py", False),
        ("tool", "apply_patch", "Done!\n[image]", False),
        ("tool", "tool", "Exit code: 2\nWall time: 1 s\nOutput:\nno such file", True),
        ("assistant", "", "已加幂等键，测试通过。", False),
        ("summary", "", "Earlier: idempotency key added", False),
        ("system", "", "interrupted: interrupted", False),
    ]
    assert (found.skipped, found.unknown) == (1, 1)
    assert found.turns[0].line == 6
    assert found.turns[0].time == utc(2026, 2, 20, 9, 0, 1) + 0.001


def test_turns_of_an_old_rollout_come_from_its_items() -> None:
    found = read_turns(str(OLD), "codex-transcript")
    assert [(turn.role, turn.tool, turn.text) for turn in found.turns] == [
        ("user", "", "an old rollout without payloads"),
        ("assistant", "", THINKING + "thinking of old"),
        ("assistant", "local_shell", "ls -la"),
        ("tool", "local_shell", "total 0"),
        ("assistant", "", "好的"),
    ]
    assert found.unknown == 1


@pytest.mark.parametrize("events_first", [True, False])
def test_nothing_is_said_twice_whatever_comes_first(tmp_path: Path, events_first: bool) -> None:
    event = {"type": "event_msg", "payload": {"type": "agent_message", "message": "一次"}}
    item = {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "一次"}],
        },
    }
    both = [event, item] if events_first else [item, event]
    file = tmp_path / "rollout-x.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in both), encoding="utf-8")
    assert [turn.text for turn in read_turns(str(file), "codex-transcript").turns] == ["一次"]


def test_an_event_of_no_kind_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text('{"type": "event_msg", "payload": {"type": []}}\n')
    assert read_turns(str(file), "codex-transcript").unknown == 1


def test_a_head_longer_than_what_is_read_still_names_its_session() -> None:
    start = (
        '{"timestamp": "2026-02-06T19:57:42Z", "type": "session_meta", "payload": {"id": "i-1", "cwd": "/p", '
        '"instructions": "be brief'
    )
    (entry,) = read("codex-transcript", start, path=FILE.name, size=1 << 20).entries
    assert (entry.session, entry.extra["cwd"], entry.created) == ("i-1", "/p", utc(2026, 2, 6, 19, 57, 42))


@pytest.mark.parametrize(
    "payload", ['{"type": "message", "role": {}}', '{"type": "function_call_output", "status": []}']
)
def test_an_item_of_an_odd_shape_is_survived(tmp_path: Path, payload: str) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(f'{{"type": "response_item", "payload": {payload}}}\n')
    assert read_turns(str(file), "codex-transcript").skipped == 0
