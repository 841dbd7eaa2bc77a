"""What an agent had offered, and which of it an answer means: by place, by name, as a plan, or asked as a question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.sentences import chinese
from memtui.sessions.extract.wording import clauses, closed, opened, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.extract.sentences import Sentence

_LINE = re.compile(
    r"\s{0,3}(?:(?P<bullet>[-*•])\s+)?(?:#{1,5}\s+)?(?:\*\*)?(?:(?:option|approach|choice|alternative|方案|选项)\s*)?"
    r"[#（(]?(?P<label>[1-9]|[A-Ha-h])?(?(label)(?:\*\*)?\s*[.):：—–）-]\s*(?:\*\*)?|(?(bullet)|(?!)))\s*(?P<text>\S.{2,220})",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?:let's |i(?:'d| would)? |we(?:'ll)? |go(?:ing)? |with |for |do |take |use |pick |choose |like |prefer |want |say |think |definitely |probably |the )*"
    r"(?P<place>first|second|third|fourth|fifth|last|latter|former|1st|2nd|3rd|4th|middle|simplest|simple|recommended|cheapest|cheaper|safest|safer)"
    r"(?: (?P<one>one|option|approach|choice|alternative|way|solution|variant|suggestion))?\b(?=[\s.!,;:—–-]*(?:$|please|then|because|since|as\b|so\b|but|and|it|we|i\b|that|sounds|looks|is\b|seems|for))",
    re.IGNORECASE,
)
_PLACES = {
    "first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "fifth": 4, "last": -1, "latter": -1,
}  # fmt: skip
_NAME = re.compile(r"[*`\"']*([\w@./+#-]{2,30}(?: [\w@./+#-]{2,20}){0,2}?)[*`\"']*(?=\s*[:：(—–,]|\s-\s|$)")
_COURTESY = re.compile(
    r"\b(?:please|pls|then|thanks|thank you|let's|go|with|use|take|pick|do|i|we|i'd|would|i'll|say|the|option|it is|one|for|definitely|prefer|like)\b|[^\w@./+#' -]",
    re.IGNORECASE,
)
_REST = re.compile(r"[,.;!]|\b(?:because|since|as)\b")
_PLAN = re.compile(
    r"\b(?:plan|steps|approach|propos\w+|here's how|phases?)\b|计划|步骤|方案|思路", re.IGNORECASE
)
_ASKED = re.compile(
    r"^(?:.{0,60}?[,;:] )?(?:(?:so |and |also |then )?(?:shall|should) (?:i|we)|(?:do you )?want me to|would you like me to|(?:is it )?ok(?:ay)? (?:if (?:i|we)|to)|may i|(?:can|could) (?:i|we)|how about(?: we)?|what about)"
    r"(?: also| just| then| instead)? (?P<rest>\S.{3,160}?)[?\s]*$",
    re.IGNORECASE,
)
_ERRAND = re.compile(
    r"(?:go|proceed|continue|do (?:that|it|this|so)|start|begin|run|re-?run|commit|push|check|look|show|explain|investigate|dig|search|read|verify|review|open|close|test|try|see|debug|implement (?:it|this|that)|"
    r"fix|apply|write|create (?:a |the )?(?:pr|pull request|branch|commit|issue)|add (?:a |an |some |more |the |unit |integration |e2e )*(?:tests?|docs?|documentation|changelog)|help|walk|take|also)\b",
    re.IGNORECASE,
)
_OFFERING = re.compile(
    r"[?？]|\b(?:options?|alternatives?|approaches|choices?|choose|which|prefer|recommend|either|ways to|i'd (?:take|use|go|pick))\b|方案|选项|推荐|建议|哪",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\bor\b[^?]{2,80}\?|\b(?:which|pick|choose|options)\b|还是", re.IGNORECASE)
_LEAST = 2


_LABELS = re.compile(
    r"(?<![^\s:：;；,，。.(（])[(（]?(?:方案\s?|option )?(?P<label>[1-9A-Da-d])(?:[)）:：、]|\.(?!\d))\s*(?=[^\s\d)）])",
    re.IGNORECASE,
)
"""Labels within a sentence: 'two ways: A) an index, B) another service'."""


class Offer(NamedTuple):
    """One of several things to choose from."""

    label: str
    """Its number or letter; empty: it has none."""
    text: str


def spread(text: str) -> str:
    """The text with what is listed within a line on lines of its own."""
    lines: list[str] = []
    for line in text.splitlines():
        labels = list(_LABELS.finditer(line[:1000]))
        names = [found["label"].lower() for found in labels]
        wanted = "123456789" if names[:1] == ["1"] else "abcd"
        if len(names) < _LEAST or names != list(wanted[: len(names)]):
            lines.append(line)
            continue
        starts = [found.start() for found in labels]
        ends = [*starts[1:], len(line)]
        lines += [
            line[: starts[0]],
            *(line[at:to].rstrip(" ,，;；") for at, to in zip(starts, ends, strict=True)),
        ]
    return "\n".join(lines)


def offers(text: str) -> list[Offer]:
    """The last list of a text."""
    found: list[Offer] = []
    closed_ = False
    for line in spread(text[-8000:]).splitlines():
        one = _LINE.match(line[:260])
        if one is None:
            # What stands further in, or behind a blank line, belongs to the item before it.
            closed_ = closed_ or bool(line.strip() and not line.startswith((" ", "\t")))
            continue
        if line.startswith(("   ", "\t")) and found:
            continue
        label = (one["label"] or "").lower()
        if found and (bool(label) != bool(found[0].label) or label in {"1", "a"} or (closed_ and not label)):
            found = []
        closed_ = False
        found.append(Offer(label, closed(tidy(one["text"])).rstrip("。.")))
    return found


def placed(answer: str, text: str, asked_before: str = "") -> str:
    """What an answer means by its place in the last list, or by its name; empty: nothing.

    `asked_before`: the person's own question, which the agent's text answers.
    """
    found = _PLACE.match(answer)
    name = "" if found else _named(answer)
    if not (found or name) or not (_OFFERING.search(text[-3000:]) or _EITHER.search(asked_before)):
        return ""
    listed = offers(text)
    if len(listed) < _LEAST:
        return _inline(name, text) if name else ""
    if found is not None:
        place = _PLACES.get(found["place"].lower())
        if place is not None and (found["one"] or found.end() - found.start() > len(found["place"])):
            return told(listed[place]) if -len(listed) <= place < len(listed) else ""
        return ""
    named = [offer for offer in listed if (own := _NAME.match(offer.text)) and _alike(own[1], name)]
    return told(named[0]) if len(named) == 1 else _inline(name, text)


def _inline(name: str, text: str) -> str:
    """What was said of the thing so named, in running text that compares it or asks for it."""
    last = text[-1500:]
    if name.casefold() not in last.casefold():
        return ""
    said = re.search(
        rf"(?:^|[.;:,\n?]\s*|\bor )[*`]*({re.escape(name)}(?: [\w-]+){{0,2}}?)[*`]* (?P<is>is|are|has|gives|means|would be|makes|keeps|needs|costs|lets|offers|supports|works|avoids|scales|requires) ([^.;?\n]{{6,120}})",
        last,
        re.IGNORECASE,
    )
    if said is not None:
        verb = "" if said["is"].lower() in {"is", "are", "would be"} else f"{said['is']} "
        return f"Chose {said[1]}: {verb}{closed(tidy(said[3]))}"
    question = re.search(r"[^.?!\n]{8,160}\?\s*$", last)
    if (
        question is None
        or " or " not in question[0]
        or re.search(rf"\b{re.escape(name)}\b", question[0], re.IGNORECASE) is None
    ):
        return ""
    return f"Chose {name} ({tidy(question[0])})"


def _named(answer: str) -> str:
    """The name that is all of an answer; empty: it says more than that."""
    if len(answer) > 160:
        return ""
    first = _REST.split(answer, 1)[0]
    if len(first) > 60:
        return ""
    bare = " ".join(_COURTESY.sub(" ", first).split())
    return bare if 2 <= len(bare) <= 40 and bare.count(" ") < 3 else ""


def _alike(name: str, answer: str) -> bool:
    one, two = name.casefold().strip("*`\"' "), answer.casefold()
    return one == two or one.split(" ", 1)[0] == two


def told(offer: Offer) -> str:
    """The choice of it, as it is kept."""
    text = shortened(offer.text, 90)
    if not offer.label:
        return f"选择：{text}" if chinese(text) else f"Chose {text}"
    label = offer.label.upper()
    return f"选择方案 {label}：{text}" if chinese(text) else f"Chose option {label}: {text}"


def planned(text: str, without: str = "") -> str:
    """The plan that a text ends in, in short, without what the answer takes from it; empty: it holds none."""
    listed = [offer for offer in offers(text) if offer.label.isdigit()]
    if len(listed) < _LEAST or _PLAN.search(text) is None:
        return ""
    dropped = {word for word in re.findall(r"\w{3,}", without.casefold()) if word not in _COMMON}
    steps = [
        shortened(offer.text, 60).rstrip("…")
        for offer in listed
        if len(dropped & set(re.findall(r"\w{3,}", offer.text.casefold()))) < _LEAST
    ]
    if not steps:
        return ""
    sep = "；" if chinese(steps[0]) else "; "
    head = "同意计划" if chinese(steps[0]) else "Approved plan"
    if without:
        head += ("，" if chinese(without) else ", ") + shortened(without, 70)
    return f"{head}{'：' if chinese(steps[0]) else ': '}{sep.join(steps[:3])}"


_COMMON = frozenset({"the", "and", "but", "for", "with", "all", "not", "use", "add", "skip", "that", "this"})


def asked(said: Sequence[Sentence]) -> str:
    """What the last sentence asks to do, where that is more than an errand; empty: nothing."""
    if not said or not said[-1].asks:
        return ""
    found = _ASKED.match(said[-1].bare)
    if found is None or " or " in found["rest"]:
        return ""
    if _POINTS.search(found["rest"]) is not None:
        return _pointed(said)
    if _ERRAND.match(found["rest"]) is not None:
        return ""
    return opened(closed(tidy(said[-1].text[found.start("rest") : found.end("rest")]).rstrip("?")))


_POINTS = re.compile(
    r"^(?:go ahead|proceed|implement|change|do|make|apply|try|add|use|switch|set|fix) ?(?:it|that|this|so|these|those|them|both)?(?: change| way| for you| up)?$",
    re.IGNORECASE,
)
_SUGGESTS = re.compile(
    r"^[a-z]{2,}ing \w.{4,}\b(?:gives?|would|will|makes?|fixes|solves|avoids?|reduces?|removes?|keeps?|saves?|lets?|should|is (?:simpler|safer|cheaper|better|enough))\b",
    re.IGNORECASE,
)


def _pointed(said: Sequence[Sentence]) -> str:
    """What 'it' was, where the sentence before the question says what something would bring."""
    before = said[-2] if len(said) > 1 else None
    if before is None or before.asks:
        return ""
    for begin in clauses(before.bare):
        if _SUGGESTS.search(before.bare[begin:]) is not None:
            return opened(closed(tidy(before.text[begin:]))).rstrip(".")
    return ""
