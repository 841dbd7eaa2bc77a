"""What trouble is about: the same name for the same trouble in other words, in English and in Chinese.

An error's class or code, else what kind of trouble it is, then the most specific name beside it: an identifier, a
package, a service, else a thing that people speak of. What varies from time to time (numbers, paths, hosts' addresses)
is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.evolution.hearing import han
from memtui.evolution.hearing.kinds import ANSWERS, CODES, KINDS, ROUGH
from memtui.evolution.hearing.sign import CORRECTION, ERROR, GAP, RECURRING
from memtui.evolution.hearing.things import GENERIC, identifiers, plain, single, spoken_of, things

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.evolution.hearing.listening import Found

LONGEST = 80
_KNOWN = {
    "npe": "nullpointerexception", "importerror": "modulenotfounderror", "unicodedecodeerror": "encoding",
    "unicodeencodeerror": "encoding", "econnrefused": "econnrefused", "timeouterror": "timeout",
    "outofmemoryerror": "oom", "memoryerror": "oom", "stackoverflowerror": "stackoverflow", "etimedout": "timeout",
    "classnotfoundexception": "modulenotfounderror", "noclassdeffounderror": "modulenotfounderror",
    "nosuchmethoderror": "version-conflict", "eresolve": "peer-dependency", "eperm": "eacces",
    "eaddrinuse": "port in use", "nullreferenceexception": "nullpointerexception",
}  # fmt: skip
_ALONE = frozenset(
    {
        "modulenotfounderror",
        "command-not-found",
        "env-var",
        "port in use",
        "not-running",
        "slow query",
        "wrong-version",
        "",
    }
)
"""Kinds whose pattern says what they are about."""


def about(found: Found, others: Sequence[Found] = ()) -> str:
    """The trouble's name; empty where there is nothing to name."""
    told = found.sign.type
    if told == RECURRING:
        # What came back has the name of what it is.
        base = next((other for other in others if other.sign.type not in {RECURRING, CORRECTION, GAP}), None)
        if base is not None:
            return about(base)
    sentence = found.sentence
    kind, thing = _kind(told, sentence)
    if thing and not plain(single(thing)):
        return _joined(kind, [single(thing)])
    names = _names(kind, told, sentence, found.start, found.end)
    if not names and len(found.line) > len(sentence):
        # What it is about may have been said in the sentence before.
        at = found.line.find(sentence)
        names = _names(kind, told, found.line, at + found.start, at + found.end)
    if not names and not kind:
        names = spoken_of(sentence, found.start, found.end)
        names = names or han.spoken_of(sentence, found.start, found.end)
    return _joined(kind, names)


def _names(kind: str, type: str, sentence: str, start: int, end: int) -> list[str]:
    """The names beside the trouble: one where its kind is known, else at most two."""
    names = [name for name in identifiers(sentence, start) if name not in kind.split()]
    if type == CORRECTION:
        return sorted(names[:2]) or things(sentence, start, end, type)[:2]
    if not names or all(name in GENERIC for name in names):
        named = [thing for thing in things(sentence, start, end, type) if thing not in kind.split()]
        names = named or names[:1]
        return sorted(names[: 1 if type == GAP else 2])
    return sorted(names[: 1 if kind or type == GAP else 2])


def _kind(type: str, sentence: str) -> tuple[str, str]:
    """The kind of trouble, and what its own words say that it is about."""
    if type in {CORRECTION, GAP}:
        return "", ""
    for kind in KINDS:
        if type in kind.types or type == RECURRING:
            found = kind.pattern.search(sentence)
            if found is not None:
                thing = next((group for group in found.groups() if group), "")
                return kind.name, _plain(thing) if kind.name in _ALONE else ""
    code = next(_codes(sentence), "")
    if code:
        return _KNOWN.get(code, code), ""
    if type in {ERROR, RECURRING}:
        answer = ANSWERS.search(sentence)
        if answer is not None:
            return f"http {answer[1]}", ""
        for kind in ROUGH:
            if kind.pattern.search(sentence) is not None:
                return kind.name, ""
    return "", ""


def _codes(sentence: str) -> Iterator[str]:
    for found in CODES.finditer(sentence):
        yield next(filter(None, found.groups())).lower()


def _plain(thing: str) -> str:
    """A package or a variable without quotes and path; a module by its first name."""
    thing = thing.strip("`'\"‘’“”.,:;()").lower()
    if thing.startswith(("./", "../", "/")):
        return thing.rsplit("/", 1)[-1]
    return re.sub(r"(?<=\w)@\d[\w.-]*$", "", thing)


def _joined(kind: str, names: Sequence[str]) -> str:
    """In the order in which one says it: a port's number stands inside."""
    if kind == "port in use" and names:
        return f"port {names[0]} in use" if names[0].isdigit() else " ".join([kind, *names])
    return " ".join(filter(None, [kind, *names]))[:LONGEST].strip()
