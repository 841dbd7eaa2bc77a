"""`memtui search` to the letter of spec 001 §5.1, and for people."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Caller

pytestmark = pytest.mark.usefixtures("home")


def test_json_is_the_specifications(call: Caller, home: Path) -> None:
    done = call("search", "pytest", "--json")
    assert done.status == 0
    answer = done.json
    assert {"results", "disabled", "backend", "root", "warning"} <= answer.keys()
    assert answer["disabled"] is False
    assert answer["backend"] == "sqlite_fts"
    assert answer["root"] == str(home)
    first = answer["results"][0]
    assert {"path", "start_line", "end_line", "score", "snippet", "home", "layer", "kind"} <= first.keys()
    assert (first["path"], first["start_line"], first["end_line"]) == ("MEMORY.md", 5, 5)
    assert first["snippet"].startswith("- 测试一律用 pytest")
    assert 0 < first["score"] <= 1
    assert (first["layer"], first["kind"]) == ("core", "pref")


def test_words_need_no_quotes(call: Caller) -> None:
    assert call("search", "支付", "网关", "--json").json["results"][0]["path"] == "daily/2026-02-24.md"


def test_nothing_found_is_1_with_an_empty_document(call: Caller) -> None:
    done = call("search", "绝无此词", "--json")
    assert done.status == 1
    assert done.json["results"] == []
    assert call("search", "绝无此词").err == "Nothing matches.\n"


def test_no_home_is_said(call: Caller, home: Path) -> None:
    home.rename(home.with_name("gone"))
    done = call("search", "x", "--json")
    assert done.status == 1
    assert "memtui help homes" in done.json["warning"]


def test_superseded_is_left_out_counted_and_shown_when_asked(call: Caller) -> None:
    answer = call("search", "release branch", "--json").json
    assert "release branch" not in str(answer["results"])
    assert answer["hidden"] == {"superseded": 1}
    assert "--status all" in call("search", "release").err
    shown = call("search", "release branch", "--status", "all", "--json").json["results"]
    assert shown[0]["status"] == "superseded"


@pytest.mark.parametrize(
    ("flags", "paths"),
    [
        (["--layer", "journal"], {"daily/2026-02-24.md", "daily/2026-02-01.md"}),
        (["--layer", "journal", "--since", "7d"], {"daily/2026-02-24.md"}),
        (["--layer", "journal", "--until", "2026-02-10"], {"daily/2026-02-01.md"}),
        (["--kind", "decision"], {"daily/2026-02-24.md"}),
        (["--path", "areas/*/facts.json"], {"areas/projects/shop/facts.json"}),
    ],
)
def test_filters(call: Caller, flags: list[str], paths: set[str]) -> None:
    results = call("search", "支付", "--json", *flags).json["results"]
    assert {hit["path"] for hit in results} == paths


def test_limit_and_score(call: Caller) -> None:
    answer = call("search", "支付", "-n", "1", "--json").json
    assert len(answer["results"]) == 1
    assert answer["total"] > 1
    assert call("search", "支付", "--min-score", "1.01", "--json").status == 1


@pytest.mark.parametrize("mode", ["auto", "fts", "bm25", "scan", "hybrid", "vector"])
def test_every_mode_finds_and_says_what_answered(call: Caller, mode: str) -> None:
    answer = call("search", "支付", "--mode", mode, "--json").json
    assert answer["results"]
    assert answer["backend"] == ("scan" if mode == "scan" else "sqlite_fts")
    assert ("by meaning" in (answer["warning"] or "")) == (mode in {"hybrid", "vector"})


def test_lines_in_a_pipe_are_places_for_an_editor(call: Caller, home: Path) -> None:
    done = call("search", "pytest")
    first = done.out.splitlines()[0]
    assert re.fullmatch(r"\.memtui/MEMORY\.md:5: \[pref\] - 测试一律用 pytest，不用 unittest", first)


def test_on_a_terminal_it_is_aligned_coloured_and_cut(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.cli.render import count_line_cells

    monkeypatch.setenv("COLUMNS", "32")
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = call("search", "支付回调")
    assert "\x1b[1;33m支付" in done.out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.out)
    assert "\x1b" not in plain
    assert max(map(count_line_cells, plain.splitlines())) <= 32
    monkeypatch.setenv("NO_COLOR", "1")
    assert call("search", "支付回调").out == plain


def test_hostile_text_is_harmless(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("", "100"):
        monkeypatch.setenv("COLUMNS", columns)
        for argv in (["search", "hostile"], ["facts"], ["facts", "--json"], ["search", "hostile", "--json"]):
            done = call(*argv)
            assert done.status == 0
            assert not set("\x1b\x07\u202e") & set(done.out + done.err)
    assert "\u202e" in call("search", "hostile", "--json").json["results"][0]["snippet"]


def test_what_another_status_left_out_is_told_as_it_is(call: Caller, home: Path) -> None:
    (home / "facts.json").write_text(
        '{"facts": [{"id": "a", "fact": "gannet old", "status": "superseded"},'
        ' {"id": "b", "fact": "gannet new"}, {"id": "c", "fact": "gannet too"}]}'
    )
    for query in ("gannet", "path:facts.json"):
        assert "1 more is superseded" in call("search", query).err
        assert "2 more have another status" in call("search", query, "--status", "superseded").err
    found = call("search", "gannet new", "--json").json["results"]
    assert call("facts", "show", found[0]["id"], "--json").json["memory"]["text"] == "gannet new"


def test_lines_of_one_document_stand_together(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "".join(f"- the osprey nests at pier {number}, osprey and osprey\n" for number in range(1, 8))
    (home / "birds.md").write_text(f"# Birds\n\n{long}")
    (home / "boats.md").write_text("# Boats\n\n- the boat at pier 9 is called osprey, after the bird and the plane\n")
    (home / "facts.json").write_text(
        '{"facts": [{"id": "a", "fact": "osprey fact"}, {"id": "b", "fact": "osprey deed"}]}'
    )
    done = call("search", "osprey", "-n", "4")
    lines = done.out.splitlines()
    first = next(number for number, line in enumerate(lines) if "birds.md" in line)
    inside = lines[first + 1 : first + 4]
    assert all(re.match(r"  \.memtui/birds\.md:\d+: \[note\] - the osprey", line) for line in inside)
    assert lines[first + 4] == "    +3 lines"
    # A store of records is no document.
    assert len([line for line in lines if line.startswith(".memtui/facts.json:")]) == 2
    assert not done.err
    # Documents are counted; where there are few, their lines fill the room.
    one = call("search", "osprey", "-n", "3", "--path", "birds.md")
    assert len(one.out.splitlines()) == 5
    two = call("search", "osprey", "-n", "1")
    assert "1 of 4 documents, 10 matches; --max-results shows more" in two.err
    monkeypatch.setenv("COLUMNS", "60")
    shown = call("search", "osprey", "-n", "4").out
    assert re.search(r"birds\.md:(\d+).*\n  - the osprey.*\n(    :(?!\1)\d+ - the osprey.*\n){3}    \+3 lines\n", shown)
    answer = call("search", "osprey", "--json", "-n", "20").json
    assert sorted(number for group in answer["groups"] for number in group) == list(range(10))
    assert sorted(map(len, answer["groups"])) == [1, 1, 1, 7]
