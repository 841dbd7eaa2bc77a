"""Text from a disk, made fit for a terminal: the unseen is shown, what a terminal would obey is spelt out.

Memory text is hostile until shown otherwise (reliability §2.9). Every string that came from a file (bodies,
names, keys, reasons) passes `safe_text` at the last step before a widget, a notification, a title or standard
output. It changes what is shown, never the file. Widths and markup are the business of whoever draws.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from memtui.pattern import pattern
from memtui.safety.characters import EMOJI, FAR_MARKS, HIDDEN, JOINING, MARKS, VIRAMA

TAB = "    "
NEWLINE = "⏎"
"""Stands for a line break where there is room for one line only."""

STACK = 8
"""Combining marks that may sit on one character; the rest would paint over the neighbouring lines."""

RUN = 8
"""Hidden characters in a row that are spelt out; longer runs are counted."""

_RETURNS = pattern(r"(?<!\r)\r++(?=\n|\Z)")
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")
_BLACK_FLAG = "\U0001f3f4"
_FLAGS = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)


def safe_text(s: str, *, keep_newlines: bool = True) -> str:
    """The text with nothing in it that hides or commands.

    Controls appear as ^[ and \\x9b, undecodable bytes as \\xff, everything invisible or private as ⟨U+202E⟩,
    runs of more than eight of them as ⟨U+202E… ×37⟩; tabs are four spaces; a carriage return that ends a line
    is dropped. Joiners and selectors stay where emoji and scripts need them. Without `keep_newlines` a line
    break becomes ⏎. Doing it twice changes nothing. Linear in the length; never raises.
    """
    if s.isascii() and s.isprintable():
        return s
    if _suspect().search(s) is not None:
        s = _run().sub(_shown, _tidy(s))
    return s if keep_newlines else s.replace("\n", NEWLINE)


def hidden_count(s: str) -> int:
    """How many characters `safe_text` spells out or drops, for the badge '3 hidden chars'.

    Tabs and line ends do not count.
    """
    if s.isascii() and s.isprintable():
        return 0
    if _suspect().search(s) is None:
        return 0
    plain = _RETURNS.sub("", s.replace("\t", TAB))
    tidy = _trim(plain)
    count = len(plain) - len(tidy)
    for match in _run().finditer(tidy):
        count += match.end() - _after_meant(tidy, match.start())
    return count


def clip(line: str, cells: int = 4000) -> str:
    """The beginning of one line, made safe: at most `cells` terminal cells of it. What is left out is counted
    behind them: '…(+996,000 chars)'. A line of a megabyte costs no more than what is shown of it.
    """
    if len(line) <= cells and (line.isascii() or 2 * len(line) <= cells):
        return _cut(safe_text(line, keep_newlines=False), cells, 0)
    head = line[:cells]
    return _cut(safe_text(head, keep_newlines=False), cells, len(line) - len(head))


def _cut(shown: str, cells: int, left_out: int) -> str:
    if not (shown.isascii() and len(shown) <= cells):
        import unicodedata

        used = 0
        for index, character in enumerate(shown):
            used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if used > cells:
                left_out += len(shown) - index
                shown = shown[:index]
                break
    return f"{shown}…(+{left_out:,} chars)" if left_out else shown


def _tidy(s: str) -> str:
    if "\t" in s:
        s = s.replace("\t", TAB)
    if "\r" in s:
        s = _RETURNS.sub("", s)
    return _trim(s)


def _trim(s: str) -> str:
    if s.isascii():
        return s
    return _stack(_far().search(s) is not None).sub(r"\1", s)


# Compiled when first needed: they cost more than all the rest of this module, and most text is plain.
@cache
def _suspect() -> re.Pattern[str]:
    return re.compile(f"[{HIDDEN}{MARKS}\U00010000-\U0001e9ff]")


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{HIDDEN}]+")


@cache
def _far() -> re.Pattern[str]:
    return re.compile("[\U00010000-\U0001e9ff]")


@cache
def _stack(far: bool) -> re.Pattern[str]:
    marks = MARKS + FAR_MARKS if far else MARKS
    return re.compile(f"([{marks}]{{{STACK}}})[{marks}]+")


@cache
def _meant() -> re.Pattern[str]:
    return re.compile(
        f"(?<=[{EMOJI}])[\ufe0e\ufe0f]"
        "|(?<=[0-9#*])\ufe0f(?=\u20e3)"
        f"|(?:(?<=[{EMOJI}])|(?<=[{EMOJI}]\ufe0f))\u200d(?=[{EMOJI}])"
        f"|(?<=[{VIRAMA}])[\u200c\u200d](?![{MARKS}{FAR_MARKS}])"
        f"|(?<=[{JOINING}])\u200d(?=[{VIRAMA}])"
        f"|(?<=[{JOINING}])\u200c(?=[{JOINING}])"
    )


def _after_meant(s: str, start: int) -> int:
    """Where a run of hidden characters begins, behind the ones that emoji and scripts need there."""
    if s[start] in _JOINERS:
        meant = _meant()
        while match := meant.match(s, start):
            start = match.end()
    elif start and s[start - 1] == _BLACK_FLAG and s.startswith(_FLAGS, start):
        start += 6
    return start


def _shown(match: re.Match[str]) -> str:
    run = match.group()
    if len(run) == 1 and run not in _JOINERS:
        return _name(run)
    start = _after_meant(match.string, match.start()) - match.start()
    count = len(run) - start
    if count > RUN:
        names = "" if run.count(run[start], start) == count else "…"
        return f"{run[:start]}⟨{_name(run[start]).strip('⟨⟩')}{names} ×{count}⟩"
    return run[:start] + "".join(map(_name, run[start:]))


@lru_cache(maxsize=4096)
def _name(character: str) -> str:
    point = ord(character)
    if point < 0x20 or point == 0x7F:
        return "^" + chr(point ^ 0x40)
    if point < 0xA0:
        return f"\\x{point:02x}"
    if 0xDC80 <= point <= 0xDCFF:
        return f"\\x{point - 0xDC00:02x}"
    return f"⟨U+{point:04X}⟩"
