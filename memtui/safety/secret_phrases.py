"""Passwords of plain words or of digits, behind a word that announces one: 'WiFi password: correct horse battery', '口令是芝麻开门'.

After the same words stands more often what is no password at all ('password: in the vault', '密码：至少八位', 'PIN: not set'), and no
list tells the two apart: a linear model does, by what is said, how it is written and what stands around it. It is learned
and kept with that of `secret_guess`.
"""

from __future__ import annotations

import itertools
import re

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.safety import PHRASE_STEMS, WIDE_PHRASE_STEMS
from memtui.safety.secret_guess import SCALE, load_weights, place_feature
from memtui.safety.secret_values import WIDE_OTHERS, is_describing
from memtui.safety.vendors import SecretSpan, Spots

if TYPE_CHECKING:
    from collections.abc import Iterator

SURE_PHRASE = 1.0
"""From this sum on it is a password."""
_LONGEST, _MANY = 64, 12
"""Characters and words of a phrase."""
_BEFORE, _BEHIND = 48, 24
"""Characters around that are read."""
_NAME = compile_pattern(
    r"(?:pass(?:word|phrase|code|wort|wd)?|passwörter|pwd?|pin(?:[- ]?code)?|code(?:[ ]?(?:word|wort))?|ombin(?:ation|aci[óo]n|aison)|(?<=kenn)wort"
    r"|(?<=losungs)wort|contraseña|(?<=[密激锁门取机险开接连])[码碼]|口令|暗号|暗语|短语|パスワード|暗証番号|合言葉|비밀번호|арол[ьяюе][а-я]{0,2}|[кК]од)s?(?![A-Za-z0-9(\[器])",
    re.IGNORECASE,
)
_SIGN = compile_pattern(
    r"[:：=|→]|->|=>|[(（](?=[\"'`]?\S)"
    r"|(?<=[ \t])(?:is|was|are|to|now|ist|lautet|es|est|é|war|bleibt|becomes|became|c['’]est|devenu|—|–|-)(?=[ \t])|是|为|為|叫|改[成为]了?|换[成为]了?|设[成为]了?|用|は|는|은",
    re.IGNORECASE,
)
_LEAD = compile_pattern(
    r"[ \t]*(?:(?:still|now|again|simply|just|weiterhin|jetzt|ahora|还是|就是|仍是|一直是|been|set to|changed to|be|at)(?![A-Za-z])|:|：|=|→|->|就是|[*_>])*[ \t]*"
)
_SHORT_NAME = 4
_NEAR = 44
"""Characters behind the name within which its sign stands."""
_QUOTES = {'"': '"', "'": "'", "`": "`", "«": "»", "„": "“", "“": "”", "‘": "’", "「": "」", "『": "』", "《": "》"}
_END = compile_pattern(
    r"[,;:|()（），。；！？!?\n\t\"`<>{}\[\]→#=]|\.(?=\s|$)|\*\*|[ ]+(?:and|or|but|und|oder|y|et|e|и|—|–|-|on|for|since|unless|until|everywhere|per)[ ]|$"
)
_SPOKEN = compile_pattern(
    r"(?:[^\W\d_]|[ ._'’-])+|\d{2,8}[#*]?|\d{1,4}(?:[ /-]{1,3}\d{1,4}){1,11}[#*]?|(?:\d ){3,11}\d"
)
_NAMED = compile_pattern(
    r"_?[a-z]+_[a-z]+|(?:[a-z]+_){3,}[a-z]+|\d{1,4}/\d{1,4}|(?:19|20)\d\d[-/ ]\d\d?[-/ ]\d\d?|_?[a-z]+(?:[A-Z][a-z]*)+|(?:([^\W\d_]|\.)\1+[ -]?)+|(?:your|my|some)[ _-].*",
    re.DOTALL,
)
"""What programs call by such a name is seldom a password; and what stands in the place of one."""
_PART = compile_pattern(r"[^\W\d_]+|\d+")
_WORD_END = compile_pattern(r"[\s,;:|()（），。；！？!?\"`<>{}\[\]→=]|\.(?=\s|$)|\*\*|$")


class PhraseSpan(NamedTuple):
    """What is said behind the word that announces it."""

    named: int
    """Where that word begins."""
    said: int
    """Where the word ends, and the sign begins."""
    start: int
    end: int
    quote: str


def iterate_phrases(text: str, low: str) -> Iterator[PhraseSpan]:
    """All that might be said to be a password. `low`: the text in lower case and ASCII, place by place."""
    stems = [(low, stem) for stem in PHRASE_STEMS]
    if not text.isascii():
        stems += [(text, stem) for stem in WIDE_PHRASE_STEMS if stem[0] in text and stem[-1] in text]
    for within, stem in stems:
        spots = Spots(within, stem)
        while spots.at >= 0:
            name = _NAME.match(text, spots.at)
            if name is not None and (
                (len(name[0]) <= _SHORT_NAME and _is_within(text, *name.span()))
                or (not name[0].isascii() and WIDE_OTHERS.match(text, name.end()) is not None)
            ):
                name = None
            found = {} if name is None else {(one.start, one.end): one for one in _read_phrases(text, *name.span())}
            yield from found.values()
            spots.on()


def _is_within(text: str, named: int, said: int) -> bool:
    """Whether a short name is the end of another word ('unpin', 'zip_code'), or a field's of JSON."""
    before = text[named - 1 : named]
    joined = before in {"_", "-"} and text[named] in "cC"
    field = before in {'"', "'"} and text.startswith((f"{before}:", f"\\{before}:"), said)
    return joined or field or (before.isascii() and before.isalpha())


def _read_phrases(text: str, named: int, said: int) -> Iterator[PhraseSpan]:
    """What stands right behind the word, and behind the first signs after it."""
    while text[said : said + 1] in {'"', "'", "`", "*", "_"} and said < named + 24:
        said += 1
    starts = set[int]()
    if text[said : said + 1] in {" ", "\t", "-", *_QUOTES}:
        # 'pass', 'pin' and 'code' go before many words: right behind them only digits and what is quoted count.
        clear = said - named > _SHORT_NAME or not text[named].isascii()
        bare = text[said : said + 4].lstrip(" \t*")[:1]
        if clear or bare.isdigit() or bare in _QUOTES:
            starts.add(said)
    line = text.find("\n", said, said + _NEAR)
    for sign in list(_SIGN.finditer(text, said, line if line >= 0 else said + _NEAR))[:2]:
        between = text[said : sign.start()].strip(" *_`")
        # Of a table's row the next cell is told by the word that ends the one before; and what is set is the name
        # right before the sign. What passes, and is passed on, is told right away.
        other = sign[0] == "=" and text[sign.start() - 1].isalnum() and " " in text[said : sign.start()]
        passed = sign[0] in {":", "："} and text[named:said].lower() == "pass"
        if not between or not (sign[0] == "|" or other or passed):
            starts.add(sign.end())
    for begin in sorted(starts):
        lead = _LEAD.match(text, begin)
        start = begin if lead is None else lead.end()
        quote = text[start : start + 1]
        if quote in _QUOTES:
            end = text.find(_QUOTES[quote], start + 1, start + _LONGEST + 2)
            ends, start = {end}, start + 1
        else:
            quote = ""
            ends = {
                -1 if stop is None else stop.start()
                for stop in (pattern.search(text, start, start + _LONGEST + 1) for pattern in (_END, _WORD_END))
            }
        for end in ends:
            spoken = text[start:end].rstrip(" .*_") if end >= 0 else ""
            # What opens by a combination has digits; of words it is one of anything.
            if text.startswith("ombin", named) and not any(map(str.isdecimal, spoken)):
                continue
            if (
                2 <= len(spoken) <= _LONGEST
                and not _is_rising(spoken)
                and _SPOKEN.fullmatch(spoken)
                and not _NAMED.fullmatch(spoken)
            ):
                yield PhraseSpan(named, said, start, start + len(spoken), quote)


def _is_rising(said: str) -> bool:
    """Whether they are numbers of some things in their order: 'pins 16/17/18'."""
    numbers = [int(one) for one in _PART.findall(said)] if "/" in said and said.replace("/", "").isdecimal() else []
    return len(numbers) > 1 and all(one < other for one, other in itertools.pairwise(numbers))


def describe_phrase(text: str, found: PhraseSpan) -> list[int]:
    """The places of its features."""
    said = text[found.start : found.end]
    words = [word.lower() for word in _PART.findall(said)][:_MANY]
    before = _PART.findall(text[max(0, found.named - _BEFORE) : found.named].lower())[:-5:-1]
    behind = _PART.findall(text[found.end : found.end + _BEHIND].lower())[:2]
    name = text[found.named : found.said].lower()
    between = text[found.said : found.start].lower()
    sign = between.strip()[-8:]
    shape = "".join(_SHAPES[_classify_letter(letter)] for letter in said[:16])
    joints = {letter for letter in said if not letter.isalnum()}
    digits = sum(map(str.isdigit, said))
    names = [
        f"n{name}", f"s{sign}", f"q{found.quote}", f"w{min(len(words), 6)}", f"f{words[0] if words else ''}", f"l{words[-1] if words else ''}",
        f"h{_squeeze(shape)}", f"d{min(digits, 9)}", f"D{digits == len(said)}{len(said) if digits else 0}", f"z{min(len(said) // 4, 10)}",
        f"D{sum(map(is_describing, words)) if words else 0}", f"nq{name}{found.quote}", f"ns{name}{sign}", f"y{said[:2] in {'19', '20'} and len(said) == 4}",
        f"m{min(len(_PART.findall(between)), 4)}", *(f"i{word}" for word in _PART.findall(between)[:5]), f"W{text[found.end : found.end + 1].isspace()}",
        f"e{text[found.end : found.end + 1]}", f"c{text[found.start - 1 : found.start]}",
        f"o{text[text.rfind(chr(10), 0, found.named) + 1 : found.named].lstrip()[:3]}",
        *(f"j{joint}{len(words) > 2}" for joint in joints), *(f"v{word}" for word in words), *(f"b{word}" for word in before), *(f"a{word}" for word in behind),
    ]  # fmt: skip
    names += [f"g{one} {other}" for one, other in itertools.pairwise(words)]
    if not said.isascii():
        names += [f"u{letter}" for letter in {*said}] + [f"p{one}{other}" for one, other in {*itertools.pairwise(said)}]
    return [place_feature(one) for one in names]


_SHAPES = "aA0-汉"


def _classify_letter(letter: str) -> int:
    if not letter.isascii() and letter.isalpha():
        return 4 if letter >= "⺀" else int(letter.isupper())
    return 2 if letter.isdigit() else 3 if not letter.isalnum() else int(letter.isupper())


def _squeeze(shape: str) -> str:
    return "".join(letter for at, letter in enumerate(shape) if at == 0 or shape[at - 1] != letter)[:8]


def find_phrases(text: str, low: str) -> Iterator[SecretSpan]:
    """What is most probably a password by what is said and around it."""
    for found in iterate_phrases(text, low):
        weights, bias = load_weights(1)
        places = describe_phrase(text, found)
        if bias + SCALE * (sum([weights[place] for place in places]) - 128 * len(places)) >= SURE_PHRASE:
            yield SecretSpan(found.start, found.end, "password", False)
