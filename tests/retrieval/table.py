"""The reports as tables, on the terminal and in the manual."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.retrieval.scores import Report, Scores

KEPT = Path(__file__).with_name("results.json")
TITLES = {"ripgrep": "ripgrep", "unicode61": "FTS5 `unicode61`"}
GROUPS = {
    "en": "asked in English", "zh": "asked in Chinese", "exact": "in the line's own words",
    "paraphrase": "in other words", "cross": "in the other language", "temporal": "by when it was",
    "superseded": "what holds now", "identifier": "identifiers", "multi": "two subjects at once",
    "fragment": "a single word, or two characters", "typo": "with a typo",
}  # fmt: skip


def table(reports: Sequence[Report]) -> str:
    """One column a backend, as the manual shows it."""
    one = reports[0]
    rows = [
        ["", *(TITLES.get(report.backend, report.backend) for report in reports)],
        ["---", *["--:"] * len(reports)],
    ]
    for name, title in (("r1", "R@1"), ("r5", "R@5"), ("r10", "R@10"), ("mrr", "MRR@10")):
        values = (getattr(report.overall, name) for report in reports)
        rows.append([f"{one.overall.questions} questions, {title}", *map(str, values)])
    for name, group in one.groups.items():
        values = (report.groups[name].r5 for report in reports)
        rows.append([f"{GROUPS.get(name, name)} ({group.questions}), R@5", *map(str, values)])
    rows.append(["a line that no longer holds came first, %", *(str(report.misled) for report in reports)])
    rows.append(["lines a hit covers", *(str(report.lines) for report in reports)])
    rows.append(["milliseconds a query, median", *(f"{report.median:.2g}" for report in reports)])
    return "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)


def details(reports: Sequence[Report]) -> str:
    """Everything, for the terminal: R@1, R@5, R@10 and MRR@10 of every group and backend."""
    wide = max(10, *map(len, reports[0].groups))
    lines = [f"{'':{wide}} {'':>5}" + "".join(f"   {report.backend:^23}" for report in reports)]
    lines.append(
        f"{'':{wide}} {'':>5}" + "   {:>5} {:>5} {:>5} {:>5}".format("R@1", "R@5", "R@10", "MRR") * len(reports)
    )
    for name in ("all", *reports[0].groups):
        found = [report.overall if name == "all" else report.groups[name] for report in reports]
        cells = "".join(f"   {one.r1:5.1f} {one.r5:5.1f} {one.r10:5.1f} {one.mrr:5.1f}" for one in found)
        lines.append(f"{name:{wide}} {found[0].questions:5}{cells}")
    for title, values in (
        ("stale first", ["-" if report.misled is None else f"{report.misled} %" for report in reports]),
        ("lines a hit", [f"{report.lines:.2f}" for report in reports]),
        ("a query", [f"{report.median:.2g} ms, p95 {report.p95:.2g}" for report in reports]),
    ):
        lines.append(f"{title:{wide + 6}}" + "".join(f"   {value:>23}" for value in values))
    return "\n".join(lines)


def plain(report: Report) -> dict[str, Any]:
    """The report as JSON has it."""
    groups = {name: scores._asdict() for name, scores in report.groups.items()}
    return report._asdict() | {"overall": report.overall._asdict(), "groups": groups}


def keep(reports: Sequence[Report]) -> None:
    """Keep the reports for the manual."""
    text = json.dumps([plain(report) for report in reports], ensure_ascii=False, indent=1)
    KEPT.write_text(f"{text}\n", encoding="utf-8")


def kept() -> list[Report]:
    """The reports of the last full run."""
    found: list[Report] = []
    for held in json.loads(KEPT.read_text(encoding="utf-8")):
        groups = {name: Scores(**scores) for name, scores in held["groups"].items()}
        found.append(Report(**held | {"overall": Scores(**held["overall"]), "groups": groups}))
    return found
