"""Homes and indexes that change, break and vanish under an open vault, with a real watcher and no terminal."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from memtui.core.model import Results
from memtui.index import watch
from memtui.store.vault import Vault
from tests.conftest import until

SECOND = """
import json, sys
from memtui.store.vault import Vault
with Vault.open([sys.argv[1]], watch=True) as vault:
    print("ready", flush=True)
    for line in sys.stdin:
        hits = vault.find(json.loads(line), limit=50)
        print(json.dumps(sorted({hit.path for hit in hits})), flush=True)
"""

WORDS = ("支付回调", "outbox", "验签", "rollback", "月报", "quokka")


class Other:
    """Another memtui on the same home."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SECOND, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n"

    def find(self, query: str) -> list[str]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()
        return list(json.loads(self.process.stdout.readline()))


@contextmanager
def other(home: Path) -> Iterator[Other]:
    second = Other(home)
    try:
        yield second
    finally:
        second.process.kill()
        second.process.communicate()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "user").mkdir(parents=True)
    (home / "daily").mkdir()
    for number in range(60):
        word = WORDS[number % len(WORDS)]
        (home / f"daily/note-{number:02}.md").write_text(
            f"# 笔记 {number}\n\n- {word} 第{number}条 about it\n", "utf-8"
        )
    (home / "user/profile.md").write_text("# 用户记忆\n- 喜欢简短的回答\n", "utf-8")
    return home


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    with Vault.open([home]):
        pass
    with Vault.open([home], watch=True) as vault:
        until(lambda: vault.status()[0].watcher.startswith("watching") and vault.status()[0].fresh_at)
        yield vault


def paths(results: Results) -> set[str]:
    return {hit.path for hit in results}


def holding(home: Path, word: str) -> set[str]:
    """The files that hold a word, by looking."""
    return {
        path.relative_to(home).as_posix() for path in home.rglob("*.md") if word in path.read_text("utf-8", "replace")
    }


def right(vault: Vault, home: Path) -> bool:
    return all(paths(vault.find(word, limit=1000)) == holding(home, word) for word in WORDS)


def true(vault: Vault, home: Path) -> bool:
    return all(paths(vault.find(word, limit=1000)) <= holding(home, word) for word in WORDS)


# -- two at once ----------------------------------------------------------------------------------------------------


def test_two_see_what_changes_and_share_an_index(home: Path, vault: Vault) -> None:
    with other(home) as second:
        for number in range(15):
            name = f"daily/wombat-{number}.md"
            (home / name).write_text(f"# w\n\n- wombat{number} 袋熊\n", "utf-8")
            until(lambda n, name: paths(vault.find(f"wombat{n}")) == {name}, number, name)
            until(lambda n, name: second.find(f"wombat{n}") == [name], number, name)
        (home / "daily/wombat-3.md").unlink()
        until(lambda: not vault.find("wombat3"))
        until(lambda: not second.find("wombat3"))
    status = vault.status()[0]
    assert status.files == len(list(home.rglob("*.md")))
    db = apsw.Connection(status.index_path, flags=apsw.SQLITE_OPEN_READONLY)
    assert db.execute("PRAGMA integrity_check").get == "ok"
    db.close()


def test_a_second_one_killed_while_it_writes_holds_nobody_up(home: Path, vault: Vault) -> None:
    for turn in range(3):
        with other(home) as second:
            for number in range(40):
                (home / f"daily/t{turn}-{number}.md").write_text(f"# k\n\n- koala{turn} 考拉\n", "utf-8")
            second.process.kill()
        until(lambda word: len(vault.find(word, limit=100)) == 40, f"koala{turn}")


# -- an index that breaks -------------------------------------------------------------------------------------------


def truncate(file: Path, chance: random.Random) -> None:
    os.truncate(file, chance.randrange(0, file.stat().st_size))


def flip(file: Path, chance: random.Random) -> None:
    with open(file, "r+b") as held:
        size = file.stat().st_size
        for _ in range(200):
            at = chance.randrange(size)
            held.seek(at)
            byte = held.read(1)
            held.seek(at)
            held.write(bytes([byte[0] ^ (1 << chance.randrange(8))]))


def header(file: Path, chance: random.Random) -> None:
    with open(file, "r+b") as held:
        held.write(chance.randbytes(100))


def zeros(file: Path, chance: random.Random) -> None:
    size = file.stat().st_size
    with open(file, "r+b") as held:
        held.seek(chance.randrange(size // 4096) * 4096)
        held.write(bytes(size // 2))


def removed(file: Path, chance: random.Random) -> None:
    file.unlink()


def everything(file: Path, chance: random.Random) -> None:
    shutil.rmtree(file.parent)


DAMAGES = (truncate, flip, header, zeros, removed, everything)


@pytest.mark.parametrize("seed", range(30))
def test_a_damaged_index_never_lies_and_is_made_again(home: Path, vault: Vault, seed: int) -> None:
    chance = random.Random(seed)
    damage = DAMAGES[seed % len(DAMAGES)]
    before = vault.status()[0].index_path
    until(lambda: not Path(before + "-wal").exists() or _checkpointed(before))
    damage(Path(before), chance)
    # A flipped bit inside a row is nothing that SQLite could see: a hit may be missing then, never be a wrong one.
    seen = true if damage is flip else right
    assert seen(vault, home), damage.__name__
    # What is read in threads that never saw the sound one must be right, too.
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(seen(vault, home)))
    thread.start()
    thread.join()
    assert answers == [True], damage.__name__
    if damage is flip:
        vault.rebuild()
    (home / "daily/note-00.md").write_text("# 新\n\n- quokka 支付回调 after the damage\n", "utf-8")
    until(lambda: right(vault, home))
    until(lambda: vault.status()[0].backend == "fts" and Path(vault.status()[0].index_path).exists())
    assert len(list(vault.memories())) == 61
    assert not vault.find("quokka").warning


def _checkpointed(file: str) -> bool:
    db = apsw.Connection(file)
    try:
        return not db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0]
    finally:
        db.close()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_while_nobody_watches_is_mended_by_the_next_one(home: Path, damage: Callable[..., None]) -> None:
    with Vault.open([home]) as first:
        file = Path(first.status()[0].index_path)
    damage(file, random.Random(7))
    with Vault.open([home]) as second:
        assert right(second, home)
        assert len(list(second.memories())) == 61
        assert sum(second.counts().values()) == 61


# -- a home that changes --------------------------------------------------------------------------------------------


def test_a_home_that_goes_away_and_comes_back(home: Path, vault: Vault, tmp_path: Path) -> None:
    os.rename(home, tmp_path / "elsewhere")
    until(lambda: "not there" in vault.status()[0].watcher + vault.status()[0].warning)
    assert sum(vault.counts().values()) == 61
    (tmp_path / "elsewhere/daily/new.md").write_text("# n\n\n- numbat 袋食蚁兽\n", "utf-8")
    os.rename(tmp_path / "elsewhere", home)
    until(lambda: paths(vault.find("numbat")) == {"daily/new.md"})
    until(lambda: vault.status()[0].watcher == "watching")
    assert right(vault, home)
    (home / "daily/new.md").write_text("# n\n\n- bilby\n", "utf-8")
    until(lambda: paths(vault.find("bilby")) == {"daily/new.md"} and not vault.find("numbat"), timeout=20)


def test_a_home_emptied_at_once_is_not_forgotten_at_once(home: Path, vault: Vault, tmp_path: Path) -> None:
    os.rename(home / "daily", tmp_path / "daily")
    vault.refresh()
    assert vault.status()[0].files == 61
    assert "gone at once" in vault.status()[0].warning
    os.rename(tmp_path / "daily", home / "daily")
    until(lambda: right(vault, home) and not vault.status()[0].warning)


def test_git_checkout_of_many_files(home: Path, vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    # So many gone at once are looked at twice; not for five seconds each here.
    monkeypatch.setattr("memtui.index.sync.AGREE", 0.3)
    monkeypatch.setattr("memtui.store.live.AGREE", 0.3)

    def git(*words: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"]
        subprocess.run(["git", *identity, *words], cwd=home, check=True, capture_output=True)

    if shutil.which("git") is None:
        pytest.skip("there is no git here")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "other")
    for number in range(400):
        (home / f"daily/branch-{number}.md").write_text(f"# b\n\n- numbat{number} 分支\n", "utf-8")
    for number in range(0, 60, 2):
        (home / f"daily/note-{number:02}.md").write_text("# changed\n\n- 改过的 numbat\n", "utf-8")
    git("add", ".")
    git("commit", "-qm", "two")
    for branch, many in (("main", 0), ("other", 400), ("main", 0), ("other", 400)):
        git("checkout", "-q", branch)
        until(lambda many: vault.find("分支").total == many, many)
        until(lambda: right(vault, home))
        until(lambda: vault.status()[0].files == len(list(home.rglob("*.md"))))


def in_place(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")


def atomically(file: Path, text: str) -> None:
    beside = file.with_name(f".{file.name}.tmp")
    beside.write_text(text, "utf-8")
    os.replace(beside, file)


def with_a_backup(file: Path, text: str) -> None:
    backup = file.with_name(f"{file.name}~")
    os.rename(file, backup)
    file.write_text(text, "utf-8")
    backup.unlink()


def removed_first(file: Path, text: str) -> None:
    file.unlink()
    file.write_text(text, "utf-8")


def from_elsewhere(file: Path, text: str) -> None:
    away = file.parents[2] / "upload.part"
    away.write_text(text, "utf-8")
    os.replace(away, file)


def by_a_new_directory(file: Path, text: str) -> None:
    fresh = file.parents[1] / "fresh"
    fresh.mkdir()
    for other in file.parent.iterdir():
        (fresh / other.name).write_text(text if other == file else other.read_text("utf-8"), "utf-8")
    os.rename(file.parent, file.parents[2] / f"old-{time.monotonic_ns()}")
    os.rename(fresh, file.parent)


@pytest.mark.parametrize(
    "save", [in_place, atomically, with_a_backup, removed_first, from_elsewhere, by_a_new_directory]
)
def test_however_an_editor_saves(home: Path, vault: Vault, save: Callable[[Path, str], None]) -> None:
    file = home / "daily/note-07.md"
    for number in range(4):
        save(file, f"# s\n\n- dugong{number} 儒艮\n")
        until(lambda word: paths(vault.find(word)) == {"daily/note-07.md"}, f"dugong{number}")
    assert not vault.find("dugong0")


# -- a system that does not help ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOSPC, errno.ENOSYS])
def test_without_ears_it_looks(home: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def deaf(_self: watch.Ears) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(watch.Ears, "_observe", deaf)
    monkeypatch.setattr(watch, "POLL", 0.1)
    with Vault.open([home], watch=True) as vault:
        until(lambda: vault.status()[0].fresh_at and vault.status()[0].files == 61)
        state, _, reason = vault.status()[0].watcher.partition(": ")
        assert state == "polling"
        assert "looking every few seconds" in reason
        (home / "daily/new.md").write_text("# n\n\n- numbat 袋食蚁兽\n", "utf-8")
        until(lambda: paths(vault.find("numbat")) == {"daily/new.md"})
        (home / "daily/new.md").unlink()
        until(lambda: not vault.find("numbat"))


def test_an_index_that_cannot_be_made_still_answers_and_costs_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.core.errors import UnavailableError
    from memtui.index import schema

    tries = []

    def full(*_args: object) -> None:
        tries.append(1)
        raise UnavailableError("the index cannot be written: no space left on device")

    monkeypatch.setattr(schema, "begin", full)
    with Vault.open([home], watch=True) as vault:
        until(lambda: tries)
        for _ in range(20):
            assert right(vault, home)
        assert "no space left" in vault.status()[0].warning
        assert len(tries) < 12
