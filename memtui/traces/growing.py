"""A transcript of lines as it grows: read on from where it was left, with what must be known of what came before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.parse.fields import line
from memtui.parse.stream import Stream
from memtui.parse.transcript_codex import Rollout
from memtui.traces.progress import checks
from memtui.traces.tellers import KEEPERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from memtui.traces.progress import Known
    from memtui.traces.sources import Source
    from memtui.turns import Turn

_TOOLS = 200
"""Calls without a result that are remembered to the next time."""


class Step(NamedTuple):
    """What one record said."""

    start: int
    size: int
    session: str
    turns: list[tuple[Turn, str]]
    """Each with what it is, where an event may say it again."""
    repeated: set[str]
    """What events say from here on: items of that kind were said twice, and are to be forgotten."""
    read: int
    """Bytes since the last step."""


class Growing:
    """One transcript, open."""

    def __init__(self, opened: BinaryIO, file: Known, source: Source) -> None:
        self._opened, self._file = opened, file
        state: dict[str, Any] = json.loads(file.state)
        self._keeper = KEEPERS[source.kind](whole=True)
        self._keeper.tools.update(state.get("tools", {}))
        if isinstance(self._keeper, Rollout):
            self._keeper.events.update(state.get("events", ()))
        self._stream = Stream(opened, offset=file.done, line=file.line, growing=True)
        self._session: str = source.session or state.get("session", "")
        self._time: float = state.get("time") or source.modified / 1e9

    def steps(self) -> Iterator[Step]:
        """What was appended, a record at a time."""
        keeper, stream = self._keeper, self._stream
        before = stream.end
        for at, record in stream.records():
            self._session = self._session or _named(record)
            known = set(keeper.events) if isinstance(keeper, Rollout) else set()
            keeper.take(record, at)
            items = keeper.items if isinstance(keeper, Rollout) else {}
            turns: list[tuple[Turn, str]] = []
            for part, turn in enumerate(keeper.turns):
                self._time = self._time if turn.time is None else turn.time
                turns.append((turn._replace(time=self._time), items.get(part, "")))
            repeated = keeper.events - known if isinstance(keeper, Rollout) else set()
            keeper.turns.clear()
            items.clear()
            size, read, before = stream.end - stream.start, stream.end - before, stream.end
            yield Step(stream.start, size, self._session, turns, repeated, read)

    def reached(self) -> dict[str, Any]:
        """How far it is read, as the index remembers it."""
        keeper, stream = self._keeper, self._stream
        said: dict[str, Any] = {"session": self._session, "time": self._time}
        said["tools"] = dict(list(keeper.tools.items())[-_TOOLS:])
        if isinstance(keeper, Rollout):
            said["events"] = sorted(keeper.events)
        first, last = checks(self._opened, stream.end)
        skipped = self._file.skipped + stream.skipped
        return {
            "done": stream.end, "line": stream.line, "first": first, "last": last, "state": json.dumps(said),
            "skipped": skipped,
        }  # fmt: skip


def _named(record: dict[str, Any]) -> str:
    """The session that a record names: any of Claude Code's, the head of a Codex rollout."""
    payload = record.get("payload")
    return line(record.get("sessionId") or (payload if isinstance(payload, dict) else record).get("id"))
