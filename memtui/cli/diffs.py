"""Differences between two texts, for people: a unified diff, in colour on a terminal, hidden characters shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES = {"+": output.GREEN, "-": output.RED, "@": output.CYAN}
MOST = 400
"""Lines of one difference that are shown; the rest is counted."""


def unified(old: bytes | None, new: bytes | None, path: str) -> str:
    """The unified diff of two contents of one file; None: there is no file."""
    from difflib import unified_diff

    lines = unified_diff(
        _lines(old), _lines(new), _name("a", old, path), _name("b", new, path), lineterm="\n"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def painted(diff: str) -> Iterator[str]:
    """The lines of a diff, safe and in colour."""
    for line in safe(diff):
        head = line[:4] in {"--- ", "+++ "}
        yield output.paint(line, output.BOLD if head else STYLES.get(line[:1], ""))


def safe(diff: str) -> Iterator[str]:
    """The same without colour."""
    # Only newlines end a line here: what else splitlines takes for one stands in the middle of a changed line.
    lines = diff.removesuffix("\n").split("\n") if diff else []
    yield from map(output.safe, lines[:MOST])
    if len(lines) > MOST:
        yield f"… +{len(lines) - MOST:,}"


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "backslashreplace")
    found = text.split("\n")
    return [f"{line}\n" for line in found[:-1]] + ([found[-1]] if found[-1] else [])


def _name(side: str, data: bytes | None, path: str) -> str:
    return "/dev/null" if data is None else f"{side}/{path}"
