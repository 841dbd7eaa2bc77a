"""The skill that teaches an agent when to search and when to propose: SKILL.md, with portable frontmatter only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents.install.events import line
from memtui.agents.install.wiring import Piece
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARK = 'metadata: {"made-by": "memtui install", "command": '


def text(name: str, program: Sequence[str]) -> bytes:
    """The skill of that name, which is its directory's; `program`: what a shell calls memtui by."""
    source = Path(__file__).with_name("SKILL.md").read_text("utf-8")
    for key, value in (
        ("{name}", name),
        ("{program}", json.dumps(list(program), ensure_ascii=False)),
        ("{shell}", line(program)),
    ):
        source = source.replace(key, value)
    return source.encode()


def program(data: bytes) -> tuple[str, ...]:
    """What the skill calls memtui by; empty: it is not ours."""
    for head in data.decode("utf-8", "replace").splitlines()[:10]:
        if head.startswith(_MARK):
            try:
                told = json.loads(head.removeprefix("metadata: "))["command"]
            except (ValueError, KeyError, RecursionError):
                continue
            return tuple(map(str, told)) if isinstance(told, list) else ()
    return ()


def piece(folder: Path, called: Sequence[str], inside: Path | None = None) -> Piece:
    """The skill in its directory. A skill of that name by somebody else is refused, and never taken away."""
    path = folder / "SKILL.md"

    def put(old: bytes | None) -> bytes:
        if old is not None and not program(old):
            raise RefusedError(_("{path} is a skill of somebody else: move it away first.").format(path=path))
        return text(folder.name, called)

    return Piece(path, put, lambda old: None if program(old) else old, program, inside)
