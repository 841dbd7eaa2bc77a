"""What the owner's machine sends of a home too large to copy: the words of each memory beside the file, and its vector.

What is sent is what today's index would hold: our own tokens of each memory, and where it stands in the body that
left. Vectors are those that this machine has already, found by the hash of the very text that left, so that nothing of
what stayed is in them; no model is loaded for it. They follow when they are made, and are of one model.
"""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import MemtuiError
from memtui.core.text import segment_text
from memtui.formats import Source, parse
from memtui.layouts import load_layout, place_index
from memtui.layouts.discovery import split_mirror_name
from memtui.search.candidate import LONGEST
from memtui.search.terms import stem_text
from memtui.search.vector import SHARE
from memtui.search.vector_jobs import hash_text, is_mostly_cjk, render_material
from memtui.team.push import name_home
from memtui.vectors import find_placed_file, models, open_vectors
from memtui.vectors.vector_files import read_vector_header

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Entry, Layer
    from memtui.team.membership import Membership, Share
    from memtui.vectors.reader import TextVectors

_FILES, _BYTES = 200, 4 << 20
"""What is cut for one statement."""
_VECTORS = 4000
"""Vectors of one statement; those of one file go together."""
_TOKENS = 10_000
_LONGEST_TOKEN = 200
_WIDEST = 4000
"""Numbers of a vector that the server keeps."""
_NEAR = 2
"""Lines that two neighbours may be apart."""


def send_chunks(link: Any, member: Membership) -> int:
    """Cut what is not cut yet of this machine's homes that are large enough; how many files."""
    done = 0
    while True:
        rows = link.execute(
            "SELECT home, path, etag, body FROM memtui.list_uncut(%s, %s, %s)",
            [member.team, member.machine, _FILES],
            binary=True,
        ).fetchall()
        by_home: dict[str, list[tuple[str, str, bytes]]] = {}
        for home, path, etag, body in rows:
            by_home.setdefault(home, []).append((path, etag, bytes(body)))
        for home, files in by_home.items():
            _put_chunks(link, member, home, files)
        done += len(rows)
        if len(rows) < _FILES:
            return done


def _put_chunks(link: Any, member: Membership, home: str, files: Sequence[tuple[str, str, bytes]]) -> None:
    """Send the chunks of some files of a home, so many at once as are no burden."""
    origin = split_mirror_name(f"x@x/{home}")
    layout = "" if origin is None else origin.layout
    first = size = 0
    for at, (_path, _etag, body) in enumerate(files):
        size += len(body)
        if size >= _BYTES or at + 1 == len(files):
            some = files[first : at + 1]
            rows = [
                (number, *chunk[:5])
                for number, (path, _tag, data) in enumerate(some, 1)
                for chunk in cut_file(layout, path, data)
            ]
            columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * 6
            link.execute(
                """SELECT memtui.put_chunks(%s, %s, %s, %s::text[], %s::text[], %s::integer[], %s::integer[],
                %s::integer[], %s::text[], %s::text[], %s::text[])""",
                [member.team, member.machine, home, [one[0] for one in some], [one[1] for one in some], *columns],
            )
            first, size = at + 1, 0


class Chunk(NamedTuple):
    """One memory of a file as it leaves."""

    start: int
    """Where it stands in the body."""
    size: int
    about: str
    """What is known of it."""
    told: str | None
    """Its text, where that stands in no lines."""
    words: str
    raw: str
    """What a model is given of it, below these headings."""
    heading: str
    first: int
    last: int
    layer: str
    prose: bool


def cut_file(layout: str, path: str, body: bytes) -> Iterator[Chunk]:
    """The memories of a file as it leaves. Never raises: what cannot be read has none."""
    try:
        role = load_layout(layout).role(Path("/"), path) if layout else None
        if role is None:
            return
        source = Source(path, role, body, "", 0.0, len(body), masked=True)
        parsed = parse(source)
        lines = body.split(b"\n")
        placed = parsed.text.encode("utf-8", "replace") == body
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        turns: dict[tuple[int, int], int] = {}
        for entry in parsed.entries:
            turn = turns[entry.start, entry.end] = turns.get((entry.start, entry.end), -1) + 1
            yield _cut_entry(entry, role.layer, starts, lines, turn, placed=placed)
    except Exception:
        # A file that no parser gets along with is opened, not found.
        return


def _cut_entry(
    entry: Entry, layer: Layer, starts: Sequence[int], lines: Sequence[bytes], turn: int, *, placed: bool
) -> Chunk:
    first, last = entry.start, min(entry.end, len(lines))
    raw = b"\n".join(lines[first - 1 : last]).decode("utf-8", "replace")
    told = None
    if entry.search is not None or not placed:
        told = json.dumps([entry.text[:LONGEST], (entry.search or entry.text)[:LONGEST]], ensure_ascii=False)
        told = told.replace("\\u0000", " ")
    heading = "\x1f".join((*entry.heading, entry.title) if entry.title else entry.heading)
    moment = entry.created if entry.updated is None else entry.updated
    about = [
        entry.start, entry.end, (entry.layer or layer).value, entry.kind, entry.status.value, moment, entry.expires,
        heading, int(entry.level), entry.last, turn, list(entry.tags), entry.session or entry.source,
    ]  # fmt: skip
    text = raw if told is None else entry.search or entry.text
    words = render_words(f"{text[:LONGEST]}\n{heading}")
    about_text = json.dumps(about, ensure_ascii=False).replace("\\u0000", " ")
    return Chunk(
        starts[first - 1], starts[last] - 1 - starts[first - 1], about_text, told, words,
        (raw if told is None else entry.text)[:LONGEST], "\x1f".join(entry.heading), first, entry.end,
        (entry.layer or layer).value, told is None,
    )  # fmt: skip


def render_words(text: str) -> str:
    """The index's tokens of a text, with their places, as the server reads them."""
    places: dict[str, list[str]] = {}
    for at, token in enumerate(stem_text(segment_text(text))[:_TOKENS], 1):
        if len(token) <= _LONGEST_TOKEN and "'" not in token and "\\" not in token:
            places.setdefault(token, []).append(str(at))
    return " ".join(f"'{token}':{','.join(found[:200])}" for token, found in places.items())


# -- vectors -------------------------------------------------------------------------------------------------------


def send_meaning(link: Any, member: Membership, config: Config) -> int:
    """Send the vectors that this machine has of what others search on the server; how many.

    To a server that searches by meaning.
    """
    model = models.identify_model(config.vector)
    shares = {name_home(share): share for share in member.shares}
    return sum(_send_home(link, member, name, share, model, config) for name, share in shares.items() if model)


def _send_home(link: Any, member: Membership, name: str, share: Share, model: str, config: Config) -> int:
    try:
        place = place_index(Path(share.home), share.layout, config.index.place)
    except (OSError, MemtuiError):
        return 0
    header = read_vector_header(find_placed_file(place, model))
    size = 0 if header is None else header[0].get("dimensions")
    if header is None or not isinstance(size, int) or not 0 < size <= _WIDEST:
        return 0
    # As of when some were missing: they are looked for again when there are more.
    mine = [member.team, member.machine, name, model, size, f"{header[0].get('rows_file')}:{header[0].get('rows')}"]
    kept: TextVectors | None = None
    done = 0
    while True:
        rows = link.execute(
            "SELECT * FROM memtui.list_unmeant(%s, %s, %s, %s, %s, %s, %s)", [*mine, _FILES], binary=True
        ).fetchall()
        if rows and kept is None:
            vectors = open_vectors(place, place.directory / str(header[0].get("index")), model)
            kept = None if vectors is None or vectors.dimensions != size else vectors.index_texts()
        if not rows or kept is None:
            return done
        batch: list[FileMeaning] = []
        for at, (path, etag, body, numbers) in enumerate(rows, 1):
            batch.append(_find_vectors(kept, share.layout, path, etag, bytes(body), numbers, config))
            count = sum(len(one.vectors) for one in batch)
            if count >= _VECTORS or at == len(rows):
                _put_meaning(link, mine, batch)
                done, batch = done + count, []
        if len(rows) < _FILES:
            return done


class FileMeaning(NamedTuple):
    """What is known of one file's meaning."""

    path: str
    etag: str
    vectors: list[tuple[int, bool, str]]
    """Of each memory that has one: its number, whether it is written in Chinese or its kin, and the vector."""
    lacks: bool
    """Some memories have none yet."""


def _put_meaning(link: Any, mine: Sequence[object], files: Sequence[FileMeaning]) -> None:
    flat = [(at, *one) for at, file in enumerate(files, 1) for one in file.vectors]
    columns = [list(column) for column in zip(*flat, strict=True)] or [[]] * 4
    link.execute(
        """SELECT memtui.put_meaning(%s, %s, %s, %s, %s, %s, %s::text[], %s::text[], %s::boolean[], %s::integer[],
        %s::integer[], %s::boolean[], %s::text[])""",
        [*mine, *([getattr(one, name) for one in files] for name in ("path", "etag", "lacks")), *columns],
    )


def _find_vectors(
    kept: TextVectors, layout: str, path: str, etag: str, body: bytes, numbers: Sequence[int], config: Config
) -> FileMeaning:
    """The vectors of a file's memories as it left, smoothed by their neighbours as a search here would do it."""
    chunks = list(cut_file(layout, path, body))
    if len(chunks) != len(numbers):
        # It was cut by another version.
        return FileMeaning(path, etag, [], False)
    layers = frozenset(config.search.neighbours)
    texts = [render_material(one.heading, one.raw, None, path) for one in chunks]
    joined = [
        one.prose and two.prose and one.heading == two.heading and {one.layer, two.layer} <= layers
        and 0 <= two.first - one.last <= _NEAR
        for one, two in pairwise(chunks)
    ]  # fmt: skip
    keys = [hash_text(text) if text else bytes(16) for text in texts]
    vectors = kept.render(keys, joined, SHARE)
    found = [
        (number, is_mostly_cjk(text), vector)
        for number, text, vector in zip(numbers, texts, vectors, strict=True)
        if vector
    ]
    lacks = any(text and not vector for text, vector in zip(texts, vectors, strict=True))
    return FileMeaning(path, etag, found, lacks)
