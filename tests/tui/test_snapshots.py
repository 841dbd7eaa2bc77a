"""Pictures of the screens. `pytest --snapshot-update` after looking at what changed."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.core.model import Problem
from memtui.tui.app import MemtuiApp
from tests.tui.conftest import Desk, app_on
from tests.tui.fake_vault import FakeVault
from tests.tui.learnt import learnt


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.widgets.Input.cursor_blink", False)
    monkeypatch.setattr("memtui.tui.panes.health_pane.list_versions", lambda: [("memtui", "0"), ("SQLite", "3")])


@pytest.mark.parametrize(
    ("name", "keys", "size", "theme"),
    [
        ("home", "", (120, 36), ""),
        ("facts", "2 j j j j", (120, 36), ""),
        ("timeline", "3", (120, 36), ""),
        ("search", "slash t o k e n", (120, 36), ""),
        ("health", "6 j j", (120, 36), ""),
        ("home_80", "", (80, 24), ""),
        ("facts_80", "2 j j", (80, 24), ""),
        ("home_light", "", (120, 36), "memtui-light"),
    ],
)
def test_screen(snap_compare: Any, vault: FakeVault, name: str, keys: str, size: tuple[int, int], theme: str) -> None:
    vault.problems = (Problem("areas/broken.json", 17, "not valid JSON: expecting ',' delimiter"),)
    vault.learnt = learnt(next(memory for memory in vault.memories_ if memory.path == "MEMORY.md"))
    app: MemtuiApp = app_on(vault, theme=theme)

    async def before(pilot: Pilot[None]) -> None:
        desk = Desk(app, pilot)
        await desk.settled()
        await desk.press(*keys.split())
        await desk.rest()

    assert snap_compare(app, terminal_size=size, run_before=before)
