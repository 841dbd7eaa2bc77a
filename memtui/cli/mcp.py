"""`memtui mcp`: the tools for agents as an MCP server, over pipes or a loopback socket (spec 001 §9)."""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import settings, short
from memtui.errors import UnavailableError, UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.agents.mcp.projects import Projects


FILES = 8192
"""Files that the server may have open, where the system lets it."""


def run(
    *,
    http: bool,
    port: int | None,
    host: str | None,
    token_file: str | None,
    allow_host: tuple[str, ...],
    project: str | None,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """Serve until the client goes, or somebody stops it."""
    from memtui.agents import mcp

    why = mcp.why_not()
    if why:
        raise UnavailableError(why)
    if not http and (port is not None or host or token_file or allow_host or as_json):
        raise UsageError(_("--port, --host, --token-file, --allow-host and --json are for --http."))
    # It runs for days, unlike every other command, and each of its threads opens each home's index.
    gc.enable()
    _many_files()
    if not http:
        return _pipes(project or "", home)
    from memtui.agents.mcp import loopback

    hosts = tuple(map(loopback.host, allow_host))
    secret, place = loopback.token(Path(token_file).expanduser() if token_file else None)
    at = loopback.bound(host or "127.0.0.1", loopback.PORT if port is None else port)
    projects = _projects(project or "", home, only_known=True)

    def ready(address: str) -> None:
        if as_json:
            output.document({"address": address, "token_file": str(place), "pid": os.getpid()})
            sys.stdout.flush()
        output.talk(_("Listening at {address}").format(address=address))
        output.talk(_("Clients show the token in {place}").format(place=short(str(place))))

    loopback.serve(projects, at, secret, ready, hosts)
    projects.close()
    return 0


def _many_files() -> None:
    """Some systems let a process open 256 files where nobody says more; it may say so itself."""
    if os.name == "nt":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    with suppress(OSError, ValueError):
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _pipes(project: str, home: tuple[str, ...]) -> int:
    from memtui.agents.mcp import pipes

    if sys.stdin.isatty():
        output.talk(_("This is for an MCP client to start, and waits for one to speak. Ctrl-C ends it."))
    wire = pipes.claimed()
    projects = _projects(project, home)
    try:
        pipes.serve(projects, wire)
    except (OSError, ExceptionGroup):
        # It went in the middle of an answer: nothing is left to be served, and nobody to tell.
        output.talk(_("The client has gone."))
    projects.close()
    sys.stderr.flush()
    if threading.active_count() > 1:
        # A search that nobody waits for any more would keep the process alive.
        os._exit(0)
    return 0


def _projects(project: str, home: tuple[str, ...], *, only_known: bool = False) -> Projects:
    from memtui.agents.mcp.projects import Projects
    from memtui.agents.where import placed
    from memtui.layouts.discovery import at

    found = Projects(settings(), home, project, only_known=only_known)
    # What is wrong with them is said now, not to each client with each call.
    placed(started=project)
    for name in home:
        at(Path(name))
    return found


COMMAND = Command(
    "mcp",
    "Serve memory to agents over MCP: search, read, note, propose.\n\n"
    "Over standard input and output, as clients start it; with --http on a loopback address, for several clients or, "
    "behind a proxy of yours, several machines: a token is needed, which is kept in a file that only you can read. "
    "Which project a call is about its own parameter says, else --project, MEMTUI_PROJECT, CLAUDE_PROJECT_DIR, the "
    "client's roots, and last the directory it was started in.",
    run,
    (),
    (
        Option(("--http",), "Serve streamable HTTP, at /mcp.", "flag"),
        Option(("--port",), "The port; 0: any that is free (8377).", "int", least=0, metavar="N"),
        Option(("--host",), "The loopback address (127.0.0.1).", metavar="ADDRESS"),
        Option(("--token-file",), "The file with the token; made where it is missing.", metavar="FILE"),
        Option(
            ("--allow-host",),
            "A name by which your proxy passes requests on, like memory.example.org; may be given several times.",
            many=True,
            metavar="NAME",
        ),
        Option(
            ("--project",), "The project's directory, where no call says otherwise.", "dir", metavar="DIR"
        ),
        *EVERYWHERE,
    ),
    epilog="Needs the extra: pip install 'memtui[mcp]'. Exit status: 0 the client left, 2 wrong use, 4 could not.",
)
