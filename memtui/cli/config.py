"""`memtui config`: the settings, one by one."""

from __future__ import annotations

import os
from typing import Any

from memtui import config_keys
from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Argument, Command
from memtui.cli.opening import settings, short
from memtui.config import default_path
from memtui.errors import UsageError
from memtui.locale import _

SHAPES = {"list": "list", "path": "path", "get": "get KEY", "set": "set KEY VALUE"}


def run(verb: str | None, key: str | None, value: str | None, *, home: tuple[str, ...], as_json: bool) -> int:
    """List, get, set, or say where the file is."""
    del home  # every command takes it; the config is the person's, not a home's
    verb = verb or "list"
    if (key is not None) + (value is not None) != SHAPES[verb].count(" "):
        raise UsageError(_("That is used as `memtui config {shape}`.").format(shape=SHAPES[verb]))
    if verb == "path":
        return _path(as_json)
    if verb == "set":
        return _set(str(key), str(value), as_json)
    return _get(str(key), as_json) if verb == "get" else _list(as_json)


def _path(as_json: bool) -> int:
    place = default_path()
    there = os.path.isfile(place)
    if as_json:
        output.document({"path": place, "exists": there})
    else:
        output.line(output.safe(place))
        if not there:
            output.talk(_("It is not there yet: every setting has its default."))
    return 0


def _get(key: str, as_json: bool) -> int:
    value = config_keys.get(key, settings(warn=not as_json))
    if as_json:
        output.document({"key": key, "value": _plain(value)})
    else:
        output.line(output.safe(_shown(value)))
    return 0


def _set(key: str, value: str, as_json: bool) -> int:
    config_keys.set(key, value)
    now = config_keys.get(key, settings(warn=False))
    if as_json:
        output.document({"key": key, "value": _plain(now), "path": default_path()})
    else:
        output.talk(
            _("{key} = {value}, in {place}").format(key=key, value=_shown(now), place=short(default_path()))
        )
    return 0


def _list(as_json: bool) -> int:
    loaded = settings(warn=not as_json)
    rows = [
        (item, config_keys.get(item.name, loaded))
        for item in config_keys.describe()
        if item != config_keys.KEYMAP
    ]
    rows += [
        (config_keys.KEYMAP._replace(name=f"keymap.{action}"), key)
        for action, key in sorted(loaded.keymap.items())
    ]
    if as_json:
        output.document(
            {
                "path": default_path(),
                "settings": [
                    {
                        "key": item.name,
                        "value": _plain(value),
                        "default": _plain(item.default),
                        "type": item.type,
                        "doc": item.doc,
                    }
                    for item, value in rows
                ],
            }
        )
        return 0
    heads = (
        output.Column("", output.GREEN),
        output.Column(_("key"), output.CYAN),
        output.Column(_("value"), output.BOLD),
        output.Column(_("meaning"), output.DIM, grows=True),
    )
    output.table(
        heads,
        [("●" if value != item.default else "", item.name, _shown(value), item.doc) for item, value in rows],
    )
    return 0


def _plain(value: Any) -> Any:
    from memtui.cli.record import jsonable

    return jsonable(value)


def _shown(value: Any) -> str:
    """A value as one would type it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list, set, frozenset)):
        return "[" + ", ".join(map(str, value)) + "]"
    if hasattr(value, "items"):
        return ", ".join(f"{name}={item}" for name, item in value.items())
    return str(value)


COMMAND = Command(
    "config",
    "Show or change settings. A dot marks what differs from its default.\n\n"
    "\b\nmemtui config [list]\nmemtui config get KEY\nmemtui config set KEY VALUE\nmemtui config path",
    run,
    (
        Argument("verb", choices=tuple(SHAPES), metavar="[get|set|path|list]"),
        Argument("key", metavar="[KEY]"),
        Argument("value", metavar="[VALUE]"),
    ),
    EVERYWHERE,
)
