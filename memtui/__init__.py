"""memtui: see, search and look after what coding agents remember.

    from memtui import Vault

    with Vault.open([path]) as vault:
        for hit in vault.find("query", limit=10):
            print(hit.path, hit.start_line, hit.snippet)

What stands where, from the ground up; imports only go down (tests/test_floors.py):

    core            values and pure functions            search         a query put to homes: recall, rank, explain
    safety          text in, text out; demo, manual       language       what sentences and talks say
    fs, llm         the disk; a model that is asked       store          the vault and the one write path
    formats         one file a format: read and write     review, lifecycle, sessions, evolution     siblings
    layouts         one file a tool: all its facts        consolidation  their daily and weekly work
    index           tokens and places, derived            analysis       what is computed apart, in one process
    vectors         meaning, derived                      agents, tui, cli        the front doors

Three roads lead through it.

A file is saved and a pane shows it: `index.watch.Watch` hears of it, `store.live.Live._take_in` lets `index.sync`
compare etags and read what changed (`index.rows` → `formats` → `index.writer`, one transaction), `Subscribers` announce
the new generation, `tui.screen` asks the visible pane to read anew through `tui.executor` (`store.reading` parses the
few files whose lines are shown).

A key is pressed and the disk holds it: `tui.actions` names the verb, `tui.mutations` hands it to the writer's thread,
`store.verbs` or `review.queue` make edits of the bytes that stand there (`store.standing`), `Vault.apply` takes them:
`store.prepare` masks and checks, `store.write_path` locks and journals the intent, `store.carry_out` commits through
`fs.commit`, the journal says done, the path is indexed at once, and the receipt comes back to the status line.

Words are typed and hits appear: `search.inline` parts filters from words, `Vault.find` (`store.find`) lets
`search.inquiry` choose the backend of each home (`search.fts`, `search.scan`, `search.vector`), `search.rank` and
`search.reorder` order what was found, `search.texts` reads the lines that are shown from the files.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from memtui.core import __version__
    from memtui.store.vault import Vault

__all__ = ["Vault", "__version__"]


def __getattr__(name: str) -> object:
    # Hooks import this package hundreds of times a day; the engine is loaded by whoever asks for it.
    if name == "Vault":
        from memtui.store.vault import Vault

        return Vault
    if name == "__version__":
        from memtui.core import __version__

        return __version__
    raise AttributeError(f"module 'memtui' has no attribute {name!r}")
