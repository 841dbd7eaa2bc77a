"""The daily and weekly care of homes (specs 002, 003), and the worker that does what hooks left.

Floor: above review, lifecycle, sessions and evolution, all of which it calls; below analysis. Doors:
`consolidate.run` and `worker.main` (`python -m memtui.consolidation.worker`). A step is one function in
`consolidate.DAILY` or `consolidate.WEEKLY`.
"""

from __future__ import annotations
