"""`memtui index`: index and vectors, brought up to date or built anew. Deleting them loses nothing but time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import Progress, short, vault
from memtui.cli.status import amount, size
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.vault import HomeStatus, Vault


def run(*, rebuild: bool, no_vectors: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Bring every index up to date; 1 where there is no home, 4 where an index could not be made.

    Vectors that cannot be made are said, and no failure: everything is found by words.
    """
    began = time.monotonic()
    with vault(home, wait=False) as opened:
        # Whoever asks for it has every file looked at, whatever a process that keeps it current says.
        progress = Progress()
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
        output.document(
            {
                "homes": [
                    {
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
                    for state in states
                ],
                "rebuilt": rebuild,
                "seconds": round(seconds, 3),
            }
        )
    else:
        for state in states:
            about = f"{amount(state)}, {size(state.index_bytes)}"
            output.line(f"{output.paint(output.safe(short(str(state.home.path))), output.CYAN)}  {about}")
            if state.warning:
                output.talk(f"  {state.warning}")
            if state.model:
                output.line(f"  {coverage(state)}")
        for why in dict.fromkeys(state.vectors_why for state in states if state.vectors_why):
            if not quiet:
                output.talk(why)
        if states:
            output.talk(_("done in {seconds:.1f} s").format(seconds=seconds))
    if not states:
        output.talk(_("No memory home was found here; `memtui homes` says where it looks."))
        return 1
    return 4 if failed else 0


def _embed(opened: Vault) -> None:
    """Make the vectors that are missing, where anything makes them."""
    progress = Progress(_("finding out what {label} means"))
    try:
        opened.embed(progress=progress)
    finally:
        progress.done()


def coverage(state: HomeStatus) -> str:
    """1,284 of 1,284 memories by meaning, too: multilingual-e5-small."""
    counts = {"done": f"{state.vectors:,}", "total": f"{state.vectors_total:,}"}
    told = _("{done} of {total} are found by meaning, too ({model})")
    return told.format(**counts, model=output.safe(state.model))


COMMAND = Command(
    "index",
    "Bring the index of every home up to date, and the vectors for finding by meaning where a model is there. All "
    "of it is derived from the files: deleting it loses nothing.",
    run,
    (),
    (
        Option(("--rebuild",), "Build it anew, beside the old one until it is whole.", "flag"),
        Option(("--no-vectors",), "Leave the vectors as they are: they take a model its time.", "flag"),
        *EVERYWHERE,
    ),
)
