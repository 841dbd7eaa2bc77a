"""What a home's own config file says: read as that home's defaults, never written.

Spec 001 §8 (xinghebot: `memory` in config.json) and spec 002 (code-memory: config.json beside MEMORY.md).
"""

from __future__ import annotations

import json
import os
from typing import Any

LARGEST = 256 * 1024
"""Bytes of a config file that are read; nobody writes more by hand."""

_XINGHEBOT: dict[str, type] = {
    "workspace_dir": str,
    "project_key": str,
    "root_dir": str,
    "db_path": str,
    "max_results": int,
}
_CODE_MEMORY: dict[str, type] = {"project_name_map": dict, "project_groups": dict, "ignored_projects": list}


def home_defaults(layout: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    """The keys of the config.json that belongs to the home at `path`, those that memtui obeys and whose type is right.

    xinghebot: workspace_dir, project_key, root_dir, db_path (text) and max_results, from the nearest config.json
    with a `memory` section at or above the home; code-memory: project_name_map, project_groups (a name -> names or
    paths) and ignored_projects. Empty values are left out; other layouts have none. Never raises.
    """
    name = layout.replace("-", "_")
    folder = os.path.abspath(os.fspath(path))
    if name == "code_memory":
        return _right(_object(os.path.join(folder, "config.json")), _CODE_MEMORY)
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
