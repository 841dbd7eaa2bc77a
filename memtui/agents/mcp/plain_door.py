"""What `memtui mcp --http` answers besides MCP: plain JSON for other nodes' hooks, and for clients without an SDK.

`POST /api/NAME`, an object in and an object out:

- `append`: one note, with the moment at which it was said. `capture`: a session's summary, and what was learned in
  it. `context`: what a session of the project is given at its start, each thing apart, for the node to frame.
- `tool/NAME`: one of the tools for agents, with its arguments.

A node that hears no answer sends again, with the same `Idempotency-Key` (or `key` in the object). An answer that was
given is kept and given again, also by a server that was started anew; where the server died between writing and
keeping, writing again finds what is there: a note on its own day, a summary in its own file, what was learned among
what is known.

Statuses: 200, 401, 403 (not for this token), 404 (nobody knows the project), 408, 409 (the same is being worked on),
413, 422 (no such request), 429, 503.
"""

from __future__ import annotations

import json
import math
import os
import threading
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.agents.caller import check_identifier, load_work, spend_quota
from memtui.agents.mcp.open_projects import TOKEN, Visitor, fit_visitor_name
from memtui.agents.recall import mask_by_config
from memtui.core import clock
from memtui.core.edits import Draft
from memtui.core.errors import MemtuiError, QuarantinedError, RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.fs.places import replace_private_file, state
from memtui.language.conversation import Extract, Learned
from memtui.layouts.home_config import explain_switched_off
from memtui.safety.sanitize import sanitize_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

    from memtui.agents.caller import Caller
    from memtui.agents.mcp.server import Service

LONGEST = 4000
"""Characters of one text."""
MOST = 200
"""Items of one list."""
OLDEST = 400 * 86400.0
"""Seconds that what was said may have waited."""
KINDS = frozenset({"pref", "decision", "fact", "todo", "lesson", "rule", "note", "event"})
"""What may be appended, and what may have been learned."""
_KEPT = 30 * 86400.0
"""Seconds for which an answer is kept."""
_FOLDER = "answered"


class PlainRequest(NamedTuple):
    """One request, read."""

    name: str
    given: dict[str, Any]
    visitor: Visitor
    key: str
    """Under which its answer is kept; empty: it is not."""


class PlainDoor:
    """The application behind `/api/`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._running: set[str] = set()
        self._lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["method"] != "POST":
            await respond(send, 405, {"error": _("Ask with POST.")})
            return
        body = (await receive())["body"]
        name = scope["path"].removeprefix("/api/")
        try:
            asked = _read(name, body, scope[TOKEN], headers.get(b"idempotency-key", ""))
        except (UsageError, RefusedError) as error:
            await respond(send, 422, {"error": sanitize_text(str(error))})
            return
        reads = name == "context"
        status, answer = await self._service.run_apart(partial(self._answer, asked), reads=reads)
        await respond(send, status, answer)

    def _answer(self, asked: PlainRequest) -> tuple[int, dict[str, Any]]:
        """The status and the answer, in a worker thread. Nothing is raised."""
        try:
            with self._work_alone(asked.key) as mine:
                if not mine:
                    return 409, {"error": _("The same request is being worked on.")}
                place = _locate_answer(asked)
                if place is not None and place.exists():
                    return 200, {**json.loads(place.read_bytes()), "again": True}
                answer = _work(self._service, asked)
                if place is not None:
                    with suppress(OSError, MemtuiError):
                        replace_private_file(place, json.dumps(answer).encode())
                return 200, answer
        except RefusedError as error:
            return 403, {"error": sanitize_text(str(error))}
        except UsageError as error:
            return 404, {"error": sanitize_text(str(error))}
        except UnavailableError as error:
            return 503, {"error": sanitize_text(str(error))}
        except Exception as error:
            told = _("Something went wrong inside memtui ({what}).")
            return 500, {"error": told.format(what=type(error).__name__)}

    @contextmanager
    def _work_alone(self, key: str) -> Iterator[bool]:
        """Whether nobody else is at work on the same."""
        with self._lock:
            mine = not key or key not in self._running
            if key and mine:
                self._running.add(key)
        try:
            yield mine
        finally:
            if key and mine:
                with self._lock:
                    self._running.discard(key)


async def respond(send: Send, status: int, answer: Mapping[str, Any], *headers: tuple[bytes, bytes]) -> None:
    """Answer with one JSON object."""
    kind = (b"content-type", b"application/json")
    await send({"type": "http.response.start", "status": status, "headers": [kind, *headers]})
    await send({"type": "http.response.body", "body": json.dumps(answer, ensure_ascii=False).encode()})


def _read(name: str, body: bytes, token: Any, key: str) -> PlainRequest:
    """The request; raises UsageError, RefusedError for what is none."""
    if name not in WORK and not name.startswith("tool/"):
        told = _("There is nothing at /api/{name}: append, capture, context, tool/NAME.")
        raise UsageError(told.format(name=name[:80]))
    try:
        given = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise UsageError(_("The request is to be one JSON object."))
    if name.startswith("tool/"):
        return PlainRequest(name, given, Visitor(token, "api"), "")
    agent = fit_visitor_name(_take_text(given, "agent", 40))
    session = _take_text(given, "session", 128)
    given["project"] = _take_text(given, "project", 400)
    key = key[:200] or _take_text(given, "key", 200)
    WORK[name][0](given)
    own = sha256(f"{token.name}\0{name}\0{key}".encode()).hexdigest() if key else ""
    visitor = Visitor(token, agent or "api", check_identifier(session, "'session'") if session else "")
    return PlainRequest(name, given, visitor, own)


def _take_text(given: Mapping[str, Any], name: str, most: int = LONGEST, *, needed: bool = False) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > most or (needed and not value.strip()):
        raise UsageError(_("'{name}' is to be a text of at most {count} characters.").format(name=name, count=most))
    return value


def _take_texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = given.get(name, [])
    if (
        not isinstance(value, list)
        or len(value) > MOST
        or not all(isinstance(one, str) and len(one) <= LONGEST for one in value)
    ):
        raise UsageError(_("'{name}' is to be a list of at most {count} texts.").format(name=name, count=MOST))
    return tuple(value)


def _take_time(given: Mapping[str, Any]) -> float:
    now = clock.now()
    value = given.get("time", now)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise UsageError(_("'time' is to be seconds since the epoch."))
    if value < now - OLDEST:
        raise UsageError(_("What was said over a year ago is not taken any more."))
    return min(float(value), now)


def _check_append(given: dict[str, Any]) -> None:
    given["text"] = _take_text(given, "text", needed=True).strip()
    given["kind"] = _take_text(given, "kind", 40) or "note"
    if given["kind"] not in KINDS:
        raise UsageError(_("'{kind}' is no kind of memory.").format(kind=given["kind"]))
    given["tags"] = _take_texts(given, "tags")
    given["time"] = _take_time(given)


def _append(caller: Caller, given: Mapping[str, Any]) -> dict[str, Any]:
    draft = Draft(given["text"], given["kind"], tags=given["tags"], source=caller.session.id)
    with caller.writing(Layer.JOURNAL, draft) as (vault, home):
        why = explain_switched_off(home) or spend_quota(caller.session.id, "note")
        if why:
            raise RefusedError(why)
        try:
            done = load_work().append(vault, home, draft, who=caller.who, now=given["time"])
        except QuarantinedError as error:
            return {"appended": False, "quarantined": True, "id": error.kept}
    return {"appended": done.receipt is not None, "path": done.path, "line": done.line}


def _check_capture(given: dict[str, Any]) -> None:
    said = given.get("extract")
    if not isinstance(said, dict):
        raise UsageError(_("'extract' is to be an object."))
    by = said.get("by", "rules")
    learned = said.get("learned", [])
    if by not in {"rules", "model", "person", "agent"} or not isinstance(learned, list):
        raise UsageError(_("'extract' is no extract of a session."))
    given["extract"] = Extract(
        _take_text(said, "topic"),
        **{name: _take_texts(said, name) for name in _LISTS},  # type: ignore[arg-type]  # each is a list of texts
        goal=_take_text(said, "goal"),
        outcome=_take_text(said, "outcome"),
        learned=tuple(map(_take_learned, learned[:MOST])),
        by=by,
    )
    given["trigger"] = fit_visitor_name(_take_text(given, "trigger", 40)) or "end"
    given["brief"] = given.get("brief") is True
    given["time"] = _take_time(given)


_LISTS = ("done", "points", "decisions", "todos", "files", "tools", "entities")


def _take_learned(said: object) -> Learned:
    if not isinstance(said, dict) or said.get("kind") not in KINDS:
        raise UsageError(_("'learned' is to be a list of objects with text and kind."))
    sure = said.get("confidence")
    return Learned(
        _take_text(said, "text", needed=True),
        said["kind"],
        category=_take_text(said, "category", 200),
        entities=_take_texts(said, "entities"),
        confidence=float(sure) if isinstance(sure, (int, float)) and 0 <= sure <= 1 else 0.5,
        asked=said.get("asked") is True,
    )


def _capture(caller: Caller, given: Mapping[str, Any]) -> dict[str, Any]:
    """The summary into its one file; what was learned to Review and the journal, unless the session goes on."""
    work, found = load_work(), given["extract"]
    with caller.own() as (vault, home):
        why = explain_switched_off(home)
        if why:
            raise RefusedError(why)
        try:
            receipt = work.record_summary(
                vault, home, caller.session, found, trigger=given["trigger"], now=given["time"]
            )
        except QuarantinedError as error:
            return {"written": False, "quarantined": True, "id": error.kept}
        told = {"written": receipt is not None, "home": home.label}
        takes = (work.can_take(home, layer, Draft("-")) for layer in (Layer.JOURNAL, Layer.CORE, Layer.KNOWLEDGE))
        if given["brief"] or (caller.fixed and not all(takes)):
            return told
        vault.current = True
        vault.refresh()
        done = work.distribute(vault, home, caller.session, found, caller.config, settle=work.approve_clear)
        vault.current = False
    if done.failed:
        # The node sends it again: the summary says so already then, and what is known is not learned twice.
        raise UnavailableError("; ".join(done.failed))
    return {**told, "proposed": done.proposed, "noted": done.noted, "learned": done.written}


def _check_context(given: dict[str, Any]) -> None:
    source = _take_text(given, "source", 20)
    given["source"] = source if source in {"startup", "resume", "clear", "compact", "fork"} else ""


def _give_context(caller: Caller, given: Mapping[str, Any]) -> dict[str, Any]:
    work = load_work()
    caller.fresh()
    session = caller.session._replace(source=given["source"])
    found = work.load_session_start(caller.vault, session, caller.config, values=work.load_values)
    return {
        "items": [
            {
                "path": item.path,
                "line": item.line,
                "kind": item.kind,
                "layer": item.layer.value if item.layer else None,
                "text": mask_by_config(item.text, caller.config),
            }
            for item in found.items
            if item.path
        ],
        "project": caller.session.project,
    }


WORK: dict[str, tuple[Callable[[dict[str, Any]], None], Callable[[Caller, Mapping[str, Any]], dict[str, Any]]]] = {
    "append": (_check_append, _append),
    "capture": (_check_capture, _capture),
    "context": (_check_context, _give_context),
}
"""A request's name -> what checks it, before anything is opened, and what does it."""


def _work(service: Service, asked: PlainRequest) -> dict[str, Any]:
    if asked.name.startswith("tool/"):
        return service.call_tool(asked.name.removeprefix("tool/"), asked.given, visitor=asked.visitor)
    if asked.visitor.token.read_only and asked.name != "context":
        raise RefusedError(_("This token may only read: ask whoever keeps this server for another one."))
    projects = service.projects
    with projects.caller(projects.place(asked.given["project"]), visitor=asked.visitor) as caller:
        return WORK[asked.name][1](caller, asked.given)


def _locate_answer(asked: PlainRequest) -> Path | None:
    if not asked.key:
        return None
    return state() / "mcp" / _FOLDER / asked.key[:2] / f"{asked.key[2:]}.json"


def forget_answers() -> None:
    """Remove the answers that nobody asks for any more."""
    before = clock.now() - _KEPT
    for folder, _folders, names in os.walk(state() / "mcp" / _FOLDER):
        for name in names:
            with suppress(OSError):
                file = os.path.join(folder, name)
                if os.stat(file).st_mtime < before:
                    os.unlink(file)
