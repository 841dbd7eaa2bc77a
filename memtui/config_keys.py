"""Every setting explained: what it means, which values fit, and how to get and set it by its name.

`memtui config` and the README are made from `describe`. Writing the file is `config_file`'s business.
"""

from __future__ import annotations

import os

from memtui.config import Config, default_path, load
from memtui.config_about import ABOUT, About
from memtui.config_check import WORDS, check, nearest, typed
from memtui.errors import UsageError
from memtui.locale import _
from memtui.record import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Key(NamedTuple):
    """One setting, described: a row of `memtui config` and of the README."""

    name: str
    """section.key"""
    type: str
    """text, number, whole number, true or false, list of texts; or the choices with '|' between them."""
    default: Any
    doc: str


KEYMAP = Key(
    "keymap.<id>", "text", "", "The key of an action, several with commas; the ids are in the help (?)."
)


def describe_key(section: str, name: str) -> About | None:
    """What a setting means, its default with it; None: there is no such setting."""
    about = ABOUT.get(section, {}).get(name)
    return None if about is None else about._replace(default=getattr(getattr(Config(), section), name))


def describe() -> Iterator[Key]:
    """Every setting with its type, default and documentation, in the order of the file; the keymap last."""
    for section, keys in ABOUT.items():
        for name in keys:
            about = describe_key(section, name)
            assert about is not None
            words = "|".join(about.choices) or WORDS[type(about.default)]
            yield Key(f"{section}.{name}", words, about.default, about.doc)
    yield KEYMAP


def get(key: str, config: Config | None = None) -> Any:
    """The value of 'section.key' as it is in force; of 'keymap.<id>', empty where it has no override.

    Raises UsageError for a key that is none.
    """
    section, _dot, name = key.partition(".")
    about = _declared(key)
    config = load()[0] if config is None else config
    return config.keymap.get(name, "") if about is None else getattr(getattr(config, section), name)


def set(key: str, value: Any, path: str | os.PathLike[str] | None = None) -> Any:  # noqa: A001
    """Write one setting into the file, comments kept, and answer the value as it now stands.

    `value` may be text as typed on a command line ('true', '12', 'a,b'). Raises UsageError for an unknown key or a
    value that does not fit, RefusedError where writing would lose a comment, UnavailableError where the file cannot
    be written.
    """
    from memtui.config_file import write

    section, _dot, name = key.partition(".")
    about = _declared(key)
    if about is None:
        checked = str(value)
    else:
        checked = check(key, about, typed(about, value) if isinstance(value, str) else value)
    write(os.fspath(path or default_path()), section, name, checked)
    return checked


def _declared(key: str) -> About | None:
    """The key's declaration; None for one of the keymap. Raises UsageError, with the nearest, for one that is none."""
    section, _dot, name = key.partition(".")
    if section == "keymap" and name:
        return None
    about = describe_key(section, name)
    if about is None:
        raise UsageError(_unknown(key))
    return about


def _unknown(key: str) -> str:
    near = nearest(key, [known.name for known in describe()])
    hint = _("; did you mean {near}?").format(near=near) if near else ""
    return _("{key} is not a setting").format(key=key) + hint


def merged(config: Config, values: Mapping[str, Any], warnings: list[str]) -> Config:
    """The config with these values over its own; a sentence in `warnings` for each that does not fit."""
    changed: dict[str, Any] = {}
    for section, given in values.items():
        if not isinstance(given, dict) or (section != "keymap" and section not in ABOUT):
            warnings.append(_unknown(section))
        elif section == "keymap":
            changed["keymap"] = {**config.keymap, **_keymap(given, "", warnings)}
        else:
            good = {}
            for name, value in given.items():
                key = f"{section}.{name}"
                try:
                    about = _declared(key)
                    if about is not None:
                        good[name] = check(key, about, value)
                except UsageError as error:
                    warnings.append(str(error))
            changed[section] = getattr(config, section)._replace(**good)
    return config._replace(**changed)


def _keymap(given: Mapping[str, Any], above: str, warnings: list[str]) -> dict[str, str]:
    """'item.edit = "e"' without quotes is a table in TOML: it means the same."""
    keys: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, dict):
            keys |= _keymap(value, f"{above}{name}.", warnings)
        elif isinstance(value, str):
            keys[above + name] = value
        else:
            warnings.append(
                _("keymap.{name} must be text, not {value!r}").format(name=above + name, value=value)
            )
    return keys


def environment(env: Mapping[str, str], warnings: list[str]) -> dict[str, dict[str, Any]]:
    """What `MEMTUI_<SECTION>_<KEY>` say, by section and key."""
    values: dict[str, dict[str, Any]] = {}
    for variable, text in env.items():
        section, _line, name = variable.removeprefix("MEMTUI_").lower().partition("_")
        if not variable.startswith("MEMTUI_") or section not in ABOUT or not text:
            continue
        about = describe_key(section, name)
        if about is None:
            near = nearest(name, ABOUT[section])
            hint = _("; did you mean {near}?").format(near=f"MEMTUI_{section}_{near}".upper()) if near else ""
            warnings.append(_("{variable} is not a setting").format(variable=variable) + hint)
        else:
            values.setdefault(section, {})[name] = typed(about, text)
    return values
