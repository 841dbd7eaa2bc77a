"""Leftovers of dead writers go, their text is kept, and a living writer's are left alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memtui.fs.commit import make_temporary_name
from memtui.fs.folder import owned
from memtui.review import checkup
from memtui.review.checkup import Swept, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="open files are never leftovers there")


def test_leftovers_go_and_text_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "AGE", 0.0)
    (tmp_path / "daily").mkdir()
    first, second, third = make_temporary_name(), make_temporary_name(), make_temporary_name()
    (tmp_path / first).write_bytes(b"known")
    (tmp_path / "daily" / second).write_bytes(b"somebody's")
    (tmp_path / third).write_bytes(b"")
    (tmp_path / ".memtui-notes.tmp").write_bytes(b"not ours")
    (tmp_path / make_temporary_name()).symlink_to(tmp_path / "daily")
    swept = sweep(tmp_path, ["", "daily", "nowhere"], [b"known"])
    assert {(path, bool(kept)) for path, kept in swept} == {
        (first, False),
        (third, False),
        (f"daily/{second}", True),
    }
    [kept] = [kept for _, kept in swept if kept]
    with open(kept, "rb") as file:
        assert file.read() == b"somebody's"
    assert not os.listdir(tmp_path / "daily")
    assert sweep(tmp_path, ["", "daily"]) == []


def test_a_living_writer_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = make_temporary_name()
    (tmp_path / name).write_bytes(b"x")
    assert sweep(tmp_path, known=[b"x"]) == []
    monkeypatch.setattr(checkup, "AGE", 0.0)
    descriptor = os.open(tmp_path / name, os.O_RDONLY)
    assert owned(descriptor)
    assert sweep(tmp_path, known=[b"x"]) == []
    os.close(descriptor)
    assert sweep(tmp_path, known=[b"x"]) == [Swept(name, "")]


def test_what_can_be_kept_nowhere_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "AGE", 0.0)
    monkeypatch.setattr(checkup, "keep", lambda *_: "")
    (tmp_path / make_temporary_name()).write_bytes(b"x")
    assert sweep(tmp_path) == []
    assert len(os.listdir(tmp_path)) == 1
