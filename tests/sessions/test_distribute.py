"""What a session taught goes where it belongs: rules by category, avoidances to core memory, facts to the journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.core.config import AgentsConfig, Config
from memtui.language.conversation import Extract, Learned, Session
from memtui.layouts.discovery import open_home_at
from memtui.review import queue
from memtui.review.queue import approve_clear
from memtui.sessions.distribute import distribute, write_day_entry
from memtui.sessions.scratchpad import update_scratchpad
from memtui.store.vault import Vault

SESSION = Session("s1", "claude-code", "/home/ann/shop", "shop", "shop", transcript="/t/s1.jsonl")
FOUND = Extract(
    "认证迁移",
    points=("JWT 过期 24 小时",),
    learned=(
        Learned("提交信息一律用英文书写", "rule", category="提交规范", line=4),
        Learned("Redis 未启动时测试报 ECONNREFUSED，先执行 docker compose up -d redis", "lesson", line=9),
        Learned("用户偏好使用 pnpm 管理依赖", "pref"),
        Learned("决定采用 RS256 签名算法，因为需要跨服务验证", "decision"),
    ),
)
AUTO = Config(agents=AgentsConfig(mode="auto"))


def _vault(root: Path, config: Config | None = None) -> Vault:
    vault = Vault([open_home_at(root)], config or Config())
    vault.refresh()
    return vault


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMTUI_NOW", "2026-11-22T10:00:00Z")
    root = tmp_path / ".claude" / "memory"
    for part in ("areas/projects", "daily", "sessions"):
        (root / part).mkdir(parents=True)
    (root / "MEMORY.md").write_text("# 记忆\n\n## 避坑经验\n\n- [2026-01-01] 旧的一条\n", "utf-8")
    return root


def test_review_is_the_default(home: Path) -> None:
    vault = _vault(home)
    done = distribute(vault, vault.homes[0], SESSION, FOUND, Config(), settle=approve_clear)
    assert (done.proposed, done.written, done.noted) == (3, 0, 1)
    waiting = [one for one in queue.load_queue(vault).waiting if one.origin == "proposed"]
    where = {one.text[:4]: one.target and (one.target.path, one.target.section) for one in waiting}
    assert where["提交信息"] == ("areas/projects/shop/rules.md", "提交规范")
    assert where["Redi"] == ("MEMORY.md", "避坑经验")
    assert not (home / "areas/projects/shop").exists()
    source = next(one for one in waiting if one.kind == "rule").sources[0]
    assert (source.path, source.line, source.session) == ("/t/s1.jsonl", 4, "s1")
    again = distribute(vault, vault.homes[0], SESSION, FOUND, Config(), settle=approve_clear)
    assert (again.proposed, again.noted, again.known) == (0, 0, 4)


def test_auto_writes_appends_and_is_undone_at_once(home: Path) -> None:
    vault = _vault(home, AUTO)
    before = (home / "MEMORY.md").read_bytes()
    done = distribute(vault, vault.homes[0], SESSION, FOUND, AUTO, settle=approve_clear, group="g1")
    assert (done.proposed, done.written) == (0, 3)
    rules = (home / "areas/projects/shop/rules.md").read_text("utf-8")
    assert "## 提交规范" in rules
    assert "提交信息一律用英文书写" in rules
    core = (home / "MEMORY.md").read_bytes()
    assert core.startswith(before[:-1])
    assert "ECONNREFUSED" in core.decode()
    vault.refresh()
    assert distribute(vault, vault.homes[0], SESSION, FOUND, AUTO, settle=approve_clear).known == 4
    vault.undo("g1")
    assert (home / "MEMORY.md").read_bytes() == before


def test_what_was_rejected_is_not_proposed_again(home: Path) -> None:
    vault = _vault(home)
    distribute(vault, vault.homes[0], SESSION, FOUND, Config(), settle=approve_clear)
    for candidate in queue.load_queue(vault).waiting:
        queue.reject(vault, candidate, "no")
    assert distribute(vault, vault.homes[0], SESSION, FOUND, Config(), settle=approve_clear).proposed == 0


def test_the_day_s_entry_of_spec_002_once(home: Path) -> None:
    vault = _vault(home, AUTO)
    done = distribute(vault, vault.homes[0], SESSION, FOUND, AUTO, settle=approve_clear)
    for _time in range(2):
        write_day_entry(vault, vault.homes[0], SESSION, FOUND, "sessions/s1.md", done, "")
    text = (home / "daily/2026-11-22.md").read_text("utf-8")
    assert text.count("## 10:00 - 项目: shop\n- **主题**: 认证迁移\n- **会话记录**: [sessions/s1.md]") == 1
    assert "- **要点**:\n  - JWT 过期 24 小时\n" in text
    assert "- **知识提取**: 已自动写入 rules/MEMORY\n" in text


def test_a_home_of_records_gets_spec_004_s_facts(tmp_path: Path) -> None:
    root = tmp_path / "shop" / ".cursor" / "skills" / "memory-data"
    (root / "daily").mkdir(parents=True)
    (root / "sessions.jsonl").touch()
    vault = _vault(root)
    done = distribute(vault, vault.homes[0], SESSION, FOUND, Config(), settle=approve_clear)
    assert (done.noted, done.proposed) == (4, 0)
    (file,) = (root / "daily").glob("*.jsonl")
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [record["memory_type"] for record in records] == ["W", "W", "O", "W"]
    assert {record["source"]["session"] for record in records} == {"s1"}


def test_memories_that_say_so_already_are_left_alone(home: Path) -> None:
    (home / "MEMORY.md").write_text("# 记忆\n\n## 偏好\n\n- 用户偏好使用 pnpm 管理依赖，不用 npm\n", "utf-8")
    vault = _vault(home)
    found = FOUND._replace(learned=(FOUND.learned[2],))
    assert distribute(vault, vault.homes[0], SESSION, found, Config(), settle=approve_clear).known == 1


def test_the_task_at_hand_is_no_memory_that_says_so(tmp_path: Path) -> None:
    root = tmp_path / ".memtui"
    for part in ("user", "areas", "daily"):
        (root / part).mkdir(parents=True)
    (root / "MEMORY.md").touch()
    with _vault(root) as vault:
        update_scratchpad(vault, vault.homes[0], SESSION, "以后 commit message 用英文写，回复我用中文")
        found = Extract("x", learned=(Learned("以后 commit message 用英文写，回复我用中文", "pref"),))
        assert distribute(vault, vault.homes[0], SESSION, found, Config(), settle=approve_clear).proposed == 1
