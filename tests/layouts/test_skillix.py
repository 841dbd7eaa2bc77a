"""The memory skill's data in a project."""

from __future__ import annotations

import shutil
from pathlib import Path

from memtui.layouts.skillix import LAYOUT, PLACE
from tests.layouts.places import around, homes, repository, roles, write

HOME = Path(__file__).parents[1] / "homes/skillix" / PLACE


def test_every_file_has_its_role() -> None:
    assert roles(LAYOUT, HOME) == {
        "MEMORY.md": ("core", "note", "markdown"),
        "NOTES.md": ("knowledge", "note", "markdown"),
        "daily/2026-02-20.jsonl": ("journal", "fact", "daily-jsonl"),
        "daily/2026-02-01.md": ("journal", "note", "journal"),
        "sessions.jsonl": ("session", "session", "daily-jsonl"),
        "facts.jsonl": ("knowledge", "fact", "daily-jsonl"),
        "audit/operations.jsonl": ("evolution", "event", "events"),
    }


def test_found_from_inside_the_project(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    shutil.copytree(HOME, shop / PLACE)
    (shop / "src").mkdir()
    found = homes(LAYOUT, around(shop / "src", tmp_path))
    (home,) = found.values()
    assert (home.label, home.current, home.project) == ("shop", True, str(shop.resolve()))
    assert "sessions.jsonl" in home.reason
    write(shop / ".cursor/skills/.memory-disable")
    assert "switched off" in LAYOUT.recognise(shop / PLACE)


def test_recognised_by_what_it_holds(tmp_path: Path) -> None:
    shutil.copytree(HOME, tmp_path / "copy")
    assert LAYOUT.recognise(HOME)
    assert LAYOUT.recognise(tmp_path / "copy")
    write(tmp_path / "new/memory-data/MEMORY.md")
    assert LAYOUT.recognise(tmp_path / "new/memory-data")
    write(tmp_path / "other/daily/2026-02-20.jsonl")
    assert LAYOUT.recognise(tmp_path / "other") == ""
    assert LAYOUT.recognise(tmp_path / "missing" / "memory-data") == ""


def test_pruned() -> None:
    assert [
        name for name in ("backups", "daily", "logs", "audit", "session_state") if LAYOUT.prune(Path("home"), name)
    ] == [
        "backups",
        "logs",
        "session_state",
    ]
