"""What was found innocent is not looked through again, unless it or the rules change."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memtui.fs.places import find_cache_directory
from memtui.store import project


def test_a_text_is_remembered_and_no_other() -> None:
    assert not project.is_known_safe("- uses uv")
    project.remember("- uses uv")
    assert project.is_known_safe("- uses uv")
    assert not project.is_known_safe("- uses uv ")
    assert (find_cache_directory() / "innocent").stat().st_mode & 0o777 == 0o600


def test_other_rules_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    project.remember("- uses uv")
    monkeypatch.setattr(project, "_fingerprint_rules", lambda: b"others")
    assert not project.is_known_safe("- uses uv")


def test_it_never_grows_for_ever() -> None:
    for number in range(1200):
        project.remember(f"text {number}")
    assert (find_cache_directory() / "innocent").stat().st_size <= 65 * 1024 + 130
    assert project.is_known_safe("text 1199")


def test_a_cache_that_cannot_be_written_costs_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    project.remember("- uses uv")
    assert not project.is_known_safe("- uses uv")


def test_the_rules_are_not_loaded_the_second_time() -> None:
    code = (
        "import sys; from memtui.store.project import remove_orders as safe; from memtui.store.passage import Passage\n"
        "from memtui.core.model import Home; from memtui.core.model import Layer; from pathlib import Path\n"
        "found = Passage(Home(Path('/x'), 'memtui', '', ''), 'M', Layer.CORE, '', '', ((1, '- uses uv'),))\n"
        "assert safe(found) == (found, [])\n"
        "print('memtui.safety.injection' in sys.modules)"
    )
    told = [subprocess.check_output([sys.executable, "-c", code], text=True).strip() for _ in range(2)]
    assert told == ["True", "False"]
