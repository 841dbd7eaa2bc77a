"""Which troubles came back: often enough within one window of sessions, of the home or of a project. Pure.

Each once, under one name, with whatever tells of the same in other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.evolution import kindred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.config import EvolutionConfig
    from memtui.evolution.events import Heard
    from memtui.evolution.kindred import Group


class Scope(NamedTuple):
    """Sessions that a pattern is counted over, and which of them have it."""

    project: str
    among: Sequence[Heard]
    at: Sequence[int]


class Projects:
    """The sessions of the home, and of each project by themselves."""

    def __init__(self, heard: Sequence[Heard]) -> None:
        self.heard = heard
        found: dict[str, list[int]] = {}
        for place, one in enumerate(heard):
            found.setdefault(one.project, []).append(place)
        self._among = {name: [heard[place] for place in places] for name, places in found.items()}
        self._at = {place: at for places in found.values() for at, place in enumerate(places)}
        self._several = len(found) > 1

    def scopes(self, group: Group, config: EvolutionConfig) -> list[Scope]:
        """Where a trouble came back within a window."""
        spread = [Scope("", self.heard, group.places)]
        own: dict[str, list[int]] = {}
        for place in group.places:
            own.setdefault(self.heard[place].project, []).append(self._at[place])
        if self._several:
            spread += [Scope(name, self._among[name], at) for name, at in own.items() if name]
        return [scope for scope in spread if peak(scope.at, config.window) >= config.high]


def troubles(projects: Projects, config: EvolutionConfig) -> list[Group]:
    """Those that came back often enough, the commonest first."""
    return [group for group in kindred.groups(projects.heard) if projects.scopes(group, config)]


def peak(at: Sequence[int], window: int) -> int:
    """How many of these places fit into one window at most."""
    best = first = 0
    for last, place in enumerate(at):
        while place - at[first] >= window:
            first += 1
        best = max(best, last - first + 1)
    return best
