"""Rows of OpenAkita's memories: what a verb means in its columns, and what the parser then reads."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memtui.core.edits import Draft, RowEdit, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Layer, Role, Status
from memtui.formats import Source, memories_json, memory_rows

NOW = 1_771_000_000.5
ROW: dict[str, Any] = {
    "id": "m1", "content": "用户偏好深色主题", "type": "PREFERENCE", "priority": "permanent", "importance_score": 0.9,
    "tags": '["界面"]', "created_at": "2026-02-20T09:00:00.123456", "updated_at": "2026-02-21T09:00:00",
    "expires_at": None, "superseded_by": None, "confidence": 0.95, "scope": "user", "scope_owner": "lin",
    "agent_id": "", "user_id": "u1", "workspace_id": "w1", "metadata": "{}", "source": "chat",
}  # fmt: skip


def applied(row: dict[str, Any], change: RowEdit) -> Entry:
    assert change.after is not None
    found = memory_rows.parse_memory_row({**row, **change.after, "id": change.key}, 1, 1)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["fact", "pref", "rule", "lesson", "skill", "experience", "note"])
def test_a_new_row(kind: str) -> None:
    draft = Draft("喜欢深色", kind, tags=("界面", "theme"), confidence=0.8, expires=NOW + 60, source="s1")
    made = memory_rows.build_row_insert("/h", "openakita.db", draft, NOW, ROW)
    assert re.fullmatch(r"[0-9a-f]{8}", made.key)
    assert made.before is None
    assert made.after is not None
    entry = applied({}, made)
    assert (entry.text, entry.kind, entry.tags, entry.confidence) == (
        "喜欢深色",
        kind,
        ("界面", "theme"),
        0.8,
    )
    assert (entry.created, entry.updated, entry.expires) == (NOW, NOW, NOW + 60)
    assert made.after["created_at"] == "2026-02-13T16:26:40.500000"
    assert {name: made.after[name] for name in ("scope", "scope_owner", "user_id", "workspace_id")} == {
        "scope": "user", "scope_owner": "lin", "user_id": "u1", "workspace_id": "w1",
    }  # fmt: skip
    assert made.after.keys() <= ROW.keys()
    assert "confidence" not in (memory_rows.build_row_insert("/h", "d", Draft("x"), NOW, ROW).after or {})


def test_what_is_said_of_the_person_is_found_as_theirs() -> None:
    """OpenAkita's USER.md is made of the rows whose subject is the user, and of no others."""
    for text, kind, subject in (
        ("深色主题", "pref", "用户"),
        ("用户在上海", "fact", "用户"),
        ("端口 80", "fact", None),
    ):
        made = memory_rows.build_row_insert("/h", "d", Draft(text, kind), NOW, {**ROW, "subject": ""})
        assert (made.after or {}).get("subject") == subject


def test_a_database_without_rows_or_columns() -> None:
    bare = dict.fromkeys(("id", "content", "tags"))
    made = memory_rows.build_row_insert("/h", "d", Draft("x", tags=("a",)), NOW, bare)
    assert made.after == {"content": "x", "tags": '["a"]'}
    with pytest.raises(RefusedError, match="superseded_by"):
        memory_rows.build_row_status("/h", "d", {"id": "m1", "content": "x"}, Status.ARCHIVED, NOW)


def test_a_change_expects_all_that_it_changes() -> None:
    change = memory_rows.build_row_update(
        "/h", "d", ROW, {"text": "new", "tags": ("a",), "kind": "rule", "expires": None}, NOW
    )
    assert change.before == {
        "content": "用户偏好深色主题", "tags": '["界面"]', "type": "PREFERENCE", "expires_at": None,
        "updated_at": "2026-02-21T09:00:00",
    }  # fmt: skip
    entry = applied(ROW, change)
    assert (entry.text, entry.tags, entry.kind, entry.expires) == ("new", ("a",), "rule", None)
    assert entry.created == memory_rows.parse_memory_row(ROW, 1, 1).created  # type: ignore[union-attr]


def test_what_says_the_same_is_left_as_it_is_written() -> None:
    change = memory_rows.build_row_update("/h", "d", ROW, {"kind": "pref", "tags": ("界面",)}, NOW)
    assert change.after == {}


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.DELETED, Status.SUPERSEDED])
def test_a_status_is_out_of_the_agents_sight_and_restorable(status: Status) -> None:
    change = memory_rows.build_row_status("/h", "d", ROW, status, NOW, successor="m2")
    entry = applied(ROW, change)
    assert entry.status is status
    assert entry.superseded_by == ("m2" if status is Status.SUPERSEDED else "")
    assert change.after is not None
    # Upstream's own condition, and never its retention's.
    assert change.after["superseded_by"]
    assert "expires_at" not in change.after
    back = memory_rows.build_row_status("/h", "d", {**ROW, **change.after}, Status.ACTIVE, NOW)
    assert applied(ROW, back).status is Status.ACTIVE


def test_what_it_cannot_say_is_refused() -> None:
    with pytest.raises(RefusedError, match="evidence"):
        memory_rows.build_row_update("/h", "d", ROW, {"evidence": "x"}, NOW)
    with pytest.raises(RefusedError):
        memory_rows.build_row_status("/h", "d", ROW, Status.CANDIDATE, NOW)
    with pytest.raises(RefusedError):
        memory_rows.build_row_status("/h", "d", ROW, Status.SUPERSEDED, NOW)
    with pytest.raises(RefusedError, match="half of a character"):
        memory_rows.build_row_insert("/h", "d", Draft("x\ud800"), NOW, ROW)


@pytest.mark.parametrize(
    ("kind", "seconds", "lasting", "priority"),
    [
        ("fact", 7200, True, "transient"), ("fact", 86_400, True, "transient"),
        ("fact", 3 * 86_400, True, "short_term"),
        ("fact", 7 * 86_400, True, "long_term"), ("fact", None, False, "permanent"),
        ("lesson", None, False, "long_term"),
        ("lesson", None, True, "permanent"),
    ],
)  # fmt: skip
def test_a_priority_follows_how_long_it_holds(
    kind: str, seconds: int | None, lasting: bool, priority: str
) -> None:
    draft = Draft("x", kind, expires=None if seconds is None else NOW + seconds, lasting=lasting)
    after = memory_rows.build_row_insert("/h", "d", draft, NOW, ROW).after or {}
    assert after["priority"] == priority
    assert (after["expires_at"] is None) is (priority == "permanent")
    if kind == "lesson" and not lasting:
        assert after["expires_at"] == "2026-02-20T16:26:40.500000"
    changed = memory_rows.build_row_update("/h", "d", ROW, {"expires": NOW + 86_400}, NOW).after or {}
    assert changed["priority"] == "transient"


V1 = """[
  {"id": "v1", "content": "用户喜欢深色", "type": "PREFERENCE", "tags": ["界面"], "updated_at": "2026-02-20T09:00:00"},
  {"id": "v2", "content": "别直接删文件", "type": "ERROR"}
]
"""


def v1(data: bytes) -> dict[str, Entry]:
    source = Source("memories.json", Role(Layer.KNOWLEDGE, "fact", "memories-json"), data)
    return {entry.key: entry for entry in memory_rows.parse_json(source).entries}


@pytest.mark.parametrize("text", [V1, V1.replace("[\n", '{"memories": [\n', 1).replace("\n]\n", "\n]}\n")])
def test_a_record_of_version_1_is_changed_where_it_stands(text: str) -> None:
    data = text.encode()
    entry = v1(data)["v2"]
    changed = splice_pieces(
        data,
        memories_json.change(data, entry, {"text": "先备份再删", "kind": "rule", "tags": ("备份",)}, NOW),
    )
    read = v1(changed)["v2"]
    assert (read.text, read.kind, read.tags) == ("先备份再删", "rule", ("备份",))
    assert b'"type": "RULE"' in changed and changed.split(b"\n")[:2] == data.split(b"\n")[:2]
    put_away = splice_pieces(data, memories_json.mark(data, v1(data)["v1"], Status.ARCHIVED, NOW))
    assert v1(put_away)["v1"].status is Status.ARCHIVED and b"2026-02-13T16:26:40.500000" in put_away
    back = splice_pieces(put_away, memories_json.mark(put_away, v1(put_away)["v1"], Status.ACTIVE, NOW))
    assert v1(back)["v1"].status is Status.ACTIVE and b"superseded_by" not in back
    gone = splice_pieces(data, memories_json.remove(data, v1(data)["v1"]))
    assert v1(gone).keys() == {"v2"}
    with pytest.raises(RefusedError):
        memories_json.mark(data, entry, Status.CANDIDATE, NOW)
