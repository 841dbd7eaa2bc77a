"""Where rules come from and where they lead: memory-loader.md, index tables, the files that paths mean, broken rules.

- `parse_index_rules`, pure (spec 000): keyword tables. A row counts where it has keywords, says what one needs
  to know (HelloAGENTS' 快速导航), or names a module; its document is the path in it, else the module's own. A
  list of links, as in Claude Code's MEMORY.md, is no keyword table.
- `parse_loader_rules`, pure: `rules/memory-loader.md` (spec 002 level one): tables with columns in any order,
  in Chinese or English, or items `words → path`. What leads to a script that is none of the layout's own
  programs, or to prose, is no rule.
- `RoutePlaces`: a rule's path is only compared with names that a directory lists, part by part: one that leaves
  the home, a link or a device leads nowhere.
- `list_broken_rules`: rules whose documents are not there.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import stat
from functools import lru_cache

from memtui.core.errors import MemtuiError
from memtui.core.model import JSON, MARKDOWN
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.formats import session_files
from memtui.formats.blocks import ITEM, PARAGRAPH, ROW, split_blocks
from memtui.formats.marks import measure_bullet, split_cells
from memtui.fs.files import HomeReader, read
from memtui.layouts import load_layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from memtui.core.model import Entry, Home, Role
    from memtui.formats import Source
    from memtui.layouts import Program

_NEEDS = frozenset({"需要了解", "想了解", "需要", "触发词", "触发条件", "need to know", "when", "topic", "trigger"})
_MODULES = frozenset({"模块", "模块名", "模块名称", "module", "modules"})


def parse_index_rules(source: Source, name: str) -> list[RouteRule]:
    """The rules of an index file; `name` is how a person calls the file."""
    folder = source.path.rpartition("/")[0]
    above = folder.rpartition("/")[0]
    bases = tuple(dict.fromkeys(f"{place}/" if place else "" for place in (folder, above)))
    found: list[RouteRule] = []
    for entry in session_files.parse(source).entries:
        if len(found) >= RULE_MOST:
            break
        if entry.kind == "index" and entry.extra:
            found += _parse_row(entry, f"{name}:{entry.start}", bases)
    return found


def _parse_row(entry: Entry, source: str, bases: tuple[str, ...]) -> Iterator[RouteRule]:
    columns = {column.strip("* `").lower(): cell for column, cell in entry.extra.items()}
    words = [*entry.tags]
    for column, cell in columns.items():
        if column in _NEEDS and isinstance(cell, str):
            words += iterate_triggers(cell)
    module = next((cell for column, cell in columns.items() if column in _MODULES), "")
    module = module.strip("`* ") if isinstance(module, str) and "](" not in module else ""
    if module and "/" not in module:
        words.append(module)
    kept = tuple(dict.fromkeys(word for word in words if 0 < len(word) <= LONGEST_TRIGGER))
    targets = entry.links or ((f"{module}.md", module) if module else ())
    if kept and targets:
        if not entry.links:
            bases = tuple(f"{base}{inner}" for base in bases for inner in ("modules/", "wiki/modules/", "areas/", ""))
        yield RouteRule(kept, targets, source, False, bases, claims=bool(entry.links), layered=True)


_DOCUMENTS = (*MARKDOWN, *JSON)

_WHEN = compile_pattern(
    "触发|关键|条件|场景|情况|需要了解|需求|话题|主题|提到|问题|涉及|trigger|when|keyword|condition|scenario|topic|mention|"
    "query|about|if"
)
_WHERE = compile_pattern("文件|文档|路径|加载|读取|位置|目标|file|path|load|document|read|target|location|open")
_QUOTED = compile_pattern(
    r"「([^」]{1,80})」|『([^』]{1,80})』|“([^”]{1,80})”|‘([^’]{1,80})’|\"([^\"]{1,80})\"|`([^`]{1,80})`"
)
_DIVIDED = compile_pattern(r"[/／、,，|｜;；\n]|\s或者?\s?|或者|或|\bor\b")
_ARROW = compile_pattern(r"→|⇒|➜|➔|=>|->|-->|⟶")
_LINK = compile_pattern(r"\[[^\[\]]{0,200}\]\(<?([^()<>]{1,300})>?\)")
_CODE = compile_pattern(r"`([^`\n]{1,300})`")
_BEFORE = compile_pattern(
    r"(?:当|如果)?(?:用户)(?:询问|问到|问起|问及|问(?!题)|提到|提及|提出|说到|说|要求|想|需要)|当(?=.*时)|如果|凡是|只要|"
    r"涉及到?|提到|提及|说到|谈到|问到|问起|问及|询问|遇到|关于|有关"
)
_AFTER = compile_pattern(r"(?:的时候|相关的?问题|相关的?|有关的?|时(?:加载|读取)|(?<![超实定延临小计耗按同准即工])时)$")
_BEFORE_EN = compile_pattern(
    r"(?:whenever|when|if|the user|user|you|asks? (?:for|about|how)?|asking about|mentions?|mentioning|says?|about|"
    r"related to|regarding|concerning|touch(?:es|ing)|working (?:on|with)|involv(?:es|ing)|questions? about|any)\s+",
    re.IGNORECASE,
)
_NAMING = compile_pattern(
    r"(?:具体|某个|某一|任意|任何)的?(?:项目|表|数据库表|工具|模式|域)名?称?|项目名称?|表名|"
    r"(?:a |the |any |specific |concrete )*(?:project|table|tool|pattern|domain)(?:'s)? names?|"
    r"(?:a |any )?specific (?:project|table|tool|pattern|domain)s?",
    re.IGNORECASE,
)


def parse_loader_rules(
    text: str, name: str, bases: tuple[str, ...], programs: Sequence[Program] = ()
) -> list[RouteRule]:
    """The rules of a loader file; `name` is how a person calls the file, `programs` are those that rules may name."""
    lines = text.split("\n")
    found: list[RouteRule] = []
    columns: tuple[int, int] | None = None
    below: tuple[str, ...] | None = None
    for what, first, end, data in split_blocks(lines):
        if len(found) >= RULE_MOST:
            break
        if what == ROW:
            row = split_cells(lines[first])
            if data != below or columns is None:
                below, columns = data, _find_columns(data, row)
            if columns is not None and max(columns) < len(row):
                found += _make_rules(row[columns[0]], row[columns[1]], f"{name}:{first + 1}", bases, programs)
            continue
        below = None
        if what in {ITEM, PARAGRAPH}:
            for number in range(first, end):
                found += _parse_route_line(lines[number].strip(), f"{name}:{number + 1}", bases, programs)
    return found[:RULE_MOST]


def parse_configured_rules(said: Iterable[str]) -> list[RouteRule]:
    """The person's own: 'word|word: path'."""
    found = []
    for text in said:
        words, colon, path = text.partition(": ") if ": " in text else text.partition(":")
        triggers = tuple(word.strip() for word in words.split("|") if word.strip())
        if triggers and colon and path.strip():
            naming = any(PLACEHOLDER.search(word) for word in triggers)
            triggers = tuple(word for word in triggers if not PLACEHOLDER.search(word))
            found.append(RouteRule(triggers, (path.strip(),), "config", naming))
    return found


def _find_columns(header: Sequence[str], row: Sequence[str]) -> tuple[int, int] | None:
    """Which column says when, and which says what to load; by their names, else by what stands in them."""
    names = [cell.strip("*` ").casefold() for cell in header]
    # '需要加载的文件' is about files: what names files is looked for first.
    place = next((n for n, name in enumerate(names) if _WHERE.search(name)), -1)
    when = next((n for n, name in enumerate(names) if n != place and _WHEN.search(name)), -1)
    if place < 0 or (place < len(row) and not extract_cell_paths(row[place]) and when < 0):
        place = next((n for n, cell in enumerate(row) if n != when and extract_cell_paths(cell)), -1)
    if when < 0:
        when = next((n for n in range(len(row)) if n != place), -1)
    return None if place < 0 or when < 0 else (when, place)


def _parse_route_line(
    text: str, source: str, bases: tuple[str, ...], programs: Sequence[Program]
) -> Iterator[RouteRule]:
    """A list item or a line by itself: words, an arrow (or a colon), a path."""
    text = text[measure_bullet(text) :].strip() if text else ""
    if len(text) > 600:
        return
    arrow = _ARROW.search(text)
    if arrow:
        yield from _make_rules(text[: arrow.start()], text[arrow.end() :], source, bases, programs)
        return
    for colon in ("：", ": "):
        head, found, rest = text.partition(colon)
        if found and not extract_cell_paths(head):
            yield from _make_rules(head.strip("* "), rest, source, bases, programs)
            return


def _make_rules(
    when: str, where: str, source: str, bases: tuple[str, ...], programs: Sequence[Program]
) -> Iterator[RouteRule]:
    targets = extract_cell_paths(where)
    if len(when) > 600 or len(where) > 1000:
        return
    if not targets:
        named = next((one for one in programs if one.name in where), None)
        words = tuple(dict.fromkeys(iterate_triggers(when))) if named else ()
        if named and words:
            yield RouteRule(words, named.documents, source, claims=False, command=named.command)
        return
    naming = _NAMING.search(when) is not None or PLACEHOLDER.search(when) is not None
    words = tuple(dict.fromkeys(iterate_triggers(when)))
    if words or naming:
        yield RouteRule(words, targets, source, naming, bases)


def iterate_triggers(cell: str) -> Iterator[str]:
    """The words of a condition: what it quotes, else what is left of each part without the phrase around it."""
    cell = _LINK.sub(" ", cell)
    for part in _split_cell(cell):
        quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(part)]
        for said in quoted or [_strip_decoration(part)]:
            word = said.strip().strip("*_ ").strip()
            stands_for = PLACEHOLDER.search(word) or _NAMING.fullmatch(word)
            if word and len(word) <= LONGEST_TRIGGER and not stands_for:
                yield word
                # 'the project's architecture' is asked for as the architecture.
                rest = word.removeprefix("项目").lstrip("的")
                if not quoted and rest != word and len(rest) > 1:
                    yield rest


def _split_cell(cell: str) -> Iterator[str]:
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


def _strip_decoration(part: str) -> str:
    part = part.strip().strip("*_。.!！?？:：()（） ")
    while match := _BEFORE.match(part):
        part = part[match.end() :].strip()
    while match := _BEFORE_EN.match(part):
        part = part[match.end() :]
    return _AFTER.sub("", part).strip()


def extract_cell_paths(cell: str) -> tuple[str, ...]:
    """The documents that a cell names. Of 'map → pattern' the pattern is meant; scripts and prose are none."""
    if len(cell) > 1000:
        return ()
    cell = _ARROW.split(cell)[-1]
    marked = [*_LINK.findall(cell), *_CODE.findall(cell)]
    if not marked:
        bare = cell.replace("，", " ").replace("、", " ").replace(",", " ").replace(";", " ").replace("；", " ")
        marked = [word.strip("\"'()（）。") for word in bare.split()]
    return tuple(dict.fromkeys(path.strip() for path in marked if _is_document_path(path.strip())))


def _is_document_path(path: str) -> bool:
    path = path.partition("#")[0]
    return path.lower().endswith(_DOCUMENTS) or (path.endswith("/") and len(path) > 1 and " " not in path)


MOST = 500
"""Things that one placeholder stands for at most."""
_HEADS = ("summary.md", "README.md", "proposal.md", "requirements.md", "why.md")
"""Which file of a directory speaks for it."""
MAP = "prefix-map.json"
"""Which names belong to which schema file: `{"ord_": "order"}`, or `{"order": ["ord_", "oi_"]}`."""


class Document(NamedTuple):
    """A file that a rule leads to."""

    path: str
    role: Role
    named: str = ""
    """What stands in place of the placeholder."""


class RoutePlaces:
    """One home, looked into. Use it in a `with`: directories stay open meanwhile."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._layout = load_layout(home.layout)
        self._reader = HomeReader(home.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.close()

    def candidates(self, rule: RouteRule, target: str) -> list[tuple[str, str]]:
        """What a target may mean: paths by what stands in them for the placeholder; without one they stand in order."""
        plain: list[tuple[str, str]] = []
        for path in self.written(rule, target):
            if not PLACEHOLDER.search(path):
                plain.append(("", path))
            elif found := list(self._expand(path)):
                return found
        return plain

    def document(self, path: str, named: str = "") -> Document | None:
        """The memory file at a path; of a directory the file that speaks for it."""
        mode = self._read_mode(path)
        if stat.S_ISDIR(mode):
            heads = (f"{path.rstrip('/')}/{head}" for head in _HEADS)
            path = next((head for head in heads if stat.S_ISREG(self._read_mode(head))), "")
        elif not stat.S_ISREG(mode):
            return None
        role = self._layout.role(self._home.path, path) if path else None
        return None if role is None else Document(path, role, named)

    def there(self, path: str) -> bool:
        """Whether anything stands at a path of the home."""
        return bool(self._read_mode(path))

    def prefixes(self, named: str, path: str) -> Iterator[str]:
        """What names of a family begin with: the document's own name, and what prefix-map.json beside it says."""
        yield named
        folder = path.rpartition("/")[0]
        for place in (folder, folder.rpartition("/")[0]):
            file = os.path.join(self._home.path, *place.split("/"), MAP)
            try:
                stamp = os.lstat(file).st_mtime_ns
                yield from _load_prefixes(str(self._home.path), posixpath.join(place, MAP), stamp).get(named, ())
            except (MemtuiError, OSError, ValueError):
                continue

    def _read_mode(self, path: str) -> int:
        try:
            return self._reader.status(path.rstrip("/")).st_mode
        except (MemtuiError, OSError, ValueError):
            return 0

    def written(self, rule: RouteRule, target: str) -> Iterator[str]:
        """What the target may mean, relative to the home; nothing where it means a place outside."""
        target = target.strip().partition("#")[0].replace("\\", "/")
        own = self._layout.facts.written_as
        root = str(self._home.path).replace(os.sep, "/").rstrip("/") + "/"
        if target.startswith(("~", "/", "$HOME")) or target[1:2] == ":":
            user, _slash, rest = target.partition("/")
            mine = user in {"~", "$HOME"}
            whole = os.path.expanduser("~").replace(os.sep, "/") + "/" + rest if mine else target
            if whole.startswith(root):
                yield from _keep_inside(whole[len(root) :])
            if own and own in whole:
                # The agent's directory may have been moved since the rule was written.
                yield from _keep_inside(whole.partition(own)[2])
            return
        if own:
            target = target.removeprefix(own).removeprefix(own[own.rfind("/", 0, -1) + 1 :])
        for base in rule.bases:
            # An index speaks of what stands around it; the bases of a loader are only where its paths may begin.
            yield from _keep_inside(base + target) if rule.layered else map(base.__add__, _keep_inside(target))

    def _expand(self, path: str) -> Iterator[tuple[str, str]]:
        """What the first placeholder may stand for, with the path of each."""
        parts = path.split("/")
        at = next(n for n, part in enumerate(parts) if PLACEHOLDER.search(part))
        match = PLACEHOLDER.search(parts[at])
        rest = "/".join(parts[at + 1 :])
        if match is None or PLACEHOLDER.search(rest) or PLACEHOLDER.search(parts[at], match.end()):
            return
        before, after = parts[at][: match.start()], parts[at][match.end() :]
        for name in list_visible_names(os.path.join(self._home.path, *parts[:at])):
            long = len(name) > len(before) + len(after)
            if long and name.startswith(before) and name.endswith(after):
                yield (name[len(before) : len(name) - len(after)], "/".join([*parts[:at], name, *parts[at + 1 :]]))


def _keep_inside(path: str) -> Iterator[str]:
    """The path without '.' and '..', where it stays inside."""
    plain = posixpath.normpath(path)
    if plain not in {".", ".."} and not plain.startswith(("../", "/")):
        yield plain


def list_visible_names(folder: str) -> tuple[str, ...]:
    """The names in a directory that are not hidden, in order; read again only when it changed."""
    try:
        return _list_directory(folder, os.stat(folder).st_mtime_ns)
    except (OSError, ValueError):
        return ()


@lru_cache(maxsize=256)
def _list_directory(folder: str, changed: int) -> tuple[str, ...]:
    with os.scandir(folder) as entries:
        return tuple(sorted(entry.name for entry in entries if entry.name[:1] != ".")[:MOST])


@lru_cache(maxsize=16)
def _load_prefixes(root: str, path: str, changed: int) -> dict[str, tuple[str, ...]]:
    """A document's name -> the prefixes that lead to it. Raises as reading a file does."""
    try:
        plain = json.loads(read(root, path, 1 << 20)[0])
    except (ValueError, RecursionError):
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for key, value in list(plain.items())[:MOST] if isinstance(plain, dict) else ():
        if isinstance(value, str):
            name = posixpath.basename(value).removesuffix(".md")
            found[name] = (*found.get(name, ()), key)
        elif isinstance(value, list):
            found[key] = (*found.get(key, ()), *(one for one in value[:MOST] if isinstance(one, str)))
    return found


RULE_MOST = 2000
"""Rules of one file: what is beyond them is no table that a person keeps."""


PLACEHOLDER = compile_pattern(r"\$?\{[^{}/\\]{0,40}\}|<[^<>/\\]{1,40}>|\*")
"""A part of a path, or of a trigger, that stands for any thing of its kind: `{项目}`, `<project>`, `*`."""


class RouteRule(NamedTuple):
    """Words that lead to documents."""

    triggers: tuple[str, ...]
    """As the rule has them."""
    targets: tuple[str, ...]
    """Paths as written, placeholders and all."""
    source: str
    """File and line, for a person."""
    naming: bool = False
    """It fires when the query names the thing that a placeholder of the path stands for."""
    bases: tuple[str, ...] = ("",)
    """Directories of the home in which the targets may stand, each empty or with its '/'."""
    claims: bool = True
    """The file says that the documents are there, so that one that is not is a fault of it."""
    layered: bool = False
    """Only knowledge (L1) is routed to: what else an index names is loaded anyway (spec 000)."""
    command: str = ""
    """What answers it, whether or not the documents are there; of those the first is meant."""


LONGEST_TRIGGER = 80
"""Characters of a trigger: what is longer is a sentence, and nobody asks it word by word."""


class RouteWork:
    """Rules as they are written, and where they lead, under one name."""

    Places = RoutePlaces
    parse_configured = staticmethod(parse_configured_rules)
    parse_index = staticmethod(parse_index_rules)
    parse_loader = staticmethod(parse_loader_rules)
