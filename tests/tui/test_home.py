"""Home counts what there is and shows what was chosen to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.model import Layer
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


async def test_sections_of_core_memory_are_counted_whole(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"entry {n}", f"memory/{name}.md", n, Layer.CORE, "note", heading=("用户偏好",))
        for name in ("a", "b")
        for n in range(1, 400)
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert desk.text().count("用户偏好 399") == 2


async def test_files_that_are_not_shown_are_counted(vault: FakeVault) -> None:
    vault.memories_ = [memory("x", f"memory/{n:02}.md", 1, Layer.CORE, "note") for n in range(20)]
    async with running(vault) as desk:
        await filled(desk)
        rows = desk.main.query_one("#home-profile", Rows)
        assert rows.items[-1].left[0][0] == "   … and 8 more files"


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
