"""The plain text behind a disguise: letters borrowed from other scripts, digits for letters, spaced, turned, encoded.

Each view is the whole text (or the stretch that was encoded) as somebody who wants it read would have it read.
"""

from __future__ import annotations

import re
import unicodedata
from binascii import Error, a2b_base64
from codecs import encode
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memtui.pattern import pattern
from memtui.safety.normal import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

_TWINS = (
    # Cyrillic, Greek, Armenian, Cherokee and Latin letters that look like the first of each row.
    "aаɑαᴀ", "bЬвʙ", "cсϲᴄ", "dԁɗᴅ", "eеєҽεᴇ", "fғϝ", "gɡԍɢ", "hһнʜ", "iіɩıɪι", "jјʝ", "kкκᴋ", "lӏⅼʟ", "mмʍᴍ", "nпռηɴ",
    "oоοօσᴏ", "pрρᴘ", "qԛ", "rгʀ", "sѕꜱ", "tтτᴛ", "uυսᴜ", "vѵνᴠ", "wѡԝωᴡ", "xхχ", "yуүγʏ", "zᴢʐ",
    "aΑА", "bΒВ", "eΕЕ", "zΖ", "hΗН", "iΙІ", "kΚК", "mΜМ", "nΝ", "oΟО", "pΡР", "tΤТ", "yΥУ", "xΧХ", "cСϹ", "sЅ", "jЈ",
)  # fmt: skip
_LEET = str.maketrans("0134578@$!|€(", "oieastbasilec")
_LEETED = pattern(r"[a-z0-9@$!|€(]{2,}")
_NO_LETTER = pattern(r"[\W_]+")
_SPELT = pattern(r"(?:[^\W_]{1,3}+[^\w\n]{1,4}+){6,}+(?:[^\W_]{1,3}+(?![^\W_]))?")
_HAN = "[\u3040-\u30ff\u4e00-\u9fff]"
_TAKEN_APART = pattern(rf"(?<=[a-z])[-._*·~^+]+(?=[a-z])|(?<={_HAN})[\s.*_·|/~^+-]+(?={_HAN})")
_CODED = pattern(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEXED = pattern(r"(?:[0-9a-fA-F]{2}[ :]?){16,}")
_ESCAPES = pattern(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{1,6});|&#([0-9]{1,7});")
_MARKS = pattern(
    "[\u0300-\u036f\u0483-\u0487\u05b0-\u05c7\u064b-\u065f\u0670\u093c\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a]+"
)
_MOST = 64
_ALPHABET = pattern("[a-z]")


@cache
def _twins() -> dict[int, str]:
    return {ord(twin): row[0] for row in _TWINS for twin in row[1:]}


def unmarked(text: str) -> str:
    """Without accents and other marks."""
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _MARKS.sub("", letters))


def latin(text: str) -> str:
    """With the Latin letters that others only look like."""
    return text if text.isascii() else text.translate(_twins())


def unleet(text: str) -> str:
    """With letters for the digits and signs inside of words; `text` in lower case."""
    return _LEETED.sub(_lettered, text)


def _lettered(match: re.Match[str]) -> str:
    word = match[0]
    return word.translate(_LEET) if not word.isalpha() and any(map(str.isalpha, word)) else word


def joined(text: str) -> tuple[str, str]:
    """With the marks inside of words gone, and with spaces for them."""
    return _TAKEN_APART.sub("", text), _TAKEN_APART.sub(" ", text)


def spelt(text: str) -> str:
    """The stretches that are spelt letter by letter, in one piece each."""
    return "\n".join(compact(match[0]) for match in _SPELT.finditer(text))


def compact(text: str) -> str:
    """Letters and digits alone: spaced, dotted and hyphenated words become whole."""
    return _NO_LETTER.sub("", text)


def decoded(text: str) -> Iterator[str]:
    """What stretches in base64, hexadecimal, percent signs and escapes say, where they say something readable."""
    for number, match in enumerate(_CODED.finditer(text)):
        if number == _MOST:
            break
        body = match[0].replace("-", "+").replace("_", "/").rstrip("=")
        try:
            said = a2b_base64(
                body[: len(body) // 4 * 4 if len(body) % 4 == 1 else len(body)] + "=" * (-len(body) % 4)
            )
        except (Error, ValueError):
            continue
        yield from _readable(said)
    for number, match in enumerate(_HEXED.finditer(text)):
        if number == _MOST:
            break
        digits = re.sub("[ :]", "", match[0])
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    if text.count("%") > 3:
        yield unquote(text, errors="replace")
    if _ESCAPES.search(text) is not None:
        yield _ESCAPES.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    number = int(match[4]) if match[4] else int(next(filter(None, match.groups())), 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else " "


def _readable(said: bytes) -> Iterator[str]:
    try:
        text = said.decode("utf-8")
    except UnicodeDecodeError:
        return
    if len(text) >= 8 and sum(letter.isprintable() or letter in "\n\t" for letter in text) == len(text):
        yield text


def rot13(text: str) -> str:
    """The oldest cipher, of Latin letters alone."""
    return encode(text.encode("ascii", "ignore").decode(), "rot13")


def seen(text: str) -> str:
    """Plain, in lower case, without accents."""
    return unmarked(plain(text).text.lower())
