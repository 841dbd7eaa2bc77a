"""Any directory of Markdown, JSON or JSONL, and any single file: never found by themselves, opened when named.

`Single` is one file outside every home, without what lies beside it. `PlainLayout` is a directory; where it is
a part of a home that another layout knows (`.helloagents/sessions`, `areas/projects/shop`), that layout says
what its files are, because their own names no longer tell. `Skills` is where the skills of an agent stand, opened
only by what installs one there.
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import chain

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import JSON, MARKDOWN, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING
from memtui.formats import FORMATS
from memtui.layouts import NAMED_OTHERS, Layout, LayoutFacts, ToolBadge, iterate_specific_layouts, load_layout
from memtui.layouts.roles import (
    build_layer_refusal,
    infer_path_status,
    infer_role,
    is_append_only,
    is_built,
    place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.core.model import Home

SKILL, SKILL_INDEX = "SKILL.md", "auto-capabilities.md"

PREFIX = "file:"
"""Its layout is named for the file: 'file:notes.md'."""


class Single(Layout):
    """The directory of a file as a home that holds this file alone."""

    facts = LayoutFacts(badge=ToolBadge("Md", "Markdown"))

    def __init__(self, file: str) -> None:
        self.name = PREFIX + file
        self._file = file

    def recognise(self, path: Path) -> str:
        """Whether the file is there."""
        return _("the file {name}").format(name=self._file) if (path / self._file).is_file() else ""

    def role(self, home: Path, path: str) -> Role | None:
        """As a directory of Markdown has it."""
        return load_layout("plain").role(home, path) if path == self._file else None

    def prune(self, home: Path, path: str) -> bool:
        """Every directory."""
        return True

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """This file, whatever the layer, in its own format."""
        role = self.role(home.path, self._file)
        if role is None or role.parser not in dict(FORMATS):
            raise build_layer_refusal(home, layer, "the file is in a form that memtui only reads")
        append = role.parser in {"journal", "daily-jsonl"}
        return place(home, self._file, draft, role.layer, role.parser, append_only=append)


_LOOKED_AT = 4000
_KEPT = frozenset({"memory", "memories", "knowledge", "evolution", "areas"})
"""Directories whose records are memories, whatever stands beside them."""
_UP = 6
"""Directories above that are asked whether this one is a part of theirs."""


class PlainLayout(Layout):
    """The last of the layouts: what no other one knows."""

    name = "plain"
    facts = LayoutFacts(badge=ToolBadge("Md", "Markdown"), rule_files=(("INDEX.md", ()),), told_to_others=False)

    def recognise(self, path: Path) -> str:
        """The first file in it, or a directory or two down, that can be read."""
        left = _LOOKED_AT
        for depth, names in _iterate_levels(path):
            for name in names:
                left -= 1
                if left < 0:
                    return ""
                if name.lower().endswith((*MARKDOWN, *JSON)) and infer_role(name) is not None:
                    told = _("holds {name}") if depth == 0 else _("holds {name} further down")
                    return told.format(name=name)
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """As the home around it has it, else by name and place."""
        outer = _find_home_above(home)
        if outer is None:
            role = infer_role(path)
            named = "memor" in path.lower() or not _KEPT.isdisjoint(path.split("/"))
            if role is not None and role.parser == "json" and not named and is_built(home):
                # A program's settings, its words in several languages, what it was tested with.
                return role._replace(status=Status.CODE)
            # A directory of anybody's is told by the directories in it: its own files may be named as they like.
            if role is None or "/" not in path or role.status is not Status.ACTIVE:
                return role
            return role._replace(status=infer_path_status(path))
        kind, folder, prefix = outer
        return kind.role(folder, prefix + path)

    def prune(self, home: Path, path: str) -> bool:
        """Hidden directories, and what the home around it leaves out."""
        if path.rsplit("/", 1)[-1].startswith("."):
            return True
        outer = _find_home_above(home)
        return outer is not None and outer[0].prune(outer[1], outer[2] + path)

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """As the home around it has it; else the files that are there, and MEMORY.md where none is meant for it."""
        outer = _find_home_above(home.path)
        if outer is not None:
            kind, folder, prefix = outer
            around = home._replace(path=folder, layout=kind.name, project=home.path.name)
            found = kind.target(around, layer, draft, now)
            if not found.path.startswith(prefix):
                raise build_layer_refusal(home, layer, f"open {folder}, which it is a part of")
            return found._replace(home=str(home.path), path=found.path.removeprefix(prefix))
        if layer in {Layer.CORE, Layer.KNOWLEDGE}:
            if layer is Layer.KNOWLEDGE and (home.path / "facts.json").is_file():
                return place(home, "facts.json", draft, layer, "facts")
            return place(home, "MEMORY.md", draft, Layer.CORE)
        if layer is Layer.JOURNAL and (home.path / "daily").is_dir():
            return place(home, f"daily/{clock.format_day(now)}.md", draft, layer, "journal", append_only=True)
        if layer is Layer.PROFILE:
            for path in ("user/profile.md", "profile.md", "USER.md"):
                if (home.path / path).is_file():
                    return place(home, path, draft, layer, profile=True)
        raise build_layer_refusal(home, layer, "it has no file for them")

    def append_only(self, path: str) -> bool:
        """Journals and logs."""
        return is_append_only(path)


@lru_cache(maxsize=64)
def _find_home_above(home: Path) -> tuple[Layout, Path, str] | None:
    """The nearest home that this directory is a part of: its layout, its path, and what leads from there to here.

    A directory that the other home leaves out is no part of it: a project's docs are not its knowledge base.
    """
    for depth, folder in enumerate(home.parents[:_UP], 1):
        steps = home.parts[-depth:]
        for kind in chain(iterate_specific_layouts(folder), map(load_layout, NAMED_OTHERS)):
            if not kind.recognise(folder):
                continue
            if not any(kind.prune(folder, "/".join(steps[: end + 1])) for end in range(depth)):
                return kind, folder, "/".join(steps) + "/"
    return None


def _iterate_levels(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The names of the files here, then one directory down, then two; links and hidden directories left out."""
    folders = [os.fspath(path)]
    for depth in range(3):
        below: list[str] = []
        for folder in folders:
            try:
                with os.scandir(folder) as found:
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError:
                continue
            below += [
                entry.path
                for entry in entries
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
            ]
            yield depth, [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        folders = below[:200]


_SKILL_ROLE = Role(Layer.EVOLUTION, "skill", "markdown")


class Skills(Layout):
    """The directory around the skills of one agent (spec 002: `~/.claude/skills`): no home, never found."""

    name = "skills"
    facts = LayoutFacts()

    def recognise(self, path: Path) -> str:
        """Never: it is opened by name."""
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """A skill in a directory of its own, and the index of those that memtui made."""
        folder, _slash, name = path.rpartition("/")
        return _SKILL_ROLE if (name == SKILL and folder) or name == SKILL_INDEX else None

    def prune(self, home: Path, path: str) -> bool:
        """Every directory."""
        return True

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """It takes no memories."""
        raise build_layer_refusal(home, layer, "it holds skills")


LAYOUT = PlainLayout()
SKILLS = Skills()
