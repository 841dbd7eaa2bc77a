"""code-memory (spec 002): `~/.claude/memory`, moved by `$CLAUDE_CONFIG_DIR`: areas/, daily/, sessions/, MEMORY.md.

Its `.search-index.db` is derived and its config.json is configuration: neither is read as memory. Of config.json
`project_name_map`, `project_groups`, `ignored_projects` and `frontend_projects` are heeded.

Where the document is not followed: the tables experience_refs, session_outcomes and experience_effectiveness are
not written into its index, because audit.jsonl is the record and they are derived from it, and two writers of one
index lose each other's rows. What a session taught waits in Review unless a person set `agents.mode` to auto. A
drafted skill of trouble that nobody ever said how to end has no better steps than to look at what failed. Where a
model's answer cannot be used the rules' summary stands, and not the model's words or the bare dialogue: these would
be given to the next session in place of what is known (`sessions.distribute`). match/case is a fault only where the
project says that it runs on a Python that has none. A new log is begun as its own scripts write it, for these read
it; one that is there goes on as it is.
"""

from __future__ import annotations

import os

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Home, Layer, Role
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts import AREA_BASES, LOADER, Layout, LayoutFacts, Program, Skeleton, ToolBadge
from memtui.layouts.roles import (
    GENERATED,
    KNOWN_AREAS,
    build_knowledge_target,
    build_layer_refusal,
    build_session_target,
    infer_role,
    is_append_only,
    place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

_OWN = ("areas", "evolution", ".search-index.db")
_GENERATED = frozenset({
    "evolution/auto-rules.json", "evolution/signal_report_latest.md",
})  # fmt: skip
_EVOLVED = (
    "audit.jsonl", "capabilities.jsonl", "generator_state.json", "signal_report_latest.md", "auto-rules.json",
)  # fmt: skip
_REST = ("daily", "sessions", "MEMORY.md")
_SCHEMA = Role(Layer.KNOWLEDGE, "fact", "markdown")
_CAPABILITY = Role(Layer.EVOLUTION, "rule", "json")


class CodeMemory(Layout):
    """The user's memory for Claude Code, in three layers."""

    name = "code-memory"
    facts = LayoutFacts(
        badge=ToolBadge("CM", "code-memory", "teal"),
        skeleton=Skeleton(
            ("daily", "sessions", "areas/projects", "areas/patterns", "areas/tools", "evolution"),
            ("pref", "lesson", "decision"),
            ("长期记忆", "Memory"),
        ),
        summary_form="numbered",
        retires=frozenset({"outdated"}),
        preferences_in_core=True,
        rule_files=(
            (f"../{LOADER}", AREA_BASES),
            (LOADER, AREA_BASES),
            ("areas/domains/index.md", ()),
            ("INDEX.md", ()),
        ),
        programs=(
            Program("memory-feedback.py", "memtui evolution effects", ("evolution/audit.jsonl",)),
            Program("signal-analyzer.py", "memtui evolution signals", ("evolution/signal_report_latest.md",)),
            Program(
                "capability-generator.py",
                "memtui evolution gates",
                ("evolution/capabilities.jsonl", "evolution/generator_state.json"),
            ),
        ),
        written_as=".claude/memory/",
        in_agent_directory=True,
        learner="claude-code",
        log_dialect="scripts",
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """One home a user."""
        config = around.variable("CLAUDE_CONFIG_DIR", around.user / ".claude")
        path = (around.cwd / config / "memory").resolve()
        reason = self.recognise(path) or self._find_some_markdown(path)
        if reason:
            label = "~/.claude/memory" if path == (around.user / ".claude/memory").resolve() else path.parent.name
            yield Home(path, self.name, reason, label, writable=os.access(path, os.W_OK))

    def found_home(self, around: Surroundings, layer: Layer | None = None) -> Home | None:
        """The user's, where somebody asks for one: by itself nothing is made in Claude Code's directory."""
        if layer is not None:
            return None
        path = (around.cwd / around.variable("CLAUDE_CONFIG_DIR", around.user / ".claude") / "memory").resolve()
        return Home(path, self.name, "made by memtui init", "~/.claude/memory", writable=True)

    def recognise(self, path: Path) -> str:
        """areas/ or evolution/ beside daily/, sessions/ or MEMORY.md; or areas/projects/*/facts.json and its kin."""
        own = [name for name in _OWN if (path / name).exists()]
        if "evolution" in own and not any((path / "evolution" / name).exists() for name in _EVOLVED):
            # Others have directories of that name, too: source trees do.
            own.remove("evolution")
        rest = [name for name in _REST if (path / name).exists()]
        if own and (rest or len(own) > 1 or own[0] == "areas"):
            if own == ["areas"] and not _has_areas(path) and not (rest and path.name == "memory"):
                return ""
            return ", ".join((own + rest)[:2])
        if path.name == "memory" and path.parent.name == ".claude" and rest and not _is_claude_memory(path, rest):
            return _("{name} in {place}").format(name=rest[0], place=".claude/memory")
        return ""

    def _find_some_markdown(self, path: Path) -> str:
        """Where the place is right, one Markdown file is enough."""
        try:
            found = any(name.endswith(".md") for name in os.listdir(path))
        except OSError:
            return ""
        return _("notes in the place of code-memory") if found else ""

    def role(self, home: Path, path: str) -> Role | None:
        """By name and place; schema tables are facts, distilled rules belong to evolution."""
        if path.startswith("sessions-backup/"):
            return None
        if path == "evolution/auto-rules.json":
            return _CAPABILITY
        role = infer_role(path)
        if role is None or role.parser != "markdown":
            return role
        if "/shared-db/" in path:
            return _SCHEMA._replace(project=role.project)
        # MEMORY.md and the documents of areas begin as its templates.
        return role._replace(shipped=True)

    def prune(self, home: Path, path: str) -> bool:
        """Hidden directories, and the backup that a migration leaves for a week."""
        return path == "sessions-backup" or path.rsplit("/", 1)[-1].startswith(".")

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """MEMORY.md for preferences and lessons, rules and facts by area, the journal by the local day and hour."""
        if layer is Layer.CORE:
            return place(home, "MEMORY.md", draft, layer)
        if layer is Layer.KNOWLEDGE:
            return build_knowledge_target(home, draft)
        if layer is Layer.JOURNAL:
            return place(home, f"daily/{clock.format_day(now)}.md", draft, layer, "hours", append_only=True)
        if layer is Layer.PROFILE:
            raise build_layer_refusal(home, layer, "preferences stand in its MEMORY.md, a core memory")
        raise build_layer_refusal(home, layer, "its own scripts write them")

    def session(self, home: Home, id: str, now: float) -> Target:
        """sessions/<id>.md (spec 002)."""
        return build_session_target(home, f"sessions/{id}.md", self.facts.summary_form)

    def append_only(self, path: str) -> bool:
        """The daily notes and the logs of evolution/."""
        return is_append_only(path)

    def read_only(self, path: str) -> str:
        """What its scripts make of the rest."""
        return GENERATED if path in _GENERATED else ""


def _is_claude_memory(path: Path, rest: list[str]) -> bool:
    """Whether it is rather what Claude Code itself remembers of a project: no layers, but topics or their index."""
    if rest != ["MEMORY.md"]:
        return False
    user = path.parent.parent
    return _has_topics(path) or any((user / name).exists() for name in (".git", "CLAUDE.md", "README.md"))


def _has_topics(path: Path) -> bool:
    try:
        names = os.listdir(path)
    except OSError:
        return False
    return any(name.endswith(".md") and name not in {"MEMORY.md", "README.md"} for name in names)


def _has_areas(path: Path) -> bool:
    return any((path / "areas" / name).is_dir() for name in KNOWN_AREAS)


LAYOUT = CodeMemory()
