"""`memtui config`: the settings, one by one, and what a shell offers for them.

It imports the screens: they alone know what themes there are.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.documents import make_jsonable
from memtui.cli.opening import load_settings, shorten_path
from memtui.cli.options import EVERYWHERE, Argument, Command
from memtui.core import config_edit, config_keys
from memtui.core.config import find_config_path
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.tui.draw import list_themes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

THEME = "ui.theme"
"""The one setting whose values only the screens know."""

SHAPES = {"list": "list", "path": "path", "get": "get KEY", "set": "set KEY VALUE"}


def run_config(verb: str | None, key: str | None, value: str | None, *, home: tuple[str, ...], as_json: bool) -> int:
    """List, get, set, or say where the file is."""
    del home  # every command takes it; the config is the person's, not a home's
    verb = verb or "list"
    if (key is not None) + (value is not None) != SHAPES[verb].count(" "):
        raise UsageError(
            _("It is used as `memtui config {shape}`; `memtui config` lists the keys.").format(shape=SHAPES[verb])
        )
    if verb == "path":
        return _print_path(as_json)
    if verb == "set":
        return _set(str(key), str(value), as_json)
    return _get(str(key), as_json) if verb == "get" else _list(as_json)


def _print_path(as_json: bool) -> int:
    place = find_config_path()
    there = os.path.isfile(place)
    if as_json:
        render.print_document({"path": place, "exists": there})
    else:
        render.print_line(render.make_safe_line(place))
        if not there:
            render.print_remark(_("It is not there yet: every setting has its default."))
    return 0


def _get(key: str, as_json: bool) -> int:
    value = config_edit.get(key, load_settings(warn=not as_json))
    if as_json:
        render.print_document({"key": key, "value": make_jsonable(value)})
    else:
        render.print_line(render.make_safe_line(_format_value(value)))
    return 0


def _set(key: str, value: str, as_json: bool) -> int:
    if key == THEME and value:
        config_keys.check_choice(key, value, list_themes())
    config_edit.set(key, value)
    now = config_edit.get(key, load_settings(warn=False))
    if as_json:
        render.print_document({"key": key, "value": make_jsonable(now), "path": find_config_path()})
    else:
        render.print_remark(
            _("{key} = {value}, in {place}").format(
                key=key, value=_format_value(now) or "''", place=shorten_path(find_config_path())
            )
        )
    return 0


def _list(as_json: bool) -> int:
    loaded = load_settings(warn=not as_json)
    rows = [(item, config_edit.get(item.name, loaded)) for item in config_edit.describe() if item != config_edit.KEYMAP]
    rows += [
        (config_edit.KEYMAP._replace(name=f"keymap.{action}"), key) for action, key in sorted(loaded.keymap.items())
    ]
    if as_json:
        render.print_document(
            {
                "path": find_config_path(),
                "settings": [
                    {
                        "key": item.name,
                        "value": make_jsonable(value),
                        "default": make_jsonable(item.default),
                        "type": item.type,
                        "doc": item.doc,
                    }
                    for item, value in rows
                ],
            }
        )
        return 0
    heads = (
        render.Column("", render.GREEN),
        render.Column(_("key"), render.CYAN),
        render.Column(_("value"), render.BOLD),
        render.Column(_("meaning"), render.DIM, grows=True),
    )
    render.print_table(
        heads,
        [("●" if value != item.default else "", item.name, _format_value(value), _(item.doc)) for item, value in rows],
    )
    return 0


def _format_value(value: Any) -> str:
    """A value as one would type it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list, set, frozenset)):
        return "[" + ", ".join(map(str, value)) + "]"
    if hasattr(value, "items"):
        return ", ".join(f"{name}={item}" for name, item in value.items())
    return str(value)


def _list_keys(typed: Mapping[str, Any]) -> list[str]:
    return [item.name for item in config_edit.describe()] if typed.get("verb") in {"get", "set"} else []


def _list_values(typed: Mapping[str, Any]) -> Sequence[str]:
    if typed.get("verb") != "set":
        return ()
    key = str(typed.get("key"))
    return list_themes() if key == THEME else config_edit.list_choices(key)


COMMAND = Command(
    "config",
    "Show or change settings. A dot marks what differs from its default.\n\n"
    "\b\nmemtui config [list]\nmemtui config get KEY\nmemtui config set KEY VALUE\nmemtui config path",
    run_config,
    (
        Argument("verb", choices=tuple(SHAPES), metavar="[get|set|path|list]"),
        Argument("key", metavar="[KEY]", offers=_list_keys),
        Argument("value", metavar="[VALUE]", offers=_list_values),
    ),
    EVERYWHERE,
)
