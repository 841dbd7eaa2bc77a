"""How well things are found: `python -m tests.retrieval [--set DIR] [--backend NAME]… [--category NAME]…`.

    --set DIR        another labelled set than the one that stands here; `tests/retrieval/questions.py` has the format
    --backend NAME   scan, fts, vector, hybrid, or a baseline: ripgrep, unicode61; several times for several
    --category NAME  only these questions
    --misses N       the N worst answers of every backend, with what came first instead
    --keep DIR       copy the homes and make the indexes and vectors there, and use them again next time
    --json           one JSON document with everything
    --readme         keep the result for the manual, and write its table

Every home is searched by itself, as `Vault.find` does for everybody. Settings can be tried by the environment
(MEMTUI_SEARCH_FUSION=rrf). vector and hybrid are passed over, and say so, where there is no model.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tests.readme import write_pages
from tests.retrieval.backends import BASELINES, MODES, files, memtui, ripgrep, unicode61
from tests.retrieval.questions import questions
from tests.retrieval.scores import Answer, Report
from tests.retrieval.table import details, keep, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui import Vault
    from memtui.core.config import Config
    from tests.retrieval.backends import Ask
    from tests.retrieval.questions import Question

OWN = Path(__file__).parent
NOW = "2026-03-31T12:00:00Z"
"""When the questions of the own set are asked: 'in February' means that year's."""


def measure(directory: Path, asked: Sequence[Question], backends: Sequence[str], work: Path) -> dict[str, list[Answer]]:
    """Every question to every backend, over copies of the homes under `work`."""
    from memtui import Vault
    from memtui.core.config import load

    config, warnings = load()
    for warning in warnings:
        print(warning, file=sys.stderr)
    by_home: dict[str, list[Question]] = defaultdict(list)
    for question in asked:
        by_home[question.home].append(question)
    homes: dict[str, Path] = {}
    for name in by_home:
        homes[name] = (work / "homes" / name).resolve()
        shutil.copytree(directory / "homes" / name, homes[name], dirs_exist_ok=True)
    measured = list(backends)
    if (by_meaning := {"vector", "hybrid"}.intersection(backends)) and (why := embed(homes, config)):
        print(f"{' and '.join(sorted(by_meaning))}: not measured: {why}", file=sys.stderr)
        measured = [backend for backend in backends if backend not in by_meaning]
    if "ripgrep" in measured and not shutil.which("rg"):
        print("ripgrep: rg is not installed; measured is the same in Python", file=sys.stderr)
    answers: dict[str, list[Answer]] = {backend: [] for backend in measured}
    for name, wanted in by_home.items():
        with Vault.open([homes[name]], config=config) as vault:
            for backend, ask in asking(vault, homes[name], measured):
                ask(wanted[0].query)
                for question in wanted:
                    began = time.perf_counter()
                    found = ask(question.query)
                    answers[backend].append(Answer(question, found, time.perf_counter() - began))
    return answers


def embed(homes: Mapping[str, Path], config: Config) -> str:
    """Make the vectors that are missing. Answers why there are none; empty: there are."""
    from memtui import Vault
    from memtui.layouts import place_index
    from memtui.search.vector_jobs import fill

    for name, path in homes.items():
        with Vault.open([path], config=config) as vault:
            opened = vault.homes
        for home in opened:
            filled = fill(home, place_index(home.path, home.layout, config.index.place), config.vector)
            if filled.why or filled.done < filled.total:
                return filled.why or f"{name}: {filled.done} of {filled.total} memories have one"
            if filled.made:
                print(f"{name}: {filled.made} vectors in {filled.seconds:.0f} s", file=sys.stderr, flush=True)
    return ""


def asking(vault: Vault, home: Path, backends: Sequence[str]) -> Iterator[tuple[str, Ask]]:
    """The backends, one after the other, so that none is kept warm by another's reading."""
    for backend in backends:
        if backend == "ripgrep":
            yield backend, ripgrep(home, files(vault, home))
        elif backend == "unicode61":
            yield backend, unicode61(home, files(vault, home))
        else:
            yield backend, memtui(vault, home, backend)


def misses(answers: Sequence[Answer], number: int) -> Iterator[str]:
    """The worst answers, as lines to read."""
    for answer in sorted(answers, key=lambda answer: (answer.recall(10), answer.reciprocal))[:number]:
        question = answer.question
        if answer.reciprocal < 1:
            yield f"  {question.id} [{question.category}] {question.home}: {question.query}"
            yield f"    right: {' · '.join(f'{place.path}:{place.start}' for place in question.expected)}"
            first = " · ".join(f"{place.path}:{place.start}" for place in answer.found[:3])
            yield f"    rank {answer.rank(question.expected) or '-'}; first: {first or 'nothing'}"


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.retrieval", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--set", type=Path, default=OWN, metavar="DIR", dest="directory")
    parser.add_argument("--backend", action="append", choices=[*MODES, *BASELINES])
    parser.add_argument("--category", action="append", metavar="NAME")
    parser.add_argument("--misses", type=int, default=0, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--readme", action="store_true")
    options = parser.parse_args()
    asked = [
        question
        for question in questions(options.directory)
        if not options.category or question.category in options.category
    ]
    if not asked:
        parser.error("no question is left to ask")
    if options.readme and (options.directory != OWN or options.category or options.backend):
        parser.error("the manual shows the whole set that stands here, and every backend")
    with ExitStack() as stack:
        work = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memtui-retrieval-")))
        for kind in ("CACHE", "STATE", "CONFIG", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = str(work.resolve() / kind.lower())
        os.environ["MEMTUI_TZ"] = "UTC"
        if options.directory == OWN:
            os.environ["MEMTUI_NOW"] = NOW
        answers = measure(options.directory, asked, options.backend or [*BASELINES, *MODES], work)
    reports = [Report.of(backend, found) for backend, found in answers.items() if found]
    if options.readme:
        if {report.backend for report in reports} != {*BASELINES, *MODES}:
            parser.error("the manual's table needs every backend")
        keep(reports)
        write_pages()
    if options.json:
        print(json.dumps([plain(report) for report in reports], ensure_ascii=False, indent=1))
        return 0
    print(details(reports))
    for backend, found in answers.items():
        if options.misses:
            print(f"\n{backend}", *misses(found, options.misses), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
