"""A memory where it stands right now: its file's bytes as they are on disk, and what each change makes of them.

Every verb begins here, so that none writes what was read some time ago: where the file has moved on since the memory
was read, that is a conflict, and nothing is written.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from memtui import clock
from memtui.curation.topics import listed, retold, unlisted, whole
from memtui.disk.files import etag
from memtui.edits import Append, Edit, RowEdit
from memtui.errors import ConflictError, RefusedError
from memtui.format import FORMATS, format_named
from memtui.layouts import layout
from memtui.locale import _
from memtui.model import Layer, Status
from memtui.parse import parse
from memtui.parse.source import Source
from memtui.parse.veil import veiled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from memtui.edits import Change, Draft, Piece, Target, Value
    from memtui.model import Entry, Home, Memory
    from memtui.vault import Vault

ROWS, RECORDS, TOPIC = "openakita", "daily-jsonl", "topic"
_FORMS = frozenset({name for name, _module in FORMATS} | {ROWS})


NO_ROW = "Of this database only memories are written, not sessions or attachments."


class Standing(NamedTuple):
    """One memory, found again in what its file holds now."""

    vault: Vault
    home: Home
    memory: Memory
    form: str
    grows: bool
    """It is a record of a file that is only appended to: it changes by a later one of its id."""
    data: bytes
    entry: Entry
    row: Mapping[str, Value] | None = None
    """Of a database."""

    @property
    def topic(self) -> bool:
        """Whether it is the head of a document, which stands for all of it: a topic's frontmatter."""
        return self.form == "markdown" and whole(self.data, self.entry)

    def revised(
        self,
        changes: Mapping[str, Any] | None = None,
        status: Status | None = None,
        *,
        successor: str = "",
        alone: bool = True,
    ) -> tuple[Change, ...]:
        """The changes that give it new values and another status; none where it is so already.

        Not `alone`: the caller reads what several of them make together.
        """
        now, root, path = clock.now(), self.memory.home, self.memory.path
        if self.row is not None:
            return _revised_row(self, changes, status, successor, now)
        if self.grows:
            from memtui.format import records

            new = records.anew(
                self.data, self.entry, now, changes=changes, status=status, successor=successor
            )
            return (Append(root, path, new.text),)
        write = format_named(self.form)
        pieces: list[Piece] = []
        with _about(path, self.form):
            if status is not None:
                pieces += write.mark(self.data, self.entry, status, now, successor=successor, alone=alone)
            if changes:
                pieces += write.change(self.data, self.entry, changes, now)
        edits = (self.edited(tuple(pieces)),) if pieces else ()
        return (*edits, *retold(self, changes or {}, status, successor)) if self.topic else edits

    def removed(self, successor: str = "", status: Status = Status.DELETED) -> tuple[Change, ...]:
        """Its own lines go, and a topic's whole file; where nothing may go it is marked."""
        if self.row is not None or self.grows:
            return self.revised(status=Status.SUPERSEDED if successor else status, successor=successor)
        if self.topic:
            return (Edit(self.memory.home, self.memory.path, self.data, (), remove=True), *unlisted(self))
        with _about(self.memory.path, self.form):
            return (self.edited(format_named(self.form).remove(self.data, self.entry)),)

    def edited(self, pieces: tuple[Piece, ...]) -> Edit:
        """An edit of its file."""
        pieces = tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end)))
        return Edit(self.memory.home, self.memory.path, self.data, pieces)


def _revised_row(
    standing: Standing, changes: Mapping[str, Any] | None, status: Status | None, successor: str, now: float
) -> tuple[Change, ...]:
    from memtui.format import openakita

    root, path, row = standing.memory.home, standing.memory.path, standing.row or {}
    made: list[RowEdit] = []
    if status is not None:
        made.append(openakita.marked(root, path, row, status, now, successor=successor))
    if changes:
        made.append(openakita.changed(root, path, row, changes, now))
    before: dict[str, Value] = {}
    after: dict[str, Value] = {}
    for change in made:
        before |= change.before or {}
        after |= change.after or {}
    return (made[0]._replace(before=before, after=after),) if after else ()


@contextmanager
def _about(path: str, form: str) -> Iterator[None]:
    """Formats of records know lines only: which file that is comes first in what they refuse."""
    try:
        yield
    except RefusedError as error:
        if form in {RECORDS, "facts"} and type(error) is RefusedError:
            raise RefusedError(f"{path}: {error}") from None
        raise


def home_of(vault: Vault, path: str) -> Home:
    """The open home at that path. Raises RefusedError."""
    found = next((home for home in vault.homes if str(home.path) == path), None)
    if found is None:
        raise RefusedError(_("{home} is not an open home.").format(home=path))
    return found


def again(vault: Vault, memory: Memory) -> Memory:
    """The same memory as it stands now: something beside it may have been written since."""
    found = vault.memory(memory.id)
    if found is not None and (found.home, found.path) == (memory.home, memory.path):
        return found
    # Several records on one line are all called anew when one of them changes.
    alike = (
        m
        for m in vault.named(memory.key)
        if (m.home, m.path, m.text) == (memory.home, memory.path, memory.text)
    )
    return next(alike, memory) if memory.key else memory


class Read(NamedTuple):
    """A file as it stands, parsed once for all of its memories that somebody is about to change."""

    home: Home
    form: str
    data: bytes
    etag: str
    entries: tuple[tuple[Entry, Entry], ...]
    """Each as it stands in the file, and as it was shown, its secrets masked."""
    rows: Mapping[str, Mapping[str, Value]] | None = None
    """Of a database, those that were asked for, by their keys."""


def read(vault: Vault, root: str, path: str, keys: Collection[str] = (), *, as_of: str = "") -> Read | None:
    """A file of an open home as it stands, of a database these rows; None: it is gone.

    `as_of`: the etag of what is asked for where writes are staged, which may be what they all began with.

    Raises RefusedError where nothing writes such files.
    """
    home = home_of(vault, root)
    role = layout(home.layout).role(home.path, path)
    form = form_of(home, path)
    if role is None or not form:
        raise RefusedError(_("{path} is only read: memtui writes no such files.").format(path=path))
    if form == ROWS:
        from memtui.disk import rows
        from memtui.format.openakita import TABLE

        return Read(home, form, b"", "", (), rows.rows(root, path, TABLE, keys) if keys else None)
    stage = cast("Any", vault) if vault.staging else None
    if stage is not None and (known := stage.read_before(root, path, as_of)) is not None:
        return cast("Read", known)
    data = vault.bytes_of(root, path) if stage is None else stage.bytes_then(root, path, as_of)
    if data is None:
        return None
    entries = parse(Source(path, role, data, size=len(data))).entries
    # A memory is what was shown, its secrets masked; what is changed is what stands in the file.
    shown = parse(Source(path, role, data, size=len(data), masked=True)).entries
    pairs = zip(entries, shown if len(shown) == len(entries) else entries, strict=True)
    found = Read(home, form, data, etag(data), tuple(pairs))
    if stage is not None:
        stage.keep_read(root, path, found)
    return found


def standing(vault: Vault, memory: Memory, *, mine: str = "", among: Read | None = None) -> Standing:
    """The memory as it stands, in what was `read` of its file just now or is read for it.

    `mine` is the text that is about to be written, kept in a conflict. Raises ConflictError where its file is not what
    it was read from, RefusedError where nothing writes such files.
    """
    file = among or read(vault, memory.home, memory.path, as_of=memory.etag)
    if file is not None and file.form == ROWS:
        return _row(vault, file, memory, mine)
    if file is None or file.etag != memory.etag:
        raise _moved(memory, None if file is None else file.data, mine)
    for entry, seen in file.entries:
        if seen.start == memory.start and (seen.end, seen.key, seen.text) == (
            memory.end,
            memory.key,
            memory.text,
        ):
            grows = file.form == RECORDS and layout(file.home.layout).append_only(memory.path)
            return Standing(vault, file.home, memory, file.form, grows, file.data, entry)
    raise _moved(memory, file.data, mine)


def _row(vault: Vault, file: Read, memory: Memory, mine: str) -> Standing:
    from memtui.format.openakita import TABLE
    from memtui.parse import openakita_rows

    if not is_row(memory):
        raise RefusedError(_(NO_ROW))
    row = (
        vault.row(memory.home, memory.path, TABLE, memory.key)
        if file.rows is None
        else file.rows.get(memory.key)
    )
    entry = None if row is None else openakita_rows.memory(row, memory.start, memory.end)
    if entry is None or veiled(entry.text) != memory.text:
        theirs = None if entry is None else entry.text.encode()
        raise _moved(memory, theirs, mine)
    return Standing(vault, file.home, memory, ROWS, False, b"", entry, row)


def is_row(memory: Memory) -> bool:
    """Whether what was read from a database is one of its memories: the other tables are its program's own."""
    return memory.layer is Layer.KNOWLEDGE and memory.kind != "attachment"


def _moved(memory: Memory, theirs: bytes | None, mine: str) -> ConflictError:
    return ConflictError(
        _("{path} has changed since this was read: look again.").format(path=memory.path),
        home=memory.home,
        path=memory.path,
        base=None,
        theirs=theirs,
        mine=mine.encode("utf-8", "replace") or None,
    )


def form_of(home: Home, path: str) -> str:
    """Which format a file of this home is written in; empty: none."""
    role = layout(home.layout).role(home.path, path)
    if role is None:
        return ""
    return role.parser if role.parser in _FORMS else ""


def added(
    vault: Vault, target: Target, draft: Draft, created: float | None = None
) -> tuple[tuple[Change, ...], str]:
    """The changes that write a draft where a target says, and the key it gets there. `created` may be long ago."""
    now = clock.now() if created is None else created
    if target.format == ROWS:
        from memtui.disk import rows
        from memtui.format import openakita

        model = rows.model(target.home, target.path, openakita.TABLE)
        row = openakita.added(target.home, target.path, draft, now, model)
        return (row,), row.key
    write = format_named(target.format)
    draft = draft._replace(section=draft.section or target.section)
    if target.append_only:
        record = write.record(draft, now, target.path)
        return (Append(target.home, target.path, record.text, record.header),), record.key
    base = vault.bytes_of(target.home, target.path)
    with _about(target.path, target.format):
        made = write.add(base or b"", draft, now, target.path)
    edit = Edit(target.home, target.path, base, made.pieces)
    return (edit, *(listed(vault, target, draft) if target.format == TOPIC and not base else ())), made.key


def together(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The same changes with one edit, and one append, for each file."""
    found: dict[tuple[type, str, str, str], Change] = {}
    for change in changes:
        row = change.key if isinstance(change, RowEdit) else ""
        place = (type(change), change.home, change.path, row)
        had = found.get(place)
        if isinstance(change, Edit) and isinstance(had, Edit):
            pieces = tuple(sorted((*had.pieces, *change.pieces), key=lambda piece: (piece.start, piece.end)))
            found[place] = had._replace(pieces=pieces)
        elif isinstance(change, Append) and isinstance(had, Append):
            found[place] = had._replace(record=f"{had.record}\n{change.record}")
        else:
            found[place] = change
    return tuple(found.values())
