"""What is done and what is still to be done, as lines, cells, labels and headings say it.

The many ways in which people and their agents write that something is still to be done, and what only looks so.
"""

from __future__ import annotations

import pytest

from memtui.core.model import Entry, Layer, Level, Role, Status
from memtui.formats import Source, parse
from memtui.formats.todos import state_of_heading
from tests.formats.reading import read


def state(text: str, line: int = 0, *, parser: str = "markdown", kind: str = "note") -> str:
    """'open', 'done' or neither, of the entry on a line (the last one of all: 0)."""
    entries = read(parser, text, "2026-03-02.md" if parser == "journal" else "notes.md", kind=kind).entries
    found: Entry = next((one for one in entries if one.start == line), entries[-1])
    if found.extra.get("done"):
        return "done"
    return "open" if found.kind == "todo" else ""


@pytest.mark.parametrize(
    "line",
    [
        "- **Importer pushed, deploy pending:** `4fa1` waits for the window",
        "- **Better fix (not yet done):** pass the flag in the wrapper",
        "- **Deferred: the cache** needs a second reader", "DEFERRED: the half that reads",
        "- **P0:** a second provider as fallback", "- Mail account for the bot — BACKLOG",
        "- High-priority: rotate the keys", "- 低优先级：图表配色", "- **剩余：** 等凭证到了再联调",
        "导出已完成。**下一步：** 补分页。", "- 摘要由本地函数生成，后续可接入评审服务。",
        "Importer SHIPPED 2026-04-02: merged. Remaining: the second reader.",
        "- **ONGOING**: tidy the shelves", "- Need to tell the landlord",
        "- The second reader still needs a test", "- Нужно сообщить хозяину", "- Осталось: второй читатель",
        "- **Nächster Schritt:** Leser testen", "- Second reader (TODO)", "- 第二个读取器（待办）",
        "- Leser prüfen → noch offen (braucht Zeit)", "- [~] half of the shelves",
        "- 读取器支持文本（TODO：向量）", "- Host keys are accepted unseen — TODO: check them",
        "- Firewall: ожидает прав от владельца", "- 门铃编号待 Anna 确认", "- 笔记已建，编码问题待修复 ⚠️",
        "- 读取器已改，等待周一验证", "- 读取器已改，待今日14:30验证", "- `shelf` - 外网服务（待安装）",
    ],
)  # fmt: skip
def test_what_a_line_says_is_still_to_be_done(line: str) -> None:
    assert state(f"# Notes\n\n{line}\n") == "open"


@pytest.mark.parametrize(
    "line",
    [
        "- **Phase 2** (done 2026-03-29): one class instead of forty globals",
        "- **迁移** （已完成）：旧表已删",
        "- Smoke test DONE 2026-07-04: both readers agree",
        "**SHIPPED 2026-08-01:** merged and deployed",
        "RESOLVED: the mount was stale",
        "- readers and writers — done by 2026-04-21",
        "- `reader.py` — already migrated 2026-05-17.",
        "- 读取器 — 已修复 #41",
    ],
)
def test_what_a_line_says_is_done(line: str) -> None:
    assert state(f"# Notes\n\n{line}\n") == "done"


@pytest.mark.parametrize(
    "line",
    [
        "- Fixed width fonts only", "- Remaining calm is what the user asks for",
        "- The pending queue is read by two workers", "- 后续需求一律先问用户", "- 描述：待补充",
        "- FIXED_WIDTH is 80", "- #open", "- Need to write while another reads? Take a copy.",
        "- **Cities:** Basle (204), Berne (pending)", "- **State:** pending → processed", "- Нужно время",
        "- The linter counts TODO and FIXME",
    ],
)  # fmt: skip
def test_what_says_nothing_of_the_kind(line: str) -> None:
    assert state(f"# Notes\n\n{line}\n") == ""


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("Done", "done"), ("Completed tasks (April)", "done"), ("✅ 已完成", "done"),
        ("~~2. 导出~~ ✅ 已完成", "done"),
        ("已修复的问题", "done"), ("Login — RESOLVED ✅", "done"), ("3. Rewind (Future)", "open"),
        ("缓存（待实现）", "open"),
        ("Immediate next steps", "open"),
        ("Next build priorities:", "open"), ("明天要做的事", "open"), ("Pending Actions", "open"),
        ("What it fixed for us", ""),
        ("Offene Punkte für Eva", "open"), ("🎯 Следующие шаги:", "open"), ("Próximos passos", "open"),
        ("残タスク", "open"), ("다음 단계", "open"), ("Current priorities", "open"), ("近期优先级（第一期）", "open"),
        ("Automation follow-up (open)", "open"), ("Erledigt", "done"), ("Готово", "done"), ("完了", "done"),
        ("Recent Completions (last day)", "done"), ("No TODOs remaining", ""), ("Plan for tomorrow", "open"),
        ("Opening hours", ""), ("Offenbach", ""), ("Still to build", "open"), ("Things to know", ""),
        ("What Needs to Be Done Next", "open"), ("Outstanding gaps to build next", "open"), ("Steps to release", ""),
        ("Carry-forward (unanswered)", "open"), ("下次会话重点", "open"), ("Earlier outstanding items", "open"),
        ("Start of next session — pick up here", "open"), ("Items actioned", "done"), ("今日完成", "done"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("parser", ["markdown", "journal"])
def test_a_heading_tells_of_its_section(heading: str, told: str, parser: str) -> None:
    assert state(f"# Notes\n\n## {heading}\n\n- the second reader\n", parser=parser) == told


def test_the_innermost_heading_decides_and_a_box_says_more() -> None:
    text = "# N\n\n## Next\n\n- a reader\n\n### Done\n\n- a writer\n- [ ] a checker\n\n"
    text += "## Done\n\n### Next steps\n\n- more\n"
    assert [state(text, line) for line in (5, 9, 10, 16)] == ["open", "done", "open", "open"]


def test_an_hourglass_alone_before_kinds_of_lessons_makes_no_tasks_of_them() -> None:
    text = "# Lessons\n\n## 🔒 Kept\n\n- the bank closes at noon\n\n## ⏳ For a while\n\n- the ferry is late in May\n"
    assert state(text, 9) == ""
    assert state("# Shelf\n\n## ⏳ Second reader\n\n- it reads the labels\n", 5) == "open"
    assert state("# Lessons\n\n## ⏳ For a while\n\n- [ ] ask the ferryman\n", 5) == "open"


def test_a_task_with_a_number_is_one_below_any_heading() -> None:
    text = "# 日志\n\n## 待办系统\n\n- 修复了提醒任务\n- 待办#12 整理书架 已完成\n- 新增待办#15：给书架贴标签\n"
    assert [state(text, line) for line in (5, 6, 7)] == ["", "done", "open"]


def test_a_label_in_bold_says_so_before_what_is_said_by_the_way() -> None:
    text = "# N\n\n**Open items to confirm with the client** (also in `docs/a.md`,\nbelow):\n1. the upper bound\n"
    assert state(text, 5) == "open"
    assert state("# N\n\nThese readers are not written:\n- the second reader\n", 4) == "open"


def test_numbered_items_under_a_label_of_open_work_are_a_task_each() -> None:
    text = "# N\n\n**Open questions**\n\n1. Who pays?\n2. Which day?\n\n**Setting up:**\n\n1. Mix it\n2. Glue it\n"
    assert [state(text, line) for line in (5, 6, 10, 11)] == ["open", "open", "", ""]


def test_a_tick_before_a_rule_or_in_a_heading_praises() -> None:
    assert state("# Notes\n\n## Rules\n\n- ✅ one source of truth\n") == ""
    assert state("# Notes\n\n## Dry run ✅\n\n- the price was right\n") == ""
    assert state("# Notes\n\n- ✅ the price was right\n") == "done"


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("Recommended additions:", "open"),
        ("Stories completed in this stretch:", "done"),
        ("Completed this session:", "done"),
        ("What got done (2026-03-11):", "done"),
        ("Tasks to do:", "open"),
        ("**待办：**", "open"),
        ("**Done:**", "done"),
        ("推荐测试方案：", "open"),
        ("Ports:", ""),
        ("**Next steps for Eva:**", "open"),
        ("**Next Steps**", "open"),
        ("**Completed**", "done"),
        ("**Lessons**", ""),
        ("**P2 — Second reader:**", "open"),
        ("**P0 — First reader ✅ DONE:**", "done"),
        ("These are older than any ticket and remain open until somebody asks:", "open"),
    ],
)
def test_a_label_tells_of_its_list(label: str, told: str) -> None:
    assert state(f"# Notes\n\n{label}\n- tests of the parser\n") == told


@pytest.mark.parametrize(
    ("cell", "told"),
    [("✅", "done"), ("✅ 已完成", "done"), ("Resolved", "done"), ("失败", "done"),
     ("⏳ 待接入", "open"), ("blocked", "open"),
     ("✅ 稳定", ""), ("closed circuit", "")],
)  # fmt: skip
def test_a_cell_says_how_far_it_is(cell: str, told: str) -> None:
    assert state(f"# Notes\n\n| what | state |\n|--|--|\n| reader | {cell} |\n") == told


def test_a_column_of_signs_tells_where_something_is_lacking() -> None:
    table = "# N\n\n| what | 当前状态 |\n|--|--|\n| reader | ✅ two passes |\n| writer | ❌ {} |\n"
    lacking, broken = table.format("缺第二个"), table.format("broken on Windows")
    assert [state(lacking, line) for line in (5, 6)] == ["done", "open"]
    assert [state(broken, line) for line in (5, 6)] == ["", ""]
    assert state("# N\n\n## TODO\n\n| what | result |\n|--|--|\n| reader | ✅ removed |\n") == "done"
    rows = "# N\n\n| what | status | key? |\n|--|--|--|\n| a | ✅ Done | No |\n| b | 🔲 Not started | No |\n"
    rows += "| c | ✅ Done (shelf and door) | No (not wired yet) |\n"
    assert [state(rows, line) for line in (5, 6, 7)] == ["done", "open", "done"]


@pytest.mark.parametrize("parser", ["markdown", "journal"])
def test_lines_with_a_sign_each_are_a_list(parser: str) -> None:
    text = "# N\n\n## Doorbell\n\n✅ the wire is laid\n✅ the button is in\n⏳ the chime is to come\n❌ no lamp\n"
    assert [state(text, line, parser=parser) for line in (5, 6, 7)] == ["done", "done", "open"]
    found = read(parser, text, "2026-03-02.md").entries
    assert [(one.start, one.end, one.level) for one in found] == [(n, n, Level.MEMORY) for n in (5, 6, 7, 8)]
    (alone,) = read(parser, "# N\n\n✅ the wire is laid,\nand so is the pipe\n", "2026-03-02.md").entries
    assert (alone.start, alone.end) == (3, 4)


def test_within_one_memory_its_parts_are_to_be_done_and_their_reasons_are_not() -> None:
    text = "---\nname: a\ndescription: d\n---\n\nRecommended additions:\n\n- a reader\n\nIt is so.\n\n"
    text += "## Next steps\n\n- a writer\n\n**Why:** the disk is full\n"
    assert [state(text, line, kind="topic") for line in (8, 10, 14, 16)] == ["open", "", "open", ""]


def test_boxes_of_a_rule_are_asked_each_time_unless_some_are_ticked() -> None:
    assert state("# R\n\n- [ ] do the tests pass?\n- [ ] is it read?\n", 3, kind="rule") == ""
    mixed = "# R\n\n- [ ] write the reader\n- [x] write the writer\n\n## TODO\n\n- [ ] write the checker\n"
    assert [state(mixed, line, kind="rule") for line in (3, 4, 8)] == ["open", "done", "open"]


@pytest.mark.parametrize(
    "heading",
    [
        "待核对事项", "待核实项（延续）", "待讨论问题", "Immediate Priorities", "Focus going forward",
        "Open follow-on tickets (Jira)", "明日行动建议", "下次检查重点", "5.3 建议行动", "建议行动（下次迭代）",
        "**建议立即行动**", "行动建议", "立即修复建议", "改进计划", "⚠️ 未能修复", "建议明日重点关注", "Action plan",
        "Recommended actions for tomorrow", "Next session requirements", "Remaining external blockers",
        "Needed from Anna / the landlord", "Needs Anna's attention",
    ],
)  # fmt: skip
def test_more_headings_of_what_is_to_be_done(heading: str) -> None:
    assert state(f"# N\n\n## {heading}\n\n1. **Readers.** two of them\n", 5) == "open"


def test_what_is_noted_at_an_hour_is_not_to_be_done() -> None:
    text = "# N\n\n## Pending\n\n- a second reader\n\n### 19:00 - Summary\n\n- the reader was cleaned\n"
    assert [state(text, line) for line in (5, 9)] == ["open", ""]


def test_a_box_with_a_star_need_not_be_ticked() -> None:
    text = "# Plan\n\n- [ ] 1. two readers\n- [ ]* 2. test them\n- [x]\\* 3. test more\n- [ ] *soon* the till\n"
    assert [state(text, line) for line in (3, 4, 5, 6)] == ["open", "", "done", "open"]
    assert state(text, 4, kind="todo") == ""
    assert [one.text for one in read("markdown", text).entries[1:3]] == ["2. test them", "3. test more"]


def test_a_tick_behind_an_empty_box_is_one() -> None:
    text = "# N\n\n## 待完成\n\n- [ ] ✅ 第二个读取器\n- [ ] 第三个读取器\n"
    assert [state(text, line) for line in (5, 6)] == ["done", "open"]


def test_what_is_not_to_be_done() -> None:
    assert state("# N\n\n## 待遇问题\n\n- 两个人\n", 5) == ""
    assert state("# N\n\n- ⚠️ Need to measure the reader again\n- ⚠️ The reader is slow\n", 3) == "open"
    assert state("# N\n\n- ⚠️ The reader is slow\n", 3) == ""


@pytest.mark.parametrize(
    ("status", "expected"),
    [("pending", "open"), ("in_progress", "open"), ("resolved", "done"), ("promoted", "done"), ("odd", "")],
)
def test_what_a_record_suggests_is_as_far_as_the_record(status: str, expected: str) -> None:
    text = (
        "# Learnings\n\n## [LRN-20260302-001] correction\n\n"
        f"**Logged**: 2026-03-02T10:00:00Z\n**Priority**: low\n**Status**: {status}\n**Area**: till\n\n"
        "### Summary\nThe till rounds down\n\n### Suggested Action\nRound half up in the receipt\n"
    )
    assert state(text) == expected
    assert state(text.replace("[LRN-20260302-001]", "Of the till:")) == ""


@pytest.mark.parametrize(
    ("path", "status", "archived"),
    [
        (".claude/plans/till.md", "done", True),
        ("plans/2026-03-02.md", '"Completed"', True),
        ("plans/till.md", "in progress", False),
        ("notes/till.md", "done", False),
    ],
)
def test_a_plan_whose_frontmatter_says_that_it_is_done_is_put_away(path: str, status: str, archived: bool) -> None:
    text = f"---\nstatus: {status}\nslug: till\n---\n\n# Till\n\nCount the drawer twice.\n"
    entries = read("markdown", text, path).entries
    assert {entry.status is Status.ARCHIVED for entry in entries} == {archived}


HEADINGS = (
    "P0 — must fix", "High priority", "中优先级（本月）",
    "What to build next", "What I would test next", "What's left to wire", "Next testing cases", "Next review note",
    "Known bugs (not yet fixed)", "Third shelf (next week)", "Third shelf (pending)", "Not yet painted (no paint)",
    "Follow-ups recommended for the hinges", "Optional follow-ups", "Missing tests", "Changes needed",
    "Small subtasks for tomorrow", "Tomorrow's goals", "Next, I'm turning to the hinges", "Pendente para a próxima",
    "未完成 / 选做", "待配置", "待用户确认", "后续优化方向", "明日验证计划", "尚未接入的部分",
    "需要用户操作", "书架 (待启动 ⏳)", "建议下一步",
    "需要完善",
    "Next steps", "Next Steps (this week)", "Pending", "Open questions", "Open Questions for Anna", "Blockers",
    "Blocked", "Blocked on", "In progress", "In Progress 🚧", "Action items", "Action Items (from call)",
    "Remaining", "Remaining issues", "To verify", "To do", "TODO", "TODOs", "Todo next week", "What's left",
    "What's next", "What remains", "Still to do", "Still TODO", "Not yet done", "Deferred", "Deferred / Backlog",
    "Deferred items", "Backlog Items", "Feature backlog", "Ideas / Backlog", "Tech debt", "Technical Debt",
    "Known issues / TODO", "Follow-ups", "Follow-up tasks", "Followups", "Follow up", "Waiting",
    "Waiting on others", "Waiting for reply", "Awaiting", "Awaiting reply", "Open tasks", "Open PRs", "Unresolved",
    "Unresolved questions", "Unfinished", "Incomplete", "Outstanding work", "Future work", "Planned work",
    "Planned features", "Up next", "Next up", "Next session", "For next session", "First thing to do next session",
    "Next session should", "Tomorrow",
    "Tomorrow's plan", "Tomorrow's priorities", "Plan for tomorrow", "Current priorities", "To investigate",
    "To be decided", "TBD", "To decide", "Decisions needed", "Needs decision", "Decision needed", "Needs review",
    "Needs attention", "Needs action", "Needs follow-up", "Requires action", "Action required", "Action needed",
    "Actions needed", "Immediate actions", "Immediate next steps", "Next actions", "Next action", "Pending Tasks",
    "Pending backlog tasks", "残バックログ（優先度順）",
    "Pending decisions", "Pending items", "Pending approval", "Pending from Anna", "Pending (Anna)", "Open loops",
    "Loose ends", "Parking lot", "Things to follow up", "Questions for Anna", "Manual steps remaining",
    "Remaining steps", "Remaining TODOs", "🔴 Blockers", "⏳ Waiting", "📋 TODO", "🚧 In Progress", "⏭️ Next",
    "Next:", "Active Tasks", "Current tasks", "Suggested next steps", "Recommended next steps", "Known gaps",
    "What is missing", "What's missing", "Not implemented", "Not implemented yet", "Not started", "Still missing",
    "Still open", "Still needed", "Pending validation", "Pending verification", "Pending work", "To monitor",
    "To test", "To check", "To research", "To review", "To buy", "To discuss", "下一步", "下一步行动", "下一步工作",
    "下一步建议", "待办", "待办事项", "📌 待办", "待办任务", "未完成", "未完成任务", "未完成的工作", "进行中",
    "进行中的任务", "正在进行", "待确认", "待确认事项", "待确认问题", "待解决", "待解决问题", "待处理事项",
    "待跟进", "待讨论", "待定", "待定事项", "待验证", "待测试", "待优化项", "待补充", "待实现功能", "待修复",
    "待审核", "待回复", "待审批", "等待中", "等待用户", "等待确认", "阻塞", "阻塞项", "阻塞问题", "剩余工作",
    "剩余任务", "剩余问题", "遗留问题", "遗留事项", "遗留任务", "后续", "后续工作", "后续计划", "后续任务",
    "后续步骤", "后续行动", "后续优化", "后续建议", "后续跟进", "明日计划", "明天计划", "明天待办", "明天",
    "下周计划", "本周待办", "今日待办", "今天要做的", "接下来", "接下来要做", "接下来的计划", "接下来的工作",
    "开放问题", "未解决的问题", "未决问题", "问题与风险待办", "技术债", "技术债务", "需要跟进", "需跟进",
    "需要确认", "需要用户确认", "需要做的事", "要做的事", "行动项", "行动计划", "计划中", "未来计划", "未来工作",
    "尚未完成", "还没做", "没做完", "TODO 列表", "进度与待办", "已知问题与待办", "Próximos passos",
    "Proximos passos", "Próximas ações", "Pendências", "Pendente", "Pendências abertas", "A fazer", "O que falta",
    "Falta", "Falta fazer", "Em andamento", "Em aberto", "Bloqueios", "Bloqueado", "Tarefas pendentes",
    "Para fazer", "Perguntas em aberto", "Perguntas abertas", "Dúvidas em aberto", "Aguardando", "Próximo passo",
    "Próximos pasos", "Proximos pasos", "Pendientes", "Pendiente", "Tareas pendientes", "Por hacer",
    "Falta por hacer", "Lo que falta", "En progreso", "En curso", "Bloqueos", "Preguntas abiertas",
    "Siguientes pasos", "Siguiente paso", "Próximas acciones", "Acciones pendientes", "Esperando", "Следующие шаги",
    "Следующий шаг", "Ближайшие шаги", "Осталось", "Осталось сделать", "Что осталось", "Нужно сделать",
    "Надо сделать", "В работе", "В процессе", "Открытые вопросы", "Открытые задачи", "Незавершённое",
    "Незакрытые вопросы", "План на завтра", "На завтра", "Блокеры", "Ожидает", "Ждём", "Ожидаем", "Не сделано",
    "Отложено", "Что дальше", "Дальнейшие действия", "Предстоит", "К выполнению", "Доделать", "次のステップ",
    "次のアクション", "次にやること", "やること", "やることリスト", "未対応", "未完了", "未解決", "未解決の問題",
    "残タスク", "残課題", "残作業", "対応中", "進行中", "保留", "保留事項", "保留中", "確認待ち", "要確認",
    "要対応", "今後の課題", "今後の予定", "今後の対応", "今後やること", "宿題", "明日やること", "明日の予定",
    "ブロッカー", "未着手", "検討事項", "TODOリスト", "次回", "次回やること", "次回の作業", "다음 단계",
    "다음 작업", "다음 할 일", "다음 세션", "할 일", "할 일 목록", "해야 할 일", "남은 작업", "남은 일",
    "남은 과제", "진행 중", "진행중", "진행 중인 작업", "미완료", "미해결", "미해결 이슈", "미정", "미정 사항",
    "미결 사항", "미구현", "보류", "보류 사항", "대기 중", "확인 필요", "확인 필요 사항", "추후 작업", "추후 과제",
    "향후 계획", "향후 과제", "아직 없는 것", "잔여 작업", "블로커", "후속 작업", "Nächste Schritte",
    "Nächster Schritt", "Offene Punkte", "Offene Fragen", "Offen", "Noch offen", "Offene Aufgaben", "Offene Themen",
    "In Arbeit", "Ausstehend", "Blocker", "Zu erledigen", "Zu tun", "Zu klären", "Noch zu tun", "Noch zu klären",
    "Was noch fehlt", "Fehlt noch", "Wartet auf", "Warten auf", "Zurückgestellt", "Für morgen", "Prochaines étapes",
    "À faire", "A faire", "Reste à faire", "En cours", "En attente", "Questions ouvertes", "Points ouverts",
    "Bloqué", "Tâches restantes", "Prochaine étape", "À vérifier", "À décider", "Prossimi passi", "Da fare",
    "In corso", "In sospeso", "Domande aperte", "Volgende stappen", "Te doen", "Openstaand", "Do zrobienia",
    "Następne kroki", "Yapılacaklar", "Sonraki adımlar", "Langkah selanjutnya", "Việc cần làm", "Bước tiếp theo",
    "Наступні кроки", "Залишилось", "Nästa steg", "Att göra", "Næste skridt", "الخطوات التالية",
)  # fmt: skip
"""Headings over what is still to be done."""
OTHER_HEADINGS = (
    "P0 - 永久信息 (核心)", "[P1] Active projects (90d)", "High priority for the workflow of Roger",
    "What happens next", "Next.js pages", "Next Phase Readiness", "Missing hinges of the third door", "Risks / notes",
    "Shelves (3 remaining)", "Frontend (in progress)", "Planned parenthood talk", "What I should have done", "待遇",
    "后续影响", "待机功耗", "Notes for the next session",
    "待办系统", "Todo app",
    "Done", "Completed", "What was done", "Decisions", "Context", "Next.js setup", "Open source", "OpenClaw setup",
    "Opening hours", "Waiting room design", "Blocker plugin", "Progress", "Later stages of the pipeline",
    "Missing person case", "Task manager architecture", "Tasks completed", "Completed tasks", "Open API",
    "Open Graph tags", "Planning meeting", "Planned Parenthood", "Remaining budget", "Pending queue design",
    "No blockers", "Blockers: none", "Next generation sequencing", "Follow-up email template", "Reminders app",
    "Roadmap tool", "To whom it may concern", "To Kill a Mockingbird", "Future proof design",
    "Gaps analysis method", "Lessons", "Current state", "Missing data handling", "Tomorrow never dies",
    "Morgenroutine", "已完成", "已完成任务", "完成情况", "后续影响", "后续已完成", "后台任务", "待遇", "下一代架构",
    "明天系统架构", "等待队列", "接下来发生了什么", "进度", "Concluído", "Feito", "Сделано", "Готово", "Задержки",
    "Планировщик", "完了", "対応済み", "完료", "완료", "완료된 작업", "Erledigt", "Fait", "Offenbach",
    "Warteschlange", "En cours de route", "Falta de memória", "Tarefas concluídas", "Resolved questions",
    "Resolved blockers", "Completed next steps", "Known limitations", "Waiting strategy", "Pending state machine",
    "Action items from last week (done)", "Nothing pending", "Decision log", "Progress bar",
    "Deferred execution model", "Deferred rendering", "Backlog processor",
)  # fmt: skip
"""Headings over something else."""
LINES = (
    "- **⚠️ Pendente:** a chave do portão", "- **Next task:** paint the third shelf",
    "- **Reminder for next session:** ask Anna about the key",
    "- [ ] buy the shelf", "* [ ] buy the shelf", "1. [ ] buy the shelf", "1. ⬜ buy the shelf",
    "- ⏳ waiting for the key", "- ☐ buy the shelf", "- 🔲 buy the shelf", "- 🚧 second reader",
    "- TODO: buy the shelf", "- **TODO:** buy the shelf", "- **TODO**: buy the shelf", "- TODO buy the shelf",
    "- TODO(anna): buy the shelf", "- TODO - buy the shelf", "- todo: buy the shelf", "- [TODO] buy the shelf",
    "- FIXME: the reader counts twice", "- FIXME the reader counts twice", "- NEXT: second reader",
    "- Next: second reader", "- **Next:** second reader", "- **Next steps:** second reader, then the shelf",
    "- Next step: second reader", "- Next likely steps: second reader", "- Next action: ask Anna",
    "- Immediate next step: ask Anna", "- Blocked: no key yet", "- **Blocked:** no key yet",
    "- BLOCKED: no key yet", "- **Blocker:** no key yet", "- Blocker: no key yet", "- Blocked on the key from Anna",
    "- Blocked by the import", "- Waiting for Anna to send the key", "- Waiting on Anna's review",
    "- Awaiting Anna's reply", "- **Waiting for:** the key from Anna", "- Pending: the key",
    "- **Pending:** the key", "- **Open:** who pays", "- **Open question:** who pays",
    "- Open question: who pays the shelf?", "- OPEN: who pays", "- Action item: ask Anna",
    "- **Action item:** ask Anna", "- Remaining: the second reader", "- Remaining work: the second reader",
    "- Still open: the second reader", "- Still to do: the second reader", "- Still need to ask Anna",
    "- Still needs a test", "- To do: the second reader", "- To-do: the second reader",
    "- Follow up: ask Anna on Monday", "- Follow-up with Anna on Monday", "- Need to ask Anna",
    "- Needs to be tested on Windows", "- Deferred to next week: the second reader", "- Second reader: not started",
    "- Second reader: pending", "- Second reader: in progress", "- Second reader: TODO", "- Second reader — TODO",
    "- Second reader — pending", "- Second reader - in progress", "- Second reader (pending)",
    "- Second reader (in progress)", "- Second reader (TODO)", "- Second reader (not yet done)",
    "- Second reader (not started)", "- Second reader ⏳", "- Second reader 🚧", "- Second reader [pending]",
    "- Second reader [TODO]", "- Second reader is still pending", "- Second reader has not been tested yet",
    "- The second reader is not implemented yet", "- Second reader still missing", "- 待办：买书架",
    "- **待办**：买书架", "- 【待办】买书架", "- [待办] 买书架", "- TODO：买书架", "- 下一步：买书架",
    "- **下一步**：买书架", "- 下一步是买书架", "- 待确认：谁来付款", "- **待确认**：谁来付款", "- 待定：谁来付款",
    "- 待解决：导入失败", "- 待跟进：Anna 的回复", "- 阻塞：缺少密钥", "- 等待 Anna 发送密钥", "- 等待用户确认方案",
    "- 未完成：第二个读取器", "- 进行中：第二个读取器", "- 剩余：第二个读取器", "- 遗留问题：导入失败",
    "- 后续：补充测试", "- 后续计划：补充测试", "- 明天：补充测试", "- 明日待办：补充测试", "- 需要确认：谁来付款",
    "- 需跟进：谁来付款", "- 还需要补充测试", "- 仍需补充测试", "- 尚未测试第二个读取器",
    "- 第二个读取器（进行中）", "- 第二个读取器（待确认）", "- 第二个读取器（未开始）", "- 第二个读取器：未完成",
    "- 第二个读取器：待处理", "- 第二个读取器 - 进行中", "- 第二个读取器待实现", "- 第二个读取器待确认",
    "- Pendente: comprar a estante", "- Próximo passo: comprar a estante",
    "- **Próximos passos:** comprar a estante", "- A fazer: comprar a estante", "- Falta comprar a estante",
    "- Aguardando resposta da Anna", "- Em andamento: segundo leitor", "- Bloqueado: sem chave",
    "- Pendiente: comprar el estante", "- Falta comprar el estante", "- Esperando respuesta de Anna",
    "- Próximo paso: comprar", "- Осталось купить полку", "- Следующий шаг: купить полку", "- Нужно купить полку",
    "- Надо купить полку", "- Ждём ответа от Анны", "- Жду ключ от Анны", "- Ожидаем ключ",
    "- В работе: второй читатель", "- Не сделано: второй читатель", "- Открытый вопрос: кто платит",
    "- Открыто: кто платит", "- Сделать: купить полку", "- TODO: 棚を買う", "- 次のステップ：棚を買う",
    "- 次のアクション: 棚を買う", "- 未対応: 棚を買う", "- 残タスク: 棚を買う", "- 要確認: 誰が払うか",
    "- 確認待ち: 誰が払うか", "- 保留: 誰が払うか", "- 다음 단계: 선반 사기", "- 할 일: 선반 사기",
    "- 진행 중: 두 번째 리더", "- 미정: 누가 지불하는지", "- 미해결: 누가 지불하는지",
    "- 확인 필요: 누가 지불하는지", "- 보류: 두 번째 리더", "- 남은 작업: 두 번째 리더",
    "- 두 번째 리더 — 아직 안 고침", "- 두 번째 리더 (미구현)", "- 두 번째 리더 (진행 중)", "- Offen: wer zahlt",
    "- Nächster Schritt: Regal kaufen", "- Noch zu tun: Regal kaufen", "- Noch offen: wer zahlt",
    "- Wartet auf Anna", "- Warten auf Rückmeldung von Anna", "- Blockiert: kein Schlüssel",
    "- In Arbeit: zweiter Leser", "- Muss noch getestet werden", "- Zu klären: wer zahlt",
    "- À faire : acheter l'étagère", "- Reste à faire : acheter", "- En attente de la réponse d'Anna",
    "- En attente : réponse d'Anna", "- Bloqué : pas de clé", "- Prochaine étape : acheter",
)  # fmt: skip
"""Lines that say so themselves."""
OTHER_LINES = (
    "- Blockers: none visible from here", "- Blockers: no open tasks at the moment", "- 保留：十个书架",
    "- Next.js renders the shelf", "- Next to the shelf stands a lamp",
    "- Pending requests are shown in the header", "- The pending queue is drained at night",
    "- Open the shelf with the key", "- OpenAI is the default", "- Blocked users cannot log in",
    "- Blocked domains are listed in the config", "- Waiting for a lock uses a spin loop",
    "- Waiting for network idle takes 30 s", "- Action buttons are blue", "- Action: `npm run build` runs on push",
    "- Left: 20px, right: 30px", "- Left join is slow", "- Remaining quota is shown in the footer",
    "- Follow the style guide", "- Need for speed is a game", "- Status: done", "- Status: resolved",
    "- Todoist is used for tasks", "- TODO.md lists what is to be done", "- Todo items are stored in SQLite",
    "- TODO comments are not allowed in code", "- All TODOs are resolved", "- No TODOs left", "- Nothing pending",
    "- Pending: none", "- Blockers: none", "- Open questions: none", "- Next: none", "- **Open questions:** None",
    "- TODO: none", "- Waiting time is 5 s", "- 🔴 Red means the market rises", "- 🟡 Yellow is the warning colour",
    "- The reader is done, nothing is pending", "- Anna likes it when the plan is open",
    "- In progress bars we use blue", "- 待遇：月薪", "- 等待时间为 5 秒", "- 等待队列使用 Redis",
    "- 待办事项用 SQLite 存储", "- 下一步按钮是蓝色的", "- 进行中的订单不能取消", "- 未完成的订单会自动关闭",
    "- 待办：无", "- 阻塞：无", "- 遗留问题：无", "- 明天系统会升级到 5.0 的说法不准确", "- 后续版本兼容",
    "- 已完成：第二个读取器", "- Pendente é um status válido", "- Falta de memória causa erro", "- Nada pendente",
    "- Осталось: ничего", "- Следующий шаг не требуется", "- План тарифа: базовый", "- Проект в работе с 2020 года",
    "- 次の関数を使う", "- 다음 함수를 사용한다", "- Offen für Vorschläge", "- Warteschlange ist voll",
    "- En attendant, on lit", "- Reminders are sent by the cron job", "- Remember that the key is shared",
    "- Deferred rendering is used", "- Blocker plugin is installed", "- Awaiting futures blocks the loop",
    "- Use [ ] for empty boxes", "- Anna (pending approval workflow is in place) signs",
)  # fmt: skip
"""Lines that do not."""


def state_of_line(text: str, line: int) -> str:
    """'open' or 'done', of the entry on a line; else empty."""
    found = next(one for one in read("markdown", text, "notes.md").entries if one.start <= line <= one.last)
    return "done" if found.extra.get("done") else "open" if found.kind == "todo" else ""


@pytest.mark.parametrize("heading", HEADINGS)
def test_what_stands_under_such_a_heading_is_open(heading: str) -> None:
    assert state_of_line(f"# Reader\n\n## {heading}\n\n- the second reader of the shelf\n", 5) == "open"


@pytest.mark.parametrize("heading", OTHER_HEADINGS)
def test_what_stands_under_another_heading_is_not(heading: str) -> None:
    assert state_of_line(f"# Reader\n\n## {heading}\n\n- the second reader of the shelf\n", 5) != "open"


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_says_so_is_open(line: str) -> None:
    assert state_of_line(f"# Reader\n\n## State of the shelf\n\n{line}\n", 5) == "open"


@pytest.mark.parametrize("line", OTHER_LINES)
def test_a_line_that_only_looks_so_is_not(line: str) -> None:
    assert state_of_line(f"# Reader\n\n## State of the shelf\n\n{line}\n", 5) != "open"


@pytest.mark.parametrize("nothing", ["None", "none yet", "N/A", "暂无", "无", "нет", "なし", "없음", "Keine"])
def test_where_there_is_nothing_to_be_done(nothing: str) -> None:
    assert state_of_line(f"# Reader\n\n## Blockers\n\n- {nothing}\n", 5) == ""
    assert state_of_line(f"# Reader\n\nWe read on.\n\n**Blockers:**\n- {nothing}\n", 6) == ""


def test_a_rule_about_what_is_pending_is_no_task() -> None:
    entries = read("markdown", "- Needs review: ask Anna\n- Waiting for the lock: never more than 5 s\n", kind="rule")
    assert [one.kind for one in entries.entries] == ["rule", "rule"]


def test_the_items_of_a_roadmap_are_to_be_done_but_for_ticked_ones() -> None:
    text = (
        "# Roadmap\n\nWhere we go.\n\n## 第一优先级 (核心)\n\n1. **Purge** by tag\n2. Compression\n   - brotli\n\n"
        "## Phase 2\n\n- Rules at the edge\n- [x] Panels\n\n## What there is\n\n- Routing ✓\n- Limits\n"
    )

    def said(path: str, line: int) -> tuple[str, bool]:
        found = [one for one in read("markdown", text, path).entries if one.start <= line <= one.end]
        return found[-1].kind, bool(found[-1].extra.get("done"))

    assert [said("docs/ROADMAP.md", line) for line in (7, 8, 13)] == [("todo", False)] * 3
    assert said("docs/ROADMAP.md", 14)[1]
    assert said("docs/ROADMAP.md", 18)[1]
    assert said("docs/ROADMAP.md", 19) == ("note", False)
    assert said("docs/design.md", 8) == ("note", False)


@pytest.mark.parametrize("heading", ["修正済み", "修正済み（Unity）", "対応済み", "完了"])
def test_what_stands_under_such_a_heading_is_done(heading: str) -> None:
    assert state_of_line(f"# Reader\n\n## {heading}\n\n- the second reader of the shelf\n", 5) == "done"


def test_a_cross_is_a_failure_where_done_has_a_mark_of_its_own() -> None:
    """HelloAGENTS: '[√]' done, '[X]' failed, '[-]' skipped. Elsewhere a cross is a tick."""
    text = "- [√] 1. Build it\n- [X] 2. Run the tests\n- [-] 3. Tell them\n"
    for written, second in ((text, None), (text.replace("√", "x"), True)):
        done = [entry.extra.get("done") for entry in read("markdown", written).entries]
        assert done == [True, second, True]


def test_frontmatter_without_a_description_is_no_memory() -> None:
    fields = "---\ntags: [hot, core]\nupdated: 2026-02-21\n---\n"
    first, second = read("markdown", f"{fields}# Notes\n\n- Ship on Fridays never.\n").entries
    assert (first.level, second.level) == (Level.CONTEXT, Level.MEMORY)
    (alone,) = read("markdown", fields).entries
    assert alone.level is Level.MEMORY


@pytest.mark.parametrize(("title", "shown"), [("# Big plan\n\n", "Big plan"), ("", "team plan")])
def test_a_topic_without_a_description_is_called_by_its_title_or_its_name(title: str, shown: str) -> None:
    source = Source(
        "team_plan.md",
        Role(Layer.KNOWLEDGE, "topic", "markdown"),
        f"---\ntype: project\n---\n{title}We do it.\n".encode(),
    )
    assert parse(source).entries[0].text == shown


def test_an_item_is_as_far_as_the_boxes_below_it() -> None:
    text = (
        "## Greenhouse\n\n- Move of the panes:\n  - [ ] Order new glass\n  - [x] Measure the doors\n"
        "- Paint of the doors:\n  - [x] Scrape\n  - [x] Paint\n"
        "- Checklist before the sale:\n  - [ ] Lights off\n"
        "- The bays have numbers\n  - bay 3 is the warm one\n  - [ ] nothing is known of bay 4\n"
    )
    assert [state(text, line) for line in (3, 6, 9, 11)] == ["open", "done", "", ""]
    assert state("# 2026-03-02\n\n- Move of the panes\n  - [ ] Order new glass\n", 3, parser="journal") == "open"


@pytest.mark.parametrize(
    ("heading", "state"),
    [
        ("V2.0 — Two scores ✅ (terminé — Juin 2026)", "done"), ("Fase 2 (concluída em junho)", "done"),
        ("Phase 2 (erledigt am 3. Juni)", "done"), ("Sprint 4 — completed 2026-06", "done"),
        ("Etapa 3: hecho", "done"), ("阶段二（已完成，2026-06-02）", "done"), ("Phase 2 ✅ 2026-06-02", "ticked"),
        ("Auth — completed, rollout pending", ""), ("Phase 2 (partially done)", ""), ("Decision: closed source", ""),
        ("Phase 3 (finished goods)", ""), ("阶段二（未完成）", "open"),
    ],
)  # fmt: skip
def test_a_heading_that_ends_in_when_it_was_done(heading: str, state: str) -> None:
    assert state_of_heading((heading,)) == state


def test_what_a_roadmaps_finished_stages_note_is_not_to_be_done() -> None:
    text = "# Roadmap\n\n## V1 ✅ (terminé — juin 2026)\n\n### Seuils\n- 75 % est proche\n\n## V2\n- Export en PDF\n"
    kinds = {entry.text: entry.kind for entry in read("markdown", text, "ROADMAP.md").entries}
    assert kinds["Export en PDF"] == "todo" and kinds["75 % est proche"] != "todo"


@pytest.mark.parametrize(
    ("heading", "open_"),
    [
        ("V2.1 — Améliorations prévues", True), ("Prochaine session — idées", True), ("Évolutions à venir", True),
        ("Geplante Erweiterungen", True), ("Mejoras previstas", True), ("Melhorias planejadas", True),
        ("V3 — Planned improvements", True), ("Miglioramenti previsti", True), ("Corrections", False),
        ("Réponses prévues par la norme", False), ("Étapes", False), ("V2.0 — Two scores", False),
    ],
)  # fmt: skip
def test_what_is_planned_is_to_be_done_in_their_words_too(heading: str, open_: bool) -> None:
    assert (state(f"# Notes\n\n## {heading}\n\n- export as a table\n") == "open") == open_


@pytest.mark.parametrize(
    ("heading", "kind"),
    [("Before a long command", "note"), ("自检", "note"), ("Open tasks", "todo"), ("待办", "todo")],
)
def test_boxes_in_an_agents_instructions_are_a_checklist(heading: str, kind: str) -> None:
    text = f"# AGENTS.md\n\n## {heading}\n\n- [ ] Is a checkpoint written first?\n"
    role = Role(Layer.PROFILE, "note", "markdown", shipped=True)
    (found,) = parse(Source("AGENTS.md", role, text.encode())).entries
    assert found.kind == kind


@pytest.mark.parametrize("parser", ["markdown", "journal"])
@pytest.mark.parametrize("footer", ["*记录时间 18:00 · 值班助手 v2*", "*Report written at 18:00 by the night shift*"])
def test_a_signature_below_the_tasks_is_no_task(footer: str, parser: str) -> None:
    text = f"# Day\n\n## Next steps\n\n- Free the disk\n- Renew the certificate\n\n---\n\n{footer}\n"
    assert [state(text, line, parser=parser) for line in (5, 6, 10)] == ["open", "open", ""]


@pytest.mark.parametrize("parser", ["markdown", "journal"])
def test_tasks_told_in_prose_alone_stay_tasks(parser: str) -> None:
    assert state("# Day\n\n## Next steps\n\nFree the disk before the backup.\n", 5, parser=parser) == "open"
