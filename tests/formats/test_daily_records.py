"""Spec 004's records as they are really written."""

from __future__ import annotations

import json

from memtui.core.model import Layer, Status
from tests.formats.reading import read, utc

FACT = {
    "id": "log-104156262-l96s", "type": "fact", "memory_type": "O", "content": "用户偏好 TypeScript",
    "entities": ["TypeScript", "前端"], "confidence": 0.95, "timestamp": "2026-11-21T10:41:56Z",
    "source": {"session": "3f1c"},
}  # fmt: skip


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def test_a_fact_with_everything() -> None:
    entry = read("daily-jsonl", lines(FACT)).entries[0]
    assert (entry.text, entry.kind, entry.key) == ("用户偏好 TypeScript", "pref", "log-104156262-l96s")
    assert entry.created == utc(2026, 11, 21, 10, 41, 56)
    assert (entry.confidence, entry.entities, entry.session) == (0.95, ("TypeScript", "前端"), "3f1c")
    assert dict(entry.extra) == {"memory_type": "O", "source": {"session": "3f1c"}}
    assert entry.search == "用户偏好 TypeScript\nTypeScript 前端"


def test_memory_types() -> None:
    records = [{**FACT, "id": letter, "memory_type": letter} for letter in "WOBSwX"]
    kinds = [entry.kind for entry in read("daily-jsonl", lines(*records, {"content": "no type"})).entries]
    assert kinds == ["fact", "pref", "event", "summary", "fact", "fact", "fact"]


def test_the_other_five_types_read_as_sentences() -> None:
    parsed = read(
        "daily-jsonl",
        lines(
            {
                "id": "1",
                "type": "session_start",
                "timestamp": "2026-11-21T10:00:00Z",
                "workspace": "/p/商城",
                "session_id": "s1",
            },
            {
                "id": "2",
                "type": "session_end",
                "reason": "completed",
                "duration_ms": 61234,
                "session_id": "s1",
                "error": "x",
            },
            {
                "id": "3",
                "type": "session_metrics",
                "session_id": "s1",
                "summary_source": "layer1_rules",
                "fact_count": 3,
            },
            {
                "id": "4",
                "type": "audit",
                "source": "thought",
                "signals": ["decision"],
                "snippet": "决定用 PostgreSQL",
            },
            {
                "id": "5",
                "type": "audit",
                "action": "git_commit",
                "command": "git commit -m 'x'",
                "extracted": ["x"],
            },
            {"id": "6", "type": "warning", "content": "会话 abcd1234... 未保存摘要", "session_id": "abcd"},
            {"id": "7", "type": "brand_new", "content": "unknown but shown", "深": 1},
        ),
    )
    assert not parsed.problems
    assert [(entry.kind, entry.text) for entry in parsed.entries] == [
        ("session_start", "session s1 started in /p/商城"),
        ("session_end", "session s1 ended: completed, 61.2 s, error: x"),
        ("session_metrics", "session s1: summary_source layer1_rules, fact_count 3"),
        ("audit", "decision: 决定用 PostgreSQL"),
        ("audit", "git_commit: git commit -m 'x'"),
        ("warning", "会话 abcd1234... 未保存摘要"),
        ("brand_new", "unknown but shown"),
    ]
    assert parsed.entries[0].session == "s1"
    assert parsed.entries[3].source == "thought"
    assert parsed.entries[4].extra["extracted"] == ["x"]
    assert parsed.entries[6].extra["深"] == 1


def test_the_last_record_of_an_id_holds() -> None:
    parsed = read(
        "daily-jsonl",
        lines(
            FACT,
            {**FACT, "content": "用户偏好 Rust"},
            {**FACT, "deleted_at": "2026-11-22T00:00:00Z", "deleted_by": "agent"},
        ),
    )
    assert [entry.status for entry in parsed.entries] == [
        Status.SUPERSEDED,
        Status.SUPERSEDED,
        Status.DELETED,
    ]
    assert [entry.superseded_by for entry in parsed.entries] == [FACT["id"], FACT["id"], ""]
    assert parsed.entries[2].extra["deleted_by"] == "agent"


def test_records_without_an_id_never_supersede_each_other() -> None:
    parsed = read("daily-jsonl", lines({"content": "a"}, {"content": "b"}, {"id": "", "content": "c"}))
    assert {entry.status for entry in parsed.entries} == {Status.ACTIVE}


def test_sessions_are_heads() -> None:
    record = {
        "id": "sum-1", "session_id": "3f1c", "topic": "支付回调", "summary": "修复了重复回调",
        "decisions": ["用幂等键，不用锁"], "todos": ["补测试"], "timestamp": "2026-11-21T10:41:57Z",
        "source": "layer1_rules", "auto_generated": True,
    }  # fmt: skip
    entry = read("daily-jsonl", lines(record), path="sessions.jsonl").entries[0]
    assert (entry.kind, entry.layer, entry.title, entry.text) == (
        "session",
        Layer.SESSION,
        "支付回调",
        "修复了重复回调",
    )
    assert (entry.session, entry.source) == ("3f1c", "layer1_rules")
    assert entry.search is not None
    assert all(word in entry.search for word in ("支付回调", "幂等键", "补测试"))
    assert dict(entry.extra) == {
        "decisions": ["用幂等键，不用锁"],
        "todos": ["补测试"],
        "auto_generated": True,
    }
    # The same record in a daily file is a session's head as well.
    assert read("daily-jsonl", lines(record), path="daily/2026-11-21.jsonl").entries[0].kind == "session"


def test_what_is_no_record_is_named_with_its_line() -> None:
    parsed = read("daily-jsonl", '{"content": "a"}\n[1]\n{"type": "fact"}\n')
    assert [entry.text for entry in parsed.entries] == ["a"]
    assert [problem.line for problem in parsed.problems] == [2, 3]


def test_odd_values_cost_only_themselves() -> None:
    text = '{"id": 5, "content": ["a", 1], "entities": "x, y，z", "confidence": "high", "timestamp": true, "source": 3}'
    entry = read("daily-jsonl", text).entries[0]
    assert (entry.text, entry.entities, entry.confidence, entry.created) == (
        "a, 1",
        ("x", "y", "z"),
        None,
        None,
    )
    assert (entry.key, entry.extra["source"]) == ("5", 3)


def test_a_record_may_say_its_kind_itself() -> None:
    text = '{"id":"a","content":"x","kind":"decision"}\n{"id":"b","memory_type":"O","content":"y","kind":"mood"}\n'
    first, second = read("daily-jsonl", text).entries
    assert (first.kind, dict(first.extra)) == ("decision", {})
    assert (second.kind, second.extra["kind"]) == ("pref", "mood")
