"""The server itself: what the SDK asks for, answered from the tools' list. Calls run in threads, so many at a time.

No handler lets an error of ours out: an agent reads a sentence, and the server goes on.
"""

from __future__ import annotations

import json
import os
import traceback
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from memtui import __version__
from memtui.agents import tools
from memtui.agents.mcp import resources
from memtui.agents.mcp.prompts import PROMPTS, SEARCH
from memtui.agents.mcp.roots import Roots
from memtui.errors import MemtuiError
from memtui.locale import _
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.server.context import ServerRequestContext

    from memtui.agents.mcp.projects import Projects

    Asking = ServerRequestContext[Any, Any]

AT_ONCE = 8
"""Calls that are worked on at the same time, of those that read and those that write; the others wait their turn."""


class Service:
    """The handlers, over the homes that are open."""

    def __init__(self, projects: Projects, *, local: bool) -> None:
        """`local`: the client is on this machine, and its roots are directories here."""
        self.projects = projects
        self._roots = Roots() if local else None
        self._limits: dict[bool, anyio.CapacityLimiter] = {}

    def server(self) -> Server[Any]:
        """What the SDK serves."""
        made: Server[Any] = Server(
            "memtui",
            version=__version__,
            title="memtui",
            instructions=SEARCH,
            on_list_tools=self._tools,
            on_call_tool=self._call,
            on_list_resources=self._resources,
            on_list_resource_templates=self._templates,
            on_read_resource=self._read,
            on_list_prompts=self._prompts,
            on_get_prompt=self._prompt,
        )
        if self._roots is not None:
            made.add_notification_handler(
                "notifications/roots/list_changed", types.NotificationParams, self._roots.changed
            )
        return made

    # -- tools --------------------------------------------------------------------------------------------------

    async def _tools(self, _asking: Asking, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(one) for one in tools.TOOLS])

    async def _call(self, asking: Asking, params: types.CallToolRequestParams) -> types.CallToolResult:
        roots = await self._known(asking)
        work = partial(self._done, params.name, params.arguments or {}, roots, _agent(asking))
        reads = any(one.reads and one.name == params.name for one in tools.TOOLS)
        answer, failed = await self._apart(work, reads=reads)
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=answer, is_error=failed
        )

    def _done(
        self, name: str, given: Mapping[str, Any], roots: tuple[str, ...], agent: str
    ) -> tuple[dict[str, Any], bool]:
        """The tool's answer, or why there is none, in a worker thread."""
        try:
            return tools.call(
                name,
                given,
                lambda project, cwd: self.projects.caller(self.projects.place(project, cwd, roots), agent),
            ), False
        except MemtuiError as error:
            return {"error": safe_text(str(error)), "exit_status": error.exit_status}, True
        except Exception as error:
            return {"error": _unexpected(error), "exit_status": MemtuiError.exit_status}, True

    # -- resources ----------------------------------------------------------------------------------------------

    async def _resources(
        self, asking: Asking, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = params.cursor if params is not None else None
        begin = int(cursor) if cursor and cursor.isascii() and cursor.isdigit() and len(cursor) < 10 else 0
        page, after = await self._asked(asking, lambda caller: resources.listed(caller, begin))
        found = [
            types.Resource(uri=one.uri, name=one.name, description=one.about, mime_type=one.mime)
            for one in page
        ]
        return types.ListResourcesResult(resources=found, next_cursor=None if after is None else str(after))

    async def _templates(self, _asking: Asking, _params: object) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=resources.TEMPLATE,
            name="memory file",
            description="A file of a home, by the home's name in memtui://homes and the file's path in it.",
            mime_type=resources.MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read(
        self, asking: Asking, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        text, mime = await self._asked(asking, lambda caller: resources.read(caller, uri))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=mime, text=text)]
        )

    # -- prompts ------------------------------------------------------------------------------------------------

    async def _prompts(self, _asking: Asking, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=one.name,
                    title=one.title,
                    description=one.about,
                    arguments=[types.PromptArgument(name=one.takes, required=False)] if one.takes else None,
                )
                for one in PROMPTS
            ]
        )

    async def _prompt(self, _asking: Asking, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        found = next((one for one in PROMPTS if one.name == params.name), None)
        if found is None:
            raise MCPError(
                types.INVALID_PARAMS, _("There is no prompt '{name}'.").format(name=params.name[:80])
            )
        asked = str((params.arguments or {}).get(found.takes, "")).strip() if found.takes else ""
        text = f"{found.text}\n\n{asked}" if asked else found.text
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=found.about, messages=[message])

    # -- how ----------------------------------------------------------------------------------------------------

    async def _known(self, asking: Asking) -> tuple[str, ...]:
        return await self._roots.of(asking.session) if self._roots is not None else ()

    async def _apart(self, work: Callable[[], Any], *, reads: bool = True) -> Any:
        """The work in a thread of its own. A client that goes away cuts no write short, and nobody waits for reads.

        Who writes may wait for a model: searches have threads of their own.
        """
        if reads not in self._limits:
            self._limits[reads] = anyio.CapacityLimiter(AT_ONCE)
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=reads, limiter=self._limits[reads])

    async def _asked(self, asking: Asking, ask: Callable[[Any], Any]) -> Any:
        """What a resource answers; our errors as the protocol has them."""
        roots, agent = await self._known(asking), _agent(asking)

        def work() -> Any:
            with self.projects.caller(self.projects.place(roots=roots), agent) as caller:
                return ask(caller)

        try:
            return await self._apart(work)
        except MemtuiError as error:
            raise MCPError(types.INVALID_PARAMS, safe_text(str(error))) from None
        except MCPError:
            raise
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, _unexpected(error)) from None


def _described(one: tools.Tool) -> types.Tool:
    return types.Tool(
        name=one.name,
        title=one.title,
        description=one.description,
        input_schema=one.schema,
        annotations=types.ToolAnnotations(
            title=one.title,
            read_only_hint=one.reads,
            destructive_hint=False,
            idempotent_hint=one.again,
            open_world_hint=False,
        ),
    )


def _agent(asking: Asking) -> str:
    """Which agent is asking, by the name that its client gives itself."""
    client = asking.session.client_params
    name = (client.client_info.name if client is not None else "").lower()
    known = next((agent for word, agent in _AGENTS if word in name), "")
    return known or "".join(char if char.isascii() and char.isalnum() else "-" for char in name)[:40].strip(
        "-"
    )


_AGENTS = (("claude", "claude-code"), ("codex", "codex"), ("openclaw", "openclaw"), ("cursor", "cursor"))


def _unexpected(error: Exception) -> str:
    if os.environ.get("MEMTUI_DEBUG", "").strip() not in {"", "0"}:
        traceback.print_exception(error)
    return _("Something went wrong inside memtui ({what}). Nothing was changed.").format(
        what=type(error).__name__
    )
