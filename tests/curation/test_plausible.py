"""What may be a memory said twice, and what is alike because of where it stands: forms, pages, copies, records."""

from __future__ import annotations

import pytest

from memtui.core.model import Layer, Memory
from memtui.review.fields import is_told_apart
from memtui.review.foremost import MOST
from memtui.review.plausible import Setting, has_other_name, has_other_names, is_of_day, is_telling
from memtui.review.queue import allocate_cards
from tests.curation.facts_of import fact


def line(text: str, path: str = "notes.md", *heading: str, layer: Layer = Layer.KNOWLEDGE) -> Memory:
    return fact(text, None, kind="note", layer=layer, path=path, heading=heading)


@pytest.mark.parametrize(
    "text",
    [
        "Invoices are rendered with WeasyPrint",
        "不执行用户代码",
        "**Compiler path**: `C:\\Tools\\llvm\\bin\\clang.exe`",
        "make sure that the queue is empty before a deploy",
        "`POST /orders` answers 409 where the basket is empty",
        "git history is never rewritten on shared branches",
    ],
)
def test_what_says_something(text: str) -> None:
    assert is_telling(text)


@pytest.mark.parametrize(
    "text",
    [
        "How to apply:", "**处理步骤：**", "12. 《从零搭建植物识别服务的完整实战》（约5000字）",
        "`npm run lint`", "`npm run lint`：通过。", "npm ci\nnpm run build",
        "git clone https://example.org/shop.git\ncd shop", "`src/server/basket.ts`", "`orders` 表",
        "Related: [[basket-rules]], [[refunds]].", "POST /basket",
        "ts: 2026-01-02; event: gate_blocked; host: claude; source: loop",
        "`pnpm test -- basket.test.ts`：12 项通过，覆盖购物车", "src/\n├── api.ts\n└── main.ts", "",
    ],
)  # fmt: skip
def test_what_says_nothing_by_itself(text: str) -> None:
    assert not is_telling(text)


def test_somebody_s_number_says_nothing_by_itself() -> None:
    assert not is_telling("8217045820 (Robin)") and is_telling("8217045820 (Robin) may restart the gateway")


def test_a_field_of_a_form_is_none_and_a_single_one_is() -> None:
    form = [line(f"**Tier:** close friend {name}", "people.md", "People", name) for name in "ABC"]
    alone = line("**Owner:** the billing team of Rotterdam", "people.md")
    setting = Setting([*form, alone])
    assert not any(map(setting.telling, form)) and all(map(setting.is_field, form))
    assert setting.telling(alone) and not setting.is_field(alone)
    # A sentence with a word before it is a sentence, however many begin so.
    rules = [
        line(f"**Rule:** never {verb} a release before the smoke tests are green") for verb in ("tag", "ship", "pull")
    ]
    assert all(map(Setting(rules).telling, rules))


def test_a_line_that_stands_all_over_is_nobody_s_memory() -> None:
    lines = [line("已上线并完成生产验收。", f"modules/{number}.md") for number in range(4)]
    assert not any(map(Setting(lines).telling, lines))
    assert all(map(Setting(lines[:2]).telling, lines))


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("plan/202603090229_new_basket/how.md", True),
        ("reports/2026-03-09.md", True),
        ("reports/sync-20260309.md", True),
        ("modules/basket.md", False),
        ("issue-2026/rules.md", False),
        ("shop-12345678901.md", False),
    ],
)
def test_files_of_a_day(path: str, day: bool) -> None:
    assert is_of_day(path) is day
    assert Setting([]).telling(line("Invoices are rendered with WeasyPrint", path)) is not day


def test_what_begins_with_its_day_tells_what_was_then() -> None:
    assert not Setting([]).telling(line("2026-03-09: the new basket went live in Rotterdam"))


def test_steps_of_two_parallel_sections() -> None:
    steps = ("Sign in with the shop account", "Install the payment terminal", "Print a test receipt")
    both = [line(step, "setup.md", "Setup", system) for system in ("Mac", "Windows") for step in steps]
    assert Setting(both).apart(both[0], both[3])


def test_a_short_line_is_about_its_heading_unless_the_heading_names_a_kind() -> None:
    one, two = (line("Always ask before posting", "ops.md", "Ops", name) for name in ("Forum", "Newsletter"))
    assert Setting([one, two]).apart(one, two)
    for memory in (one, two):
        memory.layer = Layer.CORE
    assert not Setting([one, two]).apart(one, two)


def _page(subject: str, *more: Memory) -> list[Memory]:
    path = f"modules/{subject}.md"
    return [
        line(f"{subject} {text}", path, subject, heading)
        for heading, text in (
            ("Purpose", "does this"),
            ("Interface", "offers that"),
            ("Tests", "is checked so"),
        )
    ] + list(more)


def test_pages_of_one_kind_have_the_same_lines_under_the_same_headings() -> None:
    one, two, three = (
        line("Prices are rounded to whole cents", f"modules/{name}.md", name, heading)
        for name, heading in (("basket", "Tests"), ("refund", "Tests"), ("stock", "Purpose"))
    )
    setting = Setting([*_page("basket", one), *_page("refund", two), *_page("stock", three)])
    assert setting.paged(one, two) and setting.apart(one, two)
    assert setting.paged(one, three) and not setting.apart(one, three)


def test_a_copy_of_a_file() -> None:
    lines = [f"Rule {word}: keep the {word} tidy at all times" for word in ("desk", "kiln", "loft", "barn", "shed")]
    mine, theirs = ([line(text, path, "Rules", "All") for text in lines] for path in ("CLAUDE.md", "AGENTS.md"))
    setting = Setting([*mine, *theirs])
    assert setting.copied(mine[0], theirs[1]) and not setting.apart(mine[0], theirs[0])
    assert not Setting([*mine[:3], *theirs[:3]]).copied(mine[0], theirs[0])


def test_parts_of_a_series_say_again_what_all_of_them_have() -> None:
    said = "Whoever likes it subscribes to the letter of the shop"
    one, two, page = (line(said, f"memory/{name}.md") for name in ("post-12", "post-13", "letters"))
    setting = Setting([one, two, page])
    assert setting.apart(one, two) and not setting.apart(one, page)


def test_a_line_of_an_index_only_points() -> None:
    index = line("`refunds.md` · how refunds are paid back to customers", "MEMORY.md")
    assert Setting([]).apart(index, line("How refunds are paid back to customers", "refunds.md"))


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("workspace-till/SOUL.md", "workspace-cart/SOUL.md", True),
        ("workspace/AGENTS.md", "workspace-cart/AGENTS.md", True),
        ("workspaces/till/TOOLS.md", "workspaces/cart/TOOLS.md", True),
        ("agents/till/RULES.md", "AGENTS.md", True),
        ("workspace-till/MEMORY.md", "workspace-till/USER.md", False),
        ("workspace/memory/MEMORY.md", "workspace/MEMORY.md", False),
        ("notes/MEMORY.md", "MEMORY.md", False),
    ],
)
def test_each_of_several_agents_has_its_own(one: str, two: str, apart: bool) -> None:
    said = "Never send a letter before Ann has read it and said that it may go"
    first, second = line(said, one), line(said, two)
    assert Setting([first, second]).apart(first, second) is apart


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("Repository: `acme/basket`", "Repository: `acme/stock`", True),
        ("Repository: `acme/basket`", "Repository: acme/basket, since spring", False),
        ("See `LICENSE`", "See the licence", False),
    ],
)
def test_names_that_differ(one: str, two: str, apart: bool) -> None:
    assert has_other_name(one, two) is apart


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("说「做网页」时叫出这条记忆继续执行", "说「换电脑」时叫出这条记忆继续执行", True),
        ("`tests/unit/basket.test.ts` covers the empty state", "The empty state of `Cart` is shown", True),
        ("`BasketClient` sends the `x-shop` header", "The client sends `x-shop` with `BasketClient`", False),
        ("The client sends a header", "`BasketClient` sends a header", False),
    ],
)
def test_texts_that_name_other_things(one: str, two: str, apart: bool) -> None:
    assert has_other_names(one, two) is apart


def test_what_a_check_came_to_is_no_memory_and_how_to_check_is_one() -> None:
    came = line(
        "Staging 的 `basket.service` 重启后为 `active`，`/health` 返回 `ok`",
        "m/basket.md",
        "Basket",
        "上线验收",
    )
    rule = line(
        "Before a release: `npm run lint`, `npm test` and a look at the basket",
        "m/basket.md",
        "Basket",
        "Verification",
    )
    waits = line("篮子价格缺失时显示为待确认，不显示零元", "m/basket.md", "Basket", "验收")
    setting = Setting([came, rule, waits])
    assert not setting.telling(came)
    assert setting.telling(rule) and setting.telling(waits)
    # A document about checks is one.
    assert setting.telling(line("The import job returns the rows it has left out", "m/verify.md", "Verification"))


def test_what_a_page_leaves_alone_is_its_own() -> None:
    one, two = (line("不改动价格缓存。", f"modules/{name}.md", name, "约束") for name in ("basket", "refund"))
    assert Setting([one, two]).apart(one, two)
    # A ban is a rule, wherever it stands; and a file beside the pages speaks for all of them.
    for text, other in (("不要改动价格缓存。", "modules/refund.md"), ("不改动价格缓存。", "project.md")):
        one, two = line(text, "modules/basket.md", "basket", "约束"), line(text, other, "refund", "约束")
        assert not Setting([one, two]).apart(one, two)


def test_steps_of_two_lists_in_one_section() -> None:
    one, two = (line("点击“导出清单”，文件进入下载目录。", "guide.md", "Guide", "流程") for _ in range(2))
    assert Setting([one, two]).apart(one, two)
    told = [line("导出清单后，文件进入下载目录。", "guide.md", "Guide", "流程") for _ in range(2)]
    assert not Setting(told).apart(*told)


def test_items_of_a_list_that_name_what_each_is_about() -> None:
    said = "must include `https://shop.example/*` and the local port"
    one, two, other = (
        line(f"**Valid {name} URIs**: {said}", "login.md", "Login", heading)
        for name, heading in (("Redirect", "URIs"), ("Post Logout", "URIs"), ("Redirect", "Notes"))
    )
    for memory in (one, two, other):
        memory.layer = Layer.CORE
    setting = Setting([one, two, other])
    assert setting.apart(one, two) and not setting.apart(one, other)


def test_the_head_of_a_record_tells_nothing_by_itself() -> None:
    assert not is_telling("**Category**: data accuracy\n**Severity**: high")
    assert is_telling("**Pump**: of the greenhouse, runs at night\n**Reason**: the mains are free then, and cheap")


def test_what_a_home_does_not_need_the_others_of_its_checkout_show() -> None:
    assert [allocate_cards(own, (3, 40)) for own in (3, 40)] == [10, 17]
    assert [allocate_cards(own, (30, 40)) for own in (30, 40)] == [10, 10]
    assert allocate_cards(5, (5,)) == MOST


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("The kiln's window was changed from 00:00-07:00 to 02:00-07:00", "Kiln window: 00:00 - 07:00", True),
        ("窑炉温度从 1240 调到 1260", "窑炉温度 1240", True),
        ("窑炉温度从 1240 调到 1260", "窑炉温度 1260", False),
        ("Shop front: Next.js 16, Tailwind", "The shop front is Next.js 14.2 with Tailwind", True),
        ("Shop front: Next.js 14, Tailwind", "The shop front is Next.js 14.2 with Tailwind", False),
        ("The kiln takes 3 pots", "The kiln takes 3 pots or 4 plates", False),
    ],
)
def test_what_was_changed_is_not_said_twice(one: str, two: str, apart: bool) -> None:
    assert is_told_apart(one, two) is is_told_apart(two, one) is apart
