"""Which home's audit log takes what an agent says it used (spec 002)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.errors import UsageError
from memtui.evolution import audit
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.agents.caller import Caller
    from memtui.model import Home
    from memtui.vault import Vault


@contextmanager
def home_for(caller: Caller, named: str) -> Iterator[tuple[Vault, Home]]:
    """The home whose log takes it: the one that the memory stands in, else the session's, else memtui's own."""
    from memtui.curation.destination import made, own
    from memtui.vault import Vault

    with caller.own() as (vault, first):
        among = [home for home in vault.homes if str(home.path) == named]
        fit = next(
            (home for home in (*among, first, *vault.homes) if home.writable and audit.keeps(home)), None
        )
        if fit is not None:
            yield vault, fit
            return
    if caller.fixed:
        raise UsageError(_("No home that is open here keeps an audit log."))
    with Vault([made(own())], caller.config) as mine:
        mine.current = False
        yield mine, mine.homes[0]
