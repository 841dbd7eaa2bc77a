"""Rows of another program's database: compare and set, and never more than that."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import apsw
import pytest

from memtui.core.edits import RowEdit
from memtui.core.errors import (
    ConflictError,
    LockedError,
    MemtuiError,
    OutsideError,
    ReadOnlyError,
    RefusedError,
    UnavailableError,
    VanishedError,
)
from memtui.core.model import Layer, Role
from memtui.formats import Source, parse
from memtui.fs import database_rows
from memtui.fs.places import state
from tests.homes.openakita import database

NAME = "openakita.db"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_rows, "_copied_rows", set())
    monkeypatch.setattr(database_rows, "WAIT", 200)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    database(place / NAME, wal=True).close()
    return place


def edit(home: Path, after: dict[str, object] | None = None, **before: object) -> RowEdit:
    known = before or {"content": "likes blunt words"}
    return RowEdit(str(home), NAME, "memories", "m7", known, after or {"content": "likes plain words"})  # type: ignore[arg-type]


def every(home: Path, count: int) -> list[RowEdit]:
    """Other words for so many new rows, which are made here."""
    with apsw.Connection(str(home / NAME)) as connection:
        connection.executemany(
            "INSERT INTO memories (id, content) VALUES (?, ?)",
            [(f"n{number}", f"plain {number}") for number in range(count)],
        )
    return [
        RowEdit(str(home), NAME, "memories", f"n{n}", {"content": f"plain {n}"}, {"content": f"changed {n}"})
        for n in range(count)
    ]


def content(home: Path, key: str = "m7") -> object:
    found = database_rows.read_row(str(home), NAME, "memories", key)
    return None if found is None else found["content"]


def found_by(home: Path, word: str) -> list[str]:
    connection = apsw.Connection(str(home / NAME), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        query = "SELECT id FROM memories WHERE rowid IN (SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?)"
        return [str(row[0]) for row in connection.execute(query, (word,))]
    finally:
        connection.close()


@pytest.mark.parametrize("wal", [True, False])
def test_a_row_is_written_and_found_by_its_own_program(tmp_path: Path, wal: bool) -> None:
    database(tmp_path / NAME, wal=wal).close()
    database_rows.write(edit(tmp_path))
    assert content(tmp_path) == "likes plain words"
    assert found_by(tmp_path, "plain") == ["m7"]
    assert found_by(tmp_path, "blunt") == []
    role = Role(Layer.KNOWLEDGE, "fact", "memory-rows", 0)
    texts = [entry.text for entry in parse(Source(NAME, role, b"", str(tmp_path / NAME))).entries]
    assert "likes plain words" in texts


def test_a_row_that_changed_meanwhile_is_a_conflict(home: Path) -> None:
    connection = apsw.Connection(str(home / NAME))
    connection.execute("UPDATE memories SET content = 'theirs' WHERE id = 'm7'")
    connection.close()
    with pytest.raises(ConflictError) as caught:
        database_rows.write(edit(home))
    assert content(home) == "theirs"
    error = caught.value
    assert (error.base, error.theirs, error.mine) == (
        b'content: "likes blunt words"\n', b'content: "theirs"\n', b'content: "likes plain words"\n',
    )  # fmt: skip
    assert error.path == NAME
    with pytest.raises(ConflictError):
        database_rows.write(edit(home)._replace(key="gone"))


def test_null_and_numbers_compare_as_they_stand(home: Path) -> None:
    change = edit(
        home, {"expires_at": "2026-03-01"}, expires_at=None, importance_score=0.4, content="likes blunt words"
    )
    database_rows.write(change)
    with pytest.raises(ConflictError):
        database_rows.write(change)
    database_rows.write(change._replace(before=change.after, after={"expires_at": None}))
    assert database_rows.read_row(str(home), NAME, "memories", "m7")["expires_at"] is None  # type: ignore[index]


def test_making_a_row_and_taking_it_back(home: Path) -> None:
    made = RowEdit(str(home), NAME, "memories", "0a1b2c3d", None, {"content": "new one", "tags": "[]"})
    database_rows.write(made)
    assert content(home, "0a1b2c3d") == "new one"
    assert found_by(home, "new") == ["0a1b2c3d"]
    with pytest.raises(ConflictError):
        database_rows.write(made)
    database_rows.write(made._replace(before=made.after, after=None))
    assert content(home, "0a1b2c3d") is None
    assert found_by(home, "new") == []


def test_nothing_else_of_the_database_changes(home: Path) -> None:
    def others() -> list[object]:
        connection = apsw.Connection(str(home / NAME), flags=apsw.SQLITE_OPEN_READONLY)
        tables = ("episodes", "conversation_turns", "extraction_queue", "attachments", "_schema_meta")
        found: list[object] = [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]
        found.append(connection.execute("SELECT * FROM memories WHERE id <> 'm7'").fetchall())
        found.append(connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall())
        found += [connection.pragma(name) for name in ("journal_mode", "user_version", "schema_version")]
        connection.close()
        return found

    before, main = others(), (home / NAME).read_bytes()
    database_rows.write(edit(home))
    assert others() == before
    # Never a checkpoint: the change is in the -wal, for the program itself to take over.
    assert (home / NAME).read_bytes() == main
    assert (home / f"{NAME}-wal").stat().st_size > 0


def test_a_program_that_has_it_open_is_not_disturbed(home: Path) -> None:
    program = apsw.Connection(str(home / NAME))
    program.execute("UPDATE memories SET access_count = 5 WHERE id = 'm1'")
    before = (home / NAME).read_bytes()
    database_rows.write(edit(home))
    assert (home / NAME).read_bytes() == before
    assert program.execute("SELECT content FROM memories WHERE id = 'm7'").fetchall() == [("likes plain words",)]
    program.execute("UPDATE memories SET content = 'last' WHERE id = 'm7'")
    assert content(home) == "last"
    assert program.pragma("integrity_check") == "ok"
    program.close()


def test_another_writer_is_waited_for_and_then_said(home: Path) -> None:
    program = apsw.Connection(str(home / NAME))
    program.execute("BEGIN IMMEDIATE")
    with pytest.raises(LockedError):
        database_rows.write(edit(home))
    threading.Timer(0.05, lambda: program.execute("COMMIT")).start()
    database_rows.write(edit(home))
    assert content(home) == "likes plain words"
    program.close()


def test_the_first_write_puts_a_copy_aside(home: Path) -> None:
    database_rows.write(edit(home))
    database_rows.write(edit(home, {"content": "third"}, content="likes plain words"))
    (folder,) = (state() / "backups").iterdir()
    (copy,) = folder.iterdir()
    assert copy.stat().st_mode & 0o777 == 0o600
    held = apsw.Connection(str(copy))
    assert held.execute("SELECT content FROM memories WHERE id = 'm7'").fetchall() == [("likes blunt words",)]
    held.close()


def test_few_copies_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["likes blunt words", *"abcde"]
    for number, (old, new) in enumerate(pairwise(texts)):
        monkeypatch.setattr(database_rows, "_copied_rows", set())
        monkeypatch.setenv("MEMTUI_NOW", f"2026-02-0{number + 1}T00:00:00Z")
        database_rows.write(edit(home, {"content": new}, content=old))
    (folder,) = (state() / "backups").iterdir()
    assert [name[:8] for name in sorted(os.listdir(folder))] == ["20260203", "20260204", "20260205"]


def test_no_copy_no_write(home: Path) -> None:
    state().mkdir(parents=True)
    (state() / "backups").write_text("in the way")
    with pytest.raises(UnavailableError, match="nothing was written"):
        database_rows.write(edit(home))
    assert content(home) == "likes blunt words"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE _schema_meta SET value = '7'", "newer"),
        ("UPDATE _schema_meta SET value = 'next'", "newer"),
        ("DROP TRIGGER memories_au", "triggers"),
        ("DROP TRIGGER memories_ai", "triggers"),
        ("ALTER TABLE memories RENAME COLUMN content TO body", "as memtui knows it"),
        ("ALTER TABLE memories RENAME TO memory", "no table"),
    ],
)
def test_what_is_not_known_is_refused(home: Path, sql: str, reason: str) -> None:
    connection = apsw.Connection(str(home / NAME))
    connection.execute(sql)
    connection.close()
    with pytest.raises(RefusedError, match=reason):
        database_rows.expect(edit(home))
    with pytest.raises(RefusedError, match=reason):
        database_rows.write(edit(home))
    assert not (state() / "backups").exists()


def test_unknown_columns_and_tables_are_refused(home: Path) -> None:
    with pytest.raises(RefusedError, match="mood"):
        database_rows.write(edit(home, {"mood": "x"}))
    with pytest.raises(RefusedError):
        database_rows.write(edit(home)._replace(table="episodes"))
    with pytest.raises(RefusedError):
        database_rows.write(edit(home, {'content" = "": x': "x"}))


def test_an_old_schema_is_written_as_far_as_it_goes(tmp_path: Path) -> None:
    database(tmp_path / NAME, schema=2).close()
    database_rows.write(RowEdit(str(tmp_path), NAME, "memories", "o1", {"content": "旧库里的事实"}, {"content": "new"}))
    assert content(tmp_path, "o1") == "new"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_directory_that_cannot_be_written(home: Path) -> None:
    home.chmod(0o500)
    try:
        with pytest.raises(ReadOnlyError):
            database_rows.write(edit(home))
    finally:
        home.chmod(0o700)


def test_what_cannot_be_written_is_refused_before_it_is_opened(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sorted(os.listdir(home))
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, _mode: not str(path).endswith("home"))
        with pytest.raises(ReadOnlyError):
            database_rows.write(edit(home))
    with monkeypatch.context() as patch:
        patch.setattr(database_rows, "is_network_directory", lambda _folder: True)
        with pytest.raises(RefusedError, match="network"):
            database_rows.write(edit(home))
    assert sorted(os.listdir(home)) == before


def test_links_and_ways_out_are_refused(home: Path, tmp_path: Path) -> None:
    (home / "linked.db").symlink_to(home / NAME)
    with pytest.raises(OutsideError):
        database_rows.write(edit(home)._replace(path="linked.db"))
    with pytest.raises(OutsideError):
        database_rows.write(edit(home)._replace(path="../home/openakita.db"))
    with pytest.raises(VanishedError):
        database_rows.write(edit(home)._replace(path="gone.db"))
    assert not (home / "gone.db").exists()


@pytest.mark.parametrize("damage", ["text", "cut", "noise"])
def test_a_damaged_database_is_refused(home: Path, damage: str) -> None:
    file = home / NAME
    data = file.read_bytes()
    spoilt = {
        "text": b"not a database at all",
        "cut": data[: len(data) // 2],
        "noise": data[:4096] + os.urandom(4096) * 6 + data[4096 * 7 :],
    }
    file.write_bytes(spoilt[damage])
    before = file.read_bytes()
    with pytest.raises(MemtuiError):
        database_rows.write(edit(home))
    assert file.read_bytes() == before


def test_killed_in_the_middle_it_is_the_old_row_or_the_new_one(home: Path) -> None:
    code = (
        "import sys, itertools\n"
        "from memtui.fs import database_rows as rows\n"
        "from memtui.core.edits import RowEdit\n"
        "old = 'likes blunt words'\n"
        "for n in itertools.count():\n"
        "    new = f'version {n} ' + 'x' * 20000\n"
        "    rows.write(RowEdit(sys.argv[1], 'openakita.db', 'memories', 'm7', {'content': old}, {'content': new}))\n"
        "    old = new\n"
        "    print(n, flush=True)\n"
    )
    for turn in range(5):
        database(home / f"{turn}" / NAME, wal=True).close()
        place = home / f"{turn}"
        with subprocess.Popen([sys.executable, "-c", code, str(place)], stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(0.01 * turn)
            child.kill()
            said = [0, *map(int, child.stdout.read().split())]
        connection = apsw.Connection(str(place / NAME))
        assert connection.pragma("integrity_check") == "ok"
        ((text,),) = connection.execute("SELECT content FROM memories WHERE id = 'm7'").fetchall()
        connection.close()
        assert int(str(text).split()[1]) >= max(said)
        assert str(text).endswith("x" * 20000)


def test_many_rows_are_one_transaction_and_their_search_follows(home: Path) -> None:
    changes = every(home, 300)
    watcher = apsw.Connection(str(home / NAME))
    before = watcher.pragma("data_version")
    database_rows.write(*changes)
    assert watcher.pragma("data_version") != before
    found = database_rows.read_rows(str(home), NAME, "memories", [change.key for change in changes] + ["none"])
    assert [found[change.key]["content"] for change in changes] == [f"changed {n}" for n in range(300)]
    assert len(found) == 300
    assert watcher.execute("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'changed'").get == 300
    watcher.execute("INSERT INTO memories_fts (memories_fts) VALUES ('integrity-check')")
    assert watcher.pragma("integrity_check") == "ok"


def test_where_one_of_many_rows_moved_on_none_is_written(home: Path) -> None:
    changes = every(home, 20)
    with pytest.raises(ConflictError):
        database_rows.write(*changes, changes[0]._replace(key="m7", before={"content": "somebody else's"}))
    assert {content(home, change.key) for change in changes} == {f"plain {n}" for n in range(20)}


def test_rows_of_a_group_are_written_once_and_taken_back_with_the_rest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.store.vault import Vault
    from tests.homes.openakita import build

    root = build(home.parent / "akita")
    path = "data/memory/openakita.db"
    with apsw.Connection(str(root / path)) as connection:
        connection.executemany(
            "INSERT INTO memories (id, content) VALUES (?, ?)", [(f"n{n}", f"plain {n}") for n in range(50)]
        )
    changes = [
        RowEdit(str(root), path, "memories", f"n{n}", {"content": f"plain {n}"}, {"content": f"changed {n}"})
        for n in range(50)
    ]
    written: list[int] = []
    write = database_rows.write

    def counted(*given: RowEdit) -> None:
        written.append(len(given))
        write(*given)

    monkeypatch.setattr(database_rows, "write", counted)
    with Vault.open([root]) as vault:
        receipt = vault.apply(changes, verb="edit")
        assert written == [50]
        vault.undo(receipt.id)
        assert written == [50, 50]
        assert database_rows.read_rows(str(root), path, "memories", ["n7"])["n7"]["content"] == "plain 7"
        vault.redo()
    assert database_rows.read_rows(str(root), path, "memories", ["n7"])["n7"]["content"] == "changed 7"


@pytest.mark.parametrize("written", [True, False])
def test_rows_of_a_writer_that_died_are_done_or_not_begun(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    from memtui.fs.write_journal import Journal
    from memtui.store.carry_out import recover
    from memtui.store.vault import Vault
    from tests.homes.openakita import build

    root = build(home.parent / "akita")
    path = "data/memory/openakita.db"
    changes = [RowEdit(str(root), path, "memories", key, None, {"content": f"new {key}"}) for key in ("k1", "k2")]

    def killed(*_given: object) -> None:
        raise KeyboardInterrupt

    with Vault.open([root]) as vault:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Journal, "finish", killed) if written else patch.setattr(database_rows, "_set", killed)
            vault.apply(changes, verb="add")
        (record,) = recover(Journal())
    assert record.state == ("done" if written else "interrupted")
    assert len(database_rows.read_rows(str(root), path, "memories", ["k1", "k2"])) == (2 if written else 0)
