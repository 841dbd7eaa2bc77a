"""Which statements say the same in other words, without a model: by the terms that they share.

What a model writes of several sessions never repeats to the letter: '支付回调必须用 order_id 做幂等键' comes
back as '支付回调的幂等键是 order_id'. Two statements are one where nearly all terms of the shorter stand in the
longer; not where their numbers contradict, one denies more than the other, or each names a thing that the other
does not. This is for what a person decides about: it finds more than `kin.Kin`, and is less sure.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.similarity import count_denials, find_rival_class, list_concepts, normalize_text
from memtui.search.terms import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LEAST = 3
"""Terms that both must hold: what shares fewer may be about anything."""
_SHARED = 0.75
"""Of the shorter one's terms, where one says more than the other."""
_MOST = 0.8
_SEVERAL = 5
"""Where each says something that the other does not: more than this share, and at least so many terms."""
_CROWD = 200
"""Statements with one term, beyond which it brings none together."""

_PIECE = compile_pattern(r"[a-z0-9_]+(?:[./:-][a-z0-9_]+)*|[\u3400-\u9fff]+")
_BETWEEN = compile_pattern(
    "[的是在了为和与会要应须必该可以需得就都也把被让使用做设及或从到给对于等其这那个只能有我你他它们]"
)
_CLAUSE = compile_pattern("[,;，；。]+")
_NUMBER = compile_pattern(r"\d+(?:[.:]\d+)*")
_WIDE = compile_pattern("[\u3400-\u9fff]")


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
            other
            for term in gist.terms
            if len(holding[term]) <= _CROWD
            for other in holding[term]
            if other < number
        }
        for other in near:
            if find_top(other) != find_top(number) and say_the_same(gists[other], gist):
                top[find_top(number)] = find_top(other)
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(texts)):
        groups[find_top(number)].append(number)
    return list(groups.values())
