"""The index: built cold, looked over when nothing changed, changed by one file; its size and the memory it takes."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import apsw

from memtui.core.model import Filter, Home
from memtui.core.text import segment_text
from memtui.fs.places import place
from memtui.index.build import build, merge_segments
from memtui.index.queries import Index
from memtui.index.schema import begin, find_current_index
from memtui.index.sync import MANY, sync
from memtui.layouts import load_layout
from tests.speed.corpus import home as made
from tests.speed.measure import ROUNDS, Measure, Row, Scale, in_turns, percentile, timed
from tests.speed.terminal import family, proportional

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.fs.places import Place

LAYOUT = "memtui"
EVERY = Filter(statuses=frozenset())


def opened(count: int) -> tuple[Home, Place]:
    """A home of that many files, indexed, and the place of its index."""
    root = made(count).resolve()
    home = Home(root, LAYOUT, "", "speed")
    where = place(root, LAYOUT)
    if build(home, where, alone=True):
        merge_segments(where)
    return home, where


def chunks(home: Home, where: Place) -> list[tuple[str]]:
    """The text of every entry, as it stands in the files."""
    found: list[tuple[str]] = []
    with Index.open(where) as index:
        for file in index.files():
            data = (home.path / file.path).read_bytes()
            for row in index.in_file(file.path):
                assert row.start is not None
                assert row.size is not None
                found.append((data[row.start : row.start + row.size].decode(),))
    return found


def raw_insert(texts: list[tuple[str]], file: Path) -> None:
    """The limit: FTS5 as it comes, text kept, one transaction."""
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
    db = apsw.Connection(str(file))
    db.execute("PRAGMA journal_mode=WAL").fetchall()
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='unicode61')")
    with db:
        db.executemany("INSERT INTO t VALUES(?)", texts)
    db.close()


def build_cold(home: Home, where: Place) -> float:
    """Seconds of a cold build as the app does it, from its start until all is searchable."""
    if sum(len(names) for _, _, names in os.walk(home.path)) <= MANY + 1:
        with Index(where, begin(where, home.layout), write=True) as index:
            return timed(partial(sync, home, index))
    words = [sys.executable, "-m", "memtui.index.build", str(home.path), home.layout, "--fresh"]
    began = time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        found = next(time.perf_counter() for line in child.stdout if "added" in json.loads(line))
    return found - began


def cold(scale: Scale) -> Measure:
    """From files on disk to searchable, process start and all."""
    home, where = opened(scale.files)
    texts = chunks(home, where)
    gc.freeze()
    file = where.directory / "raw.db"
    pairs = [(build_cold(home, where), timed(partial(raw_insert, texts, file))) for _ in range(scale.times(ROUNDS, 3))]
    gc.unfreeze()
    ratio = statistics.median(one / other for one, other in pairs)
    ours, limit = (statistics.median(side) for side in zip(*pairs, strict=True))
    return Measure(
        ratio,
        f"{ours:.2f} s, raw insert of {len(texts):,} chunks {limit:.2f} s; {scale.files / ours:,.0f} files/s",
    )


def size(scale: Scale) -> Measure:
    """All tables, over the source text."""
    _, where = opened(scale.files)
    with Index.open(where) as index:
        source = sum(file.size for file in index.files())
    file = find_current_index(where)
    kept = sum(os.path.getsize(f"{file}{ending}") for ending in ("", "-wal") if os.path.exists(f"{file}{ending}"))
    return Measure(kept / source, f"{kept / 1e6:.1f} MB for {source / 1e6:.1f} MB")


def look(root: str) -> None:
    """The limit of a rescan: list every directory, ask for every status."""
    waiting = [root]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)


def unchanged(scale: Scale) -> Measure:
    """A rescan that finds nothing."""
    home, where = opened(scale.files)
    with Index.open(where, write=True) as index:
        sync(home, index)

        def ours() -> None:
            assert not sync(home, index)

        ratio, mine, limit = in_turns(ours, lambda: look(str(home.path)), 11)
    return Measure(ratio, f"{mine * 1e3:.1f} ms, scandir + stat {limit * 1e3:.1f} ms")


def one_file(scale: Scale) -> Measure:
    """One line of one file changed. The bare loop knows no more than that the file did: it replaces its rows."""
    home, where = opened(scale.files)
    times = list(_changes(home, where, scale.times(60, 20)))
    ours = statistics.median(times)
    limit = statistics.median(_bare(home, where, scale.times(60, 20)))
    return Measure(
        ours / limit,
        f"{ours * 1e3:.2f} ms (p95 {percentile(times, 0.95) * 1e3:.2f}), bare {limit * 1e3:.2f} ms",
    )


def _changes(home: Home, where: Place, times: int) -> Iterator[float]:
    rules = load_layout(LAYOUT)
    with Index.open(where, write=True) as index:
        paths = [file.path for file in index.files() if file.path.startswith("sessions/")][:times]
        for number, path in enumerate(paths):
            full = home.path / path
            before = full.read_bytes()
            status = full.stat()
            full.write_bytes(before + f"- one more line about 部署 {number}\n".encode())
            # As if saved a moment ago: what a watcher brings is older than the guard for racy files.
            os.utime(full)
            yield timed(partial(sync, home, index, [path], layout=rules))
            full.write_bytes(before)
            os.utime(full, ns=(status.st_atime_ns, status.st_mtime_ns))
            sync(home, index, [path], layout=rules)


def _bare(home: Home, where: Place, times: int) -> list[float]:
    """Delete the entries of one file and their words, insert them again, commit: rows and words at hand."""
    found: list[float] = []
    with Index.open(where, write=True) as index:
        db = index.db
        columns = [str(row[1]) for row in db.execute("PRAGMA table_info(entry)") if row[1] != "id"]
        start, size = columns.index("start") + 1, columns.index("size") + 1
        listed = ", ".join(("id", *columns))
        insert = f"INSERT INTO entry({listed}) VALUES({', '.join('?' * (len(columns) + 1))})"
        for file in [file for file in index.files() if file.path.startswith("sessions/")][:times]:
            rows: list[Any] = db.execute(f"SELECT {listed} FROM entry WHERE file=?", (file.id,)).fetchall()
            text = (home.path / file.path).read_bytes()
            words = [segment_text(text[row[start] : row[start] + row[size]].decode()) for row in rows]
            new = range(index.ids(EVERY, limit=1)[0] + 1, 1 << 62)
            entries = [(id_, *row[1:]) for id_, row in zip(new, rows, strict=False)]
            tokens = [(id_, body) for id_, body in zip(new, words, strict=False)]

            found.append(timed(partial(_replace, db, insert, [row[:1] for row in rows], entries, tokens)))
    build(home, where, alone=True, fresh=True)
    return found


def _replace(
    db: apsw.Connection,
    insert: str,
    old: list[Any],
    entries: list[tuple[Any, ...]],
    tokens: list[tuple[int, str]],
) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.executemany("DELETE FROM fts WHERE rowid=?", old)
    db.executemany("DELETE FROM entry WHERE id=?", old)
    db.executemany(insert, entries)
    db.executemany("INSERT INTO fts(rowid, body) VALUES(?, ?)", tokens)
    db.execute("COMMIT")


def memory(scale: Scale) -> Measure:
    """The most that a cold build and its reading process hold together, shared pages counted once."""
    home, _ = opened(scale.files)
    words = [sys.executable, "-m", "memtui.index.build", str(home.path), LAYOUT, "--fresh"]
    most = 0.0
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as child:
        done = threading.Event()

        def watch() -> None:
            nonlocal most
            while not done.is_set():
                most = max(most, sum(map(proportional, family(child.pid))))
                time.sleep(0.02)

        watcher = threading.Thread(target=watch)
        watcher.start()
        child.wait()
        done.set()
        watcher.join()
    return Measure(most, "both processes, proportional set size")


ROWS = (
    Row("cold index / raw FTS5 insert", 2.5, "×", cold, small=7.0),
    Row("index size / source text", 1.15, "×", size),
    Row("rescan, nothing changed / scandir + stat", 1.15, "×", unchanged),
    Row("one changed file / bare delete, insert, commit", 2.0, "×", one_file),
    Row("peak memory of a build", 120.0, "MB", memory),
)
