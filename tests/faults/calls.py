"""The n-th system call fails, for every n: old or new content, a typed error, no traceback, nothing left (F3).

With a C compiler the calls are counted below Python, in the C library, SQLite's among them; elsewhere in `os`.
`python -m tests.faults.calls` is the inner half, in a process of its own.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.edits import Append, Edit, Piece
from memtui.core.errors import MemtuiError
from memtui.fs import folder
from memtui.fs.write_journal import Journal
from tests.faults.scene import DAILY, Count, scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtui.core.edits import Receipt
    from memtui.store.vault import Vault

ERRORS = (errno.ENOSPC, errno.EIO, errno.EINTR, errno.EACCES)
MOST = 400
"""Calls that one write makes at most, and then some."""

OLD = b"# MEMORY\r\n- old \xff"
RECORD = "- 2026-02-24T10:12:33Z [note] second"

PATCHED = ("open", "write", "fsync", "fdatasync", "link", "ftruncate", "unlink", "rename", "replace", "mkdir")
WAITED_OUT = {"open", "write", "fsync", "fdatasync", "ftruncate"}
"""Python makes these again itself when a signal comes in between, below where a patch can stand."""


def _append(vault: Vault, home: str) -> Receipt:
    return vault.apply([Append(home, DAILY, RECORD)], verb="append")


def _first(vault: Vault, home: str) -> Receipt:
    return vault.apply([Append(home, "daily/2026-02-25.md", RECORD, "# Day\n\n")], verb="append")


def _edit(vault: Vault, home: str) -> Receipt:
    return vault.apply([Edit(home, "MEMORY.md", OLD, (Piece(len(OLD), len(OLD), b"\r\n- new"),))], verb="edit")


def _new(vault: Vault, home: str) -> Receipt:
    return vault.apply([Edit(home, "areas/tools/x/rules.md", None, (Piece(0, 0, b"# X\n"),))], verb="add")


def _remove(vault: Vault, home: str) -> Receipt:
    return vault.apply([Edit(home, "MEMORY.md", OLD, (), remove=True)], verb="delete")


def _several(vault: Vault, home: str) -> Receipt:
    edit = Edit(home, "MEMORY.md", OLD, (Piece(0, 8, b"# MINE"),))
    new = Edit(home, "sessions/x.md", None, (Piece(0, 0, b"# X\n"),))
    return vault.apply([edit, Append(home, DAILY, RECORD), new], verb="move")


def _undo(vault: Vault, _home: str) -> Receipt:
    return vault.undo()


class Write(NamedTuple):
    """A write that is to fail, and what comes before it."""

    name: str
    do: Callable[[Vault, str], Receipt]
    before: Callable[[Vault, str], Receipt] | None = None
    indexed: bool = False
    at_once: bool = True
    """By the system's own exchange; else by hard links."""


WRITES = (
    Write("append", _append),
    Write("append to a new file", _first),
    Write("edit", _edit),
    Write("new file", _new),
    Write("removal", _remove),
    Write("several files", _several),
    Write("undo of an edit", _undo, _edit),
    Write("undo of an append", _undo, _append),
    Write("undo of a removal", _undo, _remove),
    Write("append, indexed", _append, indexed=True),
    Write("edit by links", _edit, at_once=False),
    Write("new file by links", _new, at_once=False),
)


class Outcome(NamedTuple):
    """What came of one write."""

    fired: bool
    wrong: list[str]
    tree: dict[str, str]
    """The home afterwards, once it has been opened again."""


def tree(home: Path) -> dict[str, str]:
    """Every file of a home, but for temporary ones."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes().hex()
        for path in sorted(home.rglob("*"))
        if path.is_file() and not path.name.startswith(".memtui-")
    }


def attempt(write: Write, arm: Arm, number: int, error: int, goal: dict[str, str] | None) -> Outcome:
    """Make one write while its `number`-th call fails, and look at what is there then."""
    wrong: list[str] = []
    with scene() as place:
        (place.home / "MEMORY.md").write_bytes(OLD)
        vault = place.vault(index=write.indexed)
        home = str(vault.homes[0].path)
        if write.before is not None:
            write.before(vault, home)
        before, known = tree(place.home), _journalled()
        receipt: Receipt | None = None
        folder.AT_ONCE = write.at_once
        arm.set(number, error)
        try:
            receipt = write.do(vault, home)
        except MemtuiError as refused:
            if isinstance(refused.__cause__, MemtuiError) or not str(refused):
                wrong.append("errors without words")
        except BaseException as broken:
            wrong.append(f"tracebacks ({type(broken).__name__}: {broken})")
        fired = arm.fired()
        arm.set(0, 0)
        vault.close()
        vault = place.vault()
        after = tree(place.home)
        goal = goal or after
        if after not in (before, goal):
            wrong.append("neither old nor new")
        if receipt is not None and after != goal:
            wrong.append("acknowledged lost")
        if after == goal and _journalled() == known:
            wrong.append("written without history")
        wrong += ["leftovers" for name in place.leftovers() if not name.startswith("draft-")]
        if receipt is not None and write.do is not _undo:
            vault.undo(receipt.id)
            if tree(place.home) != before:
                wrong.append("not undone")
        vault.close()
    return Outcome(fired, wrong, after)


def _journalled() -> set[str]:
    return {record.id for record in Journal().records() if record.state != "interrupted"}


class Arm:
    """Counts calls in `os`, and fails one."""

    def __init__(self) -> None:
        self._left = self._error = 0
        self._fired = False
        for name in PATCHED:
            if hasattr(os, name):
                setattr(os, name, self._around(name, getattr(os, name)))
        real = folder._call()
        if real is not None:
            call = real
            folder._call = lambda: lambda *words: self._next("rename") or call(*words)  # type: ignore[assignment]

    def set(self, number: int, error: int) -> None:
        """Let the `number`-th call from now on fail; 0: none."""
        self._left, self._error, self._fired = number, error, False

    def fired(self) -> bool:
        """Whether it has."""
        return self._fired

    def _next(self, name: str) -> int:
        if self._left == 0 or (self._error == errno.EINTR and name in WAITED_OUT):
            return 0
        self._left -= 1
        self._fired = self._left == 0
        return self._error if self._fired else 0

    def _around(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **named: Any) -> Any:
            error = self._next(name)
            if error:
                raise OSError(error, os.strerror(error))
            return real(*words, **named)

        return call


class Below(Arm):
    """The same in the C library, by the shim that was loaded before it."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)

    def set(self, number: int, error: int) -> None:
        self._library.faults_arm(number, error)

    def fired(self) -> bool:
        return bool(self._library.faults_fired())


def _apart(write: Write, arm: Arm, number: int, error: int, goal: dict[str, str]) -> Outcome:
    """In a process of its own, as far as there is such a thing: what one fault broke must not touch the next."""
    if not isinstance(arm, Below):
        return attempt(write, arm, number, error, goal)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            found = attempt(write, arm, number, error, goal)
            with os.fdopen(writing, "w") as answer:
                json.dump((found.fired, found.wrong), answer)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    fired, wrong = json.loads(said) if said else (True, ["tracebacks (the process died)"])
    return Outcome(fired, wrong, {})


def _every(arm: Arm, stride: int) -> Iterator[tuple[str, int, int, list[str]]]:
    for write in WRITES:
        goal = attempt(write, arm, 0, 0, None)
        yield write.name, 0, 0, goal.wrong
        for error in ERRORS:
            for number in range(1, MOST, stride):
                outcome = _apart(write, arm, number, error, goal.tree)
                if not outcome.fired:
                    break
                yield write.name, number, error, outcome.wrong


def main() -> None:
    """Every write, every error, every n: one line of JSON each."""
    stride = int(sys.argv[1])
    arm = Below() if os.environ.get("LD_PRELOAD") else Arm()
    for name, number, error, wrong in _every(arm, stride):
        print(json.dumps([name, number, error, wrong]), flush=True)


def calls(stride: int = 1) -> Count:
    """Fail every `stride`-th call of every write, and count what went wrong."""
    wrong: Counter[str] = Counter()
    tried = 0
    with tempfile.TemporaryDirectory() as place:
        shim = _compiled(Path(place))
        env = {**os.environ, **({"LD_PRELOAD": str(shim)} if shim else {})}
        command = [sys.executable, "-m", "tests.faults.calls", str(stride)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        name, number, error, found = json.loads(line)
        tried += 1
        for what in found:
            wrong[what.split(" (")[0]] += 1
            print(f"  {name}: call {number}, {errno.errorcode.get(error, error)}: {what}", file=sys.stderr)
    if done.returncode:
        wrong["tracebacks"] += 1
        print(done.stderr, file=sys.stderr)
    kinds = ("neither old nor new", "acknowledged lost", "tracebacks", "written without history", "leftovers")
    wrong.update(dict.fromkeys(kinds, 0))
    where = "in the C library" if shim else "in Python"
    return Count(
        "the n-th system call fails (ENOSPC, EIO, EINTR, EACCES), every n, twelve kinds of write",
        f"{tried:,} writes, {where}",
        dict(wrong),
    ).with_least(tried, 12)


def _compiled(place: Path) -> Path | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    shim = place / "shim.so"
    source = Path(__file__).with_name("shim.c")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(source), "-ldl"]
    done = subprocess.run(command, capture_output=True, check=False)
    return shim if done.returncode == 0 else None


if __name__ == "__main__":
    main()
