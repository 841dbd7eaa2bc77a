"""What experiences did, from the events on disk alone (spec 002): p = (s + 1) / (s + f + 2), halved every 90 days."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui import clock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.model import Memory

HALF_LIFE = 90 * 86400.0
"""Seconds (spec 002: half_life)."""

WEAK = 0.3
"""Below this an experience is a candidate for the archive (spec 002)."""

EIGHTHS = " ▏▎▍▌▋▊▉█"

_GOOD = {"success", "succeeded", "ok", "passed", "complete", "completed"}
_BAD = {"failure", "failed", "fail", "error", "aborted"}


class Effect(NamedTuple):
    """One experience: how often it was used, and how the sessions went that used it."""

    experience: str
    good: int
    bad: int
    last: float | None
    """When it was last referred to."""

    @property
    def value(self) -> float:
        """0 to 1: the smoothed share of successes, decayed by age."""
        share = (self.good + 1) / (self.good + self.bad + 2)
        age = max(0.0, clock.now() - self.last) if self.last is not None else 0.0
        return float(share * 0.5 ** (age / HALF_LIFE))


def effects(events: Iterable[Memory]) -> list[Effect]:
    """The effect of every experience that an event refers to, the best first."""
    outcomes: dict[str, bool] = {}
    used: dict[str, set[str]] = {}
    last: dict[str, float] = {}
    for event in events:
        if event.kind == "outcome" and event.session:
            word = str(event.extra.get("outcome") or event.extra.get("status") or "").lower()
            if word in _GOOD or word in _BAD:
                outcomes[event.session] = word in _GOOD
        elif event.kind == "event" and event.entities and event.text.startswith("ref "):
            name = event.entities[0]
            used.setdefault(name, set()).add(event.session)
            if event.created is not None:
                last[name] = max(last.get(name, 0.0), event.created)
    found = []
    for name, sessions in used.items():
        known = [outcomes[session] for session in sessions if session in outcomes]
        found.append(Effect(name, sum(known), len(known) - sum(known), last.get(name)))
    return sorted(found, key=lambda effect: (-effect.value, effect.experience))


def bar(share: float, cells: int) -> str:
    """A bar of at most `cells`, to an eighth of a cell."""
    eighths = round(max(0.0, min(1.0, share)) * cells * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(cells)
