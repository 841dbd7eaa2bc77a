"""What becomes of vectors when the model, the memories or the files are not what they were."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui.core.errors import UnavailableError
from memtui.index import rows
from memtui.index.queries import Index, list_entry_checksums
from memtui.vectors import vector_files
from tests.vectors.bench import Bench
from tests.vectors.fake import Fake

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


def test_a_model_that_is_another_by_the_time_it_is_loaded(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    one, two = (
        slice(vector_files.HEADER + at * size, vector_files.HEADER + (at + 1) * size) for at in (3, 20)
    )
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
    bench.placed.write_bytes(
        vector_files.block({**found[0], "kind": "placed"}) + bench.placed.read_bytes()[1024:]
    )
    assert bench.vectors() is None
    assert bench.fill()[:3] == (COUNT, COUNT, 0)
    assert scores(bench)


def test_a_model_by_a_long_name(bench: Bench) -> None:
    named = Fake("x\ud800" + "🙂" * 300)
    assert bench.fill(named)[:2] == (COUNT, COUNT)
    assert scores(bench, named)
