"""`memtui team`, `memtui sync` and `memtui serve`: one memory on several machines, and a team's."""

from __future__ import annotations

import getpass
import os
import secrets
import shlex
import signal
import sys
import threading
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import render, share_commands
from memtui.cli.opening import load_settings, shorten_path
from memtui.cli.options import JSON, Argument, Command, CommandOption, CommandVerb
from memtui.cli.share_commands import TEAM, dump_exchanged, exchange_now
from memtui.core import clock
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.fs.places import state
from memtui.team import tables, wheel_server
from memtui.team.membership import (
    NAME,
    Membership,
    PasswordError,
    change_user,
    connect,
    connect_member,
    describe_freshness,
    find_membership,
    is_this_machine,
    list_freshness,
    load_cursor,
    load_driver,
    load_memberships,
    name_machine,
    remove_membership,
    save_membership,
    save_password,
    shorten_address,
    split_password,
    translate_server_errors,
)
from memtui.team.pull import remove_mirror
from memtui.team.push import Pusher
from memtui.team.wheel_server import PORT

if TYPE_CHECKING:
    from collections.abc import Callable


VERBS = ("init", "join", "leave", "members", "share", "unshare", "write", "offer", "status")
ROLES = ("member", "admin", "reader")


def run(verb: str | None, words: tuple[str, ...], *, as_json: bool, **given: Any) -> int:
    """One verb; without one, the status."""
    verbs: dict[str, Callable[..., int]] = {
        "init": _init, "join": _join, "leave": _leave, "members": _show_members, "share": share_commands.share_homes,
        "unshare": share_commands.withdraw_homes, "write": share_commands.write_team_file,
        "offer": share_commands.offer_change,
        "status": _show_status,
    }  # fmt: skip
    return verbs[verb or "status"](words, as_json=as_json, **given)


# -- who is in it -----------------------------------------------------------------------------------------------------


def _init(words: tuple[str, ...], *, team: str, me: bool, who: str, as_json: bool, **given: Any) -> int:
    dsn, password = split_password(_take_one(words, _("the server's address")))
    name = _check_name(team or ("me" if me else "team"))
    link = connect(dsn, password=password or os.environ.get("PGPASSWORD", ""))
    try:
        before = tables.migrate(link)
        session = str(link.execute("SELECT session_user").fetchone()[0])
        admin = _check_name(who or session)
        there = link.execute("SELECT 1 FROM memtui.team WHERE id = %s", [name]).fetchone()
        fresh = "" if admin == session else secrets.token_urlsafe(18)
        if not there:
            tables.make_team(link, name, "me" if me else "team", admin, fresh)
    finally:
        link.close()
    if there and before == tables.VERSION:
        raise RefusedError(_("There is a team “{team}” on that server already.").format(team=name))
    line = _join_line(dsn, admin, name)
    if as_json:
        made = {"team": name, "audience": "me" if me else "team", "admin": admin, "version": tables.VERSION}
        render.print_document({**made, "migrated_from": before, "join": line, "password": fresh})
        return 0
    if before and before != tables.VERSION:
        render.print_line(_("The tables went from version {a} to {b}.").format(a=before, b=tables.VERSION))
    if not there:
        render.print_line(_("The team “{team}” is there; {who} is its admin. Join it:").format(team=name, who=admin))
        render.print_line(f"  {line}")
        _print_password(admin, fresh)
    return 0


def _join(
    words: tuple[str, ...], *, team: str, machine: str, password_command: str, yes: bool, as_json: bool, **given: Any
) -> int:  # fmt: skip
    dsn, password = split_password(_take_one(words, _("the server's address")))
    if not password and not password_command and not os.environ.get("PGPASSWORD"):
        password = _try_or_ask(dsn)
    link = connect(dsn, password=password, password_command=password_command)
    try:
        member = _enter_team(link, team, machine and _check_name(machine), replace=yes)
    finally:
        link.close()
    name, who, machine = member.team, member.who, member.machine
    if password:
        save_password(name, password)
    member = member._replace(dsn=dsn, password_command=password_command)
    save_membership(member)
    done = exchange_now(member, load_settings())
    if as_json:
        render.print_document(
            {"team": name, "audience": member.audience, "who": who, "machine": machine, **dump_exchanged(done)}
        )
        return 0
    told = _n(
        "You are in the team “{team}” as {who}@{machine}; {count} file of others is here.",
        "You are in the team “{team}” as {who}@{machine}; {count} files of others are here.",
        done.pulled.written,
    )
    if not done.pulled.written:
        told = _("You are in the team “{team}” as {who}@{machine}; nobody shares anything with it yet.")
    render.print_line(told.format(who=who, machine=machine, team=name, count=done.pulled.written))
    render.print_remark(
        _("Nothing of yours leaves until `memtui team share` names it. `memtui sync --watch` keeps it going.")
    )
    if os.environ.get("PGPASSWORD") and not password and not password_command:
        render.print_remark(
            _("PGPASSWORD is not kept: whatever exchanges later needs it, too, or ~/.pgpass. Join again to type it.")
        )
    return 0


def _enter_team(link: Any, team: str, machine: str, *, replace: bool) -> Membership:
    """This machine in the team, without its address. One that is in it already is found again; `replace`: so is one
    of that name that this machine does not know of any more.
    """
    tables.require_version(link)
    with translate_server_errors():
        teams = dict(link.execute("SELECT id, audience FROM memtui.team ORDER BY id").fetchall())
        who = str(link.execute("SELECT session_user").fetchone()[0])
    if not teams:
        raise RefusedError(_("{who} is in no team on that server: an admin adds members.").format(who=who))
    name = team or (next(iter(teams)) if len(teams) == 1 else "")
    if name not in teams:
        raise UsageError(_("Which team? --team is one of: {names}.").format(names=", ".join(teams)))
    before = next((one for one in load_memberships() if one.team == name), None)
    if before is not None and (before.who != who or machine not in {"", before.machine}):
        told = _("This machine is in a team “{team}” already, as {whose}: `memtui team leave {team}` first.")
        raise RefusedError(told.format(team=name, whose=f"{before.who}@{before.machine}"))
    found = before or Membership(name, teams[name], "", who, machine or name_machine(), str(uuid.uuid4()))
    with translate_server_errors():
        taken = link.execute(
            """INSERT INTO memtui.machine AS m (team, owner, machine, id) VALUES (%s, %s, %s, %s)
            ON CONFLICT (team, owner, machine) DO UPDATE SET id = excluded.id WHERE %s OR m.id = excluded.id
            RETURNING id""",
            [name, who, found.machine, found.id, replace],
        ).fetchone()
    if not taken:
        raise RefusedError(
            _(
                "Another machine of yours is called {machine} there: --machine gives this one its name. If it is this "
                "one come back, --yes lets it take that place; what it shared is withdrawn."
            ).format(machine=found.machine)
        )
    return found


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
                    link.execute("DELETE FROM memtui.machine WHERE team = %s AND owner = %s AND machine = %s", mine)
                    others = link.execute(
                        "SELECT machine FROM memtui.machine WHERE team = %s AND owner = %s", mine[:2]
                    ).fetchall()
                    if not others:
                        link.execute("SELECT memtui.remove_member(%s, %s)", mine[:2])
        finally:
            link.close()
    remove_mirror(member.mirror, load_settings().index.place)
    remove_membership(member.team)
    if as_json:
        render.print_document({"team": member.team, "left": not local and not others, "machine": member.machine})
    else:
        render.print_line(_("This machine has left the team “{team}”; its mirror is gone.").format(team=member.team))
        if not local and member.shares:
            render.print_remark(_("What you shared is removed from the server. Others may have read it."))
    return 0


def _show_members(words: tuple[str, ...], *, team: str, role: str, as_json: bool, **given: Any) -> int:
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


def _change_members(link: Any, member: Membership, words: tuple[str, ...], role: str, *, as_json: bool) -> int:
    verb, *names = words
    if verb not in {"add", "remove", "password"} or not names:
        raise UsageError(_("Say `members`, `members add NAME`, `members remove NAME` or `members password NAME`."))
    done: list[dict[str, Any]] = []
    for name in map(_check_name, names):
        if verb == "remove":
            with translate_server_errors():
                link.execute("SELECT memtui.remove_member(%s, %s)", [member.team, name])
            done.append({"who": name, "removed": True})
            continue
        there = link.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
        fresh = "" if there and verb == "add" else secrets.token_urlsafe(18)
        if verb == "add":
            tables.add_member(link, member.team, name, role, fresh)
        else:
            tables.set_password(link, member.team, name, fresh)
        line = _join_line(member.dsn, name, member.team)
        done.append({"who": name, **({"role": role} if verb == "add" else {}), "join": line, "password": fresh})
    if as_json:
        render.print_document(done)
        return 0
    for one in done:
        if "removed" in one:
            render.print_line(_("{who} reads nothing of the team any more, and shares nothing.").format(who=one["who"]))
            continue
        render.print_line(_("{who} joins with one line:").format(who=one["who"]))
        render.print_line(f"  {one['join']}")
        if one["password"]:
            _print_password(one["who"], one["password"])
        else:
            told = _("{who} is known to this server, and keeps the password. A new one: {command}")
            command = f"memtui team members password {one['who']}"
            render.print_remark(told.format(who=one["who"], command=command))
    if any("join" in one for one in done):
        _print_tunnel(member.dsn)
    return 0


def _print_tunnel(dsn: str) -> None:
    """How another machine gets to a server of the loopback: the line alone would ask that machine itself."""
    params = load_driver().conninfo.conninfo_to_dict(dsn)
    host = str(params.get("hostaddr") or params.get("host") or "")
    if host and not host.startswith(("/", "@")) and is_this_machine(host):
        # Who came through a tunnel knows the server by another name.
        own = wheel_server.name_host() if (state() / "team-server").is_dir() else "HOST"
        told = _("From another machine, first: ssh -N -L {port}:127.0.0.1:{port} {host}")
        render.print_remark(told.format(port=params.get("port", 5432), host=own))


# -- how it stands ----------------------------------------------------------------------------------------------------


def _show_status(words: tuple[str, ...], *, team: str, as_json: bool, **given: Any) -> int:
    members = [one for one in load_memberships() if team in {"", one.team}]
    fresh = {one.member.team: one for one in list_freshness()}
    if as_json:
        render.print_document(
            [
                {
                    "team": one.team, "audience": one.audience, "who": one.who, "machine": one.machine,
                    "server": one.dsn, "shares": [share._asdict() for share in one.shares],
                    "seen_at": fresh[one.team].seen_at or None, "error": fresh[one.team].error,
                    "homes": fresh[one.team].homes,
                    "not_copied": [large._asdict() for large in fresh[one.team].unmirrored],
                    "rev": load_cursor(one).rev, "mirror": str(one.mirror),
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
        moment = clock.format_minute(state.seen_at) if state.seen_at else ""
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
        for large in state.unmirrored:
            render.print_line("  " + render.make_safe_line(large.told))
        if not one.shares:
            render.print_line("  " + _("Nothing of yours is shared with it."))
    return 0


# -- a server of one's own ---------------------------------------------------------------------------------------------


def run_serve(*, folder: str | None, port: int | None, team: str, me: bool, once: bool, as_json: bool) -> int:
    """Start the server, say how others join and how it is backed up, and wait until somebody stops it."""
    place = Path(folder).expanduser().absolute() if folder else state() / "team-server"
    served = wheel_server.serve(place, PORT if port is None else port)
    stop = threading.Event()
    try:
        # A terminal that is closed ends it, too: nobody would be left to.
        for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            signal.signal(number, lambda *_given: stop.set())
        name = _check_name(team or ("me" if me else "team"))
        first = wheel_server.make_first_team(served, name, "me" if me else "team")
        backup = shlex.join(wheel_server.list_backup_words(served))
        if as_json:
            who, password = first or ("", "")
            render.print_document(
                {
                    "folder": str(served.folder), "port": served.port, "made": served.made, "who": who,
                    "password": password, "backup": backup, "owner": served.owner_dsn,
                    "join": _join_line(served.member_dsn, who, name) if first else None,
                }
            )  # fmt: skip
            sys.stdout.flush()
        else:
            _print_served(served, first, name, backup)
        while not once and not stop.is_set() and served.child.poll() is None:
            stop.wait(0.5)
        if served.child.poll() is not None and not stop.is_set():
            raise UnavailableError(_("The server has ended; its log is {path}.").format(path=served.folder / "log"))
    finally:
        wheel_server.stop_server(served.child)
    return 0


def _print_served(served: wheel_server.Served, first: tuple[str, str] | None, name: str, backup: str) -> None:
    render.print_line(
        _("The server runs on 127.0.0.1:{port}; its data is in {path}.").format(
            port=served.port, path=shorten_path(str(served.folder))
        )
    )
    if first:
        render.print_line(_("Join it here:"))
        render.print_line("  " + _join_line(served.member_dsn, first[0], name))
        _print_password(*first)
    render.print_line(_("Add somebody: memtui team members add NAME; it prints the line for them."))
    render.print_line(
        _("From another machine, first: ssh -N -L {port}:127.0.0.1:{port} {host}").format(
            port=served.port, host=wheel_server.name_host()
        )
    )
    render.print_line(_("Back it up while it runs: {command}").format(command=backup))
    render.print_remark(_("ctrl+c ends it."))


# -- smaller things ---------------------------------------------------------------------------------------------------


def _check_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise UsageError(
            _("'{name}' is no name here: lower-case letters, digits, '.', '_' and '-', 48 at most.").format(name=name)
        )
    return name


def _take_one(words: tuple[str, ...], what: str) -> str:
    if len(words) != 1:
        raise UsageError(_("Say {what}, like postgresql://ann@host/memtui.").format(what=what))
    return words[0]


def _try_or_ask(dsn: str) -> str:
    """The password, where the server wants one that libpq does not find and somebody is there to type it."""
    try:
        connect(dsn).close()
    except PasswordError:
        if not sys.stdin.isatty():
            raise
        with suppress(EOFError):
            return getpass.getpass(_("Password: "))
        raise
    return ""


def _join_line(dsn: str, who: str, team: str) -> str:
    """What that person types on their machine."""
    return f"memtui team join {shlex.quote(shorten_address(change_user(dsn, who)))} --team {team}"


def _print_password(who: str, password: str) -> None:
    if password:
        render.print_line(_("  Password of {who}, shown once: {password}").format(who=who, password=password))


_OWN_VERBS = (
    CommandVerb(
        "init",
        "ADDRESS",
        "Make the tables of a team on a PostgreSQL server, or bring them up to date, and a team with its first admin. "
        "The role that ADDRESS names owns the tables and makes a role for each member, so it needs CREATEROLE; its "
        "password comes from PGPASSWORD, ~/.pgpass or the address, and is not kept.",
        ("--team", "--who", "--me"),
        (
            "memtui team init postgresql://admin@db.example/memtui --team shop --who ann",
            "memtui team init postgresql://admin@db.example/memtui --me",
        ),
    ),
    CommandVerb(
        "join",
        "ADDRESS",
        "Make this machine one of yours in a team, and fetch what the others share. Nothing of yours leaves. The "
        "password is asked for where neither PGPASSWORD, ~/.pgpass nor a command gives it, and kept in a file that "
        "only you can read.\n\n"
        "Joining again, with the same or another address, takes a new password and forgets nothing.\n\n"
        "Beyond this machine the connection is encrypted and the server's name is verified; an sslmode or sslrootcert "
        "in ADDRESS says otherwise.",
        ("--team", "--machine", "--password-command", "--yes"),
        (
            "memtui team join postgresql://ann@db.example/memtui",
            "memtui team join 'postgresql://ann@db.example/memtui?sslrootcert=/etc/ssl/our-ca.pem'",
            "memtui team join service=memtui --machine laptop --password-command 'pass show memtui'",
        ),
    ),
    CommandVerb(
        "leave",
        "[TEAM]",
        "Take this machine out of a team: what it shares is removed from the server, the copies of what others share "
        "from this machine. With your last machine you leave the team. --local forgets it here, though the server is "
        "away.",
        ("--team", "--local"),
        ("memtui team leave", "memtui team leave shop --local"),
    ),
    CommandVerb(
        "members",
        "[add|remove|password NAME…]",
        "Who is in the team, with which machines, and how much they share. An admin adds people, who get a line to "
        "join with and a password, shown once; changes what they may do; makes a new password for who lost theirs; and "
        "removes them, with all they share.",
        ("--team", "--role"),
        (
            "memtui team members",
            "memtui team members add bob",
            "memtui team members add carol --role reader",
            "memtui team members password bob",
            "memtui team members remove bob",
        ),
    ),
    CommandVerb(
        "status",
        "",
        "The teams of this machine: as of when the copies are right, why the server could not be asked since, and what "
        "you share. It asks nobody; `memtui sync` does.",
        ("--team",),
        ("memtui team", "memtui team status --json"),
    ),
)

COMMAND = Command(
    "team",
    "Share memory between your machines, or with a team, over a PostgreSQL server.\n\n"
    "Nothing leaves this machine until `share` names projects and layers and shows every file. Your own files (L0), "
    "conversations, the evolution log, the scratchpad and what is marked #private never leave for a team; secrets are "
    "masked. What others share is a copy that you search and read like the rest, named by its owner.\n\n"
    "`memtui team VERB --help` explains each verb, `memtui help team` all of it.\n\n"
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
        TEAM,
        CommandOption(("--me",), "With init: for the machines of one person; L0 may be shared, if named.", "flag"),
        CommandOption(
            ("--who",), "With init: the first admin (default: whoever connects).", default="", metavar="NAME"
        ),
        CommandOption(("--machine",), "With join: what this machine is called.", default="", metavar="NAME"),
        CommandOption(
            ("--password-command",), "With join: a command that prints the password.", default="", metavar="COMMAND"
        ),
        CommandOption(
            ("--role",), "With members add: what they may do.", default="member", choices=ROLES, metavar="ROLE"
        ),
        CommandOption(
            ("--layer",), "With share: a layer; may be repeated (core, knowledge).", many=True, metavar="LAYER"
        ),
        CommandOption(("--home",), "With share: exactly this home.", "dir", many=True, metavar="PATH"),
        CommandOption(("--dry-run",), "With share: show what would leave; share nothing.", "flag"),
        CommandOption(
            ("--yes", "-y"),
            "With share: without a question. With join: in the place of your machine of that name.",
            "flag",
        ),
        CommandOption(("--local",), "With leave: forget it here, though the server is away.", "flag"),
        JSON,
    ),
    epilog="Needs the extra memtui[team]. Exit status: 0 done, 1 nothing there, 2 wrong use, 3 refused, 4 could not.",
    verbs=(*_OWN_VERBS, *share_commands.VERBS),
)

SERVE = Command(
    "serve",
    "Run a PostgreSQL of your own for a team, or for your machines (--me), as this user, until it is stopped.\n\n"
    "It listens on this machine only; others come through ssh. The first time it makes a team with you as its admin, "
    "and prints the line that joins it and your password, once.",
    run_serve,
    (),
    (
        CommandOption(("--folder",), "Where its data is (default: in the state directory).", "dir", metavar="DIR"),
        CommandOption(("--port",), "The port on the loopback (8378).", "int", least=1, metavar="N"),
        CommandOption(("--team",), "What the first team is called.", default="", metavar="NAME"),
        CommandOption(("--me",), "The first team is for your own machines.", "flag"),
        CommandOption(("--once",), "Make it, say how it stands, and end it.", "flag"),
        JSON,
    ),
    epilog="Needs the extra memtui[team-server]. Exit status: 0 stopped, 3 refused, 4 could not.",
)
