"""Finding a change again in a file that has moved on since: what an undo needs. Pure.

A patch holds the lines that were and the lines that came, and what its neighbours hash to. It still applies where
just its own lines stand, once, or once between the same neighbours; else nobody can say what taking it back means.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from memtui.digest import sha256
from memtui.disk.record import Patch
from memtui.edits import Piece, spliced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 2048
"""Bytes of a line that a patch takes in whole; of a longer one it takes `AROUND` on either side."""
AROUND = 96
NEIGHBOURS = 2


def patches(base: bytes, pieces: Sequence[Piece]) -> tuple[Patch, ...]:
    """What the pieces do to the base, widened to whole lines, so that it can be found again."""
    wide: list[tuple[int, int, list[Piece]]] = []
    for piece in pieces:
        start, end = _widened(base, piece)
        if wide and start < wide[-1][1]:
            start, held = wide[-1][0], wide.pop()[2]
            wide.append((start, end, [*held, piece]))
        else:
            wide.append((start, end, [piece]))
    whole = spliced(base, tuple(pieces))
    found: list[Patch] = []
    shift = 0
    for start, end, held in wide:
        old = base[start:end]
        new = spliced(old, tuple(Piece(p.start - start, p.end - start, p.new) for p in held))
        at = start + shift
        frame = all(piece.frame for piece in held)
        found.append(Patch(start, old, new, frame, above(whole, at), below(whole, at + len(new))))
        shift += len(new) - len(old)
    return tuple(found)


def taken_back(current: bytes, done: Sequence[Patch]) -> tuple[Piece, ...] | None:
    """The pieces that take the patches back in a file that moved on; None where one of them does not apply any more.

    What only framed the change (a heading) stays where something else may stand under it now.
    """
    found: list[Piece] = []
    shift = 0
    for patch in done:
        at = _place(current, patch, patch.start + shift)
        if patch.frame:
            shift += len(patch.new) - len(patch.old)
            continue
        if at is None:
            return None
        shift = at - patch.start + len(patch.new) - len(patch.old)
        piece = _fitting(current, patch, at)
        if piece is None:
            return None
        found.append(piece)
    found.sort()
    if any(one.end > two.start for one, two in pairwise(found)):
        return None
    return tuple(found)


def _fitting(current: bytes, patch: Patch, at: int) -> Piece | None:
    """The piece that takes a patch back there; None where it would leave half of a line that says more by now."""
    end, old = at + len(patch.new), patch.old
    goes_on = end < len(current) and _inside(current, end) and current[end : end + 1] not in b"\r\n"
    # Of a very long line a patch holds a part: the same bytes end what was and what came.
    part = len(old) >= AROUND and old[-AROUND:] == patch.new[-AROUND:]
    if patch.new and goes_on and not part:
        return None
    ended = current[end - 1 : end] == b"\n" or not patch.new
    if ended and end < len(current) and (old[-1:] or current[max(0, at - 1) : at]) not in {b"", b"\n"}:
        # The line end that came with it stays: something stands behind it now.
        old += b"\r\n" if current[end - 2 : end] == b"\r\n" else b"\n"
    return Piece(at, end, old)


def above(data: bytes, at: int) -> str:
    """What the lines just above an offset hash to; a line that the offset cuts counts as one."""
    lines = data[max(0, at - 4096) : at].splitlines(keepends=True)[-NEIGHBOURS:]
    return _hash(lines)


def below(data: bytes, at: int) -> str:
    """What the lines just below an offset hash to."""
    return _hash(data[at : at + 4096].splitlines(keepends=True)[:NEIGHBOURS])


def _hash(lines: list[bytes]) -> str:
    return sha256(b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines))[:12]


def _widened(base: bytes, piece: Piece) -> tuple[int, int]:
    start, end = piece.start, piece.end
    whole = (not piece.new and start < end) or piece.new.endswith(b"\n")
    if whole and not _inside(base, start) and not _inside(base, end):
        return start, end
    first = base.rfind(b"\n", 0, start) + 1
    last = base.find(b"\n", end)
    if end > start and end and base[end - 1 : end] == b"\n" and piece.new.endswith(b"\n"):
        last = end - 1
    stop = len(base) if last < 0 else last + 1
    return max(first, start - AROUND) if start - first > LONGEST else first, min(
        stop, end + AROUND
    ) if stop - end > LONGEST else stop


def _inside(base: bytes, at: int) -> bool:
    """Whether an offset stands inside a line."""
    return at > 0 and base[at - 1 : at] != b"\n"


def _place(current: bytes, patch: Patch, expected: int) -> int | None:
    """Where the patch's new bytes stand now."""
    scored = [
        ((above(current, at) == patch.above) + (below(current, at + len(patch.new)) == patch.below), at)
        for at in _occurrences(current, patch.new)
    ]
    if not scored:
        return None
    if patch.new:
        if len(scored) == 1:
            return scored[0][1]
        most = max(score for score, _at in scored)
        best = [at for score, at in scored if score == most]
        if len(best) == 1 and most:
            return best[0]
        # What was appended knows no neighbours: it is itself where it was put.
        return expected if expected in best and (most or not patch.above) else None
    best = [at for score, at in scored if score == 2] or [at for score, at in scored if score]
    return best[0] if len(best) == 1 else expected if expected in best else None


def _occurrences(current: bytes, wanted: bytes) -> Iterator[int]:
    if not wanted:
        yield 0
        at = current.find(b"\n")
        while at >= 0:
            yield at + 1
            at = current.find(b"\n", at + 1)
        if not current.endswith(b"\n"):
            yield len(current)
        return
    lines = wanted.endswith(b"\n")
    at = current.find(wanted)
    while at >= 0:
        # What healed a torn last line begins with its line end.
        if not lines or wanted[:1] in {b"\r", b"\n"} or not _inside(current, at):
            yield at
        at = current.find(wanted, at + 1)


def undone_pieces(done: Sequence[Patch]) -> tuple[Piece, ...]:
    """The pieces that take the patches back in just the bytes they left."""
    found: list[Piece] = []
    shift = 0
    for patch in done:
        start = patch.start + shift
        found.append(Piece(start, start + len(patch.new), patch.old, patch.frame))
        shift += len(patch.new) - len(patch.old)
    return tuple(found)
