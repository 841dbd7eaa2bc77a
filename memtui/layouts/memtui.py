"""memtui's own home (DESIGN.md): `$MEMTUI_HOME` or `~/.memtui`, the union of the specification's arrangements.

L0 in user/, MEMORY.md, areas/, INDEX.md, daily/ as Markdown and JSONL, sessions/, evolution/, scratchpad.md.
"""

from __future__ import annotations

import os

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Home, Layer
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts import AREA_BASES, LOADER, Layout, LayoutFacts, Skeleton, ToolBadge
from memtui.layouts.roles import (
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
    from memtui.core.model import Role
    from memtui.layouts import Surroundings

_PARTS = ("user", "areas", "daily", "sessions", "evolution")
_FILES = ("MEMORY.md", "INDEX.md", "scratchpad.md")


class Memtui(Layout):
    """The home that memtui makes where a person has none."""

    name = "memtui"
    facts = LayoutFacts(
        badge=ToolBadge("mt", "memtui", "plain"),
        own=True,
        skeleton=Skeleton(
            ("user", "areas/projects", "areas/patterns", "areas/tools", "daily", "sessions", "evolution"),
            ("pref", "rule", "decision", "fact", "todo"),
            ("核心记忆", "Memory"),
            ("scratchpad.md",),
        ),
        config=frozenset({"load"}),
        summary_form="episode",
        retires=frozenset({"surplus", "outdated"}),
        daily_records=True,
        rule_files=((LOADER, AREA_BASES[:2]), ("INDEX.md", ())),
        log_dialect="specified",
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The user's own, wherever `MEMTUI_HOME` puts it; before the first write there is none."""
        path = around.variable("MEMTUI_HOME", around.user / ".memtui")
        if not path.is_absolute():
            path = around.cwd / path
        if path.is_dir():
            named = around.env.get("MEMTUI_HOME", "").strip()
            reason = _("named by MEMTUI_HOME") if named else _("memtui's own home")
            path = path.resolve()
            label = "~/.memtui" if path == (around.user / ".memtui").resolve() else path.name
            yield Home(path, self.name, reason, label, writable=os.access(path, os.W_OK))

    def recognise(self, path: Path) -> str:
        """`.memtui` itself, or user/ or scratchpad.md beside the rest, which no other layout has together."""
        parts = [name for name in _PARTS if (path / name).is_dir()]
        files = [name for name in _FILES if (path / name).is_file()]
        if path.name == ".memtui" and (parts or files):
            return _("{name} in {place}").format(name=(parts + files)[0], place=".memtui")
        both = set(parts) | set(files)
        if "user" in both and ("areas" in both or {"daily", "MEMORY.md"} <= both):
            return _("{one} beside {other}").format(one="user/", other="areas/" if "areas" in both else "daily/")
        if "scratchpad.md" in both and both & {"areas", "daily", "user"}:
            beside = f"{min(both & {'areas', 'daily', 'user'})}/"
            return _("{one} beside {other}").format(one="scratchpad.md", other=beside)
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """By name and place."""
        return infer_role(path)

    def prune(self, home: Path, path: str) -> bool:
        """Hidden directories."""
        return path.rsplit("/", 1)[-1].startswith(".")

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """L0 in user/profile.md, MEMORY.md, rules and facts by area, the journal by the local day."""
        if layer is Layer.PROFILE:
            return place(home, "user/profile.md", draft, layer, profile=True)
        if layer is Layer.CORE:
            return place(home, "MEMORY.md", draft, layer)
        if layer is Layer.KNOWLEDGE:
            return build_knowledge_target(home, draft)
        if layer is Layer.JOURNAL:
            return place(home, f"daily/{clock.format_day(now)}.md", draft, layer, "journal", append_only=True)
        raise build_layer_refusal(home, layer, "they are written by what happens, not by hand")

    def session(self, home: Home, id: str, now: float) -> Target:
        """sessions/<id>.md (spec 000)."""
        return build_session_target(home, f"sessions/{id}.md", self.facts.summary_form)

    def append_only(self, path: str) -> bool:
        """The daily files and the logs of evolution/."""
        return is_append_only(path)


LAYOUT = Memtui()
