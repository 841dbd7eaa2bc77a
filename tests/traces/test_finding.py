"""What is found, in which order, and how much of one session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.store.vault import Vault
from tests.traces.scenes import SESSION, ask, bash, claude, project

OTHER = "1bb1c7de-1111-4222-8333-0123456789ab"


def test_no_session_more_than_thrice(tmp_path: Path) -> None:
    home = project(tmp_path, claude(*(f"the gecko number {number}" for number in range(12))))
    project(tmp_path, claude("a gecko elsewhere", start=30), OTHER)
    found = ask(home, "gecko")
    assert [trace.session for trace in found].count(SESSION) == 3
    assert [trace.session for trace in found].count(OTHER) == 1
    assert found.total == 13
    assert len(ask(home, "gecko", session=SESSION[:8])) == 10
    assert len(ask(home, "gecko", session=SESSION, limit=50)) == 12


def test_the_newest_of_equals_comes_first(tmp_path: Path) -> None:
    home = project(tmp_path, claude("the ibex", "the ibex ", " the ibex"))
    assert [trace.line for trace in ask(home, "ibex")] == [3, 2, 1]


def test_phrases_refusals_and_roles(tmp_path: Path) -> None:
    home = project(
        tmp_path,
        claude(
            "connection pool timeout", "timeout of the connection", bash("t", "ping --timeout 3"), "pool only"
        ),
    )
    assert [trace.line for trace in ask(home, '"connection pool"')] == [1]
    assert sorted(trace.line for trace in ask(home, "timeout -connection")) == [3]
    assert [trace.line for trace in ask(home, "timeout", role=["tool_call"])] == [3]
    assert ask(home, "timeout")[0].marks
    both = ask(home, "connection pool")
    assert both[0].line == 1
    assert all(0 < trace.score <= 1 for trace in both)
    assert both[0].score > both[-1].score


def test_chinese_and_identifiers(tmp_path: Path) -> None:
    home = project(
        tmp_path,
        claude(
            "数据库连接池超时了",
            bash("t", "cat src/db/ConnectionPool.java"),
            "无关的一句话",
            "max_pool_size 改成 20",
        ),
    )
    assert [trace.line for trace in ask(home, "连接池")] == [1]
    assert [trace.line for trace in ask(home, "池")] == [1]
    assert [trace.line for trace in ask(home, "max_pool_size")] == [4]
    assert [trace.line for trace in ask(home, "connection")] == [2]
    # Nothing holds the whole identifier: its words are looked for.
    assert [trace.line for trace in ask(home, "java_connection")] == [2]


def test_a_snippet_shows_the_line_of_a_long_result(tmp_path: Path) -> None:
    lines = [f"line {number} of nothing much" for number in range(3_000)]
    lines[2_500] = "E   AssertionError: the axolotl is not a fish"
    home = project(tmp_path, claude({"id": "t", "content": "\n".join(lines)}))
    [found] = ask(home, "axolotl")
    assert found.snippet == "E   AssertionError: the axolotl is not a fish"
    assert [found.snippet[a:b] for a, b in found.marks] == ["axolotl"]
    long = "y" * 900 + " the axolotl " + "z" * 900
    project(tmp_path, claude(long), OTHER)
    assert all(len(trace.snippet) <= 240 for trace in ask(home, "axolotl"))


def test_several_homes_at_once(tmp_path: Path) -> None:
    one = project(tmp_path / "one", claude("the lemur"))
    two = project(tmp_path / "two", claude("the lemur and the loris"))
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "notes.md").write_text("- lemur\n", encoding="utf-8")
    with Vault.open([one, two, plain], wait=False) as vault:
        found = vault.traces("lemur", days_back=None)
        assert {trace.home for trace in found} == {str(one), str(two)}
        assert found.total == 2


def test_many_matches_keep_the_one_that_holds_all_the_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.search.transcript_search.RANKED", 40)
    old = claude("the manatee deadlock")
    new = claude(*(f"{word} number {n}" for n in range(100) for word in ("manatee", "deadlock")), start=60)
    home = project(tmp_path, old + new)
    found = ask(home, "manatee deadlock")
    assert found[0].line == 1
    assert found.more


def test_the_app_shows_what_it_showed(tmp_path: Path) -> None:
    """The transcript view's turns are cut and told on one line, whatever the index reads."""
    from memtui.formats.transcripts import read_turns

    long = {"id": "t", "content": "r" * 10_000}
    call = bash("t", "make -j8\nmake install")
    home = project(tmp_path, claude("go", call, long))
    found = read_turns(str(home / f"{SESSION}.jsonl"), "claude-transcript").turns
    assert [turn.text for turn in found[:2]] == ["go", "make -j8 make install"]
    assert found[2].text.endswith("(+2,000 characters)")
    assert json.dumps(call)
