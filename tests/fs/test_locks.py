"""One writer at a time, and no link under a lock (T34)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memtui.core.errors import LockedError, OutsideError, RefusedError, UnavailableError
from memtui.fs import locks
from memtui.fs.folder import open_spot
from memtui.fs.locks import give_way, hold_lock, hold_lock_first, hold_sidecar_lock, is_lock_wanted, lock_for

HOLD = """
import sys
from pathlib import Path
from memtui.fs import locks
locks.FLOCK = sys.argv[2] == "True"
with locks.hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("theirs", [True, False])
@pytest.mark.parametrize("mine", [True, False])
def test_another_process_waits_and_dying_frees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mine: bool, theirs: bool
) -> None:
    if sys.platform == "win32" and (mine or theirs):
        pytest.skip("no flock")
    monkeypatch.setattr(locks, "FLOCK", mine)
    path = tmp_path / "x.lock"
    command = [sys.executable, "-c", HOLD, str(path), str(theirs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        with pytest.raises(UnavailableError, match="another memtui is writing"), hold_lock(path, 0.05):
            pass
        child.kill()
    with hold_lock(path, 0.5):
        pass


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with hold_lock(tmp_path / "x.lock"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 200
    assert set(most) == {1}


@pytest.mark.parametrize("flock", [True, False])
def test_a_link_is_refused_and_its_target_untouched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flock: bool
) -> None:
    monkeypatch.setattr(locks, "FLOCK", flock and locks.FLOCK)
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "x.lock").symlink_to(tmp_path / "victim")
    with pytest.raises((RefusedError, UnavailableError)), hold_lock(tmp_path / "x.lock", 0.1):
        pass
    assert (tmp_path / "victim").read_text() == "precious"


def test_what_is_raised_inside_frees_the_lock(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), hold_lock(tmp_path / "x.lock"):
        raise ZeroDivisionError
    with hold_lock(tmp_path / "x.lock", 0.1):
        pass


def test_one_file_has_one_lock_however_it_is_spelled(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "daily").mkdir(parents=True)
    (tmp_path / "link").symlink_to(home)
    (home / "days").symlink_to("daily")
    (home / "MEMORY.md").write_text("x")
    (home / "M.md").symlink_to("MEMORY.md")
    same = [(home, "MEMORY.md"), (tmp_path / "link", "memory.md"), (home, "M.md")]
    assert len({lock_for(*place) for place in same}) == 1
    same = [(home, "daily/\xe9.md"), (home, "days/e\u0301.md"), (home / "daily", "\xc9.md")]
    assert len({lock_for(*place) for place in same}) == 1
    assert lock_for(home, "a/b.md") != lock_for(home, "b.md")
    with hold_lock(lock_for(home, "MEMORY.md")), hold_lock(lock_for(home, "daily/x.md"), 0.1):
        pass
    with pytest.raises(RefusedError):
        lock_for(home, "../x.md")


def test_the_lock_of_another_tool_is_waited_for(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no flock")
    with open_spot(tmp_path, "MEMORY.md") as at, hold_sidecar_lock(at):
        assert not (tmp_path / "MEMORY.md.lock").exists()
    (tmp_path / "MEMORY.md.lock").touch()
    with (
        hold_lock(tmp_path / "MEMORY.md.lock"),
        open_spot(tmp_path, "MEMORY.md") as at,
        pytest.raises(LockedError),
        hold_sidecar_lock(at, 0.05),
    ):
        pass
    with open_spot(tmp_path, "MEMORY.md") as at, hold_sidecar_lock(at, 0.05):
        pass


def test_a_link_that_goes_while_it_is_followed_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "rules"
    link.symlink_to(tmp_path / "there")
    followed = os.readlink

    def late(path: str) -> str:
        link.unlink(missing_ok=True)
        return followed(path)

    monkeypatch.setattr(os, "readlink", late)
    with pytest.raises(OutsideError, match="changed its place"):
        lock_for(tmp_path, "rules/a.md")


def test_who_is_soon_done_is_let_in_between(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    order: list[str] = []

    def save() -> None:
        with hold_lock_first(path, 20.0):
            order.append("saved")

    with hold_lock(path):
        assert not is_lock_wanted(path)
        thread = threading.Thread(target=save)
        thread.start()
        while not is_lock_wanted(path):
            thread.join(0.001)
        order.append("held")
    give_way(path, 20.0)
    with hold_lock(path, 20.0):
        order.append("again")
    thread.join(60.0)
    assert order == ["held", "saved", "again"]
    assert not is_lock_wanted(path)


def test_nobody_waits_longer_than_asked(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with hold_lock(path):
        with pytest.raises(LockedError), hold_lock_first(path, 0.02):
            pass
        give_way(path, 0.0)
    with hold_lock_first(path, 0.0):
        pass
