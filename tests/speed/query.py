"""Queries against the bare SQL: what reading the texts, ranking them again and marking the matches costs.

The bare table holds the same words and the text besides, so that SQLite's own `snippet` has something to show; ours
reads the lines it shows from the home's files. Half of the facts in the home are superseded, hidden and counted.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memtui.core.text import TOKENIZER, segment_text
from memtui.index.queries import Index
from memtui.search import search
from memtui.search.query import parse
from memtui.search.suggest import Titles
from memtui.search.texts import MemoryTexts, SearchTarget
from tests.speed.corpus import COMMON, COMMON_ZH, RARE, RARE_ZH
from tests.speed.index import opened
from tests.speed.measure import Measure, NotHereError, Row, Scale, in_turns, percentile, timed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.model import Home, Results

ROUNDS = 9
TITLES = 100_000
SEVERAL = ("retry timeout deploy", "熔断 限流 降级", "config 部署", "数据库连接超时")
TYPED = ("session", "项目", "prjsum", "2026-03", "决策 12", "daily 07", "ssn0042", "xqzv")
SQL = (
    "SELECT rowid, bm25(bare, 1.0, 2.0) AS s, snippet(bare, 0, '<', '>', '…', 24) FROM bare"
    " WHERE bare MATCH ? ORDER BY s LIMIT 10"
)


@contextmanager
def searched(count: int) -> Iterator[tuple[SearchTarget, Index]]:
    """A home of that many files as the vault searches it: files read for one query serve the next."""
    home, where = opened(count)
    with Index.open(where) as index, MemoryTexts(home) as texts:
        yield SearchTarget(home, index, texts), index


def bare_table(home: Home, index: Index, file: Path) -> apsw.Connection:
    """The same words as in the index, in a plain FTS5 table that also keeps the text."""
    db = apsw.Connection(str(file))
    db.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
    db.execute(f"CREATE VIRTUAL TABLE bare USING fts5(body, heading, tokenize='{TOKENIZER}')")
    rows = index.db.execute(
        "SELECT entry.id, file.path, entry.start, entry.size, name.text FROM entry JOIN file ON file.id = entry.file"
        " LEFT JOIN name ON name.id = entry.heading WHERE entry.start IS NOT NULL ORDER BY entry.id"
    )
    held = ("", b"")
    with db:
        for id_, path, start, size, heading in rows:
            if path != held[0]:
                held = (path, (home.path / path).read_bytes())
            text = held[1][start : start + size].decode("utf-8", "replace")
            db.execute(
                "INSERT INTO bare(rowid, body, heading) VALUES(?, ?, ?)",
                (id_, segment_text(text), heading or ""),
            )
    return db


def against(queries: tuple[str, ...], scale: Scale) -> Measure:
    """Queries in turns with the bare SQL for the same words: the median ratio."""
    with searched(scale.files) as (target, index), tempfile.TemporaryDirectory() as directory:
        bare = bare_table(target.home, index, Path(directory) / "bare.db")
        found = []
        for query in queries:
            ours = partial(search, [target], query)
            limit = partial(_all, bare, parse(query).match)
            timed(ours)
            timed(limit)
            found.append((query, *in_turns(ours, limit, ROUNDS)))
        bare.close()
    detail = ", ".join(f"{query}: {ours * 1e3:.2f} / {plain * 1e3:.2f} ms" for query, _, ours, plain in found)
    return Measure(statistics.median(ratio for _, ratio, _, _ in found), detail)


def _all(bare: apsw.Connection, match: str) -> list[object]:
    return list(bare.execute(SQL, (match,)))


def first_page(scale: Scale) -> Measure:
    """Until the first page of the commonest word is there; milliseconds, the slower of two languages."""
    with searched(scale.files) as (target, _):
        found = [(query, *_refined(target, query)) for query in (COMMON, COMMON_ZH)]
    detail = ", ".join(f"{query}: {first * 1e3:.1f}, refined {last * 1e3:.1f} ms" for query, first, last, _ in found)
    return Measure(max(first for _, first, _, _ in found) * 1e3, detail)


def refined(scale: Scale) -> Measure:
    """How many of the top ten differ between the refined page and the ranking of every match."""
    with searched(scale.files) as (target, _):
        found = [(query, _refined(target, query, rounds=1)[2]) for query in (COMMON, COMMON_ZH)]
    return Measure(sum(lost for _, lost in found), ", ".join(f"{query}: {lost}" for query, lost in found))


def _refined(target: SearchTarget, query: str, rounds: int = ROUNDS) -> tuple[float, float, int]:
    """Seconds to the first page and to its refinement, and hits that differ from the full ranking's."""
    firsts: list[float] = []
    lasts: list[float] = []
    whole = search([target], query)
    lost = 0
    for _ in range(rounds):
        done = threading.Event()
        later: list[Results] = []

        def refine(results: Results, later: list[Results] = later, done: threading.Event = done) -> None:
            later.append(results)
            done.set()

        began = time.perf_counter()
        page = search([target], query, refine=refine)
        firsts.append(time.perf_counter() - began)
        if page.bounded:
            assert done.wait(60)
        lasts.append(time.perf_counter() - began)
        shown = later[0] if later else page
        pairs = zip(shown, whole, strict=True)
        lost = max(lost, sum((one.path, one.start_line) != (two.path, two.start_line) for one, two in pairs))
    return statistics.median(firsts), statistics.median(lasts), lost


def keys(scale: Scale) -> Measure:
    """One key in the fuzzy finder over 100 000 titles: 95 % take no longer; milliseconds."""
    times = _typed(Titles(_titles(scale.files)))
    return Measure(percentile(times, 0.95) * 1e3, f"median {statistics.median(times) * 1e3:.1f} ms, {len(times)} keys")


def finder(scale: Scale) -> Measure:
    """The same, median, over `fzf --filter` for the same words on the same titles; nothing without fzf."""
    program = shutil.which("fzf")
    if program is None:
        raise NotHereError("fzf is not installed")
    titles = _titles(scale.files)
    with tempfile.TemporaryDirectory() as directory:
        listed = Path(directory) / "titles"
        listed.write_text("\n".join(titles), "utf-8")
        peer = statistics.median(timed(partial(_filter, program, typed, listed)) for typed in TYPED)
    ours = statistics.median(_typed(Titles(titles)))
    return Measure(ours / peer, f"{ours * 1e3:.1f} ms, fzf {peer * 1e3:.1f} ms")


def _titles(count: int) -> list[str]:
    with searched(count) as (_, index):
        titles = [f"{file.path} {file.title}" for file in index.files()]
    return [f"{number} {titles[number % len(titles)]}" for number in range(TITLES)]


def _typed(titles: Titles) -> list[float]:
    titles.find("warm up")
    begun = [typed[:length] for typed in TYPED for length in range(1, len(typed) + 1)]
    return [timed(partial(titles.find, typed)) for typed in begun]


def _filter(program: str, typed: str, listed: Path) -> None:
    with listed.open("rb") as lines:
        subprocess.run([program, "--filter", typed], stdin=lines, stdout=subprocess.DEVNULL, check=False)


ROWS = (
    Row("query, a rare word, with highlighting", 1.5, "×", partial(against, (RARE, RARE_ZH)), small=3.0),
    Row("query, several words, with highlighting", 1.3, "×", partial(against, SEVERAL), small=3.0),
    Row("query, commonest word: first page", 16, "ms", first_page),
    Row("query, commonest word: refined, not the same", 0, "lost", refined),
    Row("fuzzy finder, a key, p95", 16, "ms", keys),
    Row("fuzzy finder, a key, over fzf --filter", 0.1, "×", finder),
)
