"""What a session is given at its start (specs 000, 002, 003, 004), within a budget, each thing with its reason.

New: the person's own files, approved rules, core memory, the project's rules, the task at hand, the last
summaries, the last days' facts. Resumed: the person's own files and its own summary, for the agent still has
the rest. After a compaction: its own summary, rules and core memory. Files are read where they stand, found by
name in the few places that the layouts have, so that a home of ten thousand files costs no more than one of
ten; nothing is indexed.

Progressive disclosure (spec 003): `describe_tools` tells which memory can be searched, the rest is searched for
in two levels. It is told as facts: an agent takes orders from its person, not from what it reads.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import MARKDOWN, Layer
from memtui.core.startup import compile_pattern
from memtui.formats import mask_text_secrets
from memtui.layouts import load_facts, load_layout
from memtui.layouts.discovery import find_mirrors, find_unmirrored
from memtui.layouts.home_config import is_switched_off
from memtui.layouts.tracks import READ_BY_ITSELF, fold
from memtui.safety.sanitize import CONVENTIONS, DATA, RULES, block
from memtui.sessions import recent, rules
from memtui.sessions.identify import find_parent, list_id_forms
from memtui.sessions.packing import (
    ContextItem,
    SessionContext,
    estimate_tokens,
    find_belonging,
    fold_project_name,
    make_budget,
    pack_passages,
)
from memtui.sessions.recent import is_said_in, load_recent_facts, rank_lessons
from memtui.sessions.rules import list_offered_rules
from memtui.store.passage import OWN, Passage, build_passage, compile_config_patterns, mask_own_secrets, split_rules
from memtui.store.session_ids import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from memtui.core.config import Config
    from memtui.core.model import Home, Role
    from memtui.language.conversation import Session
    from memtui.sessions.packing import Belonging, Budget, Packed
    from memtui.sessions.recent import Values
    from memtui.sessions.rules import Opened
    from memtui.store.passage import Patterns

ABOUT = "What memtui remembers of this person, this project and earlier sessions."

SEARCH = (
    "More is remembered than is shown here: memory_search finds it, memory_get reads the lines. Questions about "
    "earlier decisions, preferences, open items, people, dates or previous work are answered after a memory_search, "
    "citing path and line; where nothing is found, that is said."
)
"""Spec 001 §5.3: search before you answer."""

LEVELS = (
    "Memory has two levels. First search_memory(query): preferences, rules, lessons, facts, summaries of earlier work; "
    "worth asking when past experience may matter. Then, where a summary is not enough, "
    "search_conversation_traces(keyword): the conversations themselves, with what tools were given and answered."
)
"""Spec 003's two tools."""

_PAD = "scratchpad.md"
_FROM = compile_pattern(r"\((?:source|session)=([^)]*)\)\s*$")


def describe_tools(homes: Iterable[Home]) -> str:
    """What an agent is told about the tools."""
    levels = any(not load_facts(home).summaries_given for home in homes)
    return f"{SEARCH} {LEVELS}" if levels else SEARCH


def load_scratchpad(home: Home, other: Callable[[str], bool], *, now: float, hidden: Patterns) -> Passage | None:
    """The current task and the last ones done; `other` says of a session's id whether it is of another project."""
    reason = _("the task at hand, and the last ones done")
    databases = load_facts(home).task_databases
    if databases:
        return _load_row(home, databases, reason, hidden)
    found = build_passage(home, _PAD, reason, now=now, hidden=hidden, kind="scratchpad")
    if found is None:
        return None
    kept = []
    for number, line in found.lines:
        match = _FROM.search(line)
        if match is None or not other(match[1].strip()):
            kept.append((number, line))
    if not any(line.strip() and not line.startswith("#") for _number, line in kept):
        return None
    return found._replace(lines=tuple(kept))


def _load_row(home: Home, databases: Iterable[str], reason: str, hidden: Patterns) -> Passage | None:
    """Of a database only this one table is read: there may be a hundred thousand memories beside it."""
    for path in databases:
        file = os.path.join(home.path, path)
        if os.path.isfile(file) and not os.path.islink(file):
            text = _pad(file)
            if text:
                lines = tuple((0, line) for line in mask_own_secrets(text, hidden).split("\n"))
                return Passage(home, path, Layer.SESSION, "scratchpad", reason, lines)
    return None


def _pad(file: str) -> str:
    # Most homes are no databases.
    from memtui.formats.memory_rows import load_scratchpad_entries

    found = load_scratchpad_entries(file)
    latest = max(filter(None, found), key=lambda entry: entry.updated or 0.0, default=None)
    return "" if latest is None else mask_text_secrets(latest.text)


MOST = 200
"""Files of one person's directory."""

_NAMED = ("profile.md", "USER.md", "user.md", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md")
ORDERS = frozenset({"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md"})
"""What a project tells every agent that works in it."""
CORE_NAMES = ("MEMORY.md", "memory.md", "memory_summary.md", "core.md")


def load_profile(home: Home, agent: str, *, now: float, hidden: Patterns) -> Iterator[Passage]:
    """L0: all of the person's own files (spec 000); those that the agent reads by itself are not given twice."""
    seen: set[tuple[int, int]] = set()
    paths = [
        *_iterate_profile_files(home),
        *(folder + name for folder in load_facts(home).start_folders for name in _NAMED),
    ]
    for path in paths:
        name = path.rpartition("/")[2]
        role = _choose_role(home, path, seen)
        if role is None or role.layer is not Layer.PROFILE:
            continue
        if load_facts(home).own_agents_file and name.startswith("AGENTS"):
            continue
        found = build_passage(home, path, _("yours: read at every start (L0)"), now=now, hidden=hidden)
        if found is None:
            continue
        twice = name in READ_BY_ITSELF.get(agent, ())
        yield found._replace(unwanted=_("{agent} reads it by itself").format(agent=agent)) if twice else found


def load_core_memory(home: Home, roots: Iterable[Path], *, now: float, hidden: Patterns) -> Iterator[Passage]:
    """MEMORY.md and its kin; `roots` are the project's directories, for a home that holds several projects'."""
    seen: set[tuple[int, int]] = set()
    for path in (folder + name for folder in _list_core_directories(home, roots) for name in CORE_NAMES):
        role = _choose_role(home, path, seen)
        if role is None or role.layer is not Layer.CORE or path in load_facts(home).on_demand:
            continue
        found = build_passage(home, path, _("core memory: read at every start"), now=now, hidden=hidden)
        if found is not None:
            yield found


def load_base_documents(home: Home, *, now: float, hidden: Patterns) -> Iterator[Passage]:
    """A knowledge base's own rules, and the index of its documents (L1, spec 000), which are read when needed."""
    folders = load_facts(home).knowledge_folders
    for name, kind, reason in (
        ("guidelines.md", "rule", _("the project's rules")),
        ("INDEX.md", "index", _("which words lead to which document (L1)")),
    ):
        for folder in folders:
            found = build_passage(home, folder + name, reason, now=now, hidden=hidden, kind=kind)
            if found is not None:
                yield found
                break


def _iterate_profile_files(home: Home) -> Iterator[str]:
    for folder in load_facts(home).profile_folders:
        try:
            names = sorted(os.listdir(home.path / folder), key=lambda name: (name != "profile.md", name))
        except OSError:
            continue
        yield from (f"{folder}/{name}" for name in names[:MOST] if name.lower().endswith(MARKDOWN))


def _list_core_directories(home: Home, roots: Iterable[Path]) -> tuple[str, ...]:
    """The directories in which core memory may stand; where it is kept by project, this one's as well."""
    facts = load_facts(home)
    if not facts.projects_folder:
        return ("",) if facts.knowledge_folders else facts.start_folders

    wanted = {fold(str(root)) for root in roots}
    try:
        names = [name for name in os.listdir(home.path / facts.projects_folder) if fold(name) in wanted]
    except OSError:
        return facts.start_folders
    return (
        *facts.start_folders,
        *(f"{facts.projects_folder}/{name}/{part}" for name in names for part in ("memory/", "")),
    )


def _choose_role(home: Home, path: str, seen: set[tuple[int, int]]) -> Role | None:
    """The role of a file that is there, the first time that it is met under any of its names."""
    try:
        status = os.lstat(home.path / path)
    except (OSError, ValueError):
        return None
    key = (status.st_dev, status.st_ino)
    if key in seen:
        return None
    seen.add(key)
    return load_layout(home.layout).role(home.path, path)


_SUMMARY = 0.25
"""The most of the budget that one summary gets: some tools capture whole conversations."""
_ORDERS = 0.4
"""The most of it that one file of a project's orders gets (CLAUDE.md, AGENTS.md): the person's own files come first,
and something is left for what was done last."""
_PASSED_ON = 0.5
"""The most of the budget that a sub-agent is given: it lives for one task."""
_LONG = 0.75
"""A file of the person's own that needs more than this of the budget waits until the others have their place."""
_OTHERS = 0.4
"""The most of what is left that one file of a colleague's gets."""
_SMALL = 0.2
"""Summaries that need no more than this of the budget come before long core memory."""


class _Start(NamedTuple):
    """One session's start."""

    session: Session
    config: Config
    homes: tuple[Home, ...]
    whose: Belonging
    now: float
    hidden: Patterns
    own: Passage | None
    """The session's own summary."""
    values: Values | None
    """What lessons are worth."""

    @property
    def resumed(self) -> bool:
        """Whether its agent still has what was said; spec 000: where it has a summary already it is resumed."""
        source = self.session.source
        return source == "resume" or (self.own is not None and source in {"", "startup"})

    @property
    def compacted(self) -> bool:
        """Whether its agent has lost what it was given."""
        return self.session.source == "compact"


def load_session_start(
    vault: Opened, session: Session, config: Config, *, now: float | None = None, values: Values | None = None
) -> SessionContext:
    """What this session is given now. Reads a handful of files and writes nothing. Never raises for what they hold.

    `values` tells what lessons are worth; without it none comes before another.
    """
    why = rules.explain_switch(session, config)
    if why:
        return SessionContext((), (), 0, 0, "", why)
    now = clock.now() if now is None else now
    whose, hidden = find_belonging(session, config), compile_config_patterns(config)
    mine = [home for home in vault.homes if home.origin is None and whose.home(home)]
    homes = tuple(home for home in mine if not is_switched_off(home))
    if not homes and not config.context.team:
        return SessionContext((), (), 0, 0, "")
    reason = _("this session's own summary")
    own = recent.load_own_summary(homes, list_id_forms(session), now=now, hidden=hidden, reason=reason)
    return _pack_start(_Start(session, config, homes, whose, now, hidden, own, values))


def load_subagent_profile(vault: Opened, session: Session, config: Config) -> str:
    """L0 for a sub-agent that the session starts (spec 000: the main agent holds it and passes it on); empty: none."""
    session = session._replace(sidechain=False)
    if rules.explain_switch(session, config):
        return ""
    now = clock.now()
    whose, hidden = find_belonging(session, config), compile_config_patterns(config)
    homes = tuple(
        home for home in vault.homes if home.origin is None and whose.home(home) and not is_switched_off(home)
    )
    own = [
        one
        for home in homes
        for one in load_profile(home, session.agent, now=now, hidden=hidden)
        if one.path.rpartition("/")[2] not in ORDERS
    ]
    head = "What the person wants of every agent; the agent that started you holds the rest of memory."
    room = make_budget(config).share(_PASSED_ON).without("\n".join((head, RULES, DATA, "")))
    placed = _pack_own([part for side in split_rules(own, hidden) for part in side], room).placed
    return block((one.frame for one in placed), head) if placed else ""


def _pack_own(profile: Iterable[Passage], room: Budget) -> Packed:
    """The person's own files in their order, which are all read (spec 000): a long one leaves room for the others."""
    order = list(profile)
    most = room.share(_LONG)
    found = pack_passages(sorted(order, key=lambda one: not most.fits(one.text)), room)
    places = {(str(one.home.path), one.path): number for number, one in enumerate(order)}
    return found._replace(placed=sorted(found.placed, key=lambda one: places[one.item.home, one.item.path]))


def _pack_start(start: _Start) -> SessionContext:
    head, about = _render_head(start)

    rules, profile = split_rules(_load_profiles(start), start.hidden)
    others, known = split_rules([*_load_rules(start), *_load_core(start)], start.hidden)
    rules += others
    kept = any(one.trust == OWN for one in known)
    said = (head, *([RULES] if rules else ()), *([CONVENTIONS] if kept else ()), DATA, "")
    room = make_budget(start.config).without("\n".join(said))
    told, later = _split_by_base(start, _load_summaries(start))
    small = _is_little(told, start.config)
    # What is little is reckoned first: no file of a thousand lines leaves what was done last without its place.
    early = pack_passages(told if small else (), room, share=_SUMMARY)
    first = _pack_own((one for one in profile if not _is_of_project(one)), early.room)
    approved = pack_passages(rules, first.room)
    orders = pack_passages(filter(_is_of_project, profile), approved.room, share=_ORDERS)
    lessons = rank_lessons(known, start.homes, start.config, start.now, start.values)
    core = pack_passages([*lessons.first, *lessons.rest], orders.room)
    late = pack_passages(() if small else told, core.room, share=_SUMMARY)
    given = [one.item.text for part in (first, approved, orders, core) for one in part.placed]
    rest = pack_passages(_load_facts_of_days(start, given), late.room)
    more = pack_passages([*_load_more(start), *later, *lessons.last], rest.room)
    others_say = pack_passages(_iterate_shared(start), more.room, share=_OTHERS)
    parts: list[Packed] = [first, approved, orders, core, early, late, rest, more, others_say]
    placed = [one for part in parts for one in part.placed]
    if not placed and not start.homes:
        return SessionContext((), (), 0, 0, "")
    text = block((one.frame for one in placed), head) or head
    if not make_budget(start.config).fits(text):
        text, about, placed = "", [], []
    return SessionContext(
        (*about, *(one.item for one in placed)),
        tuple(item for part in parts for item in part.left),
        len(text),
        estimate_tokens(text),
        text,
    )


def _mark(start: _Start) -> str:
    """The id of a session that no CLI has one for, as the project's own tool keeps it in the talk (spec 000)."""
    session = start.session
    if session.agent or session.transcript or not is_uuid(session.id):
        return ""
    marks = (load_facts(home).session_mark for home in start.homes if home.current)
    return next((f"\n{mark.format(id=session.id)}" for mark in marks if mark), "")


def _render_head(start: _Start) -> tuple[str, list[ContextItem]]:
    """memtui's own words: what this is, and which tools search the rest; these only where there is room for more."""
    tools = describe_tools(start.homes)
    half = make_budget(start.config).share(0.5)
    if not half.fits(f"{ABOUT} {tools}"):
        return (ABOUT if half.fits(ABOUT) else "", [])
    reason = _("tells which tools search the rest")
    item = ContextItem(tools, "", 0, "", None, "tools", reason, len(tools), estimate_tokens(tools), "memtui")
    return f"{ABOUT} {tools}{_mark(start)}", [item]


def _load_profiles(start: _Start) -> list[Passage]:
    found: list[Passage] = []
    for home in start.homes:
        own = list(load_profile(home, start.session.agent, now=start.now, hidden=start.hidden))
        if start.resumed and not own and load_facts(home).preferences_in_core:
            own = list(load_core_memory(home, start.whose.roots, now=start.now, hidden=start.hidden))
        found += own
    return found


def _is_of_project(passage: Passage) -> bool:
    """Whether it is what a project tells every agent, and no person's own file (L0)."""
    return passage.home.current and passage.path.rpartition("/")[2] in ORDERS


def _load_rules(start: _Start) -> list[Passage]:
    if start.resumed:
        return []

    found = list_offered_rules(start.homes, "", start.session, start.config)
    return [*found, *(one for one in _iterate_documents(start) if one.kind == "rule")]


def _iterate_documents(start: _Start) -> Iterable[Passage]:
    for home in start.homes:
        yield from load_base_documents(home, now=start.now, hidden=start.hidden)


def _load_core(start: _Start) -> list[Passage]:
    if start.resumed:
        return []
    found: list[Passage] = []
    for home in start.homes:
        if not load_facts(home).of_all_projects:
            pad = load_scratchpad(home, lambda one: _is_other_project(start, one), now=start.now, hidden=start.hidden)
            found += [] if pad is None else [pad]
            found += load_core_memory(home, start.whose.roots, now=start.now, hidden=start.hidden)
    return [one for one in found if one.path != "scratchpad.md" or one.kind == "scratchpad"]


def _is_other_project(start: _Start, session: str) -> bool:
    """Whether another session's task is none of this project, as far as anybody knows."""
    if session == start.session.id:
        return False
    return not recent.is_of_project(start.homes, session, start.whose)


def _load_summaries(start: _Start) -> list[Passage]:
    """Its own where it goes on; else the last ones, of a fork its parent's first."""
    own = [start.own] if start.own is not None else []
    if start.resumed or start.compacted:
        return own
    count = start.config.context.summaries
    found = own[:count]
    if start.session.source == "fork":
        reason = _("the summary of the session that this one was forked from")
        ids = tuple(filter(None, (find_parent(start.session),)))
        above = recent.load_own_summary(start.homes, ids, now=start.now, hidden=start.hidden, reason=reason)
        found += [above] if above is not None else []
    last = recent.load_latest_summaries(
        start.homes, count + len(found), start.whose, start.session.id, now=start.now, hidden=start.hidden
    )
    places = {(one.home.path, one.path, one.line) for one in found}
    return [*found, *(one for one in last if (one.home.path, one.path, one.line) not in places)][:count]


def _split_by_base(start: _Start, told: list[Passage]) -> tuple[list[Passage], list[Passage]]:
    """Those that come before the project's base, and what an agent remembers, which comes after (spec 000)."""
    if start.own is not None or not any(one.current and load_facts(one).knowledge_folders for one in start.homes):
        return told, []
    after = [one for one in told if load_facts(one.home).of_all_projects]
    return [one for one in told if one not in after], after


def _is_little(told: Sequence[Passage], config: Config) -> bool:
    return make_budget(config).share(_SMALL).fits("\n".join(one.text for one in told))


def _load_facts_of_days(start: _Start, said: Sequence[str]) -> list[Passage]:
    """The last days' facts (spec 004); what is said word for word already is not said again."""
    if start.resumed or start.compacted:
        return []

    found = [
        fact
        for home in start.homes
        for fact in load_recent_facts(home, start.whose, now=start.now, hidden=start.hidden)
    ]
    again = _("it is said above already")
    return [fact._replace(unwanted=again) if is_said_in(fact, said) else fact for fact in found]


def _load_more(start: _Start) -> list[Passage]:
    """What comes last: the index of the project's documents, memory of all projects below its own (spec 000), and
    what was done last on other nodes (spec 001 §9).
    """
    if start.resumed:
        return []
    found = [one for one in _iterate_documents(start) if one.kind != "rule"]
    for home in start.homes:
        if load_facts(home).of_all_projects:
            found += load_core_memory(home, start.whose.roots, now=start.now, hidden=start.hidden)
    if not start.compacted:
        count = start.config.context.summaries
        found += recent.load_node_summaries(start.homes, count, start.whose, now=start.now, hidden=start.hidden)
    return found


SHARED = "shared"
"""The `trust` of what colleagues share: their word, and nothing that is obeyed."""
AREAS = "areas/projects"
"""Where a home of several projects keeps what it knows of each."""


def _iterate_shared(start: _Start) -> Iterator[Passage]:
    """What colleagues share of this project, each with its owner's name: the core of a home that is about it, and of
    one of several projects what stands in this one's directory; and what the team wrote together.
    """
    if not start.config.context.team or start.resumed:
        return
    for home in find_mirrors():
        origin = home.origin
        assert origin is not None
        about = fold_project_name(home.label.removesuffix(f" {origin.told}")) in start.whose.names
        reason = _("shared by {who} with the team “{team}”").format(who=origin.told, team=origin.team)
        folders = [""] if about or not origin.owner else []
        for path in (*(folder + name for folder in folders for name in CORE_NAMES), *_list_area(home, start.whose)):
            role = load_layout(home.layout).role(home.path, path)
            if role is not None and role.layer in {Layer.CORE, Layer.KNOWLEDGE}:
                found = build_passage(home, path, reason, now=start.now, hidden=start.hidden)
                if found is not None:
                    yield found._replace(trust=SHARED)
    for home in find_unmirrored():
        assert home.origin is not None
        if fold_project_name(home.label.removesuffix(f" {home.origin.told}")) in start.whose.names:
            reason = _("shared by {who} with the team “{team}”").format(who=home.origin.told, team=home.origin.team)
            away = _("only the team's server holds it: the next `memtui sync` brings what a session is given")
            yield Passage(home, CORE_NAMES[0], Layer.CORE, "note", reason, (), trust=SHARED, unwanted=away)


def _list_area(home: Home, whose: Belonging) -> Iterator[str]:
    """The files that a home keeps of one project."""
    try:
        areas = [name for name in os.listdir(home.path / AREAS) if fold_project_name(name) in whose.names]
        for area in sorted(areas):
            names = sorted(os.listdir(home.path / AREAS / area))
            yield from (f"{AREAS}/{area}/{name}" for name in names[:MOST] if name.lower().endswith(MARKDOWN))
    except OSError:
        return
