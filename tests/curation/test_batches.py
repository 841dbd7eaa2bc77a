"""Many marks in one file: read once, not once for each, and what cannot be marked is left by itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from memtui import Vault
from memtui.lifecycle import expiry

ENDED = "(expires: 2026-02-01)"
MARK = " (archived 2026-03-01)"


def _home(root: Path, bullets: list[str]) -> Path:
    home = root / ".memtui"
    home.mkdir()
    (home / "MEMORY.md").write_bytes(("# Memory\n\n## Notes\n\n" + "".join(bullets)).encode())
    return home


def _bullets(count: int, form: str) -> list[str]:
    return [form.format(number=number, ended=ENDED) for number in range(count)]


@pytest.mark.parametrize(
    "form",
    [
        "- Note {number} of many {ended}\n",
        "- Note {number} of many {ended}\n  and its second line\n",
        "- Note {number} of many {ended}\n<!-- source: s-{number} -->\n",
    ],
)
def test_a_long_file_takes_no_longer_a_bullet_than_a_short_one(tmp_path: Path, form: str) -> None:
    home = _home(tmp_path, _bullets(1500, form))
    before = (home / "MEMORY.md").read_text()
    with Vault.open([home]) as vault:
        plan = expiry.plan(vault)
        began = time.process_time()
        ran = expiry.run(vault, plan)
        took = time.process_time() - began
        assert len(ran.done) == 1500 and len(ran.receipts) == 1 and not ran.left
        # One parse of such a file for each of them would be half a minute.
        assert took < 8
        text = (home / "MEMORY.md").read_text()
        assert text.count(MARK) == 1500 and text.replace(MARK, "") == before
        assert not expiry.plan(vault).steps
        vault.undo(ran.group)
    assert (home / "MEMORY.md").read_text() == before


def test_one_that_cannot_be_marked_is_left_and_costs_the_others_nothing(tmp_path: Path) -> None:
    bullets = _bullets(1000, "- Note {number} of many {ended}\n")
    bullets[500] = f"- {ENDED}\n"
    home = _home(tmp_path, bullets)
    with Vault.open([home]) as vault:
        began = time.process_time()
        ran = expiry.run(vault, expiry.plan(vault))
        assert time.process_time() - began < 8
    assert len(ran.done) == 999 and [one.step.memory.text for one in ran.left] == [ENDED]
    assert "cannot carry that mark" in ran.left[0].reason
    assert bullets[500] in (home / "MEMORY.md").read_text()
