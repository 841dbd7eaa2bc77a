"""Differences as lines: what goes, what comes, and a little around it, by sign and word besides the colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _, _n
from memtui.safety.safe_text import safe_text
from memtui.tui.prose import wrapped

if TYPE_CHECKING:
    from memtui.tui.draw import Piece

CONTEXT = 3
"""Unchanged lines that are shown around a change."""

MOST = 400
"""Lines of a difference that are shown."""

LONG = 2000
"""Characters of a line that are shown."""

_STYLES = {"+": "ok", "-": "bad", "\\": "faint"}


def unified(before: bytes | None, after: bytes | None, path: str) -> str:
    """The difference of two contents, as `diff -u` writes it; nothing for equal ones."""
    from difflib import unified_diff

    old, new = _text(before), _text(after)
    lines = unified_diff(
        old, new, "/dev/null" if before is None else path, "/dev/null" if after is None else path,
        lineterm="", n=CONTEXT,
    )  # fmt: skip
    return "\n".join(lines)


def _text(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").split("\n") if data else []


def drawn(diff: str, cells: int) -> list[list[Piece]]:
    """A unified difference as lines of at most `cells`; long ones are wrapped under their sign."""
    lines: list[list[Piece]] = []
    shown = 0
    for raw in _body(diff):
        shown += 1
        if shown > MOST:
            lines.append([(_("… the difference goes on"), "dim")])
            break
        if raw.startswith("@@"):
            if lines:
                lines.append([("  ⋮", "faint")])
            continue
        sign, text = raw[:1] or " ", raw[1:]
        style = _STYLES.get(sign, "dim")
        body = safe_text(text[:LONG], keep_newlines=False)
        lines += wrapped([(f" {sign} ", style), (body, style)], cells, hang=3)
    return lines


def tally(diff: str) -> tuple[int, int]:
    """How many lines come, and how many go."""
    body = _body(diff)
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def _body(diff: str) -> list[str]:
    """The lines without the names of the files, which may come again before another file's."""
    lines = diff.removesuffix("\n").split("\n")
    heads = {
        at + more
        for at, line in enumerate(lines[:-1])
        if line.startswith("--- ") and lines[at + 1].startswith("+++ ") and _begins(lines, at)
        for more in (0, 1)
    }
    return [line for at, line in enumerate(lines) if at not in heads]


def _begins(lines: list[str], at: int) -> bool:
    """Whether what looks like the names of files is followed by a place: no line of a text is."""
    return at + 2 < len(lines) and lines[at + 2].startswith("@@ ")


def in_words(diff: str) -> str:
    """'adds 1 line', 'adds 2 lines, takes 1 away'."""
    added, gone = tally(diff)
    comes = _n("adds {count} line", "adds {count} lines", added)
    goes = _n("takes {count} line away", "takes {count} lines away", gone)
    return (
        f"{comes}, {goes}" if added and gone else goes if gone else comes if added else _("changes nothing")
    )
