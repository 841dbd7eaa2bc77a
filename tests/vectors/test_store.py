"""The store keeps what was written, and believes nothing else; and what becomes of vectors when the model, the memories
or the files are not what they were.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.core.errors import UnavailableError
from memtui.fs.places import Place
from memtui.index import rows
from memtui.index.queries import Index, list_entry_checksums
from memtui.vectors import vector_files, vector_store
from memtui.vectors.vector_store import Store
from tests.vectors.bench import Bench
from tests.vectors.fake import Fake

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


COUNT = 40
EVERY = [f"memory {number} about thing {number * 7919:x}" for number in range(COUNT)]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(rows, "RACY", 0)
    made = Bench(tmp_path / "home")
    made.write("a.md", lines(EVERY))
    assert made.fill()[:3] == (COUNT, COUNT, COUNT)
    return made


def lines(texts: Sequence[str]) -> str:
    return "# N\n\n" + "".join(f"- {text}\n" for text in texts)


def scores(bench: Bench, fake: Fake | None = None) -> dict[int, float | None]:
    """By line of the file: how near each memory is, on its own."""
    vectors = bench.vectors(fake)
    if vectors is None:
        return {}
    rows = bench.rows()
    near = vectors.scores((fake or bench.fake).query("memory 7"), share=0.0)
    return dict(zip([row.line for row in rows], near.of((row.id, row.crc) for row in rows), strict=True))


@pytest.mark.parametrize("new", [1, 3, 60])
def test_vectors_of_another_length_are_made_of_all(bench: Bench, new: int) -> None:
    # The server's model was changed behind its name.
    bench.write("b.md", lines([f"new {number} of other {number * 104729:x}" for number in range(new)]))
    other = Fake(dimensions=24)
    found = bench.fill(other)
    assert (found.done, found.total, found.made, found.why) == (COUNT + new, COUNT + new, COUNT + new, "")
    for number in (0, 7, COUNT - 1):
        assert bench.nearest(f"N\n{EVERY[number]}", 1, other) == [("a.md", number + 3)]
    assert bench.fill(other).made == 0


def test_a_model_whose_vectors_have_any_length_is_said(bench: Bench) -> None:
    class Wild(Fake):
        def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
            self.dimensions += 1
            return super().passages(texts)

    bench.write("b.md", lines([f"new {number}" for number in range(60)]))
    assert "different lengths" in bench.fill(Wild()).why


def test_a_model_that_is_another_by_the_time_it_is_loaded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write("b.md", lines(["new"]))
    monkeypatch.setattr("memtui.vectors.models.why_not", lambda settings: "")
    monkeypatch.setattr("memtui.vectors.models.identify_model", lambda settings: "fake:1")
    monkeypatch.setattr("memtui.vectors.models.load", lambda settings: Fake("fake:2"))
    bench.fake = None  # type: ignore[assignment]
    assert "changed meanwhile" in bench.fill().why

    def gone(settings: object) -> str:
        raise UnavailableError("its files went away")

    monkeypatch.setattr("memtui.vectors.models.identify_model", gone)
    assert bench.fill().why == "its files went away"


def test_what_was_edited_since_is_not_counted(bench: Bench) -> None:
    bench.write("a.md", lines([*EVERY[:-2], "another thing", "and one more"]))
    vectors = bench.vectors()
    assert vectors is not None
    assert vectors.count == COUNT
    with Index.open(bench.place) as index:
        assert vectors.generation < index.generation()
        vectors.recount(list_entry_checksums(index))
        assert vectors.count == COUNT - 2
        vectors.recount([])
        assert vectors.count == 0


def test_damaged_rows_answer_nothing_and_are_made_again(bench: Bench) -> None:
    truth, whole = scores(bench), bench.stored.read_bytes()
    draw = Random(7)
    for _ in range(60):
        damaged = bytearray(whole)
        for _ in range(draw.choice((1, 8))):
            damaged[draw.randrange(vector_files.HEADER, len(damaged))] ^= 1 << draw.randrange(8)
        bench.stored.write_bytes(damaged)
        near = scores(bench)
        assert {line: one for line, one in near.items() if one is not None}.items() <= truth.items()
        vectors = bench.vectors()
        assert vectors is not None
        assert vectors.count == COUNT - list(near.values()).count(None)
        vectors.scores(bench.fake.query("x")).best(5)
    made = bench.fill().made
    assert made == list(near.values()).count(None)
    assert scores(bench) == pytest.approx(truth)


def test_rows_that_changed_places_are_not_believed(bench: Bench) -> None:
    truth, whole = scores(bench), bench.stored.read_bytes()
    size = (len(whole) - vector_files.HEADER) // COUNT
    one, two = (slice(vector_files.HEADER + at * size, vector_files.HEADER + (at + 1) * size) for at in (3, 20))
    swapped = bytearray(whole)
    swapped[one], swapped[two] = whole[two], whole[one]
    bench.stored.write_bytes(swapped)
    near = scores(bench)
    assert list(near.values()).count(None) == 2
    assert bench.fill()[:3] == (COUNT, COUNT, 0)
    assert scores(bench) == truth


def test_another_homes_rows_are_not_believed(bench: Bench, tmp_path: Path) -> None:
    truth = scores(bench)
    other = Bench(tmp_path / "other")
    other.write("a.md", lines([f"otherwise {number} told" for number in range(COUNT + 9)]))
    other.fill()
    bench.stored.write_bytes(other.stored.read_bytes())
    assert scores(bench) == {}
    assert bench.fill().made == COUNT
    assert scores(bench) == truth


def test_a_table_of_another_making_is_made_again_without_a_model(bench: Bench) -> None:
    found = vector_files.read_vector_header(bench.placed)
    assert found is not None
    bench.placed.write_bytes(vector_files.block({**found[0], "kind": "placed"}) + bench.placed.read_bytes()[1024:])
    assert bench.vectors() is None
    assert bench.fill()[:3] == (COUNT, COUNT, 0)
    assert scores(bench)


def test_a_model_by_a_long_name(bench: Bench) -> None:
    named = Fake("x\ud800" + "🙂" * 300)
    assert bench.fill(named)[:2] == (COUNT, COUNT)
    assert scores(bench, named)
