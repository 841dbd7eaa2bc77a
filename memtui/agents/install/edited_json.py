"""JSON changed as text, every other byte where it was; and our hooks in a file of hooks.

Only strict JSON is edited: with comments, a trailing comma or a key twice nobody knows what a program makes of
the file, and it is left alone. Files of hooks are Claude Code's settings and Codex's hooks.json. What is ours
there is known by the program that it calls, without any record; other tools' hooks are not touched or moved.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.agents.install.wiring import extract_program
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

_SPACE = compile_pattern(r"[ \t\r\n]*")
_PLAIN = compile_pattern(r"[^\s,\]}]+")
_STRING = json.JSONDecoder()
SHORT = 72
"""Characters of a value that stands in one line."""
BOM = b"\xef\xbb\xbf"


class JsonNode(NamedTuple):
    """A value and where it stands; `members` of an object or a list, in order."""

    start: int
    end: int
    members: tuple[Member, ...] = ()


class Member(NamedTuple):
    """One member: its key ('' in a list), where it begins, its value."""

    key: str
    start: int
    node: JsonNode


def decode_json_file(data: bytes, name: str) -> tuple[str, Any]:
    """The text without its mark of order, and what it says. Raises RefusedError for what is no strict JSON."""
    try:
        text = data.removeprefix(BOM).decode("utf-8")
        return text, json.loads(text, object_pairs_hook=_check_keys_once, parse_constant=_number)
    except (ValueError, RecursionError) as error:
        reason = _("it has comments") if b"//" in data or b"/*" in data else str(error) or _("it nests too deep")
        raise RefusedError(
            _("{path} is not plain JSON ({reason}), so it was left alone. `--print` shows what belongs in it.").format(
                path=name, reason=reason
            )
        ) from None


def encode_json_file(data: bytes, text: str) -> bytes:
    """The text as bytes, with the mark of order that the file had."""
    return (BOM if data.startswith(BOM) else b"") + text.encode()


def _check_keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [key for key, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(_("the key '{key}' appears twice").format(key=twice))
    return found


def _number(name: str) -> Any:
    raise ValueError(_("{name} is no number").format(name=name))


def insert_member(text: str, trail: Sequence[str | int], key: str, value: Any) -> str:
    """The text with one member more, the last, in the object or list at the trail; `key` is for an object."""
    nodes = _walk_to(text, trail)
    node = nodes[-1]
    end = "\r\n" if "\r\n" in text else "\n"
    unit = _find_unit(text)
    last = node.members[-1] if node.members else None
    spread = "\n" in text[node.start : last.start] if last else "\n" in text or len(text.strip()) < 3
    if not spread:
        body = _format_key(text, node, key) + json.dumps(value, ensure_ascii=False)
        at = last.node.end if last else node.start + 1
        return text[:at] + (", " if last else "") + body + text[at if last else node.end - 1 :]
    own = _find_margin(text, node.start)
    margin = _find_margin(text, last.start) if last else own + unit
    body = (_format_key(text, node, key) + render_value(value, unit)).replace("\n", end + margin)
    if last:
        return f"{text[: last.node.end]},{end}{margin}{body}{text[last.node.end :]}"
    return f"{text[: node.start + 1]}{end}{margin}{body}{end}{own}{text[node.end - 1 :]}"


def replace_value(text: str, trail: Sequence[str | int], value: Any) -> str:
    """The text with another value at the trail."""
    node = _walk_to(text, trail)[-1]
    spread = "\n" in text[node.start : node.end]
    body = render_value(value, _find_unit(text)) if spread else json.dumps(value, ensure_ascii=False)
    end = "\r\n" if "\r\n" in text else "\n"
    return text[: node.start] + body.replace("\n", end + _find_margin(text, node.start)) + text[node.end :]


def remove_member(text: str, trail: Sequence[str | int]) -> str:
    """The text without the member at the trail, and without the comma that went with it."""
    *above, last = trail
    node = _walk_to(text, above)[-1]
    index = _index(node, last)
    members = node.members
    if len(members) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if index:
        return text[: members[index - 1].node.end] + text[members[index].node.end :]
    return text[: members[0].start] + text[members[1].start :]


def render_file(value: Any) -> bytes:
    """A file of its own."""
    return (render_value(value, "  ") + "\n").encode()


def render_value(value: Any, unit: str) -> str:
    """The value in lines, what is short or a list of plain values in one: a person reads the difference."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(line) <= SHORT:
        return line
    items = list(value.values()) if isinstance(value, dict) else value
    if isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in items):
        return line
    heads = (
        [f"{json.dumps(key, ensure_ascii=False)}: " for key in value] if isinstance(value, dict) else [""] * len(items)
    )
    body = ",\n".join(head + render_value(item, unit) for head, item in zip(heads, items, strict=True))
    body = f"\n{body}".replace("\n", f"\n{unit}")
    return f"{line[0]}{body}\n{line[-1]}"


def _walk_to(text: str, trail: Sequence[str | int]) -> list[JsonNode]:
    nodes = [_parse_node(text, _skip(text, 0))]
    for step in trail:
        nodes.append(nodes[-1].members[_index(nodes[-1], step)].node)
    return nodes


def _index(node: JsonNode, step: str | int) -> int:
    if isinstance(step, int):
        return step
    return next(index for index, member in enumerate(node.members) if member.key == step)


def _parse_node(text: str, at: int) -> JsonNode:
    start = at
    if text[at] not in "{[":
        if text[at] == '"':
            return JsonNode(at, _STRING.raw_decode(text, at)[1])
        found = _PLAIN.match(text, at)
        return JsonNode(at, found.end() if found else at)
    members = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        begins, key = at, ""
        if text[start] == "{":
            key, at = _STRING.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        node = _parse_node(text, at)
        members.append(Member(key, begins, node))
        at = _skip(text, node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return JsonNode(start, at + 1, tuple(members))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _format_key(text: str, node: JsonNode, key: str) -> str:
    return f"{json.dumps(key, ensure_ascii=False)}: " if text[node.start] == "{" else ""


def _find_margin(text: str, at: int) -> str:
    """The white space that the line of a place begins with."""
    begins = text.rfind("\n", 0, at) + 1
    found = compile_pattern(r"[ \t]*").match(text, begins)
    return found.group() if found else ""


def _find_unit(text: str) -> str:
    """What one step of indentation is here: as the first member of all has it."""
    root = _parse_node(text, _skip(text, 0))
    margin = _find_margin(text, root.members[0].start) if root.members else ""
    return margin or "  "


def put(data: bytes | None, wanted: Mapping[str, Any], name: str) -> bytes:
    """The file with exactly these hooks of ours. Raises RefusedError where it is no file of hooks."""
    if data is None or not data.removeprefix(BOM).strip():
        return render_file({"hooks": build_hook_lists(wanted)})
    text, said = decode_json_file(data, name)
    if _map_ours(said) == {event: [group] for event, group in wanted.items()}:
        return data
    _check_shape(said, wanted, name)
    changed = _drop_ours(text, said, wanted)
    said = json.loads(changed)
    if "hooks" not in said:
        changed = insert_member(changed, [], "hooks", build_hook_lists(wanted))
    else:
        for event, group in wanted.items():
            if event in said["hooks"]:
                changed = insert_member(changed, ["hooks", event], "", group)
            else:
                changed = insert_member(changed, ["hooks"], event, [group])
    return _prove_and_encode(data, changed, name, wanted)


def take(data: bytes, name: str) -> bytes:
    """The file without any hook of ours. Raises RefusedError where it is no strict JSON."""
    if not data.removeprefix(BOM).strip():
        return data
    text, said = decode_json_file(data, name)
    if not _map_ours(said):
        return data
    return _prove_and_encode(data, _drop_ours(text, said, {}), name, {})


def read_hook_program(data: bytes) -> tuple[str, ...]:
    """What the hooks of ours in it call memtui by; empty: there are none."""
    try:
        _text, said = decode_json_file(data, "")
    except RefusedError:
        return ()
    return next((extract_program(handler) for _trail, handler in list_handlers(said) if extract_program(handler)), ())


def build_hook_lists(wanted: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The hooks as a whole file has them."""
    return {event: [group] for event, group in wanted.items()}


def list_handlers(said: Any) -> Iterator[tuple[tuple[str, int, int], Any]]:
    """Every handler with its event and its place; what is not of that shape is somebody else's and passed over."""
    events = said.get("hooks") if isinstance(said, dict) else None
    for event, listed in events.items() if isinstance(events, dict) else ():
        for at, group in enumerate(listed) if isinstance(listed, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for index, handler in enumerate(handlers) if isinstance(handlers, list) else ():
                yield (event, at, index), handler


def _map_ours(said: Any) -> dict[str, list[Any]]:
    """Event -> the entries in which there is a handler of ours."""
    found: dict[str, dict[int, Any]] = {}
    for (event, at, _index), handler in list_handlers(said):
        if extract_program(handler):
            found.setdefault(event, {})[at] = said["hooks"][event][at]
    return {event: list(groups.values()) for event, groups in found.items()}


def _drop_ours(text: str, said: Any, kept: Container[str]) -> str:
    """Our handlers out of the text, and the entries, lists and the table that held nothing else, save those kept."""
    for (event, at, index), handler in reversed(list(list_handlers(said))):
        if not extract_program(handler):
            continue
        hooks = said["hooks"]
        trail: list[str | int] = ["hooks", event, at, "hooks", index]
        if len(hooks[event][at]["hooks"]) == 1:
            trail = ["hooks", event, at]
            if len(hooks[event]) == 1 and event not in kept:
                trail = ["hooks"] if len(hooks) == 1 else ["hooks", event]
        text = remove_member(text, trail)
        said = json.loads(text)
    return text


def _check_shape(said: Any, wanted: Mapping[str, Any], name: str) -> None:
    hooks = said.get("hooks", {}) if isinstance(said, dict) else None
    fits = isinstance(hooks, dict) and all(isinstance(hooks.get(event, []), list) for event in wanted)
    if not fits:
        raise RefusedError(
            _("{path} has something else where its hooks belong, so it was left alone.").format(path=name)
        )


def _prove_and_encode(data: bytes, changed: str, name: str, wanted: Mapping[str, Any]) -> bytes:
    """The bytes to write, if they say what they should: ours as wanted, all else as it was, in its order."""
    before, after = json.loads(data.removeprefix(BOM)), json.loads(changed)
    same = json.dumps(_keep_others(before)) == json.dumps(_keep_others(after))
    if not same or _map_ours(after) != build_hook_lists(wanted):
        raise RefusedError(
            _("{path} cannot be changed without touching what is not ours; `--print` shows what belongs in it.").format(
                path=name
            )
        )
    return encode_json_file(data, changed)


def _keep_others(said: Any) -> Any:
    """What the file says besides ours. Lists and tables that are empty say nothing."""
    hooks = said.get("hooks")
    if not isinstance(hooks, dict):
        return said
    kept: dict[str, Any] = {}
    for event, listed in hooks.items():
        groups = [_keep_other(group) for group in listed] if isinstance(listed, list) else listed
        if groups := [group for group in groups if group] if isinstance(groups, list) else groups:
            kept[event] = groups
    rest = {key: kept if key == "hooks" else value for key, value in said.items()}
    return rest if kept else {key: value for key, value in rest.items() if key != "hooks"}


def _keep_other(group: Any) -> Any:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        return group
    left = [handler for handler in handlers if not extract_program(handler)]
    return None if handlers and not left else group | {"hooks": left}
