"""How homes stand, and what files hold: said as it is, also while they come and go."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.locale import _n
from memtui.core.model import Filter, Layer, Problem, Status
from memtui.index.sync import AGREE
from memtui.store.home import FEW


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# 核心\n\n## 用户偏好\n\n- a\n- b\n\n## 项目规范\n\n- c\n\n## 用户偏好\n\n- d\n")
    (root / "daily/2026-11-20.md").write_text("# 2026-11-20\n\n- one\n")
    return root


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    with Vault.open([home]) as opened:
        yield opened


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + seconds)


def test_a_home_that_is_gone_stays_gone_until_it_is_back(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vault: Vault
) -> None:
    (before,) = vault.status()
    assert (before.away, before.warning) == (False, "")
    home.rename(tmp_path / "away")
    vault.refresh()
    (gone,) = vault.status()
    assert gone.away
    assert "is not there: looking again" in gone.warning
    assert gone.fresh_at == before.fresh_at
    later(monkeypatch, AGREE + 0.1)
    for _again in range(3):
        vault.refresh()
        (gone,) = vault.status()
        assert (gone.away, gone.memories, gone.files) == (True, 0, 0)
        assert gone.warning == f"{home} is not there: shown again when it is back"
    (tmp_path / "away").rename(home)
    vault.refresh()
    (back,) = vault.status()
    assert (back.away, back.warning, back.memories) == (False, "", before.memories)


def test_files_with_problems_are_counted_once(vault: Vault) -> None:
    (status,) = vault.status()
    broken = status._replace(problems=tuple(Problem("a", line, "x") for line in (1, 2)))
    assert (status.unparsed, broken.unparsed) == (0, 1)


def test_a_file_longer_than_what_is_read_is_said_once(home: Path) -> None:
    (home / "daily/2026-11-21.md").write_text("- " + ("x" * 100_000 + "\n") * 110)
    with Vault.open([home]) as vault:
        (status,) = vault.status()
        assert [problem.path for problem in status.problems] == ["daily/2026-11-21.md"]
        assert "bytes were read" in status.problems[0].reason


def test_outlines_count_every_entry_under_its_heading(home: Path, vault: Vault) -> None:
    ((of, found),) = vault.outlines(Filter(layers=frozenset({Layer.CORE})))
    assert (of.path, found.path, found.last) == (home, "MEMORY.md", 14)
    assert found.size == (home / "MEMORY.md").stat().st_size
    assert list(found.sections.items()) == [("用户偏好", 3), ("项目规范", 1)]
    assert vault.outlines(Filter(statuses=frozenset({Status.ARCHIVED}))) == []
    assert [outline.path for _home, outline in vault.outlines()] == ["MEMORY.md", "daily/2026-11-20.md"]


def test_changed_files_are_those_written_since_whose_memories_pass_the_newest_first(home: Path) -> None:
    for number, name in enumerate(("MEMORY.md", "daily/2026-11-20.md", "daily/2026-11-21.md")):
        (home / name).write_text(f"# {number}\n\n- [note] the port is 808{number}\n")
        os.utime(home / name, (1_790_000_000 + number, 1_790_000_000 + number))
    with Vault.open([home]) as vault:
        every, journal = Filter(), Filter(layers=frozenset({Layer.JOURNAL}))
        days = [(str(home), "daily/2026-11-21.md"), (str(home), "daily/2026-11-20.md")]
        assert vault.list_changed(every, 1_789_999_999, 9) == [*days, (str(home), "MEMORY.md")]
        assert vault.list_changed(every, 1_790_000_000, 9) == days
        assert vault.list_changed(every, 1_790_000_000, 1) == days[:1]
        assert vault.list_changed(journal, 1_789_999_999, 9) == days
        assert vault.list_changed(every._replace(since=1_800_000_000), 1_789_999_999, 9) == []


@pytest.mark.parametrize(("count", "told"), [(0, "0 homes"), (1, "1 home"), (1234, "1,234 homes")])
def test_plurals(count: int, told: str) -> None:
    assert _n("{count} home", "{count} homes", count) == told


def test_a_home_tells_what_its_lists_hold_and_what_they_leave_out(home: Path) -> None:
    (home / "MEMORY.md").write_text("# 核心\n\n## 规则\n\n- 端口是 8080\n- ~~端口是 8000~~ (superseded 2026-11-01)\n")
    with Vault.open([home]) as vault:
        (state,) = vault.status()
        assert state.memories == len(vault.ids())
        assert state.left_out == 1


def test_where_the_process_that_builds_cannot_start_nothing_is_said_to_be_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "notes"
    home.mkdir()
    for number in range(FEW + 20):
        (home / f"topic-{number}.md").write_text(f"# Topic {number}\n\n- fact {number}\n")
    monkeypatch.setattr("sys.executable", str(home / "no-python"))
    with Vault.open([home], watch=True, wait=False) as vault:
        deadline = time.time() + 20
        (found,) = vault.status()
        while "cannot start" not in found.warning and time.time() < deadline:
            time.sleep(0.05)
            (found,) = vault.status()
        assert "cannot start" in found.warning
        # It stays so while it is tried again and again.
        for _look in range(20):
            assert not vault.status()[0].building
            time.sleep(0.02)
