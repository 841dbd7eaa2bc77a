"""What somebody does in the first minute: make a home, have agents' hooks installed.

Loaded when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents import install
from memtui.agents.install.wiring import Options
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.store import verbs
from memtui.store.destination import find_own_home, make_home
from memtui.store.vault import Vault
from memtui.tui import draw
from memtui.tui.prose import wrap_pieces
from memtui.tui.sheets import LookSheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.agents.install.wiring import InstallPlan
    from memtui.tui.draw import Piece
    from memtui.tui.screen import MainScreen


def make_first_home(screen: MainScreen) -> None:
    """Make memtui's own home, where there is none, and open it: the app begins anew with it."""
    config = screen.context.config

    def job() -> str:
        place = find_own_home()
        lacks = verbs.find_missing_skeleton(place, profile=True)
        if not any(lacks):
            return ""
        with Vault([make_home(place)], config) as opened:
            verbs.make(opened, place, lacks)
        return str(place.path)

    def done(made: str) -> None:
        if made:
            screen.leave_for("again")
        else:
            screen.say(_("It is there already; w says which homes are shown."))

    place = find_own_home()
    text = _("A home of your own is made at {place}: a profile, a MEMORY.md and folders, all plain Markdown.")
    screen.windows.ask(
        _("Make a home"),
        text.format(place=place.path),
        _("make it"),
        lambda: screen.hand.writer.write(job, done, lambda error: screen.say(str(error))),
    )


def install_hooks(screen: MainScreen) -> None:
    """Show what would be written for each agent that is here and not served yet, and write it where that is wanted."""

    def show(found: tuple[list[InstallPlan], list[str]]) -> None:
        """Ask whether it is to be written."""
        plans, left = found
        if not plans:
            told = _("No agent here lacks hooks: `memtui status` lists them.")
            screen.say(" · ".join(left) or told)
            return
        lines = [
            f"{plan.agent} ({_(plan.how)}): " + ", ".join(str(file.path) for file in plan.files)
            for plan in plans
        ]
        count = sum(len(plan.files) for plan in plans)
        text = _n(
            "{count} file is written, so that sessions are analyzed. `memtui uninstall` restores every byte.",
            "{count} files are written, so that sessions are analyzed. `memtui uninstall` restores every byte.",
            count,
        ).format(count=count)
        screen.windows.ask(
            _("Install hooks"),
            "\n\n".join([text, *lines, *left]),
            _("install"),
            lambda: screen.hand.writer.write(
                lambda: _carry_out(plans), show_done, lambda error: screen.say(str(error))
            ),
        )

    def show_done(lines: list[str]) -> None:
        """Tell what was written, and what is left to type."""

        def compose(cells: int) -> list[list[Piece]]:
            return [
                piece
                for line in lines
                for piece in wrap_pieces(
                    [(draw.clip_to_line(line), "" if line[:1] != "→" else "accent")], cells
                )
            ]

        screen.app.push_screen(LookSheet(_("Install hooks"), compose))

    screen.say(_("looking for agents …"))
    screen.reader.ask("install", _plan_hooks, show)


def _plan_hooks(_cancelled: Callable[[], bool]) -> tuple[list[InstallPlan], list[str]]:
    """What would be written, agent by agent, and why it cannot be. Reads the disk."""
    plans, left = [], []
    found = install.list_installations()
    served = {one.agent for one in found if one.state == "complete"}
    for agent in dict.fromkeys(one.agent for one in found if one.state != "absent"):
        if agent in served:
            continue
        try:
            plans.append(install.plan(agent, Options()))
        except MemtuiError as error:
            left.append(f"{agent}: {error}")
    return [plan for plan in plans if plan.files], left


def _carry_out(plans: list[InstallPlan]) -> list[str]:
    """Do it, agent by agent; what was written, what could not be, and what is left to type."""
    lines: list[str] = []
    for plan in plans:
        try:
            carried = install.carry_out(plan)
        except MemtuiError as error:
            lines.append(f"✗ {plan.agent}: {error}")
            continue
        lines += [_("written") + f": {path}" for path in carried.written]
        lines += [f"⚠ {warning}" for warning in (*plan.warnings, *carried.warnings)]
        lines += [f"→ {command}" for command in plan.commands]
    return lines
