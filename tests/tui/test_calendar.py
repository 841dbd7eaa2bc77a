"""The calendar of Timeline: what it counts, where its keys lead, and that every level has a sign of its own."""

from __future__ import annotations

import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from memtui.core.model import Layer, Memory
from memtui.store.happenings import count_year
from memtui.tui import calendar
from memtui.tui.calendar import GLYPHS
from memtui.tui.panes.timeline_pane import TimelineView
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, on_home, running
from tests.tui.fake_vault import DAY, NOON, FakeVault, memory, shop

TODAY = date(2026, 11, 21)


def year() -> list[Memory]:
    """A journal line every third day of more than a year, and what `shop` has."""
    made = shop()
    for back in range(0, 500, 3):
        made.append(memory(f"note {back}", "daily/old.md", 10 + back, Layer.JOURNAL, "note", created=NOON - back * DAY))
    return made


def view(desk: Desk) -> TimelineView:
    found = desk.main.pane
    assert isinstance(found, TimelineView)
    return found


def test_days_are_counted_in_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    late = NOON + 11.9 * 3600
    found = calendar.measure_activity([late, NOON, NOON + 9 * DAY], NOON + DAY)
    assert found.days == {TODAY: 2}
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    found = calendar.measure_activity([late, NOON], NOON + DAY)
    assert found.days == {TODAY: 1, TODAY + timedelta(1): 1}
    assert calendar.start(TODAY) == NOON - 20 * 3600


def test_what_is_still_to_come_today_counts_as_the_list_shows_it() -> None:
    found = calendar.measure_activity([NOON + 3600, NOON, NOON + 12 * 3600 - 1, NOON + 12 * 3600], NOON)
    assert found.days == {TODAY: 3}


def test_levels_grow_with_the_count_and_one_mad_day_does_not_flatten_the_others() -> None:
    times = [NOON - day * DAY - second for day in range(40) for second in range(1 + day % 4)]
    found = calendar.measure_activity([*times, *(NOON - 50 * DAY - n for n in range(900))], NOON + 60)
    levels = [found.level(TODAY - timedelta(back)) for back in range(4)]
    assert levels == sorted(set(levels))
    assert found.level(TODAY - timedelta(50)) == 4
    assert found.level(TODAY - timedelta(45)) == 0
    assert found.most == (TODAY - timedelta(50), 900)
    assert found.run == 40
    assert len(set(GLYPHS)) == 5


async def test_the_calendar_leads_to_a_day_and_back() -> None:
    async with running(FakeVault(year())) as desk:
        await desk.press("3")
        before = desk.rows()
        held = before.held
        await desk.press("C")
        assert "2026-11-21 Sat" in desk.text()
        assert "[" in desk.text()
        await desk.press("k", "k", "h")
        calendar = view(desk).calendar
        assert calendar.day == TODAY - timedelta(2 + 7)
        assert "Timeline · 2026-11-12 Thu · 1" in desk.text()
        assert "note 9" in desk.text()
        await desk.press("enter")
        assert before.has_focus
        await desk.press("escape")
        assert calendar.has_focus
        await desk.press("escape")
        assert not calendar.display
        assert before.held == held
        assert "Timeline · Sessions" in desk.text()


async def test_a_day_without_anything_says_so() -> None:
    async with running(FakeVault(year())) as desk:
        await desk.press("3", "C")
        calendar = view(desk).calendar
        assert calendar.activity is not None
        free = next(day for back in range(20, 40) if not calendar.activity.days[day := TODAY - timedelta(back)])
        calendar.go(free)
        for _attempt in range(40):
            if "no activity on this day" in desk.text():
                break
            await desk.pilot.pause(0.05)
        assert "no activity on this day" in desk.text()


async def test_a_day_lists_as_much_as_it_counts() -> None:
    async with running(FakeVault(year())) as desk:
        await desk.press("3", "C")
        for _day in range(4):
            assert view(desk).calendar.activity is not None
            counted = view(desk).calendar.activity.days[view(desk).calendar.day]  # type: ignore[union-attr, index]
            rows = desk.rows()
            assert len(rows.items) == counted
            await desk.press("up")


@pytest.mark.parametrize("size", [(120, 36), (56, 16)])
async def test_the_ends_of_time_are_reached_and_never_left(size: tuple[int, int]) -> None:
    vault = FakeVault(year())
    async with running(vault, size) as desk:
        await desk.press("3", "C", "down", "l", "G")
        calendar = view(desk).calendar
        assert calendar.day == TODAY
        await desk.press("g")
        first = calendar.day
        assert first == TODAY - timedelta(498)
        assert "[" in "".join(calendar.render_line(1 + first.weekday()).text)
        await desk.press("pagedown", "ctrl+d", "ctrl+u", "pageup", "pageup")
        assert calendar.day is not None
        assert calendar.day <= first
        await desk.press("G")
        assert calendar.day == TODAY


async def test_no_day_is_coloured_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(FakeVault(year()), theme="ansi-dark") as desk:
        await desk.press("3", "C")
        text = desk.text()
        assert all(glyph in text for glyph in "·░█")


def test_ten_thousand_times_are_counted_at_once() -> None:
    times = [NOON - n * 3000.0 for n in range(10_000)]
    begun = time.process_time()
    calendar.measure_activity(times, NOON)
    assert time.process_time() - begun < 0.5


async def test_plans_and_releases_have_a_section_and_days_and_the_calendar_opens_where_something_was_done() -> None:
    plans = [
        memory(
            "换掉打包工具",
            f"plan/2026{month}012241_{slug}/why.md",
            4,
            Layer.KNOWLEDGE,
            "note",
            created=NOON - ago * DAY,
        )
        for month, slug, ago in (("08", "new-bundler", 90), ("07", "old-pages", 120))
    ]
    async with running(FakeVault(plans)) as desk:
        await desk.press("3")
        assert "Timeline · Plans and releases · 2" in desk.text()
        assert desk.text().index("new bundler") < desk.text().index("old pages")
        await desk.press("C")
        assert view(desk).calendar.day == TODAY - timedelta(90)
        assert "Timeline · 2026-08" in desk.text()
        assert "new bundler" in desk.text() and "old pages" not in desk.text()


async def test_plans_are_counted_in_one_section_only() -> None:
    plan = memory(
        "换掉打包工具", "plan/202608012241_new-bundler/why.md", 4, Layer.KNOWLEDGE, "note", created=NOON - DAY
    )
    kept = memory("换掉旧页面", "plan/done.md", 1, Layer.SESSION, "plan", created=NOON - 2 * DAY)
    talk = memory("a talk", "sessions/a.md", 1, Layer.SESSION, "session", created=NOON - 3 * DAY)
    async with running(FakeVault([plan, kept, talk])) as desk:
        await desk.press("3")
        keys = {item.key for item in desk.main.query_one("#sections", Rows).items}
        assert {"plans", "kind:session"} <= keys and "kind:plan" not in keys


async def test_a_calendar_that_opens_long_ago_shows_what_came_before_and_whole_names_of_months() -> None:
    old = [
        memory(f"note {back}", "daily/old.md", back, Layer.JOURNAL, "note", created=NOON - back * DAY)
        for back in range(250, 400, 3)
    ]
    async with running(FakeVault(old), (80, 24)) as desk:
        await desk.press("3", "C")
        line = next(line for line in desk.lines() if "[" in line and "Mon" not in line[:2])
        assert line.index("[") > 40
        assert "░" in line[8:40]
        for width in (78, 81, 83, 86, 90):
            await desk.pilot.resize_terminal(width, 24)
            await desk.settled()
            assert "…" not in desk.lines()[3]


@pytest.mark.parametrize("home", ["helloagents", "memtui", "openclaw", "claude"])
async def test_the_years_card_counts_what_the_calendar_counts(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-05T10:00:00Z")
    async with on_home(tmp_path, home) as desk:
        await desk.press("3")
        await desk.rest()
        pane = desk.main.pane
        assert isinstance(pane, TimelineView)
        activity = pane.calendar.activity
        year = count_year(desk.vault)
        assert activity is not None
        assert year.days == {day: n for day, n in activity.days.items() if year.first <= day <= year.last}
        assert year.busiest[1] == activity.most[1] or activity.most[0] < year.first


async def test_the_card_of_a_home_at_rest_ends_with_its_last_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2029-03-05T10:00:00Z")
    async with on_home(tmp_path, "memtui") as desk:
        year = count_year(desk.vault)
        assert year.last == max(year.days) and year.last.year < 2028
        assert (year.last - year.first).days == 364
        assert not count_year(desk.vault, 2028).days, "a year that is asked for is that year"


@pytest.mark.parametrize("size", [(120, 36), (40, 20)])
async def test_a_home_without_dates_has_no_empty_grid(size: tuple[int, int]) -> None:
    made = [memory("rule", "MEMORY.md", 3, Layer.CORE, "rule", created=None)]
    async with running(FakeVault(made), size=size) as desk:
        await desk.press("3", "C")
        text = " ".join(desk.text().replace("┃", " ").split())
        assert "Nothing here has a date" in text
        assert "o writes a line into today's journal" in text
        assert "[·]" not in text
        await desk.press("o")
        assert desk.app.screen is not desk.main, "the key that is named does something"
        await desk.press("escape", "escape")
        assert not view(desk).calendar.display
