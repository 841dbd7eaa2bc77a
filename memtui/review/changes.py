"""What was changed, beside what still says the old: a value ('Review: 15:30 → 16:30'), an issue, access. Pure.

A note that names both values of one thing, the one before and the one since, makes stale whatever gives the first one
of the same thing: by the words it is called by there or in the heading, or by the value itself where that is nobody
else's. What was measured (prices, scores, sizes) goes up and down by itself: of such a value only the day is told.

What has a number, an issue or a pull request, is one thing wherever it is named, so that its state can be compared
without a look at the words around it. Who closes it says so beside the number; who has it open says so beside it, too,
or lists it where a heading speaks of what is open. A part of one that is closed closes nothing else, and what was
opened again stays open. Access to something is had where a list that is ticked off, or a table of what there is,
begins with its name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from memtui.core.locale import _
from memtui.core.model import Layer, Status
from memtui.core.startup import compile_pattern
from memtui.language.similarity import extract_terms
from memtui.review.plausible import is_of_day, is_of_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.model import Memory

_LONGEST = 600
"""Characters of a memory beyond which it tells of more than what was changed."""
_UNITS = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|h|秒|分钟|小时|天|周|字|words?)"
_MODEL = (
    r"(?:gpt|claude|opus|sonnet|haiku|gemini|minimax|qwen|glm|kimi|deepseek|grok|llama|mistral)[\w ./:-]{0,24}?\d[\w.]*"
)
_SORTS = tuple(
    compile_pattern(sort, re.IGNORECASE)
    for sort in (
        r"\d{1,2}[:：]\d\d(?:\s?[ap]m)?(?:\s?[-–~]\s?\d{1,2}[:：]\d\d)?",
        rf"\d+(?:\.\d+)?\s?{_UNITS}(?![a-z])",
        _MODEL,
        r"`[^`\s()]{3,60}`|(?=[^\s]*[a-z])[\w.-]+/[\w./-]+",
    )
)
"""Of which sort a value is: both of a change are of the same. The last ones are names."""
_VALUE = f"(?:{'|'.join(sort.pattern for sort in _SORTS)})"
_RENAMED = compile_pattern(
    r"改名|更名|重命名|迁移|\b(?:renamed?|moved|migrated|replaced|switched|changed)\b|[从從由].*改[为成]", re.IGNORECASE
)
"""What a line says that tells of another name: an arrow alone leads from one to the other."""
_ARROW = compile_pattern(rf"(?P<old>{_VALUE})\s*(?:→|->|=>)\s*(?:改名为?\s*|now\s+)?(?P<new>{_VALUE})", re.IGNORECASE)
_FROM = compile_pattern(
    rf"(?:\bfrom\s+|[从從由])\s*(?P<old>{_VALUE})[^\n。；;]{{0,16}}?(?:\bto\b|改[为到成名]+|调整?[为到]|换[成到为]|切换[到为至]|更新[为到]|→|->)\s*(?P<new>{_VALUE})",
    re.IGNORECASE,
)
_MOVED = compile_pattern(
    rf"{_RENAMED.pattern}|[:：]|调整|改[为到]|推迟|提前|\b(?:from|now|moved|shifted|postponed|updated)\b", re.IGNORECASE
)
"""What a line says of an hour that was moved: an arrow alone leads from the start of something to its end."""
_VERSION = compile_pattern(r"\d+\.\d+(?:\.\d+)?")
_WISHED = compile_pattern(
    r"必须|应该?|建议|考虑|可以|计划|如果|例如|\b(?:must|should|could|would|might|may|suggest|consider|propos|plan|if|e\.g\.|example)",
    re.IGNORECASE,
)
"""What stands before a change that is only thought of."""
_BETWEEN_WORDS = r"(?<![\w.:/-])"
_OWN = compile_pattern(r"[/_.@-].*[a-z]|[a-z].*[/_.@-]|\d+\.\d+\.\d+", re.IGNORECASE)
"""A value that is nobody else's by chance: a path, a file, a name of parts."""
_USUAL = 12
"""Memories that give one value, beyond which it says nothing of what it is the value of."""
_FEW = 3
"""So many give a value that is nobody else's."""
_NAMED = 2
"""So many words call two things by one name."""


class _Change(NamedTuple):
    memory: Memory
    old: str
    new: str
    raw: str
    """Both values, for a person."""


def compare_changes(
    memories: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What tells of a change, what still gives the value from before, and both values."""
    told = [
        _Change(memory, old, new, raw)
        for memory in memories
        if len(memory.text) <= _LONGEST and not is_of_log(memory.path)
        for old, new, raw in find_changes(memory.text)
    ]
    if not told:
        return
    giving: defaultdict[str, list[Memory]] = defaultdict(list)
    wanted = {one.old for one in told}
    for memory in memories:
        if len(memory.text) <= _LONGEST and not is_of_log(memory.path) and memory.kind != "summary":
            low = _fold_colon(memory.text)
            for old in wanted:
                if old in low and re.search(rf"{_BETWEEN_WORDS}{re.escape(old)}(?![\w/:]|\.\w)", low):
                    giving[old].append(memory)
    for one in told:
        others = giving[one.old]
        for other in others if len(others) <= _USUAL else ():
            if (
                other is not one.memory
                and not _is_beside(one.memory, other)
                and _is_before(other, one.memory)
                and not (other.created is not None and _VERSION.fullmatch(one.old))
                and one.new not in _fold_colon(other.text)
                and project(one.memory) in {"", project(other)}
                and ((len(others) <= _FEW and _OWN.search(one.old)) or _is_one_thing(one.memory, other, one))
            ):
                yield one.memory, other, one.raw


@lru_cache(maxsize=1 << 13)
def find_changes(text: str) -> tuple[tuple[str, str, str], ...]:
    """The values that a text tells were changed: before, since, and as they stand."""
    if not any(mark in text for mark in ("→", "->", "=>", "from ", "From ", "从", "由", "從")):
        return ()
    found: list[tuple[str, str, str]] = []
    for line in text.splitlines():
        for pattern in (_ARROW, _FROM):
            for match in pattern.finditer(line):
                old, new = _fold_colon(match["old"]).strip("` "), _fold_colon(match["new"]).strip("` ")
                # A chain of steps has more arrows.
                chain = line.count("→") + line.count("->") > 1 and pattern is _ARROW
                if old != new and not chain and _is_change(match, line) and not _WISHED.search(line[: match.start()]):
                    found.append((old, new, f"{match['old'].strip('` ')} → {match['new'].strip('` ')}"))
    return tuple(dict.fromkeys(found))


def _is_change(match: re.Match[str], line: str) -> bool:
    """Whether both values are of one sort, and of names the line says that one became the other."""
    sorts = [
        next((at for at, sort in enumerate(_SORTS) if sort.fullmatch(match[side].strip())), -1)
        for side in ("old", "new")
    ]
    told = line[: match.start("old")] + line[match.end("old") : match.start("new")] + line[match.end("new") :]
    if sorts[0] == sorts[1] == 0 and not _MOVED.search(told):
        return False
    return sorts[0] == sorts[1] >= 0 and (sorts[0] < len(_SORTS) - 1 or _RENAMED.search(line) is not None)


def _fold_colon(text: str) -> str:
    return text.casefold().replace("：", ":")


def _is_beside(one: Memory, two: Memory) -> bool:
    """Whether both stand in one section: whoever wrote the second saw the first."""
    return (one.home, one.path, one.heading) == (two.home, two.path, two.heading)


def _is_before(other: Memory, change: Memory) -> bool:
    """Whether a value was noted before it was changed; what is kept has no day of its own."""
    if other.created is None or change.created is None:
        return change.created is not None or other.layer is not Layer.JOURNAL
    passing = other.layer is Layer.JOURNAL or is_of_day(other.path)
    return other.created < change.created if passing else other.created <= change.created


def _is_one_thing(change: Memory, other: Memory, told: _Change) -> bool:
    """Whether both call it by the same words, those of their headings too."""
    values = extract_terms(f"{told.old} {told.new}")
    mine = extract_terms(change.text) - values
    theirs = extract_terms(other.text) - values
    around = extract_terms(" ".join(other.heading[-1:]))
    return len(mine & theirs) >= _NAMED or (len(mine & (theirs | around)) > _NAMED and bool(mine & theirs))


_LONGEST_NUMBERED = 1500
"""Characters of a memory beyond which it is a document."""
_NUMBERED = compile_pattern(
    r"(?<![\w&/#.-])(?:(?P<sort>PRs?|MRs?|issues?|tickets?|bugs?|工单|缺陷)\s?)?\[?#(?P<number>\d{1,5})(?![\w-])"
    r"(?P<link>\]\([^()\s]*/(?:issues|pull|merge_requests)/\d+[^()\s]*\))?"
    r"|(?<![\w-])(?-i:(?!(?:GPL|GPT|SHA|UTF|ISO|RFC|CVE|AES|RSA|ARM|MD|HTTP|TLS|USB|COVID)-)"
    # Each plan counts its own steps.
    r"(?!(?:STEP|PHASE|TASK|STAGE|WAVE|PART|LEVEL|SPRINT|DAY|WEEK|ITEM|OPTION|PLAN|MILESTONE|ROUND|BATCH|SECTION)-)"
    r"(?P<key>[A-Z][A-Z0-9]{1,9}-\d{1,5}))(?![\w-]|\.\d)",
    re.IGNORECASE,
)
_CLAUSE = compile_pattern(r"[。；;\n]|[.!?](?= )|\s[—–]\s|(?<=[\u3400-\u9fff])[，,]")
_CLOSED = compile_pattern(
    r"\b(?:closed|merged|shipped|done|completed?|fixed|resolved|implemented|landed|deployed|won['’]?t[- ]?fix)\b"
    r"|[✅☑✔√]|已(?:经)?(?:关闭|合并|完成|修复|上线|解决|实现|部署)",
    re.IGNORECASE,
)
_OPEN = compile_pattern(
    r"\b(?:open(?![ -]?(?:source|ai|claw|router))|pending|queued|awaiting|waiting (?:for|on)|to-?do|remaining"
    r"|outstanding|unresolved|in progress|blocked"
    r"|not (?:yet )?(?:done|merged|supported|fixed|shipped|implemented|started|closed)"
    r"|tracked (?:in|as|by)|known gap)\b|🔲|⬜|⏳|\[ \]"
    r"|(?:未|尚未|没有)(?:关闭|合并|完成|修复|解决|实现)|待(?:办|处理|修复|合并|解决)|进行中|仍开着",
    re.IGNORECASE,
)
_UNSURE = compile_pattern(
    r"\b(?:if|once|when|until|unless|after|before|should|would|re-?opened|partial(?:ly)?|parts?|items?|slices?|steps?"
    r"|phases?|half|not|never|except|follow-?ups? (?:to|from)|like|see|per|cf|same as)\b|n['’]t\b"
    r"|部分|如果|之后|以后|重新打开|除",
    re.IGNORECASE,
)
"""What is said of one in a way that tells nothing of its state as a whole."""
_LISTS_OPEN = compile_pattern(
    r"\b(?:open (?:issues?|tickets?|prs?|items?|questions?|tasks?|improvement|follow)|backlog|to-?dos?|queued?|pending"
    r"|remaining|outstanding|next|known (?:issues|gaps))\b|待办|未完成|待处理|遗留|下一步",
    re.IGNORECASE,
)
"""How a heading leads what is open."""
_TASK = 600
"""Characters of a memory beyond which it tells of more than what is open."""
_ACCESS = compile_pattern(
    r"\b(?:access|credentials?|apis?|tokens?|(?:api )?keys?|accounts?|logins?|integrations?)\b"
    r"|权限|接入|密钥|凭证|账号|集成",
    re.IGNORECASE,
)
_WANTED = compile_pattern(
    r"\W*(?:(?i:get|obtain|request|set up|configure|connect)\s|获取|配置|接入|申请|开通)?\s?\W{0,2}"
    r"(?P<name>[A-Z][A-Za-z0-9.]{2,}"
    r"(?: (?!(?i:apis?|access|repos?|tokens?|keys?|sites?|accounts?)\b)[A-Z][A-Za-z0-9.]+)?)"
    r"(?:\s?(?i:apis?|access|repos?|tokens?|keys?|sites?|accounts?|密钥|权限|账号|接口))*\W{0,2}(?:$|[(（·|]|\s[—–-]\s|，|,)"
)
"""Something that is called by its name, before anything else is said of it."""
_HAD = compile_pattern(
    r"✅|\b(?:active|connected|configured|working|accessible|granted)\b|已(?:配置|接入|开通|连接|获取)", re.IGNORECASE
)
_NOT_HAD = compile_pattern(
    rf"{_OPEN.pattern}|❌|\b(?:not|no|revoked|expired|missing|needs?|on hold)\b|失效|过期|缺", re.IGNORECASE
)
_NEAR = 24
"""Characters between a number and what is said of its state."""
_BRIEF = 160
"""Characters of a line that says of one thing whether it can be got at."""
_FEW_NUMBERS = 6
"""So many numbers in one clause are a list, of which nothing is told one by one."""

_State = Literal["open", "closed"]


def compare_tickets(
    memories: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What says that one is closed, what still has it open, and why, for a person."""
    closed: defaultdict[str, list[Memory]] = defaultdict(list)
    waiting: list[tuple[Memory, str]] = []
    for memory in memories:
        if memory.status is Status.ACTIVE and memory.layer is not None and len(memory.text) <= _LONGEST_NUMBERED:
            states = find_ticket_states(memory.text)
            listed = any(map(_LISTS_OPEN.search, memory.heading[-1:])) and not memory.extra.get("done")
            for name, state in states:
                if state == "closed":
                    closed[name].append(memory)
                elif (
                    (state == "open" or listed)
                    and len(memory.text) <= _TASK
                    and not is_of_log(memory.path)
                    and not memory.extra.get("done")
                ):
                    waiting.append((memory, name))
    told: set[str] = set()
    for task, name in waiting:
        if task.id in told or (name, "closed") in find_ticket_states(task.text):
            continue
        # A topic as a whole is pointed at where no part of it says so.
        for over in sorted(closed.get(name, ()), key=lambda one: one.reach > one.end):
            if _is_after(over, task) and project(over) in {"", project(task)}:
                told.add(task.id)
                yield over, task, _("“{item}” is done there").format(item=name)
                break


def compare_access(
    memories: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What says that something can be got at, what still wants access to it, and why, for a person."""
    wanted: list[tuple[Memory, str]] = []
    for memory in memories:
        is_open = memory.kind == "todo" and memory.status is Status.ACTIVE and not memory.extra.get("done")
        if is_open and len(memory.text) <= _BRIEF and _speaks_of_access(memory):
            match = _WANTED.match(memory.text)
            # What follows a dash says what is to be done with it.
            if match is not None and (match[0][-2:-1] not in "—–-" or any(map(_ACCESS.search, memory.heading[-1:]))):
                wanted.append((memory, match["name"]))
    names = {name for _memory, name in wanted}
    had: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in memories if names else ():
        ticked = bool(memory.extra.get("done"))
        if memory.status is Status.ACTIVE and len(memory.text) <= _BRIEF and (ticked or memory.kind != "todo"):
            first = memory.text.partition("\n")[0]
            match = _WANTED.match(first)
            told = _HAD.search(first) or (ticked and _speaks_of_access(memory))
            if match is not None and match["name"] in names and told and not _NOT_HAD.search(first):
                had[match["name"]].append(memory)
    for task, name in wanted:
        for over in had.get(name, ()):
            if _is_after(over, task) and project(over) in {"", project(task)}:
                yield over, task, _("“{item}” is done there").format(item=name)
                break


def _speaks_of_access(memory: Memory) -> bool:
    return any(map(_ACCESS.search, (memory.text, *memory.heading[-1:])))


@lru_cache(maxsize=1 << 12)
def find_ticket_states(text: str) -> tuple[tuple[str, _State | Literal[""]], ...]:
    """The numbers that a text names, each with its state; empty: it begins with the number and tells no state."""
    if "#" not in text and "-" not in text:
        return ()
    found: list[tuple[str, _State | Literal[""]]] = []
    for at, clause in enumerate(_CLAUSE.split(text)):
        named = list(_NUMBERED.finditer(clause))
        if not named or len(named) > _FEW_NUMBERS:
            continue
        for match in named:
            # A single digit counts anything, but for what is linked.
            if match["number"] and len(match["number"]) < 2 and not (match["link"] or match["sort"]):
                continue
            name = f"#{match['number']}" if match["number"] else match["key"]
            state = _read_state(clause, match)
            if state or (at == 0 and not clause[: match.start()].strip("-*+•[]() >#0123456789.")):
                found.append((name, state))
    return tuple(dict.fromkeys(found))


def _read_state(clause: str, match: re.Match[str]) -> _State | Literal[""]:
    """What the words beside a number say of its state; empty: nothing, or not of all of it."""
    before, behind = clause[: match.start()], clause[match.end() :]
    around = f"{before[-_NEAR:]} {behind[:_NEAR]}"
    if _OPEN.search(around):
        return "open"
    if _CLOSED.search(around) and not _UNSURE.search(_strip_numbers(clause)):
        return "closed"
    return ""


def _strip_numbers(clause: str) -> str:
    return _NUMBERED.sub(" ", clause)


def _is_after(over: Memory, task: Memory) -> bool:
    """Whether one may have been closed after another memory had it open."""
    if over.id == task.id or over.kind == "todo":
        return False
    if over.layer is task.layer is Layer.JOURNAL and over.path == task.path:
        # Whoever reads of the morning reads of the evening, too.
        return False
    if over.created is not None and task.created is not None:
        return over.created >= task.created
    return task.layer is not Layer.JOURNAL or over.created is None
