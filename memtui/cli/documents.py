"""One memory, and what a write answered: as a JSON document, as a page, and as a sentence for people.

The last part shows a conflict: the differences of the three texts.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.opening import format_place, shorten_path
from memtui.core import clock
from memtui.core.errors import ConflictError
from memtui.core.locale import _, _n
from memtui.fs.places import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.edits import Receipt
    from memtui.core.errors import MemtuiError
    from memtui.core.model import Memory, Transcript
    from memtui.store.lookup import Chain
    from memtui.store.vault import Vault

TURNS = 400
"""Most turns of a session that are printed for people; the rest is counted."""


def handle(memory: Memory) -> str:
    """The word that names a memory where it is linked: its home's own id, else ours."""
    return memory.key or memory.id


def dump_memory(memory: Memory) -> dict[str, Any]:
    """Every field, times in ISO 8601, unknown keys under `extra`."""
    return {
        "id": memory.id,
        "home": memory.home,
        "path": memory.path,
        "start_line": memory.start,
        "end_line": memory.last,
        "layer": None if memory.layer is None else memory.layer.value,
        "kind": memory.kind,
        "status": memory.status.value,
        "title": memory.title,
        "text": memory.text,
        "heading": list(memory.heading),
        "created": format_iso(memory.created),
        "updated": format_iso(memory.updated),
        "expires": format_iso(memory.expires),
        "confidence": memory.confidence,
        "importance": memory.importance,
        "tags": list(memory.tags),
        "entities": list(memory.entities),
        "session": memory.session,
        "evidence": memory.evidence,
        "source": memory.source,
        "key": memory.key,
        "superseded_by": memory.superseded_by,
        "links": list(memory.links),
        "etag": memory.etag,
        "extra": make_jsonable(memory.extra),
    }


def make_jsonable(value: Any, depth: int = 0) -> Any:
    """The value with whatever JSON has no word for as text; hostile depth is cut."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if depth > 16:
        return "…"
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): make_jsonable(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [make_jsonable(item, depth + 1) for item in value]
    return str(value)


def format_iso(seconds: float | None) -> str | None:
    """A time as ISO 8601 with its offset."""
    return None if seconds is None else clock.convert_to_local(seconds).isoformat(timespec="seconds")


def show(opened: Vault, which: str, as_json: bool) -> int:
    """Print one memory, what it replaced, what replaced it, and a session's turns; 1 where there is none."""
    memory = opened.memory(which)
    if memory is None:
        if as_json:
            render.print_document({"memory": None})
        render.print_remark(_("There is no memory '{id}'.").format(id=which))
        return 1
    chain = opened.chain(memory)
    transcript = opened.turns(memory) if memory.kind == "session" else None
    if as_json:
        render.print_document(
            {
                "memory": dump_memory(memory),
                "before": [dump_memory(item) for item in chain.before],
                "after": [dump_memory(item) for item in chain.after],
                "dangling": chain.dangling,
                "cyclic": chain.cyclic,
                "turns": None if transcript is None else _turns(transcript),
            }
        )
        return 0
    _page(memory, chain)
    if transcript is not None:
        _talk(transcript)
    return 0


def _page(memory: Memory, chain: Chain) -> None:
    place = format_place(memory.home, memory.path, memory.start)
    render.print_line(render.paint(render.make_safe_line(place), render.CYAN))
    fields: list[tuple[str, str]] = [
        (_("kind"), f"{memory.kind} ({_(memory.layer.value) if memory.layer else ''})"),
        (_("status"), _(memory.status.value)),
        (_("title"), memory.title),
        (_("under"), " › ".join(memory.heading)),
        (_("created"), format_iso(memory.created) or ""),
        (_("updated"), format_iso(memory.updated) or ""),
        (_("expires"), format_iso(memory.expires) or ""),
        (_("confidence"), "" if memory.confidence is None else f"{memory.confidence:g}"),
        (_("importance"), "" if memory.importance is None else f"{memory.importance:g}"),
        (_("tags"), ", ".join(memory.tags)),
        (_("entities"), ", ".join(memory.entities)),
        (_("session"), memory.session),
        (_("evidence"), memory.evidence),
        (_("source"), memory.source),
        (_("links"), ", ".join(memory.links)),
        (_("id"), "  ".join(filter(None, [memory.key, memory.id]))),
        *((str(key), _brief(value)) for key, value in memory.extra.items()),
    ]
    render.print_fields(fields)
    for sign, others in (("←", chain.before), ("→", chain.after)):
        for other in others:
            render.print_line(
                f"{sign} {render.make_safe_line(handle(other))}  {render.make_safe_line(other.text)}"
            )
    if chain.dangling:
        render.print_line(
            "→ "
            + _("superseded by {key}, which is missing").format(key=render.make_safe_line(chain.dangling))
        )
    if chain.cyclic:
        render.print_line("↺ " + _("the chain of replacements is circular"))
    render.print_line()
    render.print_line(render.make_safe_text(memory.text))


def _brief(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(make_jsonable(value), ensure_ascii=False)


def _turns(transcript: Transcript) -> dict[str, Any]:
    return {
        "turns": [
            {
                "role": turn.role,
                "text": turn.text,
                "time": format_iso(turn.time),
                "line": turn.line,
                "tool": turn.tool,
                "failed": turn.failed,
                "sidechain": turn.sidechain,
            }
            for turn in transcript.turns
        ],
        "skipped": transcript.skipped,
        "unknown": transcript.unknown,
        "truncated": transcript.truncated,
    }


def _talk(transcript: Transcript) -> None:
    for turn in transcript.turns[:TURNS]:
        who = f"{turn.role} {turn.tool}".strip() + (" ✗" if turn.failed else "")
        when = "" if turn.time is None else clock.convert_to_local(turn.time).strftime("%H:%M")
        render.print_line()
        render.print_line(
            render.paint(render.make_safe_line(f"{when} {who}  :{turn.line}".strip()), render.BOLD)
        )
        render.print_line(render.make_safe_text(turn.text))
    hidden = len(transcript.turns) - TURNS
    if hidden > 0:
        render.print_remark(
            _n("{count} more turn; --json gives all", "{count} more turns; --json gives all", hidden)
        )
    if transcript.skipped or transcript.unknown or transcript.truncated:
        skipped = _n("{count} line could not be read", "{count} lines could not be read", transcript.skipped)
        unknown = _n(
            "{count} record is of a kind not shown",
            "{count} records are of kinds not shown",
            transcript.unknown,
        )
        cut = _("; the file is longer than what was read") if transcript.truncated else ""
        render.print_remark(f"{skipped}, {unknown}{cut}")


def dump_receipt(receipt: Receipt) -> dict[str, Any]:
    """Every field of a receipt."""
    return {
        "id": receipt.id,
        "time": format_iso(receipt.time),
        "verb": receipt.verb,
        "who": receipt.who,
        "what": receipt.what,
        "paths": _shown(receipt),
        "group": receipt.group,
        "warnings": list(receipt.warnings),
    }


def say(receipts: Sequence[Receipt], *, line: int = 0, back: bool = True) -> None:
    """The places on stdout, as editors take them; what was done, what to know and how to undo it on stderr.

    `line` is the one that was written, of a single write to a single file.
    """
    seen: list[str] = []
    for receipt in receipts:
        for path in _shown(receipt):
            place = f"{path}:{line}" if line else path
            if place not in seen:
                seen.append(place)
                render.print_line(render.paint(render.make_safe_line(place), render.CYAN))
    for receipt in receipts:
        render.print_remark(receipt.what)
    print_remarks(receipts)
    if back:
        print_undo(receipts)


def print_undo(receipts: Sequence[Receipt]) -> None:
    """The one line that takes them back, on stderr."""
    if receipts:
        last = receipts[-1]
        name = last.group if last.group and len(receipts) > 1 else last.id
        render.print_remark(_("undo: {command}").format(command=f"memtui undo {name}"))


def _shown(receipt: Receipt) -> list[str]:
    """The files of homes; what memtui writes down for itself besides is nobody's errand."""
    own = os.path.join(state(), "")
    return [path for path in receipt.paths if not path.startswith(own)]


def print_remarks(receipts: Sequence[Receipt]) -> None:
    """What a person should know of the writes, on stderr: '1 secret was masked'."""
    for warning in dict.fromkeys(warning for receipt in receipts for warning in receipt.warnings):
        render.print_remark(_("note: {text}").format(text=warning))


def explain(error: MemtuiError) -> None:
    """What a person needs besides the error's sentence: the texts of a conflict."""
    if isinstance(error, ConflictError):
        print_conflict(error)


def print_conflict(error: ConflictError) -> None:
    """The three texts of a conflict, as two differences from what the change was made from, on stderr."""
    path = error.path
    for title, text in (
        (_("What changed there in the meantime:"), render.diff_files(error.base, error.theirs, path)),
        (_("What was to be written:"), render.diff_files(error.base, error.mine, path)),
    ):
        render.print_remark(title)
        for line in render.make_safe_diff(text):
            render.print_remark(f"  {line}")
    if error.kept and error.kept not in str(error):
        render.print_remark(_("Your version is kept in {place}.").format(place=shorten_path(error.kept)))


def dump_conflict(error: ConflictError) -> dict[str, Any]:
    """A conflict as a document: where, what is kept, and both differences."""
    return {
        "home": error.home,
        "path": error.path,
        "kept": error.kept or None,
        "theirs": render.diff_files(error.base, error.theirs, error.path),
        "mine": render.diff_files(error.base, error.mine, error.path),
    }
