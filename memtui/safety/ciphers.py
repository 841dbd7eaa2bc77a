"""What a text says whose letters stand for other letters, or whose words are joined or have decoys in them.

Nobody need say by which cipher a text is to be read: a model tries. So does `decode_ciphers`: a cipher by which two of
a text's words become the commonest ones, or one becomes a long word that orders have, is the one.
"""

from __future__ import annotations

from codecs import encode
from functools import cache, partial

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.safety.normalize import count_plain_words

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORT = (
    "the", "and", "you", "your", "with", "not", "all", "for", "that", "this", "user", "from", "when", "any", "then",
    "send", "tell", "keys", "into", "them", "must", "run", "have",
)  # fmt: skip
_LONG = (
    "about", "after", "before", "every", "never", "their", "these", "until", "without", "ignore", "forget", "previous",
    "instructions", "system", "prompt", "rules", "secret", "password", "token", "tokens", "delete", "approve",
    "upload", "script", "anyone", "nobody",
)  # fmt: skip
"""Words that hardly any other word becomes by a cipher; of the short ones it takes two."""
_PIG = compile_pattern(r"\b([a-z]{2,})ay\b")
_HUMPED = compile_pattern(r"(?<![A-Za-z])[A-Za-z][a-z]++(?:[A-Z][a-z]++){5,}")
_LEAST_HUMPED = 24
_HUMP = compile_pattern("(?<=[a-z])(?=[A-Z])")
_STRUCK = r"(?:~~[^~\n]{1,24}~~|<(?:del|s|strike)>[^<\n]{1,24}</(?:del|s|strike)>)"
_STRUCK_IN_WORD = compile_pattern(rf"(?<=[a-z]){_STRUCK}|{_STRUCK}(?=[a-z])")
_LEAST_STRUCK = 3
_SMALL = frozenset(("the", "your", "you", "and", "without", "not", "never", "this", "that", "them", "it", "is"))


def apply_rot13(text: str) -> str:
    """The oldest cipher, of Latin letters alone."""
    return encode(text.encode("ascii", "ignore").decode(), "rot13")


def decode_ciphers(text: str, words: AbstractSet[str], *, told: bool = False) -> Iterator[str]:
    """The text by each cipher that makes common words of its words; `told` that it is in one, by the likeliest shift.

    By rot13 every text is read elsewhere.
    """
    if not words.isdisjoint(_list_telling()):
        for cipher in _list_ciphers():
            if not words.isdisjoint(cipher.long) or len(words & cipher.short) > 1:
                yield cipher.read(text if cipher.read is _rotate_signs else text.lower())
    if told:
        plain = text.lower().encode("ascii", "ignore").decode()
        yield max((plain.translate(_turn_alphabet(by)) for by in range(1, 26)), key=count_plain_words)


def split_humps(words: AbstractSet[str]) -> str:
    """The words of what was strung together by capitals alone, in lower case; empty: nothing was, but for names that
    programs give things, which have none of language's small words."""
    long = sorted(word for word in words if len(word) >= _LEAST_HUMPED)
    said = [_HUMP.sub(" ", match[0]).lower() for word in long for match in _HUMPED.finditer(word)]
    return "\n".join(one for one in said if len(_SMALL.intersection(one.split())) > 1)


def drop_struck(text: str) -> str:
    """A text without what is crossed out in the midst of its words; empty: nothing is, or here and there a letter."""
    if text.count("~~") < 2 * _LEAST_STRUCK and text.count("</") < _LEAST_STRUCK:
        return ""
    dropped, count = _STRUCK_IN_WORD.subn("", text)
    return dropped if count >= _LEAST_STRUCK else ""


_BRAILLE = dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", _LETTERS, strict=True))
_SIGNS = {ord(sign): letter for sign, letter in _BRAILLE.items()}
_SIGNS |= {0x1F1E6 + at: letter for at, letter in enumerate(_LETTERS)}
_SIGN = compile_pattern("[\u2801-\u283f\U0001f1e6-\U0001f1ff]")
_BETWEEN_FLAGS = compile_pattern(r"(?<=[\U0001f1e6-\U0001f1ff])[\u200a-\u200d\u2060 ](?=[\U0001f1e6-\U0001f1ff])")
_LEAST_SIGNS = 12


def read_signs(text: str) -> str:
    """The lines written in Braille or in the letters that flags are made of; empty: there are none."""
    if text.isascii() or _SIGN.search(text) is None:
        return ""
    lines = (line for line in text.split("\n") if len(_SIGN.findall(line)) >= _LEAST_SIGNS)
    return "\n".join(_BETWEEN_FLAGS.sub("", line).translate(_SIGNS) for line in lines)


class _Cipher(NamedTuple):
    read: Callable[[str], str]
    long: frozenset[str]
    """What it makes of long words, and of short ones."""
    short: frozenset[str]


@cache
def _list_ciphers() -> tuple[_Cipher, ...]:
    """Letters moved along the alphabet, the alphabet from its end, all signs moved, and Pig Latin."""
    tables = [_turn_alphabet(by) for by in range(1, 26) if by != 13] + [str.maketrans(_LETTERS, _LETTERS[::-1])]
    ways: list[tuple[Callable[[str], str], Callable[[str], str]]] = [
        (partial(_translate, table), partial(_translate, {new: old for old, new in table.items()})) for table in tables
    ]
    ways += [(_rotate_signs, _rotate_signs), (_read_pig_latin, _write_pig_latin)]
    known = frozenset((*_SHORT, *_LONG))
    return tuple(
        _Cipher(read, *(frozenset(map(write, some)) - known for some in (_LONG, _SHORT))) for read, write in ways
    )


@cache
def _list_telling() -> frozenset[str]:
    return frozenset().union(*(cipher.long | cipher.short for cipher in _list_ciphers()))


def _turn_alphabet(by: int) -> dict[int, int]:
    return str.maketrans(_LETTERS, _LETTERS[by:] + _LETTERS[:by])


def _translate(table: dict[int, int], text: str) -> str:
    return text.translate(table)


def _rotate_signs(text: str) -> str:
    """ROT47: every sign that can be seen, moved by half of them."""
    return text.translate({point: 33 + (point + 14) % 94 for point in range(33, 127)})


def _read_pig_latin(text: str) -> str:
    return _PIG.sub(_turn_word, text)


def _turn_word(match: re.Match[str]) -> str:
    """What stands behind the last vowel stood before the first, all or some of it; before 'way' nothing did."""
    said = match[1]
    behind = max((said.rfind(vowel) for vowel in "aeiouy"), default=-1) + 1
    ways = [said[at:] + said[:at] for at in range(behind, len(said))]
    if said.endswith("w"):
        ways.insert(0, said[:-1])
    common = {*_SHORT, *_LONG}
    return next((way for way in ways if way in common), ways[0] if ways else said)


def _write_pig_latin(word: str) -> str:
    head = next((at for at, letter in enumerate(word) if letter in "aeiou"), 0)
    return word[head:] + word[:head] + "ay" if head else word + "way"
