"""What was written, and taking it back: undo, redo, the trash; all on the one write path.

A write is taken back exactly where its file is as it left it; where the file moved on, only if its own lines
still stand (`carry_out.revert_patches`). Else it is refused, with what stands there now and what the undo would
make of it.
"""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

from memtui.core.clock import now
from memtui.core.edits import Edit, Piece, Receipt, RowEdit
from memtui.core.errors import ConflictError, MemtuiError, RefusedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.startup import TYPE_CHECKING
from memtui.fs.files import compute_etag
from memtui.fs.places import state
from memtui.fs.write_journal import Journal, generate_record_id
from memtui.store.carry_out import invert_patches, remove_made_directories, revert_patches
from memtui.store.write_path import Writes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.edits import Change
    from memtui.fs.write_journal import Done, Patch, Record

AGAIN = 20
"""How often an undo is tried again while others write to its file."""
LATEST = 2000
"""How far back an undo without an id looks for something to take back."""


def describe_damage() -> str:
    """That a part of what was written cannot be read; empty: all of it can."""
    damaged = len(Journal().list_damaged())
    if not damaged:
        return ""
    return _n(
        "{count} day of the undo journal cannot be read whole: `memtui doctor` says where.",
        "{count} days of the undo journal cannot be read whole: `memtui doctor` says where.",
        damaged,
    )


class History(Writes):
    """What remembers what was written, and takes it back."""

    def history(self, limit: int | None = None, *, everything: bool = False) -> list[Record]:
        """The writes to the open homes, newest first; `everything`: of every home, and what changed no home."""
        homes = {str(home.path) for home in self.vault.homes}
        found = (
            record
            for record in Journal().records()
            if everything or any(done.home in homes for done in record.changes) or _decision(record)
        )
        return list(islice(found, limit))

    def record(self, id: str) -> Record:
        """One write by its id, or by a beginning or end of it that no other has. Raises UsageError."""
        found: dict[str, Record] = {}
        for record in Journal().records():
            if record.id == id:
                return record
            if len(id) >= 4 and (record.id.startswith(id) or record.id.endswith(id)):
                found[record.id] = record
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            raise UsageError(_("{id} begins or ends several ids: give more of it.").format(id=id))
        raise UsageError(_("There is no write {id}: `memtui history` lists them.").format(id=id))

    def trash(self) -> list[Record]:
        """What was deleted and not restored, newest first."""
        return [record for record in self.history() if record.trashed and not record.undone]

    def undo(self, id: str = "", *, who: str = "person", everywhere: bool = False) -> Receipt:
        """Take a write back: see `Writing.undo`."""
        return self._reverse(self._meant(id) if id else self._last(False, everywhere), "undo", who)

    def redo(self, id: str = "", *, who: str = "person", everywhere: bool = False) -> Receipt:
        """Do again what was undone: the undo with this id (or of the write with this id), else the last one."""
        if not id:
            return self._reverse(self._last(True, everywhere), "redo", who)
        records = self._meant(id)
        if all(record.undone for record in records):
            wanted = {record.id for record in records}
            records = [
                record for record in Journal().records() if record.undoes in wanted and not record.undone
            ]
        elif records[0].state == "interrupted":
            return self._again(records[0], who)
        elif records[0].verb != "undo":
            raise RefusedError(_("{id} was not undone.").format(id=id))
        return self._reverse(records, "redo", who)

    def applies(self, record: Record) -> str:
        """Why a write cannot be taken back now, for a person; empty: it can."""
        if record.undone:
            return _("It was undone already.")
        try:
            self._against(record)
        except MemtuiError as error:
            return str(error)
        return ""

    # -- how --------------------------------------------------------------------------------------------------

    def _meant(self, id: str) -> list[Record]:
        group = [record for record in Journal().records() if record.group == id and not record.undone]
        return group or [self.record(id)]

    def _last(self, undoing: bool, everywhere: bool) -> list[Record]:
        agent = ""
        for record in self.history(LATEST, everything=everywhere):
            if record.undone or record.state == "interrupted" or (record.verb == "undo") is not undoing:
                continue
            if (record.verb == "redo" and undoing) or _aside(record):
                continue
            if record.who.startswith(("agent", "hook")):
                agent = agent or record.id
                continue
            return self._meant(record.group) if record.group else [record]
        if agent:
            raise RefusedError(
                _("Only agents wrote here lately. `memtui undo {id}` takes the last of it back.").format(
                    id=agent
                )
            )
        nothing = _("There is nothing to redo.") if undoing else _("There is nothing to undo.")
        raise RefusedError(" ".join(filter(None, (nothing, describe_damage()))))

    def _reverse(self, records: Sequence[Record], verb: str, who: str) -> Receipt:
        """Take the records back, newest first; of several, those that still apply."""
        done: list[Receipt] = []
        left: list[MemtuiError] = []
        group = generate_record_id() if len(records) > 1 else ""
        for record in sorted(records, key=lambda record: record.id, reverse=True):
            if record.undone:
                left.append(RefusedError(_("{what}: undone already").format(what=record.what)))
                continue
            try:
                done.append(self._one(record, verb, who, group))
            except MemtuiError as error:
                left.append(error)
        if not done:
            raise left[0]
        if len(records) == 1:
            return done[0]
        much = (
            _n("undid {count} write", "undid {count} writes", len(done))
            if verb == "undo"
            else _n("redid {count} write", "redid {count} writes", len(done))
        )
        paths = tuple(dict.fromkeys(path for receipt in done for path in receipt.paths))
        return Receipt(group, now(), verb, who, much, paths, group, tuple(map(str, left)))

    def _one(self, record: Record, verb: str, who: str, group: str) -> Receipt:
        what = (_("undid: {what}") if verb == "undo" else _("redid: {what}")).format(what=_plain(record.what))
        for last in (False,) * AGAIN + (True,):
            changes = self._against(record)
            try:
                receipt = self._write(
                    changes, verb=verb, who=who, what=what, group=group, undoes=record.id, draft=last
                )
            except ConflictError:
                # Written to since it was read: as long as its own lines still stand, it can be taken back.
                if last:
                    raise
            else:
                break
        remove_made_directories(record)
        return receipt

    def _again(self, record: Record, who: str) -> Receipt:
        """Do what a dying process did not come to."""
        swapped = tuple(
            done._replace(
                before=done.after,
                after=done.before,
                old=done.new,
                new=done.old,
                patches=tuple(patch._replace(old=patch.new, new=patch.old) for patch in done.patches),
            )
            for done in record.changes
        )
        changes = self._against(record._replace(changes=swapped))
        return self._write(changes, verb="redo", who=who, what=record.what, undoes="")

    def _against(self, record: Record) -> tuple[Change, ...]:
        """The changes that take a record back as things stand. Raises ConflictError, RefusedError."""
        if record.verb == "mask":
            raise RefusedError(_("The secret was not kept, so it cannot be put back."))
        return tuple(self._reversed(record, done) for done in reversed(record.changes))

    def _reversed(self, record: Record, done: Done) -> Change:
        if done.kind == "row":
            return RowEdit(done.home, done.path, done.table, done.key, done.new, done.old)
        current = self.bytes_of(done.home, done.path)
        if done.after is None and done.kind == "edit":
            if current is not None:
                raise self._moved(record, done, current, b"".join(patch.old for patch in done.patches))
            pieces = tuple(Piece(0, 0, patch.old) for patch in done.patches)
            return Edit(done.home, done.path, None, pieces, mode=done.mode or 0o600)
        if current is None:
            raise self._moved(record, done, None, None)
        untouched = compute_etag(current) == done.after or (
            done.kind == "append" and current == done.patches[0].new
        )
        if untouched and done.before is None:
            return Edit(done.home, done.path, current, (), remove=True)
        if untouched and done.kind == "edit":
            return Edit(done.home, done.path, current, invert_patches(done.patches))
        if done.before is None and done.kind == "edit" and _one_text(done):
            raise self._moved(record, done, current, None)
        found = revert_patches(current, done.patches)
        if found is None:
            raise self._moved(record, done, current, None)
        edit = Edit(done.home, done.path, current, found)
        # What it stood beside was taken back earlier: nothing is left of a file that only undone writes made.
        emptied = not edit.new and not (done.before == "" and not done.patches[0].start)
        return edit._replace(pieces=(), remove=True) if emptied else edit

    def _moved(self, record: Record, done: Done, current: bytes | None, mine: bytes | None) -> ConflictError:
        return ConflictError(
            _("{path} has moved on since: '{what}' cannot be undone by itself.").format(
                path=done.path, what=_plain(record.what)
            ),
            home=done.home,
            path=done.path,
            base=b"".join(patch.new for patch in done.patches),
            theirs=current,
            mine=b"".join(patch.old for patch in done.patches) if mine is None else mine,
        )


def _one_text(done: Done) -> bool:
    """Whether a file that was made is one text from its head on (a skill, a topic): lines without that are nothing."""
    first = done.patches[0] if done.patches else None
    return first is not None and not first.frame and first.new.startswith(b"---\n")


def format_write_diff(record: Record) -> str:
    """What a write changed, as a unified diff of the lines that changed."""
    lines: list[str] = []
    for done in record.told:
        if done.kind == "row":
            whole = None if done.new is None else {**(done.old or {}), **done.new}
            old, new = (
                [f"{name} = {value!r}" for name, value in (side or {}).items()] for side in (done.old, whole)
            )
            lines += unified_diff(old, new, f"{done.path}:{done.key}", f"{done.path}:{done.key}", lineterm="")
            continue
        before = "/dev/null" if done.before is None else f"a/{done.path}"
        after = "/dev/null" if done.after is None else f"b/{done.path}"
        lines += [f"--- {before}", f"+++ {after}"]
        for patch in done.patches:
            lines += _hunk(patch)
    return "\n".join(lines)


def _hunk(patch: Patch) -> list[str]:
    if b"\0" in patch.old[:8192]:
        return [f"@@ {_n('{count} byte', '{count} bytes', len(patch.old))} @@"]
    old, new = (side.decode("utf-8", "replace").splitlines() for side in (patch.old, patch.new))
    return list(unified_diff(old, new, n=3, lineterm=""))[2:]


def _plain(what: str) -> str:
    # A journal may hold words of more than one language; those of 0.1.0 say "took back" and "did again".
    english = ("undid: {what}", "redid: {what}", "took back: {what}", "did again: {what}")
    for said in (_("undid: {what}"), _("redid: {what}"), *english):
        what = what.removeprefix(said.format(what=""))
    return what


def _decision(record: Record) -> bool:
    return record.verb in {"reject", "reconsider", "propose"}


def _aside(record: Record) -> bool:
    """Whether it only concerns what memtui notes for itself: a log is nobody's decision."""
    own = str(state())
    return not _decision(record) and not record.undoes and all(done.home == own for done in record.changes)
