"""Every verb on a real home: what it writes, and that `u` brings back every byte."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from memtui.core import clock
from memtui.core.model import Layer
from memtui.tui import mutations
from memtui.tui.actions import WRITES
from memtui.tui.memory_verbs import parse_expiry
from tests.tui.conftest import Written, on_home, running
from tests.tui.fake_vault import FakeVault, memory

CORE = "memtui/MEMORY.md"


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T10:00:00Z")


async def goes_to(desk: Written, text: str) -> None:
    """The cursor is on what was written, once the index has it."""
    for _look in range(100):
        memory = desk.main.desk.memory()
        if memory is not None and memory.text == text:
            return
        await desk.pilot.pause(0.02)
    raise AssertionError(f"the cursor is not on {text}")


async def inline(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("i")
    assert "Edit · MEMORY.md:5" in desk.text()
    await desk.type("，四个", "enter")
    assert "缩进用空格，四个".encode() in desk.files()[CORE]


async def new_under_the_section(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("o")
    assert "MEMORY.md § 用户偏好" in desk.text()
    await desk.type("[pref] 提交前跑 ruff", "enter")
    data = desk.files()[CORE].decode()
    assert data.index("缩进用空格") < data.index("提交前跑 ruff") < data.index("重要决策")


async def new_fact(desk: Written) -> None:
    await desk.press("2", "o")
    await desk.type("[decision] 支付用 RS256 #auth", "enter")
    changed = {path for path, data in desk.files().items() if b"RS256" in data}
    assert len(changed) == 1
    await goes_to(desk, "支付用 RS256")


async def new_in_the_journal(desk: Written) -> None:
    await desk.press("3", "o")
    assert "daily/2026-03-01" in desk.text()
    await desk.type("试过 uv sync", "enter")
    assert any("试过 uv sync".encode() in data for data in desk.files().values())


async def supersede(desk: Written) -> None:
    await desk.to("金额用整数分", "2")
    await desk.press("s")
    assert "New text (replaces" in desk.text()
    await desk.press("ctrl+u")
    await desk.type("金额用 Decimal", "enter")
    data = desk.files()["memtui/areas/projects/shop/rules.md"].decode()
    assert "金额用 Decimal" in data
    assert "金额用整数分" in data
    await goes_to(desk, "金额用 Decimal")


async def archive(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("d")
    await desk.to("缩进用空格", "full_stop")
    memory = desk.memory()
    assert memory.status == "archived"
    await desk.press("full_stop")


async def delete(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("D")
    assert "goes out of its file" in desk.text()
    await desk.press("y")
    assert "缩进用空格".encode() not in desk.files()[CORE]


async def tags(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("t")
    await desk.type("style 空格", "enter")
    assert "#style #空格".encode() in desk.files()[CORE]


async def expiry(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("T")
    await desk.type("soon")
    assert "A date such as" in desk.text()
    await desk.press("ctrl+u")
    await desk.type("2026-12-31", "enter")
    assert b"2026-12-31" in desk.files()[CORE]


async def move(desk: Written) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("m")
    assert "another section of this file" in desk.text()
    await desk.type("重要")
    assert "another section of this file" not in desk.text()
    await desk.press("enter")
    data = desk.files()[CORE].decode()
    assert data.index("重要决策") < data.index("缩进用空格")


async def merge(desk: Written) -> None:
    await desk.to("代码注释用英文", "1")
    await desk.to("缩进用空格", "space")
    await desk.to("代码注释用英文", "space")
    await desk.press("M")
    assert "Merge into" in desk.text()
    await desk.press("end")
    await desk.type("，缩进用空格", "enter")
    assert "代码注释用英文，缩进用空格".encode() in desk.files()[CORE]


VERBS: list[Callable[[Written], Awaitable[None]]] = [
    inline, new_under_the_section, new_fact, new_in_the_journal, supersede, archive, delete, tags, expiry, move, merge,
]  # fmt: skip


def test_a_key_that_writes_has_a_function_and_what_is_said_of_a_verb_is_said_of_one_there_is() -> None:
    """The last part of an action's id is the verb: of one that is missing the key would do nothing."""
    verbs = mutations.VERBS
    assert {action.id.rpartition(".")[2] for action in WRITES} <= set(verbs), "write its function, and name it in VERBS"
    assert {*mutations.NEEDS, *mutations.ONE, *mutations.SAVES, *mutations.SELECTS} <= set(verbs)
    memory_verbs = {verb for verb, place in verbs.items() if place.startswith("memtui.tui.memory_verbs:")}
    unsaid = memory_verbs - {*mutations.NEEDS, *mutations.SELECTS, "new", "merge", "diff"}
    assert not unsaid, "a verb about a memory: say in NEEDS what the engine calls it, or it is offered on none"


async def test_each_verb_writes_and_u_brings_back_every_byte(written: Written) -> None:
    before = written.files()
    for verb in VERBS:
        await verb(written)
        assert written.files() != before, verb
        assert written.app.screen is written.main
        assert "u undo" in written.text()
        await written.press("u")
        assert "undid" in written.text()
        assert written.files() == before, verb
        await written.press("ctrl+r")
        assert written.files() != before
        await written.press("u")
        assert written.files() == before, verb


async def test_several_are_archived_as_one_decision(written: Written) -> None:
    before = written.files()
    await written.to("代码注释用英文", "1")
    await written.press("v", "j", "v")
    assert "2 selected" in written.text()
    await written.press("f")
    await written.type("缩进", "enter", "d")
    assert ", and 1 more" in written.text()
    assert len(written.vault.history()) == 1
    await written.press("u")
    assert written.files() == before


async def test_a_selection_survives_a_filter(written: Written) -> None:
    await written.to("代码注释用英文", "1")
    await written.press("space", "f")
    await written.type("缩进")
    await written.press("escape")
    rows = written.rows()
    assert [item.text for item in rows.marks.items.values()] == ["代码注释用英文"]
    assert "✓" in written.text() and "1 selected" in written.text()
    await written.press("ctrl+a")
    assert len(rows.marks) == len(rows.items)
    await written.press("ctrl+a")
    assert not rows.marks


async def test_a_range_holds_rows_that_nobody_has_seen() -> None:
    many = [memory(f"fact {n}", "facts.md", n + 1, Layer.KNOWLEDGE, "fact") for n in range(400)]
    async with running(FakeVault(many)) as desk:
        await desk.press("2", "v", "G")
        rows = desk.rows()
        assert len(rows.marks) == 400
        assert "400 selected · v ends the range" in desk.lines()[-2]
        assert desk.text().count("✓") > 20
        # What the range gives back is not selected, however far it went.
        await desk.press("g", "j", "v")
        assert len(rows.marks) == 2
        assert "2 selected · esc clears" in desk.lines()[-2]


async def test_escape_lets_a_selection_go_before_it_leaves_the_view(written: Written) -> None:
    await written.press("1", "space", "space")
    rows = written.rows()
    assert len(rows.marks) == 2
    # A merge that somebody would rather not do leaves it as it was.
    await written.press("M")
    assert "Merge into" in written.text()
    await written.press("escape")
    assert len(rows.marks) == 2 and written.main.view == "profile"
    await written.press("escape")
    assert not rows.marks and written.main.view == "profile"
    assert "✓" not in written.text() and "selected" not in written.lines()[-2]
    await written.press("v", "j", "escape", "j")
    assert not rows.marks and written.main.view == "profile"
    await written.press("escape")
    assert written.main.view == "home"


async def test_undo_stands_on_what_came_back(written: Written) -> None:
    await written.to("代码注释用英文", "1")
    for keys in (("d",), ("D", "y")):
        await written.press(*keys)
        memory = written.memory()
        assert memory.text != "代码注释用英文"
        await written.press("G", "u")
        await goes_to(written, "代码注释用英文")


async def test_undo_is_offered_where_there_is_something_to_undo(written: Written) -> None:
    await written.rest()
    await written.press("1")
    assert "u undo" not in written.lines()[-1]
    await written.press("u")
    assert "There is nothing to undo." in written.text()
    await written.press("d")
    assert "u undo" in written.lines()[-1]
    await written.press("u")
    assert "u undo" not in written.lines()[-1]


async def test_nothing_is_written_where_somebody_would_rather_not(written: Written) -> None:
    before = written.files()
    await written.to("缩进用空格", "1")
    for key in ("i", "o", "s", "t", "T", "m"):
        await written.press(key, "escape")
        assert written.app.screen is written.main, key
    await written.press("D", "n", "M", "=", "W")
    assert written.app.screen is written.main
    assert written.files() == before
    assert written.vault.history() == []


async def test_a_verb_that_does_not_apply_says_why(written: Written) -> None:
    await written.press("2", "u")
    assert "There is nothing to undo." in written.text()
    await written.press("M")
    assert "Select two or more first" in written.text()


async def test_an_agent_that_writes_while_one_types_loses_nothing(tmp_path: Path, written: Written) -> None:
    """The entry itself is as it was: what was typed goes in, what the agent appended stays."""
    await written.to("缩进用空格", "1")
    await written.press("i", "end")
    await written.type("！")
    file = tmp_path / "memtui/MEMORY.md"
    file.write_bytes(file.read_bytes() + "\n- 刚刚记下的\n".encode())
    written.vault.refresh()
    await written.press("enter")
    data = file.read_text("utf-8")
    assert "缩进用空格！" in data
    assert "刚刚记下的" in data


async def test_chinese_and_pasted_lines_go_into_one_line(tmp_path: Path) -> None:
    from textual import events

    async with on_home(tmp_path) as desk:
        await desk.press("2", "o")
        desk.app.screen.focused.post_message(events.Paste("第一行\n第二行 [bold]\x1b[31m"))  # type: ignore[union-attr]
        await desk.settled()
        await desk.press("enter")
        [written] = [data for data in desk.files().values() if "第一行".encode() in data]
        assert "第一行 第二行 [bold]" in written.decode()


async def test_a_secret_that_is_typed_never_reaches_a_file(written: Written) -> None:
    await written.press("2", "o")
    await written.type("token ghp_0123456789abcdefghijABCDEFGHIJ012345", "enter")
    assert not any(b"ghp_0123456789abcdefghijABCDEFGHIJ012345" in data for data in written.files().values())
    assert "1 secret was masked" in written.text()


async def test_prompts_fit_small_screens(tmp_path: Path) -> None:
    async with on_home(tmp_path, size=(40, 12)) as desk:
        await desk.press("1", "i")
        assert "Edit ·" in desk.text()
        await desk.press("escape", "U")
        assert "History" in desk.text()


DAY = 86400.0


@pytest.mark.parametrize(
    ("said", "days"),
    [("", None), ("-", None), ("never", None), ("永不", None), ("permanent", None), ("session", 2 / 24),
     ("24h", 1), ("7d", 7), (" 2W ", 14), ("short_term", 3), ("long-term", 30), ("1m", 30), ("1y", 365)],
)  # fmt: skip
def test_the_words_of_retention(monkeypatch: pytest.MonkeyPatch, said: str, days: float | None) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T12:00:00Z")
    assert parse_expiry(said) == (None if days is None else clock.now() + days * DAY)


def test_a_date_and_what_is_no_time() -> None:
    assert parse_expiry("2026-12-31") == clock.parse("2026-12-31T23:59:59")
    with pytest.raises(ValueError):
        parse_expiry("soon")


@pytest.mark.parametrize("known", [True, False], ids=["of this window", "of an earlier one"])
async def test_the_cursor_goes_to_what_an_undo_brought_back(written: Written, known: bool) -> None:
    await written.to("缩进用空格", "1")
    await written.press("s", "ctrl+u")
    await written.type("缩进用制表符", "enter")
    await goes_to(written, "缩进用制表符")
    if not known:
        written.main.hand.written.clear()
    await written.press("G", "u")
    await goes_to(written, "缩进用空格")


@pytest.mark.parametrize("sheet", ["Z", "U"])
async def test_the_cursor_goes_to_what_came_back_from_the_trash_or_the_history(written: Written, sheet: str) -> None:
    await written.to("缩进用空格", "1")
    await written.press("D", "y")
    await written.press("G", sheet, "enter", "escape")
    await goes_to(written, "缩进用空格")


async def test_what_an_undo_brought_back_is_found_far_down_a_long_list(tmp_path: Path, written: Written) -> None:
    lines = "".join(f"- 第 {n} 条规则，每条都不一样\n" for n in range(400))
    (tmp_path / "memtui" / "MEMORY.md").write_text("# 规则\n\n" + lines, "utf-8")
    written.vault.refresh()
    await written.press("1", "G")
    for _step in range(40):
        memory = written.main.desk.memory()
        if memory is not None and memory.text.startswith("第 3"):
            break
        await written.press("k")
    assert memory is not None and memory.text.startswith("第 3")
    await written.press("D", "y", "g", "u")
    await goes_to(written, memory.text)
