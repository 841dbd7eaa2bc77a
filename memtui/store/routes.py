"""Words that lead to a document before anything is searched (specs 000, 002), without an index or a model.

A RouteRule is such words wherever they were written down. RouteQuery matches triggers as people write: any case
and width, Chinese anywhere, Latin at word boundaries, in linear time. RouteBook holds a home's rules, read
again only where one of their files has another time or size:

Which files a home keeps them in says its layout (`LayoutFacts.rule_files`): a `rules/memory-loader.md` has triggers,
an index keywords. Other layouts keep no such tables: their MEMORY.md is read at every start anyway. Where rules come
from and where they lead is `route_targets`; the INDEX.md of memtui's own home is `route_documents`.
"""

from __future__ import annotations

import os
import unicodedata
from functools import lru_cache
from itertools import islice
from pathlib import PurePath

from memtui.core.errors import MemtuiError
from memtui.core.model import Filter, Layer, Role, Route
from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol, compile_pattern
from memtui.core.text import CJK_RUN
from memtui.formats import Source
from memtui.fs.files import read
from memtui.layouts import load_facts
from memtui.search.variants import simplify_characters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.layouts import Program
    from memtui.store.route_targets import Document, RoutePlaces, RouteRule, RouteWork
    from memtui.store.writing import Kept


LONGEST = 2000
"""Characters of a query that are looked at."""

_JOINTS = str.maketrans("-_", "  ")
_NAME = compile_pattern(r"[a-z0-9_]+")
_PLURAL = 4


def fold_trigger(text: str) -> str:
    """A text as triggers are compared: NFKC, no case, one script of Chinese, '-', '_' and blanks alike, no 的."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_JOINTS)
    if not text.isascii():
        text = simplify_characters(text).replace("的", "")
    return " ".join(text.split())


class RouteQuery:
    """One query, ready to be compared with many triggers."""

    def __init__(self, query: str, here: Callable[[], str] = str) -> None:
        query = query[:LONGEST]
        self.here = here
        self.text = fold_trigger(query)
        self.names = frozenset(_NAME.findall(unicodedata.normalize("NFKC", query).casefold()))
        """Its identifiers, '_' and all: 'ord_items' names a table."""

    def holds(self, trigger: str) -> bool:
        """Whether a folded trigger stands in it: a Latin one between word ends, a plural's s aside."""
        if len(trigger) < 2:
            # One character stands in half of all questions: it must be the whole of this one.
            return bool(trigger) and trigger == self.text
        at = self.text.find(trigger)
        while at >= 0:
            if self._is_whole_word(at, at + len(trigger)):
                return True
            at = self.text.find(trigger, at + 1)
        return False

    def _is_whole_word(self, start: int, end: int) -> bool:
        text = self.text
        if start and _is_letter(text[start]) and _is_letter(text[start - 1]):
            return False
        if end == len(text) or not _is_letter(text[end - 1]) or not _is_letter(text[end]):
            return True
        after = text[end + 1 : end + 2]
        return text[end] == "s" and end - start >= _PLURAL and not (after and _is_letter(after))

    def prefixed(self, prefix: str) -> bool:
        """Whether one of its identifiers begins with a prefix and goes on behind a '_': a table of that family."""
        prefix = prefix.casefold().rstrip("_")
        return bool(prefix) and any(
            name == prefix or (name.startswith(prefix) and name[len(prefix)] == "_") for name in self.names
        )


def _is_letter(char: str) -> bool:
    """A letter or digit of a script that puts blanks between words."""
    return char.isalnum() and (char < "\u2e80" or CJK_RUN.match(char) is None)


LARGEST = 256 * 1024
"""Bytes of a rules file that are read."""

_ROLE = Role(Layer.KNOWLEDGE, "index", "index")


class Trigger(NamedTuple):
    """A word of a rule, as it is compared."""

    folded: str
    written: str
    rule: RouteRule


class RouteBook:
    """The rules of one home, or those of the config."""

    def __init__(self, found: Iterable[RouteRule] = ()) -> None:
        self.rules = tuple(found)
        pairs = ((fold_trigger(word), word, rule) for rule in self.rules for word in rule.triggers)
        self.triggers = sorted((Trigger(*pair) for pair in pairs if pair[0]), key=lambda one: -len(one.folded))
        """The longest first."""
        self.words = [trigger.folded for trigger in self.triggers]
        self.naming = tuple(rule for rule in self.rules if rule.naming)


class RouteBooks(dict[str, "Shelved"]):
    """The rules of some homes, by the homes' paths."""


class Shelved:
    """A home's book, kept as long as its files are what they were."""

    def __init__(self, home: Home) -> None:
        self._files = tuple(
            (bases, _place(home, name))
            for name, bases in load_facts(home).rule_files
            # Only where it is Claude Code's own directory are the rules beside it about this home.
            if not name.startswith("../") or home.path.name == "memory"
        )
        self._programs = load_facts(home).programs
        self._held: tuple[tuple[tuple[int, int] | None, ...], RouteBook] | None = None

    def book(self) -> RouteBook:
        """The rules as they stand now."""
        stamp = tuple(_stamp(file) for _bases, (_root, _path, file) in self._files)
        held = self._held
        if held is None or held[0] != stamp:
            found = [
                rule
                for (bases, place), there in zip(self._files, stamp, strict=True)
                if there
                for rule in _read(bases, place, self._programs)
            ]
            held = self._held = stamp, RouteBook(found)
        return held[1]


def _place(home: Home, name: str) -> tuple[str, str, str]:
    """The directory that the file must stay inside of, its path there, and the whole path."""
    above = name.startswith("../")
    root = str(home.path.parent if above else home.path)
    path = name.removeprefix("../")
    return root, path, os.path.join(root, *path.split("/"))


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _load_work() -> type[RouteWork]:
    # Most searches are in homes without rules, and pay for none.
    from memtui.store.route_targets import RouteWork

    return RouteWork


def _read(bases: tuple[str, ...], place: tuple[str, str, str], programs: Sequence[Program]) -> list[RouteRule]:
    """The rules of one file; none of one that is a link, or cannot be read."""
    root, path, _file = place
    try:
        data = read(root, path, LARGEST)[0]
    except (MemtuiError, OSError):
        return []
    source = Source(path, _ROLE, data, masked=True)
    work = _load_work()
    return work.parse_loader(source.text, path, bases, programs) if bases else work.parse_index(source, path)


MOST = 6
"""Documents that are named at once: more are no answer but a list."""

_LOOKED = 24
"""Rules that are looked up on disk for one query and home, the longest triggers first."""
_PREFIXES = ("前缀", "prefix", "table", "表")


class Routed(Protocol):
    """Homes whose rules are asked."""

    kept: Kept

    @property
    def homes(self) -> tuple[Home, ...]:
        """The homes that are open."""


def match_routes(
    vault: Routed, query: str, config: Config, filter: Filter | None = None, *, here: Callable[[], str] = str
) -> tuple[Route, ...]:
    """The documents that the query's words lead to, the longest trigger first; at most `MOST`.

    `here` says the project worked in, as a home's areas call it: few rules ask. Of a filter the homes, layers and
    path are heeded. Nothing is raised: a rules file that cannot be read, or is no such file at all, leads nowhere.
    """
    asked = RouteQuery(query, here)
    if not config.routing.enabled or not asked.text:
        return ()
    wanted = filter or Filter()
    own = _make_configured_book(config.routing.triggers)
    found: list[tuple[int, Route]] = []
    for home in vault.homes:
        name = str(home.path)
        if home.origin is not None or (wanted.homes and name not in wanted.homes):
            continue
        found += _match_home(vault, home, (own, load_rule_book(vault, home)), asked, wanted)
    # Of homes that stand inside of each other the inner one has the document.
    found.sort(key=lambda pair: (-pair[0], -len(pair[1].home)))
    places: dict[str, Route] = {}
    for _long, route in found:
        places.setdefault(os.path.join(route.home, route.path or route.command), route)
    return tuple(places.values())[:MOST]


def load_rule_book(vault: Routed, home: Home) -> RouteBook:
    """The rules of a home as they stand now."""
    name = str(home.path)
    books = vault.kept.of(RouteBooks)
    shelved = books.get(name)
    if shelved is None:
        shelved = books[name] = Shelved(home)
    return shelved.book()


@lru_cache(maxsize=4)
def _make_configured_book(said: tuple[str, ...]) -> RouteBook:
    if not said:
        return RouteBook()
    return RouteBook(_load_work().parse_configured(said))


def _match_home(
    vault: Routed, home: Home, books: Iterable[RouteBook], asked: RouteQuery, wanted: Filter
) -> Iterator[tuple[int, Route]]:
    fired = [pair for book in books for pair in _list_fired_rules(book, asked)]
    if not fired:
        return
    fired.sort(key=lambda pair: -len(pair[0]))
    with _load_work().Places(home) as places:
        for word, rule in fired[:_LOOKED]:
            if rule.command:
                yield len(fold_trigger(word)), _make_answered_route(places, home, rule, word)
                continue
            for target in rule.targets:
                for document in _find_documents(vault, places, rule, target, word, asked):
                    if _may_be_named(document, rule, wanted):
                        trigger = word or document.named
                        route = Route(str(home.path), document.path, trigger, rule.source)
                        yield len(fold_trigger(trigger)), route


def _make_answered_route(places: RoutePlaces, home: Home, rule: RouteRule, word: str) -> Route:
    """What a program of the tool's own is asked: our command, and the document that it would write."""
    path = next((target for target in rule.targets if places.there(target)), "")
    return Route(str(home.path), path, word, rule.source, rule.command)


def _list_fired_rules(book: RouteBook, asked: RouteQuery) -> Iterator[tuple[str, RouteRule]]:
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


def _find_documents(
    vault: Routed, places: RoutePlaces, rule: RouteRule, target: str, word: str, asked: RouteQuery
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
    named = [one for one in candidates if _is_named(places, asked, *one, family)]
    if named or not word:
        yield from filter(None, (places.document(path, name) for name, path in named[:_LOOKED]))
        return
    # 'the architecture' without a name is this project's, or that of the only one that has such a document.
    current = {PurePath(home.project).name for home in vault.homes if home.current and home.project}
    current.add(asked.here())
    there = [one for name, path in candidates[:_LOOKED] if (one := places.document(path, name)) is not None]
    yield from [one for one in there if one.named in current] or (there if len(there) == 1 else ())


def _is_named(places: RoutePlaces, asked: RouteQuery, named: str, path: str, family: bool) -> bool:
    """Whether the query names what a placeholder may stand for, or one of its family of names."""
    if asked.holds(fold_trigger(named)):
        return True
    return family and any(asked.prefixed(one) for one in places.prefixes(named, path))


def _may_be_named(document: Document, rule: RouteRule, wanted: Filter) -> bool:
    """Whether it may be named: an index leads to module documents, not to what is loaded anyway or to an index."""
    role = document.role
    knows = role.layer is Layer.KNOWLEDGE or role.kind == "plan"
    if rule.layered and (not knows or role.parser == "index"):
        return False
    if wanted.layers and role.layer not in wanted.layers:
        return False
    return document.path.startswith(wanted.path.partition("*")[0].partition("?")[0])
