"""Golden files: how they are written, so that a difference is a few lines, and how they are compared."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden"

_LINE = 400
"""Characters up to which a value stands on one line."""


def dump(value: Any, indent: int = 0) -> str:
    """JSON: what is short stands on one line, what is long is broken."""
    flat = json.dumps(value, ensure_ascii=False)
    if (len(flat) <= _LINE and indent) or not value or not isinstance(value, dict | list):
        return flat
    inner = "\n" + " " * (indent + 1)
    if isinstance(value, list):
        parts = [dump(one, indent + 1) for one in value]
        return "[" + inner + ("," + inner).join(parts) + "\n" + " " * indent + "]"
    parts = [f"{json.dumps(key, ensure_ascii=False)}: {dump(one, indent + 1)}" for key, one in value.items()]
    return "{" + inner + ("," + inner).join(parts) + "\n" + " " * indent + "}"


def write(name: str, value: Any) -> None:
    """Keep the value as the golden file of that name."""
    (FOLDER / f"{name}.json").write_text(dump(value) + "\n", encoding="utf-8")


def differ(name: str, value: Any) -> str:
    """How the value differs from the golden file, for a person; empty where it does not."""
    file = FOLDER / f"{name}.json"
    kept = file.read_text(encoding="utf-8") if file.is_file() else "[]"
    # Compared as values: how a file is set is no contract.
    if json.loads(kept) == json.loads(json.dumps(value)):
        return ""
    old, new = dump(json.loads(kept)).splitlines(), dump(value).splitlines()
    lines = list(difflib.unified_diff(old, new, f"golden/{name}.json", "now", n=2, lineterm=""))
    shown = "\n".join(line[:600] for line in lines[:120])
    return f"{shown}\n{len(lines)} lines differ. If that is meant: python -m tests.contracts --write {name}"
