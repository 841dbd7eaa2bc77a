"""Whose a home is that others share with this machine."""

from __future__ import annotations

from memtui.core import clock
from memtui.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class HomeOrigin(NamedTuple):
    """Whose home a mirror copies: what stands in it is somebody else's word."""

    owner: str
    """The person; empty: it is the team's own."""
    machine: str
    team: str
    seen_at: float | None = None
    """When the copy last was right, in seconds; None: not known."""
    offline: bool = False
    """The team's server did not answer since."""
    own: bool = False
    """It is the same person's, on another machine."""

    @property
    def told(self) -> str:
        """For rows: 'ann@laptop'; the team's name where it is nobody's own."""
        return f"{self.owner}@{self.machine}" if self.owner else f"@{self.team}"


def dump_origin(origin: HomeOrigin | None) -> dict[str, Any] | None:
    """Whose a home is, for JSON; None: the person's own."""
    if origin is None:
        return None
    seen = origin.seen_at
    moment = None if seen is None else clock.convert_to_local(seen).isoformat(timespec="seconds")
    return {**origin._asdict(), "seen_at": moment}
