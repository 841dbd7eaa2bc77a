"""The trouble that one line tells of, found by signs, for every language.

Work on such a subject is none ('added error handling', 超时时间设为 30 秒), nor are denials, conditions, plans
and questions. Where a narrower type tells what an error was, it is counted as that type and not as an error as
well.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.conversation import NARROW
from memtui.language.items import skip_lead
from memtui.language.sentences import LANGUAGES, list_languages, simplify
from memtui.language.trouble_kinds import (
    CORRECTION,
    DEPENDENCY,
    ENVIRONMENT,
    ERROR,
    GAP,
    MACHINE,
    PERFORMANCE,
    RECURRING,
    Sign,
    list_alternatives,
    make_sign,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_FILE = r"(?<![\w@])[\w./@-]{1,120}\.(?:py|pyi|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|sql|md|ya?ml|toml|ini|cfg|css|scss|html|vue|svelte|proto|tf|log|csv)\b"
_SUBJECT = (
    r"\b(?:errors?|exceptions?|failures?|crash(?:es)?|bugs?|time-?outs?|faults?|panics?|performance|security|vulnerabilit(?:y|ies)|deadlocks?|leaks?|slow[- ]query|slow[- ]log|slow|outage|incident|xss|injection|not[- ]found|regression|connection)[- ]"
    r"(?:handling|handlers?|messages?|boundar(?:y|ies)|pages?|codes?|states?|types?|class(?:es)?|hierarchy|logs?|logging|reports?|reporting|budgets?|toasts?|banners?|middlewares?|track(?:ing|er)|monitor(?:ing)?|recovery|cases?|paths?|responses?|formatting|formats?|texts?|components?|hooks?|callbacks?|notifications?|alerts?|alerting|templates?|polic(?:y|ies)|settings?|values?|options?|config\w*|sections?"
    r"|reviews?|audits?|testing|tests?(?! (?:fail|broke))|suites?|guides?|docs|models?|scan(?:s|ning|ner)?|course|detect(?:ion|or)|modes?|counters?|metrics?|rates?(?! (?:spik|jump|went|rose|climb))|thresholds?|tolerance|domains?|schemas?|objects?|wrappers?|mapping|mapper|translations?|bash|triage|forms?|fallbacks?|reasons?|strateg\w+|management|budget|targets?|goals?|improvements?|benchmarks?|headers?|training|checklist|runbook|playbook|postmortem template|protection|filter|strings?|pool|limits?|param\w*)\b"
)
_NAMED = (
    r"(?-i:\b[A-Z]\w*(?:Error|Exception|Timeout|Failure|Crash|Retry|OutOfMemory|Bug|Fault|Leak|Slow|Deadlock)(?:[A-Z]\w+)\b"
    r"|\b[a-z][a-zA-Z]*(?:Error|Exception|Timeout|Failure|Failed|Crash)\w*\b"
    r"|(?<![\w])[a-z0-9]*_?(?:error|errors|exception|failed|failure|timeout|crash|retry|broken|bug|slow)_\w+|\b[a-z]\w*_(?:error|errors|exception|failed|failure|timeout|crash|bug|slow)\b)"
)


def load_languages() -> list[ModuleType]:
    """The signs of every language, as `<code>` has them: SIGNS, and in HARMLESS what only looks like one."""
    return [import_module(f"{__package__}.{language.code}") for language in LANGUAGES]


def list_signs() -> tuple[Sign, ...]:
    """All signs, in the order in which `STEMS` has theirs."""
    return (*MACHINE, *(sign for language in load_languages() for sign in language.SIGNS))


@cache
def _masks() -> tuple[re.Pattern[str], ...]:
    """What is blanked out. One after the other is several times as fast as all at once."""
    harmless = [language.HARMLESS for language in reversed(load_languages())]
    sources = (r"https?://\S+", _FILE, _NAMED, _SUBJECT, *harmless)
    return tuple(compile_pattern(source, re.IGNORECASE) for source in sources)


_DENIED = compile_pattern(
    r"(?:\b(?:no|zero|0|without|never|free of|nor|neither|hardly any|don't|do not|doesn't|does not|didn't|did not|not|isn't|wasn't)\b)(?: (?!but\b|and\b|only\b|because\b|since\b|longer\b|so\b|as\b|when\b|to\b|just\b)[\w'/-]+){0,4} ?$"
    r"|(?:(?:(?:最|更)?不容易|不易|没有|并无|并未|从未|未曾|未发现|未见|没发现|没出现|没再|不再|不会|不要|不能|不得|不应|不许|避免|防止|防范|预防|杜绝|以免|免得|省得|零|\b0 ?[个处项条次])(?:(?!导致|造成|引起|时|却|但|就|启动|启动)[^，。；：:！？,;]){0,8}|(?:[没未无]|(?<![识类级区特分辨鉴])别)[^，。；：:！？\s,;]{0,2})\s?$",
    re.IGNORECASE,
)
_NONE = compile_pattern(
    r"\s*(?:[:：=]\s*(?:none|no\b|nothing|0\b|无|没有|n/a)|(?: (?:were|was|are|is|have been))? (?:not |never )(?:found|seen|observed|detected|reproduced|an issue)|\s*(?:为|是)\s?(?:0|零)|\s?0\b)",
    re.IGNORECASE,
)
_SUPPOSED = compile_pattern(
    r"(?:\b(?:if|in case|unless|should(?! not have)|might|may|must|will|shall|avoid\w*|prevent\w*|guard\w* against|protect\w*|rul(?:e|es|ed|ing) out|ensur\w+|mak(?:e|es|ing) sure|so that|expect(?:s|ed)?|whether|want\w*|plan(?:s|ned)? to|simulat\w+|detects?|catch(?:es)?|alerts? (?:on|when|if|for)|warns? (?:on|when|if|about|of)|notif(?:y|ies)|handl(?:e|es|ed|ing)|for when|in the event of|discuss\w*|explain\w*|how to|what is|what does|what (?:are|if)|difference between|i'll|i will|i'm going to|let me|let's|going to|would(?! not)|could be|whatever|anything that|everything that|e\.g\.|for example|as expected|deliberately|intentionally|on purpose|by design|resilient|robust|tests? (?:for|that|what|how))\b"
    r"|(?:如果|若(?!干)|要是|假如|假设|一旦|万一|确保|保证|有没有|是否|会不会|是不是|让我|我先|我来|我会|接下来|看看|讨论|建议(?!被)|推荐|如何|怎么处理|怎样|应对|用于|用来|应该|需要|必须|模拟|可能|也许|什么是|讲解|介绍|拦截|检测|防御|预防|防止|避免|以防|演示|测一下|当(?=[^前时，]{1,16}时)))[^,;:.，。；：]*$",
    re.IGNORECASE,
)
_WOULD = compile_pattern(r"(?<![不机社时尔总老能公协工展晚年例])(?<!还是)会(?!员|话|议|计|签|场|战|所)[^，。；]{0,6}$")
_WHEN = compile_pattern(
    r"\b(?:when(?:ever)?|once|until|upon|on|after|while|for|where)\b(?: [\w'/-]+){0,5} ?$", re.IGNORECASE
)
_PRESENT = compile_pattern(
    r"(?:fails?|crash(?:es)?|breaks|throws|failures?|errors?|time-?outs?|times out|is down|are down|hangs|freez\w+|goes down|\w+ (?:is|are)(?: not|n't)? \w+)$",
    re.IGNORECASE,
)
_THEN = compile_pattern(
    r"(?:的)?(?:时(?!钟|区|常|好|间)|之?后(?:则|自动|重试|再|会|要|需|写入|进入|转|由|通知|告警|回退|降级|切换)|则|的?话|就(?!是|因|写|被|出|崩|挂|报|卡|能)|自动|即(?!使)|立即|了再|(?:的)?情况下?(?:，|要|需|会)?|(?:要|该|应该)?(?:怎么|如何)(?!又|还)|自动重试|就好了)|\s*(?:怎么办|什么意思|是什么)|[^.;，。]{0,30}\s+(?:as (?:expected|planned|agreed|specified|ordered|intended|designed|wanted|documented)|on purpose|by design|intentionally|deliberately)|[^.;]{0,30}, (?:which is |that is )?(?:fine|ok|okay|acceptable|good enough)\b",
    re.IGNORECASE,
)
_WORK = compile_pattern(
    r"(?:^|[,;:，；：]\s*|\band )(?:\W*(?:also|then|and|we|i|it|the app|now|todo|done|open|next|decision|decided to|please|can you|could you|let's|maybe|team|will)[\s:,—–-]+)*"
    r"(?:add(?:ed|s)?|implement(?:ed|s)?|wr[oi]te|written|document(?:ed|s)?|design(?:ed)|creat(?:e|ed|es)|introduc(?:e|ed|es)|built|build (?:an?|the|our)|set up|set (?:the|a)|renam(?:e|ed)|refactor(?:ed)?|mov(?:e|ed)|explain(?:ed|s)?|discuss(?:ed)?|propos(?:e|ed)|extend(?:ed)?|enabl(?:e|ed|es)|cover(?:ed|s)|show(?:s|ed)?|display(?:ed|s)?|report(?:s|ed)? (?:the|when|all|as)|us(?:e|ed|es)|split|logs? (?:all|every|errors?|the)|logged|chose|choose|chosen|pick(?:ed)?|decid(?:e|ed)|decision|switched|pinned|configur(?:e|ed)|defin(?:e|ed)|describ(?:e|ed)|draft(?:ed)?|outlin(?:e|ed)|prepar(?:e|ed)|scheduled|monitor(?:ed)|instrumented|improv(?:e|ed)|bump(?:ed)? (?:the|up)|increas(?:e|ed)|lower(?:ed)?|rais(?:e|ed) the|adjust(?:ed)?|tun(?:e|ed)|doubl(?:e|ed)|extract(?:ed)?|simplif(?:y|ied)|clean(?:ed)? up|validat(?:e|ed|es)|check(?:ed)? (?:that|whether|if|the|for)|reviewed|verif(?:y|ied)|benchmarked|compar(?:e|ed)|keep|kept (?:the|a|it)|mak(?:e|es)|made|enforc(?:e|ed)|allow(?:ed|s)?|rais(?:e|es)|map(?:s|ped)|wrap(?:s|ped)?|convert(?:s|ed)?|mock(?:ed|s)?|simulat(?:e|ed)|updated|tested (?:that|the|how)|retr(?:y|ies)|returns? \d|handl(?:e|es|ed)|supports?|supported|covered|prevent(?:s|ed)?|avoid(?:s|ed)?|escap(?:e|es|ed)|collect(?:s|ed)?|track(?:s|ed)? (?!down)|grouped|translated|styled|polished|sketched|rotate[ds]?|swap(?:ped)?|listed|open: )\b",
    re.IGNORECASE,
)
_WORK_HAN = compile_pattern(
    r"(?<![没未不漏忘])(?:实现|新增|添加|增加|编写|撰写|补充|设计|(?<!不)支持|接入|引入|整理|重构|封装|抽成|抽取|统一|拆分|(?<![没未])配置|开启|启用|讨论|讲解|介绍|决定|决策|选择|选用|采用|约定|完善|自定义|规划|评审|搭建|移到|重命名|锁定|限制|加了|做了|写了|加上|列出|上报|给用户|写清楚|允许|固定|输出|沉淀|梳理|更新(?=[^，]{1,12}(?:文档|流程|说明))|检查(?!不通过|没过|失败|报)|补(?=[^，]{0,14}(?:单测|测试|用例|文档)))",
    re.IGNORECASE,
)
_FOR_HAN = compile_pattern(r"(?:^|[，,；;：:\s])(?:为|给|对|针对|将|把)[^，。；]{0,14}$")
_TREATED = compile_pattern(r"(?:的)?(?:做了?|用(?!户)|加了?|采用|通过|由(?!于)|走|靠|统一|按|改用|交给)")
_EVIDENCE = compile_pattern(
    r"\b(?:because|since|as|due to|caused by|which|after (?:another|yet another)|that (?:kept|was|were|had|caused|made|hid|broke|let|crashed|failed)|to (?:fix|solve|stop|resolve|work around|cure|repair)|fix(?:es|ed|ing)?|kept|but|until|where|found|turned out|reason|hotfix|despite|still)\b"
    r"|因为|由于|因(?=[^此而])|解决|修复|修正|排查|定位|导致|原因|后(?=[^，]{0,12}$)|却|但|结果|发现|遇到|出现|存在|不然|原来|老是|总是|一直",
    re.IGNORECASE,
)
_FIXING = compile_pattern(
    r"\b(?:hot)?fix(?:ed|es|ing)?\b|\bresolv\w+|\bsolved?\b|\bdebug(?:ged|ging)\b|\brepair\w*|\binvestigat\w+|\btrack(?:ed|ing)? down|\btraced\b|\bdiagnos\w+|\bworked around|\breproduc(?:e|ed|ing)\b|修复|修正|修好|修掉|解决|排查|定位|查明|绕过|搞定|复现",
    re.IGNORECASE,
)
_NUMBERS = compile_pattern(
    r"\bfrom ([0-9]+(?:\.[0-9]+)?) ?(ms|s|secs?|seconds|min|minutes|h|hours|mb|gb)?s? to ([0-9]+(?:\.[0-9]+)?) ?(ms|s|secs?|seconds|min|minutes|h|hours|mb|gb)\b",
    re.IGNORECASE,
)
_UNITS = {"ms": 0.001, "mi": 60.0, "h": 3600.0, "ho": 3600.0, "gb": 1000.0}
_FOREIGN = compile_pattern(
    r"(?:^|[,;:] |\b(?:because|as|since|but|and|that|why|how) )(?!(?:\w+ )?(?:i|we|agent|claude|assistant|it|this|that|also|still|and|but)\b)[\w'’./-]+(?: [\w'’./-]+){0,3} $",
    re.IGNORECASE,
)
"""Somebody or something else that could not."""
_ABLE = compile_pattern(r"(?:could not|couldn't|can't|cannot|can not|unable to)\b(?! be\b)", re.IGNORECASE)
_ASKS = compile_pattern(r"[?？][\"')”’）]*\s*$|(?:吗|么|呢)\s*[。!！~～]*\s*$")
_WHY = compile_pattern(r"\bwhy\b|\bhow come\b|为什么|为啥|怎么(?:又|还|总|老|会|一直)", re.IGNORECASE)


def mask_subjects(sentence: str) -> str:
    """The sentence with names and subjects blanked out that only sound like trouble; of the same length."""
    for mask in _masks():
        sentence = mask.sub(_blanks, sentence)
    return sentence


def _blanks(found: re.Match[str]) -> str:
    return "·" * len(found[0])


def is_only_question(sentence: str) -> bool:
    """Whether it only asks; who asks why something fails says that it does."""
    return _ASKS.search(sentence[-12:]) is not None and _WHY.search(sentence) is None


def is_innocent(heard: Sign, sentence: str, start: int, end: int) -> bool:
    """Whether what was heard there in a masked sentence is no sign of trouble after all."""
    before, behind = sentence[max(0, start - 160) : start], sentence[end : end + 40]
    if heard.type == PERFORMANCE and _better(sentence[start:end]):
        return True
    if heard.type == GAP and _FOREIGN.search(before) is not None and _ABLE.match(sentence, start) is not None:
        return True
    if not heard.whole and (_DENIED.search(before) is not None or _NONE.match(behind) is not None):
        return True
    own = sentence[start:end]
    fixing = _FIXING.search(before)
    if fixing is None and _FIXING.match(own) is None:
        if _WHEN.search(before) is not None and _PRESENT.match(own) is not None:
            return True
        if _THEN.match(behind) is not None:
            return True
    if fixing is None and _WOULD.search(before) is not None and _FIXING.search(sentence, end) is None:
        return True
    supposed = _SUPPOSED.search(before)
    if supposed is not None and (fixing is None or fixing.start() < supposed.start()):
        return True
    return _FIXING.match(own) is None and _worked_on(heard, before, behind)


def _better(own: str) -> bool:
    """Whether a number that went from one to another became better: a time that is shorter now."""
    told = _NUMBERS.search(own)
    if told is None:
        return False
    was, now = told[2] or told[4], told[4]
    return float(told[3]) * _UNITS.get(now[:2].lower(), 1.0) <= float(told[1]) * _UNITS.get(was[:2].lower(), 1.0)


def _worked_on(heard: Sign, before: str, behind: str) -> bool:
    """Whether it is the subject of somebody's work, and nothing says that it happened."""
    ends = not behind.strip(" 了。.!！") or behind[0] in "，,。；;"
    segment = before[max(before.rfind(mark) for mark in "，,；;：:。") + 1 :] if heard.firm else before
    for work in (_WORK, _WORK_HAN):
        found = work.search(segment)
        if found is None or (work is _WORK_HAN and heard.firm and ends):
            continue
        if _EVIDENCE.search(segment, found.end()) is None:
            return True
    if not heard.firm and _TREATED.match(behind) is not None:
        return True
    # In Chinese what is worked on may stand before the verb: 为发票超时增加重试.
    return _FOR_HAN.search(segment) is not None and _WORK_HAN.match(behind) is not None


STEMS = Path(__file__).with_name("trouble_stems.json")
"""Made from the signs by `python -m tests.language.stems`."""
LONGEST = 1000
"""Characters of a line that are listened to."""

_CUT = compile_pattern(r"(?<=[。！？；!?;])\s*|(?<=[.])\s+(?=[A-Z\u3400-\u9fff`\"'])")
_CORRECTED = make_sign(CORRECTION, "the user corrected the agent", "", spoken=True, whole=True)
_TIMED_OUT = "it ran out of time"
_OPENING = 120
"""Characters of a sentence in which a person says that something is wrong."""
_WORDY = 30
"""Signs that one sentence is looked at for, of one pattern."""


class FoundSign(NamedTuple):
    """A sign of trouble, and where it was heard."""

    sign: Sign
    sentence: str
    start: int
    end: int
    line: str
    """All of it."""


@lru_cache(4096)
def find_signs(line: str, role: str = "") -> tuple[FoundSign, ...]:
    """What is heard in one line, each type once, the first time. Linear in its length."""
    line = simplify(line[:LONGEST])
    found: dict[str, FoundSign] = {}
    again: FoundSign | None = None
    for sentence in _CUT.split(line):
        if not sentence or len(sentence) < 3:
            continue
        for one in _in(sentence, line, role):
            if one.sign.type == RECURRING and not one.sign.firm:
                again = again or one
            else:
                found.setdefault(one.sign.type, one)
    if again is not None and found.keys() - {CORRECTION, GAP, RECURRING}:
        found.setdefault(RECURRING, again)
    # What somebody put right was wrong, and is no error of its own.
    if CORRECTION in found and ERROR in found and found[ERROR].sign not in MACHINE:
        del found[ERROR]
    # The narrower type says more: a connection that was refused is an error, too, and counted as neither twice.
    if found.keys() & (NARROW | {GAP}):
        found.pop(ERROR, None)
    if found.keys() & NARROW:
        found.pop(GAP, None)
    # What could not be reached, or fetched, in time is no slow program.
    slow = found.get(PERFORMANCE)
    if slow is not None and slow.sign.why == _TIMED_OUT and found.keys() & {ENVIRONMENT, DEPENDENCY}:
        del found[PERFORMANCE]
    return tuple(found.values())


def _corrects(sentence: str) -> bool:
    """Whether a person tells the agent that it was wrong, at a sentence's beginning."""
    sentence = sentence[:_OPENING]
    return any(
        language.corrects.match(sentence[skip_lead(sentence, language) :] + " ") is not None
        or language.corrects.match(sentence + " ") is not None
        for language in list_languages(sentence)
    )


def _in(sentence: str, line: str, role: str) -> Iterator[FoundSign]:
    asked = is_only_question(sentence)
    if role == "user" and not asked and _corrects(sentence):
        yield FoundSign(_CORRECTED, sentence, 0, 0, line)
    near = [
        sign
        for sign, parts in _near(sentence)
        if not (sign.spoken and role != "user")
        and not (asked and not sign.spoken)
        and not (role == "user" and sign.type == GAP)
        and any(part.search(sentence) is not None for part in parts)
    ]
    if not near:
        return
    shown = mask_subjects(sentence)
    for sign in near:
        for number, place in enumerate(sign.pattern.finditer(shown)):
            if not is_innocent(sign, shown, *place.span()):
                yield FoundSign(sign, sentence, *place.span(), line)
                break
            if number > _WORDY:
                break


def _near(sentence: str) -> list[tuple[Sign, list[re.Pattern[str]]]]:
    """The signs that may be heard in it, each with the parts of it that may: few letters tell, and most tell of none.

    To try all that a sign may sound like takes twenty times as long.
    """
    low = sentence.lower()
    grams = {*low, *map("".join, pairwise(low)), *map("".join, zip(low, low[1:], low[2:], strict=False))}
    signs, index = _table()
    found: set[tuple[int, int]] = set()
    for gram in grams & index.keys():
        for stem, places in index[gram]:
            if stem in low:
                found.update(places)
    near: dict[int, list[re.Pattern[str]]] = {}
    for number, part in sorted(found):
        near.setdefault(number, []).append(_parts(number)[part])
    return [(signs[number], parts) for number, parts in near.items()]


@cache
def _parts(number: int) -> tuple[re.Pattern[str], ...]:
    """The alternatives of a sign, as its stems count them; each is compiled when it is needed first."""
    sign = _table()[0][number]
    needed = _stems()[number]
    if len(needed) == 1:
        return (sign.pattern,)
    return tuple(compile_pattern(one, re.IGNORECASE) for one in list_alternatives(sign.source))


@cache
def _table() -> tuple[tuple[Sign, ...], dict[str, list[tuple[str, list[tuple[int, int]]]]]]:
    """All signs, and by their first three letters the stems of which each alternative of one needs one."""
    signs = list_signs()
    by_stem: dict[str, list[tuple[int, int]]] = {}
    for number, needed in enumerate(_stems()):
        for part, words in enumerate(needed):
            for stem in words.split("|"):
                by_stem.setdefault(stem, []).append((number, part))
    index: dict[str, list[tuple[str, list[tuple[int, int]]]]] = {}
    for stem, places in by_stem.items():
        index.setdefault(stem[:3], []).append((stem, places))
    return signs, index


@cache
def _stems() -> list[list[str]]:
    """What must stand in a line, in small letters, for each alternative of each sign; between bars, one is enough."""
    found: list[list[str]] = json.loads(STEMS.read_text("utf-8"))
    return found
