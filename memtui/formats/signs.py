"""What a line of Markdown is, by its signs (item, heading, rule, row), and the marks of sections that memtui owns.

Such a section stands between `<!-- memtui:begin NAME sha=… -->` and `<!-- memtui:end NAME -->`, each on a line
of its own. The digest is of what memtui wrote between them, so that a person's edit is noticed (see
`sections`).
"""

from __future__ import annotations

from memtui.core.startup import NamedTuple, compile_pattern

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
    return PROSE


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
