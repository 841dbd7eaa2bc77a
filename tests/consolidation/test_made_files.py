"""MEMORY.md and USER.md of OpenAkita's homes: made of its rows as its own lifecycle makes them, to the byte."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from memtui.store.vault import Vault
from tests.consolidation.homes import look_after, step
from tests.homes.openakita import build

CORE = """# 核心记忆


## 偏好
- 回答要简短

## 规则
- 禁止虚报执行结果

## 事实
- 代码目录在 D:/code"""
USER = "# 用户档案\n\n> 由记忆系统自动生成\n\n\n## 基本信息\n- 代码目录在 D:/code\n\n## 偏好\n- 回答要简短"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = build(tmp_path / "ws")
    rows = [
        ("a", "回答要简短", "preference", 0.9, None, "", "用户", "风格", "user"),
        ("b", "禁止虚报执行结果", "rule", 0.8, None, "", "", "", "user"),
        ("c", "代码目录在 D:/code", "fact", 0.7, None, "", "用户", "", "user"),
        ("d", "代码目录在 d:/CODE", "fact", 0.6, None, "", "", "", "user"),
        ("e", "不重要", "fact", 0.4, None, "", "", "", "user"),
        ("f", "已经过期", "fact", 0.9, "2026-01-01T00:00:00", "", "", "", "user"),
        ("g", "被取代的", "fact", 0.9, None, "a", "", "", "user"),
        ("h", "别人的", "fact", 0.9, None, "", "", "", "pending_consolidation"),
        ("i", "帮我打开浏览器", "fact", 0.45, None, "", "用户", "请求", "user"),
    ]
    connection = apsw.Connection(str(root / "data/memory/openakita.db"))
    connection.execute("DELETE FROM memories")
    connection.executemany(
        "INSERT INTO memories (id, content, type, importance_score, expires_at, superseded_by, subject, predicate,"
        " scope, priority, created_at, updated_at) VALUES"
        " (?, ?, ?, ?, ?, ?, ?, ?, ?, 'permanent', '2026-02-20', '2026-02-20')",
        rows,
    )
    connection.close()
    return root


def test_they_are_made_of_the_rows(home: Path) -> None:
    (home / "identity/USER.md").write_text("> 由记忆系统自动生成\n\n- old\n", "utf-8")
    before = (home / "identity/MEMORY.md").read_bytes()
    assert step(look_after(home, weekly=False, dry_run=True), "sections").counts["renewed"] == 2
    assert (home / "identity/MEMORY.md").read_bytes() == before
    report = look_after(home, weekly=False)
    assert step(report, "sections").counts["renewed"] == 2
    core = (home / "identity/MEMORY.md").read_text("utf-8")
    # 'd' says what 'c' says in other letters, and one of them is enough.
    assert core == CORE
    assert (home / "identity/USER.md").read_text("utf-8") == USER
    assert step(look_after(home, weekly=False, later=60), "sections").counts["same"] == 2
    with Vault.open([home]) as vault:
        vault.undo()
    assert (home / "identity/MEMORY.md").read_bytes() == before


def test_a_file_that_no_program_made_is_the_persons_own(home: Path) -> None:
    (home / "identity/USER.md").write_text("# 我\n\n- 手写\n", "utf-8")
    shown = step(look_after(home, weekly=False, dry_run=True), "sections")
    found = step(look_after(home, weekly=False), "sections")
    assert (shown.counts["renewed"], shown.left) == (found.counts["renewed"], found.left)
    assert (home / "identity/USER.md").read_text("utf-8") == "# 我\n\n- 手写\n"
    assert [path for path, _why in found.left] == ["identity/USER.md"]
