"""Loader files as people and agents write them, and files that only look like one."""

from __future__ import annotations

import time

import pytest

from memtui.store.route_targets import (
    RULE_MOST,
    extract_cell_paths,
    iterate_triggers,
    parse_configured_rules,
    parse_loader_rules,
)

SPEC = """# 记忆加载规则

| 触发条件 | 加载文件 |
|----------|----------|
| 涉及项目架构 | `projects/{项目}/summary.md` |
| 涉及数据库 | `projects/shared-db/schema-index.md` |
| 提到具体表名 | `prefix-map.json` → `schema/{前缀}.md` |
| 用户问"记忆系统状态" | `memory-feedback.py report` |
| 用户问"循环问题" | `signal-analyzer.py recurring` |
| 用户问"能力生成" | `capability-generator.py --status` |
"""


def rules(text: str) -> list[tuple[tuple[str, ...], tuple[str, ...], bool]]:
    return [(rule.triggers, rule.targets, rule.naming) for rule in parse_loader_rules(text, "r", ("",))]


def test_the_table_of_the_specification() -> None:
    assert [
        (r.triggers, r.targets, r.naming, r.source) for r in parse_loader_rules(SPEC, "rules/l.md", ("",))
    ] == [
        (("项目架构", "架构"), ("projects/{项目}/summary.md",), False, "rules/l.md:5"),
        (("数据库",), ("projects/shared-db/schema-index.md",), False, "rules/l.md:6"),
        ((), ("schema/{前缀}.md",), True, "rules/l.md:7"),
    ], "rows that lead to a script are no rules"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- 涉及用户认证 → areas/a.md", (("用户认证",), ("areas/a.md",), False)),
        ("* **docker**: `areas/d.md`", (("docker",), ("areas/d.md",), False)),
        ("1. when the user mentions “flaky tests” -> [t](areas/t.md)", (("flaky tests",), ("areas/t.md",), False)),
        ("- 部署、发布 / 上线 => `x.md`、`y.md`", (("部署", "发布", "上线"), ("x.md", "y.md"), False)),
        ("- 提到「支付」或『退款』时：加载 areas/pay.md", (("支付", "退款"), ("areas/pay.md",), False)),
        ("- {project} -> projects/{project}/summary.md", ((), ("projects/{project}/summary.md",), True)),
        ("- 当部署时 → a.md", (("部署",), ("a.md",), False)),
        ("- 用户问题反馈 → a.md", (("用户问题反馈",), ("a.md",), False)),
        ("- 涉及超时 → a.md", (("超时",), ("a.md",), False)),
        ("- 整个目录 → areas/tools/rg/", (("整个目录",), ("areas/tools/rg/",), False)),
    ],
)  # fmt: skip
def test_lines(line: str, expected: object) -> None:
    assert rules(line) == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "- remember to read the docs",
        "- see areas/x.md",
        "- 部署 → deploy.sh",
        "plain: prose",
        "- → a.md",
        "",
        "-",
        "|||",
    ],
)
def test_what_is_no_rule(line: str) -> None:
    assert rules(line) == []


@pytest.mark.parametrize(
    "header",
    [
        "| File | Notes | Trigger |",
        "| 路径 | 备注 | 关键词 |",
        "| What to load | Why | When |",
        "| a | b | c |",
    ],
)
def test_columns_in_any_order(header: str) -> None:
    table = f"{header}\n|---|---|---|\n| `areas/t.md` | why not | grep, rg |\n"
    (rule,) = rules(table)
    assert rule[1] == ("areas/t.md",)
    if header != "| a | b | c |":
        assert rule[0] == ("grep", "rg")


def test_words_of_a_cell() -> None:
    assert list(iterate_triggers('涉及"订单 表" / 提到 `ord_items`; about retries')) == [
        "订单 表",
        "ord_items",
        "retries",
    ]
    assert list(iterate_triggers("「a/b」、c")) == ["a/b", "c"], "separators inside of quotes are words"


def test_paths_of_a_cell() -> None:
    assert extract_cell_paths("`map.json` → `s/{x}.md`") == ("s/{x}.md",)
    assert extract_cell_paths("a.md，b/c.md and d.py") == ("a.md", "b/c.md")
    assert extract_cell_paths("[x](<my notes/a.md>)") == ("my notes/a.md",)


def test_triggers_of_ones_own() -> None:
    assert [
        (r.triggers, r.targets, r.naming)
        for r in parse_configured_rules(("部署|deploy: areas/x.md", "nothing", ": a.md"))
    ] == [(("部署", "deploy"), ("areas/x.md",), False)]
    (named,) = parse_configured_rules(("{project}: areas/projects/{project}/summary.md",))
    assert named.naming and not named.triggers


@pytest.mark.parametrize(
    "text",
    [
        "| 触发 | 文件 |\n|---|---|\n" + "| x" * 50_000,
        "- " + "「" * 100_000 + " → a.md",
        "- " + "(a+)+$" * 20_000 + " → a.md",
        "- " + "当用户" * 50_000 + " → a.md",
        "[" * 100_000 + "](" * 1000,
        "`" * 100_001 + " → a.md",
        "- a" + " or" * 50_000 + " → a.md",
        "| a | b |\n|---|---|\n" + "| w | a.md |\n" * 20_000,
        "\0\ud800" * 1000,
    ],
)  # fmt: skip
def test_hostile_files_are_harmless(text: str) -> None:
    began = time.monotonic()
    assert len(parse_loader_rules(text, "r", ("",))) <= RULE_MOST
    assert time.monotonic() - began < 5
