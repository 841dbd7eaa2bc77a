"""Secrets that stand otherwise than after a word on one line: written in a code, in a table, below a key, over lines.

`read_encoded` finds what a stretch says in escapes (`\\u0070`, `%70`, `&#112;`), base64 or hexadecimal, if that
is a secret; `read_arranged` what stands in a column, or below a key, that is named after secrets; `join_wrapped` adds the
lines that a secret goes on in. Each reads every text once, and of a stretch a bounded length.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.secret_contexts import (
    CHINESE,
    NAME,
    WORDS,
    classify_secret,
    find_context_secrets,
    is_secret_name,
)
from memtui.safety.secret_forms import find_placed_secrets
from memtui.safety.secret_values import Form, is_passphrase, is_secret_value
from memtui.safety.vendors import SecretSpan, find_vendor_secrets, gather_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.safety.normalize import PlainText

MOST = 4096
"""Characters of a line, or of a stretch in a code, that are decoded."""
MANY = 256
"""Lines, or stretches, of one text that are."""

_ESCAPES = compile_pattern(
    r"\\u00([0-7][0-9A-Fa-f])|\\x([2-7][0-9A-Fa-f])|%([2-7][0-9A-Fa-f])|&(?:#x([2-7][0-9A-Fa-f])|#([0-9]{2,3})|(lt|gt|quot|amp|apos|colon|equals));"
    r"|(?P<tag></?(?:a|b|code|em|font|i|kbd|p|pre|span|strong|td|th|tr|u)(?: [^<>\n]{0,80})?>)"
    r"|(?P<apart>(?<=[A-Za-z])\*\*(?=[a-z])|(?<=密)[ ]+(?=[码钥])|(?<=(?<![A-Za-z])[a-z])[ ](?=[a-z](?![A-Za-z])))"
)
_TELLING = (
    ("\\u00", compile_pattern(r"\\u00[2-7]")),
    ("\\x", compile_pattern(r"\\x[2-7][0-9A-Fa-f]")),
    ("%", compile_pattern("%(?:3[AaDd]|22|[46][1-9A-Fa-f]|[57][0-9Aa])")),
    ("&#", compile_pattern("&#x?[0-9A-Fa-f]{2,3};")),
    ("&lt;", compile_pattern("&lt;")),
    ("&quot;", compile_pattern("&quot;")),
    ("&colon;", compile_pattern("&colon;")),
    ("</", compile_pattern("</(?:b|code|em|i|span|strong|t[dh])>")),
    ("**word", compile_pattern(r"\*\*word")),
    ("w o r d", compile_pattern("w o r d")),
    ("密 ", compile_pattern("密 +[码钥]")),
)
"""Escapes and markup that a name, or what parts it from its value, may hide behind; in a value they are read as they stand."""
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "amp": "&", "apos": "'", "colon": ":", "equals": "="}
_CODED = compile_pattern(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_HEXED = compile_pattern(r"(?<![0-9A-Za-z])(?:[2-7][0-9A-Fa-f]){10,}(?![0-9A-Za-z])")
_PAIR = compile_pattern(r"[A-Za-z][\w.@+-]{1,63}:([!-~]{6,128})")
_PRIVATE = "PRIVATE KEY-----"


def read_encoded(text: str, runs: PlainText) -> Iterator[SecretSpan]:
    """Secrets in escapes, in base64 and in hexadecimal; `runs` are those of the text."""
    yield from _unescaped(text)
    number = 0
    for match in _CODED.finditer(runs.text):
        head = match[0][: MOST - MOST % 4].rstrip("=")
        # Words, paths and what is of one case throughout are no base64 of anything that people write.
        if head.islower() or head.isupper() or head.isdigit():
            continue
        body = head.replace("-", "+").replace("_", "/")
        try:
            said = a2b_base64((body[:-1] if len(body) % 4 == 1 else body) + "=" * (-len(body) % 4))
        except (Error, ValueError):
            continue
        if (span := _said(match, said)) is not None:
            yield _placed(span, runs)
            number += 1
        if number == MANY:
            return
    for match in _HEXED.finditer(runs.text):
        if (span := _said(match, bytes.fromhex(match[0][:MOST]))) is not None:
            yield _placed(span, runs)


def _placed(span: SecretSpan, runs: PlainText) -> SecretSpan:
    start, end = runs.span(span.start, span.end)
    return span._replace(start=start, end=end)


def _said(match: re.Match[str], said: bytes) -> SecretSpan | None:
    """The stretch, if what it says is a secret, or holds one."""
    if not said[:16].isascii() or len(said) < 10:
        return None
    text = said.decode("ascii", "replace")
    if text.count("\ufffd") or not all(letter.isprintable() or letter in "\r\n\t" for letter in text):
        return None
    if _PRIVATE in text:
        return SecretSpan(match.start(), match.end(), "private-key", True)
    pair = _PAIR.fullmatch(text.strip())
    if pair is not None and is_secret_value(pair[1], Form.TOLD, password=True):
        return SecretSpan(match.start(), match.end(), "password", False)
    found = _plain(text)
    if not found:
        return None
    return SecretSpan(match.start(), match.end(), found[0].kind, any(one.sure for one in found))


def _plain(text: str) -> list[SecretSpan]:
    flat = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
    low = flat.lower()
    return [
        *find_vendor_secrets(gather_runs(flat)),
        *find_placed_secrets(text, low),
        *find_context_secrets(text, low),
    ]


def _unescaped(text: str) -> Iterator[SecretSpan]:
    """What lines with escapes say without them."""
    lines: set[int] = set()
    for sign, telling in _TELLING:
        if sign[0] in text and sign in text:
            for match in telling.finditer(text):
                lines.add(
                    max(
                        text.rfind("\n", max(0, match.start() - MOST), match.start()) + 1,
                        match.start() - MOST,
                    )
                )
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for first in sorted(lines)[:MANY]:
        at = max(first, done)
        end = text.find("\n", at, at + MOST)
        done = end = min(at + MOST, len(text)) if end < 0 else end
        for escape in _ESCAPES.finditer(text, at, end):
            letter = _letter(escape)
            parts += (text[at : escape.start()], letter)
            places += (*range(at, escape.start()), *([escape.start()] if letter else ()))
            at = escape.end()
        parts += (text[at:end], "\n")
        places += (*range(at, end), end)
    if not parts:
        return
    places.append(len(text))
    for one in _plain("".join(parts)):
        yield one._replace(start=places[one.start], end=places[one.end])


def _letter(match: re.Match[str]) -> str:
    if match[6]:
        return _NAMED[match[6]]
    if match["tag"] or match["apart"]:
        return " " if match["tag"] else ""
    code = int(match[5]) if match[5] else int(next(filter(None, match.groups())), 16)
    return chr(code) if 32 <= code < 127 else "\0"


_RULED = compile_pattern(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|[-:| \t]*(?=\r?\n)")
_RULES = ("|-", "| -", "|:", "| :")
_SEPARATED = (
    ",pass", ",credential", ",secret", ",token", ",pin", ";pass", ";secret", ";token", ",密码", ",口令", ";密码", ";口令", ";暗号", "，密码",
)  # fmt: skip
_HEADER = compile_pattern(r"[ \t]*[\w .-]{1,32}(?:[,;，][ \t]*[\w .-]{1,32}){1,12}[ \t]*(?=\r?\n)")
"""The first line of comma-separated values."""
_AROUND = " \t\r*_`\"'"
_ROWS = 200
_INSERT = compile_pattern(
    r"insert into [\w.`\"\[\]]{1,80}\s{0,4}\(([^()]{1,600})\)\s{0,20}values\s{0,20}\(([^()\n]{1,2000})",
    re.IGNORECASE,
)
_VALUE = compile_pattern(r"\s*(?:'((?:[^'\\]|\\.|'')*)'|[^,']*)\s*(?:,|$)")
_BLOCK = compile_pattern(r"[ \t]*:[ \t]*\n(?=[ \t]+\S)")
_CHILD = compile_pattern(
    r"([ \t]+)(?:-[ \t]+)?(?:[\"']?([\w.-]{1,64})[\"']?[ \t]*[:=][ \t]+)?[\"']?([^\s\"'#]{12,512})[\"']?[ \t]*"
)
_CHILDREN = 12
_BLOCKS = ("credentials", "secrets", "passwords", "tokens", "api_keys", "apikeys", "stringdata")


def read_arranged(text: str, low: str) -> Iterator[SecretSpan]:
    """Secrets in a column of a table, and below a key, that is named after them."""
    if "│" in text:
        text = text.translate(_BOX)
    for sign in _RULES if "|" in text and "--" in text else ():
        at = text.find(sign)
        while at >= 0:
            first = text.rfind("\n", 0, at) + 1
            rule = _RULED.match(text, first) if first == at or text[first:at].isspace() or sign == "|-" else None
            if rule is not None:
                yield from _column(text, first, rule.end())
            stop = text.find("\n", at)
            at = text.find(sign, stop) if stop >= 0 else -1
    for sign in _SEPARATED:
        if (at := (low if sign.isascii() else text).find(sign)) >= 0:
            first = text.rfind("\n", 0, at) + 1
            head = _HEADER.match(text, first)
            if head is not None:
                end = text.index("\n", head.end())
                yield from _column(text, end + 1, end, sign[0])
    if ("   " in text or "\t" in text) and any(map(low.__contains__, _ALIGNED_WORDS)):
        for head in _ALIGNED.finditer(text):
            yield from _aligned(text, head)
    if "kind: secret" in low:
        for block in _SECRET_DATA.finditer(text):
            for entry in _SECRET_ENTRY.finditer(block[0]):
                yield SecretSpan(block.start() + entry.start(1), block.start() + entry.end(1), "secret", False)
    for word in _BLOCKS:
        at = low.find(word)
        while at >= 0:
            at += len(word)
            head = _BLOCK.match(text, at)
            if head is not None:
                yield from _children(text, head.end(), classify_secret(word))
            at = low.find(word, at)
    at = low.find("insert into ")
    while at >= 0:
        row = _INSERT.match(text, at)
        if row is not None:
            yield from _inserted(row)
        at = low.find("insert into ", row.end() if row else at + 1)


def _inserted(row: re.Match[str]) -> Iterator[SecretSpan]:
    """What a statement of SQL puts in a column that is named after secrets."""
    names = [name.strip(' `"\n\t') for name in row[1].split(",")]
    for name, value in zip(names, _VALUE.finditer(row[2]), strict=False):
        kind = _named_after(name)
        if (
            kind
            and value[1]
            and is_secret_value(
                value[1], Form.TOLD, password=kind in {"password", "credential"}, quoted=True, argument=True
            )
        ):
            yield SecretSpan(row.start(2) + value.start(1), row.start(2) + value.end(1), kind, False)


def _column(text: str, start: int, end: int, mark: str = "|") -> Iterator[SecretSpan]:
    first = text.rfind("\n", max(0, start - 1 - MOST), max(0, start - 1)) + 1
    columns: dict[int, str] = {}
    for number, cell in enumerate(text[first : max(first, start - 1)].split(mark)):
        kind = _named_after(cell.strip(_AROUND))
        if kind:
            columns[number] = kind
    if not columns:
        return
    at = end + 1
    for _row in range(_ROWS):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        cells = text[at : min(stop, at + MOST)].split(mark)
        if len(cells) < 2:
            return
        place = at
        for number, cell in enumerate(cells):
            if number in columns:
                kind, value = columns[number], cell.strip(_AROUND)
                if is_secret_value(
                    value, Form.TOLD, password=kind in {"password", "credential"}, argument=True
                ) and not any(map(str.isspace, value)):
                    start = place + len(cell) - len(cell.lstrip(_AROUND))
                    yield SecretSpan(start, start + len(value), kind, False)
            place += len(cell) + 1
        at = stop + 1
        if at >= len(text):
            return


_ALIGNED = compile_pattern(
    r"(?m)(?:^|\t|[ ]{2})(?:api |access )?(?i:key|token|secret|credential|pass(?:word|phrase)?|pwd|密码|口令|密钥|令牌|暗号|进入用)s?"
    r"(?=\t|[ ]{2}|[ ]*\r?$)"
)
"""The name of a column of secrets, where columns stand apart by tabs or spaces."""
_ALIGNED_WORDS = tuple(
    gap + word for word in ("key", "token", "secret", "credential", "pass", "pwd", "??", "api ") for gap in ("  ", "\t")
)
_BOX = str.maketrans("│├┼┤─", "|||| -".replace(" ", ""))
"""A table drawn with lines, as one of Markdown."""
_GAP = compile_pattern(r"\t+| {2,}")
_SECRET_DATA = compile_pattern(
    r"(?m)^(?:string)?data:[ ]*\r?\n(?:[ ]{1,8}[\w.-]{1,64}:[ ]*[^\n]{0,4096}(?:\n|\Z)){1,40}", re.IGNORECASE
)
_SECRET_ENTRY = compile_pattern(
    r"(?m)^[ ]{1,8}(?!user(?:name)?:|host:|port:|type:|region:|url:|name:)[\w.-]{1,64}:[ ]*[\"']?([A-Za-z0-9+/]{4,4096}={0,2})[\"']?[ ]*$"
)
"""What a manifest of Kubernetes holds in base64."""


def _aligned(text: str, head: re.Match[str]) -> Iterator[SecretSpan]:
    first = text.rfind("\n", max(0, head.start() - MOST), head.start() + 1) + 1
    stop = text.find("\n", head.end())
    names = _GAP.split(text[first : max(stop, first)].strip())
    number = next((at for at, name in enumerate(names) if name == head[0].strip()), -1)
    if stop < 0 or len(names) < 3 or number < 0 or stop - first > MOST:
        return
    kind, at = _named_after(names[number]) or "key", stop + 1
    for _row in range(_ROWS):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        cells = list(_CELL.finditer(text, at, min(stop, at + MOST)))
        if len(cells) < number + 1 or len(cells) > len(names):
            return
        value, place = cells[number][0], cells[number].start()
        password = kind in {"password", "credential", "key"}
        one = not any(map(str.isspace, value))
        if (one and is_secret_value(value, Form.TOLD, password=password, argument=True)) or (
            kind == "password" and is_passphrase("-".join(value.split()), Form.TOLD)
        ):
            yield SecretSpan(place, place + len(value), kind, False)
        at = stop + 1
        if at >= len(text):
            return


_CELL = compile_pattern(r"[^\s](?:[ ]?[^\s])*+")


def _named_after(name: str) -> str:
    """What secrets a column of this name holds; empty: none."""
    low = name.lower()
    for word in WORDS:
        at = low.find(word)
        match = NAME.match(name, at) if at >= 0 else None
        if match is not None and match.end() == len(name) and is_secret_name(name, low, word, at, match):
            return classify_secret(low[at:])
    return next((classify_secret(word) for word in CHINESE if name.endswith(word)), "")


def _children(text: str, at: int, kind: str) -> Iterator[SecretSpan]:
    for _number in range(_CHILDREN):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at : min(stop, at + MOST)]
        if not line[:1].isspace():
            return
        child = _CHILD.fullmatch(line)
        if (
            child is not None
            and (child[2] or "-" in line[: child.start(3)])
            and is_secret_value(child[3], Form.TOLD, password=False, argument=True)
        ):
            yield SecretSpan(at + child.start(3), at + child.end(3), kind, False)
        at = stop + 1
        if at >= len(text):
            return


_RUN = r"[A-Za-z0-9+/=_.~-]"
_JOINED = compile_pattern(
    rf"\\\r?\n[ \t]*(?P<a>{_RUN}{{4,}})|[\"'][ \t]*[+.\\]?[ \t]*\r?\n?[ \t]*[+.]?[ \t]*(?P<q>[\"'])(?P<b>{_RUN}{{4,}})(?=(?P=q))"
)
_FOLDED = compile_pattern(r"[:=][ \t]*[|>][+-]?[ \t]*\r?\n([ \t]+)\Z")
_LINES = 64


def join_wrapped(text: str, found: Sequence[SecretSpan]) -> list[SecretSpan]:
    """The spans, each with what it goes on in: behind a backslash, in the next string, in a folded block."""
    joined: list[SecretSpan] = []
    for one in found:
        end = one.end
        folded = _FOLDED.search(text, max(0, one.start - 48), one.start)
        more = re.compile(rf"\r?\n{folded[1]}(?P<a>{_RUN}{{8,}})(?=\r?\n|\Z)") if folded else _JOINED
        for _line in range(_LINES):
            match = more.match(text, end - (folded is None and text[end - 1] == "\\"))
            if match is None or match.end() - match.start() > MOST:
                break
            end = match.end()
        joined.append(one if end == one.end else one._replace(end=end))
    return joined
