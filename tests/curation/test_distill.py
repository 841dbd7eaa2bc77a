"""What spec 004 chooses for core memory, in which order, and the reason for everything that it does not.

Spec 004's decay window: the newest are kept, not the oldest.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.config import DistillConfig
from memtui.core.model import Layer, Memory, Status
from memtui.review.distill import Selection, classify_memory, place_fact, select
from memtui.store.passage import Window, count_midnights, select_visible_facts
from tests.curation.facts_of import DAY, fact, now

CONFIG = DistillConfig()
MANY = CONFIG._replace(max_items_per_run=100)


def chosen(facts: list[Memory], kept: list[Memory] | None = None, config: DistillConfig = MANY) -> list[str]:
    return [found.text for found in select(facts, kept or [], config, now()).chosen]


def why(found: Memory, kept: list[Memory] | None = None, config: DistillConfig = MANY) -> str:
    selection = select([found], kept or [], config, now())
    assert not selection.chosen
    return selection.refused[0].reason


def opinion(text: str, *args: Any, **more: Any) -> Memory:
    return fact(text, *args, extra={"memory_type": "O"}, kind="pref", **more)


def core(text: str, line: int = 31) -> Memory:
    made = fact(text, None, None, layer=Layer.CORE, path="MEMORY.md")
    made.start = made.end = line
    return made


def test_opinions_come_first_then_the_surer() -> None:
    facts = [
        fact("项目使用 PostgreSQL 数据库", confidence=0.99),
        opinion("用户偏好 TypeScript", confidence=0.86),
        fact("前端使用 React 与 Vite", confidence=0.91),
        opinion("用户喜欢简短的回答", confidence=0.97),
    ]
    assert chosen(facts) == [
        "用户喜欢简短的回答",
        "用户偏好 TypeScript",
        "项目使用 PostgreSQL 数据库",
        "前端使用 React 与 Vite",
    ]


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (fact("低置信度的事实在这里", confidence=0.8), "confidence .80 < .85"),
        (fact("没有置信度", confidence=None, extra={"memory_type": "W"}), "confidence .00 < .85 (none is stated)"),
        (fact("a note is anything at all", confidence=None, kind="note"), "confidence .80 < .85 (none is stated)"),
        (fact("a note may be anything at all", confidence=None, kind="note"), "nothing says that it lasts"),
        (fact("才写下的事实在这里", 0.4), "0.4 days old < 1"),
        (fact("删除的事实在这里", status=Status.DELETED), "deleted"),
        (fact("被取代的事实在这里", status=Status.SUPERSEDED), "superseded"),
        (fact("session s-1 started in /p", kind="session_start"), "no fact: session_start"),
        (fact("阶段总结：定位完成", kind="summary"), "no fact: summary"),
        (fact("阶段总结：定位完成", extra={"memory_type": "S"}), "a stage summary, no fact"),
        (fact("写迁移指南", kind="todo"), "a task, no fact"),
        (fact("当前正在修复登录 bug"), "of the moment: “当前正在”"),
        (fact("正在修复支付回调的问题"), "of the moment: “正在”"),
        (fact("Currently the build is red on main"), "of the moment: “Currently”"),
        (fact("WIP: the export page"), "of the moment: “WIP”"),
        (fact("Feature freeze until 2026-02-20"), "was about 2026-02-20, which is past"),
        (fact("优惠活动有效期至 2026-12-31"), "holds only until 2026-12-31"),
        (fact("每日苗圃文章 - 今日无发布任务"), "of the moment: “今日”"),
        (fact("Nine days of the same watering advice"), "of the moment: “days of the same”"),
        (fact("The missing spare pump is worth raising with Bo"), "of the moment: “worth raising”"),
        (fact("Is Redis needed at all?"), "a question"),
        (fact("ok"), "too short to mean anything by itself"),
        (fact("x" * 801), "801 characters: too long for one fact"),
        (fact("**文件**: `auth.ts`, `jwt.ts`", kind="note", confidence=None), "a line of a log, no fact"),
    ],
    ids=lambda value: value.text[:20] if isinstance(value, Memory) else "",
)  # fmt: skip
def test_every_reason_is_a_short_sentence(found: Memory, reason: str) -> None:
    assert why(found) == reason


@pytest.mark.parametrize(
    "text",
    [
        "项目正在使用的数据库是 PostgreSQL",
        "The temporary directory is /var/tmp/build",
        "2026-02-17 完成了 API 重构",
        "临时文件放在 tmp/ 目录下",
        "Releases are cut from the current branch's tag",
    ],
)
def test_what_lasts_is_no_matter_of_the_moment(text: str) -> None:
    assert chosen([fact(text)]) == [text]


def diary(text: str, kind: str = "note", *heading: str) -> Memory:
    """Said on three days, so that only what it says can keep it from being proposed."""
    return fact(text, 5, None, kind=kind, heading=heading)


def unstated(text: str, kind: str, *heading: str) -> list[str]:
    said = [fact(text, day, None, kind=kind, heading=heading) for day in (5, 6, 7)]
    return [found.text for found in select(said, [], MANY, now()).chosen]


@pytest.mark.parametrize(
    ("text", "kind", "heading"),
    [
        ("Always ask before a release goes out", "note", "Notes"),
        ("用户偏好深色主题和简短回答", "note", "笔记"),
        ("We decided to keep invoices for ten years", "note", ""),
        ("The staging database is reset on Mondays", "note", ""),
        ("支付回调必须校验签名", "note", ""),
        ("Prices come from the ledger", "fact", "2026-02-20"),
        ("Main events get a buffer of 15 minutes on each side", "rule", "Calendar rules"),
        ("周报按产品分组并附上价格与购买渠道", "rule", "周报规则"),
        ("简洁高效的沟通", "pref", "用户偏好"),
    ],
)
def test_of_a_diary_what_was_called_lasting_or_reads_so(text: str, kind: str, heading: str) -> None:
    assert unstated(text, kind, *filter(None, [heading])) == [text]


@pytest.mark.parametrize(
    ("text", "kind", "heading"),
    [
        ("Previews went to the second channel", "note", ""),
        ("Fixed the login because it must never fail", "note", ""),
        ("修复了支付回调，测试通过", "lesson", "经验教训"),
        ("今日无用户主动交互，偏好保持不变", "pref", "用户偏好"),
        ("✅ The rule is in force", "rule", "Rules"),
        ("Saved to USER.md", "rule", "Rules"),
        ("偏好已写入 MEMORY.md", "pref", "用户偏好"),
        ("Selected posts that must go out:", "note", ""),
        ("user: you must always answer in English", "note", ""),
        ('{"rule": "always"}', "rule", "Rules"),
        ("Robo One、Toy Two、Bear Three", "pref", "用户偏好"),
        ("**Status**: it must be confirmed", "lesson", "Lessons"),
        ("隐含规则的发现", "lesson", "教训"),
        ("short label", "lesson", "Lessons"),
        ("413 available from 438, must check", "note", ""),
        ("**Goal:** invoices should be kept instead of printed", "note", ""),
        ("This is why a release must wait", "note", ""),
        ("Receipts should have:\n- the shop's name\n- the clerk's name", "note", ""),
        ("Bold type always", "rule", "Window poster rules for the spring sale"),
        ("Use the second printer always (need to clarify which)", "note", ""),
        ("硬规则必须遵守，保持不变", "pref", "用户偏好"),
        ("Prices (net, gross) and stock", "skill", "Capabilities"),
        ("Can take weeks to be approved, so always ask early", "note", ""),
        ("不一定需要复杂的配置", "lesson", "教训"),
        ("执行了三项必须的加固", "decision", "决策"),
        ("**系统状态：** 必须正常 **下次检查：** 12:00", "rule", "规则"),
    ],
)
def test_of_a_diary_what_happened_is_no_fact(text: str, kind: str, heading: str) -> None:
    assert unstated(text, kind, *filter(None, [heading])) == []


def test_a_conversation_kept_word_by_word_holds_no_facts() -> None:
    turns = ["user: book it", "assistant: done", "user: thanks"]
    rule = "Never book on a Sunday without asking"
    said = [diary(text) for text in (*turns, rule)]
    selection = select(said, [], MANY, now())
    assert not selection.chosen and selection.refused[-1].reason == "a line of a conversation"
    assert [found.text for found in select(said[2:], [], MANY, now()).chosen] == []
    assert chosen([diary(rule, "rule")]) == [rule]


def test_what_core_memory_says_already_is_refused_with_its_place() -> None:
    kept = [
        core("用户偏好 TypeScript", 7),
        core("测试文件必须放在 tests/ 目录下，不能放在 skills/ 目录内部", 31),
    ]
    assert why(opinion("用户偏好 TypeScript。"), kept) == "like MEMORY.md:7"
    assert why(fact("测试文件必须放在 tests/ 目录下"), kept).startswith("like MEMORY.md:31 (.")
    told = fact("订单服务写入的缓存由 worker 刷新", entities=("tests", "skills", "目录"))
    assert why(told, kept).startswith("like MEMORY.md:31 (its entities 1.0)")


def test_what_is_only_alike_is_proposed_and_shown_beside_it() -> None:
    kept = [core("项目使用 PostgreSQL 数据库"), core("服务端口是 8080")]
    found = select([fact("项目使用 MySQL 数据库"), fact("服务端口是 8081")], kept, MANY, now()).chosen
    assert {one.text: [kept[number].text for number, _how in one.near] for one in found} == {
        "项目使用 MySQL 数据库": ["项目使用 PostgreSQL 数据库"],
        "服务端口是 8081": ["服务端口是 8080"],
    }
    # What says more than is kept is not said yet.
    longer = fact("项目使用 PostgreSQL 数据库，并通过 PgBouncer 连接，由运维团队维护")
    assert chosen([longer], kept) == [longer.text]


def test_repetition_is_counted_in_days_over_what_says_the_same() -> None:
    said = [
        fact("The frontend is built with Vite", 9, 0.86),
        fact("the frontend is built with Vite.", 9, 0.86),
        fact("The frontend is built with Vite", 4, 0.87),
    ]
    (found,) = select(said, [], MANY, now()).chosen
    assert (found.days, len(found.said), found.fact, found.confidence) == (2, 3, said[2], 0.87)
    # Twice on one day is once.
    assert [twice.days for twice in select(said[:2], [], MANY, now()).chosen] == [1]
    # As old as it was first said: yesterday's repetition makes no fact young.
    assert chosen([fact("The frontend is built with Vite", 0.1, 0.87), said[0]])


def test_a_note_that_comes_up_again_counts_for_more() -> None:
    again = [fact("the staging database is reset on Mondays", day, None, kind="note") for day in (3, 8)]
    assert len(chosen(again)) == 1


def test_of_equally_sure_ones_rules_come_first() -> None:
    rules = ["测试文件必须放在 tests/ 目录下", "Handlers must never touch the database directly"]
    plain = "The mustard-coloured theme is called Dijon"
    found = chosen([fact(text, confidence=0.86) for text in (plain, *rules)])
    assert set(found[:2]) == set(rules)
    assert found[2] == plain


def test_the_limit_leaves_the_rest_for_the_next_run() -> None:
    facts = [
        fact(f"第 {chr(0x4E00 + number * 97)}{chr(0x5E00 + number * 31)} 号规则必须遵守", confidence=0.9)
        for number in range(8)
    ]
    selection = select(facts, [], CONFIG, now())
    assert len(selection.chosen) == 5
    assert [left.reason for left in selection.refused] == ["waits its turn: 5 at a time"] * 3


def test_what_is_part_of_another_waits_until_that_is_decided() -> None:
    longer = fact("测试文件必须放在 tests/ 目录下，不能放在 skills/ 目录内部", confidence=0.97)
    shorter = fact("测试文件必须放在 tests/ 目录下", confidence=0.95)
    selection = select([shorter, longer], [], MANY, now())
    assert [found.text for found in selection.chosen] == [longer.text]
    assert selection.refused[0].reason == f"like {longer.path}:{longer.start}, which is proposed"


def test_what_was_decided_is_not_chosen_again() -> None:
    selection = select(
        [opinion("用户偏好深色主题")], [], MANY, now(), settled=lambda _fact: "rejected on 2026-02-28: no"
    )
    assert selection.refused[0].reason == "rejected on 2026-02-28: no"


@pytest.mark.parametrize(
    ("text", "kind", "stated", "type", "section"),
    [
        ("用户偏好 TypeScript", "pref", "O", "O", "pref"),
        ("测试文件必须放在 tests/ 目录下", "fact", "W", "W", "rule"),
        ("项目使用 PostgreSQL 数据库", "fact", "W", "W", "decision"),
        ("前端是 React + TypeScript", "fact", "W", "W", "fact"),
        ("测试使用项目自定义的 assert 框架和 run_tests.js 运行器，不使用 jest", "fact", "W", "W", "rule"),
        ("不要随便写 md 文档，每次编写需要询问", "fact", "W", "W", "rule"),
        ("click 用 forceJsClick 参数而非自动 fallback，让用户显式控制", "fact", "W", "W", "decision"),
        ("CDP 端口就绪用轮询检测替代固定等待（15s 超时自动 kill）", "fact", "W", "W", "decision"),
        ("2026-02-17 完成了 API 重构，必须记住", "event", "B", "B", "fact"),
        ("Always run the linter before a commit", "fact", None, "W", "rule"),
        ("We switched to pnpm for the monorepo", "fact", None, "W", "decision"),
        ("The API lives behind nginx", "fact", None, "W", "fact"),
        ("Prefers short answers", "pref", None, "O", "pref"),
        ("选择 RS256", "decision", None, "W", "decision"),
        ("接口返回统一结构", "rule", None, "W", "rule"),
        ("cookie 要 SameSite", "lesson", None, "W", "lesson"),
        ("发布了 2.0", "event", None, "B", "fact"),
    ],
)
def test_types_and_sections(text: str, kind: str, stated: str | None, type: str, section: str) -> None:
    assert classify_memory(kind, stated) == type
    assert place_fact(text, kind, type, CONFIG.keywords_rules).kind == section


def test_keyword_rules_are_a_persons_own() -> None:
    rules = ("部署: k8s|ingress", "项目规范: 应当")
    assert place_fact("入口是 ingress", "fact", "W", rules)[:2] == ("fact", "部署")
    assert place_fact("提交信息应当用英文", "fact", "W", rules)[:2] == ("rule", "")
    assert place_fact("测试必须通过", "fact", "W", rules)[:2] == ("fact", "")
    assert place_fact("whatever", "fact", "W", ("no colon", ": x", "x:", "")) == ("fact", "", "")


FACTS = st.lists(
    st.builds(
        lambda text, days, confidence, kind, status: fact(text, days, confidence, kind=kind, status=status),
        st.one_of(
            st.sampled_from(["用户偏好 TypeScript", "测试必须放在 tests 下", "Uses Postgres as database", "正在"]),
            st.text("用户偏好数据库必须使用 abc 0189", min_size=1, max_size=20),
        ),
        st.one_of(st.none(), st.floats(0, 30)),
        st.one_of(st.none(), st.floats(0, 1)),
        st.sampled_from(["fact", "pref", "rule", "note", "event", "todo", "session_end"]),
        st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.DELETED]),
    ),
    max_size=12,
)  # fmt: skip


def everyone(selection: Selection) -> list[int]:
    return sorted(
        [id(one) for found in selection.chosen for one in found.said] + [id(left.fact) for left in selection.refused]
    )


@given(FACTS, st.integers(1, 4))
def test_every_fact_is_chosen_or_refused_with_a_reason(facts: list[Memory], limit: int) -> None:
    config = CONFIG._replace(max_items_per_run=limit)
    selection = select(facts, [], config, now())
    assert everyone(selection) == sorted(map(id, facts))
    assert all(left.reason and len(left.reason) < 120 for left in selection.refused)
    assert len(selection.chosen) <= limit
    ranks = [(found.type != "O", -found.confidence) for found in selection.chosen]
    assert ranks == sorted(ranks)
    for found in selection.chosen:
        assert found.parts and (
            found.confidence >= config.min_confidence or found.days > 1 or len({one.session for one in found.said}) > 1
        )


@given(FACTS)
def test_distilling_twice_is_distilling_once(facts: list[Memory]) -> None:
    first = select(facts, [], MANY, now())
    kept = [core(found.text, line) for line, found in enumerate(first.chosen, 1)]
    assert not select(facts, kept, MANY, now()).chosen


def test_a_days_note_that_has_a_topic_is_a_document_by_itself() -> None:
    text = "Always ask before a release goes out"
    for path, many in (
        ("memory/2026-02-20.md", 1),
        ("memory/2026-02/2026-02-20.md", 1),
        ("memory/2026-02-20-release-talk.md", 0),
        ("memory/journal.md", 1),
        ("memory/release_progress.md", 0),
        ("memory/reports/2026-02-20.md", 0),
    ):
        said = [fact(text, day, None, kind="note", path=path) for day in (5, 6, 7)]
        assert len(select(said, [], MANY, now()).chosen) == many
    # What only proves or explains something else, and a row of what was done.
    for text in (
        "**Evidence**: guests never ask for the bill before ten",
        "oven · ✅ is always off by now",
        "Ken asked: why would we want to use an old oven",
        "**下次检查:** 一小时后看烤箱",
        'Amazon used "Like New" ovens: 1,270',
    ):
        said = [fact(text, day, None, kind="note", path="memory/2026-02-20.md") for day in (5, 6, 7)]
        assert not select(said, [], MANY, now()).chosen


def test_what_is_nearly_kept_adds_nothing_to_it() -> None:
    kept = core("Panel registration is in the command's constructor, never in OnLoad")
    said = diary("Panels are registered in the command's constructor, never in OnLoad", "rule")
    (left,) = select([said], [kept], MANY, now()).refused
    assert left.reason == "like MEMORY.md:31 (.80)"


def test_what_was_said_again_is_worth_keeping_for_that_alone() -> None:
    said = [fact("部署前必须跑冒烟测试", days, confidence=0.8) for days in (2, 4, 6)]
    assert chosen(said) == ["部署前必须跑冒烟测试"]
    assert not chosen(said[:1])
    assert not chosen([fact("端口也许是 8081", days, confidence=0.4) for days in (2, 4, 6)])


DECAYING = st.lists(
    st.builds(
        fact,
        st.just("x"),
        st.one_of(st.none(), st.floats(-1, 12, allow_nan=False)),
        st.one_of(st.none(), st.floats(0, 1)),
    ),
    max_size=40,
)


def test_the_table_of_the_specification() -> None:
    facts = [fact(f"{day} {number}", day + number / 100, 0.8) for day in range(9) for number in range(5)]
    sure = [fact(f"sure {day}", float(day), 0.9) for day in range(9)]
    kept = select_visible_facts([*facts, *sure], now(), Window(facts_limit=1000))
    ages = [count_midnights(found.created or 0, now()) for found in kept]
    assert [ages.count(age) for age in range(9)] == [6, 6, 3, 3, 3, 1, 1, 0, 0]


def test_of_a_day_the_newest_three_are_kept() -> None:
    facts = [fact(str(hour), 3 - hour / 24) for hour in range(8)]
    assert [found.text for found in select_visible_facts(facts, now())] == ["7", "6", "5"]


def test_of_all_the_newest_fifteen() -> None:
    facts = [fact(str(number), number / 1000) for number in range(40)]
    assert [found.text for found in select_visible_facts(facts, now())] == [str(number) for number in range(15)]


@given(DECAYING)
def test_nothing_left_out_is_newer_than_what_is_kept_of_its_day(facts: list) -> None:  # type: ignore[type-arg]
    window = Window()
    kept = select_visible_facts(facts, now(), window)
    assert len(kept) <= window.facts_limit
    assert [found.created for found in kept] == sorted((found.created for found in kept), reverse=True)
    chosen = set(map(id, kept))
    for left in facts:
        if id(left) in chosen or left.created is None:
            continue
        age = count_midnights(left.created, now())
        if age < window.load_days_full:
            # Only the limit leaves it out: all that is kept is as new at least.
            assert len(kept) == window.facts_limit
        if age < window.load_days_partial:
            same = [found for found in kept if count_midnights(found.created, now()) == age]
            assert all(found.created >= left.created for found in same)
        if age >= window.load_days_max:
            assert all(count_midnights(found.created, now()) < window.load_days_max for found in kept)


@given(DECAYING)
def test_seeing_twice_is_seeing_once(facts: list) -> None:  # type: ignore[type-arg]
    once = select_visible_facts(facts, now())
    assert select_visible_facts(reversed(once), now()) == once


def test_days_are_counted_by_midnights() -> None:
    assert count_midnights(now() - 0.4 * DAY, now()) == 0
    assert count_midnights(now() - 0.6 * DAY, now()) == 1
    assert count_midnights(now() + DAY, now()) == 0
