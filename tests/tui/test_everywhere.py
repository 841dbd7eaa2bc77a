"""Every verb from every view: it goes where it belongs; the palette knows all of them; the trash gives back.

Pages of the manual in the app: from the help window and from the palette.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from textual.command import CommandList

from memtui import Vault
from memtui.core.config import Config
from memtui.core.edits import Edit, diff_lines
from memtui.store.history import find_line_authors, follow_lines, load_versions
from memtui.tui.actions import ACTIONS
from memtui.tui.app import MemtuiApp
from memtui.tui.context import Whereabouts
from memtui.tui.home_model import Board, Boards
from memtui.tui.panes.search_pane import SearchView
from memtui.tui.panes.timeline_pane import TimelineView
from memtui.tui.row_list import Rows
from memtui.tui.viewer import ManualViewer, Viewer
from tests.tui.conftest import HOMES, Desk, Written, on_home, running
from tests.tui.fake_vault import FakeVault
from tests.tui.test_review import reviewing


async def test_a_verb_of_another_view_leads_there(vault: FakeVault, desk: Desk) -> None:
    await desk.press("2", "C")
    pane = desk.main.pane
    assert isinstance(pane, TimelineView)
    assert pane.calendar.display
    await desk.press("r")
    assert desk.main.view == "evolution"
    assert "resolve: press r here" in desk.text()
    await desk.press("1", "a")
    assert desk.main.view == "review"
    assert len(desk.main.context.waiting.candidates) == len(vault.queue.waiting), "nothing was approved unseen"


async def offered(desk: Desk, words: str) -> list[str]:
    """What the palette lists for some words."""
    await desk.press("ctrl+p")
    for char in words:
        await desk.pilot.press("space" if char == " " else char)
    await desk.rest()
    found = desk.app.screen.query_one(CommandList)
    titles = [str(option.prompt) for option in found.options]
    await desk.press("escape")
    return titles


async def choose_command(desk: Desk, words: str, title: str) -> None:
    """Do the first command that the palette finds, once it is the one meant: it is looked for in the background."""
    await desk.press("ctrl+p", *words)
    found = desk.app.screen.query_one(CommandList)
    await desk.until(lambda: any(title in str(option.prompt) for option in found.options[:1]))
    await desk.press("enter")


async def test_the_palette_holds_every_command_in_every_view(vault: FakeVault) -> None:
    wanted = {action.title for action in ACTIONS if action.palette}
    async with running(vault) as desk:
        for view in ("0", "5"):
            await desk.press(view)
            listed = "\n".join(await offered(desk, ""))
            assert not [title for title in wanted if title not in listed], view
        for words, title in {"restore": "trash", "audit": "history", "inject": "context"}.items():
            assert any(title in line for line in await offered(desk, words)), words
        # Letters that stand somewhere in a sentence are no command.
        assert not any(line.strip().startswith("reject") for line in await offered(desk, "card"))
        await choose_command(desk, "heatmap", "calendar")
        assert desk.main.view == "timeline"


async def test_the_trash_says_what_it_holds_and_gives_it_back(written: Written) -> None:
    before = written.files()
    await written.to("缩进用空格", "1")
    await written.press("D", "y")
    assert written.files() != before
    await written.press("6", "Z")
    assert "Trash · 1" in written.text()
    assert "person" in written.text()
    assert "缩进用空格" in written.text()
    (row,) = (line for line in written.lines() if "deleted “" in line and "person" in line)
    assert row.split("person")[0].count("delete") == 1
    await written.press("enter")
    assert written.files() == before
    assert "The trash is empty" in written.text()
    assert written.main.said == "restored “缩进用空格”"
    # A key stands below where it does something.
    assert "restore" not in written.lines()[-1] and "esc close" in written.lines()[-1]
    await written.press("escape", "U")
    assert "u undo" in written.lines()[-1] and "redo" not in written.lines()[-1]
    await written.press("j")
    assert "It was undone." in written.text()
    assert "u undo" not in written.lines()[-1] and "^r redo" in written.lines()[-1]


async def test_in_an_open_file_verbs_are_about_the_line_and_no_key_is_silent(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.files()
    written.editor(monkeypatch, lambda data: data.replace("缩进".encode(), "行首".encode()))
    await written.to("缩进用空格", "1")
    # What is selected in the list below is not meant.
    await written.press("j", "space", "k", "k", "enter", "g", "e")
    assert "No memory stands on this line" in written.main.said
    await written.press("slash")
    await written.type("缩进用空格", "enter", "e")
    assert isinstance(written.app.screen, Viewer)
    assert [path for path, data in written.files().items() if before.get(path) != data] == ["memtui/MEMORY.md"]
    assert "行首用空格" in written.text()
    await written.press("u")
    assert written.files() == before
    await written.press("d")
    assert "archived “缩进用空格”" in written.main.said
    await written.press("u", "a")
    assert "approve" in written.main.said and "does nothing in this window" in written.main.said
    await written.press("3")
    assert written.main.view == "timeline"
    assert not isinstance(written.app.screen, Viewer)


async def test_an_entry_whose_history_is_asked_for_is_seen_whole(tmp_path: Path, written: Written) -> None:
    lines = [f"- 第 {n} 条\n" for n in range(80)]
    lines[60] = "- 要看的这条\n" + "".join(f"  续 {n}\n" for n in range(6))
    (tmp_path / "memtui" / "MEMORY.md").write_text("# 规则\n\n" + "".join(lines), "utf-8")
    written.vault.refresh()
    await written.to("要看的这条", "1")
    await written.press("H")
    await written.rest()
    assert "MEMORY.md:63" in written.text()
    assert all(f"续 {n}" in written.text() for n in range(6))


async def test_one_key_rejects_and_undo_brings_it_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T10:00:00Z")
    async with on_home(tmp_path) as desk:
        await reviewing(desk, 3)
        waiting = desk.main.context.waiting
        first = waiting.candidates[0]
        await desk.press("x")
        assert first.id not in {one.id for one in waiting.candidates}
        assert desk.app.screen is desk.main
        await desk.press("u")
        for _try in range(100):
            if len(waiting.candidates) == 3:
                break
            await desk.settled()
        assert first.id in {one.id for one in waiting.candidates}


async def test_typing_narrows_the_files_and_memory_md_is_first(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = written.editor(monkeypatch, lambda data: data + b"- added\n")
    await written.press("P", "enter")
    assert opened[0][-1].endswith("MEMORY.md")
    assert b"- added" in written.files()["memtui/MEMORY.md"]
    await written.press("P")
    await written.type("profile", "enter")
    assert "profile" in opened[1][-1]


async def test_a_memory_shows_how_it_came_to_be_and_who_wrote_each_line(tmp_path: Path) -> None:
    """Two states by git, one by our journal: steps with their differences, authors line by line."""
    root = shutil.copytree(HOMES / "memtui", tmp_path / "memtui")
    core = root / "MEMORY.md"
    core.write_text("# 用户偏好\n\n- 缩进用制表符\n- 测试用 pytest\n", "utf-8")
    git = [
        "git", "-C", str(root), "-c", "user.name=Mei", "-c", "user.email=m@x", "-c", "commit.gpgsign=false",
    ]  # fmt: skip
    env = {**os.environ, "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    subprocess.run([*git, "init", "-q"], check=True, env=env)
    subprocess.run([*git, "add", "MEMORY.md"], check=True, env=env)
    subprocess.run([*git, "commit", "-q", "-m", "tabs"], check=True, env=env)
    core.write_text("# 用户偏好\n\n- 缩进用空格\n- 测试用 pytest\n", "utf-8")
    env |= {"GIT_AUTHOR_DATE": "2026-01-05T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-05T00:00:00Z"}
    message = "spaces\n\nCo-Authored-By: Claude <x@y>\nSession: 8f3a1b2c-1111\n"
    subprocess.run([*git, "commit", "-aq", "-m", message], check=True, env=env)
    with Vault.open([root], config=Config()) as vault:
        memory = next(one for one in vault.memories() if "缩进" in one.text)
        vault.apply(
            [
                Edit(
                    str(root),
                    "MEMORY.md",
                    core.read_bytes(),
                    diff_lines(core.read_bytes(), core.read_bytes() + "- 提交前跑 ruff\n".encode()),
                )
            ],
            verb="edit",
            what="one more",
        )
        found = load_versions(vault, str(root), "MEMORY.md").versions
        assert [(one.source, one.who) for one in found] == [
            ("git", "Mei"), ("git", "Mei + Claude"), ("journal", "person"),
        ]  # fmt: skip
        assert found[1].session == "8f3a1b2c-1111"
        assert find_line_authors(found, 2) == [0, 0, 1, 0, 2]
        assert follow_lines(found, memory.start, memory.end) == [(0, 3, 3), (1, 3, 3)]
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36)) as pilot:
            desk = Written(app, pilot, vault, [root])
            await desk.to("缩进", "1")
            await desk.press("H")
            assert "MEMORY.md:3 · step 2 of 2" in desk.text()
            assert "in session 8f3a1b2c-1111" in desk.text()
            assert "- 缩进用制表符" in desk.text()
            await desk.press("left")
            assert "step 1 of 2" in desk.text()
            assert "tabs" in desk.text()
            await desk.press("z")
            assert "MEMORY.md · step 3 of 3" in desk.text()
            await desk.press("G", "k", "enter")
            assert "step 1 of 3" in desk.text(), "the step that wrote the line under the cursor"
    assert not app.faults.found


def test_commits_of_one_moment_keep_their_order(tmp_path: Path) -> None:
    root = tmp_path / "home"
    root.mkdir()
    when = "2026-01-05T00:00:00Z"
    env = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    git = ["git", "-C", str(root), "-c", "user.name=Mei", "-c", "user.email=mei@example.org"]
    subprocess.run([*git, "init", "-q"], check=True, env=env)
    for said in ("tabs", "spaces", "two spaces"):
        (root / "MEMORY.md").write_text(f"# Memory\n\n- Indent with {said}\n", "utf-8")
        subprocess.run([*git, "add", "MEMORY.md"], check=True, env=env)
        subprocess.run([*git, "commit", "-q", "-m", said], check=True, env=env)
    with Vault.open([root], config=Config()) as vault:
        versions = load_versions(vault, str(root), "MEMORY.md").versions
    assert [one.what for one in versions] == ["tabs", "spaces", "two spaces"]


async def test_a_file_opens_with_what_stands_above_its_line(desk: Desk) -> None:
    await desk.app.push_screen(Viewer("", "plan.md", "\n".join(f"line {n}" for n in range(1, 200)), 6))
    await desk.settled()
    viewer = desk.app.screen
    assert isinstance(viewer, Viewer)
    assert viewer.here() == (6, "line 6")
    assert viewer.area.scroll_offset.y == 0, "its heading is on the screen"


async def test_one_goes_back_and_forward_as_in_an_editor(desk: Desk) -> None:
    await desk.press("2", "j", "j")
    rows = desk.rows()
    held = rows.held
    await desk.press("enter")
    assert isinstance(desk.app.screen, Viewer)
    await desk.press("escape", "3", "1", "ctrl+o")
    assert desk.main.view == "timeline"
    await desk.press("ctrl+o")
    assert desk.main.view == "facts"
    assert rows.held == held
    await desk.press("ctrl+o")
    assert isinstance(desk.app.screen, Viewer), "the file that was open"
    await desk.press("escape", "4")
    await desk.press("ctrl+o", "ctrl+n")
    assert desk.main.view == "evolution"


async def test_from_a_file_one_goes_back_to_the_view_below_it_and_on(desk: Desk) -> None:
    await desk.press("3", "2", "j", "j")
    held = desk.rows().held
    await desk.press("enter")
    for view in ("facts", "timeline"):
        await desk.press("ctrl+o")
        assert (desk.app.screen, desk.main.view) == (desk.main, view)
    await desk.press("ctrl+n")
    assert desk.main.view == "facts" and desk.rows().held == held
    await desk.press("ctrl+n")
    viewer = desk.app.screen
    assert isinstance(viewer, Viewer)
    await desk.press("ctrl+n")
    assert desk.app.screen is viewer and desk.main.said == "There is no later place."
    await desk.press("ctrl+o", "ctrl+o")
    assert desk.main.view == "timeline"


async def test_views_are_as_they_were_left_moments_ago(vault: FakeVault) -> None:
    """What a start ends with, the next one begins with: through JSON, as the file holds it. Later, Home is first."""
    kept: dict[str, Any] = {}
    for start in ("first", "second", "an hour later"):
        app = MemtuiApp(cast("Vault", vault), Config(), whereabouts=Whereabouts(json.loads(json.dumps(kept))))
        app.main.hand.wake = lambda: None  # type: ignore[method-assign]
        async with app.run_test(size=(120, 36)) as pilot:
            desk = Desk(app, pilot)
            await desk.settled()
            rows = desk.main.hand.rows()
            if start == "first":
                await desk.press("2", "S", "full_stop", "right_curly_bracket", "b", "f", *"pytest", "enter", "j")
                rows = desk.rows()
                held, order = rows.held, getattr(desk.main.pane, "order", "")
                await desk.press("q")
                kept = app.main.context.whereabouts.dump()
            elif start == "an hour later":
                assert desk.main.view == "home"
                await desk.press("2")
                assert (desk.main.pane.typed, getattr(desk.main.pane, "order", "")) == ("", order)
                assert desk.main.has_class("-no-sections")
            else:
                assert desk.main.view == "facts"
                assert rows is not None
                assert (desk.main.pane.typed, getattr(desk.main.pane, "order", "")) == ("pytest", order)
                assert rows.held == held
                assert desk.main.context.hidden
                assert desk.main.has_class("-no-sections")
                assert str(desk.main.pane.query_one("#detail").styles.width) == "3fr"
                kept["left"] -= 3600
    hostile: Any = {"view": 3, "views": [1], "recent": {"a": 1}, "share": "x", "pinned": [2, "ok"]}
    assert Whereabouts(hostile).dump()["pinned"] == ["ok"]


async def test_boxes_are_as_high_as_when_the_same_screen_was_left(
    vault: FakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Home's first rows are chosen for the boxes that it will have, and once."""
    asked: list[dict[str, int]] = []
    usual = Boards.read

    def read(boards: Boards, few: int, pages: dict[str, int], *more: Any, **how: Any) -> Board:
        asked.append(pages)
        return usual(boards, few, pages, *more, **how)

    monkeypatch.setattr(Boards, "read", read)
    kept: dict[str, Any] = {}
    for size, known in (((120, 36), False), ((120, 36), True), ((80, 24), False)):
        asked.clear()
        app = MemtuiApp(cast("Vault", vault), Config(), whereabouts=Whereabouts(json.loads(json.dumps(kept))))
        app.main.hand.wake = lambda: None  # type: ignore[method-assign]
        async with app.run_test(size=size) as pilot:
            desk = Desk(app, pilot)
            await desk.settled()
            assert {name: height for name, height in asked[-1].items() if height}
            assert not known or asked[0] == asked[-1]
            await desk.press("q")
            kept = app.main.context.whereabouts.dump()
            kept["left"] -= 3600


async def test_search_counts_what_it_found_narrows_and_remembers(tmp_path: Path) -> None:
    async with on_home(tmp_path, "memtui", "openclaw") as desk:
        await desk.press("slash")
        await desk.settled()
        assert "kind:todo" in desk.text() and "what is still open" in desk.text(), "a first search has something to try"
        await desk.type("status:all")
        await desk.settled()
        before = len(desk.main.pane.rows().items)  # type: ignore[union-attr]
        assert any("  source " in line and " kind " in line for line in desk.lines())
        await desk.press("ctrl+f")
        assert "Narrow the search" in desk.text()
        await desk.press("1")
        pane = cast("SearchView", desk.main.pane)
        assert pane.box.value.startswith("home:")
        assert 0 < len(pane.results) < before
        await desk.press("ctrl+s")
        assert desk.main.context.whereabouts.pinned == [pane.box.value]
        await desk.press("enter")
        await desk.press("escape")
        pane.box.value = ""
        await desk.settled()
        assert "Pinned" in desk.text()
        await desk.press("enter")
        assert pane.box.value.endswith("status:all")
        assert desk.main.context.whereabouts.recent[0] == pane.box.value
        pane.box.value = "用户 layer:journal"
        await desk.settled()
        assert "without" in desk.text(), "which filter emptied it, and what there is without it"


async def test_the_help_window_opens_pages(vault: FakeVault, desk: Desk) -> None:
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


async def test_the_keys_of_a_window_are_explained_as_those_of_the_screen(vault: FakeVault) -> None:
    async with running(vault, (120, 36)) as desk:
        await desk.press("2", "enter", "question_mark")
        [said] = [line for line in desk.lines() if " its history " in line and "The history of this entry" in line]
        assert " H " in said


async def test_the_palette_finds_pages(desk: Desk) -> None:
    await choose_command(desk, "glossary", "glossary")
    assert isinstance(desk.app.screen, ManualViewer)


async def test_no_key_is_offered_that_every_home_would_refuse(tmp_path: Path) -> None:
    """Of HelloAGENTS no home has notes of a day: an empty timeline promises none, and `o` says what does work."""
    plan = tmp_path / "shop" / ".helloagents" / "plan" / "202605281200_table"
    plan.mkdir(parents=True)
    (plan.parent.parent / "INDEX.md").write_text("# shop\n", "utf-8")
    with Vault.open([tmp_path / "shop"], config=Config()) as vault:
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36)) as pilot:
            desk = Written(app, pilot, vault, [tmp_path / "shop"])
            await desk.settled()
            assert "No sessions here yet." in desk.text()
            await desk.press("3")
            assert "No sessions here yet." in desk.text()
            await desk.press("enter")
            assert "place for that" not in desk.text()
            await desk.press("o")
            await desk.settled()
            assert "A fact can be written: 2, then o." in desk.text()
