"""CLAUDE.md, rules and sub-agents' memory, the user's and the project's."""

from __future__ import annotations

from pathlib import Path

from memtui.layouts.claude_md import LAYOUT
from tests.layouts.places import around, homes, repository, roles, write

HOME = Path(__file__).parents[1] / "homes/claude"


def test_the_user_s_own() -> None:
    assert roles(LAYOUT, HOME) == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "rules/style.md": ("knowledge", "rule", "markdown"),
        "agent-memory/reviewer/MEMORY.md": ("core", "note", "markdown"),
    }


def test_found_for_the_user_and_for_each_directory_of_the_project(tmp_path: Path) -> None:
    write(tmp_path / ".claude/CLAUDE.md")
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md")
    write(shop / "AGENTS.md")
    write(shop / "src/deep/README.md")
    write(shop / ".claude/rules/style.md")
    write(shop / ".claude/agent-memory/tester/flaky.md")
    write(shop / ".claude/commands/x.md")
    write(shop / "web/CLAUDE.local.md")
    found = homes(LAYOUT, around(shop / "web", tmp_path))
    assert {path: (home.label, home.current) for path, home in found.items()} == {
        ".claude": ("~/.claude", False),
        "shop/web": ("web", True),
        "shop": ("shop", True),
    }
    assert found["shop"].reason == "CLAUDE.md, rules, agent-memory under .claude"
    assert roles(LAYOUT, shop) == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "AGENTS.md": ("profile", "rule", "markdown"),
        ".claude/rules/style.md": ("knowledge", "rule", "markdown"),
        ".claude/agent-memory/tester/flaky.md": ("knowledge", "topic", "markdown"),
    }


def test_a_project_without_any_of_it_is_no_home(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "AGENTS.md")
    write(shop / ".claude/settings.json", "{}")
    assert homes(LAYOUT, around(shop, tmp_path)) == {}


def test_started_in_the_user_s_directory_the_configuration_is_found_once(tmp_path: Path) -> None:
    write(tmp_path / ".claude/CLAUDE.md")
    assert list(homes(LAYOUT, around(tmp_path, tmp_path))) == [".claude"]


def test_a_directory_that_another_layout_made_its_home_keeps_it(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "data/memory/openakita.db", "")
    write(shop / "CLAUDE.md")
    write(shop / ".claude/rules/style.md")
    assert list(homes(LAYOUT, around(shop, tmp_path))) == ["shop/.claude"]


def test_opened_exactly(tmp_path: Path) -> None:
    write(tmp_path / "a/CLAUDE.md")
    write(tmp_path / "b/CLAUDE.md")
    write(tmp_path / "b/notes.md")
    write(tmp_path / "c/.claude/rules/x.md")
    assert LAYOUT.recognise(tmp_path / "a") == "CLAUDE.md"
    assert LAYOUT.recognise(tmp_path / "b") == ""
    assert LAYOUT.recognise(tmp_path / "c") == "rules under .claude"
    assert LAYOUT.recognise(tmp_path / "c/.claude") == "rules"
    assert LAYOUT.recognise(tmp_path) == ""


def test_a_project_reads_its_inner_directories_instructions_once(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    for name in ("CLAUDE.md", "web/CLAUDE.md", "web/ui/CLAUDE.md", "apps/one/CLAUDE.md", "web/notes.md"):
        write(shop / name)
    told = ("profile", "rule", "markdown")
    assert roles(LAYOUT, shop) == dict.fromkeys(("CLAUDE.md", "web/CLAUDE.md", "web/ui/CLAUDE.md"), told)
    assert set(homes(LAYOUT, around(shop / "web", tmp_path))) == {"shop"}


def test_files_that_instructions_send_to_and_diaries_are_read(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md", "# Shop\n\n@style.md\n\nRead `BRAND.md` first.\n\nDocs: `GUIDE.md`.\n")
    for name in (
        "style.md",
        "BRAND.md",
        "README.md",
        "other.md",
        "journals/2026-03-02.md",
        "journals/plan.md",
    ):
        write(shop / name)
    assert roles(LAYOUT, shop) == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "style.md": ("knowledge", "rule", "markdown"),
        "BRAND.md": ("knowledge", "rule", "markdown"),
        "journals/2026-03-02.md": ("journal", "note", "journal"),
    }
