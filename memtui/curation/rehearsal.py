"""A verb tried out: everything as it would be done, but that nothing is written and the changes are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from memtui import clock
from memtui.edits import Receipt, RowEdit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.edits import Change
    from memtui.vault import Vault


class _Rehearsal:
    """A vault whose `apply` only notes what it is given."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.changes: list[Change] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.vault, name)

    def apply(
        self,
        changes: Sequence[Change],
        *,
        verb: str,
        who: str = "person",
        what: str = "",
        group: str = "",
        confirmed: bool = False,
    ) -> Receipt:
        wanted, warnings = self.vault.checked(changes, verb=verb, who=who, confirmed=confirmed)
        for change in wanted:
            if isinstance(change, RowEdit):
                from memtui.disk import rows

                rows.expect(change)
        self.changes += wanted
        return Receipt("", clock.now(), verb, who, what, group=group, warnings=warnings)


def rehearsed(vault: Vault, verb: Callable[[Vault], Receipt]) -> tuple[tuple[Change, ...], Receipt]:
    """What the verb would write, new secrets masked, and what it would say. Raises as the verb does."""
    stage = _Rehearsal(vault)
    receipt = verb(cast("Vault", stage))
    return tuple(stage.changes), receipt
