"""Two steps of a week (spec 002): summaries and daily files that are old enough for the trash, and the graph of links.

`retire_files`: after 30 and 90 days, restorable, and only in homes whose own rules say so. Never today's, never
a transcript, never what is pinned or evergreen, and no session that nobody has heard yet: what it tells of
trouble must stand in the log first. Where every one of more than `ALL` is outdated none goes, for so it looks
where a clock is wrong or nobody was there for long.

`check_graph` (知识图谱状态检查): links that lead nowhere, and documents to which nothing leads. It changes
nothing. Links out of the home or to the web are not followed; journals may name sessions that went to the trash
since.
"""

from __future__ import annotations

import os
import posixpath
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from memtui.consolidation.step_work import StepResult, is_unable, shorten_text
from memtui.core import clock
from memtui.core.edits import Edit
from memtui.core.errors import MemtuiError, StaleIndexError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Problem, Status
from memtui.core.startup import compile_pattern
from memtui.evolution import sessions_read
from memtui.formats.dates import find_path_day
from memtui.fs.files import walk
from memtui.fs.write_journal import Journal
from memtui.layouts import load_facts, load_layout
from memtui.review.census import find_role, load_remembered
from memtui.review.checkup import find_broken_chains
from memtui.store.retention import explain_exemption
from memtui.store.route_documents import list_broken_rules
from memtui.store.route_targets import RoutePlaces
from memtui.store.routes import load_rule_book
from memtui.store.write_path import KEEPER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.consolidation.step_work import Work
    from memtui.core.model import Memory, Role
    from memtui.review.census import Remembered

DAY = 86400.0
VERB = "retention"
"""What the journal calls it."""
_BACK = 5000
"""Writes that are looked through for what somebody brought back."""
ALL = 20
"""More than so many of one sort, and no other of it, do not go: see `_find_sorts_to_stay`."""
_AT_ONCE = 50
"""Files of one write."""
_SESSIONS, _DAILY = "sessions", "daily"
_STAYS = tuple(
    word.encode(encoding)
    for word in ("pinned", "evergreen", "permanent", "置顶", "常青")
    for encoding in ("utf-8", "gb18030")
)
"""One of these stands in every file that says of itself that it stays."""


class Outdated(NamedTuple):
    """One file, whose time may be over."""

    path: str
    what: str
    """sessions or daily."""
    days: int
    """How old it is."""


def retire_files(work: Work) -> StepResult:
    """Move what is outdated to the trash, fifty files a write."""
    if "outdated" not in load_facts(work.home).retires:
        return StepResult()
    limits = {_SESSIONS: work.config.lifecycle.sessions_days, _DAILY: work.config.lifecycle.daily_days}
    aged = sorted(_iterate_outdated(work))
    found = [one for one in aged if limits[one.what] and one.days > limits[one.what]]
    still = _find_sorts_to_stay(aged, found, limits)
    found = [one for one in found if one.what not in still]
    kept = _find_kept(work, found)
    going = [one for one in found if one.path not in kept]
    left = [*still.items(), *kept.items()]
    failed = _move_all(work, going, left) if going and not work.dry_run else False
    lost = {path for path, _why in left}
    lines = tuple(
        _n("{path}: {count} day old", "{path}: {count} days old", one.days).format(path=one.path)
        for one in going
        if one.path not in lost
    )
    counts = {what: sum(one.what == what and one.path not in lost for one in going) for what in limits}
    return StepResult(counts, lines, tuple(left), failed=failed)


def _find_sorts_to_stay(aged: list[Outdated], found: list[Outdated], limits: dict[str, int]) -> dict[str, str]:
    """The sorts of which nothing is left but what is outdated, and why none of it goes.

    Today's do not count: the run may have made them. Small homes are no matter: what goes can be seen at a glance.
    """
    why = _(
        "all of them are older than {days} days, as if the clock were wrong or nobody had been here: nothing was "
        "taken, and nothing is until newer ones stand beside them"
    )
    return {
        what: why.format(days=limits[what])
        for what in limits
        if ALL < sum(one.what == what for one in found) == sum(one.what == what and one.days > 0 for one in aged)
    }


def _move_all(work: Work, going: list[Outdated], left: list[tuple[str, str]]) -> bool:
    """Move all of them; `left` gets what could not be. Whether the disk was why."""
    current, work.vault.current = work.vault.current, False
    failed = False
    try:
        for at in range(0, len(going), _AT_ONCE):
            work.tell(at, len(going))
            failed |= _move_to_trash(work, going[at : at + _AT_ONCE], left)
    finally:
        # Once for all of them.
        work.vault.current = current
        work.vault.taken_in([os.path.join(work.name, *one.path.split("/")) for one in going])
        work.vault.refresh()
    return failed


def _iterate_outdated(work: Work) -> Iterator[Outdated]:
    kind = load_layout(work.home.layout)
    today = clock.convert_to_local(work.now).toordinal()

    def role(path: str) -> Role | None:
        found = kind.role(work.home.path, path)
        return found if found is not None and _classify_file(found, path) else None

    def prune(path: str) -> bool:
        return path.split("/", 1)[0] not in {_SESSIONS, _DAILY} or kind.prune(work.home.path, path)

    told = _find_session_times(work)
    for item in walk(work.home.path, role, prune):
        if isinstance(item, Problem):
            continue
        what = _classify_file(item.role, item.path)
        day = find_path_day(item.path)
        stamp = clock.parse(day) if day else told.get(item.path)
        age = today - clock.convert_to_local(item.mtime_ns / 1e9 if stamp is None else stamp).toordinal()
        yield Outdated(item.path, what, age)


def _find_session_times(work: Work) -> dict[str, float]:
    """When sessions say that they were: a copy of a home, or a checkout, makes files younger than they are."""
    wanted = Filter(frozenset({Layer.SESSION}), frozenset({"session"}), frozenset({work.name}), frozenset())
    told: dict[str, float] = {}
    for target in work.vault.targets(wanted):
        # The index knows: no file is read for it.
        with suppress(StaleIndexError):
            rows = target.index.rows(target.index.ids(wanted, "path")) if target.index is not None else ()
            told |= {row.path: row.time for row in rows if row.dated}
    return told


def _classify_file(role: Role, path: str) -> str:
    """Which of the two sorts a file is; empty: neither."""
    if role.layer is Layer.SESSION and role.parser == "session" and path.startswith(f"{_SESSIONS}/"):
        return _SESSIONS
    day = role.layer is Layer.JOURNAL and path.startswith(f"{_DAILY}/") and bool(find_path_day(path))
    return _DAILY if day else ""


def _find_kept(work: Work, found: list[Outdated]) -> dict[str, str]:
    """Those that stay all the same, and why."""
    brought = _find_brought_back(work) if found else frozenset()
    kept = {one.path: _("it was brought back from the trash") for one in found if one.path in brought}
    for one in found:
        data = (work.vault.bytes_of(work.name, one.path) or b"").lower()
        # Most files say nothing of the sort, and are not read for it.
        if any(hint in data for hint in _STAYS):
            wanted = Filter(homes=frozenset({work.name}), statuses=frozenset(), path=one.path, parts=True)
            why = next(filter(None, map(explain_exemption, work.vault.memories(wanted, "path"))), "")
            if why:
                kept[one.path] = why
    # A dry run comes after nothing was heard: the run itself hears them first.
    if found and not work.dry_run:
        paths = {one.path for one in found}
        for heard in sessions_read.load_heard_sessions(work.vault, work.home):
            if not heard.line and heard.path in paths:
                kept.setdefault(heard.path, _("not analyzed yet"))
    return kept


def _find_brought_back(work: Work) -> frozenset[str]:
    """Files that went this way before, and that somebody took back as far as the journal knows."""
    return frozenset(
        done.path
        for record in islice(Journal().records(), _BACK)
        if record.verb == VERB and record.undone
        for done in record.changes
        if done.home == work.name
    )


def _move_to_trash(work: Work, going: list[Outdated], left: list[tuple[str, str]]) -> bool:
    """Move some to the trash; `left` gets what could not be. Whether the disk was why."""
    edits: list[Edit] = []
    for one in going:
        try:
            data = work.vault.bytes_of(work.name, one.path)
        except (MemtuiError, OSError) as error:
            left.append((one.path, str(error)))
            continue
        if data is not None:
            edits.append(Edit(work.name, one.path, data, (), remove=True))
    if not edits:
        return False
    what = _n("moved {count} old file to the trash", "moved {count} old files to the trash", len(edits))
    try:
        work.vault.apply(edits, verb=VERB, who=KEEPER, what=what, group=work.group, confirmed=True)
    except MemtuiError as error:
        left += ((os.fspath(edit.path), str(error)) for edit in edits)
        return is_unable(error)
    return False


STALE = 90 * 86400.0
"""Seconds after which a document that nobody touched is called stale."""
_MOST = 50
"""Findings of each sort that are listed one by one."""
_SCHEME = compile_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|~|/|\\")
_LINE = compile_pattern(r":\d{1,7}(?:-\d{1,7})?$")
_OWN = frozenset({"summary.md", "rules.md", "readme.md"})
"""Documents that are found by the directory that they stand in."""
_LOADED = frozenset({"rules", "archive", "agents", "skills", "commands"})
"""Directories of which everything is found, or nothing is to be."""
_FILE = compile_pattern(r"\.[A-Za-z0-9]{1,8}$")


class _Links(NamedTuple):
    """Where the memories of a home lead."""

    there: set[str]
    """Paths of what is there."""
    broken: list[str]
    dangling: list[str]


def check_graph(work: Work) -> StepResult:
    """What is dangling, broken, orphaned and stale."""
    count = load_remembered(work.vault, work.home)
    documents = _list_documents(work)
    links = _collect_links(count, documents)
    dangling = [f"{one.path}:{one.line} {one.text}" for one in find_broken_chains(work.vault, count)] + links.dangling
    # An index is read as links and as rules: one line says it once.
    broken = list(dict.fromkeys([*links.broken, *_find_broken_rules(work)]))
    orphaned = list(_find_orphans(work, count, documents, links.there))
    stale = list(_find_stale_documents(work, count, documents))
    lines: list[str] = []
    for title, found in (
        (_("dangling"), dangling), (_("broken"), broken), (_("orphaned"), orphaned), (_("stale"), stale)
    ):  # fmt: skip
        lines += (f"{title}: {shorten_text(one, 200)}" for one in found[:_MOST])
        if len(found) > _MOST:
            lines.append(_("{title}: … and {more:,} more").format(title=title, more=len(found) - _MOST))
    counts = {
        "dangling": len(dangling),
        "broken": len(broken),
        "orphaned": len(orphaned),
        "stale": len(stale),
        "files": len(documents),
    }
    return StepResult(counts, tuple(lines))


def _list_documents(work: Work) -> dict[str, str]:
    """The home's documents (L1), by their names without ending, folded."""
    wanted = Filter(frozenset({Layer.KNOWLEDGE}), homes=frozenset({work.name}), statuses=frozenset(), parts=True)
    found: dict[str, str] = {}
    for _home, outline in work.vault.outlines(wanted):
        what = find_role(work.home, outline.path)
        if what is not None and what.parser == "markdown":
            found[outline.path] = posixpath.splitext(posixpath.basename(outline.path))[0].casefold()
    return found


def _collect_links(count: Remembered, documents: dict[str, str]) -> _Links:
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
            path = named or _resolve_link(count, memory, target, known)
            if path:
                links.there.add(path)
            elif path is None or memory.layer is Layer.JOURNAL:
                continue
            else:
                where = f"{memory.path}:{memory.start} → {target}"
                (links.broken if _FILE.search(target) or "/" in target else links.dangling).append(where)
    return links


def _resolve_link(count: Remembered, memory: Memory, target: str, known: dict[str, bool]) -> str | None:
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


def _find_broken_rules(work: Work) -> list[str]:
    """Rules that lead to documents which are not there."""
    return [f"{one.source} → {one.target}" for one in list_broken_rules(work.vault) if one.home == work.name]


def _find_orphans(work: Work, count: Remembered, documents: dict[str, str], linked: set[str]) -> Iterator[str]:
    """Documents that nothing links to and no index lists; none where nothing is listed at all."""
    listed = linked | set(_iterate_rule_targets(work))
    if not listed & documents.keys():
        return
    said = "\n".join(
        memory.text for memory in count.memories.values() if memory.layer is Layer.CORE or memory.kind == "index"
    )
    for path in documents:
        name = posixpath.basename(path)
        if path in listed or name.lower() in _OWN or name in said or _LOADED & set(path.lower().split("/")[:-1]):
            continue
        yield path


def _iterate_rule_targets(work: Work) -> Iterator[str]:
    with RoutePlaces(work.home) as places:
        for rule in load_rule_book(work.vault, work.home).rules:
            for target in rule.targets:
                yield from (path for _named, path in places.candidates(rule, target))


def _find_stale_documents(work: Work, count: Remembered, documents: dict[str, str]) -> Iterator[str]:
    """Documents that nobody touched for a long time, the longest first; not those that are there to stay."""
    touched: dict[str, float] = {}
    stays: set[str] = set()
    for memory in count.memories.values():
        if memory.path in documents:
            times = (memory.created, memory.updated, memory.modified)
            last = max((time for time in times if time is not None), default=work.now)
            touched[memory.path] = max(touched.get(memory.path, 0.0), last)
            if explain_exemption(memory):
                stays.add(memory.path)
    old = [(time, path) for path, time in touched.items() if path not in stays and work.now - time > STALE]
    return (
        _("{path}, untouched since {day}").format(path=path, day=clock.format_day(time)) for time, path in sorted(old)
    )
