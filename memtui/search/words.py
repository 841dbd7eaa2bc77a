"""Text as matching sees it: folded, in words and CJK runs, words by their stems.

The index tokenises with SQLite's porter unicode61; here the same stems are looked up one word at a time and
remembered, so that a text read from disk is compared with a query without tokenising the whole of it.
"""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache

from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING
from memtui.text import CJK_RUN, TOKENIZER, normal

if TYPE_CHECKING:
    import re

    import apsw

_LETTERS = (
    "0-9a-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u0300-\u1fff\u2c00-\u2dff\ua4d0-\uabff"
)
WORD = pattern(f"[{_LETTERS}]+")
"""A word in folded text; what is neither a word nor a CJK run separates them."""
ASCII_WORD = pattern("[0-9a-z]+")
"""The same where all is ASCII: the whole alphabet takes a millisecond to compile."""
REST = pattern(f"[{_LETTERS}]*")
GAP = pattern(r"[\W_]*")
"""What may stand between two words of a phrase."""
_HUMP = pattern(r"[A-Za-z][A-Z]")
_PLAIN = pattern(r"[A-Za-z0-9]+")
PART = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Whether there is more to do than to lower-case it: one character is looked for in half the time of a run of them.
_ODD = pattern(
    "[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff\u2460-\u24ff\u3131-\u318e\ufb00-\ufb06"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\u212b]"
)
_ACCENTED = pattern("[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]+")
_MARKS = pattern("[\u0300-\u036f]+")

_tokenizers = threading.local()


def fold(text: str) -> str:
    """Lower case, no accents, full-width letters as ASCII: what the index takes for one becomes equal."""
    if text.isascii() or not _ODD.search(text):
        return text.lower()
    return _ACCENTED.sub(_bare, normal(text).lower())


def searchable(text: str) -> str:
    """The text folded, and behind it the parts of its camelCase words, which the index holds as well."""
    folded = fold(text)
    if folded == text or not _HUMP.search(text):
        return folded
    parts = [text[start:end] for start, end in humps(text)]
    return f"{folded} \0 {' '.join(parts).lower()}" if parts else folded


def _bare(match: re.Match[str]) -> str:
    bare = _MARKS.sub("", unicodedata.normalize("NFD", match.group()))
    return unicodedata.normalize("NFC", bare)


def folded_with_places(text: str) -> tuple[str, list[int] | None]:
    """The folded text, and the offset in `text` of each of its characters (None: the same offsets)."""
    whole = fold(text)
    if len(whole) == len(text):
        return whole, None
    pieces: list[str] = []
    places: list[int] = []
    for offset, character in enumerate(text):
        piece = "" if "\u0300" <= character <= "\u036f" else fold(character)
        pieces.append(piece)
        places.extend([offset] * len(piece))
    places.append(len(text))
    return "".join(pieces), places


def humps(text: str) -> list[tuple[int, int]]:
    """Where the parts of camelCase words stand: getUserName -> get, User, Name."""
    found: list[tuple[int, int]] = []
    for word in _PLAIN.finditer(text) if _HUMP.search(text) else ():
        if _HUMP.search(word.group()):
            parts = [part.span() for part in PART.finditer(word.group())]
            found += [(word.start() + start, word.start() + end) for start, end in parts if len(parts) > 1]
    return found


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """The index's token for one folded word (deploying -> deploi). Empty: it is not one word to the index."""
    found = stems(word)
    return found[0] if len(found) == 1 else ""


def stems(text: str) -> list[str]:
    """The index's tokens for a text without CJK runs, in order."""
    tokenizer: apsw.FTS5Tokenizer | None = getattr(_tokenizers, "tokenizer", None)
    if tokenizer is None:
        import apsw

        name, *options = TOKENIZER.split()
        # The tokenizer belongs to its connection, and a connection to its thread.
        _tokenizers.connection = apsw.Connection(":memory:")
        tokenizer = _tokenizers.tokenizer = _tokenizers.connection.fts5_tokenizer(name, options)
    reason = 0x0004  # FTS5_TOKENIZE_DOCUMENT
    found = tokenizer(text.encode("utf-8", "replace"), reason, None, include_offsets=False)
    return [str(token) for tokens in found for token in tokens]


def pieces(text: str) -> list[tuple[str, bool]]:
    """Folded text as its words and CJK runs in order; True marks a CJK run."""
    if text.isascii():
        return [(word, False) for word in ASCII_WORD.findall(text)]
    found: list[tuple[str, bool]] = []
    done = 0
    for run in CJK_RUN.finditer(text):
        found += [(word, False) for word in WORD.findall(text, done, run.start())]
        found.append((run.group(), True))
        done = run.end()
    found += [(word, False) for word in WORD.findall(text, done)]
    return found
