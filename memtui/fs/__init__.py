"""The disk: contained paths, atomic commits, appended records, locks, the journal of writes, places of our own.

Above safety, below formats. It knows no memory and no layout: bytes, paths and rows. Doors: `files` (reading inside a
home), `commit.commit` and `append_record` (writing), `locks`, `write_journal.Journal`, `places`.
"""

from __future__ import annotations
