"""When something ends: the day that is named is included, a moment is a moment, in every place where homes say it."""

from __future__ import annotations

import json

import pytest

from memtui.cli.facts_commands import parse_until as typed
from memtui.core import clock
from memtui.core.model import Entry
from memtui.formats.facts import format_fact_expiry as recorded
from memtui.formats.markdown_lines import format_item_expiry as told
from memtui.formats.records import parse_end_moment
from memtui.tui.memory_verbs import parse_expiry as asked
from tests.parse.reading import read, utc

LAST = utc(2026, 6, 15, 23, 59, 59)


@pytest.mark.parametrize("text", ["2026-06-15", " 2026-06-15 ", "2026/6/15", "2026年6月15日", "20260615"])
def test_a_day_holds_until_its_last_second(text: str) -> None:
    assert parse_end_moment(text) == LAST


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("2026-06-15T00:00", utc(2026, 6, 15)),
        ("2026-06-15 14:30", utc(2026, 6, 15, 14, 30)),
        ("2026-06-15T14:30:00+02:00", utc(2026, 6, 15, 12, 30)),
        (utc(2026, 6, 15), utc(2026, 6, 15)),
        ("9999-12-31", utc(9999, 12, 31)),
        ("2026-02-30", None),
        ("soon", None),
        (None, None),
        ("", None),
    ],
)
def test_a_moment_is_that_moment_and_no_time_is_none(value: object, at: float | None) -> None:
    assert parse_end_moment(value) == at


def test_it_is_the_local_day_even_where_clocks_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "Europe/Berlin")
    assert parse_end_moment("2026-10-25") == utc(2026, 10, 25, 22, 59, 59)
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    assert parse_end_moment("2026-10-25") == utc(2026, 10, 25, 15, 59, 59)


@pytest.mark.parametrize("now", ["2026-06-15T23:00:00", "2026-03-01T12:00:00"])
def test_what_is_written_is_read_as_the_same_end(now: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", now)
    assert told(LAST) == recorded(LAST) == "2026-06-15"
    assert typed("2026-06-15") == asked("2026-06-15") == LAST
    for at in (utc(2026, 6, 16), utc(2026, 6, 16, 9, 30)):
        assert parse_end_moment(recorded(at)) == at
        # Far ahead a bullet says no more than the day, which is never over too soon.
        assert at <= (parse_end_moment(told(at)) or 0.0) <= at + 86400
    assert clock.format_day(LAST) == "2026-06-15"


@pytest.mark.parametrize(
    ("parser", "text"),
    [
        ("markdown", "- freeze (expires: 2026-06-15)\n"),
        ("markdown", "---\nname: freeze\nexpires: 2026-06-15\n---\n\nfreeze\n"),
        ("facts", json.dumps({"facts": [{"id": "f-1", "fact": "freeze", "expires_at": "2026-06-15"}]})),
        ("daily-jsonl", json.dumps({"id": "log-1", "type": "fact", "content": "freeze", "expires_at": "2026-06-15"})),
    ],
)  # fmt: skip
def test_every_place_that_names_an_end(parser: str, text: str) -> None:
    found: list[Entry] = read(parser, text).entries
    assert {entry.expires for entry in found if entry.expires is not None} == {LAST}
