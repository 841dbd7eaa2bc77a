"""What is due to happen to the memories of the open homes (spec 003): planned first, carried out as one decision.

`retention` says what is due; here it is found, shown and written: what expired is archived by a mark, what has faded
becomes transient, what has faded away goes to the trash, or is marked where nothing may go. Each home's own format says
it, conflicts are left with their reason, and `undo` of the group takes all of it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.curation import retention
from memtui.curation.obstacles import unwritable, why_not
from memtui.curation.retention import DAY, TRANSIENT
from memtui.curation.standing import ROWS, form_of, home_of
from memtui.curation.topics import whole
from memtui.curation.unread import unread
from memtui.errors import RefusedError
from memtui.locale import _
from memtui.model import Filter, Layer, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.curation.retention import Doing
    from memtui.curation.unread import Unread
    from memtui.edits import Receipt
    from memtui.model import Memory
    from memtui.vault import Vault

STEPS: tuple[Doing, ...] = ("remove", "demote", "expire")
"""In the order in which spec 003 takes them."""
VERBS: Mapping[Doing, str] = {"remove": "delete", "demote": "edit", "expire": "archive"}
"""Step -> what the journal calls it."""

_ASKED = frozenset({Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL})
_HOLDS = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.EXPIRED})


class Step(NamedTuple):
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


class Plan(NamedTuple):
    """What would happen, and when it was looked at."""

    steps: tuple[Step, ...] = ()
    """In the order in which they are done: by step, then by place."""
    now: float = 0.0
    unread: tuple[Unread, ...] = ()
    """What could not be looked at: something may be due there as well."""


class Left(NamedTuple):
    """A step that was not taken."""

    step: Step
    reason: str
    status: int
    """The exit status that says so."""


class Ran(NamedTuple):
    """What a plan came to."""

    done: tuple[Step, ...] = ()
    left: tuple[Left, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    group: str = ""
    """`undo` of it takes all of it back."""


# -- looking ------------------------------------------------------------------------------------------------------


def plan(
    vault: Vault,
    homes: frozenset[str] = frozenset(),
    now: float | None = None,
    memories: Iterable[Memory] | None = None,
) -> Plan:
    """What is due now, or at `now` (seconds), in these homes; nothing is written. Without `homes`, in all.

    `memories`: what the homes remember, where somebody has read it already.
    """
    moment = clock.now() if now is None else now
    config = vault.config.lifecycle
    steps: list[Step] = []
    if memories is None:
        memories = vault.memories(Filter(layers=_ASKED, homes=homes, statuses=_HOLDS), "path")
    for memory in memories:
        if memory.layer not in _ASKED or memory.status not in _HOLDS:
            continue
        due = None if memory.kind == "attachment" else retention.verdict(memory, moment, config)
        if due is not None:
            steps.append(Step(due.what, due.why, memory, _change(due.what, memory, moment), due.value))
    steps = list(_obstacles(vault, _heads(vault, steps)))
    steps.sort(key=lambda step: STEPS.index(step.what))
    return Plan(tuple(steps), moment, tuple(unread(vault, _ASKED, homes)))


def soon(
    vault: Vault,
    homes: frozenset[str] = frozenset(),
    now: float | None = None,
    *,
    layers: frozenset[Layer] = _ASKED,
) -> list[Memory]:
    """The memories that expire within `lifecycle.soon_days`, soonest first; what is exempt never does.

    The index knows them: no text but theirs is read.
    """
    moment = clock.now() if now is None else now
    end = moment + vault.config.lifecycle.soon_days * DAY
    wanted = Filter(layers=layers, homes=homes, statuses=_HOLDS, expiring=end + 1)
    found = [
        (memory.expires, memory)
        for memory in vault.memories(wanted, "path")
        if memory.expires is not None and moment < memory.expires <= end and not retention.exempt(memory)
    ]
    return [memory for _end, memory in sorted(found, key=lambda item: item[0])]


def _change(what: Doing, memory: Memory, now: float) -> Mapping[str, object]:
    if what == "demote":
        return {"priority": TRANSIENT, "expires": retention.transient(memory, now)}
    return {"status": (Status.ARCHIVED if what == "expire" else Status.DELETED).value}


def _heads(vault: Vault, steps: Sequence[Step]) -> list[Step]:
    """The steps, without those of what goes with its document: a topic's frontmatter speaks for all below it."""
    heads: dict[tuple[str, str], Memory] = {}
    for step in steps:
        memory = step.memory
        if memory.start == 1 and memory.end > 2:
            data = vault.bytes_of(memory.home, memory.path)
            if data is not None and whole(data, memory):
                heads[memory.home, memory.path] = memory
    return [step for step in steps if not _follows(step.memory, heads)]


def _follows(memory: Memory, heads: Mapping[tuple[str, str], Memory]) -> bool:
    head = heads.get((memory.home, memory.path))
    return head is not None and head is not memory and head.expires == memory.expires


def _obstacles(vault: Vault, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, each with why it cannot be done as far as that can be told without writing."""
    databases: dict[tuple[str, str], str] = {}
    for step in steps:
        memory = step.memory
        why, place = why_not("archive", memory, vault), (memory.home, memory.path)
        if not why and form_of(home_of(vault, memory.home), memory.path) == ROWS and place not in databases:
            databases[place] = unwritable(*place)
        yield step._replace(obstacle=_(why) if why else databases.get(place, ""))


# -- doing --------------------------------------------------------------------------------------------------------


def run(
    vault: Vault,
    planned: Plan,
    *,
    who: str = "person",
    group: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Ran:
    """Carry a plan out, file by file, as one group; what has changed since is left, with the reason.

    `progress` gets steps done and in all. Raises nothing for a step that cannot be done: see `Ran.left`.
    """
    from memtui.curation.batches import batches, carried
    from memtui.disk.journal import new_id

    group = group or new_id()
    left = [Left(step, step.obstacle, RefusedError.exit_status) for step in planned.steps if step.obstacle]
    done: list[Step] = []
    receipts: list[Receipt] = []
    current, vault.current = vault.current, False
    try:
        for batch in batches(vault, planned.steps):
            made, failed, written = carried(vault, batch, planned.now, who, group)
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
