"""One line of a summary, or of a talk, and the trouble that it tells of."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import pattern
from memtui.evolution.hearing import innocent, stems
from memtui.evolution.hearing.chinese import CHINESE
from memtui.evolution.hearing.english import ENGLISH
from memtui.evolution.hearing.machine import MACHINE
from memtui.evolution.hearing.sign import (
    CORRECTION,
    DEPENDENCY,
    ENVIRONMENT,
    ERROR,
    GAP,
    PERFORMANCE,
    RECURRING,
    SECURITY,
    Sign,
    alternatives,
)
from memtui.evolution.hearing.sign import sign as a_sign

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1000
"""Characters of a line that are listened to."""

_CUT = pattern(r"(?<=[。！？；!?;])\s*|(?<=[.])\s+(?=[A-Z\u3400-\u9fff`\"'])")
_NARROW = frozenset({ENVIRONMENT, DEPENDENCY, PERFORMANCE, SECURITY})
_CORRECTED = a_sign(CORRECTION, "the user corrected the agent", "", spoken=True, whole=True)
_TIMED_OUT = "it ran out of time"
_OPENING = 120
"""Characters of a sentence in which a person says that something is wrong."""
_WORDY = 30
"""Signs that one sentence is looked at for, of one pattern."""


class Found(NamedTuple):
    """A sign of trouble, and where it was heard."""

    sign: Sign
    sentence: str
    start: int
    end: int
    line: str
    """All of it."""


@lru_cache(4096)
def heard(line: str, role: str = "", only: frozenset[str] | None = None) -> tuple[Found, ...]:
    """What is heard in one line, each type once, the first time; `only` some types. Linear in its length."""
    from memtui.sessions.extract.script import simplified

    line = simplified(line[:LONGEST])
    found: dict[str, Found] = {}
    again: Found | None = None
    for sentence in _CUT.split(line):
        if not sentence or len(sentence) < 3:
            continue
        for one in _in(sentence, line, role, only):
            if one.sign.type == RECURRING and not one.sign.firm:
                again = again or one
            else:
                found.setdefault(one.sign.type, one)
    if again is not None and found.keys() - {CORRECTION, GAP, RECURRING}:
        found.setdefault(RECURRING, again)
    # What somebody put right was wrong, and is no error of its own.
    if CORRECTION in found and ERROR in found and found[ERROR].sign not in MACHINE:
        del found[ERROR]
    # The narrower type says more: a connection that was refused is an error, too, and counted as neither twice.
    if found.keys() & (_NARROW | {GAP}):
        found.pop(ERROR, None)
    if found.keys() & _NARROW:
        found.pop(GAP, None)
    # What could not be reached, or fetched, in time is no slow program.
    slow = found.get(PERFORMANCE)
    if slow is not None and slow.sign.why == _TIMED_OUT and found.keys() & {ENVIRONMENT, DEPENDENCY}:
        del found[PERFORMANCE]
    return tuple(found.values())


def _corrects(sentence: str) -> bool:
    """Whether a person tells the agent that it was wrong, as those hear it who learn from it."""
    from memtui.sessions.extract.wording import led, tongues

    sentence = sentence[:_OPENING]
    return any(
        tongue.corrects.match(sentence[led(sentence, tongue) :] + " ") is not None
        or tongue.corrects.match(sentence + " ") is not None
        for tongue in tongues(sentence)
    )


def _in(sentence: str, line: str, role: str, only: frozenset[str] | None) -> Iterator[Found]:
    asked = innocent.asks(sentence)
    if role == "user" and not asked and _corrects(sentence):
        yield Found(_CORRECTED, sentence, 0, 0, line)
    near = [
        sign
        for sign, parts in _near(sentence)
        if (only is None or sign.type in only)
        and not (sign.spoken and role != "user")
        and not (asked and not sign.spoken)
        and not (role == "user" and sign.type == GAP)
        and any(part.search(sentence) is not None for part in parts)
    ]
    if not near:
        return
    shown = innocent.masked(sentence)
    for sign in near:
        for number, place in enumerate(sign.pattern.finditer(shown)):
            if not innocent.innocent(sign, shown, *place.span()):
                yield Found(sign, sentence, *place.span(), line)
                break
            if number > _WORDY:
                break


def _near(sentence: str) -> list[tuple[Sign, list[re.Pattern[str]]]]:
    """The signs that may be heard in it, each with the parts of it that may: few letters tell, and most tell of none.

    To try all that a sign may sound like takes twenty times as long.
    """
    low = sentence.lower()
    grams = {*low, *map("".join, pairwise(low)), *map("".join, zip(low, low[1:], low[2:], strict=False))}
    signs, index = _table()
    found: set[tuple[int, int]] = set()
    for gram in grams & index.keys():
        for stem, places in index[gram]:
            if stem in low:
                found.update(places)
    near: dict[int, list[re.Pattern[str]]] = {}
    for number, part in sorted(found):
        near.setdefault(number, []).append(_parts(number)[part])
    return [(signs[number], parts) for number, parts in near.items()]


@cache
def _parts(number: int) -> tuple[re.Pattern[str], ...]:
    """The alternatives of a sign, as its stems count them; each is compiled when it is needed first."""
    sign = _table()[0][number]
    needed = (*stems.MACHINE, *stems.CHINESE, *stems.ENGLISH)[number]
    if len(needed) == 1:
        return (sign.pattern,)
    return tuple(pattern(one, re.IGNORECASE) for one in alternatives(sign.source))


@cache
def _table() -> tuple[tuple[Sign, ...], dict[str, list[tuple[str, list[tuple[int, int]]]]]]:
    """All signs, and by their first three letters the stems of which each alternative of one needs one."""
    signs = (*MACHINE, *CHINESE, *ENGLISH)
    by_stem: dict[str, list[tuple[int, int]]] = {}
    for number, needed in enumerate((*stems.MACHINE, *stems.CHINESE, *stems.ENGLISH)):
        for part, words in enumerate(needed):
            for stem in words.split("|"):
                by_stem.setdefault(stem, []).append((number, part))
    index: dict[str, list[tuple[str, list[tuple[int, int]]]]] = {}
    for stem, places in by_stem.items():
        index.setdefault(stem[:3], []).append((stem, places))
    return signs, index
