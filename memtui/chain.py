"""What superseded what: the chain of a memory, both ways (spec 002: supersededBy)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.model import Memory
    from memtui.shelf import Shelf


class Chain(NamedTuple):
    """What a memory replaced and what replaced it, nearest first."""

    before: tuple[Memory, ...] = ()
    after: tuple[Memory, ...] = ()
    dangling: str = ""
    """The successor that is named but nowhere to be found."""
    cyclic: bool = False
    """Following the successors leads back to where one was."""


def follow(memory: Memory, shelf: Shelf) -> Chain:
    """The whole chain around a memory, whether or not a filter would show its links."""
    after, dangling, cyclic = _successors(memory, shelf)
    # In a circle the same one stands on both sides.
    seen = {memory.id, *(found.id for found in after if not cyclic)}
    before: list[Memory] = []
    edge = [memory]
    while edge:
        older = [
            found
            for item in edge
            for found in shelf.predecessors(item)
            if found.id not in seen and not _later(found, item)
        ]
        seen.update(found.id for found in older)
        before += older
        edge = older
    return Chain(tuple(before), tuple(after), dangling, cyclic)


def _later(found: Memory, item: Memory) -> bool:
    """Whether it is a newer record of the same id: appending supersedes, so all but the last name that id."""
    return (found.key, found.path) == (item.key, item.path) and found.start > item.start


def _successors(memory: Memory, shelf: Shelf) -> tuple[list[Memory], str, bool]:
    after: list[Memory] = []
    seen = {memory.id}
    current = memory
    while current.superseded_by:
        following = shelf.by_key(current.superseded_by, near=current.path)
        if following is None:
            return after, current.superseded_by, False
        if following.id in seen:
            return after, "", True
        seen.add(following.id)
        after.append(following)
        current = following
    return after, "", False
