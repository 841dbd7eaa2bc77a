"""Names and headers of the vector files: which are ours, and what they hold. It needs no numpy, so status is cheap.

Both kinds of file begin with a block of fixed size: a mark, a checksum, and a line of JSON.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
import zlib
from contextlib import suppress

from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, blake2b

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.fs.places import Place

PROSE, WIDE = 1, 2
"""Traits of a memory: it stands among lines on one subject; it is written in Chinese, Japanese or Korean."""

MARK = b"MTUIVEC1"
"""What our files begin with; those without it are never read, written or removed. Changes with the format."""

PLACED = "placed 2"
"""The kind of the tables: those of another making are made again, which takes no model."""

HEADER = 1024
"""Bytes of the block at the beginning."""

MOST = 1 << 28
"""Rows that a file may say it has: more than any home holds, and few enough that sizes cannot run over."""

WIDEST = 1 << 16
"""Numbers that a vector may have."""

UNUSED = 14 * 86400.0
"""Seconds after which the vectors of a model that nobody asks any more may go."""

TOUCHED = 86400.0
"""Seconds after which it is noted again that a model is asked."""


class Names(NamedTuple):
    """Where the vectors of one model are."""

    directory: Path
    begin: str
    """How the names of the files of rows begin."""
    placed: Path
    digest: str
    """The model, short."""

    def fresh(self, ending: str) -> Path:
        """A name that was never used: for 'rows', or for a 'new' table until it is in place."""
        return self.directory / f"{self.begin}{os.urandom(8).hex()}.{ending}"

    def all(self, ending: str) -> list[Path]:
        """The files of this name that there are."""
        pattern = re.compile(rf"{re.escape(self.begin)}[0-9a-f]{{16}}\.{ending}")
        try:
            return [self.directory / name for name in os.listdir(self.directory) if pattern.fullmatch(name)]
        except OSError:
            return []


def derive_vector_names(place: Place, model: str) -> Names:
    """The names of a model's files at a place."""
    digest = blake2b(model.encode("utf-8", "surrogatepass"), 8)
    return _build_names(place, digest)


def _build_names(place: Place, digest: str) -> Names:
    begin = f"{place.stem}-vectors-{digest}"
    return Names(place.directory, f"{begin}-", place.directory / f"{begin}.placed", digest)


def block(values: dict[str, Any]) -> bytes:
    """A header that says this."""
    # As it is, not escaped: a name of emoji would be three times as long.
    data = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    whole = MARK + zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little") + data
    if len(whole) > HEADER:
        raise ValueError("a header too long")
    return whole.ljust(HEADER, b"\0")


def decode_vector_header(data: bytes) -> dict[str, Any] | None:
    """What a header says; None: it is none of ours, or damaged."""
    if len(data) < HEADER or not data.startswith(MARK):
        return None
    length = int.from_bytes(data[12:16], "little")
    text = data[16 : 16 + length]
    if length > HEADER - 16 or zlib.crc32(text) != int.from_bytes(data[8:12], "little"):
        return None
    try:
        values = json.loads(text)
    except ValueError:
        return None
    return values if isinstance(values, dict) else None


def read_vector_header(file: Path) -> tuple[dict[str, Any], int] | None:
    """What a file's header says, and the file's size; None: it is not there, or not one of ours."""
    descriptor = open_regular_file(file)
    if descriptor is None:
        return None
    try:
        values = decode_vector_header(os.read(descriptor, HEADER))
        return None if values is None else (values, os.fstat(descriptor).st_size)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def open_regular_file(file: Path, *, write: bool = False) -> int | None:
    """A descriptor of a regular file, never through a link; None: there is none."""
    flags = (os.O_RDWR if write else os.O_RDONLY) | getattr(os, "O_NOFOLLOW", 0)
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(file, flags)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def number(values: dict[str, Any], key: str, most: int = MOST) -> int:
    """A whole number of a header. Raises ValueError: it is none, or out of bounds."""
    found = values.get(key)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise ValueError(key)
    return found


def read_coverage(place: Place, index_name: str, model: str) -> tuple[int, str, int]:
    """How many entries of this index file are done, the model's name for a person, and the index's generation then.

    Done: they have a vector, or hold nothing to make one of. Reads one block.
    """
    found = read_vector_header(derive_vector_names(place, model).placed)
    if found is None or found[0].get("kind") != PLACED:
        return 0, "", -1
    title = str(found[0].get("title", ""))
    if found[0].get("index") != index_name:
        return 0, title, -1
    try:
        done = number(found[0], "count") + number(found[0], "nothing")
        return done, title, number(found[0], "generation", 1 << 62)
    except ValueError:
        return 0, title, -1


def touch(file: Path) -> None:
    """Note that a model's vectors are asked."""
    with suppress(OSError):
        if time.time() - file.stat().st_mtime > TOUCHED:
            os.utime(file)


def tidy(place: Place, model: str) -> int:
    """Remove what nobody needs: what its table does not name of this model, and models that are asked no more.

    How many files went. For whoever holds the lock and has just placed every entry.
    """
    own = derive_vector_names(place, model)
    gone = _remove_others(own)
    placed = re.compile(rf"{re.escape(place.stem)}-vectors-([0-9a-f]{{16}})\.placed")
    try:
        names = os.listdir(place.directory)
    except OSError:
        return gone
    for found in filter(None, map(placed.fullmatch, names)):
        other = _build_names(place, found[1])
        with suppress(OSError):
            if other.digest != own.digest and time.time() - other.placed.stat().st_mtime > UNUSED:
                gone += _remove_own_file(other.placed)
    # A model that never came as far as placing has rows alone.
    rows = re.compile(rf"{re.escape(place.stem)}-vectors-([0-9a-f]{{16}})-[0-9a-f]{{16}}\.rows")
    for found in filter(None, map(rows.fullmatch, names)):
        file = place.directory / found[0]
        with suppress(OSError):
            if not _build_names(place, found[1]).placed.exists() and time.time() - file.stat().st_mtime > UNUSED:
                gone += _remove_own_file(file)
    return gone


def _remove_others(own: Names) -> int:
    found = read_vector_header(own.placed)
    if found is None:
        return 0
    gone = sum(_remove_own_file(file) for file in own.all("rows") if file.name != found[0].get("rows_file"))
    # Whoever writes a table holds the lock, so these were left by processes that died.
    return gone + sum(_remove_own_file(file) for file in own.all("new"))


def _remove_own_file(file: Path) -> bool:
    descriptor = open_regular_file(file)
    if descriptor is None:
        return False
    try:
        # Not a byte was written to some before their process died.
        mine = os.read(descriptor, len(MARK)) in {MARK, b""}
    except OSError:
        return False
    finally:
        os.close(descriptor)
    try:
        if not mine:
            return False
        os.unlink(file)
    except OSError:
        # Windows keeps what somebody still reads; the next tidying takes it.
        return False
    return True
