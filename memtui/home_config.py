"""What a home's own config file says: read as that home's defaults, never written.

Spec 001 §8 (xinghebot: `memory` in config.json).
"""

from __future__ import annotations

import json
import os
from typing import Any

LARGEST = 256 * 1024
"""Bytes of a config file that are read; nobody writes more by hand."""

_XINGHEBOT: dict[str, type] = {"db_path": str, "max_results": int}


def home_defaults(layout: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys of the config.json that belongs to the home at `path`, those that memtui obeys and whose type is right.

    xinghebot: db_path (text) and max_results, from the nearest config.json with a `memory` section at or above the
    home; its other keys say where homes are, and its layout reads them. Empty values are left out; other layouts
    have none yet. Never raises.
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
    return {}


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
