"""A memory as a list item: its text made harmless for Markdown, and the marks that its neighbours carry.

Whatever stands in the text, the item stays one item: no heading, rule, fence or list of its own begins in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.errors import RefusedError
from memtui.locale import _
from memtui.parse import kinds
from memtui.parse.blocks import FENCE, ITEM, blocks
from memtui.parse.signs import atx, bullet, rule
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.edits import Draft
    from memtui.format.lines import Lines
    from memtui.parse.blocks import Block

PLAIN = "- "

_FENCE = pattern(r"`{3,}|~{3,}")
_SETEXT = pattern(r"(?:=+|-+)$")
_NUMBER = pattern(r"\d+")
_DATED = pattern(r"[(（]\d{4}-\d\d-\d\d\s*(?:[,，]\s*(auto|自动|manual|手动)\s*)?[)）]$")
_LED = pattern(r"[\[【]\d{4}-\d\d-\d\d[\]】]\s")
_TIMED = pattern(r"\d{4}-\d\d-\d\d \d\d:\d\d\s")
_CHECK = pattern(r"\[[ xX]\]\s")
_WORD = pattern(r"[^\w/.+-]+")
_COLOUR = pattern(r"(?:[0-9a-fA-F]{3}){1,2}|\d+")
_UNSAID = pattern(r"[\s,，;()（）]+")
_EXACT = 3 * 86400.0
"""Seconds from now in which an hour matters."""


class Manner(NamedTuple):
    """How a list writes its items."""

    prefix: str = PLAIN
    """Indentation and marker, the blank behind it included; of a numbered list the next number."""
    dated: bool = False
    """`- text (2026-02-08)`."""
    led: bool = False
    """`- [2026-02-20] text`."""
    bold: bool = False
    """`- **text** (2026-02-26, auto)`: what no person wrote."""
    sourced: bool = False
    """`- text (source=run-1)`."""
    sure: bool = False
    """`- text (confidence: 0.9)`."""
    checked: bool = False
    """`- [ ] text`."""
    timed: bool = False
    """`- 2026-02-25 03:16 text`."""
    wide: bool = False
    """`- text（confidence: 0.9）`."""


def manner(lines: Lines, own: Sequence[Block], path: str, heading: str) -> Manner:
    """The manner of a section's items; where it has none, of the file's, or what its name and heading are known for."""
    items = [block for block in own if block[0] == ITEM]
    others = items or [block for block in lines.blocks if block[0] == ITEM]
    told = [_said(lines, block) for block in items]
    everywhere = [_said(lines, block) for block in others[-50:]]
    prefix = _prefix(lines, items[-1]) if items else _marker(lines, others[0]) if others else PLAIN
    stamped = any("memory_md_update:" in lines.text[at] for at in range(min(8, len(lines.text))))
    if told:
        dated, led = _most(told, _DATED.search), _most(told, _LED.match)
        checked = _most(told, _CHECK.match)
        bold = any(text.startswith("**") and text.endswith("auto)") for text in told)
    else:
        avoided = heading == "避坑经验"
        dated, led, bold, checked = path.rsplit("/", 1)[-1].lower() == "rules.md", avoided, avoided, False
    sourced = stamped or any("(source=" in text for text in everywhere)
    sure, wide = (any(f"{mark}confidence:" in text for text in told) for mark in ("", "（"))
    timed = bool(told) and _most(told, _TIMED.match)
    return Manner(prefix, dated, led or (bold and not dated), bold, sourced, sure, checked, timed, wide)


def item(draft: Draft, how: Manner, now: float) -> list[str]:
    """The lines of a new item, its marker on the first. Raises RefusedError for a text with nothing in it."""
    first, *rest = worded(draft.text)
    day = clock.day(now)
    marks: list[str] = []
    if how.bold and draft.source:
        if not rest and "**" not in first:
            first = f"**{first}**"
        marks.append(f"({day}, auto)")
    elif how.led:
        first = f"[{day}] {first}"
    elif how.timed:
        first = f"{clock.local(now):%Y-%m-%d %H:%M} {first}"
    elif how.dated:
        marks.append(f"({day})")
    if how.checked and draft.kind == "todo":
        first = f"[ ] {first}"
    marks = [*(f"#{tag}" for tag in tags(draft.tags)), *marks]
    if how.sure and draft.confidence is not None:
        said = f"confidence: {draft.confidence:g}"
        marks.append(f"（{said}）" if how.wide else f"({said})")
    if draft.expires is not None:
        marks.append(f"(expires: {ending(draft.expires)})")
    if how.sourced and draft.source:
        marks.append(f"(source={unspaced(draft.source)})")
    first += "".join(mark if mark[0] == "（" else f" {mark}" for mark in marks)
    return placed([first, *rest], how.prefix)


def placed(text: Sequence[str], prefix: str) -> list[str]:
    """The lines of a text as one item with this prefix; joined to a single line where they would not stay together."""
    below = " " * len(prefix.expandtabs(4))
    found = [prefix + text[0], *(below + line if line else "" for line in text[1:])]
    if len(found) > 1 and not _together(found, prefix):
        return [prefix + " ".join(line.strip() for line in text if line.strip())]
    return found


def worded(text: str) -> list[str]:
    """A text's lines, none of which is anything but text: its own bullet off, structure escaped, ends trimmed.

    Code between fences that close stays as it is, but not at the head, where no fence is looked for.
    """
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    if not lines:
        raise RefusedError(_("There is nothing to write: the text is empty."))
    lines[0] = lines[0].strip()
    marker = bullet(lines[0]) if lines[0][0] in "-*+•" else 0
    if marker and lines[0][marker:].strip() and not rule(lines[0]):
        lines[0] = lines[0][marker:].strip()
    code = _code(lines)
    fences = any(_FENCE.match(line.strip()) for line in lines) and not code
    found: list[str] = []
    for index, line in enumerate(lines):
        bare = line.strip()
        if index in code:
            found.append(line)
        elif bare or (found and found[-1]):
            found.append(_plain(line, bare, index, fences))
    return found


def ending(seconds: float) -> str:
    """When something ends, as people write it: the day; the minute too, where the day alone would be over too soon."""
    moment = clock.local(seconds)
    day = (moment.hour, moment.minute, moment.second) == (23, 59, 59)
    exact = seconds - clock.now() < _EXACT and not day
    return f"{moment:%Y-%m-%dT%H:%M}" if exact else f"{moment:%Y-%m-%d}"


def tags(words: Sequence[str]) -> list[str]:
    """Tags as the parser reads them back: one word each, nothing that looks like a colour or an issue's number."""
    found = (_WORD.sub("-", word.strip().lstrip("#")).strip("-./+")[:64] for word in words)
    return list(dict.fromkeys(f"tag-{word}" if _COLOUR.fullmatch(word) else word for word in found if word))


def unspaced(source: str) -> str:
    """A session or run as it can stand in brackets; empty where nothing is left of it."""
    return _UNSAID.sub("-", source.replace("\0", "").strip())


def _plain(line: str, bare: str, index: int, fences: bool) -> str:
    if not bare:
        return ""
    odd = (
        atx(bare, bare) is not None
        if bare[0] == "#"
        else (rule(bare) if bare[0] in "-*_" else False) or (index > 0 and bool(_SETEXT.match(bare)))
    )
    if odd or (fences and _FENCE.match(bare)) or (index == 0 and _SETEXT.match(bare)):
        at = len(line) - len(line.lstrip())
        return f"{line[:at]}\\{line[at:]}"
    return line


def _code(lines: list[str]) -> set[int]:
    """The lines of code between fences, where every fence closes and none stands at the head."""
    if _FENCE.match(lines[0]):
        return set()
    found: set[int] = set()
    for what, first, end, data in blocks(["x", "", *(line.strip() for line in lines[1:])]):
        if what == FENCE:
            if not data[1]:
                return set()
            found.update(range(first - 1, end - 1))
    return found


def _together(found: list[str], prefix: str) -> bool:
    """Whether the parser takes the lines for one item, and no fence or comment in them reaches what comes after."""
    after = [f"{prefix}x", "", "```", "x", "```", "~~~", "x", "~~~"]
    whole = blocks([*found, *after])
    alone = [(what, first + len(found), end + len(found)) for what, first, end, _data in blocks(after)]
    return [block[:3] for block in whole] == [(ITEM, 0, len(found)), *alone]


def _said(lines: Lines, block: Block) -> str:
    return lines.text[block[1]].strip()[block[3] :].strip()


def _marker(lines: Lines, block: Block) -> str:
    """The file's usual bullet, at the margin; a number is no bullet to begin a new list with."""
    line = lines.text[block[1]].strip()
    return f"{line[0]} " if line[0] in "-*+•" else PLAIN


def _prefix(lines: Lines, block: Block) -> str:
    line = lines.text[block[1]].rstrip("\r")
    at = len(line) - len(line.lstrip())
    prefix = line[: at + block[3]]
    number = _NUMBER.match(prefix, at)
    if number:
        counted = str(int(number[0]) + 1)
        prefix = prefix[:at] + counted + prefix[number.end() :]
    return prefix if prefix[-1:] in {" ", "\t", "、", "．"} else f"{prefix} "


def _most(told: list[str], match: object) -> bool:
    assert callable(match)
    return 2 * sum(1 for text in told if match(text)) > len(told)


def known(kind: str) -> str:
    """A kind as it can stand in brackets: lower case, `note` where it is none."""
    kind = kind.strip().lower()
    return kind if kinds.exact(kind) or re.fullmatch(r"[^\W\d][\w -]{1,23}", kind) else "note"
