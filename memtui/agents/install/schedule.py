"""What runs `memtui consolidate` by the clock: a systemd user timer, or lines for cron. Printed only, never installed.

A service has neither the shell's environment nor its PATH: what memtui heeds is written into it, and its program by
its absolute path. Days that the machine was off are caught up at once (`Persistent`, and consolidation itself).
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from memtui.agents.install.program import program, warnings
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DAILY_AT = "03:10"
LATER = 30
"""Minutes from the daily run to the weekly one, on Sundays."""
_HEEDED = re.compile(
    r"MEMTUI_[A-Z0-9_]+|XDG_(?:CACHE|CONFIG|DATA|STATE)_HOME|CLAUDE_CONFIG_DIR|CODEX_HOME|OPENAKITA_ROOT|TZ|LANG"
)
_PASSING = frozenset({"MEMTUI_INSIDE", "MEMTUI_ASKED", "MEMTUI_DEBUG", "MEMTUI_NOW"})
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


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


def schedule(
    daily_at: str = DAILY_AT, homes: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> Schedule:
    """The timers and lines for a daily run at a local time ('HH:MM'), and a weekly one. Raises UsageError."""
    env = os.environ if env is None else env
    match = _TIME.fullmatch(daily_at.strip())
    if match is None:
        raise UsageError(_("'{time}' is no time of day: 03:10 is one.").format(time=daily_at))
    minutes = int(match[1]) * 60 + int(match[2])
    weekly = (minutes + LATER) % (24 * 60)
    # Half an hour after a Sunday's late evening it is Monday.
    day = "Mon" if minutes + LATER >= 24 * 60 else "Sun"
    named = [word for home in homes for word in ("--home", os.path.realpath(os.path.expanduser(home)))]
    words = {kind: (*program(), "consolidate", f"--{kind}", *named) for kind in ("daily", "weekly")}
    folder = os.path.join(env.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "systemd", "user")
    heeded = {name: env[name] for name in sorted(env) if _HEEDED.fullmatch(name) and name not in _PASSING}
    return Schedule(
        (
            _service(folder, "daily", words["daily"], heeded, ""),
            _timer(folder, "daily", f"*-*-* {_clock(minutes)}:00"),
            _service(folder, "weekly", words["weekly"], heeded, "memtui-daily.service"),
            _timer(folder, "weekly", f"{day} *-*-* {_clock(weekly)}:00"),
        ),
        (
            "systemctl --user daemon-reload",
            "systemctl --user enable --now memtui-daily.timer memtui-weekly.timer",
        ),
        (
            f"{minutes % 60} {minutes // 60} * * * {_shell(words['daily'], heeded)}",
            f"{weekly % 60} {weekly // 60} * * {1 if day == 'Mon' else 0} {_shell(words['weekly'], heeded)}",
        ),
        tuple(told for told in warnings(program()) if "mcp" not in told),
    )


def _service(folder: str, kind: str, words: Sequence[str], heeded: Mapping[str, str], after: str) -> Unit:
    # After a long pause both are due at once: they take turns.
    turns = [f"After={after}"] if after else []
    lines = [
        "[Unit]",
        f"Description=memtui consolidate --{kind}",
        *turns,
        "",
        "[Service]",
        "Type=oneshot",
        "Nice=10",
    ]
    lines += (f"Environment={_word(f'{name}={value}')}" for name, value in heeded.items())
    lines.append("ExecStart=" + " ".join(_word(word).replace("$", "$$") for word in words))
    return Unit(os.path.join(folder, f"memtui-{kind}.service"), "\n".join(lines) + "\n")


def _timer(folder: str, kind: str, calendar: str) -> Unit:
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


def _word(word: str) -> str:
    """A word of a unit file, where '%' means something and blanks divide."""
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("\n", " ")
    return safe if safe == word and word and not re.search(r"[\s';]", word) else f'"{safe}"'


def _shell(words: Sequence[str], heeded: Mapping[str, str]) -> str:
    """A command line of cron's, in which '%' would end a line."""
    named = [f"{name}={shlex.quote(value)}" for name, value in heeded.items()]
    return " ".join([*named, shlex.join(words)]).replace("%", "\\%").replace("\n", " ")


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
