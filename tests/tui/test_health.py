"""Health says how each home stands, in every state that it can be in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.analysis.analyst import Analyst
from memtui.core.model import Layer, Problem
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import HOUR, NOON, NOTES, SHOP, FakeVault, memory


def row(desk: Desk, words: str) -> str:
    return next(line for line in desk.lines()[2:] if words in line)


STATES: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({}, "●", "24 · watching"),
    ({"building": True, "indexed": 412, "total": 1284, "backend": "fts+scan"}, "◐",
     "412 of 1,284 files · watching"),
    ({"watcher": "polling: the kernel allows no more watches"}, "●", "24 · polling"),
    ({"watcher": "off"}, "●", "24 · not watched"),
    ({"backend": "scan", "warning": "there is no index yet"}, "◐", "24 · no index · watching"),
    ({"away": True, "warning": "it is not there"}, "✗", "not there"),
    ({"problems": (Problem("a.json", 1, "x"), Problem("a.json", 2, "y"))}, "◐", "24 · watching · ✗ 1"),
)  # fmt: skip


async def test_a_home_in_every_state(vault: FakeVault, desk: Desk) -> None:
    await desk.press("6")
    for state, sign, told in STATES:
        vault.states = {str(SHOP.path): {"memories": 24, **state}}
        await desk.press("ctrl+l")
        assert told in row(desk, f"{sign} shop")


async def test_the_tool_of_a_home_has_its_room(vault: FakeVault) -> None:
    vault.states = {
        str(SHOP.path): {
            "memories": 1243, "vectors": 128, "vectors_total": 1300, "embedding": True,
            "problems": (Problem("a.json", 1, "x"),),
        }
    }  # fmt: skip
    async with running(vault) as desk:
        await desk.press("6")
        assert "1,243 · meaning 9 % · watching · ✗ 1" in row(desk, "◐ shop")
        assert f"  {SHOP.layout} " in row(desk, "◐ shop")


async def test_all_is_good_only_once_everything_was_compared(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    # The process that compares is at work as long as this says so.
    monkeypatch.setattr(Analyst, "wake", lambda _analyst, *, now=False: None)
    async with running(vault) as desk:
        waiting, analyst = desk.main.context.waiting, desk.main.context.analyst
        waiting._whole, analyst.busy, analyst.apart = False, True, True
        waiting.again()
        await desk.rest()
        # The queue is known as far as it has come: that is not all there is.
        assert waiting.queue is not None
        await desk.press("6")
        assert "looking …" in desk.text() and "All good." not in desk.text()
        analyst.busy = False
        waiting.again()
        await desk.rest()
        desk.main.pane.tick()
        await desk.rest()
        assert "All good." in desk.text() and "looking …" not in desk.text()


async def test_why_it_is_polled_stands_beside_the_list(vault: FakeVault) -> None:
    vault.states = {str(SHOP.path): {"watcher": "polling: no more watches"}}
    async with running(vault) as desk:
        await desk.press("6")
        assert "watcher      polling: no more watches" in desk.text()


async def test_problems_are_listed_one_by_one_and_say_whose_they_are(vault: FakeVault) -> None:
    broken = tuple(Problem("a.json", line, "bad") for line in (3, 9))
    vault.states = {str(NOTES.path): {"problems": (*broken, Problem("b.json", 1, "worse"))}}
    async with running(vault) as desk:
        await desk.press("6")
        assert "2 files" in row(desk, "Parse errors")
        for place in ("a.json:3", "a.json:9", "b.json:1"):
            assert "~/.claude/memory" in row(desk, place)


async def test_ages_go_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.press("6")
    assert "last indexed 0s ago" in desk.text()
    monkeypatch.setattr("memtui.core.clock.now", lambda: NOON + 3 * HOUR + 42)
    desk.main._tick()
    await desk.settled()
    assert "last indexed 42s ago" in desk.text()
    assert "index" not in desk.lines()[0], "homes are compared with the disk twice a minute: nothing to say"
    monkeypatch.setattr("memtui.core.clock.now", lambda: NOON + 3 * HOUR + 125)
    desk.main._tick()
    await desk.settled()
    assert "index 2m ago" in desk.lines()[0]


async def test_what_is_found_by_meaning_is_told_alike_above_and_in_health(vault: FakeVault) -> None:
    busy = {"memories": 24, "vectors": 24, "vectors_total": 24, "embedding": True}
    vault.states = {str(SHOP.path): busy, str(NOTES.path): {"memories": 76, "vectors_total": 76}}
    async with running(vault) as desk:
        await desk.press("6")
        assert "meaning 24 %" in desk.lines()[0]
        # One is whole, the other has not begun: together they are what stands above.
        assert "24 · watching" in row(desk, "● shop")
        assert "76 · meaning 0 %" in row(desk, "~/.claude/memory")
        vault.states[str(NOTES.path)] = {"memories": 76, "vectors": 76, "vectors_total": 76}
        await desk.press("ctrl+l")
        assert "meaning" not in desk.lines()[0].replace("words and meaning", "")


async def test_homes_that_begin_alike_are_told_apart() -> None:
    base = "customers/shop-of-wonders-and-more"
    homes = tuple(SHOP._replace(path=Path(f"/p/{name}"), label=f"{base}/{name}") for name in (".cursor", "memory-bank"))
    notes = [memory(f"note of {home.label}", "a.md", 1, Layer.KNOWLEDGE, "fact", home=home) for home in homes]
    async with running(FakeVault(notes, homes)) as desk:
        for view in "26":
            await desk.press(view)
            shown = "\n".join(line[:60] for line in desk.lines()[2:])
            assert "/.cursor" in shown and "/memory-bank" in shown


async def test_enter_on_a_home_shows_it_alone_and_again_all(desk: Desk) -> None:
    await desk.press("6", "g")
    assert "enter shows this home alone" in " ".join(desk.text().split())
    await desk.press("enter")
    assert (desk.main.view, set(desk.main.context.homes)) == ("home", {str(SHOP.path)})
    assert "only shop is shown: w shows the others again" in desk.text()
    assert "1 of 2" in desk.lines()[0]
    await desk.press("6", "g", "enter")
    assert (desk.main.view, set(desk.main.context.homes)) == ("home", set())
