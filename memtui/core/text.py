"""Text split into words, in one way for the index, the query and the scan, so that the three agree.

A run of CJK characters becomes its overlapping bigrams in order, then its last character. Latin words stay, and
camelCase words also give their parts; the tokenizer itself splits snake_case and paths. The output is fed to
SQLite's tokenizer `porter unicode61 remove_diacritics 2`.
"""

from __future__ import annotations

import unicodedata
from array import array
from itertools import pairwise

from memtui.core.startup import TYPE_CHECKING, compile_pattern, sha256

if TYPE_CHECKING:
    from collections.abc import Collection

VERSION = "1"
"""Changes whenever `segment_text` would answer differently: indexes built with another one are rebuilt."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

# Han with its extensions and compatibility forms, kana (without the middle dot U+30FB), bopomofo, hangul.
_CJK = (
    "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
HAN = "\u3400-\u9fff"
"""Chinese characters, for a class of a pattern."""
# A group, so that splitting keeps the runs: a class of this size is dear to compile, and compiled once.
CJK_RUN = compile_pattern(f"([{_CJK}]+)")
_WIDE_LETTERS = "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\u3131-\u318e\ufb00-\ufb06\u2460-\u24ff]"
_WIDE = compile_pattern(_WIDE_LETTERS)
# Looked for one by one, which is faster, and changed run by run, as marks belong to the letter before them.
_WIDE_RUN = compile_pattern(f"{_WIDE_LETTERS}+")
# The capital first, then the look back: capitals are rare, letters are not.
_UPPER = compile_pattern(r"[A-Z](?<=[A-Za-z][A-Z])")
_WORD = compile_pattern(r"[A-Za-z0-9]*")
SURROGATE = compile_pattern("[\ud800-\udfff]")
UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
PART = compile_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def has_han(text: str) -> bool:
    """Whether a Chinese character stands in it."""
    # A pattern with all of them in it takes milliseconds to compile.
    return not text.isascii() and any("\u3400" <= one <= "\u9fff" for one in text)


def _list_bigrams(runs: list[str]) -> list[str]:
    """Each run as its bigrams in order, then its last character.

    Many at once, as arrays of code points shifted against each other: cut one by one they cost six times as much.
    """
    if len(runs) < 4:
        return [" ".join([*map("".join, pairwise(run)), run[-1]]) for run in runs]
    points = array("I", "\0".join(runs).encode("utf-32", "surrogatepass"))
    spread = array("I", [32]) * (3 * len(points))
    # The first code point is the byte order mark, which also says how to read them back.
    spread[0::3] = points
    points.append(0)
    spread[1::3] = points[1:]
    words = spread.tobytes().decode("utf-32", "surrogatepass").split("\0 \0")
    words[-1] = words[-1].replace("\0", "")
    # Between two runs stood a NUL, whose own pair with the next run's first character is cut off.
    return [word[2:] for word in words]


def _spread_humps(text: str) -> str:
    """getUserName -> getUserName get User Name; text without humps comes back as it is."""
    out: list[str] = []
    done = 0
    for match in _UPPER.finditer(text):
        start = match.start() - 1
        if start < done:
            continue
        while start > done and text[start - 1].isascii() and text[start - 1].isalnum():
            start -= 1
        found = _WORD.match(text, match.end())
        end = found.end() if found else match.end()
        word = text[start:end]
        parts = PART.findall(word)
        out.append(text[done:start])
        out.append(f"{word} {' '.join(parts)}" if len(parts) > 1 else word)
        done = end
    out.append(text[done:])
    return "".join(out)


def normalize_width(text: str) -> str:
    """Full-width letters and digits, half-width kana and circled numbers as people type them (NFKC of those runs)."""
    if text.isascii():
        return text
    return _WIDE_RUN.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


def is_mostly_chinese(texts: Collection[str]) -> bool:
    """Whether most of these texts have Chinese in them; of none at all not."""
    return sum(CJK_RUN.search(text) is not None for text in texts) * 2 > len(texts)


def segment_text(text: str) -> str:
    """The text as words separated by spaces, for FTS5. Line breaks survive, so a file is segmented once."""
    if text.isascii():
        return _spread_humps(text) if _UPPER.search(text) else text
    text = text.replace("\0", " ")
    pieces = CJK_RUN.split(text)
    # What stands between the runs is looked through by itself: most of a Chinese text needs no second look.
    plain = "\0".join(pieces[0::2])
    if _WIDE.search(plain):
        pieces = CJK_RUN.split(normalize_width(text))
        plain = "\0".join(pieces[0::2])
    if _UPPER.search(plain):
        pieces[0::2] = _spread_humps(plain).split("\0")
    if len(pieces) == 1:
        return pieces[0]
    pieces[1::2] = _list_bigrams(pieces[1::2])
    return " ".join(pieces)


NAMELESS = compile_pattern(r"[()（）,，;；~→<>\s]+")
"""What no name of a memory has in it."""
_NAMED = 40
ITEM_KEY = "m-"
"""How the ids begin that items of Markdown are given where something is replaced by them."""
_DIGITS = 8


def derive_opening_name(text: str) -> str:
    """What a memory without an id is called by the one that it replaces: how it begins."""
    name = NAMELESS.sub(" ", text[: 4 * _NAMED]).strip()
    return name if len(name) <= _NAMED else f"{name[: _NAMED - 1].rstrip()}…"


def derive_item_key(path: str, text: str, data: bytes = b"") -> str:
    """An id for an item of Markdown that has none: by what it says and where, another than those in its file."""
    digest = sha256(f"{path}\0{text}".encode("utf-8", "surrogatepass"))
    keys = (f"{ITEM_KEY}{digest[at : at + _DIGITS]}" for at in range(len(digest) - _DIGITS))
    return next(key for key in keys if key.encode() not in data)


def tag(text: str) -> str:
    """A tag as it is compared: '#Auth' and 'auth' are one."""
    return normalize_width(text).strip().lstrip("#＃").lower()
