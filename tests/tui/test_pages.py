"""Files and sessions over the screen: what they show, how they follow the disk, their own keys."""

from __future__ import annotations

from copy import copy

import pytest
from textual.widgets import TextArea

from memtui.core.model import Transcript, Turn
from memtui.tui.detail import Detail
from memtui.tui.row_list import Rows
from memtui.tui.viewer import Page
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import NOON, FakeVault, conversation

FACTS = ("/homes/shop", "areas/projects/shop/facts.json")


def page(desk: Desk) -> Page:
    assert isinstance(desk.app.screen, Page)
    return desk.app.screen


def said_more(vault: FakeVault) -> None:
    """Another program goes on with the session."""
    before = vault.transcripts["s0"]
    more = Turn("user", "and on Firefox?", NOON + 90, 6)
    vault.transcripts["s0"] = before._replace(turns=[*before.turns, more])
    now = copy(next(item for item in vault.memories_ if item.session == "s0"))
    now.modified = NOON + 90
    vault.change([now if item.id == now.id else item for item in vault.memories_])


async def test_an_open_session_follows_its_file_from_the_last_step(vault: FakeVault, desk: Desk) -> None:
    await desk.press("3", "enter", "G")
    said_more(vault)
    await desk.settled()
    rows = desk.app.screen.query_one("#turns", Rows)
    assert rows.cursor == len(rows.items) - 1
    assert "6 steps" in desk.text()
    assert "and on Firefox?" in desk.text()


async def test_whoever_reads_further_up_stays_there(vault: FakeVault, desk: Desk) -> None:
    await desk.press("3", "enter", "G", "k", "k")
    rows = desk.app.screen.query_one("#turns", Rows)
    before = rows.current
    said_more(vault)
    await desk.settled()
    assert rows.current == before
    assert "6 steps" in desk.text()


async def test_news_of_other_files_reads_no_session_again(
    vault: FakeVault, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.press("3", "enter")
    monkeypatch.setattr(vault, "turns", lambda _memory: Transcript([]))
    vault.change(vault.memories_)
    await desk.settled()
    assert "5 steps" in desk.text()


async def test_a_session_that_is_gone_is_said_and_stays(vault: FakeVault, desk: Desk) -> None:
    await desk.press("3", "enter")
    vault.transcripts.clear()
    vault.change([item for item in vault.memories_ if item.session != "s0"])
    await desk.settled()
    assert "gone from the disk" in desk.text()
    assert "先重现" in desk.text()


async def test_an_open_file_follows_the_disk_at_its_line(vault: FakeVault) -> None:
    before = vault.text(*FACTS)
    async with running(vault) as desk:
        await desk.press("2", "j", "enter")
        area = desk.app.screen.query_one(TextArea)
        held = area.document.get_line(area.cursor_location[0])
        vault.files[FACTS] = "one\ntwo\n" + before
        vault.change(vault.memories_)
        await desk.settled()
        assert "15 lines" in desk.text()
        assert area.cursor_location == (4, 0)
        assert area.document.get_line(4) == held
        await desk.press("G")
        vault.files[FACTS] = before + "the last\n"
        vault.change(vault.memories_)
        await desk.settled()
        assert area.document.get_line(area.cursor_location[0]) == "the last"


async def test_a_file_that_is_gone_is_said_and_stays(vault: FakeVault, desk: Desk) -> None:
    await desk.press("2", "enter")
    vault.files[FACTS] = ""
    vault.change(vault.memories_)
    await desk.settled()
    assert "gone from the disk" in desk.text()
    assert "WebSocket" in desk.text()
    del vault.files[FACTS]
    vault.change(vault.memories_)
    await desk.settled()
    assert "13 lines" in desk.text()


async def test_a_page_has_keys_of_its_own(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    edited: list[tuple[str, int]] = []
    monkeypatch.setattr("memtui.tui.editing.edit_file", lambda _hand, _home, path, line: edited.append((path, line)))
    async with running(vault) as desk:
        await desk.press("2", "enter", "j")
        assert "w homes" not in desk.lines()[-1]
        assert "y copy line" in desk.lines()[-1]
        await desk.press("y", "E")
        assert desk.app.clipboard == "禁止在 DAO 层拼接 SQL 字符串"
        assert edited == [(FACTS[1], 3)]
        await desk.press("question_mark")
        assert "copy line" in desk.text()
        assert "Choose which homes are shown" not in desk.text()
        await desk.press("escape")
        assert page(desk).query_one(TextArea).has_focus
        await desk.press("escape", "3", "enter", "G", "k", "k", "y", "E")
        assert desk.app.clipboard == "pytest -q tests/e2e"
        assert edited[1] == ("sessions/s0.md", 3)
        assert "y copy" in desk.lines()[-1]


async def test_the_keys_of_a_page_can_be_clicked(desk: Desk) -> None:
    await desk.press("2", "enter")
    await desk.pilot.click("#keys", offset=(desk.lines()[-1].index("esc"), 0))
    await desk.settled()
    assert desk.app.screen is desk.main


async def test_calls_and_their_results_differ(desk: Desk) -> None:
    await desk.press("3", "enter")
    assert "→ Bash " in desk.text()
    assert "← Bash " in desk.text()


async def test_a_narrow_session_has_its_turn_below(vault: FakeVault) -> None:
    async with running(vault, (60, 20)) as desk:
        await desk.press("3", "enter")
        rows, detail = desk.app.screen.query_one("#turns", Rows), desk.app.screen.query_one("#turn", Detail)
        assert rows.size.width == detail.size.width + 2
        assert rows.region.bottom <= detail.region.y
        await desk.press("enter")
        assert detail.has_focus
        await desk.press("escape")
        assert rows.has_focus
        assert isinstance(desk.app.screen, Page)


async def test_a_tiny_session_is_the_list_and_enter_the_turn(vault: FakeVault) -> None:
    long = "first line\n" + "\n".join(f"line {n}" for n in range(40))
    vault.transcripts["s0"] = conversation()._replace(turns=[Turn("user", long, NOON, 1)])
    async with running(vault, (50, 20)) as desk:
        # The first enter shows the memory's text in the list's place.
        await desk.press("3", "enter", "enter")
        assert "line 3" not in desk.text()
        await desk.press("enter")
        assert "line 3" in desk.text()
        await desk.press("escape")
        assert "line 3" not in desk.text()
        assert isinstance(desk.app.screen, Page)
