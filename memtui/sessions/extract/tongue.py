"""What the rules listen for: one shape, filled for English and for Chinese."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.sessions.extract import Kind


class Sign(NamedTuple):
    """A way of saying something that is to be kept."""

    pattern: re.Pattern[str]
    kind: Kind
    sure: float


class Tongue(NamedTuple):
    """A language's vocabulary. Patterns see one sentence, at most `parting.LONGEST` characters of it."""

    lead: re.Pattern[str]
    """Words at its beginning that say nothing."""
    tail: re.Pattern[str]
    """And at its end."""
    doubt: re.Pattern[str]
    """It is considered, asked for, or only supposed."""
    passing: re.Pattern[str]
    """It holds for this once."""
    reported: re.Pattern[str]
    """Somebody else says it: a document, a log."""
    retracts: re.Pattern[str]
    """What was said before no longer counts."""
    corrects: re.Pattern[str]
    """The agent had it wrong. The whole match goes."""
    complains: re.Pattern[str]
    """The agent did something that was not wanted."""
    remembered: re.Pattern[str]
    """Asked to be remembered, at its end."""
    remember: re.Pattern[str]
    """Asked to be remembered: group `rest`, empty where it was said before."""
    signs: tuple[Sign, ...]
    """What a person says that holds from now on; the first that is found counts."""
    corrections: tuple[Sign, ...]
    """What counts only where it corrects."""
    loose: re.Pattern[str]
    """It makes no sense without what was said before."""
    chosen: re.Pattern[str]
    """A person decides."""
    agrees: re.Pattern[str]
    """A person says yes to what was proposed; group `weak`: to whatever was asked."""
    proposes: re.Pattern[str]
    """An agent proposes; what it proposes stands behind the match."""
    decided: re.Pattern[str]
    """An agent tells what was decided."""
    chatter: re.Pattern[str]
    """An agent tells what it is about to do, or offers."""
    plain: tuple[tuple[re.Pattern[str], str], ...]
    """How a sentence is put to stand by itself."""
    todo: re.Pattern[str]
    """Something is still to be done."""
    todo_head: re.Pattern[str]
    """A heading over what is still to be done."""
    done: re.Pattern[str]
    """Something was done."""
    done_head: re.Pattern[str]
    cause: re.Pattern[str]
    """Why something went wrong, found out."""
    denied: re.Pattern[str]
    """Group 1: a name that is no longer wanted."""
    thanks: re.Pattern[str]
    fails: re.Pattern[str]
    """The person says that it does not work."""
    gave_up: re.Pattern[str]
    """The agent says that it could not."""
    request: re.Pattern[str]
    """What stands before a wish."""
    moved: re.Pattern[str]
    """A new topic begins."""
    empty: re.Pattern[str]
    """A prompt that names no topic."""
    categories: tuple[tuple[str, re.Pattern[str]], ...]
    """Sections of rules.md; the last fits all."""


_NOT = re.compile(r"(?<=n)'(?=t\b)")
_APOSTROPHE = re.compile(r"(?<=[a-z])'(?=[a-z])")


def words(pattern: str) -> re.Pattern[str]:
    """Compiled, whatever the case, and however an apostrophe is typed: dont, don’t."""
    pattern = _APOSTROPHE.sub("['’]", _NOT.sub("['’]?", pattern))
    return re.compile(pattern, re.IGNORECASE)
