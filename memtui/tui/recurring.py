"""Signals as rows (spec 002): how grave, what, how often in the last sessions, and whether anybody saw to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _
from memtui.tui import draw

if TYPE_CHECKING:
    from memtui.model import Memory
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush

WINDOW = 8
"""Sessions that a signal is counted over (spec 002)."""

_GRAVITY = {"critical": (0, "CRITICAL", "bad"), "high": (1, "HIGH", "warn"), "normal": (2, "normal", "dim")}
_OTHER = (3, "", "dim")


def counted(item: Memory) -> bool:
    """Whether it is a signal whose report says what and how often."""
    return item.kind == "signal" and "signal" in item.extra


def happened(item: Memory) -> bool:
    """Whether the report counts any: one that says 0 tells of nothing."""
    return counted(item) and (_count(item) > 0 or "count" not in item.extra)


def gravity(item: Memory | None) -> tuple[bool, int, int]:
    """What signals are sorted by: open ones first, the gravest and most frequent of them on top."""
    if item is None:
        return True, len(_GRAVITY), 0
    settled = item.extra.get("status") in {"addressed", "suppressed"}
    return settled, _gravity(item)[0], -_count(item)


def signal(item: Memory, brush: Brush) -> list[list[Piece]]:
    """CRITICAL  environment_issue   ▰▰▰▰▰▱▱▱  5 of last 8"""
    _rank, word, style = _gravity(item)
    status = str(item.extra.get("status") or "")
    settled = status in {"addressed", "suppressed"}
    left: list[Piece] = [(" " + draw.pad(word, 9), "dim" if settled else style)]
    count = _count(item)
    right: list[Piece] = []
    if settled or brush.width < 48:
        right.append((f" {count}× {draw.one_line(status)} ", "dim"))
    else:
        bar = "▰" * min(count, WINDOW) + "▱" * (WINDOW - min(count, WINDOW))
        often = (
            _("{count} of last {window}").format(count=count, window=WINDOW)
            if count <= WINDOW and brush.width >= 66
            else _("{count} of {window}").format(count=count, window=WINDOW)
            if count <= WINDOW
            else f"{count}×"
        )
        right += [(f" {bar}", style), (f"  {often} ", "dim")]
    name = draw.one_line(str(item.extra["signal"]))
    return [draw.row(left, [(name, "dim" if settled else "")], right, brush.width)]


def _gravity(item: Memory) -> tuple[int, str, str]:
    return _GRAVITY.get(str(item.extra.get("priority") or "").lower(), _OTHER)


def _count(item: Memory) -> int:
    count = item.extra.get("count")
    return count if isinstance(count, int) and not isinstance(count, bool) else 0
