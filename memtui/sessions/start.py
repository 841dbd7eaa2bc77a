"""What a session is given at its start (specs 000, 002, 003, 004), within a budget, each thing with the reason for it.

New: the person's own files, the rules that a person approved, core memory, the project's rules, the task at hand, the
last summaries, the last days' facts. Resumed: the person's own files again and its own summary, for the agent still has
the rest. After a compaction: its own summary, and rules and core memory again. Files are read where they stand; nothing
is indexed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.locale import _
from memtui.sessions import disclosure, lasting, summaries, switch
from memtui.sessions.belonging import belonging
from memtui.sessions.budget import tokens
from memtui.sessions.given import Given, Item
from memtui.sessions.identity import names
from memtui.sessions.packing import packed, whole
from memtui.sessions.passage import patterns
from memtui.sessions.ranked import ranked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.config import Config
    from memtui.model import Home
    from memtui.sessions.belonging import Belonging
    from memtui.sessions.packing import Packed
    from memtui.sessions.passage import Passage, Patterns
    from memtui.sessions.rules import Opened
    from memtui.sessions.session import Session

_SUMMARY = 0.25
"""The most of the budget that one summary gets: some tools capture whole conversations."""
_ORDERS = 0.4
"""The most of it that one file of a project's orders gets (CLAUDE.md, AGENTS.md): the person's own files come first,
and something is left for what was done last."""
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

    @property
    def resumed(self) -> bool:
        """Whether its agent still has what was said; spec 000: where it has a summary already it is resumed."""
        source = self.session.source
        return source == "resume" or (self.own is not None and source in {"", "startup"})

    @property
    def compacted(self) -> bool:
        """Whether its agent has lost what it was given."""
        return self.session.source == "compact"


def given(vault: Opened, session: Session, config: Config, *, now: float | None = None) -> Given:
    """What this session is given now. Reads a handful of files and writes nothing. Never raises for what they hold."""
    why = switch.off(session, config)
    if why:
        return Given((), (), 0, 0, "", why)
    now = clock.now() if now is None else now
    whose, hidden = belonging(session, config), patterns(config)
    mine = [home for home in vault.homes if whose.home(home)]
    homes = tuple(home for home in mine if not _disabled(home))
    if not homes:
        return Given((), (), 0, 0, "")
    reason = _("this session's own summary")
    own = summaries.own(homes, names(session), now=now, hidden=hidden, reason=reason)
    return _packed(_Start(session, config, homes, whose, now, hidden, own))


def _packed(start: _Start) -> Given:
    head, about = _head(start)
    from memtui.sessions.approved import split_rules
    from memtui.sessions.framing import DATA, RULES, block

    rules, profile = split_rules(_profile(start), start.hidden)
    others, known = split_rules([*_rules(start), *_core(start)], start.hidden)
    rules += others
    room = whole(start.config).without("\n".join((head, *([RULES] if rules else ()), DATA, "")))
    first = packed((one for one in profile if not _of_project(one)), room)
    told = _summaries(start)
    small = _little(told, start.config)
    approved = packed(rules, first.room)
    orders = packed(filter(_of_project, profile), approved.room, share=_ORDERS)
    early = packed(told if small else (), orders.room, share=_SUMMARY)
    lessons = ranked(known, start.homes, start.config, start.now)
    core = packed([*lessons.first, *lessons.rest], early.room)
    late = packed(() if small else told, core.room, share=_SUMMARY)
    said = [one.item.text for part in (first, approved, orders, core) for one in part.placed]
    rest = packed(_facts(start, said), late.room)
    more = packed([*_more(start), *lessons.last], rest.room)
    parts: list[Packed] = [first, approved, orders, core, early, late, rest, more]
    placed = [one for part in parts for one in part.placed]
    text = block((one.frame for one in placed), head) or head
    if not whole(start.config).fits(text):
        text, about, placed = "", [], []
    return Given(
        (*about, *(one.item for one in placed)),
        tuple(item for part in parts for item in part.left),
        len(text),
        tokens(text),
        text,
    )


def _head(start: _Start) -> tuple[str, list[Item]]:
    """memtui's own words: what this is, and which tools search the rest; these only where there is room for more."""
    tools = disclosure.described(start.homes)
    half = whole(start.config).share(0.5)
    if not half.fits(f"{disclosure.ABOUT} {tools}"):
        return (disclosure.ABOUT if half.fits(disclosure.ABOUT) else "", [])
    reason = _("tells which tools search the rest")
    item = Item(tools, "", 0, "", None, "tools", reason, len(tools), tokens(tools), "memtui")
    return f"{disclosure.ABOUT} {tools}", [item]


def _profile(start: _Start) -> list[Passage]:
    found: list[Passage] = []
    for home in start.homes:
        own = list(lasting.profile(home, start.session.agent, now=start.now, hidden=start.hidden))
        if start.resumed and not own and home.layout in lasting.OWN_PREFERENCES:
            own = list(lasting.core(home, start.whose.roots, now=start.now, hidden=start.hidden))
        found += own
    return found


def _of_project(passage: Passage) -> bool:
    """Whether it is what a project tells every agent, and no person's own file (L0)."""
    return passage.home.current and passage.path.rpartition("/")[2] in lasting.ORDERS


def _rules(start: _Start) -> list[Passage]:
    if start.resumed:
        return []
    from memtui.sessions.rules import offered

    found = offered(start.homes, "", start.session, start.config)
    return [*found, *(one for one in _documents(start) if one.kind == "rule")]


def _documents(start: _Start) -> Iterable[Passage]:
    for home in start.homes:
        yield from lasting.documents(home, now=start.now, hidden=start.hidden)


def _core(start: _Start) -> list[Passage]:
    if start.resumed:
        return []
    found: list[Passage] = []
    for home in start.homes:
        if home.layout != "codex":
            pad = disclosure.scratchpad(
                home, lambda one: _other(start, one), now=start.now, hidden=start.hidden
            )
            found += [] if pad is None else [pad]
            found += lasting.core(home, start.whose.roots, now=start.now, hidden=start.hidden)
    return [one for one in found if one.path != "scratchpad.md" or one.kind == "scratchpad"]


def _other(start: _Start, session: str) -> bool:
    """Whether another session's task is none of this project, as far as anybody knows."""
    if session == start.session.id:
        return False
    return not summaries.of_project(start.homes, session, start.whose)


def _summaries(start: _Start) -> list[Passage]:
    """Its own where it goes on; else the last ones, of a fork its parent's first."""
    own = [start.own] if start.own is not None else []
    if start.resumed or start.compacted:
        return own
    count = start.config.context.summaries
    found = own[:count]
    if start.session.source == "fork":
        from memtui.sessions.forked import parent

        reason = _("the summary of the session that this one was forked from")
        ids = tuple(filter(None, (parent(start.session),)))
        above = summaries.own(start.homes, ids, now=start.now, hidden=start.hidden, reason=reason)
        found += [above] if above is not None else []
    last = summaries.latest(
        start.homes, count + len(found), start.whose, start.session.id, now=start.now, hidden=start.hidden
    )
    places = {(one.home.path, one.path, one.line) for one in found}
    return [*found, *(one for one in last if (one.home.path, one.path, one.line) not in places)][:count]


def _little(told: Sequence[Passage], config: Config) -> bool:
    return whole(config).share(_SMALL).fits("\n".join(one.text for one in told))


def _facts(start: _Start, said: Sequence[str]) -> list[Passage]:
    """The last days' facts (spec 004); what is said word for word already is not said again."""
    if start.resumed or start.compacted:
        return []
    from memtui.sessions.recent_facts import recent, said_in

    found = [
        fact for home in start.homes for fact in recent(home, start.whose, now=start.now, hidden=start.hidden)
    ]
    again = _("it is said above already")
    return [fact._replace(unwanted=again) if said_in(fact, said) else fact for fact in found]


def _more(start: _Start) -> list[Passage]:
    """What comes last: the index of the project's documents, and Codex's memory below the project's own (spec 000)."""
    if start.resumed:
        return []
    found = [one for one in _documents(start) if one.kind != "rule"]
    for home in start.homes:
        if home.layout == "codex":
            found += lasting.core(home, start.whose.roots, now=start.now, hidden=start.hidden)
    return found


def _disabled(home: Home) -> bool:
    """Whether the skill's own switch is off (spec 004's kill switch beside its directory)."""
    return home.layout == "skillix" and os.path.exists(home.path.parent / ".memory-disable")
