"""What a query's vector says of all memories of a home."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


class Scores:
    """How near each memory is. Answers for as long as it is held, whatever becomes of the files."""

    def __init__(
        self,
        entries: NDArray[Any],
        by_id: NDArray[np.int32],
        ids: NDArray[np.int64],
        near: NDArray[np.float32],
    ) -> None:
        """`ids` of the entries, ascending, and `by_id` where these stand; `near`: their cosines."""
        self._entries = entries
        self._by_id = by_id
        self._ids = ids
        self._near = near

    def best(self, depth: int) -> list[tuple[int, int, float]]:
        """The nearest: entry id, crc and cosine, best first; of the same, the newer first."""
        near, count = self._near, len(self._near)
        if depth <= 0 or not count:
            return []
        places = np.arange(count) if depth >= count else np.argpartition(near, count - depth)[count - depth :]
        found = self._entries[places]
        order = np.lexsort((-found["id"], -near[places]))
        return list(
            zip(
                found["id"][order].tolist(),
                found["crc"][order].tolist(),
                near[places[order]].tolist(),
                strict=True,
            )
        )

    def of(self, pairs: Iterable[tuple[int, int]]) -> list[float | None]:
        """The cosines of these memories, by id and crc; None: it has no vector, or was another when it got it."""
        wanted = list(pairs)
        if not wanted or not len(self._near):
            return [None] * len(wanted)
        ids = np.array([id_ for id_, _crc in wanted], np.int64)
        crcs = np.array([crc for _id, crc in wanted], np.int64)
        places = self._by_id[np.searchsorted(self._ids, ids).clip(max=len(self._ids) - 1)]
        found = self._entries[places]
        same = (found["id"] == ids) & (found["crc"] == crcs)
        return [
            score if fits else None
            for score, fits in zip(self._near[places].tolist(), same.tolist(), strict=True)
        ]

    @cached_property
    def mean(self) -> float:
        """Of all memories' cosines."""
        return float(self._near.mean(dtype=np.float64)) if len(self._near) else 0.0

    @cached_property
    def deviation(self) -> float:
        """How far from the mean they are, as a standard deviation."""
        return float(self._near.std(dtype=np.float64)) if len(self._near) else 0.0
