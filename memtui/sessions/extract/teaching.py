"""What a person teaches: preferences, rules, corrections, facts, and what is to be remembered because they say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract import Learned
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.sentences import chinese
from memtui.sessions.extract.wording import clause, clauses, kept, lasting, led, resolved, standing, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.extract.tongue import Sign, Tongue

REMEMBERED = 0.95
"""How sure is what somebody asked to remember."""


class Context(NamedTuple):
    """What was said before a sentence."""

    before: Sequence[Sentence] = ()
    """In the same turn."""
    answering: bool = False
    """The agent has done something already: a person may correct it."""
    corrected: bool = False
    """A sentence before it corrects."""
    complained: bool = False
    """A sentence before it complains of something that the agent did."""


def corrects(sentence: Sentence) -> bool:
    """Whether the sentence tells the agent that it was wrong."""
    return any(tongue.corrects.match(sentence.bare + " ") for tongue in tongues(sentence.text))


def complains(sentence: Sentence) -> bool:
    """Whether the sentence complains of something that the agent did."""
    return any(tongue.complains.search(sentence.bare) for tongue in tongues(sentence.text))


def taught(sentence: Sentence, context: Context) -> Learned | None:
    """What one sentence of a person teaches; None: nothing that lasts."""
    for tongue in tongues(sentence.text):
        found = _heard(sentence, context, tongue)
        if found is not None:
            return found
    return None


def _heard(sentence: Sentence, context: Context, tongue: Tongue) -> Learned | None:
    text, bare = sentence.text, sentence.bare
    whole = resolved(sentence, context.before)
    if whole != text:
        text = bare = whole
    at = led(bare, tongue)
    corrected = context.corrected and context.answering
    wrong = tongue.corrects.match(bare[at:])
    if wrong:
        at += wrong.end()
        at += led(bare[at:], tongue)
        corrected = context.answering
    text, bare = text[at:], bare[at:]
    asked = tongue.remember.match(bare)
    ending = None if asked else tongue.remembered.search(bare)
    if asked:
        if not asked["rest"].strip() and context.before:
            return _asked_before(context.before[-1], tongue)
        text, bare = text[asked.start("rest") :], asked["rest"]
    elif ending and ending.start() >= 4:
        text, bare = text[: ending.start()], bare[: ending.start()]
    elif ending and context.before:
        return _asked_before(context.before[-1], tongue)
    elif sentence.asks or tongue.doubt.search(bare) is not None:
        return None
    if tongue.reported.search(bare) is not None:
        return None
    told = Told(text, bare, sentence.line, asked is not None or ending is not None, corrected)
    found = _by_signs(told, tongue, tongue.signs)
    if found is None and (corrected or context.complained):
        signs = tongue.corrections if corrected else tongue.corrections[:1]
        found = _by_signs(told._replace(corrected=True), tongue, signs)
    if found is None and told.asked:
        return _asked(text, sentence, tongue)
    return found


class Told(NamedTuple):
    """What is left of a sentence when what leads up to it is gone."""

    text: str
    bare: str
    line: int
    asked: bool
    corrected: bool


def _by_signs(told: Told, tongue: Tongue, signs: Sequence[Sign]) -> Learned | None:
    """By the first sign in it, or in a part of it, that leaves something that stands by itself."""
    parts = [(begin, told.bare[begin:]) for begin in clauses(told.bare)]
    for sign in signs:
        for begin, part in parts:
            found = sign.pattern.search(part)
            if found is None or (begin and tongue.doubt.search(part)):
                continue
            start = begin + found.start()
            until = lasting(told.bare, begin, begin + found.end(), tongue)
            said = kept(told.text, max(begin, clause(told.bare, start)), until, tongue) if until else ""
            if said:
                return _learned(said, sign, told)
            break
    return None


def _learned(text: str, sign: Sign, told: Told) -> Learned:
    sure = REMEMBERED if told.asked else min(sign.sure + (0.1 if told.corrected else 0.0), 0.95)
    kind = sign.kind
    named = category(text) if kind in {"rule", "pref"} else ""
    if kind == "rule" and named in {"Communication", "沟通"}:
        kind = "pref"
    return Learned(
        text, kind, named if kind == "rule" else "", told.line, sure, entities((text,), 6), told.asked
    )


def _asked(text: str, sentence: Sentence, tongue: Tongue) -> Learned | None:
    said = standing(text, tongue)
    if not said:
        return None
    return Learned(said, "fact", "", sentence.line, REMEMBERED, entities((said,), 6), asked=True)


def _asked_before(sentence: Sentence, tongue: Tongue) -> Learned | None:
    """'Remember that.': what was said right before."""
    found = taught(sentence, Context())
    if found is not None:
        return found._replace(asked=True, confidence=REMEMBERED)
    return None if sentence.asks else _asked(sentence.text, sentence, tongue)


def category(text: str) -> str:
    """The section of rules.md for a rule (spec 002), in its language."""
    tongue = tongues(text)[0] if chinese(text) else tongues("")[0]
    return next(name for name, pattern in tongue.categories if pattern.search(text) is not None)
