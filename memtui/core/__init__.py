"""The types that all packages share, and pure functions on them: models, errors, texts, times, settings, edits.

Floor: the lowest; it imports nothing of memtui and does no I/O but reading and writing the config file. Doors:
`model` (Home, Memory, Filter, Hit), `errors`, `config`, `edits` (Draft, Edit, Append), `clock`, `locale._`.
`startup` replaces standard modules that are slow to import.
"""

from __future__ import annotations

__version__ = "0.1.0"
