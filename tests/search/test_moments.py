"""Times that a text names, and what only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core import clock
from memtui.search.times import find_time_mentions, parse_time

NOW = "2026-11-21T15:00:00Z"  # a Saturday


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)


def spans(text: str) -> list[str]:
    """Each span as first..last day, a '!' behind those that say their year."""
    return [
        f"{clock.format_day(one.start)}..{clock.format_day(one.end - 1)}{'!' * one.explicit}"
        for one in find_time_mentions(text, clock.now())
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What did I do in May 2023?", "2023-05-01..2023-05-31!"),
        ("on 7 May 2023 we", "2023-05-07..2023-05-07!"),
        ("the 7th of May, 2023", "2023-05-07..2023-05-07!"),
        ("May 7, 2023", "2023-05-07..2023-05-07!"),
        ("March of last year", "2025-03-01..2025-03-31"),
        ("in March", "2026-03-01..2026-03-31"),
        ("in december", "2025-12-01..2025-12-31"),
        ("on March 3rd", "2026-03-03..2026-03-03"),
        ("Feb 29", "2024-02-29..2024-02-29"),
        ("2026-02", "2026-02-01..2026-02-28!"),
        ("seen 2026-02-11T10:00", "2026-02-11..2026-02-11!"),
        ("last week", "2026-11-09..2026-11-15"),
        ("the week before last", "2026-11-02..2026-11-08"),
        ("past two weeks", "2026-11-07..2026-11-21"),
        ("last 3 days", "2026-11-18..2026-11-21"),
        ("yesterday", "2026-11-20..2026-11-20"),
        ("the day before yesterday", "2026-11-19..2026-11-19"),
        ("two weeks ago", "2026-11-02..2026-11-08"),
        ("a month ago", "2026-10-01..2026-10-31"),
        ("a few days ago", "2026-11-14..2026-11-19"),
        ("last Saturday", "2026-11-14..2026-11-14"),
        ("on Thursday", "2026-11-19..2026-11-19"),
        ("last weekend", "2026-11-14..2026-11-15"),
        ("last summer", "2026-06-01..2026-08-31"),
        ("summer of 2025", "2025-06-01..2025-08-31!"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("Q1 2026", "2026-01-01..2026-03-31!"),
        ("the first half of 2025", "2025-01-01..2025-06-30!"),
        ("back in 2023", "2023-01-01..2023-12-31!"),
        ("last year", "2025-01-01..2025-12-31"),
        ("上周说的", "2026-11-09..2026-11-15"),
        ("上周三", "2026-11-11..2026-11-11"),
        ("上個禮拜", "2026-11-09..2026-11-15"),
        ("上週末", "2026-11-14..2026-11-15"),
        ("星期五", "2026-11-20..2026-11-20"),
        ("去年三月", "2025-03-01..2025-03-31"),
        ("五月七日", "2026-05-07..2026-05-07"),
        ("12月25号", "2025-12-25..2025-12-25"),
        ("十二月二十五日", "2025-12-25..2025-12-25"),
        ("2023年5月7號", "2023-05-07..2023-05-07!"),
        ("二〇二三年五月", "2023-05-01..2023-05-31!"),
        ("前天", "2026-11-19..2026-11-19"),
        ("大前天", "2026-11-18..2026-11-18"),
        ("三天前", "2026-11-18..2026-11-18"),
        ("两个星期前", "2026-11-02..2026-11-08"),
        ("３個月前", "2026-08-01..2026-08-31"),
        ("最近一周", "2026-11-14..2026-11-21"),
        ("过去两个月", "2026-09-22..2026-11-21"),
        ("上个月", "2026-10-01..2026-10-31"),
        ("今年春天", "2026-03-01..2026-05-31"),
        ("去年下半年", "2025-07-01..2025-12-31"),
        ("2026年第一季度", "2026-01-01..2026-03-31!"),
        ("2023年的事", "2023-01-01..2023-12-31!"),
    ],
)
def test_times_in_both_languages(text: str, wanted: str) -> None:
    assert spans(text) == [wanted]


@pytest.mark.parametrize(
    "text",
    [
        "I may have to march on", "the last may fail", "this may be it", "may 7 be", "3 may fail", "sun and sat",
        "next monday", "every monday", "mondays", "in 2000 ms", "v2026.02", "2026-13", "2026-02-30",
        "daily/2026-02-01.md", "1.2026-02", "spring boot", "fall back", "9999 years ago", "in a second",
        "三个月", "年前", "十三月", "下周",
        "每周一次", "下个月", "一周一次", "dec 0x12", "mar", "12:30", "port 2023", "",
    ],
)  # fmt: skip
def test_what_is_no_time(text: str) -> None:
    assert spans(text) == []


def test_several_in_their_order_and_as_they_stand() -> None:
    found = find_time_mentions("去年三月和 yesterday，還有上個月", clock.now())
    assert [one.text for one in found] == ["去年三月", "yesterday", "上個月"]


def test_a_time_as_typed() -> None:
    assert parse_time("2026-02") == clock.parse("2026-02-01")
    assert parse_time("2026-02", end=True) == clock.parse("2026-03-01")
    assert parse_time("2025", end=True) == clock.parse("2026-01-01")
    assert parse_time("last week") == clock.parse("2026-11-09")
    assert parse_time("上周", end=True) == clock.parse("2026-11-16")
    assert parse_time("20260201", end=True) == clock.parse("2026-02-02")
    assert parse_time("March 3") == clock.parse("2026-03-03")
    assert parse_time("7d") == clock.now() - 7 * 86400
    assert parse_time("soon") is None
    assert parse_time("meeting last week") is None


PARTS = [*"零一十两几半年月日号周天前上去个 0239", "may ", "last ", " ago", "9999", " weeks", "99月", "Q5"]


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
)  # fmt: skip
def test_any_text_will_do(text: str) -> None:
    for one in find_time_mentions(text, clock.now()):
        assert one.start < one.end
        assert one.text in text
    parse_time(text)
    parse_time(text, end=True)


def test_any_length_will_do() -> None:
    for text in ("十" * 100_000, "last " * 20_000, "2026-" * 20_000, "一" * 50_000 + "年", " " * 100_000):
        began = time.process_time()
        find_time_mentions(text, clock.now())
        assert time.process_time() - began < 0.5
