"""Which facts of the journals belong in core memory (spec 004), and why each other one does not. Pure.

`explain_passing`: texts that hold only for a while (纯临时性信息). `classify_memory` and `place_fact`: spec
004's W, B or O, and the section that a fact belongs under; which heading means that section is found by
`formats.sections`.

`select` chooses a fact if it is no system event, holds, lasts, is sure and old enough, and is not in core
memory yet. Opinions come first, then the surer ones, rules, and those said more often; what is over the limit
waits. An unstated type follows the kind, and so does an unstated confidence, as most journals have no place for
one: preference, decision, rule and lesson .9, fact .85, note .8, and .05 more for every further day it was
said; 0 where the format has a place for it and nothing stands there.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Layer, Status
from memtui.core.startup import compile_pattern
from memtui.formats import kinds
from memtui.formats.kinds import SUMMARY_LABEL as LABEL
from memtui.formats.kinds import strip_summary_label
from memtui.language.kin import Kin
from memtui.language.similarity import (
    Likeness,
    compare_shapes,
    extract_terms,
    make_shape,
    normalize_text,
    weigh_text,
)
from memtui.store.passage import count_midnights, select_visible_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.config import DistillConfig
    from memtui.core.model import Memory

_NOW = compile_pattern(
    r"(?:^|[，。；：,;:\s]|当前|目前|现在|我们?|还|仍)正在(?!使用|用的)|"
    r"(?:当前|目前|本次)(?:任务|分支|会话|进度|卡在|阻塞)|进行中|(?:待|未)(?:合并|完成|确认|处理|修复)|"
    r"暂时|临时(?:绕过|禁用|关闭|方案|修复|处理)|(?:今天|明天|昨天|今晚|今早|近几[次天日周]|刚刚|刚才|稍后|待会|本周|这周|下周|上周|今日|昨日|明日)|"
    r"(?:上次|本次)(?:优先|执行|运行)|再(?:做)?(?:决策|决定)(?:$|[，。；])|(?:耗时|[涨跌][了幅]?)\s?\d|"
    r"\b(?:(?:consecutive|straight) (?:days|weeks|runs)|days of the same|(?:first|second) time the|day \d{2,}"
    r"|resolved by|worth (?:\w+ly )?(?:raising|asking|flagging)|should (?:be (?:clean|fix|updat)\w+|improve))\b|"
    r"\b(?:currently|right now|at the moment|for now|for the time being|temporarily|wip|work in progress|in progress"
    r"|todo|fixme|today|tomorrow|yesterday|tonight|this (?:week|morning|afternoon|evening|sprint)|(?:next|last) week"
    r"|working on|about to|just (?:fixed|started|finished|merged)|still (?:failing|broken|open|missing|waiting)"
    r"|(?:from|in|for) this session"
    r"|current (?:task|branch|session|focus)(?: is|(?=\s*[:：=]))|not yet (?:done|merged|fixed|deployed))\b",
    re.IGNORECASE,
)
_NOW_HINTS = (
    "正在", "近几",
    "当前", "目前", "本次", "进行中", "待", "未", "暂时", "临时", "今", "明天", "昨天", "刚", "稍后", "本周",
    "这周", "下周", "上周", "current", "right now", "at the moment", "for now", "the time being", "temporarily",
    "wip", "this session",
    "in progress", "todo", "fixme", "today", "tomorrow", "yesterday", "tonight", "this ", "next week",
    "last week", "working on", "about to", "just ", "still ", "not yet",
    "昨日", "明日", "上次", "再决", "再做决", "耗时", "涨", "跌", "consecutive", "straight", "days of the",
    " time the", "worth ", "should ", "day ", "resolved by",
)  # fmt: skip
"""Without one of these it is not of the moment."""
_ASKED = compile_pattern(r"[?？]\W*(?:$|[(（][^()（）]*[)）]\W*$)")
_DAY = compile_pattern(r"\d{4}-\d\d-\d\d")
_UNTIL = compile_pattern(
    r"(?:until|till|by|before|deadline|due|expires?(?: on)?|valid (?:until|to)|截[至止]|直到|有效期[至到]?|之前|到期)"
    r"\s*[:：]?\s*(?P<after>\d{4}-\d\d-\d\d)|(?P<before>\d{4}-\d\d-\d\d)\s*(?:之前|前|到期|截止|为止)",
    re.IGNORECASE,
)


def is_statement(text: str) -> bool:
    """Whether a text says in its words that something is so, or is to be so: a name of a thing or a step does not."""
    return _HOLDS.search(text) is not None or _LASTS.search(text) is not None


def explain_passing(memory: Memory, text: str, now: float) -> str:
    """Why the memory holds for a while only, in a few words for a person; empty: it may well last."""
    if memory.kind == "todo" or "done" in memory.extra:
        return _("a task, no fact")
    if memory.expires is not None:
        return _("holds only until {day}").format(day=clock.format_day(memory.expires))
    # Most texts name no day, and have none of these words.
    until = _DAY.search(text) and _UNTIL.search(text)
    if until:
        day = until["after"] or until["before"]
        return _("was about {day}, which is past" if day < clock.format_day(now) else "holds only until {day}").format(
            day=day
        )
    low = text.casefold()
    match = any(map(low.__contains__, _NOW_HINTS)) and _NOW.search(text)
    if match:
        return _("of the moment: “{words}”").format(words=match[0])
    if _ASKED.search(text):
        return _("a question")
    return ""


_TYPES = {"pref": "O", "persona_trait": "O", "event": "B"}
_OWN = frozenset({"decision", "rule", "lesson", "skill"})


class Belongs(NamedTuple):
    """Where a fact belongs in core memory."""

    kind: str
    """pref (用户偏好), rule (项目规范), decision (重要决策), fact (项目背景), lesson, skill."""
    section: str = ""
    """A heading that means none of these: as the rules name it."""
    word: str = ""
    """The keyword that decided it."""


def classify_memory(kind: str, stated: object = None) -> str:
    """Spec 004's W, B, O or S: as stated, else preferences are opinions, events biography, the rest world."""
    if isinstance(stated, str) and stated.strip().upper() in {"W", "B", "O", "S"}:
        return stated.strip().upper()
    return _TYPES.get(kind, "W")


def place_fact(text: str, kind: str, type: str, rules: Sequence[str]) -> Belongs:
    """The place of a fact of this type: O to the preferences, B to the background, W by its kind or its keywords."""
    if type == "O":
        return Belongs("pref")
    if type == "B":
        return Belongs("fact")
    if kind in _OWN:
        return Belongs(kind)
    for section, pattern in _compile_rules(tuple(rules)):
        match = pattern.search(text)
        if match:
            meant = kinds.infer_heading_kind(section)
            return Belongs(meant, "", match[0]) if meant else Belongs("fact", section, match[0])
    return Belongs("fact")


@lru_cache(maxsize=16)
def _compile_rules(rules: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    found: list[tuple[str, re.Pattern[str]]] = []
    for rule in rules:
        name, colon, words = rule.replace("：", ":").partition(":")
        wanted = [word.strip() for word in words.split("|") if word.strip()]
        if colon and name.strip() and wanted:
            # A Latin word is one by itself; a Chinese one stands where it stands.
            parts = (rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in wanted)
            found.append((name.strip(), re.compile("|".join(parts), re.IGNORECASE)))
    return tuple(found)


DAY = 86400.0
LONGEST = 800
"""Characters of a fact (spec 004: save_fact cuts there)."""

_NONE = frozenset({
    "session_start", "session_end", "session_metrics", "audit", "warning", "summary", "session", "message", "file",
    "state", "index", "signal", "index_entry", "episode",
})  # fmt: skip
_TAKEN = {"pref": 0.9, "decision": 0.9, "rule": 0.9, "lesson": 0.9, "skill": 0.9, "note": 0.8}
_FIELD = compile_pattern(r"\*\*[^*\n]{1,40}(?:\*\*\s*[:：]|[:：]\*\*)|\d{1,2}:\d\d\b")
_FIELDS = compile_pattern(r"\*\*[^*\n]{1,40}(?:\*\*\s*[:：]|[:：]\*\*)")
_BODILESS = compile_pattern(
    r"\W*(?:(?:can|could|may|might|will|would|has|have|had|is|are|was|were|takes?|gets?|got) (?!you\b|i\b|we\b)"
    r"|(?:never|always) (?:[a-z]+-)?[a-z]{2,}(?:[^su\W]s|ies)\b(?! (?:is|are|must|should)\b)"
    r"|[^\n]*\babout (?:this|that|it)\b"
    r"|不一定|可能|也许|或许|需要更|还需|仍需|还要|尚需)",
    re.IGNORECASE,
)
"""What leaves out of what it speaks: 'Can take weeks to get approved'."""
_LASTS = compile_pattern(
    r"\b(?:must|should|shall|always|never|prefers?|preferred|likes|(?:i|we|you|they|would) like|dislikes?|hates?|wants?"
    r"|insists?|avoid|remember|rule"
    r"|do not|don't|cannot|can't|only (?:ever|if|when|available|use)|instead of|rather than|decided|decision|chose"
    r"|chosen|agreed|learned|learnt|turns out|root cause|because|make sure|ensure|from now on|no longer"
    r"|by default|every time"
    r"|before (?:you|any|every|each|creating|committing)|without (?:approval|asking|explicit))\b"
    r"|必须|必需|务必|一律|始终|永远|总是|绝不|不要|不能|不可|不得|不许|禁止|应该|应当|需要先|优先|避免|记住|牢记|以后|今后"
    r"|下次(?!检查|使用|运行|执行|更新|会议|心跳)|偏好|喜欢|不喜欢|讨厌|希望|习惯|决定(?!是否)|(?<!次)选择了?|选用|采用|改用|约定|规则"
    r"|原则|教训|根因|原因是|因为|由于|默认|只能|才能"
    r"|每次|凡是|统一",
    re.IGNORECASE,
)
"""A decision, a preference, a rule, a lesson, by its words."""
_HOLDS = compile_pattern(
    r"\b(?:is|are|has|have|uses|runs|lives|needs|requires|belongs|depends|stores|goes|works|stands)\b"
    r"|(?<!不)是|位于|用于|使用|需要|负责|支持|每[天日周月年]|[放存]在",
    re.IGNORECASE,
)
"""How things are, by its words."""
_REGULAR = compile_pattern(
    r"\b(?:on|every|each) (?:\w+days?|mornings?|evenings?|nights?|weeks?|months?)\b"
    r"|\b(?:daily|weekly|monthly|usually)\b"
    r"|每[天日周週月年]|通常",
    re.IGNORECASE,
)
"""What comes back, by its words."""
_FRAGMENT = compile_pattern(
    r"""^(?:[\[{<(|]|[A-Z]+(?:_[A-Z]+)+$|\W*\d{4}[-/.年]\d|\W*\d{1,2}[:：]\d\d|\d+[.,]?\d*\s*(?:[a-z%/]|[个条次项篇]))
    |[:：]\**$ | untrusted | ^\W*(?:user|assistant|system|human|tool|ai|bot|用户|助手)\s*[:：]
    |^\W*(?:goal|aim|idea|plan|目标|应用
      |problem|evidence|rationale|reason|(?:my\ )?recommendation|现状|问题|原因|依据|证据|背景|理由|建议
      |date|time|start(?:ed)?|end(?:ed)?|duration|status|state|results?|task(?:\ type)?|type|source|impact
      |session(?:\ (?:id|key))?|model|channel|files?|commits?|branch|url|link|日期|时间|开始|结束
      |耗时|状态|结果|任务|任务类型|类型|来源|影响|会话|模型|分支|文件|提交|链接|执行详情|运行时间)\**\s*[:：]
    |^[^，,。；;：:！!]{1,14}
      (?:的(?:发现|原则|规则|学习|理解|调整|识别|定位|方法|总结|分析|选择|使用|能力|注意事项)|规则|原则|教训|约定)$
    |^[\w ./()-]{1,40}(?:\s\+\s[^+\n`]{1,60}){2,}$
    |^[^、，,。:：;；.]{1,24}(?:[、,，]\s*[^、，,。:：;；.]{1,24}){2,}$ | → """,
    re.IGNORECASE | re.VERBOSE,
)
_DONE = compile_pattern(
    r"""^\W*(?:fixed|added|ran|implemented|created|updated|committed|pushed|merged|deployed|installed|tested|verified|completed
      |finished|built|wrote|sent|generated|refactored|moved|removed|renamed|changed|started|investigated|reviewed|discussed|asked
      |learned|learnt|marked|cleaned|silenced|kept|felt|clarified|enhanced|improved|enabled|integrated|launched|migrated|replaced|resolved|restarted|upgraded
      |needs?\ to|still
      |checked|analy[sz]ed|posted|published|saved|recorded|logged|noted|scheduled|configured|received|awaiting|pending|done
      |no (?:new|further|issues|errors|changes))\b
    |^\s*[✅❌✔✓☑⏳⏰📧📅🔄⚠🎉]
    |\b(?:saved|recorded|added|written|logged|noted|documented|captured)\ (?:to|in|into)\ `?\S+\.(?:md|jsonl?)\b
    |\b(?:tests?|checks?|build)\ (?:all\ )?(?:pass(?:ed|es)?|green|ok)\b|\b\d+\ (?:tests|passed|failed)\b
    |^\W*(?:已(?!知)|今[日天]|昨[日天]|本次|成功|完成|修复|解决|新增|提交|推送|收到|等待|发送|分析了|提取了|确认了|实现了|优化了|生成了
      |创建了|部署了|更新了|执行了|添加了|删除了|测试了|检查了|调整了|整理了|记录了|执行(?!前|后|时|者)|我会|哥哥|用户(?:问|说|询问|要求|反馈|确认|纠正)|[^\s，。：:]{2,6}批评)
    |^\W*\w+\ asked\b|\ ·\ [✅❌✔✓]
    |已(?:解决|修复|完成|部署|上线|提交|推送|处理|更新|记录|写入|保存|同步)|测试(?:全部)?通过
    |(?:记录|写入|更新|保存|同步|添加|存入|沉淀|固化)[到至在进了].{0,24}(?:\.md|\.json|记忆|MEMORY)
    |完成(?:[（(][^（）()]*[)）])?$|不可用$|超时$|保持不变|无(?:新增|任何)?(?:变更|变化)
    |\b(?:unchanged|needs?\ to\ (?:clarify|confirm|be\ clarified))\b|待(?:确认|澄清)""",
    re.IGNORECASE | re.VERBOSE,
)
_ROLE = compile_pattern(r"\W*(?:user|assistant|human)\s*[:：]|.*untrusted metadata", re.IGNORECASE)
_EDITED = compile_pattern(r"[^`\n]{1,200}: edited (?:`[^`\n]*`(?:, )?)+$")
"""The journal's notes of which files were edited (spec 002)."""
_MEANT = frozenset({"fact", "pref", "decision", "rule", "lesson", "skill"})
_TURNS = 3
_CELLS = 2
"""So many marks between cells are a row of a day's table."""
_REPORT = compile_pattern(r"[日周月]报|简报|行情|\b(?:daily|weekly|market) report\b", re.IGNORECASE)
"""A heading below which stands what was seen elsewhere that day."""
_SENTENCE = 4
_TELLING = compile_pattern(r"[^\W_]{5}|[\u2e80-\U0010ffff]{2}")
"""What weighs enough by itself to mean something: most texts begin with it."""
_DIARY = compile_pattern(
    r"memor|daily|dail(?:y|ies)|journal|diar|\blogs?\b|notes?|days?|session|记忆|日记|日志|日報|笔记",
    re.IGNORECASE,
)
"""How directories of days are called."""
_DATED = compile_pattern(r"\d{4}-?\d\d-?\d\d")
_TOPIC = compile_pattern(r"[^\W\d_]{4}|[\u2e80-\U0010ffff]{2}")
_POINTING = compile_pattern(r"\W*(?:(?:this|that|these|those|it)\b|[这那此]不?[是个些])", re.IGNORECASE)
_LISTING = compile_pattern(r"\n\s*(?:[-*+•]|\d+[.)、])\s|(?:\n.*){4}")
_NAMED, _ITSELF = 8.0, 20.0
"""What a heading weighs that names a subject, and what a line weighs that tells its own."""
_LONG = 72
"""Characters of a line that weighs as much in any script."""
_NEARLY = 0.55
"""Likeness to what is kept from which a line of a diary adds nothing to it."""
_AGAIN, _DOUBT = 2, 0.5
"""Days, or sessions, on which a fact was said for that to be a reason, and the confidence that it needs even so."""
_GONE = {
    Status.DELETED: "deleted",
    Status.SUPERSEDED: "superseded",
    Status.ARCHIVED: "archived",
    Status.EXPIRED: "expired",
    Status.CANDIDATE: "not yet released by its own home",
}


class ChosenFact(NamedTuple):
    """A fact for core memory, with every time it was said."""

    text: str
    said: tuple[Memory, ...]
    """Newest first."""
    days: int
    """On how many different days."""
    type: str
    """W, B or O."""
    place: Belongs
    confidence: float
    near: tuple[tuple[int, Likeness], ...]
    """What core memory says that is alike, nearest first: numbers in `existing`."""
    parts: tuple[tuple[str, str], ...]
    """Why: name and value."""

    @property
    def fact(self) -> Memory:
        """As it was said last."""
        return self.said[0]


class UnchosenFact(NamedTuple):
    """A fact that was not chosen, and why."""

    fact: Memory
    reason: str


class Selection(NamedTuple):
    """Every fact is in just one of them."""

    chosen: tuple[ChosenFact, ...]
    refused: tuple[UnchosenFact, ...]


def select(
    facts: Sequence[Memory],
    existing: Sequence[Memory],
    config: DistillConfig,
    now: float,
    *,
    known: Kin | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    settled: Callable[[Memory], str] = lambda _fact: "",
) -> Selection:
    """What of the facts to propose, given what core memory says already.

    `known` is `existing` ready to be compared, `groups` the facts that say the same, by their numbers: both are worked
    out where they are not given. `settled` says of a fact why a person wants it no more, or nothing.
    """
    known = (
        Kin([memory.text for memory in existing], [memory.entities for memory in existing]) if known is None else known
    )
    groups = Kin(strip_summary_label(fact) for fact in facts).groups() if groups is None else groups
    refused: list[UnchosenFact] = []
    passed: list[ChosenFact] = []
    talk = find_transcripts(facts)
    current = {id(fact) for fact in select_visible_facts(facts, now)}
    for group in groups:
        standing: list[Memory] = []
        for number in group:
            why = explain_unfit(facts[number], talk, now)
            if why:
                refused.append(UnchosenFact(facts[number], why))
            else:
                standing.append(facts[number])
        if not standing:
            continue
        standing.sort(key=lambda fact: -(_find_time(fact) or 0.0))
        judged = _judge_fact(standing, existing, known, config, now, current, settled)
        if isinstance(judged, str):
            refused.extend(UnchosenFact(fact, judged) for fact in standing)
        else:
            passed.append(judged)
    refused.sort(key=lambda left: left.fact.kind in _NONE)
    passed.sort(key=_rank)
    chosen, later = _bound_choice(passed, config.max_items_per_run)
    return Selection(chosen, (*later, *refused))


def _bound_choice(passed: list[ChosenFact], limit: int) -> tuple[tuple[ChosenFact, ...], list[UnchosenFact]]:
    """The first ones, none of which is part of another; and why the rest waits."""
    chosen: list[ChosenFact] = []
    left: list[UnchosenFact] = []
    turn = _n("waits its turn: {count} at a time", "waits its turn: {count} at a time", limit)
    for one in passed:
        if len(chosen) == limit:
            left.extend(UnchosenFact(fact, turn) for fact in one.said)
            continue
        alike = (other for other in chosen if _overlap(one.text, other.text))
        twin = next(alike, None)
        if twin is None:
            chosen.append(one)
            continue
        why = _("like {place}, which is proposed").format(place=f"{twin.fact.path}:{twin.fact.start}")
        left.extend(UnchosenFact(fact, why) for fact in one.said)
    return tuple(chosen), left


def _overlap(one: str, two: str) -> bool:
    how = compare_shapes(make_shape(one), make_shape(two))
    return how is not None and how.kind in {"exact", "same", "inside", "around"}


def explain_unfit(fact: Memory, talk: frozenset[str], now: float) -> str:
    """Why a fact is none that lasts, whatever else was said; empty: it may well be. `talk`: see `find_transcripts`."""
    return _explain_unfit(fact, now) or _explain_unstated(fact, talk)


def _explain_unfit(fact: Memory, now: float) -> str:
    """Why this one saying is no fact that lasts, whatever else was said."""
    if fact.kind in _NONE:
        return _("no fact: {kind}").format(kind=fact.kind)
    if classify_memory(fact.kind, fact.extra.get("memory_type")) == "S":
        return _("a stage summary, no fact")
    gone = _GONE.get(fact.status)
    if gone:
        return _(gone)
    if fact.layer is Layer.KNOWLEDGE and not fact.path.endswith(".jsonl"):
        # What stands in facts.json, or is a row of a database, is kept where it belongs (spec 004).
        return _("knowledge already, no journal")
    text = strip_summary_label(fact)
    if len(_FIELDS.findall(fact.text)) > 1 and not fact.confidence:
        return _("fields of a form, no fact")
    if fact.kind in {"note", "event"} and (_FIELD.match(fact.text) or _EDITED.match(text)):
        return _("a line of a log, no fact")
    if len(text) > LONGEST:
        return _("{number:,} characters: too long for one fact").format(number=len(text))
    if not _TELLING.search(text) and weigh_text(normalize_text(text)) < 2:
        return _("too short to mean anything by itself")
    return explain_passing(fact, text, now)


def find_transcripts(facts: Sequence[Memory]) -> frozenset[str]:
    """Files that hold what was said word by word: none of their lines was written to be remembered."""
    turns = Counter(fact.path for fact in facts if fact.layer is Layer.JOURNAL and _ROLE.match(fact.text))
    return frozenset(path for path, count in turns.items() if count >= _TURNS)


def _explain_unstated(fact: Memory, talk: frozenset[str]) -> str:
    """Why a line of a diary is no fact, where nobody said that it is one: most tell what happened."""
    if fact.layer is not Layer.JOURNAL or fact.confidence is not None or "memory_type" in fact.extra:
        return ""
    if fact.path in talk:
        return _("a line of a conversation")
    if _is_topical(fact.path):
        return _("in a document of its own topic")
    text = strip_summary_label(fact)
    # Most lines say nothing of the kind, which is seen before they are read closely.
    if not _LASTS.search(text) and not _is_meant(fact, text):
        return _("nothing says that it lasts")
    if (
        (not _is_called(fact) and weigh_text(normalize_text(text)) < _SENTENCE + 1)
        or _FRAGMENT.search(text)
        or (len(text) < len(fact.text.strip()) and _FRAGMENT.search(fact.text))
        or (text.count(" · ") >= _CELLS and not _is_called(fact))
    ):
        return _("a part of something else, no fact by itself")
    if any(map(_REPORT.search, fact.heading[1:])):
        return _("in a document of its own topic")
    if _DONE.search(text) or _DONE.match(LABEL.sub("", text, count=1)):
        return _("what was done, no fact")
    if _lacks_subject(fact, text):
        return _("only its heading tells what it is about")
    return ""


def _is_called(fact: Memory) -> bool:
    """Whether its own line calls it a fact: '[pref] 输出精简'."""
    return fact.kind in _MEANT and fact.kind not in map(kinds.infer_heading_kind, fact.heading)


def _is_meant(fact: Memory, text: str) -> bool:
    """Whether somebody called it a fact: its own line does, or its heading, where it tells how things are."""
    if _is_called(fact):
        return True
    # A heading calls all that stands below it so: what is no sentence is a label, or an item of a list. How things
    # are is in every line of a diary: where nothing calls it a fact, it is what was seen that day.
    named = fact.kind in _MEANT - {"skill"} and fact.kind in {
        kinds.match_exact_kind(name)
        for heading in fact.heading[-1:]
        for name in (heading, *_list_heading_ends(heading))
    }
    written = not fact.path.endswith(".md") or _REGULAR.search(text) is not None
    ruled = named and fact.kind in {"pref", "rule"}
    if LABEL.match(text) or not (ruled or ((named or written) and _HOLDS.search(text))):
        return False
    return weigh_text(normalize_text(text)) >= (1 if fact.kind == "pref" else 2) * _SENTENCE


def _is_topical(path: str) -> bool:
    """Whether a day's note has a topic in its name, or stands among reports: it is kept as a document, and read as
    one."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0]
    own = next((folder for folder in reversed(folders) if _TOPIC.search(folder)), "")
    if own and not _DIARY.search(own):
        return True
    if _DATED.search(stem) is None:
        return _TOPIC.search(stem) is not None and not _DIARY.search(stem)
    return _TOPIC.search(_DATED.sub("", stem)) is not None


def _lacks_subject(fact: Memory, text: str) -> bool:
    """Whether a line of a diary cannot stand elsewhere: it leads a list, or leaves to its heading what it speaks of."""
    if _POINTING.match(text) or _BODILESS.match(text) or ("\n" in text and _LISTING.search(text)):
        return True
    if fact.last - fact.start > fact.text.count("\n"):
        return True
    heading = fact.heading[-1] if fact.heading else ""
    if (
        not heading
        or len(text) > _LONG
        or kinds.match_exact_kind(heading)
        or weigh_text(normalize_text(text)) >= _ITSELF
    ):
        return False
    return weigh_text(normalize_text(heading)) > _NAMED and extract_terms(heading).isdisjoint(extract_terms(text))


def _list_heading_ends(heading: str) -> tuple[str, ...]:
    """What a heading is about in the end: 'Calendar rules', '部署规则'."""
    return (heading.rpartition(" ")[2], heading[-4:], heading[-2:])


def _judge_fact(
    said: list[Memory],
    existing: Sequence[Memory],
    known: Kin,
    config: DistillConfig,
    now: float,
    current: set[int],
    settled: Callable[[Memory], str],
) -> ChosenFact | str:
    fact, text = said[0], strip_summary_label(said[0])
    often = len({clock.format_day(when) for when in map(_find_time, said) if when is not None}) or 1
    sure, stated = _compute_confidence(said, often)
    if sure < config.min_confidence and not (sure >= _DOUBT and _is_said_again(said, often)):
        note = "" if stated else _(" (none is stated)")
        return _("confidence {value} < {least}").format(value=_share(sure), least=_share(config.min_confidence)) + note
    first = min((when for when in map(_find_time, said) if when is not None), default=None)
    if first is None:
        return _("nobody knows how old it is")
    age = max(0.0, now - first) / DAY
    if age < config.min_age_days:
        return _("{age:.1f} days old < {least:g}").format(age=age, least=config.min_age_days)
    entities = tuple(dict.fromkeys(chain.from_iterable(other.entities for other in said)))
    alike = known.like(text, entities)
    # A diary repeats what is kept in words of its own.
    near = _NEARLY if fact.layer is Layer.JOURNAL and not stated else 1.1
    for number, how in alike:
        if how.score >= near:
            where = f"{existing[number].path}:{existing[number].start}"
            return _("like {place}").format(place=where) + f" ({_share(how.score)})"
        # The same entities are the same thing in core memory (spec 004); in a profile or a document they are a topic.
        if how.covers and (how.kind != "entities" or existing[number].layer is Layer.CORE):
            where = f"{existing[number].path}:{existing[number].start}"
            told = {"exact": "", "entities": _(" (its entities {share})")}.get(how.kind, " ({share})")
            return _("like {place}").format(place=where) + told.format(share=_share(how.score))
    done = next(filter(None, map(settled, said)), "")
    if done:
        return done
    sort = classify_memory(fact.kind, fact.extra.get("memory_type"))
    place = place_fact(text, fact.kind, sort, config.keywords_rules)
    unseen = [other for other in said if id(other) in current]
    parts = (
        ("type", {"O": "opinion", "B": "biography"}.get(sort, "world")),
        ("confidence", _share(sure) + ("" if stated else _(" (default)"))),
        ("said", _n("on {count} day", "on {count} days", often)),
        ("age", _("{age:.0f} d ≥ {least:g}").format(age=age, least=config.min_age_days)),
        *([("keyword", place.word)] if place.word else []),
        (
            "journal",
            _("still loaded by agents")
            if unseen
            else _("{age} days old, no longer loaded by agents").format(
                age=count_midnights(_find_time(fact) or 0, now)
            ),
        ),
    )
    return ChosenFact(text, tuple(said), often, sort, place, sure, tuple(alike), parts)


def _is_said_again(said: Sequence[Memory], often: int) -> bool:
    """Spec 004: what was said again is worth keeping for that alone, but for what its own writer rather doubts."""
    return max(often, len({other.session for other in said if other.session})) >= _AGAIN


def _compute_confidence(said: Sequence[Memory], often: int) -> tuple[float, bool]:
    stated = [fact.confidence for fact in said if fact.confidence is not None]
    if stated:
        return min(1.0, max(stated)), True
    if any("memory_type" in fact.extra for fact in said):
        return 0.0, False
    taken = max(_TAKEN.get(fact.kind, 0.85) for fact in said)
    return min(0.95, taken + 0.05 * (often - 1)), False


def _find_time(fact: Memory) -> float | None:
    return fact.created if fact.created is not None else fact.modified


def _rank(chosen: ChosenFact) -> tuple[object, ...]:
    when = _find_time(chosen.fact) or 0.0
    return (
        chosen.type != "O",
        -chosen.confidence,
        not _LASTS.search(chosen.text),
        chosen.place.kind != "rule",
        -chosen.days,
        -when,
        chosen.text,
    )


def _share(value: float) -> str:
    """.85, as the interface writes shares."""
    return "1.0" if value >= 0.995 else f"{max(value, 0.0):.2f}".removeprefix("0")
