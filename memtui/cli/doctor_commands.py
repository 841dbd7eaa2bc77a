"""`memtui doctor`: whether everything is well, and if not, the one line that mends it.

First the checks, each of which only reads; then the command, which with `--fix` mends what is safe to mend.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from platformdirs import user_cache_dir, user_config_dir, user_state_dir

from memtui import __version__
from memtui.agents.install import planning
from memtui.cli import render
from memtui.cli.opening import format_place, load_analyses, load_settings, open_vault, shorten_path
from memtui.cli.options import EVERYWHERE, Command, CommandOption
from memtui.cli.status_commands import describe_amount
from memtui.core import clock
from memtui.core.config import load
from memtui.core.errors import MemtuiError, UsageError
from memtui.core.locale import _, _n, translate_parts
from memtui.fs import displaced
from memtui.fs.write_journal import Journal
from memtui.index.schema import find_current_index
from memtui.layouts import load_facts, load_layout, place_index
from memtui.layouts.home_config import explain_switched_off
from memtui.llm import explain_silence
from memtui.review.checkup import FINDING_WORDS, check_homes, list_fixes
from memtui.sessions import jobs
from memtui.sessions.central import explain_outbox
from memtui.sessions.collect import explain_no_outbox
from memtui.team.membership import describe_freshness, list_freshness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.config import Config, LlmConfig
    from memtui.core.model import Home, HomeStatus

OK, NOTE, WRONG = "ok", "note", "wrong"
SQLITE = (3, 51, 3)
"""The first SQLite without the WAL-reset fault (3.7.0 to 3.51.2)."""
_SHOWN = 5
"""Files that one finding names."""
DIRECTORIES = 50_000
"""Most directories that are counted for the watcher's limits."""


NAMES = {
    "config": "configuration", "terminal": "terminal", "cache": "cache directory", "state": "state directory",
    "spool": "notes that wait", "drafts": "kept texts", "journal": "undo journal",
    "sessions": "session summaries", "model": "language model", "central memory": "central memory",
    "published": "published memories", "team": "team", "watcher": "file watcher", "homes": "memory homes",
    **FINDING_WORDS,
}  # fmt: skip
"""What the checks are called for a person; what is not here (a home, an agent) by its own name."""


class Check(NamedTuple):
    """One finding. `state`: ok; note (works, but you may want to know); wrong (something does not work)."""

    name: str
    state: str
    what: str
    remedy: str = ""
    code: str = ""
    """What was looked at and found, for a program: the same in every language; empty: the name says it."""


def check_sqlite() -> Iterator[Check]:
    """The library that the index stands on."""
    try:
        import apsw
    except ImportError as error:
        yield Check(
            "sqlite",
            WRONG,
            _("apsw cannot be loaded: {error}").format(error=error),
            "pip install --force-reinstall apsw",
        )
        return
    version = apsw.sqlite_lib_version()
    if tuple(int(part) for part in version.split(".")[:3]) < SQLITE:
        yield Check(
            "sqlite", NOTE, _("SQLite {version} may lose a WAL").format(version=version), "pip install --upgrade apsw"
        )
    elif "ENABLE_FTS5" not in apsw.compile_options:
        yield Check(
            "sqlite",
            NOTE,
            _("SQLite {version} has no FTS5: searches scan the files").format(version=version),
            "pip install --force-reinstall apsw",
        )
    else:
        yield Check("sqlite", OK, _("SQLite {version} with FTS5").format(version=version))


def check_config() -> Iterator[Check]:
    """Keys and values that the config does not understand."""
    _config, warnings = load()
    for warning in warnings:
        yield Check("config", NOTE, str(warning), "memtui config path")
    if not warnings:
        yield Check("config", OK, _("nothing wrong in the config"))


def check_terminal() -> Iterator[Check]:
    """Whether the app can be shown here, and shown well."""
    term = os.environ.get("TERM", "")
    if os.name != "nt" and term in {"", "dumb"}:
        yield Check(
            "terminal",
            NOTE,
            _("TERM is '{term}': the app cannot be shown").format(term=term),
            _("use a terminal such as xterm-256color; the commands work anyway"),
        )
        return
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding not in {"utf8", "utf8sig"}:
        yield Check(
            "terminal",
            NOTE,
            _("the output is {encoding}, not UTF-8").format(encoding=sys.stdout.encoding),
            "export LANG=C.UTF-8",
        )
        return
    try:
        size = os.get_terminal_size()
    except OSError:
        yield Check("terminal", OK, _("TERM={term}; no terminal is attached now").format(term=term))
        return
    what = f"{size.columns}×{size.lines}, TERM={term}"
    if size.columns < 60 or size.lines < 15:
        yield Check("terminal", NOTE, what, _("the app wants 60 columns and 15 lines or more"))
    else:
        yield Check("terminal", OK, what)


def check_places() -> Iterator[Check]:
    """Whether memtui can keep its index, its state and its config."""
    for name, folder in (
        ("cache", os.environ.get("XDG_CACHE_HOME") or os.path.dirname(user_cache_dir("memtui", appauthor=False))),
        ("state", os.environ.get("XDG_STATE_HOME") or os.path.dirname(user_state_dir("memtui", appauthor=False))),
        ("config", os.environ.get("XDG_CONFIG_HOME") or os.path.dirname(user_config_dir("memtui", appauthor=False))),
    ):
        own = os.path.join(folder, "memtui")
        nearest = own
        while nearest and not os.path.lexists(nearest) and os.path.dirname(nearest) != nearest:
            nearest = os.path.dirname(nearest)
        if os.access(nearest, os.W_OK | os.X_OK) and os.path.isdir(nearest):
            yield Check(name, OK, shorten_path(own), code=f"{name}-directory")
        else:
            yield Check(
                name,
                WRONG,
                _("{place} cannot be written").format(place=shorten_path(own)),
                f"ls -ld {shlex.quote(nearest)}",
            )


def check_unwritten() -> Iterator[Check]:
    """What could not be written when it was said: notes that wait, files nobody can read, texts of conflicts."""
    waiting = len(displaced.list_spooled_records())
    if waiting:
        what = _n("{count} note waits to be written", "{count} notes wait to be written", waiting)
        yield Check("spool", NOTE, what, "memtui doctor --fix")
    torn = displaced.list_unreadable_records()
    if torn:
        what = _n("{count} file cannot be read", "{count} files cannot be read", len(torn))
        yield Check("spool", NOTE, what, f"ls -l {shlex.quote(str(displaced.find_spool_directory()))}")
    left = displaced.list_kept_files()
    if left:
        what = _n(
            "{count} text is kept that could not be put in its place",
            "{count} texts are kept that could not be put in their place",
            len(left),
        )
        yield Check("drafts", NOTE, what, f"ls -l {shlex.quote(os.path.dirname(left[0]))}")


def check_journal() -> Iterator[Check]:
    """Whether everything that was written can be seen in the history and undone."""
    for file, lines, named in Journal().list_damaged():
        place = shlex.quote(str(file))
        if not lines:
            what = _("a day of the undo journal cannot be read: its changes cannot be undone")
            yield Check("journal", WRONG, what, f"chmod u+r {place}")
            continue
        what = _n(
            "{count} line of the undo journal cannot be read: that change cannot be undone",
            "{count} lines of the undo journal cannot be read: those changes cannot be undone",
            lines,
        )
        if named:
            # The change itself stands; whoever doubts it looks at the file.
            what += _("; made in {files}").format(files=", ".join(map(shorten_path, named[:_SHOWN])))
        yield Check("journal", WRONG, f"{file.stem}: {what}", "memtui history")


def check_agents() -> Iterator[Check]:
    """Whether what serves the agents is whole. One that nothing was installed for is no finding."""
    states = {"complete": OK, "partly": NOTE, "broken": WRONG}
    for one in planning.list_installations():
        if one.state not in states:
            continue
        what = f"{one.how}, {shorten_path(one.place)}" + (f": {one.why}" if one.why else "")
        repair = f"memtui install {one.agent}" + ("" if one.how == "skill" else f" --{one.how}")
        yield Check(
            one.agent, states[one.state], what, one.remedy or (f"{repair} --scope {one.scope}" if one.why else "")
        )


def check_jobs() -> Iterator[Check]:
    """Whether everything that hooks left to do is done."""
    failed = jobs.list_jobs(given_up=True)
    unread = [job for job in (*failed, *jobs.list_jobs()) if job.kind == "model" and job.error]
    failed = [job for job in failed if job.kind not in {"model", "publish"}]
    if failed:
        what = _n("{count} session is not written down", "{count} sessions are not written down", len(failed))
        yield Check("sessions", NOTE, f"{what}: {failed[-1].error}", "memtui sessions retry")
    if unread:
        what = _n(
            "{count} session is summed up by rules alone, for the model failed",
            "{count} sessions are summed up by rules alone, for the model failed",
            len(unread),
        )
        yield Check("model", NOTE, f"{what}: {unread[-1].error}", "memtui sessions retry")


def check_model(settings: LlmConfig) -> Iterator[Check]:
    """Whether the model that a person named can be asked. One that nobody named is no finding."""
    if not (settings.command or settings.url or settings.model):
        return
    why = explain_silence(settings)
    if why:
        yield Check("model", NOTE, why, _("look at llm.command, llm.url and llm.key: memtui config list"))
    else:
        yield Check("model", OK, settings.model or shlex.join(settings.command))


def check_central(config: Config) -> Iterator[Check]:
    """Whether the central memory takes what this node sends, and its outbox what it publishes, where they are named."""
    if config.agents.remote:
        why = explain_outbox(config)
        yield Check("central memory", NOTE if why else OK, why or config.agents.remote, why and "memtui sessions retry")
    aside = displaced.list_unreadable_records(displaced.OUTBOX)
    if aside:
        what = _n("{count} record was not taken", "{count} records were not taken", len(aside))
        yield Check("central memory", NOTE, what, f"ls -l {shlex.quote(os.path.dirname(aside[0]))}")
    if config.agents.outbox:
        why = explain_no_outbox(config)
        left = [job.error for job in (*jobs.list_jobs(), *jobs.list_jobs(given_up=True)) if job.kind == "publish"]
        remedy = "memtui sessions retry" if left else ""
        yield Check("published", NOTE if why or left else OK, why or "".join(left[-1:]) or config.agents.outbox, remedy)


def check_teams() -> Iterator[Check]:
    """How the copies of each team stand, as the last exchange left them: the servers are not asked here."""
    for one in list_freshness():
        moment = clock.format_minute(one.seen_at) if one.seen_at else ""
        told = describe_freshness(one, moment)
        if one.error:
            told = f"{told}: {one.error}"
        yield Check("team", NOTE if one.error else OK, told, one.error and f"memtui sync --team {one.member.team}")


def check_watcher(homes: list[Home]) -> Iterator[Check]:
    """Whether the kernel allows as many watches as the homes have directories (Linux)."""
    limit = _number("/proc/sys/fs/inotify/max_user_watches")
    if limit is None:
        yield Check("watcher", OK, _("this system sets no limit that could be read"))
        return
    wanted = sum(_count_directories(home) for home in homes)
    what = _("{wanted:,} directories, {limit:,} watches allowed").format(wanted=wanted, limit=limit)
    if wanted > limit * 0.8:
        yield Check("watcher", NOTE, what, f"sudo sysctl fs.inotify.max_user_watches={max(524288, wanted * 4)}")
    else:
        yield Check("watcher", OK, what)


def check_home(state: HomeStatus, fault: str) -> Iterator[Check]:
    """One home: readable, parsed, indexed, and its index whole; `fault` as `find_index_damage` tells it."""
    name = shorten_path(str(state.home.path))
    if not os.access(state.home.path, os.R_OK | os.X_OK):
        shown = f"ls -ld {shlex.quote(str(state.home.path))}"
        yield Check(name, WRONG, _("may not be read"), shown, "home-unreadable")
        return
    yield Check(name, OK, f"{state.home.layout}: {describe_amount(state)}", code="home")
    off = explain_switched_off(state.home)
    if off:
        yield Check(name, NOTE, off, code="home-off")
    if load_facts(state.home).personal and _may_be_committed(state.home.path):
        told = _("it stands in a checkout of git that does not ignore it: what is personal in it may be committed")
        yield Check(name, NOTE, told, _("name it in the checkout's .gitignore"), "home-committed")
    for problem in state.problems:
        place = f"{problem.path}:{problem.line}" if problem.line else problem.path
        yield Check(
            name,
            NOTE,
            f"{place}: {translate_parts(problem.reason)}",
            _("mend or move the file; the rest of the home is shown"),
            "file",
        )
    rebuild = f"memtui index --rebuild --home {shlex.quote(str(state.home.path))}"
    if state.warning and state.index_path and os.path.exists(state.index_path):
        yield Check(name, NOTE, state.warning, rebuild, "index-warning")
    yield from _index(state, name, rebuild, fault)


def _may_be_committed(path: Path) -> bool:
    """Whether git would take a directory in: it is in a checkout, and nothing there leaves it out."""
    argv = ["git", "-c", "core.fsmonitor=false", "-C", str(path), "check-ignore", "-q", str(path)]
    with suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run(argv, capture_output=True, timeout=5, check=False).returncode == 1
    return False


def _index(state: HomeStatus, name: str, rebuild: str, fault: str) -> Iterator[Check]:
    if fault:
        yield Check(name, WRONG, _("the index is damaged: {fault}").format(fault=fault), rebuild, "index-damaged")
    place = str(state.index_path or "")
    once = f"memtui index --home {shlex.quote(str(state.home.path))}"
    if not place or not os.path.exists(place):
        none = _("there is no index yet: searches scan the files")
        yield Check(name, NOTE, none, once, "index-missing")
        return
    if state.indexed < state.total:
        yield Check(
            name,
            NOTE,
            _("{indexed:,} of {total:,} files are indexed").format(indexed=state.indexed, total=state.total),
            once,
            "index-behind",
        )
    if not fault:
        yield Check(name, OK, _("the index opens and passes its integrity check"), code="index")


def find_index_damage(home: Home, where: str) -> str:
    """What SQLite says is wrong with a home's index (FTS5's own check is a part of that); `where` as `place` has it."""
    import apsw

    try:
        file = str(find_current_index(place_index(home.path, home.layout, where)))
    except (MemtuiError, OSError):
        return ""
    try:
        connection = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.set_busy_timeout(2000)
            row = connection.execute("PRAGMA integrity_check(1)").fetchone()
        finally:
            connection.close()
    except apsw.Error as error:
        return str(error)
    return "" if row is None or row[0] == "ok" else str(row[0])


def _number(path: str) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


def _count_directories(home: Home) -> int:
    kind = load_layout(home.layout)
    root = str(home.path)
    waiting, count = [""], 0
    while waiting and count < DIRECTORIES:
        inside = waiting.pop()
        count += 1
        try:
            with os.scandir(os.path.join(root, inside)) as found:
                names = [entry.name for entry in found if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        paths = [f"{inside}/{name}" if inside else name for name in names if name not in {".git", "node_modules"}]
        waiting += [path for path in paths if not kind.prune(Path(root), path)]
    return count


SIGNS = {OK: ("✓", render.GREEN), NOTE: ("!", render.YELLOW), WRONG: ("✗", render.RED)}


def run(*, fix: bool, yes: bool, memories: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Run every check; 0 where nothing is wrong, else 1. With `fix` and `yes` after mending what mends itself."""
    if yes and not fix:
        raise UsageError(_("--yes belongs to --fix."))
    mended = list(_mend(home, yes)) if fix else []
    found = list(_check_all(home, memories))
    wrong = sum(check.state == WRONG for check in found)
    failed = sum(bool(one.error) for one in mended)
    if as_json:
        fixes = {"fixes": [one._asdict() for one in mended]} if fix else {}
        checks = [{**one._asdict(), "code": one.code or one.name.replace(" ", "-")} for one in found]
        render.print_document({"ok": not wrong, "checks": checks, **fixes})
        return 1 if wrong or failed else 0
    for check in found:
        sign, style = SIGNS[check.state]
        name = render.paint(render.make_safe_line(_(NAMES.get(check.name, check.name))), render.BOLD)
        render.print_line(f"{render.paint(sign, style)} {name}  {render.make_safe_line(check.what)}")
        if check.remedy:
            render.print_line(f"    {render.paint('→', render.DIM)} {render.make_safe_line(check.remedy)}")
    if fix:
        _print_mended(mended, yes)
    notes = sum(check.state == NOTE for check in found)
    if wrong:
        render.print_remark(_("{wrong} wrong, {notes} to know").format(wrong=wrong, notes=notes))
    else:
        render.print_remark(_("nothing wrong, {notes} to know").format(notes=notes) if notes else _("everything works"))
    return 1 if wrong or failed else 0


class Mended(NamedTuple):
    """Something that mends itself safely: no memory is changed."""

    what: str
    done: str
    mended: bool
    error: str = ""


def _mend(home: tuple[str, ...], yes: bool) -> Iterator[Mended]:
    with open_vault(home, wait=False) as opened:
        for one in list_fixes(opened):
            error = ""
            if yes:
                try:
                    one.run()
                except MemtuiError as why:
                    error = str(why)
            yield Mended(one.what, one.done, yes and not error, error)


def _print_mended(mended: list[Mended], yes: bool) -> None:
    for one in mended:
        sign, style = SIGNS[WRONG if one.error else OK if one.mended else NOTE]
        render.print_line(
            f"{render.paint(sign, style)} {render.make_safe_line(one.what)}: "
            f"{render.make_safe_line(one.error or one.done)}"
        )
    if not mended:
        render.print_remark(_("Nothing can be repaired automatically."))
    elif not yes:
        render.print_remark(_("Nothing was repaired; --fix --yes does it."))


def _check_all(home: tuple[str, ...], memories: bool) -> Iterator[Check]:
    yield Check("memtui", OK, f"{__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    yield from check_sqlite()
    yield from check_config()
    yield from check_terminal()
    yield from check_places()
    try:
        config = load_settings(warn=False)
        with open_vault(home, wait=False, config=config) as opened:
            homes = list(opened.homes)
            # Asking a damaged index anything has it made anew: it is looked at before.
            faults = {one.path: find_index_damage(one, config.index.place) for one in homes}
            states = opened.status()
            if not any(faults.values()) and all(one.index_path and one.indexed for one in states):
                # What is wrong with a file since it was last looked at is worth knowing now.
                opened.freshen()
                states = opened.status()
    except MemtuiError as error:
        yield Check("homes", WRONG, str(error), "memtui homes")
        return
    if not states:
        yield Check(
            "homes",
            NOTE,
            _("no memory home was found for this directory or this user"),
            _("run memtui where an agent has worked, or try memtui --demo"),
        )
    yield from check_watcher(homes)
    yield from check_unwritten()
    yield from check_journal()
    yield from check_agents()
    yield from check_jobs()
    yield from check_model(config.llm)
    yield from check_central(config)
    yield from check_teams()
    for state in states:
        yield from check_home(state, faults[state.home.path])
    if memories:
        yield from _check_memories(home, config)


def _check_memories(home: tuple[str, ...], config: Config) -> Iterator[Check]:
    """What of the memories themselves wants looking after."""
    with open_vault(home, config=config) as opened:
        analyst = load_analyses(opened, "queue", "rest", "chains")
        known = analyst.load_queue(whole=True)
        waiting = known.queue.waiting if known is not None else None
        for one in check_homes(opened, waiting=waiting, broken=analyst.load_chains()):
            place = shorten_path(format_place(one.home, one.path, one.line)) if one.path else shorten_path(one.home)
            state = WRONG if one.serious else NOTE
            remedy = f"memtui review show {one.candidate}" if one.candidate else one.remedy
            yield Check(one.what, state, f"{place}: {one.text}", remedy)


COMMAND = Command(
    "doctor",
    "Check SQLite, config, terminal, places, the watcher's limits, every home and its index.\n\n"
    "Nothing is changed without --fix --yes. Each finding that needs something says what.",
    run,
    (),
    (
        CommandOption(("--fix",), "Show what can be repaired safely, without touching a memory.", "flag"),
        CommandOption(("--yes", "-y"), "With --fix: repair it.", "flag"),
        CommandOption(
            ("--memories",),
            "Look at the memories, too: duplicates, contradictions, secrets, dangling chains, budgets, trash, rules "
            "that lead nowhere.",
            "flag",
        ),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 nothing wrong, 1 something is.",
)
