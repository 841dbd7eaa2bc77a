"""A labelled set as a directory: `homes/` with one directory a home, and `questions.jsonl`, one question a line.

    {"id": "deploy-3", "query": "…", "category": "paraphrase", "language": "en", "home": "lin",
     "expected": [{"path": "daily/2026-02-24.md", "line": 12}, {"path": "MEMORY.md", "text": "a piece of the line"}]}

`home` is a directory under `homes/` and is searched by itself; `path` is relative to it. A label is a `line` (from 1)
or a `text` that stands in exactly one line of the file. `stale`, in the same form, is optional: lines that no longer
hold and must not come before the right one. `category` is any word; `language` is that of the query, en or zh.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

CATEGORIES = (
    "exact", "paraphrase", "cross", "temporal", "superseded", "identifier", "multi", "fragment", "typo",
)  # fmt: skip
"""The categories of the set that stands here; another set may have its own."""


class Place(NamedTuple):
    """Some lines of a file, which is named from the home's directory on."""

    path: str
    start: int
    end: int

    def covers(self, label: Place) -> bool:
        """Whether it holds the first line of the label."""
        return self.path == label.path and self.start <= label.start <= self.end


class Question(NamedTuple):
    """What is asked of a home, and the lines that answer it."""

    id: str
    query: str
    category: str
    language: str
    home: str
    expected: tuple[Place, ...]
    stale: tuple[Place, ...] = ()


class LabelError(ValueError):
    """A label that names no line, or more than one."""


def questions(directory: Path) -> list[Question]:
    """Every question of a set, its labels resolved to lines. Raises LabelError where one cannot be."""
    found: list[Question] = []
    with (directory / "questions.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                plain = json.loads(line)
                home = directory / "homes" / plain["home"]
                found.append(
                    Question(
                        str(plain["id"]),
                        plain["query"],
                        plain["category"],
                        plain["language"],
                        plain["home"],
                        tuple(_place(home, label, plain["id"]) for label in plain["expected"]),
                        tuple(_place(home, label, plain["id"]) for label in plain.get("stale", ())),
                    )
                )
    return found


def _place(home: Path, label: dict[str, Any], id: str) -> Place:
    path = str(label["path"])
    if "line" in label:
        return Place(path, int(label["line"]), int(label["line"]))
    lines = (home / path).read_text(encoding="utf-8").split("\n")
    numbers = [number for number, line in enumerate(lines, 1) if label["text"] in line]
    if len(numbers) != 1:
        raise LabelError(f"{id}: {label['text']!r} stands in {len(numbers)} lines of {home.name}/{path}")
    return Place(path, numbers[0], numbers[0])
