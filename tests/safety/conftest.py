"""What no text may do: take longer than its length says."""

from __future__ import annotations

import time
from collections.abc import Callable


def grows_no_faster(read: Callable[[str], object], unit: str, size: int) -> bool:
    """Whether six times the text takes less than sixteen times as long: the best of three, and 50 ms for nothing."""

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = 9.0
        for _ in range(3):
            began = time.process_time()
            read(text)
            best = min(best, time.process_time() - began)
        return best

    return seconds(6 * size) < 16 * seconds(size) + 0.05
