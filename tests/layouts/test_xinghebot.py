"""XingheBot: workspaces by key, the current project's key in every way spec 001 names, homes moved by a config."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from memtui.layouts import Surroundings
from memtui.layouts.xinghebot import LAYOUT
from tests.layouts.places import brief, roles_of

HOME = Path(__file__).parents[1] / "homes" / "xinghebot"


@pytest.fixture
def user(tmp_path: Path) -> Path:
    for key in ("github.com_acme_shop", "other_12345678", "configured"):
        shutil.copytree(HOME, tmp_path / "me" / ".xinghebot" / "workspace" / key / "memory")
    (tmp_path / "me" / ".xinghebot" / "workspace" / "empty").mkdir()
    return tmp_path / "me"


def current(around: Surroundings) -> list[str]:
    return [home.project for home in LAYOUT.find(around) if home.current]


def project(path: Path, user: Path) -> Surroundings:
    path.mkdir(parents=True, exist_ok=True)
    return Surroundings(path, user, {}, (path,))


def test_every_workspace_is_found_and_this_projects_is_current(tmp_path: Path, user: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    around = project(shop, user)
    homes = list(LAYOUT.find(around))
    assert [home.project for home in homes] == ["configured", "github.com_acme_shop", "other_12345678"]
    assert current(around) == ["github.com_acme_shop"]


def test_a_config_names_the_key(tmp_path: Path, user: Path) -> None:
    around = project(tmp_path / "x", user)
    assert current(around) == []
    (tmp_path / "x" / "config.json").write_text(json.dumps({"memory": {"project_key": "configured"}}))
    assert current(around) == ["configured"]


def test_without_an_origin_the_directorys_name_and_hash_are_the_key(tmp_path: Path, user: Path) -> None:
    path = tmp_path / "无名"
    key = f"无名_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"
    shutil.copytree(HOME, user / ".xinghebot" / "workspace" / key / "memory")
    assert current(project(path, user)) == [key]


def test_a_config_moves_the_home_and_a_project_may_hold_its_own(tmp_path: Path, user: Path) -> None:
    around = project(tmp_path / "p", user)
    shutil.copytree(HOME, tmp_path / "p" / "elsewhere" / "memory")
    shutil.copytree(HOME, tmp_path / "p" / ".multi_agent" / "memory")
    (tmp_path / "p" / "config.json").write_text(json.dumps({"memory": {"root_dir": "elsewhere/memory"}}))
    found = {str(home.path.relative_to(tmp_path)): home.current for home in LAYOUT.find(around)}
    assert found["p/elsewhere/memory"]
    assert found["p/.multi_agent/memory"]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"memory": 3}', '{"memory": {"project_key": 7, "root_dir": "\\u0000"}}', "[" * 9999]
)
def test_a_config_that_is_none_changes_nothing(tmp_path: Path, user: Path, text: str) -> None:
    around = project(tmp_path / "x", user)
    (tmp_path / "x" / "config.json").write_text(text)
    assert current(around) == []


def test_roles() -> None:
    assert brief(roles_of("xinghebot", HOME)) == {
        "MEMORY.md": ("core", "note", "markdown"),
        "daily/2026-02-24.md": ("journal", "note", "journal"),
        "daily/2026-02-25.md": ("journal", "note", "journal"),
        "daily/2026-02-26.md": ("journal", "note", "journal"),
        "sessions/2026-02-24-run-20260224-153000-abc123.md": ("session", "session", "session"),
        "sessions/2026-02-25-run-20260224-153000-abc123.md": ("session", "session", "session"),
        "sessions/2026-02-26-run-empty.md": ("session", "session", "session"),
    }
    assert LAYOUT.role(HOME, "index/notes.md") is None


def test_it_is_told_from_its_neighbours() -> None:
    assert LAYOUT.recognise(HOME) == "MEMORY.md, daily, sessions"
    for other in ("code_memory", "memtui", "openclaw", "plain", "helloagents/project"):
        assert LAYOUT.recognise(HOME.parent / other) == ""
