"""An editor that knows no lock replaces the file while we commit to it: no line of its or ours is lost (T04).

The editor reads, adds a line, and renames a new file over the old one, again and again. Where it did not see our
line, and where ours must not replace its, the line is in the file, in a draft, or in the journal.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from memtui.core.edits import Edit, Piece
from memtui.core.errors import ConflictError
from memtui.fs.places import state
from memtui.fs.write_journal import Journal
from tests.faults.scene import Count, scene, warm

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.store.vault import Vault

PATH = "MEMORY.md"
PAUSE = 0.006
"""Seconds between two replacements at most: about as long as two commits take, so that about half of them conflict."""


ROUNDS = 20
"""How often the editor begins again at most where it was done before we got to commit much."""


def _hammer(file: Path, numbers: range) -> None:
    """The editor: it writes what it read and one line more."""
    chance = random.Random(1)
    for number in numbers:
        new = file.read_bytes() + b"- theirs %d\n" % number
        other = file.with_name("editor.new")
        other.write_bytes(new)
        other.replace(file)
        time.sleep(chance.uniform(0, PAUSE))


def _committed(vault: Vault, home: str, number: int) -> bool:
    base = vault.bytes_of(home, PATH) or b""
    edit = Edit(home, PATH, base, (Piece(len(base), len(base), b"- ours %d\n" % number),))
    try:
        vault.apply([edit], verb="add")
    except ConflictError:
        return False
    return True


def _everything(file: Path) -> set[bytes]:
    """Every line that stands anywhere: in the file, in drafts, in what the journal can bring back."""
    texts = [file.read_bytes()]
    drafts = state() / "drafts"
    texts += [path.read_bytes() for path in drafts.iterdir()] if drafts.is_dir() else []
    for record in Journal().records():
        texts += [side for done in record.changes for patch in done.patches for side in (patch.old, patch.new)]
    return {line for text in texts for line in text.split(b"\n")}


def outsider(times: int) -> Count:
    """So many replacements by the editor during our commits; every line it or we wrote is looked for."""
    wrong: Counter[str] = Counter()
    tried = 0
    ours: set[int] = set()
    warm()
    with scene() as place:
        file = place.home / PATH
        file.write_bytes(b"# MEMORY\n")
        vault = place.vault()
        home = str(vault.homes[0].path)
        least, written = times // 10, 0
        while not written or (min(len(ours), tried - len(ours)) < least and written < ROUNDS * times):
            numbers = range(written, written + times)
            written = numbers.stop
            child = os.fork()
            if child == 0:
                try:
                    _hammer(file, numbers)
                except BaseException:
                    sys.excepthook(*sys.exc_info())
                    os._exit(3)
                os._exit(0)
            ended = status = 0
            while not ended:
                ended, status = os.waitpid(child, os.WNOHANG)
                tried += 1
                if _committed(vault, home, tried):
                    ours.add(tried)
            wrong["editors that failed"] += os.waitstatus_to_exitcode(status) != 0
        vault.overtaken(ending=True)
        vault.close()
        wrong["leftovers"] += sum(not name.startswith("draft-") for name in place.leftovers())
        there = _everything(file)
        wrong["lines lost"] += sum(b"- theirs %d" % number not in there for number in range(written))
        wrong["lines lost"] += sum(b"- ours %d" % number not in there for number in ours)
    kinds = ("lines lost", "leftovers", "editors that failed")
    return Count(
        "an editor without locks replaces the file during our commits",
        f"{written:,} replacements, {len(ours):,} commits, {tried - len(ours):,} conflicts",
        {kind: wrong[kind] for kind in kinds},
    ).with_least(min(len(ours), tried - len(ours)), least)
