"""Which of thousands of texts are alike, without comparing each with each."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from memtui.curation.similar import ENTITIES, Likeness, Shape, by_entities, compared, names, shaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RAREST = 10
_CROWD = 64
"""Texts that share one trigram, beyond which the trigram tells nothing."""

_Place = tuple[str, frozenset[str]]
_Question = tuple[str, frozenset[str]]
_Answer = dict[_Place, Likeness]


class Kin:
    """Thousands of texts, asked which are like another. Each is compared with the few that share its rare trigrams."""

    def __init__(
        self, texts: Iterable[str], entities: Iterable[Sequence[str]] = (), before: Kin | None = None
    ) -> None:
        """`before` knew most of them already: what it has answered is not worked out again."""
        self._shapes = [shaped(text) for text in texts]
        self._entities = [names(own) for own in entities]
        self._entities += [frozenset()] * (len(self._shapes) - len(self._entities))
        self._same: dict[str, list[int]] = {}
        self._holding: dict[str, list[int]] = {}
        for number, shape in enumerate(self._shapes):
            twins = self._same.setdefault(shape.text, [])
            twins.append(number)
            # Twins are compared once, for all of them.
            if len(twins) == 1:
                for gram in shape.grams:
                    self._holding.setdefault(gram, []).append(number)
        self._rare: dict[str, list[int]] = {}
        self._few = {text: self._rarest(self._shapes[twins[0]]) for text, twins in self._same.items()}
        for text, twins in self._same.items():
            for gram in self._few[text]:
                self._rare.setdefault(gram, []).append(twins[0])
        self._lines = "\n".join(shape.text for shape in self._shapes)
        self._starts: list[int] = []
        self._named: dict[str, list[int]] = {}
        self._answers: dict[_Question, _Answer] = {}
        self._before = before._answers if before is not None else {}
        self._fresh: Kin | None = None
        if before is not None:
            known = set(before._places())
            new = [number for number, place in enumerate(self._places()) if place not in known]
            self._fresh = Kin((), ()) if not new else Kin._of(self, new)

    @classmethod
    def _of(cls, kin: Kin, numbers: Sequence[int]) -> Kin:
        made = cls(kin._shapes[number].text for number in numbers)
        made._entities = [kin._entities[number] for number in numbers]
        return made

    def _places(self) -> list[_Place]:
        return [(shape.text, own) for shape, own in zip(self._shapes, self._entities, strict=True)]

    def _rarest(self, shape: Shape) -> list[str]:
        holding = self._holding
        known = [(len(holding.get(gram, ())), gram) for gram in shape.grams]
        return [gram for number, gram in sorted(known)[:_RAREST] if number <= _CROWD]

    def like(self, text: str, entities: Sequence[str] = ()) -> list[tuple[int, Likeness]]:
        """The texts that this one is like, by their numbers, nearest first."""
        question = (shaped(text).text, names(entities))
        answer = self._answers.get(question)
        if answer is None:
            answer = self._answers[question] = self._answer(text, question)
        if not answer:
            return []
        found = [
            (number, answer[place])
            for place in answer
            for number in self._same.get(place[0], ())
            if self._entities[number] == place[1]
        ]
        return sorted(found, key=lambda item: (-item[1].covers, -item[1].score, item[0]))

    def _answer(self, text: str, question: _Question) -> _Answer:
        known = self._before.get(question)
        if known is not None and self._fresh is not None:
            # What is gone finds no number any more.
            return known | self._fresh._answer(text, question)
        found: _Answer = {}
        shape = shaped(text)
        for number in self._company(shape):
            how = compared(shape, self._shapes[number])
            if how is not None:
                found.update(
                    ((self._shapes[twin].text, self._entities[twin]), how)
                    for twin in self._same[self._shapes[number].text]
                )
        wanted = question[1]
        for number in self._with(wanted):
            place = (self._shapes[number].text, self._entities[number])
            if place not in found or found[place].kind == "near":
                how = by_entities(wanted, place[1], place[0])
                if how is not None:
                    found[place] = how
        return found

    def _company(self, shape: Shape) -> set[int]:
        """Those that may be like it, where either is part of the other: one's rarest trigrams stand in the other."""
        near = {number for gram in self._rarest(shape) for number in self._holding.get(gram, ())}
        near.update(chain.from_iterable(self._rare.get(gram, ()) for gram in shape.grams))
        near.update(self._same.get(shape.text, ())[:1])
        return near

    def _with(self, wanted: frozenset[str]) -> set[int]:
        """Those that hold enough of the entities."""
        if len(wanted) < 2:
            return set()
        counts = Counter(chain.from_iterable(map(self._naming, wanted)))
        return {number for number, held in counts.items() if held > ENTITIES * len(wanted)}

    def _naming(self, entity: str) -> list[int]:
        """The texts that hold an entity, found in all of them at once."""
        found = self._named.get(entity)
        if found is None:
            if not self._starts:
                at = 0
                for shape in self._shapes:
                    self._starts.append(at)
                    at += len(shape.text) + 1
            named = {number for number, own in enumerate(self._entities) if entity in own}
            at = self._lines.find(entity)
            while at >= 0:
                number = bisect_right(self._starts, at) - 1
                named.add(number)
                at = self._lines.find(entity, self._starts[number] + len(self._shapes[number].text))
            found = self._named[entity] = sorted(named)
        return found

    def pairs(self) -> list[tuple[int, int, Likeness]]:
        """Two by two what says the same, or is part of the other: each pair once, the lower number first."""
        found: list[tuple[int, int, Likeness]] = []
        looked: set[tuple[int, int]] = set()
        for twins in self._same.values():
            found += ((twins[0], twin, Likeness("exact", 1.0)) for twin in twins[1:])
            one = twins[0]
            rare = self._few[self._shapes[one].text]
            # What says as much as all this shares more than one rare trigram; chance shares one.
            least = 2 if len(rare) > 3 else 1
            for two, held in Counter(
                chain.from_iterable(self._holding.get(gram, ()) for gram in rare)
            ).items():
                pair = (one, two) if one < two else (two, one)
                if held < least or one == two or pair in looked:
                    continue
                looked.add(pair)
                how = compared(self._shapes[pair[0]], self._shapes[pair[1]])
                if how is not None:
                    found.append((*pair, how))
        return sorted(found)

    def groups(self) -> list[list[int]]:
        """All of them, those that say the same together: in order, the first of a group deciding its place."""
        above = list(range(len(self._shapes)))

        def top(number: int) -> int:
            while above[number] != number:
                above[number] = number = above[above[number]]
            return number

        for one, two, how in self.pairs():
            # Parts of one another are not joined: through a short text everything would be one.
            if how.kind in {"exact", "same"}:
                low, high = sorted((top(one), top(two)))
                above[high] = low
        found: dict[int, list[int]] = {}
        for number in range(len(above)):
            found.setdefault(top(number), []).append(number)
        return list(found.values())
