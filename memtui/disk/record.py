"""One line of the journal: a write, what it did to each file, and how it is spelled as JSON."""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.disk.places import state

if TYPE_CHECKING:
    from memtui.edits import Value


class Patch(NamedTuple):
    """Some bytes of a file became others. Whole lines where they are not very long."""

    start: int
    """Where, in the bytes before the write."""
    old: bytes
    new: bytes
    frame: bool = False
    above: str = ""
    """What the lines just above hash to, and those below: by them it is found again when the file moved on."""
    below: str = ""


class Done(NamedTuple):
    """What a write did to one file, or to one row of a database."""

    kind: str
    """edit, append, row."""
    home: str
    path: str
    before: str | None = None
    """The etag of the bytes before; None: there was no file. Of an append it is not known ('')."""
    after: str | None = None
    """The etag of the bytes after; None: the file went. Of an append it is not known ('')."""
    patches: tuple[Patch, ...] = ()
    mode: int = 0
    """Permission bits of a file that went."""
    made: tuple[str, ...] = ()
    """Directories that were made for it, outermost first."""
    table: str = ""
    key: str = ""
    old: dict[str, Value] | None = None
    new: dict[str, Value] | None = None
    temp: str = ""
    """The temporary name it was written under."""


class Record(NamedTuple):
    """One write, as the history shows it."""

    id: str
    time: float
    verb: str
    who: str
    what: str
    changes: tuple[Done, ...]
    group: str = ""
    undoes: str = ""
    """The write that this one takes back."""
    state: str = "done"
    """done; interrupted: nothing of it was written; partial: some of its files were."""
    warnings: tuple[str, ...] = ()
    undone: bool = False
    """Taken back since, and not done again. Worked out when the history is read."""

    @property
    def trashed(self) -> bool:
        """Whether it took something away that only its own line brings back: it is in the trash until it is undone."""
        if self.verb == "delete":
            return True
        own = str(state())
        return self.verb not in {"undo", "redo", "mask"} and any(
            done.kind == "edit" and done.after is None and done.home != own for done in self.changes
        )

    @property
    def told(self) -> tuple[Done, ...]:
        """What a person wants to see of it: not what memtui noted for itself beside it."""
        own = str(state())
        return tuple(done for done in self.changes if done.home != own) or self.changes

    @property
    def paths(self) -> tuple[str, ...]:
        """Absolute paths of the files it concerns."""
        return tuple(dict.fromkeys(os.path.join(done.home, *done.path.split("/")) for done in self.told))


def dumped(record: Record) -> bytes:
    """The record as one line of JSON, without its newline."""
    plain = {
        **record._asdict(),
        "changes": [
            {
                **{name: value for name, value in done._asdict().items() if value not in ("", 0, (), None)},
                "before": done.before,
                "after": done.after,
                "patches": [
                    {**patch._asdict(), "old": _text(patch.old), "new": _text(patch.new)}
                    for patch in done.patches
                ],
            }
            for done in record.changes
        ],
    }
    del plain["undone"]
    return json.dumps(plain, ensure_ascii=True, default=_text, allow_nan=True).encode()


def _text(data: bytes) -> str | dict[str, str]:
    """Bytes as JSON holds them: readable where they are text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value["base64"])


def record_of(line: bytes) -> Record | None:
    """The record that a line holds; None for a line that is none."""
    try:
        plain = json.loads(line)
        changes = tuple(_done(done) for done in plain.pop("changes"))
        plain["warnings"] = tuple(plain["warnings"])
        return Record(changes=changes, **{name: plain[name] for name in plain if name in Record._fields})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _done(plain: dict[str, Any]) -> Done:
    plain["patches"] = tuple(
        Patch(**{**patch, "old": _bytes(patch["old"]), "new": _bytes(patch["new"])})
        for patch in plain["patches"]
    )
    plain["made"] = tuple(plain.get("made", ()))
    for side in ("old", "new"):
        if plain.get(side) is not None:
            plain[side] = {
                name: _bytes(value) if isinstance(value, dict) else value
                for name, value in plain[side].items()
            }
    return Done(**plain)
