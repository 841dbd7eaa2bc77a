"""What a person would want to see first stands in Home's boxes before the rest.

Which homes are shown: space ticks, enter shows those, escape changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memtui.core.model import Layer, Level, Memory
from memtui.tui.choosing import open_todos
from memtui.tui.rating import Neighbourhood, is_fragment, is_slight, put_repeated_last, rate_file
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, fill_boxes, filled, list_shown, running
from tests.tui.fake_vault import NOON, NOTES, SHOP, FakeVault, memory


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
            memory(
                "packages come by pnpm, from the mirror",
                f"memory/{name}.md",
                300,
                Layer.CORE,
                "note",
                heading=("记忆", "Notes"),
            )
            for name in "ab"
        ),
    ]
    async with filled(vault) as desk:
        shown = [item for item in desk.main.query_one("#home-profile", Rows).items if isinstance(item, Memory)]
        texts = [one.text for one in shown]
        assert {"line 1 of a", "line 1 of b"} < set(texts)
        # Every section has its row, and what both files say is said once.
        assert texts.count("packages come by pnpm, from the mirror") == 1


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
    async with filled(vault) as desk:
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
            memory(f"line {n} is long", "long.md", n, Layer.KNOWLEDGE, "fact", created=day + n, heading=(f"part {n}",))
            for n in range(1, 200)
        ),
    ]
    async with filled(vault) as desk:
        shown = [item.path for item in desk.main.query_one("#home-facts", Rows).items if isinstance(item, Memory)]
        # The person's own file heads the profile, and is not told twice.
        assert [one.path for one in list_shown(desk, "profile")] == ["user_profile.md"]
        assert shown[:3] == ["feedback_drafts.md", "long.md", "ports.md"]


async def test_what_only_names_another_file_stands_behind_it(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("keep changes small", "AGENTS.md", 3, Layer.PROFILE, "rule"),
        memory("use pnpm, never npm", "CLAUDE.md", 3, Layer.PROFILE, "rule"),
        memory("@AGENTS.md", "packages/CLAUDE.md", 1, Layer.PROFILE, "rule"),
    ]
    async with filled(vault) as desk:
        assert [one.path for one in list_shown(desk, "profile")] == ["CLAUDE.md", "AGENTS.md", "packages/CLAUDE.md"]


async def test_little_room_is_for_the_person_and_memory(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"line {n} of {path}", path, n, Layer.PROFILE, "note", heading=("About", f"part {n}"))
        for path in ("USER.md", "MEMORY.md", "IDENTITY.md")
        for n in range(1, 30)
    ]
    async with filled(vault, (80, 24)) as desk:
        assert {one.path for one in list_shown(desk, "profile")} == {"USER.md", "MEMORY.md"}


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
    async with filled(vault) as desk:
        assert [one.path for one in list_shown(desk, "profile")] == [
            "topics/user_me.md", "kb/context.md", "kb/overview.md", "kb/project.md", "kb/guidelines.md", "kb/INDEX.md",
            "memory/lessons.md",
        ]  # fmt: skip
        assert list_shown(desk, "profile")[0].text == "writes Rust for a living"
        # What stands there is not said again.
        assert {one.path for one in list_shown(desk, "facts")} >= {"memory/english_learning_plan.md"}
        assert not {one.path for one in list_shown(desk, "facts")} & {"kb/context.md", "memory/lessons.md"}


async def test_details_of_a_topic_stand_under_it_not_before_what_was_said(vault: FakeVault) -> None:
    details = [f"title {n} is set in a font of {n} px" for n in range(12, 60)]
    texts = ["prefers dense pages", "**Why:** asked for it twice", *details]
    vault.memories_ = [
        memory(texts[0], "m/user_ui.md", 1, Layer.KNOWLEDGE, "user", title="Pages", reach=99),
        *(
            memory(text, "m/user_ui.md", at, Layer.KNOWLEDGE, "user", level=Level.PART)
            for at, text in enumerate(texts, 7)
        ),
        memory("never push on a Friday", "m/feedback_push.md", 1, Layer.KNOWLEDGE, "feedback"),
        *(memory(f"rule {n} of the house", "CLAUDE.md", n, Layer.PROFILE, "rule") for n in range(1, 60)),
    ]
    async with filled(vault) as desk:
        profile, facts = ([one.text for one in list_shown(desk, name)] for name in ("profile", "facts"))
        assert "prefers dense pages" in profile and texts[1] not in [*profile, *facts]
        assert facts[0] == "never push on a Friday"
        first = facts.index("rule 30 of the house") if "rule 30 of the house" in facts else len(facts)
        assert not set(details) & set(facts[:first])


async def test_what_was_said_to_the_agent_stands_in_the_order_of_its_index(vault: FakeVault) -> None:
    names = [f"feedback_{letter}" for letter in "abcdefgh"]
    vault.memories_ = [
        memory(name, f"m/{name}.md", 1, Layer.KNOWLEDGE, "feedback", created=NOON - number)
        for number, name in enumerate(names)
    ]
    listed = "".join(f"- [x]({name}.md) x\n" for name in reversed(names))
    vault.files[str(SHOP.path), "m/MEMORY.md"] = listed
    async with filled(vault) as desk:
        # Where nothing else tells who or what this is about.
        assert [one.text[-1] for one in list_shown(desk, "profile")] == list("hgfedcba")
        assert not list_shown(desk, "facts")
        vault.change([*vault.memories_, memory("call me Jo", "USER.md", 3, Layer.PROFILE, "note")])
        await fill_boxes(desk)
        # Three that hold for long, three that are new, and so on.
        assert [one.text[-1] for one in list_shown(desk, "facts")] == list("hgfabced")


async def test_open_work_stands_before_finished_and_data_is_last(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("#12 COMPLETE: the cache is shared", "p_cache.md", 1, Layer.KNOWLEDGE, "project", created=NOON),
        memory("fix pushed, deploy pending", "p_deploy.md", 1, Layer.KNOWLEDGE, "project", created=NOON - 9),
        memory("retry twice, then page", "lessons/retry.md", 1, Layer.KNOWLEDGE, "lesson", created=NOON - 99),
        memory("restore", "obj/assets.json", 1, Layer.KNOWLEDGE, "note", created=NOON),
    ]
    async with filled(vault) as desk:
        assert [one.path for one in list_shown(desk, "facts")] == [
            "p_deploy.md", "p_cache.md", "obj/assets.json",
        ]  # fmt: skip
        assert [one.path for one in list_shown(desk, "profile")] == ["lessons/retry.md"]


async def test_topics_of_the_project_stand_before_the_rules_of_the_house(vault: FakeVault) -> None:
    vault.memories_ = [
        *(memory(f"keep rule {n} of the house", f"rules/house-{n}.md", 1, Layer.KNOWLEDGE, "rule") for n in range(40)),
        *(
            memory(f"the shop has part {n}", f"memory/project_part{n}.md", 1, Layer.KNOWLEDGE, "project")
            for n in range(3)
        ),
    ]
    async with filled(vault, (120, 42)) as desk:
        texts = [one.text for one in list_shown(desk, "facts")]
        assert {f"the shop has part {n}" for n in range(3)} <= set(texts[:6])


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
    assert is_slight(memory(text, "notes.md", 1, Layer.KNOWLEDGE, "note")) is little


def test_versions_and_numbers_say_little() -> None:
    for text in ("antd · 5.15.3 · UI 组件", "go-sql-driver/mysql · ^1.7.1", "0 · 0 · 0 · 5"):
        assert is_slight(memory(text, "context.md", 1, Layer.KNOWLEDGE, "fact"))


def test_code_and_raw_data_say_little() -> None:
    assert is_slight(memory("total = 1", "notes.md", 1, Layer.KNOWLEDGE, "note", extra={"code": "python"}))
    tree = ".\n├── app/   # the program\n└── docs/  # 文档，给人看"
    assert is_slight(memory(tree, "CLAUDE.md", 1, Layer.CORE, "rule", extra={"code": "text"}))
    written = "语言: TypeScript\n框架: Vue 3"
    assert not is_slight(memory(written, "context.md", 1, Layer.KNOWLEDGE, "fact", extra={"code": "yaml"}))
    commands = "# 启动服务\nnpm run dev"
    assert is_slight(memory(commands, "context.md", 1, Layer.KNOWLEDGE, "fact", extra={"code": "text"}))
    assert is_slight(memory("the queue is full", "state/queue.json", 1, Layer.KNOWLEDGE, "note"))
    assert not is_slight(memory("the queue is full", "facts.json", 1, Layer.KNOWLEDGE, "fact"))


async def test_rules_for_all_of_a_project_stand_before_those_for_a_part(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("import no json", "gateway/CLAUDE.md", 3, Layer.PROFILE, "rule"),
        memory("keep changes small", "AGENTS.md", 3, Layer.PROFILE, "rule"),
    ]
    async with filled(vault) as desk:
        assert [one.path for one in list_shown(desk, "profile")] == ["AGENTS.md", "gateway/CLAUDE.md"]


async def test_open_todos_stand_among_the_facts_the_newest_first(vault: FakeVault) -> None:
    day = 86400.0
    vault.memories_ = [
        memory("renew the certificate", "MEMORY.md", 9, Layer.CORE, "todo"),
        # A short profile would leave its room to the days, and both notes with it.
        *(memory(f"never close before {n} at night", "MEMORY.md", n, Layer.CORE, "rule") for n in range(10, 16)),
        memory("call the printer", "memory/2026-11-19.md", 4, Layer.JOURNAL, "todo", created=NOON - 9 * day),
        memory("send the invoice", "memory/2026-11-02.md", 4, Layer.JOURNAL, "todo", created=NOON - 20 * day),
        memory("paid already", "memory/2026-11-19.md", 5, Layer.JOURNAL, "todo", extra={"done": True}),
        memory("order paper", "tasks/inbox.md", 2, Layer.KNOWLEDGE, "todo"),
        *(
            memory(f"on {n} it rained", f"memory/d{n}.md", 1, Layer.JOURNAL, "note", created=NOON - n * day)
            for n in range(9)
        ),
    ]
    async with filled(vault) as desk:
        rows = [one.text for one in list_shown(desk, "facts")]
        # Neither of the notes is of the newest day.
        assert rows == ["order paper", "call the printer", "send the invoice"]
        assert "renew the certificate" in [one.text for one in list_shown(desk, "profile")]


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
    async with filled(vault) as desk:
        paths = [one.path for one in list_shown(desk, "profile")]
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
    async with filled(vault) as desk:
        told = [one.text for one in list_shown(desk, "facts")]
        assert told == [f"1.2 measure {folders[1]}", f"1.2 measure {folders[0]}", "the queue holds 500 jobs"]


async def test_what_stands_within_memories_fills_the_room_that_they_leave(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("how the shop is built", "shop.md", 1, Layer.KNOWLEDGE, "project", title="Shop", reach=9),
        memory("orders are kept for 7 years", "shop.md", 4, Layer.KNOWLEDGE, "project", level=Level.PART),
        memory("**Why:** the law asks for it", "shop.md", 5, Layer.KNOWLEDGE, "project", level=Level.PART),
        memory("call me Jo", "USER.md", 3, Layer.PROFILE, "note"),
    ]
    async with filled(vault) as desk:
        told = [one.text for one in list_shown(desk, "facts")]
        assert told == ["how the shop is built", "orders are kept for 7 years"]


@pytest.mark.parametrize(
    "text",
    [
        "- **Vibe:** _(how do you come across? (sharp, warm))_", "src/engine/: the rules of the game",
        "main.go: where it begins", "错误码格式: 未定义 日志级别: 未定义", "本目录用于存放按模块划分的文档",
        "MIT License (see LICENSE.md)", "（待补充）", "docs/ → guides for players",
        "Working on the queue? Read the relevant `.agent/docs/` file", "`[ ]` · pending · 待执行",
        "It implements:", "创建日期: 2026-03-14 18:10\n阈值: 3 次", "Erstellt: 02.02.2026",
        "request_id: 17720-aqof",
    ],
)  # fmt: skip
def test_what_is_unfilled_or_only_names_files_says_little(text: str) -> None:
    assert is_slight(memory(text, "kb/x.md", 1, Layer.KNOWLEDGE, "note"))


@pytest.mark.parametrize(
    "text",
    [
        "Node.js: 20 or newer", "Go/Rust: use what is there", "src/engine is shared by both games",
        "端口: 8080", "This is a game for two. It has:", "把流程图转换为可编辑的 SVG，当前优先级是：",
        "queue · 3 workers · one a shard", "Before a change, read the nearest rules.md",
        "写作方式：先给结论/框架，再补证据与推导。",
        "**FORBIDDEN:** `/mnt/c/` and all below it, never write there",
        "After creating ANY queue, the config must be patched:",
    ],
)  # fmt: skip
def test_what_says_something_of_a_thing_does_not_say_little(text: str) -> None:
    assert not is_slight(memory(text, "kb/x.md", 1, Layer.KNOWLEDGE, "note"))


@pytest.mark.parametrize(
    ("text", "kind", "fragment"),
    [
        ("A native editor", "note", True),
        ("Seats: 12 k (4 sites)", "note", True),
        ("The editor is native now", "note", False),
        ("Renew certificate", "todo", False),
        ("换证书", "note", False),
        ("PR #12 证书", "note", False),
        ("Café — menu", "note", True),
    ],
)
def test_a_title_is_a_fragment_and_a_statement_is_none(text: str, kind: str, *, fragment: bool) -> None:
    assert is_fragment(memory(text, "a.md", 1, Layer.KNOWLEDGE, kind)) is fragment


def test_records_that_begin_with_the_same_field_are_two_things() -> None:
    rows = [
        memory("state: waits for an answer", "TODO.md", n, Layer.KNOWLEDGE, "todo", heading=("TODO", name), reach=n + 3)
        for n, name in ((3, "the lease"), (9, "the roof"))
    ]
    again = memory("state: waits for an answer", "notes.md", 1, Layer.KNOWLEDGE, "note")
    assert put_repeated_last([again, *rows, again]) == [again, *rows, again]
    assert put_repeated_last([rows[0], rows[0], rows[1]]) == [rows[0], rows[1], rows[0]]


def test_what_says_again_what_was_said_comes_last() -> None:
    texts = (
        "配置植物识别密钥恢复实时搜索功能", "Phase 2 of the pantry board: drag rows", "配置植物识别密钥恢复实时搜索",
        "Phase 3 of the pantry board: drag rows", "the pantry board needs Phase 2: drag rows", "call the growers",
    )  # fmt: skip
    rows = [memory(text, "TODO.md", n, Layer.KNOWLEDGE, "todo") for n, text in enumerate(texts, 1)]
    assert [one.start for one in put_repeated_last(rows)] == [1, 2, 4, 6, 3, 5]
    # Core memory's own words stand for what a note says, too.
    late = memory("配置植物识别密钥，恢复实时搜索功能", "MEMORY.md", 8, Layer.CORE, "note")
    assert [one.start for one in put_repeated_last([rows[0], rows[5], late])] == [8, 6, 1]
    other = memory("配置 Git 植物识别密钥恢复实时搜索功能", "TODO.md", 9, Layer.KNOWLEDGE, "todo")
    assert [one.start for one in put_repeated_last([other, rows[0], rows[5]])][-1] != 9


def test_what_is_carried_from_day_to_day_is_told_once() -> None:
    said = "the landlord has to rule on the broken gate of the yard, day {} flagged by the caretaker"
    rows = [memory(said.format(22 - n), f"memory/2026-11-{20 - n}.md", n + 1, Layer.JOURNAL, "todo") for n in range(3)]
    gate = memory("call the landlord", "memory/2026-11-18.md", 9, Layer.JOURNAL, "todo")
    assert [one.start for one in put_repeated_last([*rows, gate])] == [1, 9, 2, 3]
    # On one day they are several.
    of_one = [memory(said.format(n), "memory/2026-11-20.md", n, Layer.JOURNAL, "todo") for n in range(1, 4)]
    assert [one.start for one in put_repeated_last([*of_one, gate])] == [1, 2, 3, 9]


def _log(texts: Sequence[tuple[float, str]], *, headed: bool = False) -> list[Memory]:
    """Lines of MEMORY.md, each with the day on which it was noted, and a section of its own if `headed`."""
    return [
        memory(
            text,
            "MEMORY.md",
            line,
            Layer.CORE,
            "note",
            heading=("Memory", text[:8]) if headed else ("Memory", "Log"),
            created=NOON + day * 86400 if day else None,
        )
        for line, (day, text) in enumerate(texts, 3)
    ]


def list_by_worth(
    path: str, layer: Layer, *said: tuple[str, str], kind: str = "note", agent: bool = False
) -> list[str]:
    """What a file says, each as section and text, what is worth most first."""
    found = [
        memory(text, path, line, layer, kind, heading=("File", heading)) for line, (heading, text) in enumerate(said, 3)
    ]
    rates = rate_file(found, Neighbourhood(agent=agent))
    return [one.text for one in sorted(found, key=lambda one: -rates[one.id])]


def test_something_of_every_section_is_worth_more_than_the_next_of_one() -> None:
    told = list_by_worth(
        "MEMORY.md",
        Layer.CORE,
        ("The mill", "the mill was built for paper in 1890"),
        ("The mill", "its roof is made of slate from the valley"),
        ("The shop", "the shop sells old maps to builders"),
        ("The shop", "it opens when the ferry comes in"),
    )
    assert [text[:8] for text in told[:2]] == ["the mill", "the shop"]


def test_what_is_headed_as_important_or_forbids_comes_first() -> None:
    said = (
        ("Mail", "letters are sorted by the day they came"),
        ("Rent", "NEVER pay the rent before the letter of the bank"),
        ("Roof", "the roof is checked after every winter"),
        ("Rules", "the yard stays free for the carts of others"),
    )
    for path, layer in (("MEMORY.md", Layer.CORE), ("CLAUDE.md", Layer.PROFILE)):
        told = list_by_worth(path, layer, ("Start", "a shop for old maps by the river"), *said)
        assert told.index(said[1][1]) < told.index(said[0][1]) < told.index(said[2][1])
        assert told.index(said[3][1]) < told.index(said[2][1])


def test_what_a_memory_says_of_itself_and_of_its_files_waits() -> None:
    told = list_by_worth(
        "MEMORY.md",
        Layer.CORE,
        ("", "_The notes of a year, kept short._"),
        ("Every day", "write the news to memory/YYYY-MM-DD.md and to MEMORY.md"),
        ("Shop", "the shop sells old maps to builders"),
    )
    assert told[0] == "the shop sells old maps to builders"


def test_rules_that_came_with_an_agents_workspace_are_worth_less_than_those_of_a_project() -> None:
    rule = memory("keep the carts out of the yard", "AGENTS.md", 3, Layer.PROFILE, "rule", heading=("Rules",))
    alone, beside = (rate_file([rule], Neighbourhood(agent=agent))[rule.id] for agent in (False, True))
    below = memory("keep the carts out of the yard", "yard/AGENTS.md", 3, Layer.PROFILE, "rule", heading=("Rules",))
    assert alone > beside
    assert alone > rate_file([below], Neighbourhood())[below.id]


def test_where_work_stands_now_is_worth_more_than_another_document() -> None:
    said = "The mobile app is built first; the server waits for its review."
    for kind, paths, other in (
        ("note", ("SESSION-STATE.md", "memory/context/active.md", "TASK_BOARD.md", "项目状态.md"), "notes.md"),
        ("project", ("project_current_focus.md", "engine-refactor-status.md"), "engine-refactor.md"),
    ):
        found = [memory(said, path, 3, Layer.KNOWLEDGE, kind) for path in (*paths, other)]
        *now, beside = (rate_file([one], Neighbourhood())[one.id] for one in found)
        assert min(now) > beside, kind


def test_a_person_is_named_once_and_what_they_want_comes_before_what_is_said_of_them() -> None:
    told = list_by_worth(
        "USER.md",
        Layer.PROFILE,
        ("User", "User ID: why"),
        ("User", "**Name:** Joan Miller"),
        ("User", "**Timezone:** Europe/Oslo"),
        ("User", "**What to call them:** Joan"),
        ("User", "lives in an old mill by the river with two cats"),
        ("User", "doesn't want to be asked twice for the same thing"),
    )
    assert told.index("**What to call them:** Joan") > told.index("lives in an old mill by the river with two cats")
    assert told.index("**Name:** Joan Miller") < told.index("**Timezone:** Europe/Oslo")
    assert told[0].startswith("doesn't want")


def test_a_log_is_read_from_its_newest_and_any_other_order_is_somebodys() -> None:
    noted = [(-9, "the rent of the mill is due"), (-5, "the lease of the mill ends in May"),
             (-3, "the carts moved to the mill"), (-2, "the keys of the mill are with Ada")]  # fmt: skip

    def read(texts: Sequence[tuple[int, str]], *, headed: bool) -> str:
        found = _log(texts, headed=headed)
        rates = rate_file(found, Neighbourhood())
        return max(found, key=lambda one: rates[one.id]).text

    for headed in (False, True):
        assert read(noted, headed=headed) == noted[-1][1]
        assert read(noted[::-1], headed=headed) == noted[-1][1]
    assert read([(0, text) for _day, text in noted], headed=True) == noted[0][1]


def test_what_is_to_be_done_is_worth_most_on_the_newest_day_and_less_down_its_list() -> None:
    days = ["2026-11-20", "2026-11-19", "2026-11-17"]
    due = [
        memory(f"call the printer {n}", f"memory/{day}.md", n, Layer.JOURNAL, "todo", created=NOON - back * 86400)
        for back, day in zip((1, 2, 4), days, strict=True)
        for n in range(1, 9)
    ]
    rates: dict[str, int] = {}
    for at in range(0, len(due), 8):
        rates |= rate_file(due[at : at + 8], Neighbourhood(days=days))
    first = [rates[one.id] for one in due[::8]]
    assert first == sorted(first, reverse=True) and first[0] > first[1]
    newest = [rates[one.id] for one in due[:8]]
    assert newest == sorted(newest, reverse=True) and newest[0] > newest[-1]


async def test_the_profile_is_of_the_person_and_memory_and_its_rest_is_among_the_facts(vault: FakeVault) -> None:
    files = {"USER.md": Layer.PROFILE, "MEMORY.md": Layer.CORE, "TOOLS.md": Layer.CORE}
    vault.memories_ = [
        *(
            memory(f"in part {n} the {name[:-3].lower()} has this to say", name, n, layer, "note",
                   heading=(name, f"part {n}"))
            for name, layer in files.items()
            for n in range(1, 30)
        ),
        *(memory(f"port {n} is taken by the shop", f"kb/p{n}.md", 1, Layer.KNOWLEDGE, "fact") for n in range(1, 9)),
    ]  # fmt: skip
    async with filled(vault, (120, 46)) as desk:
        profile, facts = list_shown(desk, "profile"), list_shown(desk, "facts")
        shown = [one.path for one in profile]
        assert 2 * sum(path in {"USER.md", "MEMORY.md"} for path in shown) > len(shown)
        assert "TOOLS.md" not in shown
        there = [one.path for one in facts[: desk.main.query_one("#home-facts", Rows).size.height]]
        # The rest of a long file does not keep out what other files say.
        assert {f"kb/p{n}.md" for n in range(1, 9)} & set(there)
        assert {"USER.md", "MEMORY.md"} & set(there)
        assert not {one.id for one in profile} & {one.id for one in facts}
        # They are no facts, and not counted as such.
        assert "Facts · L1 · 8 · with L0" in desk.text()


async def test_a_list_of_tasks_says_what_presses_and_a_schedule_is_no_task(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("call the printer", "memory/2026-11-19.md", 4, Layer.JOURNAL, "todo", created=NOON - 9 * 86400),
        memory("order paper", "TODO.md", 2, Layer.KNOWLEDGE, "todo"),
        memory("renew the lease (priority: high)", "TODO.md", 9, Layer.KNOWLEDGE, "todo"),
        memory("read the mail (every day at 7:00)", "memory/2026-11-19.md", 6, Layer.JOURNAL, "todo"),
    ]
    async with running(vault) as desk:
        assert [one.start for one in open_todos(desk.main.context)] == [9, 4, 2]


async def test_one_document_of_rules_leaves_room_to_what_else_was_said(vault: FakeVault) -> None:
    vault.memories_ = [
        *(
            memory(f"rule {n} of style", "memory/style.md", n, Layer.KNOWLEDGE, "feedback", created=NOON - n)
            for n in range(1, 30)
        ),
        memory("ask before mailing", "memory/mail.md", 1, Layer.KNOWLEDGE, "feedback", created=NOON - 99),
        *(
            memory(f"the shop is at {n}", f"memory/p{n}.md", 1, Layer.KNOWLEDGE, "project", created=NOON - 99)
            for n in range(3)
        ),
    ]
    async with filled(vault) as desk:
        shown = [one.path for one in [*list_shown(desk, "profile"), *list_shown(desk, "facts")]]
        assert {"memory/mail.md", "memory/p0.md", "memory/p1.md", "memory/p2.md"} <= set(shown)


async def test_enter_on_an_untouched_sheet_changes_nothing(desk: Desk) -> None:
    await desk.press("w", "j", "enter")
    assert desk.app.screen is desk.main
    assert desk.main.context.homes == frozenset()


async def test_enter_shows_exactly_what_is_ticked(desk: Desk) -> None:
    await desk.press("w", "j", "space")
    assert "☐ shop" in desk.text()
    assert "enter shows 1 home ·" in desk.text()
    await desk.press("enter")
    assert desk.main.context.homes == {str(NOTES.path)}
    assert "1 of 2" in desk.lines()[0]
    await desk.press("w")
    assert "☐ shop" in desk.text()
    await desk.press("space", "enter")
    assert desk.main.context.homes == frozenset()


async def test_with_none_ticked_enter_means_the_one_under_the_cursor(desk: Desk) -> None:
    await desk.press("w", "space")
    assert desk.text().count("☐") == 3
    assert "enter shows 2 homes" in desk.text()
    await desk.press("j")
    assert "enter shows only this one" in desk.text()
    await desk.press("enter")
    assert desk.main.context.homes == {str(SHOP.path)}


async def test_taking_the_last_tick_away_ticks_nothing(desk: Desk) -> None:
    await desk.press("w", "j", "space", "j", "space")
    assert "☑" not in desk.text()


async def test_escape_leaves_it_as_it_was(desk: Desk) -> None:
    await desk.press("w", "j", "space", "escape")
    assert desk.main.context.homes == frozenset()
    assert "偏好 pytest" in desk.text()
