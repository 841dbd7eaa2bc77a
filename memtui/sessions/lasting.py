"""What lasts beyond sessions and is read at every start: the person's own files (L0), and core memory.

Found by name in the few places that the layouts have for it, so that a home of ten thousand files costs no more than
one of ten.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.layouts import layout
from memtui.layouts.roles import MARKDOWN
from memtui.locale import _
from memtui.model import Layer
from memtui.sessions.passage import passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from memtui.model import Home
    from memtui.parse.source import Role
    from memtui.sessions.passage import Passage, Patterns

MOST = 200
"""Files of one person's directory."""

_PROFILES = ("user", "user/memory", "profile", ".helloagents/user", ".helloagents/user/memory")
_FOLDERS = ("", "memory/", "memories/", "identity/", ".claude/")
_NAMED = (
    "profile.md",
    "USER.md",
    "user.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
)
ORDERS = frozenset({"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md"})
"""What a project tells every agent that works in it."""
_CORE = ("MEMORY.md", "memory.md", "memory_summary.md", "core.md")
_PERSONA = frozenset({"openclaw", "openakita"})
"""Layouts whose AGENTS.md is their own agent's character, not what a person wants of every agent."""
_READ_ANYWAY = {
    "claude-code": ("CLAUDE.md", "CLAUDE.local.md"),
    "codex": ("AGENTS.md", "AGENTS.override.md"),
}
"""What an agent reads by itself at every start."""
_ON_DEMAND = frozenset({"memories/MEMORY.md"})
"""Codex reads its summary at every start, and looks its whole memory up when it needs it."""
OWN_PREFERENCES = frozenset({"code-memory", "skillix", "xinghebot"})
"""Layouts without L0, whose MEMORY.md is where preferences stand."""


def profile(home: Home, agent: str, *, now: float, hidden: Patterns) -> Iterator[Passage]:
    """L0: all of the person's own files (spec 000); those that the agent reads by itself are not given twice."""
    seen: set[tuple[int, int]] = set()
    paths = [*_own(home), *(folder + name for folder in _FOLDERS for name in _NAMED)]
    for path in paths:
        name = path.rpartition("/")[2]
        role = _role(home, path, seen)
        if role is None or role.layer is not Layer.PROFILE:
            continue
        if home.layout in _PERSONA and name.startswith("AGENTS"):
            continue
        found = passage(home, path, _("yours: read at every start (L0)"), now=now, hidden=hidden)
        if found is None:
            continue
        twice = name in _READ_ANYWAY.get(agent, ())
        yield found._replace(unwanted=_("{agent} reads it by itself").format(agent=agent)) if twice else found


def core(home: Home, roots: Iterable[Path], *, now: float, hidden: Patterns) -> Iterator[Passage]:
    """MEMORY.md and its kin; `roots` are the project's directories, for a home that holds several projects'."""
    seen: set[tuple[int, int]] = set()
    for path in (folder + name for folder in _inside(home, roots) for name in _CORE):
        role = _role(home, path, seen)
        if role is None or role.layer is not Layer.CORE or (home.layout == "codex" and path in _ON_DEMAND):
            continue
        found = passage(home, path, _("core memory: read at every start"), now=now, hidden=hidden)
        if found is not None:
            yield found


def documents(home: Home, *, now: float, hidden: Patterns) -> Iterator[Passage]:
    """A knowledge base's own rules, and the index of its documents (L1, spec 000), which are read when needed."""
    if home.layout != "helloagents":
        return
    for name, kind, reason in (
        ("guidelines.md", "rule", _("the project's rules")),
        ("INDEX.md", "index", _("which words lead to which document (L1)")),
    ):
        for folder in ("", ".helloagents/", "helloagents/"):
            found = passage(home, folder + name, reason, now=now, hidden=hidden, kind=kind)
            if found is not None:
                yield found
                break


def _own(home: Home) -> Iterator[str]:
    for folder in _PROFILES:
        try:
            names = sorted(os.listdir(home.path / folder), key=lambda name: (name != "profile.md", name))
        except OSError:
            continue
        yield from (f"{folder}/{name}" for name in names[:MOST] if name.lower().endswith(MARKDOWN))


def _inside(home: Home, roots: Iterable[Path]) -> tuple[str, ...]:
    """The directories in which core memory may stand; of Claude's own directory, this project's as well."""
    if home.layout != "claude":
        return _FOLDERS if home.layout != "helloagents" else ("",)
    from memtui.layouts.claude_projects import fold

    wanted = {fold(str(root)) for root in roots}
    try:
        names = [name for name in os.listdir(home.path / "projects") if fold(name) in wanted]
    except OSError:
        return _FOLDERS
    return (*_FOLDERS, *(f"projects/{name}/{part}" for name in names for part in ("memory/", "")))


def _role(home: Home, path: str, seen: set[tuple[int, int]]) -> Role | None:
    """The role of a file that is there, the first time that it is met under any of its names."""
    try:
        status = os.lstat(home.path / path)
    except (OSError, ValueError):
        return None
    key = (status.st_dev, status.st_ino)
    if key in seen:
        return None
    seen.add(key)
    return layout(home.layout).role(home.path, path)
