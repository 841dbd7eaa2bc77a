"""A user with agents, and a project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.agents.install.planning import carry_out, plan_addition, plan_removal
from memtui.agents.install.wiring import Options


@pytest.fixture
def user() -> Path:
    """The user's own directory, with the agents' own in it."""
    home = Path(os.environ["HOME"])
    for name in (".claude", ".codex", ".openclaw/workspace", ".cursor"):
        (home / name).mkdir(parents=True)
    return home


@pytest.fixture
def config(user: Path) -> Path:
    """Where Codex's config.toml stands, if there is one."""
    return user / ".codex" / "config.toml"


@pytest.fixture
def project(user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is worked in, somewhere below its root."""
    place = user / "work" / "shop"
    (place / ".git").mkdir(parents=True)
    (place / "src").mkdir()
    monkeypatch.chdir(place / "src")
    return place


def put(agent: str, how: str = "", scope: str = "") -> None:
    carry_out(plan_addition(agent, Options(how, scope)))


def back(agent: str, how: str = "", scope: str = "") -> None:
    carry_out(plan_removal(agent, Options(how, scope)))


def tree(place: Path) -> dict[str, bytes | None]:
    """Everything below a directory; None: a directory."""
    return {
        str(path.relative_to(place)): None if path.is_dir() else path.read_bytes()
        for path in sorted(place.rglob("*"))
        if not path.relative_to(place).as_posix().startswith(".state")
    }
