"""Rows come first: nothing that takes long delays them, nothing is said to be nothing while it is not known."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping

import pytest

from memtui.analysis.analyst import QueueState
from memtui.store.candidates import Queue
from memtui.tui import calendar, context, evolution_model
from memtui.tui.actions import Action, find_keys
from memtui.tui.context import PaneContext
from memtui.tui.evolution_model import All
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, app_on, running
from tests.tui.fake_vault import FakeVault, shop


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Holds up what takes long until it is set."""
    made = threading.Event()
    yield made
    made.set()


async def test_home_shows_rows_while_what_was_learnt_is_read(
    vault: FakeVault, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[threading.Thread] = []

    def slow(context: PaneContext, *cancelled: Callable[[], bool], glance: bool = False) -> All:
        begun.append(threading.current_thread())
        gate.wait(60)
        return All()

    monkeypatch.setattr(evolution_model, "read", slow)
    async with app_on(vault).run_test(size=(120, 36)) as pilot:
        desk = Desk(pilot.app, pilot)  # type: ignore[arg-type]
        await desk.until(lambda: "Facts · L1 · 9" in desk.text() and bool(begun))
        assert "环境" in desk.text() or "environment_issue" in desk.text()
        await pilot.press("tab", "j")
        held = desk.main.pane.rows()
        assert held is not None
        before = held.held
        # Whatever changes meanwhile is shown, and asks for what was learnt once more, not many times at once.
        for number in range(5):
            vault.change([*vault.memories_[:-1], *shop()[-1:]])
            await pilot.pause()
            assert held.held == before, number
        assert len(begun) == 1
        gate.set()
        await desk.settled()
        assert len(begun) == 2
        assert held.held == before


async def test_the_profile_stands_there_while_the_other_boxes_are_read(
    vault: FakeVault, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = calendar.choose_notes

    def slow(context: PaneContext, page: int, before: Mapping[float, calendar.Day]) -> dict[float, calendar.Day]:
        gate.wait(60)
        return choose(context, page, before)

    monkeypatch.setattr(calendar, "choose_notes", slow)
    async with app_on(vault).run_test(size=(120, 36)) as pilot:
        desk = Desk(pilot.app, pilot)  # type: ignore[arg-type]
        await desk.until(lambda: "RS256" in desk.text())
        assert "Facts · L1 · 9" not in desk.text()
        assert desk.text().count("reading …") == 3
        gate.set()
        await desk.until(lambda: "Facts · L1 · 9" in desk.text())
        assert "reading …" not in desk.text()


async def test_an_index_that_fills_stands_over_its_rows(vault: FakeVault) -> None:
    vault.building = True
    async with running(vault) as desk:
        text = desk.text()
        assert "Facts · L1 · 9 · indexing 824 / 2,568" in text
        assert "RS256" in text
        await desk.press("2")
        assert "Facts · All · 9 · indexing 824 / 2,568" in desk.text()
        vault.building = False
        vault.change(vault.memories_)
        await desk.settled()
        assert "Facts · All · 9 ━" in desk.text()


async def test_what_is_not_known_yet_is_no_nothing(vault: FakeVault) -> None:
    vault.building, vault.memories_ = True, []
    async with running(vault) as desk:
        assert "Facts · L1 · … · indexing" in desk.text()
        assert "· 0" not in desk.text()
        await desk.press("2")
        assert "Facts · All · … · indexing" in desk.text()
        await desk.press("enter")
        assert "This list is still being read." in desk.text()
        # Nothing is worked out for Review before the first rows are there, and so there is no badge.
        assert desk.main.context.waiting.queue is None
        vault.building = False
        vault.change(shop())
        await desk.until(lambda: desk.main.context.waiting.queue is not None)


async def test_evolution_answers_keys_while_it_is_read(
    vault: FakeVault, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(context: PaneContext, *cancelled: Callable[[], bool], glance: bool = False) -> All:
        gate.wait(60)
        return All()

    monkeypatch.setattr(evolution_model, "read", slow)
    async with app_on(vault).run_test(size=(120, 36)) as pilot:
        desk = Desk(pilot.app, pilot)  # type: ignore[arg-type]
        await desk.until(lambda: "Facts · L1 · " in desk.text())
        await pilot.press("4")
        await desk.until(lambda: "lessons:wait-for-port" in desk.text())
        await pilot.press("r")
        await desk.until(lambda: "Evolution is still being read." in desk.text())
        await pilot.press("j", "y")
        await desk.until(lambda: "copied the text" in desk.text())
        gate.set()
        await desk.settled()
        await desk.press("r")
        assert "There is no signal under the cursor." in desk.text()


async def test_review_answers_keys_while_it_is_read(
    vault: FakeVault, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(context: PaneContext) -> QueueState:
        gate.wait(60)
        return QueueState(Queue([], [], []), 0, 0, None)

    monkeypatch.setattr(context, "read", slow)
    async with app_on(vault).run_test(size=(120, 36)) as pilot:
        desk = Desk(pilot.app, pilot)  # type: ignore[arg-type]
        await desk.until(lambda: "Facts · L1 · " in desk.text())
        await pilot.press("5")
        await desk.until(lambda: "Review · …" in desk.text())
        await pilot.press("a")
        await desk.until(lambda: "Review is still being read." in desk.text())
        gate.set()
        await desk.settled()
        assert "Review · 0" in desk.text()
        await desk.press("a")
        assert "There is nothing to decide." in desk.text()


async def test_the_footer_is_made_anew_where_something_else_is_selected(
    vault: FakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def heard(wanted: Action, keymap: dict[str, str]) -> tuple[str, ...]:
        asked.append(wanted.id)
        return tuple(find_keys(wanted, keymap))

    async with running(vault) as desk:
        await desk.press("2")
        monkeypatch.setattr("memtui.tui.bars.find_keys", heard)
        rows = desk.main.pane.query_one("#list", Rows)
        for _step in range(2):
            await desk.press("j")
        assert rows.cursor == 2
        assert asked == []
        await desk.press("y")
        assert asked == []
        await desk.press("space")
        assert asked


async def test_what_was_asked_for_in_one_view_opens_over_no_other(
    vault: FakeVault, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    text = vault.text

    def slow(home: str, path: str) -> str:
        begun.set()
        gate.wait(60)
        return text(home, path)

    async with running(vault) as desk:
        await desk.press("2", "j")
        monkeypatch.setattr(vault, "text", slow)
        await desk.pilot.press("enter")
        await desk.until(begun.is_set)
        await desk.pilot.press("3")
        gate.set()
        await desk.settled()
        assert desk.app.screen is desk.main
        # Wherever nobody went away meanwhile, it opens.
        await desk.press("2", "enter")
        assert desk.app.screen is not desk.main
