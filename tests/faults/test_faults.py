"""The programme of faults itself: a few of each, and that it notices what goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from memtui.fs.commit import make_temporary_name
from tests.faults.__main__ import kept, table
from tests.faults.kills import Log, check, version
from tests.faults.power import power
from tests.faults.scene import DAILY, RECORDS, Count, scene

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="fork and signals")

FEW = """
import sys
from tests.faults.calls import calls
from tests.faults.crowd import crowd
from tests.faults.kills import kills
from tests.faults.outsider import outsider
from tests.faults.properties import properties
found = [kills(20), calls(29), crowd(10, 140), outsider(40), properties(8)]
print(*(count.row() for count in found), sep="\\n")
sys.exit(any(count.failures for count in found))
"""


def test_a_few_faults_do_no_harm() -> None:
    """In a process of its own: it forks, and pytest has threads. Killed while it writes, no file is torn (T06)."""
    done = subprocess.run(
        [sys.executable, "-c", FEW], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "20 kills" in done.stdout


def test_what_was_acknowledged_outlives_the_power() -> None:
    """F2: names and bytes that were not made durable are gone, in part or whole."""
    done = power(25)
    assert done.failures == 0, done
    assert "25 cuts" in done.tried or done.skipped


def test_what_went_wrong_is_noticed(tmp_path: Path) -> None:
    with scene(tmp_path) as place:
        memory = place.home / "MEMORY.md"
        memory.write_bytes(version(0))
        assert not any(check(place, Log(place)).values())
        log = Log(place)
        log.say("+", "memory", 1)
        log.say("=", "memory", 1)
        log.say("=", "line", 2)
        log.say("=", "new", 3)
        (place.home / make_temporary_name()).touch()
        wrong = check(place, Log(place))
        assert (wrong["acknowledged lost"], wrong["leftovers"], wrong["torn"]) == (3, 1, 0)
        log.say("+", "group", 4)
        (place.home / "sessions" / "4.md").write_bytes(b"# 4\n" * 50)
        assert check(place, Log(place))["half of a group"] == 1
        memory.write_bytes(version(1)[:-1])
        with open(place.home / DAILY, "ab") as file:
            file.write(b"- 2026-02-24T10:12:33Z [note] record 9 xx")
        (place.home / RECORDS).write_bytes(b'{"id": 1, "end": 1}\n{"id": 1, "end": 1}\n{"id": 2, "e\n')
        wrong = check(place, Log(place))
        assert (wrong["torn"], wrong["written twice"]) == (3, 1)


def test_where_too_little_was_done_nothing_is_proved() -> None:
    count = Count("a fault", "3 kills, 0 writes acknowledged", {"torn": 0})
    assert count.with_least(1, 1).failures == 0
    assert count.with_least(0, 1).failures == 1


def test_the_last_full_run_had_no_failures() -> None:
    counts = kept()
    assert [count.fault for count in counts if count.failures] == []
    assert table(counts).count("\n") == len(counts) + 1
