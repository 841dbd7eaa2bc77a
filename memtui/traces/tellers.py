"""From a transcript's records to its turns, whichever tool wrote it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.errors import UnavailableError
from memtui.parse.fields import line, moment
from memtui.parse.json_reader import Reader
from memtui.parse.sqlite import database, said, tables
from memtui.parse.transcript import THINKING
from memtui.parse.transcript_claude import Talk
from memtui.parse.transcript_codex import Rollout
from memtui.parse.transcript_message import Messages
from memtui.traces.found import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.traces.sources import Source
    from memtui.turns import Turn

KEEPERS: Mapping[str, type[Talk | Rollout | Messages]] = {
    "claude": Talk,
    "codex": Rollout,
    "message": Messages,
}
"""What makes turns of a JSONL file's records, by the source's kind."""

LARGEST_DOCUMENT = 16 * 1024 * 1024
ROWS, CHARACTERS = 500, 4_000_000
"""What of a table is read at once: its writer waits for no reader for long."""
_LONGEST_CELL = 200_000

_TABLE = "conversation_turns"
_COLUMNS = (
    "session_id", "role", "content", "tool_calls", "tool_results", "timestamp", "tool_call_id", "created_at",
    "reasoning_content",
)  # fmt: skip


def role(turn: Turn) -> str:
    """What a turn is, as one of `ROLES`."""
    if turn.role == "tool":
        return "tool_result"
    if turn.role == "assistant" and turn.tool:
        return "tool_call"
    if turn.text.startswith(THINKING):
        return "thinking"
    return turn.role if turn.role in ROLES else "system"


def words(turn: Turn) -> str:
    """What of a turn is searched and shown: a call begins with the tool's name."""
    if turn.role == "assistant" and turn.tool:
        return f"{turn.tool}\n{turn.text}"
    return turn.text.removeprefix(THINKING)


def document(data: bytes, path: str) -> tuple[str, list[Turn]]:
    """The session and the turns of one react trace."""
    reader = Reader(data.decode("utf-8", "replace"), path)
    messages = Messages(whole=True)
    facts: dict[str, Any] = {}
    if reader.peek() == "{":
        for key in reader.members():
            if key == "iterations" and reader.peek() == "[":
                for item in reader.items():
                    if isinstance(item.value, dict):
                        messages.take(item.value, item.start)
            else:
                single = reader.value()
                facts[key] = None if single is None else single.value
    session = line(facts.get("conversation_id")) or line(facts.get("session_id"))
    began = moment(facts.get("started_at"))
    return session, [turn if turn.time else turn._replace(time=began) for turn in messages.turns]


class Table:
    """OpenAkita's conversation_turns, read by introspection, in bites and without a trace."""

    def __init__(self, source: Source) -> None:
        self._file = os.path.join(source.root, source.inside)

    def _ask(self, condition: str, *values: int) -> list[tuple[int, dict[str, Any]]]:
        import apsw

        found: list[tuple[int, dict[str, Any]]] = []
        try:
            with database(self._file) as connection:
                have = {name.lower() for name in tables(connection).get(_TABLE, [])}
                wanted = [name for name in _COLUMNS if name in have]
                if not wanted:
                    return []
                cells = ", ".join(f"CAST(substr({name}, 1, {_LONGEST_CELL}) AS BLOB)" for name in wanted)
                size = 0
                for row in connection.execute(
                    f"SELECT rowid, {cells} FROM {_TABLE} WHERE {condition}", values
                ):
                    texts = [
                        cell.decode("utf-8", "replace") if isinstance(cell, bytes) else "" for cell in row[1:]
                    ]
                    size += sum(map(len, texts))
                    record = {name: text for name, text in zip(wanted, texts, strict=True) if text}
                    found.append((int(str(row[0])), record))
                    if size > CHARACTERS:
                        break
        except apsw.Error as error:
            raise UnavailableError(said(error)) from None
        return found

    def after(self, row: int) -> list[tuple[int, dict[str, Any]]]:
        """The next rows, each with its id; none: there are no more. Raises UnavailableError."""
        return self._ask(f"rowid > ? ORDER BY rowid LIMIT {ROWS}", row)

    def at(self, row: int) -> dict[str, Any] | None:
        """One row. Raises UnavailableError."""
        return next((record for _id, record in self._ask("rowid = ?", row)), None)

    def count(self, upto: int) -> int:
        """How many rows there are up to this one. Raises UnavailableError."""
        import apsw

        try:
            with database(self._file) as connection:
                if _TABLE not in tables(connection):
                    return 0
                return int(connection.execute(f"SELECT count(*) FROM {_TABLE} WHERE rowid <= ?", (upto,)).get)
        except apsw.Error as error:
            raise UnavailableError(said(error)) from None
