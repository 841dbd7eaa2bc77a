"""A home's index: tokens and places in SQLite, derived from the files; deleting it loses nothing.

Above layouts, below search. Doors: `sync` (making it right), `watch` (hearing of changes), `queries.Index` (lists,
counts, rows), `filters` (a Filter as SQL), `transcript_tables` and `transcript_intake` (conversations). One
writer a home, any number of readers.
"""

from __future__ import annotations
