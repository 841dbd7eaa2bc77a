"""How far a motion goes: the same in lists and in texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.desk import Where


def step(where: Where, page: int, count: int) -> int:
    """Rows to go, negative upwards, where `page` rows are seen of `count`."""
    half = max(1, page // 2)
    return {
        "down": 1,
        "up": -1,
        "half_down": half,
        "half_up": -half,
        "page_down": page,
        "page_up": -page,
        "top": -count,
        "bottom": count,
    }[where]
