"""The latest of a project for a session's start: summaries (L2), the last days' facts, lessons by what they are worth.

- Summaries: this session's own, and the latest of its project (spec 000, 会话启动), from files or from records
  of sessions.jsonl (spec 004), of which the newest of a session holds.
- `load_recent_facts` (spec 004): all of the newest days, few of those before, then the sure ones.
- `rank_lessons` (spec 002): lessons that help come first and survive the budget, weak ones come last.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.core.startup import compile_pattern
from memtui.formats import session_head
from memtui.formats.daily_records import parse
from memtui.layouts import load_facts, load_layout
from memtui.layouts.home_config import read_home_defaults
from memtui.store.passage import (
    DAY,
    Passage,
    Window,
    build_passage,
    count_midnights,
    holds,
    mask_own_secrets,
    open_role_source,
    select_visible_facts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.core.config import Config, EvolutionConfig
    from memtui.core.model import Entry, Home, Role
    from memtui.formats import Source
    from memtui.sessions.packing import Belonging
    from memtui.store.passage import Patterns

PATH = "sessions.jsonl"


class SessionRecord(NamedTuple):
    """One session's."""

    session: str
    time: float
    passage: Passage


def read_session_records(home: Home, *, now: float, hidden: Patterns) -> list[SessionRecord]:
    """All that a home keeps, in the order of the file."""
    role = load_layout(home.layout).role(home.path, PATH)
    if role is None or role.layer is not Layer.SESSION:
        return []
    source = open_role_source(home, PATH, role, role.limit)
    if source is None or not source.data:
        return []

    newest: dict[str, SessionRecord] = {}
    for entry in _read_entries(source):
        if entry.layer is Layer.SESSION and holds(entry, now):
            lines = ((entry.start, mask_own_secrets(_format_record(entry), hidden)),)
            one = Passage(home, PATH, Layer.SESSION, "session", "", lines)
            key = entry.session or entry.key or str(entry.start)
            newest[key] = SessionRecord(entry.session, entry.created or 0.0, one)
    return list(newest.values())


def _read_entries(source: Source) -> Sequence[Entry]:
    # Most homes keep no such records.

    return parse(source).entries


def _format_record(entry: Entry) -> str:
    """A record as a person would write it."""
    parts = [part for part in dict.fromkeys((entry.title, entry.text)) if part]
    for name in ("decisions", "todos"):
        listed = entry.extra.get(name)
        items = listed if isinstance(listed, list) else [listed]
        told = [" ".join(item.split()) for item in items if isinstance(item, str) and item.strip()]
        if told:
            parts.append(f"{name}: {'; '.join(told)}")
    return "\n".join(parts)


_ALWAYS = 32
"""The newest files, by their own times, whose heads say when they really were."""
_LOOKED = 300
"""Files that are looked into at most, for some of the project."""
_HEAD = 4096


class _Summary(NamedTuple):
    """One session's summary, before it is read."""

    home: Home
    path: str
    session: str
    time: float
    mine: bool | None
    """Of this project; None: it does not say."""
    record: Passage | None = None
    """Where it is a line of a file."""


def load_own_summary(
    homes: Iterable[Home], ids: Sequence[str], *, now: float, hidden: Patterns, reason: str
) -> Passage | None:
    """The summary of the session that is called by one of these ids; None: it has none yet, or no id."""
    for home in homes if ids else ():
        for folder in load_facts(home).summary_folders:
            for name in _list_session_files(home, folder, ids):
                found = build_passage(home, f"{folder}/{name}", reason, now=now, hidden=hidden)
                if found is not None and found.layer is Layer.SESSION:
                    return found
        for record in _list_record_summaries(home, now, hidden):
            if record.session in ids:
                return record.record._replace(reason=reason) if record.record else None
    return None


def load_latest_summaries(
    homes: Iterable[Home], count: int, whose: Belonging, without: str, *, now: float, hidden: Patterns
) -> list[Passage]:
    """The newest summaries of the project, `count` at most; then those that say of no project. Newest first."""
    if count < 1:
        return []
    given = [home for home in homes if load_facts(home).summaries_given]
    found = [record for home in given for record in _list_record_summaries(home, now, hidden)]
    found += _list_file_summaries(given, count, whose, without)
    found = [one for one in found if one.mine is not False and (not without or one.session != without)]
    # Spec 000: the knowledge base before what an agent remembers of all projects.
    based = any(home.current and load_facts(home).knowledge_folders for home in given)
    found.sort(key=lambda one: (one.mine is None, based and load_facts(one.home).of_all_projects, -one.time))
    # Some tools begin a session's file anew every day.
    chosen = list({one.session or one.path: one for one in reversed(found)}.values())[::-1]
    read: list[tuple[float, Passage]] = []
    for one in chosen:
        if len(read) == count:
            break
        reason = _("one of the last sessions of this project")
        if not one.mine:
            reason = _("one of the last sessions, of no project that it names")
        record = one.record or build_passage(one.home, one.path, reason, now=now, hidden=hidden)
        if record is not None and (record.entries or one.record):
            read.append((-one.time, record._replace(reason=reason)))
    return [part for _time, part in sorted(read, key=lambda pair: pair[0])]


def load_node_summaries(
    homes: Iterable[Home], count: int, whose: Belonging, *, now: float, hidden: Patterns
) -> list[Passage]:
    """The newest collected summary of each other node (spec 001 §9) that is not another project's, newest first."""
    newest: dict[str, _Summary] = {}
    for home in homes if count else ():
        for folder in load_facts(home).summary_folders if load_facts(home).summaries_given else ():
            for name in _list_nodes(home, folder):
                files = sorted(_iterate_files_in(home, f"{folder}/{name}"), key=lambda file: -file[0])
                headed = (_read_headed_summary(home, path, time, whose) for time, _home, path in files[:_ALWAYS])
                found = [one for one in headed if one is not None and one.mine is not False]
                best = max(found, key=lambda one: one.time, default=None)
                if best is not None and (name not in newest or best.time > newest[name].time):
                    newest[name] = best
    chosen = sorted(newest.items(), key=lambda pair: -pair[1].time)[:count]
    told = _("the last session on {node}, another node")
    read = [
        build_passage(one.home, one.path, told.format(node=name[5:]), now=now, hidden=hidden) for name, one in chosen
    ]
    return [one for one in read if one is not None and one.entries]


def _list_nodes(home: Home, folder: str) -> list[str]:
    """The directories of other nodes' copies in a directory of summaries."""
    try:
        with os.scandir(home.path / folder) as entries:
            return [one.name for one in entries if one.name.startswith("from-") and one.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def is_of_project(homes: Iterable[Home], session: str, whose: Belonging) -> bool:
    """Whether the summary of another session is there, and not of another project."""
    for home in homes:
        for folder in load_facts(home).summary_folders:
            for name in _list_session_files(home, folder, (session,)):
                found = _read_headed_summary(home, f"{folder}/{name}", 0.0, whose)
                if found is not None:
                    return found.mine is not False
    return False


def _list_file_summaries(homes: Iterable[Home], count: int, whose: Belonging, without: str) -> list[_Summary]:
    """Those that stand in files of their own, by the newest files."""
    files = sorted((file for home in homes for file in _iterate_summary_files(home)), key=lambda file: -file[0])
    found: list[_Summary] = []
    for number, (time, home, path) in enumerate(files[:_LOOKED]):
        mine = {one.session or one.path for one in found if one.mine}
        if number >= _ALWAYS and len(mine - {without}) >= count:
            break
        summary = _read_headed_summary(home, path, time, whose)
        if summary is not None:
            found.append(summary)
    return found


def _iterate_summary_files(home: Home) -> Iterator[tuple[float, Home, str]]:
    for folder in load_facts(home).summary_folders:
        yield from _iterate_files_in(home, folder)


def _iterate_files_in(home: Home, folder: str) -> Iterator[tuple[float, Home, str]]:
    try:
        with os.scandir(home.path / folder) as entries:
            for entry in entries:
                if entry.name.endswith(".md"):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode):
                        yield status.st_mtime, home, f"{folder}/{entry.name}"
    except OSError:
        return


def _list_session_files(home: Home, folder: str, ids: Sequence[str]) -> list[str]:
    """The names of a session's files in a directory, the newest first: with a day before it, or without."""
    try:
        names = os.listdir(home.path / folder)
    except OSError:
        return []
    ends = tuple(f"-{one}.md" for one in ids)
    dated = [name for name in names if name.endswith(ends) and name[11:-3] in ids and name[:4].isdigit()]
    return [name for name in (f"{one}.md" for one in ids) if name in names] + sorted(dated, reverse=True)


def _read_headed_summary(home: Home, path: str, time: float, whose: Belonging) -> _Summary | None:
    """A summary as its head tells it; None where the file is none."""
    role = load_layout(home.layout).role(home.path, path)
    if role is None or role.layer is not Layer.SESSION or role.parser != "session":
        return None
    source = open_role_source(home, path, role, _HEAD)
    if source is None:
        return None
    head = session_head.read(source.lines, path)
    mine = whose.told(*(_check_text(head.extra.get(name)) for name in ("project", "cwd")))
    shared = load_facts(home).of_all_projects
    if home.current and not shared:
        # What stands in the project's own base is the project's, whatever name a model gave it.
        mine = True
    elif mine is None and shared:
        mine = False
    return _Summary(home, path, head.session, head.updated or head.created or time, mine)


def read_summary_time(home: Home, path: str, role: Role) -> float | None:
    """When a summary's own head says that it was; None: it does not."""
    source = open_role_source(home, path, role, _HEAD)
    if source is None:
        return None
    head = session_head.read(source.lines, path)
    return head.updated or head.created


def _check_text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list_record_summaries(home: Home, now: float, hidden: Patterns) -> list[_Summary]:
    """Those that are lines of sessions.jsonl (spec 004)."""
    mine = True if home.current else None
    found = read_session_records(home, now=now, hidden=hidden)
    return [_Summary(home, PATH, one.session, one.time, mine, one.passage) for one in found]


_DAY = compile_pattern(r"(\d{4}-\d{2}-\d{2})\.jsonl")
_NO_FACTS = frozenset({"session", "session_start", "session_end", "session_metrics", "audit", "warning"})


def load_recent_facts(home: Home, whose: Belonging, *, now: float, hidden: Patterns) -> list[Passage]:
    """The facts of one home, newest first, each with why it is still seen."""
    if not load_facts(home).daily_records:
        return []
    reach = Window(**read_home_defaults(home.layout, home.path).get("load", {}))
    places: dict[int, str] = {}
    facts: list[Entry] = []
    for path in _iterate_day_files(home, reach, now):
        role = load_layout(home.layout).role(home.path, path)
        source = open_role_source(home, path, role, role.limit) if role is not None else None
        if source is None:
            continue

        for entry in _read_entries(source):
            if _is_given(entry, now) and whose.told(*_read_about(entry)) is not False:
                facts.append(entry)
                places[id(entry)] = path
    return [
        _make_passage(home, places[id(fact)], fact, reach, now, hidden)
        for fact in select_visible_facts(facts, now, reach)
    ]


def _iterate_day_files(home: Home, reach: Window, now: float) -> Iterator[str]:
    """The files of the days that can be seen; their names may be of another zone's day."""
    first, last = clock.format_day(now - (reach.load_days_max + 1) * DAY), clock.format_day(now + 2 * DAY)
    try:
        names = sorted(os.listdir(home.path / "daily"))
    except OSError:
        return
    for name in names:
        match = _DAY.fullmatch(name)
        if match and first <= match[1] <= last:
            yield f"daily/{name}"


def _is_given(entry: Entry, now: float) -> bool:
    stage = str(entry.extra.get("memory_type", "")).upper() == "S"
    return entry.kind not in _NO_FACTS and not stage and holds(entry, now)


def _read_about(entry: Entry) -> tuple[str, str]:
    """The project and the directory that a record names."""
    said = [entry.extra.get(name) for name in ("project", "cwd")]
    project, cwd = (value if isinstance(value, str) else "" for value in said)
    return project, cwd


def _make_passage(home: Home, path: str, fact: Entry, reach: Window, now: float, hidden: Patterns) -> Passage:
    age = count_midnights(fact.created or now, now)
    text = " ".join(mask_own_secrets(fact.text, hidden).split())
    return Passage(
        home,
        path,
        load_layout(home.layout).role(home.path, path).layer,  # type: ignore[union-attr]  # it was read by its role
        fact.kind,
        _explain_reason(age, fact, reach),
        ((fact.start, text),),
    )


def _explain_reason(age: int, fact: Entry, reach: Window) -> str:
    if age < reach.load_days_full:
        return _n("of the last day", "of the last {count} days", reach.load_days_full).format(
            count=reach.load_days_full
        )
    if age < reach.load_days_partial:
        told = _("{age} days old: one of the newest {count} of its day")
        return told.format(age=age, count=reach.partial_per_day)
    told = _("{age} days old, and important: confidence {confidence:.2f}")
    return told.format(age=age, confidence=fact.confidence or 0.0)


def is_said_in(fact: Passage, others: Iterable[str]) -> bool:
    """Whether one of the texts says the fact word for word: then it is not said again."""
    key = _squash(fact.text)
    return len(key) > 7 and any(key in _squash(other) for other in others)


def _squash(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


_MOST = 5
"""Values that are told of one file's lessons."""


class Ranked(NamedTuple):
    """The same passages, their lessons parted by worth."""

    first: list[Passage]
    """Lessons above `evolution.strong`, best file first."""
    rest: list[Passage]
    last: list[Passage]
    """Lessons below `evolution.weak`."""


if TYPE_CHECKING:
    Values = Callable[[Iterable[Home], EvolutionConfig, float], Mapping[str, float]]
    """Digests of lessons -> what each is known to be worth now (`evolution.effects.load_values`)."""


def rank_lessons(
    offers: Sequence[Passage], homes: Iterable[Home], config: Config, now: float, values: Values | None
) -> Ranked:
    """Core memory and rules with what is known to help first. Where no log says anything they stay as they are."""
    known = {} if values is None else values(homes, config.evolution, now)
    high, low = config.evolution.strong, config.evolution.weak
    if not any(value > high or value < low for value in known.values()):
        return Ranked([], list(offers), [])
    found = Ranked([], [], [])
    for offer in offers:
        worth = _weigh_lessons(offer, known)
        strong = {entry: value for entry, value in worth.items() if value > high}
        weak = {entry: value for entry, value in worth.items() if value < low}
        if strong:
            found.first.append(_part(offer, strong, _("proved itself: effect {values}")))
        if weak:
            found.last.append(_part(offer, weak, _("low success rate: effect {values}")))
        rest = _drop_lessons(offer, {*strong, *weak}) if strong or weak else offer
        if rest.says:
            found.rest.append(rest)
    return found


def _weigh_lessons(offer: Passage, known: Mapping[str, float]) -> dict[int, float]:
    """Numbers of the passage's lessons -> what each is worth."""
    if offer.kind == "scratchpad" or (offer.layer is not Layer.CORE and not offer.path.endswith("rules.md")):
        return {}

    # Where no log says anything, which is mostly so, it is not asked for.
    from memtui.language import similarity

    lines = dict(offer.lines)
    found: dict[int, float] = {}
    for number, entry in enumerate(offer.entries):
        if entry.start in lines and _stands_alone(entry, offer.entries, number):
            value = next(
                (
                    known[one]
                    for one in similarity.list_digests(entry, similarity.strip_list_mark(lines[entry.start]))
                    if one in known
                ),
                None,
            )
            if value is not None:
                found[number] = value
    return found


def _stands_alone(entry: Entry, entries: Sequence[Entry], number: int) -> bool:
    """Whether its lines are its own: not another's, and not the head of a list below it."""
    beside = (entries[at] for at in (number - 1, number + 1) if 0 <= at < len(entries))
    return all(other.end < entry.start or entry.end < other.start for other in beside)


def _part(offer: Passage, worth: Mapping[int, float], told: str) -> Passage:
    """Only these lessons of a passage, with the headings that they stand under."""
    own = {line for number in worth for line in _range_lines(offer.entries[number])}
    lines = tuple(pair for pair in _keep_with_headings(offer, own) if pair[0] in own or _measure_heading(pair[1]))
    values = sorted(worth.values(), reverse=True)
    text = _(", ").join(f"{value:.2f}".removeprefix("0") for value in values[:_MOST])
    reason = told.format(values=text + ("…" if len(values) > _MOST else ""))
    return offer._replace(lines=lines, reason=f"{offer.reason}{_('; ')}{reason}")


def _drop_lessons(offer: Passage, gone: set[int]) -> Passage:
    """A passage without these lessons, and without headings under which nothing is left."""
    own = {line for number in gone for line in _range_lines(offer.entries[number])}
    kept = {line for line, text in offer.lines if line not in own and text.strip() and not _measure_heading(text)}
    moved = {line for line, _check_text in _keep_with_headings(offer, own)} - {
        line for line, _check_text in _keep_with_headings(offer, kept)
    }
    return offer._replace(lines=tuple(pair for pair in offer.lines if pair[0] not in own | moved))


def _keep_with_headings(offer: Passage, wanted: set[int]) -> list[tuple[int, str]]:
    """Those lines, and the headings above them, in order."""
    above: list[tuple[int, tuple[int, str]]] = []
    found: dict[int, tuple[int, str]] = {}
    for pair in offer.lines:
        level = _measure_heading(pair[1])
        if level:
            above = [*(one for one in above if one[0] < level), (level, pair)]
        elif pair[0] in wanted:
            found.update((head[0], head) for _level, head in above)
            found[pair[0]] = pair
    return [found[line] for line in sorted(found)]


def _measure_heading(line: str) -> int:
    """The level of a heading; 0: it is none."""
    level = len(line) - len(line.lstrip("#"))
    return level if 0 < level < 7 and line[level : level + 1] == " " else 0


def _range_lines(entry: Entry) -> range:
    return range(entry.start, entry.end + 1)
