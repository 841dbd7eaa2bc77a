"""An app over a home: rows before the index is whole, and saves that wait for no build."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui import Vault
from memtui.core.model import Filter, HomeStatus
from memtui.fs.locks import hold_lock
from memtui.index import plan, schema, sync
from memtui.index.build import find_build_lock

WAIT = 60.0


class Told:
    """Waits for what the vault's subscribers are told of."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._more = threading.Event()
        vault.subscribe(lambda _generation: self._more.set())

    def until(self, what: Callable[[], bool]) -> None:
        # Now and then without being told: a child's end is nobody's change.
        for _ in range(int(WAIT / 0.05)):
            self._more.clear()
            if what():
                return
            self._more.wait(0.05)
        raise AssertionError(self._vault.status())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # However slow the machine is.
    monkeypatch.setattr(plan, "HASTE", 60.0)
    monkeypatch.setattr(sync, "HASTE", 60.0)
    root = tmp_path / "memory"
    (root / "sessions").mkdir(parents=True)
    (root / "daily").mkdir()
    (root / "MEMORY.md").write_text("# Core\n\n- what is always known\n")
    os.utime(root / "MEMORY.md", (1, 1))
    for number in range(300):
        file = root / "sessions" / f"s{number}.md"
        file.write_text(f"# Session {number}\n\n- line {number}\n- another\n")
        os.utime(file, (1_700_000_000 + number, 1_700_000_000 + number))
    return root


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    with Vault.open([home], wait=False) as opened:
        yield opened


def status(vault: Vault) -> HomeStatus:
    (found,) = vault.status()
    return found


def texts(vault: Vault) -> list[str]:
    return [memory.text for memory in vault.load(vault.ids(Filter())) if memory is not None]


def test_rows_are_there_and_saves_come_in_while_a_build_has_to_wait(home: Path, vault: Vault) -> None:
    told = Told(vault)
    where = vault._shelves[0].place
    schema.begin(where, vault.homes[0].layout)
    with hold_lock(find_build_lock(where)):
        vault.watch()
        told.until(lambda: status(vault).memories > 0)
        first = texts(vault)
        assert "what is always known" in " ".join(first)
        assert "line 299" in " ".join(first)
        assert "line 0" not in " ".join(first).split("\n")
        (home / "daily" / "2026-11-20.md").write_text("- saved meanwhile\n")
        told.until(lambda: "saved meanwhile" in " ".join(texts(vault)))
        now = status(vault)
        assert now.building
        assert 0 < now.files < 302
        assert now.total in {0, 302}
        assert now.fresh_at is None
    told.until(lambda: not status(vault).building and status(vault).fresh_at is not None)
    assert (status(vault).files, status(vault).total) == (302, 302)
    assert len(vault.ids(Filter())) == 3 * 300 + 2


def test_a_build_that_dies_is_begun_again(home: Path, vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[subprocess.Popen[str]] = []
    real = subprocess.Popen

    def spy(*values: Any, **named: Any) -> subprocess.Popen[str]:
        child = real(*values, **named)
        children.append(child)
        if len(children) == 1:
            os.kill(child.pid, signal.SIGKILL)
        return child

    monkeypatch.setattr("memtui.index.build.subprocess.Popen", spy)
    vault.watch()
    Told(vault).until(lambda: status(vault).fresh_at is not None)
    assert len(children) >= 2
    assert status(vault).files == 301


def test_leaving_ends_the_build(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[subprocess.Popen[str]] = []
    started = threading.Event()
    real = subprocess.Popen

    def spy(*values: Any, **named: Any) -> subprocess.Popen[str]:
        children.append(real(*values, **named))
        started.set()
        return children[0]

    monkeypatch.setattr("memtui.index.build.subprocess.Popen", spy)
    vault = Vault.open([home], wait=False)
    where = vault._shelves[0].place
    schema.begin(where, vault.homes[0].layout)
    with hold_lock(find_build_lock(where)):
        vault.watch()
        assert started.wait(WAIT)
        vault.close()
        assert children[0].wait(WAIT) != 0


def test_a_small_home_needs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "FIRST", 3)
    root = tmp_path / "memory"
    (root / "sessions").mkdir(parents=True)
    (root / "MEMORY.md").write_text("- core\n")
    for number in range(10):
        file = root / "sessions" / f"s{number}.md"
        file.write_text(f"- line {number}\n")
        os.utime(file, (1_700_000_000 + 60 * number, 1_700_000_000 + 60 * number))
    with Vault.open([root], wait=False) as vault:
        vault.watch()
        Told(vault).until(lambda: status(vault).fresh_at is not None)
        assert status(vault).files == 11
        lines = list(dict.fromkeys(texts(vault)))
    assert lines == ["core", *(f"line {number}" for number in range(9, -1, -1))]
