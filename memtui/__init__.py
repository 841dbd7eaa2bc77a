"""memtui: see, search and look after what coding agents remember.

    from memtui import Vault

    with Vault.open([path]) as vault:
        for hit in vault.find("query", limit=10):
            print(hit.path, hit.start_line, hit.snippet)

The packages, from the ground up; imports only go down (tests/test_floors.py):

    core                    types that all share, pure functions, settings
    safety, demo, manual    text in, text out; the bundled homes; the pages of help
    fs, llm                 the disk: read, commit, lock, journal; one question to a model
    formats                 one file a format: bytes to entries, and back
    layouts                 one file a tool: its homes, and what each file in them is
    index                   tokens and places of a home in SQLite, derived
    vectors                 meaning of its memories, derived
    search                  a query put to homes: find, rank, explain
    language                sentences: memories, trouble and claims in them
    store                   the vault: homes opened together, and the one write path
    review, lifecycle, sessions, evolution    what waits; what ages; what sessions leave; what use teaches
    consolidation           the daily and weekly care of homes
    analysis                what is computed apart, in one process of low priority
    team                    what machines and people share, over a PostgreSQL server
    agents, tui, cli        the front doors

Whoever adds something writes it in one place, and a line in the table that is named here:

    a layout, and what its tool does    layouts/<name>.py, layouts.LAYOUTS and its signs in layouts._SIGNS
    an agent's sessions and summaries   layouts.tracks.TRACKS, layouts.trace_sources, sessions.forms.FORMS
    a tool that is only read            layouts.other_tools.TOOLS, and its signs in layouts.OTHERS or OTHER_USER_SIGNS
    a file format       formats/<name>.py, formats.PARSERS to read it, formats.FORMATS to write it
    a column            index.schema.ENTRY, filled by index.rows.Chunker and given back by index.queries.Index;
                        to sort by it: core.model.Order, index.queries._ORDERS and _KEYS, tui.panes.layer_view.ORDERS
    a filter            core.model.Filter, search.inline.NAMES, index.filters (for rows, and for what no index holds)
    a model of vectors  vectors/<name>.py, vectors.models.BACKENDS
    a language that is read             language/<code>.py, language.sentences.LANGUAGES
                        (of several in Latin letters only the last is read: sentences.list_languages comes first)
    a language of the interface         locale/<code>/, manual/<code>/, core.locale.LANGUAGES
    a type of signal    language.conversation.SIGNAL_TYPES, its signs in language/<code>.py; then tests.language.stems
                        and tests.language.train
    a kind of Review's cards            store.candidates.Origin, review/<name>.py, review.queue.list_proposals,
                        tui.candidate_rows, tui.paint.ORIGIN_WORDS, cli.review_commands.ORIGINS
    a secret's vendor   safety.vendors.VENDORS
    a step of the care  consolidation/daily_steps.py, consolidation.consolidate.DAILY
    a tool for agents   agents/recall.py (it reads) or agents/tools.py (it writes), agents.tools.TOOLS
    a hook event        agents/hooks/<family>_events.py, agents.hooks.EVENTS, and agents.install.wiring to have it fired
    a verb              store/verbs.py, tui/memory_verbs.py, tui.mutations.VERBS (and NEEDS), tui.actions.WRITES,
                        cli.facts_commands; undo comes of itself
    a view              tui/panes/<name>.py, tui.panes.PANES
    a command           cli/<family>_commands.py, cli.COMMANDS
    a setting           core.config.Config, core.config_keys.ABOUT
    a page of the manual                manual.TOPICS, manual/<name>.md and manual/zh/<name>.md

What a layout, a parser or a vendor makes of the same bytes is kept: whoever changes it raises formats.VERSION.
`python -m tests.words` then brings the catalogue up to date, `python -m tests.readme` the manual.

Three roads lead through it; each line leads to the next.

A file is saved and a pane shows it:

    index.watch.Watch              hears of it, on its own thread, and calls
    store.live.Live._take_in       for the home; store.home.OpenHome.sync has its index brought up to date:
    index.sync.sync                plan_sync compares, index.rows.take reads and parses (formats.parse), and
    index.writer.IndexWriter       writes the rows, in one transaction, generation + 1
    store.vault.Vault.announce     store.home.Subscribers.tell passes the generation on, as a message, to
    tui.screen.MainScreen.on_vault_changed    whose visible pane (panes.pane.Pane.refresh_view) asks again:
    tui.executor.LatestOnlyExecutor.ask       runs the question on a reader's thread (panes.listing.read),
    store.reading.Readings         parses the few files whose lines are shown, and the rows are drawn

A key is pressed and the disk holds it:

    tui.screen.MainScreen.do       finds the verb in tui.actions.ACTIONS; its function asks
    tui.mutations.Hand.do          for the verb's own function (tui.memory_verbs, the pane), which hands a job to
    tui.executor.SerialExecutor.write         on the writer's thread:
    store.verbs, review.queue      store.standing.locate_memory finds the memory in the bytes of now and makes edits
    store.writing.Writing.apply    passes them to store.write_path.Writes.apply:
    store.write_path.prepare_changes          masks new secrets and stops accidents; then, under hold_lock, between
    fs.write_journal.Journal       begin and finish, store.carry_out.carry_out commits each file by fs.commit.commit
    store.writing.Writing.taken_in has the paths indexed at once; Hand.receive puts the receipt in the status line

Words are typed and hits appear:

    tui.panes.search_answers.Answers          asks on a reader's thread, as `memtui search` and memory_search do:
    store.find.Finder.find         search.inline parts filters from words, store.routes finds documents by rules
    search.search                  search.query.parse makes terms, and
    search.inquiry.Inquiry         asks each home's backend: search.fts.Lookup, or search.scan.Scan, and vector.Sense
    search.rank.rank               scores the candidates' texts (search.texts), with meaning where there are vectors
    search.reorder                 puts near-duplicates further down; search.texts.build_snippet cuts out the line
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
