"""What a layout says about every file of a directory, as the index would see it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from memtui.core.model import Role
from memtui.fs.files import FoundFile, walk
from memtui.layouts import load_layout


def roles_of(name: str, home: Path) -> dict[str, Role]:
    """Path -> role of the memories in a home opened as that layout."""
    kind = load_layout(name)
    return {
        found.path: found.role
        for found in walk(home, lambda path: kind.role(home, path), partial(kind.prune, home))
        if isinstance(found, FoundFile)
    }


def brief(roles: dict[str, Role]) -> dict[str, tuple[str, str, str]]:
    """Path -> layer, kind, parser."""
    return {path: (role.layer.value, role.kind, role.parser) for path, role in roles.items()}
