"""A quick look at a file's bytes: whether it could hold a secret at all. Most could not, and are left alone.

It is small, and asks nothing of the rules: every file of every home goes by here.
"""

from __future__ import annotations

from memtui.pattern import pattern

_KINDS = bytes(
    97 if 65 <= letter < 91 or 97 <= letter < 123
    else 48 if 48 <= letter < 58
    else 33 if letter in b"!@#$%^&*"
    else 32
    for letter in range(256)
)  # fmt: skip
"""Letters as 'a', digits as '0', marks as '!', all else as a space."""
_PAIRS = (b"a0", b"0a", b"a!", b"0!")
_TOKEN = bytes(
    120 if letter in b"_-" or (letter < 128 and chr(letter).isalnum()) else 32 for letter in range(256)
)
_RUN = b"x" * 16
_SHORTEST = 6
_LONG_WORD = b"a" * 16
_NUMBER = b"0" * 6
_WORDS = (
    b"pass", b"pw", b"_pat", b"secret", b"token", b"key", b"auth", b"cred", b"://", b"cookie", b"pin", b"bearer", b"sess", b"sig",
    b"basic", b" -p", b" -a", b" -u", b"identified", b"login", b":*:", b" -w", b"sudo", b"net use", b"/p:",
    b"admin / ", b"root / ", b" root/", b"senha", b"kennwort", b"wachtwoord", b"chave", b"admin` / ", b"root` / ",
    *(word.encode() for word in ("密", "口令", "授权码", "授權碼", "令牌", "權杖", "私钥", "私鑰", "凭", "憑", "暗", "通行", "激活", "金鑰", "パスワード", "비밀", "арол", "люч", "окен", "clé", "schlüssel")),
)  # fmt: skip
_NUMBERED = (
    b"pass",
    b"pw",
    b" pin",
    b"_pin",
    b'"pin',
    b"\npin",
    "密码".encode(),
    "密碼".encode(),
    "口令".encode(),
    b"identified",
)
_PHRASES = (b"phrase", b"mnemonic", "助记词".encode(), "助記詞".encode())
_SEEDS = (b"seed", b"recovery words")
"""Of seeds and recoveries much is written: a wallet's is announced, 'seed words: …'."""
_SAID = (b":", b"=", b"is")
_AROUND = b" \t\"'*`"
_MAILED = pattern(rb"@[\w.-]{3,28}[\"'`]? / [\"'`]?[!-~]{6}")
"""An account and its password."""
# Zero width, soft hyphen, full-width and mathematical letters, tags: the bytes are not what is read.
_THIN = pattern(rb"\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])")
_WIDE = pattern(rb"\xef(?:\xbc[\x90-\x99\xa1-\xba]|\xbd[\x81-\x9a])")


def suspect(data: bytes) -> bool:
    """Whether the text of these bytes should be looked at: False where no rule could find anything."""
    if b"---BEGIN " in data or b"--- BEGIN " in data or b"Private-Lines:" in data:
        return True
    kinds = data.translate(_KINDS)
    if (
        (b"\xe2" in data and _THIN.search(data) is not None)
        or (b"\xef" in data and (_WIDE.search(data) is not None or data.find(b"\xef\xbb\xbf", 1) > 0))
        or (b"\xc2" in data and b"\xc2\xad" in data)
        or (b"\xf0" in data and b"\xf0\x9d" in data)
        or b"\xf3" in data
    ):
        return True
    low = data.lower()
    if any(word in low for word in _PHRASES) or any(_announced(low, word) for word in _SEEDS):
        return True
    if _valued(kinds):
        for word in _WORDS:
            if word in low:
                return True
        return (b"@" in data and _MAILED.search(data) is not None) or _RUN in data.translate(_TOKEN)
    return _numbered(kinds, low)


def quiet(data: bytes) -> bool:
    """Whether surely no secret stands in a short text: nothing like one, and no word that announces one either."""
    low = data.lower()
    return not suspect(data) and not any(word in low for word in _WORDS)


def _announced(low: bytes, word: bytes) -> bool:
    """Whether something is said to be what this word names."""
    at = low.find(word)
    while at >= 0:
        at += len(word)
        rest = low[at : at + 64].lstrip(_AROUND).removeprefix(b"words").lstrip(_AROUND)
        # Other scripts have their own ways to say it, and their own spaces.
        if rest.startswith(_SAID) or rest[:1] >= b"\x80" or (not rest and at + 64 < len(low)):
            return True
        at = low.find(word, at)
    return False


def _numbered(kinds: bytes, low: bytes) -> bool:
    """Whether a long number stands soon after a word for a password."""
    at = kinds.find(_NUMBER)
    while at >= 0:
        before = low[max(0, at - 120) : at]
        if any(word in before for word in _NUMBERED):
            return True
        end = kinds.find(b" ", at)
        at = kinds.find(_NUMBER, end) if end > 0 else -1
    return False


def _valued(kinds: bytes) -> bool:
    """Whether letters, digits and marks stand together anywhere, as in no word."""
    if _LONG_WORD in kinds:
        return True
    for pair in _PAIRS:
        at = kinds.find(pair)
        while at >= 0:
            end = kinds.find(b" ", at)
            end = len(kinds) if end < 0 else end
            # A mark at the end is a sentence's, not a password's.
            if end - kinds.rfind(b" ", 0, at) > _SHORTEST and (pair[1] != 33 or end > at + 2):
                return True
            at = kinds.find(pair, end)
    return False
