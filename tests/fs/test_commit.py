"""A file becomes what it should be in one step, or stays what it is (T01, T04, T06 to T09, T32, T42).

Leftovers of dead writers go, their text is kept, and a living writer's are left alone.
"""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.core.errors import (
    ConflictError,
    FullError,
    MemtuiError,
    OutsideError,
    ReadOnlyError,
    RefusedError,
    UnavailableError,
    VanishedError,
)
from memtui.fs import commit as module
from memtui.fs import displaced, files, folder
from memtui.fs.commit import append, commit, make_temporary_name, read_current, remove
from memtui.fs.folder import owned
from memtui.fs.places import state
from memtui.review import checkup
from memtui.review.checkup import Swept, sweep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes as POSIX has them")

OLD, NEW, THEIRS = b"# MEMORY\r\n- old \xff", b"# MEMORY\r\n- new\n", b"- theirs\n"


@pytest.fixture(params=["exchange", "links", "plain", "paths"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every way of replacing a file, forced."""
    monkeypatch.setattr(folder, "AT_ONCE", request.param == "exchange")
    monkeypatch.setattr(folder, "LINKS", request.param in {"links", "paths"})
    # Where no directory can be opened, whole paths are used, and no file is open while its name changes.
    monkeypatch.setattr(files, "CHAINED", request.param != "paths")
    return str(request.param)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    root.mkdir()
    (root / "MEMORY.md").write_bytes(OLD)
    (root / "MEMORY.md").chmod(0o640)
    return root


def drafts() -> list[bytes]:
    place = state() / "drafts"
    return [path.read_bytes() for path in place.iterdir()] if place.exists() else []


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_the_file_is_what_it_should_be(home: Path, way: str) -> None:
    done = commit(home, "MEMORY.md", OLD, NEW)
    assert (home / "MEMORY.md").read_bytes() == read_current(home, "MEMORY.md") == NEW
    assert done.way == ("links" if way == "paths" else way)
    assert done.warnings == ()
    assert done.where == str(home / "MEMORY.md")
    assert names(home) == ["MEMORY.md"]
    assert stat.S_IMODE((home / "MEMORY.md").stat().st_mode) == 0o640


def test_what_moved_on_is_not_overwritten(home: Path, way: str) -> None:
    (home / "MEMORY.md").write_bytes(THEIRS)
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", OLD, NEW)
    assert (caught.value.base, caught.value.theirs, caught.value.mine) == (OLD, THEIRS, NEW)
    assert (home / "MEMORY.md").read_bytes() == THEIRS
    (home / "MEMORY.md").unlink()
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", OLD, NEW)
    assert caught.value.theirs is None
    assert names(home) == []


def test_a_new_file_is_for_its_user_and_replaces_nothing(home: Path, way: str) -> None:
    done = commit(home, "daily/2026/02.md", None, NEW)
    assert done.way == "new"
    assert (home / "daily/2026/02.md").read_bytes() == NEW
    assert stat.S_IMODE((home / "daily/2026/02.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "daily/2026").stat().st_mode) == 0o700
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", None, NEW)
    assert caught.value.theirs == OLD
    assert (home / "MEMORY.md").read_bytes() == OLD
    assert names(home) == ["MEMORY.md", "daily"]
    assert names(home / "daily/2026") == ["02.md"]
    with pytest.raises(VanishedError):
        remove(home, "areas/x.md", OLD)


@pytest.mark.parametrize("twin", ["memory.md", "MEMORY.MD"])
def test_no_twin_is_made(home: Path, twin: str) -> None:
    with pytest.raises(RefusedError, match=r"MEMORY\.md"):
        commit(home, twin, None, NEW)
    commit(home, "e\u0301.md", None, NEW)
    with pytest.raises(RefusedError):
        commit(home, "\xe9.md", None, NEW)


@given(data=st.binary(max_size=400), new=st.binary(max_size=400))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_bytes_are_bytes(home: Path, data: bytes, new: bytes) -> None:
    path = home / "any.md"
    path.write_bytes(data)
    before = path.stat()
    assert commit(home, "any.md", data, data).way == "same"
    assert path.read_bytes() == data
    assert path.stat().st_ino == before.st_ino
    commit(home, "any.md", data, new, sync=False)
    assert path.read_bytes() == new


def test_attributes_and_owner_stay(home: Path, way: str) -> None:
    """Mode, owner and extended attributes are those of the file that was replaced (T08)."""
    path = home / "MEMORY.md"
    try:
        os.setxattr(path, "user.tag", b"kept")
    except (OSError, AttributeError):
        pytest.skip("no extended attributes here")
    path.chmod(0o604)
    if os.getuid() == 0:
        os.chown(path, 1234, 4321)
    before = path.stat()
    commit(home, "MEMORY.md", OLD, NEW)
    after = path.stat()
    assert os.getxattr(path, "user.tag") == b"kept"
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_access_lists_stay(home: Path) -> None:
    path = home / "MEMORY.md"
    acl = bytes.fromhex(
        "02000000 0100 0600 ffffffff 0200 0400 d2040000 0400 0400 ffffffff 1000 0400 ffffffff 2000 0000 ffffffff"
    )
    try:
        os.setxattr(path, "system.posix_acl_access", acl)
    except (OSError, AttributeError):
        pytest.skip("no access lists here")
    before = path.stat().st_mode
    commit(home, "MEMORY.md", OLD, NEW)
    assert os.getxattr(path, "system.posix_acl_access") == acl
    assert path.stat().st_mode == before


def test_a_link_inside_the_home_stays_a_link(home: Path, way: str) -> None:
    """The link stays, its target is written (T09)."""
    (home / "dotfiles").mkdir()
    (home / "MEMORY.md").rename(home / "dotfiles" / "M.md")
    (home / "MEMORY.md").symlink_to("dotfiles/M.md")
    (home / "daily").symlink_to("dotfiles")
    commit(home, "MEMORY.md", OLD, NEW)
    assert (home / "MEMORY.md").is_symlink()
    assert (home / "dotfiles" / "M.md").read_bytes() == read_current(home, "MEMORY.md") == NEW
    commit(home, "daily/M.md", NEW, OLD)
    assert names(home / "dotfiles") == ["M.md"]
    remove(home, "MEMORY.md", OLD)
    assert names(home / "dotfiles") == []
    commit(home, "MEMORY.md", None, NEW)
    assert (home / "dotfiles" / "M.md").read_bytes() == NEW
    assert (home / "MEMORY.md").is_symlink()


def test_a_link_out_is_refused_unless_allowed(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "home-evil"
    outside.mkdir()
    (outside / "M.md").write_bytes(OLD)
    (home / "link.md").symlink_to(outside / "M.md")
    (home / "away").symlink_to(outside)
    (home / "loop").symlink_to("loop")
    calls: list[Callable[[], object]] = [
        lambda: commit(home, "link.md", OLD, NEW),
        lambda: commit(home, "away/M.md", OLD, NEW),
        lambda: commit(home, "away/new.md", None, NEW),
        lambda: commit(home, "../home-evil/M.md", OLD, NEW),
        lambda: commit(home, "loop", None, NEW),
        lambda: remove(home, "link.md", OLD),
        lambda: read_current(home, "link.md"),
    ]
    for call in calls:
        with pytest.raises(OutsideError):
            call()
    assert names(outside) == ["M.md"]
    assert (outside / "M.md").read_bytes() == OLD


def test_the_home_itself_may_be_a_link(home: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(home)
    commit(tmp_path / "elsewhere", "MEMORY.md", OLD, NEW)
    assert (home / "MEMORY.md").read_bytes() == NEW


def test_several_names_stay_one_file(home: Path, way: str) -> None:
    (home / "TWIN.md").hardlink_to(home / "MEMORY.md")
    assert commit(home, "MEMORY.md", OLD, NEW * 99).way == "place"
    assert (home / "TWIN.md").read_bytes() == NEW * 99
    commit(home, "TWIN.md", NEW * 99, OLD)
    assert (home / "MEMORY.md").read_bytes() == OLD
    assert (home / "MEMORY.md").stat().st_nlink == 2
    assert drafts() == []


@pytest.mark.parametrize("thing", ["directory", "pipe"])
def test_what_is_no_file_is_left_alone(home: Path, thing: str) -> None:
    path = home / "thing.md"
    if thing == "directory":
        path.mkdir()
    else:
        os.mkfifo(path)
    with pytest.raises(OutsideError):
        commit(home, "thing.md", OLD, NEW)
    with pytest.raises(OutsideError):
        read_current(home, "thing.md")


def test_removed_only_if_it_is_what_was_read(home: Path, way: str) -> None:
    with pytest.raises(ConflictError):
        remove(home, "MEMORY.md", NEW)
    gone = remove(home, "MEMORY.md", OLD)
    assert gone.displaced is not None
    assert stat.S_IMODE(gone.displaced.status.st_mode) == 0o640
    assert names(home) == []
    with pytest.raises(ConflictError) as caught:
        remove(home, "MEMORY.md", OLD)
    assert caught.value.theirs is None


def interrupted(
    monkeypatch: pytest.MonkeyPatch, place: Any, name: str, act: Callable[[int], None], before: bool = True
) -> None:
    """Somebody acts just before (or after) each call of a function."""
    real = getattr(place, name)
    count = [0]

    def call(*words: Any, **named: Any) -> Any:
        count[0] += 1
        if before:
            act(count[0])
        found = real(*words, **named)
        if not before:
            act(count[0])
        return found

    monkeypatch.setattr(place, name, call)


def saves(path: Path, text: bytes) -> None:
    """What an editor does: a whole new file takes the name."""
    other = path.with_name("other")
    other.write_bytes(text)
    other.replace(path)


def test_who_saves_in_that_moment_wins(home: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "plain":
        pytest.skip("nothing can be known there")
    path = home / "MEMORY.md"
    interrupted(monkeypatch, module, "swap", lambda number: saves(path, THEIRS) if number == 1 else None)
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", OLD, NEW)
    assert caught.value.theirs == path.read_bytes() == THEIRS
    assert caught.value.mine == NEW
    # Who read ours in that moment, and saves what it made of it, knows nothing of theirs.
    assert drafts() == [THEIRS]
    assert names(home) == ["MEMORY.md"]


def test_who_writes_into_the_old_file_in_that_moment_wins(
    home: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    if way == "plain":
        pytest.skip("nothing can be known there")
    path = home / "MEMORY.md"
    with open(path, "ab", buffering=0) as file:
        interrupted(monkeypatch, module, "swap", lambda _: print(file.write(b"late")))
        with pytest.raises(ConflictError) as caught:
            commit(home, "MEMORY.md", OLD, NEW)
    assert caught.value.theirs == path.read_bytes() == OLD + b"late"
    assert names(home) == ["MEMORY.md"]


@pytest.mark.parametrize("saved", [2, 3, 5, 40])
def test_who_saves_again_and_again_loses_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, way: str, saved: int
) -> None:
    if way == "plain":
        pytest.skip("nothing can be known there")
    path = home / "MEMORY.md"
    versions: list[bytes] = []

    def act(_: int) -> None:
        if len(versions) < saved:
            versions.append(b"theirs %d\n" % len(versions))
            saves(path, versions[-1])

    interrupted(monkeypatch, module, "swap", act)
    interrupted(monkeypatch, displaced, "swap", act)
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", OLD, NEW)
    # An editor that replaced a version has seen it: what nobody saw must be somewhere.
    assert {path.read_bytes(), caught.value.theirs, *drafts()} >= {versions[0], versions[-1]}
    assert names(home) == ["MEMORY.md"]


def test_who_removes_it_meanwhile_loses_nothing(home: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "plain":
        pytest.skip("nothing can be known there")
    path = home / "MEMORY.md"
    interrupted(monkeypatch, module, "swap", lambda _: saves(path, THEIRS))
    interrupted(monkeypatch, displaced, "swap", lambda _: path.unlink())
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", OLD, NEW)
    assert caught.value.theirs is None
    assert drafts() == [THEIRS]
    assert str(state() / "drafts") in str(caught.value)
    assert names(home) == []


def test_a_file_that_is_saved_while_it_is_removed_stays(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "MEMORY.md"
    real = os.rename

    def rename(*words: Any, **named: Any) -> None:
        saves(path, THEIRS)
        real(*words, **named)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(ConflictError) as caught:
        remove(home, "MEMORY.md", OLD)
    assert caught.value.theirs == path.read_bytes() == THEIRS
    assert names(home) == ["MEMORY.md"]


def test_a_late_writer_is_noticed(home: Path, way: str) -> None:
    with open(home / "MEMORY.md", "ab", buffering=0) as file:
        done = commit(home, "MEMORY.md", OLD, NEW)
        if way == "paths":
            assert done.displaced is None
            return
        assert done.displaced is not None
        assert done.displaced.changed() is None
        file.write(b"late")
        assert done.displaced.changed() == OLD + b"late"
        done.displaced.close()


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, FullError),
        (errno.EDQUOT, FullError),
        (errno.EROFS, ReadOnlyError),
        (errno.EACCES, ReadOnlyError),
        (errno.EIO, UnavailableError),
    ],
)
@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_errors_say_what_they_are(
    home: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[MemtuiError], call: str
) -> None:
    real = getattr(os, call)

    def fail(*words: Any, **named: Any) -> Any:
        if call == "open" and not str(words[0]).startswith(".memtui-"):
            return real(*words, **named)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(kind):
        commit(home, "MEMORY.md", OLD, NEW)
    monkeypatch.undo()
    assert (home / "MEMORY.md").read_bytes() == OLD
    assert names(home) == ["MEMORY.md"]


def test_short_writes_are_finished(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:7]))
    commit(home, "MEMORY.md", OLD, NEW * 30)
    assert (home / "MEMORY.md").read_bytes() == NEW * 30


def test_a_file_that_says_so_is_not_written(home: Path) -> None:
    (home / "MEMORY.md").chmod(0o444)
    with pytest.raises(ReadOnlyError):
        commit(home, "MEMORY.md", OLD, NEW)
    with pytest.raises(ReadOnlyError):
        remove(home, "MEMORY.md", OLD)


def test_a_home_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(VanishedError):
        commit(tmp_path / "nowhere", "MEMORY.md", None, NEW)
    with pytest.raises(VanishedError):
        read_current(tmp_path / "nowhere", "MEMORY.md")
    assert read_current(tmp_path, "areas/x/MEMORY.md") is None


WRITE = """
import sys
from memtui.fs.commit import commit; from memtui.fs.commit import read_current as current
from memtui.fs.locks import lock_for; from memtui.fs.locks import hold_lock as locked
root, number = sys.argv[1], int(sys.argv[2])
big, small = b"b" * 2_000_000, b"s" * 50_000
for turn in range(int(sys.argv[3])):
    with locked(lock_for(root, "x.md"), 60):
        old = current(root, "x.md")
        assert old in (big, small), len(old or b"")
        commit(root, "x.md", old, small if old == big else big, sync=False)
"""


def test_threads_and_processes_never_publish_half_a_file(home: Path) -> None:
    """T07: two processes and two threads, two sizes, one path."""
    (home / "x.md").write_bytes(b"s" * 50_000)
    command = [sys.executable, "-c", WRITE, str(home), "0", "25"]
    processes = [subprocess.Popen(command) for _ in range(2)]
    failed: list[BaseException] = []

    def work() -> None:
        try:
            exec(WRITE, {"__name__": "x"})
        except BaseException as error:
            failed.append(error)

    arguments, sys.argv = sys.argv, ["-c", str(home), "0", "25"]
    try:
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.argv = arguments
    assert [process.wait(60) for process in processes] == [0, 0]
    assert not failed
    assert (home / "x.md").stat().st_size in {50_000, 2_000_000}
    assert names(home) == ["MEMORY.md", "x.md"]


def test_names_of_temporary_files() -> None:
    assert module.TEMPORARY.fullmatch(make_temporary_name())
    assert module.TEMPORARY.fullmatch(folder.derive_second_name(make_temporary_name()))
    assert not module.TEMPORARY.fullmatch(".memtui-notes.tmp")
    with pytest.raises(ValueError, match="temporary"):
        commit("/", "x", None, b"", temp="x.md")


def test_nobody_reads_ours_where_theirs_was_seen_in_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(monkeypatch, module, "write_temporary", lambda _: saves(home / "MEMORY.md", THEIRS), before=False)
    monkeypatch.setattr(module, "swap", None)
    with pytest.raises(ConflictError) as caught:
        commit(home, "MEMORY.md", OLD, NEW)
    assert caught.value.theirs == (home / "MEMORY.md").read_bytes() == THEIRS
    assert drafts() == []
    assert names(home) == ["MEMORY.md"]


def test_a_touched_file_is_still_the_same(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(monkeypatch, module, "write_temporary", lambda _: saves(home / "MEMORY.md", OLD), before=False)
    assert commit(home, "MEMORY.md", OLD, NEW).way == "exchange"
    assert (home / "MEMORY.md").read_bytes() == NEW


def test_nothing_is_written_outside_while_links_flip(home: Path, tmp_path: Path) -> None:
    """T31, F9: a directory changes places with a link to the outside, again and again."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_bytes(OLD)
    (home / "a").mkdir()
    (home / "l").symlink_to(outside)
    stop = threading.Event()

    directory = os.open(home, os.O_RDONLY)
    if folder.swap(directory, "l", "a") != "exchange":
        pytest.skip("nothing flips fast enough here")

    def flip() -> None:
        while not stop.is_set():
            folder.swap(directory, "l", "a")

    flipper = threading.Thread(target=flip)
    flipper.start()
    outcomes: set[str] = set()
    try:
        for number in range(1500):
            text = b"%d\n" % number
            try:
                append(home, "a/log.md", text, sync=False)
                base = read_current(home, "a/x.md")
                commit(home, "a/x.md", base, text, sync=False)
                outcomes.add("done")
            except MemtuiError as error:
                outcomes.add(type(error).__name__)
    finally:
        stop.set()
        flipper.join()
        os.close(directory)
    assert names(outside) == ["x.md"]
    assert (outside / "x.md").read_bytes() == OLD
    assert outcomes >= {"done", "OutsideError"}


def test_leftovers_go_and_text_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "AGE", 0.0)
    (tmp_path / "daily").mkdir()
    first, second, third = make_temporary_name(), make_temporary_name(), make_temporary_name()
    (tmp_path / first).write_bytes(b"known")
    (tmp_path / "daily" / second).write_bytes(b"somebody's")
    (tmp_path / third).write_bytes(b"")
    (tmp_path / ".memtui-notes.tmp").write_bytes(b"not ours")
    (tmp_path / make_temporary_name()).symlink_to(tmp_path / "daily")
    swept = sweep(tmp_path, ["", "daily", "nowhere"], [b"known"])
    assert {(path, bool(kept)) for path, kept in swept} == {
        (first, False),
        (third, False),
        (f"daily/{second}", True),
    }
    [kept] = [kept for _, kept in swept if kept]
    with open(kept, "rb") as file:
        assert file.read() == b"somebody's"
    assert not os.listdir(tmp_path / "daily")
    assert sweep(tmp_path, ["", "daily"]) == []


def test_a_living_writer_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = make_temporary_name()
    (tmp_path / name).write_bytes(b"x")
    assert sweep(tmp_path, known=[b"x"]) == []
    monkeypatch.setattr(checkup, "AGE", 0.0)
    descriptor = os.open(tmp_path / name, os.O_RDONLY)
    assert owned(descriptor)
    assert sweep(tmp_path, known=[b"x"]) == []
    os.close(descriptor)
    assert sweep(tmp_path, known=[b"x"]) == [Swept(name, "")]


def test_what_can_be_kept_nowhere_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "AGE", 0.0)
    monkeypatch.setattr(checkup, "keep", lambda *_: "")
    (tmp_path / make_temporary_name()).write_bytes(b"x")
    assert sweep(tmp_path) == []
    assert len(os.listdir(tmp_path)) == 1
