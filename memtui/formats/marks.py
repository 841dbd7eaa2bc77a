"""Marks that people and tools write into a line: times, kinds, tags, confidence, what superseded it.

They are looked for at the two ends of the line only, each behind a cheap test; what is not understood stays in
the text.
"""

from __future__ import annotations

from memtui.core import clock
from memtui.core.model import Entry, Status
from memtui.core.startup import compile_pattern
from memtui.formats import asides, kinds
from memtui.formats.signs import strip_comments
from memtui.formats.todos import (
    LISTED,
    STANDING,
    TICKS,
    WAITS,
    is_empty_statement,
    is_pending_line,
    is_settled_line,
)

LONGEST = 64 * 1024
"""Most characters of one entry's text; the file keeps the rest, and the index has it."""

_NAUGHT = 48
"""Characters in which an entry may say that there is nothing to be done."""
_FIRST = frozenset("[0123456789~*(（【") | TICKS | WAITS
_KIND = compile_pattern(r"[\[【]([^\W\d][\w -]{0,23})[\]】]\s*")
_LINK = compile_pattern(
    r"\]\((?:<([^<>\n]{1,500})>|([^()<>\s]{1,500}))[^()]{0,200}\)|\[\[([^\[\]|#\n]{1,200})"
)
_CHECK = {"[ ]": False, "[?]": False, "[!]": False, "[/]": False, "[~]": False, "[>]": False} | dict.fromkeys(
    ("[x]", "[X]", "[-]", "[√]", "[✓]", "[✔]", "[✅]"), True
)


def parse_marked_entry(text: str, start: int, end: int, kind: str, heading: tuple[str, ...]) -> Entry:
    """An entry from a block's text (bullet already off), its marks read into fields."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}… (+{len(text) - LONGEST:,} characters)"
    entry = Entry(text, start, end, kind, None, Status.ACTIVE, heading)
    if not text:
        return entry
    # A single character is looked for three times as fast as several.
    if "<" in text and "<!--" in text:
        text, said = strip_comments(text)
        for comment in said:
            asides.stamp(entry, comment)
    if text and (text[-1] in asides.CLOSERS or "#" in text or "→" in text or "<" in text):
        text = asides.parse_trailing_asides(entry, text)
    if text and text[0] in _FIRST:
        text = _leading(entry, text)
    if text and "done" not in entry.extra:
        if is_pending_line(text, entry.kind):
            entry.kind = "todo"
        elif is_settled_line(text, wanted=entry.kind == "todo"):
            entry.extra = {**entry.extra, "done": True}
        elif entry.kind == "todo" and len(text) < _NAUGHT and is_empty_statement(text):
            entry.kind = "note"
    if "[" in text and ("](" in text or "[[" in text):
        entry.links = extract_links(text)
    if text:
        # A line of nothing but marks is shown as it stands.
        entry.text = text
    return entry


def extract_links(text: str) -> tuple[str, ...]:
    """Targets of Markdown links and images and of wiki links, in order, each once."""
    found = (match[1] or match[2] or match[3].strip() for match in _LINK.finditer(text[:LONGEST]))
    return tuple(dict.fromkeys(target for target in found if target))


def _leading(entry: Entry, text: str) -> str:
    first = text[0]
    if first in TICKS and entry.kind in STANDING:
        return text
    if first in TICKS:
        entry.extra = {**entry.extra, "done": True}
        return text
    if first in WAITS:
        entry.kind = "todo"
        return text
    if first == "[":
        check = _CHECK.get(text[:3])
        if check is not None and text[3:4] in {" ", "\t", ""}:
            if entry.kind not in LISTED:
                entry.kind = "todo"
            if check:
                entry.extra = {**entry.extra, "done": True}
            text = text[3:].lstrip()
            first = text[:1]
    if first == "~":
        text = _struck(entry, text)
        first = text[:1]
    if first == "*" and text[1:2] == "*":
        text = _bold(entry, text)
        first = text[:1]
    if first.isdigit():
        if text[4:5] == "-":
            text = _stamped(entry, text)
    elif first and first in "[(（【" and text[1:5].isdigit():
        text = _stamped(entry, text)
    if text and text[0] in "[【":
        match = _KIND.match(text)
        if match and text[match.end(1) + 1 : match.end(1) + 2] != "(":
            kind = kinds.match_exact_kind(match[1]) or (
                match[1].strip().lower() if entry.created is not None and len(match[1]) > 1 else ""
            )
            if kind:
                entry.kind = kind
                text = text[match.end() :]
    return _struck(entry, text) if text[:1] == "~" else text


def _struck(entry: Entry, text: str) -> str:
    """`~~all of it~~` no longer holds."""
    if text[:2] != "~~" or text[-2:] != "~~" or len(text) <= 4 or "~~" in text[2:-2]:
        if text[:2] == "~~" and text.find("~~", 3) > 0 and entry.kind == "todo":
            # '~~what was to be done~~ - why it need not be'
            entry.extra = {**entry.extra, "done": True}
        return text
    if entry.status is Status.ACTIVE:
        entry.status = Status.SUPERSEDED
    return text[2:-2].strip()


def _stamped(entry: Entry, text: str) -> str:
    """Takes the time at the head of a line; a bare date stays in a sentence that goes on with it."""
    if text[19:21] == "Z " and text[10] == "T":
        # What memory_append writes, by far the commonest.
        entry.created = clock.parse(text[:20])
        if entry.created is not None:
            return text[21:].lstrip()
    bracketed = text[0] in "[(（【"
    match = asides.STAMP.match(text, 1 if bracketed else 0)
    if match is None:
        return text
    day, hour, offset = match[1], match[2], match[3] or ""
    # '9:05' is what people type; ISO wants two digits.
    written = f"{day}T{hour.replace(',', '.').zfill(len(hour) + (hour[1] == ':'))}{offset}" if hour else day
    moment = clock.parse(written)
    if moment is None:
        return text
    rest = text[match.end() :]
    if bracketed:
        if rest[:1] not in {"]", ")", "）", "】"} or rest[1:2] == "(":
            return text
        entry.created = moment
        return rest[1:].lstrip(" \t:：-—")
    entry.created = moment
    if not hour and rest[:1] not in {":", "："} and not rest.lstrip().startswith(("[", "-", "—", "–", "|")):
        return text
    return rest.lstrip(" \t:：-—–|")


def _bold(entry: Entry, text: str) -> str:
    """`**all of it**` loses its stars; `**Label**: …` may name a kind; `**2026-02-10** …` is a time."""
    close = text.find("**", 2)
    if close < 3:
        return text
    inner = text[2:close].strip()
    if close == len(text) - 2:
        return inner
    after = text[close + 2 : close + 3]
    if after in {":", "："} or inner[-1:] in {":", "："}:
        kind = kinds.match_exact_kind(inner.rstrip(":："))
        if kind:
            entry.kind = kind
    if inner[:1].isdigit() and inner[4:5] == "-" and asides.STAMP.fullmatch(inner):
        return inner + text[close + 2 :]
    return text
