"""Whether texts that look alike may be one memory said twice: documents repeat forms, which is nobody's mistake. Pure.

Fields of one shape, rows, steps of parallel sections, lines that every page of a kind has, commands and bare
names are alike because of where they stand. Only a memory that says something by itself is worth asking about."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from memtui.core.model import Layer
from memtui.core.startup import compile_pattern
from memtui.formats import kinds
from memtui.formats.marks import BETWEEN
from memtui.language.similarity import extract_terms, normalize_text, weigh_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.core.model import Memory
    from memtui.layouts import LayoutFacts
    from memtui.store.candidates import Candidate

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
_TWICE = 2
"""So often a line stands that was written down again; more often, and it is a form's."""
_SECTION = 40.0
"""What a line must weigh to be one memory under two headings of a document: what weighs less is about its heading."""
_COPIED, _NAMESAKES = 5, 2
"""So many lines of one file that stand in another, and half of all, and it is a copy; of a file of the same name."""

_LINK = compile_pattern(r"!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|<?https?://\S+")
_MARKS = ("/", "\\", "<", "{")
"""Without one of these nothing is a path or a slot."""
_CODE = compile_pattern(r"`[^`]*`")
_LONG_NUMBER = compile_pattern(r"(?<!\d)\d{7,}(?!\d)")
"""Somebody's or something's id."""
_PATH = compile_pattern(r"(?:[A-Za-z]:)?[\w.~@*{}$-]*(?:[\\/]+[\w.@*{}$-]+)+[\\/]?|<[^<>\n]{1,80}>|\{[^{}\n]{1,40}\}")
_LABEL = compile_pattern(r"^[\s>*_\d.)（(-]*(?P<label>[^:：`\n|]{1,32}?)[*_]*\s*[:：][*_]*\s*(?P<rest>.*)", re.DOTALL)
_PAIR = compile_pattern(r"(?:^|[;；,，{]\s*)[\"']?[A-Za-z_][\w.-]*[\"']?\s*[:=]\s*")
_COMMAND = compile_pattern(
    r"^\s*(?:[$>] )?(?:sudo|ssh|cd|npm|npx|pnpm|yarn|node|git|gh|bash|sh|python3?|pip3?|uv|go|cargo|docker|curl|adb"
    r"|make|mvn|gradle|dotnet|kubectl|nix\S*|brew|apt\S*|export|echo|cat|mkdir|cp|mv|rm|ffmpeg|psql|mysql|\.?/\S+\.(?:sh|py|js)"
    r"|\"?\w:\\\S+\.exe\"?|\w+=\S+) (?!.*\b(?:is|are|was|must|should|never|not|no|the|an?|to|before|after|when|for|with"
    r"|and|only|in|sure|[A-Z][a-z]+s)\b)(?!.*[\u3400-\u9fff])"
    r"|[{};]\s*$|\s[\\^]\s*$|^\s*[\"'}\])]+[:,]?\s|^\s*[}\])]|^\s*\"[^\"]+\"\s*[:,]"
    r"|^\s*(?:var|let|const|def|class|import|from|return|if|for|public|private|using|func|fn)\b.*[({;:]\s*$"
    r"|[├└│▼]|^\s*(?://|#!|/\*|--\s)|^\s*\$?[\w.\[\]\"]+\s=\s"
)
_RUN = r"`[^`\n]*\b(?:tests?|lint|build|check|pytest|playwright|vitest|jest|tsc|mypy|ruff|clippy|rg|grep|e2e)\b[^`\n]*`"
_CAME = r"(?:通过|失败|成功|跳过|\b(?:pass(?:ed|es)?|fail(?:ed|s)?|green|red|ok)\b)"
_CHECKED = compile_pattern(rf"(?:^|[:：、/])\s*{_RUN}.*{_CAME}|{_CAME}[^`]{{0,80}}{_RUN}", re.IGNORECASE | re.DOTALL)
"""What a check came to when somebody ran it."""
_RECORD = compile_pattern(r"\b(?=[0-9a-f-]*\d)[0-9a-f]{6,}(?:-[0-9a-f]{2,})*\b", re.IGNORECASE)
_FEW_SHARED = 2
"""So many words beside such a number two have in common in any case."""
_NAME = compile_pattern(r"[^\W\u2e80-\U000323af]{3,}|[\u2e80-\U000323af]{2,}")
_QUOTED = compile_pattern(r"「([^」]{2,40})」|『([^』]{2,40})』|“([^”]{2,40})”|\"([^\"\n]{2,40})\"")
_DATED = compile_pattern(r"(?:^|[/_.-])(?:19|20)\d\d[-_.]?(?:0\d|1[0-2])[-_.]?(?:[0-2]\d|3[01])(?!\d{5})")
_LOG = compile_pattern(r"change[-_]?log|(?:^|/)(?:changes\b|history|archive|releases?\b|plans?/)", re.IGNORECASE)
_LEADING = compile_pattern(r"^[\s>*_-]*`([^`\s]*/[^`\s]*|[\w-]+\.\w{1,5})`")
_OF_DAY = compile_pattern(r"[\s>*_#`\[(（【-]*(?:19|20)\d\d[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}")
"""What begins with its day tells what was so, or done, then."""
_VERIFIED = compile_pattern(r"验收|验证|驗收|驗證|\bverif|\bacceptance\b|\bsmoke\b|test results?", re.IGNORECASE)
_CAME_TO = compile_pattern(
    r"通过|(?<!待)确认|返回|为 ?`?active|\b(?:pass(?:ed|es)?|confirmed|returns|green|ok)\b", re.IGNORECASE
)
"""What a line says, under a heading that tells of checks, when it only tells what one of them came to."""
_UNCLAIMED = compile_pattern(
    r"^[\s>*_-]*(?:不(?![要得能可许准应必再])|未|无(?!论)|(?:no|not|without|does not|do(?:es)?n't) )",
    re.IGNORECASE,
)
"""How a page says what its own part leaves alone, without a name for it."""
_BARE = 16.0
"""What such a line weighs at most."""
_TEACHES = compile_pattern(
    r"cheat-?sheet|(?:^|[/_.-])(?:exams?|tutorials?|courses?|lessons?|exercises?|examples?|samples?|teach(?:es|ing)?)(?=[/_.-])"
    r"|(?:^|/)SKILL\.md$",
    2,
)
_SAMPLE = compile_pattern(r"^(?:1234|abcd|xxx|000)|(?:wxyz|xyz1|ew11|xxxx)$", re.IGNORECASE)
_TYPED = compile_pattern(r"…(?:6789|7890|wxyz|xxxx|cdef)$", re.IGNORECASE)
"""How a key ends that somebody made up, going along the keyboard."""
_SHOWN_OFF = compile_pattern(
    r"^\s*(?:const|let|var|final|private)\s|\[redacted[^\]]*\]['\"]?[;,)]*\s*//|[-+]\s?\d+ ?分", re.IGNORECASE
)
"""A line of a lesson's code, or of a table of what costs points: a short value in it is nobody's."""
_ACCOUNT = compile_pattern(r"(?<!\d)42(?!\d)")
"""How long a contract's or an account's address on a chain is, which everybody may know."""
_NO_VALUE = compile_pattern(r"^(?:uid|cn|ou|dc)=|[\])(]")
_AGENT = compile_pattern(r"(?:^|/)(?:(?:sub-?)?agente?s/([^/]+)|workspaces/([^/]+)|(workspace(?:[-_][^/]+)?))/", 2)
"""The directory of one of several agents: agents/till/, or a workspace of its own."""
_READ_BY_AGENT = compile_pattern(r"(?:^|/)[A-Z][A-Z_-]+\.md$")
"""How the files are called that an agent reads at its start: AGENTS.md, USER.md, SOUL.md."""
_BOLD_LEAD = compile_pattern(
    r"\W{0,4}\*\*(?:([^*:：\n]{2,48})\*\*\s*[:：]|([^*:：\n]{2,48})[:：]\*\*)|\W{0,4}`([^`\n]{2,48})`\s*[:：]"
)
"""How an item begins that names what it is about: '**Live URL**: …'."""

_STEP = compile_pattern(
    r"^[\s>*_\d.)-]*(?:点击|点选|打开|进入|选择|读取|阅读|(?:click|open|tap|press|select|go to|read) )",
    re.IGNORECASE,
)
_SLOT = compile_pattern(
    r"YYYY|XXX\b|HH:MM|\bMM-DD\b|<\w[\w -]*>\s*[:：]|\[(?:your|name|date|time|id|日期|名称)\]", re.IGNORECASE
)
"""Where somebody fills something in."""
_CLOSING = compile_pattern(
    r"[^\w*]*\*(?!\*)[^*\n]+\*[^\w*]*|[^\w*]*[\U0001f000-\U0001faff][^\w*]*\*\*[^*\n]+\*\*\W*|.*, (?:OR|AND)"
)
"""What closes a document or is cried out in it: '*Made by the report script*'; an alternative of a list."""
_OPENING = compile_pattern(
    r"\W{0,3}(?:本(?:文档|文件|页面|目录)|this (?:document|file|page|folder|directory)\b)", re.IGNORECASE
)
"""How a document begins that says what it is for: its own, however like another's."""
_FORM_FIELD = compile_pattern(r"\*\*[^*\n]{1,24}[:：]\*\*")
_SHORT_FIELD = compile_pattern(r"[\s>*+-]*\*\*[^*\n]{1,24}\*\*\s*[:：]\s*.{1,30}$")
"""A line of the head of a record: '**Severity**: high'."""
_STAMP = compile_pattern(
    r"\W*[^\W\d_][^:：\n]{0,30}[:：]\W*(?:19|20)\d\d[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2}日?)?"
    r"(?:[T ,]*\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?)?\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?\W*"
)
"""A field with nothing but a moment: 'Resolved: 2026-02-27T21:56:00+08:00'."""
_TITLE = compile_pattern(r"[\W\d]*(?:[^\W\d]{1,12}[:：])?\W*《[^》\n]+》(?:\s*[（(][^（()）\n]{0,24}[)）])?[^\w]*")
"""The name of a work, and how long it is: a list of what was written."""
_SERIES = compile_pattern(r"\d+(?=\.\w+$)")
"""What tells the parts of a series apart: 'post-12.md', 'post-13.md'."""
_AT_HOUR = compile_pattern(r"(?<![\d:])\d{1,2}:[0-5]\d(?![\d:])")
_NUMBERS = compile_pattern(r"\d+(?:[.:]\d+)*")

_RETOLD = 0.7
"""Which share of the words of both are the same, where one retells the other letter by letter."""
_BRIEF = 14.0
"""What a line weighs at least that two documents at a workspace's top are not each to have."""
_PARTS = compile_pattern(r"[-_ ]+")
_SAME_NAME = 2
"""So many words at the beginning of two names are one name."""


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
            if label := _split_label(memory.text)[0]:
                self._labels[label] += 1
                self._own[*place, label] += 1

    def telling(self, memory: Memory) -> bool:
        """Whether a memory says something by itself, and is no field of a form or line that stands all over."""
        if is_dated(memory.text) or is_of_day(memory.path):
            return False
        if any(map(_VERIFIED.search, memory.heading[1:][-1:])) and _CAME_TO.search(memory.text):
            return False
        return is_telling(memory.text) and not self.is_form(memory)

    def is_form(self, memory: Memory) -> bool:
        """Whether it is a field that others of its name stand beside, or a line that many documents have."""
        if self._lines[normalize_text(memory.text)] >= COMMON:
            return True
        return self.is_field(memory) and weigh_text(normalize_text(_split_label(memory.text)[1])) < _VALUE

    def is_field(self, memory: Memory) -> bool:
        """Whether others of its home begin with the same label: they are about different things, each its own."""
        return self._labels[_split_label(memory.text)[0]] >= FORM

    def apart(self, one: Memory, two: Memory) -> bool:
        """Whether they are alike because of where they stand: fields, parallel sections, pages of one template."""
        place, other = (one.home, one.path), (two.home, two.path)
        if place == other:
            if self._is_told_again(one, two):
                return False
            label = _split_label(one.text)[0]
            if label and label == _split_label(two.text)[0]:
                # A field of two parts, each with its own, though the value is the same.
                little = weigh_text(normalize_text(one.text)) < _BARE and one.heading != two.heading
                if self._own[*place, label] >= FORM or little:
                    return True
            routine = one.path.rpartition("/")[2] == "HEARTBEAT.md"
            if routine or (_STEP.match(one.text) and _STEP.match(two.text)):
                return True
            if BETWEEN in one.text and BETWEEN in two.text:
                # Each table of a document tells its own, and each row is about what it begins with.
                return True
            if one.heading == two.heading:
                # Each item of a list that begins with a name of its own is about what it names.
                names = {_lead(memory.text) for memory in (one, two)}
                return len(names) > 1 and "" not in names
            mine, theirs = self._sections[*place, one.heading], self._sections[*place, two.heading]
            return len(mine & theirs) >= _PARALLEL or (
                one.layer is Layer.KNOWLEDGE
                and not any(kinds.infer_heading_kind(name) for memory in (one, two) for name in memory.heading[-1:])
                and min(weigh_text(normalize_text(one.text)), weigh_text(normalize_text(two.text))) < _SECTION
            )
        if (
            _points_to_other(one, two)
            or _points_to_other(two, one)
            or _leaves_alone(one, two)
            or _serve_apart(one, two)
        ):
            return True
        if _SERIES.sub("", one.path) == _SERIES.sub("", two.path) and not is_of_day(one.path):
            # Each part of a series is read by itself, and says again what all of them have.
            return True
        return (
            self.paged(one, two)
            and not is_retold(one, two)
            and (list(map(normalize_text, one.heading[-1:])) == list(map(normalize_text, two.heading[-1:])))
        )

    def _is_told_again(self, one: Memory, two: Memory) -> bool:
        """Whether two sections of core memory have a line in common, word by word, that says much, and little else: it
        was written down again."""
        text = normalize_text(one.text)
        if one.layer is not Layer.CORE or text != normalize_text(two.text) or weigh_text(text) < _BRIEF:
            return False
        mine, theirs = (self._sections[memory.home, memory.path, memory.heading] for memory in (one, two))
        return one.heading != two.heading and self._lines[text] == _TWICE and len(mine & theirs) <= _PARALLEL

    def paged(self, one: Memory, two: Memory) -> bool:
        """Whether two files are pages of one kind, by the headings they share: each tells its own subject's side."""
        if (one.home, one.path) == (two.home, two.path):
            return False
        if {one.layer, two.layer} == {Layer.PROFILE, Layer.CORE}:
            # Whose it is and what is remembered are told in two files, not on two pages.
            return False
        mine, theirs = self._headings[one.home, one.path], self._headings[two.home, two.path]
        shared = mine & theirs
        return len(shared) >= 2 and 2 * len(shared) >= min(len(mine), len(theirs)) and not self.copied(one, two)

    def copied(self, one: Memory, two: Memory) -> bool:
        """Whether the file of one is, for the most part, the file of the other again: AGENTS.md beside CLAUDE.md."""
        places = frozenset({(one.home, one.path), (two.home, two.path)})
        known = self._copies.get(places)
        if known is None:
            first, *rest = (self._said[place] for place in places)
            shared = len(first & rest[0]) if rest else 0
            fewer = min(len(first), len(rest[0])) if rest else 0
            alike = one.path.rpartition("/")[2] == two.path.rpartition("/")[2]
            known = self._copies[places] = shared >= (_NAMESAKES if alike else _COPIED) and 2 * shared >= fewer
        return known


@lru_cache(maxsize=1 << 14)
def is_telling(text: str) -> bool:
    """Whether a text says something: no label before a list, no command, no record of a program, no bare name."""
    text = text.strip()
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or all(line.rstrip(" *_").endswith((":", "：")) for line in lines):
        return False
    if "》" in text and _TITLE.fullmatch(text):
        return False
    # Most texts have none of the marks that these look for, which is seen far sooner than that they do not match.
    if (
        ("`" in text and _CHECKED.search(text))
        or ((":" in text or "=" in text) and len(_PAIR.findall(text[:2000])) >= 3)
        or 2 * sum(map(_is_code, lines)) >= len(lines)
        or _SLOT.search(text)
        or _CLOSING.fullmatch(text)
        or _OPENING.match(text)
        or len(_FORM_FIELD.findall(text)) > 1
        or (len(lines) > 1 and all(map(_SHORT_FIELD.match, lines)))
        or _STAMP.fullmatch(text)
    ):
        return False
    own = weigh_text(normalize_text(_LONG_NUMBER.sub(" ", strip_links_and_code(text))))
    if own >= _TELLING:
        return True
    valued = any(name[0] not in "![" for name in list_names(text))
    return valued and own >= _NAMING and len(text) >= _NAMED and bool(_split_label(text)[0])


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


def is_dated(text: str) -> bool:
    """Whether a text begins with its day: it tells what was so, or done, then."""
    return _OF_DAY.match(text) is not None


def is_of_day(path: str) -> bool:
    """Whether a file is of one day, by its name or its folder's: it tells what was so then."""
    return bool(_DATED.search(path))


def _serve_apart(one: Memory, two: Memory) -> bool:
    """Whether two files are those of two agents: each reads its own, and neither the other's."""
    mine, theirs = (_AGENT.search(memory.path) for memory in (one, two))
    if mine is None and theirs is None:
        return False
    names = {found[found.lastindex or 0] if found is not None else "" for found in (mine, theirs)}
    return len(names) > 1 and all(_READ_BY_AGENT.search(memory.path) for memory in (one, two))


def _leaves_alone(one: Memory, two: Memory) -> bool:
    """Whether one of two pages of a folder says what it leaves alone: that is its own, whoever else does so."""
    if not one.layer is two.layer is Layer.KNOWLEDGE or one.path.rpartition("/")[0] != two.path.rpartition("/")[0]:
        return False
    return any(
        "/" in memory.path and _UNCLAIMED.match(memory.text) and weigh_text(normalize_text(memory.text)) < _BARE
        for memory in (one, two)
    )


def is_retold(one: Memory, two: Memory) -> bool:
    """Whether one of two is read in every session, and the other says nearly all of it in the same words."""
    if (one.layer is Layer.KNOWLEDGE) is (two.layer is Layer.KNOWLEDGE):
        return False
    mine, theirs = extract_terms(one.text), extract_terms(two.text)
    return (
        len(mine & theirs) >= _RETOLD * len(mine | theirs)
        and min(weigh_text(normalize_text(memory.text)) for memory in (one, two)) >= _BRIEF
    )


def is_passage(keep: Memory, other: Memory) -> bool:
    """Whether a document tells again what is read in every session; a sub-agent's file is what that one reads."""
    return is_retold(keep, other) and not any(
        _AGENT.search(path) or path.startswith(("agents/", "subagents/")) for path in (keep.path, other.path)
    )


def is_pair_of_documents(facts: LayoutFacts, one: Memory, two: Memory) -> bool:
    """Whether one of two stands in a document that a workspace has beside what its agent reads: a log of what was
    learnt, a note on one thing, a playbook. What is read was made of it, and each is read by itself. At the workspace's
    top, and among its memories, some are read by the agent: of those what says little is each document's own."""
    documents = [memory for memory in (one, two) if memory.layer is Layer.KNOWLEDGE]
    if facts.own_project != "always" or not documents:
        return False
    version = len(documents) > 1 and _is_version(one.path, two.path)
    if version or not all(is_in_start_folder(facts, memory.path) for memory in documents):
        return True
    least = min(weigh_text(normalize_text(memory.text)) for memory in (one, two))
    return len(documents) > 1 and least < _BRIEF


def is_in_start_folder(facts: LayoutFacts, path: str) -> bool:
    """Whether a document stands where a workspace's agent looks for its memories, or one of several in its own."""
    own = _AGENT.match(path)
    folder, slash, _name = path[own.end() if own is not None else 0 :].rpartition("/")
    return f"{folder}{slash}" in facts.start_folders


def _is_version(one: str, two: str) -> bool:
    """Whether two files of one folder begin with the same name, and go on with what tells them apart: drafts of one
    text, for one reader each."""
    (folder, _slash, name), (other, _slash, again) = one.rpartition("/"), two.rpartition("/")
    mine, theirs = (_PARTS.split(stem.rpartition(".")[0]) for stem in (name, again))
    alike = next((at for at, (part, same) in enumerate(zip(mine, theirs, strict=False)) if part != same), 0)
    return folder == other and alike >= _SAME_NAME


def is_of_log(path: str) -> bool:
    """Whether a file lists changes, or what was planned or put away: it tells what was to be so once."""
    return bool(_LOG.search(path))


def _points_to_other(one: Memory, two: Memory) -> bool:
    """Whether a memory names the file of the other one: it is told there."""
    return two.path.rpartition("/")[2].casefold() in one.text.casefold()


def is_example_secret(candidate: Candidate) -> bool:
    """Whether what counts as a secret by its surroundings alone is one of a lesson, or no value at all: an entry of a
    directory, the end of a link."""
    told = dict(candidate.parts)
    mask = told.get("mask", "")
    if mask.startswith("0x") and _ACCOUNT.search(candidate.reason):
        return True
    if candidate.score >= 1.0:
        return "…" in mask and _TYPED.search(mask) is not None
    if "…" not in mask and _SHOWN_OFF.search(candidate.text):
        return True
    taught = candidate.sources and all(_TEACHES.search(source.path) for source in candidate.sources)
    # A short value shows nothing of itself: its mask is a word in brackets.
    shown = mask if "…" in mask else ""
    return bool(taught) or _NO_VALUE.search(shown) is not None or _SAMPLE.search(shown) is not None


def has_other_file(one: str, two: str) -> bool:
    """Whether each of two texts is about a file, in code before all else, that the other does not name."""
    first, second = (next(iter(_CODE.findall(text)), "").strip("`") for text in (one, two))
    return "/" in first and "/" in second and first not in two and second not in one


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


def share_record_alone(one: str, two: str) -> bool:
    """Whether the number of a record is nearly all that two have in common: each says its own of it."""
    if not _RECORD.search(one) or not _RECORD.search(two):
        return False
    mine, theirs = (extract_terms(_RECORD.sub(" ", text)) for text in (one, two))
    return len(mine & theirs) < min(_FEW_SHARED, len(mine), len(theirs))


def has_other_names(one: str, two: str) -> bool:
    """Whether two texts name things, in code or in quotes, and for the most part others; or each its own hours."""
    hours = [set(_AT_HOUR.findall(text)) for text in (one, two)]
    if (
        _have_other_subjects(one, two)
        or _have_other_subjects(two, one)
        or (hours[0] - hours[1] and hours[1] - hours[0])
    ):
        return True
    mine, theirs = (
        {part for name in (*list_names(text), *_list_quoted(text)) for part in _NAME.findall(name.casefold())}
        for text in (one, two)
    )
    return 3 * len(mine & theirs) < min(len(mine), len(theirs))


def _have_other_subjects(one: str, two: str) -> bool:
    """Whether a text begins with the file or the address that it is about, and the other one speaks of none such."""
    lead, other = _LEADING.match(one), two.casefold()
    if lead is None:
        return False
    # Of a path one part tells enough; a file's name is nobody else's.
    names = _NAME.findall(lead[1].casefold()) if "/" in lead[1] else [lead[1].casefold()]
    return not any(name in other for name in names)


def _list_quoted(text: str) -> list[str]:
    return [part for match in _QUOTED.finditer(text) if (part := next(filter(None, match.groups()), ""))]


def _lead(text: str) -> str:
    """The name that a text begins with, in bold, in code or before a colon; empty: it begins otherwise."""
    found = _BOLD_LEAD.match(text)
    return normalize_text(found[1] or found[2] or found[3]) if found is not None else _split_label(text)[0]


def _split_label(text: str) -> tuple[str, str]:
    """The name of a field and what stands in it; both empty: it is none."""
    found = _LABEL.match(text)
    if found is None:
        return "", ""
    label = normalize_text(found["label"])
    return (label, found["rest"]) if label and weigh_text(label) <= _VALUE else ("", "")


def _is_code(line: str) -> bool:
    return bool(_COMMAND.search(line)) and "：" not in line
