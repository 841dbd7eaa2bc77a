"""INDEX.md and its kin: rows that lead from keywords to documents."""

from __future__ import annotations

import pytest

from tests.parse.reading import read, utc


def test_keywords_become_tags_and_paths_links() -> None:
    text = (
        "# X 知识库\n\n## 模块关键词索引\n\n| 模块 | 关键词 | 文件 |\n|---|---|---|\n"
        "| auth | jwt, 登录，令牌 | `modules/auth.md` |\n"
        "| cart | 购物车 | [cart](modules/cart.md) |\n\n## 知识库状态\n\n```yaml\nkb_version: 2\n```\n"
    )
    auth, cart, state = read("index", text, "INDEX.md", kind="index").entries
    assert (auth.kind, auth.title, auth.tags) == ("index", "auth", ("jwt", "登录", "令牌"))
    assert (auth.links, cart.links) == (("modules/auth.md",), ("modules/cart.md",))
    assert (auth.start, auth.heading) == (7, ("X 知识库", "模块关键词索引"))
    assert (state.start, state.end, state.kind) == (12, 14, "note")


@pytest.mark.parametrize("empty", ["当前暂无会话摘要", "> 暂无归档", "| （暂无） | | |", "*None yet.*"])
def test_an_empty_index_has_no_entries(empty: str) -> None:
    assert (
        read("index", f"# 索引\n\n| a | b | c |\n|---|---|---|\n\n{empty}\n", "sessions/_index.md").entries
        == []
    )


def test_archives_are_dated_by_their_first_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    text = (
        "| 时间戳 | 名称 | 类型 |\n|---|---|---|\n| 202601281015 | cart | impl |\n"
        "| 2026-02-01 | x | y |\n| 9 | z | |\n"
    )
    entries = read("index", text, "archive/_index.md", kind="index").entries
    assert [entry.title for entry in entries] == ["cart", "x", "z"]
    assert [entry.created for entry in entries] == [utc(2026, 1, 28, 10, 15), utc(2026, 2, 1), None]
