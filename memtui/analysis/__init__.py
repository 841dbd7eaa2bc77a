"""What is computed about memories apart from what a person sees: Review's queue, the evolution overview, effects.

Rows of memories come from the index at once. What needs all of them together (what is said twice, what
contradicts what, what came back) takes seconds on a large home, so one process of low priority computes it
(`process`), it is kept in a derived file beside the index (`derived`), and read from there by `analyst`.
Deleting that file loses nothing.

Floor: above consolidation, below agents. Doors: `analyst.Analyst` and `process.update_analyses`.
"""

from __future__ import annotations

REST = 3.0
"""So many times as long as the last run took, it rests before the next: agents write to their journals all the time."""
LONGEST_REST = 30.0


def compute_rest(took: float) -> float:
    """Seconds to rest after a run that took so many."""
    return min(REST * took, LONGEST_REST)
