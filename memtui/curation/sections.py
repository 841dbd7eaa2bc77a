"""What a fact is to core memory (spec 004): W, B or O, and which of its sections it belongs under.

Which heading of the file at hand means that section, in its own language, is `format.sections`' business: a section is
a kind there, and a name only where a person's keyword rules invent one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.parse import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPES = {"pref": "O", "persona_trait": "O", "event": "B"}
_OWN = frozenset({"decision", "rule", "lesson", "skill"})


class Belongs(NamedTuple):
    """Where a fact belongs in core memory."""

    kind: str
    """pref (用户偏好), rule (项目规范), decision (重要决策), fact (项目背景), lesson, skill."""
    section: str = ""
    """A heading that means none of these: as the rules name it."""
    word: str = ""
    """The keyword that decided it."""


def memory_type(kind: str, stated: object = None) -> str:
    """Spec 004's W, B, O or S: as stated, else preferences are opinions, events biography, the rest world."""
    if isinstance(stated, str) and stated.strip().upper() in {"W", "B", "O", "S"}:
        return stated.strip().upper()
    return _TYPES.get(kind, "W")


def belongs(text: str, kind: str, type: str, rules: Sequence[str]) -> Belongs:
    """The place of a fact of this type: O to the preferences, B to the background, W by its kind or its keywords."""
    if type == "O":
        return Belongs("pref")
    if type == "B":
        return Belongs("fact")
    if kind in _OWN:
        return Belongs(kind)
    for section, pattern in _compiled(tuple(rules)):
        match = pattern.search(text)
        if match:
            meant = kinds.of_heading(section)
            return Belongs(meant, "", match[0]) if meant else Belongs("fact", section, match[0])
    return Belongs("fact")


@lru_cache(maxsize=16)
def _compiled(rules: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    found: list[tuple[str, re.Pattern[str]]] = []
    for rule in rules:
        name, colon, words = rule.replace("：", ":").partition(":")
        wanted = [word.strip() for word in words.split("|") if word.strip()]
        if colon and name.strip() and wanted:
            # A Latin word is one by itself; a Chinese one stands where it stands.
            parts = (rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in wanted)
            found.append((name.strip(), re.compile("|".join(parts), re.IGNORECASE)))
    return tuple(found)
