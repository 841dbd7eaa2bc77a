"""The entry point of `memtui` and `python -m memtui`."""

from __future__ import annotations

import gc
import os
import sys

from memtui.core.startup import keep_others_patterns, load_lean_modules


def main() -> None:
    """Run the command line and exit: 0 done, 1 nothing found, 2 wrong use, 3 refused, 4 could not."""
    # A start makes much that stays: looking through it for garbage, again and again, is a twentieth of its time.
    # Commands are soon over; the app lets the collector in when its first frame stands.
    gc.disable()
    load_lean_modules()
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        # Before anything that may find fault with the arguments: its status would stop an agent.
        from memtui.agents.hooks import run_hook

        status = run_hook(sys.argv[2:])
    else:
        keep_others_patterns()
        from memtui.cli.run import run

        status = run(sys.argv[1:])
    _leave(status)


def _leave(status: int) -> None:
    """End the process. Nothing is left to be undone object by object, which takes as long as a small search."""
    gc.freeze()
    threading = sys.modules.get("threading")
    if threading is None or threading.active_count() == 1:
        import atexit

        atexit._run_exitfuncs()
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (AttributeError, ValueError, OSError):
            # Whoever read is gone, or the disk is full: the interpreter has its own way to say so.
            sys.exit(status)
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    main()
