"""Where a new memory goes: what all layouts share, so that each states only which file takes what.

First places in a home and its areas/ (spec 002), then directories of topic files: the file that a new topic
gets, and whether MEMORY.md is their index.
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import PurePath, PurePosixPath

from memtui.core.edits import Target
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import WHOLE, Layer
from memtui.core.startup import TYPE_CHECKING, pattern
from memtui.formats.markdown_lines import Lines
from memtui.formats.sections import CORE, choose_heading
from memtui.fs.files import read

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memtui.core.edits import Draft
    from memtui.core.model import Home
    from memtui.formats.sections import Names

_AREAS = ("projects", "patterns", "tools", "domains")


def place(
    home: Home,
    path: str,
    draft: Draft,
    layer: Layer,
    form: str = "markdown",
    *,
    append_only: bool = False,
    names: Mapping[str, Names] = CORE,
    chinese: bool | None = None,
) -> Target:
    """This file of the home, with the section that the draft belongs under where the file has sections."""
    path = resolve_path_case(home.path, path)
    there = os.path.lexists(home.path / path)
    section = draft.section.strip()
    if form == "markdown" and not section:
        section = choose_heading(_lines(home, path, there), draft.kind, draft.text, names, chinese=chinese)
    return Target(str(home.path), path, form, section, layer, there, append_only)


def build_session_target(home: Home, path: str, form: str) -> Target:
    """The file of a session's summary."""
    path = resolve_path_case(home.path, path)
    there = os.path.lexists(home.path / path)
    return Target(str(home.path), path, form, "", Layer.SESSION, there)


def build_layer_refusal(home: Home, layer: Layer, reason: str) -> RefusedError:
    """What a layout raises that has no place for a layer; `reason` says what to do instead."""
    message = _("{home} takes no {layer} memories: {reason}")
    return RefusedError(message.format(home=home.label, layer=layer.value, reason=_(reason)))


def choose_area(home: Home, draft: Draft) -> str:
    """The directory under areas/ that a draft is about: its project, one that it names, the home's, or `general`."""
    wanted = [word.casefold() for word in (draft.project, *draft.entities, *draft.tags) if word]
    project = PurePath(home.project).name.casefold()
    found: dict[str, str] = {}
    for kind in _AREAS:
        for name in list_directory_names(home.path / "areas" / kind):
            found.setdefault(name.casefold(), f"areas/{kind}/{name}")
    named = next((found[word] for word in (*wanted, project) if word in found), "")
    about = draft.project or PurePath(home.project).name
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in about).strip(".-")
    return named or f"areas/projects/{name or 'general'}"


def build_knowledge_target(home: Home, draft: Draft, names: Mapping[str, Names] = CORE) -> Target:
    """In areas/ (spec 002): rules as list items, everything else as facts."""
    folder = choose_area(home, draft)
    if draft.kind == "rule":
        return place(home, f"{folder}/rules.md", draft, Layer.KNOWLEDGE, names=names)
    return place(home, f"{folder}/facts.json", draft, Layer.KNOWLEDGE, "facts")


def resolve_path_case(home: Path, path: str) -> str:
    """The path as it stands on disk where only its case differs, so that no twin is made beside it."""
    found = PurePosixPath()
    for part in PurePosixPath(path).parts:
        names = [] if os.path.lexists(home / found / part) else list_directory_names(home / found)
        found /= next((name for name in names if name.casefold() == part.casefold()), part)
    return str(found)


def list_directory_names(path: Path) -> list[str]:
    """The names in a directory, in order; nothing where it cannot be read."""
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def _lines(home: Home, path: str, there: bool) -> Lines:
    try:
        return Lines(read(home.path, path, WHOLE)[0] if there else b"", path)
    except (MemtuiError, OSError):
        return Lines(b"", path)


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


def allocate_topic_path(home: Path, folder: str, draft: Draft) -> str:
    """The path of a new topic's file: named for its title, and never a name that is there in any case or form."""
    taken = {unicodedata.normalize("NFC", name).casefold() for name in list_directory_names(home / folder)}
    name = slugify_title(draft.title or draft.text)
    for number in range(1, len(taken) + 2):
        tried = f"{name}.md" if number == 1 else f"{name}-{number}.md"
        if tried.casefold() not in taken:
            return f"{folder}{tried}"
    raise AssertionError("more names than files")


def slugify_title(title: str) -> str:
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
