"""What is in a project's directory now: files, commands, branches. Read without running anything, never followed out.

Links are not followed: what lies behind one counts as being there. Files of the project are hostile and read no
further than their first kilobytes.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import stat
from functools import lru_cache
from typing import TYPE_CHECKING

from memtui.layouts.git import branches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.curation.mentions import Mention

MOST = 20_000
"""Entries that are looked through for where something may have gone."""

_NONE, _THERE, _LINK = range(3)
_HEAD = 256 * 1024
_SKIPPED = frozenset({
    "node_modules", ".git", ".venv", "venv", "__pycache__", "dist", "build", "target", ".next", ".tox", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".gradle", "vendor",
})  # fmt: skip
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", ".justfile", "Justfile")
_TARGET = re.compile(r"^([A-Za-z0-9_./ -]+?)\s*::?(?!=)", re.MULTILINE)
_PHONY = re.compile(r"^\.PHONY\s*:\s*(.+)$", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:=\n]*)?:(?!=)|^alias\s+([\w-]+)\s*:=", re.MULTILINE)
_OPEN = re.compile(r"^-?s?include\b|^%|^\$\(|^import\b|^mod\b", re.MULTILINE)
"""A file that takes in others, or makes its targets: what it has cannot be told by reading it."""


class Tree:
    """One project, asked what is there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._there: dict[str, int] = {}
        self._places: dict[str, list[str]] | None = None
        self._ignored: tuple[str, ...] | None = None
        self._commands: dict[str, frozenset[str] | None] = {}
        self._branches: frozenset[str] | None = None
        self._asked = False

    def lacks(self, mention: Mention) -> bool:
        """Whether something is surely not there; what cannot be told is there."""
        kind, name = mention.kind, mention.name
        if kind == "branch":
            if not self._asked:
                self._asked, self._branches = True, branches(self.root)
            return self._branches is not None and name.removeprefix("origin/") not in self._branches
        if kind in {"script", "make", "just"}:
            if kind not in self._commands:
                self._commands[kind] = self._known(kind)
            known = self._commands[kind]
            return known is not None and name not in known
        if kind == "path" and (self.has(name) or (mention.anchored and not self.has(name.partition("/")[0]))):
            return False
        return self._nowhere(name) and not self._is_ignored(name)

    def has(self, path: str) -> bool:
        """Whether a path is in the project; behind a link everything is, and nothing there is looked at."""
        return self._state(path) != _NONE

    def _state(self, path: str) -> int:
        known = self._there.get(path)
        if known is None:
            above = path.rpartition("/")[0]
            known = self._state(above) if above else _THERE
            if known == _THERE:
                try:
                    known = _LINK if stat.S_ISLNK(os.lstat(self.root / path).st_mode) else _THERE
                except (OSError, ValueError):
                    known = _NONE
            self._there[path] = known
        return known

    def perhaps(self, path: str) -> str:
        """Where a file of the same name is, if it is in one place only."""
        last = path.rpartition("/")[2]
        found = [place for place in self._walked().get(last, ()) if place != path] if "." in last else []
        return found[0] if len(found) == 1 else ""

    def _nowhere(self, path: str) -> bool:
        """Whether no place ends like this: paths are often told from a package's own directory."""
        walked = self._walked()
        if not walked:
            return False
        last = path.rpartition("/")[2]
        return not any(place == path or place.endswith(f"/{path}") for place in walked.get(last, ()))

    def _walked(self) -> dict[str, list[str]]:
        if self._places is None:
            self._places = _walk(str(self.root), _stamp(self.root))
        return self._places

    def _is_ignored(self, path: str) -> bool:
        if self._ignored is None:
            lines = (line.strip() for line in _head(self.root / ".gitignore").splitlines())
            self._ignored = tuple(
                line.strip("/")
                for line in lines
                if line and line[0] not in "#!" and "/" not in line.strip("/")
            )
        parts = path.split("/")
        return any(fnmatch.fnmatchcase(part, line) for line in self._ignored for part in parts)

    def _known(self, kind: str) -> frozenset[str] | None:
        """The project's commands of one kind; None: they cannot be told."""
        if kind == "script":
            return self._scripts()
        names = _MAKEFILES if kind == "make" else _JUSTFILES
        text = next(filter(None, (_head(self.root / name) for name in names)), "")
        if not text:
            elsewhere = any(name in self._walked() for name in names)
            return None if elsewhere or not self._walked() else frozenset()
        if _OPEN.search(text) or len(text) >= _HEAD:
            return None
        if kind == "just":
            return frozenset(name for pair in _RECIPE.findall(text) for name in pair if name)
        targets = [*_TARGET.findall(text), *_PHONY.findall(text)]
        return frozenset(name for line in targets for name in line.split())

    def _scripts(self) -> frozenset[str] | None:
        try:
            scripts = json.loads(_head(self.root / "package.json")).get("scripts", {})
            found = frozenset(scripts) | {"install", "publish", "pack", "version"}
        except (ValueError, AttributeError, TypeError, RecursionError):
            return None
        # A command may be a workspace's own.
        return None if len(self._walked().get("package.json", ())) > 1 else found


def _head(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _stamp(root: Path) -> tuple[int, ...]:
    """Changes with what git does, and with what happens in the directories at the top."""
    found: list[int] = []
    for name in ("", ".git/index", ".git/HEAD", "src", "tests", "docs", "lib", "app", "packages"):
        try:
            found.append(os.stat(root / name, follow_symlinks=False).st_mtime_ns)
        except (OSError, ValueError):
            found.append(0)
    return tuple(found)


@lru_cache(maxsize=4)
def _walk(root: str, _stamp: tuple[int, ...]) -> dict[str, list[str]]:
    """Names -> the places that have them; empty where there are too many to tell."""
    found: dict[str, list[str]] = {}
    for number, path in enumerate(_every(root, "")):
        if number >= MOST:
            return {}
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _every(root: str, folder: str) -> Iterator[str]:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(root, here)))
        except OSError:
            continue
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            yield path
            if entry.name not in _SKIPPED and entry.is_dir(follow_symlinks=False):
                waiting.append(path)
