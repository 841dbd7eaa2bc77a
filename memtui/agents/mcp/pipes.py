"""Serving over standard input and output. Nothing but the protocol ever reaches the output."""

from __future__ import annotations

import io
import os
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from memtui.agents.mcp.projects import Projects


class Wire(NamedTuple):
    """What the protocol is spoken over."""

    given: BinaryIO
    answered: BinaryIO


def claimed() -> Wire:
    """Take standard input and output for the protocol alone; whatever else is printed goes to standard error.

    Before anything heavy is imported: a library that prints, a child that reads, neither gets at the wire.
    """
    given, answered = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    # A thread that waits for input does not hear of it; what was being written the next start finishes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return Wire(os.fdopen(given, "rb"), os.fdopen(answered, "wb"))


def serve(projects: Projects, wire: Wire) -> None:
    """Serve one client until it closes its end, or dies."""
    import anyio

    anyio.run(_serve, projects, wire)


async def _serve(projects: Projects, wire: Wire) -> None:
    from typing import Any, cast

    import anyio
    from mcp.server.stdio import stdio_server

    from memtui.agents.mcp.server import Service
    from memtui.agents.mcp.waiting import Answered, Given, Waiting

    server = Service(projects, local=True).server()
    waiting = Waiting()
    given = Given(anyio.wrap_file(io.TextIOWrapper(wire.given, "utf-8", errors="replace")), waiting)
    answered = Answered(anyio.wrap_file(io.TextIOWrapper(wire.answered, "utf-8", newline="\n")), waiting)
    # The SDK reads lines of the one and writes lines to the other, and asks nothing else of them.
    async with stdio_server(cast("Any", given), cast("Any", answered)) as (read, write):
        await server.run(read, write, server.create_initialization_options())
