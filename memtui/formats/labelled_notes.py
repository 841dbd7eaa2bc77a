"""Markdown whose frontmatter is a label: rules with `globs` and `applyTo`, steering, and notes of a knowledge graph.

Read as any Markdown. A file's frontmatter says when it is read and what it is called, which is no memory of its own;
list items `- [category] text #tag (context)` are observations, whose category is a kind or a tag; `- relates_to
[[Other]]` ties two notes together: it is found, not listed.
"""

from __future__ import annotations

from memtui.core.model import Level
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats import markdown
from memtui.formats.kinds import match_exact_kind

if TYPE_CHECKING:
    from memtui.core.model import Entry, Parsed
    from memtui.formats.source import Source

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


def parse(source: Source) -> Parsed:
    """The file's memories. What a person reads of an observation is its text; the rest are its fields."""
    found = markdown.parse(source)
    entries = found.entries
    if entries and entries[0].start == 1 and source.lines[0].strip() == "---":
        _set_label_aside(entries, source)
    for entry in entries:
        if entry.level is not Level.CONTEXT:
            _observe(entry, source.lines[entry.start - 1])
    return found


_TYPES = frozenset({"note", "entity", "guide", "always", "auto", "manual"})
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
    for entry in entries if named in _TYPES else ():
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
