"""Text that gives orders to whoever reads it for a person: found by what it wants done to what, in any disguise.

A lone phrase proves nothing ('you must run the tests first'): every rule needs a verb and its object. What patterns
cannot see (a subtle lie) is left to provenance and review (reliability §4).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from memtui.pattern import pattern
from memtui.safety.confusable import compact, decoded, joined, latin, rot13, seen, spelt, unleet, unmarked
from memtui.safety.normal import plain
from memtui.safety.orders import COMPACT, ORDERS, Order

if TYPE_CHECKING:
    from collections.abc import Iterator

Action = Literal["none", "warn", "quarantine"]


DISGUISED = 1 << 16
"""Characters of a text that are looked at behind every disguise."""

_COMPACT_WORDS = (
    "instruction",
    "指令",
    "prompt",
    "rules",
    "提示词",
    "user",
    "指示",
    "规则",
    "guideline",
    "restriction",
    "secret",
    "key",
    "password",
    "credential",
)


_TELLING = (
    "ignor", "disregard", "forget", "overrid", "bypass", "instruction", "prompt", "guideline", "restriction", "reveal", "send", "upload",
    "exfil", "secret", "password", "user", "system", "previous", "rules", "execute",
    "忽略", "无视", "忘记", "指令", "提示词", "之前", "用户", "密钥", "发送", "规则",
)  # fmt: skip


class Verdict(NamedTuple):
    """What to do with a text, and which rules said so."""

    action: Action
    rules: tuple[str, ...]


_TAGS = pattern("[\U000e0001\U000e0020-\U000e007f]+")
_FLAG = pattern("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f")
_OVERRIDE = pattern("[\u202d\u202e]|[\u202a\u202b\u2066-\u2068](?![^\u202c\u2069]{0,200}[\u0590-\u08ff])")
_SPLIT = pattern(
    "(?<=[A-Za-z0-9\u4e00-\u9fff])[\xad\u200b-\u200d\u2060-\u2064\ufeff\u180e]+(?=[A-Za-z0-9\u4e00-\u9fff])"
)
_FLOWING = pattern(
    r"(?<=[A-Za-z,])(?:[*~`]{1,3}[ \t\n]+[*~`]{1,3}|[*~`]{0,3}[ \t]*\n[ \t>*~`]{0,8})(?=[a-z])"
)
"""Where a sentence goes on in the next line, or from one marked word to the next."""
_HIDING = pattern("[\xad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
_MENTION = pattern(
    r"such as|for example|e\.g\.|i\.e\.|phrases? like|strings? like|text like|patterns?|detect|filter|inject|attack|attempt|phish"
    r"|malicious|suspicious|example|treat .{0,40} as data|refuse|reject|block|quarantin|sanitiz|never (?:follow|obey)|do not (?:follow|obey)"
    r"|注入|模式|例如|比如|诸如|类似|检测|过滤|拦截|攻击|恶意|拒绝|识别|示例|等典型|关键词|短语|字样|可疑"
)
_NEGATED = pattern(
    r"(?:never|not|n't|cannot|avoid|refuse to|must not|should not|without|no longer|instead of|rather than|forbid\w*|prevent\w* \w+ from)(?:[ \t]+\w+){0,2}[ \t]*$"
    r"|(?:any|every|all|suspicious|report|refuse|reject|block)[ \t]+(?:requests?|attempts?)[ \t]+to[ \t]*$"
    r"|(?:不要|不得|禁止|切勿|请勿|严禁|不能|不可|不会|避免|防止|绝不|从不|勿|别|不应|不应该|不允许)[\u4e00-\u9fff]{0,3}$"
)
_SUPPOSED = pattern(
    r"\b(?:if|when|whenever|where|that|which|who)\b[^.!?;\n]{0,60}\b(?:tells?|asks?|instructs?|wants?|orders?|urges?|requests?)[ \t]+"
    r"(?:(?:you|it|them|the \w+)[ \t]+)?to[ \t]+$|(?:如果|若|假如|当|凡是|遇到)[^。！？\n]{0,30}(?:要求|让|叫|命令|请)[你您]?[ ]?$"
)
_ANSWERED = pattern(
    r"\b(?:stop|refuse|tell the user|report|do not|don't|treat|reject|decline|warn|ask the user)\b|停|拒绝|告诉用户|报告|不要|当作|上报|警告"
)
"""What a rule says to do about an order that may come: it is no order itself."""


@lru_cache(maxsize=2)
def examine(text: str) -> Verdict:
    """Whether a text reads like an order to an agent. Linear in its length; never raises.

    Remembered while one text goes from hand to hand: who makes a record asks, and who writes it.
    """
    found: dict[str, Action] = {}
    if not text.isascii() and _HIDING.search(text) is not None:
        found.update(_hidden(text))
    for view in _views(text):
        found.update(view)
        if "quarantine" in found.values():
            break
    if not found:
        return Verdict("none", ())
    return Verdict("quarantine" if "quarantine" in found.values() else "warn", tuple(found))


def _hidden(text: str) -> Iterator[tuple[str, Action]]:
    if _TAGS.search(_FLAG.sub("", text)) is not None:
        yield "hidden-tags", "quarantine"
    if _OVERRIDE.search(text) is not None:
        yield "hidden-direction", "quarantine"
    if sum(1 for _ in zip(_SPLIT.finditer(text), range(2), strict=False)) == 2:
        yield "hidden-splits", "quarantine"


def _views(text: str) -> Iterator[dict[str, Action]]:
    """What each way of reading the text says, the plainest first."""
    plain_text = seen(text)
    yield _said(plain_text)
    if len(text) > DISGUISED:
        # Every disguise of it would cost as much again: no entry is so long.
        text, plain_text = text[:DISGUISED], plain_text[:DISGUISED]
    cased = plain(text).text
    flowing = _FLOWING.sub(" ", cased)
    if flowing != cased:
        yield _said(unmarked(flowing.lower()))
    folded = latin(plain_text)
    unleeted = unleet(folded)
    for view in (folded, unleeted, *joined(unleeted)):
        if view != plain_text and _gained(view, plain_text):
            yield _said(view)
    yield _squeezed(spelt(unleeted), "spelt")
    squeezed = compact(folded)
    yield _squeezed(squeezed[::-1], "turned")
    yield _squeezed(rot13(squeezed), "rot13")
    tags = "".join(
        chr(ord(letter) - 0xE0000) for letter in "".join(_TAGS.findall(text)) if ord(letter) > 0xE0001
    )
    if tags:
        yield _said(unmarked(tags))
    for said in decoded(text):
        yield _said(latin(seen(said)))


def _gained(view: str, plain_text: str) -> bool:
    """Whether a way of reading brings out words that the text itself has not."""
    return any(view.count(word) > plain_text.count(word) for word in _TELLING)


def _said(text: str) -> dict[str, Action]:
    found: dict[str, Action] = {}
    # One byte a letter: most words are found in it several times faster.
    flat = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
    for number, order in enumerate(ORDERS):
        words, also = _words(number)
        if order.name in found or not _holds(text, flat, words):
            continue
        if also and not _holds(text, flat, also):
            continue
        for match in _compiled(number).finditer(text):
            if not _mentioned(text, match.start(), match.end(), order):
                found[order.name] = order.action
                break
    return found


def _holds(text: str, flat: str, words: tuple[str, ...]) -> bool:
    return any(word in (flat if word.isascii() else text) for word in words)


@cache
def _words(number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    order = ORDERS[number]
    return tuple(map(unmarked, order.words)), order.also


@cache
def _compiled(number: int) -> re.Pattern[str]:
    return re.compile(unmarked(ORDERS[number].pattern))


@cache
def _compactly() -> re.Pattern[str]:
    return re.compile(COMPACT)


def _squeezed(text: str, name: str) -> dict[str, Action]:
    if not any(word in text for word in _COMPACT_WORDS):
        return {}
    match = _compactly().search(text)
    if match is None or re.search(
        r"(?:never|dont|donot|not)$", text[max(0, match.start() - 6) : match.start()]
    ):
        return {}
    return {f"override-{name}": "quarantine"}


def _mentioned(text: str, start: int, end: int, order: Order) -> bool:
    """Whether the order is spoken about or forbidden, not given."""
    before = text[max(0, start - 100) : start].rsplit("\n", 1)[-1]
    if order.negatable and _NEGATED.search(before[-40:]) is not None:
        return True
    if _SUPPOSED.search(before) is not None and _ANSWERED.search(text, end, end + 80) is not None:
        return True
    opening = max(text.rfind(mark, max(0, start - 80), start + 1) for mark in "\"'“‘「『`《(")
    if opening < 0 or "\n" in text[opening:start]:
        return False
    closing = min(
        (place for mark in "\"'”’」』`》)" if (place := text.find(mark, end, end + 120)) >= 0), default=-1
    )
    if closing < 0:
        return False
    around = text[max(0, opening - 120) : opening] + "\n" + text[closing : closing + 80]
    return _MENTION.search(around) is not None
