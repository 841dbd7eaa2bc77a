"""INDEX.md of memtui's own home: keywords to L1 documents, made from the documents under areas/ (spec 000).

`extract_document_topics` reads a document's keywords and summary from what stands in it, the same every time.
What memtui makes stands between two marks; every byte outside them is the person's and stays. It is made anew
by `memtui route --regenerate`, and by an approval in the same write: an undo takes both back. Its pieces are
frames, so that undoing an older approval does not fail on an index that newer ones have changed.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from memtui.core.edits import Append, Edit, Piece, diff_lines
from memtui.core.errors import MemtuiError
from memtui.core.model import Layer, Problem, Status
from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol, compile_pattern
from memtui.core.text import CJK_RUN
from memtui.formats import Source, kinds, parse
from memtui.formats.dates import find_day
from memtui.formats.marks import strip_comments
from memtui.fs.files import read, walk
from memtui.layouts import load_facts, load_layout
from memtui.layouts.roles import resolve_path_case
from memtui.safety.injection import examine
from memtui.search.names import extract_coined_names
from memtui.search.vocabulary import CHINESE, ENGLISH
from memtui.store.route_targets import PLACEHOLDER, RoutePlaces, parse_configured_rules
from memtui.store.routes import Routed, load_rule_book

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.core.config import Config
    from memtui.core.edits import Change
    from memtui.core.model import Entry, Home, Parsed, Role
    from memtui.store.route_targets import RouteRule
    from memtui.store.vault import Vault

KEYWORDS_MOST = 12
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
_UNFIT = compile_pattern(r"[|,，、;；<>\[\]\x00-\x1f\x7f\u2028\u2029]")
_EDGES = " \t`*_#'\"“”‘’「」『』()（）:：.。!！?？-–—~"
_LINKED = compile_pattern(r"!?\[([^\[\]]{0,200})\]\([^()\s]{0,500}\)|\[\[([^\[\]]{1,200})\]\]")
_PARTS = compile_pattern(r"[-_.\s]+")


class DocumentAbout(NamedTuple):
    """One document, as a row of an index says it."""

    keywords: tuple[str, ...]
    """The weightiest first."""
    summary: str
    """One line; empty where nothing in it may be repeated."""


def extract_document_topics(name: str, parsed: Parsed) -> DocumentAbout:
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
        for word in extract_coined_names(entry.text):
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
    return DocumentAbout(tuple(word for _weight, word in best[:KEYWORDS_MOST]), _find_summary(entries))


def fit(word: str) -> str:
    """A word or short phrase as a keyword; empty where it says nothing by itself."""
    word = " ".join(_UNFIT.sub(" ", strip_comments(word)[0]).split()).strip(_EDGES)
    folded = word.casefold()
    if not 2 <= len(word) <= _LONGEST or len(word.split()) > _WORDS or not any(map(str.isalpha, word)):
        return ""
    if folded in _IDLE or folded in ENGLISH or word in CHINESE or kinds.match_exact_kind(word) or find_day(word):
        return ""
    return word


def _find_summary(entries: list[Entry]) -> str:
    """The first line of what the document says first; of facts, of the one that was added last."""
    facts = [entry for entry in entries if entry.kind == "fact" and entry.key]
    for entry in reversed(facts) if facts else entries:
        text = _LINKED.sub(lambda match: match[1] or match[2] or "", strip_comments(entry.text)[0])
        line = " ".join(text.replace("|", "/").partition("\n")[0].split())
        # A quotation under the title is about the file, not about the thing.
        if not line or (entry.kind == "note" and len(entries) > 1 and line[-2:] in {"补充", "更新"}):
            continue
        line = line if len(line) <= _LINE else line[: _LINE - 1].rstrip() + "…"
        return "" if examine(line).action == "quarantine" else line
    return ""


INDEX = "INDEX.md"
MOST = 500
"""Documents of one home."""

_OPEN, _CLOSE = "<!-- memtui:documents -->", "<!-- /memtui:documents -->"
_SAID = (
    "<!-- Made by memtui from the documents under areas/ (memtui route --regenerate). Rows of your own belong above "
    "or below these marks. -->"
)
_ODD = frozenset("<>|\r\n")
"""What a path in a table's row cannot hold."""
_LARGEST = 512 * 1024
_AREAS = "areas/"


def build_index_update(vault: Vault, home: Home, changes: Iterable[Change] = ()) -> Edit | None:
    """The change that makes the home's INDEX.md right once these changes are made; None where it is right already.

    Raises MemtuiError where INDEX.md cannot be read.
    """
    path = resolve_path_case(home.path, INDEX)
    base = vault.bytes_of(str(home.path), path)
    rows = _list_table_rows(home, _map_coming_files(vault, home, changes))
    made = _place_table(base, rows)
    if made is None or made == base:
        return None
    if base is None:
        pieces: tuple[Piece, ...] = (Piece(0, 0, made, True),)
    else:
        pieces = tuple(piece._replace(frame=True) for piece in diff_lines(base, made))
    return Edit(str(home.path), path, base, pieces)


def needs_index_update(home: Home, changes: Iterable[Change]) -> bool:
    """Whether changes are about documents that the home's INDEX.md leads to."""
    return load_facts(home).own and any(
        change.home == str(home.path) and change.path.startswith(_AREAS) for change in changes
    )


def _map_coming_files(vault: Vault, home: Home, changes: Iterable[Change]) -> dict[str, bytes | None]:
    """What the documents are going to hold."""
    found: dict[str, bytes | None] = {}
    for change in changes:
        if change.home != str(home.path) or not change.path.startswith(_AREAS):
            continue
        if isinstance(change, Edit):
            found[change.path] = None if change.remove else change.new
        elif isinstance(change, Append):
            before = vault.bytes_of(change.home, change.path)
            found[change.path] = (before or b"") + change.record.encode("utf-8", "surrogateescape")
    return found


def _list_table_rows(home: Home, coming: Mapping[str, bytes | None]) -> list[str]:
    kind = load_layout(home.layout)
    found: dict[str, DocumentAbout | None] = {}

    def role(path: str) -> Role | None:
        what = kind.role(home.path, path) if path.startswith(_AREAS) else None
        return what if what is not None and _is_led_to(what) else None

    def prune(path: str) -> bool:
        return not f"{path}/".startswith(_AREAS) or kind.prune(home.path, path)

    for item in walk(home.path, role, prune):
        if not isinstance(item, Problem) and item.path not in coming and len(found) < MOST:
            found[item.path] = _read_document_about(str(home.path), item.path, item.role, item.mtime_ns, item.size)
    for path, data in coming.items():
        what = role(path)
        if what is not None and data is not None:
            found[path] = _parse_document_about(path, what, data)
    return [
        _format_table_row(path, said)
        for path, said in sorted(found.items())
        if said and said.keywords and not _ODD & set(path)
    ]


def _is_led_to(role: Role) -> bool:
    return bool(role.project) and role.layer is Layer.KNOWLEDGE and role.parser != "index"


@lru_cache(maxsize=MOST * 2)
def _read_document_about(home: str, path: str, role: Role, changed: int, size: int) -> DocumentAbout | None:
    try:
        return _parse_document_about(path, role, read(home, path, _LARGEST)[0])
    except (MemtuiError, OSError):
        return None


def _parse_document_about(path: str, role: Role, data: bytes) -> DocumentAbout | None:
    parsed = parse(Source(path, role, data, size=len(data), masked=True))
    return extract_document_topics(role.project, parsed) if parsed.entries else None


def _format_table_row(path: str, said: DocumentAbout) -> str:
    # What stands last in a line may be read as its tags or its date: a path is neither.
    place = f"[{os.path.basename(path)}](<{path}>)" if re.search(r"[,，、]", path) else path
    return f"| {', '.join(said.keywords)} | {said.summary} | {place} |"


def _place_table(base: bytes | None, rows: list[str]) -> bytes | None:
    """The file with the rows between its marks; behind everything else where it has none."""
    end = "\r\n" if base and b"\r\n" in base else "\n"
    table = ["| keywords | summary | document |", "|---|---|---|", *rows]
    block = end.join([_OPEN, _SAID, "", *table, "", _CLOSE]).encode("utf-8", "surrogateescape")
    where = _find_marks(base or b"")
    if base and where:
        return base[: where[0]] + block + base[where[1] :]
    if not rows:
        return None
    if not base:
        return f"# Index{end}{end}".encode() + block + end.encode()
    gap = end * (1 if base.endswith(b"\n") else 2)
    return base + gap.encode() + block + end.encode()


def _find_marks(base: bytes) -> tuple[int, int] | None:
    """From the mark that opens to the end of the one that closes it, where both stand on lines of their own."""
    begin, at = -1, 0
    for line in base.split(b"\n"):
        mark = line.strip()
        if mark == _OPEN.encode():
            begin = at
        elif mark == _CLOSE.encode() and begin >= 0:
            return begin, at + len(line.rstrip())
        at += len(line) + 1
    return None


class Configured(Routed, Protocol):
    """The same with their settings."""

    config: Config


class Astray(NamedTuple):
    """A rule whose document none of the open homes has."""

    home: str
    path: str
    """Of the rules file in that home; empty: it stands above it, or is the config."""
    line: int
    source: str
    """File and line, for a person."""
    target: str


def list_broken_rules(vault: Configured) -> list[Astray]:
    """The rules that lead nowhere, but for those with a placeholder, or to places outside of the home."""
    found: dict[tuple[str, ...], Astray] = {}
    there: set[tuple[str, ...]] = set()
    own = parse_configured_rules(vault.config.routing.triggers)
    for home in vault.homes:
        with RoutePlaces(home) as places:
            for rule in (*load_rule_book(vault, home).rules, *own):
                for target in rule.targets if rule.claims else ():
                    meant = [] if PLACEHOLDER.search(target) else list(places.written(rule, target))
                    # One loader may be read for two homes: the document stands in one of them.
                    key = (rule.source, target, str(home.path) if rule.layered else "")
                    if any(map(places.there, meant)):
                        there.add(key)
                    elif meant:
                        found.setdefault(key, _make_astray(home, rule, target))
    return [one for key, one in found.items() if key not in there]


def _make_astray(home: Home, rule: RouteRule, target: str) -> Astray:
    path, _colon, line = rule.source.rpartition(":")
    stands = bool(path) and os.path.lexists(home.path / path)
    return Astray(str(home.path), path if stands else "", int(line) if stands else 0, rule.source, target)
