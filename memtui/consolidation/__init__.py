"""Looking after homes by the day and by the week (specs 002, 003), and the worker that does what hooks left.

Above review, lifecycle, sessions and evolution: it calls all of them. Doors: `consolidate.run`, `worker.main`
(`python -m memtui.consolidation.worker`). Each step is one function in `STEPS`.
"""

from __future__ import annotations
