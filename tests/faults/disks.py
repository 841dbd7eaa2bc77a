"""A disk that is full, and one that cannot be written: what stood there stands, what was meant is kept (F4)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.edits import Append, Edit, Piece
from memtui.core.errors import FullError, MemtuiError, ReadOnlyError
from tests.faults.scene import DAILY, Count, furnish, scene

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.edits import Change
    from memtui.store.vault import Vault
    from tests.faults.scene import Scene

SIZE = "512k"


@contextmanager
def small_disk(where: Path) -> Iterator[Path]:
    """A disk with little room, mounted there."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(where)], check=True)
    try:
        yield where
    finally:
        subprocess.run(["umount", "-l", str(where)], check=True)


def mountable() -> str:
    """Why no disk can be mounted; empty: one can."""
    if sys.platform != "linux" or os.getuid() != 0:
        return "not run: mounting needs Linux and root"
    with tempfile.TemporaryDirectory() as place:
        command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return "not run: nothing can be mounted here"
        subprocess.run(["umount", place], check=True)
    return ""


def _change(vault: Vault, home: str, number: int) -> tuple[Change, bytes]:
    text = f"- 2026-02-24T10:12:33Z [note] {number} {'x' * (number * 977 % 18_000)}"
    if number % 2:
        return Append(home, DAILY, text), text.encode()
    base = vault.bytes_of(home, "MEMORY.md") or b""
    new = b"%d %s\n" % (number, b"y" * (number * 577 % 18_000))
    return Edit(home, "MEMORY.md", base, (Piece(len(base), len(base), new),)), new


def _tried(place: Scene, times: int, expected: type[MemtuiError], wrong: Counter[str]) -> tuple[int, int]:
    """So many writes: how many were made, how many refused."""
    done = refused = 0
    with place.vault() as vault:
        home = str(vault.homes[0].path)
        for number in range(1, times + 1):
            change, text = _change(vault, home, number)
            path = place.home / change.path
            before = path.read_bytes()
            try:
                vault.apply([change], verb="add")
                done += 1
                wrong["acknowledged lost"] += text not in path.read_bytes()
            except expected as error:
                refused += 1
                wrong["originals changed"] += path.read_bytes() != before
                wrong["drafts lost"] += not _drafted(str(error), text)
            except MemtuiError:
                wrong["other errors"] += 1
            except Exception as error:
                wrong["tracebacks"] += 1
                if wrong["tracebacks"] <= 5:
                    print(f"  {type(error).__name__}: {error}", file=sys.stderr)
        vault.overtaken(ending=True)
    return done, refused


def _drafted(message: str, text: bytes) -> bool:
    """Whether the error names a file that holds what was to be written."""
    named = re.search(r"(/\S*/draft-\S+?)\.?$", message)
    return named is not None and os.path.exists(named[1]) and text in Path(named[1]).read_bytes()


def disks(times: int) -> Count:
    """Write to a disk until it is full and on, the journal elsewhere and on it too; then to one that is read-only."""
    fault = "the disk is full, for the home and for the journal; the disk is read-only"
    reason = mountable()
    if reason:
        return Count(fault, "", {}, reason)
    wrong: Counter[str] = Counter()
    done = refused = 0
    for together in (False, True):
        with tempfile.TemporaryDirectory(prefix="memtui-faults-") as outside, ExitStack() as stack:
            if together:
                place = stack.enter_context(scene(stack.enter_context(small_disk(Path(outside)))))
            else:
                place = stack.enter_context(scene())
                stack.enter_context(small_disk(place.home))
                furnish(place.home)
            (place.home / "MEMORY.md").write_bytes(b"# MEMORY\n")
            (place.home / "ballast").write_bytes(b"x" * 50_000)
            made, not_made = _tried(place, times, FullError, wrong)
            done, refused = done + made, refused + not_made
            disk = Path(outside) if together else place.home
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            made, not_made = _tried(place, times // 4, ReadOnlyError, wrong)
            wrong["acknowledged lost"] += made
            refused += not_made
            subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
            # With room again, what could not be written down is.
            (place.home / "ballast").unlink()
            place.vault().close()
            wrong["leftovers"] += sum(not name.startswith("draft-") for name in place.leftovers())
    kinds = (
        "originals changed", "acknowledged lost", "drafts lost", "other errors", "tracebacks", "leftovers",
    )  # fmt: skip
    return Count(fault, f"{done:,} writes done, {refused:,} refused", {kind: wrong[kind] for kind in kinds}).with_least(
        min(done, refused), 1
    )
