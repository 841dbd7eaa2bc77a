"""A memory in what its file holds right now, what each change would make of the file, and what stands in the way.

Every verb begins with `locate_memory`, so that none writes what was read some time ago: where the file has
moved on since the memory was read, that is a conflict, and nothing is written.

Above it: a topic is a file and a line in MEMORY.md, and whatever happens to the one happens to the other. Below
it: `explain_refusal`, why a verb cannot be done as far as that can be told without reading the file; and
`carry_old_lines`, with which moved lines keep their date, box and comments.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, RowEdit
from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import PERISHABLE, Layer, Status
from memtui.core.text import derive_item_key
from memtui.formats import FORMATS, Source, daily_records, format_named, mask_text_secrets, memory_rows, parse, topic
from memtui.formats.blocks import MATTER
from memtui.formats.markdown_lines import Lines
from memtui.formats.memory_rows import TABLE
from memtui.formats.rewording import locate_entry_parts
from memtui.fs import database_rows
from memtui.fs.files import compute_etag
from memtui.layouts import load_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from memtui.core.edits import Change, Piece, Target, Value
    from memtui.core.model import Entry, Home, Memory
    from memtui.store.vault import Vault

_INDEX = "MEMORY.md"


def is_whole_document(data: bytes, entry: Entry) -> bool:
    """Whether the entry is its document's frontmatter."""
    found = locate_entry_parts(Lines(data), entry) if entry.start == 1 else None
    return found is not None and found.what == MATTER


def add_topic_line(vault: Vault, target: Target, draft: Draft) -> tuple[Change, ...]:
    """The index with a line for a new topic; it is made where there is none."""
    index = _locate_index(target.path)
    base = vault.bytes_of(target.home, index)
    pieces = topic.add_index_line(base or b"", draft, target.path)
    return (Edit(target.home, index, base, pieces),) if pieces else ()


def remove_topic_line(standing: Standing) -> tuple[Change, ...]:
    """The index without the topic's line."""
    return _change_index(standing, lambda index: topic.remove_index_line(index, standing.memory.path))


def update_topic_line(
    standing: Standing, changes: Mapping[str, Any], status: Status | None, successor: str
) -> tuple[Change, ...]:
    """The index with what the topic's line says of it brought along: its mark, its title, what it is about."""
    path, now = standing.memory.path, clock.now()

    def pieces(index: bytes) -> tuple[Piece, ...]:
        if status is not None:
            return topic.mark_index_line(index, path, status, now, successor=successor)
        name = str(changes.get("title", ""))
        # A hook that somebody worded on purpose is not the description's business.
        same = topic.format_hook(Draft(standing.memory.text)).encode() in index
        hook = topic.format_hook(Draft(str(changes["text"]))) if "text" in changes and same else ""
        return topic.update_index_line(index, path, name=name, hook=hook) if name or hook else ()

    return _change_index(standing, pieces)


def _change_index(standing: Standing, pieces: Callable[[bytes], tuple[Piece, ...]]) -> tuple[Change, ...]:
    memory = standing.memory
    index = _locate_index(memory.path)
    base = standing.vault.bytes_of(memory.home, index) if index != memory.path else None
    found = pieces(base) if base else ()
    return (Edit(memory.home, index, base, found),) if found else ()


def _locate_index(path: str) -> str:
    folder, slash, _file = path.rpartition("/")
    return f"{folder}{slash}{_INDEX}"


def name(path: str) -> str:
    """What a topic is called by what it replaces: its file's name."""
    return path.rpartition("/")[2].removesuffix(".md")


def name_successor(vault: Vault, memory: Memory, text: str = "") -> tuple[str, tuple[Change, ...]]:
    """How those that a memory replaces name it, and what that writes: its id, which an item of Markdown is given where
    it has none, but for the person's own files, where it is found by what it says; a topic's file. What can carry no
    id is named by its text. With `text` it shall say something else."""
    values: dict[str, str] = {"text": text} if text and text != memory.text else {}
    if memory.key and not values:
        return memory.key, ()
    found = locate_memory(vault, memory, mine=text)
    named = memory.key or (name(memory.path) if found.topic else "")
    if not named and memory.layer is Layer.PROFILE and not values:
        return derive_item_key(memory.path, memory.text), ()
    if not named and found.form == "markdown" and not explain_refusal("edit", memory, vault):
        key = derive_item_key(memory.path, text or memory.text, found.data)
        with suppress(RefusedError):
            return key, found.revised({**values, "key": key})
    return named or text or memory.text, found.revised(values) if values else ()


ROWS, RECORDS, TOPIC = "memory-rows", "daily-jsonl", "topic"
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
        return self.form == "markdown" and is_whole_document(self.data, self.entry)

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
            return _revise_row(self, changes, status, successor, now)
        if self.grows:
            new = daily_records.rewrite_record(
                self.data, self.entry, now, changes=changes, status=status, successor=successor
            )
            return (Append(root, path, new.text),)
        write = format_named(self.form)
        pieces: list[Piece] = []
        with _name_file_in_refusal(path, self.form):
            if status is not None:
                pieces += write.mark(self.data, self.entry, status, now, successor=successor, alone=alone)
            if changes:
                pieces += write.change(self.data, self.entry, changes, now)
        edits = (self.edited(tuple(pieces)),) if pieces else ()
        return (*edits, *update_topic_line(self, changes or {}, status, successor)) if self.topic else edits

    def removed(self, successor: str = "", status: Status = Status.DELETED) -> tuple[Change, ...]:
        """Its own lines go, and a topic's whole file; where nothing may go it is marked."""
        if self.row is not None or self.grows:
            return self.revised(status=Status.SUPERSEDED if successor else status, successor=successor)
        if self.topic:
            return (Edit(self.memory.home, self.memory.path, self.data, (), remove=True), *remove_topic_line(self))
        with _name_file_in_refusal(self.memory.path, self.form):
            return (self.edited(format_named(self.form).remove(self.data, self.entry)),)

    def edited(self, pieces: tuple[Piece, ...]) -> Edit:
        """An edit of its file."""
        pieces = tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end)))
        return Edit(self.memory.home, self.memory.path, self.data, pieces)


def _revise_row(
    standing: Standing, changes: Mapping[str, Any] | None, status: Status | None, successor: str, now: float
) -> tuple[Change, ...]:
    root, path, row = standing.memory.home, standing.memory.path, standing.row or {}
    made: list[RowEdit] = []
    if status is not None:
        made.append(memory_rows.build_row_status(root, path, row, status, now, successor=successor))
    if changes:
        made.append(memory_rows.build_row_update(root, path, row, changes, now))
    before: dict[str, Value] = {}
    after: dict[str, Value] = {}
    for change in made:
        before |= change.before or {}
        after |= change.after or {}
    return (made[0]._replace(before=before, after=after),) if after else ()


@contextmanager
def _name_file_in_refusal(path: str, form: str) -> Iterator[None]:
    """Formats of records know lines only: which file that is comes first in what they refuse."""
    try:
        yield
    except RefusedError as error:
        if form in {RECORDS, "facts", "memories-json"} and type(error) is RefusedError:
            raise RefusedError(f"{path}: {error}") from None
        raise


def find_open_home(vault: Vault, path: str) -> Home:
    """The open home at that path. Raises RefusedError."""
    found = next((home for home in vault.homes if str(home.path) == path), None)
    if found is None:
        raise RefusedError(_("{home} is not an open home.").format(home=path))
    return found


def reload_memory(vault: Vault, memory: Memory) -> Memory:
    """The same memory as it stands now: something beside it may have been written since."""
    found = vault.memory(memory.id)
    # What it was decided about is these words, not what somebody made of them since.
    if found is not None and (found.home, found.path, found.id) == (memory.home, memory.path, memory.id):
        return found
    # Several records on one line are all called anew when one of them changes.
    alike = (m for m in vault.named(memory.key) if (m.home, m.path, m.text) == (memory.home, memory.path, memory.text))
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
    home = find_open_home(vault, root)
    role = load_layout(home.layout).role(home.path, path)
    form = find_file_format(home, path)
    if role is None or not form:
        raise RefusedError(_("{path} is only read: memtui writes no such files.").format(path=path))
    if form == ROWS:
        return Read(home, form, b"", "", (), database_rows.read_rows(root, path, TABLE, keys) if keys else None)
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
    found = Read(home, form, data, compute_etag(data), tuple(pairs))
    if stage is not None:
        stage.keep_read(root, path, found)
    return found


def locate_memory(vault: Vault, memory: Memory, *, mine: str = "", among: Read | None = None) -> Standing:
    """The memory as it stands, in what was `read` of its file just now or is read for it.

    `mine` is the text that is about to be written, kept in a conflict. Raises ConflictError where its file is not what
    it was read from, RefusedError where nothing writes such files.
    """
    file = among or read(vault, memory.home, memory.path, as_of=memory.etag)
    if file is not None and file.form == ROWS:
        return _locate_row(vault, file, memory, mine)
    if file is None or file.etag != memory.etag:
        raise _make_conflict(memory, None if file is None else file.data, mine)
    for entry, seen in file.entries:
        if seen.start == memory.start and (seen.end, seen.key, seen.text) == (memory.end, memory.key, memory.text):
            grows = file.form == RECORDS and load_layout(file.home.layout).append_only(memory.path)
            return Standing(vault, file.home, memory, file.form, grows, file.data, entry)
    raise _make_conflict(memory, file.data, mine)


def _locate_row(vault: Vault, file: Read, memory: Memory, mine: str) -> Standing:
    if not is_row(memory):
        raise RefusedError(_(NO_ROW))
    row = vault.row(memory.home, memory.path, TABLE, memory.key) if file.rows is None else file.rows.get(memory.key)
    entry = None if row is None else memory_rows.parse_memory_row(row, memory.start, memory.end)
    if entry is None or mask_text_secrets(entry.text) != memory.text:
        theirs = None if entry is None else entry.text.encode()
        raise _make_conflict(memory, theirs, mine)
    return Standing(vault, file.home, memory, ROWS, False, b"", entry, row)


def is_row(memory: Memory) -> bool:
    """Whether what was read from a database is one of its memories: the other tables are its program's own."""
    return memory.layer is Layer.KNOWLEDGE and memory.kind != "attachment"


def _make_conflict(memory: Memory, theirs: bytes | None, mine: str) -> ConflictError:
    return ConflictError(
        _("{path} has changed since this was read: look again.").format(path=memory.path),
        home=memory.home,
        path=memory.path,
        base=None,
        theirs=theirs,
        mine=mine.encode("utf-8", "replace") or None,
    )


def find_file_format(home: Home, path: str) -> str:
    """Which format a file of this home is written in; empty: none."""
    role = load_layout(home.layout).role(home.path, path)
    if role is None:
        return ""
    return role.parser if role.parser in _FORMS else ""


_CARRIED = ("subject", "predicate", "importance_score")
"""Columns of a row that its successor takes over."""


def build_draft_changes(
    vault: Vault, target: Target, draft: Draft, created: float | None = None
) -> tuple[tuple[Change, ...], str]:
    """The changes that write a draft where a target says, and the key it gets there. `created` may be long ago."""
    now = clock.now() if created is None else created
    if target.format == ROWS:
        model = database_rows.read_model_row(target.home, target.path, memory_rows.TABLE)
        row = memory_rows.build_row_insert(target.home, target.path, draft, now, model)
        if draft.supersedes:
            # What replaces a memory is about the same, and matters as much.
            old = database_rows.read_row(target.home, target.path, memory_rows.TABLE, draft.supersedes) or {}
            kept = {name: old[name] for name in _CARRIED if name in model and old.get(name) not in (None, "")}
            row = row._replace(after={**(row.after or {}), **kept})
        return (row,), row.key
    write = format_named(target.format)
    draft = draft._replace(section=draft.section or target.section)
    if target.append_only:
        record = write.record(draft, now, target.path)
        return (Append(target.home, target.path, record.text, record.header),), record.key
    base = vault.bytes_of(target.home, target.path)
    with _name_file_in_refusal(target.path, target.format):
        made = write.add(base or b"", draft, now, target.path)
    edit = Edit(target.home, target.path, base, made.pieces)
    return (edit, *(add_topic_line(vault, target, draft) if target.format == TOPIC and not base else ())), made.key


def combine_changes(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The same changes with one edit, and one append, for each file."""
    found: dict[tuple[type, str, str, str], Change] = {}
    for change in changes:
        row = change.key if isinstance(change, RowEdit) else ""
        place = (type(change), change.home, change.path, row)
        had = found.get(place)
        if isinstance(change, Edit) and isinstance(had, Edit):
            # What two of them need alike is written once.
            more = (piece for piece in change.pieces if piece not in had.pieces)
            pieces = tuple(sorted((*had.pieces, *more), key=lambda piece: (piece.start, piece.end)))
            found[place] = had._replace(pieces=pieces)
        elif isinstance(change, Append) and isinstance(had, Append):
            found[place] = had._replace(record=f"{had.record}\n{change.record}")
        else:
            found[place] = change
    return tuple(found.values())


GONE_BY = "It no longer holds: restore it before it is moved."
_AWAY = (Status.ARCHIVED, Status.DELETED)


def explain_refusal(verb: str, memory: Memory, vault: Vault) -> str:
    """Why it cannot be done, as a source string; empty: it can be tried."""
    home = next((home for home in vault.homes if str(home.path) == memory.home), None)
    if home is None:
        return "Its home is not open."
    if not home.writable:
        return "This home may not be written."
    kind = load_layout(home.layout)
    reason = kind.read_only(memory.path)
    if reason:
        return reason
    form = find_file_format(home, memory.path)
    if not form:
        return "Files of this kind are only read."
    if form == ROWS and not is_row(memory):
        return NO_ROW
    if form == RECORDS and not memory.key and kind.append_only(memory.path):
        return "The record has no id, and its file is only appended to."
    return _explain_status(verb, memory)


def _explain_status(verb: str, memory: Memory) -> str:
    status = memory.status
    if verb == "restore" and status in PERISHABLE:
        return "It holds: there is nothing to restore."
    if verb == "archive" and status in _AWAY:
        return "It is archived already."
    if verb == "supersede" and status is Status.SUPERSEDED and memory.superseded_by:
        return "It was replaced already: > goes to what replaced it."
    if verb == "move" and status not in PERISHABLE and status is not Status.EXPIRED:
        return GONE_BY
    if verb == "delete" and status is Status.DELETED:
        return "It is deleted already."
    return ""


def explain_unwritable(home: str, path: str) -> str:
    """Why no memory of a database can be put away, as a sentence; empty: it can be tried, if nobody is writing it."""
    try:
        database_rows.expect(RowEdit(home, path, TABLE, "", None, {"superseded_by": None}))
    except MemtuiError as error:
        return str(error)
    return ""


def carry_old_lines(
    found: Standing, there: Home, new: tuple[Change, ...], gone: tuple[Change, ...]
) -> tuple[Change, ...]:
    """The changes of the new place with the old lines in them, where Markdown says the same there with these."""
    edit, old = new[0], gone[0]
    if found.form != "markdown" or len(new) > 1 or not isinstance(edit, Edit) or not isinstance(old, Edit):
        return new
    if not edit.path.endswith(".md") or not edit.pieces or len(old.pieces) != 1 or old.pieces[0].new:
        return new
    last = edit.pieces[-1]
    lines = found.data[old.pieces[0].start : old.pieces[0].end]
    whole = lines.endswith(b"\n") and last.new.endswith(b"\n") and not lines[:1].isspace()
    if not whole or lines.endswith(b"\r\n") != last.new.endswith(b"\r\n"):
        return new
    moved = edit._replace(pieces=(*edit.pieces[:-1], last._replace(new=lines)))
    expected = sorted([*_list_entry_marks(there, edit.path, edit.base or b""), _mark_entry(found.entry)])
    return (moved,) if _list_entry_marks(there, edit.path, moved.new) == expected else new


def _list_entry_marks(home: Home, path: str, data: bytes) -> list[str]:
    role = load_layout(home.layout).role(home.path, path)
    return [] if role is None else sorted(map(_mark_entry, parse(Source(path, role, data, size=len(data))).entries))


def _mark_entry(entry: Entry) -> str:
    known = (entry.text, entry.status, entry.tags, entry.created, entry.expires, entry.confidence, entry.source)
    return repr(known)


def convert_to_draft(memory: Memory, section: str) -> Draft:
    """The memory as something to write elsewhere."""
    return Draft(
        memory.text,
        memory.kind,
        section,
        memory.tags,
        memory.entities,
        memory.confidence,
        memory.expires,
        memory.source or memory.session,
        memory.evidence,
        title=memory.title,
        key=memory.key,
    )
