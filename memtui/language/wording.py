"""A sentence of a conversation put so that it stands by itself: without what leads up to it, about the user, short."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.language.items import is_weighty, shorten
from memtui.language.sentences import is_condition

if TYPE_CHECKING:
    from memtui.language.cues import Language

MOST = 200
"""Characters of what was learned."""

_SPACES = re.compile(r"\s+")
_MARKS = re.compile(r"^[ *_~>]+(?=\S)|(?<=[^ *_~>])[*_~>]+$|^[ *_~>]+$")
"""Emphasis that is left over; the star of 'select *' is none."""
_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_CLAUSE = re.compile(
    r"[,;—–，；]\s*(?:and\s+|but\s+|so\s+|also\s+|please\s+|但是?|不过|而且|所以|另外|请)?|\s+but\s+|\s[-–—]{1,2}\s|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])(?:然后|还有|另外|而且)?\s*|(?<=[次遍]了)(?=[\u3400-\u9fff])"
)


def tidy(text: str) -> str:
    """On one line, without marks of emphasis; a link as its words."""
    text = _LINK.sub(r"\1", text) if "](" in text else text
    return _MARKS.sub("", _SPACES.sub(" ", text.replace("**", "")).strip())


def skip_lead(text: str, language: Language) -> int:
    """How much at its beginning says nothing."""
    found = language.lead.match(text)
    return found.end() if found and found.end() < len(text) else 0


def find_clauses(text: str) -> tuple[int, ...]:
    """Where the parts of a sentence begin, each a statement by itself; of a condition there is one."""
    if is_condition(text):
        return (0,)
    return (0, *[cut.end() for cut, _ in zip(_CLAUSE.finditer(text), range(6), strict=False)])


def make_standalone(text: str, language: Language) -> str:
    """The sentence as it is kept; empty where it makes no sense by itself."""
    text = tidy(text)
    if language.loose.search(language.tail.sub("", text[skip_lead(text, language) :])) is not None:
        return ""
    for _ in range(3):
        before = text
        text = language.tail.sub("", text[skip_lead(text, language) :]).strip()
        for pattern, instead in language.plain:
            changed = pattern.sub(instead, text, count=1)
            text = changed.strip() or text
        if text == before:
            break
    if language.loose.search(text) is not None or not is_weighty(text):
        return ""
    return shorten(capitalize(strip_ends(text)), MOST)


def capitalize(text: str) -> str:
    """With a capital where a plain word begins it."""
    word = text.split(" ", 1)[0]
    if word.islower() and word.isascii() and word.replace("'", "").replace(",", "").isalpha() and " " in text:
        return text[0].upper() + text[1:]
    return text


def strip_ends(text: str) -> str:
    """Without lone signs at its end."""
    text = text.strip(" \t,;:，；：、-–—")
    for sign in ("`", '"'):
        if text.count(sign) % 2:
            text = text.replace(sign, "")
    for left, right in ("()", "（）", "“”", "「」"):
        if text.count(left) != text.count(right):
            text = text.strip(left + right)
    return text
