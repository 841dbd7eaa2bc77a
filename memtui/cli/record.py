"""One memory as a document, and as a page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.cli import output
from memtui.cli.opening import reference
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.chain import Chain
    from memtui.model import Memory
    from memtui.turns import Transcript
    from memtui.vault import Vault

TURNS = 400
"""Most turns of a session that are printed for people; the rest is counted."""


def handle(memory: Memory) -> str:
    """The word that names a memory where it is linked: its home's own id, else ours."""
    return memory.key or memory.id


def plain(memory: Memory) -> dict[str, Any]:
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
        "created": iso(memory.created),
        "updated": iso(memory.updated),
        "expires": iso(memory.expires),
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
        "extra": jsonable(memory.extra),
    }


def jsonable(value: Any, depth: int = 0) -> Any:
    """The value with whatever JSON has no word for as text; hostile depth is cut."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if depth > 16:
        return "…"
    if isinstance(value, dict) or hasattr(value, "items"):
        return {str(key): jsonable(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(item, depth + 1) for item in value]
    return str(value)


def iso(seconds: float | None) -> str | None:
    """A time as ISO 8601 with its offset."""
    return None if seconds is None else clock.local(seconds).isoformat(timespec="seconds")


def show(opened: Vault, which: str, as_json: bool) -> int:
    """Print one memory, what it replaced, what replaced it, and a session's turns; 1 where there is none."""
    memory = opened.memory(which)
    if memory is None:
        if as_json:
            output.document({"memory": None})
        output.talk(_("There is no memory '{id}'.").format(id=which))
        return 1
    chain = opened.chain(memory)
    transcript = opened.turns(memory) if memory.kind == "session" else None
    if as_json:
        output.document(
            {
                "memory": plain(memory),
                "before": [plain(item) for item in chain.before],
                "after": [plain(item) for item in chain.after],
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
    place = reference(memory.home, memory.path, memory.start)
    output.line(output.paint(output.safe(place), output.CYAN))
    fields: list[tuple[str, str]] = [
        (_("kind"), f"{memory.kind} ({memory.layer.value if memory.layer else ''})"),
        (_("status"), memory.status.value),
        (_("title"), memory.title),
        (_("under"), " › ".join(memory.heading)),
        (_("created"), iso(memory.created) or ""),
        (_("updated"), iso(memory.updated) or ""),
        (_("expires"), iso(memory.expires) or ""),
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
    names = [(output.safe(name), output.safe(value)) for name, value in fields if value]
    wide = max((len(name) for name, _value in names), default=0)
    for name, value in names:
        output.line(f"{output.paint(name.ljust(min(wide, 20)), output.DIM)}  {value}")
    for sign, others in (("←", chain.before), ("→", chain.after)):
        for other in others:
            output.line(f"{sign} {output.safe(handle(other))}  {output.safe(other.text)}")
    if chain.dangling:
        output.line(
            "→ "
            + _("superseded by {key}, which is nowhere to be found").format(key=output.safe(chain.dangling))
        )
    if chain.cyclic:
        output.line("↺ " + _("the chain leads back to where it began"))
    output.line()
    output.line(output.text(memory.text))


def _brief(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(jsonable(value), ensure_ascii=False)


def _turns(transcript: Transcript) -> dict[str, Any]:
    return {
        "turns": [
            {
                "role": turn.role,
                "text": turn.text,
                "time": iso(turn.time),
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
        when = "" if turn.time is None else clock.local(turn.time).strftime("%H:%M")
        output.line()
        output.line(output.paint(output.safe(f"{when} {who}  :{turn.line}".strip()), output.BOLD))
        output.line(output.text(turn.text))
    hidden = len(transcript.turns) - TURNS
    if hidden > 0:
        output.talk(_n("{count} more turn; --json gives all", "{count} more turns; --json gives all", hidden))
    if transcript.skipped or transcript.unknown or transcript.truncated:
        skipped = _n("{count} line could not be read", "{count} lines could not be read", transcript.skipped)
        unknown = _n(
            "{count} record is of a kind not shown",
            "{count} records are of kinds not shown",
            transcript.unknown,
        )
        cut = _("; the file is longer than what was read") if transcript.truncated else ""
        output.talk(f"{skipped}, {unknown}{cut}")
