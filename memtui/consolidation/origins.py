"""What Review is handed of `evolution`: lessons that do little, and skills."""

from __future__ import annotations

from memtui.evolution.experiences import propose_weak_lessons
from memtui.evolution.skill_proposals import build_skill_changes, open_skill_writer, propose_skills
from memtui.review.proposals import Evolved

EVOLVED = Evolved(propose_weak_lessons, propose_skills, build_skill_changes, open_skill_writer)
