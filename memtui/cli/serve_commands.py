"""`memtui tool` and `memtui mcp`: the tools for agents.

`tool` calls one from the command line, the same function that the MCP server has; `mcp` is that server, over
pipes or a loopback socket (spec 001 §9).
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memtui.agents import mcp, tools
from memtui.agents.caller import open_caller, place_call
from memtui.cli import render
from memtui.cli.opening import load_settings
from memtui.cli.options import EVERYWHERE, Argument, Command, CommandOption
from memtui.core import clock
from memtui.core.errors import MemtuiError, UnavailableError, UsageError
from memtui.core.locale import _, choose_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.agents.caller import Caller
    from memtui.agents.mcp.open_projects import AccessToken

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
        return _list_tools(as_json)

    @contextmanager
    def opener(named: str, cwd: str) -> Iterator[Caller]:
        place = place_call(named, cwd, started=project or "")
        with open_caller(place, load_settings(warn=False), home, agent or "") as caller:
            yield caller

    # The answer is for an agent.
    choose_language("en")
    try:
        answer = tools.call(name, _read_arguments(given), opener)
    except MemtuiError as error:
        render.print_document({"error": str(error), "exit_status": error.exit_status})
        render.print_remark(str(error))
        return error.exit_status
    render.print_document(answer)
    return _choose_status(answer)


def _list_tools(as_json: bool) -> int:
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
    render.print_table(columns, [(one.name, _(one.description.split("\n\n")[0])) for one in tools.TOOLS])
    return 0


def _read_arguments(given: Sequence[str]) -> dict[str, Any]:
    """What stands on the command line: one JSON object ('-': on stdin), or key=value. Raises UsageError."""
    if len(given) == 1 and (given[0] == "-" or given[0].lstrip().startswith("{")):
        text = _read_stdin() if given[0] == "-" else given[0]
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


def _read_stdin() -> str:
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UsageError(_("That is more than {limit} at once.").format(limit="1 MB"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(_("What came on stdin is not UTF-8.")) from None


def _choose_status(answer: dict[str, Any]) -> int:
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


TOKEN_VERBS = ("list", "make", "revoke")


def run(
    verb: str | None,
    words: tuple[str, ...],
    *,
    http: bool,
    read_only: bool,
    allow: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> int:
    """Serve until the client goes, or somebody stops it; or look after the tokens."""
    if verb == "tokens":
        if http or any(given.values()):
            raise UsageError(_("`memtui mcp tokens` serves nothing: leave the server's options out."))
        return _look_after_tokens(words, read_only, allow, as_json)
    if read_only or allow:
        raise UsageError(_("--read-only and --allow belong to `memtui mcp tokens make NAME`."))
    why = mcp.why_not()
    if why:
        raise UnavailableError(why)
    # It needs the SDK, which only the extra brings.
    from memtui.cli.mcp_serving import serve_mcp

    return serve_mcp(http=http, as_json=as_json, **given)


def _look_after_tokens(words: tuple[str, ...], read_only: bool, allow: tuple[str, ...], as_json: bool) -> int:
    # `memtui tool` is called by agents, and makes no tokens.
    from memtui.agents.mcp import open_projects

    verb, *names = words or ("list",)
    if verb not in TOKEN_VERBS or len(names) != (verb != "list"):
        raise UsageError(_("Say `memtui mcp tokens`, `memtui mcp tokens make NAME` or `… revoke NAME`."))
    if verb != "make" and (read_only or allow):
        raise UsageError(_("--read-only and --allow belong to `memtui mcp tokens make NAME`."))
    if verb == "list":
        return _list_tokens(open_projects.list_tokens(), as_json)
    if verb == "revoke":
        open_projects.revoke_token(names[0])
        if as_json:
            render.print_document({"revoked": names[0]})
        render.print_remark(_("{name}'s token opens nothing any more.").format(name=names[0]))
        return 0
    made = open_projects.make_token(names[0], read_only=read_only, projects=allow)
    if as_json:
        render.print_document({"name": names[0], "token": made})
    else:
        render.print_line(made)
    render.print_remark(_("Shown this once: give it to {name}, who keeps it in a file.").format(name=names[0]))
    return 0


def _list_tokens(found: Sequence[AccessToken], as_json: bool) -> int:
    if as_json:
        told = [
            {
                "name": one.name,
                "read_only": one.read_only,
                "projects": list(one.projects),
                "made": clock.format_day(one.made),
                "revoked": clock.format_day(one.revoked) if one.revoked else None,
            }
            for one in found
        ]
        render.print_document(told)
    elif found:
        heads = (_("name"), _("may"), _("projects"), _("made"), _("revoked"))
        columns = [render.Column(head) for head in heads]
        rows = [
            (
                one.name,
                _("read") if one.read_only else _("read and write"),
                ", ".join(one.projects) or _("all"),
                clock.format_day(one.made),
                clock.format_day(one.revoked) if one.revoked else "",
            )
            for one in found
        ]
        render.print_table(columns, rows)
    else:
        render.print_remark(_("There are none: `memtui mcp tokens make NAME` makes one."))
    return 0 if found else 1


COMMAND = Command(
    "mcp",
    "Serve memory to agents over MCP: search, read, note, propose.\n\n"
    "Over standard input and output, as clients start it; with --http on a loopback address, for several clients or, "
    "behind a proxy of yours, several machines: a token is needed, which is kept in a file that only you can read. "
    "Which project a call is about its own parameter says, else --project, MEMTUI_PROJECT, CLAUDE_PROJECT_DIR, the "
    "client's roots, and last the directory it was started in.\n\n"
    "`memtui mcp tokens make NAME` makes a token for a person or a machine, shown once; `tokens` lists them, `tokens "
    "revoke NAME` takes one back, at once. What they write has their name.",
    run,
    (
        Argument("verb", choices=("tokens",), metavar="[tokens]"),
        Argument("words", many=True, metavar="[make|revoke NAME]"),
    ),
    (
        CommandOption(("--http",), "Serve streamable HTTP, at /mcp.", "flag"),
        CommandOption(("--port",), "The port; 0: any that is free (8377).", "int", least=0, metavar="N"),
        CommandOption(("--host",), "The loopback address (127.0.0.1).", metavar="ADDRESS"),
        CommandOption(("--token-file",), "The file with the token; made where it is missing.", metavar="FILE"),
        CommandOption(
            ("--allow-host",),
            "A name by which your proxy passes requests on, like memory.example.org; may be given several times.",
            many=True,
            metavar="NAME",
        ),
        CommandOption(
            ("--new-project",),
            "A pattern of projects' keys, like github.com_acme_*, whose first note makes their home; may be given "
            "several times.",
            many=True,
            metavar="PATTERN",
        ),
        CommandOption(("--read-only",), "With tokens make: it may read, and write nothing.", "flag"),
        CommandOption(
            ("--allow",),
            "With tokens make: only for the projects whose key or name fits; may be given several times.",
            many=True,
            metavar="PATTERN",
        ),
        CommandOption(("--project",), "The project's directory, where no call says otherwise.", "dir", metavar="DIR"),
        *EVERYWHERE,
    ),
    epilog="Needs the extra memtui[mcp]. Exit status: 0 the client left, 2 wrong use, 4 could not.",
)
