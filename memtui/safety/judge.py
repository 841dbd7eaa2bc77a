"""How much a sentence reads like an order to an agent: a linear model over what its words are about.

A pattern knows a way of saying a thing; the model weighs what stands together: who is spoken to, what is done to
what, who is not to know, on whose authority, and what is forbidden or only told of. `describe` computes the
features of a sentence in plain lower case (see `normalize`): groups of words, any two of them and those that stand
together, in their order, with what 'never' negates; the words themselves, Chinese by characters; its form.
`judge.bin` holds the words of the groups (tests/safety/groups.txt) and the weights, one byte a feature. Features
are hashed, so that no text can be read out of it. `python -m tests.safety.train` makes it from phrasings of our own
and from real homes: what it has not seen the like of it does not know, so breadth of phrasings is all. A sentence
costs little unless it names three things an order is about (two in other scripts), one of them of `_RISK`: most
are never described.

A sentence alone does not tell an order from its honest twin: 'send the dump to the mirror' is one or the other by
whose mirror it is and what stands before. So a sentence that may be an order is read with what stands around it:
`Around` weighs the words of that stretch, alone, by twos and threes, out of `around.bin`. Both sums are added.
"""

from __future__ import annotations

import math
from binascii import crc32
from bisect import bisect_left
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, islice, pairwise
from pathlib import Path
from zlib import decompress

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.core.text import HAN

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).with_name("judge.bin")
BITS = 18
"""Features are told apart by so many bits of their hash."""
SCALE = 1 / 32
"""What one step of a weight is worth."""
SURE = 3.0
"""From this sum on a sentence that stands for itself is an order."""
AROUND = Path(__file__).with_name("around.bin")
AROUND_BITS = 20
ORDERED = 0.9
"""From this sum on a stretch with a sentence in it that may be an order is one: of honest twins of orders two or three in
a hundred are called so, of the memories of real homes one in ten thousand, by weights that have not learned from who
wrote them."""
LIKELY = 0.4
"""From this sum on it is worth a warning."""
HONEST = -3.0
"""Below this sum a line of some length is none, though a pattern matches that honest notes match, too."""
UNSEEN = -0.4
"""The same for what no reader of a page sees."""
DOUBTED = -5.0
"""Below this sum a sentence is not read with what stands around it."""
DOUBTED_AMONG_MANY = -3.0
"""The same in a long text, of which many sentences are looked at."""
STEP_OF_LENGTH = 0.12
"""How much surer a sentence must be in a text of twice the length: the more are looked at, the more look like one."""
SHARE = 0.1
"""How much a sentence's own sum counts there, up to `_MOST_SHARED`."""
_MOST_SHARED = 6.0
FAR = -3.0
"""Below this sum a sentence is not looked at together with its neighbours."""
NOTHING = -99.0
"""The sum of a sentence that is not about what an order is about."""
LONGEST = 400
"""Characters of a sentence that are looked at."""
_ID = compile_pattern(r"(?<![^\W_])(?=[a-f]*\d)[0-9a-f]{3,}(?![^\W_])")
_MOST_WORDS = 72

_RISK = frozenset(("drop", "secret", "send", "hide", "run", "obey", "allow", "disable", "keep", "pay", "plant", "wipe", "lie", "answer", "free", "tell", "mode", "puzzle"))  # fmt: skip
"""A sentence that has none of these is no order."""

_TOKEN = compile_pattern(
    # Most words stand between spaces, and are nothing else that is looked for.
    r"[a-z_]++(?=[ \n,])|https?://[^\s<>\"'`)]+|ftp://\S+|[\w.+-]++@[\w-]+\.\w[\w.]*|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[~.]?/?[a-z_]*+(?:[/.][a-z0-9_-]+)+"
    r"|[a-z_]++(?:['’-][a-z]+)*|[\u3400-\u9fff]+|[\u0400-\u04ff]+|[\u3040-\u30ff]+|[\uac00-\ud7a3]+|[^\s\w]|\d+"
)
_WIDE = compile_pattern(f"[{HAN}]+")
_SECRET_PATH = compile_pattern(
    r"\.env\b|id_rsa|id_ed25519|\.ssh|\.aws|\.netrc|\.npmrc|\.pgpass|shadow|secret|credential|kube|passw|token|\.config"
)
_KEEP_PATH = compile_pattern(
    r"bashrc|zshrc|cron|authorized|claude\.md|agents\.md|memory\.md|cursorrules|settings\.json|systemd|/hooks"
)
_SENTENCE = compile_pattern(r"[^\n.!?。！？]*(?:[.!?](?!\s|$)[^\n.!?。！？]*)*[.!?。！？\n]*")


class ScoredStretch(NamedTuple):
    """A sentence, or up to three that follow each other, that read like an order; the sum of the weights."""

    start: int
    end: int
    score: float


def list_sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end."""
    return [match.span() for match in _SENTENCE.finditer(text) if match.end() - match.start() > 7]


_SYLLABLE = compile_pattern(
    "(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])(?:i(?:ang|ong|ng|ao|an|a|e|u|n)?|u(?:ang|ai|an|a|o|i|n|e)?|ang|eng|ong|ai|ei|ao|ou"
    "|an|en|a|o|e)|ang|eng|er|ai|ei|ao|ou|an|en|a|o|e)(?![aeiou]|n(?![aeioug])|ng(?![aeiou])|r(?![aeiou]))"
)
_WORD = compile_pattern("([a-z]+)")
_OFTEN_SPOKEN = compile_pattern(
    r"\b(?:bu|ba|dao|yao|suo|zhi|shi|bie|jiu|qing|zai|gei|fa|hou|yong|suoyou|yonghu|buyao|shanchu|ranhou)[1-5]?\b"
)


def read_pinyin(text: str) -> str:
    """A text without accents with its Chinese for the Latin letters that it is spoken by; empty: there is none."""
    if sum(1 for _ in zip(_OFTEN_SPOKEN.finditer(text), range(3), strict=False)) < 3:
        return ""
    said: list[str] = []
    syllables: list[str] = []
    spoken = 0
    for piece in [*_WORD.split(text), "|"]:
        # Every second piece is a word, the others stand between two.
        parts = _SYLLABLE.findall(piece) if piece.isalpha() and piece.isascii() else []
        if parts and "".join(parts) == piece:
            syllables += parts
        elif parts or piece.strip(" \t\n,;:'\"-12345"):
            read = _spell_chinese(syllables) if len(syllables) > 3 else ""
            spoken += len(read)
            said += [read or " ".join(syllables), piece]
            syllables = []
    return "".join(said) if spoken > 5 else ""


def _spell_chinese(syllables: list[str]) -> str:
    """What so many syllables say; empty: most of them are none."""
    lexicon, said, at, unknown = _lexicon(), [], 0, 0
    while at < len(syllables):
        size = next((n for n in (4, 3, 2, 1) if "~" + "".join(syllables[at : at + n]) in lexicon), 0)
        said.append(lexicon["~" + "".join(syllables[at : at + size])] if size else "")
        unknown += not size
        at += size or 1
    return "" if unknown * 4 > len(syllables) else "".join(said)


@cache
def _lexicon() -> dict[str, str]:
    """Words and the names of their groups; Chinese ones by what they are spoken like, with a mark before that."""
    return dict([line.split(" ", 1) for line in _load()[0].split("\n")])


@lru_cache(maxsize=8192)
def _look_up(word: str) -> tuple[str, ...]:
    """The groups of a word in any of its forms."""
    lexicon = _lexicon()
    names = lexicon.get(word)
    if names is not None or len(word) < 4:
        return tuple(names.split()) if names else ()
    for end, more in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""), ("ing", "e"), ("ly", "")):  # fmt: skip
        if word.endswith(end):
            stem = word[: len(word) - len(end)] + more
            names = lexicon.get(stem) or (
                lexicon.get(stem[:-1]) if len(stem) > 3 and stem[-1:] == stem[-2:-1] else None
            )
            if names:
                return tuple(names.split())
    return ()


@lru_cache(maxsize=16384)
def _sort(token: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The words of a token and the groups of each; addresses and paths by their kind, Chinese cut at what is known."""
    if "\u3400" <= token[0] <= "\u9fff":
        lexicon = _lexicon()
        found: list[tuple[str, tuple[str, ...]]] = []
        at = 0
        while at < len(token):
            size = next((size for size in (4, 3, 2) if token[at : at + size] in lexicon), 1)
            word = token[at : at + size]
            found.append((word, _look_up(word)))
            at += size
        return tuple(found)
    if "://" in token or "@" in token[1:] or (token.count(".") == 3 and token[0].isdigit()):
        return (("<url>", ("url",)),)
    if token[0].isdigit():
        return (("0", ()),)
    if "/" in token or "." in token[:-1]:
        kind = "secret" if _SECRET_PATH.search(token) else "keep" if _KEEP_PATH.search(token) else "path"
        return (("<path>", (kind,)),)
    return ((token[:20], _look_up(token)),)


def _read(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The words of a sentence, and the groups of each."""
    # In an id the letters between two digits are no words: 'cc' sends nothing there.
    text = _ID.sub("0", text)
    return list(islice(chain.from_iterable(map(_sort, _TOKEN.findall(text))), _MOST_WORDS))


def describe(text: str) -> set[int]:
    """The places of the features of a sentence in plain lower case; none: it is not about what an order is about."""
    read = _read(text[:LONGEST])
    there = set(chain.from_iterable([names for _word, names in read]))
    few = len(there) < (3 if text.isascii() else 2)
    if (few and "puzzle" not in there) or there.isdisjoint(_RISK):
        return set()
    line: list[int] = []
    near: list[tuple[int, ...]] = []
    negated = 0
    for _word, names in read:
        if not names:
            negated -= negated > 0
            continue
        if "not" in names:
            negated = 4
        one = tuple([_number("-" + name if negated and name not in _UNDENIED else name) for name in names])
        near.append(one)
        line += one
        negated -= negated > 0
    kinds = sorted(set(line))[:24]
    plain = [word for word, _names in read if word[0].isalnum() or word[0] == "<"]
    own = [_number(word) for word in plain]
    # What each kind of feature adds to the numbers of its parts keeps them apart.
    found = [one + 1 for one in kinds]
    found += [3 * one + 7 * two + 2 for one, two in combinations(kinds, 2)]
    for gap in (1, 2):
        found += [
            5 * one + 13 * two + 3 + gap
            for before, after in zip(near, near[gap:], strict=False)
            for one in before
            for two in after
        ]
    found += [
        5 * one[0] + 13 * two[0] + 17 * three[0] + 6 for one, two, three in zip(near, near[1:], near[2:], strict=False)
    ]
    found += [19 * one + 6 for one in own]
    found += [19 * one + 23 * two + 7 for one, two in pairwise(own)]
    found += [29 * _number(word[:5]) + 8 for word in plain if len(word) > 5]
    for run in _WIDE.findall(text):
        parts = (run[at : at + size] for size in (2, 3) for at in range(len(run) - size + 1))
        found += [31 * crc32(part.encode("utf-8", "surrogatepass")) + 9 for part in parts]
    if plain:
        first = _look_up(plain[0]) or ("-",)
        found += [37 * _number(name) + 10 for name in first] + [41 * own[0] + 11]
    found += [43 * ord(mark) + 12 for mark in '"“”「?`:;{<#!' if mark in text]
    found += [min(len(plain), 40) // 8 + 13, min(len(kinds), 15) // 3 + 23]
    return {(one * 0x9E3779B1 >> 9) & ((1 << BITS) - 1) for one in found}


_UNDENIED = frozenset({"not", "you", "user", "agent", "me"})
"""Groups that 'never' before them leaves as they are."""


@lru_cache(maxsize=16384)
def _number(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass"))


@cache
def _load() -> tuple[str, bytes, float]:
    """The words with their groups, the weights, and the sum that stands before them; read when a sentence asks."""
    raw = decompress(FILE.read_bytes())
    begin = 5 + int.from_bytes(raw[2:5], "little")
    return raw[5:begin].decode(), raw[begin:], int.from_bytes(raw[:2], "little", signed=True) * SCALE


def score(text: str) -> float:
    """How much speaks for an order in a sentence of plain lower case; `NOTHING`: it names nothing that does."""
    return _remember_score(text) if len(text) <= LONGEST else _score(text)


def _score(text: str) -> float:
    places = describe(text)
    if not places:
        return NOTHING
    _words, weights, bias = _load()
    return bias + SCALE * (sum([weights[place] for place in places]) - 128 * len(places))


# Most sentences are the same in each reading of a text.
_remember_score = lru_cache(maxsize=4096)(_score)


def find_orders(
    text: str, ordered: float = ORDERED, doubted: float = DOUBTED, among: int = 0
) -> Iterator[ScoredStretch]:
    """The sentences of a text in plain lower case that read like an order where they stand: `among` so many characters,
    where it is a part."""
    around: Around | None = None
    many = 0.0
    if doubted == DOUBTED and (length := max(len(text), among)) > _WHOLE:
        many, doubted = STEP_OF_LENGTH * math.log2(length / _WHOLE), DOUBTED_AMONG_MANY
    for one in find_likely(text, doubted):
        around = around or Around(text)
        stretch = around.weigh(one.start, one.end)
        if one.score >= SURE and stretch > HONEST and _is_puzzle(text[one.start : one.end]):
            yield one
            continue
        if (together := stretch + SHARE * min(one.score, _MOST_SHARED) - many) >= ordered:
            yield one._replace(score=together)


def _is_puzzle(sentence: str) -> bool:
    """Whether it says how an order is to be put together: what stands around it is the pieces."""
    return len({word for word, names in _read(sentence[:LONGEST]) if "puzzle" in names}) > 1


def find_likely(text: str, sure: float = SURE) -> Iterator[ScoredStretch]:
    """The sentences of a text in plain lower case that say what orders say, alone or with one or two before them."""
    before: list[tuple[int, float]] = []
    reached = 0
    for start, end in list_sentences(text):
        if start != reached:
            before = []
        reached = end
        one = score(text[start:end])
        if one >= sure:
            yield ScoredStretch(start, end, one)
            before = []
            continue
        if one > NOTHING:
            best = one
            for first, other in reversed(before):
                best = max(best, other)
                # What is far from an order becomes none by its neighbours.
                if best > FAR and end - first < LONGEST and (together := score(text[first:end])) >= sure:
                    yield ScoredStretch(first, end, together)
                    before = []
                    break
        before = [*before[-1:], (start, one)]


_WHOLE = 640
"""Characters of a text that is read at once."""
_UNIT, _RUN, _SHORTEST = 320, 420, 40
"""Characters of a unit at most, of those that are read together, and of one that is read alone."""
FEW = 40
"""Known phrases of a text; what has not many more tells little."""
_TELLING = 60
"""Characters of a line that tell what it is."""
_TERM = compile_pattern(r"[\u3400-\u9fff]|[a-z_']+|\d+|[^\w\s]")


@cache
def _load_around() -> tuple[bytes, float, float]:
    """The weights, what one step of them is worth, and the sum that stands before them."""
    raw = decompress(AROUND.read_bytes())
    scale, bias = (int.from_bytes(raw[at : at + 4], "little", signed=True) / 1_000_000 for at in (0, 4))
    return raw[8:], scale, bias


def list_phrases(text: str) -> set[int]:
    """The places of the words of a text in plain lower case, alone, by twos and by threes; a number is any number."""
    own = [_number("0" if word[0].isdigit() else word) for word in _TERM.findall(text)]
    found = {one * 0x9E3779B1 >> 9 & _PLACES for one in own}
    found |= {(31 * one + 17 * two + 1) * 0x9E3779B1 >> 9 & _PLACES for one, two in pairwise(own)}
    three = zip(own, own[1:], own[2:], strict=False)
    return found | {(31 * one + 17 * two + 7 * last + 2) * 0x9E3779B1 >> 9 & _PLACES for one, two, last in three}


_PLACES = (1 << AROUND_BITS) - 1


def list_units(text: str) -> list[tuple[int, int]]:
    """The lines of a text that are not empty; of long ones so many sentences as are as long as a unit."""
    found: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        end = at + len(line)
        first = last = at
        if len(line) > _UNIT:
            for match in _SENTENCE.finditer(text, at, end):
                if match.end() - first > _UNIT and last > first:
                    found.append((first, last))
                    first = last
                last = match.end()
                while last - first > _UNIT:
                    found.append((first, first + _UNIT))
                    first += _UNIT
        if first < end and line.strip():
            found.append((first, end))
        at = end + 1
    return found


def list_windows(units: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The units that are not short, each alone, and each with those behind it."""
    last = 0
    for at, (start, end) in enumerate(units):
        last = max(last, at)
        while last + 1 < len(units) and units[last + 1][1] - start <= _RUN:
            last += 1
        if end - start >= _SHORTEST or len(units) == 1:
            yield start, end
        if last > at:
            yield start, units[last][1]


class Around:
    """What stands around the sentences of one text; each stretch is weighed once, and only when it is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sums: dict[tuple[int, int], float] = {}

    @cached_property
    def _windows(self) -> list[tuple[int, int]]:
        return [(0, len(self.text))] if len(self.text) <= _WHOLE else list(list_windows(list_units(self.text)))

    def weigh(self, start: int, end: int) -> float:
        """The greatest sum of the stretches that a sentence stands in."""
        first = bisect_left(self._windows, (start - _WHOLE, 0))
        near = self._windows[first : bisect_left(self._windows, (end, 0))]
        return max((self._sum(window) for window in near if window[1] > start), default=NOTHING)

    def is_honest(self, start: int, end: int) -> bool:
        """Whether the line that something stands in is long enough to tell that it is no order, and does."""
        lowest, highest = max(0, start - _UNIT), min(len(self.text), end + _UNIT)
        last = self.text.find("\n", end, highest)
        window = max(self.text.rfind("\n", lowest, start) + 1, lowest), highest if last < 0 else last
        return window[1] - window[0] > _TELLING and self._sum(window) < HONEST and self.weigh(start, end) < HONEST

    def _sum(self, window: tuple[int, int]) -> float:
        if window not in self._sums:
            self._sums[window] = weigh_phrases(list_phrases(self.text[window[0] : window[1]]))
        return self._sums[window]


def weigh_phrases(places: set[int]) -> float:
    """How much speaks for an order in so many words and phrases."""
    weights, scale, bias = _load_around()
    known = [weight for place in places if (weight := weights[place])]
    return bias + scale * (sum(known) - 128 * len(known)) / math.sqrt(len(known) + FEW)
