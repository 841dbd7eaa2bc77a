"""The directories that a client says it works in, asked for once, and again when it says that they changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import anyio
from mcp import types

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

PATIENCE = 2.0
"""Seconds to wait for a client's answer: one that never answers holds up one call, once."""


class Roots:
    """What the one client at the other end of the pipe said."""

    def __init__(self) -> None:
        self._found: tuple[str, ...] | None = None
        self._alone = anyio.Lock()

    async def of(self, session: ServerSession) -> tuple[str, ...]:
        """Its roots that are directories here, in its order; none where it has none, or does not say."""
        async with self._alone:
            if self._found is None:
                self._found = await self._asked(session)
            return self._found

    async def changed(self, _asking: Any, _params: object) -> None:
        """It has others now."""
        self._found = None

    async def _asked(self, session: ServerSession) -> tuple[str, ...]:
        can = session.client_capabilities
        if can is None or can.roots is None:
            return ()
        try:
            with anyio.fail_after(PATIENCE):
                answer = await session.send_request(types.ListRootsRequest(), types.ListRootsResult)
        except Exception:
            # Newer protocols have no such question, and a client may refuse it: then nobody knows.
            return ()
        found = (_path(str(root.uri)) for root in answer.roots)
        return tuple(path for path in found if path)


def _path(uri: str) -> str:
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return ""
    path = unquote(parts.path)
    return "" if "\0" in path else path
