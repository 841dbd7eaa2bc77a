"""What can go wrong, by what a person can do about it. Each class carries the command's exit status.

MemtuiError
├── UsageError        2  wrong use
├── RefusedError      3  containment, policy, conflict
│   └── OutsideError  3  a path that leaves its home
└── UnavailableError  4  disk, permission, lock
    └── StaleIndexError  4  the derived index cannot be used; searches fall back to scan
"""

from __future__ import annotations


class MemtuiError(Exception):
    """A sentence for a person: what happened, where, what to do next."""

    exit_status = 4


class UsageError(MemtuiError):
    """Asked for in a way that cannot be meant."""

    exit_status = 2


class RefusedError(MemtuiError):
    """Understood, and not done: it would break a promise."""

    exit_status = 3


class OutsideError(RefusedError):
    """A path that leaves its home, or passes through a link (spec 001 §6.1)."""


class UnavailableError(MemtuiError):
    """The disk, a permission or a lock stands in the way."""

    exit_status = 4


class StaleIndexError(UnavailableError):
    """The derived index is missing, corrupt, locked or of another schema; whoever asked should scan."""
