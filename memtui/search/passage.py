"""What a model is given of a memory: what it says, below what it stands under.

Bullets, times, kinds and comments are left out: in a journal they are the same on every line, and half of it, so that
all vectors come to look alike.
"""

from __future__ import annotations

from memtui.parse.dates import day_in
from memtui.parse.marks import made
from memtui.pattern import pattern

VERSION = "3"
"""Changes whenever `passage` would answer differently: vectors are kept by what it answers."""

LONGEST = 4000
"""Characters that are looked at."""

_BULLET = pattern(r"\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)、])\s+|\s*(?:>\s*)+|\s*#{1,6}\s+")
_HOUR = pattern(r"(?:\[|\*\*)?\d{1,2}:\d{2}(?::\d{2})?(?:\]|\*\*)?[\s:：-]+")


def passage(heading: str, text: str, moment: float | None, path: str) -> str:
    """The text whose vector stands for a memory. `heading`: the headings above, joined by U+001F."""
    parts = [part.strip() for part in heading.split("\x1f")]
    # A date says when, not what: it would draw all lines of a day together.
    above = " > ".join(part for part in parts if part and not _dated(part))
    said = "\n".join(filter(None, map(_said, text[:LONGEST].split("\n"))))
    return f"{above}\n{said}" if above and said else said or above


def _dated(part: str) -> bool:
    return len(part) <= 16 and bool(day_in(part))


def _said(line: str) -> str:
    bullet = _BULLET.match(line)
    bare = line[bullet.end() :] if bullet else line.strip()
    entry = made(bare, 1, 1, "", ())
    told = entry.text.strip()
    hour = _HOUR.match(told)
    told = told[hour.end() :] if hour and hour.end() < len(told) else told
    tags = " ".join(tag for tag in entry.tags if tag not in told)
    return f"{told} ({tags})" if tags and told else told
