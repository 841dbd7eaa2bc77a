"""What a model is given of the memories of an index, read from their files, and the hash that its vector is kept by."""

from __future__ import annotations

import hashlib
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.index.schema import LAYERS, SEPARATOR, decoded
from memtui.model import Status
from memtui.search.candidate import Candidate
from memtui.search.fts import turn
from memtui.search.passage import VERSION, passage
from memtui.text import CJK_RUN
from memtui.vectors import PROSE, WIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.index.index import Index
    from memtui.search.texts import Place, Texts
    from memtui.vectors.entries import Entries

_WORD = re.compile("[A-Za-z]+")
_SAYING = re.compile(r"[^\W_]")
_SQL = (
    "SELECT entry.id, file.path, entry.line, entry.last, entry.start, entry.size, entry.layer, entry.kind, entry.ts,"
    " entry.heading, entry.crc, file.mtime, file.size FROM entry JOIN file ON file.id = entry.file"
    " WHERE entry.id IN ({}) ORDER BY entry.id DESC"
)


class Material(NamedTuple):
    """One memory as a model is given it."""

    id: int
    traits: int
    """PROSE, WIDE, both or neither (`memtui.vectors`)."""
    key: bytes
    text: str
    """Empty: it holds no letter and no digit, so there is nothing to make a vector of."""


def material(index: Index, entries: Entries, texts: Texts, ids: Sequence[int]) -> list[Material]:
    """The memories of these ids, secrets masked; without those that changed since, in the index or on the disk.

    Raises StaleIndexError.
    """
    places: list[Place] = []
    with decoded():
        rows: list[Any] = index.db.execute(_SQL.format(",".join("?" * len(ids))), list(ids)).fetchall()
        for id_, path, line, last, start, size, layer, kind, ts, heading, crc, mtime, length in rows:
            if not entries.same(id_, crc, heading, ts, kind):
                continue
            above = "" if heading is None else SEPARATOR.join(index.heading(heading))
            candidate = Candidate(
                texts.home,
                path,
                line,
                last,
                LAYERS[layer],
                index.name(kind),
                Status.ACTIVE,
                ts,
                above,
                False,
                id_,
            )
            places.append((candidate, start, size, (mtime, length)))
        changed = set(texts.fill(places, partial(turn, index)))
    return [_made(candidate) for candidate, *_rest in places if candidate.path not in changed]


def hashed(text: str) -> bytes:
    """What a text's vector is kept by."""
    data = f"{VERSION}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).digest()


def wide(text: str) -> bool:
    """Whether more of a text is Chinese, Japanese or Korean characters than words of letters."""
    if text.isascii():
        return False
    characters = sum(map(len, CJK_RUN.findall(text)))
    return characters > len(_WORD.findall(text))


def _made(candidate: Candidate) -> Material:
    if not _SAYING.search(candidate.raw):
        return Material(candidate.order, 0, b"", "")
    text = passage(candidate.heading, candidate.raw, candidate.time, candidate.path)
    traits = (PROSE if candidate.prose else 0) | (WIDE if wide(text) else 0)
    return Material(candidate.order, traits, hashed(text), text)
