"""OpenClaw: a skill in each of its workspaces, and the MCP server by its own command.

Its settings are JSON5 that it rewrites itself, so nothing is edited there; its own memory tools and its memory plugin
stay as they are. MCP tools carry their server's name there, so that `memory_search` exists twice without harm.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from memtui.agents.install import server, skill
from memtui.agents.install.wiring import Wiring
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.agents.install.wiring import Places


def wirings(places: Places, program: Sequence[str]) -> tuple[Wiring, ...]:
    """The one way: for this user."""
    root = places.openclaw
    found = [path for path in sorted(root.glob("workspace*")) if path.is_dir()] or [root / "workspace"]
    entry = json.dumps(server.entry(program), ensure_ascii=False)
    return (
        Wiring(
            "openclaw",
            "skill",
            "user",
            root,
            tuple(skill.piece(path / "skills" / "memtui", program) for path in found),
            (f"openclaw mcp set memtui {shlex.quote(entry)}",),
            ("openclaw mcp unset memtui",),
            () if root.is_dir() else (_("{path} is not there: is OpenClaw installed?").format(path=root),),
        ),
    )
