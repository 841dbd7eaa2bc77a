"""Saying how a pattern stands (spec 002): dealt with, muted, or to be watched again. Who said so stands in the log.

A home without a log of its own has its patterns settled in that of memtui's home, under names that say whose they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.digest import sha256
from memtui.errors import UsageError
from memtui.evolution import audit, ledger
from memtui.evolution.events import SIGNALS, Settled
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.config import EvolutionConfig
    from memtui.edits import Receipt
    from memtui.evolution.events import PatternStatus
    from memtui.evolution.patterns import Pattern
    from memtui.model import Home
    from memtui.vault import Vault


def settle(
    vault: Vault, home: Home, key: str, status: PatternStatus, reason: str = "", *, who: str = "person"
) -> Receipt:
    """Append that the pattern with this key stands so from now on: addressed, suppressed, or active again.

    Raises UsageError for what is no pattern's key, and what `Vault.apply` does.
    """
    if key.partition(":")[0] not in SIGNALS or key.endswith(":"):
        raise UsageError(
            _("'{key}' is no pattern: it begins with the type of a signal.").format(key=key[:80])
        )
    said = Settled(named(home, key), status, clock.now(), who, reason)
    return audit.settled(vault, home, said, who=who)


def named(home: Home, key: str) -> str:
    """What a pattern of this home is called in the log that takes its events."""
    return key + _whose(home)


def of(vault: Vault, home: Home) -> tuple[Settled, ...]:
    """What was said of this home's patterns, whichever log it stands in."""
    log, behind = ledger.of(vault, home), _whose(home)
    if not behind:
        return tuple(one for one in log.settled if " @" not in one.pattern)
    ours = (one for one in log.settled if one.pattern.endswith(behind))
    return tuple(one._replace(pattern=one.pattern.removesuffix(behind)) for one in ours)


def remark(pattern: Pattern, status: PatternStatus, config: EvolutionConfig) -> str:
    """What to know before a pattern is settled so, for a person; empty: nothing."""
    if status == "suppressed" and pattern.count < config.high:
        return _(
            "It is heard in {count} of {window} sessions only: muting is meant for {high} and more."
        ).format(count=pattern.count, window=pattern.window, high=config.high)
    return ""


def _whose(home: Home) -> str:
    """What stands behind the key of a pattern in a log that is not the home's own."""
    if audit.where(home).path == home.path:
        return ""
    return f" @{sha256(str(home.path).encode('utf-8', 'surrogateescape'))[:12]}"
