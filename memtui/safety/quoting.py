"""Whether what reads like an order is only spoken about: quoted, told of, forbidden, asked in a test, an agent's own turn."""

from __future__ import annotations

from memtui.core.startup import TYPE_CHECKING, compile_pattern

if TYPE_CHECKING:
    from memtui.safety.orders import Order

_MENTION = compile_pattern(
    r"such as|for example|e\.g\.|i\.e\.|phrases? like|strings? like|text like|patterns?|detect|filter|inject|attack|attempt|phish"
    r"|malicious|suspicious|example|adversarial|(?:question|测试)[^\n]{0,9}\n|treat .{0,40} as data|refuse|reject|block|quarantin|sanitiz|never (?:follow|obey)|do not (?:follow|obey)"
    r"|\b(?:sentences?|wording|quot(?:es?|ed|ing)|test ?(?:set|case|data)|red[ -]?team|regression|look(?:s|ed)? out for|missed|caught|flagged|tests? (?:that|whether|which)|suspect|(?:marked|treated|seen|listed) as|(?:is|are|as) (?:only )?(?:data|untrusted))\b"
    r"|注入|模式|例如|比如|诸如|类似|检测|过滤|拦截|攻击|恶意|拒绝|识别|示例|等典型|关键词|短语|字样|可疑|这类|这种|之类|这句|句子|原文|当作?数据|测试集|红队"
)
_QUOTE = compile_pattern(
    r"[ \t>]*(?:[-*+•]|\d{1,2}[.)、])[ \t]*(?:\"[^\"\n]{4,60}\"|[“「`][^”」`\n]{4,60}[”」`])[ \t]*[.,;]?"
)
_TURN = compile_pattern(r"(?:^|\n)[ \t>*_#-]{0,6}(?:(user|human|用户)|assistant|助手)[*_]{0,2}[ ]?[:：]")
_TURNS, _TALK = 2, 6000
"""Turns of each side that make a conversation, and how far from a sentence they stand."""
TALKS_OF_ATTACKS = compile_pattern(
    r"\b(?:prompt[ -]injections?|injected|attackers?|attacks?|jailbreaks?|phishing|red[ -]?team|payloads?|threat|exploits?)\b|注入|攻击|恶意|红队|钓鱼|越狱"
)
"""A sentence that names an attack as such talks about one."""
_NAMED = compile_pattern(
    r"(?:\b(?:tokens?|markers?|tags?|delimiters?|templates?|strings?|formats?|strips?|removes?|escapes?|uses?|wants?|expects?|needs?|writes?|emits?|between|and|or|with|like)"
    r"|标记|标签|符号|模板|格式|和|与|使用|转义)[ \t:`'\"]*$"
)
"""Before a marker: it is named, not used."""
_TOLD = compile_pattern(
    r"\b(?:models?|agents?|assistants?|it|they|he|she|claude|llms?|attackers?|bots?|hooks?|parsers?|scripts?|tools?)(?: \w+){0,2}?[ \t]+"
    r"(?:tends? to|tended to|can|may|might|could|would|often|sometimes|usually|rarely|still|tr(?:ied|ies|y) to|attempts? to|attempted to|runs?|ran|works?)"
    r"[ \t]+(?:(?:\w+ly|often|sometimes|just|then|still|also)[ \t]+)?$"
    r"|\b(?:tried|trying|tries|attempt\w*)[ \t]+to[ \t]+$|(?:试图|企图|尝试|攻击者|红队)[\u4e00-\u9fff]{0,10}$"
    r"|(?:伪装|恶意|木马|黑客)[^。！？；;：:\n]{0,40}$|\b(?:malicious|malware|trojan|stealer|posed as|posing as)\b[^.!?;:\n]{0,60}$"
    r"|(?:代理|助手|模型|它|他们?)(?:常常?|容易|有时|会|曾|已经?|又|总是){1,2}$|(?:网页|文档|邮件|用例|页面|攻击者?)[\u4e00-\u9fff:]{0,4}(?:要求|让|诱导|命令)(?:模型|代理|助手|ai)$"
)
"""Before an order: somebody does so, or might."""
_THEIRS = compile_pattern(
    r"\b(?:we|they|i|tests?|logs?)[ \t]+(?:\w+ly[ \t]+|also[ \t]+|now[ \t]+)?$|\b(?!always|besides|afterwards|sometimes|perhaps|this|yes)[a-z]{3,}s[ \t]+$|(?:面板|页面|界面|弹窗|控制台)[里中上]?$"
)
"""Before an order to show something: what people do with their own, and what things do ('extensions leak keys')."""
DONE_ALREADY = compile_pattern(
    r"(?:忽略|无视|忘记|忘掉|违反|绕过|放弃|推翻|泄露)了(?![他她它]|一切)|(?:ignored|forgot|forgotten|disregarded|overrode|bypassed|violated|dropped)\b"
)
"""Somebody did so."""
_NEGATED = compile_pattern(
    r"(?:never|not|n't|cannot|avoid|refuse to|must not|should not|without|no longer|instead of|rather than|forbid\w*|prevent\w* \w+ from)(?:[ \t]+\w+){0,2}[ \t]*$"
    r"|(?:any|every|all|suspicious|report|refuse|reject|block)[ \t]+(?:requests?|attempts?)[ \t]+to[ \t]*$"
    r"|(?:不要|不得|禁止|切勿|请勿|严禁|不能|不可|不会|避免|防止|绝不|从不|勿|别|不应|不应该|不允许)[\u4e00-\u9fff]{0,3}$"
)
_OPTION = compile_pattern(r"--[a-z][\w-]+[`'\"]?(?:[ \t]*(?:[·|:—–]|->|→|- )[ \t]*|[ \t]{2,})$")
"""Before what an option of a program does."""
_SUPPOSED = compile_pattern(
    r"\b(?:if|when|whenever|where|that|which|who)\b[^.!?;\n]{0,60}\b(?:tells?|asks?|instructs?|wants?|orders?|urges?|requests?)[ \t]+"
    r"(?:(?:you|it|them|the \w+)[ \t]+)?to[ \t]+$|(?:如果|若|假如|当|凡是|遇到)[^。！？\n]{0,30}(?:要求|让|叫|命令|请)[你您]?[ ]?$"
)
_ANSWERED = compile_pattern(
    r"\b(?:stop|refuse|tell the user|report|do not|don't|treat|reject|decline|warn|ask the user)\b|停|拒绝|告诉用户|报告|不要|当作|上报|警告"
)
"""What a rule says to do about an order that may come: it is no order itself."""


def _is_turn(text: str, start: int, end: int) -> bool:
    """Whether it is what an agent answered in a conversation that stands there."""
    turn = text[start:end].lstrip(" \t\n>*#-?!.。")
    asked = (match[1] for match in _TURN.finditer(text, max(0, start - 2000), start))
    return turn.startswith("assistant:") and any(asked)


def is_in_talk(text: str, start: int, end: int) -> bool:
    """Whether it stands in a conversation that was written down: there a person orders an agent in every line."""
    turns = [match[1] is None for match in _TURN.finditer(text, max(0, start - _TALK), end + _TALK)]
    return min(turns.count(True), turns.count(False)) >= _TURNS


def is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the line has nothing but a few words in quotation marks: an entry of a list of what to look for."""
    first, last = text.rfind("\n", 0, start + 1) + 1, text.find("\n", end - 1)
    return _QUOTE.fullmatch(text, first, len(text) if last < 0 else last) is not None


_ITEM = compile_pattern(r"[ \t>]*(?:[-*+•]|\d{1,2}[.)、]|\[.\])[ \t]")
_LEAD = compile_pattern(
    r"(?:\b(?:never|not|n'?t|don'?t|refuse|reject|avoid|beware|requests?|attempts?|signs|red flags?|examples?|patterns?|attacks?|injections?)\b"
    r"|不要|不得|禁止|严禁|切勿|拒绝|避免|例如|示例|攻击|注入|可疑|警惕)[^\n]*[:：][*_ \t]*$"
)
"""What a list begins with whose items are not to be done, or only to be known."""
_LINES_UP = 12


def _is_listed_as_such(text: str, start: int) -> bool:
    """Whether it is an item of a list of what is forbidden, or of what attacks look like."""
    first = text.rfind("\n", 0, start) + 1
    if first == 0 or _ITEM.match(text, first) is None:
        return False
    depth = _measure_depth(text, first)
    for _line in range(_LINES_UP):
        end, first = first - 1, text.rfind("\n", 0, first - 1) + 1
        said = text[first:end]
        if said.strip() and (_ITEM.match(said) is None or _measure_depth(text, first) < depth):
            return _LEAD.search(said) is not None
        if first == 0:
            return False
    return False


def _measure_depth(text: str, first: int) -> int:
    end = first
    while text[end : end + 1] in {" ", "\t"}:
        end += 1
    return end - first


def is_mentioned(text: str, start: int, end: int, order: Order) -> bool:
    """Whether the order is spoken about, told of or forbidden, not given."""
    before = text[max(0, start - 100) : start].rsplit("\n", 1)[-1]
    if order.name == "reveal" and _THEIRS.search(before) is not None:
        return True
    if _is_listed_as_such(text, start):
        return True
    if order.name == "role-marker" and (_NAMED.search(before) is not None or _is_turn(text, start, end)):
        return True
    if order.name == "exfiltrate" and "请求头" in before[-16:]:
        return True
    if order.negatable and _NEGATED.search(before[-40:]) is not None:
        return True
    if _OPTION.search(before[-60:]) is not None:
        return True
    if is_told_of(text, start) or DONE_ALREADY.match(text, start) is not None:
        return True
    if _SUPPOSED.search(before) is not None and _ANSWERED.search(text, end, end + 80) is not None:
        return True
    return is_in_quotation(text, start, end)


def is_told_of(text: str, start: int) -> bool:
    """Whether somebody does so, or might, by the words before it."""
    return _TOLD.search(text[max(0, start - 60) : start].rsplit("\n", 1)[-1]) is not None


def is_in_quotation(text: str, start: int, end: int) -> bool:
    """Whether it stands in quotation marks, and what is around them speaks of sentences, not with one."""
    if text.count('"', start, end) % 2:
        # It begins before them: the verb of a sentence that quotes, with the object of what is quoted.
        start = text.index('"', start) + 1
    opening = max(text.rfind(mark, max(0, start - 80), start + 1) for mark in "\"'“‘「『`《(")
    if opening < 0 or "\n" in text[opening:start]:
        return False
    closing = min((place for mark in "\"'”’」』`》)" if (place := text.find(mark, end, end + 120)) >= 0), default=-1)
    if closing < 0:
        return False
    around = text[max(0, opening - 120) : opening] + "\n" + text[closing : closing + 80]
    return _MENTION.search(around) is not None
