"""Settings by their names: every one described, got and set.

`memtui config` and the manual are made from `describe`. Writing the file is `config_file`'s business.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.config import Config, find_config_path, load
from memtui.core.config_file import write
from memtui.core.config_keys import ABOUT, KEYMAP_NAME, WORDS, check, describe_key, find_declaration, parse_setting

if TYPE_CHECKING:
    from collections.abc import Iterator


class Key(NamedTuple):
    """One setting, described: a row of `memtui config` and of the manual."""

    name: str
    """section.key"""
    type: str
    """text, number, whole number, true or false, list of texts; or the choices with '|' between them."""
    default: Any
    doc: str


KEYMAP = Key(KEYMAP_NAME, "text", "", "The key of an action, several with commas; the ids are in the help (?).")


def describe() -> Iterator[Key]:
    """Every setting with its type, default and documentation, in the order of the file; the keymap last."""
    for section, keys in ABOUT.items():
        for name in keys:
            about = describe_key(section, name, Config())
            assert about is not None
            words = "|".join(about.choices) or WORDS[type(about.default)]
            yield Key(f"{section}.{name}", words, about.default, about.doc)
    yield KEYMAP


def list_choices(key: str) -> tuple[str, ...]:
    """The values that a setting may have, where they can be counted; of a key that is none, none."""
    section, _dot, name = key.partition(".")
    about = describe_key(section, name, Config())
    if about is None:
        return ()
    return ("true", "false") if isinstance(about.default, bool) else about.choices


def get(key: str, config: Config | None = None) -> Any:
    """The value of 'section.key' as it is in force; of 'keymap.<id>', empty where it has no override.

    Raises UsageError for a key that is none.
    """
    section, _dot, name = key.partition(".")
    about = find_declaration(key, Config())
    config = load()[0] if config is None else config
    return config.keymap.get(name, "") if about is None else getattr(getattr(config, section), name)


def set(key: str, value: Any, path: str | os.PathLike[str] | None = None) -> Any:  # noqa: A001
    """Write one setting into the file, comments kept, and answer the value as it now stands.

    `value` may be text as typed on a command line ('true', '12', 'a,b'). Raises UsageError for an unknown key or a
    value that does not fit, RefusedError where writing would lose a comment, UnavailableError where the file cannot
    be written.
    """
    section, _dot, name = key.partition(".")
    about = find_declaration(key, Config())
    if about is None:
        checked = str(value)
    else:
        checked = check(key, about, parse_setting(about, value) if isinstance(value, str) else value)
    write(os.fspath(path or find_config_path()), section, name, checked)
    return checked
