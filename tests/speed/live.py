"""Saved by another process → searchable; and ten thousand saves at once, of which none may be lost."""

from __future__ import annotations

import ctypes
import os
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memtui.core.errors import StaleIndexError
from memtui.core.model import Home
from memtui.index.build import build
from memtui.index.plan import resolve_file_role
from memtui.index.queries import Index
from memtui.index.sync import sync
from memtui.index.watch import Watch
from memtui.layouts import load_layout
from tests.speed.corpus import make
from tests.speed.index import LAYOUT, build_cold, opened
from tests.speed.measure import Measure, Row, Scale, percentile

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.fs.places import Place

SAVES = 60
BURST = 10_000

WRITER = """
import os, sys, time
folder = sys.argv[1]
for line in sys.stdin:
    name, text = line.rstrip("\\n").split(" ", 1)
    temporary = os.path.join(folder, ".saving.tmp")
    with open(temporary, "w") as file:
        file.write(f"# note\\n\\n- {text}\\n")
    # Before it: whoever waits for the new name may be faster than the next line here.
    now = time.monotonic_ns()
    os.replace(temporary, os.path.join(folder, name))
    print(now, flush=True)
"""

STORM = """
import os, sys
for number in range(int(sys.argv[2])):
    with open(os.path.join(sys.argv[1], f"{number % 100}", f"storm-{number}.md"), "w") as file:
        file.write(f"# storm\\n\\n- stormword{number} 风暴 {number}\\n")
"""


def saved(scale: Scale) -> Measure:
    """Median time from a file's rename to the moment that MATCH finds it, over that of the barest loop there is."""
    ours = _ours(scale.files)
    with tempfile.TemporaryDirectory() as other:
        limit = _bare(Path(other))
    mine, barest = percentile(ours, 0.5), percentile(limit, 0.5)
    return Measure(
        mine / barest,
        f"p50 {mine * 1e3:.2f} ms, p95 {percentile(ours, 0.95) * 1e3:.2f}; inotify + insert p50 {barest * 1e3:.2f}",
    )


def late(scale: Scale) -> Measure:
    """The same, 95 of 100, in milliseconds."""
    ours = _ours(scale.files)
    return Measure(percentile(ours, 0.95) * 1e3, f"the longest {max(ours) * 1e3:.2f} ms")


def _ours(count: int) -> list[float]:
    """The seconds of each save; the home and its index are left as they were."""
    home, where = opened(count)
    folder = home.path / "daily" / "000"
    try:
        return _each(home, where, folder)
    finally:
        for file in folder.glob("saved-*.md"):
            file.unlink()
        build(home, where, alone=True)


def _each(home: Home, where: Place, folder: Path) -> list[float]:
    rules = load_layout(LAYOUT)
    done = threading.Condition()
    index: list[Index] = []
    ready = threading.Event()

    def changed(paths: set[str] | None) -> None:
        if not index:
            index.append(Index.open(where, write=True))
        sync(home, index[0], paths, layout=rules)
        ready.set()
        with done:
            done.notify_all()

    wanted = partial(resolve_file_role, rules, home.path)
    watch = Watch(home.path, partial(rules.prune, home.path), changed, wanted=wanted)
    watch.start()
    assert ready.wait(60)
    with Index.open(where) as reader:

        def found(word: str) -> bool:
            return bool(reader.db.execute("SELECT 1 FROM fts WHERE fts MATCH ?", (word,)).get)

        def wait(word: str) -> None:
            with done:
                assert done.wait_for(lambda: found(word), 30)

        try:
            return _saves(folder, wait)
        finally:
            watch.stop()


def _saves(folder: Path, wait: Callable[[str], None]) -> list[float]:
    times: list[float] = []
    words = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        for number in range(SAVES):
            word = f"saveword{number}x"
            writer.stdin.write(f"saved-{number}.md {word} 刚刚保存\n")
            writer.stdin.flush()
            wait(word)
            now = time.monotonic_ns()
            times.append((now - int(writer.stdout.readline())) / 1e9)
        writer.stdin.close()
    return times


def _bare(folder: Path) -> list[float]:
    """inotify, read, one insert, commit: no parsing, no comparing, no home."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init()
    libc.inotify_add_watch(descriptor, os.fsencode(folder), 0x80)
    db = apsw.Connection(str(folder / "bare.db"))
    db.execute("PRAGMA journal_mode=WAL").fetchall()
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(body)")

    def wait(word: str) -> None:
        while True:
            assert select.select([descriptor], [], [], 30)[0]
            data = os.read(descriptor, 65536)
            at = 0
            while at < len(data):
                length = struct.unpack_from("iIII", data, at)[3]
                name = data[at + 16 : at + 16 + length].rstrip(b"\0")
                at += 16 + length
                if name.endswith(b".md"):
                    text = (folder / os.fsdecode(name)).read_text()
                    with db:
                        db.execute("INSERT INTO t VALUES(?)", (text,))
            if db.execute("SELECT 1 FROM t WHERE t MATCH ?", (word,)).get:
                return

    try:
        return _saves(folder, wait)
    finally:
        os.close(descriptor)
        db.close()


def burst(scale: Scale) -> Measure:
    """Ten thousand files written as fast as another process can, into a home that is being watched: how many lost."""
    burst = scale.times(BURST, BURST // 10)
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "home"
        make(root, 100)
        for number in range(100):
            (root / "areas" / "tools" / str(number)).mkdir(parents=True)
        home = Home(root, LAYOUT, "", "storm")
        folder = root / "areas" / "tools"
        where, seconds, lost, calls = _storm(home, folder, burst)
        cold = build_cold(home, where)
    return Measure(lost, f"settled {seconds:.2f} s after the first save, {calls} transactions; cold build {cold:.2f} s")


def _storm(home: Home, folder: Path, burst: int) -> tuple[Place, float, int, int]:
    from memtui.fs.places import place

    where = place(home.path, LAYOUT)
    build(home, where, alone=True)
    rules = load_layout(LAYOUT)
    index: list[Index] = []
    calls: list[int] = []
    ready = threading.Event()

    def changed(paths: set[str] | None) -> None:
        if not index:
            index.append(Index.open(where, write=True))
        calls.append(1)
        if sync(home, index[0], paths, layout=rules).many:
            build(home, where, alone=True)
            # It stands in a file of its own.
            index.pop().close()
        ready.set()

    wanted = partial(resolve_file_role, rules, home.path)
    watch = Watch(home.path, partial(rules.prune, home.path), changed, wanted=wanted)
    watch.start()
    assert ready.wait(60)
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", STORM, str(folder), str(burst)], check=True)
    held = 0
    until = time.perf_counter() + 120
    while held < burst and time.perf_counter() < until:
        time.sleep(0.02)
        with suppress(StaleIndexError), Index.open(where) as reader:
            held = reader.db.execute("SELECT count(*) FROM fts WHERE fts MATCH '风暴'").get
    seconds = time.perf_counter() - began
    watch.stop()
    return where, seconds, burst - held, len(calls)


ROWS = (
    # The bare loop takes 0.09 to 0.5 ms, as the machine wakes its processes: of a small home little else is measured.
    Row("saved → searchable / inotify + insert, p50", 3.0, "×", saved, small=6.0),
    Row("saved → searchable, p95", 33.0, "ms", late),
    Row("burst of 10,000 saves, lost", 0.0, "lost", burst, once=True),
)
