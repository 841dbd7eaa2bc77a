"""Every scene plays as its golden file says."""

from __future__ import annotations

import sys

import pytest

from tests.contracts import golden
from tests.contracts.scenes import SCENES, play

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")


@pytest.mark.parametrize("name", SCENES)
def test_seen_from_outside(name: str) -> None:
    told = golden.differ(name, play(name))
    assert not told, told


def test_golden_files_are_those_of_the_scenes_and_small() -> None:
    files = list(golden.FOLDER.iterdir())
    assert {file.name for file in files} == {f"{name}.json" for name in SCENES}
    assert sum(file.stat().st_size for file in files) < 650_000
