"""Memories found without a search: by filters alone, by name, along their chain, as sessions.

`list_newest`: the answer to a query that is only filters. `is_memory_name`: a query that is an id, a key or a
place comes before what merely holds the words; `find_rewritten_line`: an id from before an edit. `follow`: what
a memory superseded and what superseded it (spec 002: supersededBy). `find_summarized_transcripts`: sessions kept
as summary and as transcript, so that a list shows each once.
"""

from __future__ import annotations

from contextlib import suppress
from zlib import crc32

from memtui.core.errors import StaleIndexError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Hit, Layer, Results
from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol, compile_pattern
from memtui.core.text import ITEM_KEY, derive_item_key, derive_opening_name
from memtui.index.filters import matches_filter
from memtui.index.queries import count_by_status
from memtui.search.inline import parse_inline_filters
from memtui.search.query import parse
from memtui.search.scan import Scan
from memtui.search.suggest import name_unread
from memtui.search.texts import crop_line
from memtui.store.history import compare_lines, read_journal_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.model import Memory
    from memtui.search.texts import SearchTarget
    from memtui.store.history import Recorded
    from memtui.store.home import OpenHome
    from memtui.store.reading import Listed


def list_newest(vault: Listed, wanted: Filter, limit: int) -> Results:
    """The newest memories that pass, as hits of no score, what says no time of its own behind what does; of homes
    without an index, what their files hold.
    """
    refs = vault.ids(wanted, "dated")
    memories = vault.load(refs[:limit])
    hits = [build_memory_hit(memory) for memory in memories if memory is not None]
    lost = len(memories) - len(hits)
    found = Results(hits)
    found.total = len(refs) - lost
    said: dict[str, None] = {}
    targets = vault.targets(wanted)
    for target in targets:
        if target.warning:
            said[target.warning] = None
        if target.index is None:
            _add_scanned(target, wanted, found, said)
        elif wanted.statuses:
            _count_hidden(target, wanted, found)
    if found.backend == "scan":
        found.sort(key=lambda one: one.time or 0.0, reverse=True)
        del found[limit:]
    if lost:
        told = _n("{count} memory cannot be read any more", "{count} memories cannot be read any more", lost)
        said[told.format(count=lost)] = None
    found.warning = "; ".join(said) or ("" if found else name_unread(targets))
    return found


def _count_hidden(target: SearchTarget, wanted: Filter, found: Results) -> None:
    """Count what only the status leaves out."""
    assert target.index is not None
    with suppress(StaleIndexError):
        for status, number in count_by_status(target.index, wanted._replace(statuses=frozenset())).items():
            if status not in wanted.statuses:
                found.hidden[status] = found.hidden.get(status, 0) + number


def _add_scanned(target: SearchTarget, wanted: Filter, found: Results, said: dict[str, None]) -> None:
    """Put in what a home's files hold: there is no index to ask."""
    pool = Scan(target.home, parse(""), wanted).pool()
    said[_("searched the files themselves")] = None
    if pool.warning:
        said[pool.warning] = None
    found.backend = "scan"
    found.total += pool.total
    found.more = found.more or pool.more
    for status, number in pool.hidden.items():
        found.hidden[status] = found.hidden.get(status, 0) + number
    for one in pool.candidates:
        found.append(
            Hit(
                str(one.home.path), one.path, one.line, one.last, 0.0, _crop_first_line(one.raw), one.layer, one.kind,
                "", one.status, tuple(one.heading.split("\x1f")) if one.heading else (), one.time, turn=one.turn,
            )
        )  # fmt: skip


def build_memory_hit(memory: Memory, score: float = 0.0, why: str = "") -> Hit:
    """A memory as a hit: its title or its first line."""
    moment = memory.created if memory.updated is None else memory.updated
    return Hit(
        memory.home, memory.path, memory.start, memory.end, score, _crop_first_line(memory.title or memory.text),
        memory.layer or Layer.KNOWLEDGE, memory.kind, why, memory.status, memory.heading,
        moment, memory.id,
    )  # fmt: skip


def _crop_first_line(text: str) -> str:
    """The first line, as a search shows one."""
    return crop_line(text.partition("\n")[0], [])[0]


def find_named(vault: NamedHomes, words: str, wanted: Filter) -> Memory | None:
    """The memory that a query names, if it passes."""
    named = vault.memory(words) if is_memory_name(words) else None
    return named if named is not None and matches_named_filter(named, wanted) else None


class NamedHomes(Protocol):
    """Homes in which a memory has a name."""

    def memory(self, id: str) -> Memory | None:
        """A memory by its id, its key, or `path:line`."""


def find_rewritten_line(vault: Recorded, home: str, path: str, id: str) -> int:
    """The line on which a memory stands that memtui wrote anew since it had this id; 0: nobody knows.

    An id is made of a memory's own bytes, so that each edit gives it another one.
    """
    versions, _why = read_journal_versions(vault, home, path, vault.bytes_of(home, path))
    for number, version in enumerate(versions):
        line = _find_span(version.lines, int(id[8:16], 16))
        for newer in reversed(range(number)):
            line = _carry_line(versions[newer + 1].lines, versions[newer].lines, line)
        if line:
            return line
    return 0


def _carry_line(before: Sequence[str], after: Sequence[str], line: int) -> int:
    """Where a line (1-based) of one version begins in the next; 0: it went."""
    for tag, i1, i2, j1, j2 in compare_lines(before, after):
        if i1 < line <= i2 and tag != "delete":
            return min(j1 + line - i1, j2)
    return 0


def _find_span(lines: Sequence[str], crc: int) -> int:
    """The line (1-based) from which some lines have this sum; 0: none has."""
    data = [line.encode("utf-8", "surrogateescape") for line in lines]
    for start in range(len(data)):
        found = crc32(data[start])
        for below in data[start + 1 : start + _SPAN]:
            if found == crc:
                break
            found = crc32(b"\n" + below, found)
        if found == crc:
            return start + 1
    return 0


_SPAN = 60
"""Lines of a memory that is looked for by what it was."""
_NAME = compile_pattern(r"(?=\D*\d)(?=.*[^\W\d])[^\s\"“”]{3,200}")


def is_memory_name(query: str) -> bool:
    """Whether a query may be an id, a key or `path:line`: one word with digits and letters."""
    return _NAME.fullmatch(query) is not None


def matches_named_filter(memory: Memory, filter: Filter) -> bool:
    """Whether a memory asked for by name passes; its status and its time are not asked for."""
    anyhow = filter._replace(statuses=frozenset(), since=None, until=None, expiring=None)
    return (not filter.homes or memory.home in filter.homes) and matches_filter(
        anyhow,
        layer=memory.layer or Layer.KNOWLEDGE,
        kind=memory.kind,
        path=memory.path,
        status=memory.status,
        moment=None,
        tags=memory.tags,
        session=memory.session or memory.source,
        expires=None,
    )


def put_memory_first(memory: Memory, found: Results, limit: int, of: Callable[[Hit], Memory | None]) -> Results:
    """The hits with this memory before the others. `of` tells what a hit shows."""

    def same(other: Hit) -> bool:
        if (other.home, other.path, other.start_line) != (memory.home, memory.path, memory.start):
            return False
        shown = of(other)
        return shown is None or shown.id == memory.id

    others = [other for other in found if not same(other)]
    found.total += 1 - (len(found) - len(others))
    found[:] = [build_memory_hit(memory, 1.0, memory.key or memory.path), *others][:limit]
    return found


class Chain(NamedTuple):
    """What a memory replaced and what replaced it, nearest first."""

    before: tuple[Memory, ...] = ()
    after: tuple[Memory, ...] = ()
    dangling: str = ""
    """The successor that is named but nowhere to be found."""
    cyclic: bool = False
    """Following the successors leads back to where one was."""


def follow(memory: Memory, shelf: OpenHome | None, others: Sequence[OpenHome] = ()) -> Chain:
    """The whole chain around a memory, whether or not a filter would show its links; of no home that is open none.
    What stands in no file of its home may stand in one of the `others`."""
    if shelf is None:
        return Chain()
    after, dangling, cyclic = _list_successors(memory, shelf, others)
    # In a circle the same one stands on both sides.
    seen = {memory.id, *(found.id for found in after if not cyclic)}
    before: list[Memory] = []
    edge = [memory]
    while edge:
        older = [
            found
            for item in edge
            for found in _list_predecessors(item, shelf)
            if found.id not in seen and not _is_later_record(found, item)
        ]
        seen.update(found.id for found in older)
        before += older
        edge = older
    return Chain(tuple(before), tuple(after), dangling, cyclic)


def _is_later_record(found: Memory, item: Memory) -> bool:
    """Whether it is a newer record of the same id: appending supersedes, so all but the last name that id."""
    return (found.key, found.path) == (item.key, item.path) and found.start > item.start


def _list_successors(memory: Memory, shelf: OpenHome, others: Sequence[OpenHome]) -> tuple[list[Memory], str, bool]:
    after: list[Memory] = []
    seen = {memory.id}
    current = memory
    while current.superseded_by:
        key = current.superseded_by
        following = shelf.by_key(key, near=current.path) or _find_replacing_topic(current, shelf)
        if following is None and key.startswith(ITEM_KEY):
            found = (other.by_key(key) or _find_own_words(key, other) for other in (shelf, *others))
            following = next(filter(None, found), None)
        if following is None:
            return after, current.superseded_by, False
        if following.id in seen:
            return after, "", True
        seen.add(following.id)
        after.append(following)
        current = following
    return after, "", False


def _find_own_words(key: str, shelf: OpenHome) -> Memory | None:
    """What a person wrote in a file of their own carries no id: it is found by what it says, and where."""
    own = Filter(layers=frozenset({Layer.PROFILE}), statuses=frozenset(), parts=True)
    found = shelf.load(shelf.ids(own, "path")).values()
    return next((memory for memory in found if derive_item_key(memory.path, memory.text) == key), None)


def _list_predecessors(memory: Memory, shelf: OpenHome) -> list[Memory]:
    key = memory.key or (derive_item_key(memory.path, memory.text) if memory.layer is Layer.PROFILE else "")
    keyed = shelf.predecessors(key, memory.path) if key else []
    if memory.key and not memory.key.startswith(ITEM_KEY):
        return keyed
    # What was replaced before it had an id names it by how it begins.
    by_text = shelf.predecessors(derive_opening_name(memory.text), memory.path)
    named = keyed + [found for found in by_text if found.path == memory.path]
    if memory.start > 1 or not memory.title:
        return named
    # A topic is named by its file, which lies beside.
    folder, _, file = memory.path.rpartition("/")
    topics = shelf.predecessors(file.removesuffix(".md"), memory.path)
    return named + [found for found in topics if found.path.rpartition("/")[0] == folder]


def _find_replacing_topic(memory: Memory, shelf: OpenHome) -> Memory | None:
    """The topic that replaced this one, named by its file."""
    folder, slash, _file = memory.path.rpartition("/")
    name = memory.superseded_by
    return None if "/" in name else shelf.at(f"{folder}{slash}{name}.md", 1)


class Lookups:
    """What names and filters find, under one name: most searches ask for none of it."""

    find_named = staticmethod(find_named)
    find_rewritten_line = staticmethod(find_rewritten_line)
    follow = staticmethod(follow)
    list_newest = staticmethod(list_newest)
    parse_inline_filters = staticmethod(parse_inline_filters)
    put_memory_first = staticmethod(put_memory_first)
