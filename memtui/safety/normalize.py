"""The plain text behind a disguise, with the way back to the offsets of the original.

`normalize_disguises` folds full-width forms and drops characters that draw nothing; its `PlainText` maps
stretches back to the text as it came. Below it stand the other readings, each of the whole text or of the
stretch that was encoded: look-alike letters of other scripts, digits for letters, split and spelled words,
base64, hexadecimal, percent signs, escapes, ROT13. Secrets and injections are searched for in these readings
and reported by their place in the original.
"""

from __future__ import annotations

import re
import unicodedata
from binascii import Error, a2b_base64
from bisect import bisect_right
from codecs import encode
from functools import cache, lru_cache
from urllib.parse import unquote

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""What draws nothing: zero width, directions, tags, selectors. The inside of a regular expression class."""

_FOLDED = (
    "\xa0\xaa\xb2\xb3\xb9\xba\u2000-\u200a\u2010\u2011\u202f\u205f\u2070-\u209c\u2100-\u214f\u2460-\u24ff"
    "\u3000\ufb00-\ufb06\ufe50-\ufe6b\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f100-\U0001f189"
)
"""What has a plain form: full-width, mathematical, circled and raised letters, and spaces of every width."""

_COMMON = (("，", " "), ("：", ":"), ("（", "("), ("）", ")"), ("；", " "), ("！", " "), ("？", " "))
"""What Chinese text is full of; where there is nothing else, this is all."""

_RANGES = compile_pattern("(.)(?:-(.))?", re.DOTALL)


class PlainText(NamedTuple):
    """Plain text, and where each stretch of it came from."""

    text: str
    starts: list[int]
    """Where stretches begin in `text`; the empty list: it is the text as it came."""
    origins: list[int]
    """Where they began in the text as it came."""
    grown: frozenset[int]
    """The stretches that all came from one character, by where they begin."""

    def place(self, index: int) -> int:
        """Where the character at `index` came from."""
        if not self.starts:
            return index
        stretch = bisect_right(self.starts, index) - 1
        start = self.starts[stretch]
        return self.origins[stretch] + (0 if start in self.grown else index - start)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """What [start, end) stands for in the text as it came, with all that was dropped inside of it."""
        return self.place(start), self.place(end - 1) + 1


@cache
def _unusual() -> re.Pattern[str]:
    return compile_pattern(f"[{UNSEEN}{_FOLDED}]")


@cache
def _ends() -> re.Pattern[str]:
    # They end a phrase, unless full-width letters stand on both sides: then they may be a part of a password.
    mark, letter = "[\uff01\uff0c\uff1b\uff1f]", "[\uff01-\uff5a]"
    return compile_pattern(f"{mark}(?<!{letter}{mark})|{mark}(?!{letter})")


@cache
def _forms() -> tuple[dict[int, str], dict[str, str], re.Pattern[str]]:
    """What becomes one other character; what becomes several; and a pattern for those and for what goes."""
    single: dict[int, str] = {}
    several: dict[str, str] = {}
    for first, last in _RANGES.findall(_FOLDED):
        for point in range(ord(first), ord(last or first) + 1):
            form = unicodedata.normalize("NFKC", chr(point))
            if len(form) == 1:
                single[point] = form
            elif form:
                several[chr(point)] = form
    # One class: with alternatives it would take five times as long.
    return single, several, compile_pattern(f"[{UNSEEN}{re.escape(''.join(several))}]")


@cache
def _singles() -> re.Pattern[str]:
    return compile_pattern(f"[{_FOLDED}]+")


def normalize_disguises(text: str) -> PlainText:
    """The text with nothing in it that hides or only looks different. Linear in its length."""
    if text.isascii():
        return PlainText(text, [], [], frozenset())
    common = text
    for mark, form in _COMMON:
        common = common.replace(mark, form)
    if _unusual().search(common) is None:
        return PlainText(common, [], [], frozenset())
    single, several, odd = _forms()
    # A translation looks at each character; nearly all of them stay.
    text = _singles().sub(lambda match: match[0].translate(single), _ends().sub(" ", text))
    parts: list[str] = []
    starts, origins = [0], [0]
    grown: set[int] = set()
    done = at = 0
    for match in odd.finditer(text):
        start, end = match.span()
        new = several.get(match[0], "")
        parts += (text[done:start], new)
        at += start - done
        done = end
        if new:
            grown.add(at)
            starts.append(at)
            origins.append(start)
            at += len(new)
        starts.append(at)
        origins.append(end)
    if len(starts) == 1:
        return PlainText(text, [], [], frozenset())
    parts.append(text[done:])
    return PlainText("".join(parts), starts, origins, frozenset(grown))


_TWINS = (
    # Cyrillic, Greek, Armenian, Cherokee and Latin letters that look like the first of each row.
    "aаɑαᴀ", "bЬвʙ", "cсϲᴄ", "dԁɗᴅ", "eеєҽεᴇ", "fғϝ", "gɡԍɢ", "hһнʜ", "iіɩıɪι", "jјʝ", "kкκᴋ", "lӏⅼʟ", "mмʍᴍ", "nпռηɴ",
    "oоοօσᴏ", "pрρᴘ", "qԛ", "rгʀ", "sѕꜱ", "tтτᴛ", "uυսᴜ", "vѵνᴠ", "wѡԝωᴡ", "xхχ", "yуүγʏ", "zᴢʐ",
    "aΑА", "bΒВ", "eΕЕ", "zΖ", "hΗН", "iΙІ", "kΚК", "mΜМ", "nΝ", "oΟО", "pΡР", "tΤТ", "yΥУ", "xΧХ", "cСϹ", "sЅ", "jЈ",
)  # fmt: skip
_LEET = str.maketrans("0134578@$!|€(", "oieastbasilec")
_LEETED = compile_pattern(r"(?<![a-z0-9@$!|€(])(?:[a-z]++[0-9@$!|€(]|[0-9@$!|€(]++[a-z])[a-z0-9@$!|€(]*+")
"""A word of letters and of what stands for them."""
_NO_LETTER = compile_pattern(r"[\W_]+")
_SPELT = compile_pattern(r"(?:[^\W_]{1,3}+[^\w\n]{1,4}+){6,}+(?:[^\W_]{1,3}+(?![^\W_]))?")
_SOME_SPELT = compile_pattern(r"[^\w\n](?:[^\W_]{1,3}+[^\w\n]{1,4}+){5}")
_HAN = "[\u3040-\u30ff\u4e00-\u9fff]"
# A pattern that begins with one of a few marks is not tried at every letter.
_TAKEN_APART = compile_pattern(
    r"[\s.*_·|/~^+-](?:(?<=[a-z][-._*·~^+])[-._*·~^+]*(?=[a-z])"
    rf"|(?<={_HAN}[\s.*_·|/~^+-])[\s.*_·|/~^+-]*(?={_HAN}))"
)
_TAKEN_APART_ASCII = compile_pattern("[-._*~^+](?<=[a-z][-._*~^+])[-._*~^+]*(?=[a-z])")
_SHORTEST = 24
_CODED = compile_pattern(rf"[A-Za-z0-9+/_-]{{{_SHORTEST},}}={{0,2}}")
_HEXED = compile_pattern(r"[0-9a-fA-F][0-9a-fA-F][ :]?(?:[0-9a-fA-F]{2}[ :]?){15,}")
_ESCAPES = compile_pattern(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{1,6});|&#([0-9]{1,7});")
_MARKS = compile_pattern(
    "[\u0300-\u036f\u0483-\u0487\u05b0-\u05c7\u064b-\u065f\u0670\u093c\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a]+"
)
_MOST = 64


@cache
def _twins() -> dict[int, str]:
    return {ord(twin): row[0] for row in _TWINS for twin in row[1:]}


def strip_accents(text: str) -> str:
    """Without accents and other marks."""
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _MARKS.sub("", letters))


def map_to_latin(text: str) -> str:
    """With the Latin letters that others only look like."""
    return text if text.isascii() else text.translate(_twins())


def decode_leet(text: str) -> str:
    """With letters for the digits and signs inside of words; `text` in lower case."""
    return _LEETED.sub(_decode_leet_word, text)


def _decode_leet_word(match: re.Match[str]) -> str:
    return _translate_leet(match[0]) if len(match[0]) < _SHORTEST else match[0].translate(_LEET)


@lru_cache(maxsize=4096)
def _translate_leet(word: str) -> str:
    return word.translate(_LEET)


def join_split_words(text: str) -> tuple[str, str]:
    """With the marks inside of words gone, and with spaces for them."""
    # The pattern for ASCII compiles in a hundredth of the time: a hook pays for it on its way.
    marks = _TAKEN_APART_ASCII if text.isascii() else _TAKEN_APART
    return marks.sub("", text), marks.sub(" ", text)


def join_spelled_words(text: str) -> str:
    """The stretches that are spelt letter by letter, in one piece each."""
    if _SOME_SPELT.search(text) is None:
        return ""
    return "\n".join(compact(match[0]) for match in _SPELT.finditer(text))


def compact(text: str) -> str:
    """Letters and digits alone: spaced, dotted and hyphenated words become whole."""
    return text.translate(_drop_marks()) if text.isascii() else _NO_LETTER.sub("", text)


@cache
def _drop_marks() -> dict[int, None]:
    return dict.fromkeys(point for point in range(128) if not chr(point).isalnum())


def decode_encodings(text: str) -> Iterator[str]:
    """What stretches in base64, hexadecimal, percent signs and escapes say, where they say something readable."""
    coded = _CODED.finditer(text) if max(map(len, text.split()), default=0) >= _SHORTEST else ()
    for number, match in enumerate(coded):
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
    if ("\\" in text or "&#" in text) and _ESCAPES.search(text) is not None:
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


def apply_rot13(text: str) -> str:
    """The oldest cipher, of Latin letters alone."""
    return encode(text.encode("ascii", "ignore").decode(), "rot13")


def fold_disguises(text: str) -> str:
    """Plain, in lower case, without accents."""
    return strip_accents(normalize_disguises(text).text.lower())
