"""What a sentence says, as far as it takes to see that another one says otherwise: in Chinese and English. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memtui.curation.similar import denials, normal
from memtui.pattern import pattern

_HAN = "\u3400-\u9fff"
_WORD = pattern(rf"\d+(?:[.:]\d+)*%?|[{_HAN}]|[^\W{_HAN}]+(?:[.+#/-]+[^\W{_HAN}]+)*[+#]*")
_EMPTY = frozenset({
    *"的了已经被是为改用成到设现在将把由于就也仍还请统一", "a", "an", "the", "is", "are", "was", "be", "been", "now",
    "has", "have", "to", "of", "it", "its", "will", "should", "we", "our", "this", "that", "uses", "use", "using",
    "used", "set", "at", "in", "on", "for", "by", "do", "does",
})  # fmt: skip
_DENYING = frozenset({
    *"不没勿别再禁止", "not", "no", "never", "longer", "don", "t", "doesn", "isn", "cannot", "can", "avoid", "stop",
    "stopped",
})  # fmt: skip
_SLOTS = (
    r"端口|版本号?|数据库|包管理器|测试框架|编辑器|主?语言|地址|域名|入口|路径|目录|分支|格式|编码|时区|单位|缩进|"
    r"超时(?:时间)?|间隔|上限|下限|过期时间|有效期|负责人|模型|主题|默认值?|"
    r"port|version|database|package manager|test(?:ing)? framework|editor|language|address|url|domain|endpoint|path"
    r"|directory|branch|format|encoding|time ?zone|unit|indent(?:ation)?|timeout|interval|limit|expiry|owner|model"
    r"|theme|default"
)
_IS = pattern(
    rf"^(?P<subject>.{{0,40}}?(?:{_SLOTS}))\s*(?:现在|目前|已)?\s*"
    r"(?:默认)?(?:是|为|改为|设为|定为|改成|用|使用|改用|采用|[:：=]|is(?: now)?(?: set to)?|are|defaults to"
    r"|was changed to|changed to)\s*"
    r"(?P<value>[^，。；;,（(]{1,40}?)[。.]?$",
    re.IGNORECASE,
)
_AS = pattern(
    rf"^(?P<subject>.{{0,30}}?)\s*(?:使用|采用|改用|用|uses?|using)\s*(?P<value>[\w.+#/-]+(?: [\w.+#/-]+)?)\s*"
    rf"(?:作为|做|当作?|as (?:its |the |our )?)?\s*(?P<slot>{_SLOTS})[。.]?$",
    re.IGNORECASE,
)
_THING = r"[`“\"']?(?P<old>[A-Za-z][\w.+#/-]*(?: [A-Z\d][\w.+#/-]*){0,2}|[\u3400-\u9fff]{2,8}?)[`”\"']?"
_END = r"(?:$|[\s，。,.；;（(])"
_SINCE = r"(?:已经?|现在)?"
_DROPPED = tuple(
    pattern(rf"^(?P<subject>.{{0,40}}?){said}", re.IGNORECASE)
    for said in (
        rf"{_SINCE}(?:不再|停止|弃用了?|停用了?)(?:使用|用|支持|采用|依赖)?\s*{_THING}{_END}",
        rf"{_SINCE}从\s*{_THING}\s*(?:迁移|切换|换|改|升级)(?:到|成|为|用)",
        rf"{_SINCE}(?:改用|换成|改为使用|用)\s*\S+?\s*(?:替代|取代|代替|替换|而不是|而非)了?\s*{_THING}{_END}",
        r"\b(?:no longer|stopped|not any ?more) (?:us(?:es?|ing)|needs?|supports?|relies on|depends on) "
        + _THING
        + _END,
        rf"\b(?:no longer|not) \w+(?:ed|en|t) (?:in|on|with|by|from|via|through|as) (?:the )?{_THING}(?: but\b|{_END})",
        rf"\b(?:has |have |was |were )?(?:switched|migrated|moved|changed) from {_THING} to\b",
        rf"\b(?:has |have )?replaced {_THING} (?:with|by)\b",
        rf"(?P<instead>)\b(?:instead of|rather than|in place of) (?:the )?{_THING}{_END}",
        (
            r"(?P<instead>)[,，;；]\s*(?:and )?(?:not|no longer|不再|而不是|而非|不要|不用)\s*"
            r"(?:(?:from|in|on|as|with|via|through|by|at|to)\b|存?放?在|使用|用|从|是)?\s*(?:the )?"
            rf"{_THING}{_END}"
        ),
        (
            rf"^(?:the )?(?:support for )?{_THING} (?:is|was|has been) (?:now )?(?:deprecated|dropped"
            rf"|removed|retired|replaced)\b"
        ),
        rf"(?:弃用|停用|下线|移除)了?\s*{_THING}{_END}",
    )
)
_GONE = pattern(
    "不再|停[止用]|弃用|从|改用|换成|改为|用.*(?:替|代|取代|而不是|而非)|下线|移除|longer|stopped"
    "|not any|instead|rather"
    "|[,;] (?:and )?not|[,，;；]不|in place|from|replaced|dropped|deprecated|removed|retired",
    re.IGNORECASE,
)
"""What every one of these has: most sentences have none of it."""
_GONE_HINTS = (
    "不", "停", "弃用", "从", "改", "换成", "替", "代", "而非", "下线", "移除", "longer", "stopped", "not", "instead",
    "rather", "in place", "from", "replaced", "dropped", "deprecated", "removed", "retired",
)  # fmt: skip
"""What that itself cannot do without: far cheaper to look for."""
_USING = pattern(
    r"使用|采用|基于|依赖|支持|用|在|走|到|是|为|[:：]|\b(?:uses?|using|with|on|in|to|by|from|through|as|is"
    r"|are|needs?|supports?)\b",
    re.IGNORECASE,
)
_USED = pattern(r"\s*(?:(?:is|are) (?:used|supported|needed|required)\b|用于|用来|负责)")


class Slot(NamedTuple):
    """A sentence that gives one thing its value: 'X is Y'."""

    subject: tuple[str, ...]
    value: str


class Dropped(NamedTuple):
    """A sentence that says something is no more."""

    thing: str
    subject: frozenset[str] | None
    """The words of whose it was; None: it is said somewhere in the sentence."""


@lru_cache(maxsize=1 << 14)
def slot(text: str) -> Slot | None:
    """What a sentence gives which value; None for any other sentence."""
    said = _IS.match(text.strip()) or _AS.match(text.strip())
    if said is None or denials(normal(text)):
        return None
    parts = said.groupdict()
    about = normal(f"{parts['subject']} {parts.get('slot', '')}")
    subject = tuple(word for word in _WORD.findall(about) if word not in _EMPTY)
    value = normal(parts["value"])
    return Slot(subject, value) if subject and value else None


@lru_cache(maxsize=1 << 14)
def dropped(text: str) -> Dropped | None:
    """What a sentence says is no more; None for any other sentence."""
    low = text.casefold()
    if not any(map(low.__contains__, _GONE_HINTS)) or not _GONE.search(text):
        return None
    match = next(filter(None, (one.search(text.strip()) for one in _DROPPED)), None)
    if match is None:
        return None
    return Dropped(
        normal(match["old"]), None if "instead" in match.re.groupindex else meant(match["subject"])
    )


def meant(text: str) -> frozenset[str]:
    """The words of a text that mean something by themselves."""
    return frozenset(
        word for word in _WORD.findall(normal(text)) if word not in _EMPTY and word not in _DENYING
    )


def uses(text: str, thing: str) -> bool:
    """Whether a text says that the thing is used: right before it, by itself, and not denied."""
    words = normal(text)
    at = words.find(thing)
    before, after = words[:at], words[at + len(thing) : at + len(thing) + 1]
    if after.isalnum() and after < "\u2e80" and thing[-1] < "\u2e80":
        return False
    if not at and _USED.match(words, len(thing)):
        return dropped(text) is None
    using = [match.end() for match in _USING.finditer(before)]
    return bool(using) and at - using[-1] <= 5 and not denials(before) and dropped(text) is None
