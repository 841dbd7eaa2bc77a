"""One thing's one setting or state, told with two that cannot both hold, in other words; and what only looks so."""

from __future__ import annotations

import pytest

from memtui.core.model import Layer, Memory
from memtui.review.contradictions import find_contradictions
from memtui.review.rivals import compare_stances
from memtui.review.stances import find_stances
from tests.curation.facts_of import fact


def kept(text: str, path: str, days: float | None = None, **more: object) -> Memory:
    layer = more.pop("layer", Layer.KNOWLEDGE)
    return fact(text, days, layer=layer, path=path, kind="note", **more)  # type: ignore[arg-type]


def found(*memories: Memory, **more: object) -> list[tuple[str, str, str]]:
    told = find_contradictions(memories, **more)  # type: ignore[arg-type]
    return [(one.newer.path, one.older.path, one.reason) for one in told]


def read_kinds(text: str) -> dict[str, str]:
    return {one.kind.partition(":")[0]: one.raw for one in find_stances(text)}


@pytest.mark.parametrize(
    ("older", "heading", "newer", "reason"),
    [
        ("温室日志自动归档（每小时）", ("归档",), "**温室日志归档**：改为每3天一次", "每小时 → 每3天一次"),
        ("**每日21:00**：生成苗圃复盘报告", ("定时",), "每日 20:00 - 苗圃复盘", "21:00 → 20:00"),
        ("The greenhouse backup runs hourly", ("Jobs",), "Greenhouse backup: every 3 days", "hourly → every 3 days"),
        ("Seed photos are uploaded daily at 8:00", ("Jobs",), "Every day at 9:30 upload seed photos", "8:00 → 9:30"),
        ("苗圃推文：2条/天", ("运营",), "苗圃推文改为 5条/天", "2条/天 → 5条/天"),
        ("Primary model: minimax-m2.5, fallback glm-5", ("A",), "Use only MiniMax 2.1", "minimax-m2.5 → MiniMax 2.1"),
    ],
)  # fmt: skip
def test_a_setting_in_other_words(older: str, heading: tuple[str, ...], newer: str, reason: str) -> None:
    was, now = kept(older, "notes/a.md", 9, heading=heading), kept(newer, "TOOLS.md", 2, layer=Layer.CORE)
    assert found(was, now) == [("TOOLS.md", "notes/a.md", reason)]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("每次回复都附上花费的豆子数", "之后回复不需要再附上花费的豆子数"),
        (
            "Watering reminders + morning digest: complete",
            "**Watering reminders disabled**, they cost too much",
        ),
        ("The seedling crawler is running on the old box", "The seedling crawler was retired"),
    ],
)
def test_what_a_later_line_takes_back(older: str, newer: str) -> None:
    was, now = kept(older, "notes/a.md", 9), kept(newer, "notes/b.md", 2)
    assert [(one, two) for one, two, _reason in found(was, now)] == [("notes/b.md", "notes/a.md")]


def test_what_stands_below_a_heading_that_says_it_is_over() -> None:
    was = kept("每30分钟检查一次鸢尾论坛", "notes/iris.md", 9)
    now = kept("鸢尾论坛（接口失效）", "MEMORY.md", 2, layer=Layer.CORE, heading=("任务", "已暂停"))
    assert [(one, two) for one, two, _reason in found(was, now)] == [("MEMORY.md", "notes/iris.md")]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        # Items of one list, each with its own rhythm.
        ("鸢尾公告（每30分钟）", "鸢尾股价南向资金（每4小时）"),
        ("Rose newsletter: every 2 hours", "Tulip newsletter: every 6 hours"),
        # What is done once a week, beside what is done every day.
        ("温室简报每周日 22:00 自动生成", "温室简报每天 08:00 生成"),
        # Both tell that it is over; or only what happens after somebody cancels.
        (
            "The rose crawler is running on the old box. The rose crawler was retired",
            "The rose crawler was retired",
        ),
        ("每次选择苗床图片都必须先上传", "选择苗床图片完成或取消后会释放苗床"),
        # What was spent or counted, and when something happened.
        ("肥料消耗：30元/天", "肥料消耗：45元/天"),
        ("The rose crawler took 30 minutes today", "Crawling all the roses took 90 minutes"),
        # Wishes, conditions and rules about what may come.
        ("Rose posts: 5 posts/day", "We could go to 9 posts/day for the roses"),
        ("The seed crawler is running", "Do not restart when the seed crawler was stopped"),
        ("苗圃测试：24次→4次/天", "苗圃发布：16次→2次/天"),
        # Only a label is shared.
        ("**Status:** ✅ Working", "Status: Abandoned - the old seedlings stay instead"),
        # A run is some minutes after its hour.
        ("**每日21:00**：生成苗圃复盘报告", "每日 21:05 - 苗圃复盘"),
        # So many models, and none that answers.
        ("Model: glm-5", "New 3-model (Kimi + others): cheap"),
        ("Model: glm-5", "Seeds: current 30 pots a month, Kimi adds 4"),
        # Half a day apart without saying which half.
        ("每日晚8点苗圃复盘", "苗圃复盘：每日8点"),
        # Another spelling, or the same family less exactly said.
        ("Primary model: MiniMax 2.1", "Primary model: minimax-m2.1"),
        # A skill's own model is not what answers in general.
        ("Primary model: glm-5", "Models: Grok + Brave for the seed researcher"),
        # What may be one of several states, and what is only named beside them.
        ("任务三种状态：运行中/已暂停/已取消", "苗圃任务运行中"),
    ],
)
def test_of_two_things_or_of_none(one: str, two: str) -> None:
    first, second = kept(one, "notes/a.md", 9), kept(two, "TOOLS.md", 2, layer=Layer.CORE)
    assert not found(first, second) and not found(second, first)


def test_days_notes_and_parallel_sections_are_no_rivals() -> None:
    days = [
        fact(
            f"玫瑰备份每{many}小时运行",
            9 - many,
            layer=Layer.JOURNAL,
            path=f"memory/2026-02-1{many}.md",
            kind="note",
        )
        for many in (2, 4)
    ]
    assert not found(*days)
    parts = [
        kept(
            "**触发条件**：距离上次浇水超过 360 分钟",
            "HEARTBEAT.md",
            heading=("浇水检查",),
            layer=Layer.PROFILE,
        ),
        kept("**触发条件**：距离上次施肥超过 2 天", "HEARTBEAT.md", heading=("施肥检查",), layer=Layer.PROFILE),
    ]
    assert not found(*parts)


def test_a_document_without_a_date_replaces_no_dated_one() -> None:
    dated = kept("**自动备份**：每3天一次", "HEARTBEAT.md", 5, layer=Layer.PROFILE)
    undated = kept("每小时 · 自动备份 · `backup.sh`", "docs/guide.md")
    assert found(dated, undated) == [("HEARTBEAT.md", "docs/guide.md", "每小时 → 每3天一次")]


def test_of_three_the_last_one_stands() -> None:
    lines = (
        ("苗圃备份：每小时", "notes/a.md", 20),
        ("苗圃备份：每3天一次", "notes/b.md", 10),
        ("苗圃备份：每小时", "notes/c.md", 2),
    )
    assert [(one, two) for one, two, _reason in found(*(kept(*line) for line in lines))] == [
        ("notes/c.md", "notes/b.md")
    ]


def test_vectors_vouch_where_words_do_not() -> None:
    was = kept("Nightly copies of the orchard pictures at 22:00 daily", "notes/a.md", 9)
    now = kept("Every day at 23:30 the fruit album is mirrored", "TOOLS.md", 2, layer=Layer.CORE)
    assert not found(was, now)
    assert found(was, now, alike={frozenset((was.id, now.id))}) == [("TOOLS.md", "notes/a.md", "22:00 → 23:30")]


def test_what_a_clause_settles() -> None:
    assert read_kinds("Interval: 4-6 hours")["rhythm"] == "Interval: 4-6 hours"
    assert read_kinds("月度预算：¥119")["rate"].endswith("¥119")
    assert read_kinds("从 MiniMax M2.1 切换到 Qwen3 (qwen-portal/coder-model)")["model"] == "Qwen3"
    assert read_kinds("一篇短文500-600词")["size"] == "500-600词"
    assert "rate" not in read_kinds("Token消耗：2.6M，费用 ¥96/月")
    assert not read_kinds("The garden has a blue gate")


def test_a_model_that_makes_pictures_answers_nothing() -> None:
    assert "model" not in read_kinds("模型: gemini-2.5-flash-image-preview")
    assert read_kinds("模型: gemini-2.5-flash")["model"] == "gemini-2.5-flash"


def test_a_field_of_a_section_says_which_model_that_section_s_work_has() -> None:
    now = kept("主力对话模型：MiniMax M2.7", "MEMORY.md", layer=Layer.CORE)
    for heading, told in ((("温室", "看图"), 0), (("温室", "模型配置"), 1)):
        was = kept("模型: gpt-4o-mini", "memory/2026-02-01.md", 9, heading=heading, layer=Layer.JOURNAL)
        assert len(found(was, now)) == told


def test_what_only_a_reader_can_tell_is_left_to_one() -> None:
    once = kept("每4小时强制浇水一次（距上次浇水 ≥4小时）", "MEMORY.md", layer=Layer.CORE, heading=("温室", "原则"))
    other = kept("确保至少每 5 小时有新的浇水记录", "HEARTBEAT.md", layer=Layer.PROFILE, heading=("心跳", "目的"))
    apart = kept("每 30 分钟读一篇新论文", "NOTES.md", layer=Layer.CORE, heading=("论文",))
    doubted: list[tuple[Memory, Memory]] = []
    assert not find_contradictions([once, other, apart], doubted=doubted)
    assert [{one.path, two.path} for one, two in doubted] == [{"MEMORY.md", "HEARTBEAT.md"}]


@pytest.mark.parametrize(
    ("older", "heading", "newer"),
    [
        # What becomes of those that are off, a switch that is off by itself, the way back after something went wrong.
        ("令牌与温室渠道支持短时缓存，启用温室渠道", ("温室",), "已禁用温室渠道在验证通过时仍保持停用"),
        (
            "Debug log of the greenhouse pump: off by default",
            ("Logs",),
            "Debug log of the greenhouse pump removed",
        ),
        ("切换回 DeepSeek-chat 作为默认模型", ("升级", "回滚方案"), "默认模型：MiniMax-M2.5"),
        (
            "**Run at:** 09:30 PST daily",
            ("Seed list request handling - automatic",),
            "seed-summary-digest: 8:30 AM PST daily",
        ),
    ],
)
def test_what_settles_nothing_of_it(older: str, heading: tuple[str, ...], newer: str) -> None:
    was, now = kept(older, "notes/a.md", 9, heading=heading), kept(newer, "TOOLS.md", 2, layer=Layer.CORE)
    assert not found(was, now)


def test_two_parts_of_a_document_have_each_their_own_rhythm() -> None:
    one = kept("Auto-refresh every 10 seconds", "HANDOFF.md", heading=("Panels", "Greenhouse"))
    two = kept("Auto-refresh every 30 seconds", "HANDOFF.md", heading=("Panels", "Shop"))
    assert not list(compare_stances([one, two], lambda _memory: "", lambda memory: (memory.created or 0.0,)))


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("浇水单状态（排队/进行中/✅ 浇完/❌ 已取消）", "✅ 浇水单状态由园丁填写"),
        ("**每周盘点**：保留最近 8 份", "**每天盘点**：只留最新 2 份"),
        ("❌ 表里写了工单12（每40分钟查看温室苗床）", "✅ 表里新增工单3（每周查看温室苗床）"),
        ("园丁负责：播种、移栽、每周修剪、苗床巡查、工具清点", "苗床巡查：每3天一次"),
        ("**Seedling photos:** every hour", "Sort `ALBUM.md` by its best seedling shots (every 4 days)"),
        ("Mistral only for weather questions", "Default model: qwen3"),
        ("**苗床更新**：每日 17:00", "苗床维护：每日 06:00"),
        ("**配置更新**: Moltbook 检查频率调整为每小时", "**更新频率：** 每周更新"),
        ("Switched from GLM-5 to MiniMax M2.5 for the seed jobs", "Default model: Opus 4.6"),
        ("**Local greenhouse box**\n- qwen2.5:7b is the primary model", "Primary model: Kimi K2.5"),
    ],
)
def test_what_only_sounds_alike_is_no_rival(newer: str, older: str) -> None:
    assert found(kept(newer, "HEARTBEAT.md", 9, layer=Layer.PROFILE), kept(older, "MEMORY.md", 5)) == []


def test_who_switched_from_a_model_takes_back_what_names_it() -> None:
    now = kept("Switched from GLM-5 to MiniMax M2.5", "memory/2026-02-20.md", 2, layer=Layer.JOURNAL)
    was = kept("Default model: GLM-5", "MEMORY.md", 9, layer=Layer.CORE)
    assert found(now, was) == [("memory/2026-02-20.md", "MEMORY.md", "GLM-5 → MiniMax M2.5")]
    # What others run is their affair.
    for path, told in (("memory/2026-02-20.md", 1), ("research/2026-02-20.md", 0)):
        now = kept("Default model is now gpt-5.4", path, 2, layer=Layer.JOURNAL)
        assert len(found(now, was)) == told


def test_a_condition_goes_on_in_the_next_line() -> None:
    assert "off" in read_kinds("Fruit colours on the shelf labels are disabled")
    assert "off" not in read_kinds("Labels fall back to plain ones when\nfruit colours are disabled.")


def test_a_documents_title_names_nothing_that_its_lines_speak_of() -> None:
    one = kept("**触发**：每天早上6:00", "HEARTBEAT.md", 9, layer=Layer.PROFILE, heading=("老园丁的单子", "清点"))
    two = kept("苗木周报 · 每天9:00 · 老园丁", "docs/board.md", 5, heading=("老园丁", "任务"))
    assert found(one, two) == []


def test_what_two_days_tell_takes_nothing_back() -> None:
    def told(text: str, path: str, layer: Layer, days: float) -> Memory:
        return kept(text, path, days, layer=layer)

    news = told("Drip irrigation valve support was removed", "memory/2026-03-26.md", Layer.JOURNAL, 2)
    text = "✅ Drip irrigation valve support"
    assert found(news, told(text, "memory/2026-03-23.md", Layer.JOURNAL, 5)) == []
    assert found(news, told(text, "MEMORY.md", Layer.CORE, 5)) != []


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        # One of its sort is gone, the rule is for all of them.
        (
            "DNS record rose-bed-controller.network.garden.org removed",
            "**New bed** → must add DNS record (Gatehouse) + register IP in bedBook",
        ),
        # What was taken out is told behind the verb.
        ("**Seed Push** · 2026-04-08 22:15 · Batch 17, removed the rotten sacks", "Push seed batches for every bed"),
        # What is said of a condition goes on in the next line.
        ("Awnings do not fall back to shutters when\nAwning motors are disabled.", "The awning motors must always run"),
        # What no longer happens is something else of the same thing.
        ("苗圃列表加载：普通园丁不再触发温室供应商接口探测", "苗圃选择：园丁默认从供应商的苗圃列表中选择"),
    ],
)
def test_what_takes_nothing_back(newer: str, older: str) -> None:
    assert not found(kept(older, "notes/a.md", 9), kept(newer, "notes/b.md", 2))


def test_a_name_in_quotes_and_a_command_settle_nothing() -> None:
    assert "rhythm" not in read_kinds('当收到包含"⏰ 每小时苗圃检查"的消息时')
    assert read_kinds("苗圃检查 每小时")["rhythm"] == "每小时"
    default = kept("默认模型: deepseek-v4-flash", "TOOLS.md", 2, layer=Layer.CORE)
    assert found(kept("默认模型: glm-5", "MEMORY.md", 9, layer=Layer.CORE), default)
    assert not found(kept("`/model glm` - 切换到 GLM-5", "MEMORY.md", 9, layer=Layer.CORE), default)
    assert not found(kept("记忆搜索默认使用 glm-5 嵌入模型", "MEMORY.md", 9, layer=Layer.CORE), default)
