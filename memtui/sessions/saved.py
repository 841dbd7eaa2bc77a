"""What an agent itself said of its session, when it was asked for a summary: later captures add to it, and lose none.

Kept beside what was written last, below the state directory, its secrets masked.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.disk.places import private
from memtui.errors import RefusedError
from memtui.safety.redact import redact

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence
    from pathlib import Path

    from memtui.sessions.extract import Extract

_TEXTS = ("topic", "goal")
_LISTS = ("done", "points", "decisions", "todos")
_MOST = 8
"""Items of one part: a summary is short."""
_LARGEST = 64 * 1024


def keep(file: Path, found: Extract, patterns: Sequence[re.Pattern[str]] = ()) -> None:
    """Remember what the agent said; `patterns` are a person's own for secrets. Never raises: it is in the file, too."""

    def safe(text: str) -> str:
        return redact(text, patterns).text

    said: dict[str, object] = {name: safe(getattr(found, name)) for name in _TEXTS}
    said |= {name: [safe(item) for item in getattr(found, name)] for name in _LISTS}
    with suppress(OSError, RefusedError):
        private(file.parent)
        part = file.with_suffix(f".{os.urandom(4).hex()}")
        part.write_text(json.dumps(said, ensure_ascii=False), "utf-8", "replace")
        os.replace(part, file)


def joined(file: Path, found: Extract) -> Extract:
    """What was found, after what the agent said itself; nothing twice, and nothing left open that was done since."""
    said = _read(file)
    if not said:
        return found
    if found.by in {"text", "raw"}:
        found = found._replace(text="", warning="", by="agent")
    told = {name: _strings(said.get(name)) for name in _LISTS}
    told["todos"] = [item for item in told["todos"] if not _among(item, found.done)]
    return found._replace(
        topic=str(said.get("topic") or found.topic),
        done=_merged(told["done"], found.done),
        points=_merged(told["points"], found.points),
        decisions=_merged(told["decisions"], found.decisions),
        todos=_merged(told["todos"], found.todos),
    )


def _merged(first: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    kept = list(first)
    kept += [item for item in more if not _among(item, kept)]
    return tuple(kept[:_MOST])


def _among(item: str, others: Sequence[str]) -> bool:
    from memtui.curation.similar import likeness

    found = (likeness(item, other) for other in others)
    return any(like is not None and like.covers for like in found)


def _read(file: Path) -> dict[str, object]:
    try:
        with file.open("rb") as opened:
            said = json.loads(opened.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
