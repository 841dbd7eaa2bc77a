"""How a home's knowledge hangs together (spec 002's 知识图谱状态检查): what leads nowhere, and where nothing leads to.

Nothing is changed by looking. A link out of the home, or to the web, is not followed; journals may name sessions that
went to the trash by and by.
"""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from memtui import clock
from memtui.curation.census import remembered, role
from memtui.curation.checkup import chains
from memtui.curation.consolidate.work import Told, brief
from memtui.locale import _
from memtui.model import Filter, Layer, Status
from memtui.pattern import pattern
from memtui.routing import book
from memtui.routing.astray import astray
from memtui.routing.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.curation.census import Remembered
    from memtui.curation.consolidate.work import Work
    from memtui.model import Memory

STALE = 90 * 86400.0
"""Seconds after which a document that nobody touched is called stale."""
_MOST = 50
"""Of each sort of finding, so many are told one by one."""
_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|~|/|\\")
_LINE = pattern(r":\d{1,7}(?:-\d{1,7})?$")
_OWN = frozenset({"summary.md", "rules.md", "readme.md"})
"""Documents that are found by the directory that they stand in."""
_LOADED = frozenset({"rules", "archive", "agents", "skills", "commands"})
"""Directories of which everything is found, or nothing is to be."""
_FILE = pattern(r"\.[A-Za-z0-9]{1,8}$")


class _Links(NamedTuple):
    """Where the memories of a home lead."""

    there: set[str]
    """Paths of what is there."""
    broken: list[str]
    dangling: list[str]


def checked(work: Work) -> Told:
    """What is dangling, broken, orphaned and stale."""
    count = remembered(work.vault, work.home)
    documents = _documents(work)
    links = _links(count, documents)
    dangling = [f"{one.path}:{one.line} {one.text}" for one in chains(work.vault, count)] + links.dangling
    # An index is read as links and as rules: one line says it once.
    broken = list(dict.fromkeys([*links.broken, *_astray(work)]))
    orphaned = list(_orphans(work, count, documents, links.there))
    stale = list(_stale(work, count, documents))
    lines: list[str] = []
    for title, found in (
        (_("dangling"), dangling), (_("broken"), broken), (_("orphaned"), orphaned), (_("stale"), stale)
    ):  # fmt: skip
        lines += (f"{title}: {brief(one, 200)}" for one in found[:_MOST])
        if len(found) > _MOST:
            lines.append(_("{title}: … and {more:,} more").format(title=title, more=len(found) - _MOST))
    counts = {
        "dangling": len(dangling),
        "broken": len(broken),
        "orphaned": len(orphaned),
        "stale": len(stale),
        "files": len(documents),
    }
    return Told(counts, tuple(lines))


def _documents(work: Work) -> dict[str, str]:
    """The home's documents (L1), by their names without ending, folded."""
    wanted = Filter(
        frozenset({Layer.KNOWLEDGE}), homes=frozenset({work.name}), statuses=frozenset(), parts=True
    )
    found: dict[str, str] = {}
    for _home, outline in work.vault.outlines(wanted):
        what = role(work.home, outline.path)
        if what is not None and what.parser == "markdown":
            found[outline.path] = posixpath.splitext(posixpath.basename(outline.path))[0].casefold()
    return found


def _links(count: Remembered, documents: dict[str, str]) -> _Links:
    names = {stem: path for path, stem in documents.items()}
    titles = {memory.title.casefold(): memory.path for memory in count.memories.values() if memory.title}
    links = _Links(set(), [], [])
    known: dict[str, bool] = {}
    for memory in count.memories.values():
        if memory.status is not Status.ACTIVE:
            continue
        for link in memory.links:
            target = _LINE.sub("", unquote(link).partition("#")[0].partition("?")[0].strip())
            if not target or _SCHEME.match(target) or "\0" in target:
                continue
            low = target.casefold()
            named = names.get(low) or titles.get(low)
            path = named or _standing(count, memory, target, known)
            if path:
                links.there.add(path)
            elif path is None or memory.layer is Layer.JOURNAL:
                continue
            else:
                where = f"{memory.path}:{memory.start} → {target}"
                (links.broken if _FILE.search(target) or "/" in target else links.dangling).append(where)
    return links


def _standing(count: Remembered, memory: Memory, target: str, known: dict[str, bool]) -> str | None:
    """The path in the home that a link means; empty: nothing stands there; None: it leaves the home."""
    inside = False
    for base in (posixpath.dirname(memory.path), ""):
        path = posixpath.normpath(posixpath.join(base, target.replace("\\", "/")))
        if path.startswith("..") or posixpath.isabs(path):
            continue
        inside = True
        for one in (path, f"{path}.md"):
            if one not in known:
                known[one] = os.path.lexists(os.path.join(count.home.path, *one.split("/")))
            if known[one]:
                return one
    return "" if inside else None


def _astray(work: Work) -> list[str]:
    """Rules that lead to documents which are not there."""
    return [f"{one.source} → {one.target}" for one in astray(work.vault) if one.home == work.name]


def _orphans(work: Work, count: Remembered, documents: dict[str, str], linked: set[str]) -> Iterator[str]:
    """Documents that nothing links to and no index lists; none where nothing is listed at all."""
    listed = linked | set(_ruled(work))
    if not listed & documents.keys():
        return
    said = "\n".join(
        memory.text
        for memory in count.memories.values()
        if memory.layer is Layer.CORE or memory.kind == "index"
    )
    for path in documents:
        name = posixpath.basename(path)
        if (
            path in listed
            or name.lower() in _OWN
            or name in said
            or _LOADED & set(path.lower().split("/")[:-1])
        ):
            continue
        yield path


def _ruled(work: Work) -> Iterator[str]:
    with Places(work.home) as places:
        for rule in book(work.vault, work.home).rules:
            for target in rule.targets:
                yield from (path for _named, path in places.candidates(rule, target))


def _stale(work: Work, count: Remembered, documents: dict[str, str]) -> Iterator[str]:
    """Documents that nobody touched for a long time, the longest first; not those that are there to stay."""
    from memtui.curation.retention import exempt

    touched: dict[str, float] = {}
    stays: set[str] = set()
    for memory in count.memories.values():
        if memory.path in documents:
            times = (memory.created, memory.updated, memory.modified)
            last = max((time for time in times if time is not None), default=work.now)
            touched[memory.path] = max(touched.get(memory.path, 0.0), last)
            if exempt(memory):
                stays.add(memory.path)
    old = [(time, path) for path, time in touched.items() if path not in stays and work.now - time > STALE]
    return (
        _("{path}, untouched since {day}").format(path=path, day=clock.day(time))
        for time, path in sorted(old)
    )
