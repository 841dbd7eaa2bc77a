"""What several tools remember in words of their own, found across homes: which agents know the same thing.

Nothing is proposed from it: that each tool has its own copy is how they work. A person sees that they agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core.model import Layer, Memory, Status
from memtui.formats.signs import KEY
from memtui.layouts import load_badge
from memtui.review.census import load, part_memories
from memtui.review.duplicates import find_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.store.vault import Vault

EACH = 3000
"""Memories of a home that are compared, in the order of its files: what is said twice is said early, and it costs."""
MOST = 200
"""Groups that are kept, those that most tools share first."""
LARGE = 8
"""Memories of a group: what is alike to more is a form of words."""
ALIKE, WEIGHT = 0.5, 9.0
"""Share and weight of the words that two have in common, from which they say the same."""


def find_echoes(vault: Vault) -> list[tuple[Memory, ...]]:
    """Memories of different tools that say the same, together; in each group one after the other by home."""
    tools = {str(home.path): load_badge(home.layout).letters for home in vault.homes}
    if len(set(tools.values())) < 2:
        return []
    every = [memory for home in tools for memory in _list_told(vault, home)]
    twice, near = find_duplicates(every, lambda _memory: "")
    pairs = [(one, two, how.score) for one, two, how in twice]
    pairs += [
        (pair.one, pair.two, pair.alike) for pair in near if pair.alike >= ALIKE and pair.both >= WEIGHT
    ]
    groups: dict[str, list[Memory]] = {}
    for one, two, _score in sorted(pairs, key=lambda pair: -pair[2]):
        if tools[one.home] == tools[two.home]:
            continue
        first, second = groups.get(one.id, [one]), groups.get(two.id, [two])
        if first is second or len(first) + len(second) > LARGE:
            continue
        first += second
        groups |= {memory.id: first for memory in first}
    order = list(tools)
    found = [
        tuple(sorted(group, key=lambda memory: order.index(memory.home)))
        for group in {id(group): group for group in groups.values()}.values()
    ]
    found.sort(key=lambda group: -len({tools[memory.home] for memory in group}))
    return found[:MOST]


def _list_told(vault: Vault, home: str) -> Iterator[Memory]:
    """What a home keeps of facts, rules and preferences; not what its journal says in passing."""
    place = next(one for one in vault.homes if str(one.path) == home)
    stored, kept = part_memories(place, (one for one in load(vault, place) if KEY not in one.extra))
    known = [*kept, *(fact for fact in stored if fact.layer is Layer.KNOWLEDGE)]
    yield from [memory for memory in known if memory.status is Status.ACTIVE][:EACH]
