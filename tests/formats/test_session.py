"""Session files in every form: one head, then what was done, decided, left open and touched.

Signal reports (spec 002): rows, bullets and headings of signals with their numbers, prose as notes.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core import clock
from memtui.core.model import Entry, Layer, Parsed
from tests.formats.reading import check_lines, read, utc


@pytest.fixture(autouse=True)
def _zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "UTC")


def split(parsed: Parsed) -> tuple[Entry, list[tuple[str, str]]]:
    check_lines(parsed)
    head, *items = parsed.entries
    assert (head.kind, head.layer) == ("session", Layer.SESSION)
    assert {entry.session for entry in items} <= {head.session}
    return head, [(entry.kind, entry.text) for entry in items]


@pytest.mark.parametrize("mode", ["工作流", "自由", "对话"])
def test_the_summary_of_spec_000(mode: str) -> None:
    text = (
        f"# 会话摘要\n\n**Session ID:** 1d6e01ef\n**时间:** 2025-01-15 14:30\n**项目:** my-webapp\n**模式:** {mode}\n\n"
        "## 做了什么\n- 迁移到 JWT\n\n## 关键决策\n- 选择 RS256\n\n## 未完成\n- 刷新 token\n"
    )
    head, items = split(read("session", text, "sessions/1d6e01ef.md"))
    assert items == [("event", "迁移到 JWT"), ("decision", "选择 RS256"), ("todo", "刷新 token")]
    assert (head.title, head.session, head.created) == ("迁移到 JWT", "1d6e01ef", utc(2025, 1, 15, 14, 30))
    assert (head.start, head.end) == (1, 6)
    assert (head.extra["project"], head.extra["mode"], head.extra["todos"]) == ("my-webapp", mode, 1)


def test_what_the_hook_of_v2_really_wrote() -> None:
    text = (
        "# Session: sess_ab12cd34\n\n- 时间: 2026-03-07 10:20:30\n- 事件数: 12\n"
        "- 子代理数: 1\n- 摘要: 事件: tool_call:9 | 工具: Read\n"
    )
    head, items = split(read("session", text, "user/sessions/20260307_ab12cd34.md"))
    assert items == []
    assert (head.session, head.created) == ("sess_ab12cd34", utc(2026, 3, 7, 10, 20, 30))
    assert head.title == "事件: tool_call:9 | 工具: Read"
    assert (head.extra["events"], head.extra["subagents"]) == (12, 1)


def test_the_capture_of_spec_001() -> None:
    text = (
        "# Session Capture\n\n- run_id: run-7\n- captured_at: 2026-02-24T15:40:00Z\n\n## Compaction Summary\n\n"
        "- at: 2026-02-24T15:39:00Z\n- 改成流式\n\n## Messages (last 2)\n\n- 2026-02-24T15:31:00Z user: 太慢了\n"
        "- ? tool: tool(exec): rg\n"
    )
    parsed = read("session", text, "sessions/2026-02-24-run-7.md")
    head, items = split(parsed)
    assert items == [
        ("summary", "改成流式"),
        ("message", "user: 太慢了"),
        ("message", "tool: tool(exec): rg"),
    ]
    assert (head.session, head.extra["run"], head.title) == ("run-7", "run-7", "改成流式")
    assert parsed.entries[2].created == utc(2026, 2, 24, 15, 31)
    assert parsed.entries[3].extra["role"] == "tool"


HEAD_002 = (
    "# 会话摘要: abc\n\n- **项目**: demo\n- **时间**: 2026-02-10 14:30 (最后更新)\n- **工作目录**: /p\n"
    "- **原始大小**: 256KB (1200 行)\n- **原始文件**: `/x/y.jsonl`\n\n---\n\n"
)


def test_the_json_mode_of_spec_002() -> None:
    text = HEAD_002 + (
        "## 主题\n登录\n\n## 关键知识点\n- bcrypt\n\n## 涉及文件\n- `a.ts`\n\n"
        "## 决策记录\n- JWT\n\n## 待办事项\n- [ ] t\n- [x] u\n"
    )
    head, items = split(read("session", text, "sessions/abc.md"))
    assert items == [
        ("summary", "登录"), ("note", "bcrypt"), ("file", "`a.ts`"), ("decision", "JWT"), ("todo", "t"), ("todo", "u"),
    ]  # fmt: skip
    assert (head.title, head.updated, head.end) == ("登录", utc(2026, 2, 10, 14, 30), 7)
    assert (head.extra["cwd"], head.extra["transcript"]) == ("/p", "/x/y.jsonl")


def test_the_markdown_mode_of_spec_002() -> None:
    text = HEAD_002 + (
        "1. **主题**: 修 CI\n2. **关键知识点**:\n   - 缓存键\n   - 时区\n"
        "3. **涉及文件**: a.yml, Makefile\n4. **决策记录**: 自建\n"
    )
    parsed = read("session", text, "sessions/abc.md")
    head, items = split(parsed)
    assert items == [
        ("summary", "修 CI"), ("note", "缓存键"), ("note", "时区"), ("file", "a.yml, Makefile"), ("decision", "自建"),
    ]  # fmt: skip
    assert [entry.heading for entry in parsed.entries[2:5]] == [
        ("关键知识点",),
        ("关键知识点",),
        ("涉及文件",),
    ]
    assert (head.title, head.extra["files"]) == ("修 CI", 2)


def test_degraded_remains() -> None:
    text = "# 会话记录: abc\n\n**[摘要不可用: claude CLI 未安装]**\n\n[user]: 为什么失败\n"
    head, items = split(read("session", text, "sessions/abc.md"))
    assert items == [("message", "[user]: 为什么失败")]
    assert (head.session, head.extra["degraded"]) == ("abc", "摘要不可用: claude CLI 未安装")


def test_the_state_of_v3() -> None:
    text = (
        "# 恢复快照\n\n## 主线目标\n做搜索\n\n## 正在做什么\n写迁移\n\n## 下一步\n"
        "- 压测\n\n## 阻塞项\n无\n\n## 已标记技能\n- ui\n"
    )
    head, items = split(read("session", text, ".helloagents/sessions/main/019c32d0/STATE.md"))
    assert items == [("summary", "做搜索"), ("event", "写迁移"), ("todo", "压测"), ("skill", "ui")]
    assert (head.session, head.extra["workspace"], head.title) == ("019c32d0", "main", "做搜索")
    assert head.created is None


@pytest.mark.parametrize("text", ["", "\n\n", "\0\0\0", " \r\n"])
def test_an_empty_file_is_no_session(text: str) -> None:
    assert read("session", text, "sessions/a.md").entries == []


def test_names_and_times_out_of_the_file_name() -> None:
    head, _ = split(read("session", "just words\n", "sessions/2026-02-24-run-20260224-153000-abc.md"))
    assert (head.session, head.created) == ("run-20260224-153000-abc", utc(2026, 2, 24, 15, 30))
    name = "rollout-2026-02-06T19-57-42-019c32d0-ad7a-70b2-b378-c2b94a4ce4a3"
    head, _ = split(read("session", "# Fix the build\n\ntext\n", f"rollout_summaries/{name}.md"))
    assert (head.session, head.created, head.title) == (name, utc(2026, 2, 6, 19, 57, 42), "Fix the build")


def test_frontmatter_above_a_session() -> None:
    text = "---\nsession_id: s-9\ndate: 2026-02-10\nproject: demo\ntags: [a]\n---\n# 会话摘要\n\n## 做了什么\n- x\n"
    head, items = split(read("session", text, "sessions/q.md"))
    assert (head.session, head.created, head.extra["project"]) == ("s-9", utc(2026, 2, 10), "demo")
    assert (head.end, items) == (7, [("event", "x")])


def test_an_id_in_a_comment() -> None:
    text = "# 会话摘要\n<!-- HELLOAGENTS_SESSION_ID: 11-22 -->\n\n## 做了什么\n- x\n"
    assert split(read("session", text, "sessions/q.md"))[0].session == "11-22"


def test_a_rollout_summary_has_its_fields_above_its_title() -> None:
    text = (
        "thread_id: 019c32d0-ad7a\nupdated_at: 2026-02-06T20:10:00+00:00\ncwd: /home/u/shop\n\n# Migrated to JWT\n\n"
        "Rollout context: asked.\n\n## Task 1\n\n- did a\n"
    )
    head, items = split(read("session", text, "rollout_summaries/2026-02-06T19-57-42-jwt.md"))
    assert (head.title, head.session, head.updated) == (
        "Migrated to JWT", "019c32d0-ad7a", utc(2026, 2, 6, 20, 10),
    )  # fmt: skip
    assert items == [("note", "Rollout context: asked."), ("note", "did a")]


def test_a_title_is_one_line_of_an_item() -> None:
    head, _ = split(read("session", "# 会话摘要\n\n## 做了什么\n- 迁移到 JWT\n  - 删除旧中间件\n"))
    assert head.title == "迁移到 JWT"


def test_a_raw_dialogue_is_what_people_said() -> None:
    text = "# 会话记录: abc\n\n---\n\nUser: 看看这个报错\n\n**Assistant**: import 错了\n\n/tmp/x.log\n"
    head, items = split(read("session", text, "sessions/abc.md"))
    assert [kind for kind, _ in items] == ["message", "message", "note"]
    assert (head.title, head.extra["degraded"], head.extra["messages"]) == ("看看这个报错", "raw dialogue", 2)


@pytest.mark.parametrize("written", ["2025/01/15 14:30", "2025/1/15 14:30", "2025年1月15日 14:30", "2025-01-15 14:30"])
def test_times_as_people_type_them(written: str) -> None:
    head, _ = split(read("session", f"# 会话摘要\n\n**时间:** {written}\n\n## 做了什么\n- x\n"))
    assert head.created == utc(2025, 1, 15, 14, 30)


def test_frontmatter_knows_the_session_better_than_the_title() -> None:
    text = "---\nsession_id: sm\n---\n\n# Session summary: login\n\n## Decisions\n- x\n"
    head, items = split(read("session", text, "sessions/a.md"))
    assert (head.session, head.title, items) == ("sm", "Session summary: login", [("decision", "x")])


def test_the_lines_of_a_head_that_nobody_knows_are_kept() -> None:
    text = (
        "thread_id: 019c\nupdated_at: 2026-02-06T20:00:00+00:00\ncwd: /p\ngit_branch: main\nnovel: v\n\n"
        "# Fixed\n\nRollout context: x\n"
    )
    head, items = split(read("session", text, "rollout_summaries/2026-02-06T19-57-42-abcd-fix.md"))
    assert (head.session, head.key, head.title) == ("019c", "019c", "Fixed")
    assert {"cwd": "/p", "branch": "main", "novel": "v"}.items() <= head.extra.items()
    assert items == [("note", "Rollout context: x")]


def test_tags_and_sections_with_nothing_in_them() -> None:
    text = "# 会话摘要: s1\n\n- **项目**: p\n- **标签**: #登录、jwt\n\n---\n\n1. **涉及文件**：无\n2. **决策记录**：d\n"
    head, items = split(read("session", text, "sessions/s1.md"))
    assert (head.tags, items) == (("登录", "jwt"), [("decision", "d")])


def test_keywords_become_tags_and_paths_links() -> None:
    text = (
        "# X 知识库\n\n## 模块关键词索引\n\n| 模块 | 关键词 | 文件 |\n|---|---|---|\n"
        "| auth | jwt, 登录，令牌 | `modules/auth.md` |\n"
        "| cart | 购物车 | [cart](modules/cart.md) |\n\n## 知识库状态\n\n```yaml\nkb_version: 2\n```\n"
    )
    auth, cart, state = read("index", text, "INDEX.md", kind="index").entries
    assert (auth.kind, auth.title, auth.tags) == ("index", "auth", ("jwt", "登录", "令牌"))
    assert (auth.links, cart.links) == (("modules/auth.md",), ("modules/cart.md",))
    assert (auth.start, auth.heading) == (7, ("X 知识库", "模块关键词索引"))
    assert (state.start, state.end, state.kind) == (12, 14, "note")


@pytest.mark.parametrize("empty", ["当前暂无会话摘要", "> 暂无归档", "| （暂无） | | |", "*None yet.*"])
def test_an_empty_index_has_no_entries(empty: str) -> None:
    assert read("index", f"# 索引\n\n| a | b | c |\n|---|---|---|\n\n{empty}\n", "sessions/_index.md").entries == []


def test_archives_are_dated_by_their_first_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    text = (
        "| 时间戳 | 名称 | 类型 |\n|---|---|---|\n| 202601281015 | cart | impl |\n| 2026-02-01 | x | y |\n| 9 | z | |\n"
    )
    entries = read("index", text, "archive/_index.md", kind="index").entries
    assert [entry.title for entry in entries] == ["cart", "x", "z"]
    assert [entry.created for entry in entries] == [utc(2026, 1, 28, 10, 15), utc(2026, 2, 1), None]


PATH = "evolution/signal_report_latest.md"


def test_a_gate_is_no_task_of_anybody() -> None:
    text = "# Signal report\n\n## Gates for new capabilities\n\n- [x] skills may be made: on\n- [ ] lately: 1 of 5\n"
    assert {entry.kind for entry in read("report", text, PATH, layer=Layer.EVOLUTION).entries} == {"note"}


def test_a_table_in_chinese_gives_signals_that_can_be_sorted() -> None:
    text = (
        "# 信号分析报告\n\n> 生成时间: 2026-02-26 10:00\n\n## 信号统计\n\n"
        "| 信号 | 次数 | 优先级 | 状态 | 最后出现 | 建议 |\n|---|---|---|---|---|---|\n"
        "| environment_issue | 5 | CRITICAL | active | 2026-02-25 | 写脚本 |\n"
        "| `user_correction` | 3 次 | 🔴 高 | 已抑制 | - | |\n\n考虑为 environment_issue 生成能力。\n"
    )
    parsed = read("report", text, PATH, layer=Layer.EVOLUTION)
    made, first, second, prose = parsed.entries
    assert (made.kind, made.created) == ("note", utc(2026, 2, 26, 10))
    assert (first.kind, first.start, first.heading) == ("signal", 9, ("信号分析报告", "信号统计"))
    assert first.extra == {
        "signal": "environment_issue",
        "count": 5,
        "priority": "critical",
        "status": "active",
        "last_seen": "2026-02-25",
        "建议": "写脚本",
    }
    assert first.updated == utc(2026, 2, 25)
    assert first.text == "environment_issue: 5×, critical, active, last seen 2026-02-25 · 写脚本"
    told = {name: second.extra.get(name) for name in ("signal", "count", "priority", "status", "last_seen")}
    assert told == {
        "signal": "user_correction", "count": 3, "priority": "high", "status": "suppressed", "last_seen": None,
    }  # fmt: skip
    assert (prose.kind, prose.created) == ("note", utc(2026, 2, 26, 10))
    check_lines(parsed)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "- **environment_issue + dependency_issue**: 3 次 [high] (active)",
            {
                "signal": "environment_issue + dependency_issue",
                "count": 3,
                "priority": "high",
                "status": "active",
            },
        ),
        (
            "- `session_had_errors`: 4 occurrences, last seen 2026-02-24, priority: high",
            {"signal": "session_had_errors", "count": 4, "priority": "high", "last_seen": "2026-02-24"},
        ),
        (
            "* capability_gap (count=2, priority=normal, status=addressed)",
            {"signal": "capability_gap", "count": 2, "priority": "normal", "status": "addressed"},
        ),
        (
            "1. 🔴 [CRITICAL] test_failure: 5 of the last 8 sessions",
            {"signal": "test_failure", "count": 5, "priority": "critical"},
        ),
        ("- error: 7", {"signal": "error", "count": 7}),
        ("- user_correction ×4", {"signal": "user_correction", "count": 4}),
    ],
)
def test_bullets(line: str, told: dict[str, object]) -> None:
    (entry,) = read("report", f"{line}\n", PATH).entries
    assert (entry.kind, entry.extra) == ("signal", told)
    assert str(told["signal"]) in entry.text


def test_fields_below_a_heading_are_one_signal() -> None:
    text = (
        "## Patterns\n\n### 1. environment_issue [CRITICAL]\n- **Count**: 5\n- **Status**: active\n"
        "- Suggested: a skill\n- **Last seen**: 2026-02-28\n\n### import_path_error\n- 次数: 3\n"
    )
    signal, note, other = read("report", text, PATH).entries
    assert (signal.kind, signal.start, signal.end, signal.updated) == ("signal", 3, 7, utc(2026, 2, 28))
    assert signal.extra == {
        "signal": "environment_issue", "count": 5, "priority": "critical", "status": "active",
        "last_seen": "2026-02-28",
    }  # fmt: skip
    assert (note.kind, note.text) == ("note", "Suggested: a skill")
    assert (other.extra, other.text) == ({"signal": "import_path_error", "count": 3}, "import_path_error: 3×")


@pytest.mark.parametrize(
    "prose",
    [
        "- 总会话数: 12",
        "The last 3 sessions failed.",
        "- create a skill for build_error",
        "| 项目 | 次数 |\n|---|---|\n| shop | 3 |",
    ],
)
def test_what_names_no_signal_with_a_number_is_a_note(prose: str) -> None:
    assert {entry.kind for entry in read("report", f"{prose}\n", PATH).entries} == {"note"}


def test_what_is_reported_day_by_day_is_of_its_days() -> None:
    text = "# Story\n\nAll that was tried.\n\n### [2026-04-01 05:15:46] REPAIR - failed\n- two readers were tried\n"
    first, tried = read("report", text, PATH).entries
    assert (first.created, clock.format_day(tried.created or 0)) == (None, "2026-04-01")
    dated = read("report", f"Generated: 2026-04-02 10:00\n\n{text}", PATH).entries
    assert clock.format_day(dated[-1].created or 0) == "2026-04-02"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text("a_b|-*`[]()#: 59×次信号\n状态", max_size=30)
        | st.sampled_from(["### a_b [HIGH]", "- 次数: 5", "| 信号 | 次数 |", "|--|--|", "| a_b | 9 |"]),
        max_size=12,
    )
)
def test_anything_may_stand_in_a_report(lines: list[str]) -> None:
    check_lines(read("report", "\n".join(lines), PATH))
