"""`memtui install`, `uninstall`, `install schedule` and `hook`.

`install` and `uninstall` show first, ask, and take back to the byte. `install schedule` prints what would run
`memtui consolidate` by the clock, a systemd user timer or lines for cron, and installs nothing. A service has
neither the shell's environment nor its PATH, so the variables that memtui reads and the program's absolute path
are written into it; days that the machine was off are caught up. `hook` is described here for the command
line's help; agents run `memtui.agents.hooks.run_hook`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.agents.hooks import EVENTS, run_hook
from memtui.agents.install.claude_install import validate_plugin
from memtui.agents.install.planning import carry_out, plan_addition, plan_removal
from memtui.agents.install.wiring import Options, find_program, list_warnings
from memtui.cli import render
from memtui.cli.opening import shorten_path
from memtui.cli.options import DRY_RUN, EVERYWHERE, Argument, Command, CommandOption
from memtui.core.errors import UnconfirmedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.startup import compile_pattern
from memtui.layouts import HOME_VARIABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.agents.install.planning import Carried
    from memtui.agents.install.wiring import InstallPlan

DAILY_AT = "03:10"
LATER = 30
"""Minutes from the daily run to the weekly one, on Sundays."""
_HEEDED = compile_pattern(rf"MEMTUI_[A-Z0-9_]+|XDG_(?:CACHE|STATE)_HOME|TZ|LANG|{'|'.join(HOME_VARIABLES)}")
_PASSING = frozenset({"MEMTUI_INSIDE", "MEMTUI_ASKED", "MEMTUI_DEBUG", "MEMTUI_NOW"})
_TIME = compile_pattern(r"([01]?\d|2[0-3]):([0-5]\d)")


class Unit(NamedTuple):
    """One file of systemd's."""

    path: str
    text: str


class Schedule(NamedTuple):
    """What is to be put where, by hand."""

    units: tuple[Unit, ...]
    commands: tuple[str, ...]
    """What switches the timers on, once the files are there."""
    cron: tuple[str, ...]
    """Instead of all that: lines for `crontab -e`."""
    warnings: tuple[str, ...]


def schedule(daily_at: str = DAILY_AT, homes: Sequence[str] = ()) -> Schedule:
    """The timers and lines for a daily run at a local time ('HH:MM'), and a weekly one. Raises UsageError."""
    env = os.environ
    match = _TIME.fullmatch(daily_at.strip())
    if match is None:
        raise UsageError(_("'{time}' is no time of day: 03:10 is one.").format(time=daily_at))
    minutes = int(match[1]) * 60 + int(match[2])
    weekly = (minutes + LATER) % (24 * 60)
    # Half an hour after a Sunday's late evening it is Monday.
    day = "Mon" if minutes + LATER >= 24 * 60 else "Sun"
    named = [word for home in homes for word in ("--home", os.path.realpath(os.path.expanduser(home)))]
    words = {kind: (*find_program(), "consolidate", f"--{kind}", *named) for kind in ("daily", "weekly")}
    folder = os.path.join(env.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "systemd", "user")
    heeded = {name: env[name] for name in sorted(env) if _HEEDED.fullmatch(name) and name not in _PASSING}
    return Schedule(
        (
            _make_service(folder, "daily", words["daily"], heeded, ""),
            _make_timer(folder, "daily", f"*-*-* {_format_clock(minutes)}:00"),
            _make_service(folder, "weekly", words["weekly"], heeded, "memtui-daily.service"),
            _make_timer(folder, "weekly", f"{day} *-*-* {_format_clock(weekly)}:00"),
        ),
        ("systemctl --user daemon-reload", "systemctl --user enable --now memtui-daily.timer memtui-weekly.timer"),
        (
            f"{minutes % 60} {minutes // 60} * * * {_quote_command(words['daily'], heeded)}",
            f"{weekly % 60} {weekly // 60} * * {1 if day == 'Mon' else 0} {_quote_command(words['weekly'], heeded)}",
        ),
        tuple(told for told in list_warnings(find_program()) if "mcp" not in told),
    )


def _make_service(folder: str, kind: str, words: Sequence[str], heeded: Mapping[str, str], after: str) -> Unit:
    # After a long pause both are due at once: they take turns.
    turns = [f"After={after}"] if after else []
    lines = ["[Unit]", f"Description=memtui consolidate --{kind}", *turns, "", "[Service]", "Type=oneshot", "Nice=10"]
    lines += (f"Environment={_quote_word(f'{name}={value}')}" for name, value in heeded.items())
    lines.append("ExecStart=" + " ".join(_quote_word(word).replace("$", "$$") for word in words))
    return Unit(os.path.join(folder, f"memtui-{kind}.service"), "\n".join(lines) + "\n")


def _make_timer(folder: str, kind: str, calendar: str) -> Unit:
    lines = [
        "[Unit]",
        f"Description=memtui consolidate --{kind}, by the clock",
        "",
        "[Timer]",
        f"OnCalendar={calendar}",
        "Persistent=true",
        "",
        "[Install]",
        "WantedBy=timers.target",
    ]
    return Unit(os.path.join(folder, f"memtui-{kind}.timer"), "\n".join(lines) + "\n")


def _quote_word(word: str) -> str:
    """A word of a unit file, where '%' means something and blanks divide."""
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", " ")
    return safe if safe == word and word and not re.search(r"[\s';]", word) else f'"{safe}"'


def _quote_command(words: Sequence[str], heeded: Mapping[str, str]) -> str:
    """A command line of cron's, in which '%' would end a line."""
    named = [f"{name}={shlex.quote(value)}" for name, value in heeded.items()]
    return " ".join([*named, shlex.join(words)]).replace("%", "\\%").replace("\n", " ")


def _format_clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


AGENTS = ("claude-code", "codex", "openclaw", "cursor")
SCHEDULE = "schedule"
"""No agent: what runs `memtui consolidate` by the clock."""


def install(
    agent: str, *, print: bool, dry_run: bool, yes: bool, daily_at: str | None, as_json: bool, **named: Any
) -> int:
    """Show what would be written for an agent, and write it where that is confirmed; 1 where all stands already."""
    if agent == SCHEDULE:
        return show_schedule(daily_at, named["home"], as_json)
    if daily_at is not None:
        raise UsageError(_("--daily-at belongs to `memtui install schedule`."))

    if print:
        return _print_by_hand(plan_addition(agent, _read_options(named, blank=True)), as_json)
    made = plan_addition(agent, _read_options(named))
    return _do_plan(made, dry_run=dry_run, yes=yes, as_json=as_json)


def uninstall(agent: str, *, dry_run: bool, yes: bool, as_json: bool, **named: Any) -> int:
    """Show what would be taken back, and take it back where that is confirmed; 1 where nothing of ours stands."""
    return _do_plan(plan_removal(agent, _read_options(named)), dry_run=dry_run, yes=yes, as_json=as_json)


def _read_options(named: dict[str, Any], *, blank: bool = False) -> Options:
    chosen = [way for way in ("plugin", "settings", "hooks", "notify") if named.get(way)]
    if len(chosen) > 1:
        raise UsageError(_("One way at a time: {ways}.").format(ways=_(" or ").join(f"--{way}" for way in chosen)))
    return Options("".join(chosen), named["scope"], blank)


def _do_plan(plan: InstallPlan, *, dry_run: bool, yes: bool, as_json: bool) -> int:
    changes = bool(plan.files or plan.records)
    if not as_json:
        _show_plan(plan)
    if changes and not dry_run and not yes:
        _ask(plan, as_json)
    carried = None
    if changes and not dry_run:
        carried = carry_out(plan)
    if as_json:
        render.print_document(_dump_plan(plan, carried))
        return 0 if changes else 1
    if not changes:
        what = _("Nothing of memtui is installed there.") if plan.removes else _("All of it stands already.")
        render.print_remark(what)
    elif carried is None:
        render.print_remark(_("Nothing was written."))
    else:
        _print_carried(plan, carried)
    if changes or not plan.removes:
        _print_next(plan)
    return 0 if changes else 1


def _show_plan(plan: InstallPlan) -> None:
    for file in plan.files:
        for line in render.paint_diff(render.diff_files(file.old, file.new, file.path.lstrip("/"))):
            render.print_line(line)
        if file.named != file.path:
            render.print_remark(
                _("{named} is a link to {path}.").format(named=shorten_path(file.named), path=shorten_path(file.path))
            )
    for warning in plan.warnings:
        render.print_remark("! " + warning)


def _ask(plan: InstallPlan, as_json: bool) -> None:
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


def _print_carried(plan: InstallPlan, carried: Carried) -> None:
    for path in carried.written:
        render.print_remark(f"{_('undone') if plan.removes else _('written')}: {shorten_path(path)}")
    if any(file.old is not None for file in plan.files):
        render.print_remark(_("What was there is kept in {place}.").format(place=shorten_path(carried.kept)))
    for warning in carried.warnings:
        render.print_remark(warning)
    fault = _find_fault(plan)
    if fault:
        render.print_remark(_("Claude Code's own check of the plugin says:") + f"\n{fault}")


def _find_fault(plan: InstallPlan) -> str:
    if plan.how != "plugin" or plan.removes:
        return ""

    return validate_plugin(plan.place)


def _print_next(plan: InstallPlan) -> None:
    if not plan.commands:
        return
    where = _("in Claude Code") if plan.commands[0].startswith("/") else _("in a shell")
    told = _("What is left to type, {where} (until then it looks for what is gone):") if plan.removes else ""
    render.print_remark((told or _("What is left to type, {where}:")).format(where=where))
    for command in plan.commands:
        render.print_line(render.make_safe_line(command))


def _print_by_hand(plan: InstallPlan, as_json: bool) -> int:
    """Print what belongs into each file, and what is to be typed."""
    if as_json:
        render.print_document(_dump_plan(plan, None))
        return 0
    for file in plan.files:
        render.print_line(render.paint(f"# {render.make_safe_line(shorten_path(file.named))}", render.BOLD))
        render.print_line(render.make_safe_text((file.new or b"").decode("utf-8", "replace")))
    for warning in plan.warnings:
        render.print_remark("! " + warning)
    _print_next(plan)
    return 0


def _dump_plan(plan: InstallPlan, carried: Carried | None) -> dict[str, Any]:
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
                "diff": render.diff_files(file.old, file.new, file.path.lstrip("/")),
            }
            for file in plan.files
        ],
        "commands": list(plan.commands),
        "warnings": [
            *plan.warnings,
            *(carried.warnings if carried else ()),
            *filter(None, [_find_fault(plan)] if carried else []),
        ],
    }


_AGENT = Argument("agent", required=True, choices=AGENTS, metavar="claude-code|codex|openclaw|cursor")
_INSTALLED = _AGENT._replace(choices=(*AGENTS, SCHEDULE), metavar=f"{_AGENT.metavar}|{SCHEDULE}")
_WAYS = (
    CommandOption(("--plugin",), "Claude Code: a plugin of its own (the default).", "flag"),
    CommandOption(("--settings",), "Claude Code: hooks and a skill in its settings.", "flag"),
    CommandOption(("--hooks",), "Codex: hooks of its own (the default).", "flag"),
    CommandOption(("--notify",), "Codex: its notifier, with the one that is there called after it.", "flag"),
)
_SCOPE = CommandOption(
    ("--scope",), "For this user, or in this project's own files.", default="", choices=("user", "project")
)
_YES = CommandOption(("--yes", "-y"), "Write without asking.", "flag")

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
        CommandOption(("--print",), "Print what belongs where, for doing it by hand; write nothing.", "flag"),
        CommandOption(("--daily-at",), "For schedule: when the day's run begins (03:10).", metavar="HH:MM"),
        _YES,
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 all of it stands already, 2 wrong use, 3 refused or not confirmed, 4 could not.",
)
UNINSTALL = Command(
    "uninstall",
    "Undo what `memtui install` wrote: to the byte where nothing changed since, else only what is memtui's.",
    uninstall,
    (_AGENT,),
    (*_WAYS, _SCOPE, _YES, DRY_RUN, *EVERYWHERE),
    epilog="Exit status: 0 done, 1 nothing is installed, 2 wrong use, 3 refused or not confirmed, 4 could not.",
)


def show_schedule(daily_at: str | None, homes: Sequence[str], as_json: bool) -> int:
    """Print the units, what switches them on, and the lines for cron."""
    made = schedule(DAILY_AT if daily_at is None else daily_at, homes)
    if as_json:
        render.print_document(
            {
                "written": False,
                "files": [unit._asdict() for unit in made.units],
                "commands": list(made.commands),
                "cron": list(made.cron),
                "warnings": list(made.warnings),
            }
        )
        return 0
    for unit in made.units:
        render.print_line(render.paint(f"# {render.make_safe_line(shorten_path(unit.path))}", render.BOLD))
        render.print_line(render.make_safe_text(unit.text))
    render.print_remark(_("Nothing was written. Put these files in their places, then switch the timers on:"))
    for command in made.commands:
        render.print_line(command)
    render.print_remark(_("They run while you are logged in; `loginctl enable-linger` has them run always."))
    render.print_remark(_("Or, with cron instead (`crontab -e`):"))
    for line in made.cron:
        render.print_line(render.make_safe_line(line))
    for warning in made.warnings:
        render.print_remark("! " + warning)
    return 0


def run(event: str, told: tuple[str, ...], *, agent: str) -> int:
    """The same for the command line's own reader."""
    return run_hook([event, *told, "--agent", agent])


def _list_events(_typed: Mapping[str, Any]) -> list[str]:
    return [re.sub("(?<=[a-z])(?=[A-Z])", "-", name).lower() for name, _place in EVENTS]


COMMAND = Command(
    "hook",
    "What agents run at their events: SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, SubagentStart, "
    "PreCompact, PostCompact, Stop, SessionEnd; others do nothing.\n\n"
    "The event's input is read from stdin, and what the agent is to know is written to stdout, as its hooks have it. "
    "`memtui install` sets them up. MEMTUI_OFF=1 switches them off.\n\n"
    "\b\nmemtui hook session-start --agent claude-code\n"
    'memtui hook notify \'{"type": "agent-turn-complete", "thread-id": "…"}\'',
    run,
    (
        Argument("event", required=True, metavar="EVENT", offers=_list_events),
        Argument("told", many=True, metavar="JSON"),
    ),
    (
        CommandOption(
            ("--agent",), "Who runs it: claude-code, codex or cursor; else by its input.", default="", metavar="NAME"
        ),
    ),
    epilog="Exit status: always 0.",
)
