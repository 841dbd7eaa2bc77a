"""Values and pure functions, no I/O: the words of the house as types, errors, texts, times, settings, edits.

The ground floor: everything stands on it, it imports nothing of ours. Doors: `model` (Home, Memory, Filter, Hit),
`errors`, `config`, `edits` (Draft, Edit, Append), `clock`, `locale._`. `startup` replaces standard modules that are
slow to import.
"""

from __future__ import annotations

__version__ = "0.1.0"
