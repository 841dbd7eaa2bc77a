"""Words that lead to a document before anything is searched: spec 002's first level, spec 000's INDEX.md.

`loader` and `tables` read what homes say, `book` keeps it, `matching` compares it with a query, `places` finds the
documents, `astray` those that are not there; `documents` writes the INDEX.md of memtui's own home. No model is asked,
and no index.
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import islice
from pathlib import PurePath

from memtui.model import Filter, Layer
from memtui.record import TYPE_CHECKING
from memtui.results import Route
from memtui.routing.book import Book, Shelved
from memtui.routing.matching import Asked, folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.config import Config
    from memtui.model import Home
    from memtui.routing.places import Document, Places
    from memtui.routing.rule import Rule
    from memtui.writing import Writing

__all__ = ["book", "routes"]

MOST = 6
"""Documents that are named at once: more are no answer but a list."""

_LOOKED = 24
"""Rules that are looked up on disk for one query and home, the longest triggers first."""
_PREFIXES = ("前缀", "prefix", "table", "表")


def routes(vault: Writing, query: str, config: Config, filter: Filter | None = None) -> tuple[Route, ...]:
    """The documents that the query's words lead to, the longest trigger first; at most `MOST`.

    Of a filter the homes, layers and path are heeded. Nothing is raised: a rules file that cannot be read, or is no
    such file at all, leads nowhere.
    """
    asked = Asked(query)
    if not config.routing.enabled or not asked.text:
        return ()
    wanted = filter or Filter()
    own = _configured(config.routing.triggers)
    found: list[tuple[int, Route]] = []
    for home in vault.homes:
        name = str(home.path)
        if wanted.homes and name not in wanted.homes:
            continue
        found += _of_home(vault, home, (own, book(vault, home)), asked, wanted)
    # Of homes that stand inside of each other the inner one has the document.
    found.sort(key=lambda pair: (-pair[0], -len(pair[1].home)))
    places: dict[str, Route] = {}
    for _long, route in found:
        places.setdefault(os.path.join(route.home, route.path), route)
    return tuple(places.values())[:MOST]


def book(vault: Writing, home: Home) -> Book:
    """The rules of a home as they stand now."""
    name = str(home.path)
    shelved = vault.books.get(name)
    if shelved is None:
        shelved = vault.books[name] = Shelved(home)
    return shelved.book()


@lru_cache(maxsize=4)
def _configured(said: tuple[str, ...]) -> Book:
    if not said:
        return Book()
    from memtui.routing.loader import configured

    return Book(configured(said))


def _of_home(
    vault: Writing, home: Home, books: Iterable[Book], asked: Asked, wanted: Filter
) -> Iterator[tuple[int, Route]]:
    fired = [pair for book in books for pair in _fired(book, asked)]
    if not fired:
        return
    from memtui.routing.places import Places

    fired.sort(key=lambda pair: -len(pair[0]))
    with Places(home) as places:
        for word, rule in fired[:_LOOKED]:
            for target in rule.targets:
                for document in _meant(vault, places, rule, target, word, asked):
                    if _passes(document, rule, wanted):
                        trigger = word or document.named
                        route = Route(str(home.path), document.path, trigger, rule.source)
                        yield len(folded(trigger)), route


def _fired(book: Book, asked: Asked) -> Iterator[tuple[str, Rule]]:
    """The rules that the query's words fire, each with its longest word; empty: what it names is yet to be seen."""
    seen: set[int] = set()
    # What does not stand in it at all is most of them: nothing else is asked of those.
    held = [number for number, word in enumerate(book.words) if word in asked.text]
    for trigger in map(book.triggers.__getitem__, held):
        if id(trigger.rule) not in seen and asked.holds(trigger.folded):
            seen.add(id(trigger.rule))
            yield trigger.written, trigger.rule
    for rule in book.naming:
        if id(rule) not in seen:
            yield "", rule


def _meant(
    vault: Writing, places: Places, rule: Rule, target: str, word: str, asked: Asked
) -> Iterator[Document]:
    """The documents of a target: of all that its placeholder may stand for what the query names."""
    candidates = places.candidates(rule, target)
    if not candidates:
        return
    if not candidates[0][0]:
        found = (places.document(path) for _named, path in candidates) if word else iter(())
        yield from islice(filter(None, found), 1)
        return
    family = any(part in target.casefold() for part in _PREFIXES)
    named = [one for one in candidates if _names(places, asked, *one, family)]
    if named or not word:
        yield from filter(None, (places.document(path, name) for name, path in named[:_LOOKED]))
        return
    # 'the architecture' without a name is this project's, or that of the only one that has such a document.
    current = {PurePath(home.project).name for home in vault.homes if home.current and home.project}
    there = [one for name, path in candidates[:_LOOKED] if (one := places.document(path, name)) is not None]
    yield from [one for one in there if one.named in current] or (there if len(there) == 1 else ())


def _names(places: Places, asked: Asked, named: str, path: str, family: bool) -> bool:
    """Whether the query names what a placeholder may stand for, or one of its family of names."""
    if asked.holds(folded(named)):
        return True
    return family and any(asked.prefixed(one) for one in places.prefixes(named, path))


def _passes(document: Document, rule: Rule, wanted: Filter) -> bool:
    """Whether it may be named: an index leads to module documents, not to what is loaded anyway or to an index."""
    role = document.role
    knows = role.layer is Layer.KNOWLEDGE or role.kind == "plan"
    if rule.layered and (not knows or role.parser == "index"):
        return False
    if wanted.layers and role.layer not in wanted.layers:
        return False
    return document.path.startswith(wanted.path.partition("*")[0].partition("?")[0])
