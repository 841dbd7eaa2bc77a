"""Codex: `$CODEX_HOME` or `~/.codex` with memories, rollouts as sessions, and AGENTS.md.

Its documentation calls the memories generated state, to be inspected rather than edited. Archived rollouts show as
archived. Opened at `memories/` or anywhere under `sessions/`, that part alone is the home.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.model import Home, Layer
from memtui.parse.source import HEAD, Role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.layouts import Surroundings

_SESSION = Role(Layer.SESSION, "session", "codex-transcript", HEAD)
_PROFILE = Role(Layer.PROFILE, "rule", "markdown")
_CORE = Role(Layer.CORE, "note", "markdown")
_RAW = Role(Layer.KNOWLEDGE, "note", "markdown")
_SUMMARY = Role(Layer.SESSION, "session", "session")
_SKILL = Role(Layer.KNOWLEDGE, "skill", "markdown")
_RULE = Role(Layer.KNOWLEDGE, "rule", "markdown")

_TELLING = ("memory_summary.md", "raw_memories.md", "rollout_summaries")
_ROLLOUTS = ("sessions", "archived_sessions")
_INSIDE = frozenset({"rollout_summaries", "skills", "extensions"})


class Codex:
    """Codex's memories and rollouts."""

    name = "codex"

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The user's own, if it has anything to show."""
        path = around.variable("CODEX_HOME", around.user / ".codex")
        reason = self._held(path)
        if reason:
            path = path.resolve()
            user = around.user.resolve()
            label = f"~/{path.relative_to(user).as_posix()}" if path.is_relative_to(user) else path.name
            yield Home(path, self.name, reason, label, writable=os.access(path, os.W_OK))

    def recognise(self, path: Path) -> str:
        """Codex's directory, its memories, or a directory of rollouts."""
        if any((path / name).exists() for name in _TELLING):
            return "memories of Codex"
        names = _names(path)
        if any(name.startswith("rollout-") and name.endswith(".jsonl") for name in names):
            return "rollouts of Codex"
        if path.name in _ROLLOUTS and any(_year(name) for name in names):
            return "rollouts of Codex, by day"
        telling = any(
            (path / name).exists() for name in ("config.toml", "auth.json", "history.jsonl", "version.json")
        )
        if path.name == ".codex" or telling or (path / "memories" / "MEMORY.md").is_file():
            return self._held(path)
        return ""

    def _held(self, path: Path) -> str:
        """What of ours the directory holds, in words; empty: nothing."""
        found = [
            name
            for name in _ROLLOUTS
            if any(_year(x) or x.startswith("rollout-") for x in _names(path / name))
        ]
        if any(name.endswith(".md") or name in _INSIDE for name in _names(path / "memories")):
            found.append("memories")
        if (path / "AGENTS.md").is_file():
            found.append("AGENTS.md")
        return ", ".join(found)

    def role(self, home: Path, path: str) -> Role | None:
        """Rollouts are sessions by their name; Markdown is what its place under `memories/` says."""
        name = path.rpartition("/")[2]
        if name.endswith(".jsonl"):
            return _SESSION if name.startswith("rollout-") else None
        if not name.endswith(".md") or name.startswith("."):
            return None
        parts = path.split("/")
        if parts[0] == "memories":
            parts = parts[1:]
        elif not self._memories(home):
            return _PROFILE if path in {"AGENTS.md", "AGENTS.override.md"} else None
        if len(parts) == 1:
            if name in {"MEMORY.md", "memory_summary.md"}:
                return _CORE
            return None if name == "phase2_workspace_diff.md" else _RAW
        if parts[0] == "rollout_summaries":
            return _SUMMARY
        if parts[0] == "skills":
            return _SKILL._replace(project=parts[1])
        if parts[0] == "extensions":
            return _RULE if name == "instructions.md" else _RAW
        return _RAW if parts[0] not in _ROLLOUTS else None

    def _memories(self, home: Path) -> bool:
        return home.name == "memories" or any((home / name).exists() for name in _TELLING)

    def prune(self, home: Path, path: str) -> bool:
        """Logs, caches, skills and whatever else stands beside memories and rollouts."""
        first, _, rest = path.partition("/")
        last = path.rpartition("/")[2]
        if last.startswith("."):
            return True
        if first in _ROLLOUTS:
            return not all(part.isdigit() for part in rest.split("/")) if rest else False
        return first != "memories" and first not in _INSIDE and not path.replace("/", "").isdigit()


def _year(name: str) -> bool:
    return len(name) == 4 and name.isdigit()


def _names(path: Path) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []


LAYOUT = Codex()
