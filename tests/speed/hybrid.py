"""A whole search by words and meaning, against the same search by words: what asking for meaning costs besides the
query's vector, which `vectors` measures apart. The home's vectors are made up, as many numbers as the real model's."""

from __future__ import annotations

import statistics
import zlib
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from memtui.core.config import VectorConfig
from memtui.search import search
from memtui.search.vector_jobs import fill
from memtui.vectors import open_vectors
from tests.speed.measure import Measure, Row, Scale, percentile, timed
from tests.speed.query import SEVERAL, searched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from memtui.search.texts import SearchTarget

ROUNDS = 7
QUESTIONS = (*SEVERAL, "why does the deploy time out", "缓存的超时时间是多少")


class MadeUp:
    """A model that knows nothing: a vector of 384 numbers for each text, drawn by its checksum around one of a hundred
    centres."""

    name = title = "made up"
    dimensions = 384
    batch = 512
    longest = 2000

    def __init__(self) -> None:
        draw = np.random.default_rng(1)
        self._centres = draw.standard_normal((100, self.dimensions)).astype(np.float32)
        self._noise = draw.standard_normal((4096, self.dimensions)).astype(np.float32)

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        """The vectors of these texts."""
        sums = np.array([zlib.crc32(text.encode()) for text in texts], np.int64)
        found: NDArray[np.float32] = self._centres[sums % 100] + 0.7 * self._noise[sums % 4096]
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return found

    def query(self, text: str) -> NDArray[np.float32]:
        """The vector of a query."""
        one: NDArray[np.float32] = self.passages([text])[0]
        return one

    def close(self) -> None:
        """There is nothing to let go of."""


@contextmanager
def meant(count: int) -> Iterator[tuple[SearchTarget, MadeUp]]:
    """A home of that many files, every memory with a vector."""
    model = MadeUp()
    with searched(count) as (target, index):
        filled = fill(target.home, index.place, VectorConfig(), embedder=model)
        assert filled.done == filled.total, filled.why
        vectors = open_vectors(index.place, index.path, model.name)
        assert vectors is not None
        target.vectors = lambda: vectors
        try:
            yield target, model
        finally:
            vectors.close()


def asked(scale: Scale) -> Measure:
    """Of several questions, in turns with the same by words."""
    hybrid: list[float] = []
    words: list[float] = []
    with meant(scale.files) as (target, model):

        def embed(text: str) -> tuple[NDArray[np.float32], str]:
            return vectors[text], model.title

        vectors = {question: model.query(question) for question in QUESTIONS}
        for turn in range(scale.times(ROUNDS, 3) + 1):
            for question in QUESTIONS:
                ask = partial(search, [target], question)
                took = timed(partial(ask, mode="hybrid", embed=embed)), timed(partial(ask, mode="fts"))
                # The first round opens files.
                if turn:
                    hybrid.append(took[0])
                    words.append(took[1])
        found = ask(mode="hybrid", embed=embed)
        assert found.backend == "hybrid"
        chunks = found.covered[1]
    middle, of_words = statistics.median(hybrid) * 1e3, statistics.median(words) * 1e3
    detail = f"{chunks:,} chunks: median {middle:.0f} ms, by words alone {of_words:.0f} ms"
    return Measure(percentile(hybrid, 0.95) * 1e3, detail)


ROWS = (Row("meaning: a hybrid search without the query's vector, p95", 100, "ms", asked),)
