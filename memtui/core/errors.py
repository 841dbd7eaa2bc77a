"""What can go wrong, sorted by what a person can do about it. Each class carries the command's exit status.

MemtuiError
├── UsageError            2  wrong use
├── RefusedError          3  containment, policy, conflict
│   ├── OutsideError      3  a path that leaves its home
│   ├── ConflictError     3  the file is no longer what the change was made from
│   ├── UnconfirmedError  3  a change so large that somebody must confirm it first
│   └── QuarantinedError  3  text that reads like an order to an agent, put aside
└── UnavailableError      4  disk, permission, lock
    ├── LockedError       4  another process is writing
    ├── FullError         4  no room on the disk, or no quota left
    ├── ReadOnlyError     4  the disk, directory or file cannot be written
    ├── VanishedError     4  the disk or directory is gone
    └── StaleIndexError   4  the derived index cannot be used; searches fall back to scan
        └── UnwritableIndexError  4  it can be read but not updated: no room, or read-only

`name_install_command` is the end of a sentence about what is not installed: memtui may have an environment of its
own, and its name need not be known to a package index.
"""

from __future__ import annotations

import os
import sys

from memtui.core.startup import compile_pattern


class MemtuiError(Exception):
    """A sentence for a person: what happened, where, what to do next."""

    exit_status = 4
    place: tuple[str, str] | None = None
    """Home and path of the file that a write of several could not write, where it was one."""


class UsageError(MemtuiError):
    """Asked for in a way that cannot be meant."""

    exit_status = 2


class RefusedError(MemtuiError):
    """Understood, and not done: it would break a promise."""

    exit_status = 3


class OutsideError(RefusedError):
    """A path that leaves its home, or passes through a link (spec 001 §6.1)."""


class ConflictError(RefusedError):
    """The file is no longer what the change was made from. Nothing was written; all three texts are here."""

    def __init__(
        self,
        message: str,
        *,
        home: str,
        path: str,
        base: bytes | None,
        theirs: bytes | None,
        mine: bytes | None,
        kept: str = "",
    ) -> None:
        super().__init__(message)
        self.home, self.path = home, path
        self.base = base
        """What the change was made from; None: there was no file."""
        self.theirs = theirs
        """What stands there now; None: nothing."""
        self.mine = mine
        """What would have been written; None: the file would have gone."""
        self.kept = kept
        """Where `mine` is kept on disk until somebody decides."""


class UnconfirmedError(RefusedError):
    """So large a change that it looks like an accident: `confirmed=True` does it."""


class QuarantinedError(RefusedError):
    """Text from an agent that reads like an order to agents: it waits in Review, nothing was written."""

    def __init__(self, message: str, *, text: str = "", rules: tuple[str, ...] = (), kept: str = "") -> None:
        super().__init__(message)
        self.text, self.rules = text, rules
        self.kept = kept
        """The quarantined text's id."""


class UnavailableError(MemtuiError):
    """The disk, a permission or a lock stands in the way."""

    exit_status = 4


class LockedError(UnavailableError):
    """Another process is writing, and went on for longer than one waits."""


class FullError(UnavailableError):
    """No room on the disk, or no quota left."""


class ReadOnlyError(UnavailableError):
    """The disk, the directory or the file cannot be written."""


class VanishedError(UnavailableError):
    """The disk or the directory that held it is gone."""


class StaleIndexError(UnavailableError):
    """The derived index is missing, corrupt, locked or of another schema; whoever asked should scan."""


class UnwritableIndexError(StaleIndexError):
    """There is no room for the derived index, or it is read-only: what it holds stays, whoever searches scans."""


def describe_os_error(error: OSError) -> str:
    """The system's reason in lower case, as the end of a sentence."""
    return (error.strerror or "unknown error").lower()


_NAMED = compile_pattern(r"\s*([A-Za-z0-9][\w.-]*)\s*([^;\[]*)")


def name_install_command(*packages: str) -> str:
    """The command for a shell that installs these packages where memtui looks for them, in versions that fit it."""
    # Errors are imported by all; who lacks something can wait.
    import shlex
    from importlib.util import find_spec

    wanted = [_add_version(package) for package in packages]
    if "pipx" in sys.prefix.split(os.sep):
        return shlex.join(["pipx", "inject", "memtui", *wanted])
    if find_spec("pip") is None:
        return shlex.join(["uv", "pip", "install", "--python", sys.executable, *wanted])
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])


def _add_version(package: str) -> str:
    """The package as memtui's own metadata asks for it."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needed = requires("memtui") or []
    except PackageNotFoundError:
        needed = []
    named = (match for line in needed if (match := _NAMED.match(line)) is not None)
    versions = {match[1].lower(): match[2].strip().strip("()") for match in named}
    return package + versions.get(package.lower(), "")
