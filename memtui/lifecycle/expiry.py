"""What is due to happen to the memories of the open homes (spec 003): planned first, then carried out as one group.

`store.retention` says what is due; here it is found, shown and written: what expired is archived by a mark,
what has faded becomes transient, what has faded away goes to the trash, or is marked where nothing may go. Each
home's own format expresses it, conflicts are left with their reason, and `undo` of the group takes all of it
back. All marks of a kind in a file are one write. `list_unread` names what could not be read, of which nothing
is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.edits import Edit
from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Filter, Layer, Status
from memtui.formats import Source, parse
from memtui.fs.write_journal import generate_record_id
from memtui.layouts import load_layout
from memtui.store import retention
from memtui.store.retention import DAY, TRANSIENT
from memtui.store.staging import AGAIN
from memtui.store.standing import (
    ROWS,
    combine_changes,
    explain_refusal,
    explain_unwritable,
    find_file_format,
    find_open_home,
    is_whole_document,
    locate_memory,
    read,
    reload_memory,
)
from memtui.store.verbs import quote_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from memtui.core.config import LifecycleConfig
    from memtui.core.edits import Change, Receipt
    from memtui.core.model import Memory
    from memtui.store.retention import Doing
    from memtui.store.standing import Read, Standing
    from memtui.store.vault import Vault


class Unread(NamedTuple):
    """One file, or a whole home."""

    home: str
    """The home's path, as `Home.path` prints it."""
    path: str
    """Relative to the home; empty: the home itself."""
    reason: str
    """For a person."""


def list_unread(vault: Vault, layers: Set[Layer], homes: frozenset[str] = frozenset()) -> Iterator[Unread]:
    """Homes that are away, and files of these layers that are not understood and of which nothing is known."""
    for state in vault.status():
        home, root = state.home, str(state.home.path)
        if homes and root not in homes:
            continue
        if state.away:
            yield Unread(root, "", state.warning)
        kind = load_layout(home.layout)
        for problem in state.problems:
            role = None if problem.line else kind.role(home.path, problem.path)
            wanted = Filter(homes=frozenset({root}), statuses=frozenset(), path=problem.path, parts=True)
            if role is not None and role.layer in layers and not vault.ids(wanted, limit=1):
                yield Unread(root, problem.path, problem.reason)


STEPS: tuple[Doing, ...] = ("remove", "demote", "expire")
"""In the order in which spec 003 takes them."""
VERBS: Mapping[Doing, str] = {"remove": "delete", "demote": "edit", "expire": "archive"}
"""Step -> what the journal calls it."""

_ASKED = frozenset({Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL})
_HOLDS = frozenset({*PERISHABLE, Status.EXPIRED})


class LifecycleStep(NamedTuple):
    """What would happen to one memory."""

    what: Doing
    why: str
    """For a person."""
    memory: Memory
    change: Mapping[str, object]
    """What becomes of it: its new status, or priority and expiry."""
    value: float | None = None
    """Its importance as it has faded; None: it does not fade."""
    obstacle: str = ""
    """Why it cannot be done, as far as that is known beforehand; empty: it can be tried."""


class LifecyclePlan(NamedTuple):
    """What would happen, and when it was looked at."""

    steps: tuple[LifecycleStep, ...] = ()
    """In the order in which they are done: by step, then by place."""
    now: float = 0.0
    unread: tuple[Unread, ...] = ()
    """What could not be looked at: something may be due there as well."""


class SkippedStep(NamedTuple):
    """A step that was not taken."""

    step: LifecycleStep
    reason: str
    status: int
    """The exit status that says so."""


class Ran(NamedTuple):
    """What a plan came to."""

    done: tuple[LifecycleStep, ...] = ()
    left: tuple[SkippedStep, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    group: str = ""
    """`undo` of it takes all of it back."""


# -- looking ------------------------------------------------------------------------------------------------------


def plan(
    vault: Vault,
    homes: frozenset[str] = frozenset(),
    now: float | None = None,
    memories: Iterable[Memory] | None = None,
) -> LifecyclePlan:
    """What is due now, or at `now` (seconds), in these homes; nothing is written. Without `homes`, in all.

    `memories`: what the homes remember, where somebody has read it already.
    """
    moment = clock.now() if now is None else now
    config = vault.config.lifecycle
    steps: list[LifecycleStep] = []
    if memories is None:
        memories = vault.memories(Filter(layers=_ASKED, homes=homes, statuses=_HOLDS), "path")
    for memory in memories:
        if memory.layer not in _ASKED or memory.status not in _HOLDS:
            continue
        due = None if memory.kind == "attachment" else retention.compute_verdict(memory, moment, config)
        if due is not None:
            steps.append(LifecycleStep(due.what, due.why, memory, _change(due.what, memory, moment), due.value))
    steps = list(_obstacles(vault, _heads(vault, steps)))
    steps.sort(key=lambda step: STEPS.index(step.what))
    return LifecyclePlan(tuple(steps), moment, tuple(list_unread(vault, _ASKED, homes)))


def list_expiring_soon(
    vault: Vault,
    homes: frozenset[str] = frozenset(),
    now: float | None = None,
) -> list[Memory]:
    """The memories that expire within `lifecycle.soon_days`, soonest first; what is exempt never does.

    The index knows them: no text but theirs is read.
    """
    moment = clock.now() if now is None else now
    end = moment + vault.config.lifecycle.soon_days * DAY
    wanted = Filter(layers=_ASKED, homes=homes, statuses=_HOLDS, expiring=end + 1)
    found = [
        (memory.expires, memory)
        for memory in vault.memories(wanted, "path")
        if memory.expires is not None and moment < memory.expires <= end and not retention.explain_exemption(memory)
    ]
    return [memory for _end, memory in sorted(found, key=lambda item: item[0])]


def _change(what: Doing, memory: Memory, now: float) -> Mapping[str, object]:
    if what == "demote":
        return {"priority": TRANSIENT, "expires": retention.compute_transient_expiry(memory, now)}
    return {"status": (Status.ARCHIVED if what == "expire" else Status.DELETED).value}


def _heads(vault: Vault, steps: Sequence[LifecycleStep]) -> list[LifecycleStep]:
    """The steps, without those of what goes with its document: a topic's frontmatter speaks for all below it."""
    heads: dict[tuple[str, str], Memory] = {}
    for step in steps:
        memory = step.memory
        if memory.start == 1 and memory.end > 2:
            data = vault.bytes_of(memory.home, memory.path)
            if data is not None and is_whole_document(data, memory):
                heads[memory.home, memory.path] = memory
    return [step for step in steps if not _follows(step.memory, heads)]


def _follows(memory: Memory, heads: Mapping[tuple[str, str], Memory]) -> bool:
    head = heads.get((memory.home, memory.path))
    return head is not None and head is not memory and head.expires == memory.expires


def _obstacles(vault: Vault, steps: Iterable[LifecycleStep]) -> Iterator[LifecycleStep]:
    """The steps, each with why it cannot be done as far as that can be told without writing."""
    databases: dict[tuple[str, str], str] = {}
    for step in steps:
        memory = step.memory
        why, place = explain_refusal("archive", memory, vault), (memory.home, memory.path)
        if (
            not why
            and find_file_format(find_open_home(vault, memory.home), memory.path) == ROWS
            and place not in databases
        ):
            databases[place] = explain_unwritable(*place)
        yield step._replace(obstacle=_(why) if why else databases.get(place, ""))


# -- doing --------------------------------------------------------------------------------------------------------


def run(
    vault: Vault,
    planned: LifecyclePlan,
    *,
    who: str = "person",
    group: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Ran:
    """Carry a plan out, file by file, as one group; what has changed since is left, with the reason.

    `progress` gets steps done and in all. Raises nothing for a step that cannot be done: see `Ran.left`.
    """
    group = group or generate_record_id()
    left = [SkippedStep(step, step.obstacle, RefusedError.exit_status) for step in planned.steps if step.obstacle]
    done: list[LifecycleStep] = []
    receipts: list[Receipt] = []
    current, vault.current = vault.current, False
    try:
        for batch in batch_steps(vault, planned.steps):
            made, failed, written = carry_out_batch(vault, batch, planned.now, who, group)
            done += made
            left += failed
            receipts += written
            if progress is not None:
                progress(len(done) + len(left), len(planned.steps))
    finally:
        # The index takes all of it in at once: a memory is found again by what its file says, not by the index.
        vault.current = current
        if receipts:
            vault.taken_in([path for receipt in receipts for path in receipt.paths])
            vault.refresh()
    return Ran(tuple(done), tuple(left), tuple(receipts), group if receipts else "")


def batch_steps(vault: Vault, steps: Sequence[LifecycleStep]) -> list[list[LifecycleStep]]:
    """The marks of one kind in one file are one write; lines that go, go by themselves: neighbours close the gap."""
    found: dict[tuple[str, ...], list[LifecycleStep]] = {}
    for step in steps:
        if not step.obstacle:
            memory = step.memory
            marks = step.what != "remove" or find_file_format(find_open_home(vault, memory.home), memory.path) == ROWS
            alone = "" if marks else memory.id
            found.setdefault((step.what, memory.home, memory.path, alone), []).append(step)
    return list(found.values())


def carry_out_batch(
    vault: Vault, batch: Sequence[LifecycleStep], now: float, who: str, group: str
) -> tuple[list[LifecycleStep], list[SkippedStep], list[Receipt]]:
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
                return [], [*left, SkippedStep(ready[0], str(error), error.exit_status)], []
        except MemtuiError as error:
            return [], [*left, *(SkippedStep(step, str(error), error.exit_status) for step in ready)], []
    parts = [carry_out_batch(vault, [step], now, who, group) for step in ready]
    return (
        [step for made, _failed, _written in parts for step in made],
        [*left, *(one for _made, failed, _written in parts for one in failed)],
        [receipt for _made, _failed, written in parts for receipt in written],
    )


def _prepared(
    vault: Vault, batch: Sequence[LifecycleStep], now: float, apart: frozenset[str] | None = frozenset()
) -> tuple[list[LifecycleStep], tuple[Change, ...], list[SkippedStep]]:
    """What can be done of a file's steps, what that writes, and the rest with its reason.

    The marks of many are read once, all together; those that did not take (`apart`, ids; None: all) each by itself.
    """
    ready: list[LifecycleStep] = []
    changes: list[Change] = []
    left: list[SkippedStep] = []
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
            left.append(SkippedStep(step, str(error), error.exit_status))
    whole = combine_changes(tuple(changes))
    if file is not None and len(marked) > 1 and apart is not None:
        missed = _missed(file, whole, marked)
        if missed is None or missed:
            return _prepared(vault, batch, now, None if missed is None or apart else missed)
    return ready, whole, left


def _missed(file: Read, changes: Sequence[Change], marked: Mapping[int, str]) -> frozenset[str] | None:
    """The memories that the changes of their file do not archive; None: what else it says is not what it was."""
    missed: set[str] = set()
    for change in changes:
        role = load_layout(file.home.layout).role(file.home.path, change.path)
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
    vault: Vault, step: LifecycleStep, now: float, file: Read | None, *, alone: bool
) -> tuple[Standing, tuple[Change, ...]]:
    """A step's memory and what the step writes, made from what is there now. Raises ConflictError, RefusedError."""
    # A row is found by its key, whatever else its database holds by now.
    known = file is not None and (file.form == ROWS or file.etag == step.memory.etag)
    found = locate_memory(vault, step.memory if known else reload_memory(vault, step.memory), among=file)
    if not _still(found, step, now, vault.config.lifecycle):
        raise RefusedError(_("It has changed since: look at it again."))
    if step.what == "remove":
        return found, found.removed()
    if step.what == "demote":
        return found, found.revised(step.change)
    return found, found.revised(status=Status.ARCHIVED, alone=alone)


def _still(found: Standing, step: LifecycleStep, now: float, config: LifecycleConfig) -> bool:
    """Whether the same is still due: a program may have used the memory, or said that it stays, in the meantime."""
    due = retention.compute_verdict(found.entry, now, config)
    return due is not None and due.what == step.what


def _what(steps: Sequence[LifecycleStep]) -> str:
    path, first = steps[0].memory.path, steps[0]
    if len(steps) == 1:
        told = {
            "remove": _("removed {name}, which had faded away"),
            "demote": _("made {name} transient"),
            "expire": _("archived {name}, which had expired"),
        }[first.what]
        return told.replace("{name}", quote_memory(first.memory))
    forms = {
        "remove": ("removed {count} memory that had faded away, from {path}",
                   "removed {count} memories that had faded away, from {path}"),
        "demote": ("made {count} memory of {path} transient", "made {count} memories of {path} transient"),
        "expire": ("archived {count} expired memory of {path}", "archived {count} expired memories of {path}"),
    }[first.what]  # fmt: skip
    return _n(*forms, len(steps)).replace("{path}", path)
