"""What was learned, decided and left open in a conversation, as it went along: the later word counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract.concluding import Conclusion, decision, todo
from memtui.sessions.extract.sifting import affirms, names_denied
from memtui.sessions.extract.teaching import Context, complains, corrects, taught
from memtui.sessions.extract.wording import tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.model import Turn
    from memtui.sessions.extract import Learned
    from memtui.sessions.extract.sentences import Sentence

_BACK = 4
"""So many turns back reaches a 'scrap that'."""


_KEPT = 60
"""So many of a kind are kept at most while the talk goes on."""


class Lesson(NamedTuple):
    """Something learned, and in which turn."""

    learned: Learned
    turn: int


class Heard:
    """What has been said so far."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self.learned: list[Lesson] = []
        self.decisions: list[Conclusion] = []
        self.todos: list[Conclusion] = []
        self.denied: list[tuple[int, frozenset[str]]] = []
        """The names that were no longer wanted, and from which line on."""
        self._before: list[Sentence] = []
        self._told: Sequence[Sentence] = ()
        self._corrected = False
        self._complained = False
        self._answered = False
        self._last = max(
            (number for number, turn in enumerate(turns) if turn.role == "assistant"), default=-1
        )

    def hear(self, sentence: Sentence) -> None:
        """One more sentence."""
        if self._before and self._before[-1].turn != sentence.turn:
            if self._before[-1].role == "assistant":
                self._told = tuple(self._before)
            self._before.clear()
            self._corrected = self._complained = False
        if sentence.role == "user":
            self._person(sentence)
        else:
            self._answered = True
            self._conclude(sentence)
        self._before.append(sentence)

    def _person(self, sentence: Sentence) -> None:
        if (
            any(tongue.retracts.search(sentence.bare) for tongue in tongues(sentence.text))
            and not sentence.asks
        ):
            self._take_back(sentence)
        denied = names_denied(sentence) if not sentence.asks else frozenset()
        if denied:
            self._drop(denied)
            self.denied.append((sentence.line, denied))
        complained = self._complained or complains(sentence)
        found = taught(
            sentence, Context(self._before, self._answered, self._corrected, complained, self._told)
        )
        if found is not None and found.kind in {"rule", "fact"} and found.confidence < 0.9:
            # What is decided is kept as that, unless the rule says more.
            decided = decision(sentence, self._turns)
            if decided is not None and _prefers(sentence, decided.text, found.text, bool(denied)):
                found = None
        if found is not None:
            self._learn(Lesson(found, sentence.turn))
        else:
            self._conclude(sentence)
        self._complained = complained
        self._corrected = (self._corrected or corrects(sentence)) and not sentence.asks

    def _learn(self, lesson: Lesson) -> None:
        """Said again, it is the last time that counts; of very many the ones that were asked for stay."""
        kept = [other for other in self.learned if other.learned.text != lesson.learned.text]
        if len(kept) > _KEPT:
            kept.remove(next((other for other in kept if not other.learned.asked), kept[0]))
        self.learned = [*kept, lesson]

    def _conclude(self, sentence: Sentence) -> None:
        decided = decision(sentence, self._turns)
        left = todo(sentence) if decided is None else None
        if decided is not None:
            self.decisions = [
                *[item for item in self.decisions[-_KEPT:] if item.text != decided.text],
                decided,
            ]
        elif left is not None:
            # An agent's last list of open items is the one that counts.
            self.todos = [item for item in self.todos if left.person or item.person or item.turn == left.turn]
            self.todos = [*[item for item in self.todos[-_KEPT:] if item.text != left.text], left]

    def _take_back(self, sentence: Sentence) -> None:
        """The last things a person said no longer count, and what the agent made of them."""
        turns = [lesson.turn for lesson in self.learned]
        turns += [item.turn for item in (*self.decisions, *self.todos)]
        recent = [turn for turn in turns if sentence.turn - turn <= _BACK]
        if not recent:
            return
        last = max((lesson.turn for lesson in self.learned if lesson.turn in recent), default=-1)
        last = max([last, *(item.turn for item in self.decisions if item.turn in recent and item.person)])
        since = last if last >= 0 else max(recent)
        self.decisions = [item for item in self.decisions if item.turn < since]
        kept = [lesson for lesson in self.learned if lesson.turn < since]
        gone = [lesson for lesson in self.learned if lesson.turn >= since]
        # Of several things said at once it is the last that is taken back.
        self.learned = kept + gone[:-1]
        self.todos = [item for item in self.todos if item.turn < since]

    def _drop(self, names: frozenset[str]) -> None:
        self.learned = [
            lesson for lesson in self.learned if not any(affirms(lesson.learned.text, name) for name in names)
        ]
        self.decisions = [
            item for item in self.decisions if not any(affirms(item.text, name) for name in names)
        ]


_DECIDES = re.compile(r"决定|敲定|选定|\b(?:decided|decision)\b", re.IGNORECASE)


def _prefers(sentence: Sentence, decided: str, taught_: str, denies: bool) -> bool:
    """Whether a sentence is kept as a decision rather than as the rule that it could be, too."""
    return _DECIDES.search(sentence.bare) is not None or (not denies and len(decided) >= len(taught_))


def heard(spoken: Sequence[Sentence], turns: Sequence[Turn]) -> Heard:
    """Everything that was said."""
    found = Heard(turns)
    for sentence in spoken:
        found.hear(sentence)
    return found
