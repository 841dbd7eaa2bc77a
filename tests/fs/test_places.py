"""The index lives where it belongs, privately, and never over somebody else's file (T18, §2.6)."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from memtui.core.errors import RefusedError
from memtui.fs import places
from memtui.fs.places import (
    APPLICATION_ID,
    is_network_directory,
    is_own_database,
    make_private_directory,
    place,
)
from memtui.layouts import place_index


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_every_new_directory_is_for_this_user_alone(user: Path) -> None:
    before = os.umask(0)
    try:
        make_private_directory(user / "state" / "memtui" / "journal")
    finally:
        os.umask(before)
    made = (user / "state", user / "state" / "memtui", user / "state" / "memtui" / "journal")
    assert [stat.S_IMODE(one.stat().st_mode) for one in made] == [0o700, 0o700, 0o700]


def test_the_cache_holds_one_directory_a_home(user: Path) -> None:
    one, other = place(user / "a", "plain"), place(user / "b", "plain")
    assert one == place(user / "a", "plain")
    assert one.directory != other.directory
    assert one.directory.parent == user / "cache" / "memtui"
    assert one.lock.parent == user / "state" / "memtui" / "locks"
    assert one.lock != other.lock
    assert not one.warning
    if sys.platform != "win32":
        assert stat.S_IMODE(one.directory.stat().st_mode) == 0o700
        assert stat.S_IMODE(one.lock.parent.stat().st_mode) == 0o700


def test_one_directory_in_two_layouts_is_two_homes(user: Path) -> None:
    one, other = place(user / "a", "claude"), place(user / "a", "claude_md")
    assert one.directory != other.directory
    assert one.lock != other.lock


def test_xinghebot_names_its_own_place(user: Path) -> None:
    home = user / "home"
    home.mkdir()
    assert place_index(home, "xinghebot").directory.parent == user / "cache" / "memtui"
    (home / "index").mkdir()
    assert (place_index(home, "xinghebot").directory, place_index(home, "xinghebot").stem) == (
        home / "index",
        "memory",
    )
    assert place(home, "plain").directory.parent == user / "cache" / "memtui"


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + bytes(84)])
def test_a_foreign_database_is_left_alone(user: Path, content: bytes) -> None:
    (user / "home" / "index").mkdir(parents=True)
    file = user / "home" / "index" / "memory.sqlite"
    file.write_bytes(content)
    assert place_index(user / "home", "xinghebot").directory.parent == user / "cache" / "memtui"
    assert file.read_bytes() == content


def test_a_linked_index_directory_is_not_used(user: Path) -> None:
    (user / "home").mkdir()
    (user / "elsewhere").mkdir()
    (user / "home" / "index").symlink_to(user / "elsewhere")
    assert place_index(user / "home", "xinghebot").stem == "index"


def test_a_cache_that_cannot_be_made_gives_a_temporary_place_and_says_so(user: Path) -> None:
    (user / "cache").write_text("in the way")
    found = place(user / "home", "plain")
    assert found.directory.is_dir()
    assert user not in found.directory.parents
    assert "only until memtui ends" in found.warning
    assert found.directory == place(user / "home", "plain").directory


def test_what_a_process_begins_shares_its_temporary_place(user: Path) -> None:
    (user / "cache").write_text("in the way")
    found = place(user / "home", "plain")
    code = (
        "import sys; from pathlib import Path; from memtui.fs.places import place;"
        "print(place(Path(sys.argv[1]), 'plain'))"
    )
    command = [sys.executable, "-c", code, str(user / "home")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.strip() == str(found)
    assert found.directory.is_dir()


def test_a_full_disk_gives_a_temporary_place_unless_an_index_is_there(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = os.statvfs_result((4096, 4096, 1000, 10, 10, 100, 100, 100, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda _path: full)
    assert "no room" in place(user / "home", "plain").warning
    directory = user / "cache/memtui" / place(user / "home", "plain").directory.name
    (directory / "index.current").write_text("")
    assert not place(user / "home", "plain").warning


def test_a_remote_cache_gives_a_temporary_place(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "is_network_directory", lambda directory: True)
    assert "network" in place(user / "home", "plain").warning


def test_mounts_tell_what_is_remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mounts"
    table.write_text("/dev/a / ext4 rw 0 0\nserver:/x /mnt/my\\040share nfs4 rw 0 0\nb /mnt ext4 rw 0 0\nbroken\n")
    monkeypatch.setattr(places, "Path", lambda *_: table)
    monkeypatch.setattr(os.path, "realpath", str)
    assert [is_network_directory(Path(path)) for path in ("/mnt/my share/x", "/mnt/my sharex", "/mnt", "/home")] == [
        True,
        False,
        False,
        False,
    ]


def test_only_our_mark_makes_a_file_ours(tmp_path: Path) -> None:
    for number, mark in enumerate((APPLICATION_ID, 0, APPLICATION_ID + 1)):
        db = apsw.Connection(str(tmp_path / f"{number}.sqlite"))
        db.execute(f"PRAGMA application_id={mark}; CREATE TABLE t(x)")
        db.close()
    (tmp_path / "link").symlink_to(tmp_path / "0.sqlite")
    names = ("0.sqlite", "1.sqlite", "2.sqlite", "link", "nothing", ".")
    assert [is_own_database(tmp_path / name) for name in names] == [True, False, False, False, False, False]


def test_a_private_directory_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(RefusedError):
        make_private_directory(tmp_path / "link")
