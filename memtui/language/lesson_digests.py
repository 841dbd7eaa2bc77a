"""What a lesson is known by, however it is marked up (spec 002): digests of what it says.

code-memory's scripts count the bullet without `**`, one last aside and white space. Elsewhere dates, code ticks,
emphasis and links do not count either.
"""

from __future__ import annotations

from memtui.core.startup import TYPE_CHECKING, compile_pattern, md5

if TYPE_CHECKING:
    import re

    from memtui.core.model import Entry

_ASIDE = compile_pattern(r"\([^()]*\)$")
_WIDE_ASIDE = compile_pattern(r"[(（][^()（）]*[)）]$")
_BULLET = compile_pattern(r"\s*[-*+•]\s+(?:\[[ xX]\]\s+)?")
_STAMP = compile_pattern(r"[\[(（【]\d{4}-\d\d-\d\d[^\])）】]{0,24}[\])）】]")
_LINK = compile_pattern(r"\[([^\[\]]{1,200})\]\([^()\s]{1,500}\)")
_MARKS = str.maketrans("", "", "*_`~")


def strip_bullet(text: str) -> str:
    """What code-memory's scripts compare a bullet by: without `**`, and without one aside at its end."""
    return _ASIDE.sub("", text.replace("**", "").strip()).rstrip()


def digest(text: str) -> str:
    """The 16 digits that code-memory's ids end in: of the bullet's core, white space aside."""
    return _digits(strip_bullet(text))


def digest_unmarked(text: str) -> str:
    """The digest of a text without marks, and without an aside at its end."""
    return _digits(_WIDE_ASIDE.sub("", _LINK.sub(r"\1", text).translate(_MARKS).strip()))


def list_digests(entry: Entry, bullet: str = "") -> tuple[str, ...]:
    """Every digest by which an entry may be meant, the likeliest first. `bullet`: its line as it stands, unmarked."""
    found = [digest(bullet), digest(_behind(_STAMP, bullet))] if bullet else []
    found += [digest_unmarked(entry.text), digest(entry.text), _digits(entry.text)]
    found.append(_digits(_WIDE_ASIDE.sub("", entry.text.replace("**", "").strip())))
    return tuple(dict.fromkeys(found))


def strip_list_mark(line: str) -> str:
    """A line of a list without its mark."""
    return _behind(_BULLET, line).strip()


def _behind(marks: re.Pattern[str], text: str) -> str:
    """What stands behind a beginning, where it begins so."""
    begun = marks.match(text)
    return text[begun.end() :] if begun else text


def _digits(text: str) -> str:
    return md5("".join(text.split()).encode("utf-8", "replace"))[:16]
