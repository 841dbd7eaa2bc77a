"""One writer at a time, and no link under a lock (T34)."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from memtui.disk import locks
from memtui.disk.locks import locked
from memtui.errors import RefusedError, UnavailableError

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from memtui.disk import locks
locks.FLOCK = sys.argv[2] == "True"
with locks.locked(Path(sys.argv[1])):
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
        with pytest.raises(UnavailableError, match="another memtui is writing"), locked(path, 0.05):
            pass
        child.kill()
    with locked(path, 0.5):
        pass


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(50):
            with locked(tmp_path / "x.lock"):
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
    with pytest.raises((RefusedError, UnavailableError)), locked(tmp_path / "x.lock", 0.1):
        pass
    assert (tmp_path / "victim").read_text() == "precious"


def test_what_is_raised_inside_frees_the_lock(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "x.lock"):
        raise ZeroDivisionError
    with locked(tmp_path / "x.lock", 0.1):
        pass
