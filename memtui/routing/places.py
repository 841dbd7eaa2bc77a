"""Where in a home a rule's path leads: to a memory file that is there, inside the home, through no link.

What a rule says is only ever compared with names that a directory lists, and looked up part by part: a path that
leaves the home, a link, a device lead nowhere.
"""

from __future__ import annotations

import json
import os
import posixpath
import stat
from functools import lru_cache

from memtui.disk.files import Reader, read
from memtui.errors import MemtuiError
from memtui.layouts import layout
from memtui.record import TYPE_CHECKING, NamedTuple
from memtui.routing.rule import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    from memtui.model import Home
    from memtui.parse.source import Role
    from memtui.routing.rule import Rule

MOST = 500
"""Things that one placeholder stands for at most."""
_HEADS = ("summary.md", "README.md", "proposal.md", "requirements.md", "why.md")
"""Which file of a directory speaks for it."""
_CLAUDE = ".claude/memory/"
MAP = "prefix-map.json"
"""Which names belong to which schema file (code-memory): `{"ord_": "order"}`, or `{"order": ["ord_", "oi_"]}`."""


class Document(NamedTuple):
    """A file that a rule leads to."""

    path: str
    role: Role
    named: str = ""
    """What stands in place of the placeholder."""


class Places:
    """One home, looked into. Use it in a `with`: directories stay open meanwhile."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._layout = layout(home.layout)
        self._reader = Reader(home.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.close()

    def candidates(self, rule: Rule, target: str) -> list[tuple[str, str]]:
        """What a target may mean: paths by what stands in them for the placeholder; without one they stand in order."""
        plain: list[tuple[str, str]] = []
        for path in self.written(rule, target):
            if not PLACEHOLDER.search(path):
                plain.append(("", path))
            elif found := list(self._expanded(path)):
                return found
        return plain

    def document(self, path: str, named: str = "") -> Document | None:
        """The memory file at a path; of a directory the file that speaks for it."""
        mode = self._mode(path)
        if stat.S_ISDIR(mode):
            heads = (f"{path.rstrip('/')}/{head}" for head in _HEADS)
            path = next((head for head in heads if stat.S_ISREG(self._mode(head))), "")
        elif not stat.S_ISREG(mode):
            return None
        role = self._layout.role(self._home.path, path) if path else None
        return None if role is None else Document(path, role, named)

    def there(self, path: str) -> bool:
        """Whether anything stands at a path of the home."""
        return bool(self._mode(path))

    def prefixes(self, named: str, path: str) -> Iterator[str]:
        """What names of a family begin with: the document's own name, and what prefix-map.json beside it says."""
        yield named
        folder = path.rpartition("/")[0]
        for place in (folder, folder.rpartition("/")[0]):
            file = os.path.join(self._home.path, *place.split("/"), MAP)
            try:
                stamp = os.lstat(file).st_mtime_ns
                yield from _prefixes(str(self._home.path), posixpath.join(place, MAP), stamp).get(named, ())
            except (MemtuiError, OSError, ValueError):
                continue

    def _mode(self, path: str) -> int:
        try:
            return self._reader.status(path.rstrip("/")).st_mode
        except (MemtuiError, OSError, ValueError):
            return 0

    def written(self, rule: Rule, target: str) -> Iterator[str]:
        """What the target may mean, relative to the home; nothing where it means a place outside."""
        target = target.strip().partition("#")[0].replace("\\", "/")
        root = str(self._home.path).replace(os.sep, "/").rstrip("/") + "/"
        if target.startswith(("~", "/", "$HOME")) or target[1:2] == ":":
            user, _slash, rest = target.partition("/")
            mine = user in {"~", "$HOME"}
            whole = os.path.expanduser("~").replace(os.sep, "/") + "/" + rest if mine else target
            if whole.startswith(root):
                yield from _inside(whole[len(root) :])
            if _CLAUDE in whole and self._home.layout == "code-memory":
                # Claude Code's directory may have been moved since the rule was written.
                yield from _inside(whole.partition(_CLAUDE)[2])
            return
        if self._home.layout == "code-memory":
            target = target.removeprefix(_CLAUDE).removeprefix("memory/")
        for base in rule.bases:
            # An index speaks of what stands around it; the bases of a loader are only where its paths may begin.
            yield from _inside(base + target) if rule.layered else map(base.__add__, _inside(target))

    def _expanded(self, path: str) -> Iterator[tuple[str, str]]:
        """What the first placeholder may stand for, with the path of each."""
        parts = path.split("/")
        at = next(n for n, part in enumerate(parts) if PLACEHOLDER.search(part))
        match = PLACEHOLDER.search(parts[at])
        rest = "/".join(parts[at + 1 :])
        if match is None or PLACEHOLDER.search(rest) or PLACEHOLDER.search(parts[at], match.end()):
            return
        before, after = parts[at][: match.start()], parts[at][match.end() :]
        for name in listed(os.path.join(self._home.path, *parts[:at])):
            long = len(name) > len(before) + len(after)
            if long and name.startswith(before) and name.endswith(after):
                yield (
                    name[len(before) : len(name) - len(after)],
                    "/".join([*parts[:at], name, *parts[at + 1 :]]),
                )


def _inside(path: str) -> Iterator[str]:
    """The path without '.' and '..', where it stays inside."""
    plain = posixpath.normpath(path)
    if plain not in {".", ".."} and not plain.startswith(("../", "/")):
        yield plain


def listed(folder: str) -> tuple[str, ...]:
    """The names in a directory that are not hidden, in order; read again only when it changed."""
    try:
        return _listed(folder, os.stat(folder).st_mtime_ns)
    except (OSError, ValueError):
        return ()


@lru_cache(maxsize=256)
def _listed(folder: str, changed: int) -> tuple[str, ...]:
    with os.scandir(folder) as entries:
        return tuple(sorted(entry.name for entry in entries if entry.name[:1] != ".")[:MOST])


@lru_cache(maxsize=16)
def _prefixes(root: str, path: str, changed: int) -> dict[str, tuple[str, ...]]:
    """A document's name -> the prefixes that lead to it. Raises as reading a file does."""
    try:
        plain = json.loads(read(root, path, 1 << 20)[0])
    except (ValueError, RecursionError):
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for key, value in list(plain.items())[:MOST] if isinstance(plain, dict) else ():
        if isinstance(value, str):
            name = posixpath.basename(value).removesuffix(".md")
            found[name] = (*found.get(name, ()), key)
        elif isinstance(value, list):
            found[key] = (*found.get(key, ()), *(one for one in value[:MOST] if isinstance(one, str)))
    return found
