"""Claude Code's directories: whose they are, and what is in them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from memtui.core.model import Status
from memtui.layouts.claude import LAYOUT
from memtui.layouts.tracks import fold, name_owner, read_project, shorten_slug_path
from tests.layouts.places import around, homes, repository, roles, write

HOME = Path(__file__).parents[1] / "homes/claude"
SESSION = "0aa1c7de-1111-4222-8333-0123456789ab"


def slug(path: Path, keep: str = "") -> str:
    return re.sub(rf"[^A-Za-z0-9{keep}]", "-", str(path.resolve()))


def transcript(folder: Path, cwd: Path, name: str = SESSION) -> Path:
    record = {"type": "user", "cwd": str(cwd.resolve()), "message": {"role": "user", "content": "hi"}}
    return write(folder / f"{name}.jsonl", json.dumps(record) + "\n")


def test_the_files_of_a_project() -> None:
    assert roles(LAYOUT, HOME / "projects/-home-lin-my-shop") == {
        f"{SESSION}.jsonl": ("session", "session", "claude-transcript"),
        "memory/MEMORY.md": ("core", "note", "markdown"),
        "memory/archive/old.md": ("knowledge", "topic", "markdown"),
        "memory/deploy.md": ("knowledge", "topic", "markdown"),
        "memory/payment_callback.md": ("knowledge", "topic", "markdown"),
    }


def test_only_the_head_of_a_transcript_is_read() -> None:
    role = LAYOUT.role(HOME, f"{SESSION}.jsonl")
    assert role is not None
    assert 0 < role.limit < 1024 * 1024


def test_the_whole_configuration_directory_as_one_home() -> None:
    assert "projects" in LAYOUT.recognise(HOME)
    found = roles(LAYOUT, HOME)
    assert found["CLAUDE.md"] == ("profile", "rule", "markdown")
    assert found["rules/style.md"] == ("knowledge", "rule", "markdown")
    assert found["agent-memory/reviewer/MEMORY.md"] == ("core", "note", "markdown")
    assert found["projects/-home-lin-notes/memory/MEMORY.md"] == ("core", "note", "markdown")
    assert found[f"projects/-home-lin-my-shop/{SESSION}.jsonl"] == ("session", "session", "claude-transcript")
    assert not any("subagents" in path or "todos" in path or "plugins" in path for path in found)
    role = LAYOUT.role(HOME, "projects/-home-lin-my-shop/memory/deploy.md")
    assert role is not None
    assert role.project == "-home-lin-my-shop"


@pytest.mark.parametrize("keep", ["", "_", "_."])
def test_the_current_project_is_known_however_its_name_was_folded(tmp_path: Path, keep: str) -> None:
    here = repository(tmp_path / "src" / "my_app.v2")
    folder = tmp_path / ".claude/projects" / slug(here, keep)
    write(folder / "memory/MEMORY.md")
    (home,) = homes(LAYOUT, around(here, tmp_path)).values()
    assert home.current
    assert home.path == folder.resolve()
    assert (home.label, home.project) == ("my_app.v2", str(here))


def test_a_transcript_tells_the_true_path(tmp_path: Path) -> None:
    here = repository(tmp_path / "src" / "my_app.v2")
    transcript(tmp_path / ".claude/projects" / slug(here), here)
    (home,) = homes(LAYOUT, around(here, tmp_path)).values()
    assert (home.label, home.project, home.current) == ("my_app.v2", str(here.resolve()), True)
    assert "1 transcript of" in home.reason


def test_two_paths_that_fold_alike_are_told_apart_by_their_transcripts(tmp_path: Path) -> None:
    here, other = repository(tmp_path / "my-app"), repository(tmp_path / "my_app")
    assert fold(str(here)) == fold(str(other))
    transcript(tmp_path / ".claude/projects" / slug(other), other)
    (home,) = homes(LAYOUT, around(here, tmp_path)).values()
    assert (home.label, home.current) == ("my_app", False)


def test_the_directory_a_project_is_named_after_wins_over_one_that_was_visited(tmp_path: Path) -> None:
    here = repository(tmp_path / "shop")
    folder = tmp_path / ".claude/projects" / slug(here)
    lines = [json.dumps({"cwd": str(tmp_path / name)}) for name in ("elsewhere", "shop")]
    write(folder / f"{SESSION}.jsonl", "\n".join(lines))
    found = read_project(folder)
    assert found is not None
    assert found.cwd == str(tmp_path / "shop")


def test_sessions_from_subdirectories_and_worktrees_are_the_project_s(tmp_path: Path) -> None:
    here = repository(tmp_path / "shop")
    tree = here / ".git/worktrees/fix"
    write(tree / "gitdir", f"{tmp_path / 'shop-fix' / '.git'}\n")
    write(tmp_path / "shop-fix/.git", f"gitdir: {tree}\n")
    write(tree / "commondir", "../..\n")
    inner = here / "packages/web"
    inner.mkdir(parents=True)
    projects = tmp_path / ".claude/projects"
    transcript(projects / slug(inner), inner)
    transcript(projects / slug(tmp_path / "shop-fix"), tmp_path / "shop-fix")
    write(projects / f"{slug(here)}--claude-worktrees-a1" / "memory/MEMORY.md")
    transcript(projects / slug(tmp_path / "shopping"), tmp_path / "shopping")
    found = homes(LAYOUT, around(here, tmp_path))
    assert {Path(path).name.rsplit("-", 1)[-1]: home.current for path, home in found.items()} == {
        "web": True,
        "fix": True,
        "a1": True,
        "shopping": False,
    }


def test_outside_a_repository_only_the_directory_itself_counts(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    transcript(tmp_path / ".claude/projects" / slug(inner), inner)
    transcript(tmp_path / ".claude/projects" / slug(tmp_path), tmp_path)
    found = homes(LAYOUT, around(tmp_path, tmp_path))
    assert [home.current for home in found.values()] == [True, False]


def test_the_environment_moves_the_directory_and_names_the_project(tmp_path: Path) -> None:
    write(tmp_path / ".claude/projects/-ignored/memory/MEMORY.md")
    write(tmp_path / "cfg/projects/-custom/memory/MEMORY.md")
    cwd = repository(tmp_path / "shop")
    env = {"CLAUDE_CONFIG_DIR": "~/cfg", "CLAUDE_CODE_PROJECT_DIR_NAME": "-custom"}
    found = homes(LAYOUT, around(cwd, tmp_path, **env))
    assert {path: home.current for path, home in found.items()} == {"cfg/projects/-custom": True}


def test_memory_that_stands_elsewhere(tmp_path: Path) -> None:
    here = repository(tmp_path / "shop")
    write(tmp_path / ".claude/settings.json", '{"autoMemoryDirectory": "~/notes/claude"}')
    write(tmp_path / "notes/claude/topic.md")
    write(here / ".claude/settings.local.json", '{"autoMemoryDirectory": "docs/memory"}')
    write(here / "docs/memory/MEMORY.md")
    write(here / ".claude/memory/topic.md")
    write(here / "memory/MEMORY.md", "- [a](a.md)")
    write(here / "memory/a.md")
    found = homes(LAYOUT, around(here, tmp_path))
    assert {path: home.current for path, home in found.items()} == {
        "notes/claude": False,
        "shop/docs/memory": True,
        "shop/.claude/memory": True,
        "shop/memory": True,
    }
    assert roles(LAYOUT, here / "memory") == {
        "MEMORY.md": ("core", "note", "markdown"),
        "a.md": ("knowledge", "topic", "markdown"),
    }


@pytest.mark.parametrize(
    "settings", ["{", "[]", '{"autoMemoryDirectory": 5}', '{"autoMemoryDirectory": "a\\u0000b"}', "[" * 99999]
)
def test_broken_settings_are_no_reason_to_stop(tmp_path: Path, settings: str) -> None:
    write(tmp_path / ".claude/settings.json", settings)
    assert homes(LAYOUT, around(repository(tmp_path / "shop"), tmp_path)) == {}


def test_code_memory_s_directory_is_not_taken_for_a_project_s(tmp_path: Path) -> None:
    write(tmp_path / ".claude/memory/MEMORY.md")
    assert homes(LAYOUT, around(tmp_path, tmp_path)) == {}


def test_empty_projects_are_left_out(tmp_path: Path) -> None:
    (tmp_path / ".claude/projects/-a/memory").mkdir(parents=True)
    write(tmp_path / ".claude/projects/-b/agent-x.jsonl")
    write(tmp_path / ".claude/projects/file")
    assert homes(LAYOUT, around(tmp_path, tmp_path)) == {}


def test_opened_exactly(tmp_path: Path) -> None:
    copy = tmp_path / "copied"
    shutil.copytree(HOME / "projects/-home-lin-my-shop", copy)
    assert "transcript" in LAYOUT.recognise(copy)
    assert "auto memory" in LAYOUT.recognise(HOME / "projects/-home-lin-my-shop")
    assert "auto memory" in LAYOUT.recognise(HOME / "projects/-home-lin-notes")
    assert "auto memory" in LAYOUT.recognise(HOME / "projects/-home-lin-my-shop/memory")
    assert "reviewer" in LAYOUT.recognise(HOME / "agent-memory/reviewer")
    assert LAYOUT.recognise(copy / "memory")


@pytest.mark.parametrize(
    "files",
    [
        ["notes.md"],
        ["MEMORY.md"],
        ["MEMORY.md", "2026-02-20.md"],
        ["MEMORY.md", "SOUL.md", "topic.md"],
        ["MEMORY.md", "topic.md", "daily/2026-02-20.md"],
        ["records.jsonl"],
    ],
)
def test_what_is_not_claude_s(tmp_path: Path, files: list[str]) -> None:
    for name in files:
        write(tmp_path / "dir" / name)
    assert LAYOUT.recognise(tmp_path / "dir") == ""


def test_dated_notes_are_journal() -> None:
    role = LAYOUT.role(HOME, "memory/logs/2026-02-20.md")
    assert role is not None
    assert (role.layer.value, role.parser) == ("journal", "journal")


def test_a_session_that_began_further_inside_is_of_the_directory_it_is_named_after(tmp_path: Path) -> None:
    shop = repository(tmp_path / "my shop")
    folder = tmp_path / ".claude/projects" / slug(shop)
    transcript(folder, shop / "src" / "deep")
    (home,) = homes(LAYOUT, around(shop, tmp_path)).values()
    assert (home.label, home.project, home.current) == ("my shop", str(shop.resolve()), True)


def test_a_directory_of_ours_is_ours_whatever_its_transcripts_say(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    transcript(tmp_path / ".claude/projects" / slug(shop), tmp_path / "elsewhere")
    (home,) = homes(LAYOUT, around(shop, tmp_path)).values()
    assert home.current


def test_a_project_of_another_system_has_its_own_name(tmp_path: Path) -> None:
    record = {"type": "user", "cwd": "E:\\dev\\my agents", "message": {"role": "user", "content": "hi"}}
    write(tmp_path / f".claude/projects/E--dev-my-agents/{SESSION}.jsonl", json.dumps(record) + "\n")
    (home,) = homes(LAYOUT, around(tmp_path, tmp_path)).values()
    assert (home.label, home.project) == ("my agents", "E:\\dev\\my agents")


@pytest.mark.parametrize(
    ("slug", "label"),
    [
        ("-Users-mei-work-pay-api", "pay-api"),
        ("-home-mei--dotfiles", "dotfiles"),
        ("C--Users-Mei-Documents-GitHub-shop", "shop"),
        ("-srv-build-agent", "srv-build-agent"),
        ("-Users-mei-work", "work"),
        ("D--", "D"),
    ],
)
def test_a_project_without_transcripts_is_called_by_its_last_folder(tmp_path: Path, slug: str, label: str) -> None:
    memory = tmp_path / ".claude" / "projects" / slug / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- deploys on Fridays\n")
    assert LAYOUT.label(memory) == label
    assert LAYOUT.label(memory.parent) == label


def test_a_project_that_is_still_there_is_called_as_its_folder_is(tmp_path: Path) -> None:
    (tmp_path / "work" / "pay").mkdir(parents=True)
    (tmp_path / "work" / "pay-api.v2").mkdir()
    memory = tmp_path / ".claude" / "projects" / fold(str(tmp_path / "work" / "pay-api.v2")) / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- deploys on Fridays\n")
    assert LAYOUT.label(memory) == "pay-api.v2"
    (tmp_path / "work" / "pay-api.v2").rmdir()
    assert LAYOUT.label(memory) == "pay-api-v2"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("projects/-Users-ana-work-shop/memory/MEMORY.md", "shop/MEMORY.md"),
        ("projects/-home-ana-code-my-shop/memory/deploy.md", "my-shop/deploy.md"),
        ("projects/-home-ana-shop/0aa1c7de.jsonl", "shop/0aa1c7de.jsonl"),
        ("projects/C--Users-ana-shop/memory/MEMORY.md", "shop/MEMORY.md"),
        ("projects/shop/memory/MEMORY.md", "projects/shop/memory/MEMORY.md"),
        ("MEMORY.md", "MEMORY.md"),
    ],
)
def test_a_path_is_shown_with_its_project_s_name(path: str, shown: str) -> None:
    assert shorten_slug_path(path) == shown


@pytest.mark.parametrize(
    ("path", "whose"),
    [
        ("workspace-pm/MEMORY.md", "pm"), ("agents/writer/notes/a.md", "writer"),
        (".claude/agent-memory/reviewer/MEMORY.md", "reviewer"), ("projects/-home-ana-code-shop/memory/a.md", "shop"),
        ("MEMORY.md", ""), ("agents/README.md", ""), ("workspace/MEMORY.md", ""), ("memory/agents.md", ""),
    ],
)  # fmt: skip
def test_a_file_in_a_home_of_several_is_somebody_s(path: str, whose: str) -> None:
    assert name_owner(path) == whose


def test_documents_beside_the_projects_are_none_of_their_memories(tmp_path: Path) -> None:
    write(tmp_path / "projects/-home-lin-shop/memory/MEMORY.md")
    places = {
        "projects/-home-lin-shop/memory/gate.md": Status.ACTIVE,
        "docs/plans/2026-04-05-gate.md": Status.CODE,
        "memory-example/gate.md": Status.TEMPLATE,
        "SKILL.md": Status.SKILL,
    }
    assert {path: (role := LAYOUT.role(tmp_path, path)) and role.status for path in places} == places
