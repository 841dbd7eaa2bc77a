"""`memtui install` and `memtui uninstall`: shown first, asked for, and taken back to the byte."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from memtui.cli import diffs, output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import short
from memtui.cli.writing import DRY_RUN
from memtui.errors import UnconfirmedError, UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.agents.install.carrying import Carried
    from memtui.agents.install.wiring import Options, Plan

AGENTS = ("claude-code", "codex", "openclaw")
SCHEDULE = "schedule"
"""No agent: what runs `memtui consolidate` by the clock."""


def install(
    agent: str, *, print: bool, dry_run: bool, yes: bool, daily_at: str | None, as_json: bool, **named: Any
) -> int:
    """Show what would be written for an agent, and write it where that is confirmed; 1 where all stands already."""
    if agent == SCHEDULE:
        from memtui.cli import schedule

        return schedule.shown(daily_at, named["home"], as_json)
    if daily_at is not None:
        raise UsageError(_("--daily-at belongs to `memtui install schedule`."))
    from memtui.agents.install import plan

    if print:
        return _by_hand(plan(agent, _options(named, blank=True)), as_json)
    made = plan(agent, _options(named))
    return _done(made, dry_run=dry_run, yes=yes, as_json=as_json)


def uninstall(agent: str, *, dry_run: bool, yes: bool, as_json: bool, **named: Any) -> int:
    """Show what would be taken back, and take it back where that is confirmed; 1 where nothing of ours stands."""
    from memtui.agents.install import removal

    return _done(removal(agent, _options(named)), dry_run=dry_run, yes=yes, as_json=as_json)


def _options(named: dict[str, Any], *, blank: bool = False) -> Options:
    from memtui.agents.install.wiring import Options

    chosen = [way for way in ("plugin", "settings", "hooks", "notify") if named.get(way)]
    if len(chosen) > 1:
        raise UsageError(
            _("One way at a time: {ways}.").format(ways=_(" or ").join(f"--{way}" for way in chosen))
        )
    return Options("".join(chosen), named["scope"], blank)


def _done(plan: Plan, *, dry_run: bool, yes: bool, as_json: bool) -> int:
    changes = bool(plan.files or plan.records)
    if not as_json:
        _shown(plan)
    if changes and not dry_run and not yes:
        _asked(plan, as_json)
    carried = None
    if changes and not dry_run:
        from memtui.agents.install import carry_out

        carried = carry_out(plan)
    if as_json:
        output.document(_plain(plan, carried))
        return 0 if changes else 1
    if not changes:
        what = _("Nothing of memtui is installed there.") if plan.removes else _("All of it stands already.")
        output.talk(what)
    elif carried is None:
        output.talk(_("Nothing was written."))
    else:
        _told(plan, carried)
    if changes or not plan.removes:
        _next(plan)
    return 0 if changes else 1


def _shown(plan: Plan) -> None:
    for file in plan.files:
        for line in diffs.painted(diffs.unified(file.old, file.new, file.path.lstrip("/"))):
            output.line(line)
        if file.named != file.path:
            output.talk(
                _("{named} is a link to {path}.").format(named=short(file.named), path=short(file.path))
            )
    for warning in plan.warnings:
        output.talk("! " + warning)


def _asked(plan: Plan, as_json: bool) -> None:
    """Go on only where a person says yes. Raises UnconfirmedError."""
    if not as_json and sys.stdin.isatty() and sys.stderr.isatty():
        count = len(plan.files)
        question = _n("Write {count} file? [y/N] ", "Write {count} files? [y/N] ", count)
        sys.stderr.write(question)
        sys.stderr.flush()
        # Both in the language of the question and as everybody types it.
        if sys.stdin.readline().strip().casefold() in {"y", "yes", _("y"), _("yes")}:
            return
        raise UnconfirmedError(_("Nothing was written."))
    raise UnconfirmedError(_("Nothing was written: look at it, and say --yes."))


def _told(plan: Plan, carried: Carried) -> None:
    for path in carried.written:
        output.talk(f"{_('taken back') if plan.removes else _('written')}: {short(path)}")
    if any(file.old is not None for file in plan.files):
        output.talk(_("What was there is kept in {place}.").format(place=short(carried.kept)))
    for warning in carried.warnings:
        output.talk(warning)
    fault = _fault(plan)
    if fault:
        output.talk(_("Claude Code's own check of the plugin says:") + f"\n{fault}")


def _fault(plan: Plan) -> str:
    if plan.how != "plugin" or plan.removes:
        return ""
    from memtui.agents.install.claude_code import refused

    return refused(plan.place)


def _next(plan: Plan) -> None:
    if not plan.commands:
        return
    where = _("in Claude Code") if plan.commands[0].startswith("/") else _("in a shell")
    output.talk(_("What is left to type, {where}:").format(where=where))
    for command in plan.commands:
        output.line(output.safe(command))


def _by_hand(plan: Plan, as_json: bool) -> int:
    """Print what belongs into each file, and what is to be typed."""
    if as_json:
        output.document(_plain(plan, None))
        return 0
    for file in plan.files:
        output.line(output.paint(f"# {output.safe(short(file.named))}", output.BOLD))
        output.line(output.text((file.new or b"").decode("utf-8", "replace")))
    for warning in plan.warnings:
        output.talk("! " + warning)
    _next(plan)
    return 0


def _plain(plan: Plan, carried: Carried | None) -> dict[str, Any]:
    return {
        "agent": plan.agent,
        "how": plan.how or None,
        "scope": plan.scope or None,
        "place": plan.place,
        "written": carried is not None,
        "kept": carried.kept or None if carried else None,
        "files": [
            {
                "path": file.path,
                "action": "remove" if file.new is None else "create" if file.old is None else "change",
                "diff": diffs.unified(file.old, file.new, file.path.lstrip("/")),
            }
            for file in plan.files
        ],
        "commands": list(plan.commands),
        "warnings": [
            *plan.warnings,
            *(carried.warnings if carried else ()),
            *filter(None, [_fault(plan)] if carried else []),
        ],
    }


_AGENT = Argument("agent", required=True, choices=AGENTS, metavar="claude-code|codex|openclaw")
_INSTALLED = _AGENT._replace(choices=(*AGENTS, SCHEDULE), metavar=f"{_AGENT.metavar}|{SCHEDULE}")
_WAYS = (
    Option(("--plugin",), "Claude Code: a plugin of its own (the default).", "flag"),
    Option(("--settings",), "Claude Code: hooks and a skill in its settings.", "flag"),
    Option(("--hooks",), "Codex: hooks of its own (the default).", "flag"),
    Option(("--notify",), "Codex: its notifier, with the one that is there called after it.", "flag"),
)
_SCOPE = Option(
    ("--scope",), "For this user, or in this project's own files.", default="", choices=("user", "project")
)
_YES = Option(("--yes", "-y"), "Write without asking.", "flag")

INSTALL = Command(
    "install",
    "Let an agent use memtui: hooks, its MCP server, and a skill that says when to search.\n\n"
    "What would change is shown first, and written when you say yes. Nothing of other tools is touched, what was "
    "there is kept, and `memtui uninstall` restores it.\n\n"
    "`memtui install schedule` only prints: a systemd user timer and lines for cron that run `memtui consolidate`.",
    install,
    (_INSTALLED,),
    (
        *_WAYS,
        _SCOPE,
        Option(("--print",), "Print what belongs where, for doing it by hand; write nothing.", "flag"),
        Option(("--daily-at",), "For schedule: when the day's run begins (03:10).", metavar="HH:MM"),
        _YES,
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 all of it stands already, 2 wrong use, 3 refused or not confirmed, 4 could not.",
)
UNINSTALL = Command(
    "uninstall",
    "Take back what `memtui install` wrote: to the byte where nothing changed since, else only what is memtui's.",
    uninstall,
    (_AGENT,),
    (*_WAYS, _SCOPE, _YES, DRY_RUN, *EVERYWHERE),
    epilog="Exit status: 0 done, 1 nothing is installed, 2 wrong use, 3 refused or not confirmed, 4 could not.",
)
