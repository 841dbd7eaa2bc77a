"""The settings: one typed TOML file, environment variables over it, every key documented where it is declared.

`load` never raises for what a person wrote: what is wrong is a sentence, and the default holds. `memtui config` and
the README are made from `describe`. Writing the file is `config_file`'s business.
"""

from __future__ import annotations

import os
import sys
from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from memtui.config_check import WORDS, check, nearest, typed
from memtui.errors import UsageError
from memtui.home_config import home_defaults
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Config", "Key", "default_path", "describe", "get", "home_defaults", "load", "set"]

T = TypeVar("T")


def _key(
    default: T,
    doc: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> T:
    about = {"doc": doc, "choices": choices, "low": low, "high": high}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class HomesConfig:
    """Which homes are opened, and what in them is passed over."""

    paths: tuple[str, ...] = _key(
        (), "More directories to open as homes, besides those that are found; '~' is expanded."
    )
    exclude: tuple[str, ...] = _key((), "Layouts or paths of homes to leave out, like 'codex' or '~/notes'.")


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How searches answer where nothing else is asked for."""

    mode: str = _key(
        "auto",
        "Backend: auto is fts, or scan where the index cannot answer; fts; scan reads the files themselves.",
        choices=("auto", "fts", "scan"),
    )
    max_results: int = _key(
        10, "Most hits of `memtui search`, where --max-results does not say.", low=1, high=1000
    )
    min_score: float = _key(0.0, "Hits below this score are left out; 0 keeps all.", low=0, high=1)
    typing: bool = _key(True, "Search at every key in the app; false waits for enter.")


@dataclass(frozen=True, slots=True)
class IndexConfig:
    """The derived index: deleting it loses nothing."""

    place: str = _key(
        "auto",
        "Where indexes live: auto is the cache, or the place that a layout names inside its home; cache is always the "
        "cache; else a directory of yours.",
    )
    watch: str = _key(
        "auto",
        "How changes on disk are noticed: auto uses the system's events, and polls where there are none; polling; off.",
        choices=("auto", "polling", "off"),
    )
    rescan_seconds: float = _key(
        30.0,
        "Every so many seconds the disk is compared with the index, whatever the watcher said.",
        low=1,
        high=3600,
    )


@dataclass(frozen=True, slots=True)
class UiConfig:
    """The app."""

    theme: str = _key("", "A theme's name, as the theme picker lists them; empty follows the app's own.")
    start: str = _key(
        "home",
        "The view that the app opens on.",
        choices=("home", "profile", "facts", "timeline", "evolution", "health"),
    )
    preview: bool = _key(True, "Show the detail beside lists.")


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """Which project this is, where directories and remotes do not say it."""

    key: str = _key(
        "", "The project's key in shared homes (spec 001); empty: worked out from git or the directory."
    )
    aliases: tuple[str, ...] = _key((), "Other names that homes know this project by.")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. Immutable; `Config()` is the defaults."""

    homes: HomesConfig = field(default_factory=HomesConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    index: IndexConfig = field(default_factory=IndexConfig)
    ui: UiConfig = field(default_factory=UiConfig)
    project: ProjectConfig = field(default_factory=ProjectConfig)
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Keys of your own: the action's id -> the key, several with commas ('item.edit' -> 'e,f4')."""


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

SECTIONS: Mapping[str, Mapping[str, Field[Any]]] = {
    section.name: {key.name: key for key in fields(cast("Any", section.default_factory))}
    for section in fields(Config)
    if section.name != "keymap"
}
"""Section -> key -> its declaration: default, and doc, choices, low and high as metadata."""


def default_path(env: Mapping[str, str] | None = None) -> str:
    """Where the config stands: `MEMTUI_CONFIG`, else `memtui/config.toml` in the user's config directory."""
    env = os.environ if env is None else env
    if env.get("MEMTUI_CONFIG"):
        return os.path.expanduser(env["MEMTUI_CONFIG"])
    folder = env.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        if sys.platform in {"win32", "darwin"}:
            import platformdirs

            return os.path.join(platformdirs.user_config_dir("memtui", appauthor=False), "config.toml")
        folder = os.path.join(env.get("HOME") or os.path.expanduser("~"), ".config")
    return os.path.join(folder, "memtui", "config.toml")


def load(
    path: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None
) -> tuple[Config, list[str]]:
    """The settings of the file at `path` (default: `default_path`), with `MEMTUI_<SECTION>_<KEY>` over them.

    And a sentence for everything in them that is not understood; a missing file is fine. Never raises.
    """
    env = os.environ if env is None else env
    path = os.fspath(path or default_path(env))
    warnings: list[str] = []
    config = Config()
    if os.path.exists(path):
        from memtui.config_file import read

        config = _with(config, read(path, warnings), warnings)
    return _with(config, _environment(env, warnings), warnings), warnings


def describe() -> Iterator[Key]:
    """Every setting with its type, default and documentation, in the order of the file; the keymap last."""
    for section, keys in SECTIONS.items():
        for name, about in keys.items():
            words = "|".join(about.metadata["choices"]) or WORDS[type(about.default)]
            yield Key(f"{section}.{name}", words, about.default, about.metadata["doc"])
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


def _declared(key: str) -> Field[Any] | None:
    """The key's declaration; None for one of the keymap. Raises UsageError, with the nearest, for one that is none."""
    section, _dot, name = key.partition(".")
    if section == "keymap" and name:
        return None
    about = SECTIONS.get(section, {}).get(name)
    if about is None:
        raise UsageError(_unknown(key))
    return about


def _unknown(key: str) -> str:
    near = nearest(key, [known.name for known in describe()])
    hint = _("; did you mean {near}?").format(near=near) if near else ""
    return _("{key} is not a setting").format(key=key) + hint


def _with(config: Config, values: Mapping[str, Any], warnings: list[str]) -> Config:
    changed: dict[str, Any] = {}
    for section, given in values.items():
        if not isinstance(given, dict) or (section != "keymap" and section not in SECTIONS):
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
            changed[section] = replace(getattr(config, section), **good)
    return replace(config, **changed)


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


def _environment(env: Mapping[str, str], warnings: list[str]) -> dict[str, dict[str, Any]]:
    values: dict[str, dict[str, Any]] = {}
    for variable, text in env.items():
        section, _line, name = variable.removeprefix("MEMTUI_").lower().partition("_")
        if not variable.startswith("MEMTUI_") or section not in SECTIONS or not text:
            continue
        about = SECTIONS[section].get(name)
        if about is None:
            near = nearest(name, SECTIONS[section])
            hint = _("; did you mean {near}?").format(near=f"MEMTUI_{section}_{near}".upper()) if near else ""
            warnings.append(_("{variable} is not a setting").format(variable=variable) + hint)
        else:
            values.setdefault(section, {})[name] = typed(about, text)
    return values
