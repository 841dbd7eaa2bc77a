"""Claude's topic files: one memory a file, with frontmatter as Claude writes it, and its line in MEMORY.md.

MEMORY.md is an index that is read whole at every start, so its lines stay short: `- [Title](file.md) — hook`.
Whatever happens to a topic's file happens to its line, by the functions that end in `_index_line`.

Markdown whose frontmatter is a label: rules with `globs` and `applyTo`, steering, and notes of a knowledge graph.

Read as any Markdown. A file's frontmatter says when it is read and what it is called, which is no memory of its own;
list items `- [category] text #tag (context)` are observations, whose category is a kind or a tag; `- relates_to
[[Other]]` ties two notes together: it is found, not listed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Entry, Layer, Level, Role
from memtui.core.startup import compile_pattern
from memtui.formats import Added, AppendRecord, Source, markdown, markdown_write, parse
from memtui.formats.blocks import ITEM
from memtui.formats.kinds import match_exact_kind
from memtui.formats.markdown_lines import Lines, clean_source_label, escape_item_text, quote_yaml_value
from memtui.formats.markdown_write import change, mark, remove

if TYPE_CHECKING:
    from memtui.core.edits import Draft
    from memtui.core.model import Parsed, Status


__all__ = [
    "add",
    "add_index_line",
    "change",
    "mark",
    "mark_index_line",
    "record",
    "remove",
    "remove_index_line",
    "update_index_line",
]

HOOK = 120
"""Most characters of a hook: the index is loaded whole, and only its first 200 lines and 25 KB are."""

_INDEX = Role(Layer.CORE, "note", "markdown")
_TYPES = {
    "pref": "user",
    "rule": "feedback",
    "lesson": "feedback",
    "skill": "reference",
    "reference": "reference",
}
_LINE = compile_pattern(r"(\[)((?:[^\[\]\\]|\\.)*)(\]\(<?)([^()<>\s]+|[^<>\n]+(?=>))(>?\))(\s*[—–:-]\s*)?")


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """A new topic's file; in one that is there already, a list item."""
    if data.strip():
        return markdown_write.add(data, draft, now, path)
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    kind = draft.kind if draft.kind in {"user", "feedback", "project"} else _TYPES.get(draft.kind, "project")
    head = [
        "---",
        f"name: {quote_yaml_value(name)}",
        f"description: {quote_yaml_value(format_hook(draft))}",
        # The blank behind the colon is Claude's own.
        "metadata: ",
        "  node_type: memory",
        f"  type: {kind}",
        *([f"  originSessionId: {source}"] if (source := clean_source_label(draft.source)) else []),
        "---",
    ]
    body = draft.text.replace("\0", "").replace("\r\n", "\n").strip()
    if not body:
        raise RefusedError(_("There is nothing to write: the text is empty."))
    return Added((Piece(0, len(data), "\n".join([*head, "", body, ""]).encode("utf-8", "replace")),))


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """Topics are not appended to."""
    raise RefusedError(_("{path} is a topic of its own, no journal.").format(path=path))


def format_hook(draft: Draft) -> str:
    """A draft in one short line."""
    words = " ".join(
        " ".join(escape_item_text(draft.evidence if draft.title and draft.evidence else draft.text)).split()
    )
    return words if len(words) <= HOOK else f"{words[: HOOK - 1].rstrip()}…"


def derive_topic_title(draft: Draft, path: str) -> str:
    """What the index calls a new topic: its title, else its file's name in words."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " ").replace("_", " ")
    return " ".join((draft.title or name[:1].upper() + name[1:]).split())


def add_index_line(index: bytes, draft: Draft, path: str) -> tuple[Piece, ...]:
    """The index with a line for a new topic, behind the others, in their manner."""
    lines = Lines(index)
    entries = _list_index_entries(lines, index)
    if any(_links_to(entry, path) for entry in entries):
        return ()
    lead, between = "- ", " — "
    at = len(lines.text)
    if entries:
        last = entries[-1]
        raw = lines.raw(last.start - 1)
        found = _LINE.search(raw)
        if found:
            lead, between = raw[: found.start()], found[6] or between
            lead = lead if lead.strip() in {"-", "*", "+"} else "- "
        at = last.end
    link = f"[{_escape_brackets(derive_topic_title(draft, path))}]({_quote_target(path)})"
    new = f"{lead}{link}{between}{format_hook(draft)}"
    offset = lines.start(at)
    if offset == len(index) and not lines.ended:
        return (Piece(offset, offset, lines.encoded(f"\n{new}")),)
    apart = bool(lines.text) and not entries and bool(lines.text[-1].strip())
    framed = (Piece(offset, offset, lines.encoded("\n"), True),) if apart else ()
    return (*framed, Piece(offset, offset, lines.encoded(f"{new}\n")))


def update_index_line(index: bytes, path: str, *, name: str = "", hook: str = "") -> tuple[Piece, ...]:
    """The index after a topic got another title or hook; what is empty stays. Nothing where it has no line."""
    lines = Lines(index)
    pieces: list[Piece] = []
    for entry in _list_index_entries(lines, index):
        if not _links_to(entry, path):
            continue
        at = entry.start - 1
        found = next((m for m in _LINE.finditer(lines.exact(at)) if _is_same_path(m[4], path)), None)
        if found is None:
            continue
        if name:
            pieces.append(_part(lines, at, found.span(2), _escape_brackets(name)))
        if hook and found[6]:
            behind = lines.exact(at)[found.end() :]
            told = re.match(r"(?:(?!~~|\s*(?:<!--|\((?:archived|superseded)\b)).)*", behind)
            end = found.end() + (told.end() if told else 0)
            pieces.append(_part(lines, at, (found.end(), end), " ".join(hook.split())))
    return tuple(pieces)


def mark_index_line(index: bytes, path: str, status: Status, now: float, *, successor: str = "") -> tuple[Piece, ...]:
    """The index with the topic's line marked as its file is. Nothing where it has no line."""
    entry = next((entry for entry in _list_index_entries(Lines(index), index) if _links_to(entry, path)), None)
    return () if entry is None else mark(index, entry, status, now, successor=successor)


def remove_index_line(index: bytes, path: str) -> tuple[Piece, ...]:
    """The index without the topic's line. Nothing where it has none."""
    entry = next((entry for entry in _list_index_entries(Lines(index), index) if _links_to(entry, path)), None)
    return () if entry is None else remove(index, entry)


def _list_index_entries(lines: Lines, index: bytes) -> list[Entry]:
    """The index's lines: list items that begin with a link to a file."""
    items = {block[1] for block in lines.blocks if block[0] == ITEM}
    entries = parse(Source("MEMORY.md", _INDEX, index)).entries
    return [e for e in entries if e.start - 1 in items and e.links and e.links[0].endswith(".md")]


def _links_to(entry: Entry, path: str) -> bool:
    return bool(entry.links) and _is_same_path(entry.links[0], path)


def _is_same_path(link: str, path: str) -> bool:
    return link.removeprefix("./") == path.rsplit("/", 1)[-1] or (link.removeprefix("./") == path)


def _escape_brackets(name: str) -> str:
    return " ".join(name.translate({ord("["): "(", ord("]"): ")"}).split())


def _quote_target(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return f"<{name}>" if set(name) & set(" ()") else name


def _part(lines: Lines, line: int, span: tuple[int, int], text: str) -> Piece:
    return Piece(lines.column(line, span[0]), lines.column(line, span[1]), lines.encoded(text))


_OBSERVED = compile_pattern(r"\[([^\W\d_][\w -]{0,30})\]\s+(?=\S)")
_CONTEXT = compile_pattern(r"\s*\(([^()\n]{1,200})\)\s*$")
_TAGGED = compile_pattern(r"(?:^|\s)#([^\W\d_][\w/-]{0,60})(?=\s|$)")
_RELATION = compile_pattern(r"(?:[\w][\w -]{0,40}\s+)?\[\[[^\[\]\n]{1,200}\]\](?:\s*\([^()\n]{0,200}\))?\.?")
_BLANK = compile_pattern(
    r"(?:[\w *-]{1,60}[:：]\W{0,4})?\[(?:to be|tbd|todo|your|insert|add|describe|list|explain)\b[^\[\]]*\]\W*",
    2,
)
"""What a template leaves to be filled in: '[TO BE DEFINED - the frameworks]'."""
_CATEGORIES = {
    "tip": "rule",
    "principle": "rule",
    "requirement": "rule",
    "problem": "lesson",
    "issue": "lesson",
}
"""Categories that the format's own documentation uses, beside those that name a kind."""


def parse_notes(source: Source) -> Parsed:
    """The file's memories. What a person reads of an observation is its text; the rest are its fields."""
    found = markdown.parse(source)
    entries = found.entries
    if entries and entries[0].start == 1 and source.lines[0].strip() == "---":
        _set_label_aside(entries, source)
    for entry in entries:
        if entry.level is not Level.CONTEXT:
            _observe(entry, source.lines[entry.start - 1])
    return found


_LABEL_TYPES = frozenset({"note", "entity", "guide", "always", "auto", "manual"})
"""What such a file calls itself, which is no kind of memory."""


def _set_label_aside(entries: list[Entry], source: Source) -> None:
    label, named = entries[0], entries[0].kind
    if len(entries) > 1 or source.lines[1].strip() == label.text.split("\n")[0]:
        label.level = Level.CONTEXT
    for entry in entries[1:]:
        if entry.level is Level.MEMORY:
            break
        # What follows is no part of a label.
        entry.level = Level.MEMORY if entry.level is Level.PART else entry.level
    for entry in entries if named in _LABEL_TYPES else ():
        entry.kind = source.role.kind if entry.kind == named else entry.kind


def _observe(entry: Entry, line: str) -> None:
    if _RELATION.fullmatch(entry.text) or _BLANK.fullmatch(entry.text):
        entry.level = Level.CONTEXT
        return
    match = _OBSERVED.match(entry.text)
    text = entry.text[match.end() :] if match else entry.text
    if match is None and f"[{entry.kind}]" not in line:
        return
    if match is not None:
        category = match[1].strip().lower()
        kind = match_exact_kind(category) or _CATEGORIES.get(category, "")
        entry.kind = kind or entry.kind
        if not kind or kind != category:
            entry.extra = {**entry.extra, "category": category}
    about = _CONTEXT.search(text)
    if about is not None and text[: about.start()].strip():
        text, entry.evidence = text[: about.start()], entry.evidence or about[1]
    tags = _TAGGED.findall(text)
    said = text
    while (last := _TAGGED.search(said.rstrip(), max(0, said.rstrip().rfind("#") - 1))) and not said.rstrip()[
        last.end() :
    ]:
        said = said.rstrip()[: last.start()]
    entry.text = said.rstrip() or text.strip()
    entry.tags = tuple(dict.fromkeys((*tags, *entry.tags)))
