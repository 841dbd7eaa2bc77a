"""Draw the lines of a home that a reader labels: `python -m tests.real.draw HOME` writes `path:line` and the text.

A file is drawn first, then a line of it, so that one long file does not fill the sample; the seed is the home's name.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

SUFFIXES = {".md", ".json", ".jsonl", ".mdx"}
SKIPPED = {".git", "node_modules", "dist", "build", "target", "vendor", ".venv", "__pycache__"}
PLACES = {"memory", ".helloagents", "helloagents", "memories", ".claude"}


def list_candidates(root: Path) -> list[str]:
    """The text files of a home that may hold memories, relative to it: under a memory directory, or at its top."""
    found = []
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if SKIPPED & set(parts) or not path.is_file() or path.suffix.lower() not in SUFFIXES:
            continue
        if len(parts) == 1 or PLACES & set(parts[:-1]):
            found.append("/".join(parts))
    return found


def draw_lines(root: Path, wanted: int = 40) -> list[tuple[str, int, str]]:
    """`wanted` lines that are not blank: path, line from 1, text; fewer where there are not so many."""
    chosen = random.Random(root.name)
    files = list_candidates(root)
    seen: set[tuple[str, int]] = set()
    for _ in range(wanted * 20):
        if len(seen) >= wanted or not files:
            break
        path = chosen.choice(files)
        lines = (root / path).read_text(encoding="utf-8", errors="replace").splitlines()
        full = [number for number, line in enumerate(lines, 1) if line.strip()]
        if full:
            seen.add((path, chosen.choice(full)))
    texts = {path: (root / path).read_text(encoding="utf-8", errors="replace").splitlines() for path, _ in seen}
    return [(path, number, texts[path][number - 1]) for path, number in sorted(seen)]


if __name__ == "__main__":
    for path, number, text in draw_lines(Path(sys.argv[1])):
        print(f"{path}:{number}\t{text[:200]}")
