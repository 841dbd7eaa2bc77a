"""Each committed home read from its directory to its entries, as the index does it."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from memtui.core.model import Entry, Problem
from memtui.formats import Source, parse
from memtui.fs.files import FoundFile, walk
from memtui.layouts import load_layout
from tests.formats.reading import check_lines
from tests.homes.openakita import build

HOMES = Path(__file__).parents[1] / "homes"


def entries(name: str, home: Path) -> tuple[list[tuple[str, Entry]], list[Problem]]:
    kind = load_layout(name)
    made: list[tuple[str, Entry]] = []
    problems: list[Problem] = []
    for found in walk(home, lambda path: kind.role(home, path), partial(kind.prune, home)):
        assert isinstance(found, FoundFile), found
        data = (home / found.path).read_bytes()[: found.role.limit] if found.role.limit else b""
        source = Source(found.path, found.role, data, str(home / found.path), found.mtime_ns / 1e9, found.size)
        parsed = parse(source)
        check_lines(parsed)
        problems += parsed.problems
        made += [(found.path, entry) for entry in parsed.entries]
    return made, problems


@pytest.mark.parametrize(
    ("name", "place", "layers", "broken"),
    [
        (
            "claude", "claude", {"core", "knowledge", "session", "profile"},
            {"0aa1c7de-1111-4222-8333-0123456789ab.jsonl"},
        ),
        (
            "codex", "codex", {"core", "knowledge", "session", "profile"},
            {"rollout-2026-02-20T17-00-00-0195aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee.jsonl"},
        ),
        (
            "skillix", "skillix/.cursor/skills/memory-data",
            {"core", "knowledge", "session", "journal", "evolution"}, {"2026-02-20.jsonl"},
        ),
    ],
)  # fmt: skip
def test_a_home_shows_everything_and_says_what_is_broken(
    name: str, place: str, layers: set[str], broken: set[str]
) -> None:
    home = HOMES / place
    kind = load_layout(name)
    made, problems = entries(name, home)
    roles = {path: kind.role(home, path) for path, _ in made}
    found = Counter((entry.layer or role.layer).value for path, entry in made if (role := roles[path]))
    assert found.keys() == layers
    assert {Path(problem.path).name for problem in problems} == broken


def test_a_workspace_with_a_database(tmp_path: Path) -> None:
    made, problems = entries("openakita", build(tmp_path / "ws"))
    by_file = Counter(Path(path).name for path, _ in made)
    assert by_file["openakita.db"] == 14
    assert by_file["memories.json"] == 2
    assert by_file["telegram_1001.jsonl"] == 2
    assert {Path(problem.path).name for problem in problems} == {"memories.json", "telegram_1001.jsonl"}
