"""Pages of the manual in the app: from the help window and from the palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.tui.row_list import Rows
from memtui.tui.viewer import ManualViewer
from tests.tui.conftest import running

if TYPE_CHECKING:
    from tests.tui.fake_vault import FakeVault


async def test_the_help_window_opens_pages(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("question_mark", "G")
        assert "words" in str(desk.app.screen.query_one(Rows).current)
        await desk.press("enter")
        assert isinstance(desk.app.screen, ManualViewer)
        assert "One word for one thing" in desk.text()
        assert "memtui help words" in desk.text()
        await desk.press("E")
        vault.change(vault.memories_)
        await desk.settled()
        assert "One word for one thing" in desk.text()
        await desk.press("escape")
        assert desk.app.screen_stack == [desk.main]


async def test_the_palette_finds_pages(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("ctrl+p", *"glossary")
        await desk.settled()
        await desk.press("enter")
        await desk.settled()
        assert isinstance(desk.app.screen, ManualViewer)
