"""Which value a sentence gives to what, in Chinese and English: 'X is stored in Y', 'X 采用 Y', 'the limit is 5 MB'.

First the patterns, as data. Their groups: `subject` has the `value`; `done` and `how` are what is done with it
('built', 'with'); `tail` is what for; `many` marks words that may give several values at once ('uses').

Then `find_claims`. A claim can be contradicted only where one value at a time holds: a number with its unit, a
day, a path, one of several tools that do the same, or what stands after words like 'is built with', '改用',
'owner:'. What a thing can have several of ('supports', 'can edit', '支持', '可以') claims nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.core.text import HAN
from memtui.language.similarity import find_rival_class
from memtui.language.statements import Number, Said, list_orderings, read_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECE = r"(?:[^\s,，;；。:：]|(?<=\w):(?=\d))+"
_VALUE = rf"(?P<value>{_PIECE}(?: {_PIECE}){{0,4}}?)"
_THE = r"(?:the |an? )?"
_KINDS = (
    r"port|version|database|manager|framework|editor|language|address|url|domain|endpoint|path|directory|folder"
    r"|branch|format|encoding|time ?zone|unit|indent(?:ation)?|timeout|interval|limit|expiry|owner|lead|maintainer"
    r"|contact|model|theme|default|linter|formatter|orm|bus|store|queue|broker|cache|engine|provider|host|runtime"
    r"|bundler|library|compiler|platform|runner|registry|bucket|license|colou?r|name|prefix|suffix|strategy|tool"
    r"|primary key|protocol|algorithm|charset|locale|currency|retention|lifetime|ttl|budget|quota|capacity"
    r"|threshold|concurrency|rate|frequency|deadline|font|layout|extension|separator|delimiter|entry point"
    r"|image|proxy|scheduler|reviewer|approver|cluster|zone|stack"
    r"|schedule|day|time|size|length|level|mode|region|style|styling|hosting"
)
_HAN_KINDS = (
    r"端口|版本号?|数据库|管理器?|框架|编辑器|语言|地址|域名|入口|路径|目录|分支|格式|编码|时区|单位"
    r"|缩进|超时(?:时间)?|间隔|上限"
    r"|下限|有效期|过期时间|负责人|维护人|接口人|模型|主题|默认值?|队列|中心|缓存|引擎|平台|服务商"
    r"|供应商|工具|库|组件|方案|方式"
    r"|风格|协议|算法|主键|镜像|主色|币种|语种|字体|机房|区域|规范|策略|仓库|周期|时间|名称|前缀|后缀|级别|大小"
    r"|长度|字段|语法|脚手架"
    r"|中间件|网关|存储"
)
_DONE = (
    r"(?:\w+ed|(?:re)?built|found|led|taken|given|driven|chosen|drawn|laid|paid|split|shut|brought|bound|begun"
    r"|written|done|made|kept|held|sent|cut|run|read|set|drawn|sold|bought|put|stored)"
)
_KIND_OF = rf"(?P<subject>(?:.{{0,50}}[ -])?(?:{_KINDS})s?(?: (?:of|for|in) .{{2,40}}?)?)"
_ORDERS = r"write|format|indent|name|store|keep|put|deploy|host|sign|encode|save|serve|publish|push"
_BE, _USE = (" is ", " are ", " get", " was ", " were "), (" use ", " uses ", " using ")

ENGLISH = tuple(
    (hints, compile_pattern(said, re.IGNORECASE))
    for hints, said in (
        (
            _BE,
            (
                r"^(?P<subject>.{2,60}?) (?:is|are|gets?|was|were) (?:now |always |only |currently )*"
                rf"(?P<done>{_DONE})(?: now)? (?P<how>with|by|as|from|in|into|to|on|at|using|via|under|through|every) "
                rf"{_VALUE}(?P<tail> (?:for|as|in|when|during|on) .+)?$"
            ),
        ),
        (
            (" in ", " on ", " to ", " from ", " through ", " with ", " under ", " at ", " via ", " after "),
            (
                r"^(?P<subject>.{2,60}?) (?:now |always )*(?:lives?|go(?:es)?(?: out)?|comes?|runs?|listens"
                r"|deploys?|points|connects|starts|expires?|ends?|reports?|writes|logs|sits) (?:now )?"
                rf"(?P<how>in|on|to|from|through|with|under|at|via|after) {_VALUE}"
                r"(?P<tail> (?:for|as|when|during) .+)?$"
            ),
        ),
        (
            (" is ", " are ", " to ", " becomes "),
            (
                rf"^{_KIND_OF} (?:is|are|was changed to|changed to|defaults to|has been set to|becomes)(?: now)?"
                rf"(?: set to)? (?!{_DONE} ){_THE}{_VALUE}(?P<tail> (?:for|per|in|on|when|during|if|with) .+)?$"
            ),
        ),
        (
            (" is ", " owns ", " leads "),
            (
                r"^(?-i:(?P<value>[A-Z][\w.-]+(?: [A-Z][\w.-]+)?)) "
                r"(?P<how>is (?:on call|responsible|in charge)|owns|leads)(?: for| of)? (?P<subject>.{2,60})$"
            ),
        ),
        ((":", "=", "："), rf"^{_KIND_OF}\s?[:=：]\s?{_VALUE}$"),
        (
            _USE,
            rf"^(?P<subject>.{{0,50}}?)\s?(?:now )?\b(?:uses?|using) {_THE}{_VALUE}(?P<tail> (?:for|as|to) .+)$",
        ),
        (
            (" now ", " to "),
            (
                r"^(?P<subject>.{2,50}?) (?:now|has moved to|has switched to|changed to) (?:uses? |using )?"
                rf"{_THE}{_VALUE}$"
            ),
        ),
        (_USE, rf"^(?P<subject>.{{2,50}}?) (?P<many>uses) {_THE}{_VALUE}$"),
        (_USE, rf"^(?P<subject>.{{2,50}}?(?:{_KINDS})) (?:now )?uses {_THE}{_VALUE}$"),
        (
            tuple(f" {word} " for word in _ORDERS.split("|")),
            rf"^(?P<subject>(?:{_ORDERS}) .{{2,50}}?) (?:in|with|as|to|on|using|under) {_VALUE}$",
        ),
        (
            ("ed to ", "ed from "),
            (
                r"^(?P<subject>.{2,60}?) (?:switched|moved|migrated|changed)(?: from \S+(?: \S+)?)? to "
                rf"{_VALUE}(?P<tail> for .+)?$"
            ),
        ),
        (
            _BE,
            (
                r"^(?P<subject>(?:the |our )?\w[\w -]{1,40}?) (?:is|are)(?: now)? "
                r"(?-i:(?P<value>[A-Z][\w.+#-]*(?: [A-Z\d][\w.+#-]*)?))$"
            ),
        ),
    )
)
"""Each with what it cannot do without: most sentences have little of it."""

_NOW = r"(?:现在|目前|现|已经?|统一|默认|一律|都|全部)*"
_CHANGED = r"改用|改成了?|改为使用|改为|改走|改放在?|换成了?|换为|切换[到为成]|迁移[到至]|升级[到为]"
_PUT = (
    r"统一[为用存]|定[为在]|设[为置]为?|部署[在到]|位于|放在|存[放储]?[在到于]|存(?=\s*[A-Za-z])|推送[到至]|上传[到至]"
    r"|发布[到至]|发[到往送至]+|写[到入在]"
    r"|注册[到在]|同步[到至]|上报[到至]|连接?[到至]|指向|托管[到在]|运行在|跑在|基于|交给"
)
_HAN_VALUE = (
    r"(?P<value>[A-Za-z\d/.][\w.+#/-]*(?: [A-Za-z\d][\w.+#/-]*){0,2}"
    r"|(?![^，。]{0,8}[在会有被了就都])[\u3400-\u9fff]{1,10}?(?: ?[A-Za-z][\w.+#-]*)?)"
)
_HAN_TAIL = (
    r"(?P<tail>编写|开发|实现|启动|执行|维护|负责|生成|保存|存储|存|管理|处理|写|构建|渲染|打包|部署"
    r"|作为.{1,12}|做.{1,12}|来.{1,10}"
    r"|传输|通信|推送|发送|调度|采集|监控|加密|承接|审批|评审|审核|保管|分发|绘制|模式|架构|机制|形式|标准|空格|"
    rf"{_HAN_KINDS})?"
)
CHINESE = tuple(
    (tuple(hints.split()), compile_pattern(said, re.IGNORECASE))
    for hints, said in (
        (
            "改 换 迁移 升级",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?:从\s*\S+?\s*)?(?:{_CHANGED}|(?P<how>改由))\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        (
            "是 为 用 走 设 定 : ： =",
            (
                rf"^(?P<subject>.{{0,30}}?(?:{_HAN_KINDS}))\s*{_NOW}"
                rf"(?:[是为用走]|使用|采用|选用|设[为置]为?|定[为在]|[:：=])\s*{_HAN_VALUE}\s*{_HAN_TAIL}$"
            ),
        ),
        (
            "由",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?P<many>(?P<how>由))\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        (
            "在",
            (
                rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}在\s*(?P<value>[^\s，。在的]{{1,10}}?)"
                r"(?P<tail>机房|集群|区域|服务器|目录|仓库|分支|文件夹|可用区)$"
            ),
        ),
        (
            "用 通过 走",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?P<many>使用|采用|选用|通过|用|走)\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        (
            "统一 定 设 部署 位于 放在 存 推送 上传 发 写 注册 同步 上报 连 指向 托管 在 基于 交给",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?:{_PUT})\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        ("以", r"^(?P<subject>.{0,30}?)以\s*(?P<value>[^\s，。]{1,6}?)为(?P<tail>.{1,12})$"),
        (
            "用户",
            r"^(?P<subject>用户)(?:更?(?:偏好|喜欢|倾向于?|习惯))(?P<value>[^，。]{1,8})的(?P<tail>[^，。]{1,8})$",
        ),
    )
)
"""As the English ones, each with what it cannot do without."""

LABEL = compile_pattern(
    r"^\*\*(?P<subject>[^*:：]{2,40})(?:\*\*\s*[:：]|[:：]\*\*)\s*(?P<value>[^,，。;；{}]{1,40})$"
    r"|^(?P<label>[^\s:：,，。/]+(?: [^\s:：,，。/]+){1,3}"
    r"|[\u3400-\u9fff]{3,10})\s?[:：](?!//)\s?(?P<of>[^\s,，。;；{}]+(?: [^\s,，。;；{}]+)?)$"
)
"""'**Styling**: Tailwind', 'CSV delimiter: comma'."""
NO_LABEL = compile_pattern(
    r"^\W*(?:name|type|default|id|extends|implements|source|date|session|created|updated|author|原始"
    r"|会话|日期|时间|来源|作者"
    r"|note|todo|tip|warning|important|fix(?:ed)?|rule|lesson|example|why|how to apply|reason|added|changed|removed"
    r"|done|next|status|topic|tags?|see|how|what|when|context|decision|问题|原因|教训|注意|提示|示例"
    r"|规则|背景|结论|新增|修复"
    r"|完成|已完成|待办|状态|进展|决定|决策|说明|备注)[^:：]{0,8}[:：]",
    re.IGNORECASE,
)
"""Words before a colon that say what kind of line it is, not what it is about."""
NO_VALUE = compile_pattern(r"://|[0-9a-f]{7,}-|\b[0-9a-f]{8,}\b|[{}]", re.IGNORECASE)
"""What names one thing of many: addresses, numbers of records."""


_LEAST = 3.0
"""What a sentence must weigh without its value, to say what the value is of; a Latin word counts as two."""

_LONGEST = 120
"""Characters of a sentence beyond which it says more than one thing."""
_NAME = compile_pattern(r"[:：]")
_ASIDE = compile_pattern(r"[（(][^（）()]*[)）]|【[^】]*】")
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_WHEN = compile_pattern(
    rf"[,，]?\s*\b(?:since|as of|from|decided(?: on)?|in|until) (?:\d{{4}}-\d\d(?:-\d\d)?"
    rf"|{_MONTH}(?: \d{{4}})?)(?= |$|[.,;])"
    r"|(?:自|从)\s?\d{4}\s?[-年/]\s?\d{1,2}(?:\s?[-月/]\s?\d{1,2}日?)?月?(?:起|开始|以来|之后)?[，,]?"
    r"|\d{4}\s?[-年/]\s?\d{1,2}(?:\s?[-月/]\s?\d{1,2}日?)?月?(?:起|开始|以来|之后)[，,]?",
    re.IGNORECASE,
)
_DATING = ("since", "as of", "from", "until", "in ")
_DATED = compile_pattern(r"\d{4}|since|as of|from|until|\bin ", re.IGNORECASE)
_REST = compile_pattern(
    r"[,，;；、]\s*(?:and )?(?:not|no longer|never|rather than|instead of|不再|而不是|而非|不是|不用|弃用|代替).*$"
    r"|\s+(?:instead of|rather than|in place of)\s+.+?(?= (?:for|to|in|as) |$)"
    r"|(?<=\w)\s*(?:代替|替代|取代|替换|而不是|而非)了?\s*\S+$",
    re.IGNORECASE,
)
_REST_HINTS = (
    "not", "no longer", "never", "rather than", "instead of", "in place of", "不再", "而", "不是", "不用", "弃用", "代",
    "替",
)  # fmt: skip
"""Without one of these it says nothing of what is not so."""
_EXAMPLE = compile_pattern(r"^(?:fixed|修复|for example|e\.g\.|例如|比如|option|方案)", re.IGNORECASE)
_QUOTES = compile_pattern(r"[*`“”\"]+")
_DIGIT = compile_pattern(r"\d")
_ABOUT_A_DAY = compile_pattern(
    r"\d{4}-\d\d-\d\d|\d{4}年|\d{1,2}月|[#＃]\s?\d|第\s?\d|^(?:fixed|修复)|\b(?:step|issue|pr|phase|sprint|bug)\s?\d"
    r"|^(?:\w+: )?(?:upgraded?|updated?|bump(?:ed)?|升级|更新)\b.* to v?\d|^(?:for example|e\.g\.|例如"
    r"|比如|option|方案|v\d|version \d)",
    re.IGNORECASE,
)
_AS = compile_pattern(r"\s*(?:as\b|作为|做|当)")
_CLAUSE = compile_pattern(r"[,，;；]\s*")
_HAN = compile_pattern(f"[{HAN}]")
_HOW = {
    "by": "with", "using": "with", "via": "with", "through": "with", "into": "in", "under": "in", "at": "on",
    "由": "of", "改由": "of", "owns": "of", "leads": "of", "is responsible": "of", "is in charge": "of",
}  # fmt: skip
_SHARED = compile_pattern(
    r"used|exported|copied|forwarded|shared|mirrored|exposed|translated|imported|added|applied|tested|supported|called"
    r"|triggered|mentioned|shown|displayed|listed|consumed|referenced|required|needed|included|contained|allowed"
)
"""What several may do, or be done with, at once."""
_RULED = compile_pattern(
    r"(?:\b(?:uses?|using|with|in|by|on|from|through|is|are|to|via|prefers?|a|the|write|wants?|every|second|each)|每|使用"
    r"|采用|改用|换成了?|用|是|为|走"
    r"|在|[到成]|偏好|喜欢|[:：=])\s*$"
)
_PATH = compile_pattern(
    r"(?:[\w.@-]+/)+[\w.@-]*|[\w-]+\.(?:md|json|ya?ml|toml|py|[jt]sx?|go|rs|java|sql|sh|ini|cfg|env)"
)
_TRAILING = frozenset({"目", "录", "dir", "branch", "fil", "下", "文", "件", "分", "支"})
_MOST = compile_pattern(
    r"(?:端口|版本|[是为到过隔限多少每于留行小期长数足]|[=:：≤≥<>]|\b(?:is|are|to|port|version|every"
    r"|within|least|most|max|min|of"
    r"|than|has|have|limit|timeout|default|after|for|about|under|over|by|at|up to|above|below|exactly|allows?"
    r"|requires?))\s*(?:约|大约|about)?$"
)
_MEASURE = compile_pattern(
    r"\s*(?:个|条|行|次|位|字|点|倍|层|核|人|台|张|份|级|线程|进程|并发|副本|端口|版本|号|空格|字符"
    r"|[a-z]+s\b|req|rps|qps|people|\+|(?:and|or) (?:later|newer|above|up|higher|older|below)|[及或]?以[上下])"
)
_VERSIONED = frozenset({
    "node", "nodejs", "python", "java", "go", "php", "ruby", "rust", "xcode", "gradle", "junit", "vue", "react",
    "angular", "kotlin", "swift", "django", "rails", "spring", "ubuntu", "debian", "typescript", "postgresql",
    "mysql", "redis", "elasticsearch", "net", "jdk", "k8s", "kubernetes",
})  # fmt: skip
"""What is known by its number: 'Python 3.12'."""


class Claim(NamedTuple):
    """One thing's one value."""

    of: tuple[object, ...]
    """What has the value: equal for whatever speaks of the same."""
    value: str
    """As it stands."""
    means: frozenset[str]
    """Its concepts."""
    about: tuple[str, ...] = ()
    """The words of what has the value."""
    alone: bool = True
    """Whether one value at a time holds; else only a claim that is alone speaks against it: 'uses X', 'now uses Y'."""


class Frame(NamedTuple):
    """A sentence without its numbers and its 'not'."""

    words: tuple[str, ...]
    numbers: tuple[Number, ...]
    denied: bool
    valued: tuple[bool, ...]
    """Which of the numbers are values, and no part of a name ('shard 2')."""
    order: frozenset[tuple[str, str]]
    """What it puts before what."""


@lru_cache(maxsize=1 << 14)
def strip_asides(text: str) -> str:
    """A sentence without asides, dates and what it says is not so."""
    text = text.strip()
    if "(" in text or "（" in text or "【" in text:
        text = _ASIDE.sub(" ", text)
    low = text.casefold()
    if (_hold(low, _DATING) or _DIGIT.search(low)) and _DATED.search(low):
        text = _WHEN.sub(" ", text)
    if _hold(low, _REST_HINTS):
        text = _REST.sub("", text)
    return " ".join(text.split()).strip(" .。!！,，;；")


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> tuple[str, Said] | None:
    """A sentence without its asides, and its concepts; None where it tells of a day, or of a record."""
    short = strip_asides(text)
    if _EXAMPLE.match(short) or (_DIGIT.search(short) and _ABOUT_A_DAY.search(short)):
        return None
    return None if _labelled(text) and NO_LABEL.match(text) else (short, read_sentence(short))


@lru_cache(maxsize=1 << 14)
def find_frame(text: str) -> Frame | None:
    """The frame of a sentence; None where it says too little by itself, or is about a day."""
    read = _read(text)
    if read is None:
        return None
    short, sentence = read
    if sentence.denied:
        first = _CLAUSE.split(short, 1)[0]
        if first != short and read_sentence(first).denied:
            # What is there instead comes after: 'X is not done with Y any more, Z does it'.
            sentence = read_sentence(first)
    words = [word for word in sentence.words if word[0] != "#" and word != "only"]
    if weigh_words(words) < _LEAST + (not sentence.numbers):
        return None
    valued = tuple(_is_value(sentence, number) for number in sentence.numbers)
    return Frame(
        tuple(sorted(word for word in sentence.words if word != "only")),
        sentence.numbers,
        sentence.denied,
        valued,
        list_orderings(sentence.text),
    )


@lru_cache(maxsize=1 << 14)
def find_claims(text: str) -> tuple[Claim, ...]:
    """What a sentence gives which value."""
    read = _read(text)
    if read is None or read[1].denied or len(read[0]) > _LONGEST:
        return ()
    short, sentence = read
    return (*_typed(sentence), *_given(text.strip(), short))


def _typed(sentence: Said) -> list[Claim]:
    """Words of a class of which one at a time holds."""
    found: list[Claim] = []
    words = sentence.words
    if "/" not in sentence.text and "." not in sentence.text and not any(map(find_rival_class, words)):
        return found
    kinds = [_kind(sentence, at) for at in range(len(words))]
    numbers = tuple(number.value for number in sentence.numbers)
    for at, kind in enumerate(kinds):
        # Two of one class in a sentence are compared or listed there.
        if kind and kinds.count(kind) == 1 and not NO_VALUE.search(words[at]):
            others = tuple(sorted((*words[:at], *words[at + 1 :])))
            if weigh_words(others) >= _LEAST - 1:
                start, end = sentence.places[at]
                value = sentence.text[start:end]
                found.append(Claim((kind, others, numbers), value, frozenset({words[at]}), others))
    return found


def _kind(sentence: Said, at: int) -> str:
    start, end = sentence.places[at]
    kind = find_rival_class(sentence.words[at])
    if not kind and "/" not in sentence.text[start:end] and "." not in sentence.text[start:end]:
        return ""
    before = sentence.text[:start]
    if kind:
        ruled = _RULED.search(before) or sentence.text.startswith("每", start)
        return kind if ruled and not before.startswith("in ") else ""
    if _PATH.fullmatch(sentence.text[start:end].rstrip("/") + "/" * sentence.text.startswith("/", end)):
        after = sentence.words[at + 1 :]
        return "<path>" if before.strip() and set(after) <= _TRAILING else ""
    return ""


def _given(text: str, short: str) -> list[Claim]:
    """What stands after words that give one value."""
    label = LABEL.match(text) if _labelled(text) else None
    if label is None and _labelled(text) and not _ASIDE.search(_NAME.split(text, 1)[0]):
        # An aside in a field's name makes it another field: 'Screen (tool only): …'.
        label = LABEL.match(short)
    if label is not None:
        return _claimed({
            "subject": label["subject"] or label["label"], "value": label["value"] or label["of"],
        })  # fmt: skip
    bare = _QUOTES.sub("", short)
    found: dict[tuple[object, ...], Claim] = {}
    for one in _hinted(bare, CHINESE if _HAN.search(bare) else ENGLISH):
        match = one.match(bare)
        for claim in _claimed(match.groupdict()) if match is not None else ():
            if claim.alone or claim.of not in found:
                found[claim.of] = claim
    return list(found.values())


def _hinted(text: str, patterns: Iterable[tuple[tuple[str, ...], re.Pattern[str]]]) -> list[re.Pattern[str]]:
    lower = f" {text.lower()} "
    return [one for hints, one in patterns if any(map(lower.__contains__, hints))]


def _claimed(parts: dict[str, str | None]) -> list[Claim]:
    value, tail = (parts["value"] or "").strip(), parts.get("tail") or ""
    # 'Uses X as the cache' is about the cache; what it is for, or when, is no part of the subject.
    whole = tail if _AS.match(tail) else ""
    about, rest = (
        read_sentence(f"{parts['subject']} {parts.get('done') or ''} {whole}"),
        read_sentence("" if whole else tail),
    )
    how = _HOW.get(parts.get("how") or "", parts.get("how") or "")
    means = read_sentence(value)
    concepts = frozenset((*(word for word in means.words if word[0] != "#"), *(n.value for n in means.numbers)))
    numbers = tuple(number.value for number in (*about.numbers, *rest.numbers))
    if not concepts or means.denials or NO_VALUE.search(value) or weigh_words((*about.words, *rest.words)) < 2:
        return []
    alone = (not parts.get("many") or bool(tail)) and not _SHARED.fullmatch(parts.get("done") or "")
    of = (tuple(sorted(about.words)), how, tuple(sorted(rest.words)), numbers)
    return [Claim(of, value, concepts, (*about.words, *rest.words), alone)]


def _is_value(sentence: Said, number: Number) -> bool:
    before, after = sentence.text[: number.start], sentence.text[number.end :]
    if number.unit or not after.strip(" .。!！") or _MOST.search(before):
        return bool(before.strip()) or bool(number.unit)
    last = before.split()[-1:] or [""]
    if last[0] in _VERSIONED:
        return True
    # What counts at the very beginning of a sentence is a name there: 'Shard 1 holds', 'Step 2 of'.
    named = len(before.split()) < 2 and not before.rstrip()[-2:-1] >= "\u3400"
    return not named and bool(_MEASURE.match(after))


def weigh_words(words: Sequence[str]) -> float:
    """How much words tell: a Latin one is worth two Chinese characters."""
    return sum([1.0 if word >= "\u3400" else 2.0 for word in words if word[0] != "#"])


def _labelled(text: str) -> bool:
    return ":" in text or "：" in text


def _hold(text: str, hints: Iterable[str]) -> bool:
    return any(map(text.__contains__, hints))
