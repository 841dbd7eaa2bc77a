"""A node of a central memory (spec 001 §9): what its hooks leave goes there, and sessions start with what it knows.

What this machine remembers stays here as before; the service (`agents.remote`, a `memtui mcp --http` elsewhere) gets
a copy. Hooks and the worker put records into the outbox, secrets masked, one file each; the worker delivers them in
their order. A record stays until the service said that it has it, and is sent again with the same key, so that nothing
is lost while it is away and nothing stands there twice. What a project's token does not allow waits, and holds up no
other project; what the service can never take is put beside, for `memtui doctor` to name.
"""

from __future__ import annotations

import json
import time
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from memtui.core import clock
from memtui.core.errors import MemtuiError, UnavailableError, describe_os_error
from memtui.core.locale import _, _n
from memtui.core.model import Home, Layer
from memtui.fs import displaced
from memtui.fs.places import read_private_file
from memtui.llm import ask_command, clean, is_local_host, post_until, read_server_words
from memtui.safety.privacy import is_private
from memtui.safety.redact import redact
from memtui.safety.sanitize import block, sanitize_text
from memtui.sessions import rules
from memtui.sessions.jobs import make_outbox_record
from memtui.sessions.packing import ContextItem, SessionContext, estimate_tokens, make_budget, pack_passages
from memtui.sessions.start import ORDERS, load_profile, load_session_start
from memtui.store.passage import Passage, compile_config_patterns, mask_own_secrets, split_rules

if TYPE_CHECKING:
    from memtui.core.config import AgentsConfig, Config
    from memtui.language.conversation import Extract, Session
    from memtui.sessions.recent import Values
    from memtui.sessions.rules import Opened
    from memtui.store.passage import Patterns

DELIVERY = 10.0
"""Seconds that one record may take: nobody waits for the worker."""
PATIENCE = 20.0
"""Seconds to wait for another worker that delivers."""
_OWN = 0.5
"""The most of the budget that the person's own files get: the rest is the service's."""
_AGAIN = frozenset({403, 404})
"""What may change on the other side, for one project; 401, 409, 429 and 5xx for all of them."""
_NEVER = frozenset({400, 413, 422})


class Central(NamedTuple):
    """The service, and what it is asked with."""

    url: str
    host: str
    """For a person."""
    secret: str


def explain_no_central(settings: AgentsConfig) -> str:
    """Why the service may not be asked, by the names of the settings; empty: it may. It is not asked."""
    try:
        parts = urlsplit(settings.remote)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return _("agents.remote is no web address, like https://memory.example.org")
    if parts.scheme not in {"http", "https"} or not host:
        return _("agents.remote is no web address, like https://memory.example.org")
    if parts.username or parts.password:
        return _("agents.remote holds a name or a password: put the token into agents.token_file")
    if parts.scheme == "http" and not is_local_host(host):
        return _("agents.remote is http to another machine, where others could read along: use https")
    if not settings.token_file and not settings.token_command:
        return _("agents.remote needs a token: agents.token_file or agents.token_command says where it is")
    return ""


def open_central(settings: AgentsConfig, seconds: float = DELIVERY) -> Central:
    """The service, its token read. Raises UnavailableError, RefusedError for a file that others can read."""
    why = explain_no_central(settings)
    if why:
        raise UnavailableError(why)
    if settings.token_command:
        secret = ask_command(settings.token_command, "", seconds).strip()
    else:
        place = Path(settings.token_file).expanduser()
        try:
            secret = read_private_file(place).decode("utf-8", "replace").strip()
        except OSError as error:
            reason = describe_os_error(error)
            raise UnavailableError(
                _("the token cannot be read from {path}: {reason}").format(path=place, reason=reason)
            ) from None
    if not secret or not all("!" <= character <= "~" for character in secret):
        raise UnavailableError(_("there is no token where agents.token_file or agents.token_command points"))
    url = settings.remote.rstrip("/").removesuffix("/mcp")
    return Central(url, urlsplit(url).netloc, secret)


class _Answer(NamedTuple):
    status: int
    said: dict[str, Any]
    why: str
    """For a person, where it did not do it."""


def _ask(central: Central, name: str, given: dict[str, Any], until: float) -> _Answer:
    """What the service answers. Raises UnavailableError where it does not."""
    url = urlsplit(central.url)
    body = json.dumps(given, ensure_ascii=False).encode("utf-8", "replace")
    try:
        response = post_until(url, f"{url.path}/api/{name}", body, central.secret, until)
    except TimeoutError:
        raise UnavailableError(_("{host} did not answer in time").format(host=central.host)) from None
    except (OSError, HTTPException, ValueError) as error:
        why = clean(str(error) if isinstance(error, OSError) else type(error).__name__, central.secret)
        raise UnavailableError(_("{host} cannot be reached ({why})").format(host=central.host, why=why)) from None
    try:
        said = json.loads(response.content)
    except (ValueError, RecursionError):
        said = None
    words = clean(read_server_words(response.content[: 1 << 16]), central.secret)
    why = "" if response.status == 200 else f"{central.host}: {words or response.status}"
    return _Answer(response.status, said if isinstance(said, dict) else {}, why)


def put_note(session: Session, config: Config, text: str, kind: str) -> None:
    """Leave a note for the service, as it was said now; none that is marked #private. Raises UnavailableError where too
    many wait."""
    if is_private(text):
        return
    hidden = compile_config_patterns(config)
    body = {"text": _mask(text, hidden)[:4000], "kind": kind, "tags": []}
    displaced.put_record(make_outbox_record(session, "append", body), displaced.OUTBOX)


def put_capture(session: Session, config: Config, found: Extract, trigger: str, *, brief: bool) -> None:
    """Leave a session's summary and what was learned in it, but for what is marked #private. Raises UnavailableError
    where too many wait."""
    hidden = compile_config_patterns(config)
    said = found._asdict()
    said["learned"] = [one._asdict() for one in found.learned]
    body = {"extract": _mask_all(said, hidden), "trigger": trigger, "brief": brief}
    displaced.put_record(make_outbox_record(session, "capture", body), displaced.OUTBOX)


def _mask(text: str, hidden: Patterns) -> str:
    return mask_own_secrets(redact(text).text, hidden)


def _mask_all(value: Any, hidden: Patterns) -> Any:
    if isinstance(value, str):
        return "" if is_private(value) else _mask(value, hidden)[:4000]
    if isinstance(value, dict):
        return {name: _mask_all(one, hidden) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        # Of what was learned the text says whether it is anybody else's business.
        told = [str(one.get("text", "")) if isinstance(one, dict) else str(one) for one in value[:200]]
        return [_mask_all(one, hidden) for one, said in zip(value, told, strict=False) if not is_private(said)]
    return value


class Delivered(NamedTuple):
    """How delivering went."""

    sent: int = 0
    waiting: int = 0
    why: str = ""
    """Why the rest waits, for a person."""


def deliver_outbox(config: Config) -> Delivered:
    """Send what waits, the oldest first, as far as the service takes it now. Never raises for what it answers."""
    if not displaced.list_spooled_records(displaced.OUTBOX):
        return Delivered()
    try:
        central = open_central(config.agents)
    except MemtuiError as error:
        return Delivered(0, len(displaced.list_spooled_records(displaced.OUTBOX)), str(error))
    stuck: set[str] = set()
    told: list[str] = []
    away: list[str] = []

    def deliver(record: dict[str, Any]) -> bool | None:
        """Whether the service has it now; None: it never will."""
        name, body = record.get("name"), record.get("body")
        if not isinstance(name, str) or not isinstance(body, dict):
            return None
        project = str(body.get("project"))
        if away or project in stuck:
            return False
        try:
            answer = _ask(central, name, body, time.monotonic() + DELIVERY)
        except UnavailableError as error:
            away.append(str(error))
            return False
        if answer.status == 200:
            return True
        told.append(answer.why)
        if answer.status in _NEVER:
            return None
        if answer.status in _AGAIN:
            stuck.add(project)
        else:
            away.append(answer.why)
        return False

    sent = 0
    try:
        # What came while it was busy goes, too: whoever left it may have found the lock held.
        while done := displaced.drain(deliver, displaced.OUTBOX, patience=PATIENCE):
            sent += done
    except UnavailableError as error:
        told.append(str(error))
    left = len(displaced.list_spooled_records(displaced.OUTBOX))
    return Delivered(sent, left, next(iter([*away, *told]), ""))


def load_central_start(
    vault: Opened, session: Session, config: Config, *, values: Values | None = None
) -> tuple[SessionContext, str]:
    """What a session is given: the person's own files from here, the rest from the service; and what went wrong.

    The service has `agents.remote_seconds`. Where it does not answer, a session is given what is remembered here, and
    is told so.
    """
    why = rules.explain_switch(session, config)
    if why:
        return SessionContext((), (), 0, 0, "", why), ""
    came: list[_Answer] = []
    failed: list[str] = []
    seconds = config.agents.remote_seconds
    until = time.monotonic() + seconds

    def fetch() -> None:
        """Ask the service; `came` gets what it says, `failed` why it says nothing."""
        try:
            central = open_central(config.agents, seconds)
            given = {
                "project": session.project,
                "session": session.id,
                "agent": session.agent,
                "source": session.source,
            }
            came.append(_ask(central, "context", given, until))
        except Exception as error:
            failed.append(str(error) or type(error).__name__)

    asking = Thread(target=fetch, daemon=True)
    asking.start()
    # Meanwhile: what is given where nothing comes.
    own = load_session_start(vault, session, config, values=values)
    asking.join(max(0.0, until - time.monotonic()))
    if came and came[0].status == 200:
        return _compose(vault, session, config, came[0].said), ""
    host = urlsplit(config.agents.remote).netloc
    told = _("{host} did not answer in {seconds:g} s").format(host=host, seconds=seconds)
    problem = failed[0] if failed else came[0].why if came else told
    head = _("The central memory is not to be had ({why}): this is what this machine remembers.").format(
        why=sanitize_text(problem, keep_newlines=False)
    )
    text = f"{head}\n{own.text}" if own.text else head
    if not make_budget(config).fits(text):
        text = own.text
    return own._replace(text=text, characters=len(text), tokens=estimate_tokens(text)), problem


def _compose(vault: Opened, session: Session, config: Config, said: dict[str, Any]) -> SessionContext:
    """The person's own files first, then what the service gave: data, whatever it says of itself."""
    host = urlsplit(config.agents.remote).netloc
    now, hidden = clock.now(), compile_config_patterns(config)
    profile = [
        one
        for home in vault.homes
        if not home.project
        for one in load_profile(home, session.agent, now=now, hidden=hidden)
        if one.path.rpartition("/")[2] not in ORDERS
    ]
    rule, data = split_rules(profile, hidden)
    head = _("What is remembered: your own files on this machine, then the central memory {host}.").format(host=host)
    room = make_budget(config).without(block([], head) + "\n" + head + "\n" * 4)
    first = pack_passages([*rule, *data], room, share=_OWN)
    items = said.get("items")
    given = [one for one in items if isinstance(one, dict)] if isinstance(items, list) else []
    rest = pack_passages((_read_item(one, host) for one in given[:100]), first.room)
    placed = [*first.placed, *rest.placed]
    text = block([one.frame for one in placed], head) if placed else ""
    if not make_budget(config).fits(text):
        placed, text = first.placed, block([one.frame for one in first.placed], head)
    own: tuple[ContextItem, ...] = tuple(one.item for one in placed)
    left = (*first.left, *rest.left)
    return SessionContext(own, left, len(text), estimate_tokens(text), text)


def _read_item(said: dict[str, Any], host: str) -> Passage:
    """One thing that the service gave, read as leniently as a file."""
    text = sanitize_text(redact(str(said.get("text", ""))[:20_000]).text)
    path, kind, line = str(said.get("path", ""))[:200], str(said.get("kind", ""))[:40], said.get("line")
    begin = line if isinstance(line, int) and not isinstance(line, bool) and line > 0 else 1
    layer = next((one for one in Layer if one.value == said.get("layer")), Layer.KNOWLEDGE)
    lines = tuple(enumerate(text.split("\n"), begin))
    home = Home(Path(host), "", _("the central memory"), host)
    ends = frozenset(number for number, _line in lines)
    reason = _("from the central memory {host}").format(host=host)
    return Passage(home, sanitize_text(path, keep_newlines=False), layer, kind, reason, lines, len(lines), ends)


def explain_outbox(config: Config) -> str:
    """What waits for the service and why, for a person; empty: nothing is wrong. The service is asked, for a second."""
    why = explain_no_central(config.agents)
    waiting = len(displaced.list_spooled_records(displaced.OUTBOX))
    if not why:
        try:
            central = open_central(config.agents, 2.0)
            answer = _ask(central, "context", {"project": "memtui-doctor"}, time.monotonic() + 2.0)
            # That nobody there knows such a project says that it is there, and takes the token.
            why = "" if answer.status in _AGAIN | {200} else answer.why
        except MemtuiError as error:
            why = str(error)
    if waiting:
        what = _n("{count} record waits", "{count} records wait", waiting)
        return f"{what}: {why}" if why else what
    return why
