"""The budget of a MEMORY.md: agents read its first 200 lines or 25 KB, whichever ends first, and no word beyond.

How much it is for a person's own agents, the config says (`budget.lines`, `budget.kilobytes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _

if TYPE_CHECKING:
    from memtui.config import BudgetConfig
    from memtui.tui.draw import Piece

STEPS = 10


class Budget(NamedTuple):
    """How much of it one file uses."""

    lines: int
    size: int
    """Bytes."""
    most: int
    """Lines that are read."""
    room: float
    """Kilobytes that are read."""

    @property
    def share(self) -> float:
        """1.0: full."""
        return max(self.lines / self.most, self.size / 1024 / self.room)


def limited(path: str) -> bool:
    """Whether agents read this file by the budget."""
    return path.endswith("MEMORY.md")


def measure(text: str, limits: BudgetConfig) -> Budget:
    """The budget of a file by its text."""
    lines = text.count("\n") + (not text.endswith("\n") if text else 0)
    return Budget(lines, len(text.encode("utf-8", "surrogateescape")), limits.lines, limits.kilobytes)


def gauge(budget: Budget) -> list[Piece]:
    """▰▰▰▱▱▱▱▱▱▱ 61 / 200 lines · 7.4 / 25 KB"""
    share = budget.share
    full = min(STEPS, round(share * STEPS))
    style = "bad" if share > 1 else "warn" if share > 0.8 else "ok"
    words = _("{lines:,} / {most} lines · {size:,.1f} / {room:g} KB").format(
        lines=budget.lines, most=budget.most, size=budget.size / 1024, room=budget.room
    )
    return [("▰" * full, style), ("▱" * (STEPS - full), "faint"), (f" {words}", "dim")]


def over() -> list[Piece]:
    """What it means that a file is over: on a line of its own, so that no frame is too narrow for it."""
    return [(_("over: the rest is not read"), "bad")]


def brief(budget: Budget) -> str:
    """238 / 200 lines; or the bytes, where they are the fuller of the two."""
    if budget.size / 1024 / budget.room > budget.lines / budget.most:
        return _("{size:,.1f} / {room:g} KB").format(size=budget.size / 1024, room=budget.room)
    return _("{lines:,} / {most} lines").format(lines=budget.lines, most=budget.most)
