"""Two texts that were made of one, put together line by line. Pure; nothing is ever left out without being asked."""

from __future__ import annotations

from typing import NamedTuple


class Together(NamedTuple):
    """Both changes in one text."""

    data: bytes
    clashes: int
    """Places that both changed: their lines stand there first, then mine."""


class _Change(NamedTuple):
    """Lines [start, end) of the base became `new`."""

    start: int
    end: int
    new: list[bytes]


def together(base: bytes, theirs: bytes, mine: bytes) -> Together:
    """Theirs, with my change in it. Where both changed the same lines, both stand there."""
    # What stands behind the last line end is a line too, mostly an empty one: so ends need no care of their own.
    lines = base.split(b"\n")
    left, right = _changes(lines, theirs.split(b"\n")), _changes(lines, mine.split(b"\n"))
    out: list[bytes] = []
    at = clashes = 0
    while left or right:
        start = min(side[0].start for side in (left, right) if side)
        end = start
        ours: tuple[list[_Change], list[_Change]] = ([], [])
        grown = True
        while grown:
            grown = False
            for side, taken in zip((left, right), ours, strict=True):
                # What begins where the other's change begins, or inside it, is about the same lines.
                while side and (side[0].start < end or side[0].start == start):
                    taken.append(side.pop(0))
                    end, grown = max(end, taken[-1].end), True
        out += lines[at:start]
        their, my = (_region(lines, start, end, taken) for taken in ours)
        if not ours[1] or their == my:
            out += their
        elif not ours[0]:
            out += my
        else:
            clashes += lines[start:end] not in (their, my) and start < end
            out += _ended(their, my)
        at = end
    out += lines[at:]
    return Together(b"\n".join(out), clashes)


def _changes(base: list[bytes], new: list[bytes]) -> list[_Change]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, base, new, autojunk=False)
    return [
        _Change(low, high, new[first:last])
        for tag, low, high, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]


def _region(lines: list[bytes], start: int, end: int, changes: list[_Change]) -> list[bytes]:
    out: list[bytes] = []
    at = start
    for change in changes:
        out += [*lines[at : change.start], *change.new]
        at = change.end
    return [*out, *lines[at:end]]


def _ended(their: list[bytes], my: list[bytes]) -> list[bytes]:
    """Their lines, then those of mine that are not there already."""
    return [*their, *(line for line in my if line not in their)]
