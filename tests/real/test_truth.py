"""What readers wrote down of real homes can be read: the homes themselves are not here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memtui.core.model import Status
from memtui.layouts import LAYOUTS

TRUTH = sorted((Path(__file__).parent / "truth").glob("*.json"))
ROLES = {"live", "archive", *(status.value for status in Status)}
LABELS = {"memory", "part", "intro", "heading", "metadata", "boilerplate", "noise", "archived"}


@pytest.mark.parametrize("file", TRUTH, ids=lambda file: file.stem)
def test_what_a_reader_wrote_down(file: Path) -> None:
    truth = json.loads(file.read_text(encoding="utf-8"))
    assert truth["repo"].replace("/", "+") == file.stem and truth["tool"] in LAYOUTS
    assert re.fullmatch("[0-9a-f]{40}", truth.get("commit", "0" * 40))
    assert {role for _glob, role in truth["roles"]} <= ROLES
    assert {line["label"] for line in truth["lines"]} <= LABELS
    assert all(line.get("of", 0) <= line["line"] for line in truth["lines"] if line["label"] == "part")
    assert {todo["state"] for todo in truth["todos"]} <= {"open", "done"}
    assert {one["kind"] for one in truth["findings"]} <= {"duplicate", "contradiction", "stale", "secret"}
    places = [
        *((one["path"], one["line"]) for name in ("lines", "first", "dates", "todos") for one in truth[name]),
        *(place for one in truth["findings"] for place in one["places"]),
        *(place for one in truth["questions"] for place in one["lines"]),
    ]
    for path, line in places:
        assert path and not path.startswith(("/", "..")) and line > 0
