"""The screen's thread touches no disk, no SQLite and no lock that is held across either, whatever a person does.

Looked at: `open`, `os.open`, `os.stat`, `os.lstat`, `os.scandir`, `os.listdir` and what is built on them; every
statement of every SQLite connection; the locks of each home's index, parsed files and vectors.
Excepted, and why:
- importing a module and recalling a compiled pattern, which lies beside the compiled modules: it happens once, at the
  first use of what is behind a key, and never reads a home;
- what comes before the first frame: style sheets, the config;
- handing a text to an editor, by a private file: the terminal is the editor's then, and nothing shown could wait.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import apsw
import pytest

from memtui import demo
from memtui.core.config import Config
from memtui.store.vault import Vault
from memtui.tui.app import MemtuiApp
from tests.tui.conftest import Written

CALLS = (
    (os, "open"), (os, "stat"), (os, "lstat"), (os, "scandir"), (os, "listdir"), (os, "replace"), (os, "unlink"),
    (os, "mkdir"), (io, "open"),
)  # fmt: skip

EXCEPTED = (
    "<frozen importlib._bootstrap>",
    "<frozen importlib._bootstrap_external>",
    "memtui/core/startup.py",
    "memtui/tui/editing.py",
)
"""Files in whose functions a disk may be touched: the import system, what is kept beside it, what starts the editor."""


class Guard:
    """Notes what the thread that it was made on does with disks, while it is `armed`."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self.armed = False
        self.seen: list[str] = []
        """What was done, and how it came to it."""

    def note(self, what: str) -> None:
        """It is about to be done, on whatever thread."""
        if not self.armed or threading.get_ident() != self._thread:
            return
        frame: FrameType | None = sys._getframe(1)
        ours: list[str] = []
        while frame is not None:
            file, name = frame.f_code.co_filename, frame.f_code.co_name
            if file.endswith(EXCEPTED):
                return
            if "/memtui/" in file:
                ours.append(f"{file.rpartition('/memtui/')[2]}:{frame.f_lineno} {name}")
            frame = frame.f_back
        self.seen.append(f"{what}: {' < '.join(ours[:12])}")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Everything in here is looked at."""
        self.armed = True
        try:
            yield
        finally:
            self.armed = False


class Watched:
    """A lock that says who takes it."""

    def __init__(self, lock: Any, note: Callable[[], None]) -> None:
        self._lock, self._note = lock, note

    def __enter__(self) -> Any:
        self._note()
        return self._lock.__enter__()

    def __exit__(self, *error: object) -> Any:
        return self._lock.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        if name == "acquire":
            self._note()
        return getattr(self._lock, name)


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Guard]:
    made = Guard()

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*args: Any, **named: Any) -> Any:
            made.note(f"{name}({args[0] if args else ''!r})")
            return call(*args, **named)

        return noting

    for module, name in CALLS:
        monkeypatch.setattr(module, name, wrapped(name, getattr(module, name)))
    monkeypatch.setattr("builtins.open", wrapped("open", open))

    def traced(connection: apsw.Connection) -> None:
        def trace(_cursor: object, statement: str, _bindings: object) -> bool:
            made.note(f"SQL {statement[:60]}")
            return True

        connection.exec_trace = trace

    apsw.connection_hooks.append(traced)
    yield made
    apsw.connection_hooks.remove(traced)


def lock_up(vault: Vault, guard: Guard) -> None:
    """Have the locks of a vault's homes say who takes them."""
    for shelf in vault._shelves:
        for holder, name in (
            (shelf, "_working"), (shelf._handles, "_lock"), (shelf._readings, "_lock"), (shelf.meaning, "_lock"),
        ):  # fmt: skip
            told = f"{type(holder).__name__}.{name}"
            setattr(holder, name, Watched(getattr(holder, name), partial(guard.note, told)))


JOURNEY = (
    "0 j j k tab j tab j tab j", "1 j j l j h j S", "2 j j space j space escape S",
    "3 j enter j n escape C j right enter escape escape", "4 j enter escape tab b", "5 j j v j escape = S",
    "6 j j j j enter escape", "2 f p a y space k i n d : r enter escape",
    "slash r e t r y space k i n d : r u right escape", "2 y Y L o x y z enter u ctrl+r", "2 t n e w enter u",
    "2 i e n d enter u", "2 e u", "2 d u", "2 m escape", "2 T escape", "2 D escape",
    "2 space j space M escape escape", "2 O escape enter escape", "3 enter slash t h e enter n escape",
    "U j escape", "P escape", "c j escape", "w space space escape", "question_mark j escape",
    "ctrl+p r e t r y escape", "5 a u x enter u e escape m escape", ". . z z ctrl+l", "4 r escape I u",
    "R escape", "W",
)  # fmt: skip
"""Every view, list, sheet, prompt and verb: moved in, typed in, ticked, written, undone and left."""


async def test_the_screens_thread_touches_no_disk(
    guard: Guard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edit(words: list[str]) -> str:
        Path(words[-1]).write_bytes(Path(words[-1]).read_bytes().replace(b"the", b"this", 1))
        return ""

    monkeypatch.setattr("memtui.tui.editing.run", edit)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setenv("VISUAL", "vim")
    roots = demo.copy(tmp_path / "demo")
    with Vault.open(roots, config=Config()) as vault:
        lock_up(vault, guard)
        app = MemtuiApp(vault, Config())
        monkeypatch.setattr(app, "suspend", nullcontext)
        async with app.run_test(size=(140, 40), notifications=True) as pilot:
            desk = Written(app, pilot, vault, roots)
            await desk.settled()
            for keys in JOURNEY:
                with guard.watching():
                    await desk.press(*keys.split())
                assert guard.seen == [], keys


def test_the_guard_hears(guard: Guard, tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    with guard.watching():
        file.write_text("hello", "utf-8")
        file.exists()
        os.listdir(tmp_path)
        with Watched(threading.Lock(), partial(guard.note, "lock")):
            pass
        connection = apsw.Connection(str(tmp_path / "index.sqlite"))
        connection.execute("SELECT 1").fetchall()
        connection.close()
    heard = [line.partition(":")[0].partition("(")[0] for line in guard.seen]
    assert set(heard) >= {"open", "stat", "listdir", "lock", "SQL SELECT 1"}


def test_other_threads_may(guard: Guard, tmp_path: Path) -> None:
    with guard.watching():
        thread = threading.Thread(target=lambda: (tmp_path / "note.md").write_text("hello", "utf-8"))
        thread.start()
        thread.join()
    assert guard.seen == []
