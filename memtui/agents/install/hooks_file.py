"""Our hooks in a file of hooks: Claude Code's settings, Codex's hooks.json. Other tools' are not touched or moved.

What is ours is known by what it calls, so that it is found without any record of having been put there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memtui.agents.install import json_text
from memtui.agents.install.events import program_of
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping


def put(data: bytes | None, wanted: Mapping[str, Any], name: str) -> bytes:
    """The file with exactly these hooks of ours. Raises RefusedError where it is no file of hooks."""
    if data is None or not data.removeprefix(json_text.BOM).strip():
        return json_text.whole({"hooks": wanted_lists(wanted)})
    text, said = json_text.decoded(data, name)
    if _ours(said) == {event: [group] for event, group in wanted.items()}:
        return data
    _checked(said, wanted, name)
    changed = _without(text, said, wanted)
    said = json.loads(changed)
    if "hooks" not in said:
        changed = json_text.inserted(changed, [], "hooks", wanted_lists(wanted))
    else:
        for event, group in wanted.items():
            if event in said["hooks"]:
                changed = json_text.inserted(changed, ["hooks", event], "", group)
            else:
                changed = json_text.inserted(changed, ["hooks"], event, [group])
    return _proved(data, changed, name, wanted)


def take(data: bytes, name: str) -> bytes:
    """The file without any hook of ours. Raises RefusedError where it is no strict JSON."""
    if not data.removeprefix(json_text.BOM).strip():
        return data
    text, said = json_text.decoded(data, name)
    if not _ours(said):
        return data
    return _proved(data, _without(text, said, {}), name, {})


def program(data: bytes) -> tuple[str, ...]:
    """What the hooks of ours in it call memtui by; empty: there are none."""
    try:
        _text, said = json_text.decoded(data, "")
    except RefusedError:
        return ()
    return next((program_of(handler) for _trail, handler in _handlers(said) if program_of(handler)), ())


def wanted_lists(wanted: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The hooks as a whole file has them."""
    return {event: [group] for event, group in wanted.items()}


def _handlers(said: Any) -> Iterator[tuple[tuple[str, int, int], Any]]:
    """Every handler with its event and its place; what is not of that shape is somebody else's and passed over."""
    events = said.get("hooks") if isinstance(said, dict) else None
    for event, listed in events.items() if isinstance(events, dict) else ():
        for at, group in enumerate(listed) if isinstance(listed, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for index, handler in enumerate(handlers) if isinstance(handlers, list) else ():
                yield (event, at, index), handler


def _ours(said: Any) -> dict[str, list[Any]]:
    """Event -> the entries in which there is a handler of ours."""
    found: dict[str, dict[int, Any]] = {}
    for (event, at, _index), handler in _handlers(said):
        if program_of(handler):
            found.setdefault(event, {})[at] = said["hooks"][event][at]
    return {event: list(groups.values()) for event, groups in found.items()}


def _without(text: str, said: Any, kept: Container[str]) -> str:
    """Our handlers out of the text, and the entries, lists and the table that held nothing else, save those kept."""
    for (event, at, index), handler in reversed(list(_handlers(said))):
        if not program_of(handler):
            continue
        hooks = said["hooks"]
        trail: list[str | int] = ["hooks", event, at, "hooks", index]
        if len(hooks[event][at]["hooks"]) == 1:
            trail = ["hooks", event, at]
            if len(hooks[event]) == 1 and event not in kept:
                trail = ["hooks"] if len(hooks) == 1 else ["hooks", event]
        text = json_text.removed(text, trail)
        said = json.loads(text)
    return text


def _checked(said: Any, wanted: Mapping[str, Any], name: str) -> None:
    hooks = said.get("hooks", {}) if isinstance(said, dict) else None
    fits = isinstance(hooks, dict) and all(isinstance(hooks.get(event, []), list) for event in wanted)
    if not fits:
        raise RefusedError(
            _("{path} has something else where its hooks belong, so it was left alone.").format(path=name)
        )


def _proved(data: bytes, changed: str, name: str, wanted: Mapping[str, Any]) -> bytes:
    """The bytes to write, if they say what they should: ours as wanted, all else as it was, in its order."""
    before, after = json.loads(data.removeprefix(json_text.BOM)), json.loads(changed)
    same = json.dumps(_others(before)) == json.dumps(_others(after))
    if not same or _ours(after) != wanted_lists(wanted):
        raise RefusedError(
            _(
                "{path} cannot be changed without touching what is not ours; `--print` shows what belongs in it."
            ).format(path=name)
        )
    return (json_text.BOM if data.startswith(json_text.BOM) else b"") + changed.encode()


def _others(said: Any) -> Any:
    """What the file says besides ours. Lists and tables that are empty say nothing."""
    hooks = said.get("hooks")
    if not isinstance(hooks, dict):
        return said
    kept: dict[str, Any] = {}
    for event, listed in hooks.items():
        groups = [_other(group) for group in listed] if isinstance(listed, list) else listed
        if groups := [group for group in groups if group] if isinstance(groups, list) else groups:
            kept[event] = groups
    rest = {key: kept if key == "hooks" else value for key, value in said.items()}
    return rest if kept else {key: value for key, value in rest.items() if key != "hooks"}


def _other(group: Any) -> Any:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        return group
    left = [handler for handler in handlers if not program_of(handler)]
    return None if handlers and not left else group | {"hooks": left}
