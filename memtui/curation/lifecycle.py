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
from memtui.curation.standing import ROWS, again, form_of, home_of, read, standing, together
from memtui.curation.topics import whole
from memtui.errors import ConflictError, MemtuiError, RefusedError
from memtui.locale import _, _n
from memtui.model import Filter, Layer, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.config import LifecycleConfig
    from memtui.curation.retention import Doing
    from memtui.curation.standing import Read, Standing
    from memtui.edits import Change, Receipt
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


def plan(vault: Vault, homes: frozenset[str] = frozenset(), now: float | None = None) -> Plan:
    """What is due now, or at `now` (seconds), in these homes; nothing is written. Without `homes`, in all."""
    moment = clock.now() if now is None else now
    config = vault.config.lifecycle
    steps: list[Step] = []
    for memory in vault.memories(Filter(layers=_ASKED, homes=homes, statuses=_HOLDS), "path"):
        due = None if memory.kind == "attachment" else retention.verdict(memory, moment, config)
        if due is not None:
            steps.append(Step(due.what, due.why, memory, _change(due.what, memory, moment), due.value))
    steps = list(_obstacles(vault, _heads(vault, steps)))
    steps.sort(key=lambda step: STEPS.index(step.what))
    return Plan(tuple(steps), moment)


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
    from memtui.disk.journal import new_id

    group = group or new_id()
    left = [Left(step, step.obstacle, RefusedError.exit_status) for step in planned.steps if step.obstacle]
    done: list[Step] = []
    receipts: list[Receipt] = []
    for batch in _batches(vault, planned):
        made, failed, written = _carried(vault, batch, planned.now, who, group)
        done += made
        left += failed
        receipts += written
        if progress is not None:
            progress(len(done) + len(left), len(planned.steps))
    return Ran(tuple(done), tuple(left), tuple(receipts), group if receipts else "")


def _batches(vault: Vault, planned: Plan) -> list[list[Step]]:
    """The marks of one kind in one file are one write; lines that go, go by themselves: neighbours close the gap."""
    found: dict[tuple[str, ...], list[Step]] = {}
    for step in planned.steps:
        if not step.obstacle:
            memory = step.memory
            marks = step.what != "remove" or form_of(home_of(vault, memory.home), memory.path) == ROWS
            alone = "" if marks else memory.id
            found.setdefault((step.what, memory.home, memory.path, alone), []).append(step)
    return list(found.values())


def _carried(
    vault: Vault, batch: Sequence[Step], now: float, who: str, group: str
) -> tuple[list[Step], list[Left], list[Receipt]]:
    """One file's steps: done together; where somebody is faster, one by one."""
    ready: list[Step] = []
    changes: list[Change] = []
    left: list[Left] = []
    file: Read | None = None
    for step in batch:
        try:
            file = file or read(vault, step.memory.home, step.memory.path)
            changes += _changes(vault, step, now, file)
            ready.append(step)
        except MemtuiError as error:
            left.append(Left(step, str(error), error.exit_status))
    if not ready:
        return [], left, []
    try:
        receipt = vault.apply(
            together(tuple(changes)),
            verb=VERBS[batch[0].what],
            who=who,
            what=_what(ready),
            group=group,
            confirmed=True,
        )
        return ready, left, [receipt]
    except ConflictError as error:
        if len(ready) == 1:
            return [], [*left, Left(ready[0], str(error), error.exit_status)], []
    except MemtuiError as error:
        return [], [*left, *(Left(step, str(error), error.exit_status) for step in ready)], []
    parts = [_carried(vault, [step], now, who, group) for step in ready]
    return (
        [step for made, _failed, _written in parts for step in made],
        [*left, *(one for _made, failed, _written in parts for one in failed)],
        [receipt for _made, _failed, written in parts for receipt in written],
    )


def _changes(vault: Vault, step: Step, now: float, file: Read | None) -> tuple[Change, ...]:
    """What one step writes, made from what stands there now. Raises ConflictError, RefusedError."""
    known = file is not None and file.etag == step.memory.etag
    found = standing(vault, step.memory if known else again(vault, step.memory), among=file)
    if not _still(found, step, now, vault.config.lifecycle):
        raise RefusedError(_("It has changed since: look at it again."))
    if step.what == "remove":
        return found.removed()
    if step.what == "demote":
        return found.revised(step.change)
    return found.revised(status=Status.ARCHIVED)


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
