"""Home counts what there is and shows what was chosen to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memtui import clock
from memtui.model import Layer, Level, Memory, Status
from memtui.tui.board import FEW
from memtui.tui.choosing import slight, spread
from memtui.tui.rows import Rows
from tests.tui.conftest import running
from tests.tui.fake_vault import NOON, NOTES, SHOP, FakeVault, memory, shop

if TYPE_CHECKING:
    from tests.tui.conftest import Desk


async def filled(desk: Desk) -> None:
    """After the first frame there is a second reading."""
    await desk.pilot.pause(0.3)
    await desk.settled()


async def test_what_no_longer_holds_is_shown_and_counted_when_asked_for(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await filled(desk)
        assert "Facts · L1 · 9" in desk.text()
        assert "→ fact-041" not in desk.text()
        await desk.press("full_stop")
        assert "Facts · L1 · 12" in desk.text()
        assert "→ fact-041" in desk.text()
        assert "9 active · 2 superseded · 1 archived" in desk.text()
        await desk.press("full_stop")
        assert "Facts · L1 · 9" in desk.text()


async def test_a_count_changes_though_no_row_on_the_screen_does(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"fact {n}", "big.jsonl", n, Layer.KNOWLEDGE, "fact", created=NOON - n)
        for n in range(1, FEW + 200)
    ]
    async with running(vault) as desk:
        await filled(desk)
        vault.change(vault.memories_[:-1])
        await desk.settled()
        assert f"Facts · L1 · {FEW + 198}" in desk.text()


async def test_core_memory_is_shown_by_its_lines_each_file_in_its_turn(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(f"line {n} of a", "memory/a.md", n, Layer.CORE, "note", heading=("记忆", "Tools"))
            for n in range(1, 200)
        ),
        *(
            memory(f"line {n} of b", "memory/b.md", n, Layer.CORE, "note", heading=("记忆", "Tools"))
            for n in range(1, 200)
        ),
        *(
            memory("use pnpm", f"memory/{name}.md", 300, Layer.CORE, "note", heading=("记忆", "Notes"))
            for name in "ab"
        ),
    ]
    async with running(vault) as desk:
        await filled(desk)
        shown = [
            item for item in desk.main.query_one("#home-profile", Rows).items if isinstance(item, Memory)
        ]
        texts = [one.text for one in shown]
        assert {"line 1 of a", "line 1 of b"} < set(texts)
        # Every section has its row, and what both files say is said once.
        assert texts.count("use pnpm") == 1


async def test_what_is_not_shown_is_counted(vault: FakeVault) -> None:
    vault.memories_ = [memory(f"x {n}", f"memory/{n:02}.md", 1, Layer.CORE, "note") for n in range(60)]
    async with running(vault) as desk:
        await filled(desk)
        rows = desk.main.query_one("#home-profile", Rows)
        shown = sum(isinstance(item, Memory) for item in rows.items)
        assert rows.items[-1].left[0][0] == f"   … and {60 - shown} more"


async def test_the_fullest_budget_is_shown_with_whose_it_is(vault: FakeVault) -> None:
    vault.memories_ = [
        *shop(),
        memory("last", "MEMORY.md", 238, Layer.CORE, "note", home=NOTES, heading=("Rules",)),
        memory("more", "notes/MEMORY.md", 9, Layer.CORE, "note", home=SHOP, heading=("Rules",)),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert "~/.claude/memory MEMORY.md 238 / 200 lines" in desk.text()
        for width in (120, 80, 60):
            await desk.pilot.resize_terminal(width, 60)
            await desk.settled()
            assert "over: the rest is not read" in desk.text() or width < 80


async def test_what_an_empty_box_says_is_said_whole() -> None:
    for size in ((120, 36), (80, 24), (60, 24)):
        async with running(FakeVault([]), size) as desk:
            told = ""
            for rows in desk.main.query(Rows):
                lines = [rows.render_line(y).text.strip() for y in range(rows.size.height)]
                told += " ".join(lines) + "\n"
        assert "`memtui homes` says where they are looked for." in told
        assert "They are heard as they end: `memtui install` sees to that." in told


async def test_the_person_stands_before_rules_and_who_the_agent_is(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(text, path, 1, Layer.PROFILE if path != "MEMORY.md" else Layer.CORE, "note")
        for text, path in (
            ("I am Nova", "IDENTITY.md"),
            ("run the tests before every commit", "AGENTS.md"),
            ("偏好简洁的回答", "USER.md"),
            ("the shop runs on port 8080", "MEMORY.md"),
        )
    ]
    async with running(vault) as desk:
        await filled(desk)
        rows = desk.main.query_one("#home-profile", Rows)
        paths = [item.path for item in rows.items if isinstance(item, Memory)]
        assert paths == ["USER.md", "MEMORY.md", "AGENTS.md", "IDENTITY.md"]


async def test_facts_begin_with_what_the_person_said_and_no_file_takes_them_all(vault: FakeVault) -> None:
    day = NOON - 86400
    vault.memories_ = [
        memory("一人公司，偏好命令行", "user_profile.md", 1, Layer.KNOWLEDGE, "user", created=day - 9),
        memory("never open drafts", "feedback_drafts.md", 1, Layer.KNOWLEDGE, "feedback", created=day - 8),
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact", created=day - 5),
        *(
            memory(
                f"line {n}", "long.md", n, Layer.KNOWLEDGE, "fact", created=day + n, heading=(f"part {n}",)
            )
            for n in range(1, 200)
        ),
    ]
    async with running(vault) as desk:
        await filled(desk)
        shown = [
            item.path for item in desk.main.query_one("#home-facts", Rows).items if isinstance(item, Memory)
        ]
        # The person's own file heads the profile, and is not told twice.
        assert [one.path for one in shown_in(desk, "profile")] == ["user_profile.md"]
        assert shown[:3] == ["feedback_drafts.md", "long.md", "ports.md"]


async def test_plans_and_releases_are_on_the_timeline_one_row_each(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(text, f"plan/202512112241_test-warnings/{name}.md", 4, Layer.KNOWLEDGE, "note", created=NOON - 300)
            for text, name in (("测试输出大量警告", "why"), ("mock the clock", "how"))
        ),
        memory(
            "swap the bundler", "archive/2025-12/202512011000_new_bundler/proposal.md", 5, Layer.KNOWLEDGE, "note",
            created=NOON - 900, status=Status.ARCHIVED, heading=("变更提案: 换打包工具",),
        ),
        *(
            memory(f"change {n}", "CHANGELOG.md", n, Layer.KNOWLEDGE, "event", created=NOON - 500,
                   heading=("Changelog", "[1.2.0]", "Added"))
            for n in range(5, 9)
        ),
        memory("补齐文档", "CHANGELOG.md", 3, Layer.KNOWLEDGE, "event", heading=("Changelog", "[Unreleased]", "变更")),
    ]  # fmt: skip
    async with running(vault) as desk:
        await filled(desk)
        shown = [
            item.text
            for item in desk.main.query_one("#home-timeline", Rows).items
            if isinstance(item, Memory)
        ]
        assert shown == ["补齐文档", "测试输出大量警告", "change 5", "swap the bundler"]
        assert "Timeline · L2 · 4" in desk.text()
        assert "plan     test warnings" in desk.text()
        assert "plan     换打包工具" in desk.text()


async def test_what_is_left_out_is_told_with_the_key_that_shows_it(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact"),
        *(
            memory(f"旧方案 {n}", "archive/old.md", n, Layer.KNOWLEDGE, "note", status=Status.ARCHIVED)
            for n in range(1, 4)
        ),
        memory("say please", "skills/polite/SKILL.md", 1, Layer.KNOWLEDGE, "note", status=Status.SKILL),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert "4 left out (.): archived, skill" in desk.text()
        await desk.press("2")
        assert "Facts · All · 1 " in desk.text()
        assert "4 left out (.): archived, skill" in desk.text()
        await desk.press("full_stop")
        assert "Facts · All · 5 " in desk.text()
        assert "left out" not in desk.text()


def shown_in(desk: Desk, name: str) -> list[Memory]:
    """The memories of a box, in order."""
    rows = desk.main.query_one(f"#home-{name}", Rows)
    return [item for item in rows.items if isinstance(item, Memory)]


async def test_what_only_names_another_file_stands_behind_it(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("keep changes small", "AGENTS.md", 3, Layer.PROFILE, "rule"),
        memory("use pnpm, never npm", "CLAUDE.md", 3, Layer.PROFILE, "rule"),
        memory("@AGENTS.md", "packages/CLAUDE.md", 1, Layer.PROFILE, "rule"),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert [one.path for one in shown_in(desk, "profile")] == [
            "CLAUDE.md",
            "AGENTS.md",
            "packages/CLAUDE.md",
        ]


async def test_little_room_is_shared_by_all_files(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"line {n} of {path}", path, n, Layer.PROFILE, "note", heading=("About", f"part {n}"))
        for path in ("USER.md", "MEMORY.md", "IDENTITY.md")
        for n in range(1, 30)
    ]
    async with running(vault, (80, 24)) as desk:
        await filled(desk)
        assert {one.path for one in shown_in(desk, "profile")} == {"USER.md", "MEMORY.md", "IDENTITY.md"}


async def test_where_nothing_is_said_of_the_person_topics_and_documents_tell_it(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("prefers short answers", "topics/user_me.md", 1, Layer.KNOWLEDGE, "user", title="Me", reach=9),
        memory("writes Rust for a living", "topics/user_me.md", 7, Layer.KNOWLEDGE, "user", level=Level.PART),
        *(
            memory(f"{name} says it", f"kb/{name}.md", 3, Layer.KNOWLEDGE, "note")
            for name in ("INDEX", "guidelines", "project", "overview", "context")
        ),
        memory("测试前先清缓存", "memory/lessons.md", 3, Layer.KNOWLEDGE, "lesson"),
        memory("the lesson of the day", "memory/english_learning_plan.md", 3, Layer.KNOWLEDGE, "lesson"),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert [one.path for one in shown_in(desk, "profile")] == [
            "topics/user_me.md", "kb/context.md", "kb/overview.md", "kb/project.md", "kb/guidelines.md", "kb/INDEX.md",
            "memory/lessons.md",
        ]  # fmt: skip
        assert shown_in(desk, "profile")[0].text == "writes Rust for a living"
        # What stands there is not said again.
        assert {one.path for one in shown_in(desk, "facts")} >= {"memory/english_learning_plan.md"}
        assert not {one.path for one in shown_in(desk, "facts")} & {"kb/context.md", "memory/lessons.md"}


async def test_what_was_said_to_the_agent_stands_in_the_order_of_its_index(vault: FakeVault) -> None:
    names = [f"feedback_{letter}" for letter in "abcdefgh"]
    vault.memories_ = [
        memory(name, f"m/{name}.md", 1, Layer.KNOWLEDGE, "feedback", created=NOON - number)
        for number, name in enumerate(names)
    ]
    listed = "".join(f"- [x]({name}.md) x\n" for name in reversed(names))
    vault.files[str(SHOP.path), "m/MEMORY.md"] = listed
    async with running(vault) as desk:
        await filled(desk)
        # Three that hold for long, three that are new, and so on.
        assert [one.text[-1] for one in shown_in(desk, "facts")] == list("hgfabced")


async def test_open_work_stands_before_finished_and_data_is_last(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(
            "#12 COMPLETE: the cache is shared", "p_cache.md", 1, Layer.KNOWLEDGE, "project", created=NOON
        ),
        memory("fix pushed, deploy pending", "p_deploy.md", 1, Layer.KNOWLEDGE, "project", created=NOON - 9),
        memory("retry twice, then page", "lessons/retry.md", 1, Layer.KNOWLEDGE, "lesson", created=NOON - 99),
        memory("restore", "obj/assets.json", 1, Layer.KNOWLEDGE, "note", created=NOON),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert [one.path for one in shown_in(desk, "facts")] == [
            "p_deploy.md", "obj/assets.json", "p_cache.md",
        ]  # fmt: skip
        assert [one.path for one in shown_in(desk, "profile")] == ["lessons/retry.md"]


def test_what_has_to_be_known_of_a_thing_stands_before_what_it_is() -> None:
    found = [
        memory("负责登录与会话", "modules/auth.md", 3, Layer.KNOWLEDGE, "note", heading=("auth", "职责")),
        memory("npm run dev", "modules/auth.md", 5, Layer.KNOWLEDGE, "note", heading=("auth", "命令")),
        memory("令牌只存内存", "modules/auth.md", 9, Layer.KNOWLEDGE, "note", heading=("auth", "重要约束")),
    ]
    assert [one.start for one in spread(found)] == [3, 9, 5]
    assert [one.start for one in spread(found, binding=True)] == [9, 3, 5]


@pytest.mark.parametrize(
    ("text", "little"),
    [
        ("npm run build -- --watch", True),
        ("src/\n├── app.py\n└── tests/", True),
        ("flowchart TD A[用户] --> B[网关]", True),
        ("`src/tools/init.go`", True),
        ("[main.rs](src/main.rs)", True),
        ("入口：src/app/page.tsx", True),
        ("kb_version: 2\nproject: shop", True),
        ("Session ID: 0b1c", True),
        ("使用步骤：", True),
        ("暂无", True),
        ("🚧 开发中", True),
        ("无需登录也能浏览", False),
        ("Make sure that git hooks run before you push", False),
        ("the port is 8080", False),
        ("线上入口：https://shop.example", False),
        ("git is used for everything", False),
        ("生产环境不使用演示账号", False),
        ("用 pnpm", False),
    ],
)
def test_commands_diagrams_and_names_say_little(text: str, little: bool) -> None:
    assert slight(memory(text, "notes.md", 1, Layer.KNOWLEDGE, "note")) is little


def test_code_and_raw_data_say_little() -> None:
    assert slight(memory("total = 1", "notes.md", 1, Layer.KNOWLEDGE, "note", extra={"code": "python"}))
    written = "语言: TypeScript\n框架: Vue 3"
    assert not slight(memory(written, "context.md", 1, Layer.KNOWLEDGE, "fact", extra={"code": "yaml"}))
    commands = "# 启动服务\nnpm run dev"
    assert slight(memory(commands, "context.md", 1, Layer.KNOWLEDGE, "fact", extra={"code": "text"}))
    assert slight(memory("the queue is full", "state/queue.json", 1, Layer.KNOWLEDGE, "note"))
    assert not slight(memory("the queue is full", "facts.json", 1, Layer.KNOWLEDGE, "fact"))


def noted(day: str, number: int, section: str, text: str, kind: str = "note", name: str = "") -> Memory:
    """A note of a day that names no hour."""
    path = f"memory/{day}{name}.md"
    heading = (f"{day} 日记", section)
    moment = clock.parse(day)
    return memory(text, path, number, Layer.JOURNAL, kind, heading=heading, created=moment)


async def test_a_busy_day_leaves_room_for_the_day_before(vault: FakeVault) -> None:
    days = ("2026-11-18", "2026-11-19", "2026-11-20")
    vault.memories_ = [
        memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact"),
        *(noted(day, n, "经过", f"第 {n} 步") for day in days for n in range(3, 30)),
        noted("2026-11-20", 2, "经过", "用户询问端口"),
        noted("2026-11-20", 40, "心情", "愉快的一天"),
        noted("2026-11-20", 50, "待办", "换证书", "todo"),
        noted("2026-11-20", 3, "方法", "先看日志再改", "lesson", "-debugging"),
    ]  # fmt: skip
    async with running(vault) as desk:
        await filled(desk)
        shown = [(one.path[7:-3], one.start) for one in shown_in(desk, "timeline")]
        # A file in turn and in each a section, first those that say what to do.
        assert shown[:4] == [
            ("2026-11-20", 3),
            ("2026-11-20", 40),
            ("2026-11-20", 50),
            ("2026-11-20-debugging", 3),
        ]
        assert shown[4:8] == [("2026-11-19", n) for n in range(3, 7)]
        assert "27 more" in desk.text()
        assert f"Timeline · L2 · {27 * 3 + 4}" in desk.text()


async def test_the_row_under_the_cursor_stays_on_its_day(vault: FakeVault) -> None:
    lines = [noted("2026-11-20", n, "经过", f"第 {n} 步") for n in range(3, 60)]
    vault.memories_ = lines[:6]
    async with running(vault) as desk:
        await filled(desk)
        timeline = desk.main.query_one("#home-timeline", Rows)
        timeline.focus()
        await desk.press("end")
        held = timeline.current
        earlier = [noted("2026-11-20", n, "早上", f"清晨 {n}") for n in range(1, 3)]
        vault.change([*earlier, *lines])
        await desk.settled()
        assert timeline.current.id == held.id


async def test_a_plan_is_shown_by_its_proposal_and_counted_once(vault: FakeVault) -> None:
    folder = "plan/202511201010_new-queue"
    vault.memories_ = [
        memory("队列会丢消息", f"{folder}/proposal.md", 4, Layer.SESSION, "plan", created=NOON),
        memory("1.1 换库", f"{folder}/tasks.md", 4, Layer.KNOWLEDGE, "todo", created=NOON),
        memory("1.1 换库", "plan/20251120_new-queue/tasks.md", 4, Layer.KNOWLEDGE, "todo", created=NOON),
    ]  # fmt: skip
    async with running(vault) as desk:
        await filled(desk)
        assert [one.text for one in shown_in(desk, "timeline")] == ["队列会丢消息"]
        assert "Timeline · L2 · 1 " in desk.text()


async def test_a_box_without_rows_leaves_its_room(vault: FakeVault) -> None:
    vault.memories_ = [
        *(memory(f"rule {n}", "MEMORY.md", n, Layer.CORE, "note", heading=("m", f"part {n}")) for n in range(1, 60)),
        noted("2026-11-20", 3, "经过", "换了端口"),
    ]  # fmt: skip
    async with running(vault) as desk:
        await filled(desk)
        tall = desk.main.query_one("#home-profile", Rows).size.height
        # No facts, nothing learnt: what there is has the height, and as many rows as it holds.
        assert tall > 2 * desk.main.query_one("#home-facts", Rows).size.height
        assert len(shown_in(desk, "profile")) >= tall - 3
        vault.change([*vault.memories_, memory("the port is 8080", "ports.md", 1, Layer.KNOWLEDGE, "fact")])
        await filled(desk)
        less = desk.main.query_one("#home-profile", Rows).size.height
        assert less < tall
        assert len(shown_in(desk, "profile")) <= less


async def test_one_long_file_leaves_room_to_what_says_what_the_project_is(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(f"rule {n} of the house", path, n, Layer.PROFILE, "rule", heading=("Rules", f"part {n}"))
            for path in ("CLAUDE.md", "AGENTS.md")
            for n in range(1, 60)
        ),
        memory("a shop for old maps", "kb/context.md", 3, Layer.KNOWLEDGE, "fact"),
        memory("本目录用于存放按模块划分的文档", "kb/INDEX.md", 3, Layer.KNOWLEDGE, "note"),
        memory("answers in French", "notes/user.md", 3, Layer.KNOWLEDGE, "pref"),
    ]
    async with running(vault) as desk:
        await filled(desk)
        paths = [one.path for one in shown_in(desk, "profile")]
        assert (paths[0], paths[-1]) == ("notes/user.md", "kb/context.md")
        # The same rules for another agent are not told again, nor what only says where things are.
        assert set(paths) == {"notes/user.md", "CLAUDE.md", "kb/context.md"}


async def test_what_comes_next_in_a_plan_stands_among_the_facts(vault: FakeVault) -> None:
    folders = ("plan/202605010900_old-queue", "plan/202606010900_new-queue")
    vault.memories_ = [
        memory("the queue holds 500 jobs", "kb/queue.md", 2, Layer.KNOWLEDGE, "fact"),
        *(
            memory(text, f"{folder}/tasks.md", line, Layer.KNOWLEDGE, "todo", extra={"done": done} if done else {})
            for folder in folders
            for line, text, done in (
                (2, f"目录: `{folder}/`", ""),
                (4, f"1.1 read {folder}", "x"),
                (5, f"1.2 measure {folder}", ""),
                (6, f"1.3 swap {folder}", ""),
            )
        ),
    ]  # fmt: skip
    async with running(vault) as desk:
        await filled(desk)
        told = [one.text for one in shown_in(desk, "facts")]
        assert told == [f"1.2 measure {folders[1]}", f"1.2 measure {folders[0]}", "the queue holds 500 jobs"]


async def test_what_stands_within_memories_fills_the_room_that_they_leave(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("how the shop is built", "shop.md", 1, Layer.KNOWLEDGE, "project", title="Shop", reach=9),
        memory("orders are kept for 7 years", "shop.md", 4, Layer.KNOWLEDGE, "project", level=Level.PART),
        memory("**Why:** the law asks for it", "shop.md", 5, Layer.KNOWLEDGE, "project", level=Level.PART),
    ]
    async with running(vault) as desk:
        await filled(desk)
        told = [one.text for one in shown_in(desk, "facts")]
        assert told == ["how the shop is built", "orders are kept for 7 years"]


async def test_a_rule_with_a_condition_says_first_what_it_is_about(vault: FakeVault) -> None:
    text = "**条件**: 收到退出信号时\n**行为**: 先关闭 `api`\n**结果**: 不丢请求"
    vault.memories_ = [
        memory(text, "kb/api.md", 4, Layer.KNOWLEDGE, "rule", heading=("api", "规范", "优雅退出"))
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert "优雅退出: 先关闭 api" in desk.text()


async def test_what_is_not_released_leaves_room_to_days(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(f"change {n}", "CHANGELOG.md", n, Layer.KNOWLEDGE, "event",
                   heading=("Changelog", "[Unreleased]", f"Kind {n}"))
            for n in range(3, 9)
        ),
        memory("steps", "plan/202606010900_queue/tasks.md", 3, Layer.KNOWLEDGE, "event", created=NOON),
        memory("jobs are lost", "plan/202606010900_queue/why.md", 3, Layer.SESSION, "plan", created=NOON - 60),
        memory("换了端口", "CHANGELOG.md", 20, Layer.KNOWLEDGE, "event", created=NOON, heading=("Changelog", "1.0")),
    ]  # fmt: skip
    async with running(vault) as desk:
        await filled(desk)
        assert [one.text for one in shown_in(desk, "timeline")] == [
            "change 3",
            "change 4",
            "换了端口",
            "jobs are lost",
        ]
        assert "not released yet" in desk.text()


async def test_what_the_person_asked_for_stands_first_on_its_day(vault: FakeVault) -> None:
    vault.memories_ = [
        *(noted("2026-11-20", n, "经过", f"第 {n} 步换了端口") for n in range(3, 12)),
        noted("2026-11-20", 12, "经过", "用户明确要求先给方案"),
    ]
    async with running(vault) as desk:
        await filled(desk)
        assert "用户明确要求先给方案" in [one.text for one in shown_in(desk, "timeline")]


@pytest.mark.parametrize(
    "text",
    [
        "- **Vibe:** _(how do you come across? (sharp, warm))_",
        "src/engine/: the rules of the game",
        "main.go: where it begins",
        "错误码格式: 未定义 日志级别: 未定义",
        "本目录用于存放按模块划分的文档",
        "MIT License (see LICENSE.md)",
        "（待补充）",
    ],
)
def test_what_is_unfilled_or_only_names_files_says_little(text: str) -> None:
    assert slight(memory(text, "kb/x.md", 1, Layer.KNOWLEDGE, "note"))


@pytest.mark.parametrize(
    "text",
    [
        "Node.js: 20 or newer",
        "Go/Rust: use what is there",
        "src/engine is shared by both games",
        "端口: 8080",
    ],
)
def test_what_says_something_of_a_thing_does_not_say_little(text: str) -> None:
    assert not slight(memory(text, "kb/x.md", 1, Layer.KNOWLEDGE, "note"))


def test_what_names_things_stands_before_what_would_hold_anywhere() -> None:
    read = [
        memory(text, "kb/x.md", line, Layer.KNOWLEDGE, kind, heading=("x", f"part {line}"))
        for line, kind, text in (
            (1, "note", "what this part is for"),
            (3, "rule", "keep the style of the code"),
            (5, "rule", "build with `make all`"),
        )
    ]
    assert [one.start for one in spread(read, binding=True)] == [5, 1, 3]


def test_who_and_when_wait_for_what_is_said_of_somebody() -> None:
    read = [
        memory(text, "USER.md", line, Layer.PROFILE, "note", heading=heading)
        for line, heading, text in (
            (1, ("About",), "**Name:** Kim"),
            (2, ("About",), "**Timezone:** Europe/Oslo"),
            (3, ("About",), "runs a shop for old maps with two friends"),
            (5, ("About", "Goals"), "open a second shop"),
        )
    ]
    assert [one.start for one in spread(read)] == [1, 3, 5, 2]
