"""The labels that a summary puts before the facts that it lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.formats import kinds

if TYPE_CHECKING:
    from memtui.core.model import Memory

LABEL = re.compile(r"\*{0,2}([^*:：\n]{1,40})\*{0,2}\s*[:：]\s*\*{0,2}\s*")


def strip_summary_label(fact: Memory) -> str:
    """The fact without the label that a summary gives it ('**决策**: 选择 JWT')."""
    match = LABEL.match(fact.text)
    if match and kinds.match_exact_kind(match[1]) and fact.text[match.end() :].strip():
        return fact.text[match.end() :].strip()
    return fact.text.strip()
