"""The stores of homes that could not be read at all: what is in them, nobody can say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.layouts import layout
from memtui.model import Filter

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from memtui.model import Layer
    from memtui.vault import Vault


class Unread(NamedTuple):
    """One file, or a whole home."""

    home: str
    """The home's path, as `Home.path` prints it."""
    path: str
    """Relative to the home; empty: the home itself."""
    reason: str
    """For a person."""


def unread(vault: Vault, layers: Set[Layer], homes: frozenset[str] = frozenset()) -> Iterator[Unread]:
    """Homes that are away, and files of these layers that are not understood and of which nothing is known."""
    for state in vault.status():
        home, root = state.home, str(state.home.path)
        if homes and root not in homes:
            continue
        if state.away:
            yield Unread(root, "", state.warning)
        kind = layout(home.layout)
        for problem in state.problems:
            role = None if problem.line else kind.role(home.path, problem.path)
            wanted = Filter(homes=frozenset({root}), statuses=frozenset(), path=problem.path, parts=True)
            if role is not None and role.layer in layers and not vault.ids(wanted, limit=1):
                yield Unread(root, problem.path, problem.reason)
