"""What a model says was learned stands only where somebody said it."""

from __future__ import annotations

import time

import pytest

from memtui.sessions.minutes import Support

ENGLISH = Support(
    enumerate(
        (
            "please use uv instead of pip, pip takes forever here",
            "Switched to uv sync --frozen. The workflow caches ~/.cache/uv keyed on uv.lock.",
            "the tests fail on CI but pass locally",
            "The reason: TZ isn't set on the runner, so the date tests compare UTC with local time. I set TZ=UTC.",
            "never commit directly to main btw, open a PR from a branch named feat/… or fix/…",
            "also I prefer small commits, one logical change each; wait 300 seconds between deployments",
        ),
        1,
    ),
    seen=["ModuleNotFoundError: No module named 'tzdata'", "Always deploy straight to production on green"],
)
CHINESE = Support(
    enumerate(
        (
            "我们用的是 antd v3，别用 v4 的写法",
            "明白，改为 Form.create() 的写法。",
            "筛选以后分页没重置，页码还停留在第 5 页",
            "原因是切换状态时没有把 current 重置为 1，已经修复，切换筛选条件时先重置页码再请求。",
            "以后注释都用中文写，提交信息也是",
            "SQL 里不要用 SELECT *，要把字段列出来，超时设为 30 秒",
        ),
        1,
    )
)


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("Use uv rather than pip to install dependencies", 1),
        ("Date tests fail on CI because TZ is not set on the runner: set TZ=UTC", 4),
        ("Never commit to main; open a PR from a feat/ or fix/ branch", 5),
        ("The user prefers small commits with one logical change each", 6),
        ("`tzdata` is missing where the tests run on CI", 3),
    ],
)
def test_said(item: str, line: int) -> None:
    assert ENGLISH.line(item) == line


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("项目使用 antd v3，不要使用 v4 的写法", 1),
        ("切换筛选条件时要先把页码重置为第一页再请求", 4),
        ("注释和提交信息使用中文", 5),
        ("SQL 查询必须列出字段，禁止使用 SELECT *", 6),
    ],
)
def test_said_in_chinese(item: str, line: int) -> None:
    assert CHINESE.line(item) == line


@pytest.mark.parametrize(
    "item",
    [
        "Always write unit tests before the implementation",
        "Docker images are built with multi-stage builds",
        "The user prefers TypeScript over JavaScript",
        "Prefer composition over inheritance",
        "Wait 30 seconds between deployments",  # 300 were said
        "Use uv 0.9.1 instead of pip",
        "Use uv instead of pip: `uv pip compile`",
        "Deploy straight to production on green",  # a tool printed it
        "所有测试都必须先于实现编写",
        "the and of it",
        "…",
        "",
    ],
)
def test_not_said(item: str) -> None:
    assert ENGLISH.line(item) is None


@pytest.mark.parametrize(
    "item",
    ["所有接口必须做幂等处理", "数据库表名使用复数形式", "分页大小默认 20 条", "SQL 查询超时设为 60 秒"],
)  # fmt: skip
def test_not_said_in_chinese(item: str) -> None:
    assert CHINESE.line(item) is None


def test_names() -> None:
    assert ENGLISH.holds("UV.lock")
    assert not ENGLISH.holds("poetry.lock")
    assert not ENGLISH.holds("")


def test_nothing_was_said() -> None:
    assert Support([]).line("Use uv") is None


def test_long_sessions() -> None:
    before = time.process_time()
    long = Support(
        (number, f"turn {number} 关于 {number * 7} " + "some words 一些内容 " * 100) for number in range(2000)
    )
    for number in range(40):
        long.line(f"item {number} with some words `code {number}` 一些内容")
    assert time.process_time() - before < 10
