"""What a short sentence is about: the sentences before it that say so, ranked by weights learned from labelled talks.

'40, and make it an env var' says little without the offer that it answers; 'both are in' without the question. How far
back that stands, who says it, what it does, what it shares with the sentence, and whether the agent's next words take
it up again: `weights.bin` holds how much each counts (`subject` of its head).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.core.startup import compile_pattern
from memtui.language.classify import list_content_words
from memtui.language.items import strip_ends, tidy
from memtui.language.sentences import list_languages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.language.sentences import Sentence

_BACK = 10
"""So many sentences are asked."""
_TURNS = 4
_NEXT = 3
"""So many of the agent's next sentences are asked what they take up."""
_ACTS = (
    "offer", "question", "decision", "done", "open", "thanks", "undone", "hypothetical", "pasted", "rule", "preference",
    "lesson", "fact",
)  # fmt: skip
_NAME = 40
"""Characters of what a question is called, at most."""
_NUMBERED = compile_pattern(r"\s{0,3}(?:[-*]\s+)?(?:#{1,4}\s+)?(?:\*\*)?\(?([1-9])[.、)）:：]\s*(.{3,300})")


class Subjects:
    """The sentences of a talk, to be asked what one of them is about."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        judged: Sequence[Mapping[str, float]],
        weights: Mapping[str, float],
    ) -> None:
        self._sentences = sentences
        self._judged = judged
        self._weights = weights
        self._contents: dict[int, frozenset[str]] = {}

    def rank(self, at: int) -> list[tuple[float, int]]:
        """What a sentence may be about, the likeliest first, with how likely."""
        later = self.list_later(at)
        ranked = [
            (
                sum(value * self._weights.get(name, 0.0) for name, value in self.describe(at, other, later)),
                other,
            )
            for other in self.list_candidates(at)
        ]
        return sorted(ranked, key=lambda one: -one[0])

    def list_candidates(self, at: int) -> range:
        """The sentences before one that it may be about, the last first."""
        first = max(0, at - _BACK)
        while first < at and self._sentences[at].turn - self._sentences[first].turn > _TURNS:
            first += 1
        for other in range(at - 1, first - 1, -1):
            if self._is_taken_back(other):
                # Nor is what was said before that any longer spoken of.
                return range(at - 1, other, -1)
        return range(at - 1, first - 1, -1)

    def _is_taken_back(self, at: int) -> bool:
        sentence = self._sentences[at]
        return sentence.role == "user" and any(
            one.retracts.search(sentence.bare) is not None for one in list_languages(sentence.text)
        )

    def describe(self, at: int, other: int, later: frozenset[str]) -> list[tuple[str, float]]:
        """The features of one candidate. `later`: what the agent speaks of next."""
        sentence, asked, judged = self._sentences[at], self._sentences[other], self._judged[other]
        own, theirs = self._read(at), self._read(other)
        role, far, turns = sentence.role[:1], at - other, sentence.turn - asked.turn
        size, shared, taken = weigh(theirs), len(own & theirs), len((later - own) & theirs)
        away, whole = min(far, 8) / 8, max(1, len(theirs))
        ends = other + 1 >= len(self._sentences) or self._sentences[other + 1].turn != asked.turn
        found = [
            ("far", away),
            (f"far:{min(far, 3)}", 1.0),
            (f"turns:{min(turns, 4)}{role}", 1.0),
            (f"role:{role}{asked.role[:1]}", 1.0),
            ("asks", float(asked.asks)),
            ("asks:last", float(asked.asks and turns == 1)),
            ("size", min(size, 12) / 12),
            ("size:0", float(size < 2.5)),
            ("size:1", float(size < 4.5)),
            ("shares", min(shared, 3) / 3),
            ("shares:all", shared / max(1, len(own))),
            ("taken", min(taken, 3) / 3),
            ("taken:all", taken / whole),
            ("ends", float(ends)),
            ("fresh", len(theirs - own) / whole),
            ("own:far", min(weigh(own), 8) / 8 * away),
            ("offer:far", judged["offer"] * away),
            ("question:last", judged["question"] * (turns == 1)),
        ]
        found += [(f"act:{name}", judged[name]) for name in _ACTS]
        return [one for one in found if one[1]]

    def _read(self, at: int) -> frozenset[str]:
        if at not in self._contents:
            self._contents[at] = list_content_words(self._sentences[at].text)
        return self._contents[at]

    def list_later(self, at: int) -> frozenset[str]:
        """What the agent speaks of next."""
        turn = self._sentences[at].turn
        next_ = [
            other
            for other in range(at + 1, min(len(self._sentences), at + 6))
            if self._sentences[other].role == "assistant" and self._sentences[other].turn <= turn + 1
        ]
        return frozenset[str]().union(*map(self._read, next_[:_NEXT]))


def weigh(words: frozenset[str]) -> float:
    """How much words say: two Chinese characters count for one."""
    return sum(0.5 if word[0] >= "\u3400" else 1.0 for word in words)


def list_questions(text: str) -> dict[str, str]:
    """The questions that are listed in a text, by their number, each as it is called; what is asked may stand below."""
    asked: dict[str, str] = {}
    number, said = "", ""

    def close() -> None:
        if number and ("?" in said or "？" in said):
            asked[number] = _find_label(strip_ends(tidy(re.split("[?？]", said, maxsplit=1)[0].partition("\n")[0])))

    for line in text.splitlines():
        found = _NUMBERED.match(line)
        if found is not None:
            close()
            number, said = found[1], found[2]
        elif line.startswith((" ", "\t")) or not line.strip():
            said += f"\n{line}"
        else:
            close()
            number, said = "", ""
    close()
    return asked


def _find_label(question: str) -> str:
    """What a question is called: 'Naming: do you prefer …'; itself, where it has no name."""
    label = re.split(r":\s|：", question, maxsplit=1)[0]
    return label if len(label) <= _NAME else question
