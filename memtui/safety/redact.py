"""Secrets in a text, found and masked (reliability §3): by their form, their place, the word before them, own patterns.

First, a person's own patterns: accepted only if no text can keep them busy for long
(`compile_secret_patterns`). Then `redact`, which merges what they, `vendors`, `secret_forms`,
`secret_contexts`, `secret_guess` and `secret_phrases` find, and `restore_secrets`; last `find_hints`, of what a person is
asked about. Nothing is masked for looking random alone: hashes, ids and
pictures in base64 are everywhere in memories. Masking twice changes nothing.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from functools import cache
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern, sha256
from memtui.safety.normalize import normalize_disguises
from memtui.safety.secret_contexts import find_context_secrets
from memtui.safety.secret_forms import find_placed_secrets
from memtui.safety.secret_guess import guess_secrets
from memtui.safety.secret_phrases import find_phrases
from memtui.safety.secret_readings import join_wrapped, read_arranged, read_encoded
from memtui.safety.vendors import SecretSpan, find_vendor_secrets, gather_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONGEST = 500
"""Characters of one pattern."""

MOST = 100
"""Patterns."""

WAYS = 256
"""How many ways a pattern may have to match at one place, before it is too slow for a text of a megabyte."""

_LONG = 1000
"""Ways of a repetition without a bound."""

_ENDLESS = 1 << 40

_REPEATS = {code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT}
_SIMPLE = {code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN, code.AT, code.RANGE, code.CATEGORY}


def compile_secret_patterns(patterns: Iterable[str]) -> tuple[tuple[re.Pattern[str], ...], list[str]]:
    """The patterns that are safe, and a sentence for each that is not. Never raises."""
    good: list[re.Pattern[str]] = []
    told: list[str] = []
    for number, source in enumerate(patterns):
        if number == MOST:
            told.append(_("redact.patterns: only the first {count} are used").format(count=MOST))
            break
        reason = explain_unsafe_pattern(source)
        if reason:
            told.append(
                _("redact.patterns: '{pattern}' is left out: {reason}").format(pattern=source[:60], reason=reason)
            )
        else:
            good.append(re.compile(source))
    return tuple(good), told


def explain_unsafe_pattern(pattern: str, ways: int = WAYS) -> str:
    """Why a person's own expression cannot be used, in a few words; empty: it can.

    `ways`: more than `WAYS` where it only ever sees a few thousand characters at a time.
    """
    if len(pattern) > LONGEST:
        return _("it is longer than {count} characters").format(count=LONGEST)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parser.parse(pattern)
            found = re.compile(pattern)
    except (re.error, OverflowError, RecursionError, MemoryError) as error:
        return _("it is not a valid regular expression ({error})").format(error=error)
    if found.match("") is not None:
        return _("it matches where nothing stands")
    if _ways(tree, last=True, inside=False) > ways:
        return _(
            "it could take very long on some texts (give every repetition but the last a bound, like {1,40}, and put none inside of another)"
        )
    return ""


def _ways(tree: Any, *, last: bool, inside: bool) -> int:
    """How many ways there are, at most, to try it at one place: what repeats must be bounded, unless nothing follows,
    and never nested.
    """
    ways = 1
    steps = list(tree)
    for number, (operation, argument) in enumerate(steps):
        end = last and number == len(steps) - 1
        if operation in _REPEATS:
            least, most, inner = argument
            if inside and most > 1:
                return _ENDLESS
            ways *= 1 if end else min(most - least + 1, _LONG)
            ways *= _ways(inner, last=False, inside=most > 1)
        elif operation is code.BRANCH:
            ways *= _ENDLESS if inside else sum(_ways(part, last=end, inside=inside) for part in argument[1])
        elif operation is code.SUBPATTERN:
            ways *= _ways(argument[3], last=end, inside=inside)
        elif operation in {code.ASSERT, code.ASSERT_NOT}:
            ways *= _ways(argument[1], last=False, inside=inside)
        elif operation not in _SIMPLE:
            return _ENDLESS
    return ways


SHOWN = 20
"""Characters that a secret must have before any of them are shown."""

_ROUNDS = 6
_MASK = compile_pattern(r"\[(?:已脱敏|redacted):[\w-]{1,40}\]|[!-~]{2,4}…[!-~]{2,4}")
_KEY = compile_pattern(
    r"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE[ \r\n>#*]{1,6}KEY(?: BLOCK)? ?-{4,5}|Private-Lines: \d{1,3}"
)
_KEY_END = compile_pattern(
    r"-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE[ \r\n>#*]{1,6}KEY(?: BLOCK)? ?-{4,5}|Private-MAC: [0-9a-f]{40,64}"
)
_KEY_BODY = compile_pattern("[A-Za-z0-9+/=]{16}")
_KEY_SIGNS = ("---BEGIN ", "--- BEGIN ", "Private-Lines:")
_KEY_LINE = compile_pattern(
    r"[ \t>|#*\"'+,-]*(?:[A-Za-z0-9+/=]{16,}[\"',\\n]*|[A-Za-z0-9+/]{1,76}={0,2}[\"',\\n]*|[A-Z][A-Za-z-]+: [^\n]{0,200}|)[ \t\r]*(?:\n|\Z)"
)
_KEY_WINDOW = 65536
_SOURCE = "(source="
"""Before the id of the session that a line of a journal comes from (spec 001 §3.2)."""
_PICTURE = compile_pattern(r";base64,[A-Za-z0-9+/=]{32,}")
_PHRASE = compile_pattern(
    r"(?i)(?:twelve words|pass ?phrase|mnemonic|seed(?: phrase| words)?|recovery (?:phrase|words)|助记词|助記詞|钱包[^\n:：a-z]{0,8})[\"'*`]{0,3}[ \t]*(?:[(（][^()（）\n]{0,40}[)）])?[ \t]*(?:[:=]|is|are|是|为|：)?[ \t]*"
    r"(?:[\"'`「“]|\n[ \t]*)?(?P<v>(?:[a-z]{3,9}[ ,]{1,2}){11,23}[a-z]{3,9}|1[.)]?[ ]?[a-z]{3,9}(?:[ ,;\n]{1,2}\d{1,2}[.)]?[ ]?[a-z]{3,9}){11,23})"
)
_PHRASE_WORDS = (
    "passphrase",
    "pass phrase",
    "mnemonic",
    "seed",
    "recovery phrase",
    "recovery words",
    "twelve words",
)
_WIDE_PHRASE_WORDS = ("助记词", "助記詞", "钱包")
"""What that pattern begins with: tried at every letter it would take a tenth of all the time."""


class Secret(NamedTuple):
    """One secret, by its offsets in the text as it was given."""

    kind: str
    start: int
    end: int
    mask: str
    sure: bool
    """It shows by its own form or place; else only by the word before it."""


class Redacted(NamedTuple):
    """A text with its secrets masked, and what they were."""

    text: str
    secrets: tuple[Secret, ...]


_LARGE, _MOST_PLAIN = 2048, 8192
_PLAIN: set[str] = set()
"""Digests of so many of the larger texts in which nothing was found: a file is read to be shown, and read again to tell
which of its lines leak."""


def redact(text: str, patterns: Sequence[re.Pattern[str]] = ()) -> Redacted:
    """The text with every secret masked: 'ghp_…Q7xa', '[redacted:password]'; `patterns` are a person's own.

    All else stays as it is, and so does the number of lines. Linear in the length; never raises.
    """
    mark = sha256(text.encode("utf-8", "surrogatepass")) if len(text) >= _LARGE and not patterns else ""
    if mark and mark in _PLAIN:
        return Redacted(text, ())
    spans = _spans(text, patterns)
    if not spans:
        if mark:
            if len(_PLAIN) >= _MOST_PLAIN:
                _PLAIN.clear()
            _PLAIN.add(mark)
        return Redacted(text, ())
    for _round in range(_ROUNDS):
        secrets = [_secret(text, span) for span in spans]
        masked, shifts = _masked(text, secrets)
        more = _spans(masked, patterns)
        if not more:
            break
        # What is left beside a mask may look like a secret now: it belongs to it.
        spans = _merged([*spans, *(_original(span, shifts) for span in more)], text)
    return Redacted(masked, tuple(secrets))


def propose_secrets(text: str, patterns: Sequence[re.Pattern[str]] = (), *, scan: bool = True) -> list[Secret]:
    """What is masked (where there is reason to `scan` for it), and what a person is asked about besides, in order."""
    known = list(redact(text, patterns).secrets) if scan else []
    hints = [_secret(text, one) for one in find_hints(text)]
    return sorted(
        [*known, *(one for one in hints if not any(one.start < two.end and two.start < one.end for two in known))],
        key=lambda one: one.start,
    )


def restore_secrets(text: str, raw: str) -> str:
    """The text with the masks in it that stand for secrets of `raw` made those again: it was shown masked."""
    for secret in redact(raw).secrets:
        text = text.replace(secret.mask, raw[secret.start : secret.end], 1)
    return text


def _spans(text: str, patterns: Sequence[re.Pattern[str]]) -> list[SecretSpan]:
    """Where secrets stand, in order, not overlapping."""
    # Nothing begins or ends in a mask, and the word in it announces nothing.
    given = _MASK.sub(_blank, text) if "…" in text or "[已脱敏:" in text or "[redacted:" in text else text
    normal = normalize_disguises(given)
    clean = normal.text
    # One byte a letter, place by place: words are found in it many times faster.
    flat = clean if clean.isascii() else clean.encode("ascii", "replace").decode("ascii")
    low = flat.lower()
    found: list[SecretSpan] = []
    if any(sign in clean for sign in _KEY_SIGNS):
        found += _keys(clean)
    runs = gather_runs(flat)
    found += find_vendor_secrets(runs)
    found += find_placed_secrets(clean, low)
    found += find_context_secrets(clean, low)
    found += read_arranged(clean, low)
    found += read_encoded(clean, runs)
    found += guess_secrets(clean)
    found += find_phrases(clean, low)
    found += _phrases(clean, low)
    if ";base64," in clean:
        pictures = [match.span() for match in _PICTURE.finditer(clean)]
        found = [one for one in found if not any(start <= one.start and one.end <= end for start, end in pictures)]
    found = join_wrapped(clean, found)
    if found and _SOURCE in clean:
        # A word before it ('the password is in the vault') announces no secret there: it is where a line comes from.
        found = [one for one in found if one.sure or clean.rfind(_SOURCE, max(0, one.start - 8), one.start + 8) < 0]
    if normal.starts:
        found = [SecretSpan(*normal.span(one.start, one.end), one.kind, one.sure) for one in found]
    for own in patterns:
        found += (SecretSpan(*_group(match), "custom", False) for match in own.finditer(given) if match[0].strip("\0"))
    return _merged(found, text)


def _group(match: re.Match[str]) -> tuple[int, int]:
    """The first group where a pattern has one: what stands before it may stay."""
    return match.span(1) if match.re.groups and match[1] else match.span()


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _phrases(text: str, low: str) -> Iterator[SecretSpan]:
    words = [(low, word) for word in _PHRASE_WORDS]
    words += [(text, word) for word in _WIDE_PHRASE_WORDS if word[0] in text]
    for within, word in words:
        at = within.find(word)
        while at >= 0:
            match = _PHRASE.match(text, at)
            if match is not None:
                yield SecretSpan(*match.span("v"), "seed-phrase", True)
            at = within.find(word, at + len(word) if match is None else match.end())


def _keys(text: str) -> list[SecretSpan]:
    found: list[SecretSpan] = []
    at = 0
    closing: re.Match[str] | None = None
    ended = False
    while (head := _KEY.search(text, at)) is not None:
        start, at = head.span()
        if closing is None or closing.start() < at:
            # Looked for once, not again behind every beginning that has none.
            closing = _KEY_END.search(text, at) if not ended else None
            ended = closing is None
        end = closing if closing is not None and closing.end() <= at + _KEY_WINDOW else None
        if end is not None:
            inner = _KEY.search(text, at, end.start())
            if inner is None:
                # Without a line of a key between them, it is spoken about.
                if _KEY_BODY.search(text, at, end.start()) is not None:
                    found.append(SecretSpan(start, end.end(), "private-key", True))
                at = end.end()
                continue
        body = at
        first = text.find("\n", at, at + 8)
        if first >= 0:
            body = first + 1
            while (line := _KEY_LINE.match(text, body)) is not None and line.end() > body and line[0].strip():
                body = line.end()
        else:
            loose = re.compile(r"(?:\\n|\\r|[A-Za-z0-9+/= ])*").match(text, at, at + _KEY_WINDOW)
            body = loose.end() if loose else at
        while body > at and text[body - 1].isspace():
            body -= 1
        if body - at > 16 and _KEY_BODY.search(text, at, body) is not None:
            found.append(SecretSpan(start, body, "private-key", True))
            at = body
    return found


def _merged(found: Iterable[SecretSpan], text: str) -> list[SecretSpan]:
    merged: list[SecretSpan] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if merged and one.start < merged[-1].end:
            last = merged[-1]
            better = one if one.sure > last.sure else last
            merged[-1] = SecretSpan(last.start, max(one.end, last.end), better.kind, better.sure)
        elif one.end > one.start:
            merged.append(one)
    return merged


def _secret(text: str, found: SecretSpan) -> Secret:
    start, end, kind, sure = found
    value = text[start:end]
    shown = 4 if len(value) >= 32 else 2
    head, tail = value[:shown], value[-shown:]
    # Of a key of many lines no end says which one it is.
    if (
        kind != "private-key"
        and len(value) >= SHOWN
        and all("!" <= letter <= "~" for letter in head + tail)
        and "\n" not in value
    ):
        mask = f"{head}…{tail}"
    else:
        mask = f"[redacted:{kind}]" + "".join(re.findall(r"\r?\n", value)).replace("\n", "\n…")
    return Secret(kind, start, end, mask, sure)


def _masked(text: str, secrets: Sequence[Secret]) -> tuple[str, list[tuple[int, int, int, int]]]:
    """The text with the masks in it; and for each mask where it stands there and what it stands for."""
    parts: list[str] = []
    shifts: list[tuple[int, int, int, int]] = []
    done = at = 0
    for secret in secrets:
        parts += (text[done : secret.start], secret.mask)
        at += secret.start - done
        shifts.append((at, at + len(secret.mask), secret.start, secret.end))
        at += len(secret.mask)
        done = secret.end
    parts.append(text[done:])
    return "".join(parts), shifts


def _original(found: SecretSpan, shifts: Sequence[tuple[int, int, int, int]]) -> SecretSpan:
    return found._replace(start=_back(found.start, shifts, 0), end=_back(found.end, shifts, 1))


def _back(place: int, shifts: Sequence[tuple[int, int, int, int]], side: int) -> int:
    number = bisect_right(shifts, (place, 1 << 62)) - 1
    if number < 0:
        return place
    _start, end, first, last = shifts[number]
    if place < end:
        return last if side else first
    return last + place - end


# What most probably lets somebody in, by its surroundings alone: a safe's number, a door's, the answer to a bank's
# question. No word announces it and no form gives it away: 'the safe opens with 48-13-77', '到了门口按 7391#'. Ids, ports
# and dates look alike, so nothing is ever masked for this: a person is asked in Review (`store.secrets`). A hint is a
# door, or a way in, and a value near it in the same sentence.

_IN_SENTENCE = r"[^.!?;。！？；\n]"
"""Within a sentence."""
_DIGITS = (
    r"(?<![\w.:/#$€£-])(?!(?:19|20)\d\d(?![\d#*]))(?P<{name}>\*?\d{{4,8}}[#*]?|\d{{1,2}}(?:[-–]\d{{1,2}}){{2,4}}|\d(?:[ -]\d){{3,7}})"
    r"(?![\w%:/°]|[.,-]\d|\s?(?:mm|cm|m²|kg|km|px|ms|kb|mb|gb|people|entries|users|pages|rows|files|lines|items|usd|eur|元|年|月|日|点|人|条|件|个|次|块|号楼|万|积分|货架|室|房间|楼))"
)
_VALUE_WORD = (
    r"(?<![\w./@-])(?P<{name}>(?=[!-~]{{0,31}}[\d!#$&*+?])(?=[!-~]{{0,31}}[A-Za-z])(?!https?:|[\w-]+\.[a-z]{{2,4}}\b|-|\d+(?:\.\d+)?[A-Za-z]{{1,3}}\b)"
    r"[\w!#$&*+?~.:@^-]{{5,32}}?)(?=[\s,;)，。；)”\"'`]|[.!?](?:\s|$)|$)"
)
_DOOR = (
    r"\b(?:safe|vault door|strongbox|lockers?|alarm|key ?box|lock ?box|(?:bike|cable|number|door|combination)[ -]lock|padlock|gate|garage"
    r"|(?:front|back|side|server room|entrance|house) door|intercom|phone|tablet|sim(?: card)?|voice ?mail|bank card|debit card|credit card|zoom|meeting room|conference|retro"
    r"|tresor|schlie(?:ß|ss)fach|haust[uü]r|alarmanlage|digicode|coffre|portail|caja fuerte)\b"
)
_GIVES = r"\b(?:opens?|unlocks?|disarms?|armed|comes? on|lets? (?:you|us|them) in|answers?|dial|enter|type|key in|punch in|press|code|combination|number|digicode|combinaison)\b"
_ASKED_BY = r"(?:[ ]when (?:it|they|she|he|you(?:'re| are))[ ]?(?:asks?|asked|prompted|wants?)|[ ](?:at|on) the (?:prompt|keypad|gate|door)|[ ]to (?:get in|open|unlock|join|enter|disarm)\b)"
_WIDE_DOOR = r"(?:门口|门禁|大门|楼门|单元门|房门|门锁|车库|密码锁|保险[箱柜]|钥匙[盒箱]|储物柜|快递柜|银行卡|取款|手机解锁|锁屏|对讲)"

_HINTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("opens", "opened", "unlock", "disarm"), rf"{_DOOR}{_IN_SENTENCE}{{0,40}}?\b(?:open(?:s|ed)?|unlock(?:s|ed)?|disarm(?:s|ed)?)\b{_IN_SENTENCE}{{0,12}}?\b(?:with|by|to|using)\b{_IN_SENTENCE}{{0,12}}?{_DIGITS}"),
    (("asks", "asked", "prompt", "keypad", "get in", "to open", "to unlock", "to join", "to enter", "to disarm", "at the gate", "at the door"), rf"{_DIGITS}{_ASKED_BY}"),
    (("safe", "lock", "alarm", "box", "gate", "garage", "door", "intercom", "tresor", "fach", "anlage", "coffre", "portail", "caja", "card"), rf"{_DOOR}{_IN_SENTENCE}{{0,40}}?{_GIVES}{_IN_SENTENCE}{{0,16}}?{_DIGITS}"),
    (("digicode", "code", "kod"), rf"\b(?:digicode|t[uü]rcode|code (?:de|d['’]) ?\w+|door code|gate code|entry code)\b{_IN_SENTENCE}{{0,28}}?(?:est|c['’]est|ist|is|:|=)[ ]?(?P<v>(?=[0-9A-Z]*\d)[0-9A-Z]{{4,7}})\b"),
    (("log", "type", "enter", "user", "sign", "login"), rf"\b(?:type|enter|log(?:ged)?[ -]?in (?:as|with)|sign(?:ed)?[ -]?in (?:as|with)|user(?:name)?|login)\b[: ]+['\"`]?[\w.@-]{{2,24}}['\"`]?(?:,? and(?: then)?|,? then|[ ]?/|, (?:pass|then|with))(?: (?:pass|with|the word|word))?[ ]['\"`]?{_VALUE_WORD}"),
    (("key", "licen", "activat", "serial", "sticker", "序列号", "激活", "许可"), r"(?i:\b(?:key|licen[cs]e|activation|serial|sticker)\b|序列号|激活码?|许可)[^\n]{0,40}?(?<![\w-])(?P<v>[A-Z0-9]{5}(?:-[A-Z0-9]{5}){2,5}|(?=[A-Z0-9]*\d)[A-Z0-9]{8,}-[A-Za-z0-9+/=]{10,})(?![\w-])"),
    (("question", "frage"), rf"\b(?:answer to|answered|antwort auf)\b{_IN_SENTENCE}{{0,40}}?\b(?:security|secret|sicherheits|account|bank'?s?)[ -]?(?:security )?(?:question|frage)\b{_IN_SENTENCE}{{0,8}}?\b(?:is|ist|was|:)[ ](?!(?:in|at|on|not|the|a|an|to|kept|stored|under|unknown|with|see|always|who|what|wrong|right|yes|no)\b)(?P<v>[^\s.,;\[]{{3,24}}(?: [A-Z][^\s.,;]{{1,20}}){{0,2}})"),
    (("门", "锁", "箱", "柜", "盒", "银行卡", "取款", "屏", "对讲"), rf"{_WIDE_DOOR}(?!{_IN_SENTENCE}{{0,12}}(?:电话|尾号|客服|挂失|型号|架)){_IN_SENTENCE}{{0,14}}?{_DIGITS}(?:，{_IN_SENTENCE}{{2,8}}?[ ]?{_DIGITS.replace('{name}', '{other}')})?"),
    (("密码", "口令", "暗号", "开机码", "提取码"), rf"(?:密码|口令|暗号|开机码|提取码){_IN_SENTENCE}{{0,8}}?(?:是|为|：|:|用|填)[ ]?(?P<v>(?=[A-Za-z0-9_.@-]*\d)(?=[0-9_.@-]*[A-Za-z])[A-Za-z0-9_.@-]{{5,32}})(?![\w])"),
)  # fmt: skip
"""Of each kind words without one of which it is not tried, and what it looks like; the value is the group `v`."""


@cache
def _compile_hints() -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    return tuple((words, compile_pattern(_fill_hint(pattern), 2)) for words, pattern in _HINTS)


def _fill_hint(pattern: str) -> str:
    return pattern.replace("{name}", "v").replace("{other}", "w").replace("{{", "{").replace("}}", "}")


def find_hints(text: str) -> Iterator[SecretSpan]:
    """What a person should be asked about. Nothing of it is sure."""
    low = text.lower()
    seen: set[tuple[int, int]] = set()
    for words, pattern in _compile_hints():
        if not any(word in low for word in words):
            continue
        for match in pattern.finditer(text):
            for group in ("v", "w"):
                if group in pattern.groupindex and match[group] and match.span(group) not in seen:
                    seen.add(match.span(group))
                    yield SecretSpan(*match.span(group), "password", False)
