"""What a project tells any agent: AGENTS.md, and at its root GEMINI.md and the rules that older tools keep in one file.

A project with CLAUDE.md has these in the home `claude_md`, whose reading this is: the same files, packages with an
AGENTS.md of their own, and the documents of the state of work that they name. memtui only reads it.
"""

from __future__ import annotations

import os

from memtui.core.model import Home
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts import LayoutFacts, ToolBadge, claude_md
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import TOLD_FILES, build_layer_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.core.model import Layer, Role
    from memtui.layouts import Surroundings

_READ_ONLY = "it is what a person tells agents: change it in an editor"


class AgentsMd:
    """Instructions that belong to no one tool."""

    name = "agents_md"
    facts = LayoutFacts(badge=ToolBadge("Ag", "AGENTS.md"), takes_copies=False, own_project="marked")

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The project's, from here up to its root."""
        for folder in iterate_project_directories(around):
            yield from self.list_inside(folder)

    def list_of_user(self, around: Surroundings) -> Iterator[Home]:
        """None: it belongs to a project."""
        yield from ()

    def list_inside(self, folder: Path) -> Iterator[Home]:
        """The home that a directory is by itself, where no CLAUDE.md stands there and no home around it reads it."""
        told = _list_told(folder)
        if told and not claude_md.is_told(folder) and not self._covered(folder):
            yield Home(
                folder.resolve(), self.name, ", ".join(told), folder.name, str(folder), True, writable=False
            )

    def _covered(self, folder: Path) -> bool:
        """Whether the project around a directory reads its instructions with its own."""
        outer = folder.parent
        return "AGENTS.md" in _list_told(outer) and not self.prune(outer, folder.name)

    def recognise(self, path: Path) -> str:
        """A program's directory with such files; a directory of documents is none for an AGENTS.md."""
        told = _list_told(path)
        return ", ".join(told) if told and not claude_md.is_told(path) and claude_md.is_program(path) else ""

    def role(self, home: Path, path: str) -> Role | None:
        """As in a project that has a CLAUDE.md beside them."""
        return claude_md.LAYOUT.role(home, path)

    def prune(self, home: Path, path: str) -> bool:
        """As there."""
        return claude_md.LAYOUT.prune(home, path)

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """Nothing is written there."""
        raise build_layer_refusal(home, layer, _READ_ONLY)

    def append_only(self, path: str) -> bool:
        """Nothing is."""
        return False

    def read_only(self, path: str) -> str:
        """Everything."""
        return _READ_ONLY


def _list_told(folder: Path) -> list[str]:
    return [name for name in ("AGENTS.md", *TOLD_FILES) if os.path.isfile(os.path.join(folder, name))]


LAYOUT = AgentsMd()
