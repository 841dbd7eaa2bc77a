"""The steps of a week (spec 002).

- `load_week`: the sessions of a stretch of time, each once, and the lines of the journal.
- What went on (周期任务): activity, the most edited files, what the sessions were about.
- `propose_weekly_facts` (自动事实提取): facts that several sessions of a project bear out, one to three each,
  as candidates. By rules: what the key points and decisions of at least two sessions say alike, by their terms and
  where there are vectors by their meaning. By the model
  where a person wants that (`consolidate.model`): what it answers must have been said; all of it waits in
  Review.
- What sessions teach about trouble: signals written to the log, reports, and a skill drafted where the gates
  are open.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memtui import llm
from memtui.consolidation.daily_steps import Offers, split_statements
from memtui.consolidation.step_work import StepResult, is_unable, shorten_text
from memtui.core import clock
from memtui.core.edits import Draft
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.core.text import HAN
from memtui.evolution import overview as overview_module
from memtui.evolution import sessions_read, skill_proposals
from memtui.evolution.overview import load_overview
from memtui.language.kin import Kin, group_reworded, read_gist, say_the_same, tell_apart
from memtui.language.signals import find_signals
from memtui.layouts.home_config import is_switched_off, read_home_config
from memtui.review.distill import explain_passing
from memtui.review.queue import is_undecided
from memtui.search.names import extract_coined_names
from memtui.search.vocabulary import ENGLISH
from memtui.sessions import minutes
from memtui.sessions.packing import fold_project_name
from memtui.sessions.rules import list_config_names
from memtui.store import candidates
from memtui.store.route_documents import fit
from memtui.store.write_path import KEEPER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.consolidation.step_work import Work
    from memtui.core.model import Memory

_STATUSES = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.ARCHIVED, Status.EXPIRED})
_WEEK_ASIDE = frozenset({"turn", "message", "queue", "attachment", "scratchpad", "state"})

_SUBORDINATE = "agent-"
"""What the transcripts of sub-agents are called: their work is that of the session that sent them."""


class WeekSession(NamedTuple):
    """One session by its summary."""

    id: str
    time: float
    project: str
    topic: str
    head: Memory
    items: tuple[Memory, ...]
    """What it did, decided, found, touched and left open."""


class Week(NamedTuple):
    """Newest first, both."""

    sessions: tuple[WeekSession, ...]
    journal: tuple[Memory, ...]


def load_week(work: Work) -> Week:
    """What there is since `work.since`, until now."""
    own = frozenset({work.name})
    span = Filter(homes=own, statuses=_STATUSES, since=work.since, until=work.now + 1)
    vault = work.vault
    told = [
        memory
        for memory in vault.memories(span._replace(layers=frozenset({Layer.SESSION})), "time")
        if memory.kind not in _WEEK_ASIDE and not posixpath.basename(memory.path).startswith(_SUBORDINATE)
    ]
    heads: dict[str, Memory] = {}
    items: dict[str, list[Memory]] = {}
    for memory in told:
        name = memory.session or memory.path
        if memory.kind == "session":
            heads.setdefault(name, memory)
        else:
            items.setdefault(name, []).append(memory)
    sessions = [_build_week_session(work, name, head, tuple(items.get(name, ()))) for name, head in heads.items()]
    journal = vault.memories(span._replace(layers=frozenset({Layer.JOURNAL})), "time")
    return Week(tuple(sorted(sessions, key=lambda one: -one.time)), tuple(journal))


def _build_week_session(work: Work, name: str, head: Memory, items: tuple[Memory, ...]) -> WeekSession:
    time = head.updated or head.created or head.modified or work.now
    topic = " ".join((head.title or head.text).split())
    return WeekSession(name, time, find_memory_project(work, head), topic, head, items)


def find_memory_project(work: Work, memory: Memory) -> str:
    """The project that a memory is about, as far as it says; else its home's."""
    for name in ("project", "cwd"):
        said = memory.extra.get(name)
        if isinstance(said, str) and said.strip():
            return os.path.basename(said.strip().replace("\\", "/").rstrip("/")) or said.strip()
    return os.path.basename(work.home.project.rstrip("/"))


MOST = 10
"""Files, and topics, that are listed."""
_SPLIT = compile_pattern(r"[,，、;；\n]+")
_ASIDE = compile_pattern(r"\s*[(（][^()（）]*[)）]\s*$")
_PATH = compile_pattern(r"[^\s<>|*?\"]{1,300}")
_FILES = compile_pattern(r"\*{0,2}(?:文件|涉及文件|files?)\*{0,2}\s*[:：]\s*\*{0,2}\s*(.+)", re.IGNORECASE)
_WORD = compile_pattern(r"[A-Za-z][A-Za-z0-9_.-]{2,30}")
_CHINESE = compile_pattern(rf"[{HAN}]{{2,}}")


def count_activity(work: Work) -> StepResult:
    """How many sessions and journal lines, by day and by project."""
    found = load_week(work)
    days: dict[str, list[int]] = {}
    projects: Counter[str] = Counter()
    for session in found.sessions:
        days.setdefault(clock.format_day(session.time), [0, 0])[0] += 1
        projects[session.project] += 1
    for memory in found.journal:
        time = memory.created if memory.created is not None else memory.modified
        days.setdefault(clock.format_day(work.now if time is None else time), [0, 0])[1] += 1
    lines = [
        f"{day}: " + ", ".join(filter(None, (_count_sessions(sessions), _count_lines(written))))
        for day, (sessions, written) in sorted(days.items())
    ]
    lines += [
        f"{project or _('no project')}: {_count_sessions(count)}" for project, count in projects.most_common(MOST)
    ]
    counts = {
        "sessions": len(found.sessions),
        "lines": len(found.journal),
        "days": len(days),
        "projects": len(projects.keys() - {""}),
    }
    return StepResult(counts, tuple(lines))


def _count_sessions(count: int) -> str:
    return _n("{count} session", "{count} sessions", count) if count else ""


def _count_lines(count: int) -> str:
    return _n("{count} journal line", "{count} journal lines", count) if count else ""


def count_edited_files(work: Work) -> StepResult:
    """Which files were worked on most: in how many sessions, and where sessions say nothing, how often noted."""
    found = load_week(work)
    often = _count_touched_files(work, found)
    best = sorted(often.items(), key=lambda one: (-one[1], one[0]))
    lines = (
        f"{name} ({project}): {count}" if project else f"{name}: {count}" for (project, name), count in best[:MOST]
    )
    return StepResult({"files": len(often)}, tuple(lines))


def _count_touched_files(work: Work, found: Week) -> dict[tuple[str, str], int]:
    sessions: Counter[tuple[str, str]] = Counter()
    for session in found.sessions:
        sessions.update({(session.project, name) for item in session.items for name in _iterate_touched_files(item)})
    noted: Counter[tuple[str, str]] = Counter()
    for memory in found.journal:
        noted.update({(find_memory_project(work, memory), name) for name in _iterate_touched_files(memory)})
    # One edit stands in the day's note and in its session's summary: what says more counts.
    return {key: max(sessions[key], noted[key]) for key in (*sessions, *noted)}


def _iterate_touched_files(memory: Memory) -> Iterator[str]:
    """The files that a line names as touched."""
    listed = _FILES.fullmatch(memory.text.strip())
    if memory.kind != "file" and listed is None:
        return
    for part in _SPLIT.split(listed[1] if listed else memory.text):
        name = _ASIDE.sub("", part).strip().strip("`'\"* ")
        if name and _PATH.fullmatch(name) and ("." in name or "/" in name):
            yield name


def summarize_topics(work: Work) -> StepResult:
    """What the sessions were about: what came up again first, and the words that they share."""
    sessions = [session for session in load_week(work).sessions if session.topic]
    groups = Kin(session.topic for session in sessions).groups()
    ordered = sorted(groups, key=lambda group: (-len(group), group[0]))
    lines = [_format_topic([sessions[number] for number in group]) for group in ordered[:MOST]]
    words = _find_shared_words(sessions)
    if words:
        lines.append(_("often: {words}").format(words=", ".join(words)))
    return StepResult({"topics": len(groups), "sessions": len(sessions)}, tuple(lines))


def _format_topic(same: list[WeekSession]) -> str:
    first = same[0]
    times = f" × {len(same)}" if len(same) > 1 else ""
    project = f" ({first.project})" if first.project else ""
    return f"{clock.format_day(first.time)} {shorten_text(first.topic, 100)}{project}{times}"


def _find_shared_words(sessions: Iterable[WeekSession]) -> list[str]:
    """Words that stand in the topics of several sessions, the commonest first."""
    count: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for session in sessions:
        words = [
            *_WORD.findall(session.topic),
            *extract_coined_names(session.topic),
            *_CHINESE.findall(session.topic),
        ]
        mine = {word.casefold(): word for word in map(fit, words) if word and word.lower() not in ENGLISH}
        count.update(mine.keys())
        for low, word in mine.items():
            spelled.setdefault(low, word)
    return [spelled[word] for word, number in count.most_common(8) if number > 1]


LEAST = 2
"""Sessions of a project below which nothing is taken from them."""
_SAYING = frozenset({"note", "decision", "rule", "lesson", "fact"})
_LONG = 12_000
"""Characters that a model is given of one project."""
_DEED = compile_pattern(
    r"(?:added|fixed|implemented|refactored|renamed|moved|wrote|updated|upgraded|removed|deleted|created|improved|cleaned"
    r"|introduced|split|merged|released|reviewed|documented|investigated|debugged|tested|ran|started|finished|completed"
    r"|made|set up|worked on|looked (?:at|into))\b"
    r"|(?:新增|新建|增加|添加|加了|加上|修复|修正|修改|实现|完成|重构|优化|升级|删除|移除|清理|整理|编写|撰写|补充|调整|拆分|合并|发布|上线|部署|排查|调试|测试|评审|设计)了?",
    re.IGNORECASE,
)
"""Beginnings of reports of what was done, which are no lasting facts."""
_LEAD = compile_pattern(
    r"^(?:\*\*[^*\n]{1,24}\*\*\s*[:：]\s*|(?:learned|noted|decision|decided|结论|决定|决策|发现|要点)\s*[:：]\s*)",
    re.IGNORECASE,
)


class Point(NamedTuple):
    """One thing that a session says."""

    text: str
    session: WeekSession
    memory: Memory


class WeeklyFact(NamedTuple):
    """A fact that several sessions confirm."""

    text: str
    kind: str
    points: tuple[Point, ...]
    """Newest first."""


def propose_weekly_facts(work: Work) -> StepResult:
    """Offer what was found, of each project with enough sessions."""
    most = work.config.consolidate.facts
    if not most:
        return StepResult(lines=(_("consolidate.facts is 0"),))
    projects: dict[str, list[WeekSession]] = defaultdict(list)
    ignored = list_config_names(read_home_config(work.home.path), "ignored_projects")
    for session in load_week(work).sessions:
        if session.project and fold_project_name(session.project) not in ignored:
            projects[session.project].append(session)
    several = {name: sessions for name, sessions in projects.items() if len(sessions) >= LEAST}
    if not several:
        return StepResult({"projects": 0})
    offers = Offers(work, without=_list_item_ids(several))
    lines: list[str] = []
    left: list[tuple[str, str]] = []
    memo: dict[str, int] = {}
    failed = False
    asks = _is_model_asked(work)
    for number, (project, sessions) in enumerate(sorted(several.items())):
        work.tell(number, len(several))
        key, asked = f"facts:{project}", f"asked:{project}"
        room = most - work.memo.get(key, 0)
        if asks and work.memo.get(asked) == len(sessions):
            # The model has read all of these in this week.
            room = 0
        made = 0
        try:
            for one in _find_facts(work, sessions, asks=asks) if room > 0 else ():
                if made < room and _is_fresh(offers, one):
                    _offer(work, offers, project, one)
                    lines.append(f"{project}: {shorten_text(one.text, 160)} ({_describe_sessions(one)})")
                    made += 1
        except MemtuiError as error:
            left.append((project, str(error)))
            failed |= is_unable(error)
        memo |= {key: work.memo.get(key, 0) + made, asked: len(sessions) if asks else 0}
    return StepResult({"projects": len(several), "proposed": len(lines)}, tuple(lines), tuple(left), memo, failed)


def _is_fresh(offers: Offers, found: WeeklyFact) -> bool:
    return all(offers.fresh(found.text, point.memory.path, point.memory.start) for point in found.points)


def _list_item_ids(several: dict[str, list[WeekSession]]) -> frozenset[str]:
    return frozenset(item.id for sessions in several.values() for one in sessions for item in one.items)


def _describe_sessions(found: WeeklyFact) -> str:
    count = len({point.session.id for point in found.points})
    return f"in {count} sessions"


def _offer(work: Work, offers: Offers, project: str, found: WeeklyFact) -> None:
    first = found.points[0]
    days = ", ".join(
        dict.fromkeys(f"{point.session.id} ({clock.format_day(point.session.time)})" for point in found.points)
    )
    draft = Draft(
        found.text,
        found.kind,
        project=project,
        source=first.session.id,
        evidence=f"said in {days}"[:400],
        confidence=min(0.95, 0.7 + 0.1 * len({point.session.id for point in found.points})),
    )
    offers.propose(
        draft,
        layer=Layer.KNOWLEDGE,
        path=first.memory.path,
        line=first.memory.start,
        session=first.session.id,
    )


def _is_model_asked(work: Work) -> bool:
    """Whether the model is asked; never to see only what would be done."""
    return work.config.consolidate.model and not work.dry_run and not llm.why_not(work.config.llm)


def _find_facts(work: Work, sessions: list[WeekSession], *, asks: bool) -> Iterator[WeeklyFact]:
    """The facts that sessions confirm, those of most sessions first."""
    points = list(_iterate_points(work, sessions))
    told = _ask_model_for_facts(work, points) if asks and points else None
    yield from _find_facts_by_rules(work, points) if told is None else told


def _iterate_points(work: Work, sessions: list[WeekSession]) -> Iterator[Point]:
    """Points that may be facts: no reports of what was done, and no trouble, which is a signal."""
    for session in sessions:
        for item in session.items:
            if item.kind in _SAYING and "done" not in item.extra and not explain_passing(item, item.text, work.now):
                for text in split_statements([_LEAD.sub("", item.text, count=1)]):
                    if not _DEED.match(text) and not find_signals(text):
                        yield Point(text, session, item)


def _find_facts_by_rules(work: Work, points: list[Point]) -> Iterator[WeeklyFact]:
    groups: list[list[Point]] = []
    alike = [pair for group in Kin(point.text for point in points).groups() for pair in pairwise(group)]
    for group in group_reworded([point.text for point in points], (*alike, *_find_near_points(work, points))):
        said = [points[number] for number in group]
        if len({point.session.id for point in said}) >= LEAST:
            groups.append(said)
    groups.sort(key=lambda said: (-len({point.session.id for point in said}), -said[0].session.time, said[0].text))
    for said in groups:
        # The one that most others resemble would be best; the newest that says most is what a person expects.
        best = max(
            said, key=lambda point: (_is_statement_line(point.text), min(len(point.text), 160), point.session.time)
        )
        kind = best.memory.kind if best.memory.kind != "note" else "fact"
        yield WeeklyFact(best.text, kind, tuple(sorted(said, key=lambda point: -point.session.time)))


def _is_statement_line(text: str) -> bool:
    """Whether it is a statement by its look: no heading for what follows, no list of names."""
    return text[-1:] not in {":", "："} and (len(text.split()) > 2 or any(char >= "\u3400" for char in text))


_MEANS = 0.6
"""Cosine, around the mean of the week's lines, from which two sessions mean the same."""


def _find_near_points(work: Work, points: list[Point]) -> Iterator[tuple[int, int]]:
    """Which points of two sessions mean the same, where there are vectors; each line that says one thing."""
    if work.vault.vectors_stamp(work.home) is None:
        return
    refs = work.vault.ids(Filter(homes=frozenset({work.name}), statuses=_STATUSES, layers=frozenset({Layer.SESSION})))
    loaded = zip(refs, work.vault.load(refs), strict=True)
    rows = {memory.id: ref.row for ref, memory in loaded if memory is not None}
    count = Counter(point.memory.id for point in points)
    alone = [number for number, point in enumerate(points) if count[point.memory.id] == 1 and point.memory.id in rows]
    names = {point.session.id: number for number, point in enumerate(points)}
    groups = [names[points[number].session.id] for number in alone]
    near = work.vault.near(work.home, [rows[points[number].memory.id] for number in alone], groups, _MEANS)
    for one, two, _cosine in near:
        first, second = alone[one], alone[two]
        if not tell_apart(read_gist(points[first].text), read_gist(points[second].text)):
            yield first, second


def _ask_model_for_facts(work: Work, points: list[Point]) -> list[WeeklyFact] | None:
    """What the model makes of them; None: it did not answer as it was asked to."""
    text, size = [], 0
    for point in points:
        size += len(point.text)
        if size > _LONG:
            break
        # A session's id in front would end up in the facts.
        text.append(f"- {point.text}")
    noted = minutes.extract_model_notes("\n".join(text), work.config)
    if noted is None:
        return None
    found = []
    kin, gists = Kin(point.text for point in points), [read_gist(point.text) for point in points]
    for one in noted:
        if one.kind == "todo":
            continue
        mine = read_gist(one.text)
        same = {number for number, _how in kin.like(one.text)}
        same |= {number for number, gist in enumerate(gists) if say_the_same(mine, gist)}
        said = [points[number] for number in sorted(same)] or points[:1]
        kind = one.kind if one.kind != "pref" else "fact"
        found.append(WeeklyFact(one.text, kind, tuple(sorted(said, key=lambda point: -point.session.time))))
    return found


_MADE = "skill"
"""In the memo: a skill was drafted in this week."""


def read_unread_sessions(work: Work) -> StepResult:
    """Analyze the sessions of all homes that were not analyzed yet, and write the reports of what recurs.

    Several homes may share a log: what is reported of one is all that was heard of any.
    """
    vault = work.vault
    count, patterns = 0, 0
    lines: list[str] = []
    left: list[tuple[str, str]] = []
    failed = False
    for home in (one for one in vault.homes if not is_switched_off(one)):
        if work.dry_run:
            count += len(sessions_read.list_unread_sessions(vault, home))
            continue
        try:
            count += sessions_read.backfill(vault, home, progress=work.tell, who=KEEPER, group=work.group)
        except MemtuiError as error:
            left.append((home.label, str(error)))
            failed |= is_unable(error)
    for home in vault.homes:
        found = load_overview(vault, home, work.now).patterns
        active = [one for one in found if one.status == "active" and one.priority != "normal"]
        patterns += len(active)
        told = f"{home.label}: " if len(vault.homes) > 1 else ""
        lines += (f"{told}{one.key}: {one.count} ({one.priority})" for one in active)
        try:
            if not work.dry_run:
                overview_module.write(vault, home, who=KEEPER, group=work.group)
        except MemtuiError as error:
            left.append((home.label, str(error)))
            failed |= is_unable(error)
    return StepResult({"heard": count, "patterns": patterns}, tuple(lines), tuple(left), failed=failed)


def draft_weekly_skill(work: Work) -> StepResult:
    """Draft a skill of a pattern where all four gates are open; it waits in Review. One a week, one at a time."""
    found = skill_proposals.load_gates(work.vault, work.home, work.now)
    decided = candidates.load_decisions([work.home])
    waits = skill_proposals.list_skill_candidates(work.home, work.vault.config)
    waiting = [shorten_text(one.said) for one in waits if is_undecided(one, decided)]
    counts = {"open": sum(gate.open for gate in found), "waiting": len(waiting)}
    closed = [gate for gate in found if not gate.open]
    active = (one for one in load_overview(work.vault, work.home, work.now).patterns if one.status == "active")
    if not waiting and all(one.count < skill_proposals.COUNT for one in active):
        return StepResult()
    if closed:
        return StepResult(counts, tuple(f"{gate.title}: {gate.value} ({gate.wanted})" for gate in closed))
    if waiting or work.memo.get(_MADE):
        return StepResult(counts, tuple(waiting), memo={_MADE: 1})
    if work.dry_run:
        return StepResult(counts, (_("A skill would be drafted, and wait in Review."),))
    try:
        made = skill_proposals.propose(work.vault, work.home, who=KEEPER, group=work.group)
    except RefusedError as error:
        return StepResult(counts, left=(("", str(error)),))
    return StepResult({**counts, "proposed": 1}, (shorten_text(made.said),), memo={_MADE: 1})
