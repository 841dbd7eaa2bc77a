"""What leaves the app as a file comes in again as candidates, once, and one undo takes all of it back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memtui.core.model import Home
from memtui.tui.bundles import choose_goal
from tests.tui.conftest import Written, on_home, running
from tests.tui.fake_vault import NOTES, SHOP, FakeVault


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "here"
    made.mkdir()
    monkeypatch.chdir(made)


async def test_the_memories_that_are_shown_are_saved_and_no_file_is_replaced(written: Written) -> None:
    written.main.do("app.export")
    await written.settled()
    await written.press("enter")
    told = written.main.said
    plain = json.loads(Path("memtui-export.json").read_text("utf-8"))
    assert plain["format"] == "memtui-bundle"
    assert told.endswith(f"memtui-export.json · {len(plain['memories'])} memories")
    assert all(one["status"] in {"active", "candidate"} for one in plain["memories"])
    for number in "12":
        # From whatever view.
        await written.press("5")
        written.main.do("app.export")
        await written.settled()
        await written.press(number)
    assert json.loads(Path("memtui-export-1.json").read_text("utf-8"))["memories"] == plain["memories"]
    assert Path("memtui-export.md").read_text("utf-8").startswith("# Memories, ")


async def test_what_a_file_holds_waits_in_review_once_somebody_has_seen_how_much(tmp_path: Path) -> None:
    source = tmp_path / "here" / "others.md"
    rule = "- Ship on Tuesdays only, never before a holiday\n"
    source.write_text(f"# Rules\n\n{rule}- 缩进用空格\n\n# Again\n\n{rule}", "utf-8")
    async with on_home(tmp_path) as desk:
        before = desk.files()
        desk.main.do("app.import")
        await desk.settled()
        await desk.type("nothing.md", "enter")
        assert "There is no such file." in desk.text()
        await desk.press("ctrl+u")
        await desk.type(str(source), "enter")
        assert "1 memory would wait in Review for memtui" in desk.text()
        assert "1 is left: said there more than once" in desk.text()
        await desk.press("y")
        assert "imported into Review (5) · u undo" in desk.main.said
        assert desk.files() == before, "nothing is kept unasked"
        await desk.press("5")
        await desk.rest()
        shown = " ".join(desk.text().split())
        assert "proposed by import" in shown and "here/others.md:" in shown
        assert "session" not in shown, "it comes from a file"
        assert re.search(r"Ship on Tuesdays.* import ", desk.text())
        await desk.press("0")
        desk.main.do("app.import")
        await desk.settled()
        await desk.type(str(source), "enter")
        assert "nothing new" in desk.main.said and "waits in Review already" in desk.main.said
        await desk.press("u")
        assert "undid" in desk.main.said
        desk.main.do("app.import")
        await desk.settled()
        await desk.type(str(source), "enter")
        assert "would wait in Review for memtui" in desk.text()


async def test_where_nothing_may_be_written_an_import_says_what_makes_a_home() -> None:
    homes = tuple(home._replace(writable=False) for home in (SHOP, NOTES))
    async with running(FakeVault([], homes)) as desk:
        desk.main.do("app.import")
        await desk.settled()
        assert "make a home" in desk.main.said


def test_an_import_goes_to_the_project_before_other_homes() -> None:
    here = SHOP._replace(current=True, path=Path("/p/here"))
    locked = Home(Path("/p/locked"), "codex", "", "locked", writable=False)
    assert choose_goal([locked, NOTES, here]) == here
    assert choose_goal([locked]) is None
