"""A search makes the few vectors that are missing, waits for nobody, and counts what it has as it is."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui import Vault
from memtui.cli.run import run
from memtui.core.config import Config, VectorConfig
from memtui.core.errors import UnavailableError
from memtui.store import vault as vault_module
from tests.vectors.fake import Fake

E5 = Config(vector=VectorConfig(backend="e5"))


class Busy(Fake):
    """Answers nobody who cannot wait, if it is told to."""

    away = False

    def __init__(self) -> None:
        super().__init__()
        self.tried: list[bool] = []

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        self.tried.append(soon)
        if self.away:
            raise UnavailableError("the fake is away")
        return super().passages(texts)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    write(root, "apples are red", "bananas are yellow")
    return root


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Busy:
    """In place of every model."""
    made = Busy()
    monkeypatch.setattr("memtui.vectors.models.why_not", lambda settings: "")
    monkeypatch.setattr("memtui.vectors.models.identify_model", lambda settings: made.name)
    monkeypatch.setattr("memtui.vectors.models.load", lambda settings: made)
    return made


def write(home: Path, *texts: str) -> None:
    (home / "MEMORY.md").write_text("# Food\n\n" + "".join(f"- {text}\n" for text in texts), "utf-8")


def test_what_was_edited_is_counted_and_made_by_the_search(home: Path, fake: Busy) -> None:
    with Vault.open([home], config=E5) as vault:
        vault.embed()
        write(home, "apples are red", "pears are green")
        vault.refresh()
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total) == (1, 2)
        fake.away = True
        found = vault.find("green pears")
        assert found.covered == (1, 2)
        assert "1 of 2 memories are searched by meaning" in found.warning
    fake.away = False
    with Vault.open([home], config=E5) as vault:
        assert vault.status()[0].vectors == 1
        found = vault.find("green pears")
        assert (found.covered, found.warning) == ((2, 2), "")
        assert found[0].parts.meaning is not None
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total) == (2, 2)
    assert fake.tried[1:] == [True, True]


def test_what_is_gone_is_not_counted(home: Path, fake: Busy) -> None:
    with Vault.open([home], config=E5) as vault:
        vault.embed()
        write(home, "pears are green")
        vault.refresh()
        assert vault.status()[0].vectors == 0
        write(home)
        vault.refresh()
        (state,) = vault.status()
        assert state.vectors == 0
        assert state.vectors_total < 2


def test_a_search_asks_a_model_that_is_away_once_a_minute(
    home: Path, fake: Busy, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.away = True
    with Vault.open([home], config=E5) as vault:
        for _ in range(3):
            assert vault.find("apples", mode="hybrid")
        assert fake.tried == [True]
        assert vault.status()[0].vectors_why == "the fake is away"
        fake.away = False
        later = time.monotonic() + vault_module.AGAIN
        monkeypatch.setattr("memtui.store.meaning.time.monotonic", lambda: later)
        assert vault.find("apples", mode="hybrid").covered == (2, 2)


def test_a_model_that_became_another_is_asked_under_its_own_name(home: Path, fake: Busy) -> None:
    with Vault.open([home], config=E5) as vault:
        vault.embed()
        fake.name, fake.dimensions = "fake:2", 24
        vault.embed()
        assert vault.find("yellow bananas").covered == (2, 2)
        assert vault._shelves[0].meaning.model == "fake:2"


def test_a_directory_that_holds_another_model_now(home: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from tests.embedding.test_onnx import TABLE, _lay
    from tests.embedding.tiny_onnx import model

    settings = _lay(tmp_path / "model", model(TABLE))
    write(home, "red", "green")
    with Vault.open([home], config=Config(vector=settings)) as vault:
        assert vault.find("red", mode="vector")[0].snippet == "- red"
        turned = [*TABLE[:4], TABLE[5], TABLE[4], *TABLE[6:]]
        _lay(tmp_path / "model", model(turned), name="another")
        vault._shelves[0].meaning._looked -= 60
        found = vault.find("red", mode="vector")
        assert found.model.startswith("another")
        assert (found.covered, found[0].snippet) == ((2, 2), "- red")


def test_a_rebuild_says_what_it_made(home: Path, fake: Busy, capsys: pytest.CaptureFixture[str]) -> None:
    for options in ([], ["--rebuild"]):
        assert run(["index", "--home", str(home), "--json", *options]) == 0
        (said,) = json.loads(capsys.readouterr().out)["homes"]
        assert (said["vectors"], said["vectors_total"], said["model"]) == (2, 2, fake.title)
    assert len(fake.asked) == 2
    assert run(["index", "--home", str(home), "--json", "--rebuild", "--no-vectors"]) == 0
    (said,) = json.loads(capsys.readouterr().out)["homes"]
    assert (said["vectors"], said["vectors_total"]) == (0, 2)
    assert said["model"]
