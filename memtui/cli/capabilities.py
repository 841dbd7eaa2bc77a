"""Skills that are made of patterns: drafted, listed, taken away. Verbs of `memtui evolution`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.cli.evolution import Asked
    from memtui.model import Home
    from memtui.vault import Vault


def draft(opened: Vault, home: Home, asked: Asked) -> int:
    """A skill drafted from what comes back; it waits in Review."""
    from memtui.cli import candidates
    from memtui.cli.evolution import looked
    from memtui.cli.settling import meant
    from memtui.evolution.skills import capability

    key = meant(looked(opened, home), asked.name).key if asked.name else ""
    made = capability.propose(opened, home, key, force=asked.force, who="person")
    if asked.as_json:
        output.document({"candidate": candidates.plain(made)})
    else:
        candidates.table([made])
        output.talk(_("It waits: `memtui review show {id}`.").format(id=made.id[: candidates.SHOWN]))
    return 0


def listed(opened: Vault, home: Home, asked: Asked) -> int:
    """Those that were installed."""
    from memtui.cli.record import jsonable
    from memtui.evolution.skills import installed

    found = installed.installed(opened, home)
    if asked.as_json:
        output.document({"home": str(home.path), "skills": [jsonable(one._asdict()) for one in found]})
    elif found:
        output.table(
            [
                output.Column(_("skill"), output.BOLD),
                output.Column(_("from")),
                output.Column(_("where"), output.CYAN, grows=True),
            ],
            [[one.name, one.pattern, one.path] for one in found],
        )
    else:
        output.talk(_("No skill was made of a pattern yet."))
    return 0 if found else 1


def remove(opened: Vault, home: Home, asked: Asked) -> int:
    """Take a skill away; its pattern is active again."""
    from memtui.cli import receipts
    from memtui.evolution.skills import installed

    receipt = installed.remove(opened, home, asked.name, who="person", confirmed=asked.force)
    if asked.as_json:
        output.document({"removed": asked.name, "receipt": receipts.plain(receipt)})
    else:
        receipts.say([receipt])
    return 0
