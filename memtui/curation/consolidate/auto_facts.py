"""Facts that several sessions of a project bear out (spec 002's 自动事实提取): one to three each, as candidates.

By rules: what the key points and decisions of at least two sessions say alike. By the model where a person wants that
(`consolidate.model`): what it says must have been said, and more than once or not, it waits in Review like the rest.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.curation.consolidate.offering import Offers, one_by_one
from memtui.curation.consolidate.week import week
from memtui.curation.consolidate.work import Told, brief, unable
from memtui.curation.kin import Kin
from memtui.curation.passing import passing
from memtui.edits import Draft
from memtui.errors import MemtuiError
from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.curation.consolidate.week import Session
    from memtui.curation.consolidate.work import Work
    from memtui.model import Memory

LEAST = 2
"""Sessions of a project below which nothing is taken from them."""
_SAYING = frozenset({"note", "decision", "rule", "lesson", "fact"})
_LONG = 12_000
"""Characters that a model is given of one project."""
_DEED = re.compile(
    r"(?:added|fixed|implemented|refactored|renamed|moved|wrote|updated|upgraded|removed|deleted|created|improved|cleaned"
    r"|introduced|split|merged|released|reviewed|documented|investigated|debugged|tested|ran|started|finished|completed"
    r"|made|set up|worked on|looked (?:at|into))\b"
    r"|(?:新增|新建|增加|添加|加了|加上|修复|修正|修改|实现|完成|重构|优化|升级|删除|移除|清理|整理|编写|撰写|补充|调整|拆分|合并|发布|上线|部署|排查|调试|测试|评审|设计)了?",
    re.IGNORECASE,
)
"""How somebody begins who tells what was done, which is no fact that lasts."""
_LEAD = re.compile(
    r"^(?:\*\*[^*\n]{1,24}\*\*\s*[:：]\s*|(?:learned|noted|decision|decided|结论|决定|决策|发现|要点)\s*[:：]\s*)",
    re.IGNORECASE,
)


class Point(NamedTuple):
    """One thing that a session says."""

    text: str
    session: Session
    memory: Memory


class Found(NamedTuple):
    """Something that sessions bear out."""

    text: str
    kind: str
    points: tuple[Point, ...]
    """Newest first."""


def proposed(work: Work) -> Told:
    """Offer what was found, of each project with enough sessions."""
    most = work.config.consolidate.facts
    if not most:
        return Told(lines=(_("consolidate.facts is 0"),))
    projects: dict[str, list[Session]] = defaultdict(list)
    for session in week(work).sessions:
        if session.project:
            projects[session.project].append(session)
    several = {name: sessions for name, sessions in projects.items() if len(sessions) >= LEAST}
    if not several:
        return Told({"projects": 0})
    offers = Offers(work, without=_own(several))
    lines: list[str] = []
    left: list[tuple[str, str]] = []
    memo: dict[str, int] = {}
    failed = False
    asks = _asks(work)
    for number, (project, sessions) in enumerate(sorted(several.items())):
        work.tell(number, len(several))
        key, asked = f"facts:{project}", f"asked:{project}"
        room = most - work.memo.get(key, 0)
        if asks and work.memo.get(asked) == len(sessions):
            # The model has read all of these in this week.
            room = 0
        made = 0
        try:
            for one in _found(work, sessions, asks=asks) if room > 0 else ():
                if made < room and _fresh(offers, one):
                    _offer(work, offers, project, one)
                    lines.append(f"{project}: {brief(one.text, 160)} ({_times(one)})")
                    made += 1
        except MemtuiError as error:
            left.append((project, str(error)))
            failed |= unable(error)
        memo |= {key: work.memo.get(key, 0) + made, asked: len(sessions) if asks else 0}
    return Told({"projects": len(several), "proposed": len(lines)}, tuple(lines), tuple(left), memo, failed)


def _fresh(offers: Offers, found: Found) -> bool:
    return all(offers.fresh(found.text, point.memory.path, point.memory.start) for point in found.points)


def _own(several: dict[str, list[Session]]) -> frozenset[str]:
    return frozenset(item.id for sessions in several.values() for one in sessions for item in one.items)


def _times(found: Found) -> str:
    count = len({point.session.id for point in found.points})
    return _("in {count} sessions").format(count=count)


def _offer(work: Work, offers: Offers, project: str, found: Found) -> None:
    first = found.points[0]
    days = ", ".join(
        dict.fromkeys(f"{point.session.id} ({clock.day(point.session.time)})" for point in found.points)
    )
    draft = Draft(
        found.text,
        found.kind,
        project=project,
        source=first.session.id,
        evidence=_("said in {sessions}").format(sessions=days)[:400],
        confidence=min(0.95, 0.7 + 0.1 * len({point.session.id for point in found.points})),
    )
    offers.propose(
        draft,
        layer=Layer.KNOWLEDGE,
        path=first.memory.path,
        line=first.memory.start,
        session=first.session.id,
    )


def _asks(work: Work) -> bool:
    """Whether the model is asked; never to see only what would be done."""
    from memtui import llm

    return work.config.consolidate.model and not work.dry_run and not llm.why_not(work.config.llm)


def _found(work: Work, sessions: list[Session], *, asks: bool) -> Iterator[Found]:
    """What the sessions bear out, what most of them say first."""
    points = list(_points(work, sessions))
    yield from _by_model(work, points) if asks else _by_rules(points)


def _points(work: Work, sessions: list[Session]) -> Iterator[Point]:
    """What may be a fact: neither a deed, nor trouble, which is heard as that."""
    from memtui.evolution.hearing import said

    for session in sessions:
        for item in session.items:
            if item.kind in _SAYING and "done" not in item.extra and not passing(item, item.text, work.now):
                for text in one_by_one([_LEAD.sub("", item.text, count=1)]):
                    if not _DEED.match(text) and not said(text):
                        yield Point(text, session, item)


def _by_rules(points: list[Point]) -> Iterator[Found]:
    kin = Kin(point.text for point in points)
    groups: list[list[Point]] = []
    for group in kin.groups():
        said = [points[number] for number in group]
        if len({point.session.id for point in said}) >= LEAST:
            groups.append(said)
    groups.sort(
        key=lambda said: (-len({point.session.id for point in said}), -said[0].session.time, said[0].text)
    )
    for said in groups:
        # The one that most others resemble would be best; the newest that says most is what a person expects.
        best = max(
            said, key=lambda point: (_whole(point.text), min(len(point.text), 160), point.session.time)
        )
        kind = best.memory.kind if best.memory.kind != "note" else "fact"
        yield Found(best.text, kind, tuple(sorted(said, key=lambda point: -point.session.time)))


def _whole(text: str) -> bool:
    """Whether it is a statement by its look: no heading for what follows, no list of names."""
    return text[-1:] not in {":", "："} and (len(text.split()) > 2 or any(char >= "\u3400" for char in text))


def _by_model(work: Work, points: list[Point]) -> Iterator[Found]:
    from memtui.sessions.extract import model

    text, size = [], 0
    for point in points:
        size += len(point.text)
        if size > _LONG:
            break
        text.append(f"{point.session.id[:8]}: {point.text}")
    for one in model.notes("\n".join(text), work.config) if text else ():
        if one.kind == "todo":
            continue
        near = Kin(point.text for point in points).like(one.text)
        said = tuple(points[number] for number, how in near) or tuple(points[:1])
        yield Found(one.text, one.kind if one.kind != "pref" else "fact", said)
