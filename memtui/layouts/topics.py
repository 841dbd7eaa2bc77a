"""Directories of topic files: which file a new topic gets, and whether MEMORY.md is their index."""

from __future__ import annotations

import re
import unicodedata

from memtui.disk.files import read
from memtui.errors import MemtuiError
from memtui.layouts.places import listed
from memtui.parse.source import WHOLE
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.edits import Draft

_LINE = pattern(rb"^\s*[-*+]\s+\[[^\]\n]+\]\([^)\n]+\.md\)", re.MULTILINE)
_ODD = pattern(r"[^\w]+")
_LONGEST = 48
_TAKEN = frozenset({"memory", "readme", "index", "changelog", "claude", "con", "prn", "aux", "nul"})


def is_index(home: Path, path: str) -> bool:
    """Whether MEMORY.md lists topic files, or is not there yet."""
    try:
        data = read(home, path, WHOLE)[0]
    except FileNotFoundError:
        return True
    except (MemtuiError, OSError):
        return False
    return not data.strip() or _LINE.search(data) is not None


def new(home: Path, folder: str, draft: Draft) -> str:
    """The path of a new topic's file: named for its title, and never a name that is there in any case or form."""
    taken = {unicodedata.normalize("NFC", name).casefold() for name in listed(home / folder)}
    name = slug(draft.title or draft.text)
    for number in range(1, len(taken) + 2):
        tried = f"{name}.md" if number == 1 else f"{name}-{number}.md"
        if tried.casefold() not in taken:
            return f"{folder}{tried}"
    raise AssertionError("more names than files")


def slug(title: str) -> str:
    """A title as a file's name: its words, lower case, joined by '-'; letters of any script stay."""
    words = (
        _ODD.sub(" ", unicodedata.normalize("NFC", title.strip().split("\n")[0]).lower())
        .replace("_", " ")
        .split()
    )
    found = ""
    for word in words:
        if found and len(found) + len(word) >= _LONGEST:
            break
        found = f"{found}-{word}" if found else word
    found = found[:_LONGEST].strip("-")
    while len(found.encode()) > 120:
        found = found[:-1]
    return f"{found}-notes" if found in _TAKEN else found or "memory-topic"
