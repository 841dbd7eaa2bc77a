"""The plain text behind a disguise, with the way back to the offsets of the original.

`normalize_disguises` folds full-width forms and drops characters that draw nothing; its `PlainText` maps
stretches back to the text as it came. Below it stand the other readings, each of the whole text or of the
stretch that was encoded: look-alike letters of other scripts, digits for letters, split and spelled words,
base64, hexadecimal, percent signs, escapes (letters put for others: `ciphers`). Secrets and injections are searched for in these readings
and reported by their place in the original.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from base64 import b32decode
from binascii import Error, a2b_base64
from bisect import bisect_right
from contextlib import suppress
from functools import cache, lru_cache

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
def _near_forms() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What lies beyond the first 65,536 characters; and the patterns of `_singles` and `_forms` for a text without it.

    Without that a class is one table: with it, a search asks one range after another, for fifteen times as long.
    """
    unseen, folded = (re.sub("[\U00010000-\U0010ffff]-?", "", one) for one in (UNSEEN, _FOLDED))
    several = re.escape("".join(letter for letter in _forms()[1] if letter < "\U00010000"))
    far = "[\U0001d400-\U0001d7ff\U0001f100-\U0001f189\U000e0000-\U000e0fff]"
    return compile_pattern(far), compile_pattern(f"[{folded}]+"), compile_pattern(f"[{unseen}{several}]")


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
    far, singles, near = _near_forms()
    if far.search(text) is None:
        odd = near
    else:
        singles = _singles()
    # A translation looks at each character; nearly all of them stay.
    text = singles.sub(lambda match: match[0].translate(single), _ends().sub(" ", text))
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
    "aꓮ", "bꓐ", "cꓚ", "dꓓ", "eꓰ", "fꓝ", "gꓖ", "hꓧ", "iꓲ", "jꓙ", "kꓗ", "lꓡ", "mꓟ", "nꓠ", "oꓳ", "pꓑ", "rꓣ", "sꓢ", "tꓔ",
    "uꓴ", "vꓦ", "wꓪ", "xꓫ", "yꓬ", "zꓜ", "aΑА", "bΒВ", "eΕЕ", "zΖ", "hΗН", "iΙІ", "kΚК", "mΜМ", "nΝ", "oΟО", "pΡР", "tΤТ", "yΥУ", "xΧХ", "cСϹ", "sЅ", "jЈ",
)  # fmt: skip
_LEET = str.maketrans("0134578@$!|€(+", "oieastbasilect")
_LEETED = compile_pattern(r"(?<![a-z0-9@$!|€(])(?:[a-z]++[0-9@$!|€(]|[0-9@$!|€(]++[a-z])[a-z0-9@$!|€(]*+")
"""A word of letters and of what stands for them."""
_NO_LETTER = compile_pattern(r"[\W_]+")
_SPELT = compile_pattern(r"(?:[^\W_]{1,3}+(?:[^\w\n]|_){1,6}+){6,}+(?:[^\W_]{1,3}+(?![^\W_]))?")
_SOME_SPELT = compile_pattern(r"(?:[^\w\n]|_)(?:[^\W_]{1,3}+(?:[^\w\n]|_){1,6}+){5}")
_BETWEEN = compile_pattern(r"(?<=[^\W_])(?:[^\w\n]|_)+(?=[^\W_])")
_HAN = "[\u3040-\u30ff\u4e00-\u9fff]"
# A pattern that begins with one of a few marks is not tried at every letter.
_TAKEN_APART = compile_pattern(
    r"[\s.*_·|/~^+-](?:(?<=[a-z][-._*·~^+])[-._*·~^+]*(?=[a-z])"
    rf"|(?<={_HAN}[\s.*_·|/~^+-])[\s.*_·|/~^+-]*(?={_HAN}))"
)
_TAKEN_APART_ASCII = compile_pattern("[-._*~^+](?<=[a-z][-._*~^+])[-._*~^+]*(?=[a-z])")
_SHORTEST = 24
_CODED = compile_pattern(rf"[A-Za-z0-9+/_-]{{{_SHORTEST},}}={{0,2}}")
_CODED_32 = compile_pattern(rf"\b[A-Z2-7]{{{_SHORTEST},}}={{0,6}}")
_HEXED = compile_pattern(r"[0-9a-fA-F][0-9a-fA-F][ :]?(?:[0-9a-fA-F]{2}[ :]?){15,}")
_ESCAPES = compile_pattern(
    r"\\u([0-9a-fA-F]{4})|(?:\\x|\b0x)([0-9a-fA-F]{2})(?: (?=0x)|\b(?<!\w\w\w\w))?|&#x([0-9a-fA-F]{1,6});"
    r"|(?:&#|\bchr\()([0-9]{1,7})(?:;|\)(?:\+(?=chr))?)|\\([0-3][0-7]{2})"
)
_BINARY = compile_pattern(r"(?:\b[01]{8}\b[ ,]*){4,}")
_QUOTED_CODE = compile_pattern(r"(?<![\w/+])[A-Za-z0-9+/]{8,22}={0,2}(?![\w/+=])")
_TURNED = str.maketrans("ɐqɔpǝɟƃɥıɾʞlɯuodbɹsʇnʌʍxʎz", "abcdefghijklmnopqrstuvwxyz")
"""Letters that stand on their heads."""
_OTHERS_TURNED = frozenset("ɐɔǝɟƃɥɾʞɯɹʇʌʍʎ")
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


def join_spelled_words(text: str) -> tuple[str, str]:
    """The stretches that are spelt letter by letter: those without gaps between their words, in one piece each; those
    with wider ones, in words."""
    if _SOME_SPELT.search(text) is None:
        return "", ""
    whole, worded = [], []
    for match in _SPELT.finditer(text):
        between = _BETWEEN.findall(match[0])
        usual = max(between, key=between.count)
        wider = {mark for mark in between if len(mark) > len(usual) or (" " in mark and " " not in usual)}
        pieces = _BETWEEN.split(match[0])
        single = sum(len(piece) == 1 for piece in pieces)
        if wider and single * 4 > len(between) * 3:
            marks = [" " * (mark in wider) for mark in between]
            worded.append("".join(map("".join, zip(pieces, [*marks, ""], strict=True))))
        else:
            whole.append(compact(match[0]))
    return "\n".join(whole), "\n".join(worded)


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
            said = a2b_base64(body[: len(body) // 4 * 4 if len(body) % 4 == 1 else len(body)] + "=" * (-len(body) % 4))
        except (Error, ValueError):
            continue
        yield from _readable(_inflate(said))
    for match in _CODED_32.finditer(text):
        with suppress(Error, ValueError):
            yield from _readable(b32decode(match[0].rstrip("=") + "=" * (-len(match[0].rstrip("=")) % 8)))
    for number, match in enumerate(_HEXED.finditer(text)):
        if number == _MOST:
            break
        digits = re.sub("[ :]", "", match[0])
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for match in _QUOTED_PRINTABLE.finditer(text) if text.count("=") >= _SHORTEST // 2 else ():
        yield from _readable(bytes.fromhex(match[0].replace("=", "")))
    for match in _BINARY.finditer(text):
        yield from _readable(bytes(int(one, 2) for one in re.findall("[01]{8}", match[0])))
    if words := [word for code in _QUOTED_CODE.findall(text) if (word := _read_short_code(code))]:
        yield " ".join(words)
    yield from map(_read_morse, _MORSE.finditer(text) if text.count("-") > 9 else ())
    yield from (said for said in (_decode_decimals(match) for match in _DECIMAL.finditer(text)) if said)


_QUOTED_PRINTABLE = compile_pattern(r"(?:=[0-9A-Fa-f]{2}){12,}")
_INFLATED = 1 << 14
"""Bytes that are read of what was packed."""


def _inflate(said: bytes) -> bytes:
    """What was packed by gzip or zlib, its beginning; anything else as it is."""
    if said[:2] not in {b"\x1f\x8b", b"x\x9c", b"x\xda", b"x\x01"}:
        return said
    try:
        return zlib.decompressobj(47).decompress(said, _INFLATED)
    except zlib.error:
        return said


_DECIMAL = compile_pattern(r"(?:\b(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])\b[ ,]+){9,}\d{2,3}\b")


def _decode_decimals(match: re.Match[str]) -> str:
    said = "".join(map(chr, map(int, re.findall(r"\d+", match[0]))))
    return said if count_plain_words(said.lower()) > 1 else ""


def decode_escapes(text: str) -> tuple[str, str]:
    """A text without its escapes, and those of its words that had some; empty: there are none."""
    percent = text.count("%") > 3
    marks = [mark for mark in ("\\", "&#", "chr(", "0x") if mark in text]
    if not percent and (not marks or _ESCAPES.search(text) is None):
        return "", ""
    escaped = [word for word in text.split() if "%" in word or any(mark in word for mark in marks)]
    words = [said for word in escaped if (said := _unescape(_take_escapes(word))) != word]
    return (_unescape(text), " ".join(words)) if words else ("", "")


def _take_escapes(word: str) -> str:
    """Of a line of Chinese, which has no spaces, what is escaped; any other word is whole."""
    if word.isascii() or len(word) < _WORDLIKE:
        return word
    ends = [(match.start(), match.end()) for match in (*_ESCAPES.finditer(word), *_PERCENT.finditer(word))]
    return "".join(
        (" " if at and start != ends[at - 1][1] else "") + word[start:end] for at, (start, end) in enumerate(ends)
    )


_WORDLIKE = 24
"""Characters of what may be one word with letters of two scripts."""


def _unescape(text: str) -> str:
    if "%" in text:
        text = _PERCENT.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "replace"), text)
    return _ESCAPES.sub(_escaped, text)


_PERCENT = compile_pattern(r"(?:%[0-9A-Fa-f]{2})+")
_MORSE = compile_pattern(r"(?:[.-]{1,5}(?: */ *| +)){9,}[.-]{1,5}(?![\w.-])")
_MORSE_LETTERS = {
    ".-": "a", "-...": "b", "-.-.": "c", "-..": "d", ".": "e", "..-.": "f", "--.": "g", "....": "h", "..": "i",
    ".---": "j", "-.-": "k", ".-..": "l", "--": "m", "-.": "n", "---": "o", ".--.": "p", "--.-": "q", ".-.": "r",
    "...": "s", "-": "t", "..-": "u", "...-": "v", ".--": "w", "-..-": "x", "-.--": "y", "--..": "z",
}  # fmt: skip


def _read_morse(match: re.Match[str]) -> str:
    words = re.split(r" */ *| {2,}", match[0])
    return " ".join("".join(_MORSE_LETTERS.get(sign, "") for sign in word.split()) for word in words)


_DRAWN = compile_pattern("[\u24b6-\u24e9\U0001d400-\U0001d7ff\U0001f110-\U0001f189]")


def count_drawn_letters(text: str) -> int:
    """The letters of a text that are drawn as others are: bold, in circles, in squares."""
    return 0 if text.isascii() else len(_DRAWN.findall(text))


def _read_short_code(code: str) -> str:
    """What a word of base64 says; empty: no words, as nearly every plain word does."""
    if len(code.rstrip("=")) % 4 == 1 or (code.isalpha() and code.islower()):
        return ""
    try:
        said = a2b_base64(code.rstrip("=") + "=" * (-len(code.rstrip("=")) % 4))
    except (Error, ValueError):
        return ""
    text = said.decode("ascii", "replace")
    return text if re.fullmatch(r"[a-z .,'-]{5,}", text) else ""


def _escaped(match: re.Match[str]) -> str:
    number = int(match[match.lastindex or 4], (16, 16, 16, 10, 8)[(match.lastindex or 4) - 1])
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else " "


def _readable(said: bytes) -> Iterator[str]:
    try:
        text = said.decode("utf-8")
    except UnicodeDecodeError:
        return
    if len(text) >= 8 and sum(letter.isprintable() or letter in "\n\t" for letter in text) == len(text):
        yield text


def turn_letters(text: str) -> str:
    """What stands on its head, put upright; empty: nothing does."""
    if text.isascii() or len(_OTHERS_TURNED.intersection(text)) < 4:
        return ""
    return "\n".join(line.translate(_TURNED)[::-1] for line in text.split("\n"))


_OTHER_SCRIPT = compile_pattern("[\u0370-\u052f\ua4d0-\ua4fd]")
_MIXED = compile_pattern("(?<![^\\W_])(?=[^\\W\\d_]*[a-z])(?=[^\\W\\d_]*[\u0370-\u052f\ua4d0-\ua4fd])[^\\W\\d_]{2,}")


def count_mixed_words(text: str) -> int:
    """The words of a text that have letters of two scripts, one of which only looks like the other."""
    if text.isascii() or _OTHER_SCRIPT.search(text) is None:
        return 0
    return sum(1 for word in set(_MIXED.findall(text)) if map_to_latin(word).isascii())


_LEET_WORD = compile_pattern(r"(?<![\w/.-])(?=[a-z@$!+0-9]*[a-z])(?=[a-z]*[0134578@$!+])[a-z0134578@$!+]{2,}(?![\w/-])")
_PLAIN_WORDS = frozenset((
    "the", "and", "you", "your", "with", "not", "all", "for", "them", "they", "this", "that", "then", "tell",
    "send", "when", "any", "user", "users", "never", "word", "words", "no", "none", "nobody", "anyone", "say",
    "said", "do", "to", "from", "without", "before", "after", "every", "must", "will", "has", "have", "it", "is",
    "in", "of", "on", "at", "by", "out", "into", "skip", "keep", "delete", "key", "keys", "token", "tokens",
    "password", "secret", "secrets", "file", "files", "agent", "agents", "owner", "only", "now", "who", "what",
    "as", "be", "are", "was", "but", "so", "if", "or", "put", "get", "take", "give", "make", "read", "write",
    "open", "close", "run", "post", "upload", "remove", "erase", "wipe", "drop", "ask", "answer",
))  # fmt: skip


_LABELLED = compile_pattern(
    r"^[ \t>*+#/-]*(?:<!--)?[ \t]*(?P<label>[\w\u3400-\u9fff .()\[\]\"\u0027`/]{1,24}?)[ \t]*(?:[:=：→|]|->|=>|[.)、](?=[ \t]))[ \t]*(?P<said>[^|\n]+?)"
    r"[ \t]*(?:-->|[|;,])?[ \t]*$", re.MULTILINE,
)  # fmt: skip
_NUMBERED = compile_pattern(r"(?:^|[\s|,;，；])(?:(\d{1,2})[.)、:]?|([①-⑳]))[ \t]*(?=\D)")
_BRACKETED = compile_pattern(r"[【「《（(\[<*]{1,2}([^\W_]{1,3})[】」》）)\]>*]{1,2}")
_BREAKS = compile_pattern(r"[\s`\"“”']+$|^[\s`\"“”']+")
_PIECE = 14
"""Bytes of a piece, on the average: what is longer says something by itself."""
_LONGEST_PUZZLE = 2000


def join_pieces(text: str) -> Iterator[str]:
    """What a short text says that is cut into the cells of a table, labelled or numbered lines, or first letters.

    Each reading twice: with spaces between the pieces, and without.
    """
    if len(text) > _LONGEST_PUZZLE:
        return
    for pieces in _list_pieces(text):
        clean = [bare for piece in pieces if (bare := _BREAKS.sub("", piece))]
        if len(clean) > 2 and sum(len(one.encode("utf-8", "surrogatepass")) for one in clean) <= _PIECE * len(clean):
            yield " ".join(clean)
            yield "".join(clean)


def _list_pieces(text: str) -> Iterator[list[str]]:
    lines = [line.strip() for line in text.split("\n")]
    rows = [
        [cell.strip() for cell in line.strip("|｜").replace("｜", "|").split("|")]
        for line in lines
        if line.count("|") + line.count("｜") > 1 and line.strip("|-: ")
    ]
    if len(rows) > 1:
        yield [cell for row in rows for cell in row]
        yield [cell for row in rows[1:] for cell in row]
        yield from ([row[at] for row in rows if at < len(row)] for at in range(len(rows[0])))
        yield [cell for row in rows[1:] for cell in row[1:]]
    # A line of pieces is short.
    labelled = _LABELLED.findall(text) if len(text) < 48 * len(lines) > 2 * 48 else []
    if len(labelled) > 2:
        yield [said for _label, said in labelled]
        numbers = [re.search(r"\d+|[a-z]\b", label) for label, _said in labelled]
        if all(numbers):
            order = sorted(zip([one[0].rjust(3) for one in numbers if one], labelled, strict=True))
            yield [said for _number, (_label, said) in order]
    cuts = list(_NUMBERED.finditer(text))
    if len(cuts) > 2:
        ends = [*(cut.start() for cut in cuts[1:]), len(text)]
        found = [
            (int(cut[1] or ord(cut[2]) - 0x245F), text[cut.end() : end]) for cut, end in zip(cuts, ends, strict=True)
        ]
        yield [said.split("\n")[0] for _number, said in found]
        yield [said.split("\n")[0] for _number, said in sorted(found)]
    held = _BRACKETED.findall(text)
    if len(held) > 3:
        yield [*held]
    wide = [line.lstrip("-*+#> 0123456789.、「") for line in lines]
    wide = [line for line in wide if line and "\u3400" <= line[0] <= "\u9fff"]
    if len(wide) > 4:
        yield [line[0] for line in wide]
        yield [line.rstrip("。，,.;；、!！?？")[-1:] for line in wide]


_UNSEEN = compile_pattern(
    r"<!--(.{12,800}?)-->|^[ \t]*\[[^\]\n]{1,20}\]:[ \t]*(?:#|<>)[ \t]*[(\"'](.{12,800}?)[)\"'][ \t]*$"
    r"|<(?:span|div|p|font|small)\b[^>\n]{0,160}?(?:hidden|display:\s*none|font-size:\s*[01]|opacity:\s*0|color:\s*(?:#f{3,6}|white|transparent))"
    r"[^>\n]{0,160}>(.{12,800}?)</|\"role\":\s*\"(?:system|assistant|developer|user)\",\s*\"content\":\s*\"((?:[^\"\\\n]|\\.){12,800})\"",
    re.MULTILINE | re.DOTALL,
)


def list_unseen(text: str) -> list[str]:
    """What no reader of a page sees: comments, text without size or colour; and what somebody is made to say in JSON."""
    if "<" not in text and "]:" not in text and '"role"' not in text:
        return []
    return [said for match in _UNSEEN.finditer(text) if (said := match[match.lastindex or 1].strip())]


def count_plain_words(text: str) -> int:
    """The different common words of a text in lower case."""
    return len(_PLAIN_WORDS.intersection(re.findall("[a-z]+", text)))


def count_leet_words(text: str) -> int:
    """The different words of a text in lower case that stand there with digits or signs for letters."""
    return len({plain for word in _LEET_WORD.findall(text) if (plain := word.translate(_LEET)) in _PLAIN_WORDS})


def fold_disguises(text: str) -> str:
    """Plain, in lower case, without accents."""
    return strip_accents(normalize_disguises(text).text.lower())
