"""What the clauses of a memory settle of something: a setting's value, or a state. Pure.

How often something runs, at which hour, how many there are of it in a day or month, what it may come to at most, which
model answers, whether it is there at all or what is always done. What was counted, spent or noted as a day's result
settles nothing, nor does what is only thought of.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.core.text import HAN
from memtui.language.claims import weigh_words
from memtui.language.similarity import extract_terms
from memtui.language.statements import read_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

IS = frozenset({"on", "rule"})
"""Kinds of what is there, or always done."""
STATES = frozenset({"off", *IS})
HOURS = frozenset({"hour", "weekly hour"})

_CLAUSE = 170
"""Characters of a clause beyond which it tells of more than one thing."""
_CUT = compile_pattern(r"[。；;!！\n]|[.!?](?= )|(?<=[\u3400-\u9fff]{3})[，,](?=[\u3400-\u9fff])")
_WRAPPED = compile_pattern(r"(?<=[\w,])\n(?=[a-z]+ )")
_GOES_ON = compile_pattern(
    r"(?<= )(?P<last>when|if|where|that|which|and|or|of|to|the|an?|with|for|in|on|by|is|are|be|as|from|not|than|until"
    r"|unless|while)\n(?=\w)"
)
"""Where a sentence goes on in the next line."""
_ASIDE = compile_pattern(
    r"~~[^~\n]*~~|<!--.*?-->|[\"“][^\"“”\n]{24,}[\"”]|https?://\S+|\b20\d\d-\d\d(?:-\d\d)?(?:[ T]\d\d:\d\d(?::\d\d)?)?"
)
"""What is struck out or says when something was noted."""
_SPENT = compile_pattern(
    r"消耗|花费|成果|已用|余额|共计|合计|累计|粉丝|浏览|播放|涨|跌|耗时|用时|平均|实测|约为|\b(?:spent|used|cost(?:s|ed|ing)?|balance|took"
    r"|average[ds]?|followers?|views?|earned|lost|gained|remaining|total(?:ly)?|estimated|projected"
    r"|so far|today"
    r"|yesterday)\b|今日|昨日|当日|本日",
    re.IGNORECASE,
)
"""What was counted or measured: another day, another number."""
_PERHAPS = compile_pattern(
    r"(?:建议|询问|考虑|可以改|也许|可能|计划|打算|如果|例如|比如|待定|目标|[?？]|\b(?:could|would|might|maybe|suggest\w*|consider\w*"
    r"|propos\w+"
    r"|plan(?:s|ned)? to|target(?:s|ed)?|goal|e\.g\.|example|if|option(?:al)?|instead of|rather than)\b)",
    re.IGNORECASE,
)
"""What is only thought of, or wished."""
_SECONDS = {
    "s": 1, "sec": 1, "second": 1, "秒": 1, "m": 60, "min": 60, "minute": 60, "分钟": 60, "分": 60, "h": 3600,
    "hr": 3600, "hour": 3600, "小时": 3600, "day": 86400, "天": 86400, "日": 86400, "week": 604800, "周": 604800,
    "month": 2592000, "月": 2592000,
}  # fmt: skip
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?)(?![a-z])|秒|分钟|小时|天|周|月"
_MOST = r"(?:\s*[-–~至到]\s*(?P<most>\d+(?:\.\d+)?))?"
_ONE = rf"(?P<many>\d+(?:\.\d+)?){_MOST}"
_MANY = rf"(?P<many>\d+(?:\.\d+)?)?{_MOST}"
_RHYTHM = tuple(
    compile_pattern(said, re.IGNORECASE)
    for said in (
        rf"(?:\b(?:every|each|once (?:every|an?|per))|每隔?)\s*{_MANY}\s*个?(?P<unit>{_UNIT})(?:[一1]?次)?(?![度内])",
        rf"(?:\b(?:intervals?|cadence)\b|间隔|频率)\W{{0,6}}(?:of )?{_MANY}\s*个?(?P<unit>{_UNIT})",
        r"\b(?P<word>hourly)\b",
    )
)
_CLOCK = compile_pattern(
    r"(?P<half>上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|晚间|夜里|夜间|[早晚])?\s*(?<![\d:.])(?P<hour>[01]?\d|2[0-3])"
    r"(?:[:：](?P<minute>[0-5]\d)(?![\d:])|\s*[点點](?P<thirty>半)?)\s*(?P<noon>[ap]\.?m\b)?"
    r"|(?<![\d:.])(?P<twelve>1[0-2]|[1-9])\s?(?P<halves>[ap]m)\b",
    re.IGNORECASE,
)
_DAILY = compile_pattern(
    r"每[天日晚早]|每个?(?:早上|晚上|上午|下午)|每(?:周|星期|礼拜)[一二三四五六日天]"
    r"|\b(?:every (?:day|morning|evening|night|\w+day)|daily"
    r"|nightly|each (?:day|morning|evening|night))\b",
    re.IGNORECASE,
)
_WEEKLY = compile_pattern(
    r"每(?:周|星期|礼拜)[一二三四五六日天]|\bevery (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_PERIOD = r"(?P<period>day|week|month|hour|天|日|周|月|小时)"
_NOUN = (
    r"posts?|tweets?|articles?|videos?|emails?|messages?|requests?|calls?|threads?|items?|blogs?|leads?"
    r"|reports?|trades?"
    r"|[条篇次个份封]"
)
_RATE = tuple(
    compile_pattern(said, re.IGNORECASE)
    for said in (
        rf"(?<![\w.$¥￥]){_ONE}\+?\s*(?P<what>{_NOUN})\s*(?:/|per |an? |each |every |每)\s*{_PERIOD}(?![a-z])",
        rf"\b(?P<what>{_NOUN})\s?(?:/|per )\s?{_PERIOD}\W{{1,6}}{_ONE}(?![\d%])",
        rf"每{_PERIOD}\s*(?:发布?|推送|生成|写|更新|提供)?\s*{_ONE}\s*(?P<what>[条篇次个份封])",
        rf"(?P<what>[$¥￥€])\s?{_ONE}\s*(?:/|per |an? |每)\s*{_PERIOD}(?![a-z])",
        rf"(?:\b(?:monthly budget|budget per month)|(?P<period>月)[度均]?预算)\W{{0,6}}(?P<what>[$¥￥€])\s?{_ONE}",
    )
)
_LIMIT = compile_pattern(
    r"(?:\b(?:max(?:imum)?|at most|up to|no more than|limit(?: of| is)?|never exceed|over|threshold)\b"
    r"|最[多大长]|上限|不超过|超过|限制)"
    r"(?P<of>[^\d\n，。,;；|]{0,32}?)(?P<sign>[$¥￥€])?(?P<many>\d+(?:\.\d+)?)(?!\s*[-–~至到]?\s*\d)\s*(?P<unit>"
    rf"{_UNIT}|字符|[字词条个轮次行%]|positions?|trades?|words?|chars?|characters?|lines?|tokens?|posts?|retries)?",
    re.IGNORECASE,
)
_WITHIN = compile_pattern(r"(?P<many>\d+)(?:\s*[-–~至]\s*(?P<most>\d+))?\s*(?P<unit>[字词])(?:以内|左右|之间)?")
_MODEL = compile_pattern(
    r"(?<![\w/.-])(?:[\w.-]+/)*(?P<name>(?:gpt|claude|opus|sonnet|haiku|gemini|gemma|minimax|qwen|glm"
    r"|kimi|moonshot|deepseek"
    r"|llama|mistral|mixtral|grok|codex)(?:[ -]?(?:k|m|v|r)?\d[\w.]*)?(?:[ -](?:flash|pro|mini|chat"
    r"|reasoner|coder|turbo"
    r"|sonnet|opus|haiku|codex)(?![a-z]))*(?:[ -]?\d[\w.]*)?)(?![\w/]|[-.]\w)",
    re.IGNORECASE,
)
_ASIDE_MODEL = compile_pattern(
    r"\b(?:fallback|backup|second(?:ary)?|alternative|aux\w*|embeddings?|rerank\w*|vision|ocr|tts|whisper)\b"
    r"|备用|备选|兜底|次选|降级|嵌入|向量|识图|语音",
    re.IGNORECASE,
)
_ANSWERS = compile_pattern(
    r"\b(?:primary|default|main|current) model\b|\b(?:only|exclusively) (?!for\b)"
    r"|(?<![\w-])model\W{0,4}[:：=]\W{0,4}(?=[\w`*])"
    r"|主用|主模型|默认模型|主力|当前模型"
    r"|模型\W{1,4}(?=[\w`*])|使用.{0,24}模型|\bswitched\b.{0,40}\bto\b|切换[到为至]|[换改](?:成|为|用)",
    re.IGNORECASE,
)
_SWITCHED = compile_pattern(
    r"(?:\bfrom\b|[从從])(?P<old>.{2,48}?)(?:\bto\b|切换[到为至]|[换改升]级?[到成为至用]|→|->)", re.IGNORECASE
)
_OFF = compile_pattern(
    r"(?<![未不没/、“「])(?:已(?:经)?(?:取消|停用|暂停|移除|删除|废弃|弃用|下线|关闭|禁用|失效)"
    r"|不再(?:需要|使用)?|不需要再|不用再|不必再"
    r"|无需再|(?<!或)取消(?![订或后时]))(?![/、”」])|(?<![/|`])\b(?:no longer|disabled|removed|retired|deprecated"
    r"|cancell?ed|abandoned|discontinued|turned off|switched off|shut down)\b(?![/|])",
    re.IGNORECASE,
)
_ON = compile_pattern(
    r"✅(?!\s*[无不没否])|(?<![未不没])(?:运行中|正常运行|运行正常|已启用|已开启|已上线|启用|正在运行)"
    r"|\b(?:is |are |now )(?:running|enabled|active|live)\b|\b(?:running|enabled|active|live)\b"
    r"(?! (?!(?:on|in|at|and|with|as|for|every|each|from|since|now|again|daily|hourly|via|under|until)\b)[a-z])"
    r"|\b(?:operational|complete[d]?|up and running|continues?)\b",
    re.IGNORECASE,
)
_TAKEN_OUT = compile_pattern(r"removed\b.{1,60}\bfrom\b", re.IGNORECASE)
"""What was taken out of something: it is itself still there."""
_WHICH = compile_pattern(
    r"[\s>*`+•-]*已(?:经)?[\u3400-\u9fff]{2}[^，,：:。\s]{1,12}?(?:在|时|仍|会|不|可|的|需|应|也|均|都)"
)
"""What is disabled, where it is told what becomes of it: '已禁用渠道仍保持 …'."""
_RULE = compile_pattern(
    r"每(?:次|条|个|轮|篇)|必须|必需|务必|一律|都要?|始终|总是|须|默认"
    r"|\b(?:always|must|every|each|never forget to|(?<!off )(?<!disabled )by default)\b",
    re.IGNORECASE,
)
_LABEL = compile_pattern(r"^[\s>*_#\d.)（(✅❌🔴🟢⏸️-]*(?:\*\*)?(?P<label>[^:：`\n|]{2,32}?)(?:\*\*)?\s*[:：]")
_WORDS = compile_pattern(
    r"硬性规则|硬规则|硬性|自动|执行|任务|定时|配置|设置|触发|条件|频率|时间|说明|状态|系统|用户|要求|规则|新增|调整|当前|现在|以后|之后|今后|默认|使用|进行|改到|改为|准时|发送"
    r"|运行|正常|完成|开始|生成|报告|推送|检查|监控|每[天日次条个晚早周月年]|早上|晚上|上午|下午|晚间|凌晨|本条起|以内|左右|之间|阈值|距离|上次|时长|每次|已经?|不再"
    r"|不需要再?|不用再?|需要|取消|停用|暂停|移除"
    r"|废弃|弃用|下线|失效|启用"
)
"""What stands beside a setting in any sentence and names nothing."""
_ANY_UPDATE = frozenset({"更新"})
_PLAIN = frozenset({
    "every", "hour", "day", "minut", "week", "month", "morn", "night", "cron", "config", "run", "schedul",
    "interval", "auto", "automatic", "automat", "automatical", "enabl", "disabl", "statu", "status", "system", "user",
    "default", "time", "per", "max", "min", "limit", "exactly", "only", "now", "not", "complet", "active",
    "remov", "post", "new", "work", "task", "job", "set", "at", "am", "pm", "until", "between", "daily",
    "after", "before", "current", "rule", "total", "most", "up", "more", "than", "never", "verify",
    "monitor", "updat", "push", "creat", "report", "exceed", "under", "any", "primary", "model", "switch",
    "pst", "pdt", "est", "edt", "cst", "utc", "gmt", "cet", "cest", "ist", "jst",
    "activ", "start", "send", "check", "summary", "summari", "end", "live", "move", "ok", "done", "yes", "no",
})  # fmt: skip


_BUDGET = compile_pattern(r"预算|budget", re.IGNORECASE)
_NUMBER = compile_pattern(r"(?<![a-z0-9_.:])\d{1,6}(?![\w:%]|\.\d)", re.IGNORECASE)
_NAMES_IT = compile_pattern(r"(?:的|[\u3400-\u9fff]{2,8}\W{0,3}[:：])")
"""What stands right behind a rhythm that tells things apart by it: '每周汇总:' beside '每天汇总:'."""
_LISTED = 3
"""So many marks of a list, and the rhythm of a clause is that of one of its items."""
_UNNAMED = compile_pattern(r"[^a-z0-9.]|[mv](?=\d)")
"""What two spellings of one model's name differ in: 'MiniMax 2.1', 'minimax-m2.1'."""
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"))
_SEVERAL = compile_pattern(r"\W*(?:models|可用模型|支持的?模型)\W", re.IGNORECASE)
_FORBIDS = compile_pattern(
    r"\b(?:do not|don't|never|when|once|until|unless|not)\b|不要|不得|禁止|当|直到|除非", re.IGNORECASE
)
"""What stands before something that is over only in a rule or on a condition."""
_RAN = compile_pattern(r"\W*(?:完成|执行完|已执行|done\b|completed|finished|ran\b)", re.IGNORECASE)
"""What stands behind an hour at which something was done."""
_DENIED = compile_pattern(r"不|无|no longer", re.IGNORECASE)
_ENOUGH = 4.0
"""What the words weigh by which something is known that is no longer done, whoever does not do it any more."""
_TAIL = compile_pattern(r"\s[—–-]\s|[,，:：(（]")
_BRACKETS = compile_pattern(r"[（(][^（()）\n]*[)）]")
_PARTS = compile_pattern(r"[,，;；+|（(]| and |和|、| / ")
_HAN = compile_pattern(f"[{HAN}]{{2}}")
_LATE = frozenset({"下午", "傍晚", "晚上", "晚间", "夜里", "夜间", "晚"})
_HINTS = (
    "every", "each", "hourly", "interval", "cadence", "/day", "/week", "/month", "/天", "/日", "/周", "/月",
    "per ", "max", "limit", "at most", "up to", "more than", "exceed", "over ", "threshold", "budget",
    "model", "primary", "switched", "longer", "abled", "removed", "retired", "deprecated", "cancel",
    "abandoned", "discontinued", "turned off", "shut down", "dropped", "paused", "moved",
    "running", "active", "live", "complete", "operational", "continue", "always",
    "must", "default", "daily", "nightly", "每", "间隔", "频率", "最", "上限", "超过", "限制", "以内", "字",
    "词", "预算", "模型", "切换", "取消", "停用", "暂停", "不再", "需要再", "不用再", "必再", "移除",
    "删除", "废弃", "弃用", "下线", "关闭", "禁用", "失效", "✅", "运行", "启用", "上线", "必", "始终",
    "总是", "默认", "一律", "主用", "主力", "都", "须",
)  # fmt: skip
"""What no stance can do without: most lines have none of it."""


class Stance(NamedTuple):
    """What a clause settles of something."""

    kind: str
    """Of which sort, and of what unit: only the same are compared."""
    least: float
    most: float
    name: str
    """The value, where it is no number."""
    raw: str
    """The value as it stands."""
    about: frozenset[str]
    """The words of the thing."""
    anchors: frozenset[str]
    """What of these stands together in the text: two characters, a Latin word."""
    numbers: frozenset[str]
    """Numbers beside the value: they are of names."""


@lru_cache(maxsize=1 << 13)
def name_thing(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that a text calls something by, and those of them that stand together."""
    bare = _WORDS.sub(" ", text)
    words = frozenset(
        word
        for word in read_sentence(bare).words
        if word[0] != "#" and word not in _PLAIN and (len(word) > 1 or word > "\u2e80")
    )
    terms = frozenset(
        term
        for term in extract_terms(bare)
        if term not in _PLAIN
        and not term.isdigit()
        and (_HAN.fullmatch(term) or (term[0] < "\u2e80" and len(term) > 2))
    )
    # That something is brought up to date is said of anything: its heading has to say of what.
    return (words, terms) if terms != _ANY_UPDATE else (frozenset(), frozenset())


@lru_cache(maxsize=1 << 13)
def find_stances(text: str) -> tuple[Stance, ...]:
    """What the clauses of a text settle."""
    low = text.casefold()
    if not any(map(low.__contains__, _HINTS)):
        return ()
    found: list[Stance] = []
    whole = _WRAPPED.sub(" ", _GOES_ON.sub(r"\g<last> ", _ASIDE.sub(" ", text)))
    label = _LABEL.match(whole)
    lead = label["label"] if label is not None else ""
    at = 0
    for clause in _CUT.split(whole):
        start = whole.find(clause, at)
        at = max(start, 0) + len(clause)
        if 1 < len(clause.strip()) <= _CLAUSE and not _PERHAPS.search(clause):
            found += _read_clause(clause, lead if lead not in clause else "")
    return tuple(found)


def _read_clause(clause: str, lead: str) -> Iterator[Stance]:
    """What one clause settles; `lead` is the label before it."""
    if not _SPENT.search(clause) and not _SPENT.search(lead):
        for kind, match, least, most in _list_values(clause):
            if _is_quoted(clause[: match.start()]):
                continue
            if kind in HOURS and _RAN.match(clause, match.end()):
                continue
            within = match.groupdict().get("of") or (_BUDGET.search(match[0]) and "budget") or ""
            rest = strip_brackets(f"{lead} {clause[: match.start()]} {within} {clause[match.end() :]}")
            yield make_stance(kind, match[0], rest, least, most)
            if kind == "rhythm" or kind in HOURS:
                yield make_stance("on", match[0], rest, name="rhythm" if kind == "rhythm" else "hour")
        yield from _read_model(clause, lead)
    off, on, rule = (pattern.search(clause) for pattern in (_OFF, _ON, _RULE))
    if (
        off is not None
        and (
            clause.count("/") > 1  # The states that something may have.
            or _FORBIDS.search(clause[: off.start()])
            or _WHICH.match(clause)
            or _TAKEN_OUT.match(clause, off.start())
        )
    ):
        return
    if off is not None:
        yield make_stance("off", off[0], f"{lead} {strip_brackets(_OFF.sub(' ', _say_off(clause, off)))}")
    elif on is not None:
        yield make_stance("on", on[0], f"{lead} {_ON.sub(' ', clause)}")
    elif rule is not None:
        yield make_stance("rule", rule[0], f"{lead} {_RULE.sub(' ', clause)}")


def _is_quoted(before: str) -> bool:
    """Whether a quote is open at the end of a text: what stands in it is somebody's words, or a name."""
    return before.count('"') % 2 == 1 or any(before.count(one) > before.count(end) for one, end in _QUOTES)


def strip_brackets(text: str) -> str:
    """A text without what it says in brackets."""
    return _BRACKETS.sub(" ", text)


def _say_off(clause: str, off: re.Match[str]) -> str:
    """The part of a clause that says what is over: before a state, on both sides of a verb that is denied."""
    tail = _TAIL.search(clause, off.end())
    said = clause[: tail.start()] if tail is not None else clause
    if _DENIED.match(off[0]):
        rest = clause[off.end() : tail.start() if tail is not None else len(clause)]
        return rest if weigh_words(list(name_thing(rest)[0])) >= _ENOUGH else said
    before = clause[: off.start()]
    *_others, last = _TAIL.split(before)
    if off[0].isascii() and not last.strip():
        # A verb and its object: 'sown again, removed the old labels'.
        before = last
    before = last if name_thing(last)[1] else before
    if off[0].casefold().startswith("moved"):
        # What follows is where it went.
        return before
    return (
        before
        if name_thing(before)[1]
        else clause[off.end() : tail.start() if tail is not None else len(clause)] or said
    )


def make_stance(kind: str, raw: str, rest: str, least: float = 0, most: float = 0, name: str = "") -> Stance:
    words, terms = name_thing(rest)
    numbers = frozenset(_NUMBER.findall(rest))
    return Stance(kind, least, most, name, raw.strip(" `*（(:："), words, terms, numbers)


def _read_model(clause: str, lead: str) -> Iterator[Stance]:
    """Which model answers, where a clause says that of one, and of nothing else."""
    said = f"{lead}: {clause}" if lead else clause
    if not _ANSWERS.search(said) or _SEVERAL.match(said):
        return
    before = _SWITCHED.search(clause)
    now = strip_brackets(clause[before.end() :] if before is not None else clause)
    found: dict[str, tuple[str, str]] = {}
    for part in _PARTS.split(now):
        if not _ASIDE_MODEL.search(part):
            for match in _MODEL.finditer(part):
                found.setdefault(_normalize_model_name(match["name"]), (match["name"], part))
    # 'minimax' beside 'minimax-m2.1' is the same, less exactly said.
    named = [name for name in found if not any(name != other and other.startswith(name) for other in found)]
    if len(named) == 1:
        (name,) = named
        raw, part = found[name]
        yield make_stance("model", raw, _ANSWERS.sub(" ", _MODEL.sub(" ", f"{lead} {part}")), name=name)


@lru_cache(maxsize=1 << 12)
def find_left_model(text: str) -> str:
    """The model from which a text tells that somebody switched; empty: it tells of none."""
    before = _SWITCHED.search(text)
    found = _MODEL.search(before["old"]) if before is not None else None
    return _normalize_model_name(found["name"]) if found is not None else ""


def _normalize_model_name(name: str) -> str:
    """A model's name, however it is spelled."""
    low = name.casefold()
    return _UNNAMED.sub("", low).strip(".")


def _list_values(clause: str) -> Iterator[tuple[str, re.Match[str], float, float]]:
    """The values of a clause: one of each sort, or none of it."""
    if clause.count("、") >= _LISTED:
        return
    rhythms = [
        match
        for pattern in _RHYTHM
        for match in pattern.finditer(clause)
        if match.groupdict().get("many") or not _NAMES_IT.match(clause, match.end())
    ]
    clocks = list(_CLOCK.finditer(clause))
    if len(rhythms) == 1 and (rhythms[0].groupdict().get("many") or not clocks):
        (match,) = rhythms
        told = match.groupdict()
        unit = _SECONDS[_singularize(told.get("unit") or "hour")]
        least = float(told.get("many") or 1) * unit
        yield "rhythm", match, least, float(told.get("most") or 0) * unit or least
    if len(clocks) == 1 and _DAILY.search(clause):
        minute = _compute_minute(clocks[0])
        # What is done on one day of the week is not what is done every day.
        yield "weekly hour" if _WEEKLY.search(clause) else "hour", clocks[0], minute, minute
    rates = [match for pattern in _RATE for match in pattern.finditer(clause)]
    if len(rates) == 1:
        (match,) = rates
        period = _singularize(match["period"] or "month")
        least = float(match["many"])
        yield (
            f"rate:{_singularize(match['what'])}:{_SECONDS[period]}", match, least, float(match["most"] or least),
        )  # fmt: skip
    spans = list(_WITHIN.finditer(clause))
    if len(spans) == 1:
        least = float(spans[0]["many"])
        yield (
            f"size:{spans[0]['unit']}",
            spans[0],
            0 if "以内" in spans[0][0] else least,
            float(spans[0]["most"] or least),
        )
    limits = list(_LIMIT.finditer(clause))
    if len(limits) == 1 and (limits[0]["unit"] or limits[0]["sign"]):
        (match,) = limits
        sized: str = match["sign"] or _singularize(match["unit"])
        least = float(match["many"]) * _SECONDS.get(sized, 1)
        yield f"limit:{'time' if sized in _SECONDS else sized}", match, least, least


def _singularize(word: str) -> str:
    """A unit or what is counted, of one."""
    low = word.casefold()
    return low.removesuffix("s") if len(low) > 1 else low


def _compute_minute(match: re.Match[str]) -> float:
    """The minute of the day."""
    hour = int(match["hour"] or match["twelve"])
    minute = int(match["minute"] or (30 if match["thirty"] else 0))
    late = (match["noon"] or match["halves"] or "").casefold().startswith("p") or (match["half"] or "") in _LATE
    return (hour + 12 if late and hour < 12 else hour) * 60 + minute
