"""Which homes are shown: space ticks, enter shows those, escape changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.conftest import running
from tests.tui.fake_vault import NOTES, SHOP

if TYPE_CHECKING:
    from tests.tui.fake_vault import FakeVault


async def test_enter_on_an_untouched_sheet_changes_nothing(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("w", "j", "enter")
        assert desk.app.screen is desk.main
        assert desk.main.context.homes == frozenset()


async def test_enter_shows_exactly_what_is_ticked(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("w", "j", "space")
        assert "☐ shop" in desk.text()
        assert "enter shows 1 home ·" in desk.text()
        await desk.press("enter")
        assert desk.main.context.homes == {str(NOTES.path)}
        assert "1 of 2" in desk.lines()[0]
        await desk.press("w")
        assert "☐ shop" in desk.text()
        await desk.press("space", "enter")
        assert desk.main.context.homes == frozenset()


async def test_with_none_ticked_enter_means_the_one_under_the_cursor(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("w", "space")
        assert desk.text().count("☐") == 3
        assert "enter shows 2 homes" in desk.text()
        await desk.press("j")
        assert "enter shows only this one" in desk.text()
        await desk.press("enter")
        assert desk.main.context.homes == {str(SHOP.path)}


async def test_taking_the_last_tick_away_ticks_nothing(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("w", "j", "space", "j", "space")
        assert "☑" not in desk.text()


async def test_escape_leaves_it_as_it_was(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("w", "j", "space", "escape")
        assert desk.main.context.homes == frozenset()
        assert "偏好 pytest" in desk.text()
