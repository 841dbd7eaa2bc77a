"""A process that keeps an index current is asked instead of the disk, and nothing is missed by asking it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.core.config import Config, IndexConfig, VectorConfig
from memtui.fs.places import Place
from memtui.index import connections, lease, plan
from memtui.index.connections import HomesLook, KnownHome
from memtui.index.lease import (
    MOST,
    Current,
    Lease,
    LeaseServer,
    Request,
    find_lease_path,
    read_answer,
    write_answer,
)
from memtui.store import live
from memtui.store.vault import Vault
from tests.conftest import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's queue of changes is Linux's")

QUIET = VectorConfig(backend="off")
FIRST = "index-4-0123456789abcdef.sqlite"
HOLDER = """
import sys, threading
from memtui.core.config import Config; from memtui.core.config import VectorConfig
from memtui.store.vault import Vault
with Vault.open([sys.argv[1]], config=Config(vector=VectorConfig(backend="off")), watch=True):
    threading.Event().wait()
"""


class Held:
    """A lease over `root` whose looks are told by the test."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "home"
        (self.root / "sub").mkdir(parents=True)
        (self.root / "pruned").mkdir()
        (tmp_path / "cache").mkdir()
        self.place = Place(tmp_path / "cache", "index", tmp_path / "lock")
        self.place.pointer.write_text(f"{FIRST}\n")
        self.watched = True
        self.again = 0
        self.lease = Lease(
            self.place,
            self.root,
            idle=lambda path, folder: not folder and not path.endswith(".md"),
            enter=lambda path: path != "pruned",
            sound=lambda: self.watched,
            again=self.poke,
        )

    def poke(self) -> None:
        self.again += 1

    def look(self, paths: set[str] | None = None, done: bool = True) -> None:
        self.lease.begin(paths is None)
        self.lease.end(paths, done)

    def paths(self) -> set[str] | None:
        """What is told to whoever asks; None: nothing."""
        told = read_answer(self.lease.answer())
        return None if told is None else set(told.paths)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    made = Held(tmp_path)
    made.look()
    yield made
    made.lease.close()


def test_what_changed_is_named_until_it_was_looked_at(held: Held) -> None:
    assert held.paths() == set()
    (held.root / "sub/a.md").write_text("x")
    os.utime(held.root / "sub/a.md", (0, 0))
    (held.root / "other.bin").write_text("x")
    (held.root / "pruned/b.md").write_text("x")
    assert held.paths() == held.paths() == {"sub/a.md"}
    held.look({"c.md"})
    assert held.paths() == {"sub/a.md"}
    held.look({"sub/a.md"})
    assert held.paths() == set()
    os.replace(held.root / "sub/a.md", held.root / "b.md")
    assert held.paths() == {"sub/a.md", "b.md"}
    held.look()
    assert held.paths() == set()
    (held.root / "b.md").unlink()
    assert held.paths() == {"b.md"}


def test_a_file_that_stays_open_is_named(held: Held) -> None:
    with (held.root / "a.md").open("a") as file:
        held.look()
        assert held.paths() == set()
        file.write("more")
        file.flush()
        assert held.paths() == {"a.md"}


def test_what_changes_during_a_look_is_not_forgotten(held: Held) -> None:
    (held.root / "a.md").write_text("x")
    held.lease.begin(True)
    (held.root / "a.md").write_text("y")
    assert held.paths() == {"a.md"}
    held.lease.end(None, True)
    assert held.paths() == {"a.md"}


def test_a_new_directory_is_named_and_watched(held: Held) -> None:
    (held.root / "new/deep").mkdir(parents=True)
    (held.root / "new/deep/a.md").write_text("x")
    assert "new" in (held.paths() or ())
    held.look({"new", "new/deep", "new/deep/a.md"})
    assert held.paths() == set()
    (held.root / "new/deep/b.md").write_text("x")
    assert held.paths() == {"new/deep/b.md"}


def test_nothing_is_told_in_doubt_until_everything_was_looked_at(held: Held) -> None:
    os.replace(held.root / "sub", held.root / "moved")
    assert held.paths() is None
    assert held.again
    held.look({"moved"})
    assert held.paths() is None
    held.look()
    assert held.paths() == set()
    held.look(done=False)
    assert held.paths() is None
    held.look()
    held.watched = False
    assert held.paths() is None
    held.watched = True
    assert held.paths() == set()
    held.place.pointer.write_text("index-4-fedcba9876543210.sqlite\n")
    assert held.paths() is None
    held.look()
    assert held.paths() == set()
    held.place.pointer.unlink()
    assert held.paths() is None


def test_many_changes_are_not_named(held: Held) -> None:
    for number in range(MOST + 1):
        (held.root / f"{number}.md").write_text("x")
    assert held.paths() is None
    held.look()
    assert held.paths() == set()


def test_the_home_itself_replaced(held: Held) -> None:
    os.replace(held.root, held.root.with_name("away"))
    held.root.mkdir()
    assert held.paths() is None


def test_a_look_goes_on_whatever_is_met(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, folder: bool) -> bool:
        raise RecursionError(path)

    with monkeypatch.context() as only:
        only.setattr(held.lease, "_idle", refuse)
        (held.root / "a.md").write_text("x")
        held.look()
        assert held.paths() is None
    held.look()
    assert held.paths() == set()


def test_too_many_directories_are_not_watched(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "FOLDERS", 1)
    os.replace(held.root / "sub", held.root / "moved")
    assert held.paths() is None
    held.look()
    assert held.paths() is None


def test_an_answer_is_read_as_it_was_written() -> None:
    said = Current(FIRST, (3, 4), 5, ("a b.md", "偏好.md", "odd\udcff.md"))
    data = write_answer(said)
    assert read_answer(data) == said
    for bad in (
        b"",
        b"x",
        data[:-1],
        data[:-4],
        data + b"\0",
        data.replace(b"\x003\0", b"\0x\0"),
        b"\0" * 70_000,
        os.urandom(500),
    ):
        assert read_answer(bad) is None


@pytest.mark.parametrize(
    "kind", ["nothing", "file", "fifo", "directory", "link", "dead", "garbage", "silent", "endless"]
)
def test_whatever_stands_there_there_is_no_answer(tmp_path: Path, kind: str) -> None:
    place = Place(tmp_path, "index", tmp_path / "lock")
    path = Path(find_lease_path(place))
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    threads: list[threading.Thread] = []
    if kind == "file":
        path.write_bytes(b"\xff" * 4096)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(tmp_path / "elsewhere")
    elif kind != "nothing":
        made.bind(str(path))
        if kind != "dead":
            made.listen(1)
    if kind in {"garbage", "endless"}:

        def answer() -> None:
            asker, _ = made.accept()
            with asker:
                try:
                    for _ in range(1 if kind == "garbage" else 100):
                        asker.sendall(b"x" * 65536)
                except OSError:
                    return

        threads.append(threading.Thread(target=answer))
        threads[0].start()
    assert Request(place).answer() is None
    made.close()
    for thread in threads:
        thread.join()


def test_the_socket_is_whose_it_is(held: Held) -> None:
    server, other = LeaseServer([held.lease]), LeaseServer([held.lease])
    server.start()
    other.start()
    server.show(0)
    before = os.lstat(find_lease_path(held.place)).st_ino
    other.show(0)
    assert os.lstat(find_lease_path(held.place)).st_ino == before
    other.stop()
    assert Request(held.place).answer() is not None
    os.unlink(find_lease_path(held.place))
    server.show(0)
    assert Request(held.place).answer() is not None
    server.stop()
    assert not os.path.exists(find_lease_path(held.place))


# -- with a vault, and with processes ---------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    (made / "daily").mkdir(parents=True)
    (made / "MEMORY.md").write_text("# MEMORY\n\n- tests are run with pytest\n")
    Vault.open([made], config=Config(vector=QUIET)).close()
    return made


def place_of(home: Path) -> Place:
    with Vault.open([home], wait=False) as vault:
        return vault._shelves[0].place


def found(home: Path, word: str) -> bool:
    with Vault.open([home], config=Config(vector=QUIET)) as vault:
        return len(vault.find(word, mode="fts")) == 1


def test_whoever_finds_a_lease_looks_at_what_it_names_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SOON", 0.0)
    with Vault.open([home], config=Config(vector=QUIET), watch=True):
        place = place_of(home)
        until(lambda: Request(place).answer())
        with monkeypatch.context() as only:
            only.setattr(plan.Survey, "all", lambda self: pytest.fail("looked at everything"))
            only.setattr(connections, "is_index_unchanged", lambda known: pytest.fail("looked at everything"))
            assert found(home, "pytest")
            (home / "daily/2026-02-01.md").write_text("- zymurgy is brewing\n")
            # Neither its own watcher nor a rescan: what the lease names is looked at.
            assert found(home, "zymurgy")
    assert not os.path.exists(find_lease_path(place))
    (home / "daily/2026-02-02.md").write_text("- quark is curd\n")
    assert found(home, "quark")


@pytest.mark.parametrize("mode", ["polling", "off"])
def test_who_does_not_watch_holds_no_lease(home: Path, mode: str) -> None:
    config = Config(vector=QUIET, index=IndexConfig(watch=mode))
    with Vault.open([home], config=config, watch=True) as vault:
        until(lambda: vault.status()[0].fresh_at)
        assert Request(place_of(home)).answer() is None


def search(home: Path, word: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "memtui", "search", word, "--home", str(home)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout


def test_a_holder_that_is_stopped_or_killed_hides_nothing(home: Path) -> None:
    place = place_of(home)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(home)])
    try:
        until(lambda: Request(place).answer())
        (home / "daily/2026-02-01.md").write_text("- zymurgy is brewing\n")
        assert "zymurgy" in search(home, "zymurgy")
        holder.send_signal(signal.SIGSTOP)
        (home / "daily/2026-02-02.md").write_text("- quark is curd\n")
        assert "quark" in search(home, "quark")
        holder.send_signal(signal.SIGCONT)
        holder.kill()
        holder.wait()
        assert os.path.exists(find_lease_path(place))
        (home / "daily/2026-02-03.md").write_text("- sphinx of black quartz\n")
        assert "sphinx" in search(home, "sphinx")
    finally:
        holder.kill()
        holder.wait()
    # The next one takes the place of the name that was left.
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(home)])
    try:
        until(lambda: Request(place).answer())
    finally:
        holder.kill()
        holder.wait()


# -- without a lease ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [connections.MANY, 1], ids=["one child", "two"])
def test_a_look_beside_sees_what_differs(home: Path, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(connections, "MANY", many)
    (home / "areas/b").mkdir(parents=True)
    with Vault.open([home], config=Config(vector=QUIET)) as vault:
        known: KnownHome = vault._shelves[0].looked_at
        assert HomesLook([known]).same()
        assert not HomesLook([known, known._replace(place=known.place._replace(stem="none"))]).same()
        for change in (
            lambda: (home / "MEMORY.md").write_text("- other\n"),
            lambda: (home / "daily/a.md").write_text("- new\n"),
            (home / "daily/a.md").unlink,
            (home / "daily").rmdir,
            (home / "areas/c").mkdir,
            lambda: (home / "areas/c").rename(home / "areas/d"),
            (home / "areas/d").rmdir,
            lambda: (home / "areas/b/x.md").write_text("- deep\n"),
        ):
            change()
            assert not HomesLook([known]).same()
            vault.refresh()
            until(lambda: HomesLook([known]).same() or vault.refresh() < 0)
        (known.place.directory / known.place.pointer.read_text().strip()).write_bytes(b"x" * 8192)
        assert not HomesLook([known]).same()


def test_a_search_is_asked_again_where_the_disk_had_changed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.cli.opening import confirm_answer

    with Vault.open([home], config=Config(vector=QUIET), wait=False) as vault:
        asked: list[int] = []

        def ask() -> int:
            asked.append(len(vault.find("zymurgy", mode="fts")))
            return asked[-1]

        assert confirm_answer(vault, ask) == 0
        (home / "daily/2026-02-01.md").write_text("- zymurgy is brewing\n")
        assert confirm_answer(vault, ask) == 1
        monkeypatch.setattr(os, "fork", lambda: (_ for _ in ()).throw(OSError))
        (home / "daily/2026-02-01.md").unlink()
        assert confirm_answer(vault, ask) == 0
