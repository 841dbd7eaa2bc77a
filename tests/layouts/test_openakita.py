"""OpenAkita's workspaces, the user's and the project's."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.layouts.openakita import LAYOUT
from tests.homes.openakita import build
from tests.layouts.places import around, homes, repository, roles, write

FILES = {
    "data/memory/openakita.db": ("knowledge", "fact", "memory-rows"),
    "data/memory/memories.json": ("knowledge", "fact", "memories-json"),
    "data/memory/conversation_history/telegram_1001.jsonl": ("session", "turn", "jsonl"),
    "data/memory/daily_summaries/2026-02-20.md": ("journal", "summary", "journal"),
    "identity/MEMORY.md": ("core", "note", "markdown"),
    "identity/USER.md": ("profile", "note", "markdown"),
    "identity/SOUL.md": ("profile", "rule", "markdown"),
    "identity/personas/tech_expert.md": ("profile", "rule", "markdown"),
}


def test_every_file_has_its_role(tmp_path: Path) -> None:
    home = build(tmp_path / "ws")
    write(home / "data/memory/openakita.db.bak.v5_to_v6.20260220", "")
    assert roles(LAYOUT, home) == FILES


def test_the_database_is_opened_by_its_parser(tmp_path: Path) -> None:
    role = LAYOUT.role(tmp_path, "data/memory/openakita.db")
    assert role is not None
    assert role.limit == 0


def test_all_workspaces_of_the_user(tmp_path: Path) -> None:
    build(tmp_path / ".openakita/workspaces/default")
    build(tmp_path / ".openakita/workspaces/工作")
    (tmp_path / ".openakita/workspaces/empty").mkdir()
    found = homes(LAYOUT, around(repository(tmp_path / "shop"), tmp_path))
    assert {path: home.label for path, home in found.items()} == {
        ".openakita/workspaces/default": "default",
        ".openakita/workspaces/工作": "工作",
    }
    assert not any(home.current for home in found.values())
    whole = roles(LAYOUT, tmp_path / ".openakita")
    assert "2 workspaces" in LAYOUT.recognise(tmp_path / ".openakita")
    assert len(whole) == 2 * len(FILES)
    assert whole["workspaces/工作/identity/USER.md"] == FILES["identity/USER.md"]


def test_the_environment_moves_the_root(tmp_path: Path) -> None:
    build(tmp_path / ".openakita/workspaces/default")
    build(tmp_path / "oa/workspaces/other")
    surroundings = around(tmp_path, tmp_path, OPENAKITA_ROOT=str(tmp_path / "oa"))
    assert list(homes(LAYOUT, surroundings)) == ["oa/workspaces/other"]


def test_a_project_is_a_workspace_of_its_own(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    build(shop)
    write(shop / "docs/README.md")
    write(shop / "node/memory/notes.md")
    (home,) = homes(LAYOUT, around(shop, tmp_path)).values()
    assert (home.current, home.project) == (True, str(shop.resolve()))
    assert roles(LAYOUT, shop) == FILES


def test_its_memory_directory_opened_exactly(tmp_path: Path) -> None:
    home = build(tmp_path / "ws") / "data/memory"
    assert LAYOUT.recognise(home) == "openakita.db"
    assert roles(LAYOUT, home) == {
        path.removeprefix("data/memory/"): role for path, role in FILES.items() if path.startswith("data/memory/")
    }


@pytest.mark.parametrize("name", ["memory.db", "memories.json"])
def test_old_names_count_in_their_place_only(tmp_path: Path, name: str) -> None:
    write(tmp_path / "ws/data/memory" / name)
    write(tmp_path / "other" / name)
    assert LAYOUT.recognise(tmp_path / "ws")
    assert LAYOUT.recognise(tmp_path / "other") == ""


@pytest.mark.parametrize(
    "path",
    [
        "src",
        "data/react_traces",
        "identity/runtime",
        "data/memory/.quarantine.1",
        "data/cache",
        "docs/identity2",
    ],
)
def test_pruned(path: str) -> None:
    assert LAYOUT.prune(Path("home"), path)
