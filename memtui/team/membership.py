"""Which teams this machine is in, what is shared with each, and the connection to their servers.

A membership is one small file of the state directory; a password never stands in it. It comes from the environment,
from ~/.pgpass, from a command, or from a file of memtui's own in the form of .pgpass, which only this user can read.
"""

from __future__ import annotations

import configparser
import ipaddress
import json
import os
import platform
import re
import shlex
import subprocess
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from memtui.core.errors import RefusedError, UnavailableError, UsageError, name_install_command
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.fs.places import find_cache_directory, make_private_directory, replace_private_file, state
from memtui.layouts.discovery import CURSOR, UNMIRRORED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

Audience = Literal["me", "team"]
"""Who reads it: the same person on other machines, or colleagues."""

NAME = compile_pattern(r"[a-z0-9][a-z0-9._-]{0,47}")
"""Names of teams, people and machines: they are parts of paths."""
_TRIED = compile_pattern(r"(?m)^.*?connection to server [^\n]*? failed: (?:FATAL:\s+)?([^\n]+)")
_PASSWORD = compile_pattern("no password supplied|authentication failed")
_SAID = compile_pattern(
    r"(?P<writer>\S+) may not write in the team (?P<read>\S+)$|(?P<member>\S+) is no admin of the team (?P<asked>\S+)$"
    r"|(?P<setter>\S+) may not set the password of (?P<whose>\S+)$"
    r"|The team (?P<mine>\S+) is for the machines of one person|The team (?P<last>\S+) would be left without an admin"
)
"""What our own functions on the server say, in the one language that they know."""
_SECONDS = 5
"""To wait for a server that does not answer."""


class PasswordError(UnavailableError):
    """The server wants a password that it was not given, or does not take the one that it was."""


class Share(NamedTuple):
    """What a person shares of one home."""

    home: str
    """The path of the home: another of the same name is another home."""
    layout: str
    project: str
    """Only files of this project; empty: the whole home."""
    layers: tuple[str, ...]


class Membership(NamedTuple):
    """This machine in one team."""

    team: str
    audience: Audience
    dsn: str
    """Where the server is, as libpq has it: a URL, 'host=… dbname=…' or 'service=…'. No password."""
    who: str
    """The database role: whose files these are."""
    machine: str
    id: str
    """Tells this machine from another that is called the same."""
    shares: tuple[Share, ...] = ()
    password_command: str = ""
    """Prints the password; empty: libpq finds it."""

    @property
    def mirror(self) -> Path:
        """Where what others share is kept."""
        return find_cache_directory() / "team" / self.team


def load_memberships() -> list[Membership]:
    """Every team that this machine is in; files that cannot be read are passed over."""
    try:
        names = sorted(os.listdir(_find_folder()))
    except OSError:
        return []
    found = []
    for name in names:
        if name.endswith(".json"):
            with suppress(OSError, ValueError, TypeError, KeyError):
                plain = json.loads((_find_folder() / name).read_bytes())
                shares = tuple(
                    Share(one["home"], one["layout"], one["project"], tuple(one["layers"]))
                    for one in plain.pop("shares")
                )
                member = Membership(**plain, shares=shares)
                if NAME.fullmatch(member.team) and member.audience in {"me", "team"}:
                    found.append(member)
    return found


def stamp_memberships() -> int:
    """Another number whenever a membership came, went or changed; cheap."""
    try:
        return _find_folder().stat().st_mtime_ns
    except OSError:
        return 0


def find_membership(team: str = "") -> Membership:
    """The membership in that team, or in the only one. Raises UsageError, with what to do."""
    found = [member for member in load_memberships() if team in {"", member.team}]
    if not found:
        raise UsageError(
            _("This machine is in no team: `memtui team join` joins one.")
            if not team
            else _("This machine is not in the team “{team}”.").format(team=team)
        )
    if len(found) > 1:
        names = ", ".join(member.team for member in found)
        raise UsageError(_("Which team? --team is one of: {names}.").format(names=names))
    return found[0]


def save_membership(member: Membership) -> None:
    """Keep it, in one step."""
    plain = member._asdict() | {"shares": [share._asdict() for share in member.shares]}
    write_private(_find_folder() / f"{member.team}.json", json.dumps(plain, ensure_ascii=False, indent=1).encode())


def remove_membership(team: str) -> None:
    """Forget it, and its password."""
    (_find_folder() / f"{team}.json").unlink(missing_ok=True)
    (_find_folder() / f"{team}.pgpass").unlink(missing_ok=True)


def save_password(team: str, password: str) -> None:
    """Keep a team's password where only this user reads it, in the form that libpq reads."""
    escaped = password.replace("\\", "\\\\").replace(":", "\\:")
    write_private(_find_folder() / f"{team}.pgpass", f"*:*:*:*:{escaped}\n".encode())


def write_private(path: Path, data: bytes) -> None:
    """A small file that only this user can read, whole or not at all. Raises UnavailableError."""
    try:
        replace_private_file(path, data)
    except OSError as error:
        raise UnavailableError(
            _("{path} cannot be written: {reason}").format(path=path, reason=error.strerror)
        ) from error


def _find_folder() -> Path:
    return state() / "team"


def find_exchange_lock(member: Membership) -> Path:
    """Held by whoever writes into the mirror, or pushes."""
    folder = state() / "locks"
    make_private_directory(folder)
    return folder / f"team-{member.team}.lock"


class Cursor(NamedTuple):
    """How far the mirror is, and when it last was right."""

    born: str = ""
    """Which team it is, should one of the same name be made anew."""
    rev: int = 0
    at: float = 0.0
    """When the server was last asked, in seconds; 0: never."""
    error: str = ""
    """Why it could not be asked since; empty: it could."""
    tried: float = 0.0


def load_cursor(member: Membership) -> Cursor:
    """How far the mirror is."""
    with suppress(OSError, ValueError, TypeError):
        plain = json.loads((member.mirror / CURSOR).read_bytes())
        return Cursor(**{name: plain[name] for name in Cursor._fields if name in plain})
    return Cursor()


def save_cursor(member: Membership, cursor: Cursor) -> None:
    """Note how far the mirror is, and whose it is. Raises UnavailableError."""
    write_private(member.mirror / CURSOR, json.dumps({**cursor._asdict(), "who": member.who}).encode())


class Unmirrored(NamedTuple):
    """A home that others share and this machine does not copy."""

    folder: str
    """`<owner>@<machine>/<home>`, as its copy would be called."""
    id: int
    """Its number on the server."""
    files: int
    size: int
    chunks: int
    meant: int = 0
    """Memories with a vector there; -1: the server cannot search by meaning."""
    started: bool = False
    """What a session is given of it at its start is here."""

    @property
    def told(self) -> str:
        """For a person: whose and which, how much, and what that means."""
        whose, _slash, home = self.folder.partition("/")
        told = _("{home} of {whose}: {size:,} MB, searched on the server; a file comes when you open it")
        if self.meant < 0:
            told = _(
                "{home} of {whose}: {size:,} MB, searched on the server by words alone, for it has no pgvector; a file "
                "comes when you open it"
            )
        elif not self.meant:
            told = _(
                "{home} of {whose}: {size:,} MB, searched on the server by words, for its owner has sent no vectors; a "
                "file comes when you open it"
            )
        return told.format(home=home.rsplit(".", 2)[0], whose=whose, size=(self.size >> 20) + 1)


def load_unmirrored(member: Membership) -> list[Unmirrored]:
    """As of the last pull."""
    with suppress(OSError, ValueError, TypeError):
        return [Unmirrored(*plain) for plain in json.loads((member.mirror / UNMIRRORED).read_bytes())]
    return []


def save_unmirrored(member: Membership, homes: Sequence[Unmirrored]) -> None:
    """Note them beside the copies."""
    if homes:
        write_private(member.mirror / UNMIRRORED, json.dumps(homes).encode())
    else:
        (member.mirror / UNMIRRORED).unlink(missing_ok=True)


class Freshness(NamedTuple):
    """How a membership stands, without asking anybody."""

    member: Membership
    seen_at: float
    """When its mirror last was right, in seconds; 0: never."""
    error: str
    """Why the server could not be asked since; empty: it could."""
    homes: int
    """That others share, copied or not."""
    unmirrored: Sequence[Unmirrored] = ()


def list_freshness() -> list[Freshness]:
    """How the mirrors of this machine's teams stand; cheap, and without a connection."""
    found = []
    for member in load_memberships():
        cursor = load_cursor(member)
        apart = load_unmirrored(member)
        folders = {one.folder for one in apart}
        for path in member.mirror.glob("*@*/*"):
            if path.is_dir():
                folders.add(f"{path.parent.name}/{path.name}")
        found.append(Freshness(member, cursor.at, cursor.error, len(folders), apart))
    return found


def describe_freshness(one: Freshness, moment: str) -> str:
    """A team's freshness in a few words; `moment` is the time of `seen_at`, as a person reads it."""
    team = one.member.team
    if not one.seen_at:
        told = _("{team}: not synced yet").format(team=team)
    else:
        told = _("{team}: as of {moment}").format(team=team, moment=moment)
    return told + (_(", offline") if one.error else "")


def load_driver() -> Any:
    """psycopg, which the extra brings. Raises UnavailableError with the command that installs it."""
    try:
        return import_module("psycopg")
    except ImportError:
        told = _("Sharing needs memtui[team]: {command}")
        raise UnavailableError(told.format(command=name_install_command("psycopg[binary]"))) from None


def split_password(dsn: str) -> tuple[str, str]:
    """A connection string without its password, and the password. Raises UsageError where it is none."""
    psycopg = load_driver()
    try:
        params = psycopg.conninfo.conninfo_to_dict(dsn)
    except psycopg.Error as error:
        raise UsageError(
            _("That is no address like postgresql://ann@host/memtui: {reason}").format(reason=_first_line(error))
        ) from None
    password = str(params.pop("password", "") or "")
    return cast("str", psycopg.conninfo.make_conninfo("", **params)), password


def change_user(dsn: str, who: str) -> str:
    """The same server for another person."""
    conninfo = load_driver().conninfo
    return cast("str", conninfo.make_conninfo("", **{**conninfo.conninfo_to_dict(dsn), "user": who}))


def shorten_address(dsn: str) -> str:
    """An address as people write it, postgresql://ann@host/memtui, where it says no more than that can."""
    params = load_driver().conninfo.conninfo_to_dict(dsn)
    host = str(params.get("host", ""))
    if not {"user", "host", "dbname"} <= set(params) <= {"user", "host", "port", "dbname"}:
        return dsn
    if not all(re.fullmatch(r"[\w.-]+", str(value)) for value in params.values()):
        return dsn
    port = f":{params['port']}" if "port" in params else ""
    return f"postgresql://{params['user']}@{host}{port}/{params['dbname']}"


def fill_address(dsn: str) -> dict[str, Any]:
    """What a connection string says, as the driver takes it, with what it leaves open."""
    psycopg = load_driver()
    params = {
        "connect_timeout": _SECONDS,
        "application_name": "memtui",
        # A network that goes away says nothing of it: the system would wait for a quarter of an hour.
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 20_000,
        **psycopg.conninfo.conninfo_to_dict(dsn),
    }
    service = _read_service(str(params.get("service") or os.environ.get("PGSERVICE", "")))
    named = params.get("sslmode") or service.get("sslmode") or os.environ.get("PGSSLMODE")
    host = str(params.get("host") or service.get("host") or os.environ.get("PGHOST", ""))
    if not named and not is_this_machine(str(params.get("hostaddr") or host)):
        params["sslmode"] = "verify-full"
        certificates = params.get("sslrootcert") or service.get("sslrootcert") or os.environ.get("PGSSLROOTCERT")
        if not certificates and not os.path.exists(os.path.expanduser("~/.postgresql/root.crt")):
            params["sslrootcert"] = "system"
    return params


def connect(dsn: str, *, team: str = "", password: str = "", password_command: str = "") -> Any:
    """A connection in autocommit. TLS with the server's name verified, beyond this very machine, where the address
    does not say otherwise. Raises UnavailableError, RefusedError.
    """
    psycopg = load_driver()
    params = fill_address(dsn)
    own = _find_folder() / f"{team}.pgpass"
    if password_command and not password:
        password = _ask(password_command)
    if password:
        params["password"] = password
    elif team and own.exists() and not params.get("passfile"):
        params["passfile"] = str(own)
    with translate_server_errors(params):
        link = psycopg.connect(**params, autocommit=True)
        link.execute("SET statement_timeout = '10min'")
    return link


def connect_member(member: Membership) -> Any:
    """The connection of a membership. Raises as `connect` does."""
    return connect(member.dsn, team=member.team, password_command=member.password_command)


def is_this_machine(host: str) -> bool:
    """Whether a connection to this host leaves the machine not: a socket, or the loopback."""
    if not host or host.startswith(("/", "@")) or host.lower() == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return all(map(is_this_machine, host.split(","))) if "," in host else False


@contextmanager
def translate_server_errors(params: Mapping[str, Any] | None = None) -> Iterator[None]:
    """What the driver raises as our own errors: a server that is away, a right that is missing.

    `params`: of the connection that is being made.
    """
    psycopg = load_driver()
    try:
        yield
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.CheckViolation) as error:
        told = _translate_sentence(_first_line(error))
        raise RefusedError(
            told or _("The team's server refused it: {reason}").format(reason=_first_line(error))
        ) from error
    except psycopg.errors.RaiseException as error:
        raise RefusedError(_translate_sentence(_first_line(error)) or _first_line(error)) from error
    except psycopg.OperationalError as error:
        told = _explain_connection(str(error), _fill_service(params)) if params else ""
        kind = PasswordError if _PASSWORD.search(str(error)) else UnavailableError
        raise kind(
            told or _("The team's server does not answer: {reason}").format(reason=_first_line(error))
        ) from error
    except psycopg.Error as error:
        raise UnavailableError(
            _("The team's server could not do it: {reason}").format(reason=_first_line(error))
        ) from error


def _fill_service(params: Mapping[str, Any]) -> dict[str, Any]:
    """What a connection is made with, by what a service or the environment says, too."""
    named = {name: os.environ.get(f"PG{name.upper()}") for name in ("host", "port", "user", "service")}
    found = {name: value for name, value in named.items() if value}
    service = _read_service(str(params.get("service") or found.get("service", "")))
    return {**found, **service, **params}


def _translate_sentence(said: str) -> str:
    """What a function of ours on the server said, in the person's language; empty: it is none of its sentences."""
    found = _SAID.search(said)
    if found is None:
        return ""
    named = {key: value for key, value in found.groupdict().items() if value}
    if "read" in named:
        told = _("{who} may only read in the team “{team}”: an admin can change that.")
        return told.format(who=named["writer"], team=named["read"])
    if "asked" in named:
        told = _("{who} is no admin of the team “{team}”: only an admin does that.")
        return told.format(who=named["member"], team=named["asked"])
    if "whose" in named:
        told = _("{who} may not set the password of {other}: that does an admin of all the teams they are in.")
        return told.format(who=named["setter"], other=named["whose"])
    if "mine" in named:
        return _("The team “{team}” is for the machines of one person.").format(team=named["mine"])
    return _(
        "The team “{team}” would be left without an admin: `memtui team members add NAME --role admin` makes "
        "somebody else one first."
    ).format(team=named["last"])


def _explain_connection(said: str, params: Mapping[str, Any]) -> str:
    """Why there is no connection and what to do about it, for a person; empty: what the driver says has to do."""
    host, who = (str(params.get("host") or params.get("hostaddr") or "localhost"), str(params.get("user") or ""))
    where = host if host.startswith("/") else f"{host}:{params.get('port') or 5432}"
    sentences = (
        ("no password supplied", _("{where} asks {who} for a password: PGPASSWORD, ~/.pgpass or --password-command "
                                   "gives it, and `memtui team join` in a terminal asks for it.")),
        ("authentication failed", _("{where} does not take the password of {who}. `memtui team join` with the same "
                                    "address takes a new one.")),
        ("role .* does not exist", _("{where} knows nobody called {who}: an admin of the team adds members.")),
        ("database .* does not exist", _("{where} has no database of that name: it stands at the end of the address. "
                                         "({reason})")),
        ("pg_hba", _("{where} does not let {who} in from this machine: its pg_hba.conf says who may. ({reason})")),
        ("not support SSL", _("{where} speaks no TLS, and beyond this machine nothing is sent without it. Go through "
                              "`ssh -L`, or, in a network of your own, add ?sslmode=prefer to the address.")),
        ("not match host name", _("{where} shows a certificate of another name: {reason}. The address has to name the "
                                  "server as its certificate does.")),
        ("certificate", _("{where} cannot prove that it is the one: {reason}. ?sslrootcert=FILE in the address names "
                          "the certificate of your own authority.")),
        ("resolve host|translate host name", _("No machine is called {host}, or there is no network here.")),
        ("refused|No such file", _("Nothing listens at {where}: does the server run, and is that its port?")),
        ("timeout|timed out", _("{where} does not answer: is it reached from here, by a VPN or `ssh -L`?")),
        ("definition of service", _("The service is not in ~/.pg_service.conf: {reason}.")),
    )  # fmt: skip
    told = next((sentence for pattern, sentence in sentences if re.search(pattern, said)), "")
    reason = _first_line(RuntimeError(said)).removeprefix("connection is bad: ").rstrip(".")
    return told.format(where=where, host=host, who=who or _("you"), reason=reason)


def _first_line(error: Exception) -> str:
    """What the driver says, in one line and without the connection string."""
    told = str(getattr(getattr(error, "diag", None), "message_primary", None) or error).strip()
    # Of the addresses that one name has, the last one tried is told of.
    tried = _TRIED.findall(told)
    return str(tried[-1] if tried else (told.splitlines() or [type(error).__name__])[0]).strip()


def _ask(command: str) -> str:
    try:
        done = subprocess.run(
            shlex.split(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        if isinstance(error, subprocess.CalledProcessError):
            why = _("it ended with {status}").format(status=error.returncode)
        elif isinstance(error, subprocess.TimeoutExpired):
            why = _("it did not end")
        else:
            why = getattr(error, "strerror", None) or str(error)
        told = _("The command that gives the team's password failed: {command}: {reason}.")
        # What stands behind the program's name may be nobody else's business.
        program = (command.split() or [""])[0]
        raise UnavailableError(told.format(command=program, reason=why)) from None
    return done.stdout.removesuffix("\n")


def _read_service(name: str) -> dict[str, str]:
    """What a service file says of that service; libpq reads it, too."""
    if not name:
        return {}
    reader = configparser.RawConfigParser()
    with suppress(OSError, configparser.Error, UnicodeDecodeError):
        reader.read([os.environ.get("PGSERVICEFILE") or os.path.expanduser("~/.pg_service.conf")])
        return dict(reader.items(name)) if reader.has_section(name) else {}
    return {}


def name_machine() -> str:
    """What this machine is called, as a part of a path."""
    plain = re.sub(r"[^a-z0-9-]+", "-", platform.node().split(".")[0].lower()).strip("-")
    return plain[:48] or "machine"
