"""`memtui lifecycle`: what expires, fades or goes (spec 003), and why; shown first, done when asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.cli import output, receipts
from memtui.cli.cells import fit, width
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import Progress, reference, settings, short, vault
from memtui.cli.record import iso, plain
from memtui.cli.writing import DRY_RUN, drained
from memtui.errors import UnavailableError, UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.curation.lifecycle import Left, Plan, Step
    from memtui.curation.unread import Unread
    from memtui.model import Memory
    from memtui.vault import Vault

_TITLES = {
    "remove": (
        "{count} memory has faded away: to the trash",
        "{count} memories have faded away: to the trash",
    ),
    "demote": ("{count} memory has faded: transient", "{count} memories have faded: transient"),
    "expire": ("{count} memory has expired: archived", "{count} memories have expired: archived"),
}
_LINES = 20
"""Lines of one sort on a terminal."""
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
        return _do(opened, planned, as_json) if apply else _show(opened, planned, as_json)


def _show(opened: Vault, planned: Plan, as_json: bool) -> int:
    if as_json:
        steps = [*map(_plain, planned.steps)]
        output.document(
            {"status": "dry_run", "now": iso(planned.now), "steps": steps, "unread": _unread(planned)}
        )
    else:
        _steps(opened, planned.steps)
        _nothing(planned)
    if not planned.steps:
        return _idle(planned)
    if as_json:
        return 0
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
                "unread": _unread(planned),
                "receipts": [*map(receipts.plain, ran.receipts)],
            }
        )
        receipts.notes(ran.receipts)
    else:
        _steps(opened, ran.done)
        _left(ran.left)
        _nothing(planned)
        receipts.notes(ran.receipts)
        receipts.undoing(ran.receipts)
    return max((one.status for one in ran.left), default=0 if ran.done else _idle(planned))


def _nothing(planned: Plan) -> None:
    """What could not be looked at, and that nothing is due as far as all could be."""
    for one in planned.unread:
        output.talk(_("{place} could not be read: {why}").format(place=_where(one), why=one.reason))
    if not planned.steps:
        output.talk(_(_NOTHING if not planned.unread else "Nothing is due in what could be read."))


def _where(one: Unread) -> str:
    return reference(one.home, one.path) if one.path else short(one.home)


def _idle(planned: Plan) -> int:
    """The exit status where nothing was due: that of what could not be looked at, if there is such."""
    return UnavailableError.exit_status if planned.unread else 1


def _unread(planned: Plan) -> list[dict[str, str]]:
    return [one._asdict() for one in planned.unread]


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


def _steps(opened: Vault, steps: tuple[Step, ...]) -> None:
    """Every step; on a terminal the first of each sort, one line each and one for why, cut to its width."""
    limit = output.columns()
    labels = {str(home.path): home.label for home in opened.homes}
    for what, titles in _TITLES.items():
        group = [step for step in steps if step.what == what]
        if not group:
            continue
        output.line(output.paint(_n(*titles, len(group)), output.BOLD))
        shown = group if limit is None else group[: _LINES // 2]
        for step in shown:
            memory = step.memory
            place = reference(memory.home, memory.path, memory.start)
            if limit is not None:
                place = f"{labels.get(memory.home, '')}: {memory.path}:{memory.start}"
            _line(2, place, _said(memory), limit)
            why = _("cannot be done: {why}").format(why=step.obstacle) if step.obstacle else ""
            if why and limit is None:
                _line(4, "", step.why, limit)
            _line(4, "", why or step.why, limit, dim=not why)
        if len(group) > len(shown):
            more = _("… and {count:,} more (--json has all)").format(count=len(group) - len(shown))
            output.line(f"  {more}")


def _line(margin: int, place: str, text: str, limit: int | None, *, dim: bool = False) -> None:
    """A place and what stands there, cut to the width of a terminal."""
    place, text = output.safe(place), output.safe(text)
    if limit is not None:
        room = max(limit - margin, 1)
        place = fit(place, max(room // 2, 1)) if place else ""
        text = fit(text, max(room - (width(place) + 2 if place else 0), 0))
    shown = f"{output.paint(place, output.CYAN)}  " if place else ""
    output.line(" " * margin + shown + (output.paint(text, output.DIM) if dim else text))


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
