"""A full, read-only or vanished disk: what was typed is kept, that is said, and it is written in the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.errors import FullError, ReadOnlyError, RefusedError, UnavailableError, VanishedError
from memtui.store.vault import Vault
from memtui.tui.hand_work import Drafts
from tests.tui.conftest import Written, on_home

ERRORS: list[type[UnavailableError]] = [FullError, ReadOnlyError, VanishedError]


async def typed(desk: Written, text: str) -> None:
    await desk.to("缩进用空格", "1")
    await desk.press("i", "end")
    await desk.type(text, "enter")


@pytest.mark.parametrize("error", ERRORS)
async def test_what_was_typed_is_kept_and_written_later(
    written: Written, monkeypatch: pytest.MonkeyPatch, error: type[UnavailableError]
) -> None:
    before = written.files()
    real = Vault.apply

    def broken(*_given: object, **_named: object) -> None:
        raise error("The disk says no: free some space.")

    monkeypatch.setattr(Vault, "apply", broken)
    await typed(written, "！")
    assert "The disk says no" in written.text()
    assert "1 text is not written yet" in written.text()
    assert written.files() == before
    [unwritten] = written.main.hand.drafts.waiting
    assert "缩进用空格！" in Path(unwritten.place).read_text("utf-8")
    await written.press("W")
    assert "1 text is not written yet" in written.text()
    monkeypatch.setattr(Vault, "apply", real)
    await written.press("W")
    assert "缩进用空格！".encode() in written.files()["memtui/MEMORY.md"]
    assert "not written yet" not in written.text()
    assert not list(Path(unwritten.place).parent.iterdir())
    await written.press("u")
    assert written.files() == before


async def test_what_was_refused_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_given: object, **_named: object) -> None:
        raise RefusedError("That file is only read.")

    async with on_home(tmp_path) as desk:
        monkeypatch.setattr(Vault, "apply", refused)
        await typed(desk, "！")
        assert "That file is only read." in desk.text()
        await desk.press("W")
        assert "缩进用空格！" in desk.text()
        await desk.press("n")
        assert "1 text is not written yet" in desk.text()
        await desk.press("W", "y")
        assert desk.app.clipboard == "缩进用空格！"
        assert "not written yet" not in desk.text()


async def test_what_an_earlier_run_left_is_offered(tmp_path: Path) -> None:
    drafts = Drafts()
    drafts.put(drafts.add("写到一半", None))
    async with on_home(tmp_path) as desk:
        assert "1 text is not written yet" in desk.text()
        await desk.press("q")
        assert "Kept in" in desk.text()
        await desk.press("n", "W", "y")
        assert desk.app.clipboard == "写到一半"
    assert not Drafts().waiting


def test_a_secret_is_not_kept_on_a_disk() -> None:
    drafts = Drafts()
    drafts.put(drafts.add("token ghp_0123456789abcdefghijABCDEFGHIJ012345", None))
    assert "ghp_0123" not in Path(drafts.waiting[0].place).read_text("utf-8")
    assert "ghp_0123" in drafts.waiting[0].text
