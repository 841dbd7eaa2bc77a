"""Carrying a plan out: every file by one atomic commit, all of them or none, what was there kept first."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memtui.agents.install import records
from memtui.agents.install.wiring import split
from memtui.disk.commit import commit, remove
from memtui.disk.locks import locked
from memtui.disk.places import private, state
from memtui.errors import ConflictError, MemtuiError, UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.agents.install.wiring import File, Plan


class Carried(NamedTuple):
    """What was done."""

    written: tuple[str, ...]
    kept: str
    """The directory in which what was there is kept; empty: nothing was there."""
    warnings: tuple[str, ...] = ()


def carry_out(plan: Plan) -> Carried:
    """Write what the plan says: see `install.carry_out`."""
    if not plan.files and not plan.records:
        return Carried((), "")
    folder = state() / "install"
    try:
        private(folder)
    except OSError as error:
        raise UnavailableError(
            _("{place} cannot be written, so nothing was.").format(place=folder)
        ) from error
    with locked(folder / "install.lock"):
        if plan.removes:
            return _taken_back(plan)
        own = records.id_of(plan)
        before = records.raw(own)
        records.record(plan)
        try:
            return _all(plan.files, records.kept_in(own))
        except MemtuiError:
            records.restore(own, before)
            raise


def _taken_back(plan: Plan) -> Carried:
    own = records.id_of(plan)
    records.copies(own, plan)
    carried = _all(plan.files, records.kept_in(own))
    for one in records.all_records():
        if one.id not in plan.records:
            continue
        records.restore(one.id, None)
        # The innermost first: files share directories.
        for folder in sorted({folder for wrote in one.files for folder in wrote.made}, key=len, reverse=True):
            # Only what was made for it, and only where nothing else has moved in.
            with suppress(OSError):
                os.rmdir(folder)
    return carried


def _all(files: tuple[File, ...], kept: str) -> Carried:
    done: list[File] = []
    warnings: list[str] = []
    for file in files:
        try:
            warnings += _write(file)
        except MemtuiError:
            for other in reversed(done):
                # What somebody wrote in between is theirs, and stays.
                with suppress(MemtuiError):
                    _write(other._replace(old=other.new, new=other.old))
            raise
        done.append(file)
    return Carried(tuple(file.path for file in files), kept, tuple(warnings))


def _write(file: File) -> tuple[str, ...]:
    if os.path.realpath(file.named) != file.path:
        raise ConflictError(
            _("{path} leads elsewhere than when this was planned; nothing was written.").format(
                path=file.named
            ),
            home=os.path.dirname(file.path),
            path=os.path.basename(file.path),
            base=file.old,
            theirs=None,
            mine=file.new,
        )
    root, rest = split(file.path)
    if file.new is None:
        return () if file.old is None else remove(root, rest, file.old).warnings
    return commit(root, rest, file.old, file.new).warnings
