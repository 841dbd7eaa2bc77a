"""Times as people type them: 7d, 12h, yesterday, 2026-02-01, 'last week'."""

from __future__ import annotations

from memtui.errors import UsageError
from memtui.locale import _
from memtui.search.moments import when


def moment(text: str, *, end: bool = False) -> float:
    """Seconds since the epoch. A day is its local midnight; `end`: the midnight after. Raises UsageError."""
    found = when(text, end=end)
    if found is None:
        raise UsageError(
            _(
                "'{text}' is not a time I know. Try 7d, 12h, 3w, yesterday, or a date such as 2026-02-01."
            ).format(text=text)
        )
    return found
