"""What one step of a consolidation is given, and what it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtui.config import Config
    from memtui.errors import MemtuiError
    from memtui.model import Home
    from memtui.vault import Vault


class Work(NamedTuple):
    """One step at one home; a step for all homes looks at `vault.homes`."""

    vault: Vault
    config: Config
    home: Home
    now: float
    since: float
    """From when on to look back, in seconds since the epoch."""
    group: str
    dry_run: bool
    tell: Callable[[int, int], None]
    """How far it is: done, in all."""
    memo: Mapping[str, int] = {}
    """What this step left behind when it ran in the same period."""

    @property
    def name(self) -> str:
        """The home's path, as `Home.path` prints it."""
        return str(self.home.path)


class Told(NamedTuple):
    """What came of it: see `report.Step`."""

    counts: Mapping[str, int] = {}
    lines: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    memo: Mapping[str, int] = {}
    """What it wants to know when it runs again in the same period."""
    failed: bool = False
    """Something of it could not be written, as `unable` tells: whoever started the run is to notice."""


def unable(error: MemtuiError) -> bool:
    """Whether it could not be done, a full or read-only disk for one; what is refused was done as it should be."""
    return error.exit_status == UnavailableError.exit_status


def brief(text: str, most: int = 80) -> str:
    """A text on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
