"""A user of code-memory with one project that has rules, and no worker that runs beside the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

RULES = "# demo 开发规范\n\n> 由 session-summary 自动提取，可手动编辑补充\n\n## 编码规范\n- 不要使用 var (2026-02-08)\n"
SCHEMA = "# 数据库索引\n\n| 表 | 用途 |\n|---|---|\n| sys_user | 用户 |\n"


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_WORKER", "off")
    for name in ("MEMTUI_INSIDE", "MEMTUI_OFF", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def demo(_own_user: Path) -> Path:
    """The project's directory."""
    cwd = _own_user / "work" / "demo"
    (cwd / "src").mkdir(parents=True)
    (cwd / "src" / "a.py").write_text("x = 1\n", encoding="utf-8")
    return cwd


@pytest.fixture
def home(_own_user: Path) -> Path:
    """The memory home."""
    memory = _own_user / ".claude" / "memory"
    projects = memory / "areas" / "projects"
    (projects / "demo").mkdir(parents=True)
    (projects / "shared-db").mkdir()
    (memory / "daily").mkdir()
    (memory / "MEMORY.md").write_text("# MEMORY\n\n## 偏好\n- 测试一律用 pytest\n", encoding="utf-8")
    (projects / "demo" / "rules.md").write_text(RULES, encoding="utf-8")
    (projects / "shared-db" / "schema-index.md").write_text(SCHEMA, encoding="utf-8")
    return memory
