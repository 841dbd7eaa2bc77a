"""Secrets that show by the word before them: 'password: …', 'API_KEY=…', 'the token is …', '数据库密码是…'.

Each word is looked for, and what follows is read from there, a bounded way: every text is read once. What stands
there must look like a secret (`values`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.pattern import pattern
from memtui.safety.names import CHINESE, NAME, WORDS, kind_of, meant
from memtui.safety.spots import Spots
from memtui.safety.values import Form, secret, trimmed
from memtui.safety.vendors import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 200
"""Characters of a value that are judged; what follows without a break belongs to it."""

_CLOSER = r"(?:\\?[\"'`*_]{1,3}+|[\])」』”’>]{1,2})?"
_ASIDE = r"(?:[ \t]*[(\[][^()\[\]\n]{0,40}[)\]]|[ \t]+for[ \t]+(?:the[ \t]+)?[\w@./-]{1,30}(?=:))?"
_ASSIGN = pattern(
    rf"{_CLOSER}{_ASIDE}{_CLOSER}[ \t]*"
    r"(?:(?::[ \t]*|[ \t])[&*A-Za-z_][\w.<>\[\]|&'?]{0,24}[ \t]*=(?=[ \t]*[^\s=~>,;)\]}}])"
    r"|=>|:=|::?|=(?![=~])|\|(?!\|)|>(?=[^\s<>=])|→|[,;]?\s{0,40}\\?[\"']?value\\?[\"']?[ \t]*[:=]|[ \t]*\{\s{0,40}default[ \t]*=)"
    r"(?:\*\*)?[ \t]*(?:[|>][+-]?[ \t]*\n[ \t]+|(?:is|was|是|为)[ \t]+)?(?:-[ \t]+)?(?:[bruf]{1,2}(?=[\"']))?",
    re.IGNORECASE,
)
_LISTED = pattern(r"\\?[\"'][ \t]*,[ \t]*(?=\\?[\"'])")
_SPACE = pattern(r"[ \t]+")
_QUOTE_NEXT = pattern(r"[ \t]+(?=[\"'`])")
_TELL = pattern(
    rf"{_ASIDE}(?:[ \t]+[A-Za-z0-9_@%./'’-]{{1,30}}){{0,6}}?[ \t]+(?:is|was|are|will|equals|becomes|became|to|=)(?:[ \t]+(?:now|still|currently|actually|just|simply|be))?(?:[ \t]+(?:been[ \t]+)?(?:changed|set|reset|updated|rotated)[ \t]+to)?"
    r"[ \t]*:?[ \t]+(?:be[ \t]+)?",
    re.IGNORECASE,
)
_TELL_CHINESE = pattern(
    rf"[sS]?{_CLOSER}{_ASIDE}[ \t]*[A-Za-z0-9_\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3 \t/@.-]{{0,24}}?"
    r"(?:[:=|是为為叫即→は는은]|[成到用作填][了]?|->)[ \t]*(?:[:=→]|->)?[ \t]*"
)
_BRACKET = pattern(
    r"[ \t]*(?=[(\[](?:[^)\]\s]{0,64}[!@#$%^&*~+=]|(?=[^)\]\s]{0,64}[a-z])(?=[^)\]\s]{0,64}[A-Z])[^)\]\s]{0,64}\d))"
)
"""Before what looks made up: 'SHA256' and 'bcrypt12' stand in brackets, too."""
_ADJOINING = pattern(rf"{_CLOSER}{_ASIDE}[ \t,]*")
_OPENERS = {"「": "」", "『": "』", "“": "”", "‘": "’", "《": "》", "【": "】", "(": ")", "[": "]", "<": ">"}
_QUOTED = {
    quote: pattern(
        rf"{re.escape(quote)}((?:[^{quote[-1]}\\\n]|\\{inner}.){{0,{LONGEST}}}?){re.escape(quote)}"
    )
    for quote, inner in (('"', ""), ("'", ""), ("`", ""), ('\\"', '(?!")'), ("\\'", "(?!')"))
}
_BARE = pattern(
    rf"(?:[!#-&(-;=-_a-~](?<!\\)|\\(?![nrt\"']))(?:[!#-&(-;=-\[\]-_a-~]|'(?=[^\s,;)\]}}.])|\\(?![nrt\"'])){{0,{LONGEST}}}+"
)
_REST = pattern(r"[!#-&(-;=-\[\]-_a-~]*+")
_CUT = pattern(r"[;,&](?=[A-Za-z_][\w .-]{0,30}[=:]|$)|[,;](?=[\"'{\[])")


def contexts(text: str, low: str) -> Iterator[Found]:
    """What follows a word that announces a secret. `low` is the text in lower case, letter by letter."""
    for word in WORDS:
        spots = Spots(low, word)
        while spots.at >= 0:
            found = _english(text, low, word, spots.at)
            if found is not None:
                yield found
            spots.on(found.end if found else 0)
    if text.isascii():
        return
    for word in CHINESE:
        spots = Spots(text, word)
        while spots.at >= 0:
            found = _told(text, spots.at + len(word), kind_of(word), _TELL_CHINESE)
            if found is not None:
                yield found
            spots.on(found.end if found else 0)


def _english(text: str, low: str, word: str, at: int) -> Found | None:
    match = NAME.match(text, at)
    if match is None or not meant(text, low, word, at, match):
        return None
    end = match.end()
    kind = kind_of(low[at:end])
    flag = text.rfind("-", max(0, at - 24), at)
    if flag >= 1 and text[flag - 1] == "-" and not text[flag + 1 : at].strip("abcdefghijklmnopqrstuvwxyz-"):
        spaced = _SPACE.match(text, end)
        if spaced is not None:
            return _value(text, spaced.end(), kind, Form.TOLD)
    sign = _ASSIGN.match(text, end)
    if word == "pin":
        # A person's PIN has digits only; what else is pinned is a version, or a commit.
        found = _value(text, sign.end(), kind, Form.TOLD) if sign is not None else None
        return found if found is not None and text[found.start : found.end].isdigit() else None
    if sign is not None:
        told = text[sign.end() - 1] == "|"
        return _value(text, sign.end(), kind, Form.TOLD if told else Form.ASSIGNED)
    listed = _LISTED.match(text, end) or _QUOTE_NEXT.match(text, end)
    if listed is not None:
        return _value(text, listed.end(), kind, Form.TOLD)
    if low.startswith("requirepass", max(0, at - 7)) or low[at:end] == "identified by":
        return _value(text, end + 1, kind, Form.TOLD)
    found = _told(text, end, kind, _TELL)
    if found is None and not text.isascii():
        found = _told(text, end, kind, _TELL_CHINESE)
    return found


def _told(text: str, end: int, kind: str, tell: re.Pattern[str]) -> Found | None:
    sign = tell.match(text, end)
    chinese = tell is _TELL_CHINESE
    if sign is not None:
        assigned = chinese and sign[0].rstrip()[-1:] in {":", "="}
        found = _value(text, sign.end(), kind, Form.ASSIGNED if assigned else Form.TOLD)
        if found is not None:
            return found
    # A Latin word goes on in what adjoins it; a Chinese one does not, and brackets behind it hold an aside, or it.
    for way in (_SPACE,) if text[end - 1].isascii() else (_BRACKET, _ADJOINING):
        beside = way.match(text, end)
        found = None if beside is None else _value(text, beside.end(), kind, Form.BESIDE)
        if found is not None:
            return found
    return None


def _value(text: str, at: int, kind: str, form: Form) -> Found | None:
    """The value that begins here, if it is one."""
    if text[at : at + 1] == "\0":
        return None
    password = kind in {"password", "credential"}
    opener = text[at : at + 2] if text[at : at + 1] == "\\" else text[at : at + 1]
    quoted = _QUOTED.get(opener)
    if quoted is not None:
        match = quoted.match(text, at)
        if match is not None:
            start = at + len(opener)
            # Several words in quotation marks are a sentence or a command.
            if " " not in match[1].strip() and secret(match[1].strip(), form, password=password, quoted=True):
                return Found(start, start + len(match[1]), kind, False)
            return None
        at += len(opener)
    elif opener in _OPENERS and opener not in "([<":
        close = text.find(_OPENERS[opener], at + 1, at + 200)
        if close > 0 and secret(text[at + 1 : close], form, password=password, quoted=True):
            return Found(at + 1, close, kind, False)
        at += 1
    match = _BARE.match(text, at)
    if match is None:
        return None
    end = match.end()
    if not password and match[0].endswith("...") and end - at < LONGEST:
        # Only its beginning is shown.
        return None
    cut = _CUT.search(match[0])
    value = trimmed(match[0][: cut.start()] if cut else match[0])
    if not secret(value, form, password=password):
        return None
    if end - at > LONGEST and at + len(value) == end:
        rest = _REST.match(text, end)
        return Found(at, rest.end() if rest else end, kind, False)
    return Found(at, at + len(value), kind, False)
