"""Analyses: the same answers as worked out at once, from a derived file that may be anything, by a real process."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.analysis import derived, process
from memtui.analysis.analyst import Analyst
from memtui.analysis.analyst import dump_config as plain_settings
from memtui.analysis.derived import decode, encode
from memtui.analysis.process import update_analyses
from memtui.consolidation import EVOLVED
from memtui.core.config import Config
from memtui.core.edits import Draft
from memtui.core.model import Home, Layer, Memory
from memtui.demo import copy
from memtui.evolution import experiences, patterns, sessions_read
from memtui.evolution.overview import load_overview
from memtui.fs.places import Place
from memtui.layouts import load_badge
from memtui.review import queue as queue_module
from memtui.review.census import load_census
from memtui.review.checkup import find_broken_chains
from memtui.review.queue import LARGE
from memtui.store import candidates
from memtui.store.vault import Vault
from tests.conftest import until

HOMES = Path(__file__).parent.parent / "homes"
NOW = "2026-11-21T09:00:00Z"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)


@pytest.fixture(params=["memtui", "code_memory", "skillix", "xinghebot"])
def vault(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Vault]:
    if not (HOMES / request.param).is_dir():
        pytest.fail(f"tests/homes/{request.param} is gone")
    root = Path(shutil.copytree(HOMES / request.param, tmp_path / "home"))
    with Vault.open([root]) as opened:
        yield opened


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Vault]:
    """memtui's own arrangement."""
    root = Path(shutil.copytree(HOMES / "memtui", tmp_path / "memtui"))
    with Vault.open([root]) as opened:
        yield opened


def started(vault: Vault) -> Analyst:
    """An analyst whose process has finished a run."""
    analyst, idle = Analyst(vault), threading.Event()
    analyst.start(lambda: idle.set() if not analyst.busy else None)
    assert idle.wait(60)
    assert not analyst.trouble
    return analyst


def spoiled(vault: Vault) -> Path:
    return derived.locate_derived(vault.place(vault.homes[0]))


# -- the form -------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_what_was_worked_out(vault: Vault) -> None:
    home = vault.homes[0]
    queue, learned = queue_module.load_queue(vault, evolved=EVOLVED), load_overview(vault, home)
    for value in (
        queue.waiting,
        queue.refused,
        learned,
        tuple(experiences.load_effects(vault)),
        vault.config,
        vault.homes,
    ):
        assert decode(encode(value)) == value


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"[[],{text}]".encode("utf-8", "replace")))
def test_bytes_of_anybody_are_no_analysis_and_no_accident(data: bytes) -> None:
    with suppress(ValueError):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b'[[],["Memory"]]',
        b'[[],["r",0]]',
        b'[[],["Layer","nowhere"]]',
        b'[[],["os.system","ls"]]',
        b"[]",
        b"{}",
    ],
)
def test_a_value_of_no_known_type_is_none(data: bytes) -> None:
    with pytest.raises(ValueError, match="not an analysis"):
        decode(data)


def test_an_unknown_type_is_not_written() -> None:
    with pytest.raises(TypeError):
        encode(object())


def test_the_process_gets_the_settings_as_they_are() -> None:
    config = Config()
    config = config._replace(
        distill=config.distill._replace(min_age_days=0.0, keywords_rules=("a: b", "c: d")),
        redact=config.redact._replace(patterns=("x{9}",)),
        keymap={"item.edit": "f4"},
    )
    assert process.read_config(json.loads(json.dumps(plain_settings(config)))) == config


# -- the derived file -----------------------------------------------------------------------------------------------


def test_read_back_it_says_what_is_worked_out_directly(vault: Vault) -> None:
    process.update_analyses(vault)
    analyst, home = Analyst(vault), vault.homes[0]
    analyst.apart = True
    known, learned = analyst.load_queue(rejected=True, whole=True), analyst.load_overview(home)
    assert known is not None and learned is not None
    queue = queue_module.load_queue(vault, rejected=True, evolved=EVOLVED)
    assert known.queue.waiting == queue.waiting
    assert known.queue.refused == queue.refused
    assert known.total == len(queue.waiting)
    assert learned.overview == load_overview(vault, home)
    assert analyst.load_effects() == experiences.load_effects(vault)
    assert analyst.load_chains() == [one for count in load_census(vault) for one in find_broken_chains(vault, count)]


def test_nothing_is_worked_out_twice_and_a_change_is_noticed(plain: Vault) -> None:
    assert process.update_analyses(plain, exact=True)
    assert not process.update_analyses(plain, exact=True)
    with (plain.homes[0].path / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.write("\n- 提交前先跑测试\n")
    assert not process.update_analyses(plain)
    plain.refresh()
    assert "queue" in {kind for _home, kind in process.update_analyses(plain)}


def test_a_large_queue_is_given_in_parts_and_counted_whole(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    every = queue_module.load_queue(plain, evolved=EVOLVED).waiting
    assert len(every) > 1
    monkeypatch.setattr(process, "FIRST", 1)
    process.update_analyses(plain)
    analyst = Analyst(plain)
    analyst.apart = True
    first, whole = analyst.load_queue(), analyst.load_queue(whole=True)
    assert first is not None and whole is not None
    assert [one.id for one in first.queue.waiting] == [every[0].id]
    assert first.total == len(every) == whole.total
    assert whole.queue.waiting == every


@pytest.mark.parametrize("how", ["garbage", "cut", "fifo", "link", "foreign", "empty"])
def test_a_derived_file_may_be_anything(plain: Vault, tmp_path: Path, how: str) -> None:
    process.update_analyses(plain)
    file = spoiled(plain)
    whole = file.read_bytes()
    file.unlink()
    aside = tmp_path / "aside"
    if how == "garbage":
        file.write_bytes(whole[:100] + os.urandom(len(whole) - 100))
    elif how == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif how == "fifo":
        os.mkfifo(file)
    elif how == "link":
        aside.write_text("somebody's")
        file.symlink_to(aside)
    elif how == "foreign":
        file.write_bytes(b"SQLite format 3\0" + bytes(4000))
    else:
        file.write_bytes(b"")
    home = plain.homes[0]
    assert derived.load(plain.place(home), "queue") is None
    process.update_analyses(plain)
    assert derived.load(plain.place(home), "queue") is not None
    assert how != "link" or aside.read_text() == "somebody's"


def test_text_in_the_derived_file_that_is_none_is_no_accident(plain: Vault) -> None:
    process.update_analyses(plain, ("queue",))
    (home,) = plain.homes
    place = plain.place(home)
    db = apsw.Connection(str(derived.locate_derived(place)))
    db.execute("UPDATE result SET stamp = CAST(x'fffe41' AS TEXT)")
    db.close()
    assert derived.read_stamps(place) == {}
    assert derived.load(place, "queue") is None


def test_where_nothing_can_be_kept_a_command_is_answered_all_the_same(plain: Vault) -> None:
    spoiled(plain).mkdir()
    (spoiled(plain) / "file").write_text("in the way")
    analyst = Analyst(plain)
    analyst.bring_up(("queue", "rest", "refused", "overview", "effects"))
    known, learned = analyst.load_queue(whole=True), analyst.load_overview(plain.homes[0])
    assert known is not None and known.queue.waiting == queue_module.load_queue(plain, evolved=EVOLVED).waiting
    assert learned is not None


def test_another_version_works_it_out_anew(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    process.update_analyses(plain)
    monkeypatch.setattr(derived, "VERSION", derived.VERSION + 1)
    assert derived.load(plain.place(plain.homes[0]), "queue") is None
    assert process.update_analyses(plain)


def test_home_is_given_a_glance_without_the_sessions(tmp_path: Path) -> None:
    root = Path(shutil.copytree(HOMES / "code_memory", tmp_path / "code-memory"))
    with Vault.open([root]) as vault:
        process.update_analyses(vault)
        analyst = Analyst(vault)
        analyst.apart = True
        whole, part = (analyst.load_overview(vault.homes[0], glance=glance) for glance in (False, True))
    assert whole is not None and part is not None
    assert whole.overview.patterns
    assert [one.key for one in part.overview.patterns] == [one.key for one in whole.overview.patterns]
    assert part.overview.gates == whole.overview.gates
    assert part.overview.sessions == whole.overview.window


def test_what_sessions_say_is_worked_out_of_the_files_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(shutil.copytree(HOMES / "code_memory", tmp_path / "code-memory"))
    read: list[str] = []
    summarize = sessions_read._parse_summary

    def noticed(home: Home, name: str, path: str, entries: Iterable[Memory]) -> object:
        read.append(path)
        return summarize(home, name, path, entries)

    monkeypatch.setattr(sessions_read, "_parse_summary", noticed)
    with Vault.open([root]) as vault:
        before = process.update_analyses(vault, ("overview",))
    assert len(set(read)) > 1
    changed = read[0]
    read.clear()
    with (root / changed).open("a", encoding="utf-8") as file:
        file.write("\n\n")
    # Another vault is as good as another process: nothing is held between them but the derived file.
    with Vault.open([root]) as vault:
        after = process.update_analyses(vault, ("overview",))
    assert set(read) == {changed}
    name = str(root.resolve())
    old, new = before[name, "overview"].value, after[name, "overview"].value
    assert [one.key for one in new.patterns] == [one.key for one in old.patterns]


# -- what a person did since shows at once --------------------------------------------------------------------------


def test_what_was_decided_since_does_not_wait(plain: Vault) -> None:
    process.update_analyses(plain)
    analyst = Analyst(plain)
    analyst.apart = True
    before = analyst.load_queue()
    assert before is not None
    gone = before.queue.waiting[0]
    queue_module.reject(plain, gone, "no longer true")
    after = analyst.load_queue(rejected=True)
    assert after is not None
    assert gone.id not in {one.id for one in after.queue.waiting}
    assert gone.id in {one.id for one in after.queue.rejected}


def test_a_proposal_waits_at_once(plain: Vault) -> None:
    process.update_analyses(plain)
    analyst = Analyst(plain)
    analyst.apart = True
    made = queue_module.propose(
        plain, str(plain.homes[0].path), Draft("always sign commits", "rule"), "agent:claude", compared=False
    )
    known = analyst.load_queue()
    assert known is not None
    found = next(one for one in known.queue.waiting if one.id == made.id)
    assert found.target is not None


def test_a_proposal_that_was_taken_back_waits_no_more(plain: Vault) -> None:
    home = plain.homes[0]
    source = candidates.CandidateSource(str(home.path), "", 0)
    made, edit = candidates.put(home, Draft("always sign commits", "rule"), "import", Layer.KNOWLEDGE, source)
    plain.apply([edit], verb="propose", who="import", what="1 memory imported into Review")
    process.update_analyses(plain)
    analyst = Analyst(plain)
    analyst.apart = True
    known = analyst.load_queue()
    assert known is not None and made.id in {one.id for one in known.queue.waiting}
    plain.undo()
    after = analyst.load_queue()
    assert after is not None and made.id not in {one.id for one in after.queue.waiting}
    assert len(after.queue.waiting) == len(known.queue.waiting) - 1


def test_how_a_pattern_stands_shows_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(shutil.copytree(HOMES / "code_memory", tmp_path / "code-memory"))
    with Vault.open([root]) as vault:
        home = vault.homes[0]
        process.update_analyses(vault)
        analyst = Analyst(vault)
        analyst.apart = True
        before = analyst.load_overview(home)
        assert before is not None and before.overview.patterns
        key = before.overview.patterns[0].key
        monkeypatch.setenv("MEMTUI_NOW", "2026-11-21T09:05:00Z")
        patterns.settle(vault, home, key, "suppressed", "known")
        after = analyst.load_overview(home)
        assert after is not None
        found = after.overview.pattern(key)
        assert found is not None and (found.status, found.reason) == ("suppressed", "known")


# -- the process ----------------------------------------------------------------------------------------------------


def test_before_anything_is_finished_nothing_is_known(plain: Vault) -> None:
    analyst = Analyst(plain)
    analyst.apart = True
    assert analyst.load_queue() is None
    assert analyst.load_overview(plain.homes[0]) is None
    assert analyst.load_chains() is None
    assert analyst.load_effects() == []


def test_a_process_works_it_out_and_again_after_a_change(plain: Vault) -> None:
    analyst = started(plain)
    try:
        known = analyst.load_queue(whole=True)
        assert known is not None and known.queue.waiting == queue_module.load_queue(plain, evolved=EVOLVED).waiting
        with (plain.homes[0].path / "MEMORY.md").open("a", encoding="utf-8") as file:
            file.write("\n- token: ghp_0123456789abcdefghijABCDEFGHIJ012345\n")
        plain.refresh()
        turns = analyst.turns
        analyst.wake(now=True)
        until(lambda: analyst.turns > turns and not analyst.busy)
        after = analyst.load_queue()
        assert after is not None
        assert any(one.origin == "secret" and one.sources[0].path == "MEMORY.md" for one in after.queue.waiting)
    finally:
        analyst.stop()


def test_killed_it_is_started_again(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.analysis.analyst.AGAIN", 0.01)
    analyst = Analyst(plain)
    killed: list[int] = []

    def kill() -> None:
        child = analyst._child
        if child is not None and len(killed) < 2 and analyst.busy:
            killed.append(child.pid)
            child.kill()

    analyst.start(kill)
    try:
        until(lambda: not analyst.busy)
        assert len(killed) == 2
        assert not analyst.trouble
        known = analyst.load_queue(whole=True)
        assert known is not None and known.queue.waiting == queue_module.load_queue(plain, evolved=EVOLVED).waiting
    finally:
        analyst.stop()


@pytest.mark.parametrize("program", [shutil.which("false"), "/nowhere/python"])
def test_where_a_process_dies_or_cannot_be_started_it_says_so(
    plain: Vault, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr("memtui.analysis.analyst.AGAIN", 0.001)
    monkeypatch.setattr("memtui.analysis.analyst.TRIES", 2)
    monkeypatch.setattr(sys, "executable", program)
    analyst = Analyst(plain)
    analyst.start(lambda: None)
    try:
        until(lambda: bool(analyst.trouble))
        assert not analyst.busy
    finally:
        analyst.stop()


def test_it_ends_with_whoever_started_it(plain: Vault) -> None:
    script = (
        "import sys, time\n"
        "from memtui.store.vault import Vault\n"
        "from memtui.analysis.analyst import Analyst\n"
        "vault = Vault.open([sys.argv[1]], wait=False)\n"
        "analyst = Analyst(vault)\n"
        "analyst.start(lambda: print(analyst._child.pid, flush=True) if analyst._child else None)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", script, str(plain.homes[0].path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    until(lambda: not _alive(pid))


def _alive(pid: int) -> bool:
    try:
        return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        try:
            os.kill(pid, 0)
        except OSError:
            return False
        return not Path("/proc/self").exists()


def test_it_gives_its_memory_back_when_nothing_changes(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    assert process.LINGER < 60
    analyst = started(plain)
    try:
        child = analyst._child
        assert child is not None
        child.wait(process.LINGER * 4)
        assert child.returncode == 0
        assert not analyst.trouble
        turns = analyst.turns
        analyst.wake(now=True)
        until(lambda: analyst.turns > turns and not analyst.busy)
    finally:
        analyst.stop()


def test_two_on_one_home_share_the_work(plain: Vault) -> None:
    first = started(plain)
    try:
        with Vault.open([plain.homes[0].path]) as other:
            assert not process.update_analyses(other)
    finally:
        first.stop()


def test_after_a_run_that_took_much_memory_it_ends(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    # Whatever it does, Python itself needs more than that; and nobody asks for another run.
    monkeypatch.setattr(process, "HELD", 1)
    monkeypatch.setattr(process, "LINGER", 1e6)
    process._serve(list(plain.homes), plain.config, asked)
    known = Analyst(plain)
    known.apart = True
    answer = known.load_queue(whole=True)
    assert answer is not None and answer.queue.waiting == queue_module.load_queue(plain, evolved=EVOLVED).waiting


def test_a_person_does_not_wait_for_the_rest_of_the_next(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.analysis.REST", 1e9)
    monkeypatch.setattr("memtui.analysis.LONGEST_REST", 1e9)
    analyst = started(plain)
    try:
        with analyst._lock:
            child = analyst._child
            assert child is not None and child.stdin is not None
            child.stdin.close()
        until(lambda: analyst._child is None)
        turns = analyst.turns
        analyst.wake()
        analyst.wake(now=True)
        until(lambda: analyst.turns > turns and not analyst.busy)
        assert not analyst.trouble
    finally:
        analyst.stop()


def test_while_it_rests_what_changed_counts_as_not_worked_out(plain: Vault) -> None:
    analyst = Analyst(plain)
    analyst.prepare()
    analyst.busy, analyst._rested = False, time.monotonic() + 60
    try:
        analyst.wake()
        assert analyst.busy
    finally:
        analyst.stop()


def test_only_what_was_finished_since_is_read_again(plain: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    process.update_analyses(plain, derived.KINDS)
    analyst, home = Analyst(plain), plain.homes[0]
    analyst.apart = True
    assert analyst.load_queue() and analyst.load_overview(home)
    read: list[str] = []
    load = derived.load

    def note(place: Place, kind: str, scope: str = "") -> derived.Finished | None:
        read.append(kind)
        return load(place, kind, scope)

    monkeypatch.setattr(derived, "load", note)
    known = load(plain.place(home), "overview")
    assert known is not None
    assert derived.store(plain.place(home), "overview", known._replace(at=known.at - 7.0))
    learned = analyst.load_overview(home)
    assert analyst.load_queue() and learned is not None and learned.at == known.at - 7.0
    assert read == ["overview"]


def test_the_same_thing_in_several_tools_words_is_found_once(tmp_path: Path) -> None:
    homes = copy(tmp_path / "demo")
    with Vault.open(homes) as vault:
        made = update_analyses(vault, ("echoes",))
        groups = made[str(vault.homes[0].path), "echoes"].value
        tools = {str(home.path): load_badge(home.layout).letters for home in vault.homes}
    assert len(groups) >= 5
    for group in groups:
        assert 2 <= len(group) <= LARGE
        assert len({tools[memory.home] for memory in group}) > 1
    ids = [memory.id for group in groups for memory in group]
    assert len(ids) == len(set(ids))
    first = " ".join(memory.text for memory in groups[0])
    assert len({tools[memory.home] for memory in groups[0]}) == 3
    assert "paste the last line" in first
    assert all("reversal" not in memory.text for memory in groups[0])
    with Vault.open(homes[:1]) as vault:
        assert update_analyses(vault, ("echoes",))[str(vault.homes[0].path), "echoes"].value == []
