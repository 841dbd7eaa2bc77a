"""What superseded what: the chain of a memory, both ways (spec 002: supersededBy)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.parse.asides import called
from memtui.record import NamedTuple

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


def follow(memory: Memory, shelf: Shelf | None) -> Chain:
    """The whole chain around a memory, whether or not a filter would show its links; of no home that is open none."""
    if shelf is None:
        return Chain()
    after, dangling, cyclic = _successors(memory, shelf)
    # In a circle the same one stands on both sides.
    seen = {memory.id, *(found.id for found in after if not cyclic)}
    before: list[Memory] = []
    edge = [memory]
    while edge:
        older = [
            found
            for item in edge
            for found in _predecessors(item, shelf)
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
        following = shelf.by_key(current.superseded_by, near=current.path) or _beside(current, shelf)
        if following is None:
            return after, current.superseded_by, False
        if following.id in seen:
            return after, "", True
        seen.add(following.id)
        after.append(following)
        current = following
    return after, "", False


def _predecessors(memory: Memory, shelf: Shelf) -> list[Memory]:
    if memory.key:
        return shelf.predecessors(memory.key, memory.path)
    named = [
        found for found in shelf.predecessors(called(memory.text), memory.path) if found.path == memory.path
    ]
    if memory.start > 1 or not memory.title:
        return named
    # A topic is named by its file, which lies beside.
    folder, _, file = memory.path.rpartition("/")
    topics = shelf.predecessors(file.removesuffix(".md"), memory.path)
    return named + [found for found in topics if found.path.rpartition("/")[0] == folder]


def _beside(memory: Memory, shelf: Shelf) -> Memory | None:
    """The topic that replaced this one, named by its file."""
    folder, slash, _file = memory.path.rpartition("/")
    name = memory.superseded_by
    return None if "/" in name else shelf.at(f"{folder}{slash}{name}.md", 1)
