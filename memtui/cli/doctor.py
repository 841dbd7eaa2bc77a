"""`memtui doctor`: is everything well, and if not, what is the one line that mends it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from memtui.cli import checks, output
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import analysed, reference, settings, short, vault
from memtui.errors import MemtuiError, UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.config import Config

SIGNS = {checks.OK: ("✓", output.GREEN), checks.NOTE: ("!", output.YELLOW), checks.WRONG: ("✗", output.RED)}


def run(*, fix: bool, yes: bool, memories: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Run every check; 0 where nothing is wrong, else 1. With `fix` and `yes` after mending what mends itself."""
    if yes and not fix:
        raise UsageError(_("--yes belongs to --fix."))
    mended = list(_mended(home, yes)) if fix else []
    found = list(_all(home, memories))
    wrong = sum(check.state == checks.WRONG for check in found)
    failed = sum(bool(one.error) for one in mended)
    if as_json:
        fixes = {"fixes": [one._asdict() for one in mended]} if fix else {}
        output.document({"ok": not wrong, "checks": [check._asdict() for check in found], **fixes})
        return 1 if wrong or failed else 0
    for check in found:
        sign, style = SIGNS[check.state]
        name = output.paint(output.safe(check.name), output.BOLD)
        output.line(f"{output.paint(sign, style)} {name}  {output.safe(check.what)}")
        if check.remedy:
            output.line(f"    {output.paint('→', output.DIM)} {output.safe(check.remedy)}")
    if fix:
        _told(mended, yes)
    notes = sum(check.state == checks.NOTE for check in found)
    if wrong:
        output.talk(_("{wrong} wrong, {notes} to know").format(wrong=wrong, notes=notes))
    else:
        output.talk(_("nothing wrong, {notes} to know").format(notes=notes) if notes else _("all is well"))
    return 1 if wrong or failed else 0


class Mended(NamedTuple):
    """Something that mends itself safely: no memory is changed."""

    what: str
    done: str
    mended: bool
    error: str = ""


def _mended(home: tuple[str, ...], yes: bool) -> Iterator[Mended]:
    from memtui.curation.checkup import fixes

    with vault(home, wait=False) as opened:
        for one in fixes(opened):
            error = ""
            if yes:
                try:
                    one.run()
                except MemtuiError as why:
                    error = str(why)
            yield Mended(one.what, one.done, yes and not error, error)


def _told(mended: list[Mended], yes: bool) -> None:
    for one in mended:
        sign, style = SIGNS[checks.WRONG if one.error else checks.OK if one.mended else checks.NOTE]
        output.line(
            f"{output.paint(sign, style)} {output.safe(one.what)}: {output.safe(one.error or one.done)}"
        )
    if not mended:
        output.talk(_("There is nothing that mends itself."))
    elif not yes:
        output.talk(_("Nothing was mended; --fix --yes does it."))


def _all(home: tuple[str, ...], memories: bool) -> Iterator[checks.Check]:
    from memtui import __version__

    yield checks.Check("memtui", checks.OK, f"{__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    yield from checks.sqlite()
    yield from checks.config()
    yield from checks.terminal()
    yield from checks.places()
    try:
        config = settings(warn=False)
        with vault(home, wait=False, config=config) as opened:
            homes = list(opened.homes)
            # Asking a damaged index anything has it made anew: it is looked at before.
            faults = {one.path: checks.damage(one, config.index.place) for one in homes}
            states = opened.status()
    except MemtuiError as error:
        yield checks.Check("homes", checks.WRONG, str(error), "memtui homes")
        return
    if not states:
        yield checks.Check(
            "homes",
            checks.NOTE,
            _("no memory home was found for this directory or this user"),
            _("run memtui where an agent has worked, or try memtui --demo"),
        )
    yield from checks.watcher(homes)
    yield from checks.kept()
    yield from checks.agents()
    yield from checks.sessions()
    for state in states:
        yield from checks.home(state, faults[state.home.path])
    if memories:
        yield from _memories(home, config)


def _memories(home: tuple[str, ...], config: Config) -> Iterator[checks.Check]:
    """What of the memories themselves wants looking after."""
    from memtui.curation.checkup import checkup

    with vault(home, config=config) as opened:
        analyst = analysed(opened, "queue", "rest", "chains")
        known = analyst.load_queue(whole=True)
        waiting = known.queue.waiting if known is not None else None
        for one in checkup(opened, waiting=waiting, broken=analyst.load_chains()):
            place = short(reference(one.home, one.path, one.line)) if one.path else short(one.home)
            state = checks.WRONG if one.serious else checks.NOTE
            remedy = f"memtui review show {one.candidate}" if one.candidate else one.remedy
            yield checks.Check(one.what, state, f"{place}: {one.text}", remedy)


COMMAND = Command(
    "doctor",
    "Check SQLite, config, terminal, places, the watcher's limits, every home and its index.\n\n"
    "Nothing is changed without --fix --yes. Each finding that needs something says what.",
    run,
    (),
    (
        Option(("--fix",), "Show what would mend itself safely, without touching a memory.", "flag"),
        Option(("--yes", "-y"), "With --fix: mend it.", "flag"),
        Option(
            ("--memories",),
            "Look at the memories, too: duplicates, contradictions, secrets, dangling chains, budgets, trash, rules "
            "that lead nowhere.",
            "flag",
        ),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 nothing wrong, 1 something is.",
)
