"""The languages that are read, and which of them a text is in. To add one, write its module and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.language.en import ENGLISH
from memtui.language.zh import CHINESE

if TYPE_CHECKING:
    from memtui.language.cues import Language

LANGUAGES = (CHINESE, ENGLISH)
"""The last is taken where no other shows."""


def list_languages(text: str) -> tuple[Language, ...]:
    """The languages that a text may be read in: the one that shows, and the last, whose words stand in all of them."""
    shown = tuple(one for one in LANGUAGES[:-1] if one.script is not None and one.script.search(text))
    return (*shown, LANGUAGES[-1])


def detect_language(text: str) -> Language:
    """The language that a text is in."""
    return list_languages(text)[0]
