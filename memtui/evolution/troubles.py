"""Which troubles came back: often enough within one window of sessions, of the home or of a project. Pure.

Each once, under one name, with whatever tells of the same in another way.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.evolution import kindred

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.config import EvolutionConfig
    from memtui.evolution.events import Heard
    from memtui.evolution.kindred import Group

RECURRING = "recurring_issue"


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
        self._mostly: dict[Group, str] = {}

    def scopes(self, group: Group, config: EvolutionConfig) -> list[Scope]:
        """Where a trouble came back within a window."""
        spread = [Scope("", self.heard, group.places)]
        own: dict[str, list[int]] = {}
        for place in group.places:
            own.setdefault(self.heard[place].project, []).append(self._at[place])
        if self._several:
            spread += [Scope(name, self._among[name], at) for name, at in own.items() if name]
        return [scope for scope in spread if peak(scope.at, config.window) >= config.high]

    def mostly(self, group: Group) -> str:
        """The project that most of a trouble's sessions are of."""
        if group not in self._mostly:
            among = Counter(self.heard[place].project for place in group.places)
            self._mostly[group] = among.most_common(1)[0][0]
        return self._mostly[group]


def troubles(projects: Projects, config: EvolutionConfig) -> list[Group]:
    """Those that came back often enough, each with what tells of the same in another way; each once."""
    every = sorted(kindred.groups(projects.heard), key=lambda one: (-len(one.places), one))
    found = _gathered(projects, [], (group for group in every if len(group.places) > 1))
    kept = [crowd for crowd in found if projects.scopes(kindred.joined(crowd), config)]
    # What was heard of once only goes with what is a problem already.
    _gathered(projects, kept, (group for group in every if len(group.places) == 1), new=False)
    troubles = [kindred.joined(crowd) for crowd in kept]
    named = {about for group in troubles if group.type != RECURRING for about in group.means}
    # That it comes back is what a problem is: it is not one more.
    return [group for group in troubles if group.type != RECURRING or not group.means & named]


def _gathered(
    projects: Projects, crowds: list[list[Group]], groups: Iterable[Group], *, new: bool = True
) -> list[list[Group]]:
    """The groups with the crowd whose first one they are alike, in the same project and at the same time."""
    by_thing: dict[tuple[str, str], list[int]] = {}
    for at, crowd in enumerate(crowds):
        for thing in kindred.things(crowd[0]):
            by_thing.setdefault((crowd[0].type, thing), []).append(at)
    for group in groups:
        things = kindred.things(group)
        near = {at for thing in things for at in by_thing.get((group.type, thing), ())}
        host = next((at for at in sorted(near) if _together(projects, crowds[at][0], group)), None)
        if host is not None:
            crowds[host].append(group)
        elif new:
            for thing in things:
                by_thing.setdefault((group.type, thing), []).append(len(crowds))
            crowds.append([group])
    return crowds


def _together(projects: Projects, one: Group, other: Group) -> bool:
    if one.places[0] > other.places[-1] or other.places[0] > one.places[-1]:
        return False
    return kindred.alike(one, other) and projects.mostly(one) == projects.mostly(other)


def peak(at: Sequence[int], window: int) -> int:
    """How many of these places fit into one window at most."""
    best = first = 0
    for last, place in enumerate(at):
        while place - at[first] >= window:
            first += 1
        best = max(best, last - first + 1)
    return best
