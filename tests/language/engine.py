"""The public doors that are measured."""

from __future__ import annotations

from memtui.language.signals import find_in_talk as signals
from memtui.language.summary import extract

__all__ = ["extract", "signals"]
