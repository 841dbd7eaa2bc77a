"""`memtui traces`: places, masked words, and the way on to the whole conversation.

`memtui route` names documents, and makes INDEX.md anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Caller
from tests.traces.scenes import SESSION, bash, claude, project


def test_it_says_that_it_reads_them_for_the_first_time(call: Caller, tmp_path: Path) -> None:
    home = project(tmp_path, claude("a civet", bash("t", "ls civet")))
    first = call("traces", "--home", str(home), "--days", "0", "civet")
    assert first.status == 0
    assert "for the first time" in first.err
    assert "--show" in first.err
    place, _, rest = first.out.splitlines()[0].partition(": ")
    assert place == f"{home}/{SESSION}.jsonl:1"
    assert rest == "[2026-02-20 09:00  user] a civet"
    assert "tool_call Bash] command: ls civet" in first.out.splitlines()[1]
    again = call("traces", "--home", str(home), "--days", "0", "civet")
    assert "for the first time" not in again.err
    shown = call("traces", "--home", str(home), "--show", place)
    assert shown.out.splitlines() == [
        "1  2026-02-20 09:00  user", "a civet", "", "2  2026-02-20 09:00  tool_call Bash", "Bash",
        "command: ls civet", "timeout: 120000", "",
    ]  # fmt: skip


def test_json(call: Caller, tmp_path: Path) -> None:
    home = project(tmp_path, claude("a civet", bash("t", "ls civet")))
    found = call("traces", "--json", "--home", str(home), "--days", "0", "--role", "tool_call", "civet")
    assert found.status == 0
    [result] = found.json["results"]
    assert {key: result[key] for key in ("path", "line", "session", "role", "tool", "home")} == {
        "path": f"{SESSION}.jsonl", "line": 2, "session": SESSION, "role": "tool_call", "tool": "Bash",
        "home": str(home),
    }  # fmt: skip
    assert result["time"].startswith("2026-02-20T09:00:01")
    assert set(result) == {"path", "line", "session", "time", "role", "tool", "snippet", "score", "home"}
    assert (found.json["backend"], found.json["warning"], found.json["total"]) == ("traces_fts", None, 1)
    shown = call("traces", "--json", "--home", str(home), "--show", f"{SESSION}.jsonl:1", "-n", "1")
    assert [step["snippet"] for step in json.loads(shown.out)["results"]] == ["a civet"]


def test_nothing_found_wrong_use_and_homes_without_conversations(call: Caller, tmp_path: Path) -> None:
    home = project(tmp_path, claude("a civet"))
    none = call("traces", "--home", str(home), "civet")
    assert none.status == 1
    assert "--days 0" in none.err
    assert call("traces", "--home", str(home)).status == 2
    assert call("traces", "--home", str(home), "--role", "ghost", "civet").status == 2
    assert call("traces", "--home", str(home), "--show", "nowhere.jsonl:3").status == 1
    plain = tmp_path / "notes"
    plain.mkdir()
    (plain / "a.md").write_text("- civet\n", encoding="utf-8")
    assert call("traces", "--home", str(plain), "civet").status == 1


def test_hostile_words_on_a_terminal(call: Caller, tmp_path: Path) -> None:
    home = project(tmp_path, claude({"id": "t", "content": "\x1b]0;owned\x07\x1b[2Ja civet\u202e\x9b31m"}))
    found = call("traces", "--home", str(home), "--days", "0", "civet")
    assert "civet" in found.out
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(found.out)


def test_any_number_of_days_is_understood_or_refused(call: Caller, tmp_path: Path) -> None:
    home = project(tmp_path, claude("a civet"))
    assert call("traces", "--home", str(home), "--days", "1e300", "civet").status == 0
    for days in ("nan", "inf", "-inf", "-1"):
        assert call("traces", "--home", str(home), "--days", days, "civet").status == 2


def test_the_documents_that_words_lead_to(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "INDEX.md").write_text(
        "| keywords | document |\n|---|---|\n| 支付, pay | areas/projects/shop/rules.md |\n", "utf-8"
    )
    route = {
        "home": str(home),
        "path": "areas/projects/shop/rules.md",
        "trigger": "支付",
        "source": "INDEX.md:3",
        "command": "",
    }
    done = call("route", "支付怎么做", "--json")
    assert (done.status, done.json) == (0, {"routes": [route]})
    shown = call("route", "how to", "pay")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == ".memtui/areas/projects/shop/rules.md  pay  INDEX.md:3\n"
    assert call("route", "nothing of it", "--json").json == {"routes": []}
    none = call("route", "nothing of it")
    assert (none.status, none.out, none.err) == (1, "", "No rule leads anywhere.\n")
    monkeypatch.setenv("MEMTUI_ROUTING_TRIGGERS", "buy|kaufen: MEMORY.md")
    assert call("route", "kaufen", "--json").json["routes"][0]["source"] == "config"
    monkeypatch.setenv("MEMTUI_ROUTING_ENABLED", "false")
    assert "routing.enabled" in call("route", "kaufen").err


def test_making_the_index_anew(call: Caller, home: Path) -> None:
    planned = call("route", "--regenerate", "--dry-run")
    assert planned.status == 0 and "+| shop" in planned.out
    assert not (home / "INDEX.md").exists()
    done = call("route", "--regenerate", "--json")
    assert done.json["receipt"]["paths"] == [str(home / "INDEX.md")]
    assert "owned" not in done.out or "\x1b" not in done.out
    assert call("route", "shop", "--json").json["routes"]
    again = call("route", "--regenerate")
    assert (again.status, again.err) == (1, "INDEX.md is up to date.\n")
    assert call("undo").status == 0
    assert not (home / "INDEX.md").exists()


@pytest.mark.parametrize("argv", [[], ["--dry-run"], ["x", "--dry-run"], ["x", "--regenerate"]], ids=str)
def test_wrong_use(call: Caller, home: Path, argv: list[str]) -> None:
    assert call("route", *argv).status == 2


def test_a_home_of_another_layout_has_no_index_of_ours(call: Caller, alone: Path) -> None:
    (alone / "notes").mkdir()
    (alone / "notes/a.md").write_text("# a\n", "utf-8")
    assert call("route", "--regenerate", "--home", "notes").status == 2
