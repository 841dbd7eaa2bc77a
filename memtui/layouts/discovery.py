"""Finding homes without configuration, and opening exactly the path a person names."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

from memtui.errors import UnavailableError, UsageError
from memtui.layouts import Naming, Surroundings, layout, layouts, telling
from memtui.layouts.git import project_roots
from memtui.model import Home
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CLOSED = "it may not be looked into: check its permissions"

_INSIDE = (
    ".cursor/skills/memory-data", "skills/memory-data", "memory-data", ".multi_agent/memory", ".claude/memory",
    "memory",
)  # fmt: skip


def surroundings(cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Surroundings:
    """What discovery looks at: this directory, this user, this environment. A worktree brings its siblings."""
    env = os.environ if env is None else env
    user = Path(env["HOME"]) if env.get("HOME") else Path.home()
    try:
        here = Path.cwd() if cwd is None else cwd
    except OSError:
        # The directory is gone; what the user has anywhere is still there.
        here = user
    return Surroundings(here, user, env, project_roots(here, user))


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
        try:
            for home in kind.find(around):
                found.setdefault(home.path, home)
        except PermissionError as error:
            # It hides what its layout would find after it, and nothing else; that it is there is said.
            closed = Path(error.filename or around.user).parent
            label = _of_user(closed) or _label(closed)
            found.setdefault(closed, Home(closed, kind.name, _CLOSED, label, writable=False))
        except OSError:
            continue
    for path in more:
        if path.expanduser().is_dir():
            home = at(path)
            found.setdefault(home.path, home._replace(reason=f"{home.reason}; named in the config"))
    homes = [home for home in found.values() if str(home.path) not in left_out]
    return sorted(homes, key=lambda home: not home.current)


def at(path: Path) -> Home:
    """The home at exactly this path, whatever its layout; for a file, the home around it, or that file alone.

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
    # A project is named by its own directory, however deep inside it a tool keeps what it remembers.
    inside = (inner.resolve() for inner in (real / place for place in _INSIDE) if inner.is_dir())
    for folder in chain([real], inside):
        for kind in telling():
            reason = kind.recognise(folder)
            if reason:
                return home_of(folder, kind.name, reason)
    return home_of(real, "plain", layout("plain").recognise(real) or "a directory with no memories in it yet")


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
        for kind in telling():
            if kind.recognise(folder) and kind.role(folder, file.relative_to(folder).as_posix()) is not None:
                return home_of(folder, kind.name, f"the home around {file.name}")
    plain = layout("plain")
    if plain.role(file.parent, file.name) is None:
        raise UsageError(f"{file} is not a file memtui can read: Markdown, JSON and JSONL are")
    return home_of(file.parent, f"file:{file.name}", f"the file {file.name}")


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
