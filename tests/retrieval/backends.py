"""What answers the questions: memtui in its modes, and two baselines over the same files.

ripgrep: the question's words (Chinese by its pairs of characters), stop words dropped, upper and lower case alike;
lines ranked by how many of the words they hold. unicode61: one row a line in an FTS5 table with that tokenizer, the
question's words joined by OR, a Chinese run with prefix matching as specification 002 has it, ranked by bm25.
Both are given the files that hold the home's memories, and no others.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memtui.core.model import Filter
from memtui.core.text import CJK_RUN
from memtui.search.vocabulary import CHINESE, ENGLISH
from tests.retrieval.questions import Place
from tests.retrieval.scores import DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui import Vault

    Ask = Callable[[str], Sequence[Place]]
    """A question's words in, at most ten places out, best first."""

MODES = ("scan", "fts", "vector", "hybrid")
BASELINES = ("ripgrep", "unicode61")
_WORD = re.compile(r"[^\W_]+(?:[._/:-]*[^\W_]+)*")


def memtui(vault: Vault, home: Path, mode: str) -> Ask:
    """`Vault.find` as everybody calls it."""

    def ask(query: str) -> list[Place]:
        found = vault.find(query, DEPTH, mode=mode)
        return [Place(inside(home, hit.home, hit.path), hit.start_line, hit.end_line) for hit in found]

    return ask


def inside(home: Path, root: str, path: str) -> str:
    """A path of a home as it is named from the directory that was opened."""
    return (Path(root) / path).relative_to(home).as_posix()


def files(vault: Vault, home: Path) -> list[str]:
    """The files in which the home's memories stand, named from its directory on."""
    every = {(memory.home, memory.path) for memory in vault.memories(Filter(statuses=frozenset(), parts=True))}
    return sorted(inside(home, root, path) for root, path in every)


def words(query: str) -> list[str]:
    """What somebody would grep for: words without stop words, Chinese by its pairs of characters."""
    found: dict[str, None] = {}
    for piece in CJK_RUN.split(query):
        if CJK_RUN.fullmatch(piece):
            pairs = [*map("".join, pairwise(piece))] or [piece]
            found.update(dict.fromkeys(pair for pair in pairs if pair not in CHINESE))
        else:
            plain = (word.casefold() for word in _WORD.findall(piece))
            found.update(dict.fromkeys(word for word in plain if word not in ENGLISH))
    return list(found)


def ripgrep(home: Path, paths: Sequence[str]) -> Ask:
    """The lines with the most of the question's words: by `rg` where it is installed, else by the same in Python."""
    program = shutil.which("rg")

    def ask(query: str) -> list[Place]:
        wanted = words(query)
        if not wanted:
            return []
        ranked = sorted(
            ((-sum(word in text.casefold() for word in wanted), path, line) for path, line, text in lines(wanted)),
        )
        return [Place(path, line, line) for score, path, line in ranked[:DEPTH] if score]

    def lines(wanted: Sequence[str]) -> list[tuple[str, int, str]]:
        if program is None:
            return list(_lines(home, paths))
        patterns = [option for word in wanted for option in ("-e", word)]
        done = subprocess.run(
            [program, "-inF", "--no-heading", "--with-filename", "--null", *patterns, "--", *paths],
            cwd=home, capture_output=True, check=False,
        )  # fmt: skip
        found = (line.partition("\0") for line in done.stdout.decode("utf-8", "replace").split("\n") if line)
        numbered = ((path, *rest.partition(":")) for path, _, rest in found)
        return [(path, int(number), text) for path, number, _, text in numbered]

    return ask


def unicode61(home: Path, paths: Sequence[str]) -> Ask:
    """FTS5 with its own tokenizer over every line."""
    db = apsw.Connection(":memory:")
    db.execute("CREATE VIRTUAL TABLE line USING fts5(text, path UNINDEXED, number UNINDEXED, tokenize='unicode61')")
    with db:
        db.executemany(
            "INSERT INTO line(path, number, text) VALUES(?, ?, ?)",
            [row for row in _lines(home, paths) if row[2].strip()],
        )

    def ask(query: str) -> list[Place]:
        match = " OR ".join(_quoted(piece) for piece in CJK_RUN.split(query) if _quoted(piece))
        if not match:
            return []
        sql = "SELECT path, number FROM line WHERE line MATCH ? ORDER BY bm25(line), rowid LIMIT ?"
        return [Place(path, number, number) for path, number in db.execute(sql, (match, DEPTH))]

    return ask


def _quoted(piece: str) -> str:
    if CJK_RUN.fullmatch(piece):
        return f'"{piece}"*'
    return " OR ".join(f'"{word}"' for word in re.findall(r"[^\W_]+", piece))


def _lines(home: Path, paths: Sequence[str]) -> list[tuple[str, int, str]]:
    return [
        (path, number, text)
        for path in paths
        for number, text in enumerate((home / path).read_text("utf-8", "replace").split("\n"), 1)
    ]
