"""Vectors are made of what is missing and of nothing else, and what was made outlives whoever made it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.core.config import VectorConfig
from memtui.fs.locks import hold_lock
from memtui.index import rows, schema
from memtui.search import vector_jobs
from memtui.search.vector_jobs import fill
from memtui.vectors.vector_files import derive_vector_names, read_coverage
from tests.vectors.bench import Bench
from tests.vectors.fake import Fake

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(rows, "RACY", 0)
    return Bench(tmp_path / "home")


def lines(*texts: str) -> str:
    return "# Notes\n\n" + "".join(f"- {text}\n" for text in texts)


def asked(bench: Bench) -> list[str]:
    """The memories that the model was given, without what stands above them."""
    return [text.rpartition("\n")[2].removeprefix("- ") for text in bench.fake.asked]


def test_every_memory_gets_a_vector_once(bench: Bench) -> None:
    bench.write("a.md", lines("apples are red", "bananas are yellow"))
    bench.write("b.md", lines("数据库连接超时", "apples are red"))
    told: list[tuple[int, int]] = []
    found = bench.fill(progress=lambda *values: told.append(values))
    assert (found.done, found.total, found.made, found.why) == (4, 4, 3, "")
    assert told[0] == (0, 4)
    assert told[-1] == (4, 4)
    assert sorted(asked(bench)) == ["apples are red", "bananas are yellow", "数据库连接超时"]
    assert bench.nearest("数据库超时") == [("b.md", 3)]
    assert sorted(bench.nearest("red apples", 2)) == [("a.md", 3), ("b.md", 4)]
    again = bench.fill()
    assert (again.done, again.total, again.made) == (4, 4, 0)


def test_only_what_changed_is_made_again(bench: Bench) -> None:
    bench.write("a.md", lines(*(f"line number {n} of many" for n in range(40))))
    bench.fill()
    bench.fake.asked.clear()
    bench.write("a.md", lines(*(f"line number {n} of {'few' if n == 7 else 'many'}" for n in range(40))))
    bench.write("b.md", lines("line number 3 of many"))
    assert bench.fill()[:3] == (41, 41, 1)
    assert asked(bench) == ["line number 7 of few"]
    # A heading is part of what a line means; a line that only moved is not another one.
    bench.fake.asked.clear()
    bench.write("b.md", "\n\n\n# Notes\n\n- line number 3 of many\n\n# Other\n\n- line number 3 of many\n")
    assert bench.fill()[:3] == (42, 42, 1)
    assert asked(bench) == ["line number 3 of many"]
    vectors = bench.vectors()
    assert vectors is not None
    assert vectors.count == 42


def test_a_file_that_is_gone_takes_its_vectors_along(bench: Bench) -> None:
    bench.write("a.md", lines("one apple"))
    bench.write("b.md", lines("two pears"))
    bench.fill()
    (bench.root / "b.md").unlink()
    bench.sync()
    assert bench.fill()[:3] == (1, 1, 0)
    vectors = bench.vectors()
    assert vectors is not None
    assert vectors.count == 1
    bench.write("b.md", lines("two pears"))
    assert bench.fill().made == 0


def test_a_rebuilt_index_needs_no_model(bench: Bench) -> None:
    bench.write("a.md", lines(*(f"memory {n} about {n * n}" for n in range(30))))
    bench.fill()
    bench.fake.asked.clear()
    bench.renew()
    assert bench.vectors() is None
    bench.sync()
    assert bench.vectors() is None
    assert bench.fill()[:3] == (30, 30, 0)
    assert bench.nearest("memory 7 about 49") == [("a.md", 10)]
    assert not bench.fake.asked


def test_an_index_that_is_only_begun_throws_nothing_away(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_jobs, "MANY", 1)
    bench.write("a.md", lines(*(f"memory {n} about {n * n}" for n in range(30))))
    bench.fill()
    bench.renew()
    assert bench.fill()[:3] == (0, 0, 0)
    bench.sync()
    assert bench.fill()[:3] == (30, 30, 0)
    # Nor does a home that is not there just now.
    (bench.root / "a.md").rename(bench.root / "a.away")
    bench.sync()
    assert bench.fill()[:3] == (0, 0, 0)
    (bench.root / "a.away").rename(bench.root / "a.md")
    bench.sync()
    assert bench.fill()[:3] == (30, 30, 0)


def test_an_id_used_again_for_the_same_line_under_another_heading(bench: Bench) -> None:
    bench.write("a.md", lines("kept"))
    bench.write("b.md", "# First\n\n- the same line\n")
    bench.fill()
    before = bench.rows()[-1]
    (bench.root / "b.md").unlink()
    bench.sync()
    bench.write("c.md", "# Second\n\n- the same line\n")
    after = bench.rows()[-1]
    assert (after.id, after.crc) == (before.id, before.crc)
    assert bench.fill().made == 1
    assert "Second" in bench.fake.asked[-1]


def test_what_says_nothing_gets_no_vector_and_is_done(bench: Bench) -> None:
    bench.write("a.md", lines("……", "--- *** ---", "🙂", "a word"))
    found = bench.fill()
    assert found.done == found.total == 4
    assert found.made == 1
    assert read_coverage(bench.place, schema.find_current_index(bench.place).name, bench.fake.name)[0] == found.done
    assert bench.nearest("a word", 9) == [("a.md", 6)]


def test_a_home_with_nothing_in_it(bench: Bench) -> None:
    assert bench.fill()[:3] == (0, 0, 0)
    assert bench.vectors() is None
    bench.write("a.md", lines("something"))
    assert bench.fill()[:3] == (1, 1, 1)


def test_no_model_sees_a_secret(bench: Bench) -> None:
    secret = "ghp_" + "a1B2" * 9
    bench.write("a.md", lines(f"the token is {secret}", "nothing secret"))
    bench.fill()
    assert len(bench.fake.asked) == 2
    assert not any(secret in text for text in bench.fake.asked)


def test_the_newest_come_first_and_serve_before_all_are_done(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_jobs, "WINDOW", 8)
    monkeypatch.setattr(vector_jobs, "OFTEN", 0.0)
    bench.write("old.md", lines(*(f"old {n} thing" for n in range(30))))
    bench.write("new.md", lines("brand new"))
    seen: list[int] = []

    def progress(done: int, _total: int) -> None:
        seen.append(read_coverage(bench.place, schema.find_current_index(bench.place).name, bench.fake.name)[0])

    bench.fill(progress=progress, cancelled=lambda: len(seen) > 3)
    assert bench.fake.asked
    assert "brand new" in asked(bench)[:8]
    assert len(bench.fake.asked) < 31
    vectors = bench.vectors()
    assert vectors is not None
    assert 0 < vectors.count < 31
    assert bench.nearest("brand new") == [("new.md", 3)]
    assert bench.fill()[:2] == (31, 31)
    assert len(bench.fake.asked) == 31


def test_a_model_that_goes_away_keeps_what_it_made(bench: Bench) -> None:
    bench.write("a.md", lines(*(f"thing {n}" for n in range(40))))
    gone = Fake(dies_after=16)
    found = bench.fill(gone)
    assert (found.done, found.total, found.made, found.why) == (16, 40, 16, "the fake is gone")
    vectors = bench.vectors(gone)
    assert vectors is not None
    assert vectors.count == 16
    assert bench.fill().made == 24


def test_one_text_that_a_model_cannot_take_does_not_end_all(bench: Bench) -> None:
    bench.write("a.md", lines(*(f"thing {n}" for n in range(40)), "poison"))
    found = bench.fill(Fake(fails="poison"))
    assert 32 < found.done < 41
    assert found.total == 41
    assert found.why == "the fake cannot take this"


def test_a_budget_ends_it(bench: Bench) -> None:
    bench.write("a.md", lines(*(f"thing {n}" for n in range(80))))
    found = bench.fill(Fake(pause=0.05), budget=0.12)
    assert 0 < found.done < 80
    assert found.why == ""


def test_a_text_is_cut_to_what_a_model_takes(bench: Bench) -> None:
    bench.write("a.md", lines("word " * 2000))
    bench.fill()
    assert max(map(len, bench.fake.asked)) <= bench.fake.longest


def test_another_model_stands_beside_and_the_old_one_goes_once_nobody_asks_it(bench: Bench) -> None:
    bench.write("a.md", lines("one apple", "two pears"))
    other = Fake("fake:2", 24)
    bench.fill()
    bench.fill(other)
    assert bench.vectors() is not None
    assert bench.nearest("one apple", fake=other) == [("a.md", 3)]
    old = derive_vector_names(bench.place, bench.fake.name)
    os.utime(old.placed, (1, 1))
    # Not while the new one is only half done.
    bench.write("a.md", lines("one apple", "two pears", "three plums"))
    bench.fill(Fake("fake:2", 24, fails="plums"))
    assert old.placed.exists()
    stranger = bench.place.directory / "index-vectors-0123456789abcdef.placed"
    stranger.write_bytes(b"somebody else's")
    os.utime(stranger, (1, 1))
    bench.fill(other)
    assert not old.placed.exists()
    assert stranger.exists()
    for file in old.all("rows"):
        os.utime(file, (1, 1))
    bench.write("a.md", lines("one apple"))
    bench.fill(other)
    assert not old.all("rows")


def test_garbage_is_left_behind(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_jobs, "MANY", 5)
    bench.write("a.md", lines(*(f"old thing {n}" for n in range(20))))
    bench.fill()
    before = bench.stored
    bench.write("a.md", lines(*(f"old thing {n}" for n in range(15)), "quite new"))
    bench.fill()
    assert bench.stored == before
    bench.write("a.md", lines(*(f"old thing {n}" for n in range(5)), "quite new"))
    held = bench.vectors()
    assert bench.fill()[:3] == (6, 6, 0)
    assert bench.stored != before
    assert bench.nearest("quite new") == [("a.md", 8)]
    # Whoever had the old file open goes on.
    assert held is not None
    assert len(held.scores(bench.fake.query("old thing 3")).best(100)) == 16
    bench.write("a.md", lines(*(f"old thing {n}" for n in range(5)), "quite new", "newer"))
    assert bench.fill().made == 1


def test_files_that_change_while_they_are_read_come_next(bench: Bench) -> None:
    bench.write("a.md", lines("one apple"))
    bench.write("b.md", lines("two pears"))
    (bench.root / "b.md").write_text(lines("two pears", "and a plum"))
    found = bench.fill()
    assert found[:3] == (1, 2, 1)
    assert "changed" in found.why
    bench.sync()
    assert bench.fill()[:3] == (3, 3, 2)


def test_an_index_that_grows_meanwhile_is_done_as_well(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_jobs, "WINDOW", 4)
    bench.write("a.md", lines(*(f"thing {n}" for n in range(12))))
    grown: list[int] = []

    def progress(done: int, _total: int) -> None:
        if done > 3 and not grown:
            grown.append(done)
            bench.write("b.md", lines("written meanwhile"))

    found = bench.fill(progress=progress)
    assert grown
    assert found[:3] == (13, 13, 13)
    assert bench.nearest("written meanwhile") == [("b.md", 3)]


def test_no_index_and_no_model_are_said(bench: Bench) -> None:
    bench.place.pointer.unlink()
    assert "no index" in bench.fill().why
    off = fill(bench.home, bench.place, VectorConfig(backend="off"))
    assert off.why
    assert not off.total


def test_only_one_at_a_time(bench: Bench) -> None:
    bench.write("a.md", lines("one apple"))
    with hold_lock(bench.place.lock.with_name(f"{bench.place.lock.stem}.vectors.lock")):
        assert "another memtui" in bench.fill().why
    assert bench.fill().done == 1


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "short": lambda data: data[: len(data) // 2],
    "one byte less": lambda data: data[:-1],
    "long": lambda data: data + b"x",
    "other": lambda data: b"not ours at all" * 200,
    "flipped": lambda data: data[:-5] + bytes([data[-5] ^ 255]) + data[-4:],
    "header": lambda data: data[:20] + b"9" + data[21:],
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", ["placed", "stored"])
def test_damage_is_absence_and_is_mended(bench: Bench, which: str, damage: str) -> None:
    bench.write("a.md", lines("one apple", "two pears", "three plums"))
    bench.fill()
    file: Path = getattr(bench, which)
    data = file.read_bytes()
    file.write_bytes(DAMAGES[damage](data))
    vectors = bench.vectors()
    if vectors is not None:
        assert all(score <= 1.001 for _, _, score in vectors.scores(bench.fake.query("one apple")).best(9))
        vectors.close()
    found = bench.fill()
    assert found[:2] == (3, 3)
    assert (found.made == 0) == (which == "placed" or damage == "long")
    assert bench.nearest("two pears") == [("a.md", 4)]
    assert bench.fill().made == 0


def test_rows_that_are_gone_are_made_again(bench: Bench) -> None:
    bench.write("a.md", lines("one apple", "two pears"))
    bench.fill()
    bench.stored.unlink()
    assert bench.vectors() is None
    assert bench.fill()[:3] == (2, 2, 2)
    bench.placed.unlink()
    assert bench.vectors() is None
    assert bench.fill()[:3] == (2, 2, 0)


# -- processes of their own --------------------------------------------------------------------------------------

CHILD = """
import sys
from pathlib import Path
from memtui.core.config import VectorConfig
from memtui.fs.places import place
from memtui.core.model import Home
from memtui.search import vector_jobs as making
from memtui.search.vector_jobs import fill
from tests.vectors.fake import Fake
making.OFTEN = float(sys.argv[2])
root = Path(sys.argv[1])
print("ready", flush=True)
found = fill(Home(root, "plain", "", "home"), place(root, "plain"), VectorConfig(), embedder=Fake(pause=0.01))
print(found.made, found.done, found.total, found.why or "-", flush=True)
"""


def child(bench: Bench, often: float = 0.0, *, before: str = "") -> subprocess.Popen[str]:
    started = subprocess.Popen(
        [sys.executable, "-c", before + CHILD, str(bench.home.path), str(often)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9")
def test_kill_9_loses_at_most_a_batch(bench: Bench) -> None:
    draw = random.Random(4)
    bench.write("a.md", lines(*(f"thing {n} of {n * 7}" for n in range(600))))
    held = 0
    for _ in range(6):
        with child(bench, draw.choice((0.0, 0.05))) as running:
            time.sleep(draw.uniform(0.05, 0.35))
            running.send_signal(signal.SIGKILL)
            running.wait()
        vectors = bench.vectors()
        if vectors is not None:
            scores = vectors.scores(bench.fake.query("thing 7 of 49"), share=0.0)
            assert scores.best(1)[0][2] <= 1.001
            assert vectors.count >= held
            held = vectors.count
    found = bench.fill()
    assert found[:2] == (600, 600)
    assert found.made <= 600 - held
    assert bench.nearest("thing 7 of 49") == [("a.md", 10)]
    assert not list(bench.place.directory.glob("*.new"))


HELD = """
import sys
from memtui.search import vector_jobs as filling
locked = filling.hold_lock
class Held:
    def __init__(self, *given):
        self.lock = locked(*given)
    def __enter__(self):
        self.lock.__enter__()
        print("has it", flush=True)
        sys.stdin.readline()
    def __exit__(self, *given):
        return self.lock.__exit__(*given)
filling.hold_lock = Held
"""
"""Whoever begins says so, and goes on when it is told to."""


def test_two_processes_do_not_do_it_twice(bench: Bench) -> None:
    bench.write("a.md", lines(*(f"thing {n}" for n in range(300))))
    with child(bench, before=HELD) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "has it\n"
        with child(bench) as two:
            assert two.stdout is not None
            # What stands in the buffer behind "ready" already, `communicate` would not see.
            said = two.stdout.read().split(maxsplit=3)
        assert said[0] == "0"
        assert "another memtui" in said[3]
        assert one.communicate("go on\n")[0].split()[:3] == ["300", "300", "300"]
    assert bench.fill()[:3] == (300, 300, 0)


@pytest.fixture
def service(bench: Bench) -> Iterator[subprocess.Popen[str]]:
    bench.write("a.md", lines("one apple"))
    command = [
        sys.executable, "-m", "memtui.search.vector_jobs", str(bench.home.path), "plain", "auto",
        "--attached",
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as started:
        yield started
        started.kill()


def test_the_process_is_told_what_to_use_and_says_what_it_did(service: subprocess.Popen[str]) -> None:
    wish = {"settings": VectorConfig(backend="off")._asdict(), "budget": None}
    assert service.stdin is not None
    service.stdin.write(json.dumps(wish) + "\n")
    service.stdin.flush()
    assert service.stdout is not None
    said = json.loads(service.stdout.readline())
    assert said["why"]
    assert said["done"] == 0
    assert service.wait(60) == 0
