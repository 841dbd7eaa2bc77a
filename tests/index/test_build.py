"""A bulk build gives what syncs give, in one process or two, and goes on where it was killed (T25)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw
import pytest

from memtui.disk.locks import locked
from memtui.disk.places import place
from memtui.errors import UnavailableError
from memtui.index import batches, pointer
from memtui.index import build as module
from memtui.index.build import build, polish
from memtui.index.index import Index
from memtui.index.sync import sync
from memtui.model import Filter, Home, Layer
from tests.index.lined import LAYOUT, home, write

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.disk.places import Place

EVERY = Filter(statuses=frozenset())


def a_home(root: Path, count: int = 60) -> Home:
    return home(
        root,
        {
            f"{n % 7}/{n}.md": f"# 标题 {n % 3}\n- [k{n % 4}] line {n} 记忆\n- :core x =k{n}\n- BROKEN\n"
            for n in range(count)
        },
    )


def content(index: Index) -> tuple[object, ...]:
    rows = sorted(row[1:18] for row in index.rows(index.ids(EVERY)))
    hits = index.db.execute("SELECT rowid FROM fts WHERE fts MATCH '\"记忆\"'").fetchall()
    terms = index.db.execute("SELECT term, doc, cnt FROM ftsv ORDER BY term").fetchall()
    return rows, len(hits), terms, index.counts(), index.problems(), [file[1:] for file in index.files()]


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two"])
def test_a_build_is_what_a_sync_gives(
    root: Path, where: Place, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "SIZE", 300)
    monkeypatch.setattr(module, "COMMIT", 0.0)
    the_home = a_home(root)
    told: list[tuple[int, int]] = []
    changes = build(the_home, where, lambda *values: told.append(values), layout=LAYOUT, alone=alone)
    assert (changes.added, changes.changed, changes.removed) == (60, 0, 0)
    assert told[-1] == (60, 60)
    assert len(told) > 5
    with Index.open(where) as index:
        assert index.progress() == (60, 60, True)
        first = content(index)
    pointer.begin(where, "lined")
    with Index.open(where, write=True) as index:
        sync(the_home, index, layout=LAYOUT)
        assert content(index) == first


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two"])
def test_a_build_over_an_index_takes_in_what_changed(root: Path, where: Place, alone: bool) -> None:
    the_home = a_home(root)
    build(the_home, where, layout=LAYOUT, alone=alone)
    with Index.open(where) as index:
        before = {row.path: row.id for row in index.rows(index.ids(EVERY))}
    write(root, "0/0.md", "- quite other\n")
    write(root, "new.md", "- brand new\n")
    os.utime(root / "1" / "1.md")
    (root / "2" / "2.md").unlink()
    changes = build(the_home, where, layout=LAYOUT, alone=alone)
    assert (changes.added, changes.changed, changes.removed) == (1, 1, 1)
    with Index.open(where) as index:
        rows = index.rows(index.ids(EVERY))
        assert len(rows) == 2 * 58 + 2
        assert {row.path: row.id for row in rows}["1/1.md"] == before["1/1.md"]
        assert not build(the_home, where, layout=LAYOUT, alone=alone)


def test_a_build_that_broke_off_goes_on(root: Path, where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "SIZE", 300)
    monkeypatch.setattr(module, "COMMIT", 0.0)
    the_home = a_home(root)

    def stop(done: int, total: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(the_home, where, stop, layout=LAYOUT, alone=True)
    with Index.open(where) as index:
        progress = index.progress()
        assert not progress.complete
        assert 0 < progress.done < 60
        assert progress.total == 60
    told: list[tuple[int, int]] = []
    build(the_home, where, lambda *values: told.append(values), layout=LAYOUT, alone=True)
    assert told[-1][1] == 60 - progress.done
    with Index.open(where) as index:
        assert index.progress() == (60, 60, True)
        assert len(index.ids(EVERY)) == 120
        assert sum(index.counts().values()) == 120


def test_a_reading_process_that_dies_is_said(
    root: Path, where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork")
    monkeypatch.setattr(module, "batches", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(UnavailableError):
        build(a_home(root), where, layout=LAYOUT)
    monkeypatch.undo()


def test_polishing_changes_nothing_but_the_pieces(
    root: Path, where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "SIZE", 300)
    monkeypatch.setattr(module, "COMMIT", 0.0)
    monkeypatch.setattr(module, "PAGES", 1)
    build(a_home(root), where, layout=LAYOUT, alone=True)
    with Index.open(where) as index:
        before, generation = content(index), index.generation()
        pieces = "SELECT count(DISTINCT segid) FROM fts_idx"
        assert index.db.execute(pieces).get > 1
        polish(where)
        assert index.db.execute(pieces).get == 1
        assert (content(index), index.generation()) == (before, generation)


def test_polishing_gives_way_and_does_not_mind_a_missing_index(root: Path, where: Place) -> None:
    polish(where)
    build(a_home(root), where, layout=LAYOUT, alone=True)
    with locked(where.lock):
        polish(where)


def test_an_index_that_breaks_under_a_build_is_begun_anew(root: Path, where: Place) -> None:
    the_home = a_home(root)
    build(the_home, where, layout=LAYOUT, alone=True)
    db = apsw.Connection(str(pointer.current(where)))
    db.execute("DROP TABLE tally")
    db.close()
    write(root, "new.md", "- brand new\n")
    build(the_home, where, layout=LAYOUT, alone=True)
    with Index.open(where) as index:
        assert len(index.ids(EVERY)) == 121
        assert sum(index.counts().values()) == 121


def test_an_emptied_home_is_not_forgotten_at_once(root: Path, where: Place) -> None:
    the_home = a_home(root)
    build(the_home, where, layout=LAYOUT, alone=True)
    for file in root.rglob("*.md"):
        file.unlink()
    assert build(the_home, where, layout=LAYOUT, alone=True).suspect == 60
    with Index.open(where) as index:
        assert len(index.ids(EVERY)) == 120


def plain(root: Path) -> dict[str, str]:
    files = {f"{n % 5}/{n}.md": f"# Title\n\n- line {n} 记忆\n" for n in range(400)}
    home(root, files)
    return {**os.environ, "PYTHONWARNINGS": "error"}


def test_the_command_says_how_far_it_is(root: Path) -> None:
    env = plain(root)
    command = [sys.executable, "-m", "memtui.index.build", str(root), "plain"]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0].keys() == {"done", "total"}
    assert lines[-1]["added"] == 400
    assert not done.stderr
    with Index.open(place(root, "plain")) as index:
        assert index.progress() == (400, 400, True)
        assert sum(index.counts().values()) == len(index.ids(EVERY)) == 400
        assert {key[0] for key in index.counts()} <= set(Layer)


@pytest.mark.parametrize("after", [0.05, 0.15, 0.25, 0.35])
def test_a_killed_command_leaves_an_index_that_goes_on(root: Path, after: float) -> None:
    env = plain(root)
    command = [sys.executable, "-m", "memtui.index.build", str(root), "plain"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env) as child:
        try:
            child.wait(after)
        except subprocess.TimeoutExpired:
            child.kill()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=env, check=True)
    with Index.open(place(root, "plain")) as index:
        assert index.progress() == (400, 400, True)
        assert len(index.ids(EVERY)) == 400
        assert index.db.execute("PRAGMA integrity_check").get == "ok"


def test_a_home_that_is_not_there(where: Place, tmp_path: Path) -> None:
    changes = build(Home(tmp_path / "nowhere", "lined", "", ""), where, layout=LAYOUT, alone=True)
    assert changes.away
    assert not changes
