"""memtui's own home, where it is found and what stands in it."""

from __future__ import annotations

import shutil
from pathlib import Path

from memtui.layouts import Surroundings
from memtui.layouts.memtui import LAYOUT
from tests.layouts.places import brief, roles_of

HOME = Path(__file__).parents[1] / "homes" / "memtui"


def test_roles() -> None:
    roles = roles_of("memtui", HOME)
    assert brief(roles) == {
        "INDEX.md": ("knowledge", "index", "index"),
        "MEMORY.md": ("core", "note", "markdown"),
        "areas/projects/shop/facts.json": ("knowledge", "fact", "facts"),
        "areas/projects/shop/rules.md": ("knowledge", "rule", "markdown"),
        "areas/projects/shop/summary.md": ("knowledge", "summary", "markdown"),
        "areas/tools/rg/rules.md": ("knowledge", "rule", "markdown"),
        "daily/2026-02-24.jsonl": ("journal", "fact", "daily-jsonl"),
        "daily/2026-02-24.md": ("journal", "note", "journal"),
        "evolution/audit.jsonl": ("evolution", "event", "events"),
        "scratchpad.md": ("core", "todo", "markdown"),
        "sessions/s-1.md": ("session", "session", "session"),
        "user/profile.md": ("profile", "note", "markdown"),
        "user/shortcuts.md": ("profile", "note", "markdown"),
    }
    assert roles["areas/projects/shop/rules.md"].project == "shop"


def test_it_is_found_once_it_exists(tmp_path: Path) -> None:
    assert list(LAYOUT.find(Surroundings(tmp_path, tmp_path))) == []
    shutil.copytree(HOME, tmp_path / ".memtui")
    (home,) = LAYOUT.find(Surroundings(tmp_path, tmp_path))
    assert (home.path, home.label, home.writable) == (tmp_path / ".memtui", "~/.memtui", True)
    (tmp_path / "moved").mkdir()
    (home,) = LAYOUT.find(Surroundings(tmp_path, tmp_path, {"MEMTUI_HOME": "~/moved"}))
    assert (home.path, home.reason) == (tmp_path / "moved", "named by MEMTUI_HOME")
    assert list(LAYOUT.find(Surroundings(tmp_path, tmp_path, {"MEMTUI_HOME": "~/gone"}))) == []


def test_it_is_told_from_its_neighbours() -> None:
    assert LAYOUT.recognise(HOME) == "user/ beside areas/"
    for other in ("xinghebot", "code_memory", "openclaw", "plain", "helloagents/project"):
        assert LAYOUT.recognise(HOME.parent / other) == ""
