"""Which of thousands of texts are alike, without comparing each with each.

- `Kin` compares a text with the few that share its rare trigrams; `Alike` groups texts and is updated where few
  changed.
- `group_reworded`: which statements say the same in other words, by the terms that they
  share. What a model writes of several sessions never repeats to the letter: '支付回调必须用 order_id 做幂等键'
  comes back as '支付回调的幂等键是 order_id'. Two statements are one where nearly all terms of the shorter stand in
  the longer; not where their numbers contradict, one denies more than the other, or each names a thing that the
  other does not. It finds more than `Kin` and is less sure: for what a person decides about.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern, sha256
from memtui.core.text import HAN
from memtui.language.similarity import (
    ENTITIES,
    Likeness,
    compare_entities,
    compare_shapes,
    count_denials,
    find_rival_class,
    list_concepts,
    normalize_entities,
    normalize_text,
    shape,
    split_trigrams,
)
from memtui.search.terms import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


_RAREST = 10
_CROWD = 64
"""Texts that share one trigram, beyond which the trigram tells nothing."""
_CROWDED: Sequence[int] = range(_CROWD + 1)
"""In place of those that hold what so many hold: nobody asks which."""
_BITS = tuple(1 << at for at in range(1024))
_ANEW = 8
"""Where one in so many is new, all are held against all again."""
_SEEN = 1 << 25
"""Trigrams that are told apart, at most, where it is counted which stand in several texts."""

_Place = tuple[str, frozenset[str]]
_Question = tuple[str, frozenset[str]]
_Answer = dict[_Place, Likeness]
_NOTHING: _Answer = {}


class Kin:
    """Thousands of texts, asked which are like another. Each is compared with the few that share its rare trigrams.

    A text's trigrams take a hundred times its own room, so they are not kept but made again where they are looked at.
    """

    def __init__(self, texts: Iterable[str], entities: Iterable[Sequence[str]] = (), before: Kin | None = None) -> None:
        """`before` knew most of them already: what it has answered is not worked out again."""
        self._texts = [normalize_text(text) for text in texts]
        self._entities = [normalize_entities(own) for own in entities]
        self._entities += [frozenset()] * (len(self._texts) - len(self._entities))
        self._same: dict[str, list[int]] = {}
        for number, text in enumerate(self._texts):
            # Twins are compared once, for all of them.
            self._same.setdefault(text, []).append(number)
        self._prints: dict[int, tuple[int, int]] = {}
        self._lines = "\n".join(self._texts)
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
        made = cls(kin._texts[number] for number in numbers)
        made._entities = [kin._entities[number] for number in numbers]
        return made

    def _places(self) -> list[_Place]:
        return list(zip(self._texts, self._entities, strict=True))

    # -- what one text is like --------------------------------------------------------------------------------

    @cached_property
    def _holding(self) -> dict[str, int | Sequence[int]]:
        """The texts that hold each trigram: most stand in one only, which then is no list of its own."""
        holding: dict[str, int | Sequence[int]] = {}
        for text, twins in self._same.items():
            every, one = split_trigrams(text), twins[0]
            self._prints[one] = _printed(every)
            for gram in every:
                held = holding.get(gram)
                if held is None:
                    holding[gram] = one
                elif isinstance(held, int):
                    holding[gram] = [held, one]
                elif isinstance(held, list):
                    if len(held) < _CROWD:
                        held.append(one)
                    else:
                        holding[gram] = _CROWDED
        return holding

    @cached_property
    def _rare(self) -> dict[str, list[int]]:
        """The texts of which a trigram is one of the rarest."""
        found: dict[str, list[int]] = {}
        for text, twins in self._same.items():
            for gram in self._rarest(split_trigrams(text)):
                found.setdefault(gram, []).append(twins[0])
        return found

    def _rarest(self, every: Iterable[str]) -> list[str]:
        holding = self._holding
        known: list[tuple[int, str]] = []
        for gram in every:
            held = holding.get(gram)
            if held is not _CROWDED:
                known.append((0 if held is None else 1 if isinstance(held, int) else len(held), gram))
        known.sort()
        return [gram for _number, gram in known[:_RAREST]]

    def like(self, text: str, entities: Sequence[str] = ()) -> list[tuple[int, Likeness]]:
        """The texts that this one is like, by their numbers, nearest first."""
        question = (normalize_text(text), normalize_entities(entities))
        answer = self._answers.get(question)
        if answer is None:
            answer = self._answers[question] = self._answer(question) or _NOTHING
        if not answer:
            return []
        found = [
            (number, answer[place])
            for place in answer
            for number in self._same.get(place[0], ())
            if self._entities[number] == place[1]
        ]
        return sorted(found, key=lambda item: (-item[1].covers, -item[1].score, item[0]))

    def _answer(self, question: _Question) -> _Answer:
        known = self._before.get(question)
        if known is not None and self._fresh is not None:
            # What is gone finds no number any more.
            return known | self._fresh._answer(question)
        found: _Answer = {}
        text, wanted = question
        every = split_trigrams(text)
        mine = _printed(every)
        for number in self._company(text, every):
            if not _may_be_like(mine, self._prints[number]):
                continue
            how = compare_shapes(shape(text), shape(self._texts[number]))
            if how is not None:
                found.update(
                    ((self._texts[twin], self._entities[twin]), how) for twin in self._same[self._texts[number]]
                )
        for number in self._with(wanted):
            place = (self._texts[number], self._entities[number])
            if place not in found or found[place].kind == "near":
                how = compare_entities(wanted, place[1], place[0])
                if how is not None:
                    found[place] = how
        return found

    def _company(self, text: str, every: Iterable[str]) -> set[int]:
        """Those that may be like it, where either is part of the other: one's rarest trigrams stand in the other."""
        near: set[int] = set(self._same.get(text, ())[:1])
        for gram in self._rarest(every):
            held = self._holding.get(gram, ())
            near.update((held,) if isinstance(held, int) else held)
        near.update(chain.from_iterable(self._rare.get(gram, ()) for gram in every))
        return near

    def _with(self, wanted: frozenset[str]) -> set[int]:
        """Those that hold enough of the entities."""
        if len(wanted) < 2:
            return set()
        counts = Counter(chain.from_iterable(map(self._naming, wanted)))
        return {number for number, held in counts.items() if held > ENTITIES * len(wanted)}

    @cached_property
    def _bearing(self) -> dict[str, list[int]]:
        """The texts that name each entity as one of their own."""
        found: dict[str, list[int]] = {}
        for number, own in enumerate(self._entities):
            for entity in own:
                found.setdefault(entity, []).append(number)
        return found

    def _naming(self, entity: str) -> list[int]:
        """The texts that hold an entity, found in all of them at once."""
        found = self._named.get(entity)
        if found is None:
            if not self._starts:
                self._starts = list(accumulate((len(text) + 1 for text in self._texts), initial=0))
            named = set(self._bearing.get(entity, ()))
            at = self._lines.find(entity)
            while at >= 0:
                number = bisect_right(self._starts, at) - 1
                named.add(number)
                at = self._lines.find(entity, self._starts[number + 1] - 1)
            found = self._named[entity] = sorted(named)
        return found

    # -- which of them are like one another -------------------------------------------------------------------

    def pairs(self) -> list[tuple[int, int, Likeness]]:
        """Two by two what says the same, or is part of the other: each pair once, the lower number first."""
        found: list[tuple[int, int, Likeness]] = []
        looked: set[tuple[int, int]] = set()
        for twins in self._same.values():
            found += ((twins[0], twin, Likeness("exact", 1.0)) for twin in twins[1:])
        holding, crowded, asking = self._shared()
        for one in asking:
            few = split_trigrams(self._texts[one]) - crowded
            several = [(len(holding[gram]), gram) for gram in few if gram in holding]
            several = sorted(held for held in several if held[0] > 1)
            alone = len(few) - len(several)
            rare = [gram for _count, gram in several[: max(_RAREST - alone, 0)]]
            # What says as much as all this shares more than one rare trigram; chance shares one.
            least = 2 if min(alone + len(rare), _RAREST) > 3 else 1
            company = Counter(chain.from_iterable([holding[gram] for gram in rare]))
            mine = self._prints[one]
            for two in [other for other, held in company.items() if held >= least and other != one]:
                pair = (one, two) if one < two else (two, one)
                if not _may_be_like(mine, self._prints[two]) or pair in looked:
                    continue
                looked.add(pair)
                how = compare_shapes(shape(self._texts[pair[0]]), shape(self._texts[pair[1]]))
                if how is not None:
                    found.append((*pair, how))
        return sorted(found)

    def _shared(self) -> tuple[dict[str, list[int]], set[str], list[int]]:
        """The texts that hold each trigram which several hold, and the trigrams that a crowd holds; and the texts
        whose rarest trigrams are not all their own.

        Most trigrams of many texts stand in one of them only, and find nothing: they are not kept.
        """
        last = min(_SEEN, 1 << max(16, (len(self._lines) * 8).bit_length())) - 1
        seen = bytearray(last + 1)
        for text, twins in self._same.items():
            bits, every = 0, [number & last for number in map(hash, split_trigrams(text))]
            for at in every:
                bits |= _BITS[at & 1023]
                if seen[at] < 2:
                    seen[at] += 1
            self._prints[twins[0]] = bits, len(every)
        holding: dict[str, list[int]] = {}
        crowded: set[str] = set()
        asking: list[int] = []
        for text, twins in self._same.items():
            one, few = twins[0], split_trigrams(text) - crowded
            several = [gram for gram in few if seen[hash(gram) & last] > 1]
            if len(few) - len(several) < _RAREST:
                asking.append(one)
            for gram in several:
                held = holding.get(gram)
                if held is None:
                    holding[gram] = [one]
                elif len(held) < _CROWD:
                    held.append(one)
                else:
                    del holding[gram]
                    crowded.add(gram)
        return holding, crowded, asking

    def groups(self) -> list[list[int]]:
        """All of them, those that say the same together: in order, the first of a group deciding its place."""
        return self._joined((one, two) for one, two, how in self.pairs() if how.kind == "same")

    def groups_since(self, before: Alike) -> tuple[list[list[int]], Alike]:
        """The same, and what to go on from the next time: only what is new is held against the others."""
        marks = {sha256(text.encode("utf-8", "surrogatepass"))[:16]: twins[0] for text, twins in self._same.items()}
        fresh = [one for mark, one in marks.items() if mark not in before.texts]
        since = before.since + len(fresh)
        if since * _ANEW > len(marks):
            # What is rare is another by now.
            since = 0
            same = {(one, two) for one, two, how in self.pairs() if how.kind == "same"}
        else:
            same = {(marks[one], marks[two]) for one, two in before.same if one in marks and two in marks}
            same |= self._same_as(fresh)
        called = {one: mark for mark, one in marks.items()}
        told = frozenset((called[one], called[two]) for one, two in same if one in called and two in called)
        return self._joined(same), Alike(frozenset(marks), told, since)

    def _same_as(self, fresh: Sequence[int]) -> set[tuple[int, int]]:
        """What says the same as one of a few: every text is looked at for their trigrams, once for all of them."""
        wanted = set(chain.from_iterable(split_trigrams(self._texts[one]) for one in fresh))
        holding: dict[str, list[int]] = {}
        for text, twins in self._same.items() if wanted else ():
            for gram in split_trigrams(text) & wanted:
                held = holding.setdefault(gram, [])
                if len(held) < _CROWD:
                    held.append(twins[0])
                else:
                    del holding[gram]
                    wanted.discard(gram)
        found: set[tuple[int, int]] = set()
        for one in fresh:
            shared = [holding[gram] for gram in split_trigrams(self._texts[one]) if gram in holding]
            least = 2 if len(shared) > 3 else 1
            for two, many in Counter(chain.from_iterable(shared)).items():
                if many >= least and two != one:
                    how = compare_shapes(shape(self._texts[one]), shape(self._texts[two]))
                    if how is not None and how.kind == "same":
                        found.add((min(one, two), max(one, two)))
        return found

    def _joined(self, same: Iterable[tuple[int, int]]) -> list[list[int]]:
        above = list(range(len(self._texts)))

        def top(number: int) -> int:
            while above[number] != number:
                above[number] = number = above[above[number]]
            return number

        twins = ((some[0], other) for some in self._same.values() for other in some[1:])
        # Parts of one another are not joined: through a short text everything would be one.
        for one, two in chain(twins, same):
            low, high = sorted((top(one), top(two)))
            above[high] = low
        found: dict[int, list[int]] = {}
        for number in range(len(above)):
            found.setdefault(top(number), []).append(number)
        return list(found.values())


class Alike(NamedTuple):
    """Which of many texts say the same, to go on from where few of them changed. Texts go by marks of their own."""

    texts: frozenset[str] = frozenset()
    same: frozenset[tuple[str, str]] = frozenset()
    since: int = 0
    """Texts that came since all were held against all."""

    def plain(self) -> tuple[int, str, str]:
        """As it is kept in a file."""
        return self.since, " ".join(sorted(self.texts)), " ".join(chain.from_iterable(sorted(self.same)))

    @classmethod
    def read(cls, plain: object) -> Alike:
        """What `plain` gave; of anything else nothing is known."""
        if not (isinstance(plain, tuple) and len(plain) == 3 and isinstance(plain[0], int)):
            return cls()
        if not (isinstance(plain[1], str) and isinstance(plain[2], str)):
            return cls()
        two = iter(plain[2].split())
        return cls(frozenset(plain[1].split()), frozenset(zip(two, two, strict=False)), max(plain[0], 0))


def _printed(every: Collection[str]) -> tuple[int, int]:
    """A text's trigrams in few bits, and how many they are."""
    bits = 0
    for gram in every:
        bits |= _BITS[hash(gram) & 1023]
    return bits, len(every)


def _may_be_like(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether they can share half of the fewer trigrams, as `compare_shapes` asks: a bit that only one has is not shared."""
    (mine, many), (theirs, more) = one, two
    shared = min(many - (mine & ~theirs).bit_count(), more - (theirs & ~mine).bit_count())
    return shared * 2 >= min(many, more)


_LEAST = 3
"""Terms that both must hold: what shares fewer may be about anything."""
_SHARED = 0.75
"""Of the shorter one's terms, where one says more than the other."""
_MOST = 0.8
_SEVERAL = 5
"""Where each says something that the other does not: more than this share, and at least so many terms."""
_MANY = 200
"""Statements with one term, beyond which it brings none together."""

_PIECE = compile_pattern(r"[a-z0-9_]+(?:[./:-][a-z0-9_]+)*|[\u3400-\u9fff]+")
_BETWEEN = compile_pattern(
    "[的是在了为和与会要应须必该可以需得就都也把被让使用做设及或从到给对于等其这那个只能有我你他它们]"
)
_CLAUSE = compile_pattern("[,;，；。]+")
_NUMBER = compile_pattern(r"\d+(?:[.:]\d+)*")
_WIDE = compile_pattern(f"[{HAN}]")


class ReadStatement(NamedTuple):
    """What a statement is about."""

    terms: frozenset[str]
    names: frozenset[str]
    """Of a Chinese sentence the Latin words: there they are names."""
    numbers: frozenset[str]
    denying: tuple[frozenset[str], ...]
    """The terms of each clause that denies something, as often as it does."""


def read_gist(text: str) -> ReadStatement:
    """The terms of a statement: Latin words by their meaning, Chinese by pairs within what no particle divides."""
    plain = fold(text)
    names: set[str] = set()
    clauses = [(_read_terms(clause, names), clause) for clause in _CLAUSE.split(plain)]
    denying = [terms for terms, clause in clauses for _time in range(count_denials(normalize_text(clause)))]
    return ReadStatement(
        frozenset().union(*(terms for terms, _clause in clauses)),
        frozenset(names if _WIDE.search(plain) else ()),
        frozenset(_NUMBER.findall(plain)),
        tuple(denying),
    )


def _read_terms(clause: str, names: set[str]) -> frozenset[str]:
    terms: set[str] = set()
    for piece in _PIECE.findall(clause):
        if piece >= "\u3400":
            for run in _BETWEEN.split(piece):
                terms.update(run[at : at + 2] for at in range(len(run) - 1))
        else:
            meant = [concept for concept in list_concepts(piece) if concept[:1].isalnum()]
            terms.update(meant)
            names.update(meant if not piece[0].isdigit() else ())
    return frozenset(terms)


def say_the_same(one: ReadStatement, two: ReadStatement) -> bool:
    """Whether two statements say the same in other words."""
    shared = one.terms & two.terms
    fewer = min(len(one.terms), len(two.terms))
    # What only one of them says may deny what it likes: '…，避免重复入账'.
    denials = [sum(not shared.isdisjoint(terms) for terms in gist.denying) for gist in (one, two)]
    if len(shared) < _LEAST or denials[0] != denials[1] or tell_apart(one, two):
        return False
    share = len(shared) / fewer
    if one.names or two.names or share == 1.0:
        return share >= _SHARED
    return share > _MOST and len(shared) >= _SEVERAL


def tell_apart(one: ReadStatement, two: ReadStatement) -> bool:
    """Whether each names a number or a thing that the other does not, however alike they are."""
    for mine, theirs in ((one.numbers, two.numbers), (one.names, two.names)):
        if mine - theirs and theirs - mine:
            return True
    rivals = {find_rival_class(term) for term in one.terms - two.terms} - {""}
    return not rivals.isdisjoint(find_rival_class(term) for term in two.terms - one.terms)


def group_reworded(texts: Sequence[str], also: Iterable[tuple[int, int]] = ()) -> list[list[int]]:
    """The texts by what they say, as their numbers; `also`: pairs that are known to say the same."""
    gists = [read_gist(text) for text in texts]
    holding: dict[str, list[int]] = defaultdict(list)
    for number, gist in enumerate(gists):
        for term in gist.terms:
            holding[term].append(number)
    top = list(range(len(texts)))

    def find_top(number: int) -> int:
        while top[number] != number:
            top[number] = top[top[number]]
            number = top[number]
        return number

    for one, two in also:
        top[find_top(one)] = find_top(two)
    for number, gist in enumerate(gists):
        near = {
            other for term in gist.terms if len(holding[term]) <= _MANY for other in holding[term] if other < number
        }
        for other in near:
            if find_top(other) != find_top(number) and say_the_same(gists[other], gist):
                top[find_top(number)] = find_top(other)
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(texts)):
        groups[find_top(number)].append(number)
    return list(groups.values())
