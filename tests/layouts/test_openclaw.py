"""OpenClaw workspaces: the agent's own files, dailies with a date anywhere in the name, topics without one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memtui.layouts import Surroundings
from memtui.layouts.openclaw import LAYOUT
from memtui.model import Status
from tests.layouts.places import roles, write
from tests.layouts.roles_of import brief, roles_of

HOME = Path(__file__).parents[1] / "homes" / "openclaw"


def test_roles() -> None:
    assert brief(roles_of("openclaw", HOME)) == {
        "AGENTS.md": ("profile", "rule", "markdown"),
        "HEARTBEAT.md": ("profile", "todo", "markdown"),
        "MEMORY.md": ("core", "note", "markdown"),
        "SOUL.md": ("profile", "rule", "markdown"),
        "USER.md": ("profile", "note", "markdown"),
        "memory/2026-02-05.md": ("journal", "note", "journal"),
        "memory/2026-02-06-flash-loan.md": ("journal", "note", "journal"),
        "memory/2026-02-07.md": ("journal", "note", "journal"),
        "memory/ai-trending-2026-01-30.md": ("journal", "note", "journal"),
        "memory/heartbeat-state.json": ("knowledge", "note", "json"),
        "memory/people.md": ("knowledge", "note", "markdown"),
        "skills/weather/SKILL.md": ("knowledge", "skill", "markdown"),
    }
    assert LAYOUT.role(HOME, "projects/clone/README.md") is None


def test_a_project_among_the_notes_is_none_of_them(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "run.sh", "GUIDE.md", "out/result.json"):
        for place in ("tasks/bot", "memory/bot"):
            (tmp_path / place / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place / name).touch()
    (tmp_path / "tasks" / "next.md").touch()
    standing = {
        path: role.status
        for path in (
            "tasks/bot/GUIDE.md",
            "tasks/bot/out/result.json",
            "tasks/next.md",
            "memory/bot/GUIDE.md",
        )
        if (role := LAYOUT.role(tmp_path, path)) is not None
    }
    assert standing == {
        "tasks/bot/GUIDE.md": Status.CODE,
        "tasks/bot/out/result.json": Status.CODE,
        "tasks/next.md": Status.ACTIVE,
        "memory/bot/GUIDE.md": Status.ACTIVE,
    }


def test_a_copy_of_all_workspaces_is_one_home_by_any_name(tmp_path: Path) -> None:
    for name in ("workspace", "workspace-ops"):
        shutil.copytree(HOME, tmp_path / "backup-of-ann" / name)
    root = tmp_path / "backup-of-ann"
    assert LAYOUT.recognise(root) == "workspace, workspace-ops of OpenClaw"
    role = LAYOUT.role(root, "workspace-ops/USER.md")
    assert role is not None and role.shipped
    shutil.copy(HOME / "SOUL.md", tmp_path / "SOUL.md")
    assert LAYOUT.recognise(tmp_path) == ""


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("memory/people-archive/ann.md", Status.ARCHIVED),
        ("memory/archived_2025/ann.md", Status.ARCHIVED),
        ("memory/archivists/ann.md", Status.ACTIVE),
        ("memory/reports/disk.json", Status.STATE),
        ("memory/reports/disk.md", Status.ACTIVE),
    ],
)
def test_what_is_put_away_and_what_programs_keep(path: str, status: Status) -> None:
    role = LAYOUT.role(HOME, path)
    assert role is not None and role.status is status


def test_all_the_users_workspaces_are_found_the_old_place_too(tmp_path: Path) -> None:
    for place in (".openclaw/workspace", ".openclaw/workspace-ops", "clawd"):
        shutil.copytree(HOME, tmp_path / place)
    (tmp_path / ".openclaw" / "workspace-new").mkdir()
    (tmp_path / ".openclaw" / "workspace-notes" / "memory").mkdir(parents=True)
    (tmp_path / ".openclaw" / "workspace-notes" / "memory" / "a.md").touch()
    around = Surroundings(tmp_path / "clawd", tmp_path)
    assert [(home.label, home.current) for home in LAYOUT.find(around)] == [
        ("openclaw", False),
        ("notes", False),
        ("ops", False),
        ("clawd", True),
    ]
    assert list(LAYOUT.find(Surroundings(tmp_path, tmp_path / "nobody"))) == []


def test_it_is_told_from_its_neighbours(tmp_path: Path) -> None:
    assert LAYOUT.recognise(HOME) == "SOUL.md and HEARTBEAT.md"
    for other in ("xinghebot", "code_memory", "memtui", "plain", "helloagents/project"):
        assert LAYOUT.recognise(HOME.parent / other) == ""
    for name in ("AGENTS.md", "USER.md", "README.md"):
        (tmp_path / name).touch()
    assert LAYOUT.recognise(tmp_path) == ""


def test_all_workspaces_are_one_home_when_their_directory_is_opened(tmp_path: Path) -> None:
    root = tmp_path / ".openclaw"
    for name in ("workspace", "workspace-coder"):
        write(root / name / "SOUL.md")
        write(root / name / "memory/2026-02-06-loan.md")
        write(root / name / "clone/README.md")
    write(root / "credentials/notes.md")
    write(root / "openclaw.json", "{}")
    assert LAYOUT.recognise(root) == "workspace, workspace-coder of OpenClaw"
    found = roles(LAYOUT, root)
    assert found["workspace-coder/SOUL.md"][0] == "profile"
    assert found["workspace/memory/2026-02-06-loan.md"][0] == "journal"
    assert len(found) == 4
