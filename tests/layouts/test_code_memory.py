"""code-memory: areas, journal, sessions, evolution; derived and configuration files are no memories."""

from __future__ import annotations

import shutil
from pathlib import Path

from memtui.core.model import Filter
from memtui.layouts import Surroundings
from memtui.layouts.code_memory import LAYOUT
from memtui.store.vault import Vault
from tests.layouts.places import brief, roles_of

HOME = Path(__file__).parents[1] / "homes" / "code_memory"


def test_roles() -> None:
    roles = roles_of("code-memory", HOME)
    assert brief(roles) == {
        "MEMORY.md": ("core", "note", "markdown"),
        "areas/patterns/outbox/summary.md": ("knowledge", "summary", "markdown"),
        "areas/projects/broken/facts.json": ("knowledge", "fact", "facts"),
        "areas/projects/demo/facts.json": ("knowledge", "fact", "facts"),
        "areas/projects/demo/rules.md": ("knowledge", "rule", "markdown"),
        "areas/projects/demo/summary.md": ("knowledge", "summary", "markdown"),
        "areas/projects/shared-db/schema-index.md": ("knowledge", "fact", "markdown"),
        "areas/tools/rg/summary.md": ("knowledge", "summary", "markdown"),
        "daily/2026-02-10.md": ("journal", "note", "journal"),
        "daily/2026-02-11.md": ("journal", "note", "journal"),
        "evolution/audit.jsonl": ("evolution", "event", "events"),
        "evolution/generator_state.json": ("evolution", "state", "json"),
        "evolution/signal_report_latest.md": ("evolution", "note", "report"),
        "sessions/9f1c2d3e-0000-4000-8000-000000000001.md": ("session", "session", "session"),
        "sessions/degraded.md": ("session", "session", "session"),
        "sessions/old-markdown-mode.md": ("session", "session", "session"),
    }
    assert {role.project for role in roles.values()} == {"", "broken", "demo", "outbox", "rg", "shared-db"}
    for path in (
        ".search-index.db",
        "sessions-backup/a.md",
        ".search-index.db-wal",
        "MEMORY.md.bak",
        "daily/.x.md.swp",
    ):
        assert LAYOUT.role(HOME, path) is None
    assert LAYOUT.role(HOME, "areas/unknown/note.md") is not None
    assert LAYOUT.prune(Path("home"), "sessions-backup")
    assert not LAYOUT.prune(Path("home"), "areas/projects/demo")


def test_it_is_found_where_the_environment_says(tmp_path: Path) -> None:
    assert list(LAYOUT.find(Surroundings(tmp_path, tmp_path))) == []
    shutil.copytree(HOME, tmp_path / ".claude" / "memory")
    (home,) = LAYOUT.find(Surroundings(tmp_path, tmp_path))
    assert (home.path, home.label, home.current) == (
        tmp_path / ".claude" / "memory",
        "~/.claude/memory",
        False,
    )
    shutil.copytree(HOME, tmp_path / "conf" / "memory")
    around = Surroundings(tmp_path, tmp_path, {"CLAUDE_CONFIG_DIR": "~/conf"})
    assert [home.path for home in LAYOUT.find(around)] == [tmp_path / "conf" / "memory"]


def test_it_is_told_from_its_neighbours(tmp_path: Path) -> None:
    assert LAYOUT.recognise(HOME) == "areas, evolution"
    for other in ("xinghebot", "openclaw", "plain", "helloagents/project"):
        assert LAYOUT.recognise(HOME.parent / other) == ""
    (tmp_path / "areas" / "projects").mkdir(parents=True)
    assert LAYOUT.recognise(tmp_path) == "areas"
    (tmp_path / "x" / "areas").mkdir(parents=True)
    assert LAYOUT.recognise(tmp_path / "x") == ""


def test_what_its_templates_ship_is_no_memory(tmp_path: Path) -> None:
    root = tmp_path / ".claude" / "memory"
    shutil.copytree(HOME, root)
    (root / "MEMORY.md").write_text(
        "# 开发者记忆档案\n\n## 个人偏好\n\n- **语言**: 中文\n- **模型**: (填写偏好模型)\n\n"
        "### 后端\n- (记录后端技术栈)\n\n"
        "## 常用 Agent\n\n| Agent | 触发场景 |\n|-------|----------|\n| planner | 复杂功能实现前 |\n"
        "| reviewer | 提交前必须跑 |\n"
        "| (名称) | (触发场景) |\n\n## 更新日志\n\n- (初始化日期): 初始化记忆系统\n",
        "utf-8",
    )
    with Vault.open([root]) as vault:
        found = [one.text for one in vault.memories(Filter(path="MEMORY.md"))]
    assert sorted(found) == ["**语言**: 中文", "reviewer · 提交前必须跑"]


def test_a_rule_that_nobody_filled_in_is_none_and_one_that_was_shipped_holds(tmp_path: Path) -> None:
    root = tmp_path / ".claude" / "memory"
    shutil.copytree(HOME, root)
    path = "areas/projects/demo/rules.md"
    kept = ["返回 `{code, msg}` 结构", "接口统一返回 Result 包装"]
    lines = ["(填写规则)", "{规则描述} (YYYY-MM-DD)", "使用 {框架名} 开发", *kept]
    text = "# demo 开发规范\n\n## 通用\n\n" + "".join(f"- {line}\n" for line in lines)
    (root / path).write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    with Vault.open([root]) as vault:
        assert sorted(one.text for one in vault.memories(Filter(path=path))) == sorted(kept)
