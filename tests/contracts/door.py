"""`python -m tests.contracts.door HOME` prints what `from memtui import Vault` offers: names, signatures, answers."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import memtui
from memtui import Vault


def main() -> None:
    """Print it as JSON."""
    with Vault.open([sys.argv[1]]) as vault:
        hits = list(vault.find("rg", limit=3))
        memories = list(vault.memories())
        shown: dict[str, Any] = {
            "memtui": sorted(memtui.__all__),
            "Vault": _members(Vault),
            "hit": _fields(hits[0]),
            "memory": _fields(memories[0]),
            "home": _fields(vault.homes[0]),
            "found": [f"{hit.path}:{hit.start_line} {hit.snippet}" for hit in hits],
            "memories": len(memories),
        }
    print(json.dumps(shown, ensure_ascii=False))


def _members(kind: type) -> dict[str, str]:
    found = {}
    for name in sorted(dir(kind)):
        if name.startswith("_") and name != "__init__":
            continue
        member = inspect.getattr_static(kind, name)
        if isinstance(member, property):
            found[name] = (
                f"property -> {inspect.signature(member.fget).return_annotation}" if member.fget else "property"
            )
        elif callable(getattr(kind, name)):
            before = type(member).__name__ + " " if isinstance(member, classmethod | staticmethod) else ""
            found[name] = f"{before}{inspect.signature(getattr(kind, name))}"
        else:
            found[name] = type(member).__name__
    return found


def _fields(one: object) -> list[str]:
    """What may be read of it, its own type's name first."""
    skipped = set(dir(tuple))
    return [
        type(one).__name__,
        *(name for name in dir(one) if not name.startswith("_") and name not in skipped),
    ]


if __name__ == "__main__":
    main()
