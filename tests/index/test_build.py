"""A bulk build gives what syncs give, in one process or two, and goes on where it was killed (T25)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from memtui.core.errors import LockedError, UnavailableError
from memtui.core.model import Filter, Home, Layer
from memtui.fs.files import HomeReader
from memtui.fs.locks import hold_lock
from memtui.fs.places import Place, place
from memtui.index import build as module
from memtui.index import plan, readers, rows, schema
from memtui.index import sync as sync_module
from memtui.index.build import build, find_build_lock, merge_segments
from memtui.index.plan import FIRST, FileChange
from memtui.index.queries import Index
from memtui.index.rows import Batch
from memtui.index.sync import sync, take_first
from memtui.layouts import load_layout
from memtui.store.vault import Vault
from tests.index.lined import LAYOUT, home, write

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


@pytest.mark.parametrize(
    ("alone", "waiting", "count"),
    [(True, 0, 1), (False, 0, 1), (False, 1, 1), (False, 0, 2), (False, 1, 2), (False, 0, 3)],
    ids=["one process", "two", "two, the reader helps", "two that read", "two that read and help", "three that read"],
)
def test_a_build_is_what_a_sync_gives(
    root: Path, where: Place, alone: bool, waiting: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "_count_unread_bytes", lambda _pipe: waiting)
    monkeypatch.setattr(readers, "_count_readers", lambda _files, _behind: count)
    monkeypatch.setattr(rows, "SIZE", 300)
    monkeypatch.setattr(rows, "BLOCK", (300, 300))
    the_home = a_home(root)
    told: list[tuple[int, int]] = []
    changes = build(the_home, where, lambda *values: told.append(values), layout=LAYOUT, alone=alone)
    assert (changes.added, changes.changed, changes.removed) == (60, 0, 0)
    assert told[-1] == (60, 60)
    assert len(told) > 5
    with Index.open(where) as index:
        assert index.progress() == (60, 60, True)
        first = content(index)
    schema.begin(where, "lined")
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


def test_who_waits_for_another_s_build_is_told_so(root: Path, where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.index.build.PATIENCE", 0.01)
    where.directory.mkdir(parents=True, exist_ok=True)
    with (
        hold_lock(find_build_lock(where)),
        pytest.raises(LockedError, match="another memtui is reading this home now"),
    ):
        build(a_home(root), where, layout=LAYOUT)


def stop(done: int, total: int) -> None:
    """Break a build off."""
    if done > 20:
        raise KeyboardInterrupt


def test_a_build_that_broke_off_goes_on(root: Path, where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "SIZE", 300)
    monkeypatch.setattr(rows, "BLOCK", (300, 300))
    the_home = a_home(root)

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


@pytest.mark.parametrize(("count", "dying"), [(1, 0), (2, 0), (2, 1)])
def test_a_reading_process_that_dies_is_said(
    root: Path, where: Place, count: int, dying: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork")
    read = rows.iterate_batches

    def die(
        reader: HomeReader, changes: list[FileChange], numbers: rows.Numbers, share: rows.BlockShare
    ) -> Iterator[Batch]:
        if share.place == dying:
            os.kill(os.getpid(), signal.SIGKILL)
        return read(reader, changes, numbers, share)

    monkeypatch.setattr(readers, "iterate_batches", die)
    monkeypatch.setattr(readers, "_count_readers", lambda _files, _behind: count)
    monkeypatch.setattr(rows, "BLOCK", (300, 300))
    with pytest.raises(UnavailableError):
        build(a_home(root), where, layout=LAYOUT)
    monkeypatch.undo()


@pytest.mark.parametrize("behind", [True, False])
def test_polishing_changes_nothing_but_the_pieces(
    root: Path, where: Place, behind: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PACKED", (0, 1 << 20))
    monkeypatch.setattr(rows, "SIZE", 300)
    monkeypatch.setattr(rows, "BLOCK", (300, 300))
    monkeypatch.setattr(module, "PAGES", 1)
    build(a_home(root, 400), where, layout=LAYOUT, alone=True)
    with Index.open(where) as index:
        before, generation = content(index), index.generation()
        pieces = "SELECT count(DISTINCT segid) FROM fts_idx"
        assert index.db.execute(pieces).get > 1
        empty = "SELECT sum(unused) FROM dbstat WHERE name = 'entry'"
        room = index.db.execute(empty).get
        merge_segments(where, behind=behind)
        # An app does not wait until a large index is written anew.
        assert (index.db.execute(empty).get < room) is not behind
        assert index.db.execute(pieces).get == 1
        assert (content(index), index.generation()) == (before, generation)
        config = index.db.execute("SELECT k, v FROM fts_config").fetchall()
        assert {("automerge", 4), ("crisismerge", 500)} <= set(config)


def test_polishing_gives_way_and_does_not_mind_a_missing_index(
    root: Path, where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TURN", 0.0)
    merge_segments(where)
    build(a_home(root), where, layout=LAYOUT, alone=True)
    with hold_lock(where.lock):
        merge_segments(where)


def test_an_index_that_breaks_under_a_build_is_begun_anew(root: Path, where: Place) -> None:
    the_home = a_home(root)
    build(the_home, where, layout=LAYOUT, alone=True)
    db = apsw.Connection(str(schema.find_current_index(where)))
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


def by_age(index: Index) -> list[str]:
    """The files in the order of their entries' numbers."""
    return list(dict.fromkeys(row.path for row in reversed(index.rows(index.ids(EVERY)))))


def aged(root: Path, count: int = 30) -> Home:
    """Files of which each is an hour younger than the one before."""
    for n in range(count):
        write(
            root,
            f"{n % 3}/{n}.md",
            f"# 标题 {n % 3}\n- [k{n % 4}] line {n} 记忆\n- second\n",
            3600.0 * (count - n),
        )
    return Home(root, "lined", "a test", root.name)


AGED = [f"{n % 3}/{n}.md" for n in range(30)]


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two"])
def test_the_newest_come_first_and_numbers_tell_the_age(
    root: Path, where: Place, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "BLOCK", (100, 300))
    the_home = aged(root)
    seen: list[list[str]] = []

    def look(done: int, total: int) -> None:
        with Index.open(where) as index:
            seen.append(by_age(index))

    build(the_home, where, look, layout=LAYOUT, alone=alone)
    assert len(seen) > 3
    assert all(part == AGED[-len(part) :] for part in seen)
    assert seen[-1] == AGED


def test_a_build_that_goes_on_keeps_the_order(root: Path, where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BLOCK", (100, 100))
    the_home = aged(root)

    with pytest.raises(KeyboardInterrupt):
        build(the_home, where, stop, layout=LAYOUT, alone=True)
    with Index.open(where, write=True) as index:
        # A save meanwhile, and a look at all of it, which is left to the build.
        write(root, "saved.md", "- saved\n")
        sync(the_home, index, ["saved.md"], layout=LAYOUT)
        assert sync(the_home, index, layout=LAYOUT).many
        build(the_home, where, layout=LAYOUT, alone=True)
        assert by_age(index) == [*AGED, "saved.md"]
        assert index.progress() == (31, 31, True)
        # What comes later gets the next numbers.
        write(root, "later.md", "- later\n")
        sync(the_home, index, layout=LAYOUT)
        assert by_age(index) == [*AGED, "saved.md", "later.md"]


def test_what_is_taken_in_first_is_numbered_by_age_in_the_end(
    root: Path, where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "HASTE", 60.0)
    monkeypatch.setattr(sync_module, "HASTE", 60.0)
    the_home = aged(root, 100)
    order = [f"{n % 3}/{n}.md" for n in range(100)]
    schema.begin(where, "lined")
    for whole in (sync, None):
        with Index.open(where, write=True) as index:
            assert take_first(the_home, index, LAYOUT) == 100
            assert by_age(index) == order[-FIRST:]
            assert index.progress() == (FIRST, 0, False)
            assert take_first(the_home, index, LAYOUT) == 0
            if whole:
                sync(the_home, index, layout=LAYOUT)
            else:
                build(the_home, where, layout=LAYOUT, alone=True)
            assert by_age(index) == order
            assert index.progress() == (100, 100, True)
            assert sum(index.counts().values()) == len(index.ids(EVERY)) == 200
            assert index.meta("early") is None
        schema.begin(where, "lined")


def test_among_a_great_many_files_those_with_a_short_name_are_looked_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "HASTE", 0.005)
    for name in (*(f"what_was_made_{n}.md" for n in range(1500)), "SOUL.md", "MEMORY.md"):
        write(tmp_path, name, "- a line\n")
    changes, _seen = plan.find_likeliest_files(tmp_path, load_layout("openclaw"))
    assert {change.found.path for change in changes} > {"SOUL.md", "MEMORY.md"}


def changes_meanwhile(root: Path, the_home: Home, index: Index) -> None:
    """All that may happen to files before a build comes to them, and after, each taken in at once."""
    write(root, "0/0.md", "# 标题 0\n- saved before it was read [new] &s1\n", 5.0)
    write(root, "2/29.md", "# another\n- saved after it was read #tag\n", 5.0)
    write(root, "0/new.md", "# 标题 1\n- [k1] a new file\n", 5.0)
    write(root, "fresh/new.md", "# 标题 2\n- [k9] in a new directory &s1\n", 5.0)
    (root / "1" / "1.md").unlink()
    (root / "1" / "28.md").unlink()
    paths = ["0/0.md", "2/29.md", "0/new.md", "fresh/new.md", "1/1.md", "1/28.md"]
    sync(the_home, index, paths, layout=LAYOUT)


@pytest.mark.parametrize("alone", [True, False], ids=["one process", "two"])
@pytest.mark.parametrize("over", [False, True], ids=["cold", "over an index"])
def test_others_write_while_it_builds(
    root: Path, where: Place, alone: bool, over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "BLOCK", (100, 100))
    the_home = aged(root)
    if over:
        build(the_home, where, layout=LAYOUT, alone=True)
        for n in range(30):
            write(root, f"{n % 3}/{n}.md", f"# 标题 {n % 4}\n- [k{n % 5}] changed {n} 记忆\n", 1800.0 - n)
        (root / "0" / "27.md").unlink()
        (root / "gone").mkdir()
    done = False

    def meanwhile(read: int, total: int) -> None:
        nonlocal done
        if not done and read > 5:
            done = True
            with Index.open(where, write=True) as index:
                changes_meanwhile(root, the_home, index)
                if over:
                    # What was gone when the build began is back.
                    write(root, "0/27.md", "- back\n", 5.0)
                    sync(the_home, index, ["0/27.md"], layout=LAYOUT)

    build(the_home, where, meanwhile, layout=LAYOUT, alone=alone)
    with Index.open(where, write=True) as index:
        assert index.progress().complete
        sync(the_home, index, layout=LAYOUT)
        found = content(index)
        assert not sync(the_home, index, layout=LAYOUT)
        assert sum(index.counts().values()) == len(index.ids(EVERY))
        files = {file.path for file in index.files()}
    assert {"0/0.md", "0/new.md", "fresh/new.md"} <= files
    assert not files & {"1/1.md", "1/28.md"}
    schema.begin(where, "lined")
    with Index.open(where, write=True) as index:
        sync(the_home, index, layout=LAYOUT)
        assert content(index) == found


def test_a_home_with_more_entries_than_reckoned_with(root: Path, where: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    the_home = aged(root)
    monkeypatch.setattr(module, "FIRST_ENTRY", 40)
    monkeypatch.setattr(module, "_DENSE", 1 << 20)
    changes = build(the_home, where, layout=LAYOUT, alone=True)
    assert changes.added == 30
    with Index.open(where) as index:
        assert by_age(index) == AGED


def test_who_waits_for_the_lock_gets_it_between_commits(
    root: Path, where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without others a batch is no commit; with somebody waiting it is."""
    monkeypatch.setattr(rows, "SIZE", 60)
    monkeypatch.setattr(rows, "BLOCK", (1 << 20, 1 << 20))
    the_home = aged(root)
    commits: list[int] = []

    def look(done: int, total: int) -> None:
        with Index.open(where) as index:
            commits.append(index.progress().done)

    build(the_home, where, look, layout=LAYOUT, alone=True)
    assert set(commits) == {0, 30}
    commits.clear()
    monkeypatch.setattr(module, "is_lock_wanted", lambda _path: True)
    build(the_home, where, look, layout=LAYOUT, alone=True, fresh=True)
    assert len(set(commits)) > 5


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


def test_of_files_of_one_moment_rules_come_first_and_what_happened_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone gives all its files one time: a list of what is known does not open with the oldest release."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = tmp_path / "shop/.helloagents"
    texts = {
        "INDEX.md": "# Index\n\n- See context.md for the shop\n",
        "CHANGELOG.md": "# Changelog\n\n## [0.1.0]\n\n- The counter was painted by the owner\n",
        "context.md": "# Context\n\n- The shop sells bread and keeps its recipes in a cellar\n",
        "guidelines.md": "# Guidelines\n\n- Never sell what was baked before yesterday\n",
        "modules/oven.md": "# Oven\n\n- The oven is heated with wood from the yard\n",
    }
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8")
        os.utime(home / name, (1_770_000_000, 1_770_000_000))
    with Vault.open([home.parent]) as vault:
        paths = [one.path for one in vault.memories(Filter(layers=frozenset({Layer.KNOWLEDGE})))]
    known = [path for path in paths if path.endswith(("guidelines.md", "context.md", "oven.md"))]
    assert [path.rpartition("/")[2] for path in known] == ["guidelines.md", "context.md", "oven.md"]
    assert paths.index(known[-1]) < min(at for at, path in enumerate(paths) if path.endswith("CHANGELOG.md"))
