"""Turns, calls with their parameters and results are found in every tool's own transcripts; in which order, and how
much of one session.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import apsw
import pytest

from memtui.store.vault import Vault
from tests.homes.openakita import database
from tests.traces.scenes import SESSION, ask, bash, claude, project, told, unfold

HOMES = Path(__file__).parents[1] / "homes"


def test_claude_code(tmp_path: Path) -> None:
    text = claude(
        "支付回调为什么会重复？",
        bash("t1", "grep -rn idempotency_key src/pay"),
        {"id": "t1", "content": "src/pay/callback.py:42: idempotency_key = None"},
        [{"type": "thinking", "thinking": "也许是重试"}, {"type": "text", "text": "没有幂等键。"}],
    )
    home = project(tmp_path, text)
    assert told(ask(home, "回调")) == [(1, "user", "支付回调为什么会重复？")]
    call, result = sorted(ask(home, "idempotency_key"), key=lambda trace: trace.line)
    assert (call.role, call.tool, call.snippet) == (
        "tool_call",
        "Bash",
        "command: grep -rn idempotency_key src/pay",
    )
    assert (result.role, result.tool, result.line) == ("tool_result", "Bash", 3)
    assert result.session == SESSION
    assert (result.home, result.path) == (str(home), f"{SESSION}.jsonl")
    assert told(ask(home, "重试")) == [(4, "thinking", "也许是重试")]
    # Every parameter, not only the most telling.
    assert [trace.role for trace in ask(home, "120000")] == ["tool_call"]
    assert [trace.role for trace in ask(home, "Bash")] == ["tool_call"]


def test_the_conversation_from_a_trace_on(tmp_path: Path) -> None:
    long = "first line\n" + "more\n" * 400
    home = project(tmp_path, claude("run it", bash("t", "make"), {"id": "t", "content": long}, "thanks"))
    [call] = ask(home, "make")
    steps = unfold(home, call)
    assert [(step.line, step.role) for step in steps] == [(2, "tool_call"), (3, "tool_result"), (4, "user")]
    assert steps[1].snippet == long.strip()
    with Vault.open([home], wait=False) as vault:
        assert vault.unfolded("../../../etc/passwd", 1) == []


def test_claude_codes_own_directory_and_sub_agents(tmp_path: Path) -> None:
    home = project(tmp_path, claude("ask the helper"))
    helper = home / SESSION / "subagents" / "agent-a1.jsonl"
    helper.parent.mkdir(parents=True)
    helper.write_text(claude("look for the zebra"), encoding="utf-8")
    (home / "memory").mkdir()
    (home / "memory" / "MEMORY.md").write_text("- zebra\n", encoding="utf-8")
    [found] = ask(tmp_path, "zebra")
    assert found.path == f"projects/-home-lin-shop/{SESSION}/subagents/agent-a1.jsonl"
    assert found.session == SESSION


def test_what_a_resumed_session_repeats_is_found_once(tmp_path: Path) -> None:
    text = claude("the same walrus")
    home = project(tmp_path, text)
    project(tmp_path, text + claude("and now?", start=1), "1bb1c7de-1111-4222-8333-0123456789ab")
    found = ask(home, "walrus")
    assert len(found) == found.total == 1


def test_codex(tmp_path: Path) -> None:
    home = tmp_path / "codex"
    shutil.copytree(HOMES / "codex", home)
    [call] = ask(home, "pytest", role=["tool_call"])
    assert (call.tool, call.session) == ("shell", "0195aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee")
    assert call.snippet == "command: bash, -lc, pytest -q"
    # Said as an event and as an item, and found once; what was injected isn't.
    assert [trace.line for trace in ask(home, "幂等键", role=["user"])] == [6]
    assert [trace.role for trace in ask(home, "测试通过")] == ["assistant"]
    assert ask(home, "AGENTS.md instructions") == []
    assert [trace.role for trace in ask(home, '"old rollout without payloads"')] == ["user"]


def test_what_codex_says_twice_is_taken_back_when_the_event_comes_later(tmp_path: Path) -> None:
    lines = (HOMES / "codex/sessions/2026/02/20").glob("*.jsonl")
    every = next(lines).read_text(encoding="utf-8").splitlines(keepends=True)
    file = tmp_path / ".codex" / "sessions" / "2026" / "02" / "20" / "rollout-2026-02-20T17-00-00-x.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(every[:5]), encoding="utf-8")
    assert [trace.line for trace in ask(tmp_path / ".codex", "幂等键")] == [5]
    file.write_text("".join(every), encoding="utf-8")
    assert [trace.line for trace in ask(tmp_path / ".codex", "幂等键", role=["user"])] == [6]


def history(folder: Path) -> None:
    messages = [
        {"role": "user", "content": "把超时改成 30 秒", "ts": "2026-02-24T15:31:00Z"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "exec", "arguments": '{"command": "sed -i s/10/30/ conf.yaml"}'},
                }
            ],
            "ts": "2026-02-24T15:31:05Z",
        },
        {"role": "tool", "tool_call_id": "c1", "content": "conf.yaml changed", "ts": "2026-02-24T15:31:06Z"},
    ]
    folder.mkdir(parents=True)
    lines = (json.dumps(message, ensure_ascii=False) for message in messages)
    (folder / "history.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_xinghebot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = tmp_path / "shop" / ".multi_agent" / "memory"
    shutil.copytree(HOMES / "xinghebot", memory)
    history(tmp_path / "shop" / ".multi_agent" / "runs" / "run-20260224-153000-abc123" / "agents" / "primary")
    found = ask(memory, "conf.yaml")
    assert {(trace.role, trace.tool) for trace in found} == {("tool_call", "exec"), ("tool_result", "exec")}
    [said] = ask(memory, "超时")
    assert said.session == "run-20260224-153000-abc123"
    assert said.path == "../runs/run-20260224-153000-abc123/agents/primary/history.jsonl"
    assert [step.role for step in unfold(memory, said)] == ["user", "tool_call", "tool_result"]
    # The index stands where the layout has its own.
    assert (memory / "index" / "traces.current").exists()


def openakita(tmp_path: Path) -> Path:
    """A workspace with the same session in all three sources, and one of its own in each."""
    home = tmp_path / "akita"
    memory = home / "data" / "memory"
    (home / "identity").mkdir(parents=True)
    connection = database(memory / "openakita.db", wal=True)
    connection.execute("DROP TABLE conversation_turns")
    connection.execute(
        "CREATE TABLE conversation_turns (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, role TEXT,"
        " content TEXT, tool_calls TEXT, tool_results TEXT, timestamp TEXT, UNIQUE (session_id, turn_index))"
    )
    calls = '[{"id": "k", "name": "web_search", "input": {"query": "海豚 pods"}}]'
    results = '[{"tool_use_id": "k", "content": "dolphin facts"}]'
    rows = [
        ("telegram:1001", 0, "user", "看看海豚", None, None, "2026-02-20T09:00:00"),
        ("telegram:1001", 1, "assistant", "好的", calls, results, "2026-02-20T09:00:05"),
    ]
    sql = "INSERT INTO conversation_turns (session_id, turn_index, role, content, tool_calls, tool_results, timestamp)"
    connection.executemany(f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.close()
    traces = home / "data" / "react_traces" / "20260220"
    traces.mkdir(parents=True)
    for session in ("telegram_1001", "desk_7"):
        iteration = {
            "iteration": 1,
            "text_content": "先搜索海豚",
            "tool_calls": [{"name": "web_search", "input": {"query": f"海豚 {session}"}}],
            "tool_results": [{"result_content": "dolphin page"}],
        }
        document = {
            "conversation_id": session,
            "started_at": "2026-02-20T10:00:00",
            "iterations": [iteration],
        }
        text = json.dumps(document, ensure_ascii=False, indent=2)
        (traces / f"trace_{session}_1.json").write_text(text, encoding="utf-8")
    (memory / "conversation_history").mkdir()
    for session in ("telegram_1001", "desk_7", "cli_3"):
        turn = {"role": "user", "content": f"海豚 in {session}", "timestamp": "2026-02-20T11:00:00"}
        line = json.dumps(turn, ensure_ascii=False) + "\n"
        (memory / "conversation_history" / f"{session}.jsonl").write_text(line, encoding="utf-8")
    return home


def test_openakita_in_the_order_of_the_specification(tmp_path: Path) -> None:
    home = openakita(tmp_path)
    found = ask(home, "海豚", limit=50)
    assert {(trace.session, trace.path.rpartition("/")[2]) for trace in found} == {
        ("telegram:1001", "openakita.db"),
        ("desk_7", "trace_desk_7_1.json"),
        ("cli_3", "cli_3.jsonl"),
    }
    [result] = ask(home, "dolphin facts", role=["tool_result"], session="telegram")
    assert (result.tool, result.line, result.snippet) == ("web_search", 2, "dolphin facts")
    [page] = ask(home, '"dolphin page"')
    assert (page.session, page.line) == ("desk_7", 5)
    [row] = ask(home, "看看")
    assert [step.role for step in unfold(home, row)] == ["user", "assistant", "tool_call", "tool_result"]


def test_openakita_while_it_writes_and_when_its_database_goes(tmp_path: Path) -> None:
    home = openakita(tmp_path)
    assert ask(home, "海豚")
    file = home / "data" / "memory" / "openakita.db"
    writer = apsw.Connection(str(file))
    writer.execute("BEGIN IMMEDIATE")
    sql = "INSERT INTO conversation_turns (session_id, turn_index, role, content) VALUES (?, ?, 'user', ?)"
    writer.execute(sql, ("telegram:1001", 2, "一只新的鲸鱼"))
    assert ask(home, "鲸鱼") == []
    writer.execute("COMMIT")
    [found] = ask(home, "鲸鱼")
    assert found.session == "telegram:1001"
    writer.execute("DELETE FROM conversation_turns WHERE turn_index = 0")
    assert ask(home, "看看") == []
    writer.close()
    for name in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        name.unlink(missing_ok=True)
    # Now the traces are the first that hold the session.
    assert {trace.path.rpartition("/")[2] for trace in ask(home, "海豚", session="telegram")} == {
        "trace_telegram_1001_1.json"
    }


def test_a_database_of_another_shape_is_no_reason_to_fail(tmp_path: Path) -> None:
    home = tmp_path / "akita"
    database(home / "data" / "memory" / "openakita.db").close()
    [found] = ask(home, "不该成为记忆")
    assert found.role == "user"
    (home / "data" / "memory" / "openakita.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert ask(home, "不该成为记忆") == []


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
        claude("connection pool timeout", "timeout of the connection", bash("t", "ping --timeout 3"), "pool only"),
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


def test_many_matches_keep_the_one_that_holds_all_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
