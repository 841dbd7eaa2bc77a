"""Whether what looks alike may be one memory said twice: documents repeat forms, and that is nobody's mistake.

Fields of one shape, rows, steps of parallel sections, lines that every page of a kind has, commands and bare names are
the same because of where they stand. Only a memory that says something by itself is worth asking about. Pure.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from memtui.core.model import Layer
from memtui.core.startup import pattern
from memtui.formats import kinds
from memtui.language.similarity import normalize_text, weigh_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.core.model import Memory

FORM = 3
"""So many fields of one name, in one home, are a form that somebody filled in."""
COMMON = 4
"""So many lines that are the same are nobody's memory."""
_TELLING = 5.0
"""What a memory's own words must weigh, without names of files, links and code."""
_NAMING = 2.4
"""What they must weigh where they only say what some name is."""
_NAMED = 12
"""Characters that such a one has at least."""
_VALUE = 10.0
"""What stands in a field weighs less than this; what weighs more is a sentence with a word before it."""
_PARALLEL = 2
"""So many lines that two sections of one file share are steps of the same thing done twice."""
_SECTION = 40.0
"""What a line must weigh to be one memory under two headings of a document: what weighs less is about its heading."""
_COPIED = 5
"""So many lines of one file that stand in another, and half of all, and it is a copy."""

_LINK = pattern(r"!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|<?https?://\S+")
_MARKS = ("/", "\\", "<", "{")
"""Without one of these nothing is a path or a slot."""
_CODE = pattern(r"`[^`]*`")
_PATH = pattern(r"(?:[A-Za-z]:)?[\w.~@*{}$-]*(?:[\\/]+[\w.@*{}$-]+)+[\\/]?|<[^<>\n]{1,80}>|\{[^{}\n]{1,40}\}")
_LABEL = pattern(r"^[\s>*_\d.)（(-]*(?P<label>[^:：`\n|]{1,32}?)[*_]*\s*[:：][*_]*\s*(?P<rest>.*)", re.DOTALL)
_PAIR = pattern(r"(?:^|[;；,，{]\s*)[\"']?[A-Za-z_][\w.-]*[\"']?\s*[:=]\s*")
_COMMAND = pattern(
    r"^\s*(?:[$>] )?(?:sudo|ssh|cd|npm|npx|pnpm|yarn|node|git|gh|bash|sh|python3?|pip3?|uv|go|cargo|docker|curl|adb"
    r"|make|mvn|gradle|dotnet|kubectl|nix\S*|brew|apt\S*|export|echo|cat|mkdir|cp|mv|rm|ffmpeg|psql|mysql|\.?/\S+\.(?:sh|py|js)"
    r"|\"?\w:\\\S+\.exe\"?|\w+=\S+) (?!.*\b(?:is|are|was|must|should|never|not|no|the|an?|to|before|after|when|for|with"
    r"|and|only|in|sure|[A-Z][a-z]+s)\b)(?!.*[\u3400-\u9fff])"
    r"|[{};]\s*$|^\s*[\"'}\])]+[:,]?\s|^\s*[}\])]|^\s*\"[^\"]+\"\s*[:,]"
    r"|^\s*(?:var|let|const|def|class|import|from|return|if|for|public|private|using|func|fn)\b.*[({;:]\s*$"
    r"|[├└│▼]|^\s*(?://|#!|/\*|--\s)|^\s*\$?[\w.\[\]\"]+\s=\s"
)
_RUN = r"`[^`\n]*\b(?:tests?|lint|build|check|pytest|playwright|vitest|jest|tsc|mypy|ruff|clippy|rg|grep|e2e)\b[^`\n]*`"
_CAME = r"(?:通过|失败|成功|跳过|\b(?:pass(?:ed|es)?|fail(?:ed|s)?|green|red|ok)\b)"
_CHECKED = pattern(rf"(?:^|[:：、/])\s*{_RUN}.*{_CAME}|{_CAME}[^`]{{0,80}}{_RUN}", re.IGNORECASE | re.DOTALL)
"""What a check came to when somebody ran it."""
_NAME = pattern(r"[^\W\u2e80-\U000323af]{3,}|[\u2e80-\U000323af]{2,}")
_QUOTED = pattern(r"「([^」]{2,40})」|『([^』]{2,40})』|“([^”]{2,40})”|\"([^\"\n]{2,40})\"")
_DATED = pattern(r"(?:^|[/_.-])(?:19|20)\d\d[-_.]?(?:0\d|1[0-2])[-_.]?(?:[0-2]\d|3[01])(?!\d{5})")
_LOG = pattern(r"change[-_]?log|(?:^|/)(?:changes\b|history|archive|releases?\b|plans?/)", re.IGNORECASE)
_LEADING = pattern(r"^[\s>*_-]*`([^`\s]*/[^`\s]*)`")
_OF_DAY = pattern(r"[\s>*_#\[(（【-]*(?:19|20)\d\d[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}")
"""What begins with its day tells what was so, or done, then."""
_VERIFIED = pattern(r"验收|验证|驗收|驗證|\bverif|\bacceptance\b|\bsmoke\b|test results?", re.IGNORECASE)
_CAME_TO = pattern(
    r"通过|(?<!待)确认|返回|为 ?`?active|\b(?:pass(?:ed|es)?|confirmed|returns|green|ok)\b", re.IGNORECASE
)
"""What a line says, under a heading that tells of checks, when it only tells what one of them came to."""
_UNCLAIMED = pattern(
    r"^[\s>*_-]*(?:不(?![要得能可许准应必再])|未|无(?!论)|(?:no|not|without|does not|do(?:es)?n't) )",
    re.IGNORECASE,
)
"""How a page says what its own part leaves alone, without a name for it."""
_BARE = 16.0
"""What such a line weighs at most."""
_STEP = pattern(
    r"^[\s>*_\d.)-]*(?:点击|点选|打开|进入|选择|读取|阅读|(?:click|open|tap|press|select|go to|read) )",
    re.IGNORECASE,
)
_NUMBERS = pattern(r"\d+(?:[.:]\d+)*")


class Setting:
    """What is known of the documents around: which lines are forms there, which files are copies or pages of a kind."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._labels: Counter[str] = Counter()
        self._own: Counter[tuple[str, str, str]] = Counter()
        self._lines: Counter[str] = Counter()
        self._headings: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._sections: defaultdict[tuple[str, str, tuple[str, ...]], set[str]] = defaultdict(set)
        self._said: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._copies: dict[frozenset[tuple[str, str]], bool] = {}
        for memory in memories:
            place, text = (memory.home, memory.path), normalize_text(memory.text)
            self._lines[text] += 1
            self._headings[place].update(map(normalize_text, memory.heading[1:]))
            self._sections[*place, memory.heading].add(text)
            if weigh_text(text) >= _TELLING:
                self._said[place].add(text)
            if label := _labelled(memory.text)[0]:
                self._labels[label] += 1
                self._own[*place, label] += 1

    def telling(self, memory: Memory) -> bool:
        """Whether a memory says something by itself, and is no field of a form or line that stands all over."""
        if _OF_DAY.match(memory.text) or is_of_day(memory.path):
            return False
        if any(map(_VERIFIED.search, memory.heading[1:][-1:])) and _CAME_TO.search(memory.text):
            return False
        return is_telling(memory.text) and not self.is_form(memory)

    def is_form(self, memory: Memory) -> bool:
        """Whether it is a field that others of its name stand beside, or a line that many documents have."""
        if self._lines[normalize_text(memory.text)] >= COMMON:
            return True
        return self.is_field(memory) and weigh_text(normalize_text(_labelled(memory.text)[1])) < _VALUE

    def is_field(self, memory: Memory) -> bool:
        """Whether others of its home begin with the same label: they are about different things, each its own."""
        return self._labels[_labelled(memory.text)[0]] >= FORM

    def apart(self, one: Memory, two: Memory) -> bool:
        """Whether they are alike because of where they stand: fields, parallel sections, pages of one template."""
        place, other = (one.home, one.path), (two.home, two.path)
        if place == other:
            label = _labelled(one.text)[0]
            if label and label == _labelled(two.text)[0] and self._own[*place, label] >= FORM:
                return True
            if _STEP.match(one.text) and _STEP.match(two.text):
                return True
            if one.heading == two.heading:
                return False
            mine, theirs = self._sections[*place, one.heading], self._sections[*place, two.heading]
            return len(mine & theirs) >= _PARALLEL or (
                one.layer is Layer.KNOWLEDGE
                and not any(
                    kinds.infer_heading_kind(name) for memory in (one, two) for name in memory.heading[-1:]
                )
                and min(weigh_text(normalize_text(one.text)), weigh_text(normalize_text(two.text))) < _SECTION
            )
        if _points(one, two) or _points(two, one) or _leaves_alone(one, two):
            return True
        return self.paged(one, two) and (
            list(map(normalize_text, one.heading[-1:])) == list(map(normalize_text, two.heading[-1:]))
        )

    def paged(self, one: Memory, two: Memory) -> bool:
        """Whether two files are pages of one kind, by the headings they share: each tells its own subject's side."""
        if (one.home, one.path) == (two.home, two.path):
            return False
        mine, theirs = self._headings[one.home, one.path], self._headings[two.home, two.path]
        shared = mine & theirs
        return (
            len(shared) >= 2 and 2 * len(shared) >= min(len(mine), len(theirs)) and not self.copied(one, two)
        )

    def copied(self, one: Memory, two: Memory) -> bool:
        """Whether the file of one is, for the most part, the file of the other again: AGENTS.md beside CLAUDE.md."""
        places = frozenset({(one.home, one.path), (two.home, two.path)})
        known = self._copies.get(places)
        if known is None:
            first, *rest = (self._said[place] for place in places)
            shared = len(first & rest[0]) if rest else 0
            fewer = min(len(first), len(rest[0])) if rest else 0
            known = self._copies[places] = shared >= _COPIED and 2 * shared >= fewer
        return known


@lru_cache(maxsize=1 << 14)
def is_telling(text: str) -> bool:
    """Whether a text says something: no label before a list, no command, no record of a program, no bare name."""
    text = text.strip()
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or all(line.rstrip(" *_").endswith((":", "：")) for line in lines):
        return False
    # Most texts have none of the marks that these look for, which is seen far sooner than that they do not match.
    if (
        ("`" in text and _CHECKED.search(text))
        or ((":" in text or "=" in text) and len(_PAIR.findall(text[:2000])) >= 3)
        or 2 * sum(map(_is_code, lines)) >= len(lines)
    ):
        return False
    own = weigh_text(normalize_text(strip_links_and_code(text)))
    if own >= _TELLING:
        return True
    valued = any(name[0] not in "![" for name in list_names(text))
    return valued and own >= _NAMING and len(text) >= _NAMED and bool(_labelled(text)[0])


def strip_links_and_code(text: str) -> str:
    """A text without links, code and paths."""
    if "[" in text or "://" in text:
        text = _LINK.sub(" ", text)
    if "`" in text:
        text = _CODE.sub(" ", text)
    return _PATH.sub(" ", text) if any(map(text.__contains__, _MARKS)) else text


def list_names(text: str) -> tuple[str, ...]:
    """What a text puts in code or gives as a path, in order."""
    linked = _LINK.sub(" ", text)
    found = [span.strip("`").strip() for span in _CODE.findall(linked)]
    return tuple(filter(None, (*found, *_PATH.findall(_CODE.sub(" ", linked)), *_LINK.findall(text))))


def is_of_day(path: str) -> bool:
    """Whether a file is of one day, by its name or its folder's: it tells what was so then."""
    return bool(_DATED.search(path))


def _leaves_alone(one: Memory, two: Memory) -> bool:
    """Whether one of two pages of a folder says what it leaves alone: that is its own, whoever else does so."""
    if (
        not one.layer is two.layer is Layer.KNOWLEDGE
        or one.path.rpartition("/")[0] != two.path.rpartition("/")[0]
    ):
        return False
    return any(
        "/" in memory.path
        and _UNCLAIMED.match(memory.text)
        and weigh_text(normalize_text(memory.text)) < _BARE
        for memory in (one, two)
    )


def is_of_log(path: str) -> bool:
    """Whether a file lists changes, or what was planned or put away: it tells what was to be so once."""
    return bool(_LOG.search(path))


def _points(one: Memory, two: Memory) -> bool:
    """Whether a memory names the file of the other one: it is told there."""
    return two.path.rpartition("/")[2].casefold() in one.text.casefold()


def has_other_number(one: str, two: str) -> bool:
    """Whether each of two texts has a number that the other has not."""
    mine, theirs = set(_NUMBERS.findall(one)), set(_NUMBERS.findall(two))
    return bool(mine - theirs) and bool(theirs - mine)


def has_other_name(one: str, two: str) -> bool:
    """Whether each of two texts names something in code that the other does not name at all."""
    first, second = one.casefold(), two.casefold()
    return any(name.casefold() not in second for name in list_names(one)) and any(
        name.casefold() not in first for name in list_names(two)
    )


def has_other_names(one: str, two: str) -> bool:
    """Whether two texts name things, in code or in quotation marks, and for the most part others."""
    if _led_apart(one, two) or _led_apart(two, one):
        return True
    mine, theirs = (
        {part for name in (*list_names(text), *_quoted(text)) for part in _NAME.findall(name.casefold())}
        for text in (one, two)
    )
    return 3 * len(mine & theirs) < min(len(mine), len(theirs))


def _led_apart(one: str, two: str) -> bool:
    """Whether a text begins with the file or the address that it is about, and the other one speaks of none such."""
    lead, other = _LEADING.match(one), two.casefold()
    return lead is not None and not any(name in other for name in _NAME.findall(lead[1].casefold()))


def _quoted(text: str) -> list[str]:
    return [part for match in _QUOTED.finditer(text) if (part := next(filter(None, match.groups()), ""))]


def _labelled(text: str) -> tuple[str, str]:
    """The name of a field and what stands in it; both empty: it is none."""
    found = _LABEL.match(text)
    if found is None:
        return "", ""
    label = normalize_text(found["label"])
    return (label, found["rest"]) if label and weigh_text(label) <= _VALUE else ("", "")


def _is_code(line: str) -> bool:
    return bool(_COMMAND.search(line)) and "：" not in line
