"""What stands of every way to serve every agent: for Health and for doctor. Reads only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.agents.install import claude_code
from memtui.agents.install.events import line
from memtui.agents.install.program import program, runs
from memtui.agents.install.ways import AGENTS
from memtui.agents.install.wiring import Installation, places, read
from memtui.errors import MemtuiError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memtui.agents.install.wiring import Piece, Places, Wiring


def installed(env: Mapping[str, str] | None = None) -> list[Installation]:
    """What stands: see `install.installed`."""
    around = places(env)
    found = []
    for agent, wirings in AGENTS:
        stand = [one for one in _of(around, wirings) if one.state != "missing"]
        first = wirings(around, program())[0]
        own = around.claude if agent == "claude-code" else first.place
        state, why = "missing", _("not installed")
        if not own.is_dir():
            state, why = "absent", _("{path} is not there").format(path=own)
        missing = Installation(agent, first.how, first.scope, str(first.place), state, why)
        found += stand or [missing]
    return found


def _of(around: Places, wirings: Callable[[Places, Sequence[str]], tuple[Wiring, ...]]) -> list[Installation]:
    found = []
    for index, wiring in enumerate(wirings(around, program())):
        told = [_told(piece) for piece in wiring.pieces]
        called = next(filter(None, told), ())
        # Another memtui than this one may have installed it: then it is that one's to be whole.
        as_made = wirings(around, called)[index] if called else wiring
        found.append(_judged(around, as_made, called))
    seen: dict[tuple[str, str], Installation] = {}
    for one in found:
        # A project that is the user's own directory has the same files twice.
        seen.setdefault((one.how, one.place), one)
    return list(seen.values())


def _judged(around: Places, wiring: Wiring, called: Sequence[str]) -> Installation:
    ours = [piece for piece in wiring.pieces if _told(piece)]
    lacking = [piece for piece in wiring.pieces if not _whole(piece)]
    state, why = "complete", ""
    if not ours:
        state = "missing"
    elif not runs(called[0]):
        state, why = "broken", _("{program} is not there any more: install again").format(program=called[0])
    elif lacking:
        names = ", ".join(sorted(os.path.basename(piece.path) for piece in lacking))
        state, why = "partly", _("not as it should be: {names}; install again").format(names=names)
    elif wiring.how == "plugin" and not claude_code.enabled(around):
        state, why = "partly", _("the plugin is made, but not switched on in Claude Code")
    return Installation(
        wiring.agent, wiring.how, wiring.scope, str(wiring.place), state, why, line(called) if called else ""
    )


def _told(piece: Piece) -> tuple[str, ...]:
    data = _held(piece)
    return () if data is None else piece.program(data)


def _whole(piece: Piece) -> bool:
    data = _held(piece)
    try:
        return data is not None and piece.put(data) == data
    except MemtuiError:
        return False


def _held(piece: Piece) -> bytes | None:
    try:
        return read(piece.path, piece.inside)[1]
    except MemtuiError:
        return None
