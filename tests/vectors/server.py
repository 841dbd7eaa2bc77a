"""A real server on this machine that makes vectors of texts, or says what it is told, and fails in every way asked."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple, Self


class Asked(NamedTuple):
    """One request as it came."""

    path: str
    key: str | None
    body: Any


class Reply(NamedTuple):
    """What the server says to one request."""

    status: int = 200
    body: bytes | None = None
    """None: the vectors."""
    headers: tuple[tuple[str, str], ...] = ()
    before: Callable[[], object] | None = None
    drops: float = 0.0
    """Seconds between bytes."""


def vector(text: str) -> list[float]:
    """Its letters, counted: three numbers."""
    return [1.0 + text.count("a"), 1.0 + text.count("b"), float(len(text) % 7)]


def data(rows: list[Any], **more: Any) -> bytes:
    """An answer of these vectors."""
    return json.dumps({"data": [{"index": place, "embedding": row, **more} for place, row in enumerate(rows)]}).encode()


class Server:
    """Answers with the vectors, or first with the replies that stand in line."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.replies: list[Reply] = []
        self.hung_up = False
        """Whoever asked did not wait for the answer."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(Asked(self.path, self.headers.get("Authorization"), body))
                reply = outer.replies.pop(0) if outer.replies else Reply()
                if reply.before is not None:
                    reply.before()
                content = data([vector(text) for text in body["input"]]) if reply.body is None else reply.body
                if reply.status == 0:
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                try:
                    for at in range(len(content) if reply.drops else 0):
                        self.wfile.write(content[at : at + 1])
                        time.sleep(reply.drops)
                    self.wfile.write(b"" if reply.drops else content)
                except OSError:
                    outer.hung_up = True

            def log_message(self, *_: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                """Whoever asked is gone: some tests do not wait."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
