"""Which of our hooks Codex runs: none that a person has not trusted, without a word about it in `codex exec`.

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

from memtui.agents.install.edited_json import list_handlers
from memtui.agents.install.wiring import extract_program

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

_HEADER = re.compile(r"\s*\[[^\[]")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")
_MATCHED = frozenset(
    {"PreToolUse", "PostToolUse", "PermissionRequest", "PreCompact", "PostCompact", "SessionStart"}
)
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
    states = _states(values)
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
    heads = [index for index, line in enumerate(lines) if _HEADER.match(line)]
    for start in reversed(heads):
        stop = next((one for one in heads if one > start), len(lines))
        stop = min(stop, len(lines))
        trail = _trail(lines[start])
        body = [line for line in lines[start + 1 : stop] if line.strip()]
        ours = len(trail) == 3 and trail[:2] == ["hooks", "state"] and trail[2] in keys
        inner = any(_trail(lines[one])[: len(trail)] == trail for one in heads if one > start)
        left_over = bool(keys) and trail in (["hooks", "state"], ["hooks"]) and not body and not inner
        if ours or left_over:
            # What leads the next table is its own.
            while stop < len(lines) and stop - 1 > start and lines[stop - 1].lstrip().startswith("#"):
                stop -= 1
            del lines[start:stop]
            heads = [index for index, line in enumerate(lines) if _HEADER.match(line)]
    return "".join(lines)


def _states(values: Mapping[str, Any]) -> Mapping[str, Any]:
    hooks = values.get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    return states if isinstance(states, dict) else {}


def _trail(header: str) -> list[str]:
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
