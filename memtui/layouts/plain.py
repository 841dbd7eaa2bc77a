"""Any directory of Markdown, JSON or JSONL: never found by itself, opened when a person names it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.layouts.roles import MARKDOWN, by_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.layouts import Surroundings
    from memtui.model import Home
    from memtui.parse.source import Role

_ENDINGS = (*MARKDOWN, ".json", ".jsonl")
_LOOKED_AT = 4000


class Plain:
    """The last of the layouts: what no other one knows."""

    name = "plain"

    def find(self, around: Surroundings) -> Iterator[Home]:
        """None: not every directory with a README is a memory."""
        yield from ()

    def recognise(self, path: Path) -> str:
        """The first file in it, or a directory or two down, that can be read."""
        left = _LOOKED_AT
        for depth, names in _levels(path):
            for name in names:
                left -= 1
                if left < 0:
                    return ""
                if name.lower().endswith(_ENDINGS) and by_name(name) is not None:
                    return f"holds {name}" if depth == 0 else f"holds {name} further down"
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """By name and place."""
        return by_name(path)

    def prune(self, home: Path, path: str) -> bool:
        """Hidden directories."""
        return path.rsplit("/", 1)[-1].startswith(".")


def _levels(path: Path) -> Iterator[tuple[int, list[str]]]:
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


LAYOUT = Plain()
