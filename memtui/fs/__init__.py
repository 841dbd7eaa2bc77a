"""The disk: contained paths, atomic commits, appended records, locks, the journal of writes, memtui's own directories.

Floor: above safety, beside llm, below formats; it knows bytes, paths and rows, but no memory and no layout.
Doors: `files` (reading inside a home), `commit.commit` and `commit.append` (writing), `locks`,
`write_journal.Journal`, `places`.
"""

from __future__ import annotations
