"""Changes to files as data: what every verb hands to `Vault.apply`, and what the undo journal keeps.

A change never holds the new file: it names the bytes it was made from and the pieces that differ, so that
everything outside the pieces stays unchanged by construction (reliability §2.1). `Edit`, `Append` and `RowEdit`
are the kinds of change; `Draft` is a memory before a format gives it its shape, `Target` its place, `Receipt`
the answer to a write. The functions below splice, compose, invert and compute pieces. Offsets count bytes.
"""

from __future__ import annotations

from memtui.core.model import Layer
from memtui.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = str | int | float | bytes | None
"""What a column of a database may hold."""


class Piece(NamedTuple):
    """The bytes [start, end) of the base become `new`."""

    start: int
    end: int
    new: bytes
    frame: bool = False
    """It only frames what else was added (a heading, a blank line): left standing by an undo when others use it."""


class Edit(NamedTuple):
    """A change to one file of a home, expecting the bytes it was made from."""

    home: str
    """The home's path, as `Home.path` prints it; or the state directory, for what memtui keeps of its own."""
    path: str
    """Relative to the home, '/'-separated."""
    base: bytes | None
    """What was read; None: the file must not exist yet."""
    pieces: tuple[Piece, ...]
    """In order, not overlapping, by offsets in the base. All of a new file is one piece at 0."""
    remove: bool = False
    """The file itself goes (to the trash)."""
    mode: int = 0o600
    """Permission bits of a new file; a file that is there keeps its own."""

    @property
    def new(self) -> bytes:
        """What the file holds afterwards; empty where it goes."""
        return b"" if self.remove else splice_pieces(self.base or b"", self.pieces)


class Append(NamedTuple):
    """One record at the end of an append-only file: no base is expected, nothing else in the file is touched."""

    home: str
    path: str
    record: str
    """One or more whole lines, without the last newline; each at most 64 KiB in UTF-8."""
    header: str = ""
    """What a file begins with that did not exist yet; newline included."""


class RowEdit(NamedTuple):
    """A change to one row of a database that another program owns: compare and set, column by column."""

    home: str
    path: str
    table: str
    key: str
    """The row's id."""
    before: Mapping[str, Value] | None
    """The columns that must still hold these values; None: the row must not exist."""
    after: Mapping[str, Value] | None
    """The columns that get new values; None: the row goes (only as the undo of one that was made)."""


Change = Edit | Append | RowEdit


class Draft(NamedTuple):
    """A memory that somebody wants to write, before a format gives it its shape."""

    text: str
    kind: str = "note"
    """Lower case: fact, pref, decision, rule, todo, lesson, note, …"""
    section: str = ""
    """The heading it belongs under, without '#'; empty: the format's own place for it."""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    confidence: float | None = None
    expires: float | None = None
    source: str = ""
    """The session or run it comes from."""
    evidence: str = ""
    memory_type: str = ""
    """Spec 004's W, B or O; empty: by its kind."""
    title: str = ""
    key: str = ""
    """The home's own id, where the caller has one already; empty: the format makes one."""
    supersedes: str = ""
    """The id of what it replaces, for formats that can say so."""
    project: str = ""
    """The project it comes from, for homes that keep what they know by project."""
    lasting: bool = False
    """Somebody said that it holds for ever: its kind's usual time is not asked."""
    created: float | None = None
    """When it was first said, where that was long ago, as of what another tool remembers; None: now."""


class Target(NamedTuple):
    """Where a draft goes in a home, as its layout says."""

    home: str
    path: str
    format: str
    """A name in `memtui.formats.FORMATS`."""
    section: str = ""
    layer: Layer = Layer.KNOWLEDGE
    exists: bool = True
    append_only: bool = False
    """Written by `Append`, never rewritten."""


class Receipt(NamedTuple):
    """What a write answers: done, in a sentence, and how to undo it."""

    id: str
    """The journal's id: `undo(id)`."""
    time: float
    verb: str
    """append, add, edit, supersede, archive, restore, merge, move, expire, tag, delete, approve, reject, undo, …"""
    who: str
    """person, distillation, agent:<name>, hook:<event>."""
    what: str
    """For a person: 'appended 1 line to MEMORY.md'."""
    paths: tuple[str, ...] = ()
    """Absolute paths of what was written."""
    group: str = ""
    """Writes that were one decision are undone together."""
    warnings: tuple[str, ...] = ()
    """For a person: '1 secret was masked'."""
    undoes: tuple[str, ...] = ()
    """Ids of the writes, and of their groups, that an undo took back or a redo did again."""


def splice_pieces(base: bytes, pieces: tuple[Piece, ...]) -> bytes:
    """The base with its pieces in place. Raises ValueError where they overlap, lie outside, or stand out of order."""
    parts: list[bytes] = []
    at = 0
    for piece in pieces:
        if not at <= piece.start <= piece.end <= len(base):
            raise ValueError("pieces of an edit overlap, or lie outside their base")
        parts += (base[at : piece.start], piece.new)
        at = piece.end
    parts.append(base[at:])
    return b"".join(parts)


def compose(first: tuple[Piece, ...], second: tuple[Piece, ...], size: int) -> tuple[Piece, ...]:
    """The pieces that do at once, to a base of that many bytes, what the first do and then the second to the result."""
    # What the first make, as (start and end in the base, new bytes or None for the base's own, frame).
    runs: list[tuple[int, int, bytes | None, bool]] = []
    at = 0
    for piece in first:
        if piece.start > at:
            runs.append((at, piece.start, None, False))
        runs.append((piece.start, piece.end, piece.new, piece.frame))
        at = piece.end
    if at < size:
        runs.append((at, size, None, False))
    runs.reverse()
    found: list[tuple[int, int, bytes | None, bool]] = []

    def taken(upto: int, now: int) -> int:
        """Take the runs up to an offset of the result, cutting the one that goes on."""
        while runs and (length := _measure_run(runs[-1])) <= upto - now:
            found.append(runs.pop())
            now += length
        if now < upto:
            start, end, new, frame = runs.pop()
            many = upto - now
            if new is None:
                found.append((start, start + many, None, frame))
                runs.append((start + many, end, None, frame))
            else:
                found.append((start, end, new[:many], frame))
                runs.append((end, end, new[many:], frame))
        return upto

    now = 0
    for piece in second:
        now = taken(piece.start, now)
        begin = found[-1][1] if found else 0
        many = len(found)
        now = taken(piece.end, now) if piece.end > piece.start else now
        end = found[-1][1] if len(found) > many else begin
        begin = found[many][0] if len(found) > many else begin
        del found[many:]
        found.append((begin, end, piece.new, piece.frame))
    found += reversed(runs)
    return tuple(
        Piece(start, end, new, frame) for start, end, new, frame in found if new or (new is not None and end > start)
    )


def _measure_run(run: tuple[int, int, bytes | None, bool]) -> int:
    start, end, new, _frame = run
    return end - start if new is None else len(new)


def apply_append(before: bytes | None, change: Append) -> bytes:
    """What a file holds once a record was appended to it, with the file's own line ends."""
    last = (before or b"").rpartition(b"\n")[0]
    end = b"\r\n" if last.endswith(b"\r") else b"\n"
    healed = end if before and not before.endswith(b"\n") else b""
    record = change.record.encode().replace(b"\n", end)
    return (before or change.header.encode()) + healed + record + end


def diff_lines(old: bytes, new: bytes) -> tuple[Piece, ...]:
    """The pieces, by whole lines, that make `new` of `old`: for a file that came back from an editor."""
    from difflib import SequenceMatcher

    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    # bytes.splitlines also ends lines at a lone '\r': only whole equal lines matter here, so that is harmless.
    starts, stops = _list_offsets(before), _list_offsets(after)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(
        Piece(starts[low], starts[high], new[stops[first] : stops[last]])
        for tag, low, high, first, last in matcher.get_opcodes()
        if tag != "equal"
    )


def _list_offsets(lines: list[bytes]) -> list[int]:
    found = [0]
    for line in lines:
        found.append(found[-1] + len(line))
    return found
