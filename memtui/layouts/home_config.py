"""A home's own config file, read as that home's defaults and never written.

Spec 001 §8 (xinghebot: `memory` in config.json); spec 004 (skillix: `distill` and the decay window in
config.json).
"""

from __future__ import annotations

import json
import os

from memtui.core.startup import Any
from memtui.layouts import load_layout

LARGEST = 256 * 1024
"""Bytes of a config file that are read; nobody writes more by hand."""

_DISTILL: dict[str, tuple[type, ...]] = {
    "enabled": (bool,),
    "min_confidence": (float, int),
    "min_age_days": (float, int),
    "max_items_per_run": (int,),
}
_LOAD: dict[str, tuple[float, float]] = {
    "load_days_full": (0, 3650),
    "load_days_partial": (0, 3650),
    "load_days_max": (0, 3650),
    "partial_per_day": (0, 1000),
    "facts_limit": (0, 1000),
    "important_confidence": (0, 1),
}
"""The decay window's keys, and the smallest and the largest value that makes sense."""
_MEMORY: dict[str, type] = {"db_path": str, "max_results": int}


def read_home_defaults(layout: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys of the config.json that belongs to the home at `path`, those that memtui obeys and whose type is right.

    `memory`: db_path (text) and max_results, from the nearest config.json with such a section at or above the home;
    its other keys say where homes are, and the layout reads them. `distill`: its keys as our settings name them;
    whether memtui writes by itself only the person says. `load`: the decay window (spec 004), wherever in the file its
    keys stand. Empty values are left out. Raises only KeyError, for a layout that there is not.
    """
    wanted = load_layout(layout).facts.config
    folder = os.path.abspath(os.fspath(path))
    if "memory" in wanted:
        # memory/ < <project_key>/ < workspace/ < .xinghebot/, or .multi_agent/memory/ in a project.
        for _level in range(4):
            section = _object(os.path.join(folder, "config.json")).get("memory")
            if isinstance(section, dict):
                return _right(section, _MEMORY)
            folder = os.path.dirname(folder)
    if "load" in wanted:
        own = read_home_config(folder)
        section = own.get("distill") if "distill" in wanted else None
        found = {"distill": _distill(section) if isinstance(section, dict) else {}, "load": _load(own)}
        return {key: value for key, value in found.items() if value}
    return {}


def read_home_config(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The whole config.json that stands in the home at `path`; empty where there is none. Never raises."""
    return _object(os.path.join(os.fspath(path), "config.json"))


def _load(own: dict[str, Any]) -> dict[str, Any]:
    """The decay window: its keys stand at the top or in a section of their own."""
    found: dict[str, Any] = {}
    for section in (own, *(value for value in own.values() if isinstance(value, dict))):
        for key, (least, most) in _LOAD.items():
            value: Any = section.get(key)
            fits = type(value) is int or (type(value) is float and key == "important_confidence")
            if fits and least <= value <= most:
                found.setdefault(key, value)
    return found


def _distill(given: dict[str, Any]) -> dict[str, Any]:
    """What of a `distill` section fits our settings."""
    found = {key: given[key] for key, kinds in _DISTILL.items() if type(given.get(key)) in kinds}
    if not 0 <= found.get("min_confidence", 0) <= 1:
        del found["min_confidence"]
    if not 0 <= found.get("min_age_days", 0) <= 365:
        del found["min_age_days"]
    if not 1 <= found.get("max_items_per_run", 1) <= 200:
        del found["max_items_per_run"]
    rules = given.get("keywords_rules")
    if isinstance(rules, dict):
        lines = [
            f"{section}: {'|'.join(word for word in words if isinstance(word, str))}"
            for section, words in rules.items()
            if isinstance(words, list)
        ]
        if lines:
            found["keywords_rules"] = tuple(lines)
    return found


def _right(given: dict[str, Any], wanted: dict[str, type]) -> dict[str, Any]:
    found = {key: given[key] for key, kind in wanted.items() if type(given.get(key)) is kind and given[key]}
    if "max_results" in found:
        found["max_results"] = min(max(found["max_results"], 1), 1000)
    return found


def _object(path: str) -> dict[str, Any]:
    try:
        # O_NONBLOCK: something may have put a FIFO there, and opening one waits for its writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return {}
    try:
        value = json.loads(os.read(handle, LARGEST).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    finally:
        os.close(handle)
    return value if isinstance(value, dict) else {}
