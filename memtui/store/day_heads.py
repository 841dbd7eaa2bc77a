"""What happened on which day besides what was noted: the heads of plans and of releases; and every day's count.

`scope` is a filter that chooses homes and statuses; without statuses everything is asked for.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.core.model import Filter, Layer, Memory, Status
from memtui.core.startup import compile_pattern
from memtui.store.session_ids import find_summarized_transcripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.store.reading import MemoryRef
    from memtui.store.vault import Vault

HEADS = 240
"""Plans and releases that are read, the newest."""
LOGGED = frozenset({"event"})
"""Kinds of knowledge that tell what happened: a changelog's entries."""
PACKAGE = compile_pattern(r"(?:^|.*/)((20\d\d)-?(\d\d)-?(\d\d)(?:\d{2,6})?[_-]([^/]+))/([^/]+)$")
"""A document of a plan: `plan/202603181016_slug/proposal.md`."""
_CHIEF = ("proposal", "why", "requirements", "prd", "plan", "design", "how", "tasks", "task")
"""Documents of a plan: the first that is there stands for it."""
_BOOKKEEPING = compile_pattern(r"verified|not covered|verification|验证|验收|测试结果", 2)
DATED = "*20??*/*"
_PLANNED = frozenset({"plan"})
_PAST = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.ARCHIVED})


def is_unreleased(memory: Memory) -> bool:
    """Whether it is of a release that is still to come, and has no day yet."""
    return _choose_date(memory) is None and any(map(_PENDING.search, memory.heading))


_PENDING = compile_pattern(r"\[?unreleased\]?|未发布|待发布", 2)


def match_path_exactly(path: str) -> str:
    """A path as a filter that means exactly it and what begins like it; glob signs in a name match themselves."""
    return "".join("?" if char in "*?[" else char for char in path)


def read_stem(path: str) -> str:
    """A file's name without its ending, lower case."""
    return path.rpartition("/")[2].rpartition(".")[0].lower()


def choose_days(vault: Vault, scope: Filter) -> list[Memory]:
    """What happened besides sessions and notes: the head of every plan, live or put away, and of every release."""
    plans = list(find_plans(vault, scope))[:HEADS]
    return [*load_plans(vault, scope, plans), *find_releases(vault, scope)]


def find_plans(vault: Vault, scope: Filter) -> dict[tuple[str, str], bool]:
    """The document that each plan is known by, the newest plan first, by its home and path; whether it is counted
    among sessions already.
    """
    # Only files of folders that are named after a day are looked at: an index finds them by their paths.
    past = _widen_to_past(scope)._replace(path=DATED)
    heads = past._replace(layers=frozenset({Layer.SESSION}), kinds=_PLANNED)
    live = heads._replace(statuses=scope.statuses)
    counted = {(str(home.path), outline.path) for home, outline in vault.outlines(live)}
    packages: dict[tuple[str, str, str], tuple[int, str]] = {}
    documents = past._replace(layers=frozenset({Layer.KNOWLEDGE}))
    for place, outline in (*vault.outlines(heads), *vault.outlines(documents)):
        match = PACKAGE.match(outline.path)
        if match is None:
            continue
        stem = read_stem(outline.path)
        rank = _CHIEF.index(stem) if stem in _CHIEF else len(_CHIEF)
        # A plan that was put away may have left its folder behind, or the hour in its name.
        key = (str(place.path), "".join(match.group(2, 3, 4)), match[5])
        packages[key] = min(packages.get(key, (99, "")), (rank, outline.path))
    newest = sorted(packages.items(), key=lambda item: (item[0][1:], item), reverse=True)
    places = [(home, path) for (home, _day, _name), (_rank, path) in newest]
    return {place: place in counted for place in places}


def load_plans(vault: Vault, scope: Filter, places: Iterable[tuple[str, str]]) -> Iterator[Memory]:
    """The heads of these plans."""
    past = _widen_to_past(scope)
    heads = (
        vault.ids(past._replace(homes=frozenset({home}), path=match_path_exactly(path)), "path", limit=1)
        for home, path in places
    )
    # One look at the texts is quicker than one for each.
    yield from filter(None, vault.load(chain.from_iterable(heads)))


def _widen_to_past(scope: Filter) -> Filter:
    """Plans, live or put away; where a scope leaves out no status, all of them."""
    statuses = _PAST if scope.statuses else scope.statuses
    return scope._replace(layers=frozenset({Layer.KNOWLEDGE, Layer.SESSION}), statuses=statuses)


def find_releases(vault: Vault, scope: Filter) -> Iterator[Memory]:
    """The first entry of each day, version and kind of change of a changelog."""
    seen: set[object] = set()
    refs = vault.ids(scope._replace(layers=frozenset({Layer.KNOWLEDGE}), kinds=LOGGED), "time", limit=4 * HEADS)
    found = [
        one
        for one in vault.load(refs)
        if one is not None and (_choose_date(one) is not None or is_unreleased(one)) and not PACKAGE.match(one.path)
    ]
    found.sort(key=lambda one: (-(_choose_date(one) or 0.0), one.home, one.path, one.start))
    for memory in found:
        release = (
            memory.home,
            memory.path,
            memory.heading[:3],
            _choose_date(memory) and clock.format_day(_choose_date(memory) or 0.0),
        )
        if release not in seen and not any(map(_BOOKKEEPING.search, memory.heading)):
            seen.add(release)
            yield memory


def filter_days(vault: Vault, within: Filter) -> Filter:
    """What a day consists of: its sessions, each as one, and what was noted; not what sessions are made of."""
    kinds = {kind for _home, layer, kind, _status in vault.counts(within) if layer is Layer.SESSION}
    if not (parts := frozenset(kinds - {"session"})):
        return within
    inner = Filter(layers=frozenset({Layer.SESSION}), kinds=parts, statuses=frozenset())
    return within._replace(without=(*within.without, inner))


def list_day_times(vault: Vault, within: Filter, twice: Iterable[MemoryRef], more: Iterable[Memory]) -> Iterator[float]:
    """The time of whatever passes, of `twice` none, for another session stands for them, and of `more`."""
    gone = set(twice)
    timed = vault.timed(filter_days(vault, within))
    yield from (time for time, ref in timed if ref not in gone)
    yield from filter(None, map(_choose_date, more))


def list_happenings(vault: Vault) -> Iterator[float]:
    """The time of each session, note, plan and release of all homes: what the calendar and the year's card count."""
    within = Filter(layers=frozenset({Layer.SESSION, Layer.JOURNAL}))
    sessions = within._replace(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}))
    twice = find_summarized_transcripts(vault, sessions)
    yield from list_day_times(vault, within, twice, choose_days(vault, Filter()))


def _choose_date(memory: Memory) -> float | None:
    return memory.updated if memory.updated is not None else memory.created
