"""Founder's stand-in so that `vault.apply` imports: S overwrites this file with the engine (same names)."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Verdict(NamedTuple):
    """What a text looks like."""

    action: Literal["none", "warn", "quarantine"]
    rules: tuple[str, ...]


def examine(text: str) -> Verdict:
    """Whether it reads like an order to agents."""
    bad = "忽略之前的" in text or "ignore all previous instructions" in text.lower()
    return Verdict("quarantine", ("override",)) if bad else Verdict("none", ())
