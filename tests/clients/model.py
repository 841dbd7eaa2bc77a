"""A model on the loopback that says what a script says: Anthropic's messages and OpenAI's responses, both as SSE.

A script belongs to a marker that stands in a prompt. Which of its steps is due is told by the request alone, by how
often the model spoke since: so requests may be repeated, and agents may run side by side. Whatever else is asked (a
title, a summary of nothing) is answered with a word. Everything that was asked is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread
from typing import Any, NamedTuple

Json = dict[str, Any]


class Say(NamedTuple):
    """The model says something, and its turn ends."""

    text: str


class Use(NamedTuple):
    """The model calls a tool. `words`: its input where that is a text (OpenAI's custom tools)."""

    tool: str
    given: Mapping[str, Any]
    words: str = ""


Step = Say | Use
_SPOKEN = {"function_call", "custom_tool_call"}
_IDS = count(1)


class Model:
    """The server and what it was asked. Use it in a `with`."""

    def __init__(self, **scripts: Sequence[Step]) -> None:
        self.scripts = scripts
        self.requests: list[Json] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._reply({"data": [], "models": []})

            def do_HEAD(self) -> None:
                self._reply({})

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                asked = json.loads(self.rfile.read(size) or b"{}")
                path = self.path.partition("?")[0]
                if path.endswith("/count_tokens"):
                    self._reply({"input_tokens": 100})
                elif path.endswith("/messages"):
                    self._answer(asked, stream_message, "messages")
                elif path.endswith("/responses"):
                    self._answer(asked, stream_response, "input")
                else:
                    self._reply({})

            def _answer(self, asked: Json, stream: Any, key: str) -> None:
                model.requests.append(asked)
                events = list(stream(model.choose_step(asked.get(key) or []), str(asked.get("model"))))
                if asked.get("stream"):
                    lines = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
                    self._send(lines.encode(), "text/event-stream")
                else:
                    self._reply(merge_message(events))

            def _reply(self, said: Json) -> None:
                self._send(json.dumps(said).encode(), "application/json")

            def _send(self, data: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Model:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def choose_step(self, said: Sequence[Json] | str) -> Step:
        """What is due after what was said so far."""
        items: list[Json] = [{"role": "user", "content": said}] if isinstance(said, str) else list(said)
        script: Sequence[Step] = ()
        done = 0
        for item in items:
            if script:
                done += is_spoken(item)
                continue
            # What a tool answers, or memory holds, may quote a prompt: the first one is what counts.
            text = json.dumps(item.get("content"), ensure_ascii=False)
            script = next((self.scripts[name] for name in self.scripts if f"[{name}]" in text), ())
        return script[done] if done < len(script) else Say("ok")

    def find_requests(self, marker: str, *words: str) -> list[Json]:
        """The requests with this script's marker and all these words in them."""
        told = [(one, json.dumps(one, ensure_ascii=False)) for one in self.requests]
        return [one for one, text in told if f"[{marker}]" in text and all(word in text for word in words)]


def is_spoken(item: Json) -> bool:
    """Whether the model said it."""
    return item.get("role") == "assistant" or item.get("type") in _SPOKEN


def stream_message(step: Step, model: str) -> Iterator[Json]:
    """Anthropic's events."""
    usage = {"input_tokens": 100, "output_tokens": 20}
    head = {"id": f"msg_{next(_IDS)}", "type": "message", "role": "assistant", "model": model, "content": []}
    yield {"type": "message_start", "message": {**head, "stop_reason": None, "usage": usage}}
    if isinstance(step, Say):
        block: Json = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": step.text}
    else:
        block = {"type": "tool_use", "id": f"toolu_{next(_IDS)}", "name": step.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step.given)}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    why = "end_turn" if isinstance(step, Say) else "tool_use"
    yield {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def merge_message(events: Sequence[Json]) -> Json:
    """The same as one message, for whoever wants no stream."""
    if events[-1]["type"] != "message_stop":
        return dict(events[-1]["response"])
    block, delta = dict(events[1]["content_block"]), events[2]["delta"]
    if block["type"] == "text":
        block["text"] = delta["text"]
    else:
        block["input"] = json.loads(delta["partial_json"])
    return {**events[0]["message"], "content": [block], **events[4]["delta"]}


def stream_response(step: Step, model: str) -> Iterator[Json]:
    """OpenAI's events."""
    own = f"resp_{next(_IDS)}"
    call = {"id": f"fc_{next(_IDS)}", "call_id": f"call_{next(_IDS)}", "status": "completed"}
    if isinstance(step, Say):
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item: Json = {"type": "message", "id": f"msg_{next(_IDS)}", "role": "assistant", "content": content}
    elif step.words:
        item = {"type": "custom_tool_call", **call, "name": step.tool, "input": step.words}
    else:
        space, _mark, name = step.tool.rpartition("/")
        item = {"type": "function_call", **call, "name": name, "arguments": json.dumps(step.given)}
        item |= {"namespace": space} if space else {}
    whole = {"id": own, "object": "response", "model": model, "status": "completed", "output": [item]}
    usage: Json = {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}
    usage |= {"input_tokens_details": None, "output_tokens_details": None}
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": {**whole, "usage": usage}}
