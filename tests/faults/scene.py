"""Where a fault happens: a home, a user who has nothing else, and a log outside both of what was acknowledged."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.edits import Append, Edit, Piece
from memtui.fs.places import state
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator

DAILY = "daily/2026-02-24.md"
RECORDS = "daily/2026-02-24.jsonl"


class Count(NamedTuple):
    """One row of the table: how often a fault was made, and how often something went wrong."""

    fault: str
    tried: str
    wrong: dict[str, int]
    skipped: str = ""

    @property
    def failures(self) -> int:
        """Everything that went wrong."""
        return sum(self.wrong.values())

    def with_least(self, done: int, least: int) -> Count:
        """The same; wrong, where less was done than proves anything, as on a machine that stood still meanwhile."""
        return self if done >= least else self._replace(wrong={**self.wrong, f"only {done:,} done": 1})

    def row(self) -> str:
        """As a row of a Markdown table."""
        said = " · ".join(f"{number:,} {what}" for what, number in self.wrong.items())
        return f"| {self.fault} | {self.tried} | {said or self.skipped} |"


class Scene(NamedTuple):
    """A home of memtui's own layout, and a place for the log."""

    home: Path
    log: Path

    def vault(self, *, index: bool = False) -> Vault:
        """The vault on the home. What a dead process left is made right first, as at every start."""
        vault = Vault.open([self.home], wait=index)
        vault.current = index
        return vault

    def leftovers(self) -> list[str]:
        """What no write should leave: temporary files, unfinished intents, drafts that nobody made."""
        found = [path.name for path in self.home.rglob(".memtui-*")]
        for place in (state() / "journal" / "pending", state() / "drafts"):
            if place.is_dir():
                found += sorted(os.listdir(place))
        return found


def furnish(home: Path) -> None:
    """The directories and files that every scene begins with."""
    for directory in ("user", "daily", "sessions"):
        (home / directory).mkdir(parents=True)
    (home / "user" / "profile.md").write_bytes("# 个人\r\n- 喜欢短句".encode())
    (home / DAILY).write_bytes(b"- 2026-02-24T10:12:33Z [note] first\n")
    (home / RECORDS).write_bytes(b"")


@contextmanager
def scene(where: Path | None = None) -> Iterator[Scene]:
    """A scene that is gone afterwards, below `where` or the temporary directory."""
    with (
        tempfile.TemporaryDirectory(prefix="memtui-faults-", dir=where) as place,
        tempfile.TemporaryDirectory(prefix="memtui-faults-") as last_resort,
    ):
        root = Path(place)
        before, tempfile.tempdir, default = dict(os.environ), last_resort, tempfile.gettempdir()
        os.environ["HOME"] = place
        for kind in ("STATE", "CACHE", "CONFIG", "DATA", "RUNTIME"):
            name = f"XDG_{kind}_{'DIR' if kind == 'RUNTIME' else 'HOME'}"
            os.environ[name] = str(root / kind.lower())
        furnish(root / "home")
        try:
            yield Scene(root / "home", root / "log")
        finally:
            tempfile.tempdir = default
            os.environ.clear()
            os.environ.update(before)


def warm() -> None:
    """Import what a write imports: a process forked afterwards begins to write at once."""
    import memtui.index.build  # noqa: F401

    with scene() as place, place.vault() as vault:
        home = str(vault.homes[0].path)
        receipt = vault.apply([Append(home, DAILY, "- 2026-02-24T10:12:33Z [note] warm")], verb="append")
        vault.undo(receipt.id)
        vault.apply([Edit(home, "sessions/warm.md", None, (Piece(0, 0, b"# warm\n"),))], verb="add")
