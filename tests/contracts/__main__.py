"""`python -m tests.contracts` compares every scene with its golden file; `--write [NAME…]` writes them anew."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from tests.contracts import golden
from tests.contracts.scenes import SCENES, play


def main() -> int:
    """Compare or write, two scenes at a time: 1 where something differs."""
    names = [word for word in sys.argv[1:] if not word.startswith("-")] or list(SCENES)
    with ThreadPoolExecutor(2) as pool:
        played = dict(zip(names, pool.map(play, names), strict=True))
    if "--write" in sys.argv:
        for name, notes in played.items():
            golden.write(name, notes)
        return 0
    told = [text for name, notes in played.items() if (text := golden.differ(name, notes))]
    print("\n\n".join(told))
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
