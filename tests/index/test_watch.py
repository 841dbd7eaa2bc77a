"""Changes are heard at once, and found all the same when they were not heard (T15, T26 to T29).

Directories that hold nothing of ours are not watched, within reason (T29).
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.index import watch
from memtui.index.watch import Watch, list_watch_targets

WAIT = 60.0


class Heard:
    """What a watch called back, to be waited for."""

    def __init__(self) -> None:
        self.calls: list[set[str] | None] = []
        self.threads: set[str] = set()
        self._more = threading.Condition()

    def __call__(self, paths: set[str] | None) -> None:
        with self._more:
            self.calls.append(paths)
            self.threads.add(threading.current_thread().name)
            self._more.notify_all()

    def until(self, what: Callable[[], bool]) -> None:
        with self._more:
            assert self._more.wait_for(what, WAIT), self.calls[-5:]

    @property
    def paths(self) -> set[str]:
        return set().union(*(paths or () for paths in self.calls))

    @property
    def scans(self) -> int:
        return self.calls.count(None)


@pytest.fixture
def heard() -> Heard:
    return Heard()


def prune(path: str) -> bool:
    return path.rpartition("/")[2] == "pruned"


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="inotify")


@pytest.fixture
def watching(root: Path, heard: Heard) -> Iterator[Watch]:
    (root / "d" / "e").mkdir(parents=True)
    (root / "pruned").mkdir()
    one = Watch(root, prune, heard)
    one.start()
    heard.until(lambda: heard.scans == 1)
    yield one
    one.stop()
    assert not one._thread.is_alive()


def save(path: Path, text: str = "- x\n") -> None:
    temporary = path.with_name(".x.tmp")
    temporary.write_text(text)
    os.replace(temporary, path)


def test_saves_of_every_kind_are_heard(root: Path, watching: Watch, heard: Heard) -> None:
    assert (watching.state, watching.reason) == ("watching", "")
    (root / "a.md").write_text("- a\n")
    heard.until(lambda: "a.md" in heard.paths)
    save(root / "d" / "e" / "b.md")
    heard.until(lambda: "d/e/b.md" in heard.paths)
    (root / "a.md").rename(root / "d" / "c.md")
    heard.until(lambda: {"a.md", "d/c.md"} <= heard.paths)
    heard.calls.clear()
    (root / "d" / "c.md").unlink()
    heard.until(lambda: "d/c.md" in heard.paths)
    assert heard.threads == {"memtui-watch"}


def test_new_directories_are_heard_in(root: Path, watching: Watch, heard: Heard) -> None:
    """Whatever is missed inside, the directory itself is named, and a sync of it takes all of it in."""
    (root / "new" / "er").mkdir(parents=True)
    save(root / "new" / "er" / "x.md")
    heard.until(lambda: bool({"new", "new/er", "new/er/x.md"} & heard.paths))
    heard.until(lambda: "new" in heard.paths or "new/er/x.md" in heard.paths)
    save(root / "d" / "y.md")
    heard.until(lambda: "d/y.md" in heard.paths)


def test_pruned_directories_and_our_own_files_are_not_heard(root: Path, watching: Watch, heard: Heard) -> None:
    (root / ".git").mkdir()
    save(root / "pruned" / "x.md")
    save(root / ".git" / "HEAD")
    (root / ".memtui-0123.tmp").write_text("x")
    save(root / "last.md")
    heard.until(lambda: "last.md" in heard.paths)
    assert not {path for path in heard.paths if "pruned/" in path or ".git" in path or ".memtui" in path}


def test_reading_makes_no_noise(root: Path, watching: Watch, heard: Heard) -> None:
    save(root / "a.md")
    heard.until(lambda: "a.md" in heard.paths)
    heard.calls.clear()
    for _ in range(20):
        (root / "a.md").read_bytes()
        os.listdir(root / "d")
    save(root / "z.md")
    heard.until(lambda: "z.md" in heard.paths)
    assert "a.md" not in heard.paths


def test_a_burst_loses_nothing(root: Path, watching: Watch, heard: Heard) -> None:
    names = {f"d/{number}.md" for number in range(3000)}
    for name in names:
        (root / name).write_text("- x\n")
    heard.until(lambda: names <= heard.paths or heard.scans > 1)


def test_the_first_change_is_told_at_once_and_the_rest_together(root: Path) -> None:
    told: list[set[str] | None] = []
    entered, go = threading.Semaphore(0), threading.Semaphore(0)

    def slow(paths: set[str] | None) -> None:
        told.append(paths)
        entered.release()
        assert go.acquire(timeout=WAIT)

    one = Watch(root, prune, slow, mode="off")
    one.start()
    try:
        assert entered.acquire(timeout=WAIT)
        for number in range(500):
            one.hear(str(root / f"{number}.md"))
        go.release()
        assert entered.acquire(timeout=WAIT)
        go.release()
        one.hear(str(root / "last.md"))
        assert entered.acquire(timeout=WAIT)
        go.release()
    finally:
        one.stop()
    assert told == [None, {f"{number}.md" for number in range(500)}, {"last.md"}]


def test_a_home_that_goes_and_comes_back(root: Path, watching: Watch, heard: Heard) -> None:
    away = root.with_name("away")
    root.rename(away)
    heard.until(lambda: watching.reason == "the home is not there" and heard.scans >= 2)
    assert watching.state == "off"
    away.rename(root)
    heard.until(lambda: watching.state == "watching" and heard.scans >= 3)
    save(root / "back.md")
    heard.until(lambda: "back.md" in heard.paths)
    shutil.rmtree(root)
    root.mkdir()
    scans = heard.scans
    heard.until(lambda: heard.scans > scans and watching.state == "watching")
    save(root / "again.md")
    heard.until(lambda: "again.md" in heard.paths)


def test_an_overflow_is_a_look_at_everything(watching: Watch, heard: Heard) -> None:
    """What the kernel's queue dropped is found by looking (T27, F7)."""
    scans = heard.scans
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; filesystem events were lost")
    heard.until(lambda: heard.scans > scans)


def test_poking_is_a_look_at_everything(watching: Watch, heard: Heard) -> None:
    scans = heard.scans
    watching.poke()
    heard.until(lambda: heard.scans == scans + 1)


def test_a_listener_that_fails_is_called_again(root: Path) -> None:
    heard = Heard()

    def failing(paths: set[str] | None) -> None:
        heard(paths)
        raise ZeroDivisionError("oh")

    one = Watch(root, prune, failing, mode="off")
    one.start()
    try:
        heard.until(lambda: heard.scans == 1)
        one.poke()
        heard.until(lambda: heard.scans == 2)
        assert "oh" in one.reason
        assert one.state == "off"
    finally:
        one.stop()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE])
def test_no_more_watches_means_polling_and_one_reason(
    root: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """No watches and no descriptors left: one notice, and it looks instead (T28)."""
    import watchdog.observers

    class Full(watchdog.observers.Observer):  # type: ignore[misc,valid-type]
        def schedule(self, *_: Any, **__: Any) -> Any:
            raise OSError(number, "limit reached")

    monkeypatch.setattr(watchdog.observers, "Observer", Full)
    monkeypatch.setattr(watch, "POLL", 0.01)
    one = Watch(root, prune, heard)
    one.start()
    try:
        heard.until(lambda: heard.scans >= 3)
        assert one.state == "polling"
        assert "limit" in one.reason
    finally:
        one.stop()


@LINUX
def test_a_limit_met_below_the_home_is_noticed(root: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """watchdog passes over directories that it cannot watch; the probe does not."""
    from watchdog.observers import inotify_c

    for number in range(10):
        (root / str(number)).mkdir()
    made: list[object] = []
    real = inotify_c.InotifyFD._add_callback

    def few(self: Any, *values: Any) -> Any:
        made.append(1)
        if len(made) > 4:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return real(self, *values)

    monkeypatch.setattr(inotify_c.InotifyFD, "_add_callback", few)
    one = Watch(root, prune, heard)
    one.start()
    try:
        heard.until(lambda: heard.scans >= 1)
        assert one.state == "polling"
    finally:
        one.stop()


def test_a_stall_is_followed_by_a_look_at_everything(root: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was stopped for a while believes no events, but looks (T26)."""
    one = Watch(root, prune, heard, mode="polling", rescan=1e6)
    monkeypatch.setattr(watch, "POLL", 1e6)
    one.start()
    try:
        heard.until(lambda: heard.scans == 1)
        real = time.time()
        monkeypatch.setattr("time.time", lambda: real + 100 * time.monotonic())
        heard.until(lambda: heard.scans >= 2)
    finally:
        one.stop()


@LINUX
def test_the_kernel_is_asked_for_no_more_than_is_needed(watching: Watch) -> None:
    """Opening and closing without writing come back as events otherwise, and overflow the queue (§4)."""
    from watchdog.observers.inotify_c import InotifyConstants as Kinds

    assert watching._ears is not None
    masks = {emitter._inotify.event_mask for emitter in watching._ears._observer.emitters}
    unwanted = Kinds.IN_OPEN | Kinds.IN_CLOSE_NOWRITE | Kinds.IN_MODIFY | Kinds.IN_ATTRIB | Kinds.IN_ACCESS
    assert masks
    assert not any(mask & unwanted for mask in masks)
    assert all(mask & Kinds.IN_CLOSE_WRITE for mask in masks)


def test_what_cannot_be_a_memory_is_not_heard(root: Path, heard: Heard) -> None:
    one = Watch(root, prune, heard, wanted=lambda path: path if path.endswith((".md", ".db")) else None)
    one.start()
    try:
        heard.until(lambda: heard.scans == 1)
        save(root / "a.md")
        (root / "a.db-wal").write_text("x")
        (root / "a.pdf").write_text("x")
        (root / "b.md").mkdir()
        save(root / "z.md")
        heard.until(lambda: "z.md" in heard.paths)
        assert heard.paths == {"a.md", "a.db-wal", "b.md", "z.md"}
    finally:
        one.stop()


def test_poking_never_waits(root: Path) -> None:
    entered, go = threading.Event(), threading.Event()

    def slow(_paths: set[str] | None) -> None:
        entered.set()
        assert go.wait(WAIT)

    one = Watch(root, prune, slow)
    one.start()
    try:
        assert entered.wait(WAIT)
        for _ in range(100_000):
            one.poke()
    finally:
        go.set()
        one.stop()


def test_what_is_wanted_most_comes_before_anything_is_watched(root: Path, heard: Heard) -> None:
    states: list[str] = []

    def begin() -> None:
        states.append(one.state)
        raise RuntimeError("whatever it says, the watch begins")

    one = Watch(root, prune, heard, begin=begin)
    one.start()
    heard.until(lambda: heard.scans == 1)
    one.stop()
    assert states == ["off"]


def test_saves_are_passed_on_within_a_long_look_and_before_it(root: Path) -> None:
    calls: list[set[str] | None] = []
    looking, heard_within, asked = threading.Event(), threading.Event(), threading.Event()

    def changed(paths: set[str] | None) -> None:
        calls.append(paths)
        if paths is None and not looking.is_set():
            looking.set()
            assert heard_within.wait(WAIT)
            assert one.pass_on() == {"a.md"}
            # Both are due when this look ends.
            one.hear(os.path.join(os.path.realpath(root), "b.md"), False)
            one.poke()
        elif paths is None:
            asked.set()

    one = Watch(root, prune, changed, mode="off")
    one.start()
    assert looking.wait(WAIT)
    one.hear(os.path.join(os.path.realpath(root), "a.md"), False)
    heard_within.set()
    assert asked.wait(WAIT)
    one.stop()
    assert calls == [None, {"a.md"}, {"b.md"}, None]


def test_what_is_watched_leaves_the_pruned_out(root: Path) -> None:
    assert list_watch_targets(str(root), prune) == [(str(root), True)]
    (root / "a" / "b").mkdir(parents=True)
    assert list_watch_targets(str(root), prune) == [(str(root), True)]
    (root / "a" / "pruned" / "deep").mkdir(parents=True)
    (root / "c" / "d").mkdir(parents=True)
    assert sorted(list_watch_targets(str(root), prune)) == [
        (str(root), False),
        (str(root / "a"), False),
        (str(root / "a" / "b"), True),
        (str(root / "c"), True),
    ]


def test_too_many_exceptions_are_watched_with_the_rest(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MOST", 3)
    for name in "abcd":
        (root / name / "pruned").mkdir(parents=True)
    assert list_watch_targets(str(root), prune) == [(str(root), True)]
