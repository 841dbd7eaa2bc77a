"""One thing's one measure, told with two values: clause by clause, and never of two things."""

from __future__ import annotations

import pytest

from memtui.core.model import Layer, Memory
from memtui.review.contradictions import find_contradictions
from memtui.review.measures import compare_measures, find_measures
from tests.curation.facts_of import fact


def kept(text: str, path: str, days: float | None = None, **more: object) -> Memory:
    layer = more.pop("layer", Layer.KNOWLEDGE)
    return fact(text, days, layer=layer, path=path, kind="note", **more)  # type: ignore[arg-type]


def found(*memories: Memory) -> list[tuple[str, str, str]]:
    return [(one.newer.path, one.older.path, one.reason) for one in find_contradictions(memories)]


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        (
            "Pages of the shop:\n- Smallest label text: 18px (never less!)\n- Titles are bold",
            "**Text:**\n- Smallest label text: **20px** — nothing below, ever\n- Captions: italic",
            "18px → 20px",
        ),
        ("定时：\n- ✅ 植物养护周报（每周三9:00）", "清单：\n- **每周六 9:00 植物养护周报**", "每周三 → 每周六"),
        ("The sensor probe runs every 15 min", "The sensor probe runs every 2 hours", "every 15 min → every 2 hours"),
        ("The library has 1204 tests - run them", "Run all 1,931 tests before a release", "1204 → 1,931"),
    ],
)  # fmt: skip
def test_values_within_longer_texts(older: str, newer: str, reason: str) -> None:
    was, now = kept(older, "notes/a.md", 9), kept(newer, "TOOLS.md", 2, layer=Layer.CORE)
    assert found(was, now) == [("TOOLS.md", "notes/a.md", reason)]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The mail queue retries for 30 seconds", "The print queue retries for 60 seconds"),
        ("Titles of the shop use 20px and 24px", "Titles of the shop use 18px"),
        ("Worker 3 of the garden probe runs every 15 minutes", "Worker 4 of the garden probe runs every 2 hours"),
        ("The login page has 12 tests", "The search page has 18 tests"),
        ("`npm test` came to 120 passing tests", "41 of 130 tests fail on Windows"),
        ("植物养护周报（每周三9:00）", "菜谱整理周报（每周六9:00）"),
        ("2026-02-01 the garden sensor probe ran for 15 minutes", "2026-02-02 the garden sensor probe ran for 2 hours"),
    ],
)  # fmt: skip
def test_of_two_things(one: str, two: str) -> None:
    assert not found(kept(one, "notes/a.md", 9), kept(two, "TOOLS.md", 2, layer=Layer.CORE))


def test_logs_and_pages_of_one_folder_are_no_witness() -> None:
    was, now = "Smallest label text: 18px", "Smallest label text: 20px"
    assert not found(kept(was, "CHANGELOG.md", 9), kept(now, "TOOLS.md", 2, layer=Layer.CORE))
    assert not found(kept("Cache size limit: 5 MB", "modules/a.md"), kept("Cache size limit: 9 MB", "modules/b.md"))
    days = {"layer": Layer.JOURNAL}
    one, two = "memory/2026-02-01.md", "memory/2026-02-03.md"
    assert not found(kept(was, one, 9, **days), kept(now, two, 2, **days))


def test_a_change_of_the_very_value_is_the_newer_one_wherever_it_stands() -> None:
    was = kept("`SideTree` 的行高从 `22px` 下调到 `20px`，图标不变", "modules/ui.md")
    now = kept("`SideTree` 的行高又从 `20px` 下调到 `18px`，字体不变", "modules/ui.md")
    assert found(now, was) == [("modules/ui.md", "modules/ui.md", "20px → 18px")]
    assert find_contradictions([now, was])[0].older is was


def test_what_a_day_told_was_so_on_that_day() -> None:
    day = kept("Smallest label text: 18px", "memory/2026-02-01.md", 28, layer=Layer.JOURNAL)
    page = kept("Smallest label text: 20px", "TOOLS.md", layer=Layer.CORE)
    assert not found(day, page)
    # Of a newer day the page knows nothing yet.
    day = kept("Smallest label text: 18px", "memory/2026-02-09.md", 1, layer=Layer.JOURNAL)
    page = kept("Smallest label text: 20px", "TOOLS.md", 28, layer=Layer.CORE)
    assert found(day, page)


def test_what_a_clause_measures() -> None:
    (one,) = find_measures("心跳检查的间隔从 2 小时调整为 6 小时")
    assert (one.kind, one.value, one.old) == ("time", "21600", "7200")
    assert not find_measures("between 5 MB and 9 MB of cache size")
    assert [one.value for one in find_measures("The preview listens on port 4100")] == ["4100"]


def test_of_two_counts_of_tests_the_greater_is_the_newer_one() -> None:
    more = kept("Run all 1,931 tests before a release", "notes/a.md")
    less = kept("The library has 1204 tests - run them", "notes/b.md")
    assert found(more, less) == found(less, more) == [("notes/a.md", "notes/b.md", "1204 → 1,931")]


def test_what_a_finished_step_counted_was_so_then() -> None:
    more = kept("Run all 1,931 tests before a release", "notes/a.md")
    assert not found(kept("**Step 2 DONE:** the tray is seeded. All 1204 tests are green.", "notes/b.md"), more)


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("`seedTray` sends `soil_check`, default `true`", "`seedTray`: `soil_check`; default: `false`", "true → false"),
        ("At night (22:00-06:00) really urgent things", "Quiet: 22:00-07:00, really urgent ones", "06:00 → 07:00"),
        ("夜间免打扰 22:00-06:00", "免打扰时段：22:00-07:00", "06:00 → 07:00"),
    ],
)  # fmt: skip
def test_a_setting_and_a_span_of_hours(older: str, newer: str, reason: str) -> None:
    was, now = kept(older, "notes/a.md", 9), kept(newer, "TOOLS.md", 2, layer=Layer.CORE)
    assert found(was, now) == [("TOOLS.md", "notes/a.md", reason)]


def test_how_many_there_are_in_all_within_one_document() -> None:
    first = kept("A release passes all eight gates", "rules/gates.md", 9, heading=("Gates",))
    last = kept("See that all seven gates are covered", "rules/gates.md", 2, heading=("Gates", "How"))
    assert [reason for _newer, _older, reason in found(first, last)] == ["8 → 7"]
    listed = [
        kept(f"**{name}**: read, all {many} items kept", "rules/gates.md", 9, heading=("Gates",))
        for name, many in (("Gardens", 12), ("Kilns", 14))
    ]
    assert not found(*listed)
    elsewhere = kept("All seven gates of the garden are shut", "rules/garden.md", 2)
    assert not found(first, elsewhere)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("`seedTray` sends `soil_check`, default `true`", "`waterTray` sends `soil_check`, default `false`"),
        ("`seedTray` has `enabled`, default `true`", "`seedTray` has `enabled`, default `false`"),
        ("The shop is open 09:00-18:00", "The kiln burns 09:00-12:00"),
        ("Fired the kiln 15:01-15:06", "Fired the kiln 15:01-15:04"),
        # Of a day in two parts each has its own end.
        ("温室市场 09:30-16:00", "温室工作日 09:30-12:00 / 13:00-16:00"),
    ],
)
def test_settings_and_hours_of_other_things(one: str, two: str) -> None:
    assert not found(kept(one, "notes/a.md", 9), kept(two, "notes/b.md", 2))


def test_what_is_noted_beside_a_command_counts_the_tests_too() -> None:
    told = fact("npm test        # run all 1240 tests", None, kind="note", layer=Layer.KNOWLEDGE, path="docs/run.md")
    older = fact("The project has 980 tests", None, kind="note", layer=Layer.KNOWLEDGE, path="docs/about.md")
    (found,) = compare_measures([told, older], lambda _memory: "", lambda _memory: ())
    assert found == (told, older, "980 → 1240")
