"""Homes for the commands, and a way of calling them in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memtui.cli import render
from memtui.cli.run import run
from tests.homes import write_files

FACTS = {
    "facts": [
        {
            "id": "fact-001", "fact": "支付回调必须幂等，重复通知只入账一次",
            "timestamp": "2026-02-20T09:00:00Z", "status": "active", "category": "rule",
        },
        {
            "id": "fact-002", "fact": "Deploys run from the release branch",
            "timestamp": "2026-02-10T09:00:00Z", "status": "superseded", "category": "project",
            "supersededBy": "fact-003",
        },
        {
            "id": "fact-003", "fact": "Deploys run from main since the merge queue",
            "timestamp": "2026-02-21T09:00:00Z", "status": "active", "category": "project",
        },
    ],
}  # fmt: skip


FOREIGN = (
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "CLICOLOR_FORCE",
    "CODEX_HOME", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "COLUMNS",
    "FORCE_COLOR", "MEMTUI_CONFIG", "MEMTUI_DEBUG", "MEMTUI_HOME", "NO_COLOR", "OPENAKITA_ROOT",
    "_MEMTUI_COMPLETE",
)  # fmt: skip
"""What may be set where the tests run, and must not reach them."""


class Done(NamedTuple):
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


class Caller:
    """Calls commands in this process, as `memtui ARGS` would."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *argv: str) -> Done:
        render.forget()
        status = run(list(argv))
        out, err = self._capsys.readouterr()
        return Done(status, out, err)


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user of their own, with a stopped clock, and nothing of whoever runs the tests."""
    user = tmp_path / "user"
    user.mkdir()
    for name in ("cache", "config", "state", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(user / f".{name}"))
    for name in FOREIGN:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("MEMTUI_NOW", "2026-02-28T12:00:00+00:00")
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    monkeypatch.chdir(user)
    return user


@pytest.fixture
def home(alone: Path) -> Path:
    """A small memory home in memtui's own arrangement, half Chinese, one file of it broken."""
    place = alone / ".memtui"
    files = {
        "MEMORY.md": "# 长期记忆\n\n## 偏好\n\n- 测试一律用 pytest，不用 unittest\n- Prefers ripgrep over grep\n",
        "user/profile.md": "# 用户\n\n- 姓名：小林\n- Lives in Chengdu\n",
        "areas/projects/shop/facts.json": json.dumps(FACTS, ensure_ascii=False, indent=2),
        "areas/projects/shop/summary.md": "# shop\n\nA shop with payments.\n\x1b]0;owned\x07 hostile \u202eline\n",
        "areas/projects/shop/rules.md": "# 规则\n\n- 禁止在 DAO 层拼接 SQL 字符串\n",
        "daily/2026-02-24.md": "- 2026-02-24T10:12:33Z [pref] 输出尽量精简 #prefs\n"
        "- 2026-02-24T10:15:02Z [decision] 支付网关选 Stripe #arch\n",
        "daily/2026-02-01.md": "- 2026-02-01T08:00:00Z [todo] 补支付的对账脚本\n",
        "broken.json": '{"facts": [{"id": 1, ',
    }
    return write_files(place, files)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)
