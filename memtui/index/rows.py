"""What an index answers with: one entry's row, one file, how far it is."""

from __future__ import annotations

from memtui.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.model import Layer, Problem, Status


class Row(NamedTuple):
    """One entry's place and marks. Times in seconds."""

    id: int
    path: str
    line: int
    last: int
    start: int | None
    """Byte offset of its first line in the file; None: lines do not stand in the file as such, parse it."""
    size: int | None
    """Bytes of its lines, without the last line break."""
    layer: Layer
    kind: str
    status: Status
    """As it stands now: expired where the clock says so."""
    time: float
    """Its own time, else its file's."""
    dated: bool
    """Whether `time` is its own."""
    expires: float | None
    confidence: float | None
    heading: tuple[str, ...]
    key: str
    successor: str
    crc: int
    """Of its bytes in the file: tells twins apart and recognises it after it moved."""
    etag: str
    """Names the file's bytes when it was read."""
    file: int
    level: int
    """What of `model.Level` it is, as a number."""
    reach: int
    """The last line of it with its parts."""


class File(NamedTuple):
    """One file that the index knows. `mtime` in seconds."""

    id: int
    path: str
    mtime: float
    size: int
    etag: str
    title: str
    entries: int


class Progress(NamedTuple):
    """How far the index is: files held, files to come (0: unknown), and whether it holds all."""

    done: int
    total: int
    complete: bool


class Outline(NamedTuple):
    """What one file holds, without its text."""

    path: str
    size: int
    """Bytes of the file."""
    last: int
    """The last line that an entry stands on."""
    sections: dict[str, int]
    """Entries under each innermost heading, else of each kind, in the order of the file."""


class Moment(NamedTuple):
    """How an index stands, all of it at one moment."""

    path: str
    """The index file."""
    bytes: int
    progress: Progress
    memories: int
    problems: tuple[Problem, ...]
