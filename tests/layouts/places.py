"""Homes in places of their own: a user's directory, repositories in it, and what a layout makes of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from memtui.core.model import Home, Role
from memtui.fs.files import FoundFile, walk
from memtui.layouts import Layout, Surroundings, load_layout
from memtui.layouts.git import find_project_roots


def repository(path: Path) -> Path:
    """A directory that is a checkout as far as anybody looks."""
    (path / ".git").mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return path


def write(path: Path, text: str = "x\n") -> Path:
    """A file with its directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def around(cwd: Path, user: Path, **env: str) -> Surroundings:
    """What discovery sees from there."""
    return Surroundings(cwd, user, env, find_project_roots(cwd))


def homes(layout: Layout, surroundings: Surroundings) -> dict[str, Home]:
    """What a layout finds, by path relative to the user's directory."""
    base = surroundings.user.resolve()
    return {home.path.relative_to(base).as_posix(): home for home in layout.find(surroundings)}


def roles_of(layout: Layout | str, home: Path) -> dict[str, Role]:
    """Path -> role of what the walk of a home would read, opened as that layout."""
    kind = load_layout(layout) if isinstance(layout, str) else layout
    home = home.resolve()
    return {
        found.path: found.role
        for found in walk(home, lambda path: kind.role(home, path), partial(kind.prune, home))
        if isinstance(found, FoundFile)
    }


def brief(roles: dict[str, Role]) -> dict[str, tuple[str, str, str]]:
    """Path -> layer, kind, parser."""
    return {path: (role.layer.value, role.kind, role.parser) for path, role in roles.items()}


def roles(layout: Layout, home: Path) -> dict[str, tuple[str, str, str]]:
    """The same of a home."""
    return brief(roles_of(layout, home))
