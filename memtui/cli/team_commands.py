"""`memtui team`, `memtui sync` and `memtui serve`: one memory on several machines, and a team's."""

from __future__ import annotations

import getpass
import os
import re
import secrets
import shlex
import signal
import sys
import threading
import uuid
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.opening import load_settings, shorten_path
from memtui.cli.options import JSON, Argument, Command, CommandOption
from memtui.core import clock
from memtui.core.errors import ConflictError, RefusedError, UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Problem
from memtui.fs.files import compute_etag, walk
from memtui.layouts import load_layout
from memtui.layouts.discovery import detect_surroundings, discover_homes, list_homes_at
from memtui.team import tables
from memtui.team.exchange import Exchange, describe_freshness, list_freshness, run_all, watch_all
from memtui.team.membership import (
    NAME,
    Membership,
    change_user,
    connect,
    connect_member,
    find_membership,
    load_memberships,
    name_machine,
    remove_membership,
    save_membership,
    save_password,
    split_password,
    translate_server_errors,
)
from memtui.team.pull import load_cursor, remove_mirror
from memtui.team.push import Pusher, change_team_file, name_home
from memtui.team.sharing import OFFERED, USUAL, Share

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.team.exchange import Exchanged
    from memtui.team.push import Shown

VERBS = ("init", "join", "leave", "members", "share", "unshare", "write", "status")
ROLES = ("member", "admin", "reader")


def run(verb: str | None, words: tuple[str, ...], *, as_json: bool, **given: Any) -> int:
    """One verb; without one, the status."""
    verbs = {
        "init": _init, "join": _join, "leave": _leave, "members": _members, "share": _share,
        "unshare": _unshare, "write": _write, "status": _status,
    }  # fmt: skip
    return verbs[verb or "status"](words, as_json=as_json, **given)


# -- who is in it -----------------------------------------------------------------------------------------------------


def _init(words: tuple[str, ...], *, team: str, me: bool, who: str, as_json: bool, **given: Any) -> int:
    dsn, password = split_password(_one(words, _("the server's address")))
    name = _named(team or ("me" if me else "team"))
    link = connect(dsn, password=password or os.environ.get("PGPASSWORD", ""))
    try:
        before = tables.migrate(link)
        session = str(link.execute("SELECT session_user").fetchone()[0])
        admin = _named(who or session)
        there = link.execute("SELECT 1 FROM memtui.team WHERE id = %s", [name]).fetchone()
        fresh = "" if admin == session else secrets.token_urlsafe(18)
        if not there:
            tables.found_team(link, name, "me" if me else "team", admin, fresh)
    finally:
        link.close()
    if there and before == tables.VERSION:
        raise RefusedError(_("There is a team {team} on that server already.").format(team=name))
    line = _join_line(dsn, admin, name)
    if as_json:
        made = {"team": name, "audience": "me" if me else "team", "admin": admin, "version": tables.VERSION}
        render.print_document({**made, "migrated_from": before, "join": line, "password": fresh})
        return 0
    if before and before != tables.VERSION:
        render.print_line(_("The tables went from version {a} to {b}.").format(a=before, b=tables.VERSION))
    if not there:
        render.print_line(
            _("The team {team} is there; {who} is its admin. Join it:").format(team=name, who=admin)
        )
        render.print_line(f"  {line}")
        _print_password(admin, fresh)
    return 0


def _join(
    words: tuple[str, ...], *, team: str, machine: str, password_command: str, as_json: bool, **given: Any
) -> int:
    dsn, password = split_password(_one(words, _("the server's address")))
    machine = _named(machine or name_machine())
    if not password and not password_command and not os.environ.get("PGPASSWORD"):
        password = _try_or_ask(dsn)
    link = connect(dsn, password=password, password_command=password_command)
    try:
        tables.require_version(link)
        with translate_server_errors():
            teams = link.execute("SELECT id, audience FROM memtui.team ORDER BY id").fetchall()
            who = str(link.execute("SELECT session_user").fetchone()[0])
        names = [name for name, _audience in teams]
        if not names:
            raise RefusedError(
                _("{who} is in no team on that server: an admin adds members.").format(who=who)
            )
        name = team or (names[0] if len(names) == 1 else "")
        if name not in names:
            raise UsageError(_("Which team? --team is one of: {names}.").format(names=", ".join(names)))
        if any(other.team == name for other in load_memberships()):
            raise RefusedError(_("This machine is in a team {team} already.").format(team=name))
        named = str(uuid.uuid4())
        with translate_server_errors():
            taken = link.execute(
                """INSERT INTO memtui.machine (team, owner, machine, id) VALUES (%s, %s, %s, %s)
                ON CONFLICT DO NOTHING RETURNING id""",
                [name, who, machine, named],
            ).fetchone()
        if not taken:
            raise RefusedError(
                _(
                    "Another machine of yours is called {machine} there: --machine gives this one its name."
                ).format(machine=machine)
            )
    finally:
        link.close()
    if password:
        save_password(name, password)
    member = Membership(name, dict(teams)[name], dsn, who, machine, named, (), password_command)
    save_membership(member)
    done = _exchange(member, load_settings())
    if as_json:
        render.print_document(
            {"team": name, "audience": member.audience, "who": who, "machine": machine, **_told(done)}
        )
        return 0
    render.print_line(
        _("{who}@{machine} is in the team {team}: {count} files of others are here.").format(
            who=who, machine=machine, team=name, count=done.pulled.written
        )
    )
    render.print_remark(
        _("Nothing of yours leaves until `memtui team share` names it. `memtui sync --watch` keeps it going.")
    )
    return 0


def _leave(words: tuple[str, ...], *, team: str, local: bool, as_json: bool, **given: Any) -> int:
    member = find_membership(team or "".join(words[:1]))
    others: list[Any] = []
    if not local:
        link = connect_member(member)
        try:
            mine = [member.team, member.who, member.machine]
            with translate_server_errors(), link.transaction():
                there = link.execute("SELECT 1 FROM memtui.team WHERE id = %s", [member.team]).fetchone()
                if there:
                    Pusher(member._replace(shares=()), load_settings()).push(link)
                    link.execute(
                        "DELETE FROM memtui.machine WHERE team = %s AND owner = %s AND machine = %s", mine
                    )
                    others = link.execute(
                        "SELECT machine FROM memtui.machine WHERE team = %s AND owner = %s", mine[:2]
                    ).fetchall()
                    if not others:
                        link.execute("SELECT memtui.remove_member(%s, %s)", mine[:2])
        finally:
            link.close()
    remove_mirror(member.mirror)
    remove_membership(member.team)
    if as_json:
        render.print_document(
            {"team": member.team, "left": not local and not others, "machine": member.machine}
        )
    else:
        render.print_line(
            _("This machine has left the team {team}; its mirror is gone.").format(team=member.team)
        )
        if not local:
            render.print_remark(_("What you shared is removed from the server. Others may have read it."))
    return 0


def _members(words: tuple[str, ...], *, team: str, role: str, as_json: bool, **given: Any) -> int:
    member = find_membership(team)
    link = connect_member(member)
    try:
        tables.require_version(link)
        if words:
            return _change_members(link, member, words, role, as_json=as_json)
        rows = tables.list_members(link, member.team)
    finally:
        link.close()
    if as_json:
        names = ("who", "role", "since", "machines", "seen_at", "files", "bytes")
        render.print_document([dict(zip(names, row, strict=True)) for row in rows])
        return 0 if rows else 1
    render.print_table(
        [render.Column(_("WHO")), render.Column(_("ROLE")), render.Column(_("MACHINES"), grows=True),
         render.Column(_("SEEN")), render.Column(_("FILES"), right=True), render.Column(_("BYTES"), right=True)],
        [(who, role, ", ".join(machines), clock.format_age(seen), f"{files:,}", f"{size:,}")
         for who, role, _since, machines, seen, files, size in rows],
    )  # fmt: skip
    return 0 if rows else 1


def _change_members(
    link: Any, member: Membership, words: tuple[str, ...], role: str, *, as_json: bool
) -> int:
    verb, *names = words
    if verb not in {"add", "remove"} or not names:
        raise UsageError(_("Say `members`, `members add NAME` or `members remove NAME`."))
    done = []
    for name in map(_named, names):
        if verb == "remove":
            with translate_server_errors():
                link.execute("SELECT memtui.remove_member(%s, %s)", [member.team, name])
            done.append({"who": name, "removed": True})
            continue
        there = link.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
        fresh = "" if there else secrets.token_urlsafe(18)
        tables.add_member(link, member.team, name, role, fresh)
        done.append(
            {"who": name, "role": role, "join": _join_line(member.dsn, name, member.team), "password": fresh}
        )
    if as_json:
        render.print_document(done)
        return 0
    for one in done:
        if "removed" in one:
            render.print_line(
                _("{who} reads nothing of the team any more, and shares nothing.").format(who=one["who"])
            )
        else:
            render.print_line(_("{who} joins with one line:").format(who=one["who"]))
            render.print_line(f"  {one['join']}")
            _print_password(str(one["who"]), str(one["password"]))
    return 0


# -- what is shared ---------------------------------------------------------------------------------------------------


def _share(
    words: tuple[str, ...], *, team: str, home: tuple[str, ...], layer: tuple[str, ...], dry_run: bool, yes: bool,
    as_json: bool, **given: Any,
) -> int:  # fmt: skip
    member, config = find_membership(team), load_settings()
    offered = [one.value for one in OFFERED[member.audience]]
    wrong = next((one for one in layer if one not in offered), None)
    if wrong:
        raise UsageError(
            _("{layer} is shared with nobody; one of: {layers}.").format(
                layer=wrong, layers=", ".join(offered)
            )
            if member.audience == "team"
            else _("{layer} is not shared; one of: {layers}.").format(layer=wrong, layers=", ".join(offered))
        )
    layers = layer or tuple(one.value for one in USUAL)
    wanted = list(_find_shares(words, home, layers, config))
    pusher = Pusher(member._replace(shares=tuple(wanted)), config)
    files = [one for share in wanted for one in pusher.list_files(share)]
    leaving = [one for one in files if not isinstance(one, Problem) and one.etag]
    if as_json and dry_run:
        render.print_document([_row(one) for one in files if not isinstance(one, Problem)])
        return 0 if leaving else 1
    if not as_json:
        _print_files(files)
    if not leaving and not dry_run:
        raise RefusedError(_("Nothing of that may leave: the list says why."))
    if dry_run:
        render.print_remark(_("A dry run: nothing was shared."))
        return 0 if leaving else 1
    size = sum(one.size for one in leaving)
    question = _n(
        "Share this {count} file ({size:,} bytes), and what comes to these projects and layers later, with {team}?",
        "Share these {count} files ({size:,} bytes), and what comes to these projects and layers later, with {team}?",
        len(leaving),
    ).format(count=len(leaving), size=size, team=member.team)
    if not yes and not _agree(question):
        return 3
    kept = [
        one
        for one in member.shares
        if all((one.home, one.project) != (new.home, new.project) for new in wanted)
    ]
    member = member._replace(shares=(*kept, *wanted))
    save_membership(member)
    done = _exchange(member, config)
    if as_json:
        render.print_document({"shares": [one._asdict() for one in member.shares], **_told(done)})
        return 4 if done.error else 0
    return _print_exchanged(done)


def _unshare(words: tuple[str, ...], *, team: str, home: tuple[str, ...], as_json: bool, **given: Any) -> int:
    member, config = find_membership(team), load_settings()
    paths = {str(Path(one).expanduser().resolve()) for one in home}

    def named(share: Share) -> bool:
        names = {share.project or name_home(share).split(".")[0], Path(share.home).name}
        return (not words and not paths) or share.home in paths or not names.isdisjoint(words)

    left = tuple(share for share in member.shares if not named(share))
    if len(left) == len(member.shares):
        raise UsageError(_("Nothing of that is shared: `memtui team status` lists what is."))
    member = member._replace(shares=left)
    save_membership(member)
    done = _exchange(member, config)
    if as_json:
        render.print_document({"shares": [one._asdict() for one in left], **_told(done)})
    elif done.error:
        render.print_remark(done.error)
        render.print_remark(_("It is removed from the server at the next sync."))
    else:
        count = done.pushed.gone
        render.print_line(
            _n(
                "{count} file is removed from the server.",
                "{count} files are removed from the server.",
                count,
            ).format(count=count)
        )
        render.print_remark(_("Others may have read it, and kept what they read."))
    return 4 if done.error else 0


def _find_shares(
    words: tuple[str, ...], paths: tuple[str, ...], layers: tuple[str, ...], config: Config
) -> list[Share]:
    """The homes and projects that are named. Raises UsageError for a name that is none."""
    if paths:
        homes = [home for path in paths for home in list_homes_at(Path(path))]
    else:
        homes = discover_homes(detect_surroundings(), map(Path, config.homes.paths), config.homes.exclude)
    homes = [home for home in homes if home.origin is None and not home.layout.startswith("file:")]
    found: list[Share] = []
    if not words and paths:
        return [Share(str(home.path), home.layout, "", layers) for home in homes]
    for word in words:
        whole = [
            home for home in homes if word in {home.label, home.path.name, Path(home.project or "/").name}
        ]
        parts = [home for home in homes if home not in whole and word in _list_projects(home)]
        if not whole and not parts:
            raise UsageError(
                _("No home or project is called {name}; there are: {names}.").format(
                    name=word,
                    names=", ".join(sorted({name for home in homes for name in _list_projects(home)})),
                )
            )
        found += [Share(str(home.path), home.layout, "", layers) for home in whole]
        found += [Share(str(home.path), home.layout, word, layers) for home in parts]
    if not found:
        raise UsageError(
            _("Name the projects to share, like `memtui team share shop`, or homes with --home.")
        )
    return found


def _list_projects(home: Home) -> set[str]:
    """What a home, and the projects that it keeps apart, are called."""
    layout = load_layout(home.layout)
    names = {home.label}
    try:
        for file in walk(home.path, partial(layout.role, home.path), partial(layout.prune, home.path)):
            if not isinstance(file, Problem) and file.role.project:
                names.add(file.role.project)
    except OSError:
        pass
    return names


def _write(words: tuple[str, ...], *, team: str, as_json: bool, **given: Any) -> int:
    """A file of the team's own home: HOME/PATH, its new text on stdin or in a file."""
    if len(words) not in {1, 2} or "/" not in words[0]:
        raise UsageError(
            _("Say `memtui team write HOME/PATH [FILE]`, like notes/MEMORY.md; the text comes on stdin.")
        )
    member = find_membership(team)
    home, _slash, path = words[0].partition("/")
    name = home if home.count(".") > 1 else f"{home}.memtui.000000"
    body = sys.stdin.buffer.read() if len(words) == 1 or words[1] == "-" else Path(words[1]).read_bytes()
    exchange = Exchange(member, load_settings())
    try:
        # What it was made from is what the mirror shows: whoever wrote it last before that has been read.
        seen = member.mirror / "@" / name / path
        link = exchange.open()
        base = seen.read_bytes() if seen.is_file() else None
        expected = "" if base is None else compute_etag(base)
        etag = change_team_file(link, member.team, name, path, expected, body)
        exchange.run(push=False)
    except ConflictError as error:
        if as_json:
            render.print_document({"conflict": True, "kept": error.kept, "path": error.path})
        else:
            theirs = render.diff_files(error.theirs, error.mine, path)
            for line in render.paint_diff(theirs):
                render.print_line(line)
        exchange.run(push=False)
        raise
    finally:
        exchange.close()
    if as_json:
        render.print_document({"conflict": False, "home": name, "path": path, "etag": etag})
    else:
        render.print_line(_("{path} of {team} is written.").format(path=words[0], team=member.team))
    return 0


# -- how it stands ----------------------------------------------------------------------------------------------------


def _status(words: tuple[str, ...], *, team: str, as_json: bool, **given: Any) -> int:
    members = [one for one in load_memberships() if team in {"", one.team}]
    fresh = {one.team: one for one in list_freshness()}
    if as_json:
        render.print_document(
            [
                {
                    "team": one.team, "audience": one.audience, "who": one.who, "machine": one.machine,
                    "server": one.dsn, "shares": [share._asdict() for share in one.shares],
                    "seen_at": fresh[one.team].seen_at or None, "error": fresh[one.team].error,
                    "homes": fresh[one.team].homes, "rev": load_cursor(one).rev, "mirror": str(one.mirror),
                }
                for one in members
            ]
        )  # fmt: skip
        return 0 if members else 1
    if not members:
        render.print_line(
            _("This machine is in no team. `memtui serve` begins one here, `memtui team join` joins one.")
        )
        return 1
    for one in members:
        state = fresh[one.team]
        moment = clock.convert_to_local(state.seen_at).strftime("%Y-%m-%d %H:%M") if state.seen_at else ""
        render.print_line(
            render.paint(describe_freshness(state, moment), render.BOLD)
            + f"  {one.who}@{one.machine}  "
            + _n("{count} home of others", "{count} homes of others", state.homes).format(count=state.homes)
        )
        if state.error:
            render.print_line("  " + render.make_safe_line(state.error))
        for share in one.shares:
            about = share.project or _("all of it")
            render.print_line(
                render.make_safe_line(
                    f"  {shorten_path(share.home)} ({share.layout}): {about}; {', '.join(share.layers)}"
                )
            )
        if not one.shares:
            render.print_line("  " + _("Nothing of yours is shared with it."))
    return 0


def run_sync(*, team: str, watch: bool, once: bool, as_json: bool) -> int:
    """Exchange with the teams, once or until somebody stops it."""
    config = load_settings()
    find_membership(team) if team else load_memberships() or find_membership()
    if watch and not once:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_given: stop.set())
        watch_all(config, stop, partial(_tell, as_json=as_json), team)
        return 0
    found = run_all(config, team)
    if as_json:
        render.print_document([{"team": one.team, **_told(one)} for one in found])
    else:
        for one in found:
            _print_exchanged(one)
    return max((3 if one.refused else 4 if one.error else 0) for one in found)


def _tell(done: Exchanged, *, as_json: bool) -> None:
    if as_json:
        # A line an exchange: whoever reads it reads a stream.
        import json

        sys.stdout.write(json.dumps({"team": done.team, **_told(done)}) + "\n")
    else:
        _print_exchanged(done)
    sys.stdout.flush()


# -- smaller things ---------------------------------------------------------------------------------------------------


def _exchange(member: Membership, config: Config) -> Exchanged:
    exchange = Exchange(member, config)
    try:
        return exchange.run()
    finally:
        exchange.close()


def _told(done: Exchanged) -> dict[str, Any]:
    return {
        "sent": done.pushed.sent, "gone": done.pushed.gone, "bytes": done.pushed.bytes, "shared": done.pushed.shared,
        "withheld": done.pushed.withheld, "away": list(done.pushed.away), "written": done.pulled.written,
        "removed": done.pulled.removed, "refused": done.pulled.refused, "rev": done.pulled.rev, "error": done.error,
    }  # fmt: skip


def _print_exchanged(done: Exchanged) -> int:
    if done.error:
        render.print_remark(f"{done.team}: {done.error}")
        return 3 if done.refused else 4
    sent, got = done.pushed, done.pulled
    render.print_line(
        _("{team}: {sent} sent ({bytes:,} bytes), {gone} removed; {written} received, {removed} gone").format(
            team=done.team,
            sent=sent.sent,
            bytes=sent.bytes,
            gone=sent.gone,
            written=got.written,
            removed=got.removed,
        )
    )
    for home in sent.away:
        render.print_remark(
            _("{home} could not be read whole: what it shares stays as it was.").format(home=home)
        )
    return 0


def _print_files(files: list[Shown | Problem]) -> None:
    rows = []
    for one in files:
        if isinstance(one, Problem):
            rows.append(("-", one.path, one.reason))
            continue
        told = [one.reason] if one.reason else []
        if one.masked:
            told.append(
                _n("{count} secret masked", "{count} secrets masked", one.masked).format(count=one.masked)
            )
        if one.dropped:
            told.append(
                _n("{count} line left out", "{count} lines left out", one.dropped).format(count=one.dropped)
            )
        rows.append((f"{one.size:,}" if one.etag else "-", one.path, "; ".join(told)))
    columns = [render.Column(_("BYTES"), right=True), render.Column(_("FILE"), grows=True), render.Column("")]
    render.print_table(columns, rows)


def _row(one: Shown) -> dict[str, Any]:
    return {
        "home": one.home, "path": one.path, "bytes": one.size, "leaves": bool(one.etag), "reason": one.reason,
        "masked": one.masked, "dropped": one.dropped,
    }  # fmt: skip


def _agree(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError(_("Nobody is there to answer: --yes shares it, --dry-run only shows it."))
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes", "j", "是"}


def _named(name: str) -> str:
    if not NAME.fullmatch(name):
        raise UsageError(
            _("'{name}' is no name here: lower-case letters, digits, '.', '_' and '-', 48 at most.").format(
                name=name
            )
        )
    return name


def _one(words: tuple[str, ...], what: str) -> str:
    if len(words) != 1:
        raise UsageError(_("Say {what}, like postgresql://ann@host/memtui.").format(what=what))
    return words[0]


def _try_or_ask(dsn: str) -> str:
    """The password, where the server wants one that libpq does not find and somebody is there to type it."""
    try:
        connect(dsn).close()
    except UnavailableError as error:
        if not re.search("password|authentication", str(error)) or not sys.stdin.isatty():
            raise
        return getpass.getpass(_("Password: "))
    return ""


def _join_line(dsn: str, who: str, team: str) -> str:
    """What that person types on their machine."""
    return f"memtui team join {shlex.quote(change_user(dsn, who))} --team {team}"


def _print_password(who: str, password: str) -> None:
    if password:
        render.print_line(_("  Password of {who}, shown once: {password}").format(who=who, password=password))


_TEAM = CommandOption(("--team",), "The team, where this machine is in several.", default="", metavar="NAME")

COMMAND = Command(
    "team",
    "Share memory between your machines, or with a team, over a PostgreSQL server.\n\n"
    "Nothing leaves this machine until `share` names projects and layers and shows every file. Your own files (L0), "
    "conversations, the evolution log, the scratchpad and what is marked #private never leave for a team; secrets are "
    "masked. What others share is a copy that you search and read like the rest, named by its owner.\n\n"
    "\b\n"
    "memtui team init postgresql://admin@host/memtui --team shop --who ann\n"
    "memtui team join postgresql://ann@host/memtui\n"
    "memtui team members add bob\n"
    "memtui team share shop --layer knowledge --dry-run",
    run,
    (
        Argument("verb", choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("words", many=True, metavar="[ADDRESS|PROJECT|NAME]"),
    ),
    (
        _TEAM,
        CommandOption(
            ("--me",), "With init: for the machines of one person; L0 may be shared, if named.", "flag"
        ),
        CommandOption(
            ("--who",), "With init: the first admin (default: whoever connects).", default="", metavar="NAME"
        ),
        CommandOption(("--machine",), "With join: what this machine is called.", default="", metavar="NAME"),
        CommandOption(
            ("--password-command",),
            "With join: a command that prints the password.",
            default="",
            metavar="COMMAND",
        ),
        CommandOption(
            ("--role",),
            "With members add: what they may do.",
            default="member",
            choices=ROLES,
            metavar="ROLE",
        ),
        CommandOption(
            ("--layer",),
            "With share: a layer; may be repeated (core, knowledge).",
            many=True,
            metavar="LAYER",
        ),
        CommandOption(("--home",), "With share: exactly this home.", "dir", many=True, metavar="PATH"),
        CommandOption(("--dry-run",), "With share: show what would leave; share nothing.", "flag"),
        CommandOption(("--yes", "-y"), "With share: without a question.", "flag"),
        CommandOption(("--local",), "With leave: forget it here, though the server is away.", "flag"),
        JSON,
    ),
    epilog="Needs the extra memtui[team]. Exit status: 0 done, 1 nothing there, 2 wrong use, 3 refused, 4 could not.",
)

SYNC = Command(
    "sync",
    "Send what you share and fetch what others share: once, or with --watch at every change on either side.",
    run_sync,
    (),
    (
        CommandOption(("--once",), "Once, which is what it does without --watch.", "flag"),
        CommandOption(("--watch",), "Until it is stopped; a server that is away is asked again.", "flag"),
        _TEAM,
        JSON,
    ),
    epilog="Exit status: 0 done, 2 in no team, 3 refused, 4 the server is away.",
)
