"""JSON Lines after crashes, races and power losses (T19, T21, T22); and evolution's logs in the specification's dialect
and in the one that is really written.
"""

from __future__ import annotations

import json

import pytest

from memtui.core.model import Layer
from tests.formats.reading import check_lines, read, utc


def texts(data: str | bytes) -> list[str]:
    return [entry.text for entry in read("jsonl", data).entries]


def test_any_record_gives_its_likeliest_text_and_keeps_the_rest() -> None:
    entry = read("jsonl", '\n{"content": "偏好 ruff", "id": "a", "n": 3, "role": "user"}\n').entries[0]
    assert (entry.text, entry.start, entry.key, dict(entry.extra)) == (
        "user: 偏好 ruff",
        2,
        "a",
        {"n": 3, "role": "user"},
    )


def test_a_bad_line_costs_itself_only() -> None:
    parsed = read("jsonl", '{"content": "a"}\n{oops}\n[1, 2]\n"s"\n{"content": "b"}')
    assert [(entry.text, entry.start) for entry in parsed.entries] == [
        ("a", 1),
        ("1, 2", 3),
        ("s", 4),
        ("b", 5),
    ]
    assert [problem.line for problem in parsed.problems] == [2]


def test_two_records_welded_into_one_line_are_both_read() -> None:
    parsed = read("jsonl", '{"content": "a"}{"content": "b"} {"content": "c"}\n')
    assert [entry.text for entry in parsed.entries] == ["a", "b", "c"]
    assert [(problem.line, "several" in problem.reason) for problem in parsed.problems] == [(1, True)]


def test_nul_bytes_are_counted_and_what_follows_is_read() -> None:
    parsed = read("jsonl", '{"content": "a"}\n' + "\0" * 5000 + '{"content": "b"}\n{"content": "c"}' + "\0" * 3)
    assert [entry.text for entry in parsed.entries] == ["a", "b", "c"]
    assert "5,000 NUL" in parsed.problems[0].reason


RECORDS = [
    {
        "id": "log-1",
        "type": "fact",
        "content": "支付服务用 8443 端口",
        "source": {"session": "s1", "n": [1, 2]},
    },
    {"id": "log-2", "type": "fact", "content": 'emoji 🎉 and \\ quote "', "source": {"session": "s2"}},
]


@pytest.mark.parametrize("cut", range(1, len(json.dumps(RECORDS[1], ensure_ascii=False).encode())))
def test_a_record_appended_to_a_torn_one_is_always_read(cut: int) -> None:
    whole = json.dumps(RECORDS[0], ensure_ascii=False).encode() + b"\n"
    torn = json.dumps(RECORDS[1], ensure_ascii=False).encode()[:cut]
    new = '{"id": "log-3", "type": "fact", "content": "新记录"}\n'.encode()
    parsed = read("jsonl", whole + torn + new)
    assert [entry.key for entry in parsed.entries] == ["log-1", "log-3"]
    assert [problem.line for problem in parsed.problems] == [2]
    check_lines(parsed)


def test_the_inside_of_a_torn_record_is_not_taken_for_a_record() -> None:
    assert texts('{"id": "a", "content": "x", "source": {"session": "s"}') == []


def test_a_huge_line_is_left_out_and_named() -> None:
    parsed = read("jsonl", '{"content": "' + "x" * 1_100_000 + '"}\n{"content": "b"}')
    assert [entry.text for entry in parsed.entries] == ["b"]
    assert parsed.problems[0].line == 1


def test_garbage_is_reported_in_bounds() -> None:
    parsed = read("jsonl", "garbage\n" * 5000)
    assert len(parsed.problems) == 101
    assert "4,900 more" in parsed.problems[-1].reason


def test_the_last_line_of_a_cut_file_is_not_called_torn() -> None:
    parsed = read("jsonl", '{"content": "a"}\n{"content": "b', size=10_000)
    assert [entry.text for entry in parsed.entries] == ["a"]
    assert [problem.line for problem in parsed.problems] == [0]


def test_keys_that_stand_twice_are_said() -> None:
    parsed = read("jsonl", '{"content": "a", "content": "b"}')
    assert [entry.text for entry in parsed.entries] == ["b"]
    assert "content" in parsed.problems[0].reason


def test_bytes_that_are_no_utf8_do_not_hide_the_file() -> None:
    parsed = read("jsonl", b'{"content": "\xff\xfe caf\xe9"}\n' + '{"content": "好"}'.encode())
    assert len(parsed.entries) == 2
    check_lines(parsed)


@pytest.mark.parametrize(
    ("path", "session"),
    [
        ("data/memory/conversation_history/s1.jsonl", "s1"),
        (".helloagents/sessions/main/ab12cd34/events.jsonl", "ab12cd34"),
        ("sessions/all.jsonl", ""),
        ("notes.jsonl", ""),
    ],
)
def test_records_belong_to_the_session_of_their_place(path: str, session: str) -> None:
    own, other = read("jsonl", '{"text": "a", "session_id": "own"}\n{"text": "b"}\n', path).entries
    assert (own.session, other.session) == ("own", session)


def test_a_nul_that_json_spells_is_not_in_the_text() -> None:
    (entry,) = read("daily-jsonl", '{"content": "a\\u0000b"}\n', "daily/2026-02-03.jsonl").entries
    assert entry.text == "a\ufffdb"


LOG_RECORDS: list[dict[str, object]] = [
    {
        "type": "ExperienceReferenced", "ts": "2026-11-21T10:42:03.5Z",
        "experience_id": "avoidance:25696ce434f0d372", "session_id": "sess-1",
    },
    {
        "timestamp": "2026-02-26T10:00:00Z", "event_type": "ref", "experience_id": "avoidance:abc",
        "session_id": "sess-001", "context": "引用",
    },
    {
        "type": "SessionOutcome", "ts": "2026-11-21T10:42:03Z", "session_id": "sess-1", "status": "success",
        "score": 0.85, "has_errors": 1, "user_corrections": 2, "experiences_updated": 1,
    },
    {
        "timestamp": "2026-02-26T11:00:00Z", "event_type": "outcome", "session_id": "sess-001",
        "outcome": "failed", "corrections": 0,
    },
    {
        "type": "ExperienceRegistered", "ts": "2026-11-21T10:42:03Z",
        "experience_id": "rule:demo:编码规范:abc", "source_file": "areas/projects/demo/rules.md",
    },
    {
        "timestamp": "2026-02-26T12:00:00Z", "event_type": "generation", "capability_name": "auto-env-fix",
        "type": "Skill", "trigger": "environment_issue", "pattern_count": 3,
    },
    {
        "type": "CapabilityFailed", "ts": "2026-11-21T10:42:03Z", "id": "cap_003", "pattern_id": 3,
        "output_path": "x", "name": "auto-environment_issue", "status": "failed",
    },
    {"type": "SomethingNew", "ts": "2026-11-21T10:42:03Z", "what": "shown", "session_id": "s"},
]  # fmt: skip
LOG = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in LOG_RECORDS)


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        (1, "event", "ref avoidance:25696ce434f0d372 in sess-1"),
        (2, "event", "ref avoidance:abc in sess-001: 引用"),
        (3, "outcome", "outcome of sess-1: success, score 0.85, 2 corrections, with errors"),
        (4, "outcome", "outcome of sess-001: failed"),
        (5, "event", "registered rule:demo:编码规范:abc from areas/projects/demo/rules.md"),
        (6, "capability", "capability auto-env-fix generated as Skill for environment_issue"),
        (7, "capability", "capability auto-environment_issue failed from pattern 3"),
        (8, "event", "SomethingNew in s: what: shown"),
    ],
)
def test_an_event_is_one_readable_line(line: int, kind: str, text: str) -> None:
    parsed = read("events", LOG, path="evolution/audit.jsonl")
    entry = parsed.entries[line - 1]
    assert not parsed.problems
    assert (entry.start, entry.kind, entry.text, entry.layer) == (line, kind, text, Layer.EVOLUTION)


OWN: list[tuple[dict[str, object], str, str]] = [
    (
        {"event_type": "verdict", "experience_id": "avoidance:abc", "verdict": "stale", "who": "person"},
        "event",
        "verdict avoidance:abc: stale, says person",
    ),
    (
        {"event_type": "pattern", "pattern": "error:redis", "status": "addressed", "reason": "a healthcheck"},
        "event",
        "pattern error:redis: addressed: a healthcheck",
    ),
    (
        {"event_type": "signals", "session_id": "s-1", "project": "shop", "signals": [
            {"type": "environment_issue", "about": "docker", "text": "docker was down"}, {"type": "correction"}, 3,
        ]},
        "event",
        "signals in s-1: environment_issue (docker), correction",
    ),
    ({"event_type": "signals", "session_id": "s-2", "signals": []}, "event", "signals in s-2: none"),
    (
        {"event_type": "removal", "capability_name": "auto-env-fix", "type": "Skill", "trigger": "environment_issue"},
        "capability",
        "capability auto-env-fix removed",
    ),
    (
        {"type": "CapabilityRemoved", "name": "auto-environment_issue", "status": "removed"},
        "capability",
        "capability auto-environment_issue removed",
    ),
    (
        {"type": "approved", "id": "b37bc2bbc7c2df67", "origin": "proposed", "home": "/home/ana/.memtui",
         "text": "Ship on Tuesdays only", "kind": "rule", "layer": "core", "who": "person"},
        "event",
        "approved: Ship on Tuesdays only",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("record", "kind", "text"), OWN)
def test_what_memtui_notes_is_a_sentence_too(record: dict[str, object], kind: str, text: str) -> None:
    (entry,) = read("events", json.dumps({"timestamp": "2026-02-26T10:00:00Z"} | record) + "\n").entries
    assert (entry.kind, entry.text) == (kind, text)


def test_both_dialects_give_the_same_fields() -> None:
    real, spec = read("events", LOG).entries[:2]
    assert real.created == utc(2026, 11, 21, 10, 42, 3) + 0.5
    assert spec.created == utc(2026, 2, 26, 10)
    assert (real.session, spec.session) == ("sess-1", "sess-001")
    assert (real.entities, spec.entities) == (("avoidance:25696ce434f0d372",), ("avoidance:abc",))
    assert real.extra["type"] == "ExperienceReferenced"
    assert spec.extra["context"] == "引用"


def test_numbers_of_an_outcome_stay_for_whoever_counts() -> None:
    outcome = read("events", LOG).entries[2]
    assert outcome.extra["score"] == 0.85
    assert outcome.extra["experiences_updated"] == 1


def test_odd_events() -> None:
    parsed = read("events", '{"type": 3, "ts": []}\n{"status": "x"}\n"text"\n{}\n')
    assert len(parsed.entries) == 2
    assert [problem.line for problem in parsed.problems] == [3, 4]
