"""The process of low priority that works everything out: `python -m memtui.analysis.process`, started by `Analyst`.

The first line of stdin says which homes and settings, every further line is the wish to look again ('now': without a
rest). It says what it does as lines of JSON, stays for a little while for the next change, which is then cheap, and
ends by itself; the end of stdin ends it at once. Killed at any moment it loses nothing but the work of that moment.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import sys
import threading
import time
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.analysis.analyst import rest_after
from memtui.analysis.compute import ROUNDS, Stamps, bring_up, wanted
from memtui.config import Config
from memtui.errors import MemtuiError
from memtui.model import Home
from memtui.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.analysis.derived import Kind

LINGER = 5.0
"""Seconds without a change after which it ends and gives its memory back."""

HELD = 64 * 1024 * 1024
"""Bytes that it may have while it waits for the next change; after a run that took more it ends."""

MANY = 1 << 10
"""What remembers more than so many answers is made to forget them after each round."""

PATIENCE = 120.0
"""Seconds to wait for another process that works out the same home."""


def main() -> int:
    """Serve whoever started it."""
    wish = json.loads(sys.stdin.readline())
    homes = [Home(Path(path), *rest) for path, *rest in wish["homes"]]
    config = read_config(wish["config"])
    step_back()
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    _serve(homes, config, asked)
    return 0


def read_config(plain: dict[str, Any]) -> Config:
    """The settings as `analyst.plain` wrote them."""
    base = Config()
    sections = {
        name: type(part)(
            **{key: tuple(value) if isinstance(value, list) else value for key, value in plain[name].items()}
        )
        for name, part in base._asdict().items()
        if hasattr(part, "_asdict")
    }
    return base._replace(**sections, keymap=plain["keymap"])


def _serve(homes: list[Home], config: Config, asked: queue.SimpleQueue[str]) -> None:
    while True:
        began = time.monotonic()
        behind = _once(homes, config)
        took = time.monotonic() - began
        _say(idle=True, took=took, behind=behind)
        if _grown():
            # Python gives little of it back, and to begin anew costs less than it does to hold.
            return
        # What changes all the time must not keep a core busy; who asks for it now is answered now.
        until = time.monotonic() + rest_after(took)
        try:
            word = asked.get(timeout=LINGER + rest_after(took))
            while word != "now" and (left := until - time.monotonic()) > 0:
                with suppress(queue.Empty):
                    word = asked.get(timeout=left)
            while not asked.empty():
                asked.get()
        except queue.Empty:
            return


def _once(homes: list[Home], config: Config) -> bool:
    """One run; whether something is behind again already.

    Each round has a vault of its own: what it remembers of a large home is more than all that an app at rest may hold,
    and what is worth keeping is in the derived file.
    """

    def progress(home: Home, kind: str, done: int, total: int) -> None:
        _say(home=str(home.path), kind=kind, done=done, total=total)

    try:
        # Millions of small values that all stay: looking them through for cycles again and again finds none.
        gc.disable()
        behind = [_round(homes, config, kinds, progress) for kinds in ROUNDS]
        return any(behind)
    except (MemtuiError, OSError) as error:
        _say(trouble=str(error))
        return False
    finally:
        gc.enable()


def _round(
    homes: list[Home],
    config: Config,
    kinds: tuple[Kind, ...],
    progress: Callable[[Home, str, int, int], None],
) -> bool:
    try:
        with Vault(homes, config) as vault:
            # Whoever started us keeps the index right.
            vault.current = False
            bring_up(vault, kinds, patience=PATIENCE, progress=progress)
            behind = bool(wanted(vault, Stamps.of(vault), kinds))
        del vault
        return behind
    finally:
        _forget()


def _grown() -> bool:
    """Whether more memory was needed than a process may hold while it waits."""
    try:
        import resource
    except ImportError:
        return True
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > HELD


def _forget() -> None:
    """Give back what functions remember of thousands of texts, and whatever else nobody needs any more."""
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith("memtui.") else ():
            if isinstance(value, _lru_cache_wrapper) and (value.cache_parameters()["maxsize"] or 0) > MANY:
                value.cache_clear()
    gc.collect()


def _say(**values: Any) -> None:
    try:
        sys.stdout.write(json.dumps(values) + "\n")
        sys.stdout.flush()
    except OSError:
        # Nobody listens any more; what was finished is in place.
        os._exit(0)


def step_back() -> None:
    """Run only where nobody else wants to: a key must not wait for an analysis."""
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(19)


def _listen(asked: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
