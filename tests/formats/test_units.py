"""Which entries are memories, parts or context: the shapes that agents' notes have, in Chinese and English."""

from __future__ import annotations

import pytest

from memtui.core import clock
from memtui.core.locale import choose_language
from memtui.core.model import Entry, Layer, Level, Role, Status
from memtui.formats import Source, parse

MEMORY, PART, CONTEXT = Level.MEMORY, Level.PART, Level.CONTEXT


def read(text: str, kind: str = "note", path: str = "MEMORY.md", *, shipped: bool = False) -> list[Entry]:
    role = Role(Layer.PROFILE if shipped else Layer.KNOWLEDGE, kind, "markdown", shipped=shipped)
    return parse(Source(path, role, text.encode())).entries


def levels(text: str, kind: str = "note", path: str = "MEMORY.md") -> list[tuple[int, Level, int]]:
    return [(entry.start, entry.level, entry.last) for entry in read(text, kind, path)]


TOPIC = """---
name: deploy-window
description: Deploy only between Monday and Thursday
type: feedback
---

Never deploy on Fridays: nobody is there to roll back.

**Why:** twice in March the rollback came on Monday only.

**How to apply:**
- say so when somebody asks for a release on Friday
- offer Monday morning
"""


def test_a_topic_with_a_description_is_one_memory() -> None:
    head, *rest = read(TOPIC, "topic", "deploy-window.md")
    assert (head.level, head.start, head.last) == (MEMORY, 1, 13)
    assert head.text == "Deploy only between Monday and Thursday"
    assert len(rest) == 5 and {entry.level for entry in rest} == {PART}


@pytest.mark.parametrize(
    ("path", "name", "kind", "done"),
    [
        ("project_mailer_todo.md", "Mailer: one queue", "todo", False),
        ("project-mailer-followup.md", "mailer-followup", "todo", False),
        ("project_mailer_todo.md", "Mailer queue — RESOLVED (2026-05-14)", "todo", True),
        ("邮件_待办.md", "已完成：邮件队列", "todo", True),
        ("project_todo_app.md", "The to-do app", "project", False),
        ("project_mailer.md", "Mailer queue (done)", "project", False),
    ],
)
def test_a_topic_whose_file_is_called_a_task_is_one(path: str, name: str, kind: str, *, done: bool) -> None:
    text = f"---\nname: {name}\ndescription: jobs run inline today\ntype: project\n---\nMove out:\n- the mails\n"
    head, *_rest, item = read(text, "topic", path)
    assert (head.kind, bool(head.extra.get("done")), head.level) == (kind, done, Level.MEMORY)
    assert (item.kind, bool(item.extra.get("done")), item.level) == (kind, done, Level.PART)


def test_what_is_open_in_a_topic_that_is_a_task_stays_open_and_what_is_said_to_agents_is_none() -> None:
    text = "---\nname: Billing\ndescription: {}\ntype: {}\n---\n- [ ] Repair invoices\n- [x] Find them\n"
    head, *items = read(
        text.format("Invoices (fixed in May) broke again", "project"), "topic", "project_billing_todo.md"
    )
    assert (head.kind, "done" in head.extra) == ("todo", False)
    assert ["done" in item.extra for item in items] == [False, True]
    head, *items = read(text.format("Resolved 2026-05-06.", "project"), "topic", "project_billing_todo.md")
    assert ["done" in one.extra for one in (head, *items)] == [True, False, True]
    said = read(text.format("Dislikes TODO comments", "feedback"), "topic", "feedback_no-todo.md")[0]
    assert said.kind != "todo"


def test_a_topic_without_a_description_stands_as_its_items() -> None:
    found = levels("# Rules\n\n- use uv\n- no mocks of the database\n", "topic", "rules.md")
    assert found == [(3, MEMORY, 3), (4, MEMORY, 4)]


@pytest.mark.parametrize("label", ["Steps:", "**步骤**：", "How to apply:", "推荐教程："])
def test_a_label_belongs_to_what_it_introduces(label: str) -> None:
    assert levels(f"# 部署\n\n{label}\n\n- 先看日志\n- 再回滚\n") == [
        (3, CONTEXT, 3), (5, MEMORY, 5), (6, MEMORY, 6)
    ]  # fmt: skip
    steps = levels(f"# Deploy\n\n{label}\n\n1. build\n2. push\n3. watch\n")
    assert steps == [(3, MEMORY, 7), (5, PART, 5), (6, PART, 6), (7, PART, 7)]
    shown = levels(f"# Deploy\n\n{label}\n\n```sh\nmake release\n```\n")
    assert shown == [(3, MEMORY, 7), (5, PART, 7)]
    assert levels(f"# Deploy\n\n{label}\n") == [(3, CONTEXT, 3)]


def test_how_belongs_to_what() -> None:
    text = "# Scenes\n\nObjects land in the active scene.\n\n**Pattern**: every load does this:\n```cs\nSet(x);\n```\n"
    assert levels(text) == [(3, MEMORY, 8), (5, PART, 5), (6, PART, 8)]


def test_paragraphs_of_a_section_are_one_memory() -> None:
    text = "# Who I am\n\nI keep the calendar.\n\nI never send mail unasked.\n\n## Tone\n\nShort.\n"
    assert levels(text) == [(3, MEMORY, 5), (5, PART, 5), (9, MEMORY, 9)]


def test_what_explains_a_rule_belongs_to_it() -> None:
    text = "# 规则\n\n提交前跑测试。\n\n**Why:** CI 排队太久。\n\n```sh\npytest -q\n```\n"
    assert levels(text) == [(3, MEMORY, 9), (5, PART, 5), (7, PART, 9)]


@pytest.mark.parametrize(
    "line",
    [
        "- [Deploy window](deploy-window.md) — only Monday to Thursday",
        "- [部署](topics/deploy.md)：周一到周四",
        "**最后更新:** 2025-12-11",
        "> Last updated: 2026-03-01",
        "*总字数：约 1200 字*",
        "**Session Key**: agent:main:main",
        "Source: https://example.com/watch?v=1",
        "[13:02] Heartbeat: midday check — still no movement on the outline; awaiting directives.",
        "- 19:41 PT heartbeat: status unchanged; no new directives.",
        "- 14:30 心跳检查：一切正常，无新消息",
        "No activity recorded.",
        "- None captured yet",
        "- 暂无记录。",
    ],
)
def test_what_says_nothing_of_its_own_is_no_memory(line: str) -> None:
    assert levels(f"# MEMORY\n\n{line}\n\n- use uv\n")[0][:2] == (3, CONTEXT)


def test_a_heartbeat_that_did_something_is_told() -> None:
    assert levels("# Day\n\n- 09:00 heartbeat: no change, but fixed the pump\n\n- x y\n")[0][1] is MEMORY


@pytest.mark.parametrize(
    "fields",
    [
        "- **状态**: 已完成\n- **盯紧号段**: 0522\n- **备注**: 已停止提醒\n",
        "- 时间：21:25（cron触发）\n- 目标：步频适应\n- 要求：5km，心率<150\n",
        "- **Status:** open\n- **Reason:** the disk is full\n- **Next step:** order one\n",
    ],
)
def test_attributes_of_one_thing_are_one_record(fields: str) -> None:
    found = levels(f"# Day\n\n### 车牌 12123\n{fields}\n### Other\n- buy milk\n- call Ann\n")
    told = [level for _line, level, _last in found]
    assert told.count(MEMORY) == 3 and told[2:] == [PART, MEMORY, MEMORY]


def test_facts_with_names_stand_alone() -> None:
    found = levels("# Me\n\n## User\n- **Name**: Ann\n- **Timezone**: UTC\n- **Editor**: vim\n")
    assert [level for _line, level, _last in found] == [MEMORY, MEMORY, MEMORY]


def test_a_heading_without_anything_is_no_memory() -> None:
    assert levels("# A\n\n## Lessons of the migration\n\n## Next\n\n- x y z\n") == [
        (3, CONTEXT, 3), (7, MEMORY, 7)
    ]  # fmt: skip


def test_a_plan_is_one_memory_named_for_what_it_is_about() -> None:
    text = "# 变更提案: 终端输出合并\n\n## 背景\n\n输出太频繁。\n\n## 方案\n\n- 8ms 窗口\n"
    path = "archive/2026-03/202603241624_terminal-batching/proposal.md"
    head, part = read(text, "plan", path)
    assert (head.kind, head.title, head.level, head.last, part.level) == (
        "plan", "终端输出合并", MEMORY, 9, PART
    )  # fmt: skip
    assert (
        head.created is not None
        and clock.convert_to_local(head.created).strftime("%Y-%m-%d %H:%M") == "2026-03-24 16:24"
    )
    generic = read("# 任务清单（轻量迭代）\n\n- [√] 改标题\n", "plan", "history/2026-01/202601161631_fix-title/task.md")
    assert generic[0].title == "fix-title"


def test_a_long_item_is_one_memory_with_parts() -> None:
    below = "".join(f"  - {number} {'word ' * 40}\n" for number in range(20))
    found = read(f"- head\n{below}")
    assert (found[0].level, found[0].last) == (MEMORY, 21)
    assert len(found) > 5 and {entry.level for entry in found[1:]} == {PART}


@pytest.mark.parametrize(
    ("text", "kind", "done"),
    [
        ("- [x] ship it", "todo", True),
        ("- [√] 上线", "todo", True),
        ("- [ ] ship it", "todo", False),
        ("- ⏳ armor icons", "todo", False),
        ("## 待办\n\n- 每日新闻 ✅ 已恢复", "todo", True),
        ("## Next steps\n\n- ~~harden it~~ - the user wants it open", "todo", True),
        ("- ✅ weapon icons", "note", True),
        ("- 下一步：接入日志", "todo", False),
        ("- Lag compensation: documented, not yet implemented.", "todo", False),
        ("### 待做功能队列（按优先级）\n\n1. 评分标签视觉升级", "todo", False),
        ("## 14:37 - Agent 注册完成 ✅\n\n**待办**:\n- 配置路由绑定", "todo", False),
        ("## ~~1. Portal API~~ ✅ 已完成\n\n已注册 7 个路由。", "event", True),
        ("## ~~2. 单点登录~~ 🟡 仅余联调\n\n- 剩余：配凭证", "todo", False),
        ("| 任务 | 状态 |\n|---|---|\n| web_search | ⏳ 待接入 |", "todo", False),
        ("| task | state |\n|---|---|\n| weather | ✅ done |", "note", True),
    ],
)
def test_what_is_done_and_what_is_not(text: str, kind: str, done: bool) -> None:
    (found,) = (entry for entry in read(text) if entry.level is MEMORY)
    assert (found.kind, bool(found.extra.get("done"))) == (kind, done)


@pytest.mark.parametrize(
    ("text", "path", "day"),
    [
        ("## 2026-05-01\n\n- x y", "MEMORY.md", "2026-05-01"),
        ("## [0.1.5] - 2026-03-27\n\n- x y", "CHANGELOG.md", "2026-03-27"),
        ("## 近期改动（2026-04-13）\n\n- x y", "memory/a.md", "2026-04-13"),
        ("## Server (MVP 1, decided 2026-06-09)\n\n- x y", "memory/a.md", "2026-06-09"),
        ("- Postgres 16 since 2026-03-02", "a.md", "2026-03-02"),
        ("- Default model: `m2` (set 2026-03-23 at her request).", "a.md", "2026-03-23"),
        ("# Notes on calm\nProcessed: 2026-03-06\n\n- x y", "memory/calm.md", "2026-03-06"),
        (
            "## Idioma (09/04/2026)\n\n- A assistente responde em português, também à noite.",
            "d.md",
            "2026-04-09",
        ),
        ("## Language (09/04/2026)\n\n- The assistant answers in English.", "d.md", ""),
        ("- 用 uv（2026-02-14 确认）", "a.md", "2026-02-14"),
        ("- 2026-06-04: the library was imported", "a.md", "2026-06-04"),
        ("- 方案: [202605131759_cache](archive/202605131759_cache/)", "a.md", "2026-05-13"),
        ("- x y", "plan/2026031915_cache/notes.md", "2026-03-19"),
        ("- x y", "memory/2026-03-05-call.md", "2026-03-05"),
        ("# 表格\n\n**最后更新:** 2025-12-11\n\n- x y", "wiki/table.md", "2025-12-11"),
        ("## Devcon 2026-11-03 to 06\n\n- book the train", "a.md", ""),
        ("- the deadline is 2026-05-01", "a.md", ""),
        ("- released on 2026-05-01 by them", "a.md", ""),
        ("- x y", "a.md", ""),
    ],
)
def test_a_date_is_of_the_note_and_not_of_what_it_speaks_of(text: str, path: str, day: str) -> None:
    found = [entry for entry in read(text, path=path) if entry.level is MEMORY][-1]
    assert (clock.format_day(found.created) if found.created is not None else "") == day


def test_frontmatter_dates_what_says_no_more() -> None:
    text = "---\nname: a\ndescription: d\nmodified: 2026-08-10\n---\n\n"
    text += "## 网址（2026-07-03）\n\n- 正式\n\n## 其他\n\n- 备用\n"
    head, dated, other = read(text, "topic", "a.md")
    days = [clock.format_day(one.created or one.updated or 0) for one in (head, dated, other)]
    assert days == ["2026-08-10", "2026-07-03", "2026-08-10"]
    undated = read(text.replace("modified: 2026-08-10\n", ""), "topic", "a.md")
    assert clock.format_day(undated[0].created or 0) == "2026-07-03"


def test_text_that_nobody_wrote_is_a_template() -> None:
    stock = "# AGENTS.md\n\nThis folder is home. Treat it that way.\n\n- Never send mail without asking Ann.\n"
    found = read(stock, path="AGENTS.md", shipped=True)
    assert [entry.status for entry in found] == [Status.TEMPLATE, Status.ACTIVE]
    form = "## 技术栈\n\n- (记录后端技术栈)\n- [ ] 1.1 在 {文件路径} 中{做什么}\n"
    form += "- **Name:** _(optional)_\n- **Vibe:**\n  _(sharp? warm?)_\n- 后端用 Go\n"
    found = read(form, path="context.md", shipped=True)
    assert [entry.status for entry in found] == [Status.TEMPLATE] * 4 + [Status.ACTIVE]
    assert all(entry.status is Status.ACTIVE for entry in read(form))


def test_a_form_that_a_tool_begins_its_documents_with_is_a_template() -> None:
    text = "# 项目\n\n## 约束\n\n> 这些是当前生效的技术约束，详细决策过程见对应方案包\n\n- 只用 Go 1.22\n"
    role = Role(Layer.KNOWLEDGE, "note", "markdown", shipped=True)
    found = parse(Source("context.md", role, text.encode())).entries
    assert [entry.status for entry in found] == [Status.TEMPLATE, Status.ACTIVE]
    code = parse(Source("data.md", role, "- `Event`：`{id,time,level?}`\n- `${home}/log`\n".encode())).entries
    assert {entry.status for entry in code} == {Status.ACTIVE}


def test_what_a_machine_staged_is_generated() -> None:
    text = "# 2026-04-19\n\n- fixed the pipe\n\n## Light Sleep\n\n- Candidate: fixed\n  - confidence: 0.00\n"
    role = Role(Layer.JOURNAL, "note", "journal", shipped=True)
    found = parse(Source("memory/2026-04-19.md", role, text.encode())).entries
    assert [entry.status.value for entry in found] == ["active", "generated"]


def test_what_a_program_keeps_for_itself_is_state() -> None:
    text = """{"current_task": 1, "last_run": "2026-05-01T10:00:00Z", "cursor": "a8f", "rates": {"usd": 1.1},
    "lesson": "Ask Ann before the banner changes", "教训": "上线之前先看一遍日志"}"""
    found = parse(Source("memory/state.json", Role(Layer.KNOWLEDGE, "note", "json"), text.encode())).entries
    assert [entry.key for entry in found if entry.status is Status.ACTIVE] == ["lesson", "教训"]
    assert {entry.status for entry in found} == {Status.ACTIVE, Status.STATE}


def test_a_day_without_an_hour_has_no_age_in_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    noon = clock.parse("2026-03-05 12:00")
    assert noon is not None
    said = {
        day: clock.format_age(clock.parse(day), at=noon)
        for day in ("2026-03-05", "2026-03-04", "2026-03-06", "2026-02-20")
    }
    assert said == {"2026-03-05": "today", "2026-03-04": "1d", "2026-03-06": "in 1d", "2026-02-20": "13d"}
    assert clock.format_age(clock.parse("2026-03-05 09:00"), at=noon) == "3h"


def test_a_sentence_before_a_list_is_a_memory_with_its_items() -> None:
    text = "# Log\n\nThe same picture went out twice. The list was there but:\n- nobody read it\n- names differed\n"
    assert levels(text) == [(3, MEMORY, 5), (4, PART, 4), (5, PART, 5)]
    assert levels("# 记录\n\n游戏只是测试场景，真正的价值在于：\n- 验证协作\n")[0] == (3, MEMORY, 4)
    assert levels("# Day\n\n**10:48 GMT** - the user wants\n- commits\n- tests\n")[0] == (3, MEMORY, 5)
    aside = "# 经验\n\n**❌ 错误行为**：改表没改文档\n\n**✅ 正确做法**：\n- 先查结构\n- 再改文档\n"
    assert levels(aside) == [(3, MEMORY, 7), (5, PART, 5), (6, PART, 6), (7, PART, 7)]
    assert levels("# Log\n\n- `feedback.md` — nobody reads the notes\n") == [(3, MEMORY, 3)]
    many = "\n".join(f"- account {number}" for number in range(12))
    assert {level for _, level, _ in levels(f"# Log\n\nThe list was there. It has these:\n{many}\n")} == {MEMORY}


def test_a_bold_line_before_a_list_is_its_title() -> None:
    assert levels("# Notes\n\n**How we work**\n- ask first\n- then write\n") == [
        (3, CONTEXT, 3), (4, MEMORY, 4), (5, MEMORY, 5)
    ]  # fmt: skip
    assert levels("# Notes\n\n**Never deploy on Fridays**\n\nNobody is there.\n")[0] == (3, MEMORY, 5)


def test_items_with_the_same_labels_in_several_sections_are_fields_of_records() -> None:
    record = "- **Principle**: {0}\n- **Use**: {0}\n- **Never**: {0}\n"
    text = "# Rules\n\n" + "".join(f"## {name}\n{record.format(name)}\n" for name in ("ask", "check"))
    assert levels(text) == [
        (4, MEMORY, 6), (5, PART, 5), (6, PART, 6), (9, MEMORY, 11), (10, PART, 10), (11, PART, 11)
    ]  # fmt: skip
    people = "".join(f"## {name}\n- **Phone:** 1\n- **Tier:** 2\n{{}}\n" for name in ("Ann", "Bo", "Cy"))
    people = people.format("- **Dog:** x\n", "- **Phone 2:** y\n", "")
    assert [start for start, level, _ in levels(f"# People\n\n{people}") if level is MEMORY] == [4, 9, 14]
    changes = "## {0}\n- **[web]**: faster\n- **[api]**: slower\n\n"
    changes = "# Changes\n\n" + "".join(changes.format(name) for name in ("1.0", "1.1", "1.2"))
    assert {level for _, level, _ in levels(changes)} == {MEMORY}


@pytest.mark.parametrize(
    "text",
    [
        "@AGENTS.md\n",
        "- Details: `docs/guide.md`\n",
        "- 入口：`a.md`、`b.md`\n",
        "- [202602_login](../../history/2026-02/202602_login/) - the login page\n",
        "*Auto-saved at 11:12 before the context was compacted*\n",
        "| name | what | doc |\n|--|--|--|\n| web | the site | [web](modules/web.md) |\n",
        "## 状态说明\n\n| sign | means |\n|--|--|\n| 🚧 | 开发中 |\n",
        "```yaml\n@feature: login\n@status: pending\n```\n",
        "This file contains what the team agreed on.\n",
        "> 本文件记录团队的约定。\n",
        "Project-specific instructions that Claude reads.\n",
        "(Last verified: 2026-07-17.)\n",
        "**记录时间**: 2026-03-10 12:50\n**下次更新**: 14:30 之后\n",
        "- 页面ID: 30911082-af8e-810a-96da\n",
        "## How to add memory\n\n1. Choose a folder.\n\n### Memory file format\n\nA name and a line.\n",
        "## 读取指引\n\n```yaml\n启动: 先读本文件\n```\n",
        "## Web\n\n### Metadata\n\n- Impact: high\n",
        "This document explains how the desk works.\n",
        "1. [The desk](#the-desk)\n",
        "## Web\n\n**Logged**: 2026-03-12T07:12:30Z\n**Priority**: high\n**Status**: pending\n",
        "> 目录: `plan/202603231125_desk/`\n",
        "- 登录流程的审查见 [`login.md`](login.md)。\n",
        "## Format\n\n- YYYY-MM-DD: what was eaten\n",
    ],
)
def test_what_only_leads_on_is_no_memory(text: str) -> None:
    assert {entry.level for entry in read(f"# Notes\n\n{text}")} == {CONTEXT}


@pytest.mark.parametrize(
    "text",
    [
        "This file is the source of truth: never edit the copies.\n",
        "本文件是唯一来源，禁止修改副本。\n",
        "## Web\n\nThis directory contains the old pages, which still run.\n",
        "- Message ids are kept for a week\n",
    ],
)
def test_what_says_something_besides_is_a_memory(text: str) -> None:
    assert MEMORY in {entry.level for entry in read(f"# Notes\n\n{text}")}


def test_fields_of_which_the_last_is_a_list_are_one_memory() -> None:
    text = "# 2026-03-01\n\n**Who**: Ann\n**What**:\n- buy a domain\n- move the mail\n"
    assert levels(text) == [(3, MEMORY, 6), (5, PART, 5), (6, PART, 6)]


def test_an_item_that_says_why_goes_on_about_the_one_above_it() -> None:
    text = "# Log\n\n- the mail job runs hourly\n- **Reason:** it came too late\n- **Owner:** Ann\n"
    assert levels(text) == [(3, MEMORY, 4), (4, PART, 4), (5, MEMORY, 5)]
    assert levels("# Log\n\n- **教训**: 先看日志\n- **时间**: 周一\n") == [(3, MEMORY, 3), (4, MEMORY, 4)]


def test_the_module_of_a_requirement_is_no_part_of_what_it_says() -> None:
    assert levels("# 登录\n\n### 需求: 记住用户\n**模块:** web\n关掉再开仍然登录。\n") == [
        (4, CONTEXT, 4), (5, MEMORY, 5)
    ]  # fmt: skip


def test_a_tools_block_in_instructions_is_the_tools() -> None:
    block = "<!-- BEGIN:next-rules -->\n# Read the docs\n\nAPIs changed.\n<!-- END:next-rules -->\n\n- use pnpm\n"
    assert [one.status for one in read(block, path="AGENTS.md")] == [Status.TEMPLATE, Status.ACTIVE]
    assert {one.status for one in read(block, path="MEMORY.md")} == {Status.ACTIVE}
    own = block.replace("next-rules", "agent-memory")
    assert {one.status for one in read(own, path="AGENTS.md")} == {Status.ACTIVE}
    named = "<!-- OPENSPEC:START -->\nUse the proposals.\n<!-- OPENSPEC:END -->\n"
    assert [one.status for one in read(named, path="CLAUDE.md")] == [Status.TEMPLATE]


@pytest.mark.parametrize("path", ["memory/2026-04-19-school-run.md", "memory/talk.md"])
def test_a_sessions_talk_is_one_memory(path: str) -> None:
    text = (
        "# Session: 2026-04-19 10:31:07 UTC\n\n- **Session Key**: agent:main\n- **Session ID**: 8d7a\n\n"
        "## Conversation Summary\n\nuser: A new session was started\nassistant: Hello.\n"
        "user: [Sun 2026-04-19 10:30 GMT] Move the school run\n\n"
        "- ✅ moved\n- [ ] tell Ann\n"
    )
    parser = "journal" if "2026" in path else "markdown"
    head, *rest = parse(Source(path, Role(Layer.JOURNAL, "note", parser), text.encode())).entries
    assert (head.kind, head.layer, head.level, head.last) == ("session", Layer.SESSION, MEMORY, 13)
    name = "school run" if parser == "journal" else "talk"
    assert (head.session, head.text) == ("8d7a", f"{name}: Move the school run")
    assert head.title == name
    assert {one.level for one in rest} == {PART} and "todo" not in {one.kind for one in rest}


def test_what_each_session_begins_with_answers_no_search() -> None:
    head = "# Session: 2026-04-19 10:31:07 UTC\n\n- **Session ID**: 8d7a\n\n## Conversation Summary\n\n"
    text = head + (
        "user: A new session was started via /new. Greet the user.\n\n"
        "user: A new session was started via /new. Greet the user.\nassistant: Hello.\nuser: Move the school run\n\n"
        "assistant: Moved it.\n\n"
        "user: A new session was started via /new.\nuser: Conversation info (untrusted metadata):\n"
        "```json\n{}\n```\n\nYou there?\n"
    )
    for path, parser in (("memory/2026-04-19-0031.md", "journal"), ("memory/sessions/0031.md", "session")):
        talk, *turns = parse(Source(path, Role(Layer.JOURNAL, "note", parser), text.encode())).entries
        assert (talk.kind, talk.level, talk.session) == ("session", MEMORY, "8d7a")
        # Each turn is one part, whatever lists and blocks stand in it.
        assert [(one.start, one.end) for one in turns if one.start > 3] == [
            (7, 7), (9, 9), (10, 10), (11, 11), (13, 13), (15, 15), (16, 21),
        ]  # fmt: skip
        assert [one.start for one in turns if one.kind == "session_start"] == [7, 9, 15]
        assert turns[-1].title == "user: You there?"


@pytest.mark.parametrize(
    "before",
    [
        "<relevant-memories>\nThe following may be relevant:\n- Ann likes tea.\n</relevant-memories>\n\n",
        'Conversation info (untrusted metadata):\n```json\n{\n  "sender": "ann"\n}\n```\n\n',
        "Sender (untrusted metadata):\n```json\n{}\n```\n",
        "Skills policy (operator configured):\n1. Try one.\n2. Then the other.\n\n",
        "System: [2026-04-19 10:00:00 GMT] Node connected\n",
        "[media attached: /tmp/a.png]\n",
        "[media attached: /tmp/a[1].zip (application/zip) | /tmp/a.zip]\nTo send an image back, prefer the tool.\n",
        "[Queued messages while agent was busy]\n\n---\nQueued #1\n[Chat #general +54s 2026-04-19 10:17 UTC] ",
        "[[reply_to_current]] ",
        "",
    ],
)
def test_a_session_is_about_what_the_person_said_not_what_the_program_put_before_it(before: str) -> None:
    text = (
        "# Session: 2026-04-19 10:31:07 UTC\n\n- **Session ID**: 8d7a\n\nuser: Read HEARTBEAT.md if it exists\n"
        f"assistant: HEARTBEAT_OK\nuser: {before}{before}Move the school run\nassistant: Done.\n"
    )
    source = Source("memory/2026-04-19-run.md", Role(Layer.JOURNAL, "note", "journal"), text.encode())
    assert parse(source).entries[0].text == "run: Move the school run"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("approved", "Move the school run to eight"),
        ("/new", "把校车改到八点，并告诉安娜老师"),
        ("hola", "Cancel it, and tell Ann why"),
    ],
)
def test_a_session_is_not_about_its_first_yes(first: str, then: str) -> None:
    text = (
        "# Session: 2026-04-19 10:31:07 UTC\n\n- **Session ID**: 8d7a\n\nassistant: ✅ New session started · model: m\n"
        f"user: {first}\nassistant: What shall we do with the runs of this week?\nuser: {then}\nuser: thanks\n"
    )
    source = Source("memory/2026-04-19-1031.md", Role(Layer.JOURNAL, "note", "journal"), text.encode())
    assert parse(source).entries[0].text == then


def test_snapshots_of_progress_are_context() -> None:
    rows = (
        "| 2026-05-01 21:07 | 进度快照(自动) | 完成:6 失败:0 跳过:0 待做:2 (75%) |\n"
        "| 2026-05-01 21:09 | 2.1 | 移除了旧的上传面板 |\n"
    )
    table = f"# 任务\n\n## 执行日志\n\n| 时间 | 任务 | 备注 |\n|--|--|--|\n{rows}"
    assert [level for _start, level, _last in levels(table)][-2:] == [CONTEXT, MEMORY]


def test_a_session_in_which_nothing_was_said_is_no_memory() -> None:
    text = "# Session: 2026-04-19 10:31:07 UTC\n\n- **Session Key**: agent:main\n- **Session ID**: 8d7a\n"
    source = Source("memory/2026-04-19-1031.md", Role(Layer.JOURNAL, "note", "journal"), text.encode())
    assert {entry.level for entry in parse(source).entries} == {CONTEXT}


def test_a_plan_that_nobody_filled_in_is_a_form() -> None:
    form = "# 变更提案: x\n\n- 背景: {为什么}\n\n- 目标: {目标}\n\n- [ ] {标准1}\n"
    assert {entry.status for entry in read(form, "plan", "plan/x/proposal.md", shipped=True)} == {Status.TEMPLATE}
    assert read("# M\n\n（暂无）\n", shipped=True)[0].status is Status.TEMPLATE


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("| what | Since |\n|--|--|\n| paused | 2026-03-09 |\n", "2026-03-09"),
        ("| what | Due |\n|--|--|\n| talk | 2026-03-09 |\n", ""),
        ("- **Mesh:** active since 26.03.2026\n", "2026-03-26"),
        ("- 站点（自定义域名，2026-03-03 启用）\n", "2026-03-03"),
        ("- 助手在 2026-03-27 用模板生成\n", "2026-03-27"),
        ("## 2026-03-31 补充\n\n- 在 2026-03-27 装过一次\n", "2026-03-31"),
        ("## 状态（截至 2026-03-15，commit 0c08）\n\n- 读取器\n", "2026-03-15"),
    ],
)
def test_more_of_what_dates_a_memory(text: str, day: str) -> None:
    moment = read(f"# Notes\n\n{text}")[-1].created
    assert ("" if moment is None else clock.format_day(moment)) == day


def test_what_a_program_notes_of_its_runs_is_state() -> None:
    text = (
        "## 2026-02-28T00:35:40.188Z | job 17-ab\n- runtime: shop\n- actor/chat: 7\n- status: success\n\n"
        "[shop] Prices come from one table\nLesson: ask it once.\n\n"
        "## 2026-02-28T01:00:00Z\n- topic: prices\n- decision: one table\n- next: sellers\n\n"
        "## 2026-02-28\n- status: open\n- result: none\n- actor: Ann\n"
    )
    role = Role(Layer.JOURNAL, "note", "journal", shipped=True)
    found = parse(Source("memory/2026-02-28.md", role, text.encode()))
    state = [entry.start for entry in found.entries if entry.status is Status.STATE]
    assert state == [2, 3, 4]


def test_what_a_section_says_of_itself_at_its_head_is_context() -> None:
    text = "# Report\n\n**Date**: 2026-03-11 14:58  \n**Version**: v3  \n**Shape**: layers\n\n## Result\n\n- fast\n"
    assert levels(text) == [(3, CONTEXT, 4), (5, CONTEXT, 5), (9, MEMORY, 9)]
    text = "# 经验\n\n## 缓存\n\n**记录时间**: 2026-03-06\n缓存必须带版本号\n\n## 空\n\n**时间**: 2026-03-06\n"
    assert levels(text) == [(5, CONTEXT, 5), (6, MEMORY, 6), (10, MEMORY, 10)]
    assert [clock.format_day(one.created) for one in read(text) if one.created is not None][1] == "2026-03-06"
    text = "# Night\n\n- **Datum:** 09-02-2026\n- **Goal:** layouts\n\n## Notes\n\n- it works\n"
    assert levels(text) == [(3, CONTEXT, 3), (4, CONTEXT, 4), (8, MEMORY, 8)]
    text = "# Me\n\n- **Name:** Ann\n- **Birthday:** 1990-01-02\n\n## Likes\n\n- tea\n"
    assert [level for _, level, _ in levels(text)] == [MEMORY] * 3


def test_a_path_alone_is_no_memory() -> None:
    text = "# Module\n\n## Needs\n\n- `core/config`\n- `core/log` writes JSON\n\n## Where\n\n/srv/app/module/\n"
    assert levels(text) == [(5, CONTEXT, 5), (6, MEMORY, 6), (10, CONTEXT, 10)]


def test_sections_with_the_same_sections_are_records() -> None:
    one = "## {0}\n\n### Context\n\nThe {0} was slow.\n\n### Decision\n\n- cache the {0}\n\n"
    text = "# Decisions\n\n" + "".join(one.format(word) for word in ("page", "list", "feed"))
    assert levels(text)[:3] == [(7, MEMORY, 11), (11, PART, 11), (17, MEMORY, 21)]
    assert {level for _, level, _ in levels(text.replace("The ", "- the "))} == {MEMORY}
    numbered = "# Log\n\n## [LRN-20260310-001] fix\n\n### Summary\n\nAsk first.\n\n### Details\n\n- it broke\n"
    assert levels(numbered) == [(7, MEMORY, 11), (11, PART, 11)]


def test_what_was_looked_for_and_not_found_is_told() -> None:
    for line in ("- No recorded outage since May: the new fan holds", "- No leaks found"):
        assert levels(f"# Day\n\n{line}\n\n- x y\n")[0][1] is MEMORY


def test_a_section_with_a_number_is_one_record_without_its_form() -> None:
    text = (
        "# M\n\n## DEC-2026-03-10-01 - Readers\n**Type**: decision\n**Area**: shop\n\n**Decision**: two readers\n\n"
        "**Reason**:\n- one was slow\n- two are cheap\n"
    )
    assert levels(text) == [(4, CONTEXT, 5), (7, MEMORY, 11), (9, PART, 9), (10, PART, 10), (11, PART, 11)]
    assert levels(text.replace("DEC-2026-03-10-01 - ", ""))[0][1] is MEMORY


def test_what_a_program_notes_of_a_run_is_no_memory() -> None:
    text = "## 2026-03-19T16:04:33.555Z | request 17\n- runtime: web\n- status: success\n- result: done\n"
    assert {level for _, level, _ in levels(text)} == {CONTEXT}
    text = "".join(f"## Site {n}\n- owner: Ann\n- host: web{n}\n- state: up\n" for n in range(3))
    assert [level for _, level, _ in levels(text)] == [MEMORY, PART, PART] * 3


def test_a_record_begins_at_what_it_says() -> None:
    one = "### {0} fails\n- **时间**: 2026-03-06\n- **问题**: {0} 失败\n- **解决方案**: 先查 {0}\n\n"
    text = "# 经验\n\n" + one.format("push") + one.format("build")
    assert [level for _, level, _ in levels(text)] == [CONTEXT, MEMORY, PART] * 2
    assert [clock.format_day(entry.created or 0) for entry in read(text)] == ["2026-03-06"] * 6


def test_why_closes_the_rule_that_a_section_begins_with() -> None:
    text = "# Rule\n\nExport it.\n\n**Details:**\n\n1. one\n2. two\n\n**Why:** tests.\n\n**How to apply:**\n- anew\n"
    assert levels(text)[0] == (3, MEMORY, 13)
    assert {level for _, level, _ in levels(text)[1:]} == {PART}
    assert levels("# Rules\n\n- one\n- two\n\n**Why:** tests.\n")[2] == (6, MEMORY, 6)


def test_a_short_paragraph_behind_a_list_goes_on_with_what_led_to_it() -> None:
    text = "# Files\n\nEach day begins afresh, and these are all there is:\n- `A.md` who\n- `B.md` what\n\nRead it.\n"
    assert levels(text) == [(3, MEMORY, 7), (4, PART, 4), (5, PART, 5), (7, PART, 7)]
    text = "# Files\n\n**Result:** 30 of 30 pages\n- 12 s each\n- two models\n\n**Times:** short\n"
    assert levels(text) == [(3, MEMORY, 5), (4, PART, 4), (5, PART, 5), (7, MEMORY, 7)]
    text = "# Triage\n\nAll three were routed well:\n- one to docs\n\nWhat was done:\n- two\n"
    assert levels(text) == [(3, MEMORY, 4), (4, PART, 4), (6, CONTEXT, 6), (7, MEMORY, 7)]


def test_a_label_with_steps_and_code_without_words_are_called_by_what_they_say() -> None:
    label = read("# Deploy\n\n**Steps:**\n\n1. build\n2. push\n")[0]
    assert (label.level, label.title) == (MEMORY, "Steps: build")
    code = read("# Deploy\n\n## Releasing\n\n```sh\nmake release\n```\n")[0]
    assert (code.level, code.title) == (MEMORY, "Releasing")
    config = read("# Deploy\n\n## Compose\n\n```yaml\nservices:\n  web:\n```\n")[0]
    form = read("# 上下文\n\n## 1. 基本信息\n\n```yaml\n名称: 订单系统\n类型: Web 应用\n```\n")[0]
    assert (config.title, form.title) == ("Compose", "")


def test_a_row_that_says_where_it_comes_from_is_a_memory() -> None:
    text = "# 上下文\n\n| 约束 | 原因 | 决策来源 |\n|--|--|--|\n| 压缩只在后端 | 一致 | [d#D1](d/proposal.md#D1) |\n"
    assert levels(text) == [(5, MEMORY, 5)]
    text = "# Arch\n\n| id | title | details |\n|--|--|--|\n| ADR-1 | Roll back first | [how](a/how.md#adr-1) |\n"
    assert levels(text) == [(5, MEMORY, 5)]
    assert levels(text.replace("#adr-1", "")) == [(5, CONTEXT, 5)]


def test_each_box_in_a_list_of_tasks_is_one() -> None:
    text = "# 任务清单\n\n### 1. 测试约束\n\n- [ ] 1.1 先写失败的测试\n"
    assert read(text, "todo", "tasks.md")[0].kind == "todo"
    assert read(text, "note", "checks.md")[0].kind == "rule"


def test_what_a_list_of_tasks_says_of_itself_is_no_task() -> None:
    text = "# Tasks\n\nThe loop pulls its work from here.\n\n## Protocol\n\n1. Read this file\n2. Do one\n\n"
    found = read(f"{text}## Queue\n\n- print the labels\n- [ ] ask Kai\n", "todo", "TASKS.md")
    assert [one.kind for one in found if one.level is MEMORY] == ["note", "note", "note", "todo", "todo"]
    assert {one.kind for one in read("# Tasks\n\nPrint the labels.\n", "todo", "TASKS.md")} == {"todo"}
    assert [one.kind for one in read("How it works.\n\n- print the labels\n", "todo", "t.md")] == [
        "note",
        "todo",
    ]


@pytest.mark.parametrize(
    ("heading", "kind"),
    [("1.2 `BLOCKED`", "note"), ("El principio que ordena todo", "note"), ("TODO de la semana", "todo")],
)
def test_a_word_that_is_explained_or_means_all_asks_for_nothing(heading: str, kind: str) -> None:
    assert read(f"# Guía\n\n## {heading}\n\n- print the labels\n")[-1].kind == kind


def test_a_paragraph_below_the_next_steps_is_none_of_them() -> None:
    text = "# Shop\n\n## Next steps\n\n- print the labels\n\n---\n\nOne shop, one till.\n"
    assert [one.kind for one in read(text)] == ["todo", "note"]


def test_what_stands_in_a_file_over_and_over_is_generated() -> None:
    text = "".join(f"## L-{n}\n- lesson {n} of the shop\n- promote if it helps\n- [ ] ask\n\n" for n in range(30))
    role = Role(Layer.KNOWLEDGE, "note", "markdown", shipped=True)
    found = parse(Source(".learnings/LEARNINGS.md", role, text.encode())).entries
    assert {entry.text for entry in found if entry.status is Status.GENERATED} == {"promote if it helps"}
    assert sum(entry.text.startswith("lesson") for entry in found if entry.status is Status.ACTIVE) == 30


def test_a_sentence_that_leads_to_a_few_words_each_is_one_memory_with_them() -> None:
    text = "# Rota\n\nKeep the phone off if:\n- it is after ten (22:00)\n- the owner is away\n"
    assert levels(text) == [(3, MEMORY, 5), (4, PART, 4), (5, PART, 5)]
    text = "# Rota\n\n**What they need:**\n- a quiet room\n- two keys\n"
    assert levels(text) == [(3, CONTEXT, 3), (4, MEMORY, 4), (5, MEMORY, 5)]
    text = "# Rota\n\nWhat I saw there:\n- They were late. Nobody knew why.\n- two keys\n"
    assert levels(text)[0] == (3, CONTEXT, 3)


@pytest.mark.parametrize("heading", ["Sources", "References", "参考资料", "Quellen"])
def test_addresses_below_sources_are_context(heading: str) -> None:
    text = f"# Tax\n\n## {heading}\n\n- State: https://example.org/tax\n- They differ: https://example.org/a in May\n"
    assert [level for _, level, _ in levels(text)] == [CONTEXT, MEMORY]
    assert levels("# Tax\n\n## Tools\n\n- Board: https://example.org/tax\n")[0][1] is MEMORY


def test_a_field_that_is_a_sign_is_somebodys() -> None:
    assert read("# I\n\n- **Emoji:** 🦉\n", shipped=True)[0].status is Status.ACTIVE
    assert read("# I\n\n- **Pronouns:** —\n", shipped=True)[0].status is Status.TEMPLATE


def test_a_section_of_fields_in_a_list_of_tasks_is_one_task() -> None:
    ticket = "## B-{0} - label {0}\n\n- Priority: P1\n- Status: {1}\n- Owner: Kai\n- Goal: print the label\n\n"
    text = "# Backlog\n\n- Waiting: for data\n\n" + "".join(
        map(ticket.format, range(3), ("Backlog", "**Archived (2026-07-10)**", "Done"))
    )
    tasks = [one for one in read(text, "todo", "BACKLOG.md") if one.level is MEMORY]
    assert [(one.kind, one.title, one.last, bool(one.extra.get("done"))) for one in tasks] == [
        ("note", "", 3, False), ("todo", "B-0 - label 0", 10, False), ("todo", "B-1 - label 1", 17, True),
        ("todo", "B-2 - label 2", 24, True),
    ]  # fmt: skip
    assert len([one for one in read(text) if one.level is MEMORY]) > 3


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("---\nname: a\ndescription: SUPERSEDED — see b.md\n---\n", Status.SUPERSEDED),
        ("---\nname: a\ndescription: SUPERSEDED — see b.md\nstatus: active\n---\n", Status.ACTIVE),
        ("---\nname: a\ndescription: Superseded calls of the till API\n---\n", Status.ACTIVE),
        (
            "# A\n\n> ⚠️ **DEPRECATED (2026-07-10)** — kept elsewhere now.\n> Do not use.\n\n",
            Status.SUPERSEDED,
        ),
        ("# A\n\n> 已废弃：见 b.md\n\n", Status.SUPERSEDED),
        ("# A\n\nThe old calls are DEPRECATED: use the new ones.\n\n", Status.ACTIVE),
        ("# A\n\n- one\n\n> DEPRECATED: the calls above\n\n", Status.ACTIVE),
    ],
)
def test_a_document_that_says_of_itself_that_it_no_longer_holds(head: str, status: Status) -> None:
    text = f"{head}\n## Labels\n\n- The reader prints labels\n"
    assert read(text, "topic")[-1].status is status


@pytest.mark.parametrize("sign", ["→", "—", "✓"])
def test_a_sign_that_is_no_letter_makes_no_sentence_a_label(sign: str) -> None:
    text = f"# Rota\n\nEvery leak found {sign} tell **both** plumbers about it before the evening:\n\n- the old one\n"
    assert levels(text) == [(3, MEMORY, 5), (5, PART, 5)]


def test_what_is_not_to_be_done_says_so() -> None:
    text = "# Rota\n\n**Never hand over to:**\n- somebody in a hurry\n\n**Hand over to:**\n- the night shift\n"
    assert [entry.title for entry in read(text) if entry.level is MEMORY] == [
        "Never hand over to: somebody in a hurry", ""
    ]  # fmt: skip


@pytest.mark.parametrize("labels", ["Tool Error Outcome", "工具 错误 结果"])
def test_fields_below_a_moment_are_a_record(labels: str) -> None:
    one, two, three = labels.split()
    text = f"# Log\n\n## {{}}\n- {one}: oven\n- {two}: too hot\n- {three}: bread is black\n\n_kept by hand_\n"
    assert levels(text.format("2026-03-10 08:50"))[:3] == [(4, MEMORY, 6), (5, PART, 5), (6, PART, 6)]
    assert [level for _, level, _ in levels(text.format("The oven"))][:3] == [MEMORY, MEMORY, MEMORY]


def test_a_document_that_says_that_it_is_deprecated_is_put_away() -> None:
    text = "# Oven\n\n⚠️ **DEPRECATED**: this document is about the old oven.\n\n## Heat\n\n- 230 degrees\n"
    assert {entry.status for entry in read(text, shipped=True)} == {Status.SUPERSEDED}
    text = "# Oven\n\n**DEPRECATED**: the grill. Use the fan.\n\n## Heat\n\n- 230 degrees\n"
    assert {entry.status for entry in read(text, shipped=True)} == {Status.ACTIVE}


def test_an_order_in_bold_is_no_title() -> None:
    text = "# Notes\n\n**CRITICAL: the app runs on gunicorn, not on Flask!**\n- port 5005\n- behind nginx\n"
    assert [entry.start for entry in read(text) if entry.level is MEMORY] == [3, 4, 5]
    titled = "# Notes\n\n**Where the app runs**\n- port 5005\n- behind nginx\n"
    assert 3 not in [entry.start for entry in read(titled) if entry.level is MEMORY]


def test_an_age_is_said_in_the_reader_s_language(monkeypatch: pytest.MonkeyPatch) -> None:
    noon = clock.parse("2026-03-05 12:30") or 0.0
    ages = (5, 3700, 3 * 86400, 20 * 86400, 100 * 86400, 800 * 86400, -7200)
    assert [clock.format_age(noon - age, at=noon) for age in ages] == [
        "5s", "1h", "3d", "2w", "3mo", "2y", "in 2h",
    ]  # fmt: skip
    choose_language("zh")
    try:
        told = [clock.format_age(noon - age, at=noon) for age in ages]
        assert told == ["5 秒", "1 小时", "3 天", "2 周", "3 个月", "2 年", "2 小时后"]
        assert clock.format_age(noon + 7200, at=noon, bare=True) == "2 小时"
        # What programs are given does not change with it.
        assert clock.format_age(noon + 7200, at=noon, plain=True) == "in 2h"
    finally:
        choose_language("")


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("Security (NEVER)", True),
        ("What you never do", True),
        ("禁止事项", True),
        ("Do & Don't", False),
        ("Locks", False),
    ],
)
def test_what_is_listed_as_forbidden_is_not_shown_as_a_rule_to_follow(heading: str, told: bool) -> None:
    listed, said = read(f"# P\n\n## {heading}\n\n- commit the keys\n- never log places\n")
    assert listed.title == (f"{heading}: commit the keys" if told else "")
    assert said.title == ""


def test_what_was_done_on_a_day_is_not_to_be_done_for_standing_below_what_is_left() -> None:
    text = "## Future work\n\n- Write the quiz\n\n### 2026-03-01 - Moved\n\n- Runs at port 4000\n- [ ] Test it\n"
    entries = parse(Source("MEMORY.md", Role(Layer.KNOWLEDGE, "note", "markdown"), text.encode())).entries
    assert {one.text: one.kind for one in entries} == {
        "Write the quiz": "todo",
        "Runs at port 4000": "note",
        "Test it": "todo",
    }


def test_what_an_agent_says_it_will_do_is_found_within_its_session() -> None:
    text = (
        "# Session: 2026-04-19 10:31:07 UTC\n\n- **Session ID**: 8d7a\n\n## Conversation Summary\n\n"
        "user: How far is the shelf?\n- [ ] not mine\n\nassistant: It stands.\n\nNext I'm focusing on:\n"
        "- the hinges\n- the lamp\n- Blockers: none today\n\nassistant: Done with it:\n- the hinges\n"
    )
    found = parse(Source("memory/2026-04-19-shelf.md", Role(Layer.JOURNAL, "note", "journal"), text.encode())).entries
    tasks = [(one.start, one.layer, one.level) for one in found if one.kind == "todo"]
    assert tasks == [(13, Layer.SESSION, PART), (14, Layer.SESSION, PART)]


def test_the_clauses_of_a_sentence_are_one_memory_titled_with_them() -> None:
    text = (
        "# Voice\n\nI never:\n\n- promise a seat;\n- send a mail to somebody whom nobody named, whatever the hour of "
        "the day is;\n- **guess**.\n\n## Other\n\nThe shelves of the second room hold:\n\n- jars\n- lamps\n\n"
        "Rooms:\n\n- the first has a window\n- the second has a door\n"
    )
    rows = [(one.start, one.last, one.title) for one in read(text) if not one.level]
    assert rows[0][:2] == (3, 7)
    assert rows[0][2].startswith("I never: promise a seat; send a mail")
    assert rows[1][:2] == (11, 14)
    assert [row[0] for row in rows[2:]] == [18, 19]


@pytest.mark.parametrize(
    "legend",
    [
        "**Legend**: ✅ done | ⏳ open | 🔴 blocked",
        "**图例**: 🟢 正常/完成 | 🟡 进行中 | 🔴 阻塞/延期",
        "**Statuses**: pending | in_progress | resolved",
        "**Areas**: frontend | backend | infra | docs",
    ],
)
def test_a_line_that_says_what_signs_mean_is_no_memory(legend: str) -> None:
    found = read(
        f"# Board\n\n- The billing page shows net prices\n\n{legend}\n\n## Notes\n\n- Releases go to the wiki\n"
    )
    assert [(entry.start, entry.level) for entry in found] == [(3, MEMORY), (5, CONTEXT), (9, MEMORY)]


@pytest.mark.parametrize(
    "told", ["- Main today: build green | tests green | deploy waits", "- Keys: left | right | both hands"]
)
def test_a_line_that_says_how_things_stand_is_one(told: str) -> None:
    assert [entry.level for entry in read(f"# Board\n\n- Prices are net\n\n## Pedal\n\n{told}\n")] == [MEMORY, MEMORY]


@pytest.mark.parametrize("heading", ["Status Definitions", "状态定义"])
def test_what_the_states_of_a_form_mean_is_no_open_task(heading: str) -> None:
    table = "| Status | Meaning |\n|---|---|\n| `pending` | Not looked at yet |\n| `resolved` | Mended |\n"
    found = read(f"# Errors\n\n## {heading}\n\n{table}\n## The build stops at midnight\n\nThe runner restarts then.\n")
    assert [entry.level for entry in found if entry.heading[-1] == heading] == [CONTEXT, CONTEXT]
    assert found[-1].level is MEMORY
