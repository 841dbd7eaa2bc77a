"""A person's own editor: always on a copy, what comes back is a change, and nobody who wrote meanwhile loses a byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.edits import Receipt
from memtui.formats.rewording import merge_three_way
from memtui.tui.editing import Slice, restore_line_end, slice_lines, slice_section
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, Written, on_home

CORE = "memtui/MEMORY.md"


async def test_the_whole_file_at_its_line(tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    before = written.files()
    calls = written.editor(monkeypatch, lambda data: data + "- 新的一行 [/]\x1b\n".encode())
    await written.to("缩进用空格", "1")
    await written.press("E")
    assert calls[0][:2] == ["vim", "+5"]
    assert calls[0][2].endswith("/MEMORY.md")
    assert not calls[0][2].startswith(str(tmp_path))
    assert written.files()[CORE] == before[CORE] + "- 新的一行 [/]\x1b\n".encode()
    assert "MEMORY.md: +1 −0 · u undo" in written.text()
    await written.press("u")
    assert written.files() == before
    written.editor(monkeypatch, lambda data: data)
    await written.press("E")
    assert "nothing changed" in written.text()


@pytest.mark.parametrize(("where", "undone"), [("state-of-the-shop", True), ("state", False)])
async def test_a_home_beside_the_state_directory_is_no_state(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch, where: str, undone: bool
) -> None:
    monkeypatch.setattr("memtui.tui.mutations.state", lambda: tmp_path / "state")
    desk.main.hand.can_undo = False
    path = str(tmp_path / where / "MEMORY.md")
    desk.main.hand.receive(Receipt("1", 0.0, "append", "person", "appended 1 line", (path,)))
    assert desk.main.hand.can_undo is undone


async def test_one_entry_and_its_section(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    before = written.files()
    seen: list[bytes] = []

    def changed(data: bytes) -> bytes:
        seen.append(data)
        return data.replace("空格".encode(), b"tab").rstrip(b"\n")

    written.editor(monkeypatch, changed)
    await written.to("缩进用空格", "1")
    await written.press("e")
    assert seen[-1] == "- 缩进用空格（confidence: 0.8）\n".encode()
    assert written.files()[CORE] == before[CORE].replace("空格".encode(), b"tab")
    await written.press("u", "ctrl+e")
    assert seen[-1].startswith("## 用户偏好\n".encode())
    assert "重要决策".encode() not in seen[-1]
    await written.press("u")
    assert written.files() == before


async def test_an_entry_is_written_where_it_stands_now(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "memtui/MEMORY.md"

    def meanwhile() -> None:
        file.write_bytes(b"# new head\n\n" + file.read_bytes() + "- 代理写的\n".encode())
        written.vault.refresh()

    written.editor(monkeypatch, lambda data: data.replace("空格".encode(), b"tab"), meanwhile)
    await written.to("缩进用空格", "1")
    await written.press("e")
    text = file.read_text("utf-8")
    assert text.startswith("# new head\n\n# MEMORY")
    assert "缩进用tab" in text
    assert "代理写的" in text


@pytest.mark.parametrize("way", ["both", "mine", "theirs", "edit", "later"])
async def test_a_file_edited_while_an_agent_appends(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    file = tmp_path / "memtui/MEMORY.md"
    before = file.read_bytes()
    theirs = before + "- 代理写的\n".encode()
    mine = before.replace("空格".encode(), b"tab")
    both = theirs.replace("空格".encode(), b"tab")
    written.editor(monkeypatch, lambda data: data.replace("空格".encode(), b"tab"), lambda: file.write_bytes(theirs))
    await written.to("缩进用空格", "1")
    await written.press("E")
    text = written.text()
    assert "MEMORY.md changed meanwhile" in text
    assert "缩进用tab" in text
    assert "Yours is kept in" in text
    assert file.read_bytes() == theirs
    if way == "later":
        await written.press("escape")
        assert "1 text is not written yet" in written.text()
        assert file.read_bytes() == theirs
        return
    written.editor(monkeypatch, lambda data: data.replace(b"tab", b"TAB"))
    for _step in range(("both", "mine", "theirs", "edit").index(way)):
        await written.press("j")
    await written.press("enter")
    assert written.app.screen is written.main
    wanted = {"both": both, "mine": mine, "theirs": theirs, "edit": both.replace(b"tab", b"TAB")}[way]
    assert file.read_bytes() == wanted
    if way != "theirs":
        await written.press("u")
        assert file.read_bytes() == theirs


async def test_a_profile_is_made_only_when_it_is_asked_for(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = tmp_path / "memtui/user/profile.md"
    profile.unlink()
    written.vault.refresh()
    before = written.files()
    await written.press("3", "P")
    assert "not there yet" in written.text()
    await written.press("escape")
    assert written.files() == before
    written.editor(monkeypatch, lambda data: data + b"- brief\n")
    await written.press("P")
    choices = written.app.screen.query_one("#choices", Rows)
    for _row in choices.items:
        if "not there yet" not in str(choices.current):
            await written.press("down")
    await written.press("enter")
    assert profile.read_bytes().endswith(b"- brief\n")
    await written.press("u")
    assert written.files() == before


async def test_a_terminal_that_cannot_be_lent_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setenv("VISUAL", "vim")
    async with on_home(tmp_path) as desk:
        await desk.press("1", "E")
        assert "cannot be handed to another program" in desk.text()


async def test_a_missing_editor_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    async with on_home(tmp_path) as desk:
        await desk.press("1", "E")
        assert "no-such-editor" in desk.text()


async def test_leaving_asks_while_something_is_not_written(desk: Desk) -> None:
    desk.main.hand.drafts.later("typed", "")
    await desk.press("q")
    assert "1 text is not written yet" in desk.text()
    await desk.press("n")
    assert desk.app.screen is desk.main


# -- lines and texts ------------------------------------------------------------------------------------------------

TEXT = b"# a\n\n## b\r\n- 1\r\n```\n## no\n```\n### c\n- 2\n## d\n- 3"


def test_lines_of_a_file() -> None:
    assert slice_lines(TEXT, 4, 4).data == b"- 1\r\n"
    assert slice_lines(TEXT, 11, 11).data == b"- 3"
    assert slice_lines(TEXT, 99, 99).data == b"- 3"
    assert slice_lines(b"", 1, 1).data == b""


def test_the_section_of_a_line() -> None:
    assert slice_section(TEXT, 4).data == TEXT[5 : TEXT.index(b"## d")]
    assert slice_section(TEXT, 9).data == b"### c\n- 2\n"
    assert slice_section(TEXT, 11).data == b"## d\n- 3"
    assert slice_section(b"- only\n- lines\n", 2).data == b"- only\n- lines\n"


@pytest.mark.parametrize(
    ("part", "new", "wanted"),
    [
        (b"- 1\n", b"- 2", b"- 2\n"),
        (b"- 1\r\n", b"- 2", b"- 2\r\n"),
        (b"- 1", b"- 2\n", b"- 2"),
        (b"- 1\n", b"", b""),
        (b"- 1\n", b"- 2\n", b"- 2\n"),
    ],
)
def test_the_end_of_the_last_line_stays_as_it_was(part: bytes, new: bytes, wanted: bytes) -> None:
    assert restore_line_end(Slice(part, 0, len(part)), new) == wanted


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "wanted", "clashes"),
    [
        (b"1\n2\n3\n", b"1\n2\n3\n4\n", b"0\n1\n2\n3\n", b"0\n1\n2\n3\n4\n", 0),
        (b"1\n2\n3\n", b"1\nX\n3\n", b"1\nY\n3\n", b"1\nX\nY\n3\n", 1),
        (b"1\n", b"1\na\n", b"1\nb\n", b"1\na\nb\n", 0),
        (b"1\n", b"1\na\n", b"1\na\n", b"1\na\n", 0),
        (b"1", b"1\na", b"1\nb", b"1\na\nb", 0),
        (b"1\n2\n3\n", b"3\n", b"1\n2\nX\n3\n", b"X\n3\n", 0),
        (b"1\n2\n", b"", b"1\n2\n", b"", 0),
        (b"", b"a\n", b"b\n", b"a\nb\n", 0),
    ],
)
def test_two_texts_of_one(base: bytes, theirs: bytes, mine: bytes, wanted: bytes, clashes: int) -> None:
    found = merge_three_way(base, theirs, mine)
    assert (found.data, found.clashes) == (wanted, clashes)


@pytest.mark.parametrize("way", ["again", "edit", "theirs"])
async def test_an_entry_that_somebody_else_rewrote(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Nobody can say which of the two holds: what was typed is kept, what stands there stays, a person decides."""
    file = tmp_path / "memtui/MEMORY.md"
    await written.to("缩进用空格", "1")
    await written.press("i", "end")
    await written.type("，四个")
    theirs = file.read_bytes().replace("空格".encode(), b"tab")
    file.write_bytes(theirs)
    await written.press("enter")
    assert "MEMORY.md changed meanwhile" in written.text()
    assert "缩进用空格，四个" in written.text()
    assert file.read_bytes() == theirs
    written.editor(monkeypatch, lambda data: data.replace("缩进用空格，四个".encode(), "- 缩进用空格，四个".encode()))
    for _step in range(("again", "edit", "theirs").index(way)):
        await written.press("j")
    await written.press("enter")
    if way == "again":
        assert "MEMORY.md changed meanwhile" in written.text()
        await written.press("escape")
        assert "1 text is not written yet" in written.text()
    stands = theirs + "- 缩进用空格，四个\n".encode() if way == "edit" else theirs
    assert file.read_bytes() == stands


async def test_an_undo_that_no_longer_applies_asks(tmp_path: Path, written: Written) -> None:
    file = tmp_path / "memtui/MEMORY.md"
    await written.to("缩进用空格", "1")
    await written.press("d")
    theirs = b"# all new\n"
    file.write_bytes(theirs)
    await written.press("u")
    assert "MEMORY.md changed meanwhile" in written.text()
    await written.press("G", "k", "enter")
    assert file.read_bytes() == theirs
