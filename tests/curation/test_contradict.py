"""Facts that cannot both hold are found; unrelated ones never pair up, however alike they are worded."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memtui.core.model import Layer, Memory, Status
from memtui.review.census import load_census
from memtui.review.contradictions import MANY, find_contradictions
from memtui.store.vault import Vault
from tests.curation.facts_of import fact
from tests.homes import write_files

FACTS = "areas/projects/shop/facts.json"


def kept(text: str, days: float | None = 5.0, **more: object) -> Memory:
    return fact(text, days, layer=Layer.KNOWLEDGE, **{"path": FACTS, **more})  # type: ignore[arg-type]


def found(*texts: str) -> list[tuple[str, str, str]]:
    """The pairs among these, each later one newer: newer, older, reason."""
    memories = [kept(text, 50.0 - number) for number, text in enumerate(texts)]
    return [(one.newer.text, one.older.text, one.reason) for one in find_contradictions(memories)]


@pytest.mark.parametrize(
    ("older", "newer", "reason"),
    [
        ("服务端口是 8080", "服务的端口改为 8081", "8080 → 8081"),
        ("WebSocket 需要心跳保活，间隔 30 秒", "WebSocket 需要心跳保活，间隔 60 秒", "30 → 60"),
        ("缩进用 2 个空格", "缩进用 4 个空格", "2 → 4"),
        ("Max upload size is 10 MB", "max upload size is now 25 MB", "10 → 25"),
        ("The service requires Python 3.11", "The service requires Python 3.12", "3.11 → 3.12"),
        ("使用 jest 做单元测试", "不使用 jest 做单元测试", "one says not"),
        ("Do not use tabs for indentation in Go", "Use tabs for indentation in Go", "one says not"),
        ("项目使用 PostgreSQL 数据库", "项目使用 MySQL 数据库", "postgresql → mysql"),
        ("The default branch is master", "The default branch is main", "master → main"),
        ("包管理器用 npm", "包管理器改用 pnpm", "npm → pnpm"),
        ("Uses npm as the package manager", "uses pnpm as the package manager", "npm → pnpm"),
        ("前端使用 jQuery 1.12", "前端不再使用 jQuery", "“jquery” is no longer"),
        ("使用 JWT 做认证", "改用 Session 替代 JWT", "“jwt” is no longer"),
        ("We use npm for the frontend", "Switched from npm to pnpm", "“npm” is no longer"),
        ("The build uses webpack 4", "The build no longer uses webpack", "“webpack” is no longer"),
        ("The frontend is built with npm", "npm is no longer used", "“npm” is no longer"),
        (
            "The parser is generated with yacc", "The parser is generated with lemon (since 2026-01)",
            "yacc → lemon",
        ),
        (
            "Sessions are stored in cookies", "Sessions are no longer stored in cookies, Redis does it",
            "one says not",
        ),
        ("Cache TTL is 90 seconds", "Cache TTL is 2 minutes", "90 seconds → 2 minutes"),
        ("The feature flag beta is enabled", "The feature flag beta is disabled", "one says not"),
        ("We support Internet Explorer 11", "Support for Internet Explorer 11 was dropped", "one says not"),
        ("允许直接推送到主干", "禁止直接推送到主干", "one says not"),
        ("**Hosting**: Hetzner", "**Hosting**: Scaleway", "hetzner → scaleway"),
        ("图片放在 assets/ 目录", "图片放在 static/ 目录", "assets/ → static/"),
        ("队列使用 RabbitMQ", "队列已经从 RabbitMQ 迁移到 Kafka", "“rabbitmq” is no longer"),
    ],
)  # fmt: skip
def test_what_contradicts(older: str, newer: str, reason: str) -> None:
    assert found(older, newer) == [(newer, older, reason)]


@pytest.mark.parametrize(
    "texts",
    [
        ("前端使用 React", "前端使用 TypeScript"),
        ("订单服务的请求超时是 30 秒", "支付服务的请求超时是 60 秒"),
        ("The API port is 8080", "The admin port is 9090"),
        ("修复 issue #12 的登录问题", "修复 issue #13 的登录问题"),
        ("Step 1 of the release checks the changelog", "Step 2 of the release checks the changelog"),
        ("Shard 1 holds the orders of Europe", "Shard 2 holds the orders of Europe"),
        ("2026-02-17 完成了 API 重构", "2026-02-18 完成了 API 重构"),
        ("站会在 10:00 开始并且所有人参加", "站会在 11:00 开始并且所有人参加"),
        ("后端使用 jQuery 1.12", "前端不再使用 jQuery"),
        ("禁止使用 jQuery", "前端不再使用 jQuery"),
        ("Uses PostgreSQL as the database", "Uses PostgreSQL 15 as the database"),
        ("The API is fast", "The API is REST"),
        ("用户偏好 TypeScript", "用户偏好中文回答"),
        ("Never commit secrets", "Commit messages are in English"),
        ("不要用 jest", "用 pytest"),
        ("端口是 80", "端口是 80"),
        ("jQuery plugins live in static/js", "前端不再使用 jQuery"),
        ("The parser supports TOML", "The parser supports YAML"),
        ("Jobs are retried with backoff", "Jobs are retried on another node"),
        ("Stock levels are corrected by hand", "Stock levels are updated by events"),
        ("The French storefront shows prices with VAT", "The Swiss storefront shows prices with VAT"),
        ("Upgrade npm to 1.1.4", "Upgrade npm to 1.1.37"),
        ("http: add statusMessage", "http: keep the agent"),
        ("会话 ID: 5b2f9a10-77aa-4c1e", "会话 ID: 6c2f9a10-77aa-4c1e"),
        ("Sellers may cancel unpaid orders", "Buyers may cancel unpaid orders"),
        ("缓存用 Redis", "缓存用 TTL 控制过期"),
        ("你记得厨房里的什么", "你不记得厨房里的什么"),
        ("`pantry/guests/*.md` (without what is done)", "`pantry/agents/*.md` (without what is done)"),
        ("Option A: take the same oven as we have", "Option A: take the same table as we have"),
    ],
)
def test_what_does_not(texts: tuple[str, str]) -> None:
    assert found(*texts) == []
    assert found(*reversed(texts)) == []


def test_another_project_topic_or_heading_is_about_something_else() -> None:
    one = kept("端口是 8080，由网关转发", 9)
    assert not find_contradictions([one, kept("端口是 9090，由网关转发", 1)], lambda memory: memory.id)
    assert not find_contradictions([
        kept("默认端口是 6379", path="redis.md", kind="note"),
        kept("默认端口是 5432", path="postgres.md", kind="note"),
    ])  # fmt: skip
    core = {"layer": Layer.CORE, "path": "MEMORY.md"}
    under = [
        fact("默认端口是 6379", 5, heading=("MEMORY", "Redis"), **core),  # type: ignore[arg-type]
        fact("默认端口是 5432", 1, heading=("MEMORY", "Postgres"), **core),  # type: ignore[arg-type]
    ]
    assert not find_contradictions(under)
    # Headings that only name a kind are none of what a fact is about.
    for memory, heading in zip(under, ("重要决策", "项目背景"), strict=True):
        memory.heading = ("MEMORY", heading)
    assert len(find_contradictions(under)) == 1


def test_a_thing_with_a_name_of_its_own_is_dropped_under_every_heading() -> None:
    def told(text: str, days: float, heading: str) -> Memory:
        return fact(text, days, layer=Layer.CORE, path="MEMORY.md", heading=("Memory", heading))

    gone = told("The build has moved from Jenkins Pipeline to Actions", 2, "Changes")
    still = told("The build runs on Jenkins Pipeline", 9, "Releases")
    assert [one.older for one in find_contradictions([still, gone])] == [still]
    plain = told("The build has moved from npm to pnpm", 2, "Changes")
    assert not find_contradictions([told("The build runs on npm", 9, "Releases"), plain])


def test_only_what_stands_is_compared() -> None:
    for more in (
        {"status": Status.SUPERSEDED}, {"kind": "event"}, {"kind": "todo"}, {"layer": Layer.SESSION},
        {"layer": Layer.JOURNAL, "kind": "note"},
    ):  # fmt: skip
        one = fact("服务端口是 8080", 9, **{"layer": Layer.KNOWLEDGE, "path": FACTS, **more})  # type: ignore[arg-type]
        assert not find_contradictions([one, kept("服务端口是 8081", 1)]), more


def test_many_values_are_a_list_and_the_newest_speaks_against_each_older() -> None:
    few = found("重试次数上限是 3 次", "重试次数上限是 4 次", "重试次数上限是 5 次")
    assert {(new, old) for new, old, _why in few} == {
        ("重试次数上限是 5 次", "重试次数上限是 3 次"),
        ("重试次数上限是 5 次", "重试次数上限是 4 次"),
    }
    assert not found(*(f"模块的端口是 {8000 + number}" for number in range(MANY + 1)))


def test_a_dated_fact_is_taken_for_newer_than_an_undated_one() -> None:
    undated = fact("服务端口是 8080", None, layer=Layer.CORE, path="MEMORY.md")
    dated = fact("服务端口是 8081", 3)
    assert find_contradictions([undated, dated])[0].newer is dated
    assert find_contradictions([dated, undated])[0].newer is dated


def test_thousands_of_unrelated_facts_never_pair_up() -> None:
    rng = random.Random(5)
    subjects = ("订单", "支付", "库存", "用户", "搜索", "网关", "日志", "缓存", "队列", "报表")
    verbs = ("使用", "依赖", "调用", "通知", "同步", "校验", "导出", "记录", "限制", "统计")
    things = ("Redis", "Kafka", "Postgres", "S3", "Nginx", "gRPC", "OAuth", "JWT", "Webhook", "Cron")
    said = (f"{rng.choice(subjects)}{rng.choice(verbs)} {rng.choice(things)}" for _ in range(3000))
    facts = [
        kept(f"{text} {chr(0x4E00 + number)}{chr(0x5000 + number)}", number / 10) for number, text in enumerate(said)
    ]
    assert find_contradictions(facts) == []


def test_fields_of_one_section_are_a_list_and_counts_of_a_run_no_claim() -> None:
    one, two = "Runtime dependency: `alpha` (draws the page)", "Runtime dependency: `beta` (draws the maps)"
    assert not find_contradictions([kept(text, None, path="wiki/arch.md") for text in (one, two)])
    before, after = "The last run of all tests says 130 passed", "The last run of all tests says 134 passed"
    assert not found(before, after)


def test_points_rows_and_heads_that_stand_beside_each_other_are_no_contradiction() -> None:
    points = [
        kept(f"✅ Learn from {what} in the greenhouse trials", None, path="SOUL.md") for what in ("failures", "wins")
    ]
    points[1].start = points[0].start + 1
    assert not find_contradictions(points)
    rows = [kept(f"Netherlands · EUR · {price}", None, path="PLAN.md") for price in ("€2.49", "€4.49")]
    rows[1].heading = ("Prices", "Greenhouse")
    assert not find_contradictions(rows)
    heads = [kept(f"Workspace template for {name}", None, path=name) for name in ("TOOLS.md", "AGENTS.md")]
    assert not find_contradictions(heads)


def test_of_two_sentences_that_deny_something_neither_denies_the_other() -> None:
    one = "You are not turned away because you are not good enough for the greenhouse"
    two = "You are turned away because you are not good enough for the greenhouse"
    assert not find_contradictions([kept(text, None, path=f"{name}.md") for name, text in (("a", one), ("b", two))])


def test_of_a_workspace_notes_each_has_the_values_of_its_own_day(tmp_path: Path) -> None:
    """What its agent reads in every session is held against the notes; a note is held against no other."""
    home = tmp_path / "desk"
    (home / "memory").mkdir(parents=True)
    (home / "SOUL.md").write_text("# Soul\n\n- Calm\n")
    old, new = (
        "- The kitchen's order queue is kept for 30 days\n",
        "- The kitchen's order queue is kept for 90 days\n",
    )
    for name, text in (("MEMORY.md", "# Memory\n\n- Bread is baked at night\n"), ("memory/queue.md", old)):
        (home / name).write_text(text)
    (home / "memory/orders.md").write_text(new)

    def clashing(vault: Vault) -> int:
        return sum(len(count.contradictions) for count in load_census(vault))

    with Vault.open([home]) as vault:
        assert clashing(vault) == 0
        (home / "memory/orders.md").rename(home / "TOOLS.md")
        vault.refresh()
        assert clashing(vault) == 1
        (home / "memory/queue.md").rename(home / "memory/2026-02-03.md")
        vault.refresh()
        assert clashing(vault) == 0, "what a day recorded stays as it was written"


def test_documents_of_no_tool_do_not_contradict_each_other(tmp_path: Path) -> None:
    texts = {"old/pumps.md": "# Pumps\n\n- The greenhouse pump runs every 2 hours\n"}
    texts |= {"new/pump.md": "# Pump\n\n- The greenhouse pump runs every 6 hours\n"}
    with Vault.open([write_files(tmp_path / "wiki", texts)]) as vault:
        assert [home.layout for home in vault.homes] == ["plain"]
        assert not any(count.contradictions for count in load_census(vault))


def test_what_follows_in_one_case_and_in_another() -> None:
    cases = [
        kept("Bo declines → respect the choice and bake the bread at 6:00", path="AGENTS.md", kind="rule"),
        kept("Bo declines → respect the choice and bake the bread at 13:30", path="AGENTS.md", kind="rule"),
    ]
    cases[1].start = cases[1].end = 40
    assert not find_contradictions(cases)
