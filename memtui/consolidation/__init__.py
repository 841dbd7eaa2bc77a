"""The daily and weekly care of homes (specs 002, 003), and the worker that does what hooks left.

Floor: above review, lifecycle, sessions and evolution, all of which it calls; below analysis. Doors:
`consolidate.run` and `worker.main` (`python -m memtui.consolidation.worker`). A step is one function in
`consolidate.DAILY` or `consolidate.WEEKLY`.

What Review is handed of `evolution`: lessons that do little, and skills.
"""

from __future__ import annotations

from memtui.evolution.experiences import propose_weak_lessons
from memtui.evolution.skill_proposals import build_skill_changes, open_skill_writer, propose_skills
from memtui.review.proposals import Evolved

EVOLVED = Evolved(propose_weak_lessons, propose_skills, build_skill_changes, open_skill_writer)
