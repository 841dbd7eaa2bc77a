"""Every setting explained: what it means, which values fit, and how to get and set it by its name.

`memtui config` and the README are made from `describe`. Writing the file is `config_file`'s business.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.config import Config, default_path, load
from memtui.config_check import WORDS, check, nearest, typed
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class About(NamedTuple):
    """What one setting means, and what fits it."""

    doc: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: Any = None
    """As `Config` has it."""


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

_ABOUT = {
    "homes": {
        "paths": About(
            "More directories to open as homes, besides those that are found; '~' is expanded.",
        ),
        "exclude": About("Layouts or paths of homes to leave out, like 'codex' or '~/notes'."),
    },
    "search": {
        "mode": About(
            "auto: hybrid where there are vectors, else fts, else scan. hybrid: words and meaning; fts: words; vector: "
            "meaning; scan reads the files themselves.",
            choices=("auto", "hybrid", "fts", "vector", "scan"),
        ),
        "max_results": About(
            "Most hits of `memtui search`, where --max-results does not say.", low=1, high=1000
        ),
        "min_score": About("Hits below this score are left out; 0 keeps all.", low=0, high=1),
        "typing": About("Search at every key in the app; false waits for enter."),
        "fusion": About(
            "How words and meaning are put together: zscore weighs them by how well the words match (default); rrf by "
            "ranks, k = 60; weighted 0.7 meaning and 0.3 words.",
            choices=("zscore", "rrf", "weighted"),
        ),
        "neighbours": About(
            "Layers in which a line is also judged by the lines before and after it; take out those whose lines have "
            "nothing to do with each other.",
        ),
        "diversity": About(
            "0 keeps the order; up to 1, near-duplicates of a better hit come ever later (MMR).",
            low=0,
            high=1,
        ),
        "recency": About(
            "How much a new memory is raised, 0 to 1; 0: only where scores are equal. Profile, core and knowledge "
            "are exempt.",
            low=0,
            high=1,
        ),
        "recency_days": About("Days after which that boost is half.", low=0.1, high=10_000),
        "reranker": About(
            "A command that orders the best hits anew: it gets {query, texts} as JSON and answers a list of scores. "
            "Empty: none.",
        ),
    },
    "vector": {
        "backend": About(
            "What makes vectors: auto is e5 where memtui[vector] is installed; e5 (multilingual, local); onnx (a model "
            "directory of yours); endpoint (an OpenAI-compatible server); off.",
            choices=("auto", "off", "e5", "onnx", "endpoint"),
        ),
        "directory": About("For onnx: the directory with model.onnx and tokenizer.json."),
        "url": About(
            "For endpoint: where it is, up to /v1. Texts of your memories, secrets masked, are sent there."
        ),
        "model": About("For endpoint: the model's name."),
        "key": About("For endpoint: the environment variable that holds its key; empty: it needs none."),
        "background": About("Make missing vectors while the app is open; else `memtui index` makes them."),
    },
    "routing": {
        "enabled": About("Name the documents that trigger words and INDEX.md lead to, above the hits."),
        "triggers": About(
            "Triggers of your own: 'word|word: path', the path relative to its home, or absolute inside one."
        ),
    },
    "index": {
        "place": About(
            "Where indexes live: auto is the cache, or the place that a layout names inside its home; cache is always "
            "the cache; else a directory of yours.",
        ),
        "watch": About(
            "How changes on disk are noticed: auto uses the system's events, and polls where there are none; polling; "
            "off.",
            choices=("auto", "polling", "off"),
        ),
        "rescan_seconds": About(
            "Every so many seconds the disk is compared with the index, whatever the watcher said.",
            low=1,
            high=3600,
        ),
    },
    "ui": {
        "theme": About("A theme's name, as the theme picker lists them; empty follows the app's own."),
        "start": About(
            "The view that the app opens on.",
            choices=("home", "profile", "facts", "timeline", "evolution", "health"),
        ),
        "preview": About("Show the detail beside lists."),
    },
    "distill": {
        "enabled": About("Propose facts of the journals for core memory (MEMORY.md)."),
        "mode": About(
            "review waits for you to approve; auto writes what `memtui distill` chooses, append-only and undoable.",
            choices=("review", "auto"),
        ),
        "min_confidence": About("Facts below this confidence are not proposed.", low=0, high=1),
        "min_age_days": About("Facts younger than this are not proposed yet.", low=0, high=365),
        "max_items_per_run": About("Most facts that one run writes, or proposes at a time.", low=1, high=200),
        "keywords_rules": About(
            "Which section a fact goes to by the words in it: 'section: word|word', the first that fits. Sections are "
            "matched to a home's own headings by what they mean."
        ),
    },
    "budget": {
        "lines": About("Lines of a MEMORY.md that agents read.", low=1, high=100_000),
        "kilobytes": About("Kilobytes of a MEMORY.md that agents read.", low=1, high=10_000),
    },
    "project": {
        "key": About(
            "The project's key in shared homes (spec 001); empty: worked out from git or the directory."
        ),
        "aliases": About("Other names that homes know this project by."),
    },
    "redact": {
        "patterns": About(
            "Regular expressions for secrets of your own, masked in whatever memtui writes; where one has a group, "
            "the first group."
        ),
    },
}

SECTIONS: Mapping[str, Mapping[str, About]] = {
    section: {
        name: about._replace(default=getattr(getattr(Config(), section), name))
        for name, about in keys.items()
    }
    for section, keys in _ABOUT.items()
}
"""Section -> key -> what it means, its default with it; all but the keymap."""


def describe() -> Iterator[Key]:
    """Every setting with its type, default and documentation, in the order of the file; the keymap last."""
    for section, keys in SECTIONS.items():
        for name, about in keys.items():
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
    about = SECTIONS.get(section, {}).get(name)
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
