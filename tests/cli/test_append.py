"""`memtui append`: where it goes, spec 001's line and its duplicate rule, spec 004's record, and what waits."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtui.fs import displaced
from memtui.fs.locks import hold_lock, lock_for
from tests.cli.conftest import Caller
from tests.homes import read_files

HOMES = Path(__file__).parent.parent / "homes"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3
DAY = "daily/2026-02-28.md"


@pytest.fixture
def skillix(alone: Path) -> Path:
    shutil.copytree(HOMES / "skillix", alone / "shop")
    return alone / "shop" / ".cursor" / "skills" / "memory-data"


@pytest.fixture
def xinghebot(alone: Path) -> Path:
    place = alone / ".xinghebot" / "workspace" / "shop" / "memory"
    shutil.copytree(HOMES / "xinghebot", place)
    return place


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))


def test_the_first_write_makes_memtuis_own_home(call: Caller, alone: Path) -> None:
    done = call("append", "部署用", "release 分支", "--kind", "decision", "--tag", "arch", "--source", "run-1")
    assert done.status == 0
    line = "- 2026-02-28T12:00:00Z [decision] 部署用 release 分支 #arch (source=run-1)\n"
    assert (alone / ".memtui" / DAY).read_text("utf-8") == line
    assert (alone / ".memtui").stat().st_mode & 0o777 == 0o700
    assert done.out == f"{alone}/.memtui/{DAY}:1\n"
    assert "~/.memtui (memtui)" in done.err
    assert "memtui undo " in done.err


def test_memtui_home_says_where(call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_HOME", "~/notes/mine")
    assert call("append", "x y z").status == 0
    assert (alone / "notes" / "mine" / DAY).is_file()
    assert not (alone / ".memtui").exists()
    assert call("append", "named", "--home", "notes/mine").status == 0
    assert (alone / "notes" / "mine" / DAY).read_text("utf-8").count("\n") == 2


def test_the_current_project_comes_before_ones_own(
    call: Caller, home: Path, skillix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_files(home)
    monkeypatch.chdir(skillix.parents[2])
    done = call("append", "prefers pnpm", "--kind", "pref", "--json").json
    assert done["home"] == str(skillix)
    assert read_files(home) == before
    # A home that keeps no journal is passed over.
    monkeypatch.chdir(home.parent)
    (home.parent / "CLAUDE.md").write_text("# shop\n\n- use rg\n", "utf-8")
    assert call("append", "two", "--json").json["home"] == str(home)


def test_a_line_is_not_written_twice(call: Caller, home: Path) -> None:
    first = call("append", "输出尽量精简", "-k", "pref", "-t", "prefs", "-t", "style", "--json").json
    assert first["appended"] is True
    assert first["path"] == DAY
    assert first["line"] == "- 2026-02-28T12:00:00Z [pref] 输出尽量精简 #prefs #style"
    assert (first["line_number"], first["receipt"]["verb"], first["receipt"]["who"]) == (1, "append", "person")
    assert "duplicate" not in first
    before = read_files(home)
    again = call("append", " 输出尽量精简 ", "-k", "pref", "-t", "#style", "-t", "prefs", "--source", "x", "--json")
    assert again.status == 0
    assert again.json == {
        "path": DAY,
        "line": first["line"],
        "appended": False,
        "duplicate": True,
        "line_number": 1,
        "home": str(home),
        "receipt": None,
    }
    assert read_files(home) == before
    for other in (["-k", "note", "-t", "prefs", "-t", "style"], ["-k", "pref", "-t", "prefs"]):
        assert call("append", "输出尽量精简", *other, "--json").json["appended"] is True


def test_undo_restores_every_byte(call: Caller, home: Path) -> None:
    before = read_files(home)
    (home / DAY).write_bytes(b"- 2026-02-28T08:00:00Z [note] old\r\n- torn off")
    torn = read_files(home)
    call("append", "one")
    call("append", "two")
    assert call("undo").status == 0
    assert call("undo").status == 0
    assert read_files(home) == torn
    (home / DAY).unlink()
    receipt = call("append", "three", "--json").json["receipt"]
    assert call("undo", receipt["id"]).status == 0
    assert read_files(home) == before
    assert call("redo").status == 0
    assert (home / DAY).read_text("utf-8").endswith("three\n")


def test_a_record_where_the_layout_keeps_records(call: Caller, skillix: Path) -> None:
    done = call(
        "append", "支付回调必须幂等", "--kind", "fact", "--confidence", "0.9", "--entities", "支付,webhook",
        "--memory-type", "W", "--source", "3f1c", "--home", str(skillix), "--json",
    )  # fmt: skip
    assert done.status == 0
    assert done.json["path"] == "daily/2026-02-28.jsonl"
    record = json.loads((skillix / "daily" / "2026-02-28.jsonl").read_text("utf-8"))
    assert record["content"] == "支付回调必须幂等"
    assert (record["type"], record["memory_type"], record["confidence"]) == ("fact", "W", 0.9)
    assert record["entities"] == ["支付", "webhook"]
    assert record["source"] == {"session": "3f1c"}
    # How often a fact is said counts in spec 004: it may be said again.
    again = call("append", "支付回调必须幂等", "--home", str(skillix), "--json").json
    assert again["appended"] is True
    lines = (skillix / "daily" / "2026-02-28.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[1])["confidence"] == 0.9
    assert again["id"] == json.loads(lines[1])["id"] != done.json["id"]
    refused = call("append", "x", "--form", "line", "--home", str(skillix))
    assert refused.status == 3
    assert "another form" in refused.err


def test_memtuis_own_home_keeps_both_forms(call: Caller, home: Path) -> None:
    done = call("append", "a fact", "--form", "fact", "--confidence", "0.8", "--home", str(home), "--json")
    assert done.json["path"] == "daily/2026-02-28.jsonl"
    assert json.loads(done.json["line"])["content"] == "a fact"
    assert call("append", "a fact", "--form", "line", "--home", str(home), "--json").json["path"] == DAY


def test_from_stdin(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, "\ufeff多行\n文本\n".encode())
    assert call("append", "-", "--json").json["line"].endswith("[note] 多行 文本")
    for data, word in ((b"", "nothing to remember"), (b" \n", "nothing to remember"), (b"\xff\xfe\x00", "UTF-8")):
        stdin(monkeypatch, data)
        done = call("append", "-")
        assert done.status == 2
        assert word in done.err
    stdin(monkeypatch, b"x" * (1 << 20) + b"y")
    assert call("append", "-").status == 2


@pytest.mark.parametrize(
    "argv", [[], [""], ["  "], ["x", "--kind", "opinion"], ["x", "--confidence", "2"], ["\udcff"]], ids=str
)
def test_wrong_use_changes_nothing(call: Caller, home: Path, argv: list[str]) -> None:
    before = read_files(home)
    assert call("append", *argv).status == 2
    assert call("append", "x", "--home", str(home), "--home", "elsewhere").status == 2
    assert call("append", "x", "--home", "elsewhere").status == 2
    assert read_files(home) == before


def test_secrets_are_masked_before_anything_is_written(call: Caller, home: Path, alone: Path) -> None:
    done = call("append", "the token is", SECRET)
    assert done.status == 0
    assert "1 secret was masked" in done.err
    again = call("append", "the token is", SECRET, "--json")
    assert again.json["duplicate"] is True
    assert SECRET not in done.out + done.err + again.out + again.err
    for folder, _folders, files in os.walk(alone):
        for name in files:
            assert SECRET.encode() not in Path(folder, name).read_bytes(), name


def test_a_home_that_takes_no_notes_says_so(call: Caller, alone: Path) -> None:
    shutil.copytree(HOMES / "codex", alone / ".codex")
    before = read_files(alone / ".codex")
    done = call("append", "x", "--home", ".codex", "--json")
    assert done.status == 3
    assert done.json["exit_status"] == 3
    assert read_files(alone / ".codex") == before


def test_through_a_link(call: Caller, home: Path, alone: Path) -> None:
    (alone / "linked").symlink_to(home)
    done = call("append", "through a link", "--home", "linked", "--json")
    assert done.json["home"] == str(home)
    (home / "daily").rename(alone / "outside")
    (home / "daily").symlink_to(alone / "outside")
    before = read_files(alone / "outside")
    assert call("append", "out", "--home", str(home)).status == 3
    assert read_files(alone / "outside") == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user that permissions hold for")
def test_a_read_only_home(call: Caller, home: Path) -> None:
    (home / "daily").chmod(0o555)
    done = call("append", "x", "--spool", "--json")
    (home / "daily").chmod(0o755)
    assert done.status == 4
    assert not displaced.list_spooled_records()


def test_it_can_wait_and_the_next_write_brings_it_in(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.cli.append_commands.PATIENCE", 0.05)
    monkeypatch.setattr("memtui.store.vault.Vault.wait", 0.05)
    before = read_files(home)
    with hold_lock(lock_for(home, DAY)):
        assert call("append", "not now").status == 4
        done = call("append", f"later {SECRET}", "--tag", "t", "--spool", "--json")
        assert (done.status, done.json["spooled"], done.json["appended"]) == (0, True, False)
        assert call("append", "later too", "--spool").status == 0
    assert read_files(home) == before
    assert len(displaced.list_spooled_records()) == 2
    assert SECRET not in "".join(path.read_text("utf-8") for path in displaced.list_spooled_records())
    assert call("status", "--json").json["spooled"] == 2
    assert "2 notes wait" in call("status").err
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T12:00:00+00:00")
    done = call("append", "now")
    assert "2 notes that had waited" in done.err
    assert not displaced.list_spooled_records()
    # They bear the moment at which they were said.
    lines = (home / DAY).read_text("utf-8").splitlines()
    assert [line.split("] ")[1].split()[0] for line in lines] == ["later", "later"]
    assert all(line.startswith("- 2026-02-28T12:00:00Z") for line in lines)
    assert (home / "daily/2026-03-01.md").is_file()


def test_delivered_twice_is_there_once(call: Caller, skillix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.cli.append_commands.PATIENCE", 0.05)
    with hold_lock(lock_for(skillix, "daily/2026-02-28.jsonl")):
        assert call("append", "once", "--spool", "--home", str(skillix)).status == 0
    (kept,) = displaced.list_spooled_records()
    data = kept.read_bytes()
    assert call("append", "then", "--home", str(skillix)).status == 0
    kept.write_bytes(data)
    assert call("append", "last", "--home", str(skillix)).status == 0
    text = (skillix / "daily" / "2026-02-28.jsonl").read_text("utf-8")
    assert [json.loads(line)["content"] for line in text.splitlines()] == ["once", "then", "last"]


def test_many_processes_at_once_lose_nothing_and_repeat_nothing(home: Path) -> None:
    script = (
        "import sys\nfrom memtui.cli.run import run\nfrom memtui.cli import render as output\n"
        "for n in range(8):\n    output.forget(); run(['append', f'note {n} of {sys.argv[1]}', '--json'])\n"
        "    output.forget(); run(['append', f'shared {n}', '--json'])\n"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", script, str(number)], stdout=subprocess.DEVNULL) for number in range(4)
    ]
    assert [child.wait() for child in children] == [0] * 4
    lines = (home / DAY).read_text("utf-8").splitlines()
    assert len(lines) == len(set(lines)) == 4 * 8 + 8


def test_the_line_is_found_at_once(call: Caller, home: Path) -> None:
    call("index")
    call("append", "刚刚记下的一句话")
    assert call("search", "记下", "--json").json["results"][0]["path"] == DAY


def test_the_duplicate_rule_holds_in_every_form_of_a_day(call: Caller, alone: Path) -> None:
    shutil.copytree(HOMES / "code_memory", alone / "notes")
    first = call("append", "选择 JWT", "-k", "decision", "--home", "notes", "--json").json
    before = read_files(alone / "notes")
    again = call("append", "选择 JWT", "-k", "decision", "--home", "notes", "--json").json
    assert (again["duplicate"], again["line_number"]) == (True, first["line_number"])
    assert "选择 JWT" in first["line"]
    assert read_files(alone / "notes") == before
    assert call("append", "选择 JWT", "-k", "todo", "--home", "notes", "--json").json["appended"] is True


def test_what_waits_for_a_locked_home_holds_nobody_up(
    call: Caller, home: Path, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.cli.append_commands.PATIENCE", 0.01)
    monkeypatch.setattr("memtui.store.append.PATIENCE", 1.0)
    (alone / "other" / "daily").mkdir(parents=True)
    (alone / "other" / "scratchpad.md").write_text("# Scratchpad\n", "utf-8")
    with hold_lock(lock_for(home, DAY)):
        for number in range(30):
            assert call("append", f"note {number}", "--spool").status == 0
        since = time.monotonic()
        assert call("append", "elsewhere", "--home", "other").status == 0
        assert time.monotonic() - since < 20
    assert len(displaced.list_spooled_records()) == 30
    broken = displaced.put_record({"home": str(home), "draft": {"text": 1}, "form": "", "who": "person", "time": "x"})
    call("append", "last")
    assert displaced.list_spooled_records() == [broken]
    assert len((home / DAY).read_text("utf-8").splitlines()) == 31


@pytest.mark.parametrize(
    ("said", "end"),
    [("7d", "2026-03-07"), ("session", "2026-02-28T14:00"), ("2026-12-31", "2026-12-31"), ("permanent", "")],
)  # fmt: skip
def test_until_when_it_holds(call: Caller, xinghebot: Path, said: str, end: str) -> None:
    done = call("append", "the demo page is down", "--expires", said, "--home", str(xinghebot), "--json")
    written = done.json["line"]
    assert done.status == 0 and (f"(expires: {end}" in written if end else "expires" not in written)


def test_a_word_that_is_no_time(call: Caller, xinghebot: Path) -> None:
    before = read_files(xinghebot)
    assert call("append", "x", "--expires", "banana", "--home", str(xinghebot)).status == 2
    assert read_files(xinghebot) == before


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/Los_Angeles", "Asia/Kathmandu"])
@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-03-07T23:59:59", "2026-03-07"),
        ("2026-03-08T00:00:00", "2026-03-08"),
        ("2026-03-08T03:00:00", "2026-03-08"),
    ],
)
def test_a_note_stands_under_the_local_day(
    call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch, zone: str, moment: str, day: str
) -> None:
    """Whatever UTC says, also beside the hour that a clock leaves out (T40, F8)."""
    monkeypatch.setenv("MEMTUI_TZ", zone)
    monkeypatch.setenv("MEMTUI_NOW", moment)
    assert call("append", "late at night").status == 0
    assert [path.stem for path in (alone / ".memtui" / "daily").iterdir()] == [day]
