"""Founder's stand-in so that `vault.apply` imports: S overwrites this file with the engine (same names)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Secret(NamedTuple):
    """A secret, by offsets in the input."""

    kind: str
    start: int
    end: int
    mask: str
    sure: bool


class Redacted(NamedTuple):
    """Text without its secrets."""

    text: str
    secrets: tuple[Secret, ...]


def redact(text: str, patterns: Sequence[re.Pattern[str]] = ()) -> Redacted:
    """Mask secrets."""
    found = [Secret("token", m.start(), m.end(), "ghp_…", True) for m in re.finditer(r"ghp_\w{36}", text)]
    for secret in reversed(found):
        text = text[: secret.start] + secret.mask + text[secret.end :]
    return Redacted(text, tuple(found))


def compiled(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """The config's patterns."""
    return tuple(map(re.compile, patterns))
