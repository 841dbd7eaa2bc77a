"""What trouble sounds like: one shape for the tables of signs."""

from __future__ import annotations

import re
from typing import NamedTuple

from memtui.core.startup import pattern

ERROR = "error"
CORRECTION = "correction"
GAP = "capability_gap"
RECURRING = "recurring_issue"
ENVIRONMENT = "environment_issue"
DEPENDENCY = "dependency_issue"
PERFORMANCE = "performance_issue"
SECURITY = "security_issue"


class Sign(NamedTuple):
    """A way of telling of trouble."""

    type: str
    """One of `events.SIGNALS`."""
    pattern: re.Pattern[str]
    why: str
    """What it tells, for a person: translated when shown."""
    firm: bool = True
    """It says that something happened; else it only names a trouble, which somebody may also work on."""
    spoken: bool = False
    """Only what a person says to the agent counts."""
    whole: bool = False
    """It is negative by itself: 'could not' is no denial here."""
    source: str = ""
    """What the pattern is made of, where one alternative can be tried without the others."""


def sign(type: str, why: str, source: str, *, firm: bool = True, **more: bool) -> Sign:
    """A sign whose pattern is compiled by its first use, whatever the case."""
    return Sign(type, pattern(source, re.IGNORECASE), why, firm, source=source, **more)


def alternatives(source: str) -> list[str]:
    """An expression as the alternatives that it consists of: where it matches, one of them does. It has no numbers."""
    found, start, depth, at = list[str](), 0, 0, 0
    while at < len(source):
        char = source[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = source.index("]", at + (3 if source.startswith("[^", at) else 2))
        elif char == "|" and not depth:
            found.append(source[start:at])
            start = at + 1
        depth += (char == "(") - (char == ")")
        at += 1
    return [*found, source[start:]]
