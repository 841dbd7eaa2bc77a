"""The skillix memory skill for Cursor (spec 004): `<project>/.cursor/skills/memory-data/`.

It is kept per project even where the skill itself is installed for the user. Its index.sqlite is derived and
keeps what was deleted, so it is not read. Cursor's hooks name the transcript of a session that ends; its record is
made of that.

Where the document says two things: its table and its rules of keywords differ on "前端使用 React + TypeScript"; by
the rules it is a decision, as "项目使用 PostgreSQL 数据库" is in both.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from memtui.core.locale import _
from memtui.core.model import Home, Layer, Role
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts import Layout, LayoutFacts, Skeleton, ToolBadge
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import build_layer_refusal, build_session_target, place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

PLACE = Path(".cursor/skills/memory-data")

_CORE = Role(Layer.CORE, "note", "markdown")
_NOTE = Role(Layer.KNOWLEDGE, "note", "markdown")
_RECORDS = Role(Layer.JOURNAL, "fact", "daily-jsonl")
_DAILY = Role(Layer.JOURNAL, "note", "journal")
_SESSIONS = Role(Layer.SESSION, "session", "daily-jsonl")
_LEGACY = Role(Layer.KNOWLEDGE, "fact", "daily-jsonl")
_AUDIT = Role(Layer.EVOLUTION, "event", "events")

_PRUNED = frozenset({"backups", "session_state", "logs", "index"})
_HEADS = frozenset({"sessions.jsonl"})


class Skillix(Layout):
    """One project's memory data."""

    name = "skillix"
    facts = LayoutFacts(
        badge=ToolBadge("Sx", "Skillix", "yellow"),
        skeleton=Skeleton(("daily",), ("pref", "fact", "decision"), ("核心记忆", "Core memory")),
        config=frozenset({"distill", "load"}),
        off_switch=".memory-disable",
        summary_form="record",
        daily_records=True,
        preferences_in_core=True,
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The project's, and those of its other worktrees."""
        for folder in iterate_project_directories(around):
            path = folder / PLACE
            reason = self.recognise(path)
            if reason:
                path = path.resolve()
                yield Home(path, self.name, reason, folder.name, str(folder), True, os.access(path, os.W_OK))

    def found_home(self, around: Surroundings, layer: Layer | None = None) -> Home | None:
        """This project's, where somebody asks for one: the skill makes its own where it is installed."""
        if layer is not None:
            return None
        here = around.cwd.resolve()
        folder = next((root for root in map(Path.resolve, around.projects) if here.is_relative_to(root)), here)
        reason = "made by memtui init"
        return Home((folder / PLACE).resolve(), self.name, reason, folder.name, str(folder), True, True)

    def recognise(self, path: Path) -> str:
        """By the records it keeps, by name where it is still empty; the kill switch beside it is mentioned."""
        found = [name for name in ("sessions.jsonl", "facts.jsonl") if (path / name).is_file()]
        try:
            if any(name.endswith(".jsonl") for name in os.listdir(path / "daily")):
                found.append("daily/*.jsonl")
        except OSError:
            pass
        if path.name == PLACE.name and path.is_dir() and not found:
            found = [name for name in ("MEMORY.md", "NOTES.md", "daily") if (path / name).exists()]
        elif path.name != PLACE.name and not ((path / "MEMORY.md").is_file() and "daily/*.jsonl" in found):
            return ""
        if not found:
            return ""
        off = (path.parent / self.facts.off_switch).exists()
        told = _("{names} of the memory skill, which is switched off") if off else _("{names} of the memory skill")
        return told.format(names=", ".join(found))

    def role(self, home: Path, path: str) -> Role | None:
        """Records by their file; MEMORY.md is core, any other Markdown a note; configuration and indexes are none."""
        folder, _, name = path.rpartition("/")
        if name.startswith("."):
            return None
        if name.endswith(".jsonl"):
            if folder == "daily":
                return _RECORDS
            if folder == "audit":
                return _AUDIT
            if folder:
                return None
            return _SESSIONS if name in _HEADS else _LEGACY
        if not name.endswith(".md"):
            return None
        if folder == "daily":
            return _DAILY
        return _CORE if name == "MEMORY.md" and not folder else _NOTE

    def prune(self, home: Path, path: str) -> bool:
        """Backups, locks and logs."""
        return path.split("/", 1)[0] in _PRUNED or path.rpartition("/")[2].startswith(".")

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """MEMORY.md by spec 004's sections; facts as records of the UTC day."""
        if layer in {Layer.CORE, Layer.KNOWLEDGE}:
            return place(home, "MEMORY.md", draft, Layer.CORE, chinese=True)
        if layer is Layer.JOURNAL:
            day = datetime.fromtimestamp(now, UTC).date().isoformat()
            return place(home, f"daily/{day}.jsonl", draft, layer, "daily-jsonl", append_only=True)
        if layer is Layer.PROFILE:
            raise build_layer_refusal(home, layer, "preferences stand in its MEMORY.md, a core memory")
        raise build_layer_refusal(home, layer, "the skill writes them itself")

    def session(self, home: Home, id: str, now: float) -> Target:
        """A record in sessions.jsonl, one for each session: said again it is brought up to date (spec 004)."""
        return build_session_target(home, "sessions.jsonl", self.facts.summary_form)._replace(append_only=True)

    def append_only(self, path: str) -> bool:
        """The skill's log; its records are edited and marked as deleted where they stand."""
        return path.startswith("audit/")


LAYOUT = Skillix()
