"""What Claude Code is told rather than remembers: CLAUDE.md, rules, and sub-agents' memory.

One home for the user (`<config>/`) and one for each directory of the project that has any of it, apart from the auto
memory because these files belong to the directory they stand in, not to a directory made up from its name.
"""

from __future__ import annotations

import os
from functools import lru_cache

from memtui.layouts.claude_projects import holds_markdown
from memtui.layouts.git import directories
from memtui.model import Home, Layer
from memtui.parse.dates import day_in
from memtui.parse.source import Role
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.edits import Draft, Target
    from memtui.layouts import Surroundings

_TOLD = Role(Layer.PROFILE, "rule", "markdown")
_RULE = Role(Layer.KNOWLEDGE, "rule", "markdown")
_CORE = Role(Layer.CORE, "note", "markdown")
_TOPIC = Role(Layer.KNOWLEDGE, "topic", "markdown")
_READ_TOO = Role(Layer.KNOWLEDGE, "rule", "markdown")
_DAY = Role(Layer.JOURNAL, "note", "journal")

_FILES = ("CLAUDE.md", "CLAUDE.local.md")
_AGENTS = frozenset({"agent-memory", "agent-memory-local"})
_FOLDERS = frozenset({"rules", *_AGENTS})
_DIARIES = frozenset({"journal", "journals", "diary"})
_INCLUDED = pattern(r"(?<![\w/.-])@(?:\./)?([\w.-]{1,80}\.md)\b")
_SENT_TO = pattern(
    r"[^\n]*(?:(?:先|必须|必須|务必|務必|首先)[^\n。，,]{0,12}(?:读|讀|看)|\b(?:always|first|must|before)\b[^\n]{0,80}\bread\b|"
    r"\bread\b[^\n]{0,80}\b(?:always|first|before)\b)[^\n]*",
    2,
)
_NAMED = pattern(r"`(?:\./)?([A-Z][A-Z0-9_-]{1,60}\.md)`")
"""What instructions include, and the files by their capitals that they tell an agent to read before all else."""


class ClaudeMd:
    """Instructions and sub-agents' memory."""

    name = "claude_md"

    def find(self, around: Surroundings) -> Iterator[Home]:
        """The user's, and the project's from here up to its root."""
        from memtui.layouts.claude import configurations

        configs = [config.resolve() for config in configurations(around) if config.is_dir()]
        for config in configs:
            reason = _held(config)
            if reason:
                yield Home(
                    config, self.name, reason, _label(config, around), writable=os.access(config, os.W_OK)
                )
        for folder in directories(around):
            own = folder / ".claude"
            mine = "" if own.resolve() in configs else _held(own)
            told = [name for name in _FILES if (folder / name).is_file()]
            if (not mine and not told) or (not mine and told == ["CLAUDE.md"] and self._covered(folder)):
                continue
            reason = ", ".join([*told, *([f"{mine} under .claude"] if mine else [])])
            # A directory is one home: where another layout has taken it, only .claude is left to this one.
            taken = _taken(folder, around)
            if taken and not mine:
                continue
            path = own if taken else folder
            yield Home(
                path.resolve(), self.name, reason, folder.name, str(folder), True, os.access(path, os.W_OK)
            )

    def _covered(self, folder: Path) -> bool:
        """Whether the project around a directory reads its instructions with its own."""
        outer = folder.parent
        return _told(outer) and not self.prune(outer, folder.name)

    def recognise(self, path: Path) -> str:
        """A `.claude` directory, or a project with memory under it and no Markdown of its own beside CLAUDE.md."""
        if path.name == ".claude":
            return _held(path)
        held = _held(path / ".claude")
        if not held and not any((path / name).is_file() for name in _FILES):
            return ""
        try:
            others = [name for name in os.listdir(path) if name.endswith(".md") and name not in _KNOWN]
        except OSError:
            return ""
        return "" if others else f"{held} under .claude" if held else "CLAUDE.md"

    def role(self, home: Path, path: str) -> Role | None:
        """CLAUDE.md is the person's own, rules are rules, a sub-agent's MEMORY.md is core and the rest topics."""
        parts = path.removeprefix(".claude/").split("/")
        name = parts[-1]
        if not name.endswith(".md") or name.startswith("."):
            return None
        if len(parts) == 1:
            if name in _FILES or (name == "AGENTS.md" and path == name):
                return _TOLD
            return _READ_TOO if path == name and name not in _KNOWN and name in _named(home) else None
        if name == "CLAUDE.md" and not path.startswith(".claude/") and home.name != ".claude":
            # Claude reads it as soon as it works in that directory.
            return _TOLD
        if parts[0] in _DIARIES and len(parts) == 2 and day_in(name):
            return _DAY
        if parts[0] == "rules":
            return _RULE
        if parts[0] in _AGENTS and len(parts) > 2:
            return (_CORE if name == "MEMORY.md" else _TOPIC)._replace(project=parts[1])
        if parts[0] == "memory" and path.startswith(".claude/"):
            return _CORE if name == "MEMORY.md" else _TOPIC
        return None

    def prune(self, home: Path, path: str) -> bool:
        """Everything but rules, sub-agents' memory, diaries, and directories with instructions of their own."""
        if path == ".claude":
            return False
        if path[:1] != "." and home.name != ".claude" and (path in _DIARIES or _told(home / path)):
            return False
        parts = path.removeprefix(".claude/").split("/")
        return parts[0] not in _FOLDERS or parts[-1].startswith(".")

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """CLAUDE.md, as a list item: it is the person's own, so no other layer goes there."""
        from memtui.layouts.places import place, refused

        if layer is not Layer.PROFILE:
            raise refused(home, layer, "CLAUDE.md is what a person tells Claude, a profile")
        path = next(
            (path for path in ("CLAUDE.md", ".claude/CLAUDE.md") if (home.path / path).is_file()), "CLAUDE.md"
        )
        return place(home, path, draft, layer)

    def append_only(self, path: str) -> bool:
        """Nothing is."""
        return False

    def read_only(self, path: str) -> str:
        """Nothing is."""
        return ""


_KNOWN = frozenset({*_FILES, "AGENTS.md", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE.md"})


def _told(path: Path) -> bool:
    """Whether a directory has instructions of its own."""
    return os.path.isfile(os.path.join(path, "CLAUDE.md"))


def _named(home: Path) -> frozenset[str]:
    """The files beside a project's instructions that those send an agent to."""
    stamps: list[tuple[str, int]] = []
    for name in ("CLAUDE.md", "AGENTS.md"):
        try:
            stamps.append((str(home / name), os.stat(home / name).st_mtime_ns))
        except OSError:
            continue
    return _named_in(tuple(stamps))


@lru_cache(maxsize=256)
def _named_in(stamps: tuple[tuple[str, int], ...]) -> frozenset[str]:
    found: set[str] = set()
    for file, _changed in stamps:
        try:
            with open(file, encoding="utf-8", errors="replace") as handle:
                text = handle.read(1 << 17)
        except OSError:
            continue
        found.update(match[1] for match in _INCLUDED.finditer(text))
        for line in _SENT_TO.finditer(text):
            found.update(match[1] for match in _NAMED.finditer(line[0]))
    return frozenset(found)


def _held(path: Path) -> str:
    """What of ours a configuration directory holds, in words."""
    found = [name for name in _FILES if (path / name).is_file()]
    if holds_markdown(path / "rules"):
        found.append("rules")
    found += [name for name in sorted(_AGENTS) if holds_markdown(path / name)]
    return ", ".join(found)


def _taken(folder: Path, around: Surroundings) -> bool:
    """Whether a layout that is asked before this one makes a home of the project's directory itself."""
    from memtui.layouts import LAYOUTS, layout

    earlier = map(layout, LAYOUTS[: LAYOUTS.index("claude_md")])
    return any(
        home.path == folder for kind in earlier if kind.recognise(folder) for home in kind.find(around)
    )


def _label(path: Path, around: Surroundings) -> str:
    user = around.user.resolve()
    return f"~/{path.relative_to(user).as_posix()}" if path.is_relative_to(user) else path.name


LAYOUT = ClaudeMd()
