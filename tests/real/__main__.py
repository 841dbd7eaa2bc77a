"""Real homes against what a reader wrote down of them: `python -m tests.real HOMES [--only NAME] [--skip PART]`.

HOMES is a directory of checkouts named `owner+repository`, kept outside of the project; `truth/` has a file a home:
paths, lines and labels, no text. Homes that are not there are left out. `--verbose` names what was missed; `--hybrid`
makes the vectors that are missing, which takes a model its time, and asks by words and meaning; of the findings
`--most` counts the first ones of each home, which are the most valuable. A truth with a `commit` is that of the
checkout at this commit: its repository no longer holds what was read. One without roles has only questions.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from memtui import Vault
from memtui.core import clock
from memtui.core.model import Filter, Memory, Status

TRUTH = Path(__file__).parent / "truth"
PARTS = ("rows", "dates", "todos", "questions", "review")

Score = dict[str, tuple[float, float]]
"""What was measured: how many were right, of how many."""


class Home:
    """One checkout, opened as a person opens it, and what its rows are."""

    def __init__(
        self, root: Path, truth: dict[str, Any], verbose: bool, mode: str = "fts", most: int | None = None
    ) -> None:
        self.root = root
        self.truth = truth
        self.verbose = verbose
        self.mode = mode
        self.most = most
        self.vault = Vault.open([root])
        self.scores: Score = {}
        self.rows: dict[str, list[Memory]] = {}
        self.entries: dict[str, list[Memory]] = {}
        for memory in self.vault.memories(Filter()):
            self.rows.setdefault(self.place(memory), []).append(memory)
        for memory in self.vault.memories(Filter(statuses=frozenset(), parts=True)):
            self.entries.setdefault(self.place(memory), []).append(memory)

    def place(self, memory: Memory) -> str:
        """A memory's file, relative to the checkout."""
        return (Path(memory.home) / memory.path).relative_to(self.root).as_posix()

    def lines(self, path: str) -> list[str]:
        """A file's lines."""
        return (self.root / path).read_text(encoding="utf-8", errors="replace").splitlines()

    def begin(self, memory: Memory) -> int:
        """The first line of a row that is no blank, heading, rule, fence or frontmatter."""
        lines = self.lines(self.place(memory))
        line = memory.start
        if lines[line - 1 : line] == ["---"] and "---" in lines[line:]:
            line = lines.index("---", line) + 2
        while line < memory.last and (
            not lines[line - 1].strip()
            or lines[line - 1].lstrip()[:1] == "#"
            or lines[line - 1].lstrip()[:3] == "```"
            or not lines[line - 1].strip("-*_ ")
        ):
            line += 1
        return line

    def over(self, path: str, line: int) -> Memory | None:
        """The row that covers a line."""
        found = [row for row in self.rows.get(path, []) if row.start <= line <= row.last]
        return max(found, key=lambda row: row.start, default=None)

    def at(self, path: str, line: int) -> Memory | None:
        """The innermost entry that covers a line, whatever its status."""
        found = [one for one in self.entries.get(path, []) if one.start <= line <= one.last]
        return max(found, key=lambda one: (one.start, -one.last), default=None)

    def under(self, path: str, line: int) -> Memory | None:
        """What a line says is said of: where it is a heading, what stands first below it; else the entry there."""
        lines = self.lines(path)
        if lines[line - 1].lstrip()[:1] != "#":
            return self.at(path, line)
        level = len(lines[line - 1]) - len(lines[line - 1].lstrip("#"))
        for number, below in enumerate(lines[line:], line + 1):
            if below[:1] == "#" and len(below) - len(below.lstrip("#")) <= level:
                break
            if below.strip() and below[:1] != "#":
                return self.at(path, number)
        return self.at(path, line)

    def tell(self, what: str, path: str, line: int, said: str) -> None:
        """Name what was missed."""
        if self.verbose:
            print(f"    {what}: {path}:{line}: {said}")

    def count(self, name: str, right: bool) -> None:
        """Note one try."""
        good, tried = self.scores.get(name, (0, 0))
        self.scores[name] = good + right, tried + 1

    def measure_rows(self) -> None:
        """Layout, rows from live files, units and their parts."""
        wanted = self.truth["tool"]
        layouts = {home.layout for home in self.vault.homes}
        self.count("layout", wanted in layouts)
        for path, rows in self.rows.items():
            role = next((role for glob, role in self.truth["roles"] if fnmatchcase(path, glob)), "none")
            good, tried = self.scores.get("live", (0, 0))
            self.scores["live"] = good + len(rows) * (role == "live"), tried + len(rows)
            if role != "live":
                self.tell("not live", path, len(rows), role)
        for one in self.truth["lines"]:
            path, line, label = one["path"], one["line"], one["label"]
            row = self.over(path, line)
            begun = row is not None and self.begin(row) == line
            if begun and row is not None:
                self.count("unit precision", label == "memory")
                if label != "memory":
                    self.tell(f"row at {label}", path, line, row.text[:60])
            if label == "memory":
                self.count("unit recall", row is not None)
                self.count("own row", begun)
                if row is None:
                    self.tell("no row", path, line, self.lines(path)[line - 1][:60])
                elif not begun:
                    self.tell("within", path, line, f"{row.start}-{row.last} {self.lines(path)[line - 1][:60]}")
            elif label == "part":
                whole = row is not None and row.start <= one.get("of", line) <= row.last
                self.count("parts", whole)
                if not whole:
                    self.tell("torn", path, line, f"of {one.get('of')}: {self.lines(path)[line - 1][:60]}")

    def measure_dates(self) -> None:
        """Days, as the entry on the line has them."""
        for one in self.truth["dates"]:
            found = self.at(one["path"], one["line"]) or self.over(one["path"], one["line"])
            moment = None if found is None else found.created if found.created is not None else found.updated
            day = None if moment is None else clock.format_day(moment)
            self.count("dates", found is not None and day == one["date"])
            if found is None or day != one["date"]:
                self.tell("date", one["path"], one["line"], f"{day} for {one['date']}")

    def measure_todos(self) -> None:
        """Open ones are rows and todos, done ones are done."""
        for one in self.truth["todos"]:
            found = self.under(one["path"], one["line"])
            shut = found is not None and (bool(found.extra.get("done")) or found.status is not Status.ACTIVE)
            right = found is not None and (shut if one["state"] == "done" else found.kind == "todo" and not shut)
            self.count(f"todos {one['state']}", right)
            if not right:
                self.tell(f"todo {one['state']}", one["path"], one["line"], f"{found and (found.kind, shut)}")

    def measure_questions(self) -> None:
        """Where the lines that answer stand among the hits, by words or, where it was asked for, by meaning too."""
        if self.mode == "hybrid":
            self.vault.refresh()
            self.vault.embed()
        for one in self.truth["questions"]:
            hits = self.vault.find(one["q"], limit=10, mode=self.mode)
            if self.mode == "hybrid" and hits.backend != "hybrid":
                self.tell("by words alone", self.root.name, 0, hits.warning)
            wanted = {(path, line) for path, line in one["lines"]}
            found = 0
            for rank, hit in enumerate(hits, 1):
                path = (Path(hit.home) / hit.path).relative_to(self.root).as_posix()
                if any((path, line) in wanted for line in range(hit.start_line, hit.end_line + 1)):
                    found = rank
                    break
            for most in (5, 10):
                self.count(f"R@{most}", 0 < found <= most)
            good, tried = self.scores.get("MRR", (0, 0))
            self.scores["MRR"] = good + (1 / found if found else 0), tried + 1
            if not 0 < found <= 5:
                path, line = one["lines"][0]
                self.tell("question", path, line, f"{found or '–'} {one['q']}")

    def measure_review(self) -> None:
        """How many proposals there are, and which of the findings are among them."""
        from memtui.review.queue import load_queue

        held = load_queue(self.vault).waiting
        kinds = Counter(candidate.origin for candidate in held)
        self.scores["proposals"] = len(held), 1
        if self.verbose:
            print(f"    proposals: {dict(kinds)}")
        for one in self.truth["findings"][: self.most]:
            wanted = {(path, line) for path, line in one["places"]}
            right = False
            for candidate in held:
                told = {(self._path(source.home, source.path), source.line) for source in candidate.sources}
                told |= {(self._path(candidate.home, near.path), near.line) for near in candidate.near}
                hit = sum(any(path == other and abs(line - at) <= 3 for other, at in told) for path, line in wanted)
                right = right or hit >= min(2, len(wanted))
            self.count("findings", right)
            if not right:
                path, line = one["places"][0]
                self.tell(f"missed {one['kind']}", path, line, one["why"])

    def _path(self, home: str, path: str) -> str:
        full = Path(home) / path
        return full.relative_to(self.root).as_posix() if full.is_relative_to(self.root) else path


def main() -> int:
    """Measure the homes that are there, print a table."""
    reading = argparse.ArgumentParser(prog="python -m tests.real", description=__doc__)
    reading.add_argument("homes", type=Path)
    reading.add_argument("--only", default="")
    reading.add_argument("--skip", action="append", default=[], choices=PARTS)
    reading.add_argument("--verbose", action="store_true")
    reading.add_argument("--hybrid", action="store_true")
    reading.add_argument("--most", type=int)
    asked = reading.parse_args()
    names: list[str] = []
    table: dict[str, Score] = {}
    for file in sorted(TRUTH.glob("*.json")):
        root = (asked.homes / file.stem).resolve()
        if not root.is_dir() or asked.only not in file.stem:
            continue
        truth = json.loads(file.read_text(encoding="utf-8"))
        print(file.stem)
        home = Home(root, truth, asked.verbose, "hybrid" if asked.hybrid else "fts", asked.most)
        for part in PARTS:
            if part not in asked.skip and (truth["roles"] or part == "questions"):
                getattr(home, f"measure_{part}")()
        home.vault.close()
        table[f"{truth['tool']}: {file.stem}"] = home.scores
        names += [name for name in home.scores if name not in names]
    if not table:
        print(f"No home of tests/real/truth is at {asked.homes}.")
        return 0
    print_table(table, names)
    return 0


def print_table(table: dict[str, Score], names: list[str]) -> None:
    """A line a home, one a tool, one for all."""
    tools = sorted({name.partition(":")[0] for name in table})
    groups = {**table, **{tool: _sum(table, f"{tool}:") for tool in tools}, "all": _sum(table, "")}
    print(f"{'':44}" + "".join(f"{name[:9]:>10}" for name in names))
    for name, scores in groups.items():
        cells = [
            f"{scores[column][0] / scores[column][1]:10.2f}" if scores.get(column, (0, 0))[1] else " " * 10
            for column in names
        ]
        print(f"{name[:43]:44}" + "".join(cells))


def _sum(table: dict[str, Score], prefix: str) -> Score:
    found: Score = {}
    for name, scores in table.items():
        for column, (good, tried) in scores.items() if name.startswith(prefix) else ():
            before = found.get(column, (0, 0))
            found[column] = before[0] + good, before[1] + tried
    return found


if __name__ == "__main__":
    sys.exit(main())
