"""One memory on several machines, and a team's: files that their owner shares, kept by a PostgreSQL server.

Disk stays the truth. A machine pushes the files that `sharing` lets leave, as the difference of two lists of etags;
it pulls what others share into a mirror below the cache directory, which the engine indexes as any other home. One
row has one writer, its owner's machine; whoever wants a colleague's memory changed makes an offer, which waits in
that colleague's Review.

    sharing       what may leave, and why not; of many files: once for each content, by several processes
    membership    which teams this machine is in, and the connection to their server
    tables        tables, row-level security, migrations
    push, pull    one direction each; the cursor is the team's own counter
    exchange      both, once or for as long as somebody watches; what a person is told
    chunks        homes too large to copy: their words and vectors, sent by their owner
    server_search the same: what the server is asked, and how it answers
    search_tables the tables of these
    offers        changes that colleagues ask for
    wheel_server  the server that comes in a wheel

Floor: above review and its like, beside analysis. The driver is loaded by whoever connects (`memtui[team]`).
"""

from __future__ import annotations

import os
from importlib import import_module

from memtui.core.startup import TYPE_CHECKING
from memtui.fs.places import find_cache_directory

if TYPE_CHECKING:
    from memtui.store.vault import Vault


def attach_servers(vault: Vault) -> None:
    """Have searches ask for what others share and this machine does not copy, where it is in a team."""
    if os.path.isdir(find_cache_directory() / "team"):
        # Who is in no team pays nothing.
        vault.beyond = import_module("memtui.team.server_search").Beyond(vault.config.vector)
