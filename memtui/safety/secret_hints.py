"""What most probably lets somebody in, by its surroundings alone: a safe's number, a door's, the answer to a bank's question.

No word announces it and no form gives it away: 'the safe opens with 48-13-77', '到了门口按 7391#', 'log in as kim, then …'.
Ids, ports and dates look alike, so nothing is ever masked for this: a person is asked in Review (`store.secrets`).
A hint is a door, or a way in, and a value near it in the same sentence.
"""

from __future__ import annotations

from functools import cache

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.vendors import SecretSpan

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_S = r"[^.!?;。！？；\n]"
"""Within a sentence."""
_DIGITS = (
    r"(?<![\w.:/#$€£-])(?!(?:19|20)\d\d(?![\d#*]))(?P<{name}>\*?\d{{4,8}}[#*]?|\d{{1,2}}(?:[-–]\d{{1,2}}){{2,4}}|\d(?:[ -]\d){{3,7}})"
    r"(?![\w%:/°]|[.,-]\d|\s?(?:mm|cm|m²|kg|km|px|ms|kb|mb|gb|people|entries|users|pages|rows|files|lines|items|usd|eur|元|年|月|日|点|人|条|件|个|次|块|号楼|万|积分|货架|室|房间|楼))"
)
_WORD = (
    r"(?<![\w./@-])(?P<{name}>(?=[!-~]{{0,31}}(?:\d|[!#$&*+?][A-Za-z\d]))(?=[!-~]{{0,31}}[A-Za-z])(?!https?:|[\w-]+\.[a-z]{{2,4}}\b|-|\d+(?:\.\d+)?[A-Za-z]{{1,3}}\b)"
    r"[\w!#$&*+?~.:@^-]{{5,32}}?)(?=[\s,;)，。；)”\"'`]|[.!?](?:\s|$)|$)"
)
_DOOR = (
    r"\b(?:safe|vault door|strongbox|lockers?|alarm|key ?box|lock ?box|(?:bike|cable|number|door|combination)[ -]lock|padlock|gate|garage"
    r"|(?:front|back|side|server room|entrance|house) door|intercom|phone|tablet|sim(?: card)?|voice ?mail|bank card|debit card|credit card|zoom|meeting room|conference|retro"
    r"|tresor|schlie(?:ß|ss)fach|haust[uü]r|alarmanlage|digicode|coffre|portail|caja fuerte)\b"
)
_GIVES = r"\b(?:opens?|unlocks?|disarms?|armed|comes? on|lets? (?:you|us|them) in|answers?|dial|enter|type|key in|punch in|press|code|combination|number|digicode|combinaison)\b"
_ASKED = r"(?:[ ]when (?:it|they|she|he|you(?:'re| are))[ ]?(?:asks?|asked|prompted|wants?)|[ ](?:at|on) the (?:prompt|keypad|gate|door)|[ ]to (?:get in|open|unlock|join|enter|disarm)\b)"
_WIDE_DOOR = r"(?:门口|门禁|大门|楼门|单元门|房门|门锁|车库|密码锁|保险[箱柜]|钥匙[盒箱]|储物柜|快递柜|银行卡|取款|手机解锁|锁屏|对讲)"

_PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("opens", "opened", "unlock", "disarm"), rf"{_DOOR}{_S}{{0,40}}?\b(?:open(?:s|ed)?|unlock(?:s|ed)?|disarm(?:s|ed)?)\b{_S}{{0,12}}?\b(?:with|by|to|using)\b{_S}{{0,12}}?{_DIGITS}"),
    (("asks", "asked", "prompt", "keypad", "get in", "to open", "to unlock", "to join", "to enter", "to disarm", "at the gate", "at the door"), rf"{_DIGITS}{_ASKED}"),
    (("safe", "lock", "alarm", "box", "gate", "garage", "door", "intercom", "tresor", "fach", "anlage", "coffre", "portail", "caja", "card"), rf"{_DOOR}{_S}{{0,40}}?{_GIVES}{_S}{{0,16}}?{_DIGITS}"),
    (("digicode", "code", "kod"), rf"\b(?:digicode|t[uü]rcode|code (?:de|d['’]) ?\w+|door code|gate code|entry code)\b{_S}{{0,28}}?(?:est|c['’]est|ist|is|:|=)[ ]?(?P<v>(?=[0-9A-Z]*\d)[0-9A-Z]{{4,7}})\b"),
    (("log", "type", "enter", "user", "sign", "login"), rf"\b(?:type|enter|log(?:ged)?[ -]?in (?:as|with)|sign(?:ed)?[ -]?in (?:as|with)|user(?:name)?|login)\b[: ]+['\"`]?[\w.@-]{{2,24}}['\"`]?(?:,? and(?: then)?|,? then|[ ]?/|, (?:pass|then|with))(?: (?:pass|with|the word|word))?[ ]['\"`]?{_WORD}"),
    (("key", "licen", "activat", "serial", "sticker", "序列号", "激活", "许可"), r"(?i:\b(?:key|licen[cs]e|activation|serial|sticker)\b|序列号|激活码?|许可)[^\n]{0,40}?(?<![\w-])(?P<v>[A-Z0-9]{5}(?:-[A-Z0-9]{5}){2,5}|(?=[A-Z0-9]*\d)[A-Z0-9]{8,}-[A-Za-z0-9+/=]{10,})(?![\w-])"),
    (("question", "frage"), rf"\b(?:answer to|answered|antwort auf)\b{_S}{{0,40}}?\b(?:security|secret|sicherheits|account|bank'?s?)[ -]?(?:security )?(?:question|frage)\b{_S}{{0,8}}?\b(?:is|ist|was|:)[ ](?!(?:in|at|on|not|the|a|an|to|kept|stored|under|unknown|with|see|always|who|what|wrong|right|yes|no)\b)(?P<v>[^\s.,;\[]{{3,24}}(?: [A-Z][^\s.,;]{{1,20}}){{0,2}})"),
    (("门", "锁", "箱", "柜", "盒", "银行卡", "取款", "屏", "对讲"), rf"{_WIDE_DOOR}(?!{_S}{{0,12}}(?:电话|尾号|客服|挂失|型号|架)){_S}{{0,14}}?{_DIGITS}(?:，{_S}{{2,8}}?[ ]?{_DIGITS.replace('{name}', '{other}')})?"),
    (("密码", "口令", "暗号", "开机码", "提取码"), rf"(?:密码|口令|暗号|开机码|提取码){_S}{{0,8}}?(?:是|为|：|:|用|填)[ ]?(?!(?i:sha|md|bcrypt|argon|pbkdf|aes|rsa|base)-?\d)(?P<v>(?=[A-Za-z0-9_.@-]*\d)(?=[0-9_.@-]*[A-Za-z])[A-Za-z0-9_.@-]{{5,32}})(?![\w])"),
)  # fmt: skip
"""Of each kind words without one of which it is not tried, and what it looks like; the value is the group `v`."""


@cache
def _compiled() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    return tuple((words, compile_pattern(_fill(pattern), 2)) for words, pattern in _PATTERNS)


def _fill(pattern: str) -> str:
    return pattern.replace("{name}", "v").replace("{other}", "w").replace("{{", "{").replace("}}", "}")


def find_hints(text: str) -> Iterator[SecretSpan]:
    """What a person should be asked about. Nothing of it is sure."""
    low = text.lower()
    seen: set[tuple[int, int]] = set()
    for words, pattern in _compiled():
        if not any(word in low for word in words):
            continue
        for match in pattern.finditer(text):
            for group in ("v", "w"):
                if group in pattern.groupindex and match[group] and match.span(group) not in seen:
                    seen.add(match.span(group))
                    yield SecretSpan(*match.span(group), "password", False)
