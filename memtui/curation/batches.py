"""The steps of a lifecycle carried out file by file: one write for all marks of a kind in a file, read once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.curation import retention
from memtui.curation.lifecycle import VERBS, Left
from memtui.curation.staging import AGAIN
from memtui.curation.standing import ROWS, again, form_of, home_of, read, standing, together
from memtui.edits import Edit
from memtui.errors import ConflictError, MemtuiError, RefusedError
from memtui.layouts import layout
from memtui.locale import _, _n
from memtui.model import Status
from memtui.parse import parse
from memtui.parse.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.config import LifecycleConfig
    from memtui.curation.lifecycle import Step
    from memtui.curation.standing import Read, Standing
    from memtui.edits import Change, Receipt
    from memtui.model import Memory
    from memtui.vault import Vault


def batches(vault: Vault, steps: Sequence[Step]) -> list[list[Step]]:
    """The marks of one kind in one file are one write; lines that go, go by themselves: neighbours close the gap."""
    found: dict[tuple[str, ...], list[Step]] = {}
    for step in steps:
        if not step.obstacle:
            memory = step.memory
            marks = step.what != "remove" or form_of(home_of(vault, memory.home), memory.path) == ROWS
            alone = "" if marks else memory.id
            found.setdefault((step.what, memory.home, memory.path, alone), []).append(step)
    return list(found.values())


def carried(
    vault: Vault, batch: Sequence[Step], now: float, who: str, group: str
) -> tuple[list[Step], list[Left], list[Receipt]]:
    """One file's steps: done together, anew where somebody is faster; where they always are, one by one."""
    for tries in range(AGAIN if len(batch) > 1 else 1):
        ready, changes, left = _prepared(vault, batch, now)
        if not ready:
            return [], left, []
        try:
            receipt = vault.apply(
                changes,
                verb=VERBS[batch[0].what],
                who=who,
                what=_what(ready),
                group=group,
                confirmed=True,
            )
            return ready, left, [receipt]
        except ConflictError as error:
            if len(ready) == 1 and (len(batch) == 1 or tries == AGAIN - 1):
                return [], [*left, Left(ready[0], str(error), error.exit_status)], []
        except MemtuiError as error:
            return [], [*left, *(Left(step, str(error), error.exit_status) for step in ready)], []
    parts = [carried(vault, [step], now, who, group) for step in ready]
    return (
        [step for made, _failed, _written in parts for step in made],
        [*left, *(one for _made, failed, _written in parts for one in failed)],
        [receipt for _made, _failed, written in parts for receipt in written],
    )


def _prepared(
    vault: Vault, batch: Sequence[Step], now: float, apart: frozenset[str] | None = frozenset()
) -> tuple[list[Step], tuple[Change, ...], list[Left]]:
    """What can be done of a file's steps, what that writes, and the rest with its reason.

    The marks of many are read once, all together; those that did not take (`apart`, ids; None: all) each by itself.
    """
    ready: list[Step] = []
    changes: list[Change] = []
    left: list[Left] = []
    file: Read | None = None
    marked: dict[int, str] = {}
    keys = [step.memory.key for step in batch]
    for step in batch:
        named = step.memory.id
        alone = len(batch) == 1 or apart is None or named in apart
        try:
            file = file or read(vault, step.memory.home, step.memory.path, keys)
            found, made = _changes(vault, step, now, file, alone=alone)
            changes += made
            ready.append(step)
            if step.what == "expire":
                marked[id(found.entry)] = named
        except MemtuiError as error:
            left.append(Left(step, str(error), error.exit_status))
    whole = together(tuple(changes))
    if file is not None and len(marked) > 1 and apart is not None:
        missed = _missed(file, whole, marked)
        if missed is None or missed:
            return _prepared(vault, batch, now, None if missed is None or apart else missed)
    return ready, whole, left


def _missed(file: Read, changes: Sequence[Change], marked: Mapping[int, str]) -> frozenset[str] | None:
    """The memories that the changes of their file do not archive; None: what else it says is not what it was."""
    missed: set[str] = set()
    for change in changes:
        role = layout(file.home.layout).role(file.home.path, change.path)
        if not isinstance(change, Edit) or change.base != file.data or role is None:
            continue
        data = change.new
        now = parse(Source(change.path, role, data, size=len(data))).entries
        if len(now) != len(file.entries):
            return None
        for new, (old, _shown) in zip(now, file.entries, strict=True):
            named = marked.get(id(old))
            if named is not None and (new.text != old.text or new.status is not Status.ARCHIVED):
                missed.add(named)
            elif new.text != old.text:
                return None
    return frozenset(missed)


def _changes(
    vault: Vault, step: Step, now: float, file: Read | None, *, alone: bool
) -> tuple[Standing, tuple[Change, ...]]:
    """A step's memory and what the step writes, made from what is there now. Raises ConflictError, RefusedError."""
    # A row is found by its key, whatever else its database holds by now.
    known = file is not None and (file.form == ROWS or file.etag == step.memory.etag)
    found = standing(vault, step.memory if known else again(vault, step.memory), among=file)
    if not _still(found, step, now, vault.config.lifecycle):
        raise RefusedError(_("It has changed since: look at it again."))
    if step.what == "remove":
        return found, found.removed()
    if step.what == "demote":
        return found, found.revised(step.change)
    return found, found.revised(status=Status.ARCHIVED, alone=alone)


def _still(found: Standing, step: Step, now: float, config: LifecycleConfig) -> bool:
    """Whether the same is still due: a program may have used the memory, or said that it stays, in the meantime."""
    due = retention.verdict(found.entry, now, config)
    return due is not None and due.what == step.what


def _what(steps: Sequence[Step]) -> str:
    path, first = steps[0].memory.path, steps[0]
    if len(steps) == 1:
        told = {
            "remove": _("removed {name}, which had faded away"),
            "demote": _("made {name} transient"),
            "expire": _("archived {name}, which had expired"),
        }[first.what]
        return told.replace("{name}", _name(first.memory))
    forms = {
        "remove": ("removed {count} memory that had faded away, from {path}",
                   "removed {count} memories that had faded away, from {path}"),
        "demote": ("made {count} memory of {path} transient", "made {count} memories of {path} transient"),
        "expire": ("archived {count} expired memory of {path}", "archived {count} expired memories of {path}"),
    }[first.what]  # fmt: skip
    return _n(*forms, len(steps)).replace("{path}", path)


def _name(memory: Memory) -> str:
    text = " ".join((memory.title or memory.text).split())
    return memory.key or (f"“{text[:39]}…”" if len(text) > 40 else f"“{text}”")
