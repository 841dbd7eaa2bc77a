"""What a key and what news cost, and what stays where it is while others change."""

from __future__ import annotations

from typing import Any

import pytest
from textual.screen import Screen

from memtui.core.model import Layer, Memory
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import FakeVault, memory, shop


def journal(number: int, first: int = 0) -> list[Memory]:
    """Lines of a day, the later the newer."""
    return [
        memory(f"token line {line}", "daily/2026-12-01.md", line + 1, Layer.JOURNAL, "note", created=2e9 + line)
        for line in range(first, first + number)
    ]


def list_of(desk: Desk, name: str) -> Rows:
    return desk.main.pane.query_one(name, Rows)


async def test_a_letter_lays_nothing_out(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    layouts: list[int] = []
    original = Screen._refresh_layout

    def counted(screen: Screen[Any], *args: Any, **named: Any) -> None:
        layouts.append(1)
        original(screen, *args, **named)

    async with running(vault) as desk:
        await desk.press("slash", "r", "s")
        monkeypatch.setattr(Screen, "_refresh_layout", counted)
        await desk.press(*"256")
        assert "Search · 2 · words" in desk.text()
        assert not layouts


async def test_arrows_move_the_cursor_of_a_list_that_can_be_scrolled(vault: FakeVault) -> None:
    vault.change([*journal(90)])
    async with running(vault) as desk:
        await desk.press("3")
        for key, at in (("down", 1), ("pagedown", 5), ("end", 89), ("j", 1), ("G", 89)):
            await desk.press("g", key)
            assert list_of(desk, "#list").cursor >= at, key
            assert list_of(desk, "#list")._in_sight


async def test_a_long_question_scrolls_in_its_box(vault: FakeVault) -> None:
    async with running(vault, (60, 24)) as desk:
        await desk.press("slash", *("记忆" * 40), "e", "n", "d")
        assert "end" in desk.lines()[3]
        await desk.press("home")
        assert desk.lines()[3].count("记忆") > 5
        assert "end" not in desk.lines()[3]


async def test_the_scrollbar_comes_and_goes_with_what_there_is(vault: FakeVault) -> None:
    vault.change([*journal(60), *shop()])
    async with running(vault) as desk:
        await desk.press("slash", *"token")
        hits = list_of(desk, "#hits")
        assert hits.show_vertical_scrollbar
        await desk.press(*" line 59")
        assert [hits.show_vertical_scrollbar] == [False]
        assert len(hits.items) == 1


async def test_news_leaves_the_hit_under_the_cursor(vault: FakeVault) -> None:
    vault.change([*journal(9), *shop()])
    async with running(vault) as desk:
        await desk.press("slash", *"token", "down", "down", "down")
        hits = list_of(desk, "#hits")
        held = hits.current.id
        vault.change([*journal(2, 90), *journal(9), *shop()])
        await desk.settled()
        assert hits.cursor == 5
        assert hits.current.id == held
        await desk.press("x")
        assert hits.cursor == 0


async def test_home_shows_what_is_new_until_somebody_moves(vault: FakeVault) -> None:
    vault.change([*journal(30), *shop()])
    async with running(vault) as desk:
        timeline = list_of(desk, "#home-timeline")
        vault.change([*journal(60), *shop()])
        await desk.settled()
        assert "token line 59" in desk.text()
        timeline.focus()
        await desk.settled()
        await desk.press("down")
        held = timeline.current.id
        vault.change([*journal(90), *shop()])
        await desk.settled()
        assert timeline.current.id == held


async def test_whoever_scrolled_goes_on_seeing_the_same_rows(vault: FakeVault) -> None:
    vault.change([*journal(90), *shop()])
    async with running(vault) as desk:
        await desk.press("3")
        rows = list_of(desk, "#list")
        rows.scroll_to(y=40, animate=False)
        await desk.settled()
        top = rows.item(round(rows.scroll_offset.y))
        vault.change([*journal(95), *shop()])
        await desk.settled()
        assert rows.item(round(rows.scroll_offset.y)).id == top.id


async def test_only_the_box_that_changed_is_drawn_again(vault: FakeVault, desk: Desk) -> None:
    drawn: list[str] = []
    for rows in desk.main.pane.query(Rows):
        rows.show = lambda *_, name=rows.id, **__: drawn.append(str(name))  # type: ignore[method-assign]
    vault.change([*journal(1), *shop()])
    await desk.settled()
    assert drawn == ["home-timeline"]
