"""Evolution's logs in the specification's dialect and in the one that is really written."""

from __future__ import annotations

import json

import pytest

from memtui.core.model import Layer
from tests.parse.reading import read, utc

LOG_RECORDS: list[dict[str, object]] = [
    {
        "type": "ExperienceReferenced",
        "ts": "2026-11-21T10:42:03.5Z",
        "experience_id": "avoidance:25696ce434f0d372",
        "session_id": "sess-1",
    },
    {
        "timestamp": "2026-02-26T10:00:00Z",
        "event_type": "ref",
        "experience_id": "avoidance:abc",
        "session_id": "sess-001",
        "context": "引用",
    },
    {
        "type": "SessionOutcome",
        "ts": "2026-11-21T10:42:03Z",
        "session_id": "sess-1",
        "status": "success",
        "score": 0.85,
        "has_errors": 1,
        "user_corrections": 2,
        "experiences_updated": 1,
    },
    {
        "timestamp": "2026-02-26T11:00:00Z",
        "event_type": "outcome",
        "session_id": "sess-001",
        "outcome": "failed",
        "corrections": 0,
    },
    {
        "type": "ExperienceRegistered",
        "ts": "2026-11-21T10:42:03Z",
        "experience_id": "rule:demo:编码规范:abc",
        "source_file": "areas/projects/demo/rules.md",
    },
    {
        "timestamp": "2026-02-26T12:00:00Z",
        "event_type": "generation",
        "capability_name": "auto-env-fix",
        "type": "Skill",
        "trigger": "environment_issue",
        "pattern_count": 3,
    },
    {
        "type": "CapabilityFailed",
        "ts": "2026-11-21T10:42:03Z",
        "id": "cap_003",
        "pattern_id": 3,
        "output_path": "x",
        "name": "auto-environment_issue",
        "status": "failed",
    },
    {"type": "SomethingNew", "ts": "2026-11-21T10:42:03Z", "what": "shown", "session_id": "s"},
]
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
