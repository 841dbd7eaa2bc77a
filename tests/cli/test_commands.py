"""What the other commands answer on a small home."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from memtui.cli import COMMANDS
from memtui.cli.tree import load
from memtui.store.home import MUCH
from tests.cli.conftest import Caller
from tests.homes import read_files

READING = [
    ["homes"], ["status"], ["index"], ["index", "--rebuild"], ["doctor"], ["profile"],
    ["facts", "--status", "all"], ["facts", "show", "fact-003"], ["sessions"], ["evolution"],
    ["search", "支付"], ["get", "MEMORY.md"], ["review"], ["review", "show", "--all"],
    ["review", "approve", "--all", "--dry-run"], ["review", "explain", "--refused"], ["distill"], ["history"],
    ["trash"], ["card"], ["card", "--year", "2025"], ["init", "--profile", "--dry-run"],
    ["migrate", ".memtui", "new", "--to", "skillix"], ["doctor", "--fix", "--memories"], ["config"],
    ["config", "path"], ["completion", "bash"],
]  # fmt: skip


@pytest.mark.parametrize("argv", READING, ids=" ".join)
def test_one_json_document_and_no_traces_in_the_home(call: Caller, home: Path, argv: list[str]) -> None:
    before = read_files(home)
    done = call(*argv, "--json")
    assert done.status in {0, 1}
    keys: list[str] = []

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            keys.extend(value)
            for name, item in value.items():
                if name not in {"extra", "checks"}:
                    collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    collect(done.json)
    assert [key for key in keys if key != key.lower() or "-" in key] == [], "snake_case"
    people = call(*argv)
    assert people.status == done.status
    assert read_files(home) == before


def test_homes(call: Caller, home: Path) -> None:
    [found] = call("homes", "--json").json
    assert {"path", "layout", "reason", "files", "memories", "unparsed", "writable"} <= found.keys()
    assert (found["path"], found["layout"], found["unparsed"]) == (str(home), "memtui", 1)
    assert found["files"] == 8
    assert found["memories"] > 10
    assert "memtui" in call("homes").out
    home.rename(home.with_name("elsewhere"))
    done = call("homes")
    assert (done.status, done.out) == (1, "")
    assert "memtui --demo" in done.err
    assert call("homes", "--home", "elsewhere").status == 0


def test_homes_lists_a_large_home_without_reading_it(call: Caller, home: Path) -> None:
    for number in range(MUCH):
        (home / f"areas/projects/{number}").mkdir()
        (home / f"areas/projects/{number}/rules.md").write_text(f"- rule {number}\n")
    (home / "no-memory.bin").write_bytes(b"")
    [found] = call("homes", "--json").json
    assert (found["files"], found["memories"], found["left_out"]) == (8 + MUCH, None, None)
    assert "memtui index" in found["warning"]
    shown = call("homes")
    assert f"\t–\t\t{8 + MUCH:,}\t" in shown.out
    assert "memtui index" in shown.err
    assert call("index", "--no-vectors").status == 0
    [read] = call("homes", "--json").json
    assert (read["files"], read["warning"]) == (8 + MUCH, None)
    assert read["memories"] > MUCH
    # Much that changed since: what is known of it is told, and that it is not all.
    for path in home.glob("areas/projects/*/rules.md"):
        path.write_text("- another rule\n- and one more\n")
    [behind] = call("homes", "--json").json
    assert (behind["files"], behind["memories"]) == (read["files"], read["memories"])
    assert "memtui index" in behind["warning"]


def test_get(call: Caller, home: Path) -> None:
    done = call("get", "MEMORY.md", "--from", "3", "--lines", "2", "--json")
    assert done.json == {"path": "MEMORY.md", "from": 3, "lines": 2, "text": "## 偏好\n", "total": 6, "home": str(home)}
    assert call("get", "MEMORY.md", "--from", "5", "--lines", "1").out == "- 测试一律用 pytest，不用 unittest\n"
    assert call("get", "MEMORY.md:6").out == "- Prefers ripgrep over grep\n"
    assert "lines 6–6 of 6" in call("get", "MEMORY.md:6").err
    assert call("get", ".memtui/MEMORY.md:6").out == "- Prefers ripgrep over grep\n"
    assert "\x1b" not in call("get", "areas/projects/shop/summary.md").out


def test_get_of_nothing_is_empty_and_1(call: Caller, home: Path) -> None:
    done = call("get", "daily/1999-01-01.md", "--json")
    assert done.status == 1
    assert (done.json["text"], done.json["lines"], done.json["path"]) == ("", 0, "daily/1999-01-01.md")
    assert call("get", "MEMORY.md", "--from", "99").status == 0


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../secret.md", "daily/../../secret.md", "a\0b", "..", "daily\\..\\..\\x", "link/x.md"]
)
def test_get_stays_inside(call: Caller, home: Path, alone: Path, path: str) -> None:
    outside = alone / "outside"
    outside.mkdir()
    for place in (alone / "secret.md", outside / "x.md"):
        place.write_text("SECRET", encoding="utf-8")
    (home / "link").symlink_to(outside)
    done = call("get", path, "--json")
    assert done.status == 3
    assert "SECRET" not in done.out + done.err
    sibling = home.with_name(home.name + "-evil")
    sibling.mkdir()
    (sibling / "x.md").write_text("SECRET", encoding="utf-8")
    assert call("get", f"../{sibling.name}/x.md").status == 3


def test_facts(call: Caller, home: Path) -> None:
    listed = call("facts", "--json").json["memories"]
    texts = {memory["text"] for memory in listed}
    assert "Deploys run from main since the merge queue" in texts
    assert "Deploys run from the release branch" not in texts
    everything = call("facts", "--status", "all", "--json").json["memories"]
    old = next(memory for memory in everything if memory["key"] == "fact-002")
    assert (old["status"], old["superseded_by"]) == ("superseded", "fact-003")
    assert call("facts", "-n", "1", "--json").json["more"] is True
    assert {m["kind"] for m in call("facts", "--kind", "rule", "--json").json["memories"]} == {"rule"}


def test_show(call: Caller, home: Path) -> None:
    answer = call("facts", "show", "fact-003", "--json").json
    assert [memory["key"] for memory in answer["before"]] == ["fact-002"]
    page = call("facts", "show", "fact-002").out
    assert "→ fact-003" in page
    assert "superseded" in page
    by_id = call("facts", "show", answer["memory"]["id"], "--json").json
    assert by_id["memory"]["key"] == "fact-003"
    done = call("facts", "show", "fact-999", "--json")
    assert (done.status, done.json) == (1, {"memory": None})


def test_profile_and_sessions(call: Caller, home: Path) -> None:
    paths = {memory["path"] for memory in call("profile", "--json").json["memories"]}
    assert paths == {"MEMORY.md", "user/profile.md"}
    journal = call("sessions", "--json").json["memories"]
    assert {memory["layer"] for memory in journal} == {"journal"}
    assert call("evolution").status == 1


def test_a_list_in_a_pipe_is_tabs_and_places(call: Caller, home: Path) -> None:
    rows = [line.split("\t") for line in call("profile").out.splitlines()]
    assert len({len(row) for row in rows}) == 1
    assert {row[-1] for row in rows} >= {".memtui/MEMORY.md:5", ".memtui/user/profile.md:3"}


def test_a_list_on_a_terminal_fits(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.cli.render import count_line_cells

    for columns in (40, 60, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        for argv in (["profile"], ["facts", "--status", "all"], ["homes"], ["status"]):
            out = call(*argv).out
            assert max(map(count_line_cells, out.splitlines())) <= columns, argv


def test_status(call: Caller, home: Path) -> None:
    [state] = call("status", "--json").json["homes"]
    assert state["indexed"] == state["total"] == state["files"]
    assert state["layers"]["journal"] == 3
    assert state["unparsed"][0]["path"] == "broken.json"
    assert "broken.json" in call("status").err


def test_index(call: Caller, home: Path) -> None:
    answer = call("index", "--rebuild", "--json").json
    assert answer["rebuilt"] is True
    assert answer["homes"][0]["memories"] == call("homes", "--json").json[0]["memories"]
    assert Path(answer["homes"][0]["index_path"]).is_file()


def test_doctor_is_well_and_then_not(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is missing is said once, and a program knows each finding in every language.
    none = [one for one in call("doctor", "--json").json["checks"] if "index" in one["code"]]
    assert [one["code"] for one in none if one["name"] == none[0]["name"]] == ["index-missing"]
    call("index")
    answer = call("doctor", "--json").json
    assert answer["ok"] is True
    assert all(check["state"] == "ok" or check["remedy"] for check in answer["checks"])
    assert any("broken.json" in check["what"] and check["code"] == "file" for check in answer["checks"])
    assert call("doctor").status == 0
    monkeypatch.setenv("LANGUAGE", "zh")
    codes = [check["code"] for check in call("doctor", "--json").json["checks"]]
    assert codes == [check["code"] for check in answer["checks"]]
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "access", lambda *_args, **_kw: False)
    else:
        home.chmod(0)
    done = call("doctor")
    home.chmod(0o755)
    assert done.status == 1
    assert "✗" in done.out
    assert "→" in done.out


def test_doctor_says_what_is_wrong_with_a_file_since_it_was_last_looked_at(call: Caller, home: Path) -> None:
    call("index")
    (home / "areas" / "elsewhere.md").symlink_to(home.parent)
    told = [one["what"] for one in call("doctor", "--json").json["checks"] if one["code"] == "file"]
    assert any("areas/elsewhere.md" in what and "outside" in what for what in told)


def test_doctor_tells_of_a_damaged_journal(call: Caller, home: Path) -> None:
    folder = Path(os.environ["XDG_STATE_HOME"]) / "memtui" / "journal"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "2026-01-02.jsonl").write_bytes(bytes(range(128, 256)))
    answer = call("doctor", "--json")
    assert answer.status == 1
    found = [check for check in answer.json["checks"] if check["name"] == "journal"]
    assert [check["state"] for check in found] == ["wrong"]
    assert "2026-01-02" in found[0]["what"]
    assert found[0]["remedy"] == "memtui history"
    # Whoever looks for a write hears that there may be more than is shown.
    for argv in (("history",), ("undo",), ("trash",)):
        assert "memtui doctor" in call(*argv).err
    # Of a line that was cut off, the file that it was about is still told.
    (folder / "2026-01-02.jsonl").unlink()
    call("append", "the pager is on the shelf")
    day = max(folder.glob("*.jsonl"))
    day.write_bytes(day.read_bytes()[:-20])
    told = next(one["what"] for one in call("doctor", "--json").json["checks"] if one["name"] == "journal")
    assert str(next(home.glob("daily/*.md")).name) in told, told


def test_doctor_sees_a_damaged_index(call: Caller, home: Path) -> None:
    place = Path(call("index", "--json").json["homes"][0]["index_path"])
    size = place.stat().st_size
    with place.open("r+b") as file:
        file.seek(size // 3)
        file.write(b"\xff" * (size // 3))
    found = [check for check in call("doctor", "--json").json["checks"] if "--rebuild" in check["remedy"]]
    assert [check["code"] for check in found] == ["index-damaged"]
    assert call("search", "支付").status == 0


def test_config(call: Caller, alone: Path) -> None:
    place = Path(call("config", "path", "--json").json["path"])
    assert place.is_relative_to(alone)
    settings = call("config", "list", "--json").json["settings"]
    assert {"key", "value", "default", "type", "doc"} <= settings[0].keys()
    assert call("config", "set", "search.max_results", "3").status == 0
    assert call("config", "get", "search.max_results").out == "3\n"
    assert place.is_file()
    wrong = call("config", "set", "search.max_results", "many")
    assert wrong.status == 2
    assert call("config", "get", "search.max_result").status == 2
    assert "search.max_results" in call("config", "get", "search.max_result").err


def test_config_refuses_a_theme_that_nobody_knows(call: Caller) -> None:
    wrong = call("config", "set", "ui.theme", "nrd")
    assert wrong.status == 2
    assert "memtui-light" in wrong.err and "did you mean nord?" in wrong.err
    assert call("config", "get", "ui.theme").out == "\n"
    assert call("config", "set", "ui.theme", "nord").status == 0
    assert call("config", "set", "ui.theme", "").status == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(call: Caller, shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    named = call("completion", shell)
    assert "_MEMTUI_COMPLETE" in named.out
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert call("completion").out == named.out
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert call("completion").status == 2


def test_completion_completes(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_MEMTUI_COMPLETE", "bash_complete")
    for words, wanted in (
        ("memtui se", "sessions"), ("memtui search --mo", "--mode"), ("memtui facts ", "show"),
        ("memtui config set ui.th", "ui.theme"), ("memtui config set ui.theme memtui-l", "memtui-light"),
        ("memtui config set search.typing ", "false"), ("memtui help rev", "review"), ("memtui --demo ", "zh"),
        ("memtui --theme nor", "nord"), ("memtui hook session-", "session-start"), ("memtui get ", "file"),
    ):  # fmt: skip
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        assert wanted in call().out


def test_ids_and_kinds_that_are_there_are_offered(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def offered(words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", words.rpartition(" ")[2])
        return call().out.splitlines()

    call("index")
    listed = call("facts", "list", "--json").json["memories"]
    one, two = (next(one["id"] for one in listed if words in one["text"]) for words in ("DAO", "merge queue"))
    assert call("facts", "delete", two, "--yes").status == 0
    (write,) = [record["id"] for record in call("history", "--json").json["writes"]]
    monkeypatch.setenv("_MEMTUI_COMPLETE", "fish_complete")
    assert any(line.startswith(f"plain,{one}\t禁止在 DAO") for line in offered("memtui facts show "))
    assert any(one in line for line in offered("memtui facts edit "))
    assert not any(one in line for line in offered("memtui facts add "))
    assert offered("memtui facts list --kind ru") == ["plain,rule"]
    for words in ("memtui undo ", "memtui history show ", "memtui trash restore "):
        assert any(line.startswith(f"plain,{write}\t") for line in offered(words)), words
    # Nothing is said in the middle of a line where something is wrong.
    assert offered(f"memtui facts --home {home}/nowhere show ") in ([], [""])


@pytest.mark.parametrize("name", [name for name, _place, _told in COMMANDS])
def test_an_option_without_its_value_is_told_so(call: Caller, home: Path, name: str) -> None:
    command = load(next(place for one, place, _told in COMMANDS if one == name))
    for option in command.options:
        if option.type != "flag" and not option.bare:
            done = call(name, option.names[0])
            assert done.status == 2
            assert "requires an argument" in done.err, option.names


def test_bash_understands_its_script(call: Caller) -> None:
    script = call("completion", "bash").out
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_doctor_mends_only_when_told(call: Caller, home: Path) -> None:
    from memtui.fs import displaced

    call("index")
    displaced.put_record({"nonsense": True})
    (home / "daily" / ".memtui-0123456789abcdef.tmp").write_bytes(b"half")
    before = read_files(home)
    dry = call("doctor", "--fix", "--json").json
    assert [one["mended"] for one in dry["fixes"]] == [False] * len(dry["fixes"])
    assert any("waits to be written" in one["what"] for one in dry["fixes"])
    assert read_files(home) == before
    people = call("doctor", "--fix")
    assert "--fix --yes" in people.err
    done = call("doctor", "--fix", "--yes", "--json").json
    assert all(one["mended"] or one["error"] for one in done["fixes"])
    assert {name: etag for name, etag in before.items() if ".tmp" not in name} == {
        name: etag for name, etag in read_files(home).items() if ".tmp" not in name
    }
    assert call("doctor", "--yes").status == 2


def test_doctor_looks_at_the_memories_when_asked(call: Caller, home: Path) -> None:
    facts = home / "areas/projects/shop/facts.json"
    facts.write_text(
        facts.read_text("utf-8").replace('"supersededBy": "fact-003"', '"supersededBy": "fact-404"'), "utf-8"
    )
    found = call("doctor", "--memories", "--json").json["checks"]
    (chain,) = (check for check in found if check["name"] == "chain")
    assert "fact-404" in chain["what"]
    assert "facts.json" in chain["what"]
    assert chain["remedy"]
    assert not [check for check in call("doctor", "--json").json["checks"] if check["name"] == "chain"]


def test_a_card_shows_counts_and_never_a_word(call: Caller, home: Path) -> None:
    done = call("card", "--output", "-")
    assert done.status == 0
    root = ET.fromstring(done.out)
    assert root.tag.endswith("svg")
    told = " ".join(filter(None, (element.text for element in root.iter())))
    counts = call("card", "--json").json
    assert f"{counts['memories']} memories" in told
    assert "2026-02-24: 2" in told
    assert {"day": "2026-02-24", "count": 2} in counts["days"]
    words = {word for path in home.rglob("*.md") for word in re.findall(r"[\w一-鿿]{4,}", path.read_text("utf-8"))}
    known = set(re.findall(r"[\w一-鿿]{4,}", told))
    assert not words & known - {word for word in known if word.isdigit()}
    assert str(home) not in done.out
    assert call("card").status == 0
    assert call("card").status == 3, "no file is replaced unasked"
    assert call("card", "--force").status == 0
    assert call("card", "--year", "2999").status == 2
    empty = call("card", "--year", "1999", "--output", "old.svg")
    assert empty.status == 1 and "Nothing happened" in empty.err
    assert not Path("old.svg").exists()
