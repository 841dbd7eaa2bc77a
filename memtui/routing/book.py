"""The rules of one home, read once: again only where a file of theirs has another time or size.

| layout | triggers | keywords |
|---|---|---|
| code-memory | `../rules/memory-loader.md`, `rules/memory-loader.md` | areas/domains/index.md, INDEX.md |
| claude, claude-md | `rules/memory-loader.md`, `.claude/rules/memory-loader.md` | |
| memtui | `rules/memory-loader.md` | INDEX.md |
| helloagents | | INDEX.md, modules/_index.md, archive/_index.md of its knowledge base |
| plain | | INDEX.md |

Other layouts keep no such tables: the MEMORY.md of Claude Code, Codex and OpenClaw is read at every start anyway.
"""

from __future__ import annotations

import os

from memtui.disk.files import read
from memtui.errors import MemtuiError
from memtui.model import Layer
from memtui.parse.source import Role, Source
from memtui.record import TYPE_CHECKING, NamedTuple
from memtui.routing.matching import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.model import Home
    from memtui.routing.rule import Rule

LARGEST = 256 * 1024
"""Bytes of a rules file that are read."""

_LOADER = "rules/memory-loader.md"
_ROLE = Role(Layer.KNOWLEDGE, "index", "index")
_BASES = ("", "areas/", "areas/projects/", "areas/projects/shared-db/")
"""Where code-memory's paths begin: its own table leaves out areas/, and schema/ stands with the shared database."""
_CLAUDE_BASES = ("", *(f"{own}memory/{base}" for own in ("", ".claude/") for base in _BASES[:2]))
_INDEXES = ("INDEX.md", "modules/_index.md", "archive/_index.md")
_FILES: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "code-memory": (
        (f"../{_LOADER}", _BASES),
        (_LOADER, _BASES),
        ("areas/domains/index.md", ()),
        ("INDEX.md", ()),
    ),
    "claude": ((_LOADER, _CLAUDE_BASES),),
    "claude-md": ((_LOADER, _CLAUDE_BASES), (f".claude/{_LOADER}", _CLAUDE_BASES)),
    "memtui": ((_LOADER, _BASES[:2]), ("INDEX.md", ())),
    "helloagents": tuple(
        (f"{base}{index}", ()) for base in ("", ".helloagents/", "helloagents/") for index in _INDEXES
    ),
    "plain": (("INDEX.md", ()),),
}
"""Layout -> its files, and for a loader the directories in which its paths may begin."""


class Trigger(NamedTuple):
    """A word of a rule, as it is compared."""

    folded: str
    written: str
    rule: Rule


class Book:
    """The rules of one home, or those of the config."""

    def __init__(self, found: Iterable[Rule] = ()) -> None:
        self.rules = tuple(found)
        pairs = ((folded(word), word, rule) for rule in self.rules for word in rule.triggers)
        self.triggers = sorted(
            (Trigger(*pair) for pair in pairs if pair[0]), key=lambda one: -len(one.folded)
        )
        """The longest first."""
        self.words = [trigger.folded for trigger in self.triggers]
        self.naming = tuple(rule for rule in self.rules if rule.naming)


class Shelved:
    """A home's book, kept as long as its files are what they were."""

    def __init__(self, home: Home) -> None:
        self._files = tuple(
            (bases, _place(home, name))
            for name, bases in _FILES.get(home.layout.replace("_", "-"), ())
            # Only where it is Claude Code's own directory are the rules beside it about this home.
            if not name.startswith("../") or home.path.name == "memory"
        )
        self._held: tuple[tuple[tuple[int, int] | None, ...], Book] | None = None

    def book(self) -> Book:
        """The rules as they stand now."""
        stamp = tuple(_stamp(file) for _bases, (_root, _path, file) in self._files)
        held = self._held
        if held is None or held[0] != stamp:
            found = [
                rule for one, there in zip(self._files, stamp, strict=True) if there for rule in _read(*one)
            ]
            held = self._held = stamp, Book(found)
        return held[1]


def _place(home: Home, name: str) -> tuple[str, str, str]:
    """The directory that the file must stay inside of, its path there, and the whole path."""
    above = name.startswith("../")
    root = str(home.path.parent if above else home.path)
    path = name.removeprefix("../")
    return root, path, os.path.join(root, *path.split("/"))


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _read(bases: tuple[str, ...], place: tuple[str, str, str]) -> list[Rule]:
    """The rules of one file; none of one that is a link, or cannot be read."""
    root, path, _file = place
    try:
        data = read(root, path, LARGEST)[0]
    except (MemtuiError, OSError):
        return []
    source = Source(path, _ROLE, data, masked=True)
    # Most searches are in homes without rules, and pay for none.
    if bases:
        from memtui.routing import loader

        return loader.parsed(source.text, path, bases)
    from memtui.routing import tables

    return tables.parsed(source, path)
