"""Finding homes without configuration, and opening exactly the path a person names."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.errors import UnavailableError, UsageError
from memtui.layouts import Naming, Surroundings, layout, layouts
from memtui.layouts.git import project_roots
from memtui.model import Home

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_INSIDE = (".cursor/skills/memory-data", ".multi_agent/memory", ".claude/memory", "memory")


def surroundings(cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Surroundings:
    """What discovery looks at: this directory, this user, this environment. A worktree brings its siblings."""
    env = os.environ if env is None else env
    here = Path.cwd() if cwd is None else cwd
    user = Path(env["HOME"]) if env.get("HOME") else Path.home()
    return Surroundings(here, user, env, project_roots(here))


def discover(around: Surroundings, more: Iterable[Path] = (), without: Iterable[str] = ()) -> list[Home]:
    """Every home for this directory and this user, the current project's first.

    `more` are directories a person configured; `without` are layouts or paths to leave out.
    """
    left_out = {name if "/" not in name else str(Path(name).expanduser()) for name in without}
    left_out |= {name.replace("_", "-") for name in left_out}
    found: dict[Path, Home] = {}
    for kind in layouts():
        if kind.name in left_out:
            continue
        for home in kind.find(around):
            found.setdefault(home.path, home)
    for path in more:
        if path.expanduser().is_dir():
            home = at(path)
            found.setdefault(home.path, replace(home, reason=f"{home.reason}; named in the config"))
    homes = [home for home in found.values() if str(home.path) not in left_out]
    return sorted(homes, key=lambda home: not home.current)


def at(path: Path) -> Home:
    """The home at exactly this path, whatever its layout; for a file, the home around it.

    Raises UsageError where there is nothing, UnavailableError where it may not be read.
    """
    try:
        real = path.expanduser().resolve(strict=True)
    except FileNotFoundError:
        raise UsageError(f"there is nothing at {path}") from None
    except (OSError, RuntimeError) as error:
        raise UnavailableError(f"{path} cannot be opened: {error}") from None
    if not real.is_dir():
        return _around(real)
    if not os.access(real, os.R_OK | os.X_OK):
        raise UnavailableError(f"{real} may not be read: check its permissions")
    *known, plain = layouts()
    for kind in known:
        reason = kind.recognise(real)
        if reason:
            return home_of(real, kind.name, reason)
    # A project is named by its own directory, however deep inside it a tool keeps what it remembers.
    for place in _INSIDE:
        inner = real / place
        if inner.is_dir():
            for kind in known:
                reason = kind.recognise(inner.resolve())
                if reason:
                    return home_of(inner.resolve(), kind.name, reason)
    return home_of(real, plain.name, plain.recognise(real) or "a directory with no memories in it yet")


def home_of(path: Path, name: str, reason: str) -> Home:
    """A home of that layout at this path, labelled by the last telling part of its path."""
    kind = layout(name)
    label = kind.label(path) if isinstance(kind, Naming) else ""
    return Home(
        path, kind.name, reason, _of_user(path) or label or _label(path), writable=os.access(path, os.W_OK)
    )


def _of_user(path: Path) -> str:
    """'~/.claude/memory' for what a tool keeps for the user; empty for anything else."""
    try:
        parts = path.relative_to(Path.home().resolve()).parts
    except (ValueError, RuntimeError, OSError):
        return ""
    return f"~/{'/'.join(parts)}" if parts and len(parts) < 3 and parts[0].startswith(".") else ""


def _around(file: Path) -> Home:
    for folder in file.parents:
        for kind in layouts()[:-1]:
            if kind.recognise(folder) and kind.role(folder, file.relative_to(folder).as_posix()) is not None:
                return home_of(folder, kind.name, f"the home around {file.name}")
    plain = layout("plain")
    if plain.role(file.parent, file.name) is None:
        raise UsageError(f"{file} is not a file memtui can read: Markdown, JSON and JSONL are")
    return home_of(file.parent, plain.name, f"the directory of {file.name}")


def _label(path: Path) -> str:
    generic = {
        ".claude",
        ".cursor",
        ".multi_agent",
        "memory",
        "memories",
        "workspace",
        ".helloagents",
        "helloagents",
        "memory-data",
        "data",
        "skills",
    }
    parts = [part for part in path.parts if part not in {"/", ""}]
    for part in reversed(parts):
        if part.lower() not in generic:
            return part
    return path.name or str(path)
