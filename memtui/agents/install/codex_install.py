"""Codex: hooks of its own, or a notifier chained before the one that is there; and the MCP server in config.toml.

config.toml is changed as text: comments and order stay, every change is checked by parsing the result, and
refused where it cannot be made that way. It has one slot for a notifier: ours stands in it, and the one that
was there behind `--then`.

Which of our hooks Codex runs: none that a person has not trusted, without a word about it in `codex exec`.

What they trusted stands in the config.toml of the user, as `[hooks.state."<hooks.json>:<event>:<group>:<handler>"]`
with the digest of the hook as it was then (read from Codex 0.145 to 0.169). These tables are Codex's own, but those
of hooks that are gone say nothing to anybody.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tomllib
from typing import TYPE_CHECKING, Any

import tomli_w

from memtui.agents.install import edited_json
from memtui.agents.install.claude_install import make_server_entry
from memtui.agents.install.edited_json import list_handlers
from memtui.agents.install.wiring import (
    FilePiece,
    Wiring,
    build_hook_groups,
    extract_program,
    read_entry_program,
    read_readable,
    strip_verb,
)
from memtui.core import config_file
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from memtui.agents.install.wiring import AgentPlaces


_HEADER = compile_pattern(r"\s*\[")
_SERVER = compile_pattern(r"\s*\[\s*mcp_servers\s*\.\s*[\"']?memtui[\"']?\s*\]\s*(?:#.*)?$")
_BOM = "\ufeff"


def change_toml(data: bytes | None, name: str, change: Callable[[str], str]) -> bytes:
    """The file after a change of its text. Raises RefusedError where it is no TOML, or cannot be changed gently."""
    try:
        text = (data or b"").decode("utf-8")
        tomllib.loads(text.removeprefix(_BOM))
    except (ValueError, RecursionError) as error:
        raise RefusedError(
            _("{path} is not TOML ({error}), so it was left alone.").format(path=name, error=error)
        ) from None
    try:
        return ((_BOM if text.startswith(_BOM) else "") + change(text.removeprefix(_BOM))).encode()
    except RefusedError as error:
        raise RefusedError(f"{name}: {error}") from None


def switch_hooks(text: str, wanted: bool) -> str:
    """With `[features] hooks` the other way, where it stands there: they are on by themselves."""
    features = tomllib.loads(text).get("features")
    if not isinstance(features, dict) or features.get("hooks") is not (not wanted):
        return text
    gently = config_file.edit_setting(text, "features", "hooks", wanted)
    if gently is None:
        raise RefusedError(_("its features.hooks cannot be changed as it is written; do it by hand"))
    return gently


def add_server(text: str, program: Sequence[str]) -> str:
    """With our MCP server. Raises RefusedError where another has its name, or what should be a table is none."""
    servers = tomllib.loads(text).get("mcp_servers", {})
    if not isinstance(servers, dict):
        raise RefusedError(_("that cannot be changed as it is written; do it by hand, see `--print`"))
    there = servers.get("memtui")
    wanted = make_server_entry(program)
    if there is None:
        end = "\r\n" if "\r\n" in text else "\n"
        block = tomli_w.dumps({"mcp_servers": {"memtui": wanted}}).replace("\n", end)
        gap = "" if not text else end if text.endswith("\n") else end * 2
        return check_toml(f"{text}{gap}{block}", _put(text, wanted))
    if not read_entry_program(there):
        raise RefusedError(_("another MCP server is called memtui there"))
    if there | wanted == there:
        return text
    left = remove_server(text)
    if left == text:
        raise RefusedError(_("its MCP server memtui was made more of, and calls another memtui; do it by hand"))
    return add_server(left, program)


def remove_server(text: str) -> str:
    """Without our MCP server; as it is where a person made more of it."""
    values = tomllib.loads(text)
    servers = values.get("mcp_servers")
    there = servers.get("memtui") if isinstance(servers, dict) else None
    if not read_entry_program(there) or set(there or ()) - {"command", "args"}:
        return text
    lines = text.splitlines(keepends=True)
    start = next((index for index, line in enumerate(lines) if _SERVER.match(line)), None)
    if start is None:
        return text
    stop = next((index for index in range(start + 1, len(lines)) if _HEADER.match(lines[index])), len(lines))
    # What leads the next table is its own.
    while stop < len(lines) and lines[stop - 1].lstrip().startswith("#"):
        stop -= 1
    head = "".join(lines[:start])
    if stop == len(lines) and head.endswith(("\n\n", "\r\n\r\n")):
        head = head.removesuffix("\n").removesuffix("\r")
    return check_toml(head + "".join(lines[stop:]), _put(text, None))


def read_codex_server(data: bytes) -> tuple[str, ...]:
    """What our MCP server is called by; empty: there is none."""
    servers = parse_toml(data).get("mcp_servers")
    return read_entry_program(servers.get("memtui")) if isinstance(servers, dict) else ()


def parse_toml(data: bytes) -> dict[str, Any]:
    """What the file says; nothing where it cannot be read."""
    try:
        return tomllib.loads(data.decode("utf-8").removeprefix(_BOM))
    except (ValueError, RecursionError):
        return {}


def _put(text: str, server: dict[str, Any] | None) -> dict[str, Any]:
    values = tomllib.loads(text)
    servers = values.setdefault("mcp_servers", {})
    if server is not None:
        servers["memtui"] = server
    else:
        del servers["memtui"]
        if not servers:
            del values["mcp_servers"]
    return values


def check_toml(text: str, wanted: dict[str, Any]) -> str:
    """The text, if it says what it should. Raises RefusedError."""
    try:
        values = tomllib.loads(text)
    except ValueError:
        values = {}
    # An empty table that stays behind says nothing.
    before, after = ({key: value for key, value in one.items() if value != {}} for one in (wanted, values))
    if before != after:
        raise RefusedError(_("that cannot be changed as it is written; do it by hand, see `--print`"))
    return text


def add_top_line(text: str, line: str) -> str:
    """The text with one line more among its keys of no table."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    keys = [
        index
        for index in range(count_top_lines(lines))
        if lines[index].strip() and not lines[index].lstrip().startswith("#")
    ]
    at = keys[-1] + 1 if keys else 0
    before = "".join(lines[:at])
    gap = "" if not before or before.endswith("\n") else end
    return f"{before}{gap}{line}{end}{''.join(lines[at:])}"


def count_top_lines(lines: Sequence[str]) -> int:
    """How many lines stand above the first table."""
    return next((index for index, line in enumerate(lines) if _HEADER.match(line)), len(lines))


_KEY = compile_pattern(r"\s*(?:notify|\"notify\"|'notify')\s*=\s*")
_THEN = "--then"


def read_notifier(values: dict[str, Any]) -> tuple[str, ...]:
    """What the notifier calls memtui by; empty: it is somebody else's, or there is none."""
    argv = values.get("notify")
    if not isinstance(argv, list) or not all(isinstance(word, str) for word in argv):
        return ()
    found = strip_verb(argv, "hook")
    return found if argv[len(found) + 1 : len(found) + 2] == ["notify"] else ()


def put_codex_notify(text: str, program: Sequence[str]) -> str:
    """With our notifier in the slot, and whatever was there called after it. Raises RefusedError."""
    values = tomllib.loads(text)
    there = values.get("notify")
    previous = _find_previous(there) if read_notifier(values) else there
    if previous is not None and _check_words(previous) is None:
        raise RefusedError(_("its notify is not a list of words"))
    wanted = [*program, "hook", "notify", "--agent", "codex"]
    if previous:
        wanted += [_THEN, json.dumps(previous, ensure_ascii=False)]
    return text if wanted == there else _set_notifier(text, wanted)


def take_codex_notify(text: str) -> str:
    """With the notifier that was there before ours, or none. Raises RefusedError."""
    values = tomllib.loads(text)
    if not read_notifier(values):
        return text
    previous = _find_previous(values["notify"])
    if previous:
        return _set_notifier(text, previous)
    found = _find_slot(text)
    if found is None:
        raise RefusedError(_("its notify cannot be taken out; do it by hand"))
    del values["notify"]
    begins = text.rfind("\n", 0, found[0]) + 1
    ends = text.find("\n", found[1]) + 1 or len(text)
    return check_toml(text[:begins] + text[ends:], values)


def _set_notifier(text: str, argv: list[str]) -> str:
    shown = json.dumps(argv, ensure_ascii=False)
    found = _find_slot(text)
    if found is None:
        changed = add_top_line(text, f"notify = {shown}")
    else:
        old = text[found[0] : found[1]]
        if "\n" in old and "#" in old:
            raise RefusedError(_("its notify has comments inside, which would be lost; do it by hand"))
        changed = text[: found[0]] + shown + text[found[1] :]
    return check_toml(changed, tomllib.loads(text) | {"notify": argv})


def _find_slot(text: str) -> tuple[int, int] | None:
    """Where the value of the key begins and ends, a comment behind it left out; None: there is no such key."""
    lines = text.splitlines(keepends=True)
    at = 0
    for index in range(count_top_lines(lines)):
        found = _KEY.match(lines[index])
        if found is not None:
            start, rest = at + found.end(), ""
            for line in [lines[index][found.end() :], *lines[index + 1 :]]:
                rest += line
                marks = [match.start() for match in re.finditer(r"\s*#", rest)] + [len(rest.rstrip())]
                ends = next((mark for mark in marks if _is_whole_value(rest[:mark])), None)
                if ends is not None:
                    return start, start + ends
        at += len(lines[index])
    return None


def _is_whole_value(value: str) -> bool:
    try:
        tomllib.loads(f"v = {value}")
    except (ValueError, RecursionError):
        return False
    return True


def _find_previous(argv: Any) -> list[str] | None:
    """What our notifier calls after itself."""
    try:
        return _check_words(json.loads(argv[argv.index(_THEN) + 1]))
    except (ValueError, IndexError, RecursionError):
        return None


def _check_words(found: Any) -> list[str] | None:
    return found if isinstance(found, list) and all(isinstance(word, str) for word in found) else None


def list_codex_wirings(places: AgentPlaces, program: Sequence[str]) -> tuple[Wiring, ...]:
    """Every way to serve it here, what is done by default first."""
    project = places.project / ".codex"
    return (
        _make_hooks_wiring(places.codex, program, "user", places.codex / "config.toml"),
        _make_hooks_wiring(project, program, "project", places.codex / "config.toml", places.project),
        _notify(places.codex, program),
    )


def _make_hooks_wiring(
    folder: Path, program: Sequence[str], scope: str, user_config: Path, inside: Path | None = None
) -> Wiring:
    hooks, config = folder / "hooks.json", folder / "config.toml"
    wanted = build_hook_groups("codex", program)

    def put(text: str) -> str:
        return add_server(switch_hooks(text, True), program)

    def take(text: str) -> str:
        # What Codex remembers of our hooks goes with them, in the user's own config.
        text = remove_trust(text, list_trust_keys(hooks, read_readable(hooks)))
        return text if _has_notifier(config) else remove_server(text)

    def give_back(now: bytes | None, before: bytes | None) -> bytes | None:
        was = parse_toml(before or b"").get("features")
        if now is not None and isinstance(was, dict) and was.get("hooks") is False:
            now = change_toml(now, str(config), lambda text: switch_hooks(text, False))
        # Codex writes into it, too: where but blank lines are left of that, the file is what it was.
        return before if now is not None and _split_lines(now) == _split_lines(before or b"") else now

    warnings = [
        _("Codex runs no hook that you have not trusted: start it, look at them in /hooks, and trust them there.")
    ]
    if _is_switched_off(config):
        warnings.append(_("Its hooks were switched off in config.toml, all of them: this switches them on."))
    if _has_notifier(config):
        warnings.append(_("The notifier stands, too: memtui uninstall codex --notify takes it back."))
    return Wiring(
        "codex",
        "hooks",
        scope,
        folder,
        (
            FilePiece(
                hooks,
                lambda old: edited_json.put(old, wanted, str(hooks)),
                lambda old: edited_json.take(old, str(hooks)),
                edited_json.read_hook_program,
                inside,
            ),
            FilePiece(
                config,
                lambda old: change_toml(old, str(config), put),
                lambda old: change_toml(old, str(config), take),
                lambda old: () if read_notifier(parse_toml(old)) else read_codex_server(old),
                inside,
                give_back,
            ),
        ),
        warnings=tuple(warnings),
        idle=_explain_idle(hooks, user_config),
        remedy=_("start codex, and trust them in /hooks"),
    )


def _explain_idle(hooks: Path, config: Path) -> str:
    keys = list_trust_keys(hooks, read_readable(hooks))
    idle = list_idle_hooks(keys, parse_toml(read_readable(config)))
    told = _("Codex runs {count} of its {all} hooks: the others are not trusted, or switched off")
    return told.format(count=len(keys) - len(idle), all=len(keys)) if idle else ""


def _split_lines(data: bytes) -> list[bytes]:
    return [line.rstrip() for line in data.splitlines() if line.strip()]


def _notify(folder: Path, program: Sequence[str]) -> Wiring:
    config = folder / "config.toml"

    def put(text: str) -> str:
        return add_server(put_codex_notify(text, program), program)

    def take(text: str) -> str:
        text = take_codex_notify(text)
        return text if edited_json.read_hook_program(read_readable(folder / "hooks.json")) else remove_server(text)

    return Wiring(
        "codex",
        "notify",
        "user",
        folder,
        (
            FilePiece(
                config,
                lambda old: change_toml(old, str(config), put),
                lambda old: change_toml(old, str(config), take),
                lambda old: read_notifier(parse_toml(old)),
            ),
        ),
        warnings=(_("A notifier is only told that a turn has ended: nothing is given to Codex at a session's start."),),
    )


def _has_notifier(config: Path) -> bool:
    return bool(read_notifier(parse_toml(read_readable(config))))


def _is_switched_off(config: Path) -> bool:
    features = parse_toml(read_readable(config)).get("features")
    return isinstance(features, dict) and features.get("hooks") is False


_STATE_HEADER = compile_pattern(r"\s*\[[^\[]")
_WORD = compile_pattern(r"(?<!^)(?=[A-Z])")
_MATCHED = frozenset({"PreToolUse", "PostToolUse", "PermissionRequest", "PreCompact", "PostCompact", "SessionStart"})
"""Events whose hooks may be for some things only; elsewhere a matcher means nothing and is no part of the hook."""
_TIMEOUT = 600
"""Seconds that a hook has where it does not say."""


def list_trust_keys(hooks: Path, data: bytes) -> dict[str, str]:
    """By what Codex knows each hook of ours in a file of hooks, and the digest that it has as it is now."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    found = {}
    for (event, group, handler), hook in list_handlers(said):
        if extract_program(hook):
            label = _WORD.sub("_", event).lower()
            entry: Mapping[str, Any] = said["hooks"][event][group]
            matcher = entry.get("matcher") if event in _MATCHED else None
            found[f"{os.path.realpath(hooks)}:{label}:{group}:{handler}"] = digest_hook(label, matcher, hook)
    return found


def digest_hook(label: str, matcher: str | None, hook: Mapping[str, Any]) -> str:
    """What Codex remembers a hook by."""
    kept = {"type": "command", "command": hook.get("command"), "timeout": hook.get("timeout", _TIMEOUT)}
    status = {"statusMessage": hook["statusMessage"]} if hook.get("statusMessage") else {}
    plain: dict[str, Any] = {"event_name": label, "hooks": [{**kept, "async": False, **status}]}
    if matcher is not None:
        plain["matcher"] = matcher
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def list_idle_hooks(keys: Mapping[str, str], values: Mapping[str, Any]) -> list[str]:
    """The events whose hooks Codex does not run: not trusted, changed since, or switched off in /hooks."""
    states = _get_states(values)
    idle = []
    for key, digest in keys.items():
        state = states.get(key)
        told = state if isinstance(state, dict) else {}
        if told.get("trusted_hash") != digest or told.get("enabled") is False:
            idle.append(key.rsplit(":", 3)[1])
    return idle


def remove_trust(text: str, keys: Collection[str]) -> str:
    """The text of config.toml without these tables, and without the empty ones that would be left of them."""
    lines = text.splitlines(keepends=True)
    heads = [index for index, line in enumerate(lines) if _STATE_HEADER.match(line)]
    for start in reversed(heads):
        stop = next((one for one in heads if one > start), len(lines))
        stop = min(stop, len(lines))
        trail = _parse_header(lines[start])
        body = [line for line in lines[start + 1 : stop] if line.strip()]
        ours = len(trail) == 3 and trail[:2] == ["hooks", "state"] and trail[2] in keys
        inner = any(_parse_header(lines[one])[: len(trail)] == trail for one in heads if one > start)
        left_over = bool(keys) and trail in (["hooks", "state"], ["hooks"]) and not body and not inner
        if ours or left_over:
            # What leads the next table is its own.
            while stop < len(lines) and stop - 1 > start and lines[stop - 1].lstrip().startswith("#"):
                stop -= 1
            del lines[start:stop]
            heads = [index for index, line in enumerate(lines) if _STATE_HEADER.match(line)]
    return "".join(lines)


def _get_states(values: Mapping[str, Any]) -> Mapping[str, Any]:
    hooks = values.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    return states if isinstance(states, dict) else {}


def _parse_header(header: str) -> list[str]:
    """The names of a table's header, outermost first."""
    try:
        inside: Any = tomllib.loads(header)
    except ValueError:
        return []
    trail = []
    while isinstance(inside, dict) and inside:
        name, inside = next(iter(inside.items()))
        trail.append(name)
    return trail
