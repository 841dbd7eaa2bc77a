"""Where skills of agents stand (spec 002: `~/.claude/skills`): no home, opened only by what installs a skill there."""

from __future__ import annotations

from memtui.core.model import Layer, Role
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts import LayoutFacts
from memtui.layouts.roles import build_layer_refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.core.model import Home
    from memtui.layouts import Surroundings

SKILL, INDEX = "SKILL.md", "auto-capabilities.md"

_ROLE = Role(Layer.EVOLUTION, "skill", "markdown")


class Skills:
    """The directory around the skills of one agent."""

    name = "skills"
    facts = LayoutFacts()

    def find(self, around: Surroundings) -> Iterator[Home]:
        """None: what an agent can do is no memory."""
        yield from ()

    def recognise(self, path: Path) -> str:
        """Never: it is opened by name."""
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """A skill in a directory of its own, and the index of those that memtui made."""
        folder, _slash, name = path.rpartition("/")
        return _ROLE if (name == SKILL and folder) or name == INDEX else None

    def prune(self, home: Path, path: str) -> bool:
        """Every directory."""
        return True

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """It takes no memories."""
        raise build_layer_refusal(home, layer, "it holds skills")

    def append_only(self, path: str) -> bool:
        """Nothing is."""
        return False

    def read_only(self, path: str) -> str:
        """Nothing is."""
        return ""


LAYOUT = Skills()
