"""Every way to serve every agent: one line here for an agent more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents.install import claude_code, codex, openclaw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.agents.install.wiring import Places, Wiring

AGENTS: tuple[tuple[str, Callable[[Places, Sequence[str]], tuple[Wiring, ...]]], ...] = (
    ("claude-code", claude_code.wirings),
    ("codex", codex.wirings),
    ("openclaw", openclaw.wirings),
)


def wirings(agent: str, places: Places, program: Sequence[str]) -> tuple[Wiring, ...]:
    """The ways of one agent, what is done by default first."""
    return dict(AGENTS)[agent](places, program)
