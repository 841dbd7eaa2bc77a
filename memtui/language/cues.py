"""The shape of a language's data: `Language`, of which `en` and `zh` hold one each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOT = re.compile(r"(?<=n)'(?=t\b)")
_APOSTROPHE = re.compile(r"(?<=[a-z])'(?=[a-z])")


def compile_words(source: str) -> re.Pattern[str]:
    """A pattern, whatever the case, and however an apostrophe is typed: dont, don’t. Compiled by its first use."""
    return compile_pattern(_APOSTROPHE.sub("['’]", _NOT.sub("['’]?", source)), re.IGNORECASE)


class Language(NamedTuple):
    """A language's vocabulary. Patterns see one sentence, at most `sentences.LONGEST` characters of it."""

    code: str
    script: re.Pattern[str] | None
    """Letters that show it; None: it is taken where no other language shows."""
    lead: re.Pattern[str]
    """Words at a sentence's beginning that say nothing."""
    tail: re.Pattern[str]
    """And at its end."""
    loose: re.Pattern[str]
    """It makes no sense without what was said before."""
    undoes: re.Pattern[str]
    """A person has something that was done taken back."""
    settles: re.Pattern[str]
    """An agent says outright that something was decided."""
    points: re.Pattern[str]
    """A word that points at what was said before: it, both, 这个."""
    plain: tuple[tuple[re.Pattern[str], str], ...]
    """How a sentence is put to stand by itself."""
    cues: tuple[tuple[str, re.Pattern[str]], ...]
    """Signs that the classifier weighs, by name."""
    outright: tuple[tuple[str, re.Pattern[str]], ...]
    """How a sentence begins that says what it is, whatever stands around it: 'never …', 'TODO: …', 决定用 …."""
    noted: tuple[tuple[str, re.Pattern[str]], ...]
    """How a line of somebody's notes begins that says what it is: 'The user prefers …', 用户决定 …; by kind."""
    doubt: re.Pattern[str]
    """It is considered, asked for, or only supposed."""
    passing: re.Pattern[str]
    """It holds for this once."""
    reported: re.Pattern[str]
    """Somebody else says it: a document, a log."""
    remember: re.Pattern[str]
    """Asked to be remembered: group `rest`, empty where it was said before."""
    remembered: re.Pattern[str]
    """Asked to be remembered, at its end."""
    retracts: re.Pattern[str]
    """What was said before no longer counts."""
    denied: re.Pattern[str]
    """Group 1: a name that is no longer wanted."""
    yes: re.Pattern[str]
    """An answer that agrees; what follows the match is added to it."""
    no: re.Pattern[str]
    both: re.Pattern[str]
    """An answer that takes all that was offered."""
    label: re.Pattern[str]
    """An answer that names an option by its label, group `label`, or its place, group `place`."""
    places: Mapping[str, int]
    """Words for labels and places, from 0; -1 is the last."""
    offers: re.Pattern[str]
    """Words before what is offered or asked to do; they are cut away."""
    either: re.Pattern[str]
    """Between alternatives."""
    rejects: re.Pattern[str]
    """Behind an alternative in an answer: it is the other one."""
    request: re.Pattern[str]
    """What stands before a wish."""
    moved: re.Pattern[str]
    """A new topic begins."""
    empty: re.Pattern[str]
    """A prompt that names no topic."""
    pleased: re.Pattern[str]
    fails: re.Pattern[str]
    """The person says that it does not work."""
    works: re.Pattern[str]
    """The person says that it does."""
    gave_up: re.Pattern[str]
    """The agent says that it could not."""
    put_off: re.Pattern[str]
    corrects: re.Pattern[str]
    """A person tells the agent that it was wrong, at a sentence's beginning."""
    complains: re.Pattern[str]
    """The agent did what was not wanted, wherever it is said."""
    cause: re.Pattern[str]
    """Why something went wrong, found out."""
    heads: tuple[tuple[str, re.Pattern[str]], ...]
    """Headings over lists, by what stands under them."""
    categories: tuple[tuple[str, re.Pattern[str]], ...]
    """Sections of rules.md; the last fits all."""
    communication: str
    """The category of what is a preference, not a rule."""
    comma: str
    semicolon: str
    phrases: Mapping[str, str]
    """What the engine itself says."""
