"""`memtui status`: how much there is, and how fresh what is known about it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Command
from memtui.cli.opening import short, vault
from memtui.cli.record import iso
from memtui.disk import spool
from memtui.locale import _, _n
from memtui.model import Layer, Status

if TYPE_CHECKING:
    from memtui.vault import HomeStatus, Vault


def run(*, home: tuple[str, ...], as_json: bool) -> int:
    """Show every home's counts and index; 1 where there is no home."""
    with vault(home) as opened:
        states = opened.status()
        layers = _layers(opened)
        expiring = _expiring(opened)
    waiting = len(spool.waiting())
    if waiting and not as_json:
        output.talk(
            _n(
                "{count} note waits to be written; the next write brings it in",
                "{count} notes wait to be written; the next write brings them in",
                waiting,
            )
        )
    if as_json:
        output.document(
            {
                "homes": [
                    _plain(state, layers.get(str(state.home.path), {}))
                    | {"expiring": expiring[str(state.home.path)]}
                    for state in states
                ],
                "spooled": waiting,
            }
        )
        return 0 if states else 1
    if not states:
        output.talk(_("No memory home was found here; `memtui homes` says where it looks."))
        return 1
    output.table(
        [
            output.Column(_("home"), output.CYAN, grows=True),
            *(output.Column(layer.value, right=True) for layer in Layer),
            output.Column(_("indexed"), right=True),
            output.Column(_("backend")),
            output.Column(_("meaning"), right=True),
            output.Column(_("size"), right=True),
            output.Column(_("unread"), output.YELLOW, right=True),
        ],
        [_row(state, layers.get(str(state.home.path), {})) for state in states],
    )
    if expiring:
        output.talk(
            _n(
                "{count} memory expires soon; `memtui lifecycle --soon` lists it",
                "{count} memories expire soon; `memtui lifecycle --soon` lists them",
                expiring.total(),
            )
        )
    for state in states:
        if state.warning:
            output.talk(f"{short(str(state.home.path))}: {state.warning}")
        for problem in state.problems[:5]:
            place = f"{problem.path}:{problem.line}" if problem.line else problem.path
            output.talk(f"  {place}: {problem.reason}")
        if len(state.problems) > 5:
            output.talk(
                _("  … and {more} more; `memtui doctor` lists them").format(more=len(state.problems) - 5)
            )
    return 0


def _layers(opened: Vault) -> dict[str, Counter[Layer]]:
    """Memories that still hold, by home and layer."""
    counted: dict[str, Counter[Layer]] = {}
    for (home, layer, _kind, status), number in opened.counts().items():
        if status in {Status.ACTIVE, Status.CANDIDATE}:
            counted.setdefault(home, Counter())[layer] += number
    return counted


def _expiring(opened: Vault) -> Counter[str]:
    """Memories that expire within `lifecycle.soon_days`, by home."""
    from memtui.curation.lifecycle import soon

    return Counter(memory.home for memory in soon(opened))


def _row(state: HomeStatus, layers: Counter[Layer] | dict[Layer, int]) -> list[str]:
    share = f"{state.indexed:,}/{state.total:,}" if state.indexed != state.total else f"{state.total:,}"
    return [
        short(str(state.home.path)),
        *(f"{layers.get(layer, 0) or ''}" for layer in Layer),
        share,
        state.backend,
        _meaning(state),
        size(state.index_bytes),
        str(state.unparsed or ""),
    ]


def _meaning(state: HomeStatus) -> str:
    """How many memories can be found by meaning: all, 812/1,284, or nothing where there is no model."""
    if not state.model:
        return ""
    if state.vectors == state.vectors_total:
        return _("all") if state.vectors else ""
    return f"{state.vectors:,}/{state.vectors_total:,}"


def amount(state: HomeStatus) -> str:
    """1,284 memories in 96 files."""
    memories = _n("{count} memory", "{count} memories", state.memories)
    files = _n("{count} file", "{count} files", state.files)
    return _("{memories} in {files}").format(memories=memories, files=files)


def size(number: int) -> str:
    """Bytes for people: 812 B, 3.4 MB."""
    amount = float(number)
    for unit in ("B", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _plain(state: HomeStatus, layers: Counter[Layer] | dict[Layer, int]) -> dict[str, Any]:
    return {
        "path": str(state.home.path),
        "layout": state.home.layout,
        "files": state.files,
        "memories": state.memories,
        "left_out": state.left_out,
        "layers": {layer.value: layers.get(layer, 0) for layer in Layer},
        "indexed": state.indexed,
        "total": state.total,
        "building": bool(state.building),
        "fresh_at": iso(state.fresh_at or None),
        "age": clock.ago(state.fresh_at or None),
        "backend": state.backend,
        "watcher": state.watcher,
        "index_path": str(state.index_path or ""),
        "index_bytes": state.index_bytes,
        "unparsed": [
            {"path": problem.path, "line": problem.line, "reason": problem.reason}
            for problem in state.problems
        ],
        "warning": state.warning or None,
        "vectors": state.vectors,
        "vectors_total": state.vectors_total,
        "model": state.model or None,
        "vectors_warning": state.vectors_why or None,
    }


COMMAND = Command(
    "status",
    "How many memories each home holds, by layer, and how fresh its index is.",
    run,
    (),
    EVERYWHERE,
)
