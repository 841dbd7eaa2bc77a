"""The order in which the memories of a file are worth a row: something of every section before more of one, what is to
be known first, what is over or looked up last. No widget here.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from memtui.pattern import pattern
from memtui.tui.paint import when
from memtui.tui.slight import LOOKED_AT, is_field, slight

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.model import Memory

TURN = 3
"""Rows of one file before the next file has its turn."""
LEARNT = frozenset({"lesson", "pref", "rule", "decision"})
_FOREMOST = pattern(
    r"prefer|critical|must|never|always|principle|invariant|important|convention|guideline|rule|"
    r"overview|about|current|why|who|user|person|mission|goals?\b|philosophy|\bcontext$|"
    r"\bprojects?\b|priorit|safety|communication|\bactive\b|focus|in progress|ongoing|pending|next steps|\bopen\b|"
    r"偏好|原则|规则|约定|规范|铁律|红线|必读|必须|禁止|重要|核心|概况|概览|概述|当前|目标|用户|使用者|关于|约束|沟通|"
    r"项目|进行中|待办|待核对|待确认|下一步|"
    r"präferenz|vorlieben|regel|wichtig|grundsätze|projekte|aktuell|offene?\b|über|"
    r"правил|важн|критич|предпочт|принцип|проект|текущ|цел[иь]|обо? мне|"
    r"regla|importante|preferencia|proyecto|règle|préférence|projet|好み|ルール|プロジェクト|"
    r"원칙|규칙|필수|금지|핵심|중요|기준|개요|목표|현재|사용자|피드백|진행 중|"
    r"[🚨🔴❗‼🎯]|⚠",
    2,
)
"""Headings of what is to be known before anything else."""
_ROUTINE = pattern(
    r"(?:every|each|new|per) session|\bsession[ -]?(?:start|context|init)|startup|heartbeat|boot|hand-?off"
    r"|layering|会话(?:启动|开始|上下文)|每次会话|启动流程|心跳",
    2,
)
"""Headings of what an agent does by itself, before anybody asks it for anything."""
_SETTLED = pattern(
    r"completed|\bdone\b|archive|\bpast\b|history|credential|\blinks?\b|resources|\bkey files\b"
    r"|\b(?:server|system|security|environment)\b.{0,20}\b(?:config|configuration|setup)|installed|inventory"
    r"|已完成|归档|历史|凭证|凭据|链接|参考资料|关键配置|环境配置|系统配置",
    2,
)
"""Headings of what is over, or is looked up where it is needed."""
_BINDING = pattern(
    r"constraint|caveat|gotcha|pitfall|lesson|warning|invariant|important|critical|decision"
    r"|约束|注意|重要|禁止|禁忌|教训|踩坑|坑|决策|红线|铁律",
    2,
)
"""Headings, within a document on one thing, of what somebody who works on it has to know."""
DEMANDING = pattern(
    r"\b(?:NEVER|MUST|ALWAYS|CRITICAL|Never|Always|Do not)\b|不要|禁止|必须|严禁|绝不|不得"
    r"|\b(?:NUR|NIE|NIEMALS|IMMER|VERBOTEN|НИКОГДА|ВСЕГДА|НЕЛЬЗЯ|ТОЛЬКО|NUNCA|SIEMPRE|JAMAIS|TOUJOURS)\b|絶対|必ず|禁じ"
    r"|금지|절대|반드시|하지 마|말 것"
    r"|\*\*[^*\n]{0,60}(?<![\w-])(?:[Nn]ever|[Aa]lways|[Mm]ust|[Oo]nly|[Dd]on't|[Dd]o not|DO NOT)\b"
)
_CRITICAL = pattern(
    r"\W{0,6}(?:critical|never|important|wichtig|важно|importante?)\b|\W{0,4}(?:严禁|铁律|红线|重要)|\W{0,3}[🔴🚨❗‼⚠]",
    2,
)
"""What begins by saying that it must not be missed."""
_NAMING = pattern(r"`[^`\n]+`|\d{2}|\b[A-Z][a-z]+[A-Z]\w+|\b[A-Z]{2,}_[A-Z]+")
"""What names a thing says more than what would hold anywhere."""


def spread(memories: Iterable[Memory], *, binding: bool = False) -> list[Memory]:
    """Something of each section before more of any, and more at once of how a file opens and of what is headed as
    important; in a section what forbids or demands something comes first, where no dates order it. What says little
    is last. `binding`: what has to be known comes before how the file opens, which is mostly what it is about.
    """
    sections: dict[tuple[str, ...], list[Memory]] = {}
    fields: list[Memory] = []
    last: list[Memory] = []
    for memory in memories:
        if slight(memory):
            last.append(memory)
        elif list(sections) == [memory.heading] and is_field(memory):
            fields.append(memory)
        else:
            sections.setdefault(memory.heading, []).append(memory)
    # Above its first heading a file tells what it is for.
    first, below = [*sections, (), ()][:2]
    preamble = len(first) < 2 and len(below) > len(first) and below[: len(first)] == first
    lone = preamble and len(sections[first]) == 1
    weighed = []
    for number, (heading, found) in enumerate(sections.items()):
        foreword = number == 0 and preamble and not binding
        if not foreword and all(when(one) is None for one in found):
            found.sort(
                key=lambda one: (
                    len(one.heading) > 2 and is_field(one),
                    not DEMANDING.search(one.text[:LOOKED_AT]) and not _CRITICAL.match(one.text),
                )
            )
        demanding = DEMANDING.search(found[0].text[:LOOKED_AT]) is not None
        important = any(map(_FOREMOST.search, heading[1:]))
        late = any(map(_ROUTINE.search, heading[1:]))
        late |= not important and any(map(_SETTLED.search, heading[1:]))
        foremost = not late and (important or (not binding and _CRITICAL.match(found[0].text) is not None))
        second = number == 1 and len(found) > 1 and (lone or (preamble and not late and not binding))
        opening = number == 0 or second
        share = TURN if opening else 2 if foremost else 1
        # What stands below an important heading shares its room.
        turn = share if opening or len(heading) < 3 or _FOREMOST.search(heading[-1]) else 1
        turn = 1 if binding or (foreword and len(sections) > 2) else turn
        before = binding and number > 0 and any(map(_BINDING.search, heading[-1:]))
        vague = binding and not (found[0].kind in LEARNT and _NAMING.search(found[0].text[: 2 * LOOKED_AT]))
        front = (not before, vague, late, not foreword, -share, not opening, not (demanding or binding))
        weighed.append((found, turn, front))
    weighed.sort(key=lambda one: one[2])
    told, looked_up = (
        [one for one in weighed if (not binding and one[2][2]) is late] for late in (False, True)
    )
    return [*_in_turn(told), *fields, *_in_turn(looked_up), *last]


def _in_turn(weighed: Sequence[tuple[list[Memory], int, object]]) -> Iterator[Memory]:
    queues = [one[0] for one in weighed]
    return take_turns(queues, sum(map(len, queues)), [one[1] for one in weighed])


def take_turns(
    queues: Sequence[Sequence[Memory]], most: int, turn: int | Sequence[int] = TURN
) -> Iterator[Memory]:
    """At most `most`, `turn` of each queue (or as many as it says for each) before the next has its turn."""
    shares = [turn] * len(queues) if isinstance(turn, int) else turn
    left = [(iter(queue), share) for queue, share in zip(queues, shares, strict=True)]
    while left and most > 0:
        for pair in list(left):
            some = list(islice(pair[0], min(pair[1], most)))
            most -= len(some)
            yield from some
            if len(some) < pair[1]:
                left.remove(pair)
