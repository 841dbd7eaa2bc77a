"""What one document still wants done, and another one tells is done. Pure.

A task is settled where something done says nearly all that it says; a list of tasks in one line, where headings
that are ticked off name each of them; a row of an index that calls a page unfinished, where the page calls
itself done. What comes back every day is another task each day, and a plan's steps are done in their own plan.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Layer, Status
from memtui.core.startup import compile_pattern
from memtui.formats import kinds
from memtui.formats.todos import TICKS, WAITS, state_of, state_of_heading
from memtui.language.similarity import extract_terms, normalize_text, weigh_text
from memtui.review.plausible import has_other_name, has_other_number, is_of_day, is_of_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.core.model import Memory

_LONGEST = 700
"""Characters beyond which a memory tells of more than one task."""
_LEAST = 9.0
"""What the words that a task and what is done share must weigh, by how rare they are in the home."""
_SHORT = 200
"""Characters of a line that is a task because of where it stands."""
_SHARE, _SAME_FILE = 0.66, 0.9
"""Which share of the task that must be; in one file, where steps of one thing stand beside each other."""
_FEW = 0.34
"""Which share of a task's words, by their number, it is in any case."""
_WORDS = 3
"""So many words in common, or all of the task: two of them come together in many sentences."""
_BACK, _UNBOXED = 0.45, 0.75
"""Which share of what is done the task says in turn: what says much besides was another thing; and the share of both
where no box or sign calls the task open, only the heading above it."""
_CLEAR, _SURE = 0.8, 0.65
"""The share of the task, and of what is told in turn, where nothing is ticked: somebody says that they did it."""
_TELLS_MORE, _MOSTLY = 2, 0.75
"""So many times a task's words are in what tells of other things as well; which share of the task that has to say."""
_LONG = 3
"""So many times a task's words are in a text that tells of more."""
_SPREAD = 2.5
"""Times a task's length, in which such a text tells of it."""
_FEWEST = 200
"""Fewer memories than these tell nothing of which words are rare."""
_COUNTED = 5000
"""So many memories, taken evenly, tell which words are rare in a home that has more."""
_USUAL = 40
"""Tasks that share a word, beyond which it finds nothing."""
_ITEM = 4.0
"""What one of several tasks in a line weighs at least, to be found again by its name."""
_RECURS = 3
"""So many tasks of one wording are one that comes back."""

_ASIDE = compile_pattern(r"[（(][^（()）]*[)）]")
_INITIALS = compile_pattern(r"(?<![A-Za-z0-9])[A-Z](?:[A-Z0-9]{1,7}|[a-z0-9]*[A-Z][A-Za-z0-9]*)(?![A-Za-z0-9])")
"""What a task is about by its initials or its name: 'EA', 'SSO', 'WebUI'."""
_FILE = compile_pattern(r"(?<![\w/.-])[\w-]+\.[a-z]{2,4}(?![\w.])")
_AGAIN = compile_pattern(
    r"(?<![\w/.-])[\w-]+\.[a-z]{2,4}(?![\w.])|\b(?:updat|edit|review|revis|chang|refresh|sync)\w*"
    r"|更新|修改|检查|同步|整理|维护",
    re.IGNORECASE,
)
"""A document, and what is done to it time and again."""
_DAY = compile_pattern(r"(?<!\d)20\d\d-\d\d-\d\d(?!\d)")
_CLOCK = compile_pattern(r"(?<!\d)\d{1,2}[:：]\d\d(?!\d)")
_AT = compile_pattern(r"\w.*(?<!\d)\d{1,2}[:：]\d\d(?!\d)")
"""Something that is done at its hour: 'Weekly digest (10:00)'; an hour that stands first tells when it was noted."""
_PROVE = compile_pattern(
    r"(?<![\w-])(?:re-?)?(?:test(?:s|ed|ing)?|verif\w+|validat\w+|confirm\w*|monitor\w*|check(?:s|ed|ing)?)\b|测试|验证|確認|确认"
    r"|观察|监控|测一下|优化|改进|完善|重构|\b(?:improv|optimi[sz]|refactor|polish)\w*|\b(?:testen|getestet|prüfen|geprüft|провер\w+|testar|testado)\b",
    re.IGNORECASE,
)
"""What is looked at, or made better, after something was done: that it was done does not settle it."""
_ACTS = tuple(
    compile_pattern(rf"\b(?:{some})", re.IGNORECASE)
    for some in (
        "post|publish|tweet", "sen[dt]|e-?mail", "record", "deploy|ship|releas|launch|live", "submit", "upload", "call",
        "buy|bought|order|purchas", "book", "sign", "pay|paid", "defin|decid|chose|choos",
        "发布", "发送", "提交", "部署|上线", "上传", "录制", "购买", "定义|决定",
    )
)  # fmt: skip
"""Verbs with which a task begins that nothing else does instead: what is written is not posted."""
_ALWAYS = compile_pattern(
    r"[\W\d]*(?:P\d\W+)?(?:持续|持續|继续|繼續|定期|每[天日周週月年晚]|日常|长期|長期"
    r"|(?:keep|continue|maintain|ongoing|continuous(?:ly)?|regular(?:ly)?|hourly|daily|weekly|monthly|every"
    r"|always)\b)",
    re.IGNORECASE,
)
"""How a task begins that is never done with."""
_SAYS_DONE = compile_pattern(
    r"[✅☑✔√✓]|\b(?:done|completed?|finished|closed|shipped|fixed|added|created|deployed|built|sent|tested)\b"
    r"|已|完成|готово|сделано|erledigt|feito|hecho|fait",
    re.IGNORECASE,
)
_TRIED = compile_pattern(r"\W*(?:tests?|case|scenario|测试|用例)\b", re.IGNORECASE)
"""How a heading begins that tells how something was tried out."""
_TICKED = compile_pattern(r"[\s>*+•-]*[✅☑✔√✓]\s*\S")
_DONT = compile_pattern(
    r"[\s>*+•-]*[❌✗✘🚫]\W*(?:不|别|勿|禁止|避免|(?:never|don['’]t|do not|avoid|no)\b)", re.IGNORECASE
)
"""An item of a list that says what is wrong: beside it a tick says what is right, not what was done."""
_DID = compile_pattern(
    r"[\s>*+•-]*(?:(?:added|implemented|created|built|removed|migrated|completed|finished|deployed|integrated"
    r"|merged|configured|enabled|installed|renamed|refactored|rewrote|shipped|published|wrote|fixed|moved|replaced"
    r"|upgraded|set up)\b|已(?!经?[知有])|(?:完成|修复|新增|实现|上线|修正|部署|发布|添加)了"
    r"|добавлен|исправлен|сделан|создан|adicionad|criad|implementad|corrigid|añadid|cread|corregid)",
    re.IGNORECASE,
)
"""How a day's note begins that tells that something was done."""
_DID_LAST = ("hinzugefügt", "umgesetzt", "behoben", "erledigt", "eingerichtet", "gebaut", "erstellt")
"""And how it ends where the verb does."""
_HURRAH = compile_pattern(r"🎉|[✅☑✔√]|\(done\)|(?:全部|都)(?:已经)?完成|\b(?:updated|created|added)\W*$", 2)
"""What says of itself that it is over, whatever the heading above it says."""
_PARTLY = compile_pattern(
    r"[⏳🚧🟡🔲⬜❌]|\b(?:partial(?:ly)?|remaining|pending|todo|not yet|in progress|failed|skipped|wontfix)\b"
    r"|\b(?:ready (?:to|for)|still not|blocked|needs?|hung)\b|准备[好就]|阻塞"
    r"|部分|仅余|剩余|未完成|尚未|待|进行中|失败|跳过|超时",
    re.IGNORECASE,
)
"""What is not done to the end, or came to nothing."""
_SEVERAL = compile_pattern(
    r"(?:待办|待辦|未完成|待完成|剩余|遗留|[高中低]优先级|\b(?:todos?|remaining|pending|backlog|left to do"
    r"|(?:high|medium|low) priority))[^:：\n]{0,8}[:：]\s*(?P<items>[^\n]+)",
    re.IGNORECASE,
)
_BETWEEN = compile_pattern(r"[、，,;；/]|→|\band\b|等$")
_ADDS = compile_pattern(
    r"(?:新增|新建|创建|增加|引入|\b(?:add|create|introduce|implement)\b)(?P<rest>[^。；;\n]{0,160})",
    re.IGNORECASE,
)
_WHERE = compile_pattern(r"\b(?:for|to|into|in|on)\s+(?:the )?(?=`)", re.IGNORECASE)
"""What follows is there already: something is added to it."""
_CODE = compile_pattern(r"`([^`\n]{5,80})`")
_PROPER = compile_pattern(r"[a-z].*[/_.-]|[/_.-].*[a-z]|[a-z]{9}")
"""A name in code that is nobody else's by chance."""
_PLAN = compile_pattern(r"(?:^|[._-])(?:plan|proposal|roadmap|design|rfc)s?(?:[._-]|$)|方案|计划|规划", re.IGNORECASE)
"""How a page is called that tells of what is to be made as though it were there."""
_PROCEDURES = compile_pattern(r"(?:^|/)(?:workflows?|skills?|prompts?|runbooks?|templates?)/", re.IGNORECASE)
"""Where it is told how something is done time and again, not what there is."""
_LARGE = 2500
"""Characters beyond which a page's part describes too much to speak of one thing."""
_STATE = compile_pattern(r"^\W*(?:状态|狀態|status|state)\W{0,4}[:：]\W{0,3}?(?P<state>\S.*)$", re.IGNORECASE)
_STABLE = compile_pattern(r"(?:stable|live|released?|in use|稳定|可用|已上线|已发布)", re.IGNORECASE)
_PAGE = compile_pattern(r"[\w./-]+\.md\b")


_AHEAD = compile_pattern(
    r"\b(?:next|roadmap|backlog|to-?dos?|open (?:tasks|items|issues)|nächste|offene?|priorit|prochain"
    r"|siguiente|próxim|pendiente)|下一|待办|待辦|路线图|路線圖|следующ|дальше|다음|次の",
    re.IGNORECASE,
)
"""How a heading speaks of what is still to be done, whatever the lines below it say."""
_FIELD = compile_pattern(r"[✅☑✔√\s>-]*(?:\*\*[^*\n]{1,40}[:：]\*\*|\*\*[^*\n]{1,40}\*\*\s*[:：]|\*[^*\n]+\*$)")
"""A field of a form, or a closing line: what stands in it is no task, whatever its heading says of the tasks there."""
_FORM = compile_pattern(r"check-?list|self-?check|template|模板|检查清单|检查表|自检|验证|验收", re.IGNORECASE)
"""How a document is called whose boxes are ticked anew each time."""
_SUPPOSED = compile_pattern(
    r"\bif\b|\bcriteri|\bsuccess\b|\bmetrics?\b|\bwhat (?:it|\w+ will|you)\b|\bexpected\b|\bexamples?\b|如果|标准|指标"
    r"|预期|示例",
    re.IGNORECASE,
)
"""How a heading leads what is to be so, ticks and all: 'It works if you:'."""
_HOPED = compile_pattern(f"{_AHEAD.pattern}|{_SUPPOSED.pattern}", re.IGNORECASE)
"""Below such a heading a tick adorns what is still to come."""
_NUMBERS = compile_pattern(r"\d+")
_UNBOXED_WORDS = 3
"""So many words say what a task is that only its heading calls one."""
_ITEM_OF_LIST = compile_pattern(r"\s*(?:[-*+•✅☑✔√]|\d+[.)])")
_LEAD = 40
"""Characters of a line that leads what is to come: 'Next steps:'."""
_RANK = compile_pattern(r"^\W*(?:P\d\b)?[\W\d_]*")
_BEGINNING = compile_pattern(r"[:：(（,，;；。=]|\s[—–-]\s")
_NUMBERED = compile_pattern(r"^[\W\d_]*(?:[^\W\d_]+ [A-Z0-9]{1,2}\s*[:：]|\d+[.)])?\s*")
"""What a heading has before its name: 'Agent B: ', '3. '."""
_NAME = 7.0
"""What such a name weighs at least: two words that are not all over."""


class _Done(NamedTuple):
    """Something that is done, in the words that say what it is."""

    memory: Memory
    text: str
    heading: bool = False
    """It is named by the heading it stands below."""
    said: bool = False
    """No box is ticked: it is told as something that somebody did."""


def find_outstanding(
    memories: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What tells that a task is done, the task, and why, for a person. What is of no `project` speaks for all."""
    held = [
        memory
        for memory in memories
        if memory.status is Status.ACTIVE and memory.layer is not None and memory.text[:3] != "```"
    ]
    wanted = [memory for memory in held if is_open_task(memory)]
    ahead = [memory for memory in held if memory.kind != "todo" and _is_ahead(memory)]
    done = _finished(held)
    yield from _named(held, done, project)
    yield from _stated(held, wanted)
    yield from _described(held, wanted, project)
    recurring = Counter(normalize_text(memory.text) for memory in held if memory.kind == "todo")
    wanted = [memory for memory in wanted if recurring[normalize_text(memory.text)] < _RECURS]
    if wanted or ahead:
        worth = _rarity(held)
        told = list(_told(wanted, done, worth, project))
        yield from told
        settled = {task.id for _memory, task, _why in told}
        tasks = [one for one in (*wanted, *ahead) if one.id not in settled]
        yield from _headed(tasks, _ticked(held), worth, project)


def is_open_task(memory: Memory) -> bool:
    """Whether it is still to be done; a form's questions are asked each time."""
    return (
        memory.kind == "todo"
        and not memory.extra.get("done")
        and len(memory.text) <= _LONGEST
        and not memory.text.rstrip("*_ ").endswith(("?", "？", ":", "："))
        and not _ALWAYS.match(memory.text)
        and not _DID.match(memory.text)
        and bool(extract_terms(_AGAIN.sub(" ", memory.text)))
        and not _HURRAH.search(memory.text)
        and not memory.path.endswith("SKILL.md")
        and not any(map(_FORM.search, (memory.path.rpartition("/")[2], *memory.heading[-1:])))
        and not any(map(_SUPPOSED.search, memory.heading[1:][-2:]))
        and (_is_boxed(memory) or len(extract_terms(memory.text)) >= _UNBOXED_WORDS)
    )


def _is_ahead(memory: Memory) -> bool:
    """Whether it stands below a heading that speaks of what comes next, and does not say of itself that it is done."""
    return (
        not memory.extra.get("done")
        and bool(extract_terms(_AGAIN.sub(" ", memory.text)))
        and memory.kind not in {"event", "summary", "rule", "pref", "decision"}
        and len(memory.text) <= _SHORT
        and any(map(_AHEAD.search, memory.heading[-2:]))
        and not any(map(_SUPPOSED.search, memory.heading[-1:]))
        and len(extract_terms(memory.text)) >= _UNBOXED_WORDS
        and not _DID.match(memory.text)
        and "✅" not in memory.text
        and "~~" not in memory.text
        and state_of_heading(memory.heading) == ""
    )


def _finished(memories: Sequence[Memory]) -> list[_Done]:
    found: list[_Done] = []
    seen: set[tuple[str, str, tuple[str, ...]]] = set()
    ruled = {(memory.home, memory.path, memory.heading) for memory in memories if _DONT.match(memory.text)}
    ahead: tuple[str, int] = "", 0
    for memory in memories:
        if (
            memory.last > memory.start
            and len(memory.text.partition("\n")[0]) <= _LEAD
            and _AHEAD.search(memory.text.partition("\n")[0])
        ):
            # A heading that is ticked off speaks of what was done before what it leads to.
            ahead = memory.path, memory.last
        if any(map(_PARTLY.search, memory.heading[-1:])):
            continue
        ticked = _TICKED.match(memory.text) is not None
        if ticked and any(map(_HOPED.search, memory.heading[1:][-2:])):
            continue
        if ticked and (memory.home, memory.path, memory.heading) in ruled:
            continue
        if not memory.extra.get("done"):
            found += _list_told_done(memory)
            continue
        led = memory.path == ahead[0] and memory.start <= ahead[1]
        if led or "?" in memory.text or "？" in memory.text or _is_rule(memory):
            continue
        if len(memory.text) <= _LONGEST and not _PARTLY.search(memory.text) and not _FIELD.match(memory.text):
            lines = memory.text.splitlines()
            listed = len(lines) > 1 and all(map(_ITEM_OF_LIST.match, lines[1:]))
            found += (_Done(memory, line) for line in (lines if listed else [memory.text]))
        place = (memory.home, memory.path, memory.heading)
        if place not in seen and len(memory.heading) > 1 and state_of_heading(memory.heading[-1:]):
            seen.add(place)
            found.append(_Done(memory, _ASIDE.sub(" ", memory.heading[-1]), heading=True))
    return found


def _list_told_done(memory: Memory) -> Iterator[_Done]:
    """The lines that tell of something as done without a box: a day's 'Added …', a plan's '✅ …'."""
    if memory.extra.get("done") is False or memory.kind == "todo":
        return
    of_day = memory.layer is Layer.JOURNAL or is_of_day(memory.path)
    for line in memory.text.splitlines():
        if len(line) > _LONGEST or "?" in line:
            continue
        did = of_day and (_DID.match(line) is not None or line.rstrip(" .!*").endswith(_DID_LAST))
        if (did or _TICKED.match(line)) and not _PARTLY.search(line) and not _FIELD.match(line):
            yield _Done(memory, line, said=True)


def _is_rule(memory: Memory) -> bool:
    """Whether its tick says what is right to do, not what was done."""
    return memory.kind in {"rule", "pref"} or any(
        kinds.infer_heading_kind(heading) in {"rule", "pref"} or _SUPPOSED.search(heading)
        for heading in memory.heading[-1:]
    )


def _ticked(memories: Sequence[Memory]) -> list[_Done]:
    """What headings tick off, each by the first memory below it."""
    found: dict[tuple[str, str, tuple[str, ...]], _Done] = {}
    for memory in memories:
        last = memory.heading[-1] if len(memory.heading) > 1 else ""
        ticked = last and (last[-1] in TICKS or last[0] in TICKS)
        if ticked and not _PARTLY.search(last) and not _TRIED.match(last):
            place = (memory.home, memory.path, memory.heading)
            found.setdefault(place, _Done(memory, _ASIDE.sub(" ", last), heading=True))
    return list(found.values())


def _rarity(memories: Sequence[Memory]) -> Mapping[str, float]:
    """What each word of a home is worth: the rarer the more; two Chinese characters less than a word."""
    some = memories[:: len(memories) // _COUNTED + 1]
    counts = Counter(term for memory in some for term in extract_terms(memory.text))
    most = max(len(some), _FEWEST) + 1
    return {term: math.log(most / count) * (0.6 if term[0] >= "\u2e80" else 1.0) for term, count in counts.items()}


def _told(
    wanted: Sequence[Memory],
    done: Sequence[_Done],
    worth: Mapping[str, float],
    project: Callable[[Memory], str],
) -> Iterator[tuple[Memory, Memory, str]]:
    """Those tasks nearly all of which something done says: each once, beside what says most of it."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    asked = [extract_terms(memory.text) for memory in wanted]
    for number, words in enumerate(asked):
        for word in words:
            holding[word].append(number)
    rarest = max(worth.values(), default=0.0)
    whole = [sum(worth.get(word, rarest) for word in words) for words in asked]
    best: dict[int, tuple[float, _Done]] = {}
    for one in done:
        words = extract_terms(one.text)
        near = {number for word in words if len(found := holding.get(word, ())) <= _USUAL for number in found}
        for number in near:
            # Most of what is near says too little of it, which is seen without a look at its places.
            if whole[number] < _LEAST or len(words & asked[number]) < _FEW * len(asked[number]):
                continue
            task = wanted[number]
            both = sum(worth.get(word, rarest) for word in words & asked[number])
            share = both / whole[number]
            boxed = _is_boxed(task)
            least = _SAME_FILE if _same_file(one.memory, task) or one.heading else _SHARE if boxed else _UNBOXED
            if both < _LEAST or share < least or project(one.memory) not in {"", project(task)}:
                continue
            if len(words & asked[number]) < _WORDS and share < _SAME_FILE:
                continue
            if (len(words) > _TELLS_MORE * len(asked[number]) and share < _MOSTLY) or _SEVERAL.match(task.text):
                continue
            if len(words) > _LONG * len(asked[number]) and not _stand_close(words & asked[number], one.text, task):
                continue
            if one.said and share < _CLEAR:
                continue
            back = _SURE if one.said else _BACK if boxed else _UNBOXED
            if not (one.heading or one.said or _SAYS_DONE.search(one.text)) and state_of_heading(one.memory.heading):
                # What stands below a heading that is ticked off may wait there.
                continue
            if both < back * sum(worth.get(word, rarest) for word in words) or _names_another(one, task):
                continue
            if share > (best[number][0] if number in best else 0.0) and _settles(one, task):
                best[number] = (share, one)
    for number, (_share, one) in best.items():
        yield one.memory, wanted[number], _tell(one)


def _is_boxed(task: Memory) -> bool:
    """Whether a box or a sign of its own says that it is open."""
    return task.extra.get("done") is False or task.text[:1] in WAITS


def _names_another(one: _Done, task: Memory) -> bool:
    """Whether what each of two puts in brackets has nothing in common: '(overview, models)', '(MatchPage.tsx)'."""
    mine, theirs = (
        {word for part in _ASIDE.findall(text) for word in extract_terms(part)} for text in (one.text, task.text)
    )
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _stand_close(words: Iterable[str], text: str, task: Memory) -> bool:
    """Whether what a long text shares with a task stands together in it, as a name does, not all over it."""
    plain = normalize_text(text)
    # Words of which only the concept is shared stand there in another form.
    places = [place for word in words if (place := plain.find(word)) >= 0]
    return not places or max(places) - min(places) <= _SPREAD * len(task.text)


def _headed(
    wanted: Sequence[Memory],
    done: Sequence[_Done],
    worth: Mapping[str, float],
    project: Callable[[Memory], str],
) -> Iterator[tuple[Memory, Memory, str]]:
    """Tasks that begin with what a heading elsewhere ticks off: 'Seat booking (by name)', '3. Seat booking ✅'."""
    names: defaultdict[str, list[tuple[_Done, frozenset[str]]]] = defaultdict(list)
    rarest = max(worth.values(), default=0.0)
    for one in done:
        words = frozenset(extract_terms(_NUMBERED.sub("", one.text, count=1)))
        if len(words) > 1 and sum(worth.get(word, rarest) for word in words) >= _NAME:
            names[min(words, key=lambda word: (-worth.get(word, rarest), word))].append((one, words))
    for task in wanted if names else ():
        asked = extract_terms(_BEGINNING.split(_RANK.sub("", task.text, count=1), maxsplit=1)[0])
        near = (pair for word in asked for pair in names.get(word, ()))
        whole = sum(worth.get(word, rarest) for word in asked)
        found = [
            one
            for one, words in near
            if words <= asked
            and sum(worth.get(word, rarest) for word in words) >= _SHARE * whole
            and (_PROVE.search(one.text) or not _PROVE.search(task.text))
            and not _same_file(one.memory, task)
            and not _are_pages(one.memory.path, task.path)
            and project(one.memory) in {"", project(task)}
            and (task.created is None or one.memory.created is None or task.created <= one.memory.created)
            and not has_other_number(task.text, one.text)
        ]
        if found:
            yield found[0].memory, task, _tell(found[0])


def _tell(one: _Done) -> str:
    """Why, for a person: what stands below a heading does not say by itself what is done."""
    return _("“{item}” is done there").format(item=one.text.strip()[:80]) if one.heading else _("it is done there")


def _settles(one: _Done, task: Memory) -> bool:
    """Whether what is done may be that task: not an earlier one, nor the same one of another day or another plan."""
    done = one.memory
    if _same_file(done, task):
        if done.heading == task.heading:
            return False
    elif _are_pages(done.path, task.path):
        return False
    if task.created is not None and (
        (done.created is not None and done.created < task.created)
        or any(day < clock.format_day(task.created) for day in _DAY.findall(one.text))
    ):
        return False
    if not _same_file(done, task) and (
        (_CLOCK.search(task.text) and (is_of_day(task.path) or not is_of_day(done.path))) or _AT.search(one.text)
    ):
        # What is due at an hour is due at it again.
        return False
    if _PROVE.search(task.text) and not _PROVE.search(one.text):
        return False
    begin = _RANK.sub("", task.text, count=1)
    if any(act.match(begin) and not act.search(one.text) for act in _ACTS):
        return False
    plain = one.text.casefold()
    bare = _ASIDE.sub(" ", task.text)
    if any(name.casefold() not in plain for name in (*_INITIALS.findall(bare), *_FILE.findall(bare))):
        return False
    return not has_other_number(task.text, one.text) and not has_other_name(task.text, one.text)


def _are_pages(one: str, two: str) -> bool:
    """Whether two files bear one name, as the steps of two plans do, or are reports of one series: each has its own."""
    names = [path.rpartition("/")[2] for path in (one, two)]
    return not names[1][:4].isdigit() and len({_NUMBERS.sub("", name) for name in names}) == 1


def _same_file(one: Memory, two: Memory) -> bool:
    return (one.home, one.path) == (two.home, two.path)


def _named(
    memories: Sequence[Memory], done: Sequence[_Done], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """Lines that list what is to be done, where headings that are ticked off elsewhere name all of it."""
    listing = [
        (memory, found["items"])
        for memory in memories
        if memory.layer is not Layer.JOURNAL
        and len(memory.text) <= _LONGEST
        and not memory.extra.get("done")
        and (found := _SEVERAL.search(memory.text)) is not None
    ]
    named_done = [(one.memory, _plain(one.text)) for one in done if one.heading] if listing else []
    for memory, items in listing:
        several = [named for item in _BETWEEN.split(items) if (named := _plain(item.strip()))]
        shut = [
            next(
                (
                    one
                    for one, text in named_done
                    if weigh_text(named) >= _ITEM and named in text and not _same_file(one, memory)
                    and project(one) in {"", project(memory)}
                ),
                None,
            )
            for named in several
        ]  # fmt: skip
        # A line of which something is still open stays: it would be given up as a whole.
        if len(several) > 1 and shut[0] is not None and None not in shut:
            yield shut[0], memory, _("“{item}” is done there").format(item=items.strip()[:80])


def _plain(text: str) -> str:
    return normalize_text(text).replace(" ", "")


def _stated(memories: Sequence[Memory], wanted: Sequence[Memory]) -> Iterator[tuple[Memory, Memory, str]]:
    """Rows of an index that call a page unfinished, where the page's own state says that it is done."""
    rows = [(memory, _pages(memory)) for memory in wanted if memory.extra.get("done") is False]
    paths = {page for _memory, pages in rows for page in pages}
    if not paths:
        return
    states: dict[tuple[str, str], Memory] = {}
    for memory in memories:
        found = _STATE.match(memory.text) if memory.path in paths and len(memory.text) <= _LONGEST else None
        state = found["state"].strip("* ") if found is not None else ""
        over = state[:1] in TICKS or state_of(state) == "done" or _STABLE.match(state)
        if state and over and not _PARTLY.search(state):
            states.setdefault((memory.home, memory.path), memory)
    for memory, pages in rows:
        shut = next((states[memory.home, page] for page in pages if (memory.home, page) in states), None)
        if shut is not None:
            yield shut, memory, _("its own page says that it is done")


def _pages(memory: Memory) -> list[str]:
    folder = posixpath.dirname(memory.path)
    return [
        posixpath.normpath(posixpath.join(folder, name))
        for name in dict.fromkeys((*memory.links, *_PAGE.findall(memory.text)))
    ]


def _described(
    memories: Sequence[Memory], wanted: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What is still to be added, where a page tells of it as something that is there: by all of its new names."""
    asked = [(task, *_added(task.text)) for task in wanted]
    asked = [one for one in asked if one[1]]
    pages = [
        (memory, memory.text.casefold())
        for memory in (memories if asked else ())
        if memory.layer is not Layer.JOURNAL
        and memory.kind not in {"todo", "event"}
        and "`" in memory.text
        and len(memory.text) <= _LARGE
        and not is_of_log(memory.path)
        and not _PLAN.search(memory.path.rpartition("/")[2])
        and not _PROCEDURES.search(memory.path)
        and not _PARTLY.search(memory.text)
    ]
    every = "\n".join(text for _memory, text in pages)
    for task, added, around in asked:
        # Most of what is to be added is named nowhere yet, which is seen in all texts at once.
        for memory, text in pages if all(name in every for name in added) else ():
            if (
                all(name in text for name in added)
                and 5 * sum(name in text for name in around) >= 3 * len(around)
                and not _same_file(memory, task)
                and project(memory) in {"", project(task)}
            ):
                yield memory, task, _("it is described there as being so")
                break


def _added(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names in code that a task adds, and all that it has; none where it has a single one, or none of its own."""
    found = _ADDS.search(text)
    names = frozenset(name.casefold() for name in _CODE.findall(text)) if found is not None else frozenset()
    if found is None or len(names) < 2:
        return frozenset(), frozenset()
    new = (name.casefold().strip("()") for name in _CODE.findall(_WHERE.split(found["rest"], maxsplit=1)[0]))
    return frozenset(name for name in new if " " not in name and _PROPER.search(name)), names
