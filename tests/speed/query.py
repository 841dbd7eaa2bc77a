"""Queries against the bare SQL: what reading the texts, ranking them again and marking the matches costs.

The bare table holds the same words and the text besides, so that SQLite's own `snippet` has something to show.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memtui.search import Target, search
from memtui.search.query import parse
from memtui.search.texts import Texts
from memtui.search.titles import Titles
from memtui.text import TOKENIZER, segment
from tests.speed.corpus import COMMON, COMMON_ZH, RARE, RARE_ZH

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.index.index import Index
    from memtui.model import Home, Results

ROUNDS = 9
RARE_QUERIES = (RARE, RARE_ZH)
SEVERAL = ("retry timeout deploy", "熔断 限流 降级", "config 部署", "数据库连接超时")
COMMON_QUERIES = (COMMON, COMMON_ZH)
TYPED = ("session", "项目", "prjsum", "2026-03", "决策 12", "daily 07", "ssn0042", "xqzv")


class Against(NamedTuple):
    """One query, ours and the bare SQL; seconds, medians of interleaved rounds."""

    query: str
    ours: float
    bare: float

    @property
    def ratio(self) -> float:
        """Ours over the bare SQL."""
        return self.ours / self.bare


def bare_table(home: Home, index: Index, file: Path) -> apsw.Connection:
    """The same words as in the index, in a plain FTS5 table that also keeps the text."""
    db = apsw.Connection(str(file))
    db.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
    db.execute(f"CREATE VIRTUAL TABLE bare USING fts5(heading, body, tokenize='{TOKENIZER}')")
    rows = index.db.execute(
        "SELECT entry.id, file.path, entry.start, entry.size, name.text FROM entry JOIN file ON file.id = entry.file"
        " LEFT JOIN name ON name.id = entry.heading WHERE entry.start IS NOT NULL ORDER BY entry.file, entry.start"
    )
    held = ("", b"")
    with db:
        for id_, path, start, size, heading in rows:
            if path != held[0]:
                held = (path, (home.path / path).read_bytes())
            text = held[1][start : start + size].decode("utf-8", "replace")
            db.execute(
                "INSERT INTO bare(rowid, heading, body) VALUES(?, ?, ?)", (id_, heading or "", segment(text))
            )
    return db


def against(target: Target, bare: apsw.Connection, query: str) -> Against:
    """One query, in turns with the bare SQL for the same words."""
    sql = (
        "SELECT rowid, bm25(bare, 2.0, 1.0) AS s, snippet(bare, 1, '<', '>', '…', 24) FROM bare"
        " WHERE bare MATCH ? ORDER BY s LIMIT 10"
    )
    match = parse(query).match
    ours: list[float] = []
    plain: list[float] = []
    for _ in range(ROUNDS):
        plain.append(timed(lambda: bare.execute(sql, (match,)).fetchall()))
        ours.append(timed(lambda: search([target], query)))
    return Against(query, statistics.median(ours), statistics.median(plain))


def first_page(target: Target, query: str) -> tuple[float, float, bool]:
    """Seconds to the first page of a common word, to its refinement, and whether that is the full ranking's top ten."""
    firsts: list[float] = []
    lasts: list[float] = []
    same = True
    whole = search([target], query)
    for _ in range(ROUNDS):
        done = threading.Event()
        later: list[Results] = []

        def refine(results: Results, later: list[Results] = later, done: threading.Event = done) -> None:
            later.append(results)
            done.set()

        began = time.perf_counter()
        page = search([target], query, refine=refine)
        firsts.append(time.perf_counter() - began)
        if page.bounded:
            done.wait(60)
        lasts.append(time.perf_counter() - began)
        shown = later[0] if later else page
        same &= [(hit.path, hit.start_line) for hit in shown] == [(hit.path, hit.start_line) for hit in whole]
    return statistics.median(firsts), statistics.median(lasts), same


def fuzzy(titles: list[str]) -> tuple[float, float, float | None]:
    """Median and p95 seconds of one key in the fuzzy finder; and those of `fzf --filter`, where there is one."""
    finder = Titles(titles)
    finder.find("warm up")
    begun = [typed[:length] for typed in TYPED for length in range(1, len(typed) + 1)]
    keys = sorted(timed(partial(finder.find, typed)) for typed in begun)
    peer: float | None = None
    program = shutil.which("fzf")
    if program:
        with tempfile.TemporaryDirectory() as directory:
            listed = Path(directory) / "titles"
            listed.write_text("\n".join(titles), "utf-8")
            peer = statistics.median(timed(partial(_filter, program, typed, listed)) for typed in TYPED)
    return statistics.median(keys), keys[int(len(keys) * 0.95)], peer


def _filter(program: str, typed: str, listed: Path) -> None:
    with listed.open("rb") as lines:
        subprocess.run([program, "--filter", typed], stdin=lines, stdout=subprocess.DEVNULL, check=False)


def target(home: Home, index: Index) -> Target:
    """A home as the vault searches it: files read for one query serve the next."""
    return Target(home, index, Texts(home))


def timed(call: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
