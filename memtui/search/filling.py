"""Making the vectors that are missing: `python -m memtui.search.filling HOME LAYOUT WHERE`.

The index says which entries there are, their files what stands in them (secrets masked, as in any search), the store
which texts have a vector already; the model makes the rest, the newest first. What is done is put in place every few
seconds, so that half of the vectors already serve, and a process that dies loses a batch.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.disk.locks import locked
from memtui.disk.places import place as place_of
from memtui.errors import LockedError, MemtuiError
from memtui.locale import _
from memtui.model import Home
from memtui.search.making import Making

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.config import VectorConfig
    from memtui.disk.places import Place
    from memtui.embedding import Embedder


LEAVE = 5.0
"""Seconds until a process whose parent is gone ends, whatever it is doing."""


class Filled(NamedTuple):
    """What became of it."""

    done: int
    """Memories that have a vector, or hold nothing to make one of."""
    total: int
    made: int = 0
    """Vectors that the model made."""
    seconds: float = 0.0
    why: str = ""
    """Why it could not go on; empty: it is done, or was told to stop."""


def fill(
    home: Home,
    place: Place,
    settings: VectorConfig,
    *,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    budget: float | None = None,
    embedder: Embedder | None = None,
    soon: bool = False,
) -> Filled:
    """Make the vectors that the current index of a home lacks; those of another model stay where they are.

    `progress` gets memories done and in all; `budget`: seconds after which to stop; `soon`: a person waits. Never
    raises for what can go wrong outside: `Filled.why` says it, and what was made is kept.
    """
    from memtui.embedding import identity, load, why_not

    why = "" if embedder is not None else why_not(settings)
    if why:
        return Filled(0, 0, why=why)
    until = None if budget is None else time.monotonic() + budget

    def over() -> bool:
        return (until is not None and time.monotonic() > until) or (cancelled is not None and cancelled())

    try:
        name = identity(settings) if embedder is None else embedder.name
    except MemtuiError as error:  # its files went away since they were looked for
        return Filled(0, 0, why=str(error))
    filling = Making(home, place, name, embedder, partial(load, settings), over, progress, soon=soon)
    began = time.monotonic()
    try:
        with locked(place.lock.with_name(f"{place.lock.stem}.vectors.lock"), 0.0):
            filling.run()
    except LockedError:
        filling.why = _("another memtui is making the vectors of this home")
    except MemtuiError as error:
        filling.why = str(error)
    return Filled(filling.done, filling.total, filling.made, time.monotonic() - began, filling.why)


def main(arguments: list[str]) -> int:
    """`HOME LAYOUT WHERE`: fill; progress as lines of JSON on stdout, the last one what was done, and `why`.

    `--attached`: the first line of stdin says what is wished, the vector settings and a budget, else the config's
    hold; the end of stdin is the wish to stop.
    """
    attached = "--attached" in arguments
    home, layout, kept = [*(word for word in arguments if word != "--attached"), "auto"][:3]
    gone = threading.Event()
    budget = None
    if attached:
        from memtui.config import VectorConfig

        wish = json.loads(sys.stdin.readline())
        settings, budget = VectorConfig(**wish["settings"]), wish["budget"]
        threading.Thread(target=_listen, args=(gone,), daemon=True).start()
    else:
        from memtui.config import load

        settings = load()[0].vector
    _step_back()
    last = 0.0

    def say(**values: Any) -> None:
        sys.stdout.write(json.dumps(values) + "\n")
        sys.stdout.flush()

    def progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 0.2:
            last = time.monotonic()
            say(done=done, total=total)

    where = Path(home)
    try:
        place = place_of(where, layout, kept)
        about = Home(where, layout, "", where.name)
        filled = fill(about, place, settings, progress=progress, cancelled=gone.is_set, budget=budget)
    except BrokenPipeError:
        # Nobody listens any more; what was done is in place but for the last seconds.
        os._exit(1)
    say(**filled._asdict())
    return 0


def _step_back() -> None:
    """Run only where nobody else wants to: a key must not wait for a vector."""
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if hasattr(os, "nice"):
        os.nice(19)


def _listen(gone: threading.Event) -> None:
    sys.stdin.read()
    gone.set()
    time.sleep(LEAVE)
    # A model that does not come back, at an endpoint that is silent: what was placed is in place.
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
