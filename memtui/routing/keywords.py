"""What a document is about, in a few keywords and a line: taken from what stands in it, the same every time."""

from __future__ import annotations

from memtui.model import Status
from memtui.parse import kinds
from memtui.parse.dates import day_in
from memtui.parse.signs import uncommented
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING, NamedTuple
from memtui.safety.injection import examine
from memtui.search.recall import coined
from memtui.search.stopwords import CHINESE, ENGLISH
from memtui.text import CJK_RUN

if TYPE_CHECKING:
    from memtui.model import Entry, Parsed

MOST = 12
"""Keywords of one document."""

_LINE = 100
"""Characters of a summary."""
_WORDS, _LONGEST = 4, 32
_IDLE = frozenset({
    "manual", "configuration", "convention", "conventions", "general", "common", "misc", "other", "default",
    "overview", "readme", "index", "summary", "architecture", "background", "usage", "tech stack", "key modules",
    "when to use", "手动", "配置", "通用", "其他", "概述", "概览", "简介", "说明", "总结", "项目概览", "目录", "架构",
    "技术栈", "关键模块", "背景", "适用场景", "使用场景", "使用技巧", "编码规范", "开发规范", "禁止项",
})  # fmt: skip
"""Categories and headings that every project has."""
_UNFIT = pattern(r"[|,，、;；<>\[\]\x00-\x1f\x7f\u2028\u2029]")
_EDGES = " \t`*_#'\"“”‘’「」『』()（）:：.。!！?？-–—~"
_LINKED = pattern(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,500}\)|\[\[([^\[\]]{1,200})\]\]")
_PARTS = pattern(r"[-_.\s]+")


class About(NamedTuple):
    """One document, as a row of an index says it."""

    keywords: tuple[str, ...]
    """The weightiest first."""
    summary: str
    """One line; empty where nothing in it may be repeated."""


def about(name: str, parsed: Parsed) -> About:
    """What a document says it is about; `name` is the project, pattern or tool that it belongs to."""
    entries = [entry for entry in parsed.entries if entry.status is Status.ACTIVE]
    weights: dict[str, tuple[float, str]] = {}

    def add(word: str, weight: float) -> None:
        word = fit(word)
        if word:
            known, written = weights.get(word.casefold(), (0.0, word))
            weights[word.casefold()] = known + weight, written

    add(name, 1000)
    for part in _PARTS.split(name):
        if len(part) > 2:
            add(part, 200)
    for entry in entries:
        for word in (*entry.tags, *entry.entities):
            add(word, 50)
        for word in coined(entry.text):
            add(word, 10)
    for heading in dict.fromkeys([parsed.title, *(entry.heading[-1] for entry in entries if entry.heading)]):
        if name.casefold() not in heading.casefold():
            add(heading, 40)
        if CJK_RUN.search(heading):
            # What is left in another script in a Chinese heading is a name.
            for word in CJK_RUN.sub(" ", heading).split():
                add(word, 20)
    # Where two weigh the same the one that stands first is first: a dict keeps that order, and so does sorting.
    best = sorted(weights.values(), key=lambda pair: -pair[0])
    return About(tuple(word for _weight, word in best[:MOST]), _summary(entries))


def fit(word: str) -> str:
    """A word or short phrase as a keyword; empty where it says nothing by itself."""
    word = " ".join(_UNFIT.sub(" ", uncommented(word)[0]).split()).strip(_EDGES)
    folded = word.casefold()
    if not 2 <= len(word) <= _LONGEST or len(word.split()) > _WORDS or not any(map(str.isalpha, word)):
        return ""
    if folded in _IDLE or folded in ENGLISH or word in CHINESE or kinds.exact(word) or day_in(word):
        return ""
    return word


def _summary(entries: list[Entry]) -> str:
    """The first line of what the document says first; of facts, of the one that was added last."""
    facts = [entry for entry in entries if entry.kind == "fact" and entry.key]
    for entry in reversed(facts) if facts else entries:
        text = _LINKED.sub(lambda match: match[1] or match[2] or "", uncommented(entry.text)[0])
        line = " ".join(text.replace("|", "/").partition("\n")[0].split())
        # A quotation under the title is about the file, not about the thing.
        if not line or (entry.kind == "note" and len(entries) > 1 and line[-2:] in {"补充", "更新"}):
            continue
        line = line if len(line) <= _LINE else line[: _LINE - 1].rstrip() + "…"
        return "" if examine(line).action != "none" else line
    return ""
