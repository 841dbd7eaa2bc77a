"""A memory with parts is one row, which unfolds in its place; its rows say what it says, without its Markdown."""

from __future__ import annotations

import pytest

from memtui.core.model import Layer, Level, Memory
from memtui.tui.paint import make_headline, name_record, strip_line
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import NOON, SHOP, FakeVault, memory


def topic() -> list[Memory]:
    """A topic file, and a fact beside it."""
    head = memory(
        "部署商店的步骤与禁忌",
        "deploy.md",
        1,
        Layer.KNOWLEDGE,
        "project",
        title="project_deploy",
        created=NOON,
        end=5,
        reach=12,
    )
    parts = [
        memory(text, "deploy.md", line, Layer.KNOWLEDGE, "project", level=Level.PART, created=NOON)
        for line, text in ((7, "Use blue and green."), (9, "**Why:** a restart drops carts"), (12, "never on Fridays"))
    ]
    other = memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact", created=NOON - 60)
    return [head, *parts, other]


def texts(desk: Desk) -> list[str]:
    rows = desk.main.pane.query_one("#list", Rows)
    return [rows.item(index).text for index in range(len(rows.items))]


async def test_a_memory_unfolds_in_its_place_and_folds_from_any_of_its_parts() -> None:
    async with running(FakeVault(topic(), (SHOP,))) as desk:
        await desk.press("2")
        assert texts(desk) == ["部署商店的步骤与禁忌", "the port is 8080"]
        assert "▸ 部署" in desk.text()
        await desk.press("l")
        assert texts(desk)[1:] == [
            "Use blue and green.", "**Why:** a restart drops carts", "never on Fridays", "the port is 8080",
        ]  # fmt: skip
        assert "▾ 部署" in desk.text()
        assert "Facts · All · 2 " in desk.text()
        assert "    Use blue" in desk.text()
        await desk.press("j", "j", "h")
        assert texts(desk) == ["部署商店的步骤与禁忌", "the port is 8080"]
        found = desk.memory()
        assert found.level is Level.MEMORY and found.reach == 12


async def test_verbs_take_the_part_under_the_cursor() -> None:
    async with running(FakeVault(topic(), (SHOP,))) as desk:
        await desk.press("2", "l", "j")
        part = desk.memory()
        assert part.text == "Use blue and green."
        # Where nothing unfolds, l goes to the text beside the list as ever.
        await desk.press("l")
        assert not desk.main.pane.middle.has_focus  # type: ignore[attr-defined]


async def test_the_text_beside_the_list_is_the_whole_memory() -> None:
    async with running(FakeVault(topic(), (SHOP,))) as desk:
        await desk.press("2")
        shown = desk.text()
        assert "部署商店的步骤与禁忌" in shown
        assert "Use blue and green." in shown
        assert "never on Fridays" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**端口**：见 [[ports]]，`8080`", "端口：见 ports，8080"),
        ("[Deploy](deploy.md) — how to", "Deploy — how to"),
        ("| table | ready | `src/` |", "table · ready · src/"),
        ("1️⃣ 先停服务", "先停服务"),
        ("🚨 **Never** push on Fridays", "Never push on Fridays"),
        ("2. restore the dump", "restore the dump"),
        ("2.5 GB is the limit", "2.5 GB is the limit"),
        ("[workspace-ui]: fixed", "[workspace-ui]: fixed"),
        ("2026-03-01 deployed", "2026-03-01 deployed"),
        ("my_very__odd__name stays", "my_very__odd__name stays"),
        ("🚀", "🚀"),
        ("session 0a1b2c3d-1111-4222-8333-0123456789ab ended", "session 0a1b2c3d… ended"),
        ("lives here,<br>and &nbsp; there", "lives here, and there"),
        ("《*数据密集型应用*》第五章", "《数据密集型应用》第五章"),
        ("src/*.py, test_* and 2 * 3 * 4", "src/*.py, test_* and 2 * 3 * 4"),
    ],
)
def test_a_row_says_what_is_said_without_its_signs(text: str, said: str) -> None:
    assert strip_line(text) == said


def test_a_topic_is_called_by_what_it_says_and_a_session_by_its_title() -> None:
    assert make_headline(topic()[0]) == "部署商店的步骤与禁忌"
    # What a document's head says of it says more than its name; when something was noted stands beside it.
    head = memory("what has to be looked at", "memory/alerts.md", 1, Layer.KNOWLEDGE, "project", title="Alerts")
    assert make_headline(head) == "what has to be looked at"
    noted = memory("[2026-11-20 09:10 UTC] [RULE] ask first", "MEMORY.md", 5, Layer.CORE, "note", created=NOON)
    assert make_headline(noted) == "[RULE] ask first"
    noted.text = "Europe/Lisbon: Ada asked for tea"
    assert make_headline(noted) == "Ada asked for tea"
    noted.created = None
    assert make_headline(noted) == "Europe/Lisbon: Ada asked for tea"
    session = memory("long summary", "s.md", 1, Layer.SESSION, "session", title="Fixing the cart")
    assert make_headline(session) == "Fixing the cart"


async def test_what_is_done_is_shown_as_done_below_what_is_open() -> None:
    todos = [
        memory(
            text, "plan.md", line, Layer.KNOWLEDGE, "todo", created=NOON - line, extra={"done": True} if done else {}
        )
        for line, (text, done) in enumerate(
            (("补齐文档", True), ("renew the certificate", False), ("✅ 换端口", True)), 1
        )
    ]
    async with running(FakeVault(todos, (SHOP,))) as desk:
        await desk.press("2")
        assert "☑ " in desk.text()
        rows = desk.main.pane.query_one("#sections", Rows)
        rows.focus()
        at = next(n for n, item in enumerate(rows.items) if item.key == "kind:todo")
        rows.go(at)
        await desk.settled()
        assert texts(desk) == ["renew the certificate", "补齐文档", "✅ 换端口"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("State\n\n  - [x] store\n  - [ ] sync", "State · ☑ store · ☐ sync"),
        ("Rooms:\n- hall\n- attic", "Rooms: hall · attic"),
        ("计划：\n  - [√] 上线", "计划： ☑ 上线"),
        ("a - b, and\n-5 is no item", "a - b, and -5 is no item"),
    ],
)
def test_a_row_tells_a_list_below_it_apart_from_a_dash(text: str, told: str) -> None:
    assert make_headline(memory(text, "progress.md", 5, Layer.CORE, "todo")) == told


def test_a_record_whose_fields_say_only_its_kind_is_called_by_its_heading() -> None:
    heading = ("MEMORY", "POLICY-2026-02-06 - 工具使用规则与文件写入的约定，超过三十二格宽")
    record = memory("**Type**: policy\n**Area**: safety", "MEMORY.md", 5, Layer.CORE, "rule", heading=heading)
    record.reach = 12
    assert name_record(record) == heading[1].removeprefix("POLICY-2026-02-06 - ")
    record.text = "**Type**: policy\n**Rules**: never push to main"
    assert "never push to main" in name_record(record)


async def test_a_plan_unfolds_on_the_timeline() -> None:
    """It stands there by itself: no reference of that view's filter leads to it."""
    place = "plan/202608012241_new-bundler/why.md"
    plan = memory(
        "换掉打包工具", place, 4, Layer.KNOWLEDGE, "note", created=NOON - 60, end=4, reach=8, heading=("新打包",)
    )
    step = memory("first the build, then the tests", place, 7, Layer.KNOWLEDGE, "note", level=Level.PART)
    async with running(FakeVault([plan, step], (SHOP,))) as desk:
        await desk.press("3")
        assert texts(desk) == ["换掉打包工具"]
        await desk.press("l")
        assert texts(desk) == ["换掉打包工具", "first the build, then the tests"]
        assert "▾" in desk.text()
        await desk.press("h")
        assert texts(desk) == ["换掉打包工具"]
