"""Settings changed and changed back by keyboard, each type of them, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core import config_edit
from memtui.core.config import find_config_path
from memtui.core.locale import choose_language
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.settings_sheet import SettingRow, SettingsSheet
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import FakeVault


def rows(desk: Desk) -> Rows:
    assert isinstance(desk.app.screen, SettingsSheet)
    return desk.app.screen.query_one("#turns", Rows)


async def stand_on(desk: Desk, name: str) -> SettingRow:
    """Put the cursor on a setting."""
    await desk.press("g")
    for _step in range(200):
        item = rows(desk).current
        if isinstance(item, Fixed) and item.value.key.name == name:
            found: SettingRow = item.value
            return found
        await desk.press("j")
    raise AssertionError(name)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_each_type_of_setting_is_changed_and_changed_back(vault: FakeVault, language: str) -> None:
    choose_language(language)
    async with running(vault) as desk:
        await desk.press(",")
        for name, keys, wanted in (
            ("search.typing", ["enter"], False),
            ("search.mode", ["enter", "j", "enter"], "hybrid"),
            ("search.max_results", ["enter", "0", "enter"], 100),
            ("search.diversity", ["enter", "backspace", ".", "5", "enter"], 0.5),
            ("homes.exclude", ["enter", "backspace", "backspace", "c", "o", "enter"], ("co",)),
            ("vector.model", ["enter", "m", "enter"], "m"),
        ):
            before = (await stand_on(desk, name)).value
            await desk.press(*keys)
            assert config_edit.get(name) == wanted, name
            assert "●" in desk.text()
            await desk.press("u")
            assert config_edit.get(name) == before, name
        await stand_on(desk, "search.max_results")
        await desk.press("enter", "0", "0", "0", "enter")
        told = " ".join(desk.text().split())
        assert ("must be from 1 to 1000" in told) or ("1" in told and "1000" in told and language == "zh")
        assert config_edit.get("search.max_results") == 10
        await desk.press("escape", "escape")
        assert desk.app.screen is desk.main


async def test_a_default_is_put_back_and_a_variable_is_named(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_UI_START", "facts")
    config_edit.set("search.fusion", "rrf")
    async with running(vault) as desk:
        await desk.press(",")
        await stand_on(desk, "search.fusion")
        await desk.press("D")
        assert config_edit.get("search.fusion") == "zscore"
        assert "search.fusion = zscore, from the next start on" in desk.text()
        await stand_on(desk, "ui.start")
        assert "⚠ MEMTUI_UI_START is set" in desk.text()
        await desk.press("D")
        assert "MEMTUI_UI_START is set and overrides the file." in desk.text()
        assert "start" not in Path(find_config_path()).read_text()


async def test_a_file_that_is_no_toml_is_left_alone(vault: FakeVault) -> None:
    path = Path(find_config_path())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[search\n")
    async with running(vault) as desk:
        await desk.press(",")
        await stand_on(desk, "search.typing")
        await desk.press("enter")
        await desk.until(lambda: "TOML" in desk.text())
        assert path.read_text() == "[search\n"


async def test_a_long_value_is_whole_where_there_is_room(vault: FakeVault) -> None:
    async with running(vault, (200, 50)) as desk:
        await desk.press(",")
        assert '"journal", "evolution"]' in desk.text()
        await desk.pilot.resize_terminal(70, 24)
        await desk.settled()
        assert '"journal", "evolution"]' not in desk.text() and "neighbours" in desk.text()
