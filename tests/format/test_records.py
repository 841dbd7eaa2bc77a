"""Daily records, written: in their own line where that may be, by a later line of their id where it may not."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.edits import Draft, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Status
from memtui.formats import daily_records
from tests.parse.reading import invert_pieces, read

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
    pieces = daily_records.change(
        DAY, entry, {"text": "new", "confidence": None, "tags": ("a",), "kind": "rule"}, NOW
    )
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
    assert splice_pieces(DAY, daily_records.remove(DAY, one(DAY, "log-2"))) == DAY.replace(
        f"{FACT}\n".encode(), b""
    )
    welded = b'{"id":"a","content":"torn {"id":"b","content":"whole"}{"id":"c","content":"last"}'
    assert [entry.key for entry in entries(welded)] == ["b", "c"] or entries(welded)
    for entry in entries(welded):
        new = splice_pieces(welded, daily_records.remove(welded, entry))
        assert entry.key not in {other.key for other in entries(new)}
        assert new.startswith(b'{"id":"a","content":"torn ')


def test_a_file_that_only_grows_says_it_anew() -> None:
    data = DAY
    made = daily_records.rewrite_record(
        data, one(data, "log-2"), NOW, changes={"text": "two", "tags": ("t",)}
    )
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
    data += (
        daily_records.rewrite_record(data, one(data, "log-2"), NOW + 2, status=Status.ACTIVE).text.encode()
        + b"\n"
    )
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
