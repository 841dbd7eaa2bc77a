"""What a person teaches: preferences, rules, corrections, facts, and what is to be remembered because they say so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract import Learned
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.sentences import chinese
from memtui.sessions.extract.tongue import Sign
from memtui.sessions.extract.wording import clause, clauses, kept, lasting, led, resolved, standing, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.extract.tongue import Tongue

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
    """A sentence before it, or itself, complains of something that the agent did."""
    told: Sequence[Sentence] = ()
    """What the agent said last."""


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
    # 'Remember: …' asks for it: nothing of that is a mere beginning.
    at = 0 if tongue.remember.match(bare) else led(bare, tongue)
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
        if _THAT.match(asked["rest"]) is not None and not context.before:
            return _asked_told(context.told)
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
        signs = tongue.corrections if corrected else tongue.corrections[:-1]
        found = _by_signs(told._replace(corrected=True), tongue, signs)
    if found is None and sentence.item and _RULES.search(sentence.head) is not None:
        return _listed(told, tongue)
    if found is None and told.asked:
        return _asked(text, sentence, tongue)
    return found


_RULES = re.compile(
    r"\b(?:rules|conventions|preferences|guidelines|habits|remember|keep in mind)\b|规矩|规则|规范|约定|偏好|习惯|记住|记一?下|记着|记几",
    re.IGNORECASE,
)


def _listed(told: Told, tongue: Tongue) -> Learned | None:
    """One of several rules that a person gives under a heading of theirs."""
    said = standing(told.text, tongue)
    return _learned(said, Sign(tongue.loose, "rule", 0.8), told) if said else None


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
            # What went wrong stands before what it taught, and a rule before what it forbids.
            first = 0 if sign.kind == "lesson" else max(begin, clause(told.bare, start))
            if first and sign.kind == "rule":
                first = next((at for at, other in parts if at < first and _rules(other, tongue)), first)
            said = kept(told.text, first, until, tongue) if until else ""
            if said:
                return _learned(said, sign, told)
            break
    return None


def _rules(part: str, tongue: Tongue) -> bool:
    """Whether a part of a sentence states a rule by itself, too."""
    part = _FIRST.split(part, 1)[0]
    return (
        not tongue.doubt.search(part)
        and not tongue.passing.search(part)
        and any(sign.kind == "rule" and sign.pattern.search(part) for sign in tongue.signs)
    )


_FIRST = re.compile("[,，;；]")


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


_THAT = re.compile(
    r"\W*$|(?:这个|这点|这条|这一点|that|this|it)?\W*(?:新人|大家|别人|后面的人|以后|下次)?[^，,。A-Za-z\d]{0,4}(?:都)?(?:会|要|还会)(?:踩|用到?|遇到|碰到|有用|忘)\W*$"
)
"""Nothing is left of the sentence that could be remembered: what is meant was said before."""


def _asked_told(told: Sequence[Sentence]) -> Learned | None:
    """'Remember that.' to what the agent said: why something went wrong, where it told, else its longest statement."""
    best: Learned | None = None
    for sentence in told:
        for tongue in tongues(sentence.text):
            if sentence.asks or tongue.chatter.search(sentence.bare) or tongue.doubt.search(sentence.bare):
                continue
            caused = tongue.cause.search(sentence.bare) is not None
            found = _asked(sentence.text, sentence, tongue)
            if found is not None and caused:
                return found._replace(kind="lesson")
            best = found if found and (best is None or len(found.text) > len(best.text)) else best
    return best


def category(text: str) -> str:
    """The section of rules.md for a rule (spec 002), in its language."""
    tongue = tongues(text)[0] if chinese(text) else tongues("")[0]
    return next(name for name, pattern in tongue.categories if pattern.search(text) is not None)
