"""The vectors of one index file, open for queries: from any thread and any number of processes, without a lock.

`Scores` is what a query's vector says of all memories of a home. Every row is looked at: 8 ms of a processor
for 116 000 × 384, 60 ms for 600 000. Preselecting rows by sign bits was measured on 600 000 clustered vectors
and does not pay: of the nearest 200 it loses 18 % with 20 000 rows selected and 11 % with 40 000.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from memtui.vectors import entries, vector_files, vector_store
from memtui.vectors.vector_files import WIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from memtui.fs.places import Place
    from memtui.vectors.entries import VectorTable


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
        return [score if fits else None for score, fits in zip(self._near[places].tolist(), same.tolist(), strict=True)]

    @cached_property
    def mean(self) -> float:
        """Of all memories' cosines."""
        return float(self._near.mean(dtype=np.float64)) if len(self._near) else 0.0

    @cached_property
    def deviation(self) -> float:
        """How far from the mean they are, as a standard deviation."""
        return float(self._near.std(dtype=np.float64)) if len(self._near) else 0.0


LEVELLED = 0.75
"""How much of the difference between the means of two languages is taken away. Models put a question next to whatever
is written in its own language; a home of two languages would never answer in the other. All of it measured worse: most
answers are in the language of the question."""

FEW = 8
"""Memories of a language below which their mean says nothing."""

COMMON = 0.75
"""How much of what all memories have in common is taken off a query: without it short and general lines stand before
what is asked for; all of it takes the subject of the homes away."""

SAMPLED = 4096
"""Memories that are looked at for what all have in common."""

BLOCK = 512
"""Rows that are turned into float32 at a time: more would not stay in the processor's cache until they are used."""


def open_vector_file(place: Place, index_file: Path, model: str) -> Vectors | None:
    """See `memtui.vectors.open_vectors`."""
    names = vector_files.derive_vector_names(place, model)
    # Between reading the table and the rows, another process may have put both in another place.
    for _ in range(3):
        table = entries.read(names)
        if table is None or table.index_name != index_file.name:
            return None
        if not (table.rows_file.startswith(names.begin) and "/" not in table.rows_file.replace("\\", "/")):
            return None
        records = vector_store.map_records(names.directory / table.rows_file, names.digest, table.rows)
        if records is not None:
            if records["codes"].shape[1] != table.dimensions:
                return None
            vector_files.touch(names.placed)
            records = records[: table.rows]
            return Vectors(table, records["codes"], records)
    return None


def _drop_damaged(table: VectorTable, believed: NDArray[np.bool_]) -> VectorTable:
    """The table without the entries whose rows are damaged, or another text's; they are made again next time."""
    entries = table.entries.copy()
    entries["joined"][:-1] &= believed[1:]
    entries = entries[believed]
    return table._replace(entries=entries, by_id=np.argsort(entries["id"], kind="stable").astype(np.int32))


class Vectors:
    """The vectors of the entries of one index file."""

    def __init__(self, table: VectorTable, codes: NDArray[np.int8], records: NDArray[Any] | None = None) -> None:
        """`records`: to be held against the table before anything is answered; None: they are whole."""
        self._held = table, codes
        self._unseen = self._records = records
        self._ids: NDArray[np.int64] | None = None
        self._smoothing: tuple[float, frozenset[int] | None, _Smoothing] | None = None
        self._sum: NDArray[np.float32] | None = None
        self._still: int | None = None

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self._held[0].dimensions

    @property
    def count(self) -> int:
        """Entries that are done: they have a vector, or hold nothing that one could be made of."""
        table, _ = self._check_rows()
        return len(table.entries) + len(table.nothing) if self._still is None else self._still

    @property
    def generation(self) -> int:
        """Of the index, when these were placed."""
        return self._held[0].generation

    def recount(self, entries: list[tuple[int, int]]) -> None:
        """The index went on: count only what is done of the entries that it has now, given by id and crc."""
        table, _ = self._check_rows()
        there = np.array(entries, np.int64).reshape(-1, 2)
        there = there[np.argsort(there[:, 0], kind="stable")]
        still = 0
        for done in (table.entries, table.nothing):
            if len(there) and len(done):
                at = np.searchsorted(there[:, 0], done["id"]).clip(max=len(there) - 1)
                still += int(((there[at, 0] == done["id"]) & (there[at, 1] == done["crc"])).sum())
        self._still = still

    def close(self) -> None:
        """Let go of the file once no answer needs it any more. Asking on finds nothing."""
        table, codes = self._held
        empty = table._replace(
            entries=table.entries[:0],
            scales=table.scales[:0],
            by_id=table.by_id[:0],
            nothing=table.nothing[:0],
        )
        self._held, self._unseen, self._records = (empty, codes[:0]), None, None
        self._ids = self._still = None
        self._smoothing = self._sum = None

    def scores(
        self,
        query: NDArray[np.float32],
        *,
        share: float = 0.25,
        common: NDArray[np.float32] | None = None,
        layers: frozenset[int] | None = None,
    ) -> Scores:
        """How near every memory is to a query's vector: the cosine, with the neighbours' `share` in each vector.

        `layers`: codes of the layers in which neighbours share; None: in all. `common`: what all memories have in
        common; how near a memory is to that is taken off, as far as it is nearer than others: models put short and
        general lines near to whatever is asked. What they give to everything in the language of the query is taken
        away (LEVELLED). A vector of another length is near to none.
        """
        table, codes = self._check_rows()
        query = np.ascontiguousarray(query, np.float32)
        if query.shape != (table.dimensions,) or not np.isfinite(query).all():
            nobody = np.empty(0, np.float32)
            return Scores(table.entries[:0], table.by_id[:0], nobody.astype(np.int64), nobody)
        near = compute_products(codes, query if common is None else query - COMMON * common)
        near *= table.scales
        own = near[table.entries["row"]]
        if share:
            own = self._smooth(table, share, layers).over(own)
        if common is not None:
            own += np.float32(COMMON * np.dot(common, common))
        _level_scores(own, table.entries["traits"] & WIDE > 0)
        ids = self._ids
        if ids is None or len(ids) != len(table.entries):
            ids = self._ids = table.entries["id"][table.by_id]
        return Scores(table.entries, table.by_id, ids, own)

    def add_up(self) -> tuple[NDArray[np.float32], int]:
        """The sum of the vectors of all memories, by a sample of many, and how many they are."""
        table, codes = self._check_rows()
        if self._sum is None:
            step = len(table.entries) // SAMPLED + 1
            rows = table.entries["row"][::step]
            total = table.scales[rows] @ codes[rows].astype(np.float32)
            self._sum = (total * (len(table.entries) / max(len(rows), 1))).astype(np.float32)
        return self._sum, len(table.entries)

    def near(
        self, entries: Sequence[tuple[int, int]], groups: Sequence[int], least: float
    ) -> list[tuple[int, int, float]]:
        """Which of these entries, given by id and crc, mean nearly the same: by their places here, with their cosine.

        The cosine is around the mean of these entries in each language, as all of a home's lines have its subject in
        common. Two of one group are not held against each other; what has no vector, or another text's, is near to
        none. Costs the square of the entries.
        """
        table, codes = self._check_rows()
        if len(entries) < 2 or not len(table.entries):
            return []
        wanted = np.array(entries, np.int64)
        known = table.entries["id"][table.by_id]
        found = table.entries[table.by_id[np.searchsorted(known, wanted[:, 0]).clip(max=len(known) - 1)]]
        held = np.flatnonzero((found["id"] == wanted[:, 0]) & (found["crc"] == wanted[:, 1]))
        if len(held) < 2:
            return []
        rows, wide = found["row"][held], found["traits"][held] & WIDE > 0
        vectors = codes[rows].astype(np.float32) * table.scales[rows][:, None]
        for some in (wide, ~wide) if min(wide.sum(), (~wide).sum()) >= FEW else (np.ones_like(wide),):
            vectors[some] -= vectors[some].mean(axis=0)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        of = np.asarray(groups)[held]
        near: list[tuple[int, int, float]] = []
        for start in range(0, len(held), BLOCK):
            scores = vectors[start : start + BLOCK] @ vectors.T
            one, two = np.nonzero(scores >= least)
            apart = (two > one + start) & (of[one + start] != of[two])
            one, two = one[apart], two[apart]
            near += zip(held[one + start].tolist(), held[two].tolist(), scores[one, two].tolist(), strict=True)
        return sorted(near, key=lambda pair: (-pair[2], pair[:2]))

    def index_texts(self) -> TextVectors | None:
        """The same by the texts that they were made of; None: they are closed."""
        return None if self._records is None else TextVectors(self._records)

    def _check_rows(self) -> tuple[VectorTable, NDArray[np.int8]]:
        """Table and rows, those that are damaged left out: looked at once, by whoever asks first."""
        records = self._unseen
        if records is not None:
            table, codes = self._held
            believed = entries.find_valid_entries(table.entries, records, vector_store.find_whole_records(records))
            if not believed.all() and self._unseen is not None:  # nobody closed it meanwhile
                self._held = _drop_damaged(table, believed), codes
            self._unseen = None
        return self._held

    def _smooth(self, table: VectorTable, share: float, layers: frozenset[int] | None) -> _Smoothing:
        held = self._smoothing
        if held is None or held[:2] != (share, layers) or len(held[2].scale) != len(table.entries):
            held = self._smoothing = share, layers, _Smoothing(table.entries, share, layers)
        return held[2]


def compute_products(codes: NDArray[np.int8], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of every row with the query."""
    near = np.empty(len(codes), np.float32)
    buffer = np.empty((min(BLOCK, len(codes)), codes.shape[1]), np.float32)
    for start in range(0, len(codes), BLOCK):
        some = codes[start : start + BLOCK]
        block = buffer[: len(some)]
        np.copyto(block, some)
        np.dot(block, query, out=near[start : start + len(some)])
    return near


def _level_scores(near: NDArray[np.float32], wide: NDArray[np.bool_]) -> None:
    """Bring what is written in Chinese, Japanese or Korean and what is not nearer to the same mean."""
    # Sums by products, and one pass that subtracts: choosing the elements of each group took ten times as long.
    whole, many = float(near.sum(dtype=np.float64)), int(np.count_nonzero(wide))
    there = float(np.dot(near, wide.astype(np.float32)))
    less = [
        LEVELLED * (total / count - whole / len(near)) if count >= FEW else 0.0
        for total, count in ((whole - there, len(near) - many), (there, many))
    ]
    near -= np.where(wide, np.float32(less[1]), np.float32(less[0]))


class _Smoothing:
    """Weights by which the scores of neighbours give the score of the vector that is normed from their sum:

    v'(i) = norm(v(i) + share·(v(i−1) + v(i+1))), and a product with it is the sum of the products over its length.
    """

    def __init__(self, entries: NDArray[Any], share: float, layers: frozenset[int] | None) -> None:
        count = len(entries)
        own = np.ones(count, np.bool_)
        if layers is not None:
            shares = np.zeros(256, np.bool_)
            shares[[code for code in layers if 0 <= code < 256]] = True
            own = shares[entries["layer"]]
        joined = entries["joined"].astype(np.bool_)
        joined[-1:] = False
        nexts = joined & own
        before = np.zeros(count, np.bool_)
        before[1:] = joined[:-1]
        before &= own
        square = np.ones(count, np.float32)
        square += share * share * (nexts.astype(np.float32) + before)
        square += 2 * share * nexts * entries["next"]
        square[1:] += 2 * share * before[1:] * entries["next"][:-1]
        square[1:] += 2 * share * share * (before & nexts)[1:] * entries["after"][:-1]
        self.scale = (1.0 / np.sqrt(np.maximum(square, 1e-6))).astype(np.float32)
        self._next = (share * nexts[:-1] * self.scale[:-1]).astype(np.float32)
        self._before = (share * before[1:] * self.scale[1:]).astype(np.float32)

    def over(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """The scores of the smoothed vectors."""
        smoothed = scores * self.scale
        smoothed[:-1] += self._next * scores[1:]
        smoothed[1:] += self._before * scores[:-1]
        return smoothed


class TextVectors:
    """The vectors of one model by the texts that they were made of, for whoever sends them on."""

    def __init__(self, records: NDArray[Any]) -> None:
        sound = np.flatnonzero(vector_store.find_whole_records(records))
        first = records["key"][sound, 0]
        order = np.argsort(first, kind="stable")
        self._first, self._at, self._records = first[order], sound[order], records

    def find(self, keys: Sequence[bytes]) -> NDArray[np.int64]:
        """The row of each text, by its hash; -1: it has none."""
        found = np.full(len(keys), -1, np.int64)
        halves = np.frombuffer(b"".join(keys), "<u8").reshape(len(keys), 2)
        if len(self._at) and len(keys):
            places = np.searchsorted(self._first, halves[:, 0]).clip(max=len(self._at) - 1)
            rows = self._at[places]
            same = (self._records["key"][rows] == halves).all(axis=1)
            found[same] = rows[same]
        return found

    def render(self, keys: Sequence[bytes], joined: Sequence[bool], share: float) -> list[str]:
        """Each text's vector as numbers in brackets, empty: it has none. `joined`: of each but the last,
        whether it and the next one are neighbours, each of which has its `share` in the other, as in `Vectors.scores`.
        """
        rows = self.find(keys)
        own = self._records["codes"][rows].astype(np.float32) * self._records["scale"][rows][:, None]
        own[rows < 0] = 0.0
        both = (rows[:-1] >= 0) & (rows[1:] >= 0) & np.asarray(joined, np.bool_)
        smoothed = own.copy()
        smoothed[:-1][both] += share * own[1:][both]
        smoothed[1:][both] += share * own[:-1][both]
        codes, _scales = vector_store.quantize_vectors(smoothed)
        texts = [str(row) for row in codes.tolist()]
        return [text if row >= 0 else "" for text, row in zip(texts, rows.tolist(), strict=True)]
