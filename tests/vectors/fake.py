"""A model that needs no model: hashed character trigrams, so that texts with words in common are near each other."""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memtui.core.errors import UnavailableError


class Fake:
    """The test double of an embedder; counts what it is asked."""

    def __init__(
        self,
        name: str = "fake:1",
        dimensions: int = 48,
        *,
        batch: int = 8,
        pause: float = 0.0,
        fails: str = "",
        dies_after: int | None = None,
    ) -> None:
        """`pause`: seconds a batch takes; `fails`: texts with this in them cannot be taken; `dies_after`: texts
        after which it answers no more."""
        self.name = name
        self.title = f"a fake ({name})"
        self.dimensions = dimensions
        self.batch = batch
        self.longest = 2000
        self.pause, self.fails, self.dies_after = pause, fails, dies_after
        self.asked: list[str] = []
        """Every text, in the order in which it was given."""

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        time.sleep(self.pause)
        if self.fails and any(self.fails in text for text in texts):
            raise UnavailableError("the fake cannot take this")
        if self.dies_after is not None and len(self.asked) >= self.dies_after:
            raise UnavailableError("the fake is gone")
        self.asked += texts
        return np.array([self._vector(text) for text in texts], np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    def close(self) -> None:
        """Nothing is held."""

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.full(self.dimensions, 1e-3, np.float32)
        padded = f"  {text.casefold()}  "
        for at in range(len(padded) - 2):
            code = zlib.crc32(padded[at : at + 3].encode("utf-8", "replace"))
            vector[code % self.dimensions] += 1.0 if code & 0x10000 else -1.0
        found: NDArray[np.float32] = vector / np.float32(np.linalg.norm(vector))
        return found
