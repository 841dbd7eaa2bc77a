"""What the bars say is so: where one is, how the homes stand, what changed, and how much there is no room for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memtui.core.model import Home, Layer, Memory, Problem
from memtui.tui.bars import Bar, Filling
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import HOUR, NOON, NOTES, SHOP, FakeVault, memory, shop

SHOPS, MINE = str(SHOP.path), str(NOTES.path)


def more(number: int, home: Home = SHOP) -> list[Memory]:
    return [
        memory(f"new {n}", "new.md", n, Layer.KNOWLEDGE, "fact", home=home, created=NOON + n * HOUR)
        for n in range(1, number + 1)
    ]


async def changed(desk: Desk, vault: FakeVault, memories: list[Memory], **states: dict[str, Any]) -> str:
    """What the status line says after a change."""
    vault.states = {SHOPS: states.get("shop", {}), MINE: states.get("notes", {})}
    desk.main.say("")
    vault.change(memories)
    # The header follows a moment after the view.
    await desk.pilot.pause(0.1)
    await desk.settled()
    return desk.main.said


def test_no_more_files_are_indexed_than_there_are() -> None:
    assert Filling(9, 16).describe() == "indexing 9 / 16"
    assert Filling(16, 9).describe() == Filling(0, 0).describe() == "indexing …"


async def test_what_appears_and_goes_is_news(vault: FakeVault, desk: Desk) -> None:
    assert await changed(desk, vault, [*more(3), *shop()]) == "shop: +3 memories"
    assert (
        await changed(desk, vault, [*more(1), *more(2, NOTES), *shop()])
        == "shop: −2 memories · ~/.claude/memory: +2 memories"
    )
    assert await changed(desk, vault, [*more(1), *more(2, NOTES), *shop()]) == ""


async def test_an_index_being_made_is_no_news(vault: FakeVault) -> None:
    states: list[dict[str, Any]] = [
        {"index_path": "", "memories": 0, "backend": "scan"},
        {"building": True, "memories": 4},
        {"away": True, "memories": 0},
    ]
    vault.states = {SHOPS: states[0]}
    async with running(vault) as desk:
        for state in states:
            assert await changed(desk, vault, shop(), shop=state) == ""
            assert await changed(desk, vault, shop()) == ""
            assert await changed(desk, vault, [*more(1), *shop()]) == "shop: +1 memory"
            assert await changed(desk, vault, [*more(1), *shop()], shop=state) == ""
            assert await changed(desk, vault, shop()) == ""


async def test_another_index_is_no_news(vault: FakeVault, desk: Desk) -> None:
    rebuilt = {"index_path": "/cache/another.sqlite"}
    assert await changed(desk, vault, [*more(9), *shop()], shop=rebuilt) == ""
    assert await changed(desk, vault, [*more(8), *shop()], shop=rebuilt) == "shop: −1 memory"


async def test_homes_with_one_label_are_told_apart() -> None:
    twins = (
        Home(Path("/a/api"), "claude", "", "api", "api", True),
        Home(Path("/b/api"), "codex", "", "api", "api"),
        Home(Path("/c/api"), "codex", "", "api", "api"),
    )
    vault = FakeVault([], homes=twins)
    async with running(vault) as desk:
        told = await changed(desk, vault, [item for n, home in enumerate(twins, 1) for item in more(n, home)])
        assert told == "api (claude): +1 memory · api (/b/api): +2 memories · api (/c/api): +3 memories"


HOMES = [Home(Path(f"/homes/{n}"), "openclaw", "", f"workspace-{n}", current=n == 3) for n in range(6)]


async def test_how_many_homes_there_is_no_room_for() -> None:
    async with running(FakeVault([], homes=HOMES), (200, 24)) as desk:
        for width, shown in ((200, 6), (120, 3), (80, 2), (60, 1)):
            await desk.pilot.resize_terminal(width, 24)
            await desk.settled()
            line = desk.lines()[0]
            assert line.count(" openclaw") == shown, width
            assert (f" +{6 - shown} " in line) == (shown < 6)
            assert "worksp" in line
            assert "● live" in line
            assert line.index("3") < line.index("+") if "+" in line else True


async def test_a_home_that_is_gone_is_said_and_nothing_is_counted_from_it(vault: FakeVault) -> None:
    vault.states = {
        MINE: {"away": True, "fresh_at": NOON, "watcher": "off: the home is not there", "warning": "it is not there"}
    }
    async with running(vault) as desk:
        line = desk.lines()[0]
        assert "~/.claude/memory not there" in line
        assert "finds words  ● live" in line
        assert "● live" in line
        await desk.press("ctrl+l")
        assert desk.main.said == "it is not there"
        await desk.press("6")
        text = desk.text()
        assert "✗ ~/.claude/memory" in text
        await desk.press("j")
        assert "last indexed not there" in desk.text()
        vault.states.clear()
        await desk.press("ctrl+l")
        assert desk.main.said == "up to date"
        assert "not there" not in desk.text()


async def test_how_changes_become_known_and_what_answers(vault: FakeVault, desk: Desk) -> None:
    for ways, words in (
        (("watching", "watching"), "● live"),
        (("watching", "polling: too many files"), "◐ 1 of 2 live"),
        (("polling: a", "polling"), "◐ polling"),
        (("off", "off"), "○ not watched"),
        (("watching", "watching: the last look at the home failed: x"), "● live"),
    ):
        vault.states = {path: {"watcher": way} for path, way in zip((SHOPS, MINE), ways, strict=True)}
        await desk.press("ctrl+l")
        assert words in desk.lines()[0]
    vault.states = {SHOPS: {"backend": "fts+scan"}, MINE: {"backend": "scan"}}
    await desk.press("ctrl+l")
    assert " finds words, partly no index " in desk.lines()[0], "ways are named once"
    # Broken files are counted, not what is wrong in them.
    vault.problems = tuple(Problem("a.json", line, "not valid JSON") for line in (3, 9))
    await desk.press("ctrl+l")
    assert "✗ 1" in desk.lines()[0]


async def test_the_place_is_of_the_view_that_is_shown(desk: Desk) -> None:
    await desk.press("3", "j", "j")
    assert desk.main.query_one("#status", Bar).text.rstrip().endswith("· time")
    for key, place in (("escape", "user/profile.md:3"), ("2", "1 / 9 · recent"), ("0", "user/profile.md:3")):
        await desk.press(key)
        assert desk.main.query_one("#status", Bar).text.rstrip().endswith(place)
