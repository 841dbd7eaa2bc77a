"""How many session summaries a home keeps (spec 000: the newest twenty): older ones go to the trash, never for good."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.edits import Edit
from memtui.errors import ConflictError, RefusedError
from memtui.layouts import layout
from memtui.locale import _n
from memtui.sessions.record import place

if TYPE_CHECKING:
    from memtui.edits import Receipt
    from memtui.model import Home
    from memtui.sessions.session import Session
    from memtui.vault import Vault

LAYOUTS = frozenset({"helloagents", "memtui"})
"""Those of spec 000; other tools look after their own."""
_AT_ONCE = 50


def overdue(home: Home, session: Session, keep: int) -> list[str]:
    """The summaries that are over the limit, oldest first, relative to the home; never this session's own.

    Only files that are a session's summary by the home's layout, directly beside this one's; 0 keeps all.
    """
    if keep < 1 or home.layout not in LAYOUTS:
        return []
    try:
        own = place(home, session, 0.0)
    except RefusedError:
        return []
    folder, _slash, name = own.path.rpartition("/")
    found: list[tuple[int, str]] = []
    kind = layout(home.layout)
    try:
        with os.scandir(os.path.join(home.path, folder)) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}"
                role = kind.role(home.path, path)
                if role is not None and role.parser == "session" and entry.is_file(follow_symlinks=False):
                    found.append((entry.stat(follow_symlinks=False).st_mtime_ns, path))
    except OSError:
        return []
    found.sort()
    old = found[: max(0, len(found) - keep)]
    return [path for _time, path in old if path != f"{folder}/{name}"]


def retain(vault: Vault, home: Home, session: Session, keep: int, *, who: str) -> Receipt | None:
    """Move what is overdue to the trash, in one write that `undo` takes back; None: nothing is."""
    gone: list[Edit] = []
    for path in overdue(home, session, keep)[:_AT_ONCE]:
        data = vault.bytes_of(str(home.path), path)
        if data is not None:
            gone.append(Edit(str(home.path), path, data, (), remove=True))
    if not gone:
        return None
    what = _n("moved {count} old summary to the trash", "moved {count} old summaries to the trash", len(gone))
    try:
        return vault.apply(gone, verb="retention", who=who, what=what, confirmed=True)
    except ConflictError:
        # Somebody is writing one of them this moment: it is not old, and the next run looks again.
        return None
