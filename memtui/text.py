"""Words as the index, the query and the scan all see them: one function, so that the three agree.

CJK runs become their bigrams in order and then their last character; Latin words stay, and camelCase also
gives its parts (snake_case and paths are split by the tokenizer itself). What comes out is fed to SQLite's
`porter unicode61 remove_diacritics 2`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = "1"
"""Changes whenever `segment` would answer differently: indexes built with another one are rebuilt."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

# Han with its extensions and compatibility forms, kana (without the middle dot U+30FB), bopomofo, hangul.
_CJK = (
    "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
CJK_RUN = re.compile(f"[{_CJK}]+")
_SPLIT = re.compile(f"([{_CJK}]+)")
_WIDE = re.compile(
    "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\u3131-\u318e\ufb00-\ufb06\u2460-\u24ff]+"
)
_UPPER = re.compile(r"[A-Za-z][A-Z]")
_WORD = re.compile(r"[A-Za-z0-9]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# Cutting a run with one C call per length is half as dear again as slicing in Python.
_CUTS: list[Callable[[str], tuple[str, ...]]] = [
    itemgetter(*(slice(i, i + 2) for i in range(n - 1)), slice(n - 1, n), slice(0, 0)) for n in range(1, 48)
]


@lru_cache(maxsize=1 << 15)
def _bigrams(run: str) -> str:
    length = len(run)
    if length <= len(_CUTS):
        return " ".join(_CUTS[length - 1](run))
    return " ".join([*(run[i : i + 2] for i in range(length - 1)), run[-1], ""])


def _spread_humps(text: str) -> str:
    """getUserName -> getUserName get User Name; text without humps comes back as it is."""
    out: list[str] = []
    done = 0
    for match in _UPPER.finditer(text):
        start = match.start()
        if start < done:
            continue
        while start > done and text[start - 1].isascii() and text[start - 1].isalnum():
            start -= 1
        found = _WORD.match(text, match.end())
        end = found.end() if found else match.end()
        word = text[start:end]
        parts = _PART.findall(word)
        out.append(text[done:start])
        out.append(f"{word} {' '.join(parts)}" if len(parts) > 1 else word)
        done = end
    out.append(text[done:])
    return "".join(out)


def normal(text: str) -> str:
    """Full-width letters and digits, half-width kana and circled numbers as people type them (NFKC of those runs)."""
    if text.isascii():
        return text
    return _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


def segment(text: str) -> str:
    """The text as words separated by spaces, for FTS5. Line breaks survive, so a file is segmented once."""
    text = normal(text)
    if _UPPER.search(text):
        text = _spread_humps(text)
    if text.isascii():
        return text
    pieces = _SPLIT.split(text)
    pieces[1::2] = map(_bigrams, pieces[1::2])
    return " ".join(pieces)
