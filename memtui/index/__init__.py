"""A home's index: tokens and places in SQLite, derived from the files; deleting it loses nothing.

Floor: above layouts, below vectors and search. Doors: `sync` (bring it up to date), `watch` (hear of changes),
`queries.Index` (lists, counts, rows), `filters` (a Filter as SQL), `transcript_tables` and `transcript_intake`
(conversations). A home has one writer at a time and any number of readers.
"""

from __future__ import annotations
