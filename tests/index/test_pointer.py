"""A broken or outdated index is replaced beside whoever has it open, and nothing that is not ours is touched.

Connections are let go of whatever other threads are asking them at that moment.
"""

from __future__ import annotations

import os
import random
import threading
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from memtui.core.errors import MemtuiError, StaleIndexError
from memtui.core.model import Filter, Home
from memtui.fs.places import Place
from memtui.index import schema
from memtui.index.build import build
from memtui.index.queries import Index
from memtui.index.sync import sync
from memtui.store.vault import Vault
from tests.index.lined import LAYOUT, home

EVERY = Filter(statuses=frozenset())


def built(root: Path, where: Place) -> Path:
    build(home(root, {"a.md": "- one\n- two\n"}), where, layout=LAYOUT, alone=True)
    return schema.find_current_index(where)


def test_there_is_no_index_yet(where: Place) -> None:
    with pytest.raises(StaleIndexError):
        Index.open(where)
    assert list(where.directory.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["", "../../etc/passwd", "index-1-zz.sqlite", "/tmp/x", "index-1-0123456789abcdef.sqlite"]
)
def test_a_pointer_that_points_nowhere(where: Place, name: str) -> None:
    where.pointer.write_text(name)
    with pytest.raises(StaleIndexError):
        Index.open(where)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
@pytest.mark.parametrize("what", ["index", "pointer"])
def test_a_fifo_in_its_place_holds_nobody(root: Path, where: Place, what: str) -> None:
    file = built(root, where)
    if what == "pointer":
        file = where.pointer
    file.unlink()
    os.mkfifo(file)
    raised: list[BaseException] = []

    def opens() -> None:
        try:
            Index.open(where)
        except BaseException as error:
            raised.append(error)

    # On a thread that nobody waits for: what opens a FIFO hears of no signal either.
    thread = threading.Thread(target=opens, daemon=True)
    thread.start()
    thread.join(60)
    assert [type(error) for error in raised] == [StaleIndexError]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = 'x' WHERE key = 'tokenizer'",
        "UPDATE meta SET value = 99 WHERE key = 'schema'",
        "DELETE FROM meta WHERE key = 'parsers'",
        "DROP TABLE meta",
        "PRAGMA application_id = 1",
    ],
)
def test_an_index_of_another_making_is_stale_and_rebuilt_beside(root: Path, where: Place, change: str) -> None:
    """Never over a file that somebody has open (T24)."""
    old = built(root, where)
    db = apsw.Connection(str(old))
    db.execute(change)
    db.close()
    before = old.read_bytes()
    with pytest.raises(StaleIndexError):
        Index.open(where)
    build(Home(root, "lined", "", ""), where, layout=LAYOUT, alone=True)
    with Index.open(where) as index:
        assert index.path != old
        assert len(index.ids(EVERY)) == 2
    if "application_id" in change:
        assert old.read_bytes() == before, "what does not carry our mark is not ours to remove"
    else:
        assert not old.exists()


def test_readers_keep_the_old_index_until_they_ask(root: Path, where: Place) -> None:
    built(root, where)
    with Index.open(where) as old:
        assert not old.replaced()
        build(Home(root, "lined", "", ""), where, layout=LAYOUT, fresh=True, alone=True)
        assert old.replaced()
        assert len(old.ids(EVERY)) == 2
        assert old.path.exists(), "somebody has it open"
        with Index.open(where) as new:
            assert new.path != old.path
            assert len(new.ids(EVERY)) == 2
    build(Home(root, "lined", "", ""), where, layout=LAYOUT, alone=True)
    assert not old.path.exists()


def test_only_our_own_files_are_tidied(root: Path, where: Place) -> None:
    current = built(root, where)
    directory = where.directory
    foreign = {
        "index-1-0123456789abcdef.sqlite": b"something else entirely",
        "index-1-0123456789abcdeg.sqlite": b"x",
        "notes.sqlite": b"x",
    }
    for name, data in foreign.items():
        (directory / name).write_bytes(data)
    victim = root / "a.md"
    (directory / "index-1-aaaaaaaaaaaaaaaa.sqlite").symlink_to(victim)
    assert schema.tidy(where) == 0
    assert {name: (directory / name).read_bytes() for name in foreign} == foreign
    assert victim.exists()
    assert current.exists()


def test_the_logs_of_an_index_that_somebody_took_away_go(root: Path, where: Place) -> None:
    """SQLite removes them with the last connection, which there was none of; those of an index that is there stay."""
    current = built(root, where)
    with Index.open(where):
        mine = {entry.name for entry in os.scandir(where.directory)}
        for name in ("index-8-0123456789abcdef.sqlite", "index-7-fedcba9876543210.sqlite", "notes.sqlite"):
            (where.directory / f"{name}-wal").write_bytes(b"x" * 4096)
            (where.directory / f"{name}-shm").write_bytes(b"x" * 4096)
        schema.tidy(where)
        left = {entry.name for entry in os.scandir(where.directory)} - mine
    assert left == {"notes.sqlite-wal", "notes.sqlite-shm"}
    assert current.exists()


def test_a_reader_cannot_write(root: Path, where: Place) -> None:
    built(root, where)
    with Index.open(where) as index, pytest.raises(StaleIndexError), schema.translate_sqlite_errors():
        index.db.execute("DELETE FROM entry")


def test_an_index_file_is_private(root: Path, where: Place) -> None:
    if os.name == "nt":
        pytest.skip("no modes")
    assert built(root, where).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("seed", range(25))
def test_a_damaged_index_never_raises_anything_else(root: Path, where: Place, seed: int) -> None:
    """F6, T23: bytes flipped, cut off or replaced; every question is answered or refused as stale, then all is well."""
    draw = random.Random(seed)
    files = {f"{n}.md": "".join(f"- line {n} {m} 记忆 text\n" for m in range(40)) for n in range(12)}
    build(home(root, files), where, layout=LAYOUT, alone=True)
    file = schema.find_current_index(where)
    data = bytearray(file.read_bytes())
    if seed % 5 == 0:
        del data[draw.randrange(len(data)) :]
    elif seed % 5 == 1:
        data = bytearray(b"not a database at all\n" * 50)
    else:
        for _ in range(64):
            data[draw.randrange(0 if seed % 2 else 100, len(data))] ^= draw.randrange(1, 256)
    file.write_bytes(data)
    right = 0
    try:
        with Index.open(where) as index:
            ids = index.ids(EVERY)
            right = len(index.rows(ids))
            index.counts()
            index.problems()
            with schema.translate_sqlite_errors():
                index.db.execute("SELECT rowid FROM fts WHERE fts MATCH 'text'").fetchall()
        with Index.open(where, write=True) as index:
            sync(Home(root, "lined", "", ""), index, ["3.md"], layout=LAYOUT)
    except StaleIndexError:
        right = 0
    assert right <= 480
    build(Home(root, "lined", "", ""), where, layout=LAYOUT, fresh=True, alone=True)
    with Index.open(where) as index:
        assert len(index.ids(EVERY)) == 480


def test_two_writers_and_readers_share_an_index(root: Path, where: Place) -> None:
    built(root, where)
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            with Index.open(where, write=True) as index:
                for turn in range(10):
                    (root / f"{number}.md").write_text(f"- from {number} turn {turn}\n")
                    sync(Home(root, "lined", "", ""), index, [f"{number}.md"], layout=LAYOUT)
        except MemtuiError as error:
            failures.append(error)

    def look() -> None:
        try:
            with Index.open(where) as index:
                for _ in range(50):
                    assert len(index.rows(index.ids(EVERY))) >= 2
        except (MemtuiError, AssertionError) as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    threads += [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with Index.open(where) as index:
        assert len(index.ids(EVERY)) == 5
        assert sum(index.counts().values()) == 5
        assert index.db.execute("PRAGMA integrity_check").get == "ok"


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


def test_closing_while_another_thread_asks(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("- one\n", "utf-8")
    vault = Vault.open([tmp_path])
    asking = threading.Event()

    def endless(index: Index) -> None:
        asking.set()
        index.db.execute(ENDLESS).fetchall()

    def ask() -> None:
        with suppress(MemtuiError, apsw.Error):
            vault._shelves[0]._handles.ask(endless)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert asking.wait(60)
    vault.close()
    thread.join(60)
    assert not thread.is_alive()


def test_who_leaves_is_no_error_to_who_asks(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("- one\n", "utf-8")
    with Vault.open([tmp_path]) as vault:
        handles = vault._shelves[0]._handles

        def ended(_index: Index) -> None:
            raise apsw.InterruptError

        # Whoever asked wanted it ended, and is told that it was.
        with pytest.raises(apsw.InterruptError):
            handles.ask(ended)

        for error in (apsw.InterruptError, apsw.ConnectionClosedError, StaleIndexError):

            def left(_index: Index, error: type[Exception] = error) -> None:
                handles.close()
                raise error("it was let go of")

            assert handles.ask(left) is None


def test_threads_that_ended_leave_nothing_open(tmp_path: Path) -> None:
    """A server that runs for days has had hundreds of them."""
    (tmp_path / "notes.md").write_text("- one\n", "utf-8")
    vault = Vault.open([tmp_path])
    handles = vault._shelves[0]._handles
    for _number in range(20):
        thread = threading.Thread(target=vault.find, args=("one",))
        thread.start()
        thread.join()
    assert len(handles._opened) <= 4
    vault.close()
    assert not handles._opened
