"""The server of `memtui mcp`, over pipes or a loopback socket: only here does the command line need the SDK."""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

from memtui.agents.caller import place_call
from memtui.agents.mcp import open_projects, transport
from memtui.agents.mcp.open_projects import OpenProjects
from memtui.cli import render
from memtui.cli.opening import load_settings, shorten_path
from memtui.core.errors import UsageError
from memtui.core.locale import _, choose_language
from memtui.layouts.discovery import open_home_at

FILES = 8192
"""Files that the server may have open, where the system lets it."""


def serve_mcp(
    *,
    http: bool,
    port: int | None,
    host: str | None,
    token_file: str | None,
    allow_host: tuple[str, ...],
    new_project: tuple[str, ...],
    project: str | None,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """Serve until the client goes, or somebody stops it."""
    if not http and (port is not None or host or token_file or allow_host or new_project or as_json):
        raise UsageError(_("--port, --host, --token-file, --allow-host, --new-project and --json are for --http."))
    # It runs for days, unlike every other command, and each of its threads opens each home's index.
    gc.enable()
    _allow_many_files()
    choose_language("en")
    if not http:
        return _serve_over_pipes(project or "", home)

    hosts = tuple(map(transport.check_host, allow_host))
    secret, place = "", open_projects.locate_tokens()
    if token_file or not any(not one.revoked for one in open_projects.list_tokens()):
        # Where people have tokens of their own nobody needs one that says nothing of who shows it.
        secret, place = transport.read_token(Path(token_file).expanduser() if token_file else None)
    at = transport.bound(host or "127.0.0.1", transport.PORT if port is None else port)
    projects = _open_projects_of(project or "", home, only_known=True, new=new_project)

    def ready(address: str) -> None:
        """Say where it is, and what clients show."""
        if as_json:
            render.print_document({"address": address, "token_file": str(place), "pid": os.getpid()})
            sys.stdout.flush()
        render.print_remark(_("Listening at {address}").format(address=address))
        if secret:
            told = _("Clients show the token in {place}").format(place=shorten_path(str(place)))
        else:
            told = _("Clients show their own tokens: `memtui mcp tokens` lists them.")
        render.print_remark(told)

    transport.serve(projects, at, open_projects.TokenBook(secret), ready, hosts)
    projects.close()
    return 0


def _allow_many_files() -> None:
    """Some systems let a process open 256 files where nobody says more; it may say so itself."""
    if os.name == "nt":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    with suppress(OSError, ValueError):
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _serve_over_pipes(project: str, home: tuple[str, ...]) -> int:
    if sys.stdin.isatty():
        render.print_remark(_("This is for an MCP client to start, and waits for one to speak. Ctrl-C ends it."))
    wire = transport.claim_streams()
    projects = _open_projects_of(project, home)
    try:
        transport.serve_pipes(projects, wire)
    except (OSError, ExceptionGroup):
        # It went in the middle of an answer: nothing is left to be served, and nobody to tell.
        render.print_remark(_("The client has gone."))
    projects.close()
    sys.stderr.flush()
    if threading.active_count() > 1:
        # A search that nobody waits for any more would keep the process alive.
        os._exit(0)
    return 0


def _open_projects_of(
    project: str, home: tuple[str, ...], *, only_known: bool = False, new: tuple[str, ...] = ()
) -> OpenProjects:
    found = OpenProjects(load_settings(), home, project, only_known=only_known, new=new)
    # What is wrong with them is said now, not to each client with each call.
    place_call(started=project)
    for name in home:
        open_home_at(Path(name))
    return found
