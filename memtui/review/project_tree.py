"""What is in a project's directory now: files, commands, branches; read without running anything.

Links are not followed: what lies behind one counts as being there. The project's files are hostile and read no
further than their first kilobytes.
"""

from __future__ import annotations

import json
import os
import re
import stat
from functools import lru_cache
from typing import TYPE_CHECKING

from memtui.core.startup import compile_pattern
from memtui.layouts.git import list_branches
from memtui.review.mentions import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.review.mentions import Mention

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
_TARGET = compile_pattern(r"^([A-Za-z0-9_./ -]+?)\s*::?(?!=)", re.MULTILINE)
_PHONY = compile_pattern(r"^\.PHONY\s*:\s*(.+)$", re.MULTILINE)
_RECIPE = compile_pattern(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:=\n]*)?:(?!=)|^alias\s+([\w-]+)\s*:=", re.MULTILINE)
_SUBMODULE = compile_pattern(r"^\s*path\s*=\s*(\S.*?)\s*$", re.MULTILINE)
_WILD = compile_pattern(r"(?P<any>\*\*/)|(?P<all>/?\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<set>\[[^\]/]+\])")
_MANIFESTS = (
    ("package.json", compile_pattern(r"\"(?P<name>@?[\w./-]+)\"\s*:\s*\"(?P<version>[\^~]?\d[^\"\s]*)\"")),
    (
        "Cargo.toml",
        compile_pattern(
            r"^(?P<name>[\w-]+)\s*=\s*(?:\{[^}\n]*\bversion\s*=\s*)?\"(?P<version>[\^~=]?\d[^\"\s]*)\"",
            re.MULTILINE,
        ),
    ),
)
"""Files that say which version of a library a project takes."""
_MAIN = compile_pattern(r"[\^~=]?v?(\d+)(?:\.(\d+))?")
_PACKAGES = 40
_OPEN = compile_pattern(r"^-?s?include\b|^%|^\$\(|^import\b|^mod\b", re.MULTILINE)
"""A file that takes in others, or makes its targets: what it has cannot be told by reading it."""


class Tree:
    """One project, asked what is there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._there: dict[str, int] = {}
        self._places: dict[str, list[str]] | None = None
        self._rules: dict[str, tuple[tuple[re.Pattern[str], bool], ...]] = {}
        self._commands: dict[str, frozenset[str] | None] = {}
        self._branches: frozenset[str] | None = None
        self._asked = False
        self._stems: frozenset[str] | None = None
        self._names: frozenset[str] | None = None
        self._wanted: dict[str, set[str]] | None = None

    def lacks(self, mention: Mention) -> bool:
        """Whether something is surely not there; what cannot be told is there."""
        kind, name = mention.kind, mention.name
        if kind == "branch":
            if not self._asked:
                self._asked, self._branches = True, list_branches(self.root)
            return self._branches is not None and name.removeprefix("origin/") not in self._branches
        if kind in {"script", "make", "just"}:
            if kind not in self._commands:
                self._commands[kind] = self._known(kind)
            known = self._commands[kind]
            return known is not None and name not in known
        if kind != "name" and (self.has(name) or not self._begins(name)):
            return False
        if kind == "name" and self._spelled_otherwise(name):
            return False
        return self._nowhere(name) and not any(map(self._is_ignored, (name, *self._inner(name))))

    def _inner(self, path: str) -> Iterator[str]:
        """Where a path is meant that is told from a package's own directory: 'public/uploads' of erp/."""
        first, _slash, rest = path.partition("/")
        if rest:
            yield from (f"{place}/{rest}" for place in self._walked().get(first, ()) if place.count("/") == 1)

    def wants_otherwise(self, library: str, version: str) -> str:
        """The version of a library that the project's manifests ask for, where it is of none with that main number."""
        if self._wanted is None:
            self._wanted = {}
            for name, pattern in _MANIFESTS:
                for place in self._walked().get(name, ())[:_PACKAGES]:
                    for found in pattern.finditer(_head(self.root / place)):
                        self._wanted.setdefault(found["name"], set()).add(found["version"])
        wanted = self._wanted.get(library, set())
        mains = {one: _read_main(one) for one in wanted}
        if not wanted or None in mains.values() or _read_main(version) in {None, *mains.values()}:
            return ""
        return max(wanted)

    def top(self, path: str) -> str:
        """The outermost directory of a missing path that is missing, too; else the path."""
        parts = path.split("/")
        above = ("/".join(parts[:count]) for count in range(2, len(parts)))
        return next((folder for folder in above if not self.has(folder) and self._nowhere(folder)), path)

    def knows(self, name: str) -> bool:
        """Whether a file has that name, whatever its ending; where it cannot be told it may."""
        walked = self._walked()
        if not walked:
            return True
        if self._stems is None:
            self._stems = frozenset(one.partition(".")[0].casefold() for one in walked)
        return name in walked or name.casefold() in self._stems

    def _spelled_otherwise(self, name: str) -> bool:
        """Whether a file has that name in other letters: 'tools.md' is TOOLS.md."""
        if self._names is None:
            self._names = frozenset(map(str.casefold, self._walked()))
        return name.casefold() in self._names

    def _begins(self, path: str) -> bool:
        """Whether a path starts in the project, at its top or in one of the directories there: what starts anywhere
        else belongs to another project, a server, a package."""
        first, _slash, rest = path.partition("/")
        if self.has(rest):
            # The project's own name stands before it.
            return False
        places = self._walked().get(first, ())
        return self.has(first) or any(place.count("/") == 1 for place in places)

    def has(self, path: str) -> bool:
        """Whether a path is in the project; behind a link everything is, and nothing there is looked at."""
        return self._state(path) != _NONE

    def holds(self, path: str) -> bool:
        """Whether some place in the project ends like this."""
        return self.has(path) or any(
            place == path or place.endswith(f"/{path}") for place in self._walked().get(path.rpartition("/")[2], ())
        )

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

    def has_alike(self, path: str) -> bool:
        """Whether other directories beside a path's own have a file of its name: 'skills/other/SKILL.md'."""
        first, last = path.partition("/")[0], path.rpartition("/")[2]
        beside = (place for place in self._walked().get(last, ()) if place.startswith(f"{first}/"))
        return any(place.count("/") == path.count("/") for place in beside)

    def has_language(self, path: str) -> bool:
        """Whether a path is of a document, or its directory has other files of its ending."""
        folder, _slash, name = path.rpartition("/")
        ending = name.rpartition(".")[2]
        return ending not in WRITTEN or any(
            place.rpartition("/")[0] == folder and place.endswith(f".{ending}")
            for places in self._walked().values()
            for place in places
        )

    def perhaps(self, path: str) -> str:
        """Where it may be now: in the directory of its name, or where alone a file of that name is."""
        last = path.rpartition("/")[2]
        package = path.rpartition(".")[0]
        if package and self.has(package):
            return f"{package}/"
        found = [place for place in self._walked().get(last, ()) if place != path] if "." in last else []
        return found[0] if len(found) == 1 else ""

    def _nowhere(self, path: str) -> bool:
        """Whether no place ends like this: paths are often told from a package's own directory."""
        return bool(self._walked()) and not self.holds(path)

    def _walked(self) -> dict[str, list[str]]:
        if self._places is None:
            self._places = _walk(str(self.root), _stamp(self.root))
        return self._places

    def _is_ignored(self, path: str) -> bool:
        """Whether git would not have it: what nobody checks in is not gone when a checkout lacks it."""
        ignored = False
        parts = path.split("/")
        for count in range(1, len(parts) + 1):
            here = "/".join(parts[:count])
            for depth in range(count):
                folder = "/".join(parts[:depth])
                inner = here[len(folder) + 1 :] if folder else here
                for rule, is_taken_back in self._ignoring(folder):
                    if rule.fullmatch(inner):
                        ignored = not is_taken_back
            if ignored:
                return True
        return False

    def _ignoring(self, folder: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
        """The rules of a directory's .gitignore; a submodule is not there either as long as nobody asks for it."""
        known = self._rules.get(folder)
        if known is None:
            if folder and self._state(folder) != _THERE:
                return ()
            lines = _head(self.root / folder / ".gitignore").splitlines()
            if not folder:
                lines += (f"/{place}" for place in _SUBMODULE.findall(_head(self.root / ".gitmodules")))
            known = self._rules[folder] = tuple(map(_rule, filter(None, map(_stripped, lines))))
        return known

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


def _read_main(version: str) -> tuple[int, int] | None:
    """What two versions have in common that go together: the first number, below 1 the second, too; None: unknown."""
    found = _MAIN.match(version)
    if found is None:
        return None
    first, second = int(found[1]), int(found[2] or 0)
    return (first, second) if first == 0 else (first, 0)


def _stripped(line: str) -> str:
    line = line.strip()
    return "" if line.startswith("#") or not line.strip("!/") else line


def _rule(line: str) -> tuple[re.Pattern[str], bool]:
    """A line of a .gitignore, and whether it takes back what others ignore."""
    is_taken_back = line.startswith("!")
    line = line.removeprefix("!").rstrip("/")
    body = line.strip("/")
    wild = {"any": "(?:.*/)?", "all": ".*", "some": "[^/]*", "one": "[^/]"}
    pattern, at = "" if "/" in line else "(?:.*/)?", 0
    for match in _WILD.finditer(body):
        pattern += re.escape(body[at : match.start()]) + wild.get(match.lastgroup or "", match[0])
        at = match.end()
    try:
        return re.compile(pattern + re.escape(body[at:])), is_taken_back
    except re.error:
        return re.compile(re.escape(body)), is_taken_back


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
