"""Home counts what there is and shows what was chosen to be seen."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from memtui.core import clock
from memtui.core.model import Layer, Memory, Status
from memtui.store.vault import Vault
from memtui.tui.app import MemtuiApp
from memtui.tui.calendar import Day
from memtui.tui.home_model import FEW, PAGES, PAST
from memtui.tui.row_list import Fixed, Rows
from tests.tui.conftest import Desk, fill_boxes, filled, list_shown, running
from tests.tui.fake_vault import NOON, NOTES, SHOP, FakeVault, memory, shop


async def test_what_no_longer_holds_is_shown_and_counted_when_asked_for(vault: FakeVault) -> None:
    async with filled(vault, (120, 48)) as desk:
        assert "Facts · L1 · 9" in desk.text()
        assert "→ fact-041" not in desk.text()
        await desk.press("full_stop")
        assert "Facts · L1 · 12" in desk.text()
        assert "→ fact-041" in desk.text()
        assert "9 active · 2 superseded · 1 archived" in desk.text()
        await desk.press("full_stop")
        assert "Facts · L1 · 9" in desk.text()


async def test_a_count_changes_though_no_row_on_the_screen_does(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"fact {n}", "big.jsonl", n, Layer.KNOWLEDGE, "fact", created=NOON - n) for n in range(1, FEW + 200)
    ]
    async with filled(vault) as desk:
        vault.change(vault.memories_[:-1])
        await desk.settled()
        assert f"Facts · L1 · {FEW + 198}" in desk.text()


async def test_what_is_not_shown_is_counted(vault: FakeVault) -> None:
    vault.memories_ = [memory(f"x {n}", f"memory/{n:02}.md", 1, Layer.CORE, "note") for n in range(60)]
    async with filled(vault) as desk:
        rows = desk.main.query_one("#home-profile", Rows)
        shown = sum(isinstance(item, Memory) for item in rows.items)
        assert rows.items[-1].left[0][0] == f"   … and {60 - shown} more"


async def test_the_fullest_budget_is_shown_with_whose_it_is(vault: FakeVault) -> None:
    vault.memories_ = [
        *shop(),
        memory("last", "MEMORY.md", 238, Layer.CORE, "note", home=NOTES, heading=("Rules",)),
        memory("more", "notes/MEMORY.md", 9, Layer.CORE, "note", home=SHOP, heading=("Rules",)),
    ]
    async with filled(vault) as desk:
        assert "~/.claude/memory MEMORY.md 238 / 200 lines" in desk.text()
        for width in (120, 80, 60):
            await desk.pilot.resize_terminal(width, 72)
            await desk.settled()
            assert "over: the rest is not read" in desk.text() or width < 80


async def test_what_an_empty_box_says_is_said_whole() -> None:
    for size in ((120, 36), (80, 24), (60, 24)):
        async with running(FakeVault([]), size) as desk:
            told = ""
            for rows in desk.main.query(Rows):
                lines = [rows.render_line(y).text.strip() for y in range(rows.size.height)]
                told += " ".join(lines) + "\n"
        assert "`memtui homes` says where they are looked for." in told
        assert "↵ installs hooks, B analyzes past ones." in told


async def test_plans_and_releases_are_on_the_timeline_one_row_each(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(text, f"plan/202512112241_test-warnings/{name}.md", 4, Layer.KNOWLEDGE, "note", created=NOON - 300)
            for text, name in (("测试输出大量警告", "why"), ("mock the clock", "how"))
        ),
        memory(
            "swap the bundler", "archive/2025-12/202512011000_new_bundler/proposal.md", 5, Layer.KNOWLEDGE, "note",
            created=NOON - 900, status=Status.ARCHIVED, heading=("变更提案: 换打包工具",),
        ),
        *(
            memory(f"change {n}", "CHANGELOG.md", n, Layer.KNOWLEDGE, "event", created=NOON - 500,
                   heading=("Changelog", "[1.2.0]", "Added"))
            for n in range(5, 9)
        ),
        memory("补齐文档", "CHANGELOG.md", 3, Layer.KNOWLEDGE, "event", heading=("Changelog", "[Unreleased]", "变更")),
    ]  # fmt: skip
    async with filled(vault) as desk:
        shown = [item.text for item in desk.main.query_one("#home-timeline", Rows).items if isinstance(item, Memory)]
        assert shown == ["补齐文档", "测试输出大量警告", "change 5", "swap the bundler"]
        assert "Timeline · L2 · 4" in desk.text()
        assert re.search(r"test warnings +plan", desk.text())
        assert re.search(r"换打包工具 +plan", desk.text())


async def test_a_zoomed_timeline_shows_more_of_each_day_and_says_what_is_left(vault: FakeVault) -> None:
    said = itertools.product(("the parser", "our cache", "her build", "a queue"), ("broke", "grew", "slept"))
    days = [NOON - day * 86400 for day in (1, 2, 3)]
    vault.memories_ = [
        memory(" ".join(words), f"memory/{clock.format_day(day)}.md", n, Layer.JOURNAL, "note", created=day)
        for n, words in enumerate(said, 1)
        for day in days
    ]
    async with filled(vault, (120, 36)) as desk:
        rows = desk.main.query_one("#home-timeline", Rows)
        few = list_shown(desk, "timeline")
        assert 12 <= len(few) < 36 and rows.items[-1].key == "timeline:more"
        assert f"… and {36 - len(few)} more" in "".join(text for text, _style in rows.items[-1].left)
        rows.focus()
        await desk.press("z")
        await fill_boxes(desk)
        assert len(list_shown(desk, "timeline")) > len(few)
        await desk.press("escape")
        await fill_boxes(desk)
        assert len(list_shown(desk, "timeline")) == len(few)


async def test_of_many_sessions_no_more_are_read_than_some_pages_show(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"session {n}", f"sessions/s{n}.md", 1, Layer.SESSION, "session", created=NOON - n * 86400)
        for n in range(200)
    ]
    async with filled(vault) as desk:
        rows = desk.main.query_one("#home-timeline", Rows)
        shown = [item.text for item in rows.items if isinstance(item, Memory)]
        assert shown[: rows.size.height] == [f"session {n}" for n in range(rows.size.height)]
        assert len(shown) == max(PAST, PAGES * rows.size.height)


async def test_what_is_left_out_is_told_with_the_key_that_shows_it(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact"),
        *(
            memory(f"旧方案 {n}", "archive/old.md", n, Layer.KNOWLEDGE, "note", status=Status.ARCHIVED)
            for n in range(1, 4)
        ),
        memory("say please", "skills/polite/SKILL.md", 1, Layer.KNOWLEDGE, "note", status=Status.SKILL),
    ]
    async with filled(vault) as desk:
        assert "4 hidden (.): archived, skill" in desk.text()
        await desk.press("2")
        assert "Facts · All · 1 " in desk.text()
        assert "4 hidden (.): archived, skill" in desk.text()
        await desk.press("full_stop")
        assert "Facts · All · 5 " in desk.text()
        assert "left out" not in desk.text()


def noted(day: str, number: int, section: str, text: str, kind: str = "note", name: str = "") -> Memory:
    """A note of a day that names no hour."""
    path = f"memory/{day}{name}.md"
    heading = (f"{day} 日记", section)
    moment = clock.parse(day)
    return memory(text, path, number, Layer.JOURNAL, kind, heading=heading, created=moment)


@pytest.mark.parametrize("rules", [3, 7])
async def test_a_profile_of_a_few_rows_leaves_its_room_to_the_days(vault: FakeVault, rules: int) -> None:
    vault.memories_ = [
        *(memory(f"the rule of thumb number {n}", "MEMORY.md", n, Layer.CORE, "rule") for n in range(1, rules + 1)),
        *(memory(f"the port of service {n} is 80{n:02}", "ports.md", n, Layer.KNOWLEDGE, "fact") for n in range(1, 9)),
        *(noted("2026-11-20", n, "经过", f"第 {n} 步") for n in range(3, 30)),
    ]
    async with filled(vault) as desk:
        profile, days = (desk.main.query_one(f"#home-{name}", Rows) for name in ("profile", "timeline"))
        assert len([row for row in profile.items if isinstance(row, Memory)]) == rules
        if rules == 3:
            assert profile.size.height == 4
            assert days.size.height > 3 * profile.size.height
        else:
            assert profile.size.height > days.size.height
        # What has room now is chosen for it.
        assert len(list_shown(desk, "timeline")) >= days.size.height


async def test_a_busy_day_leaves_room_for_the_day_before(vault: FakeVault) -> None:
    days = ("2026-11-18", "2026-11-19", "2026-11-20")
    vault.memories_ = [
        *(memory(f"the rule of thumb number {n}", "MEMORY.md", n, Layer.CORE, "rule") for n in range(1, 7)),
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact"),
        *(noted(day, n, "经过", f"第 {n} 步") for day in days for n in range(3, 30)),
        noted("2026-11-20", 2, "经过", "用户询问端口"),
        noted("2026-11-20", 40, "心情", "愉快的一天"),
        noted("2026-11-20", 50, "待办", "换证书", "todo"),
        noted("2026-11-20", 3, "方法", "先看日志再改", "lesson", "-debugging"),
    ]  # fmt: skip
    async with filled(vault) as desk:
        shown = [(one.path[7:-3], one.start) for one in list_shown(desk, "timeline")]
        # A file in turn and in each a section, first those that say what to do.
        assert shown[:4] == [("2026-11-20", 3), ("2026-11-20", 40), ("2026-11-20", 50), ("2026-11-20-debugging", 3)]
        assert shown[4:8] == [("2026-11-19", n) for n in range(3, 7)]
        # In few rows each names its day, where another stands above it.
        fixed = [item.key for item in desk.main.query_one("#home-timeline", Rows).items if isinstance(item, Fixed)]
        assert fixed == ["timeline:more"]
        assert f"Timeline · L2 · {27 * 3 + 4}" in desk.text()


async def test_a_machines_records_of_a_day_wait_for_what_was_written(vault: FakeVault) -> None:
    """What each hour says again with other numbers, or in the same short field, is no news."""
    hours = [f"检查 ({hour}:00)" for hour in (9, 12, 15)]
    vault.memories_ = [
        *(
            noted("2026-11-20", 10 * at + line, hour, text)
            for at, hour in enumerate(hours)
            for line, text in enumerate((
                f"库存: {at}17 袋面粉，{at}4.5 升牛奶在冷库里", "Feed state: " + ("ok", "slow", "gone")[at],
            ))
        ),
        noted("2026-11-20", 60, "经过", "店主决定周日不再开门"),
    ]  # fmt: skip
    async with filled(vault) as desk:
        assert list_shown(desk, "timeline")[0].text == "店主决定周日不再开门"


async def test_readings_of_gauges_are_folded_unless_a_day_has_nothing_else(vault: FakeVault) -> None:
    gauges = ["当前使用率: 19.6% ✅", "消息数: 98 条", "**Size:** 3.2 MB", "Warnings so far: 17"]
    vault.memories_ = [
        *(noted("2026-11-20", n, "Gauges", text) for n, text in enumerate(gauges, 1)),
        noted("2026-11-20", 9, "Work", "Moved the shelf: 3 of its doors jam"),
        *(noted("2026-11-19", n, "Gauges", text) for n, text in enumerate(gauges, 1)),
    ]
    async with filled(vault) as desk:
        shown = [one.text for one in list_shown(desk, "timeline")]
        assert shown == ["Moved the shelf: 3 of its doors jam", gauges[0]]


async def test_the_row_under_the_cursor_stays_on_its_day(vault: FakeVault) -> None:
    lines = [noted("2026-11-20", n, "经过", f"第 {n} 步") for n in range(3, 60)]
    vault.memories_ = lines[:6]
    async with filled(vault) as desk:
        timeline = desk.main.query_one("#home-timeline", Rows)
        timeline.focus()
        await desk.press("end")
        held = timeline.current
        earlier = [noted("2026-11-20", n, "早上", f"清晨 {n}") for n in range(1, 3)]
        vault.change([*earlier, *lines])
        await desk.settled()
        assert timeline.current.id == held.id


async def test_a_plan_is_shown_by_its_proposal_and_counted_once(vault: FakeVault) -> None:
    folder = "plan/202511201010_new-queue"
    vault.memories_ = [
        memory("队列会丢消息", f"{folder}/proposal.md", 4, Layer.SESSION, "plan", created=NOON),
        memory("1.1 换库", f"{folder}/tasks.md", 4, Layer.KNOWLEDGE, "todo", created=NOON),
        memory("1.1 换库", "plan/20251120_new-queue/tasks.md", 4, Layer.KNOWLEDGE, "todo", created=NOON),
    ]  # fmt: skip
    async with filled(vault) as desk:
        assert [one.text for one in list_shown(desk, "timeline")] == ["队列会丢消息"]
        assert "Timeline · L2 · 1 " in desk.text()


async def test_a_box_without_rows_leaves_its_room(vault: FakeVault) -> None:
    vault.memories_ = [
        *(memory(f"rule {n}", "MEMORY.md", n, Layer.CORE, "note", heading=("m", f"part {n}")) for n in range(1, 12)),
        noted("2026-11-20", 3, "经过", "换了端口"),
    ]  # fmt: skip
    async with filled(vault) as desk:
        tall = desk.main.query_one("#home-timeline", Rows).size.height
        # No facts, nothing learnt: what there is has the height.
        assert tall > 2 * desk.main.query_one("#home-facts", Rows).size.height
        vault.change([*vault.memories_, memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact")])
        await fill_boxes(desk)
        assert desk.main.query_one("#home-timeline", Rows).size.height < tall


async def test_where_there_are_no_sessions_to_learn_from_one_row_says_so(tmp_path: Path) -> None:
    home = tmp_path / "desk"
    (home / "memory").mkdir(parents=True)
    for name, kind in (("SOUL.md", "Soul"), ("MEMORY.md", "Memory"), ("memory/2026-11-20.md", "2026-11-20")):
        (home / name).write_text(f"# {kind}\n\n- {kind}: the bakery opens at six and closes at noon\n")
    (home / "memory/ovens.md").write_text("# Ovens\n\n- The large oven needs an hour to be warm enough\n")
    with Vault.open([home]) as real:
        app = MemtuiApp(real, real.config)
        async with app.run_test(size=(120, 36)) as pilot:
            desk = Desk(app, pilot)
            await desk.settled()
            await fill_boxes(desk)
            learnt = desk.main.query_one("#home-evolution", Rows)
            facts, days = (desk.main.query_one(f"#home-{name}", Rows) for name in ("facts", "timeline"))
            assert learnt.size.height == 1 and learnt.render_line(0).text.strip().endswith("↵ installs hooks.")
            assert facts.size.height >= 20 and days.size.height >= 5


async def test_a_machines_records_leave_a_day_to_what_was_done(vault: FakeVault) -> None:
    vault.memories_ = [
        *(noted("2026-11-20", n, f"run {n}", "tasks: summarize") for n in range(3, 30)),
        noted("2026-11-20", 40, "经过", "换了端口"),
        noted("2026-11-19", 3, "经过", "装了服务器"),
        noted("2026-11-19", 4, "经过", "Start: 20:43"),
    ]
    async with filled(vault) as desk:
        rows = [one.text for one in list_shown(desk, "timeline")]
        assert rows == ["换了端口", "装了服务器", "Start: 20:43"]


async def test_a_rule_with_a_condition_says_first_what_it_is_about(vault: FakeVault) -> None:
    text = "**条件**: 收到退出信号时\n**行为**: 先关闭 `api`\n**结果**: 不丢请求"
    vault.memories_ = [memory(text, "kb/api.md", 4, Layer.KNOWLEDGE, "rule", heading=("api", "规范", "优雅退出"))]
    async with filled(vault) as desk:
        assert "优雅退出: 先关闭 api" in desk.text()


async def test_what_is_not_released_leaves_room_to_days(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(f"change {n}", "CHANGELOG.md", n, Layer.KNOWLEDGE, "event",
                   heading=("Changelog", "[Unreleased]", f"Kind {n}"))
            for n in range(3, 9)
        ),
        memory("steps", "plan/202606010900_queue/tasks.md", 3, Layer.KNOWLEDGE, "event", created=NOON),
        memory("jobs are lost", "plan/202606010900_queue/why.md", 3, Layer.SESSION, "plan", created=NOON - 60),
        memory("换了端口", "CHANGELOG.md", 20, Layer.KNOWLEDGE, "event", created=NOON, heading=("Changelog", "1.0")),
    ]  # fmt: skip
    async with filled(vault) as desk:
        assert [one.text for one in list_shown(desk, "timeline")] == [
            "change 3",
            "change 4",
            "换了端口",
            "jobs are lost",
        ]
    async with filled(vault, (120, 90)) as desk:
        assert "not released yet" in str(desk.main.query_one("#home-timeline", Rows).items[0])


async def test_what_the_person_asked_for_stands_first_on_its_day(vault: FakeVault) -> None:
    vault.memories_ = [
        *(noted("2026-11-20", n, "经过", f"第 {n} 步换了端口") for n in range(3, 12)),
        noted("2026-11-20", 12, "经过", "用户明确要求先给方案"),
    ]
    async with filled(vault) as desk:
        assert "用户明确要求先给方案" in [one.text for one in list_shown(desk, "timeline")]


def test_what_sums_up_a_day_stands_first_on_it() -> None:
    day = "2026-11-20"
    told = Day([
        noted(day, 4, "Crons", "the third run of the copy was completed"),
        noted(day, 9, "Daily Summary", "a quiet day, the shop is as it was"),
        noted(day, 12, "Daily Summary", "the same three things are open"),
    ])  # fmt: skip
    assert [one.start for one in told.choose(2, "")[0]] == [9, 4]


async def test_a_day_is_told_by_its_own_file_and_by_what_came_of_it(vault: FakeVault) -> None:
    day = "2026-11-20"
    own = [
        noted(day, 3, "Morning", "we talked about the shop at length"),
        noted(day, 4, "Morning", "the weather was good all along"),
        noted(day, 8, "Reading", "a list of tools that others use"),
        noted(day, 12, "Shop", "the payment failed as the key was old"),
    ]
    vault.memories_ = [
        *(noted(day, n, "News", f"product {n} is new on the market", "note", "-news") for n in range(1, 300)),
        *own,
    ]
    told = Day()
    told.notes = own
    assert [one.start for one in told.choose(2, "")[0]] == [3, 12]
    async with filled(vault) as desk:
        texts = {one.text for one in list_shown(desk, "timeline")}
        assert {one.text for one in own} <= texts


async def test_rows_of_a_home_that_several_agents_share_say_whose_they_are(vault: FakeVault) -> None:
    def facts(*agents: str) -> list[Memory]:
        return [
            memory(f"fact {n} of {agent}", f"workspace-{agent}/memory/topics.md", n, Layer.KNOWLEDGE, "fact", home=SHOP)
            for agent in agents
            for n in (1, 2)
        ]

    vault.memories_ = facts("pm", "qa")
    async with filled(vault) as desk:
        rows = [line for line in desk.lines() if "fact 1 of " in line]
        assert len(rows) == 2
        assert all(line.split("fact 1 of ")[1].split()[:2] in (["pm", "pm"], ["qa", "qa"]) for line in rows)
        vault.change(facts("pm"))
        await desk.settled()
        # One agent alone need not be told.
        assert not any("of pm  pm" in " ".join(line.split(" ")) for line in desk.lines())
