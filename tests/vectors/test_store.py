"""The store keeps what was written, and believes nothing else."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.core.errors import UnavailableError
from memtui.fs.places import Place
from memtui.vectors import vector_files, vector_store
from memtui.vectors.vector_store import Store

MODEL = "fake:1"


@pytest.fixture
def where(tmp_path: Path) -> Place:
    (tmp_path / "cache").mkdir()
    return Place(tmp_path / "cache", "index", tmp_path / "lock")


def some(count: int, dimensions: int = 40, seed: int = 1) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def keys(*names: object) -> list[bytes]:
    return [hashlib.blake2b(str(name).encode(), digest_size=16).digest() for name in names]


def test_vectors_are_found_again_by_their_texts(where: Place) -> None:
    vectors = some(5)
    with Store(where, MODEL) as store:
        assert store.find(keys(1)) == [-1]
        assert store.add(keys(1, 2, 3), vectors[:3]) == [0, 1, 2]
        assert store.add(keys(4, 5), vectors[3:]) == [3, 4]
        assert store.find(keys(5, 9, 1)) == [4, -1, 0]
    with Store(where, MODEL) as store:
        assert store.count == 5
        assert store.find([*keys(5, 9, 1), bytes(16)]) == [4, -1, 0, -1]
        assert store.find([]) == []
        held = store.records()
        again = held["codes"].astype(np.float32) * held["scale"][:, None]
        assert np.abs(np.einsum("ij,ij->i", again, vectors) - 1).max() < 1e-3
        assert store.add(keys(6), some(1)) == [5]
    with Store(where, "another") as other:
        assert other.find(keys(1)) == [-1]


@pytest.mark.parametrize("cut", [1, 30, 63, 64, 65, 150])
def test_a_torn_tail_is_cut_off_and_written_over(where: Place, cut: int) -> None:
    size = vector_store.record(40).itemsize
    with Store(where, MODEL) as store:
        store.add(keys(*range(4)), some(4))
        file = store.file
    assert file is not None
    os.truncate(file, file.stat().st_size - cut)
    whole = 4 - -(-cut // size)
    with Store(where, MODEL) as store:
        assert store.count == whole
        assert store.find(keys(*range(4))) == [*range(whole), *[-1] * (4 - whole)]
        assert store.add(keys("new"), some(1)) == [whole]
    with Store(where, MODEL) as store:
        assert store.find(keys("new")) == [whole]
        assert store.sound.all()


def test_rows_that_are_not_what_was_written_are_not_believed(where: Place) -> None:
    size = vector_store.record(40).itemsize
    with Store(where, MODEL) as store:
        store.add(keys(*range(4)), some(4))
        file = store.file
    assert file is not None
    data = bytearray(file.read_bytes())
    data[vector_files.HEADER + size + 30] ^= 1
    data[vector_files.HEADER + 2 * size : vector_files.HEADER + 3 * size] = bytes(size)
    file.write_bytes(data)
    with Store(where, MODEL) as store:
        assert store.count == 4
        assert store.find(keys(*range(4))) == [0, -1, -1, 3]
        assert store.sound.tolist() == [True, False, False, True]


@pytest.mark.parametrize("seed", range(20))
def test_any_flipped_bit_is_noticed(seed: int) -> None:
    records = vector_store.build_vector_records(keys(1, 2), some(2, seed=seed))
    draw = np.random.default_rng(seed)
    flipped = records.copy()
    view = flipped.view(np.uint8)
    at = int(draw.integers(0, len(view)))
    view[at] ^= 1 << int(draw.integers(0, 8))
    assert vector_store.find_whole_records(records).all()
    assert not vector_store.find_whole_records(flipped).all()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"MTUI",
        b"somebody's own file, which is much longer than a header" * 40,
        vector_files.MARK + b"\0" * 2000,
        vector_files.block({"kind": "rows", "model": "x", "dimensions": 4}) + b"\0" * 400,
        vector_files.block({"kind": "rows", "dimensions": "forty"}) + b"\0" * 400,
    ],
)
def test_files_that_are_not_ours_are_left_alone(where: Place, data: bytes) -> None:
    foreign = vector_files.derive_vector_names(where, MODEL).fresh("rows")
    foreign.write_bytes(data)
    with Store(where, MODEL) as store:
        assert store.file is None
        store.add(keys(1), some(1))
        assert store.file != foreign
    assert foreign.read_bytes() == data


def test_a_link_is_not_followed(where: Place, tmp_path: Path) -> None:
    with Store(where, MODEL) as store:
        store.add(keys(1), some(1))
        file = store.file
    assert file is not None
    away = tmp_path / "away"
    file.rename(away)
    file.symlink_to(away)
    before = away.read_bytes()
    with Store(where, MODEL) as store:
        assert store.find(keys(1)) == [-1]
        store.add(keys(2), some(1))
    assert away.read_bytes() == before


def test_what_a_model_must_not_give_back(where: Place) -> None:
    with Store(where, MODEL) as store:
        for wrong in (
            some(2),
            some(1)[0],
            np.full((1, 40), np.nan, np.float32),
            np.empty((1, 0), np.float32),
        ):
            with pytest.raises(UnavailableError):
                store.add(keys(1), wrong)
        assert store.count == 0
        # A vector of nothing is near to nothing, and no accident.
        store.add(keys(1), np.zeros((1, 40), np.float32))
        assert store.find(keys(1)) == [0]


def test_vectors_of_another_length_begin_anew(where: Place) -> None:
    with Store(where, MODEL) as store:
        store.add(keys(1), some(1, 40))
        store.add(keys(2), some(1, 56))
        assert (store.dimensions, store.find(keys(1, 2))) == (56, [-1, 0])


def test_a_full_disk_keeps_what_was_whole(where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(where, MODEL) as store:
        store.add(keys(1, 2), some(2))
        written = os.write

        def full(descriptor: int, data: bytes) -> int:
            if len(data) <= 100:
                raise OSError(28, "No space left on device")
            return written(descriptor, data[:100])

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(UnavailableError, match="no room"):
            store.add(keys(3, 4), some(2))
        monkeypatch.undo()
        assert store.find(keys(3)) == [-1]
        assert store.add(keys(5), some(1)) == [2]
    with Store(where, MODEL) as store:
        assert store.find(keys(1, 2, 3, 5)) == [0, 1, -1, 2]


def test_compacting_keeps_the_rows_that_are_wanted(where: Place) -> None:
    vectors = some(6)
    with Store(where, MODEL) as store:
        store.add(keys(*range(6)), vectors)
        old = store.file
        before = store.records()["codes"].copy()
        store.compact(np.array([1, 4, 5]))
        assert store.file != old
        assert store.find(keys(*range(6))) == [-1, 0, -1, -1, 1, 2]
        assert (store.records()["codes"] == before[[1, 4, 5]]).all()
        assert store.add(keys("more"), some(1)) == [3]
