"""`memtui index`: the derived index, brought up to date or built anew. Deleting it loses nothing."""

from __future__ import annotations

import time

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import Progress, short, vault
from memtui.cli.status import amount, size
from memtui.locale import _


def run(*, rebuild: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Bring every index up to date; 1 where there is no home, 4 where an index could not be made."""
    began = time.monotonic()
    with vault(home, wait=not rebuild) as opened:
        if rebuild:
            progress = Progress()
            try:
                opened.rebuild(progress=progress)
            finally:
                progress.done()
        states = opened.status()
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
        if states:
            output.talk(_("done in {seconds:.1f} s").format(seconds=seconds))
    if not states:
        output.talk(_("No memory home was found here; `memtui homes` says where it looks."))
        return 1
    return 4 if failed else 0


COMMAND = Command(
    "index",
    "Bring the index of every home up to date. It is derived from the files: deleting it loses nothing.",
    run,
    (),
    (
        Option(("--rebuild",), "Build it anew, beside the old one until it is whole.", "flag"),
        *EVERYWHERE,
    ),
)
