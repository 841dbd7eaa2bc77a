"""What went on: activity, the most edited files, what the sessions were about (spec 002's 周期任务)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from memtui import clock
from memtui.curation.consolidate.week import project_of, week
from memtui.curation.consolidate.work import Told, brief
from memtui.curation.kin import Kin
from memtui.locale import _, _n
from memtui.routing.keywords import fit
from memtui.search.recall import coined
from memtui.search.stopwords import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.curation.consolidate.week import Session, Week
    from memtui.curation.consolidate.work import Work
    from memtui.model import Memory

MOST = 10
"""Files, and topics, that are listed."""
_SPLIT = re.compile(r"[,，、;；\n]+")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_PATH = re.compile(r"[^\s<>|*?\"]{1,300}")
_FILES = re.compile(r"\*{0,2}(?:文件|涉及文件|files?)\*{0,2}\s*[:：]\s*\*{0,2}\s*(.+)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{2,30}")
_CHINESE = re.compile(r"[\u4e00-\u9fff]{2,}")


def activity(work: Work) -> Told:
    """How many sessions and journal lines, by day and by project."""
    found = week(work)
    days: dict[str, list[int]] = {}
    projects: Counter[str] = Counter()
    for session in found.sessions:
        days.setdefault(clock.day(session.time), [0, 0])[0] += 1
        projects[session.project] += 1
    for memory in found.journal:
        time = memory.created if memory.created is not None else memory.modified
        days.setdefault(clock.day(work.now if time is None else time), [0, 0])[1] += 1
    lines = [
        f"{day}: " + ", ".join(filter(None, (_sessions(sessions), _lines(written))))
        for day, (sessions, written) in sorted(days.items())
    ]
    lines += [
        f"{project or _('no project')}: {_sessions(count)}" for project, count in projects.most_common(MOST)
    ]
    counts = {
        "sessions": len(found.sessions),
        "lines": len(found.journal),
        "days": len(days),
        "projects": len(projects.keys() - {""}),
    }
    return Told(counts, tuple(lines))


def _sessions(count: int) -> str:
    return _n("{count} session", "{count} sessions", count) if count else ""


def _lines(count: int) -> str:
    return _n("{count} journal line", "{count} journal lines", count) if count else ""


def edited(work: Work) -> Told:
    """Which files were worked on most: in how many sessions, and where sessions say nothing, how often noted."""
    found = week(work)
    often = _often(work, found)
    best = sorted(often.items(), key=lambda one: (-one[1], one[0]))
    lines = (
        f"{name} ({project}): {count}" if project else f"{name}: {count}"
        for (project, name), count in best[:MOST]
    )
    return Told({"files": len(often)}, tuple(lines))


def _often(work: Work, found: Week) -> dict[tuple[str, str], int]:
    sessions: Counter[tuple[str, str]] = Counter()
    for session in found.sessions:
        sessions.update({(session.project, name) for item in session.items for name in _touched(item)})
    noted: Counter[tuple[str, str]] = Counter()
    for memory in found.journal:
        noted.update({(project_of(work, memory), name) for name in _touched(memory)})
    # One edit stands in the day's note and in its session's summary: what says more counts.
    return {key: max(sessions[key], noted[key]) for key in (*sessions, *noted)}


def _touched(memory: Memory) -> Iterator[str]:
    """The files that a line names as touched."""
    listed = _FILES.fullmatch(memory.text.strip())
    if memory.kind != "file" and listed is None:
        return
    for part in _SPLIT.split(listed[1] if listed else memory.text):
        name = _ASIDE.sub("", part).strip().strip("`'\"* ")
        if name and _PATH.fullmatch(name) and ("." in name or "/" in name):
            yield name


def topics(work: Work) -> Told:
    """What the sessions were about: what came up again first, and the words that they share."""
    sessions = [session for session in week(work).sessions if session.topic]
    groups = Kin(session.topic for session in sessions).groups()
    ordered = sorted(groups, key=lambda group: (-len(group), group[0]))
    lines = [_topic([sessions[number] for number in group]) for group in ordered[:MOST]]
    words = _shared(sessions)
    if words:
        lines.append(_("often: {words}").format(words=", ".join(words)))
    return Told({"topics": len(groups), "sessions": len(sessions)}, tuple(lines))


def _topic(same: list[Session]) -> str:
    first = same[0]
    times = f" × {len(same)}" if len(same) > 1 else ""
    project = f" ({first.project})" if first.project else ""
    return f"{clock.day(first.time)} {brief(first.topic, 100)}{project}{times}"


def _shared(sessions: Iterable[Session]) -> list[str]:
    """Words that stand in the topics of several sessions, the commonest first."""
    count: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for session in sessions:
        words = [*_WORD.findall(session.topic), *coined(session.topic), *_CHINESE.findall(session.topic)]
        mine = {word.casefold(): word for word in map(fit, words) if word and word.lower() not in ENGLISH}
        count.update(mine.keys())
        for low, word in mine.items():
            spelled.setdefault(low, word)
    return [spelled[word] for word, number in count.most_common(8) if number > 1]
