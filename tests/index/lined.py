"""A home to index without any layout's or parser's help: every '- ' line is an entry, headings are headings.

`- [kind] text` names the kind, `!` before the text supersedes, `@SECONDS` dates, `~SECONDS` expires, `%N` is the
confidence, `=KEY` the key, `:LAYER` the layer; `"text"` is searched instead of the line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from memtui.core.edits import Draft, Target
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Filter, Home, Layer, Parsed, Problem, Role, Status
from memtui.formats import Source
from memtui.index.queries import Index
from memtui.index.sync import Changes, sync
from memtui.layouts import LayoutFacts, Surroundings


class Lined:
    """The layout: '*.md' are journals, '*.db' databases; directories called 'pruned' hold nothing of ours."""

    name = "lined"
    facts = LayoutFacts()

    def find(self, around: Surroundings) -> Iterable[Home]:
        return ()

    def recognise(self, path: Path) -> str:
        return "a test"

    def role(self, home: Path, path: str) -> Role | None:
        if path.endswith(".md"):
            return Role(Layer.JOURNAL, "note", "lined", limit=4000 if path.endswith(".short.md") else 10 << 20)
        return Role(Layer.KNOWLEDGE, "row", "lined", limit=0) if path.endswith(".db") else None

    def prune(self, home: Path, path: str) -> bool:
        return path.rpartition("/")[2] == "pruned"

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        raise RefusedError("a test is not written to")

    def append_only(self, path: str) -> bool:
        return False

    def read_only(self, path: str) -> str:
        return ""


def parse(source: Source) -> Parsed:
    """The parser. A line `- BROKEN` is a problem, `RAISE` an accident."""
    if not source.role.limit:
        with open(source.file, "rb") as file:
            source.data = file.read().upper()
        if os.path.exists(f"{source.file}-wal"):
            with open(f"{source.file}-wal", "rb") as log:
                source.data += log.read()
    entries: list[Entry] = []
    problems: list[Problem] = []
    heading: tuple[str, ...] = ()
    for number, line in enumerate(source.lines, 1):
        if line.startswith("# "):
            heading = (line[2:].strip(),)
        elif line.startswith("- BROKEN"):
            problems.append(Problem(source.path, number, "broken"))
        elif line.startswith("- RAISE"):
            raise RuntimeError("an accident")
        elif line.startswith("- "):
            entries.append(_entry(line[2:], number, heading))
    return Parsed(source.text, entries, problems, heading[0] if heading else "")


def _entry(text: str, number: int, heading: tuple[str, ...]) -> Entry:
    entry = Entry(text, number, number, heading=heading)
    for word in text.split():
        if word.startswith("[") and word.endswith("]"):
            entry.kind = word[1:-1]
        elif word.startswith("@"):
            entry.created = float(word[1:])
        elif word.startswith("~"):
            entry.expires = float(word[1:])
        elif word.startswith("%"):
            entry.confidence = float(word[1:])
        elif word.startswith("&"):
            entry.session = word[1:]
        elif word.startswith("$"):
            entry.source = word[1:]
        elif word.startswith("="):
            entry.key = word[1:]
        elif word.startswith(":"):
            entry.layer = Layer(word[1:])
        elif word.startswith("!"):
            entry.status, entry.superseded_by = Status.SUPERSEDED, word[1:]
        elif word.startswith("#"):
            entry.tags = (*entry.tags, word)
        elif word.startswith('"'):
            entry.search = word.strip('"')
    return entry


LAYOUT = Lined()


def home(root: Path, files: Mapping[str, str | bytes]) -> Home:
    """A home with these files, an hour old."""
    root.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write(root, path, text)
    return Home(root, "lined", "a test", root.name)


def write(root: Path, path: str, text: str | bytes, age: float = 3600.0) -> None:
    """Write a file that looks `age` seconds old, so that no guard for files just written steps in."""
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(text if isinstance(text, bytes) else text.encode())
    status = full.stat()
    os.utime(full, ns=(status.st_mtime_ns, status.st_mtime_ns - int(age * 1e9)))


EVERY = Filter(statuses=frozenset())
"""Whatever their status."""


def run(root: Path, index: Index, paths: list[str] | None = None) -> Changes:
    """A sync of this home."""
    return sync(Home(root, "lined", "a test", root.name), index, paths, layout=LAYOUT)


def many(root: Path) -> None:
    """Twenty files in three directories."""
    home(root, {f"{n % 3}/{n}.md": f"- number {n}\n" for n in range(20)})


def match(index: Index, query: str) -> list[tuple[str, int]]:
    """Path and line of the entries that FTS5 finds, oldest first."""
    ids = [row[0] for row in index.db.execute("SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid", (query,))]
    return [(row.path, row.line) for row in index.rows(ids)]
