"""`memtui` and `python -m memtui`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit: 0 done, 1 nothing found, 2 wrong use, 3 refused, 4 could not."""
    from memtui.cli.run import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
