"""`rules/memory-loader.md` (spec 002 level one) -> rules: which words lead to which files. Read leniently; pure.

Tables with their columns in any order and in Chinese or English, list items `words → path`, several words in a cell,
phrases around them ('涉及…', 'when the user mentions "…"'). What leads to a script or to prose is no document, and
no rule.
"""

from __future__ import annotations

import re

from memtui.parse.blocks import ITEM, PARAGRAPH, ROW, blocks
from memtui.parse.signs import bullet, cells
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING
from memtui.routing.matching import LONGEST_TRIGGER
from memtui.routing.rule import MOST, PLACEHOLDER, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DOCUMENTS = (".md", ".markdown", ".mdx", ".json", ".jsonl")

_WHEN = pattern(
    "触发|关键|条件|场景|情况|需要了解|需求|话题|主题|提到|问题|涉及|trigger|when|keyword|condition|scenario|topic|mention|"
    "query|about|if"
)
_WHERE = pattern("文件|文档|路径|加载|读取|位置|目标|file|path|load|document|read|target|location|open")
_QUOTED = pattern(
    r"「([^」]{1,80})」|『([^』]{1,80})』|“([^”]{1,80})”|‘([^’]{1,80})’|\"([^\"]{1,80})\"|`([^`]{1,80})`"
)
_DIVIDED = pattern(r"[/、,，|;；\n]|\s或者?\s?|或者|或|\bor\b")
_ARROW = pattern(r"→|⇒|➜|➔|=>|->|-->|⟶")
_LINK = pattern(r"\[[^\[\]]{0,200}\]\(<?([^()<>]{1,300})>?\)")
_CODE = pattern(r"`([^`\n]{1,300})`")
_BEFORE = pattern(
    r"(?:当|如果)?(?:用户)(?:询问|问到|问起|问及|问(?!题)|提到|提及|提出|说到|说|要求|想|需要)|当(?=.*时)|如果|凡是|只要|"
    r"涉及到?|提到|提及|说到|谈到|问到|问起|问及|询问|遇到|关于|有关"
)
_AFTER = pattern(
    r"(?:的时候|相关的?问题|相关的?|有关的?|时(?:加载|读取)|(?<![超实定延临小计耗按同准即工])时)$"
)
_BEFORE_EN = pattern(
    r"(?:whenever|when|if|the user|user|you|asks? (?:for|about|how)?|asking about|mentions?|mentioning|says?|about|"
    r"related to|regarding|concerning|touch(?:es|ing)|working (?:on|with)|involv(?:es|ing)|questions? about|any)\s+",
    re.IGNORECASE,
)
_NAMING = pattern(
    r"(?:具体|某个|某一|任意|任何)的?(?:项目|表|数据库表|工具|模式|域)名?称?|项目名称?|表名|"
    r"(?:a |the |any |specific |concrete )*(?:project|table|tool|pattern|domain)(?:'s)? names?|"
    r"(?:a |any )?specific (?:project|table|tool|pattern|domain)s?",
    re.IGNORECASE,
)


def parsed(text: str, name: str, bases: tuple[str, ...]) -> list[Rule]:
    """The rules of a loader file; `name` is how a person calls the file."""
    lines = text.split("\n")
    found: list[Rule] = []
    columns: tuple[int, int] | None = None
    below: tuple[str, ...] | None = None
    for what, first, end, data in blocks(lines):
        if len(found) >= MOST:
            break
        if what == ROW:
            row = cells(lines[first])
            if data != below or columns is None:
                below, columns = data, _columns(data, row)
            if columns is not None and max(columns) < len(row):
                found += _made(row[columns[0]], row[columns[1]], f"{name}:{first + 1}", bases)
            continue
        below = None
        if what in {ITEM, PARAGRAPH}:
            for number in range(first, end):
                found += _line(lines[number].strip(), f"{name}:{number + 1}", bases)
    return found[:MOST]


def configured(said: Iterable[str]) -> list[Rule]:
    """The person's own: 'word|word: path'."""
    found = []
    for text in said:
        words, colon, path = text.partition(": ") if ": " in text else text.partition(":")
        triggers = tuple(word.strip() for word in words.split("|") if word.strip())
        if triggers and colon and path.strip():
            naming = any(PLACEHOLDER.search(word) for word in triggers)
            triggers = tuple(word for word in triggers if not PLACEHOLDER.search(word))
            found.append(Rule(triggers, (path.strip(),), "config", naming))
    return found


def _columns(header: Sequence[str], row: Sequence[str]) -> tuple[int, int] | None:
    """Which column says when, and which says what to load; by their names, else by what stands in them."""
    names = [cell.strip("*` ").casefold() for cell in header]
    # '需要加载的文件' is about files: what names files is looked for first.
    place = next((n for n, name in enumerate(names) if _WHERE.search(name)), -1)
    when = next((n for n, name in enumerate(names) if n != place and _WHEN.search(name)), -1)
    if place < 0 or (place < len(row) and not paths(row[place]) and when < 0):
        place = next((n for n, cell in enumerate(row) if n != when and paths(cell)), -1)
    if when < 0:
        when = next((n for n in range(len(row)) if n != place), -1)
    return None if place < 0 or when < 0 else (when, place)


def _line(text: str, source: str, bases: tuple[str, ...]) -> Iterator[Rule]:
    """A list item or a line by itself: words, an arrow (or a colon), a path."""
    text = text[bullet(text) :].strip() if text else ""
    if len(text) > 600:
        return
    arrow = _ARROW.search(text)
    if arrow:
        yield from _made(text[: arrow.start()], text[arrow.end() :], source, bases)
        return
    for colon in ("：", ": "):
        head, found, rest = text.partition(colon)
        if found and not paths(head):
            yield from _made(head.strip("* "), rest, source, bases)
            return


def _made(when: str, where: str, source: str, bases: tuple[str, ...]) -> Iterator[Rule]:
    targets = paths(where)
    if not targets or len(when) > 600:
        return
    naming = _NAMING.search(when) is not None or PLACEHOLDER.search(when) is not None
    words = tuple(dict.fromkeys(triggers(when)))
    if words or naming:
        yield Rule(words, targets, source, naming, bases)


def triggers(cell: str) -> Iterator[str]:
    """The words of a condition: what it quotes, else what is left of each part without the phrase around it."""
    cell = _LINK.sub(" ", cell)
    for part in _parts(cell):
        quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(part)]
        for said in quoted or [_bare(part)]:
            word = said.strip().strip("*_ ").strip()
            stands_for = PLACEHOLDER.search(word) or _NAMING.fullmatch(word)
            if word and len(word) <= LONGEST_TRIGGER and not stands_for:
                yield word


def _parts(cell: str) -> Iterator[str]:
    """The cell cut at its separators, but not inside of quotes."""
    begin = done = 0
    quotes = [match.span() for match in _QUOTED.finditer(cell)]
    for cut in _DIVIDED.finditer(cell):
        while done < len(quotes) and quotes[done][1] <= cut.start():
            done += 1
        if done < len(quotes) and quotes[done][0] < cut.start():
            continue
        yield cell[begin : cut.start()]
        begin = cut.end()
    yield cell[begin:]


def _bare(part: str) -> str:
    part = part.strip().strip("*_。.!！?？:：()（） ")
    while match := _BEFORE.match(part):
        part = part[match.end() :].strip()
    while match := _BEFORE_EN.match(part):
        part = part[match.end() :]
    return _AFTER.sub("", part).strip()


def paths(cell: str) -> tuple[str, ...]:
    """The documents that a cell names. Of 'map → pattern' the pattern is meant; scripts and prose are none."""
    if len(cell) > 1000:
        return ()
    cell = _ARROW.split(cell)[-1]
    marked = [*_LINK.findall(cell), *_CODE.findall(cell)]
    if not marked:
        bare = (
            cell.replace("，", " ").replace("、", " ").replace(",", " ").replace(";", " ").replace("；", " ")
        )
        marked = [word.strip("\"'()（）。") for word in bare.split()]
    return tuple(dict.fromkeys(path.strip() for path in marked if _document(path.strip())))


def _document(path: str) -> bool:
    path = path.partition("#")[0]
    return path.lower().endswith(DOCUMENTS) or (path.endswith("/") and len(path) > 1 and " " not in path)
