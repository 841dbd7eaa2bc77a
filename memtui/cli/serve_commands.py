"""`memtui tool` and `memtui mcp`: the tools for agents.

`tool` calls one from the command line, the same function that the MCP server has; `mcp` is that server, over
pipes or a loopback socket (spec 001 §9).
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.agents import mcp, tools
from memtui.agents.caller import open_caller, place_call
from memtui.agents.mcp import transport
from memtui.agents.mcp.server import OpenProjects
from memtui.cli import render
from memtui.cli.opening import load_settings, shorten_path
from memtui.cli.options import EVERYWHERE, Argument, Command, CommandOption
from memtui.core.errors import MemtuiError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.layouts.discovery import open_home_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.agents.caller import Caller

LARGEST = 1024 * 1024
"""Bytes of arguments that are taken from stdin."""


def run_tool(
    name: str | None,
    given: tuple[str, ...],
    *,
    project: str | None,
    agent: str | None,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """List the tools, or call one: its answer is one JSON document, whatever comes of it."""
    if name is None:
        return _listed(as_json)

    @contextmanager
    def opener(named: str, cwd: str) -> Iterator[Caller]:
        place = place_call(named, cwd, started=project or "")
        with open_caller(place, load_settings(warn=False), home, agent or "") as caller:
            yield caller

    try:
        answer = tools.call(name, _arguments(given), opener)
    except MemtuiError as error:
        render.print_document({"error": str(error), "exit_status": error.exit_status})
        render.print_remark(str(error))
        return error.exit_status
    render.print_document(answer)
    return _status(answer)


def _listed(as_json: bool) -> int:
    if as_json:
        render.print_document(
            [
                {
                    "name": one.name,
                    "title": one.title,
                    "description": one.description,
                    "input_schema": one.schema,
                    "read_only": one.reads,
                    "idempotent": one.again,
                }
                for one in tools.TOOLS
            ]
        )
        return 0
    columns = [render.Column(_("TOOL")), render.Column(_("WHAT IT DOES"), grows=True)]
    render.print_table(columns, [(one.name, one.description.split("\n\n")[0]) for one in tools.TOOLS])
    return 0


def _arguments(given: Sequence[str]) -> dict[str, Any]:
    """What stands on the command line: one JSON object ('-': on stdin), or key=value. Raises UsageError."""
    if len(given) == 1 and (given[0] == "-" or given[0].lstrip().startswith("{")):
        text = _stdin() if given[0] == "-" else given[0]
        try:
            found = json.loads(text) if text.strip() else {}
        except (ValueError, RecursionError):
            raise UsageError(_("The arguments are to be one JSON object.")) from None
        if not isinstance(found, dict):
            raise UsageError(_("The arguments are to be one JSON object."))
        return found
    pairs = [word.partition("=") for word in given]
    wrong = next((key for key, equals, _value in pairs if not equals or not key), None)
    if wrong is not None:
        raise UsageError(_("'{word}' is neither key=value nor a JSON object.").format(word=wrong[:80]))
    return {key: value for key, _equals, value in pairs}


def _stdin() -> str:
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UsageError(_("That is more than {limit} at once.").format(limit="1 MB"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(_("What came on stdin is not UTF-8.")) from None


def _status(answer: dict[str, Any]) -> int:
    """What every command's status says: 0 done, 1 nothing found, 3 refused, 4 could not."""
    if answer.get("disabled"):
        return 4 if answer.get("backend") == "none" else 3
    if "results" in answer:
        return 0 if answer["results"] else 1
    if answer.get("text") == "":
        return 1
    refused = (
        (answer.get("appended") is False and not answer.get("duplicate"))
        or answer.get("proposed") is False
        or answer.get("recorded") is False
        or (answer.get("status") == "skipped" and answer.get("reason") != "already_saved")
    )
    return 3 if refused else 0


TOOL_COMMAND = Command(
    "tool",
    "Call a tool for agents; without a name, list them.\n\n"
    "The arguments are one JSON object ('-': on stdin) or key=value, in snake_case or camelCase. The answer is one "
    "JSON document. `memtui mcp` serves the same tools over MCP.\n\n"
    "\b\nmemtui tool memory_search query='why Postgres' max_results=3\n"
    'echo \'{"path": "MEMORY.md"}\' | memtui tool memory_get -',
    run_tool,
    (Argument("name", metavar="NAME"), Argument("given", many=True, metavar="JSON|KEY=VALUE")),
    (
        CommandOption(
            ("--project",), "The project's directory, where the call does not name it.", "dir", metavar="DIR"
        ),
        CommandOption(("--agent",), "Which agent calls, like claude-code or codex.", metavar="NAME"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 nothing found, 2 wrong use, 3 refused, 4 could not.",
)


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

    hosts = tuple(map(transport.check_host, allow_host))
    secret, place = transport.read_token(Path(token_file).expanduser() if token_file else None)
    at = transport.bound(host or "127.0.0.1", transport.PORT if port is None else port)
    projects = _projects(project or "", home, only_known=True)

    def ready(address: str) -> None:
        if as_json:
            render.print_document({"address": address, "token_file": str(place), "pid": os.getpid()})
            sys.stdout.flush()
        render.print_remark(_("Listening at {address}").format(address=address))
        render.print_remark(_("Clients show the token in {place}").format(place=shorten_path(str(place))))

    transport.serve(projects, at, secret, ready, hosts)
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
    if sys.stdin.isatty():
        render.print_remark(
            _("This is for an MCP client to start, and waits for one to speak. Ctrl-C ends it.")
        )
    wire = transport.claim_streams()
    projects = _projects(project, home)
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


def _projects(project: str, home: tuple[str, ...], *, only_known: bool = False) -> OpenProjects:
    found = OpenProjects(load_settings(), home, project, only_known=only_known)
    # What is wrong with them is said now, not to each client with each call.
    place_call(started=project)
    for name in home:
        open_home_at(Path(name))
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
        CommandOption(("--http",), "Serve streamable HTTP, at /mcp.", "flag"),
        CommandOption(("--port",), "The port; 0: any that is free (8377).", "int", least=0, metavar="N"),
        CommandOption(("--host",), "The loopback address (127.0.0.1).", metavar="ADDRESS"),
        CommandOption(
            ("--token-file",), "The file with the token; made where it is missing.", metavar="FILE"
        ),
        CommandOption(
            ("--allow-host",),
            "A name by which your proxy passes requests on, like memory.example.org; may be given several times.",
            many=True,
            metavar="NAME",
        ),
        CommandOption(
            ("--project",), "The project's directory, where no call says otherwise.", "dir", metavar="DIR"
        ),
        *EVERYWHERE,
    ),
    epilog="Needs the extra memtui[mcp]. Exit status: 0 the client left, 2 wrong use, 4 could not.",
)
