"""Many writes as one: each is tried on what those before it made, then all are written together.

A group of decisions is one intent of the journal, one commit for each file that it touches and one update of
the index, and one undo takes it back. A dry run is the same without the last step.
"""

from __future__ import annotations

import re
from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast

from memtui.core import clock
from memtui.core.edits import Append, Edit, Piece, Receipt, RowEdit, apply_append, compose, splice_pieces
from memtui.core.errors import ConflictError, MemtuiError, QuarantinedError, RefusedError
from memtui.core.locale import _, _n
from memtui.formats import Source, parse
from memtui.fs import database_rows
from memtui.fs.files import compute_etag
from memtui.layouts import load_layout
from memtui.store.reading import Reading, matches_file_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.edits import Change, Value
    from memtui.core.model import Home, Memory
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

if TYPE_CHECKING:
    Place = tuple[str, str]
    RowPlace = tuple[str, str, str, str]

AGAIN = 3
"""So often a group is made anew where somebody writes to one of its files at the same moment."""

T = TypeVar("T")


class _File(NamedTuple):
    """A file as the staged changes make it."""

    home: str
    path: str
    base: bytes | None
    """What stands on the disk."""
    now: bytes | None
    pieces: tuple[Piece, ...] = ()
    appends: tuple[Append, ...] = ()
    """What is appended, while nothing else is done to it."""
    mode: int = 0o600

    def with_append(self, change: Append) -> _File:
        """With records at its end: an edit once it was edited, so that it stays one change of one file."""
        new = apply_append(self.now, change)
        if self.now == self.base or self.appends:
            return self._replace(now=new, appends=(*self.appends, change))
        if self.now is None:
            return self.with_edit(Edit(self.home, self.path, None, (Piece(0, 0, new),)))
        return self.with_edit(
            Edit(self.home, self.path, self.now, (Piece(len(self.now), len(self.now), new[len(self.now) :]),))
        )

    def with_edit(self, change: Edit, *, from_disk: bool = False) -> _File:
        """With an edit of what is staged, or `from_disk`. Raises ConflictError where it was made from others."""
        if change.base != self.now:
            beside = self._edit_beside(change) if from_disk else None
            if beside is not None:
                return beside
            raise ConflictError(
                _("{path} has changed since it was read.").format(path=self.path),
                home=self.home,
                path=self.path,
                base=change.base,
                theirs=self.now,
                mine=None if change.remove else change.new,
            )
        file = self._materialize()
        if change.remove:
            return file._replace(now=None, pieces=())
        whole = len(file.base or b"")
        if file.now is None and file.base is not None:
            return file._replace(now=change.new, pieces=(Piece(0, whole, change.new),))
        return file._replace(
            now=change.new,
            pieces=compose(file.pieces, change.pieces, whole),
            mode=change.mode if file.now is None else file.mode,
        )

    def _edit_beside(self, change: Edit) -> _File | None:
        """With an edit of what stands on the disk that touches nothing of what is staged; None: it is no such edit."""
        if change.remove or self.base is None or self.now is None or self.appends or change.base != self.base:
            return None
        pieces = sorted((*self.pieces, *change.pieces), key=lambda piece: (piece.start, piece.end))
        if any(after.start < before.end for before, after in pairwise(pieces)):
            return None
        return self._replace(now=splice_pieces(self.base, tuple(pieces)), pieces=tuple(pieces))

    def _materialize(self) -> _File:
        if not self.appends:
            return self
        at = len(self.base or b"")
        return self._replace(appends=(), pieces=(Piece(at, at, (self.now or b"")[at:]),))

    @property
    def change(self) -> Change | None:
        """All of it as one change; None: it stays as it is."""
        if self.appends:
            records = "\n".join(change.record for change in self.appends)
            return self.appends[0]._replace(record=records)
        if self.now == self.base:
            return None
        if self.now is None:
            return Edit(self.home, self.path, self.base, (), remove=True)
        return Edit(self.home, self.path, self.base, self.pieces, mode=self.mode)


class _Base:
    """What stands on the disk of a file, and what was made of it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.etag = compute_etag(data)
        self.read: object = None
        self._lines: array[int] | None = None

    def span(self, first: int, last: int) -> tuple[int, int]:
        """From where to where these lines (1-based, both with their ends) reach, in bytes."""
        if self._lines is None:
            self._lines = array("q", [0, *(match.end() for match in re.finditer(b"\n", self.data))])
        lines = self._lines
        start = lines[min(first - 1, len(lines) - 1)] if first > 0 else 0
        return start, lines[last] if 0 <= last < len(lines) else len(self.data)


class Stage:
    """A vault whose `apply` writes nothing yet; what is read through it is as if it had."""

    staging = True

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.changes: list[Change] = []
        """What was given to `apply`, prepared."""
        self._files: dict[Place, _File] = {}
        self._rows: dict[RowPlace, RowEdit] = {}
        self._before: dict[Place, _File | None] = {}
        self._rows_before: dict[RowPlace, RowEdit | None] = {}
        self._readings: dict[Place, tuple[bytes, Reading]] = {}
        self._databases: set[tuple[str, str, str]] = set()
        self._receipts: list[Receipt] = []
        self._said = 0
        self._bases: dict[Place, _Base] = {}
        self.from_disk = False
        """Whether a memory of which nothing is staged is taken as it stands on the disk: its file need not be parsed
        anew for each of hundreds of decisions."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.vault, name)

    # -- reading ----------------------------------------------------------------------------------------------------

    def bytes_of(self, home: str, path: str) -> bytes | None:
        """A file's bytes with what is staged in them."""
        return self._find_file(home, path).now

    def bytes_then(self, home: str, path: str, as_of: str) -> bytes | None:
        """What stands on the disk where it is asked for by its etag; else as `bytes_of`."""
        file = self._find_file(home, path)
        base = self._find_base(file)
        return file.now if base is None or not self.from_disk or base.etag != as_of else file.base

    def read_before(self, home: str, path: str, as_of: str) -> object:
        """What was parsed of a file as it stands on the disk; None: nothing yet, or something else is asked for."""
        base = self._find_base(self._find_file(home, path))
        return None if base is None or not self.from_disk or base.etag != as_of else base.read

    def keep_read(self, home: str, path: str, read: Any) -> None:
        """Keep what was parsed of a file, if that is what stands on the disk."""
        base = self._find_base(self._find_file(home, path))
        if base is not None and base.etag == read.etag:
            base.read = read

    def _find_base(self, file: _File) -> _Base | None:
        if file.base is None:
            return None
        place = (file.home, file.path)
        known = self._bases.get(place)
        if known is None or known.data is not file.base:
            known = self._bases[place] = _Base(file.base)
        return known

    def _is_untouched(self, file: _File, memory: Memory) -> bool:
        """Whether nothing is staged on the lines of a memory as it stands on the disk."""
        base = self._find_base(file)
        if base is None or file.now is None or file.appends or base.etag != memory.etag:
            return False
        start, end = base.span(memory.start, memory.end)
        return all(piece.end <= start or piece.start >= end for piece in file.pieces)

    def row(self, home: str, path: str, table: str, key: str) -> dict[str, Value] | None:
        """A row of a database with what is staged in it."""
        staged = self._rows.get((home, path, table, key))
        row = self.vault.row(home, path, table, key)
        if staged is None:
            return row
        return None if staged.after is None else {**(row or {"id": key}), **staged.after}

    def memory(self, id: str) -> Memory | None:
        """A memory as it stands with what is staged."""
        for (home, path), file in self._files.items():
            if file.now != file.base and matches_file_id(home, path, id):
                found = self.vault.memory(id) if self.from_disk else None
                if found is not None and self._is_untouched(file, found):
                    return found
                reading = self._read_staged(home, path)
                return None if reading is None else reading.by_id(id)
        found = self.vault.memory(id)
        if found is None or not self._is_changed(found):
            return found
        reading = self._read_staged(found.home, found.path)
        again = None if reading is None else reading.by_id(found.id)
        return again or next((other for other in self.named(found.key) if found.key), None)

    def named(self, key: str) -> list[Memory]:
        """Every memory with this id of its home's own."""
        found = [memory for memory in self.vault.named(key) if not self._is_changed(memory)]
        for home, path in self._files:
            file = self._files[home, path]
            if file.now != file.base and (reading := self._read_staged(home, path)) is not None:
                entries = enumerate(reading.parsed.entries)
                found += [reading.memory(number) for number, entry in entries if entry.key == key]
        return found

    def _is_changed(self, memory: Memory) -> bool:
        file = self._files.get((memory.home, memory.path))
        return file is not None and file.now != file.base

    def _find_file(self, home: str, path: str) -> _File:
        known = self._files.get((home, path))
        if known is None:
            data = self.vault.bytes_of(home, path)
            known = self._files[home, path] = _File(home, path, data, data)
        return known

    def _read_staged(self, home: str, path: str) -> Reading | None:
        """The file as it would be, parsed."""
        now = self._files[home, path].now
        whose = next((one for one in reversed(self.vault.homes) if str(one.path) == home), None)
        role = None if whose is None else load_layout(whose.layout).role(whose.path, path)
        if now is None or whose is None or role is None:
            return None
        known = self._readings.get((home, path))
        if known is None or known[0] is not now:
            parsed = parse(Source(path, role, now, size=len(now), masked=True))
            written = (0, len(now), int(clock.now() * 1e9))
            known = (now, Reading(whose, path, role.layer, now, parsed, written))
            self._readings[home, path] = known
        return known[1]

    # -- writing ----------------------------------------------------------------------------------------------------

    def apply(
        self,
        changes: Sequence[Change],
        *,
        verb: str,
        who: str = "person",
        what: str = "",
        group: str = "",
        confirmed: bool = False,
    ) -> Receipt:
        """Check the changes as the vault does, and stage them: all, or none where it raises."""
        return self._stage_changes(self.vault, changes, verb, who, what, group, confirmed)

    def beside(self, homes: Sequence[Home]) -> _Pen:
        """The same over these homes as well."""
        return _Pen(self, self.vault.beside(homes))

    def over(self, home: Home) -> _Pen:
        """The same over another home."""
        return _Pen(self, self.vault.over(home))

    def _stage_changes(
        self, pen: Writing, changes: Sequence[Change], verb: str, who: str, what: str, group: str, confirmed: bool
    ) -> Receipt:
        wanted, warnings = pen.checked(changes, verb=verb, who=who, confirmed=confirmed)
        files: dict[Place, _File] = {}
        rows: dict[RowPlace, RowEdit] = {}
        for change in wanted:
            if isinstance(change, RowEdit):
                self._expect(change)
                row = (change.home, change.path, change.table, change.key)
                had = rows.get(row) or self._rows.get(row)
                rows[row] = change if had is None else _combine_row_edits(had, change)
                continue
            place = (change.home, change.path)
            file = files.get(place) or self._find_file(*place)
            files[place] = (
                file.with_append(change)
                if isinstance(change, Append)
                else file.with_edit(change, from_disk=self.from_disk)
            )
        for place, file in files.items():
            self._before.setdefault(place, self._files.get(place))
            self._files[place] = file
        for row, edit in rows.items():
            self._rows_before.setdefault(row, self._rows.get(row))
            self._rows[row] = edit
        self.changes += wanted
        receipt = Receipt("", clock.now(), verb, who, what, group=group, warnings=warnings)
        self._receipts.append(receipt)
        return receipt

    def _expect(self, change: RowEdit) -> None:
        """Raises where the database is not to be written; each is looked at once."""
        database = (change.home, change.path, change.table)
        if database not in self._databases:
            database_rows.expect(change)
            self._databases.add(database)

    def begin(self) -> None:
        """What follows belongs together: `back` takes just that back."""
        self._before, self._rows_before, self._said = {}, {}, len(self._receipts)

    @property
    def touched(self) -> frozenset[Place]:
        """The files that were changed since `begin`."""
        return frozenset((*self._before, *((home, path) for home, path, _table, _key in self._rows_before)))

    def back(self) -> None:
        """As it was at the last `begin`."""
        for place, file in self._before.items():
            if file is not None:
                self._files[place] = file
        for row, edit in self._rows_before.items():
            if edit is None:
                del self._rows[row]
            else:
                self._rows[row] = edit
        del self._receipts[self._said :]
        self.begin()

    @property
    def wanted(self) -> list[Change]:
        """All that is staged, each file and each row once."""
        changes = [change for file in self._files.values() if (change := file.change) is not None]
        # Files are taken back where a database refuses; its rows are nobody's to take back once others saw them.
        return [*changes, *self._rows.values()]

    def add(self, edit: Edit) -> None:
        """Stage an edit that follows from what is staged, and is no decision of its own."""
        self._files[edit.home, edit.path] = self._find_file(edit.home, edit.path).with_edit(edit)

    def commit(self, group: str = "") -> Receipt:
        """Write all that is staged, as one. Raises as `Vault.apply`; then nothing was written."""
        changes = self.wanted
        if not changes:
            raise RefusedError(_("There is nothing to write."))
        first = self._receipts[0]
        what, more = first.what, len(self._receipts) - 1
        if more:
            what = _n("{what}, and {count} more", "{what}, and {count} more", more).replace("{what}", what)
        warnings = tuple(dict.fromkeys(text for one in self._receipts for text in one.warnings))
        return self.vault.write_checked(
            changes, verb=first.verb, who=first.who, what=what, group=group, warnings=warnings
        )


class _Pen:
    """What writes to other homes than the stage's vault, staged beside the rest."""

    def __init__(self, stage: Stage, pen: Writing) -> None:
        self._stage, self._pen = stage, pen
        self.current = pen.current

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pen, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._pen.close()

    def bytes_of(self, home: str, path: str) -> bytes | None:
        """As the stage has them."""
        return self._stage.bytes_of(home, path)

    def apply(
        self,
        changes: Sequence[Change],
        *,
        verb: str,
        who: str = "person",
        what: str = "",
        group: str = "",
        confirmed: bool = False,
    ) -> Receipt:
        """Check the changes as those homes allow them, and stage them."""
        return self._stage._stage_changes(self._pen, changes, verb, who, what, group, confirmed)


def _stage_one(stage: Stage, one: Callable[[Vault, T], Receipt], item: T) -> None:
    """Do it from what stands on the disk where that is enough, else from what is staged."""
    try:
        one(cast("Vault", stage), item)
    except ConflictError:
        stage.back()
        stage.from_disk = False
        try:
            one(cast("Vault", stage), item)
        finally:
            stage.from_disk = True


def _stage_items(
    stage: Stage, one: Callable[[Vault, T], Receipt], todo: Iterable[T], alone: list[T]
) -> tuple[list[tuple[T, frozenset[Place]]], list[tuple[T, MemtuiError]]]:
    """Stage what can be: those items with the places that each touches, and those refused; `alone` gets the rest."""
    stage.from_disk = True
    staged: list[tuple[T, frozenset[Place]]] = []
    refused: list[tuple[T, MemtuiError]] = []
    for item in todo:
        stage.begin()
        try:
            _stage_one(stage, one, item)
        except QuarantinedError:
            stage.back()
            alone.append(item)
        except MemtuiError as error:
            stage.back()
            refused.append((item, error))
        else:
            staged.append((item, stage.touched))
    return staged, refused


def apply_each(
    vault: Vault,
    items: Sequence[T],
    one: Callable[[Vault, T], Receipt],
    *,
    group: str = "",
    finish: Callable[[Stage], None] | None = None,
) -> tuple[list[Receipt], list[tuple[T, MemtuiError]]]:
    """Do the same with each item as one write; what cannot be done is left, with the reason.

    `one` is given the vault to write to; `finish` may stage what follows from all of them, and may not be written.
    Where somebody writes to a file at the same moment all is made anew from what
    stands there then; a file that still cannot be written keeps those of the others from nothing.
    """
    done: list[Receipt] = []
    left: list[tuple[T, MemtuiError]] = []
    alone: list[T] = []
    todo = list(items)
    tries = 0
    while todo:
        stage = Stage(vault)
        staged, refused = _stage_items(stage, one, todo, alone)
        todo = []
        try:
            if staged:
                if finish is not None:
                    finish(stage)
                done.append(stage.commit(group))
        except MemtuiError as error:
            if isinstance(error, ConflictError) and tries < AGAIN:
                tries += 1
                todo = [item for item in items if item not in alone and all(item is not had for had, _w in left)]
                continue
            stuck = [item for item, places in staged if error.place is None or error.place in places]
            if not stuck and finish is None:
                stuck = [item for item, _places in staged]
            elif not stuck:
                finish = None
            left += ((item, error) for item in stuck)
            todo = [item for item, _places in staged if all(item is not other for other in stuck)]
        left += refused
    for item in alone:
        # Text that waits for a person is put aside by itself.
        try:
            done.append(one(vault, item))
        except MemtuiError as error:
            left.append((item, error))
    return done, left


def rehearse_verb(vault: Vault, verb: Callable[[Vault], Receipt]) -> tuple[tuple[Change, ...], Receipt]:
    """What the verb would write, new secrets masked, and what it would say. Raises as the verb does."""
    stage = Stage(vault)
    receipt = verb(cast("Vault", stage))
    return tuple(stage.changes), receipt


def _combine_row_edits(first: RowEdit, second: RowEdit) -> RowEdit:
    """Two changes of one row as one. Raises ConflictError where the second was not made from what the first makes."""
    after, before = first.after, second.before
    known = None if after is None else {**(first.before or {}), **after}
    if before is None or known is None or any(name in known and known[name] != before[name] for name in before):
        raise ConflictError(
            _("The row {key} in {path} has changed since it was read.").format(key=second.key, path=second.path),
            home=second.home,
            path=second.path,
            base=None,
            theirs=None,
            mine=None,
        )
    asked = None
    if first.before is not None:
        asked = {**{name: before[name] for name in before if name not in known}, **first.before}
    return second._replace(before=asked, after=None if second.after is None else {**(after or {}), **second.after})
