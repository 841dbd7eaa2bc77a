"""One more note for today, said by a person or an agent: spec 001's dated line, or spec 004's record.

A line that the day's file has already (same kind, text and tags, whatever its source and time) is not written
twice. What could not be appended at once is kept, redacted, and delivered once by the next writer (`keep`,
`drain`).
"""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Draft
from memtui.core.errors import MemtuiError, QuarantinedError, RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.core.model import Layer, Role
from memtui.formats import Source, format_named, memory_rows, parse
from memtui.fs import database_rows, displaced
from memtui.fs.locks import hold_lock, lock_for
from memtui.layouts import load_facts, load_layout
from memtui.layouts.discovery import open_home_at
from memtui.layouts.home_config import explain_switched_off
from memtui.store.project import find_own_home, make_home
from memtui.store.secrets import mask_draft
from memtui.store.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Receipt, Target
    from memtui.core.model import Entry, Home

ROWS = "memory-rows"
"""The format of a program that keeps its memories in a database, and no journal."""
FORMS = {"line": "journal", "fact": "daily-jsonl"}
"""What a person calls the two forms -> the format that writes them in memtui's own home, which keeps both."""

SURE = 0.9
"""How sure a record is where nobody says: what spec 004's `save_fact` takes."""


class AppendedNote(NamedTuple):
    """What came of it."""

    home: str
    path: str
    """Relative to the home."""
    line: str
    """As it stands in the file."""
    number: int
    """Which line of the file that is, from 1; 0: not known."""
    receipt: Receipt | None
    """None: it was there already."""
    key: str = ""
    """The home's own id of a record; lines have none."""


def append(
    vault: Writing,
    home: Home,
    draft: Draft,
    *,
    form: str = "",
    who: str = "person",
    group: str = "",
    now: float | None = None,
) -> AppendedNote:
    """Append a draft to the home's journal of today. `form` is line, fact, or the one that the home uses.

    Raises what `Vault.apply` raises; RefusedError where the home keeps no such journal.
    """
    if not draft.text.strip():
        raise UsageError(_("There is nothing to remember in an empty text."))
    off = explain_switched_off(home)
    if off:
        raise RefusedError(off)
    now = clock.now() if now is None else now
    draft, told = mask_draft(vault, draft)
    target = _find_target(home, draft, form, now)
    if target.format == ROWS:
        return _insert_row(vault, target, draft, told, who=who, group=group, now=now)
    root = str(home.path)
    if target.format == FORMS["fact"] and draft.confidence is None:
        draft = draft._replace(confidence=SURE)
    record = format_named(target.format).record(draft, now, target.path)
    change = Append(root, target.path, record.text, record.header)
    try:
        (written,) = vault.prepared([change], who)
    except QuarantinedError:
        # Only who writes puts it aside for a person, and says so with its id.
        vault.apply([change], verb="append", who=who, group=group)
        raise
    assert isinstance(written, Append)
    # Looking and writing are one step: two hooks that say the same thing at once write it once.
    with hold_lock(lock_for(root, f"{target.path}#append"), vault.wait):
        data = vault.bytes_of(root, target.path) or b""
        there = _find_same_line(data, target, written, draft)
        if there:
            line = data.split(b"\n")[there - 1].decode("utf-8", "replace").rstrip("\r")
            return AppendedNote(root, target.path, line, there, None, record.key)
        receipt = vault.apply([change], verb="append", who=who, group=group)
        receipt = receipt._replace(warnings=(*told, *receipt.warnings))
        # Where a heading comes with it, the memory is what stands under it.
        line = written.record.rpartition("\n")[2]
        number = _find_last_line(vault.bytes_of(root, target.path) or b"", line)
    return AppendedNote(root, target.path, line, number, receipt, record.key)


def _find_target(home: Home, draft: Draft, form: str, now: float) -> Target:
    target = resolve_note_target(home, load_layout(home.layout).target(home, Layer.JOURNAL, draft, now), form)
    if not target.append_only and target.format != ROWS:
        raise RefusedError(
            _("{home} ({layout}) keeps no journal: `memtui facts add` writes a memory.").format(
                home=home.label, layout=home.layout
            )
        )
    return target


def _insert_row(
    vault: Writing, target: Target, draft: Draft, told: Sequence[str], *, who: str, group: str, now: float
) -> AppendedNote:
    """A row of a program's own memories (spec 003), unless one that holds says the same already."""
    with hold_lock(lock_for(target.home, f"{target.path}#append"), vault.wait):
        rows = database_rows.read_table(target.home, target.path, memory_rows.TABLE)
        for row in rows:
            if not row.get("superseded_by") and _fold(str(row.get("content"))) == _fold(draft.text):
                return AppendedNote(target.home, target.path, draft.text, 0, None, str(row.get("id")))
        model = database_rows.read_model_row(target.home, target.path, memory_rows.TABLE)
        change = memory_rows.build_row_insert(target.home, target.path, draft, now, model)
        what = _("added {name} to {path}").format(name=change.key, path=target.path)
        receipt = vault.apply([change], verb="append", who=who, what=what, group=group)
    receipt = receipt._replace(warnings=(*told, *receipt.warnings))
    return AppendedNote(target.home, target.path, draft.text, 0, receipt, change.key)


def resolve_note_target(home: Home, target: Target, form: str) -> Target:
    """The place of a note in this form, which only memtui's own home keeps beside its other. Raises RefusedError."""
    records = target.format == FORMS["fact"]
    if not form or (form == "fact") is records:
        return target
    if not load_facts(home).own:
        raise RefusedError(
            _("{home} ({layout}) keeps its journal in another form: {path}").format(
                home=home.label, layout=home.layout, path=target.path
            )
        )
    path = target.path.rpartition(".")[0] + (".md" if form == "line" else ".jsonl")
    return target._replace(path=path, format=FORMS[form], exists=(home.path / path).exists())


def _find_same_line(data: bytes, target: Target, new: Append, draft: Draft) -> int:
    """The number of the line that says the same already; 0: none does.

    A record may be said again on purpose, how often counts (spec 004); only one with the very id is the same.
    """
    if target.format == FORMS["fact"]:
        return next((n for n, line in enumerate(data.split(b"\n"), 1) if draft.key and _read_key(line) == draft.key), 0)
    if not _may_say(data, draft, new.record):
        return 0

    role = Role(Layer.JOURNAL, "note", "journal")
    written = f"{new.header}{new.record}\n".encode("utf-8", "surrogateescape")
    said = [_describe_entry(entry) for entry in parse(Source(target.path, role, written)).entries][-1:]
    found = parse(Source(target.path, role, data)).entries if said else []
    return next((entry.start for entry in found if _describe_entry(entry) in said), 0)


def _may_say(data: bytes, draft: Draft, record: str) -> bool:
    """Whether the file holds the note's longest word at all: most days don't, and need not be read."""
    words = [word for word in draft.text.split() if word in record]
    text = _fold(data.decode("utf-8", "replace"))
    return bool(data) and (not words or _fold(max(words, key=len)) in text)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _describe_entry(entry: Entry) -> tuple[str, str, tuple[str, ...]]:
    """What an entry says, whenever and by whomever."""
    return (entry.kind, " ".join(_fold(entry.text).split()), tuple(sorted({tag.casefold() for tag in entry.tags})))


def _read_key(line: bytes) -> str:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return str(found.get("id", "")) if isinstance(found, dict) else ""


def _find_last_line(data: bytes, line: str) -> int:
    """The number of the last line that is this one; 0: somebody has changed it already."""
    lines = data.split(b"\n")
    wanted = line.encode("utf-8", "surrogateescape")
    return next((n for n in range(len(lines), 0, -1) if lines[n - 1].rstrip(b"\r") == wanted), 0)


PATIENCE = 0.5
"""Seconds to wait for a home that is still locked."""


def keep(vault: Writing, home: Home, draft: Draft, *, form: str = "", who: str = "person") -> Path:
    """Keep a draft for later, with the moment it was said. Raises UnavailableError where not even that can be done."""
    now = clock.now()
    # The key makes delivering twice the same as delivering once.
    key = draft.key or f"log-{clock.convert_to_local(now):%H%M%S}{int(now * 1000) % 1000:03d}-{os.urandom(2).hex()}"
    (masked,) = vault.prepared([Append(str(home.path), "", draft.text)], who)
    assert isinstance(masked, Append)
    return displaced.put_record(
        {
            "time": now,
            "home": str(home.path),
            "layout": home.layout,
            "form": form,
            "who": who,
            "draft": draft._replace(text=masked.record, key=key)._asdict(),
        }
    )


def drain(config: Config) -> int:
    """Write what waits, as far as its homes can be written now, and answer how many records went."""
    stuck: set[str] = set()
    return displaced.drain(lambda record: _deliver(record, config, stuck)) if displaced.list_spooled_records() else 0


def _deliver(record: dict[str, Any], config: Config, stuck: set[str]) -> bool:
    if record.get("home") in stuck:
        return False
    try:
        draft = _draft(record["draft"])
        home = find_own_home()
        home = make_home(home) if str(home.path) == record["home"] else open_home_at(Path(record["home"]))
        with Writing([home], config) as vault:
            vault.wait = PATIENCE
            append(vault, home, draft, form=str(record["form"]), who=str(record["who"]), now=float(record["time"]))
    except QuarantinedError:
        # It waits in Review now.
        return True
    except UnavailableError:
        # Nothing else goes there now, either: whoever waits for this waits once.
        stuck.add(str(record["home"]))
        return False
    except (MemtuiError, KeyError, TypeError, ValueError, OSError):
        return False
    return True


def _draft(said: dict[str, Any]) -> Draft:
    """The draft as it was kept. Raises KeyError, TypeError, ValueError for anything else, which then waits on."""
    fields: dict[str, Any] = {}
    for name in Draft._fields:
        # What waits may have been kept before there were projects.
        value = said.get(name, "") if name == "project" else said[name]
        if name in {"tags", "entities"}:
            fields[name] = tuple(map(str, value))
        elif name in {"confidence", "expires", "created"}:
            fields[name] = None if value is None else float(value)
        elif name == "lasting":
            fields[name] = value is True
        else:
            fields[name] = str(value)
    return Draft(**fields)
