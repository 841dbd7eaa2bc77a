"""Home counts what there is and shows what was chosen to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.model import Layer, Memory, Status
from memtui.tui.board import FEW
from memtui.tui.rows import Rows
from tests.tui.conftest import running
from tests.tui.fake_vault import NOON, NOTES, SHOP, FakeVault, memory, shop

if TYPE_CHECKING:
    from tests.tui.conftest import Desk


async def filled(desk: Desk) -> None:
    """After the first frame there is a second reading."""
    await desk.pilot.pause(0.3)
    await desk.settled()


async def test_what_no_longer_holds_is_shown_and_counted_when_asked_for(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await filled(desk)
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
        memory(f"fact {n}", "big.jsonl", n, Layer.KNOWLEDGE, "fact", created=NOON - n)
        for n in range(1, FEW + 200)
    ]
    async with running(vault) as desk:
        await filled(desk)
        vault.change(vault.memories_[:-1])
        await desk.settled()
        assert f"Facts · L1 · {FEW + 198}" in desk.text()


async def test_core_memory_is_shown_by_its_lines_each_file_in_its_turn(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(f"line {n} of a", "memory/a.md", n, Layer.CORE, "note", heading=("记忆", "Tools"))
            for n in range(1, 200)
        ),
        *(
            memory(f"line {n} of b", "memory/b.md", n, Layer.CORE, "note", heading=("记忆", "Tools"))
            for n in range(1, 200)
        ),
        *(
            memory("use pnpm", f"memory/{name}.md", 300, Layer.CORE, "note", heading=("记忆", "Notes"))
            for name in "ab"
        ),
    ]
    async with running(vault) as desk:
        await filled(desk)
        shown = [
            item for item in desk.main.query_one("#home-profile", Rows).items if isinstance(item, Memory)
        ]
        texts = [one.text for one in shown]
        assert {"line 1 of a", "line 1 of b"} < set(texts)
        # Every section has its row, and what both files say is said once.
        assert texts.count("use pnpm") == 1


async def test_what_is_not_shown_is_counted(vault: FakeVault) -> None:
    vault.memories_ = [memory(f"x {n}", f"memory/{n:02}.md", 1, Layer.CORE, "note") for n in range(60)]
    async with running(vault) as desk:
        await filled(desk)
        rows = desk.main.query_one("#home-profile", Rows)
        shown = sum(isinstance(item, Memory) for item in rows.items)
        assert rows.items[-1].left[0][0] == f"   … and {60 - shown} more"


async def test_the_fullest_budget_is_shown_with_whose_it_is(vault: FakeVault) -> None:
    vault.memories_ = [
        *shop(),
        memory("last", "MEMORY.md", 238, Layer.CORE, "note", home=NOTES, heading=("Rules",)),
        memory("more", "notes/MEMORY.md", 9, Layer.CORE, "note", home=SHOP, heading=("Rules",)),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert "~/.claude/memory MEMORY.md 238 / 200 lines" in desk.text()
        for width in (120, 80, 60):
            await desk.pilot.resize_terminal(width, 60)
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
        assert "They are heard as they end: `memtui install` sees to that." in told


async def test_the_person_stands_before_rules_and_who_the_agent_is(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(text, path, 1, Layer.PROFILE if path != "MEMORY.md" else Layer.CORE, "note")
        for text, path in (
            ("I am Nova", "IDENTITY.md"),
            ("run the tests before every commit", "AGENTS.md"),
            ("偏好简洁的回答", "USER.md"),
            ("the shop runs on port 8080", "MEMORY.md"),
        )
    ]
    async with running(vault) as desk:
        await filled(desk)
        rows = desk.main.query_one("#home-profile", Rows)
        paths = [item.path for item in rows.items if isinstance(item, Memory)]
        assert paths == ["USER.md", "MEMORY.md", "AGENTS.md", "IDENTITY.md"]


async def test_facts_begin_with_what_the_person_said_and_no_file_takes_them_all(vault: FakeVault) -> None:
    day = NOON - 86400
    vault.memories_ = [
        memory("一人公司，偏好命令行", "user_profile.md", 1, Layer.KNOWLEDGE, "user", created=day - 9),
        memory("never open drafts", "feedback_drafts.md", 1, Layer.KNOWLEDGE, "feedback", created=day - 8),
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact", created=day - 5),
        *(
            memory(
                f"line {n}", "long.md", n, Layer.KNOWLEDGE, "fact", created=day + n, heading=(f"part {n}",)
            )
            for n in range(1, 200)
        ),
    ]
    async with running(vault) as desk:
        await filled(desk)
        shown = [
            item.path for item in desk.main.query_one("#home-facts", Rows).items if isinstance(item, Memory)
        ]
        assert shown[:4] == ["user_profile.md", "feedback_drafts.md", "long.md", "ports.md"]


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
    async with running(vault) as desk:
        await filled(desk)
        shown = [
            item.text
            for item in desk.main.query_one("#home-timeline", Rows).items
            if isinstance(item, Memory)
        ]
        assert shown == ["补齐文档", "测试输出大量警告", "change 5", "swap the bundler"]
        assert "Timeline · L2 · 4" in desk.text()
        assert "plan     test warnings" in desk.text()
        assert "plan     换打包工具" in desk.text()


async def test_what_is_left_out_is_told_with_the_key_that_shows_it(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact"),
        *(
            memory(f"旧方案 {n}", "archive/old.md", n, Layer.KNOWLEDGE, "note", status=Status.ARCHIVED)
            for n in range(1, 4)
        ),
        memory("say please", "skills/polite/SKILL.md", 1, Layer.KNOWLEDGE, "note", status=Status.SKILL),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert "4 left out (.): archived, skill" in desk.text()
        await desk.press("2")
        assert "Facts · All · 1 " in desk.text()
        assert "4 left out (.): archived, skill" in desk.text()
        await desk.press("full_stop")
        assert "Facts · All · 5 " in desk.text()
        assert "left out" not in desk.text()
