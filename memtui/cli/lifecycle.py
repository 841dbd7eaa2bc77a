"""`memtui lifecycle`: what expires, fades or goes (spec 003), and why; shown first, done when asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.cli import output, receipts
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import Progress, reference, settings, vault
from memtui.cli.record import iso, plain
from memtui.cli.writing import DRY_RUN, drained
from memtui.errors import UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.curation.lifecycle import Left, Plan, Step
    from memtui.model import Memory
    from memtui.vault import Vault

_TITLES = {
    "remove": ("{count} memory has faded away and goes", "{count} memories have faded away and go"),
    "demote": ("{count} memory becomes transient", "{count} memories become transient"),
    "expire": (
        "{count} memory has expired and is archived",
        "{count} memories have expired and are archived",
    ),
}
_NOTHING = "Nothing is due: no memory has expired or faded."


def run(*, dry_run: bool, apply: bool, soon: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Show what is due, do it, or show what expires soon; 1 where there is nothing."""
    if apply and (dry_run or soon):
        raise UsageError(_("--apply does it; --dry-run and --soon only show."))
    config = settings()
    if apply:
        drained(config)
    with vault(home, config=config) as opened:
        from memtui.curation import lifecycle

        if soon:
            return _soon(lifecycle.soon(opened), as_json)
        planned = lifecycle.plan(opened)
        return _do(opened, planned, as_json) if apply else _show(planned, as_json)


def _show(planned: Plan, as_json: bool) -> int:
    if as_json:
        output.document(
            {"status": "dry_run", "now": iso(planned.now), "steps": [*map(_plain, planned.steps)]}
        )
        return 0 if planned.steps else 1
    _steps(planned.steps)
    if not planned.steps:
        output.talk(_(_NOTHING))
        return 1
    output.talk(_("Nothing was written; --apply does it, and one undo takes it back."))
    return 0


def _do(opened: Vault, planned: Plan, as_json: bool) -> int:
    from memtui.curation import lifecycle

    bar = Progress(_("looking after {label}"))
    try:
        ran = lifecycle.run(opened, planned, progress=lambda done, of: bar.draw(_("memories"), done, of))
    finally:
        bar.done()
    if as_json:
        output.document(
            {
                "status": "applied",
                "group": ran.group or None,
                "steps": [*map(_plain, ran.done)],
                "left": [_plain(one.step) | {"obstacle": one.reason} for one in ran.left],
                "receipts": [*map(receipts.plain, ran.receipts)],
            }
        )
        receipts.notes(ran.receipts)
    else:
        _steps(ran.done)
        _left(ran.left)
        if not planned.steps:
            output.talk(_(_NOTHING))
        receipts.notes(ran.receipts)
        receipts.undoing(ran.receipts)
    return max((one.status for one in ran.left), default=0 if ran.done else 1)


def _soon(found: list[Memory], as_json: bool) -> int:
    if as_json:
        output.document({"expiring": [*map(plain, found)]})
        return 0 if found else 1
    for memory in found:
        place = output.paint(output.safe(reference(memory.home, memory.path, memory.start)), output.CYAN)
        output.line(f"{place}  {iso(memory.expires)}  {output.safe(_said(memory))}")
    if not found:
        output.talk(_("Nothing expires soon (config: lifecycle.soon_days)."))
    return 0 if found else 1


def _steps(steps: tuple[Step, ...]) -> None:
    for what, titles in _TITLES.items():
        group = [step for step in steps if step.what == what]
        if not group:
            continue
        output.line(output.paint(_n(*titles, len(group)), output.BOLD))
        for step in group:
            memory = step.memory
            place = output.paint(output.safe(reference(memory.home, memory.path, memory.start)), output.CYAN)
            output.line(f"  {place}  {output.safe(_said(memory))}")
            output.line("    " + output.paint(output.safe(step.why), output.DIM))
            if step.obstacle:
                output.line("    " + output.safe(_("cannot be done: {why}").format(why=step.obstacle)))


def _left(left: tuple[Left, ...]) -> None:
    for one in left:
        memory = one.step.memory
        output.talk(f"{reference(memory.home, memory.path, memory.start)}: {one.reason}")


def _said(memory: Memory) -> str:
    text = " ".join((memory.title or memory.text).split())
    return text if len(text) <= 100 else f"{text[:99]}…"


def _plain(step: Step) -> dict[str, Any]:
    """A step as a document: what, why, how faint, what becomes of it, and the memory with its place."""
    change = {name: iso(value) if isinstance(value, float) else value for name, value in step.change.items()}
    return {
        "step": step.what,
        "reason": step.why,
        "value": step.value,
        "change": change,
        "obstacle": step.obstacle or None,
        "memory": plain(step.memory),
    }


COMMAND = Command(
    "lifecycle",
    "What has expired, what fades and what has faded away, with the reason; nothing is written unless --apply says so."
    "\n\n"
    "Only what says when it ends expires, and only what says that it is short-term fades: its importance by a tenth a "
    "day since it was last used. What is pinned (#pinned, #evergreen, pinned: true), permanent or in your profile "
    "stays. Expired memories are archived by a mark, faded ones go to the trash; one undo takes it all back.",
    run,
    (),
    (
        DRY_RUN,
        Option(("--apply",), "Do it.", "flag"),
        Option(("--soon",), "List what expires soon instead (config: lifecycle.soon_days).", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 shown or done, 1 nothing is due, 2 wrong use, 3 some of it was refused, 4 could not.",
)
