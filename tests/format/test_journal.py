"""Spec 001's lines and their duplicate rule, and spec 002's notes by the hour."""

from __future__ import annotations

import pytest

from memtui.core.edits import Draft, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Status
from memtui.formats import format_named, hours, journal
from tests.format.ugly import read

NOW = 1_771_928_553.0
"""2026-02-24T10:22:33Z"""
PATH = "daily/2026-02-24.md"


def test_the_line_is_spec_001s() -> None:
    draft = Draft("用户偏好：精简\n第二行", "Pref", tags=("prefs", "#a b"), source="run-1")
    found = journal.record(draft, NOW, PATH)
    assert found.text == "- 2026-02-24T10:22:33Z [pref] 用户偏好：精简 第二行 #prefs #a-b (source=run-1)"
    assert (found.header, found.key) == ("", "")
    (entry,) = read(found.text.encode(), "journal", PATH)
    assert (entry.text, entry.kind, entry.tags, entry.source) == (
        "用户偏好：精简 第二行",
        "pref",
        ("prefs", "a-b"),
        "run-1",
    )
    assert entry.created == NOW
    assert journal.record(Draft("x", "no [such]"), NOW, PATH).text == "- 2026-02-24T10:22:33Z [note] x"
    with pytest.raises(RefusedError):
        journal.record(Draft(" \n\0"), NOW, PATH)


@pytest.mark.parametrize("form", ["journal", "hours"])
def test_until_when_it_holds_is_not_lost(form: str) -> None:
    found = format_named(form).record(Draft("冻结发布", "note", expires=NOW + 40 * 86400), NOW, PATH)
    entries = read(f"{found.header}{found.text}\n".encode(), "journal", PATH)
    (entry,) = (entry for entry in entries if "冻结发布" in entry.text)
    assert entry.text.endswith("冻结发布")
    assert entry.expires is not None
    assert abs(entry.expires - (NOW + 40 * 86400)) < 2 * 86400


def test_a_line_is_a_duplicate_whatever_its_time_and_source() -> None:
    data = b"# day\n- 2026-02-24T01:00:00Z [pref] Use  RG first #b #a (source=run-9)\r\n"
    assert journal.find_duplicate(data, Draft("use rg first", "pref", tags=("a", "b"))) == 2
    assert journal.find_duplicate(data, Draft("use rg first", "note", tags=("a", "b"))) == 0
    assert journal.find_duplicate(data, Draft("use rg first", "pref", tags=("a",))) == 0
    assert journal.find_duplicate(b"", Draft("x")) == 0


def test_a_line_is_not_welded_to_a_torn_one() -> None:
    data = b"- 2026-02-24T01:00:00Z [no"
    new = splice_pieces(data, journal.add(data, Draft("x"), NOW, PATH).pieces)
    assert new == data + b"\n- 2026-02-24T10:22:33Z [note] x"
    data = b"- one\r\n- two\r\n"
    assert splice_pieces(data, journal.add(data, Draft("x"), NOW, PATH).pieces).endswith(b"[note] x\r\n")


def test_a_person_edits_a_journal_line_by_line() -> None:
    data = b"- 2026-02-24T01:00:00Z [pref] old #a (source=run-9)\n- 09:15 tea\n"
    first, second = read(data, "journal", PATH)
    assert splice_pieces(data, journal.change(data, first, {"text": "new"}, NOW)) == data.replace(
        b"old", b"new"
    )
    assert splice_pieces(data, journal.change(data, second, {"text": "coffee"}, NOW)) == data.replace(
        b"tea", b"coffee"
    )
    gone = splice_pieces(data, journal.mark(data, first, Status.ARCHIVED, NOW))
    assert gone.split(b"\n")[0].endswith(b"(source=run-9) (archived 2026-02-24)")
    assert splice_pieces(data, journal.remove(data, first)) == b"- 09:15 tea\n"


def test_notes_by_the_hour_have_their_header_and_heading() -> None:
    found = hours.record(
        Draft("选择 JWT", "decision", title="项目: demo", source="s-1"), NOW, "daily/2026-02-24.md"
    )
    assert found.header == "# 2026-02-24\n\n> 自动生成的每日开发笔记\n"
    assert found.text == "\n## 10:22 - 项目: demo\n- **决策**: 选择 JWT (source=s-1)"
    whole = f"{found.header}{found.text}\n"
    (entry,) = read(whole.encode(), "journal", "daily/2026-02-24.md")
    assert (entry.kind, entry.created, entry.extra["project"]) == ("decision", NOW - 33, "demo")
    assert (
        splice_pieces(
            b"",
            hours.add(b"", Draft("选择 JWT", "decision", title="项目: demo", source="s-1"), NOW, PATH).pieces,
        )
        == whole.encode()
    )


def test_every_format_has_every_function() -> None:
    for name in ("markdown", "journal", "hours", "topic"):
        found = format_named(name)
        assert all(callable(getattr(found, verb)) for verb in ("add", "record", "change", "mark", "remove"))
