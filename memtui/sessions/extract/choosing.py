"""What a person chose of what the agent had proposed: 'option 2', 第二个吧, 就按你说的, with the reason they give."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.sessions.extract import options
from memtui.sessions.extract.replies import replied
from memtui.sessions.extract.sentences import chinese, sentences
from memtui.sessions.extract.wording import clauses, closed, led, standing, tidy, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.model import Turn
    from memtui.sessions.extract.sentences import Sentence

_OPTION = re.compile(
    r"\b(?:go with|let's (?:do|use|go with|take)|pick|choose|take|i prefer|do|use|prefer)?\s*(?:option|approach|choice|方案|选项|第)\s?#?([1-9]|[A-Da-d]|one|two|three|一|二|三|四)(?![\w一-鿿]*[步次天行章])(?![A-Za-z0-9])"
    r"|\b(?:go(?:ing)? with|take|pick|choose|let'?s (?:do|use|take|go with)) (?:number )?([1-9]|[A-D])\b"
    r"|(?:选|用|按|走|要)\s?(?:方案|第)?\s?([1-9A-Da-d一二三四])(?:个|种|号)?(?:方案)?(?=$|[\s吧。，,！!]|因为)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:嗯|那|就|我)*\s*([1-9A-Da-d])\s*(?:吧|好了|就行|可以|号|呗|please|pls|then|$|[。.，,！!]|\s+(?=[一-鿿]))"
)
"""An answer that begins with nothing but the label."""
_SEVERAL = re.compile(
    r"(?:嗯|那|就|我|先|选|做|要|do|take|go with|\s)*([1-9A-D](?:\s*(?:和|、|,|，|\+|跟|与|&|and)\s*[1-9A-D])+)(?![\w.:点月号年个天])",
    re.IGNORECASE,
)
_ASKED = re.compile(r"是否(?:需要|要)?|要不要|需不需要|需要.{1,20}吗|要.{1,20}吗")
_ANSWER = re.compile(r"(?:要|需要|不需要|不用|不要|支持|不支持)(?!你|我|帮)[^，,。]{1,10}[，,]\s*\S.{3,}")
_PLACE = re.compile(r"(?:选|用|走|按|要|嗯|那|就|还是)*\s*(前者|前一[个种]|后者|后一[个种])")
_EITHER = re.compile(
    r"[，,。：:\s]?([^，,。：:？?\s]{2,24}?)(?:呢)?[，,]?\s?还是(?:说)?\s?([^，,。？?]{2,24}?)(?:呢)?\s*[？?]"
)
_NUMBERS = {"one": "1", "two": "2", "three": "3", "一": "1", "二": "2", "三": "3", "四": "4"}
_OFFERED = re.compile(
    r"\s*(?:#{1,6}\s+)?(?:[-*]\s+)?(?:\*\*)?(?:option|approach|choice|方案|选项)?\s*[#（(]?([1-9]|[A-Da-d]|一|二|三|四)(?:\ufe0f?\u20e3)?(?:\*\*)?\s*(?:[（(](?:推荐|recommended)[）)])?\s*(?:[.):：、—–）-]|(?<=\u20e3))\s*(?:\*\*)?\s*(.{3,160})",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"[，,；;\s]\s*((?:因为|由于|毕竟|这样|理由是|方便|免得|省得|主要是?|because|since|so that|as we)\s?\S.{2,90})$",
    re.IGNORECASE,
)
_BUT = re.compile(r"[，,；;\s]\s*((?:但是?|不过|只是|另外|but|except)\s?\S.{2,80})$", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:使用|采用|用|选)?\s*(?:方案|选项|option|第)?\s*([1-9A-Da-d一二三四])(?:个|种)?(?=$|[\s，,。.；;：:（(])",
    re.IGNORECASE,
)
_ANSWERED = 80
"""Above which an answer says more than it chooses."""
_EARLY = 300
"""Characters of a prompt within which it answers what was said before it."""
_BACK = 3
"""So many turns back lies what is answered."""


def chosen(sentence: Sentence, turns: Sequence[Turn]) -> str:
    """What a person's answer decides; empty: it answers nothing that was proposed."""
    before = next(
        (
            turns[at]
            for at in range(sentence.turn - 1, max(-1, sentence.turn - 1 - _BACK), -1)
            if turns[at].role == "assistant"
        ),
        None,
    )
    if before is None or sentence.asks:
        return ""
    if said := replied(turns[sentence.turn].text, before.text):
        return said
    wanted = _wanted(sentence)
    offered = [text for label in wanted if (text := _offered(label, before.text))]
    said = "；".join(offered) if wanted else _placed(sentence, before.text) or _named(sentence, before.text)
    early = turns[sentence.turn].text.find(sentence.text[:24]) < _EARLY
    if not said and not wanted and early and turns[sentence.turn - 1] is before:
        answer = sentence.bare[led(sentence.bare, tongues(sentence.text)[-1]) :]
        earlier = turns[max(0, sentence.turn - 6) : sentence.turn - 1]
        asked = next((turn.text[:600] for turn in reversed(earlier) if turn.role == "user"), "")
        said = options.placed(answer, before.text, asked) or _agreed(sentence, before)
    if not said:
        return ""
    more = _REASON.search(sentence.text) or _BUT.search(sentence.text)
    sep = "，" if chinese(said) else ", "
    return said + sep + _added(more[1]) if more and more[1] not in said else said


def _added(text: str) -> str:
    """What was added to an answer, without its closing words."""
    tongue = tongues(text)[0]
    return tongue.tail.sub("", tidy(text))


def _wanted(sentence: Sentence) -> list[str]:
    """The labels that an answer names."""
    several = _SEVERAL.match(sentence.bare)
    if several:
        return re.findall(r"[1-9a-d]", several[1].lower())
    found = _LABEL.match(sentence.bare) or _OPTION.search(sentence.bare[:40])
    if found is None or found.start() > 12:
        return []
    label = next(filter(None, found.groups())).lower()
    return [_NUMBERS.get(label, label)]


def _offered(wanted: str, text: str) -> str:
    """What the agent had called by that label: the last that it did."""
    for line in reversed(options.spread(text[-8000:]).splitlines()):
        found = _OFFERED.match(line[:240])
        if found and _NUMBERS.get(found[1].lower(), found[1].lower()) == wanted:
            said = closed(tidy(found[2])).rstrip("。.")
            return (
                f"选择方案 {wanted.upper()}：{said}"
                if chinese(said)
                else f"Chose option {wanted.upper()}: {said}"
            )
    return ""


def _placed(sentence: Sentence, text: str) -> str:
    """The former or the latter of two things that were asked about."""
    found = _PLACE.match(sentence.bare)
    either = next(iter(reversed(list(_EITHER.finditer(text[-600:])))), None) if found else None
    if found is None or either is None:
        return ""
    return closed(either[1 if found[1].startswith("前") else 2])


def _named(sentence: Sentence, text: str) -> str:
    """An answer that names one of two things that were asked about, or says whether, and how."""
    if len(sentence.text) > _ANSWERED or ("还是" not in text and _ASKED.search(text) is None):
        return ""
    tongue = tongues(sentence.text)[0]
    for either in _EITHER.finditer(text[-1500:]):
        one, two = (name.strip() in sentence.text for name in either.groups())
        if one != two or _shared(sentence.text, either[1]) != _shared(sentence.text, either[2]):
            return standing(sentence.text, tongue)
    if _ASKED.search(text) is None:
        return ""
    at = next((at for at in clauses(sentence.bare) if _ANSWER.match(sentence.bare[at:])), None)
    return standing(sentence.text[at:], tongue) if at is not None else ""


def _shared(text: str, name: str) -> bool:
    """Whether the words that tell one alternative from the other begin an answer."""
    return name.strip()[:4] in text[:24]


def _agreed(sentence: Sentence, before: Turn) -> str:
    """What the agent had proposed, where the person says yes to it."""
    for tongue in tongues(sentence.text) if chinese(sentence.text) else tongues(before.text):
        yes = tongue.agrees.match(sentence.bare)
        if yes is None:
            continue
        said = list(sentences(before.text[-6000:], "assistant", before.line))
        if yes["weak"] and not (said and said[-1].asks):
            continue
        but = _BUT.search(sentence.text)
        return (
            options.asked(said)
            or _proposed(said, before.text)
            or options.planned(before.text, but[1] if but else "")
        )
    return ""


def _proposed(said: Sequence[Sentence], text: str) -> str:
    """The last thing that the agent proposed."""
    for sentence in reversed(said):
        for tongue in tongues(sentence.text):
            found = None if sentence.asks else tongue.proposes.search(sentence.bare)
            if found is None or tongue.doubt.search(sentence.bare[found.end() :]):
                continue
            rest = sentence.text[found.end() :].lstrip(" ：:，,")
            label = _NAMED.match(rest)
            if label:
                return _offered(_NUMBERS.get(label[1].lower(), label[1].lower()), text)
            kept = next(filter(None, (standing(rest[begin:], tongue) for begin in clauses(rest))), "")
            if kept:
                return kept
    return ""
