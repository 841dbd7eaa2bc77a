"""`memtui profile | facts` (and `sessions`, `evolution`): what each layer holds, as a list or one memory whole."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import clock
from memtui.cli import cells, output, record
from memtui.cli.fact_options import OPTIONS, PROFILE_VERBS, VERBS
from memtui.cli.filters import NARROW, narrowed
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import reference, vault
from memtui.errors import UsageError
from memtui.locale import _
from memtui.model import Layer, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.model import Filter, Memory
    from memtui.vault import Vault

LIMIT = 50
"""How many rows a list shows unless more are asked for."""


WHERE = 28
"""Cells of a file's name on a terminal: its end says more than its beginning."""


class Shelf(NamedTuple):
    """What one command lists."""

    name: str
    layers: tuple[Layer, ...]
    writes: tuple[str, ...] = ()
    """Its verbs that change something."""
    heads_only: bool = False
    """List sessions by their heads; what was decided in them is shown with the session."""


def run(
    shelf: Shelf,
    verb: str | None,
    words: tuple[str, ...],
    *,
    limit: int,
    home: tuple[str, ...],
    as_json: bool,
    **said: Any,
) -> int:
    """List the layer's memories, show one, or do what a verb says; 1 where there is nothing."""
    narrow = {name: said.pop(name) for name in ("kind", "status", "since", "until", "path")}
    if verb in shelf.writes:
        from memtui.cli import facts

        said |= {"kind": narrow["kind"], "home": home, "as_json": as_json}
        return facts.run(verb, words, shelf.layers[0], **said)
    stray = next((name for name, value in said.items() if value not in ("", None, (), False)), "")
    if stray:
        raise UsageError(_("--{name} belongs to a verb that writes.").format(name=stray.replace("_", "-")))
    which = words[0] if words else None
    if verb == "show" and not which:
        raise UsageError(
            _("Show which one? `memtui {name}` lists them with their ids.").format(name=shelf.name)
        )
    if (verb != "show" and which) or len(words) > 1:
        raise UsageError(
            _("'{id}' is one word too many: `memtui {name} show {id}` shows it.").format(
                id=words[-1], name=shelf.name
            )
        )
    wanted = narrowed(layers=tuple(layer.value for layer in shelf.layers), **narrow)
    with vault(home) as opened:
        if verb == "show" and which:
            return record.show(opened, which, as_json)
        return _list(shelf, opened, wanted, limit, as_json)


def _list(shelf: Shelf, opened: Vault, wanted: Filter, limit: int, as_json: bool) -> int:
    found: Iterable[Memory] = opened.memories(wanted, "time")
    if shelf.heads_only and not wanted.kinds:
        found = (memory for memory in found if memory.layer is not Layer.SESSION or memory.kind == "session")
    shown = list(islice(found, limit + 1))
    more = len(shown) > limit
    del shown[limit:]
    if as_json:
        output.document({"memories": [record.plain(memory) for memory in shown], "more": more})
        return 0 if shown else 1
    if not shown:
        output.talk(
            _("Nothing here. `memtui homes` says what is open, `--status all` shows what no longer holds.")
        )
        return 1
    states = any(memory.status is not Status.ACTIVE for memory in shown)
    heads = [
        output.Column(_("when"), output.DIM),
        output.Column(_("kind"), output.GREEN),
        *([output.Column(_("status"), output.YELLOW)] if states else []),
        *([output.Column(_("sure"), right=True)] if any(m.confidence is not None for m in shown) else []),
        output.Column(_("id"), output.DIM),
        output.Column(_("memory"), grows=True),
        output.Column(_("where"), output.CYAN),
    ]
    sure = any(memory.confidence is not None for memory in shown)
    output.table(heads, [_row(memory, states, sure) for memory in shown])
    if more:
        output.talk(_("the newest {limit}; --limit shows more").format(limit=limit))
    return 0


def _row(memory: Memory, states: bool, sure: bool) -> list[str]:
    when = memory.updated if memory.updated is not None else memory.created
    # In a pipe a date sorts and does not grow old; on a terminal an age is read at a glance.
    moment = "" if when is None else (clock.day(when) if output.columns() is None else clock.ago(when))
    text = (
        f"{memory.title} — {memory.text}" if memory.title and memory.title not in memory.text else memory.text
    )
    return [
        moment,
        memory.kind,
        *([memory.status.value] if states else []),
        *([_sure(memory.confidence)] if sure else []),
        memory.id,
        text,
        _place(memory),
    ]


def _sure(confidence: float | None) -> str:
    if confidence is None:
        return ""
    # A file may claim 1e308, which has as many digits as it says.
    return f"{confidence:.2f}" if abs(confidence) < 100 else f"{confidence:.1e}"


def _place(memory: Memory) -> str:
    if output.columns() is None:
        return reference(memory.home, memory.path, memory.start)
    name = memory.path.rpartition("/")[2]
    if cells.width(name) > WHERE:
        name = cells.ELLIPSIS + cells.fit(name[::-1], WHERE)[:-1][::-1]
    return f"{name}:{memory.start}"


def _command(name: str, about: str, *layers: Layer, writes: tuple[str, ...] = ()) -> Command:
    verbs = ("list", "show", *writes)
    return Command(
        name,
        about,
        partial(run, Shelf(name, layers, writes)),
        (
            Argument("verb", choices=verbs, metavar=f"[{'|'.join(verbs)}]"),
            Argument("words", many=True, metavar="[ID|TEXT]…" if writes else "[ID]"),
        ),
        (
            *NARROW,
            Option(("--limit", "-n"), "How many at most, newest first.", "int", LIMIT, least=1, metavar="N"),
            *(OPTIONS if writes else ()),
            *EVERYWHERE,
        ),
        epilog="ID is the id in the list, the id its home gave it (fact-001), or PATH:LINE."
        + (" Exit status: 0 done, 1 nothing there, 2 wrong use, 3 refused, 4 could not." if writes else ""),
    )


PROFILE = _command(
    "profile",
    "What is remembered about you: your own files (L0), and MEMORY.md and its kin.",
    Layer.PROFILE,
    Layer.CORE,
    writes=PROFILE_VERBS,
)
FACTS = _command(
    "facts",
    "Facts, rules, summaries, patterns and topics (L1), newest first; and every verb that changes a memory.",
    Layer.KNOWLEDGE,
    writes=VERBS,
)
