"""`memtui` and `python -m memtui`."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit: 0 done, 1 nothing found, 2 wrong use, 3 refused, 4 could not."""
    # A start makes much that stays: looking through it for garbage, again and again, is a twentieth of its time.
    # Commands are soon over; the app lets the collector in when its first frame stands.
    gc.disable()
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        # Before anything that may find fault with the arguments: its status would stop an agent.
        from memtui.agents.hooks.process import hook

        status = hook(sys.argv[2:])
    else:
        from memtui.cli.run import run

        status = run(sys.argv[1:])
    # Nor need the interpreter look when it ends.
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    main()
