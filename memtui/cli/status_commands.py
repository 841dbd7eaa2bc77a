"""`memtui status`, `index` and `homes`: amounts, indexes, and what was found.

`status`: how much there is, and how fresh what is known about it is. `index`: index and vectors brought up to date
or built anew; deleting them loses nothing but time. `homes`: what was found, which layout, why, how much.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.documents import format_iso
from memtui.cli.opening import ProgressBar, open_vault, shorten_path
from memtui.cli.options import EVERYWHERE, Command, CommandOption
from memtui.core import clock
from memtui.core.locale import _, _n, format_share, format_size
from memtui.core.model import Layer, Status, dump_origin
from memtui.fs import displaced
from memtui.layouts.home_config import explain_switched_off
from memtui.lifecycle.expiry import list_expiring_soon

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.core.model import HomeStatus
    from memtui.store.vault import Vault


def run_status(*, home: tuple[str, ...], as_json: bool) -> int:
    """Show every home's counts and index; 1 where there is no home."""
    with open_vault(home, shared=True) as opened:
        states = opened.status()
        layers = _count_layers(opened)
        expiring = _count_expiring(opened)
    waiting = len(displaced.list_spooled_records())
    if waiting and not as_json:
        render.print_remark(
            _n(
                "{count} note waits to be written; the next write brings it in",
                "{count} notes wait to be written; the next write brings them in",
                waiting,
            )
        )
    if as_json:
        render.print_document(
            {
                "homes": [
                    _dump_state(state, layers.get(str(state.home.path), {}))
                    | {"expiring": expiring[str(state.home.path)]}
                    for state in states
                ],
                "spooled": waiting,
            }
        )
        return 0 if states else 1
    if not states:
        render.print_remark(_("No memory home was found here; `memtui help homes` says where memtui looks."))
        return 1
    _print_states(states, layers)
    if expiring:
        render.print_remark(
            _n(
                "{count} memory expires soon; `memtui lifecycle --soon` lists it",
                "{count} memories expire soon; `memtui lifecycle --soon` lists them",
                expiring.total(),
            )
        )
    _print_problems(states)
    return 0


def _print_states(states: Sequence[HomeStatus], layers: Mapping[str, Counter[Layer]]) -> None:
    """A table of the homes."""
    render.print_table(
        [
            render.Column(_("home"), render.CYAN, grows=True),
            *(render.Column(_(layer.value), right=True) for layer in Layer),
            render.Column(_("indexed"), right=True),
            render.Column(_("backend")),
            render.Column(_("semantic"), right=True),
            render.Column(_("size"), right=True),
            render.Column(_("unread"), render.YELLOW, right=True),
        ],
        [_make_row(state, layers.get(str(state.home.path), {})) for state in states],
    )


def _print_problems(states: Sequence[HomeStatus]) -> None:
    """What is wrong with each home, and with the first five of its files."""
    for state in states:
        if state.warning:
            render.print_remark(f"{shorten_path(str(state.home.path))}: {state.warning}")
        for problem in state.problems[:5]:
            place = f"{problem.path}:{problem.line}" if problem.line else problem.path
            render.print_remark(f"  {place}: {problem.reason}")
        if len(state.problems) > 5:
            render.print_remark(
                _("  … and {more} more; `memtui doctor` lists them").format(more=len(state.problems) - 5)
            )


def _count_layers(opened: Vault) -> dict[str, Counter[Layer]]:
    """Memories that still hold, by home and layer."""
    counted: dict[str, Counter[Layer]] = {}
    for (home, layer, _kind, status), number in opened.counts().items():
        if status in {Status.ACTIVE, Status.CANDIDATE}:
            counted.setdefault(home, Counter())[layer] += number
    return counted


def _count_expiring(opened: Vault) -> Counter[str]:
    """Memories that expire within `lifecycle.soon_days`, by home."""
    return Counter(memory.home for memory in list_expiring_soon(opened))


def _make_row(state: HomeStatus, layers: Counter[Layer] | dict[Layer, int]) -> list[str]:
    share = f"{state.indexed:,}/{state.total:,}" if state.indexed != state.total else f"{state.total:,}"
    return [
        shorten_path(str(state.home.path)),
        *(f"{layers.get(layer, 0) or ''}" for layer in Layer),
        share,
        state.backend,
        _format_meaning(state),
        format_size(state.index_bytes),
        str(state.unparsed or ""),
    ]


def _format_meaning(state: HomeStatus) -> str:
    """How many memories can be found by meaning: all, 63 %, or nothing where there is no model."""
    if not state.model:
        return ""
    if state.vectors == state.vectors_total:
        return _("all") if state.vectors else ""
    return format_share(state.vectors, state.vectors_total)


def describe_amount(state: HomeStatus) -> str:
    """1,284 memories in 96 files."""
    memories = _n("{count} memory", "{count} memories", state.memories)
    files = _n("{count} file", "{count} files", state.files)
    return _("{memories} in {files}").format(memories=memories, files=files)


def _dump_state(state: HomeStatus, layers: Counter[Layer] | dict[Layer, int]) -> dict[str, Any]:
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
        "fresh_at": format_iso(state.fresh_at or None),
        "age": clock.format_age(state.fresh_at or None, plain=True),
        "backend": state.backend,
        "watcher": state.watcher,
        "index_path": str(state.index_path or ""),
        "index_bytes": state.index_bytes,
        "unparsed": [
            {"path": problem.path, "line": problem.line, "reason": problem.reason} for problem in state.problems
        ],
        "warning": state.warning or None,
        "vectors": state.vectors,
        "vectors_total": state.vectors_total,
        "model": state.model or None,
        "vectors_warning": state.vectors_why or None,
    }


STATUS_COMMAND = Command(
    "status", "How many memories each home holds, by layer, and how fresh its index is.", run_status, (), EVERYWHERE
)


def run_index(*, rebuild: bool, no_vectors: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Bring every index up to date; 1 where there is no home, 4 where an index could not be made.

    Vectors that cannot be made are said, and no failure: everything is found by words.
    """
    began = time.monotonic()
    with open_vault(home, wait=False, shared=True) as opened:
        # Whoever asks for it has every file looked at, whatever a process that keeps it current says.
        progress = ProgressBar()
        try:
            (opened.rebuild if rebuild else opened.refresh)(progress=progress)
            opened.current = True
        finally:
            progress.done()
        if not no_vectors:
            _embed(opened)
        states = opened.status()
        quiet = no_vectors or opened.config.vector.backend == "off"
    seconds = time.monotonic() - began
    failed = [state for state in states if state.backend == "scan"]
    if as_json:
        homes = [_dump_indexed(state) for state in states]
        render.print_document({"homes": homes, "rebuilt": rebuild, "seconds": round(seconds, 3)})
    else:
        _print_indexed(states, vectors=not quiet)
        if states:
            render.print_remark(_("done in {seconds:.1f} s").format(seconds=seconds))
    if not states:
        render.print_remark(_("No memory home was found here; `memtui help homes` says where memtui looks."))
        return 1
    return 4 if failed else 0


def _dump_indexed(state: HomeStatus) -> dict[str, Any]:
    """One home as JSON, as its index stands now."""
    return {
        "path": str(state.home.path),
        "files": state.files,
        "memories": state.memories,
        "backend": state.backend,
        "index_path": str(state.index_path or ""),
        "index_bytes": state.index_bytes,
        "warning": state.warning or None,
        "vectors": state.vectors,
        "vectors_total": state.vectors_total,
        "model": state.model or None,
        "vectors_warning": state.vectors_why or None,
    }


def _print_indexed(states: Sequence[HomeStatus], *, vectors: bool) -> None:
    """What each index holds; with `vectors`, why there are none where there are none."""
    for state in states:
        about = _("{one}, {other}").format(one=describe_amount(state), other=format_size(state.index_bytes))
        render.print_line(
            f"{render.paint(render.make_safe_line(shorten_path(str(state.home.path))), render.CYAN)}  {about}"
        )
        if state.warning:
            render.print_remark(f"  {state.warning}")
        if state.model:
            render.print_line(f"  {describe_coverage(state)}")
    if vectors:
        for why in dict.fromkeys(state.vectors_why for state in states if state.vectors_why):
            render.print_remark(why)


def _embed(opened: Vault) -> None:
    """Make the vectors that are missing, where anything makes them."""
    progress = ProgressBar(_("finding out what {label} means"))
    try:
        opened.embed(progress=progress)
    finally:
        progress.done()


def describe_coverage(state: HomeStatus) -> str:
    """34 % are found by meaning, too (multilingual-e5-small)"""
    share = format_share(state.vectors, state.vectors_total)
    told = _("{share} are found by meaning, too ({model})")
    return told.format(share=share, model=render.make_safe_line(state.model))


INDEX_COMMAND = Command(
    "index",
    "Bring the index of every home up to date, and the vectors for finding by meaning where a model is there. All "
    "of it is derived from the files: deleting it loses nothing.",
    run_index,
    (),
    (
        CommandOption(("--rebuild",), "Rebuild it, beside the old one until it is complete.", "flag"),
        CommandOption(("--no-vectors",), "Leave the vectors as they are: they take a model its time.", "flag"),
        *EVERYWHERE,
    ),
)


def _dump_found(state: HomeStatus) -> dict[str, Any]:
    """One home as JSON, as discovery found it; without the memories that nobody counted yet."""
    counted = state.indexed >= state.total
    return {
        "path": str(state.home.path),
        "layout": state.home.layout,
        "reason": state.home.reason,
        "files": state.total,
        "memories": state.memories if counted else None,
        "left_out": state.left_out if counted else None,
        "unparsed": state.unparsed,
        "warning": state.warning or None,
        "writable": state.home.writable,
        "label": state.home.label,
        "project": state.home.project,
        "current": state.home.current,
        "origin": dump_origin(state.home.origin),
        "off": explain_switched_off(state.home) or None,
    }


def run(*, home: tuple[str, ...], as_json: bool) -> int:
    """List the homes; 1 where there is none."""
    with open_vault(home, wait=False, shared=True) as opened:
        progress = ProgressBar()
        try:
            opened.freshen(progress, briefly=True)
        finally:
            progress.done()
        states = opened.status()
    if as_json:
        render.print_document([_dump_found(state) for state in states])
        return 0 if states else 1
    if not states:
        render.print_remark(
            _(
                "No memory home was found for this directory or this user.\n"
                "Run memtui in a project where an agent has worked, name a directory (memtui PATH), "
                "or look at the demo (memtui --demo)."
            )
        )
        return 1
    heads = (
        render.Column("", render.GREEN),
        render.Column(_("home"), render.CYAN),
        render.Column(_("layout")),
        render.Column(_("memories"), right=True),
        render.Column(_("left out"), render.DIM, right=True),
        render.Column(_("files"), right=True),
        render.Column(_("unread"), render.YELLOW, right=True),
        render.Column(_("why"), render.DIM, grows=True),
    )
    render.print_table(
        heads,
        (
            (
                "●" if state.home.current else "",
                shorten_path(str(state.home.path)),
                state.home.layout,
                f"{state.memories:,}" if state.indexed >= state.total else "–",
                f"{state.left_out:,}" if state.left_out and state.indexed >= state.total else "",
                f"{state.total:,}",
                str(state.unparsed or ""),
                "; ".join(
                    filter(
                        None,
                        (
                            state.home.reason,
                            "" if state.home.writable else _("read only"),
                            explain_switched_off(state.home),
                        ),
                    )
                ),
            )
            for state in states
        ),
    )
    for state in states:
        if state.warning:
            render.print_remark(f"{shorten_path(str(state.home.path))}: {state.warning}")
    return 0


COMMAND = Command(
    "homes",
    "List the memory homes found for this directory and this user: where, which layout, and why.\n\n"
    "A dot marks the homes of the current project.",
    run,
    (),
    EVERYWHERE,
)
