"""Requests that were asked and not answered yet: whoever asks and hangs up at once still gets what was asked for.

The SDK ends a conversation with its input, and what it was working on with it: so its input ends when all is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from mcp import types

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PATIENCE = 60.0
"""Seconds that answers may take once nothing more is asked: a flush may ask a model."""


class Waiting:
    """What one client is waiting for."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._none = anyio.Event()

    def asked(self, line: str) -> None:
        """A line of the client's. What is no message, or calls a request off, waits for nothing."""
        message = _message(line)
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settled((message.params or {}).get("requestId"))

    def answered(self, line: str) -> None:
        """A line of ours."""
        message = _message(line)
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._settled(message.id)

    async def over(self) -> None:
        """Come back when nothing is waited for, or has been for too long."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()

    def _settled(self, id: object) -> None:
        self._ids = {one for one in self._ids if one != id}
        if not self._ids:
            self._none.set()


class Given:
    """The client's lines, which end when it has been answered."""

    def __init__(self, file: anyio.AsyncFile[str], waiting: Waiting) -> None:
        self._file, self._waiting = file, waiting

    async def __aiter__(self) -> AsyncIterator[str]:
        """Line by line."""
        async for line in self._file:
            self._waiting.asked(line)
            yield line
        await self._waiting.over()


class Answered:
    """Where our lines go."""

    def __init__(self, file: anyio.AsyncFile[str], waiting: Waiting) -> None:
        self._file, self._waiting = file, waiting

    async def write(self, line: str) -> None:
        """One line."""
        await self._file.write(line)
        self._waiting.answered(line)

    async def flush(self) -> None:
        """Have it go."""
        await self._file.flush()


def _message(line: str) -> types.JSONRPCMessage | None:
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None
