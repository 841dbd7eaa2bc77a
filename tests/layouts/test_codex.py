"""Codex's directory: memories, rollouts, and nothing else of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.layouts.codex import LAYOUT
from tests.layouts.places import around, homes, roles, write

HOME = Path(__file__).parents[1] / "homes/codex"
ROLLOUT = "rollout-2026-02-20T17-00-00-0195aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee.jsonl"
MEMORIES = {
    "MEMORY.md": ("core", "note", "markdown"),
    "memory_summary.md": ("core", "note", "markdown"),
    "raw_memories.md": ("knowledge", "note", "markdown"),
    "rollout_summaries/2026-02-20T09-00-00-fix.md": ("session", "session", "session"),
    "skills/release/SKILL.md": ("knowledge", "skill", "markdown"),
    "extensions/notes/instructions.md": ("knowledge", "rule", "markdown"),
}


def test_every_file_has_its_role() -> None:
    archived = "archived_sessions/rollout-2025-07-01T08-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl"
    assert roles(LAYOUT, HOME) == {
        "AGENTS.md": ("profile", "rule", "markdown"),
        f"sessions/2026/02/20/{ROLLOUT}": ("session", "session", "codex-transcript"),
        archived: ("session", "session", "codex-transcript"),
        **{f"memories/{path}": role for path, role in MEMORIES.items()},
    }


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("memories", MEMORIES),
        ("sessions", {f"2026/02/20/{ROLLOUT}": ("session", "session", "codex-transcript")}),
        ("sessions/2026/02/20", {ROLLOUT: ("session", "session", "codex-transcript")}),
    ],
)
def test_a_part_of_it_opened_exactly(part: str, expected: dict[str, tuple[str, str, str]]) -> None:
    assert "Codex" in LAYOUT.recognise(HOME / part)
    assert roles(LAYOUT, HOME / part) == expected


def test_found_where_the_environment_says(tmp_path: Path) -> None:
    write(tmp_path / ".codex/AGENTS.md")
    write(tmp_path / "cx/sessions/2026/01/01/rollout-x.jsonl")
    assert list(homes(LAYOUT, around(tmp_path, tmp_path))) == [".codex"]
    found = homes(LAYOUT, around(tmp_path, tmp_path, CODEX_HOME=str(tmp_path / "cx")))
    assert {path: home.reason for path, home in found.items()} == {"cx": "sessions"}


def test_nothing_to_show_is_no_home(tmp_path: Path) -> None:
    write(tmp_path / ".codex/config.toml")
    (tmp_path / ".codex/sessions").mkdir()
    assert homes(LAYOUT, around(tmp_path, tmp_path)) == {}
    assert LAYOUT.recognise(tmp_path / ".codex") == ""
    assert LAYOUT.recognise(tmp_path) == ""


@pytest.mark.parametrize("path", ["log", "skills", "tmp", "memories/.git", "sessions/x", ".tmp", "worktrees"])
def test_pruned(path: str) -> None:
    assert LAYOUT.prune(Path("home"), path) is (path != "skills")


@pytest.mark.parametrize(
    "path", ["memories", "sessions", "sessions/2026/02", "archived_sessions", "memories/skills/release"]
)
def test_walked(path: str) -> None:
    assert not LAYOUT.prune(Path("home"), path)
