"""Rules that lead to documents which are not there: an agent that follows them finds nothing."""

from __future__ import annotations

import os

from memtui.record import TYPE_CHECKING, NamedTuple
from memtui.routing import book
from memtui.routing.loader import configured
from memtui.routing.places import Places
from memtui.routing.rule import PLACEHOLDER

if TYPE_CHECKING:
    from memtui.model import Home
    from memtui.routing.rule import Rule
    from memtui.vault import Vault


class Astray(NamedTuple):
    """A rule whose document none of the open homes has."""

    home: str
    path: str
    """Of the rules file in that home; empty: it stands above it, or is the config."""
    line: int
    source: str
    """File and line, for a person."""
    target: str


def astray(vault: Vault) -> list[Astray]:
    """The rules that lead nowhere, but for those with a placeholder, or to places outside of the home."""
    found: dict[tuple[str, ...], Astray] = {}
    there: set[tuple[str, ...]] = set()
    own = configured(vault.config.routing.triggers)
    for home in vault.homes:
        with Places(home) as places:
            for rule in (*book(vault, home).rules, *own):
                for target in rule.targets if rule.claims else ():
                    meant = [] if PLACEHOLDER.search(target) else list(places.written(rule, target))
                    # One loader may be read for two homes: the document stands in one of them.
                    key = (rule.source, target, str(home.path) if rule.layered else "")
                    if any(map(places.there, meant)):
                        there.add(key)
                    elif meant:
                        found.setdefault(key, _astray(home, rule, target))
    return [one for key, one in found.items() if key not in there]


def _astray(home: Home, rule: Rule, target: str) -> Astray:
    path, _colon, line = rule.source.rpartition(":")
    stands = bool(path) and os.path.lexists(home.path / path)
    return Astray(str(home.path), path if stands else "", int(line) if stands else 0, rule.source, target)
