"""A topic is a file and a line in the index beside it, MEMORY.md: whatever happens to the one happens to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.edits import Draft, Edit
from memtui.format import topic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtui.curation.standing import Standing
    from memtui.edits import Change, Piece, Target
    from memtui.model import Entry, Status
    from memtui.vault import Vault

_INDEX = "MEMORY.md"


def whole(data: bytes, entry: Entry) -> bool:
    """Whether the entry is its document's frontmatter."""
    from memtui.format.anatomy import anatomy
    from memtui.format.lines import Lines
    from memtui.parse.blocks import MATTER

    found = anatomy(Lines(data), entry) if entry.start == 1 else None
    return found is not None and found.what == MATTER


def listed(vault: Vault, target: Target, draft: Draft) -> tuple[Change, ...]:
    """The index with a line for a new topic; it is made where there is none."""
    index = _beside(target.path)
    base = vault.bytes_of(target.home, index)
    pieces = topic.listed(base or b"", draft, target.path)
    return (Edit(target.home, index, base, pieces),) if pieces else ()


def unlisted(standing: Standing) -> tuple[Change, ...]:
    """The index without the topic's line."""
    return _indexed(standing, lambda index: topic.unlisted(index, standing.memory.path))


def retold(
    standing: Standing, changes: Mapping[str, Any], status: Status | None, successor: str
) -> tuple[Change, ...]:
    """The index with what the topic's line says of it brought along: its mark, its title, what it is about."""
    path, now = standing.memory.path, clock.now()

    def pieces(index: bytes) -> tuple[Piece, ...]:
        if status is not None:
            return topic.line_marked(index, path, status, now, successor=successor)
        name = str(changes.get("title", ""))
        # A hook that somebody worded on purpose is not the description's business.
        same = topic.hook(Draft(standing.memory.text)).encode() in index
        hook = topic.hook(Draft(str(changes["text"]))) if "text" in changes and same else ""
        return topic.relisted(index, path, name=name, hook=hook) if name or hook else ()

    return _indexed(standing, pieces)


def _indexed(standing: Standing, pieces: Callable[[bytes], tuple[Piece, ...]]) -> tuple[Change, ...]:
    memory = standing.memory
    index = _beside(memory.path)
    base = standing.vault.bytes_of(memory.home, index) if index != memory.path else None
    found = pieces(base) if base else ()
    return (Edit(memory.home, index, base, found),) if found else ()


def _beside(path: str) -> str:
    folder, slash, _file = path.rpartition("/")
    return f"{folder}{slash}{_INDEX}"


def name(path: str) -> str:
    """What a topic is called by what it replaces: its file's name."""
    return path.rpartition("/")[2].removesuffix(".md")
