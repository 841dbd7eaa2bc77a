"""The vault's methods for writing. What is behind them is imported only by whoever writes, so that searches do not pay.

`Writing` by itself opens no index: it is what hooks wait for. `Kept` holds what other packages derive of the
open homes.
"""

from __future__ import annotations

import contextlib
import os
import sys

from memtui.core.config import Config
from memtui.core.errors import MemtuiError
from memtui.core.startup import TYPE_CHECKING, cast
from memtui.fs.places import state
from memtui.layouts.home_config import merge_home_config

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self, TypeVar

    from memtui.core.edits import Change, Receipt, Value
    from memtui.core.model import Home
    from memtui.fs.write_journal import Record
    from memtui.store.history import History

    T = TypeVar("T")


class Kept(dict[type, object]):
    """What the parts of memtui work out of some homes and hold on to as long as those are open: one of a kind."""

    def of(self, kind: type[T]) -> T:
        """The one of this kind; made when it is first asked for."""
        # Of two threads that ask first, both get the one that stays.
        return cast("T", self[kind] if kind in self else self.setdefault(kind, kind()))


class Writing:
    """Homes to be written to. By itself it opens no index and loads nothing of one: what a hook waits for is this."""

    wait = 5.0
    """Seconds to wait for another writer of the same file; hooks wait less, and spool."""

    current = True
    """Whether the indexes are kept right with the disk: a command that only appends has no use for them."""

    staging = False
    """Whether what is applied waits for others, to be written as one."""

    def __init__(self, homes: Sequence[Home], config: Config | None = None) -> None:
        self.config = merge_home_config(config or Config(), homes)
        self._homes = tuple(homes)
        self.kept = Kept()

    @property
    def homes(self) -> tuple[Home, ...]:
        """The homes that are open, the current project's first."""
        return self._homes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Have a last look at what was written. Twice is once."""
        self.overtaken(ending=True)

    def over(self, home: Home) -> Self:
        """The same over another home."""
        other = type(self)([home], self.config)
        other.wait, other.current = self.wait, self.current
        return other

    def beside(self, homes: Sequence[Home]) -> Writing:
        """The same over these homes as well: for a write that goes to places which are nobody's memory."""
        return _Beside(self, homes)

    def settle(self) -> None:
        """Finish, or take back, what a process left that died while it wrote."""
        pending = state() / "journal" / "pending"
        try:
            left = any(name.endswith(".json") for name in os.listdir(pending))
        except OSError:
            return
        if left:
            from memtui.store import carry_out

            with contextlib.suppress(MemtuiError):
                carry_out.recover_journal()

    def overtaken(self, ending: bool = False) -> list[str]:
        """What other programs wrote into a file that had just been replaced, each 'file: where it is kept'.

        A program that had the file open does not know better. Asked now and then by what runs long, and at the end.
        """
        # Another thread may be in the middle of loading it: then nothing was written yet.
        overtaken = getattr(sys.modules.get("memtui.store.carry_out"), "list_overtaken_texts", None)
        return [] if overtaken is None else list(overtaken(ending))

    def taken_in(self, paths: Sequence[str]) -> None:
        """These absolute paths were just written: have the indexes know, where there are any.

        What memtui took away itself is no accident, however much it is: those are told of a few at a time.
        """
        gone = [path for path in paths if not os.path.lexists(path)]
        lost = set(gone)
        if not gone:
            self._refresh_known(paths)
            return
        from memtui.index.plan import FEW

        self._refresh_known([path for path in paths if path not in lost])
        for at in range(0, len(gone), FEW):
            self._refresh_known(gone[at : at + FEW])

    def _refresh_known(self, paths: Sequence[str]) -> None:
        """Have the indexes look at these paths."""

    @property
    def _writer(self) -> History:
        from memtui.store.history import History

        return History(self)

    def bytes_of(self, home: str, path: str) -> bytes | None:
        """A file's bytes as they stand on disk now, whole; None: there is no such file.

        Raises OutsideError for a path that leaves the home.
        """
        return self._writer.bytes_of(home, path)

    def row(self, home: str, path: str, table: str, key: str) -> dict[str, Value] | None:
        """A row of a database as it stands now; None: there is none."""
        from memtui.fs import database_rows

        return database_rows.read_row(home, path, table, key)

    def prepared(self, changes: Sequence[Change], who: str = "person") -> tuple[Change, ...]:
        """The changes as `apply` would write them, new secrets masked: what a diff must show."""
        return self._writer.prepared(changes, who)

    def checked(
        self, changes: Sequence[Change], *, verb: str, who: str = "person", confirmed: bool = False
    ) -> tuple[tuple[Change, ...], tuple[str, ...]]:
        """What `apply` would write, and its warnings; nothing is written. Raises as it does before it writes."""
        return self._writer.checked(changes, verb=verb, who=who, confirmed=confirmed)

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
        """Write the changes, all or none, journalled so that they can be undone, and answer the receipt.

        What is new in them is redacted first; what an agent wrote and reads like an order to agents is put aside.
        `group` makes several writes one decision, undone together. `confirmed` says that somebody agreed to a change
        that looks like an accident. Raises ConflictError where a file is no longer what its edit was made from (both
        texts are kept), RefusedError, UnconfirmedError, QuarantinedError, UnavailableError; then nothing was written.
        """
        return self._writer.apply(changes, verb=verb, who=who, what=what, group=group, confirmed=confirmed)

    def write_checked(
        self,
        changes: Sequence[Change],
        *,
        verb: str,
        who: str = "person",
        what: str = "",
        group: str = "",
        warnings: tuple[str, ...] = (),
    ) -> Receipt:
        """Write changes that `checked` answered, several of a file put together: as `apply`, which would check again.

        Nothing is kept of what could not be written: whoever stages changes can make them anew.
        """
        return self._writer.write_checked(changes, verb=verb, who=who, what=what, group=group, warnings=warnings)

    def undo(self, id: str = "", *, who: str = "person", everywhere: bool = False) -> Receipt:
        """Take a write back: the one with this id, all writes of this group, or the last decision of a person.

        The last decision is looked for in the open homes, or `everywhere`. Raises UsageError for an id that is none,
        RefusedError where there is nothing to undo, ConflictError where the
        file moved on so that nobody can say what that means; then nothing was changed.
        """
        return self._writer.undo(id, who=who, everywhere=everywhere)

    def can_undo(self) -> bool:
        """Whether `undo` without an id would find something to take back."""
        return self._writer.can_undo()

    def redo(self, id: str = "", *, who: str = "person", everywhere: bool = False) -> Receipt:
        """Do again what was undone: the undo with this id (or of the write with this id), else the last one."""
        return self._writer.redo(id, who=who, everywhere=everywhere)

    def history(self, limit: int | None = None, *, everything: bool = False) -> list[Record]:
        """The writes to the open homes, newest first; `everything`: of every home, and what changed no home."""
        return self._writer.history(limit, everything=everything)

    def record(self, id: str) -> Record:
        """One write by its id, or by a beginning or end of it that no other has. Raises UsageError."""
        return self._writer.record(id)

    def applies(self, record: Record) -> str:
        """Why a write cannot be taken back now, for a person; empty: it can."""
        return self._writer.applies(record)

    def trash(self) -> list[Record]:
        """What was deleted and not restored, newest first: `undo` restores it."""
        return self._writer.trash()


class _Beside(Writing):
    """Over another one's homes and some more; what it writes is taken in by that one's indexes."""

    def __init__(self, pen: Writing, homes: Sequence[Home]) -> None:
        known = {(home.path, home.layout) for home in pen.homes}
        more = (home for home in homes if (home.path, home.layout) not in known)
        super().__init__((*pen.homes, *more), pen.config)
        self._pen = pen
        self.wait, self.current = pen.wait, pen.current

    def taken_in(self, paths: Sequence[str]) -> None:
        self._pen.taken_in(paths)
