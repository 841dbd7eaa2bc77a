"""What an answer without hits must say: which files could not be read."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.errors import StaleIndexError
from memtui.locale import _n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.search.target import Target

_MISSING = re.compile(
    "^no permission|^only the first|^the home holds more|^more than|(?:could not|cannot) be "
)
"""Other problems of a whole file are oddities: what stands in it is found."""


def unread(targets: Sequence[Target]) -> str:
    """The first file, or part of a home, that its index could not take in, and how many others; empty: none."""
    reasons: list[str] = []
    for target in targets:
        with suppress(StaleIndexError):
            problems = target.index.problems() if target.index is not None else []
            reasons += [
                f"{path}: {reason}" for path, line, reason in problems if _MISSING.search(reason) and not line
            ]
    told = _n("{reason}", "{reason}, and {more} more that could not be read", len(reasons))
    return told.format(reason=reasons[0], more=len(reasons) - 1) if reasons else ""
