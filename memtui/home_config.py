"""What a home's own config file says: read as that home's defaults, never written.

Spec 001 §8 (xinghebot: `memory` in config.json), spec 004 (skillix: `distill` in config.json).
"""

from __future__ import annotations

import json
import os
from typing import Any

LARGEST = 256 * 1024
"""Bytes of a config file that are read; nobody writes more by hand."""

_DISTILL: dict[str, tuple[type, ...]] = {
    "enabled": (bool,),
    "min_confidence": (float, int),
    "min_age_days": (float, int),
    "max_items_per_run": (int,),
}
_XINGHEBOT: dict[str, type] = {"db_path": str, "max_results": int}


def home_defaults(layout: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys of the config.json that belongs to the home at `path`, those that memtui obeys and whose type is right.

    xinghebot: db_path (text) and max_results, from the nearest config.json with a `memory` section at or above the
    home; its other keys say where homes are, and its layout reads them. skillix: `distill`, its keys as our settings
    name them; whether memtui writes by itself only the person says. Empty values are left out. Never raises.
    """
    name = layout.replace("-", "_")
    folder = os.path.abspath(os.fspath(path))
    if name == "xinghebot":
        # memory/ < <project_key>/ < workspace/ < .xinghebot/, or .multi_agent/memory/ in a project.
        for _level in range(4):
            section = _object(os.path.join(folder, "config.json")).get("memory")
            if isinstance(section, dict):
                return _right(section, _XINGHEBOT)
            folder = os.path.dirname(folder)
    if name == "skillix":
        section = _object(os.path.join(folder, "config.json")).get("distill")
        found = _distill(section) if isinstance(section, dict) else {}
        return {"distill": found} if found else {}
    return {}


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
