"""Secrets that no form gives away and no word announces, found by how people speak of them: a linear model.

'I got in as admin with gr4fana_bergen', '登录用 lin2019hai 就行': the value is made up by a person, and the ways to say so are
without end. A candidate is a word of letters with digits or marks in it; `describe_candidate` computes features of the
words around it, in their order, and of its own shape, each hashed to one of `1 << BITS` places. `secret_guess.bin` holds
a weight of one byte for each, so no text can be read out of it. `python -m tests.safety.train_secrets` makes it from
texts of several hands and from real homes. Of a text only the stretches around candidates are read.
"""

from __future__ import annotations

import re
from binascii import crc32
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from zlib import decompress

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.secret_values import KNOWN_FORMAT, Form, is_secret_value
from memtui.safety.vendors import SecretSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).with_name("secret_guess.bin")
BITS = 15
SCALE = 1 / 24
"""What one step of a weight is worth."""
SURE = 0.5
"""From this sum on somebody is let in by it."""
_SHORTEST, _LONGEST = 6, 64
_BEFORE, _BEHIND = 140, 70
"""Characters around a candidate that are read."""
_KINDS = bytes(
    97 if 65 <= letter < 91 or 97 <= letter < 123
    else 48 if 48 <= letter < 58
    else 33 if letter in b"!#$%&*+-./:=@^_~,"
    else 32
    for letter in range(256)
)  # fmt: skip
"""Letters as 'a', digits as '0', what may stand in a value as '!', all else as a space."""
_PAIRS = (b"a0", b"0a", b"!0", b"0!", b"a!a")
_OTHERS = compile_pattern(
    r"-?(?:https?|file|ssh|git|ftp)://.*|\d{1,4}[:.][A-Za-z]+(?:\d{0,2}[A-Z][a-z]*)*|[A-Z]+\d+-[A-Z]*\d+|\w+:[a-z]{1,6}\d{1,3}|[a-z0-9]+_[0-9A-HJKMNP-TV-Z]{26}|arn:.*|(?:~|\.{0,2}|[\w.-]+)/[\w./-]*|v?\d+(?:[.:/-]\d+)+\w*|[\d.,:/%-]+\w{0,3}|[\w.-]+\.(?:py|mdx?|tsx?|jsx?|json[lc5]?|ya?ml|sh"
    r"|go|rs|html?|css|toml|txt|com|io|org|net|dev|cn|app|ai|lan|local|log|csv|db|sql|png|jpe?g|svg|pdf|zip|gz)(?:[:#]\S*)?|[A-Z]{1,5}-\d+|#\d+|[a-z]+(?:[_.-][a-z]+)*(?:\(\))?"
    r"|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z][A-Z_]*|[\w.+-]+@[\w.-]+\.\w+|[0-9a-f]{7,40}|.*[{}$<>].*|(?:\d{4}-\d\d-\d\d|T\d\d:\d\d).*|[a-z-]*[a-z]\d(?:[.-]\d+)*"
    r"|.*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}.*|(?:[A-Za-z]+[_-])*[0-9a-f-]{7,}|[A-Za-z_]\w*(?:\.[A-Za-z_]+)+"
    r"|[A-Z][a-z]+\d|.*-(?:hashed|encrypted|protected|based|only|style)|#[0-9a-fA-F]{3,8}|0x[0-9a-fA-Fx~-]+|[a-z]+(?:[A-Z][a-z]{2,}\d{0,3}){2,}\w{0,20}|AAAA[\w+/=]{40,}|\w+(?:\.[A-Za-z_]\w+){2,}(?:\(\))?"
)
"""What is typed often and lets nobody in: links, paths, versions, files, tickets, names, hashes, dates."""
_PUBLIC = compile_pattern(
    r"(?:(?:doc|docx|wiki|node|obj|folder|file|sheet|spreadsheet|bitable|block|parent|space)[_-]?token|mint|address|pub(?:lic)?[_-]?key"
    r"|fingerprint|project[_ -]?key|sha\d+|checksum|digest|commit|hash)[\"'`]?[ ]?[:=]?[ ]?[\"'`]?$|[\w-]\\?\"[ ]?:[ ]?\\?\"$"
    r"|(?:PUBLIC KEY|CERTIFICATE)-{5}\s{1,2}$",
    re.IGNORECASE,
)
"""What is hidden from nobody stands behind these; of a field of JSON the name says what it is."""
_NAMED = compile_pattern(r"-p(?=[A-Z]|\w+\d)|(?:[\w.@*-]{1,40}[:/=]){1,4}(?=[^/=])")
_ADDRESS = compile_pattern(r"arn:|(?:[\w-]+\.)+[a-z]{2,6}/(?!.*[?&#])")
"""What stands behind it is a part of it: 'host.example/page'."""
_ENDS = ".,;:!?"
_DOORS = (
    "pass", "pwd", "log", "sign", "secret", "admin", "root", "sudo", "account", "auth", "token", "vault", "wifi", "wlan", "unlock",
    "opens", "enter", "typ", "prompt", "ask", "told", "said", "got in", "get in", "gets in", "guess", "tried", "copied", "paste", "dictat",
    "rotat", "reset", "instead", "set to", " pin", "door", "gate", "router", "printer", "nas", "ssh", "vpn", "sql", "redis", "mongo",
    "curl", "mail", "smtp", "console", "panel", "portal", "backup", "zip", "cred", "psk", "cookie", "share", " key", "kenn", "anmeld",
    "clave", "entra", "senha", "mot de", "парол", "вход", "ключ", "登", "密", "号", "令", "锁", "输", "填", "换", "猜", "钥", "码", "户", "管", "暗",
    "后台", "解", "パス", "ログ", "答",
)  # fmt: skip
"""Where none of these stands near, nobody is let in."""
_WORD = compile_pattern(r"[a-z]+|\d+|[^\W\d_a-z]|[^\w\s]")
_LETTERS = compile_pattern("[a-z]{3,}")


def iterate_candidates(text: str) -> Iterator[tuple[int, str]]:
    """The words that somebody may have made up, and where they stand."""
    kinds = text.encode("ascii", "replace").translate(_KINDS)
    reached = 0
    for at in sorted(_find_pairs(kinds)):
        if at < reached:
            continue
        start = kinds.rfind(b" ", 0, at) + 1
        end = kinds.find(b" ", at)
        reached = end = len(kinds) if end < 0 else end
        value = text[start:end].strip("*")
        if value.endswith("...") or text[end : end + 1] == "…":
            # Only how it begins.
            continue
        value = value.rstrip(_ENDS)
        named = None if _ADDRESS.match(value) is not None else _NAMED.match(value)
        if named is not None and len(value) - named.end() >= _SHORTEST:
            start += named.end()
            value = value[named.end() :]
        value = value.lstrip(_ENDS[:-1])
        start = text.find(value, start, end)
        if (
            _SHORTEST <= len(value) <= _LONGEST
            and value.isascii()
            and _OTHERS.fullmatch(value) is None
            and text[start - 1 : start] != "\\"
            and not text.startswith(('":', '\\":'), start + len(value))
            and _PUBLIC.search(text, max(0, start - 32), start) is None
        ):
            yield start, value


_ENTITY = compile_pattern(r"\w&(?:#\d{2,4}|#x[0-9a-fA-F]{2,4}|quot|apos|amp|lt|gt|nbsp)(?:$|;)")


def may_be_secret(value: str) -> bool:
    """Whether it is nothing that is known to be something else."""
    # With something behind it that makes it strong: the words around it say whether a weak one is used.
    if "&" in value and _ENTITY.search(value):
        # A page's text as it stands in its source: Ann&#39;s
        return False
    return KNOWN_FORMAT.fullmatch(value) is None and is_secret_value(f"{value}#7Zq", Form.TOLD, password=True)


def _find_pairs(kinds: bytes) -> set[int]:
    """One place in each run that holds a pair as no plain word does."""
    found: set[int] = set()
    for pair in _PAIRS:
        at = kinds.find(pair)
        while at >= 0:
            found.add(at)
            end = kinds.find(b" ", at)
            at = kinds.find(pair, end) if end >= 0 else -1
    return found


def describe_candidate(text: str, start: int, value: str) -> list[int]:
    """The places of the features of a candidate; none: nothing around it is about being let in."""
    around = _read_around(text, start, value)
    if around is None:
        return []
    return [*_describe_words(*around), *_describe_shape(value), *_describe_order(text, start, *around)]


def _read_around(text: str, start: int, value: str) -> tuple[list[str], list[str]] | None:
    """The words before a candidate, the nearest first, and those behind it."""
    end = start + len(value)
    before, behind = text[max(0, start - _BEFORE) : start].lower(), text[end : end + _BEHIND].lower()
    if not any(map(f"{before}\n{behind}".__contains__, _DOORS)):
        return None
    return _WORD.findall(before)[:-17:-1], _WORD.findall(behind)[:7]


def _describe_words(before: list[str], behind: list[str]) -> list[int]:
    return [*map(_place_before, {*before}), *map(_place_behind, {*behind})]


def _describe_order(text: str, start: int, before: list[str], behind: list[str]) -> list[int]:
    names = [f"b{number}{word}" for number, word in enumerate(before[:8])]
    names += [f"p{one} {other}" for one, other in {*pairwise(before)}]
    names += [f"a{number}{word}" for number, word in enumerate(behind[:2])]
    names += ("2" + " ".join(before[:2]), "3" + " ".join(before[:3]), "q" + text[start - 1 : start])
    names.append("l" + text[text.rfind("\n", 0, start) + 1 : start].lstrip()[:3])
    return [place_feature(name) for name in names]


def place_feature(name: str) -> int:
    """Where the weight of a feature stands."""
    return (crc32(name.encode("utf-8", "surrogatepass")) * 0x9E3779B1 >> 11) & ((1 << BITS) - 1)


@lru_cache(maxsize=8192)
def _place_before(word: str) -> int:
    return place_feature("B" + word)


@lru_cache(maxsize=8192)
def _place_behind(word: str) -> int:
    return place_feature("A" + word)


@lru_cache(maxsize=4096)
def _describe_shape(value: str) -> tuple[int, ...]:
    shape = ""
    for letter in value:
        kind = "a" if letter.islower() else "A" if letter.isupper() else "0" if letter.isdigit() else letter
        shape += kind if shape[-1:] != kind else ""
    digits, capitals = sum(map(str.isdigit, value)), sum(map(str.isupper, value))
    marks = len(value) - sum(map(str.isalnum, value))
    names = (
        "s" + shape[:14], "t" + shape[:3], "u" + shape[-3:], f"n{min(len(value) // 3, 10)}", f"d{min(digits, 5)}",
        f"m{min(marks, 3)}", f"c{min(capitals, 4)}", f"x{min(len(shape), 9)}",
        *(f"v{word}" for word in _LETTERS.findall(value.lower())),
    )  # fmt: skip
    return tuple(map(place_feature, names))


@cache
def load_weights(part: int) -> tuple[bytes, float]:
    """The weights of a model, and the sum that stands before them; read when a text has a candidate for it."""
    size = 2 + (1 << BITS)
    raw = decompress(FILE.read_bytes())[part * size : (part + 1) * size]
    return raw[2:], int.from_bytes(raw[:2], "little", signed=True) * SCALE


_ORDER = 2.5
"""The order of the words says no more than this, mostly; where it would have to, it is not asked."""


def guess_secrets(text: str) -> Iterator[SecretSpan]:
    """What is most probably a secret by what stands around it."""
    weights, bias = load_weights(0)
    for start, value in iterate_candidates(text):
        around = _read_around(text, start, value)
        if around is None:
            continue
        places = [*_describe_words(*around), *_describe_shape(value)]
        score = bias + SCALE * (sum([weights[place] for place in places]) - 128 * len(places))
        if score < SURE - _ORDER or not may_be_secret(value):
            continue
        places = _describe_order(text, start, *around)
        if score + SCALE * (sum([weights[place] for place in places]) - 128 * len(places)) >= SURE:
            yield SecretSpan(start, start + len(value), "password", False)
