"""The budget of a MEMORY.md: agents read its first 200 lines or 25 KB, whichever ends first, and no word beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.tui import draw

if TYPE_CHECKING:
    from memtui.tui.draw import Piece

LINES = 200
BYTES = 25 * 1024
STEPS = 10


class Budget(NamedTuple):
    """How much of it one file uses."""

    home: str
    path: str
    lines: int
    size: int
    """Bytes."""

    @property
    def share(self) -> float:
        """1.0: full."""
        return max(self.lines / LINES, self.size / BYTES)


def measure(home: str, path: str, text: str) -> Budget:
    """The budget of a file by its text."""
    lines = text.count("\n") + (not text.endswith("\n") if text else 0)
    return Budget(home, path, lines, len(text.encode("utf-8", "surrogateescape")))


def gauge(budget: Budget) -> list[Piece]:
    """▰▰▰▱▱▱▱▱▱▱ 61 / 200 lines · 7.4 / 25 KB"""
    share = budget.share
    full = min(STEPS, round(share * STEPS))
    style = "bad" if share > 1 else "warn" if share > 0.8 else "ok"
    words = _("{lines} / {most} lines · {size:.1f} / 25 KB").format(
        lines=budget.lines, most=LINES, size=budget.size / 1024
    )
    over = "  " + _("over: the rest is not read") if share > 1 else ""
    return [("▰" * full, style), ("▱" * (STEPS - full), "faint"), (f" {words}", "dim"), (over, "bad")]


def head(path: str) -> list[Piece]:
    """A file's name above its entries."""
    return [(" " + draw.one_line(path), "head")]
