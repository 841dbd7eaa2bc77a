"""What experiences did, from the events on disk alone (spec 002): p = (s + 1) / (s + f + 2), halved every 90 days."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.locale import _
from memtui.tui import draw
from memtui.tui.items import Fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.model import Memory

HALF_LIFE = 90 * 86400.0
"""Seconds (spec 002: half_life)."""

EVENTS = 5000
"""Newest events that effects are worked out from."""

WEAK = 0.3
"""Below this an experience is a candidate for the archive (spec 002)."""

_TRAILER = re.compile(r"\s*[(（][^()（）]{0,80}[)）]$")
_SPACE = re.compile(r"\s+")

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


def spoken(memories: Iterable[Memory]) -> dict[str, Memory]:
    """What experiences are, by the digest their ids end in: md5 of the bullet without markup and white space."""
    found = {}
    for memory in memories:
        text = _SPACE.sub("", _said(memory))
        digest = hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False)
        found[digest.hexdigest()[:16]] = memory
    return found


def _said(memory: Memory) -> str:
    return _TRAILER.sub("", memory.text.replace("**", "").strip())


def bar(share: float, cells: int) -> str:
    """A bar of at most `cells`, to an eighth of a cell."""
    eighths = round(max(0.0, min(1.0, share)) * cells * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(cells)


def effect_row(effect: Effect, cells: int, known: Mapping[str, Memory] | None = None) -> Fixed:
    """████▌  .66  name   4 ✓ 2 ✗; `known` as `spoken` answers."""
    lesson = (known or {}).get(effect.experience.rpartition(":")[2])
    name = _said(lesson) if lesson else effect.experience
    value = effect.value
    style = "bad" if value < WEAK else "ok" if value > 0.7 else "warn"
    weak = _("weak") + " " if value < WEAK else ""
    return Fixed(
        f"effect:{effect.experience}",
        (
            (" " + bar(value, cells), style),
            (f" {value:.2f}  ".replace(" 0.", "  ."), "dim"),
            (draw.one_line(name), ""),
        ),
        ((f" {weak}{effect.good} ✓ {effect.bad} ✗ ", "dim"),),
        effect,
    )
