"""Daily records, written: in their own line where that may be, by a later line of their id where it may not.

Spec 001's lines and their duplicate rule, and spec 002's notes by the hour.
"""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.edits import Draft, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Status
from memtui.formats import daily_records, format_named, hours, journal
from tests.formats.reading import invert_pieces, read
from tests.formats.ugly import read as read_entries

NOW = 1_771_000_000.0
PATH = "daily/2026-02-13.jsonl"
FACT = (
    '{"id":"log-2","type":"fact","memory_type":"W","content":"支付回调会重复到达","entities":["支付"],'
    '"confidence":0.9,"timestamp":"2026-02-20T09:10:00Z","source":{"session":"3f1c"}}'
)
DAY = f'{{"id":"log-1","type":"session_start","session_id":"3f1c"}}\n{FACT}\n{{"id":"log-3","content":"b"}}\n'.encode()


def entries(data: bytes, path: str = PATH) -> list[Entry]:
    return read("daily-jsonl", data, path).entries


def one(data: bytes, key: str) -> Entry:
    """What holds of an id."""
    return [entry for entry in entries(data) if entry.key == key][-1]


def test_a_record_is_what_the_skill_writes() -> None:
    draft = Draft("uses uv", "pref", entities=("uv",), confidence=0.95, source="s-1", expires=NOW + 60)
    made = daily_records.record(draft, NOW, PATH)
    assert "\n" not in made.text
    value = json.loads(made.text)
    assert re.fullmatch(r"log-162640000-[a-z0-9]{4}", made.key)
    assert value == {
        "id": made.key, "type": "fact", "memory_type": "O", "content": "uses uv", "entities": ["uv"],
        "confidence": 0.95, "timestamp": "2026-02-13T16:26:40Z", "source": {"session": "s-1"},
        "expires_at": "2026-02-13T16:27:40Z",
    }  # fmt: skip
    (entry,) = entries(made.text.encode())
    assert (entry.text, entry.kind, entry.session, entry.created) == ("uses uv", "pref", "s-1", NOW)


@pytest.mark.parametrize("kind", ["fact", "pref", "event", "summary", "decision", "rule", "lesson", "todo"])
def test_every_kind_comes_back(kind: str) -> None:
    (entry,) = entries(daily_records.record(Draft("x", kind, tags=("a", "b")), NOW, PATH).text.encode())
    assert (entry.kind, entry.tags) == (kind, ("a", "b"))
    assert "kind" not in entry.extra


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=1))
def test_any_text_is_one_line_of_json_or_is_refused(text: str) -> None:
    try:
        made = daily_records.record(Draft(text), NOW, PATH).text
    except RefusedError:
        assert any("\ud800" <= char <= "\udfff" for char in text)
        return
    assert made.splitlines() == [made] or not {"\n", "\r", "\u2028", "\u2029"} & set(made)
    assert json.loads(made.encode())["content"] == text


def test_no_number_that_is_none() -> None:
    with pytest.raises(RefusedError):
        daily_records.record(Draft("x", confidence=float("nan")), NOW, PATH)


def test_heads_of_sessions_are_no_facts() -> None:
    with pytest.raises(RefusedError, match=r"sessions\.jsonl"):
        daily_records.record(Draft("x"), NOW, "sessions.jsonl")


def test_a_torn_last_line_is_not_welded_to() -> None:
    data = DAY + b'{"id":"log-9","content":"to'
    new = splice_pieces(data, daily_records.add(data, Draft("whole"), NOW, PATH).pieces)
    assert new.startswith(data + b"\n{")
    assert entries(new)[-1].text == "whole"


def test_a_line_is_changed_where_it_stands() -> None:
    entry = one(DAY, "log-2")
    pieces = daily_records.change(DAY, entry, {"text": "new", "confidence": None, "tags": ("a",), "kind": "rule"}, NOW)
    new = splice_pieces(DAY, pieces)
    assert new.split(b"\n")[0] == DAY.split(b"\n")[0] and new.split(b"\n")[2:] == DAY.split(b"\n")[2:]
    changed = one(new, "log-2")
    assert (changed.text, changed.confidence, changed.tags, changed.kind) == ("new", None, ("a",), "rule")
    assert changed.session == "3f1c"
    assert splice_pieces(new, invert_pieces(DAY, pieces)) == DAY


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.DELETED, Status.SUPERSEDED])
def test_what_no_longer_holds_is_out_of_the_skills_sight_too(status: Status) -> None:
    entry = one(DAY, "log-2")
    new = splice_pieces(DAY, daily_records.mark(DAY, entry, status, NOW, successor="log-3"))
    marked = one(new, "log-2")
    assert marked.status is status
    assert marked.superseded_by == ("log-3" if status is Status.SUPERSEDED else "")
    assert json.loads(new.split(b"\n")[1])["deleted_at"] == "2026-02-13T16:26:40Z"
    assert splice_pieces(new, daily_records.mark(new, marked, Status.ACTIVE, NOW)) == DAY


def test_what_the_skill_deleted_can_be_restored() -> None:
    data = DAY.replace(b'"3f1c"}}', b'"3f1c"},"deleted_at":"2026-02-20T12:00:00Z","deleted_by":"agent"}')
    assert one(data, "log-2").status is Status.DELETED
    assert splice_pieces(data, daily_records.mark(data, one(data, "log-2"), Status.ACTIVE, NOW)) == DAY


def test_a_line_goes_whole_and_a_welded_record_alone() -> None:
    assert splice_pieces(DAY, daily_records.remove(DAY, one(DAY, "log-2"))) == DAY.replace(f"{FACT}\n".encode(), b"")
    welded = b'{"id":"a","content":"torn {"id":"b","content":"whole"}{"id":"c","content":"last"}'
    assert [entry.key for entry in entries(welded)] == ["b", "c"] or entries(welded)
    for entry in entries(welded):
        new = splice_pieces(welded, daily_records.remove(welded, entry))
        assert entry.key not in {other.key for other in entries(new)}
        assert new.startswith(b'{"id":"a","content":"torn ')


def test_a_file_that_only_grows_says_it_anew() -> None:
    data = DAY
    made = daily_records.rewrite_record(data, one(data, "log-2"), NOW, changes={"text": "two", "tags": ("t",)})
    assert made.key == "log-2"
    data += made.text.encode() + b"\n"
    first, last = [entry for entry in entries(data) if entry.key == "log-2"]
    assert (first.status, first.superseded_by, first.text) == (
        Status.SUPERSEDED,
        "log-2",
        "支付回调会重复到达",
    )
    assert (last.status, last.text, last.tags, last.updated) == (Status.ACTIVE, "two", ("t",), NOW)
    assert (last.created, last.session, last.entities) == (first.created, "3f1c", ("支付",))
    made = daily_records.rewrite_record(data, last, NOW + 1, status=Status.SUPERSEDED, successor="log-3")
    data += made.text.encode() + b"\n"
    assert (one(data, "log-2").status, one(data, "log-2").superseded_by) == (Status.SUPERSEDED, "log-3")
    data += daily_records.rewrite_record(data, one(data, "log-2"), NOW + 2, status=Status.ACTIVE).text.encode() + b"\n"
    assert (one(data, "log-2").status, one(data, "log-2").superseded_by) == (Status.ACTIVE, "")
    assert data.startswith(DAY)


def test_without_an_id_nothing_later_can_speak_of_it() -> None:
    data = b'{"content":"x"}\n'
    (entry,) = entries(data)
    with pytest.raises(RefusedError, match="no id"):
        daily_records.rewrite_record(data, entry, NOW, status=Status.ARCHIVED)
    assert splice_pieces(data, daily_records.change(data, entry, {"text": "y"}, NOW)) == b'{"content":"y"}\n'


def test_a_record_that_moved_is_refused() -> None:
    entry = one(DAY, "log-2")
    for data in (b"\n" + DAY, b"", DAY.replace(b"log-2", b"log-7")):
        with pytest.raises(RefusedError):
            daily_records.remove(data, entry)


def test_a_heads_own_fields() -> None:
    data = b'{"id":"sum-1","topic":"t","summary":"s","timestamp":"2026-02-20T10:41:57Z"}\n'
    (entry,) = entries(data, "sessions.jsonl")
    new = splice_pieces(data, daily_records.change(data, entry, {"text": "other"}, NOW))
    assert entries(new, "sessions.jsonl")[0].text == "other"


NOTED_AT = 1_771_928_553.0
"""2026-02-24T10:22:33Z"""
NOTES = "daily/2026-02-24.md"


def test_the_line_is_spec_001s() -> None:
    draft = Draft("用户偏好：精简\n第二行", "Pref", tags=("prefs", "#a b"), source="run-1")
    found = journal.record(draft, NOTED_AT, NOTES)
    assert found.text == "- 2026-02-24T10:22:33Z [pref] 用户偏好：精简 第二行 #prefs #a-b (source=run-1)"
    assert (found.header, found.key) == ("", "")
    (entry,) = read_entries(found.text.encode(), "journal", NOTES)
    assert (entry.text, entry.kind, entry.tags, entry.source) == (
        "用户偏好：精简 第二行",
        "pref",
        ("prefs", "a-b"),
        "run-1",
    )
    assert entry.created == NOTED_AT
    assert journal.record(Draft("x", "no [such]"), NOTED_AT, NOTES).text == "- 2026-02-24T10:22:33Z [note] x"
    with pytest.raises(RefusedError):
        journal.record(Draft(" \n\0"), NOTED_AT, NOTES)


@pytest.mark.parametrize("form", ["journal", "hours"])
def test_until_when_it_holds_is_not_lost(form: str) -> None:
    found = format_named(form).record(Draft("冻结发布", "note", expires=NOTED_AT + 40 * 86400), NOTED_AT, NOTES)
    entries = read_entries(f"{found.header}{found.text}\n".encode(), "journal", NOTES)
    (entry,) = (entry for entry in entries if "冻结发布" in entry.text)
    assert entry.text.endswith("冻结发布")
    assert entry.expires is not None
    assert abs(entry.expires - (NOTED_AT + 40 * 86400)) < 2 * 86400


def test_a_line_is_not_welded_to_a_torn_one() -> None:
    data = b"- 2026-02-24T01:00:00Z [no"
    new = splice_pieces(data, journal.add(data, Draft("x"), NOTED_AT, NOTES).pieces)
    assert new == data + b"\n- 2026-02-24T10:22:33Z [note] x"
    data = b"- one\r\n- two\r\n"
    assert splice_pieces(data, journal.add(data, Draft("x"), NOTED_AT, NOTES).pieces).endswith(b"[note] x\r\n")


def test_a_person_edits_a_journal_line_by_line() -> None:
    data = b"- 2026-02-24T01:00:00Z [pref] old #a (source=run-9)\n- 09:15 tea\n"
    first, second = read_entries(data, "journal", NOTES)
    assert splice_pieces(data, journal.change(data, first, {"text": "new"}, NOTED_AT)) == data.replace(b"old", b"new")
    assert splice_pieces(data, journal.change(data, second, {"text": "coffee"}, NOTED_AT)) == data.replace(
        b"tea", b"coffee"
    )
    gone = splice_pieces(data, journal.mark(data, first, Status.ARCHIVED, NOTED_AT))
    assert gone.split(b"\n")[0].endswith(b"(source=run-9) (archived 2026-02-24)")
    assert splice_pieces(data, journal.remove(data, first)) == b"- 09:15 tea\n"


def test_notes_by_the_hour_have_their_header_and_heading() -> None:
    found = hours.record(
        Draft("选择 JWT", "decision", title="项目: demo", source="s-1"), NOTED_AT, "daily/2026-02-24.md"
    )
    assert found.header == "# 2026-02-24\n\n> 自动生成的每日开发笔记\n"
    assert found.text == "\n## 10:22 - 项目: demo\n- **决策**: 选择 JWT (source=s-1)"
    whole = f"{found.header}{found.text}\n"
    (entry,) = read_entries(whole.encode(), "journal", "daily/2026-02-24.md")
    assert (entry.kind, entry.created, entry.extra["project"]) == ("decision", NOTED_AT - 33, "demo")
    assert (
        splice_pieces(
            b"",
            hours.add(b"", Draft("选择 JWT", "decision", title="项目: demo", source="s-1"), NOTED_AT, NOTES).pieces,
        )
        == whole.encode()
    )


def test_every_format_has_every_function() -> None:
    for name in ("markdown", "journal", "hours", "topic"):
        found = format_named(name)
        assert all(callable(getattr(found, verb)) for verb in ("add", "record", "change", "mark", "remove"))
