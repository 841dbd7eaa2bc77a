"""How much is read out of labelled talks: `python -m tests.language [--show] FILES-OR-FOLDERS` (see `talks.py`).

The real public extraction (rules) and the signals run over each talk; what they give is held against the labels:

- An item is *found* where a text of its kind holds at least 40 % (Chinese: half) of the terms of the completed
  sentence, and at least 40 % of the text's own terms come from it, from the sentence or from what was said just before
  (that is where an answer is completed from). learned = rule, preference, lesson, fact, each as any of them. One text
  finds one item, or several if it holds them all.
- An extracted text is *false* where it finds no item that holds, of whatever kind; one that says a true thing under
  another kind is counted `elsewhere`, one that stands in the right sentence without enough of its object `thin`, one
  that a line labelled `detail` says `detail`. None of these is a find.
- A *trap* is a sentence labelled pasted, question, hypothetical, sarcasm, retract, or an item that does not hold (`!`);
  it is kept out where no text is made of it that finds nothing that holds.
- trouble counts by talk and type (data counts as error): found where a signal of the type is heard in a talk that has
  one, false where it has none; what a line labelled `err` alone gives counts neither way.
- outcome: success, partial, failure, unknown.

Terms: words by a rough stem, without stop words; numbers; Chinese characters without those that say nothing.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.language.signals import find_in_talk
from memtui.language.summary import extract
from tests.language.talks import conversation, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.language.conversation import Signal
    from tests.language.talks import Line, Talk

LEARNED = frozenset({"rule", "preference", "lesson", "fact"})
KINDS = ("decision", "learned", "open", "done")
TRAPS = frozenset({"pasted", "question", "hypothetical", "sarcasm", "retract"})
ENOUGH = 0.4
ENOUGH_WIDE = 0.5
OUTCOMES = {"success": "success", "partly": "partial", "failed": "failure", "unknown": "unknown"}
TROUBLE = {
    "data": "error", "performance": "performance_issue", "environment": "environment_issue",
    "security": "security_issue", "dependency": "dependency_issue", "recurring": "recurring_issue",
    "capability": "capability_gap", "gap": "capability_gap",
}  # fmt: skip

_STOP = frozenset([
    "the", "a", "an", "of", "to", "in", "on", "at", "for", "from", "with", "and", "or", "but", "not", "no",
    "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those", "i", "we", "you",
    "he", "she", "they", "them", "our", "your", "my", "me", "us", "do", "does", "did", "done", "have", "has",
    "had", "will", "would", "can", "could", "should", "shall", "may", "might", "must", "so", "as", "if",
    "then", "than", "there", "here", "all", "also", "just", "now", "only", "still", "when", "what", "which",
    "who", "by", "into", "out", "up", "off", "per", "via", "over", "let", "get", "go", "use", "used", "using",
    "uses", "make", "made", "instead", "because",
])  # fmt: skip
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)*|[\u3400-\u9fff]+")
_EMPTY = frozenset(
    "的了着吧呢吗啊嘛哦呀就都也还又很再把被给是有在和与个这那它他我你们不要先会能可以上下里来去到得一么什么"
)


def terms(text: str) -> frozenset[str]:
    """What a text speaks of."""
    found: set[str] = set()
    for word in _WORD.findall(text.lower()):
        if word[0] >= "\u3400":
            found.update(set(word) - _EMPTY)
        elif word not in _STOP:
            found.add(_stem(word))
    return frozenset(found)


def _stem(word: str) -> str:
    for ending in ("'s", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


class Item(NamedTuple):
    """Something that is to be found."""

    kind: str
    line: Line
    full: frozenset[str]
    around: frozenset[str]
    """With the sentence, and what was said just before."""

    def fits(self, text: frozenset[str]) -> bool:
        if not text or not self.full:
            return False
        return len(text & self.full) >= ENOUGH * len(self.full) and len(text & self.around) >= ENOUGH * len(text)

    def touched(self, text: frozenset[str]) -> bool:
        own = terms(self.line.text)
        return bool(text) and len(text & (own | self.full)) >= 0.6 * len(text)


def kind_of(label: str) -> str:
    return "learned" if label in LEARNED else label


def items(talk: Talk) -> tuple[list[Item], list[Item]]:
    """What holds, and the traps."""
    holding: list[Item] = []
    traps: list[Item] = []
    for at, line in enumerate(talk.lines):
        before = " ".join(other.text for other in talk.lines[max(0, at - 4) : at])
        for label in line.labels:
            kind = kind_of(label)
            one = Item(kind, line, terms(line.full), terms(f"{line.full} {line.text} {before}"))
            if kind in KINDS and line.holds:
                holding.append(one)
            elif kind in KINDS or label in TRAPS:
                traps.append(one._replace(full=terms(line.text) if label in TRAPS else one.full))
    return holding, traps


class Score:
    """What is counted, of one language."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.shown: list[str] = []

    def add(self, talk: Talk) -> None:
        holding, traps = items(talk)
        recorded = conversation(talk)
        told = extract(recorded)
        texts = [("decision", text) for text in told.decisions]
        texts += [("open", text) for text in told.todos]
        texts += [("done", text) for text in told.done]
        texts += [(_shown_kind(one.kind), one.text) for one in told.learned]
        for one in holding:
            self.count[f"{one.kind} wanted"] += 1
            found = any(kind == one.kind and one.fits(terms(text)) for kind, text in texts)
            self.count[f"{one.kind} found"] += found
            if not found:
                stage = self.find_stage(talk, one, texts)
                self.shown.append(f"{talk.id} missed {one.kind}{stage}: {one.line.text} => {one.line.full}")
        for kind, text in texts:
            self._extracted(talk, kind, text, holding)
        for trap in traps:
            self.count["traps"] += 1
            caught = next(
                (
                    text
                    for _kind, text in texts
                    if trap.full
                    and len(terms(text) & trap.full) >= 0.6 * len(trap.full)
                    and len(terms(text) & trap.full) >= 0.6 * len(terms(text))
                    and not any(one.fits(terms(text)) or one.touched(terms(text)) for one in holding)
                ),
                None,
            )
            self.count["trapped"] += caught is not None
            if caught is not None:
                self.shown.append(f"{talk.id} TRAPPED by {trap.line.labels}: {caught}")
        status = OUTCOMES.get(re.split("[:：]", told.outcome or "unknown")[0], "unknown")
        if talk.outcome:
            self.count["outcomes"] += 1
            self.count["outcome right"] += status == talk.outcome
            if status != talk.outcome:
                self.shown.append(f"{talk.id} outcome {told.outcome!r}, truth {talk.outcome}")
        self._trouble(talk, find_in_talk(recorded))

    def find_stage(self, talk: Talk, item: Item, texts: Sequence[tuple[str, str]]) -> str:
        """At which stage an item was lost, where that is traced."""
        return ""

    def find_source(self, talk: Talk, kind: str, text: str) -> str:
        """What the sentence was of which a text was made, where that is traced."""
        return ""

    def _extracted(self, talk: Talk, kind: str, text: str, holding: Sequence[Item]) -> None:
        self.count[f"{kind} extracted"] += 1
        own = terms(text)
        if any(one.kind == kind and one.fits(own) for one in holding):
            return
        if any(one.fits(own) for one in holding):
            word = "elsewhere"
        elif any(one.touched(own) for one in holding):
            word = "thin"
        elif any(_is_detail(own, line) for line in talk.lines):
            word = "detail"
        else:
            word = "false"
        self.count[f"{kind} {word}"] += 1
        source = self.find_source(talk, kind, text) if word in {"false", "thin"} else ""
        self.shown.append(f"{talk.id} {word} {kind}{source}: {text}")

    def _trouble(self, talk: Talk, found: Sequence[Signal]) -> None:
        heard = {one.type: one.text for one in found}
        wanted = {
            TROUBLE.get(name, name): line.text
            for line in talk.lines
            for label in line.labels
            if label.startswith("trouble:") and (name := label.partition(":")[2]) != "process"
        }
        failures = {line.text for line in talk.lines if "err" in line.labels}
        for name, text in wanted.items():
            self.count[f"{name} wanted"] += 1
            self.count[f"{name} found"] += name in heard
            if name not in heard:
                self.shown.append(f"{talk.id} missed trouble {name}: {text}")
        for name in heard.keys() - wanted.keys():
            texts = [one.text for one in found if one.type == name]
            if not all(any(text.rstrip("…") in failure for failure in failures) for text in texts):
                self.count[f"{name} false"] += 1
                self.shown.append(f"{talk.id} false trouble {name}: {heard[name]}")


def _is_detail(text: frozenset[str], line: Line) -> bool:
    """Whether a text says what a line labelled so says, or a part of it."""
    if "detail" not in line.labels or not text:
        return False
    own = terms(line.text)
    shared = len(text & own)
    return shared >= 0.6 * len(text) or (bool(own) and shared >= ENOUGH * len(own) and shared >= ENOUGH * len(text))


def _shown_kind(kind: str) -> str:
    return {"decision": "decision", "todo": "open"}.get(kind, "learned")


def told(name: str, score: Score) -> Iterable[str]:
    """The figures of one language, a line each."""
    count = score.count
    for kind in KINDS:
        parts = " ".join(f"{word} {count[f'{kind} {word}']}" for word in ("false", "thin", "elsewhere", "detail"))
        found = _share(count[f"{kind} found"], count[f"{kind} wanted"])
        yield f"{name} {kind:9} found {found}, extracted {count[f'{kind} extracted']}: {parts}"
    every = sum(count[f"{kind} extracted"] for kind in KINDS)
    wrong = sum(count[f"{kind} {word}"] for kind in KINDS for word in ("false",))
    thin = sum(count[f"{kind} thin"] for kind in KINDS)
    yield f"{name} false of all extracted {_share(wrong, every)}, thin {_share(thin, every)}"
    yield f"{name} traps kept out {_share(count['traps'] - count['trapped'], count['traps'])}"
    yield f"{name} outcome right {_share(count['outcome right'], count['outcomes'])}"
    types = sorted({key.rpartition(" ")[0] for key in count if key.endswith(" wanted")} - set(KINDS))
    types = sorted({*types, *(key.rpartition(" ")[0] for key in count if key.endswith("_issue false"))})
    heard, wanted = (sum(count[f"{one} {word}"] for one in types) for word in ("found", "wanted"))
    wrong = sum(count[f"{one} false"] for one in {*types, "error", "correction", "capability_gap"})
    yield f"{name} trouble found {_share(heard, wanted)}, false {wrong}"
    for one in types:
        yield f"{name}   {one:18} {count[f'{one} found']} of {count[f'{one} wanted']}, false {count[f'{one} false']}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(1, whole):.0f} %)"


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.language")
    asked.add_argument("paths", nargs="+")
    asked.add_argument("--show", action="store_true", help="what was missed and what was wrong")
    options = asked.parse_args()
    talks = read(options.paths)
    begun = time.perf_counter()
    for name, chinese in (("en", False), ("zh", True)):
        score = Score()
        own = [talk for talk in talks if talk.chinese is chinese]
        for talk in own:
            score.add(talk)
        if options.show:
            print("\n".join(score.shown))
        print(f"{name} {len(own)} talks")
        print("\n".join(told(name, score)))
    print(f"{time.perf_counter() - begun:.1f} s")


if __name__ == "__main__":
    main()
