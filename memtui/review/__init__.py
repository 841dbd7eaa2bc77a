"""What waits for a person's decision, and deciding it: proposals, duplicates, contradictions, outdated memories.

Floor: above store, beside lifecycle, sessions and evolution. Doors: `queue` (what waits; approve, reject,
reconsider), `census` (what a home remembers, compared), `checkup` (what wants looking after). Nothing here
changes a home before somebody approves.
"""

from __future__ import annotations
