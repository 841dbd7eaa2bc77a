"""What a line of Markdown is, and the marks in it: times, kinds, tags, confidence, what superseded it.

First what its signs say (item, heading, rule, row), and the marks of sections that memtui owns: such a section
stands between `<!-- memtui:begin NAME sha=… -->` and `<!-- memtui:end NAME -->`, each on a line of its own. The digest
is of what memtui wrote between them, so that a person's edit is noticed (see `sections`).

Marks that people and tools write into a line are looked for at the two ends of the line, each behind a cheap test;
what is not understood stays in the text. An aside (in brackets, behind '#' or '→' at the end, a stamp in an HTML
comment) is taken off only if all of it is understood: '(see the README)' stays.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.core import clock
from memtui.core.model import Entry, Status
from memtui.core.startup import Any, NamedTuple, compile_pattern
from memtui.core.text import NAMELESS, derive_opening_name
from memtui.formats import kinds
from memtui.formats.dates import extend_to_day_end
from memtui.formats.todos import (
    LISTED,
    SIGNS,
    STANDING,
    TICKS,
    WAITS,
    is_empty_statement,
    is_pending_line,
    is_settled_line,
)

ITEM, NUMBERED, ROW, FENCE, PROSE = range(5)
"""What a block of text looks like."""

DIGITS = frozenset("0123456789")
_BULLETS = frozenset("-*+•")


def measure_bullet(text: str) -> int:
    """How many characters of a stripped line are its list marker, blanks included; 0: it is no list item."""
    char = text[0]
    if char in _BULLETS:
        if len(text) == 1:
            return 1
        if text[1] not in " \t":
            return 0
        return 2 if text[2:3] not in {" ", "\t"} else len(text) - len(text[1:].lstrip())
    if char in DIGITS:
        digits = 1
        while digits < 10 and text[digits : digits + 1].isdigit():
            digits += 1
        sign = text[digits : digits + 1]
        if sign in {".", ")"} and text[digits + 1 : digits + 2] in {" ", "\t", ""}:
            return min(digits + 2, len(text))
        if sign in {"、", "．"} and digits < 4:
            return digits + 1
    return 0


BETWEEN = " · "
"""What stands between the cells of a table's row in its text."""


def split_cells(text: str) -> tuple[str, ...]:
    """A table row's cells, stripped; '\\|' is a character of its cell."""
    text = text.strip()
    if "\\|" in text:
        return tuple(cell.replace("\0", "|") for cell in split_cells(text.replace("\\|", "\0")))
    text = text.removeprefix("|").removesuffix("|")
    return tuple(cell.strip() for cell in text.split("|"))


def strip_comments(text: str) -> tuple[str, list[str]]:
    """The text without its HTML comments, and what they say; one that never closes stays."""
    kept: list[str] = []
    said: list[str] = []
    done = 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[done:start])
        said.append(text[start + 4 : end].strip())
        done = end + 3
    kept.append(text[done:])
    return "".join(kept).strip(), said


def parse_atx_heading(line: str, text: str) -> tuple[int, str] | None:
    """The level and text of a '## heading'; None: the line is none."""
    bare = text.lstrip("#")
    level = len(text) - len(bare)
    # '#tag' is a tag; '##标题' without the blank is what people type and mean.
    if level > 6 or (bare and bare[0] not in " \t" and level == 1) or line.startswith(("    ", "\t")):
        return None
    bare = bare.strip()
    if bare.endswith("#") and bare.rstrip("#")[-1:] in {" ", "\t", ""}:
        bare = bare.rstrip("#").rstrip()
    return level, bare


def is_thematic_break(text: str) -> bool:
    """Whether a stripped line is a thematic break: '---', '***', '_ _ _'."""
    bare = text.replace(" ", "").replace("\t", "")
    return len(bare) >= 3 and not bare.strip(bare[0])


def is_table_delimiter(text: str) -> bool:
    """Whether a line is the one between a table's header and its rows."""
    text = text.strip()
    return "-" in text and ("|" in text or ":" in text) and not text.strip("|-: \t")


def measure_indent(line: str) -> int:
    """How far a line is indented, tabs to every fourth column."""
    bare = line.lstrip(" \t")
    blank = line[: len(line) - len(bare)]
    return len(blank.expandtabs(4)) if "\t" in blank else len(blank)


def look(line: str) -> int:
    """What a block looks like, by its first line."""
    if line[:2] in {"- ", "* "}:
        return ITEM
    text = line.strip()
    if not text:
        return PROSE
    if text[0] == "|":
        return ROW
    if text[:3] in {"```", "~~~"}:
        return FENCE
    if measure_bullet(text):
        return NUMBERED if text[0].isdigit() else ITEM
    return ITEM if text[0] in SIGNS else PROSE


KEY = "owned"
"""In `Entry.extra`: the name of the section that an entry stands in. It is a copy of what is remembered elsewhere."""

_MARK = compile_pattern(r"memtui:(begin|end)\s+([\w.-]{1,40})(?:\s+sha=([0-9a-f]{0,64}))?")


class SectionMark(NamedTuple):
    """One of the two marks."""

    begins: bool
    name: str
    sha: str
    """Empty: nobody said."""


def mark(comment: str) -> SectionMark | None:
    """The mark that a comment's text is; None: it is another comment."""
    found = _MARK.fullmatch(comment.strip()) if "memtui:" in comment else None
    return None if found is None else SectionMark(found[1] == "begin", found[2], found[3] or "")


CLOSERS = frozenset(")）")
STAMP = compile_pattern(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?(?![\d-])"
)
"""A date, maybe with a time and an offset: groups 1 to 3."""

_FIELD = compile_pattern(r"([\w -]{1,40}?)\s*[:=：]\s*(.*)", re.DOTALL)
_TAG = compile_pattern(r"[\w][\w/.+-]{0,63}")
COLOUR = compile_pattern(r"(?:[0-9a-fA-F]{3}){1,2}|\d+")
_ID = compile_pattern(r"→\s*([A-Za-z][\w:.-]{0,80}-?\d[\w-]*)$")
_STATUS = {
    "archived": Status.ARCHIVED, "已归档": Status.ARCHIVED, "superseded": Status.SUPERSEDED,
    "deprecated": Status.SUPERSEDED, "obsolete": Status.SUPERSEDED, "已废弃": Status.SUPERSEDED,
    "已取代": Status.SUPERSEDED, "expired": Status.EXPIRED, "已过期": Status.EXPIRED,
}  # fmt: skip
_SUCCESSOR = ("superseded by ", "superseded_by ", "replaced by ")
_SINCE = compile_pattern(r"(superseded|archived)(?:\s+(\d{4}-\d\d-\d\d))?(?:\s*→\s*(\S.*))?", re.IGNORECASE | re.DOTALL)
_NUMBERS = {
    "confidence": "confidence", "置信度": "confidence", "importance": "importance", "重要度": "importance",
    "重要性": "importance",
}  # fmt: skip
_WORDS = {
    "session": "session",
    "session_id": "session",
    "会话": "session",
    "evidence": "evidence",
    "证据": "evidence",
}
_MOST = 40
_LONGEST_MARK = 300


def stamp(entry: Entry, comment: str) -> None:
    """Reads `importance: 8`, `trigger: deploy` or `memory_md_update: at=… source=…`; other comments mean nothing."""
    match = _FIELD.fullmatch(comment.strip()[:2000])
    if match is None:
        return
    name, value = match[1].strip().lower(), match[2].strip()
    if name in _NUMBERS or name in _WORDS or name in {"source", "tags", "expires"}:
        _take_field(entry, name, value)
        return
    if name.endswith("session_id"):
        entry.session = value
        return
    if name == "id":
        entry.key = value
        return
    parts = dict(part.partition("=")[::2] for part in value.split() if "=" in part)
    if "at" in parts:
        entry.updated = clock.parse(parts["at"])
    if "source" in parts:
        entry.source = parts["source"]
    _set_extra(entry, name, value)


def read_directive_mark(comment: str) -> Entry | None:
    """What OpenClaw puts above a directive: `observed: 2026-10-01 | status: superseded`; None: it is something else."""
    parts = (_FIELD.fullmatch(part.strip()) for part in comment[:_LONGEST_MARK].split("|"))
    fields = {match[1].strip().lower(): match[2].strip() for match in parts if match is not None}
    if "observed" not in fields:
        return None
    found = Entry("", 0, 0, status=_STATUS.get(fields.get("status", "").lower(), Status.ACTIVE))
    found.created = clock.parse(fields["observed"]) if STAMP.fullmatch(fields["observed"]) else None
    if found.created is None:
        # 'YYYY-MM-DD': the form of a directive, which nobody filled in.
        found.status = Status.TEMPLATE
    return found


def _set_extra(entry: Entry, name: str, value: Any) -> None:
    entry.extra = {**entry.extra, name: value}


def parse_status_aside(part: str) -> Status:
    """What a part of an aside says of its memory: `archived`, `superseded by fact-2`; active where nothing."""
    trial = Entry("", 0, 0)
    return trial.status if _part(trial, part.strip()) else Status.ACTIVE


def parse_trailing_asides(entry: Entry, text: str) -> str:
    """The text without what was understood at its end; tags, provenance and status become fields."""
    tags: list[str] = []
    for _ in range(_MOST):
        if not text:
            break
        last = text[-1]
        if last in CLOSERS:
            opened = text.rfind("(" if last == ")" else "（")
            before = text[opened - 1 : opened]
            # What touches a word is code or a link: 'f(2026-02-08)', '[t](source.md)'.
            touches = last == ")" and before.isascii() and (before.isalnum() or before == "]")
            if opened < 0 or len(text) - opened > 300 or touches:
                break
            if not _take_trailing_marks(entry, text[opened + 1 : -1]):
                break
            text = text[:opened].rstrip()
            continue
        at = text.rfind("#", -66)
        if at < 0:
            break
        word = text[at + 1 :]
        if (at and text[at - 1] not in " \t\n,，、") or not _is_tag(word):
            break
        tags.append(word)
        text = text[:at].rstrip(" \t\n,，、")
    if tags:
        entry.tags = tuple(dict.fromkeys(reversed(tags))) if len(tags) > 1 else (tags[0],)
    match = _ID.search(text, max(0, len(text) - 90)) if "→" in text else None
    if match and text[: match.start()].strip():
        entry.superseded_by = match[1]
        entry.status = Status.SUPERSEDED
        text = text[: match.start()].rstrip()
    return text


@lru_cache(maxsize=1 << 12)
def _is_tag(word: str) -> bool:
    """Whether a word behind a '#' is a tag: a home has few, and each of them often."""
    return _TAG.fullmatch(word) is not None and COLOUR.fullmatch(word) is None


def _take_trailing_marks(entry: Entry, inner: str) -> bool:
    """Takes what stands in brackets at a line's end, if all of it is understood."""
    if inner.startswith("source=") and "," not in inner:
        return _take_field(entry, "source", inner[7:].strip())
    # A successor is named by how its text begins, and whoever does that by hand does not mind its commas.
    whole = inner[:1] in "sSaA" and _SINCE.fullmatch(inner.strip())
    parts = (
        [inner.strip()] if whole else [part.strip() for part in inner.replace("，", ",").replace(";", ",").split(",")]
    )
    trial = Entry("", 0, 0)
    for part in parts:
        if not _part(trial, part):
            return False
    for name in ("created", "updated", "expires", "confidence", "importance"):
        value = getattr(trial, name)
        if value is not None and getattr(entry, name) is None:
            setattr(entry, name, value)
    for name in ("source", "session", "evidence", "superseded_by"):
        if getattr(trial, name):
            setattr(entry, name, getattr(trial, name))
    if trial.status is not Status.ACTIVE:
        entry.status = trial.status
    if trial.extra:
        entry.extra = {**entry.extra, **trial.extra}
    if trial.tags:
        entry.tags = trial.tags
    return True


def _part(entry: Entry, part: str) -> bool:
    lower = part.lower()
    if lower in _STATUS:
        entry.status = _STATUS[lower]
        return True
    if lower in {"auto", "自动"}:
        _set_extra(entry, "auto", True)
        return True
    if lower in {"manual", "手动"}:
        _set_extra(entry, "auto", False)
        return True
    if part[:4].isdigit() and STAMP.fullmatch(part):
        entry.created = clock.parse(part)
        return entry.created is not None
    since = _SINCE.fullmatch(part)
    if since:
        entry.status = _STATUS[since[1].lower()]
        entry.updated = clock.parse(since[2]) if since[2] else None
        name = (since[3] or "").strip()
        entry.superseded_by = derive_opening_name(name) if NAMELESS.search(name) else name
        return not since[2] or entry.updated is not None
    for opening in _SUCCESSOR:
        if lower.startswith(opening):
            entry.superseded_by = part[len(opening) :].strip()
            entry.status = Status.SUPERSEDED
            return bool(entry.superseded_by)
    if (part.startswith("被") and part.endswith(("取代", "替代"))) or part.startswith("→"):
        entry.superseded_by = part.strip("被取代替→ ")
        entry.status = Status.SUPERSEDED
        return bool(entry.superseded_by)
    match = _FIELD.fullmatch(part)
    return match is not None and _take_field(entry, match[1].strip().lower(), match[2].strip())


def _take_field(entry: Entry, name: str, value: str) -> bool:
    if name in _NUMBERS:
        try:
            number = float(value.rstrip("%")) / (100 if value.endswith("%") else 1)
        except ValueError:
            return False
        if not 0 <= number <= 1e6:
            return False
        setattr(entry, _NUMBERS[name], number)
        return True
    if not value:
        return False
    if name in _WORDS:
        setattr(entry, _WORDS[name], value)
    elif name in {"source", "来源"}:
        entry.source = value
        if value.startswith(("run-", "sess-", "sess_")):
            entry.session = value
    elif name in {"superseded_by", "supersededby", "superseded by", "replaced by"}:
        entry.superseded_by, entry.status = value, Status.SUPERSEDED
    elif name in {"expires", "expires_at", "有效期至", "过期"}:
        entry.expires = extend_to_day_end(value, clock.parse(value))
        return entry.expires is not None
    elif name in {"tags", "tag", "标签"}:
        entry.tags = tuple(word.strip().lstrip("#") for word in value.replace("、", " ").split() if word.strip("#"))
    else:
        return False
    return True


LONGEST = 64 * 1024
"""Most characters of one entry's text; the file keeps the rest, and the index has it."""

_NAUGHT = 48
"""Characters in which an entry may say that there is nothing to be done."""
_FIRST = frozenset("[0123456789~*(（【") | TICKS | WAITS
_KIND = compile_pattern(r"[\[【]([^\W\d][\w -]{0,23})[\]】]\s*")
_LINK = compile_pattern(r"\]\((?:<([^<>\n]{1,500})>|([^()<>\s]{1,500}))[^()]{0,200}\)|\[\[([^\[\]|#\n]{1,200})")
_CHECK = {"[ ]": False, "[?]": False, "[!]": False, "[/]": False, "[~]": False, "[>]": False} | dict.fromkeys(
    ("[x]", "[X]", "[-]", "[√]", "[✓]", "[✔]", "[✅]"), True
)


_OPTIONAL = compile_pattern(r"\\?\*\s+(?=[^\s*])")
_BEHIND_BOX = frozenset("\\*")


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
            stamp(entry, comment)
    if text and (text[-1] in CLOSERS or "#" in text or "→" in text or "<" in text):
        text = parse_trailing_asides(entry, text)
    if text and text[0] in _FIRST:
        text = _take_leading_sign(entry, text)
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


def _take_leading_sign(entry: Entry, text: str) -> str:
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
        if check is not None and text[3:4] in _BEHIND_BOX and (optional := _OPTIONAL.match(text, 3)) is not None:
            # Kiro's plans mark so what need not be done.
            entry.kind = "todo" if check else "note"
            entry.extra = {**entry.extra, "done" if check else "optional": True}
            text = text[optional.end() :]
            first = text[:1]
        elif check is not None and text[3:4] in {" ", "\t", ""}:
            if entry.kind not in LISTED:
                entry.kind = "todo"
            if check:
                entry.extra = {**entry.extra, "done": True}
            text = text[3:].lstrip()
            first = text[:1]
            if check is False and first in TICKS and entry.kind == "todo":
                # '[ ] ✅ …': the box was forgotten.
                entry.extra = {**entry.extra, "done": True}
    if first == "~":
        text = _take_strokes(entry, text)
        first = text[:1]
    if first == "*" and text[1:2] == "*":
        text = _take_bold(entry, text)
        first = text[:1]
    if first.isdigit():
        if text[4:5] == "-":
            text = _take_leading_time(entry, text)
    elif first and first in "[(（【" and text[1:5].isdigit():
        text = _take_leading_time(entry, text)
    if text and text[0] in "[【":
        match = _KIND.match(text)
        if match and text[match.end(1) + 1 : match.end(1) + 2] != "(":
            kind = kinds.match_exact_kind(match[1]) or (
                match[1].strip().lower() if entry.created is not None and len(match[1]) > 1 else ""
            )
            if kind:
                entry.kind = kind
                text = text[match.end() :]
    return _take_strokes(entry, text) if text[:1] == "~" else text


def _take_strokes(entry: Entry, text: str) -> str:
    """`~~all of it~~` no longer holds."""
    if text[:2] != "~~" or text[-2:] != "~~" or len(text) <= 4 or "~~" in text[2:-2]:
        if text[:2] == "~~" and text.find("~~", 3) > 0 and entry.kind == "todo":
            # '~~what was to be done~~ - why it need not be'
            entry.extra = {**entry.extra, "done": True}
        return text
    if entry.status is Status.ACTIVE:
        entry.status = Status.SUPERSEDED
    return text[2:-2].strip()


def _take_leading_time(entry: Entry, text: str) -> str:
    """Takes the time at the head of a line; a bare date stays in a sentence that goes on with it."""
    if text[19:21] == "Z " and text[10] == "T":
        # What memory_append writes, by far the commonest.
        entry.created = clock.parse(text[:20])
        if entry.created is not None:
            return text[21:].lstrip()
    bracketed = text[0] in "[(（【"
    match = STAMP.match(text, 1 if bracketed else 0)
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


def _take_bold(entry: Entry, text: str) -> str:
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
    if inner[:1].isdigit() and inner[4:5] == "-" and STAMP.fullmatch(inner):
        return inner + text[close + 2 :]
    return text
